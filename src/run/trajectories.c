// Trajectories as text, in the format of PedPy's load_trajectory_from_txt and of JuPedSim's tools:
// comment lines with the frame rate and the unit, then id, frame and position, separated by spaces.
#include <stdlib.h>

#include "core/error.h"
#include "record/record.h"
#include "record/replace.h"
#include "run/crowd_files.h"
#include "run/files.h"

typedef struct frame {
  double *position; // of all bodies
  uint8_t *present; // of people
  int32_t *floor;
} frame;

static void write_frame(pc_replace *file, const pc_scene *scene, const frame *f, long number)
{
  int first = pc_crowd_body(scene->crowd, 0).id - 1;
  for (int i = 0; i < pc_crowd_people(scene->crowd); i++) {
    const double *p = f->position + 3 * (size_t)(first + i);
    if (!f->present[i])
      continue;
    pc_replace_print(file, "%d %ld ", i + 1, number);
    pc_replace_number(file, p[0] - pc_crowd_floor_offset(scene->crowd, f->floor[i]), ' ');
    pc_replace_number(file, p[1], ' ');
    pc_replace_print(file, "%d\n", (int)f->floor[i]);
  }
}

static pc_status write_frames(pc_replace *file, pc_reading *reading, const pc_scene *scene,
                              pc_error *error)
{
  size_t people = (size_t)pc_crowd_people(scene->crowd) + 1;
  frame f = {malloc(3 * ((size_t)scene->bodies + 1) * sizeof *f.position),
             malloc(people * sizeof *f.present), malloc(people * sizeof *f.floor)};
  pc_status status = PC_OK;
  if (f.position == NULL || f.present == NULL || f.floor == NULL)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  long frames = pc_reading_frames(reading, "frames");
  for (long i = 0; i < frames && status == PC_OK; i++) {
    status = pc_reading_rows(reading, "frames/position", i, 1, PC_RECORD_DOUBLE, f.position, error);
    if (status == PC_OK)
      status = pc_reading_rows(reading, "frames/present", i, 1, PC_RECORD_BYTE, f.present, error);
    if (status == PC_OK)
      status = pc_reading_rows(reading, "frames/floor", i, 1, PC_RECORD_INT, f.floor, error);
    if (status == PC_OK)
      write_frame(file, scene, &f, i);
  }
  free(f.position);
  free(f.present);
  free(f.floor);
  return status;
}

pc_status pc_trajectories_write(const char *path, const char *record, const pc_scene *scene,
                                double every, pc_error *error)
{
  pc_reading *reading = pc_reading_open(record, error);
  pc_replace *file =
      reading != NULL ? pc_replace_begin(path, pc_run_trajectories.own, error) : NULL;
  if (file == NULL) {
    pc_reading_close(reading);
    return error->status;
  }
  pc_replace_print(file, "# framerate: ");
  pc_replace_number(file, 1 / every, '\n');
  pc_replace_print(file, "# id frame x/m y/m z/m\n");
  pc_status status = write_frames(file, reading, scene, error);
  pc_reading_close(reading);
  pc_status ended = pc_replace_end(file, status == PC_OK ? error : NULL);
  return status == PC_OK ? ended : status;
}
