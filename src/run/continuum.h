// A continuum in its run: the one collision, with a frame before and one after it; or elastic
// solids in time.
#ifndef PERCUSS_RUN_CONTINUUM_H
#define PERCUSS_RUN_CONTINUUM_H

#include "record/xdmf.h"
#include "run/moving.h"
#include "scene/continuum.h"

// What the nodes do, in the record.
typedef struct pc_node_series {
  int velocity, displacement;
} pc_node_series;

typedef struct pc_continuum_run {
  bool done; // the collision has been; before it all is as the scene says
  pc_step_info info;
  double *row; // room for a frame: six numbers for each node, point and body
  // Handles of the record; of what there is none, -1.
  pc_node_series nodes;
  int pressure, stress, body, percussion, slip, temperature, fraction;
  int *touch; // percussion of each contact as a whole
} pc_continuum_run;

uint64_t pc_continuum_hash(const pc_moving *moving, uint64_t hash);
const char *pc_continuum_energy_unit(const pc_scene *scene);

// --- continuum_record.c

pc_status pc_continuum_describe(pc_record *record, const pc_scene *scene);
pc_status pc_continuum_declare(pc_moving *moving);
pc_status pc_continuum_frame(pc_moving *moving);
pc_status pc_continuum_xdmf(const pc_moving *moving, long frames, const double *times,
                            pc_error *error);

void pc_nodes_declare(pc_moving *moving, pc_node_series *series);
// `row` is room for two numbers for each node. No displacement: 0.
pc_status pc_nodes_frame(pc_moving *moving, const pc_node_series *series, const double *velocity,
                         const double *displacement, double *row);
// Temperatures and fractions of nodes; their handles.
void pc_continuum_declare_heat(pc_moving *moving, int *temperature, int *fraction);
// The percussions of each contact in a step; their handles.
pc_status pc_continuum_declare_touches(pc_moving *moving, int *handle);
pc_status pc_continuum_write_xdmf(const pc_moving *moving, long frames, const double *times,
                                  int count, const pc_xdmf_array *attributes, pc_error *error);

#endif
