#include "bench.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

void bench_row(bench_context *context, const char *name, double size, double value,
               const char *unit)
{
  bench_row_remarked(context, name, size, value, unit, NULL);
}

void bench_row_named(bench_context *context, double size, double value, const char *unit,
                     const char *format, ...)
{
  char name[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(name, sizeof name, format, arguments);
  va_end(arguments);
  bench_row(context, name, size, value, unit);
}

void bench_row_remarked(bench_context *context, const char *name, double size, double value,
                        const char *unit, const char *remark)
{
  bench_value row = {name, size, value, unit, remark};
  context->show_row(context->shown_by, &row);
}

void bench_note(bench_context *context, const char *text)
{
  context->show_note(context->shown_by, text);
}

void bench_progress(bench_context *context, const char *text)
{
  context->show_progress(context->shown_by, text);
}

void bench_failed(bench_context *context, const char *text)
{
  context->show_note(context->shown_by, text);
  context->failed = true;
}

bool bench_read_scene(bench_context *context, const char *name, pc_scene *scene)
{
  char folder[1024], path[1100];
  pc_error error;
  if (!pc_scene_folder(folder, sizeof folder)) {
    bench_failed(context, "the ready scenes are not found: run it in their parent folder");
    return false;
  }
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (pc_scene_read(path, scene, &error) == PC_OK)
    return true;
  bench_failed(context, error.text);
  return false;
}
