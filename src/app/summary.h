// The summary of a run, as text and as JSON.
#ifndef PERCUSS_APP_SUMMARY_H
#define PERCUSS_APP_SUMMARY_H

#include "core/json.h"
#include "percuss/run.h"

// Both measure the run that is over, and fail when memory is out. The JSON is whole all the same:
// it then says that the run failed, as it does if `error` says why the run itself failed, and has
// no quantities. The text may end early.
pc_status app_summary_json(const char *path, const pc_scene *scene, const pc_run_options *options,
                           const pc_run_summary *summary, const pc_error *failure, pc_error *error);
pc_status app_summary_print(const pc_scene *scene, const pc_run_options *options,
                            const pc_run_summary *summary, pc_error *error);
// The warnings of a scene: lines of the summary, and a list under the key `warnings`.
void app_print_warnings(FILE *to, const pc_scene *scene);
void app_write_warnings(pc_json *json, const pc_scene *scene);
// The hash of a state under the key `state`, as text: JSON's numbers have too few digits.
void app_write_state(pc_json *json, uint64_t hash);

// The tables of one collision of a continuum (solve_continuum.c), and the lines of a continuum in
// motion (summary_continuum.c).
void app_continuum_print(const pc_continuum_answer *answer);
void app_sensors_print(const pc_scene *scene); // summary_sensors.c
void app_motion_print(const pc_continuum *continuum, const pc_run_summary *summary);

#endif
