// León, thesis (2016), 6.3: layers of boxes that fall and heap, and what finding contacts costs
// (7.1).
//
// The thesis prints numbers of boxes and pictures. The scenes scenes/leon/layers-*.yaml and
// heap-*.yaml say what else is known and what is chosen.
#include <math.h>
#include <stdio.h>

#include "trial.h"

typedef struct outcome {
  int moving, sunk;        // boxes that still move; whose centre is below the ground
  double overlap, deepest; // m: at the end, and of the whole run; NAN: it failed
  double drift;
  double calm;    // kinetic energy at the end over its largest
  int giving;     // steps in which contacts gave more energy than they took
  double fastest; // m/s: of the points of boxes, in all steps
} outcome;

// A box rests when no point of it is faster than this.
static const double rest_speed = 0.05;

// Of the fastest point of a box, or more.
static double speed_of(const pc_trial *m, int body, const pc_body_state *s)
{
  double radius = pc_shape_radius(pc_body_get_shape(m->scene.world, (pc_body){body}));
  double speed = sqrt(s->velocity[0] * s->velocity[0] + s->velocity[1] * s->velocity[1] +
                      s->velocity[2] * s->velocity[2]);
  double spin = sqrt(s->spin[0] * s->spin[0] + s->spin[1] * s->spin[1] + s->spin[2] * s->spin[2]);
  return speed + radius * spin;
}

static double fastest_of(const pc_trial *m)
{
  double fastest = 0;
  for (int i = 1; i <= pc_world_bodies(m->scene.world); i++) {
    pc_body_state state;
    pc_body_get(m->scene.world, (pc_body){i}, &state);
    if (pc_body_get_kind(m->scene.world, (pc_body){i}) == PC_FREE)
      fastest = fmax(fastest, speed_of(m, i, &state));
  }
  return fastest;
}

static outcome simulate(pc_trial *m)
{
  outcome o = {.overlap = NAN, .deepest = NAN, .drift = NAN, .calm = NAN};
  double deepest = 0, kinetic = 0, most = 0;
  while (pc_trial_next(m, m->scene.duration)) {
    const pc_step_info *info = pc_world_info(m->scene.world);
    deepest = fmax(deepest, info->deepest);
    kinetic = info->kinetic_translation + info->kinetic_rotation;
    most = fmax(most, kinetic);
    o.giving += info->dissipated < -1e-9 * info->total_dissipated;
    o.fastest = fmax(o.fastest, fastest_of(m));
  }
  if (!m->fine)
    return o;
  for (int i = 1; i <= pc_world_bodies(m->scene.world); i++) {
    pc_body_state state;
    if (pc_body_get_kind(m->scene.world, (pc_body){i}) != PC_FREE)
      continue;
    pc_body_get(m->scene.world, (pc_body){i}, &state);
    o.moving += !(speed_of(m, i, &state) < rest_speed);
    o.sunk += !(state.position[2] > 0);
  }
  o.overlap = pc_world_overlap(m->scene.world, NULL, NULL);
  o.deepest = deepest;
  o.calm = kinetic / most;
  o.drift = pc_world_info(m->scene.world)->drift;
  return o;
}

static void report_boxes(pc_report *report, const char *kind, int count)
{
  char scene[40], note[160], quantity[80];
  snprintf(scene, sizeof scene, "%s-%d.yaml", kind, count);
  pc_trial m = pc_trial_start("leon", scene, NULL, NULL);
  outcome o = simulate(&m);
  snprintf(quantity, sizeof quantity, "share of boxes faster than 0.05 m/s after %g s",
           m.scene.duration);
  snprintf(note, sizeof note,
           "at rest; one in a thousand may still rock: %d do; %ld of %ld steps ended above the "
           "tolerance of 1e-3",
           o.moving, m.inaccurate, m.steps);
  pc_report_derived(report, "moving", quantity, 0, pc_trial_value(&m, (double)o.moving / count),
                    "-", 1e-3, note);
  pc_report_property(report, "sunk", "boxes with their centre below the ground at the end",
                     o.sunk + !m.fine, NULL);
  snprintf(note, sizeof note, "none; the bound is 1/350 of the mean edge; %.2g m in the run",
           o.deepest);
  pc_report_derived(report, "overlap", "deepest overlap at the end", 0, o.overlap, "m", 1e-3, note);
  pc_report_self_check(report, "drift", "error of the energy balance over the run, relative", 0,
                       o.drift, "-", 1e-9, "closed");
  pc_report_own_steps(report, "open", "steps that fail or whose energy balance does not close",
                      (int)m.open + !m.fine, NULL);
  pc_trial_end(&m, NULL);
}

// leon.KIND.acd2: kN and kT on the mean velocities, at velocity level.
static void boxes_acd2(pc_report *report)
{
  char kind[20] = "", scene[40], note[200];
  if (sscanf(pc_report_prefix(report), "leon.%19[a-z].acd2", kind) != 1)
    return;
  snprintf(scene, sizeof scene, "%s-500-acd2.yaml", kind);
  pc_trial m = pc_trial_start("leon", scene, NULL, NULL);
  outcome o = simulate(&m);
  snprintf(note, sizeof note,
           "at rest but for creep, which viscous friction does not hold; %d boxes are faster than "
           "0.05 m/s; %ld of %ld steps ended above the tolerance of 1e-3",
           o.moving, m.inaccurate, m.steps);
  pc_report_derived(report, "calm", "kinetic energy after 3 s over its largest", 0, o.calm, "-",
                    1e-3, note);
  pc_report_property(report, "sunk", "boxes with their centre below the ground at the end",
                     o.sunk + !m.fine, NULL);
  pc_report_property(report, "giving", "steps in which contacts give more energy than they take",
                     o.giving + !m.fine,
                     "Clausius-Duhem: the laws are pseudo-potentials of the mean velocities");
  snprintf(note, sizeof note,
           "velocity level keeps what a step has made: %.2g m in the run, %.2g m at the end; the "
           "fastest point goes %.2g m in a step",
           o.deepest, o.overlap, o.fastest * m.scene.step);
  pc_report_property(report, "overlap",
                     "overlaps deeper than the way of the fastest point of a box in one step",
                     !m.fine || !(o.deepest <= o.fastest * m.scene.step), note);
  pc_report_self_check(report, "drift", "error of the energy balance over the run, relative", 0,
                       o.drift, "-", 1e-9, "closed");
  pc_report_own_steps(report, "open", "steps that fail or whose energy balance does not close",
                      (int)m.open + !m.fine, NULL);
  pc_trial_end(&m, NULL);
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
  pc_report_derived(report, "grid",
                    "exponent of the tests of two boxes against N, 500 to 10000, by the grid", 1,
                    log(tests[3] / tests[0]) / spread, "-", 0.15, "linear, figure 7.1");
  pc_report_derived(report, "gain",
                    "tests that trying all pairs needs for each one of the grid, at N = 3000, over "
                    "that at 500",
                    6, brute[2] / tests[2] / (brute[0] / tests[0]), "-", 1.5,
                    "grows like N where all pairs are N (N - 1) / 2, figure 7.1");
  pc_report_property(report, "more", "sizes at which the grid tests a tenth of all pairs or more",
                     more, "500, 1000, 3000 and 10000 boxes");
}

// leon.KIND.COUNT
static void boxes(pc_report *report)
{
  char kind[20] = "";
  int count = 0;
  if (sscanf(pc_report_prefix(report), "leon.%19[a-z].%d", kind, &count) == 2)
    report_boxes(report, kind, count);
}

const pc_case pc_cases_leon_layers[] = {
    {"leon.layers.growth", "León, thesis (2016), figure 7.1", false, growth},
    {"leon.layers.500", "León, thesis (2016), 6.3: falling layers", true, boxes},
    {"leon.layers.1000", "León, thesis (2016), 6.3: falling layers", true, boxes},
    {"leon.layers.3000", "León, thesis (2016), 6.3: falling layers", true, boxes},
    {"leon.layers.10000", "León, thesis (2016), 6.3: falling layers, and larger", true, boxes},
    {"leon.layers.acd2", "León, thesis (2016), 6.3 and (3.10), (3.17): falling layers", true,
     boxes_acd2},
    {"leon.heap.acd2", "León, thesis (2016), 6.3 and (3.10), (3.17): heaps", true, boxes_acd2},
    {"leon.heap.500", "León, thesis (2016), 6.3: heaps", true, boxes},
    {"leon.heap.1000", "León, thesis (2016), 6.3: heaps", true, boxes},
    {"leon.heap.3000", "León, thesis (2016), 6.3: heaps", true, boxes},
    {"leon.heap.10000", "León, thesis (2016), 6.3: heaps, and larger", true, boxes},
    {0},
};
