// Exits chosen by expected time.
#include "crowd_support.h"

static pc_crowd_def following(double choosing)
{
  pc_crowd_def def = pc_crowd_def_calibrated();
  def.choosing = choosing;
  return def;
}

static void leave(pc_crowd *crowd, double until)
{
  while (pc_crowd_inside(crowd) > 0 && pc_world_time(pc_crowd_world(crowd)) < until)
    ok(crowd, pc_crowd_step(crowd, 0.02));
}

static int count_exits(const pc_crowd *crowd, int exit)
{
  int count = 0;
  for (int i = 0; i < pc_crowd_people(crowd); i++)
    count += person_of(crowd, i).exit == exit;
  return count;
}

// One person 5 m from the left exit and 7 m from the right one, and n people who stand before the
// left one and walk to it. They need n / 1.9 s for its metre; the way to the right exit needs
// 7 / 1.34 = 5.2 s. Equal at 10 people.
static void queues_count_by_measured_flows(void **state)
{
  for (int n = 0; n <= 16; n++) {
    int goals[3];
    pc_crowd *crowd = make_hall_of(following(1), NULL, goals);
    pc_person_def person = pc_person_def_default();
    person.goal = goals[0];
    for (int i = 0; i < n; i++) {
      person.position[0] = 0.4 + 0.5 * (i / 4);
      person.position[1] = 2.25 + 0.5 * (i % 4);
      assert_true(pc_crowd_add_person(crowd, &person) >= 0);
    }
    person.goal = goals[2];
    person.position[0] = 5;
    person.position[1] = 3;
    int alone = pc_crowd_add_person(crowd, &person);
    ok(crowd, pc_crowd_step(crowd, 0.01));
    pc_person_state seen = person_of(crowd, alone);
    assert_int_equal(seen.goal, goals[2]);
    if (n < 9)
      assert_int_equal(seen.heads_for, goals[0]);
    if (n > 11)
      assert_int_equal(seen.heads_for, goals[1]);
    pc_crowd_destroy(crowd);
  }
}

// All begin in the left part. Both exits pass 1.9 people per second; those who take the right one
// arrive about 6 s later. Both are busy to the end, so of N people (N - 6 x 1.9) / 2 take it.
static void two_exits_share_a_crowd(void **state)
{
  int goals[3], right[2];
  double last[2];
  for (int round = 0; round < 2; round++) {
    pc_crowd *crowd = make_hall_of(following(round), NULL, goals);
    int people = fill(crowd, goals[2], 10);
    leave(crowd, 200);
    assert_int_equal(pc_crowd_inside(crowd), 0);
    last[round] = pc_world_time(pc_crowd_world(crowd));
    right[round] = count_exits(crowd, goals[1]);
    if (round == 1)
      assert_near(right[1], 0.5 * (people - 6 * 1.9), 0.08 * people);
    pc_crowd_destroy(crowd);
  }
  assert_int_equal(right[0], 0);
  if (!(last[1] < 0.65 * last[0]))
    fail_msg("%g s with a choice, %g s without", last[1], last[0]);
}

// A near exit of 0.8 m and one of 2.4 m across the hall, three times as far away: most take the
// wide one, and nobody goes back and forth.
static void narrow_exits_hand_people_on(void **state)
{
  int goals[3], turns = 0;
  pc_crowd *crowd = create_crowd(following(1));
  point top[] = {{0, 3.4}, {0, 6}, {16, 6}, {16, 4.2}},
        bottom[] = {{0, 2.6}, {0, 0}, {16, 0}, {16, 1.8}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(top)));
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(bottom)));
  goals[0] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{0, 2.6}, {0, 3.4}}});
  goals[1] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{16, 1.8}, {16, 4.2}}});
  goals[2] = pc_crowd_add_choice(crowd, 2, goals);
  ok(crowd, pc_crowd_finish(crowd));
  int people = fill(crowd, goals[2], 8), *heads = calloc((size_t)people, sizeof *heads);
  assert_non_null(heads);
  while (pc_crowd_inside(crowd) > 0 && pc_world_time(pc_crowd_world(crowd)) < 100) {
    ok(crowd, pc_crowd_step(crowd, 0.02));
    for (int i = 0; i < people; i++) {
      int now = person_of(crowd, i).heads_for;
      turns += heads[i] != 0 && now != heads[i] - 1;
      heads[i] = now + 1;
    }
  }
  int wide = count_exits(crowd, goals[1]);
  assert_int_equal(pc_crowd_inside(crowd), 0);
  if (!(wide > 0.55 * people && wide < 0.9 * people))
    fail_msg("%d of %d take the wide exit", wide, people);
  if (turns > people / 2)
    fail_msg("%d people changed their minds %d times", people, turns);
  free(heads);
  pc_crowd_destroy(crowd);
}

// The leader's exit is that of those who hold hands, also where theirs would be faster.
static void hands_stay_together(void **state)
{
  int goals[3];
  pc_crowd *crowd = make_hall_of(following(1), NULL, goals);
  pc_person_def person = pc_person_def_default();
  person.goal = goals[2];
  for (int i = 0; i < 4; i++) {
    person.position[0] = 5.3 + 0.5 * i;
    person.position[1] = 3;
    assert_int_equal(pc_crowd_add_person(crowd, &person), i);
  }
  for (int i = 3; i > 0; i--)
    assert_true(pc_crowd_add_hands(crowd, i, i - 1, 1000) >= 0);
  for (int k = 0; k < 3; k++)
    ok(crowd, pc_crowd_step(crowd, 0.5 / 3));
  for (int i = 0; i < 120; i++)
    ok(crowd, pc_crowd_step(crowd, 0.01));
  for (int i = 0; i < 4; i++)
    assert_int_equal(person_of(crowd, i).heads_for, goals[0]);
  pc_crowd_destroy(crowd);
}

// Saved and loaded between two looks, and with other threads: the same to the bit.
static void choices_go_on_after_loading(void **state)
{
  int goals[3];
  pc_crowd_def def = following(0.5);
  pc_crowd *one = make_hall_of(def, NULL, goals);
  def.threads = 3;
  pc_crowd *two = make_hall_of(def, NULL, goals);
  int people = fill(one, goals[2], 9);
  fill(two, goals[2], 9);
  for (int k = 0; k < 220; k++)
    ok(one, pc_crowd_step(one, 0.01));
  size_t size = pc_crowd_save(one, NULL, 0);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  assert_int_equal(pc_crowd_save(one, bytes, size), size);
  ok(two, pc_crowd_load(two, bytes, size));
  for (int k = 0; k < 300; k++) {
    ok(one, pc_crowd_step(one, 0.01));
    ok(two, pc_crowd_step(two, 0.01));
  }
  for (int i = 0; i < people; i++) {
    pc_person_state a = person_of(one, i), b = person_of(two, i);
    assert_memory_equal(a.position, b.position, sizeof a.position);
    assert_int_equal(a.heads_for, b.heads_for);
  }
  free(bytes);
  pc_crowd_destroy(one);
  pc_crowd_destroy(two);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(queues_count_by_measured_flows), cmocka_unit_test(two_exits_share_a_crowd),
      cmocka_unit_test(narrow_exits_hand_people_on),    cmocka_unit_test(hands_stay_together),
      cmocka_unit_test(choices_go_on_after_loading),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
