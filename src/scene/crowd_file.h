// The inside of reading a `kind: crowd` file.
#ifndef PERCUSS_SCENE_CROWD_FILE_H
#define PERCUSS_SCENE_CROWD_FILE_H

#include "core/random.h"
#include "percuss/scene.h"
#include "scene/document.h"
#include "scene/names.h"
#include "scene/scene_file.h"

typedef struct pc_crowd_builder {
  pc_scene *scene;
  pc_crowd *crowd;
  pc_names floors, goals, groups, sources; // goals: exits and areas
  pc_node *goal_node;
  int goal_capacity, node_capacity, group_capacity, people;
  double (*bounds)[4]; // of every floor: low x, y, high x, y
  int bounds_capacity;
  pc_random random;
  bool springs; // between bodies
} pc_crowd_builder;

// --- crowd_file.c

void pc_scene_people_free(pc_scene_people *people);
// Points of a list, at least so many, which the caller frees; NULL after a complaint.
double (*pc_crowd_read_points(pc_node list, int least, int *count))[2];
// What the crowd last complained of, at this node, with the names of the file.
void pc_crowd_complain(pc_crowd_builder *builder, pc_node node, const char *what);
int pc_crowd_read_floor(pc_crowd_builder *builder, pc_node on);

// --- crowd_building.c: floors, and the goals on them

void pc_crowd_read_floors(pc_crowd_builder *builder, pc_node list);
void pc_crowd_read_exits(pc_crowd_builder *builder, pc_node list);
void pc_crowd_read_areas(pc_crowd_builder *builder, pc_node list);
void pc_crowd_read_stairs(pc_crowd_builder *builder, pc_node list);
void pc_crowd_read_doors(pc_crowd_builder *builder, pc_node list);
void pc_crowd_read_sources(pc_crowd_builder *builder, pc_node list);
void pc_crowd_read_detours(pc_crowd_builder *builder, pc_node list);
int pc_crowd_find_source(pc_crowd_builder *builder, pc_node name);
// The number of the goal of a group: of a name, or of the nearest of several.
int pc_crowd_read_goal(pc_crowd_builder *builder, pc_node to);
int pc_crowd_read_plan(pc_crowd_builder *builder, pc_node stages);

// --- crowd_people.c

// `goals` has the goal and the plan (-1: none) of every group.
void pc_crowd_read_people(pc_crowd_builder *builder, pc_node list, const int (*goals)[2],
                          pc_node step);

// The smallest radius that somebody of a group may have; 0 if that is not said.
double pc_crowd_least_radius(pc_node group);

// --- crowd_widths.c: what routes may lead through, before the building is finished; and who does
// not fit.

void pc_crowd_check_narrowest(pc_crowd_builder *builder, pc_node people);
void pc_crowd_check_widths(pc_crowd_builder *builder, pc_node people);

// --- wkt.c: well-known text, POLYGON, MULTIPOLYGON and GEOMETRYCOLLECTION

typedef struct pc_wkt_ring {
  int first, count; // points, without the last one, which is the first again
  int polygon;      // from 0
  bool hole;
} pc_wkt_ring;
typedef struct pc_wkt {
  pc_wkt_ring *ring;
  int rings, ring_capacity, polygons;
  double (*point)[2];
  int points, point_capacity;
} pc_wkt;
// Polygons that touch or overlap are joined.
pc_status pc_wkt_read(pc_wkt *wkt, const char *text, pc_error *error);
pc_status pc_wkt_join(pc_wkt *wkt, pc_error *error); // wkt_join.c
void pc_wkt_free(pc_wkt *wkt);

#endif
