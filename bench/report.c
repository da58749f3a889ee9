#include "bench.h"

#include <stddef.h>

void bench_row(bench_context *context, const char *name, double size, double value,
               const char *unit)
{
  bench_row_remarked(context, name, size, value, unit, NULL);
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
