// The scenes whose states fuzz_state.c changes: small ones of every kind, with all that a
// checkpoint may hold. An input tells them by their place: new ones come last.
#ifndef PERCUSS_TESTS_FUZZ_STATES_H
#define PERCUSS_TESTS_FUZZ_STATES_H

static const char *const scenes[] = {
    // Heat, strings, a net, sensors, a system at a distance.
    "kind: rigid\nduration: 1\nstep: 1e-3\n"
    "default_law: {normal: {kind: quadratic, k: 4}, tangential: {kind: coulomb, mu: 0.3}}\n"
    "heat:\n  bodies:\n    - {bodies: b-*, temperature: 300, capacity: 0.01}\n"
    "bodies:\n"
    "  - {name: b-1, shape: {type: sphere, radius: 0.1}, mass: 1, position: [-0.1, 0, 0.1], "
    "velocity: [1, 0, -1]}\n"
    "  - {name: b-2, shape: {type: sphere, radius: 0.1}, mass: 2, position: [0.1, 0, 0.1], "
    "velocity: [-1, 0, 0]}\n"
    "  - {name: b-3, shape: {type: box, size: [0.2, 0.2, 0.2]}, mass: 2, position: [0, 0, 0.3], "
    "spin: [1, 0, 0]}\n"
    "obstacles: [{name: floor, shape: {type: plane}}]\n"
    "strings: [{name: s, bodies: [b-1, b-3], length: 0.05, stiffness: 200, damping: 1, exchange: "
    "2e-4}]\n"
    "nets: [{name: n, low: [-0.05, -0.1, -0.1], high: [0.05, 0.1, 0.5], stiffness: 1e4, bodies: "
    "b-1}]\n"
    "systems: [{bodies: [b-1, b-2], distance: 1.3}]\n"
    "sensors:\n  - {name: f, kind: force, bodies: floor, axis: [0, 0, -1], cutoff: 100}\n"
    "  - {name: t, kind: temperature, bodies: b-1}\n"
    "  - {name: i, kind: impulse, bodies: floor}\n"
    "  - {name: h, kind: hits, bodies: b-*}\n",
    // Sleeping bodies.
    "kind: rigid\nduration: 1\nstep: 2e-3\nsleep: {after: 0.001, speed: 10}\n"
    "materials: [{name: a, density: 1000}]\n"
    "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.3}}\n"
    "bodies:\n"
    "  - {name: a, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 0.5]}\n"
    "  - {name: b, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 1.5]}\n"
    "  - {name: c, shape: {type: sphere, radius: 0.3}, position: [3, 0, 0.3]}\n"
    "  - {name: d, shape: {type: sphere, radius: 0.3}, position: [2, 0, 0.3], velocity: [30, 0, "
    "0]}\n"
    "obstacles: [{name: floor, shape: {type: plane}}]\n",
    // In the plane, with passages through a sheet and rolling friction.
    "kind: rigid\ndimension: 2\nduration: 1\nstep: 2e-3\n"
    "materials: [{name: steel, density: 7000}, {name: paper, density: 1}]\n"
    "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.3, rolling: "
    "1e-3}}\n"
    "laws: [{between: [steel, paper], normal: {kind: penetrable, k: 2, k0: 4}, tangential: {kind: "
    "none}}]\n"
    "bodies:\n"
    "  - {name: a, material: steel, shape: {type: disc, radius: 0.1}, position: [0, 0.11], "
    "velocity: [0, -40]}\n"
    "  - {name: b, material: steel, shape: {type: box, size: [0.2, 0.2]}, position: [1, -0.9]}\n"
    "  - {name: c, material: steel, shape: {type: disc, radius: 0.1}, position: [1, -0.7], "
    "velocity: [1, 0]}\n"
    "obstacles:\n"
    "  - {name: floor, material: steel, shape: {type: plane}, position: [0, -1]}\n"
    "  - {name: sheet, material: paper, shape: {type: box, size: [0.5, 0.02]}, position: [0, 0]}\n",
    // A guided and a driven body, a spring, one velocity for a step, a table of the end.
    "kind: rigid\nduration: 1\nstep: 1e-3\ncontact: {treatment: velocity}\n"
    "materials: [{name: a, density: 1000}]\n"
    "default_law: {normal: {kind: restitution, e: 0.8}, tangential: {kind: coulomb, mu: 0.3, on: "
    "moreau}}\n"
    "bodies:\n"
    "  - {name: a, shape: {type: capsule, radius: 0.1, length: 0.2}, position: [0, 0, 0.1], "
    "orientation: {axis: [0, 1, 0], degrees: 90}}\n"
    "  - {name: b, shape: {type: cylinder, radius: 0.1, length: 0.2}, position: [0.5, 0, 0.1]}\n"
    "  - {name: c, shape: {type: sphere, radius: 0.1}, position: [0.2, 0.1, 0.3]}\n"
    "springs: [{bodies: c, normal: [0, 0, 1], stiffness: 1000}]\n"
    "obstacles:\n"
    "  - {name: floor, shape: {type: plane}}\n"
    "  - {name: ram, shape: {type: box, size: [0.1, 1, 1]}, position: [-0.3, 0, 0], motion: "
    "{translation: {x: {rate: 0.5}}}}\n",
    // Two floors, stairs, a door, a source, stages, a detour, congestion, maps.
    "kind: crowd\nduration: 10\nstep: 0.01\nroutes: {congestion: 0.05, spacing: 0.25}\n"
    "floors:\n"
    "  - name: up\n    walls: [{points: [[4, 1], [4, 0], [0, 0], [0, 4], [4, 4], [4, 3]]}]\n"
    "  - name: low\n    walls: [{points: [[4, 1], [4, 0], [0, 0], [0, 1]]}, {points: [[0, 3], [0, "
    "4], [4, 4], [4, 3]]}]\n"
    "doors: [{floor: low, points: [[2, 0], [2, 4]], opens: 0.03}]\n"
    "stairs: [{name: flight, from: {floor: up, line: [[4, 3], [4, 1]]}, to: {floor: low, line: "
    "[[4, 3], [4, 1]]}}]\n"
    "sources: [{name: in, floor: up, points: [[1, 1], [1, 3]], rate: 5}]\n"
    "areas: [{name: mid, floor: low, points: [[2.2, 1], [3, 1], [3, 3], [2.2, 3]]}]\n"
    "exits: [{name: out, floor: low, line: [[0, 1], [0, 3]]}]\n"
    "people:\n"
    "  - {name: a, floor: up, count: 3, inside: {box: [[2, 0.5], [3.5, 3.5]]}, to: out, hands: "
    "{size: 2, stiffness: 1000}}\n"
    "  - {name: b, count: 3, source: in, to: out}\n"
    "  - {name: c, floor: low, count: 2, inside: {box: [[0.5, 0.5], [1.5, 3.5]]}, stages: [{to: "
    "mid, arrived: true}, {to: out}]}\n"
    "output: {maps: {spacing: 1}}\n",
    // Chains: a law of an instant, with gaps and a wall; and springs in time.
    "kind: chain\nduration: 1\nstep: 0.01\nballs: {masses: [1, 2, 1, 3]}\nvelocity: [1, 0, 0, "
    "-1]\n"
    "contacts: {restitution: 0.8, gap: 0.005}\nwalls: right\nlaw: {kind: moreau}\n",
    "kind: chain\nduration: 1e-4\nstep: 5e-6\nballs: {count: 6, radius: 0.01, density: "
    "7780}\nvelocity: 1\n"
    "law: {kind: hertz}\ncontacts: {young: 203e9, poisson: 0.3, restitution: 0.9}\n",
    // Solids: on a wall; with a body; two that meet; large deformations; an alloy; one collision.
    "kind: continuum\nduration: 0.01\nstep: 2e-5\n"
    "mesh: {order: 1, rectangles: [{name: bar, x: [0, 0.1], y: [0, 0.1], cells: [2, 2], sides: "
    "{bottom: foot}}]}\n"
    "media: {bar: {density: 7877, viscosity: 1e5, young: 2.5e10, poisson: 0.3, velocity: [0, "
    "-1]}}\n"
    "contacts: [{sides: foot, normal: 18670}]\n",
    "kind: continuum\nduration: 0.1\nstep: 1e-4\n"
    "mesh: {order: 1, rectangles: [{name: beam, x: [-0.5, 0.5], y: [-0.05, 0], cells: [4, 1], "
    "sides: {top: top, left: clamp}}]}\n"
    "media: {beam: {density: 1100, young: 5e7, poisson: 0.4}}\n"
    "bodies: [{name: roller, radius: 0.08, mass: 20, centre: [0.02, 0.0801], velocity: [0, -1]}]\n"
    "contacts: [{name: roller, sides: top, with: roller}]\nhold: [{sides: clamp}]\n"
    "gravity: [0, -9.81]\n",
    "kind: continuum\nduration: 1e-4\nstep: 1e-6\n"
    "mesh:\n  order: 1\n  rectangles:\n"
    "    - {name: first, x: [-1, 0], y: [0, 0.1], cells: [3, 1], sides: {right: nose}}\n"
    "    - {name: second, x: [0.000001, 1], y: [0, 0.1], cells: [3, 1], sides: {left: face}}\n"
    "media:\n  first: {density: 7850, young: 200e9, poisson: 0, velocity: [1, 0]}\n"
    "  second: {density: 15700, young: 400e9, poisson: 0}\n"
    "contacts: [{sides: nose, with: face}]\n",
    "kind: continuum\nduration: 0.1\nstep: 2e-3\ndeformation: large\ngravity: [0, -9.81]\n"
    "mesh: {rectangles: [{name: bar, x: [0, 0.4], y: [0.001, 0.06], cells: [2, 1], sides: {left: "
    "skin, right: skin, top: skin, bottom: skin}}]}\n"
    "media: {bar: {density: 1100, viscosity: 0.3, young: 4e6, poisson: 0.4, velocity: [0.5, -1], "
    "spin: -7}}\ncontacts: [{name: ground, sides: skin}]\n",
    "kind: continuum\nduration: 0.04\nstep: 1e-4\n"
    "mesh: {lines: [{name: rod, from: 0, to: 10, cells: 5, left: clamp, right: end}]}\n"
    "media:\n  rod:\n    density: 6500\n    viscosity: 4e5\n    young: 47e9\n    heat:\n"
    "      capacity: 5.4e6\n      conductivity: 18\n      temperature: 299.475\n"
    "      phase: {kind: alloy, latent: 80e6, at: 332.75, resistance: 4e6, spread: 5e6, "
    "spread_change: 5e6, fractions: [0.5, 0.5, 0]}\n"
    "      later: {conductivity: 18, convection: 4e3, outside: 299.475, slope: -1e7, critical: "
    "399.3, resistance: 5e4}\n"
    "hold: [{sides: clamp}]\npushes: [{sides: end, percussion: [-20e6]}]\n",
    "kind: continuum\n"
    "mesh: {order: 1, rectangles: [{name: bar, x: [0, 0.1], y: [0, 0.1], cells: [2, 2], sides: "
    "{bottom: foot}}]}\n"
    "media: {bar: {density: 7877, viscosity: 1e5, velocity: [0, -1]}}\n"
    "contacts: [{sides: foot, normal: 18670}]\n",
    // Fluids, without and with a stone.
    "kind: continuum\nduration: 2\nstep: 0.02\ngravity: [0.0981, -9.81]\n"
    "mesh: {rectangles: [{name: water, x: [0, 1], y: [0, 0.5], cells: [3, 2], sides: {bottom: "
    "floor, left: west, right: east, top: surface}}]}\n"
    "media: {water: {fluid: true, density: 1000, dynamic_viscosity: 0.001}}\n"
    "contacts: [{sides: floor}, {sides: west}, {sides: east}]\n",
    "kind: continuum\nduration: 0.1\nstep: 1e-3\ngravity: [0, -9.81]\n"
    "mesh:\n  rectangles:\n"
    "    - {name: water, x: [-2, -0.225], y: [-1, 0], cells: [2, 2], sides: {bottom: floor, left: "
    "west, right: seam-1, top: surface}}\n"
    "    - {name: water, x: [-0.225, 0.225], y: [-1, 0], cells: [2, 2], sides: {bottom: floor, "
    "left: seam-2, right: seam-3, top: stone}}\n"
    "    - {name: water, x: [0.225, 2], y: [-1, 0], cells: [2, 2], sides: {bottom: floor, left: "
    "seam-4, right: east, top: surface}}\n"
    "  join: [{sides: seam-1, with: seam-2}, {sides: seam-3, with: seam-4}]\n"
    "media: {water: {fluid: true, density: 1000, viscosity: 1.8}}\n"
    "bodies: [{name: stone, mass: 0.5, inertia: 0.0084375, centre: [0, 0.0405], velocity: [5, "
    "-1]}]\n"
    "contacts:\n  - {sides: stone, with: stone, normal: 1, tangential: 0.25}\n"
    "  - {sides: floor, normal: 1, tangential: 0.25}\n  - {sides: west}\n  - {sides: east}\n",
    // People who choose, who know one exit only, who ride in a lift, who wait for each other, in
    // smoke.
    "kind: crowd\nduration: 10\nstep: 0.02\nroutes: {choose: 0.05, spacing: 0.25, sight: 1}\n"
    "floors:\n  - {name: up, outline: [[0, 0], [4, 0], [4, 3], [0, 3]]}\n"
    "  - {name: low, outline: [[0, 0], [4, 0], [4, 3], [0, 3]]}\n"
    "lifts: [{capacity: 2, doors: 0.02, transfer: 0.02, dwell: 0.02, speed: 20, stops: [{floor: "
    "up, "
    "line: [[0, 1], [0, 2]], height: 3}, {floor: low, line: [[0, 1], [0, 2]], height: 0}]}]\n"
    "exits: [{name: a, floor: low, line: [[4, 0.5], [4, 1.2]]}, {name: b, floor: low, line: [[1, "
    "3], "
    "[2, 3]]}]\n"
    "hazards: [{floor: low, extinction: 1, co: 0.01, dose: 0.1}]\n"
    "signs: [{floor: low, place: [2, 1], exit: b}]\n"
    "people:\n"
    "  - {name: rider, floor: up, positions: [[0.5, 1.2], [0.5, 1.8], [1.2, 1.5]], to: [a, b], "
    "lifts: "
    "true}\n"
    "  - {name: new, floor: low, positions: [[3, 2.5]], to: [a, b], knows: a}\n"
    "  - {name: family, floor: low, positions: [[2, 0.5], [2.8, 0.5]], to: [a, b], together: "
    "{kind: "
    "wait}}\n",
};
enum { SCENES = sizeof scenes / sizeof *scenes };

#endif
