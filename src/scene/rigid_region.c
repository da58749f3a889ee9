// Regions of a `kind: rigid` file: a box, or the points near an axis or a centre.
#include <math.h>

#include "core/small.h"
#include "scene/rigid_file.h"

static const pc_key centre_of_region[] = {{PC_KEY(pc_region, centre), PC_NUMBERS, .unit = "m",
                                           .otherwise = "[0, 0, 0]", .meaning = "centre"},
                                          {0}};

static const pc_key radius_keys[] = {
    {PC_KEY(pc_region, radius), PC_A_NUMBER, true, .unit = "m", PC_POSITIVE, .meaning = "radius"},
    {0}};

static const pc_key cylinder_keys[] = {{PC_KEY(pc_region, axis), PC_NUMBERS, .count = {3, 3},
                                        .otherwise = "[0, 0, 1]",
                                        .meaning = "direction of its axis"},
                                       {PC_KEY(pc_region, length), PC_A_NUMBER, true, .unit = "m",
                                        PC_POSITIVE, .meaning = "length along the axis"},
                                       {0}};

static const pc_mapping region_cylinder_table = {
    "region_cylinder", "a cylinder", "Points within a distance of an axis.",
    .keys = {centre_of_region, radius_keys, cylinder_keys}};

static const pc_mapping region_sphere_table = {"region_sphere", "a sphere",
                                               "Points within a distance of a centre.",
                                               .keys = {centre_of_region, radius_keys}};

static const pc_mapping region_disc_table = {"region_disc", "a disc",
                                             "Points within a distance of a centre, in the plane.",
                                             .keys = {centre_of_region, radius_keys}};

typedef struct region_file {
  pc_node box, cylinder, ball;
} region_file;
static const pc_key box_keys[] = {{PC_KEY(region_file, box), PC_POINTS, .unit = "m",
                                   .meaning = "`[low corner, high corner]`, along the axes"},
                                  {0}};

static const pc_key space_region_keys[] = {{PC_KEY(region_file, cylinder), PC_A_MAPPING,
                                            .mapping = &region_cylinder_table,
                                            .meaning = "a cylinder"},
                                           {"sphere", PC_INTO(region_file, ball), PC_A_MAPPING,
                                            .mapping = &region_sphere_table, .meaning = "a sphere"},
                                           {0}};

static const pc_key plane_region_keys[] = {{"disc", PC_INTO(region_file, ball), PC_A_MAPPING,
                                            .mapping = &region_disc_table, .meaning = "a disc"},
                                           {0}};

static const pc_mapping region_table = {"region", "'inside'",
                                        "A region of space, given by one key.",
                                        .keys = {box_keys, space_region_keys}};

static const pc_mapping region_plane_table = {"region_plane", "'inside'",
                                              "A region of the plane, given by one key.",
                                              .keys = {box_keys, plane_region_keys}};

const pc_mapping *const pc_table_regions[] = {&region_table, &region_plane_table, NULL};

void pc_rigid_read_region(const pc_rigid_builder *builder, pc_node node, pc_region *r)
{
  bool space = builder->dimension == 3;
  region_file file = {0};
  *r = (pc_region){.dimension = builder->dimension};
  if (!pc_bind(&node, space ? &region_table : &region_plane_table, &file))
    return;
  if (pc_is_present(file.box) + pc_is_present(file.cylinder) + pc_is_present(file.ball) != 1) {
    pc_complain(node, "'inside' must have exactly one region");
    return;
  }
  if (pc_is_present(file.box)) {
    if (!pc_rigid_read_box(builder, file.box, "a box must be [low corner, high corner]", r->low,
                           r->high))
      pc_complain(file.box, "the low corner of the box must be below its high corner");
    return;
  }
  double reach[3];
  if (pc_is_present(file.ball)) {
    r->kind = PC_REGION_BALL;
    pc_bind(&file.ball, space ? &region_sphere_table : &region_disc_table, r);
    for (int i = 0; i < 3; i++)
      reach[i] = r->radius;
  } else {
    r->kind = PC_REGION_CYLINDER;
    pc_bind(&file.cylinder, &region_cylinder_table, r);
    pc_rigid_make_unit(PC_NODE(file.cylinder, pc_region, axis), r->axis);
    for (int i = 0; i < 3; i++)
      reach[i] =
          fabs(r->axis[i]) * r->length / 2 + r->radius * sqrt(fmax(0, 1 - r->axis[i] * r->axis[i]));
  }
  for (int i = 0; i < builder->dimension; i++) {
    r->low[i] = r->centre[i] - reach[i];
    r->high[i] = r->centre[i] + reach[i];
  }
}

bool pc_region_has_room(const pc_region *r, double radius)
{
  if (r->kind == PC_REGION_BALL)
    return radius < r->radius;
  if (r->kind == PC_REGION_CYLINDER)
    return radius < r->radius && 2 * radius < r->length;
  for (int i = 0; i < r->dimension; i++)
    if (2 * radius > r->high[i] - r->low[i])
      return false;
  return true;
}

bool pc_region_contains(const pc_region *r, const double *point, double margin)
{
  double d[3] = {0};
  for (int i = 0; i < r->dimension; i++) {
    d[i] = point[i] - r->centre[i];
    if (r->kind == PC_REGION_BOX &&
        !(point[i] >= r->low[i] + margin && point[i] <= r->high[i] - margin))
      return false;
  }
  double along = pc_dot3(d, r->axis), away = sqrt(fmax(0, pc_dot3(d, d) - along * along));
  return r->kind == PC_REGION_BOX ||
         (away < r->radius - margin &&
          (r->kind == PC_REGION_BALL || fabs(along) < r->length / 2 - margin));
}
