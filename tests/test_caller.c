// What a C caller can do beyond running a scene: set the nodes of a continuum, warm it, integrate
// its fields, step its motion; read an impact problem from a text; ask a terrain for its height.
#include <string.h>

#include "percuss/percuss.h"
#include "support.h"

#define BAR                                                                                        \
  "kind: continuum\n"                                                                              \
  "mesh: {lines: [{name: bar, from: 0, to: 2, cells: 8, left: foot, right: head}]}\n"

static void parse(const char *text, pc_scene *scene)
{
  pc_error error = {.status = PC_OK};
  assert_ok(pc_scene_parse("scene.yaml", text, scene, &error), &error);
}

typedef struct sums {
  double area, momentum[2];
} sums;

static void add(void *context, const double place[2], double weight, const double velocity[2],
                double pressure)
{
  sums *s = context;
  s->area += weight;
  for (int k = 0; k < 2; k++)
    s->momentum[k] += weight * 3 * velocity[k];
}

static void integrals_over_a_pushed_square_are_its_area_and_the_impulse(void **state)
{
  pc_scene scene;
  pc_continuum_answer answer;
  parse("kind: continuum\n"
        "mesh: {rectangles: [{name: a, x: [0, 2], y: [0, 1], cells: [4, 3], triangles: true, "
        "sides: {top: top}}]}\n"
        "media: {a: {density: 3, viscosity: 0.2}}\n"
        "pushes: [{sides: top, percussion: [5, -7]}]\n",
        &scene);
  assert_int_equal(pc_continuum_solve(scene.continuum, 0, &answer, NULL), PC_OK);
  sums s = {0};
  pc_continuum_integrate(scene.continuum, &answer, add, &s);
  assert_near(s.area, 2, 1e-12);
  assert_near(s.momentum[0], 2 * 5, 1e-9);
  assert_near(s.momentum[1], 2 * -7, 1e-9);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

static void velocities_that_a_caller_sets_are_those_of_the_file(void **state)
{
  pc_scene scene[2];
  pc_continuum_answer answer[2];
  parse(BAR "media: {bar: {density: 1000, viscosity: 500, velocity: [-3]}}\n"
            "contacts: [{sides: foot, normal: 2000}]\n",
        &scene[0]);
  parse(BAR "media: {bar: {density: 1000, viscosity: 500}}\n"
            "contacts: [{sides: foot, normal: 2000}]\n",
        &scene[1]);
  pc_continuum_nodes nodes = pc_continuum_before(scene[1].continuum);
  assert_int_equal(nodes.dimension, 1);
  assert_int_equal(nodes.count, 17);
  assert_null(nodes.temperature);
  for (int i = 0; i < nodes.count; i++)
    nodes.velocity[i] = -3;
  for (int i = 0; i < 2; i++)
    assert_int_equal(pc_continuum_solve(scene[i].continuum, 0, &answer[i], NULL), PC_OK);
  assert_memory_equal(answer[0].velocity, answer[1].velocity, 17 * sizeof(double));
  assert_true(answer[0].point[0].percussion[0] > 0);
  assert_near(answer[0].point[0].reaction, 0, 1e-6); // it bounces
  for (int i = 0; i < 2; i++) {
    pc_continuum_answer_free(&answer[i]);
    pc_scene_free(&scene[i]);
  }
}

static void heat_that_is_put_in_is_stored(void **state)
{
  pc_scene scene;
  pc_continuum_answer answer;
  pc_error error = {.status = PC_OK};
  parse(BAR "media: {bar: {density: 1, heat: {capacity: 50, conductivity: 3, temperature: 280}}}\n"
            "contacts: [{sides: foot}]\n",
        &scene);
  double heat[17] = {0}, touch[17] = {0};
  heat[3] = 40;
  int foot = -1;
  pc_continuum_nodes nodes = pc_continuum_before(scene.continuum);
  for (int i = 0; i < nodes.count; i++)
    if (nodes.place[i][0] == 0)
      foot = i;
  assert_true(foot >= 0);
  touch[foot] = 25;
  assert_int_equal(pc_continuum_warm(scene.continuum, heat, touch, &answer, &error), PC_OK);
  assert_true(answer.solved && answer.closed);
  assert_near(answer.heat.energy_after - answer.heat.energy_before, 65, 1e-9);
  assert_true(answer.temperature[3] > 280);
  assert_true(answer.medium[0].temperature_mean > 280);
  assert_string_equal(answer.medium[0].name, "bar");
  pc_continuum_answer_free(&answer);

  // Nothing put in leaves everything as it was.
  assert_int_equal(pc_continuum_warm(scene.continuum, NULL, NULL, &answer, NULL), PC_OK);
  for (int i = 0; i < answer.nodes; i++)
    assert_near(answer.temperature[i], 280, 1e-10);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

static void what_a_file_does_not_have_is_refused(void **state)
{
  pc_scene scene;
  pc_continuum_answer answer;
  pc_error error = {.status = PC_OK};
  parse(BAR "media: {bar: {density: 1, viscosity: 1, velocity: [-1]}}\n"
            "contacts: [{sides: foot}]\n",
        &scene);
  assert_int_equal(pc_continuum_warm(scene.continuum, NULL, NULL, &answer, &error),
                   PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "temperatures"));
  assert_null(answer.memory);
  assert_null(pc_continuum_motion_create(scene.continuum, &error));
  assert_int_equal(error.status, PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "duration"));
  assert_null(pc_continuum_motion_create(scene.continuum, NULL));
  pc_continuum_motion_destroy(NULL);
  pc_scene_free(&scene);
}

// A rod of length 1 and wave speed 1 falls at speed 1 on the ground: it touches for a time of 2,
// and leaves with the same speed, momentum and energy.
static void an_elastic_rod_bounces_in_steps(void **state)
{
  pc_scene scene;
  parse("kind: continuum\n"
        "mesh: {lines: [{name: rod, from: 0.1, to: 1.1, cells: 64, left: foot}], order: 1}\n"
        "media: {rod: {density: 1, young: 1, velocity: [-1]}}\n"
        "contacts: [{sides: foot}]\n"
        "duration: 3\n"
        "step: 0.005\n",
        &scene);
  pc_continuum_motion *motion = pc_continuum_motion_create(scene.continuum, NULL);
  assert_non_null(motion);
  pc_continuum_state now = pc_continuum_motion_state(motion);
  assert_near(now.time, 0, 0);
  assert_null(now.temperature);
  assert_int_equal(pc_continuum_motion_contact(motion, 0).collisions, 0);
  while (pc_continuum_motion_state(motion).time < 2.5)
    assert_int_equal(pc_continuum_motion_step(motion, NULL), PC_OK);
  pc_continuum_balance balance = pc_continuum_motion_balance(motion);
  pc_continuum_ground ground = pc_continuum_motion_contact(motion, 0);
  assert_true(balance.closed);
  assert_int_equal(ground.closed, 0);
  assert_true(ground.collisions >= 1 && ground.fresh >= 1);
  assert_near(balance.rigid[0], 1, 0.05);
  assert_near(ground.percussion[0], 1 + balance.rigid[0], 1e-6);
  assert_true(balance.deforming >= 0 && balance.deforming < 0.1 * balance.kinetic);
  pc_continuum_motion_destroy(motion);
  pc_scene_free(&scene);
}

static void an_impact_problem_is_read_from_a_text(void **state)
{
  pc_scene_impact scene;
  pc_error error = {.status = PC_OK};
  const char text[] = "kind: impact\n"
                      "bodies: [{id: ball, dof: 1, mass: 3, velocity: [-2]}]\n"
                      "interactions: [{type: contact, bodies: [ball], normal: [1], "
                      "law: {normal: {kind: restitution, e: 0.5}}}]\n";
  assert_int_equal(pc_scene_parse_impact("here.yaml", text, &scene, &error), PC_OK);
  pc_solve_info info;
  double after;
  assert_int_equal(pc_impact_solve(scene.problem, NULL, &info), PC_OK);
  pc_impact_velocity(scene.problem, 0, &after);
  assert_near(after, 1, 1e-12);
  assert_string_equal(scene.body_ids[0], "ball");
  pc_scene_impact_free(&scene);

  assert_int_equal(pc_scene_parse_impact("here.yaml", "kind: impact\nbodies: 3\n", &scene, &error),
                   PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "here.yaml:2"));
  assert_int_equal(pc_scene_parse_impact("here.yaml", "[", &scene, NULL), PC_ERROR_INPUT);
}

static void a_terrain_tells_its_size_and_height(void **state)
{
  const double vertex[4][3] = {{0, 0, 1}, {2, 0, 1}, {2, 2, 3}, {0, 2, 3}};
  const int triangle[2][3] = {{0, 1, 2}, {0, 2, 3}};
  pc_shape *terrain = pc_shape_mesh(4, vertex, 2, triangle, NULL), *ball;
  double z;
  assert_int_equal(pc_shape_vertices(terrain), 4);
  assert_int_equal(pc_shape_triangles(terrain), 2);
  assert_true(pc_shape_height(terrain, 0.5, 0.5, &z));
  assert_near(z, 1.5, 1e-12);
  assert_false(pc_shape_height(terrain, 3, 0.5, &z));
  pc_shape_release(terrain);
  ball = pc_shape_sphere(2, NULL);
  assert_int_equal(pc_shape_vertices(ball) + pc_shape_triangles(ball), 0);
  assert_true(pc_shape_height(ball, 0, 0, &z));
  assert_near(z, 2, 1e-12);
  pc_shape_release(ball);
}

// One of each kind, of 10 steps or more.
static const char *const RUNS[] = {
    "kind: rigid\ndimension: 2\nduration: 0.2\nstep: 1e-2\n"
    "bodies: [{name: a, shape: {type: disc, radius: 1}, position: [0, 1.5]}]\n"
    "obstacles: [{name: ground, shape: {type: plane}}]\n"
    "default_law: {normal: {kind: inelastic}}\n",
    "kind: crowd\nduration: 0.2\nstep: 0.01\nfloors:\n"
    "  - walls: [{points: [[10, 5], [10, 10], [0, 10], [0, 0], [10, 0], [10, 4]]}]\n"
    "exits: [{name: door, line: [[10, 4], [10, 5]]}]\n"
    "people: [{count: 5, inside: {box: [[0, 0], [5, 10]]}, to: door}]\n",
    "kind: chain\nballs: {masses: [1, 1, 1]}\nvelocity: [1, 0, 0]\nlaw: {kind: newton}\n"
    "contacts: {restitution: 0.5}\nduration: 1\nstep: 0.1\n",
    BAR "media: {bar: {density: 1, young: 1, velocity: [-1]}}\n"
        "contacts: [{sides: foot}]\nduration: 0.2\nstep: 0.01\n",
};
enum { KINDS = sizeof RUNS / sizeof *RUNS };

typedef struct listened {
  pc_scene *own;
  int calls;
} listened;

static uint64_t run_to_its_end(const char *text, pc_run_listener *listener)
{
  pc_scene scene;
  pc_run_summary summary;
  pc_error error = {.text = ""};
  listened l = {.own = &scene};
  parse(text, &scene);
  assert_ok(pc_run_scene(&scene, &(pc_run_options){.listener = listener, .context = &l}, &summary,
                         &error),
            &error);
  assert_true(summary.finished && l.calls != 1);
  pc_scene_free(&scene);
  return summary.state;
}

static bool run_others(void *context, const pc_run_progress *progress)
{
  listened *l = context;
  for (int i = 0; i < KINDS && l->calls == 3; i++)
    run_to_its_end(RUNS[i], NULL);
  l->calls++;
  return true;
}

static bool disturb_its_own(void *context, const pc_run_progress *progress)
{
  listened *l = context;
  pc_run_summary summary;
  pc_error error = {.text = ""};
  const pc_run_options options = {.output = "/nowhere/at.h5"};
  assert_int_equal(pc_run_scene(l->own, &options, &summary, &error), PC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "the scene is already running");
  assert_false(pc_run_is_finished(l->own, &options));
  pc_scene_free(l->own);
  l->calls++;
  return true;
}

static void listeners_run_other_scenes_and_cannot_disturb_their_own(void **state)
{
  for (int i = 0; i < KINDS; i++) {
    uint64_t alone = run_to_its_end(RUNS[i], NULL);
    assert_true(alone != 0);
    assert_true(run_to_its_end(RUNS[i], run_others) == alone);
    assert_true(run_to_its_end(RUNS[i], disturb_its_own) == alone);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrals_over_a_pushed_square_are_its_area_and_the_impulse),
      cmocka_unit_test(velocities_that_a_caller_sets_are_those_of_the_file),
      cmocka_unit_test(heat_that_is_put_in_is_stored),
      cmocka_unit_test(what_a_file_does_not_have_is_refused),
      cmocka_unit_test(an_elastic_rod_bounces_in_steps),
      cmocka_unit_test(an_impact_problem_is_read_from_a_text),
      cmocka_unit_test(a_terrain_tells_its_size_and_height),
      cmocka_unit_test(listeners_run_other_scenes_and_cannot_disturb_their_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
