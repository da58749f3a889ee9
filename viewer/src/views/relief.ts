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
  readonly columns: number;
  readonly rows: number;
  readonly value: Float32Array;

  constructor(
    readonly low: [number, number],
    high: [number, number],
    readonly cell: number, // m
  ) {
    this.columns = Math.max(1, Math.ceil((high[0] - low[0]) / cell));
    this.rows = Math.max(1, Math.ceil((high[1] - low[1]) / cell));
    this.value = new Float32Array(this.columns * this.rows).fill(-Infinity);
  }
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
    if (z > this.value[at]!) this.value[at] = z;
  }
  // At a place, -Infinity outside.
  at(x: number, y: number): number {
    const i = Math.floor((x - this.low[0]) / this.cell);
    const j = Math.floor((y - this.low[1]) / this.cell);
    return i >= 0 && j >= 0 && i < this.columns && j < this.rows ? this.value[j * this.columns + i]! : -Infinity;
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
const DEPOSIT = 400; // and of a deposit
const FINE = 0.1; // usual radii: a deposit's cells are not smaller

export class Relief {
  readonly terrain: number[]; // obstacles that are meshes or heights
  private readonly models: Models;
  private readonly r = new Float64Array(9);
  private point = new Float64Array(256);
  private land: Grid | null = null;
  private ground: Grid | null = null;
  private deposited: { frame: number; grid: Grid } | null = null;

  constructor(private readonly scene: RigidScene) {
    this.models = new Models(scene);
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
    if (this.land || this.terrain.length === 0) return this.land;
    const low: [number, number] = [Infinity, Infinity];
    const high: [number, number] = [-Infinity, -Infinity];
    for (const b of this.terrain) {
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
    this.land = new Grid(low, high, long / MOST);
    for (const b of this.terrain) this.raise(this.land, frame, b);
    return this.land;
  }

  // The thickness of the deposit: the top of the highest body over the middle of a cell, less the
  // ground there, of all bodies whose centre is above ground. 0 where nothing lies.
  deposit(frame: Frame): Grid | null {
    if (this.deposited?.frame === frame.index) return this.deposited.grid;
    const { scene } = this;
    const window = this.windowOf(frame);
    if (!window) return null;
    const ground = this.groundOf(frame, window);
    const { cell } = ground;
    const top = new Grid(ground.low, [ground.low[0] + cell * ground.columns, ground.low[1] + cell * ground.rows], cell);
    for (let b = 0; b < scene.count; b++) {
      if (scene.kind[b] !== 0) continue;
      const below = ground.at(frame.position[3 * b]!, frame.position[3 * b + 1]!);
      if (below > -Infinity && frame.position[3 * b + 2]! > below) this.raise(top, frame, b);
    }
    for (let k = 0; k < top.value.length; k++) {
      const thick = top.value[k]! - ground.value[k]!;
      top.value[k] = thick > 0 && isFinite(thick) ? thick : 0;
    }
    this.deposited = { frame: frame.index, grid: top };
    return top;
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

  // Kept while bodies stay within and obstacles stand still.
  private groundOf(frame: Frame, { low, high }: Window): Grid {
    const { scene, ground: old } = this;
    const still = Array.from(scene.kind).every((kind) => kind < 2);
    const long = Math.max(high[0] - low[0], high[1] - low[1]);
    const end = (c: 0 | 1) => old!.low[c] + old!.cell * (c === 0 ? old!.columns : old!.rows);
    const fits = old && still && low[0] >= old.low[0] && low[1] >= old.low[1] && high[0] <= end(0) && high[1] <= end(1);
    if (fits && 3 * long > Math.max(end(0) - old.low[0], end(1) - old.low[1])) return old;
    const spare = 0.15 * long;
    const cell = Math.max((1.3 * long) / DEPOSIT, FINE * scene.usualRadius);
    const ground = new Grid([low[0] - spare, low[1] - spare], [high[0] + spare, high[1] + spare], cell);
    for (let b = 0; b < scene.count; b++) if (scene.kind[b] !== 0) this.raise(ground, frame, b);
    return (this.ground = ground);
  }
}
