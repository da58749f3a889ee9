// Contacts of frames: rows that vary from frame to frame.
import type { Run } from "../run";

export interface Contacts {
  count: number;
  bodies: Int32Array; // 2 each
  point: Float32Array; // 3 each, relative to the scene's origin
  percussion: Float32Array; // 3 each, on the first body, N s
}

const NONE = new Float32Array(0);

export class ContactRows {
  private offsets: Float64Array = new Float64Array(0);

  constructor(
    private readonly run: Run,
    private readonly origin: Float64Array,
  ) {}

  get offered(): boolean {
    return this.run.has("contacts/offset");
  }

  async at(index: number, signal?: AbortSignal): Promise<Contacts> {
    if (index + 1 >= this.offsets.length) {
      const there = this.run.count("contacts") + 1;
      const from = this.offsets.length;
      const more = await this.run.rows("contacts/offset", "f64", { first: from, count: there - from }, signal);
      const all = new Float64Array(Math.max(there, this.offsets.length));
      all.set(this.offsets);
      all.set(more, from);
      this.offsets = all;
    }
    const first = this.offsets[index]!;
    const count = index + 1 < this.offsets.length ? this.offsets[index + 1]! - first : 0;
    if (count === 0) return { count: 0, bodies: new Int32Array(0), point: NONE, percussion: NONE };
    const part = { first, count };
    const [bodies, point, percussion] = await Promise.all([
      this.run.rows("contacts/bodies", "i32", part, signal),
      this.run.rows("contacts/point", "f32", { ...part, minus: this.origin }, signal),
      this.run.rows("contacts/percussion", "f32", part, signal),
    ]);
    return { count, bodies, point, percussion };
  }
}
