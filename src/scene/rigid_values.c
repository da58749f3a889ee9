// Vectors, materials and orientations of a `kind: rigid` file.
#include <math.h>

#include "core/elementary.h"
#include "core/small.h"
#include "scene/rigid_file.h"

void pc_rigid_read_vector(const pc_rigid_builder *builder, pc_node node, double *vector)
{
  if (pc_is_present(node))
    pc_read_vector(node, builder->dimension, builder->dimension, vector);
}

bool pc_rigid_read_box(const pc_rigid_builder *builder, pc_node node, const char *form,
                       double low[3], double high[3])
{
  if (pc_read_list(node, "a box") != 2)
    pc_complain(node, "%s", form);
  pc_rigid_read_vector(builder, pc_item(node, 0), low);
  pc_rigid_read_vector(builder, pc_item(node, 1), high);
  for (int i = 0; i < builder->dimension; i++)
    if (!(high[i] > low[i]))
      return false;
  return true;
}

void pc_rigid_make_unit(pc_node node, double axis[3])
{
  double length = pc_norm(3, axis);
  if (!pc_failed(node) && !(length > 1e-150))
    pc_complain(node, "the direction must not be zero");
  for (int i = 0; i < 3 && !pc_failed(node); i++)
    axis[i] /= length;
}

// The default is the first material of the file.
int pc_rigid_read_material(const pc_rigid_builder *builder, pc_node node)
{
  if (!pc_is_present(node))
    return builder->materials.count > 1 ? 1 : 0;
  const pc_names *known = &builder->materials;
  int found = pc_names_find(known, pc_read_name(node));
  if (found < 0)
    pc_complain_of_name(node, "material", "materials", known->count, known->names);
  return found;
}

typedef struct turn {
  double axis[3], degrees;
} turn;
static const pc_key axis_keys[] = {
    {PC_KEY(turn, axis), PC_NUMBERS, true, .count = {3, 3}, .meaning = "axis of rotation"}, {0}};

static const pc_key degrees_keys[] = {
    {PC_KEY(turn, degrees), PC_A_NUMBER, true, .unit = "degrees", .meaning = "angle of rotation"},
    {0}};

static const pc_mapping orientation_table = {
    "orientation", "an orientation", "An orientation in space, relative to the shape's own axes.",
    .keys = {axis_keys, degrees_keys}};

static const pc_mapping orientation_plane_table = {
    "orientation_plane", "an orientation in the plane", "An orientation in the plane.",
    .keys = {degrees_keys}};

const pc_mapping *const pc_table_orientations[] = {&orientation_table, &orientation_plane_table,
                                                   NULL};

void pc_rigid_read_orientation(int dimension, pc_node node, double q[4])
{
  if (!pc_is_present(node))
    return;
  bool space = dimension == 3;
  if (pc_is_sequence(node)) {
    pc_read_vector(node, 4, 4, q);
    double length = pc_norm(4, q);
    if (!pc_failed(node) && !(fabs(length - 1) < 1e-3))
      pc_complain(node, "a quaternion [w, x, y, z] must have length 1 (got %g)", length);
    if (!pc_failed(node) && !space && (q[1] != 0 || q[2] != 0))
      pc_complain(node, "in the plane bodies can rotate about z only");
    if (!pc_failed(node))
      pc_quaternion_normalise(q);
    return;
  }
  if (!pc_is_mapping(node)) {
    pc_complain(node, "an orientation must be %s, or a quaternion [w, x, y, z]; found '%s'",
                space ? "{axis: [x, y, z], degrees: A}" : "{degrees: A}", pc_node_text(node).text);
    return;
  }
  turn t = {.axis = {0, 0, 1}};
  if (!pc_bind(&node, space ? &orientation_table : &orientation_plane_table, &t))
    return;
  if (space)
    pc_rigid_make_unit(PC_NODE(node, turn, axis), t.axis);
  double angle = t.degrees * (pc_acos(-1) / 180);
  double vector[3] = {angle * t.axis[0], angle * t.axis[1], angle * t.axis[2]};
  pc_quaternion_exp(vector, q);
}
