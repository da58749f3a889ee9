// Frames of a rigid run: got in batches, kept while there is room, the next ones got ahead of time.
import type { Run } from "../run";
import type { RigidScene } from "./scene";

export interface Contacts {
  count: number;
  bodies: Int32Array; // 2 each
  point: Float32Array; // 3 each, relative to the scene's origin
  percussion: Float32Array; // 3 each, on the first body, N s
}

export interface Frame {
  index: number;
  time: number;
  position: Float32Array; // 3 each, relative to the scene's origin
  orientation: Float32Array; // 4 each: w, x, y, z
  velocity: Float32Array | null; // 3 each
  spin: Float32Array | null; // 3 each
  contacts: Contacts | null;
  temperature: Float32Array | null;
}

// What is got besides the poses.
export type Extra = "velocity" | "spin" | "contacts" | "temperature";

const KEEP_BYTES = 256 << 20;
const BATCH = 8;

export class Frames {
  private readonly kept = new Map<number, Frame>(); // in order of use
  private readonly coming = new Map<number, Promise<void>>();
  private readonly extras = new Set<Extra>();
  private offsets: Float64Array = new Float64Array(0);
  private aheadAbort = new AbortController();

  constructor(
    private readonly run: Run,
    private readonly scene: RigidScene,
  ) {}

  // From now on frames come with these too (those that the run has).
  need(extras: Iterable<Extra>): void {
    this.extras.clear();
    for (const extra of extras) if (this.offers(extra)) this.extras.add(extra);
  }
  offers(extra: Extra): boolean {
    return this.run.has(extra === "contacts" ? "contacts/offset" : `frames/${extra}`);
  }

  // The frame with all that is needed, or null if it is not here yet.
  get(index: number): Frame | null {
    const frame = this.kept.get(index);
    if (!frame || !this.whole(frame)) return null;
    this.kept.delete(index); // to the end: it was used last
    this.kept.set(index, frame);
    return frame;
  }

  // It has everything that is needed now.
  whole(frame: Frame): boolean {
    for (const extra of this.extras) if (frame[extra] === null) return false;
    return true;
  }

  async load(index: number): Promise<Frame> {
    for (;;) {
      const here = this.get(index);
      if (here) return here;
      const coming = this.coming.get(index);
      if (coming) await coming.catch(() => undefined);
      else await this.fetch(index, 1, 1);
    }
  }

  // A frame with these extras alone, without poses; kept by nobody.
  async peek(index: number, extras: Extra[]): Promise<Frame> {
    const none = new Float32Array(0);
    const here = this.kept.get(index);
    const frame: Frame = { index, time: 0, position: none, orientation: none, velocity: null, spin: null, contacts: null, temperature: null };
    for (const extra of extras) {
      if (here && here[extra] !== null) Object.assign(frame, { [extra]: here[extra] });
      else if (extra === "contacts") frame.contacts = await this.contacts(index);
      else frame[extra] = await this.run.rows(`frames/${extra}`, "f32", { first: index });
    }
    return frame;
  }

  // Gets the next multiples of `stride` after `index`, unless they are here or coming.
  ahead(index: number, stride: number): void {
    const frames = this.run.count("frames");
    let room = 3 * BATCH;
    let first = -1;
    let count = 0;
    const flush = () => {
      if (count > 0) this.fetch(first, count, stride, this.aheadAbort.signal).catch(() => undefined);
      count = 0;
    };
    for (let k = stride * (Math.floor(index / stride) + 1); k < frames && room > 0 && this.coming.size < 4 * BATCH; k += stride, room--) {
      if (this.get(k) || this.coming.has(k)) {
        flush();
        continue;
      }
      if (count === 0) first = k;
      if (++count === this.batch()) flush();
    }
    // A part of a batch is got only at the end, so that requests stay large.
    if (first + (count - 1) * stride + stride >= frames || count >= this.batch() / 2) flush();
  }

  // Forgets what is on its way for a place that was left.
  leave(): void {
    this.aheadAbort.abort();
    this.aheadAbort = new AbortController();
  }

  private batch(): number {
    return Math.max(1, Math.min(BATCH, Math.floor((4 << 20) / (16 * this.scene.count))));
  }

  private fetch(first: number, count: number, stride: number, signal?: AbortSignal): Promise<void> {
    const job = this.bring(first, count, stride, signal);
    const indices = Array.from({ length: count }, (_, i) => first + i * stride);
    for (const k of indices) this.coming.set(k, job);
    const done = () => {
      for (const k of indices) if (this.coming.get(k) === job) this.coming.delete(k);
    };
    job.then(done, done);
    return job;
  }

  private async bring(first: number, count: number, every: number, signal?: AbortSignal): Promise<void> {
    const n = this.scene.count;
    const part = { first, count, every };
    const indices = Array.from({ length: count }, (_, i) => first + i * every);
    const lacks = (extra: Extra) =>
      this.extras.has(extra) && indices.some((k) => (this.kept.get(k)?.[extra] ?? null) === null);
    const without = indices.some((k) => !this.kept.has(k));
    const series = (name: string) => this.run.rows(`frames/${name}`, "f32", part, signal);
    const [time, position, orientation, velocity, spin, temperature, contacts] = await Promise.all([
      without ? this.run.rows("frames/time", "f64", part, signal) : null,
      without
        ? this.run.rows("frames/position", "f32", { ...part, minus: this.scene.origin }, signal)
        : null,
      without ? series("orientation") : null,
      lacks("velocity") ? series("velocity") : null,
      lacks("spin") ? series("spin") : null,
      lacks("temperature") ? series("temperature") : null,
      lacks("contacts") ? Promise.all(indices.map((k) => this.contacts(k, signal))) : null,
    ]);
    indices.forEach((k, i) => {
      const cut = (all: Float32Array | null, wide: number) =>
        all ? all.subarray(i * n * wide, (i + 1) * n * wide) : null;
      const old = this.kept.get(k);
      const frame: Frame = old ?? {
        index: k,
        time: time![i]!,
        position: cut(position, 3)!,
        orientation: cut(orientation, 4)!,
        velocity: null,
        spin: null,
        contacts: null,
        temperature: null,
      };
      frame.velocity ??= cut(velocity, 3);
      frame.spin ??= cut(spin, 3);
      frame.temperature ??= cut(temperature, 1);
      frame.contacts ??= contacts ? contacts[i]! : null;
      this.kept.set(k, frame);
    });
    this.drop();
  }

  private async contacts(index: number, signal?: AbortSignal): Promise<Contacts> {
    const none = new Float32Array(0);
    if (index + 1 >= this.offsets.length) {
      const there = this.run.count("contacts") + 1;
      const from = this.offsets.length;
      const more = await this.run.rows("contacts/offset", "f64", { first: from, count: there - from }, signal);
      const all = new Float64Array(Math.max(there, this.offsets.length));
      all.set(this.offsets);
      all.set(more, from);
      this.offsets = all;
    }
    if (index + 1 >= this.offsets.length) return { count: 0, bodies: new Int32Array(0), point: none, percussion: none };
    const first = this.offsets[index]!;
    const count = this.offsets[index + 1]! - first;
    if (count === 0) return { count: 0, bodies: new Int32Array(0), point: none, percussion: none };
    const part = { first, count };
    const [bodies, point, percussion] = await Promise.all([
      this.run.rows("contacts/bodies", "i32", part, signal),
      this.run.rows("contacts/point", "f32", { ...part, minus: this.scene.origin }, signal),
      this.run.rows("contacts/percussion", "f32", part, signal),
    ]);
    return { count, bodies, point, percussion };
  }

  private drop(): void {
    const bytes = (f: Frame) =>
      4 *
      (f.position.length +
        f.orientation.length +
        (f.velocity?.length ?? 0) +
        (f.spin?.length ?? 0) +
        (f.contacts ? 8 * f.contacts.count : 0));
    let total = 0;
    for (const frame of this.kept.values()) total += bytes(frame);
    for (const [k, frame] of this.kept) {
      if (total <= KEEP_BYTES || this.kept.size <= 2) break;
      this.kept.delete(k);
      total -= bytes(frame);
    }
  }
}

// One for a run, so that a change of view keeps what was got.
const opened = new WeakMap<Run, Frames>();
export function rigidFrames(run: Run, scene: RigidScene): Frames {
  let frames = opened.get(run);
  if (!frames) opened.set(run, (frames = new Frames(run, scene)));
  return frames;
}
