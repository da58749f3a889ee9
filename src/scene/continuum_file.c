// `kind: continuum` files -> pc_continuum: a mesh, media, bodies and what acts between them.
#include "scene/continuum_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/small.h"
#include "scene/rigid_file.h"
#include "scene/scene_file.h"
#include "scene/sweep.h"
#include "scene/views.h"

// Which of the words a list has.
static void read_words(pc_node node, const char *what, const char *words, int count, bool *has)
{
  int given = pc_read_list(node, what);
  for (int i = 0; i < count; i++)
    has[i] = false;
  if (!pc_failed(node) && given == 0)
    pc_complain(node, "the list is empty");
  for (int i = 0; i < given && !pc_failed(node); i++) {
    int word = pc_read_word_of(pc_item(node, i), what, words);
    if (!pc_failed(node) && has[word])
      pc_complain(pc_item(node, i), "'%s' is listed twice", pc_node_text(pc_item(node, i)).text);
    if (!pc_failed(node))
      has[word] = true;
  }
}

typedef struct body_file {
  pc_node name, held, orientation;
  double radius, size[3]; // 0: not given
  pc_fe_body body;
  double velocity[3], spin[3];
} body_file;
static const pc_key body_keys[] = {
    {PC_KEY(body_file, name), PC_A_NAME, true, .meaning = "name, for contacts"},
    {"mass", PC_INTO(body_file, body.mass), PC_A_NUMBER, true,
     .unit = "kg, in the plane kg/m, on a line kg/m²", PC_POSITIVE,
     .meaning = "mass; in the plane per metre of depth, on a line per cross-section area"},
    {"inertia", PC_INTO(body_file, body.moments), PC_A_NUMBER | PC_NUMBERS,
     .unit = "kg m², in the plane kg m", .count = {3, 3}, PC_POSITIVE,
     .left_out = "required unless the spin is held or the body has a shape",
     .meaning = "moment of inertia about the centre, in the plane per metre of depth; in space "
                "about x, y and z, or one number for all"},
    {"centre", PC_INTO(body_file, body.centre), PC_NUMBERS, .unit = "m", .count = {1, 3},
     .left_out = "the origin", .meaning = "centre of mass"},
    {PC_KEY(body_file, velocity), PC_NUMBERS, .unit = "m/s", .count = {1, 3}, .left_out = "at rest",
     .meaning = "velocity before the collision"},
    {PC_KEY(body_file, spin), PC_A_NUMBER | PC_NUMBERS, .unit = "rad/s", .count = {3, 3},
     .otherwise = "0",
     .meaning = "angular velocity before the collision: in the plane one number, "
                "counter-clockwise; in space a vector"},
    {PC_KEY(body_file, radius), PC_A_NUMBER, .unit = "m", PC_POSITIVE, .left_out = "not a ball",
     .meaning = "with a `duration`: the body is a ball, in the plane a disc, about its centre"},
    {PC_KEY(body_file, size), PC_NUMBERS, .unit = "m", .count = {2, 3}, PC_POSITIVE,
     .left_out = "not a box",
     .meaning = "with a `duration`: the body is a box, in the plane a rectangle, with these edges"},
    {PC_KEY(body_file, orientation), PC_NUMBERS | PC_A_MAPPING, .count = {4, 4},
     .variants = pc_table_orientations, .otherwise = "[1, 0, 0, 0]",
     .meaning = "with a `duration`, for bodies that meet solids: initial orientation of the shape, "
                "as a quaternion [w, x, y, z] or a rotation"},
    {PC_KEY(body_file, held), PC_NAMES, .count = {1, 4}, .left_out = "it is free",
     .meaning =
         "components of the motion (`x`, `y`, `z`, `spin`) that are held fixed in the collision"},
    {0}};
static const pc_mapping body_table = {
    "continuum_body", "a rigid body",
    "A rigid body that collides with the mesh. In a single collision the contacts define its "
    "outline; with a `duration` it has a shape and moves.",
    .keys = {body_keys}};

// The shape of a body in a motion; NULL if it has none, or after a complaint.
static pc_shape *read_shape(const pc_fe_mesh *mesh, pc_node node, const body_file *file)
{
  pc_error reason = {.status = PC_OK};
  pc_node size = PC_NODE(node, body_file, size);
  pc_continuum_check_components(mesh, size);
  if (file->radius > 0 && pc_is_present(size))
    pc_complain(size, "'radius' and 'size' cannot be combined");
  if (pc_failed(node) || (file->radius == 0 && !pc_is_present(size)))
    return NULL;
  pc_shape *shape;
  if (mesh->dimension == 1) {
    pc_complain(node, "in one dimension bodies have no shape");
    return NULL;
  }
  if (file->radius > 0) {
    shape = mesh->dimension == 3 ? pc_shape_sphere(file->radius, &reason)
                                 : pc_shape_disc(file->radius, &reason);
  } else if (mesh->dimension == 3) {
    shape = pc_shape_box(file->size, &reason);
  } else {
    double x = file->size[0] / 2, y = file->size[1] / 2;
    const double corner[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
    shape = pc_shape_polygon(4, corner, true, &reason);
  }
  if (shape == NULL)
    pc_complain(node, "%s", reason.text);
  return shape;
}

// Moments of inertia of a body of even density.
static void find_moments(const pc_shape *shape, double mass, double moments[3])
{
  pc_mass_properties of = pc_shape_mass(shape);
  for (int k = 0; k < 3; k++)
    moments[k] = mass / of.volume * of.inertia[pc_shape_dimension(shape) == 3 ? 4 * k : 8];
}

static void read_body(pc_continuum *to, pc_node node, int number, pc_fe_body *body, pc_node *turned)
{
  body_file file = {.body = {.moments = {1, 1, 1}}};
  if (!pc_bind(&node, &body_table, &file))
    return;
  to->body_name[number] = pc_continuum_copy_name(to, file.name);
  for (int i = 0; i < number && !pc_failed(node); i++)
    if (strcmp(to->body_name[i], to->body_name[number]) == 0)
      pc_complain(file.name, "two bodies are named '%s'; names must be unique",
                  pc_node_text(file.name).text);
  pc_continuum_check_components(&to->mesh, PC_NODE(node, body_file, body.centre));
  pc_continuum_check_components(&to->mesh, PC_NODE(node, body_file, velocity));
  *body = file.body;
  pc_shape *shape = to->body_shape[number] = read_shape(&to->mesh, node, &file);
  if (shape != NULL && !PC_GIVEN(node, body_file, body.moments))
    find_moments(shape, body->mass, body->moments);
  body->inertia = body->moments[0];
  to->body_attitude[number][0] = 1;
  pc_rigid_read_orientation(to->mesh.dimension, file.orientation, to->body_attitude[number]);
  if (pc_is_present(file.orientation))
    *turned = file.orientation;
  bool space = to->mesh.dimension == 3, held[4] = {false};
  int spin = space ? 3 : 2; // where the spins begin
  double spins[3], *velocity = to->body_velocity[number];
  pc_continuum_read_spin(&to->mesh, PC_NODE(node, body_file, spin), file.spin, spins);
  memcpy(velocity, file.velocity, (size_t)spin * sizeof *velocity);
  for (int k = spin; k < (space ? 6 : 3); k++)
    velocity[k] = spins[space ? k - 3 : 2];
  if (pc_is_present(file.held))
    read_words(file.held, "motion of a body", space ? "x y z spin" : "x y spin", spin + 1, held);
  for (int k = 0; k < PC_FE_BODY; k++)
    body->held[k] = held[k < spin ? k : spin];
  if (to->mesh.dimension == 1)
    body->held[2] = true;
  if (!PC_GIVEN(node, body_file, body.moments) && !body->held[spin] && shape == NULL)
    pc_complain(
        node,
        "a body needs a shape ('radius' or 'size') or the key 'inertia', unless its spin is held");
}

static void read_bodies(pc_continuum *to, pc_continuum_file *all)
{
  pc_node list = all->bodies;
  pc_entries e = pc_entries_of(list);
  pc_fe_body *body = pc_continuum_take(to, list, e.count, sizeof *body);
  to->body_name = pc_continuum_take(to, list, e.count, sizeof *to->body_name);
  to->body_velocity = pc_continuum_take(to, list, e.count, sizeof *to->body_velocity);
  to->body_attitude = pc_continuum_take(to, list, e.count, sizeof *to->body_attitude);
  to->body_shape = pc_continuum_take(to, list, e.count, sizeof *to->body_shape);
  to->body = pc_continuum_take(to, list, e.count, sizeof *to->body);
  to->def.body = body;
  while (pc_next(&e)) {
    to->def.bodies = e.index + 1; // also after a complaint: its shape is to be released
    read_body(to, e.node, e.index, &body[e.index], &all->turned);
  }
}

static int find_body(const pc_continuum *to, const char *name)
{
  for (int i = 0; i < to->def.bodies; i++)
    if (strcmp(to->body_name[i], name) == 0)
      return i;
  return -1;
}

static int find_sides(const pc_continuum *to, pc_node name)
{
  return pc_continuum_find_group(&to->mesh, to->mesh.dimension - 1, name);
}

// What the sides meet: a body, other sides, or the ground. In one collision the nodes of both sides
// must match; in a motion (`moves`) they come from elsewhere.
static void read_opposite(const pc_continuum *to, pc_node node, bool moves, pc_fe_contact *contact)
{
  contact->body = contact->other = -1;
  const char *name = pc_is_present(node) ? pc_read_name(node) : "ground";
  if (pc_failed(node) && pc_is_present(node))
    return;
  contact->body = find_body(to, name);
  if (contact->body >= 0)
    return;
  bool sides = pc_continuum_has_group(&to->mesh, to->mesh.dimension - 1, name);
  if (!sides && strcmp(name, "ground") == 0)
    return;
  if (!sides) {
    pc_complain(node, "unknown '%s': expected the name of a body, the name of sides, or 'ground'",
                pc_node_text(node).text);
    return;
  }
  contact->other = find_sides(to, node);
  int *partner = pc_allocate(node, to->mesh.nodes, sizeof *partner);
  pc_error reason = {.status = PC_OK};
  if (contact->other == contact->sides)
    pc_complain(node, "'%s' cannot be in contact with itself", name);
  else if (partner != NULL && !moves &&
           pc_fe_mesh_match(&to->mesh, contact->sides, contact->other, partner, &reason) != PC_OK)
    pc_complain(node, "%s", reason.text);
  free(partner);
}

static const pc_key ground_keys[] = {
    {PC_KEY(pc_fe_wall, direction), PC_NUMBERS, .count = {1, 3},
     .left_out = "upwards; in one dimension to the right",
     .meaning = "direction out of the ground; need not have length 1"},
    {PC_KEY(pc_fe_wall, offset), PC_A_NUMBER, .unit = "m", .otherwise = "0",
     .meaning =
         "position along the unit direction: the ground is where direction · x has this value"},
    {0}};
static const pc_mapping ground_table = {
    "continuum_ground", "the ground of a contact",
    "A fixed plane that sides can collide with; requires a `duration`.", .keys = {ground_keys}};
typedef struct contact_file {
  pc_node name, sides, with, ground, face, heat;
  pc_fe_contact contact;
  double drag;
} contact_file;
static const pc_key contact_keys[] = {
    {PC_KEY(contact_file, name), PC_A_NAME, .left_out = "name of the sides",
     .meaning = "name in results"},
    {PC_KEY(contact_file, sides), PC_A_NAME, true, .meaning = "a group of sides"},
    {PC_KEY(contact_file, with), PC_A_NAME, .otherwise = "ground",
     .meaning = "what the sides touch: a body, other sides, or `ground`, which is fixed. Without a "
                "`duration`, nodes of other sides must coincide with those of these sides"},
    {"normal", PC_INTO(contact_file, contact.normal), PC_A_NUMBER, .unit = "kg/m²", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "k_N of the impulse k_N (w_N⁺ + w_N⁻) N, with w the relative velocity"},
    {"tangential", PC_INTO(contact_file, contact.tangential), PC_A_NUMBER, .unit = "kg/m²",
     PC_NOT_NEGATIVE, .otherwise = "0", .meaning = "k_T of the impulse k_T (w_T⁺ + w_T⁻)"},
    {"condition", PC_INTO(contact_file, contact.condition), PC_A_WORD,
     .words = PC_WORDS({"loose", PC_FE_LOOSE}, {"unilateral", PC_FE_UNILATERAL},
                       {"bilateral", PC_FE_BILATERAL}),
     .noun = "condition", .otherwise = "unilateral",
     .meaning = "condition after the collision: `loose` none, `unilateral` no penetration, "
                "`bilateral` neither penetration nor separation; with a `duration`, `bilateral` "
                "sides that have met a body or other sides stay in contact along N"},
    {PC_KEY(contact_file, ground), PC_A_MAPPING, .mapping = &ground_table, .otherwise = "{}",
     .meaning =
         "position of the ground, with a `duration`; without one, the sides already touch it"},
    {PC_KEY(contact_file, face), PC_A_MAPPING, .mapping = &pc_table_continuum_face,
     .left_out = "between the ends of the sides",
     .meaning = "face of the body that hits the free surface of a fluid, with a `duration`"},
    {PC_KEY(contact_file, drag), PC_A_NUMBER, .unit = "Pa s/m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning =
         "k of the tangential stress k w_T on a fluid between collisions, with a `duration`"},
    {"lumped", PC_INTO(contact_file, contact.lumped), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: k_N and k_T act at the nodes instead of being integrated over the sides"},
    {PC_KEY(contact_file, heat), PC_A_MAPPING, .mapping = &pc_table_continuum_contact_heat,
     .otherwise = "{}", .meaning = "heat exchange between media with `heat`"},
    {0}};
static const pc_mapping contact_table = {"continuum_contact", "a contact",
                                         "A contact surface. N is the outward normal of its sides.",
                                         .keys = {contact_keys}};

static void read_contact(pc_continuum *to, contact_file *file, pc_node node, int number, bool moves,
                         pc_fe_wall *wall)
{
  if (!pc_bind(&node, &contact_table, file))
    return;
  int dimension = to->mesh.dimension;
  pc_fe_contact *contact = &file->contact;
  const char **names = to->contact_name;
  contact->sides = find_sides(to, file->sides);
  names[number] = pc_continuum_copy_name(to, pc_at(file->name, file->sides));
  for (int i = 0; i < number && !pc_failed(node); i++)
    if (strcmp(names[i], names[number]) == 0)
      pc_complain(node, "two contacts are named '%s'; give one of them another 'name'",
                  pc_text_path(names[number]).text);
  if (!pc_failed(node))
    read_opposite(to, file->with, moves, contact);
  *wall = (pc_fe_wall){.sides = contact->sides,
                       .direction = {dimension == 1, dimension == 2, dimension == 3},
                       .normal = contact->normal,
                       .tangential = contact->tangential};
  pc_node ground = file->ground;
  if (!pc_bind(&ground, &ground_table, wall))
    return;
  pc_node direction = PC_NODE(ground, pc_fe_wall, direction);
  pc_continuum_check_components(&to->mesh, direction);
  double length = pc_fe_length(wall->direction);
  if (!pc_failed(node) && !(length > 0 && isfinite(length)))
    pc_complain(direction, "the direction must be finite and not zero");
}

static void read_contacts(pc_continuum *to, pc_continuum_file *file)
{
  pc_entries e = pc_entries_of(file->contacts);
  bool moves = PC_GIVEN(file->root, pc_scene, duration);
  pc_fe_contact *contact = pc_continuum_take(to, file->root, e.count, sizeof *contact);
  pc_fe_wall *wall = pc_continuum_take(to, file->root, e.count, sizeof *wall);
  to->contact_name = pc_continuum_take(to, file->root, e.count, sizeof *to->contact_name);
  to->state = pc_continuum_take(to, file->root, e.count, sizeof *to->state);
  file->contact_heat = pc_continuum_take(to, file->root, e.count, sizeof *file->contact_heat);
  file->face = pc_continuum_take(to, file->root, e.count, sizeof *file->face);
  pc_fe_flow_contact *flow = pc_continuum_take(to, file->root, e.count, sizeof *flow);
  to->def.contact = contact;
  to->flow.contact = flow;
  to->motion.wall = wall;
  while (pc_next(&e)) {
    contact_file one = {.contact = {.sides = 0}};
    read_contact(to, &one, e.node, e.index, moves, &wall[e.index]);
    contact[e.index] = one.contact;
    file->contact_heat[e.index] = one.heat;
    file->face[e.index] = one.face;
    flow[e.index] = (pc_fe_flow_contact){.sides = one.contact.sides,
                                         .body = one.contact.body,
                                         .normal = one.contact.normal,
                                         .tangential = one.contact.tangential,
                                         .drag = one.drag};
    to->def.contacts = e.index + 1;
  }
}

// Elements fit side to side, but where solids meet in a motion.
static void check_fit(pc_continuum *to, const pc_continuum_file *file)
{
  pc_error reason = {.status = PC_OK};
  int pairs = 0;
  int(*pair)[2] = pc_continuum_take(to, file->root, to->def.contacts, sizeof *pair);
  if (pc_failed(file->root))
    return;
  for (int i = 0; i < to->def.contacts && PC_GIVEN(file->root, pc_scene, duration); i++)
    if (to->def.contact[i].other >= 0) {
      pair[pairs][0] = to->def.contact[i].sides;
      pair[pairs++][1] = to->def.contact[i].other;
    }
  if (pc_fe_mesh_check_conforming(&to->mesh, pairs, (const int(*)[2])pair, &reason) != PC_OK)
    pc_complain(file->mesh, "%s", reason.text);
}

typedef struct hold_file {
  pc_node sides, components;
  double point[3];
  bool kept;
} hold_file;
static const pc_key hold_keys[] = {
    {PC_KEY(hold_file, sides), PC_A_NAME, .left_out = "required without a `point`",
     .meaning = "a group of sides"},
    {PC_KEY(hold_file, point), PC_NUMBERS, .unit = "m", .count = {1, 3},
     .left_out = "required without `sides`",
     .meaning = "position of a node to hold: a hinge about which a solid can rotate"},
    {"velocity", PC_INTO(hold_file, kept), PC_A_WORD,
     .words = PC_WORDS({"0", false}, {"kept", true}), .noun = "velocity", .otherwise = "0",
     .meaning = "velocity after the collision: `0`, or `kept` for that before the collision"},
    {PC_KEY(hold_file, components), PC_NAMES, .count = {1, 3}, .left_out = "all",
     .meaning = "components (`x`, `y`, `z`) that are prescribed"},
    {0}};
static const pc_mapping hold_table = {
    "continuum_hold", "an entry of 'hold'",
    "Prescribed velocities, for example on rigid soil or at an inflow. Where sides of several "
    "entries meet, the first entry applies.",
    .keys = {hold_keys}};

// The node at a place.
static int find_node(const pc_fe_mesh *mesh, pc_node node, const double point[3])
{
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < mesh->nodes; i++) {
    double arm[3];
    pc_sub3(mesh->node[i], point, arm);
    if (pc_fe_length(arm) < least) {
      least = pc_fe_length(arm);
      best = i;
    }
  }
  if (least > 1e-6 * pc_fe_mesh_size(mesh))
    pc_complain(node, "no node at %s; the nearest is at %s", pc_fe_place_text(mesh, point).text,
                pc_fe_place_text(mesh, mesh->node[best]).text);
  return best;
}

// What an entry holds: sides or a node.
static void read_held(const pc_continuum *to, pc_node node, const hold_file *file, pc_fe_hold *hold)
{
  pc_node point = PC_NODE(node, hold_file, point);
  hold->sides = -1;
  if (pc_is_present(point) == pc_is_present(file->sides)) {
    pc_complain(node, "an entry of 'hold' needs either 'sides' or 'point'");
  } else if (pc_is_present(file->sides)) {
    hold->sides = find_sides(to, file->sides);
  } else {
    pc_continuum_check_components(&to->mesh, point);
    if (!pc_failed(node))
      hold->node = find_node(&to->mesh, point, file->point);
  }
}

static void read_holds(pc_continuum *to, pc_node list)
{
  pc_entries e = pc_entries_of(list);
  int dimension = to->mesh.dimension;
  pc_fe_hold *hold = pc_continuum_take(to, list, e.count, sizeof *hold);
  to->def.hold = hold;
  while (pc_next(&e)) {
    hold_file file = {.point = {0}};
    if (!pc_bind(&e.node, &hold_table, &file))
      return;
    static const char *const words[] = {"x", "x y", "x y z"};
    bool has[3] = {true, true, true};
    pc_fe_hold *h = &hold[e.index];
    if (pc_is_present(file.components))
      read_words(file.components, "component", words[dimension - 1], dimension, has);
    *h = (pc_fe_hold){
        .x = has[0], .y = has[1] && dimension > 1, .z = has[2] && dimension > 2, .kept = file.kept};
    read_held(to, e.node, &file, h);
    for (int k = 0; k < e.index && !pc_failed(list); k++)
      if (hold[k].sides == h->sides && h->sides >= 0 &&
          ((hold[k].x && h->x) || (hold[k].y && h->y) || (hold[k].z && h->z)))
        pc_complain(e.node, "the sides '%s' are in two entries of 'hold'",
                    pc_node_text(file.sides).text);
    to->def.holds = e.index + 1;
  }
}

static const pc_key output_keys[] = {
    {"every", PC_INTO(pc_scene, frame_every), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "a 200th of the duration", .meaning = "time between frames"},
    PC_CSV_KEY("true: write RUN.csv with the energy balance and RUN-profile.csv with the profiles "
               "along the contacts"),
    PC_XDMF_KEY,
    PC_CHECKPOINT_KEY,
    {0}};
static const pc_mapping output_table = {"continuum_output", "'output' of a continuum",
                                        "What `percuss run` records.", .keys = {output_keys}};
static const pc_key head_keys[] = {
    PC_KIND_KEY("continuum"), PC_BASE_KEY, PC_TITLE_KEY, PC_SOURCE_KEY, {0}};
static const pc_key time_keys[] = {
    {PC_KEY(pc_scene, duration), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "a single collision at time 0",
     .meaning = "simulated time; elastic solids move and collide with the ground, each other and "
                "rigid bodies; a fluid flows and bodies fall on it"},
    {PC_KEY(pc_scene, step), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "required with a `duration`",
     .meaning = "time step; halved up to ten times (six times for a fluid) to locate a collision"},
    {0}};
static const pc_key continuum_keys[] = {
    {PC_KEY(pc_continuum_file, mesh), PC_A_MAPPING, true, .mapping = &pc_table_continuum_mesh,
     .meaning = "elements and their sides, in named groups"},
    {PC_KEY(pc_continuum_file, media), PC_PAIRS | PC_A_MAPPING, true,
     .mapping = &pc_table_continuum_medium,
     .meaning = "materials of the groups of elements, by group name"},
    {PC_KEY(pc_continuum_file, bodies), PC_A_LIST, .mapping = &body_table, .otherwise = "[]",
     .meaning = "rigid bodies"},
    {PC_KEY(pc_continuum_file, contacts), PC_A_LIST, .mapping = &contact_table, .otherwise = "[]",
     .meaning = "contact surfaces"},
    {PC_KEY(pc_continuum_file, hold), PC_A_LIST, .mapping = &hold_table, .otherwise = "[]",
     .meaning = "prescribed velocities"},
    {PC_KEY(pc_continuum_file, pushes), PC_A_LIST, .mapping = &pc_table_continuum_push,
     .otherwise = "[]", .meaning = "impulses and heat applied from outside"},
    {PC_KEY(pc_continuum_file, surfaces), PC_A_LIST, .mapping = &pc_table_continuum_surface,
     .otherwise = "[]", .meaning = "heat exchange at the surface of media with `heat`"},
    {PC_KEY(pc_continuum_file, tolerance), PC_A_NUMBER, PC_FROM(1e-15, 0.1), .otherwise = "1e-10",
     .meaning = "relative tolerance of the contact conditions"},
    {PC_KEY(pc_continuum_file, gravity), PC_NUMBERS, .unit = "m/s²", .count = {1, 3},
     .left_out = "none", .meaning = "gravity, with a `duration`"},
    {"deformation", PC_INTO(pc_continuum_file, large), PC_A_WORD,
     .words = PC_WORDS({"small", false}, {"large", true}), .noun = "deformation",
     .otherwise = "small",
     .meaning = "kinematics of solids with a `duration`: `small` for strains and rotations up to "
                "0.2 rad; `large` without a limit, at a higher cost"},
    {PC_KEY(pc_continuum_file, rest), PC_A_NUMBER, .unit = "m/s", PC_POSITIVE,
     .left_out = "a thousandth of the initial speed, or the speed that gravity gives in a step",
     .meaning = "nodes that reach the ground below this speed stay on it"},
    {PC_KEY(pc_continuum_file, reach), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "approaching nodes within this distance of the ground collide at the same time as "
                "the nodes that touch it"},
    {PC_KEY(pc_continuum_file, output), PC_A_MAPPING, .mapping = &output_table, .otherwise = "{}",
     .meaning = "what `percuss run` records"},
    PC_VIEWS_KEY(pc_continuum_file, &pc_table_continuum_view),
    {0}};
const pc_mapping pc_table_continuum = {
    "continuum", "a continuum file",
    "Collisions of deformable solids, fluids and rigid bodies on a mesh, for `percuss solve` and "
    "`percuss run`.",
    .keys = {head_keys, time_keys, continuum_keys, pc_keys_of_runs}};

static void read_continuum(pc_continuum *to, pc_continuum_file *file)
{
  pc_continuum_read_mesh(file->mesh, &to->mesh);
  if (pc_failed(file->root))
    return;
  to->def.mesh = &to->mesh;
  to->def.tolerance = file->tolerance;
  pc_continuum_read_media(to, file);
  read_bodies(to, file);
  read_contacts(to, file);
  check_fit(to, file);
  read_holds(to, file->hold);
  pc_continuum_read_heat(to, file);
  pc_continuum_read_pushes(to, file->pushes);
  bool moves = PC_GIVEN(file->root, pc_scene, duration);
  if (!pc_failed(file->root) && to->def.contacts == 0 && to->def.pushes == 0 && !moves)
    pc_complain(file->root, "nothing collides: add 'contacts' or 'pushes'");
}

static bool is_body(const void *context, const char *name)
{
  const pc_continuum *continuum = context;
  return pc_views_has_name(continuum->def.bodies, (char *const *)continuum->body_name, name);
}

void pc_continuum_read_file(pc_scene *scene, pc_node root)
{
  scene->continuum = calloc(1, sizeof *scene->continuum);
  if (scene->continuum == NULL) {
    pc_complain(root, "out of memory");
    return;
  }
  if (!pc_scene_read_head(scene, &root, PC_KIND_CONTINUUM, &pc_table_continuum))
    return;
  pc_continuum_file file = {.root = root};
  PC_BIND(&root, &pc_table_continuum, pc_continuum_file, &file);
  read_continuum(scene->continuum, &file);
  pc_continuum_read_motion(scene, &file);
  if (pc_failed(root))
    return;
  if (scene->duration == 0)
    scene->duration = scene->step = 1; // the one collision: a step that takes no time
  pc_scene_read_output(scene, &file.output, &output_table,
                       scene->continuum->moves ? scene->duration / 200 : scene->step);
  pc_scene_read_views(scene, file.views, &pc_table_continuum_view,
                      scene->continuum->mesh.dimension < 3, is_body, scene->continuum);
}

void pc_continuum_free(pc_continuum *continuum)
{
  if (continuum == NULL)
    return;
  pc_continuum_answer_free(&continuum->answer);
  for (int i = 0; continuum->body_shape != NULL && i < continuum->def.bodies; i++)
    pc_shape_release(continuum->body_shape[i]);
  pc_fe_mesh_free(&continuum->mesh);
  pc_arena_free(&continuum->memory);
  free(continuum);
}
