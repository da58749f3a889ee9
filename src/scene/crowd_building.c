// Floors of a `kind: crowd` file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/crowd_file.h"

typedef struct wall_file {
  pc_node points;
  bool closed;
} wall_file;
static const pc_key wall_keys[] = {{PC_KEY(wall_file, points), PC_POINTS, true, .unit = "m",
                                    .count = {2, 2}, .meaning = "corners, at least two"},
                                   {PC_KEY(wall_file, closed), PC_A_BOOLEAN, .otherwise = "false",
                                    .meaning = "true: connect the last corner to the first"},
                                   {0}};
static const pc_mapping wall_table = {
    "wall", "a wall", "A wall without thickness, through a list of points.", .keys = {wall_keys}};

static void read_walls(pc_crowd_builder *builder, int floor, pc_node list)
{
  for (pc_entries e = pc_entries_of(list); pc_next(&e);) {
    wall_file file;
    if (!pc_bind(&e.node, &wall_table, &file))
      return;
    int count;
    double(*points)[2] = pc_crowd_read_points(file.points, file.closed ? 3 : 2, &count);
    if (points != NULL && file.closed)
      memcpy(points[count++], points[0], sizeof *points);
    pc_crowd_build_wall(builder, floor, e.node, PC_WALL_LINE, count, (const double(*)[2])points);
    if (points != NULL)
      pc_crowd_keep_wall(builder, e.node, (pc_scene_wall){floor, e.index, count, points});
  }
}

typedef struct pillar_file {
  pc_node points;
  double centre[2], radius;
} pillar_file;
static const pc_key pillar_keys[] = {{PC_KEY(pillar_file, points), PC_POINTS, .unit = "m",
                                      .count = {2, 2},
                                      .meaning = "corners of its outline, at least three"},
                                     {PC_KEY(pillar_file, centre), PC_NUMBERS, .unit = "m",
                                      .count = {2, 2}, .meaning = "centre of a round obstacle"},
                                     {PC_KEY(pillar_file, radius), PC_A_NUMBER, .unit = "m",
                                      PC_POSITIVE, .meaning = "radius of a round obstacle"},
                                     {0}};
static const pc_mapping pillar_table = {
    "floor_obstacle", "an obstacle of a floor",
    "An area that nobody can enter, given by `points`, or by `centre` and `radius`.",
    .keys = {pillar_keys}};

static void read_obstacles(pc_crowd_builder *builder, int floor, pc_node list)
{
  for (pc_entries e = pc_entries_of(list); pc_next(&e);) {
    pillar_file file = {.radius = 0};
    if (!pc_bind(&e.node, &pillar_table, &file))
      return;
    bool outlined = pc_is_present(file.points), centred = PC_GIVEN(e.node, pillar_file, centre);
    if (centred != (file.radius > 0) || outlined == centred) {
      pc_complain(e.node, "an obstacle needs either 'points', or 'centre' and 'radius'");
      return;
    }
    int count;
    double(*outline)[2] = outlined ? pc_crowd_read_points(file.points, 3, &count) : NULL;
    if (outlined)
      pc_crowd_build_wall(builder, floor, e.node, PC_WALL_OBSTACLE, count,
                          (const double(*)[2])outline);
    else if (pc_crowd_add_pillar(builder->crowd, floor, file.centre, file.radius) != PC_OK)
      pc_crowd_complain(builder, e.node, "");
    free(outline);
  }
}

static void read_outline(pc_crowd_builder *builder, int floor, pc_node node)
{
  int count;
  if (!pc_is_present(node))
    return;
  double(*points)[2] = pc_crowd_read_points(node, 3, &count);
  pc_crowd_build_wall(builder, floor, node, PC_WALL_OUTLINE, count, (const double(*)[2])points);
  free(points);
}

typedef struct slow_file {
  pc_node points;
  double speed;
} slow_file;
static const pc_key slow_keys[] = {{PC_KEY(slow_file, points), PC_POINTS, true, .unit = "m",
                                    .count = {2, 2}, .meaning = "outline"},
                                   {PC_KEY(slow_file, speed), PC_A_NUMBER, .unit = "m/s",
                                    PC_POSITIVE, .left_out = "the `stairs_speed` of each person",
                                    .meaning = "speed limit in the zone"},
                                   {0}};
static const pc_mapping slow_table = {"slow_zone", "a slow zone",
                                      "A zone where people walk more slowly.", .keys = {slow_keys}};

static void read_slow(pc_crowd_builder *builder, int floor, pc_node list)
{
  for (pc_entries e = pc_entries_of(list); pc_next(&e);) {
    slow_file file = {.speed = 0};
    if (!pc_bind(&e.node, &slow_table, &file))
      return;
    int count;
    double(*points)[2] = pc_crowd_read_points(file.points, 3, &count);
    if (!pc_failed(list) && pc_crowd_add_slow_zone(builder->crowd, floor, count,
                                                   (const double(*)[2])points, file.speed) != PC_OK)
      pc_crowd_complain(builder, e.node, "");
    free(points);
  }
}

void pc_crowd_name_floor(pc_crowd_builder *builder, pc_node node, const char *given,
                         const char *what, int number)
{
  char own[32];
  snprintf(own, sizeof own, "%s-%d", what, number);
  pc_names_add_at(&builder->floors, given != NULL ? given : own, node, "floors");
  double *bounds = pc_array_add(&builder->bounds);
  if (bounds == NULL) {
    pc_complain(node, "out of memory");
    return;
  }
  bounds[0] = bounds[1] = INFINITY;
  bounds[2] = bounds[3] = -INFINITY;
}

typedef struct floor_file {
  const char *name;
  pc_node outline, walls, obstacles, wkt, geojson, dxf, slow;
  double origin[2];
} floor_file;
static const pc_key floor_keys[] = {
    {PC_KEY(floor_file, name), PC_A_NAME, .left_out = "`floor-N`, from 1",
     .meaning = "name of the floor"},
    {PC_KEY(floor_file, outline), PC_POINTS, .unit = "m", .count = {2, 2},
     .meaning = "closed outline of the walkable area; exits and stairs must lie on it or inside"},
    {PC_KEY(floor_file, walls), PC_A_LIST, .mapping = &wall_table, .otherwise = "[]",
     .meaning = "walls"},
    {PC_KEY(floor_file, obstacles), PC_A_LIST, .mapping = &pillar_table, .otherwise = "[]",
     .meaning = "areas that nobody can enter"},
    {PC_KEY(floor_file, wkt), PC_A_TEXT | PC_A_FILE,
     .meaning = "walkable area as well-known text, or a file with it: POLYGON, MULTIPOLYGON or "
                "GEOMETRYCOLLECTION, with holes"},
    {PC_KEY(floor_file, geojson), PC_A_TEXT | PC_A_FILE | PC_A_MAPPING,
     .mapping = &pc_table_geojson,
     .meaning = "walkable area as GeoJSON in metres, or a file with it: Polygon, MultiPolygon, "
                "GeometryCollection, Feature or FeatureCollection, with holes"},
    {PC_KEY(floor_file, dxf), PC_A_MAPPING, .mapping = &pc_table_dxf,
     .meaning = "walls, outlines, obstacles and exits of a drawing in DXF"},
    {PC_KEY(floor_file, origin), PC_NUMBERS, .unit = "m", .count = {2, 2}, .otherwise = "[0, 0]",
     .meaning =
         "point of the plan (`wkt`, `geojson`, `dxf`) that is (0, 0) on the floor, for plans in "
         "national coordinates"},
    {PC_KEY(floor_file, slow), PC_A_LIST, .mapping = &slow_table, .otherwise = "[]",
     .meaning = "zones where people walk more slowly"},
    {0}};
const pc_mapping pc_table_floor = {
    "floor", "a floor", "A plane with walls, in its own coordinates.", .keys = {floor_keys}};

void pc_crowd_read_floors(pc_crowd_builder *builder, pc_node list)
{
  pc_entries e = pc_entries_of(list);
  if (!pc_failed(list) && e.count == 0)
    pc_complain(list, "a crowd needs a floor");
  while (pc_next(&e)) {
    floor_file file = {.name = NULL};
    if (!pc_bind(&e.node, &pc_table_floor, &file))
      return;
    int i = e.index;
    pc_crowd_name_floor(builder, pc_at(PC_NODE(e.node, floor_file, name), e.node), file.name,
                        "floor", i + 1);
    if (!pc_failed(list) && pc_crowd_add_floor(builder->crowd) < 0)
      pc_crowd_complain(builder, e.node, "");
    if (pc_failed(list))
      return;
    read_outline(builder, i, file.outline);
    read_walls(builder, i, file.walls);
    read_obstacles(builder, i, file.obstacles);
    pc_crowd_read_wkt(builder, i, file.wkt, file.origin);
    pc_crowd_read_geojson(builder, i, file.geojson, file.origin);
    pc_crowd_read_dxf(builder, i, file.dxf, file.origin);
    read_slow(builder, i, file.slow);
    if (!pc_failed(list) && !(builder->bounds.at[i][0] < builder->bounds.at[i][2]))
      pc_complain(e.node,
                  "floor '%s' has no walls: it needs 'outline', 'walls', 'wkt', 'geojson' or "
                  "'dxf'",
                  pc_text_path(builder->floors.names[i]).text);
  }
}

typedef struct on_floor_file {
  pc_node floor;
} on_floor_file;
const pc_key pc_on_floor_keys[] = {{PC_KEY(on_floor_file, floor), PC_A_NAME,
                                    .left_out = "the only floor", .meaning = "name of the floor"},
                                   {0}};

int pc_crowd_read_floor(pc_crowd_builder *builder, pc_node on, pc_node floor)
{
  if (pc_is_present(floor)) {
    int found = pc_names_find(&builder->floors, pc_read_name(floor));
    if (found < 0)
      pc_complain(floor, "unknown floor '%s'", pc_node_text(floor).text);
    return found > 0 ? found : 0;
  }
  if (builder->floors.count > 1)
    pc_complain(on, "the building has several floors; add 'floor'");
  return 0;
}
