// Colours of things by a quantity.
import type { Control } from "./options";
import { scaleFor, show } from "./numbers";
import { BALANCE, RAMP, REST, rgb, type Rgb, shade, WORDS } from "./palette";
import type { Legend, Session } from "./view";

const words = WORDS.map(rgb);
const grey = rgb(REST);

export interface Quantity<Extra, Frame> {
  id: string;
  title: string;
  unit: string;
  needs: Extra[];
  fromLowest?: boolean; // the scale begins at the lowest value, not at 0
  signed?: boolean; // the scale reaches as far below 0 as above
  share?: number; // of the values other than 0 that the scale holds, USUAL if left out; those beyond have the last colour
  sample?: () => Promise<Float32Array>; // what the scale must hold, where that is known better than by a few frames
  words?: string[];
  rest?: boolean; // the last word is for all others: grey
  // Of every thing; a word's number if there are words.
  values: (frame: Frame, out: Float32Array) => void;
}

interface Source<Extra, Frame> {
  offers(extra: Extra): boolean;
  peek(index: number, extras: Extra[]): Promise<Frame>;
}

const USUAL = 0.98; // so the scale ends at the 98th percentile, and one from its lowest value begins at the 2nd
const NEAR = 1.25; // a full range that is so many times the usual one at most is shown as a whole
const LEAST = 0.1; // of the full range that the scale covers: a few fast bodies among many at rest keep their colours apart

// The scale is made from some frames of the run: as many as fit into this, but not too few or too many.
const SAMPLE_BYTES = 1 << 20;
const FEWEST = 9;
const MOST = 129;
const LEVELS = 65; // of a ramp, where colours are counted; odd, so that one is its middle

// A scale from low to high, and the values that there are.
interface Scale {
  low: number;
  high: number;
  least: number;
  largest: number;
  frames: number; // that there were
}

// `all`: the full range, whatever share of the values it is.
function scaleOf(quantity: { fromLowest?: boolean; signed?: boolean; share?: number }, parts: Float32Array[], frames: number, all: boolean): Scale {
  let [least, largest] = [Infinity, -Infinity];
  for (const part of parts)
    for (const v of part) {
      if (v < least) least = v;
      if (v > largest) largest = v;
    }
  if (quantity.signed) largest = Math.max(0, largest, -least);
  least = quantity.signed ? -largest : quantity.fromLowest && isFinite(least) ? least : 0;
  largest = Math.max(least, largest);
  const share = all ? 1 : (quantity.share ?? USUAL);
  let [low, high] = [least, largest];
  if (share < 1 && largest > least) {
    const size = (v: number) => (quantity.signed ? Math.abs(v) : v);
    const kept = quantity.fromLowest ? parts : parts.map((part) => part.map(size).filter((v) => v > 0));
    const sorted = Float32Array.from(kept.flatMap((part) => Array.from(part))).sort();
    if (sorted.length > 0) high = sorted[Math.floor(share * (sorted.length - 1))]!;
    if (quantity.fromLowest) low = sorted[Math.ceil((1 - share) * (sorted.length - 1))]!;
    if (quantity.share === undefined) {
      high = Math.max(high, low + LEAST * (largest - least));
      // Outliers are left out only if they would take much of the scale.
      if (largest - least <= NEAR * (high - low)) [low, high] = [least, largest];
    }
    if (quantity.signed) low = -high;
  }
  return { low, high, least, largest, frames };
}

// The frames by which a scale is made, spread over the run.
export function sampleFrames(frames: number, bytes: number): number[] {
  const samples = Math.max(FEWEST, Math.min(MOST, Math.floor(SAMPLE_BYTES / bytes)));
  const at = Array.from({ length: samples }, (_, i) => Math.round((i * (frames - 1)) / (samples - 1)));
  return [...new Set(at)];
}

// The colours of the things in a frame, by what the user chose. The scale comes from a few frames of
// the whole run, so a frame looks the same whenever it is drawn; what is beyond has the last colour.
export class Colors<Extra extends string, Frame> {
  private readonly value: Float32Array;
  private readonly scales = new Map<string, { usual: Scale; full: Scale }>();
  private scale: Scale = { low: 0, high: 0, least: 0, largest: 0, frames: 0 }; // of the last picture

  constructor(
    private readonly quantities: Quantity<Extra, Frame>[], // the last one if what is chosen is not there
    private readonly count: number,
    private readonly counts: (thing: number, frame: Frame) => boolean, // for the scale
    private readonly source: Source<Extra, Frame>,
    private readonly session: Session,
    first: string,
  ) {
    this.value = new Float32Array(count);
    session.options.declare("color", first);
    session.options.declare("scale", "run");
    session.options.declare("range", "usual");
  }

  private offered(): Quantity<Extra, Frame>[] {
    return this.quantities.filter((q) => q.needs.every((extra) => this.source.offers(extra)));
  }

  controls(): Control[] {
    return [
      { kind: "choice", key: "color", label: "Colour", choices: this.offered().map((q) => [q.id, q.title]), hint: "key C" },
      {
        kind: "choice",
        key: "scale",
        label: "Colour scale",
        choices: [
          ["run", "whole run"],
          ["frame", "this frame"],
        ],
      },
      ...(this.offered().some((q) => !q.words && q.share !== 1)
        ? ([
            {
              kind: "choice",
              key: "range",
              label: "Colour range",
              choices: [
                ["usual", "without outliers"],
                ["full", "full range"],
              ],
            },
          ] as Control[])
        : []),
    ];
  }

  protected quantity(): Quantity<Extra, Frame> {
    const id = this.session.options.word("color");
    return this.offered().find((q) => q.id === id) ?? this.quantities[this.quantities.length - 1]!;
  }

  needs(): Extra[] {
    return this.quantity().needs;
  }

  prepared(): boolean {
    const quantity = this.quantity();
    return quantity.words !== undefined || this.scales.has(quantity.id);
  }

  // Looks at some frames for the scale. While a run grows it is looked at again now and then.
  async prepare(): Promise<void> {
    const quantity = this.quantity();
    const { run } = this.session;
    const frames = run.count("frames");
    const old = this.scales.get(quantity.id);
    if (quantity.words || (old && (!run.running || frames < 2 * old.full.frames))) return;
    const known = await quantity.sample?.();
    const parts = known ? [known] : await Promise.all(
      sampleFrames(frames, 24 * this.count).map(async (k) => {
        const value = new Float32Array(this.count);
        const frame = await this.source.peek(k, quantity.needs);
        quantity.values(frame, value);
        return this.counted(value, frame);
      }),
    );
    this.scales.set(quantity.id, { usual: scaleOf(quantity, parts, frames, false), full: scaleOf(quantity, parts, frames, true) });
  }

  private counted(value: Float32Array, frame: Frame): Float32Array {
    return value.filter((v, b) => isFinite(v) && this.counts(b, frame));
  }

  private ramp(): string[] {
    return this.quantity().signed ? BALANCE : RAMP;
  }

  // Values of all things, and the scale they are seen on.
  private measure(frame: Frame): Scale {
    const quantity = this.quantity();
    quantity.values(frame, this.value);
    const range = this.session.options.word("range") === "full" ? "full" : "usual";
    if (this.session.options.word("scale") === "frame") {
      this.scale = scaleOf(quantity, [this.counted(this.value, frame)], 1, range === "full");
    } else this.scale = this.scales.get(quantity.id)?.[range] ?? this.scale;
    return this.scale;
  }

  // What is chosen, and the scale it is seen on.
  scaled(frame: Frame): { id: string; low: number; high: number; colors: string[] } {
    const { low, high } = this.measure(frame);
    return { id: this.quantity().id, low, high, colors: this.ramp() };
  }

  // Red, green, blue of every thing, each to `scale`, `stride` numbers apart.
  fill(frame: Frame, out: Float32Array | Uint8Array, stride: number, scale: number): void {
    const { low, high } = this.measure(frame);
    const { words: named, rest } = this.quantity();
    const ramp = this.ramp().map(rgb);
    const span = high - low || 1;
    for (let b = 0; b < this.count; b++) {
      const to = b * stride;
      if (named) {
        const color = rest && this.value[b] === named.length - 1 ? grey : words[this.value[b]! % words.length]!;
        for (let c = 0; c < 3; c++) out[to + c] = scale * color[c]!;
      } else shade((this.value[b]! - low) / span, out, to, scale, ramp);
    }
  }

  // The same as numbers of colours in a list, for those who draw all of one colour together.
  pick(frame: Frame, out: Uint8Array): Rgb[] {
    const { low, high } = this.measure(frame);
    const { words: names, rest } = this.quantity();
    const step = (LEVELS - 1) / (high - low || 1);
    for (let b = 0; b < this.count; b++)
      out[b] = names
        ? rest && this.value[b] === names.length - 1
          ? WORDS.length
          : this.value[b]! % WORDS.length
        : Math.max(0, Math.min(LEVELS - 1, Math.round((this.value[b]! - low) * step)));
    return names ? wordLevels : levelsOf(this.ramp());
  }

  legend(): Legend {
    const { title, unit, words: names, rest, fromLowest, signed, share = USUAL } = this.quantity();
    const { low, high, least, largest } = this.scale;
    const beyond = !names && (largest > high || least < low);
    const { one } = scaleFor(unit, Math.max(Math.abs(low), Math.abs(high)));
    const [first, last] = [show(100 * (1 - share), 3), show(100 * share, 3)];
    const note =
      fromLowest && !signed
        ? `${first === "2" ? "2nd" : `${first}th`} to ${last}th percentile; all: ${show(least / one, 3)} to ${show(largest / one, 3)}`
        : `${last}th percentile; largest ${show(largest / one, 3)}`;
    return {
      title,
      unit,
      low,
      high,
      above: !names && largest > high,
      below: !names && least < low,
      note: beyond ? note : undefined,
      colors: names ? names.map((_, i) => (rest && i === names.length - 1 ? REST : WORDS[i % WORDS.length]!)) : this.ramp(),
      words: names,
    };
  }
}

const made = new Map<string[], Rgb[]>();
// The levels of a ramp, each to 255.
function levelsOf(colors: string[]): Rgb[] {
  let levels = made.get(colors);
  if (levels) return levels;
  const ramp = colors.map(rgb);
  levels = Array.from({ length: LEVELS }, (_, i): Rgb => {
    const c = new Uint8ClampedArray(3);
    shade(i / (LEVELS - 1), c, 0, 255, ramp);
    return [c[0]!, c[1]!, c[2]!];
  });
  made.set(colors, levels);
  return levels;
}
const wordLevels = [...WORDS, REST].map((hex) => rgb(hex).map((c) => Math.round(255 * c)) as Rgb);
