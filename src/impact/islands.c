// Finds the islands of a problem, by union-find, and the free velocities.
#include "impact/islands.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/bulk.h"
#include "impact/contact_side.h"
#include "impact/solvers/tuning.h"

// Several threads may join bodies at a time. A parent never has a larger number than its child, and
// the parent that a root gets is never taken back: whatever the order, the first body of a class
// becomes its root.
static inline int parent_of(const int *parent, int i)
{
  return __atomic_load_n(&parent[i], __ATOMIC_RELAXED);
}

static int find(int *parent, int i)
{
  for (int up = parent_of(parent, i); up != i;) {
    int next = parent_of(parent, up);
    if (next != up)
      __atomic_store_n(&parent[i], next, __ATOMIC_RELAXED);
    i = up;
    up = next;
  }
  return i;
}

static inline void join(int *parent, int i, int j)
{
  if (parent_of(parent, i) == parent_of(parent, j)) // most, once a heap is joined
    return;
  for (;;) {
    int a = find(parent, i), b = find(parent, j);
    int first = a < b ? a : b, last = a < b ? b : a, root = last;
    if (a == b || __atomic_compare_exchange_n(&parent[last], &root, first, false, __ATOMIC_RELAXED,
                                              __ATOMIC_RELAXED))
      return;
  }
}

typedef struct free_work {
  const pc_impact *problem;
  double stiffness, *velocity;
  bool *movable;
  int *parent, *island_of; // at first every body is its own parent and in no island
  pc_ends *ends;
} free_work;

// Of a body with six velocities, a mass and an inertia.
static inline void free_body(const pc_body_data *body, const double *before, const double *p,
                             double stiffness, double *u)
{
  const double *x = body->turn->inverse, light = stiffness * body->light;
  for (int i = 0; i < 3; i++) {
    u[i] = before[i] + light * p[i];
    u[3 + i] = before[3 + i];
  }
  if (p[3] == 0 && p[4] == 0 && p[5] == 0)
    return;
  u[3] += stiffness * (x[0] * p[3] + x[1] * p[4] + x[2] * p[5]);
  u[4] += stiffness * (x[1] * p[3] + x[3] * p[4] + x[4] * p[5]);
  u[5] += stiffness * (x[2] * p[3] + x[4] * p[4] + x[5] * p[5]);
}

// U_free = U- + M^-1 P_ext of one body, as if it were coupled to none.
static inline void free_one(const pc_impact *problem, const pc_body_data *body, double stiffness,
                            double *u)
{
  const double *before = problem->before.at + body->start,
               *p = problem->percussion.at + body->start;
  if (body->dof == 6 && body->general == 0) {
    free_body(body, before, p, stiffness, u);
    return;
  }
  if (body->dof < 6 && body->general == 0) { // in the plane, or along a guide
    for (int i = 0; i < body->dof; i++) {
      double root = i < 2 ? body->root : body->turn->inverse_root[5];
      double y = root * p[i] * stiffness;
      u[i] = before[i] + root * y;
    }
    return;
  }
  double white[PC_MAX_DOF];
  pc_body_whiten(problem, body, p, white);
  for (int i = 0; i < body->dof; i++) {
    u[i] = before[i];
    white[i] *= stiffness;
  }
  pc_body_move(problem, body, white, u);
}

static void free_motion(void *context, int begin, int end, int worker)
{
  (void)worker;
  const free_work *work = context;
  const pc_impact *problem = work->problem;
  for (int b = begin; b < end; b++) {
    const pc_body_data *body = &problem->body.at[b];
    work->movable[b] = body->movable;
    work->parent[b] = b;
    work->island_of[b] = -1;
    free_one(problem, body, work->stiffness, work->velocity + body->start);
  }
}

void pc_island_free_motion(const pc_impact *problem, const pc_islands *islands, int island,
                           double stiffness)
{
  const pc_island *of = &islands->island[island];
  for (int b = of->body; b < of->body + of->bodies; b++) {
    const pc_body_data *body = &problem->body.at[islands->body[b]];
    free_one(problem, body, stiffness, islands->free_velocity + body->start);
  }
}

// The diagonals of their own response, of interactions stated without bodies.
static bool own_responses(pc_impact *problem, pc_islands *islands)
{
  if (problem->response.count == 0)
    return true;
  islands->own = pc_arena_take(&problem->work, (size_t)problem->rows + 1, sizeof(double));
  for (int c = 0; c < problem->response.count && islands->own != NULL; c++) {
    const pc_coupling *coupling = &problem->response.at[c];
    const pc_interaction_data *data = &problem->interaction.at[coupling->i];
    for (int i = 0; i < data->rows && coupling->j == coupling->i; i++)
      islands->own[data->row + i] += problem->block.at[coupling->at + i * data->rows + i];
  }
  return islands->own != NULL;
}

// What bodies of an island add to its speeds.
typedef struct speed_sums {
  double energy, gain, mass, momentum[3];
  int still;
} speed_sums;

enum { SPEED_PIECES = 32, SPEED_PIECE = 1024 };

typedef struct speed_work {
  const pc_impact *problem;
  const int *member;
  int bodies, pieces;
  double slow;
  speed_sums sums[SPEED_PIECES];
} speed_work;

static speed_sums add_speeds(const speed_work *work, int begin, int end)
{
  const pc_impact *problem = work->problem;
  speed_sums to = {0};
  for (int b = begin; b < end; b++) {
    const pc_body_data *body = &problem->body.at[work->member[b]];
    double v[3], w[3], p[3];
    if (!(body->light > 0))
      continue;
    pc_body_motion(body, problem->before.at, v, w);
    pc_body_motion(body, problem->percussion.at, p, w);
    double forced = body->light * body->light * pc_dot3(p, p), moving = pc_dot3(v, v);
    to.gain += forced / body->light;
    to.energy += moving / body->light;
    to.mass += 1 / body->light;
    to.still += moving < work->slow * work->slow * forced;
    for (int i = 0; i < 3; i++)
      to.momentum[i] += v[i] / body->light;
  }
  return to;
}

static void add_speeds_of_pieces(void *context, int begin, int end, int worker)
{
  (void)worker;
  speed_work *work = context;
  for (int piece = begin; piece < end; piece++)
    work->sums[piece] = add_speeds(work, (int)((long long)work->bodies * piece / work->pieces),
                                   (int)((long long)work->bodies * (piece + 1) / work->pieces));
}

// Pieces depend on the number of bodies alone, so that sums do not depend on threads.
pc_island_speed pc_island_speeds(const pc_impact *problem, const pc_islands *islands, int island,
                                 double slow, int threads)
{
  const pc_island *of = &islands->island[island];
  int pieces = of->bodies / SPEED_PIECE;
  speed_work work = {.problem = problem,
                     .member = islands->body + of->body,
                     .bodies = of->bodies,
                     .pieces = pieces < 1              ? 1
                               : pieces > SPEED_PIECES ? SPEED_PIECES
                                                       : pieces,
                     .slow = slow};
  pc_parallel(threads, work.pieces, 1, add_speeds_of_pieces, &work);
  speed_sums all = work.sums[0];
  for (int i = 1; i < work.pieces; i++) {
    const speed_sums *more = &work.sums[i];
    all.energy += more->energy;
    all.gain += more->gain;
    all.mass += more->mass;
    all.still += more->still;
    for (int k = 0; k < 3; k++)
      all.momentum[k] += more->momentum[k];
  }
  if (!(all.mass > 0))
    return (pc_island_speed){0};
  double apart = fmax(all.energy - pc_dot3(all.momentum, all.momentum) / all.mass, 0);
  return (pc_island_speed){sqrt(all.energy / all.mass), sqrt(apart / all.mass),
                           sqrt(all.gain / all.mass), (double)all.still / of->bodies};
}

static bool is_slower(const pc_body_data *body, const double *velocity, double speed)
{
  double v[3], w[3], spin[3];
  if (body->general)
    return false;
  pc_body_motion(body, velocity, v, w);
  pc_times_inertia(body->turn->inertia, w, spin);
  return body->mass * pc_dot3(v, v) + pc_dot3(w, spin) < body->mass * speed * speed;
}

void pc_island_rest(pc_impact *problem, const pc_islands *islands, int island, double speed)
{
  const pc_island *of = &islands->island[island];
  const int *member = islands->body + of->body;
  for (int b = 0; b < of->bodies; b++)
    if (!is_slower(&problem->body.at[member[b]], problem->after.at, speed))
      return;
  for (int b = 0; b < of->bodies; b++) {
    const pc_body_data *body = &problem->body.at[member[b]];
    memset(problem->after.at + body->start, 0, sizeof(double) * body->dof);
  }
}

// Fills the ends. `movable` has a byte per body, which stays in the cache where the bodies do not.
static void find_ends(void *context, int begin, int end, int worker)
{
  (void)worker;
  const free_work *work = context;
  const pc_impact *problem = work->problem;
  for (int k = begin; k < end; k++) {
    if (k < problem->opened && work->ends[k].rows > 0)
      continue;
    const pc_interaction_data *data = &problem->interaction.at[k];
    const pc_law_data *law = &problem->law.at[data->law];
    bool coulomb = law->law.tangential.kind == PC_TANGENTIAL_COULOMB;
    bool viscous = law->law.tangential.kind == PC_TANGENTIAL_VISCOUS;
    int movable = 0;
    const double *w = pc_interaction_given(problem, data);
    bool given = w[0] != 0 || w[1] != 0 || w[2] != 0;
    pc_ends ends = {.body = {-1, -1},
                    .rows = (unsigned char)pc_interaction_active(&law->law, data)};
    bool extra = law->extra || given, contact = data->type == PC_CONTACT;
    for (int t = 0; t < data->terms; t++) {
      int b = pc_term_body(problem, data, t);
      movable += work->movable[b];
      if (!work->movable[b])
        extra = extra || contact;
      else if (contact)
        ends.body[t] = b;
      else if (ends.body[0] < 0)
        ends.body[0] = b;
    }
    bool fold =
        law->linear && movable == 1 && !data->unilateral && !problem->body.at[ends.body[0]].general;
    ends.kind = (unsigned char)((law->packable || fold ? PC_ENDS_PACKABLE : 0) |
                                (coulomb ? PC_ENDS_COULOMB : 0) |
                                (coulomb && data->rows > 1 ? PC_ENDS_FRICTION : 0) |
                                (extra ? PC_ENDS_EXTRA : 0) |
                                (contact && viscous && data->rows > 1 ? PC_ENDS_VISCOUS : 0) |
                                (!contact && data->terms > 1 ? PC_ENDS_MANY : 0) |
                                (fold ? PC_ENDS_FOLDED : 0) |
                                (contact && data->rows < 3 ? 0 : PC_ENDS_SPACE));
    work->ends[k] = ends;
  }
}

static int first_end(const pc_ends *ends)
{
  return ends->body[0] >= 0 ? ends->body[0] : ends->body[1];
}

// Joins the bodies of each interaction; then those that are coupled by mass, and interactions that
// are coupled by response.
static void join_range(void *context, int begin, int end, int worker)
{
  (void)worker;
  const free_work *work = context;
  const pc_impact *problem = work->problem;
  const pc_ends *ends = work->ends;
  int last[2] = {-1, -1};
  for (int k = begin; k < end; k++) {
    const int *of = ends[k].body;
    // The contacts of a pair come one after the other.
    if (of[0] >= 0 && of[1] >= 0 && (of[0] != last[0] || of[1] != last[1]))
      join(work->parent, of[0], of[1]);
    last[0] = of[0];
    last[1] = of[1];
    if (!(ends[k].kind & PC_ENDS_MANY))
      continue;
    const pc_interaction_data *from = &problem->interaction.at[k];
    int one = ends[k].body[0];
    for (int t = 1; t < from->terms && one >= 0; t++) {
      int b = pc_term_body(problem, from, t);
      if (b != one && work->movable[b])
        join(work->parent, one, b);
    }
  }
}

static void join_coupled(const pc_impact *problem, const bool *movable, int *parent)
{
  int bodies = problem->body.count;
  for (int c = 0; c < problem->mass.count; c++)
    if (movable[problem->mass.at[c].i] && movable[problem->mass.at[c].j])
      join(parent, problem->mass.at[c].i, problem->mass.at[c].j);
  for (int c = 0; c < problem->response.count; c++)
    join(parent, bodies + problem->response.at[c].i, bodies + problem->response.at[c].j);
}

// Makes the root of every node its parent.
static void flatten(void *context, int begin, int end, int worker)
{
  (void)worker;
  int *parent = ((const free_work *)context)->parent;
  for (int i = begin; i < end; i++)
    __atomic_store_n(&parent[i], find(parent, i), __ATOMIC_RELAXED);
}

// Rows without bodies and without response: do they break their law by more than the round-off of
// the others?
static bool breaks_law(const pc_impact *problem, const pc_interaction_data *from)
{
  bool tied = pc_law_of(problem, from)->normal.kind == PC_NORMAL_BILATERAL;
  double size = 0, given = pc_interaction_given(problem, from)[0];
  double off = tied ? fabs(given) : from->bound - given;
  if ((!tied && !from->unilateral) || off <= 0)
    return false;
  for (int k = 0; k < problem->interaction.count; k++)
    size = fmax(size, fabs(pc_interaction_given(problem, &problem->interaction.at[k])[0]));
  return off > 1e-12 * size;
}

// An interaction between immovable bodies: do they penetrate?
static bool is_blocked(const pc_impact *problem, const pc_interaction_data *from)
{
  if (from->terms == 0)
    return from->type == PC_ROWS && breaks_law(problem, from);
  if (!from->unilateral)
    return false;
  const pc_law *law = pc_law_of(problem, from);
  double d[PC_MAX_ROWS], bound = from->bound;
  pc_rows rows;
  pc_impact_rows(problem, from, &rows);
  pc_impact_deformation(problem, from, &rows, problem->before.at, d);
  if (law->normal.kind == PC_NORMAL_RESTITUTION)
    bound -= law->normal.e * d[0];
  const double *w = pc_interaction_given(problem, from);
  double given = from->type == PC_CONTACT ? pc_dot3(rows.frame, w) : w[0];
  double size = fabs(given) + fabs(bound);
  for (int t = 0; t < from->terms; t++) {
    const pc_body_data *body = &problem->body.at[pc_term_body(problem, from, t)];
    const double *row = pc_term_rows(problem, from, &rows, t);
    for (int i = 0; i < body->dof; i++)
      size += fabs(row[i] * problem->before.at[body->start + i]);
  }
  return d[0] < bound - 1e-12 * size;
}

// Kinds that some interactions of an island have, and kinds that all have.
typedef struct kinds {
  unsigned some, all;
} kinds;

static int add_island(pc_islands *islands, kinds *kind)
{
  islands->island[islands->count] = (pc_island){0};
  kind[islands->count] = (kinds){0, ~0u};
  return islands->count++;
}

// What consecutive interactions add to their island.
typedef struct tally {
  int interactions, rows, folded, settled;
  kinds kind;
} tally;

static inline void count_interaction(const pc_ends *ends, tally *sum)
{
  sum->interactions++;
  sum->rows += ends->rows;
  sum->folded += (ends->kind & PC_ENDS_FOLDED) != 0;
  sum->settled += ends->settled;
  sum->kind.some |= ends->kind;
  sum->kind.all &= ends->kind;
}

static void add_tally(const tally *sum, pc_island *island, kinds *of)
{
  island->interactions = sum->interactions; // it was counted on from there
  island->rows += sum->rows;
  island->folded += sum->folded;
  island->settled += sum->settled;
  of->some |= sum->kind.some;
  of->all &= sum->kind.all;
}

static void set_kinds(kinds of, pc_island *island)
{
  island->packable = (of.all & PC_ENDS_PACKABLE) != 0;
  island->viscous = (of.some & PC_ENDS_VISCOUS) != 0;
  island->convex = (of.some & PC_ENDS_COULOMB) == 0;
  island->friction = (of.some & PC_ENDS_FRICTION) != 0;
  island->extra = (of.some & PC_ENDS_EXTRA) != 0;
  island->plane = (of.some & PC_ENDS_SPACE) == 0;
}

// Islands in the order of their first interaction; bodies coupled by mass alone form one too.
// `of` gets the island of every interaction, which is counted there.
static void number_islands(const pc_impact *problem, const bool *movable, pc_islands *islands,
                           kinds *kind, const int *parent, int *island_of, const bool *answers,
                           int *of)
{
  int bodies = problem->body.count, last = -1, island = -1;
  tally sum = {0};
  for (int k = 0; k < problem->interaction.count; k++) {
    int first = first_end(&islands->ends[k]);
    islands->local_interaction[k] = of[k] = -1;
    if (first < 0 && !(answers != NULL && answers[k])) {
      islands->blocked += is_blocked(problem, &problem->interaction.at[k]);
      continue;
    }
    if (first < 0 || first != last) {
      int root = parent[first >= 0 ? first : bodies + k];
      if (island_of[root] < 0)
        island_of[root] = add_island(islands, kind);
      if (island_of[root] != island) {
        if (island >= 0)
          add_tally(&sum, &islands->island[island], &kind[island]);
        island = island_of[root];
        sum = (tally){.interactions = islands->island[island].interactions, .kind = {0, ~0u}};
      }
      last = first;
    }
    of[k] = island;
    islands->local_interaction[k] = sum.interactions;
    count_interaction(&islands->ends[k], &sum);
  }
  if (island >= 0)
    add_tally(&sum, &islands->island[island], &kind[island]);
  for (int c = 0; c < problem->mass.count; c++) {
    int root = parent[problem->mass.at[c].i];
    if (movable[problem->mass.at[c].i] && island_of[root] < 0)
      island_of[root] = add_island(islands, kind);
  }
  for (int i = 0; i < islands->count; i++)
    set_kinds(kind[i], &islands->island[i]);
}

static bool fits_lot(const pc_island *island, int small, bool friction)
{
  return island->packable && (island->convex || friction) && !island->viscous &&
         island->folded == 0 && island->rows <= small;
}

// Puts small islands into lots, each in the place of its first island, if there are many. Settled
// islands, and islands with friction, get lots of their own. If true, `to` gives the new numbers,
// and members are to be counted again.
static bool make_lots(pc_islands *islands, int small, bool friction, int *to)
{
  int fitting = 0, count = 0, lot[2][2] = {{-1, -1}, {-1, -1}};
  pc_island *island = islands->island;
  islands->found = islands->count;
  for (int i = 0; i < islands->count && small > 0; i++)
    fitting += fits_lot(&island[i], small, friction);
  if (fitting < PC_LOT_ISLANDS)
    return false;
  for (int i = 0; i < islands->count; i++) {
    const pc_island from = island[i];
    int *own = &lot[from.convex][from.settled == from.interactions];
    bool joins = fits_lot(&from, small, friction);
    if (!joins || *own < 0 || island[*own].rows >= PC_LOT_ROWS) {
      island[count] = from;
      island[count].lot = joins;
      if (joins)
        *own = count;
      to[i] = count++;
      continue;
    }
    island[*own].rows += from.rows;
    island[*own].settled += from.settled;
    island[*own].extra = island[*own].extra || from.extra;
    island[*own].friction = island[*own].friction || from.friction;
    island[*own].plane = island[*own].plane && from.plane;
    to[i] = *own;
  }
  islands->count = count;
  return true;
}

// Numbers of members in their islands: those of bodies and of interactions, side by side.
typedef struct member_work {
  const pc_impact *problem;
  pc_islands *islands;
  const bool *movable;
  const int *parent;
  int *island_of, *of; // of bodies, of interactions
  const int *to;       // new numbers of islands; NULL: as they are
} member_work;

static void number_bodies(const member_work *work)
{
  pc_islands *islands = work->islands;
  int bodies = work->problem->body.count, *island_of = work->island_of, first = 0;
  for (int b = 0; b < bodies; b++) {
    // The root of a class comes first: what it has is new already for the others.
    int root = work->parent[b], island = work->movable[b] ? island_of[root] : -1;
    if (root == b && island >= 0 && work->to != NULL)
      island = work->to[island];
    island_of[b] = island;
    islands->local_body[b] = island < 0 ? -1 : islands->island[island].bodies++;
  }
  for (int i = 0; i < islands->count; i++) {
    islands->island[i].body = first;
    first += islands->island[i].bodies;
  }
}

static void number_interactions(const member_work *work)
{
  pc_islands *islands = work->islands;
  int interactions = work->problem->interaction.count, *of = work->of, first = 0;
  for (int i = 0; i < islands->count && work->to != NULL; i++)
    islands->island[i].interactions = 0;
  for (int k = 0; k < interactions && work->to != NULL; k++)
    if (of[k] >= 0) {
      of[k] = work->to[of[k]];
      islands->local_interaction[k] = islands->island[of[k]].interactions++;
    }
  for (int i = 0; i < islands->count; i++) {
    islands->island[i].interaction = first;
    first += islands->island[i].interactions;
  }
}

static void number_members(void *context, int begin, int end, int worker)
{
  (void)worker;
  for (int half = begin; half < end; half++)
    if (half == 0)
      number_interactions(context);
    else
      number_bodies(context);
}

// Bodies, then interactions, each into its place in the list of its island.
static void list_members(void *context, int begin, int end, int worker)
{
  (void)worker;
  const member_work *work = context;
  const pc_islands *islands = work->islands;
  int bodies = work->problem->body.count;
  for (int b = begin; b < end && b < bodies; b++)
    if (islands->local_body[b] >= 0) {
      const pc_island *island = &islands->island[work->island_of[b]];
      islands->body[island->body + islands->local_body[b]] = b;
    }
  for (int k = begin > bodies ? begin - bodies : 0; k < end - bodies; k++)
    if (work->of[k] >= 0) {
      const pc_island *island = &islands->island[work->of[k]];
      islands->interaction[island->interaction + islands->local_interaction[k]] = k;
    }
}

// Whether the islands of the last solve are those of this problem too.
static bool is_known(const pc_impact *problem, int small, bool friction)
{
  const pc_graph *graph = &problem->graph;
  int count = problem->interaction.count;
  return count > 0 && graph->ends.count == count && problem->opened == count &&
         graph->bodies == problem->body.count && graph->small == small &&
         graph->friction == friction && problem->mass.count == 0 && problem->response.count == 0 &&
         memcmp(graph->ends.at, problem->ends.at, sizeof(pc_ends) * (size_t)count) == 0;
}

// Keeps the islands for the next solve, if contacts are all there is and each is in one of them. In
// a heap that moves, contacts come and go: only when there are as many as in the two solves before,
// which may be of one step, it is worth it.
static void keep(pc_impact *problem, int small, bool friction, const pc_islands *islands)
{
  pc_graph *graph = &problem->graph;
  int count = problem->interaction.count, inside = 0;
  bool stays = count == graph->last[0] && count == graph->last[1];
  graph->last[1] = graph->last[0];
  graph->last[0] = count;
  if (!stays)
    pc_array_shed(&graph->ends);
  for (int i = 0; i < islands->count; i++)
    inside += islands->island[i].interactions;
  if (count == 0 || !stays || inside != count || problem->opened != count ||
      problem->mass.count > 0 || problem->response.count > 0 ||
      !pc_array_reserve_scratch(&graph->ends, count))
    return;
  graph->arranged = pc_arena_take(&graph->lists, (size_t)islands->count + 1, sizeof(void *));
  graph->islands = pc_arena_take(&graph->lists, 1, sizeof *islands);
  if (graph->lists.failed)
    return;
  *graph->islands = *islands;
  graph->islands->arranged = graph->arranged;
  graph->slots = islands->count;
  graph->bodies = problem->body.count;
  graph->small = small;
  graph->friction = friction;
  graph->ends.count = count;
  memcpy(graph->ends.at, problem->ends.at, sizeof(pc_ends) * (size_t)count);
}

pc_status pc_islands_build(pc_impact *problem, double stiffness, int small, bool friction,
                           int threads, pc_islands *islands)
{
  int bodies = problem->body.count, interactions = problem->interaction.count;
  int nodes = bodies + (problem->response.count > 0 ? interactions : 0);
  *islands = (pc_islands){0};
  pc_arena *arena = pc_impact_spare_memory(problem); // no island is solved yet
  pc_arena_reset(arena);
  size_t b = (size_t)bodies + 1, k = (size_t)interactions + 1;
  int *parent = pc_arena_take_raw(arena, (size_t)nodes + 1, sizeof(int));
  int *island_of = pc_arena_take_raw(arena, (size_t)nodes + 1, sizeof(int));
  int *of = pc_arena_take_raw(arena, k, sizeof(int));
  bool *movable = pc_arena_take_raw(arena, b, sizeof(bool));
  kinds *kind = pc_arena_take_raw(arena, (size_t)nodes + 1, sizeof *kind);
  bool *answers = problem->response.count > 0 ? pc_arena_take(arena, k, sizeof(bool)) : NULL;
  if (arena->failed || problem->work.failed || !own_responses(problem, islands) ||
      !pc_array_reserve(&problem->ends, interactions) ||
      !pc_array_reserve(&problem->after, problem->dofs))
    return pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  islands->ends = problem->ends.at;
  islands->free_velocity = problem->after.at;
  free_work work = {.problem = problem,
                    .stiffness = stiffness,
                    .velocity = islands->free_velocity,
                    .movable = movable,
                    .parent = parent,
                    .island_of = island_of,
                    .ends = problem->ends.at};
  enum { JOIN_GRAIN = 1000 };
  pc_parallel(threads, bodies, 300, free_motion, &work);
  pc_parallel(threads, interactions, 4000, find_ends, &work);
  if (is_known(problem, small, friction)) {
    *islands = *problem->graph.islands;
    islands->ends = work.ends;
    islands->free_velocity = work.velocity;
    return PC_OK;
  }
  pc_arena *lists = &problem->graph.lists;
  pc_graph_forget(&problem->graph);
  islands->island = pc_arena_take_raw(lists, (size_t)nodes + 1, sizeof(pc_island));
  islands->local_body = pc_arena_take_raw(lists, b, sizeof(int));
  islands->body = pc_arena_take_raw(lists, b, sizeof(int));
  islands->local_interaction = pc_arena_take_raw(lists, k, sizeof(int));
  islands->interaction = pc_arena_take_raw(lists, k, sizeof(int));
  if (lists->failed)
    return pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  for (int i = bodies; i < nodes; i++) {
    parent[i] = i;
    island_of[i] = -1;
  }
  for (int c = 0; c < problem->response.count; c++)
    answers[problem->response.at[c].i] = answers[problem->response.at[c].j] = true;
  pc_parallel(threads, interactions, JOIN_GRAIN, join_range, &work);
  join_coupled(problem, movable, parent);
  pc_parallel(threads, nodes, JOIN_GRAIN, flatten, &work);
  number_islands(problem, movable, islands, kind, parent, island_of, answers, of);
  int *to = pc_arena_take_raw(arena, (size_t)islands->count + 1, sizeof(int));
  if (to == NULL)
    return pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  bool renamed = make_lots(islands, small, friction, to);
  member_work members = {problem, islands, movable, parent, island_of, of, renamed ? to : NULL};
  pc_parallel(bodies + interactions >= 2000 ? threads : 1, 2, 1, number_members, &members);
  pc_parallel(threads, bodies + interactions, 4000, list_members, &members);
  keep(problem, small, friction, islands);
  return PC_OK;
}
