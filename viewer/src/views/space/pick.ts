// What a ray meets first: spheres round the bodies, then their triangles and balls.
import type { Frame } from "../../rigid/frames";
import { dot, type Camera, type Vector } from "./camera";
import { rotation, type Model } from "./shapes";

const r = new Float64Array(9);

export interface Met {
  body: number; // -1: none
  distance: number; // along the ray
}

// `keep`: which bodies count; `clear`: a place that is cut away.
export function pick(
  frame: Frame,
  model: Model[],
  eye: Vector,
  ray: Vector,
  keep: (body: number) => boolean,
  clear: (p: Vector) => boolean,
): Met {
  let best = Infinity;
  let found = -1;
  for (let b = 0; b < model.length; b++) {
    const m = model[b]!;
    if (!keep(b)) continue;
    const d: Vector = [0, 0, 0];
    for (let i = 0; i < 3; i++) d[i] = frame.position[3 * b + i]! - eye[i]!;
    const along = dot(d, ray);
    const apart = dot(d, d) - along * along;
    if (m.plane === null && !(apart <= m.radius * m.radius && along > -m.radius && along - m.radius < best)) continue;
    const o = frame.orientation;
    rotation(o[4 * b]!, o[4 * b + 1]!, o[4 * b + 2]!, o[4 * b + 3]!, r);
    const back = (v: Vector): Vector => [
      r[0]! * v[0] + r[3]! * v[1] + r[6]! * v[2],
      r[1]! * v[0] + r[4]! * v[1] + r[7]! * v[2],
      r[2]! * v[0] + r[5]! * v[1] + r[8]! * v[2],
    ];
    const from = back([-d[0], -d[1], -d[2]]);
    const to = back(ray);
    const take = (t: number) => {
      if (!(t > 0 && t < best)) return;
      if (clear([eye[0] + t * ray[0], eye[1] + t * ray[1], eye[2] + t * ray[2]])) return;
      best = t;
      found = b;
    };
    if (m.facets) triangles(m.facets.points, m.facets.index, from, to, take);
    if (m.soft) triangles(m.soft.points, m.soft.index, from, to, take);
    for (let i = 0; i < m.balls.length; i += 4) {
      const c: Vector = [from[0] - m.balls[i]!, from[1] - m.balls[i + 1]!, from[2] - m.balls[i + 2]!];
      const half = dot(c, to);
      const root = half * half - dot(c, c) + m.balls[i + 3]! ** 2;
      if (root < 0) continue;
      take(-half - Math.sqrt(root));
      take(-half + Math.sqrt(root));
    }
    if (m.plane) {
      const n: Vector = [m.plane[0]!, m.plane[1]!, m.plane[2]!];
      const height = dot(n, from) - dot(n, m.plane.subarray(3));
      if (height > 0) take(-height / dot(n, to));
    }
  }
  return { body: found, distance: best };
}

// Möller and Trumbore's test, both sides.
function triangles(p: Float32Array, index: Uint32Array, o: Vector, d: Vector, take: (t: number) => void): void {
  for (let i = 0; i < index.length; i += 3) {
    const a = 3 * index[i]!;
    const b = 3 * index[i + 1]!;
    const c = 3 * index[i + 2]!;
    const ux = p[b]! - p[a]!;
    const uy = p[b + 1]! - p[a + 1]!;
    const uz = p[b + 2]! - p[a + 2]!;
    const vx = p[c]! - p[a]!;
    const vy = p[c + 1]! - p[a + 1]!;
    const vz = p[c + 2]! - p[a + 2]!;
    const hx = d[1] * vz - d[2] * vy;
    const hy = d[2] * vx - d[0] * vz;
    const hz = d[0] * vy - d[1] * vx;
    const det = ux * hx + uy * hy + uz * hz;
    if (det === 0) continue;
    const sx = o[0] - p[a]!;
    const sy = o[1] - p[a + 1]!;
    const sz = o[2] - p[a + 2]!;
    const u = (sx * hx + sy * hy + sz * hz) / det;
    if (u < 0 || u > 1) continue;
    const qx = sy * uz - sz * uy;
    const qy = sz * ux - sx * uz;
    const qz = sx * uy - sy * ux;
    const v = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
    if (v < 0 || u + v > 1) continue;
    take((vx * qx + vy * qy + vz * qz) / det);
  }
}

const RAYS = 9; // along each side of the picture

// Whether anything but planes is in the picture: a point of a surface, or else what rays meet.
export function isSeen(frame: Frame, model: Model[], camera: Camera): boolean {
  const { eye, right, above, forward, near } = camera;
  const tanY = 1 / camera.focus;
  const tanX = (tanY * camera.width) / camera.height;
  const [wideX, wideY] = [Math.hypot(1, tanX), Math.hypot(1, tanY)];
  const inside = (p: ArrayLike<number>, radius: number) => {
    const d = [p[0]! - eye[0], p[1]! - eye[1], p[2]! - eye[2]];
    const z = dot(d, forward);
    return z + radius > near && Math.abs(dot(d, right)) < tanX * z + wideX * radius && Math.abs(dot(d, above)) < tanY * z + wideY * radius;
  };
  const candidates = model.flatMap((m, b) => (m.plane === null && inside(frame.position.subarray(3 * b, 3 * b + 3), m.radius) ? [b] : []));
  const at = (b: number, p: Float32Array, i: number): Vector => {
    const point = [0, 1, 2].map((c) => frame.position[3 * b + c]! + r[3 * c]! * p[i]! + r[3 * c + 1]! * p[i + 1]! + r[3 * c + 2]! * p[i + 2]!);
    return point as Vector;
  };
  for (const b of candidates) {
    const m = model[b]!;
    const o = frame.orientation;
    rotation(o[4 * b]!, o[4 * b + 1]!, o[4 * b + 2]!, o[4 * b + 3]!, r);
    for (const points of [m.facets?.points, m.soft?.points])
      for (let i = 0; points && i < points.length; i += 3) if (inside(at(b, points, i), 0)) return true;
    for (let i = 0; i < m.balls.length; i += 4) if (inside(at(b, m.balls, i), m.balls[i + 3]!)) return true;
  }
  if (candidates.length === 0) return false;
  for (let j = 0; j < RAYS; j++)
    for (let i = 0; i < RAYS; i++) {
      const ray = camera.ray(((i + 0.5) / RAYS) * camera.width, ((j + 0.5) / RAYS) * camera.height);
      if (pick(frame, model, eye, ray, (b) => candidates.includes(b), () => false).body >= 0) return true;
    }
  return false;
}
