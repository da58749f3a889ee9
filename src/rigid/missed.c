// Contacts that were missed: after the solve bodies may reach what was not looked for, or what was
// near and did not act.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "core/threads.h"
#include "rigid/contacts.h"

// How fast a point of a body goes along a normal; `arm` is from the body's position to it.
static inline double point_speed(const double *velocity, const double *spin, const double *arm,
                                 const double *normal)
{
  double x = velocity[0] + (spin[1] * arm[2] - spin[2] * arm[1]);
  double y = velocity[1] + (spin[2] * arm[0] - spin[0] * arm[2]);
  double z = velocity[2] + (spin[0] * arm[1] - spin[1] * arm[0]);
  return x * normal[0] + y * normal[1] + z * normal[2];
}

// Of two balls along the line of their centres: their spins do not count.
static inline double ball_speed(const double *first, const double *second, const double *normal)
{
  return (first[0] - second[0]) * normal[0] + (first[1] - second[1]) * normal[1] +
         (first[2] - second[2]) * normal[2];
}

// How fast two bodies with these velocities go apart at a point.
static inline double speed_apart(const pc_world *world, int a, int b, const double first[6],
                                 const double second[6], const double *point, const double *normal)
{
  double one[3], two[3];
  if (world->outlines.body.at[a].ball > 0 && world->outlines.body.at[b].ball > 0)
    return ball_speed(first, second, normal);
  pc_contact_arm(world->bodies.state.at[a].position, point, one);
  pc_contact_arm(world->bodies.state.at[b].position, point, two);
  return point_speed(first, first + 3, one, normal) - point_speed(second, second + 3, two, normal);
}

double pc_contact_last_speed(const pc_world *world, int a, int b, const double *point,
                             const double *normal)
{
  return speed_apart(world, a, b, world->scratch.previous.at[a], world->scratch.previous.at[b],
                     point, normal);
}

// The velocity of a body after the solve.
static inline void velocity_after(const pc_world *world, int i, double six[6])
{
  if (world->problem.index.at[i] < 0)
    memcpy(six, world->scratch.free.at[i], sizeof world->scratch.free.at[i]);
  else
    pc_problem_velocity(world, i, six);
}

typedef struct missed_job {
  pc_contacts_job job;
  double spare;                 // how deep bodies may get, in their radii; pushing out mends it
  bool any[PC_PIECES];          // per piece of the bodies
  bool closes[PC_MOST_THREADS]; // per worker
} missed_job;

// Bodies that come out so much faster than they went in that contacts they may reach were not
// looked for.
static bool is_struck(const missed_job *missed, int i)
{
  const pc_world *world = missed->job.world;
  const pc_outline *outline = &world->outlines.body.at[i];
  if (world->problem.index.at[i] < 0 || world->outlines.fixed.at[i] == PC_BOX_ABSENT ||
      pc_is_asleep(world, i))
    return false;
  double after[6], radius = outline->ball > 0 ? outline->ball : world->bodies.solid.at[i].radius;
  pc_problem_velocity(world, i, after);
  double speed = sqrt(pc_dot3(after, after));
  if (!(outline->ball > 0))
    speed += sqrt(pc_dot3(after + 3, after + 3)) * radius;
  // A wall without end has no radius: its contacts are found whatever its speed.
  return missed->job.h * speed > outline->reach + 2 * missed->spare * radius;
}

static void find_struck(void *context, int begin, int end, int worker)
{
  missed_job *missed = context;
  pc_world *world = missed->job.world;
  for (int piece = begin; piece < end; piece++) {
    bool any = false;
    for (int i = pc_piece_begin(world->bodies.count, piece);
         i < pc_piece_begin(world->bodies.count, piece + 1); i++) {
      world->scratch.struck.at[i] = is_struck(missed, i);
      any = any || world->scratch.struck.at[i];
    }
    missed->any[piece] = any;
  }
}

// Contacts that were near and close now. A little is left to pushing out.
static bool find_closing(const missed_job *missed, const pc_near *from, int count)
{
  const pc_contacts_job *job = &missed->job;
  pc_world *world = job->world;
  bool any = false;
  for (const pc_near *near = from; near < from + count; near++) {
    int a = near->body[0], b = near->body[1];
    double first[6], second[6];
    velocity_after(world, a, first);
    velocity_after(world, b, second);
    double speed = speed_apart(world, a, b, first, second, near->point, near->normal);
    double one = world->outlines.body.at[a].ball, two = world->outlines.body.at[b].ball;
    if (!(one > 0 && two > 0))
      one = world->bodies.solid.at[a].radius, two = world->bodies.solid.at[b].radius;
    double little = missed->spare * (one < two ? one : two);
    if (!pc_contact_acts(job, near->gap + little, speed, speed, 0))
      continue;
    any = true;
    for (int k = 0; k < 2; k++) // several threads may do it at a time
      __atomic_store_n(&world->scratch.struck.at[near->body[k]], 1, __ATOMIC_RELAXED);
  }
  return any;
}

// Numbers go through the lists of all findings.
static void find_all_closing(void *context, int begin, int end, int worker)
{
  missed_job *missed = context;
  const pc_world *world = missed->job.world;
  for (int i = 0; i < world->contacts.finding.count && end > 0; i++) {
    int count = world->contacts.finding.at[i].near.count, from = begin > 0 ? begin : 0;
    int to = end < count ? end : count;
    if (from < to && find_closing(missed, world->contacts.finding.at[i].near.at + from, to - from))
      missed->closes[worker] = true;
    begin -= count;
    end -= count;
  }
}

// For those who look again.
static void note_last(void *context, int begin, int end, int worker)
{
  const pc_world *world = ((missed_job *)context)->job.world;
  for (int i = begin; i < end; i++)
    if (!pc_is_idle(world, i))
      velocity_after(world, i, world->scratch.previous.at[i]);
}

bool pc_contacts_missed(pc_world *world, double h, bool only_deep)
{
  enum { GRAIN = 200, NEAR_GRAIN = 100 };
  missed_job missed = {.job = pc_contacts_job_start(world, h)};
  if (world->def.looks != PC_LOOK_UNTIL_NONE_IS_MISSING)
    missed.spare = only_deep ? 0.2 : 0.01;
  int pieces = pc_pieces(world->bodies.count), threads = pc_world_threads(world);
  bool any = false;
  pc_parallel(threads, pieces, 2, find_struck, &missed);
  for (int i = 0; i < pieces; i++)
    any = any || missed.any[i];
  int near = 0;
  for (int i = 0; i < world->contacts.finding.count; i++)
    near += world->contacts.finding.at[i].near.count;
  pc_parallel(threads, near, NEAR_GRAIN, find_all_closing, &missed);
  for (int i = 0; i < PC_MOST_THREADS; i++)
    any = any || missed.closes[i];
  if (any)
    pc_parallel(threads, world->bodies.count, GRAIN, note_last, &missed);
  return any;
}
