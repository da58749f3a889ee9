#include "scene_examples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const scene_example scene_examples[] = {
    {"rigid", "@",
     "kind: rigid|duration: 1|step: 1e-3|title: t|source: s|bodies: [{shape: " BALL
     ", position: [0, 0, 0.1005], velocity: [1, 0, -1], spin: [1, 2, 3], inertia: [1, 2, "
     "2.5]}]|obstacles: [{shape: {type: plane}}]"},
    {"rigid", "@",
     "kind: rigid|duration: 1|step: 1e-3|generators: [{type: grid, name: g, counts: [2, 1, 1], "
     "spacing: 0.2, shape: " BALL "}]"},
    {"rigid", "@", "kind: rigid|base: base.yaml|duration: 1|step: 1e-3|start: state.csv"},
    {"rigid", "@",
     "kind: rigid|duration: 1|step: 1e-3|overlaps: allowed|bodies: [{shape: " BALL
     ", position: [0, 0, 0]}, {shape: " BALL ", position: [0, 0, 0.1]}]"},
    {"rigid", "@",
     "kind: rigid|duration: 1|step: 1e-3|seed: 2|runs: 3|sweep: [{key: rotation, values: [exact, "
     "constant]}]|generators: [{type: random, name: g, count: 2, inside: {box: [[0, 0, 0], [1, 1, "
     "1]]}, "
     "shape: " BALL "}]"},
    {"sweep", SCENE "sweep: [@]\n", "key: bodies.a.velocity.0|values: [2, 3]"},
    {"sweep", SCENE "sweep: [@]\n",
     "key: [bodies.a.velocity.0, bodies.a.velocity.1]|from: 2|to: 3|count: 4|spacing: ratio|label: "
     "v"},
    {"curves",
     SCENE "sweep: [{key: step, values: [1e-3, 2e-3]}, {key: bodies.a.velocity.0, values: "
           "[1, 2], label: v}]\ncurves: [@]\n",
     "name: n|quantities: dissipated|against: [step, v]|title: t|y: y|words: [a, b]"},
    {"curves", SCENE "sweep: [{key: step, values: [1e-3, 2e-3]}]\ncurves: [@]\n",
     "name: n|quantities: [dissipated, kinetic]"},
    {"sweep", CROWD ROOM DOOR TWO "sweep: [@]\n",
     "key: people.p.speed|values: [{uniform: [1, 2]}]"},
    {"contact", SCENE "contact: @\n", "treatment: position|push_out: 5|rest_speed: 0.1|looks: all"},
    {"contact", SCENE "contact: @\n", "treatment: penalty|stiffness: 1000"},
    {"contact", SCENE "contact: @\n", "rest_speed: 0.1"},
    {"sleep", SCENE "sleep: @\n", "after: 0.5|speed: 0.01"},
    {"sleep", SCENE "sleep: @\n", "after: 0.5"},
    {"solver", SCENE "solver: @\n", "name: ipm|tolerance: 1e-6|max_iterations: 5|threads: 2"},
    {"solver", SCENE "solver: @\n", "name: nsgs"},
    {"solver", SCENE "solver: @\n", "threads: 1"},
    {"heat", SCENE "heat: @\n",
     "specific_heat: 50|temperature: 310|conductance: 3|exchange: 20|outside: 290|obstacles: "
     "280|bodies: [{bodies: a, temperature: 300}]"},
    {"heat", SCENE "heat: @\n", "exchange: 2"},
    {"heat", SCENE "heat: @\n", "temperature: 300"},
    {"warm", SCENE "heat: {exchange: 1, outside: 250, bodies: [@]}\n",
     "bodies: a|temperature: 320|capacity: 3|exchange: 20"},
    {"warm", SCENE "heat: {obstacles: 300, bodies: [@]}\n", "bodies: ground|temperature: 320"},
    {"warm", SCENE "heat: {bodies: [@]}\n", "bodies: a|capacity: 3"},
    {"material", SCENE "materials: [@]\n", "name: m|density: 100"},
    {"material", SCENE "heat: {}\nmaterials: [@]\n", "name: m|density: 100|specific_heat: 3"},
    {"law", SCENE "materials: [{name: m, density: 1}]\nlaws: [@]\n",
     "between: [m, default]|normal: {kind: inelastic}|tangential: {kind: none}"},
    {"law", SCENE "materials: [{name: m, density: 1}]\nlaws: [@]\n",
     "between: [m, m]|normal: {kind: inelastic}"},
    {"default_law", SCENE "default_law: @\n",
     "normal: {kind: inelastic}|tangential: {kind: viscous, k: 1}"},
    {"default_law", SCENE "default_law: @\n", "normal: {kind: inelastic}"},
    {"inelastic", LAW, "kind: inelastic"},
    {"quadratic", LAW, "kind: quadratic|k: 1"},
    {"power", LAW, "kind: power|k: 1|p: 3"},
    {"threshold", LAW, "kind: threshold|k: 1|k0: 0.1|u_lim: 0.1"},
    {"penetrable", LAW, "kind: penetrable|k: 1|k0: 0.1"},
    {"restitution", LAW, "kind: restitution|e: 0.5"},
    {"none", FRICTION, "kind: none"},
    {"viscous", FRICTION, "kind: viscous|k: 1"},
    {"scene_coulomb", FRICTION, "kind: coulomb|mu: 0.3|on: mean"},
    {"scene_coulomb", FRICTION, "kind: coulomb|mu: [0.3, 0.2]|axis: [1, 0, 0]"},
    {"output", SCENE "output: @\n",
     "every: 0.05|contacts: false|csv: false|xdmf: false|end: true|checkpoint: 10|bounds: [[-1, "
     "-1, -1], [1, 1, 1]]|deposit: {spacing: 1}"},
    {"output", SCENE "output: @\n", "csv: true"},
    {"output", SCENE "output: @\n", "xdmf: true"},
    {"deposit", SCENE "output: {deposit: @}\n", "spacing: 0.1|thinnest: 0.02|rest_speed: 0.2"},
    {"deposit", SCENE "output: {deposit: @}\n", "spacing: 0.1"},
    {"deposit", SCENE "output: {deposit: @}\n", "spacing: 0.1|bodies: a"},
    {"each_layer",
     HEAD "generators: [{type: grid, name: g, counts: [2, 1, 3], spacing: 1, shape: " BALL
          ", each_layer: @}]\n",
     "turn: 90|shift: [0.1, 0, 0]|repeat: 2"},
    {"each_layer",
     HEAD "generators: [{type: layers, name: g, size: [0.4, 0.2, 0.1], layers: 2, "
          "per_layer: 2, each_layer: @}]\n",
     "turn: 45"},
    {"each_layer",
     HEAD "generators: [{type: grid, name: g, counts: [2, 1, 3], spacing: 1, shape: " BALL
          ", each_layer: @}]\n",
     "shift: [0.1, 0, 0]"},
    {"each_layer_plane",
     HEAD "dimension: 2\ngenerators: [{type: grid, name: g, counts: [2, 3], spacing: 1, shape: "
          "{type: disc, radius: 0.1}, each_layer: @}]\n",
     "shift: [0.1, 0]|repeat: 2"},
    {"each_layer_plane",
     HEAD "dimension: 2\ngenerators: [{type: grid, name: g, counts: [2, 3], spacing: 1, shape: "
          "{type: disc, radius: 0.1}, each_layer: @}]\n",
     "shift: [0.1, 0]"},
    {"each_layer_plane",
     HEAD "dimension: 2\ngenerators: [{type: grid, name: g, counts: [2, 3], spacing: 1, shape: "
          "{type: disc, radius: 0.1}, each_layer: @}]\n",
     "repeat: 2"},
    {"body", HEAD GROUND "materials: [{name: m, density: 5}]\nbodies: [@]\n",
     "name: b|shape: {type: box, size: [0.1, 0.2, 0.3]}|material: m|position: [0, 0, "
     "0.2]|orientation: [1, 0, 0, 0]|velocity: [1, 0, -1]|spin: [0, 1, 0]|mass: 3|inertia: [1, 1, "
     "1]|no_rotation: true|group: 0"},
    {"body", HEAD GROUND "bodies: [@]\n",
     "shape: {type: box, size: [0.1, 0.2, 0.3]}|position: [0, 0, 0.1501]"},
    {"body", HEAD "obstacles: [{shape: {type: plane}}]\nbodies: [@]\n",
     "shape: {type: box, size: [0.1, 0.2, 0.3]}|position: [0, 0, 1]|on: ground"},
    {"body", HEAD "dimension: 2\nbodies: [@]\n",
     "shape: {type: disc, radius: 1}|position: [0, 0]|inertia: 2"},
    {"guided",
     HEAD BODY "shapes: [{name: s, type: box, size: [1, 1, 1]}]\nobstacles: [{shape: s, position: "
               "[5, 5, 5], guided: @}]\n",
     "axis: [0, 0, 1]|load: 5|mass: 2|velocity: 1"},
    {"guided", HEAD "obstacles: [{shape: {type: box, size: [1, 1, 1]}, guided: @}]\n",
     "axis: [0, 0, 1]"},
    {"obstacle", HEAD BODY "materials: [{name: m, density: 5}]\nobstacles: [@]\n",
     "name: o|shape: {type: plane}|material: m|position: [0, 0, 0]|orientation: [1, 0, 0, "
     "0]|motion: {translation: {x: {rate: 1}}}|group: 0"},
    {"obstacle", HEAD BODY "obstacles: [{shape: {type: plane}}, @]\n",
     "shape: {type: box, size: [1, 1, 1]}|position: [5, 5, 5]|on: ground|sink: 0.2"},
    {"obstacle", HEAD BODY "obstacles: [@]\n",
     "shape: {type: plane}|guided: {axis: [0, 0, 1], mass: 1}"},
    {"obstacle",
     HEAD "bodies: [{shape: " BALL ", position: [0, 0, 0.1005], velocity: [1, 0, -1], group: 1}]\n"
          "obstacles: [@]\n",
     "shape: {type: plane}"},
    {"motion",
     HEAD BODY "shapes: [{name: s, type: box, size: [1, 1, 1]}]\nobstacles: [{shape: s, position: "
               "[5, 5, 5], motion: @}]\n",
     "translation: {x: {rate: 1}}"},
    {"motion",
     HEAD BODY
     "obstacles: [{shape: {type: box, size: [1, 1, 1]}, position: [5, 5, 5], motion: @}]\n",
     "translation: {x: {rate: 1}}|rotation: {axis: [0, 0, 1], rate: 1}"},
    {"motion",
     HEAD BODY
     "obstacles: [{shape: {type: box, size: [1, 1, 1]}, position: [5, 5, 5], motion: @}]\n",
     "rotation: {axis: [0, 0, 1], rate: 1}"},
    {"translation", HEAD BODY "obstacles: [{shape: {type: plane}, motion: {translation: @}}]\n",
     "x: {rate: 1}|y: {rate: 2}|z: {rate: -1}"},
    {"translation", HEAD BODY "obstacles: [{shape: {type: plane}, motion: {translation: @}}]\n",
     ""},
    {"translation_plane",
     PLANE "obstacles: [{shape: {type: plane}, position: [0, -1], motion: {translation: @}}]\n",
     "x: {rate: 1}|y: {rate: 2}"},
    {"translation_plane",
     PLANE "obstacles: [{shape: {type: plane}, position: [0, -1], motion: {translation: @}}]\n",
     ""},
    {"rotation", HEAD BODY "obstacles: [{shape: {type: plane}, motion: {rotation: @}}]\n",
     "axis: [0, 0.6, 0.8]|centre: [0, 1, 0]|rate: 1"},
    {"rotation", HEAD BODY "obstacles: [{shape: {type: plane}, motion: {rotation: @}}]\n",
     "axis: [0, 0.6, 0.8]|sine: {amplitude: 0.1, frequency: 1}"},
    {"rotation", HEAD BODY "obstacles: [{shape: {type: plane}, motion: {rotation: @}}]\n",
     "axis: [0, 0.6, 0.8]|table: [[0, 0], [0.1, 0.1]]|of: speed"},
    {"rotation_plane",
     PLANE "obstacles: [{shape: {type: plane}, position: [0, -1], motion: {rotation: @}}]\n",
     "centre: [0, 1]|rate: 1"},
    {"rotation_plane",
     PLANE "obstacles: [{shape: {type: plane}, position: [0, -1], motion: {rotation: @}}]\n",
     "sine: {amplitude: 0.1, frequency: 1}"},
    {"rotation_plane",
     PLANE "obstacles: [{shape: {type: plane}, position: [0, -1], motion: {rotation: @}}]\n",
     "table: [[0, 0], [0.1, 0.1]]|of: speed"},
    {"signal", SCENE "forces: [{bodies: a, force: [9, 0, 0], signal: @}]\n", "rate: 1"},
    {"signal", SCENE "forces: [{bodies: a, force: [9, 0, 0], signal: @}]\n",
     "sine: {amplitude: 1, frequency: 1}"},
    {"signal", SCENE "forces: [{bodies: a, force: [9, 0, 0], signal: @}]\n",
     "table: [[0, 1], [0.1, 2]]|of: speed"},
    {"sine", SCENE "forces: [{bodies: a, force: [9, 0, 0], signal: {sine: @}}]\n",
     "amplitude: 1|frequency: 2|phase: 1"},
    {"sine", SCENE "forces: [{bodies: a, force: [9, 0, 0], signal: {sine: @}}]\n",
     "amplitude: 1|frequency: 2"},
    {"orientation", HEAD "bodies: [{shape: " BALL ", position: [0, 0, 1], orientation: @}]\n",
     "axis: [0, 0, 1]|degrees: 30"},
    {"orientation_plane",
     HEAD
     "dimension: 2\nbodies: [{shape: {type: disc, radius: 1}, position: [0, 1], orientation: @}]\n",
     "degrees: 30"},
    {"choice", SCENE "forces: [{bodies: @, force: [1, 0, 0]}]\n",
     "name: a|material: default|inside: {sphere: {radius: 1}}|nearest: [0, 0, 0]"},
    {"choice", SCENE "forces: [{bodies: @, force: [1, 0, 0]}]\n", "name: a"},
    {"choice", SCENE "forces: [{bodies: [a, @], force: [1, 0, 0]}]\n", "material: default"},
    {"region", SCENE "forces: [{bodies: {inside: @}, force: [1, 0, 0]}]\n",
     "box: [[-1, -1, -1], [1, 1, 1]]"},
    {"region", SCENE "forces: [{bodies: {inside: @}, force: [1, 0, 0]}]\n",
     "cylinder: {radius: 1, length: 1}"},
    {"region", SCENE "sensors: [{name: s, kind: force, bodies: {inside: @}}]\n",
     "sphere: {radius: 1}"},
    {"region_plane", PLANE "forces: [{bodies: {inside: @}, force: [1, 0]}]\n",
     "box: [[-1, -1], [1, 1]]"},
    {"region_plane", PLANE "forces: [{bodies: {inside: @}, force: [1, 0]}]\n", "disc: {radius: 1}"},
    {"region_cylinder", SCENE "forces: [{bodies: {inside: {cylinder: @}}, force: [1, 0, 0]}]\n",
     "radius: 0.05|length: 1"},
    {"region_cylinder", SCENE "forces: [{bodies: {inside: {cylinder: @}}, force: [1, 0, 0]}]\n",
     "centre: [0, 0, 0.1]|axis: [0, 1, 0]|radius: 0.05|length: 1"},
    {"region_sphere", SCENE "forces: [{bodies: {inside: {sphere: @}}, force: [1, 0, 0]}]\n",
     "radius: 0.2"},
    {"region_sphere", SCENE "forces: [{bodies: {inside: {sphere: @}}, force: [1, 0, 0]}]\n",
     "centre: [0, 0, 0.1]|radius: 0.2"},
    {"region_disc", PLANE "forces: [{bodies: {inside: {disc: @}}, force: [1, 0]}]\n",
     "radius: 0.05"},
    {"region_disc", PLANE "forces: [{bodies: {inside: {disc: @}}, force: [1, 0]}]\n",
     "centre: [0.1, 0]|radius: 0.2"},
    {"event", SCENE "events: [@]\n",
     "time: 0.01|bodies: a|position: [0, 0, 1]|orientation: [1, 0, 0, 0]|velocity: [0, 0, 1]|spin: "
     "[0, 0, 1]"},
    {"event", SCENE "events: [@]\n", "time: 0.01|bodies: a|position: [0, 0, 1]"},
    {"event", SCENE "events: [@]\n", "time: 0.01|bodies: a|velocity: [0, 0, 1]"},
    {"event", SCENE "heat: {}\nevents: [@]\n", "time: 0.01|bodies: a|temperature: 300"},
    {"force", SCENE "forces: [@]\n",
     "bodies: a|force: [1, 0, 0]|torque: [0, 0, 1]|signal: {rate: 1}"},
    {"force", SCENE "forces: [@]\n", "bodies: [a]|torque: [0, 0, 1]"},
    {"force", SCENE "forces: [@]\n", "bodies: '*'|force: [0, 0, 1]"},
    {"spring", SCENE "springs: [@]\n",
     "name: s|bodies: a|points: [[0, 0, 0.1], [0, 0, 0]]|normal: [0, 0, 1]|stiffness: 100"},
    {"spring", SCENE "springs: [@]\n", "bodies: a|normal: [0, 0, 1]|stiffness: 100"},
    {"string", SCENE "strings: [@]\n",
     "name: s|bodies: [a, ground]|points: [[0, 0, 0.1], [0, 0, 0]]|length: 0.1|stiffness: "
     "100|damping: 3"},
    {"string", SCENE "strings: [@]\n", "bodies: [a, ground]|stiffness: 100"},
    {"string", SCENE "heat: {specific_heat: 800, obstacles: 290}\nstrings: [@]\n",
     "bodies: [a, ground]|stiffness: 100|exchange: 0.01"},
    {"net", SCENE "nets: [@]\n",
     "name: n|low: [-1, -1, 0]|high: [1, 1, 0.15]|stiffness: 1e5|bodies: a|moves: true"},
    {"net", SCENE "nets: [@]\n", "low: [-1, -1, 0]|high: [1, 1, 0.15]|stiffness: 1e5|bodies: a"},
    {"system", TRIO "systems: [@]\n",
     "bodies: [a, b, c]|distance: 1|spin: 0.1|spin_distance: 0.2|pairs: [{bodies: [a, b]}]"},
    {"system", TRIO "systems: [@]\n", "bodies: '*'|spin: 0.1"},
    {"system", TRIO "systems: [@]\n", "bodies: '*'|distance: 1"},
    {"system_pair", TRIO "systems: [{bodies: '*', pairs: [@]}]\n",
     "bodies: [a, c]|distance: 1|spin: 0.1|spin_distance: 0.2"},
    {"system_pair", TRIO "systems: [{bodies: '*', pairs: [@]}]\n", "bodies: [a, b]"},
    {"system_pair", TRIO "systems: [{bodies: '*', pairs: [@]}]\n", "bodies: [a, c]"},
    {"view", SCENE "views: {v: @}\n",
     "camera: [3, -4, 2]|look_at: a|zoom: 2|follow: a*|color: spin"},
    {"view", SCENE "views: {v: @}\n",
     "path: [[0, 1, 2, 3, 0, 0, 0], [1, 1, 5, 3, 0, 0, 0]]|zoom: 3"},
    {"view", SCENE "views: {v: @}\n", "look_at: [0, 0, 1]"},
    {"sensor", SCENE "sensors: [@]\n",
     "name: f|kind: force|bodies: a|axis: [0, 0, 1]|from: springs|cutoff: 100"},
    {"sensor", SCENE "sensors: [@]\n", "name: f|kind: force|bodies: ground"},
    {"sensor", SCENE "sensors: [@]\n", "name: f|kind: hits|bodies: ground|by: a|pause: 0.02"},
    {"sensor", SCENE "heat: {}\nsensors: [@]\n", "name: f|kind: temperature|bodies: a"},
    {"length_range",
     HEAD "generators: [{type: grid, name: g, counts: [1, 1, 1], spacing: 1, shape: {type: sphere, "
          "radius: @}}]\n",
     "min: 0.1|max: 1"},
    {"sphere", SHAPE, "type: sphere|radius: 0.1|name: s"},
    {"sphere", HEAD "bodies: [{shape: @, position: [0, 0, 1]}]\n", "type: sphere|radius: 0.1"},
    {"box", SHAPE, "type: box|size: [0.1, 0.1, 0.1]|name: s"},
    {"box", HEAD "bodies: [{shape: @, position: [0, 0, 1]}]\n", "type: box|size: [0.1, 0.1, 0.1]"},
    {"pointed_box", SHAPE, "type: pointed_box|size: [0.1, 0.1, 0.1]|tip: 0.1|name: s"},
    {"pointed_box", HEAD "bodies: [{shape: @, position: [0, 0, 1]}]\n",
     "type: pointed_box|size: [0.1, 0.1, 0.1]|tip: 0.1"},
    {"polyhedron", SHAPE,
     "type: polyhedron|vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]|name: s"},
    {"polyhedron", SHAPE, "type: polyhedron|file: tetra.obj|scale: 2|name: s"},
    {"polyhedron",
     HEAD "generators: [{type: grid, name: g, counts: [1, 1, 1], spacing: 1, shape: @}]\n",
     "type: polyhedron|random: 8|radius: 0.1"},
    {"capsule", SHAPE, "type: capsule|radius: 0.1|length: 0.2|name: s"},
    {"capsule", HEAD "bodies: [{shape: @, position: [0, 0, 1]}]\n",
     "type: capsule|radius: 0.1|length: 0.2"},
    {"cylinder", SHAPE, "type: cylinder|radius: 0.1|length: 0.2|name: s"},
    {"cylinder", HEAD "bodies: [{shape: @, position: [0, 0, 1]}]\n",
     "type: cylinder|radius: 0.1|length: 0.2"},
    {"compound", SHAPE, "type: compound|pieces: [{shape: " BALL "}]|name: s"},
    {"compound", HEAD "bodies: [{shape: @, position: [0, 0, 1]}]\n",
     "type: compound|pieces: [{shape: " BALL "}]"},
    {"piece", HEAD "bodies: [{shape: {type: compound, pieces: [@]}, position: [0, 0, 1]}]\n",
     "shape: {type: box, size: [1, 2, 3]}|position: [1, 0, 0]|orientation: [0.6, 0, 0, 0.8]"},
    {"piece", HEAD "bodies: [{shape: {type: compound, pieces: [@]}, position: [0, 0, 1]}]\n",
     "shape: {type: box, size: [1, 2, 3]}"},
    {"plane", SURFACE, "type: plane|normal: [0, 0.1, 1]|name: s"},
    {"plane", HEAD BODY "obstacles: [{shape: @}]\n", "type: plane"},
    {"mesh", SURFACE,
     "type: mesh|vertices: [[-1, -1, 0], [1, -1, 0], [0, 1, 0]]|triangles: [[0, 1, 2]]|name: s"},
    {"mesh", HEAD BODY "obstacles: [{shape: @, position: [0, 0, -3]}]\n",
     "type: mesh|file: tetra.obj|scale: 2"},
    {"heights", SURFACE,
     "type: heights|heights: [[0, 0], [0, 0]]|spacing: 3|origin: [-1, -1]|name: s"},
    {"heights", HEAD BODY "obstacles: [{shape: @, position: [0, 0, -3]}]\n",
     "type: heights|heights: [[0, null, 0], [0, 0, 0]]|spacing: 3"},
    {"heights", HEAD BODY "obstacles: [{shape: @, position: [0, 0, -3]}]\n",
     "type: heights|file: grid.asc"},
    {"disc", SHAPE_2, "type: disc|radius: 0.1|name: s"},
    {"disc", HEAD "dimension: 2\nbodies: [{shape: @, position: [0, 1]}]\n",
     "type: disc|radius: 0.1"},
    {"polygon", SHAPE_2, "type: polygon|vertices: [[0, 0], [1, 0], [0, 1]]|name: s"},
    {"polygon", HEAD "dimension: 2\nbodies: [{shape: @, position: [0, 1]}]\n",
     "type: polygon|vertices: [[0, 0], [1, 0], [0, 1]]"},
    {"chain_shape", PLANE "shapes: [@]\nobstacles: [{shape: s, position: [0, -1]}]\n",
     "type: chain|vertices: [[-1, 0], [1, 0], [0, 2]]|closed: true|name: s|"},
    {"chain_shape", PLANE "obstacles: [{shape: @, position: [0, -1]}]\n",
     "type: chain|vertices: [[-1, 1], [-1, -1], [1, -1], [1, 1]]"},
    {"grid", GENERATED,
     "type: grid|name: g|shape: {type: box, size: [0.1, 0.2, 0.3]}|material: default|velocity: [1, "
     "0, -1]|spin: [0, 1, 0]|group: 0|no_rotation: true|seed: 3|size_spread: 0.1|orientations: "
     "aligned|orientation: [1, 0, 0, 0]|counts: [2, 1, 1]|spacing: 0.5|origin: [0, 0, 0.5]|jitter: "
     "0.01"},
    {"grid",
     HEAD
     "obstacles: [{shape: {type: plane}, position: [0, 0, -0.1], group: 1}]\ngenerators: [@]\n",
     "type: grid|name: g|shapes: [{shape: " BALL "}]|counts: [1, 1, 1]|spacing: 1|spin: [0, 1, 0]"},
    {"grid", HEAD "generators: [@]\n",
     "type: grid|name: g|shape: " BALL "|counts: [1, 1, 1]|spacing: 1"},
    {"grid", HEAD "obstacles: [{shape: {type: plane}}]\ngenerators: [@]\n",
     "type: grid|name: g|shape: " BALL
     "|counts: [2, 1, 2]|spacing: 1|on: ground|each_layer: {turn: 90}"},
    {"random", HEAD "obstacles: [{shape: {type: plane}}]\ngenerators: [@]\n",
     "type: random|name: g|shape: " BALL
     "|count: 3|on: ground|inside: {box: [[0, 0, 0], [1, 1, 1]]}"},
    {"layers", HEAD "obstacles: [{shape: {type: plane}}]\ngenerators: [@]\n",
     "type: layers|name: g|size: [0.4, 0.2, 0.1]|layers: 2|per_layer: 2|on: ground|each_layer: "
     "{turn: 90}"},
    {"fill", HEAD "obstacles: [{shape: {type: plane}}]\ngenerators: [@]\n",
     "type: fill|name: g|shape: " BALL "|on: ground|inside: {box: [[0, 0, 0.5], [1, 1, 1.5]]}"},
    {"random", HEAD "generators: [@]\n",
     "type: random|name: g|shape: " BALL "|count: 1|inside: {sphere: {radius: 1}}"},
    {"layers", HEAD "generators: [@]\n",
     "type: layers|name: g|size: [0.4, 0.2, 0.1]|layers: 2|per_layer: 2"},
    {"fill", HEAD "generators: [@]\n",
     "type: fill|name: g|shape: " BALL "|inside: {box: [[0, 0, 0], [1, 1, 1]]}"},
    {"random",
     HEAD "obstacles: [{shape: {type: plane}, position: [0, 0, -1.1], group: 1}]\nstart: "
          "random.csv\ngenerators: [@]\n",
     "type: random|name: g|shape: {type: box, size: [0.1, 0.1, 0.1]}|material: default|velocity: "
     "[0, 0, -60]|spin: [0, 1, 0]|group: 0|no_rotation: false|seed: 3|size_spread: "
     "0.1|orientation: [1, 0, 0, 0]|count: 2|inside: {sphere: {radius: 1}}"},
    {"random", HEAD "generators: [@]\n",
     "type: random|name: g|shapes: [{shape: " BALL
     "}]|orientations: random|count: 9|inside: {box: [[0, 0, 0], [1, 1, 1]]}|clearance: 0.01"},
    {"random", HEAD "start: random.csv\ngenerators: [@]\n",
     "type: random|name: g|shape: " BALL "|count: 2|from_table: true"},
    {"random",
     HEAD
     "obstacles: [{shape: {type: plane}, position: [0, 0, -0.5], group: 1}]\ngenerators: [@]\n",
     "type: random|name: g|shape: " BALL
     "|count: 2|inside: {box: [[0, 0, -0.5], [1, 1, -0.29]]}|spin: [0, 1, 0]|velocity: [0, 0, -1]"},
    {"layers", HEAD "obstacles: [{shape: {type: plane}, group: 1}]\ngenerators: [@]\n",
     "type: layers|name: g|material: default|velocity: [0, 0, 0]|spin: [0, 0, 0]|group: "
     "0|no_rotation: false|size: [0.4, 0.2, 0.1]|layers: 2|per_layer: 2|origin: [0, 0, 0]|joint: "
     "0.01|bond: running"},
    {"layers", HEAD "obstacles: [{shape: {type: plane}, group: 1}]\ngenerators: [@]\n",
     "type: layers|name: g|size: [0.4, 0.2, 0.1]|layers: 2|per_layer: 2|spin: [1, 0, 0]"},
    {"fill", HEAD "obstacles: [{shape: {type: plane}, group: 1}]\ngenerators: [@]\n",
     "type: fill|name: g|shape: {type: box, size: [0.1, 0.2, 0.3]}|material: default|velocity: [0, "
     "0, -1]|spin: [0, 1, 0]|group: 0|no_rotation: false|orientation: [1, 0, 0, 0]|inside: {box: "
     "[[0, 0, 0], [1, 1, 1]]}|count: 3|take: highest|gap: 0.01|origin: [0.5, 0.5, 0.5]"},
    {"fill", HEAD "generators: [@]\n",
     "type: fill|name: g|shapes: [{shape: " BALL
     "}]|seed: 3|size_spread: 0.1|orientations: random|inside: {box: [[0, 0, 0], [1, 1, "
     "1]]}|count: 2|spacing: 0.3"},
    {"fill", HEAD "obstacles: [{shape: {type: plane}, group: 1}]\ngenerators: [@]\n",
     "type: fill|name: g|shape: {type: box, size: [0.2, 0.2, 0.2]}|inside: {box: [[0, 0, 0], [1, "
     "1, 1]]}|count: 2|spin: [1, 0, 0]|velocity: [0, 0, -1]"},
    {"volume", SCENE "generators: [{type: fill, name: g, shape: " BALL ", inside: @}]\n",
     "box: [[1, 1, 1], [2, 2, 2]]"},
    {"volume", SCENE "generators: [{type: fill, name: g, shape: " BALL ", inside: @}]\n",
     "outline: [[1, 1], [2, 1], [1, 2]]|height: 1"},
    {"volume", SCENE "generators: [{type: fill, name: g, shape: " BALL ", inside: @}]\n",
     "outline: [[1, 1], [2, 1], [1, 2]]|thickness: 1"},
    {"volume", SCENE "generators: [{type: fill, name: g, shape: " BALL ", inside: @}]\n",
     "surface: {type: heights, heights: [[1, 1], [1, 1]], spacing: 1, origin: [1, 1]}"},
    {"shape_choice",
     HEAD "generators: [{type: grid, name: g, counts: [9, 9, 1], spacing: 1, shapes: [@, {shape: "
          "{type: box, size: [0.1, 0.1, 0.1]}}]}]\n",
     "shape: " BALL "|weight: 2|material: default"},
    {"shape_choice",
     HEAD "generators: [{type: grid, name: g, counts: [9, 9, 1], spacing: 1, shapes: [@, {shape: "
          "{type: box, size: [0.1, 0.1, 0.1]}}]}]\n",
     "shape: " BALL},
    {"velocity_range",
     HEAD "generators: [{type: grid, name: g, counts: [1, 1, 1], spacing: 1, shape: " BALL
          ", velocity: @}]\n",
     "min: [0, 0, 0]|max: [1, 1, 1]"},
    {"velocity_toward",
     HEAD "generators: [{type: grid, name: g, counts: [1, 1, 1], spacing: 1, shape: " BALL
          ", velocity: @}]\n",
     "toward: [0, 0, 0]|time: 1"},
    {"spin_range",
     HEAD "generators: [{type: grid, name: g, counts: [1, 1, 1], spacing: 1, shape: " BALL
          ", spin: @}]\n",
     "min: [0, 0, 0]|max: [1, 1, 1]"},

    {"crowd", "@",
     "kind: crowd|duration: 1|step: 1e-2|title: t|source: s|seed: 2|runs: 2|sweep: []|until: "
     "duration|floors: "
     "[{" OUTLINE
     "}]|exits: [{name: door, line: [[5, 0], [5, 4]]}]|signs: []|people: [{count: 3, to: door}]"},
    {"crowd", "@",
     "kind: crowd|duration: 1|step: 1e-2|contact: {treatment: nsm1}|walking: {model: "
     "direct}|social: {strength: 10}|routes: "
     "{inset: 0}|solver: {threads: 2}|output: {xdmf: false}|floors: [{" OUTLINE
     "}]|areas: [{name: a, points: [[4, 1], [5, 1], [5, 3]]}]|people: [{count: 3, to: a}]|lifts: "
     "[]|hazards: "
     "[{co: 1e-4}]|smoke: {}"},
    {"crowd", "@",
     "kind: crowd|base: crowd.yaml|duration: 1|step: 1e-2|floors: [{" OUTLINE
     "}]|people: [{count: 2, to: door}]"},
    {"crowd", "@",
     "kind: crowd|duration: 1|step: 1e-2|turning: {stiffness: 5}|floors: [{" OUTLINE
     "}]|stairs: [{from: {line: [[3, 1], [3, 2]]}, to: {line: [[1, 3.5], [1, 2.5]]}}]|doors: "
     "[{points: [[4, 1], [4, 2]], opens: 5}]|sources: [{name: s, points: [[1, 1]]}]|detours: "
     "[{zone: [[2, 0], [3, 0], [3, 1]], least: 2, from: door, to: door}]|exits: [{name: door, "
     "line: [[5, 0], [5, 4]]}]|people: [{count: 2, to: door, source: s}]"},
    {"turning", CROWD ROOM DOOR TWO "turning: @\n", "stiffness: 10|damping: 0.5"},
    {"turning", CROWD ROOM DOOR TWO "turning: @\n", ""},
    {"stairs", CROWD TWO_FLOORS DOOR_BELOW ABOVE "stairs: [@]\n",
     "name: s|from: {floor: high, line: [[2, 1], [2, 2]]}|to: {floor: low, line: [[2, 1], [2, "
     "2]]}|length: 3|speed: 0.4|both_ways: true"},
    {"stairs", CROWD TWO_FLOORS DOOR_BELOW ABOVE "stairs: [@]\n",
     "from: {floor: high, line: [[2, 1], [2, 2]]}|to: {floor: low, line: [[2, 1], [2, 2]]}"},
    {"stairs", CROWD TWO_FLOORS DOOR_BELOW ABOVE "stairs: [@]\n",
     "from: {floor: high, line: [[2, 1], [2, 2]]}|to: {floor: low, line: [[2, 1], [2, 2]]}|length: "
     "3|rise: -1.7"},
    {"stairs", CROWD TWO_FLOORS DOOR_BELOW ABOVE "stairs: [@]\n",
     "from: {floor: high, line: [[2, 1], [2, 2]]}|to: {floor: low, line: [[2, 1], [2, 2]]}|opens: "
     "1|closes: 2"},
    {"stairs",
     CROWD TWO_FLOORS DOOR_BELOW "people: [{positions: [[4, 2]], floor: high, to: door, stairs: "
                                 "false}]\nstairs: [@]\n",
     "from: {floor: high, line: [[2, 1], [2, 2]]}|to: {floor: low, line: [[2, 1], [2, 2]]}|ramp: "
     "true"},
    {"lift", CROWD TWO_FLOORS DOOR_BELOW LIFTED "lifts: [@]\n",
     "stops: [{floor: high, line: [[0, 1], [0, 2]], height: 4}, {floor: low, line: [[0, 1], [0, "
     "2]], "
     "height: 0}]|capacity: 4|speed: 2|acceleration: 1|doors: 2|transfer: 0.5|dwell: 1|wait: "
     "9|starts: low|first: highest"},
    {"lift", CROWD TWO_FLOORS DOOR_BELOW LIFTED "lifts: [@]\n",
     "stops: [{floor: high, line: [[0, 1], [0, 2]], height: 4}, {floor: low, line: [[0, 1], [0, "
     "2]], "
     "height: 0}]"},
    {"lift_stop",
     CROWD TWO_FLOORS DOOR_BELOW LIFTED
     "lifts: [{stops: [@, {floor: low, line: [[0, 1], [0, 2]], height: 0}]}]\n",
     "floor: high|line: [[0, 1], [0, 2]]|height: 4"},
    {"hazard", CROWD ROOM DOOR TWO "hazards: [@]\n",
     "zone: [[0, 0], [6, 0], [6, 4]]|from: 0.05|until: 0.1|extinction: 1|co: 0.001|co2: 0.02|o2: "
     "0.15|hcn: 1e-5|dose: 0.1"},
    {"hazard", CROWD "floors: [{name: f, " OUTLINE "}]\n" DOOR TWO "hazards: [@]\n",
     "floor: f|extinction: 2"},
    {"hazard", CROWD ROOM DOOR TWO "hazards: [@]\n", "file: smoke.csv"},
    {"smoke", CROWD ROOM DOOR TWO "hazards: [{extinction: 1}]\nsmoke: @\n",
     "avoidance: 2|contrast: 5|dose: 0.3"},
    {"smoke", CROWD ROOM DOOR TWO "hazards: [{extinction: 1}]\nsmoke: @\n", ""},
    {"stairs_end",
     CROWD TWO_FLOORS DOOR_BELOW ABOVE
     "stairs: [{from: @, to: {floor: low, line: [[2, 1], [2, 2]]}}]\n",
     "floor: high|line: [[2, 1], [2, 2]]"},
    {"stairs_end", CROWD ROOM DOOR TWO "stairs: [{from: @, to: {line: [[1, 3.5], [1, 2.5]]}}]\n",
     "line: [[3, 1], [3, 2]]"},
    {"door", CROWD ROOM DOOR TWO "doors: [@]\n",
     "points: [[3, 0], [3, 4]]|opens: 0.1|closes: 2|awaited: true"},
    {"door", CROWD "floors: [{name: f, " OUTLINE "}]\n" DOOR TWO "doors: [@]\n",
     "points: [[3, 0], [3, 4]]|opens: 0.1|floor: f"},
    {"source", CROWD ROOM DOOR "people: [{count: 3, source: s, to: door}]\nsources: [@]\n",
     "name: s|points: [[1, 1], [1, 3]]|rate: 5"},
    {"source",
     CROWD "floors: [{name: f, " OUTLINE "}]\n" DOOR
           "people: [{count: 3, source: s, to: door}]\nsources: [@]\n",
     "name: s|points: [[1, 1], [1, 3]]|floor: f"},
    {"detour", CROWD ROOM DOORS "people: [{positions: [[2, 1], [3, 2]], to: a}]\ndetours: [@]\n",
     "zone: [[1, 0], [2.5, 0], [2.5, 2], [1, 2]]|least: 1|from: a|to: b"},
    {"detour",
     CROWD "floors: [{name: f, " OUTLINE "}]\n" DOORS
           "people: [{positions: [[2, 1], [3, 2]], to: a}]\ndetours: [@]\n",
     "zone: [[1, 0], [2.5, 0], [2.5, 2], [1, 2]]|least: 1|from: a|to: b|where: [[3, 0], [4, 0], "
     "[4, 4]]|floor: f"},
    // The first is in the zone for one step only.
    {"detour",
     CROWD ROOM DOORS "people: [{positions: [[2.495, 1], [3, 2]], velocity: [1.3, 0], to: a}]\n"
                      "detours: [@]\n",
     "zone: [[1, 0], [2.5, 0], [2.5, 2], [1, 2]]|least: 1|from: a|to: b|holds: true"},
    {"stage", CROWD ROOM DOOR AREA "people: [{positions: [[1, 1]], stages: [@, {to: door}]}]\n",
     "until: 0.1|pause: 0.05"},
    {"stage", CROWD ROOM DOOR AREA "people: [{positions: [[1, 1]], stages: [@, {to: door}]}]\n",
     "to: a|arrived: true"},
    {"hands",
     CROWD ROOM DOOR "people: [{positions: [[1, 1], [1.5, 1], [2, 1]], to: door, hands: "
                     "@}]\n",
     "stiffness: 100|size: 3"},
    {"hands",
     CROWD ROOM DOOR "people: [{positions: [[1, 1], [1.5, 1], [2, 1]], to: door, hands: "
                     "@}]\n",
     "stiffness: 100"},
    {"together",
     CROWD ROOM DOOR "people: [{positions: [[1, 1], [1.6, 1], [2, 1.5]], to: door, velocity: "
                     "[1, -1], together: @}]\n",
     "kind: moussaid|size: 3|gaze: 3|attraction: 2|repulsion: 2|spacing: 1"},
    {"together",
     CROWD ROOM DOOR "people: [{positions: [[1, 1], [1.6, 1], [2, 1.5]], to: door, velocity: "
                     "[1, 0], together: @}]\n",
     "kind: singh|distance: 0.9|rate: 0.5"},
    {"together",
     CROWD ROOM DOOR
     "people: [{positions: [[1, 1], [1.6, 1], [2, 1.5]], to: door, speed: {uniform: "
     "[1, 1.5]}, together: @}]\n",
     "kind: wait|size: 3|distance: 0.4"},
    {"crowd_contact", CROWD ROOM DOOR TWO "contact: @\n", "dissipative: true|looks: again"},
    {"crowd_contact", CROWD ROOM DOOR TWO "contact: @\n", "treatment: nsm1|order: second"},
    {"crowd_contact", CROWD ROOM DOOR TWO "contact: @\n", "treatment: dem|stiffness: 1000"},
    {"crowd_contact", CROWD ROOM DOOR TWO "contact: @\n",
     "law: {normal: {kind: inelastic}}|wall_law: {normal: {kind: quadratic, k: 3}}"},
    {"crowd_law", CROWD ROOM DOOR TWO "contact: {law: @}\n",
     "normal: {kind: quadratic, k: 10}|tangential: {kind: viscous, k: 2}"},
    {"crowd_law", CROWD ROOM DOOR TWO "contact: {wall_law: @}\n", "normal: {kind: inelastic}"},
    {"walking", CROWD ROOM DOOR TWO "walking: @\n",
     "model: follow|densest: 5|rate: 2|anticipation: 1|headway: 0.5"},
    {"walking", CROWD ROOM DOOR TWO "walking: @\n", "model: direct"},
    {"walking", CROWD ROOM DOOR TWO "walking: @\n", "densest: 6"},
    {"social", CROWD ROOM DOOR TWO "social: @\n",
     "strength: 100|range: 0.1|anisotropy: 0.5|sideways: true"},
    {"social", CROWD ROOM DOOR TWO "social: @\n", "strength: 100"},
    {"routes", CROWD ROOM DOOR TWO "routes: @\n",
     "spacing: 0.2|inset: 0|reluctance: 5|clearance: 0.1|congestion: 0.05|choose: 2|sight: 3"},
    {"routes", CROWD ROOM DOOR TWO "routes: @\n", "spacing: 0.2"},
    {"routes", CROWD ROOM DOOR TWO "routes: @\n", "inset: 0"},
    {"crowd_solver", CROWD ROOM DOOR TWO "solver: @\n",
     "tolerance: 1e-6|max_iterations: 50|threads: 2"},
    {"crowd_solver", CROWD ROOM DOOR TWO "solver: @\n", ""},
    {"crowd_view", CROWD ROOM DOOR TWO "views: {v: @}\n",
     "look_at: p-1|zoom: 2|follow: p|color: goal"},
    {"crowd_view", CROWD ROOM DOOR TWO "views: {v: @}\n", "look_at: [1, 2]"},
    {"crowd_view", CROWD ROOM DOOR TWO "views: {v: @}\n", ""},
    {"crowd_output", CROWD ROOM DOOR TWO "output: @\n",
     "every: 0.05|contacts: false|csv: false|xdmf: false|trajectories: true|checkpoint: 10|maps: "
     "{spacing: 1, every: 2}|lanes: {axis: y, width: 1}|load_window: 0.5"},
    {"crowd_output", CROWD ROOM DOOR TWO "output: @\n", ""},
    {"maps", CROWD ROOM DOOR TWO "output: {maps: @}\n", "spacing: 0.25|every: 0.5"},
    {"lanes", CROWD ROOM DOOR TWO "output: {lanes: @}\n", "axis: y|width: 1"},
    {"maps", CROWD ROOM DOOR TWO "output: {maps: @}\n", ""},
    {"lanes", CROWD ROOM DOOR TWO "output: {lanes: @}\n", ""},
    {"floor", CROWD DOOR "people: [{positions: [[1, 1]], to: door}]\nfloors: [@]\n",
     "name: f|" OUTLINE "|walls: [{points: [[2, 2], [3, 2]]}]|obstacles: [{centre: [3, 3], radius: "
     "0.2}]|slow: [{points: [[2, 0], [3, 0], [3, 1]]}]"},
    {"floor", FLOOR, "wkt: 'POLYGON ((0 0, 6 0, 6 4, 0 4, 0 0))'"},
    {"floor", FLOOR, "wkt: room.wkt"},
    {"floor", FLOOR, "geojson: room.geojson"},
    {"floor", FLOOR,
     "geojson: '{\"type\": \"Polygon\", \"coordinates\": [[[10, 0], [16, 0], [16, 4], [10, 4], "
     "[10, 0]]]}'|origin: [10, 0]"},
    {"floor", FLOOR, "geojson: {file: room.geojson}"},
    {"geojson", CROWD DOOR TWO "floors: [{geojson: @}]\n",
     "file: room.geojson|property: storey|value: 1"},
    {"geojson", CROWD DOOR TWO "floors: [{geojson: @}]\n", "file: room.geojson"},
    {"floor", CROWD DOOR TWO "floors: [@]\n", "dxf: {file: room.dxf, outline: room}"},
    {"dxf", CROWD TWO "floors: [{dxf: @}]\nexits: [{name: door, line: [[0, 2.2], [0, 3.8]]}]\n",
     "file: room.dxf|walls: wall|outline: room|obstacles: pillar|exits: exit|doors: door|ignored: "
     "rest|unit: m|curves: 0.1"},
    {"dxf", CROWD DOOR TWO "floors: [{dxf: @}]\n", "file: room.dxf|outline: [room]"},
    {"dxf", CROWD DOOR TWO "floors: [{dxf: @}]\n", "file: room.dxf|walls: [room]"},
    {"wall", CROWD DOOR TWO "floors: [{walls: [@]}]\n",
     "points: [[0, 0], [6, 0], [6, 4], [0, 4]]|closed: true"},
    {"wall", CROWD DOOR TWO "floors: [{" OUTLINE ", walls: [@]}]\n",
     "points: [[2, 3], [3, 3], [3, 2]]"},
    {"floor_obstacle", CROWD DOOR TWO "floors: [{" OUTLINE ", obstacles: [@]}]\n",
     "points: [[3, 3], [3.5, 3], [3, 3.5]]"},
    {"floor_obstacle", CROWD DOOR TWO "floors: [{" OUTLINE ", obstacles: [@]}]\n",
     "centre: [3, 3]|radius: 0.3"},
    {"slow_zone", CROWD DOOR TWO "floors: [{" OUTLINE ", slow: [@]}]\n",
     "points: [[1, 0], [3, 0], [3, 2], [1, 2]]|speed: 0.3"},
    {"slow_zone", CROWD DOOR TWO "floors: [{" OUTLINE ", slow: [@]}]\n",
     "points: [[1, 0], [3, 0], [3, 2], [1, 2]]"},
    {"exit", CROWD ROOM TWO "sources: [{name: s, points: [[1, 1]]}]\nexits: [@]\n",
     "name: door|line: [[5, 0], [5, 4]]|reenters: s"},
    {"exit", CROWD ROOM TWO "exits: [@]\n",
     "name: door|line: [[5, 0], [5, 4]]|counts: front|opens: 1|closes: 2"},
    {"exit", CROWD "floors: [{name: f, " OUTLINE "}]\n" TWO "exits: [@]\n",
     "name: door|line: [[5, 0], [5, 4]]|floor: f"},
    {"area", CROWD ROOM DOOR TWO "areas: [@]\n", "name: a|points: [[4, 1], [5, 1], [5, 3]]"},
    {"area", CROWD "floors: [{name: f, " OUTLINE "}]\n" DOOR TWO "areas: [@]\n",
     "name: a|points: [[4, 1], [5, 1], [5, 3]]|floor: f"},
    {"group", CROWD "floors: [{name: f, " OUTLINE "}]\n" DOOR "people: [@]\n",
     "name: g|floor: f|count: 3|inside: {box: [[1, 1], [3, 3]]}|to: door|aim: middle|radius: "
     "0.2|mass: 70|speed: 1.2|stairs_speed: 0.4|relaxation: 0.4|response: 0.05|velocity: [0.1, "
     "0.2]"},
    {"group", CROWD ROOM DOOR "people: [@]\n", "positions: [[1, 1], [2, 2]]|to: [door]"},
    {"group", CROWD ROOM DOOR "turning: {}\npeople: [@]\n",
     "positions: [[1, 1], [1.5, 1]]|stages: [{until: 0.1}, {to: door}]|orientation: 0.2|hands: "
     "{stiffness: 50}|together: {kind: singh}"},
    {"group", CROWD ROOM DOOR "sources: [{name: s, points: [[1, 1]]}]\npeople: [@]\n",
     "count: 2|source: s|to: door|arrival: 0.1"},
    {"group", CROWD ROOM DOORS "people: [@]\n", "count: 4|to: [a, b]|knows: [b]|familiar: 0.5"},
    {"group", CROWD ROOM DOOR "people: [@]\n", "count: 2|to: door|stairs: false|lifts: true"},
    {"group", CROWD ROOM DOOR "people: [@]\n",
     "count: 2|to: door|age: 70|speeds: imo_women|aid: cane"},
    {"sign",
     CROWD ROOM DOORS
     "routes: {sight: 1}\npeople: [{positions: [[4, 2]], to: [a, b], knows: b}]\nsigns: "
     "[@]\n",
     "place: [4, 2.5]|exit: a|lit: true"},
    {"sign",
     CROWD
     "floors: [{name: f, " OUTLINE "}]\n" DOORS
     "routes: {sight: 1}\npeople: [{positions: [[4, 2]], to: [a, b], knows: b}]\nsigns: [@]\n",
     "place: [4, 2.5]|exit: a|floor: f"},
    {"place", CROWD ROOM DOOR "people: [{count: 2, to: door, inside: @}]\n",
     "box: [[1, 1], [3, 3]]"},
    {"place", CROWD ROOM DOOR "people: [{count: 2, to: door, inside: @}]\n",
     "polygon: [[1, 1], [3, 1], [2, 3]]"},
    {"draw", CROWD ROOM DOOR "people: [{count: 2, to: door, radius: @}]\n", "uniform: [0.2, 0.3]"},
    {"draw", CROWD ROOM DOOR "people: [{count: 2, to: door, speed: @}]\n",
     "normal: [1.3, 0.3]|between: [1, 2]"},
    {"draw", CROWD ROOM DOOR "people: [{count: 2, to: door, mass: @}]\n", "normal: [80, 5]"},
    {"draw", CROWD ROOM DOOR "people: [{count: 2, to: door, response: @}]\n",
     "lognormal: [5, 3]|between: [1, 20]"},
    {"impact", "@",
     "kind: impact|title: t|source: s|bodies: [" LINE
     "]|interactions: [{type: contact, bodies: [a], normal: [1], law: {normal: {kind: "
     "inelastic}}}]|quasi_static: true"},
    {"impact", "@", "kind: impact|bodies: [" LINE "]"},
    {"impact", "@",
     "kind: impact|base: impact.yaml|bodies: [" LINE
     "]|sweep: [{key: bodies.a.mass, values: [1, 2]}]|curves: [{name: "
     "c, quantities: a/v}]"},
    {"impact", "@",
     "kind: impact|bodies: [" WARM "]|interactions: [" STOPS "]|heat: {outside: 280}"},
    {"impact_heat", "kind: impact\nbodies: [" WARM "]\ninteractions: [" STOPS "]\nheat: @\n",
     "mode: adiabatic|outside: 280"},
    {"impact_heat", "kind: impact\nbodies: [" WARM "]\ninteractions: [" STOPS "]\nheat: @\n",
     "outside: 280"},
    {"impact_heat", "kind: impact\nbodies: [" WARM "]\ninteractions: [" STOPS "]\nheat: @\n",
     "mode: closed"},
    {"impact_body", "kind: impact\nheat: {}\nbodies: [@]\n",
     "id: a|dof: 1|mass: 2|temperature: 300|capacity: 2"},
    {"impact_body", "kind: impact\nbodies: [@]\n",
     "id: a|dof: 3|mass: 2|inertia: 1|position: [0, 0]|velocity: [1, 2, 3]|percussion: [1, 0, 0]"},
    {"impact_body", "kind: impact\nbodies: [@]\n", "id: a|dof: 1|mass: 2"},
    {"contact_interaction", WARM_IMPACT,
     "id: i|type: contact|bodies: [a, b]|point: [0, 0, 0]|normal: [0, 0, 1]|law: {normal: {kind: "
     "inelastic}}|bound: 0.5|given: [0, 0, -1]|exchange: 0.01"},
    {"contact_interaction", "kind: impact\nbodies: [" LINE "]\ninteractions: [@]\n",
     "type: contact|bodies: [a]|normal: [1]|law: {normal: {kind: inelastic}}"},
    {"distance_interaction", WARM_IMPACT,
     "id: i|type: distance|bodies: [a, b]|points: [[0, 0, 0], [0, 0, 1]]|law: {kind: "
     "bilateral}|bound: "
     "0.5|given: 1|exchange: 0.01"},
    {"distance_interaction", IMPACT,
     "type: distance|bodies: [a, b]|points: [[0, 0, 0], [0, 0, 1]]|law: {kind: bilateral}"},
    {"spin_interaction", WARM_IMPACT,
     "id: i|type: spin|bodies: [a, b]|law: {kind: bilateral}|bound: 0.5|given: [1, 0, 0]|exchange: "
     "0.01"},
    {"spin_interaction", "kind: impact\nbodies: [" FLAT "]\ninteractions: [@]\n",
     "type: spin|bodies: [a, b]|law: {kind: bilateral}"},
    {"contact_law",
     "kind: impact\nbodies: [" SOLID "]\ninteractions: [{type: contact, bodies: [a, b], point: [0, "
     "0, 0], normal: [0, 0, 1], law: @}]\n",
     "normal: {kind: inelastic}|tangential: {kind: none}"},
    {"contact_law",
     "kind: impact\nbodies: [" SOLID "]\ninteractions: [{type: contact, bodies: [a, b], point: [0, "
     "0, 0], normal: [0, 0, 1], law: @}]\n",
     "normal: {kind: inelastic}"},
    {"bilateral", IMPACT_LAW "@}}]\n", "kind: bilateral"},
    {"coulomb", IMPACT_LAW "{kind: inelastic}, tangential: @}}]\n",
     "kind: coulomb|mu: 5|on: after"},
    {"coulomb", IMPACT_LAW "{kind: inelastic}, tangential: @}}]\n",
     "kind: coulomb|mu: [0.3, 0.2]|axis: [1, 0, 0]"},
    {"tangential_bilateral", IMPACT_LAW "{kind: inelastic}, tangential: @}}]\n", "kind: bilateral"},
    {"distance_quadratic",
     "kind: impact\nbodies: [" SOLID "]\ninteractions: [{type: distance, bodies: [a, b], points: "
     "[[0, 0, 0], [0, 0, 1]], law: @}]\n",
     "kind: quadratic|k: 1"},
    {"distance_power",
     "kind: impact\nbodies: [" SOLID "]\ninteractions: [{type: distance, bodies: [a, b], points: "
     "[[0, 0, 0], [0, 0, 1]], law: @}]\n",
     "kind: power|k: 1|p: 3"},
    {"spin_quadratic",
     "kind: impact\nbodies: [" SOLID "]\ninteractions: [{type: spin, bodies: [a, b], law: @}]\n",
     "kind: quadratic|k: 1"},

    {"chain", "@",
     "kind: chain|title: t|source: s|balls: {masses: [1, 2]}|velocity: [1, 0]|walls: left|law: "
     "{kind: moreau}|contacts: {restitution: 0.5}|bounds: true"},
    {"chain", "@", "kind: chain|balls: {masses: [1, 2]}|velocity: 1|law: {kind: lzb}"},
    {"chain", "@",
     "kind: chain|balls: {masses: [1, 2]}|velocity: 1|law: {kind: hertz, duration: 1}|press: 1"},
    {"chain", "@",
     "kind: chain|balls: {masses: [1, 2]}|velocity: 1|law: {kind: newton}|duration: 2|step: 0.1|"
     "output: {every: 0.5}|runs: 2|sweep: [{key: title, values: [a, b]}]"},
    {"chain", "@",
     "kind: chain|balls: {masses: [1, 2]}|velocity: 1|law: {kind: newton}|output: {}|sweep: []"},
    {"continuum", "@",
     "kind: continuum|title: t|source: s|mesh: {rectangles: [" RECTANGLE
     "]}|media: {a: {density: 1}}|pushes: [{sides: high, percussion: [0, -1]}]|output: {}|sweep: "
     "[]|tolerance: 1e-9"},
    {"continuum", "@",
     "kind: continuum|mesh: {rectangles: [" RECTANGLE
     "]}|media: {a: {density: 1, velocity: [0, -1]}}|contacts: [{sides: low}]|hold: [{sides: "
     "east}]|bodies: [{name: b, mass: 1, inertia: 1}]|runs: 1"},
    {"continuum", "@",
     "kind: continuum|mesh: {rectangles: [" RECTANGLE
     "]}|media: {a: {density: 1, velocity: [0, -1], " HEAT
     "}}|contacts: [{sides: low}]|surfaces: [{sides: high, capacity: 1}]"},
    {"continuum", "@",
     "kind: continuum|base: block.yaml|mesh: {rectangles: [" RECTANGLE
     "]}|media: {a: {density: 2}}"},
    {"continuum", "@",
     "kind: continuum|mesh: {rectangles: [" RECTANGLE
     "]}|media: {a: {density: 1, young: 10, velocity: [0, -1]}}|contacts: [{sides: low}]|duration: "
     "1|step: 0.01|gravity: [0, -9.81]|rest: 0.1|reach: 0.01|deformation: large"},
    {"continuum", "@",
     "kind: continuum|mesh: {rectangles: [" RECTANGLE
     "]}|media: {a: {density: 1, young: 10, velocity: [0, -1]}}|contacts: [{sides: low}]|duration: "
     "1|step: 0.01"},
    {"continuum_mesh", MESH,
     "rectangles: [" RECTANGLE ", {name: a, x: [1, 2], y: [0, 1], cells: [2, 2], sides: {left: "
     "west}}]|join: [{sides: east, with: west}]|parts: [{of: low, name: part, x: [0, 0.5]}]"},
    {"continuum_mesh", MESH, "rectangles: [" RECTANGLE "]|order: 1"},
    {"continuum_mesh", MESH, "rectangles: [" RECTANGLE "]"},
    {"continuum_mesh", MESH, "file: square.msh"},
    {"continuum_mesh", MESH,
     "bars: [{name: a, length: 2, width: 0.5, cells: [2, 4], sides: {foot: low}}]"},
    {"continuum_mesh", MESH, "discs: [{name: a, radius: 1, cells: [2, 1], rim: low}]"},
    {"continuum_bar", "kind: continuum\n" FALLS LANDS "mesh: {bars: [@]}\n",
     "name: a|length: 2|width: 0.5|angle: 60|lowest: [1, 0.5]|cells: [3, 4]|sides: {foot: low}"},
    {"continuum_bar",
     "kind: continuum\n" FALLS "pushes: [{sides: high, percussion: [0, 1]}]\nmesh: {rectangles: "
     "[" RECTANGLE "], bars: [@]}\n",
     "name: a|length: 2|width: 0.5|cells: [3, 4]"},
    {"continuum_bar_sides",
     "kind: continuum\n" FALLS LANDS
     "mesh: {bars: [{name: a, length: 2, width: 0.5, cells: [2, 4], sides: @}]}\n",
     "foot: low|head: h|left: l|right: r"},
    {"continuum_bar_sides",
     "kind: continuum\n" FALLS LANDS
     "mesh: {bars: [{name: a, length: 2, width: 0.5, cells: [2, 4], sides: @}]}\n",
     "foot: low"},
    {"continuum_bar_sides",
     "kind: continuum\n" FALLS LANDS
     "mesh: {bars: [{name: a, length: 2, width: 0.5, cells: [2, 4], sides: @}]}\n",
     "head: low"},
    {"continuum_disc", "kind: continuum\n" FALLS LANDS "mesh: {discs: [@]}\n",
     "name: a|centre: [1, 2]|radius: 2|cells: [2, 1]|rim: low"},
    {"continuum_disc",
     "kind: continuum\n" FALLS "pushes: [{sides: high, percussion: [0, 1]}]\nmesh: {rectangles: "
     "[" RECTANGLE "], discs: [@]}\n",
     "name: a|radius: 2|cells: [2, 1]"},
    {"continuum_mesh",
     "kind: continuum\nmedia: {a: {density: 10, velocity: [-1]}}\n" LANDS "mesh: @\n",
     "lines: [{name: a, from: 0, to: 1, cells: 3, left: low}]"},
    {"continuum_rectangle", "kind: continuum\n" FALLS LANDS "mesh: {rectangles: [@]}\n",
     "name: a|x: [0, 1]|y: [0, 1]|cells: [2, 2]|grade: [1, 2]|triangles: true|sides: {bottom: "
     "low}"},
    {"continuum_rectangle", "kind: continuum\n" FALLS LANDS "mesh: {rectangles: [@]}\n",
     "name: a|x: [0, 1]|y: [0, 1]|size: [0.5, 0.3]|sides: {bottom: low}"},
    {"continuum_rectangle", "kind: continuum\n" FALLS LANDS "mesh: {rectangles: [@]}\n",
     "name: a|places: {x: [0, 1, 3], y: [0, 1]}|sides: {bottom: low}"},
    {"continuum_rectangle",
     "kind: continuum\n" FALLS "pushes: [{sides: high, percussion: [0, 1]}]\nmesh: {rectangles: "
     "[@, {name: a, x: [3, 4], y: [0, 1], cells: [1, 1], sides: {top: high}}]}\n",
     "name: a|x: [0, 1]|y: [0, 1]|cells: [2, 2]"},
    {"continuum_mesh", "kind: continuum\n" FALLS_IN_SPACE LANDS "mesh: @\n",
     "boxes: [{name: a, x: [0, 1], y: [0, 1], z: [0, 1], cells: [1, 1, 1], sides: {bottom: low}}]"},
    {"continuum_box", "kind: continuum\n" FALLS_IN_SPACE LANDS "mesh: {boxes: [@]}\n",
     "name: a|x: [0, 1]|y: [0, 1]|z: [0, 1]|cells: [2, 2, 1]|grade: [1, 2, 1]|tetrahedra: "
     "true|sides: {bottom: low}"},
    {"continuum_box", "kind: continuum\n" FALLS_IN_SPACE LANDS "mesh: {boxes: [@]}\n",
     "name: a|x: [0, 1]|y: [0, 1]|z: [0, 1]|size: [0.5, 0.3, 1]|sides: {bottom: low}"},
    {"continuum_box", "kind: continuum\n" FALLS_IN_SPACE LANDS "mesh: {boxes: [@]}\n",
     "name: a|places: {x: [0, 1, 3], y: [0, 1], z: [0, 2]}|sides: {bottom: low}"},
    {"continuum_box",
     "kind: continuum\n" FALLS_IN_SPACE "pushes: [{sides: high, percussion: [0, 0, 1]}]\nmesh: "
     "{boxes: [@, {name: a, x: [3, 4], y: [0, 1], z: [0, 1], cells: [1, 1, 1], sides: {top: "
     "high}}]}\n",
     "name: a|x: [0, 1]|y: [0, 1]|z: [0, 1]|cells: [2, 2, 1]"},
    {"continuum_box_places",
     "kind: continuum\n" FALLS_IN_SPACE LANDS
     "mesh: {boxes: [{name: a, cells: [1, 1, 1], places: @, sides: {bottom: low}}]}\n",
     "x: [0, 1]|y: [0, 1]|z: [0, 1]"},
    {"continuum_box_places",
     "kind: continuum\n" FALLS_IN_SPACE LANDS
     "mesh: {boxes: [{name: a, cells: [1, 1, 1], y: [0, 1], z: [0, 1], places: @, sides: {bottom: "
     "low}}]}\n",
     "x: [0, 1, 2]"},
    {"continuum_box_places",
     "kind: continuum\n" FALLS_IN_SPACE LANDS
     "mesh: {boxes: [{name: a, cells: [1, 1, 1], x: [0, 1], places: @, sides: {bottom: low}}]}\n",
     "y: [0, 1]|z: [0, 1]"},
    {"continuum_box_places",
     "kind: continuum\n" FALLS_IN_SPACE LANDS
     "mesh: {boxes: [{name: a, cells: [1, 1, 1], z: [0, 1], places: @, sides: {bottom: low}}]}\n",
     "x: [0, 1]|y: [0, 1]"},
    {"continuum_box_sides",
     "kind: continuum\n" FALLS_IN_SPACE LANDS
     "mesh: {boxes: [{name: a, x: [0, 1], y: [0, 1], z: [0, 1], cells: [1, 1, 1], sides: @}]}\n",
     "left: l|right: r|front: f|back: b|bottom: low|top: t"},
    {"continuum_box_sides",
     "kind: continuum\n" FALLS_IN_SPACE LANDS
     "mesh: {boxes: [{name: a, x: [0, 1], y: [0, 1], z: [0, 1], cells: [1, 1, 1], sides: @}]}\n",
     "top: low"},
    {"continuum_box_sides",
     "kind: continuum\n" FALLS_IN_SPACE LANDS
     "mesh: {boxes: [{name: a, x: [0, 1], y: [0, 1], z: [0, 1], cells: [1, 1, 1], sides: @}]}\n",
     "left: low"},
    {"continuum_places",
     "kind: continuum\n" FALLS LANDS
     "mesh: {rectangles: [{name: a, cells: [1, 1], places: @, sides: {bottom: low}}]}\n",
     "x: [0, 1]|y: [0, 1]"},
    {"continuum_places",
     "kind: continuum\n" FALLS LANDS
     "mesh: {rectangles: [{name: a, cells: [1, 1], y: [0, 1], places: @, sides: {bottom: low}}]}\n",
     "x: [0, 1, 2]"},
    {"continuum_places",
     "kind: continuum\n" FALLS LANDS
     "mesh: {rectangles: [{name: a, cells: [1, 1], x: [0, 1], places: @, sides: {bottom: low}}]}\n",
     "y: [0, 1]"},
    {"continuum_sides",
     "kind: continuum\n" FALLS LANDS
     "mesh: {rectangles: [{name: a, x: [0, 1], y: [0, 1], cells: [1, 1], sides: @}]}\n",
     "bottom: low|right: r|top: t|left: l"},
    {"continuum_sides",
     "kind: continuum\n" FALLS LANDS
     "mesh: {rectangles: [{name: a, x: [0, 1], y: [0, 1], cells: [1, 1], sides: @}]}\n",
     "top: low"},
    {"continuum_sides",
     "kind: continuum\n" FALLS LANDS
     "mesh: {rectangles: [{name: a, x: [0, 1], y: [0, 1], cells: [1, 1], sides: @}]}\n",
     "left: low"},
    {"continuum_line",
     "kind: continuum\nmedia: {a: {density: 1, velocity: [-1]}}\ncontacts: [{sides: low, normal: "
     "1}]\nmesh: {lines: [@]}\n",
     "name: a|from: -2|to: 2|cells: 3|grade: 2|left: low|right: r"},
    {"continuum_line",
     "kind: continuum\nmedia: {a: {density: 1, velocity: [1]}}\ncontacts: [{sides: low}]\nmesh: "
     "{lines: [@]}\n",
     "name: a|from: 0|to: 1|cells: 3|right: low"},
    {"continuum_line",
     "kind: continuum\nmedia: {a: {density: 1, velocity: [-1]}}\ncontacts: [{sides: low}]\nmesh: "
     "{lines: [@]}\n",
     "name: a|from: 0|to: 1|cells: 3|left: low"},
    {"continuum_part",
     "kind: continuum\n" FALLS LANDS "mesh: {rectangles: [" RECTANGLE "], parts: [@]}\n",
     "of: east|name: p|x: [-1e-9, 1]|y: [-1e-9, 1]|z: [-1, 1]"},
    {"continuum_part",
     "kind: continuum\n" FALLS LANDS "mesh: {rectangles: [" RECTANGLE "], parts: [@]}\n",
     "of: east|name: p"},
    {"continuum_join",
     "kind: continuum\n" FALLS LANDS "mesh: {rectangles: [" RECTANGLE
     ", {name: a, x: [1, 2], y: [0, 1], cells: [2, 2], sides: {left: west}}], join: [@]}\n",
     "sides: east|with: west"},
    {"continuum_medium", BLOCK LANDS "media: {a: @}\n",
     "density: 10|viscosity: 1|volume_viscosity: 2|velocity: [0, -1]|spin: 0.5"},
    {"continuum_medium", BLOCK LANDS "hold: [{sides: east}]\nmedia: {a: @}\n",
     "density: 10|fluid: true|viscosity: 1|velocity: {profile: linear, speed: 1}"},
    {"continuum_medium", BLOCK "pushes: [{sides: high, percussion: [0, -1]}]\nmedia: {a: @}\n",
     "density: 10"},
    {"continuum_medium", BOUNCES LANDS "media: {a: @}\n",
     "density: 10|young: 5|poisson: 0.3|thin: true|stretch: [0.01, 0]"},
    {"continuum_medium", BOUNCES LANDS "media: {a: @}\n", "density: 10|young: 5"},
    {"continuum_medium", BLOCK LANDS "media: {a: @}\n", "density: 10|velocity: [0, -1]|" HEAT},
    {"continuum_medium", POND "contacts: [" BANKS "]\nmedia: {a: @}\n",
     "density: 10|fluid: true|dynamic_viscosity: 0.1"},
    {"continuum_face", POND WATER RAFT "contacts: [{sides: high, with: b, face: @}, " BANKS "]\n",
     "from: [0, 1]|to: [0.5, 1]"},
    {"continuum_contact", POND WATER RAFT "contacts: [@, " BANKS "]\n",
     "sides: high|with: b|drag: 2|face: {from: [0, 1], to: [0.5, 1]}"},
    {"continuum_contact", POND WATER RAFT "contacts: [@, " BANKS "]\n", "sides: high|with: b"},
    {"continuum_heat", BLOCK LANDS "media: {a: {density: 10, velocity: [0, -1], heat: @}}\n",
     "capacity: 100|conductivity: 2|temperature: 300|phase: {kind: liquid, latent: 10, at: 301}"},
    {"continuum_heat", BLOCK LANDS "media: {a: {density: 10, velocity: [0, -1], heat: @}}\n",
     "capacity: 100|temperature: 300"},
    {"continuum_heat", WARM_BOUNCES "media: {a: {density: 10, young: 100, heat: @}}\n",
     "capacity: 100|temperature: 300|later: {conductivity: 1}"},
    {"continuum_later",
     WARM_BOUNCES "media: {a: {density: 10, young: 100, heat: {capacity: 1e6, temperature: 290, "
                  "phase: {kind: alloy, latent: 10, at: 300}, later: @}}}\n",
     "conductivity: 1|convection: 2|outside: 280|resistance: 3|spread_change: 4|slope: "
     "-5|critical: 310"},
    {"continuum_later",
     WARM_BOUNCES "media: {a: {density: 10, young: 100, heat: {capacity: 1e6, temperature: 290, "
                  "phase: {kind: alloy, latent: 10, at: 300}, later: @}}}\n",
     "conductivity: 1"},
    {"continuum_later",
     WARM_BOUNCES "media: {a: {density: 10, young: 100, heat: {capacity: 1e6, temperature: 290, "
                  "phase: {kind: alloy, latent: 10, at: 300}, later: @}}}\n",
     "resistance: 1"},
    {"continuum_liquid", PHASE,
     "kind: liquid|latent: 1|at: 271|resistance: 1|spread: 2|spread_change: 3|fraction: 0.5"},
    {"continuum_liquid", PHASE, "kind: liquid|latent: 1|at: 271"},
    {"continuum_alloy", PHASE,
     "kind: alloy|latent: 1|at: 271|resistance: 1|spread: 2|spread_change: 3|fractions: [0.2, 0.3, "
     "0.4]"},
    {"continuum_alloy", PHASE, "kind: alloy|latent: 1|at: 271|resistance: 1"},
    {"continuum_alloy", PHASE, "kind: alloy|latent: 1|at: 271"},
    {"continuum_contact_heat",
     TWO_BLOCKS "contacts: [{sides: low, with: under, normal: 1, heat: @}]\n", "exchange: 5"},
    {"continuum_contact_heat",
     TWO_BLOCKS "contacts: [{sides: low, with: under, normal: 1, heat: @}]\n", ""},
    {"continuum_surface", BLOCK WARM_MEDIA LANDS "surfaces: [@]\n",
     "sides: high|capacity: 2|exchange: 3|outside: 280"},
    {"continuum_surface", BLOCK WARM_MEDIA LANDS "surfaces: [@]\n",
     "sides: high|outside: 280|given: true"},
    {"continuum_surface", BLOCK WARM_MEDIA LANDS "surfaces: [@]\n", "sides: high|capacity: 2"},
    {"continuum_surface", BLOCK WARM_MEDIA LANDS "surfaces: [@]\n",
     "sides: high|exchange: 2|outside: 290|given: false"},
    {"continuum_surface",
     WARM_BOUNCES "media: {a: {density: 10, young: 100, " HEAT "}}\nsurfaces: [@]\n",
     "sides: high|convection: 2|outside: 290"},
    {"continuum_surface",
     WARM_BOUNCES "media: {a: {density: 10, young: 100, " HEAT "}}\nsurfaces: [@]\n",
     "sides: high|capacity: 2"},
    {"continuum_profile", BLOCK LANDS "media: {a: {density: 1, velocity: @}}\n",
     "profile: parabolic|speed: 2|from: -2|to: 3|direction: y|across: x"},
    {"continuum_profile", BLOCK LANDS "media: {a: {density: 1, velocity: @}}\n",
     "profile: linear|speed: 2"},
    {"continuum_body",
     BLOCK "media: {a: {density: 1}}\ncontacts: [{sides: high, with: b}]\nbodies: [@]\n",
     "name: b|mass: 2|inertia: 3|centre: [0, 1]|velocity: [0, -1]|spin: 1|held: [x]"},
    {"continuum_body",
     BLOCK "media: {a: {density: 1, velocity: [0, 1]}}\ncontacts: [{sides: high, with: "
           "b}]\nbodies: [@]\n",
     "name: b|mass: 2|held: [spin]"},
    {"continuum_body",
     BLOCK "media: {a: {density: 1, velocity: [0, 1]}}\ncontacts: [{sides: high, with: "
           "b}]\nbodies: [@]\n",
     "name: b|mass: 2|inertia: 1"},
    {"continuum_body", BOUNCES SPRINGS "contacts: [{sides: high, with: b}]\nbodies: [@]\n",
     "name: b|mass: 2|radius: 0.5|centre: [0.5, 9]"},
    {"continuum_body", BOUNCES SPRINGS "contacts: [{sides: high, with: b}]\nbodies: [@]\n",
     "name: b|mass: 2|size: [1, 2]|centre: [0.5, 9]|orientation: [0.6, 0, 0, 0.8]"},
    {"continuum_contact", BLOCK FALLS "contacts: [@]\n",
     "name: c|sides: low|with: ground|normal: 1|tangential: 2|condition: bilateral|lumped: true"},
    {"continuum_contact", BLOCK FALLS "contacts: [@]\n", "sides: low|normal: 1|tangential: 1"},
    {"continuum_contact", BLOCK FALLS "contacts: [@]\n", "sides: low"},
    {"continuum_contact", TWO_BLOCKS "contacts: [@]\n",
     "sides: low|with: under|heat: {exchange: 10}"},
    {"continuum_contact", TWO_BLOCKS "contacts: [@]\n", "sides: low|with: under"},
    {"continuum_contact", BOUNCES SPRINGS "contacts: [@]\n", "sides: low|ground: {offset: -1}"},
    {"continuum_ground", BOUNCES SPRINGS "contacts: [{sides: low, ground: @}]\n",
     "direction: [1, 1]|offset: -0.5"},
    {"continuum_ground", BOUNCES SPRINGS "contacts: [{sides: low, ground: @}]\n",
     "direction: [0, 1]"},
    {"continuum_ground", BOUNCES SPRINGS "contacts: [{sides: low, ground: @}]\n", "offset: -0.5"},
    {"continuum_hold", BLOCK FALLS LANDS "hold: [@]\n",
     "sides: high|velocity: kept|components: [x]"},
    {"continuum_hold", BLOCK FALLS LANDS "hold: [@]\n", "sides: high"},
    {"continuum_hold", BLOCK FALLS LANDS "hold: [@]\n", "point: [1, 1]|components: [x]"},
    {"continuum_push", BLOCK FALLS "pushes: [@]\n", "sides: high|percussion: [1, -1]"},
    {"continuum_push", BLOCK FALLS "pushes: [@]\n", "elements: a|percussion: [1, -1]"},
    {"continuum_push", BLOCK FALLS "pushes: [@]\n",
     "elements: a|point: [0.5, 0.25]|percussion: [1, -1]"},
    {"continuum_push", BLOCK WARM_MEDIA "pushes: [@]\n", "sides: high|heat: 10"},
    {"continuum_push", BLOCK WARM_MEDIA "pushes: [@]\n", "elements: a|entropy: 10"},
    {"continuum_push",
     BLOCK "media: {a: {density: 10, heat: {capacity: 1e6, temperature: 300, phase: {kind: alloy, "
           "latent: 1e6, at: 301}}}}\npushes: [@]\n",
     "elements: a|heat: 1e6|work: [1, 2, 300000]"},
    {"continuum_view", BLOCK FALLS RAFT "contacts: [{sides: high, with: b}]\nviews: {v: @}\n",
     "look_at: [1, 2]|zoom: 2|follow: b|color: sxy"},
    {"continuum_view", BLOCK FALLS LANDS "views: {v: @}\n", ""},
    {"continuum_view",
     "kind: continuum\nmesh: {boxes: [{name: a, x: [0, 1], y: [0, 1], z: [0, 1], cells: [1, 1, 1], "
     "sides: {bottom: low}}]}\n" FALLS_IN_SPACE LANDS "views: {v: @}\n",
     "camera: [3, -4, 2]|look_at: [0, 0, 1]"},
    {"continuum_output", BLOCK FALLS LANDS "output: @\n", "csv: true|xdmf: false|checkpoint: 5"},
    {"continuum_output", BLOCK FALLS LANDS "output: @\n", "xdmf: true"},
    {"continuum_output", BLOCK FALLS LANDS "output: @\n", "csv: false"},
    {"continuum_output", BOUNCES SPRINGS LANDS "output: @\n", "every: 0.05"},
    {"chain_output", BALLS("{masses: [1, 2]}") "step: 0.01\nduration: 1\noutput: @\n",
     "every: 0.5|csv: false|xdmf: false|checkpoint: 3"},
    {"chain_output", BALLS("{masses: [1, 2]}") "step: 0.01\nduration: 1\noutput: @\n",
     "csv: true|xdmf: true|checkpoint: 60"},
    {"chain_output", BALLS("{masses: [1, 2]}") "step: 0.01\nduration: 1\noutput: @\n",
     "every: 0.5"},
    {"chain_output", BALLS("{masses: [1, 2]}") "step: 0.01\nduration: 1\noutput: @\n", "csv: true"},
    {"chain_balls", BALLS("@"), "masses: [1, 2, 3]|density: 5"},
    {"chain_balls", BALLS("@"), "radii: [1, 2, 1]|density: 5|positions: [0, 4, 7]"},
    {"chain_balls", BALLS("@"), "count: 3|mass: 2|taper: 0.1"},
    {"chain_balls", BALLS("@"), "count: 3|mass: 2|decorated: 0.5"},
    {"chain_balls", BALLS("@"), "count: 3|radius: 1|density: 5"},
    {"chain_contacts", BALLS("{radii: [1, 1], density: 1}") "contacts: @\n",
     "exponent: 2|restitution: 0.5|stiffness: 3|gap: 0.1"},
    {"chain_contacts", BALLS("{radii: [1, 1], density: 1}") "contacts: @\n",
     "young: 1e6|poisson: 0.2"},
    {"chain_contacts", BALLS("{radii: [1, 1, 1], density: 1}") "contacts: @\n",
     "restitution: [0.5, 0.4]|stiffness: [1, 2]"},
    {"chain_newton", CHAIN, "kind: newton"},
    {"chain_sequential",
     "kind: chain\nbounds: false\nballs: {masses: [1, 2, 1]}\nvelocity: [2, 0, -1]\nlaw: @\n",
     "kind: sequential|order: left"},
    {"chain_sequential",
     "kind: chain\nbounds: false\nballs: {masses: [1, 2, 1]}\nvelocity: [2, 0, -1]\nlaw: @\n",
     "kind: sequential"},
    {"chain_moreau", CHAIN, "kind: moreau"},
    {"chain_poisson", CHAIN, "kind: poisson"},
    {"chain_fremond", CHAIN, "kind: fremond|k: 2|distances: [{balls: [1, 3], k: 1}]"},
    {"chain_fremond", CHAIN, "kind: fremond|k: [2, 3]"},
    {"chain_fremond", CHAIN, "kind: fremond"},
    {"chain_distance",
     "kind: chain\nballs: {masses: [1, 1, 1]}\nvelocity: 1\nlaw: {kind: fremond, distances: "
     "[@]}\n",
     "balls: [1, 3]|k: 1"},
    {"chain_matrix", CHAIN, "kind: matrix|matrix: [[0.5, 0], [0, 0.5]]"},
    {"chain_lzb", CHAIN, "kind: lzb|compliance: mono"},
    {"chain_lzb", CHAIN, "kind: lzb"},
    {"chain_hertz", CHAIN, "kind: hertz|duration: 2"},
    {"chain_hertz", CHAIN, "kind: hertz"},

    {"identification", "@",
     "kind: identification|title: t|source: s|unknowns: {k: {start: 3}}|sigma: 0.1|experiments: "
     "[" MEASURED "]"},
    {"identification", "@",
     "kind: identification|unknowns: {k: {start: 3}}|experiments: [" MEASURED ", " MEASURED "]"},
    {"unknown", "kind: identification\nunknowns: {k: @}\nsigma: 0.1\nexperiments: [" MEASURED "]\n",
     "start: 3|high: 5"},
    {"unknown", "kind: identification\nunknowns: {k: @}\nsigma: 0.1\nexperiments: [" MEASURED "]\n",
     "start: 3|low: 1|high: 5"},
    {"unknown", "kind: identification\nunknowns: {k: @}\nsigma: 0.1\nexperiments: [" MEASURED "]\n",
     "start: 3"},
    {"experiment", IDENTIFY,
     "title: t|problem: {bodies: [" LINE "], interactions: [" HIT "]}|after: {a: [0.5]}"},
    {"experiment", IDENTIFY,
     "problem: {bodies: [" LINE "], interactions: [" HIT "]}|after: {a: [0.5]}"},
    {"problem",
     "kind: identification\nunknowns: {k: {start: 3}}\nsigma: 0.1\nexperiments: [{problem: @, "
     "after: {a: [0.5]}}, " MEASURED "]\n",
     "title: t|source: s|bodies: [" LINE "]|interactions: [" HIT "]|quasi_static: false"},
    {"problem",
     "kind: identification\nunknowns: {k: {start: 3}}\nsigma: 0.1\nexperiments: [{problem: @, "
     "after: {a: [0.5]}}, " MEASURED "]\n",
     "bodies: [" LINE "]"},
};
const int scene_examples_count = sizeof scene_examples / sizeof *scene_examples;

const char *scene_example_pair(const char *at, size_t *length, size_t *name)
{
  at += strspn(at, "|");
  *length = strcspn(at, "|");
  *name = strcspn(at, ":");
  return *at != 0 ? at : NULL;
}

bool scene_example_has(const scene_example *e, const char *key)
{
  size_t length, name;
  for (const char *at = e->keys; (at = scene_example_pair(at, &length, &name)) != NULL;
       at += length)
    if (name == strlen(key) && strncmp(at, key, name) == 0)
      return true;
  return false;
}

static void gather(scene_mappings *list, const pc_mapping *mapping)
{
  for (int i = 0; i < list->count; i++)
    if (list->at[i] == mapping)
      return;
  if (list->count == SCENE_MAPPINGS_MOST)
    abort();
  list->at[list->count++] = mapping;
  const pc_key *key;
  for (int i = 0; (key = pc_mapping_key(mapping, i)) != NULL; i++)
    for (int k = 0; pc_key_mapping(key, k) != NULL; k++)
      gather(list, pc_key_mapping(key, k));
}

scene_mappings scene_mappings_all(void)
{
  scene_mappings list = {.count = 0};
  for (int i = 0; pc_schema_kinds[i] != NULL; i++)
    gather(&list, pc_schema_kinds[i]);
  return list;
}

#define TABLE_HEAD "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,name\n"
static const struct {
  const char *name, *text;
} files[] = {
    {"tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"},
    {"grid.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 0\n0 0\n"},
    {"crowd.yaml", CROWD ROOM DOOR TWO},
    {"block.yaml", BLOCK FALLS LANDS},
    {"impact.yaml", "kind: impact\nbodies: [" LINE "]\n"},
    {"square.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                   "$PhysicalNames\n2\n1 1 \"low\"\n2 2 \"a\"\n$EndPhysicalNames\n"
                   "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
                   "$Elements\n2\n1 1 2 1 1 1 2\n2 3 2 2 2 1 2 3 4\n$EndElements\n"},
    {"smoke.csv", "t,x,y,extinction,co\n0,0,0,1,1e-4\n0,6,0,1,1e-4\n0,0,4,2,0\n0,6,4,2,0\n"},
    {"room.wkt", "POLYGON ((0 0, 6 0, 6 4, 0 4, 0 0))\n"},
    {"room.geojson",
     "{\"type\": \"Feature\", \"properties\": {\"storey\": 1}, \"geometry\": {\"type\": "
     "\"Polygon\", \"coordinates\": [[[0, 0], [6, 0], [6, 4], [0, 4], [0, 0]]]}}"},
    {"room.dxf",
     "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n"
     "0\nLWPOLYLINE\n8\nroom\n70\n1\n10\n0\n20\n0\n10\n6\n20\n0\n10\n6\n20\n4\n10\n0\n20\n4\n"
     "0\nLINE\n8\nwall\n10\n2\n20\n3\n11\n2\n21\n3.5\n"
     "0\nCIRCLE\n8\npillar\n10\n3\n20\n3\n40\n0.2\n0\nLINE\n8\nrest\n10\n2\n20\n3\n11\n3\n21\n3\n"
     "0\nARC\n8\nwall\n10\n3\n20\n2\n40\n0.5\n50\n0\n51\n90\n"
     "0\nLINE\n8\ndoor\n10\n2\n20\n3.1\n11\n2\n21\n3.4\n"
     "0\nLINE\n8\nexit\n10\n0\n20\n1\n11\n0\n21\n2\n0\nENDSEC\n0\nEOF\n"},
    {"base.yaml", HEAD "bodies: [{name: a, shape: " BALL ", position: [0, 0, 5]}]\n"},
    {"state.csv", TABLE_HEAD "0,0,1,1,0,0,0,0,0,0,0,0,0,a\n"},
    {"random.csv", TABLE_HEAD "0,0,1,1,0,0,0,0,0,0,0,0,0,g-1\n0,0,2,1,0,0,0,0,0,0,0,0,0,g-2\n"},
};

bool scene_example_files(const char *folder)
{
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
    FILE *file = fopen(path, "wb");
    if (file == NULL)
      return false;
    fputs(files[i].text, file);
    if (fclose(file) != 0)
      return false;
  }
  return true;
}
