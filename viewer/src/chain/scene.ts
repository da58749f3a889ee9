// What a run of a chain was made from: balls on a line, walls at its ends. Places are along the line.
import type { Run } from "../run";

export class ChainScene {
  readonly count: number; // balls
  readonly names: string[];
  readonly contacts: number;

  private constructor(
    readonly run: Run,
    readonly law: string,
    readonly exponent: number,
    readonly walls: [left: boolean, right: boolean],
    readonly mass: Float64Array,
    readonly radius: Float64Array,
    readonly start: Float64Array, // centres, m
    readonly gap: Float64Array, // of contacts, m
    readonly first: Float64Array, // velocities at the start, m/s
  ) {
    this.count = mass.length;
    this.contacts = this.count - 1 + Number(walls[0]) + Number(walls[1]);
    this.names = Array.from({ length: this.count }, (_, i) => `ball ${i + 1}`);
  }

  static async load(run: Run): Promise<ChainScene> {
    const [law, exponent, walls, mass, radius, start, gap, first] = await Promise.all([
      run.lines("chain/law"),
      run.all("chain/exponent", "f64"),
      run.all("chain/walls", "i32"),
      run.all("balls/mass", "f64"),
      run.all("balls/radius", "f64"),
      run.all("balls/start", "f64"),
      run.all("links/gap", "f64"),
      run.rows("frames/velocity", "f64", { first: 0 }),
    ]);
    return new ChainScene(run, law[0] ?? "", exponent[0] ?? NaN, [walls[0] === 1, walls[1] === 1], mass, radius, start, gap, first);
  }

  // The contact at the left or right of a ball; -1: there is none.
  contact(ball: number, side: "left" | "right"): number {
    const at = ball + Number(this.walls[0]) - Number(side === "left");
    return at < this.contacts ? at : -1;
  }

  // Where the wall is at the left or right; NaN: there is none.
  wall(side: "left" | "right"): number {
    const last = this.count - 1;
    if (side === "left") return this.walls[0] ? this.start[0]! - this.radius[0]! - (this.gap[0] ?? 0) : NaN;
    return this.walls[1] ? this.start[last]! + this.radius[last]! + (this.gap[this.contacts - 1] ?? 0) : NaN;
  }

  // Where ball number u ends and the next begins, along the line; in between by proportion. Beyond
  // the ends the balls are thought to go on as the last one.
  along(u: number): number {
    const { count, start, radius } = this;
    const edge = (k: number) => {
      if (k <= 0) return start[0]! - radius[0]! + 2 * k * radius[0]!;
      const [a, b] = [start[k - 1]! + radius[k - 1]!, k < count ? start[k]! - radius[k]! : NaN];
      return k < count ? (a + b) / 2 : start[count - 1]! + radius[count - 1]! * (1 + 2 * (k - count));
    };
    const k = Math.floor(u);
    return edge(k) + (u - k) * (edge(k + 1) - edge(k));
  }
}
