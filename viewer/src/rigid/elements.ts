// Springs, strings and nets as lines: a string between its ends, a spring as a coil from a foot that
// stays to the point that it pushes, a net as its box.
import { ROPE } from "../palette";
import type { Legend } from "../view";
import { type RigidScene, rotate } from "./scene";

const KINDS = ["spring", "string", "net", "moving net"] as const;

export interface RigidElement {
  kind: (typeof KINDS)[number];
  bodies: [number, number];
  points: Float64Array; // 6: of a string and a spring in the axes of shapes, of a net in those of the scene
  held: Int32Array; // bodies of a net
}
export interface Pose {
  position: ArrayLike<number>; // 3 each, relative to the origin
  orientation: ArrayLike<number>; // 4 each
}

const TURNS = 5; // of a coil
const LONG = 1.5; // usual radii, of a spring without load
const WIDE = 0.25; // usual radii, of a coil

export async function loadElements(scene: RigidScene): Promise<RigidElement[]> {
  const { run } = scene;
  if (!run.has("elements/points")) return [];
  const [body, other, points, kind, start, held] = await Promise.all([
    run.all("elements/body", "i32"),
    run.all("elements/other", "i32"),
    run.all("elements/points", "f64"),
    run.all("elements/kind", "u8"),
    run.all("elements/held_start", "f64"),
    run.all("elements/held", "i32"),
  ]);
  const all: RigidElement[] = [];
  body.forEach((b, e) => {
    // Older records have the points of strings alone.
    const is = kind.length > 0 ? KINDS[kind[e]!] : b >= 0 && other[e]! >= 0 ? "string" : undefined;
    if (is) all.push({ kind: is, bodies: [b, other[e]!], points: points.subarray(6 * e, 6 * e + 6), held: held.subarray(start[e] ?? 0, start[e + 1] ?? 0) });
  });
  return all;
}

// What the lines are, with what they look like.
export function elementLegend(scene: RigidScene): Legend[] {
  const there = (...kinds: RigidElement["kind"][]) => scene.elements.some((e) => kinds.includes(e.kind));
  const words = [
    ...(there("net", "moving net") ? ["nets (boxes)"] : []),
    ...(there("spring") ? ["springs (coils)"] : []),
    ...(there("string") ? ["strings (lines)"] : []),
  ];
  return words.length > 0 ? [{ title: "Elements", unit: "", low: 0, high: 0, colors: words.map(() => ROPE), words }] : [];
}

// A point of a body's shape, relative to the origin.
function pointOf(scene: RigidScene, pose: Pose, b: number, point: Float64Array, at: number): number[] {
  const [x, y, z] = [0, 1, 2].map((i) => point[at + i]! + scene.places.inFile[3 * b + i]!);
  return rotate(pose.orientation, 4 * b, x!, y!, z!).map((r, i) => r + pose.position[3 * b + i]!);
}

// The two ends of a string or a spring.
function endsOf(scene: RigidScene, element: RigidElement, pose: Pose): [number[], number[]] {
  const { bodies, points, kind } = element;
  const near = pointOf(scene, pose, bodies[0], points, 0);
  if (kind === "string") return [near, pointOf(scene, pose, bodies[1], points, 3)];
  // The foot lies behind the place of the point at no load, which is that at the start.
  const rest = pointOf(scene, scene.startPose, bodies[0], points, 0);
  return [near, rest.map((x, i) => x - LONG * scene.usualRadius * points[3 + i]!)];
}

// Calls `take` with the two ends of each line: arrays, and where in them the ends stand.
export function eachSegment(scene: RigidScene, frame: Pose, take: (p: ArrayLike<number>, i: number, q: ArrayLike<number>, j: number) => void): void {
  for (const element of scene.elements) {
    const line = element.kind === "spring" ? coil(scene, ...endsOf(scene, element, frame)) : element.kind === "string" ? endsOf(scene, element, frame).flat() : null;
    if (line) for (let i = 3; i < line.length; i += 3) take(line, i - 3, line, i);
    else box(scene, element, frame, take);
  }
}

// From one end to the other in a helix; in the plane a zigzag.
function coil(scene: RigidScene, from: number[], to: number[]): number[] {
  const along = from.map((x, i) => to[i]! - x);
  const long = Math.hypot(...along) || 1;
  const cross = (a: number[], b: number[]) => {
    const c = [0, 1, 2].map((i) => a[(i + 1) % 3]! * b[(i + 2) % 3]! - a[(i + 2) % 3]! * b[(i + 1) % 3]!);
    const size = Math.hypot(...c) || 1;
    return c.map((x) => (x * WIDE * scene.usualRadius) / size);
  };
  const flat = scene.dimension === 2;
  const first = cross(along, flat || Math.abs(along[2]!) < 0.9 * long ? [0, 0, 1] : [1, 0, 0]);
  const second = flat ? [0, 0, 0] : cross(along, first);
  const corners = flat ? 2 : 12; // of a turn
  const out = [...from];
  for (let k = 0; k <= TURNS * corners; k++) {
    const part = 0.1 + (0.8 * k) / (TURNS * corners);
    const angle = (2 * Math.PI * k) / corners;
    const [c, s] = flat ? [k % 2 === 0 ? 1 : -1, 0] : [Math.cos(angle), Math.sin(angle)];
    for (let i = 0; i < 3; i++) out.push(from[i]! + part * along[i]! + c * first[i]! + s * second[i]!);
  }
  return [...out, ...to];
}

// The edges of a net's box. It moves with the common centre of mass of its bodies.
function box(scene: RigidScene, { kind, points, held }: RigidElement, frame: Pose, take: Parameters<typeof eachSegment>[2]): void {
  const moved = [0, 0, 0];
  if (kind === "moving net") {
    const mass = held.reduce((sum, b) => sum + scene.mass[b]!, 0);
    for (const b of held) for (let i = 0; i < 3; i++) moved[i]! += (scene.mass[b]! / mass) * frame.position[3 * b + i]!;
    for (let i = 0; i < 3; i++) moved[i]! -= 0.5 * (points[i]! + points[3 + i]!) - scene.origin[i]!;
  }
  const flat = scene.dimension === 2;
  const corner = (k: number) => [0, 1, 2].map((i) => (flat && i === 2 ? 0 : points[((k >> i) & 1) * 3 + i]! - scene.origin[i]! + moved[i]!));
  for (let k = 0; k < (flat ? 4 : 8); k++)
    for (let i = 0; i < (flat ? 2 : 3); i++) if (!((k >> i) & 1)) take(corner(k), 0, corner(k | (1 << i)), 0);
}
