// Shared by the tests of crowds.
#ifndef PERCUSS_TESTS_CROWD_SUPPORT_H
#define PERCUSS_TESTS_CROWD_SUPPORT_H

#include <stdbool.h>
#include <string.h>

#include "crowd/crowd.h"
#include "support.h"

typedef double point[2];
#define POINTS(array) ((const double(*)[2])(array))

static inline void ok(const pc_crowd *crowd, pc_status status)
{
  if (status != PC_OK)
    fail_msg("%s", pc_crowd_error(crowd));
}

// A crowd with its first floor.
static inline pc_crowd *create_crowd(pc_crowd_def def)
{
  pc_crowd *crowd = pc_crowd_create(&def);
  assert_non_null(crowd);
  assert_int_equal(pc_crowd_add_floor(crowd), 0);
  return crowd;
}

static inline pc_crowd_def treated(pc_treatment treatment, bool first_order)
{
  pc_crowd_def def = pc_crowd_def_default();
  def.treatment = treatment;
  def.first_order = first_order;
  if (treatment == PC_POSITION_LEVEL)
    def.law.normal = def.wall_law.normal = (pc_normal_law){.kind = PC_NORMAL_INELASTIC};
  return def;
}

static inline pc_person_state person_of(const pc_crowd *crowd, int i)
{
  pc_person_state person;
  pc_crowd_person(crowd, i, &person);
  return person;
}

// A hall of 12 m by 6 m with an exit of 1 m in the middle of either side, and the nearest of both
// as a third goal. A door, unless it is NULL, is where it says, or at the left exit.
static inline pc_crowd *make_hall_of(pc_crowd_def def, const pc_door_def *door, int goals[3])
{
  pc_crowd *crowd = create_crowd(def);
  point top[] = {{0, 3.5}, {0, 6}, {12, 6}, {12, 3.5}},
        bottom[] = {{0, 2.5}, {0, 0}, {12, 0}, {12, 2.5}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(top)));
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(bottom)));
  goals[0] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{0, 2.5}, {0, 3.5}}});
  goals[1] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{12, 2.5}, {12, 3.5}}});
  goals[2] = pc_crowd_add_choice(crowd, 2, goals);
  assert_true(goals[2] >= 0);
  if (door != NULL) {
    point left[] = {{0, 2.5}, {0, 3.5}};
    pc_door_def own = *door;
    if (own.count == 0)
      own.count = 2, own.points = POINTS(left);
    assert_int_equal(pc_crowd_add_door(crowd, &own), 0);
  }
  ok(crowd, pc_crowd_finish(crowd));
  return crowd;
}

static inline pc_crowd *make_hall(double congestion, const pc_door_def *door, int goals[3])
{
  pc_crowd_def def = pc_crowd_def_default();
  def.congestion = congestion;
  return make_hall_of(def, door, goals);
}

// Columns of people 0.5 m apart, from the left.
static inline int fill(pc_crowd *crowd, int goal, int columns)
{
  for (int c = 0; c < columns; c++)
    for (int r = 0; r < 11; r++) {
      pc_person_def person = pc_person_def_default();
      person.goal = goal;
      person.position[0] = 0.5 + 0.5 * c;
      person.position[1] = 0.5 + 0.5 * r;
      if (pc_crowd_add_person(crowd, &person) < 0)
        fail_msg("%s", pc_crowd_error(crowd));
    }
  return 11 * columns;
}

#endif
