// A run that is being written: when it is to end, and how long that takes, by how fast it came on of late.
import type { Run } from "./run";

const MEMORY = 20; // s on the wall that the rate is measured over
const SURE = 1; // s on the wall before a rate is told

export class Live {
  end: number | null = null; // s, planned; null: the record does not say
  private readonly seen: { wall: number; time: number }[] = [];

  constructor(private readonly run: Run) {}

  // Looks at what the run has now. `wall`: a clock on the wall, s.
  async look(wall: number): Promise<void> {
    const { run } = this;
    const last = Math.min(run.count("steps"), run.count("clock")) - 1;
    if (last < 0 || !run.has("steps/time")) return;
    const one = async (name: string) => (await run.rows(name, "f64", { first: last }))[0] ?? NaN;
    const [time, end] = await Promise.all([one("steps/time"), run.has("clock/planned_end") ? one("clock/planned_end") : NaN]);
    this.end = isFinite(end) ? end : null;
    this.saw(wall, time);
  }
  saw(wall: number, time: number): void {
    this.seen.push({ wall, time });
    while (this.seen.length > 2 && wall - this.seen[0]!.wall > MEMORY) this.seen.shift();
  }

  // Of the whole run, 0 to 1.
  get done(): number | null {
    const last = this.seen[this.seen.length - 1];
    return last && this.end ? Math.min(1, last.time / this.end) : null;
  }
  // Seconds on the wall until it ends; null: not known yet.
  get left(): number | null {
    const [first, last] = [this.seen[0], this.seen[this.seen.length - 1]];
    if (!first || !last || this.end === null || last.wall - first.wall < SURE) return null;
    const rate = (last.time - first.time) / (last.wall - first.wall);
    return rate > 0 ? Math.max(0, this.end - last.time) / rate : null;
  }
}

// As people say it: 45 s, 3 min, 2 h 10 min.
export function duration(seconds: number): string {
  if (seconds < 1) return "under 1 s";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}
