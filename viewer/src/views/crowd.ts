// A crowd seen from above: floors, people, their ways, and maps below them.
import { quantities } from "../crowd/colors";
import { Exits } from "../crowd/exits";
import { CrowdFrames, type Extra, type Frame } from "../crowd/frames";
import { type Drawn, Maps, MAPS, type MapName, type When } from "../crowd/maps";
import { type CrowdScene, crowdScene, type Line, middle, type Point } from "../crowd/scene";
import { People } from "../crowd/things";

import type { Aim } from "../aim";
import { Colors } from "../colors";
import { make } from "../dom";
import { Forces } from "../rigid/forces";
import type { Control } from "../options";
import { CHOSEN, OBSTACLE } from "../palette";
import { Stage } from "../stage";
import type { Legend, Session, View, ViewKind } from "../view";
import { drawDiscs } from "./discs";
import { FlatAim } from "./flat";
import { Sheet } from "./sheet";
import { Trails } from "./trails";

const ALL = "all"; // floors side by side
const STANDS = 0.05; // m/s: slower has no direction
const LEGEND = 218; // pixels that it takes at the left
const TICK = 3.5; // pixels of radius from which directions are seen

class Crowd implements View {
  readonly things: People;
  readonly controls: Control[];
  readonly charts = ["inside", "exits"];
  private readonly sheet: Sheet;
  private readonly stage: Stage<Extra, Frame>;
  private readonly frames: CrowdFrames;
  private readonly trails: Trails;
  private readonly tabs = make("div", { class: "floors", role: "group", "aria-label": "floors" });
  private readonly number: Uint8Array; // of the colour of everybody
  private readonly seen: Float32Array; // place of everybody on the sheet, m; NaN: not seen
  private readonly end: () => void;
  private at: Point[] = []; // where the floors lie on the sheet
  private laid = ""; // which of them
  private following = false;
  private readonly aimed = new FlatAim();
  private moved = false; // by hand, since it was last fitted
  private readonly forces: Forces;
  private discs = 0; // drawn in the last picture

  constructor(
    place: HTMLElement,
    private readonly session: Session,
    private readonly scene: CrowdScene,
    private readonly exits: Exits,
    private readonly maps: Maps,
  ) {
    const { options } = session;
    this.sheet = new Sheet(place, {
      moved: () => {
        this.following = false;
        this.aimed.end();
        this.moved = true;
        session.redraw();
      },
      zoomed: () => {
        this.moved = true;
        session.redraw();
      },
      tap: (x, y) => session.selection.pick(this.pick(x, y)),
    });
    this.number = new Uint8Array(scene.count);
    this.seen = new Float32Array(2 * scene.count);
    this.things = new People(session.run, scene, exits);
    this.frames = new CrowdFrames(scene);
    this.forces = new Forces(scene.rigid);
    this.trails = new Trails(session, scene, this.frames);
    const colors = new Colors(
      quantities(scene, exits),
      scene.count,
      (i, frame: Frame) => frame.present[i] === 1,
      this.frames,
      session,
      scene.groups.length > 1 ? "group" : "speed",
    );
    this.stage = new Stage(session, this.frames, colors, () => this.needs());
    const several = scene.floors.length > 1;
    options.declare("floor", several ? ALL : scene.floors[0]!.name);
    options.declare("map", "off");
    options.declare("when", "now");
    options.declare("smooth", true);
    options.declare("trails", "off");
    options.declare("trail_length", 5);
    options.declare("people", true);
    options.declare("labels", true);
    options.declare("forces", false);
    options.declare("force_scale", 1);
    this.controls = colors.controls();
    if (several) this.controls.push({ kind: "choice", key: "floor", label: "Floor", choices: this.floorChoices(), hint: "keys PgUp, PgDn" });
    this.controls.push(...this.mapControls());
    this.controls.push(
      {
        kind: "choice",
        key: "trails",
        label: "Trails",
        choices: [
          ["off", "none"],
          ["selected", "of the selected person"],
          ["all", "of all people"],
        ],
        hint: "key T",
      },
      { kind: "range", key: "trail_length", label: "Trail length, s", low: 1, high: 30, step: 1 },
      { kind: "toggle", key: "people", label: "People" },
      { kind: "toggle", key: "labels", label: "Names of exits and areas" },
    );
    if (this.frames.offers("contacts"))
      this.controls.push(
        { kind: "toggle", key: "forces", label: "Contact forces", hint: "key N" },
        { kind: "range", key: "force_scale", label: "Force line width", low: 0.1, high: 5, step: 0.1 },
      );
    if (several) place.append(this.tabs);
    for (const [id, text] of several ? this.floorChoices() : []) {
      const button = make("button", { type: "button", text, title: "floors (PgUp, PgDn)", onclick: () => options.set("floor", id) });
      button.dataset.floor = id;
      this.tabs.append(button);
    }
    this.end = session.run.changed.listen(() => void exits.refresh().then(() => session.redraw()));
    this.reset();
  }

  private floorChoices(): [string, string][] {
    return [[ALL, "all"], ...this.scene.floors.map((f): [string, string] => [f.name, f.name])];
  }

  private mapControls(): Control[] {
    const titles = { density: "density, Fruin's levels", speed: "mean speed", pressure: "pressure" };
    const there = MAPS.filter((name) => this.maps.has(name));
    if (there.length === 0) return [{ kind: "note", key: "map", label: "Map", text: "this run has no maps (scene: output: {maps: …})" }];
    return [
      {
        kind: "choice",
        key: "map",
        label: "Map",
        choices: [["off", "none"], ...there.map((name): [string, string] => [name, titles[name]])],
        hint: "key M",
      },
      {
        kind: "choice",
        key: "when",
        label: "Map values",
        choices: [
          ["now", "at this time"],
          ["so-far", "largest so far"],
          ["run", "largest of the run"],
        ],
      },
      { kind: "toggle", key: "smooth", label: "Density averaged within 1.25 m" },
    ];
  }

  private needs(): Extra[] {
    const extras: Extra[] = [];
    if (this.session.options.flag("forces")) extras.push("contacts");
    if (this.ticks()) extras.push(this.scene.turns ? "orientation" : "velocity");
    return extras;
  }
  // People are large enough that one sees where they look.
  private ticks(): boolean {
    return (this.scene.radius[0] ?? 0) * this.sheet.zoom > TICK;
  }

  private map(): Drawn | null {
    const { options } = this.session;
    const name = options.word("map");
    if (!this.maps.has(name)) return null;
    return name === "density" && options.flag("smooth") ? "around" : (name as MapName);
  }
  private when(): When {
    return this.session.options.word("when") as When;
  }

  // --- what it needs ----------------------------------------------------------------------------

  ready(frame: number): boolean {
    if (!this.stage.ready(frame) || (this.session.options.flag("forces") && !this.forces.prepared)) return false;
    if (this.session.clock.playing) return true; // maps and trails follow as they can
    const map = this.map();
    return this.trails.ready(frame) && (map === null || this.maps.ready(map, this.when(), this.session.clock.timeOf(frame)));
  }
  async load(frame: number): Promise<void> {
    const map = this.map();
    await Promise.all([
      this.stage.load(frame),
      this.session.options.flag("forces") ? this.forces.prepare(this.frames) : null,
      this.trails.load(frame),
      map === null ? null : this.maps.load(map, this.when(), this.session.clock.timeOf(frame)),
    ]);
  }
  ahead(frame: number, stride: number): void {
    this.stage.ahead(frame, stride);
    const map = this.map();
    const { time } = this.session.clock;
    if (map === null || this.mapping || this.maps.ready(map, this.when(), time)) return;
    this.mapping = true;
    this.maps
      .load(map, this.when(), time)
      .catch((error: Error) => this.session.say(error.message))
      .finally(() => (this.mapping = false));
  }
  private mapping = false;

  // --- where it is ------------------------------------------------------------------------------

  resize(width: number, height: number, ratio: number): void {
    this.sheet.resize(width, height, ratio);
    if (!this.moved) this.reset();
  }

  private shown(): number[] {
    const name = this.session.options.word("floor");
    const one = this.scene.floors.findIndex((f) => f.name === name);
    return one >= 0 && name !== ALL ? [one] : this.scene.floors.map((_, f) => f);
  }

  lookFrom(to: Aim): void {
    this.reset();
    const [floor] = this.shown();
    const [x, y] = this.at[floor!]!;
    const { origin } = this.scene;
    this.aimed.begin(to, this.things.names, this.sheet, (p) => [x + p[0]! - origin[0]!, y + p[1]! - origin[1]!]);
    this.moved = Object.keys(to).length > 0;
  }

  // The floors that are shown, in rows as they fit the picture best, and all of it in the picture.
  reset(): void {
    this.following = this.moved = false;
    this.aimed.end();
    const floors = this.shown();
    this.laid = floors.join();
    this.at = this.scene.floors.map((): Point => [NaN, NaN]);
    const { width, height } = this.sheet;
    // Names of exits stand outside; a narrow picture has its legend above.
    const side = Math.min(0.14 * width, 84);
    const edge = Math.min(0.1 * height, 44);
    const free = { left: side, right: side, top: width < 500 ? Math.min(this.legendHeight(), 0.3 * height) : edge, bottom: width < 500 && this.scene.floors.length > 1 ? 58 : edge };
    const size = floors.map((f) => this.scene.floors[f]!).map(({ low, high }): Point => [high[0] - low[0], high[1] - low[1]]);
    const gap = floors.length > 1 ? 0.12 * Math.max(...size.flat()) : 0;
    let best = { zoom: 0, long: 0, high: 0, corner: [] as Point[] };
    for (let columns = 1; columns <= floors.length; columns++) {
      const corner: Point[] = [];
      let [long, y] = [0, 0];
      for (let first = 0; first < floors.length; first += columns) {
        const row = size.slice(first, first + columns);
        const tall = Math.max(...row.map((s) => s[1]));
        let x = 0;
        for (const s of row) {
          corner.push([x, y + tall - s[1]]);
          x += s[0] + gap;
        }
        long = Math.max(long, x - gap);
        y += tall + gap;
      }
      const high = y - gap;
      const zoom = Math.min(Math.max(1, width - 2 * side) / (long || 1), Math.max(1, height - free.top - free.bottom) / (high || 1));
      if (zoom > best.zoom) best = { zoom, long, high, corner };
    }
    if (floors.length === 1) {
      const floor = this.scene.floors[floors[0]!]!;
      this.at[floors[0]!] = [0, 0];
      this.fit(floor.low, floor.high, free);
      return;
    }
    floors.forEach((f, k) => {
      const { low } = this.scene.floors[f]!;
      const [x, y] = best.corner[k]!;
      // Rows go down, as one reads.
      this.at[f] = [x - low[0], best.high - y - size[k]![1] - low[1]];
    });
    this.fit([0, 0], [best.long, best.high], free);
  }

  // About how many pixels the legend takes.
  private legendHeight(): number {
    return this.legends().reduce((sum, { words }) => sum + (words ? 26 + 17 * Math.min(9, words.length) : 52), 16);
  }

  // Beside the legend, or below it, if there is room for that.
  private fit(low: Point, high: Point, free: { left: number; right: number; top: number; bottom: number }): void {
    const { sheet } = this;
    sheet.fit(low, high, free);
    const lacks = LEGEND - sheet.x(low[0]);
    const spare = sheet.width - free.right - sheet.x(high[0]);
    if (lacks <= 0) return;
    if (spare > 0) sheet.centre[0] -= Math.min(lacks, spare) / sheet.zoom;
    const below = this.legendHeight() + 24 - sheet.y(high[1]);
    const room = sheet.height - free.bottom - sheet.y(low[1]);
    if (sheet.width >= 500 && lacks > spare && below > 0 && room > 0) sheet.centre[1] += Math.min(below, room) / sheet.zoom;
  }

  follow(on: boolean): void {
    this.following = on;
  }
  picture(): HTMLCanvasElement {
    return this.sheet.canvas;
  }
  legend(): Legend[] | null {
    const legends = this.legends();
    return legends.length > 0 ? legends : null;
  }
  private legends(): Legend[] {
    const legends: Legend[] = [];
    const map = this.map();
    if (this.session.options.flag("people")) legends.push(this.stage.colors.legend());
    if (map !== null) legends.push(this.maps.legend(map, this.when()));
    if (this.session.options.flag("forces") && this.forces.prepared) legends.push(this.forces.legend());
    return legends;
  }
  facts(): Record<string, number> {
    return { people: this.discs, zoom: this.sheet.zoom, x: this.sheet.x(0), y: this.sheet.y(0) };
  }

  // --- the picture ------------------------------------------------------------------------------

  draw(): void {
    const frame = this.stage.current();
    if (!frame) {
      this.bring();
      return;
    }
    const { options, selection } = this.session;
    const { sheet, scene } = this;
    const chosen = selection.index;
    if (this.following && chosen >= 0 && frame.present[chosen] === 1 && this.shown().length === 1)
      options.set("floor", scene.floors[frame.floor[chosen]!]!.name);
    const floors = this.shown();
    if (this.laid !== floors.join()) {
      const { following } = this;
      this.reset();
      this.following = following;
    }
    for (const button of this.tabs.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button.dataset.floor === options.word("floor")));
    this.find(frame);
    this.aimed.apply(sheet, (i) => [this.seen[2 * i]!, this.seen[2 * i + 1]!]);
    if (this.following && chosen >= 0 && !isNaN(this.seen[2 * chosen]!)) {
      sheet.centre = [this.seen[2 * chosen]!, this.seen[2 * chosen + 1]!];
      this.moved = true;
    }
    const single = floors.length === 1;
    sheet.origin = [scene.origin[0]!, scene.origin[1]!];
    sheet.begin(single);
    for (const f of floors) this.drawFloor(f, frame.doors);
    this.trails.draw(sheet, frame, chosen, this.at);
    if (options.flag("people")) this.drawPeople(frame);
    else this.discs = 0;
    if (options.flag("forces") && frame.contacts && this.forces.prepared) this.drawForces(frame);
    if (chosen >= 0) this.drawChosen(chosen);
    if (options.flag("labels")) for (const f of floors) this.drawLabels(f, frame.time, single);
    if (single) sheet.drawNumbers();
    sheet.drawScaleBar();
  }

  // What the picture lacks since it is closer: where people look to.
  private bring(): void {
    if (this.bringing) return;
    this.bringing = true;
    this.load(this.session.clock.frame)
      .then(() => this.session.redraw())
      .catch((error: Error) => this.session.say(error.message))
      .finally(() => (this.bringing = false));
  }
  private bringing = false;

  // Where everybody is on the sheet who is to be seen.
  private find(frame: Frame): void {
    const { position, present, floor } = frame;
    const { seen, at } = this;
    const floors = this.scene.floors;
    for (let i = 0; i < this.scene.count; i++) {
      const f = floor[i]!;
      const [x, y] = present[i] === 1 ? at[f]! : [NaN, NaN];
      seen[2 * i] = position[3 * i]! - floors[f]!.offset + x;
      seen[2 * i + 1] = position[3 * i + 1]! + y;
    }
  }

  private trace(points: Point[], at: Point, closed: boolean): void {
    const { pen } = this.sheet;
    points.forEach(([x, y], k) => {
      const [px, py] = [this.sheet.x(x + at[0]), this.sheet.y(y + at[1])];
      if (k === 0) pen.moveTo(px, py);
      else pen.lineTo(px, py);
    });
    if (closed) pen.closePath();
  }

  private drawFloor(f: number, open: Uint8Array): void {
    const { sheet, scene } = this;
    const { pen } = sheet;
    const floor = scene.floors[f]!;
    const at = this.at[f]!;
    const some = (lines: Line[]) => {
      pen.beginPath();
      for (const line of lines) this.trace(line.points, at, line.closed);
    };
    pen.fillStyle = sheet.paint("--panel");
    pen.globalAlpha = 0.75;
    if (floor.rooms.length > 0) {
      pen.beginPath();
      for (const room of floor.rooms) this.trace(room, at, true);
    } else {
      const [[left, low], [right, high]] = [floor.low, floor.high];
      pen.beginPath();
      this.trace([[left, low], [right, low], [right, high], [left, high]], at, true);
    }
    pen.fill();
    pen.globalAlpha = 1;
    this.drawMap(f, at);
    for (const goal of scene.goals) {
      if (goal.floor !== f || goal.kind !== "area") continue;
      pen.beginPath();
      this.trace(goal.points, at, true);
      pen.fillStyle = pen.strokeStyle = sheet.paint("--accent");
      pen.globalAlpha = 0.12;
      pen.fill();
      pen.globalAlpha = 0.8;
      pen.lineWidth = 1.2;
      pen.setLineDash([5, 4]);
      pen.stroke();
      pen.setLineDash([]);
      pen.globalAlpha = 1;
    }
    pen.fillStyle = OBSTACLE;
    some(floor.lines.filter((line) => line.solid));
    pen.fill();
    pen.strokeStyle = sheet.paint("--wall");
    pen.lineWidth = Math.max(1.2, Math.min(4, 0.08 * sheet.zoom));
    some(floor.lines);
    pen.stroke();
    pen.beginPath();
    for (const [x, y, radius] of floor.pillars) {
      const [px, py] = [sheet.x(x + at[0]), sheet.y(y + at[1])];
      pen.moveTo(px + radius * sheet.zoom, py);
      pen.arc(px, py, radius * sheet.zoom, 0, 2 * Math.PI);
    }
    pen.fill();
    pen.stroke();
    pen.strokeStyle = sheet.paint("--exit");
    pen.lineWidth = Math.max(3, Math.min(7, 0.14 * sheet.zoom));
    pen.beginPath();
    for (const goal of scene.goals) if (goal.floor === f && goal.kind === "exit") this.trace(goal.points, at, false);
    pen.lineCap = "butt";
    pen.stroke();
    this.drawDoors(f, open);
    pen.lineCap = "round";
  }

  // Closed ones as bars, open ones as what is left of them: their frames.
  private drawDoors(f: number, open: Uint8Array): void {
    const { sheet, scene } = this;
    const { pen } = sheet;
    pen.strokeStyle = sheet.paint("--door");
    pen.lineWidth = Math.max(3, Math.min(7, 0.14 * sheet.zoom));
    for (const [d, door] of scene.doors.entries()) {
      if (door.floor !== f) continue;
      pen.beginPath();
      if (open[d] !== 1) this.trace(door.points, this.at[f]!, false);
      else
        for (const points of [door.points, [...door.points].reverse()]) {
          const [[ax, ay], [bx, by]] = [points[0]!, points[1]!];
          const part = Math.min(0.25, 0.1 / Math.hypot(bx - ax, by - ay)); // 0.1 m
          this.trace([points[0]!, [ax + part * (bx - ax), ay + part * (by - ay)]], this.at[f]!, false);
        }
      pen.stroke();
    }
  }

  private drawMap(f: number, at: Point): void {
    const map = this.map();
    if (map === null) return;
    const picture = this.maps.picture(map, this.when(), this.session.clock.time, f);
    if (!picture) return;
    const { sheet } = this;
    const { pen } = sheet;
    const [x, y] = [picture.low[0] + at[0], picture.low[1] + at[1]];
    pen.save();
    if (picture.walled) {
      pen.beginPath();
      for (const room of this.scene.floors[f]!.rooms) this.trace(room, at, true);
      pen.clip();
    }
    pen.imageSmoothingEnabled = false;
    pen.drawImage(picture.canvas, sheet.x(x), sheet.y(y + picture.size[1]), picture.size[0] * sheet.zoom, picture.size[1] * sheet.zoom);
    pen.restore();
  }

  private drawPeople(frame: Frame): void {
    this.discs = drawDiscs(this.sheet, {
      count: this.scene.count,
      place: this.seen,
      radius: this.scene.radius,
      colors: this.stage.colors.pick(frame, this.number),
      number: this.number,
      angle: this.ticks() ? this.angles(frame) : null,
      shoulders: this.scene.turns,
    });
  }

  // Where somebody looks, or walks to; NaN: stands.
  private angles(frame: Frame): (i: number) => number {
    const { orientation: q, velocity: v } = frame;
    if (this.scene.turns && q) return (i) => 2 * Math.atan2(q[4 * i + 3]!, q[4 * i]!);
    if (v) return (i) => (Math.hypot(v[3 * i]!, v[3 * i + 1]!) < STANDS ? NaN : Math.atan2(v[3 * i + 1]!, v[3 * i]!));
    return () => NaN;
  }

  // From middle to middle, or to the place of the contact on a wall.
  private drawForces(frame: Frame): void {
    const { bodies, point } = frame.contacts!;
    const { seen, scene, at } = this;
    const thick = this.session.options.number("force_scale");
    this.sheet.drawForces(this.forces, frame.contacts!, thick, (c, e) => {
      const i = bodies[2 * c + e]! - scene.first;
      if (i >= 0) return [seen[2 * i]!, seen[2 * i + 1]!];
      const other = bodies[2 * c + 1 - e]! - scene.first;
      const f = other >= 0 ? frame.floor[other]! : 0;
      return [point[3 * c]! - scene.floors[f]!.offset + at[f]![0], point[3 * c + 1]! + at[f]![1]];
    });
  }

  private drawChosen(i: number): void {
    const { sheet, seen } = this;
    const { pen } = sheet;
    const [x, y] = [sheet.x(seen[2 * i]!), sheet.y(seen[2 * i + 1]!)];
    if (isNaN(x)) return;
    pen.strokeStyle = CHOSEN;
    pen.lineWidth = 3;
    pen.beginPath();
    pen.arc(x, y, Math.max(5, (this.scene.radius[i] ?? 0) * sheet.zoom + 1.5), 0, 2 * Math.PI);
    pen.stroke();
  }

  // Names of exits, with how many have left by them, of areas, and of the floor if there are several.
  private drawLabels(f: number, time: number, single: boolean): void {
    const { sheet, scene, exits } = this;
    const floor = scene.floors[f]!;
    const at = this.at[f]!;
    for (const [g, goal] of scene.goals.entries()) {
      if (goal.floor !== f || goal.points.length === 0) continue;
      const [x, y] = middle(goal.points);
      const [px, py] = [sheet.x(x + at[0]), sheet.y(y + at[1])];
      if (goal.kind === "area") {
        const left = Math.min(...goal.points.map((p) => p[0]));
        const high = Math.max(...goal.points.map((p) => p[1]));
        sheet.write(goal.name, sheet.x(left + at[0]) + 6, sheet.y(high + at[1]) + 12, "left", "--accent");
        continue;
      }
      if (goal.kind !== "exit") continue;
      const text = exits.offered ? `${goal.name}  ${exits.count(g, time)}` : goal.name;
      // Outside, so that it hides nobody: along the exit's normal that leads away from the floor's middle.
      const [a, b] = [goal.points[0]!, goal.points[1]!];
      const [cx, cy] = middle([floor.low, floor.high]);
      let [nx, ny] = [b[1] - a[1], a[0] - b[0]];
      if (nx * (x - cx) + ny * (y - cy) < 0) [nx, ny] = [-nx, -ny];
      const size = Math.hypot(nx, ny) || 1;
      [nx, ny] = [nx / size, ny / size];
      const align = nx > 0.5 ? "left" : nx < -0.5 ? "right" : "center";
      sheet.write(text, px + 9 * nx, py - 13 * ny, align, "--exit");
    }
    if (!single) sheet.write(floor.name, sheet.x(floor.low[0] + at[0]), sheet.y(floor.high[1] + at[1]) - 13, "left", "--ink");
  }

  // How long a metre is, where the grid has no numbers.
  pick(x: number, y: number): number {
    const { sheet, seen, scene } = this;
    let [best, least] = [-1, 4];
    for (let i = 0; i < scene.count; i++) {
      const off = Math.hypot(sheet.x(seen[2 * i]!) - x, sheet.y(seen[2 * i + 1]!) - y) - scene.radius[i]! * sheet.zoom;
      if (off < least) [best, least] = [i, off];
    }
    return best;
  }

  dispose(): void {
    this.end();
    this.stage.leave();
    this.sheet.dispose();
    this.tabs.remove();
  }
}

export const crowd: ViewKind = {
  id: "crowd",
  title: "Crowd",
  async fits(run) {
    return run.kind === "crowd" ? 3 : 0;
  },
  async create(place, session) {
    const scene = await crowdScene(session.run);
    const exits = new Exits(session.run, scene);
    const [maps] = await Promise.all([Maps.open(session.run, scene), exits.refresh()]);
    return new Crowd(place, session, scene, exits, maps);
  },
};
