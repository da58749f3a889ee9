// The people of a crowd run as things to select: their numbers, as the file has them.
import { show } from "../numbers";
import type { Run } from "../run";
import { Recorded } from "../things";
import type { History, NumberRow, Things } from "../view";
import type { Exits } from "./exits";
import type { CrowdScene } from "./scene";

export class People implements Things {
  readonly names: string[];
  readonly histories: History[];

  private readonly file: Recorded;

  constructor(
    private readonly run: Run,
    private readonly scene: CrowdScene,
    private readonly exits: Exits,
  ) {
    this.names = scene.names;
    this.file = new Recorded(run, (name, person) => {
      if (/^(position|velocity|orientation)$/.test(name)) return scene.rigid.count === 1 ? undefined : scene.first + person;
      return run.dataset(`frames/${name}`).shape.length < 2 ? undefined : person;
    });
    const size = (v: Float64Array, i: number) => Math.hypot(v[3 * i]!, v[3 * i + 1]!);
    const x = this.file.history("x", "x", "m", "position", (v, i) => v[3 * i]!);
    this.histories = [
      this.file.history("speed", "speed", "m/s", "velocity", size),
      this.file.history("push", "impulse", "N s", "push", (v, i) => v[i]!),
      ...(scene.floors.length === 1 ? [x] : []),
      this.file.history("y", "y", "m", "position", (v, i) => v[3 * i + 1]!),
    ];
  }

  async numbers(person: number, frame: number): Promise<NumberRow[]> {
    const { scene } = this;
    const most = this.run.has("frames/push_largest");
    const [position, velocity, present, floor, goal, push, largest] = await Promise.all([
      this.file.rows("position", person, frame),
      this.file.rows("velocity", person, frame),
      this.file.rows("present", person, frame),
      this.file.rows("floor", person, frame),
      this.file.rows("goal", person, frame),
      this.file.rows("push", person, frame),
      most ? this.file.rows("push_largest", person, frame) : null,
      this.exits.refresh(),
    ]);
    const there = present[0] === 1;
    const on = scene.floors[floor[0]!];
    const left = this.exits.last.get(person);
    const rows: NumberRow[] = [
      ["group", scene.groups[scene.group[person]!] ?? "?", ""],
      ["goal", scene.goals[goal[0]!]?.name ?? "none", ""],
      ["present", there ? "yes" : "no", ""],
    ];
    if (there) {
      if (scene.floors.length > 1) rows.push(["floor", on?.name ?? "?", ""]);
      rows.push(
        ["position", [position[0]! - (on?.offset ?? 0), position[1]!].map((x) => show(x, 7)).join("  "), "m"],
        ["speed", show(Math.hypot(velocity[0]!, velocity[1]!)), "m/s"],
        ["impulse", show(push[0]!), "N s"],
      );
    }
    if (largest) rows.push(["largest impulse", show(largest[0]!), "N s"]);
    rows.push(
      ["left", left ? show(left.time, 7) : "not yet", left ? "s" : ""],
      ["exit", left ? (scene.goals[left.exit]?.name ?? "?") : "–", ""],
      ["desired speed", show(scene.speed[person]!), "m/s"],
      ["radius", show(scene.radius[person]!), "m"],
      ["mass", show(scene.mass[person]!), "kg"],
    );
    return rows;
  }
}
