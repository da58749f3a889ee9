// The parts of reading a `kind: continuum` file.
#ifndef PERCUSS_SCENE_CONTINUUM_FILE_H
#define PERCUSS_SCENE_CONTINUUM_FILE_H

#include "percuss/scene.h"
#include "scene/bind.h"
#include "scene/continuum.h"

// What the file says, and where it speaks of heat: of every medium and contact, and of what heat
// does after the collision.
typedef struct pc_continuum_file {
  pc_node root, mesh, media, bodies, contacts, hold, pushes, surfaces, gravity, output, views;
  double tolerance, rest, reach;
  bool large;
  pc_node *heat, *contact_heat, *later;
  pc_node *face;      // of every contact
  pc_node stretch;    // of a medium, if one has it
  pc_node turned;     // the orientation of a body, likewise
  double *convection; // of every surface
} pc_continuum_file;

// continuum_shapes.c: shapes of a mesh. Sides on circles were made on chords; `round` gets the
// circles, two of a bar and one of a disc, to make them round when the elements are quadratic.
typedef struct pc_mesh_circle {
  double centre[2], radius;
} pc_mesh_circle;
extern const pc_mapping pc_table_continuum_rectangle, pc_table_continuum_bar,
    pc_table_continuum_disc, pc_table_continuum_line, pc_table_continuum_box;
void pc_continuum_read_rectangle(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round);
void pc_continuum_read_bar(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round);
void pc_continuum_read_disc(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round);
void pc_continuum_read_line(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round);
void pc_continuum_read_box(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round);
// That the names which a mapping gives to groups are not too long.
void pc_continuum_check_names(pc_node node);

// continuum_mesh.c

// Room for so many elements in the memory of the continuum; NULL after a complaint.
void *pc_continuum_take(pc_continuum *to, pc_node node, int count, size_t size);

// A copy of a name that is not empty; NULL after a complaint.
const char *pc_continuum_copy_name(pc_continuum *to, pc_node node);
// The mesh of its section; checked, and of the order that is asked for.
extern const pc_mapping pc_table_continuum_mesh;
void pc_continuum_read_mesh(pc_node node, pc_fe_mesh *mesh);
// The group of elements or of sides (their dimension) that is named at this node. -1 after a
// complaint that lists those that there are.
int pc_continuum_find_group(const pc_fe_mesh *mesh, int dimension, pc_node name);
bool pc_continuum_has_group(const pc_fe_mesh *mesh, int dimension, const char *name);
// That a vector has as many numbers as the mesh has dimensions.
void pc_continuum_check_components(const pc_fe_mesh *mesh, pc_node node);

// continuum_media.c: what the elements are made of, and how they move before the collision.
// A spin as a vector: in the plane one number, in space three. `given`: as it was bound.
void pc_continuum_read_spin(const pc_fe_mesh *mesh, pc_node node, const double given[3],
                            double spin[3]);
extern const pc_mapping pc_table_continuum_medium;
void pc_continuum_read_media(pc_continuum *to, pc_continuum_file *file);
// continuum_heat.c: temperatures and phases of media that are read, their contacts and surfaces.
extern const pc_mapping pc_table_continuum_heat, pc_table_continuum_contact_heat,
    pc_table_continuum_surface;
void pc_continuum_read_heat(pc_continuum *to, pc_continuum_file *file);
// Whether the nodes of cells of a group have temperatures: all or none of a cell, but cells of one
// name may be of several media that are apart.
typedef enum pc_continuum_heated { PC_NOT_HEATED, PC_HEATED, PC_PARTLY_HEATED } pc_continuum_heated;
pc_continuum_heated pc_continuum_is_heated(const pc_continuum *c, const pc_fe_cells *cells,
                                           int group);
// continuum_pushes.c: impulses and heat from outside, when temperatures are read.
extern const pc_mapping pc_table_continuum_push;
void pc_continuum_read_pushes(pc_continuum *to, pc_node list);
// That their times are in the duration.
void pc_continuum_check_push_times(const pc_continuum *continuum, pc_node list, double duration);
// Pushes go to a motion: those of the start only where it does not begin with a collision. They
// come behind those of the collision in one array.
void pc_continuum_move_pushes(pc_continuum *to, pc_node list, bool started, pc_fe_motion_def *def);
// continuum_alloy.c: an alloy in time, when there are a duration and temperatures; without a
// duration, that nothing of it is there.
extern const pc_mapping pc_table_continuum_later;
void pc_continuum_read_alloy(pc_scene *scene, const pc_continuum_file *file);
void pc_continuum_refuse_alloy(const pc_continuum *c, const pc_continuum_file *file);
// continuum_flow.c: a fluid in time, when there is a duration.
extern const pc_mapping pc_table_continuum_face;
void pc_continuum_read_flow(pc_scene *scene, const pc_continuum_file *file);
// That nothing of it is there.
void pc_continuum_refuse_flow(const pc_continuum *c, const pc_continuum_file *file);
// continuum_motion.c: with a duration, the rest of the motion; else that nothing of it is there.
void pc_continuum_read_motion(pc_scene *scene, const pc_continuum_file *file);

#endif
