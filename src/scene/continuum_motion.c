// A `kind: continuum` file with a duration: elastic solids in time. Fluids: continuum_flow.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/small.h"
#include "scene/continuum_file.h"

// Nodes that begin inside the ground of a contact.
static void check_start(const pc_continuum *c, int contact, pc_node node)
{
  const pc_fe_wall *wall = &c->motion.wall[contact];
  const pc_fe_cells *side = &c->mesh.side;
  double length = pc_fe_length(wall->direction), least = 0;
  const double *where = NULL;
  for (int s = 0; s < side->count; s++)
    for (int k = 0;
         side->cell[s].group == wall->sides && k < pc_element_of(side->cell[s].type)->nodes; k++) {
      int at = side->node[side->cell[s].first + k];
      const double *x = c->mesh.node[at], *u = c->displacement + at * c->mesh.dimension;
      double gap = pc_dot3(wall->direction, x) / length - wall->offset;
      for (int i = 0; i < c->mesh.dimension; i++)
        gap += wall->direction[i] / length * u[i];
      if (gap < least - 1e-12 * pc_fe_mesh_size(&c->mesh)) {
        least = gap;
        where = x;
      }
    }
  if (where != NULL)
    pc_complain(node, "'%s' starts %g m inside the ground, at %s",
                pc_text_path(c->contact_name[contact]).text, -least,
                pc_fe_place_text(&c->mesh, where).text);
}

static void check_body(const pc_continuum *c, pc_node node, int number)
{
  const pc_fe_body *body = &c->def.body[number];
  if (c->body_shape[number] == NULL)
    pc_complain(node, "with a 'duration' a body needs 'radius' or 'size'");
  for (int k = 0; k < PC_FE_BODY; k++)
    if (body->held[k] && c->body_velocity[number][k] != 0)
      pc_complain(node, "with a 'duration' held components of a body must have zero velocity");
}

// Bodies of the motion.
static void make_movers(pc_continuum *c, pc_node root, pc_fe_motion_def *def)
{
  pc_fe_mover *mover = pc_continuum_take(c, root, c->def.bodies, sizeof *mover);
  bool space = c->mesh.dimension == 3;
  for (int i = 0; i < c->def.bodies && !pc_failed(root); i++) {
    const double *velocity = c->body_velocity[i];
    mover[i] =
        (pc_fe_mover){.body = c->def.body[i], .shape = c->body_shape[i], .name = c->body_name[i]};
    memcpy(mover[i].attitude, c->body_attitude[i], sizeof mover[i].attitude);
    memcpy(mover[i].velocity, velocity, (space ? 3 : 2) * sizeof *velocity);
    for (int k = 0; k < 3; k++)
      mover[i].spin[k] = space ? velocity[3 + k] : k == 2 ? velocity[2] : 0;
  }
  def->bodies = c->def.bodies;
  def->body = mover;
}

static bool is_wall(const pc_fe_contact *contact)
{
  return contact->body < 0 && contact->other < 0;
}

// Where a contact is written, for messages about where it begins.
static const char *where_is(pc_continuum *c, const char *path, pc_node node)
{
  char text[300];
  int length =
      snprintf(text, sizeof text, "%s:%d: ", pc_text_path(path).text, pc_node_line(node)) + 1;
  char *own = pc_continuum_take(c, node, length, 1);
  if (own != NULL)
    memcpy(own, text, (size_t)length);
  return own;
}

// Contacts become walls or meetings; those with a body or other sides come behind.
static void sort_contacts(pc_continuum *c, const char *path, const pc_continuum_file *file,
                          pc_fe_motion_def *def)
{
  pc_node root = file->root;
  int count = c->def.contacts;
  pc_fe_wall *wall = pc_continuum_take(c, root, count, sizeof *wall);
  pc_fe_meet *meet = pc_continuum_take(c, root, count, sizeof *meet);
  c->motion_contact = pc_continuum_take(c, root, count, sizeof *c->motion_contact);
  c->contact_of = pc_continuum_take(c, root, count, sizeof *c->contact_of);
  if (pc_failed(root))
    return;
  for (int i = 0; i < count; i++)
    if (is_wall(&c->def.contact[i])) {
      c->motion_contact[i] = def->walls;
      wall[def->walls++] = c->motion.wall[i];
    }
  for (int i = 0; i < count; i++)
    if (!is_wall(&c->def.contact[i])) {
      const pc_fe_contact *contact = &c->def.contact[i];
      c->motion_contact[i] = def->walls + def->meets;
      meet[def->meets++] = (pc_fe_meet){.sides = contact->sides,
                                        .body = contact->body,
                                        .other = contact->other,
                                        .tied = contact->condition == PC_FE_BILATERAL,
                                        .where = where_is(c, path, pc_item(file->contacts, i))};
    }
  for (int i = 0; i < count; i++)
    c->contact_of[c->motion_contact[i]] = i;
  def->wall = wall;
  def->meet = meet;
}

// What a motion asks of the rest of the file.
static void check_motion(const pc_continuum *c, const pc_continuum_file *file)
{
  pc_node root = file->root;
  const pc_fe_collision_def *def = &c->def;
  for (int i = 0; i < def->bodies && !pc_failed(root); i++)
    check_body(c, pc_item(file->bodies, i), i);
  for (int i = 0; i < def->media && !pc_failed(root); i++) {
    pc_node medium = pc_pair_value(file->media, i);
    if (!(c->motion.solid[i].young > 0 || c->motion.solid[i].bulk > 0))
      pc_complain(medium, "with a 'duration' a medium needs a positive 'young' or 'bulk'");
    else if (file->large && c->motion.solid[i].bulk > 0)
      pc_complain(medium, "'deformation: large' does not apply to fluids");
  }
  for (int i = 0; i < def->contacts && !pc_failed(root); i++) {
    const pc_fe_contact *contact = &def->contact[i];
    pc_node node = pc_item(file->contacts, i);
    if (contact->condition == PC_FE_LOOSE)
      pc_complain(node, "with a 'duration' contacts cannot be 'loose'");
    else if (contact->condition == PC_FE_BILATERAL && is_wall(contact))
      pc_complain(node, "with a 'duration' contacts with the ground must be 'unilateral'");
    else if (!is_wall(contact) && (contact->normal > 0 || contact->tangential > 0))
      pc_complain(node, "with a 'duration' contacts with a body or other sides cannot have "
                        "viscosities; elasticity makes them rebound");
    else if (is_wall(contact))
      check_start(c, i, node);
  }
  for (int i = 0; i < def->holds && !pc_failed(root); i++)
    if (def->hold[i].kept)
      pc_complain(pc_item(file->hold, i),
                  "with a 'duration' held nodes must be at rest: use 'velocity: 0'");
}

void pc_continuum_read_motion(pc_scene *scene, const pc_continuum_file *file)
{
  pc_continuum *c = scene->continuum;
  pc_node root = file->root;
  pc_continuum_check_push_times(c, file->pushes, scene->duration);
  if (pc_failed(root))
    return;
  if (scene->duration == 0) {
    const pc_node of_motion[] = {PC_NODE(root, pc_scene, step),
                                 file->gravity,
                                 PC_NODE(root, pc_continuum_file, rest),
                                 PC_NODE(root, pc_continuum_file, reach),
                                 PC_NODE(root, pc_continuum_file, large),
                                 file->stretch,
                                 file->turned};
    for (int i = 0; i < PC_COUNT(of_motion); i++)
      if (pc_is_present(of_motion[i]))
        pc_complain(of_motion[i], "'%s' requires a 'duration'", of_motion[i].key->name);
    for (int i = 0; i < c->def.media && !pc_failed(root); i++)
      if (c->motion.solid[i].viscosity > 0 && !c->def.medium[i].fluid)
        pc_complain(pc_pair_value(file->media, i), "'dynamic_viscosity' requires a 'duration'");
    pc_continuum_refuse_alloy(c, file);
    pc_continuum_refuse_flow(c, file);
    return;
  }
  if (!(scene->step > 0))
    pc_complain(root, "'duration' requires 'step'");
  c->moves = true;
  bool fluid = false;
  for (int i = 0; i < c->def.media; i++)
    fluid = fluid || c->def.medium[i].fluid;
  if (pc_is_present(file->stretch) && (fluid || c->thermal.media > 0))
    pc_complain(file->stretch, "'stretch' requires elastic solids without 'heat'");
  if (pc_is_present(file->turned) && fluid)
    pc_complain(file->turned,
                "bodies on a fluid cannot have an 'orientation'; their 'face' defines it");
  if (fluid && !pc_failed(root)) {
    pc_continuum_read_flow(scene, file);
    return;
  }
  pc_continuum_refuse_flow(c, file);
  if (c->thermal.media > 0)
    pc_continuum_read_alloy(scene, file);
  if (pc_failed(root))
    return;
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.mesh = &c->mesh;
  def.solids = c->def.media;
  def.solid = c->motion.solid;
  def.holds = c->def.holds;
  def.hold = c->def.hold;
  def.tolerance = c->def.tolerance;
  def.step = scene->step;
  def.rest = file->rest;
  def.reach = file->reach;
  def.large = file->large;
  if (pc_is_present(file->gravity)) {
    pc_read_vector(file->gravity, 1, 3, def.gravity);
    pc_continuum_check_components(&c->mesh, file->gravity);
  }
  def.alloy = c->alloys ? &c->alloy : NULL;
  if (!c->alloys)
    check_motion(c, file);
  if (pc_failed(root))
    return;
  sort_contacts(c, scene->path, file, &def);
  pc_continuum_move_pushes(c, root, c->alloys, &def);
  if (!c->alloys)
    make_movers(c, root, &def);
  c->motion = def;
}
