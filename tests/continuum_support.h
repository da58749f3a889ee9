// Continuum scenes from a format, and their motions.
#ifndef PERCUSS_TESTS_CONTINUUM_SUPPORT_H
#define PERCUSS_TESTS_CONTINUUM_SUPPORT_H

#include "support.h"

#include "percuss/percuss.h"
#include "trial.h"

static inline pc_scene read_scene(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline pc_scene read_scene(const char *format, ...)
{
  char text[2000];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return read_good(text);
}

static inline pc_continuum_motion *start(const pc_scene *scene)
{
  pc_error error = {.text = ""};
  pc_continuum_motion *motion = pc_continuum_motion_create(scene->continuum, &error);
  if (motion == NULL)
    fail_msg("%s", error.text);
  return motion;
}

#endif
