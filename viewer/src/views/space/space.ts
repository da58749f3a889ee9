// The scene in space.
import { CameraPath, meanPlace, thingsOf, type Aim } from "../../aim";
import { Gestures } from "../../gestures";
import type { Control } from "../../options";
import { CHOSEN, rgb } from "../../palette";
import { showBox } from "../../numbers";
import type { Frame } from "../../rigid/frames";
import { rigidScene, type RigidScene } from "../../rigid/scene";
import { elementLegend } from "../../rigid/elements";
import { Forces } from "../../rigid/forces";
import { RigidStage } from "../../rigid/stage";
import type { Legend, Session, Things, View, ViewKind } from "../../view";
import { LARGER, TINY } from "../flat";
import { Relief } from "../relief";
import { Bodies } from "./bodies";
import { Camera, dot, type Vector } from "./camera";
import { direction, FRAMES, impactsOf } from "./direction";
import { middleOf, pointsIn, sizeOf, withObstacles, type Box } from "./extent";
import type { GL, Store } from "./gl";
import { Ground } from "./ground";
import { sunOf } from "./light";
import { Network } from "./network";
import { outline } from "./outline";
import { Overlay } from "./overlay";
import { isSeen, type Met, pick } from "./pick";
import { Programs, type Flags } from "./programs";
import { Quality } from "./quality";
import { Rig } from "./rig";
import { Shadow } from "./shadow";
import { Models, type Model } from "./shapes";
import { Smooth } from "./smooth";
import { Strokes } from "./strokes";
import { Trail } from "./trail";

// From here on a quick picture hands on only what is seen, and the first pictures are quick ones.
const MANY_BODIES = 1500;
const MANY_TRIANGLES = 60000;
const DOT = 4; // pixels: a scene no larger is not seen

interface Theme {
  paper: number[];
  ink: number[];
  edge: number[]; // of bodies, with how much of it
  dark: number[]; // what shadows leave of the ground's colour
}
const THEMES: Record<string, Theme> = {
  light: { paper: [0.945, 0.953, 0.965], ink: [0.2, 0.26, 0.34], edge: [0.05, 0.07, 0.1, 0.4], dark: [0.66, 0.69, 0.76] },
  dark: { paper: [0.1, 0.12, 0.145], ink: [0.75, 0.8, 0.87], edge: [0.02, 0.03, 0.05, 0.5], dark: [0.5, 0.52, 0.58] },
};

// How solids are drawn.
interface Look {
  alpha: number;
  shadows: boolean;
  cut: Float32Array | null;
  smooth: boolean;
  edges: boolean;
  theme: Theme;
}

class Space implements View {
  readonly controls: Control[];
  private readonly programs: Programs;
  private readonly stage: RigidStage;
  private readonly model: Model[];
  private readonly camera: Camera;
  private readonly sun: Vector;
  private readonly bodies: Bodies;
  private readonly obstacles: Bodies;
  private readonly ground: Ground;
  private readonly planes: Int32Array;
  private readonly forces: Forces;
  private readonly network: Network;
  private readonly quality: Quality;
  private elementLines = 0; // that were drawn of springs, strings and nets
  private lastLevel = 2;
  private readonly lines: Strokes; // forces
  private readonly marks: Strokes; // on top of all
  private readonly trail: Trail;
  private readonly overlay: Overlay;
  private readonly gestures: Gestures;
  private readonly paint: Uint32Array;
  private readonly stop: (() => void)[] = [];
  private readonly smooth: Smooth;
  private dragging = false;
  private shadow: Shadow | null = null;
  private shown: Frame | null = null;
  private built = ""; // what the bodies' geometry was made from
  private builtObstacles = "";
  private following = false; // what is selected
  private readonly rig: Rig;
  private home: [number, number]; // azimuth and elevation at first
  private faintForForces = false;
  private ratio = 1;
  private framed = false;
  private around: Box | null = null; // with obstacles
  private outermost: Float64Array | null = null; // points of what is in it
  private readonly relief: Relief;
  private lifted = false; // from below the terrain, since the camera was put somewhere

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly gl: GL,
    private readonly session: Session,
    private readonly scene: RigidScene,
    models: Models,
    private readonly many: boolean,
  ) {
    const { options } = session;
    this.stage = new RigidStage(session, scene);
    this.model = Array.from({ length: scene.count }, (_, b) => models.of(b));
    this.paint = new Uint32Array(scene.count);
    this.camera = new Camera(scene.dimension === 2 ? [0, 1, 0] : [0, 0, 1]);
    this.rig = new Rig(this.camera, scene.start);
    this.relief = new Relief(scene, models);
    this.home = scene.dimension === 2 ? [-0.25 - Math.PI / 2, 0.2] : [this.camera.azimuth, this.camera.elevation];
    [this.camera.azimuth, this.camera.elevation] = this.home;
    this.sun = sunOf(...this.camera.ground, this.camera.up);
    const which = (keep: (b: number) => boolean) =>
      Int32Array.from(Array.from({ length: scene.count }, (_, b) => b).filter(keep));
    this.planes = which((b) => this.model[b]!.plane !== null);
    const solid = (b: number) => this.model[b]!.triangles > 0;
    this.bodies = new Bodies(gl, which((b) => scene.kind[b] === 0 && solid(b)), this.model, this.sun, this.camera.up);
    this.obstacles = new Bodies(gl, which((b) => scene.kind[b] !== 0 && solid(b)), this.model, this.sun, this.camera.up);
    this.ground = new Ground(gl, this.planes, this.model, this.sun, scene.origin);
    this.programs = new Programs(gl);
    this.forces = new Forces(scene);
    this.network = new Network(scene, this.forces);
    this.lines = new Strokes(gl);
    this.marks = new Strokes(gl);
    this.trail = new Trail(session, scene);
    this.overlay = new Overlay(gl);
    this.smooth = new Smooth(gl);

    this.quality = new Quality(gl, many, () => session.redraw());
    // A picture for a file takes the time that it takes.
    options.declare("quality", options.flag("page") ? "auto" : "high");
    options.declare("antialias", true);
    options.declare("shadows", true);
    options.declare("edges", true);
    options.declare("cull", true); // leave out what is not seen; the picture is the same without
    options.declare("grid", true);
    options.declare("axes", true);
    options.declare("label", true);
    options.declare("trail", false);
    options.declare("bodies", "solid");
    options.declare("obstacles", "solid");
    options.declare("force_scale", 1);
    options.declare("elements", true);
    options.declare("section", "off");
    options.declare("section_at", 0.5);
    const looks: [string, string][] = [["solid", "solid"], ["faint", "faint"], ["hidden", "hidden"]];
    this.controls = [
      ...this.stage.colors.controls(),
      { kind: "choice", key: "bodies", label: "Bodies", choices: looks },
      { kind: "choice", key: "obstacles", label: "Obstacles", choices: looks },
      ...(this.stage.frames.offers("contacts")
        ? ([
            { kind: "toggle", key: "forces", label: "Contact forces", hint: "key N" },
            { kind: "range", key: "force_scale", label: "Force line width", low: 0.1, high: 5, step: 0.1 },
          ] as Control[])
        : []),
      ...(scene.elements.length > 0 ? ([{ kind: "toggle", key: "elements", label: "Springs, strings, nets" }] as Control[]) : []),
      ...(this.stage.frames.offers("actions")
        ? ([{ kind: "toggle", key: "actions", label: "Interactions at a distance" }] as Control[])
        : []),
      {
        kind: "choice",
        key: "section",
        label: "Section",
        choices: [["off", "none"], ["x", "across x"], ["y", "across y"], ["z", "across z"]],
      },
      { kind: "range", key: "section_at", label: "Section position", low: 0, high: 1, step: 0.01 },
      {
        kind: "choice",
        key: "quality",
        label: "Quality",
        choices: [["auto", "by frame time"], ["high", "high"], ["medium", "medium"], ["low", "low"]],
        hint: "high: shadows and smooth edges; medium: edges; low: bodies alone",
      },
      { kind: "toggle", key: "shadows", label: "Shadows" },
      { kind: "toggle", key: "edges", label: "Edges" },
      { kind: "toggle", key: "antialias", label: "Antialiasing" },
      { kind: "toggle", key: "cull", label: "Skip hidden bodies", hint: "in low quality with many bodies; the picture is the same" },
      { kind: "toggle", key: "grid", label: "Grid" },
      { kind: "toggle", key: "axes", label: "Axes" },
      { kind: "toggle", key: "label", label: "Name of the selected body" },
      { kind: "toggle", key: "trail", label: "Path of the selected body" },
    ];
    this.stop.push(options.changed.listen((key) => this.optionChanged(key)));
    this.gestures = new Gestures(canvas, {
      drag: (dx, dy) => {
        this.towards = null;
        this.hurry();
        this.camera.orbit((4 * dx * this.ratio) / this.camera.height, (4 * dy * this.ratio) / this.camera.height);
        this.rig.hold(this.shown);
        session.redraw();
      },
      pan: (dx, dy) => {
        this.towards = null;
        this.hurry();
        this.camera.pan(dx * this.ratio, dy * this.ratio);
        this.rig.hold(this.shown);
        session.redraw();
      },
      zoom: (factor, x, y) => {
        // The turns of a wheel go towards one point, which is looked for once.
        if (!this.dragging || this.towards?.x !== x || this.towards.y !== y) this.towards = { x, y, point: this.pointAt(x, y) };
        this.hurry();
        if (this.following) this.camera.distance /= factor;
        else this.camera.approach(1 / factor, this.towards.point);
        this.rig.hold(this.shown);
        session.redraw();
      },
      tap: (x, y) => session.selection.pick(this.pick(x, y)),
    });
    const lost = (e: Event) => {
      e.preventDefault();
      session.say("the graphics card lost the picture: reload the page");
    };
    canvas.addEventListener("webglcontextlost", lost);
    this.stop.push(() => canvas.removeEventListener("webglcontextlost", lost));
  }

  // Plain pictures until nothing is dragged any more.
  private hurry(): void {
    this.dragging = true;
    clearTimeout(this.calm);
    this.calm = window.setTimeout(() => {
      this.dragging = false;
      this.session.redraw();
    }, 250);
  }
  private calm = 0;
  private towards: { x: number; y: number; point: Vector } | null = null;

  private optionChanged(key: string): void {
    const { options } = this.session;
    if (key !== "forces") return;
    // Solid bodies hide the forces.
    if (options.flag("forces") && options.word("bodies") === "solid") {
      this.faintForForces = true;
      options.set("bodies", "faint");
    } else if (!options.flag("forces") && this.faintForForces) {
      this.faintForForces = false;
      if (options.word("bodies") === "faint") options.set("bodies", "solid");
    }
  }

  // --- frames -------------------------------------------------------------------------------------

  get things(): Things {
    return this.stage.things;
  }
  ready(frame: number): boolean {
    return this.stage.ready(frame) && (!this.session.options.flag("forces") || this.forces.prepared);
  }
  async load(frame: number): Promise<void> {
    await this.stage.load(frame);
    if (this.session.options.flag("forces")) await this.forces.prepare(this.stage.frames);
    if (this.session.options.flag("trail")) await this.trail.load();
  }
  ahead(frame: number, stride: number): void {
    this.stage.ahead(frame, stride);
  }

  // --- the camera ---------------------------------------------------------------------------------

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    this.canvas.width = Math.max(1, Math.round(width * this.ratio));
    this.canvas.height = Math.max(1, Math.round(height * this.ratio));
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.camera.width = this.canvas.width;
    this.camera.height = this.canvas.height;
    if (!this.framed && this.shown) this.reset();
  }

  // The side from which what moves is seen, and what hits.
  async turnHome(): Promise<void> {
    if (this.scene.dimension === 2) return;
    const { frames } = this.stage;
    const last = this.session.run.count("frames") - 1;
    const indices = [...new Set(FRAMES.map((k) => Math.min(k, last)))];
    const shown = await Promise.all(indices.map((k) => frames.load(k)));
    const moving = await Promise.all(indices.map((k) => frames.peek(k, ["velocity"])));
    const velocity = moving.map((frame) => frame.velocity!);
    const hits = await impactsOf(this.scene, this.model, shown[0]!, (time) => frames.load(this.session.clock.frameAt(time)));
    const side = direction(this.scene, this.model, shown, velocity, hits, this.extent(shown[0]!), this.points(shown[0]!), this.camera.up);
    if (side) this.home = [side.azimuth, side.elevation];
    [this.camera.azimuth, this.camera.elevation] = this.home;
  }

  // What belongs into the picture. Planes that bodies may fall on too.
  private extent(frame = this.shown): Box {
    if (!frame) return this.scene;
    if (this.around) return this.around;
    const box = withObstacles(this.scene, frame, this.obstacles.list, this.model, (b) => this.relief.terrain.includes(b));
    const { up } = this.camera;
    const axis = up.indexOf(1);
    const deep = 1.5 * sizeOf(box);
    for (const height of Ground.heights(frame, this.planes, this.model, up))
      if (height > box.low[axis]! - deep) box.low[axis] = Math.min(box.low[axis]!, height);
    return (this.around = box);
  }

  // Of a terrain without a plane what there is in this box; undefined: the box is all that is known.
  private points(frame: Frame): Float64Array | undefined {
    const { relief, scene } = this;
    if (relief.terrain.length === 0 || this.planes.length > 0) return undefined;
    return (this.outermost ??= pointsIn(this.extent(frame), scene, frame, this.obstacles.list, this.model, relief.terrain));
  }

  reset(): void {
    const box = this.extent();
    this.camera.zoom = 1;
    this.camera.frame(box.low, box.high, this.shown ? this.points(this.shown) : undefined);
    this.rig.begin([], [], null);
    this.framed = this.shown !== null;
  }

  lookFrom(to: Aim): void {
    const { camera, scene } = this;
    const bodies = (name: string) => thingsOf(this.things.names, name).filter((b) => !this.model[b]!.plane);
    const inside = (p: number[]) => [0, 1, 2].map((i) => (p[i] ?? 0) - scene.origin[i]!);
    const followed = to.follow === undefined ? [] : bodies(to.follow);
    const watched = typeof to.look_at === "string" ? bodies(to.look_at) : [];
    const rows = Array.isArray(to.path) ? to.path : null;
    const path = rows && new CameraPath(rows.map((row) => [row[0]!, ...inside(row.slice(1, 4)), ...inside(row.slice(4))]));
    this.following = false;
    this.lifted = false;
    [camera.azimuth, camera.elevation] = this.home;
    this.reset();
    const middle = Array.isArray(to.look_at) ? inside(to.look_at) : meanPlace(watched.length > 0 ? watched : followed, scene.start, 3);
    if (to.camera) camera.stand(inside(to.camera), middle ?? middleOf(this.extent()));
    else if (middle) camera.target = [middle[0]!, middle[1]!, middle[2]!];
    camera.zoom = to.zoom ?? 1;
    this.rig.begin(followed, watched, path);
  }

  follow(on: boolean): void {
    this.following = on;
    if (!on) this.rig.chase(null, this.shown);
  }
  // A body of few pixels comes nearer.
  private approach(frame: Frame, b: number): void {
    const { camera, ratio } = this;
    const { radius } = this.model[b]!;
    const depth = camera.project(frame.position.subarray(3 * b, 3 * b + 3))[2];
    const far = (pixels: number) => (camera.scale * radius) / (pixels * ratio);
    if (depth > far(TINY)) camera.distance = far(LARGER);
  }
  private chase(frame: Frame): void {
    const b = this.session.selection.index;
    if (this.following && b >= 0 && !this.model[b]!.plane && this.rig.chased !== b) {
      this.approach(frame, b);
      this.rig.chase(b, frame);
    }
    this.rig.apply(frame, this.session.clock.instant);
  }

  // From below a terrain one sees nothing of what is on it: the camera then stands just above.
  private lift(frame: Frame): void {
    const { camera } = this;
    if (camera.up[2] !== 1) return;
    const clear = 0.02 * camera.distance;
    const ground = this.relief.landAt(frame, camera.eye[0], camera.eye[1]) + clear;
    if (!(camera.eye[2] < ground)) return;
    camera.stand([camera.eye[0], camera.eye[1], ground], camera.target);
    camera.update();
    if (!this.lifted && !this.dragging) this.session.say("the camera was below the terrain: it now stands just above");
    this.lifted = true;
  }

  // --- drawing ------------------------------------------------------------------------------------

  draw(): void {
    const frame = this.stage.current();
    if (!frame) return;
    const first = this.shown === null;
    this.shown = frame;
    if (first || !this.framed) this.reset();
    this.chase(frame);
    this.camera.update();
    this.lift(frame);
    this.drawFrame(frame);
  }

  private drawFrame(frame: Frame): void {
    const { gl, camera, session } = this;
    const { options } = session;
    const theme = THEMES[document.documentElement.dataset.theme ?? "light"] ?? THEMES.light!;
    const look = options.word("bodies");
    const cut = this.cut();
    this.color(frame);
    const solid = look === "solid";
    const moving = this.dragging || session.moving;
    const level = this.quality.level(moving, options.word("quality"));
    this.lastLevel = level;
    // Shadows need what the eye does not see.
    const shadows = level > 1 && options.flag("shadows") && (solid || options.word("obstacles") === "solid");
    const lean = level === 0 && this.many && solid && !cut;
    const edges = level > 0 && options.flag("edges");
    const smooth = level > 1 && options.flag("antialias");
    const start = performance.now();
    this.build(frame, lean && options.flag("cull"), edges);
    if (options.flag("grid") || this.planes.length > 0)
      this.ground.build(frame, camera, this.extent(), this.paint, theme.ink);

    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.disable(gl.BLEND);
    gl.depthMask(true);
    if (shadows) this.drawShadows(look, cut);
    if (smooth) this.smooth.begin(this.canvas.width, this.canvas.height);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(theme.paper[0]!, theme.paper[1]!, theme.paper[2]!, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.colorMask(true, true, true, false); // the page must not shine through

    const how: Look = { alpha: 1, shadows, cut, smooth, edges, theme };
    const solids = [...(solid ? [this.bodies] : []), ...(options.word("obstacles") === "solid" ? [this.obstacles] : [])];
    for (const which of solids) this.drawSolids(which, how);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    // In a lean picture the grid alone must do: filling pixels is what costs most without a card.
    this.drawGround(theme, shadows, !lean && options.word("obstacles") !== "hidden", options.flag("grid"));
    for (const which of solids) this.drawEdges(which, how);
    this.drawLines(frame, cut);
    const faint: [Bodies, Look][] = [];
    if (look === "faint") faint.push([this.bodies, { ...how, alpha: 0.2, shadows: false }]);
    if (options.word("obstacles") === "faint") faint.push([this.obstacles, { ...how, alpha: 0.25, shadows: false }]);
    for (const [which, thin] of faint) {
      gl.depthMask(false);
      this.drawSolids(which, thin);
      this.drawEdges(which, thin);
    }
    gl.depthMask(false);
    this.drawMarks(frame, theme);
    gl.depthMask(true);
    gl.colorMask(true, true, true, true);
    if (smooth) this.smooth.end();
    gl.bindVertexArray(null);
    this.quality.drawn(start, moving, level);
  }

  // Colours of all bodies as words, the selected one's apart.
  private color(frame: Frame): void {
    const chosen = this.session.selection.index;
    this.stage.colors.fill(frame, new Uint8Array(this.paint.buffer), 4, 255);
    for (let b = 0; b < this.paint.length; b++) this.paint[b]! &= 0xffffff;
    if (chosen >= 0 && chosen < this.paint.length && !this.model[chosen]!.plane) {
      const [r, g, b] = rgb(CHOSEN);
      this.paint[chosen] = Math.round(255 * r) | (Math.round(255 * g) << 8) | (Math.round(255 * b) << 16);
    }
  }

  // What the geometry of some bodies was painted with: quick to compare.
  private sum(list: Int32Array): number {
    let sum = 0;
    for (const b of list) sum = (Math.imul(sum, 31) + this.paint[b]!) | 0;
    return sum;
  }

  private build(frame: Frame, lean: boolean, edges: boolean): void {
    if (lean) {
      this.bodies.seen(frame, this.paint, this.camera);
      this.built = "";
    } else {
      const key = `${frame.index} ${this.sum(this.bodies.list)} ${edges}`;
      if (key !== this.built) this.bodies.whole(frame, this.paint, edges);
      this.built = key;
    }
    const { kind } = this.scene;
    let moves = false;
    for (const b of this.obstacles.list) if (kind[b] !== 1) moves = true;
    const key = `${moves ? frame.index : 0} ${this.sum(this.obstacles.list)} ${edges}`;
    if (this.obstacles.list.length > 0 && key !== this.builtObstacles)
      this.obstacles.whole(frame, this.paint, edges);
    this.builtObstacles = key;
  }

  // The plane before which all is cut away: n . x + d > 0.
  private cut(): Float32Array | null {
    const axis = ["x", "y", "z"].indexOf(this.session.options.word("section"));
    if (axis < 0 || !this.shown) return null;
    const { low, high } = this.extent();
    const at = low[axis]! + this.session.options.number("section_at") * (high[axis]! - low[axis]!);
    // The side of the eye goes.
    const side = this.camera.eye[axis]! >= at ? 1 : -1;
    const plane = new Float32Array(4);
    plane[axis] = side;
    plane[3] = -side * at;
    return plane;
  }

  private drawShadows(look: string, cut: Float32Array | null): void {
    const { gl, camera } = this;
    this.shadow ??= new Shadow(gl, this.sun, 2048);
    const reach = Math.min(1.1 * sizeOf(this.extent()), 2.5 * camera.distance);
    // In steps, so that the grain stays while one zooms a little.
    this.shadow.begin(camera.target, 1.25 ** Math.ceil(Math.log(reach) / Math.log(1.25)));
    gl.enable(gl.CULL_FACE);
    gl.colorMask(false, false, false, false);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    const solids: Bodies[] = [];
    if (look === "solid") solids.push(this.bodies);
    if (this.session.options.word("obstacles") === "solid") solids.push(this.obstacles);
    for (const which of solids) {
      // Of closed bodies the sides turned away from the sun: the lit ones never shade themselves.
      gl.cullFace(gl.FRONT);
      gl.polygonOffset(0.5, 1);
      const flat = this.programs.get("plain", "TINT", cut !== null && "CUT");
      if (cut) flat.four("cut", cut);
      flat.matrix("view", this.shadow.view);
      flat.number("pull", 0);
      which.facets.draw();
      gl.disable(gl.CULL_FACE);
      gl.polygonOffset(2.5, 4);
      which.soft.draw();
      const ball = this.programs.get("ball", "PARALLEL", "DEPTH", cut !== null && "CUT");
      if (cut) ball.four("cut", cut);
      ball.matrix("view", this.shadow.view);
      ball.three("eye", this.sun);
      ball.three("upward", camera.up);
      which.balls.draw();
      gl.enable(gl.CULL_FACE);
    }
    gl.cullFace(gl.BACK);
    gl.colorMask(true, true, true, true);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    this.shadow.end();
  }

  private drawSolids(which: Bodies, how: Look): void {
    const { gl, camera } = this;
    const { alpha, shadows, cut, smooth } = how;
    const common = (program: ReturnType<Programs["get"]>) => {
      program.matrix("view", camera.matrix);
      program.number("alpha", alpha);
      if (cut) program.four("cut", cut);
      if (shadows) {
        program.matrix("light", this.shadow!.light);
        program.number("texel", 1 / this.shadow!.size);
        program.whole("map", 0);
        this.shadow!.bind();
      }
      return program;
    };
    const flags = [shadows && "SHADOW", cut !== null && "CUT"] as const;
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    if (cut) gl.disable(gl.CULL_FACE);
    else gl.enable(gl.CULL_FACE);
    if (which.facets.indices > 0) {
      common(this.programs.get("surface", "FLAT", ...flags));
      which.facets.draw();
    }
    if (which.soft.indices > 0) {
      common(this.programs.get("surface", ...flags));
      if (which === this.obstacles) gl.disable(gl.CULL_FACE); // open surfaces have two sides
      which.soft.draw();
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);
    if (which.balls.indices > 0) {
      const ball = common(this.programs.get("ball", ...flags, smooth && "SOFT", which.joined && "DEEP"));
      ball.three("eye", camera.eye);
      ball.three("sun", this.sun);
      ball.three("upward", camera.up);
      if (smooth && alpha === 1) gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
      gl.disable(gl.CULL_FACE);
      which.balls.draw();
      gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    }
    gl.disable(gl.CULL_FACE);
  }

  // After all surfaces: a line is half outside its body, and fades over what is there.
  private drawEdges(which: Bodies, { alpha, cut, edges, theme }: Look): void {
    if (!edges || which.facets.ends + which.soft.ends === 0) return;
    const { gl, camera } = this;
    const plain = this.programs.get("plain", "TINT", "EDGE", cut !== null && "CUT");
    plain.matrix("view", camera.matrix);
    plain.number("pixels", camera.scale / this.ratio);
    plain.four("tint", [theme.edge[0]!, theme.edge[1]!, theme.edge[2]!, theme.edge[3]! * alpha]);
    plain.number("pull", 1e-5);
    if (cut) plain.four("cut", cut);
    gl.depthMask(false);
    which.facets.drawLines();
    which.soft.drawLines();
    gl.depthMask(true);
  }

  private drawGround(theme: Theme, shadows: boolean, fill: boolean, grid: boolean): void {
    const { gl, camera, ground } = this;
    const put = (what: Store, middle: number[], ...flags: Flags[]) => {
      const program = this.programs.get("ground", shadows && "SHADOW", ...flags);
      program.matrix("view", camera.matrix);
      program.four("middle", middle);
      program.three("dark", theme.dark);
      program.three("paper", theme.paper);
      if (shadows) {
        program.matrix("light", this.shadow!.light);
        program.number("texel", 1 / this.shadow!.size);
        program.whole("map", 0);
        this.shadow!.bind();
      }
      what.draw();
    };
    gl.enable(gl.CULL_FACE);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 2);
    if (fill && ground.fill.indices > 0) {
      gl.disable(gl.BLEND);
      put(ground.fill, ground.middle);
    }
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    if (fill && ground.walls.indices > 0) put(ground.walls, ground.wallMiddle, "FADE");
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.disable(gl.CULL_FACE);
    if (grid) {
      const plain = this.programs.get("plain", "FADE");
      plain.matrix("view", camera.matrix);
      plain.number("pull", 0);
      plain.four("middle", ground.middle);
      ground.grid.drawLines();
    }
    gl.depthMask(true);
  }

  // Forces, among the bodies.
  private drawLines(frame: Frame, cut: Float32Array | null): void {
    const { gl, camera, lines } = this;
    const { options } = this.session;
    lines.clear();
    this.elementLines = options.flag("elements") ? this.network.buildElements(frame, camera, lines, 1.6 * this.ratio) : 0;
    if (options.flag("forces") && this.forces.prepared) this.network.build(frame, camera, lines, options.number("force_scale"));
    if (lines.store.indices === 0) return;
    lines.store.upload();
    const plain = this.programs.get("plain", cut !== null && "CUT");
    plain.matrix("view", camera.matrix);
    plain.number("pull", 0);
    if (cut) plain.four("cut", cut);
    gl.disable(gl.CULL_FACE);
    lines.store.draw();
  }

  // Interactions at a distance, and the selected body's outline, trail and name, and the axes, in front
  // of all bodies.
  private drawMarks(frame: Frame, theme: Theme): void {
    const { gl, camera, marks } = this;
    const { options, selection } = this.session;
    gl.disable(gl.DEPTH_TEST);
    const chosen = selection.index;
    const there = chosen >= 0 && chosen < this.scene.count && !this.model[chosen]!.plane;
    marks.clear();
    if (options.flag("actions")) this.network.buildActions(frame, camera, marks);
    if (there) {
      if (options.flag("trail")) this.trail.build(chosen, frame, camera, marks, 1.8 * this.ratio);
      outline(frame, chosen, this.model[chosen]!, camera, marks, 2 * this.ratio, rgb(CHOSEN));
    }
    if (marks.store.indices > 0) {
      marks.store.upload();
      const plain = this.programs.get("plain");
      plain.matrix("view", camera.matrix);
      plain.number("pull", 0);
      marks.store.draw();
    }
    if (there && options.flag("label")) {
      const at = frame.position.subarray(3 * chosen, 3 * chosen + 3);
      const [x, y, z] = camera.project(at);
      const rise = Math.min(0.3 * camera.height, (camera.scale * this.model[chosen]!.radius) / Math.max(camera.near, z));
      if (z > camera.near && isFinite(x + y))
        this.overlay.label(this.programs, this.scene.name(chosen), x, y - rise - 16 * this.ratio, camera, this.ratio);
    }
    if (options.flag("axes")) this.overlay.axes(this.programs, camera, this.ratio, theme.ink);
    gl.enable(gl.DEPTH_TEST);
  }

  // --- the rest -----------------------------------------------------------------------------------

  picture(): HTMLCanvasElement {
    this.draw(); // what was drawn before is not kept
    return this.canvas;
  }
  legend(): Legend[] {
    const forces = this.session.options.flag("forces") && this.forces.prepared;
    const elements = this.session.options.flag("elements") ? elementLegend(this.scene) : [];
    return [...this.stage.colors.legends(), ...elements, ...(forces ? [this.forces.legend()] : [])];
  }

  // The camera, in the axes of the run.
  facts(): Record<string, number> {
    const { camera, scene } = this;
    const named = (what: string, p: ArrayLike<number>) => [0, 1, 2].map((i) => [`${what}_${"xyz"[i]}`, p[i]! + scene.origin[i]!]);
    return { ...Object.fromEntries([...named("camera", camera.eye), ...named("target", camera.target)]), zoom: camera.zoom, quality: this.lastLevel, picture_ms: this.quality.lastMs, element_lines: this.elementLines };
  }

  pick(x: number, y: number): number {
    return this.meet(x, y).body;
  }

  // Where the surface under the pointer is, or else as far away as the middle of the picture.
  private pointAt(x: number, y: number): Vector {
    const { camera } = this;
    const ray = camera.ray(x * this.ratio, y * this.ratio);
    const { distance } = this.meet(x, y);
    const far = isFinite(distance) ? distance : camera.distance / dot(ray, camera.forward);
    return [0, 1, 2].map((i) => camera.eye[i]! + far * ray[i]!) as Vector;
  }

  private meet(x: number, y: number): Met {
    if (!this.shown) return { body: -1, distance: Infinity };
    const { options } = this.session;
    const { kind } = this.scene;
    const cut = this.cut();
    const bodies = options.word("bodies") !== "hidden";
    const obstacles = options.word("obstacles") === "solid";
    return pick(
      this.shown,
      this.model,
      this.camera.eye,
      this.camera.ray(x * this.ratio, y * this.ratio),
      (b) => (kind[b] === 0 ? bodies : obstacles),
      (p) => cut !== null && dot(cut, p) + cut[3]! > 0,
    );
  }

  missed(): string | null {
    if (!this.shown || this.planes.length === this.scene.count) return null;
    const box = this.extent();
    const { low, high } = box;
    const { camera } = this;
    // From very far all of it is a dot.
    const away = Math.hypot(...middleOf(box).map((x, i) => x - camera.eye[i]!));
    if (camera.scale * sizeOf(box) > DOT * away && isSeen(this.shown, this.model, camera)) return null;
    const { origin } = this.scene;
    const at = (p: number[]) => p.map((x, i) => x + origin[i]!);
    return `the scene lies in ${showBox(at(low), at(high), "xyz")} m`;
  }

  dispose(): void {
    this.stage.leave();
    this.gestures.dispose();
    for (const stop of this.stop) stop();
    for (const part of [this.bodies, this.obstacles, this.ground, this.lines, this.marks, this.overlay, this.smooth, this.shadow])
      part?.dispose();
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.canvas.remove();
  }
}

export const space: ViewKind = {
  id: "space",
  title: "3D",
  camera: true,
  async fits(run) {
    return run.kind === "rigid" ? 1 : 0;
  },
  async create(place, session) {
    const scene = await rigidScene(session.run);
    const models = new Models(scene);
    let triangles = 0;
    for (let b = 0; b < scene.count; b++) triangles += models.of(b).triangles;
    const many = scene.count > MANY_BODIES || triangles > MANY_TRIANGLES;
    const canvas = document.createElement("canvas");
    canvas.tabIndex = -1;
    const gl = canvas.getContext("webgl2", {
      antialias: false, // see smooth.ts
      powerPreference: "high-performance",
    });
    if (!gl) throw new Error("this browser has no WebGL 2, which the 3D view needs; flat views work without it");
    place.append(canvas);
    const space = new Space(canvas, gl, session, scene, models, many);
    await space.turnHome();
    return space;
  },
};
