// A film, which ffmpeg makes of pictures.
#ifndef PERCUSS_APP_RENDER_FILM_H
#define PERCUSS_APP_RENDER_FILM_H

#include <sys/types.h>

#include "percuss/status.h"
#include "record/own.h"

typedef struct app_film {
  const char *output; // OUT.mp4 or OUT.webm
  pid_t process;
  int pictures; // the pipe to it
  char *temporary;
  int made; // the open temporary; -1: none
} app_film;
extern const pc_own app_film_own;

// Says on stderr that frames of a run, `spacing` s apart, are shown several times in a film whose
// pictures are `step` s apart.
void app_film_note(double spacing, double step);

pc_status app_film_start(app_film *f, const char *output, double fps, pc_error *error);
// Adds a picture, a PNG file.
pc_status app_film_add(app_film *f, const unsigned char *picture, size_t size, pc_error *error);
// Waits for ffmpeg, or stops it if `status` is a failure. The film gets its name only when it is
// complete.
pc_status app_film_end(app_film *f, pc_status status, pc_error *error);

#endif
