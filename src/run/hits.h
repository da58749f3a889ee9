// Hits: what two bodies exchange at their contacts without a longer pause. Each hit is one row of
// the record, in the step in which it is known to be over, and one line of RUN-hits.csv.
#ifndef PERCUSS_RUN_HITS_H
#define PERCUSS_RUN_HITS_H

#include "core/array.h"
#include "percuss/scene.h"
#include "run/rows.h"

typedef struct pc_hit {
  int sensor, body, by; // number of the sensor; the two bodies by their ids
  int open;             // 1 until it is over
  double begin, end;    // start of its first step, end of its last
  double sizes;         // sizes of the contact impulses, summed
  double places[3];     // contact points, weighted by these sizes
  double impulse[3];    // on `body`
  double normal;        // impulses along the normals of the contacts; they push apart
  double largest;       // largest force of a step
  double dissipated;
  double speed;        // of approach before its first step
  double kinetic[2];   // of `body` and `by` before its first step
  double second;       // the whole second of the run that its last exchange was in
  double recent[2][3]; // impulses in that second and in the one before
} pc_hit;
typedef PC_ARRAY(pc_hit) pc_hit_list;

typedef struct pc_hits {
  pc_hit_list open, over; // sorted by sensor and bodies; those that ended in the last step
  pc_hit_list step, next; // exchanges of a step; room for the next list of open ones
} pc_hits;

void pc_hits_free(pc_hits *hits);
// Adds a contact of the step between `body`, of the sensor, and `by`. kinetic[id]: energy of a body
// before the step. False when memory is out.
bool pc_hits_add(pc_hits *hits, int sensor, pc_body body, pc_body by, const pc_contact *contact,
                 const double *kinetic);
// Call it after the contacts of a step from `begin` to `end`, whose largest impulse is given.
// Adds the hits that began to count[sensor], unless that is NULL. False when memory is out.
bool pc_hits_step(pc_hits *hits, const pc_scene *scene, double begin, double end, double largest,
                  double (*count)[3]);
// The impulse of an open hit over the last second before `time`, or since the start.
void pc_hit_recent(const pc_hit *hit, double time, double impulse[3]);
// Whether hits of a checkpoint can be those of the sensors of this kind.
bool pc_hits_are_sound(const void *bytes, size_t count, const pc_scene *scene, pc_sensor_kind kind);

// hits_record.c

bool pc_hits_are_wanted(const pc_scene *scene);
pc_status pc_hits_describe(pc_record *record, const pc_scene *scene);
void pc_hits_declare(pc_rows *rows, pc_record *record, const pc_scene *scene);
// Appends the hits that ended in the last step, and at the end of the run those that are open.
pc_status pc_hits_append(pc_rows *rows, pc_record *record, const pc_hit_list *list,
                         const pc_scene *scene);
// Writes the table of the hits in a record, which may be open.
pc_status pc_hits_write(const char *path, const char *record, const pc_scene *scene,
                        pc_error *error);

#endif
