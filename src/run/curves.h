// What pictures of runs share, over a sweep (runs_curves.c) or over time (time_curves.c).
#ifndef PERCUSS_RUN_CURVES_H
#define PERCUSS_RUN_CURVES_H

#include "percuss/scene.h"
#include "record/svg.h"

// Names of the available quantities; `room` is for those that are put together.
enum { PC_CURVES_NAME = 240 };
typedef const char *pc_curves_namer(const void *of, int i, char room[PC_CURVES_NAME]);

// Whether all quantities of a picture are among these names; PC_ERROR_INPUT names the line of the
// first that does not exist, and the available ones.
pc_status pc_curves_check(const pc_scene *scene, const pc_scene_curves *c, int count,
                          pc_curves_namer *name, const void *of, pc_error *error);

// The name of the file of a picture, RUN-NAME.svg, which may be written; NULL after a failure.
char *pc_curves_file(const pc_scene *scene, const char *output, const pc_scene_curves *c,
                     pc_error *error);

// What tells a curve from the others: its quantity, and the values of the keys of the sweep that
// are no axis. NULL: nothing does.
const char *pc_curves_legend(pc_svg *plot, const pc_scene_plan *plan, const pc_scene_curves *c,
                             int quantity, int combination);
// Extends the vertical axis to a value; what is no number does not.
void pc_curves_extend(pc_svg_axis *y, double value);
// Gives the vertical axis its title, room above and below, and a length where all values are equal.
// PC_ERROR_NUMERIC if it has no value at all. `unit` is that of all quantities, NULL: they differ.
pc_status pc_curves_end(pc_svg *plot, const pc_scene_curves *c, const char *unit, pc_error *error);
// A plot with title and description.
pc_svg pc_curves_begin(const pc_scene *scene, const pc_scene_curves *c);

#endif
