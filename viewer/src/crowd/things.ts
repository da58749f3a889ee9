// The people of a crowd run as things to select: their numbers, as the file has them.
import { show } from "../numbers";
import type { Run } from "../run";
import type { History, NumberRow, Things } from "../view";
import type { Exits } from "./exits";
import type { CrowdScene } from "./scene";

export class People implements Things {
  readonly names: string[];
  readonly histories: History[];

  constructor(
    private readonly run: Run,
    private readonly scene: CrowdScene,
    private readonly exits: Exits,
  ) {
    this.names = scene.names;
    const size = (v: Float64Array, i: number) => Math.hypot(v[3 * i]!, v[3 * i + 1]!);
    this.histories = [
      { id: "speed", title: "speed", unit: "m/s", values: (i, ...at) => this.series("velocity", size, i, ...at) },
      { id: "push", title: "percussion", unit: "N s", values: (i, ...at) => this.series("push", (v, k) => v[k]!, i, ...at) },
      { id: "y", title: "y", unit: "m", values: (i, ...at) => this.series("position", (v, k) => v[3 * k + 1]!, i, ...at) },
    ];
    if (scene.floors.length === 1)
      this.histories.splice(2, 0, {
        id: "x",
        title: "x",
        unit: "m",
        values: (i, ...at) => this.series("position", (v, k) => v[3 * k]!, i, ...at),
      });
  }

  // Rows of one person. Where there is only one of them the file leaves that dimension out.
  private rows(name: string, person: number, first: number, count = 1, every = 1, signal?: AbortSignal): Promise<Float64Array> {
    const part = { first, count, every };
    const { shape } = this.run.dataset(`frames/${name}`);
    const bodies = /^(position|velocity|orientation)$/.test(name);
    const second = bodies ? this.scene.first + person : person;
    const single = bodies ? this.scene.rigid.count === 1 : shape.length < 2;
    return this.run.rows(`frames/${name}`, "f64", single ? part : { ...part, second }, signal);
  }

  private async series(
    name: string,
    of: (v: Float64Array, i: number) => number,
    person: number,
    first: number,
    count: number,
    every: number,
    signal: AbortSignal,
  ): Promise<number[]> {
    const all = await this.rows(name, person, first, count, every, signal);
    return Array.from({ length: count }, (_, i) => of(all, i));
  }

  async numbers(person: number, frame: number): Promise<NumberRow[]> {
    const { scene } = this;
    const most = this.run.has("frames/push_largest");
    const [position, velocity, present, floor, goal, push, largest] = await Promise.all([
      this.rows("position", person, frame),
      this.rows("velocity", person, frame),
      this.rows("present", person, frame),
      this.rows("floor", person, frame),
      this.rows("goal", person, frame),
      this.rows("push", person, frame),
      most ? this.rows("push_largest", person, frame) : null,
      this.exits.refresh(),
    ]);
    const there = present[0] === 1;
    const on = scene.floors[floor[0]!];
    const left = this.exits.last.get(person);
    const rows: NumberRow[] = [
      ["group", scene.groups[scene.group[person]!] ?? "?", ""],
      ["goal", scene.goals[goal[0]!]?.name ?? "none", ""],
      ["here", there ? "yes" : "no", ""],
    ];
    if (there) {
      if (scene.floors.length > 1) rows.push(["floor", on?.name ?? "?", ""]);
      rows.push(
        ["position", [position[0]! - (on?.offset ?? 0), position[1]!].map((x) => show(x, 7)).join("  "), "m"],
        ["speed", show(Math.hypot(velocity[0]!, velocity[1]!)), "m/s"],
        ["percussion", show(push[0]!), "N s"],
      );
    }
    if (largest) rows.push(["largest percussion", show(largest[0]!), "N s"]);
    rows.push(
      ["left", left ? show(left.time, 7) : "not yet", left ? "s" : ""],
      ["exit", left ? (scene.goals[left.exit]?.name ?? "?") : "–", ""],
      ["wished speed", show(scene.speed[person]!), "m/s"],
      ["radius", show(scene.radius[person]!), "m"],
      ["mass", show(scene.mass[person]!), "kg"],
    );
    return rows;
  }
}
