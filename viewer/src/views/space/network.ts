// The network of forces: between the centres of two bodies a line as thick as their percussion; to
// an obstacle, from where they touch.
import type { Frame } from "../../rigid/frames";
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

export class Network {
  // The thickest line stands for this, N s: what was seen, and never shrinks.
  strongest = 0;
  private readonly thick: number; // m, of the thickest line
  private readonly colors: number[];

  constructor(private readonly scene: RigidScene) {
    const sizes = Array.from(scene.radius).filter((r, b) => isFinite(r) && scene.kind[b] === 0);
    sizes.sort((a, b) => a - b);
    this.thick = 0.8 * (sizes[sizes.length >> 1] ?? 1);
    this.colors = Array.from({ length: 64 }, (_, k) => {
      const at = (k / 63) * (INK.length - 1);
      const i = Math.min(INK.length - 2, Math.floor(at));
      const [a, b] = [INK[i]!, INK[i + 1]!];
      const part = (c: number) => a[c]! + (at - i) * (b[c]! - a[c]!);
      return pack(part(0), part(1), part(2), 1);
    });
  }

  build(frame: Frame, camera: Camera, strokes: Strokes, scale: number): void {
    const contacts = frame.contacts;
    if (!contacts) return;
    const { count, bodies, point, percussion } = contacts;
    const size: number[] = [];
    const first: number[] = [];
    // Contacts of one pair come together: they are one line.
    for (let c = 0; c < count; ) {
      let [x, y, z] = [0, 0, 0];
      const start = c;
      do {
        x += percussion[3 * c]!;
        y += percussion[3 * c + 1]!;
        z += percussion[3 * c + 2]!;
        c++;
      } while (
        c < count &&
        bodies[2 * c] === bodies[2 * start] &&
        bodies[2 * c + 1] === bodies[2 * start + 1]
      );
      const strength = Math.hypot(x, y, z);
      if (!(strength > 0) || !isFinite(strength)) continue;
      size.push(strength);
      first.push(start);
      if (strength > this.strongest) this.strongest = strength;
    }
    const free = (b: number) => b >= 0 && b < this.scene.count && this.scene.kind[b] === 0;
    const p = frame.position;
    for (let k = 0; k < size.length; k++) {
      const part = size[k]! / this.strongest;
      const wide = scale * part * this.thick;
      if (part * scale < 0.004) continue;
      const c = first[k]!;
      const a = bodies[2 * c]!;
      const b = bodies[2 * c + 1]!;
      const [from, i] = free(a) ? [p, 3 * a] : [point, 3 * c];
      const [to, j] = free(b) ? [p, 3 * b] : [point, 3 * c];
      const color = this.colors[Math.min(63, Math.floor(64 * Math.sqrt(part)))]!;
      strokes.add(camera, from[i]!, from[i + 1]!, from[i + 2]!, to[j]!, to[j + 1]!, to[j + 2]!, wide, wide, color);
    }
  }
}
