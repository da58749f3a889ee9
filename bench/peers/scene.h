// The scenes that every engine simulates, and what an engine must offer to be measured. Bodies are
// boxes and spheres above fixed planes; in the plane (dimension 2) boxes lie in x and y, gravity is
// along -y, and the third edge counts only when overlaps are measured.
#ifndef PEERS_SCENE_H
#define PEERS_SCENE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SCENE_PLANES = 5 };

typedef struct scene_body {
  bool sphere;
  double half[3]; // half edges; of a sphere three times its radius
  double mass;
  double inertia[3]; // about the centre, in the body's axes
  double position[3];
  double orientation[4]; // quaternion w, x, y, z
} scene_body;

typedef struct scene_plane {
  double point[3], normal[3]; // solid on the other side of the normal
} scene_plane;

typedef struct scene {
  const char *name;
  int dimension, steps, bodies, planes;
  bool at_rest; // it starts where it should stay
  // Of the bodies, those that are measured. Above a scene at rest one more falls and touches
  // nothing: no engine may take the whole for asleep.
  int measured;
  double step; // s
  double gravity, friction;
  double reach; // a length that holds the whole scene
  scene_body *body;
  scene_plane plane[SCENE_PLANES];
} scene;

bool scene_create(scene *s, const char *name); // false: no such scene, or no memory
void scene_free(scene *s);

typedef struct body_state {
  double position[3], orientation[4], velocity[3], spin[3]; // spin in world axes
} body_state;

// What one file per engine defines. All run on one thread, and no body is put to sleep.
const char *peer_name(void);
const char *peer_precision(void); // of its numbers: double or single
const char *peer_setting(bool accurate);
bool peer_can(const scene *s);
void *peer_create(const scene *s, bool accurate);
void peer_step(void *peer, double h);
int peer_contacts(void *peer); // points of contact in the last step
void peer_get(void *peer, int body, body_state *state);

// What the engine says of its own error, over all steps: the worst residual, the farthest that a
// contact condition was off at the end of a step, m, and how many steps missed what was asked.
typedef struct peer_error {
  double residual, length; // NAN: it says nothing
  int missed;              // -1: it says nothing
} peer_error;
peer_error peer_errors(void *peer);

#ifdef __cplusplus
}
#endif

#endif
