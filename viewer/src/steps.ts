// When the steps of a run ended. Most runs have equal steps: then two of them say it all. Others are
// known by some of their times, the rest is read where it is needed.
import type { Run } from "./run";

const PROBES = 5; // steps that tell whether all are equal
const EVEN = 1e-3; // of a step
const MARKS = 2000; // steps whose times are kept, of unequal ones

export class StepTimes {
  private count = 0; // of steps that were looked at
  private start = 0; // when the first step began, and how long each is, if they are equal
  private spacing = 1;
  private marks: { step: Float64Array; time: Float64Array } | null = null;
  private asking: Promise<void> | null = null;

  private constructor(private readonly run: Run) {}

  static of(run: Run): StepTimes {
    let times = opened.get(run);
    if (!times) opened.set(run, (times = new StepTimes(run)));
    return times;
  }

  // Looks at what the run has now.
  async refresh(): Promise<void> {
    while (this.count !== this.run.count("steps")) {
      this.asking ??= this.look().finally(() => (this.asking = null));
      await this.asking;
    }
  }

  private read(first: number, count = 1, every = 1): Promise<Float64Array> {
    return this.run.rows("steps/time", "f64", { first, count, every });
  }

  private async look(): Promise<void> {
    const count = this.run.count("steps");
    const probes = [...new Set(Array.from({ length: PROBES }, (_, i) => Math.round((i * (count - 1)) / (PROBES - 1))))];
    const times = await Promise.all(probes.map(async (step) => (await this.read(step))[0]!));
    const last = times.length - 1;
    const first = times[0]!;
    this.spacing = count > 1 ? (times[last]! - first) / (count - 1) : first || 1;
    this.start = first - this.spacing;
    const even = probes.every((step, i) => Math.abs(times[i]! - this.start - this.spacing * (step + 1)) <= EVEN * this.spacing);
    const every = Math.ceil(count / MARKS);
    const rows = Math.ceil(count / every);
    // The last step too, so that every other lies between two marks.
    this.marks = even
      ? null
      : {
          step: Float64Array.from({ length: rows + 1 }, (_, i) => Math.min(i * every, count - 1)),
          time: Float64Array.of(...(await this.read(0, rows, every)), times[last]!),
        };
    this.count = count;
  }

  // The end of a step, s; between marks by proportion.
  time(step: number): number {
    if (!this.marks) return this.start + this.spacing * (step + 1);
    return between(step, this.marks.step, this.marks.time);
  }

  // The step that ends at a time, in parts of a step; the same way.
  step(time: number): number {
    if (!this.marks) return (time - this.start) / this.spacing - 1;
    return between(time, this.marks.time, this.marks.step);
  }

  // The step whose end is nearest to a time, by what the file has.
  async nearest(time: number): Promise<number> {
    const guess = Math.round(this.step(time));
    if (!this.marks || this.count <= MARKS || guess < 0) return guess;
    const every = Math.ceil(this.count / MARKS);
    const first = Math.max(0, guess - every);
    const times = await this.read(first, Math.min(this.count, guess + every + 1) - first);
    return first + times.reduce((best, t, i) => (Math.abs(t - time) < Math.abs(times[best]! - time) ? i : best), 0);
  }
}

// The end of the step that begins at a time.
export async function endOfStep(run: Run, begin: number): Promise<number> {
  const times = StepTimes.of(run);
  await times.refresh();
  const step = (await times.nearest(begin)) + 1;
  if (step < 0 || step >= run.count("steps")) return begin;
  return (await run.rows("steps/time", "f64", { first: step }))[0]!;
}

const opened = new WeakMap<Run, StepTimes>();

// y at x, of a line through points whose x grows; beyond its ends it goes on as it was.
function between(x: number, xs: Float64Array, ys: Float64Array): number {
  let [low, high] = [0, xs.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (xs[middle]! <= x) low = middle;
    else high = middle;
  }
  const long = xs[high]! - xs[low]!;
  return long > 0 ? ys[low]! + ((x - xs[low]!) / long) * (ys[high]! - ys[low]!) : ys[low]!;
}
