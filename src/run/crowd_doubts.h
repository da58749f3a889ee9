// Results of a crowd that are outside what is measured on people.
#ifndef PERCUSS_RUN_CROWD_DOUBTS_H
#define PERCUSS_RUN_CROWD_DOUBTS_H

#include "percuss/run.h"

// What is measured on people.
#define PC_MEASURED_FLOW 2.5  // 1/(m s): bottlenecks have 1.2 to 2.5 (Seyfried et al. 2009)
#define PC_MEASURED_DENSITY 7 // 1/m2: the crowd moves as a fluid mass (Fruin 1993)
#define PC_TOLERABLE_LOAD 623 // N: tolerable against a flat bar (Evans and Hayden 1971)
#define PC_DEADLY_LOAD 1112   // N: kills within minutes (Hopkins et al. 1993)
#define PC_PEOPLE_FOR_A_FLOW 20

typedef struct pc_crowd_doubt {
  char text[400];
} pc_crowd_doubt;

// What the doubts of a run are about.
typedef struct pc_crowd_fact_of_exit {
  const char *name;
  double length; // m, of its line
  int out;
  double flow; // people per minute; NAN: too few
} pc_crowd_fact_of_exit;
typedef struct pc_crowd_facts {
  int exits;
  const pc_crowd_fact_of_exit *exit;
  bool mapped;
  pc_crowd_peak densest, pressed;
  double load, load_window; // N: the largest on a person, as a mean over so many seconds
  int floors;
  char *const *floor_names;
} pc_crowd_facts;

// The load of a pressure P in N/m2 on a person of radius r: the line pressure of contacts that push
// with P per area at the distance 2 r is P r, and that acts on the breadth 2 r.
double pc_pressure_load(double pressure, double radius);
// The length of a line of points.
double pc_crowd_line_length(int count, const double (*point)[2]);

// The doubts about a run, which the caller frees: too high a flow through an exit, density,
// pressure.
pc_status pc_crowd_doubts(const pc_scene *scene, const pc_crowd_summary *summary,
                          pc_crowd_doubt **list, int *count, pc_error *error);
pc_status pc_crowd_doubt_facts(const pc_crowd_facts *facts, pc_crowd_doubt **list, int *count,
                               pc_error *error);

#endif
