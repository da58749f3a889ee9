// The plan: a rigid run seen along one axis, drawn flat. For runs in the plane, and as a map of others.
import type { Aim } from "../aim";
import type { Control } from "../options";
import { ACTION, CHOSEN, HEAT, ROPE, shades } from "../palette";
import { type Actions, eachLine } from "../rigid/actions";
import { eachSegment, elementLegend } from "../rigid/elements";
import { Forces } from "../rigid/forces";
import type { Frame } from "../rigid/frames";
import { type RigidScene, rigidScene, rotate } from "../rigid/scene";
import { RigidStage } from "../rigid/stage";
import type { Legend, Session, Things, View, ViewKind } from "../view";
import { roundStep, show, showBox, tidy } from "../numbers";
import { FlatAim, LARGER, TINY } from "./flat";
import { type Contour, contoursOf, type Grid, Relief, shadeOf } from "./relief";
import { NORTH, Sheet } from "./sheet";

const CONTOURS = 20; // of a terrain, about
const DEPOSIT_PIXELS = 2; // of a cell of a deposit

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
  private readonly forces: Forces;
  private readonly relief: Relief;
  private elementLines = 0; // that were drawn

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
      tap: (x, y) => session.selection.pick(this.pick(x, y)),
    });
    this.pen = this.sheet.pen;
    // A deposit is of bodies at rest.
    this.stage = new RigidStage(session, scene, () => (this.isTop() && this.relief && session.options.word("deposit") !== "off" ? ["velocity"] : []));
    this.color = new Uint8Array(3 * scene.count);
    this.outlines = scene.shapes.map((_, i) => outlineOf(scene, i));
    this.forces = new Forces(scene);
    this.relief = new Relief(scene);
    const options = session.options;
    const map = scene.dimension === 3 && this.relief.terrain.length > 0;
    options.declare("force_scale", 1);
    options.declare("elements", true);
    options.declare("contours", true);
    options.declare("deposit", map ? "contours" : "off");
    options.declare("north", map);
    this.controls = this.stage.colors.controls();
    if (scene.dimension === 3) {
      options.declare("side", Math.abs(scene.gravity[2]!) > 0 ? "xz" : "xy");
      this.controls.push({
        kind: "choice",
        key: "side",
        label: "Direction",
        choices: [
          ["xy", "top (x, y)"],
          ["xz", "front (x, z)"],
          ["yz", "side (y, z)"],
        ],
      });
      const when = () => this.isTop();
      if (map) this.controls.push({ kind: "toggle", key: "contours", label: "Terrain contours", when });
      this.controls.push(
        {
          kind: "choice",
          key: "deposit",
          label: "Deposit thickness",
          choices: [
            ["off", "none"],
            ["contours", "contours"],
            ["map", "colours"],
          ],
          hint: "top of the highest body above the ground",
          when,
        },
        { kind: "toggle", key: "north", label: "North arrow", hint: "north is +y", when },
      );
    } else options.declare("side", "xy");
    if (this.stage.frames.offers("contacts"))
      this.controls.push(
        { kind: "toggle", key: "forces", label: "Contact forces", hint: "key N" },
        { kind: "range", key: "force_scale", label: "Force line width", low: 0.1, high: 5, step: 0.1 },
      );
    if (scene.elements.length > 0) this.controls.push({ kind: "toggle", key: "elements", label: "Springs, strings, nets" });
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
    return this.stage.ready(frame) && (!this.session.options.flag("forces") || this.forces.prepared);
  }
  async load(frame: number): Promise<void> {
    await this.stage.load(frame);
    if (this.session.options.flag("forces")) await this.forces.prepare(this.stage.frames);
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
    const { low, high } = this.boxOnLand() ?? { low: [...this.scene.low], high: [...this.scene.high] };
    // Obstacles that are not much larger than what moves belong into the picture too.
    const most = 4 * Math.max(high[u]! - low[u]!, high[v]! - low[v]!);
    for (let b = 0; this.shown && b < this.scene.count; b++)
      if (this.scene.kind[b] !== 0 && this.scene.radius[b]! <= most) this.widen(this.shown, b, low, high);
    if (this.isTop()) this.widenToFarthest(low, high);
    this.sheet.fit([low[u]!, low[v]!], [high[u]!, high[v]!]);
  }

  // On a map of a terrain without other ground, what fell off its edge does not count.
  private boxOnLand(): { low: number[]; high: number[] } | null {
    const { scene } = this;
    const land = this.shown && this.isTop() ? this.relief.map(this.shown) : null;
    if (!land || scene.shapes.some((s) => s.type === "plane")) return null;
    const low = [Infinity, Infinity, Infinity];
    const high = low.map((x) => -x);
    for (const places of [scene.start, scene.end])
      for (let b = 0; b < scene.count; b++) {
        if (scene.kind[b] !== 0 || !(land.at(places[3 * b]!, places[3 * b + 1]!) > -Infinity)) continue;
        for (let i = 0; i < 3; i++) {
          low[i] = Math.min(low[i]!, places[3 * b + i]! - scene.radius[b]!);
          high[i] = Math.max(high[i]!, places[3 * b + i]! + scene.radius[b]!);
        }
      }
    return low[0]! < high[0]! ? { low, high } : null;
  }

  // On a map all bodies count that end on the terrain, also the few that went far.
  private widenToFarthest(low: number[], high: number[]): void {
    const { scene } = this;
    const land = this.shown ? this.relief.map(this.shown) : null;
    for (let b = 0; land && b < scene.count; b++) {
      const place = scene.end.subarray(3 * b, 3 * b + 2);
      if (scene.kind[b] !== 0 || !(land.at(place[0]!, place[1]!) > -Infinity)) continue;
      place.forEach((x, i) => {
        low[i] = Math.min(low[i]!, x - scene.radius[b]!);
        high[i] = Math.max(high[i]!, x + scene.radius[b]!);
      });
    }
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
    const chosen = this.session.selection.index;
    const radius = this.scene.radius[chosen] ?? Infinity;
    // A body of few pixels gets larger.
    if (on && isFinite(radius) && radius * this.sheet.zoom < TINY) this.sheet.zoom = LARGER / radius;
  }
  picture(): HTMLCanvasElement {
    return this.sheet.canvas;
  }
  legend(): Legend[] {
    const { options } = this.session;
    const legends = this.stage.colors.legends();
    if (options.flag("elements")) legends.push(...elementLegend(this.scene));
    if (options.flag("forces") && this.forces.prepared) legends.push(this.forces.legend());
    if (this.thickness && this.isTop() && options.word("deposit") !== "off") {
      const { step, largest, grid } = this.thickness;
      const moving = this.relief.moving > 0 ? `, without ${this.relief.moving} moving bod${this.relief.moving > 1 ? "ies" : "y"}` : "";
      const cells = `cells of ${show(grid.cell, 2)} m${moving}`;
      const note = options.word("deposit") === "contours" ? `contours every ${show(step)} m, ${cells}` : cells;
      const title = "Deposit thickness";
      if (largest > 0) legends.push({ title, unit: "m", low: 0, high: largest, colors: HEAT, note });
      else if (moving) legends.push({ title, unit: "", low: 0, high: 0, colors: [HEAT[0]!], words: ["all bodies are in motion"] });
    }
    if (this.land && this.isTop() && options.flag("contours"))
      legends.push({ title: "Terrain", unit: "", low: 0, high: 0, colors: [this.sheet.paint("--contour")], words: [`contours every ${show(this.land.step)} m`] });
    return legends;
  }

  missed(): string | null {
    const frame = this.shown;
    if (!frame) return null;
    const { scene, sheet } = this;
    const [u, v] = this.sides();
    const [from, to] = [sheet.toScene(0, sheet.height), sheet.toScene(sheet.width, 0)];
    for (let b = 0; b < scene.count; b++) {
      const [x, y, reach] = [frame.position[3 * b + u]!, frame.position[3 * b + v]!, scene.radius[b]!];
      if (isFinite(reach) && x + reach > from[0] && x - reach < to[0] && y + reach > from[1] && y - reach < to[1]) return null;
    }
    const place = (p: number[]) => [p[u]! + scene.origin[u]!, p[v]! + scene.origin[v]!];
    return `the scene lies in ${showBox(place(scene.low), place(scene.high), "xyz"[u]! + "xyz"[v]!)} m`;
  }

  facts(): Record<string, number> {
    const deposit = this.thickness;
    return {
      element_lines: this.elementLines,
      scale_bar: this.sheet.scaleBar,
      zoom: this.sheet.zoom,
      centre_u: this.sheet.centre[0] + this.sheet.origin[0],
      centre_v: this.sheet.centre[1] + this.sheet.origin[1],
      contour_step: this.land?.step ?? 0,
      contour_lines: this.land ? this.land.contours.reduce((sum, c) => sum + c.lines.length / 4, 0) : 0,
      deposit_thickest: deposit?.largest ?? 0,
      deposit_moving: deposit ? this.relief.moving : 0,
      deposit_cell: deposit?.grid.cell ?? 0,
      deposit_bulk: deposit ? deposit.grid.value.reduce((sum, t) => sum + t, 0) * deposit.grid.cell ** 2 : 0,
    };
  }

  // A horizontal map.
  private isTop(): boolean {
    return this.scene.dimension === 3 && this.session.options.word("side") === "xy";
  }
  private land: { shade: HTMLCanvasElement; grid: Grid; step: number; contours: Contour[] } | null = null;
  private thickness: { key: string; grid: Grid; step: number; largest: number; contours: Contour[] } | null = null;
  private deepest: { frame: number; whole: Grid | null; largest: number } | null = null;

  // Terrain and its contours, once.
  private drawLand(frame: Frame): void {
    if (!this.land) {
      const grid = this.relief.map(frame);
      if (!grid) return;
      const there = grid.value.filter(isFinite);
      const [low, high] = there.reduce(([a, b], z) => [Math.min(a, z), Math.max(b, z)], [Infinity, -Infinity] as [number, number]);
      const step = roundStep((high - low) / CONTOURS);
      const origin = this.scene.origin[2]!;
      const from = Math.ceil((low + origin) / step);
      const count = Math.max(0, Math.floor((high + origin) / step) - from + 1);
      const levels = Array.from({ length: count }, (_, k) => (from + k) * step - origin);
      const color = this.color.subarray(3 * this.relief.terrain[0]!, 3 * this.relief.terrain[0]! + 3);
      this.land = { grid, shade: shadeOf(grid, [color[0]!, color[1]!, color[2]!]), step, contours: contoursOf(grid, levels) };
    }
    const { grid, shade, contours, step } = this.land;
    this.pen.globalAlpha = Number(this.sheet.paint("--relief")); // how strong it is on a dark page
    this.drawImage(shade, grid);
    this.pen.globalAlpha = 1;
    if (!this.session.options.flag("contours")) return;
    const origin = this.scene.origin[2]!;
    contours.forEach(({ level, lines }) => {
      const strong = Math.round((level + origin) / step) % 5 === 0;
      this.drawLines(lines, this.sheet.paint("--contour"), strong ? 1.3 : 0.6);
    });
    for (const { level, lines } of contours)
      if (Math.round((level + origin) / step) % 5 === 0) this.writeLevel(lines, `${tidy(level + origin, step)}`);
  }

  private drawImage(image: HTMLCanvasElement, { low, columns, rows, cell }: Grid): void {
    const { pen, sheet } = this;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(image, sheet.x(low[0]), sheet.y(low[1] + rows * cell), columns * cell * sheet.zoom, rows * cell * sheet.zoom);
  }
  private drawLines(lines: Float64Array, color: string, wide: number): void {
    const { pen, sheet } = this;
    pen.strokeStyle = color;
    pen.lineWidth = wide;
    pen.beginPath();
    for (let i = 0; i < lines.length; i += 4) {
      pen.moveTo(sheet.x(lines[i]!), sheet.y(lines[i + 1]!));
      pen.lineTo(sheet.x(lines[i + 2]!), sheet.y(lines[i + 3]!));
    }
    pen.stroke();
  }
  // On a contour, here and there.
  private writeLevel(lines: Float64Array, text: string): void {
    const { pen, sheet } = this;
    const places: [number, number][] = [];
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (let i = 0; i < lines.length; i += 4) {
      const [x, y] = [sheet.x(lines[i]!), sheet.y(lines[i + 1]!)];
      if (x < 40 || y < 40 || x > sheet.width - 40 || y > sheet.height - 40) continue;
      if (places.some(([a, b]) => Math.hypot(x - a, y - b) < 260)) continue;
      places.push([x, y]);
      pen.strokeStyle = sheet.paint("--panel");
      pen.lineWidth = 3;
      pen.strokeText(text, x, y);
      pen.fillStyle = sheet.paint("--contour");
      pen.fillText(text, x, y);
    }
  }

  // Of what is seen, in cells of two pixels, but on the scale of the whole.
  private findDeposit(frame: Frame): void {
    const { sheet, relief } = this;
    const seen = [sheet.toScene(0, sheet.height), sheet.toScene(sheet.width, 0)] as const;
    const key = `${frame.index} ${seen.join(" ")}`;
    if (this.thickness?.key === key) return;
    const highest = (grid: Grid) => grid.value.reduce((a, b) => Math.max(a, b), 0);
    if (this.deepest?.frame !== frame.index) {
      const whole = relief.deposit(frame);
      this.deepest = { frame: frame.index, whole, largest: whole ? highest(whole) : 0 };
    }
    const { whole } = this.deepest;
    if (!whole) {
      this.thickness = null;
      return;
    }
    const window = { low: seen[0], high: seen[1] };
    const cell = Math.max(DEPOSIT_PIXELS / sheet.zoom, relief.finest);
    const grid = cell < 0.8 * whole.cell ? relief.depositIn(frame, window, cell) : whole;
    // The scale does not shrink while the picture is moved.
    const largest = (this.deepest.largest = Math.max(this.deepest.largest, highest(grid)));
    const step = roundStep((largest || 1) / 4);
    // The outline, and then every step.
    const levels = largest > 0 ? [0.02 * largest, ...Array.from({ length: Math.floor(largest / step) }, (_, k) => (k + 1) * step)] : [];
    this.thickness = { key, grid, largest, step, contours: contoursOf(grid, levels) };
  }
  private drawDeposit(frame: Frame): void {
    const how = this.session.options.word("deposit");
    if (how === "off") return;
    this.findDeposit(frame);
    if (!this.thickness) return;
    const { grid, largest, contours } = this.thickness;
    const words = shades(HEAT, 64);
    if (how === "map") {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [grid.columns, grid.rows];
      const pen = canvas.getContext("2d")!;
      const image = pen.createImageData(grid.columns, grid.rows);
      const out = new Uint32Array(image.data.buffer);
      for (let j = 0; j < grid.rows; j++)
        for (let i = 0; i < grid.columns; i++) {
          const t = grid.value[j * grid.columns + i]!;
          if (t > 0) out[(grid.rows - 1 - j) * grid.columns + i] = words[Math.min(63, Math.floor((64 * t) / largest))]!;
        }
      pen.putImageData(image, 0, 0);
      this.drawImage(canvas, grid);
      return;
    }
    const color = new Uint8Array(words.buffer);
    contours.forEach(({ level, lines }, k) => {
      const at = 4 * Math.min(63, Math.floor(32 + (32 * level) / largest));
      this.drawLines(lines, `rgb(${color[at]} ${color[at + 1]} ${color[at + 2]})`, k === 0 ? 2 : 1.2);
    });
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
    const { options } = this.session;
    const edge = this.sheet.paint("--edge");
    const top = this.isTop();
    if (top) this.drawLand(frame);
    for (const obstacles of [true, false])
      for (let b = 0; b < this.scene.count; b++)
        if ((this.scene.kind[b] !== 0) === obstacles && !(top && this.land && this.relief.terrain.includes(b)))
          this.drawBody(frame, b, forces && !obstacles ? 0.35 : 1, edge, false);
    if (top) this.drawDeposit(frame);
    this.elementLines = 0;
    if (options.flag("elements")) this.drawElements(frame, u, v);
    if (forces && frame.contacts && this.forces.prepared) this.drawForces(frame, u, v);
    if (frame.actions && options.flag("actions")) this.drawActions(frame.actions, u, v);
    if (chosen >= 0) this.drawBody(frame, chosen, 1, CHOSEN, true);
    const north = top && options.flag("north");
    this.sheet.drawNumbers(north ? NORTH : 0);
    this.sheet.drawScaleBar();
    if (north) this.sheet.drawNorth();
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
    const own = `rgb(${this.color[c]},${this.color[c + 1]},${this.color[c + 2]})`;
    if (!open && !chosen) {
      pen.fillStyle = own;
      pen.fill();
    }
    pen.strokeStyle = chosen ? CHOSEN : open ? own : edge;
    // The edge of a body of few pixels fades: it would hide the colour.
    const thin = 0.7 * Math.min(1, (this.scene.radius[b]! * this.sheet.zoom - 1) / 5);
    pen.lineWidth = chosen ? 3 : open ? 2 : Math.max(thin, 1e-3);
    pen.stroke();
    pen.globalAlpha = 1;
  }

  private drawForces(frame: Frame, u: number, v: number): void {
    const ends = new Float64Array(6);
    this.sheet.drawForces(this.forces, frame.contacts!, this.session.options.number("force_scale"), (c, e) => {
      this.forces.ends(frame.contacts!, c, frame.position, ends);
      return [ends[3 * e + u]!, ends[3 * e + v]!];
    });
  }

  private drawElements(frame: Frame, u: number, v: number): void {
    const { pen, sheet } = this;
    pen.strokeStyle = ROPE;
    pen.lineWidth = 1.4;
    pen.beginPath();
    eachSegment(this.scene, frame, (p, i, q, j) => {
      pen.moveTo(sheet.x(p[i + u]!), sheet.y(p[i + v]!));
      pen.lineTo(sheet.x(q[j + u]!), sheet.y(q[j + v]!));
      this.elementLines++;
    });
    pen.stroke();
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
