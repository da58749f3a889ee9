// A series of a chain as a map: its things across, time down. A pixel that stands for several things or
// times has the colour of the value farthest from 0.
import type { Waves } from "../chain/waves";
import type { Clock } from "../clock";
import { roundStep, showTimes } from "../numbers";
import { shades } from "../palette";
import type { Box } from "./layout";
import type { Sheet } from "./sheet";

const SHADES = 257; // odd: one of them is 0 of a signed scale

const FAINT = 0.005; // of the largest value: no colour, unless the scale has signs

export class WaveMap {
  private readonly picture = document.createElement("canvas");
  private drawn = ""; // what it shows
  private readonly shades: Uint32Array;

  constructor(
    readonly waves: Waves,
    private readonly clock: Clock,
    private readonly from: number, // where the first thing begins, in balls
    readonly colors: string[],
    readonly signed: boolean,
  ) {
    this.shades = shades(colors, SHADES);
  }

  // Every frame has its part of the height, also the last one.
  private span(): number {
    const { first, last, count } = this.clock;
    return count > 1 ? ((last - first) * count) / (count - 1) : 1;
  }
  y(box: Box, time: number): number {
    return box.top + ((time - this.clock.first) / this.span()) * box.height;
  }
  time(box: Box, y: number): number {
    return this.clock.first + ((y - box.top) / box.height) * this.span();
  }

  draw(sheet: Sheet, box: Box): void {
    const { waves } = this;
    if (waves.rows === 0 || box.width < 2 || box.height < 2) return;
    const key = [waves.rows, waves.every, box.left, box.top, box.width, box.height, sheet.ratio, sheet.zoom, sheet.centre[0], this.clock.count].join();
    if (key !== this.drawn) {
      this.drawn = key;
      this.paint(sheet, box);
    }
    sheet.pen.drawImage(this.picture, box.left, box.top, box.width, box.height);
  }

  private paint(sheet: Sheet, box: Box): void {
    const { waves, clock, picture } = this;
    const wide = (picture.width = Math.round(box.width * sheet.ratio));
    const high = (picture.height = Math.round(box.height * sheet.ratio));
    const pen = picture.getContext("2d")!;
    const image = pen.createImageData(wide, high);
    const pixel = new Uint32Array(image.data.buffer);
    const value = new Float32Array(waves.width);
    const [low, span] = this.signed ? [-waves.largest, 2 * waves.largest || 1] : [0, waves.largest || 1];
    const thingAt = (i: number) => Math.floor(sheet.toScene(box.left + (i * box.width) / wide, 0)[0] - this.from);
    const rowAt = (j: number) => Math.min(waves.rows - 1, Math.floor(clock.frameAt(this.time(box, box.top + (j * box.height) / high)) / waves.every));
    const columns = Array.from({ length: wide }, (_, i) => within(i, thingAt));
    let before = -1;
    for (let j = 0; j < high; j++) {
      const [row, end] = within(j, rowAt);
      // The same as above: rows are taller than pixels.
      if (end === row + 1 && row === before) {
        pixel.copyWithin(j * wide, (j - 1) * wide, j * wide);
        continue;
      }
      before = end === row + 1 ? row : -1;
      waves.extremes(row, end, value);
      for (let i = 0; i < wide; i++) {
        const first = Math.max(0, columns[i]![0]);
        const last = Math.min(waves.width, columns[i]![1]) - 1;
        if (first > last) continue;
        let v = value[first]!;
        for (let t = first + 1; t <= last; t++) if (Math.abs(value[t]!) > Math.abs(v)) v = value[t]!;
        if (!this.signed && v <= FAINT * waves.largest) continue;
        pixel[j * wide + i] = this.shades[Math.max(0, Math.min(SHADES - 1, Math.round(((v - low) / span) * (SHADES - 1))))]!;
      }
    }
    pen.putImageData(image, 0, 0);
  }

  // Times at the left, numbers of balls below.
  drawAxes(sheet: Sheet, box: Box, balls: number): void {
    const { clock } = this;
    const { pen } = sheet;
    pen.strokeStyle = sheet.paint("--quiet");
    pen.lineWidth = 1;
    pen.strokeRect(box.left - 0.5, box.top - 0.5, box.width + 1, box.height + 1);
    pen.fillStyle = sheet.paint("--ink");
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const step = roundStep((this.span() * 40) / box.height);
    const times: number[] = [];
    for (let i = Math.ceil(clock.first / step - 1e-9); i * step <= clock.last * (1 + 1e-9); i++) times.push(i * step);
    const texts = showTimes(times, clock.unit);
    times.forEach((t, i) => pen.fillText(texts[i]!, box.left - 6, this.y(box, t)));
    pen.textAlign = "center";
    const apart = Math.max(1, roundStep((15 * String(balls).length) / sheet.zoom));
    for (let ball = apart; ball <= balls; ball += apart) {
      const x = sheet.x(ball - 0.5);
      if (x > box.left && x < box.left + box.width - 6) pen.fillText(String(ball), x, box.top + box.height + 9);
    }
  }
}

// Which ones a pixel stands for, from the first to before the second: the one in its middle, or if it
// holds several all that begin in it and the one before them.
function within(pixel: number, at: (pixel: number) => number): [number, number] {
  const [first, end] = [at(pixel), at(pixel + 1)];
  const middle = at(pixel + 0.5);
  return end - first > 1 ? [first, end] : [middle, middle + 1];
}
