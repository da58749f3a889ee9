// The inside of reading a `kind: rigid` file: what its parts hand to each other.
#ifndef PERCUSS_SCENE_RIGID_FILE_H
#define PERCUSS_SCENE_RIGID_FILE_H

#include "core/array.h"
#include "geometry/pose.h"
#include "percuss/random.h"
#include "percuss/scene.h"
#include "scene/names.h"
#include "scene/scene_file.h"

// A body as it stands at the start, for the search of overlaps and free places.
typedef struct pc_placed {
  pc_shape *shape;
  pc_pose pose; // of the shape's origin
  double box[6];
  pc_body_kind kind;
  uint32_t group;
  bool from_table;    // a table must say where it starts, and has not yet
  double temperature; // K, that a table says; 0: none does
  pc_node node;       // where the file speaks of it
} pc_placed;

// The bodies that a generator made: first .. first + count.
typedef struct pc_generated {
  int first, count;
} pc_generated;

typedef struct pc_named_shape {
  pc_shape *shape; // NULL when it has ranges
  pc_node node;    // what the file says of it
} pc_named_shape;

typedef struct pc_rigid_builder {
  pc_scene *scene;
  pc_node root; // of the file
  pc_world *world;
  int dimension;
  pc_names materials, shapes, bodies, generators;
  PC_ARRAY(pc_named_shape) shape; // of every name of a shape
  PC_ARRAY(pc_generated) generated;
  PC_ARRAY(pc_placed) placed; // of every body
  struct pc_ground *ground;   // rigid_ground.c; NULL until a body is put down
  int element_capacity;       // of the scene
} pc_rigid_builder;

// Reads one entry of a list, by its number from 0.
typedef void pc_rigid_reader(pc_rigid_builder *builder, pc_node entry, int number);

// rigid_values.c

// `dimension` numbers; leaves `vector` as it is when absent.
void pc_rigid_read_vector(const pc_rigid_builder *builder, pc_node node, double *vector);
// Two corners; `form` says so in messages. False if one of its sides is not positive.
bool pc_rigid_read_box(const pc_rigid_builder *builder, pc_node node, const char *form,
                       double low[3], double high[3]);
// Makes a direction a unit vector; complains at the node of one that is zero.
void pc_rigid_make_unit(pc_node node, double axis[3]);
int pc_rigid_read_material(const pc_rigid_builder *builder, pc_node node);
// [w, x, y, z], {axis, degrees}, or {degrees} in the plane; nothing when absent.
extern const pc_mapping *const pc_table_orientations[];
void pc_rigid_read_orientation(int dimension, pc_node node, double q[4]);

// rigid_builder.c: makes the body and remembers its place; complains at `node` otherwise.
bool pc_rigid_add_body(pc_rigid_builder *builder, pc_node node, const char *name,
                       const pc_body_def *def);
pc_pose pc_rigid_pose(const pc_body_def *def);

// rigid_shapes.c

// What numbers of a shape may be drawn from: `{min, max}` stands for a range.
typedef struct pc_shape_draw {
  pc_random *random;
  double scale; // of all lengths
  bool drawn;   // set when something was drawn
} pc_shape_draw;

// A shape, by its name or as a mapping; the caller releases it. Without `draw` ranges are errors.
extern const pc_mapping *const pc_table_shapes[]; // value: the dimension, 0 for both
pc_shape *pc_rigid_read_shape(pc_rigid_builder *builder, pc_node node, pc_shape_draw *draw);
pc_rigid_reader pc_rigid_read_named_shape;

// rigid_motion.c
extern const pc_mapping pc_table_signal, pc_table_motion;
void pc_rigid_read_signal(pc_node node, pc_signal *signal);
void pc_rigid_free_signal(pc_signal *signal);
void pc_rigid_read_motion(const pc_rigid_builder *builder, pc_node node, pc_motion *motion);
void pc_rigid_free_motion(pc_motion *motion);

// rigid_bodies.c
extern const pc_mapping pc_table_body, pc_table_obstacle;
pc_rigid_reader pc_rigid_read_body, pc_rigid_read_obstacle;

// rigid_region.c
extern const pc_mapping *const pc_table_regions[];
// Where bodies may be: a box, or the points near an axis or a centre.
typedef struct pc_region {
  enum { PC_REGION_BOX, PC_REGION_CYLINDER, PC_REGION_BALL } kind;
  int dimension;
  double low[3], high[3]; // of the box, or around the region
  double centre[3], axis[3], radius, length;
} pc_region;

void pc_rigid_read_region(const pc_rigid_builder *builder, pc_node node, pc_region *region);
bool pc_region_has_room(const pc_region *region, double radius); // for a ball
// Points inside that are farther from the border than `margin`.
bool pc_region_contains(const pc_region *region, const double *point, double margin);

// rigid_generators.c
extern const pc_mapping *const pc_table_generators[];
void pc_rigid_read_generators(pc_rigid_builder *builder, pc_node list);

// rigid_start.c: tables of states, after all bodies are made; and what is done to bodies later.
extern const pc_mapping pc_table_event;
void pc_rigid_read_start(pc_rigid_builder *builder, pc_node node);
void pc_rigid_read_events(pc_rigid_builder *builder, pc_node list);

// rigid_choice.c

typedef struct pc_chosen {
  unsigned char *chosen; // by body
  int first, end;        // all that are chosen are between these
  int count;
  pc_body *bodies; // by their numbers, each once
} pc_chosen;
extern const pc_mapping pc_table_choice;
enum { PC_CHOICES = PC_A_NAME | PC_A_MAPPING | PC_A_LIST }; // forms of a key that holds choices
// The key `bodies`, for mappings that say which bodies are meant; it fills a pc_node at the start
// of their struct.
extern const pc_key pc_chosen_keys[];
// A list of choices, or one. `pushable` leaves out what does not move freely, and refuses it when
// it is called by its name.
pc_chosen pc_rigid_choose(const pc_rigid_builder *builder, pc_node node, bool pushable);
void pc_chosen_free(pc_chosen *chosen);

// rigid_elements.c: what acts on bodies
extern const pc_mapping pc_table_force, pc_table_spring, pc_table_string, pc_table_net;
pc_rigid_reader pc_rigid_read_force, pc_rigid_read_spring, pc_rigid_read_string, pc_rigid_read_net;

// rigid_systems.c
extern const pc_mapping pc_table_system;
pc_rigid_reader pc_rigid_read_system;

// rigid_sensors.c
extern const pc_mapping pc_table_sensor;
void pc_rigid_read_sensors(pc_rigid_builder *builder, pc_node list);

// rigid_heat.c: before bodies are made; and of some of them, when all are where they start
extern const pc_mapping pc_table_heat;
void pc_rigid_read_heat(pc_rigid_builder *builder, pc_node node);
void pc_rigid_read_warm(pc_rigid_builder *builder, pc_node node);

// rigid_place.c

// Free places among the bodies so far.
typedef struct pc_places pc_places;
// For bodies of at most this radius, in the box low .. high. NULL when memory is out.
pc_places *pc_places_create(const pc_rigid_builder *builder, double radius, const double low[3],
                            const double high[3]);
void pc_places_destroy(pc_places *places);
// 1 if nothing is nearer than `clearance`, 0 if something is, -1 when memory is out. Below 0 it is
// how deep an overlap counts as none.
int pc_places_free(pc_places *places, const pc_shape *shape, const pc_pose *pose, double clearance);
// The body that was placed last, by its number in `placed`.
bool pc_places_take(pc_places *places, int placed);
// Complains of the two bodies that overlap most, if any do.
void pc_rigid_check_overlaps(pc_rigid_builder *builder);

// rigid_ground.c

typedef struct pc_ground pc_ground;
typedef enum pc_lowered {
  PC_LOWERED,
  PC_LOWERED_NO_GROUND,
  PC_LOWERED_NO_PLACE, // something is in the way beside it, or nearer than the clearance
  PC_LOWERED_NO_MEMORY
} pc_lowered;
// Lowers the body straight down from its position until it touches an obstacle or a body before it;
// from above all of them, if it is not free there or nothing is below. It ends at most a millionth
// of its radius above what it touches, and overlaps nothing. Above 0 the `clearance` is how far it
// stays from other bodies.
pc_lowered pc_rigid_lower(pc_rigid_builder *builder, pc_body_def *def, double clearance);
// The same; complains at the node if there is no ground.
bool pc_rigid_put_down(pc_rigid_builder *builder, pc_node node, pc_body_def *def);
void pc_rigid_free_ground(pc_rigid_builder *builder);
// The key `on`, for a field of this name.
#define PC_ON_KEY(struct_)                                                                         \
  {                                                                                                \
    "on", PC_INTO(struct_, on_ground), PC_A_WORD,                                                  \
        .words = PC_WORDS({"nothing", false}, {"ground", true}), .noun = "support",                \
        .otherwise = "nothing",                                                                    \
        .meaning = "`ground`: lowered from there until it touches an obstacle or a body before it" \
  }

// rigid_doubts.c: warns of what is odd in a file that can be run, at its end, and in a density.
void pc_rigid_doubt(const pc_rigid_builder *builder);
void pc_rigid_doubt_density(const pc_rigid_builder *builder, pc_node node, double density);

#endif
