// Discs, lines and triangles that are put into pixels here and not by the canvas: paths of ten thousand arcs take
// one without a graphics card ten times as long.
import type { Rgb } from "../palette";
import type { Sheet } from "./sheet";

export const DARK: Rgb = [29, 39, 51];
const EDGE = 0.55; // how much of the dark is in the rim
const RIMMED = 2; // pixels of radius from which discs have a rim

const made = new WeakMap<Sheet, Pixels>();

// Empty ones, as large as the sheet.
export function pixelsOf(sheet: Sheet): Pixels {
  let pixels = made.get(sheet);
  if (!pixels || pixels.wide !== sheet.canvas.width || pixels.high !== sheet.canvas.height)
    made.set(sheet, (pixels = new Pixels(sheet.canvas.width, sheet.canvas.height)));
  pixels.clear();
  return pixels;
}

const part = (x: number) => (x < 0 ? 0 : x > 1 ? 1 : x);

export class Pixels {
  private readonly canvas = document.createElement("canvas");
  private readonly pen: CanvasRenderingContext2D;
  private readonly image: ImageData;
  private readonly pixel: Uint32Array; // red is the lowest byte

  constructor(
    readonly wide: number,
    readonly high: number,
  ) {
    this.canvas.width = wide;
    this.canvas.height = high;
    this.pen = this.canvas.getContext("2d", { willReadFrequently: true })!;
    this.image = this.pen.createImageData(wide, high);
    this.pixel = new Uint32Array(this.image.data.buffer);
  }

  clear(): void {
    this.pixel.fill(0);
  }

  show(sheet: Sheet): void {
    this.pen.putImageData(this.image, 0, 0);
    sheet.pen.drawImage(this.canvas, 0, 0, sheet.width, sheet.height);
  }

  private box(x: number, y: number, reach: number): [number, number, number, number] {
    return [
      Math.max(0, Math.floor(x - reach)),
      Math.max(0, Math.floor(y - reach)),
      Math.min(this.wide - 1, Math.ceil(x + reach)),
      Math.min(this.high - 1, Math.ceil(y + reach)),
    ];
  }

  // Over what is there, so much of it.
  private blend(at: number, r: number, g: number, b: number, cover: number): void {
    if (cover <= 0) return;
    const old = this.pixel[at]!;
    if (old === 0) {
      this.pixel[at] = ((cover * 255 + 0.5) << 24) | ((b + 0.5) << 16) | ((g + 0.5) << 8) | (r + 0.5);
      return;
    }
    const under = (old >>> 24) / 255;
    const all = cover + under * (1 - cover);
    const mix = (now: number, before: number) => (now * cover + before * under * (1 - cover)) / all + 0.5;
    this.pixel[at] =
      ((all * 255 + 0.5) << 24) | (mix(b, (old >> 16) & 255) << 16) | (mix(g, (old >> 8) & 255) << 8) | mix(r, old & 255);
  }

  // A pixel belongs to it by how far its middle is within the rim.
  disc(x: number, y: number, radius: number, ratio: number, [r, g, b]: Rgb): void {
    const [x0, y0, x1, y1] = this.box(x, y, radius + 1);
    const solid = (0xff << 24) | (b << 16) | (g << 8) | r;
    const rim = radius >= RIMMED * ratio ? ratio : 0;
    const inner = Math.max(0, radius - rim - 1) ** 2;
    const outer = (radius + 0.5) ** 2;
    for (let j = y0; j <= y1; j++) {
      const dy = j + 0.5 - y;
      for (let i = x0, at = j * this.wide + x0; i <= x1; i++, at++) {
        const dx = i + 0.5 - x;
        const far = dx * dx + dy * dy;
        if (far >= outer) continue;
        if (far < inner) {
          this.pixel[at] = solid;
          continue;
        }
        const depth = radius - Math.sqrt(far);
        const edge = rim > 0 ? EDGE * part(rim + 0.5 - depth) : 0;
        this.blend(at, r + (DARK[0] - r) * edge, g + (DARK[1] - g) * edge, b + (DARK[2] - b) * edge, part(depth + 0.5));
      }
    }
  }

  // A thin line, from the first end to just before the second, so much of it: along the longer way a
  // pixel after the other, shared with the one beside it.
  line(x0: number, y0: number, x1: number, y1: number, [r, g, b]: Rgb, cover: number): void {
    const steep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
    const steps = Math.max(1, Math.ceil(steep ? Math.abs(y1 - y0) : Math.abs(x1 - x0)));
    if (steps > 2 * (this.wide + this.high)) return; // far outside
    for (let k = 0; k < steps; k++) {
      const x = x0 + ((x1 - x0) * k) / steps - 0.5;
      const y = y0 + ((y1 - y0) * k) / steps - 0.5;
      const [i, j] = steep ? [Math.floor(x), Math.round(y)] : [Math.round(x), Math.floor(y)];
      const rest = steep ? x - i : y - j;
      if (i < 0 || j < 0 || i + 1 >= this.wide || j + 1 >= this.high) continue;
      const at = j * this.wide + i;
      this.blend(at, r, g, b, cover * (1 - rest));
      if (rest > 0.02) this.blend(at + (steep ? 1 : this.wide), r, g, b, cover * rest);
    }
  }

  // A triangle whose corners have places a, b, c in a list of shades, in between by proportion; or all
  // of it one pixel, if that is given. Pixels whose middle is within, and those on its sides.
  triangle(
    x0: number, y0: number, x1: number, y1: number, x2: number, y2: number,
    a: number, b: number, c: number, shades: Uint32Array, only: number,
  ): void {
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (!(Math.abs(area) > 1e-9)) return;
    const left = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5));
    const right = Math.min(this.wide - 1, Math.floor(Math.max(x0, x1, x2) - 0.5));
    const top = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
    const bottom = Math.min(this.high - 1, Math.floor(Math.max(y0, y1, y2) - 0.5));
    const last = shades.length - 1;
    // Parts of the second and third corner, and how they change along a row.
    const [ux, vx] = [(y2 - y0) / area, (y0 - y1) / area];
    for (let j = top; j <= bottom; j++) {
      const dx = left + 0.5 - x0;
      const dy = j + 0.5 - y0;
      let u = ux * dx - ((x2 - x0) / area) * dy;
      let v = vx * dx + ((x1 - x0) / area) * dy;
      for (let i = left, at = j * this.wide + left; i <= right; i++, at++, u += ux, v += vx) {
        if (u < -1e-6 || v < -1e-6 || u + v > 1 + 1e-6) continue;
        const s = a + u * (b - a) + v * (c - a) + 0.5;
        this.pixel[at] = only || shades[s < 0 ? 0 : s > last ? last : s | 0]!;
      }
    }
  }

  // The direction (ex, ey): a line from near the middle to the rim, or shoulders across and a head.
  mark(x: number, y: number, radius: number, ex: number, ey: number, ratio: number, [r, g, b]: Rgb, shoulders: boolean): void {
    const half = Math.max(0.6, Math.min(1.2, 0.07 * radius)) * (ratio > 1 ? 1.5 : 1);
    const [x0, y0, x1, y1] = this.box(x, y, radius);
    for (let j = y0; j <= y1; j++) {
      const dy = j + 0.5 - y;
      for (let i = x0, at = j * this.wide + x0; i <= x1; i++, at++) {
        const dx = i + 0.5 - x;
        const along = dx * ex + dy * ey;
        const across = Math.abs(dx * ey - dy * ex);
        let off: number;
        if (shoulders) {
          const head = Math.abs(Math.hypot(along - 0.35 * radius, across) - 0.32 * radius);
          off = Math.min(head, Math.hypot(along, Math.max(0, across - 0.8 * radius)));
        } else off = Math.hypot(along - Math.max(0.2 * radius, Math.min(0.85 * radius, along)), across);
        const cover = half + 0.5 - off;
        if (cover > 0) this.blend(at, r, g, b, part(cover));
      }
    }
  }
}
