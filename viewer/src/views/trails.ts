// Where people were in the last seconds: lines through the frames before the one that is shown.
import type { CrowdFrames, Frame } from "../crowd/frames";
import type { CrowdScene, Point } from "../crowd/scene";
import { CHOSEN, rgb, type Rgb } from "../palette";
import type { Session } from "../view";
import { pixelsOf } from "./pixels";
import type { Sheet } from "./sheet";

const SAMPLES = 60; // frames of a trail, about; fewer of many people
const POINTS = 150000; // of all trails
const JUMP = 5; // m/s: who is faster came in somewhere else

export class Trails {
  constructor(
    private readonly session: Session,
    private readonly scene: CrowdScene,
    private readonly frames: CrowdFrames,
  ) {}

  private get on(): boolean {
    const which = this.session.options.word("trails");
    return which === "all" || (which === "selected" && this.session.selection.index >= 0);
  }

  // The frames of a trail that ends at this one, without it: multiples of a stride, so that a frame
  // serves the next trails too.
  private before(frame: number): { indices: number[]; every: number } {
    const { clock, options } = this.session;
    const first = clock.frameAt(clock.timeOf(frame) - options.number("trail_length"));
    const all = options.word("trails") === "all";
    const samples = all ? Math.max(12, Math.min(SAMPLES, POINTS / this.scene.count)) : SAMPLES;
    const every = 2 ** Math.max(0, Math.ceil(Math.log2((frame - first) / samples || 1)));
    const indices: number[] = [];
    for (let k = every * Math.ceil(first / every); k < frame; k += every) indices.push(k);
    return { indices, every };
  }

  ready(frame: number): boolean {
    return !this.on || this.before(frame).indices.every((k) => this.frames.places(k));
  }
  async load(frame: number): Promise<void> {
    if (!this.on) return;
    const { indices, every } = this.before(frame);
    await this.frames.collect(indices, every);
  }

  draw(sheet: Sheet, now: Frame, chosen: number, at: Point[]): void {
    if (!this.on) return;
    const all = this.session.options.word("trails") === "all";
    const frames = [...this.before(now.index).indices.flatMap((k) => this.frames.places(k) ?? []), now];
    if (all) {
      const pixels = pixelsOf(sheet);
      const ink = rgb(sheet.paint("--ink")).map((c) => 255 * c) as Rgb;
      const { ratio } = sheet;
      for (let i = 0; i < this.scene.count; i++)
        if (i !== chosen) this.trace(sheet, frames, i, at, (a, b, c, d) => pixels.line(a * ratio, b * ratio, c * ratio, d * ratio, ink, 0.35));
      pixels.show(sheet);
    }
    if (chosen < 0) return;
    const { pen } = sheet;
    pen.beginPath();
    this.trace(sheet, frames, chosen, at, (a, b, c, d) => {
      pen.moveTo(a, b);
      pen.lineTo(c, d);
    });
    pen.strokeStyle = CHOSEN;
    pen.lineWidth = 2;
    pen.stroke();
  }

  // One piece after the other, where somebody walked and did not come in anew.
  private trace(sheet: Sheet, frames: Frame[], i: number, at: Point[], take: (x0: number, y0: number, x1: number, y1: number) => void): void {
    const { floors } = this.scene;
    let before: Frame | null = null;
    let [px, py] = [0, 0];
    for (const frame of frames) {
      const f = frame.floor[i]!;
      if (frame.present[i] !== 1 || isNaN(at[f]![0])) {
        before = null;
        continue;
      }
      const [x, y] = [frame.position[3 * i]!, frame.position[3 * i + 1]!];
      const nx = sheet.x(x - floors[f]!.offset + at[f]![0]);
      const ny = sheet.y(y + at[f]![1]);
      if (before !== null && before.floor[i] === f) {
        const far = Math.hypot(x - before.position[3 * i]!, y - before.position[3 * i + 1]!);
        if (far <= JUMP * (frame.time - before.time) + 0.5) take(px, py, nx, ny);
      }
      [px, py] = [nx, ny];
      before = frame;
    }
  }
}
