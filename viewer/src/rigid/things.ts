// The bodies of a rigid run as things to select: their numbers, as the file has them.
import { show } from "../numbers";
import type { Run } from "../run";
import type { History, NumberRow, Things } from "../view";
import { KINDS, type RigidScene } from "./scene";

export class RigidThings implements Things {
  readonly names: string[];
  readonly histories: History[];

  constructor(
    private readonly run: Run,
    private readonly scene: RigidScene,
  ) {
    this.names = Array.from({ length: scene.count }, (_, b) => scene.name(b));
    const component = (axis: number): History => ({
      id: "xyz"[axis]!,
      title: "xyz"[axis]!,
      unit: "m",
      values: (...args) => this.series("frames/position", (v, i) => v[3 * i + axis]!, ...args),
    });
    const size = (v: Float64Array, i: number) => Math.hypot(v[3 * i]!, v[3 * i + 1]!, v[3 * i + 2]!);
    const axes = scene.dimension === 2 ? [0, 1] : [0, 1, 2];
    this.histories = [
      { id: "speed", title: "speed", unit: "m/s", values: (...args) => this.series("frames/velocity", size, ...args) },
      ...axes.map(component),
      { id: "spin", title: "spin", unit: "rad/s", values: (...args) => this.series("frames/spin", size, ...args) },
    ];
  }

  // Rows of one body. With a single body the file leaves that dimension out.
  private rows(name: string, body: number, first: number, count = 1, every = 1, signal?: AbortSignal): Promise<Float64Array> {
    const part = { first, count, every };
    return this.run.rows(name, "f64", this.scene.count === 1 ? part : { ...part, second: body }, signal);
  }

  private async series(
    name: string,
    of: (v: Float64Array, i: number) => number,
    body: number,
    first: number,
    count: number,
    every: number,
    signal: AbortSignal,
  ): Promise<number[]> {
    const all = await this.rows(name, body, first, count, every, signal);
    return Array.from({ length: count }, (_, i) => of(all, i));
  }

  async numbers(body: number, frame: number): Promise<NumberRow[]> {
    const scene = this.scene;
    const [position, orientation, velocity, spin] = await Promise.all([
      this.rows("frames/position", body, frame),
      this.rows("frames/orientation", body, frame),
      this.rows("frames/velocity", body, frame),
      this.rows("frames/spin", body, frame),
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
    ];
  }
}
