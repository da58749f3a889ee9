// Forces on bodies, and their percussions in a step.
#include "rigid/forces.h"

#include <limits.h>
#include <math.h>

#include "core/error.h"
#include "core/threads.h"

static bool all_finite(const double six[6])
{
  for (int k = 0; k < 6; k++)
    if (!isfinite(six[k]))
      return false;
  return true;
}

void pc_forces_free(pc_forces *forces)
{
  for (int i = 0; i < forces->load.count; i++)
    pc_signal_free(&forces->load.at[i].signal);
  pc_array_free(&forces->callback);
  pc_array_free(&forces->load);
  pc_array_free(&forces->given);
  pc_array_free(&forces->loaded);
}

pc_status pc_forces_add_callback(pc_forces *forces, pc_force *force, void *context, pc_error *error)
{
  pc_force_entry *entry = pc_array_add(&forces->callback);
  if (entry == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  *entry = (pc_force_entry){force, context};
  return PC_OK;
}

pc_status pc_forces_add_load(pc_forces *forces, int body, const double force[6],
                             const pc_signal *signal, pc_error *error)
{
  if (!all_finite(force))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the load must be finite");
  const char *wrong = signal != NULL ? pc_signal_check(signal) : NULL;
  if (wrong != NULL)
    return pc_fail(error, PC_ERROR_ARGUMENT, "%s", wrong);
  pc_load load = {.body = body};
  memcpy(load.force, force, sizeof load.force);
  if (!pc_array_reserve(&forces->load, forces->load.count + 1) ||
      (signal != NULL && !pc_signal_copy(&load.signal, signal)))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  forces->load.at[forces->load.count++] = load;
  return PC_OK;
}

bool pc_forces_reserve_given(pc_forces *forces, int bodies)
{
  size_t known = (size_t)forces->given_bodies, n = (size_t)bodies;
  size_t numbers = (size_t)forces->numbers;
  if (n > INT_MAX / numbers || !pc_array_reserve(&forces->given, (int)(numbers * n)))
    return false;
  memset(forces->given.at + numbers * known, 0, numbers * sizeof(double) * (n - known));
  forces->given_bodies = bodies;
  return true;
}

void pc_forces_set_given(pc_forces *forces, const pc_body_store *bodies, pc_body first, int count,
                         const double (*given)[6])
{
  const size_t numbers = (size_t)forces->numbers;
  for (int k = 0; k < count; k++) {
    const double *force = given[k];
    double *to =
        forces->given.at + numbers * (size_t)pc_bodies_slot(bodies, (pc_body){first.id + k});
    if (numbers == 3)
      to[0] = force[0], to[1] = force[1], to[2] = force[5];
    else
      memcpy(to, force, 6 * sizeof *to);
  }
}

bool pc_forces_reserve_order(pc_forces *forces, int bodies)
{
  return forces->given_bodies == 0 || pc_forces_reserve_given(forces, bodies);
}

void pc_forces_reorder(pc_forces *forces, int bodies, const int *from, const int *to, char *room)
{
  if (forces->given_bodies > 0)
    pc_reorder(forces->given.at, sizeof(double) * (size_t)forces->numbers, bodies, from, room);
  for (int i = 0; i < forces->load.count; i++)
    forces->load.at[i].body = to[forces->load.at[i].body];
}

pc_status pc_forces_report_infinite(const pc_body_store *bodies, int i, pc_error *error)
{
  return pc_fail(error, PC_ERROR_NUMERIC, "the force on body %d is not finite",
                 pc_bodies_number(bodies, i).id);
}

typedef struct load_job {
  pc_forces *forces;
  const pc_body_store *bodies;
  double h;
} load_job;

static void load_given_range(void *context, int begin, int end, int worker)
{
  const load_job *job = context;
  for (int i = begin; i < end; i++)
    pc_forces_given_percussion(job->forces, job->bodies, i, job->h, job->forces->loaded.at[i]);
}

static void load_guided(pc_forces *forces, const pc_body_store *bodies, double h)
{
  for (int i = 0; i < bodies->count && bodies->guided > 0; i++) {
    const pc_solid *body = &bodies->solid.at[i];
    for (int k = 0; k < 3 && body->kind == PC_GUIDED && body->mass > 0; k++)
      forces->loaded.at[i][k] += h * body->form->load * body->form->guide[k];
  }
}

// The caller's functions are called one after the other, in the order of the numbers of bodies:
// they may not be safe on several threads.
static void load_callbacks(pc_forces *forces, const pc_body_store *bodies, double h, double middle)
{
  for (int id = 1; id <= bodies->count && forces->callback.count > 0; id++) {
    pc_body body = {id};
    int i = pc_bodies_slot(bodies, body);
    if (bodies->solid.at[i].mass == 0 || bodies->solid.at[i].absent)
      continue;
    for (int f = 0; f < forces->callback.count; f++) {
      const pc_force_entry *entry = &forces->callback.at[f];
      double force[6] = {0};
      entry->force(entry->context, middle, body, &bodies->state.at[i], force);
      for (int k = 0; k < 6; k++)
        forces->loaded.at[i][k] += h * force[k];
    }
  }
}

static void load_loads(pc_forces *forces, double h, double middle)
{
  for (int l = 0; l < forces->load.count; l++) {
    const pc_load *load = &forces->load.at[l];
    double size = load->signal.kind == PC_SIGNAL_NONE ? 1 : pc_signal_value(&load->signal, middle);
    for (int k = 0; k < 6; k++)
      forces->loaded.at[load->body][k] += h * size * load->force[k];
  }
}

pc_status pc_forces_load(pc_forces *forces, const pc_body_store *bodies, double time, double h,
                         int threads, pc_error *error)
{
  double middle = time + 0.5 * h;
  load_job job = {forces, bodies, h};
  if (!pc_forces_act(forces, bodies))
    return PC_OK;
  pc_parallel(threads, bodies->count, 1000, load_given_range, &job);
  load_guided(forces, bodies, h);
  load_callbacks(forces, bodies, h, middle);
  load_loads(forces, h, middle);
  bool may_be_infinite =
      forces->callback.count > 0 || forces->load.count > 0 || forces->given_bodies > 0;
  for (int i = 0; i < bodies->count && may_be_infinite; i++)
    if (!all_finite(forces->loaded.at[i]))
      return pc_forces_report_infinite(bodies, i, error);
  return PC_OK;
}
