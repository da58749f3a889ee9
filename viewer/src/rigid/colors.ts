// Colours of bodies by a quantity.
import type { Control, Options } from "../options";
import type { Legend } from "../view";
import type { Extra, Frame, Frames } from "./frames";
import type { RigidScene } from "./scene";

// From dark to light, evenly in lightness, also for the colour-blind.
const RAMP = ["#403c9c", "#3a62b5", "#2f8bb3", "#37b092", "#83c95f", "#dcd64c", "#fff3a6"];
const WORDS = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#edc948", "#e15759", "#76b7b2", "#9c755f"];
export const OBSTACLE = "#9aa3ad";
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

// The colours of the bodies in a frame, by what the user chose. The scale reaches as far as what was
// seen, and never shrinks, so that frames can be compared.
export class Colors {
  private readonly value: Float32Array;
  private high = 0;
  private low = 0;
  private shown = "";

  constructor(
    private readonly scene: RigidScene,
    private readonly frames: Frames,
    private readonly options: Options,
  ) {
    this.value = new Float32Array(scene.count);
    const wanted = frames.offers("velocity") ? "speed" : "material";
    options.declare("color", wanted);
  }

  control(): Control {
    const offered = QUANTITIES.filter((q) => q.needs.every((extra) => this.frames.offers(extra)));
    return {
      kind: "choice",
      key: "color",
      label: "Colour",
      choices: offered.map((q) => [q.id, q.title]),
      hint: "key C",
    };
  }

  private quantity(): Quantity {
    const id = this.options.word("color");
    const found = QUANTITIES.find((q) => q.id === id && q.needs.every((extra) => this.frames.offers(extra)));
    return found ?? QUANTITIES[QUANTITIES.length - 1]!;
  }

  needs(): Extra[] {
    return this.quantity().needs;
  }

  // Values of the quantity in this frame. The scale grows to hold them.
  values(frame: Frame): Float32Array {
    const quantity = this.quantity();
    if (this.shown !== quantity.id) {
      this.shown = quantity.id;
      this.low = quantity.id === "temperature" ? Infinity : 0;
      this.high = quantity.id === "temperature" ? -Infinity : 0;
    }
    quantity.values(this.scene, frame, this.value);
    if (!quantity.words)
      for (let b = 0; b < this.scene.count; b++) {
        if (this.scene.kind[b] !== 0 || !isFinite(this.value[b]!)) continue;
        this.high = Math.max(this.high, this.value[b]!);
        if (quantity.id === "temperature") this.low = Math.min(this.low, this.value[b]!);
      }
    return this.value;
  }

  // Red, green, blue of every body, each to `scale`, `stride` numbers apart.
  fill(frame: Frame, out: Float32Array | Uint8Array, stride: number, scale: number): void {
    const value = this.values(frame);
    const quantity = this.quantity();
    const obstacle = rgb(OBSTACLE);
    const span = this.high - this.low || 1;
    for (let b = 0; b < this.scene.count; b++) {
      const to = b * stride;
      if (this.scene.kind[b] !== 0 && quantity.id !== "material") {
        for (let c = 0; c < 3; c++) out[to + c] = scale * obstacle[c]!;
      } else if (quantity.words) {
        const color = words[value[b]! % words.length]!;
        for (let c = 0; c < 3; c++) out[to + c] = scale * color[c]!;
      } else {
        shade((value[b]! - this.low) / span, out, to, scale);
      }
    }
  }

  legend(): Legend {
    const quantity = this.quantity();
    const names = quantity.words?.(this.scene);
    return {
      title: quantity.title,
      unit: quantity.unit,
      low: isFinite(this.low) ? this.low : 0,
      high: isFinite(this.high) ? this.high : 0,
      colors: names ? names.map((_, i) => WORDS[i % WORDS.length]!) : RAMP,
      words: names,
    };
  }
}
