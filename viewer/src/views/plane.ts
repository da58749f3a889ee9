// The impact geometry of three balls as a drawing: admissible outcomes, lines of equal energy ratio and
// dispersion, the path of the impact so far, and its end.
import type { ImpactPlane, Point } from "../chain/geometry";
import type { Waves } from "../chain/waves";
import { show } from "../numbers";
import type { Box } from "./layout";
import type { Sheet } from "./sheet";

const ROUND = 240; // points of an ellipse
const DISPERSIONS = [0.25, 0.5, 0.75, 1, 1.25];
const HEAD = 20; // pixels for the numbers above

export class PlaneDrawing {
  zoom = 1; // pixels of the speed
  middle: Point = [0, 0]; // pixel of the origin
  private readonly lines: [number, Point, Point][];

  constructor(
    private readonly plane: ImpactPlane,
    private readonly velocity: Waves,
  ) {
    this.lines = [...plane.dispersionLines(DISPERSIONS)];
  }

  at([x, y]: Point): Point {
    return [this.middle[0] + this.zoom * x, this.middle[1] - this.zoom * y];
  }

  // `now`: velocities of the frame that is shown.
  draw(sheet: Sheet, box: Box, frame: number, now: ArrayLike<number>): void {
    const { plane } = this;
    const { pen } = sheet;
    const [wide, high] = plane.reach;
    this.zoom = 0.5 * Math.min((box.width - 16) / wide, (box.height - HEAD - 24) / high);
    this.middle = [box.left + box.width / 2, box.top + HEAD + (box.height - HEAD - 8) / 2];
    pen.save();
    pen.beginPath();
    pen.rect(box.left, box.top, box.width, box.height);
    pen.clip();
    this.drawGround(sheet, box);
    this.drawPath(sheet, frame, now);
    pen.restore();
    const here = plane.point(now);
    sheet.write(`KER ${show(plane.ratio(here), 3)}   C_KE ${show(plane.dispersion(here), 3)}`, box.left + box.width / 2, box.top + 9, "center", "--ink");
  }

  // A part of the line of an energy ratio, joined to where the pen is.
  private ellipse(sheet: Sheet, ratio: number, from: number, to: number): void {
    for (let k = 0; k <= ROUND; k++) sheet.pen.lineTo(...this.at(this.plane.edge(ratio, from + ((to - from) * k) / ROUND)));
  }

  private drawGround(sheet: Sheet, box: Box): void {
    const { plane } = this;
    const { pen } = sheet;
    const [x0, y0] = this.middle;
    // What may come out: balls that do not approach, and no more energy than before.
    pen.beginPath();
    pen.moveTo(x0, y0);
    this.ellipse(sheet, 1, 0, Math.PI / 2);
    pen.closePath();
    pen.fillStyle = sheet.paint("--exit");
    pen.globalAlpha = 0.2;
    pen.fill();
    pen.globalAlpha = 1;
    pen.lineWidth = 1;
    pen.strokeStyle = sheet.paint("--quiet");
    pen.beginPath();
    pen.moveTo(box.left, y0);
    pen.lineTo(box.left + box.width, y0);
    pen.moveTo(x0, box.top + HEAD);
    pen.lineTo(x0, box.top + box.height);
    pen.stroke();
    pen.lineWidth = 0.8;
    pen.beginPath();
    for (const [, a, b] of this.lines) {
      pen.moveTo(...this.at(a));
      pen.lineTo(...this.at(b));
    }
    pen.stroke();
    pen.strokeStyle = sheet.paint("--accent");
    const small = "10px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    for (const ratio of [0.2, 0.4, 0.6, 0.8, 1].filter((r) => r > plane.least + 0.02)) {
      pen.lineWidth = ratio === 1 ? 2 : 0.8;
      pen.beginPath();
      this.ellipse(sheet, ratio, 0, 2 * Math.PI);
      pen.stroke();
      if (this.zoom < 90 && ratio < 1) continue; // no room for words
      const [x, y] = this.at(plane.edge(ratio, -0.3));
      pen.font = small;
      pen.fillStyle = sheet.paint("--accent");
      pen.fillText(String(ratio), x + 2, y + 4);
    }
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = sheet.paint("--ink");
    // The ellipse leans to the left: these corners are free.
    pen.textAlign = "left";
    const wide = box.width > 250;
    pen.fillText(wide ? "γ₁ = (V₂ − V₁)/|Vₛ| →" : "γ₁ →", box.left + 2, box.top + box.height - 8);
    pen.fillText(wide ? "↑ γ₂ = (V₃ − V₂)/|Vₛ|" : "↑ γ₂", x0 + 5, box.top + HEAD + 8);
    for (const [u, v] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as Point[]) {
      const [x, y] = this.at([u, v]);
      pen.textAlign = v ? "right" : "center";
      pen.fillText(String(u + v), x - (v ? 6 : 0), y + (v ? 0 : 10));
      pen.fillRect(x - (v ? 3 : 0.5), y - (v ? 0.5 : 3), v ? 6 : 1, v ? 1 : 6);
    }
  }

  private drawPath(sheet: Sheet, frame: number, now: ArrayLike<number>): void {
    const { plane, velocity } = this;
    const { pen } = sheet;
    const until = Math.min(velocity.rows - 1, Math.floor(frame / velocity.every));
    const here = this.at(plane.point(now));
    pen.strokeStyle = sheet.paint("--now");
    pen.lineWidth = 2;
    pen.beginPath();
    for (let k = 0; k <= until; k++) {
      const p = this.at(plane.point(velocity.row(k)));
      if (k === 0) pen.moveTo(...p);
      else pen.lineTo(...p);
    }
    pen.lineTo(...here);
    pen.stroke();
    const dot = ([x, y]: Point, radius: number) => {
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
    };
    if (velocity.rows > 0) {
      pen.strokeStyle = sheet.paint("--ink");
      dot(this.end, 6);
      pen.stroke();
    }
    pen.fillStyle = sheet.paint("--now");
    dot(here, 4);
    pen.fill();
  }

  // Pixel of the outcome.
  get end(): Point {
    const { velocity } = this;
    return velocity.rows > 0 ? this.at(this.plane.point(velocity.row(velocity.rows - 1))) : [NaN, NaN];
  }
}
