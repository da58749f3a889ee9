// Frames of a run: got in batches, kept while there is room, the next ones got ahead of time. What a
// frame is, the kind of run says (rigid/frames.ts, crowd/frames.ts).
import type { Run } from "./run";

const KEEP_BYTES = 256 << 20;
const BATCH = 8;

// A frame has all that is always got, and of what is got besides (`Extra`) null until it is here.
export abstract class Frames<Extra extends string, Frame extends Record<Extra, unknown>> {
  protected readonly kept = new Map<number, Frame>(); // in order of use
  protected readonly extras = new Set<Extra>();
  private readonly coming = new Map<number, Promise<void>>();
  private aheadAbort = new AbortController();

  constructor(
    protected readonly run: Run,
    private readonly things: number, // in a frame
  ) {}

  // The run has it.
  abstract offers(extra: Extra): boolean;
  // A frame with these extras alone; kept by nobody.
  abstract peek(index: number, extras: Extra[]): Promise<Frame>;
  // Gets what these frames lack into `kept`.
  protected abstract bring(indices: number[], every: number, signal?: AbortSignal): Promise<void>;
  protected abstract bytes(frame: Frame): number;

  // From now on frames come with these too (those that the run has).
  need(extras: Iterable<Extra>): void {
    this.extras.clear();
    for (const extra of extras) if (this.offers(extra)) this.extras.add(extra);
  }

  // One of these frames lacks an extra that is needed.
  protected lack(extra: Extra, indices: number[]): boolean {
    return this.extras.has(extra) && indices.some((k) => (this.kept.get(k)?.[extra] ?? null) === null);
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

  // Gets these frames, unless they are here: `every` apart.
  async collect(indices: number[], every: number): Promise<void> {
    const size = this.batch();
    const jobs: Promise<unknown>[] = [];
    let batch: number[] = [];
    const flush = () => {
      if (batch.length > 0) jobs.push(this.fetch(batch[0]!, batch.length, every));
      batch = [];
    };
    for (const k of indices) {
      const coming = this.coming.get(k);
      if (coming) jobs.push(coming.catch(() => undefined));
      if (coming || this.kept.has(k)) flush();
      else if (batch.push(k) === size) flush();
    }
    flush();
    await Promise.all(jobs);
  }

  // Forgets what is on its way for a place that was left.
  leave(): void {
    this.aheadAbort.abort();
    this.aheadAbort = new AbortController();
  }

  private batch(): number {
    return Math.max(1, Math.min(BATCH, Math.floor((4 << 20) / (16 * this.things))));
  }

  private fetch(first: number, count: number, stride: number, signal?: AbortSignal): Promise<void> {
    const indices = Array.from({ length: count }, (_, i) => first + i * stride);
    const job = this.bring(indices, stride, signal).then(() => this.drop());
    for (const k of indices) this.coming.set(k, job);
    const done = () => {
      for (const k of indices) if (this.coming.get(k) === job) this.coming.delete(k);
    };
    job.then(done, done);
    return job;
  }

  private drop(): void {
    let total = 0;
    for (const frame of this.kept.values()) total += this.bytes(frame);
    for (const [k, frame] of this.kept) {
      if (total <= KEEP_BYTES || this.kept.size <= 2) break;
      this.kept.delete(k);
      total -= this.bytes(frame);
    }
  }
}
