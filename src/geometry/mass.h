// Volume, centroid and inertia for density 1, exact.
#ifndef PERCUSS_GEOMETRY_MASS_H
#define PERCUSS_GEOMETRY_MASS_H

#include "geometry/shape.h"

pc_mass_properties pc_mass_sphere(double radius);
pc_mass_properties pc_mass_box(const double half[3]);
pc_mass_properties pc_mass_capsule(double radius, double half);
pc_mass_properties pc_mass_cylinder(double radius, double half);
pc_mass_properties pc_mass_hull(const pc_hull *hull);
pc_mass_properties pc_mass_disc(double radius);
pc_mass_properties pc_mass_polygon(int count, const double (*vertex)[2]);
pc_mass_properties pc_mass_sum(int count, const pc_child *child);

#endif
