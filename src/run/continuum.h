// A continuum in a run: a collision at time 0, or elastic solids in time, or both: an alloy that is
// struck and then vibrates. continuum_flow.c: a fluid in time.
#ifndef PERCUSS_RUN_CONTINUUM_H
#define PERCUSS_RUN_CONTINUUM_H

#include "run/simulation.h"
#include "scene/continuum.h"

// The series of a record's frames, in the order of the table in continuum_record.c.
typedef enum pc_continuum_series {
  PC_SERIES_VELOCITY,
  PC_SERIES_DISPLACEMENT,
  PC_SERIES_PRESSURE,
  PC_SERIES_FLOW_PRESSURE,
  PC_SERIES_STRESS,
  PC_SERIES_TEMPERATURE,
  PC_SERIES_FRACTION,
  PC_SERIES_BODY,
  PC_SERIES_PERCUSSION,
  PC_SERIES_SLIP,
  PC_SERIES_COUNT
} pc_continuum_series;
enum { PC_SERIES_WIDEST = 13 };

typedef struct pc_continuum_run {
  pc_arena memory;
  pc_fe_motion *motion; // NULL: the collision alone, or a flow
  pc_fe_flow *flow;     // of a fluid with a duration, else NULL
  bool done;            // the collision alone has been; before it all is as the scene says
  pc_step_info info;
  double *last, *pulse; // percussions of contacts, two numbers each: until the step, in it
  double *force;        // of contacts of solids: normal, in the mean of the step
  double (*moved)[3];   // how far the place of each push has moved
  // Handles of the record.
  int series[PC_SERIES_COUNT]; // -1: there is none
  double *row;                 // room for a series of nodes, points or bodies
} pc_continuum_run;

// continuum.c, of both kinds
void pc_continuum_free_own(pc_simulation *sim);
uint64_t pc_continuum_hash(const pc_simulation *sim, uint64_t hash);
int pc_continuum_files(const pc_simulation *sim, const pc_run_other *kinds[PC_KIND_FILES]);
const pc_step_info *pc_continuum_info(const pc_simulation *sim);
const char *pc_continuum_energy_unit(const pc_scene *scene);
// A table of every collision and every coming to rest, in the order of time, if the run has one.
pc_status pc_continuum_write_events(const pc_simulation *sim, int events, const pc_fe_event *event,
                                    pc_error *error);

// continuum_record.c: the record, and the columns of the table.
pc_status pc_continuum_describe(pc_record *record, const pc_scene *scene);
pc_status pc_continuum_declare(pc_simulation *sim);
pc_status pc_continuum_frame(pc_simulation *sim);
pc_status pc_continuum_row(pc_simulation *sim);
void pc_continuum_columns(const pc_simulation *sim, pc_columns *columns);
void pc_continuum_xdmf(const pc_simulation *sim, pc_xdmf *xdmf);

// continuum_measure.c
extern const char *const pc_phase_name[PC_FE_FRACTIONS];
pc_status pc_continuum_measure(const pc_scene *scene, const pc_run_summary *summary,
                               pc_quantities *quantities, pc_error *error);

#endif
