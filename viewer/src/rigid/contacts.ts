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

  // The rows of a frame.
  private async part(index: number, signal?: AbortSignal): Promise<{ first: number; count: number }> {
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
    return { first, count: index + 1 < this.offsets.length ? this.offsets[index + 1]! - first : 0 };
  }

  async at(index: number, signal?: AbortSignal): Promise<Contacts> {
    const part = await this.part(index, signal);
    const { count } = part;
    if (count === 0) return { count: 0, bodies: new Int32Array(0), point: NONE, percussion: NONE };
    const [bodies, point, percussion] = await Promise.all([
      this.run.rows("contacts/bodies", "i32", part, signal),
      this.run.rows("contacts/point", "f32", { ...part, minus: this.origin }, signal),
      this.run.rows("contacts/percussion", "f32", part, signal),
    ]);
    return { count, bodies, point, percussion };
  }

  // With what a picture does not need.
  async whole(index: number): Promise<Contacts & { normal: Float32Array; gap: Float32Array }> {
    const part = await this.part(index);
    const there = part.count > 0;
    const [contacts, normal, gap] = await Promise.all([
      this.at(index),
      there ? this.run.rows("contacts/normal", "f32", part) : NONE,
      there ? this.run.rows("contacts/gap", "f32", part) : NONE,
    ]);
    return { ...contacts, normal, gap };
  }
}
