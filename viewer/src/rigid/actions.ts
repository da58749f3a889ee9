// What bodies of systems did to each other: rows of the steps in which they collided. A frame shows
// those of the last few frames too, fainter and fainter: a collision takes one step.
import type { Run } from "../run";

export interface Actions {
  count: number;
  points: Float32Array; // 6 each: on the first and on the second body, relative to the scene's origin
  impulse: Float32Array; // 3 each, on the first body, N s; zeros: only their spins acted
  fresh: Float32Array; // 1 in the frame of the collision, less in those after it
}

const LASTING = 8; // frames
const NONE = new Float32Array(0);

export class ActionRows {
  constructor(
    private readonly run: Run,
    private readonly origin: Float64Array,
  ) {}

  get offered(): boolean {
    return this.run.has("systems/offset");
  }

  async at(index: number, signal?: AbortSignal): Promise<Actions> {
    const first = Math.max(0, index - LASTING);
    const steps = await this.run.rows("frames/step", "f64", { first, count: index - first + 1 }, signal);
    const [from, to] = [steps[0]!, steps[steps.length - 1]!];
    const none = { count: 0, points: NONE, impulse: NONE, fresh: NONE };
    if (to <= from || to > this.run.count("systems")) return none;
    const offsets = await this.run.rows("systems/offset", "f64", { first: from, count: to - from + 1 }, signal);
    const count = offsets[to - from]! - offsets[0]!;
    if (count === 0) return none;
    const part = { first: offsets[0]!, count };
    const [points, impulse] = await Promise.all([
      this.run.rows("systems/points", "f32", { ...part, minus: [...this.origin, ...this.origin] }, signal),
      this.run.rows("systems/impulse", "f32", part, signal),
    ]);
    const fresh = new Float32Array(count);
    for (let k = 1; k < steps.length; k++) {
      const rows = [steps[k - 1]!, steps[k]!].map((step) => offsets[step - from]! - offsets[0]!);
      fresh.fill(1 - (steps.length - 1 - k) / LASTING, rows[0], rows[1]);
    }
    return { count, points, impulse, fresh };
  }
}

// Calls `take` for each action at a distance with its two ends.
export function eachLine(actions: Actions, take: (at: number, fresh: number) => void): void {
  for (let c = 0; c < actions.count; c++) {
    const push = actions.impulse.subarray(3 * c, 3 * c + 3);
    if (push.some((x) => x !== 0)) take(6 * c, actions.fresh[c]!);
  }
}
