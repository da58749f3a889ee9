// Every problem is built around a velocity field U_s that satisfies all its constraints, so it has
// a solution: obstacles and bodies of infinite mass move with it, bounds and ties are taken from
// it.
#include "problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/small.h"

static bool chance(pc_random *random, double p)
{
  return pc_random_uniform(random, 0, 1) < p;
}

static int dof_of_space(pc_random *random, int space)
{
  return space == 1 ? 1 : space == 2 ? (chance(random, 0.5) ? 2 : 3) : 6;
}

static void random_inertia(pc_random *random, double mass, double *inertia)
{
  // R diag(i) R^T with i obeying the triangle inequalities and R from Gram-Schmidt.
  double a = pc_random_uniform(random, .1, 1), b = pc_random_uniform(random, .1, 1),
         c = pc_random_uniform(random, .1, 1);
  double principal[3] = {mass * (b + c), mass * (a + c), mass * (a + b)}, e[3][3];
  for (int i = 0; i < 3; i++) {
    double size;
    do {
      for (int k = 0; k < 3; k++)
        e[i][k] = pc_random_normal(random);
      for (int j = 0; j < i; j++) {
        double dot = pc_dot3(e[i], e[j]);
        for (int k = 0; k < 3; k++)
          e[i][k] -= dot * e[j][k];
      }
      size = pc_norm(3, e[i]);
    } while (size < 0.1);
    for (int k = 0; k < 3; k++)
      e[i][k] /= size;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      inertia[3 * i + j] = 0;
      for (int k = 0; k < 3; k++)
        inertia[3 * i + j] += principal[k] * e[k][i] * e[k][j];
    }
}

static void random_body(pc_random *random, int space, const problem_kind *kind,
                        const double *carried, pc_impact_body *body)
{
  *body = pc_impact_body_default();
  body->dof = dof_of_space(random, space);
  body->mass = pc_pow(10, pc_random_uniform(random, 0, kind->mass_decades));
  double inertia = body->mass * pc_random_uniform(random, 0.05, 1);
  if (body->dof == 3)
    body->inertia[0] = chance(random, .1) ? INFINITY : inertia;
  else if (body->dof == 6)
    random_inertia(random, body->mass, body->inertia);
  bool prescribed = chance(random, 0.06);
  for (int i = 0; i < space; i++)
    body->position[i] = pc_random_uniform(random, -2, 2);
  for (int i = 0; i < body->dof; i++) {
    body->velocity[i] = chance(random, .3) ? 0 : pc_random_uniform(random, -2, 2);
    body->percussion[i] = chance(random, .7) ? 0 : body->mass * pc_random_uniform(random, -1, 1);
  }
  if (body->dof == 3 && isinf(body->inertia[0]))
    body->velocity[2] = 0;
  if (prescribed) {
    body->mass = INFINITY;
    memset(body->inertia, 0, sizeof body->inertia);
    for (int i = 0; i < 9; i += 4)
      body->inertia[i] = INFINITY;
    for (int i = 0; i < 6; i++)
      body->velocity[i] = i < space ? carried[i] : 0;
  }
}

static void random_law(pc_random *random, const problem_kind *kind, int family, double mass,
                       double e, pc_interaction *c)
{
  pc_normal_law *normal = &c->law.normal;
  pc_tangential_law *tangential = &c->law.tangential;
  double k = mass * pc_pow(10, pc_random_uniform(random, -2, 2));
  normal->k = k;
  normal->k0 = chance(random, .1) ? 0 : mass * pc_random_uniform(random, 0, 2);
  normal->u_lim = chance(random, .2) ? 0 : pc_random_uniform(random, 0, .5);
  static const double exponents[] = {1.2, 1.5, 2, 2.5, 3, 4};
  normal->p = exponents[pc_random_below(random, 6)];
  normal->e = e;
  if (family == 1) {
    normal->kind = PC_NORMAL_RESTITUTION;
  } else {
    static const pc_normal_kind kinds[] = {PC_NORMAL_INELASTIC, PC_NORMAL_QUADRATIC,
                                           PC_NORMAL_THRESHOLD, PC_NORMAL_PENETRABLE,
                                           PC_NORMAL_POWER};
    int choices = kind->homogeneous ? 2 : kind->piecewise ? 4 : 5;
    normal->kind = kinds[pc_random_below(random, choices)];
  }
  if (kind->coulomb && chance(random, .8)) {
    tangential->kind = PC_TANGENTIAL_COULOMB;
    tangential->mu[0] = pc_random_uniform(random, 0.05, 1);
    tangential->mu[1] = pc_random_uniform(random, 0.05, 1);
    tangential->anisotropic = chance(random, .3);
    for (int i = 0; i < 3; i++)
      tangential->axis[i] = pc_random_normal(random);
    tangential->on = kind->friction_on_mean ? PC_ON_MEAN
                     : chance(random, .5)   ? PC_ON_AFTER
                                            : PC_ON_MOREAU;
  } else if (chance(random, .5)) {
    tangential->kind = PC_TANGENTIAL_VISCOUS;
    tangential->k = mass * pc_pow(10, pc_random_uniform(random, -2, 1));
  }
}

static double finite_mass(const random_problem *p, const pc_interaction *c)
{
  double mass = INFINITY;
  for (int b = 0; b < 2; b++)
    if (c->bodies[b] >= 0)
      mass = fmin(mass, p->body[c->bodies[b]].mass);
  return isinf(mass) ? 1 : mass;
}

void random_problem_create(random_problem *p, pc_random *random, const problem_kind *kind)
{
  *p = (random_problem){0};
  p->bodies = 1 + pc_random_below(random, kind->max_bodies);
  // As crowded as packings and boxes on boxes are: some four interactions a body.
  int most = 4 + 4 * p->bodies;
  int wanted =
      1 + pc_random_below(random, most < kind->max_interactions ? most : kind->max_interactions);
  p->body = calloc((size_t)p->bodies, sizeof *p->body);
  p->interaction = calloc((size_t)wanted, sizeof *p->interaction);
  p->row_storage = calloc((size_t)wanted * 2, sizeof *p->row_storage);
  p->term_storage = calloc((size_t)wanted, sizeof *p->term_storage);
  int space = 1 + pc_random_below(random, 3);
  bool mixed = chance(random, .15); // bodies of all kinds, joined by explicit rows only
  double carried[3] = {0}, e = chance(random, .2) ? 0 : pc_random_uniform(random, 0, 1);
  if (chance(random, .2))
    for (int i = 0; i < space; i++)
      carried[i] = pc_random_uniform(random, -1, 1);
  int family = chance(random, .2); // 1: restitution with one e everywhere
  for (int b = 0; b < p->bodies; b++)
    random_body(random, mixed ? 1 + pc_random_below(random, 3) : space, kind, carried, &p->body[b]);
  bool tied = false;
  while (p->interactions < wanted) {
    pc_interaction *c = &p->interaction[p->interactions];
    if (p->interactions > 0 && chance(random, .15)) { // a redundant copy
      int from = pc_random_below(random, p->interactions);
      *c = p->interaction[from];
      if (c->type != PC_ROWS && c->law.normal.kind != PC_NORMAL_BILATERAL) {
        p->interactions++;
        continue;
      }
    }
    int a = pc_random_below(random, p->bodies), b = pc_random_below(random, p->bodies + 2);
    b = b >= p->bodies || b == a ? PC_OBSTACLE : b;
    double kinds = pc_random_uniform(random, 0, 1);
    bool turns = (p->body[a].dof == 3 || p->body[a].dof == 6) &&
                 (b < 0 || p->body[b].dof == 3 || p->body[b].dof == 6);
    if (mixed || kinds > .95) {
      // Explicit rows; against an obstacle or not they vanish at the carried velocity only if they
      // are built so: give them a bound that U = carried satisfies.
      *c = pc_interaction_default(PC_ROWS);
      c->rows = 1 + pc_random_below(random, 3);
      c->terms = b < 0 ? 1 : 2;
      double satisfied = 0;
      for (int t = 0; t < c->terms; t++) {
        const pc_impact_body *body = &p->body[t == 0 ? a : b];
        double *row = p->row_storage[2 * p->interactions + t];
        for (int i = 0; i < c->rows * body->dof; i++)
          row[i] = pc_random_uniform(random, -1, 1);
        int linear = body->dof == 6 ? 3 : body->dof == 3 ? 2 : body->dof;
        for (int i = 0; i < linear; i++)
          satisfied += row[i] * carried[i];
        p->term_storage[p->interactions][t] = (pc_row_term){t == 0 ? a : b, row};
      }
      c->term = p->term_storage[p->interactions];
      random_law(random, kind, 0, finite_mass(p, c), e, c);
      bool bounded = family == 0 && c->law.normal.kind != PC_NORMAL_PENETRABLE;
      if (family == 1)
        c->law.normal.kind = PC_NORMAL_QUADRATIC;
      c->unilateral = bounded;
      c->bound =
          bounded ? satisfied - (kind->homogeneous ? 0 : pc_random_uniform(random, 0, 1)) : 0;
      if (kind->homogeneous && carried[0] != 0)
        c->bound = 0, c->unilateral = false, c->law.normal.kind = PC_NORMAL_QUADRATIC;
      if (c->law.tangential.kind == PC_TANGENTIAL_COULOMB)
        c->law.tangential.kind = PC_TANGENTIAL_NONE;
    } else if (kinds > .88 && b >= 0) {
      *c = pc_interaction_default(PC_DISTANCE);
      for (int i = 0; i < space; i++) {
        c->points[0][i] = pc_random_uniform(random, -2, 2);
        c->points[1][i] = pc_random_uniform(random, -2, 2);
      }
      c->law.normal.k = finite_mass(p, c) * pc_pow(10, pc_random_uniform(random, -2, 1));
      if (!tied && family == 0 && chance(random, .2)) {
        c->law.normal.kind = PC_NORMAL_BILATERAL;
        tied = true;
      } else if (!kind->homogeneous && !kind->piecewise && chance(random, .3)) {
        c->law.normal.kind = PC_NORMAL_POWER;
        c->law.normal.p = 3;
      }
    } else if (kinds > .82 && turns && b >= 0) {
      *c = pc_interaction_default(PC_SPIN);
      c->law.normal.k = finite_mass(p, c) * pc_pow(10, pc_random_uniform(random, -2, 1));
    } else {
      *c = pc_interaction_default(PC_CONTACT);
      double size = 0;
      for (int i = 0; i < space; i++) {
        c->point[i] = pc_random_uniform(random, -2, 2);
        c->normal[i] = space == 1 ? (chance(random, .5) ? 1 : -1) : pc_random_normal(random);
        size += fabs(c->normal[i]);
      }
      if (size < 1e-3)
        continue;
      // The normal points to the first body, as between convex bodies; an obstacle may be on any
      // side, so that some bodies are squeezed.
      double side = 0;
      for (int i = 0; i < space; i++)
        side += c->normal[i] * (p->body[a].position[i] - (b < 0 ? 0 : p->body[b].position[i]));
      if (side < 0 && (b >= 0 || chance(random, .7)))
        for (int i = 0; i < space; i++)
          c->normal[i] = -c->normal[i];
      if (b < 0)
        for (int i = 0; i < space; i++)
          c->given[i] = -carried[i];
      c->bodies[0] = a;
      c->bodies[1] = b;
      random_law(random, kind, family, finite_mass(p, c), e, c);
      bool bounded = family == 0 && c->law.normal.kind != PC_NORMAL_PENETRABLE;
      if (!kind->homogeneous && bounded && chance(random, .1))
        c->bound = -pc_random_uniform(random, 0, 1);
    }
    c->bodies[0] = a;
    c->bodies[1] = b;
    p->interactions++;
  }
}

void random_problem_free(random_problem *p)
{
  free(p->body);
  free(p->interaction);
  free(p->row_storage);
  free(p->term_storage);
}

pc_impact *random_problem_build(const random_problem *p, const int *body_order,
                                const int *interaction_order, double factor)
{
  pc_impact *impact = pc_impact_create();
  int *place = calloc((size_t)p->bodies, sizeof *place);
  for (int i = 0; i < p->bodies; i++) {
    int b = body_order == NULL ? i : body_order[i];
    pc_impact_body body = p->body[b];
    place[b] = i;
    for (int k = 0; k < 6; k++) {
      body.velocity[k] *= factor;
      body.percussion[k] *= factor;
    }
    if (pc_impact_add_body(impact, &body) < 0)
      abort();
  }
  for (int i = 0; i < p->interactions; i++) {
    pc_interaction c = p->interaction[interaction_order == NULL ? i : interaction_order[i]];
    pc_row_term terms[2];
    for (int t = 0; t < 2 && c.type == PC_ROWS && t < c.terms; t++)
      terms[t] = (pc_row_term){place[c.term[t].body], c.term[t].coefficients};
    c.term = terms;
    for (int b = 0; b < 2; b++)
      if (c.bodies[b] >= 0)
        c.bodies[b] = place[c.bodies[b]];
    for (int k = 0; k < 3; k++)
      c.given[k] *= factor;
    c.bound *= factor;
    if (pc_impact_add_interaction(impact, &c) < 0)
      abort();
  }
  free(place);
  return impact;
}

static double energy(const pc_impact_body *body, const double *u)
{
  double sum = 0;
  int linear = body->dof == 6 ? 3 : body->dof == 3 ? 2 : body->dof;
  for (int i = 0; i < linear && !isinf(body->mass); i++)
    sum += body->mass * u[i] * u[i];
  if (body->dof == 3 && !isinf(body->inertia[0]))
    sum += body->inertia[0] * u[2] * u[2];
  for (int i = 0; i < 9 && body->dof == 6 && !isinf(body->inertia[0]); i++)
    sum += body->inertia[i] * u[3 + i / 3] * u[3 + i % 3];
  return sum;
}

double random_problem_distance(const random_problem *p, const pc_impact *a, const pc_impact *b)
{
  double difference = 0, size = 0;
  for (int i = 0; i < p->bodies; i++) {
    const pc_impact_body *body = &p->body[i];
    double u[6] = {0}, v[6] = {0}, kick[6] = {0};
    pc_impact_velocity(a, i, u);
    pc_impact_velocity(b, i, v);
    for (int k = 0; k < 6; k++)
      u[k] -= v[k];
    int linear = body->dof == 6 ? 3 : body->dof == 3 ? 2 : body->dof;
    for (int k = 0; k < linear; k++)
      kick[k] = body->velocity[k] + body->percussion[k] / body->mass;
    difference += energy(body, u);
    size += fmax(energy(body, body->velocity), energy(body, kick));
  }
  return size > 0 ? sqrt(difference / size) : sqrt(difference);
}
