// The fields that a continuum can be coloured by. A field is a number made from those of a series, so
// that within an element these are interpolated, not the number: a speed has no dents where it is 0.
import type { Quantity } from "../colors";
import type { Extra, Frame } from "./frames";
import type { ContinuumScene } from "./scene";

type Source = "velocity" | "moved" | "swift" | "shift" | "pressure" | "stress" | "temperature" | "fraction";

export interface Field extends Quantity<Extra, Frame> {
  source: Source;
  wide: number; // numbers of a node there
  of: (numbers: ArrayLike<number>, at: number) => number;
  has: (medium: number) => boolean; // elsewhere it is not
  hats: boolean; // it is linear between nodes
}

// The largest values are often at points where they grow without end as elements get smaller.
const SHARE = 0.995;

const WIDE: Record<Source, number> = { velocity: 2, moved: 2, swift: 3, shift: 3, pressure: 1, stress: 3, temperature: 1, fraction: 3 };
const NEEDS: Record<Source, Extra[]> = {
  velocity: [],
  moved: [],
  swift: [],
  shift: [],
  pressure: ["pressure"],
  stress: ["stress"],
  temperature: ["temperature"],
  fraction: ["fraction"],
};

function field(id: string, title: string, unit: string, source: Source, of: Field["of"], signed = true): Field {
  const wide = WIDE[source];
  const values = (frame: Frame, out: Float32Array) => {
    const numbers = frame[source];
    for (let i = 0; i < out.length; i++) out[i] = numbers && numbers.length > 0 ? of(numbers, wide * i) : 0;
  };
  return { id, title, unit, needs: NEEDS[source], signed, share: SHARE, values, source, wide, of, has: () => true, hats: false };
}

// Temperatures and phases: which media have them, and what they are called.
function heat({ fractions }: ContinuumScene): Field[] {
  const of = (count: number) => (medium: number) => fractions[medium] === count;
  const phase = (id: string, title: string, k: number, count: number) => ({ ...field(id, title, "", "fraction", part(k), false), has: of(count), hats: true });
  const all: Field[] = [];
  if (fractions.some((n) => n >= 0))
    all.push({ ...field("temperature", "Temperature", "K", "temperature", part(0), false), fromLowest: true, has: (m) => fractions[m]! >= 0, hats: true });
  if (fractions.includes(1)) all.push(phase("liquid", "Fraction of liquid", 0, 1));
  if (fractions.includes(3)) PHASES.forEach((name, k) => all.push(phase(name.replace(" ", ""), `Fraction of ${name}`, k, 3)));
  return all;
}

// Of an alloy, in the order of the file.
export const PHASES = ["martensite 1", "martensite 2", "austenite"];

const part = (c: number) => (v: ArrayLike<number>, at: number) => v[at + c]!;
const length = (v: ArrayLike<number>, at: number) => Math.hypot(v[at]!, v[at + 1]!);

const length3 = (v: ArrayLike<number>, at: number) => Math.hypot(v[at]!, v[at + 1]!, v[at + 2]!);

// In space: stresses have six numbers, xx, yy, xy, zz, yz, zx.
function inSpace({ fluid }: ContinuumScene, moves: boolean): Field[] {
  const stress = (id: string, title: string, of: Field["of"], signed = true): Field => {
    const made = field(id, title, "Pa s", "stress", of, signed);
    const values = (frame: Frame, out: Float32Array) => {
      for (let i = 0; i < out.length; i++) out[i] = frame.stress ? of(frame.stress, 6 * i) : 0;
    };
    return { ...made, wide: 6, values };
  };
  const norm = (v: ArrayLike<number>, at: number) => Math.hypot(v[at]!, v[at + 1]!, v[at + 3]!, ...[2, 4, 5].map((k) => Math.SQRT2 * v[at + k]!));
  const all = [
    ...(moves ? [field("displacement", "Displacement", "m", "shift", length3, false)] : []),
    field("speed", "Speed", "m/s", "swift", length3, false),
    ...["x", "y", "z"].map((axis, k) => field(`v${axis}`, `Velocity in ${axis}`, "m/s", "swift", part(k))),
    { ...field("pressure", "Impulse pressure", "Pa s", "pressure", part(0)), has: (medium: number) => fluid[medium] === 1 },
    ...["xx", "yy", "xy", "zz", "yz", "zx"].map((axes, k) => stress(`s${axes}`, `Impulse stress ${axes}`, part(k))),
    stress("stress", "Norm of the impulse stress", norm, false),
  ];
  const some = fluid.includes(1);
  return all.filter((f) => some || f.source !== "pressure");
}

// The first is shown first; which of them the run has, Colors asks the frames.
export function fields(scene: ContinuumScene, moves: boolean): Field[] {
  const { dimension, fluid } = scene;
  if (scene.space) return inSpace(scene, moves);
  const along = [
    field("vx", dimension === 1 ? "Velocity" : "Velocity in x", "m/s", "velocity", part(0)),
    field("sxx", dimension === 1 ? "Impulse stress" : "Impulse stress xx", "Pa s", "stress", part(0)),
  ];
  // A curve is seen as a whole.
  if (dimension === 1) return [...along, ...(moves ? [field("ux", "Displacement", "m", "moved", part(0))] : []), ...heat(scene)].map((f) => ({ ...f, share: 1 }));
  const all = [
    field("speed", "Speed", "m/s", "velocity", length, false),
    along[0]!,
    field("vy", "Velocity in y", "m/s", "velocity", part(1)),
    { ...(moves ? field("pressure", "Pressure", "Pa", "pressure", part(0)) : field("pressure", "Impulse pressure", "Pa s", "pressure", part(0))), has: (medium: number) => fluid[medium] === 1 },
    along[1]!,
    field("syy", "Impulse stress yy", "Pa s", "stress", part(1)),
    field("sxy", "Impulse stress xy", "Pa s", "stress", part(2)),
    // Of the tensor: xy and yx both count.
    field("stress", "Norm of the impulse stress", "Pa s", "stress", (v, at) => Math.hypot(v[at]!, v[at + 1]!, Math.SQRT2 * v[at + 2]!), false),
    field("displacement", "Displacement", "m", "moved", length, false),
    ...heat(scene),
  ];
  const some = fluid.includes(1);
  return all.filter((f) => (some || f.source !== "pressure") && (moves || f.source !== "moved"));
}
