// Signals, and the motion they give to driven obstacles.
#ifndef PERCUSS_RIGID_MOTION_H
#define PERCUSS_RIGID_MOTION_H

#include "percuss/world.h"

// The course of a driven body: its motion, where it starts, and where it is at the middle of the
// next step.
typedef struct pc_course {
  pc_motion motion;
  pc_body_state start; // at time 0
  pc_body_state next;
} pc_course;

bool pc_signal_copy(pc_signal *to, const pc_signal *from); // false: memory is out
void pc_signal_free(pc_signal *signal);

// What is wrong with a signal or a motion, or NULL.
const char *pc_signal_check(const pc_signal *signal);
const char *pc_motion_check(const pc_motion *motion);

// A course with copies of the tables of its motion, or NULL when memory is out.
pc_course *pc_course_create(const pc_motion *motion, const pc_body_state *start);
void pc_course_free(pc_course *course);
// The state of a driven body at a time; and at the middle of two times, with the mean velocities
// between them.
void pc_course_place(const pc_course *course, double time, pc_body_state *state);
void pc_course_place_between(const pc_course *course, double from, double to, pc_body_state *state);
// Whether a driven body in this state moves, in this step or the next.
bool pc_course_is_moving(const pc_course *course, const pc_body_state *state);

#endif
