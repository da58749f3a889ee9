// The broad phase against all pairs tried one by one.
#include "support.h"

#include <stdbool.h>

#include "geometry/broad.h"

enum { MOST = 1200 };

typedef struct scene {
  int count;
  double box[MOST][6];
  unsigned char fixed[MOST];
  bool any_fixed;
  uint32_t group[MOST];
} scene;

static void compare_around(const pc_broad *broad, const scene *s, const double box[6],
                           uint32_t group, pc_box_list *around);

typedef int pair[2];
typedef PC_ARRAY(pair) pair_list;

static bool is_valid(const double b[6])
{
  return b[0] <= b[3] && b[1] <= b[4] && b[2] <= b[5];
}

// The oracle: all pairs tried one by one.
static void find_pairs(const scene *s, const unsigned char *fixed, bool grouped, pair_list *pairs)
{
  pairs->count = 0;
  for (int i = 0; i < s->count; i++)
    for (int j = i + 1; j < s->count; j++) {
      if (!is_valid(s->box[i]) || !is_valid(s->box[j]) || !pc_boxes_overlap(s->box[i], s->box[j]))
        continue;
      if (fixed != NULL &&
          ((fixed[i] && fixed[j]) || fixed[i] == PC_BOX_ABSENT || fixed[j] == PC_BOX_ABSENT))
        continue;
      if (grouped && s->group[i] != 0 && s->group[i] == s->group[j])
        continue;
      pair *found = pc_array_add(pairs);
      assert_non_null(found);
      (*found)[0] = i, (*found)[1] = j;
    }
}

static int compare_groups(pc_broad *broad, pair_list *oracle, const scene *s, bool grouped)
{
  const int(*got)[2];
  int got_count;
  const unsigned char *fixed = s->any_fixed ? s->fixed : NULL;
  const pc_boxes boxes = {s->count, s->box, fixed, grouped ? s->group : NULL, 0};
  find_pairs(s, fixed, grouped, oracle);
  const int want_count = oracle->count;
  for (int threads = 1; threads <= 3; threads++) {
    assert_int_equal(pc_broad_pairs(broad, threads, &boxes, &got, &got_count), PC_OK);
    assert_int_equal(got_count, want_count);
    if (want_count > 0)
      assert_memory_equal(got, oracle->at, (size_t)want_count * sizeof *got);
  }
  pc_box_list around = {0};
  for (int i = 0; i < s->count; i += 1 + s->count / 20) {
    double box[6];
    for (int k = 0; k < 6; k++) // shifted by a part of its size
      box[k] = s->box[i][k] + 0.4 * (s->box[i][3 + k % 3] - s->box[i][k % 3]);
    compare_around(broad, s, box, grouped ? s->group[i] : 0, &around);
  }
  free(around.at);
  return want_count;
}

// Without groups, with a few, and with many of which most boxes are.
static int compare_threads(pc_broad *broad, pair_list *oracle, scene *s)
{
  uint32_t many = (uint32_t)s->count / 4 + 1;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < s->count; i++) {
      uint32_t mixed = (uint32_t)i * 2654435761u;
      s->group[i] = k == 0 ? (mixed >> 20) % 3 : mixed % 3 == 0 ? 0 : UINT32_MAX - mixed % many;
    }
    compare_groups(broad, oracle, s, true);
  }
  return compare_groups(broad, oracle, s, false);
}

// Boxes around another one: all that overlap it, and those there are, once.
static void compare_around(const pc_broad *broad, const scene *s, const double box[6],
                           uint32_t group, pc_box_list *around)
{
  unsigned char found[MOST] = {0};
  if (!pc_broad_around(broad, box, group, around)) {
    assert_true(s->count <= 48 || !(box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5]));
    return;
  }
  for (int k = 0; k < around->count; k++) {
    assert_in_range(around->at[k], 0, s->count - 1);
    assert_false(found[around->at[k]]);
    found[around->at[k]] = 1;
  }
  for (int i = 0; i < s->count; i++) {
    const double *b = s->box[i];
    bool there = !s->any_fixed || s->fixed[i] != PC_BOX_ABSENT, overlap = there;
    for (int k = 0; k < 3; k++)
      overlap = overlap && b[k] <= b[3 + k] && b[k] <= box[3 + k] && box[k] <= b[3 + k];
    if (overlap && !(group != 0 && s->group[i] == group))
      assert_true(found[i]);
  }
}

static void set_box(scene *s, int i, const double centre[3], const double half[3])
{
  for (int axis = 0; axis < 3; axis++) {
    s->box[i][axis] = centre[axis] - half[axis];
    s->box[i][3 + axis] = centre[axis] + half[axis];
  }
}

// Boxes in a cube of `span` about `middle`, half sides `size` over 1 .. `ratio`, evenly in its
// logarithm; cubes or not.
static void fill(scene *s, int count, double span, double middle, double size, double ratio,
                 bool cubes, pc_random *random)
{
  *s = (scene){.count = count};
  for (int i = 0; i < count; i++) {
    double centre[3], half[3], first = size * pow(ratio, pc_random_uniform(random, -1, 0));
    for (int axis = 0; axis < 3; axis++) {
      centre[axis] = middle + span * pc_random_uniform(random, -0.5, 0.5);
      half[axis] = cubes ? first : size * pow(ratio, pc_random_uniform(random, -1, 0));
    }
    set_box(s, i, centre, half);
  }
}

static void fix_some(scene *s, double share, pc_random *random)
{
  s->any_fixed = true;
  for (int i = 0; i < s->count; i++)
    s->fixed[i] = pc_random_uniform(random, 0, 1) >= share ? PC_BOX_MOVES
                  : pc_random_uniform(random, 0, 1) < 0.9  ? PC_BOX_FIXED
                                                           : PC_BOX_ABSENT;
}

// Every kind of scene, of which `kind` is one.
enum {
  EQUAL,
  SPREAD,
  SPREAD_MORE,
  FLAT_SIDES,
  CLUSTERS,
  PLANAR,
  POINTS,
  POINTS_AND_BOXES,
  SAME_PLACE,
  LATTICE,
  FAR_AND_SMALL,
  FLOWN_AWAY,
  WITH_INFINITE,
  WITH_NAN,
  HUGE_NUMBERS,
  KINDS
};

static void make(scene *s, int kind, int count, pc_random *random)
{
  double span = cbrt(count);
  double zero[3] = {0}, unit[3] = {0.5, 0.5, 0.5};
  fill(s, count, span, 0, 0.5, 1, true, random);
  switch (kind) {
  case SPREAD:
    fill(s, count, span, 0, 1, 100, true, random);
    break;
  case SPREAD_MORE:
    fill(s, count, span, 3, 2, 1000, true, random);
    break;
  case FLAT_SIDES:
    fill(s, count, span, 0, 2, 1000, false, random);
    break;
  case CLUSTERS:
    for (int i = 0; i < count; i++) {
      double centre[3];
      for (int axis = 0; axis < 3; axis++)
        centre[axis] = 1e4 * (i % 7 - 3) * (axis + 1) + pc_random_normal(random);
      for (int axis = 0; axis < 3; axis++)
        unit[axis] = 0.05 * (1 + i % 3);
      set_box(s, i, centre, unit);
    }
    break;
  case PLANAR:
    fill(s, count, sqrt(count), 0, 0.7, 4, true, random);
    for (int i = 0; i < count; i++)
      s->box[i][2] = s->box[i][5] = 0;
    break;
  case POINTS:
  case POINTS_AND_BOXES:
    for (int i = 0; i < count; i++)
      for (int axis = 0; axis < 3; axis++)
        if (kind == POINTS || i % 2) {
          s->box[i][axis] = s->box[i][3 + axis] = pc_random_below(random, 8);
        }
    break;
  case SAME_PLACE:
    s->count = count = count > 200 ? 200 : count;
    for (int i = 0; i < count; i++)
      set_box(s, i, zero, unit);
    break;
  case LATTICE: // faces, edges and corners that touch exactly
    for (int i = 0; i < count; i++) {
      double centre[3] = {i % 10 - 5, i / 10 % 10, i / 100};
      set_box(s, i, centre, unit);
    }
    break;
  case FAR_AND_SMALL:
    fill(s, count, 0.003 * span, 1e6, 1e-3, 3, true, random);
    for (int i = 0; i < count; i += 2)
      for (int k = 0; k < 6; k++)
        s->box[i][k] -= 2e6;
    break;
  case FLOWN_AWAY:
    for (int k = 0; k < 6; k++) {
      s->box[0][k] += 1e15;
      s->box[count - 1][k] -= k % 3 == 1 ? 1e200 : 0;
      s->box[count / 2][k] += 1e15;
    }
    break;
  case WITH_INFINITE:
    for (int i = 0; i < count; i += 37)
      for (int k = 0; k < 6; k++)
        if (pc_random_below(random, 2))
          s->box[i][k] = k < 3 ? -INFINITY : INFINITY;
    for (int k = 0; k < 6; k++)
      s->box[count / 3][k] = INFINITY;
    for (int k = 0; k < 3; k++) { // a terrain
      s->box[count / 2][k] = -1e5;
      s->box[count / 2][3 + k] = 1e5;
    }
    break;
  case WITH_NAN:
    for (int i = 0; i < count; i += 5)
      s->box[i][pc_random_below(random, 6)] = NAN;
    for (int k = 0; k < 6; k++)
      s->box[count / 2][k] = NAN;
    s->box[count / 3][0] += 100; // inside out
    break;
  case HUGE_NUMBERS:
    for (int i = 0; i < count; i++) {
      int power = pc_random_below(random, 600) - 300;
      for (int k = 0; k < 6; k++)
        s->box[i][k] *= pow(10, power);
    }
    break;
  default:
    break;
  }
}

static void gives_the_pairs_of_the_oracle(void **state)
{
  pc_random random = test_random("broad");
  pc_broad *broad = pc_broad_create();
  pair_list oracle = {0};
  scene *s = malloc(sizeof *s);
  assert_non_null(broad);
  assert_non_null(s);
  long found[KINDS] = {0};
  int rounds = test_count(12);
  for (int n = 0; n < rounds; n++)
    for (int kind = 0; kind < KINDS; kind++) {
      make(s, kind, 3 + pc_random_below(&random, MOST - 3), &random);
      if (n % 3 > 0)
        fix_some(s, n % 3 == 1 ? 0.3 : 0.9, &random);
      found[kind] += compare_threads(broad, &oracle, s);
    }
  for (int kind = 0; kind < KINDS; kind++)
    assert_true(found[kind] > 0); // something was compared
  free(s);
  pc_broad_destroy(broad);
  pc_array_free(&oracle);
}

// The pieces of several workers are only cut from many boxes: lists as long as that, compared with
// the answer of one thread, which is compared with the oracle above.
static void threads_do_not_show(void **state)
{
  pc_random random = test_random("threads");
  enum { COUNT = 20000 };
  double(*box)[6] = malloc(COUNT * sizeof *box);
  unsigned char *fixed = malloc(COUNT);
  pc_broad *one = pc_broad_create(), *many = pc_broad_create();
  assert_true(box != NULL && fixed != NULL && one != NULL && many != NULL);
  for (int n = 0; n < 4; n++) {
    for (int i = 0; i < COUNT; i++) {
      double half = n % 2 ? pow(100, pc_random_uniform(&random, -1, 0)) : 0.5;
      fixed[i] = n > 1 && i % 3 == 0;
      for (int axis = 0; axis < 3; axis++) {
        double x = pc_random_uniform(&random, 0, 25);
        box[i][axis] = x - half;
        box[i][3 + axis] = x + half;
      }
    }
    for (int k = 0; k < 3; k++) { // a floor
      box[77][k] = k < 2 ? -INFINITY : -1;
      box[77][3 + k] = k < 2 ? INFINITY : 1;
    }
    const int(*want)[2], (*got)[2];
    int want_count, got_count;
    const pc_boxes boxes = {COUNT, (const double(*)[6])box, fixed, NULL, 0};
    pc_broad_pairs(one, 1, &boxes, &want, &want_count);
    assert_true(want_count > COUNT);
    for (int threads = 2; threads <= 7; threads++) {
      pc_broad_pairs(many, threads, &boxes, &got, &got_count);
      assert_int_equal(got_count, want_count);
      assert_memory_equal(got, want, (size_t)want_count * sizeof *want);
    }
  }
  pc_broad_destroy(one);
  pc_broad_destroy(many);
  free(box);
  free(fixed);
}

// Many fixed pieces in one place must not be tried against each other: with pairs tried one by one
// this test would take minutes.
static void fixed_pieces_cost_nothing(void **state)
{
  enum { COUNT = 300000 };
  double(*box)[6] = malloc(COUNT * sizeof *box);
  unsigned char *fixed = malloc(COUNT);
  pc_broad *broad = pc_broad_create();
  assert_true(box != NULL && fixed != NULL && broad != NULL);
  for (int i = 0; i < COUNT; i++) {
    fixed[i] = i > 0;
    for (int k = 0; k < 6; k++)
      box[i][k] = k < 3 ? -1 : 1;
  }
  const int(*pairs)[2];
  int count;
  const pc_boxes boxes = {COUNT, (const double(*)[6])box, fixed, NULL, 0};
  assert_int_equal(pc_broad_pairs(broad, 1, &boxes, &pairs, &count), PC_OK);
  assert_int_equal(count, COUNT - 1);
  for (int p = 0; p < count; p++)
    assert_true(pairs[p][0] == 0 && pairs[p][1] == p + 1);
  pc_broad_destroy(broad);
  free(box);
  free(fixed);
}

// Pairs tested of so many boxes, all in one place: of one group, in some groups a few of each, or
// with boxes without bounds.
typedef enum crowding { ONE_GROUP, GROUPS, INFINITE } crowding;
static long tests_of(pc_broad *broad, int count, crowding how)
{
  double(*box)[6] = malloc((size_t)count * sizeof *box);
  unsigned char *fixed = malloc((size_t)count);
  uint32_t *group = malloc((size_t)count * sizeof *group);
  assert_true(box != NULL && fixed != NULL && group != NULL);
  for (int i = 0; i < count; i++) {
    bool infinite = how == INFINITE && i % 16 != 0;
    group[i] = how == GROUPS && i < 4 ? (uint32_t)i : 7;
    fixed[i] = how == INFINITE && i > 0;
    for (int k = 0; k < 6; k++)
      box[i][k] = (k < 3 ? -1 : 1) * (infinite ? INFINITY : 1);
  }
  const int(*pairs)[2];
  int found;
  const pc_boxes boxes = {count, (const double(*)[6])box, fixed, group, 4L * count};
  assert_int_equal(pc_broad_pairs(broad, 2, &boxes, &pairs, &found), PC_OK);
  assert_int_equal(found, how == GROUPS ? 6 + 4 * (count - 4) : 0);
  free(box);
  free(fixed);
  free(group);
  return pc_broad_tests(broad);
}

// What cannot collide is not tried: tests grow as the number of boxes does.
static void what_cannot_meet_costs_nothing(void **state)
{
  pc_broad *broad = pc_broad_create();
  assert_non_null(broad);
  for (crowding how = ONE_GROUP; how <= INFINITE; how++) {
    long once = tests_of(broad, 20000, how), twice = tests_of(broad, 40000, how);
    assert_true(twice <= 2.1 * (double)once + 1000);
  }
  pc_broad_destroy(broad);
}

// More pairs than asked for are not stored, whatever finds them.
static void too_many_pairs_are_refused(void **state)
{
  enum { COUNT = 3000 };
  double(*box)[6] = malloc(COUNT * sizeof *box);
  pc_broad *broad = pc_broad_create();
  assert_true(box != NULL && broad != NULL);
  for (int large = 0; large < 2; large++) {
    for (int i = 0; i < COUNT; i++)
      for (int k = 0; k < 6; k++)
        box[i][k] = (k < 3 ? -1 : 1) * (large ? INFINITY : 1);
    for (int threads = 1; threads <= 3; threads++) {
      const int all = COUNT * (COUNT - 1) / 2;
      const int(*pairs)[2];
      int count;
      pc_boxes boxes = {.count = COUNT, .box = (const double(*)[6])box, .most = all};
      assert_int_equal(pc_broad_pairs(broad, threads, &boxes, &pairs, &count), PC_OK);
      assert_int_equal(count, all);
      boxes.most = all - 1;
      assert_int_equal(pc_broad_pairs(broad, threads, &boxes, &pairs, &count), PC_ERROR_ARGUMENT);
      boxes.most = COUNT;
      assert_int_equal(pc_broad_pairs(broad, threads, &boxes, &pairs, &count), PC_ERROR_ARGUMENT);
    }
  }
  pc_broad_destroy(broad);
  free(box);
}

static void none_and_one(void **state)
{
  pc_broad *broad = pc_broad_create();
  const int(*pairs)[2];
  int count = -1;
  assert_int_equal(pc_broad_pairs(broad, 2, &(pc_boxes){0}, &pairs, &count), PC_OK);
  assert_int_equal(count, 0);
  const double box[2][6] = {{0, 0, 0, 1, 1, 1}, {1, 1, 1, 2, 2, 2}};
  pc_boxes boxes = {1, box, NULL, NULL, 0};
  assert_int_equal(pc_broad_pairs(broad, 2, &boxes, &pairs, &count), PC_OK);
  assert_int_equal(count, 0);
  boxes.count = 2;
  assert_int_equal(pc_broad_pairs(broad, 2, &boxes, &pairs, &count), PC_OK);
  assert_int_equal(count, 1); // corners touch
  assert_true(pairs[0][0] == 0 && pairs[0][1] == 1);
  pc_broad_destroy(broad);
  pc_broad_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gives_the_pairs_of_the_oracle),
      cmocka_unit_test(threads_do_not_show),
      cmocka_unit_test(fixed_pieces_cost_nothing),
      cmocka_unit_test(what_cannot_meet_costs_nothing),
      cmocka_unit_test(too_many_pairs_are_refused),
      cmocka_unit_test(none_and_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
