// Errors that are about floors, goals and people: they are kept with the numbers of these objects,
// so that a caller can put names in their places.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/plain.h"
#include "crowd/crowd.h"
#include "rigid/world.h"

// Writes the pattern with the objects in their places. Without names, or where `name` leaves them,
// these are numbers.
static void write_out(const pc_crowd *crowd, pc_crowd_namer *name, void *context, char *text,
                      size_t size)
{
  static const char *const words[] = {"floor", "goal", "person"};
  char pattern[sizeof crowd->pattern]; // `name` may call the crowd, which notes another one
  const pc_crowd_subject subject = crowd->subject;
  size_t used = 0;
  text[0] = 0;
  memcpy(pattern, crowd->pattern, sizeof pattern);
  for (const char *at = pattern; *at != 0 && used + 1 < size; at++) {
    int object = *at == PC_ON_FLOOR[0]     ? PC_CROWD_FLOOR
                 : *at == PC_THE_GOAL[0]   ? PC_CROWD_GOAL
                 : *at == PC_THE_PERSON[0] ? PC_CROWD_PERSON
                                           : -1;
    char called[100];
    if (object < 0) {
      text[used++] = *at;
      text[used] = 0;
      continue;
    }
    snprintf(called, sizeof called, "%s %d", words[object], subject.id[object]);
    if (name != NULL)
      name(context, (pc_crowd_object)object, subject.id[object], called, sizeof called);
    bool floor = object == PC_CROWD_FLOOR && called[0] != 0;
    snprintf(text + used, size - used, "%s%s", floor ? " on " : "", called);
    used += strlen(text + used);
  }
}

pc_status pc_crowd_check(pc_crowd *crowd, pc_status status)
{
  return status == PC_OK ? PC_OK : pc_crowd_fail(crowd, status, "%s", pc_world_error(crowd->world));
}

pc_status pc_crowd_admit(pc_crowd *crowd)
{
  return crowd == NULL ? PC_ERROR_ARGUMENT : pc_crowd_check(crowd, pc_world_admit(crowd->world));
}

pc_status pc_crowd_fail_about(pc_crowd *crowd, int floor, int goal, int person, const char *format,
                              ...)
{
  char text[sizeof crowd->error.text];
  va_list arguments;
  va_start(arguments, format);
  pc_print_list(crowd->pattern, sizeof crowd->pattern, format, arguments);
  va_end(arguments);
  crowd->subject = (pc_crowd_subject){{floor, goal, person}};
  write_out(crowd, NULL, NULL, text, sizeof text);
  return pc_fail(&crowd->error, PC_ERROR_ARGUMENT, "%s", text);
}

// Whether the last error is the one that the pattern is of.
static bool has_subject(const pc_crowd *crowd)
{
  char text[sizeof crowd->error.text];
  write_out(crowd, NULL, NULL, text, sizeof text);
  return crowd->pattern[0] != 0 && strcmp(text, crowd->error.text) == 0;
}

pc_status pc_crowd_status(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return PC_ERROR_ARGUMENT;
  return crowd->error.status;
}

const char *pc_crowd_error(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return "the crowd must not be NULL";
  return crowd->error.text;
}

pc_crowd_subject pc_crowd_error_subject(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return (pc_crowd_subject){{-1, -1, -1}};
  return has_subject(crowd) ? crowd->subject : (pc_crowd_subject){{-1, -1, -1}};
}

void pc_crowd_explain(const pc_crowd *crowd, pc_crowd_namer *name, void *context, char *text,
                      size_t size)
{
  if (text == NULL || size == 0)
    return;
  text[0] = 0;
  if (crowd == NULL)
    return;
  if (has_subject(crowd))
    write_out(crowd, name, context, text, size);
  else
    snprintf(text, size, "%s", crowd->error.text);
}
