// percuss bench impact: sweeps of nsgs and solves of ipm on a heap of spheres, at growing numbers
// of contacts.
//
// The heap: centres on a jittered grid in spatial order, the shortest pairs of neighbours touch
// (4 contacts per body), the bottom layer lies on a floor. Radii differ by a factor 1.8, so masses
// by 6. It falls (gravity for a millisecond) with 5 cm/s of random velocity.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "measure.h"
#include "percuss/impact.h"
#include "percuss/random.h"

enum { PER_BODY = 4, MOST_REPEATS = 101 };
// A sweep is timed by the difference of two runs that end before nsgs changes its method.
enum { FEW_SWEEPS = 40, MANY_SWEEPS = 190, MOST_SWEEPS = 20000 };
static const double sweep_work = 4e7; // contacts times sweeps that a run to a tolerance may take

typedef struct pair {
  int i, j;
  double length;
} pair;

typedef struct heap {
  int bodies, contacts, pairs, floor; // the first `floor` bodies lie on it
  double (*centre)[3];
  double *radius;
  pair *pair;
} heap;

static int by_length(const void *a, const void *b)
{
  const pair *p = a, *q = b;
  if (p->length != q->length)
    return p->length < q->length ? -1 : 1;
  return p->i != q->i ? (p->i > q->i) - (p->i < q->i) : (p->j > q->j) - (p->j < q->j);
}

static int by_bodies(const void *a, const void *b)
{
  const pair *p = a, *q = b;
  return p->i != q->i ? (p->i > q->i) - (p->i < q->i) : (p->j > q->j) - (p->j < q->j);
}

static void heap_free(heap *h)
{
  free(h->centre);
  free(h->radius);
  free(h->pair);
  *h = (heap){0};
}

static bool heap_create(heap *h, int contacts)
{
  int side = (int)lround(cbrt((double)contacts / PER_BODY));
  int height = (int)lround((double)contacts / PER_BODY / (side * side));
  *h = (heap){.bodies = side * side * height, .contacts = contacts, .floor = side * side};
  h->centre = malloc((size_t)h->bodies * sizeof *h->centre);
  h->radius = malloc((size_t)h->bodies * sizeof *h->radius);
  h->pair = malloc((size_t)h->bodies * 13 * sizeof *h->pair); // half of the 26 cells around
  if (h->centre == NULL || h->radius == NULL || h->pair == NULL) {
    heap_free(h);
    return false;
  }
  pc_random random;
  pc_random_seed(&random, 2024);
  for (int b = 0; b < h->bodies; b++) {
    int cell[3] = {b % side, b / side % side, b / (side * side)};
    for (int x = 0; x < 3; x++)
      h->centre[b][x] = 0.02 * (cell[x] + pc_random_uniform(&random, -0.25, 0.25));
    h->radius[b] = 0.01 * pc_random_uniform(&random, 0.7, 1.26);
  }
  for (int b = 0; b < h->bodies; b++) {
    int cell[3] = {b % side, b / side % side, b / (side * side)};
    for (int around = 14; around < 27; around++) {
      int x = cell[0] + around % 3 - 1, y = cell[1] + around / 3 % 3 - 1,
          z = cell[2] + around / 9 - 1;
      if (x < 0 || x >= side || y < 0 || y >= side || z < 0 || z >= height)
        continue;
      pair p = {b, x + side * (y + side * z), 0};
      for (int i = 0; i < 3; i++)
        p.length += pow(h->centre[p.i][i] - h->centre[p.j][i], 2);
      h->pair[h->pairs++] = p;
    }
  }
  qsort(h->pair, (size_t)h->pairs, sizeof *h->pair, by_length);
  if (h->pairs > contacts - h->floor)
    h->pairs = contacts - h->floor;
  qsort(h->pair, (size_t)h->pairs, sizeof *h->pair, by_bodies);
  return true;
}

typedef enum law_choice { CONVEX, COULOMB } law_choice;

static pc_interaction contact(law_choice choice)
{
  pc_interaction c = pc_interaction_default(PC_CONTACT);
  if (choice == CONVEX) {
    c.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 0.01};
    c.law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_VISCOUS, .k = 0.005};
  } else {
    c.law.tangential =
        (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .mu = {0.5, 0.5}, .on = PC_ON_AFTER};
  }
  return c;
}

static pc_impact *state_problem(const heap *h, law_choice choice)
{
  pc_impact *problem = pc_impact_create();
  pc_random random;
  pc_random_seed(&random, 7);
  bool sound = problem != NULL;
  for (int b = 0; b < h->bodies && sound; b++) {
    pc_impact_body body = pc_impact_body_default();
    double r = h->radius[b];
    body.mass = 2500 * 4.18879 * r * r * r;
    for (int i = 0; i < 3; i++) {
      body.inertia[4 * i] = 0.4 * body.mass * r * r;
      body.position[i] = h->centre[b][i];
      body.velocity[i] = 0.05 * pc_random_normal(&random);
    }
    body.percussion[2] = -9.81e-3 * body.mass;
    sound = pc_impact_add_body(problem, &body) >= 0;
  }
  pc_interaction c = contact(choice);
  for (int b = 0; b < h->floor && sound; b++) {
    c.bodies[0] = b, c.bodies[1] = PC_OBSTACLE;
    memcpy(c.normal, (double[]){0, 0, 1}, sizeof c.normal);
    memcpy(c.point, h->centre[b], sizeof c.point);
    c.point[2] -= h->radius[b];
    sound = pc_impact_add_interaction(problem, &c) >= 0;
  }
  for (int p = 0; p < h->pairs && sound; p++) {
    int i = h->pair[p].i, j = h->pair[p].j;
    double share = h->radius[i] / (h->radius[i] + h->radius[j]);
    c.bodies[0] = i, c.bodies[1] = j;
    for (int x = 0; x < 3; x++) {
      c.normal[x] = h->centre[i][x] - h->centre[j][x];
      c.point[x] = h->centre[i][x] - share * c.normal[x];
    }
    sound = pc_impact_add_interaction(problem, &c) >= 0;
  }
  if (sound)
    return problem;
  pc_impact_destroy(problem);
  return NULL;
}

// time_s of the answer becomes processor time: these solvers use one thread, and other programs on
// the machine then hardly count.
static pc_solve_info solve(pc_impact *problem, const char *solver, double tolerance, int most)
{
  pc_solve_options options = pc_solve_options_default();
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = most;
  pc_solve_info info = {.status = PC_FAILED};
  double begun = bench_processor_seconds();
  pc_impact_solve(problem, &options, &info);
  info.time_s = bench_processor_seconds() - begun;
  return info;
}

// Seconds per sweep, its share of the acceleration and of the residuals included.
static double sweep_time(pc_impact *problem, int contacts)
{
  double time[MOST_REPEATS];
  int repeats = (int)fmin(MOST_REPEATS, fmax(5, 1e5 / contacts));
  for (int i = 0; i < repeats; i++) {
    double few = solve(problem, "nsgs", 1e-30, FEW_SWEEPS).time_s;
    time[i] = solve(problem, "nsgs", 1e-30, MANY_SWEEPS).time_s - few;
  }
  return fmax(bench_median(repeats, time), 1e-9) / (MANY_SWEEPS - FEW_SWEEPS);
}

// Least-squares slope of log y over log x.
static double exponent(int n, const double *x, const double *y)
{
  double mx = 0, my = 0, xy = 0, xx = 0;
  for (int i = 0; i < n; i++) {
    mx += log(x[i]) / n;
    my += log(y[i]) / n;
  }
  for (int i = 0; i < n; i++) {
    xy += (log(x[i]) - mx) * (log(y[i]) - my);
    xx += (log(x[i]) - mx) * (log(x[i]) - mx);
  }
  return xx > 0 ? xy / xx : 0;
}

// Sweeps and time to a tolerance; false if it is not reached.
static bool time_to(bench_context *context, const char *name, pc_impact *problem, int contacts,
                    double tolerance)
{
  pc_solve_info info =
      solve(problem, "nsgs", tolerance, (int)fmin(MOST_SWEEPS, sweep_work / contacts));
  bool reached = info.status == PC_SOLVED;
  const char *verb = reached ? "to" : "not enough for";
  bench_row_named(context, contacts, info.iterations, "", "%s, sweeps %s %.0e", name, verb,
                  tolerance);
  bench_row_named(context, contacts, info.time_s, "s", "%s, time %s %.0e", name, verb, tolerance);
  if (!reached)
    bench_row_named(context, contacts, info.residual, "", "%s, residual left", name);
  return reached;
}

static double time_ipm(bench_context *context, pc_impact *problem, int contacts)
{
  enum { TIMES = 3 };
  double time[TIMES];
  pc_solve_info info;
  for (int i = 0; i < TIMES; i++) {
    info = solve(problem, "ipm", 1e-10, 0);
    time[i] = info.time_s;
  }
  double seconds = bench_median(TIMES, time);
  bench_row(context, "convex, ipm", contacts, seconds, "s");
  bench_row(context, "convex, ipm, factorisations", contacts, info.iterations, "");
  bench_row(context, "convex, ipm, residual", contacts, info.residual, "");
  return seconds;
}

void bench_impact(bench_context *context)
{
  static const int contacts[] = {100, 1000, 10000, 100000};
  enum { SIZES = 4, IPM_LARGEST = 10000 };
  static const char *const names[] = {[CONVEX] = "convex, nsgs", [COULOMB] = "coulomb, nsgs"};
  double size[SIZES], sweep[2][SIZES], ipm[SIZES];
  int sizes = context->quick ? 2 : SIZES, ipms = 0;
  for (int n = 0; n < sizes; n++) {
    heap h;
    if (!heap_create(&h, contacts[n]))
      return;
    size[n] = contacts[n];
    bench_row(context, "bodies", contacts[n], h.bodies, "");
    for (law_choice choice = CONVEX; choice <= COULOMB; choice++) {
      pc_impact *problem = state_problem(&h, choice);
      if (problem == NULL)
        break;
      sweep[choice][n] = sweep_time(problem, contacts[n]);
      bench_row_named(context, contacts[n], 1e9 * sweep[choice][n] / contacts[n], "ns",
                      "%s, time per contact and sweep", names[choice]);
      if (time_to(context, names[choice], problem, contacts[n], 1e-4))
        time_to(context, names[choice], problem, contacts[n], 1e-8);
      if (choice == CONVEX && contacts[n] <= IPM_LARGEST)
        ipm[ipms++] = time_ipm(context, problem, contacts[n]);
      pc_impact_destroy(problem);
    }
    heap_free(&h);
  }
  bench_row(context, "convex, nsgs, growth exponent of a sweep", 0,
            exponent(sizes, size, sweep[CONVEX]), "");
  bench_row(context, "coulomb, nsgs, growth exponent of a sweep", 0,
            exponent(sizes, size, sweep[COULOMB]), "");
  bench_row(context, "convex, ipm, growth exponent", 0, exponent(ipms, size, ipm), "");
}
