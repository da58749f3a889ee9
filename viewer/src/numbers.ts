// Numbers as text, for people.

// A number for people: five digits, powers of ten where they help.
export function show(value: number, digits = 5): string {
  if (!isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= Math.max(1e6, 10 ** digits) || size < 1e-4) return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

// A unit of time: how many seconds it is.
export interface TimeUnit {
  name: string;
  one: number;
}
const UNITS: [name: string, one: number, from: number][] = [
  ["s", 1, 0.1],
  ["ms", 1e-3, 1e-3],
  ["µs", 1e-6, 1e-6],
  ["ns", 1e-9, 0],
];

// The unit in which so many seconds read well.
export function timeUnit(seconds: number): TimeUnit {
  const size = Math.abs(seconds) || 1;
  const [name, one] = UNITS.find(([, , from]) => size >= 0.9999 * from)!;
  return { name, one };
}

// With its unit: 12.5 µs.
export function showTime(seconds: number, unit = timeUnit(seconds), digits = 5): string {
  return `${show(seconds / unit.one, digits)} ${unit.name}`;
}

// A unit with a prefix, and how much of the plain unit it is.
export interface Scale {
  unit: string;
  one: number;
}
const PREFIXED = ["N", "N s", "N m", "J", "W", "Pa", "Pa s"];

// The unit in which numbers up to this size read well, for a whole axis or column: below 10000.
export function scaleFor(unit: string, size: number): Scale {
  if (PREFIXED.includes(unit) && isFinite(size))
    for (const [prefix, one] of [["", 1], ["k", 1e3], ["M", 1e6], ["G", 1e9]] as const) if (Math.abs(size) < 1e4 * one) return { unit: prefix + unit, one };
  return { unit, one: 1 };
}

// With its unit: 12.5 kN.
export function showQuantity(value: number, unit: string, digits = 5): string {
  const scale = scaleFor(unit, value);
  return `${show(value / scale.one, digits)} ${scale.unit}`;
}

// 1, 2 or 5 times a power of ten, not smaller.
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least || 1));
  for (const m of [1, 2, 5]) if (m * power >= least * 0.999) return m * power;
  return 10 * power;
}

// With as many digits as multiples of `step` need.
export function tidy(value: number, step: number): string {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return (Math.abs(value) < step / 1000 ? 0 : value).toFixed(Math.min(12, digits));
}

// Ticks of an axis, with the digits that tell them apart.
export function showTicks(ticks: (number | null)[]): string[] {
  const there = ticks.filter((t): t is number => t !== null);
  const step = there.length > 1 ? Math.abs(there[1]! - there[0]!) : 0;
  const size = Math.max(...there.map(Math.abs), 0);
  const digits = step > 0 && size > 0 ? Math.max(4, Math.ceil(Math.log10(size / step)) + 2) : 4;
  return ticks.map((t) => (t === null ? "" : Math.abs(t) < step / 1000 ? "0" : show(t, Math.min(15, digits))));
}

// Ticks of a time axis, in a unit that the last of them names.
export function showTimes(ticks: (number | null)[], unit: TimeUnit): string[] {
  const texts = showTicks(ticks.map((t) => (t === null ? null : t / unit.one)));
  const last = texts.reduce((at, text, i) => (text === "" ? at : i), -1);
  return texts.map((text, i) => (i === last ? `${text} ${unit.name}` : text));
}

// The ranges of a box, with the digits that its size asks for: x 0 to 20, y 5 to 8.
export function showBox(low: ArrayLike<number>, high: ArrayLike<number>, axes: string): string {
  const step = roundStep(Math.max(...Array.from(axes, (_, i) => high[i]! - low[i]!), 1e-9) / 100);
  const range = (i: number) => `${tidy(Math.floor(low[i]! / step) * step, step)} to ${tidy(Math.ceil(high[i]! / step) * step, step)}`;
  return Array.from(axes, (axis, i) => `${axis} ${range(i)}`).join(", ");
}
