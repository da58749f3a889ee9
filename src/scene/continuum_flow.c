// A `kind: continuum` file with a duration and a fluid.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "scene/continuum_file.h"

typedef struct face_file {
  double from[2], to[2];
} face_file;
static const pc_key face_keys[] = {{PC_KEY(face_file, from), PC_NUMBERS, true, .unit = "m",
                                    .count = {2, 2}, .meaning = "one end, at the start"},
                                   {PC_KEY(face_file, to), PC_NUMBERS, true, .unit = "m",
                                    .count = {2, 2}, .meaning = "the other end"},
                                   {0}};
const pc_mapping pc_table_continuum_face = {
    "continuum_face", "a face of a body",
    "A straight line that moves with the body and hits the free surface from above. It has no "
    "thickness, so fluid from the side flows over it. It must be wider than the distance between "
    "nodes of the surface.",
    .keys = {face_keys}};

// The ends of sides: the nodes that are farthest along x, then y.
static void find_ends(const pc_fe_mesh *mesh, int group, double end[2][2])
{
  bool any = false;
  for (int s = 0; s < mesh->side.count; s++)
    for (int k = 0;
         mesh->side.cell[s].group == group && k < pc_element_of(mesh->side.cell[s].type)->nodes;
         k++) {
      const double *x = mesh->node[mesh->side.node[mesh->side.cell[s].first + k]];
      for (int e = 0; e < 2; e++) {
        double sign = e == 0 ? -1 : 1, ahead = sign * (x[0] - end[e][0]);
        if (!any || ahead > 0 || (ahead == 0 && sign * (x[1] - end[e][1]) > 0))
          memcpy(end[e], x, sizeof end[e]);
      }
      any = true;
    }
}

static void read_face(const pc_continuum *c, pc_node node, pc_fe_flow_contact *contact)
{
  find_ends(&c->mesh, contact->sides, contact->end);
  if (!pc_is_present(node))
    return;
  face_file file = {.from = {0}};
  if (contact->body < 0)
    pc_complain(node, "'face' requires a contact with a body");
  if (!pc_bind(&node, &pc_table_continuum_face, &file))
    return;
  if (!(pc_hypot(file.to[0] - file.from[0], file.to[1] - file.from[1]) > 0))
    pc_complain(node, "the two ends of a face must differ");
  memcpy(contact->end[0], file.from, sizeof file.from);
  memcpy(contact->end[1], file.to, sizeof file.to);
}

// What a flow asks of the rest of the file.
static void check_flow(const pc_continuum *c, const pc_continuum_file *file)
{
  const pc_fe_collision_def *def = &c->def;
  if (def->media > 1)
    pc_complain(file->media, "with a 'duration' a fluid must be the only medium");
  else if (c->mesh.dimension != 2)
    pc_complain(file->media, "with a 'duration' a fluid needs a mesh in the plane");
  else if (c->thermal.media > 0)
    pc_complain(file->media, "with a 'duration' a fluid cannot have 'heat'");
  if (def->pushes > 0)
    pc_complain(file->pushes, "with a 'duration' a fluid cannot have 'pushes'");
  for (int i = 0; i < def->contacts && !pc_failed(file->root); i++) {
    const pc_fe_contact *contact = &def->contact[i];
    pc_node node = pc_item(file->contacts, i);
    if (contact->other >= 0)
      pc_complain(node,
                  "with a 'duration' a fluid can touch the ground or a body, but not other sides");
    else if (contact->condition == PC_FE_LOOSE)
      pc_complain(node, "with a 'duration' contacts of a fluid cannot be 'loose'");
    else if (c->motion.wall[i].offset != 0 || c->motion.wall[i].direction[0] != 0)
      pc_complain(node, "remove 'ground': the ground of a fluid is where its sides are");
  }
  for (int i = 0; i < def->holds && !pc_failed(file->root); i++)
    if (def->hold[i].kept)
      pc_complain(pc_item(file->hold, i),
                  "with a 'duration' held sides must be at rest: use 'velocity: 0'");
}

void pc_continuum_refuse_flow(const pc_continuum *c, const pc_continuum_file *file)
{
  static const char only[] = "'%s' requires a fluid with a 'duration'";
  for (int i = 0; i < c->def.contacts && !pc_failed(file->root); i++) {
    if (pc_is_present(file->face[i]))
      pc_complain(file->face[i], only, "face");
    if (c->flow.contact[i].drag > 0)
      pc_complain(pc_item(file->contacts, i), only, "drag");
  }
  if (c->flow.viscosity > 0)
    pc_complain(file->media, only, "dynamic_viscosity");
}

// What only the mesh can tell: walls that are straight, a surface that faces upwards, and bodies
// whose faces meet it.
static void check_on_mesh(const pc_continuum *c, const pc_continuum_file *file,
                          const pc_fe_flow *flow)
{
  double depth, at[3] = {0}, width, spacing;
  int averted = pc_fe_flow_find_averted(flow);
  int sunk = averted < 0 ? pc_fe_flow_find_sunk(flow, &depth, at) : -1;
  int narrow = averted < 0 && sunk < 0 ? pc_fe_flow_find_narrow(flow, &width, &spacing) : -1;
  int wrong = averted >= 0 ? averted : sunk >= 0 ? sunk : narrow;
  if (wrong < 0)
    return;
  pc_node node =
      pc_is_present(file->face[wrong]) ? file->face[wrong] : pc_item(file->contacts, wrong);
  const char *name = c->body_name[c->def.contact[wrong].body];
  const double(*end)[2] = c->flow.contact[wrong].end;
  if (averted >= 0)
    pc_complain(node, "the face of '%s', from (%g, %g) to (%g, %g), is not above a free surface",
                pc_text_path(name).text, end[0][0], end[0][1], end[1][0], end[1][1]);
  else if (sunk >= 0)
    pc_complain(node, "the face of '%s' starts %g m below the surface, at %s",
                pc_text_path(name).text, depth, pc_fe_place_text(&c->mesh, at).text);
  else
    pc_complain(node,
                "the face of '%s' is %g m wide and can pass between nodes of the surface, which "
                "are up to %g m apart; refine the surface to sides of at most %g m",
                pc_text_path(name).text, width, spacing, 2 * width);
}

void pc_continuum_read_flow(pc_scene *scene, const pc_continuum_file *file)
{
  pc_continuum *c = scene->continuum;
  check_flow(c, file);
  pc_node large = PC_NODE(file->root, pc_continuum_file, large);
  if (!pc_failed(file->root) && pc_is_present(large))
    pc_complain(large, "'deformation' applies to solids only");
  for (int i = 0; i < c->def.contacts && !pc_failed(file->root); i++)
    read_face(c, file->face[i], &((pc_fe_flow_contact *)c->flow.contact)[i]);
  if (pc_failed(file->root))
    return;
  pc_fe_flow_def def = pc_fe_flow_def_default();
  def.mesh = &c->mesh;
  def.density = c->def.medium[0].density;
  def.strain = c->def.medium[0].strain;
  def.viscosity = c->flow.viscosity;
  def.bodies = c->def.bodies;
  def.body = c->def.body;
  def.contacts = c->def.contacts;
  def.contact = c->flow.contact;
  def.holds = c->def.holds;
  def.hold = c->def.hold;
  def.step = scene->step;
  def.rest = file->rest;
  def.reach = file->reach;
  def.tolerance = c->def.tolerance;
  if (pc_is_present(file->gravity)) {
    pc_continuum_check_components(&c->mesh, file->gravity);
    pc_read_vector(file->gravity, 2, 2, def.gravity);
  }
  c->flow = def;
  c->flows = true;
  if (pc_failed(file->root))
    return;
  pc_error reason = {.status = PC_OK};
  pc_fe_flow *flow = pc_fe_flow_create(&def, &reason);
  if (flow == NULL ||
      pc_fe_flow_set(flow, NULL, NULL, (const double(*)[PC_FE_BODY])c->body_velocity, &reason) !=
          PC_OK)
    pc_complain(file->root, "%s", reason.text);
  else
    check_on_mesh(c, file, flow);
  pc_fe_flow_destroy(flow);
}
