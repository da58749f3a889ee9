// A series of the whole run at once, for what shows all times together: the map, the path of an impact.
import type { Run } from "../run";

const MOST = 4 << 20; // numbers that are kept of a series
const ROWS = 2048; // frames that are enough for the pixels of a screen
const CHEAP = 1 << 17; // numbers that are got in any case

// Every `every`-th frame of a series; all of them unless they are too many.
export class Waves {
  every = 1;
  rows = 0; // that are here
  largest = 0; // absolute value
  private all = new Float32Array(0);
  private asking: Promise<void> | null = null;

  constructor(
    private readonly run: Run,
    readonly name: string, // of frames/
    readonly width: number,
  ) {}

  // All that there is of the run so far is here.
  get whole(): boolean {
    return this.rows === Math.ceil(this.run.count("frames") / this.every);
  }

  async load(): Promise<void> {
    while (!this.whole) {
      this.asking ??= this.more().finally(() => (this.asking = null));
      await this.asking;
    }
  }

  private async more(): Promise<void> {
    const frames = this.run.count("frames");
    let every = this.every;
    const rowsMost = Math.min(MOST / this.width, Math.max(ROWS, CHEAP / this.width));
    while (Math.ceil(frames / every) > Math.max(2, rowsMost)) every *= 2;
    const kept = every === this.every ? this.rows : 0;
    const rows = Math.ceil(frames / every);
    const all = new Float32Array(rows * this.width);
    all.set(this.all.subarray(0, kept * this.width));
    const part = { first: kept * every, count: rows - kept, every };
    all.set(await this.run.rows(`frames/${this.name}`, "f32", part), kept * this.width);
    let largest = 0;
    for (const v of all) largest = Math.max(largest, Math.abs(v));
    [this.every, this.rows, this.all, this.largest] = [every, rows, all, largest];
  }

  row(k: number): Float32Array {
    return this.all.subarray(k * this.width, (k + 1) * this.width);
  }

  // Of each thing, the value farthest from 0 in rows `from` to `end`; at least one row.
  extremes(from: number, end: number, out: Float32Array): void {
    out.set(this.row(from));
    for (let k = from + 1; k < end; k++) {
      const row = this.row(k);
      for (let i = 0; i < out.length; i++) if (Math.abs(row[i]!) > Math.abs(out[i]!)) out[i] = row[i]!;
    }
  }
}
