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

// What a contact asks for.
typedef struct pc_squeeze {
  int body[2];
  double wanted; // opening; if negative, what it may close
  double press;
} pc_squeeze;

typedef struct squeeze_job {
  pc_world *world;
  double fall, part;
  bool any[PC_PIECES];
} squeeze_job;

// Overlaps up to what falling makes in one step, or a thousandth of the body, are left alone. Of
// the others a part is to go, as if on the way to half of that: so they arrive, and rest.
static void set_squeezes(void *context, int begin, int end, int worker)
{
  squeeze_job *job = context;
  pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    bool any = false;
    for (int t = pc_piece_begin(world->touches, piece);
         t < pc_piece_begin(world->touches, piece + 1); t++) {
      const pc_touch *touch = &world->touch[t];
      int a = touch->body[0], b = touch->body[1];
      double radius = fmin(world->body[a].radius, world->body[b].radius);
      double slop = fmin(job->fall, 1e-3 * radius), depth = -touch->gap - slop;
      double wanted = depth > 0 ? job->part * (depth + 0.5 * slop) : depth;
      world->squeeze[t] = (pc_squeeze){{a, b}, wanted, 0};
      any = any || depth > 0;
    }
    job->any[piece] = any;
  }
}

static void clear_ways(pc_world *world)
{
  memset(world->way, 0, sizeof *world->way * (size_t)world->bodies);
  memset(world->way_open, 0, (size_t)world->bodies);
}

// How much a body gives way along a direction: 1/m, or nothing.
static double give(const pc_solid *body, const double *normal)
{
  if (body->kind != PC_GUIDED)
    return body->inverse_mass;
  double along = pc_dot3(body->guide, normal);
  return along * along * body->inverse_mass;
}

static void shift(pc_world *world, int i, const double *normal, double by)
{
  const pc_solid *body = &world->body[i];
  double along = body->kind == PC_GUIDED ? pc_dot3(body->guide, normal) : 0;
  if (body->mass == 0)
    return;
  world->way_open[i] = 1;
  for (int k = 0; k < 3; k++)
    world->way[i][k] +=
        by * body->inverse_mass * (body->kind == PC_GUIDED ? along * body->guide[k] : normal[k]);
}

// False if nothing changes.
static bool relax(pc_world *world, const pc_touch *touch, pc_squeeze *squeeze)
{
  const pc_solid *a = &world->body[squeeze->body[0]], *b = &world->body[squeeze->body[1]];
  const double *first = world->way[squeeze->body[0]], *second = world->way[squeeze->body[1]];
  double weight = give(a, touch->normal) + give(b, touch->normal), opened = 0;
  if (!(weight > 0))
    return false;
  for (int k = 0; k < 3; k++)
    opened += touch->normal[k] * (first[k] - second[k]);
  double press = fmax(0, squeeze->press + (squeeze->wanted - opened) / weight);
  double more = press - squeeze->press;
  squeeze->press = press;
  if (more == 0)
    return false;
  shift(world, squeeze->body[0], touch->normal, more);
  shift(world, squeeze->body[1], touch->normal, -more);
  return true;
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
      !pc_grow(&world->way_open, &world->way_open_capacity, world->bodies, 1) ||
      !pc_grow(&world->squeeze, &world->squeeze_capacity, world->touches, sizeof(pc_squeeze)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  pc_parallel(pc_world_threads(world), pieces, 2, set_squeezes, &job);
  for (int i = 0; i < pieces; i++)
    any = any || job.any[i];
  if (!any)
    return PC_OK;
  clear_ways(world);
  bool changed = true;
  for (int sweep = 0; sweep < SWEEPS && changed; sweep++) {
    changed = false;
    for (int t = 0; t < world->touches; t++) {
      pc_squeeze *squeeze = &world->squeeze[t];
      if (squeeze->wanted > 0 || world->way_open[squeeze->body[0]] ||
          world->way_open[squeeze->body[1]])
        changed = relax(world, &world->touch[t], squeeze) || changed;
    }
  }
  for (int i = 0; i < world->bodies; i++) {
    if (!world->way_open[i])
      continue;
    for (int k = 0; k < 3; k++)
      world->state[i].position[k] += world->way[i][k];
    *work -= world->body[i].mass * pc_dot3(world->def.gravity, world->way[i]);
  }
  return PC_OK;
}
