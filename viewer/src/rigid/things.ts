// The bodies of a rigid run as things to select: their numbers, as the file has them.
import { show } from "../numbers";
import type { Run } from "../run";
import { Recorded } from "../things";
import type { History, NumberRow, Things } from "../view";
import { KINDS, type RigidScene } from "./scene";

export class RigidThings implements Things {
  readonly names: string[];
  readonly histories: History[];

  private readonly file: Recorded;
  private readonly warm: boolean;

  constructor(
    run: Run,
    private readonly scene: RigidScene,
  ) {
    this.names = Array.from({ length: scene.count }, (_, b) => scene.name(b));
    this.warm = run.has("frames/temperature");
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
}
