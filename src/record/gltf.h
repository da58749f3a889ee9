// Binary glTF 2.0 (.glb): meshes, nodes that show them, and an animation of the nodes.
#ifndef PERCUSS_RECORD_GLTF_H
#define PERCUSS_RECORD_GLTF_H

#include <stdint.h>

#include "record/own.h"

typedef struct pc_gltf_material {
  const char *name;
  float color[3]; // linear
} pc_gltf_material;

// Triangles, and segments of lines; one of them may be missing.
typedef struct pc_gltf_mesh {
  int points, triangles, lines; // how many
  const float *point;           // 3 each
  const float *normal;          // 3 each; NULL: flat faces
  const uint32_t *triangle;     // 3 each
  const uint32_t *line;         // 2 each
  int material;
} pc_gltf_mesh;

// A node at rest has NULL tracks. Quaternions are x, y, z, w. Tracks have a value for each time.
typedef struct pc_gltf_node {
  const char *name;
  int mesh;
  float translation[3], rotation[4];
  const float *translations, *rotations;
  const float *scales; // one number each, which holds until the next; NULL: 1
} pc_gltf_node;

typedef struct pc_gltf {
  const char *name;
  double origin[3]; // of the world, which all places are seen from
  bool z_up;        // the axes of the world: turned, because glTF has y up
  int materials, meshes, nodes, times;
  const pc_gltf_material *material;
  const pc_gltf_mesh *mesh;
  const pc_gltf_node *node;
  const float *time; // increasing; at least 2 for an animation
} pc_gltf;

extern const pc_own pc_gltf_own;

// Replaces the file atomically. PC_ERROR_INPUT if it would be larger than the 4 GiB of the format.
pc_status pc_gltf_write(const char *path, const pc_gltf *data, pc_error *error);

#endif
