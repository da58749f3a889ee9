// `kind: impact` files -> pc_impact. scenes/README.md explains the keys.
#include "scene/impact_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/small.h"
#include "scene/laws.h"
#include "scene/names.h"
#include "scene/scene_file.h"
#include "scene/sweep.h"

// What the interactions need to know of the bodies.
typedef struct builder {
  pc_scene_impact *scene;
  pc_names names, interactions;
  int *dof; // of every body
} builder;

// The number of space coordinates of a body with so many degrees of freedom.
static int space_of(int dof)
{
  return dof == 1 ? 1 : dof == 6 ? 3 : 2;
}

static double determinant(const double *a)
{
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
         a[2] * (a[3] * a[7] - a[4] * a[6]);
}

static bool is_positive_definite(const double *a)
{
  double minor = a[0] * a[4] - a[1] * a[3];
  double scale = a[0] * a[4] * a[8];
  return a[0] > 0 && a[4] > 0 && a[8] > 0 && minor > 0 && determinant(a) > 1e-14 * scale;
}

// The largest eigenvalue of a symmetric matrix over its trace.
static double largest_share(const double *a)
{
  double trace = a[0] + a[4] + a[8], sum = 0, b[9];
  for (int i = 0; i < 9; i++) {
    b[i] = a[i] / trace - (i % 4 == 0 ? 1.0 / 3 : 0);
    sum += b[i] * b[i];
  }
  double size = sqrt(sum / 6);
  if (size < 1e-100)
    return 1.0 / 3;
  for (int i = 0; i < 9; i++)
    b[i] /= size;
  double half = determinant(b) / 2;
  return 1.0 / 3 + 2 * size * pc_cos(pc_acos(fmin(fmax(half, -1), 1)) / 3);
}

// Principal moments are sums of squares of distances: each is at most the sum of the other two.
static void check_moments(pc_node node, const double *inertia)
{
  double trace = inertia[0] + inertia[4] + inertia[8];
  if (pc_failed(node) || isinf(trace))
    return;
  double share = largest_share(inertia);
  if (share > 1 - share + 1e-9)
    pc_complain(node,
                "impossible inertia: the largest principal moment, %g, exceeds the sum of the "
                "other two, %g",
                share * trace, (1 - share) * trace);
}

// A number, three principal moments, or a matrix as three rows.
static void read_inertia_3d(pc_node node, double *inertia)
{
  double moments[3];
  if (!pc_is_sequence(node)) {
    moments[0] = moments[1] = moments[2] = pc_read_number(node);
  } else if (pc_read_list(node, "inertia") == 3 && pc_is_sequence(pc_item(node, 0))) {
    for (int i = 0; i < 3; i++)
      pc_read_vector_in(pc_item(node, i), 3, 3, pc_any(), inertia + 3 * i);
    double size = fmax(fabs(inertia[0]), fmax(fabs(inertia[4]), fabs(inertia[8])));
    for (int i = 0; i < 3 && !pc_failed(node); i++)
      for (int j = 0; j < i; j++) {
        if (fabs(inertia[3 * i + j] - inertia[3 * j + i]) > 1e-9 * size)
          pc_complain(node, "the inertia matrix must be symmetric: %g in row %d and %g in row %d",
                      inertia[3 * i + j], i + 1, inertia[3 * j + i], j + 1);
        double mean = (inertia[3 * i + j] + inertia[3 * j + i]) / 2;
        inertia[3 * i + j] = inertia[3 * j + i] = mean;
      }
    if (!pc_failed(node) && !is_positive_definite(inertia))
      pc_complain(node, "the inertia matrix must be positive definite");
    check_moments(node, inertia);
    return;
  } else {
    pc_read_vector(node, 3, 3, moments);
  }
  for (int i = 0; i < 3; i++)
    inertia[4 * i] = moments[i];
  check_moments(node, inertia);
}

typedef struct body_file {
  const char *id;
  pc_impact_body body;
  pc_node inertia, position, velocity, percussion; // as long as its degrees of freedom say
  pc_node heat[2];                                 // temperature and capacity
} body_file;
static const pc_key body_keys[] = {
    {PC_KEY(body_file, id), PC_A_NAME, true, .meaning = "its name"},
    {"dof", PC_INTO(body_file, body.dof), PC_AN_INTEGER, true, PC_FROM(1, 6),
     .meaning = "degrees of freedom: 1 [v]; 2 [vx, vy]; 3 [vx, vy, spin]; 6 [vx, vy, vz, wx, wy, "
                "wz]; not 4 or 5"},
    {"mass", PC_INTO(body_file, body.mass), PC_A_NUMBER, true, .unit = "kg",
     .range = {.kind = PC_ABOVE, .infinite = true},
     .meaning = "mass; a body of infinite mass keeps its velocity"},
    {PC_KEY(body_file, inertia), PC_A_NUMBER | PC_NUMBERS | PC_POINTS, .unit = "kg m²",
     .range = {.kind = PC_ABOVE, .infinite = true}, .count = {3, 3},
     .left_out = "required with dof 3 and 6; not allowed otherwise",
     .meaning = "moment of inertia: a number; with dof 6 also three principal moments, or the rows "
                "of a matrix in world axes"},
    {PC_KEY(body_file, position), PC_NUMBERS, .unit = "m", .count = {1, 3}, .left_out = "0",
     .meaning = "position of the centre of mass"},
    {PC_KEY(body_file, velocity), PC_NUMBERS, .unit = "m/s, rad/s", .count = {1, 6},
     .left_out = "0", .meaning = "velocity before the impact, dof numbers"},
    {PC_KEY(body_file, percussion), PC_NUMBERS, .unit = "N s, N m s", .count = {1, 6},
     .left_out = "0", .meaning = "external impulse (percussion), dof numbers"},
    {"temperature", PC_INTO(body_file, heat[0]), PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "required with `heat`; not allowed otherwise",
     .meaning = "temperature before the impact"},
    {"capacity", PC_INTO(body_file, heat[1]), PC_A_NUMBER, .unit = "J/K",
     .range = {.kind = PC_ABOVE, .infinite = true},
     .left_out = "required with `heat`; not allowed otherwise",
     .meaning = "heat capacity; a body of infinite capacity keeps its temperature"},
    {0}};
static const pc_mapping body_table = {"impact_body", "a body", "A body.", .keys = {body_keys}};

static void read_body(pc_node node, builder *to)
{
  body_file file = {.body = pc_impact_body_default()};
  pc_impact_body *body = &file.body;
  if (!pc_bind(&node, &body_table, &file))
    return;
  pc_scene_impact *scene = to->scene;
  int index = scene->bodies, dof = body->dof, space = space_of(dof);
  pc_node id = PC_NODE(node, body_file, id);
  if (dof == 4 || dof == 5)
    pc_complain(PC_NODE(node, body_file, body.dof), "'dof' must be 1, 2, 3 or 6 (got %d)", dof);
  bool turns = dof == 3 || dof == 6;
  memset(body->inertia, 0, sizeof body->inertia);
  if (turns && !pc_is_present(file.inertia))
    pc_complain(node, "body '%s' has dof %d and needs 'inertia'", pc_node_text(id).text, dof);
  else if (!turns && pc_is_present(file.inertia))
    pc_complain(file.inertia, "a body with dof %d does not rotate: remove 'inertia'", dof);
  else if (dof == 3)
    body->inertia[0] = pc_read_number(file.inertia);
  else if (dof == 6)
    read_inertia_3d(file.inertia, body->inertia);
  if (pc_is_present(file.position))
    pc_read_vector(file.position, space, space, body->position);
  pc_read_vector(file.velocity, dof, dof, body->velocity);
  if (pc_is_present(file.percussion))
    pc_read_vector(file.percussion, dof, dof, body->percussion);
  if (pc_failed(node))
    return;

  int named = pc_names_add(&to->names, file.id);
  if (named == -1)
    pc_complain(id, "two bodies have the id '%s'; ids must be unique", pc_node_text(id).text);
  else if (named < 0)
    pc_complain(node, "out of memory");
  else if (pc_impact_add_body(scene->problem, body) < 0)
    pc_complain(node, "body '%s': %s", pc_node_text(id).text, pc_impact_error(scene->problem));
  if (pc_failed(node))
    return;
  pc_read_impact_body_heat(node, pc_node_text(id).text, file.heat, index, scene);
  to->dof[index] = dof;
  memcpy(scene->before[index], body->velocity, sizeof body->velocity);
  memcpy(scene->position[index], body->position, sizeof body->position);
  scene->bodies++;
}

// Reads `bodies: [a, b]` or `[a]`; returns the dimension of the space they move in.
static int read_pair(pc_node node, const builder *from, pc_interaction *interaction)
{
  int count = pc_read_list(node, "'bodies' of an interaction"), space = 1;
  if (!pc_failed(node) && (count < 1 || count > 2))
    pc_complain(node, "an interaction needs one or two bodies (got %d)", count);
  for (int i = 0; i < count && !pc_failed(node); i++) {
    pc_node item = pc_item(node, i);
    const char *id = pc_read_name(item);
    int body = pc_failed(node) ? -1 : pc_names_find(&from->names, id);
    if (body < 0) {
      pc_complain(item, "unknown body id '%s'", pc_node_text(item).text);
      break;
    }
    int here = space_of(from->dof[body]);
    if (i == 1 && body == interaction->bodies[0])
      pc_complain(item, "body '%s' interacts with itself", pc_node_text(item).text);
    else if (i == 1 && here != space)
      pc_complain(
          item,
          "body '%s' (dof %d) and body '%s' (dof %d) have different dimensions and cannot interact",
          pc_node_text(pc_item(node, 0)).text, from->dof[interaction->bodies[0]],
          pc_node_text(item).text, from->dof[body]);
    interaction->bodies[i] = body;
    space = here;
  }
  return space;
}

typedef struct interaction_file {
  const char *id;
  pc_node bodies, point, normal, points, law, given, exchange;
  double bound;
} interaction_file;
static const pc_key bodies_keys[] = {
    {PC_KEY(interaction_file, id), PC_A_NAME,
     .left_out = "the ids of its bodies, `a-b` or `a-obstacle`, with ` 2`, ` 3`, … for further "
                 "interactions of the same bodies",
     .meaning = "name in tables and in the keys of `sweep`"},
    {PC_KEY(interaction_file, bodies), PC_NAMES, true, .count = {1, 2},
     .meaning = "one or two ids; with one id the body interacts with a fixed obstacle"},
    {0}};
static const pc_key common_keys[] = {
    {PC_KEY(interaction_file, bound), PC_A_NUMBER, .unit = "as for D", .otherwise = "0",
     .meaning = "b of the condition D⁺ >= b, or D⁺ = b of the law `bilateral`"},
    {PC_KEY(interaction_file, given), PC_A_NUMBER | PC_NUMBERS, .unit = "as for D", .count = {1, 6},
     .left_out = "0",
     .meaning = "velocity added to D, for a moving obstacle: minus the velocity of the obstacle; "
                "with rolling friction optionally followed by the spin"},
    {PC_KEY(interaction_file, exchange), PC_A_NUMBER, .unit = "J/K²", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "λ: entropy exchanged per kelvin of temperature difference; with `heat`"},
    {0}};
static const pc_key contact_keys[] = {
    {PC_KEY(interaction_file, point), PC_NUMBERS, .unit = "m", .count = {2, 3},
     .left_out = "required, except with dof 1", .meaning = "contact point"},
    {PC_KEY(interaction_file, normal), PC_NUMBERS, true, .count = {1, 3},
     .meaning = "normal from the second body to the first; with dof 1, [1] or [-1]"},
    {PC_KEY(interaction_file, law), PC_A_MAPPING, true, .mapping = &pc_table_contact_law,
     .meaning = "contact law"},
    {0}};
static const pc_mapping contact = {
    "contact_interaction", "a contact",
    "A contact point of two bodies. D is their relative velocity.",
    .keys = {(const pc_key[]){PC_TAG("type", "contact", "type of interaction"), {0}}, bodies_keys,
             contact_keys, common_keys},
    .value = PC_CONTACT};
static const pc_key distance_keys[] = {
    {PC_KEY(interaction_file, points), PC_POINTS, true, .unit = "m", .count = {1, 3},
     .meaning = "two points: A on the first body, B on the second"},
    {PC_KEY(interaction_file, law), PC_A_MAPPING, true, .variants = pc_table_distance_laws,
     .meaning = "law of the interaction"},
    {0}};
static const pc_mapping distance = {
    "distance_interaction", "a distance",
    "An interaction at a distance of two points, with D = 2 (V(A) − V(B)) · BA.",
    .keys = {(const pc_key[]){PC_TAG("type", "distance", "type of interaction"), {0}}, bodies_keys,
             distance_keys, common_keys},
    .value = PC_DISTANCE};
static const pc_key spin_keys[] = {{PC_KEY(interaction_file, law), PC_A_MAPPING, true,
                                    .variants = pc_table_spin_laws,
                                    .meaning = "law of the interaction"},
                                   {0}};
static const pc_mapping spin = {
    "spin_interaction", "a spin", "An interaction of two spins. D is their difference.",
    .keys = {(const pc_key[]){PC_TAG("type", "spin", "type of interaction"), {0}}, bodies_keys,
             spin_keys, common_keys},
    .value = PC_SPIN};
static const pc_mapping *const interactions[] = {&contact, &distance, &spin, NULL};

static void read_contact(pc_node node, const interaction_file *file, int space,
                         pc_interaction *interaction)
{
  pc_node point = file->point, normal = file->normal;
  pc_read_vector(normal, space, space, interaction->normal);
  double length = pc_norm(space, interaction->normal);
  if (!pc_failed(normal) && length < 1e-150)
    pc_complain(normal, "the normal must not be zero");
  if (space == 1) {
    if (!pc_failed(normal) && length != 1)
      pc_complain(normal, "the normal of bodies with dof 1 must be [1] or [-1]");
    if (pc_is_present(point))
      pc_complain(point, "a contact of bodies with dof 1 has no point: remove 'point'");
  } else if (!pc_is_present(point)) {
    pc_complain(node, "a contact needs the key 'point'");
  } else {
    pc_read_vector(point, space, space, interaction->point);
  }
  pc_node law = file->law;
  pc_law_file parts;
  if (pc_bind(&law, &pc_table_contact_law, &parts))
    pc_read_contact_law(&parts, space, &interaction->law);
}

static void read_distance(const interaction_file *file, int space, pc_interaction *interaction)
{
  pc_node points = file->points;
  if (pc_read_list(points, "'points'") != 2)
    pc_complain(points, "a distance interaction needs two points, one on each body");
  double difference[3] = {0};
  for (int i = 0; i < 2 && !pc_failed(points); i++)
    pc_read_vector(pc_item(points, i), space, space, interaction->points[i]);
  for (int i = 0; i < space; i++)
    difference[i] = interaction->points[0][i] - interaction->points[1][i];
  if (!pc_failed(points) && pc_norm(space, difference) == 0)
    pc_complain(points, "the two points must differ");
  pc_read_normal_law(file->law, "the law of a distance", &interaction->law.normal);
}

static void read_spin(pc_node node, const interaction_file *file, const builder *from,
                      pc_interaction *interaction)
{
  for (int i = 0; i < 2; i++) {
    int body = interaction->bodies[i];
    if (body >= 0 && from->dof[body] != 3 && from->dof[body] != 6)
      pc_complain(pc_item(file->bodies, i),
                  "body '%s' (dof %d) cannot rotate; a spin interaction needs dof 3 or 6",
                  from->names.names[body], from->dof[body]);
    if (body >= 0 && i == 1 && from->dof[body] != from->dof[interaction->bodies[0]])
      pc_complain(node, "the bodies of a spin interaction must have the same dof");
  }
  pc_read_normal_law(file->law, "the law of a spin", &interaction->law.normal);
}

// Whether the law has D+ >= b or D+ = b.
static bool takes_bound(const pc_interaction *interaction)
{
  pc_normal_kind kind = interaction->law.normal.kind;
  return kind == PC_NORMAL_BILATERAL ||
         (interaction->type == PC_CONTACT && kind != PC_NORMAL_PENETRABLE);
}

// The velocity that is given; with rolling friction the spin may follow.
static void read_given(pc_node node, int rows, pc_interaction *interaction)
{
  int spins = !interaction->law.tangential.rolls ? 0 : rows == 3 ? 3 : 1;
  int count = pc_read_vector(node, rows, rows + spins, interaction->given);
  if (!pc_failed(node) && count != rows && count != rows + spins)
    pc_complain(node, "expected %d numbers, or %d with the spin", rows, rows + spins);
}

// The id of the file, or one made from those of the bodies.
static void name_interaction(pc_node node, const char *given, const pc_interaction *interaction,
                             builder *to)
{
  char **bodies = to->names.names, name[160];
  int second = interaction->bodies[1], added = -1;
  if (given != NULL)
    added = pc_names_add(&to->interactions, pc_read_label(PC_NODE(node, interaction_file, id)));
  for (int k = 1; given == NULL && added == -1; k++) {
    int length = snprintf(name, sizeof name, "%.60s-%.60s", bodies[interaction->bodies[0]],
                          second < 0 ? "obstacle" : bodies[second]);
    if (k > 1)
      snprintf(name + length, sizeof name - (size_t)length, " %d", k);
    added = pc_names_add(&to->interactions, name);
  }
  if (added == -1)
    pc_complain(PC_NODE(node, interaction_file, id),
                "two interactions have the id '%s'; ids must be unique",
                pc_node_text(PC_NODE(node, interaction_file, id)).text);
  else if (added < 0)
    pc_complain(node, "out of memory");
}

static void read_interaction(pc_node node, builder *to)
{
  interaction_file file = {.bound = 0};
  if (pc_bind_variant(&node, "an interaction", "type", &file) < 0)
    return;
  pc_interaction interaction = pc_interaction_default((pc_interaction_type)node.mapping->value);
  interaction.bodies[0] = interaction.bodies[1] = PC_OBSTACLE;
  int space = read_pair(file.bodies, to, &interaction);
  if (pc_failed(node))
    return;
  int rows = space;
  if (interaction.type == PC_CONTACT) {
    read_contact(node, &file, space, &interaction);
  } else if (interaction.type == PC_DISTANCE) {
    read_distance(&file, space, &interaction);
    rows = 1;
  } else {
    read_spin(node, &file, to, &interaction);
    rows = space == 3 ? 3 : 1;
  }
  pc_node given = file.given;
  interaction.bound = file.bound;
  if (file.bound != 0 && !takes_bound(&interaction))
    pc_complain(PC_NODE(node, interaction_file, bound),
                "'bound' requires a unilateral contact law or the law 'bilateral'");
  if (pc_is_present(given) && rows == 1 && !pc_is_sequence(given))
    interaction.given[0] = pc_read_number(given);
  else if (pc_is_present(given))
    read_given(given, rows, &interaction);
  if (pc_failed(node))
    return;
  int index = pc_impact_add_interaction(to->scene->problem, &interaction);
  if (index < 0) {
    pc_complain(node, "%s", pc_impact_error(to->scene->problem));
    return;
  }
  memcpy(to->scene->pairs[index], interaction.bodies, sizeof interaction.bodies);
  memcpy(to->scene->point[index], interaction.point, sizeof interaction.point);
  memcpy(to->scene->normal[index], interaction.normal, sizeof interaction.normal);
  name_interaction(node, file.id, &interaction, to);
  pc_read_impact_exchange(file.exchange, index, to->scene);
}

typedef struct problem_file {
  pc_node bodies, interactions, heat;
  bool quasi_static;
} problem_file;
static const pc_key problem_keys[] = {
    PC_TITLE_KEY,
    PC_SOURCE_KEY,
    {PC_KEY(problem_file, bodies), PC_A_LIST, true, .mapping = &body_table,
     .meaning = "bodies, at least one"},
    {PC_KEY(problem_file, interactions), PC_A_LIST | PC_NOTHING, .variants = interactions,
     .otherwise = "[]",
     .meaning = "interactions; all of them act, whatever the velocity before the collision"},
    {PC_KEY(problem_file, quasi_static), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: neglect inertia"},
    {0}};
// Files have temperatures, problems of experiments do not.
static const pc_key warm_keys[] = {{PC_KEY(problem_file, heat), PC_A_MAPPING,
                                    .mapping = &pc_table_impact_heat, .left_out = "no temperatures",
                                    .meaning = "also compute temperatures after the collision"},
                                   {0}};
const pc_mapping pc_table_impact = {
    "impact", "an impact file",
    "A single collision, for `percuss solve`. With `sweep`, a family of collisions; `percuss run` "
    "writes and draws its results.",
    .keys = {(const pc_key[]){PC_KIND_KEY("impact"), PC_BASE_KEY, {0}}, problem_keys, warm_keys,
             pc_keys_of_sweeps}};
const pc_mapping pc_table_problem = {
    "problem", "the problem of an experiment",
    "An impact file without `kind`. Write `$name` for an unknown in place of a number.",
    .keys = {problem_keys}};

void pc_read_impact_problem(pc_node node, const pc_mapping *mapping, pc_scene_impact *out)
{
  *out = (pc_scene_impact){0};
  problem_file file = {.quasi_static = false};
  if (!PC_BIND(&node, mapping, problem_file, &file))
    return;
  pc_node bodies = file.bodies, list = file.interactions;
  int body_count = pc_read_list(bodies, "'bodies'");
  if (!pc_failed(node) && body_count == 0)
    pc_complain(bodies, "a problem needs at least one body");
  int count = pc_is_present(list) && !pc_is_null(list) ? pc_read_list(list, "'interactions'") : 0;
  if (pc_failed(node))
    return;

  builder to = {.scene = out};
  out->problem = pc_impact_create();
  out->before = pc_allocate(node, body_count, sizeof *out->before);
  out->position = pc_allocate(node, body_count, sizeof *out->position);
  out->pairs = pc_allocate(node, count, sizeof *out->pairs);
  out->point = pc_allocate(node, count, sizeof *out->point);
  out->normal = pc_allocate(node, count, sizeof *out->normal);
  out->heat = pc_allocate(node, body_count, sizeof *out->heat);
  out->exchange = pc_allocate(node, count, sizeof *out->exchange);
  to.dof = pc_allocate(node, body_count, sizeof *to.dof);
  pc_read_title(node, &out->title);
  if (out->problem == NULL)
    pc_complain(node, "out of memory");
  out->quasi_static = file.quasi_static;
  pc_read_impact_heat(file.heat, body_count, out);
  for (int i = 0; i < body_count && !pc_failed(node); i++)
    read_body(pc_item(bodies, i), &to);
  for (int i = 0; i < count && !pc_failed(node); i++)
    read_interaction(pc_item(list, i), &to);

  // The scene takes over the names.
  out->body_ids = pc_names_take(&to.names, &out->bodies);
  out->interaction_ids = pc_names_take(&to.interactions, &out->interactions);
  free(to.dof);
  if (pc_failed(node))
    pc_scene_impact_free(out);
}

void pc_scene_impact_free(pc_scene_impact *scene)
{
  if (scene == NULL)
    return;
  pc_impact_destroy(scene->problem);
  pc_names_release(scene->body_ids, scene->bodies);
  pc_names_release(scene->interaction_ids, scene->interactions);
  free(scene->before);
  free(scene->position);
  free(scene->point);
  free(scene->normal);
  free(scene->pairs);
  free(scene->title);
  free(scene->solution);
  free(scene->heat);
  free(scene->exchange);
  *scene = (pc_scene_impact){0};
}

void pc_impact_read_file(pc_scene *scene, pc_node root)
{
  if (!pc_scene_read_head(scene, &root, PC_KIND_IMPACT, &pc_table_impact) || pc_failed(root))
    return;
  scene->duration = scene->step = 1; // one step
  scene->impact = pc_allocate(root, 1, sizeof *scene->impact);
  if (scene->impact != NULL)
    pc_read_impact_problem(root, &pc_table_impact, scene->impact);
}
