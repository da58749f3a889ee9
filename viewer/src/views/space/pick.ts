// What a ray meets first: spheres round the bodies, then their triangles and balls.
import type { Frame } from "../../rigid/frames";
import { dot, type Vector } from "./camera";
import { rotation, type Model } from "./shapes";

const r = new Float64Array(9);

// `keep`: which bodies count; `clear`: a place that is cut away.
export function pick(
  frame: Frame,
  model: Model[],
  eye: Vector,
  ray: Vector,
  keep: (body: number) => boolean,
  clear: (p: Vector) => boolean,
): number {
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
  return found;
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
