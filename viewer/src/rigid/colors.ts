// What the bodies of a rigid run can be coloured by.
import { Colors, type Quantity } from "../colors";
import { OBSTACLE, rgb } from "../palette";
import type { Session } from "../view";
import type { Extra, Frame, RigidFrames } from "./frames";
import type { RigidScene } from "./scene";

const length = (v: ArrayLike<number>, i: number) => Math.hypot(v[3 * i]!, v[3 * i + 1]!, v[3 * i + 2]!);

function quantities(s: RigidScene): Quantity<Extra, Frame>[] {
  return [
    {
      id: "speed",
      title: "Speed",
      unit: "m/s",
      needs: ["velocity"],
      values: (f, out) => {
        for (let b = 0; b < s.count; b++) out[b] = length(f.velocity!, b);
      },
    },
    {
      id: "spin",
      title: "Spin",
      unit: "rad/s",
      needs: ["spin"],
      values: (f, out) => {
        for (let b = 0; b < s.count; b++) out[b] = length(f.spin!, b);
      },
    },
    {
      id: "percussion",
      title: "Percussion",
      unit: "N s",
      needs: ["contacts"],
      values: (f, out) => {
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
      values: (f, out) => {
        for (let b = 0; b < s.count; b++) out[b] = f.temperature![b]!;
      },
    },
    {
      id: "resting",
      title: "At rest",
      unit: "",
      needs: ["velocity", "spin"],
      words: ["moves", "at rest"],
      values: (f, out) => {
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
      words: s.materials,
      values: (_, out) => out.set(s.material),
    },
  ];
}

export class RigidColors extends Colors<Extra, Frame> {
  constructor(
    private readonly scene: RigidScene,
    frames: RigidFrames,
    session: Session,
  ) {
    const first = frames.offers("velocity") ? "speed" : "material";
    super(quantities(scene), scene.count, (b) => scene.kind[b] === 0, frames, session, first);
  }

  // Obstacles have no colour but by their material.
  override fill(frame: Frame, out: Float32Array | Uint8Array, stride: number, scale: number): void {
    super.fill(frame, out, stride, scale);
    if (this.quantity().id === "material") return;
    const obstacle = rgb(OBSTACLE);
    for (let b = 0; b < this.scene.count; b++)
      for (let c = 0; c < 3 && this.scene.kind[b] !== 0; c++) out[b * stride + c] = scale * obstacle[c]!;
  }
}
