// Forces of contacts as lines: what one line stands for, and the scale of width and colour that all
// views share. A force is the impulse of a step by the length of the step.
import { shade, type Rgb, rgb } from "../palette";
import type { Legend } from "../view";
import type { Contacts } from "./contacts";
import type { RigidScene } from "./scene";

const INK = ["#fab859", "#e86b33", "#b32121", "#610824"]; // from weak to strong
const LOOKS = 4; // frames that the scale is made from
const USUAL = 0.98; // of the lines of a frame are no stronger than the scale
export const THICKEST = 1.5; // lines beyond it are this much thicker at most
const LEVELS = 64;
const WEAKEST = 0.01; // of the scale: thinner lines are not drawn

// Contacts of one pair, which come together, are one line.
export function eachPair(contacts: Contacts, take: (first: number, strength: number) => void): void {
  const { count, bodies, percussion } = contacts;
  for (let c = 0; c < count; ) {
    let [x, y, z] = [0, 0, 0];
    const first = c;
    do {
      x += percussion[3 * c]!;
      y += percussion[3 * c + 1]!;
      z += percussion[3 * c + 2]!;
      c++;
    } while (c < count && bodies[2 * c] === bodies[2 * first] && bodies[2 * c + 1] === bodies[2 * first + 1]);
    const strength = Math.hypot(x, y, z);
    if (strength > 0 && isFinite(strength)) take(first, strength);
  }
}

export class Forces {
  // N s; from frames of the whole run, so that a frame looks the same whenever it is drawn.
  private scale = 0;
  readonly colors: Rgb[]; // each to 1

  constructor(private readonly scene: RigidScene) {
    const ramp = INK.map(rgb);
    this.colors = Array.from({ length: LEVELS }, (_, k) => {
      const c = new Float32Array(3);
      shade(k / (LEVELS - 1), c, 0, 1, ramp);
      return [c[0]!, c[1]!, c[2]!];
    });
  }

  get prepared(): boolean {
    return this.scale > 0;
  }
  async prepare(frames: { peek(index: number, extras: ["contacts"]): Promise<{ contacts: Contacts | null }> }): Promise<void> {
    if (this.prepared) return;
    const last = this.scene.run.count("frames") - 1;
    const scales: number[] = [];
    const at = new Set(Array.from({ length: LOOKS }, (_, k) => Math.round(((k + 1) * last) / LOOKS)));
    for (const index of at) {
      const { contacts } = await frames.peek(index, ["contacts"]);
      const strengths: number[] = [];
      if (contacts) eachPair(contacts, (_, strength) => strengths.push(strength));
      strengths.sort((a, b) => a - b);
      if (strengths.length > 0) scales.push(strengths[Math.floor(USUAL * (strengths.length - 1))]!);
    }
    // The middle one: blows in one of the frames must not make the others thin.
    scales.sort((a, b) => a - b);
    this.scale = scales[(scales.length - 1) >> 1] ?? 1;
  }

  // The lines of a frame: the first contact of each, how thick it is (1: at the end of the usual
  // forces), and which colour it has.
  each(contacts: Contacts, take: (contact: number, thick: number, level: number) => void): void {
    eachPair(contacts, (c, strength) => {
      const part = Math.min(THICKEST, strength / this.scale);
      if (part >= WEAKEST) take(c, part, this.level(part / THICKEST));
    });
  }
  private level(part: number): number {
    return Math.min(LEVELS - 1, Math.floor(LEVELS * Math.sqrt(part)));
  }

  // The two ends of a line: the centres of free bodies, or where an obstacle is touched.
  ends(contacts: Contacts, c: number, position: Float32Array, out: Float64Array): void {
    for (let e = 0; e < 2; e++) {
      const b = contacts.bodies[2 * c + e]!;
      const free = b >= 0 && b < this.scene.count && this.scene.kind[b] === 0;
      const [from, at] = free ? [position, 3 * b] : [contacts.point, 3 * c];
      for (let i = 0; i < 3; i++) out[3 * e + i] = from[at + i]!;
    }
  }

  legend(): Legend {
    const steps = 12;
    const colors = Array.from({ length: steps + 1 }, (_, k) => {
      const color = this.colors[this.level(k / steps)]!;
      return `rgb(${color.map((c) => Math.round(255 * c)).join(" ")})`;
    });
    return {
      title: "Contact forces",
      unit: "N",
      low: 0,
      high: (THICKEST * this.scale) / (this.scene.step || 1),
      above: true,
      wedge: true,
      colors,
      note: "impulse of a step / time step",
    };
  }
}
