// What a crowd run was made from: floors with their walls, goals, people. Places are those of the
// floor, less `origin`, so that 32-bit numbers keep their digits far from zero.
import { type RigidScene, rigidScene } from "../rigid/scene";
import type { Run } from "../run";

export type Point = [number, number];

export interface Line {
  points: Point[];
  closed: boolean;
  solid: boolean; // closed, and nobody is in it
}

export interface Floor {
  name: string;
  offset: number; // x in the world less x on the floor
  lines: Line[];
  rooms: Point[][]; // what walls go around, exits and doors among them
  pillars: [x: number, y: number, radius: number][];
  low: Point;
  high: Point;
}

export const GOALS = ["exit", "area", "choice"] as const;

export interface Goal {
  name: string;
  kind: (typeof GOALS)[number];
  floor: number; // -1: none of its own
  points: Point[];
}

// A wall that stands for some time only.
export interface Door {
  floor: number;
  points: Point[];
  opens: number; // s
  closes: number; // Infinity: never
}

// Floors lie side by side in the world, so far apart (src/crowd/building.c).
const BETWEEN = 10;

export class CrowdScene {
  readonly count: number; // people
  readonly names: string[];
  turns = false; // people have an orientation

  private constructor(
    readonly run: Run,
    readonly rigid: RigidScene,
    readonly first: number, // body of the first person; the others follow it
    readonly groups: string[],
    readonly group: Int32Array,
    readonly radius: Float64Array,
    readonly mass: Float64Array,
    readonly speed: Float64Array, // wished
    readonly floors: Floor[],
    readonly goals: Goal[],
    readonly doors: Door[],
  ) {
    this.count = radius.length;
    this.names = Array.from({ length: this.count }, (_, i) => rigid.name(first + i));
  }

  get origin(): Float64Array {
    return this.rigid.origin;
  }

  static async load(run: Run): Promise<CrowdScene> {
    const [rigid, groups, group, body, radius, mass, speed, floorNames, offset, goals, swings] = await Promise.all([
      rigidScene(run),
      run.lines("groups/name"),
      run.all("people/group", "i32"),
      run.all("people/body", "i32"),
      run.all("people/radius", "f64"),
      run.all("people/mass", "f64"),
      run.all("people/speed", "f64"),
      run.lines("floors/name"),
      run.all("floors/offset", "f64"),
      loadGoals(run),
      loadDoors(run),
    ]);
    const first = body.length > 0 ? body[0]! : rigid.count;
    const { origin } = rigid;
    for (const goal of goals) goal.points = goal.points.map(([x, y]) => [x - origin[0]!, y - origin[1]!]);
    const part = { minus: origin };
    const walls = rigid.start;
    const [start, end, turned] = await Promise.all([
      run.rows("frames/present", "u8", { first: 0 }),
      run.rows("frames/position", "f32", { ...part, first: run.count("frames") - 1 }),
      run.rows("frames/orientation", "f32", { first: run.count("frames") - 1 }),
    ]);
    const { floors, doors } = divide(rigid, first, walls, floorNames, offset, swings);
    for (const goal of goals) if (goal.floor >= 0) goal.points.forEach((p) => widen(floors[goal.floor]!, p));
    // Somebody is or was there: at the start, at the end, or wants to go there.
    const seen: Point[] = [];
    for (let i = 0; i < radius.length; i++) {
      const at = 3 * (first + i);
      if (start[i] === 1) seen.push([walls[at]!, walls[at + 1]!]);
      seen.push([end[at]!, end[at + 1]!]);
    }
    for (const [f, floor] of floors.entries())
      fill(floor, [
        ...seen.filter(([x]) => floorAt(floors, x) === f).map(([x, y]): Point => [x - floor.offset, y]),
        ...goals.filter((g) => g.floor === f).map((g) => middle(g.points)),
      ]);
    for (const [f, floor] of floors.entries()) {
      const ways = [...goals.filter((g) => g.kind === "exit"), ...doors].filter((g) => g.floor === f);
      floor.rooms = rooms(floor.lines, ways.map((w) => w.points));
    }
    const scene = new CrowdScene(run, rigid, first, groups, group, radius, mass, speed, floors, goals, doors);
    for (let i = first; i < rigid.count; i++) scene.turns ||= Math.abs(turned[4 * i + 3]!) > 1e-6;
    return scene;
  }
}

async function loadGoals(run: Run): Promise<Goal[]> {
  const [names, kind, floor, start, point] = await Promise.all([
    run.lines("goals/name"),
    run.all("goals/kind", "u8"),
    run.all("goals/floor", "i32"),
    run.all("goals/point_start", "f64"),
    run.all("goals/point", "f64"),
  ]);
  return Array.from(kind, (k, i) => {
    const points: Point[] = [];
    for (let p = start[i]!; p < start[i + 1]!; p++) points.push([point[2 * p]!, point[2 * p + 1]!]);
    return { name: names[i] ?? `goal-${i + 1}`, kind: GOALS[k] ?? "choice", floor: floor[i]!, points };
  });
}

interface Swing {
  floor: number;
  body: number;
  bodies: number;
  opens: number;
  closes: number;
}

async function loadDoors(run: Run): Promise<Swing[]> {
  const [floor, body, opens, closes] = await Promise.all([
    run.all("doors/floor", "i32"),
    run.all("doors/body", "i32"),
    run.all("doors/opens", "f64"),
    run.all("doors/closes", "f64"),
  ]);
  return Array.from(floor, (f, i) => ({ floor: f, body: body[2 * i]!, bodies: body[2 * i + 1]!, opens: opens[i]!, closes: closes[i]! }));
}

export function middle(points: Point[]): Point {
  const n = points.length || 1;
  return [points.reduce((s, p) => s + p[0], 0) / n, points.reduce((s, p) => s + p[1], 0) / n];
}

function widen(floor: Floor, [x, y]: Point, by = 0): void {
  floor.low = [Math.min(floor.low[0], x - by), Math.min(floor.low[1], y - by)];
  floor.high = [Math.max(floor.high[0], x + by), Math.max(floor.high[1], y + by)];
}

// The floor at an x of the world.
function floorAt(floors: Floor[], x: number): number {
  const at = floors.findIndex((f) => x < f.high[0] + f.offset + BETWEEN / 2);
  return at < 0 ? floors.length - 1 : at;
}

// Walls are pieces, each a body, floor after floor; doors come at the end. The world has a gap between
// floors: the pieces of all floors before it end where it begins.
function divide(
  rigid: RigidScene,
  walls: number,
  position: Float64Array,
  names: string[],
  offset: Float64Array,
  swings: Swing[],
): { floors: Floor[]; doors: Door[] } {
  const floors = names.map((name, f): Floor => ({
    name,
    offset: offset[f]!,
    lines: [],
    rooms: [],
    pillars: [],
    low: [Infinity, Infinity],
    high: [-Infinity, -Infinity],
  }));
  const pieces = Array.from({ length: walls }, (_, b) => {
    const shape = rigid.shapes[rigid.shape[b]!]!;
    const [x, y] = [position[3 * b]! + rigid.offset[3 * b]!, position[3 * b + 1]! + rigid.offset[3 * b + 1]!];
    const points: Point[] = [];
    for (let k = 0; k < shape.vertices.length; k += 3) points.push([x + shape.vertices[k]!, y + shape.vertices[k + 1]!]);
    const round = shape.type === "disc" ? shape.size[0]! : 0;
    const all = round > 0 ? [x - round, x + round] : points.map((p) => p[0]);
    return { at: [x, y] as Point, points, round, low: Math.min(...all), high: Math.max(...all) };
  });
  // Ends of floors in the world: where what comes before and what comes after leave most nearly that gap.
  const ends: { x: number; off: number }[] = [];
  const sorted = [...pieces].sort((a, b) => a.low - b.low);
  let reach = -Infinity;
  for (const piece of sorted) {
    if (piece.low > reach && reach > -Infinity) ends.push({ x: reach, off: Math.abs(piece.low - reach - BETWEEN) });
    reach = Math.max(reach, piece.high);
  }
  const borders = ends
    .sort((a, b) => a.off - b.off)
    .slice(0, floors.length - 1)
    .map((e) => e.x)
    .sort((a, b) => a - b);
  const scale = 1e-5 * (1 + Math.abs(reach));
  const near = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]) < scale;
  let open: { floor: Floor; points: Point[] } | null = null;
  const finish = () => {
    if (!open) return;
    const { floor, points } = open;
    const closed = points.length > 3 && near(points[0]!, points[points.length - 1]!);
    if (closed) points.pop();
    floor.lines.push({ points: straighten(points, closed), closed, solid: false });
    open = null;
  };
  const still = swings.length > 0 ? swings[0]!.body : walls; // bodies of doors come after these
  for (const piece of pieces.slice(0, still)) {
    const number = borders.findIndex((x) => piece.low <= x);
    const floor = floors[number < 0 ? floors.length - 1 : number];
    if (!floor) continue;
    const own = (p: Point): Point => [p[0] - floor.offset, p[1]];
    if (piece.round > 0) {
      finish();
      floor.pillars.push([...own(piece.at), piece.round]);
      widen(floor, own(piece.at), piece.round);
      continue;
    }
    const points = piece.points.map(own);
    if (points.length < 2) continue;
    points.forEach((p) => widen(floor, p));
    const last: Point | undefined = open?.points[open.points.length - 1];
    if (open && open.floor === floor && last && near(last, points[0]!)) open.points.push(...points.slice(1));
    else {
      finish();
      open = { floor, points };
    }
    if (open.points.length > 3 && near(open.points[0]!, open.points[open.points.length - 1]!)) finish();
  }
  finish();
  for (const floor of floors)
    if (!isFinite(floor.low[0])) [floor.low, floor.high] = [[0, 0], [1, 1]];
  const doors = swings.map(({ floor, body, bodies, opens, closes }): Door => {
    const points: Point[] = [];
    for (const piece of pieces.slice(body, body + bodies))
      for (const [x, y] of piece.points) {
        const own: Point = [x - floors[floor]!.offset, y];
        if (points.length === 0 || !near(points[points.length - 1]!, own)) points.push(own);
      }
    return { floor, points: straighten(points, false), opens, closes };
  });
  return { floors, doors };
}

// Without the points where a straight wall was cut into pieces.
function straighten(points: Point[], closed: boolean): Point[] {
  return points.filter((p, i) => {
    if (!closed && (i === 0 || i === points.length - 1)) return true;
    const a = points[(i + points.length - 1) % points.length]!;
    const b = points[(i + 1) % points.length]!;
    const turn = (p[0] - a[0]) * (b[1] - p[1]) - (p[1] - a[1]) * (b[0] - p[0]);
    return Math.abs(turn) > 1e-4 * Math.hypot(p[0] - a[0], p[1] - a[1]) * Math.hypot(b[0] - p[0], b[1] - p[1]);
  });
}

export function isInside(points: Point[], [x, y]: Point): boolean {
  let inside = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [ax, ay] = points[i]!;
    const [bx, by] = points[j]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

// Rooms: walls that go around something; open ones with the exits and doors from end to end of them.
function rooms(lines: Line[], ways: Point[][]): Point[][] {
  const found = lines.filter((line) => line.closed && !line.solid).map((line) => line.points);
  const rest = lines.filter((line) => !line.closed).map((line) => line.points);
  const ends = [...ways];
  const near = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]) < 0.02;
  const take = (from: Point[][], at: Point): Point[] | null => {
    const i = from.findIndex((p) => near(p[0]!, at) || near(p[p.length - 1]!, at));
    if (i < 0) return null;
    const [points] = from.splice(i, 1);
    return near(points![0]!, at) ? points! : [...points!].reverse();
  };
  while (rest.length > 0) {
    const own = rest.shift()!;
    const all = [...own];
    while (!near(all[all.length - 1]!, all[0]!)) {
      const next = take(ends, all[all.length - 1]!) ?? take(rest, all[all.length - 1]!);
      if (!next) break;
      all.push(...next.slice(1));
    }
    const closed = all.length > 3 && near(all[all.length - 1]!, all[0]!);
    if (closed || isRoom({ points: own, closed: false, solid: false })) found.push(closed ? all.slice(0, -1) : own);
  }
  return found;
}

// Walls that go around something, but for a gap.
function isRoom(line: Line): boolean {
  if (line.closed) return !line.solid;
  let long = 0;
  for (let i = 1; i < line.points.length; i++)
    long += Math.hypot(line.points[i]![0] - line.points[i - 1]![0], line.points[i]![1] - line.points[i - 1]![1]);
  const [a, b] = [line.points[0]!, line.points[line.points.length - 1]!];
  return line.points.length > 2 && Math.hypot(a[0] - b[0], a[1] - b[1]) < 0.25 * long;
}

// The run does not say which closed walls are obstacles: those that nobody is seen in and that are
// not the outline of the floor.
function fill(floor: Floor, seen: Point[]): void {
  for (const line of floor.lines) {
    if (!line.closed) continue;
    const box = line.points.reduce(
      ([a, b, c, d], [x, y]) => [Math.min(a!, x), Math.min(b!, y), Math.max(c!, x), Math.max(d!, y)],
      [Infinity, Infinity, -Infinity, -Infinity],
    );
    const span = 1e-4 * (floor.high[0] - floor.low[0] + floor.high[1] - floor.low[1]);
    const whole =
      Math.abs(box[0]! - floor.low[0]) < span &&
      Math.abs(box[1]! - floor.low[1]) < span &&
      Math.abs(box[2]! - floor.high[0]) < span &&
      Math.abs(box[3]! - floor.high[1]) < span;
    line.solid = !whole && !seen.some((p) => isInside(line.points, p));
  }
}

// One for a run, whoever asks.
const loaded = new WeakMap<Run, Promise<CrowdScene>>();
export function crowdScene(run: Run): Promise<CrowdScene> {
  let scene = loaded.get(run);
  if (!scene) loaded.set(run, (scene = CrowdScene.load(run)));
  return scene;
}
