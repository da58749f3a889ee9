// What a rigid run was made from: bodies, shapes, materials. Places are given relative to `origin`,
// so that 32-bit numbers keep their digits far from zero (near.ts).
import type { Run, Selected } from "../run";
import { loadElements, type RigidElement } from "./elements";
import { middleOf, placeBodies, placePieces, type Places, pointsAround, putPoint, relative, rotate } from "./near";

export { rotate };

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
  position: Float64Array; // 3, of the middle of its shape
  orientation: Float64Array; // w, x, y, z
}

// In the axes of the shape, from its middle. `size`: radius; edges; radius and length; normal; 1 if closed.
export interface Shape {
  type: ShapeType;
  middle: number[]; // 3, where the file has it
  size: Float64Array; // 3
  vertices: Float32Array; // 3 each
  triangles: Int32Array; // 3 each, counter-clockwise from outside
  pieces: Piece[];
}

export class RigidScene {
  readonly count: number;
  elements: RigidElement[] = []; // springs, strings and nets
  readonly usualRadius: number; // m, of free bodies: the median
  readonly startPose: { position: Float64Array; orientation: Float64Array };
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
    readonly shapes: Shape[],
    readonly places: Places,
    readonly start: Float64Array, // places of the first frame, 3 each, relative to the origin
    startTurn: Float64Array,
    readonly end: Float64Array, // and of the last
  ) {
    this.count = kind.length;
    this.startPose = { position: start, orientation: startTurn };
    const sizes = Array.from(radius).filter((r, b) => isFinite(r) && kind[b] === 0);
    sizes.sort((a, b) => a - b);
    this.usualRadius = sizes[sizes.length >> 1] ?? 1;
    let any = false;
    const take = (free: boolean) => {
      for (let b = 0; b < this.count; b++) {
        if ((kind[b] === 0) !== free || !isFinite(radius[b]!)) continue;
        for (let i = 0; i < 3; i++) {
          const at = start[3 * b + i]!;
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
    this.takeEnd();
  }

  // Where the bodies end, without the few that went far.
  private takeEnd(): void {
    const free = Array.from(this.kind.keys()).filter((b) => this.kind[b] === 0 && isFinite(this.radius[b]!));
    const span = Math.max(...this.high.map((h, i) => h - this.low[i]!));
    for (let i = 0; i < 3 && free.length > 0; i++) {
      const edge = (side: number) =>
        free
          .map((b) => this.end[3 * b + i]! + side * this.radius[b]!)
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
    const last = run.count("frames") - 1;
    const pose = (first: number) => Promise.all(["position", "orientation"].map((name) => run.rows(`frames/${name}`, "f64", { first })));
    const [offset, shapes, [start, turned], [end, endTurn]] = await Promise.all([run.all("bodies/offset", "f64"), loadShapes(run), pose(0), pose(last)]);
    const places = placeBodies({ shapes, shape, kind, radius, offset, position: start!, orientation: turned! });
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
      shapes,
      places,
      relative(places, start!, turned!, kind.length),
      turned!,
      relative(places, end!, endTurn!, kind.length),
    );
    scene.elements = await loadElements(scene);
    return scene;
  }

  get origin(): Float64Array {
    return this.places.origin;
  }
  // A point p from the middle of a shape is at position + R (offset + p).
  get offset(): Float64Array {
    return this.places.offset;
  }

  // Puts the places of bodies that the file has far from their shapes into 32-bit positions of frames:
  // those of a fixed body are all the same.
  async correct(position: Float32Array, part: Selected, signal?: AbortSignal): Promise<void> {
    const { places, count } = this;
    await Promise.all(
      places.moved.map(async (b) => {
        if (this.kind[b] === 1) {
          for (let at = 3 * b; at < position.length; at += 3 * count) position.set(this.start.subarray(3 * b, 3 * b + 3), at);
          return;
        }
        const own = await this.placesOf(b, part, signal);
        for (let k = 0; 3 * k < own.length; k++) position.set(own.subarray(3 * k, 3 * k + 3), 3 * (k * count + b));
      }),
    );
  }
  // Of one body, in these frames, relative to the origin.
  async placesOf(body: number, part: Selected, signal?: AbortSignal): Promise<Float64Array> {
    const { run, places } = this;
    // With a single body the file leaves that dimension out.
    const own = this.count === 1 ? part : { ...part, second: body };
    if (!places.moved.includes(body)) return run.rows("frames/position", "f64", { ...own, minus: places.origin }, signal);
    const [position, orientation] = await Promise.all(["position", "orientation"].map((name) => run.rows(`frames/${name}`, "f64", own, signal)));
    const out = new Float64Array(position!.length);
    for (let k = 0; 3 * k < out.length; k++) putPoint(places, body, position!, orientation!, k, out, 3 * k);
    return out;
  }

  name(body: number): string {
    return this.names[body] ?? `body-${body + 1}`;
  }
}

async function loadShapes(run: Run): Promise<Shape[]> {
  const [type, size, vertexStart, vertex, triangleStart, triangle] = await Promise.all([
    run.all("shapes/type", "u8"),
    run.all("shapes/size", "f64"),
    run.all("shapes/vertex_start", "f64"),
    run.all("shapes/vertex", "f64"),
    run.all("shapes/triangle_start", "f64"),
    run.all("shapes/triangle", "i32"),
  ]);
  const [pieceStart, piece, position, orientation] = await Promise.all([
    run.all("shapes/piece_start", "f64"),
    run.all("shapes/piece", "i32"),
    run.all("shapes/piece_position", "f64"),
    run.all("shapes/piece_orientation", "f64"),
  ]);
  const shapes = Array.from(type, (t, i): Shape => {
    const points = vertex.subarray(3 * vertexStart[i]!, 3 * vertexStart[i + 1]!);
    const middle = middleOf(points);
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
      middle,
      vertices: pointsAround(points, middle),
      triangles: triangle.subarray(3 * triangleStart[i]!, 3 * triangleStart[i + 1]!),
      pieces,
    };
  });
  placePieces(shapes);
  return shapes;
}

// One for a run, whoever asks.
const loaded = new WeakMap<Run, Promise<RigidScene>>();
export function rigidScene(run: Run): Promise<RigidScene> {
  let scene = loaded.get(run);
  if (!scene) loaded.set(run, (scene = RigidScene.load(run)));
  return scene;
}
