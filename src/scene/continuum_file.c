// `kind: continuum` files -> pc_continuum: a mesh, media, bodies and what acts between them.
// tables_continuum.c has the keys, continuum_mesh.c reads the mesh.
#include "scene/continuum_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene_file.h"
#include "scene/tables.h"

// What is read, and where it is written.
typedef struct builder {
  pc_continuum *to;
  pc_fe_mesh *mesh;
  int dimension;
  int *medium_of; // of every node: the first medium that gave it a velocity, -1: none did
  pc_fe_solid *solid;
  pc_fe_wall *wall;
} builder;

static void *take(const builder *b, pc_node node, int count, size_t size)
{
  void *room = pc_arena_take(&b->to->memory, (size_t)count + 1, size);
  if (room == NULL)
    pc_complain(node, "out of memory");
  return room;
}

// A copy of a name that is not empty; NULL after a complaint.
static const char *copy_name(const builder *b, pc_node node)
{
  const char *name = pc_read_name(node);
  char *copy = pc_failed(node) ? NULL : take(b, node, (int)strlen(name) + 1, 1);
  return copy != NULL ? strcpy(copy, name) : NULL;
}

static void read_components(const builder *b, pc_node node, double vector[2])
{
  pc_continuum_read_components(b->dimension, node, vector);
}

void pc_continuum_read_components(int dimension, pc_node node, double vector[2])
{
  vector[0] = vector[1] = 0;
  if (!pc_is_present(node) || pc_failed(node))
    return;
  int count = pc_read_vector(node, 1, 2, vector);
  if (!pc_failed(node) && count != dimension)
    pc_complain(node, "%d numbers, but the mesh has %d dimension%s", count, dimension,
                dimension == 1 ? "" : "s");
}

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
      pc_complain(pc_item(node, i), "'%s' is there twice", pc_node_text(pc_item(node, i)).text);
    if (!pc_failed(node))
      has[word] = true;
  }
}

// --- media --------------------------------------------------------------------------------------

static bool has_linear_elements(const pc_fe_mesh *mesh, int group)
{
  for (int i = 0; i < mesh->body.count; i++)
    if (mesh->body.cell[i].group == group && pc_element_of(mesh->body.cell[i].type)->order == 1)
      return true;
  return false;
}

// The box around a medium, and its centre of mass.
static void measure_medium(const pc_fe_mesh *mesh, int group, double low[2], double high[2],
                           double centre[2])
{
  double volume = 0, moment[2] = {0};
  for (int k = 0; k < 2; k++)
    low[k] = INFINITY, high[k] = -INFINITY;
  for (int i = 0; i < mesh->body.count; i++) {
    const pc_fe_cell *cell = &mesh->body.cell[i];
    if (cell->group != group)
      continue;
    double corner[PC_ELEMENT_NODES_MAX][2];
    int nodes = pc_fe_mesh_corners(mesh, &mesh->body, i, corner);
    for (int n = 0; n < nodes; n++)
      for (int k = 0; k < 2; k++) {
        low[k] = fmin(low[k], corner[n][k]);
        high[k] = fmax(high[k], corner[n][k]);
      }
    pc_quadrature rule;
    pc_quadrature_make(&rule, cell->type, pc_element_of(cell->type)->mass_degree);
    for (int p = 0; p < rule.points; p++) {
      pc_element_point at;
      pc_element_map(cell->type, (const double(*)[2])corner, rule.at[p], &at);
      volume += rule.weight[p] * at.determinant;
      for (int k = 0; k < 2; k++)
        moment[k] += rule.weight[p] * at.determinant * at.x[k];
    }
  }
  for (int k = 0; k < 2; k++)
    centre[k] = moment[k] / volume;
}

typedef enum profile_shape { UNIFORM, LINEAR, PARABOLIC } profile_shape;

// How a medium moves before the collision.
typedef struct motion {
  double velocity[2], spin, centre[2];
  bool profiled;
  profile_shape shape;
  int direction;
  double speed, from, to;
} motion;

static void read_profile(const builder *b, pc_node node, const double low[2], const double high[2],
                         motion *m)
{
  if (!pc_read_keys(&node, &pc_table_continuum_profile))
    return;
  m->profiled = true;
  m->shape = (profile_shape)pc_read_word(pc_get(node, "profile"));
  m->speed = pc_read_number(pc_get(node, "speed"));
  pc_node direction = pc_get(node, "direction"), to = pc_get(node, "to");
  m->direction = pc_is_present(direction) ? pc_read_word(direction) : 0;
  if (!pc_failed(node) && b->dimension == 1)
    pc_complain(node, "a profile is across a flow: a line has none");
  if (pc_failed(node))
    return;
  m->from = pc_read_number_or(pc_get(node, "from"), low[1 - m->direction]);
  m->to = pc_read_number_or(to, high[1 - m->direction]);
  if (!pc_failed(node) && !(m->from < m->to))
    pc_complain(pc_is_present(to) ? to : node,
                "the profile goes from %g to %g m: the second must "
                "be larger",
                m->from, m->to);
}

static void velocity_at(const motion *m, const double place[2], double velocity[2])
{
  if (!m->profiled) {
    velocity[0] = m->velocity[0] - m->spin * (place[1] - m->centre[1]);
    velocity[1] = m->velocity[1] + m->spin * (place[0] - m->centre[0]);
    return;
  }
  double s = (place[1 - m->direction] - m->from) / (m->to - m->from);
  double shape = m->shape == UNIFORM ? 1 : m->shape == LINEAR ? s : s * (2 - s);
  velocity[m->direction] = m->speed * shape;
  velocity[1 - m->direction] = 0;
}

// Nodes that two media share have one velocity.
static void set_velocities(const builder *b, pc_node node, int medium, const motion *m)
{
  const pc_fe_mesh *mesh = b->mesh;
  pc_continuum *to = b->to;
  double scale = fabs(m->velocity[0]) + fabs(m->velocity[1]) + fabs(m->speed) +
                 fabs(m->spin) * pc_fe_mesh_size(mesh);
  for (int i = 0; i < mesh->body.count && !pc_failed(node); i++) {
    const pc_fe_cell *cell = &mesh->body.cell[i];
    if (cell->group != to->def.medium[medium].group)
      continue;
    for (int n = 0; n < pc_element_of(cell->type)->nodes && !pc_failed(node); n++) {
      int at = mesh->body.node[cell->first + n];
      double velocity[2], *known = to->velocity + at * b->dimension;
      velocity_at(m, mesh->node[at], velocity);
      for (int k = 0; k < b->dimension && b->medium_of[at] >= 0; k++)
        if (fabs(known[k] - velocity[k]) > 1e-9 * (scale + fabs(known[k]))) {
          pc_complain(node,
                      "'%s' and '%s' are joined at (%g, %g) and have different velocities there: "
                      "media that are to collide stay apart",
                      to->medium_name[b->medium_of[at]], to->medium_name[medium], mesh->node[at][0],
                      mesh->node[at][1]);
          return;
        }
      if (b->medium_of[at] < 0)
        memcpy(known, velocity, (size_t)b->dimension * sizeof *known);
      b->medium_of[at] = b->medium_of[at] < 0 ? medium : b->medium_of[at];
    }
  }
}

static void read_medium(const builder *b, pc_node name, pc_node node, pc_fe_medium *medium,
                        int number)
{
  b->to->medium_name[number] = copy_name(b, name);
  medium->group = pc_continuum_find_group(b->mesh, b->dimension, name);
  if (!pc_read_keys(&node, &pc_table_continuum_medium))
    return;
  pc_node fluid = pc_get(node, "fluid"), volume = pc_get(node, "volume_viscosity");
  pc_node velocity = pc_get(node, "velocity"), spin = pc_get(node, "spin");
  medium->fluid = pc_read_boolean_or(fluid, false);
  medium->density = pc_read_number(pc_get(node, "density"));
  medium->strain = pc_read_number_or(pc_get(node, "viscosity"), 0);
  medium->volume = pc_read_number_or(volume, 0);
  b->solid[number] = (pc_fe_solid){.group = medium->group,
                                   .density = medium->density,
                                   .young = pc_read_number_or(pc_get(node, "young"), 0),
                                   .poisson = pc_read_number_or(pc_get(node, "poisson"), 0),
                                   .thin = pc_read_boolean_or(pc_get(node, "thin"), false),
                                   .strain = medium->strain,
                                   .volume = medium->volume};
  if (medium->fluid && medium->volume != 0)
    pc_complain(volume, "a fluid keeps its volume: it has no volume viscosity");
  if (!pc_failed(node) && medium->fluid && has_linear_elements(b->mesh, medium->group))
    pc_complain(fluid, "a fluid needs quadratic elements ('order: 2' of the mesh)");
  if (pc_failed(node))
    return;
  motion m = {.spin = pc_read_number_or(spin, 0)};
  if (m.spin != 0 && (medium->fluid || b->dimension == 1))
    pc_complain(spin, "%s",
                medium->fluid ? "a fluid has no spin: give it a profile"
                              : "nothing turns on a line");
  double low[2], high[2];
  measure_medium(b->mesh, medium->group, low, high, m.centre);
  if (pc_is_mapping(velocity))
    read_profile(b, velocity, low, high, &m);
  else
    read_components(b, velocity, m.velocity);
  if (!pc_failed(node) && m.profiled && m.spin != 0)
    pc_complain(spin, "a medium has a profile or a spin, not both");
  if (!pc_failed(node))
    set_velocities(b, node, number, &m);
}

static void read_media(builder *b, pc_node node)
{
  pc_continuum *to = b->to;
  int count = pc_read_pairs(node, "'media'");
  pc_fe_medium *medium = take(b, node, count, sizeof *medium);
  to->medium_name = take(b, node, count, sizeof *to->medium_name);
  to->def.medium = medium;
  to->motion.solid = b->solid = take(b, node, count, sizeof *b->solid);
  for (int i = 0; i < count && !pc_failed(node); i++) {
    read_medium(b, pc_pair_key(node, i), pc_pair_value(node, i), &medium[i], i);
    to->def.media = i + 1;
  }
  for (int i = 0; i < b->mesh->body.count && !pc_failed(node); i++) {
    int group = b->mesh->body.cell[i].group;
    bool has = false;
    for (int k = 0; k < count && !has; k++)
      has = medium[k].group == group;
    if (!has && b->mesh->group[group].name[0] == 0)
      pc_complain(node, "some elements of the mesh are in no physical group, so no medium can be "
                        "theirs");
    else if (!has)
      pc_complain(node, "the elements '%s' have no medium",
                  pc_text_path(b->mesh->group[group].name).text);
  }
}

// --- bodies -------------------------------------------------------------------------------------

static void read_body(const builder *b, pc_node node, int number, pc_fe_body *body)
{
  if (!pc_read_keys(&node, &pc_table_continuum_body))
    return;
  pc_continuum *to = b->to;
  pc_node name = pc_get(node, "name"), inertia = pc_get(node, "inertia");
  pc_node held = pc_get(node, "held");
  to->body_name[number] = copy_name(b, name);
  for (int i = 0; i < number && !pc_failed(node); i++)
    if (strcmp(to->body_name[i], to->body_name[number]) == 0)
      pc_complain(name, "two bodies are called '%s'", pc_node_text(name).text);
  body->mass = pc_read_number(pc_get(node, "mass"));
  read_components(b, pc_get(node, "centre"), body->centre);
  read_components(b, pc_get(node, "velocity"), to->body_velocity[number]);
  to->body_velocity[number][2] = pc_read_number_or(pc_get(node, "spin"), 0);
  if (pc_is_present(held))
    read_words(held, "motion of a body", "x y spin", 3, body->held);
  if (b->dimension == 1)
    body->held[2] = true;
  if (!pc_is_present(inertia) && !body->held[2])
    pc_complain(node, "a body needs the key 'inertia', unless its spin is held");
  body->inertia = pc_read_number_or(inertia, 1);
}

static void read_bodies(const builder *b, pc_node node)
{
  pc_continuum *to = b->to;
  int count = pc_is_present(node) ? pc_read_list(node, "'bodies'") : 0;
  pc_fe_body *body = take(b, node, count, sizeof *body);
  to->body_name = take(b, node, count, sizeof *to->body_name);
  to->body_velocity = take(b, node, count, sizeof *to->body_velocity);
  to->def.body = body;
  for (int i = 0; i < count && !pc_failed(node); i++) {
    read_body(b, pc_item(node, i), i, &body[i]);
    to->def.bodies = i + 1;
  }
}

// --- what acts ----------------------------------------------------------------------------------

static int find_body(const builder *b, const char *name)
{
  for (int i = 0; i < b->to->def.bodies; i++)
    if (strcmp(b->to->body_name[i], name) == 0)
      return i;
  return -1;
}

static int find_sides(const builder *b, pc_node name)
{
  return pc_continuum_find_group(b->mesh, b->dimension - 1, name);
}

// What the sides meet: a body, other sides, or the ground.
static void read_opposite(const builder *b, pc_node node, pc_fe_contact *contact)
{
  contact->body = contact->other = -1;
  const char *name = pc_is_present(node) ? pc_read_name(node) : "ground";
  if (pc_failed(node) && pc_is_present(node))
    return;
  contact->body = find_body(b, name);
  if (contact->body >= 0)
    return;
  bool sides = pc_continuum_has_group(b->mesh, b->dimension - 1, name);
  if (!sides && strcmp(name, "ground") == 0)
    return;
  if (!sides) {
    pc_complain(node, "there is no body and there are no sides called '%s', and it is not 'ground'",
                pc_node_text(node).text);
    return;
  }
  contact->other = find_sides(b, node);
  int *partner = malloc(((size_t)b->mesh->nodes + 1) * sizeof *partner);
  pc_error reason = {.status = PC_OK};
  if (contact->other == contact->sides)
    pc_complain(node, "'%s' cannot touch itself", name);
  else if (partner == NULL)
    pc_complain(node, "out of memory");
  else if (pc_fe_mesh_match(b->mesh, contact->sides, contact->other, partner, &reason) != PC_OK)
    pc_complain(node, "%s", reason.text);
  free(partner);
}

static void read_contact(const builder *b, pc_node node, int number, pc_fe_contact *contact)
{
  if (!pc_read_keys(&node, &pc_table_continuum_contact))
    return;
  pc_node sides = pc_get(node, "sides"), name = pc_get(node, "name");
  pc_node condition = pc_get(node, "condition");
  const char **names = b->to->contact_name;
  contact->sides = find_sides(b, sides);
  names[number] = copy_name(b, pc_is_present(name) ? name : sides);
  for (int i = 0; i < number && !pc_failed(node); i++)
    if (strcmp(names[i], names[number]) == 0)
      pc_complain(node, "two contacts are called '%s': give one a 'name'",
                  pc_text_path(names[number]).text);
  if (!pc_failed(node))
    read_opposite(b, pc_get(node, "with"), contact);
  contact->normal = pc_read_number_or(pc_get(node, "normal"), 0);
  contact->tangential = pc_read_number_or(pc_get(node, "tangential"), 0);
  contact->condition =
      pc_is_present(condition) ? (pc_fe_condition)pc_read_word(condition) : PC_FE_UNILATERAL;
  contact->lumped = pc_read_boolean_or(pc_get(node, "lumped"), false);
  pc_node ground = pc_get(node, "ground");
  pc_fe_wall *wall = &b->wall[number];
  *wall = (pc_fe_wall){.sides = contact->sides,
                       .direction = {b->dimension == 1, b->dimension == 2},
                       .normal = contact->normal,
                       .tangential = contact->tangential};
  if (!pc_is_present(ground) || !pc_read_keys(&ground, &pc_table_continuum_ground))
    return;
  pc_node direction = pc_get(ground, "direction");
  if (pc_is_present(direction))
    read_components(b, direction, wall->direction);
  wall->offset = pc_read_number_or(pc_get(ground, "offset"), 0);
  if (!pc_failed(node) && !(hypot(wall->direction[0], wall->direction[1]) > 0))
    pc_complain(direction, "a direction is not 0");
}

static void read_contacts(builder *b, pc_node node)
{
  int count = pc_is_present(node) ? pc_read_list(node, "'contacts'") : 0;
  pc_fe_contact *contact = take(b, node, count, sizeof *contact);
  b->to->contact_name = take(b, node, count, sizeof *b->to->contact_name);
  b->to->def.contact = contact;
  b->to->motion.wall = b->wall = take(b, node, count, sizeof *b->wall);
  b->to->state = take(b, node, count, sizeof *b->to->state);
  for (int i = 0; i < count && !pc_failed(node); i++) {
    read_contact(b, pc_item(node, i), i, &contact[i]);
    b->to->def.contacts = i + 1;
  }
}

static void read_holds(const builder *b, pc_node node)
{
  int count = pc_is_present(node) ? pc_read_list(node, "'hold'") : 0;
  pc_fe_hold *hold = take(b, node, count, sizeof *hold);
  b->to->def.hold = hold;
  for (int i = 0; i < count && !pc_failed(node); i++) {
    pc_node item = pc_item(node, i);
    if (!pc_read_keys(&item, &pc_table_continuum_hold))
      return;
    pc_node velocity = pc_get(item, "velocity"), components = pc_get(item, "components");
    bool has[2] = {true, true};
    hold[i].sides = find_sides(b, pc_get(item, "sides"));
    hold[i].kept = pc_is_present(velocity) && pc_read_word(velocity) == 1;
    if (pc_is_present(components))
      read_words(components, "component", b->dimension == 1 ? "x" : "x y", b->dimension, has);
    hold[i].x = has[0];
    hold[i].y = has[1] && b->dimension == 2;
    for (int k = 0; k < i && !pc_failed(node); k++)
      if (hold[k].sides == hold[i].sides && ((hold[k].x && hold[i].x) || (hold[k].y && hold[i].y)))
        pc_complain(item, "the sides '%s' are held twice",
                    pc_node_text(pc_get(item, "sides")).text);
    b->to->def.holds = i + 1;
  }
}

static void read_pushes(const builder *b, pc_node node)
{
  int count = pc_is_present(node) ? pc_read_list(node, "'pushes'") : 0;
  pc_fe_push *push = take(b, node, count, sizeof *push);
  b->to->def.push = push;
  for (int i = 0; i < count && !pc_failed(node); i++) {
    pc_node item = pc_item(node, i);
    if (!pc_read_keys(&item, &pc_table_continuum_push))
      return;
    push[i].sides = find_sides(b, pc_get(item, "sides"));
    read_components(b, pc_get(item, "percussion"), push[i].percussion);
    b->to->def.pushes = i + 1;
  }
}

// --- the file -----------------------------------------------------------------------------------

static void read_continuum(pc_node root, builder *b)
{
  pc_continuum *to = b->to;
  pc_continuum_read_mesh(pc_get(root, "mesh"), b->mesh);
  if (pc_failed(root))
    return;
  b->dimension = b->mesh->dimension;
  to->def.mesh = b->mesh;
  to->velocity = take(b, root, b->mesh->nodes * b->dimension, sizeof *to->velocity);
  b->medium_of = take(b, root, b->mesh->nodes, sizeof *b->medium_of);
  for (int i = 0; i < b->mesh->nodes && b->medium_of != NULL; i++)
    b->medium_of[i] = -1;
  if (pc_failed(root))
    return;
  read_media(b, pc_get(root, "media"));
  read_bodies(b, pc_get(root, "bodies"));
  read_contacts(b, pc_get(root, "contacts"));
  read_holds(b, pc_get(root, "hold"));
  read_pushes(b, pc_get(root, "pushes"));
  pc_continuum_read_heat(to, root);
  to->def.tolerance = pc_read_number_or(pc_get(root, "tolerance"), 1e-10);
  if (!pc_failed(root) && to->def.contacts == 0 && to->def.pushes == 0)
    pc_complain(root, "nothing collides: the file needs 'contacts' or 'pushes'");
}

void pc_continuum_read_file(pc_scene *scene, pc_node root)
{
  scene->continuum = calloc(1, sizeof *scene->continuum);
  if (scene->continuum == NULL) {
    pc_complain(root, "out of memory");
    return;
  }
  if (!pc_scene_read_head(scene, &root, PC_KIND_CONTINUUM, &pc_table_continuum, pc_continuum_times))
    return;
  builder b = {.to = scene->continuum, .mesh = &scene->continuum->mesh};
  read_continuum(root, &b);
  pc_continuum_read_motion(scene, root);
  if (pc_failed(root))
    return;
  if (scene->duration == 0)
    scene->duration = scene->step = 1; // the one collision: a step that takes no time
  pc_node output = pc_get(root, "output");
  pc_scene_read_output(scene, &output, &pc_table_continuum_output,
                       scene->continuum->moves ? scene->duration / 200 : scene->step);
}

void pc_continuum_free(pc_continuum *continuum)
{
  if (continuum == NULL)
    return;
  pc_continuum_answer_free(&continuum->answer);
  pc_fe_mesh_free(&continuum->mesh);
  pc_arena_free(&continuum->memory);
  free(continuum);
}
