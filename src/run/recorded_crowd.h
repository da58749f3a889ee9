// A recorded crowd, read back: its building, its people and when they left, its maps.
#ifndef PERCUSS_RUN_RECORDED_CROWD_H
#define PERCUSS_RUN_RECORDED_CROWD_H

#include "percuss/scene.h"
#include "run/recorded.h"

typedef struct pc_recorded_goal {
  const char *name;
  pc_goal_kind kind;
  int floor; // -1 for a choice
  int count;
  const double (*point)[2]; // on the floor
} pc_recorded_goal;

typedef struct pc_recorded_wall {
  int floor, count;
  bool solid; // an obstacle, and its outline is closed
  double (*point)[2];
} pc_recorded_wall;

typedef struct pc_recorded_floor {
  const char *name;
  double offset;          // of x in the world
  double low[2], high[2]; // of its walls, on the floor
  // Squares of the maps; without maps there are none.
  double origin[2];
  int columns, rows;
  int *cell; // per square; -1: nobody can stand there
} pc_recorded_floor;

// Cells of maps over all floors. Densities around a cell are over those cells near it that it sees;
// in records of earlier versions, over all of them.
typedef struct pc_recorded_maps {
  int cells; // 0: no maps
  long intervals;
  double spacing;
  int reach;
  int32_t *floor;
  double (*centre)[2], *area;
  int64_t (*seen)[2]; // NULL: not recorded
  int (*square)[2];   // column and row on the floor
} pc_recorded_maps;

typedef struct pc_recorded_exit {
  double time;
  int person, goal;
} pc_recorded_exit;

typedef struct pc_recorded_crowd {
  pc_recorded bodies; // its memory holds all arrays here
  int floors, goals, groups, walls, people;
  pc_recorded_floor *floor;
  pc_recorded_goal *goal;
  pc_recorded_wall *wall;
  double *radius, *response, (*start)[2];
  int32_t *start_floor;
  int exits;
  pc_recorded_exit *exit; // in order of time
  pc_recorded_maps maps;
} pc_recorded_crowd;

// PC_ERROR_INPUT if the record is of something else. Free it also after a failure.
pc_status pc_recorded_crowd_open(const char *path, pc_recorded_crowd *crowd, pc_error *error);
void pc_recorded_crowd_free(pc_recorded_crowd *crowd);
// The cell of a place of a floor; -1: none.
int pc_recorded_cell(const pc_recorded_crowd *crowd, int floor, const double place[2]);

// An interval of the maps, per cell.
typedef struct pc_recorded_interval {
  double time, span; // of its end; its length, s
  double *density, *around, *pressure;
} pc_recorded_interval;
// Room for it, in the memory of the record; false when memory is out.
bool pc_recorded_make_interval(pc_recorded_crowd *crowd, pc_recorded_interval *interval);
pc_status pc_recorded_read_interval(pc_recorded_crowd *crowd, long k,
                                    pc_recorded_interval *interval, pc_error *error);

// A frame of the people: who is there, on which floor, and where on it.
typedef struct pc_recorded_people {
  double time;
  uint8_t *present;
  int32_t *floor;
  double (*place)[2];
  double *position; // of all bodies
} pc_recorded_people;
bool pc_recorded_make_people(pc_recorded_crowd *crowd, pc_recorded_people *people);
pc_status pc_recorded_read_people(pc_recorded_crowd *crowd, long k, pc_recorded_people *people,
                                  pc_error *error);

#endif
