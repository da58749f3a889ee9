// What a rigid run was made from: bodies, shapes, materials. Places are given relative to `origin`,
// so that 32-bit numbers keep their digits far from zero.
import type { Run } from "../run";
import { loadElements, type RigidElement } from "./elements";

export const SHAPES = [
  "sphere",
  "box",
  "polyhedron",
  "capsule",
  "cylinder",
  "compound",
  "plane",
  "mesh",
  "heights",
  "disc",
  "polygon",
  "chain",
] as const;
export type ShapeType = (typeof SHAPES)[number];

export const KINDS = ["free", "fixed", "driven", "guided"] as const;

export interface Piece {
  shape: number;
  position: Float32Array; // 3
  orientation: Float32Array; // w, x, y, z
}

// In the axes of the shape. `size`: radius; edges; radius and length; normal; 1 if closed.
export interface Shape {
  type: ShapeType;
  size: Float64Array; // 3
  vertices: Float32Array; // 3 each
  triangles: Int32Array; // 3 each, counter-clockwise from outside
  pieces: Piece[];
}

// A vector turned by a quaternion w, x, y, z, which starts at `at`.
export function rotate(q: ArrayLike<number>, at: number, x: number, y: number, z: number): [number, number, number] {
  const w = q[at]!;
  const a = q[at + 1]!;
  const b = q[at + 2]!;
  const c = q[at + 3]!;
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

export class RigidScene {
  readonly count: number;
  elements: RigidElement[] = []; // springs, strings and nets
  readonly usualRadius: number; // m, of free bodies: the median
  readonly startPose: { position: Float64Array; orientation: Float64Array };
  readonly start: Float64Array; // places of the first frame, 3 each, relative to the origin
  readonly end: Float64Array; // and of the last
  // Box that holds the free bodies of the first frame and nearly all of the last, relative to the
  // origin.
  readonly low = [0, 0, 0];
  readonly high = [0, 0, 0];

  private constructor(
    readonly run: Run,
    readonly title: string,
    readonly dimension: number,
    readonly step: number,
    readonly gravity: Float64Array,
    readonly names: string[],
    readonly materials: string[],
    readonly kind: Uint8Array, // KINDS
    readonly material: Int32Array,
    readonly shape: Int32Array,
    readonly mass: Float64Array,
    readonly radius: Float64Array, // Infinity: a plane
    readonly offset: Float32Array, // a point p of the shape is at position + R (offset + p)
    readonly shapes: Shape[],
    readonly origin: Float64Array,
    start: Float64Array,
    turned: Float64Array,
    end: Float64Array,
  ) {
    this.count = kind.length;
    this.start = start.map((x, i) => x - origin[i % 3]!);
    this.end = end.map((x, i) => x - origin[i % 3]!);
    this.startPose = { position: this.start, orientation: turned };
    const sizes = Array.from(radius).filter((r, b) => isFinite(r) && kind[b] === 0);
    sizes.sort((a, b) => a - b);
    this.usualRadius = sizes[sizes.length >> 1] ?? 1;
    let any = false;
    const take = (free: boolean) => {
      for (let b = 0; b < this.count; b++) {
        if ((kind[b] === 0) !== free || !isFinite(radius[b]!)) continue;
        for (let i = 0; i < 3; i++) {
          const at = start[3 * b + i]! - origin[i]!;
          if (!isFinite(at)) continue;
          this.low[i] = any ? Math.min(this.low[i]!, at - radius[b]!) : at - radius[b]!;
          this.high[i] = any ? Math.max(this.high[i]!, at + radius[b]!) : at + radius[b]!;
        }
        any = true;
      }
    };
    take(true);
    if (!any) take(false);
    if (!any) {
      this.low.fill(-1);
      this.high.fill(1);
    }
    this.takeEnd(end);
  }

  // Where the bodies end, without the few that went far.
  private takeEnd(end: Float64Array): void {
    const free = Array.from(this.kind.keys()).filter((b) => this.kind[b] === 0 && isFinite(this.radius[b]!));
    const span = Math.max(...this.high.map((h, i) => h - this.low[i]!));
    for (let i = 0; i < 3 && free.length > 0; i++) {
      const edge = (side: number) =>
        free
          .map((b) => end[3 * b + i]! - this.origin[i]! + side * this.radius[b]!)
          .filter((x) => isFinite(x))
          .sort((a, b) => side * (a - b));
      const at = (all: number[]) => all[Math.floor(0.95 * (all.length - 1))];
      this.low[i] = Math.max(Math.min(this.low[i]!, at(edge(-1)) ?? Infinity), this.low[i]! - 10 * span);
      this.high[i] = Math.min(Math.max(this.high[i]!, at(edge(1)) ?? -Infinity), this.high[i]! + 10 * span);
    }
  }

  static async load(run: Run): Promise<RigidScene> {
    const [dimension, step, gravity, title, names, materials, kind, material, shape, mass, radius] =
      await Promise.all([
        run.all("scene/dimension", "i32"),
        run.all("scene/step", "f64"),
        run.all("scene/gravity", "f64"),
        run.text("scene/title"),
        run.lines("bodies/name"),
        run.lines("materials/name"),
        run.all("bodies/kind", "u8"),
        run.all("bodies/material", "i32"),
        run.all("bodies/shape", "i32"),
        run.all("bodies/mass", "f64"),
        run.all("bodies/radius", "f64"),
      ]);
    const [offset, shapes, start, turned, end] = await Promise.all([
      run.all("bodies/offset", "f32"),
      loadShapes(run),
      run.rows("frames/position", "f64", { first: 0 }),
      run.rows("frames/orientation", "f64", { first: 0 }),
      run.rows("frames/position", "f64", { first: run.count("frames") - 1 }),
    ]);
    const origin = middle(start, kind, radius);
    const scene = new RigidScene(
      run,
      title,
      dimension[0] ?? 3,
      step[0] ?? 0,
      gravity,
      names,
      materials,
      kind,
      material,
      shape,
      mass,
      radius,
      offset,
      shapes,
      origin,
      start,
      turned,
      end,
    );
    scene.elements = await loadElements(scene);
    return scene;
  }

  name(body: number): string {
    return this.names[body] ?? `body-${body + 1}`;
  }
}

// The mean place of the bodies, rounded so that it reads well; 0 if they are near it anyway.
function middle(start: Float64Array, kind: Uint8Array, radius: Float64Array): Float64Array {
  const sum = [0, 0, 0];
  let count = 0;
  let size = 0;
  for (let b = 0; b < kind.length; b++) {
    if (!isFinite(radius[b]!) || !isFinite(start[3 * b]!)) continue;
    for (let i = 0; i < 3; i++) sum[i]! += start[3 * b + i]!;
    size = Math.max(size, radius[b]!);
    count++;
  }
  const mean = sum.map((s) => (count ? s / count : 0));
  const far = Math.max(...mean.map(Math.abs)) > 1000 * (size || 1);
  return Float64Array.from(mean.map((m) => (far ? Math.round(m) : 0)));
}

async function loadShapes(run: Run): Promise<Shape[]> {
  const [type, size, vertexStart, vertex, triangleStart, triangle] = await Promise.all([
    run.all("shapes/type", "u8"),
    run.all("shapes/size", "f64"),
    run.all("shapes/vertex_start", "f64"),
    run.all("shapes/vertex", "f32"),
    run.all("shapes/triangle_start", "f64"),
    run.all("shapes/triangle", "i32"),
  ]);
  const [pieceStart, piece, position, orientation] = await Promise.all([
    run.all("shapes/piece_start", "f64"),
    run.all("shapes/piece", "i32"),
    run.all("shapes/piece_position", "f32"),
    run.all("shapes/piece_orientation", "f32"),
  ]);
  return Array.from(type, (t, i) => {
    const pieces: Piece[] = [];
    for (let p = pieceStart[i] ?? 0; p < (pieceStart[i + 1] ?? 0); p++)
      pieces.push({
        shape: piece[p]!,
        position: position.subarray(3 * p, 3 * p + 3),
        orientation: orientation.subarray(4 * p, 4 * p + 4),
      });
    return {
      type: SHAPES[t] ?? "sphere",
      size: size.subarray(3 * i, 3 * i + 3),
      vertices: vertex.subarray(3 * vertexStart[i]!, 3 * vertexStart[i + 1]!),
      triangles: triangle.subarray(3 * triangleStart[i]!, 3 * triangleStart[i + 1]!),
      pieces,
    };
  });
}

// One for a run, whoever asks.
const loaded = new WeakMap<Run, Promise<RigidScene>>();
export function rigidScene(run: Run): Promise<RigidScene> {
  let scene = loaded.get(run);
  if (!scene) loaded.set(run, (scene = RigidScene.load(run)));
  return scene;
}
