// One chart: a group of series over time, in step with the clock. Zoomed by dragging; what is in the
// window is got again with its full detail.
import uPlot from "uplot";
import { download, make } from "./dom";
import { writeCsv, writeSvg, type Curve } from "./export";
import { show, showTicks, showTime, showTimes } from "./numbers";
import { seriesGroups, type SeriesGroup } from "./series";
import { StepTimes } from "./steps";
import type { Session } from "./view";

const MOST = 2000; // values of a curve on the screen
const PENS = ["#2f6fb5", "#e07b28", "#3d9155", "#a35c9e", "#c94a4a", "#2f9aa0", "#8b6a4f", "#777777"];

export class Chart {
  readonly element: HTMLElement;
  private readonly place = make("div", { class: "plot" });
  private readonly chooser: HTMLSelectElement;
  private plot: uPlot | null = null;
  private group!: SeriesGroup;
  private groups: SeriesGroup[];
  private readonly times: StepTimes;
  private window: [number, number] | null = null; // steps that are seen; null: all
  private log = false;
  private drawn = 0; // steps at the time of drawing
  private asking = new AbortController();
  private exact: (number | null)[] = []; // values at the clock's time

  constructor(
    private readonly session: Session,
    id: string,
    remove: (chart: Chart) => void,
  ) {
    this.groups = seriesGroups(session.run);
    this.times = StepTimes.of(session.run);
    this.chooser = make("select", {
      "aria-label": "what the chart shows",
      onchange: () => this.choose(this.chooser.value),
    });
    for (const g of this.groups) this.chooser.append(make("option", { value: g.id, text: g.title }));
    const button = (text: string, title: string, act: () => void) =>
      make("button", { type: "button", title, text, onclick: act });
    this.element = make(
      "section",
      { class: "chart" },
      make(
        "header",
        {},
        this.chooser,
        button("log", "logarithmic scale", () => this.toggleLog()),
        button("all", "the whole run again (double click)", () => this.zoom(null)),
        button("CSV", "the numbers of this window as a table", () => void this.csv()),
        button("SVG", "the chart as a drawing", () => this.svg()),
        button("PNG", "the chart as a picture", () => void this.png()),
        button("×", "remove this chart", () => remove(this)),
      ),
      this.place,
    );
    this.choose(this.groups.some((g) => g.id === id) ? id : (this.groups[0]?.id ?? ""));
  }

  get id(): string {
    return this.group?.id ?? "";
  }

  choose(id: string): void {
    const group = this.groups.find((g) => g.id === id);
    if (!group) return;
    this.group = group;
    this.chooser.value = id;
    this.log = group.log;
    this.exact = [];
    this.exactTime = NaN;
    void this.refresh();
  }

  private toggleLog(): void {
    this.log = !this.log;
    void this.refresh();
  }

  private zoom(window: [number, number] | null): void {
    this.window = window;
    void this.refresh();
  }

  private steps(): number {
    return Math.min(...this.group.series.map((s) => this.session.run.length(s.name)));
  }

  refresh(): Promise<void> {
    return (this.loading = this.reload());
  }
  private loading: Promise<void> = Promise.resolve();

  // Curves and values at the time of the clock are here.
  async settle(): Promise<void> {
    await this.loading;
    if (this.exactTime !== this.session.clock.time && this.plot) await this.readExact();
  }

  private async reload(): Promise<void> {
    this.asking.abort();
    const asking = (this.asking = new AbortController());
    try {
      await this.load(asking.signal);
    } catch (error) {
      if (!asking.signal.aborted) this.session.say(String((error as Error).message));
    }
  }

  private async load(signal: AbortSignal): Promise<void> {
    await this.times.refresh();
    const steps = this.steps();
    this.drawn = steps;
    if (signal.aborted) return;
    if (steps === 0) {
      this.place.textContent = "no steps yet";
      return;
    }
    const [first, end] = this.window ?? [0, steps];
    const count = Math.max(1, Math.min(steps, end) - first);
    const curves = await Promise.all(
      this.group.series.map((s) => this.session.run.curve(s.name, s.column, first, count, MOST, signal)),
    );
    if (signal.aborted) return;
    const n = curves[0]!.length;
    const times = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      // Two values stand for each part: at its beginning and its middle.
      const place = count <= MOST ? i : Math.floor(((i >> 1) * count) / (n / 2)) + (i % 2) * Math.floor(count / n);
      times[i] = this.times.time(first + place);
    }
    const safe = curves.map((c) => Array.from(c, (v) => (isFinite(v) && (!this.log || v > 0) ? v : null)));
    this.show([Array.from(times), ...safe] as uPlot.AlignedData);
    this.tick();
  }

  private show(data: uPlot.AlignedData): void {
    this.plot?.destroy();
    this.place.textContent = "";
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink").trim();
    const grid = style.getPropertyValue("--grid").trim();
    const units = [...new Set(this.group.series.map((s) => s.unit))].join(", ");
    const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
    this.plot = new uPlot(
      {
        width: Math.max(200, this.place.clientWidth),
        height: Math.max(120, this.place.clientHeight || 170),
        legend: { live: true },
        cursor: { drag: { x: true, y: false }, focus: { prox: 30 } },
        scales: { x: { time: false }, y: { distr: this.log ? 3 : 1 } },
        axes: [
          { ...axis, size: 34, values: (_, splits) => showTimes(splits, this.session.clock.unit) },
          { ...axis, size: 68, label: units || undefined, labelSize: 16, values: (_, splits) => showTicks(splits) },
        ],
        series: [
          { label: "time", value: (_, v, __, at) => showTime(at === null ? this.session.clock.time : v, this.session.clock.unit) },
          ...this.group.series.map((s, i) => ({
            label: s.label,
            stroke: PENS[i % PENS.length],
            width: 1.4,
            spanGaps: false,
            points: { show: false },
            value: (_: uPlot, v: number | null, __: number, at: number | null) =>
              at === null ? this.exactText(i, s.unit) : v === null ? "–" : `${show(v)} ${s.unit}`,
          })),
        ],
        hooks: {
          setSelect: [(u) => this.selected(u)],
          draw: [(u) => this.drawNow(u)],
          ready: [
            (u) => {
              u.over.addEventListener("mousedown", (e) => (this.pressed = e.clientX));
              u.over.addEventListener("click", (e) => this.clicked(u, e));
              u.over.addEventListener("dblclick", () => this.zoom(null));
            },
          ],
        },
      },
      data,
      this.place,
    );
  }

  private exactText(i: number, unit: string): string {
    const v = this.exact[i];
    return v === null || v === undefined ? "–" : `${show(v)} ${unit}`;
  }

  private pressed = 0; // where the button went down
  private selected(u: uPlot): void {
    if (u.select.width < 4) return;
    const from = u.posToVal(u.select.left, "x");
    const to = u.posToVal(u.select.left + u.select.width, "x");
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const first = Math.max(0, Math.floor(this.times.step(from)));
    const end = Math.min(this.steps(), Math.ceil(this.times.step(to)) + 1);
    if (end - first >= 2) this.zoom([first, end]);
  }

  // A click goes to that time.
  private clicked(u: uPlot, e: MouseEvent): void {
    if (Math.abs(e.clientX - this.pressed) > 3) return; // it was a zoom
    const x = e.clientX - u.over.getBoundingClientRect().left;
    this.session.clock.pause();
    this.session.clock.goTo(u.posToVal(x, "x"));
  }

  // The line at the time that is shown.
  private drawNow(u: uPlot): void {
    const x = Math.round(u.valToPos(this.session.clock.time, "x", true));
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

  // The clock moved: the line, and the values at it, which are read from the file as they are.
  tick(): void {
    this.plot?.redraw(false);
    if (!this.plot || this.reading) return;
    this.reading = true;
    setTimeout(() => void this.readExact(), this.session.clock.playing ? 200 : 30);
  }
  private reading = false;
  private exactTime = NaN; // of the values

  private async readExact(): Promise<void> {
    const { time } = this.session.clock;
    const group = this.group;
    let values: (number | null)[] = group.series.map(() => null);
    try {
      const step = await this.times.nearest(time);
      if (step >= 0 && step < this.steps())
        values = await Promise.all(
          group.series.map(async (s) => (await this.session.run.curve(s.name, s.column, step, 1, 2))[0] ?? null),
        );
    } catch {
      // The program has ended; the page says so elsewhere.
    }
    this.reading = false;
    if (group !== this.group) {
      this.tick();
      return;
    }
    this.exact = values;
    this.exactTime = time;
    if (this.plot && this.plot.cursor.idx == null) this.plot.setLegend({ idx: null! }, true);
    if (this.session.clock.time !== time) this.tick();
  }

  // Values at the clock's time, null where there are none yet; for tests.
  values(): { label: string; value: number | null }[] {
    const now = this.exactTime === this.session.clock.time && !this.reading;
    return this.group.series.map((s, i) => ({ label: s.label, value: now ? (this.exact[i] ?? null) : null }));
  }

  grown(): void {
    this.groups = this.groups.length ? this.groups : seriesGroups(this.session.run);
    if (this.window === null && this.steps() > this.drawn) void this.refresh();
  }

  resize(): void {
    if (this.plot && this.place.clientWidth > 0)
      this.plot.setSize({ width: Math.max(200, this.place.clientWidth), height: Math.max(120, this.place.clientHeight || 170) });
  }

  private fileName(end: string): string {
    return `${this.session.run.file.replace(/\.h5$/, "")}-${this.group.id}.${end}`;
  }

  private async csv(): Promise<void> {
    const { run } = this.session;
    const [first, end] = this.window ?? [0, this.steps()];
    const count = end - first;
    const columns: Curve[] = [
      { label: "time", unit: "s", values: await run.rows("steps/time", "f64", { first, count }) },
    ];
    for (const s of this.group.series)
      columns.push({ label: s.label, unit: s.unit, values: await run.column(s.name, s.column, first, count) });
    download(this.fileName("csv"), new Blob([writeCsv(columns)], { type: "text/csv" }));
  }

  private drawing(): string | null {
    if (!this.plot) return null;
    const [x, ...y] = this.plot.data;
    const curves = this.group.series.map((s, i) => ({ ...s, values: Array.from(y[i]!, (v) => v ?? NaN), color: PENS[i % PENS.length]! }));
    return writeSvg(this.group.title, Array.from(x!), curves, this.log);
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
    this.asking.abort();
    this.plot?.destroy();
    this.element.remove();
  }
}
