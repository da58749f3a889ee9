// Final positions of bodies, as a table that another scene can start from.
#include "percuss/world_heat.h"
#include "record/replace.h"
#include "run/bodies.h"
#include "run/files.h"

static void write_numbers(pc_replace *file, int count, const double *numbers)
{
  for (int k = 0; k < count; k++)
    pc_replace_number(file, numbers[k], ',');
}

static void write_body(pc_replace *file, const pc_scene *scene, int i)
{
  pc_body body = {i + 1};
  pc_body_state state;
  double arm[3], kelvin = pc_body_get_temperature(scene->world, body);
  pc_body_get(scene->world, body, &state);
  pc_body_get_arm(scene->world, body, state.orientation, arm);
  for (int k = 0; k < 3; k++)
    state.position[k] += arm[k]; // the origin of the shape
  write_numbers(file, 3, state.position);
  write_numbers(file, 4, state.orientation);
  write_numbers(file, 3, state.velocity);
  write_numbers(file, 3, state.spin);
  write_numbers(file, pc_world_heat(scene->world) != NULL ? 1 : 0, &kelvin);
  pc_replace_text(file, scene->names[i]);
  pc_replace_print(file, "\n");
}

pc_status pc_end_table_write(const char *path, const pc_scene *scene, pc_error *error)
{
  pc_replace *file = pc_replace_begin(path, pc_run_end_table.own, error);
  if (file == NULL)
    return error->status;
  pc_run_write_head(file, &pc_run_end_table, scene);
  for (int i = 0; i < scene->bodies; i++)
    if (pc_body_get_kind(scene->world, (pc_body){i + 1}) == PC_FREE)
      write_body(file, scene, i);
  return pc_replace_end(file, error);
}
