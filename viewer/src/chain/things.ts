// The balls of a chain as things to select: their numbers and those of their contacts, as the file has them.
import { show } from "../numbers";
import type { Run } from "../run";
import { Recorded } from "../things";
import type { History, NumberRow, Things } from "../view";
import type { ChainScene } from "./scene";

const SIDES = ["left", "right"] as const;
const OF_CONTACTS: [name: string, unit: string, title: string][] = [
  ["force", "N", "force"],
  ["compression", "m", "compression"],
  ["percussion", "N s", "impulse"],
];

export class Balls implements Things {
  readonly names: string[];
  readonly histories: History[];
  private readonly balls: Recorded;
  private readonly contacts: Recorded;

  constructor(
    private readonly run: Run,
    private readonly scene: ChainScene,
  ) {
    const { mass, start } = scene;
    const wide = run.width("frames/position") / scene.count; // x comes first
    this.names = scene.names;
    this.balls = new Recorded(run, (_, ball) => (scene.count === 1 ? undefined : ball));
    this.contacts = new Recorded(run, (_, contact) => (scene.contacts === 1 ? undefined : contact));
    this.histories = [
      this.balls.history("velocity", "velocity", "m/s", "velocity", (v, i) => v[i]!),
      this.balls.history("energy", "kinetic energy", "J", "velocity", (v, i, b) => 0.5 * mass[b]! * v[i]! ** 2),
      this.balls.history("moved", "displacement", "m", "position", (x, i, b) => x[wide * i]! - start[b]!),
      ...OF_CONTACTS.filter(([name]) => run.has(`frames/${name}`)).flatMap(([name, unit, title]) =>
        SIDES.map((side) => this.contactHistory(name, unit, title, side)),
      ),
    ];
  }

  // Of the contact at one side of a ball; nothing where there is none.
  private contactHistory(name: string, unit: string, title: string, side: (typeof SIDES)[number]): History {
    const history = this.contacts.history(`${name}-${side}`, `${title} at the ${side}`, unit, name, (v, i) => v[i]!);
    return {
      ...history,
      values: async (ball, first, count, ...rest) => {
        const contact = this.scene.contact(ball, side);
        return contact < 0 ? Array<number>(count).fill(NaN) : history.values(contact, first, count, ...rest);
      },
    };
  }

  async numbers(ball: number, frame: number): Promise<NumberRow[]> {
    const { scene } = this;
    const mass = scene.mass[ball]!;
    const [[x], [v], contacts] = await Promise.all([
      this.balls.rows("position", ball, frame),
      this.balls.rows("velocity", ball, frame),
      Promise.all(SIDES.map((side) => this.contactNumbers(ball, side, frame))),
    ]);
    return [
      ["mass", show(mass), "kg"],
      ["radius", show(scene.radius[ball]!), "m"],
      ["position", show(x!, 10), "m"],
      ["displacement", show(x! - scene.start[ball]!), "m"],
      ["velocity", show(v!), "m/s"],
      ["energy", show(0.5 * mass * v! * v!), "J"],
      ["momentum", show(mass * v!), "N s"],
      ...contacts.flat(),
    ];
  }

  private async contactNumbers(ball: number, side: (typeof SIDES)[number], frame: number): Promise<NumberRow[]> {
    const contact = this.scene.contact(ball, side);
    if (contact < 0) return [];
    const there = OF_CONTACTS.filter(([name]) => this.run.has(`frames/${name}`));
    const values = await Promise.all(there.map(([name]) => this.contacts.rows(name, contact, frame)));
    return there.map(([, unit, title], k): NumberRow => [`${title} at the ${side}`, show(values[k]![0]!), unit]);
  }
}
