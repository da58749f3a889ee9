// What belongs into the picture: where the free bodies are, and of the obstacles what is not far from
// there.
import type { Frame } from "../../rigid/frames";
import type { RigidScene } from "../../rigid/scene";
import { cornersOf, type Vector } from "./camera";
import { rotation, type Model } from "./shapes";

export interface Box {
  low: number[];
  high: number[];
}

const WHOLE = 12; // times what the free bodies take: up to this an obstacle is shown whole

// With the obstacles: whole ones, as long as bodies can still be seen beside them, and of `land` and
// large ones what is near.
export function withObstacles(box: Box, frame: Frame, obstacles: Int32Array, model: Model[], land: (b: number) => boolean): Box {
  const low = [...box.low];
  const high = [...box.high];
  const span = Math.max(...high.map((h, i) => h - low[i]!)) || 1;
  const most = low.map((l) => l - 0.75 * span);
  const least = high.map((h) => h + 0.75 * span);
  for (const b of obstacles) {
    const own = boxOf(frame, b, model[b]!);
    if (!land(b) && low.every((l, i) => Math.max(high[i]!, own.high[i]!) - Math.min(l, own.low[i]!) <= WHOLE * span)) {
      own.low.forEach((l, i) => (low[i] = Math.min(low[i]!, l)));
      own.high.forEach((h, i) => (high[i] = Math.max(high[i]!, h)));
      continue;
    }
    // Not if it is far away as a whole.
    if (own.low.some((l, i) => !(l < least[i]! && own.high[i]! > most[i]!))) continue;
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i]!, Math.max(most[i]!, own.low[i]!));
      high[i] = Math.max(high[i]!, Math.min(least[i]!, own.high[i]!));
    }
  }
  return { low, high };
}

const MOST_POINTS = 20000; // of terrain, and bodies, that tell how large a picture must be

// Points of what is in the box of a scene on `land`, 3 numbers each: a slope fills only half of it.
export function pointsIn(box: Box, scene: RigidScene, frame: Frame, obstacles: Int32Array, model: Model[], land: number[]): Float64Array {
  const { low, high } = box;
  const all: number[] = [];
  const r = new Float64Array(9);
  for (const b of land) {
    const o = frame.orientation;
    rotation(o[4 * b]!, o[4 * b + 1]!, o[4 * b + 2]!, o[4 * b + 3]!, r);
    const points = model[b]!.soft?.points ?? new Float32Array(0);
    const step = 3 * Math.ceil(points.length / 3 / MOST_POINTS);
    for (let v = 0; v < points.length; v += step) {
      const p = [0, 1, 2].map((i) => frame.position[3 * b + i]! + r[3 * i]! * points[v]! + r[3 * i + 1]! * points[v + 1]! + r[3 * i + 2]! * points[v + 2]!);
      if (p.every((x, i) => x >= low[i]! && x <= high[i]!)) all.push(...p);
    }
  }
  if (all.length < 3 * 4) return Float64Array.from(cornersOf(low, high)); // the land has larger cells
  // Of what is besides, the corners of its box, as far as they are in this one.
  const put = (from: number[], to: number[]) => {
    if (from.every((x, i) => x < high[i]! && to[i]! > low[i]!))
      all.push(...cornersOf(from, to).map((x, k) => Math.min(high[k % 3]!, Math.max(low[k % 3]!, x))));
  };
  for (const b of obstacles) {
    const own = boxOf(frame, b, model[b]!);
    if (!land.includes(b)) put(own.low, own.high);
  }
  const step = Math.ceil((8 * scene.count) / MOST_POINTS);
  for (const places of [scene.start, scene.end])
    for (let b = 0; b < scene.count; b += step) {
      const at = Array.from(places.subarray(3 * b, 3 * b + 3));
      const far = scene.radius[b]!;
      if (scene.kind[b] === 0 && isFinite(far)) put(at.map((x) => x - far), at.map((x) => x + far));
    }
  return Float64Array.from(all);
}

export function boxOf(frame: Frame, b: number, model: Model): Box {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const r = new Float64Array(9);
  const o = frame.orientation;
  rotation(o[4 * b]!, o[4 * b + 1]!, o[4 * b + 2]!, o[4 * b + 3]!, r);
  const put = (x: number, y: number, z: number, radius: number) => {
    for (let i = 0; i < 3; i++) {
      const at = frame.position[3 * b + i]! + r[3 * i]! * x + r[3 * i + 1]! * y + r[3 * i + 2]! * z;
      low[i] = Math.min(low[i]!, at - radius);
      high[i] = Math.max(high[i]!, at + radius);
    }
  };
  for (const points of [model.facets?.points, model.soft?.points])
    for (let i = 0; points && i < points.length; i += 3) put(points[i]!, points[i + 1]!, points[i + 2]!, 0);
  for (let i = 0; i < model.balls.length; i += 4)
    put(model.balls[i]!, model.balls[i + 1]!, model.balls[i + 2]!, model.balls[i + 3]!);
  return { low, high };
}

export const middleOf = (box: Box): Vector => [
  0.5 * (box.low[0]! + box.high[0]!),
  0.5 * (box.low[1]! + box.high[1]!),
  0.5 * (box.low[2]! + box.high[2]!),
];
export const sizeOf = (box: Box): number => Math.hypot(...box.high.map((h, i) => h - box.low[i]!));
