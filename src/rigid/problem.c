// The impact problem of a step: bodies, the law of each contact, contacts; and its answer.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/prefetch.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/bulk.h"
#include "rigid/discs.h"
#include "rigid/forces.h"

// Bodies and contacts that are asked for ahead, by so many rounds.
enum { MORE_AHEAD = 48, AHEAD = 12, NEARER = 6 };

// Work on the impact problem, in pieces.
typedef struct state_job {
  pc_world *world;
  double h, gravity, rest;
  int first[PC_PIECES + 1];  // contacts of the pieces before
  int guided[PC_PIECES];     // contacts of guided bodies
  int bodies[PC_PIECES + 1]; // of the pieces before, and their velocities
  int dofs[PC_PIECES + 1];
  int disc;                   // discs.h: from there on all are
  const char *why[PC_PIECES]; // what is wrong with body or contact `where`
  int where[PC_PIECES];
} state_job;

// A body enters the impact problem when something acts on it: first with the number of its
// velocities in its place.
static void mark(pc_world *world, int i)
{
  // Several threads may do it at a time.
  if (world->outlines.body.at[i].heavy)
    __atomic_store_n(&world->problem.index.at[i], world->outlines.body.at[i].dof, __ATOMIC_RELAXED);
}

// From there on who has a mass has a place, at a contact that acts: a smaller array than that of
// the bodies.
static inline bool is_heavy(const pc_world *world, int i)
{
  return world->problem.index.at[i] >= 0;
}

static void describe_body(pc_world *world, int i, double h, pc_impact_body *entry)
{
  const pc_solid *body = &world->bodies.solid.at[i];
  const pc_body_state *state = &world->bodies.state.at[i];
  double six[6], room[6];
  const double *push =
      world->pushed ? world->scratch.external.at[i] : pc_forces_push(world, i, h, room);
  entry->dof = body->dof;
  entry->mass = body->mass;
  if (body->dof == 6) {
    pc_state_velocity(state, entry->velocity);
    memcpy(entry->percussion, push, sizeof room);
    pc_problem_rest(6, body->mass, entry->velocity, entry->percussion);
  } else {
    pc_state_velocity(state, six);
    pc_body_to_dof(body, six, entry->velocity);
    pc_body_to_dof(body, push, entry->percussion);
    pc_problem_rest(body->dof, body->mass, entry->velocity, entry->percussion);
  }
  memcpy(entry->position, state->position, sizeof entry->position);
  if (body->dof == 3)
    entry->inertia[0] = body->moment;
  else if (body->dof == 6 && body->turns)
    pc_body_inertia(body, state, entry->inertia);
  else if (body->dof == 6)
    for (int k = 0; k < 9; k++)
      entry->inertia[k] = k % 4 == 0 ? INFINITY : 0;
}

// What workers write while they work is their own: lines of memory that two write to go to and fro.
static void put_bodies(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  pc_world *world = job->world;
  pc_impact_body entry = pc_impact_body_default();
  for (int piece = begin; piece < end; piece++) {
    int i = pc_piece_begin(world->bodies.count, piece),
        last = pc_piece_begin(world->bodies.count, piece + 1);
    int place = job->bodies[piece], start = job->dofs[piece];
    const char *why = NULL;
    for (; i < last && why == NULL; i++) {
      if (i + AHEAD < last && world->problem.index.at[i + AHEAD] >= 0) {
        pc_prefetch(world->bodies.state.at, i + AHEAD, sizeof *world->bodies.state.at);
        pc_prefetch(world->bodies.solid.at, i + AHEAD, sizeof *world->bodies.solid.at);
      }
      if (world->problem.index.at[i] < 0)
        continue;
      world->problem.index.at[i] = place++;
      world->problem.dof_start.at[i] = start;
      if (i >= job->disc) {
        start += 2;
        why = pc_disc_put(world, job->h, i);
        continue;
      }
      start += world->bodies.solid.at[i].dof;
      describe_body(world, i, job->h, &entry);
      why = pc_impact_put_body(world->problem.impact, world->problem.index.at[i],
                               world->problem.dof_start.at[i], &entry);
    }
    job->why[piece] = why;
    job->where[piece] = i - 1;
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
enum { INELASTIC = PC_CALM_INELASTIC, SLIPPERY = PC_CALM_SLIPPERY, VARIANTS = 4 };

static void get_law(const pc_world *world, int place, pc_law *law)
{
  int pair = place / VARIANTS;
  *law = pair < world->materials.pair.count ? world->materials.pair.at[pair].law
                                            : world->materials.default_law;
  if (place & INELASTIC)
    law->normal.kind = PC_NORMAL_INELASTIC;
  if (place & SLIPPERY)
    law->tangential.kind = PC_TANGENTIAL_NONE;
}

static bool state_laws(pc_world *world)
{
  int count = VARIANTS * (world->materials.pair.count + 1);
  if (!pc_array_reserve(&world->problem.law, count))
    return false;
  for (int i = 0; i < count; i++) {
    pc_law law;
    get_law(world, i, &law);
    world->problem.law.at[i] = pc_impact_add_law(world->problem.impact, &law);
  }
  return true;
}

static bool rolls(const pc_law *law)
{
  return law->tangential.kind == PC_TANGENTIAL_COULOMB && law->tangential.rolls;
}

bool pc_problem_rolls(const pc_world *world)
{
  bool any = rolls(&world->materials.default_law);
  for (int i = 0; i < world->materials.pair.count; i++)
    any = any || rolls(&world->materials.pair.at[i].law);
  return any;
}

// What acts at a contact in this step, or -1. The dissipative part of a normal law acts only where
// the contact approaches; slow impacts do not rebound, or nothing would ever rest.
static int contact_law(const state_job *job, const pc_touch *touch, double *bound)
{
  const pc_world *world = job->world;
  double h = job->h;
  int pair = pc_contacts_law(world, world->outlines.body.at[touch->body[0]].material,
                             world->outlines.body.at[touch->body[1]].material);
  const pc_law *law = pair < world->materials.pair.count ? &world->materials.pair.at[pair].law
                                                         : &world->materials.default_law;
  pc_normal_kind kind = law->normal.kind;
  bool viscous = law->tangential.kind == PC_TANGENTIAL_VISCOUS;
  int which = VARIANTS * pair;
  *bound = 0;
  if (kind == PC_NORMAL_BILATERAL)
    return which;
  which |= world->calm;
  bool separating = touch->before > job->gravity * h, meets = touch->before < -job->rest;
  if (separating && viscous)
    which |= SLIPPERY;
  if (kind == PC_NORMAL_PENETRABLE)
    return !separating && touch->gap <= 0 ? which : -1;
  bool position = world->def.treatment == PC_POSITION_LEVEL;
  bool rebounds = can_rebound(&law->normal) && meets && !(which & INELASTIC) &&
                  (touch->gap <= 0 || touch->gap + h * fmin(touch->before, touch->free) < 0);
  if (!rebounds)
    which |= INELASTIC;
  // What separates and is stopped gains R D-/2, because R works on the mean velocity; with D+ >=
  // -D- it gains nothing.
  if (world->def.dissipative && !position && !(world->calm & INELASTIC) &&
      kind != PC_NORMAL_RESTITUTION && can_rebound(&law->normal) && touch->before > 0)
    *bound = -touch->before;
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
  const pc_body_state *now = &world->bodies.state.at[i], *next;
  double arm[3], turned[3], bend[3] = {0};
  if (world->bodies.solid.at[i].kind != PC_DRIVEN) {
    memset(velocity, 0, 3 * sizeof(double));
    return;
  }
  next = &world->bodies.solid.at[i].form->course->next;
  for (int k = 0; k < 3; k++)
    arm[k] = touch->point[k] - now->position[k];
  pc_cross(now->spin, arm, turned);
  add_bend(now, touch->point, 0.5 * h, bend);
  add_bend(&world->bodies.state.at[other], touch->point, -0.5 * h, bend);
  double normal = pc_dot3(bend, touch->normal);
  for (int k = 0; k < 3; k++)
    velocity[k] = (next->position[k] - now->position[k]) / h + turned[k] + bend[k] -
                  normal * touch->normal[k];
}

// Rolling friction between a body and what does not turn: spins about the tangents.
static void spin_rows(const pc_solid *body, bool plane, const double *frame, double sign,
                      double *row)
{
  for (int r = 0; r < (plane ? 1 : 2); r++, row += body->dof) {
    if (body->dof == 3)
      row[2] = sign;
    for (int k = 0; k < 3 && body->dof == 6; k++)
      row[3 + k] = sign * frame[3 * (1 + r) + k];
  }
}

// Contacts of guided bodies, whose only velocity is along the guide, are stated by rows.
static int add_guided(pc_world *world, const pc_touch *touch, double h)
{
  bool plane = world->def.dimension == 2;
  int rows = plane ? 2 : 3, terms = 0;
  double frame[9], coefficient[2][30] = {{0}}, given[5] = {0};
  pc_row_term term[2];
  pc_interaction by_rows = pc_interaction_default(PC_ROWS);
  get_law(world, touch->law, &by_rows.law);
  bool rolling = rolls(&by_rows.law);
  by_rows.rows = !rolling ? rows : plane ? 3 : 5;
  pc_contact_axes(touch->normal, plane, frame);
  for (int b = 0; b < 2; b++) {
    int i = touch->body[b];
    const pc_solid *body = &world->bodies.solid.at[i];
    double sign = b == 0 ? 1 : -1, velocity[3];
    if (body->mass == 0) {
      obstacle_velocity(world, i, touch->body[1 - b], touch, h, velocity);
      for (int r = 0; r < rows; r++)
        given[r] += sign * pc_dot3(frame + 3 * r, velocity);
      const double *spin = world->bodies.state.at[i].spin;
      for (int r = rows; r < by_rows.rows && body->kind == PC_DRIVEN; r++)
        given[r] += sign * (plane ? spin[2] : pc_dot3(frame + 3 * (r - 2), spin));
      continue;
    }
    for (int r = 0; r < rows; r++) {
      double *row = coefficient[terms] + r * body->dof;
      pc_body_row(body, &world->bodies.state.at[i], touch->point, frame + 3 * r, row);
      for (int k = 0; k < body->dof; k++)
        row[k] *= sign;
    }
    if (rolling && body->turns)
      spin_rows(body, plane, frame, sign, coefficient[terms] + rows * body->dof);
    term[terms] = (pc_row_term){world->problem.index.at[i], coefficient[terms]};
    terms++;
  }
  by_rows.terms = terms;
  by_rows.term = term;
  by_rows.unilateral = by_rows.law.normal.kind != PC_NORMAL_PENETRABLE &&
                       by_rows.law.normal.kind != PC_NORMAL_BILATERAL;
  by_rows.bound = touch->bound;
  memcpy(by_rows.given, given, sizeof given);
  for (int r = 0; r < rows; r++)
    by_rows.guess[r] = pc_dot3(frame + 3 * r, touch->percussion);
  return pc_impact_add_interaction(world->problem.impact, &by_rows);
}

static bool is_guided(const pc_world *world, const pc_touch *touch)
{
  return world->bodies.guided > 0 && (world->outlines.body.at[touch->body[0]].kind == PC_GUIDED ||
                                      world->outlines.body.at[touch->body[1]].kind == PC_GUIDED);
}

// Loops over contacts meet bodies in any order: asks for those of a contact some rounds ahead.
static inline void prefetch_outlines(const pc_world *world, int t, int last)
{
  pc_prefetch(world->contacts.list.at, t + MORE_AHEAD, sizeof(pc_touch));
  if (t + AHEAD >= last)
    return;
  const int *body = world->contacts.list.at[t + AHEAD].body;
  __builtin_prefetch(&world->outlines.body.at[body[0]]);
  __builtin_prefetch(&world->outlines.body.at[body[1]]);
}

// Laws of the contacts, how many there are, and on which bodies they act.
static void judge_pieces(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    int count = 0, guided = 0, begun = pc_piece_begin(world->contacts.list.count, piece);
    int last = pc_piece_begin(world->contacts.list.count, piece + 1);
    pc_contacts_remember(world, begun, last);
    for (int t = begun; t < last; t++) {
      pc_touch *touch = &world->contacts.list.at[t];
      prefetch_outlines(world, t, last);
      touch->law = contact_law(job, touch, &touch->bound);
      if (touch->law < 0) {
        memset(touch->percussion, 0, sizeof touch->percussion);
        continue;
      }
      mark(world, touch->body[0]);
      mark(world, touch->body[1]);
      if (is_guided(world, touch))
        guided++;
      else
        count++;
    }
    job->guided[piece] = guided;
    job->first[piece + 1] = count;
  }
}

// An obstacle is never first: the normal then points from body to obstacle.
static void describe_contact(const pc_world *world, const pc_touch *touch, double h,
                             pc_interaction *entry)
{
  int a = touch->body[0], b = touch->body[1];
  bool swapped = !is_heavy(world, a);
  double sign = swapped ? -1 : 1;
  int first = swapped ? b : a, second = swapped ? a : b;
  entry->bodies[0] = world->problem.index.at[first];
  entry->bodies[1] = PC_OBSTACLE;
  entry->bound = touch->bound;
  memcpy(entry->point, touch->point, sizeof entry->point);
  memset(entry->given, 0, sizeof entry->given);
  for (int k = 0; k < 3; k++) {
    entry->normal[k] = sign * touch->normal[k];
    entry->guess[k] = sign * touch->percussion[k];
  }
  if (is_heavy(world, second)) {
    entry->bodies[1] = world->problem.index.at[second];
  } else if (world->outlines.body.at[second].kind == PC_DRIVEN) {
    obstacle_velocity(world, second, first, touch, h, entry->given);
    for (int k = 0; k < 3; k++)
      entry->given[k] = -entry->given[k];
    // For rolling friction, where it acts.
    const double *spin = world->bodies.state.at[second].spin;
    if (world->def.dimension == 2)
      entry->given[2] = -spin[2];
    for (int k = 0; k < 3 && world->def.dimension == 3; k++)
      entry->given[3 + k] = -spin[k];
  }
}

// The moment of rolling friction that the contact had in the last step.
static void guess_moment(const pc_world *world, const pc_touch *touch, pc_interaction *entry)
{
  bool plane = world->def.dimension == 2;
  int low = 0, high = world->contacts.moment.count;
  double *guess = entry->guess + (plane ? 2 : 3);
  memset(guess, 0, sizeof(double) * (plane ? 1 : 3));
  while (low < high) {
    int middle = low + (high - low) / 2;
    const int *body = world->contacts.moment.at[middle].body;
    if (body[0] < touch->body[0] || (body[0] == touch->body[0] && body[1] < touch->body[1]))
      low = middle + 1;
    else
      high = middle;
  }
  double sign = world->outlines.body.at[touch->body[0]].heavy ? 1 : -1;
  for (int i = low;
       i < world->contacts.moment.count && world->contacts.moment.at[i].body[0] == touch->body[0] &&
       world->contacts.moment.at[i].body[1] == touch->body[1];
       i++)
    for (int k = 0; k < (plane ? 1 : 3) && world->contacts.moment.at[i].feature == touch->feature;
         k++)
      guess[k] = sign * world->contacts.moment.at[i].moment[plane ? 2 : k];
}

// Most contacts need no more than this. False: the others.
static inline bool put_plain(pc_world *world, const pc_touch *touch, int next, int law)
{
  int a = touch->body[0], b = touch->body[1];
  bool swapped = !is_heavy(world, a);
  int first = swapped ? b : a, second = swapped ? a : b;
  bool heavy = is_heavy(world, second);
  if (law < 0 || world->contacts.moment.count > 0 ||
      (!heavy && world->outlines.body.at[second].kind == PC_DRIVEN))
    return false;
  pc_plain_contact contact = {
      {world->problem.index.at[first], heavy ? world->problem.index.at[second] : PC_OBSTACLE},
      swapped ? -1 : 1,
      touch->bound,
      touch->normal,
      touch->point,
      touch->percussion,
      touch->interaction == PC_SETTLED};
  return pc_impact_put_plain(world->problem.impact, next, law, &contact);
}

static void put_contacts(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  pc_world *world = job->world;
  pc_interaction entry = pc_interaction_default(PC_CONTACT);
  for (int piece = begin; piece < end; piece++) {
    int next = job->first[piece], last = pc_piece_begin(world->contacts.list.count, piece + 1);
    for (int t = pc_piece_begin(world->contacts.list.count, piece);
         t < last && job->why[piece] == NULL; t++) {
      pc_touch *touch = &world->contacts.list.at[t];
      pc_prefetch(touch, MORE_AHEAD, sizeof *touch);
      if (t + NEARER < last)
        pc_impact_prefetch(world->problem.impact, world->problem.index.at[touch[NEARER].body[0]],
                           world->problem.index.at[touch[NEARER].body[1]]);
      if (touch->law < 0 || is_guided(world, touch))
        continue;
      int law = world->problem.law.at[touch->law];
      if (put_plain(world, touch, next, law)) {
        touch->interaction = next++;
        continue;
      }
      describe_contact(world, touch, job->h, &entry);
      if (world->contacts.moment.count > 0)
        guess_moment(world, touch, &entry);
      job->why[piece] = law < 0 ? pc_impact_error(world->problem.impact)
                                : pc_impact_put_contact(world->problem.impact, next, law, &entry);
      job->where[piece] = t;
      touch->interaction = next++;
    }
  }
}

// How many bodies something acts on, and velocities they have.
static void count_bodies(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  const pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    int bodies = 0, dofs = 0, last = pc_piece_begin(world->bodies.count, piece + 1);
    for (int i = pc_piece_begin(world->bodies.count, piece); i < last; i++)
      if (world->problem.index.at[i] >= 0) {
        bodies++;
        dofs += world->problem.index.at[i];
      }
    job->bodies[piece + 1] = bodies;
    job->dofs[piece + 1] = dofs;
  }
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
  int threads = pc_world_threads(world), pieces = pc_pieces(world->bodies.count);
  pc_parallel(threads, pieces, 2, count_bodies, job);
  for (int i = 0; i < pieces; i++) {
    job->bodies[i + 1] += job->bodies[i];
    job->dofs[i + 1] += job->dofs[i];
  }
  int bodies = job->bodies[pieces], dofs = job->dofs[pieces];
  int space = world->def.dimension, numbers = !pc_problem_rolls(world) ? space : space == 3 ? 6 : 3;
  if (pc_impact_open(world->problem.impact, bodies, dofs, contacts, numbers) != PC_OK)
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  job->disc = pc_discs_first(world);
  pc_parallel(threads, pieces, 2, put_bodies, job);
  int wrong = first_wrong(job, pieces);
  if (wrong >= 0)
    return pc_fail(&world->error, PC_ERROR_NUMERIC, "body %d: %s",
                   pc_body_number(world, job->where[wrong]).id, job->why[wrong]);
  if (contacts > 0)
    pc_parallel(threads, pc_pieces(world->contacts.list.count), 2, put_contacts, job);
  wrong = first_wrong(job, pc_pieces(world->contacts.list.count));
  if (wrong < 0)
    return PC_OK;
  const int *body = world->contacts.list.at[job->where[wrong]].body;
  return pc_fail(&world->error, PC_ERROR_NUMERIC, "contact of bodies %d and %d: %s",
                 pc_body_number(world, body[0]).id, pc_body_number(world, body[1]).id,
                 job->why[wrong]);
}

static pc_status state_guided(pc_world *world, double h)
{
  for (int t = 0; t < world->contacts.list.count; t++) {
    pc_touch *touch = &world->contacts.list.at[t];
    if (touch->law < 0 || !is_guided(world, touch))
      continue;
    touch->interaction = add_guided(world, touch, h);
    if (touch->interaction < 0)
      return pc_fail(&world->error, PC_ERROR_NUMERIC, "contact of bodies %d and %d: %s",
                     pc_body_number(world, touch->body[0]).id,
                     pc_body_number(world, touch->body[1]).id,
                     pc_impact_error(world->problem.impact));
  }
  return PC_OK;
}

pc_status pc_problem_state(pc_world *world, double h)
{
  state_job job = {.world = world,
                   .h = h,
                   .gravity = pc_norm(3, world->def.gravity),
                   .rest = pc_world_rest_speed(world, h)};
  int pieces = pc_pieces(world->contacts.list.count), guided = 0, contacts = 0;
  bool penalty = world->def.treatment == PC_PENALTY;
  pc_status status = PC_OK;
  pc_impact_clear(world->problem.impact);
  if (!state_laws(world))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  memset(world->problem.index.at, -1,
         sizeof *world->problem.index.at * (size_t)world->bodies.count);
  for (int t = 0; t < world->contacts.list.count && status == PC_OK && penalty; t++)
    status = pc_stiff_overlap(world, &world->contacts.list.at[t]);
  for (int s = 0; s < world->elements.row.count && status == PC_OK; s++) {
    pc_stiff_push(world, &world->elements.row.at[s], h);
    for (int b = 0; b < 2 && world->elements.row.at[s].body[b] >= 0; b++)
      mark(world, world->elements.row.at[s].body[b]);
  }
  if (status == PC_OK && !world->looking)
    pc_stiff_react(world);
  for (int e = 0; e < world->elements.list.count && !world->looking; e++)
    for (int i = 0; i < world->elements.list.at[e].count && world->elements.list.at[e].moves; i++)
      mark(world, world->elements.list.at[e].bodies[i]);
  for (int b = 0; b < 2 * world->elements.bond.count; b++)
    if (pc_bond_holds(world, &world->elements.bond.at[b / 2]))
      mark(world, pc_body_slot(world, world->elements.bond.at[b / 2].body[b % 2]));
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
  for (int s = 0; s < world->elements.row.count && status == PC_OK; s++)
    status = pc_stiff_state(world, &world->elements.row.at[s], h);
  for (int b = 0; b < world->elements.bond.count && status == PC_OK; b++)
    status = pc_bond_state(world, &world->elements.bond.at[b]);
  return status;
}

// Whether a contact is what it was in the problem that was solved.
static bool stands(const state_job *job, const pc_touch *old, const pc_touch *now)
{
  double bound;
  return old->body[0] == now->body[0] && old->body[1] == now->body[1] &&
         old->feature == now->feature && old->gap == now->gap &&
         memcmp(old->normal, now->normal, sizeof now->normal) == 0 &&
         memcmp(old->point, now->point, sizeof now->point) == 0 &&
         contact_law(job, now, &bound) == old->law && bound == old->bound;
}

bool pc_problem_stands(pc_world *world, double h, int known)
{
  state_job job = {.world = world,
                   .h = h,
                   .gravity = pc_norm(3, world->def.gravity),
                   .rest = pc_world_rest_speed(world, h)};
  pc_touch_list *before = &world->contacts.finding.at[0].touches; // see join() in contacts.c
  if (world->contacts.list.count != known || world->bodies.sleepers > 0 ||
      world->elements.row.count > 0 || world->elements.list.count > 0)
    return false;
  for (int t = 0; t < known; t++)
    if (!stands(&job, &before->at[t], &world->contacts.list.at[t]))
      return false;
  pc_touch_list now = {world->contacts.list.at, 0, world->contacts.list.capacity};
  world->contacts.list = (pc_touch_list){before->at, known, before->capacity};
  *before = now;
  return true;
}

void pc_problem_read(const pc_world *world, pc_touch *touch)
{
  double answer[3];
  if (touch->interaction < 0)
    return;
  pc_impact_percussion(world->problem.impact, touch->interaction, answer);
  if (is_guided(world, touch)) {
    bool plane = world->def.dimension == 2;
    double frame[9];
    pc_contact_axes(touch->normal, plane, frame);
    memset(touch->percussion, 0, sizeof touch->percussion);
    for (int r = 0; r < (plane ? 2 : 3); r++)
      for (int k = 0; k < 3; k++)
        touch->percussion[k] += answer[r] * frame[3 * r + k];
  } else {
    double sign = is_heavy(world, touch->body[0]) ? 1 : -1;
    for (int k = 0; k < 3; k++)
      touch->percussion[k] = sign * answer[k] + 0.0; // no -0
  }
}

// Moments of rolling friction, for the next step. Without room for them it starts without.
void pc_problem_keep_moments(pc_world *world)
{
  world->contacts.moment.count = 0;
  if (!pc_problem_rolls(world) ||
      !pc_array_reserve(&world->contacts.moment, world->contacts.list.count))
    return;
  for (int t = 0; t < world->contacts.list.count; t++) {
    const pc_touch *touch = &world->contacts.list.at[t];
    if (!pc_is_pressed(touch) || touch->interaction < 0 || is_guided(world, touch))
      continue;
    pc_moment *to = &world->contacts.moment.at[world->contacts.moment.count++];
    *to = (pc_moment){.body = {touch->body[0], touch->body[1]}, .feature = touch->feature};
    pc_impact_moment(world->problem.impact, touch->interaction, to->moment);
    for (int k = 0; k < 3 && !world->outlines.body.at[touch->body[0]].heavy; k++)
      to->moment[k] = -to->moment[k];
  }
}

void pc_problem_velocity(const pc_world *world, int i, double six[6])
{
  const double *all = pc_impact_velocities(world->problem.impact);
  pc_body_from_dof(&world->bodies.solid.at[i], all + world->problem.dof_start.at[i], six);
}

void pc_problem_free(pc_problem *problem)
{
  pc_impact_destroy(problem->impact);
  pc_array_free(&problem->index);
  pc_array_free(&problem->dof_start);
  pc_array_free(&problem->law);
}
