// JSON is read as YAML, so complaints have the lines of the file.
#include "scene/geojson.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "scene/document.h"

enum { DEEPEST = 16, FEATURE = 40 };
static const double LEAST = 0.01; // m: nothing that people walk on is smaller

typedef struct geojson_reader {
  pc_polygons *to;
  pc_geojson *from;
  size_t left;           // visits: a file has fewer parts than bytes, unless aliases repeat them
  char feature[FEATURE]; // for messages: most files are one line
} geojson_reader;

static bool visit(geojson_reader *r, pc_node node)
{
  if (pc_failed(node))
    return false;
  if (r->left == 0)
    pc_complain(node, "aliases repeat the parts of the file too often; write them out");
  else
    r->left--;
  return !pc_failed(node);
}

static void read_ring(geojson_reader *r, pc_node node, bool hole)
{
  int first = r->to->points.count, count = pc_read_list(node, "a ring of a polygon");
  for (int i = 0; i < count && visit(r, pc_item(node, i)); i++) {
    double position[4] = {0}; // with a height, and what some programs add
    double *point = pc_array_add(&r->to->points);
    if (point == NULL)
      pc_complain(node, "out of memory");
    else if (pc_read_vector_in(pc_item(node, i), 2, 4, pc_any(), position) >= 2)
      memcpy(point, position, 2 * sizeof *point);
  }
  pc_error reason = {.text = ""};
  if (!pc_failed(node) && pc_polygons_add_ring(r->to, first, hole, &reason) != PC_OK)
    pc_complain(node, "%s%s", r->feature, reason.text);
}

static void read_polygon(geojson_reader *r, pc_node node)
{
  int count = pc_read_list(node, "the coordinates of a polygon");
  for (int i = 0; i < count && visit(r, pc_item(node, i)); i++)
    read_ring(r, pc_item(node, i), i > 0);
  r->to->count += count > 0;
}

static const char *type_of(geojson_reader *r, pc_node node)
{
  if (!pc_failed(node) && !pc_is_mapping(node))
    pc_complain(node, "%sexpected a GeoJSON object, {\"type\": …}", r->feature);
  pc_node type = pc_get(node, "type");
  if (!pc_failed(node) && !pc_is_present(type))
    pc_complain(node, "%sthe GeoJSON object has no \"type\"", r->feature);
  return pc_failed(node) ? "" : pc_read_string(type);
}

static pc_node part_of(geojson_reader *r, pc_node node, const char *key, const char *type)
{
  pc_node part = pc_get(node, key);
  if (!pc_failed(node) && !pc_is_present(part))
    pc_complain(node, "%sthe %s has no \"%s\"", r->feature, type, key);
  return part;
}

static void read_geometry(geojson_reader *r, pc_node node, int depth)
{
  static const char *const others[] = {"Point", "MultiPoint", "LineString", "MultiLineString"};
  const char *type = type_of(r, node);
  if (pc_failed(node))
    return;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(type, others[i]) == 0) {
      r->from->others++;
      return;
    }
  bool many = strcmp(type, "MultiPolygon") == 0;
  bool collection = strcmp(type, "GeometryCollection") == 0;
  if (strcmp(type, "Polygon") == 0) {
    read_polygon(r, part_of(r, node, "coordinates", type));
    return;
  }
  if (!many && !collection) {
    pc_complain(node,
                "%sunknown type '%s': expected Polygon, MultiPolygon, GeometryCollection, "
                "Feature or FeatureCollection",
                r->feature, pc_node_text(pc_get(node, "type")).text);
    return;
  }
  pc_node parts = part_of(r, node, many ? "coordinates" : "geometries", type);
  if (depth >= DEEPEST)
    pc_complain(node, "%scollections are nested more than %d deep", r->feature, DEEPEST);
  int count = pc_failed(node) ? 0 : pc_read_list(parts, "the parts of a geometry");
  for (int i = 0; i < count && visit(r, pc_item(parts, i)); i++)
    if (many)
      read_polygon(r, pc_item(parts, i));
    else
      read_geometry(r, pc_item(parts, i), depth + 1);
}

static bool is_wanted(geojson_reader *r, pc_node feature)
{
  if (r->from->property == NULL)
    return true;
  pc_node properties = pc_get(feature, "properties");
  pc_node value = pc_is_mapping(properties) ? pc_get(properties, r->from->property)
                                            : (pc_node){.document = feature.document};
  return pc_is_present(value) && !pc_is_sequence(value) && !pc_is_mapping(value) &&
         strcmp(pc_read_string(value), r->from->value) == 0;
}

static void read_feature(geojson_reader *r, pc_node node)
{
  if (pc_failed(node) || !is_wanted(r, node))
    return;
  pc_node geometry = part_of(r, node, "geometry", "Feature");
  if (!pc_failed(node) && !pc_is_null(geometry))
    read_geometry(r, geometry, 0);
}

static void read_features(geojson_reader *r, pc_node node)
{
  pc_node list = part_of(r, node, "features", "FeatureCollection");
  int count = pc_failed(node) ? 0 : pc_read_list(list, "\"features\"");
  for (int i = 0; i < count && visit(r, pc_item(list, i)); i++) {
    snprintf(r->feature, sizeof r->feature, "feature %d: ", i + 1);
    const char *type = type_of(r, pc_item(list, i));
    if (!pc_failed(node) && strcmp(type, "Feature") != 0)
      pc_complain(pc_item(list, i), "%sits type is '%s', not Feature", r->feature,
                  pc_node_text(pc_get(pc_item(list, i), "type")).text);
    read_feature(r, pc_item(list, i));
  }
  r->feature[0] = 0;
}

// The member `crs` of GeoJSON before RFC 7946 names the coordinates.
static void check_reference(pc_node root)
{
  static const char *const degrees[] = {"CRS84", "EPSG::4326", "EPSG:4326", "EPSG::4258",
                                        "EPSG:4258"};
  pc_node crs = pc_get(root, "crs");
  pc_node properties = pc_is_mapping(crs) ? pc_get(crs, "properties") : crs;
  pc_node name = pc_is_mapping(properties) ? pc_get(properties, "name") : properties;
  if (!pc_is_present(name) || pc_is_mapping(name) || pc_is_sequence(name) || pc_failed(root))
    return;
  for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
    const char *text = pc_read_string(name), *end = strstr(text, degrees[i]);
    if (end != NULL && end[strlen(degrees[i])] == 0)
      pc_complain(name,
                  "the coordinates are in degrees ('%s'), but a plan needs metres; convert "
                  "it, e.g. with ogr2ogr -t_srs EPSG:25832 plan.geojson THIS",
                  pc_node_text(name).text);
  }
}

static void check_size(geojson_reader *r, pc_node root)
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < r->to->points.count; i++)
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], r->to->points.at[i][k]);
      high[k] = fmax(high[k], r->to->points.at[i][k]);
    }
  if (r->to->count > 0 && !pc_failed(root) && high[0] - low[0] < LEAST && high[1] - low[1] < LEAST)
    pc_complain(root,
                "the whole plan measures %.3g x %.3g; coordinates must be in metres, and "
                "these may be degrees; convert them, e.g. with ogr2ogr -t_srs EPSG:25832 "
                "plan.geojson THIS",
                high[0] - low[0], high[1] - low[1]);
}

pc_status pc_geojson_read(pc_polygons *polygons, pc_geojson *from, const char *name,
                          const char *text, size_t size, pc_error *error)
{
  geojson_reader r = {.to = polygons, .from = from, .left = size};
  *polygons = (pc_polygons){0};
  from->others = 0;
  pc_document *document = pc_document_parse(name, text, size, error);
  if (document == NULL)
    return error->status;
  pc_node root = pc_document_root(document);
  const char *type = type_of(&r, root);
  if (!pc_failed(root))
    check_reference(root);
  if (strcmp(type, "FeatureCollection") == 0)
    read_features(&r, root);
  else if (strcmp(type, "Feature") == 0)
    read_feature(&r, root);
  else if (!pc_failed(root))
    read_geometry(&r, root, 0);
  check_size(&r, root);
  if (!pc_failed(root) && polygons->rings.count == 0)
    pc_complain(root, "%s",
                from->property == NULL ? "it contains no polygon"
                                       : "no feature with this property has a polygon");
  return pc_document_close(document, error);
}
