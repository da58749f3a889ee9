// Rigid scenes: what is wrong with a file is one line with file and line; what is right gives the
// world it describes; generators make what they say, without overlaps, the same every time.
#include "support.h"

#include <string.h>
#include <unistd.h>

#include "core/small.h"
#include "folder.h"
#include "geometry/narrow.h"
#include "geometry/pose.h"
#include "percuss/scene.h"

static char path[80];

static int name_files(void **state)
{
  int result = make_folder(state);
  strcpy(path, in_folder("scene.yaml"));
  return result;
}

static pc_scene read_good(const char *text)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  write_file("scene.yaml", text);
  if (pc_scene_read(path, &scene, &error) != PC_OK)
    fail_msg("%s\n%s", error.text, text);
  return scene;
}

#define HEAD "kind: rigid\nduration: 1\nstep: 1e-3\n"
#define PLANE "kind: rigid\nduration: 1\nstep: 1e-3\ndimension: 2\n"
#define BALL "shape: {type: sphere, radius: 1}"
#define BODY "bodies: [{name: a, " BALL ", position: [0, 0, 5]}]\n"
#define BODIES                                                                                     \
  "bodies: [{name: a, " BALL ", position: [0, 0, 5]}, {name: b, " BALL ", position: [5, 0, 5]}]\n"
#define SHAPE(text) HEAD "bodies:\n  - {position: [0, 0, 0], shape: {" text "}}\n"
#define OBSTACLE(text) HEAD BODY "obstacles:\n  - {shape: {type: plane}, " text "}\n"
#define GENERATOR(text) HEAD "generators:\n  - {name: g, " text "}\n"
#define RANDOM "type: random, count: 3, inside: {box: [[0, 0, 0], [9, 9, 9]]}"

static const struct {
  const char *text;
  int line;
  const char *word;
} bad_files[] = {
    // The file and its first keys.
    {"kind: impact\n", 1, "'bodies'"},
    {"kind: rigit\n", 1, "did you mean 'rigid'"},
    {"duration: 1\n", 1, "'kind'"},
    {HEAD, 1, "no bodies"},
    {HEAD "obstacles: [{shape: {type: plane}}]\n", 1, "no bodies"},
    {HEAD "bodies:\n  - {position: [0, 0, 0], shape: {radius: 1}}\n", 5,
     "needs the key 'type' (sphere, box,"},
    {HEAD "bodies:\n  - {position: [0, 0, 0], shape: {kind: sphere}}\n", 5,
     "unknown key 'kind' (keys of a shape"},
    {HEAD "generators: [{count: 3}]\n", 4, "needs the key 'type' (grid,"},
    {HEAD "colour: red\n", 4, "unknown key 'colour'"},
    {"kind: rigid\nduration: 1\n" BODY, 1, "'step'"},
    {"kind: rigid\nduration: 0\nstep: 1\n" BODY, 2, "must be positive"},
    {"kind: rigid\nduration: 1\nstep: -1\n" BODY, 3, "must be positive"},
    {"kind: rigid\nduration: .inf\nstep: 1\n" BODY, 2, "finite"},
    {"kind: rigid\nduration: 1e9\nstep: 1e-9\n" BODY, 2, "too many"},
    {"kind: rigid\nduration: 1\nstep: 1.5\n" BODY, 3, "longer than the duration"},
    {HEAD "dimension: 4\n" BODY, 4, "2 to 3"},
    {HEAD "gravity: [0, 1]\n" BODY, 4, "3 numbers"},
    {PLANE "gravity: [0, 1, 0]\n" BODY, 5, "2 numbers"},
    {HEAD "rotation: wild\n" BODY, 4, "exact, constant"},
    {HEAD "contact: {treatment: glue}\n" BODY, 4, "velocity, position, penalty"},
    {HEAD "contact: {treatment: penalty}\n" BODY, 4, "stiffness"},
    {HEAD "contact: {stiffness: 1e5}\n" BODY, 4, "penalty"},
    {HEAD "contact: {treatment: velocity, push_out: 3}\n" BODY, 4, "push_out"},
    {HEAD "contact: {treatment: penalty, stiffness: 1e5, looks: all}\n" BODY, 4, "looks"},
    {HEAD "contact: {treatment: penalty, stiffness: 1e5}\n"
          "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.3, rolling: "
          "0.01}}\n" BODY,
     5, "rolling"},
    {HEAD "contact: {looks: twice}\n" BODY, 4, "known: again, once, all"},
    {HEAD "solver: {name: magic}\n" BODY, 4, "magic"},
    {HEAD "solver: {tolerance: 0}\n" BODY, 4, "'tolerance' must be"},
    {HEAD "solver: {threads: 0}\n" BODY, 4, "'threads' must be from 1 to 1024 (got 0)"},
    {HEAD "overlaps: perhaps\n" BODY, 4, "forbidden, allowed"},
    // Materials and laws.
    {HEAD "materials:\n  - {name: a}\n" BODY, 5, "density"},
    {HEAD "materials:\n  - {name: a, density: 0}\n" BODY, 5, "must be positive"},
    {HEAD "materials:\n  - {name: a, density: 1}\n  - {name: a, density: 2}\n" BODY, 6, "two mat"},
    {HEAD "laws:\n  - {between: [a, a], normal: {kind: inelastic}}\n" BODY, 5,
     "unknown material 'a'"},
    {HEAD "laws:\n  - {between: [default], normal: {kind: inelastic}}\n" BODY, 5, "two materials"},
    {HEAD "materials: [{name: m, density: 1}]\nlaws:\n"
          "  - {between: [m, default], normal: {kind: inelastic}}\n"
          "  - {between: [m, m], normal: {kind: inelastic}}\n"
          "  - {between: [default, m], normal: {kind: restitution, e: 1}}\n" BODY,
     8, "there are two laws for 'default' and 'm'"},
    {HEAD "default_law: {normal: {kind: bilateral}}\n" BODY, 4, "bilateral"},
    {HEAD "default_law: {normal: {kind: soft}}\n" BODY, 4, "unknown normal law"},
    // Shapes.
    {HEAD "shapes:\n  - {type: sphere, radius: 1}\n" BODY, 5, "'name'"},
    {HEAD "shapes:\n  - {name: s, type: ball}\n" BODY, 5, "unknown type of shape 'ball'"},
    {HEAD "shapes:\n  - {name: s, type: sphere, radius: 1}\n  - {name: s, type: sphere, radius: "
          "1}\n" BODY,
     6, "two shapes"},
    {SHAPE("type: sphere"), 5, "'radius'"},
    {SHAPE("type: sphere, radius: 0"), 5, "'radius' must be positive (got 0)"},
    {SHAPE("type: sphere, radius: .nan"), 5, ".nan"},
    {SHAPE("type: sphere, radius: {min: 1, max: 2}"), 5, "generators"},
    {SHAPE("radius: 1"), 5, "'type'"},
    {SHAPE("type: box, size: [1, 1]"), 5, "'size' of a box must have"},
    {SHAPE("type: box, size: [1, 1, -1]"), 5, "'size' must be positive (got -1)"},
    {SHAPE("type: disc, radius: 1"), 5, "2 dimensions"},
    {SHAPE("type: polyhedron"), 5, "'vertices' or 'file'"},
    {SHAPE("type: polyhedron, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]"), 5, "at least 4"},
    {SHAPE("type: polyhedron, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]"), 5, ""},
    {SHAPE("type: polyhedron, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, "
           "0.1]]"),
     5, ""},
    {SHAPE("type: polyhedron, file: missing.obj"), 5, "missing.obj"},
    {SHAPE("type: polyhedron, file: missing.obj, scale: 0"), 5, "must be positive"},
    {SHAPE("type: polyhedron, scale: 2, vertices: []"), 5, "'scale' requires 'file'"},
    {SHAPE("type: polyhedron, random: 12, radius: 1"), 5, "generators"},
    {SHAPE("type: plane"), 5, "no volume"},
    {SHAPE("type: plane, normal: [0, 0, 0]"), 5, "zero"},
    {SHAPE("type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]"), 5, "'triangles'"},
    {SHAPE("type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 3]]"), 5,
     "must be from"},
    {SHAPE("type: mesh, file: missing.stl"), 5, "missing.stl"},
    {SHAPE("type: heights, file: missing.asc"), 5, "missing.asc"},
    {SHAPE("type: heights, heights: [[0, 0], [0, 0]]"), 5, "'spacing'"},
    {SHAPE("type: heights, spacing: 1, heights: [[0, 0], [0]]"), 5, "2 heights"},
    {SHAPE("type: heights, spacing: 1, heights: [[0, 0]]"), 5, "two rows"},
    {SHAPE("type: compound, pieces: []"), 5, "at least one"},
    {SHAPE("type: compound, pieces: [{shape: {type: compound, pieces: []}}]"), 5, "not a compound"},
    {HEAD
     "bodies:\n  - position: [0, 0, 0]\n    shape: &s {type: compound, pieces: [{shape: *s}]}\n",
     6, "not a compound"},
    {PLANE "bodies:\n  - {position: [0, 0], shape: {type: polygon, vertices: [[0, 0], [1, 0]]}}\n",
     6, "at least 3"},
    {PLANE "bodies:\n  - {position: [0, 0], shape: {type: chain, vertices: [[0, 0], [1, 0]]}}\n", 6,
     "no volume"},
    // Bodies.
    {HEAD "bodies:\n  - {" BALL "}\n", 5, "'position'"},
    {HEAD "bodies:\n  - {position: [0, 0, 0]}\n", 5, "'shape'"},
    {HEAD "bodies:\n  - {position: [0, 0, 0], shape: stone}\n", 5, "unknown shape 'stone'"},
    {HEAD "bodies:\n  - {position: [0, 0], " BALL "}\n", 5, "3 numbers"},
    {HEAD "bodies:\n  - {position: [0, 0, 0], " BALL ", material: gold}\n", 5, "'gold'"},
    {HEAD "bodies:\n  - {position: [0, 0, 0], " BALL ", mass: 0}\n", 5, "must be positive"},
    {HEAD "bodies:\n  - {position: [0, 0, 0], " BALL ", inertia: [1, 1, 3]}\n", 5,
     "impossible inertia: one moment exceeds the sum of the"},
    {HEAD "bodies:\n  - {position: [0, 0, 0], " BALL ", orientation: [1, 1, 0, 0]}\n", 5,
     "length 1"},
    {HEAD "bodies:\n  - {position: [0, 0, 0], " BALL ", orientation: {degrees: 3}}\n", 5, "'axis'"},
    {HEAD "bodies:\n  - {position: [0, 0, 0], " BALL ", orientation: {axis: [0, 0, 0], degrees: "
          "3}}\n",
     5, "zero"},
    {HEAD "bodies:\n  - {name: a, position: [0, 0, 0], " BALL
          "}\n  - {name: a, position: [5, 0, 0], " BALL "}\n",
     6, "two bodies are named 'a'; names must be unique"},
    {HEAD "bodies:\n  - {name: a, position: [0, 0, 0], " BALL "}\n  - {name: b, position: [1.5, 0, "
          "0], " BALL "}\n",
     6, "'a' and 'b' overlap by 0.5 m"},
    {HEAD "bodies:\n  - {name: a, position: [0, 0, 0.9], " BALL
          "}\nobstacles:\n  - {name: f, shape: "
          "{type: plane}}\n",
     5, "'f' and 'a' overlap by 0.1 m"},
    // Obstacles.
    {OBSTACLE("motion: {}"), 6, "'translation'"},
    {OBSTACLE("motion: {translation: {w: {rate: 1}}}"), 6, "unknown key 'w'"},
    {OBSTACLE("motion: {translation: {x: {}}}"), 6, "one of"},
    {OBSTACLE("motion: {translation: {x: {rate: 1, sine: {amplitude: 1, frequency: 1}}}}"), 6,
     "one of"},
    {OBSTACLE("motion: {translation: {x: {rate: 1, of: speed}}}"), 6, "'of'"},
    {OBSTACLE("motion: {translation: {x: {sine: {amplitude: 1}}}}"), 6, "'frequency'"},
    {OBSTACLE("motion: {translation: {x: {table: []}}}"), 6, "at least one"},
    {OBSTACLE("motion: {translation: {x: {table: [[0, 0], [0, 1]]}}}"), 6, "increase"},
    {OBSTACLE("motion: {translation: {x: {table: [[0, 0], [1, 1]], of: force}}}"), 6, "speed"},
    {OBSTACLE("motion: {rotation: {rate: 1}}"), 6, "'axis'"},
    {OBSTACLE("guided: {axis: [0, 0, 1]}"), 6, "'mass'"},
    {OBSTACLE("guided: {axis: [0, 0, 0], mass: 1}"), 6, "zero"},
    {OBSTACLE("guided: {axis: [0, 0, 1], mass: 1}, motion: {rotation: {axis: [0, 0, 1], rate: 1}}"),
     6, "'motion' and 'guided' cannot be combined"},
    // Generators.
    {GENERATOR("type: heap"), 5, "grid, random, layers"},
    {HEAD "generators:\n  - {type: grid}\n", 5, "'name'"},
    {GENERATOR(RANDOM), 5, "'shape' or 'shapes'"},
    {GENERATOR(RANDOM ", shapes: []"), 5, "1 to 64"},
    {GENERATOR(RANDOM ", shapes: [{shape: stone}]"), 5, "'stone'"},
    {GENERATOR(RANDOM ", shapes: [{" BALL ", weight: 0}]"), 5, "must be positive"},
    {GENERATOR(RANDOM ", shape: {type: plane}"), 5, "no volume"},
    {GENERATOR(RANDOM ", " BALL ", seed: -1"), 5, "must be from"},
    {GENERATOR(RANDOM ", " BALL ", size_spread: 1"), 5, "size_spread"},
    {GENERATOR(RANDOM ", " BALL ", velocity: {toward: [0, 0, 0]}"), 5, "'time'"},
    {GENERATOR(RANDOM ", " BALL ", spin: {min: [1, 1, 1], max: [0, 2, 2]}"), 5,
     "'min' must not exceed 'max'"},
    {GENERATOR(RANDOM ", shape: {type: sphere, radius: {min: 2, max: 1}}"), 5,
     "'min' must not exceed 'max'"},
    {GENERATOR(RANDOM ", shape: {type: sphere, radius: 5}"), 5, "does not fit"},
    {GENERATOR("type: random, count: 0, inside: {sphere: {radius: 9}}, " BALL), 5, "must be from"},
    {GENERATOR("type: random, count: 9, inside: {}, " BALL), 5, "exactly one region"},
    {GENERATOR("type: random, count: 9, inside: {box: [[0, 0, 0]]}, " BALL), 5, "[low corner"},
    {GENERATOR("type: random, count: 9, inside: {box: [[0, 0, 0], [1, 1, -1]]}, " BALL), 5,
     "the low corner of the box must be below"},
    {GENERATOR("type: random, count: 999, inside: {box: [[0, 0, 0], [9, 9, 9]]}, " BALL), 5,
     "of 999 bodies fit"},
    {GENERATOR("type: grid, counts: [2, 2], spacing: 3, " BALL), 5, "3 numbers"},
    {GENERATOR("type: grid, counts: [1000, 1000, 1000], spacing: 3, " BALL), 5, "at most"},
    {GENERATOR("type: grid, counts: [2, 1, 1], spacing: 1, " BALL), 5, "'g-1' and 'g-2' overlap"},
    {GENERATOR("type: layers, layers: 2, per_layer: 0, size: [1, 1, 1]"), 5, "must be at least 1"},
    {GENERATOR("type: layers, layers: 2, per_layer: 2.4, size: [1, 1, 1]"), 5, "plus one half"},
    {GENERATOR("type: layers, layers: 2, per_layer: 2.5, size: [1, 1, 1], bond: stack"), 5,
     "a whole number"},
    {GENERATOR("type: layers, layers: 2, per_layer: 1e9, size: [1, 1, 1]"), 5, "at most"},
    {GENERATOR("type: layers, layers: 2, per_layer: 2, size: [1, 1, 1], joint: 2"), 5, "joint"},
    {HEAD "generators:\n  - {name: g, " RANDOM ", " BALL "}\n  - {name: g, " RANDOM ", " BALL "}\n",
     6, "two generators"},
    {HEAD "bodies:\n  - {name: g, position: [50, 0, 0], " BALL
          "}\ngenerators:\n  - {name: g, " RANDOM ", " BALL "}\n",
     7, "a body and a generator are named 'g'; names must be unique"},
    // What acts, and what looks.
    {HEAD BODY "forces:\n  - {bodies: a}\n", 6, "'torque'"},
    {HEAD BODY "forces:\n  - {bodies: b, force: [0, 0, 1]}\n", 6, "named 'b'"},
    {HEAD BODY "forces:\n  - {bodies: [], force: [0, 0, 1]}\n", 6, "empty"},
    {HEAD BODY "forces:\n  - {bodies: x*, force: [0, 0, 1]}\n", 6, "named 'x*'"},
    {HEAD BODY
     "obstacles: [{name: o, shape: {type: plane}}]\nforces:\n  - {bodies: o, force: [0, 0, "
     "1]}\n",
     7, "obstacle"},
    {HEAD BODY "springs:\n  - {bodies: a, normal: [0, 0, 1]}\n", 6, "'stiffness'"},
    {HEAD BODY "springs:\n  - {bodies: a, normal: [0, 0, 1], stiffness: 1, points: []}\n", 6,
     "empty"},
    {HEAD BODY "systems:\n  - {bodies: a}\n", 6, "at least two bodies"},
    {HEAD BODY "systems:\n  - {bodies: a, distance: -1}\n", 6, "'distance'"},
    {HEAD BODY "systems:\n  - {bodies: nobody}\n", 6, "'nobody'"},
    {HEAD BODIES "systems:\n  - bodies: '*'\n", 6,
     "the system has no interactions: add 'distance',"},
    {HEAD BODIES "systems:\n  - bodies: '*'\n    pairs:\n      - {bodies: [a, nobody]}\n", 8,
     "unknown body 'nobody'"},
    {HEAD BODIES "systems:\n  - bodies: '*'\n    pairs:\n      - {bodies: [a, a]}\n", 8,
     "two bodies of a pair must differ"},
    {HEAD BODIES
     "systems:\n  - bodies: '*'\n    pairs:\n      - {bodies: [a, b]}\n      - {bodies: "
     "[b, a], distance: 1}\n",
     9, "this pair is already entry"},
    {HEAD "bodies: [{name: a, " BALL ", position: [0, 0, 5]}, {name: b, " BALL
          ", position: [5, 0, 5]}, {name: c, " BALL
          ", position: [9, 0, 5]}]\nsystems:\n  - bodies: "
          "[a, b]\n    pairs:\n      - {bodies: [a, c]}\n",
     8, "'c' is not a body of this system"},
    {HEAD "contact: {treatment: penalty, stiffness: 1e6}\n" BODIES "systems:\n  - bodies: '*'\n", 7,
     "treatment 'penalty'"},
    {HEAD BODY "nets:\n  - {bodies: a, low: [0, 0, 0], high: [0, 1, 1], stiffness: 1}\n", 6,
     "the low corner of the net must be below"},
    {HEAD BODY "sensors:\n  - {name: s, kind: smell, bodies: a}\n", 6, "force, acceleration"},
    {HEAD BODY "sensors:\n  - {name: s/t, kind: force, bodies: a}\n", 6,
     "the name of a sensor must not contain '/', ',' or '\"'"},
    {HEAD BODY "sensors:\n  - {name: s, kind: force, bodies: a}\n  - {name: s x, kind: force, "
               "bodies: a, axis: [0, 0, 1]}\n",
     7, "'s x' is also a column of a sensor without 'axis'"},
    {HEAD BODY "sensors:\n  - {name: s, kind: force, bodies: {material: gold}}\n", 6, "'gold'"},
    {HEAD "materials: [{name: m, density: 1}]\n" BODY
          "sensors:\n  - {name: s, kind: force, bodies: {material: default}}\n",
     7, "no body has this material"},
    {HEAD BODY
     "sensors:\n  - {name: s, kind: force, bodies: a}\n  - {name: s, kind: force, bodies: "
     "a}\n",
     7, "two sensors"},
    // Heat and strings.
    {HEAD BODY "heat: {temperature: -3}\n", 5, "'temperature' must be positive (got -3)"},
    {HEAD BODY "heat: {temperature: 0}\n", 5, "'temperature' must be positive (got 0)"},
    {HEAD BODY "heat: {specific_heat: 0}\n", 5, "'specific_heat' must be positive (got 0)"},
    {HEAD BODY "heat: {conductance: -1}\n", 5, "'conductance' must not be negative (got -1)"},
    {HEAD BODY "heat:\n  outside: .nan\n", 6, "outside"},
    {HEAD BODY "heat: {warmth: 3}\n", 5, "unknown key 'warmth'"},
    {HEAD BODY "heat:\n  bodies:\n    - {bodies: a}\n", 7,
     "add 'temperature', 'capacity' or 'exchange'"},
    {HEAD BODY "heat:\n  bodies:\n    - {bodies: b, temperature: 300}\n", 7, "'b'"},
    {HEAD BODY "heat:\n  bodies:\n    - {bodies: a, capacity: 0}\n", 7,
     "'capacity' must be positive (got 0)"},
    {HEAD BODY "obstacles: [{name: o, shape: {type: plane}}]\n"
               "heat:\n  bodies:\n    - {bodies: o, temperature: 300}\n",
     8, "'obstacles'"},
    {HEAD BODY "obstacles: [{name: o, shape: {type: plane}}]\n"
               "heat:\n  obstacles: 300\n  bodies:\n    - {bodies: o, capacity: 3}\n",
     9, "an obstacle has a constant temperature: remove"},
    {HEAD BODY "materials: [{name: m, density: 1, specific_heat: 3}]\n", 5,
     "'specific_heat' requires 'heat'"},
    {HEAD BODY "sensors: [{name: s, kind: temperature, bodies: a}]\n", 5, "requires 'heat'"},
    {HEAD BODY "heat: {}\nsensors: [{name: s, kind: temperature, bodies: a, axis: [1, 0, 0]}]\n", 6,
     "no 'axis'"},
    {HEAD BODY "sensors:\n  - {name: s, kind: velocity, bodies: a, by: a}\n", 6,
     "'by' requires 'kind: force', 'impulse', 'dissipated'"},
    {HEAD BODY "sensors:\n  - {name: s, kind: force, bodies: a, by: b}\n", 6, "'b'"},
    {HEAD BODY "sensors:\n  - {name: s, kind: force, bodies: a, by: []}\n", 6, "empty"},
    {HEAD BODY "sensors:\n  - {name: s, kind: force, bodies: a, pause: 1}\n", 6, "kind: hits"},
    {HEAD BODY "sensors:\n  - {name: s, kind: hits, bodies: a, pause: -1}\n", 6, "pause"},
    {HEAD BODY "sensors:\n  - {name: s, kind: hits, bodies: a, axis: [1, 0, 0]}\n", 6, "no 'axis'"},
    {HEAD BODY "sensors:\n  - {name: s, kind: hits, bodies: a, from: contacts}\n", 6, "'from'"},
    {HEAD BODY "sensors:\n  - {name: s, kind: impulse, bodies: a, cutoff: 5}\n", 6,
     "'cutoff' cannot be used for totals since the start"},
    {HEAD BODY "events:\n  - {time: 0.1, bodies: a, temperature: 300}\n", 6,
     "'temperature' requires 'heat'"},
    {HEAD BODY "strings:\n  - {bodies: [a, b], stiffness: 1}\n", 6, "unknown body 'b'"},
    {HEAD BODY "strings:\n  - {bodies: [a, a], stiffness: 1}\n", 6, "two different"},
    {HEAD BODY "strings:\n  - {bodies: [a], stiffness: 1}\n", 6, "two"},
    {HEAD BODY "strings:\n  - {bodies: [a, a], stiffness: 0}\n", 6,
     "'stiffness' must be positive (got 0)"},
    {HEAD BODY "obstacles: [{name: o, shape: {type: plane}, motion: {translation: {x: {rate: "
               "1}}}}]\nstrings:\n  - {bodies: [a, o], stiffness: 1}\n",
     7, "fixed obstacles only"},
    {HEAD BODY "output: {every: 1e-4}\n", 5, "s are more frequent than the steps of"},
    {HEAD BODY "output: {bounds: [[0, 0, 0], [1, 1, 0]]}\n", 5,
     "the low corner of 'bounds' must be below the high corner"},
    {HEAD BODY "output: {csv: yes}\n", 5, "true or false"},
};

static void bad_files_give_one_line_with_file_and_line(void **state)
{
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
    pc_scene scene;
    pc_error error = {.text = ""};
    write_file("scene.yaml", bad_files[i].text);
    pc_status status = pc_scene_read(path, &scene, &error);
    char start[120];
    snprintf(start, sizeof start, "%s:%d: ", path, bad_files[i].line);
    if (status != PC_ERROR_INPUT)
      fail_msg("status %d (%s) for\n%s", status, error.text, bad_files[i].text);
    if (strncmp(error.text, start, strlen(start)) != 0 ||
        strstr(error.text, bad_files[i].word) == NULL)
      fail_msg("'%s' and not line %d with '%s' for\n%s", error.text, bad_files[i].line,
               bad_files[i].word, bad_files[i].text);
    assert_null(strchr(error.text, '\n'));
    assert_null(scene.world);
    assert_null(scene.text);
  }
}

static void a_missing_file_is_named(void **state)
{
  pc_scene scene;
  pc_error error;
  assert_int_equal(pc_scene_read("/nowhere/scene.yaml", &scene, &error), PC_ERROR_IO);
  assert_non_null(strstr(error.text, "/nowhere/scene.yaml"));
}

// Letters changed, lines lost and doubled: one line says what is wrong, or it is a scene after all.
static void damaged_scenes_never_crash(void **state)
{
  static const char whole[] = HEAD
      "title: much\ncontact: {treatment: position, push_out: 5, looks: all}\nsolver: {tolerance: "
      "1e-5}\n"
      "materials: [{name: rock, density: 2600}, &m {name: ice, density: 900}]\n"
      "laws:\n  - {between: [rock, ice], normal: {kind: restitution, e: 0.5}, tangential: "
      "{kind: coulomb, mu: [0.3, 0.2], axis: [1, 0, 0]}}\n"
      "shapes:\n  - {name: brick, type: box, size: [0.2, 0.1, 0.1]}\n"
      "  - {name: pair, type: compound, pieces: [{shape: brick}, {shape: {type: sphere, radius: "
      "0.1}, position: [0, 0, 0.2], orientation: {axis: [1, 0, 0], degrees: 30}}]}\n"
      "  - {name: t, type: polyhedron, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, "
      "1]]}\n"
      "bodies:\n  - {name: a, shape: pair, position: [5, 0, 1], spin: [1, 2, 3], mass: 3}\n"
      "  - {name: b, shape: t, position: [-5, 0, 1], orientation: [1, 0, 0, 0]}\n"
      "obstacles:\n  - {shape: {type: heights, spacing: 2, heights: [[0, 0, 0], [0, null, "
      "0]]}, position: [0, 0, -1]}\n"
      "  - {name: w, shape: {type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "
      "triangles: [[0, 1, 2]]}, position: [0, 9, 0], motion: {translation: {x: {table: [[0, "
      "0], [1, 2]], of: speed}}, rotation: {axis: [0, 0, 1], sine: {amplitude: 1, frequency: "
      "2}}}}\n"
      "generators:\n  - {type: random, name: g, count: 9, inside: {cylinder: {radius: 1, "
      "length: 2}}, shapes: [{shape: brick, weight: 2}, {shape: {type: polyhedron, random: 8, "
      "radius: {min: 0.1, max: 0.2}}}], size_spread: 0.1, spin: {min: [0, 0, 0], max: [1, 1, "
      "1]}}\n  - {type: layers, name: l, size: [0.4, 0.2, 0.1], layers: 2, per_layer: 2, "
      "origin: [0, -9, 0]}\n"
      "forces: [{bodies: a, force: [1, 0, 0], signal: {rate: 1}}]\n"
      "springs: [{bodies: l-*, normal: [0, 0, 1], stiffness: 10}]\n"
      "nets: [{bodies: g, low: [-1, -1, -1], high: [1, 1, 1], stiffness: 10}]\n"
      "sensors: [{name: s, kind: force, bodies: [{material: rock}]}]\n"
      "output: {every: 0.1, bounds: [[-9, -9, -9], [9, 9, 9]]}\n";
  pc_scene scene = read_good(whole);
  pc_scene_free(&scene);
  pc_random random = test_random("damage");
  int count = test_count(1500), good = 0;
  for (int k = 0; k < count; k++) {
    char text[sizeof whole];
    memcpy(text, whole, sizeof whole);
    int hits = 1 + pc_random_below(&random, 3);
    for (int h = 0; h < hits; h++) {
      size_t length = strlen(text), at = (size_t)pc_random_below(&random, (int)length);
      static const char letters[] = "{}[]:,-*&a0.e \n";
      size_t part = (size_t)pc_random_below(&random, 30);
      if (pc_random_below(&random, 3) == 0 && at + part < length) // a piece goes
        memmove(text + at, text + at + part, length - at - part + 1);
      else if (text[at] < '0' || text[at] > '9' || pc_random_below(&random, 2) == 0)
        text[at] = letters[pc_random_below(&random, (int)sizeof letters - 1)];
      else
        text[at] = '0';
    }
    pc_error error = {.text = ""};
    write_file("scene.yaml", text);
    pc_status status = pc_scene_read(path, &scene, &error);
    good += status == PC_OK;
    if (status == PC_OK)
      pc_scene_free(&scene);
    else if (status != PC_ERROR_INPUT || strncmp(error.text, path, strlen(path)) != 0 ||
             strchr(error.text, '\n') != NULL)
      fail_msg("'%s' for\n%s", error.text, text);
  }
  assert_true(good > 0 && good < count / 2);
}

static void a_scene_says_what_the_world_is(void **state)
{
  pc_scene scene = read_good(
      "kind: rigid\ntitle: all of it\nduration: 2.5\nstep: 1e-2\ngravity: [0, 0, -1]\n"
      "contact: {treatment: velocity, rest_speed: 0.1}\nrotation: constant\n"
      "solver: {name: nsgs, tolerance: 1e-8, max_iterations: 50, threads: 2}\n"
      "materials: [{name: rock, density: 2000}, {name: ice, density: 900}]\n"
      "shapes: [{name: brick, type: box, size: [1, 2, 3]}]\n"
      "obstacles: [{name: floor, shape: {type: plane}, material: ice, position: [0, 0, -9]}]\n"
      "bodies:\n"
      "  - {name: one, shape: brick, position: [0, 0, 0], velocity: [1, 2, 3], spin: [4, 5, 6]}\n"
      "  - {shape: brick, position: [5, 0, 0], mass: 7, orientation: {axis: [0, 0, 2], degrees: "
      "90}}\n"
      "output: {every: 0.1, contacts: false, csv: false, xdmf: false, checkpoint: 5, bounds: [[-1, "
      "-2, -3], [1, 2, 3]]}\n"
      "sensors: [{name: all, kind: velocity, bodies: '*'}, {name: rocks, kind: force, bodies: "
      "[{material: rock}, one], axis: [0, 0, 2]}]\n"
      "springs: [{bodies: one, normal: [0, 0, 1], stiffness: 10, points: [[0, 0, 0], [1, 0, "
      "0]]}]\n");
  const pc_world_def *def = pc_world_definition(scene.world);
  assert_string_equal(scene.title, "all of it");
  assert_near(scene.duration, 2.5, 0);
  assert_near(scene.step, 1e-2, 0);
  assert_int_equal(def->dimension, 3);
  assert_near(def->gravity[2], -1, 0);
  assert_int_equal(def->treatment, PC_VELOCITY_LEVEL);
  assert_near(def->rest_speed, 0.1, 0);
  assert_true(def->constant_spin);
  assert_string_equal(def->solver, "nsgs");
  assert_near(def->tolerance, 1e-8, 0);
  assert_int_equal(def->max_iterations, 50);
  assert_int_equal(def->threads, 2);
  assert_int_equal(scene.bodies, 3);
  assert_string_equal(scene.names[0], "floor");
  assert_string_equal(scene.names[1], "one");
  assert_string_equal(scene.names[2], "body-3");
  assert_int_equal(scene.materials, 3);
  assert_string_equal(scene.material_names[1], "rock");
  assert_near(pc_body_get_mass(scene.world, (pc_body){2}), 12000, 1e-9);
  assert_near(pc_body_get_mass(scene.world, (pc_body){3}), 7, 0);
  pc_body_state one, other;
  pc_body_get(scene.world, (pc_body){2}, &one);
  pc_body_get(scene.world, (pc_body){3}, &other);
  for (int i = 0; i < 3; i++) {
    assert_near(one.velocity[i], 1 + i, 0);
    assert_near(one.spin[i], 4 + i, 1e-15);
  }
  assert_near(other.orientation[0], sqrt(0.5), 1e-15);
  assert_near(other.orientation[3], sqrt(0.5), 1e-15);
  assert_int_equal(pc_body_get_kind(scene.world, (pc_body){1}), PC_FIXED);
  assert_int_equal(pc_body_get_material(scene.world, (pc_body){1}), 2);
  assert_int_equal(pc_body_get_material(scene.world, (pc_body){2}), 1);
  assert_false(scene.record_contacts || scene.csv || scene.xdmf);
  assert_near(scene.frame_every, 0.1, 0);
  assert_near(scene.bounds[1], -2, 0);
  assert_near(scene.bounds[5], 3, 0);
  assert_int_equal(scene.sensors, 2);
  assert_int_equal(scene.sensor[0].count, 3);
  assert_false(scene.sensor[0].along);
  assert_int_equal(scene.sensor[1].count, 2); // each body once
  assert_near(scene.sensor[1].axis[2], 1, 0);
  assert_int_equal(scene.elements, 2);
  assert_string_equal(scene.element[1].name, "spring-1-2");
  assert_int_equal(scene.element[1].body.id, 2);
  pc_scene_free(&scene);
}

static void a_scene_in_the_plane_has_two_coordinates(void **state)
{
  pc_scene scene =
      read_good(PLANE "bodies:\n"
                      "  - {shape: {type: disc, radius: 0.5}, position: [0, 1], velocity: [1, 2], "
                      "spin: 3, orientation: {degrees: 180}}\n"
                      "  - {shape: {type: box, size: [2, 1]}, position: [4, 1]}\n");
  const pc_world_def *def = pc_world_definition(scene.world);
  assert_near(def->gravity[1], -9.81, 0);
  assert_near(def->gravity[2], 0, 0);
  pc_body_state body;
  pc_body_get(scene.world, (pc_body){1}, &body);
  assert_near(body.spin[2], 3, 0);
  assert_near(body.velocity[1], 2, 0);
  assert_near(body.orientation[3], 1, 1e-15);
  assert_near(pc_body_get_mass(scene.world, (pc_body){1}), 250 * acos(-1), 1e-9);
  assert_near(pc_body_get_mass(scene.world, (pc_body){2}), 2000, 1e-9);
  pc_scene_free(&scene);
}

static void coulomb_looks_at_the_velocity_after(void **state)
{
  // A block on a moving belt: on the mean velocity it would reverse its slip at every step; on the
  // velocity after it goes with the belt.
  pc_scene scene = read_good(
      HEAD "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 5}}\n"
           "obstacles: [{shape: {type: plane}, motion: {translation: {x: {rate: 0.5}}}}]\n"
           "bodies: [{shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1], no_rotation: "
           "true}]\n");
  for (int i = 0; i < 20; i++) {
    assert_int_equal(pc_world_step(scene.world, scene.step), PC_OK);
    pc_body_state body;
    pc_body_get(scene.world, (pc_body){2}, &body);
    assert_near(body.velocity[0], fmin(0.5, 5 * 9.81 * 1e-3 * (i + 1)), 1e-5);
  }
  pc_scene_free(&scene);
}

static void overlaps_can_be_allowed(void **state)
{
  pc_scene scene = read_good(HEAD "overlaps: allowed\nbodies:\n  - {position: [0, 0, 0], " BALL
                                  "}\n  - {position: [1, 0, 0], " BALL "}\n");
  assert_near(pc_world_overlap(scene.world, NULL, NULL), 1, 1e-12);
  pc_scene_free(&scene);
  // Bodies of one group do not meet.
  scene = read_good(HEAD "bodies:\n  - {position: [0, 0, 0], group: 4, " BALL
                         "}\n  - {position: [1, 0, 0], group: 4, " BALL "}\n");
  pc_scene_free(&scene);
}

static void files_are_found_beside_the_scene(void **state)
{
  write_file("tetra.obj",
             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  pc_scene scene = read_good(
      HEAD
      "bodies: [{position: [0, 0, 0], shape: {type: polyhedron, file: tetra.obj, scale: 2}}]\n");
  assert_near(pc_body_get_mass(scene.world, (pc_body){1}), 1000 * 8.0 / 6, 1e-9);
  pc_scene_free(&scene);
}

static pc_pose shape_pose(const pc_world *world, int body)
{
  pc_body_state state;
  pc_body_get(world, (pc_body){body}, &state);
  pc_pose pose = pc_pose_of(state.position, state.orientation);
  double offset[3], moved[3];
  pc_body_get_offset(world, (pc_body){body}, offset);
  pc_to_world(&pose, offset, moved);
  memcpy(pose.position, moved, sizeof moved);
  return pose;
}

// All pairs but those of obstacles, one by one: the oracle of the search by cells.
static double nearest_gap(const pc_world *world)
{
  double nearest = INFINITY;
  pc_contact_list list = {0};
  for (int i = 1; i <= pc_world_bodies(world); i++)
    for (int j = 1; j < i; j++) {
      if (pc_body_get_kind(world, (pc_body){i}) != PC_FREE &&
          pc_body_get_kind(world, (pc_body){j}) != PC_FREE)
        continue;
      pc_pose a = shape_pose(world, i), b = shape_pose(world, j);
      list.count = 0;
      assert_int_equal(pc_collide(pc_body_get_shape(world, (pc_body){i}), &a,
                                  pc_body_get_shape(world, (pc_body){j}), &b, 0.05, &list),
                       PC_OK);
      for (int k = 0; k < list.count; k++)
        nearest = fmin(nearest, list.at[k].gap);
    }
  free(list.at);
  return nearest;
}

#define MIXED                                                                                      \
  "    shapes:\n"                                                                                  \
  "      - {shape: {type: sphere, radius: {min: 0.05, max: 0.15}}, weight: 2}\n"                   \
  "      - {shape: {type: box, size: [0.2, {min: 0.1, max: 0.2}, 0.1]}, material: wood}\n"         \
  "      - {shape: {type: polyhedron, random: 10, radius: 0.1}}\n"                                 \
  "    size_spread: 0.3\n    orientations: random\n"
#define MATERIALS "materials: [{name: rock, density: 2000}, {name: wood, density: 600}]\n"

static void random_bodies_do_not_overlap(void **state)
{
  static const char *const regions[] = {
      "{box: [[0, 0, 0.2], [1.5, 1.5, 1.5]]}", "{sphere: {centre: [0, 0, 1], radius: 0.9}}",
      "{cylinder: {centre: [0, 1, 2], axis: [0, 1, 1], radius: 0.7, length: 1.8}}"};
  for (int k = 0; k < 3; k++) {
    char text[2000];
    snprintf(text, sizeof text,
             HEAD MATERIALS
             "obstacles:\n  - {shape: {type: plane}}\n"
             "  - {shape: {type: box, size: [0.3, 0.3, 3]}, position: [0.4, 0.4, 1.5]}\n"
             "generators:\n  - type: random\n    name: g\n    count: 100\n    seed: %d\n"
             "    clearance: %s\n    inside: %s\n" MIXED,
             k, k == 1 ? "0.01" : "0", regions[k]);
    pc_scene scene = read_good(text);
    assert_int_equal(scene.bodies, 102);
    assert_string_equal(scene.names[101], "g-100");
    double gap = nearest_gap(scene.world);
    if (!(gap >= (k == 1 ? 0.01 : 0)))
      fail_msg("gap %g in region %d", gap, k);
    assert_true(gap < 0.02); // it is a crowded place: the oracle sees something
    pc_scene_free(&scene);
  }
}

static void random_bodies_stay_inside(void **state)
{
  pc_scene scene =
      read_good(HEAD MATERIALS "generators:\n  - type: random\n    name: g\n    count: 60\n"
                               "    inside: {cylinder: {centre: [1, 2, 3], axis: [0, 0, 1], "
                               "radius: 0.8, length: 2}}\n" MIXED);
  for (int i = 1; i <= scene.bodies; i++) {
    pc_pose pose = shape_pose(scene.world, i);
    double r = pc_shape_radius(pc_body_get_shape(scene.world, (pc_body){i}));
    double x = pose.position[0] - 1, y = pose.position[1] - 2, z = pose.position[2] - 3;
    assert_true(hypot(x, y) + r < 0.8 + 1e-12 && fabs(z) + r < 1 + 1e-12);
  }
  pc_scene_free(&scene);
}

static void sizes_and_choices_are_drawn_as_they_say(void **state)
{
  pc_scene scene = read_good(
      HEAD MATERIALS "generators:\n  - type: random\n    name: g\n    count: 400\n"
                     "    inside: {box: [[0, 0, 0], [9, 9, 9]]}\n    velocity: {toward: [1, 2, 3], "
                     "time: 2}\n    spin: {min: [10, 10, 10], max: [30, 30, 30]}\n"
                     "    shapes:\n      - {shape: {type: sphere, radius: {min: 0.05, max: 0.15}}, "
                     "weight: 3}\n      - {shape: {type: box, size: [0.2, 0.1, 0.1]}, material: "
                     "wood}\n");
  int spheres = 0;
  double smallest = 1, largest = 0;
  for (int i = 1; i <= scene.bodies; i++) {
    const pc_shape *shape = pc_body_get_shape(scene.world, (pc_body){i});
    bool sphere = pc_shape_kind(shape) == PC_SPHERE;
    spheres += sphere;
    assert_int_equal(pc_body_get_material(scene.world, (pc_body){i}), sphere ? 1 : 2);
    if (sphere) {
      smallest = fmin(smallest, pc_shape_radius(shape));
      largest = fmax(largest, pc_shape_radius(shape));
    }
    pc_body_state body;
    pc_body_get(scene.world, (pc_body){i}, &body);
    for (int c = 0; c < 3; c++) {
      assert_near(body.velocity[c], (1 + c - body.position[c]) / 2, 1e-12);
      assert_true(body.spin[c] >= 10 && body.spin[c] <= 30);
    }
  }
  assert_true(spheres > 265 && spheres < 335); // 300, four deviations of 8.7
  assert_true(smallest >= 0.05 && smallest < 0.055 && largest > 0.145 && largest <= 0.15);
  pc_scene_free(&scene);
}

static void the_same_seed_gives_the_same_bodies(void **state)
{
  char text[2][2000];
  for (int k = 0; k < 2; k++)
    snprintf(text[k], sizeof text[k],
             HEAD MATERIALS
             "generators:\n  - type: random\n    name: g\n    count: 50\n    seed: %d\n"
             "    inside: {box: [[0, 0, 0], [2, 2, 2]]}\n" MIXED,
             k + 1);
  pc_scene a = read_good(text[0]), b = read_good(text[0]), c = read_good(text[1]);
  int different = 0;
  for (int i = 1; i <= a.bodies; i++) {
    pc_body_state x, y, z;
    pc_body_get(a.world, (pc_body){i}, &x);
    pc_body_get(b.world, (pc_body){i}, &y);
    pc_body_get(c.world, (pc_body){i}, &z);
    assert_memory_equal(&x, &y, sizeof x);
    assert_true(pc_body_get_mass(a.world, (pc_body){i}) == pc_body_get_mass(b.world, (pc_body){i}));
    different += memcmp(&x, &z, sizeof x) != 0;
  }
  assert_int_equal(different, a.bodies);
  pc_scene_free(&a);
  pc_scene_free(&b);
  pc_scene_free(&c);
}

static void grids_and_walls_are_where_they_should_be(void **state)
{
  pc_scene scene = read_good(
      HEAD "generators:\n"
           "  - {type: grid, name: g, counts: [2, 3, 4], spacing: [1, 2, 3], origin: [10, 0, 0], "
           "shape: {type: sphere, radius: 0.1}}\n"
           "  - {type: layers, name: w, size: [0.4, 0.2, 0.1], layers: 3, per_layer: 4, joint: "
           "0.02, origin: [0, 0, 1]}\n"
           "sensors: [{name: s, kind: force, bodies: w}, {name: t, kind: force, bodies: g-1*}]\n");
  assert_int_equal(scene.bodies, 24 + 4 + 5 + 4);
  assert_int_equal(scene.sensor[0].count, 13);
  assert_int_equal(scene.sensor[1].count, 11); // g-1, g-10 .. g-19
  pc_body_state body;
  pc_body_get(scene.world, (pc_body){24}, &body);
  assert_near(body.position[0], 11, 0);
  assert_near(body.position[1], 4, 0);
  assert_near(body.position[2], 9, 0);
  // Both ends of every layer are flush; the middle layer starts with a half brick.
  double half = (0.4 - 0.02) / 2, end = 4 * 0.4 + 3 * 0.02;
  pc_body_get(scene.world, (pc_body){24 + 5}, &body);
  assert_near(body.position[0], half / 2, 1e-12);
  assert_near(body.position[2], 1.15, 1e-12);
  pc_body_get(scene.world, (pc_body){24 + 9}, &body);
  assert_near(body.position[0], end - half / 2, 1e-12);
  pc_body_get(scene.world, (pc_body){24 + 13}, &body);
  assert_near(body.position[0], end - 0.2, 1e-12);
  pc_scene_free(&scene);
}

// Half a brick more: every layer has one half brick, on the right and on the left by turns.
static void walls_may_end_with_half_a_brick(void **state)
{
  pc_scene scene = read_good(
      PLANE "generators: [{type: layers, name: w, size: [0.6, 0.4], layers: 3, per_layer: 2.5}]\n");
  static const double places[9][2] = {{0.3, 0.2}, {0.9, 0.2}, {1.35, 0.2}, {0.15, 0.6}, {0.6, 0.6},
                                      {1.2, 0.6}, {0.3, 1.0}, {0.9, 1.0},  {1.35, 1.0}};
  assert_int_equal(scene.bodies, 9);
  for (int i = 0; i < 9; i++) {
    pc_body body = {i + 1};
    pc_body_state at;
    pc_body_get(scene.world, body, &at);
    assert_near(at.position[0], places[i][0], 1e-12);
    assert_near(at.position[1], places[i][1], 1e-12);
    bool half = i == 2 || i == 3 || i == 8;
    assert_near(pc_body_get_mass(scene.world, body), half ? 120 : 240, 1e-9);
  }
  pc_scene_free(&scene);
}

static void a_text_is_read_like_a_file(void **state)
{
  pc_scene file = read_good(HEAD BODY), text;
  pc_error error = {.text = ""};
  assert_int_equal(pc_scene_parse(path, HEAD BODY, &text, &error), PC_OK);
  assert_string_equal(file.text, text.text);
  assert_string_equal(file.path, text.path);
  assert_int_equal(text.bodies, 1);
  pc_scene_free(&file);
  pc_scene_free(&text);
  assert_int_equal(pc_scene_parse("a.yaml", HEAD "bodies: 3\n", &text, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "a.yaml:4"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_files_give_one_line_with_file_and_line),
      cmocka_unit_test(a_missing_file_is_named),
      cmocka_unit_test(damaged_scenes_never_crash),
      cmocka_unit_test(a_scene_says_what_the_world_is),
      cmocka_unit_test(a_scene_in_the_plane_has_two_coordinates),
      cmocka_unit_test(coulomb_looks_at_the_velocity_after),
      cmocka_unit_test(overlaps_can_be_allowed),
      cmocka_unit_test(files_are_found_beside_the_scene),
      cmocka_unit_test(random_bodies_do_not_overlap),
      cmocka_unit_test(random_bodies_stay_inside),
      cmocka_unit_test(sizes_and_choices_are_drawn_as_they_say),
      cmocka_unit_test(the_same_seed_gives_the_same_bodies),
      cmocka_unit_test(grids_and_walls_are_where_they_should_be),
      cmocka_unit_test(walls_may_end_with_half_a_brick),
      cmocka_unit_test(a_text_is_read_like_a_file),
  };
  return cmocka_run_group_tests(tests, name_files, remove_folder);
}
