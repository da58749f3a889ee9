// Colours of bodies by a quantity.
import type { Control } from "../options";
import type { Legend, Session } from "../view";
import type { Extra, Frame, Frames } from "./frames";
import type { RigidScene } from "./scene";

// From dark to light, evenly in lightness, also for the colour-blind.
const RAMP = ["#3a4fa8", "#3778bd", "#35a0bb", "#4fbf9a", "#93d370", "#e3dc5f", "#fff4ae"];
const WORDS = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#edc948", "#e15759", "#76b7b2", "#9c755f"];
export const OBSTACLE = "#b7bfc9";
export const CHOSEN = "#ff3b6b";

type Rgb = [number, number, number];
export function rgb(hex: string): Rgb {
  const n = parseInt(hex.slice(1), 16);
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}
const ramp = RAMP.map(rgb);
const words = WORDS.map(rgb);

// Colour at a place from 0 to 1 of the ramp, into `out` at `to`.
export function shade(part: number, out: Float32Array | Uint8Array | Uint8ClampedArray, to: number, scale: number): void {
  const at = Math.max(0, Math.min(1, part || 0)) * (ramp.length - 1);
  const i = Math.min(ramp.length - 2, Math.floor(at));
  const a = ramp[i]!;
  const b = ramp[i + 1]!;
  for (let c = 0; c < 3; c++) out[to + c] = scale * (a[c]! + (at - i) * (b[c]! - a[c]!));
}

interface Quantity {
  id: string;
  title: string;
  unit: string;
  needs: Extra[];
  fromLowest?: boolean; // the scale begins at the lowest value, not at 0
  words?: (scene: RigidScene) => string[];
  // Of every body; a word's number if there are words.
  values: (scene: RigidScene, frame: Frame, out: Float32Array) => void;
}

const length = (v: ArrayLike<number>, i: number) => Math.hypot(v[3 * i]!, v[3 * i + 1]!, v[3 * i + 2]!);

const QUANTITIES: Quantity[] = [
  {
    id: "speed",
    title: "Speed",
    unit: "m/s",
    needs: ["velocity"],
    values: (s, f, out) => {
      for (let b = 0; b < s.count; b++) out[b] = length(f.velocity!, b);
    },
  },
  {
    id: "spin",
    title: "Spin",
    unit: "rad/s",
    needs: ["spin"],
    values: (s, f, out) => {
      for (let b = 0; b < s.count; b++) out[b] = length(f.spin!, b);
    },
  },
  {
    id: "percussion",
    title: "Percussion",
    unit: "N s",
    needs: ["contacts"],
    values: (_, f, out) => {
      out.fill(0);
      const { count, bodies, percussion } = f.contacts!;
      for (let c = 0; c < count; c++) {
        const size = length(percussion, c);
        for (let e = 0; e < 2; e++) {
          const body = bodies[2 * c + e]!;
          if (body >= 0) out[body]! += size;
        }
      }
    },
  },
  {
    id: "temperature",
    title: "Temperature",
    unit: "K",
    needs: ["temperature"],
    fromLowest: true,
    values: (s, f, out) => {
      for (let b = 0; b < s.count; b++) out[b] = f.temperature![b]!;
    },
  },
  {
    id: "resting",
    title: "At rest",
    unit: "",
    needs: ["velocity", "spin"],
    words: () => ["moves", "at rest"],
    values: (s, f, out) => {
      // Slower than what the step of gravity gives and takes again.
      const slow = 2 * Math.hypot(...s.gravity) * s.step || 1e-6;
      for (let b = 0; b < s.count; b++) {
        const arm = isFinite(s.radius[b]!) ? s.radius[b]! : 0;
        out[b] = length(f.velocity!, b) + arm * length(f.spin!, b) < slow ? 1 : 0;
      }
    },
  },
  {
    id: "material",
    title: "Material",
    unit: "",
    needs: [],
    words: (s) => s.materials,
    values: (s, _, out) => out.set(s.material),
  },
];

// The scale is made from some frames of the run: as many as fit into this, but not too few or too many.
const SAMPLE_BYTES = 1 << 20;
const FEWEST = 9;
const MOST = 129;

// A scale from low to high.
interface Scale {
  low: number;
  high: number;
  frames: number; // that there were
}

// The colours of the bodies in a frame, by what the user chose. The scale comes from a few frames of
// the whole run, so a frame looks the same whenever it is drawn; what is beyond has the last colour.
export class Colors {
  private readonly value: Float32Array;
  private readonly scales = new Map<string, Scale>();

  constructor(
    private readonly scene: RigidScene,
    private readonly frames: Frames,
    private readonly session: Session,
  ) {
    this.value = new Float32Array(scene.count);
    session.options.declare("color", frames.offers("velocity") ? "speed" : "material");
    session.options.declare("scale", "run");
  }

  controls(): Control[] {
    const offered = QUANTITIES.filter((q) => q.needs.every((extra) => this.frames.offers(extra)));
    return [
      { kind: "choice", key: "color", label: "Colour", choices: offered.map((q) => [q.id, q.title]), hint: "key C" },
      {
        kind: "choice",
        key: "scale",
        label: "Scale of colours",
        choices: [
          ["run", "of the whole run"],
          ["frame", "of this frame"],
        ],
      },
    ];
  }

  private quantity(): Quantity {
    const id = this.session.options.word("color");
    const found = QUANTITIES.find((q) => q.id === id && q.needs.every((extra) => this.frames.offers(extra)));
    return found ?? QUANTITIES[QUANTITIES.length - 1]!;
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
    if (quantity.words || (old && (!run.running || frames < 2 * old.frames))) return;
    const scale: Scale = { low: Infinity, high: -Infinity, frames };
    const last = frames - 1;
    const fit = Math.floor(SAMPLE_BYTES / (24 * this.scene.count));
    const samples = Math.max(FEWEST, Math.min(MOST, fit));
    const at = Array.from({ length: samples }, (_, i) => Math.round((i * last) / (samples - 1)));
    await Promise.all(
      [...new Set(at)].map(async (k) => {
        const value = new Float32Array(this.scene.count);
        quantity.values(this.scene, await this.frames.peek(k, quantity.needs), value);
        this.widen(scale, value);
      }),
    );
    this.scales.set(quantity.id, this.whole(scale));
  }

  private widen(scale: Scale, value: Float32Array): void {
    for (let b = 0; b < value.length; b++) {
      const v = value[b]!;
      if (this.scene.kind[b] !== 0 || !isFinite(v)) continue;
      scale.low = Math.min(scale.low, v);
      scale.high = Math.max(scale.high, v);
    }
  }
  private whole(scale: Scale): Scale {
    const low = this.quantity().fromLowest && isFinite(scale.low) ? scale.low : 0;
    return { ...scale, low, high: Math.max(low, scale.high) };
  }
  private scale: Scale = { low: 0, high: 0, frames: 0 }; // of the last picture

  // Red, green, blue of every body, each to `scale`, `stride` numbers apart.
  fill(frame: Frame, out: Float32Array | Uint8Array, stride: number, scale: number): void {
    const quantity = this.quantity();
    const value = this.value;
    quantity.values(this.scene, frame, value);
    const obstacle = rgb(OBSTACLE);
    if (this.session.options.word("scale") === "frame") {
      const seen = { low: Infinity, high: -Infinity, frames: 1 };
      this.widen(seen, value);
      this.scale = this.whole(seen);
    } else this.scale = this.scales.get(quantity.id) ?? this.scale;
    const { low, high } = this.scale;
    const span = high - low || 1;
    for (let b = 0; b < this.scene.count; b++) {
      const to = b * stride;
      if (this.scene.kind[b] !== 0 && quantity.id !== "material") {
        for (let c = 0; c < 3; c++) out[to + c] = scale * obstacle[c]!;
      } else if (quantity.words) {
        const color = words[value[b]! % words.length]!;
        for (let c = 0; c < 3; c++) out[to + c] = scale * color[c]!;
      } else {
        shade((value[b]! - low) / span, out, to, scale);
      }
    }
  }

  legend(): Legend {
    const quantity = this.quantity();
    const names = quantity.words?.(this.scene);
    return {
      title: quantity.title,
      unit: quantity.unit,
      low: this.scale.low,
      high: this.scale.high,
      colors: names ? names.map((_, i) => WORDS[i % WORDS.length]!) : RAMP,
      words: names,
    };
  }
}
