// A run as the program serves it: named arrays that may grow. Knows no applications.
import { Signal } from "./signal";

export type DatasetType = "f64" | "f32" | "i32" | "i64" | "u8" | "text";

export interface Dataset {
  name: string;
  type: DatasetType;
  shape: number[];
  grows: boolean; // the first dimension counts frames or steps
  unit: string | null;
  description: string | null;
  columns?: string[]; // names of the numbers of a row
}

// A series that the page makes from others: numbers of rows, one column.
export type Maker = (first: number, count: number, column: number) => Promise<Float64Array>;

interface RunAnswer {
  program: string;
  file: string;
  kind: string;
  complete: number;
  bytes: number;
  groups: Record<string, number>;
  datasets: Dataset[];
}

interface StateAnswer {
  complete: number;
  running: boolean;
  groups: Record<string, number>;
  read: number;
}

export interface Selected {
  first: number;
  count?: number; // 1
  every?: number; // 1
  second?: number; // only these of the second dimension
  seconds?: number;
  minus?: ArrayLike<number>; // subtracted, repeated along the last dimension
}

const ARRAYS = { f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array };
type Arrays = { f32: Float32Array; f64: Float64Array; i32: Int32Array; u8: Uint8Array };
export type NumberType = keyof Arrays;

// What one answer may hold (the server refuses more).
const ANSWER_BYTES = 4 << 20;

// The program does not answer, or cannot. 'percuss render' knows by the name that nothing that it
// was asked for is wrong.
class Unserved extends Error {
  static {
    this.prototype.name = "Unserved"; // the stack has it only from there
  }
}

async function get(path: string, signal?: AbortSignal): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unserved("the program that serves this page has ended");
  }
  if (!answer.ok) throw new Unserved(`${path.split("?")[0]}: ${(await answer.text()).trim()}`);
  return answer;
}

// As the server does it: the smallest and the largest value of `most` / 2 parts, as they occur.
function thin(all: Float64Array, most: number): Float64Array {
  if (all.length <= most) return all;
  const parts = most >> 1;
  const out = new Float64Array(2 * parts);
  for (let p = 0; p < parts; p++) {
    const from = Math.floor((p * all.length) / parts);
    const end = Math.floor(((p + 1) * all.length) / parts);
    let [low, high] = [from, from];
    for (let i = from; i < end; i++) {
      if (all[i]! < all[low]!) low = i;
      if (all[i]! > all[high]!) high = i;
    }
    out[2 * p] = all[Math.min(low, high)]!;
    out[2 * p + 1] = all[Math.max(low, high)]!;
  }
  return out;
}

// Requests wait for each other in one line of two, so that a seek is not behind a hundred others.
class Gate {
  private busy = 0;
  private waiting: (() => void)[] = [];
  constructor(private readonly most: number) {}
  async enter(): Promise<void> {
    if (this.busy >= this.most) await new Promise<void>((go) => this.waiting.push(go));
    this.busy++;
  }
  leave(): void {
    this.busy--;
    this.waiting.shift()?.();
  }
}

export class Run {
  private readonly byName = new Map<string, Dataset>();
  private readonly made = new Map<string, Maker>();
  readonly changed = new Signal(); // more rows, or it has ended
  private readonly gate = new Gate(4);
  running = false;

  private constructor(
    readonly program: string,
    readonly file: string,
    readonly kind: string,
    readonly bytes: number,
    public complete: number,
    private groups: Record<string, number>,
    readonly datasets: Dataset[],
  ) {
    for (const dataset of datasets) this.byName.set(dataset.name, dataset);
  }

  static async open(): Promise<Run> {
    const a = (await (await get("api/run")).json()) as RunAnswer;
    return new Run(a.program, a.file, a.kind, a.bytes, a.complete, a.groups, a.datasets);
  }

  // From now on the run has this series too, for curves.
  offer(dataset: Dataset, make: Maker): void {
    if (this.byName.has(dataset.name)) return;
    this.byName.set(dataset.name, dataset);
    this.datasets.push(dataset);
    this.made.set(dataset.name, make);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  dataset(name: string): Dataset {
    const found = this.byName.get(name);
    if (!found) throw new Error(`the run has no '${name}'`);
    return found;
  }

  // Frames (or steps) that every series of the group has.
  count(group: string): number {
    return this.groups[group] ?? 0;
  }

  // Rows that a dataset has now.
  length(name: string): number {
    const dataset = this.dataset(name);
    return dataset.grows ? this.count(name.slice(0, name.indexOf("/"))) : (dataset.shape[0] ?? 0);
  }

  // Numbers in one row.
  width(name: string): number {
    return this.dataset(name).shape.slice(1).reduce((a, b) => a * b, 1);
  }

  async text(name: string): Promise<string> {
    return (await get(`api/text?name=${encodeURIComponent(name)}`)).text();
  }

  async lines(name: string): Promise<string[]> {
    if (!this.has(name)) return [];
    const text = await this.text(name);
    return text.endsWith("\n") ? text.slice(0, -1).split("\n") : text ? text.split("\n") : [];
  }

  // One column of a series, as it is.
  async column(name: string, column: number, first: number, count: number): Promise<Float64Array> {
    const make = this.made.get(name);
    if (make) return make(first, count, column);
    const all = await this.rows(name, "f64", { first, count });
    const wide = this.width(name);
    return wide === 1 ? all : all.filter((_, i) => i % wide === column);
  }

  // Rows of a dataset; long ones come in several answers.
  async rows<T extends NumberType>(
    name: string,
    as: T,
    part: Selected,
    signal?: AbortSignal,
  ): Promise<Arrays[T]> {
    const shape = this.dataset(name).shape;
    const inner = shape.slice(2).reduce((a, b) => a * b, 1);
    const wide = (part.second === undefined ? (shape[1] ?? 1) : (part.seconds ?? 1)) * inner;
    const count = part.count ?? 1;
    const every = part.every ?? 1;
    const make = ARRAYS[as];
    const most = Math.max(1, Math.floor(ANSWER_BYTES / (wide * make.BYTES_PER_ELEMENT || 1)));
    let all: Arrays[T] | null = null;
    const jobs: Promise<void>[] = [];
    for (let done = 0; done < count; done += most) {
      const now = Math.min(most, count - done);
      const query = new URLSearchParams({
        name,
        as,
        first: String(part.first + done * every),
        count: String(now),
        every: String(every),
      });
      if (part.second !== undefined) {
        query.set("second", String(part.second));
        query.set("seconds", String(part.seconds ?? 1));
      }
      if (part.minus) query.set("minus", Array.from(part.minus).join(","));
      jobs.push(
        this.binary(`api/rows?${query}`, signal).then((buffer) => {
          const got = new make(buffer) as Arrays[T];
          if (got.length !== now * wide) throw new Error(`${name}: a short answer`);
          if (now === count) {
            all = got;
            return;
          }
          all ??= new make(count * wide) as Arrays[T];
          all.set(got as never, done * wide);
        }),
      );
    }
    await Promise.all(jobs);
    return all ?? (new make(0) as Arrays[T]);
  }

  // All rows of an array that does not grow.
  all<T extends NumberType>(name: string, as: T): Promise<Arrays[T]> {
    if (!this.has(name)) return Promise.resolve(new ARRAYS[as](0) as Arrays[T]);
    return this.rows(name, as, { first: 0, count: this.length(name) });
  }

  // Values of a series for drawing: all of them, or the extremes of `most` / 2 parts of it.
  async curve(
    name: string,
    column: number,
    first: number,
    count: number,
    most: number,
    signal?: AbortSignal,
  ): Promise<Float64Array> {
    const make = this.made.get(name);
    if (make) return thin(await make(first, count, column), most);
    const query = new URLSearchParams({
      name,
      column: String(column),
      first: String(first),
      count: String(count),
      most: String(most),
    });
    return new Float64Array(await this.binary(`api/curve?${query}`, signal));
  }

  private async binary(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
    await this.gate.enter();
    try {
      return await (await get(path, signal)).arrayBuffer();
    } finally {
      this.gate.leave();
    }
  }

  // What came since, and whether more is to come. Tells the listeners if something changed.
  async refresh(): Promise<StateAnswer> {
    const state = (await (await get("api/state")).json()) as StateAnswer;
    const changed =
      state.complete !== this.complete ||
      state.running !== this.running ||
      JSON.stringify(state.groups) !== JSON.stringify(this.groups);
    this.complete = state.complete;
    this.running = state.running;
    this.groups = state.groups;
    if (changed) this.changed.send();
    return state;
  }
}
