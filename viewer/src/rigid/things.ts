// The bodies of a rigid run as things to select: their numbers, as the file has them.
import { scaleFor, show, showQuantity } from "../numbers";
import type { Run } from "../run";
import { Recorded } from "../things";
import type { History, NumberRow, Things, Touches } from "../view";
import { ContactRows } from "./contacts";
import { KINDS, type RigidScene } from "./scene";

export class RigidThings implements Things {
  readonly names: string[];
  readonly histories: History[];

  private readonly file: Recorded;
  private readonly warm: boolean;
  private readonly contacts: ContactRows;

  constructor(
    run: Run,
    private readonly scene: RigidScene,
  ) {
    this.names = Array.from({ length: scene.count }, (_, b) => scene.name(b));
    this.warm = run.has("frames/temperature");
    this.contacts = new ContactRows(run, scene.origin);
    this.file = new Recorded(run, (_, body) => (scene.count === 1 ? undefined : body));
    const size = (v: Float64Array, i: number) => Math.hypot(v[3 * i]!, v[3 * i + 1]!, v[3 * i + 2]!);
    const axes = scene.dimension === 2 ? ["x", "y"] : ["x", "y", "z"];
    this.histories = [
      this.file.history("speed", "speed", "m/s", "velocity", size),
      ...axes.map((axis, k) => this.file.history(axis, axis, "m", "position", (v, i) => v[3 * i + k]!)),
      this.file.history("spin", "spin", "rad/s", "spin", size),
      ...(this.warm ? [this.file.history("temperature", "temperature", "K", "temperature", (v, i) => v[i]!)] : []),
    ];
  }

  async numbers(body: number, frame: number): Promise<NumberRow[]> {
    const scene = this.scene;
    const [position, orientation, velocity, spin, temperature] = await Promise.all([
      this.file.rows("position", body, frame),
      this.file.rows("orientation", body, frame),
      this.file.rows("velocity", body, frame),
      this.file.rows("spin", body, frame),
      this.warm ? this.file.rows("temperature", body, frame) : [],
    ]);
    const vector = (v: Float64Array) => Array.from(v, (x) => show(x)).join("  ");
    const flat = scene.dimension === 2;
    const axes = flat ? 2 : 3;
    return [
      ["number", String(body), ""],
      ["kind", KINDS[scene.kind[body]!] ?? "?", ""],
      ["shape", scene.shapes[scene.shape[body]!]?.type ?? "?", ""],
      ["material", scene.materials[scene.material[body]!] ?? "?", ""],
      ["mass", show(scene.mass[body]!), "kg"],
      ["position", Array.from(position.subarray(0, axes), (x) => show(x, 9)).join("  "), "m"],
      ["velocity", vector(velocity.subarray(0, axes)), "m/s"],
      ["speed", show(Math.hypot(...velocity)), "m/s"],
      ["spin", flat ? show(spin[2]!) : vector(spin), "rad/s"],
      flat
        ? ["angle", show((2 * Math.atan2(orientation[3]!, orientation[0]!) * 180) / Math.PI), "°"]
        : ["orientation", vector(orientation), ""],
      ...Array.from(temperature, (t): NumberRow => ["temperature", show(t, 7), "K"]),
    ];
  }

  // What it touches, the hardest first: resultant force, its part along the normals and the rest, and
  // the smallest gap (negative: overlap).
  async touches(body: number, frame: number): Promise<Touches | null> {
    const { scene } = this;
    const { run } = scene;
    if (!this.contacts.offered || !run.has("contacts/normal") || !run.has("contacts/gap")) return null;
    const { count, bodies, percussion, normal, gap } = await this.contacts.whole(frame);
    const per = 1 / (scene.step || 1); // forces from impulses of a step
    const pairs = new Map<number, { points: number; force: number[]; normal: number; gap: number }>();
    const sum = [0, 0, 0];
    for (let c = 0; c < count; c++) {
      const own = bodies[2 * c] === body ? 0 : bodies[2 * c + 1] === body ? 1 : -1;
      if (own < 0) continue;
      const other = bodies[2 * c + 1 - own]!;
      const pair = pairs.get(other) ?? { points: 0, force: [0, 0, 0], normal: 0, gap: Infinity };
      pairs.set(other, pair);
      for (let i = 0; i < 3; i++) {
        const force = percussion[3 * c + i]! * per;
        pair.force[i]! += force;
        pair.normal += force * normal[3 * c + i]!;
        sum[i]! += own === 0 ? force : -force;
      }
      pair.points++;
      pair.gap = Math.min(pair.gap, gap[c]!);
    }
    const lines = [...pairs].map(([index, { points, force, normal: along, gap: least }]) => {
      const size = Math.hypot(...force);
      return { index, size, numbers: [size, along, Math.sqrt(Math.max(0, size ** 2 - along ** 2)), 1000 * least], points };
    });
    lines.sort((a, b) => b.size - a.size);
    const { unit, one } = scaleFor("N", lines[0]?.size ?? 0);
    const title =
      lines.length === 0
        ? "no contacts in this frame"
        : `in contact with ${lines.length} bod${lines.length > 1 ? "ies" : "y"}; sum of the forces ${showQuantity(Math.hypot(...sum), "N", 4)}`;
    return {
      title,
      head: ["contact with", "points", `force, ${unit}`, "normal", "friction", "gap, mm"],
      lines: lines.map(({ index, numbers, points }) => ({ index, name: scene.name(index), cells: [String(points), ...numbers.map((x, i) => show(i < 3 ? x / one : x, 3))] })),
    };
  }
}
