// Maps of a crowd: number of people, speed and pressure on the squares of every floor, over
// intervals and since the start.
#ifndef PERCUSS_CROWD_MAPS_H
#define PERCUSS_CROWD_MAPS_H

#include <stdint.h>

#include "core/memory.h"
#include "percuss/crowd.h"

// Fruin's levels of service for walkways, A (0) to F (5), by people per m2 (book, table 6.2).
enum { PC_LEVELS = 6 };
int pc_service_level(double density);

// Squares of a floor, with sides at whole multiples of the spacing in the floor's coordinates.
typedef struct pc_map_floor {
  double low[2];
  double span[2]; // of the floor's walls in x, in the world
  double offset;  // of the floor's x in the world
  int columns, rows;
  int *cell; // per square: its cell; -1: not walkable
} pc_map_floor;

// The largest value of any cell in any interval; cell -1: none yet.
typedef struct pc_map_peak {
  double value, time;
  int cell;
} pc_map_peak;

// Sums over time for a cell, adjacent because they are updated together.
typedef struct pc_map_sums {
  double stay, way, push; // person-seconds, m, N s
} pc_map_sums;

typedef struct pc_maps {
  pc_arena arena; // of all arrays here
  double spacing;
  int floors;
  pc_map_floor *floor;
  int cells;
  int *at;             // floor of each cell
  int (*square)[2];    // its column and row there
  double (*centre)[2]; // in the floor's coordinates
  double *area;        // walkable, m2
  int reach;           // size of the neighbourhood of a cell, in squares to each side
  uint64_t (*seen)[2]; // per cell: squares of the neighbourhood that it sees, as bits, row by row
  // The changing state is one block of numbers, saved as it is.
  double *numbers;
  size_t count;
  double *span, *total;            // s: of this interval; of those that ended
  double *stray;                   // person-seconds in no cell
  double *level;                   // person-seconds at each level of service
  double *densest, *most_pressed;  // peaks: value, time, cell
  pc_map_sums *now, *all;          // per cell: of the interval; of those that ended
  double *crowded, *around, *hard; // largest density, density around, pressure of any interval
} pc_maps;

// Makes the maps of a crowd whose building is finished.
pc_status pc_maps_make(pc_maps *maps, const pc_crowd *crowd, double spacing, pc_error *error);
void pc_maps_free(pc_maps *maps);
// The cell of a place of a floor; -1: none.
int pc_maps_find(const pc_maps *maps, int floor, const double place[2]);
// Adds the end of the last step of the crowd, of length h.
void pc_maps_step(pc_maps *maps, const pc_crowd *crowd, double h);
// Ends an interval at this time and gives, per cell, people per m2, their mean speed (-1: nobody)
// and N/m2; any may be NULL. An interval shorter than half of `every` makes no peak, unless it is
// the first.
void pc_maps_end(pc_maps *maps, double time, double every, double *density, double *speed,
                 double *pressure);

pc_map_peak pc_maps_densest(const pc_maps *maps);      // of the density around cells
pc_map_peak pc_maps_most_pressed(const pc_maps *maps); // cells at least a quarter walkable
typedef struct pc_map_cell {
  double density, around, speed, pressure; // means since the start; speed -1: nobody
  double density_largest, around_largest, pressure_largest;
} pc_map_cell;
void pc_maps_cell(const pc_maps *maps, int cell, pc_map_cell *out);

#endif
