// Overlaps are pushed out by moving bodies, not by giving them velocities: nothing is thrown, and
// the impact problem of the step does not have to move a whole heap to mend one contact.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "rigid/world.h"

enum { SWEEPS = 10 };

// Overlaps up to what falling makes in one step, or a thousandth of the body, are left alone.
static double tolerated(const pc_world *world, const pc_touch *touch, double fall)
{
  double a = world->body[touch->body[0]].radius, b = world->body[touch->body[1]].radius;
  return fmin(fall, 1e-3 * fmin(a, b));
}

// How much a body gives way along a direction: 1/m, or nothing.
static double give(const pc_solid *body, const double *normal)
{
  if (body->kind != PC_GUIDED)
    return body->inverse_mass;
  double along = pc_dot3(body->guide, normal);
  return along * along * body->inverse_mass;
}

static void shift(const pc_solid *body, const double *normal, double by, double *way)
{
  double along = body->kind == PC_GUIDED ? pc_dot3(body->guide, normal) : 0;
  for (int k = 0; k < 3; k++)
    way[k] +=
        by * body->inverse_mass * (body->kind == PC_GUIDED ? along * body->guide[k] : normal[k]);
}

// Bodies are only displaced. Each overlap shrinks by its share of this step, and no contact is
// closed by more than its gap: relaxation over all contacts, a few times. Gives the work done
// against gravity.
pc_status pc_contacts_push_out(pc_world *world, double h, double *work)
{
  double fall = pc_norm(3, world->def.gravity) * h * h;
  double part = fmin(world->def.push_out * h, 0.2);
  bool any = false;
  *work = 0;
  for (int t = 0; t < world->touches && !any; t++)
    any = -world->touch[t].gap > tolerated(world, &world->touch[t], fall);
  if (!any || world->def.treatment != PC_POSITION_LEVEL || part == 0)
    return PC_OK;
  if (!pc_grow(&world->way, &world->way_capacity, world->bodies, sizeof *world->way) ||
      !pc_grow(&world->pressed, &world->pressed_capacity, world->touches, sizeof(double)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  memset(world->way, 0, sizeof *world->way * (size_t)world->bodies);
  memset(world->pressed, 0, sizeof(double) * (size_t)world->touches);
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int t = 0; t < world->touches; t++) {
      const pc_touch *touch = &world->touch[t];
      const pc_solid *a = &world->body[touch->body[0]], *b = &world->body[touch->body[1]];
      double *first = world->way[touch->body[0]], *second = world->way[touch->body[1]];
      double slop = tolerated(world, touch, fall), depth = -touch->gap - slop;
      double wanted = depth > 0 ? part * depth : depth, opened = 0;
      double weight = give(a, touch->normal) + give(b, touch->normal);
      if (!(weight > 0))
        continue;
      for (int k = 0; k < 3; k++)
        opened += touch->normal[k] * (first[k] - second[k]);
      double press = fmax(0, world->pressed[t] + (wanted - opened) / weight);
      double more = press - world->pressed[t];
      world->pressed[t] = press;
      if (more == 0)
        continue;
      shift(a, touch->normal, more, first);
      shift(b, touch->normal, -more, second);
    }
  for (int i = 0; i < world->bodies; i++) {
    const pc_solid *body = &world->body[i];
    if (body->mass == 0)
      continue;
    for (int k = 0; k < 3; k++)
      world->state[i].position[k] += world->way[i][k];
    *work -= body->mass * pc_dot3(world->def.gravity, world->way[i]);
  }
  return PC_OK;
}
