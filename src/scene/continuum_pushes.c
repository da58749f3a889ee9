// `pushes` of a `kind: continuum` file: percussions, heat, entropy and percussion work from
// outside.
#include <stdlib.h>

#include "scene/continuum_file.h"

typedef struct push_file {
  pc_node sides, elements;
  pc_fe_push push;
} push_file;
static const pc_key push_keys[] = {
    {PC_KEY(push_file, sides), PC_A_NAME, .left_out = "acts in `elements` or at a `point`",
     .meaning = "a group of sides"},
    {PC_KEY(push_file, elements), PC_A_NAME, .left_out = "acts on `sides` or at a `point`",
     .meaning = "a group of elements; with a `point`, the elements that contain the point"},
    {"point", PC_INTO(push_file, push.point), PC_NUMBERS, .unit = "m", .count = {1, 3},
     .left_out = "acts on `sides` or in `elements`", .meaning = "a point of the mesh"},
    {"percussion", PC_INTO(push_file, push.percussion), PC_NUMBERS,
     .unit = "Pa s, in elements N s/m³, at a point N s/m", .count = {1, 3}, .left_out = "none",
     .meaning = "impulse per area, per volume, or at the point; in the plane per metre of depth"},
    {"heat", PC_INTO(push_file, push.heat), PC_A_NUMBER,
     .unit = "J/m², in elements J/m³, at a point J/m", .left_out = "none",
     .meaning = "heat that media with `heat` receive in the collision; negative if they lose heat"},
    {"entropy", PC_INTO(push_file, push.entropy), PC_A_NUMBER,
     .unit = "J/(m² K), in elements J/(m³ K), at a point J/(m K)",
     .left_out = "computed from the heat",
     .meaning = "entropy that the media receive, instead of `heat`"},
    {"work", PC_INTO(push_file, push.work), PC_A_NUMBER | PC_NUMBERS, .count = {3, 3},
     .unit = "J/m², in elements J/m³, at a point J/m", .left_out = "none",
     .meaning = "percussion work A (a on sides) for the phase change: one number for the liquid "
                "fraction, three numbers for the fractions of an alloy"},
    {"at", PC_INTO(push_file, push.at), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "with a `duration` of solids: time at which it acts. With temperatures it acts "
                "between two steps, and its heat enters in the next step"},
    {0}};
const pc_mapping pc_table_continuum_push = {
    "continuum_push", "an entry of 'pushes'",
    "External action in the collision, or at a given time of a motion: an impulse (percussion), "
    "such as a hammer blow; heat, such as a radiation pulse; or entropy. Requires `sides`, "
    "`elements` or a `point`.",
    .keys = {push_keys}};

static void read_place(const pc_continuum *to, pc_node node, const push_file *file,
                       pc_fe_push *push)
{
  const pc_fe_mesh *mesh = &to->mesh;
  pc_node point = PC_NODE(node, push_file, push.point);
  bool sides = pc_is_present(file->sides), elements = pc_is_present(file->elements);
  push->group = -1;
  if (sides == (elements || pc_is_present(point))) {
    pc_complain(node, "a push needs 'sides', or 'elements' or a 'point', or both of the last two");
  } else if (sides) {
    push->place = PC_FE_ON_SIDES;
    push->group = pc_continuum_find_group(mesh, mesh->dimension - 1, file->sides);
  } else {
    push->place = pc_is_present(point) ? PC_FE_AT_POINT : PC_FE_IN_ELEMENTS;
    if (elements)
      push->group = pc_continuum_find_group(mesh, mesh->dimension, file->elements);
    pc_continuum_check_components(mesh, point);
    double xi[3];
    if (!pc_failed(node) && push->place == PC_FE_AT_POINT &&
        pc_fe_mesh_locate(mesh, push->group, push->point, xi) < 0)
      pc_complain(point, "%s is not in %s", pc_fe_place_text(mesh, push->point).text,
                  elements ? "these elements" : "the mesh");
  }
}

// The group of elements that receive heat: that of a push, or of the element of its point.
static int group_of(const pc_continuum *to, const pc_fe_push *push)
{
  double xi[3];
  if (push->place != PC_FE_AT_POINT)
    return push->group;
  return to->mesh.body.cell[pc_fe_mesh_locate(&to->mesh, push->group, push->point, xi)].group;
}

static int count_fractions(const pc_continuum *to, int group)
{
  for (int i = 0; i < to->thermal.media; i++)
    if (to->thermal.medium[i].group == group)
      return to->thermal.medium[i].phases == PC_FE_ALLOY    ? 3
             : to->thermal.medium[i].phases == PC_FE_LIQUID ? 1
                                                            : 0;
  return 0;
}

// Whether all nodes of cells have so many fractions. Those of media that meet without phases there
// count for both.
static bool have_fractions(const pc_continuum *to, pc_node node, const pc_fe_cells *cells,
                           int group, int fractions)
{
  const pc_fe_cells *body = &to->mesh.body;
  int *of_node = pc_allocate(node, to->mesh.nodes, sizeof *of_node);
  bool all = of_node != NULL;
  for (int i = 0; all && i < body->count; i++) {
    const pc_fe_cell *cell = &body->cell[i];
    int count = count_fractions(to, cell->group);
    for (int n = 0; count > 0 && n < pc_element_of(cell->type)->nodes; n++)
      of_node[body->node[cell->first + n]] = count;
  }
  for (int i = 0; all && i < cells->count; i++) {
    const pc_fe_cell *cell = &cells->cell[i];
    for (int n = 0; cell->group == group && n < pc_element_of(cell->type)->nodes; n++)
      all = all && of_node[cells->node[cell->first + n]] == fractions;
  }
  free(of_node);
  return all;
}

static void check_heat(const pc_continuum *to, pc_node node, const pc_fe_push *push)
{
  pc_node heat = PC_NODE(node, push_file, push.heat),
          entropy = PC_NODE(node, push_file, push.entropy);
  pc_node work = PC_NODE(node, push_file, push.work);
  bool warms = pc_is_present(heat) || pc_is_present(entropy) || pc_is_present(work);
  if (pc_is_present(heat) && pc_is_present(entropy))
    pc_complain(entropy, "'heat' and 'entropy' cannot be combined; one follows from the other");
  else if (!warms && !PC_GIVEN(node, push_file, push.percussion))
    pc_complain(node, "a push needs 'percussion', 'heat', 'entropy' or 'work'");
  if (pc_failed(node) || !warms)
    return;
  const pc_fe_cells *cells = push->place == PC_FE_ON_SIDES ? &to->mesh.side : &to->mesh.body;
  int group = group_of(to, push);
  if (pc_continuum_is_heated(to, cells, group) != PC_HEATED) {
    pc_complain(node, "%s is applied where not all media have 'heat'",
                pc_is_present(entropy) ? "entropy"
                : pc_is_present(work)  ? "work"
                                       : "heat");
    return;
  }
  int numbers = pc_is_present(work) ? pc_is_sequence(work) ? 3 : 1 : 0;
  if (numbers > 0 && !have_fractions(to, node, cells, group, numbers))
    pc_complain(work,
                "'work' must be one number for a liquid phase, or three numbers for an alloy");
}

void pc_continuum_check_push_times(const pc_continuum *c, pc_node list, double duration)
{
  for (int i = 0; i < c->def.pushes && !pc_failed(list); i++) {
    pc_node entry = pc_item(list, i);
    double at = c->def.push[i].at;
    if (at > 0 && duration == 0)
      pc_complain(pc_get(entry, "at"), "'at' requires a 'duration'");
    else if (at > 0 && at >= duration)
      pc_complain(pc_get(entry, "at"), "'at' is %g s, after the end of the motion at %g s", at,
                  duration);
  }
}

void pc_continuum_move_pushes(pc_continuum *to, pc_node list, bool started, pc_fe_motion_def *def)
{
  int count = to->def.pushes, first = 0, later = 0;
  pc_fe_push *push = pc_continuum_take(to, list, count, sizeof *push);
  if (push == NULL || pc_failed(list))
    return;
  for (int i = 0; i < count; i++)
    if (started && to->def.push[i].at == 0)
      push[first++] = to->def.push[i];
  for (int i = 0; i < count; i++)
    if (!started || to->def.push[i].at > 0)
      push[first + later++] = to->def.push[i];
  to->def.push = to->thermal.push = push;
  to->def.pushes = to->thermal.pushes = first;
  def->push = push + first;
  def->pushes = later;
}

void pc_continuum_read_pushes(pc_continuum *to, pc_node list)
{
  pc_entries e = pc_entries_of(list);
  pc_fe_push *push = pc_continuum_take(to, list, e.count, sizeof *push);
  to->def.push = to->thermal.push = push;
  while (pc_next(&e)) {
    push_file file = {.push = {.group = -1}};
    if (!pc_bind(&e.node, &pc_table_continuum_push, &file))
      return;
    pc_continuum_check_components(&to->mesh, PC_NODE(e.node, push_file, push.percussion));
    read_place(to, e.node, &file, &file.push);
    file.push.has_entropy = PC_GIVEN(e.node, push_file, push.entropy);
    if (!pc_failed(e.node))
      check_heat(to, e.node, &file.push);
    push[e.index] = file.push;
    to->def.pushes = to->thermal.pushes = e.index + 1;
  }
}
