// Numbers of a file that may be random.
#ifndef PERCUSS_SCENE_DRAWS_H
#define PERCUSS_SCENE_DRAWS_H

#include "percuss/random.h"
#include "scene/bind.h"

typedef enum pc_draw_kind {
  PC_DRAWN_NOT,
  PC_DRAWN_UNIFORM,
  PC_DRAWN_NORMAL,
  PC_DRAWN_LOGNORMAL
} pc_draw_kind;

typedef struct pc_drawn {
  pc_draw_kind how;
  double a, b;      // the value; least and most; mean and deviation
  double low, high; // what is outside is drawn again
  bool above;       // low itself is outside
  pc_node node;
} pc_drawn;

extern const pc_mapping pc_table_draw;
// A number or a draw; left out, the default of the table.
void pc_read_drawn(pc_node node, pc_drawn *d);
double pc_draw(pc_random *random, const pc_drawn *d);

#endif
