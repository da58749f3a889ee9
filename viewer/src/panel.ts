// What all charts have: what they show to choose from, a plot, and files of it.
import uPlot from "uplot";
import { download, make } from "./dom";
import { type Column, type SvgAxis, writeCsv, writeSvg } from "./export";
import { type Scale, scaleFor, show, showTicks } from "./numbers";
import type { Session } from "./view";

const PENS = ["#2f6fb5", "#e07b28", "#3d9155", "#a35c9e", "#c94a4a", "#2f9aa0", "#8b6a4f", "#777777"];

// What may be chosen, in groups.
export type Choices = [group: string, choices: { id: string; title: string }[]][];

export interface PanelEvents {
  remove(panel: Panel): void;
  choose(panel: Panel, id: string): void;
}

export abstract class Panel {
  readonly element: HTMLElement;
  protected readonly place = make("div", { class: "plot" });
  private readonly note = make("p", { class: "note" });
  protected plot: uPlot | null = null;
  protected log = false;
  protected readonly dots: boolean = false; // values stand alone, no lines between them
  private scale: Scale = { unit: "", one: 1 }; // of the numbers up the plot, if all have one unit
  private readonly chooser: HTMLSelectElement;

  constructor(
    protected readonly session: Session,
    choices: Choices,
    on: PanelEvents,
  ) {
    this.chooser = make("select", { "aria-label": "what the chart shows", onchange: () => on.choose(this, this.chooser.value) });
    const groups = choices.filter(([, list]) => list.length > 0);
    for (const [label, list] of groups) {
      const options = list.map((c) => make("option", { value: c.id, text: c.title }));
      if (groups.length > 1) this.chooser.append(make("optgroup", { label }, ...options));
      else this.chooser.append(...options);
    }
    const button = (text: string, title: string, act: () => void) =>
      make("button", { type: "button", title, text, onclick: act });
    this.element = make(
      "section",
      { class: "chart" },
      make(
        "header",
        {},
        this.chooser,
        button("log", "logarithmic scale", () => {
          this.log = !this.log;
          void this.refresh();
        }),
        button("all", "whole run (double click)", () => this.showAll()),
        button("CSV", "save the values in this window as a table", () => void this.csv()),
        button("SVG", "save the chart as SVG", () => this.svg()),
        button("PNG", "save the chart as PNG", () => void this.png()),
        button("×", "remove this chart", () => on.remove(this)),
      ),
      this.place,
      this.note,
    );
    this.noted(undefined);
  }

  abstract readonly id: string;
  // Shows this if it is of its kind.
  abstract choose(id: string): boolean;
  abstract refresh(): Promise<void>;
  // Everything for the frame that is shown is here.
  abstract settle(): Promise<void>;
  // The clock moved.
  abstract tick(): void;
  // The run has more rows.
  abstract grown(): void;
  // At the clock's time, null where there are none yet; for tests.
  abstract values(): { label: string; value: number | null }[];
  protected abstract showAll(): void;
  protected abstract title(): string;
  protected abstract table(): Promise<Column[]>;
  protected abstract axis(): SvgAxis;
  // The curves in the plot, in order; their numbers are its own.
  protected abstract curves(): { label: string; unit: string }[];

  protected chosen(id: string): void {
    this.chooser.value = id;
  }

  // A line below the plot, or none.
  protected noted(text: string | undefined): void {
    this.note.textContent = text ?? "";
    this.note.hidden = !text;
  }

  // With its unit, as on the axis, for the line below the plot.
  protected written(v: number | null | undefined, unit: string): string {
    const { one } = this.scale;
    return v === null || v === undefined ? "–" : `${show(v / one)} ${one === 1 ? unit : this.scale.unit}`;
  }

  // A number that may be drawn on the scale.
  protected good(v: number): number | null {
    return isFinite(v) && (!this.log || v > 0) ? v : null;
  }

  protected open(data: uPlot.AlignedData, x: uPlot.Axis, first: uPlot.Series, text: (i: number, v: number | null, at: number | null) => string, hooks: uPlot.Hooks.Arrays, ends?: [number, number]): void {
    this.plot?.destroy();
    this.place.textContent = "";
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink").trim();
    const grid = style.getPropertyValue("--grid").trim();
    const curves = this.curves();
    const units = [...new Set(curves.map((s) => s.unit))];
    const largest = data.slice(1).reduce((most, list) => Array.from(list as ArrayLike<number | null>).reduce<number>((a, v) => Math.max(a, Math.abs(v ?? 0)), most), 0);
    this.scale = units.length === 1 ? scaleFor(units[0]!, largest) : { unit: units.join(", "), one: 1 };
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    this.plot = new uPlot(
      {
        ...this.size(),
        legend: { live: true },
        cursor: { drag: { x: true, y: false }, focus: { prox: 30 } },
        scales: { x: { time: false, ...(ends ? { range: ends } : {}) }, y: { distr: this.log ? 3 : 1 } },
        axes: [
          { ...axis, ...x },
          { ...axis, size: 68, label: this.scale.unit || undefined, labelSize: 16, values: (_, splits) => showTicks(splits.map((v) => (v === null ? null : v / this.scale.one))) },
        ],
        series: [
          first,
          ...curves.map((s, i) => ({
            label: s.label,
            stroke: PENS[i % PENS.length],
            width: 1.4,
            spanGaps: false,
            ...(this.dots ? { paths: () => null } : {}),
            points: this.dots ? { show: true, size: 7, stroke: PENS[i % PENS.length], fill: PENS[i % PENS.length] } : { show: false },
            value: (_: uPlot, v: number | null, __: number, at: number | null) => text(i, v, at),
          })),
        ],
        hooks,
      },
      data,
      this.place,
    );
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(200, this.place.clientWidth), height: Math.max(120, this.place.clientHeight || 170) };
  }
  resize(): void {
    if (this.plot && this.place.clientWidth > 0) this.plot.setSize(this.size());
  }

  // The line at the time that is shown.
  protected drawNow(u: uPlot): void {
    const x = Math.round(u.valToPos(this.session.clock.cursor, "x", true));
    if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
    u.ctx.save();
    u.ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--now").trim();
    u.ctx.lineWidth = 2;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  // No name that the program gives to the run's own files.
  private fileName(end: string): string {
    return `${this.session.run.file.replace(/\.h5$/, "")}-${this.id}-view.${end}`;
  }
  private async csv(): Promise<void> {
    download(this.fileName("csv"), new Blob([writeCsv(await this.table())], { type: "text/csv" }));
  }
  private drawing(): string | null {
    if (!this.plot) return null;
    const [x, ...y] = this.plot.data;
    const { one, unit } = this.scale;
    const curves = this.curves().map((s, i) => ({ ...s, unit: one === 1 ? s.unit : unit, values: Array.from(y[i]!, (v) => (v ?? NaN) / one), color: PENS[i % PENS.length]! }));
    return writeSvg(this.title(), this.axis(), Array.from(x!), curves, this.log, this.dots);
  }
  private svg(): void {
    const text = this.drawing();
    if (text) download(this.fileName("svg"), new Blob([text], { type: "image/svg+xml" }));
  }
  // The drawing as a picture, at twice its size.
  private async png(): Promise<void> {
    const text = this.drawing();
    if (!text) return;
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    await image.decode();
    URL.revokeObjectURL(image.src);
    const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && download(this.fileName("png"), blob), "image/png");
  }

  dispose(): void {
    this.plot?.destroy();
    this.element.remove();
  }
}
