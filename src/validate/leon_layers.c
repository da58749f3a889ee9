// Leon's thesis, 6.3: layers of boxes that fall and heap, and what finding contacts costs (7.1).
//
// The thesis prints numbers of boxes and pictures. Sizes, density and starts are those of his
// program's data files: edges of 0.2 to 0.5 m, 5000 kg/m^3, centres in a box above the plane; in
// the heap v = -x / 1 s and spins of 10 to 30 rad/s. Steps and laws are chosen here: his linear law
// (k = half the mean mass) lets a layer come to rest; a heap needs Coulomb's friction for that.
#include <math.h>
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
  int moving;           // bodies still faster than 0.05 m/s
  double overlap, rise; // m: deepest overlap; top of the heap
  double drift;
  double grid, pairs; // mean numbers of box tests and of pairs found, per step
  bool solved;
} outcome;

static outcome simulate(pc_report *report, const layers *l)
{
  outcome o = {.solved = true};
  pc_world *world = build(report, l);
  if (world == NULL)
    return (outcome){.solved = false};
  int steps = (int)lround(l->end / l->h);
  for (int i = 0; i < steps; i++) {
    o.solved = pc_report_step(report, world, l->h) && o.solved;
    o.grid += (double)pc_world_info(world)->box_tests / steps;
    o.pairs += (double)pc_world_info(world)->pairs / steps;
  }
  for (int i = 2; i <= pc_world_bodies(world); i++) {
    pc_body_state s;
    pc_body_get(world, (pc_body){i}, &s);
    double radius = pc_shape_radius(pc_body_get_shape(world, (pc_body){i}));
    double speed = sqrt(s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1] +
                        s.velocity[2] * s.velocity[2]);
    double spin = sqrt(s.spin[0] * s.spin[0] + s.spin[1] * s.spin[1] + s.spin[2] * s.spin[2]);
    o.moving += !(speed + radius * spin < 0.05);
    o.rise = fmax(o.rise, s.position[2]);
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

static void report_layers(pc_report *report, const layers *l, outcome *o)
{
  const char *kind = l->heap ? "heap" : "fall";
  *o = simulate(report, l);
  pc_report_property(report, pc_report_name(report, "%s_%d.moving", kind, l->count),
                     "boxes faster than 0.05 m/s after 8 s", o->moving, "at rest at the end");
  pc_report_derived(report, pc_report_name(report, "%s_%d.overlap", kind, l->count),
                    "deepest overlap at the end", 0, o->overlap, "m", 1e-3,
                    "none; the bound is 1/350 of the mean edge");
  pc_report_derived(report, pc_report_name(report, "%s_%d.drift", kind, l->count),
                    "energy that the whole account leaves unexplained, relative", 0, o->drift, "-",
                    1e-9, "closed");
}

// Figure 7.1 shows the time of one iteration against N, brute force and grid. Here the tests of two
// boxes are counted: times belong to the benchmarks.
static void report_growth(pc_report *report, const char *kind, const outcome *o)
{
  double spread = log(3000.0 / 500.0);
  pc_report_derived(report, pc_report_name(report, "%s.growth_grid", kind),
                    "exponent of the tests of boxes against N from 500 to 3000, grid", 1,
                    log(o[2].grid / o[0].grid) / spread, "-", 0.25,
                    "linear; brute force tests N (N - 1) / 2 pairs: exponent 2");
  pc_report_property(report, pc_report_name(report, "%s.grid", kind),
                     "sizes at which the grid tests more than a tenth of all pairs",
                     !(o[0].grid < 0.1 * 500 * 499 / 2) + !(o[1].grid < 0.1 * 1000 * 999 / 2) +
                         !(o[2].grid < 0.1 * 3000 * 2999 / 2),
                     "figure 7.1: the new detection against the first one");
}

static void fall(pc_report *report)
{
  outcome o[3];
  for (int i = 0; i < 3; i++)
    report_layers(report, &falling[i], &o[i]);
  report_growth(report, "fall", o);
}

static void heap(pc_report *report)
{
  outcome o[3];
  for (int i = 0; i < 3; i++)
    report_layers(report, &heaping[i], &o[i]);
  report_growth(report, "heap", o);
}

const pc_case pc_cases_leon_layers[] = {
    {"leon.layers", "Leon's thesis, 6.3 and figure 7.1: falling layers", true, fall},
    {"leon.layers", "Leon's thesis, 6.3 and figure 7.1: heaps", true, heap},
    {NULL, NULL, false, NULL},
};
