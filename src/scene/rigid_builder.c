// Adds bodies to the world of a `kind: rigid` file.
#include <string.h>

#include "geometry/shape.h"
#include "scene/rigid_file.h"

pc_pose pc_rigid_pose(const pc_body_def *def)
{
  return pc_pose_of(def->position, def->orientation);
}

bool pc_rigid_add_body(pc_rigid_builder *builder, pc_node node, const char *name,
                       const pc_body_def *def)
{
  if (pc_failed(node))
    return false;
  pc_placed *placed = pc_array_add(&builder->placed);
  if (placed == NULL) {
    pc_complain(node, "out of memory");
    return false;
  }
  placed->node = node; // also if the world refuses the body
  if (pc_names_add_at(&builder->bodies, name, node, "bodies") < 0)
    return false;
  char shown[60];
  pc_text_clean(shown, sizeof shown, name, strlen(name));
  if (pc_body_create(builder->world, def).id == 0) {
    pc_complain(node, "body '%s': %s", shown, pc_world_error(builder->world));
    return false;
  }
  *placed = (pc_placed){.shape = pc_shape_retain(def->shape),
                        .pose = pc_rigid_pose(def),
                        .kind = def->kind,
                        .group = def->group,
                        .node = node};
  pc_shape_bounds(placed->shape, &placed->pose, placed->box);
  return true;
}
