// The bodies of a recorded run, read back: what stays the same, and their states frame by frame.
#ifndef PERCUSS_RUN_RECORDED_H
#define PERCUSS_RUN_RECORDED_H

#include "core/memory.h"
#include "record/record.h"

// The types of shapes by their numbers in a record.
typedef enum pc_recorded_type {
  PC_RECORDED_SPHERE,
  PC_RECORDED_BOX,
  PC_RECORDED_POLYHEDRON,
  PC_RECORDED_CAPSULE,
  PC_RECORDED_CYLINDER,
  PC_RECORDED_COMPOUND,
  PC_RECORDED_PLANE,
  PC_RECORDED_MESH,
  PC_RECORDED_HEIGHTS,
  PC_RECORDED_DISC,
  PC_RECORDED_POLYGON,
  PC_RECORDED_CHAIN,
  PC_RECORDED_TYPES
} pc_recorded_type;

// As the datasets of these names in docs/run-format.md, checked: every index is of something.
typedef struct pc_recorded_shapes {
  int count;
  uint8_t *type;
  double (*size)[3];
  int64_t *vertex_start, *triangle_start, *piece_start;
  double (*vertex)[3];
  int32_t (*triangle)[3];
  int32_t *piece;
  double (*piece_position)[3], (*piece_orientation)[4];
} pc_recorded_shapes;

typedef struct pc_recorded {
  pc_reading *reading;
  pc_arena memory;
  int bodies, dimension, materials;
  long frames;
  double step;
  char **name, **material_name;
  uint8_t *kind; // 0 free, 1 fixed, 2 driven, 3 guided
  int32_t *material, *shape;
  int32_t *group; // of people, -1 for others; NULL: there are none
  double *mass, (*offset)[3];
  pc_recorded_shapes shapes;
  bool heated, contacts;
  // Those that come and go: people, and the bodies of doors.
  int people, doors;
  int32_t *person_body, (*door_body)[2];
  bool *passing;
} pc_recorded;

typedef struct pc_recorded_frame {
  double time;
  double (*position)[3], (*orientation)[4], (*velocity)[3], (*spin)[3];
  double *temperature; // NULL: not heated
  bool *there;
} pc_recorded_frame;

typedef struct pc_recorded_contact {
  double point[3];
  float normal[3], impulse[3], gap, dissipated;
  int32_t bodies[2];
} pc_recorded_contact;

// Free it also after a failure.
pc_status pc_recorded_open(const char *path, pc_recorded *recorded, pc_error *error);
void pc_recorded_free(pc_recorded *recorded);
// Room for a frame, in the memory of the record; false when memory is out.
bool pc_recorded_make_frame(pc_recorded *recorded, pc_recorded_frame *frame);
pc_status pc_recorded_read(pc_recorded *recorded, long k, pc_recorded_frame *frame,
                           pc_error *error);
// The contacts of a frame; the caller frees the list.
pc_status pc_recorded_read_contacts(pc_recorded *recorded, long k, pc_recorded_contact **list,
                                    int *count, pc_error *error);
// Where the origin of a body's shape is.
void pc_recorded_origin(const pc_recorded *recorded, const pc_recorded_frame *frame, int body,
                        double origin[3]);

#endif
