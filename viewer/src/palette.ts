// Colours that stand for something, the same in all views.

// From dark to light, evenly in lightness, also for the colour-blind.
export const RAMP = ["#3a4fa8", "#3778bd", "#35a0bb", "#4fbf9a", "#93d370", "#e3dc5f", "#fff4ae"];
// Of what has a sign: 0 is pale, in the middle.
export const BALANCE = ["#1f3f94", "#4f83c4", "#a9cbe6", "#f1efea", "#f5bf9c", "#dd6a4a", "#9c1935"];
// Of maps that lie below something: from pale to strong.
export const HEAT = ["#fff3c4", "#fdd276", "#f99d45", "#e8562f", "#b81d3c", "#6d0b46"];
export const WORDS = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#edc948", "#e15759", "#76b7b2", "#9c755f"];
export const REST = "#8a929c"; // what has no word of its own
export const OBSTACLE = "#b7bfc9";
// Of obstacles of different names: calm, so that what moves stands out.
export const OBSTACLES = [OBSTACLE, "#c9b79c", "#a3b8a6", "#bda6ad", "#93a3b8", "#d6cfa8"];
export const CHOSEN = "#ff3b6b";
export const ROPE = "#59595f"; // strings, springs and nets
export const ACTION = "#7a33bf"; // at a distance

export type Rgb = [number, number, number];
// Each to 1.
export function rgb(hex: string): Rgb {
  const n = parseInt(hex.slice(1), 16);
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}

// So many colours of a ramp, as pixels.
export function shades(colors: string[], count: number): Uint32Array {
  const ramp = colors.map(rgb);
  const c = new Uint8ClampedArray(4 * count).fill(255);
  for (let i = 0; i < count; i++) shade(i / (count - 1), c, 4 * i, 255, ramp);
  return new Uint32Array(c.buffer);
}

// Colour at a place from 0 to 1 of a ramp, into `out` at `to`.
export function shade(
  part: number,
  out: Float32Array | Uint8Array | Uint8ClampedArray,
  to: number,
  scale: number,
  ramp: Rgb[],
): void {
  const at = Math.max(0, Math.min(1, part || 0)) * (ramp.length - 1);
  const i = Math.min(ramp.length - 2, Math.floor(at));
  const a = ramp[i]!;
  const b = ramp[i + 1]!;
  for (let c = 0; c < 3; c++) out[to + c] = scale * (a[c]! + (at - i) * (b[c]! - a[c]!));
}
