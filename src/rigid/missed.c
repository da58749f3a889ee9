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
  pc_step_velocity_after(missed->search, missed->problem, i, six);
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

// Whether a contact that was near closes now. A little is left to pushing out. Its bodies are
// marked: several threads may do it at a time.
static inline bool closes(const missed_job *missed, const int body[2], const double *point,
                          const double *normal, double gap)
{
  const pc_detection *search = missed->search;
  const pc_solid *solid = search->bodies->solid.at;
  int a = body[0], b = body[1];
  double first[6], second[6];
  velocity_after(missed, a, first);
  velocity_after(missed, b, second);
  double speed = pc_separation_speed(search, a, b, first, second, point, normal);
  double one = search->outlines->body.at[a].ball, two = search->outlines->body.at[b].ball;
  if (!(one > 0 && two > 0))
    one = solid[a].radius, two = solid[b].radius;
  double little = missed->spare * (one < two ? one : two);
  if (!pc_contact_acts(search, gap + little, speed, speed, 0))
    return false;
  for (int k = 0; k < 2; k++)
    __atomic_store_n(&search->struck[body[k]], 1, __ATOMIC_RELAXED);
  return true;
}

static bool find_closing(const missed_job *missed, const pc_near *from, int count)
{
  bool any = false;
  for (const pc_near *near = from; near < from + count; near++)
    any |= closes(missed, near->body, near->point, near->normal, near->gap);
  return any;
}

static bool find_closing_balls(const missed_job *missed, const pc_near_balls *from, int count)
{
  enum { AHEAD = 16 }; // they are in the order of their first bodies: the second may be anywhere
  const pc_detection *search = missed->search;
  const pc_outline *outline = search->outlines->body.at;
  const pc_place *place = search->outlines->place.at;
  bool any = false;
  for (int i = 0; i < count; i++) {
    int a = from[i].body[0], b = from[i].body[1];
    pc_contact_point at;
    __builtin_prefetch(&place[from[i + AHEAD < count ? i + AHEAD : i].body[1]]);
    if (pc_balls_touch(place[a].position, outline[a].ball, place[b].position, outline[b].ball,
                       INFINITY, search->dimension - 1, &at))
      any |= closes(missed, from[i].body, at.point, at.normal, at.gap);
  }
  return any;
}

// Numbers run through the lists of all workers.
static void find_all_closing(void *context, int begin, int end, int worker)
{
  missed_job *missed = context;
  const pc_contact_set *contacts = missed->search->contacts;
  for (int i = 0; i < 2 * contacts->finding.count && end > 0; i++) {
    const pc_finding *finding = &contacts->finding.at[i / 2];
    bool balls = i % 2 != 0;
    int count = balls ? finding->near_balls.count : finding->near.count;
    int from = begin > 0 ? begin : 0, to = end < count ? end : count;
    begin -= count;
    end -= count;
    if (from < to && (balls ? find_closing_balls(missed, finding->near_balls.at + from, to - from)
                            : find_closing(missed, finding->near.at + from, to - from)))
      missed->closes[worker] = true;
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
    near += search->contacts->finding.at[i].near.count +
            search->contacts->finding.at[i].near_balls.count;
  pc_parallel(search->threads, near, NEAR_GRAIN, find_all_closing, &missed);
  for (int i = 0; i < PC_MOST_THREADS; i++)
    any = any || missed.closes[i];
  if (any)
    pc_parallel(search->threads, search->bodies->count, GRAIN, note_velocities, &missed);
  return any;
}
