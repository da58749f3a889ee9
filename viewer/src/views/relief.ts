// Heights over a horizontal grid: of terrain, of obstacles, of bodies from above. Hill shading,
// contours by marching squares, and the thickness of what lies on the ground
// (docs/run-format.md, The deposit).
import type { Frame } from "../rigid/frames";
import type { RigidScene } from "../rigid/scene";
import { type Model, Models, rotation } from "./space/shapes";

export interface Window {
  low: [number, number];
  high: [number, number];
}

// Values at the middles of cells; -Infinity: nothing there.
export class Grid {
  readonly value: Float32Array;

  private constructor(
    readonly low: [number, number],
    readonly cell: number, // m
    readonly columns: number,
    readonly rows: number,
  ) {
    this.value = new Float32Array(columns * rows).fill(-Infinity);
  }
  static over({ low, high }: Window, cell: number): Grid {
    const count = (c: 0 | 1) => Math.max(1, Math.ceil((high[c] - low[c]) / cell));
    return new Grid(low, cell, count(0), count(1));
  }
  // Another one with the same cells, empty.
  alike(): Grid {
    return new Grid(this.low, this.cell, this.columns, this.rows);
  }
  get high(): [number, number] {
    return [this.low[0] + this.columns * this.cell, this.low[1] + this.rows * this.cell];
  }
  raised = 0; // how often a cell was asked to rise

  x(i: number): number {
    return this.low[0] + (i + 0.5) * this.cell;
  }
  y(j: number): number {
    return this.low[1] + (j + 0.5) * this.cell;
  }

  // The cells whose middles are within these bounds.
  private span(from: number, to: number, axis: 0 | 1): [number, number] {
    const most = (axis === 0 ? this.columns : this.rows) - 1;
    const at = (v: number) => (v - this.low[axis]) / this.cell - 0.5;
    return [Math.max(0, Math.ceil(at(from) - 1e-9)), Math.min(most, Math.floor(at(to) + 1e-9))];
  }

  // Calls `take` with the row, and the first and last column of each row of a triangle.
  triangle(p: Float64Array, a: number, b: number, c: number): void {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = [p[a]!, p[a + 1]!, p[a + 2]!, p[b]!, p[b + 1]!, p[b + 2]!, p[c]!, p[c + 1]!, p[c + 2]!];
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (area === 0 || !isFinite(area)) return;
    const [i0, i1] = this.span(Math.min(ax, bx, cx), Math.max(ax, bx, cx), 0);
    const [j0, j1] = this.span(Math.min(ay, by, cy), Math.max(ay, by, cy), 1);
    for (let j = j0; j <= j1; j++)
      for (let i = i0; i <= i1; i++) {
        const [x, y] = [this.x(i), this.y(j)];
        const u = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area;
        const v = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area;
        const w = 1 - u - v;
        if (u < -1e-9 || v < -1e-9 || w < -1e-9) continue;
        this.raise(j * this.columns + i, u * az + v * bz + w * cz);
      }
  }
  ball(x: number, y: number, z: number, radius: number): void {
    const [i0, i1] = this.span(x - radius, x + radius, 0);
    const [j0, j1] = this.span(y - radius, y + radius, 1);
    for (let j = j0; j <= j1; j++)
      for (let i = i0; i <= i1; i++) {
        const left = radius ** 2 - (this.x(i) - x) ** 2 - (this.y(j) - y) ** 2;
        if (left >= 0) this.raise(j * this.columns + i, z + Math.sqrt(left));
      }
  }
  private raise(at: number, z: number): void {
    this.raised++;
    if (z > this.value[at]!) this.value[at] = z;
  }
  // The cell of a place.
  lift(x: number, y: number, z: number): void {
    const k = this.index(x, y);
    if (k >= 0) this.raise(k, z);
  }
  // At a place, -Infinity outside.
  at(x: number, y: number): number {
    const k = this.index(x, y);
    return k >= 0 ? this.value[k]! : -Infinity;
  }
  private index(x: number, y: number): number {
    const i = Math.floor((x - this.low[0]) / this.cell);
    const j = Math.floor((y - this.low[1]) / this.cell);
    return i >= 0 && j >= 0 && i < this.columns && j < this.rows ? j * this.columns + i : -1;
  }
  // Between the middles of cells, where all four are known.
  between(x: number, y: number): number {
    const [u, v] = [(x - this.low[0]) / this.cell - 0.5, (y - this.low[1]) / this.cell - 0.5];
    const [i, j] = [Math.floor(u), Math.floor(v)];
    if (i < 0 || j < 0 || i + 1 >= this.columns || j + 1 >= this.rows) return this.at(x, y);
    const k = j * this.columns + i;
    const [a, b, c, d] = [this.value[k]!, this.value[k + 1]!, this.value[k + this.columns]!, this.value[k + this.columns + 1]!];
    const [s, t] = [u - i, v - j];
    const z = (1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d);
    return isFinite(z) ? z : this.at(x, y);
  }
}

export interface Contour {
  level: number;
  lines: Float64Array; // x, y of both ends, 4 each
}

// Lines of equal value by marching squares between the middles of cells.
export function contoursOf(grid: Grid, levels: number[]): Contour[] {
  const { columns, rows, value } = grid;
  return levels.map((level) => {
    const out: number[] = [];
    for (let j = 0; j + 1 < rows; j++)
      for (let i = 0; i + 1 < columns; i++) {
        const k = j * columns + i;
        const corner = [value[k]!, value[k + 1]!, value[k + columns + 1]!, value[k + columns]!];
        if (!corner.every(isFinite)) continue;
        const cut: number[] = [];
        for (let e = 0; e < 4; e++) {
          const [a, b] = [corner[e]! - level, corner[(e + 1) % 4]! - level];
          if (a >= 0 === b >= 0) continue;
          const t = a / (a - b);
          cut.push(grid.x(i + [t, 1, 1 - t, 0][e]!), grid.y(j + [0, t, 1, 1 - t][e]!));
        }
        for (let c = 0; c + 3 < cut.length; c += 4) out.push(cut[c]!, cut[c + 1]!, cut[c + 2]!, cut[c + 3]!);
      }
    return { level, lines: Float64Array.from(out) };
  });
}

// A picture of the heights in the light from the north-west, as maps have it.
export function shadeOf(grid: Grid, paper: [number, number, number]): HTMLCanvasElement {
  const { columns, rows, value, cell } = grid;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [columns, rows];
  const pen = canvas.getContext("2d")!;
  const image = pen.createImageData(columns, rows);
  const at = (i: number, j: number) => value[Math.max(0, Math.min(rows - 1, j)) * columns + Math.max(0, Math.min(columns - 1, i))]!;
  const slope = (a: number, b: number) => (isFinite(a) && isFinite(b) ? (a - b) / (2 * cell) : 0);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      if (!isFinite(value[j * columns + i]!)) continue;
      const [gx, gy] = [slope(at(i + 1, j), at(i - 1, j)), slope(at(i, j + 1), at(i, j - 1))];
      // The cosine with the sun, 45 degrees high.
      const light = (0.5 * gx - 0.5 * gy + Math.SQRT1_2) / Math.hypot(gx, gy, 1);
      const bright = 0.8 + 0.28 * Math.max(0, light);
      const to = 4 * ((rows - 1 - j) * columns + i);
      for (let c = 0; c < 3; c++) image.data[to + c] = Math.min(255, (0.45 * paper[c]! + 0.55 * 255) * bright);
      image.data[to + 3] = 255;
    }
  pen.putImageData(image, 0, 0);
  return canvas;
}

const MOST = 700; // cells along the longer side of a map of terrain
const DEPOSIT = 400; // and of a whole deposit
const FINE = 0.1; // usual radii: a deposit's cells are not smaller
const LIFTED = 0.01; // radii, to which a body at rest could rise
const SPARE = 0.25; // of the longer side: so much more than what is seen is mapped, on each side

export class Relief {
  readonly terrain: number[]; // obstacles that are meshes or heights
  private readonly r = new Float64Array(9);
  private point = new Float64Array(256);
  private land: Grid | null = null;
  private grounds = new Map<string, Grid>(); // of the whole deposit, and of what is seen of it

  constructor(
    private readonly scene: RigidScene,
    private readonly models = new Models(scene),
  ) {
    this.terrain = [];
    for (let b = 0; b < scene.count; b++) {
      const type = scene.shapes[scene.shape[b]!]?.type;
      if (scene.kind[b] !== 0 && (type === "mesh" || type === "heights")) this.terrain.push(b);
    }
  }

  private placed(frame: Frame, b: number): Model | null {
    const o = frame.orientation;
    const p = frame.position;
    if (!isFinite(p[3 * b]! + p[3 * b + 1]! + p[3 * b + 2]! + o[4 * b]!)) return null;
    rotation(o[4 * b]!, o[4 * b + 1]!, o[4 * b + 2]!, o[4 * b + 3]!, this.r);
    return this.models.of(b);
  }
  // Points of a surface in the scene, in `point`.
  private place(frame: Frame, b: number, points: Float32Array): Float64Array {
    if (this.point.length < points.length) this.point = new Float64Array(2 * points.length);
    const { r, point } = this;
    for (let i = 0; i < points.length; i += 3)
      for (let c = 0; c < 3; c++)
        point[i + c] = frame.position[3 * b + c]! + r[3 * c]! * points[i]! + r[3 * c + 1]! * points[i + 1]! + r[3 * c + 2]! * points[i + 2]!;
    return point;
  }

  // A body's top over the grid.
  private raise(grid: Grid, frame: Frame, b: number): void {
    const model = this.placed(frame, b);
    if (!model) return;
    for (const part of [model.facets, model.soft]) {
      if (!part) continue;
      const p = this.place(frame, b, part.points);
      for (let t = 0; t < part.index.length; t += 3) grid.triangle(p, 3 * part.index[t]!, 3 * part.index[t + 1]!, 3 * part.index[t + 2]!);
    }
    const { r } = this;
    for (let i = 0; i < model.balls.length; i += 4) {
      const [x, y, z] = [0, 1, 2].map(
        (c) => frame.position[3 * b + c]! + r[3 * c]! * model.balls[i]! + r[3 * c + 1]! * model.balls[i + 1]! + r[3 * c + 2]! * model.balls[i + 2]!,
      );
      grid.ball(x!, y!, z!, model.balls[i + 3]!);
    }
    if (model.plane) this.raisePlane(grid, frame, b, model.plane);
  }
  private raisePlane(grid: Grid, frame: Frame, b: number, plane: Float32Array): void {
    const { r } = this;
    const turn = (i: number) => [0, 1, 2].map((c) => r[3 * c]! * plane[i]! + r[3 * c + 1]! * plane[i + 1]! + r[3 * c + 2]! * plane[i + 2]!);
    const [nx, ny, nz] = turn(0);
    const [x, y, z] = turn(3).map((t, i) => t + frame.position[3 * b + i]!);
    if (nz! < 0.1) return; // a wall
    for (let j = 0, at = 0; j < grid.rows; j++)
      for (let i = 0; i < grid.columns; i++, at++) {
        const height = z! - (nx! * (grid.x(i) - x!) + ny! * (grid.y(j) - y!)) / nz!;
        if (height > grid.value[at]!) grid.value[at] = height;
      }
  }

  // Heights of the terrain; null: there is none.
  map(frame: Frame): Grid | null {
    return (this.land ??= this.terrain.length > 0 ? this.gridOf(frame, this.terrain) : null);
  }
  private gridOf(frame: Frame, bodies: number[]): Grid | null {
    const low: [number, number] = [Infinity, Infinity];
    const high: [number, number] = [-Infinity, -Infinity];
    for (const b of bodies) {
      const model = this.placed(frame, b);
      if (!model?.soft) continue;
      const p = this.place(frame, b, model.soft.points);
      for (let i = 0; i < model.soft.points.length; i += 3)
        for (let c = 0; c < 2; c++) {
          low[c] = Math.min(low[c]!, p[i + c]!);
          high[c] = Math.max(high[c]!, p[i + c]!);
        }
    }
    const long = Math.max(high[0] - low[0], high[1] - low[1]);
    if (!(long > 0)) return null;
    const grid = Grid.over({ low, high }, long / MOST);
    for (const b of bodies) this.raise(grid, frame, b);
    return grid;
  }

  // The height of the terrain at a place; -Infinity: there is none. Meshes with walls, below which
  // there may be room, are none.
  landAt(frame: Frame, x: number, y: number): number {
    if (this.slopes === null) {
      const lands = this.terrain.filter((b) => this.facesUp(frame, b));
      this.slopes = (lands.length > 0 ? this.gridOf(frame, lands) : null) ?? undefined;
    }
    return this.slopes?.between(x, y) ?? -Infinity;
  }
  private slopes: Grid | null | undefined = null; // null: not made yet

  // Whether no triangle of a terrain looks down.
  private facesUp(frame: Frame, b: number): boolean {
    const model = this.placed(frame, b);
    if (!model?.soft) return false;
    const { points, index } = model.soft;
    const p = this.place(frame, b, points);
    for (let t = 0; t < index.length; t += 3) {
      const [i, j, k] = [3 * index[t]!, 3 * index[t + 1]!, 3 * index[t + 2]!];
      if ((p[j]! - p[i]!) * (p[k + 1]! - p[i + 1]!) < (p[k]! - p[i]!) * (p[j + 1]! - p[i + 1]!)) return false;
    }
    return true;
  }

  // The thickness of the whole deposit.
  deposit(frame: Frame): Grid | null {
    const window = this.windowOf(frame);
    if (!window) return null;
    const long = Math.max(window.high[0] - window.low[0], window.high[1] - window.low[1]);
    return this.thickness(frame, this.groundOf("whole", frame, window, Math.max((1.3 * long) / DEPOSIT, this.finest), 3));
  }
  // And of what is seen of it, in cells of about that size.
  depositIn(frame: Frame, seen: Window, cell: number): Grid {
    return this.thickness(frame, this.groundOf("seen", frame, seen, Math.max(cell, this.finest), 3));
  }
  get finest(): number {
    return FINE * this.scene.usualRadius;
  }

  // Whether a body is no part of a deposit: its speed would lift it by a part of its radius, or is more
  // than what two steps of gravity give.
  private moves(frame: Frame, b: number): boolean {
    const v = frame.velocity;
    const { scene } = this;
    const gravity = Math.hypot(...scene.gravity);
    if (!v || !(gravity > 0)) return false;
    const usual = Math.max(2 * gravity * scene.step, Math.sqrt(2 * gravity * LIFTED * scene.radius[b]!));
    return Math.hypot(v[3 * b]!, v[3 * b + 1]!, v[3 * b + 2]!) > usual;
  }
  moving = 0; // bodies that the last deposit is without

  // The top of the highest body over the middle of a cell, less the ground there, of all bodies at rest
  // whose centre is above ground. 0 where nothing lies. A body between the middles of cells has the cell of
  // its highest point: none is lost where cells are large.
  private thickness(frame: Frame, ground: Grid): Grid {
    const { scene } = this;
    const top = ground.alike();
    this.moving = 0;
    for (let b = 0; b < scene.count; b++) {
      if (scene.kind[b] !== 0) continue;
      if (this.moves(frame, b)) {
        this.moving++;
        continue;
      }
      const [x, y] = [frame.position[3 * b]!, frame.position[3 * b + 1]!];
      const below = ground.at(x, y);
      if (!(below > -Infinity && frame.position[3 * b + 2]! > below)) continue;
      const before = top.raised;
      this.raise(top, frame, b);
      if (top.raised > before) continue;
      const [u, v, z] = this.summit(frame, b);
      top.lift(u, v, z - ground.between(u, v) + ground.at(u, v));
    }
    for (let k = 0; k < top.value.length; k++) {
      const thick = top.value[k]! - ground.value[k]!;
      top.value[k] = thick > 0 && isFinite(thick) ? thick : 0;
    }
    return top;
  }

  // The highest point of a body.
  private summit(frame: Frame, b: number): [number, number, number] {
    let best: [number, number, number] = [0, 0, -Infinity];
    const model = this.placed(frame, b);
    for (const part of model ? [model.facets, model.soft] : []) {
      if (!part) continue;
      const p = this.place(frame, b, part.points);
      for (let i = 0; i < part.points.length; i += 3) if (p[i + 2]! > best[2]) best = [p[i]!, p[i + 1]!, p[i + 2]!];
    }
    for (let i = 0; model && i < model.balls.length; i += 4) {
      const p = this.place(frame, b, model.balls.subarray(i, i + 3));
      if (p[2]! + model.balls[i + 3]! > best[2]) best = [p[0]!, p[1]!, p[2]! + model.balls[i + 3]!];
    }
    return best;
  }

  private windowOf(frame: Frame): Window | null {
    const { scene } = this;
    const low: [number, number] = [Infinity, Infinity];
    const high: [number, number] = [-Infinity, -Infinity];
    for (let b = 0; b < scene.count; b++)
      if (scene.kind[b] === 0)
        for (let c = 0; c < 2; c++) {
          const at = frame.position[3 * b + c]!;
          if (!isFinite(at)) continue;
          low[c] = Math.min(low[c]!, at - scene.radius[b]!);
          high[c] = Math.max(high[c]!, at + scene.radius[b]!);
        }
    return low[0] < high[0] ? { low, high } : null;
  }

  // Ground over a window, kept while what is asked for lies within, obstacles stand still, and neither
  // the window nor the cells are `most` times as small.
  private groundOf(name: string, frame: Frame, { low, high }: Window, cell: number, most: number): Grid {
    const { scene } = this;
    const old = this.grounds.get(name);
    const still = Array.from(scene.kind).every((kind) => kind < 2);
    const long = Math.max(high[0] - low[0], high[1] - low[1]);
    if (old && still) {
      const within = low.every((l, c) => l >= old.low[c]! && high[c]! <= old.high[c]!);
      const wide = Math.max(old.high[0] - old.low[0], old.high[1] - old.low[1]);
      if (within && most * long > wide && old.cell < 1.5 * cell && most * old.cell > cell) return old;
    }
    const spare = SPARE * long;
    const ground = Grid.over({ low: [low[0] - spare, low[1] - spare], high: [high[0] + spare, high[1] + spare] }, cell);
    for (let b = 0; b < scene.count; b++) if (scene.kind[b] !== 0) this.raise(ground, frame, b);
    this.grounds.set(name, ground);
    return ground;
  }
}
