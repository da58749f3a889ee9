// The beginning of a step: bodies move freely to its middle, forces are taken there, and bodies get
// the velocities they would have without contacts.

#include "core/threads.h"
#include "rigid/discs.h"

enum { GRAIN = 100 }; // bodies that are worth a thread

pc_status pc_step_wake(const pc_step *step, bool *any)
{
  pc_world *world = step->world;
  if (pc_sleep_wake(&world->sleep, &world->bodies, &world->contacts, any))
    return PC_OK;
  return pc_world_out_of_memory(world);
}

typedef struct begin_job {
  const pc_step *step;
  int disc;                  // from there on all are: discs.h
  int lost[PC_MOST_THREADS]; // per worker: the first body whose force is not finite, + 1
} begin_job;

static void note_lost(begin_job *job, int i, int worker)
{
  if (job->lost[worker] == 0 || i < job->lost[worker])
    job->lost[worker] = i + 1;
}

static void advance_half(void *context, int begin, int end, int worker)
{
  const pc_step *step = ((begin_job *)context)->step;
  pc_bodies_advance(&step->world->bodies, begin, end, 0.5 * step->h,
                    step->world->def.constant_spin);
}

static bool is_finite(const double six[6])
{
  double none = 0; // or not a number
  for (int k = 0; k < 6; k++)
    none += six[k] - six[k];
  return none == 0;
}

static void set_free_velocities(void *context, int begin, int end, int worker)
{
  begin_job *job = context;
  const pc_body_store *bodies = &job->step->world->bodies;
  for (int i = begin; i < end; i++) {
    if (pc_bodies_is_idle(bodies, i))
      continue;
    double room[6];
    const double *external = pc_step_make_external(job->step, i, room);
    pc_body_free_velocity(&bodies->solid.at[i], &bodies->state.at[i], external,
                          job->step->search.free[i]);
    if (!is_finite(external))
      note_lost(job, i, worker);
  }
}

static void begin_range(void *context, int begin, int end, int worker)
{
  begin_job *job = context;
  for (int i = begin, last; i < end; i = last) {
    last = pc_discs_range_end(i, end, job->disc);
    if (i >= job->disc) {
      int lost = pc_discs_begin(job->step, i, last, worker);
      if (lost >= 0)
        note_lost(job, lost, worker);
      continue;
    }
    advance_half(context, i, last, worker);
    set_free_velocities(context, i, last, worker);
    pc_detection_place((void *)&job->step->search, i, last, worker);
  }
}

// The first force found that is not finite, whatever the number of workers.
static pc_status report_lost(const begin_job *job)
{
  pc_world *world = job->step->world;
  int lost = 0;
  for (int w = 0; w < PC_MOST_THREADS; w++)
    if (job->lost[w] > 0 && (lost == 0 || job->lost[w] < lost))
      lost = job->lost[w];
  return lost > 0 ? pc_forces_report_infinite(&world->bodies, lost - 1, &world->error) : PC_OK;
}

// All in one go, outlines too.
static pc_status begin_at_once(begin_job *job)
{
  const pc_step *step = job->step;
  pc_world *world = step->world;
  if (!pc_detection_open(&step->search))
    return pc_world_out_of_memory(world);
  job->disc = pc_discs_first(step);
  pc_parallel(step->threads, world->bodies.count, GRAIN, begin_range, job);
  return report_lost(job);
}

static void place_driven(const pc_step *step)
{
  const pc_body_store *bodies = &step->world->bodies;
  double now = step->world->clock.time, h = step->h;
  for (int i = 0; i < bodies->count && bodies->driven > 0; i++)
    if (bodies->solid.at[i].kind == PC_DRIVEN) {
      pc_course *course = bodies->solid.at[i].form->course;
      pc_course_place_between(course, now, now + h, &bodies->state.at[i]);
      pc_course_place(course, now + 1.5 * h, &course->next);
    }
}

pc_status pc_step_begin_bodies(pc_step *step, bool *placed)
{
  pc_world *world = step->world;
  begin_job job = {.step = step};
  // Callbacks see all bodies at the middle of the step.
  *placed = world->bodies.driven == 0 && (!step->has_loads || step->given_loads);
  if (*placed)
    return begin_at_once(&job);
  pc_parallel(step->threads, world->bodies.count, GRAIN, advance_half, &job);
  place_driven(step);
  pc_status status = PC_OK;
  if (!step->given_loads)
    status = pc_forces_load(&world->forces, &world->bodies, world->clock.time, step->h,
                            step->threads, &world->error);
  if (status != PC_OK)
    return status;
  if (pc_world_can_sleep(world) && step->has_loads)
    pc_sleep_compare_forces(&world->sleep, &world->bodies, world->forces.loaded.at, step->h);
  bool any;
  status = pc_step_wake(step, &any);
  pc_parallel(step->threads, world->bodies.count, GRAIN, set_free_velocities, &job);
  return status == PC_OK ? report_lost(&job) : status;
}
