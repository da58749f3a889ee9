// Sensors: averages over some bodies in every step, and what they exchange with others.
#ifndef PERCUSS_RUN_SENSORS_H
#define PERCUSS_RUN_SENSORS_H

#include "core/memory.h"
#include "percuss/scene.h"
#include "run/hits.h"
#include "run/peaks.h"
#include "run/tallies.h"

// The part of a sensor in a checkpoint.
typedef struct pc_sensor_memory {
  double filter[6];
  double low[3], high[3], sum[3];
  long steps;
} pc_sensor_memory;

typedef struct pc_sensors {
  pc_arena arena;
  const pc_scene *scene;
  unsigned char **member; // [sensor][body number]: bits of pc_sensor_side
  double (*start)[3];     // mean position of the bodies at time 0
  double (*before)[3];    // mean velocity before the step
  double (*value)[3];     // of the last step; value[i][0] alone for a sensor along an axis
  pc_sensor_memory *memory;
  double (*total)[3];  // impulse, dissipated energy or hits since the start
  double (*push)[3];   // force of the last step on the bodies of a sensor of impulse or hits
  pc_hits hits, loads; // of sensors of hits; of impulses, which say what presses at the end
  pc_tallies tallies;
  pc_peaks peaks;
  int *peak;       // [sensor]: its number among those with peaks, or -1
  double *kinetic; // [body number]: energy before the step; 0 without a sensor of hits
  double begun;    // time before the step
} pc_sensors;

// Call it before the first step.
pc_status pc_sensors_create(pc_sensors *sensors, const pc_scene *scene, pc_error *error);
void pc_sensors_free(pc_sensors *sensors);
void pc_sensors_before(pc_sensors *sensors);                                // before every step
pc_status pc_sensors_after(pc_sensors *sensors, double h, pc_error *error); // after it
// Copies the statistics so far to the scene.
void pc_sensors_tell(const pc_sensors *sensors, pc_scene *scene);
// The part of a checkpoint with totals and open hits; empty if no sensor has totals. With buffer
// NULL only its size.
size_t pc_sensors_save_totals(const pc_sensors *sensors, void *buffer);
pc_status pc_sensors_load_totals(pc_sensors *sensors, const void *data, size_t size,
                                 pc_error *error);
// The part with the hits of sensors of impulse, and with tallies; empty if there are none.
size_t pc_sensors_save_tallies(const pc_sensors *sensors, void *buffer);
pc_status pc_sensors_load_tallies(pc_sensors *sensors, const void *data, size_t size,
                                  pc_error *error);
// The part with the peaks; empty if no sensor has one.
size_t pc_sensors_save_peaks(const pc_sensors *sensors, void *buffer);
pc_status pc_sensors_load_peaks(pc_sensors *sensors, const void *data, size_t size,
                                pc_error *error);
bool pc_sensor_is_total(const pc_sensor *sensor);    // counts from the start of the run
const char *pc_sensor_unit(const pc_sensor *sensor); // NULL: a number
bool pc_sensor_has_peaks(const pc_sensor *sensor);   // `peak` is measured
int pc_sensor_width(const pc_sensor *sensor);        // numbers: 1 or 3

#endif
