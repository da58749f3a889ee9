// A sweep of collisions: a quantity against a key of the sweep, a curve for each combination of the
// others.
import { roundStep, tidy } from "../numbers";
import type { Control } from "../options";
import { SweepTable, parts } from "../sweep/table";
import type { Legend, Profile, Session, View, ViewKind } from "../view";

const PENS = ["#2f6fb5", "#e07b28", "#3d9155", "#a35c9e", "#c94a4a", "#2f9aa0", "#8b6a4f", "#777777"];
const MOST = 24; // curves in a picture
const LEGEND = 190; // pixels that it takes at the left
const EDGE = { left: 72, right: 24, above: 28, below: 56 }; // pixels

class Sweep implements View {
  readonly things = { names: [] as string[], histories: [], numbers: async () => [] };
  readonly controls: Control[];
  readonly profiles: Profile[];
  readonly charts: string[];
  private readonly canvas = document.createElement("canvas");
  private readonly pen = this.canvas.getContext("2d")!;
  private width = 1;
  private height = 1;
  private ratio = 1;
  private drawn = 0; // curves

  constructor(
    place: HTMLElement,
    private readonly session: Session,
    private readonly table: SweepTable,
  ) {
    const { options } = session;
    const axes = table.axes();
    const widest = axes.reduce((a, b) => (table.keys[b]!.texts.length > table.keys[a]!.texts.length ? b : a), axes[0]!);
    const shown = table.names.findIndex((name) => name.includes("/"));
    place.append(this.canvas);
    options.declare("quantity", table.names[Math.max(0, shown)]!);
    options.declare("against", table.keys[widest]!.label);
    this.controls = [
      { kind: "choice", key: "quantity", label: "Quantity", choices: table.names.map((name) => [name, name]) },
      { kind: "choice", key: "against", label: "Against", choices: axes.map((k) => [table.keys[k]!.label, table.keys[k]!.label]) },
    ];
    this.profiles = table.names.map((name, q) => ({
      id: `sweep:${name}`,
      title: name,
      read: async () => table.profile(q, this.axis, PENS.length),
    }));
    this.charts = [table.names[Math.max(0, shown)]!, "dissipated"].filter((name, i, all) => all.indexOf(name) === i && table.names.includes(name)).map((name) => `sweep:${name}`);
  }

  private get axis(): number {
    return Math.max(0, this.table.keys.findIndex((key) => key.label === this.session.options.word("against")));
  }
  private get quantity(): number {
    return Math.max(0, this.table.names.indexOf(this.session.options.word("quantity")));
  }

  ready(): boolean {
    return true;
  }
  async load(): Promise<void> {}
  ahead(): void {}

  draw(): void {
    const { pen, width, height, table } = this;
    const { x, curves } = table.family(this.quantity, this.axis);
    const some = curves.slice(0, MOST);
    const all = some.flatMap((c) => c.y).filter(isFinite);
    const beside = this.legend() && this.session.options.flag("legend") && width > 4 * LEGEND;
    const [left, top] = [EDGE.left + (beside ? LEGEND : 0), EDGE.above];
    const [wide, high] = [Math.max(1, width - left - EDGE.right), Math.max(1, height - top - EDGE.below)];
    const style = getComputedStyle(this.canvas);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.drawn = 0;
    if (x.length < 2 || all.length === 0) return;
    const [x0, x1] = [x[0]!, x[x.length - 1]!];
    let [y0, y1] = [Math.min(...all), Math.max(...all)];
    const room = y1 > y0 ? 0.06 * (y1 - y0) : 0.1 * Math.abs(y0) || 1;
    [y0, y1] = [y0 - room, y1 + room];
    const px = (v: number) => left + ((v - x0) / (x1 - x0)) * wide;
    const py = (v: number) => top + ((y1 - v) / (y1 - y0)) * high;
    pen.fillStyle = pen.strokeStyle = style.color;
    pen.font = "12px sans-serif";
    pen.lineWidth = 1;
    pen.globalAlpha = 0.6;
    pen.strokeRect(left + 0.5, top + 0.5, wide, high);
    pen.textAlign = "center";
    const stepX = roundStep((80 * (x1 - x0)) / wide);
    for (let v = Math.ceil(x0 / stepX - 1e-9) * stepX; v <= x1 + 1e-9 * stepX; v += stepX) pen.fillText(tidy(v, stepX), px(v), top + high + 18);
    const key = parts(table.keys[this.axis]!.label);
    pen.fillText(key.unit ? `${key.label}, ${key.unit}` : key.label, left + wide / 2, top + high + 40);
    pen.textAlign = "right";
    const stepY = roundStep((50 * (y1 - y0)) / high);
    for (let v = Math.ceil(y0 / stepY - 1e-9) * stepY; v <= y1 + 1e-9 * stepY; v += stepY) pen.fillText(tidy(v, stepY), left - 8, py(v) + 4);
    pen.textAlign = "left";
    const unit = table.units[this.quantity]!;
    pen.fillText(`${table.names[this.quantity]}${unit ? `, ${unit}` : ""}${curves.length > MOST ? ` (the first ${MOST} of ${curves.length} curves)` : ""}`, left, top - 10);
    pen.globalAlpha = 1;
    pen.lineWidth = 2;
    for (const [i, { y }] of some.entries()) {
      pen.strokeStyle = PENS[i % PENS.length]!;
      pen.beginPath();
      let begun = false;
      for (const [k, v] of y.entries()) {
        if (!isFinite(v)) begun = false;
        else if (begun) pen.lineTo(px(x[k]!), py(v));
        else [begun] = [true, pen.moveTo(px(x[k]!), py(v))];
      }
      pen.stroke();
      this.drawn++;
    }
  }

  resize(width: number, height: number, ratio: number): void {
    [this.width, this.height, this.ratio] = [width, height, ratio];
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }
  reset(): void {}
  follow(): void {}
  picture(): HTMLCanvasElement {
    return this.canvas;
  }
  legend(): Legend | null {
    const { curves } = this.table.family(this.quantity, this.axis);
    if (curves.length < 2) return null;
    return { title: this.table.names[this.quantity]!, unit: this.table.units[this.quantity]!, low: 0, high: 1, colors: PENS, words: curves.slice(0, PENS.length).map((c) => c.label) };
  }
  facts(): Record<string, number> {
    const { x, curves } = this.table.family(this.quantity, this.axis);
    const y = curves.flatMap((c) => c.y).filter(isFinite);
    return { curves: this.drawn, points: x.length, low: Math.min(...y), high: Math.max(...y) };
  }
  pick(): number {
    return -1;
  }
  dispose(): void {
    this.canvas.remove();
  }
}

export const sweep: ViewKind = {
  id: "sweep",
  title: "Curves",
  fits: async (run) => (run.kind === "impact" && run.has("quantities/mean") ? 1 : 0),
  create: async (place, session) => {
    const table = await SweepTable.read(session.run);
    if (table.axes().length === 0) throw new Error("the sweep has no key with two or more numbers");
    return new Sweep(place, session, table);
  },
};
