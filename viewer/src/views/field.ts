// A field on a mesh, put into pixels: elements in straight pieces that are small on the screen, each
// pixel with the colour of the value there. Lines of equal value go through the same pieces.
import type { Field } from "../continuum/colors";
import { cut, ELEMENTS, LINE3 } from "../continuum/elements";
import type { ContinuumScene, Side } from "../continuum/scene";
import type { Pixels } from "./pixels";
import type { Sheet } from "./sheet";

const PIECE = 6; // pixels, about
const FINEST = 16; // pieces of a side
const MOST = 400_000; // triangles of a picture
const BEND = 8; // pieces of a curved side
const ROW = 1e6; // squares, from one row of them to the next
const CENTRAL = 0.09; // squared: so near to the middle of a square the mesh fills it

export interface Painted {
  parts: number; // of a side
  triangles: number;
  lines: number; // pieces of lines of equal value
  spots: Map<number, Spot>; // one in every square of the sheet that holds some of the mesh
}

// A place in an element: the one nearest to the middle of a square.
export interface Spot {
  cell: number;
  point: number; // of its cut
  x: number; // pixels of the page
  y: number;
  off: number; // squared, in squares
}

export interface Scale {
  low: number;
  high: number;
  shades: Uint32Array;
  none: number; // the pixel where the field is not
}

export class FieldPainter {
  private x = new Float64Array(0); // points of an element
  private y = new Float64Array(0);
  private value = new Float64Array(0);

  constructor(private readonly scene: ContinuumScene) {
    const most = (FINEST + 1) ** 2;
    [this.x, this.y, this.value] = [new Float64Array(most), new Float64Array(most), new Float64Array(most)];
  }

  // Pieces of a side, for elements as large as they are here.
  private parts(sheet: Sheet): number {
    const size = this.scene.cellSize * sheet.zoom * sheet.ratio;
    const [left, top] = sheet.toScene(0, 0);
    const [right, bottom] = sheet.toScene(sheet.width, sheet.height);
    const inside = Math.min(this.scene.cells, ((right - left) * (top - bottom)) / this.scene.cellSize ** 2);
    const most = Math.sqrt(MOST / (2 * inside || 1));
    let parts = 1;
    while (parts < FINEST && 2 * parts <= most && size / parts > PIECE) parts *= 2;
    // Elements that are bent keep two, as long as they are seen.
    return Math.max(parts, size > 3 && most >= 2 ? 2 : 1);
  }

  // `place`: of nodes, m. `square`: pixels of the squares that get a spot. `step`: lines at its multiples, each piece told in pixels of the page; 0: none.
  paint(
    sheet: Sheet, pixels: Pixels, place: Float64Array, field: Field, numbers: Float32Array, scale: Scale,
    square: number, step: number, line: (x0: number, y0: number, x1: number, y1: number) => void,
  ): Painted {
    const { scene, x, y, value } = this;
    const { first, cellNode, type, group } = scene;
    const { ratio } = sheet;
    const { wide, of } = field;
    const parts = this.parts(sheet);
    const painted: Painted = { parts, triangles: 0, lines: 0, spots: new Map() };
    // Squares go with the scene when it is moved.
    const [originX, originY] = [sheet.x(0) / square, sheet.y(0) / square];
    const row = new Float64Array(wide);
    const last = scale.shades.length - 1;
    const toShade = last / (scale.high - scale.low || 1);
    for (let cell = 0; cell < scene.cells; cell++) {
      const from = first[cell]!;
      const nodes = ELEMENTS[type[cell]!]!.nodes;
      let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
      for (let i = 0; i < nodes; i++) {
        const n = 2 * cellNode[from + i]!;
        x0 = Math.min(x0, place[n]!);
        x1 = Math.max(x1, place[n]!);
        y0 = Math.min(y0, place[n + 1]!);
        y1 = Math.max(y1, place[n + 1]!);
      }
      if (sheet.x(x1) < 0 || sheet.x(x0) > sheet.width || sheet.y(y0) < 0 || sheet.y(y1) > sheet.height) continue;
      const none = !field.has(group[cell]!);
      const { points, weight, hats, triangle } = cut(type[cell]!, parts);
      const share = field.hats ? hats : weight;
      for (let p = 0, w = 0; p < points; p++) {
        let [u, v] = [0, 0];
        row.fill(0);
        for (let i = 0; i < nodes; i++, w++) {
          const n = cellNode[from + i]!;
          u += weight[w]! * place[2 * n]!;
          v += weight[w]! * place[2 * n + 1]!;
          for (let c = 0; c < wide; c++) row[c]! += share[w]! * numbers[wide * n + c]!;
        }
        x[p] = sheet.x(u);
        y[p] = sheet.y(v);
        value[p] = of(row, 0);
        const [sx, sy] = [x[p]! / square - originX, y[p]! / square - originY];
        const off = (sx - Math.floor(sx) - 0.5) ** 2 + (sy - Math.floor(sy) - 0.5) ** 2;
        const key = Math.floor(sy) * ROW + Math.floor(sx);
        const best = painted.spots.get(key);
        if (!best || off < best.off) painted.spots.set(key, { cell, point: p, x: x[p]!, y: y[p]!, off });
      }
      for (let t = 0; t < triangle.length; t += 3) {
        const [a, b, c] = [triangle[t]!, triangle[t + 1]!, triangle[t + 2]!];
        const shade = (k: number) => (value[k]! - scale.low) * toShade;
        pixels.triangle(
          x[a]! * ratio, y[a]! * ratio, x[b]! * ratio, y[b]! * ratio, x[c]! * ratio, y[c]! * ratio,
          shade(a), shade(b), shade(c), scale.shades, none ? scale.none : 0,
        );
        painted.triangles++;
        if (step > 0 && !none) painted.lines += this.cross(a, b, c, step, line);
      }
    }
    return painted;
  }

  // A pair of numbers of nodes at a spot of the last picture.
  at({ cell, point }: Spot, parts: number, numbers: Float32Array): [number, number] {
    const { first, cellNode, type } = this.scene;
    const { nodes } = ELEMENTS[type[cell]!]!;
    const { weight } = cut(type[cell]!, parts);
    let [u, v] = [0, 0];
    for (let i = 0; i < nodes; i++) {
      const n = 2 * cellNode[first[cell]! + i]!;
      u += weight[nodes * point + i]! * numbers[n]!;
      v += weight[nodes * point + i]! * numbers[n + 1]!;
    }
    return [u, v];
  }

  // Where multiples of `step` go through a piece.
  private cross(a: number, b: number, c: number, step: number, line: (x0: number, y0: number, x1: number, y1: number) => void): number {
    const { x, y, value } = this;
    const low = Math.min(value[a]!, value[b]!, value[c]!);
    const high = Math.max(value[a]!, value[b]!, value[c]!);
    let count = 0;
    for (let k = Math.floor(low / step) + 1; k * step <= high && count < 50; k++) {
      const level = k * step;
      let [ends, ex, ey] = [0, 0, 0];
      for (let e = 0; e < 3; e++) {
        const [i, j] = e === 0 ? [a, b] : e === 1 ? [b, c] : [c, a];
        const [u, v] = [value[i]! - level, value[j]! - level];
        if (u < 0 === v < 0) continue;
        const part = u / (u - v);
        const [px, py] = [x[i]! + part * (x[j]! - x[i]!), y[i]! + part * (y[j]! - y[i]!)];
        if (ends++ === 1) line(ex, ey, px, py);
        [ex, ey] = [px, py];
      }
      count += ends === 2 ? 1 : 0;
    }
    return count;
  }
}

// Of squares that the mesh only touches, those beside none that it fills.
export function spread(spots: Map<number, Spot>): Spot[] {
  const good = (s: Spot | undefined) => s !== undefined && s.off < CENTRAL;
  return [...spots].flatMap(([key, spot]) => (good(spot) || ![-1, 1, -ROW, ROW].some((by) => good(spots.get(key + by))) ? [spot] : []));
}

// Draws sides into the path of the pen; curved ones in pieces.
export function traceSides(sheet: Sheet, sides: Iterable<Side>, place: Float64Array): void {
  const { pen } = sheet;
  const { points, weight } = cut(LINE3, BEND);
  for (const { from, to, middle } of sides) {
    pen.moveTo(sheet.x(place[2 * from]!), sheet.y(place[2 * from + 1]!));
    if (middle >= 0)
      for (let p = 1; p + 1 < points; p++) {
        const at = (k: number) => weight[3 * p]! * place[2 * from + k]! + weight[3 * p + 1]! * place[2 * to + k]! + weight[3 * p + 2]! * place[2 * middle + k]!;
        pen.lineTo(sheet.x(at(0)), sheet.y(at(1)));
      }
    pen.lineTo(sheet.x(place[2 * to]!), sheet.y(place[2 * to + 1]!));
  }
}
