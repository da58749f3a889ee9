// A `kind: continuum` file with a duration: elastic solids in time. Fluids: continuum_flow.c.
#include <math.h>

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
      const double *x = c->mesh.node[side->node[side->cell[s].first + k]];
      double gap = pc_dot3(wall->direction, x) / length - wall->offset;
      if (gap < least - 1e-12 * pc_fe_mesh_size(&c->mesh)) {
        least = gap;
        where = x;
      }
    }
  if (where != NULL)
    pc_complain(node, "'%s' begins inside the ground, by %g m at %s",
                pc_text_path(c->contact_name[contact]).text, -least,
                pc_fe_place_text(&c->mesh, where).text);
}

// What a motion asks of the rest of the file.
static void check_motion(const pc_continuum *c, const pc_continuum_file *file)
{
  pc_node root = file->root;
  const pc_fe_collision_def *def = &c->def;
  if (def->bodies > 0)
    pc_complain(file->bodies, "with a 'duration' there are no rigid bodies");
  if (def->pushes > 0)
    pc_complain(file->pushes, "with a 'duration' there are no percussions from outside");
  for (int i = 0; i < def->media && !pc_failed(root); i++) {
    pc_node medium = pc_pair_value(file->media, i);
    if (!(c->motion.solid[i].young > 0))
      pc_complain(medium, "with a 'duration' a medium needs the key 'young'");
  }
  for (int i = 0; i < def->contacts && !pc_failed(root); i++) {
    const pc_fe_contact *contact = &def->contact[i];
    if (contact->body >= 0 || contact->other >= 0 || contact->condition != PC_FE_UNILATERAL)
      pc_complain(pc_item(file->contacts, i),
                  "with a 'duration' contacts are unilateral, and with the ground");
    else
      check_start(c, i, pc_item(file->contacts, i));
  }
  for (int i = 0; i < def->holds && !pc_failed(root); i++)
    if (def->hold[i].kept)
      pc_complain(pc_item(file->hold, i), "with a 'duration' what is held rests");
}

void pc_continuum_read_motion(pc_scene *scene, const pc_continuum_file *file)
{
  pc_continuum *c = scene->continuum;
  pc_node root = file->root;
  if (pc_failed(root))
    return;
  if (scene->duration == 0) {
    const pc_node of_motion[] = {PC_NODE(root, pc_scene, step), file->gravity,
                                 PC_NODE(root, pc_continuum_file, rest),
                                 PC_NODE(root, pc_continuum_file, reach)};
    for (int i = 0; i < 4; i++)
      if (pc_is_present(of_motion[i]))
        pc_complain(of_motion[i], "'%s' is of a motion, but there is no 'duration'",
                    of_motion[i].key->name);
    pc_continuum_refuse_alloy(c, file);
    pc_continuum_refuse_flow(c, file);
    return;
  }
  if (!(scene->step > 0))
    pc_complain(root, "a file with a 'duration' needs the key 'step'");
  c->moves = true;
  bool fluid = false;
  for (int i = 0; i < c->def.media; i++)
    fluid = fluid || c->def.medium[i].fluid;
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
  def.walls = c->def.contacts;
  def.wall = c->motion.wall;
  def.holds = c->def.holds;
  def.hold = c->def.hold;
  def.tolerance = c->def.tolerance;
  def.step = scene->step;
  def.rest = file->rest;
  def.reach = file->reach;
  if (pc_is_present(file->gravity)) {
    pc_read_vector(file->gravity, 1, 3, def.gravity);
    pc_continuum_check_components(&c->mesh, file->gravity);
  }
  def.alloy = c->alloys ? &c->alloy : NULL;
  c->motion = def;
  if (!c->alloys)
    check_motion(c, file);
}
