// What the files of the types of shapes share: making a shape, boxes, vertical lines.
#ifndef PERCUSS_GEOMETRY_SHAPE_MAKE_H
#define PERCUSS_GEOMETRY_SHAPE_MAKE_H

#include "geometry/shape.h"

// An empty shape, or NULL with the reason.
pc_shape *pc_shape_create(pc_shape_type type, const pc_shape_ops *ops, int dimension,
                          pc_error *error);
// Fills the measures and the radius of a shape that has everything else. Rejects sizes whose volume
// or inertia overflow or vanish.
pc_shape *pc_shape_finish(pc_shape *shape, pc_error *error);
// Releases the shape; NULL, to be returned.
pc_shape *pc_shape_give_up(pc_shape *shape);
bool pc_shape_check_size(const char *what, double value, pc_error *error); // above 0 and finite

bool pc_same_numbers(size_t count, const double *a, const double *b);
pc_mass_properties pc_mass_diagonal(double volume, double x, double y, double z);

// Boxes: one that holds nothing, a point more, and the box about a middle.
void pc_box_empty(double box[6]);
void pc_box_include(const double point[3], double box[6]);
void pc_box_about(const double middle[3], const double reach[3], double box[6]);

// Vertical lines. `join` adds a part to low .. high, `cut` takes what is in the half-space
// rate t <= room, `ball` is the part inside a ball.
bool pc_vertical_join(bool first, double low, double high, double *lowest, double *highest);
bool pc_vertical_cut(double rate, double room, double *low, double *high);
bool pc_vertical_ball(const pc_vertical *line, const double *centre, double radius, double *low,
                      double *high);

// Visits a ball whose centre is given in the axes of the shape.
void pc_visit_ball_at(const pc_pose *pose, double x, double y, double z, double radius,
                      pc_ball_visit *visit, void *context);

#endif
