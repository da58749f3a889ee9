// `kind: impact` files -> pc_impact. tables_impact.c has the keys, scenes/README.md explains them.
#include "scene/impact_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "scene/laws.h"
#include "scene/names.h"
#include "scene/tables.h"

// What the interactions need to know of the bodies.
typedef struct builder {
  pc_scene_impact *scene;
  pc_names names;
  int *dof; // of every body
} builder;

// The number of space coordinates of a body with so many degrees of freedom.
static int space_of(int dof)
{
  return dof == 1 ? 1 : dof == 6 ? 3 : 2;
}

static double norm(const double *v, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum = hypot(sum, v[i]);
  return sum;
}

// --- bodies -------------------------------------------------------------------------------------

static bool is_positive_definite(const double *a)
{
  double minor = a[0] * a[4] - a[1] * a[3];
  double determinant = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
                       a[2] * (a[3] * a[7] - a[4] * a[6]);
  double scale = a[0] * a[4] * a[8];
  return a[0] > 0 && a[4] > 0 && a[8] > 0 && minor > 0 && determinant > 1e-14 * scale;
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
  double half = (b[0] * (b[4] * b[8] - b[5] * b[7]) - b[1] * (b[3] * b[8] - b[5] * b[6]) +
                 b[2] * (b[3] * b[7] - b[4] * b[6])) /
                2;
  return 1.0 / 3 + 2 * size * cos(acos(fmin(fmax(half, -1), 1)) / 3);
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
                "no rigid body has this inertia: its largest principal moment, %g, exceeds the sum "
                "of the other two, %g",
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
          pc_complain(node, "the inertia matrix is not symmetric: %g in row %d and %g in row %d",
                      inertia[3 * i + j], i + 1, inertia[3 * j + i], j + 1);
        double mean = (inertia[3 * i + j] + inertia[3 * j + i]) / 2;
        inertia[3 * i + j] = inertia[3 * j + i] = mean;
      }
    if (!pc_failed(node) && !is_positive_definite(inertia))
      pc_complain(node, "the inertia matrix is not positive definite");
    check_moments(node, inertia);
    return;
  } else {
    pc_read_vector(node, 3, 3, moments);
  }
  for (int i = 0; i < 3; i++)
    inertia[4 * i] = moments[i];
  check_moments(node, inertia);
}

static void read_body(pc_node node, builder *to)
{
  if (!pc_read_keys(&node, &pc_table_impact_body))
    return;
  pc_scene_impact *scene = to->scene;
  int index = scene->bodies;
  const char *id = pc_read_name(pc_get(node, "id"));
  pc_impact_body body = pc_impact_body_default();
  pc_node dof = pc_get(node, "dof");
  body.dof = pc_read_integer(dof);
  if (body.dof == 4 || body.dof == 5)
    pc_complain(dof, "dof %d: a body has 1, 2, 3 or 6 degrees of freedom", body.dof);
  int space = space_of(body.dof);

  body.mass = pc_read_number(pc_get(node, "mass"));
  pc_node inertia = pc_get(node, "inertia");
  bool turns = body.dof == 3 || body.dof == 6;
  memset(body.inertia, 0, sizeof body.inertia);
  if (turns && !pc_is_present(inertia))
    pc_complain(node, "body '%s' has dof %d and needs the key 'inertia'",
                pc_node_text(pc_get(node, "id")).text, body.dof);
  else if (!turns && pc_is_present(inertia))
    pc_complain(inertia, "a body with dof %d does not turn: it has no inertia", body.dof);
  else if (body.dof == 3)
    body.inertia[0] = pc_read_number(inertia);
  else if (body.dof == 6)
    read_inertia_3d(inertia, body.inertia);

  pc_node position = pc_get(node, "position"), percussion = pc_get(node, "percussion");
  if (pc_is_present(position))
    pc_read_vector(position, space, space, body.position);
  pc_read_vector(pc_get(node, "velocity"), body.dof, body.dof, body.velocity);
  if (pc_is_present(percussion))
    pc_read_vector(percussion, body.dof, body.dof, body.percussion);
  if (pc_failed(node))
    return;

  int named = pc_names_add(&to->names, id);
  if (named == -1)
    pc_complain(pc_get(node, "id"), "two bodies have the id '%s'",
                pc_node_text(pc_get(node, "id")).text);
  else if (named < 0)
    pc_complain(node, "out of memory");
  else if (pc_impact_add_body(scene->problem, &body) < 0)
    pc_complain(node, "body '%s': %s", pc_node_text(pc_get(node, "id")).text,
                pc_impact_error(scene->problem));
  if (pc_failed(node))
    return;
  pc_read_impact_body_heat(node, index, scene);
  to->dof[index] = body.dof;
  memcpy(scene->before[index], body.velocity, sizeof body.velocity);
  scene->bodies++;
}

// --- interactions -------------------------------------------------------------------------------

// Reads `bodies: [a, b]` or `[a]`; returns the dimension of the space they move in.
static int read_pair(pc_node node, const builder *from, pc_interaction *interaction)
{
  int count = pc_read_list(node, "'bodies' of an interaction"), space = 1;
  if (!pc_failed(node) && (count < 1 || count > 2))
    pc_complain(node, "an interaction has one or two bodies, not %d", count);
  for (int i = 0; i < count && !pc_failed(node); i++) {
    pc_node item = pc_item(node, i);
    const char *id = pc_read_name(item);
    int body = pc_failed(node) ? -1 : pc_names_find(&from->names, id);
    if (body < 0) {
      pc_complain(item, "there is no body with the id '%s'", pc_node_text(item).text);
      break;
    }
    int here = space_of(from->dof[body]);
    if (i == 1 && body == interaction->bodies[0])
      pc_complain(item, "body '%s' interacts with itself", pc_node_text(item).text);
    else if (i == 1 && here != space)
      pc_complain(item, "body '%s' (dof %d) and body '%s' (dof %d) do not move in the same space",
                  pc_node_text(pc_item(node, 0)).text, from->dof[interaction->bodies[0]],
                  pc_node_text(item).text, from->dof[body]);
    interaction->bodies[i] = body;
    space = here;
  }
  return space;
}

static void read_contact(pc_node node, int space, pc_interaction *interaction)
{
  pc_node point = pc_get(node, "point"), normal = pc_get(node, "normal");
  pc_read_vector(normal, space, space, interaction->normal);
  double length = norm(interaction->normal, space);
  if (!pc_failed(normal) && length < 1e-150)
    pc_complain(normal, "the normal has length zero");
  if (space == 1) {
    if (!pc_failed(normal) && length != 1)
      pc_complain(normal, "the normal of bodies with dof 1 is [1] or [-1]");
    if (pc_is_present(point))
      pc_complain(point, "a contact of bodies with dof 1 has no point");
  } else if (!pc_is_present(point)) {
    pc_complain(node, "a contact needs the key 'point'");
  } else {
    pc_read_vector(point, space, space, interaction->point);
  }
  pc_node law = pc_get(node, "law");
  if (pc_read_keys(&law, &pc_table_contact_law))
    pc_read_contact_law(law, space, &interaction->law);
}

static void read_distance(pc_node node, int space, pc_interaction *interaction)
{
  pc_node points = pc_get(node, "points");
  if (pc_read_list(points, "'points'") != 2)
    pc_complain(points, "a distance has two points, one on each body");
  double difference[3] = {0};
  for (int i = 0; i < 2 && !pc_failed(points); i++)
    pc_read_vector(pc_item(points, i), space, space, interaction->points[i]);
  for (int i = 0; i < space; i++)
    difference[i] = interaction->points[0][i] - interaction->points[1][i];
  if (!pc_failed(points) && norm(difference, space) == 0)
    pc_complain(points, "the two points coincide: there is no distance between them");
  pc_read_normal_law(pc_get(node, "law"), "the law of a distance", &interaction->law.normal);
}

static void read_spin(pc_node node, const builder *from, pc_interaction *interaction)
{
  for (int i = 0; i < 2; i++) {
    int body = interaction->bodies[i];
    if (body >= 0 && from->dof[body] != 3 && from->dof[body] != 6)
      pc_complain(pc_item(pc_get(node, "bodies"), i), "body '%s' (dof %d) does not turn",
                  from->names.names[body], from->dof[body]);
    if (body >= 0 && i == 1 && from->dof[body] != from->dof[interaction->bodies[0]])
      pc_complain(node, "the bodies of a spin interaction have the same dof");
  }
  pc_read_normal_law(pc_get(node, "law"), "the law of a spin", &interaction->law.normal);
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

static void read_interaction(pc_node node, builder *to)
{
  if (pc_read_variant(&node, "an interaction", "type") < 0)
    return;
  pc_interaction interaction = pc_interaction_default((pc_interaction_type)node.mapping->value);
  interaction.bodies[0] = interaction.bodies[1] = PC_OBSTACLE;
  int space = read_pair(pc_get(node, "bodies"), to, &interaction);
  if (pc_failed(node))
    return;
  int rows = space;
  if (interaction.type == PC_CONTACT) {
    read_contact(node, space, &interaction);
  } else if (interaction.type == PC_DISTANCE) {
    read_distance(node, space, &interaction);
    rows = 1;
  } else {
    read_spin(node, to, &interaction);
    rows = space == 3 ? 3 : 1;
  }
  pc_node bound = pc_get(node, "bound"), given = pc_get(node, "given");
  if (pc_is_present(bound))
    interaction.bound = pc_read_number(bound);
  if (interaction.bound != 0 && !takes_bound(&interaction))
    pc_complain(bound, "a bound is for contacts that can only push and for the law 'bilateral'");
  if (pc_is_present(given) && rows == 1 && !pc_is_sequence(given))
    interaction.given[0] = pc_read_number(given);
  else if (pc_is_present(given))
    read_given(given, rows, &interaction);
  if (pc_failed(node))
    return;
  int index = pc_impact_add_interaction(to->scene->problem, &interaction);
  if (index < 0)
    pc_complain(node, "%s", pc_impact_error(to->scene->problem));
  else
    memcpy(to->scene->pairs[index], interaction.bodies, sizeof interaction.bodies);
  if (index >= 0)
    pc_read_impact_exchange(node, index, to->scene);
}

// --- the file -----------------------------------------------------------------------------------

void pc_read_impact_problem(pc_node node, const pc_mapping *mapping, pc_scene_impact *out)
{
  *out = (pc_scene_impact){0};
  if (!pc_read_keys(&node, mapping))
    return;
  pc_node bodies = pc_get(node, "bodies"), interactions = pc_get(node, "interactions");
  pc_node quasi_static = pc_get(node, "quasi_static");
  int body_count = pc_read_list(bodies, "'bodies'");
  if (!pc_failed(node) && body_count == 0)
    pc_complain(bodies, "a problem needs at least one body");
  int count = pc_is_present(interactions) && !pc_is_null(interactions)
                  ? pc_read_list(interactions, "'interactions'")
                  : 0;
  if (pc_failed(node))
    return;

  builder to = {.scene = out};
  out->problem = pc_impact_create();
  out->before = calloc((size_t)body_count, sizeof *out->before);
  out->pairs = calloc((size_t)count + 1, sizeof *out->pairs);
  out->heat = calloc((size_t)body_count + 1, sizeof *out->heat);
  out->exchange = calloc((size_t)count + 1, sizeof *out->exchange);
  to.dof = calloc((size_t)body_count, sizeof *to.dof);
  pc_read_title(node, &out->title);
  if (out->problem == NULL || out->before == NULL || out->pairs == NULL || to.dof == NULL ||
      out->heat == NULL || out->exchange == NULL)
    pc_complain(node, "out of memory");
  out->quasi_static = pc_is_present(quasi_static) && pc_read_boolean(quasi_static);
  pc_read_impact_heat(node, out);
  for (int i = 0; i < body_count && !pc_failed(node); i++)
    read_body(pc_item(bodies, i), &to);
  for (int i = 0; i < count && !pc_failed(node); i++)
    read_interaction(pc_item(interactions, i), &to);

  // The names become the scene's.
  out->body_ids = to.names.names;
  out->bodies = to.names.count;
  free(to.names.slots);
  free(to.dof);
  if (pc_failed(node))
    pc_scene_impact_free(out);
}

pc_status pc_scene_read_impact(const char *path, pc_scene_impact *out, pc_error *error)
{
  *out = (pc_scene_impact){0};
  if (pc_fclib_is_file(path))
    return pc_fclib_read(path, out, error);
  pc_error reason = {.status = PC_OK};
  pc_document *document = pc_document_open(path, &reason);
  if (document == NULL) {
    if (error != NULL)
      *error = reason;
    return reason.status;
  }
  pc_node root = pc_document_root(document);
  pc_read_kind(root, PC_KIND_IMPACT);
  pc_read_impact_problem(root, &pc_table_impact, out);
  return pc_document_close(document, error);
}

void pc_scene_impact_free(pc_scene_impact *scene)
{
  pc_impact_destroy(scene->problem);
  for (int i = 0; i < scene->bodies; i++)
    free(scene->body_ids[i]);
  free(scene->body_ids);
  free(scene->before);
  free(scene->pairs);
  free(scene->title);
  free(scene->solution);
  free(scene->heat);
  free(scene->exchange);
  *scene = (pc_scene_impact){0};
}
