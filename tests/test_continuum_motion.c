// Continuum files with a duration: what is said of wrong ones, and their runs: recorded, resumed,
// swept.
#include <string.h>
#include <unistd.h>

#include "percuss/percuss.h"
#include "record/record.h"
#include "scene/continuum.h"
#include "support.h"
#include "trial.h"

// c = 1, length 1, 0.1 above the ground.
#define ROD                                                                                        \
  "kind: continuum\n"                                                                              \
  "mesh: {lines: [{name: rod, from: 0.1, to: 1.1, cells: 64, left: foot}], order: 1}\n"
#define SPRINGS "media: {rod: {density: 1, young: 1, velocity: [-1]}}\n"
#define LANDS "contacts: [{sides: foot}]\n"
#define TIMES "duration: 3\nstep: 0.005\n"

#define POND(sides)                                                                                \
  "kind: continuum\n"                                                                              \
  "mesh: {rectangles: [{name: water, x: [0, 1], y: [0, 0.5], cells: [4, 2], sides: {bottom: "      \
  "floor, left: west, right: east, top: " sides "}}]}\n"
#define WATER "media: {water: {fluid: true, density: 1000, dynamic_viscosity: 1}}\n"
#define BANKS "{sides: floor}, {sides: west}, {sides: east}"
#define FLOWS "duration: 0.2\nstep: 0.02\ngravity: [0, -9.81]\n"
#define RAFT                                                                                       \
  "bodies: [{name: raft, mass: 5, inertia: 1, centre: [0.5, 0.51], velocity: [0, -0.2]}]\n"

static void mistakes_are_named_with_their_line(void **state)
{
  static const struct {
    const char *text, *complaint;
  } cases[] = {
      {ROD SPRINGS LANDS "duration: 3\n", "'duration' requires 'step'"},
      {ROD SPRINGS LANDS "gravity: [-9.81]\n", "scene.yaml:5: 'gravity' requires a 'duration'"},
      {ROD "media: {rod: {density: 1, young: 1, stretch: [0.1]}}\n" LANDS,
       "scene.yaml:3: 'stretch' requires a 'duration'"},
      {"kind: continuum\n"
       "mesh: {rectangles: [{name: a, x: [0, 1], y: [0, 1], cells: [1, 1], sides: {top: high}}]}\n"
       "media: {a: {density: 1, velocity: [0, 1]}}\ncontacts: [{sides: high, with: b}]\n"
       "bodies: [{name: b, mass: 1, inertia: 1, orientation: {degrees: 3}}]\n",
       "'orientation' requires a 'duration'"},
      {ROD "media: {rod: {density: 1, young: 1, stretch: [0.1, 0]}}\n" LANDS TIMES,
       "2 numbers, but the mesh has 1 dimension"},
      {ROD SPRINGS LANDS TIMES "gravity: [0, -9.81]\n", "2 numbers, but the mesh has 1 dimension"},
      {ROD "media: {rod: {density: 1, velocity: [-1]}}\n" LANDS TIMES,
       "scene.yaml:3: with a 'duration' a medium needs a positive 'young' or"},
      {ROD SPRINGS LANDS TIMES "pushes: [{sides: foot, percussion: [1], at: 3}]\n",
       "scene.yaml:7: 'at' is 3 s, after the end of the motion at 3 s"},
      {ROD SPRINGS LANDS "pushes: [{sides: foot, percussion: [1], at: 3}]\n",
       "scene.yaml:5: 'at' requires a 'duration'"},
      {ROD SPRINGS LANDS TIMES "pushes: [{sides: foot, heat: 1, at: 1}]\n",
       "scene.yaml:7: heat is applied where not all media have 'heat'"},
      {ROD SPRINGS "contacts: [{sides: foot, condition: bilateral}]\n" TIMES,
       "scene.yaml:4: with a 'duration' contacts with the ground must be"},
      {ROD SPRINGS "contacts: [{sides: foot, condition: loose}]\n" TIMES,
       "scene.yaml:4: with a 'duration' contacts cannot be 'loose'"},
      {ROD "media: {rod: {density: 1, young: 1, bulk: 1}}\n" LANDS TIMES,
       "scene.yaml:3: 'young' and 'bulk' cannot be combined"},
      {POND("top") "media: {water: {fluid: true, density: 1000, bulk: 1e9}}\n" LANDS FLOWS,
       "scene.yaml:3: 'fluid: true' is incompressible"},
      {"kind: continuum\n"
       "mesh: {rectangles: [{name: a, x: [0, 1], y: [0, 1], cells: [1, 1], sides: {right: r}}, "
       "{name: b, x: [2, 3], y: [0, 1], cells: [1, 1], sides: {left: l}}]}\n"
       "media: {a: {density: 1, bulk: 1}, b: {density: 1, young: 1}}\n"
       "contacts: [{sides: r, with: l}]\n" TIMES,
       "scene.yaml:3: a medium with 'bulk' needs linear quadrangles or hexahedra"},
      {ROD SPRINGS "contacts: [{sides: foot, ground: {offset: 0.2}}]\n" TIMES,
       "scene.yaml:4: 'foot' starts 0.1 m inside the ground"},
      {ROD SPRINGS "contacts: [{sides: foot, ground: {direction: [0]}}]\n" TIMES,
       "scene.yaml:4: the direction must be finite and not zero"},
      {"kind: continuum\n"
       "mesh: {rectangles: [{name: rod, x: [0, 1], y: [1, 2], cells: [2, 2], sides: {bottom: "
       "foot}}]}\n"
       "media: {rod: {density: 1, young: 1}}\n"
       "contacts: [{sides: foot, ground: {direction: [1e308, 1.7e308]}}]\n" TIMES,
       "the direction must be finite and not zero"},
      {ROD SPRINGS LANDS TIMES "hold: [{sides: foot, velocity: kept}]\n", "must be at rest"},
      {"kind: continuum\nmesh:\n  bars: [{name: rod, length: 1, width: 0.1, cells: [4, "
       "5]}]\n" SPRINGS LANDS,
       "scene.yaml:3: the number of elements across a bar must be a multiple of 4 (got 5)"},
      {"kind: continuum\nmesh:\n  bars: [{name: rod, length: 1, width: 2, cells: [4, 4]}]\n" SPRINGS
           LANDS,
       "scene.yaml:3: the width of 2 m must be less than the length of 1 m"},
      {POND("top") WATER "contacts: [{sides: floor}, {sides: west}]\n" FLOWS,
       ") must be a wall, be held, or face upwards as a free surface"},
      {POND("top") WATER "contacts: [" BANKS ", {sides: top, condition: loose}]\n" FLOWS,
       "scene.yaml:4: with a 'duration' contacts of a fluid cannot be 'loose'"},
      {POND("top") WATER "contacts: [" BANKS "]\n" FLOWS "hold: [{sides: top, velocity: kept}]\n",
       "must be at rest"},
      {POND("top") WATER RAFT
       "contacts: [{sides: top, with: raft, face: {from: [0, 1], to: [0, 1]}}]\n" FLOWS,
       "scene.yaml:5: the two ends of a face must differ"},
      {POND("top") WATER RAFT
       "contacts: [{sides: top, with: raft, face: {from: [0.2, 0.4], to: [0.8, 0.4]}}, " BANKS
       "]\n" FLOWS,
       "scene.yaml:5: the face of 'raft' starts 0.1 m below the surface, at"},
      {POND("top") WATER RAFT
       "contacts: [{sides: top, with: raft, face: {from: [0.5, 1], to: [0.5, 2]}}, " BANKS
       "]\n" FLOWS,
       "scene.yaml:5: the face of 'raft', from (0.5, 1) to (0.5, 2), is not above a free surface"},
      {POND("top") WATER RAFT
       "contacts: [{sides: top, with: raft, face: {from: [0.4, 0.51], to: [0.5, 0.51]}}, " BANKS
       "]\n" FLOWS,
       "scene.yaml:5: the face of 'raft' is 0.1 m wide and can pass between nodes of the surface, "
       "which are up to 0.125 m apart; refine the surface to sides of at most 0.2 m"},
      {POND("top") WATER "contacts: [" BANKS "]\n" FLOWS
                         "pushes: [{sides: top, percussion: [0, 1]}]\n",
       "with a 'duration' a fluid cannot have 'pushes'"},
      {POND("top") WATER "contacts: [" BANKS "]\n",
       "scene.yaml:3: 'dynamic_viscosity' requires a fluid with a 'duration'"},
      {POND("top") "media: {water: {fluid: true, density: 1000}}\n"
                   "contacts: [{sides: floor, drag: 1}]\n",
       "scene.yaml:4: 'drag' requires a fluid with a 'duration'"},
      {ROD "media: {rod: {density: 1, dynamic_viscosity: 1}}\n" LANDS TIMES,
       "scene.yaml:3: 'dynamic_viscosity' requires a fluid, or a solid with"},
      {ROD "media: {rod: {density: 1, young: 1, dynamic_viscosity: 1}}\n" LANDS,
       "scene.yaml:3: 'dynamic_viscosity' requires a 'duration'"},
      {ROD SPRINGS LANDS "deformation: large\n",
       "scene.yaml:5: 'deformation' requires a 'duration'"},
      {ROD SPRINGS LANDS TIMES "deformation: huge\n", "unknown deformation 'huge'"},
      {POND("top") WATER "contacts: [" BANKS "]\n" FLOWS "deformation: large\n",
       "scene.yaml:8: 'deformation' applies to solids only"},
      {ROD SPRINGS LANDS TIMES "hold: [{components: [x]}]\n",
       "scene.yaml:7: an entry of 'hold' needs either 'sides' or 'point'"},
      {ROD SPRINGS LANDS TIMES "hold: [{sides: foot, point: [1]}]\n",
       "an entry of 'hold' needs either 'sides' or 'point'"},
      {ROD SPRINGS LANDS TIMES "hold: [{point: [7]}]\n", "; the nearest is at"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pc_scene scene;
    pc_error error = {.text = ""};
    pc_status status = pc_scene_parse(in_folder("scene.yaml"), cases[i].text, &scene, &error);
    if (status != PC_ERROR_INPUT || strstr(error.text, cases[i].complaint) == NULL)
      fail_msg("case %zu: '%s' instead of '%s'", i, error.text, cases[i].complaint);
  }
}

// What meets in a motion is found where the motion starts, and is named with its line there.
static void overlaps_at_the_start_are_named_with_their_line(void **state)
{
#define BLOCKS(gap)                                                                                \
  "kind: continuum\nmesh:\n  rectangles:\n"                                                        \
  "    - {name: a, x: [0, 1], y: [0, 1], cells: [2, 2], sides: {right: nose}}\n"                   \
  "    - {name: b, x: [" gap ", 3], y: [-0.3, 1.2], cells: [2, 3], sides: {left: tail}}\n"
#define SOLIDS "media: {a: {density: 1, young: 1}, b: {density: 1, young: 1}}\n"
  static const struct {
    const char *text, *complaint;
  } cases[] = {
      {BLOCKS("0.9") SOLIDS "contacts:\n  - {sides: nose, with: tail}\nduration: 1\nstep: 0.1\n",
       "scene.yaml:8: \"nose\" starts inside \"tail\", by 0.1 m at (1, "},
      {BLOCKS("2") SOLIDS
       "bodies: [{name: ball, mass: 1, radius: 0.2, centre: [1.1, 0.5]}]\n"
       "contacts:\n  - {sides: nose, with: tail}\n  - {name: hit, sides: nose, with: "
       "ball}\nduration: 1\nstep: 0.1\n",
       "scene.yaml:10: \"nose\" starts inside \"ball\", by 0.1 m at (1, 0.5)"},
      {BLOCKS("0.02") SOLIDS "contacts:\n  - {sides: nose, with: tail}\nduration: 1\nstep: 0.1\n",
       "scene.yaml:8: the solids of \"nose\" and \"tail\" overlap at (0."},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pc_scene scene;
    pc_error error = {.text = ""};
    pc_run_summary summary;
    assert_ok(pc_scene_parse("scene.yaml", cases[i].text, &scene, &error), &error);
    assert_int_equal(pc_run_scene(&scene, &(pc_run_options){0}, &summary, &error),
                     PC_ERROR_ARGUMENT);
    if (strncmp(error.text, cases[i].complaint, strlen(cases[i].complaint)) != 0)
      fail_msg("case %zu: '%s' instead of '%s'", i, error.text, cases[i].complaint);
    pc_scene_free(&scene);
  }
}

static void one_collision_is_not_solved_of_a_motion(void **state)
{
  pc_scene scene = read_good(ROD SPRINGS LANDS TIMES);
  pc_continuum_answer answer;
  pc_error error = {.text = ""};
  assert_int_equal(pc_continuum_solve(scene.continuum, 0, &answer, &error), PC_ERROR_ARGUMENT);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

static bool stop_in_the_middle(void *context, const pc_run_progress *progress)
{
  return progress->step < 300;
}

// Stopped while it rests on the ground.
static void a_stopped_run_goes_on_as_if_it_had_not(void **state)
{
  static const char *const endings[] = {".csv", "-collisions.csv"};
  pc_run_summary whole = stop_and_go(ROD SPRINGS LANDS TIMES, stop_in_the_middle, 2, endings);
  assert_int_equal(whole.steps, 600);
  assert_int_equal(whole.steps_open, 0);
  assert_true(whole.drift < 1e-12);
}

static bool stop_after_the_blow(void *context, const pc_run_progress *progress)
{
  return progress->step < 7;
}

// A raft falls on a pond, floats and makes waves.
static void a_stopped_flow_goes_on_as_if_it_had_not(void **state)
{
  static const char *const endings[] = {".csv", "-collisions.csv"};
  static const char scene[] = POND("top") WATER RAFT
      "contacts: [{sides: top, with: raft, normal: 1, face: {from: [0.25, 0.51], to: [0.75, "
      "0.51]}}, " BANKS "]\n" FLOWS;
  pc_run_summary whole = stop_and_go(scene, stop_after_the_blow, 2, endings);
  assert_int_equal(whole.steps, 10);
  assert_int_equal(whole.steps_open, 0);
  assert_true(whole.drift < 1e-12);
}

// Every node below the surface moves with it, and the raft is where its frame says.
static void a_record_has_the_fluid_in_time(void **state)
{
  static const char scene[] = POND("top") WATER RAFT
      "contacts: [{sides: top, with: raft, normal: 1, face: {from: [0.25, 0.51], to: [0.75, "
      "0.51]}}, " BANKS "]\n" FLOWS "output: {every: 0.1}\n";
  run_text(scene, in_folder("pond.h5"), false, NULL);
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(in_folder("pond.h5"), &error);
  assert_non_null(reading);
  double moved[3 * 45 * 2], pressure[3 * 45], body[3 * 6], node[45][2];
  assert_ok(pc_reading_rows(reading, "frames/displacement", 0, 3, PC_RECORD_DOUBLE, moved, &error),
            &error);
  assert_ok(pc_reading_rows(reading, "frames/pressure", 0, 3, PC_RECORD_DOUBLE, pressure, &error),
            &error);
  assert_ok(pc_reading_rows(reading, "frames/body", 0, 3, PC_RECORD_DOUBLE, body, &error), &error);
  assert_ok(pc_reading_rows(reading, "mesh/node", 0, 45, PC_RECORD_DOUBLE, node, &error), &error);
  assert_near(body[1], 0.51, 0);
  assert_true(body[6 * 2 + 1] < 0.505); // 5 mm of water carry it
  double most = 0;
  for (int i = 0; i < 45; i++) {
    const double *now = &moved[(2 * 45 + i) * 2];
    assert_near(now[0], 0, 1e-12);
    if (node[i][1] == 0)
      assert_near(now[1], 0, 0);
    most = fmax(most, fabs(now[1]));
    if (node[i][1] == 0) // about its weight at the ground
      assert_near(pressure[2 * 45 + i], 9810 * 0.5, 2000);
  }
  assert_true(most > 1e-3 && most < 0.05);
  pc_reading_close(reading);
}

// The foot stands on the ground while the wave is under way, from 0.1 to 2.1 s.
static void a_record_has_the_nodes_in_time(void **state)
{
  run_text(ROD SPRINGS LANDS TIMES "output: {every: 0.5}\n", in_folder("record.h5"), false, NULL);
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(in_folder("record.h5"), &error);
  assert_non_null(reading);
  double moved[7 * 65 * 2];
  if (pc_reading_rows(reading, "frames/displacement", 0, 7, PC_RECORD_DOUBLE, moved, &error) !=
      PC_OK)
    fail_msg("%s", error.text);
  for (int f = 0; f < 7; f++) {
    double foot = moved[f * 130];
    assert_near(moved[f * 130 + 1], 0, 0);
    if (f > 0 && f < 5)
      assert_near(foot, -0.1, 1e-5);
    else if (f == 6)
      assert_true(foot > 0.5);
  }
  pc_reading_close(reading);
}

// A solid that turns would grow: the strains are those of small rotations.
static void a_run_ends_when_a_solid_has_turned_far(void **state)
{
  pc_error error = {.text = ""};
  pc_run_summary summary;
  pc_scene scene =
      read_good("kind: continuum\nmesh: {rectangles: [{name: a, x: [0, 1], y: [0, 0.2], cells: [4, "
                "1], sides: "
                "{bottom: b}}]}\nmedia: {a: {density: 2000, young: 1e8, spin: 3}}\n"
                "contacts: [{sides: b, ground: {offset: -5}}]\nduration: 1\nstep: 1e-2\n");
  assert_int_equal(pc_run_scene(&scene, &(pc_run_options){0}, &summary, &error), PC_ERROR_NUMERIC);
  assert_non_null(strstr(error.text, "rad, but small deformations are valid for rotations up to"));
  assert_near(summary.time, 0.06, 0.011);
  pc_scene_free(&scene);
}

enum { RATIO_NODES = 45, RATIO_FRAMES = 601 };

// How the sides of a rectangle move, in the mean, in a frame: left and right along x, the lower and
// the upper one along y.
static void side_means(const double (*node)[2], const double (*moved)[2], double mean[4])
{
  int count[4] = {0};
  memset(mean, 0, 4 * sizeof *mean);
  for (int n = 0; n < RATIO_NODES; n++) {
    const bool on[] = {node[n][0]<1e-9, node[n][0]> 1 - 1e-9,
                       node[n][1]<0.1 + 1e-9, node[n][1]> 0.6 - 1e-9};
    for (int k = 0; k < 4; k++)
      if (on[k]) {
        mean[k] += moved[n][k / 2];
        count[k]++;
      }
  }
  for (int k = 0; k < 4; k++)
    mean[k] /= count[k];
}

// What a bounce off the ground has been.
typedef struct bounce {
  double lowest;          // of the foot
  double squeezed, wider; // at the deepest moment
  double risen;           // the middle, in the last 5 s
} bounce;

static bounce read_bounce(void)
{
  static double node[RATIO_NODES][2], moved[RATIO_FRAMES][RATIO_NODES][2];
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(in_folder("ratio.h5"), &error);
  assert_non_null(reading);
  read_array(reading, "mesh/node", RATIO_NODES, &node[0][0]);
  read_array(reading, "frames/displacement", RATIO_FRAMES, &moved[0][0][0]);
  pc_reading_close(reading);
  bounce b = {.lowest = INFINITY};
  for (int f = 0; f < RATIO_FRAMES; f++) {
    double mean[4];
    side_means((const double(*)[2])node, (const double(*)[2])moved[f], mean);
    b.lowest = fmin(b.lowest, mean[2]);
    if (mean[2] - mean[3] > b.squeezed) {
      b.squeezed = mean[2] - mean[3];
      b.wider = mean[1] - mean[0];
    }
    if (f == RATIO_FRAMES - 101 || f == RATIO_FRAMES - 1)
      b.risen = 0.5 * (mean[2] + mean[3]) - b.risen;
  }
  return b;
}

// One that gets wider when it is pulled, and one that does not: they land, get wider or narrower,
// bounce and keep their energy, but for what the foot loses when it lands. Squeezed along y with
// free sides they get wider by the ratio r times as much, and r / (1 - r) where they are not thin.
static void solids_have_any_ratio_of_poisson(void **state)
{
  static const double ratios[] = {-0.999, -0.3, 0.4};
  for (int i = 0; i < 3; i++) {
    double squeezed[2], kinetic = 0.5 * 0.5 * 1e-4;
    for (int thin = 0; thin < 2; thin++) {
      char text[500];
      snprintf(text, sizeof text,
               "kind: continuum\nmesh: {rectangles: [{name: a, x: [0, 1], y: [0.1, 0.6], cells: "
               "[4, 2], sides: {bottom: b}}]}\nmedia: {a: {density: 1, young: 1, poisson: %g, "
               "thin: %s, velocity: [0, -0.01]}}\ncontacts: [{sides: b}]\nduration: 30\n"
               "step: 0.05\noutput: {every: 0.05}\n",
               ratios[i], thin ? "true" : "false");
      pc_run_summary summary = run_text(text, in_folder("ratio.h5"), false, NULL);
      assert_int_equal(summary.steps_open, 0);
      assert_true(summary.drift < 1e-10);
      assert_true(summary.dissipated > 0.05 * kinetic && summary.dissipated < 0.11 * kinetic);
      bounce b = read_bounce();
      double wider = thin ? ratios[i] : ratios[i] / (1 - ratios[i]);
      assert_near(b.lowest, -0.1, 1e-5);
      assert_true(b.squeezed > 1e-5 && b.wider * ratios[i] > 0);
      if (fabs(ratios[i]) < 0.5) // else waves across are as large
        assert_near(b.wider / b.squeezed, wider, 0.15 * fabs(wider));
      assert_true(b.risen > 0.4 * 0.01 * 5);
      squeezed[thin] = b.squeezed;
    }
    if (ratios[i] < -0.9) // 1 / (1 - r^2) times as stiff where it is not thin
      assert_true(squeezed[1] > 10 * squeezed[0]);
  }
}

static void speeds_are_swept(void **state)
{
  pc_error error = {.text = ""};
  pc_scene scene = read_good(ROD SPRINGS LANDS TIMES
                             "sweep: [{key: media.rod.velocity, values: [[-1], [-2]]}]\n");
  pc_runs *runs = pc_runs_create(&scene, &error);
  assert_non_null(runs);
  assert_int_equal(pc_runs_run(runs, &(pc_runs_options){.threads = 2}, &error), PC_OK);
  for (int i = 0; i < 2; i++) {
    assert_near(value_of(runs, i, "foot/collisions"), 1, 0);
    assert_near(value_of(runs, i, "foot/resultant"), 2 * (i + 1), 0.04);
  }
  pc_runs_destroy(runs);
  pc_scene_free(&scene);
}

// A rectangle that falls on a beam off its middle, after 40 steps.
static pc_continuum_mover drop(const char *shape)
{
  char text[1000];
  pc_scene scene;
  pc_error error = {.text = ""};
  snprintf(text, sizeof text,
           "kind: continuum\n"
           "mesh: {rectangles: [{name: a, x: [0, 2], y: [0, 0.2], cells: [10, 2], sides: {left: "
           "end, right: end, top: high}}]}\n"
           "media: {a: {density: 1, young: 100, poisson: 0.3}}\n"
           "hold: [{sides: end}]\n"
           "bodies: [{name: b, mass: 0.2, centre: [0.7, 0.45], velocity: [0.1, -0.5], %s}]\n"
           "contacts: [{sides: high, with: b}]\n"
           "duration: 1\nstep: 0.01\n",
           shape);
  assert_ok(pc_scene_parse(in_folder("scene.yaml"), text, &scene, &error), &error);
  pc_continuum_motion *motion = pc_continuum_motion_create(scene.continuum, &error);
  assert_non_null(motion);
  for (int i = 0; i < 40; i++)
    assert_ok(pc_continuum_motion_step(motion, &error), &error);
  pc_continuum_mover b = pc_continuum_motion_body(motion, 0);
  pc_continuum_motion_destroy(motion);
  pc_scene_free(&scene);
  return b;
}

static void a_body_that_is_turned_moves_as_its_shape_does(void **state)
{
  pc_continuum_mover a = drop("size: [0.2, 0.4]");
  pc_continuum_mover b = drop("size: [0.4, 0.2], orientation: {degrees: 90}");
  pc_continuum_mover c = drop("size: [0.2, 0.4], orientation: {degrees: 20}");
  assert_true(fabs(a.spin[2]) > 1e-3); // it was struck
  for (int k = 0; k < 2; k++) {
    assert_near(b.place[k], a.place[k], 1e-12);
    assert_near(b.velocity[k], a.velocity[k], 1e-10);
  }
  assert_near(b.spin[2], a.spin[2], 1e-9);
  assert_true(fabs(c.spin[2] - a.spin[2]) > 0.1 * fabs(a.spin[2]));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mistakes_are_named_with_their_line),
      cmocka_unit_test(overlaps_at_the_start_are_named_with_their_line),
      cmocka_unit_test(one_collision_is_not_solved_of_a_motion),
      cmocka_unit_test(a_stopped_run_goes_on_as_if_it_had_not),
      cmocka_unit_test(a_stopped_flow_goes_on_as_if_it_had_not),
      cmocka_unit_test(a_record_has_the_nodes_in_time),
      cmocka_unit_test(a_record_has_the_fluid_in_time),
      cmocka_unit_test(a_run_ends_when_a_solid_has_turned_far),
      cmocka_unit_test(solids_have_any_ratio_of_poisson),
      cmocka_unit_test(speeds_are_swept),
      cmocka_unit_test(a_body_that_is_turned_moves_as_its_shape_does),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
