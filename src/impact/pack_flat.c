// Packing contacts of the plane: two at a time where they are between the same bodies, as the two
// ends of an edge are. Both go through one vector, and what belongs to the bodies is read once.
#include <math.h>

#include "impact/packing.h"

// One number of both contacts. A contact alone is in both lanes.
typedef double two __attribute__((vector_size(16)));
typedef long long two_masks __attribute__((vector_size(16)));

static inline two choose(two_masks which, two a, two b)
{
  return (two)((which & (two_masks)a) | (~which & (two_masks)b));
}

static inline two larger(two a, two b)
{
  return choose(a > b, a, b);
}

static inline two size_of(two a)
{
  const two_masks sign = (two_masks)(two){-0.0, -0.0};
  return (two)((two_masks)a & ~sign);
}

static inline two both(double a)
{
  return (two){a, a};
}

// Contacts of the same bodies and law, while they are packed.
typedef struct twins {
  const pc_interaction_data *data[2];
  const pc_law *law;
  pc_pack_slot slot[2];
  int rows;
  two nx, ny, px, py, bound;        // normals, points
  two before[2], free[2], noise[2]; // along the normal and across it: D-, D of the free
                                    // motion, what it is a difference of
  two turn[2], spin[2];             // rows, whitened
  double root[2];                   // the same of both contacts
} twins;

#define NUMBER(c, field) ((two){(c)->data[0]->field, (c)->data[1]->field})

static inline void add_side(const pc_packs *packs, int t, twins *c)
{
  const pc_body_data *body = &packs->problem->body.at[c->data[0]->body[t]];
  const double *u = packs->problem->before.at + body->start;
  const double *v = packs->islands->free_velocity + body->start;
  bool turns = body->dof == 3;
  double sign = t == 0 ? 1 : -1, ux = u[0], vx = v[0];
  double uy = body->dof > 1 ? u[1] : 0, vy = body->dof > 1 ? v[1] : 0;
  double us = turns ? u[2] : 0, vs = turns ? v[2] : 0;
  double root = turns && body->movable ? body->turn->inverse_root[5] : 0;
  two nx = sign * c->nx, ny = sign * c->ny;
  two x = c->px - body->position[0], y = c->py - body->position[1];
  two arm[2] = {x * ny - y * nx, x * nx + y * ny};
  two before[2] = {nx * ux + ny * uy, nx * uy - ny * ux};
  two free[2] = {nx * vx + ny * vy, nx * vy - ny * vx};
  two noise[2] = {size_of(nx * ux) + size_of(ny * uy), size_of(nx * uy) + size_of(ny * ux)};
  for (int i = 0; i < 2; i++) {
    c->before[i] += before[i] + arm[i] * us;
    c->free[i] += free[i] + arm[i] * vs;
    c->noise[i] += noise[i] + size_of(arm[i] * us);
  }
  c->turn[t] = root * arm[0];
  c->spin[t] = root * arm[1];
  c->root[t] = body->movable ? sign * body->root : 0;
}

// Writes a number of both, field `i` of the pack.
static inline void put(double *const to[2], int i, two x)
{
  to[0][i * PC_LANES] = x[0];
  to[1][i * PC_LANES] = x[1];
}

// What the laws need besides a bound and Coulomb's friction.
static void put_extra(const pc_packs *packs, const twins *c, two nn, two tt, two mass,
                      double *const field[2], double *const test[2])
{
  const pc_law *law = c->law;
  if (packs->friction == PC_DRAGS) {
    double half = c->rows > 1 ? 0.5 * law->tangential.k : 0;
    two part = half / (1 + tt * half);
    put(field, PC_FLAT_STEP, part);
    put(field, PC_FLAT_KEEP, tt * part);
    put(test, PC_TEST_EXTRA, half / mass);
  }
  if (packs->extra) {
    int more = PC_EXTRA_AT(PC_PLANE, packs->friction);
    double half = law->normal.kind == PC_NORMAL_QUADRATIC ? 0.5 * law->normal.k : 0;
    two h = half / (1 + half * nn), pulled = c->free[0] + c->before[0];
    put(field, more, h * nn);
    put(field, more + 1, h * pulled);
    put(test, PC_TEST, half / mass);
    put(test, PC_TEST + 1, pulled);
  }
}

// The first percussions, within the law.
static inline void put_guess(const pc_packs *packs, const twins *c, bool warm, double *const r[2])
{
  const two none = {0};
  if (!warm) {
    for (int i = 0; i < packs->numbers; i++)
      put(r, i, none);
    return;
  }
  const double *force = packs->problem->force.at;
  const double *f[2] = {force + c->data[0]->row, force + c->data[1]->row};
  two x = {-f[0][0], -f[1][0]}, y = none;
  if (c->data[0]->rows > 1)
    y = (two){-f[0][1], -f[1][1]};
  two along = c->nx * x + c->ny * y;
  two normal = c->law->normal.kind == PC_NORMAL_QUADRATIC ? along : larger(along, none);
  put(r, 0, normal);
  if (!packs->friction)
    return;
  two across = c->rows > 1 ? c->nx * y - c->ny * x : none;
  two reach = packs->friction == PC_DRAGS ? both(INFINITY)
                                          : c->law->tangential.mu[0] * larger(normal, none);
  put(r, 1, choose(across > reach, reach, choose(across < -reach, -reach, across)));
}

// Sizes of the data, as pc_contact_sizes has them.
static inline void add_sizes(const twins *c, int count, two trace, two mass, double *sums)
{
  two along = larger(larger(size_of(c->free[0]), size_of(c->before[0])), 1e-3 * c->noise[0]);
  two across = larger(larger(size_of(c->free[1]), size_of(c->before[1])), 1e-3 * c->noise[1]);
  along = larger(c->bound, along);
  two square = along * along;
  if (c->rows > 1)
    square += across * across;
  two size = mass * square;
  for (int l = 0; l < count; l++) {
    if (!isfinite(trace[l]) || !(mass[l] > 0))
      sums[0] = INFINITY;
    sums[0] += size[l];
    sums[1] += square[l];
  }
}

static inline void pack_twins(const pc_packs *packs, twins *c, int count, bool warm, double *sums)
{
  const two none = {0}, one = both(1);
  const pc_law *law = c->law;
  bool wide = c->rows > 1;
  c->nx = NUMBER(c, normal[0]);
  c->ny = NUMBER(c, normal[1]);
  c->px = NUMBER(c, point[0]);
  c->py = NUMBER(c, point[1]);
  c->bound = NUMBER(c, bound);
  const double *given[2] = {pc_interaction_given(packs->problem, c->data[0]),
                            pc_interaction_given(packs->problem, c->data[1])};
  two gx = {given[0][0], given[1][0]}, gy = {given[0][1], given[1][1]};
  c->before[0] = c->free[0] = c->nx * gx + c->ny * gy;
  c->before[1] = c->free[1] = c->nx * gy - c->ny * gx;
  c->noise[0] = c->noise[1] = c->turn[1] = c->spin[1] = none;
  c->root[1] = 0;
  for (int t = 0; t < c->data[0]->terms; t++)
    add_side(packs, t, c);
  double light = c->root[0] * c->root[0] + c->root[1] * c->root[1];
  two nn = light + (c->turn[0] * c->turn[0] + c->turn[1] * c->turn[1]);
  two tt = light + (c->spin[0] * c->spin[0] + c->spin[1] * c->spin[1]);
  two trace = wide ? nn + tt : nn, mass = choose(trace > 0, c->rows / trace, one);
  two inverse = choose(nn > 0, 1 / nn, none), bound = c->bound - c->free[0];
  if (law->normal.kind == PC_NORMAL_RESTITUTION)
    bound -= law->normal.e * c->before[0];
  double *const field[2] = {c->slot[0].field, c->slot[1].field};
  double *const test[2] = {c->slot[0].test, c->slot[1].test};
  double *const r[2] = {c->slot[0].r, c->slot[1].r};
  put(field, PC_FLAT_NORMAL, c->nx);
  put(field, PC_FLAT_NORMAL + 1, c->ny);
  put(field, PC_FLAT_INVERSE, inverse);
  put(field, PC_FLAT_BOUND, choose(inverse > 0, bound * inverse, none));
  put(test, 0, mass);
  put(test, 1, bound);
  for (int t = 0; t < 2; t++) {
    put(field, PC_FLAT_ROOT + t, both(c->root[t]));
    put(field, PC_FLAT_TURN + t, c->turn[t]);
  }
  if (packs->friction) {
    put(field, PC_FLAT_STEP, wide ? choose(tt > 0, 1 / tt, none) : none);
    put(field, PC_FLAT_MU, both(wide ? law->tangential.mu[0] : 0));
    put(field, PC_FLAT_CROSS, c->turn[0] * c->spin[0] + c->turn[1] * c->spin[1]);
    for (int t = 0; t < 2; t++)
      put(field, PC_FLAT_SPIN + t, c->spin[t]);
    put(field, PC_FLAT_SHIFT, c->free[1] + pc_tangential_share(law) * c->before[1]);
  }
  if (packs->extra || packs->friction == PC_DRAGS)
    put_extra(packs, c, nn, tt, mass, field, test);
  put_guess(packs, c, warm, r);
  add_sizes(c, count, trace, mass, sums);
}

static inline bool are_twins(const pc_interaction_data *a, const pc_interaction_data *b)
{
  return a->body[0] == b->body[0] && a->body[1] == b->body[1] && a->terms == b->terms &&
         a->law == b->law;
}

void pc_pack_flat(const pc_packs *packs, bool warm, int begin, int end, double sums[2])
{
  double nowhere[PC_LANES * (PC_FLAT_RUBS + PC_EXTRA(PC_PLANE) + PC_TEST_VISCOUS + 2)];
  const pc_pack_slot none = {nowhere, nowhere + PC_LANES * (PC_FLAT_RUBS + PC_EXTRA(PC_PLANE)),
                             nowhere +
                                 PC_LANES * (PC_FLAT_RUBS + PC_EXTRA(PC_PLANE) + PC_TEST_VISCOUS)};
  for (int k = begin, count; k < end; k += count) {
    const pc_interaction_data *first = pc_pack_contact(packs, k), *second = first;
    pc_pack_prefetch(packs, k, end);
    if (k + 1 < end && are_twins(first, pc_pack_contact(packs, k + 1)))
      second = pc_pack_contact(packs, k + 1);
    count = second == first ? 1 : 2;
    const int lines[2] = {pc_pack_line(packs, k, 0), pc_pack_line(packs, k, 1)};
    twins c; // too large to be cleared for each
    c.data[0] = first;
    c.data[1] = second;
    c.law = pc_law_of(packs->problem, first);
    c.rows = packs->islands->ends[packs->fold.contact[k]].rows;
    c.slot[0] = pc_pack_slot_of(packs, k, lines);
    c.slot[1] = count > 1 ? pc_pack_slot_of(packs, k + 1, lines) : none;
    pack_twins(packs, &c, count, warm, sums);
  }
}
