// The free motion of bodies to the middle of the next step, and how it bends their gaps.
//
// A step that prescribes D_N+ = 0 at the lowest point of a rolling rim lets the rim sink or rise by
// half of what its free rotation then makes of D_N, always the same way. With the bend in the
// bound, the rim is at D_N+ = -bend/h, and comes back to where it was.
#include "rigid/bend.h"

#include <string.h>

#include "geometry/rim.h"

static void set_turn(const double before[4], const double after[4], double turn[9])
{
  double back[4] = {before[0], -before[1], -before[2], -before[3]}, q[4];
  pc_quaternion_multiply(after, back, q);
  pc_quaternion_normalise(q);
  pc_quaternion_matrix(q, turn);
}

static void fly_driven(const pc_body_state *state, const pc_body_state *next, double h,
                       pc_flight *of)
{
  memcpy(of->spin, state->spin, sizeof of->spin);
  memcpy(of->spun, next->spin, sizeof of->spun);
  memcpy(of->moved, next->position, sizeof of->moved);
  for (int k = 0; k < 3; k++)
    of->velocity[k] = (next->position[k] - state->position[k]) / h;
  set_turn(state->orientation, next->orientation, of->turn);
}

static void fly(const pc_detection *search, int i, pc_flight *of)
{
  const pc_solid *body = &search->bodies->solid.at[i];
  const pc_body_state *state = &search->bodies->state.at[i];
  memset(of, 0, sizeof *of);
  of->shape = body->shape;
  of->at = search->outlines->body.at[i].ball > 0 ? pc_body_pose(body, state)
                                                 : search->outlines->pose.at[i];
  of->turn[0] = of->turn[4] = of->turn[8] = 1;
  memcpy(of->centre, state->position, sizeof of->centre);
  memcpy(of->moved, state->position, sizeof of->moved);
  if (body->kind == PC_FIXED || pc_bodies_is_idle(search->bodies, i))
    return;
  if (body->kind == PC_DRIVEN) {
    fly_driven(state, &body->form->course->next, search->h, of);
    return;
  }
  memcpy(of->velocity, state->velocity, sizeof of->velocity);
  for (int k = 0; k < 3; k++)
    of->moved[k] += search->h * state->velocity[k];
  if (!body->turns)
    return;
  double after[4];
  memcpy(of->spin, state->spin, sizeof of->spin);
  pc_body_turned(body, state, search->h, search->constant_spin, after, of->spun);
  set_turn(state->orientation, after, of->turn);
}

bool pc_contact_bend(const pc_detection *search, const pc_contact_data *contact, pc_bend *bend)
{
  pc_flight of[2];
  for (int k = 0; k < 2; k++)
    fly(search, contact->body[k], &of[k]);
  return pc_gap_bend(of, search->h, contact->point, contact->normal, contact->feature, bend);
}
