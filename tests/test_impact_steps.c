// Impact problems in a time-step loop: stated again and again, started from guesses, solved by
// threads; and packed sweeps on large islands against the plain ones and against the laws
// themselves.
#include <string.h>

#include "impact/pack_single.h"
#include "impact/pairs.h"
#include "percuss/impact.h"
#include "support.h"

// A linear law on one body: up to three rows.
typedef struct packing_element {
  pc_interaction entry;
  pc_row_term term;
  double row[18];
} packing_element;

// A packing kept as data: spheres or blocks on a jittered grid, neighbours in contact, obstacles
// below and at the sides, springs that hold single bodies.
typedef struct packing {
  int bodies, contacts, elements;
  pc_impact_body *body;
  pc_interaction *contact;
  packing_element *element;
} packing;

typedef struct packing_kind {
  int dof; // 6, 3, or 2: points in the plane
  int side, height;
  bool round;     // contacts on the line of centres, inertias of spheres
  bool immovable; // some bodies of infinite mass, that move
  bool same_law;  // else every law that packs hold, mixed
  bool frictionless;
  bool elements; // some bodies are held by springs, many of them stiff
  int points;    // contacts of a pair, at most; 0 is 1
  double mu, e, k;
  double drag; // viscous friction instead of Coulomb's
  pc_coulomb_on on;
} packing_kind;

static void random_inertia(pc_random *random, double size, bool round, double *inertia)
{
  double a[9];
  memset(inertia, 0, 9 * sizeof(double));
  for (int i = 0; i < 9; i++)
    a[i] = pc_random_normal(random);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3 && !round; k++)
        inertia[3 * i + j] += 0.2 * size * a[3 * i + k] * a[3 * j + k];
  for (int i = 0; i < 3; i++)
    inertia[4 * i] += 0.4 * size;
}

static pc_law random_law(pc_random *random, const packing_kind *kind)
{
  pc_law law = pc_interaction_default(PC_CONTACT).law;
  int which = kind->same_law ? (kind->e > 0 ? 1 : kind->k > 0 ? 2 : 0) : pc_random_below(random, 3);
  double e = kind->same_law ? kind->e : pc_random_uniform(random, 0, 1);
  double k = kind->same_law ? kind->k : pc_random_uniform(random, 0, 2);
  if (which == 1)
    law.normal = (pc_normal_law){.kind = PC_NORMAL_RESTITUTION, .e = e};
  if (which == 2)
    law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = k};
  bool rubs =
      kind->same_law ? !kind->frictionless : !kind->frictionless && pc_random_below(random, 4) > 0;
  double mu = kind->same_law ? kind->mu : pc_random_uniform(random, 0, 0.8);
  pc_coulomb_on on = kind->same_law ? kind->on : (pc_coulomb_on)pc_random_below(random, 3);
  if (rubs && kind->drag > 0)
    law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_VISCOUS, .k = kind->drag};
  else if (rubs)
    law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .mu = {mu, mu}, .on = on};
  return law;
}

// Springs on every third body or so: rows of any kind, coefficients up to 100 times the mass.
static void packing_hold(packing *p, pc_random *random, const packing_kind *kind)
{
  p->element = calloc((size_t)p->bodies, sizeof *p->element);
  p->elements = 0;
  for (int b = 0; b < p->bodies && kind->elements; b++) {
    packing_element *e = &p->element[p->elements];
    if (pc_random_below(random, 3) > 0 || isinf(p->body[b].mass))
      continue;
    e->entry = pc_interaction_default(PC_ROWS);
    e->entry.rows = 1 + pc_random_below(random, 3);
    for (int i = 0; i < e->entry.rows * kind->dof; i++)
      e->row[i] = pc_random_normal(random);
    for (int i = 0; i < e->entry.rows; i++)
      e->entry.given[i] = 0.1 * pc_random_normal(random);
    e->entry.law.normal.kind = PC_NORMAL_QUADRATIC;
    e->entry.law.normal.k = pow(10, pc_random_uniform(random, -2, 2));
    if (pc_random_below(random, 4) > 0)
      e->entry.law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_VISCOUS,
                                                    .k = pow(10, pc_random_uniform(random, -2, 2))};
    e->entry.terms = 1;
    e->term.body = b;
    p->elements++;
  }
}

static void packing_create(packing *p, pc_random *random, const packing_kind *kind)
{
  int space = kind->dof == 6 ? 3 : 2, deep = space == 3 ? kind->side : 1;
  p->bodies = kind->side * deep * kind->height;
  p->body = calloc((size_t)p->bodies, sizeof *p->body);
  int most = kind->points > 1 ? kind->points : 1;
  p->contact = calloc((size_t)(p->bodies * 3 * most), sizeof *p->contact);
  p->contacts = 0;
  for (int b = 0; b < p->bodies; b++) {
    int cell[3] = {b % kind->side, b / kind->side % deep, b / kind->side / deep};
    if (space == 2)
      cell[1] = cell[2], cell[2] = 0;
    pc_impact_body *body = &p->body[b];
    *body = pc_impact_body_default();
    body->dof = kind->dof;
    body->mass = pc_random_uniform(random, 0.5, 2);
    random_inertia(random, 0.25 * body->mass, kind->round, body->inertia);
    for (int i = 0; i < space; i++)
      body->position[i] = cell[i] + pc_random_uniform(random, -0.2, 0.2);
    for (int i = 0; i < kind->dof; i++)
      body->velocity[i] = 0.3 * pc_random_normal(random);
    body->percussion[space - 1] = -1.0 * body->mass;
    if (kind->immovable && pc_random_below(random, 30) == 0) {
      body->mass = INFINITY;
      memset(body->inertia, 0, sizeof body->inertia);
      body->inertia[0] = body->inertia[4] = body->inertia[8] = INFINITY;
      for (int i = 0; i < 6; i++)
        body->percussion[i] = 0;
    }
  }
  int step[3] = {1, kind->side, kind->side * deep};
  for (int b = 0; b < p->bodies; b++) {
    int cell[3] = {b % kind->side, b / kind->side % deep, b / kind->side / deep};
    if (space == 2)
      cell[1] = cell[2], cell[2] = 0;
    for (int i = 0; i < space; i++) {
      bool wall = cell[i] == 0;
      pc_interaction *c = &p->contact[p->contacts];
      if (!wall && pc_random_below(random, 5) == 0)
        continue; // not all neighbours touch
      if (wall && i < space - 1 && pc_random_below(random, 2) == 0)
        continue;
      *c = pc_interaction_default(PC_CONTACT);
      c->law = random_law(random, kind);
      c->bodies[0] = b;
      const double *x = p->body[b].position;
      if (wall) {
        if (isinf(p->body[b].mass))
          continue;
        memset(c->normal, 0, sizeof c->normal);
        c->normal[i] = 1;
        memcpy(c->point, x, sizeof c->point);
        c->point[i] -= 0.5;
        if (!kind->same_law)
          c->given[i == 0 ? 1 : 0] = 0.1 * pc_random_normal(random);
      } else {
        const double *y = p->body[b - step[i]].position;
        c->bodies[1] = b - step[i];
        if (isinf(p->body[b].mass) && isinf(p->body[b - step[i]].mass))
          continue;
        for (int j = 0; j < space; j++) {
          c->normal[j] = x[j] - y[j];
          c->point[j] = 0.5 * (x[j] + y[j]);
        }
      }
      for (int j = 0; j < space && !kind->round; j++)
        c->point[j] += 0.1 * pc_random_normal(random);
      if (pc_random_below(random, 3) == 0)
        c->bound = -0.2 * pc_random_uniform(random, 0, 1);
      p->contacts++;
      for (int more = pc_random_below(random, most); more > 0; more--) {
        pc_interaction *next = &p->contact[p->contacts++];
        *next = *c;
        for (int j = 0; j < space; j++)
          next->point[j] += 0.3 * pc_random_normal(random);
        next->bound = pc_random_below(random, 2) == 0 ? 0 : -0.2 * pc_random_uniform(random, 0, 1);
      }
    }
  }
  packing_hold(p, random, kind);
}

static void packing_free(packing *p)
{
  free(p->element);
  free(p->body);
  free(p->contact);
}

static void packing_state(const packing *p, pc_impact *problem)
{
  for (int b = 0; b < p->bodies; b++)
    assert_int_equal(pc_impact_add_body(problem, &p->body[b]), b);
  for (int k = 0; k < p->contacts; k++)
    assert_int_equal(pc_impact_add_interaction(problem, &p->contact[k]), k);
  for (int e = 0; e < p->elements; e++) {
    p->element[e].term.coefficients = p->element[e].row;
    p->element[e].entry.term = &p->element[e].term;
    assert_int_equal(pc_impact_add_interaction(problem, &p->element[e].entry), p->contacts + e);
  }
}

// The answer of a problem becomes the guess of the packing.
static void packing_guess(packing *p, const pc_impact *problem)
{
  for (int k = 0; k < p->contacts; k++)
    pc_impact_percussion(problem, k, p->contact[k].guess);
  for (int e = 0; e < p->elements; e++)
    pc_impact_percussion(problem, p->contacts + e, p->element[e].entry.guess);
}

enum { MOST_SWEEPS = 2000 };

static pc_solve_info packing_solve(pc_impact *problem, const char *solver, double tolerance,
                                   bool warm, int threads)
{
  pc_solve_options options = pc_solve_options_default();
  options.solver = solver;
  options.tolerance = tolerance;
  options.warm_start = warm;
  options.threads = threads;
  options.max_iterations = strcmp(solver, "nsgs") == 0 ? MOST_SWEEPS : 0;
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
  return info;
}

static void assert_same_answers(const pc_impact *a, const pc_impact *b)
{
  for (int i = 0; i < pc_impact_bodies(a); i++) {
    double u[6] = {0}, v[6] = {0};
    pc_impact_velocity(a, i, u);
    pc_impact_velocity(b, i, v);
    assert_memory_equal(u, v, sizeof u);
  }
  for (int k = 0; k < pc_impact_interactions(a); k++) {
    double p[3], q[3];
    pc_impact_percussion(a, k, p);
    pc_impact_percussion(b, k, q);
    assert_memory_equal(p, q, sizeof p);
    pc_interaction_answer full;
    pc_impact_answer(b, k, &full);
    assert_memory_equal(p, full.percussion, sizeof p);
  }
}

static const packing_kind heap = {.dof = 6,
                                  .side = 6,
                                  .height = 8,
                                  .round = true,
                                  .same_law = true,
                                  .mu = 0.5,
                                  .on = PC_ON_AFTER};

// Up to six contacts of a pair.
static const packing_kind rubble = {
    .dof = 6, .side = 6, .height = 8, .same_law = true, .points = 6, .mu = 0.5, .on = PC_ON_AFTER};

static packing_kind random_kind(pc_random *random)
{
  static const int dofs[] = {6, 6, 3, 2};
  packing_kind kind = {.dof = dofs[pc_random_below(random, 4)]};
  kind.side = kind.dof == 6 ? 4 + pc_random_below(random, 3) : 12 + pc_random_below(random, 5);
  kind.height = kind.dof == 6 ? 5 + pc_random_below(random, 4) : 16 + pc_random_below(random, 5);
  kind.round = pc_random_below(random, 2) == 0;
  kind.immovable = pc_random_below(random, 4) == 0;
  kind.same_law = pc_random_below(random, 3) > 0;
  kind.frictionless = pc_random_below(random, 4) == 0;
  kind.mu = pc_random_below(random, 4) == 0 ? 0 : pc_random_uniform(random, 0.1, 0.7);
  int law = pc_random_below(random, 3);
  kind.e = law == 1 ? pc_random_uniform(random, 0, 0.9) : 0;
  kind.k = law == 2 ? pc_random_uniform(random, 0, 3) : 0;
  kind.on = (pc_coulomb_on)pc_random_below(random, 3);
  if (pc_random_below(random, 3) == 0)
    kind.drag = pow(10, pc_random_uniform(random, -5, 2));
  kind.elements = pc_random_below(random, 3) == 0;
  // Friction at several points of a pair is another matter: many such packings take more sweeps.
  bool slips = kind.frictionless || (kind.drag > 0 && kind.drag < 0.01);
  kind.points = slips && !kind.round && pc_random_below(random, 3) > 0 ? 6 : 1;
  return kind;
}

// The same statement gives the same bytes, in a fresh problem or in one that held another.
static void clearing_forgets_everything(void **state)
{
  pc_random random = test_random("clearing");
  pc_impact *used = pc_impact_create();
  for (int n = test_count(20); n > 0; n--) {
    packing_kind kind = random_kind(&random);
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *fresh = pc_impact_create();
    pc_impact_clear(used);
    packing_state(&p, used);
    packing_state(&p, fresh);
    double tolerance = pc_random_below(&random, 2) ? 1e-4 : 1e-9;
    pc_solve_info a = packing_solve(used, "auto", tolerance, false, 1);
    pc_solve_info b = packing_solve(fresh, "auto", tolerance, false, 1);
    assert_int_equal(a.iterations, b.iterations);
    assert_true(a.residual == b.residual);
    assert_true(memcmp(&a.audit.kinetic_after, &b.audit.kinetic_after, sizeof(double)) == 0);
    assert_same_answers(used, fresh);
    pc_impact_destroy(fresh);
    packing_free(&p);
  }
  pc_impact_destroy(used);
}

static void threads_do_not_change_a_byte(void **state)
{
  pc_random random = test_random("threads");
  for (int n = test_count(12); n > 0; n--) {
    packing_kind kind = n % 3 == 0 ? heap : random_kind(&random);
    if (n % 3 == 0)
      kind.side = 12;
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *problem[4];
    for (int i = 0; i < 4; i++) { // the last one repeats the first
      problem[i] = pc_impact_create();
      packing_state(&p, problem[i]);
      pc_solve_info info = packing_solve(problem[i], "nsgs", 1e-4, false, 1 + i % 3);
      assert_true(info.audit.momentum < 1e-12);
      if (i > 0)
        assert_same_answers(problem[0], problem[i]);
    }
    for (int i = 0; i < 4; i++)
      pc_impact_destroy(problem[i]);
    packing_free(&p);
  }
}

// Small islands, solved side by side.
static void islands_do_not_mind_threads(void **state)
{
  pc_random random = test_random("islands");
  packing_kind kind = heap;
  kind.side = 2;
  kind.height = 2;
  pc_impact *problem[3];
  for (int i = 0; i < 3; i++)
    problem[i] = pc_impact_create();
  for (int n = 0; n < 200; n++) {
    packing p;
    packing_create(&p, &random, &kind);
    for (int i = 0; i < 3; i++) {
      for (int b = 0; b < p.bodies; b++)
        pc_impact_add_body(problem[i], &p.body[b]);
      for (int k = 0; k < p.contacts; k++) {
        pc_interaction c = p.contact[k];
        for (int s = 0; s < 2; s++)
          c.bodies[s] += c.bodies[s] >= 0 ? n * p.bodies : 0;
        assert_true(pc_impact_add_interaction(problem[i], &c) >= 0);
      }
    }
    packing_free(&p);
  }
  for (int i = 0; i < 3; i++) {
    pc_solve_info info = packing_solve(problem[i], "auto", 1e-9, false, 1 + i);
    assert_in_range(info.islands, 200, 800);
    assert_int_equal(info.status, PC_SOLVED);
    assert_same_answers(problem[0], problem[i]);
  }
  for (int i = 0; i < 3; i++)
    pc_impact_destroy(problem[i]);
}

static void a_solution_is_its_own_guess(void **state)
{
  pc_random random = test_random("guesses");
  int again = 0, solved = 0;
  for (int n = test_count(40); n > 0; n--) {
    packing_kind kind = random_kind(&random);
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *problem = pc_impact_create();
    packing_state(&p, problem);
    bool small = pc_random_below(&random, 4) == 0; // the other solvers take guesses too
    double tolerance = small ? 1e-9 : 1e-5;
    pc_solve_info cold = packing_solve(problem, "nsgs", tolerance, false, 1);
    packing_guess(&p, problem);
    pc_impact_clear(problem);
    packing_state(&p, problem);
    pc_solve_info warm = packing_solve(problem, "nsgs", 2 * tolerance, true, 1);
    if (cold.status == PC_SOLVED) {
      assert_int_equal(warm.status, PC_SOLVED);
      assert_true(small || warm.iterations == 0);
      again += warm.iterations;
      solved++;
    }
    pc_impact_destroy(problem);
    packing_free(&p);
  }
  assert_true(solved > 0 && again <= 5 * solved);
}

// The law of one contact, from the answer alone: how far percussion and velocity are from obeying
// it, in m/s, with the mass m as unit. Complementarity is min(gap velocity, percussion / m),
// friction the distance to sticking or to sliding backwards.
static double violation(const pc_interaction *c, const pc_interaction_answer *a, int space,
                        double m)
{
  double n[3], length = 0, after = 0, mean = 0, p = 0, before[3], worst = 0;
  for (int i = 0; i < space; i++)
    length += c->normal[i] * c->normal[i];
  for (int i = 0; i < space; i++) {
    n[i] = c->normal[i] / sqrt(length);
    after += n[i] * a->after[i];
    mean += n[i] * a->deformation[i];
    p -= n[i] * a->percussion[i];
  }
  double normal_before = 2 * mean - after, bound = c->bound, force = p;
  if (c->law.normal.kind == PC_NORMAL_RESTITUTION)
    bound -= c->law.normal.e * normal_before;
  if (c->law.normal.kind == PC_NORMAL_QUADRATIC)
    force += c->law.normal.k * mean; // what is left is the reaction
  worst = fmax(fabs(fmin(after - bound, force / m)), 0);
  bool rubs = c->law.tangential.kind == PC_TANGENTIAL_COULOMB;
  if (c->law.tangential.kind == PC_TANGENTIAL_VISCOUS) {
    double k = c->law.tangential.k, off = 0;
    for (int i = 0; i < space; i++) { // P_T = k D_T(mean)
      double x = a->percussion[i] + p * n[i] - k * (a->deformation[i] - mean * n[i]);
      off += x * x;
    }
    return fmax(worst, sqrt(off) / (m + 0.5 * k));
  }
  double share =
      c->law.tangential.on == PC_ON_MEAN ? 1
      : c->law.tangential.on == PC_ON_MOREAU && c->law.normal.kind == PC_NORMAL_RESTITUTION
          ? c->law.normal.e
          : 0;
  double v[3], t[3], speed = 0, push = 0, along = 0;
  for (int i = 0; i < space; i++) {
    before[i] = 2 * a->deformation[i] - a->after[i];
    v[i] = a->after[i] - after * n[i] + share * (before[i] - normal_before * n[i]);
    t[i] = -a->percussion[i] - p * n[i];
    speed += v[i] * v[i];
    push += t[i] * t[i];
    along += v[i] * t[i];
  }
  speed = sqrt(speed), push = sqrt(push);
  double reach = rubs ? c->law.tangential.mu[0] * fmax(p, 0) : 0;
  worst = fmax(worst, (push - reach) / m); // in the cone
  if (reach > 0 || rubs) {
    // sliding: at the edge of the cone, against the velocity
    double slack = fmin(speed, fmax(reach - push, 0) / m);
    double turned = fmin(speed, (push + along / fmax(speed, 1e-300)) / m);
    worst = fmax(worst, fmax(slack, push > 0 ? turned : 0));
  }
  return worst;
}

// |M (U+ - U-) - P_ext + sum B^T P| of the linear velocities, over the percussions.
static double unbalance(const packing *p, const pc_impact *problem, int space)
{
  double(*left)[3] = calloc((size_t)p->bodies, sizeof *left), worst = 0, size = 0;
  for (int b = 0; b < p->bodies; b++) {
    double u[6];
    pc_impact_velocity(problem, b, u);
    for (int i = 0; i < space && isfinite(p->body[b].mass); i++)
      left[b][i] = p->body[b].mass * (u[i] - p->body[b].velocity[i]) - p->body[b].percussion[i];
  }
  for (int k = 0; k < p->contacts; k++) {
    double q[3];
    pc_impact_percussion(problem, k, q);
    for (int i = 0; i < space; i++) {
      size = fmax(size, fabs(q[i]));
      left[p->contact[k].bodies[0]][i] += q[i];
      if (p->contact[k].bodies[1] >= 0)
        left[p->contact[k].bodies[1]][i] -= q[i];
    }
  }
  for (int e = 0; e < p->elements; e++) {
    const packing_element *element = &p->element[e];
    int b = element->term.body, dof = p->body[b].dof;
    double q[3];
    pc_impact_percussion(problem, p->contacts + e, q);
    for (int r = 0; r < element->entry.rows; r++)
      for (int i = 0; i < space; i++)
        left[b][i] += element->row[dof * r + i] * q[r];
  }
  for (int b = 0; b < p->bodies; b++)
    for (int i = 0; i < space && isfinite(p->body[b].mass); i++)
      worst = fmax(worst, fabs(left[b][i]));
  free(left);
  return size > 0 ? worst / size : worst;
}

// Velocities of free motion, and the worst difference of two answers, in m/s.
static double difference(const packing *p, const pc_impact *a, const pc_impact *b)
{
  double sum = 0, weight = 0;
  for (int i = 0; i < p->bodies; i++) {
    double u[6], v[6];
    int dof = p->body[i].dof;
    pc_impact_velocity(a, i, u);
    pc_impact_velocity(b, i, v);
    for (int j = 0; j < dof; j++, weight++)
      sum += (u[j] - v[j]) * (u[j] - v[j]);
  }
  return sqrt(sum / weight);
}

static double row_misses(const pc_interaction_answer *a, int row, double k, bool folded)
{
  double off = fabs(a->percussion[row] - k * a->deformation[row]);
  if (folded)
    assert_near(off, 0, 1e-12 * (1 + k));
  return off / (0.5 + 0.5 * k);
}

static double element_misses(const pc_law *law, const pc_interaction_answer *a, bool folded)
{
  double most = a->size > 0 ? row_misses(a, 0, law->normal.k, folded) : 0;
  for (int r = 1; r < a->size; r++)
    most = fmax(most, row_misses(a, r, law->tangential.k, folded));
  return most;
}

// Packed sweeps satisfy the laws as far as their residual says, and where friction does not make
// several answers possible they give the velocities of the plain solvers.
static void packs_obey_the_laws(void **state)
{
  pc_random random = test_random("packs");
  int solved = 0, count = test_count(300);
  for (int n = 0; n < count; n++) {
    packing_kind kind = random_kind(&random);
    int space = kind.dof == 6 ? 3 : 2;
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *packed = pc_impact_create(), *plain = pc_impact_create();
    packing_state(&p, packed);
    pc_solve_info fast = packing_solve(packed, "nsgs", 1e-7, false, 1);
    assert_true(unbalance(&p, packed, space) < 1e-11);
    assert_true(fast.audit.momentum < 1e-11);
    // The residual is a root of sums of squares over all contacts, relative to free velocities of
    // about a metre per second, with each contact's own mass as unit (0.1 to 1.5 here).
    double most = 0;
    for (int k = 0; k < p.contacts; k++) {
      pc_interaction_answer answer;
      pc_impact_answer(packed, k, &answer);
      most = fmax(most, violation(&p.contact[k], &answer, space, 0.5));
    }
    for (int e = 0; e < p.elements; e++) {
      pc_interaction_answer a;
      pc_impact_answer(packed, p.contacts + e, &a);
      // Folded elements obey their law exactly. Small islands are not packed.
      bool folded = fast.islands == 1 && p.contacts > 300;
      most = fmax(most, element_misses(&p.element[e].entry.law, &a, folded));
    }
    double allowed = 30 * fast.residual * sqrt(p.contacts);
    if (most > allowed)
      fail_msg("case %d: a law is missed by %g, residual %g", n, most, fast.residual);
    solved += fast.status == PC_SOLVED;
    bool slips = kind.same_law && kind.mu == 0 && kind.drag == 0;
    bool unique = kind.frictionless || kind.drag > 0 || slips;
    if (unique && fast.status == PC_SOLVED) {
      for (int k = 0; k < p.contacts && slips; k++) // the same law, but convex
        p.contact[k].law.tangential = (pc_tangential_law){0};
      packing_state(&p, plain);
      pc_solve_info exact = packing_solve(plain, "ipm", 1e-10, false, 1);
      if (exact.status == PC_SOLVED)
        assert_near(difference(&p, packed, plain), 0, 1e-4);
    }
    pc_impact_destroy(packed);
    pc_impact_destroy(plain);
    packing_free(&p);
  }
  printf("%d of %d packings solved to 1e-7\n", solved, count);
  assert_true(solved >= 0.9 * count);
}

// At one and the same point the packed residual is that of the plain solver: an answer of the one,
// given to the other as a guess that is not to be changed.
static void both_paths_have_one_residual(void **state)
{
  pc_random random = test_random("residuals");
  int all = 0, compared = 0;
  for (int n = test_count(100); n > 0; n--) {
    packing_kind kind = random_kind(&random);
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *problem = pc_impact_create();
    packing_state(&p, problem);
    pc_solve_options options = pc_solve_options_default();
    options.solver = "nsgs";
    options.tolerance = 0.02;
    options.max_iterations = MOST_SWEEPS;
    pc_solve_info rough;
    assert_int_equal(pc_impact_solve(problem, &options, &rough), PC_OK);
    // A tolerance that it meets: looked at, not swept.
    options.warm_start = true;
    options.tolerance = 0.9;
    pc_solve_info packed;
    assert_int_equal(pc_impact_solve(problem, &options, &packed), PC_OK);
    pc_impact *other = pc_impact_create();
    packing_guess(&p, problem);
    packing_state(&p, other);
    pc_error error = {0};
    pc_islands islands;
    assert_int_equal(pc_islands_build(other, 1, 0, false, 1, &islands), PC_OK);
    double worst = 0;
    for (int i = 0; i < islands.count; i++) {
      pc_arena arena = {0};
      pc_system system;
      assert_int_equal(pc_island_system(other, &islands, i, 1, true, &arena, &system, &error),
                       PC_OK);
      double *d = calloc((size_t)system.rows + 1, sizeof(double));
      pc_system_motion(&system, system.r, system.y);
      pc_system_deformation(&system, system.r, system.y, d);
      worst = fmax(worst, pc_system_residual(&system, system.r, d, NULL));
      free(d);
      pc_island_free(&system);
      pc_arena_free(&arena);
    }
    // Where nothing is found percussions grow without end, and take the digits with them. Small
    // islands are not packed, and are solved better than asked.
    all++;
    if (rough.status == PC_SOLVED && islands.count == 1 && islands.island[0].rows > 300) {
      compared++;
      assert_int_equal(packed.iterations, 0);
      assert_near(packed.residual, worst, 1e-11 * worst + 1e-13);
    }
    pc_impact_destroy(other);
    pc_impact_destroy(problem);
    packing_free(&p);
  }
  printf("%d of %d compared\n", compared, all);
  assert_true(compared > 0.4 * all - 3);
}

// What a sweep leaves is where the next one starts.
static void swap(void **a, void **b)
{
  void *was = *a;
  *a = *b;
  *b = was;
}

// The kernels for narrow and for wide vectors give the same bytes.
static void width_does_not_matter(void **state)
{
  pc_random random = test_random("width");
  for (int n = test_count(40); n > 0; n--) {
    packing_kind kind = n % 3 == 0 ? rubble : random_kind(&random);
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *problem = pc_impact_create();
    packing_state(&p, problem);
    pc_islands islands;
    pc_error error = {0};
    assert_int_equal(pc_islands_build(problem, 1, 0, false, 1, &islands), PC_OK);
    pc_arena arena[2] = {{0}, {0}};
    pc_packs packs[2];
    double residual[2], sums[2][2];
    void *last[2];
    for (int i = 0; i < 2; i++) {
      assert_int_equal(
          pc_packs_create(&packs[i], problem, &islands, 0, false, 1, &arena[i], &error), PC_OK);
      if (i == 1)
        packs[i].kernels =
            pc_pack_kernels_of(packs[i].shape, packs[i].friction, packs[i].extra, true);
      last[i] = pc_arena_take(&arena[i], (size_t)packs[i].packs * PC_LANES * 4, sizeof(double));
      for (int s = 0; s < 7; s++) {
        pc_sweep sweep = {.g = packs[i].r,
                          .last = s < 2 ? NULL : last[i],
                          .next = s < 2 ? packs[i].r : last[i],
                          .line_next = packs[i].line,
                          .beta = 0.1 * s};
        pc_packs_sweep(&packs[i], &sweep, sums[i]);
        if (s >= 2)
          swap(&packs[i].r, &last[i]);
      }
      pc_packs_move(&packs[i], packs[i].line, packs[i].r);
      residual[i] = pc_packs_residual(&packs[i], packs[i].line, packs[i].r);
    }
    size_t numbers = (size_t)packs[0].packs * PC_LANES * (size_t)packs[0].numbers;
    assert_memory_equal(packs[0].r, packs[1].r, numbers * sizeof(double));
    assert_memory_equal(last[0], last[1], numbers * sizeof(double));
    assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    assert_memory_equal(packs[0].line, packs[1].line,
                        (size_t)(packs[0].lines * packs[0].stride) * sizeof(double));
    assert_true(residual[0] == residual[1]);
    for (int i = 0; i < 2; i++)
      pc_arena_free(&arena[i]);
    pc_impact_destroy(problem);
    packing_free(&p);
  }
}

static void scale_mass(pc_impact_body *body, double factor)
{
  body->mass *= factor;
  for (int i = 0; i < 9; i++)
    body->inertia[i] *= body->inertia[i] != 0 ? factor : 1;
  for (int i = 0; i < 6; i++)
    body->percussion[i] *= factor;
}

// Floats follow doubles from sweep to sweep up to their rounding, in any unit of mass.
static void single_precision_follows_double(void **state)
{
  pc_random random = test_random("single");
  int compared = 0;
  for (int n = test_count(40); n > 0; n--) {
    packing_kind kind = n % 3 == 0 ? rubble : random_kind(&random);
    packing p;
    packing_create(&p, &random, &kind);
    for (int b = 0; b < p.bodies; b++)
      scale_mass(&p.body[b],
                 kind.same_law && kind.k == 0 && !kind.elements ? pow(10, n % 25 - 12) : 1);
    pc_impact *problem = pc_impact_create();
    packing_state(&p, problem);
    pc_islands islands;
    pc_error error = {0};
    assert_int_equal(pc_islands_build(problem, 1, 0, false, 1, &islands), PC_OK);
    pc_arena arena = {0};
    pc_packs packs, single;
    bool suits;
    assert_int_equal(pc_packs_create(&packs, problem, &islands, 0, false, 1, &arena, &error),
                     PC_OK);
    size_t numbers = (size_t)packs.packs * PC_LANES * (size_t)packs.numbers;
    assert_true(pc_packs_to_single(&single, &packs, 1e-13, &suits, &arena));
    assert_false(suits); // far below the rounding
    double *line = pc_arena_copy(&arena, packs.line, packs.lines * packs.stride, sizeof(double));
    assert_true(pc_packs_to_single(&single, &packs, 1e3, &suits, &arena));
    assert_true(suits == (packs.friction == PC_RUBS && packs.shape <= PC_CENTRAL));
    packs.line = line; // the copy has the memory of the others
    for (int i = 0; i < packs.lines * packs.stride && suits; i++)
      assert_true(i % 4 == 3 || ((float *)single.line)[i] == (float)line[i]);
    for (int s = 0; s < 8 && suits; s++) {
      double sums[2], size = 0, off = 0, *back = pc_arena_take(&arena, numbers, sizeof(double));
      pc_sweep of_packs = {.g = packs.r, .next = packs.r, .line_next = packs.line};
      pc_sweep of_single = {.g = single.r, .next = single.r, .line_next = single.line};
      pc_packs_sweep(&packs, &of_packs, sums);
      pc_packs_sweep(&single, &of_single, sums);
      pc_packs_from_single(&packs, single.r, back);
      for (size_t i = 0; i < numbers; i++) {
        size = fmax(size, fabs(((double *)packs.r)[i]));
        off = fmax(off, fabs(((double *)packs.r)[i] - back[i]));
      }
      assert_true(off <= 1e-4 * size);
      assert_near(pc_packs_residual(&single, single.line, single.r),
                  pc_packs_residual(&packs, packs.line, packs.r), 1e-4);
      compared++;
    }
    pc_arena_free(&arena);
    pc_impact_destroy(problem);
    packing_free(&p);
  }
  assert_true(compared > 0);
}

// The contacts of a pair are swept one after the other, with velocities that are read and written
// once: the same bytes as packs one by one.
static void stacks_are_swept_as_their_packs(void **state)
{
  pc_random random = test_random("stacks");
  for (int n = test_count(10); n > 0; n--) {
    packing p;
    packing_create(&p, &random, &rubble);
    pc_impact *problem = pc_impact_create();
    packing_state(&p, problem);
    pc_islands islands;
    pc_error error = {0};
    assert_int_equal(pc_islands_build(problem, 1, 0, false, 1, &islands), PC_OK);
    pc_arena arena[2] = {{0}, {0}};
    pc_packs packs[2];
    int highest = 0;
    for (int i = 0; i < 2; i++) {
      assert_int_equal(
          pc_packs_create(&packs[i], problem, &islands, 0, false, 1, &arena[i], &error), PC_OK);
      for (int s = 0; s < 5; s++) {
        pc_sweep sweep = {.g = packs[i].r, .next = packs[i].r, .line_next = packs[i].line};
        double sums[2];
        if (i == 0)
          pc_packs_sweep(&packs[i], &sweep, sums);
        for (int k = 0; k < packs[i].packs && i == 1; k++)
          packs[i].kernels->sweep(&packs[i], &sweep, 1, k, k + 1, sums);
      }
    }
    for (int r = 0; r < packs[0].runs; r++)
      highest = packs[0].run[r].storeys > highest ? packs[0].run[r].storeys : highest;
    assert_int_equal(highest, PC_STOREYS);
    assert_memory_equal(packs[0].r, packs[1].r,
                        (size_t)packs[0].packs * PC_LANES * (size_t)packs[0].numbers *
                            sizeof(double));
    assert_memory_equal(packs[0].line, packs[1].line,
                        (size_t)(packs[0].lines * packs[0].stride) * sizeof(double));
    for (int i = 0; i < 2; i++)
      pc_arena_free(&arena[i]);
    pc_impact_destroy(problem);
    packing_free(&p);
  }
}

// Sweeps by several threads give the bytes of one.
static void threads_sweep_alike(void **state)
{
  pc_random random = test_random("sweepers");
  for (int n = test_count(6); n > 0; n--) {
    packing_kind kind = heap;
    kind.dof = n % 2 == 0 ? 6 : 3;
    kind.side = kind.dof == 6 ? 14 : 60;
    kind.height = kind.dof == 6 ? 8 : 40;
    kind.round = n % 3 == 0;
    kind.points = n % 4 == 2 ? 6 : 1;
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *problem = pc_impact_create();
    packing_state(&p, problem);
    pc_islands islands;
    pc_error error = {0};
    assert_int_equal(pc_islands_build(problem, 1, 0, false, 1, &islands), PC_OK);
    pc_arena arena[3] = {{0}, {0}, {0}};
    pc_packs packs[3];
    double sums[3][2], residual[3];
    for (int i = 0; i < 3; i++) {
      assert_int_equal(
          pc_packs_create(&packs[i], problem, &islands, 0, false, 1 + i, &arena[i], &error), PC_OK);
      size_t numbers = (size_t)(packs[i].packs * PC_LANES * packs[i].numbers);
      void *last = pc_arena_take(&arena[i], numbers, sizeof(double));
      for (int s = 0; s < 5; s++) {
        pc_sweep sweep = {.g = packs[i].r,
                          .last = last,
                          .next = last,
                          .line_next = packs[i].line,
                          .beta = 0.1 * s};
        pc_packs_sweep(&packs[i], &sweep, sums[i]);
        swap(&packs[i].r, &last);
      }
      pc_packs_move(&packs[i], packs[i].line, packs[i].r);
      residual[i] = pc_packs_residual(&packs[i], packs[i].line, packs[i].r);
      assert_memory_equal(packs[0].r, packs[i].r, numbers * sizeof(double));
      assert_memory_equal(packs[0].line, packs[i].line,
                          (size_t)(packs[i].lines * packs[i].stride) * sizeof(double));
      assert_memory_equal(sums[0], sums[i], sizeof sums[i]);
      assert_true(residual[0] == residual[i]);
    }
    for (int i = 0; i < 3; i++)
      pc_arena_free(&arena[i]);
    pc_impact_destroy(problem);
    packing_free(&p);
  }
}

// The same for sweeps by pairs; and percussions and lines belong together after them.
static void width_does_not_matter_to_pairs(void **state)
{
  pc_random random = test_random("pairs");
  for (int n = test_count(40); n > 0; n--) {
    packing_kind kind = random_kind(&random);
    kind.drag = 1e-3;
    kind.round = false;
    kind.points = 6;
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *problem = pc_impact_create();
    packing_state(&p, problem);
    packing_solve(problem, "nsgs", 0.9, false, 1); // makes room for an answer
    pc_islands islands;
    pc_error error = {0};
    assert_int_equal(pc_islands_build(problem, 1, 0, false, 1, &islands), PC_OK);
    pc_arena arena[2] = {{0}, {0}};
    pc_pairs pairs[2];
    double sums[2][2];
    void *last[2], *before[2];
    pc_map_size map[2];
    for (int i = 0; i < 2; i++) {
      assert_int_equal(
          pc_pairs_create(&pairs[i], problem, &islands, 0, false, 1 + i, &arena[i], &error), PC_OK);
      pc_packs *packs = &pairs[i].packs;
      if (i == 1)
        packs->kernels = pc_pack_kernels_of(packs->shape, packs->friction, packs->extra, true);
      last[i] = pc_arena_take(&arena[i], (size_t)packs->packs * PC_LANES, sizeof(double));
      before[i] = pc_arena_take(&arena[i], (size_t)packs->lines * PC_LINE, sizeof(double));
      for (int s = 0; s < 7; s++) {
        pc_sweep sweep = {.g = packs->r,
                          .last = last[i],
                          .next = last[i],
                          .line = packs->line,
                          .before = before[i],
                          .line_next = before[i],
                          .beta = 0.1 * s};
        pc_packs_sweep(packs, &sweep, sums[i]);
        swap(&packs->r, &last[i]);
        swap(&packs->line, &before[i]);
        map[i] = pc_packs_map(packs, packs->line, packs->r);
        pc_pairs_viscous_map(&pairs[i], packs->line, &map[i]);
        if (pairs[i].drag != NULL)
          pc_pairs_drag(&pairs[i], packs->line, before[i]);
      }
    }
    const pc_packs *one = &pairs[0].packs, *two = &pairs[1].packs;
    size_t numbers = (size_t)one->packs * PC_LANES, lines = (size_t)one->lines * PC_LINE;
    assert_memory_equal(one->r, two->r, numbers * sizeof(double));
    assert_memory_equal(last[0], last[1], numbers * sizeof(double));
    assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    assert_memory_equal(&map[0], &map[1], sizeof map[0]);
    assert_memory_equal(one->line, two->line, lines * sizeof(double));
    // Given back as a guess, these percussions give these lines.
    pc_pairs again;
    pc_pairs_scatter(&pairs[0], problem, one->line, one->r);
    assert_int_equal(pc_pairs_create(&again, problem, &islands, 0, true, 1, &arena[0], &error),
                     PC_OK);
    for (size_t i = 0; i < lines; i++)
      assert_near(((double *)again.packs.line)[i], ((double *)one->line)[i], 1e-10);
    for (int i = 0; i < 2; i++)
      pc_arena_free(&arena[i]);
    pc_impact_destroy(problem);
    packing_free(&p);
  }
}

// What sweeps by pairs say of a point is what the rows of its island say: several hundred contacts
// of all masses, with normal laws and viscous friction.
static void pairs_have_the_residual_of_the_rows(void **state)
{
  pc_random random = test_random("pairs_have_the_residual_of_the_rows");
  for (int n = 0; n < 3; n++) {
    packing_kind kind = {.dof = 6, .side = 4, .height = 4, .points = 4, .drag = 0.01, .mu = 0.3};
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *problem = pc_impact_create(), *other = pc_impact_create();
    packing_state(&p, problem);
    packing_solve(problem, "nsgs", n == 0 ? 0.5 : 0.01, false, 1);
    packing_guess(&p, problem);
    packing_state(&p, other);
    pc_error error = {0};
    pc_islands islands;
    pc_arena arena = {0};
    assert_int_equal(pc_islands_build(other, 1, 0, false, 1, &islands), PC_OK);
    assert_int_equal(islands.count, 1);
    pc_system system;
    assert_int_equal(pc_island_system(other, &islands, 0, 1, true, &arena, &system, &error), PC_OK);
    double *d = pc_arena_take(&arena, (size_t)system.rows, sizeof(double));
    pc_system_evaluate(&system, system.r, system.y, d);
    double rows = pc_system_residual(&system, system.r, d, NULL);
    pc_pairs pairs;
    assert_int_equal(pc_pairs_create(&pairs, other, &islands, 0, true, 1, &arena, &error), PC_OK);
    assert_true(pairs.drag != NULL && pairs.packs.contacts > 300);
    pc_map_size size = pc_packs_map(&pairs.packs, pairs.packs.line, pairs.packs.r);
    pc_pairs_viscous_map(&pairs, pairs.packs.line, &size);
    assert_near(pc_packs_relative(&pairs.packs, &size), rows, 1e-9 * rows);
    pc_island_free(&system);
    pc_arena_free(&arena);
    pc_impact_destroy(other);
    pc_impact_destroy(problem);
    packing_free(&p);
  }
}

// Whether both are solved; then they have one answer.
static bool is_same(const packing *p, const pc_impact *problem, const pc_impact *fresh,
                    const pc_solve_info *fine, const pc_solve_info *exact)
{
  bool solved = fine->status == PC_SOLVED && exact->status == PC_SOLVED;
  if (solved)
    assert_near(difference(p, problem, fresh), 0, 1e-4);
  return solved;
}

// What a solve kept of a problem serves the next one only if the problem is the same.
static void a_finer_solve_goes_on(void **state)
{
  pc_random random = test_random("finer");
  int compared = 0, cases = test_count(10);
  for (int n = cases; n > 0; n--) {
    packing_kind kind = random_kind(&random);
    kind.drag = 1e-3;
    kind.round = kind.immovable = false;
    kind.elements = n % 2 == 0;
    kind.points = 2;
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *problem = pc_impact_create(), *fresh = pc_impact_create();
    packing_state(&p, problem);
    packing_state(&p, fresh);
    pc_solve_info rough = packing_solve(problem, "nsgs", 1e-2, false, 1);
    pc_solve_info fine = packing_solve(problem, "nsgs", 1e-7, true, 1);
    pc_solve_info exact = packing_solve(fresh, "ipm", 1e-10, false, 1);
    assert_true(rough.status != PC_FAILED);
    compared += is_same(&p, problem, fresh, &fine, &exact);
    // Another velocity is another problem, however it is stated.
    double velocity[6] = {3, -1, 2, 1, 1, 1};
    assert_int_equal(pc_impact_set_velocity(problem, 0, velocity), PC_OK);
    assert_int_equal(pc_impact_set_velocity(fresh, 0, velocity), PC_OK);
    fine = packing_solve(problem, "nsgs", 1e-7, true, 1);
    exact = packing_solve(fresh, "ipm", 1e-10, false, 1);
    compared += is_same(&p, problem, fresh, &fine, &exact);
    pc_impact_clear(problem);
    p.body[0].velocity[0] = -3;
    packing_state(&p, problem);
    fine = packing_solve(problem, "nsgs", 1e-7, true, 1);
    pc_impact_clear(fresh);
    packing_state(&p, fresh);
    exact = packing_solve(fresh, "ipm", 1e-10, false, 1);
    compared += is_same(&p, problem, fresh, &fine, &exact);
    pc_impact_destroy(problem);
    pc_impact_destroy(fresh);
    packing_free(&p);
  }
  assert_true(compared >= 0.8 * 3 * cases);
}

// A plate with more contacts than there are colours.
static void a_body_may_have_many_contacts(void **state)
{
  pc_random random = test_random("plate");
  enum { BALLS = 300 };
  pc_impact *packed = pc_impact_create(), *plain = pc_impact_create();
  for (int b = 0; b <= BALLS; b++) {
    pc_impact_body body = pc_impact_body_default();
    body.mass = b == BALLS ? 50 : 1;
    for (int i = 0; i < 3; i++)
      body.inertia[4 * i] = b == BALLS ? 2000 : 0.1;
    body.position[0] = b == BALLS ? 0 : 0.1 * (b - 150);
    body.position[2] = b == BALLS ? 0 : 0.5;
    body.percussion[2] = -body.mass;
    body.velocity[2] = 0.1 * pc_random_normal(&random);
    assert_int_equal(pc_impact_add_body(packed, &body), b);
    assert_int_equal(pc_impact_add_body(plain, &body), b);
  }
  for (int b = 0; b < BALLS + 3; b++) {
    pc_interaction c = pc_interaction_default(PC_CONTACT);
    c.bodies[0] = b < BALLS ? b : BALLS;
    c.bodies[1] = b < BALLS ? BALLS : PC_OBSTACLE;
    memcpy(c.normal, (double[]){0, 0, 1}, sizeof c.normal);
    c.point[0] = b < BALLS ? 0.1 * (b - 150) : b == BALLS ? -10 : 10;
    c.point[1] = b == BALLS + 2 ? 1 : 0;
    assert_int_equal(pc_impact_add_interaction(packed, &c), b);
    assert_int_equal(pc_impact_add_interaction(plain, &c), b);
  }
  pc_solve_info fast = packing_solve(packed, "nsgs", 1e-7, false, 2);
  pc_solve_info exact = packing_solve(plain, "ipm", 1e-10, false, 1);
  assert_int_equal(fast.status, PC_SOLVED);
  assert_int_equal(exact.status, PC_SOLVED);
  for (int b = 0; b <= BALLS; b++) {
    double u[6], v[6];
    pc_impact_velocity(packed, b, u);
    pc_impact_velocity(plain, b, v);
    for (int i = 0; i < 6; i++)
      assert_near(u[i], v[i], 1e-4);
  }
  pc_impact_destroy(packed);
  pc_impact_destroy(plain);
}

// A pyramid of boxes of different weight on a floor, in the plane or in space, with gravity for a
// step; contacts at the ends of what two boxes share.
static void state_pyramid(pc_impact *problem, pc_random *random, int layers, int dof,
                          double *weight)
{
  static const double step = 0.0981;
  int first[101] = {0}, up = dof == 3 ? 1 : 2;
  *weight = 0;
  for (int j = 0; j < layers; j++)
    for (int i = 0; i < layers - j; i++) {
      pc_impact_body body = pc_impact_body_default();
      body.dof = dof;
      body.mass = pc_random_uniform(random, 0.5, 2);
      for (int k = 0; k < (dof == 3 ? 1 : 3); k++)
        body.inertia[4 * k] = body.mass / 6;
      body.position[0] = i + 0.5 * j;
      body.position[up] = 0.5 + j;
      body.percussion[up] = -step * body.mass;
      *weight += step * body.mass;
      int at = pc_impact_add_body(problem, &body);
      assert_true(at >= 0);
      first[j] = i == 0 ? at : first[j];
    }
  pc_interaction c = pc_interaction_default(PC_CONTACT);
  c.law.tangential =
      (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .mu = {0.5, 0.5}, .on = PC_ON_AFTER};
  c.normal[0] = 0;
  c.normal[up] = 1;
  for (int j = 0; j < layers; j++)
    for (int i = 0; i < layers - j; i++)
      for (int side = 0; side < (j == 0 ? 1 : 2); side++)
        for (int end = 0; end < (dof == 3 ? 2 : 4); end++) {
          double width = j == 0 ? 0.45 : 0.225, middle = j == 0 ? 0 : side - 0.5;
          c.bodies[0] = first[j] + i;
          c.bodies[1] = j == 0 ? PC_OBSTACLE : first[j - 1] + i + side;
          c.point[0] = i + 0.5 * j + 0.5 * middle + (end % 2 == 0 ? width : -width);
          c.point[1] = end < 2 ? 0.45 : -0.45;
          c.point[up] = j;
          if (j > 0 && pc_random_below(random, 2) == 0) { // either body may be the first
            int other = c.bodies[0];
            c.bodies[0] = c.bodies[1];
            c.bodies[1] = other;
            c.normal[up] = -1;
          }
          assert_true(pc_impact_add_interaction(problem, &c) >= 0);
          c.normal[up] = 1;
        }
}

// A pyramid at rest stays so without a guess: a pass from the top down finds percussions that carry
// it, which sweeps alone would need thousands of rounds for.
static void what_rests_is_held_at_once(void **state)
{
  pc_random random = test_random("pyramids");
  for (int n = test_count(8); n > 0; n--) {
    pc_impact *problem = pc_impact_create();
    int dof = n % 2 == 0 ? 3 : 6, layers = 12 + pc_random_below(&random, 16), up = dof == 3 ? 1 : 2;
    double weight, carried = 0;
    state_pyramid(problem, &random, layers, dof, &weight);
    pc_solve_options options = pc_solve_options_default();
    options.tolerance = 1e-4;
    options.max_iterations = 60;    // some corners must slide a little, as weights differ
    options.warm_start = n % 4 < 2; // the guesses are zeros
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
    assert_int_equal(info.status, PC_SOLVED);
    assert_true(info.iterations <= 60);
    assert_true(info.audit.closed);
    double most = 0, sum = 0;
    for (int b = 0; b < pc_impact_bodies(problem); b++) {
      double u[6];
      pc_impact_velocity(problem, b, u);
      for (int i = 0; i < dof; i++) {
        most = fmax(most, fabs(u[i]));
        sum += u[i] * u[i];
      }
    }
    assert_true(sqrt(sum / pc_impact_bodies(problem)) < 1e-3 * 0.0981);
    assert_true(most < 1e-2 * 0.0981);
    for (int k = 0; k < pc_impact_interactions(problem); k++) {
      double p[3];
      pc_impact_percussion(problem, k, p);
      double along = fabs(p[up]), across = hypot(p[0], dof == 6 ? p[1] : 0);
      assert_true(across <= 0.5 * along * (1 + 1e-9) + 1e-15);
      carried += k < (dof == 3 ? 2 : 4) * layers ? -p[up] : 0; // the floor comes first
    }
    assert_near(carried, weight, 1e-3 * weight);
    pc_impact_destroy(problem);
  }
}

// A limit of sweeps is one for small islands too, whatever they look like; what they reach is said.
static void few_sweeps_are_few_everywhere(void **state)
{
  pc_random random = test_random("few");
  for (int n = test_count(60); n > 0; n--) {
    packing_kind kind = random_kind(&random);
    kind.side = 1 + pc_random_below(&random, 3);
    kind.height = 2 + pc_random_below(&random, 3);
    kind.same_law = true;
    kind.frictionless = kind.elements = false;
    kind.mu = 0.4;
    kind.drag = 0;
    packing p;
    packing_create(&p, &random, &kind);
    pc_impact *problem = pc_impact_create();
    packing_state(&p, problem);
    pc_solve_options options = pc_solve_options_default();
    options.tolerance = 1e-4;
    options.max_iterations = 5 * (1 + pc_random_below(&random, 8));
    options.warm_start = options.gives_up = true;
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
    assert_true(info.iterations <= options.max_iterations);
    assert_true(info.status == (info.residual <= 1e-4 ? PC_SOLVED : PC_INACCURATE));
    assert_true(info.audit.momentum < 1e-10);
    pc_impact_destroy(problem);
    packing_free(&p);
  }
}

static int add_unit(pc_impact *problem, double x, double y, double z)
{
  pc_impact_body body = pc_impact_body_default();
  body.mass = 1;
  for (int i = 0; i < 3; i++)
    body.inertia[4 * i] = 0.2;
  body.position[0] = x, body.position[1] = y, body.position[2] = z;
  body.percussion[2] = -0.01;
  return pc_impact_add_body(problem, &body);
}

static void add_touch(pc_impact *problem, int a, int b, const double point[3], int axis)
{
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.bodies[0] = a, contact.bodies[1] = b;
  memcpy(contact.point, point, sizeof contact.point);
  for (int k = 0; k < 3; k++)
    contact.normal[k] = k == axis;
  assert_true(pc_impact_add_interaction(problem, &contact) >= 0);
}

// Rows of bricks without friction, each on two below it.
static void add_bricks(pc_impact *problem, double at, int count, int rows)
{
  int brick[12][20];
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < count; i++) {
      double x = at + i + 0.5 * (j % 2);
      brick[j][i] = add_unit(problem, x, 0, j);
      for (int s = 0; s < 4; s++) {
        int below = PC_OBSTACLE, q = i + (s & 1) - (j + 1) % 2;
        if (j > 0 && (q < 0 || q >= count))
          continue;
        if (j > 0)
          below = brick[j - 1][q];
        double point[3] = {x + (s & 1 ? 0.4 : -0.4), s & 2 ? 0.4 : -0.4, j - 0.5};
        add_touch(problem, brick[j][i], below, point, 2);
      }
    }
}

static void add_box(pc_impact *problem, double at)
{
  int box = add_unit(problem, at, 50, 0);
  for (int s = 0; s < 4; s++)
    add_touch(problem, box, PC_OBSTACLE,
              (double[3]){at + (s & 1 ? 0.4 : -0.4), s & 2 ? 50.4 : 49.6, -0.5}, 2);
}

static void add_balls(pc_impact *problem)
{
  int ball[22][22];
  for (int i = 0; i < 22; i++)
    for (int j = 0; j < 22; j++) {
      double x = 100 + i;
      ball[i][j] = add_unit(problem, x, j, 0);
      add_touch(problem, ball[i][j], PC_OBSTACLE, (double[3]){x, j, -0.5}, 2);
      if (i > 0)
        add_touch(problem, ball[i][j], ball[i - 1][j], (double[3]){x - 0.5, j, 0}, 0);
      if (j > 0)
        add_touch(problem, ball[i][j], ball[i][j - 1], (double[3]){x, j - 0.5, 0}, 1);
    }
}

// The pairs of a solve are kept for a finer one. They must not serve another island: one of balls
// that has none, or, with other lots, one that has got their number. They serve their own also
// behind islands that are solved without any.
static void pairs_serve_their_own_island(void **state)
{
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  pc_impact *problem;
  options.warm_start = true;
  options.max_iterations = 1000;
  for (int boxes = 0; boxes < 2; boxes++) {
    problem = pc_impact_create();
    assert_non_null(problem);
    for (int i = 0; boxes && i < 5; i++)
      add_box(problem, -10 - 2 * i);
    add_bricks(problem, 0, 20, 12);
    if (!boxes)
      add_balls(problem);
    for (options.tolerance = 1e-4; options.tolerance > 1e-7; options.tolerance *= 0.1) {
      assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
      assert_int_equal(info.status, PC_SOLVED);
    }
    pc_impact_destroy(problem);
  }

  problem = pc_impact_create();
  assert_non_null(problem);
  for (int i = 0; i < 42; i++) {
    if (i == 2)
      add_bricks(problem, 0, 20, 12);
    add_box(problem, -10 - 2 * i);
  }
  add_bricks(problem, 100, 14, 9);
  options.tolerance = 1e-4;
  for (int s = 0; s < 2; s++) {
    options.solver = s == 0 ? "auto" : "nsgs";
    assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
    assert_int_equal(info.status, PC_SOLVED);
  }
  pc_impact_destroy(problem);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clearing_forgets_everything),
      cmocka_unit_test(threads_do_not_change_a_byte),
      cmocka_unit_test(islands_do_not_mind_threads),
      cmocka_unit_test(a_solution_is_its_own_guess),
      cmocka_unit_test(both_paths_have_one_residual),
      cmocka_unit_test(width_does_not_matter),
      cmocka_unit_test(single_precision_follows_double),
      cmocka_unit_test(stacks_are_swept_as_their_packs),
      cmocka_unit_test(threads_sweep_alike),
      cmocka_unit_test(what_rests_is_held_at_once),
      cmocka_unit_test(few_sweeps_are_few_everywhere),
      cmocka_unit_test(width_does_not_matter_to_pairs),
      cmocka_unit_test(pairs_have_the_residual_of_the_rows),
      cmocka_unit_test(a_finer_solve_goes_on),
      cmocka_unit_test(a_body_may_have_many_contacts),
      cmocka_unit_test(packs_obey_the_laws),
      cmocka_unit_test(pairs_serve_their_own_island),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
