// A line on stderr that tells how far a run is.
#ifndef PERCUSS_APP_PROGRESS_H
#define PERCUSS_APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct app_progress {
  bool shown, terminal;
  double last;          // clock, when it was last drawn
  int width;            // of what is on the screen
  double part, written; // done, and clock, of the last line that is not on a terminal
} app_progress;

app_progress app_progress_start(bool shown);
// Whether it is time to draw again: ten times a second on a terminal, else every ten seconds. Not
// on a terminal a line is left out unless a twelfth of the run was done, or a minute has passed,
// since the last one.
bool app_progress_is_due(const app_progress *line);
void app_progress_draw(app_progress *line, double part, const char *text); // a bar and the text
void app_progress_clear(const app_progress *line);

void app_write_span(double seconds, char *text, size_t size); // 1:05 min

#endif
