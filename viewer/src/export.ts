// Curves as files: a table, a drawing.
import { roundStep } from "./numbers";
import type { Curve } from "./view";

// A column of a table: numbers, or names.
export interface Column {
  label: string;
  unit: string;
  values: ArrayLike<number | string>;
}

// A line of names with units, then numbers that read back as the same.
export function writeCsv(columns: Column[]): string {
  const name = (c: Column) => (c.unit ? `${c.label} [${c.unit}]` : c.label);
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const lines = [columns.map((c) => quote(name(c))).join(",")];
  const rows = columns[0]?.values.length ?? 0;
  for (let i = 0; i < rows; i++) lines.push(columns.map((c) => quote(String(c.values[i]))).join(","));
  return lines.join("\n") + "\n";
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);
}

function ticks(low: number, high: number): number[] {
  const step = roundStep((high - low) / 6 || 1);
  const out: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) out.push(i * step);
  return out;
}

// What is written along the axis, how much of `x` is one on it, and its ends; those of `x` if left out.
export interface SvgAxis {
  label: string;
  one: number;
  ends?: [number, number];
}

// Curves over `x`, as an SVG of its own.
export function writeSvg(title: string, axis: SvgAxis, x: number[], curves: (Curve & { color: string })[], log: boolean, dots = false): string {
  const [width, left, right, bottom] = [720, 84, 16, 44];
  // The names stand above, in as many rows as they need.
  const label = (c: Curve) => (c.unit ? `${c.label}, ${c.unit}` : c.label);
  const places: [number, number][] = [];
  let [nameAt, row] = [left, 0];
  for (const c of curves) {
    const wide = 7 * label(c).length + 16;
    if (nameAt > left && nameAt + wide > width) [nameAt, row] = [left, row + 1];
    places.push([nameAt, row]);
    nameAt += wide;
  }
  const top = 40 + 16 * row;
  const height = 400 + 16 * row;
  const scale = (v: number) => (log ? Math.log10(v) : v);
  const good = (v: number) => isFinite(v) && (!log || v > 0);
  let [low, high] = [Infinity, -Infinity];
  for (const c of curves)
    for (let i = 0; i < c.values.length; i++) {
      const v = c.values[i]!;
      if (!good(v)) continue;
      low = Math.min(low, scale(v));
      high = Math.max(high, scale(v));
    }
  if (!(low <= high)) [low, high] = [0, 1];
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  if (log) [low, high] = [Math.floor(low), Math.ceil(high)];
  const [first, last] = axis.ends ?? [x[0] ?? 0, x[x.length - 1] ?? 1];
  const px = (v: number) => left + ((v - first) / (last - first || 1)) * (width - left - right);
  const py = (v: number) => height - bottom - ((v - low) / (high - low)) * (height - top - bottom);
  const number = (v: number) => String(Number(v.toPrecision(6)));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${left}" y="18" font-size="14">${escape(title)}</text>`,
  ];
  for (const t of ticks(first, last))
    parts.push(
      `<path d="M${px(t).toFixed(1)} ${top}V${height - bottom}" stroke="#ddd"/>`,
      `<text x="${px(t).toFixed(1)}" y="${height - bottom + 16}" text-anchor="middle">${number(t / axis.one)}</text>`,
    );
  const levels = log ? Array.from({ length: high - low + 1 }, (_, i) => low + i) : ticks(low, high);
  const skip = Math.ceil(levels.length / 9);
  levels.forEach((t, i) => {
    if (i % skip) return;
    parts.push(
      `<path d="M${left} ${py(t).toFixed(1)}H${width - right}" stroke="#ddd"/>`,
      `<text x="${left - 6}" y="${(py(t) + 4).toFixed(1)}" text-anchor="end">${log ? `1e${t}` : number(t)}</text>`,
    );
  });
  parts.push(`<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">${escape(axis.label)}</text>`);
  for (const [k, c] of curves.entries()) {
    let path = "";
    let down = false;
    for (let i = 0; i < x.length; i++) {
      const v = c.values[i]!;
      if (dots && good(v)) parts.push(`<circle cx="${px(x[i]!).toFixed(2)}" cy="${py(scale(v)).toFixed(2)}" r="3.5" fill="${c.color}"/>`);
      else if (good(v)) path += `${down ? "L" : "M"}${px(x[i]!).toFixed(2)} ${py(scale(v)).toFixed(2)}`;
      down = good(v);
    }
    if (path) parts.push(`<path d="${path}" fill="none" stroke="${c.color}" stroke-width="1.4"/>`);
    const [at, line] = places[k]!;
    parts.push(`<text x="${at}" y="${34 + 16 * line}" fill="${c.color}">${escape(label(c))}</text>`);
  }
  return parts.join("\n") + "\n</svg>\n";
}
