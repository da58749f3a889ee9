// Impact geometry of three balls (Nguyen and Brogliato, Multiple Impacts in Dissipative Granular
// Chains, 2.2.2): the plane of relative velocities over the speed of the one that strikes. Momentum is
// kept, so a point of the plane has all velocities.
import type { ChainScene } from "./scene";

export type Point = [number, number];

const GRID = 48; // of the iso-lines of the dispersion, each way

export class ImpactPlane {
  readonly least: number; // energy ratio of balls that stay together (2.18)
  readonly reach: Point; // of the ellipse where no energy is lost
  private readonly speed: number;
  private readonly total: number; // mass
  private readonly mean: number; // velocity of the centre of mass
  private readonly energy: number; // at the start
  private readonly form: [number, number, number];

  // With walls, or nothing that moves, there is no such plane.
  static of(scene: ChainScene): ImpactPlane | null {
    const suits = scene.count === 3 && !scene.walls[0] && !scene.walls[1] && scene.first.some((v) => v !== 0);
    return suits ? new ImpactPlane(scene.mass, scene.first) : null;
  }

  private constructor(
    private readonly mass: Float64Array,
    first: Float64Array,
  ) {
    const [a, b, c] = mass as unknown as [number, number, number];
    const sum = (of: (m: number, v: number) => number) => mass.reduce((s, m, i) => s + of(m, first[i]!), 0);
    this.speed = Math.max(...first.map(Math.abs));
    this.total = a + b + c;
    this.mean = sum((m, v) => m * v) / this.total;
    this.energy = 0.5 * sum((m, v) => m * v * v);
    this.least = (0.5 * this.total * this.mean ** 2) / this.energy;
    // Energy of relative motion (2.17): the sum over pairs of m_i m_j (V_i - V_j)^2 / 2m.
    const k = this.speed ** 2 / (2 * this.total * this.energy);
    this.form = [k * (a * b + a * c), k * a * c, k * (b * c + a * c)];
    const [p, q, r] = this.form;
    const room = (1 - this.least) / (p * r - q * q);
    this.reach = [Math.sqrt(room * r), Math.sqrt(room * p)];
  }

  point(v: ArrayLike<number>): Point {
    return [(v[1]! - v[0]!) / this.speed, (v[2]! - v[1]!) / this.speed];
  }

  // Kinetic energy over that of the start.
  ratio([x, y]: Point): number {
    const [p, q, r] = this.form;
    return this.least + p * x * x + 2 * q * x * y + r * y * y;
  }

  // The point of this energy ratio in a direction.
  edge(ratio: number, angle: number): Point {
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    const far = Math.sqrt(Math.max(0, ratio - this.least) / (this.ratio([x, y]) - this.least));
    return [far * x, far * y];
  }

  // C_KE (2.19): how unevenly the energy is spread over the balls.
  dispersion([x, y]: Point): number {
    const [, b, c] = this.mass;
    const first = this.mean - (this.speed * ((b! + c!) * x + c! * y)) / this.total;
    const v = [first, first + this.speed * x, first + this.speed * (x + y)];
    const energy = v.map((w, i) => this.mass[i]! * w * w);
    const mean = energy.reduce((s, e) => s + e, 0) / 3;
    return Math.sqrt(energy.reduce((s, e) => s + (e - mean) ** 2, 0) / 3) / mean;
  }

  // Lines of equal dispersion within the admissible outcomes, as pieces.
  *dispersionLines(levels: number[]): Generator<[level: number, from: Point, to: Point]> {
    const at = (i: number, j: number): Point => {
      const [x, y] = this.edge(1, (0.5 * Math.PI * j) / GRID);
      return [(x * i) / GRID, (y * i) / GRID];
    };
    const value = Array.from({ length: (GRID + 1) ** 2 }, (_, k) => this.dispersion(at(Math.floor(k / (GRID + 1)), k % (GRID + 1))));
    const of = (i: number, j: number) => value[i * (GRID + 1) + j]!;
    for (const level of levels)
      for (let i = 0; i < GRID; i++)
        for (let j = 0; j < GRID; j++)
          // Two triangles of a square: a line through one crosses two of its sides.
          for (const corners of [[[i, j], [i + 1, j], [i, j + 1]], [[i + 1, j + 1], [i + 1, j], [i, j + 1]]] as [number, number][][]) {
            const cut: Point[] = [];
            for (let k = 0; k < 3; k++) {
              const [a, b] = [corners[k]!, corners[(k + 1) % 3]!];
              const [u, v] = [of(...a) - level, of(...b) - level];
              if (u < 0 === v < 0) continue;
              const [p, q] = [at(...a), at(...b)];
              const part = u / (u - v);
              cut.push([p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])]);
            }
            if (cut.length === 2) yield [level, cut[0]!, cut[1]!];
          }
  }
}
