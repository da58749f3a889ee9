#include "hard_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gravity = 9.81, pi = 3.14159265358979323846;

void hard_free(hard_problem *m)
{
  free(m->body);
  free(m->contact);
  *m = (hard_problem){0};
}

static int add_body(hard_problem *m, const hard_body *b)
{
  if (m->bodies == m->body_room) {
    int room = 2 * m->body_room + 16;
    hard_body *larger = realloc(m->body, (size_t)room * sizeof *m->body);
    if (larger == NULL) {
      m->failed = true;
      return 0;
    }
    m->body = larger;
    m->body_room = room;
  }
  m->body[m->bodies] = *b;
  return m->bodies++;
}

static void add_contact(hard_problem *m, const hard_contact *c)
{
  if (m->contacts == m->contact_room) {
    int room = 2 * m->contact_room + 16;
    hard_contact *larger = realloc(m->contact, (size_t)room * sizeof *m->contact);
    if (larger == NULL) {
      m->failed = true;
      return;
    }
    m->contact = larger;
    m->contact_room = room;
  }
  m->contact[m->contacts++] = *c;
}

pc_impact *hard_build(const hard_problem *m, const pc_law *law)
{
  pc_impact *problem = pc_impact_create();
  bool good = problem != NULL && !m->failed;
  for (int i = 0; good && i < m->bodies; i++) {
    const hard_body *from = &m->body[i];
    pc_impact_body to = pc_impact_body_default();
    to.mass = from->mass;
    memcpy(to.inertia, from->inertia, sizeof to.inertia);
    memcpy(to.position, from->position, sizeof to.position);
    memcpy(to.velocity, from->velocity, sizeof to.velocity);
    to.percussion[2] = -gravity * m->step * from->mass;
    good = pc_impact_add_body(problem, &to) == i;
  }
  for (int i = 0; good && i < m->contacts; i++) {
    const hard_contact *from = &m->contact[i];
    pc_interaction to = pc_interaction_default(PC_CONTACT);
    to.bodies[0] = from->a;
    to.bodies[1] = from->b;
    memcpy(to.point, from->point, sizeof to.point);
    memcpy(to.normal, from->normal, sizeof to.normal);
    for (int j = 0; j < 3; j++)
      to.given[j] = -from->obstacle[j];
    to.law.tangential.kind = PC_TANGENTIAL_COULOMB;
    to.law.tangential.mu[0] = from->mu;
    to.law.tangential.on = PC_ON_AFTER;
    if (law != NULL)
      to.law = *law;
    good = pc_impact_add_interaction(problem, &to) == i;
  }
  if (good)
    return problem;
  if (problem != NULL)
    pc_impact_destroy(problem);
  return NULL;
}

static void cross(const double *a, const double *b, double *out)
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// By cofactors.
static void invert(const double *a, double *inverse)
{
  double c[9];
  cross(a + 3, a + 6, c);
  cross(a + 6, a, c + 3);
  cross(a, a + 3, c + 6);
  double determinant = dot(a, c);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      inverse[i * 3 + j] = c[j * 3 + i] / determinant;
}

static void velocity_at(const hard_body *b, const double *u, const double *point, double *v)
{
  double arm[3], turn[3];
  for (int i = 0; i < 3; i++)
    arm[i] = point[i] - b->position[i];
  cross(u + 3, arm, turn);
  for (int i = 0; i < 3; i++)
    v[i] = u[i] + turn[i];
}

static void relative_velocity(const hard_problem *m, const hard_contact *c, const double (*u)[6],
                              double *v)
{
  double other[3] = {c->obstacle[0], c->obstacle[1], c->obstacle[2]};
  velocity_at(&m->body[c->a], u[c->a], c->point, v);
  if (c->b >= 0)
    velocity_at(&m->body[c->b], u[c->b], c->point, other);
  for (int i = 0; i < 3; i++)
    v[i] -= other[i];
}

// Mean of the velocity that a unit percussion at the contact gives along itself.
static double mobility(const hard_problem *m, const hard_contact *c)
{
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    int i = side == 0 ? c->a : c->b;
    if (i < 0)
      continue;
    const hard_body *b = &m->body[i];
    double inverse[9], arm[3];
    invert(b->inertia, inverse);
    for (int j = 0; j < 3; j++)
      arm[j] = c->point[j] - b->position[j];
    for (int axis = 0; axis < 3; axis++) {
      double e[3] = {axis == 0, axis == 1, axis == 2}, moment[3], spin[3];
      cross(arm, e, moment);
      for (int j = 0; j < 3; j++)
        spin[j] = dot(inverse + 3 * j, moment);
      sum += 1 / b->mass + dot(spin, moment);
    }
  }
  return sum / 3;
}

// How far (percussion r, velocity v) is from Coulomb's law, as a velocity.
static double law_error(const hard_contact *c, const double *r, const double *v, double w)
{
  double n = sqrt(dot(c->normal, c->normal)), rn = dot(r, c->normal) / n;
  double vn = dot(v, c->normal) / n, rt[3], vt[3], opposed[3];
  for (int i = 0; i < 3; i++) {
    rt[i] = w * (r[i] - rn * c->normal[i] / n);
    vt[i] = v[i] - vn * c->normal[i] / n;
  }
  rn *= w;
  double slip = sqrt(dot(vt, vt)), friction = sqrt(dot(rt, rt));
  double outside = fmax(0, friction - c->mu * fmax(rn, 0));
  double normal = fabs(fmin(vn, rn)); // vn >= 0, rn >= 0, one of them zero
  for (int i = 0; i < 3; i++)
    opposed[i] = slip > 0 && friction > 0 ? vt[i] / slip + rt[i] / friction : 0;
  // At rest, or opposed by the whole friction, or free.
  double limit = fabs(c->mu * rn - friction) + fmin(slip, friction) * sqrt(dot(opposed, opposed));
  return outside + normal + fmin(slip, fmin(limit, fabs(rn) + friction));
}

double hard_error(const hard_problem *m, const pc_impact *problem)
{
  double(*u)[6] = calloc((size_t)m->bodies, sizeof *u);
  double(*free_u)[6] = calloc((size_t)m->bodies, sizeof *free_u);
  double(*left)[6] = calloc((size_t)m->bodies, sizeof *left);
  if (u == NULL || free_u == NULL || left == NULL) {
    free(u);
    free(free_u);
    free(left);
    return INFINITY;
  }
  for (int i = 0; i < m->bodies; i++) {
    const hard_body *b = &m->body[i];
    pc_impact_velocity(problem, i, u[i]);
    memcpy(free_u[i], b->velocity, sizeof free_u[i]);
    free_u[i][2] -= gravity * m->step;
    double change[3];
    for (int j = 0; j < 3; j++) {
      left[i][j] = b->mass * (u[i][j] - free_u[i][j]);
      change[j] = u[i][3 + j] - free_u[i][3 + j];
    }
    for (int j = 0; j < 3; j++)
      left[i][3 + j] = dot(b->inertia + 3 * j, change);
  }
  double error = 0, size = 0;
  for (int k = 0; k < m->contacts; k++) {
    const hard_contact *c = &m->contact[k];
    pc_interaction_answer answer;
    pc_impact_answer(problem, k, &answer);
    double r[3], v[3], q[3];
    for (int j = 0; j < 3; j++)
      r[j] = -answer.percussion[j];
    relative_velocity(m, c, (const double(*)[6])u, v);
    relative_velocity(m, c, (const double(*)[6])free_u, q);
    double e = law_error(c, r, v, mobility(m, c));
    error += e * e;
    size += dot(q, q);
    for (int side = 0; side < 2; side++) {
      int i = side == 0 ? c->a : c->b;
      if (i < 0)
        continue;
      double arm[3], moment[3], sign = side == 0 ? 1 : -1;
      for (int j = 0; j < 3; j++)
        arm[j] = c->point[j] - m->body[i].position[j];
      cross(arm, r, moment);
      for (int j = 0; j < 3; j++) {
        left[i][j] -= sign * r[j];
        left[i][3 + j] -= sign * moment[j];
      }
    }
  }
  // What is left of the momentum balance, as a velocity of the body.
  for (int i = 0; i < m->bodies; i++)
    error += dot(left[i], left[i]) / (m->body[i].mass * m->body[i].mass);
  free(u);
  free(free_u);
  free(left);
  return sqrt(error) / sqrt(size);
}

static void box_inertia(double mass, double x, double y, double z, double *inertia)
{
  memset(inertia, 0, 9 * sizeof(double));
  inertia[0] = mass * (y * y + z * z) / 12;
  inertia[4] = mass * (x * x + z * z) / 12;
  inertia[8] = mass * (x * x + y * y) / 12;
}

hard_problem hard_stack(int count, double mu, double floor_speed, double step)
{
  hard_problem m = {.step = step};
  for (int i = 0; i < count; i++) {
    hard_body b = {.mass = 1, .position = {0, 0, i + 0.5}};
    box_inertia(1, 1, 1, 1, b.inertia);
    add_body(&m, &b);
    for (int corner = 0; corner < 4; corner++)
      add_contact(&m, &(hard_contact){.a = i,
                                      .b = i - 1, // PC_OBSTACLE for the first
                                      .point = {corner % 2 - 0.5, corner / 2 - 0.5, i},
                                      .normal = {0, 0, 1},
                                      .mu = mu,
                                      .obstacle = {i == 0 ? floor_speed : 0, 0, 0}});
  }
  return m;
}

void hard_make_heavier(hard_problem *m, int i, double factor)
{
  m->body[i].mass *= factor;
  for (int j = 0; j < 9; j++)
    m->body[i].inertia[j] *= factor;
}

hard_problem hard_arch(int count, double thickness, double mu)
{
  hard_problem m = {.step = 0.01};
  double depth = 0.3, angle = pi / count, length = angle;
  for (int i = 0; i < count; i++) {
    double at = (i + 0.5) * angle, c = cos(at), s = sin(at),
           mass = 1000 * thickness * length * depth;
    hard_body b = {.mass = mass, .position = {c, 0, s}};
    double local[9];
    box_inertia(mass, thickness, depth, length, local);
    // Axes: radial (c, 0, s), depth (0, 1, 0), tangent (-s, 0, c).
    b.inertia[0] = c * c * local[0] + s * s * local[8];
    b.inertia[2] = b.inertia[6] = c * s * (local[0] - local[8]);
    b.inertia[8] = s * s * local[0] + c * c * local[8];
    b.inertia[4] = local[4];
    add_body(&m, &b);
  }
  for (int joint = 0; joint <= count; joint++) {
    double c = cos(joint * angle), s = sin(joint * angle);
    bool first = joint == 0, last = joint == count;
    for (int corner = 0; corner < 4; corner++) {
      double radius = 1 + thickness * (corner % 2 - 0.5), y = depth * (corner / 2 - 0.5);
      hard_contact k = {.a = last ? count - 1 : joint,
                        .b = first || last ? PC_OBSTACLE : joint - 1,
                        .point = {radius * c, y, radius * s},
                        .normal = {last ? s : -s, 0, last ? -c : c},
                        .mu = mu};
      add_contact(&m, &k);
    }
  }
  return m;
}

static void add_wall(hard_problem *m, int i, double radius, int axis, double sign, double mu)
{
  hard_contact k = {.a = i, .b = PC_OBSTACLE, .mu = mu};
  if (m->failed)
    return;
  memcpy(k.point, m->body[i].position, sizeof k.point);
  k.point[axis] -= sign * radius;
  k.normal[axis] = sign;
  add_contact(m, &k);
}

hard_problem hard_packing(int side, int layers, double mu, double reach_out, pc_random *random)
{
  hard_problem m = {.step = 0.01};
  double *radius = calloc((size_t)side * side * layers, sizeof *radius);
  m.failed = radius == NULL;
  for (int z = 0; z < layers && !m.failed; z++)
    for (int y = 0; y < side; y++)
      for (int x = 0; x < side && !m.failed; x++) {
        double r = pc_random_uniform(random, 0.45, 0.5), mass = 1000 * 4.0 / 3 * pi * r * r * r;
        hard_body b = {.mass = mass};
        double at[3] = {x + 0.5 * (z % 2), y + 0.5 * (z % 2), 0.7 * z};
        for (int j = 0; j < 3; j++) {
          b.position[j] = at[j] + pc_random_uniform(random, -0.03, 0.03);
          b.velocity[j] = pc_random_uniform(random, -0.05, 0.05);
          b.inertia[4 * j] = 0.4 * mass * r * r;
        }
        radius[m.bodies] = r;
        int i = add_body(&m, &b);
        for (int k = 0; k < i; k++) {
          double n[3], reach = r + radius[k];
          for (int j = 0; j < 3; j++)
            n[j] = b.position[j] - m.body[k].position[j];
          if (dot(n, n) > reach_out * reach_out * reach * reach)
            continue;
          hard_contact c = {.a = i, .b = k, .mu = mu};
          for (int j = 0; j < 3; j++) {
            c.normal[j] = n[j];
            c.point[j] = m.body[k].position[j] + n[j] * radius[k] / reach;
          }
          add_contact(&m, &c);
        }
        if (z == 0)
          add_wall(&m, i, r, 2, 1, mu);
        if (x == 0 || x == side - 1)
          add_wall(&m, i, r, 0, x == 0 ? 1 : -1, mu);
        if (y == 0 || y == side - 1)
          add_wall(&m, i, r, 1, y == 0 ? 1 : -1, mu);
      }
  free(radius);
  return m;
}
