// Chain files: what they become, and what is said of wrong ones.
#include "folder.h"
#include "percuss/scene.h"
#include "support.h"

static pc_status read_text(const char *text, pc_scene *scene, pc_error *error)
{
  write_file("chain.yaml", text);
  return pc_scene_read(in_folder("chain.yaml"), scene, error);
}

static pc_scene read_good(const char *text)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(read_text(text, &scene, &error), &error);
  return scene;
}

#define HEAD "kind: chain\nvelocity: 1\nlaw: {kind: lzb}\n"
#define THREE "balls: {masses: [1, 1, 1]}\n"

static void masses_follow_their_rule(void **state)
{
  pc_scene s = read_good(HEAD "balls: {count: 7, mass: 2, taper: 0.1}\n");
  for (int i = 0; i < 7; i++)
    assert_near(s.chain->chain.mass[i], 2 * pow(0.9, i), 1e-14);
  assert_near(s.chain->chain.velocity[0], 1, 0);
  assert_near(s.chain->chain.velocity[6], 0, 0);
  pc_scene_free(&s);
  s = read_good(HEAD "balls: {count: 4, mass: 1, taper: -0.5}\n"); // they grow
  assert_near(s.chain->chain.mass[3], 3.375, 1e-14);
  pc_scene_free(&s);
  s = read_good(HEAD "balls: {count: 5, mass: 2, decorated: 0.25}\n");
  for (int i = 0; i < 5; i++)
    assert_near(s.chain->chain.mass[i], i % 2 == 0 ? 2 : 0.5, 0);
  pc_scene_free(&s);
}

static void hertz_stiffness_follows_from_radii(void **state)
{
  pc_scene s = read_good(HEAD "walls: right\nballs: {radii: [0.01, 0.02], density: 7780}\n"
                              "contacts: {young: 203e9, poisson: 0.3}\n");
  // 4/3 E* sqrt(R*), E* = 203e9 / (2 * 0.91), R* = 1/150 m and 0.02 m.
  assert_near(s.chain->chain.contact[0].stiffness / 1e10, 4.0 / 3 * 20.3 / 1.82 / sqrt(150), 1e-12);
  assert_near(s.chain->chain.contact[1].stiffness / 1e10, 4.0 / 3 * 20.3 / 1.82 * sqrt(0.02),
              1e-12);
  assert_near(s.chain->chain.mass[1], 7780 * 4.0 / 3 * 3.14159265358979 * 8e-6, 1e-12);
  assert_true(s.chain->timed);
  pc_scene_free(&s);
}

static void positions_become_gaps(void **state)
{
  pc_scene s = read_good("kind: chain\nvelocity: 1\nlaw: {kind: hertz}\nwalls: left\n"
                         "balls: {radii: [0.5, 0.5, 1], density: 1, positions: [3, 4, 5.75]}\n");
  assert_near(s.chain->chain.contact[0].gap, 0, 0); // the wall
  assert_near(s.chain->chain.contact[1].gap, 0, 0);
  assert_near(s.chain->chain.contact[2].gap, 0.25, 1e-15);
  pc_scene_free(&s);
}

static void a_law_is_read_with_all_it_has(void **state)
{
  pc_scene s = read_good("kind: chain\nvelocity: [1, 0, -1]\n" THREE
                         "law: {kind: matrix, matrix: [[1, 2], [3, 4]]}\n"
                         "contacts: {restitution: [0.5, 0.25]}\n");
  for (int i = 0; i < 4; i++)
    assert_near(s.chain->law.matrix[i], i + 1, 0);
  assert_near(s.chain->chain.contact[1].restitution, 0.25, 0);
  pc_scene_free(&s);
  s = read_good("kind: chain\nvelocity: 1\n" THREE
                "law: {kind: fremond, k: [1, 2], distances: [{balls: [1, 3], k: 5}]}\n");
  assert_near(s.chain->law.k[1], 2, 0);
  assert_int_equal(s.chain->law.distances, 1);
  assert_int_equal(s.chain->law.distance[0].balls[1], 2);
  pc_scene_free(&s);
}

static const struct {
  const char *text;
  int line;
  const char *word;
} bad[] = {
    {HEAD "balls: {masses: [1, -1, 1]}\n", 4, "must be positive"},
    {HEAD "balls: {masses: [1, 0, 1]}\n", 4, "must be positive"},
    {HEAD "balls: {masses: [1]}\n", 4, "at least two balls"},
    {HEAD "balls: {count: 1, mass: 1}\n", 4, "count"},
    {HEAD "balls: {}\n", 4, "balls must be given by one of 'masses', 'radii' and 'count'"},
    {HEAD "balls: {masses: [1, 1], count: 2}\n", 4,
     "balls must be given by one of 'masses', 'radii' and 'count'"},
    {HEAD "balls: {masses: [1, 1], taper: 0.1}\n", 4, "requires 'count'"},
    {HEAD "balls: {count: 3}\n", 4, "'mass' or 'radius'"},
    {HEAD "balls: {radii: [1, 1]}\n", 4, "density"},
    {HEAD "balls: {count: 9, mass: 1, taper: 1.5}\n", 4, "taper"},
    {HEAD "balls: {count: 9, mass: 1, taper: 0.1, decorated: 2}\n", 4,
     "'taper' and 'decorated' cannot be combined"},
    {HEAD "balls: {masses: [1, 1], positions: [0, 1]}\n", 4,
     "'positions' requires radii: give 'radii', or 'density'"},
    {HEAD "balls:\n  radii: [1, 1]\n  density: 1\n  positions:\n    - 0\n    - 1.5\n", 9,
     "balls 1 and 2 overlap"},
    {HEAD THREE "contacts: {restitution: 1.1}\n", 5, "must be at most"},
    {HEAD THREE "contacts: {restitution: [0.5, 2]}\n", 5, "must be at most"},
    {HEAD THREE "contacts: {restitution: [0.5]}\n", 5, "expected 2 numbers, got 1"},
    {HEAD THREE "contacts: {stiffness: 0}\n", 5, "must be positive"},
    {HEAD THREE "contacts: {stiffness: 1, young: 1}\n", 5,
     "'stiffness' and 'young' cannot be combined"},
    {HEAD THREE "contacts: {young: 2e11}\n", 5, "'young' requires radii"},
    {HEAD THREE "contacts: {gap: -1}\n", 5, "gap"},
    {HEAD THREE "contacts: {exponent: 0.5}\n", 5, "exponent"},
    {"kind: chain\nvelocity: [0, 1, 2]\nlaw: {kind: lzb}\n" THREE, 2, "there is no impact"},
    {"kind: chain\nvelocity: [0, 1, 2]\nlaw: {kind: lzb}\n" THREE, 2, "there is no impact"},
    {"kind: chain\nvelocity: [1, 0]\nlaw: {kind: lzb}\n" THREE, 2, "expected 3 numbers, got 2"},
    {"kind: chain\nvelocity: 1\n" THREE "law: {kind: lzp}\n", 4, "did you mean 'lzb'"},
    {"kind: chain\nvelocity: 1\n" THREE "law: {kind: lzb, order: left}\n", 4, "order"},
    {"kind: chain\nvelocity: 1\n" THREE "law: {kind: matrix}\n", 4, "matrix"},
    {"kind: chain\nvelocity: 1\n" THREE "law: {kind: matrix, matrix: [[1]]}\n", 4,
     "the restitution matrix must have one row per contact:"},
    {"kind: chain\nvelocity: 1\n" THREE
     "law: {kind: fremond, distances: [{balls: [1, 4], k: 1}]}\n",
     4, "no ball 4"},
    {HEAD THREE "press: 3\n", 3, "'hertz' and a 'duration'"},
    {"kind: chain\nlaw: {kind: lzb}\n" THREE, 1, "velocity"},
};

static void wrong_files_are_refused_with_their_line(void **state)
{
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    pc_scene scene;
    pc_error error = {.text = ""};
    char start[100];
    if (read_text(bad[i].text, &scene, &error) == PC_OK)
      fail_msg("accepted: %s", bad[i].text);
    snprintf(start, sizeof start, "%s:%d: ", in_folder("chain.yaml"), bad[i].line);
    if (strncmp(error.text, start, strlen(start)) != 0 || strstr(error.text, bad[i].word) == NULL)
      fail_msg("'%s' should start with '%s' and have '%s'", error.text, start, bad[i].word);
    assert_null(scene.chain);
  }
}

static void the_kind_of_a_file_is_seen(void **state)
{
  pc_scene s = read_good(HEAD THREE);
  pc_scene_free(&s);
  assert_true(pc_scene_is_of_kind(in_folder("chain.yaml"), "chain", NULL));
  pc_error error;
  read_text("kind: impact\n", &s, &error);
  assert_false(pc_scene_is_of_kind(in_folder("chain.yaml"), "chain", NULL));
  read_text("kind: [chain\n", &s, &error);
  assert_false(pc_scene_is_of_kind(in_folder("chain.yaml"), "chain", NULL));
  assert_false(pc_scene_is_of_kind("/nowhere/chain.yaml", "chain", NULL));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_follow_their_rule),
      cmocka_unit_test(hertz_stiffness_follows_from_radii),
      cmocka_unit_test(positions_become_gaps),
      cmocka_unit_test(a_law_is_read_with_all_it_has),
      cmocka_unit_test(wrong_files_are_refused_with_their_line),
      cmocka_unit_test(the_kind_of_a_file_is_seen),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
