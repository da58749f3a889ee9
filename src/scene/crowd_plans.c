// Floors of a `kind: crowd` file that are given as plans of other programs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/plain.h"
#include "scene/crowd_file.h"
#include "scene/geojson.h"
#include "scene/paths.h"
#include "scene/wkt.h"

// A well-known text begins with a word and a bracket; the name of a file does not.
static bool is_wkt(const char *text)
{
  static const char *const words[] = {"POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION"};
  text += strspn(text, " \t\r\n");
  for (int i = 0; i < 3; i++)
    if (pc_begins_with_word(text, words[i]))
      return true;
  return strchr(text, '(') != NULL;
}

static bool is_json(const char *text)
{
  return text[strspn(text, " \t\r\n")] == '{';
}

// A plan as text, in the scene or in a file.
typedef struct plan_text {
  const char *text;
  size_t size;
  char path[1024]; // of the file; empty: the text is in the scene
  char *from_file; // to be freed
} plan_text;

static void read_text(pc_node node, bool (*is_text)(const char *), plan_text *plan)
{
  pc_error reason = {.text = ""};
  *plan = (plan_text){.text = pc_read_string(node)};
  plan->size = strlen(plan->text);
  if (pc_failed(node) || is_text(plan->text) ||
      !pc_scene_find_file(node, plan->path, sizeof plan->path))
    return;
  plan->text = plan->from_file = pc_document_text(plan->path, &plan->size, &reason);
  if (plan->text == NULL)
    pc_complain(node, "%s", reason.text);
}

void pc_crowd_add_polygons(pc_crowd_builder *builder, int floor, pc_node node,
                           pc_polygons *polygons, const double origin[2], const char *name)
{
  pc_error reason = {.text = ""};
  for (int i = 0; i < polygons->points.count; i++)
    for (int k = 0; k < 2; k++)
      polygons->points.at[i][k] -= origin[k];
  if (!pc_failed(node) && pc_polygons_join(polygons, &reason) != PC_OK)
    pc_complain(node, "%s%s", name, reason.text);
  for (int i = 0; i < polygons->rings.count && !pc_failed(node); i++) {
    const pc_ring *ring = &polygons->rings.at[i];
    pc_crowd_build_wall(builder, floor, node, ring->hole ? PC_WALL_OBSTACLE : PC_WALL_OUTLINE,
                        ring->count, (const double(*)[2])polygons->points.at + ring->first);
  }
}

void pc_crowd_read_wkt(pc_crowd_builder *builder, int floor, pc_node node, const double origin[2])
{
  pc_error reason = {.text = ""};
  pc_polygons polygons = {.count = 0};
  plan_text plan;
  char name[200] = "'wkt': ";
  if (!pc_is_present(node))
    return;
  read_text(node, is_wkt, &plan);
  if (plan.path[0] != 0)
    snprintf(name, sizeof name, "'wkt' of %s: ", pc_text_path(plan.path).text);
  if (!pc_failed(node) && pc_wkt_read(&polygons, plan.text, &reason) != PC_OK)
    pc_complain(node, "%s%s", name, reason.text);
  pc_crowd_add_polygons(builder, floor, node, &polygons, origin, name);
  pc_polygons_free(&polygons);
  free(plan.from_file);
}

typedef struct geojson_file {
  pc_node file;
  const char *property, *value;
} geojson_file;
static const pc_key geojson_keys[] = {
    {PC_KEY(geojson_file, file), PC_A_TEXT | PC_A_FILE, true,
     .meaning = "a GeoJSON file, or its text"},
    {PC_KEY(geojson_file, property), PC_A_TEXT, .with = "value", .left_out = "all features",
     .meaning = "a property of features, for instance their storey"},
    {PC_KEY(geojson_file, value), PC_A_TEXT, .with = "property",
     .meaning = "only features that have this value of the property are read"},
    {0}};
const pc_mapping pc_table_geojson = {
    "geojson", "'geojson'",
    "The features of a GeoJSON file that belong to a floor. Coordinates are in metres.",
    .keys = {geojson_keys}};

void pc_crowd_read_geojson(pc_crowd_builder *builder, int floor, pc_node node,
                           const double origin[2])
{
  geojson_file file = {.file = node};
  pc_error reason = {.text = ""};
  pc_polygons polygons = {.count = 0};
  plan_text plan;
  if (!pc_is_present(node) || (pc_is_mapping(node) && !pc_bind(&node, &pc_table_geojson, &file)))
    return;
  read_text(file.file, is_json, &plan);
  pc_geojson from = {file.property, file.value, .others = 0};
  const char *name = plan.path[0] != 0 ? plan.path : "'geojson'";
  if (!pc_failed(node) &&
      pc_geojson_read(&polygons, &from, name, plan.text, plan.size, &reason) != PC_OK)
    pc_complain(file.file, "%s", reason.text);
  if (!pc_failed(node) && from.others > 0)
    pc_warn(file.file, "%s: %d geometr%s left out, because only polygons can be walked on",
            pc_text_path(name).text, from.others, from.others == 1 ? "y is" : "ies are");
  pc_crowd_add_polygons(builder, floor, file.file, &polygons, origin, "'geojson': ");
  pc_polygons_free(&polygons);
  free(plan.from_file);
}
