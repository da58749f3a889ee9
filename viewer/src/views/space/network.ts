// The network of forces: between the centres of two bodies a line as thick as their percussion; to
// an obstacle, from where they touch.
import { ACTION, rgb } from "../../palette";
import { eachLine } from "../../rigid/actions";
import type { Contacts } from "../../rigid/contacts";
import type { Frame, RigidFrames } from "../../rigid/frames";
import type { RigidScene } from "../../rigid/scene";
import type { Camera } from "./camera";
import { pack } from "./gl";
import type { Strokes } from "./strokes";

// From weak to strong.
const INK = [
  [0.98, 0.72, 0.35],
  [0.91, 0.42, 0.2],
  [0.7, 0.13, 0.13],
  [0.38, 0.03, 0.14],
];

// What one line stands for: contacts of one pair, which come together, are one.
function eachPair(contacts: Contacts, take: (first: number, strength: number) => void): void {
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

const LOOKS = 4; // frames that the scale is made from
const USUAL = 0.98; // of the lines of a frame are no stronger than the scale
const THICKEST = 1.5; // lines beyond it are this much thicker at most

export class Network {
  // N s; from frames of the whole run, so that a frame looks the same whenever it is drawn.
  private scale = 0;
  private readonly thick: number; // m, of a line of that strength
  private readonly colors: number[];
  private readonly action = pack(...rgb(ACTION), 1);
  private readonly rope = pack(0.35, 0.35, 0.38, 1);

  constructor(private readonly scene: RigidScene) {
    const sizes = Array.from(scene.radius).filter((r, b) => isFinite(r) && scene.kind[b] === 0);
    sizes.sort((a, b) => a - b);
    this.thick = 0.5 * (sizes[sizes.length >> 1] ?? 1);
    this.colors = Array.from({ length: 64 }, (_, k) => {
      const at = (k / 63) * (INK.length - 1);
      const i = Math.min(INK.length - 2, Math.floor(at));
      const [a, b] = [INK[i]!, INK[i + 1]!];
      const part = (c: number) => a[c]! + (at - i) * (b[c]! - a[c]!);
      return pack(part(0), part(1), part(2), 1);
    });
  }

  get prepared(): boolean {
    return this.scale > 0;
  }
  async prepare(frames: RigidFrames): Promise<void> {
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

  buildStrings(frame: Frame, camera: Camera, strokes: Strokes): void {
    const wide = 0.06 * this.thick;
    for (const string of this.scene.strings) {
      const [p, q] = this.scene.endsOf(string, frame);
      strokes.add(camera, p[0]!, p[1]!, p[2]!, q[0]!, q[1]!, q[2]!, wide, wide, this.rope);
    }
  }

  // Interactions at a distance, thinner as they fade.
  buildActions(frame: Frame, camera: Camera, strokes: Strokes): void {
    const p = frame.actions?.points;
    if (!frame.actions || !p) return;
    eachLine(frame.actions, (at, fresh) => {
      const wide = 0.25 * fresh * this.thick;
      strokes.add(camera, p[at]!, p[at + 1]!, p[at + 2]!, p[at + 3]!, p[at + 4]!, p[at + 5]!, wide, wide, this.action);
    });
  }

  build(frame: Frame, camera: Camera, strokes: Strokes, scale: number): void {
    const contacts = frame.contacts;
    if (!contacts) return;
    const free = (b: number) => b >= 0 && b < this.scene.count && this.scene.kind[b] === 0;
    const p = frame.position;
    const { bodies, point } = contacts;
    eachPair(contacts, (c, strength) => {
      const part = Math.min(THICKEST, strength / this.scale);
      const wide = scale * part * this.thick;
      if (part * scale < 0.01) return;
      const a = bodies[2 * c]!;
      const b = bodies[2 * c + 1]!;
      const [from, i] = free(a) ? [p, 3 * a] : [point, 3 * c];
      const [to, j] = free(b) ? [p, 3 * b] : [point, 3 * c];
      const color = this.colors[Math.min(63, Math.floor(64 * Math.sqrt(part / THICKEST)))]!;
      strokes.add(camera, from[i]!, from[i + 1]!, from[i + 2]!, to[j]!, to[j + 1]!, to[j + 2]!, wide, wide, color);
    });
  }
}
