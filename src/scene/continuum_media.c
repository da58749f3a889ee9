// Media of a `kind: continuum` file: what elements are made of, and how they move before the
// collision.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "scene/continuum_file.h"

void pc_continuum_read_spin(const pc_fe_mesh *mesh, pc_node node, const double given[3],
                            double spin[3])
{
  bool space = mesh->dimension == 3;
  for (int k = 0; k < 3; k++)
    spin[k] = space || k == 2 ? given[k] : 0;
  if (!pc_failed(node) && pc_is_present(node) && pc_is_sequence(node) != space)
    pc_complain(node, space ? "in space a spin must have three numbers"
                            : "in the plane a spin must be one number");
}

static bool has_linear_elements(const pc_fe_mesh *mesh, int group)
{
  for (int i = 0; i < mesh->body.count; i++)
    if (mesh->body.cell[i].group == group && pc_element_of(mesh->body.cell[i].type)->order == 1)
      return true;
  return false;
}

// Elements of a fluid that is compressed: the others lock, or move between their corners.
static bool keeps_shear_free(pc_element type)
{
  return type == PC_LINE2 || type == PC_QUAD4 || type == PC_HEXAHEDRON8;
}

static bool has_other_elements(const pc_fe_mesh *mesh, int group)
{
  for (int i = 0; i < mesh->body.count; i++)
    if (mesh->body.cell[i].group == group && !keeps_shear_free(mesh->body.cell[i].type))
      return true;
  return false;
}

// The box around a medium, and its centre of mass.
static void measure_medium(const pc_fe_mesh *mesh, int group, double low[3], double high[3],
                           double centre[3])
{
  double volume = 0, moment[3] = {0};
  for (int k = 0; k < 3; k++)
    low[k] = INFINITY, high[k] = -INFINITY;
  for (int i = 0; i < mesh->body.count; i++) {
    const pc_fe_cell *cell = &mesh->body.cell[i];
    if (cell->group != group)
      continue;
    double corner[PC_ELEMENT_NODES_MAX][3];
    int nodes = pc_fe_mesh_corners(mesh, &mesh->body, i, corner);
    for (int n = 0; n < nodes; n++)
      for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], corner[n][k]);
        high[k] = fmax(high[k], corner[n][k]);
      }
    pc_quadrature rule;
    pc_quadrature_make(&rule, cell->type, pc_element_of(cell->type)->mass_degree);
    for (int p = 0; p < rule.points; p++) {
      pc_element_point at;
      pc_element_map(cell->type, (const double(*)[3])corner, rule.at[p], &at);
      volume += rule.weight[p] * at.determinant;
      for (int k = 0; k < 3; k++)
        moment[k] += rule.weight[p] * at.determinant * at.x[k];
    }
  }
  for (int k = 0; k < 3; k++)
    centre[k] = moment[k] / volume;
}

typedef enum profile_shape { UNIFORM, LINEAR, PARABOLIC } profile_shape;

// How a medium moves before the collision.
typedef struct motion {
  double velocity[3], spin[3], centre[3];
  double stretch[3]; // strain along the axes
  bool profiled;
  profile_shape shape;
  int direction, across;
  double speed, from, to;
} motion;

static const pc_key profile_keys[] = {
    {"profile", PC_INTO(motion, shape), PC_A_WORD, true,
     .words = PC_WORDS({"uniform", 0}, {"linear", 1}, {"parabolic", 2}), .noun = "profile",
     .meaning = "shape of the profile: 1, s, or s (2 - s), with s from 0 to 1 across the flow"},
    {PC_KEY(motion, speed), PC_A_NUMBER, true, .unit = "m/s",
     .meaning = "largest speed; negative to reverse the direction"},
    {PC_KEY(motion, from), PC_A_NUMBER, .unit = "m", .left_out = "lowest point of the medium",
     .meaning = "coordinate where s is 0"},
    {PC_KEY(motion, to), PC_A_NUMBER, .unit = "m", .left_out = "highest point of the medium",
     .meaning = "coordinate where s is 1"},
    {PC_KEY(motion, direction), PC_A_WORD, .words = PC_WORDS({"x", 0}, {"y", 1}, {"z", 2}),
     .noun = "direction", .otherwise = "x", .meaning = "direction of the flow"},
    {PC_KEY(motion, across), PC_A_WORD, .words = PC_WORDS({"x", 0}, {"y", 1}, {"z", 2}),
     .noun = "direction", .left_out = "in the plane the other axis, in space z",
     .meaning = "axis of s"},
    {0}};
static const pc_mapping profile_table = {"continuum_profile", "a profile of velocities",
                                         "A velocity profile across a flow.",
                                         .keys = {profile_keys}};

static void read_profile(const pc_fe_mesh *mesh, pc_node node, const double low[3],
                         const double high[3], motion *m)
{
  m->profiled = true;
  if (!pc_bind(&node, &profile_table, m))
    return;
  if (mesh->dimension == 1)
    pc_complain(node, "a profile needs a mesh in the plane or in space");
  if (!PC_GIVEN(node, motion, across))
    m->across = mesh->dimension == 3 ? 2 : 1 - m->direction;
  if (!pc_failed(node) && (m->direction >= mesh->dimension || m->across >= mesh->dimension))
    pc_complain(node, "a mesh in the plane has no z axis");
  if (!pc_failed(node) && m->direction == m->across)
    pc_complain(node, "'across' must differ from the direction of the flow");
  if (pc_failed(node)) // there may be no such axis
    return;
  pc_node to = PC_NODE(node, motion, to);
  if (!PC_GIVEN(node, motion, from))
    m->from = low[m->across];
  if (!pc_is_present(to))
    m->to = high[m->across];
  if (!pc_failed(node) && !(m->from < m->to))
    pc_complain(pc_at(to, node),
                "the profile goes from %g to %g m: 'to' must be greater than 'from'", m->from,
                m->to);
}

static void velocity_at(const motion *m, const double place[3], double velocity[3])
{
  if (!m->profiled) {
    double arm[3], turned[3];
    pc_sub3(place, m->centre, arm);
    pc_cross(m->spin, arm, turned);
    for (int k = 0; k < 3; k++)
      velocity[k] = m->velocity[k] + turned[k];
    return;
  }
  double s = (place[m->across] - m->from) / (m->to - m->from);
  double shape = m->shape == UNIFORM ? 1 : m->shape == LINEAR ? s : s * (2 - s);
  memset(velocity, 0, 3 * sizeof *velocity);
  velocity[m->direction] = m->speed * shape;
}

// Nodes that two media share have one velocity and one displacement.
static void set_start(pc_continuum *to, pc_node node, int medium, const motion *m, int *medium_of)
{
  const pc_fe_mesh *mesh = &to->mesh;
  double scale = fabs(m->velocity[0]) + fabs(m->velocity[1]) + fabs(m->velocity[2]) +
                 fabs(m->speed) + pc_fe_length(m->spin) * pc_fe_mesh_size(mesh);
  double strained = pc_fe_length(m->stretch) * pc_fe_mesh_size(mesh);
  for (int i = 0; i < mesh->body.count && !pc_failed(node); i++) {
    const pc_fe_cell *cell = &mesh->body.cell[i];
    if (cell->group != to->def.medium[medium].group)
      continue;
    for (int n = 0; n < pc_element_of(cell->type)->nodes && !pc_failed(node); n++) {
      int at = mesh->body.node[cell->first + n];
      double velocity[3], *known = to->velocity + at * mesh->dimension;
      double *moved = to->displacement + at * mesh->dimension;
      velocity_at(m, mesh->node[at], velocity);
      for (int k = 0; k < mesh->dimension; k++) {
        double shift = m->stretch[k] * mesh->node[at][k];
        bool same = fabs(known[k] - velocity[k]) <= 1e-9 * (scale + fabs(known[k])) &&
                    fabs(moved[k] - shift) <= 1e-9 * (strained + fabs(moved[k]));
        if (medium_of[at] >= 0 && !same) {
          pc_complain(node,
                      "'%s' and '%s' are joined at %s but have different velocities or stretches "
                      "there; do not join media that are to collide",
                      to->medium_name[medium_of[at]], to->medium_name[medium],
                      pc_fe_place_text(mesh, mesh->node[at]).text);
          return;
        }
        if (medium_of[at] < 0)
          known[k] = velocity[k], moved[k] = shift;
      }
      medium_of[at] = medium_of[at] < 0 ? medium : medium_of[at];
    }
  }
}

typedef struct medium_file {
  pc_fe_medium medium;
  pc_fe_solid solid;
  pc_node velocity, stretch, heat;
  double spin[3], dynamic;
} medium_file;
static const pc_key medium_keys[] = {
    {"fluid", PC_INTO(medium_file, medium.fluid), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: incompressible fluid"},
    {"density", PC_INTO(medium_file, medium.density), PC_A_NUMBER, true, .unit = "kg/m³",
     PC_POSITIVE, .meaning = "density"},
    {"viscosity", PC_INTO(medium_file, medium.strain), PC_A_NUMBER, .unit = "kg/m", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "k of the impulse stress 2 k D(U⁺ + U⁻); without it, results for a solid depend on "
                "the mesh"},
    {"dynamic_viscosity", PC_INTO(medium_file, dynamic), PC_A_NUMBER, .unit = "Pa s",
     PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "viscosity μ of the stress 2 μ D(U) between collisions, with a `duration`; for a "
                "solid, its internal damping"},
    {"volume_viscosity", PC_INTO(medium_file, medium.volume), PC_A_NUMBER, .unit = "kg/m",
     PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "k̂ of the impulse stress k̂ div(U⁺ + U⁻) 1; for solids"},
    {"young", PC_INTO(medium_file, solid.young), PC_A_NUMBER, .unit = "Pa", PC_NOT_NEGATIVE,
     .left_out = "needed with a `duration`", .meaning = "Young's modulus; for solids in motion"},
    {"bulk", PC_INTO(medium_file, solid.bulk), PC_A_NUMBER, .unit = "Pa", PC_POSITIVE,
     .left_out = "a solid",
     .meaning = "bulk modulus of a compressible fluid, instead of `young`: pressure −K div u, no "
                "shear stiffness, small displacements. With a `duration`, and quadrangles or "
                "hexahedra of `order: 1`"},
    {"poisson", PC_INTO(medium_file, solid.poisson), PC_A_NUMBER, PC_FROM(-0.999, 0.4999),
     .otherwise = "0", .meaning = "Poisson's ratio"},
    {"thin", PC_INTO(medium_file, solid.thin), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: plane stress; false: plane strain. With a `duration`"},
    {PC_KEY(medium_file, velocity), PC_NUMBERS | PC_A_MAPPING, .unit = "m/s", .count = {1, 3},
     .mapping = &profile_table, .left_out = "it rests",
     .meaning = "velocity before the collision: uniform, or a profile"},
    {PC_KEY(medium_file, spin), PC_A_NUMBER | PC_NUMBERS, .unit = "rad/s", .count = {3, 3},
     .otherwise = "0",
     .meaning = "angular velocity before the collision about the centre of mass: in the plane one "
                "number, counter-clockwise; in space a vector. For solids"},
    {PC_KEY(medium_file, stretch), PC_NUMBERS, .count = {1, 3}, .left_out = "none",
     .meaning = "initial strain along the axes: displacements are the strain times the coordinate. "
                "For solids, with a `duration`"},
    {PC_KEY(medium_file, heat), PC_A_MAPPING, .mapping = &pc_table_continuum_heat,
     .left_out = "no temperature", .meaning = "temperature and phases"},
    {0}};
const pc_mapping pc_table_continuum_medium = {
    "continuum_medium", "a medium",
    "Material of the elements of a group, and their motion before the collision.",
    .keys = {medium_keys}};

// What a fluid cannot have.
static void check_fluid(const pc_fe_mesh *mesh, pc_node node, const medium_file *file)
{
  if (file->medium.volume != 0)
    pc_complain(PC_NODE(node, medium_file, medium.volume),
                "a fluid is incompressible: remove 'volume_viscosity'");
  if (file->solid.young > 0)
    pc_complain(PC_NODE(node, medium_file, solid.young),
                "'young' applies to solids, but this medium has 'fluid: true'");
  if (PC_GIVEN(node, medium_file, solid.poisson) || PC_GIVEN(node, medium_file, solid.thin))
    pc_complain(node, "'poisson' and 'thin' apply to solids, but this medium has 'fluid: true'");
  if (!pc_failed(node) && has_linear_elements(mesh, file->medium.group))
    pc_complain(PC_NODE(node, medium_file, medium.fluid),
                "a fluid needs quadratic elements: set 'order: 2' in the mesh");
}

// A fluid that is compressed.
static void check_bulk(const pc_fe_mesh *mesh, pc_node node, const medium_file *file)
{
  pc_node bulk = PC_NODE(node, medium_file, solid.bulk);
  if (pc_failed(node) || !pc_is_present(bulk))
    return;
  if (file->medium.fluid)
    pc_complain(bulk, "'fluid: true' is incompressible and cannot have 'bulk'");
  else if (file->solid.young > 0)
    pc_complain(bulk, "'young' and 'bulk' cannot be combined");
  else if (has_other_elements(mesh, file->medium.group))
    pc_complain(
        bulk,
        "a medium with 'bulk' needs linear quadrangles or hexahedra: set 'order: 1' in the mesh");
}

static void read_medium(pc_continuum *to, pc_node name, pc_node node, int number, medium_file *file,
                        int *medium_of)
{
  const pc_fe_mesh *mesh = &to->mesh;
  pc_fe_medium *medium = &file->medium;
  int group = pc_continuum_find_group(mesh, mesh->dimension, name);
  to->medium_name[number] = pc_continuum_copy_name(to, name);
  if (!pc_bind(&node, &pc_table_continuum_medium, file))
    return;
  medium->group = file->solid.group = group;
  file->solid.density = medium->density;
  file->solid.strain = medium->strain;
  file->solid.volume = medium->volume;
  if (medium->fluid)
    check_fluid(mesh, node, file);
  if (pc_failed(node))
    return;
  pc_node spin = PC_NODE(node, medium_file, spin);
  motion m = {.spin = {0}};
  pc_continuum_read_spin(mesh, spin, file->spin, m.spin);
  if (pc_fe_length(m.spin) > 0 && (medium->fluid || mesh->dimension == 1))
    pc_complain(spin, "%s",
                medium->fluid ? "a fluid cannot have a spin; use a velocity profile"
                              : "in one dimension nothing rotates");
  double low[3], high[3];
  measure_medium(mesh, group, low, high, m.centre);
  if (pc_is_mapping(file->velocity)) {
    read_profile(mesh, file->velocity, low, high, &m);
  } else if (pc_is_present(file->velocity)) {
    pc_read_vector(file->velocity, 1, 3, m.velocity);
    pc_continuum_check_components(mesh, file->velocity);
  }
  if (!pc_failed(node) && m.profiled && pc_fe_length(m.spin) > 0)
    pc_complain(spin, "a velocity profile and a spin cannot be combined");
  if (pc_is_present(file->stretch)) {
    pc_read_vector(file->stretch, 1, 3, m.stretch);
    pc_continuum_check_components(mesh, file->stretch);
    for (int k = 0; k < mesh->dimension; k++)
      if (m.stretch[k] <= -1)
        pc_complain(file->stretch, "'stretch' must be greater than -1 (got %g)", m.stretch[k]);
  }
  check_bulk(mesh, node, file);
  pc_node dynamic = PC_NODE(node, medium_file, dynamic);
  bool moves = medium->fluid || file->solid.bulk > 0 || file->solid.young > 0;
  if (!pc_failed(node) && pc_is_present(dynamic) && !moves)
    pc_complain(dynamic, "'dynamic_viscosity' requires a fluid, or a solid with 'young'");
  if (medium->fluid)
    to->flow.viscosity = file->dynamic;
  file->solid.viscosity = file->dynamic;
  to->def.media = number + 1;
  ((pc_fe_medium *)to->def.medium)[number] = *medium;
  if (!pc_failed(node))
    set_start(to, node, number, &m, medium_of);
}

// All elements are of some medium.
static void check_media(const pc_continuum *to, pc_node node)
{
  const pc_fe_mesh *mesh = &to->mesh;
  const pc_fe_medium *medium = to->def.medium;
  int count = to->def.media;
  for (int i = 0; i < mesh->body.count && !pc_failed(node); i++) {
    int group = mesh->body.cell[i].group;
    bool has = false;
    for (int k = 0; k < count && !has; k++)
      has = medium[k].group == group;
    if (!has && mesh->group[group].name[0] == 0)
      pc_complain(node, "some elements of the mesh are in no physical group, so they have no "
                        "medium; put every element in a physical group");
    else if (!has)
      pc_complain(node, "the elements '%s' have no medium; describe them in 'media'",
                  pc_text_path(mesh->group[group].name).text);
  }
}

void pc_continuum_read_media(pc_continuum *to, pc_continuum_file *file)
{
  pc_node node = file->media;
  int count = pc_read_pairs(node, "'media'"), nodes = to->mesh.nodes;
  pc_fe_solid *solid = pc_continuum_take(to, node, count, sizeof *solid);
  int *medium_of = pc_continuum_take(to, node, nodes, sizeof *medium_of);
  to->velocity = pc_continuum_take(to, node, nodes * to->mesh.dimension, sizeof *to->velocity);
  to->displacement =
      pc_continuum_take(to, node, nodes * to->mesh.dimension, sizeof *to->displacement);
  to->def.medium = pc_continuum_take(to, node, count, sizeof *to->def.medium);
  to->medium_name = pc_continuum_take(to, node, count, sizeof *to->medium_name);
  to->motion.solid = solid;
  file->heat = pc_continuum_take(to, node, count, sizeof *file->heat);
  for (int i = 0; i < nodes && medium_of != NULL; i++)
    medium_of[i] = -1; // the first medium that gave the node a velocity
  for (int i = 0; i < count && !pc_failed(node); i++) {
    medium_file medium = {.spin = {0}};
    read_medium(to, pc_pair_key(node, i), pc_pair_value(node, i), i, &medium, medium_of);
    solid[i] = medium.solid;
    file->heat[i] = medium.heat;
    if (pc_is_present(medium.stretch))
      file->stretch = medium.stretch;
  }
  check_media(to, node);
}
