// Frames of a continuum: velocities and displacements of nodes, what bodies do, and pressure, stress,
// percussions, temperatures and phases if asked for.
import { Frames } from "../frames";
import type { Selected } from "../run";
import type { ContinuumScene } from "./scene";
import { outlineInSpace } from "./surface";

export interface Frame {
  index: number;
  time: number;
  velocity: Float32Array; // x, y of nodes
  moved: Float32Array; // displacement; empty where the run has none
  body: Float64Array; // x, y, angle, vx, vy, spin
  // Of a mesh in space, of which all this is the picture.
  swift: Float32Array | null; // velocity x, y, z
  shift: Float32Array | null; // displacement x, y, z
  outline: number[][][] | null; // of bodies
  pressure: Float32Array | null; // percussion pressure, Pa s; of a fluid in time pressure, Pa
  stress: Float32Array | null; // xx, yy, xy
  percussion: Float32Array | null; // normal, tangential of touches
  temperature: Float32Array | null; // K, NaN where there is none
  fraction: Float32Array | null; // three: of liquid first, or of two martensites and austenite
}

export type Extra = "pressure" | "stress" | "percussion" | "temperature" | "fraction";
const EXTRAS: Extra[] = ["pressure", "stress", "percussion", "temperature", "fraction"];
const FLAT = { swift: null, shift: null, outline: null };
const NONE = { pressure: null, stress: null, percussion: null, temperature: null, fraction: null };

export class ContinuumFrames extends Frames<Extra, Frame> {
  constructor(private readonly scene: ContinuumScene) {
    super(scene.run, 2 * scene.nodes);
  }

  override offers(extra: Extra): boolean {
    return this.run.has(`frames/${extra}`) && !(this.scene.space && extra === "percussion");
  }

  override async peek(index: number, extras: Extra[]): Promise<Frame> {
    const frame: Frame = { index, time: 0, ...(await this.always({ first: index }))[0]!, ...NONE };
    for (const extra of extras) frame[extra] = await this.run.rows(`frames/${extra}`, "f32", { first: index });
    return frame;
  }

  // What every frame has.
  private async always(part: Selected, signal?: AbortSignal): Promise<Pick<Frame, "velocity" | "moved" | "body" | "swift" | "shift" | "outline">[]> {
    const { run } = this;
    const read = <T extends "f32" | "f64">(name: string, as: T) => (run.has(name) ? run.rows(name, as, part, signal) : null);
    const [velocity, moved, body] = await Promise.all([
      read("frames/velocity", "f32"),
      read("frames/displacement", "f32"),
      read("frames/body", "f64"),
    ]);
    if (this.scene.space)
      return Array.from({ length: part.count ?? 1 }, (_, i) => this.picture(slice(velocity, i, part)!, slice(moved, i, part), slice(body, i, part)));
    return Array.from({ length: part.count ?? 1 }, (_, i) => ({
      ...FLAT,
      velocity: pairs(slice(velocity, i, part), this.scene.nodes),
      moved: pairs(slice(moved, i, part), this.scene.nodes),
      body: slice(body, i, part) ?? new Float64Array(0),
    }));
  }

  // A frame of a mesh in space. Bodies have 13 numbers: place, quaternion, velocity, spin.
  private picture(swift: Float32Array, shift: Float32Array | null, body: Float64Array | null) {
    const { bodies, size, projection } = this.scene;
    const places = bodies.flatMap((_, b) => [...projection.point(body!, 13 * b), 0, ...projection.point(body!, 13 * b + 7), 0]);
    const outline = bodies.map((_, b) => (size.length > 3 * b ? outlineInSpace(projection, size.subarray(3 * b), body!.subarray(13 * b), body!.subarray(13 * b + 3, 13 * b + 7)) : []));
    return { velocity: projection.points(swift), moved: projection.points(shift ?? []), body: Float64Array.from(places), swift, shift, outline };
  }

  protected override async bring(indices: number[], every: number, signal?: AbortSignal): Promise<void> {
    const part = { first: indices[0]!, count: indices.length, every };
    const without = indices.some((k) => !this.kept.has(k));
    const [time, always, ...extra] = await Promise.all([
      without ? this.run.rows("frames/time", "f64", part, signal) : null,
      without ? this.always(part, signal) : null,
      ...EXTRAS.map((name) => (this.lack(name, indices) ? this.run.rows(`frames/${name}`, "f32", part, signal) : null)),
    ]);
    indices.forEach((k, i) => {
      const frame: Frame = this.kept.get(k) ?? { index: k, time: time![i]!, ...always![i]!, ...NONE };
      EXTRAS.forEach((name, e) => (frame[name] ??= slice(extra[e]!, i, part)));
      this.kept.set(k, frame);
    });
  }

  protected override bytes(frame: Frame): number {
    const numbers = frame.velocity.length + frame.moved.length + EXTRAS.reduce((sum, name) => sum + (frame[name]?.length ?? 0), 0);
    return 4 * numbers;
  }
}

// The part of the i-th frame.
function slice<T extends Float32Array | Float64Array>(all: T | null, i: number, { count = 1 }: Selected): T | null {
  return all && (all.subarray((i * all.length) / count, ((i + 1) * all.length) / count) as T);
}

// On a line a file may have only x.
function pairs(values: Float32Array | null, nodes: number): Float32Array {
  if (!values || values.length !== nodes) return values ?? new Float32Array(0);
  return Float32Array.from({ length: 2 * nodes }, (_, i) => (i % 2 ? 0 : values[i >> 1]!));
}
