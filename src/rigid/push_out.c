// Overlaps are pushed out by moving bodies, not by giving them velocities: nothing is thrown, and
// the impact problem of the step does not have to move a whole heap to mend one contact.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "rigid/world.h"

enum { SWEEPS = 10 };

// What a pair asks for along one normal, and all that a sweep reads of it: a line of memory.
typedef struct pc_squeeze {
  int body[2];
  double wanted; // opening; if negative, what it may close
  double press;
  double normal[3];
  double give[2]; // how much the bodies give way along the normal: 1/m, or nothing
} pc_squeeze;

// How far a body is pushed out.
typedef struct pc_way {
  double by[3];
  bool open; // it is
  bool guided;
} pc_way;

typedef struct squeeze_job {
  pc_world *world;
  double fall, part;
  int count[PC_PIECES];
  bool any[PC_PIECES];
} squeeze_job;

static double give(const pc_solid *body, const double *normal)
{
  if (body->kind != PC_GUIDED)
    return body->inverse_mass;
  double along = pc_dot3(body->guide, normal);
  return along * along * body->inverse_mass;
}

// Overlaps up to what falling makes in one step, or a thousandth of the body, are left alone. Of
// the others a part is to go, as if on the way to half of that: so they arrive, and rest.
static double wanted_of(const squeeze_job *job, const pc_touch *touch)
{
  const pc_solid *body = job->world->body;
  double one = body[touch->body[0]].radius, two = body[touch->body[1]].radius;
  double slop = 1e-3 * (one < two ? one : two);
  slop = job->fall < slop ? job->fall : slop;
  double depth = -touch->gap - slop;
  return depth > 0 ? job->part * (depth + 0.5 * slop) : depth;
}

static bool is_same(const pc_squeeze *squeeze, const pc_touch *touch)
{
  return squeeze->body[0] == touch->body[0] && squeeze->body[1] == touch->body[1] &&
         squeeze->normal[0] == touch->normal[0] && squeeze->normal[1] == touch->normal[1] &&
         squeeze->normal[2] == touch->normal[2];
}

// Bodies do not turn here: of the points of a pair with one normal only the deepest counts.
static void set_squeezes(void *context, int begin, int end, int worker)
{
  squeeze_job *job = context;
  pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    int first = pc_piece_begin(world->touches, piece), count = 0;
    pc_squeeze *list = world->squeeze + first;
    job->any[piece] = false;
    for (int t = first; t < pc_piece_begin(world->touches, piece + 1); t++) {
      const pc_touch *touch = &world->touch[t];
      double wanted = wanted_of(job, touch);
      job->any[piece] = job->any[piece] || wanted > 0;
      if (count > 0 && is_same(&list[count - 1], touch)) {
        if (wanted > list[count - 1].wanted)
          list[count - 1].wanted = wanted;
        continue;
      }
      const pc_solid *a = &world->body[touch->body[0]], *b = &world->body[touch->body[1]];
      pc_squeeze *squeeze = &list[count++];
      *squeeze = (pc_squeeze){.body = {touch->body[0], touch->body[1]},
                              .wanted = wanted,
                              .give = {give(a, touch->normal), give(b, touch->normal)}};
      memcpy(squeeze->normal, touch->normal, sizeof squeeze->normal);
    }
    job->count[piece] = count;
  }
}

static void clear_ways(pc_world *world)
{
  memset(world->way, 0, sizeof *world->way * (size_t)world->bodies);
  for (int i = 0; i < world->bodies; i++)
    world->way[i].guided = world->outline[i].kind == PC_GUIDED;
}

static void shift(const pc_world *world, int i, const double *normal, double gives, double by)
{
  pc_way *way = &world->way[i];
  if (gives == 0)
    return;
  if (way->guided) {
    const pc_solid *body = &world->body[i];
    by *= pc_dot3(body->guide, normal);
    normal = body->guide;
    gives = body->inverse_mass;
  }
  way->open = true;
  for (int k = 0; k < 3; k++)
    way->by[k] += by * gives * normal[k];
}

// False if nothing changes.
static bool relax(const pc_world *world, pc_squeeze *squeeze)
{
  const pc_way *first = &world->way[squeeze->body[0]], *second = &world->way[squeeze->body[1]];
  double weight = squeeze->give[0] + squeeze->give[1], opened = 0;
  if (!(squeeze->wanted > 0 || first->open || second->open) || !(weight > 0))
    return false;
  for (int k = 0; k < 3; k++)
    opened += squeeze->normal[k] * (first->by[k] - second->by[k]);
  double press = squeeze->press + (squeeze->wanted - opened) / weight;
  press = press > 0 ? press : 0;
  double more = press - squeeze->press;
  squeeze->press = press;
  if (more == 0)
    return false;
  shift(world, squeeze->body[0], squeeze->normal, squeeze->give[0], more);
  shift(world, squeeze->body[1], squeeze->normal, squeeze->give[1], -more);
  return true;
}

static void relax_all(pc_world *world, const squeeze_job *job)
{
  bool changed = true;
  for (int sweep = 0; sweep < SWEEPS && changed; sweep++) {
    changed = false;
    for (int piece = 0; piece < pc_pieces(world->touches); piece++) {
      pc_squeeze *list = world->squeeze + pc_piece_begin(world->touches, piece);
      for (int i = 0; i < job->count[piece]; i++)
        changed = relax(world, &list[i]) || changed;
    }
  }
}

// Bodies are only displaced. Each overlap shrinks by its share of this step, and no contact is
// closed by more than its gap: relaxation over the contacts of bodies that move, a few times. Gives
// the work done against gravity.
pc_status pc_contacts_push_out(pc_world *world, double h, double *work)
{
  squeeze_job job = {.world = world,
                     .fall = pc_norm(3, world->def.gravity) * h * h,
                     .part = fmin(world->def.push_out * h, 0.2)};
  bool any = false;
  int pieces = pc_pieces(world->touches);
  *work = 0;
  if (world->def.treatment != PC_POSITION_LEVEL || job.part == 0 ||
      world->deepest <= fmin(job.fall, 1e-3 * world->smallest))
    return PC_OK;
  if (!pc_grow(&world->way, &world->way_capacity, world->bodies, sizeof *world->way) ||
      !pc_grow(&world->squeeze, &world->squeeze_capacity, world->touches, sizeof(pc_squeeze)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  pc_parallel(pc_world_threads(world), pieces, 2, set_squeezes, &job);
  for (int i = 0; i < pieces; i++)
    any = any || job.any[i];
  if (!any)
    return PC_OK;
  clear_ways(world);
  relax_all(world, &job);
  for (int i = 0; i < world->bodies; i++) {
    const pc_way *way = &world->way[i];
    if (!way->open)
      continue;
    for (int k = 0; k < 3; k++)
      world->state[i].position[k] += way->by[k];
    *work -= world->body[i].mass * pc_dot3(world->def.gravity, way->by);
  }
  return PC_OK;
}
