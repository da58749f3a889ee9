// The outlines of bodies: where they are at the middle of the step, how far they may come in it,
// and whether they have left the wide boxes that pairs were found with.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "rigid/detection.h"

bool pc_outlines_reserve(pc_outlines *outlines, int bodies)
{
  return pc_array_reserve(&outlines->pose, bodies) && pc_array_reserve(&outlines->box, bodies) &&
         pc_array_reserve_aligned(&outlines->place, bodies) &&
         pc_array_reserve_aligned(&outlines->body, bodies) &&
         pc_array_reserve_aligned(&outlines->velocity, bodies) &&
         pc_array_reserve(&outlines->fixed, bodies);
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

pc_placing pc_placing_for(const pc_detection *search)
{
  bool moves = search->treatment != PC_PENALTY && search->h != 0;
  return (pc_placing){.search = search,
                      .fall = search->h * search->gravity,
                      .part = moves ? search->part : 0,
                      .awake = search->bodies->sleepers == 0};
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
  const pc_detection *search = to->search;
  const pc_solid *body = &search->bodies->solid.at[i];
  const pc_body_state *state = &search->bodies->state.at[i];
  double small = isfinite(body->radius) ? 1e-9 * body->radius : 0;
  if (to->part == 0)
    return small;
  // A sleeping body is found by bodies that are as near as contacts that act may be.
  if (!to->awake && pc_bodies_is_asleep(search->bodies, i))
    return 2 * to->fall * search->h + small;
  double speed = speed_of(body, state->velocity, state->spin);
  if (search->again && body->mass > 0)
    speed = fmax(speed, speed_of(body, search->previous[i], search->previous[i] + 3));
  double distance = search->h * speed;
  if (body->kind == PC_FREE || body->kind == PC_GUIDED)
    distance += search->h * (sqrt(pc_dot3(search->free[i], search->free[i])) * 1e-3 + to->fall);
  if (search->member != NULL && search->member[i])
    small += fmax(search->touch, pc_touch_gap(search, i, i));
  return to->part * distance + small;
}

// Whether box b is inside a.
static inline bool holds(const double a[6], const double b[6])
{
  return (a[0] <= b[0]) & (a[1] <= b[1]) & (a[2] <= b[2]) & (b[3] <= a[3]) & (b[4] <= a[4]) &
         (b[5] <= a[5]);
}

// Sleeping bodies are met by moving ones only, so an obstacle that moves is not fixed for them.
static inline unsigned char fixed_as(const pc_placing *to, const pc_solid *body, int i)
{
  if (body->absent)
    return PC_BOX_ABSENT;
  if (body->kind != PC_FIXED && body->kind != PC_DRIVEN)
    return PC_BOX_MOVES;
  return !to->awake && !to->search->with_sleeping &&
                 pc_bodies_is_moving_obstacle(to->search->bodies, i)
             ? PC_BOX_MOVES
             : PC_BOX_FIXED;
}

// Places a shape that is no ball.
static void place_shape(const pc_detection *search, int i, double reach)
{
  const pc_solid *body = &search->bodies->solid.at[i];
  pc_outlines *outlines = search->outlines;
  outlines->pose.at[i] = pc_body_pose(body, &search->bodies->state.at[i]);
  pc_shape_bounds(body->shape, &outlines->pose.at[i], outlines->box.at[i]);
  for (int k = 0; k < 3; k++) {
    outlines->box.at[i][k] -= reach;
    outlines->box.at[i][3 + k] += reach;
  }
}

static inline void place(const pc_placing *to, int i)
{
  const pc_detection *search = to->search;
  const pc_solid *body = &search->bodies->solid.at[i];
  const pc_body_state *state = &search->bodies->state.at[i];
  pc_outlines *outlines = search->outlines;
  double reach = reach_of(to, i), ball = body->ball ? body->radius : 0;
  if (!to->awake && !search->with_sleeping && pc_bodies_is_asleep(search->bodies, i)) {
    memset(search->free[i], 0, sizeof search->free[i]);
    memset(search->previous[i], 0, sizeof search->previous[i]);
  }
  if (!body->ball)
    place_shape(search, i, reach);
  const double *position = body->ball ? state->position : outlines->pose.at[i].position;
  outlines->fixed.at[i] = fixed_as(to, body, i);
  outlines->body.at[i] = (pc_outline){.ball = ball,
                                      .reach = reach,
                                      .group = body->group,
                                      .material = body->material,
                                      .kind = (unsigned char)body->kind,
                                      .dof = (unsigned char)body->dof,
                                      .heavy = body->mass > 0,
                                      .has_rims = !body->ball && body->shape->has_rims};
  outlines->place.at[i].within = ball > 0 ? ball + reach : INFINITY;
  for (int k = 0; k < 3; k++) {
    outlines->place.at[i].position[k] = position[k];
    outlines->velocity.at[i].velocity[k] = (pc_two){state->velocity[k], search->free[i][k]};
  }
}

void pc_detection_place(void *context, int begin, int end, int worker)
{
  const pc_detection *search = context;
  const pc_placing to = pc_placing_for(search);
  const pc_outlines *outlines = search->outlines;
  pc_body_pairs *pairs = search->pairs;
  bool all =
      !search->again && (to.awake || outlines->sleepers_h != search->h || search->with_sleeping);
  for (int i = begin; i < end; i++) {
    if (!all && (search->again ? !search->struck[i] : pc_bodies_is_asleep(search->bodies, i)))
      continue;
    place(&to, i);
    if (i < pairs->bodies &&
        (outlines->body.at[i].ball > 0 ? pc_box_holds_ball(pairs->box.at[i], &outlines->place.at[i])
                                       : holds(pairs->box.at[i], outlines->box.at[i])))
      continue;
    pc_body_pairs_note_left(pairs, i, worker);
  }
}
