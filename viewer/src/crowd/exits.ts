// Who left when and where, as far as the run has come, and how many by which exit as curves.
import type { Run } from "../run";
import type { CrowdScene } from "./scene";

export interface Leaving {
  time: number;
  exit: number; // goal
}

export class Exits {
  readonly goals: number[]; // those that are exits
  readonly last = new Map<number, Leaving>(); // by person
  private readonly steps = new Map<number, number[]>(); // of an exit: the steps in which somebody left, growing
  private readonly times = new Map<number, number[]>(); // the same in seconds, sorted
  private known = 0; // steps
  private rows = 0;
  private asking: Promise<void> | null = null;

  constructor(
    private readonly run: Run,
    scene: CrowdScene,
  ) {
    this.goals = scene.goals.flatMap((g, i) => (g.kind === "exit" ? [i] : []));
    for (const g of this.goals) {
      this.steps.set(g, []);
      this.times.set(g, []);
    }
    if (this.offered && this.goals.length > 0)
      run.offer(
        {
          name: "exits/count",
          type: "f64",
          shape: [0, this.goals.length],
          grows: true,
          unit: null,
          description: "people counted out so far",
          columns: this.goals.map((g) => scene.goals[g]!.name),
        },
        async (first, count, column) => {
          await this.refresh();
          const steps = this.steps.get(this.goals[column]!)!;
          let at = upTo(steps, first - 1);
          return Float64Array.from({ length: count }, (_, i) => {
            while (at < steps.length && steps[at]! <= first + i) at++;
            return at;
          });
        },
      );
  }

  get offered(): boolean {
    return this.run.has("exits/offset");
  }

  // What came since.
  async refresh(): Promise<void> {
    while (this.offered && this.run.count("exits") > this.known) {
      this.asking ??= this.read().finally(() => (this.asking = null));
      await this.asking;
    }
  }

  private async read(): Promise<void> {
    const { run } = this;
    const now = run.count("exits");
    const offset = await run.rows("exits/offset", "f64", { first: this.known, count: now - this.known + 1 });
    const part = { first: this.rows, count: offset[offset.length - 1]! - this.rows };
    const [time, person, exit] = await Promise.all([
      run.rows("exits/time", "f64", part),
      run.rows("exits/person", "i32", part),
      run.rows("exits/exit", "i32", part),
    ]);
    for (let i = 0, step = 0; i < part.count; i++) {
      while (offset[step + 1]! <= part.first + i) step++;
      this.steps.get(exit[i]!)?.push(this.known + step);
      this.times.get(exit[i]!)?.push(time[i]!);
      this.last.set(person[i]!, { time: time[i]!, exit: exit[i]! });
    }
    for (const times of this.times.values()) times.sort((a, b) => a - b);
    this.known = now;
    this.rows += part.count;
  }

  // How many have left by this exit at a time.
  count(goal: number, time: number): number {
    return upTo(this.times.get(goal) ?? [], time + 1e-9 * (1 + Math.abs(time)));
  }
}

// Numbers of a sorted list that are not above a value.
function upTo(list: number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const at = (low + high) >> 1;
    if (list[at]! <= value) low = at + 1;
    else high = at;
  }
  return low;
}
