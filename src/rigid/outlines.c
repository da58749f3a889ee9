// The outlines of bodies: where they are at the middle of the step, how far they may come in it,
// and whether they have left the wide boxes that pairs were found with.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "rigid/contacts.h"

// How far a body may come towards another in one step: contacts farther away cannot matter.
static double reach_of(const pc_world *world, int i, double h, double gravity)
{
  const pc_solid *body = &world->body[i];
  const pc_body_state *state = &world->state[i];
  double small = isfinite(body->radius) ? 1e-9 * body->radius : 0;
  if (world->def.treatment == PC_PENALTY || h == 0)
    return small;
  double speed = sqrt(pc_dot3(state->velocity, state->velocity));
  if (!body->ball && isfinite(body->radius))
    speed += sqrt(pc_dot3(state->spin, state->spin)) * body->radius;
  if (world->again && body->mass > 0) {
    double after = sqrt(pc_dot3(world->last[i], world->last[i]));
    if (!body->ball)
      after += sqrt(pc_dot3(world->last[i] + 3, world->last[i] + 3)) * body->radius;
    speed = fmax(speed, after);
  }
  double way = h * speed;
  if (body->kind == PC_FREE || body->kind == PC_GUIDED)
    way += h * (sqrt(pc_dot3(world->free[i], world->free[i])) * 1e-3 + h * gravity);
  return way + small;
}

// Whether box b is inside a.
static inline bool holds(const double a[6], const double b[6])
{
  return (a[0] <= b[0]) & (a[1] <= b[1]) & (a[2] <= b[2]) & (b[3] <= a[3]) & (b[4] <= a[4]) &
         (b[5] <= a[5]);
}

static void set_velocities(const pc_world *world, int i, pc_moving *moving)
{
  for (int k = 0; k < 3; k++)
    moving->velocity[k] = (pc_two){world->state[i].velocity[k], world->free[i][k]};
}

static void set_spins(const pc_world *world, int i, pc_moving *moving)
{
  memcpy(moving->position, world->state[i].position, sizeof moving->position);
  for (int k = 0; k < 3; k++)
    moving->spin[k] = (pc_two){world->state[i].spin[k], world->free[i][3 + k]};
}

const pc_moving *pc_outline_moving(const pc_world *world, int i, pc_moving *room)
{
  if (!(world->outline[i].ball > 0))
    return &world->moving[i];
  memcpy(room->velocity, world->moving[i].velocity, sizeof room->velocity);
  set_spins(world, i, room);
  return room;
}

static void place(const pc_contacts_job *job, int i)
{
  pc_world *world = job->world;
  const pc_solid *body = &world->body[i];
  pc_outline *outline = &world->outline[i];
  bool sleeps = pc_is_asleep(world, i);
  double ball = 0, small = isfinite(body->radius) ? 1e-9 * body->radius : 0;
  // Who sleeps is found by what is as near as contacts that act may be.
  double reach = sleeps ? 2 * job->gravity * job->h * job->h + small
                        : reach_of(world, i, job->h, job->gravity);
  if (sleeps && !world->everybody) {
    memset(world->free[i], 0, sizeof world->free[i]);
    memset(world->last[i], 0, sizeof world->last[i]);
  }
  const double *position = world->state[i].position;
  if (body->ball) {
    ball = body->radius;
  } else {
    world->pose[i] = pc_body_pose(body, &world->state[i]);
    position = world->pose[i].position;
  }
  // Who sleeps is met by what moves only; who moves is not fixed for them.
  world->fixed[i] = body->kind == PC_FIXED || body->kind == PC_DRIVEN ? PC_BOX_FIXED : PC_BOX_MOVES;
  if (world->sleepers > 0 && !world->everybody && pc_sleep_moves(world, i))
    world->fixed[i] = PC_BOX_MOVES;
  if (body->absent)
    world->fixed[i] = PC_BOX_ABSENT;
  *outline = (pc_outline){.ball = ball,
                          .reach = reach,
                          .group = body->group,
                          .material = body->material,
                          .kind = (unsigned char)body->kind,
                          .dof = (unsigned char)body->dof,
                          .heavy = body->mass > 0};
  set_velocities(world, i, &world->moving[i]);
  outline->slack = 2 * job->gravity * job->h * job->h + reach * 1e-9 + small;
  memcpy(outline->position, position, sizeof outline->position);
  if (ball > 0)
    return;
  set_spins(world, i, &world->moving[i]);
  pc_shape_bounds(body->shape, &world->pose[i], world->box[i]);
  for (int k = 0; k < 3; k++) {
    world->box[i][k] -= reach;
    world->box[i][3 + k] += reach;
  }
}

void pc_outlines_place(void *context, int begin, int end, int worker)
{
  const pc_contacts_job *job = context;
  const pc_world *world = job->world;
  pc_finding *finding = &world->finding[worker];
  pc_box_list own = finding->left;
  for (int i = begin; i < end; i++)
    if (world->again ? world->struck[i]
                     : !pc_is_asleep(world, i) || world->rest_h != job->h || world->everybody) {
      double room[6];
      place(job, i);
      if (i < world->wide_bodies && holds(world->wide[i], pc_outline_box(world, i, room)))
        continue;
      if (pc_grow(&own.at, &own.capacity, own.count + 1, sizeof *own.at))
        own.at[own.count++] = i;
      else
        finding->left_more = true;
    }
  finding->left = own;
}

void pc_contacts_place(pc_world *world, double h, int begin, int end, int worker)
{
  pc_contacts_job job = {.world = world, .h = h, .gravity = pc_norm(3, world->def.gravity)};
  pc_outlines_place(&job, begin, end, worker);
}
