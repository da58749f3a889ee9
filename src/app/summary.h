// The summary of a run, as text and as JSON.
#ifndef PERCUSS_APP_SUMMARY_H
#define PERCUSS_APP_SUMMARY_H

#include "core/json.h"
#include "percuss/run.h"

void app_summary_json(const char *status, const char *path, const pc_scene *scene,
                      const pc_run_options *options, const pc_run_summary *summary,
                      const char *error);
void app_summary_print(const pc_scene *scene, const pc_run_options *options,
                       const pc_run_summary *summary);
// The hash of a state under the key `state`, as text: JSON's numbers have too few digits.
void app_write_state(pc_json *json, uint64_t hash);

// The tables of one collision of a continuum (solve_continuum.c), and the lines of a continuum in
// motion (summary_continuum.c).
void app_continuum_print(const pc_continuum_answer *answer);
void app_motion_print(const pc_continuum *continuum, const pc_run_summary *summary);

#endif
