// What people can be coloured by.
import type { Quantity } from "../colors";
import type { Exits } from "./exits";
import type { Extra, Frame } from "./frames";
import type { CrowdScene } from "./scene";

export function quantities(scene: CrowdScene, exits: Exits): Quantity<Extra, Frame>[] {
  const n = scene.count;
  const goals = scene.goals.map((g) => g.name);
  const ways = exits.goals.map((g) => scene.goals[g]!.name);
  const all: Quantity<Extra, Frame>[] = [
    {
      id: "speed",
      title: "Speed",
      unit: "m/s",
      needs: ["velocity"],
      share: 0.99, // somebody who is pushed out of a jam is very fast for a moment
      values: (f, out) => {
        const v = f.velocity!;
        for (let i = 0; i < n; i++) out[i] = Math.hypot(v[3 * i]!, v[3 * i + 1]!);
      },
    },
    {
      id: "percussion",
      title: "Impulse",
      unit: "N s",
      needs: ["push"],
      share: 0.99,
      values: (f, out) => out.set(f.push!),
    },
    {
      id: "largest",
      title: "Largest impulse so far",
      unit: "N s",
      needs: ["push_largest"],
      share: 0.99,
      values: (f, out) => out.set(f.push_largest!),
    },
    {
      id: "goal",
      title: "Goal",
      unit: "",
      needs: ["goal"],
      words: [...goals, "none"],
      rest: true,
      values: (f, out) => {
        for (let i = 0; i < n; i++) out[i] = f.goal![i]! < 0 ? goals.length : f.goal![i]!;
      },
    },
  ];
  if (exits.offered && ways.length > 0)
    all.push({
      id: "exit",
      title: "Leaves by",
      unit: "",
      needs: [],
      words: [...ways, "does not leave"],
      rest: true,
      values: (_, out) => {
        for (let i = 0; i < n; i++) {
          const by = exits.last.get(i);
          out[i] = by ? exits.goals.indexOf(by.exit) : ways.length;
        }
      },
    });
  all.push({ id: "group", title: "Group", unit: "", needs: [], words: scene.groups, values: (_, out) => out.set(scene.group) });
  return all;
}
