// Many discs on a sheet.
import type { Rgb } from "../palette";
import { DARK, pixelsOf } from "./pixels";
import type { Sheet } from "./sheet";

export interface Discs {
  count: number;
  place: Float32Array; // 2 each, m; NaN: not drawn
  radius: Float64Array; // m
  number: Uint8Array; // of its colour
  colors: Rgb[]; // each to 255
  angle: ((i: number) => number) | null; // where a disc looks to, NaN: nowhere; null: it is not drawn
  shoulders: boolean; // drawn as a head and shoulders, else as a tick
}

const LIGHT: Rgb = [255, 255, 255];

// Gives how many there are, also those beyond the edges of the picture.
export function drawDiscs(sheet: Sheet, discs: Discs): number {
  const pixels = pixelsOf(sheet);
  const { place, radius, number, colors, angle } = discs;
  const marks = colors.map((c) => (isDark(c) ? LIGHT : DARK));
  const { ratio } = sheet;
  const scale = sheet.zoom * ratio;
  const left = (sheet.width / 2) * ratio - sheet.centre[0] * scale;
  const top = (sheet.height / 2) * ratio + sheet.centre[1] * scale;
  let there = 0;
  for (let i = 0; i < discs.count; i++) {
    const x = left + place[2 * i]! * scale;
    const y = top - place[2 * i + 1]! * scale;
    if (isNaN(x)) continue;
    there++;
    const c = number[i]!;
    const to = angle ? angle(i) : NaN;
    pixels.disc(x, y, Math.max(0.7 * ratio, radius[i]! * scale), ratio, colors[c]!);
    if (!isNaN(to)) pixels.mark(x, y, radius[i]! * scale, Math.cos(to), -Math.sin(to), ratio, marks[c]!, discs.shoulders);
  }
  pixels.show(sheet);
  return there;
}

// So dark that what is drawn on it must be light.
function isDark([r, g, b]: Rgb): boolean {
  return 0.3 * r + 0.59 * g + 0.11 * b < 135;
}
