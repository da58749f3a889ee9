// Stating the impact problem of a step: bodies, contacts with their laws, stiff elements, bonds.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/prefetch.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/bulk.h"
#include "rigid/contact_law.h"

// Bodies and contacts that are asked for ahead, by so many rounds.
enum { MORE_AHEAD = 48, AHEAD = 12, NEARER = 6 };

void pc_problem_free(pc_problem *problem)
{
  pc_impact_destroy(problem->impact);
  pc_array_free(&problem->dof);
  pc_array_free(&problem->index);
  pc_array_free(&problem->dof_start);
  pc_array_free(&problem->law);
}

bool pc_problem_reserve(pc_problem *problem, int bodies)
{
  return pc_array_reserve(&problem->dof, bodies) && pc_array_reserve(&problem->index, bodies) &&
         pc_array_reserve(&problem->dof_start, bodies);
}

// Work on the impact problem, in pieces.
typedef struct state_job {
  const pc_step *step;
  int first[PC_PIECES + 1];  // contacts of the pieces before
  int guided[PC_PIECES];     // contacts of guided bodies
  bool bends[PC_PIECES];     // some contacts may
  int bodies[PC_PIECES + 1]; // of the pieces before, and their velocities
  int dofs[PC_PIECES + 1];
  bool settles;               // contacts that are remembered are as in the solve before
  const char *why[PC_PIECES]; // what is wrong with body or contact `where`
  int where[PC_PIECES];
} state_job;

// A body enters the impact problem when something acts on it. Several threads may mark bodies at a
// time.
static void mark(pc_world *world, int i)
{
  const pc_outline *outline = &world->outlines.body.at[i];
  if (outline->heavy)
    __atomic_store_n(&world->problem.dof.at[i], outline->dof, __ATOMIC_RELAXED);
}

// Once bodies are in the problem: of the bodies of a contact that acts, those with a mass are
// there. This array is smaller than that of the bodies.
static inline bool is_heavy(const pc_world *world, int i)
{
  return world->problem.index.at[i] >= 0;
}

// P_ext of a body, stored or recomputed.
static const double *external_of(const pc_step *step, int i, double room[6])
{
  static const double none[6];
  if (!step->acts)
    return none;
  return step->keeps_external ? step->world->scratch.external.at[i]
                              : pc_step_make_external(step, i, room);
}

static void describe_body(const pc_step *step, int i, pc_impact_body *entry)
{
  const pc_world *world = step->world;
  const pc_solid *body = &world->bodies.solid.at[i];
  const pc_body_state *state = &world->bodies.state.at[i];
  double six[6], room[6];
  const double *external = external_of(step, i, room);
  entry->dof = body->dof;
  entry->mass = body->mass;
  if (body->dof == 6) {
    pc_state_velocity(state, entry->velocity);
    memcpy(entry->percussion, external, sizeof room);
    pc_problem_rest(6, body->mass, entry->velocity, entry->percussion);
  } else {
    pc_state_velocity(state, six);
    pc_body_to_dof(body, six, entry->velocity);
    pc_body_to_dof(body, external, entry->percussion);
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

// What a worker writes while it works is its own: cache lines that two write to go to and fro.
static void put_bodies(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  pc_world *world = job->step->world;
  pc_impact_body entry = pc_impact_body_default();
  for (int piece = begin; piece < end; piece++) {
    int i = pc_piece_begin(world->bodies.count, piece),
        last = pc_piece_begin(world->bodies.count, piece + 1);
    int index = job->bodies[piece], start = job->dofs[piece];
    const char *why = NULL;
    for (; i < last && why == NULL; i++) {
      if (i + AHEAD < last && world->problem.dof.at[i + AHEAD] > 0) {
        pc_prefetch(world->bodies.state.at, i + AHEAD, sizeof *world->bodies.state.at);
        pc_prefetch(world->bodies.solid.at, i + AHEAD, sizeof *world->bodies.solid.at);
      }
      if (world->problem.dof.at[i] == 0) {
        world->problem.index.at[i] = -1;
        continue;
      }
      world->problem.index.at[i] = index++;
      world->problem.dof_start.at[i] = start;
      start += world->bodies.solid.at[i].dof;
      describe_body(job->step, i, &entry);
      why = pc_impact_put_body(world->problem.impact, world->problem.index.at[i],
                               world->problem.dof_start.at[i], &entry);
    }
    job->why[piece] = why;
    job->where[piece] = i - 1;
  }
}

static bool state_laws(pc_world *world)
{
  int count = PC_LAW_VARIANTS * (world->materials.pair.count + 1);
  if (!pc_array_reserve(&world->problem.law, count))
    return false;
  for (int i = 0; i < count; i++) {
    pc_law law;
    pc_contact_law_variant(&world->materials, i, &law);
    world->problem.law.at[i] = pc_impact_add_law(world->problem.impact, &law);
  }
  return true;
}

// How the velocity of a body's point changes in half a step because the body turns.
static void add_bend(const pc_body_state *state, const double *point, double half, double *bend)
{
  double arm[3], speed[3], turned[3];
  pc_sub3(point, state->position, arm);
  pc_cross(state->spin, arm, speed);
  pc_cross(state->spin, speed, turned);
  for (int k = 0; k < 3; k++)
    bend[k] += half * turned[k];
}

// The velocity of an obstacle at a contact, from the middle of this step to that of the next, as
// bodies have their velocity after. Along the surface both points bend away from their velocities
// at the middle; without that term bodies stuck to something that turns would spiral outward.
static void obstacle_velocity(const pc_world *world, int i, int other,
                              const pc_contact_data *contact, double h, double *velocity)
{
  const pc_body_state *now = &world->bodies.state.at[i], *next;
  double arm[3], turned[3], bend[3] = {0};
  if (world->bodies.solid.at[i].kind != PC_DRIVEN) {
    memset(velocity, 0, 3 * sizeof(double));
    return;
  }
  next = &world->bodies.solid.at[i].form->course->next;
  pc_sub3(contact->point, now->position, arm);
  pc_cross(now->spin, arm, turned);
  add_bend(now, contact->point, 0.5 * h, bend);
  add_bend(&world->bodies.state.at[other], contact->point, -0.5 * h, bend);
  double normal = pc_dot3(bend, contact->normal);
  for (int k = 0; k < 3; k++)
    velocity[k] = (next->position[k] - now->position[k]) / h + turned[k] + bend[k] -
                  normal * contact->normal[k];
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
static int add_guided(pc_world *world, const pc_contact_data *contact, double h)
{
  bool plane = world->def.dimension == 2;
  int rows = plane ? 2 : 3, terms = 0;
  double frame[9], coefficient[2][30] = {{0}}, given[5] = {0};
  pc_row_term term[2];
  pc_interaction by_rows = pc_interaction_default(PC_ROWS);
  pc_contact_law_variant(&world->materials, contact->law, &by_rows.law);
  bool rolling = pc_law_rolls(&by_rows.law);
  by_rows.rows = !rolling ? rows : plane ? 3 : 5;
  pc_contact_axes(contact->normal, plane, frame);
  for (int b = 0; b < 2; b++) {
    int i = contact->body[b];
    const pc_solid *body = &world->bodies.solid.at[i];
    double sign = b == 0 ? 1 : -1, velocity[3];
    if (body->mass == 0) {
      obstacle_velocity(world, i, contact->body[1 - b], contact, h, velocity);
      for (int r = 0; r < rows; r++)
        given[r] += sign * pc_dot3(frame + 3 * r, velocity);
      const double *spin = world->bodies.state.at[i].spin;
      for (int r = rows; r < by_rows.rows && body->kind == PC_DRIVEN; r++)
        given[r] += sign * (plane ? spin[2] : pc_dot3(frame + 3 * (r - 2), spin));
      continue;
    }
    for (int r = 0; r < rows; r++) {
      double *row = coefficient[terms] + r * body->dof;
      pc_body_row(body, &world->bodies.state.at[i], contact->point, frame + 3 * r, row);
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
  by_rows.bound = contact->bound;
  memcpy(by_rows.given, given, sizeof given);
  for (int r = 0; r < rows; r++)
    by_rows.guess[r] = pc_dot3(frame + 3 * r, contact->percussion);
  return pc_impact_add_interaction(world->problem.impact, &by_rows);
}

// Loops over contacts meet bodies in any order: asks for those of a contact some rounds ahead.
static inline void prefetch_outlines(const pc_world *world, int t, int last)
{
  pc_prefetch(world->contacts.list.at, t + MORE_AHEAD, sizeof(pc_contact_data));
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
  pc_world *world = job->step->world;
  for (int piece = begin; piece < end; piece++) {
    int count = 0, guided = 0, begun = pc_piece_begin(world->contacts.list.count, piece);
    int last = pc_piece_begin(world->contacts.list.count, piece + 1);
    bool bends = false;
    pc_contacts_remember(&world->contacts, begun, last, job->settles);
    for (int t = begun; t < last; t++) {
      pc_contact_data *contact = &world->contacts.list.at[t];
      prefetch_outlines(world, t, last);
      contact->law = pc_contact_law(job->step, contact, &contact->bound);
      if (contact->law < 0) {
        memset(contact->percussion, 0, sizeof contact->percussion);
        continue;
      }
      mark(world, contact->body[0]);
      mark(world, contact->body[1]);
      bends |= pc_contact_may_bend(&job->step->search, contact->body[0], contact->body[1]);
      if (pc_contact_is_guided(&job->step->search, contact))
        guided++;
      else
        count++;
    }
    job->guided[piece] = guided;
    job->bends[piece] = bends;
    job->first[piece + 1] = count;
  }
}

// An obstacle is never first: the normal then points from body to obstacle.
static void describe_contact(const pc_world *world, const pc_contact_data *contact, double h,
                             pc_interaction *entry)
{
  int a = contact->body[0], b = contact->body[1];
  bool swapped = !is_heavy(world, a);
  double sign = swapped ? -1 : 1;
  int first = swapped ? b : a, second = swapped ? a : b;
  entry->bodies[0] = world->problem.index.at[first];
  entry->bodies[1] = PC_OBSTACLE;
  entry->bound = contact->bound;
  memcpy(entry->point, contact->point, sizeof entry->point);
  memset(entry->given, 0, sizeof entry->given);
  for (int k = 0; k < 3; k++) {
    entry->normal[k] = sign * contact->normal[k];
    entry->guess[k] = sign * contact->percussion[k];
  }
  if (is_heavy(world, second)) {
    entry->bodies[1] = world->problem.index.at[second];
  } else if (world->outlines.body.at[second].kind == PC_DRIVEN) {
    obstacle_velocity(world, second, first, contact, h, entry->given);
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
static void guess_moment(const pc_world *world, const pc_contact_data *contact,
                         pc_interaction *entry)
{
  bool plane = world->def.dimension == 2;
  const pc_moment *moment = world->contacts.moment.at;
  int count = world->contacts.moment.count;
  double *guess = entry->guess + (plane ? 2 : 3);
  memset(guess, 0, sizeof(double) * (plane ? 1 : 3));
  double sign = world->outlines.body.at[contact->body[0]].heavy ? 1 : -1;
  for (int i = pc_pair_find(moment, sizeof *moment, count, contact->body);
       i < count && moment[i].body[0] == contact->body[0] && moment[i].body[1] == contact->body[1];
       i++)
    for (int k = 0; k < (plane ? 1 : 3) && moment[i].feature == contact->feature; k++)
      guess[k] = sign * moment[i].moment[plane ? 2 : k];
}

// Most contacts need no more than this. False: the others. `plain` is kept for a twin.
static inline bool put_plain(pc_world *world, const pc_contact_data *contact, int next, int law,
                             pc_plain_contact *plain)
{
  int a = contact->body[0], b = contact->body[1];
  bool swapped = !is_heavy(world, a);
  int first = swapped ? b : a, second = swapped ? a : b;
  bool heavy = is_heavy(world, second);
  if (law < 0 || world->contacts.moment.count > 0 ||
      (!heavy && world->outlines.body.at[second].kind == PC_DRIVEN))
    return false;
  *plain = (pc_plain_contact){
      {world->problem.index.at[first], heavy ? world->problem.index.at[second] : PC_OBSTACLE},
      swapped ? -1 : 1,
      contact->bound,
      contact->normal,
      contact->point,
      contact->percussion,
      contact->interaction == PC_SETTLED};
  return pc_impact_put_plain(world->problem.impact, next, law, plain);
}

// The next contact of the same bodies along the same normal, as edges have.
static inline bool is_twin(const pc_contact_data *contact, const pc_contact_data *of)
{
  return contact->body[0] == of->body[0] && contact->body[1] == of->body[1] &&
         contact->law == of->law && contact->normal[0] == of->normal[0] &&
         contact->normal[1] == of->normal[1] && contact->normal[2] == of->normal[2];
}

static inline bool put_twin(pc_world *world, const pc_contact_data *contact, int next,
                            pc_plain_contact *plain)
{
  plain->bound = contact->bound;
  plain->point = contact->point;
  plain->guess = contact->percussion;
  plain->settled = contact->interaction == PC_SETTLED;
  return pc_impact_put_twin(world->problem.impact, next, plain);
}

// Friction looks at the velocity half a step later.
static void add_slip(const pc_world *world, const pc_contact_data *contact, const pc_bend *bend,
                     pc_interaction *entry)
{
  double sign = is_heavy(world, contact->body[0]) ? 0.5 : -0.5;
  for (int k = 0; k < world->def.dimension; k++)
    entry->given[k] = sign * bend->slip[k];
}

static void put_contacts(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  pc_world *world = job->step->world;
  pc_interaction entry = pc_interaction_default(PC_CONTACT);
  pc_bend bend;
  for (int piece = begin; piece < end; piece++) {
    int next = job->first[piece], last = pc_piece_begin(world->contacts.list.count, piece + 1);
    const pc_contact_data *before = NULL; // the one in the place before, if it is plain
    pc_plain_contact plain;
    for (int t = pc_piece_begin(world->contacts.list.count, piece);
         t < last && job->why[piece] == NULL; t++) {
      pc_contact_data *contact = &world->contacts.list.at[t];
      pc_prefetch(contact, MORE_AHEAD, sizeof *contact);
      if (t + NEARER < last)
        pc_impact_prefetch(world->problem.impact, world->problem.index.at[contact[NEARER].body[0]],
                           world->problem.index.at[contact[NEARER].body[1]]);
      if (contact->law < 0 || pc_contact_is_guided(&job->step->search, contact))
        continue;
      int law = world->problem.law.at[contact->law];
      bool slips = pc_contact_looks_ahead(job->step, contact, &bend);
      if (slips)
        before = NULL;
      if ((before != NULL && is_twin(contact, before) && put_twin(world, contact, next, &plain)) ||
          (!slips && put_plain(world, contact, next, law, &plain))) {
        contact->interaction = next++;
        before = contact;
        continue;
      }
      before = NULL;
      describe_contact(world, contact, job->step->h, &entry);
      if (slips)
        add_slip(world, contact, &bend, &entry);
      if (world->contacts.moment.count > 0)
        guess_moment(world, contact, &entry);
      job->why[piece] = law < 0 ? pc_impact_error(world->problem.impact)
                                : pc_impact_put_contact(world->problem.impact, next, law, &entry);
      job->where[piece] = t;
      if (slips)
        pc_impact_lead(world->problem.impact, next);
      contact->interaction = next++;
    }
  }
}

// How many bodies something acts on, and velocities they have.
static void count_bodies(void *context, int begin, int end, int worker)
{
  state_job *job = context;
  const pc_world *world = job->step->world;
  for (int piece = begin; piece < end; piece++) {
    int bodies = 0, dofs = 0, last = pc_piece_begin(world->bodies.count, piece + 1);
    for (int i = pc_piece_begin(world->bodies.count, piece); i < last; i++)
      if (world->problem.dof.at[i] > 0) {
        bodies++;
        dofs += world->problem.dof.at[i];
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

static pc_status report_contact(pc_world *world, const pc_contact_data *contact, const char *why)
{
  bool refused = why == pc_impact_error(world->problem.impact);
  return pc_fail(&world->error, refused ? pc_problem_refusal(&world->problem) : PC_ERROR_NUMERIC,
                 "contact of bodies %d and %d: %s",
                 pc_bodies_number(&world->bodies, contact->body[0]).id,
                 pc_bodies_number(&world->bodies, contact->body[1]).id, why);
}

static bool may_look_ahead(const state_job *job, int pieces)
{
  bool any = false;
  for (int i = 0; i < pieces; i++)
    any = any || job->bends[i];
  return any;
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
  int space = world->def.dimension, numbers = !pc_materials_roll(&world->materials) ? space
                                              : space == 3                          ? 6
                                                                                    : 3;
  if (pc_impact_open(world->problem.impact, bodies, dofs, contacts, numbers,
                     world->bodies.driven > 0 ||
                         may_look_ahead(job, pc_pieces(world->contacts.list.count))) != PC_OK)
    return pc_world_out_of_memory(world);
  pc_parallel(threads, pieces, 2, put_bodies, job);
  int wrong = first_wrong(job, pieces);
  if (wrong >= 0)
    return pc_fail(&world->error, PC_ERROR_NUMERIC, "body %d: %s",
                   pc_bodies_number(&world->bodies, job->where[wrong]).id, job->why[wrong]);
  if (contacts > 0)
    pc_parallel(threads, pc_pieces(world->contacts.list.count), 2, put_contacts, job);
  wrong = first_wrong(job, pc_pieces(world->contacts.list.count));
  if (wrong < 0)
    return PC_OK;
  return report_contact(world, &world->contacts.list.at[job->where[wrong]], job->why[wrong]);
}

static pc_status state_guided(const state_job *job)
{
  pc_world *world = job->step->world;
  for (int t = 0; t < world->contacts.list.count; t++) {
    pc_contact_data *contact = &world->contacts.list.at[t];
    if (contact->law < 0 || !pc_contact_is_guided(&job->step->search, contact))
      continue;
    contact->interaction = add_guided(world, contact, job->step->h);
    if (contact->interaction < 0)
      return report_contact(world, contact, pc_impact_error(world->problem.impact));
  }
  return PC_OK;
}

// Stiff rows, nets and bonds: what is known of them before the solve goes to P_ext, and their
// bodies enter the problem.
static void mark_elements(const pc_step *step)
{
  pc_world *world = step->world;
  pc_elements *elements = &world->elements;
  for (int s = 0; s < elements->row.count; s++) {
    pc_stiff *row = &elements->row.at[s];
    pc_stiff_add_external(row, &world->bodies, step->h, world->scratch.external.at);
    for (int b = 0; b < 2 && row->body[b] >= 0; b++)
      mark(world, row->body[b]);
  }
  if (!step->acts)
    return;
  for (int e = 0; e < elements->list.count; e++) {
    const pc_force_element *net = &elements->list.at[e];
    pc_net_react(net, &world->bodies, world->scratch.external.at);
    for (int i = 0; i < net->count && net->moves; i++)
      mark(world, net->bodies[i]);
  }
  for (int b = 0; b < elements->bond.count; b++) {
    const pc_bond *bond = &elements->bond.at[b];
    for (int k = 0; k < 2 && pc_bond_acts(bond, &world->bodies); k++)
      mark(world, pc_bodies_slot(&world->bodies, bond->body[k]));
  }
}

static pc_status state_elements(const pc_step *step)
{
  pc_world *world = step->world;
  pc_elements *elements = &world->elements;
  pc_status status = PC_OK;
  for (int s = 0; s < elements->row.count && status == PC_OK; s++)
    status = pc_stiff_state(&elements->row.at[s], &world->problem, step->h, &world->error);
  for (int b = 0; b < elements->bond.count && status == PC_OK; b++) {
    elements->bond.at[b].interaction = -1;
    if (step->acts)
      status = pc_bond_state(&elements->bond.at[b], &world->bodies, &world->problem, &world->error);
  }
  return status;
}

pc_status pc_problem_state(const pc_step *step)
{
  pc_world *world = step->world;
  state_job job = {.step = step};
  int pieces = pc_pieces(world->contacts.list.count), guided = 0;
  bool penalty = world->def.treatment == PC_PENALTY;
  // At velocity level nothing of a contact changes within a step.
  job.settles = step->search.again && world->def.treatment == PC_VELOCITY_LEVEL;
  pc_impact_clear(world->problem.impact);
  if (!state_laws(world))
    return pc_world_out_of_memory(world);
  memset(world->problem.dof.at, 0, (size_t)world->bodies.count);
  for (int t = 0; t < world->contacts.list.count && penalty; t++)
    if (!pc_stiff_add_overlap(&world->elements.row, &world->bodies, &world->contacts.list.at[t],
                              world->def.penalty))
      return pc_world_out_of_memory(world);
  mark_elements(step);
  if (!penalty)
    pc_parallel(step->threads, pieces, 2, judge_pieces, &job);
  pc_contacts_drop_memory(&world->contacts);
  if (!penalty && !pc_step_find_system_acts(step))
    return pc_world_out_of_memory(world);
  for (int i = 0; i < pieces; i++) {
    job.first[i + 1] += job.first[i];
    guided += job.guided[i];
  }
  pc_status status = state_contacts(world, &job, job.first[pieces]);
  if (status == PC_OK && guided > 0)
    status = state_guided(&job);
  if (status == PC_OK)
    status = state_elements(step);
  return status == PC_OK ? pc_step_state_system_acts(step) : status;
}

// Whether a contact is what it was in the problem that was solved.
static bool stands(const pc_step *step, const pc_contact_data *old, const pc_contact_data *now)
{
  double bound;
  return old->body[0] == now->body[0] && old->body[1] == now->body[1] &&
         old->feature == now->feature && old->gap == now->gap &&
         memcmp(old->normal, now->normal, sizeof now->normal) == 0 &&
         memcmp(old->point, now->point, sizeof now->point) == 0 &&
         pc_contact_law(step, now, &bound) == old->law && bound == old->bound;
}

bool pc_problem_stands(const pc_step *step, int known)
{
  const pc_world *world = step->world;
  pc_contact_set *contacts = &step->world->contacts;
  if (contacts->list.count != known || world->bodies.sleepers > 0 ||
      world->elements.row.count > 0 || world->elements.list.count > 0)
    return false;
  for (int t = 0; t < known; t++)
    if (!stands(step, &contacts->before[t], &contacts->list.at[t]))
      return false;
  if (known > 0)
    memcpy(contacts->list.at, contacts->before, sizeof *contacts->before * (size_t)known);
  pc_contacts_drop_memory(contacts);
  contacts->answered = true;
  return true;
}
