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

#endif
