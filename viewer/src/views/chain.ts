// A chain of balls: the balls on their line with the forces between them, the wave as a map over balls
// and time, and for three balls the geometry of their impact.
import { quantities } from "../chain/colors";
import { ChainFrames, type Extra, type Frame } from "../chain/frames";
import { ImpactPlane } from "../chain/geometry";
import { ChainScene } from "../chain/scene";
import { Balls } from "../chain/things";
import { Waves } from "../chain/waves";
import { Colors, sampleFrames } from "../colors";
import { show, showQuantity } from "../numbers";
import type { Control } from "../options";
import { BALANCE, CHOSEN, HEAT, OBSTACLE } from "../palette";
import { Stage } from "../stage";
import type { Legend, Session, View, ViewKind } from "../view";
import { type Box, holds, whole } from "./layout";
import { pixelsOf } from "./pixels";
import { PlaneDrawing } from "./plane";
import { Sheet } from "./sheet";
import { WaveMap } from "./wave";

const LEGEND = 218; // pixels that it takes at the left
const AXIS = { left: 54, below: 18 }; // pixels of the numbers of the map
const SMALL = 4; // pixels of radius below which balls are bars
const BAR = 10; // pixels, half their height

const WALL = 9; // pixels of thickness

// How far balls move and press into each other, over the run so far.
interface Extent {
  frames: number; // of the run then
  back: number; // the farthest to the left, >= 0
  forth: number;
  closed: number; // the deepest compression
}

async function measure(scene: ChainScene): Promise<Extent> {
  const { run, start, count } = scene;
  const frames = run.count("frames");
  const extent = { frames, back: 0, forth: 0, closed: 0 };
  await Promise.all(
    sampleFrames(frames, 8 * count).map(async (first) => {
      const x = await run.rows("frames/position", "f64", { first });
      const wide = x.length / count; // x comes first
      const moves = (i: number) => x[wide * i]! - start[i]!;
      for (let i = 0; i < count; i++) {
        const moved = moves(i);
        extent.back = Math.max(extent.back, -moved);
        extent.forth = Math.max(extent.forth, moved);
        if (i + 1 < count) extent.closed = Math.max(extent.closed, moved - moves(i + 1));
      }
    }),
  );
  return extent;
}

// A power of ten by which displacements are seen well, and balls stay balls.
function goodMagnification(scene: ChainScene, { back, forth, closed }: Extent): number {
  const { start, radius, count } = scene;
  const long = start[count - 1]! + radius[count - 1]! - start[0]! + radius[0]!;
  const most = Math.min((0.25 * long) / Math.max(back, forth), (0.4 * Math.min(...radius)) / closed);
  return isFinite(most) ? Math.max(0, Math.min(8, Math.floor(10 * Math.log10(most)) / 10)) : 0;
}

class Chain implements View {
  readonly things: Balls;
  readonly controls: Control[];
  readonly charts = ["energy", "ker", "cke"];
  private readonly sheet: Sheet;
  private readonly stage: Stage<Extra, Frame>;
  private readonly velocity: Waves;
  private readonly force: Waves;
  private readonly maps: Map<string, WaveMap>;
  private readonly plane: PlaneDrawing | null;
  private readonly number: Uint8Array; // of the colour of each ball
  private readonly end: () => void;
  private good: number; // magnification that was proposed
  private following = false;
  private moved = false; // by hand, since it was last fitted
  // Of the last picture.
  private strip: Box = { left: 0, top: 0, width: 1, height: 1 };
  private map: Box | null = null;
  private scale = 1; // pixels a metre of the strip
  private origin = 0; // pixel of 0
  private line = 0; // pixel of the balls' line
  private place = new Float64Array(0); // m, of the balls as they are drawn

  constructor(
    place: HTMLElement,
    private readonly session: Session,
    private readonly scene: ChainScene,
    private extent: Extent,
  ) {
    const { run, options, clock, selection } = session;
    this.sheet = new Sheet(place, {
      moved: () => this.touched(),
      zoomed: () => this.touched(),
      tap: (x, y) => {
        const ball = this.pick(x, y);
        const map = this.currentMap();
        if (ball >= 0 && map && this.map && holds(this.map, x, y)) {
          clock.pause();
          clock.goTo(map.time(this.map, y));
        }
        selection.choose(ball);
      },
    });
    this.number = new Uint8Array(scene.count);
    this.place = new Float64Array(scene.count);
    this.things = new Balls(run, scene);
    this.velocity = new Waves(run, "velocity", scene.count);
    this.force = new Waves(run, "force", scene.contacts);
    const frames = new ChainFrames(scene);
    const colors = new Colors(quantities(scene, this.velocity), scene.count, () => true, frames, session, "velocity");
    this.stage = new Stage(session, frames, colors, () => (options.flag("forces") ? ["force"] : []));
    this.maps = new Map([["velocity", new WaveMap(this.velocity, clock, 0, BALANCE, true)]]);
    const plane = ImpactPlane.of(scene);
    this.plane = plane ? new PlaneDrawing(plane, this.velocity) : null;
    this.good = goodMagnification(scene, extent);
    options.declare("map", "velocity");
    options.declare("forces", true);
    options.declare("magnify", this.good);
    this.controls = [
      ...colors.controls(),
      { kind: "range", key: "magnify", label: "Displacement scale, power of 10", low: 0, high: 8, step: 0.1 },
      { kind: "choice", key: "map", label: "Wave", choices: [["velocity", "velocity"], ["off", "none"]], hint: "key M" },
    ];
    if (frames.offers("force")) {
      this.maps.set("force", new WaveMap(this.force, clock, scene.walls[0] ? -0.5 : 0.5, HEAT, false));
      const wave = this.controls[this.controls.length - 1]!;
      if (wave.kind === "choice") wave.choices.splice(1, 0, ["force", "contact force"]);
      this.controls.push({ kind: "toggle", key: "forces", label: "Contact forces", hint: "key N" });
    }
    if (this.plane) {
      options.declare("geometry", true);
      this.controls.push({ kind: "toggle", key: "geometry", label: "Impact geometry" });
    }
    this.end = run.changed.listen(() => void this.grew().catch((error: Error) => session.say(error.message)));
  }

  // --- what it needs ----------------------------------------------------------------------------

  private currentMap(): WaveMap | undefined {
    return this.maps.get(this.session.options.word("map"));
  }
  private waves(): Waves[] {
    const { options } = this.session;
    const all = new Set<Waves>();
    const map = this.currentMap();
    if (map) all.add(map.waves);
    if (this.plane && options.flag("geometry")) all.add(this.velocity);
    if (options.flag("forces") && this.maps.has("force")) all.add(this.force);
    return [...all];
  }

  ready(frame: number): boolean {
    const { playing } = this.session.clock;
    return this.stage.ready(frame) && this.waves().every((w) => w.whole || (playing && w.rows > 0));
  }
  async load(frame: number): Promise<void> {
    await Promise.all([this.stage.load(frame), ...this.waves().map((w) => w.load())]);
  }
  ahead(frame: number, stride: number): void {
    this.stage.ahead(frame, stride);
  }

  // A run that is being written: it is as wide as it became.
  private async grew(): Promise<void> {
    if (this.session.run.count("frames") >= 2 * this.extent.frames || !this.session.run.running) {
      this.extent = await measure(this.scene);
      const { options } = this.session;
      const good = goodMagnification(this.scene, this.extent);
      if (options.number("magnify") === this.good) options.set("magnify", good);
      this.good = good;
    }
    await Promise.all(this.waves().map((w) => w.load()));
    this.session.redraw();
  }

  // --- where it is ------------------------------------------------------------------------------

  resize(width: number, height: number, ratio: number): void {
    this.sheet.resize(width, height, ratio);
  }
  reset(): void {
    this.following = this.moved = false;
  }
  follow(on: boolean): void {
    this.following = on;
  }
  picture(): HTMLCanvasElement {
    return this.sheet.canvas;
  }
  private touched(): void {
    this.following = false;
    this.moved = true;
    this.session.redraw();
  }
  // The ball after the selected one, or before it.
  next(by: number): boolean {
    const { selection } = this.session;
    const at = selection.index < 0 ? (by > 0 ? 0 : this.scene.count - 1) : selection.index + by;
    selection.choose(Math.max(0, Math.min(this.scene.count - 1, at)));
    return true;
  }

  private legends(): Legend[] {
    const legends = [this.stage.colors.legend()];
    const map = this.currentMap();
    if (!map) return legends;
    const { largest } = map.waves;
    const legend = map.signed
      ? { title: "Velocity", unit: "m/s", low: -largest, high: largest, colors: map.colors }
      : { title: "Contact force", unit: "N", low: 0, high: largest, colors: map.colors };
    // One scale for both where it is the same.
    if (legends[0]!.title !== legend.title || legends[0]!.high !== legend.high) legends.push(legend);
    return legends;
  }
  legend(): Legend[] {
    return this.legends();
  }

  private factor(): number {
    return 10 ** this.session.options.number("magnify");
  }

  // The legend above with words beside it, the balls, below them the map and the geometry.
  private lay(): { plane: Box | null } {
    const { options } = this.session;
    const { sheet, scene } = this;
    const { width, height } = sheet;
    const head = Math.max(64, options.flag("legend") ? 52 * this.legends().length + 12 : 0);
    const foot = AXIS.below + (options.flag("stamp") ? 38 : 6);
    const map = this.currentMap() !== undefined;
    const drawn = this.plane !== null && options.flag("geometry");
    const below = map || drawn;
    const tall = below ? Math.max(40, Math.min(0.3 * (height - head), 200)) : height - head - foot;
    const left = Math.min(AXIS.left, 0.14 * width);
    this.strip = { left, top: head, width: width - left - 12, height: tall };
    const top = head + tall + 8;
    const rest = Math.max(10, height - top - foot);
    const side = drawn ? Math.min(rest * 1.1, 0.5 * width) : 0;
    this.map = map ? whole({ left, top, width: Math.max(10, this.strip.width - (drawn ? side + 16 : 0)), height: rest }) : null;
    // The strip and the map show the same balls.
    const { left: from, width: wide } = this.map ?? this.strip;
    const free = { left: from, right: width - from - wide, top: 0, bottom: 0 };
    const room = 0.5 * scene.count + 1;
    const pad = (moved: number, radius: number) => 0.15 + Math.min(room, (this.factor() * moved) / (2 * radius));
    const [low, high] = [-pad(this.extent.back, scene.radius[0]!), scene.count + pad(this.extent.forth, scene.radius[scene.count - 1]!)];
    const { zoom, centre } = sheet;
    sheet.fit([low, 0], [high, 0], free);
    if (this.moved) {
      sheet.zoom = Math.max(sheet.zoom, Math.min(zoom, wide));
      sheet.centre = [Math.max(low, Math.min(high, centre[0])), 0];
    }
    const chosen = this.session.selection.index;
    if (this.following && chosen >= 0) {
      this.moved = true;
      sheet.centre = [chosen + 0.5 - (from + wide / 2 - width / 2) / sheet.zoom, 0];
    }
    const plane = drawn ? { left: map ? width - side - 8 : left, top, width: map ? side : this.strip.width, height: rest + AXIS.below } : null;
    return { plane };
  }

  // Pixels of places along the line: as large as the window of the map or the height allow.
  private aim(): void {
    const { strip, scene, sheet } = this;
    const { left, width } = this.map ?? strip;
    const low = scene.along(sheet.toScene(left, 0)[0]);
    const high = scene.along(sheet.toScene(left + width, 0)[0]);
    const room = this.bars() ? 0.5 : 0.9; // of the height, for balls
    const largest = Math.max(...scene.radius);
    this.scale = Math.min(strip.width / (high - low), (room * strip.height) / (2 * largest));
    this.origin = strip.left + strip.width / 2 - (this.scale * (low + high)) / 2;
    const tall = Math.max(this.scale * largest, BAR);
    this.line = strip.top + strip.height - (this.bars() ? tall + 4 : strip.height / 2);
  }
  private bars(): boolean {
    return this.session.options.flag("forces") && this.maps.has("force");
  }
  private x(along: number): number {
    return this.origin + this.scale * along;
  }

  // --- the picture ------------------------------------------------------------------------------

  draw(): void {
    const frame = this.stage.current();
    if (!frame) return;
    const { sheet, scene } = this;
    const { clock, selection, options } = this.session;
    const { plane } = this.lay();
    this.aim();
    const factor = this.factor();
    for (let i = 0; i < scene.count; i++) this.place[i] = scene.start[i]! + factor * frame.moved[i]!;
    sheet.begin(false);
    this.drawBalls(frame);
    if (this.bars() && frame.force) this.drawForces(frame.force);
    this.drawWords(frame);
    const map = this.currentMap();
    if (map && this.map) {
      map.draw(sheet, this.map);
      map.drawAxes(sheet, this.map, scene.count);
      this.drawNow(map, this.map, clock.timeOf(frame.index), selection.index);
    }
    if (plane && options.flag("geometry")) this.plane!.draw(sheet, plane, frame.index, frame.velocity);
  }

  private drawBalls(frame: Frame): void {
    const { sheet, scene, strip, place, number } = this;
    const { pen } = sheet;
    const colors = this.stage.colors.pick(frame, number);
    const tall = Math.max(this.scale * Math.max(...scene.radius), BAR) + 2;
    pen.save();
    pen.beginPath();
    pen.rect(strip.left - WALL, strip.top, strip.width + 2 * WALL, strip.height + 4);
    pen.clip();
    pen.strokeStyle = sheet.paint("--grid");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(strip.left, this.line);
    pen.lineTo(strip.left + strip.width, this.line);
    pen.stroke();
    for (const side of ["left", "right"] as const) {
      const x = this.x(scene.wall(side));
      if (isNaN(x)) continue;
      pen.fillStyle = OBSTACLE;
      pen.fillRect(side === "left" ? x - WALL : x, this.line - tall, WALL, 2 * tall);
      pen.fillStyle = sheet.paint("--wall");
      pen.fillRect(side === "left" ? x - 2 : x, this.line - tall, 2, 2 * tall);
    }
    if (this.scale * Math.min(...scene.radius) >= SMALL) {
      const pixels = pixelsOf(sheet);
      const { ratio } = sheet;
      for (let i = 0; i < scene.count; i++)
        pixels.disc(this.x(place[i]!) * ratio, this.line * ratio, this.scale * scene.radius[i]! * ratio, ratio, colors[number[i]!]!);
      pixels.show(sheet);
    } else {
      // Many in a pixel: those that differ most from the middle of the scale are seen.
      const middle = colors.length >> 1;
      const order = Array.from(number.keys()).sort((a, b) => Math.abs(number[a]! - middle) - Math.abs(number[b]! - middle));
      for (const i of order) {
        const half = Math.max(0.5, this.scale * scene.radius[i]!);
        pen.fillStyle = `rgb(${colors[number[i]!]!.join()})`;
        pen.fillRect(this.x(place[i]!) - half, this.line - Math.max(BAR, half), 2 * half, 2 * Math.max(BAR, half));
      }
    }
    const chosen = this.session.selection.index;
    if (chosen >= 0) {
      pen.strokeStyle = CHOSEN;
      pen.lineWidth = 3;
      pen.beginPath();
      pen.arc(this.x(place[chosen]!), this.line, Math.max(BAR, this.scale * scene.radius[chosen]! + 1.5), 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.restore();
  }

  // Where two surfaces meet, or would.
  private contactAt(contact: number): number {
    const { scene, place } = this;
    const left = contact - Number(scene.walls[0]);
    const a = left < 0 ? scene.wall("left") : place[left]! + scene.radius[left]!;
    const b = left + 1 < scene.count ? place[left + 1]! - scene.radius[left + 1]! : scene.wall("right");
    return (a + b) / 2;
  }

  // The foot of the bars of forces, and how high the largest of the run is.
  private forceBars(): { base: number; high: number } {
    const base = this.line - Math.max(this.scale * Math.max(...this.scene.radius), BAR) - 4;
    return { base, high: base - this.strip.top - 4 };
  }

  private drawForces(force: Float32Array): void {
    const { sheet, scene, strip } = this;
    const { pen } = sheet;
    const { base, high } = this.forceBars();
    const wide = Math.max(1, Math.min(12, this.scale * Math.min(...scene.radius) * 0.8));
    pen.fillStyle = sheet.paint("--force");
    for (let c = 0; c < scene.contacts; c++) {
      const x = this.x(this.contactAt(c));
      const tall = (high * force[c]!) / (this.force.largest || 1);
      if (tall > 0 && x > strip.left - wide && x < strip.left + strip.width + wide) pen.fillRect(x - wide / 2, base - tall, wide, tall);
    }
  }

  private drawWords(frame: Frame): void {
    const { sheet, scene } = this;
    const { pen } = sheet;
    const left = this.session.options.flag("legend") ? Math.min(LEGEND, 0.47 * sheet.width) : 12;
    const words = [
      [`${scene.count} balls`, scene.law, isFinite(scene.exponent) ? `exponent ${show(scene.exponent, 3)}` : ""].filter(Boolean).join(", "),
      `displacements × ${show(this.factor(), 2)}`,
    ];
    if (this.bars() && frame.force) words.push(`largest force ${showQuantity(frame.force.reduce((a, f) => Math.max(a, f), 0), "N", 3)}`);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = sheet.paint("--ink");
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    words.forEach((text, k) => pen.fillText(text, left, 18 + 17 * k, sheet.width - left - 6));
  }

  // The time that is shown, and the selected ball, on the map.
  private drawNow(map: WaveMap, box: Box, time: number, chosen: number): void {
    const { sheet } = this;
    const { pen } = sheet;
    pen.save();
    pen.beginPath();
    pen.rect(box.left, box.top - 1, box.width, box.height + 2);
    pen.clip();
    const y = map.y(box, time);
    pen.strokeStyle = sheet.paint("--ink");
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(box.left, y);
    pen.lineTo(box.left + box.width, y);
    pen.stroke();
    if (chosen >= 0) {
      pen.strokeStyle = CHOSEN;
      pen.strokeRect(sheet.x(chosen), box.top - 2, Math.max(1, sheet.zoom), box.height + 4);
    }
    pen.restore();
  }

  pick(x: number, y: number): number {
    const { scene, sheet, place } = this;
    if (this.map && holds(this.map, x, y)) {
      const ball = Math.floor(sheet.toScene(x, y)[0]);
      return ball >= 0 && ball < scene.count ? ball : -1;
    }
    if (!holds(this.strip, x, y)) return -1;
    let [best, least] = [-1, 4];
    for (let i = 0; i < scene.count; i++) {
      const radius = this.scale * scene.radius[i]!;
      const across = Math.abs(this.x(place[i]!) - x);
      const off = radius < SMALL ? across - radius : Math.hypot(across, y - this.line) - radius;
      if (off < least) [best, least] = [i, off];
    }
    return best;
  }

  facts(): Record<string, number> {
    const { map, plane } = this;
    const [endX, endY] = plane?.end ?? [NaN, NaN];
    return {
      x: this.origin,
      y: this.line,
      scale: this.scale,
      magnify: this.factor(),
      barsBase: this.forceBars().base,
      barsHigh: this.forceBars().high,
      ...(map && { mapLeft: map.left, mapTop: map.top, mapWidth: map.width, mapHeight: map.height, mapX: this.sheet.x(0), mapZoom: this.sheet.zoom }),
      ...(plane && { planeX: plane.middle[0], planeY: plane.middle[1], planeZoom: plane.zoom, endX, endY }),
    };
  }

  dispose(): void {
    this.end();
    this.stage.leave();
    this.sheet.dispose();
  }
}

export const chain: ViewKind = {
  id: "chain",
  title: "Chain",
  async fits(run) {
    return run.kind === "chain" ? 3 : 0;
  },
  async create(place, session) {
    const scene = await ChainScene.load(session.run);
    return new Chain(place, session, scene, await measure(scene));
  },
};
