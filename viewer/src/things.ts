// Numbers of one thing of many, read from the frames of a run as they are.
import type { Run } from "./run";
import type { History } from "./view";

export class Recorded {
  constructor(
    private readonly run: Run,
    // Where the thing is in a series; undefined: it is alone there, and the file has no such dimension.
    private readonly place: (name: string, thing: number) => number | undefined,
  ) {}

  rows(name: string, thing: number, first: number, count = 1, every = 1, signal?: AbortSignal): Promise<Float64Array> {
    const second = this.place(name, thing);
    const part = { first, count, every };
    return this.run.rows(`frames/${name}`, "f64", second === undefined ? part : { ...part, second }, signal);
  }

  // `of` finds the number of the i-th frame in the rows of a thing.
  history(id: string, title: string, unit: string, name: string, of: (v: Float64Array, i: number, thing: number) => number): History {
    return {
      id,
      title,
      unit,
      values: async (thing, first, count, every, signal) => {
        const all = await this.rows(name, thing, first, count, every, signal);
        return Array.from({ length: count }, (_, i) => of(all, i, thing));
      },
    };
  }
}
