// The simulation of bodies, with or without a crowd: what its files share.
#ifndef PERCUSS_RUN_BODIES_H
#define PERCUSS_RUN_BODIES_H

#include "run/crowd_maps.h"
#include "run/crowd_record.h"
#include "run/deposit.h"
#include "run/heat_record.h"
#include "run/sensors.h"
#include "run/simulation.h"
#include "run/system_record.h"

typedef struct pc_bodies_run {
  pc_sensors sensors;
  pc_deposit_start deposit;
  pc_crowd_maps maps; // if the crowd has maps
  // The record:
  pc_arena memory;
  double *position, *orientation, *velocity, *spin; // of bodies in a frame
  double *element_force, *element_energy;           // of elements in a step
  pc_heat_recorder heat;
  pc_crowd_recorder crowd;         // if the scene has one
  pc_rows contacts, systems, hits; // of a frame, of steps
} pc_bodies_run;

// describe.c: shapes, bodies and materials, as arrays of a record that has not started
pc_status pc_bodies_describe(pc_record *record, const pc_scene *scene);

// end_table.c: final positions of bodies, as a table that another scene can start from
pc_status pc_end_table_write(const char *path, const pc_scene *scene, pc_error *error);

// bodies_measure.c
pc_status pc_bodies_measure(const pc_scene *scene, const pc_run_summary *summary,
                            pc_quantities *quantities, pc_error *error);

// bodies_record.c
pc_crowd_maps *pc_bodies_maps(pc_bodies_run *bodies); // NULL: none
pc_status pc_bodies_declare(pc_simulation *sim);
pc_status pc_bodies_frame(pc_simulation *sim);
pc_status pc_bodies_row(pc_simulation *sim);
void pc_bodies_columns(const pc_simulation *sim, pc_columns *columns);
void pc_bodies_xdmf(const pc_simulation *sim, pc_xdmf *xdmf);

#endif
