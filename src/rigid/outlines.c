// The outlines of bodies: where they are at the middle of the step, how far they may come in it,
// and whether they have left the wide boxes that pairs were found with.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "rigid/contacts.h"

// At velocity level a contact acts if it closes within half a step (pc_contact_acts).
double pc_outline_part(const pc_world *world)
{
  return world->def.treatment == PC_VELOCITY_LEVEL && world->def.looks == PC_LOOK_ONCE &&
                 !pc_sleep_is_on(world)
             ? 0.5
             : 1;
}

pc_placing pc_placing_for(pc_world *world, double h)
{
  bool ways = world->def.treatment != PC_PENALTY && h != 0;
  return (pc_placing){.world = world,
                      .h = h,
                      .fall = h * pc_norm(3, world->def.gravity),
                      .part = ways ? pc_outline_part(world) : 0,
                      .awake = world->bodies.sleepers == 0};
}

static inline double speed_of(const pc_solid *body, const double velocity[3], const double spin[3])
{
  double speed = sqrt(pc_dot3(velocity, velocity));
  if (!body->ball && isfinite(body->radius))
    speed += sqrt(pc_dot3(spin, spin)) * body->radius;
  return speed;
}

// How far a body may come towards another in one step: contacts farther away cannot matter.
static inline double reach_of(const pc_placing *to, int i)
{
  const pc_world *world = to->world;
  const pc_solid *body = &world->bodies.solid.at[i];
  const pc_body_state *state = &world->bodies.state.at[i];
  double small = isfinite(body->radius) ? 1e-9 * body->radius : 0;
  if (to->part == 0)
    return small;
  // Who sleeps is found by what is as near as contacts that act may be.
  if (!to->awake && pc_is_asleep(world, i))
    return 2 * to->fall * to->h + small;
  double speed = speed_of(body, state->velocity, state->spin);
  if (world->again && body->mass > 0)
    speed = fmax(speed,
                 speed_of(body, world->scratch.previous.at[i], world->scratch.previous.at[i] + 3));
  double way = to->h * speed;
  if (body->kind == PC_FREE || body->kind == PC_GUIDED)
    way += to->h *
           (sqrt(pc_dot3(world->scratch.free.at[i], world->scratch.free.at[i])) * 1e-3 + to->fall);
  return to->part * way + small;
}

// Whether box b is inside a.
static inline bool holds(const double a[6], const double b[6])
{
  return (a[0] <= b[0]) & (a[1] <= b[1]) & (a[2] <= b[2]) & (b[3] <= a[3]) & (b[4] <= a[4]) &
         (b[5] <= a[5]);
}

pc_turning_velocity pc_outline_turning(const pc_world *world, int i)
{
  const pc_body_state *state = &world->bodies.state.at[i];
  pc_turning_velocity turning = {.position = state->position};
  for (int k = 0; k < 3; k++) {
    turning.velocity[k] = world->outlines.velocity.at[i].velocity[k];
    double free =
        world->bodies.solid.at[i].turns ? world->scratch.free.at[i][3 + k] : state->spin[k];
    turning.spin[k] = (pc_two){state->spin[k], free};
  }
  return turning;
}

// Those who sleep are met by what moves only, and who moves is not fixed for them.
static inline unsigned char fixed_as(const pc_placing *to, const pc_solid *body, int i)
{
  if (body->absent)
    return PC_BOX_ABSENT;
  if (body->kind != PC_FIXED && body->kind != PC_DRIVEN)
    return PC_BOX_MOVES;
  return !to->awake && !to->world->everybody && pc_sleep_moves(to->world, i) ? PC_BOX_MOVES
                                                                             : PC_BOX_FIXED;
}

// Places what is no ball.
static void place_shape(pc_world *world, int i, double reach)
{
  const pc_solid *body = &world->bodies.solid.at[i];
  world->outlines.pose.at[i] = pc_body_pose(body, &world->bodies.state.at[i]);
  pc_shape_bounds(body->shape, &world->outlines.pose.at[i], world->outlines.box.at[i]);
  for (int k = 0; k < 3; k++) {
    world->outlines.box.at[i][k] -= reach;
    world->outlines.box.at[i][3 + k] += reach;
  }
}

static inline void place(const pc_placing *to, int i)
{
  pc_world *world = to->world;
  const pc_solid *body = &world->bodies.solid.at[i];
  const pc_body_state *state = &world->bodies.state.at[i];
  double reach = reach_of(to, i), ball = body->ball ? body->radius : 0;
  if (!to->awake && !world->everybody && pc_is_asleep(world, i)) {
    memset(world->scratch.free.at[i], 0, sizeof world->scratch.free.at[i]);
    memset(world->scratch.previous.at[i], 0, sizeof world->scratch.previous.at[i]);
  }
  if (!body->ball)
    place_shape(world, i, reach);
  const double *position = body->ball ? state->position : world->outlines.pose.at[i].position;
  world->outlines.fixed.at[i] = fixed_as(to, body, i);
  world->outlines.body.at[i] = (pc_outline){.ball = ball,
                                            .reach = reach,
                                            .group = body->group,
                                            .material = body->material,
                                            .kind = (unsigned char)body->kind,
                                            .dof = (unsigned char)body->dof,
                                            .heavy = body->mass > 0};
  world->outlines.place.at[i].within = ball > 0 ? ball + reach : INFINITY;
  for (int k = 0; k < 3; k++) {
    world->outlines.place.at[i].position[k] = position[k];
    world->outlines.velocity.at[i].velocity[k] =
        (pc_two){state->velocity[k], world->scratch.free.at[i][k]};
  }
}

void pc_finding_left(pc_finding *finding, int i)
{
  pc_box_list *left = &finding->left;
  if (pc_array_reserve(left, left->count + 1))
    left->at[left->count++] = i;
  else
    finding->left_more = true;
}

void pc_contacts_place(pc_world *world, double h, int begin, int end, int worker)
{
  const pc_placing to = pc_placing_for(world, h);
  pc_finding *finding = &world->contacts.finding.at[worker];
  bool all = !world->again && (to.awake || world->sleep.placed_h != h || world->everybody);
  for (int i = begin; i < end; i++) {
    if (!all && (world->again ? !world->scratch.struck.at[i] : pc_is_asleep(world, i)))
      continue;
    place(&to, i);
    if (i < world->pairs.bodies &&
        (world->outlines.body.at[i].ball > 0
             ? pc_box_holds_ball(world->pairs.box.at[i], &world->outlines.place.at[i])
             : holds(world->pairs.box.at[i], world->outlines.box.at[i])))
      continue;
    pc_finding_left(finding, i);
  }
}

void pc_outlines_free(pc_outlines *outlines)
{
  pc_array_free(&outlines->pose);
  pc_array_free(&outlines->box);
  pc_array_free(&outlines->place);
  pc_array_free(&outlines->body);
  pc_array_free(&outlines->velocity);
  pc_array_free(&outlines->fixed);
}
