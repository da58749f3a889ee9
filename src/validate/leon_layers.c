// Leon's thesis, 6.3: layers of boxes that fall and heap, and what finding contacts costs (7.1).
//
// The thesis prints numbers of boxes and pictures. Sizes, density and starts are those of his
// program's data files: edges of 0.2 to 0.5 m, 5000 kg/m^3, centres in a box above the plane; in
// the heap v = -x / 1 s and spins of 10 to 30 rad/s. Steps and laws are chosen here: his linear law
// (k = half the mean mass) lets a layer come to rest; a heap needs Coulomb's friction for that.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "validate/registry.h"

typedef struct layers {
  int count;
  double half;   // of the square of centres
  bool heap;     // thrown towards the origin
  double h, end; // step, duration
} layers;

static const double density = 5000, spacing = 0.9; // no box reaches its neighbour's place

static pc_world *build(pc_report *report, const layers *l)
{
  pc_world_def def = pc_world_def_default();
  def.gravity[2] = -9.80665;
  pc_world *world = pc_report_world(report, &def);
  if (world == NULL)
    return NULL;
  int material = pc_world_add_material(world, density);
  pc_law law = {.normal = {.kind = PC_NORMAL_INELASTIC},
                .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {0.5}, .on = PC_ON_AFTER}};
  pc_world_set_default_law(world, &law);
  const double up[3] = {0, 0, 1};
  pc_body_def floor = pc_body_def_default();
  floor.kind = PC_FIXED;
  floor.shape = pc_shape_plane(3, up, NULL);
  pc_body_create(world, &floor);
  pc_shape_release(floor.shape);
  pc_random random;
  pc_random_seed(&random, 2016);
  int side = (int)(2 * l->half / spacing) + 1;
  for (int i = 0; i < l->count; i++) {
    pc_body_def box = pc_body_def_default();
    double size[3];
    int place[3] = {i % side, i / side % side, i / (side * side)};
    for (int a = 0; a < 3; a++) {
      size[a] = pc_random_uniform(&random, 0.2, 0.5);
      box.position[a] = (a == 2 ? 2 : -l->half) + spacing * place[a];
      box.position[a] += pc_random_uniform(&random, -0.015, 0.015);
      box.spin[a] = l->heap ? pc_random_uniform(&random, 10, 30) : 0;
      box.velocity[a] = l->heap ? -box.position[a] : 0;
      box.orientation[1 + a] = pc_random_normal(&random);
    }
    box.orientation[0] = pc_random_normal(&random);
    box.material = material;
    box.shape = pc_shape_box(size, NULL);
    pc_body_create(world, &box);
    pc_shape_release(box.shape);
  }
  return world;
}

typedef struct outcome {
  int moving;     // bodies still faster than 0.05 m/s
  double overlap; // m, the deepest
  double drift;
  int steps, open, rough; // steps in all, with an account that is not closed, above the tolerance
} outcome;

static outcome simulate(pc_report *report, const layers *l)
{
  outcome o = {.steps = (int)lround(l->end / l->h), .overlap = NAN, .drift = NAN};
  pc_world *world = build(report, l);
  if (world == NULL)
    return o;
  for (int i = 0; i < o.steps; i++) {
    bool done = pc_world_step(world, l->h) == PC_OK;
    o.open += !done || !pc_world_info(world)->closed;
    o.rough += done && pc_world_info(world)->status != PC_SOLVED;
  }
  for (int i = 2; i <= pc_world_bodies(world); i++) {
    pc_body_state s;
    pc_body_get(world, (pc_body){i}, &s);
    double radius = pc_shape_radius(pc_body_get_shape(world, (pc_body){i}));
    double speed = sqrt(s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1] +
                        s.velocity[2] * s.velocity[2]);
    double spin = sqrt(s.spin[0] * s.spin[0] + s.spin[1] * s.spin[1] + s.spin[2] * s.spin[2]);
    o.moving += !(speed + radius * spin < 0.05);
  }
  o.overlap = pc_world_overlap(world, NULL, NULL);
  o.drift = pc_world_info(world)->drift;
  pc_world_destroy(world);
  return o;
}

static const layers falling[] = {
    {500, 4, false, 2e-3, 8}, {1000, 8, false, 2e-3, 8}, {3000, 15, false, 2e-3, 8}};
static const layers heaping[] = {
    {500, 4, true, 2e-3, 8}, {1000, 8, true, 2e-3, 8}, {3000, 15, true, 2e-3, 8}};

static void report_layers(pc_report *report, const layers *l)
{
  const char *kind = l->heap ? "heap" : "fall";
  char note[160];
  outcome o = simulate(report, l);
  snprintf(note, sizeof note,
           "at rest at the end; %d of %d steps ended above the tolerance of 1e-4", o.rough,
           o.steps);
  pc_report_property(report, pc_report_name(report, "%s_%d.moving", kind, l->count),
                     "boxes faster than 0.05 m/s after 8 s", o.moving, note);
  pc_report_derived(report, pc_report_name(report, "%s_%d.overlap", kind, l->count),
                    "deepest overlap at the end", 0, o.overlap, "m", 1e-3,
                    "none; the bound is 1/350 of the mean edge");
  pc_report_derived(report, pc_report_name(report, "%s_%d.drift", kind, l->count),
                    "energy that the whole account leaves unexplained, relative", 0, o.drift, "-",
                    1e-9, "closed");
  pc_report_property(report, pc_report_name(report, "%s_%d.open", kind, l->count),
                     "steps whose account does not close", o.open, NULL);
}

// Figure 7.1 shows the time of one iteration against N, brute force and grid. Here the tests of two
// boxes are counted, in a block of boxes a little apart: times belong to the benchmarks.
static double count_tests(pc_report *report, int count)
{
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_report_world(report, &def);
  if (world == NULL)
    return NAN;
  const double size[3] = {0.35, 0.35, 0.35};
  pc_body_def box = pc_body_def_default();
  box.shape = pc_shape_box(size, NULL);
  int side = (int)ceil(cbrt(count));
  for (int i = 0; i < count; i++) {
    int place[3] = {i % side, i / side % side, i / (side * side)};
    for (int a = 0; a < 3; a++)
      box.position[a] = 0.36 * place[a];
    pc_body_create(world, &box);
  }
  pc_shape_release(box.shape);
  bool done = pc_world_step(world, 2e-3) == PC_OK;
  double tests = done ? (double)pc_world_info(world)->box_tests : NAN;
  pc_world_destroy(world);
  return tests;
}

static void growth(pc_report *report)
{
  static const double counts[] = {500, 1000, 3000, 10000};
  double tests[4], brute[4];
  int more = 0;
  for (int i = 0; i < 4; i++) {
    tests[i] = count_tests(report, (int)counts[i]);
    brute[i] = counts[i] * (counts[i] - 1) / 2;
    more += !(tests[i] < 0.1 * brute[i]);
  }
  double spread = log(counts[3] / counts[0]);
  pc_report_derived(report, "growth.grid",
                    "exponent of the tests of two boxes against N, 500 to 10000, by the grid", 1,
                    log(tests[3] / tests[0]) / spread, "-", 0.15, "linear, figure 7.1");
  pc_report_derived(report, "growth.gain",
                    "tests that trying all pairs needs for each one of the grid, at N = 3000, over "
                    "that at 500",
                    6, brute[2] / tests[2] / (brute[0] / tests[0]), "-", 1.5,
                    "grows like N where all pairs are N (N - 1) / 2, figure 7.1");
  pc_report_property(report, "growth.more",
                     "sizes at which the grid tests a tenth of all pairs or more", more,
                     "500, 1000, 3000 and 10000 boxes");
}

static void fall(pc_report *report)
{
  for (int i = 0; i < 3; i++)
    report_layers(report, &falling[i]);
}

static void heap(pc_report *report)
{
  for (int i = 0; i < 3; i++)
    report_layers(report, &heaping[i]);
}

const pc_case pc_cases_leon_layers[] = {
    {"leon.layers", "Leon's thesis, figure 7.1", false, growth},
    {"leon.layers", "Leon's thesis, 6.3: falling layers", true, fall},
    {"leon.layers", "Leon's thesis, 6.3: heaps", true, heap},
    {NULL, NULL, false, NULL},
};
