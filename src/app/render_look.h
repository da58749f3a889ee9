// Where `percuss render` looks from: the options of the camera, for the page.
#ifndef PERCUSS_APP_RENDER_LOOK_H
#define PERCUSS_APP_RENDER_LOOK_H

#include "core/json.h"

// Options as they were given; NULL: not.
typedef struct app_look_texts {
  const char *camera, *look_at, *zoom, *follow, *path;
} app_look_texts;

// Writes them as an object like an entry of `scene/views` (docs/run-format.md), in which the path
// may also be the name of one. Returns the exit status; complains of what is no number, and of a
// file that is no path. Names are checked by the page.
int app_write_look(const app_look_texts *texts, pc_json *json);

#endif
