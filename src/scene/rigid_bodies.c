// Bodies and obstacles of a `kind: rigid` file.
#include <stdio.h>
#include <string.h>

#include "geometry/shape.h"
#include "scene/rigid_file.h"

// What the file says of a body or an obstacle.
typedef struct body_file {
  const char *name;
  pc_node shape, material, orientation, inertia, motion, guided;
  double speed; // of a guided obstacle
  double sink;  // m, of an obstacle on the ground
  bool on_ground;
  pc_body_def def;
} body_file;
static const pc_key place_keys[] = {
    {PC_KEY(body_file, shape), PC_A_NAME | PC_A_MAPPING, true, .variants = pc_table_shapes,
     .meaning = "a shape, or the name of an entry of `shapes`"},
    {PC_KEY(body_file, material), PC_A_NAME, .left_out = "the first entry of `materials`",
     .meaning = "material"},
    {PC_KEY(body_file, orientation), PC_NUMBERS | PC_A_MAPPING, .count = {4, 4},
     .variants = pc_table_orientations, .otherwise = "[1, 0, 0, 0]",
     .meaning = "quaternion `[w, x, y, z]`, or axis and angle"},
    {"group", PC_INTO(body_file, def.group), PC_AN_INTEGER, PC_FROM(0, 1 << 30), .otherwise = "0",
     .meaning = "bodies with the same non-zero group do not collide"},
    {0}};

static const pc_key body_name[] = {
    {PC_KEY(body_file, name), PC_A_NAME,
     .left_out = "`body-N`, with N counted over bodies and obstacles", .meaning = "name"},
    {0}};

static const pc_key body_keys[] = {
    {"position", PC_INTO(body_file, def.position), PC_NUMBERS, true, .unit = "m",
     .meaning = "position of the shape's origin"},
    {"velocity", PC_INTO(body_file, def.velocity), PC_NUMBERS, .unit = "m/s",
     .otherwise = "[0, 0, 0]", .meaning = "velocity of the centre of mass"},
    {"spin", PC_INTO(body_file, def.spin), PC_A_SPIN, .unit = "rad/s", .otherwise = "[0, 0, 0]",
     .meaning = "angular velocity, in world axes"},
    {"mass", PC_INTO(body_file, def.mass), PC_A_NUMBER, .unit = "kg", PC_POSITIVE,
     .left_out = "from shape and density", .meaning = "mass"},
    {PC_KEY(body_file, inertia), PC_A_SPIN, .unit = "kg m²", PC_POSITIVE,
     .left_out = "from the shape, with its mass",
     .meaning = "moments of inertia about the shape's axes"},
    {"no_rotation", PC_INTO(body_file, def.no_rotation), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: the body never rotates"},
    PC_ON_KEY(body_file),
    {0}};

const pc_mapping pc_table_body = {"body", "a body",
                                  "A free rigid body. Its shape must have a volume.",
                                  .keys = {body_name, place_keys, body_keys}};

// The name that the file gives, or `word` with the number of the body.
static const char *name_body(const pc_rigid_builder *builder, pc_node node, const char *given,
                             const char *word, char *buffer, size_t size)
{
  size_t length = given != NULL ? strlen(given) : 0;
  if (length > 0 && given[length - 1] == '*')
    pc_complain(PC_NODE(node, body_file, name),
                "a name must not end with '*', which is a wildcard in lists of bodies");
  snprintf(buffer, size, "%s-%d", word, builder->bodies.count + 1);
  return given != NULL ? given : buffer;
}

static void read_place(pc_rigid_builder *builder, body_file *file)
{
  file->def.shape = pc_rigid_read_shape(builder, file->shape, NULL);
  file->def.material = pc_rigid_read_material(builder, file->material);
  pc_rigid_read_orientation(builder->dimension, file->orientation, file->def.orientation);
}

// In space three principal moments along the axes of the shape; in the plane a number.
static void read_inertia(const pc_rigid_builder *builder, pc_node node, double *inertia)
{
  if (!pc_is_present(node))
    return;
  double moment[3] = {0};
  if (builder->dimension == 2) {
    inertia[8] = pc_read_number(node);
    return;
  }
  pc_read_vector(node, 3, 3, moment);
  for (int i = 0; i < 3 && !pc_failed(node); i++) {
    if (moment[i] > (moment[(i + 1) % 3] + moment[(i + 2) % 3]) * (1 + 1e-9))
      pc_complain(node, "impossible inertia: one moment exceeds the sum of the other two");
    inertia[4 * i] = moment[i];
  }
}

void pc_rigid_read_body(pc_rigid_builder *builder, pc_node node, int number)
{
  char buffer[40];
  body_file file = {.def = pc_body_def_default()};
  if (!pc_bind(&node, &pc_table_body, &file))
    return;
  const char *name = name_body(builder, node, file.name, "body", buffer, sizeof buffer);
  read_place(builder, &file);
  read_inertia(builder, file.inertia, file.def.inertia);
  if (!pc_failed(node) && !pc_shape_has_volume(file.def.shape))
    pc_complain(file.shape, "a %s has no volume and can only be an obstacle",
                pc_shape_type_name(pc_shape_kind(file.def.shape)));
  if (!file.on_ground || pc_rigid_put_down(builder, node, &file.def))
    pc_rigid_add_body(builder, node, name, &file.def);
  pc_shape_release(file.def.shape);
}

static const pc_key guided_keys[] = {
    {"axis", PC_INTO(body_file, def.guide), PC_NUMBERS, true, .meaning = "direction of motion"},
    {"load", PC_INTO(body_file, def.load), PC_A_NUMBER, .unit = "N", .otherwise = "0",
     .meaning = "force along the axis"},
    {"mass", PC_INTO(body_file, def.mass), PC_A_NUMBER, .unit = "kg", PC_POSITIVE,
     .left_out = "from shape and density", .meaning = "mass; required if the shape has no volume"},
    {"velocity", PC_INTO(body_file, speed), PC_A_NUMBER, .unit = "m/s", .otherwise = "0",
     .meaning = "velocity along the axis"},
    {0}};

static const pc_mapping guided_table = {
    "guided", "'guided'", "Free motion along one axis, driven by contacts, gravity and a load.",
    .keys = {guided_keys}};

static const pc_key obstacle_name[] = {
    {PC_KEY(body_file, name), PC_A_NAME,
     .left_out = "`obstacle-N`, with N counted over bodies and obstacles", .meaning = "name"},
    {0}};

static const pc_key obstacle_keys[] = {
    {"position", PC_INTO(body_file, def.position), PC_NUMBERS, .unit = "m",
     .otherwise = "[0, 0, 0]", .meaning = "position of the shape's origin"},
    PC_ON_KEY(body_file),
    {PC_KEY(body_file, sink), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0",
     .with = "on", .meaning = "how far the obstacle is sunk into the ground after that"},
    {PC_KEY(body_file, motion), PC_A_MAPPING, .mapping = &pc_table_motion, .left_out = "at rest",
     .meaning = "prescribed motion"},
    {PC_KEY(body_file, guided), PC_A_MAPPING, .mapping = &guided_table, .left_out = "at rest",
     .meaning = "free motion along an axis; not with `motion`"},
    {0}};

const pc_mapping pc_table_obstacle = {
    "obstacle", "an obstacle", "An obstacle: fixed, moved or guided. Its shape may have no volume.",
    .keys = {obstacle_name, place_keys, obstacle_keys}};

// Puts the obstacle on those before it. False if it cannot stand there.
static bool put_on_ground(pc_rigid_builder *builder, pc_node node, body_file *file)
{
  pc_node on = PC_NODE(node, body_file, on_ground);
  if (!pc_failed(node) && !pc_shape_has_volume(file->def.shape))
    pc_complain(on, "a %s has no volume and cannot be put on the ground",
                pc_shape_type_name(pc_shape_kind(file->def.shape)));
  if (!pc_rigid_put_down(builder, node, &file->def))
    return false;
  file->def.position[builder->dimension - 1] -= file->sink;
  return true;
}

static void read_guide(pc_node node, body_file *file)
{
  pc_body_def *def = &file->def;
  if (!pc_bind(&node, &guided_table, file))
    return;
  def->kind = PC_GUIDED;
  pc_rigid_make_unit(PC_NODE(node, body_file, def.guide), def->guide);
  if (!pc_failed(node) && !PC_GIVEN(node, body_file, def.mass) && !pc_shape_has_volume(def->shape))
    pc_complain(node, "a guided %s has no volume: add 'mass'",
                pc_shape_type_name(pc_shape_kind(def->shape)));
  for (int i = 0; i < 3; i++)
    def->velocity[i] = file->speed * def->guide[i];
}

void pc_rigid_read_obstacle(pc_rigid_builder *builder, pc_node node, int number)
{
  char buffer[40];
  body_file file = {.def = pc_body_def_default()};
  file.def.kind = PC_FIXED;
  if (!pc_bind(&node, &pc_table_obstacle, &file))
    return;
  const char *name = name_body(builder, node, file.name, "obstacle", buffer, sizeof buffer);
  read_place(builder, &file);
  if (pc_is_present(file.motion) && pc_is_present(file.guided))
    pc_complain(file.guided, "'motion' and 'guided' cannot be combined");
  if (pc_is_present(file.motion)) {
    file.def.kind = PC_DRIVEN;
    pc_rigid_read_motion(builder, file.motion, &file.def.motion);
  }
  if (pc_is_present(file.guided))
    read_guide(file.guided, &file);
  if (!file.on_ground || put_on_ground(builder, node, &file))
    pc_rigid_add_body(builder, node, name, &file.def);
  pc_rigid_free_motion(&file.def.motion);
  pc_shape_release(file.def.shape);
}
