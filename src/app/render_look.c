#include "app/render_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "core/file.h"
#include "record/csv.h"
#include "scene/text.h"

// `least` to 3 numbers with commas between them; how many, or 0.
static int read_place(const char *text, int least, double place[3])
{
  int count = 0;
  bool more = true;
  for (const char *at = text; more; at++) {
    char one[64];
    size_t length = strcspn(at, ",");
    if (count == 3 || length >= sizeof one)
      return 0;
    memcpy(one, at, length);
    one[length] = 0;
    if (length == 0 || !app_read_number(one, &place[count++]))
      return 0;
    at += length;
    more = *at == ',';
  }
  return count >= least ? count : 0;
}

static bool is_same_place(const double a[3], const double b[3])
{
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Rows of time, position and what is looked at.
static int write_path_file(const char *path, pc_json *json)
{
  pc_csv_column columns[] = {{.name = "time"},  {.name = "x"},      {.name = "y"},
                             {.name = "z"},     {.name = "look_x"}, {.name = "look_y"},
                             {.name = "look_z"}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  double *values = NULL;
  long rows = 0;
  pc_error error = {.status = PC_OK};
  if (pc_csv_read(path, COLUMNS, columns, &values, &rows, &error) != PC_OK)
    return app_complain_error(&error, "percuss render");
  int result = rows > 0 ? APP_OK
                        : app_complain("percuss render: --camera-path: %s has no rows",
                                       pc_text_path(path).text);
  pc_json_open(json, '[');
  for (long i = 0; i < rows && result == APP_OK; i++) {
    const double *row = values + i * COLUMNS;
    bool finite = true;
    for (int c = 0; c < COLUMNS; c++)
      finite = finite && isfinite(row[c]);
    if (!finite)
      result = app_complain("%s:%ld: numbers must be finite", pc_text_path(path).text, i + 2);
    else if (i > 0 && !(row[0] > row[-COLUMNS]))
      result = app_complain("%s:%ld: times must increase (%g s comes after %g s)",
                            pc_text_path(path).text, i + 2, row[0], row[-COLUMNS]);
    else if (is_same_place(row + 1, row + 4))
      result =
          app_complain("%s:%ld: camera and look point must differ", pc_text_path(path).text, i + 2);
    pc_json_vector(json, row, COLUMNS);
  }
  pc_json_close(json);
  free(values);
  return result;
}

// A file, or the name of a view that has a path.
static int write_path(const app_look_texts *t, pc_json *json)
{
  if (t->camera != NULL || t->look_at != NULL || t->follow != NULL)
    return app_complain(
        "percuss render: --camera-path cannot be combined with --camera, --look-at or --follow");
  pc_json_key(json, "path");
  if (pc_path_has_ending(t->path, ".csv"))
    return write_path_file(t->path, json);
  pc_json_string(json, t->path);
  return APP_OK;
}

int app_write_look(const app_look_texts *t, pc_json *json)
{
  double camera[3] = {0}, look_at[3] = {0}, zoom = 1;
  int result = APP_OK;
  if (t->camera != NULL && read_place(t->camera, 3, camera) == 0)
    return app_complain("percuss render: --camera '%.60s' must be three numbers, such as 4,-6,2.5",
                        t->camera);
  if (!app_read_number(t->zoom, &zoom) || !(zoom > 0))
    return app_complain("percuss render: --zoom '%.40s' must be a positive number", t->zoom);
  bool place = t->look_at != NULL && read_place(t->look_at, 2, look_at) > 0;
  if (place && t->camera != NULL && is_same_place(camera, look_at))
    return app_complain("percuss render: --camera and --look-at must differ");
  pc_json_open(json, '{');
  if (t->camera != NULL)
    pc_json_key(json, "camera"), pc_json_vector(json, camera, 3);
  if (place)
    pc_json_key(json, "look_at"), pc_json_vector(json, look_at, 3);
  else if (t->look_at != NULL)
    pc_json_key(json, "look_at"), pc_json_string(json, t->look_at);
  if (t->zoom != NULL)
    pc_json_key(json, "zoom"), pc_json_number(json, zoom);
  if (t->follow != NULL)
    pc_json_key(json, "follow"), pc_json_string(json, t->follow);
  if (t->path != NULL)
    result = write_path(t, json);
  pc_json_close(json);
  return result;
}
