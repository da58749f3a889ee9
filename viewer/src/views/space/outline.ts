// The rim of one body as seen from the eye, on top of everything.
import type { Frame } from "../../rigid/frames";
import { cross, unit, type Camera, type Vector } from "./camera";
import { pack } from "./gl";
import { rotation, type Model, type Soft } from "./shapes";
import type { Strokes } from "./strokes";

export function outline(
  frame: Frame,
  b: number,
  model: Model,
  camera: Camera,
  strokes: Strokes,
  pixels: number,
  color: ArrayLike<number>,
): void {
  const word = pack(color[0]!, color[1]!, color[2]!, 1);
  const r = new Float64Array(9);
  const o = frame.orientation;
  rotation(o[4 * b]!, o[4 * b + 1]!, o[4 * b + 2]!, o[4 * b + 3]!, r);
  const centre = frame.position.subarray(3 * b, 3 * b + 3);
  if (!isFinite(centre[0]! + centre[1]! + centre[2]! + r[0]!)) return;
  const at = (p: ArrayLike<number>, i: number): Vector => {
    const v: Vector = [0, 0, 0];
    for (let c = 0; c < 3; c++)
      v[c] = centre[c]! + r[3 * c]! * p[i]! + r[3 * c + 1]! * p[i + 1]! + r[3 * c + 2]! * p[i + 2]!;
    return v;
  };
  // An edge is on the rim if one of its faces is turned to the eye and the other is not.
  const e = [0, 1, 2].map((c) => camera.eye[c]! - centre[c]!);
  const eye = [0, 1, 2].map((c) => r[c]! * e[0]! + r[3 + c]! * e[1]! + r[6 + c]! * e[2]!);
  const front = (planes: Float32Array, k: number) =>
    k >= 0 &&
    planes[4 * k]! * eye[0]! + planes[4 * k + 1]! * eye[1]! + planes[4 * k + 2]! * eye[2]! > planes[4 * k + 3]!;
  const f = model.facets;
  if (f) {
    for (let k = 0; k < f.edges.length; k += 4)
      if (front(f.planes, f.edges[k + 2]!) !== front(f.planes, f.edges[k + 3]!))
        strokes.line(camera, at(f.points, 3 * f.edges[k]!), 0, at(f.points, 3 * f.edges[k + 1]!), 0, pixels, word);
  }
  const s = model.soft;
  if (s && s.index.length < 30000) {
    const { edges, planes } = rimsOf(s);
    for (let k = 0; k < edges.length; k += 4)
      if (front(planes, edges[k + 2]!) !== front(planes, edges[k + 3]!))
        strokes.line(camera, at(s.points, 3 * edges[k]!), 0, at(s.points, 3 * edges[k + 1]!), 0, pixels, word);
  }
  for (let k = 0; k < model.balls.length; k += 4) {
    const c = at(model.balls, k);
    const radius = model.balls[k + 3]!;
    const d: Vector = [camera.eye[0] - c[0], camera.eye[1] - c[1], camera.eye[2] - c[2]];
    const far = Math.hypot(...d);
    if (far <= radius) continue;
    const away = unit(d);
    const across = unit(cross(camera.above, away));
    const along = cross(away, across);
    const part = radius / far;
    const ring = radius * Math.sqrt(1 - part * part);
    const place = (a: number): Vector => {
      const v: Vector = [0, 0, 0];
      for (let i = 0; i < 3; i++)
        v[i] = c[i]! + radius * part * away[i]! + ring * (Math.cos(a) * across[i]! + Math.sin(a) * along[i]!);
      return v;
    };
    const sides = 48;
    for (let i = 0; i < sides; i++)
      strokes.line(camera, place((2 * Math.PI * i) / sides), 0, place((2 * Math.PI * (i + 1)) / sides), 0, pixels, word);
  }
}

// Edges (two vertices, two triangles) and planes of the triangles of a surface.
const known = new WeakMap<Soft, { edges: Int32Array; planes: Float32Array }>();
function rimsOf(s: Soft): { edges: Int32Array; planes: Float32Array } {
  const old = known.get(s);
  if (old) return old;
  const { points, index } = s;
  // Vertices at one place are one, whatever their normals.
  const places = new Map<string, number>();
  const one = Array.from({ length: points.length / 3 }, (_, v) => {
    const key = points.subarray(3 * v, 3 * v + 3).join(" ");
    if (!places.has(key)) places.set(key, v);
    return places.get(key)!;
  });
  const planes = new Float32Array((4 * index.length) / 3);
  const edges: number[] = [];
  const found = new Map<number, number>();
  for (let t = 0; t < index.length / 3; t++) {
    const corner = [0, 1, 2].map((c) => one[index[3 * t + c]!]!);
    const p = corner.map((v) => points.subarray(3 * v, 3 * v + 3));
    const side = (k: number) => [0, 1, 2].map((i) => p[k]![i]! - p[0]![i]!);
    const n = unit(cross(side(1), side(2)));
    planes.set([...n, n[0] * p[0]![0]! + n[1] * p[0]![1]! + n[2] * p[0]![2]!], 4 * t);
    for (let c = 0; c < 3; c++) {
      const [v, w] = [corner[c]!, corner[(c + 1) % 3]!];
      const key = Math.min(v, w) * one.length + Math.max(v, w);
      const other = found.get(key);
      if (other === undefined) {
        found.set(key, edges.length);
        edges.push(v, w, t, -1);
      } else edges[other + 3] = t;
    }
  }
  const made = { edges: Int32Array.from(edges), planes };
  known.set(s, made);
  return made;
}
