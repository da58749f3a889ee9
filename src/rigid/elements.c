// The list of springs, nets and strings: their rows in a step, and what they store.
#include "rigid/elements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/threads.h"
#include "rigid/pieces.h"

// Bodies that are worked on one by one: all of a net, of other elements one stands for all.
static int entries_of(const pc_force_element *element)
{
  return element->kind == PC_ELEMENT_NET ? element->count : 1;
}

int pc_elements_add(pc_elements *elements, const pc_force_element *element, pc_error *error)
{
  int entries = elements->entries + entries_of(element);
  if (!pc_array_reserve(&elements->list, elements->list.count + 1) ||
      !pc_array_reserve(&elements->energy, entries)) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  elements->list.at[elements->list.count] = *element;
  elements->entries = entries;
  return elements->list.count++;
}

void pc_elements_free(pc_elements *elements)
{
  for (int i = 0; i < elements->list.count; i++) {
    free(elements->list.at[i].bodies);
    free(elements->list.at[i].part);
  }
  for (int i = 0; i < PC_PIECES && elements->found != NULL; i++)
    pc_array_free(&elements->found[i]);
  free(elements->found);
  pc_array_free(&elements->list);
  pc_array_free(&elements->bond);
  pc_array_free(&elements->row);
  pc_array_free(&elements->energy);
}

bool pc_elements_hold(const pc_elements *elements, int body)
{
  for (int e = 0; e < elements->list.count; e++) {
    const pc_force_element *element = &elements->list.at[e];
    if (element->kind == PC_ELEMENT_SPRING && element->body == body)
      return true;
    for (int k = 0; k < element->count; k++)
      if (element->bodies[k] == body)
        return true;
  }
  return false;
}

void pc_elements_reorder(pc_elements *elements, const int *to)
{
  for (int e = 0; e < elements->list.count; e++) {
    pc_force_element *element = &elements->list.at[e];
    element->body = element->kind == PC_ELEMENT_SPRING ? to[element->body] : element->body;
    for (int i = 0; i < element->count; i++)
      element->bodies[i] = to[element->bodies[i]];
  }
}

pc_status pc_elements_begin(pc_elements *elements, const pc_body_store *bodies, int dimension,
                            double h, int threads, pc_error *error)
{
  if (elements->list.count == 0)
    return PC_OK;
  if (elements->reserved != elements->list.count) // new elements may give back what they store
    pc_elements_stored(elements, bodies, dimension, threads);
  for (int e = elements->reserved; e < elements->list.count; e++)
    pc_reserve_begin(&elements->list.at[e], bodies, dimension);
  elements->reserved = elements->list.count;
  return pc_reserve_judge(elements, bodies, dimension, h, error);
}

// Work on the entries of all elements, one after the other, in pieces.
typedef struct element_job {
  pc_elements *elements;
  const pc_body_store *bodies;
  int dimension;
  int count; // of entries
  double h;  // 0: energies are looked for, not rows
  bool failed[PC_PIECES];
} element_job;

// The element of an entry, and its body in it.
static int find_entry(const pc_elements *elements, int at, int *body)
{
  int e = 0;
  for (; at >= entries_of(&elements->list.at[e]); e++)
    at -= entries_of(&elements->list.at[e]);
  *body = at;
  return e;
}

static bool add_rows(const element_job *job, int number, int body, pc_stiff_list *list)
{
  const pc_elements *elements = job->elements;
  switch (elements->list.at[number].kind) {
  case PC_ELEMENT_SPRING:
    return pc_spring_add_rows(elements, job->bodies, number, list);
  case PC_ELEMENT_STRING:
    return pc_string_add_rows(elements, job->bodies, number, job->h, list);
  default:
    return pc_net_add_rows(elements, job->bodies, number, body, job->h, job->dimension, list);
  }
}

static double entry_energy(const element_job *job, const pc_force_element *element, int body)
{
  switch (element->kind) {
  case PC_ELEMENT_SPRING:
    return pc_spring_energy(job->bodies, element);
  case PC_ELEMENT_STRING:
    return pc_string_energy(job->bodies, element);
  default:
    break;
  }
  double energy = 0;
  for (int side = 0; side < 2 * job->dimension; side++)
    energy += pc_net_energy(job->bodies, element, body, side);
  return energy;
}

static void visit_pieces(void *context, int begin, int end, int worker)
{
  element_job *job = context;
  const pc_elements *elements = job->elements;
  for (int piece = begin; piece < end; piece++) {
    int last = pc_piece_begin(job->count, piece + 1), at = pc_piece_begin(job->count, piece), i;
    bool found = true;
    if (job->h > 0)
      elements->found[piece].count = 0;
    for (int e = find_entry(elements, at, &i); at < last && found; at++, i++) {
      if (i == entries_of(&elements->list.at[e])) {
        e++;
        i = 0;
      }
      if (job->h > 0)
        found = add_rows(job, e, i, &elements->found[piece]);
      else
        elements->energy.at[at] = entry_energy(job, &elements->list.at[e], i);
    }
    job->failed[piece] = !found;
  }
}

// No two rows draw on one reserve.
static void limit_rows(void *context, int begin, int end, int worker)
{
  const element_job *job = context;
  for (int s = begin; s < end; s++)
    pc_reserve_limit(job->elements, job->bodies, job->h, &job->elements->row.at[s]);
}

static void move_nets(pc_elements *elements, const pc_body_store *bodies)
{
  for (int e = 0; e < elements->list.count; e++)
    pc_net_move(bodies, &elements->list.at[e]);
}

pc_status pc_elements_find_rows(pc_elements *elements, const pc_body_store *bodies, int dimension,
                                double h, int threads, pc_error *error)
{
  element_job job = {.elements = elements,
                     .bodies = bodies,
                     .dimension = dimension,
                     .count = elements->entries,
                     .h = h};
  int pieces = pc_pieces(job.count);
  elements->row.count = 0;
  if (job.count == 0)
    return PC_OK;
  if (elements->found == NULL)
    elements->found = calloc(PC_PIECES, sizeof *elements->found);
  if (elements->found == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  move_nets(elements, bodies);
  pc_parallel(threads, pieces, 1, visit_pieces, &job);
  for (int i = 0; i < pieces; i++) {
    const pc_stiff_list *list = &elements->found[i];
    if (job.failed[i] || !pc_array_reserve(&elements->row, elements->row.count + list->count))
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    if (list->count > 0)
      memcpy(elements->row.at + elements->row.count, list->at,
             sizeof(pc_stiff) * (size_t)list->count);
    elements->row.count += list->count;
  }
  pc_parallel(threads, elements->row.count, 500, limit_rows, &job);
  return PC_OK;
}

double pc_elements_stored(pc_elements *elements, const pc_body_store *bodies, int dimension,
                          int threads)
{
  element_job job = {
      .elements = elements, .bodies = bodies, .dimension = dimension, .count = elements->entries};
  double sum = 0;
  int at = 0;
  if (job.count == 0)
    return 0;
  move_nets(elements, bodies);
  pc_parallel(threads, pc_pieces(job.count), 1, visit_pieces, &job);
  for (int e = 0; e < elements->list.count; e++) {
    pc_force_element *element = &elements->list.at[e];
    element->energy = 0;
    for (int i = 0; i < entries_of(element); i++)
      element->energy += elements->energy.at[at++];
    sum += element->energy;
  }
  return sum;
}

// What the percussion of an element gave that its law does not: the solver's tolerance, which for
// stiff ones may be more than they store.
static double given_beyond(const pc_stiff *stiff, const pc_body_store *bodies,
                           const pc_problem *problem, double damped, double (*velocity)[6])
{
  if (stiff->interaction < 0)
    return 0;
  double taken = stiff->counted;
  if (damped != 0)
    taken += damped * pc_stiff_rate(stiff, bodies, 0, velocity);
  return fmax(0, taken - pc_impact_dissipated(problem->impact, stiff->interaction));
}

double pc_elements_work(pc_elements *elements, const pc_body_store *bodies,
                        const pc_problem *problem, const pc_six *mean, double h, double *counted)
{
  double work = 0;
  *counted = 0;
  for (int e = 0; e < elements->list.count; e++) {
    memset(elements->list.at[e].force, 0, sizeof elements->list.at[e].force);
    elements->list.at[e].work = 0;
    work += pc_net_reaction_work(&elements->list.at[e], bodies, mean);
  }
  for (int s = 0; s < elements->row.count; s++) {
    pc_stiff *stiff = &elements->row.at[s];
    double velocity[2][6], weight = 0.5 * h * h * stiff->stiffness, rate[3], own = 0, push[6] = {0};
    stiff->counted = 0;
    for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
      memcpy(velocity[b], mean[stiff->body[b]], sizeof velocity[b]);
    const pc_solid *first = &bodies->solid.at[stiff->body[0]];
    for (int r = 0; r < stiff->rows; r++) {
      rate[r] = pc_stiff_rate(stiff, bodies, r, velocity);
      own -= h * stiff->force[r] * rate[r];
      for (int k = 0; k < first->dof; k++)
        push[k] -= stiff->force[r] * stiff->row[0][r * first->dof + k];
    }
    work += own;
    for (int r = 0; r < stiff->rows; r++) {
      double change = weight * rate[r] * (stiff->before[r] - rate[r]);
      work += change;
      own += change;
      stiff->counted += weight * rate[r] * rate[r];
      for (int k = 0; k < first->dof; k++)
        push[k] += weight / h * (stiff->before[r] - rate[r]) * stiff->row[0][r * first->dof + k];
    }
    double pull = stiff->damping > 0 ? stiff->damping * rate[0] : 0;
    // What a face that goes out takes along is work on the net, not on the body.
    if (stiff->element >= 0 && elements->list.at[stiff->element].moves)
      own -= pc_net_going(&elements->list.at[stiff->element], stiff) *
             (weight * (stiff->before[0] - rate[0]) - h * stiff->force[0]);
    for (int k = 0; k < first->dof; k++)
      push[k] -= pull * stiff->row[0][k];
    *counted += stiff->counted;
    if (stiff->element >= 0) {
      double six[6];
      pc_body_from_dof(first, push, six);
      for (int k = 0; k < 3; k++)
        elements->list.at[stiff->element].force[k] += six[k];
      stiff->work = own + given_beyond(stiff, bodies, problem, h * pull, velocity);
      elements->list.at[stiff->element].work += stiff->work;
    }
  }
  for (int e = 0; e < elements->list.count; e++)
    pc_net_owe(&elements->list.at[e], h);
  return work;
}
