// Numbers as text, for people.

// A number for people: five digits, powers of ten where they help.
export function show(value: number, digits = 5): string {
  if (!isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
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
