// Smoke, gases and doses; stairs that are blocked.
#include "crowd_support.h"
#include "folder.h"
#include "percuss/scene.h"

static const point whole[] = {{0, 2.5}, {0, 0}, {12, 0}, {12, 2.5}};

// The hall of 12 m by 6 m, with hazards.
static pc_crowd *make(pc_crowd_def def, int count, const pc_hazard_def *hazards, int goals[3])
{
  pc_crowd *crowd = create_crowd(def);
  point top[] = {{0, 3.5}, {0, 6}, {12, 6}, {12, 3.5}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(top)));
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(whole)));
  goals[0] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{0, 2.5}, {0, 3.5}}});
  goals[1] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{12, 2.5}, {12, 3.5}}});
  goals[2] = pc_crowd_add_choice(crowd, 2, goals);
  for (int i = 0; i < count; i++)
    if (pc_crowd_add_hazard(crowd, &hazards[i]) != i)
      fail_msg("%s", pc_crowd_error(crowd));
  ok(crowd, pc_crowd_finish(crowd));
  return crowd;
}

static void add_at(pc_crowd *crowd, int goal, double x, double y)
{
  pc_person_def person = pc_person_def_default();
  person.goal = goal;
  person.position[0] = x;
  person.position[1] = y;
  if (pc_crowd_add_person(crowd, &person) < 0)
    fail_msg("%s", pc_crowd_error(crowd));
}

static void go_to(pc_crowd *crowd, double time)
{
  while (pc_world_time(pc_crowd_world(crowd)) < time - 1e-9)
    ok(crowd, pc_crowd_step(crowd, 0.02));
}

// Frantzich and Nilsson: v = v0 (1 - 0.057 / 0.706 K), at least 0.1 v0.
static void smoke_slows_people_down(void **state)
{
  const double extinction[] = {0, 0.5, 1, 3, 7.5, 11, 12, 50};
  for (int i = 0; i < PC_COUNT(extinction); i++) {
    int goals[3];
    double k = extinction[i], factor = fmax(0.1, 1 - 0.057 / 0.706 * k);
    pc_crowd *crowd = make(pc_crowd_def_default(), 1, &(pc_hazard_def){.value = {k}}, goals);
    add_at(crowd, goals[1], 1, 3);
    go_to(crowd, 4);
    assert_near(person_of(crowd, 0).velocity[0], 1.34 * factor, 2e-3);
    pc_crowd_destroy(crowd);
  }
}

// A table of a linear function gives this function everywhere; outside the air is clean, and after
// the last time it stays.
static void tables_are_linear(void **state)
{
  const double t[] = {0, 4, 10}, x[] = {1, 3, 4, 9}, y[] = {0.5, 2};
  double table[3 * 2 * 4];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 2; b++)
      for (int c = 0; c < 4; c++)
        table[(a * 2 + b) * 4 + c] = 0.1 + 0.3 * t[a] + 0.2 * x[c] + 0.05 * y[b];
  int goals[3];
  const pc_hazard_def hazards[] = {{.from = 5,
                                    .until = 40,
                                    .value = {0, 1e-3},
                                    .nodes = {3, 4, 2},
                                    .axis = {t, x, y},
                                    .table = {table}},
                                   {.value = {0.5, 0, 0.02, 0.17, 0, 1e-4}},
                                   {.value = {0, 0, 0, 0.19}}};
  pc_crowd *crowd = make(pc_crowd_def_default(), 3, hazards, goals);
  double air[PC_HAZARDS];
  for (int i = 0; i < 1000; i++) {
    double s = 5 + 10 * (i % 10) / 9.0,
           p[2] = {1 + 8 * (i / 10 % 10) / 9.0, 0.5 + 1.5 * (i / 100) / 9.0};
    pc_crowd_air(crowd, 0, p, s, air);
    assert_near(air[PC_EXTINCTION], 0.6 + 0.3 * (s - 5) + 0.2 * p[0] + 0.05 * p[1], 1e-12);
    assert_near(air[PC_CO], 1e-3, 0);
    assert_near(air[PC_O2], 0.17, 0);
  }
  pc_crowd_air(crowd, 0, (double[]){3, 1}, 39, air);
  assert_near(air[PC_EXTINCTION], 0.5 + 0.1 + 3 + 0.6 + 0.05, 1e-12);
  static const double clean[][3] = {{3, 1, 41}, {3, 1, 4.9}, {9.01, 1, 6}, {3, 0.49, 6}};
  for (int i = 0; i < PC_COUNT(clean); i++) {
    pc_crowd_air(crowd, 0, clean[i], clean[i][2], air);
    assert_near(air[PC_EXTINCTION], 0.5, 0);
    assert_near(air[PC_CO], 0, 0);
  }
  pc_crowd_destroy(crowd);
}

// Times to incapacitation that Purser's equations give, in minutes: 30 % COHb at 25 l/min for CO,
// and those for HCN and lack of oxygen; breathing with CO2.
static void doses_are_those_of_purser(void **state)
{
  const double minute = 60;
  double air[PC_HAZARDS] = {[PC_O2] = 0.209};
  assert_near(pc_dose_rate(air), 0, 0);
  air[PC_CO] = 1e-3; // 30 / (8.2925e-4 x 1000^1.036) = 28.2 min
  assert_near(1 / pc_dose_rate(air) / minute, 30 / (8.2925e-4 * pow(1000, 1.036)), 0.01);
  air[PC_CO2] = 0.05; // breathing 2.70 times as much
  assert_near(1 / pc_dose_rate(air) / minute, 28.21 / 2.70, 0.02);
  air[PC_CO] = air[PC_CO2] = 0;
  air[PC_HCN] = 1e-4; // 220 / exp(100 / 43) = 21.5 min, less 0.0045 of what is harmless
  assert_near(pc_dose_rate(air) * minute, exp(100 / 43.0) / 220 - 0.0045, 1e-9);
  air[PC_HCN] = 0;
  air[PC_O2] = 0.1; // exp(8.13 - 0.54 x 10.9) = 9.4 min
  assert_near(1 / pc_dose_rate(air) / minute, 9.4, 0.05);
  air[PC_O2] = 0.205;
  air[PC_DOSE] = 0.01;
  assert_near(pc_dose_rate(air), 0.01, 0);
}

// A dose of 0.1 per second ends a walk after 10 s, of one person in the zone; the other leaves. The
// first one stays, and is counted.
static void doses_incapacitate(void **state)
{
  static const point zone[] = {{1.5, 0}, {12, 0}, {12, 6}, {1.5, 6}};
  int goals[3];
  const pc_hazard_def hazard = {.count = 4, .points = zone, .value = {11, [PC_DOSE] = 0.1}};
  pc_crowd *crowd = make(pc_crowd_def_default(), 1, &hazard, goals);
  add_at(crowd, goals[1], 2, 3);
  add_at(crowd, goals[0], 1, 5);
  go_to(crowd, 5);
  assert_near(person_of(crowd, 0).dose, 0.5, 0.021);
  assert_int_equal(pc_crowd_incapacitated(crowd), 0);
  go_to(crowd, 10.5);
  assert_int_equal(pc_crowd_incapacitated(crowd), 1);
  go_to(crowd, 14);
  pc_person_state down = person_of(crowd, 0);
  assert_near(hypot(down.velocity[0], down.velocity[1]), 0, 1e-2);
  assert_near(down.position[0], 2 + 10 * 1.34 * pc_smoke_speed(11), 0.15);
  go_to(crowd, 30);
  assert_near(person_of(crowd, 0).position[0], down.position[0], 1e-2);
  assert_int_equal(pc_crowd_inside(crowd), pc_crowd_incapacitated(crowd));
  pc_crowd_destroy(crowd);
}

// From (5, 3) the left exit is 5 m away and the right one 7 m. Smoke fills 4 m of the way to the
// left: equal at 1 + 4 f = 7, f = (1 + 3 K) / (1 - 0.0807 K), K = 0.160.
static void routes_avoid_smoke(void **state)
{
  static const point zone[] = {{0, 0}, {4, 0}, {4, 6}, {0, 6}};
  const double extinction[] = {0.145, 0.175};
  for (int i = 0; i < 2; i++) {
    int goals[3];
    const pc_hazard_def hazard = {.count = 4, .points = zone, .from = 1, .value = {extinction[i]}};
    pc_crowd *crowd = make(pc_crowd_def_default(), 1, &hazard, goals);
    double place[2] = {5, 3};
    add_at(crowd, goals[2], 5, 3);
    ok(crowd, pc_crowd_step(crowd, 0.02));
    assert_true(person_of(crowd, 0).wish[0] < 0);
    assert_near(pc_crowd_route(crowd, goals[2], 0, place), 5, 0.05);
    go_to(crowd, 1.1);
    double f = (1 + 3 * extinction[i]) / (1 - 0.057 / 0.706 * extinction[i]);
    assert_near(pc_crowd_route(crowd, goals[0], 0, place), 1 + 4 * f, 0.12);
    assert_near(pc_crowd_route(crowd, goals[2], 0, place), fmin(7, 1 + 4 * f), 0.12);
    pc_crowd_destroy(crowd);
  }
}

// With an extinction of 1/m, exits are seen over 3 m, and signs that are lit over 8 m.
static void smoke_hides_exits(void **state)
{
  pc_crowd_def def = pc_crowd_def_calibrated();
  def.choosing = 1;
  def.avoidance = 0;
  for (int i = 0; i < 4; i++) {
    int goals[3];
    pc_crowd *crowd = create_crowd(def);
    point top[] = {{0, 3.5}, {0, 6}, {12, 6}, {12, 3.5}};
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(top)));
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(whole)));
    goals[0] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{0, 2.5}, {0, 3.5}}});
    goals[1] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{12, 2.5}, {12, 3.5}}});
    goals[2] = pc_crowd_add_choice(crowd, 2, goals);
    pc_crowd_add_hazard(crowd, &(pc_hazard_def){.value = {1}});
    if (i >= 2) // 7.9 and 8.1 m away, on the left
      pc_crowd_add_sign(
          crowd, &(pc_sign_def){.goal = goals[1], .place = {i == 2 ? 0.9 : 0.7, 3}, .lit = true});
    ok(crowd, pc_crowd_finish(crowd));
    add_at(crowd, goals[2], i == 0 ? 9.1 : i == 1 ? 8.9 : 8.8, 3);
    double place = person_of(crowd, 0).position[0];
    ok(crowd, pc_crowd_set_known(crowd, 0, 1, goals));
    ok(crowd, pc_crowd_step(crowd, 0.001));
    bool sees = i == 0 || i == 2;
    if (person_of(crowd, 0).heads_for != (sees ? goals[1] : goals[0]))
      fail_msg("from %g m: %d", place, person_of(crowd, 0).heads_for);
    pc_crowd_destroy(crowd);
  }
}

// A field that moves: saved between two samples and loaded, with other threads, the same to the
// bit.
static void fields_go_on_after_loading(void **state)
{
  const double t[] = {0, 20}, x[] = {0, 12}, y[] = {0, 6};
  const double smoke[] = {0, 0.1, 0, 0.1, 3, 0, 4, 0};
  const pc_hazard_def hazard = {
      .nodes = {2, 2, 2}, .axis = {t, x, y}, .value = {[PC_DOSE] = 0.05}, .table = {smoke}};
  int goals[3];
  pc_crowd_def def = pc_crowd_def_calibrated();
  def.choosing = 1;
  pc_crowd *one = make(def, 1, &hazard, goals);
  def.threads = 3;
  pc_crowd *two = make(def, 1, &hazard, goals);
  int people = fill(one, goals[2], 8);
  fill(two, goals[2], 8);
  go_to(one, 7.1);
  size_t size = pc_crowd_save(one, NULL, 0);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  pc_crowd_save(one, bytes, size);
  ok(two, pc_crowd_load(two, bytes, size));
  go_to(one, 14);
  go_to(two, 14);
  for (int i = 0; i < people; i++) {
    pc_person_state a = person_of(one, i), b = person_of(two, i);
    assert_memory_equal(a.position, b.position, sizeof a.position);
    assert_near(a.dose, b.dose, 0);
  }
  free(bytes);
  pc_crowd_destroy(one);
  pc_crowd_destroy(two);
}

#define SCENE                                                                                      \
  "kind: crowd\nduration: 30\nstep: 0.02\nfloors: [{outline: [[0, 0], [6, 0], [6, 4], [0, 4]]}]\n" \
  "exits: [{name: door, line: [[6, 1], [6, 3]]}]\npeople: [{count: 3, to: door}]\n"

static pc_status read_table(const char *table, double *extinction, pc_error *error)
{
  pc_scene scene;
  write_file("smoke.csv", table);
  pc_status status = pc_scene_parse(in_folder("scene.yaml"), SCENE "hazards: [{file: smoke.csv}]\n",
                                    &scene, error);
  double air[PC_HAZARDS];
  if (status == PC_OK) {
    pc_crowd_air(scene.crowd, 0, (double[]){2.5, 1}, 3, air);
    *extinction = air[PC_EXTINCTION];
  }
  pc_scene_free(&scene);
  return status;
}

// Rows come in any order, separated as in other tables; what is missing or twice is said.
static void tables_are_read(void **state)
{
  pc_error error = {.text = ""};
  double k = 0;
  assert_ok(read_table("t,x,y,extinction\n0,2,0,1\n0,3,0,2\n0,3,2,2\n0,2,2,1\n"
                       "6,3,2,4\n6,2,2,1\n6,2,0,1\n6,3,0,4\n",
                       &k, &error),
            &error);
  assert_near(k, 0.25 * (1 + 2 + 1 + 4), 1e-12);
  assert_ok(
      read_table("x;y;co;extinction\n2;0;0;1,5\n3;0;0;2,5\n2;2;0;1,5\n3;2;0;2,5\n", &k, &error),
      &error);
  assert_near(k, 2, 1e-12);
  static const struct {
    const char *table, *complaint;
  } bad[] = {
      {"t,x,extinction\n0,1,2\n", "must name the columns"},
      {"x,y,soot\n0,1,2\n", "must name the columns"},
      {"x,y\n0,1\n", "must name the columns"},
      {"x,y,co\n0,1\n", "2: "},
      {"x,y,co\n0,1,-2\n", "expected a number that is not negative, found '-2'"},
      {"x,y,co\n0,1,0\n1,1,0\n0,2,0\n", "the table has 3 rows, but 1 times, 2 x and 2 y"},
      {"x,y,co\n0,1,0\n1,1,0\n0,2,0\n0,2,0\n", "the place (0, 2) at 0 s has two rows"},
      {"x,y,co\n", "the table has no rows"},
  };
  for (int i = 0; i < PC_COUNT(bad); i++) {
    assert_int_not_equal(read_table(bad[i].table, &k, &error), PC_OK);
    if (strstr(error.text, bad[i].complaint) == NULL)
      fail_msg("%s", error.text);
  }
}

// Two flights lead down from a floor. The nearer one closes after 3 s: those who are on it go on,
// the others take the other flight, also from in front of it.
static void blocked_stairs_are_left(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(
      pc_scene_parse(
          in_folder("scene.yaml"),
          "kind: crowd\nduration: 60\nstep: 0.02\nfloors:\n"
          "  - {name: high, outline: [[0, 0], [12, 0], [12, 4], [0, 4]]}\n"
          "  - {name: low, outline: [[0, 0], [12, 0], [12, 4], [0, 4]]}\n"
          "stairs:\n"
          "  - {name: near, from: {floor: high, line: [[0, 1], [0, 3]]}, to: {floor: low, line: "
          "[[1, "
          "1], [1, 3]]}, length: 3, closes: 3}\n"
          "  - {name: far, from: {floor: high, line: [[12, 3], [12, 1]]}, to: {floor: low, line: "
          "[[11, 3], [11, 1]]}, length: 3}\n"
          "exits: [{name: door, floor: low, line: [[5, 0], [7, 0]]}]\n"
          "people: [{count: 20, floor: high, to: door, inside: {box: [[1, 0.5], [4, 3.5]]}}]\n",
          &scene, &error),
      &error);
  bool took[2][20] = {{0}};
  for (int k = 0; k < 4000 && pc_crowd_inside(scene.crowd) > 0; k++) {
    ok(scene.crowd, pc_crowd_step(scene.crowd, 0.02));
    for (int i = 0; i < 20; i++)
      for (int s = 0; s < 2; s++)
        took[s][i] |= person_of(scene.crowd, i).floor == 2 + s;
  }
  int near = 0, far = 0;
  for (int i = 0; i < 20; i++) {
    near += took[0][i];
    far += took[1][i];
    assert_true(took[0][i] != took[1][i]);
  }
  assert_int_equal(pc_crowd_inside(scene.crowd), 0);
  if (!(near > 2 && far > 2))
    fail_msg("%d took the near stairs, %d the far ones", near, far);
  pc_scene_free(&scene);
}

// Nothing is known of speeds in smoke that is denser than in the experiments, and nobody would keep
// to the way; less smoke says nothing. A table counts with its largest value.
static void dense_smoke_gives_a_warning(void **state)
{
  static const struct {
    const char *hazard;
    bool warns;
  } cases[] = {{"extinction: 20", true},
               {"extinction: 7", false},
               {"co: 0.001", false},
               {"file: dense.csv", true},
               {"file: thin.csv", false}};
  write_file("dense.csv", "x,y,extinction\n0,0,0.1\n5,0,9\n0,4,1\n5,4,0\n");
  write_file("thin.csv", "x,y,extinction\n0,0,0.1\n5,0,3\n0,4,1\n5,4,0\n");
  for (int i = 0; i < PC_COUNT(cases); i++) {
    pc_scene scene;
    pc_error error = {.text = ""};
    char text[1000];
    snprintf(
        text, sizeof text,
        "kind: crowd\nduration: 9\nstep: 0.02\nfloors: [{outline: [[0, 0], [6, 0], [6, 4], [0, "
        "4]]}]\nexits: [{name: door, line: [[6, 1], [6, 3]]}]\nhazards: [{%s}]\n"
        "people: [{count: 2, to: door}]\n",
        cases[i].hazard);
    assert_ok(pc_scene_parse(in_folder("scene.yaml"), text, &scene, &error), &error);
    assert_int_equal(scene.warning_count, cases[i].warns);
    if (cases[i].warns)
      assert_non_null(strstr(scene.warnings[0], "people lose their way"));
    pc_scene_free(&scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smoke_slows_people_down),    cmocka_unit_test(tables_are_linear),
      cmocka_unit_test(doses_are_those_of_purser),  cmocka_unit_test(doses_incapacitate),
      cmocka_unit_test(routes_avoid_smoke),         cmocka_unit_test(smoke_hides_exits),
      cmocka_unit_test(fields_go_on_after_loading), cmocka_unit_test(tables_are_read),
      cmocka_unit_test(blocked_stairs_are_left),    cmocka_unit_test(dense_smoke_gives_a_warning),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
