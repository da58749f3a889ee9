// Small files of every kind: for each mapping of the schema some in which it stands, with all the
// keys that it can have. Tests change them key by key, or at random.
#ifndef PERCUSS_TESTS_SCENE_EXAMPLES_H
#define PERCUSS_TESTS_SCENE_EXAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "scene/schema.h"

#define HEAD "kind: rigid\nduration: 1\nstep: 1e-3\n"
#define GROUND "obstacles: [{name: ground, shape: {type: plane}, group: 1}]\n"
#define BALL "{type: sphere, radius: 0.1}"
#define BODY                                                                                       \
  "bodies: [{name: a, shape: " BALL ", position: [0, 0, 0.1005], velocity: [1, 0, -1], group: "    \
  "2}]\n"
#define SCENE HEAD GROUND BODY
#define TRIO                                                                                       \
  HEAD "bodies: [{name: a, shape: " BALL ", position: [-0.2001, 0, 1], velocity: [1, 0, 0], "      \
       "spin: [0, 0, 9]}, {name: b, shape: " BALL ", position: [0, 0, 1]}, {name: c, shape: " BALL \
       ", position: [0.16, 0.12, 1]}]\n"
#define PLANE                                                                                      \
  HEAD "dimension: 2\nbodies: [{name: a, shape: {type: disc, radius: 0.1}, position: [0, 0]}]\n"
#define SHAPE HEAD "shapes: [@]\nbodies: [{name: a, shape: s, position: [0, 0, 5]}]\n" GROUND
#define SURFACE HEAD BODY "shapes: [@]\nobstacles: [{shape: s, position: [0, 0, -0.1]}]\n"
#define SHAPE_2 HEAD "dimension: 2\nshapes: [@]\nbodies: [{name: a, shape: s, position: [0, 5]}]\n"
#define GENERATED HEAD GROUND "generators: [@]\n"
#define LAW SCENE "default_law: {normal: @}\n"
#define FRICTION SCENE "default_law: {normal: {kind: inelastic}, tangential: @}\n"
#define LINE "{id: a, dof: 1, mass: 1, velocity: [-1]}"
#define WARM "{id: a, dof: 1, mass: 1, velocity: [-1], temperature: 300, capacity: 2}"
#define STOPS "{type: contact, bodies: [a], normal: [1], law: {normal: {kind: inelastic}}}"
#define FLAT                                                                                       \
  "{id: a, dof: 3, mass: 1, inertia: 1, velocity: [1, -1, 0]}, {id: b, dof: 3, mass: 2, inertia: " \
  "2}"
#define SOLID                                                                                      \
  "{id: a, dof: 6, mass: 1, inertia: 1, velocity: [1, 0, -1, 0, 0, 0]}, {id: b, dof: 6, mass: 2, " \
  "inertia: 1}"
#define WARM_IMPACT                                                                                \
  "kind: impact\nheat: {outside: 290}\nbodies: [{id: a, dof: 6, mass: 1, inertia: 1, velocity: "   \
  "[1, 0, -1, 0, 0, 1], temperature: 300, capacity: 2}, {id: b, dof: 6, mass: 2, inertia: 1, "     \
  "temperature: 330, capacity: 3}]\ninteractions: [@]\n"
#define IMPACT "kind: impact\nbodies: [" SOLID "]\ninteractions: [@]\n"
#define IMPACT_LAW                                                                                 \
  "kind: impact\nbodies: [" SOLID "]\ninteractions: [{type: contact, bodies: [a, b], point: [0, "  \
  "0, 0], normal: [0, 0, 1], law: {normal: "
#define HIT "{type: contact, bodies: [a], normal: [1], law: {normal: {kind: quadratic, k: $k}}}"
#define MEASURED "{problem: {bodies: [" LINE "], interactions: [" HIT "]}, after: {a: [0.5]}}"
#define IDENTIFY "kind: identification\nunknowns: {k: {start: 3}}\nsigma: 0.1\nexperiments: [@]\n"

#define BALLS(balls) "kind: chain\nvelocity: 1\nlaw: {kind: hertz}\nballs: " balls "\n"
#define RECTANGLE                                                                                  \
  "{name: a, x: [0, 1], y: [0, 1], cells: [2, 2], sides: {bottom: low, top: high, right: east}}"
#define FALLS "media: {a: {density: 10, velocity: [0, -1]}}\n"
#define FALLS_IN_SPACE "media: {a: {density: 10, velocity: [0, 0, -1]}}\n"
#define LANDS "contacts: [{sides: low}]\n"
#define BLOCK "kind: continuum\nmesh: {rectangles: [" RECTANGLE "]}\n"
#define MESH "kind: continuum\n" FALLS LANDS "mesh: @\n"
#define BOUNCES "kind: continuum\nduration: 1\nstep: 0.01\nmesh: {rectangles: [" RECTANGLE "]}\n"
#define POND                                                                                       \
  "kind: continuum\nduration: 1\nstep: 0.01\nmesh: {rectangles: [{name: a, x: [0, 1], y: [0, 1], " \
  "cells: [2, 2], sides: {bottom: low, top: high, right: east, left: west}}]}\n"
#define WATER "media: {a: {density: 10, fluid: true}}\n"
#define BANKS "{sides: low}, {sides: east}, {sides: west}"
#define RAFT "bodies: [{name: b, mass: 2, inertia: 1, centre: [0.5, 1]}]\n"
#define SPRINGS "media: {a: {density: 10, young: 100, velocity: [0, -1]}}\n"
#define HEAT "heat: {capacity: 1e6, temperature: 300}"
#define WARM_MEDIA "media: {a: {density: 10, velocity: [0, -1], " HEAT "}}\n"
#define PHASE                                                                                      \
  BLOCK LANDS "media: {a: {density: 10, velocity: [0, -1], heat: {capacity: 1e-3, temperature: "   \
              "270, phase: "                                                                       \
              "@}}}\n"
#define WARM_BOUNCES BOUNCES "pushes: [{sides: high, percussion: [0, -1]}]\nhold: [{sides: low}]\n"
#define TWO_BLOCKS                                                                                 \
  "kind: continuum\nmesh: {rectangles: [" RECTANGLE                                                \
  ", {name: b, x: [0, 1], y: [-1, 0], cells: [2, 2], sides: {top: under}}]}\nmedia: {a: "          \
  "{density: 10, velocity: [0, -1], " HEAT "}, b: {density: 5, heat: {capacity: 1e6, "             \
  "temperature: 310}}}\n"
#define CHAIN                                                                                      \
  "kind: chain\nballs: {masses: [1, 2, 1]}\nvelocity: 1\ncontacts: {restitution: 0.5}\nlaw: @\n"

#define CROWD "kind: crowd\nduration: 1\nstep: 1e-2\n"
#define OUTLINE "outline: [[0, 0], [6, 0], [6, 4], [0, 4]]"
#define ROOM "floors: [{" OUTLINE "}]\n"
#define DOOR "exits: [{name: door, line: [[5, 0], [5, 4]]}]\n"
#define TWO "people: [{name: p, positions: [[1, 1], [1.6, 1.1]], to: door}]\n"
#define TWO_FLOORS "floors: [{name: low, " OUTLINE "}, {name: high, " OUTLINE "}]\n"
#define DOOR_BELOW "exits: [{name: door, floor: low, line: [[5, 0], [5, 4]]}]\n"
#define ABOVE "people: [{floor: high, positions: [[1, 1.5]], to: door}]\n"
#define DOORS "exits: [{name: a, line: [[5, 0], [5, 4]]}, {name: b, line: [[1, 0], [1, 4]]}]\n"
#define AREA "areas: [{name: a, points: [[4, 1], [5, 1], [5, 3]]}]\n"
#define LIFTED "people: [{positions: [[1, 1.5]], floor: high, to: door, lifts: true}]\n"
#define FLOOR CROWD DOOR TWO "floors: [@]\n"

// A file of this kind, with a mapping in the place of '@' that has these keys, separated by '|'.
// Where a key goes with others the example has them.
typedef struct scene_example {
  const char *id, *around, *keys;
} scene_example;
extern const scene_example scene_examples[];
extern const int scene_examples_count;

// The next `key: value` of a list separated by '|', NULL at its end.
const char *scene_example_pair(const char *at, size_t *length, size_t *name);
bool scene_example_has(const scene_example *e, const char *key);
// Writes the files that the examples name into a folder.
bool scene_example_files(const char *folder);

// All mappings of the schema.
enum { SCENE_MAPPINGS_MOST = 200 };
typedef struct scene_mappings {
  const pc_mapping *at[SCENE_MAPPINGS_MOST];
  int count;
} scene_mappings;
scene_mappings scene_mappings_all(void);

#endif
