#include "run/end_table.h"

#include "percuss/world_heat.h"
#include "record/csv.h"
#include "record/replace.h"

static void write_body(pc_replace *file, const pc_scene *scene, int i)
{
  pc_body body = {i + 1};
  pc_body_state state;
  double arm[3], number[14] = {0};
  bool warm = pc_world_heat(scene->world) != NULL;
  pc_body_get(scene->world, body, &state);
  pc_body_get_arm(scene->world, body, state.orientation, arm);
  for (int k = 0; k < 3; k++) {
    number[k] = state.position[k] + arm[k];
    number[7 + k] = state.velocity[k];
    number[10 + k] = state.spin[k];
  }
  for (int k = 0; k < 4; k++)
    number[3 + k] = state.orientation[k];
  number[13] = warm ? pc_body_get_temperature(scene->world, body) : 0;
  for (int k = 0; k < (warm ? 14 : 13); k++) {
    char text[PC_CSV_NUMBER];
    pc_csv_number(number[k], text);
    pc_replace_print(file, "%s,", text);
  }
  pc_replace_print(file, "%s\n", scene->names[i]);
}

pc_status pc_end_table_write(const char *path, const pc_scene *scene, pc_error *error)
{
  pc_replace *file = pc_replace_begin(path, error);
  if (file == NULL)
    return error->status;
  pc_replace_print(file, "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,%sname\n",
                   pc_world_heat(scene->world) != NULL ? "temperature," : "");
  for (int i = 0; i < scene->bodies; i++)
    if (pc_body_get_kind(scene->world, (pc_body){i + 1}) == PC_FREE)
      write_body(file, scene, i);
  return pc_replace_end(file, error);
}
