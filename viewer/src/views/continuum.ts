// A continuum: the mesh as it is deformed, coloured by a field, with arrows of velocity, lines of equal
// value, the media's outlines, what acts in contacts, and rigid bodies. On a line the field is a curve.
import { type Aim, thingsOf } from "../aim";
import { Colors, sampleFrames } from "../colors";
import { type Field, fields } from "../continuum/colors";
import { ContinuumFrames, type Extra, type Frame } from "../continuum/frames";
import { profiles } from "../continuum/profiles";
import { ContinuumScene } from "../continuum/scene";
import { CUSTOMARY, SPACE } from "../continuum/surface";
import { Points } from "../continuum/things";
import { roundStep, show } from "../numbers";
import type { Control } from "../options";
import { CHOSEN, OBSTACLE, rgb, shades } from "../palette";
import { contactCharts } from "../series";
import { Stage } from "../stage";
import type { Legend, Profile, Session, View, ViewKind } from "../view";
import { FieldPainter, type Painted, type Spot, spread, traceSides } from "./field";
import { FieldLine } from "./fieldline";
import { FlatAim } from "./flat";
import { pixelsOf } from "./pixels";
import { Sheet } from "./sheet";

const LEGEND = { width: 218, height: 76 }; // pixels that it takes
const SHADES = 257; // odd: one of them is 0 of a signed scale
const LEVELS = 12; // about so many lines of equal value
const ARROWS = 34; // pixels from one to the next; a long one reaches as far
const MOST = 0.97; // of the nodes have no longer one
const COMB = 34; // pixels of the largest percussion of a contact
const KEY = 18; // pixels of the arrow that says how long 1 m/s is, at least
const NEAR = 14; // pixels from a node that select it, at least
const CHARTS = 3; // of profiles and contacts to begin with

// What the run does, as far as it has come.
interface Extent {
  frames: number;
  low: [number, number]; // where nodes and bodies are, m
  high: [number, number];
  moved: number; // the farthest
  speed: number; // that most nodes do not exceed in any frame
  bodySpeed: number; // the largest
  percussion: number; // the largest in a contact
}

async function measure(scene: ContinuumScene, frames: ContinuumFrames): Promise<Extent> {
  const count = scene.run.count("frames");
  const extent: Extent = { frames: count, low: [...scene.low], high: [...scene.high], moved: 0, speed: 0, bodySpeed: 0, percussion: 0 };
  const hold = (x: number, y: number) => {
    extent.low = [Math.min(extent.low[0], x), Math.min(extent.low[1], y)];
    extent.high = [Math.max(extent.high[0], x), Math.max(extent.high[1], y)];
  };
  const extras: Extra[] = frames.offers("percussion") ? ["percussion"] : [];
  const look = ({ velocity, moved, body, percussion }: Frame) => {
    const speed = Float32Array.from({ length: scene.nodes }, (_, i) => Math.hypot(velocity[2 * i]!, velocity[2 * i + 1]!)).sort();
    extent.speed = Math.max(extent.speed, speed[Math.floor(MOST * (speed.length - 1))] ?? 0);
    for (let i = 0; i < moved.length; i += 2) {
      extent.moved = Math.max(extent.moved, Math.hypot(moved[i]!, moved[i + 1]!));
      hold(scene.places[i]! + moved[i]!, scene.places[i + 1]! + moved[i + 1]!);
    }
    for (let b = 0; b < body.length; b += 6) {
      hold(body[b]!, body[b + 1]!);
      extent.bodySpeed = Math.max(extent.bodySpeed, Math.hypot(body[b + 3]!, body[b + 4]!));
    }
    for (let i = 0; percussion && i < percussion.length; i += 2) extent.percussion = Math.max(extent.percussion, Math.hypot(percussion[i]!, percussion[i + 1]!));
  };
  await Promise.all(sampleFrames(count, 48 * scene.nodes).map((k) => frames.peek(k, extras).then(look)));
  return extent;
}

// A power of ten by which displacements that nobody would see are seen.
function goodMagnification({ low, high }: ContinuumScene, { moved }: Extent): number {
  const size = Math.hypot(high[0] - low[0], high[1] - low[1]);
  return moved > 0 && moved < 1e-3 * size ? Math.min(8, Math.floor(10 * Math.log10((0.05 * size) / moved)) / 10) : 0;
}

class Continuum implements View {
  readonly things: Points;
  readonly controls: Control[];
  readonly charts: string[];
  readonly profiles: Profile[];
  private readonly sheet: Sheet;
  private readonly fields: Field[];
  // What depends on the direction from which a mesh in space is seen.
  private colors!: Colors<Extra, Frame>;
  private stage!: Stage<Extra, Frame>;
  private painter!: FieldPainter;
  private line!: FieldLine;
  private place!: Float64Array; // of nodes, as they are drawn
  private readonly end: () => void;
  private readonly moves: boolean; // there are displacements
  private following = false;
  private readonly aimed = new FlatAim();
  private touched = false; // by hand, since it was fitted
  // Of the last picture.
  private painted: Painted = { parts: 1, triangles: 0, lines: 0, spots: new Map() };
  private arrows: Spot[] = [];
  private step = 0; // from one line of equal value to the next

  constructor(
    place: HTMLElement,
    private readonly session: Session,
    private scene: ContinuumScene,
    private frames: ContinuumFrames,
    private extent: Extent,
  ) {
    const { run, clock } = session;
    this.sheet = new Sheet(place, {
      moved: () => {
        this.following = false;
        this.aimed.end();
        this.touched = true;
        session.redraw();
      },
      zoomed: () => {
        this.touched = true;
        session.redraw();
      },
      tap: (x, y) => session.selection.pick(this.pick(x, y)),
    });
    const single = !run.running && clock.first === clock.last;
    this.moves = extent.moved > 0 || run.running;
    this.things = new Points(run, scene, single, this.moves);
    this.profiles = profiles(scene);
    const steps = single ? [] : ["energy", ...contactCharts(run).slice(0, CHARTS)];
    this.charts = [...steps, ...this.profiles.slice(0, CHARTS).map((p) => p.id)];
    if (this.charts.length === 0) this.charts.push("energy");
    this.fields = fields(scene, this.moves);
    this.build();
    this.controls = this.offer(this.colors.controls());
    this.end = run.changed.listen(() => void this.grew().catch((error: Error) => session.say(error.message)));
  }

  private build(): void {
    const { session, scene, frames } = this;
    this.colors = new Colors<Extra, Frame>(this.fields, scene.nodes, () => true, frames, session, this.fields[0]!.id);
    this.stage = new Stage(session, frames, this.colors, () => (session.options.flag("forces") ? ["percussion"] : []));
    this.painter = new FieldPainter(scene);
    this.line = new FieldLine(scene);
    this.place = new Float64Array(2 * scene.nodes);
  }

  // A mesh in space from another direction.
  private async turn(from: number[]): Promise<void> {
    const { run } = this.session;
    const scene = await ContinuumScene.load(run, from);
    if (scene.projection.to.every((x, i) => Math.abs(x - this.scene.projection.to[i]!) < 1e-12)) return;
    const frames = new ContinuumFrames(scene);
    const extent = await measure(scene, frames);
    this.stage.leave();
    [this.scene, this.frames, this.extent] = [scene, frames, extent];
    this.build();
    await this.stage.load(this.session.clock.frame);
  }

  // The direction to the camera of an aim.
  private async towards(to: Aim): Promise<number[]> {
    if (!to.camera) return to.from ?? CUSTOMARY;
    const { scene } = this;
    const middle = [0, 1, 2].map((i) => {
      const axis = scene.space!.filter((_, k) => k % 3 === i);
      return 0.5 * (axis.reduce((a, b) => Math.min(a, b)) + axis.reduce((a, b) => Math.max(a, b)));
    });
    let target = Array.isArray(to.look_at) ? to.look_at : middle;
    if (typeof to.look_at === "string") {
      const body = thingsOf(this.things.names, to.look_at)[0]! - scene.nodes;
      const bodies = await this.session.run.rows("frames/body", "f64", { first: 0 });
      if (body >= 0) target = Array.from(bodies.subarray(13 * body, 13 * body + 3));
    }
    const from = to.camera.map((x, i) => x - (target[i] ?? 0));
    if (!(Math.hypot(...from) > 0)) throw new Error("the camera cannot look at its own position");
    return from;
  }

  private offer(controls: Control[]): Control[] {
    const { options } = this.session;
    const toggle = (key: string, label: string, on: boolean, hint?: string) => {
      options.declare(key, on);
      controls.push({ kind: "toggle", key, label, hint });
    };
    const range = (key: string, label: string, initial: number, low: number, high: number) => {
      options.declare(key, initial);
      controls.push({ kind: "range", key, label, low, high, step: 0.1 });
    };
    if (this.moves) range("magnify", "Displacements × 10 to the", goodMagnification(this.scene, this.extent), 0, 8);
    if (this.scene.dimension === 1) return controls;
    toggle("arrows", "Arrows of velocity", true);
    range("arrow_scale", "Length of arrows", 1, 0.2, 5);
    toggle("lines", "Lines of equal value", false);
    toggle("mesh", "Edges of elements", false);
    toggle("outline", "Outlines of media", true);
    if (this.frames.offers("percussion")) toggle("forces", "Contact impulses", true, "key N");
    return controls;
  }

  // --- what it needs ----------------------------------------------------------------------------

  ready(frame: number): boolean {
    return this.stage.ready(frame);
  }
  load(frame: number): Promise<void> {
    return this.stage.load(frame);
  }
  ahead(frame: number, stride: number): void {
    this.stage.ahead(frame, stride);
  }
  // A run that is being written.
  private async grew(): Promise<void> {
    if (this.session.run.count("frames") < 2 * this.extent.frames && this.session.run.running) return;
    this.extent = await measure(this.scene, this.frames);
    this.session.redraw();
  }

  // --- where it is ------------------------------------------------------------------------------

  resize(width: number, height: number, ratio: number): void {
    this.sheet.resize(width, height, ratio);
    if (!this.touched) this.reset();
  }
  private head(): number {
    return this.session.options.flag("legend") ? LEGEND.height : 34;
  }
  private foot(): number {
    return this.session.options.flag("stamp") ? 44 : 24;
  }
  private factor(): number {
    return this.moves ? 10 ** this.session.options.number("magnify") : 1;
  }
  async lookFrom({ camera, from, ...to }: Aim): Promise<void> {
    const { space } = this.scene;
    if (space) await this.turn(await this.towards({ ...to, camera, from }));
    this.reset();
    const aim = space ? to : { ...to, camera };
    this.aimed.begin(aim, this.things.names, this.sheet, (p) => (space ? this.scene.projection.point([p[0]!, p[1]!, p[2] ?? 0]) : [p[0]!, p[1] ?? 0]));
    this.touched = Object.keys(to).length > 0;
  }
  reset(): void {
    this.following = this.touched = false;
    this.aimed.end();
    const { sheet, scene, extent } = this;
    const factor = this.factor();
    if (scene.dimension === 1) {
      const { left, width } = this.line.lay(sheet, this.head(), this.foot());
      const [low, high] = factor > 1 ? [scene.low[0] - factor * extent.moved, scene.high[0] + factor * extent.moved] : [extent.low[0], extent.high[0]];
      const room = 0.03 * (high - low);
      sheet.fit([low - room, 0], [high + room, 0], { left, right: sheet.width - left - width, top: 0, bottom: 0 });
      return;
    }
    const far = factor > 1 ? factor * extent.moved : 0;
    const [low, high] = factor > 1 ? [scene.low.map((v) => v - far), scene.high.map((v) => v + far)] : [extent.low, extent.high];
    const side = Math.max(COMB, 0.05 * sheet.width);
    sheet.fit(low, high, { left: side, right: side, top: this.head() + 20, bottom: this.foot() + 20 });
  }
  follow(on: boolean): void {
    this.following = on;
  }
  next(by: number): boolean {
    const { selection } = this.session;
    const count = this.things.names.length;
    const at = selection.index < 0 ? (by > 0 ? 0 : count - 1) : selection.index + by;
    selection.choose(Math.max(0, Math.min(count - 1, at)));
    return true;
  }
  picture(): HTMLCanvasElement {
    return this.sheet.canvas;
  }
  legend(): Legend {
    return this.stage.colors.legend();
  }

  // Where a selected thing is.
  private whereIs(thing: number, frame: Frame): [number, number] {
    const b = thing - this.scene.nodes;
    return b < 0 ? [this.place[2 * thing]!, this.place[2 * thing + 1]!] : [frame.body[6 * b]!, frame.body[6 * b + 1]!];
  }

  // --- the picture ------------------------------------------------------------------------------

  draw(): void {
    const frame = this.stage.current();
    if (!frame) return;
    const { sheet, scene, place } = this;
    const { options, selection } = this.session;
    const factor = this.factor();
    if (frame.shift) scene.see(frame.shift, factor);
    for (let i = 0; i < place.length; i++) place[i] = scene.node[i]! + factor * (frame.moved[i] ?? 0);
    const chosen = selection.index < this.things.names.length ? selection.index : -1;
    if (this.following && chosen >= 0) sheet.centre = this.whereIs(chosen, frame);
    this.aimed.apply(sheet, (thing) => this.whereIs(thing, frame));
    const scale = this.stage.colors.scaled(frame);
    const field = this.fields.find((f) => f.id === scale.id)!;
    const numbers = frame[field.source];
    if (!numbers) return;
    sheet.begin(scene.dimension === 2);
    if (scene.dimension === 1) {
      this.line.lay(sheet, this.head(), this.foot());
      this.line.draw(sheet, place, field, numbers, scale, chosen);
      this.drawWords([]);
      return;
    }
    this.drawField(field, numbers, scale);
    if (options.flag("mesh")) this.drawSides(false, 0.6, 0.45);
    if (options.flag("outline")) this.drawSides(true, 1.6, 1);
    if (options.flag("forces") && frame.percussion) this.drawPercussions(frame.percussion);
    if (options.flag("arrows")) this.drawArrows(frame.velocity);
    this.drawBodies(frame);
    if (chosen >= 0) this.drawChosen(this.whereIs(chosen, frame));
    sheet.drawNumbers();
    const words: string[] = [];
    if (options.flag("lines")) words.push(`lines every ${show(this.step, 3)} ${field.unit}`);
    this.drawWords(words);
  }

  private drawField(field: Field, numbers: Float32Array, { low, high, colors }: { low: number; high: number; colors: string[] }): void {
    const { sheet, place } = this;
    const pixels = pixelsOf(sheet);
    const lines = new Path2D();
    this.step = high > low ? roundStep((high - low) / LEVELS) : 0;
    const step = this.session.options.flag("lines") ? this.step : 0;
    const [r, g, b] = rgb(OBSTACLE).map((c) => Math.round(255 * c)) as [number, number, number];
    const scale = { low, high, shades: shades(colors, SHADES), none: ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0 };
    this.painted = this.painter.paint(sheet, pixels, place, field, numbers, scale, ARROWS, step, (x0, y0, x1, y1) => {
      lines.moveTo(x0, y0);
      lines.lineTo(x1, y1);
    });
    pixels.show(sheet);
    sheet.pen.strokeStyle = sheet.paint("--edge");
    sheet.pen.lineWidth = 0.9;
    sheet.pen.stroke(lines);
  }

  private drawSides(border: boolean, wide: number, alpha: number): void {
    const { sheet, scene, place } = this;
    const { pen } = sheet;
    pen.beginPath();
    traceSides(sheet, scene.sides.filter((s) => s.border === border), place);
    pen.strokeStyle = sheet.paint(border ? "--wall" : "--edge");
    pen.lineWidth = wide;
    pen.globalAlpha = alpha;
    pen.stroke();
    pen.globalAlpha = 1;
  }

  // At every node of a contact, outwards: as long as the percussion there is large.
  private drawPercussions(percussion: Float32Array): void {
    const { sheet, scene, place } = this;
    const { pen } = sheet;
    const long = COMB / (this.extent.percussion || 1);
    pen.beginPath();
    scene.touchNode.forEach((n, touch) => {
      const [nx, ny] = [scene.normal[2 * touch]!, scene.normal[2 * touch + 1]!];
      const [normal, tangential] = [percussion[2 * touch]! * long, percussion[2 * touch + 1]! * long];
      const [x, y] = [sheet.x(place[2 * n]!), sheet.y(place[2 * n + 1]!)];
      if (Math.hypot(normal, tangential) < 0.5) return;
      pen.moveTo(x, y);
      pen.lineTo(x + normal * nx - tangential * ny, y - normal * ny - tangential * nx);
    });
    pen.strokeStyle = sheet.paint("--force");
    pen.lineWidth = 1.6;
    pen.stroke();
  }

  // Pixels of an arrow of 1 m/s, of nodes and of bodies, which may be much faster.
  private arrowScale(speed = this.extent.speed): number {
    return (ARROWS / (speed || 1)) * this.session.options.number("arrow_scale");
  }

  // One in every square of the sheet, its middle where the velocity is that.
  private drawArrows(velocity: Float32Array): void {
    const { sheet, painted } = this;
    const { pen } = sheet;
    const scale = this.arrowScale();
    this.arrows = [];
    pen.beginPath();
    for (const spot of spread(painted.spots)) {
      const [u, v] = this.painter.at(spot, painted.parts, velocity);
      if (traceArrow(pen, spot.x - (scale * u) / 2, spot.y + (scale * v) / 2, scale * u, -scale * v, 5)) this.arrows.push(spot);
    }
    pen.strokeStyle = sheet.paint("--edge");
    pen.lineWidth = 1.2;
    pen.stroke();
  }

  // The sides of a body that touch, its centre, its name, and its velocity.
  private drawBodies({ body, outline }: Frame): void {
    const { sheet, scene } = this;
    const { pen } = sheet;
    scene.bodies.forEach((name, b) => {
      const [x, y, angle, vx, vy] = body.subarray(6 * b, 6 * b + 5) as unknown as [number, number, number, number, number];
      const [x0, y0, angle0] = scene.start.subarray(6 * b, 6 * b + 3) as unknown as [number, number, number];
      const [cos, sin] = [Math.cos(angle - angle0), Math.sin(angle - angle0)];
      pen.beginPath();
      for (const line of outline?.[b] ?? [])
        for (let i = 0; i < line.length; i += 2)
          if (i === 0) pen.moveTo(sheet.x(line[i]!), sheet.y(line[i + 1]!));
          else pen.lineTo(sheet.x(line[i]!), sheet.y(line[i + 1]!));
      for (const line of scene.outline[b] ?? [])
        for (let i = 0; i < line.length; i += 2) {
          const [u, v] = [line[i]! - x0, line[i + 1]! - y0];
          const at = [sheet.x(x + cos * u - sin * v), sheet.y(y + sin * u + cos * v)] as const;
          if (i === 0) pen.moveTo(...at);
          else pen.lineTo(...at);
        }
      pen.strokeStyle = sheet.paint("--wall");
      pen.lineWidth = 4;
      pen.stroke();
      const [px, py] = [sheet.x(x), sheet.y(y)];
      pen.beginPath();
      pen.arc(px, py, 4, 0, 2 * Math.PI);
      pen.fillStyle = sheet.paint("--wall");
      pen.fill();
      const scale = this.arrowScale(this.extent.bodySpeed);
      pen.beginPath();
      traceArrow(pen, px, py, scale * vx, -scale * vy, 8);
      pen.strokeStyle = sheet.paint("--accent");
      pen.lineWidth = 2.5;
      pen.stroke();
      sheet.write(name, px + 9, py - 12, "left", "--ink");
    });
  }

  private drawChosen([x, y]: [number, number]): void {
    const { sheet } = this;
    const { pen } = sheet;
    pen.beginPath();
    pen.arc(sheet.x(x), sheet.y(y), 6, 0, 2 * Math.PI);
    pen.strokeStyle = CHOSEN;
    pen.lineWidth = 3;
    pen.stroke();
  }

  private drawWords(more: string[]): void {
    const { sheet, scene } = this;
    const { pen } = sheet;
    const left = this.session.options.flag("legend") ? Math.min(LEGEND.width, 0.55 * sheet.width) : 12;
    const factor = this.factor();
    const words = [`${scene.media.join(", ")}: ${scene.elements} elements`, ...more];
    if (factor > 1) words.push(`displacements × ${show(factor, 2)}`);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = sheet.paint("--ink");
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    words.forEach((text, k) => pen.fillText(text, left, 18 + 16 * k, sheet.width - left - 6));
    let line = 18 + 16 * words.length;
    if (scene.dimension === 1) return;
    if (this.session.options.flag("arrows")) line = this.drawKey(left, line, this.extent.speed, "", 1.2, "--ink");
    this.drawKey(left, line, this.extent.bodySpeed, " of a body", 2.5, "--accent");
  }

  // An arrow with what it means; where the next one goes.
  private drawKey(left: number, y: number, speed: number, of: string, wide: number, color: string): number {
    if (!(speed > 0)) return y;
    const { pen } = this.sheet;
    const scale = this.arrowScale(speed);
    const shown = roundStep(KEY / scale);
    pen.beginPath();
    traceArrow(pen, left, y, scale * shown, 0, 3 + 2 * wide);
    pen.strokeStyle = this.sheet.paint(color);
    pen.lineWidth = wide;
    pen.stroke();
    pen.fillText(`${show(shown, 2)} m/s${of}`, left + scale * shown + 7, y);
    return y + 16;
  }

  // --- asking -----------------------------------------------------------------------------------

  pick(x: number, y: number): number {
    const { sheet, scene, place } = this;
    const flat = scene.dimension === 1;
    const frame = this.stage.current();
    let [best, least] = [-1, Math.max(NEAR, 0.5 * scene.cellSize * sheet.zoom)];
    for (let n = 0; n < scene.nodes; n++) {
      const across = sheet.x(place[2 * n]!) - x;
      const off = flat ? Math.abs(across) : Math.hypot(across, sheet.y(place[2 * n + 1]!) - y);
      if (off < least) [best, least] = [n, off];
    }
    for (let b = 0; frame && b < scene.bodies.length; b++) {
      const off = Math.hypot(sheet.x(frame.body[6 * b]!) - x, sheet.y(frame.body[6 * b + 1]!) - y);
      if (off < Math.min(least, NEAR)) [best, least] = [scene.nodes + b, off];
    }
    return best;
  }

  facts(): Record<string, number> {
    const { sheet, painted, line } = this;
    // The arrow nearest to a place at the lower left.
    const far = (s: Spot) => Math.hypot(s.x - 0.3 * sheet.width, s.y - 0.7 * sheet.height);
    const one = this.arrows.reduce<Spot | null>((best, s) => (best && far(best) <= far(s) ? best : s), null);
    return {
      x: sheet.x(0),
      y: sheet.y(0),
      zoom: sheet.zoom,
      magnify: this.factor(),
      parts: painted.parts,
      triangles: painted.triangles,
      lines: painted.lines,
      step: this.step,
      arrows: this.arrows.length,
      arrowX: one?.x ?? NaN,
      arrowY: one?.y ?? NaN,
      arrowScale: this.arrowScale(),
      comb: COMB / (this.extent.percussion || 1),
      ...(this.scene.space && { faces: this.scene.cells, ...Object.fromEntries(this.scene.projection.to.map((x, i) => [`to_${"xyz"[i]}`, x])) }),
      ...(this.scene.dimension === 1 && { zero: line.y(0), one: line.y(1), bar: line.bar }),
    };
  }

  dispose(): void {
    this.end();
    this.stage.leave();
    this.sheet.dispose();
  }
}

// Into the path of the pen, from a place; false: too short to be seen.
function traceArrow(pen: CanvasRenderingContext2D, x: number, y: number, dx: number, dy: number, head: number): boolean {
  const long = Math.hypot(dx, dy);
  if (!(long > 1.5)) return false;
  const [ex, ey] = [dx / long, dy / long];
  const back = Math.min(head, 0.5 * long);
  const [tx, ty] = [x + dx, y + dy];
  pen.moveTo(x, y);
  pen.lineTo(tx, ty);
  pen.moveTo(tx - back * (ex - 0.5 * ey), ty - back * (ey + 0.5 * ex));
  pen.lineTo(tx, ty);
  pen.lineTo(tx - back * (ex + 0.5 * ey), ty - back * (ey - 0.5 * ex));
  return true;
}

export const continuum: ViewKind = {
  id: "continuum",
  title: "Continuum",
  async entries(run) {
    const type = await run.all("mesh/cell_type", "i32");
    if (!(type[0]! >= SPACE)) return [{ name: "continuum", title: "Continuum" }];
    return [
      { name: "3d", title: "3D" },
      { name: "front", title: "Front", aim: { from: [0, -1, 0] } },
      { name: "side", title: "Side", aim: { from: [1, 0, 0] } },
      { name: "top", title: "Top", aim: { from: [0, 0, 1] } },
    ];
  },
  async fits(run) {
    return run.kind === "continuum" ? 3 : 0;
  },
  async create(place, session) {
    const scene = await ContinuumScene.load(session.run);
    const frames = new ContinuumFrames(scene);
    return new Continuum(place, session, scene, frames, await measure(scene, frames));
  },
};
