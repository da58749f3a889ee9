// Nodes and rigid bodies as things to select: their numbers as the file has them. Bodies come after
// the nodes.
import { show } from "../numbers";
import type { Run } from "../run";
import { Recorded } from "../things";
import type { History, NumberRow, Things } from "../view";
import { PHASES } from "./colors";
import type { ContinuumScene } from "./scene";

const STRESS = ["xx", "yy", "xy", "zz", "yz", "zx"]; // the first three in the plane

export class Points implements Things {
  readonly names: string[];
  readonly histories: History[];
  private readonly recorded: Recorded;

  constructor(
    private readonly run: Run,
    private readonly scene: ContinuumScene,
    private readonly single: boolean, // one collision and no time: nothing has a history
    private readonly moves: boolean, // there are displacements
  ) {
    const { nodes, bodies, touchNode } = scene;
    this.names = [...Array.from({ length: nodes }, (_, i) => `node ${i + 1}`), ...bodies];
    // Where there is one body or one touch the file has no such dimension.
    this.recorded = new Recorded(run, (name, i) => {
      const count = name === "body" ? bodies.length : name === "percussion" || name === "slip" ? touchNode.length : nodes;
      return count === 1 ? undefined : i;
    });
    this.histories = this.single ? [] : this.offered();
  }

  private offered(): History[] {
    if (this.scene.space) return this.offeredInSpace();
    const plane = this.scene.dimension === 2;
    const all: History[] = [this.history("vx", plane ? "velocity in x" : "velocity", "m/s", "velocity", 0, 3)];
    if (plane) all.push(this.history("vy", "velocity in y", "m/s", "velocity", 1, 4));
    if (this.moves) {
      all.push(this.history("ux", plane ? "displacement in x" : "displacement", "m", "displacement", 0));
      if (plane) all.push(this.history("uy", "displacement in y", "m", "displacement", 1));
    }
    if (this.has("pressure") && this.scene.fluid.includes(1)) all.push(this.history("pressure", this.moves ? "pressure" : "impulse pressure", this.moves ? "Pa" : "Pa s", "pressure", 0));
    if (this.has("stress")) STRESS.slice(0, plane ? 3 : 1).forEach((c, k) => all.push(this.history(`s${c}`, `impulse stress ${c}`, "Pa s", "stress", k)));
    const { fractions } = this.scene;
    if (this.has("temperature")) all.push(this.history("temperature", "temperature", "K", "temperature", 0));
    if (this.has("fraction") && fractions.includes(1)) all.push(this.history("liquid", "fraction of liquid", "", "fraction", 0));
    if (this.has("fraction") && fractions.includes(3)) PHASES.forEach((name, k) => all.push(this.history(name.replace(" ", ""), `fraction of ${name}`, "", "fraction", k)));
    if (this.scene.bodies.length > 0) all.push(this.history("spin", "spin of a body", "rad/s", "", 0, 5));
    return all;
  }

  private offeredInSpace(): History[] {
    const axes = ["x", "y", "z"];
    const all = axes.map((axis, k) => this.history(`v${axis}`, `velocity in ${axis}`, "m/s", "velocity", k, 7 + k));
    if (this.moves) all.push(...axes.map((axis, k) => this.history(`u${axis}`, `displacement in ${axis}`, "m", "displacement", k)));
    if (this.scene.bodies.length > 0) all.push(...axes.map((axis, k) => this.history(`spin${axis}`, `spin of a body about ${axis}`, "rad/s", "", 0, 10 + k)));
    return all;
  }

  private has(name: string): boolean {
    return this.run.has(`frames/${name}`);
  }
  private wide(name: string, count: number): number {
    return Math.max(1, this.run.width(`frames/${name}`) / count);
  }

  // A number of a node, and of a body if it has it too.
  private history(id: string, title: string, unit: string, name: string, column: number, ofBody = -1): History {
    const { nodes, bodies } = this.scene;
    const column_ = (series: string, c: number, count: number) => {
      const wide = this.wide(series, count);
      return this.recorded.history(id, title, unit, series, (v, i) => v[wide * i + c]!);
    };
    const node = name ? column_(name, column, nodes) : null;
    const body = ofBody >= 0 && bodies.length > 0 ? column_("body", ofBody, bodies.length) : null;
    return {
      id,
      title,
      unit,
      values: async (thing, first, count, ...rest) => {
        const [history, at] = thing < nodes ? [node, thing] : [body, thing - nodes];
        return history ? history.values(at, first, count, ...rest) : Array<number>(count).fill(NaN);
      },
    };
  }

  async numbers(thing: number, frame: number): Promise<NumberRow[]> {
    const { nodes } = this.scene;
    return thing < nodes ? this.nodeNumbers(thing, frame) : this.bodyNumbers(thing - nodes, frame);
  }

  private async nodeNumbers(i: number, frame: number): Promise<NumberRow[]> {
    const { scene } = this;
    const plane = scene.dimension === 2;
    const read = (name: string) => (this.has(name) ? this.recorded.rows(name, i, frame) : null);
    const [v, u, p, s, t, b] = await Promise.all([
      read("velocity"),
      this.moves ? read("displacement") : null,
      read("pressure"),
      read("stress"),
      read("temperature"),
      read("fraction"),
    ]);
    const medium = scene.mediumOf(i);
    const [x, y] = [scene.node[2 * i]!, scene.node[2 * i + 1]!];
    const at = scene.space ? Array.from(scene.space.subarray(3 * i, 3 * i + 3)) : [x, y];
    const rows: NumberRow[] = [["medium", scene.media[medium] ?? "", ""]];
    const both = (label: string, a: ArrayLike<number>, unit: string, digits = 5) => {
      rows.push([plane ? `${label} in x` : label, show(a[0]!, digits), unit]);
      if (plane) rows.push([`${label} in y`, show(a[1]!, digits), unit]);
      if (scene.space) rows.push([`${label} in z`, show(a[2]!, digits), unit]);
    };
    both("position", at.map((c, k) => c + (u?.[k] ?? 0)), "m", 8);
    if (u) both("displacement", u, "m");
    if (v) both("velocity", v, "m/s");
    if (v && plane) rows.push(["speed", show(Math.hypot(...Array.from(v))), "m/s"]);
    if (p && scene.fluid.includes(1)) rows.push(["pressure", show(p[0]!), this.moves ? "Pa" : "Pa s"]);
    if (s) {
      STRESS.slice(0, scene.space ? 6 : plane ? 3 : 1).forEach((c, k) => rows.push([`stress ${c}`, show(s[k]!), "Pa s"]));
      if (plane && !scene.space) rows.push(["stress norm", show(Math.hypot(s[0]!, s[1]!, Math.SQRT2 * s[2]!)), "Pa s"]);
    }
    const phases = scene.fractions[medium] ?? -1;
    if (t && phases >= 0) rows.push(["temperature", show(t[0]!, 7), "K"]);
    if (b && phases === 1) rows.push(["liquid", show(b[0]!), ""]);
    if (b && phases === 3) PHASES.forEach((name, k) => rows.push([name, show(b[k]!), ""]));
    const touches = await Promise.all((scene.touchOf.get(i) ?? []).map((touch) => this.touchNumbers(touch, frame)));
    return [...rows, ...touches.flat()];
  }

  private async touchNumbers(touch: number, frame: number): Promise<NumberRow[]> {
    const name = this.scene.contactOf(touch);
    const [r, w] = await Promise.all(
      ["percussion", "slip"].map((series) => (this.has(series) ? this.recorded.rows(series, touch, frame) : null)),
    );
    const rows: NumberRow[] = [];
    if (r) rows.push([`${name}: R_N`, show(r[0]!), "Pa s"], [`${name}: R_T`, show(r[1]!), "Pa s"]);
    if (w) rows.push([`${name}: w_N`, show(w[0]!), "m/s"], [`${name}: w_T`, show(w[1]!), "m/s"]);
    return rows;
  }

  private async bodyNumbers(b: number, frame: number): Promise<NumberRow[]> {
    const v = await this.recorded.rows("body", b, frame);
    if (this.scene.space) {
      const numbers = (label: string, from: number, unit: string) => ["x", "y", "z"].map((axis, k): NumberRow => [`${label} in ${axis}`, show(v[from + k]!, 5), unit]);
      return [...numbers("position", 0, "m"), ...numbers("velocity", 7, "m/s"), ...numbers("spin", 10, "rad/s")];
    }
    const labels: [string, string][] = [
      ["position in x", "m"],
      ["position in y", "m"],
      ["angle", "rad"],
      ["velocity in x", "m/s"],
      ["velocity in y", "m/s"],
      ["spin", "rad/s"],
    ];
    return labels.map(([label, unit], k): NumberRow => [label, show(v[k]!, k < 2 ? 8 : 5), unit]);
  }
}
