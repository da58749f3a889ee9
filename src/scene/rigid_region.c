// Regions of a `kind: rigid` file: a box, or the points near an axis or a centre.
#include <math.h>

#include "core/small.h"
#include "scene/rigid_file.h"
#include "scene/tables.h"

void pc_rigid_read_region(const pc_rigid_builder *builder, pc_node node, pc_region *r)
{
  bool space = builder->dimension == 3;
  *r = (pc_region){.dimension = builder->dimension};
  if (!pc_read_keys(&node, space ? &pc_table_region : &pc_table_region_plane))
    return;
  pc_node box = pc_get(node, "box"), cylinder = {.document = node.document};
  if (space)
    cylinder = pc_get(node, "cylinder");
  pc_node ball = pc_get(node, space ? "sphere" : "disc");
  if (pc_is_present(box) + pc_is_present(cylinder) + pc_is_present(ball) != 1) {
    pc_complain(node, "bodies are inside one region");
    return;
  }
  if (pc_is_present(box)) {
    if (pc_read_list(box, "'box'") != 2)
      pc_complain(box, "a box is [low corner, high corner]");
    pc_rigid_read_vector(builder, pc_item(box, 0), r->low);
    pc_rigid_read_vector(builder, pc_item(box, 1), r->high);
    for (int i = 0; i < builder->dimension; i++)
      if (!(r->high[i] > r->low[i]))
        pc_complain(box, "the box ends before it starts");
    return;
  }
  double reach[3];
  if (pc_is_present(ball)) {
    if (!pc_read_keys(&ball, space ? &pc_table_region_sphere : &pc_table_region_disc))
      return;
    r->kind = PC_REGION_BALL;
    pc_rigid_read_vector(builder, pc_get(ball, "centre"), r->centre);
    r->radius = pc_read_number(pc_get(ball, "radius"));
    for (int i = 0; i < 3; i++)
      reach[i] = r->radius;
  } else {
    if (!pc_read_keys(&cylinder, &pc_table_region_cylinder))
      return;
    r->kind = PC_REGION_CYLINDER;
    r->axis[2] = 1;
    pc_rigid_read_vector(builder, pc_get(cylinder, "centre"), r->centre);
    pc_rigid_read_axis(builder, pc_get(cylinder, "axis"), r->axis);
    r->radius = pc_read_number(pc_get(cylinder, "radius"));
    r->length = pc_read_number(pc_get(cylinder, "length"));
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
