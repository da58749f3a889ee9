// One step: to the middle, contacts and forces there, one impact problem, to the end; its account.
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/bulk.h"
#include "rigid/world.h"

// Velocities and percussions as the impact problem has them: world to degrees of freedom and back.
static void to_dof(const pc_solid *body, const double *six, double *numbers)
{
  if (body->dof == 1) {
    numbers[0] = pc_dot3(six, body->guide);
  } else if (body->dof == 6) {
    memcpy(numbers, six, 6 * sizeof(double));
  } else {
    numbers[0] = six[0];
    numbers[1] = six[1];
    numbers[2] = six[5];
  }
}

static void from_dof(const pc_solid *body, const double *numbers, double *six)
{
  memset(six, 0, 6 * sizeof(double));
  if (body->dof == 1) {
    for (int k = 0; k < 3; k++)
      six[k] = numbers[0] * body->guide[k];
  } else if (body->dof == 6) {
    memcpy(six, numbers, 6 * sizeof(double));
  } else {
    six[0] = numbers[0];
    six[1] = numbers[1];
    six[5] = body->dof == 3 ? numbers[2] : 0;
  }
}

static void velocity_of(const pc_body_state *state, double six[6])
{
  memcpy(six, state->velocity, 3 * sizeof(double));
  memcpy(six + 3, state->spin, 3 * sizeof(double));
}

// U- + M^-1 P_ext: what the body would do without contacts and stiff elements.
static void free_velocity(const pc_world *world, int i, double six[6])
{
  const pc_solid *body = &world->body[i];
  const double *push = world->push[i];
  velocity_of(&world->state[i], six);
  if (body->mass == 0)
    return;
  double linear[3] = {push[0], push[1], push[2]};
  if (body->kind == PC_GUIDED) {
    double along = pc_dot3(linear, body->guide);
    for (int k = 0; k < 3; k++)
      linear[k] = along * body->guide[k];
  }
  for (int k = 0; k < 3; k++)
    six[k] += linear[k] * body->inverse_mass;
  if (!body->turns || (push[3] == 0 && push[4] == 0 && push[5] == 0))
    return;
  double inertia[9], inverse[9], turned[3];
  pc_body_inertia(body, &world->state[i], inertia);
  pc_small_inverse(3, inertia, inverse);
  pc_rotate(inverse, push + 3, turned);
  for (int k = 0; k < 3; k++)
    six[3 + k] += turned[k];
}

static void free_velocities(void *context, int begin, int end, int worker)
{
  pc_world *world = context;
  for (int i = begin; i < end; i++)
    free_velocity(world, i, world->free[i]);
}

// Work on the impact problem, in pieces.
typedef struct state_job {
  pc_world *world;
  double h, gravity, rest;
  int first[PC_PIECES + 1];   // contacts of the pieces before
  int guided[PC_PIECES];      // contacts of guided bodies
  const char *why[PC_PIECES]; // what is wrong with body or contact `where`
  int where[PC_PIECES];
} state_job;

// A body enters the impact problem when something acts on it.
static void mark(pc_world *world, int i)
{
  // Several threads may do it at a time.
  if (world->outline[i].heavy)
    __atomic_store_n(&world->place[i], 0, __ATOMIC_RELAXED);
}

static void describe_body(const pc_world *world, int i, pc_impact_body *entry)
{
  const pc_solid *body = &world->body[i];
  const pc_body_state *state = &world->state[i];
  double six[6];
  velocity_of(state, six);
  entry->dof = body->dof;
  entry->mass = body->mass;
  to_dof(body, six, entry->velocity);
  to_dof(body, world->push[i], entry->percussion);
  memcpy(entry->position, state->position, sizeof entry->position);
  if (body->dof == 3)
    entry->inertia[0] = body->moments[2];
  else if (body->dof == 6 && body->turns)
    pc_body_inertia(body, state, entry->inertia);
  else if (body->dof == 6)
    for (int k = 0; k < 9; k++)
      entry->inertia[k] = k % 4 == 0 ? INFINITY : 0;
}

static void put_bodies(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  pc_world *world = job->world;
  pc_impact_body entry = pc_impact_body_default();
  for (int piece = begin; piece < end; piece++) {
    int last = pc_piece_begin(world->bodies, piece + 1);
    for (int i = pc_piece_begin(world->bodies, piece); i < last && job->why[piece] == NULL; i++) {
      if (world->place[i] < 0)
        continue;
      describe_body(world, i, &entry);
      job->why[piece] = pc_impact_put_body(world->impact, world->place[i], world->start[i], &entry);
      job->where[piece] = i;
    }
  }
}

// False for laws that can never throw bodies apart.
static bool can_rebound(const pc_normal_law *law)
{
  return law->kind == PC_NORMAL_RESTITUTION
             ? law->e > 0
             : law->kind != PC_NORMAL_INELASTIC && (law->k > 0 || law->k0 > 0);
}

// Laws of contacts in a step: those of pairs of materials, the default one last, each as it is,
// inelastic, without its tangential part, and both.
enum { INELASTIC = 1, SLIPPERY = 2, VARIANTS = 4 };

static void get_law(const pc_world *world, int place, pc_law *law)
{
  int pair = place / VARIANTS;
  *law = pair < world->pair_laws ? world->pair_law[pair].law : world->default_law;
  if (place & INELASTIC)
    law->normal.kind = PC_NORMAL_INELASTIC;
  if (place & SLIPPERY)
    law->tangential.kind = PC_TANGENTIAL_NONE;
}

static bool state_laws(pc_world *world)
{
  int count = VARIANTS * (world->pair_laws + 1);
  if (!pc_grow(&world->law_place, &world->law_place_capacity, count, sizeof(int)))
    return false;
  for (int i = 0; i < count; i++) {
    pc_law law;
    get_law(world, i, &law);
    world->law_place[i] = pc_impact_add_law(world->impact, &law);
  }
  return true;
}

// What acts at a contact in this step, or -1. The dissipative part of a normal law acts only where
// the contact approaches; slow impacts do not rebound, or nothing would ever rest.
static int contact_law(const state_job *job, const pc_touch *touch, double *bound)
{
  const pc_world *world = job->world;
  double h = job->h;
  int pair = pc_contacts_law(world, world->outline[touch->body[0]].material,
                             world->outline[touch->body[1]].material);
  const pc_law *law = pair < world->pair_laws ? &world->pair_law[pair].law : &world->default_law;
  pc_normal_kind kind = law->normal.kind;
  bool viscous = law->tangential.kind == PC_TANGENTIAL_VISCOUS;
  int which = VARIANTS * pair;
  *bound = 0;
  if (kind == PC_NORMAL_BILATERAL)
    return which;
  bool separating = touch->before > job->gravity * h, meets = touch->before < -job->rest;
  if (separating && viscous)
    which |= SLIPPERY;
  if (kind == PC_NORMAL_PENETRABLE)
    return !separating && touch->gap <= 0 ? which : -1;
  bool position = world->def.treatment == PC_POSITION_LEVEL;
  bool rebounds = can_rebound(&law->normal) && meets &&
                  (touch->gap <= 0 || touch->gap + h * fmin(touch->before, touch->free) < 0);
  if (!rebounds)
    which |= INELASTIC;
  // Gaps within this count as none. Without it the noise of each solve comes back through the gaps
  // of the next, and what rests is never quite solved. Overlaps are not pushed out here.
  double slop = 0.05 * job->gravity * h * h;
  if (position && touch->gap > slop && !rebounds) {
    *bound = (slop - touch->gap) / h;
    // Not touching yet: nothing to drag along.
    if (viscous)
      which |= SLIPPERY;
  }
  return which;
}

// How the velocity of a body's point changes in half a step because the body turns.
static void add_bend(const pc_body_state *state, const double *point, double half, double *bend)
{
  double arm[3], speed[3], turned[3];
  for (int k = 0; k < 3; k++)
    arm[k] = point[k] - state->position[k];
  pc_cross(state->spin, arm, speed);
  pc_cross(state->spin, speed, turned);
  for (int k = 0; k < 3; k++)
    bend[k] += half * turned[k];
}

// The velocity of an obstacle at a contact, from the middle of this step to that of the next, as
// bodies have their velocity after. Along the surface both points bend away from their velocities
// at the middle; without that term bodies stuck to something that turns would spiral outward.
static void obstacle_velocity(const pc_world *world, int i, int other, const pc_touch *touch,
                              double h, double *velocity)
{
  const pc_body_state *now = &world->state[i], *next = &world->body[i].next;
  double arm[3], turned[3], bend[3] = {0};
  if (world->body[i].kind != PC_DRIVEN) {
    memset(velocity, 0, 3 * sizeof(double));
    return;
  }
  for (int k = 0; k < 3; k++)
    arm[k] = touch->point[k] - now->position[k];
  pc_cross(now->spin, arm, turned);
  add_bend(now, touch->point, 0.5 * h, bend);
  add_bend(&world->state[other], touch->point, -0.5 * h, bend);
  double normal = pc_dot3(bend, touch->normal);
  for (int k = 0; k < 3; k++)
    velocity[k] = (next->position[k] - now->position[k]) / h + turned[k] + bend[k] -
                  normal * touch->normal[k];
}

// A frame N, T1, T2 for contacts that are stated by rows.
static void frame_of(const double normal[3], bool plane, double frame[9])
{
  double *t = frame + 3;
  memcpy(frame, normal, 3 * sizeof(double));
  if (plane) {
    t[0] = -normal[1], t[1] = normal[0], t[2] = 0;
    memset(frame + 6, 0, 3 * sizeof(double));
    return;
  }
  pc_across(normal, t, frame + 6);
}

// Contacts of guided bodies, whose only velocity is along the guide, are stated by rows.
static int add_guided(pc_world *world, const pc_touch *touch, double h)
{
  bool plane = world->def.dimension == 2;
  int rows = plane ? 2 : 3, terms = 0;
  double frame[9], coefficient[2][18] = {{0}}, given[3] = {0};
  pc_row_term term[2];
  frame_of(touch->normal, plane, frame);
  for (int b = 0; b < 2; b++) {
    int i = touch->body[b];
    const pc_solid *body = &world->body[i];
    double sign = b == 0 ? 1 : -1, velocity[3];
    if (body->mass == 0) {
      obstacle_velocity(world, i, touch->body[1 - b], touch, h, velocity);
      for (int r = 0; r < rows; r++)
        given[r] += sign * pc_dot3(frame + 3 * r, velocity);
      continue;
    }
    for (int r = 0; r < rows; r++) {
      double *row = coefficient[terms] + r * body->dof;
      pc_body_row(body, &world->state[i], touch->point, frame + 3 * r, row);
      for (int k = 0; k < body->dof; k++)
        row[k] *= sign;
    }
    term[terms] = (pc_row_term){world->place[i], coefficient[terms]};
    terms++;
  }
  pc_interaction by_rows = pc_interaction_default(PC_ROWS);
  by_rows.rows = rows;
  by_rows.terms = terms;
  by_rows.term = term;
  get_law(world, touch->law, &by_rows.law);
  by_rows.unilateral = by_rows.law.normal.kind != PC_NORMAL_PENETRABLE &&
                       by_rows.law.normal.kind != PC_NORMAL_BILATERAL;
  by_rows.bound = touch->bound;
  for (int r = 0; r < rows; r++) {
    by_rows.given[r] = given[r];
    by_rows.guess[r] = pc_dot3(frame + 3 * r, touch->percussion);
  }
  return pc_impact_add_interaction(world->impact, &by_rows);
}

static bool is_guided(const pc_world *world, const pc_touch *touch)
{
  return world->outline[touch->body[0]].kind == PC_GUIDED ||
         world->outline[touch->body[1]].kind == PC_GUIDED;
}

// Laws of the contacts, how many there are, and on which bodies they act.
static void judge_pieces(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    int count = 0, begun = pc_piece_begin(world->touches, piece);
    int last = pc_piece_begin(world->touches, piece + 1);
    pc_contacts_remember(world, begun, last);
    for (int t = begun; t < last; t++) {
      pc_touch *touch = &world->touch[t];
      touch->law = contact_law(job, touch, &touch->bound);
      if (touch->law < 0) {
        memset(touch->percussion, 0, sizeof touch->percussion);
        continue;
      }
      mark(world, touch->body[0]);
      mark(world, touch->body[1]);
      bool guided = is_guided(world, touch);
      job->guided[piece] += guided;
      count += !guided;
    }
    job->first[piece + 1] = count;
  }
}

// An obstacle is never first: the normal then points from body to obstacle.
static void describe_contact(const pc_world *world, const pc_touch *touch, double h,
                             pc_interaction *entry)
{
  int a = touch->body[0], b = touch->body[1];
  bool swapped = !world->outline[a].heavy;
  double sign = swapped ? -1 : 1;
  int first = swapped ? b : a, second = swapped ? a : b;
  entry->bodies[0] = world->place[first];
  entry->bodies[1] = PC_OBSTACLE;
  entry->bound = touch->bound;
  memcpy(entry->point, touch->point, sizeof entry->point);
  memset(entry->given, 0, sizeof entry->given);
  for (int k = 0; k < 3; k++) {
    entry->normal[k] = sign * touch->normal[k];
    entry->guess[k] = sign * touch->percussion[k];
  }
  if (world->outline[second].heavy) {
    entry->bodies[1] = world->place[second];
  } else if (world->outline[second].kind == PC_DRIVEN) {
    obstacle_velocity(world, second, first, touch, h, entry->given);
    for (int k = 0; k < 3; k++)
      entry->given[k] = -entry->given[k];
  }
}

static void put_contacts(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  pc_world *world = job->world;
  pc_interaction entry = pc_interaction_default(PC_CONTACT);
  for (int piece = begin; piece < end; piece++) {
    int next = job->first[piece], last = pc_piece_begin(world->touches, piece + 1);
    for (int t = pc_piece_begin(world->touches, piece); t < last && job->why[piece] == NULL; t++) {
      pc_touch *touch = &world->touch[t];
      if (touch->law < 0 || is_guided(world, touch))
        continue;
      describe_contact(world, touch, job->h, &entry);
      int law = world->law_place[touch->law];
      job->why[piece] = law < 0 ? "its law is not one of contacts"
                                : pc_impact_put_contact(world->impact, next, law, &entry);
      job->where[piece] = t;
      touch->interaction = next++;
    }
  }
}

// Treatment by a spring: the overlap pushes, nothing else.
static pc_status add_overlap(pc_world *world, const pc_touch *touch)
{
  if (touch->gap >= 0)
    return PC_OK;
  pc_stiff *stiff = pc_stiff_add(world);
  if (stiff == NULL)
    return PC_ERROR_MEMORY;
  stiff->depth = -touch->gap;
  stiff->force = world->def.penalty * stiff->depth;
  stiff->stiffness = world->def.penalty;
  int n = 0;
  for (int b = 0; b < 2; b++) {
    int i = touch->body[b];
    const pc_solid *body = &world->body[i];
    double in[3], sign = b == 0 ? -1 : 1;
    if (body->mass == 0)
      continue;
    for (int k = 0; k < 3; k++)
      in[k] = sign * touch->normal[k];
    stiff->body[n] = i;
    pc_body_row(body, &world->state[i], touch->point, in, stiff->row[n]);
    memcpy(stiff->force_row[n], stiff->row[n], sizeof stiff->force_row[n]);
    n++;
  }
  return PC_OK;
}

static double stiff_rate(const pc_world *world, const pc_stiff *stiff, int row,
                         double (*velocity)[6])
{
  double sum = 0;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++) {
    const pc_solid *body = &world->body[stiff->body[b]];
    double u[6];
    to_dof(body, velocity[b], u);
    for (int k = 0; k < body->dof; k++)
      sum += stiff->row[b][row * body->dof + k] * u[k];
  }
  return sum;
}

// The part of a stiff element that is known before the solve goes to P_ext.
static void push_stiff(pc_world *world, pc_stiff *stiff, double h)
{
  double velocity[2][6], weight = stiff->theta * h * h * stiff->stiffness;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
    velocity_of(&world->state[stiff->body[b]], velocity[b]);
  for (int r = 0; r < stiff->rows; r++)
    stiff->before[r] = stiff_rate(world, stiff, r, velocity);
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++) {
    const pc_solid *body = &world->body[stiff->body[b]];
    double numbers[6] = {0}, six[6];
    for (int k = 0; k < body->dof; k++) {
      numbers[k] = -h * stiff->force * stiff->force_row[b][k];
      for (int r = 0; r < stiff->rows; r++)
        numbers[k] += weight * stiff->before[r] * stiff->row[b][r * body->dof + k];
    }
    from_dof(body, numbers, six);
    for (int k = 0; k < 6; k++)
      world->push[stiff->body[b]][k] += six[k];
  }
}

static pc_status add_stiff(pc_world *world, pc_stiff *stiff, double h)
{
  pc_interaction entry = pc_interaction_default(PC_ROWS);
  pc_row_term term[2];
  if (!(stiff->stiffness > 0))
    return PC_OK;
  entry.rows = stiff->rows;
  entry.term = term;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
    term[entry.terms++] = (pc_row_term){world->place[stiff->body[b]], stiff->row[b]};
  entry.law.normal.kind = PC_NORMAL_QUADRATIC;
  entry.law.normal.k = stiff->theta * h * h * stiff->stiffness;
  entry.law.normal.p = 2;
  if (stiff->rows > 1) {
    entry.law.tangential.kind = PC_TANGENTIAL_VISCOUS;
    entry.law.tangential.k = entry.law.normal.k;
  }
  stiff->interaction = pc_impact_add_interaction(world->impact, &entry);
  return stiff->interaction >= 0 ? PC_OK
                                 : pc_fail(&world->error, PC_ERROR_NUMERIC, "element %d: %s",
                                           stiff->element, pc_impact_error(world->impact));
}

// Places of the bodies that something acts on, in their order; gives the sum of their velocities.
static int number_bodies(pc_world *world, int *count)
{
  int dofs = 0;
  *count = 0;
  for (int i = 0; i < world->bodies; i++) {
    if (world->place[i] < 0)
      continue;
    world->place[i] = (*count)++;
    world->start[i] = dofs;
    dofs += world->outline[i].dof;
  }
  return dofs;
}

static int first_wrong(const state_job *job, int pieces)
{
  for (int i = 0; i < pieces; i++)
    if (job->why[i] != NULL)
      return i;
  return -1;
}

static pc_status state_contacts(pc_world *world, state_job *job, int contacts)
{
  int threads = pc_world_threads(world), bodies, dofs = number_bodies(world, &bodies);
  if (pc_impact_open(world->impact, bodies, dofs, contacts, world->def.dimension) != PC_OK)
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  pc_parallel(threads, pc_pieces(world->bodies), 2, put_bodies, job);
  int wrong = first_wrong(job, pc_pieces(world->bodies));
  if (wrong >= 0)
    return pc_fail(&world->error, PC_ERROR_NUMERIC, "body %d: %s", job->where[wrong] + 1,
                   job->why[wrong]);
  if (contacts > 0)
    pc_parallel(threads, pc_pieces(world->touches), 2, put_contacts, job);
  wrong = first_wrong(job, pc_pieces(world->touches));
  if (wrong < 0)
    return PC_OK;
  const int *body = world->touch[job->where[wrong]].body;
  return pc_fail(&world->error, PC_ERROR_NUMERIC, "contact of bodies %d and %d: %s", body[0] + 1,
                 body[1] + 1, job->why[wrong]);
}

static pc_status state_guided(pc_world *world, double h)
{
  for (int t = 0; t < world->touches; t++) {
    pc_touch *touch = &world->touch[t];
    if (touch->law < 0 || !is_guided(world, touch))
      continue;
    touch->interaction = add_guided(world, touch, h);
    if (touch->interaction < 0)
      return pc_fail(&world->error, PC_ERROR_NUMERIC, "contact of bodies %d and %d: %s",
                     touch->body[0] + 1, touch->body[1] + 1, pc_impact_error(world->impact));
  }
  return PC_OK;
}

static pc_status state_problem(pc_world *world, double h)
{
  state_job job = {.world = world,
                   .h = h,
                   .gravity = pc_norm(3, world->def.gravity),
                   .rest = pc_world_rest_speed(world, h)};
  int pieces = pc_pieces(world->touches), guided = 0, contacts = 0;
  bool penalty = world->def.treatment == PC_PENALTY;
  pc_status status = PC_OK;
  pc_impact_clear(world->impact);
  if (!state_laws(world))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < world->bodies; i++)
    world->place[i] = -1;
  for (int t = 0; t < world->touches && status == PC_OK && penalty; t++)
    status = add_overlap(world, &world->touch[t]);
  for (int s = 0; s < world->stiffs && status == PC_OK; s++) {
    push_stiff(world, &world->stiff[s], h);
    for (int b = 0; b < 2 && world->stiff[s].body[b] >= 0; b++)
      mark(world, world->stiff[s].body[b]);
  }
  if (status == PC_OK && !penalty)
    pc_parallel(pc_world_threads(world), pieces, 2, judge_pieces, &job);
  for (int i = 0; i < pieces; i++) {
    job.first[i + 1] += job.first[i];
    guided += job.guided[i];
  }
  contacts = job.first[pieces];
  if (status == PC_OK)
    status = state_contacts(world, &job, contacts);
  if (status == PC_OK && guided > 0)
    status = state_guided(world, h);
  for (int s = 0; s < world->stiffs && status == PC_OK; s++)
    status = add_stiff(world, &world->stiff[s], h);
  return status;
}

static void read_touch(const pc_world *world, pc_touch *touch)
{
  double answer[3];
  pc_impact_percussion(world->impact, touch->interaction, answer);
  if (is_guided(world, touch)) {
    bool plane = world->def.dimension == 2;
    double frame[9];
    frame_of(touch->normal, plane, frame);
    memset(touch->percussion, 0, sizeof touch->percussion);
    for (int r = 0; r < (plane ? 2 : 3); r++)
      for (int k = 0; k < 3; k++)
        touch->percussion[k] += answer[r] * frame[3 * r + k];
  } else {
    double sign = world->outline[touch->body[0]].heavy ? 1 : -1;
    for (int k = 0; k < 3; k++)
      touch->percussion[k] = answer[k] == 0 ? 0 : sign * answer[k];
  }
}

// Percussions, and how many touches have one.
static void read_pieces(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    int pressed = 0, last = pc_piece_begin(world->touches, piece + 1);
    for (int t = pc_piece_begin(world->touches, piece); t < last; t++) {
      pc_touch *touch = &world->touch[t];
      if (touch->interaction >= 0)
        read_touch(world, touch);
      pressed += pc_is_pressed(touch);
    }
    job->first[piece + 1] = pressed;
  }
}

static void read_touches(state_job *job)
{
  int pieces = pc_pieces(job->world->touches);
  job->first[0] = 0;
  pc_parallel(pc_world_threads(job->world), pieces, 2, read_pieces, job);
  for (int i = 0; i < pieces; i++)
    job->first[i + 1] += job->first[i];
}

// Work of the stiff elements on the mean velocities, and the part of it that the impact problem
// counts as dissipated.
static double stiff_work(pc_world *world, double (*mean)[6], double h, double *counted)
{
  double work = 0;
  *counted = 0;
  for (int e = 0; e < world->elements; e++)
    memset(world->element[e].force, 0, sizeof world->element[e].force);
  for (int s = 0; s < world->stiffs; s++) {
    const pc_stiff *stiff = &world->stiff[s];
    double velocity[2][6], weight = stiff->theta * h * h * stiff->stiffness, along = 0,
                           push[6] = {0};
    for (int b = 0; b < 2 && stiff->body[b] >= 0; b++) {
      const pc_solid *body = &world->body[stiff->body[b]];
      double u[6];
      memcpy(velocity[b], mean[stiff->body[b]], sizeof velocity[b]);
      to_dof(body, velocity[b], u);
      for (int k = 0; k < body->dof; k++)
        along += stiff->force_row[b][k] * u[k];
    }
    const pc_solid *first = &world->body[stiff->body[0]];
    for (int k = 0; k < first->dof; k++)
      push[k] = -stiff->force * stiff->force_row[0][k];
    work -= h * stiff->force * along;
    for (int r = 0; r < stiff->rows; r++) {
      double rate = stiff_rate(world, stiff, r, velocity);
      work += weight * rate * (stiff->before[r] - rate);
      *counted += weight * rate * rate;
      for (int k = 0; k < first->dof; k++)
        push[k] += weight / h * (stiff->before[r] - rate) * stiff->row[0][r * first->dof + k];
    }
    if (stiff->element >= 0) {
      double six[6];
      from_dof(first, push, six);
      for (int k = 0; k < 3; k++)
        world->element[stiff->element].force[k] += six[k];
    }
  }
  return work;
}

// Energy of the overlap springs at the end of the step, from what their contacts do.
static double overlap_energy(const pc_world *world, double (*after)[6], double h)
{
  double sum = 0;
  for (int s = 0; s < world->stiffs; s++) {
    const pc_stiff *stiff = &world->stiff[s];
    if (stiff->element >= 0)
      continue;
    double velocity[2][6];
    for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
      memcpy(velocity[b], after[stiff->body[b]], sizeof velocity[b]);
    double depth = fmax(0, stiff->depth + 0.5 * h * stiff_rate(world, stiff, 0, velocity));
    sum += 0.5 * stiff->stiffness * depth * depth;
  }
  return sum;
}

static bool make_room(pc_world *world)
{
  int n = world->bodies;
  return pc_grow(&world->push, &world->push_capacity, n, sizeof *world->push) &&
         pc_grow(&world->loaded, &world->loaded_capacity, n, sizeof *world->loaded) &&
         pc_grow(&world->free, &world->free_capacity, n, sizeof *world->free) &&
         pc_grow(&world->last, &world->last_capacity, n, sizeof *world->last) &&
         pc_grow(&world->place, &world->place_capacity, n, sizeof *world->place) &&
         pc_grow(&world->start, &world->start_capacity, n, sizeof *world->start);
}

// Gives the kinetic energy.
static double measure_energies(pc_world *world)
{
  pc_energies energies = pc_bodies_energies(world);
  world->info.kinetic_translation = energies.translation;
  world->info.kinetic_rotation = energies.rotation;
  world->info.potential = energies.potential;
  return energies.translation + energies.rotation;
}

// The account of the run begins with the first step, and again when the caller changes a state.
static void begin_account(pc_world *world)
{
  pc_step_info *info = &world->info;
  if (world->accounted)
    return;
  double kinetic = measure_energies(world);
  info->stored = pc_elements_stored(world);
  info->total_dissipated = info->total_correction = info->total_prescribed = 0;
  info->total_forces = info->total_stored_error = info->drift = 0;
  world->energy_start = kinetic + info->potential + info->stored;
  world->energy_turnover = kinetic;
  world->accounted = true;
}

// The end of a step, in pieces.
typedef struct end_job {
  pc_world *world;
  double h;
  double gravity[PC_PIECES], forces[PC_PIECES];
} end_job;

// Velocities after, mean ones, and what gravity and forces did on them. From here on push holds the
// mean velocities and free those after.
static void take_velocities(void *context, int begin, int end, int worker)
{
  end_job *job = context;
  pc_world *world = job->world;
  double(*mean)[6] = world->push, (*after)[6] = world->free;
  for (int piece = begin; piece < end; piece++) {
    double gravity = 0, forces = 0;
    for (int i = pc_piece_begin(world->bodies, piece); i < pc_piece_begin(world->bodies, piece + 1);
         i++) {
      const pc_solid *body = &world->body[i];
      pc_body_state *state = &world->state[i];
      double before[6];
      velocity_of(state, before);
      if (body->mass > 0) {
        if (world->place[i] >= 0) {
          double numbers[6] = {0};
          pc_impact_velocity(world->impact, world->place[i], numbers);
          from_dof(body, numbers, after[i]);
        }
        memcpy(state->velocity, after[i], sizeof state->velocity);
        memcpy(state->spin, after[i] + 3, sizeof state->spin);
      }
      for (int k = 0; k < 6; k++)
        mean[i][k] = 0.5 * (before[k] + after[i][k]);
      if (body->mass == 0)
        continue;
      gravity += job->h * body->mass * pc_dot3(world->def.gravity, mean[i]);
      forces += pc_dot3(world->loaded[i], mean[i]) + pc_dot3(world->loaded[i] + 3, mean[i] + 3);
    }
    job->gravity[piece] = gravity;
    job->forces[piece] = forces;
  }
}

static void close_account(pc_world *world, double h, const pc_solve_info *solve, const end_job *job,
                          double (*mean)[6], double (*after)[6])
{
  pc_step_info *info = &world->info;
  double counted, gravity = 0, forces = 0;
  for (int i = 0; i < pc_pieces(world->bodies); i++) {
    gravity += job->gravity[i];
    forces += job->forces[i];
  }
  const pc_audit *audit = &solve->audit;
  info->work_gravity = gravity;
  info->work_forces = forces;
  info->work_elements = stiff_work(world, mean, h, &counted);
  info->work_prescribed = audit->work_prescribed;
  info->dissipated = audit->dissipated - counted;
  info->unsigned_part =
      audit->dissipated_separating + audit->dissipated_restitution + audit->dissipated_friction;
  info->audit = audit->identity;
  info->closed = solve->status != PC_FAILED && audit->closed;
  double before = info->stored;
  info->stored = pc_elements_stored(world) + overlap_energy(world, after, h);
  info->stored_error = info->stored - before + info->work_elements;
  double kinetic = measure_energies(world);
  info->total_dissipated += info->dissipated;
  info->total_correction += info->correction;
  info->total_prescribed += info->work_prescribed;
  info->total_forces += info->work_forces;
  info->total_stored_error += info->stored_error;
  world->energy_turnover += fabs(info->dissipated) + fabs(info->work_prescribed) +
                            fabs(info->work_forces) + fabs(info->work_gravity) +
                            fabs(info->work_elements);
  double now = kinetic + info->potential + info->stored;
  double open = now - world->energy_start - info->total_prescribed - info->total_forces -
                info->total_stored_error - info->total_correction + info->total_dissipated;
  // At rest next to nothing is turned over, and what is left is the round-off of the energies.
  double scale = world->energy_turnover + fabs(world->energy_start);
  info->drift = scale > 0 ? fabs(open) / scale : 0;
}

static void advance_clock(pc_world *world, double h)
{
  if (h != world->last_h) {
    world->base_time = world->time;
    world->base_count = 0;
    world->last_h = h;
  }
  world->base_count++;
  world->step++;
  world->time = world->base_time + (double)world->base_count * h;
}

// Whether a body comes out so much faster than it went in that contacts it may reach were not
// looked for. Fills `last`.
static bool is_struck(pc_world *world, double h)
{
  bool struck = false;
  for (int i = 0; i < world->bodies; i++) {
    const pc_solid *body = &world->body[i];
    if (world->place[i] < 0) {
      memcpy(world->last[i], world->free[i], sizeof world->last[i]);
      continue;
    }
    double numbers[6] = {0};
    pc_impact_velocity(world->impact, world->place[i], numbers);
    from_dof(body, numbers, world->last[i]);
    double speed = pc_norm(3, world->last[i]);
    if (!body->ball)
      speed += pc_norm(3, world->last[i] + 3) * body->radius;
    // A wall without end has no radius: its contacts are found whatever its speed.
    struck = struck || h * speed > world->outline[i].reach + 0.02 * body->radius;
  }
  return struck;
}

// Contacts, their problem and its answer. A body that is struck may reach others in the same step:
// then contacts are looked for again, with the velocities it got.
static pc_status solve_step(pc_world *world, double h, pc_solve_info *solve, state_job *reading)
{
  enum { MOST = 3 };
  pc_step_info *info = &world->info;
  pc_solve_options options = pc_solve_options_default();
  options.solver = world->solver;
  options.tolerance = world->def.tolerance;
  options.max_iterations = world->def.max_iterations;
  options.warm_start = true;
  options.threads = world->def.threads;
  pc_status status = pc_elements_rows(world, h);
  world->again = false;
  for (int pass = 1; status == PC_OK; pass++) {
    double begun = pc_clock_seconds();
    status = pc_contacts_find(world, h);
    double found = pc_clock_seconds();
    info->detection_s += found - begun;
    if (status == PC_OK)
      status = state_problem(world, h);
    if (status != PC_OK)
      break;
    *solve = (pc_solve_info){.status = PC_SOLVED, .audit.closed = true};
    if (pc_impact_interactions(world->impact) > 0) {
      status = pc_impact_solve(world->impact, &options, solve);
      if (status != PC_OK || solve->status == PC_FAILED)
        return pc_fail(&world->error, status != PC_OK ? status : PC_ERROR_NUMERIC,
                       "step %ld: the impact problem was not solved: %s", world->step + 1,
                       pc_impact_error(world->impact));
    }
    *reading = (state_job){.world = world};
    read_touches(reading);
    bool done = pass == MOST || world->def.treatment == PC_PENALTY || !is_struck(world, h);
    info->solve_s += pc_clock_seconds() - found;
    if (done)
      break;
    world->again = true;
    status = pc_contacts_keep(world, reading->first);
    if (status == PC_OK && world->stiffs > 0) {
      pc_forces_again(world, h);
      status = pc_elements_rows(world, h);
    }
  }
  world->again = false;
  return status;
}

static pc_status check_finite(pc_world *world)
{
  for (int i = 0; i < world->bodies; i++) {
    const pc_body_state *state = &world->state[i];
    double sum = pc_dot3(state->velocity, state->velocity) + pc_dot3(state->spin, state->spin) +
                 pc_dot3(state->position, state->position);
    if (!isfinite(sum))
      return pc_fail(&world->error, PC_ERROR_NUMERIC,
                     "step %ld: the motion of body %d is no longer finite", world->step, i + 1);
  }
  return PC_OK;
}

pc_status pc_world_step(pc_world *world, double h)
{
  world->error = (pc_error){0};
  if (!(h > 0) || !isfinite(h))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "the step must be positive and finite");
  if (!make_room(world))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  begin_account(world);
  pc_step_info *info = &world->info;
  int threads = pc_world_threads(world);
  double begun = pc_clock_seconds();

  pc_bodies_advance(world, 0.5 * h);
  for (int i = 0; i < world->bodies && world->driven > 0; i++)
    if (world->body[i].kind == PC_DRIVEN) {
      pc_motion_between(&world->body[i], world->time, world->time + h, &world->state[i]);
      pc_motion_place(&world->body[i], world->time + 1.5 * h, &world->body[i].next);
    }
  pc_status status = pc_forces_push(world, h);
  if (status != PC_OK)
    return status;
  pc_parallel(threads, world->bodies, 1000, free_velocities, world);
  pc_solve_info solve;
  state_job reading;
  info->detection_s = pc_clock_seconds() - begun;
  info->solve_s = 0;
  status = solve_step(world, h, &solve, &reading);
  if (status != PC_OK)
    return status;

  end_job job = {.world = world, .h = h};
  pc_parallel(threads, pc_pieces(world->bodies), 2, take_velocities, &job);
  info->deepest = world->deepest;
  status = pc_contacts_push_out(world, h, &info->correction);
  if (status != PC_OK)
    return status;
  pc_bodies_advance(world, 0.5 * h);
  advance_clock(world, h);
  for (int i = 0; i < world->bodies && world->driven > 0; i++)
    if (world->body[i].kind == PC_DRIVEN) {
      pc_body_state place;
      pc_motion_place(&world->body[i], world->time, &place);
      memcpy(world->state[i].position, place.position, sizeof place.position);
      memcpy(world->state[i].orientation, place.orientation, sizeof place.orientation);
    }
  close_account(world, h, &solve, &job, world->push, world->free);
  info->step = world->step;
  info->time = world->time;
  info->contacts = world->touches;
  info->islands = solve.islands;
  info->iterations = solve.iterations;
  info->residual = solve.residual;
  info->status = solve.status;
  status = pc_contacts_keep(world, reading.first);
  info->step_s = pc_clock_seconds() - begun;
  return status == PC_OK ? check_finite(world) : status;
}
