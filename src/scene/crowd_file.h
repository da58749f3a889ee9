// The inside of reading a `kind: crowd` file.
#ifndef PERCUSS_SCENE_CROWD_FILE_H
#define PERCUSS_SCENE_CROWD_FILE_H

#include "core/array.h"
#include "percuss/random.h"
#include "percuss/scene.h"
#include "scene/names.h"
#include "scene/polygons.h"
#include "scene/scene_file.h"

typedef double pc_floor_bounds[4]; // low x, y, high x, y

typedef struct pc_crowd_builder {
  pc_scene *scene;
  pc_crowd *crowd;
  pc_names floors, goals, groups, sources; // goals: exits and areas
  PC_ARRAY(pc_node) goal_node;
  PC_ARRAY(pc_floor_bounds) bounds;                                // of every floor
  int goal_capacity, wall_capacity, door_capacity, group_capacity; // of the scene
  int people;
  pc_random random;
  bool springs;  // between bodies
  bool building; // is inspected, without people
  pc_node views;
} pc_crowd_builder;

// Reads one entry of a list, by its number from 0.
typedef void pc_crowd_reader(pc_crowd_builder *builder, pc_node entry, int number);

// crowd_values.c

// Points of a list, at least so many, which the caller frees; NULL after a complaint.
double (*pc_crowd_read_points(pc_node list, int least, int *count))[2];
// What the crowd last complained of, at this node, with the names of the file.
void pc_crowd_complain(pc_crowd_builder *builder, pc_node node, const char *what);

// A wall, which widens the bounds of its floor.
void pc_crowd_build_wall(pc_crowd_builder *builder, int floor, pc_node node, pc_wall_kind kind,
                         int count, const double (*points)[2]);

// crowd_kept.c

// Stores the goal that was just added to the crowd, under its number. Takes over the points and
// copies the name.
void pc_crowd_keep_goal(pc_crowd_builder *builder, pc_node node, int number, pc_scene_goal goal);
// Store a wall and a door of the file. They take over the points.
void pc_crowd_keep_wall(pc_crowd_builder *builder, pc_node node, pc_scene_wall wall);
void pc_crowd_keep_door(pc_crowd_builder *builder, pc_node node, pc_scene_wall door);
// Exits and areas share their names.
void pc_crowd_name_goal(pc_crowd_builder *builder, const char *name, pc_node node);
// An exit that a plan has; the node is that of the plan.
void pc_crowd_add_exit_line(pc_crowd_builder *builder, pc_node node, int floor, const char *name,
                            const double line[2][2]);

// crowd_building.c: floors

extern const pc_mapping pc_table_floor;
void pc_crowd_read_floors(pc_crowd_builder *builder, pc_node list);
// The name of one more floor, which is `what`-`number` unless it is given.
void pc_crowd_name_floor(pc_crowd_builder *builder, pc_node node, const char *given,
                         const char *what, int number);
// The key `floor` of what is on a floor, for structs that begin with a pc_node for it, and the
// floor that it names.
extern const pc_key pc_on_floor_keys[];
int pc_crowd_read_floor(pc_crowd_builder *builder, pc_node on, pc_node floor);

// crowd_plans.c: plans of other programs; `origin` is where the floor has its (0, 0)

extern const pc_mapping pc_table_geojson, pc_table_dxf;
// Joins polygons and makes them walls.
void pc_crowd_add_polygons(pc_crowd_builder *builder, int floor, pc_node node,
                           pc_polygons *polygons, const double origin[2], const char *name);
void pc_crowd_read_wkt(pc_crowd_builder *builder, int floor, pc_node node, const double origin[2]);
void pc_crowd_read_geojson(pc_crowd_builder *builder, int floor, pc_node node,
                           const double origin[2]);
void pc_crowd_read_dxf(pc_crowd_builder *builder, int floor, pc_node node,
                       const double origin[2]); // crowd_dxf.c

// crowd_passages.c

extern const pc_mapping pc_table_stairs, pc_table_door, pc_table_source;
pc_crowd_reader pc_crowd_read_stairs, pc_crowd_read_door, pc_crowd_read_source;
// Checks the times of a door; whether it closes.
bool pc_crowd_check_times(pc_node closes, const pc_door_def *def);
int pc_crowd_find_source(pc_crowd_builder *builder, pc_node name);

// crowd_goals.c

extern const pc_mapping pc_table_exit, pc_table_area, pc_table_detour, pc_table_stage,
    pc_table_sign;
pc_crowd_reader pc_crowd_read_exit, pc_crowd_read_area, pc_crowd_read_detour, pc_crowd_read_sign;
int pc_crowd_find_goal(pc_crowd_builder *builder, pc_node name); // an exit or area by its name
// The number of the goal of a group: of a name, or of the nearest of several.
int pc_crowd_read_goal(pc_crowd_builder *builder, pc_node to);
int pc_crowd_read_plan(pc_crowd_builder *builder, pc_node stages);

// crowd_people.c

extern const pc_mapping pc_table_group;
// The goal and the plan (-1: none) of a group.
void pc_crowd_read_group_goal(pc_crowd_builder *builder, pc_node group, int goal[2]);
// `goals` has the goal and the plan (-1: none) of every group.
void pc_crowd_read_people(pc_crowd_builder *builder, pc_node list, const int (*goals)[2],
                          pc_node step);

// The smallest radius that somebody of a group may have; 0 if that is not said.
double pc_crowd_least_radius(pc_node group);

// crowd_places.c: people of a group at random places

typedef struct pc_places {
  pc_crowd_builder *builder;
  pc_node group, node, inside; // of the group, its `count` and `inside`
  const char *name;
  int floor, count;
  const pc_person_def *(*draw)(void *of);             // the next person, without a place
  bool (*add)(void *of, const pc_person_def *person); // to the crowd
  void *of;
} pc_places;
extern const pc_mapping pc_table_place;
void pc_crowd_place_at_random(const pc_places *places);

// crowd_lifts.c

extern const pc_mapping pc_table_lift;
pc_crowd_reader pc_crowd_read_lift;

// crowd_hazards.c

extern const pc_mapping pc_table_hazard;
pc_crowd_reader pc_crowd_read_hazard;

// crowd_company.c: the people of a group, from the one numbered `first` on.

typedef struct pc_company {
  pc_crowd_builder *builder;
  const char *name;
  int first, goal;
} pc_company;
extern const pc_mapping pc_table_hands, pc_table_together;
void pc_crowd_hold_hands(const pc_company *company, pc_node node);
void pc_crowd_stay_together(const pc_company *company, pc_node node);
void pc_crowd_know(const pc_company *company, pc_node node, double familiar);

// crowd_widths.c: what routes may lead through, before the building is finished; and who does
// not fit.

void pc_crowd_check_narrowest(pc_crowd_builder *builder, pc_node people);
void pc_crowd_check_widths(pc_crowd_builder *builder, pc_node people);

#endif
