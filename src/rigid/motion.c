// Signals, and the motion they give to obstacles.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/small.h"
#include "geometry/pose.h"
#include "rigid/motion.h"

// Integral of a table from its first time to t; constant outside.
static double table_integral(const pc_signal *s, double t)
{
  double sum = 0;
  if (t < s->times[0])
    return s->values[0] * (t - s->times[0]);
  for (int i = 0; i + 1 < s->count; i++) {
    double begin = s->times[i], end = s->times[i + 1], v = s->values[i], w = s->values[i + 1];
    if (t < end) {
      double part = (t - begin) / (end - begin);
      return sum + (t - begin) * (v + 0.5 * part * (w - v));
    }
    sum += 0.5 * (v + w) * (end - begin);
  }
  return sum + s->values[s->count - 1] * (t - s->times[s->count - 1]);
}

static double table_value(const pc_signal *s, double t)
{
  if (t <= s->times[0])
    return s->values[0];
  for (int i = 0; i + 1 < s->count; i++)
    if (t < s->times[i + 1])
      return s->values[i] + (s->values[i + 1] - s->values[i]) * (t - s->times[i]) /
                                (s->times[i + 1] - s->times[i]);
  return s->values[s->count - 1];
}

double pc_signal_value(const pc_signal *signal, double time)
{
  if (signal == NULL)
    return 0;
  const double turn = 6.283185307179586;
  switch (signal->kind) {
  case PC_SIGNAL_RATE:
    return signal->rate * time;
  case PC_SIGNAL_SINE:
    return signal->amplitude *
           (pc_sin(turn * signal->frequency * time + signal->phase) - pc_sin(signal->phase));
  case PC_SIGNAL_TABLE:
    if (signal->count < 1 || signal->times == NULL || signal->values == NULL)
      return 0;
    return signal->of_speed ? table_integral(signal, time) - table_integral(signal, 0)
                            : table_value(signal, time);
  default:
    return 0;
  }
}

bool pc_signal_copy(pc_signal *to, const pc_signal *from)
{
  *to = *from;
  if (from->kind != PC_SIGNAL_TABLE || from->count < 1) {
    to->times = to->values = NULL;
    return true;
  }
  size_t size = sizeof(double) * (size_t)from->count;
  double *both = malloc(2 * size); // times, then values
  to->times = both;
  to->values = both == NULL ? NULL : both + from->count;
  if (both == NULL)
    return false;
  memcpy(both, from->times, size);
  memcpy(both + from->count, from->values, size);
  return true;
}

void pc_signal_free(pc_signal *signal)
{
  free((void *)signal->times);
  signal->times = signal->values = NULL;
}

const char *pc_signal_check(const pc_signal *signal)
{
  if (signal->kind < PC_SIGNAL_NONE || signal->kind > PC_SIGNAL_TABLE)
    return "unknown kind of signal";
  if (signal->kind == PC_SIGNAL_TABLE && signal->count > 0 &&
      (signal->times == NULL || signal->values == NULL))
    return "a table needs times and values";
  if (signal->kind == PC_SIGNAL_RATE && !isfinite(signal->rate))
    return "a rate must be finite";
  if (signal->kind == PC_SIGNAL_SINE &&
      !(isfinite(signal->amplitude) && isfinite(signal->frequency) && isfinite(signal->phase)))
    return "the parameters of a sine must be finite";
  for (int i = 0; signal->kind == PC_SIGNAL_TABLE && i < signal->count; i++)
    if (!isfinite(signal->times[i]) || !isfinite(signal->values[i]) ||
        (i > 0 && !(signal->times[i] > signal->times[i - 1])))
      return "a table must have finite values at increasing times";
  return NULL;
}

const char *pc_motion_check(const pc_motion *motion)
{
  const char *why = pc_signal_check(&motion->rotation);
  for (int i = 0; i < 3 && why == NULL; i++)
    why = pc_signal_check(&motion->translation[i]);
  double length = pc_norm(3, motion->axis);
  if (why == NULL && motion->rotation.kind != PC_SIGNAL_NONE &&
      (!(length > 0) || !isfinite(length)))
    why = "the axis must not be zero";
  return why;
}

void pc_course_free(pc_course *course)
{
  if (course == NULL)
    return;
  pc_signal_free(&course->motion.rotation);
  for (int i = 0; i < 3; i++)
    pc_signal_free(&course->motion.translation[i]);
  free(course);
}

pc_course *pc_course_create(const pc_motion *motion, const pc_body_state *start)
{
  pc_course *course = calloc(1, sizeof *course);
  if (course == NULL)
    return NULL;
  course->motion = *motion;
  course->start = *start;
  double length = motion->rotation.kind != PC_SIGNAL_NONE ? pc_norm(3, motion->axis) : 1;
  for (int i = 0; i < 3; i++)
    course->motion.axis[i] /= length;
  bool kept = pc_signal_copy(&course->motion.rotation, &motion->rotation);
  for (int i = 0; i < 3; i++)
    kept = pc_signal_copy(&course->motion.translation[i], &motion->translation[i]) && kept;
  if (kept)
    return course;
  pc_course_free(course);
  return NULL;
}

void pc_course_place(const pc_course *course, double time, pc_body_state *state)
{
  const pc_motion *motion = &course->motion;
  *state = course->start;
  if (motion->rotation.kind != PC_SIGNAL_NONE) {
    double angle = pc_signal_value(&motion->rotation, time), turn[3], q[4], m[9], arm[3], turned[3];
    for (int i = 0; i < 3; i++) {
      turn[i] = angle * motion->axis[i];
      arm[i] = course->start.position[i] - motion->centre[i];
    }
    pc_quaternion_exp(turn, q);
    pc_quaternion_matrix(q, m);
    pc_rotate(m, arm, turned);
    for (int i = 0; i < 3; i++)
      state->position[i] = motion->centre[i] + turned[i];
    pc_quaternion_multiply(q, course->start.orientation, state->orientation);
    pc_quaternion_normalise(state->orientation);
  }
  for (int i = 0; i < 3; i++)
    state->position[i] += pc_signal_value(&motion->translation[i], time);
}

// With the mean velocity, contacts get the displacement that the obstacle really makes.
void pc_course_place_between(const pc_course *course, double from, double to, pc_body_state *state)
{
  pc_body_state a, b;
  pc_course_place(course, from, &a);
  pc_course_place(course, to, &b);
  pc_course_place(course, 0.5 * (from + to), state);
  double rate = (pc_signal_value(&course->motion.rotation, to) -
                 pc_signal_value(&course->motion.rotation, from)) /
                (to - from);
  for (int i = 0; i < 3; i++) {
    state->velocity[i] = (b.position[i] - a.position[i]) / (to - from);
    state->spin[i] = rate * course->motion.axis[i];
  }
}

bool pc_course_is_moving(const pc_course *course, const pc_body_state *state)
{
  const pc_body_state *next = &course->next;
  for (int k = 0; k < 3; k++)
    if (state->velocity[k] != 0 || state->spin[k] != 0 || next->position[k] != state->position[k])
      return true;
  return memcmp(next->orientation, state->orientation, sizeof next->orientation) != 0;
}
