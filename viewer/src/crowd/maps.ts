// Maps of density, speed and pressure: a number for each cell of the floors and each interval of time.
import { sampleFrames } from "../colors";
import { HEAT, RAMP, rgb, shade } from "../palette";
import type { Run } from "../run";
import type { Legend } from "../view";
import { type CrowdScene, type Floor, isInside, type Point } from "./scene";

export const MAPS = ["density", "speed", "pressure"] as const;
export type MapName = (typeof MAPS)[number];
// What is drawn: a map of the file, or the density of all squares within some 1.25 m of each.
export type Drawn = MapName | "around";
// Of the interval that holds the time; the largest up to it; the largest of all.
export type When = "now" | "so-far" | "run";

// Fruin's levels of service for walkways, from free to jammed: people per m2 where each begins, as
// the program has them (src/crowd/maps.c; Frémond 2017, table 6.2). Maps have single precision.
export const FRUIN = [0, 0.3, 0.4, 0.7, 1.1, 2].map(Math.fround);
const LETTERS = ["A", "B", "C", "D", "E", "F"];
export const LEVELS = ["#d6e8f5", "#a3cfe6", "#9fd6a0", "#f4dc6a", "#f0953f", "#cf3430"];

export function levelOf(density: number): number {
  let level = 0;
  while (level < 5 && density >= FRUIN[level + 1]!) level++;
  return level;
}

const AROUND = 1.25; // m, as the program has it for levels of service
const MOST_REACH = 5; // squares

// The grid of a floor: where its pixels are, and which cell each of them is.
interface Grid {
  low: [number, number]; // the corner of the first pixel, less the scene's origin
  columns: number;
  rows: number;
  pixel: Int32Array; // of each cell of the floor
  cell: Int32Array;
  anchor: Point[]; // a place of each where one may be
  walled: boolean; // all of them are in rooms
}

// One pixel a cell.
export interface MapPicture {
  canvas: HTMLCanvasElement;
  low: [number, number];
  size: [number, number];
  walled: boolean; // what is beyond the walls of rooms is not of it
}

const FAINT = 0.01; // of the largest pressure
const AT_ONCE = 4 << 20; // bytes of rows in one request

export class Maps {
  readonly offered: boolean;
  spacing = 1;
  private readonly grids: Grid[] = [];
  private area: Float64Array = new Float64Array(0);
  private near: { start: Int32Array; list: Int32Array } | null = null; // cells around each
  private cells = 0;
  private times: Float64Array = new Float64Array(0);
  private readonly kept = new Map<string, Float32Array>();
  private readonly largest = new Map<string, number>(); // of a map, as far as it was looked at
  private looked = 0; // intervals there were then
  private drawn = ""; // what the pictures show
  private readonly pictures: HTMLCanvasElement[] = [];

  private constructor(
    private readonly run: Run,
    private readonly scene: CrowdScene,
  ) {
    this.offered = run.has("maps/centre") && MAPS.some((name) => run.has(`maps/${name}`));
  }

  static async open(run: Run, scene: CrowdScene): Promise<Maps> {
    const maps = new Maps(run, scene);
    if (maps.offered) await maps.lay();
    return maps;
  }

  has(name: string): boolean {
    return this.offered && this.run.has(`maps/${name}`);
  }

  private async lay(): Promise<void> {
    const { run, scene } = this;
    const [floor, area, centre, spacing] = await Promise.all([
      run.all("maps/floor", "i32"),
      run.all("maps/area", "f64"),
      run.rows("maps/centre", "f64", { first: 0, count: run.length("maps/centre"), minus: scene.origin.subarray(0, 2) }),
      run.all("maps/spacing", "f64"),
    ]);
    this.spacing = spacing[0] ?? 1;
    this.cells = floor.length;
    this.area = area;
    for (let f = 0; f < scene.floors.length; f++) {
      const cell = Int32Array.from(floor.keys()).filter((c) => floor[c] === f);
      const x = (c: number) => centre[2 * c]!;
      const y = (c: number) => centre[2 * c + 1]!;
      let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
      for (const c of cell) {
        left = Math.min(left, x(c));
        right = Math.max(right, x(c));
        bottom = Math.min(bottom, y(c));
        top = Math.max(top, y(c));
      }
      const columns = cell.length ? Math.round((right - left) / this.spacing) + 1 : 0;
      const rows = cell.length ? Math.round((top - bottom) / this.spacing) + 1 : 0;
      const pixel = cell.map((c) => Math.round((top - y(c)) / this.spacing) * columns + Math.round((x(c) - left) / this.spacing));
      const places = new Places(scene.floors[f]!);
      const anchor = Array.from(cell, (c) => places.free([x(c), y(c)], this.spacing));
      const walled = anchor.every((a) => places.inRoom(a));
      this.grids.push({ low: [left - this.spacing / 2, bottom - this.spacing / 2], columns, rows, pixel, cell, anchor, walled });
    }
  }

  // The interval that holds a time; the last one there is if none does yet. -1: there is none at all.
  private at(time: number): number {
    const eps = 1e-9 * (1 + Math.abs(time));
    for (let low = 0, high = this.times.length; ; ) {
      if (low >= high) return Math.min(low, this.times.length - 1);
      const middle = (low + high) >> 1;
      if (this.times[middle]! >= time - eps) high = middle;
      else low = middle + 1;
    }
  }

  // The squares within a reach that a straight way leads to, for every cell.
  private lookAround(): { start: Int32Array; list: Int32Array } {
    const reach = Math.max(0, Math.min(MOST_REACH, Math.round(AROUND / this.spacing - 0.5)));
    const start = new Int32Array(this.cells + 1);
    const found: Int32Array[] = [];
    for (const [f, grid] of this.grids.entries()) {
      const { columns, rows } = grid;
      const cellAt = new Int32Array(columns * rows).fill(-1); // in the order of the floor
      grid.pixel.forEach((p, i) => (cellAt[p] = i));
      const walls = new Walls(this.scene.floors[f]!, 2 * (reach + 1) * this.spacing);
      grid.pixel.forEach((p, i) => {
        const [column, row] = [p % columns, Math.floor(p / columns)];
        const here = grid.anchor[i]!;
        const nearby = walls.about(here);
        const list: number[] = [];
        for (let r = Math.max(0, row - reach); r <= Math.min(rows - 1, row + reach); r++)
          for (let k = Math.max(0, column - reach); k <= Math.min(columns - 1, column + reach); k++) {
            const other = cellAt[r * columns + k]!;
            if (other === i || (other >= 0 && !crosses(nearby, here, grid.anchor[other]!))) list.push(grid.cell[other]!);
          }
        found[grid.cell[i]!] = Int32Array.from(list);
      });
    }
    for (let c = 0; c < this.cells; c++) start[c + 1] = start[c]! + (found[c]?.length ?? 0);
    const list = new Int32Array(start[this.cells]!);
    found.forEach((part, c) => list.set(part, start[c]!));
    return { start, list };
  }

  // Rows of densities, each of the squares around a cell together.
  private spread(rows: Float32Array): Float32Array {
    const { start, list } = (this.near ??= this.lookAround());
    const out = new Float32Array(rows.length);
    for (let first = 0; first < rows.length; first += this.cells)
      for (let c = 0; c < this.cells; c++) {
        let [people, area] = [0, 0];
        for (let k = start[c]!; k < start[c + 1]!; k++) {
          const o = list[k]!;
          people += rows[first + o]! * this.area[o]!;
          area += this.area[o]!;
        }
        out[first + c] = area > 0 ? people / area : 0;
      }
    return out;
  }

  private key(name: string, when: When, time: number): string {
    const to = when === "run" ? this.times.length - 1 : this.at(time);
    return `${name} ${when === "now" ? "now" : "most"} ${to}`;
  }

  // All that the picture of this time needs is here.
  ready(name: string, when: When, time: number): boolean {
    const count = this.run.count("maps");
    if (count === 0) return true;
    const fresh = when === "run" ? this.times.length === count : this.times.length > 0 && (this.times.length === count || this.times[this.times.length - 1]! >= time);
    return fresh && this.scaled(name) && this.kept.has(this.key(name, when, time));
  }

  private scaled(name: string): boolean {
    return name === "density" || name === "around" || this.largest.has(name);
  }

  async load(name: string, when: When, time: number): Promise<void> {
    const { run } = this;
    const count = run.count("maps");
    if (count === 0) return;
    if (count > this.times.length) this.times = await run.rows("maps/time", "f64", { first: 0, count });
    if (!this.scaled(name) || (this.largest.has(name) && run.running && this.times.length >= 2 * this.looked)) await this.look(name);
    const key = this.key(name, when, time);
    if (this.kept.has(key)) return;
    const to = Number(key.split(" ")[2]);
    const row = when === "now" ? await this.rows(name, to, 1) : await this.most(name, to);
    if (this.kept.size > 400) this.kept.clear();
    this.kept.set(key, row);
  }

  private async rows(name: string, first: number, count: number): Promise<Float32Array> {
    const rows = await this.run.rows(`maps/${name === "around" ? "density" : name}`, "f32", { first, count });
    return name === "around" ? this.spread(rows) : rows;
  }

  // The largest of each cell up to an interval; from the last one that was asked for, if it was before.
  private async most(name: string, to: number): Promise<Float32Array> {
    let from = to;
    while (from >= 0 && !this.kept.has(`${name} most ${from}`)) from--;
    const out = from >= 0 ? this.kept.get(`${name} most ${from}`)!.slice() : new Float32Array(this.cells).fill(-1);
    const part = Math.max(1, Math.floor(AT_ONCE / (4 * this.cells)));
    for (let first = from + 1; first <= to; first += part) {
      const count = Math.min(part, to + 1 - first);
      const rows = await this.rows(name, first, count);
      for (let i = 0; i < rows.length; i++) {
        const c = i % this.cells;
        if (rows[i]! > out[c]!) out[c] = rows[i]!;
      }
    }
    return out;
  }

  // The scale, from intervals spread over the run.
  private async look(name: string): Promise<void> {
    let largest = 0;
    this.looked = this.times.length;
    await Promise.all(
      sampleFrames(this.looked, 4 * this.cells).map(async (i) => {
        for (const v of await this.rows(name, i, 1)) if (v > largest) largest = v;
      }),
    );
    this.largest.set(name, largest);
  }

  legend(name: Drawn, when: When): Legend {
    const titles = { density: "Density", around: "Density", speed: "Mean speed", pressure: "Pressure" };
    const units = { density: "people/m²", around: "people/m²", speed: "m/s", pressure: "N/m²" };
    const title = titles[name] + (when === "now" ? "" : when === "run" ? ", largest of the run" : ", largest so far");
    const legend = { title, unit: units[name], low: 0, high: this.largest.get(name) ?? 0 };
    if (name === "speed" || name === "pressure") return { ...legend, colors: name === "speed" ? RAMP : HEAT };
    const end = (k: number) => FRUIN[k]!.toFixed(1);
    const words = LETTERS.map((l, k) => (k === 0 ? `${l}  below ${end(1)}` : `${l}  from ${end(k)}`));
    return { ...legend, title: `${title} (Fruin)`, colors: LEVELS, words };
  }

  // The map of a floor as a picture of one pixel a cell; null: there is none.
  picture(name: Drawn, when: When, time: number, floor: number): MapPicture | null {
    const key = this.key(name, when, time);
    const row = this.kept.get(key);
    const grid = this.grids[floor];
    if (!row || !grid || grid.cell.length === 0) return null;
    const what = `${key} ${this.largest.get(name)}`;
    if (this.drawn !== what) {
      this.drawn = what;
      this.pictures.length = 0;
    }
    const canvas = (this.pictures[floor] ??= this.draw(name, grid, row));
    return { canvas, low: grid.low, walled: grid.walled, size: [grid.columns * this.spacing, grid.rows * this.spacing] };
  }

  private draw(name: Drawn, grid: Grid, row: Float32Array): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = grid.columns;
    canvas.height = grid.rows;
    const pen = canvas.getContext("2d")!;
    const image = pen.createImageData(grid.columns, grid.rows);
    const ramp = (name === "speed" ? RAMP : HEAT).map(rgb);
    const levels = LEVELS.map(rgb);
    const scale = this.largest.get(name) || 1;
    grid.cell.forEach((c, i) => {
      const value = row[c]!;
      const to = 4 * grid.pixel[i]!;
      // Nobody there, or hardly any pressure: no colour. The lowest colour of a speed is standing.
      if (!(name === "speed" ? value >= 0 : value > (name === "pressure" ? FAINT * scale : 0))) return;
      if (name === "density" || name === "around") {
        const color = levels[levelOf(value)]!;
        for (let k = 0; k < 3; k++) image.data[to + k] = 255 * color[k]!;
      } else shade(value / scale, image.data, to, 255, ramp);
      image.data[to + 3] = 255;
    });
    pen.putImageData(image, 0, 0);
    return canvas;
  }
}

// Where one may be on a floor.
class Places {
  private readonly solids: Point[][];
  private readonly rooms: Point[][];

  constructor(private readonly floor: Floor) {
    this.solids = floor.lines.filter((line) => line.solid).map((line) => line.points);
    this.rooms = floor.rooms;
  }

  inRoom(p: Point): boolean {
    return this.rooms.some((room) => isInside(room, p));
  }

  // The middle of a square, or another place of it, outside obstacles and in a room if there is one.
  free(middle: Point, spacing: number): Point {
    const fits = (p: Point) =>
      !this.solids.some((s) => isInside(s, p)) && !this.floor.pillars.some(([x, y, r]) => Math.hypot(p[0] - x, p[1] - y) < r);
    if (fits(middle) && this.inRoom(middle)) return middle;
    const others = TRIES.map(([dx, dy]): Point => [middle[0] + dx * spacing, middle[1] + dy * spacing]).filter(fits);
    return others.find((p) => this.inRoom(p)) ?? others[0] ?? middle;
  }
}

// Places of a square of side 1, nearest to its middle first.
const STEPS = [-0.45, -0.35, -0.25, -0.15, -0.05, 0.05, 0.15, 0.25, 0.35, 0.45];
const TRIES = STEPS.flatMap((x) => STEPS.map((y): Point => [x, y])).sort((a, b) => Math.hypot(...a) - Math.hypot(...b));

type Segment = [Point, Point];

// The walls of a floor, sorted into squares, so that only those near a place are asked.
class Walls {
  private readonly squares = new Map<string, Segment[]>();

  constructor(
    floor: Floor,
    private readonly size: number,
  ) {
    for (const { points, closed } of floor.lines)
      for (let i = closed ? 0 : 1; i < points.length; i++) {
        const segment: Segment = [points[(i + points.length - 1) % points.length]!, points[i]!];
        const [a, b] = segment;
        const at = (k: 0 | 1) => [Math.floor(Math.min(a[k], b[k]) / size), Math.floor(Math.max(a[k], b[k]) / size)] as const;
        const [[left, right], [low, high]] = [at(0), at(1)];
        for (let x = left - 1; x <= right + 1; x++)
          for (let y = low - 1; y <= high + 1; y++) {
            const key = `${x} ${y}`;
            this.squares.set(key, [...(this.squares.get(key) ?? []), segment]);
          }
      }
  }

  about([x, y]: Point): Segment[] {
    return this.squares.get(`${Math.floor(x / this.size)} ${Math.floor(y / this.size)}`) ?? [];
  }
}

// A straight way from p to q is barred by one of these.
function crosses(walls: Segment[], p: Point, q: Point): boolean {
  const side = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  return walls.some(([a, b]) => side(p, q, a) * side(p, q, b) < 0 && side(a, b, p) * side(a, b, q) < 0);
}
