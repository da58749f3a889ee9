// Contacts that were missed: after the solve bodies may reach others that were not searched, or
// that were near and did not act.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "core/threads.h"
#include "rigid/step.h"

typedef struct missed_job {
  const pc_detection *search;
  const pc_problem *problem;
  double spare;                 // how deep bodies may get, in their radii; pushing out mends it
  bool any[PC_PIECES];          // per piece of the bodies
  bool closes[PC_MOST_THREADS]; // per worker
} missed_job;

// The velocity of a body after the solve.
static inline void velocity_after(const missed_job *missed, int i, double six[6])
{
  if (missed->problem->index.at[i] < 0)
    memcpy(six, missed->search->free[i], sizeof missed->search->free[i]);
  else
    pc_problem_velocity(missed->problem, missed->search->bodies, i, six);
}

// Bodies that come out so much faster than they went in that contacts they may reach were not
// looked for.
static bool is_struck(const missed_job *missed, int i)
{
  const pc_detection *search = missed->search;
  const pc_outline *outline = &search->outlines->body.at[i];
  if (missed->problem->index.at[i] < 0 || search->outlines->fixed.at[i] == PC_BOX_ABSENT ||
      pc_bodies_is_asleep(search->bodies, i))
    return false;
  double after[6], radius = outline->ball > 0 ? outline->ball : search->bodies->solid.at[i].radius;
  pc_problem_velocity(missed->problem, search->bodies, i, after);
  double speed = sqrt(pc_dot3(after, after));
  if (!(outline->ball > 0))
    speed += sqrt(pc_dot3(after + 3, after + 3)) * radius;
  // A wall without end has no radius: its contacts are found whatever its speed.
  return search->h * speed > outline->reach + 2 * missed->spare * radius;
}

static void find_struck(void *context, int begin, int end, int worker)
{
  missed_job *missed = context;
  const pc_detection *search = missed->search;
  int bodies = search->bodies->count;
  for (int piece = begin; piece < end; piece++) {
    bool any = false;
    for (int i = pc_piece_begin(bodies, piece); i < pc_piece_begin(bodies, piece + 1); i++) {
      search->struck[i] = is_struck(missed, i);
      any = any || search->struck[i];
    }
    missed->any[piece] = any;
  }
}

// Contacts that were near and close now. A little is left to pushing out.
static bool find_closing(const missed_job *missed, const pc_near *from, int count)
{
  const pc_detection *search = missed->search;
  const pc_solid *solid = search->bodies->solid.at;
  bool any = false;
  for (const pc_near *near = from; near < from + count; near++) {
    int a = near->body[0], b = near->body[1];
    double first[6], second[6];
    velocity_after(missed, a, first);
    velocity_after(missed, b, second);
    double speed = pc_separation_speed(search, a, b, first, second, near->point, near->normal);
    double one = search->outlines->body.at[a].ball, two = search->outlines->body.at[b].ball;
    if (!(one > 0 && two > 0))
      one = solid[a].radius, two = solid[b].radius;
    double little = missed->spare * (one < two ? one : two);
    if (!pc_contact_acts(search, near->gap + little, speed, speed, 0))
      continue;
    any = true;
    for (int k = 0; k < 2; k++) // several threads may do it at a time
      __atomic_store_n(&search->struck[near->body[k]], 1, __ATOMIC_RELAXED);
  }
  return any;
}

// Numbers run through the lists of all workers.
static void find_all_closing(void *context, int begin, int end, int worker)
{
  missed_job *missed = context;
  const pc_contact_set *contacts = missed->search->contacts;
  for (int i = 0; i < contacts->finding.count && end > 0; i++) {
    int count = contacts->finding.at[i].near.count, from = begin > 0 ? begin : 0;
    int to = end < count ? end : count;
    if (from < to && find_closing(missed, contacts->finding.at[i].near.at + from, to - from))
      missed->closes[worker] = true;
    begin -= count;
    end -= count;
  }
}

static void note_velocities(void *context, int begin, int end, int worker)
{
  const missed_job *missed = context;
  for (int i = begin; i < end; i++)
    if (!pc_bodies_is_idle(missed->search->bodies, i))
      velocity_after(missed, i, missed->search->previous[i]);
}

bool pc_missed_any(const pc_detection *search, const pc_problem *problem, bool only_deep)
{
  enum { GRAIN = 200, NEAR_GRAIN = 100 };
  missed_job missed = {.search = search, .problem = problem};
  if (search->looks != PC_LOOK_UNTIL_NONE_IS_MISSING)
    missed.spare = only_deep ? 0.2 : 0.01;
  int pieces = pc_pieces(search->bodies->count), near = 0;
  bool any = false;
  pc_parallel(search->threads, pieces, 2, find_struck, &missed);
  for (int i = 0; i < pieces; i++)
    any = any || missed.any[i];
  for (int i = 0; i < search->contacts->finding.count; i++)
    near += search->contacts->finding.at[i].near.count;
  pc_parallel(search->threads, near, NEAR_GRAIN, find_all_closing, &missed);
  for (int i = 0; i < PC_MOST_THREADS; i++)
    any = any || missed.closes[i];
  if (any)
    pc_parallel(search->threads, search->bodies->count, GRAIN, note_velocities, &missed);
  return any;
}
