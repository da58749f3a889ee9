// Curves over time: a group of series, in step with the clock. Zoomed by dragging; what is in the
// window is got again with its full detail.
import uPlot from "uplot";
import type { SvgAxis } from "./export";
import { showTime, showTimes } from "./numbers";
import { type Choices, Panel, type PanelEvents } from "./panel";
import { seriesGroups, type SeriesGroup } from "./series";
import { StepTimes } from "./steps";
import type { Curve, Session } from "./view";

const MOST = 2000; // values of a curve on the screen

export class Chart extends Panel {
  private group!: SeriesGroup;
  private groups: SeriesGroup[];
  private readonly times: StepTimes;
  private window: [number, number] | null = null; // steps that are seen; null: all
  private ends: [number, number] = [0, 1]; // of the axis
  private drawn = 0; // steps at the time of drawing
  private asking = new AbortController();
  private exact: (number | null)[] = []; // values at the clock's time

  constructor(session: Session, id: string, choices: Choices, on: PanelEvents) {
    super(session, choices, on);
    this.groups = seriesGroups(session.run);
    this.times = StepTimes.of(session.run);
    if (!this.choose(id)) this.choose(this.groups[0]?.id ?? "");
  }

  get id(): string {
    return this.group?.id ?? "";
  }

  choose(id: string): boolean {
    const group = this.groups.find((g) => g.id === id);
    if (!group) return false;
    this.group = group;
    this.chosen(id);
    this.noted(group.note);
    this.log = group.log;
    this.exact = [];
    this.exactTime = NaN;
    void this.refresh();
    return true;
  }

  private zoom(window: [number, number] | null): void {
    this.window = window;
    void this.refresh();
  }
  protected showAll(): void {
    this.zoom(null);
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
    if (this.exactTime !== this.session.clock.cursor && this.plot) await this.readExact();
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
    const zero = await this.zeros(steps);
    if (signal.aborted) return;
    const safe = curves.map((c, k) => Array.from(c, (v) => this.good(v - zero[k]!)));
    // The axis is that of the whole run, which begins before the first step ends.
    const { clock } = this.session;
    const [low, high] = [times[0]!, times[n - 1]!];
    this.ends = this.window === null ? [Math.min(clock.first, low), Math.max(clock.last, high)] : [low, high];
    this.show([Array.from(times), ...safe] as uPlot.AlignedData);
    this.tick();
  }

  // What is subtracted from each series: the last value of those that are drawn above it.
  private zeros(steps: number): Promise<number[]> {
    const { run } = this.session;
    return Promise.all(this.group.series.map(async (s) => (s.relativeToEnd ? ((await run.curve(s.name, s.column, steps - 1, 1, 2))[0] ?? 0) : 0)));
  }

  private show(data: uPlot.AlignedData): void {
    const { clock } = this.session;
    this.open(
      data,
      { size: 34, values: (_, splits) => showTimes(splits, clock.unit) },
      { label: "time", value: (_, v, __, at) => showTime(at === null ? clock.cursor : v, clock.unit) },
      (i, v, at) => this.written(at === null ? this.exact[i] : v, this.group.series[i]!.unit),
      {
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
      this.ends,
    );
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
    const { cursor: time } = this.session.clock;
    const group = this.group;
    let values: (number | null)[] = group.series.map(() => null);
    try {
      const step = await this.times.nearest(time);
      const steps = this.steps();
      if (step >= 0 && step < steps) {
        const zero = await this.zeros(steps);
        values = await Promise.all(
          group.series.map(async (s, k) => {
            const value = (await this.session.run.curve(s.name, s.column, step, 1, 2))[0];
            return value === undefined ? null : value - zero[k]!;
          }),
        );
      }
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
    if (this.session.clock.cursor !== time) this.tick();
  }

  values(): { label: string; value: number | null }[] {
    const now = this.exactTime === this.session.clock.cursor && !this.reading;
    return this.curves().map((s, i) => ({ label: s.label, value: now ? (this.exact[i] ?? null) : null }));
  }

  grown(): void {
    this.groups = this.groups.length ? this.groups : seriesGroups(this.session.run);
    if (this.window === null && this.steps() > this.drawn) void this.refresh();
  }

  protected title(): string {
    return this.group.title;
  }
  protected curves(): { label: string; unit: string }[] {
    return this.group.series.map(({ label, unit, relativeToEnd }) => ({ label: relativeToEnd ? `${label} relative to end` : label, unit }));
  }
  protected axis(): SvgAxis {
    const { name, one } = this.session.clock.unit;
    return { label: `time, ${name}`, one, ends: this.ends };
  }
  protected async table(): Promise<Curve[]> {
    const { run } = this.session;
    const [first, end] = this.window ?? [0, this.steps()];
    const count = end - first;
    const columns: Curve[] = [{ label: "time", unit: "s", values: await run.rows("steps/time", "f64", { first, count }) }];
    for (const s of this.group.series)
      columns.push({ label: s.label, unit: s.unit, values: await run.column(s.name, s.column, first, count) });
    return columns;
  }

  override dispose(): void {
    this.asking.abort();
    super.dispose();
  }
}
