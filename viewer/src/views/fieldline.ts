// A field of a mesh on a line: a curve over x, and below it the line in its colours.
import type { Field } from "../continuum/colors";
import { cut, ELEMENTS } from "../continuum/elements";
import type { ContinuumScene } from "../continuum/scene";
import { roundStep, tidy } from "../numbers";
import { CHOSEN, shades } from "../palette";
import type { Box } from "./layout";
import type { Sheet } from "./sheet";

const BAR = 12; // pixels of the line's thickness
const PARTS = 8; // of a quadratic element
const APART = 7; // pixels between nodes that are seen
const STRIPE = 2; // pixels of one colour
const SHADES = 257;

export class FieldLine {
  // Of the last picture.
  box: Box = { left: 0, top: 0, width: 1, height: 1 };
  low = 0;
  high = 1;

  constructor(private readonly scene: ContinuumScene) {}

  // Below `head` pixels, above `foot`.
  lay(sheet: Sheet, head: number, foot: number): Box {
    const left = Math.min(70, 0.16 * sheet.width);
    this.box = { left, top: head, width: sheet.width - left - 16, height: Math.max(20, sheet.height - head - foot - BAR - 26) };
    return this.box;
  }
  y(value: number): number {
    return this.box.top + this.box.height * (1 - (value - this.low) / (this.high - this.low));
  }
  get bar(): number {
    return this.box.top + this.box.height + 6 + BAR / 2;
  }

  draw(sheet: Sheet, place: Float64Array, field: Field, numbers: Float32Array, scale: { low: number; high: number; colors: string[] }, chosen: number): void {
    const { scene, box } = this;
    const { pen } = sheet;
    const room = 0.06 * (scale.high - scale.low) || 1;
    [this.low, this.high] = [scale.low - room, scale.high + room];
    this.drawAxes(sheet);
    const { wide, of } = field;
    const row = new Float64Array(wide);
    const ramp = shades(scale.colors, SHADES);
    pen.save();
    pen.beginPath();
    pen.rect(box.left, box.top, box.width, box.height + BAR + 12);
    pen.clip();
    const curve = new Path2D();
    for (let cell = 0; cell < scene.cells; cell++) {
      const from = scene.first[cell]!;
      const { nodes } = ELEMENTS[scene.type[cell]!]!;
      if (!field.has(scene.group[cell]!)) continue;
      const { points, weight, hats } = cut(scene.type[cell]!, PARTS);
      const share = field.hats ? hats : weight;
      let [before, last] = [0, 0];
      for (let p = 0, w = 0; p < points; p++) {
        let u = 0;
        row.fill(0);
        for (let i = 0; i < nodes; i++, w++) {
          const n = scene.cellNode[from + i]!;
          u += weight[w]! * place[2 * n]!;
          for (let c = 0; c < wide; c++) row[c]! += share[w]! * numbers[wide * n + c]!;
        }
        const [x, value] = [sheet.x(u), of(row, 0)];
        if (p === 0) curve.moveTo(x, this.y(value));
        else {
          curve.lineTo(x, this.y(value));
          const stripes = Math.max(1, Math.min(200, Math.round(Math.abs(x - before) / STRIPE)));
          for (let k = 0; k < stripes; k++) {
            const part = (last + ((k + 0.5) / stripes) * (value - last) - scale.low) / (scale.high - scale.low || 1);
            const color = ramp[Math.max(0, Math.min(SHADES - 1, Math.round(part * (SHADES - 1))))]!;
            pen.fillStyle = `rgb(${color & 255},${(color >> 8) & 255},${(color >> 16) & 255})`;
            // A little over what follows: nothing shines through.
            pen.fillRect(before + (k / stripes) * (x - before), this.bar - BAR / 2, (x - before) / stripes + 0.5, BAR);
          }
        }
        [before, last] = [x, value];
      }
    }
    pen.strokeStyle = sheet.paint("--accent");
    pen.lineWidth = 2;
    pen.stroke(curve);
    pen.fillStyle = sheet.paint("--accent");
    const seen = (sheet.zoom * scene.cellSize) / 2 > APART;
    for (let n = 0; n < scene.nodes; n++) {
      if (!seen && n !== chosen) continue;
      pen.fillStyle = n === chosen ? CHOSEN : sheet.paint("--accent");
      pen.beginPath();
      pen.arc(sheet.x(place[2 * n]!), this.y(of(numbers, wide * n)), n === chosen ? 5 : 2.5, 0, 2 * Math.PI);
      pen.fill();
    }
    pen.restore();
  }

  private drawAxes(sheet: Sheet): void {
    const { box } = this;
    const { pen } = sheet;
    pen.strokeStyle = sheet.paint("--grid");
    pen.fillStyle = sheet.paint("--ink");
    pen.font = "11px system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.beginPath();
    const upright = roundStep(((this.high - this.low) * 44) / box.height);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (let k = Math.ceil(this.low / upright); k * upright <= this.high; k++) {
      const y = this.y(k * upright);
      pen.moveTo(box.left, y);
      pen.lineTo(box.left + box.width, y);
      pen.fillText(label(k * upright, upright), box.left - 5, y, box.left - 6);
    }
    const step = roundStep(90 / sheet.zoom);
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (let k = Math.ceil(sheet.toScene(box.left, 0)[0] / step); sheet.x(k * step) <= box.left + box.width; k++) {
      const x = sheet.x(k * step);
      pen.moveTo(x, box.top);
      pen.lineTo(x, box.top + box.height);
      pen.fillText(`${tidy(k * step, step)} m`, x, this.bar + BAR / 2 + 3);
    }
    pen.stroke();
    pen.strokeStyle = sheet.paint("--quiet");
    pen.strokeRect(box.left, box.top, box.width, box.height);
  }
}

// Short, also for large numbers.
function label(value: number, step: number): string {
  return step >= 1e5 || step < 1e-4 ? String(Number(value.toPrecision(3))) : tidy(value, step);
}
