// What `percuss solve` says of temperatures.
#ifndef PERCUSS_APP_SOLVE_HEAT_H
#define PERCUSS_APP_SOLVE_HEAT_H

#include "core/json.h"
#include "percuss/scene.h"

typedef struct app_heat {
  pc_heat_result *after; // NULL: the file has no temperatures
  pc_heat_info info;
  pc_error error;
  bool answered;
} app_heat;

// Of a problem that is solved, or not: then nothing is answered.
void app_heat_solve(const pc_scene_impact *scene, bool solved, app_heat *heat);
void app_heat_free(app_heat *heat);
// Of a body, and of the whole.
void app_heat_write_body(pc_json *json, const app_heat *heat, int body);
void app_heat_write(pc_json *json, const pc_scene_impact *scene, const app_heat *heat);
void app_heat_print(const pc_scene_impact *scene, const app_heat *heat, int most_rows);

#endif
