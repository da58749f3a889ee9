// The convex toolbox against the definitions: subgradient inequality, Fenchel, Moreau, variational
// inequalities, and brute-force minimisation.
#include <math.h>
#include <string.h>

#include "percuss/convex.h"
#include "support.h"

static void check_interval(pc_interval got, double low, double high)
{
  assert_true(got.low == low && got.high == high);
}

// The examples of the appendix, A.2.1 and A.4.2.
static void test_book_examples(void **state)
{
  pc_convex segment = pc_convex_indicator(0, 1), plus = pc_convex_indicator(0, INFINITY);
  pc_convex minus = pc_convex_indicator(-INFINITY, 0), origin = pc_convex_indicator(0, 0);
  pc_convex pp = pc_convex_support(0, 1), np = pc_convex_support(-1, 0);
  pc_convex absolute = pc_convex_support(-1, 1);

  assert_true(pc_convex_value(segment, 0.5) == 0 && isinf(pc_convex_value(segment, 1.5)));
  assert_true(pc_convex_value(plus, 0) == 0 && isinf(pc_convex_value(plus, -1e-300)));
  assert_true(pc_convex_value(minus, 0) == 0 && isinf(pc_convex_value(minus, 1e-300)));
  assert_true(pc_convex_value(origin, 0) == 0 && isinf(pc_convex_value(origin, 1e-300)));
  for (double x = -2; x <= 2; x += 0.5) {
    assert_true(pc_convex_value(pp, x) == pc_pp(x));
    assert_true(pc_convex_value(np, x) == pc_np(x));
    assert_true(pc_convex_value(absolute, x) == fabs(x));
    assert_true(pc_pp(x) + pc_np(x) == fabs(x) && pc_pp(x) - pc_np(x) == x);
    assert_true(pc_convex_value(pc_convex_conjugate(segment), x) == pc_pp(x)); // A.5
  }

  check_interval(pc_convex_subdifferential(segment, 0), -INFINITY, 0);
  check_interval(pc_convex_subdifferential(segment, 1), 0, INFINITY);
  check_interval(pc_convex_subdifferential(segment, 0.3), 0, 0);
  assert_true(pc_interval_is_empty(pc_convex_subdifferential(segment, -0.1)));
  check_interval(pc_convex_subdifferential(plus, 0), -INFINITY, 0);
  check_interval(pc_convex_subdifferential(plus, 3), 0, 0);
  assert_true(pc_interval_is_empty(pc_convex_subdifferential(plus, -3)));
  check_interval(pc_convex_subdifferential(minus, 0), 0, INFINITY);
  check_interval(pc_convex_subdifferential(origin, 0), -INFINITY, INFINITY);
  check_interval(pc_convex_subdifferential(pp, -2), 0, 0); // Heaviside's graph, (A.9)
  check_interval(pc_convex_subdifferential(pp, 0), 0, 1);
  check_interval(pc_convex_subdifferential(pp, 2), 1, 1);
  check_interval(pc_convex_subdifferential(np, -2), -1, -1); // (2.99)
  check_interval(pc_convex_subdifferential(np, 0), -1, 0);
  check_interval(pc_convex_subdifferential(np, 2), 0, 0);
  check_interval(pc_convex_subdifferential(absolute, -2), -1, -1); // the sign graph, (A.10)
  check_interval(pc_convex_subdifferential(absolute, 0), -1, 1);
  check_interval(pc_convex_subdifferential(absolute, 2), 1, 1);

  // (k/p) |x|^p, its slope, and its limits k = 0, k = infinity, p = 1.
  pc_convex cubic = pc_convex_power(6, 3);
  assert_near(pc_convex_value(cubic, -2), 16, 1e-13);
  assert_near(pc_convex_subdifferential(cubic, -2).low, -24, 1e-13);
  assert_true(pc_convex_value(pc_convex_power(0, 2), 5) == 0);
  assert_true(pc_convex_prox(pc_convex_power(INFINITY, 2), 1, 5) == 0);
  check_interval(pc_convex_subdifferential(pc_convex_power(3, 1), 0), -3, 3);
  assert_true(isnan(pc_interval_project((pc_interval){1, 0}, 0)));
}

// Any function of the three kinds, the special ones often.
static pc_convex random_function(pc_random *random)
{
  double a = 2 * pc_random_normal(random), b = 2 * pc_random_normal(random);
  double low = fmin(a, b), high = fmax(a, b);
  switch (pc_random_below(random, 6)) {
  case 0:
    low = -INFINITY;
    break;
  case 1:
    high = INFINITY;
    break;
  case 2:
    low = -pc_random_below(random, 2);
    high = pc_random_below(random, 2);
    break;
  case 3:
    low = high;
    break;
  }
  double k = pow(10, pc_random_uniform(random, -2, 2));
  const double exponents[] = {1, 1.05, 1.5, 2, 3, 10, pc_random_uniform(random, 1.1, 6)};
  switch (pc_random_below(random, 3)) {
  case 0:
    return pc_convex_indicator(low, high);
  case 1:
    return pc_convex_support(low, high);
  default:
    return pc_convex_power(k, exponents[pc_random_below(random, 7)]);
  }
}

// A point where f is finite, with the corners of f often; the caller projects onto the domain.
static pc_interval domain(pc_convex f)
{
  pc_interval all = {-INFINITY, INFINITY};
  if (f.kind == PC_CONVEX_INDICATOR)
    return f.interval;
  if (f.kind == PC_CONVEX_SUPPORT) {
    all.low = isinf(f.interval.low) ? 0 : -INFINITY;
    all.high = isinf(f.interval.high) ? 0 : INFINITY;
  }
  return all;
}

static double random_point(pc_random *random, pc_convex f)
{
  double x = pc_random_below(random, 5) == 0 ? 0 : 2 * pc_random_normal(random);
  return pc_interval_project(domain(f), x);
}

// One number of a set that is not empty, its ends often.
static double random_element(pc_random *random, pc_interval set)
{
  double low = set.low, high = set.high, reach = 3 * pc_random_uniform(random, 0, 1);
  if (isinf(low) && isinf(high))
    return reach - 1.5;
  if (isinf(low))
    low = high - reach;
  if (isinf(high))
    high = low + reach;
  switch (pc_random_below(random, 3)) {
  case 0:
    return low;
  case 1:
    return high;
  default:
    return pc_interval_project(set, pc_random_uniform(random, low, high));
  }
}

static void test_subgradients(void **state)
{
  pc_random random = test_random("subgradients");
  int count = test_count(50000);
  for (int i = 0; i < count; i++) {
    pc_convex f = random_function(&random);
    double x = random_point(&random, f), z = random_point(&random, f);
    double y = random_element(&random, pc_convex_subdifferential(f, x));
    double w = random_element(&random, pc_convex_subdifferential(f, z));
    assert_true((x - z) * (y - w) >= 0); // theorem A.3
    double fx = pc_convex_value(f, x), fz = pc_convex_value(f, z);
    assert_true(fz >= fx + y * (z - x) - 1e-12 * (fabs(fz) + fabs(fx) + fabs(y * (z - x)))); // A.8

    double anywhere = 3 * pc_random_normal(&random);
    bool finite = isfinite(pc_convex_value(f, anywhere));
    assert_true(finite != pc_interval_is_empty(pc_convex_subdifferential(f, anywhere))); // A.2
  }
}

// f(x) + f*(y) >= xy, with equality if and only if y is a subgradient at x, if and only if x is one
// of f* at y (theorem A.4). And f** = f.
static void test_fenchel(void **state)
{
  pc_random random = test_random("fenchel");
  int count = test_count(50000), strict = 0;
  for (int i = 0; i < count; i++) {
    pc_convex f = random_function(&random), g = pc_convex_conjugate(f);
    double x = random_point(&random, f);
    pc_interval slopes = pc_convex_subdifferential(f, x);
    double y = random_element(&random, slopes);
    double fx = pc_convex_value(f, x), gy = pc_convex_value(g, y);
    double size = fabs(fx) + fabs(gy) + fabs(x * y);
    assert_true(fabs(fx + gy - x * y) <= 1e-13 * size);
    pc_interval back = pc_convex_subdifferential(g, y);
    assert_true(fabs(pc_interval_project(back, x) - x) <= 1e-13 * fabs(x));

    y = random_point(&random, g);
    gy = pc_convex_value(g, y);
    size = fabs(fx) + fabs(gy) + fabs(x * y);
    double gap = fx + gy - x * y;
    assert_true(gap >= -1e-13 * size);
    double away = fabs(pc_interval_project(slopes, y) - y);
    if (away > 0.01 * (fabs(y) + fabs(pc_interval_project(slopes, y)))) {
      assert_true(gap > 1e-9 * size);
      strict++;
    }

    pc_convex twice = pc_convex_conjugate(g);
    double z = random_point(&random, f), fz = pc_convex_value(f, z);
    assert_true(fabs(pc_convex_value(twice, z) - fz) <= 1e-12 * fabs(fz));
  }
  assert_true(count < 100 || strict > count / 10);
}

// The least value of step f(z) + (z - x)^2 / 2 by golden sections: f is used through its values.
static double brute_prox(pc_convex f, double step, double x)
{
  pc_interval inside = domain(f);
  double reach = fabs(x) + 200; // more than step times the steepest slope towards infinity
  double a = pc_interval_project(inside, -reach), b = pc_interval_project(inside, reach);
  const double golden = 0.61803398874989485;
  for (int i = 0; i < 120; i++) {
    double u = b - golden * (b - a), v = a + golden * (b - a);
    double fu = step * pc_convex_value(f, u) + (u - x) * (u - x) / 2;
    double fv = step * pc_convex_value(f, v) + (v - x) * (v - x) / 2;
    if (fu <= fv)
      b = v;
    else
      a = u;
  }
  return (a + b) / 2;
}

static void test_prox(void **state)
{
  pc_random random = test_random("prox");
  int count = test_count(20000);
  for (int i = 0; i < count; i++) {
    pc_convex f = random_function(&random), g = pc_convex_conjugate(f);
    double step = pow(10, pc_random_uniform(&random, -1, 1));
    double x = 4 * pc_random_normal(&random), y = 4 * pc_random_normal(&random);
    double p = pc_convex_prox(f, step, x), q = pc_convex_prox(f, step, y);
    double size = fabs(x) + fabs(y) + fabs(p) + fabs(q);

    // Moreau: x = prox_{step f}(x) + step prox_{f* / step}(x / step).
    double rest = step * pc_convex_prox(g, 1 / step, x / step);
    assert_true(fabs(x - p - rest) <= 1e-13 * size);
    // Firmly nonexpansive.
    assert_true((p - q) * (p - q) <= (p - q) * (x - y) + 1e-13 * size * size);
    // No point is better; near the minimum the function is flat, hence the square root.
    double z = brute_prox(f, step, x);
    assert_true(fabs(p - z) <= 1e-6 * (size + 1));
    double at_p = step * pc_convex_value(f, p) + (p - x) * (p - x) / 2;
    double at_z = step * pc_convex_value(f, z) + (z - x) * (z - x) / 2;
    assert_true(at_p <= at_z + 1e-13 * (fabs(at_z) + size * size));
  }
}

// Exponents near 1, large ones, stiff and soft: the root of z + f'(z) = x is within round-off of x.
static void test_prox_of_extreme_powers(void **state)
{
  pc_random random = test_random("extreme powers");
  int count = test_count(20000);
  for (int i = 0; i < count; i++) {
    double p = 1 + pow(10, pc_random_uniform(&random, -4, 2));
    double k = pow(10, pc_random_uniform(&random, -8, 8));
    double x = pow(10, pc_random_uniform(&random, -8, 8));
    pc_convex f = pc_convex_power(k, p);
    double z = pc_convex_prox(f, 1, x);
    assert_true(z >= 0 && z <= x);
    double above = fmin(z + 1e-13 * x, x), below = fmax(z - 1e-13 * x, 0);
    assert_true(above + pc_convex_subdifferential(f, above).low >= x);
    assert_true(below + pc_convex_subdifferential(f, below).low <= x);
    assert_true(pc_convex_prox(f, 1, -x) == -z);
  }
}

// Sets of n numbers for the tests of projections. One number in `shape` is a radius, an offset, a
// friction coefficient...; `vector` is a normal or a centre.
enum { DIMENSIONS = 8 };

typedef enum set_kind {
  INTERVAL,
  HALF_SPACE,
  BALL,
  SIMPLEX,
  TRIANGLE,
  CONE,
  DUAL_CONE,
  POLAR_CONE,
  SET_KINDS
} set_kind;

typedef struct convex_set {
  set_kind kind;
  int n;
  double shape;
  double vector[DIMENSIONS];
} convex_set;

static void copy(int n, const double *from, double *to)
{
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}

static double inner(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static convex_set random_set(pc_random *random, set_kind kind)
{
  convex_set set = {.kind = kind, .n = 1 + pc_random_below(random, DIMENSIONS)};
  if (kind == INTERVAL)
    set.n = 1;
  if (kind == TRIANGLE)
    set.n = 2;
  random_vector(random, DIMENSIONS, 1, set.vector);
  set.shape = pc_random_uniform(random, 0, 2);
  if (kind == HALF_SPACE)
    set.shape = 2 * pc_random_normal(random);
  if (pc_random_below(random, 10) == 0)
    set.shape = 0; // a point, a ray, a half-space through the origin
  return set;
}

static void project(const convex_set *set, double *x)
{
  double scratch[DIMENSIONS];
  switch (set->kind) {
  case INTERVAL:
    *x = pc_interval_project((pc_interval){set->vector[0], set->vector[0] + set->shape}, *x);
    break;
  case HALF_SPACE:
    pc_project_half_space(set->n, set->vector, set->shape, x);
    break;
  case BALL:
    pc_project_ball(set->n, set->vector, set->shape, x);
    break;
  case SIMPLEX:
    pc_project_simplex(set->n, set->shape, x, scratch);
    break;
  case TRIANGLE:
    pc_project_triangle(x);
    break;
  case CONE:
    pc_project_cone(set->n, set->shape, x);
    break;
  case DUAL_CONE:
    pc_project_dual_cone(set->n, set->shape, x);
    break;
  case POLAR_CONE:
    pc_project_polar_cone(set->n, set->shape, x);
    break;
  default:
    fail();
  }
}

// A nonnegative vector of the given sum; one of the corners in one case of three.
static void random_in_simplex(pc_random *random, int n, double total, double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] = -log(1 - pc_random_uniform(random, 0, 1)) + 1e-300;
  for (int i = 0; i < n; i++)
    x[i] *= total / sum;
  if (pc_random_below(random, 3) == 0) {
    memset(x, 0, (size_t)n * sizeof *x);
    x[pc_random_below(random, n)] = total;
  }
}

// A point of the set, made from its definition and not by projecting.
static void random_member(pc_random *random, const convex_set *set, double *x)
{
  int n = set->n;
  double share = pc_random_below(random, 3) == 0 ? 1 : pc_random_uniform(random, 0, 1);
  random_vector(random, n, 1, x);
  switch (set->kind) {
  case INTERVAL:
    x[0] = set->vector[0] + share * set->shape;
    break;
  case HALF_SPACE: {
    double excess = inner(n, set->vector, x) - set->shape;
    if (excess > 0)
      for (int i = 0; i < n; i++)
        x[i] -= (1 + pc_random_below(random, 2)) * excess * set->vector[i] /
                inner(n, set->vector, set->vector);
    break;
  }
  case BALL: {
    double length = sqrt(inner(n, x, x));
    for (int i = 0; i < n; i++)
      x[i] = set->vector[i] + share * set->shape * x[i] / length;
    break;
  }
  case SIMPLEX:
    random_in_simplex(random, n, set->shape, x);
    break;
  case TRIANGLE:
    random_in_simplex(random, n, share, x);
    break;
  default: { // |x_T| = share * mu * x_N, or mu |x_T| = share * x_N
    bool dual = set->kind != CONE;
    double length = sqrt(inner(n - 1, x + 1, x + 1)), mu = set->shape;
    x[0] = fabs(x[0]);
    double target = dual ? (mu > 0 ? share * x[0] / mu : length) : share * mu * x[0];
    for (int i = 1; i < n; i++)
      x[i] *= target / length;
    if (set->kind == POLAR_CONE)
      for (int i = 0; i < n; i++)
        x[i] = -x[i];
  }
  }
}

static double violation(const convex_set *set, const double *x)
{
  int n = set->n;
  double sum = 0, least = INFINITY;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    least = fmin(least, x[i]);
  }
  double tangential = sqrt(inner(n - 1, x + 1, x + 1));
  switch (set->kind) {
  case INTERVAL:
    return fmax(set->vector[0] - x[0], x[0] - set->vector[0] - set->shape);
  case HALF_SPACE:
    return inner(n, set->vector, x) - set->shape;
  case BALL: {
    double square = 0;
    for (int i = 0; i < n; i++)
      square += (x[i] - set->vector[i]) * (x[i] - set->vector[i]);
    return sqrt(square) - set->shape;
  }
  case SIMPLEX:
    return fmax(fabs(sum - set->shape), -least);
  case TRIANGLE:
    return fmax(sum - 1, -least);
  case CONE:
    return tangential - set->shape * x[0];
  case DUAL_CONE:
    return set->shape * tangential - x[0];
  default:
    return set->shape * tangential + x[0];
  }
}

// p is the projection of x if and only if it is in the set and (x - p).(z - p) <= 0 for all z
// there.
static void test_projections(void **state)
{
  pc_random random = test_random("projections");
  int count = test_count(5000);
  for (int kind = 0; kind < SET_KINDS; kind++) {
    for (int i = 0; i < count; i++) {
      convex_set set = random_set(&random, (set_kind)kind);
      int n = set.n;
      double x[DIMENSIONS], y[DIMENSIONS], p[DIMENSIONS], q[DIMENSIONS], again[DIMENSIONS];
      random_vector(&random, n, 3, x);
      random_vector(&random, n, 3, y);
      copy(n, x, p);
      copy(n, y, q);
      project(&set, p);
      project(&set, q);
      double size = 1 + set.shape * set.shape + inner(n, x, x) + inner(n, y, y);
      assert_true(violation(&set, p) <= 1e-13 * size);

      copy(n, p, again);
      project(&set, again);
      double apart = 0, firm = 0;
      for (int j = 0; j < n; j++) {
        assert_true(fabs(again[j] - p[j]) <= 1e-13 * size);
        apart += (p[j] - q[j]) * (p[j] - q[j]);
        firm += (p[j] - q[j]) * (x[j] - y[j]);
      }
      assert_true(apart <= firm + 1e-13 * size);

      for (int trial = 0; trial < 10; trial++) {
        double z[DIMENSIONS], product = 0, members = 0;
        random_member(&random, &set, z);
        members = inner(n, z, z);
        assert_true(violation(&set, z) <= 1e-13 * (size + members));
        for (int j = 0; j < n; j++)
          product += (x[j] - p[j]) * (z[j] - p[j]);
        assert_true(product <= 1e-13 * (size + members));
        copy(n, z, again);
        project(&set, again);
        for (int j = 0; j < n; j++)
          assert_true(fabs(again[j] - z[j]) <= 1e-12 * (size + members));
      }
    }
  }
}

// x = P_cone(x) + P_polar(x), the two parts orthogonal; the dual makes no obtuse angle with the
// cone.
static void test_cones_are_polar(void **state)
{
  pc_random random = test_random("cones");
  int count = test_count(20000);
  for (int i = 0; i < count; i++) {
    convex_set cone = random_set(&random, CONE);
    int n = cone.n;
    double x[DIMENSIONS], p[DIMENSIONS], q[DIMENSIONS], member[DIMENSIONS], dual[DIMENSIONS];
    random_vector(&random, n, 1, x);
    copy(n, x, p);
    copy(n, x, q);
    pc_project_cone(n, cone.shape, p);
    pc_project_polar_cone(n, cone.shape, q);
    double size = inner(n, x, x);
    for (int j = 0; j < n; j++)
      assert_true(fabs(x[j] - p[j] - q[j]) <= 1e-14 * (1 + size));
    assert_true(fabs(inner(n, p, q)) <= 1e-14 * (1 + size));
    random_member(&random, &cone, member);
    copy(n, x, dual);
    pc_project_dual_cone(n, cone.shape, dual);
    assert_true(inner(n, dual, member) >= -1e-13 * (1 + size + inner(n, member, member)));
  }
}

// The normal cone by its rays is the set of b with b.(y - x) <= 0 for all y in the triangle, which
// the three corners decide.
static void test_triangle_normal_cone(void **state)
{
  pc_random random = test_random("triangle");
  const double corners[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  int count = test_count(30000), inside = 0, outside = 0, rays[3] = {0};
  for (int i = 0; i < count; i++) {
    double x[2], b[2];
    int c = pc_random_below(&random, 3), d = pc_random_below(&random, 3);
    double s = pc_random_below(&random, 1025) / 1024.0; // sums are exact
    if (pc_random_below(&random, 3) == 0) {
      x[0] = pc_random_uniform(&random, 0, 0.5);
      x[1] = pc_random_uniform(&random, 0, 0.5);
    } else { // on a side or at a corner
      x[0] = s * corners[c][0] + (1 - s) * corners[d][0];
      x[1] = s * corners[c][1] + (1 - s) * corners[d][1];
    }
    pc_normal_cone cone = pc_triangle_normal_cone(x, 1e-15);
    assert_in_range(cone.rays, 0, 2);
    rays[cone.rays]++;
    random_vector(&random, 2, 1, b);
    if (cone.rays > 0 && pc_random_below(&random, 2) == 0) { // a point of the cone
      double u = pc_random_uniform(&random, 0, 1), v = pc_random_uniform(&random, 0, 1);
      for (int j = 0; j < 2; j++)
        b[j] = u * cone.ray[0][j] + (cone.rays == 2 ? v * cone.ray[1][j] : 0);
    }
    double worst = -INFINITY;
    for (int j = 0; j < 3; j++)
      worst = fmax(worst, b[0] * (corners[j][0] - x[0]) + b[1] * (corners[j][1] - x[1]));
    if (fabs(worst) < 1e-14) // round-off of a b made to lie on the cone's edge
      worst = 0;
    bool member = pc_normal_cone_contains(&cone, b, 1e-14);
    if (member)
      assert_true(worst <= 0);
    else
      assert_true(worst > 0);
    inside += member;
    outside += !member;

    // What a projection takes away is normal.
    double y[2], p[2], rest[2];
    random_vector(&random, 2, 2, y);
    copy(2, y, p);
    pc_project_triangle(p);
    for (int j = 0; j < 2; j++)
      rest[j] = y[j] - p[j];
    cone = pc_triangle_normal_cone(p, 1e-15);
    assert_true(pc_normal_cone_contains(&cone, rest, 1e-14));
    cone = pc_triangle_normal_cone(y, 1e-15);
    assert_int_equal(cone.rays == -1, hypot(rest[0], rest[1]) > 1e-15);
  }
  if (count > 100)
    assert_true(inside > 0 && outside > 0 && rays[0] > 0 && rays[1] > 0 && rays[2] > 0);
}

// The norm's conjugate is the indicator of the unit ball.
static void test_norm(void **state)
{
  pc_random random = test_random("norm");
  int count = test_count(20000);
  for (int i = 0; i < count; i++) {
    int n = 1 + pc_random_below(&random, DIMENSIONS);
    double step = pc_random_uniform(&random, 0, 3), x[DIMENSIONS], p[DIMENSIONS], q[DIMENSIONS];
    random_vector(&random, n, 1, x);
    copy(n, x, p);
    copy(n, x, q);
    pc_prox_norm(n, step, p);
    pc_project_ball(n, NULL, step, q);
    double at_p = step * sqrt(inner(n, p, p));
    for (int j = 0; j < n; j++) {
      assert_true(fabs(x[j] - p[j] - q[j]) <= 1e-14 * (1 + fabs(x[j])));
      at_p += (p[j] - x[j]) * (p[j] - x[j]) / 2;
    }
    for (int trial = 0; trial < 10; trial++) { // no neighbour is better
      double z[DIMENSIONS], size = pow(10, pc_random_uniform(&random, -4, 0));
      random_vector(&random, n, size, z);
      double at_z = 0;
      for (int j = 0; j < n; j++) {
        z[j] += p[j];
        at_z += (z[j] - x[j]) * (z[j] - x[j]) / 2;
      }
      at_z += step * sqrt(inner(n, z, z));
      assert_true(at_p <= at_z + 1e-13 * (1 + at_z));
    }
  }
}

// Large simplices, far points and ties, against the threshold found by bisection.
static void test_large_simplex(void **state)
{
  pc_random random = test_random("large simplex");
  int n = test_count(20000), cases = 20;
  double *x = malloc((size_t)n * sizeof *x), *p = malloc((size_t)n * sizeof *p);
  double *scratch = malloc((size_t)n * sizeof *scratch);
  assert_true(x != NULL && p != NULL && scratch != NULL);
  for (int c = 0; c < cases; c++) {
    double total = pow(10, pc_random_uniform(&random, -1, 3)), far = c % 4 == 1 ? 1e6 : 0;
    for (int i = 0; i < n; i++) {
      x[i] = far + pc_random_normal(&random);
      if (c % 4 == 2)
        x[i] = 0.25 * pc_random_below(&random, 4); // many ties
      if (c % 4 == 3)
        x[i] = -(double)i; // sorted
      p[i] = x[i];
    }
    pc_project_simplex(n, total, p, scratch);
    double low = -2e6 - n - total, high = 2e6;
    for (int step = 0; step < 200; step++) {
      double middle = (low + high) / 2, sum = 0;
      for (int i = 0; i < n; i++)
        sum += pc_pp(x[i] - middle);
      if (sum > total)
        low = middle;
      else
        high = middle;
    }
    double sum = 0, allowed = 1e-12 * (total + far + 1);
    for (int i = 0; i < n; i++) {
      assert_true(fabs(p[i] - pc_pp(x[i] - high)) <= allowed);
      sum += p[i];
    }
    assert_true(fabs(sum - total) <= 1e-10 * total);
  }
  free(x);
  free(p);
  free(scratch);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_book_examples),
      cmocka_unit_test(test_subgradients),
      cmocka_unit_test(test_fenchel),
      cmocka_unit_test(test_prox),
      cmocka_unit_test(test_prox_of_extreme_powers),
      cmocka_unit_test(test_projections),
      cmocka_unit_test(test_cones_are_polar),
      cmocka_unit_test(test_triangle_normal_cone),
      cmocka_unit_test(test_norm),
      cmocka_unit_test(test_large_simplex),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
