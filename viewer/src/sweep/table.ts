// A sweep of collisions: the values of its keys, and what every combination of them gives.
import type { Run } from "../run";
import type { Curve, ProfileCurves } from "../view";

export interface Key {
  label: string;
  texts: string[]; // of its values
  numbers: number[]; // NaN: not a number
  stride: number; // combinations from one value to the next
}

export interface Family {
  x: number[];
  curves: { label: string; y: number[] }[];
}

export class SweepTable {
  private constructor(
    readonly keys: Key[],
    readonly names: string[],
    readonly units: string[],
    private readonly means: Float64Array,
  ) {}

  static async read(run: Run): Promise<SweepTable> {
    const [labels, texts, names, units] = await Promise.all(["sweep/label", "sweep/text", "quantities/name", "quantities/unit"].map((n) => run.lines(n)));
    const plain = (text: string) => text.replace(/_\{([^}]*)\}/g, "$1"); // subscripts
    const [counts, numbers] = await Promise.all([run.all("sweep/count", "i32"), run.all("sweep/number", "f64")]);
    const keys: Key[] = [];
    let at = 0;
    for (const [k, label] of labels!.entries()) {
      const end = at + counts[k]!;
      keys.push({ label: plain(label), texts: texts!.slice(at, end), numbers: Array.from(numbers.slice(at, end)), stride: 1 });
      at = end;
    }
    for (let k = keys.length - 2; k >= 0; k--) keys[k]!.stride = keys[k + 1]!.stride * keys[k + 1]!.texts.length;
    return new SweepTable(keys, names!, names!.map((_, i) => units![i] ?? ""), await run.all("quantities/mean", "f64"));
  }

  // Keys that can be an axis.
  axes(): number[] {
    return this.keys.flatMap((key, k) => (key.numbers.length > 1 && key.numbers.every(isFinite) ? [k] : []));
  }

  // A quantity against a key: a curve for each combination of the others.
  family(quantity: number, axis: number): Family {
    const { numbers, stride } = this.keys[axis]!;
    const order = numbers.map((_, i) => i).sort((a, b) => numbers[a]! - numbers[b]!);
    const wide = this.names.length;
    const rows = wide > 0 ? this.means.length / wide : 0;
    const curves: Family["curves"] = [];
    for (let row = 0; row < rows; row++) {
      if (Math.floor(row / stride) % numbers.length !== 0) continue;
      const others = this.keys.flatMap((key, k) => (k === axis ? [] : [`${key.label} = ${key.texts[Math.floor(row / key.stride) % key.texts.length]}`]));
      curves.push({ label: others.join(", "), y: order.map((i) => this.means[(row + i * stride) * wide + quantity]!) });
    }
    return { x: order.map((i) => numbers[i]!), curves };
  }

  // For a chart.
  profile(quantity: number, axis: number, most: number): ProfileCurves {
    const { x, curves } = this.family(quantity, axis);
    const { label, unit } = parts(this.keys[axis]!.label);
    const name = this.names[quantity]!;
    const along: Curve = { label, unit, values: x };
    return {
      along,
      curves: curves.slice(0, most).map((c) => ({ label: c.label || name, unit: this.units[quantity]!, values: c.y })),
      places: [],
      breaks: [],
    };
  }
}

// `speed [m/s]`
export function parts(label: string): { label: string; unit: string } {
  const found = /^(.*) \[([^\]]*)\]$/.exec(label);
  return found ? { label: found[1]!, unit: found[2]! } : { label, unit: "" };
}
