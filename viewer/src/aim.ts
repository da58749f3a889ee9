// What a picture shows, and from where: the camera of a named view of the scene (`scene/views`), of
// the menu of views, and of `percuss render`. Lengths in m, in the axes of the run.
import type { Run } from "./run";

export interface Aim {
  camera?: number[]; // its position; with `follow`, at the first frame
  from?: number[]; // of a mesh in space: the direction to the camera, instead of its position
  look_at?: number[] | string; // the middle of the picture: a place, or a thing
  zoom?: number; // 2: half the width
  follow?: string; // the picture moves with it
  path?: number[][] | string; // rows of time, position, place that is looked at; or the view that has them
}

export interface NamedView extends Aim {
  name: string;
  color?: string;
}

// Those that the scene names.
export async function namedViews(run: Run): Promise<NamedView[]> {
  return run.has("scene/views") ? (JSON.parse(await run.text("scene/views")) as NamedView[]) : [];
}

// The things of a name: one of them, a group (`stone`: stone-1, stone-2, …), or all that begin alike (`stone-*`).
export function thingsOf(names: string[], name: string): number[] {
  const where = (fits: (other: string) => boolean) => names.flatMap((other, i) => (fits(other) ? [i] : []));
  const exact = names.indexOf(name);
  if (exact >= 0) return [exact];
  const found = name.endsWith("*")
    ? where((other) => other.startsWith(name.slice(0, -1)))
    : where((other) => other.startsWith(`${name}-`) && /^\d+$/.test(other.slice(name.length + 1)));
  if (found.length === 0) throw new Error(`no body, group or generator is named '${name}'${hint(names)}`);
  return found;
}

function hint(names: string[]): string {
  const groups = [...new Set(names.map((name) => name.replace(/-\d+$/, "")))];
  return groups.length > 0 ? ` (there is ${groups.slice(0, 8).join(", ")}${groups.length > 8 ? ", …" : ""})` : "";
}

// The mean of the places of things that have one; null: none has.
export function meanPlace(things: number[], place: ArrayLike<number>, wide: number): number[] | null {
  const sum = new Array<number>(wide).fill(0);
  let count = 0;
  for (const thing of things) {
    const at = Array.from({ length: wide }, (_, i) => place[wide * thing + i]!);
    if (!at.every(isFinite)) continue;
    at.forEach((x, i) => (sum[i]! += x));
    count++;
  }
  return count > 0 ? sum.map((x) => x / count) : null;
}

// The way of a camera through places at given times: monotone cubics between them, so that it does
// not overshoot, stands still between equal places, and stays at the ends.
export class CameraPath {
  private readonly slopes: number[][];

  constructor(private readonly rows: number[][]) {
    const n = rows.length;
    this.slopes = rows.map(() => new Array<number>(7).fill(0));
    const chord = (k: number, c: number) => (rows[k + 1]![c]! - rows[k]![c]!) / this.span(k);
    for (let c = 1; c < 7 && n > 1; c++) {
      this.slopes[0]![c] = chord(0, c);
      this.slopes[n - 1]![c] = chord(n - 2, c);
      for (let k = 1; k < n - 1; k++) {
        const [before, after] = [chord(k - 1, c), chord(k, c)];
        if (!(before * after > 0)) continue;
        const w = 2 * this.span(k) + this.span(k - 1);
        const v = this.span(k) + 2 * this.span(k - 1);
        this.slopes[k]![c] = (w + v) / (w / before + v / after);
      }
    }
  }
  private span(k: number): number {
    return this.rows[k + 1]![0]! - this.rows[k]![0]!;
  }

  // Position, and what is looked at.
  at(time: number): [number[], number[]] {
    const { rows, slopes } = this;
    const last = rows.length - 1;
    let k = 0;
    while (k < last - 1 && rows[k + 1]![0]! <= time) k++;
    const row = (): number[] => {
      if (last === 0 || time <= rows[0]![0]!) return rows[0]!;
      if (time >= rows[last]![0]!) return rows[last]!;
      const h = this.span(k);
      const t = (time - rows[k]![0]!) / h;
      const s = 1 - t;
      return rows[k]!.map(
        (p, c) =>
          s * s * (1 + 2 * t) * p +
          t * t * (3 - 2 * t) * rows[k + 1]![c]! +
          h * t * s * (s * slopes[k]![c]! - t * slopes[k + 1]![c]!),
      );
    };
    const now = row();
    return [now.slice(1, 4), now.slice(4, 7)];
  }
}
