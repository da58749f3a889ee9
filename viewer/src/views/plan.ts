// The plan: a rigid run seen along one axis, drawn flat. For runs in the plane, and as a map of others.
import type { Aim } from "../aim";
import type { Control } from "../options";
import { ACTION, CHOSEN, OBSTACLE } from "../palette";
import { type Actions, eachLine } from "../rigid/actions";
import type { Frame } from "../rigid/frames";
import { type RigidScene, rigidScene, rotate } from "../rigid/scene";
import { RigidStage } from "../rigid/stage";
import type { Legend, Session, Things, View, ViewKind } from "../view";
import { FlatAim } from "./flat";
import { Sheet } from "./sheet";

// Horizontal and vertical axis of the picture.
const SIDES: Record<string, [number, number]> = { xy: [0, 1], xz: [0, 2], yz: [1, 2] };

// The outline of a body in its own axes: a circle, or points in space whose hull or line is drawn.
interface Outline {
  circle: number; // radius, 0: none
  lines: Float32Array[]; // points, 3 each
  closed: boolean;
  hull: boolean; // the outline is the convex hull of the points as seen
}

function outlineOf(scene: RigidScene, shape: number): Outline {
  const s = scene.shapes[shape]!;
  const line = (points: Float32Array, closed: boolean): Outline => ({ circle: 0, lines: [points], closed, hull: false });
  switch (s.type) {
    case "sphere":
    case "disc":
      return { circle: s.size[0]!, lines: [], closed: true, hull: false };
    case "polygon":
      return line(s.vertices, true);
    case "chain":
      return line(s.vertices, s.size[0] === 1);
    case "box":
    case "polyhedron":
      if (scene.dimension === 2) return { ...line(flat(s.vertices), true), hull: true };
      return { ...line(s.vertices, true), hull: true };
    case "capsule":
    case "cylinder":
      return { ...line(rod(s.size[0]!, s.size[1]!, s.type === "capsule"), true), hull: true };
    case "mesh":
    case "heights":
      return { circle: 0, lines: rim(s.vertices, s.triangles), closed: false, hull: false };
    case "compound": {
      const lines = s.pieces.flatMap((piece) => {
        const part = outlineOf(scene, piece.shape);
        const points = part.circle > 0 ? [ball(part.circle)] : part.lines;
        return points.map((p) => moved(p, piece.position, piece.orientation));
      });
      return { circle: 0, lines, closed: true, hull: true };
    }
    case "plane":
      return { circle: 0, lines: [], closed: false, hull: false };
  }
}

// Of a box in the plane one face is enough.
function flat(points: Float32Array): Float32Array {
  const out: number[] = [];
  for (let i = 0; i < points.length; i += 3) if (points[i + 2]! <= 0) out.push(points[i]!, points[i + 1]!, points[i + 2]!);
  return out.length >= 9 ? Float32Array.from(out) : points;
}

function ball(radius: number): Float32Array {
  const out: number[] = [];
  for (let i = 0; i < 8; i++)
    for (let j = -2; j <= 2; j++) {
      const a = (i * Math.PI) / 4;
      const b = (j * Math.PI) / 4;
      out.push(radius * Math.cos(a) * Math.cos(b), radius * Math.sin(a) * Math.cos(b), radius * Math.sin(b));
    }
  return Float32Array.from(out);
}

function rod(radius: number, long: number, round: boolean): Float32Array {
  const out: number[] = [];
  for (const end of [-1, 1])
    for (let i = 0; i < 16; i++) {
      const a = (i * Math.PI) / 8;
      for (const tilt of round ? [0, Math.PI / 6, Math.PI / 3, Math.PI / 2] : [0])
        out.push(
          radius * Math.cos(a) * Math.cos(tilt),
          radius * Math.sin(a) * Math.cos(tilt),
          end * (long / 2 + radius * Math.sin(tilt)),
        );
    }
  return Float32Array.from(out);
}

// The edges that only one triangle has.
function rim(vertices: Float32Array, triangles: Int32Array): Float32Array[] {
  const seen = new Map<string, [number, number]>();
  for (let t = 0; t < triangles.length; t += 3)
    for (let e = 0; e < 3; e++) {
      const a = triangles[t + e]!;
      const b = triangles[t + ((e + 1) % 3)]!;
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      if (seen.has(key)) seen.delete(key);
      else seen.set(key, [a, b]);
    }
  return Array.from(seen.values(), ([a, b]) =>
    Float32Array.from([...vertices.subarray(3 * a, 3 * a + 3), ...vertices.subarray(3 * b, 3 * b + 3)]),
  );
}

function moved(points: Float32Array, by: ArrayLike<number>, turn: ArrayLike<number>): Float32Array {
  const out = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const p = rotate(turn, 0, points[i]!, points[i + 1]!, points[i + 2]!);
    for (let c = 0; c < 3; c++) out[i + c] = p[c]! + by[c]!;
  }
  return out;
}

// Convex hull in the plane (Andrew's monotone chain); points as x, y pairs.
function hullOf(points: number[]): number[] {
  const order = Array.from({ length: points.length / 2 }, (_, i) => i).sort(
    (a, b) => points[2 * a]! - points[2 * b]! || points[2 * a + 1]! - points[2 * b + 1]!,
  );
  const half = (list: number[]) => {
    const out: number[] = [];
    for (const i of list) {
      while (out.length >= 2) {
        const a = out[out.length - 2]!;
        const b = out[out.length - 1]!;
        const turn =
          (points[2 * b]! - points[2 * a]!) * (points[2 * i + 1]! - points[2 * a + 1]!) -
          (points[2 * b + 1]! - points[2 * a + 1]!) * (points[2 * i]! - points[2 * a]!);
        if (turn > 0) break;
        out.pop();
      }
      out.push(i);
    }
    out.pop();
    return out;
  };
  return [...half(order), ...half(order.reverse())].flatMap((i) => [points[2 * i]!, points[2 * i + 1]!]);
}

class Plan implements View {
  readonly controls: Control[];
  private readonly sheet: Sheet;
  private readonly pen: CanvasRenderingContext2D;
  private readonly stage: RigidStage;
  private readonly color: Uint8Array;
  private readonly outlines: Outline[];
  private shown: Frame | null = null;
  private following = false;
  private readonly aimed = new FlatAim();
  private forceScale = 0;

  constructor(
    place: HTMLElement,
    private readonly session: Session,
    private readonly scene: RigidScene,
  ) {
    this.sheet = new Sheet(place, {
      moved: () => {
        this.following = false;
        this.aimed.end();
        session.redraw();
      },
      zoomed: () => session.redraw(),
      tap: (x, y) => session.selection.choose(this.pick(x, y)),
    });
    this.pen = this.sheet.pen;
    this.stage = new RigidStage(session, scene);
    this.color = new Uint8Array(3 * scene.count);
    this.outlines = scene.shapes.map((_, i) => outlineOf(scene, i));
    const options = session.options;
    options.declare("force_scale", 1);
    this.controls = this.stage.colors.controls();
    if (scene.dimension === 3) {
      options.declare("side", Math.abs(scene.gravity[2]!) > 0 ? "xz" : "xy");
      this.controls.push({
        kind: "choice",
        key: "side",
        label: "Seen",
        choices: [
          ["xy", "from above (x, y)"],
          ["xz", "from the front (x, z)"],
          ["yz", "from the side (y, z)"],
        ],
      });
    } else options.declare("side", "xy");
    if (this.stage.frames.offers("contacts"))
      this.controls.push(
        { kind: "toggle", key: "forces", label: "Force network", hint: "key N" },
        { kind: "range", key: "force_scale", label: "Thickness of forces", low: 0.1, high: 5, step: 0.1 },
      );
    if (this.stage.frames.offers("actions")) this.controls.push({ kind: "toggle", key: "actions", label: "Interactions at a distance" });
    this.reset();
  }

  private sides(): [number, number] {
    return this.scene.dimension === 2 ? [0, 1] : (SIDES[this.session.options.word("side")] ?? [0, 2]);
  }

  get things(): Things {
    return this.stage.things;
  }
  ready(frame: number): boolean {
    return this.stage.ready(frame);
  }
  load(frame: number): Promise<void> {
    return this.stage.load(frame);
  }
  ahead(frame: number, stride: number): void {
    this.stage.ahead(frame, stride);
  }

  resize(width: number, height: number, ratio: number): void {
    if (this.sheet.resize(width, height, ratio)) this.reset();
  }

  lookFrom(to: Aim): void {
    this.reset();
    const [u, v] = this.sides();
    const { origin } = this.scene;
    this.aimed.begin(to, this.things.names, this.sheet, (p) => [(p[u] ?? 0) - origin[u]!, (p[v] ?? 0) - origin[v]!]);
  }

  reset(): void {
    this.following = false;
    this.aimed.end();
    const [u, v] = this.sides();
    const low = [...this.scene.low];
    const high = [...this.scene.high];
    // Obstacles that are not much larger than what moves belong into the picture too.
    const most = 4 * Math.max(high[u]! - low[u]!, high[v]! - low[v]!);
    for (let b = 0; this.shown && b < this.scene.count; b++)
      if (this.scene.kind[b] !== 0 && this.scene.radius[b]! <= most) this.widen(this.shown, b, low, high);
    this.sheet.fit([low[u]!, low[v]!], [high[u]!, high[v]!]);
  }

  // The box of a body, by the points of its outline.
  private widen(frame: Frame, b: number, low: number[], high: number[]): void {
    const { circle, lines } = this.outlines[this.scene.shape[b]!]!;
    const off = this.scene.offset;
    for (const line of circle > 0 ? [ball(circle)] : lines)
      for (let k = 0; k < line.length; k += 3) {
        const p = rotate(frame.orientation, 4 * b, line[k]! + off[3 * b]!, line[k + 1]! + off[3 * b + 1]!, line[k + 2]! + off[3 * b + 2]!);
        for (let i = 0; i < 3; i++) {
          const at = p[i]! + frame.position[3 * b + i]!;
          if (!isFinite(at)) continue;
          low[i] = Math.min(low[i]!, at);
          high[i] = Math.max(high[i]!, at);
        }
      }
  }

  follow(on: boolean): void {
    this.following = on;
  }
  picture(): HTMLCanvasElement {
    return this.sheet.canvas;
  }
  legend(): Legend {
    return this.stage.colors.legend();
  }

  draw(): void {
    const frame = this.stage.current();
    if (!frame) return;
    const first = this.shown === null;
    this.shown = frame;
    if (first) this.reset();
    const chosen = this.session.selection.index;
    const [u, v] = this.sides();
    if (this.following && chosen >= 0 && isFinite(this.scene.radius[chosen]!))
      this.sheet.centre = [frame.position[3 * chosen + u]!, frame.position[3 * chosen + v]!];
    this.aimed.apply(this.sheet, (b) => [frame.position[3 * b + u]!, frame.position[3 * b + v]!]);
    this.sheet.origin = [this.scene.origin[u]!, this.scene.origin[v]!];
    this.sheet.begin(true);
    this.stage.colors.fill(frame, this.color, 3, 255);
    const forces = this.session.options.flag("forces");
    const edge = this.sheet.paint("--edge");
    for (const obstacles of [true, false])
      for (let b = 0; b < this.scene.count; b++)
        if ((this.scene.kind[b] !== 0) === obstacles)
          this.drawBody(frame, b, forces && !obstacles ? 0.35 : 1, edge, false);
    this.drawStrings(frame, u, v, edge);
    if (forces && frame.contacts) this.drawForces(frame, u, v);
    if (frame.actions && this.session.options.flag("actions")) this.drawActions(frame.actions, u, v);
    if (chosen >= 0) this.drawBody(frame, chosen, 1, CHOSEN, true);
    this.sheet.drawNumbers();
  }

  // The body's path on the canvas; false if it is not to be seen.
  private trace(frame: Frame, b: number): boolean {
    const scene = this.scene;
    const outline = this.outlines[scene.shape[b]!]!;
    const shape = scene.shapes[scene.shape[b]!]!;
    const [u, v] = this.sides();
    const q = frame.orientation;
    const off = scene.offset;
    const at = (x: number, y: number, z: number): [number, number] => {
      const p = rotate(q, 4 * b, x + off[3 * b]!, y + off[3 * b + 1]!, z + off[3 * b + 2]!);
      const px = p[u]! + frame.position[3 * b + u]!;
      const py = p[v]! + frame.position[3 * b + v]!;
      return [this.sheet.x(px), this.sheet.y(py)];
    };
    const { pen, sheet } = this;
    const [cx, cy] = at(0, 0, 0);
    if (!isFinite(cx) || !isFinite(cy)) return false;
    if (shape.type === "plane") {
      const n = rotate(q, 4 * b, shape.size[0]!, shape.size[1]!, shape.size[2]!);
      const size = Math.hypot(n[u]!, n[v]!);
      if (size < 1e-6) return false;
      const [nx, ny] = [n[u]! / size, n[v]! / size];
      const far = sheet.width + sheet.height + Math.hypot(cx - sheet.width / 2, cy - sheet.height / 2);
      pen.beginPath();
      pen.moveTo(cx - ny * far, cy - nx * far);
      pen.lineTo(cx + ny * far, cy + nx * far);
      pen.lineTo(cx + ny * far - nx * far, cy + nx * far + ny * far);
      pen.lineTo(cx - ny * far - nx * far, cy - nx * far + ny * far);
      pen.closePath();
      return true;
    }
    const reach = scene.radius[b]! * sheet.zoom;
    if (cx + reach < 0 || cx - reach > sheet.width || cy + reach < 0 || cy - reach > sheet.height) return false;
    pen.beginPath();
    if (outline.circle > 0) {
      const r = Math.max(0.5, outline.circle * sheet.zoom);
      pen.arc(cx, cy, r, 0, 2 * Math.PI);
      if (r > 4) {
        const [ex, ey] = at(outline.circle, 0, 0);
        pen.moveTo(cx, cy);
        pen.lineTo(ex, ey);
      }
      return true;
    }
    for (const line of outline.lines) {
      let points: number[] = [];
      for (let i = 0; i < line.length; i += 3) points.push(...at(line[i]!, line[i + 1]!, line[i + 2]!));
      if (outline.hull) points = hullOf(points);
      for (let i = 0; i < points.length; i += 2)
        if (i === 0) pen.moveTo(points[0]!, points[1]!);
        else pen.lineTo(points[i]!, points[i + 1]!);
      if (outline.closed) pen.closePath();
    }
    return outline.lines.length > 0;
  }

  private drawBody(frame: Frame, b: number, alpha: number, edge: string, chosen: boolean): void {
    if (!this.trace(frame, b)) return;
    const pen = this.pen;
    const shape = this.scene.shapes[this.scene.shape[b]!]!;
    const open = shape.type === "chain" || shape.type === "mesh" || shape.type === "heights";
    const c = 3 * b;
    pen.globalAlpha = alpha;
    if (!open && !chosen) {
      pen.fillStyle =
        this.scene.kind[b] !== 0
          ? OBSTACLE
          : `rgb(${this.color[c]},${this.color[c + 1]},${this.color[c + 2]})`;
      pen.fill();
    }
    pen.strokeStyle = open && !chosen ? OBSTACLE : edge;
    pen.lineWidth = chosen ? 3 : open ? 2 : 0.7;
    pen.stroke();
    pen.globalAlpha = 1;
  }

  // From centre to centre, or to the place of the contact on an obstacle.
  private drawForces(frame: Frame, u: number, v: number): void {
    const { bodies, point } = frame.contacts!;
    const thick = this.session.options.number("force_scale");
    this.forceScale = this.sheet.drawForces(frame.contacts!, this.forceScale, thick, (c, e) => {
      const b = bodies[2 * c + e]!;
      const free = b >= 0 && this.scene.kind[b] === 0;
      return free ? [frame.position[3 * b + u]!, frame.position[3 * b + v]!] : [point[3 * c + u]!, point[3 * c + v]!];
    });
  }

  private drawStrings(frame: Frame, u: number, v: number, ink: string): void {
    const { pen, sheet } = this;
    pen.strokeStyle = ink;
    pen.lineWidth = 1;
    for (const string of this.scene.strings) {
      const [p, q] = this.scene.endsOf(string, frame);
      pen.beginPath();
      pen.moveTo(sheet.x(p[u]!), sheet.y(p[v]!));
      pen.lineTo(sheet.x(q[u]!), sheet.y(q[v]!));
      pen.stroke();
    }
  }

  // From the contact of one body to that of the other.
  private drawActions(actions: Actions, u: number, v: number): void {
    const { pen, sheet } = this;
    const p = actions.points;
    pen.strokeStyle = ACTION;
    pen.lineWidth = 3;
    eachLine(actions, (at, fresh) => {
      pen.globalAlpha = fresh;
      pen.beginPath();
      pen.moveTo(sheet.x(p[at + u]!), sheet.y(p[at + v]!));
      pen.lineTo(sheet.x(p[at + 3 + u]!), sheet.y(p[at + 3 + v]!));
      pen.stroke();
    });
    pen.globalAlpha = 1;
  }

  pick(x: number, y: number): number {
    const frame = this.shown;
    if (!frame) return -1;
    this.pen.setTransform(1, 0, 0, 1, 0, 0);
    for (const obstacles of [false, true])
      for (let b = this.scene.count - 1; b >= 0; b--) {
        if ((this.scene.kind[b] !== 0) !== obstacles || !this.trace(frame, b)) continue;
        this.pen.lineWidth = 6;
        if (this.pen.isPointInPath(x, y) || (obstacles && this.pen.isPointInStroke(x, y))) return b;
      }
    return -1;
  }

  dispose(): void {
    this.stage.leave();
    this.sheet.dispose();
  }
}

export const plan: ViewKind = {
  id: "plan",
  title: "2D",
  async entries(run) {
    if ((await rigidScene(run)).dimension === 2) return [{ name: "2d", title: "2D" }];
    return [
      { name: "front", title: "Front", options: { side: "xz" } },
      { name: "side", title: "Side", options: { side: "yz" } },
      { name: "top", title: "Top", options: { side: "xy" } },
    ];
  },
  async fits(run) {
    if (run.kind !== "rigid") return 0;
    return (await rigidScene(run)).dimension === 2 ? 2 : 0.5;
  },
  async create(place, session) {
    return new Plan(place, session, await rigidScene(session.run));
  },
};
