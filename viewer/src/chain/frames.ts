// Frames of a chain: how far each ball has moved, how fast it is, and the forces if asked for.
import { Frames } from "../frames";
import type { ChainScene } from "./scene";

export interface Frame {
  index: number;
  time: number;
  moved: Float32Array; // from the start, m
  velocity: Float32Array;
  force: Float32Array | null; // of contacts
}

export type Extra = "force";

export class ChainFrames extends Frames<Extra, Frame> {
  constructor(private readonly scene: ChainScene) {
    super(scene.run, scene.count);
  }

  override offers(extra: Extra): boolean {
    return this.run.has(`frames/${extra}`);
  }

  // Without places.
  override async peek(index: number): Promise<Frame> {
    const velocity = await this.run.rows("frames/velocity", "f32", { first: index });
    return { index, time: 0, moved: new Float32Array(0), velocity, force: null };
  }

  protected override async bring(indices: number[], every: number, signal?: AbortSignal): Promise<void> {
    const { count: n, contacts: c, start } = this.scene;
    const part = { first: indices[0]!, count: indices.length, every };
    const without = indices.some((k) => !this.kept.has(k));
    const [time, position, velocity, force] = await Promise.all([
      without ? this.run.rows("frames/time", "f64", part, signal) : null,
      without ? this.run.rows("frames/position", "f64", part, signal) : null,
      without ? this.run.rows("frames/velocity", "f32", part, signal) : null,
      this.lack("force", indices) ? this.run.rows("frames/force", "f32", part, signal) : null,
    ]);
    const wide = position ? position.length / (indices.length * n) : 1; // x comes first
    indices.forEach((k, i) => {
      const frame: Frame = this.kept.get(k) ?? {
        index: k,
        time: time![i]!,
        // In double precision: balls move by a millionth of where they are.
        moved: Float32Array.from({ length: n }, (_, b) => position![wide * (i * n + b)]! - start[b]!),
        velocity: velocity!.subarray(i * n, (i + 1) * n),
        force: null,
      };
      frame.force ??= force ? force.subarray(i * c, (i + 1) * c) : null;
      this.kept.set(k, frame);
    });
  }

  protected override bytes(frame: Frame): number {
    return 4 * (2 * frame.velocity.length + (frame.force?.length ?? 0));
  }
}
