// Floors of a `kind: crowd` file that are given as drawings in DXF.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "crowd/layout.h"
#include "scene/crowd_file.h"
#include "scene/dxf_chains.h"
#include "scene/paths.h"
#include "scene/polygons.h"

// What the layers of a drawing are used for.
enum { WALLS, OUTLINE, OBSTACLES, EXITS, DOORS, IGNORED, USES };

typedef struct dxf_file {
  pc_node file, layers[USES];
  pc_dxf_def def;
} dxf_file;
#define LAYERS(name_, use_, meaning_)                                                              \
  {                                                                                                \
    name_, PC_INTO(dxf_file, layers[use_]), PC_A_NAME | PC_NAMES,                                  \
        .count = {1, 1000}, .left_out = "none", .meaning = meaning_                                \
  }
static const pc_key dxf_keys[] = {
    {PC_KEY(dxf_file, file), PC_A_FILE, true, .meaning = "an ASCII DXF file, R12 to 2018"},
    LAYERS("walls", WALLS, "layers whose lines are walls"),
    LAYERS("outline", OUTLINE,
           "layers whose closed lines are the outline of the walkable area; areas that touch or "
           "overlap are joined"),
    LAYERS("obstacles", OBSTACLES, "layers whose closed lines are areas that nobody can enter"),
    LAYERS("exits", EXITS,
           "layers whose straight lines are exits. A text on the layer names the nearest of them "
           "within 3 m; the others are called `LAYER-N`, from 1"),
    LAYERS("doors", DOORS, "layers whose straight lines are gaps in walls; arcs are left out"),
    LAYERS("ignored", IGNORED, "layers that the warning about unused layers leaves out"),
    {"unit", PC_INTO(dxf_file, def.unit), PC_A_WORD,
     .words =
         PC_WORDS({"mm", PC_DXF_MILLIMETRE}, {"cm", PC_DXF_CENTIMETRE}, {"dm", PC_DXF_DECIMETRE},
                  {"m", PC_DXF_METRE}, {"in", PC_DXF_INCH}, {"ft", PC_DXF_FOOT}),
     .noun = "unit", .left_out = "the unit of the file, $INSUNITS",
     .meaning = "unit of length of the drawing"},
    {"curves", PC_INTO(dxf_file, def.curves), PC_A_NUMBER, .unit = "m", PC_FROM(1e-4, 1),
     .otherwise = "0.01",
     .meaning = "largest distance between an arc and the chords that replace "
                "it"},
    {0}};
const pc_mapping pc_table_dxf = {"dxf", "'dxf'",
                                 "A drawing in DXF, and what its layers are. Blocks are inserted.",
                                 .keys = {dxf_keys}};

typedef struct plan_reader {
  pc_crowd_builder *builder;
  int floor;
  pc_node node;
  dxf_file *file;
  const double *origin;
  char path[1024];
  pc_dxf dxf;
  int *use;     // of each layer; -1: none
  bool *chosen; // layers of the present use
} plan_reader;

// The layers of the file, as many as fit, for messages. With `unused` those that have no use.
static int list_layers(const plan_reader *r, bool unused, char *text, size_t size)
{
  size_t used = 0;
  int count = 0, left = 0;
  text[0] = 0;
  for (int i = 0; i < r->dxf.layers.count; i++) {
    const pc_dxf_layer *layer = &r->dxf.layers.at[i];
    if (layer->paths + layer->others == 0 || (unused && r->use[i] >= 0))
      continue;
    char name[80];
    pc_text_clean(name, 60, layer->name, strlen(layer->name));
    count++;
    if (used + strlen(name) + 30 < size && left == 0)
      used += (size_t)snprintf(text + used, size - used, "%s%s (%d)", used > 0 ? ", " : "", name,
                               layer->paths + layer->others);
    else
      left++;
  }
  if (left > 0)
    snprintf(text + used, size - used, " and %d more", left);
  return count;
}

static void use_layer(plan_reader *r, pc_node name, int use)
{
  const char *text = pc_read_name(name);
  int found = pc_failed(name) ? -1 : pc_dxf_find_layer(&r->dxf, text);
  char all[300];
  if (pc_failed(name))
    return;
  if (found < 0 && use != IGNORED) {
    list_layers(r, false, all, sizeof all);
    pc_complain(name, "%s has no entity on layer '%s'; its layers (with their entities): %s",
                pc_text_path(r->path).text, pc_node_text(name).text, all);
  } else if (found >= 0 && r->use[found] >= 0)
    pc_complain(name, "layer '%s' is named twice", pc_node_text(name).text);
  else if (found >= 0 && use != IGNORED && r->dxf.layers.at[found].paths == 0) {
    const pc_dxf_layer *layer = &r->dxf.layers.at[found];
    bool unread = layer->others > 0;
    pc_complain(name, "%s has no lines on layer '%s'%s%s%s", pc_text_path(r->path).text,
                pc_node_text(name).text, unread ? ", only entities that cannot be read (" : "",
                unread ? layer->other : "", unread ? "); convert them to polylines" : "");
  } else if (found >= 0)
    r->use[found] = use;
}

static void use_layers(plan_reader *r)
{
  bool any = false;
  for (int use = 0; use < USES; use++) {
    pc_node list = r->file->layers[use];
    any = any || (pc_is_present(list) && use != IGNORED);
    int count = pc_is_sequence(list) ? pc_read_list(list, "a list of layers") : 0;
    if (pc_is_present(list) && !pc_is_sequence(list))
      use_layer(r, list, use);
    for (int i = 0; i < count && !pc_failed(list); i++)
      use_layer(r, pc_item(list, i), use);
  }
  char all[300];
  list_layers(r, false, all, sizeof all);
  if (!any && !pc_failed(r->node))
    pc_complain(r->node,
                "'dxf' needs 'walls', 'outline' or another use of layers; those of %s "
                "(with their entities): %s",
                pc_text_path(r->path).text, all);
}

static void warn(const plan_reader *r)
{
  char all[300];
  int unused = list_layers(r, true, all, sizeof all);
  pc_text name = pc_text_path(r->path);
  if (unused > 0)
    pc_warn(r->node, "%s: layers that are not used (with their entities): %s", name.text, all);
  for (int i = 0; i < r->dxf.layers.count; i++) {
    const pc_dxf_layer *layer = &r->dxf.layers.at[i];
    if (layer->others > 0 && r->use[i] >= 0 && r->use[i] != IGNORED)
      pc_warn(
          r->node,
          "%s:%d: %d entit%s on layer '%.60s' cannot be read, the first is %.40s; convert %s to "
          "polylines",
          name.text, layer->other_line, layer->others, layer->others == 1 ? "y" : "ies",
          layer->name, layer->other, layer->others == 1 ? "it" : "them");
  }
}

static void choose(plan_reader *r, int use)
{
  for (int i = 0; i < r->dxf.layers.count; i++)
    r->chosen[i] = r->use[i] == use;
}

static bool join(plan_reader *r, int use, bool rings, pc_dxf_chains *chains)
{
  pc_error reason = {.text = ""};
  choose(r, use);
  if (pc_dxf_join(chains, &r->dxf, r->chosen, rings, r->path, &reason) != PC_OK)
    pc_complain(r->node, "%s", reason.text);
  return !pc_failed(r->node);
}

static void build(plan_reader *r, pc_wall_kind kind, int count, const double (*points)[2])
{
  pc_crowd_build_wall(r->builder, r->floor, r->node, kind, count, points);
}

static void read_walls(plan_reader *r)
{
  pc_dxf_chains chains;
  bool joined = join(r, WALLS, false, &chains);
  for (int i = 0; i < chains.list.count && joined && !pc_failed(r->node); i++) {
    const pc_dxf_chain *chain = &chains.list.at[i];
    double(*p)[2] = pc_allocate(r->node, chain->count + 1, sizeof *p);
    if (p == NULL)
      break;
    memcpy(p, chains.points.at + chain->first, (size_t)chain->count * sizeof *p);
    memcpy(p[chain->count], p[0], sizeof *p);
    build(r, PC_WALL_LINE, chain->count + chain->closed, (const double(*)[2])p);
    free(p);
  }
  pc_dxf_chains_free(&chains);
}

static void read_outlines(plan_reader *r)
{
  pc_dxf_chains chains;
  pc_polygons polygons = {.count = 0};
  bool joined = join(r, OUTLINE, true, &chains), room = true;
  for (int i = 0; i < chains.list.count && joined && room; i++) {
    const pc_dxf_chain *chain = &chains.list.at[i];
    int first = polygons.points.count;
    room = pc_array_reserve(&polygons.points, first + chain->count + 1);
    for (int k = 0; k <= chain->count && room; k++)
      memcpy(polygons.points.at[polygons.points.count++],
             chains.points.at[chain->first + k % chain->count], sizeof *polygons.points.at);
    room = room && pc_polygons_add_ring(&polygons, first, false, NULL) == PC_OK;
    polygons.count++;
  }
  if (joined && !room)
    pc_complain(r->node, "out of memory");
  if (polygons.count > 0)
    pc_crowd_add_polygons(r->builder, r->floor, r->node, &polygons, (const double[2]){0, 0},
                          "'dxf': ");
  pc_polygons_free(&polygons);
  pc_dxf_chains_free(&chains);
}

static void read_obstacles(plan_reader *r)
{
  pc_dxf_chains chains;
  bool joined = join(r, OBSTACLES, true, &chains);
  for (int i = 0; i < chains.list.count && joined && !pc_failed(r->node); i++) {
    const pc_dxf_chain *chain = &chains.list.at[i];
    const pc_dxf_path *path = &r->dxf.paths.at[chain->path];
    if (!(path->radius > 0))
      build(r, PC_WALL_OBSTACLE, chain->count, (const double(*)[2])chains.points.at + chain->first);
    else if (pc_crowd_add_pillar(r->builder->crowd, r->floor, path->centre, path->radius) != PC_OK)
      pc_crowd_complain(r->builder, r->node, "");
  }
  pc_dxf_chains_free(&chains);
}

typedef struct found_exit {
  int path, number;
  char name[80];
} found_exit;
enum { MOST_EXITS = 1000, MOST_TEXTS = 10000 };

// Each text names the nearest exit of its layer that has no name yet.
static void name_exits(const plan_reader *r, int count, found_exit *exits)
{
  static const double NEAR = 3; // m
  for (int t = 0; t < r->dxf.texts.count && t < MOST_TEXTS; t++) {
    const pc_dxf_text *text = &r->dxf.texts.at[t];
    double least = NEAR;
    int nearest = -1;
    for (int i = 0; i < count && r->use[text->layer] == EXITS; i++) {
      const pc_dxf_path *path = &r->dxf.paths.at[exits[i].path];
      const double(*p)[2] = (const double(*)[2])r->dxf.points.at + path->first;
      double away = pc_distance_to_line(text->at, p[0], p[1]);
      if (path->layer == text->layer && exits[i].name[0] == 0 && away < least)
        nearest = i, least = away;
    }
    if (nearest >= 0)
      pc_text_clean(exits[nearest].name, 60, text->text, strlen(text->text));
  }
  for (int i = 0; i < count; i++)
    if (exits[i].name[0] == 0) {
      char layer[80];
      const char *name = r->dxf.layers.at[r->dxf.paths.at[exits[i].path].layer].name;
      pc_text_clean(layer, 50, name, strlen(name));
      snprintf(exits[i].name, sizeof exits[i].name, "%.50s-%d", layer, exits[i].number);
    }
}

static void read_exits(plan_reader *r)
{
  int *numbers = pc_allocate(r->node, r->dxf.layers.count, sizeof *numbers), count = 0;
  found_exit *exits = pc_allocate(r->node, MOST_EXITS, sizeof *exits);
  for (int i = 0; i < r->dxf.paths.count && !pc_failed(r->node); i++) {
    const pc_dxf_path *path = &r->dxf.paths.at[i];
    const char *wrong = path->count != 2 || path->curved ? "an exit must be one straight line"
                        : count == MOST_EXITS            ? "more than 1000 exits"
                                                         : NULL;
    if (r->use[path->layer] != EXITS)
      continue;
    if (wrong != NULL)
      pc_complain(r->node, "%s:%d: layer '%.60s': %s", pc_text_path(r->path).text, path->line,
                  r->dxf.layers.at[path->layer].name, wrong);
    else
      exits[count++] = (found_exit){.path = i, .number = ++numbers[path->layer]};
  }
  if (!pc_failed(r->node))
    name_exits(r, count, exits);
  for (int i = 0; i < count && !pc_failed(r->node); i++)
    pc_crowd_add_exit_line(r->builder, r->node, r->floor, exits[i].name,
                           (const double(*)[2])r->dxf.points.at +
                               r->dxf.paths.at[exits[i].path].first);
  free(exits);
  free(numbers);
}

static void read_doors(plan_reader *r)
{
  for (int i = 0; i < r->dxf.paths.count && !pc_failed(r->node); i++) {
    const pc_dxf_path *path = &r->dxf.paths.at[i];
    pc_door_def def = {.floor = r->floor,
                       .count = path->count,
                       .points = (const double(*)[2])r->dxf.points.at + path->first};
    if (r->use[path->layer] == DOORS && !path->curved &&
        pc_crowd_add_door(r->builder->crowd, &def) < 0)
      pc_crowd_complain(r->builder, r->node, "");
  }
}

static void move(plan_reader *r)
{
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < r->dxf.points.count; i++)
      r->dxf.points.at[i][k] -= r->origin[k];
    for (int i = 0; i < r->dxf.paths.count; i++)
      r->dxf.paths.at[i].centre[k] -= r->origin[k];
    for (int i = 0; i < r->dxf.texts.count; i++)
      r->dxf.texts.at[i].at[k] -= r->origin[k];
  }
}

static void read_drawing(plan_reader *r)
{
  pc_error reason = {.text = ""};
  size_t size;
  if (!pc_scene_find_file(r->file->file, r->path, sizeof r->path))
    return;
  char *text = pc_document_text(r->path, &size, &reason);
  if (text == NULL || pc_dxf_read(&r->dxf, &r->file->def, r->path, text, size, &reason) != PC_OK)
    pc_complain(r->file->file, "%s", reason.text);
  free(text);
  r->use = pc_allocate(r->node, r->dxf.layers.count, sizeof *r->use);
  r->chosen = pc_allocate(r->node, r->dxf.layers.count, sizeof *r->chosen);
  for (int i = 0; i < r->dxf.layers.count && r->use != NULL; i++)
    r->use[i] = -1;
}

void pc_crowd_read_dxf(pc_crowd_builder *builder, int floor, pc_node node, const double origin[2])
{
  dxf_file file = {.def = {.unit = PC_DXF_NO_UNIT}};
  plan_reader r = {
      .builder = builder, .floor = floor, .node = node, .file = &file, .origin = origin};
  if (!pc_is_present(node) || !pc_bind(&node, &pc_table_dxf, &file))
    return;
  r.node = node;
  read_drawing(&r);
  if (!pc_failed(node))
    use_layers(&r);
  if (!pc_failed(node)) {
    move(&r);
    warn(&r);
    read_outlines(&r);
  }
  if (!pc_failed(node))
    read_walls(&r);
  if (!pc_failed(node))
    read_obstacles(&r);
  if (!pc_failed(node))
    read_doors(&r);
  if (!pc_failed(node))
    read_exits(&r);
  pc_dxf_free(&r.dxf);
  free(r.use);
  free(r.chosen);
}
