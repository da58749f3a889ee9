#include "app/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"

app_progress app_progress_start(bool shown)
{
  return (app_progress){
      .shown = shown, .terminal = isatty(STDERR_FILENO) != 0, .last = pc_clock_seconds()};
}

bool app_progress_is_due(const app_progress *line)
{
  return line->shown && pc_clock_seconds() - line->last > (line->terminal ? 0.1 : 10);
}

void app_progress_draw(app_progress *line, double part, const char *text)
{
  char filled[32] = "", all[300];
  enum { BAR = 20 };
  const double every = 0.08, longest = 59; // a dozen lines in a log, and one each minute
  double now = line->last = pc_clock_seconds();
  if (!line->terminal && line->width > 0 && part < line->part + every &&
      now - line->written < longest)
    return;
  line->part = part;
  line->written = now;
  if (line->terminal) {
    memset(filled, '.', BAR);
    memset(filled, '#', (size_t)(part * BAR));
    filled[BAR] = ' ';
    filled[BAR + 1] = 0;
  }
  int length = snprintf(all, sizeof all, "%s%3.0f%%  %.200s", filled, floor(100 * part), text);
  if (line->terminal)
    fprintf(stderr, "\r%s%*s", all, length < line->width ? line->width - length : 0, "");
  else
    fprintf(stderr, "%s\n", all);
  line->width = length;
}

void app_progress_clear(const app_progress *line)
{
  if (line->terminal && line->width > 0)
    fprintf(stderr, "\r%*s\r", line->width, "");
}

void app_write_span(double seconds, char *text, size_t size)
{
  long s = (long)fmin(seconds + 0.5, 1e9);
  if (s < 60)
    snprintf(text, size, "%ld s", s);
  else if (s < 3600)
    snprintf(text, size, "%ld:%02ld min", s / 60, s % 60);
  else
    snprintf(text, size, "%ld:%02ld h", s / 3600, s / 60 % 60);
}
