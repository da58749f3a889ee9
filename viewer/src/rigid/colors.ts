// What the bodies of a rigid run can be coloured by.
import { Colors, type Quantity } from "../colors";
import { OBSTACLES, rgb } from "../palette";
import type { Legend, Session } from "../view";
import type { Extra, Frame, RigidFrames } from "./frames";
import { groupsOf, type Groups } from "./groups";
import type { RigidScene } from "./scene";

const length = (v: ArrayLike<number>, i: number) => Math.hypot(v[3 * i]!, v[3 * i + 1]!, v[3 * i + 2]!);

function quantities(s: RigidScene, groups: Groups): Quantity<Extra, Frame>[] {
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
      title: "Impulse",
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
      title: "Motion",
      unit: "",
      needs: ["velocity", "spin"],
      words: ["moving", "at rest"],
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
      id: "group",
      title: "Group",
      unit: "",
      needs: [],
      words: groups.names,
      rest: groups.rest,
      values: (_, out) => {
        for (let b = 0; b < s.count; b++) out[b] = Math.max(0, groups.of[b]!);
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

// What tells bodies apart at first sight: groups, materials, or how fast they are.
function firstColor(s: RigidScene, groups: Groups, frames: RigidFrames): string {
  const materials = new Set(s.material.filter((_, b) => s.kind[b] === 0));
  if (groups.names.length > 1) return "group";
  if (materials.size > 1 || !frames.offers("velocity")) return "material";
  return "speed";
}

export class RigidColors extends Colors<Extra, Frame> {
  private readonly obstacles: Groups;

  constructor(
    private readonly scene: RigidScene,
    frames: RigidFrames,
    session: Session,
  ) {
    const names = Array.from({ length: scene.count }, (_, b) => scene.name(b));
    const groups = groupsOf(names, (b) => scene.kind[b] === 0);
    super(quantities(scene, groups), scene.count, (b) => scene.kind[b] === 0, frames, session, firstColor(scene, groups, frames));
    this.obstacles = groupsOf(names, (b) => scene.kind[b] !== 0, OBSTACLES.length);
  }

  // Obstacles keep their own colours, but for those of materials.
  override fill(frame: Frame, out: Float32Array | Uint8Array, stride: number, scale: number): void {
    super.fill(frame, out, stride, scale);
    if (this.quantity().id === "material") return;
    const colors = OBSTACLES.map(rgb);
    for (let b = 0; b < this.scene.count; b++) {
      const group = this.obstacles.of[b]!;
      if (group >= 0) for (let c = 0; c < 3; c++) out[b * stride + c] = scale * colors[group]![c]!;
    }
  }

  legends(): Legend[] {
    const { names } = this.obstacles;
    const own = names.length > 0 && this.quantity().id !== "material";
    return [this.legend(), ...(own ? [{ title: "Obstacles", unit: "", low: 0, high: 0, colors: OBSTACLES.slice(0, names.length), words: names }] : [])];
  }
}
