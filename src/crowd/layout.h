// A floor plan: walls, outlines and round obstacles in the plane, with geometric queries.
#ifndef PERCUSS_CROWD_LAYOUT_H
#define PERCUSS_CROWD_LAYOUT_H

#include <stdbool.h>

#include "core/array.h"
#include "percuss/status.h"

typedef enum pc_outline_kind {
  PC_LINE_WALL,    // a line without thickness
  PC_AREA_SOLID,   // closed: its inside is an obstacle
  PC_AREA_WALKABLE // closed: its outside is not walkable
} pc_outline_kind;

// One outline: points first .. first + count - 1; closed unless it is a line.
typedef struct pc_layout_outline {
  pc_outline_kind kind;
  int first, count;
  bool edgeless; // its edges are no walls, or are lines of their own
} pc_layout_outline;

typedef double pc_plan_point[2];
typedef double pc_plan_disc[3]; // centre, radius

typedef struct pc_layout {
  PC_ARRAY(pc_plan_point) points;
  PC_ARRAY(pc_layout_outline) outlines;
  PC_ARRAY(pc_plan_disc) discs;
  // All segments, and a grid of squares that lists what is in each: segments, then discs. Made by
  // pc_layout_finish.
  double (*wall)[4]; // from, to
  int walls;
  double low[2], high[2]; // of everything
  double square;
  int columns, rows;
  int *start, *item;
} pc_layout;

void pc_layout_free(pc_layout *plan);
pc_status pc_layout_add(pc_layout *plan, pc_outline_kind kind, int count, const double (*points)[2],
                        pc_error *error);
pc_status pc_layout_add_disc(pc_layout *plan, const double centre[2], double radius,
                             pc_error *error);
// openings.c: cuts a gap into each wall that a line lies on; the ends of the line move to the ends
// of the gap.
pc_status pc_layout_cut(pc_layout *plan, double line[2][2], pc_error *error);
// Call it after everything is added and before the queries; again when more is added.
pc_status pc_layout_finish(pc_layout *plan, pc_error *error);

// Whether a wall or an obstacle blocks the straight line from p to q; touching counts.
bool pc_layout_bars(const pc_layout *plan, const double p[2], const double q[2]);
// Distance to the nearest wall or obstacle, 0 in a round one; `limit` if none is nearer.
double pc_layout_distance(const pc_layout *plan, const double p[2], double limit);
// The walls and obstacles (numbers in `item`) whose boxes meet a box, each once. Gives their
// number; above `most`: there are more than that, and only so many are listed.
int pc_layout_items(const pc_layout *plan, const double box[4], int most, int *item);
// The same for one of them as pc_layout_bars and pc_layout_distance.
bool pc_layout_item_bars(const pc_layout *plan, int item, const double p[2], const double q[2]);
double pc_layout_item_distance(const pc_layout *plan, int item, const double p[2]);
// Whether a place is walkable: in no obstacle and, if there are walkable areas, in one of them.
bool pc_layout_allows(const pc_layout *plan, const double p[2]);
// Whether a place is in a round obstacle.
bool pc_layout_in_disc(const pc_layout *plan, const double p[2]);
// Whether a place is in a walkable area, or there are none.
bool pc_layout_bounds(const pc_layout *plan, const double p[2]);
// Whether two lines meet; touching counts.
bool pc_lines_meet(const double p[2], const double q[2], const double line[4]);
// The box of a wall or disc (a number in `item`): low x, y, high x, y.
void pc_layout_box(const pc_layout *plan, int item, double box[4]);
// Squares up to `reach` from a box.
void pc_layout_squares(const pc_layout *plan, const double box[4], double reach, int low[2],
                       int high[2]);
double pc_distance_to_line(const double p[2], const double a[2], const double b[2]);
void pc_nearest_on_line(const double p[2], const double a[2], const double b[2], double nearest[2]);
void pc_box_of_points(int count, const double (*point)[2], double low[2], double high[2]);
// Whether a point is inside a closed outline.
bool pc_is_inside(int count, const double (*area)[2], const double p[2]);

#endif
