// Records the heat of bodies: temperatures in frames, and the heat lines of the energy balance.
#ifndef PERCUSS_RUN_HEAT_RECORD_H
#define PERCUSS_RUN_HEAT_RECORD_H

#include "run/simulation.h"

enum { PC_HEAT_FIELDS = 10 };
typedef struct pc_heat_recorder {
  bool on;
  double *kelvin; // of a frame
} pc_heat_recorder;

// `begin` is called before the first step. In a recorded run `declare` creates the series and
// `frame` fills that of the frames.
pc_status pc_heat_recorder_begin(pc_heat_recorder *heat, const pc_scene *scene);
void pc_heat_recorder_free(pc_heat_recorder *heat);
void pc_heat_recorder_declare(const pc_heat_recorder *heat, pc_record *record,
                              const pc_scene *scene);
void pc_heat_recorder_frame(const pc_heat_recorder *heat, const pc_scene *scene);
void pc_heat_columns(const pc_heat_recorder *heat, const pc_scene *scene, pc_columns *columns);
// Update the heat part of the run summary.
void pc_heat_start(const pc_scene *scene, pc_run_heat *heat); // before the first step
void pc_heat_sum(const pc_scene *scene, pc_run_heat *heat);   // after each

#endif
