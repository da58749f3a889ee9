// The paper of flat views: a canvas that is moved and zoomed by hand, with a grid and its numbers.
import { Gestures } from "../gestures";
import { roundStep, tidy } from "../numbers";
import type { Contacts } from "../rigid/contacts";
import { type Forces, THICKEST } from "../rigid/forces";

export const NORTH = 72; // pixels from the top that the arrow to the north takes

export class Sheet {
  readonly canvas = document.createElement("canvas");
  readonly pen = this.canvas.getContext("2d")!;
  width = 1; // pixels of the page
  height = 1;
  ratio = 1; // of the canvas to one of the page
  centre: [number, number] = [0, 0]; // m
  zoom = 1; // pixels a metre
  origin: [number, number] = [0, 0]; // what the numbers of the grid count from
  private readonly gestures: Gestures;
  private styles: CSSStyleDeclaration | null = null;

  constructor(
    place: HTMLElement,
    on: { moved(): void; zoomed(): void; tap(x: number, y: number): void },
  ) {
    place.append(this.canvas);
    this.canvas.tabIndex = -1;
    const pan = (dx: number, dy: number) => {
      this.centre[0] -= dx / this.zoom;
      this.centre[1] += dy / this.zoom;
      on.moved();
    };
    this.gestures = new Gestures(this.canvas, {
      drag: pan,
      pan,
      zoom: (factor, x, y) => {
        const before = this.toScene(x, y);
        this.zoom *= factor;
        const after = this.toScene(x, y);
        this.centre[0] += before[0] - after[0];
        this.centre[1] += before[1] - after[1];
        on.zoomed();
      },
      tap: on.tap,
    });
  }

  toScene(x: number, y: number): [number, number] {
    return [this.centre[0] + (x - this.width / 2) / this.zoom, this.centre[1] - (y - this.height / 2) / this.zoom];
  }
  x(u: number): number {
    return this.width / 2 + (u - this.centre[0]) * this.zoom;
  }
  y(v: number): number {
    return this.height / 2 - (v - this.centre[1]) * this.zoom;
  }

  // True the first time.
  resize(width: number, height: number, ratio: number): boolean {
    const first = this.width <= 1;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    return first;
  }

  // This box in the middle of the picture, but for what is left free at its sides.
  fit(low: number[], high: number[], free?: { left: number; right: number; top: number; bottom: number }): void {
    const { left, right, top, bottom } = free ?? {
      left: 0.075 * this.width,
      right: 0.075 * this.width,
      top: 0.075 * this.height,
      bottom: 0.075 * this.height,
    };
    const wide = Math.max(1, this.width - left - right);
    const tall = Math.max(1, this.height - top - bottom);
    this.zoom = Math.min(wide / (high[0]! - low[0]! || 1), tall / (high[1]! - low[1]! || 1));
    this.centre = [
      (low[0]! + high[0]!) / 2 - (left - right) / 2 / this.zoom,
      (low[1]! + high[1]!) / 2 + (top - bottom) / 2 / this.zoom,
    ];
  }

  // A colour of the page.
  paint(name: string): string {
    this.styles ??= getComputedStyle(document.documentElement);
    return this.styles.getPropertyValue(name).trim();
  }

  // An empty sheet.
  begin(grid: boolean): void {
    const { pen } = this;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.lineJoin = pen.lineCap = "round";
    pen.fillStyle = this.paint("--scene");
    pen.fillRect(0, 0, this.width, this.height);
    if (grid) this.drawGrid();
  }

  // Lines of the grid: where they are on the canvas, and the number that belongs there.
  private *lines(axis: 0 | 1): Generator<[number, string]> {
    const [left, top] = this.toScene(0, 0);
    const [right, bottom] = this.toScene(this.width, this.height);
    const [low, high] = axis === 0 ? [left, right] : [bottom, top];
    const step = roundStep(90 / this.zoom);
    const origin = this.origin[axis];
    const first = Math.ceil((low + origin) / step);
    for (let i = first; i * step - origin <= high && i - first < 200; i++) {
      const at = (i * step - origin - this.centre[axis]) * this.zoom;
      yield [axis === 0 ? this.width / 2 + at : this.height / 2 - at, tidy(i * step, step)];
    }
  }

  private drawGrid(): void {
    const pen = this.pen;
    pen.strokeStyle = this.paint("--grid");
    pen.lineWidth = 1;
    pen.beginPath();
    for (const [x] of this.lines(0)) {
      pen.moveTo(x, 0);
      pen.lineTo(x, this.height);
    }
    for (const [y] of this.lines(1)) {
      pen.moveTo(0, y);
      pen.lineTo(this.width, y);
    }
    pen.stroke();
  }

  // Numbers at ticks, below and at the right: the legend is at the upper left. `free`: pixels at the
  // upper right that something else takes.
  drawNumbers(free = 0): void {
    const { pen, width, height } = this;
    const ticks: [x: number, y: number, u: number, v: number][] = [];
    pen.font = "11px system-ui, sans-serif";
    this.numbers = [];
    const put = (text: string, x: number, y: number, align: CanvasTextAlign) => {
      pen.textAlign = align;
      pen.textBaseline = align === "right" ? "middle" : "alphabetic";
      pen.strokeStyle = this.paint("--scene");
      pen.lineWidth = 3;
      pen.strokeText(text, x, y);
      pen.fillStyle = this.paint("--ink");
      pen.fillText(text, x, y);
      this.numbers.push([text, x, y]);
    };
    pen.globalAlpha = 0.75;
    for (const [x, text] of this.lines(0)) {
      const half = 0.5 * pen.measureText(text).width;
      if (x - half < 2 || x + half > width - 60) continue; // cut off, or in the corner of the others
      put(text, x, height - 9, "center");
      ticks.push([x, height - 6, x, height]);
    }
    for (const [y, text] of this.lines(1)) {
      if (y < Math.max(10, free) || y > height - 24) continue;
      put(text, width - 9, y, "right");
      ticks.push([width - 6, y, width, y]);
    }
    pen.strokeStyle = this.paint("--ink");
    pen.lineWidth = 1.2;
    pen.beginPath();
    for (const [x, y, u, v] of ticks) {
      pen.moveTo(x, y);
      pen.lineTo(u, v);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }
  numbers: [text: string, x: number, y: number][] = []; // as they were drawn last

  // A word in a colour of the page, within the picture and on a ground of its own.
  write(text: string, x: number, y: number, align: "left" | "center" | "right", color: string): void {
    const { pen } = this;
    pen.font = "600 12px system-ui, sans-serif";
    const wide = pen.measureText(text).width;
    const left = x - (align === "left" ? 0 : align === "right" ? wide : wide / 2);
    if (left > this.width || left + wide < 0 || y < 0 || y > this.height) return;
    const from = Math.max(3, Math.min(this.width - wide - 3, left));
    pen.fillStyle = this.paint("--panel");
    pen.globalAlpha = 0.8;
    pen.fillRect(from - 3, y - 8, wide + 6, 16);
    pen.globalAlpha = 1;
    pen.fillStyle = this.paint(color);
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(text, from, y + 0.5);
  }

  // A bar of a round length, at the lower left.
  drawScaleBar(): void {
    const { pen } = this;
    const long = roundStep(80 / this.zoom);
    const [x, y, wide] = [14, this.height - 26, long * this.zoom];
    pen.strokeStyle = this.paint("--ink");
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x, y - 4);
    pen.lineTo(x, y);
    pen.lineTo(x + wide, y);
    pen.lineTo(x + wide, y - 4);
    pen.stroke();
    const [size, unit] = long >= 1000 ? [long / 1000, "km"] : long < 0.01 ? [long * 1000, "mm"] : [long, "m"];
    this.write(`${tidy(size, size)} ${unit}`, x + wide + 8, y - 2, "left", "--ink");
    this.scaleBar = long;
  }
  scaleBar = 0; // m, as it was drawn last

  // An arrow to the north, which is up, at the upper right.
  drawNorth(): void {
    const { pen } = this;
    const [x, y] = [this.width - 28, 48];
    for (const side of [-1, 1]) {
      pen.beginPath();
      pen.moveTo(x, y - 18);
      pen.lineTo(x + 7 * side, y + 8);
      pen.lineTo(x, y + 3);
      pen.closePath();
      pen.fillStyle = this.paint(side < 0 ? "--ink" : "--panel");
      pen.fill();
      pen.strokeStyle = this.paint("--ink");
      pen.lineWidth = 1;
      pen.stroke();
    }
    this.write("N", x, y - 29, "center", "--ink");
  }

  // A line for each pair of bodies in contact, between two places: `end` of contact c, its first or
  // second one.
  drawForces(forces: Forces, contacts: Contacts, thick: number, end: (c: number, e: number) => [number, number]): void {
    const { pen } = this;
    const usual = (0.02 / THICKEST) * Math.min(this.width, this.height) * thick;
    pen.lineCap = "butt";
    forces.each(contacts, (c, part, level) => {
      const color = forces.colors[level]!.map((v) => Math.round(255 * v));
      pen.strokeStyle = `rgb(${color.join(" ")})`;
      pen.lineWidth = Math.max(0.4, usual * part);
      pen.beginPath();
      for (let e = 0; e < 2; e++) {
        const [u, v] = end(c, e);
        if (e === 0) pen.moveTo(this.x(u), this.y(v));
        else pen.lineTo(this.x(u), this.y(v));
      }
      pen.stroke();
    });
    pen.lineCap = "round";
  }

  dispose(): void {
    this.gestures.dispose();
    this.canvas.remove();
  }
}
