// Hits of sensors between groups (docs/run-format.md, Hits): a dot for each, at its largest force,
// and a table. A click on a line goes to its time and selects the body that hit; one on a heading sorts.
import type uPlot from "uplot";
import { make } from "./dom";
import type { Column as TableColumn, SvgAxis } from "./export";
import { roundStep, scaleFor, show, showTime, showTimes, tidy } from "./numbers";
import { type Choices, Panel, type PanelEvents } from "./panel";
import { type Hits, readHits } from "./rigid/hits";
import { HITS, OF_ONE_STEP } from "./series";
import { endOfStep } from "./steps";
import type { Session } from "./view";

const MOST_LINES = 200; // of the table: the hits with the largest forces, or the largest of what it is sorted by

interface Column {
  name: string;
  unit: string;
  why: string; // more about it
  value(h: Hits, k: number): number; // what it is sorted by
}
const COLUMNS: Column[] = [
  { name: "time", unit: "", why: "begin", value: (h, k) => h.time[2 * k]! },
  { name: "body", unit: "", why: "", value: (h, k) => h.bodies[2 * k]! },
  { name: "by", unit: "", why: "the body that hit", value: (h, k) => h.bodies[2 * k + 1]! },
  {
    name: "kinetic energy",
    unit: "J",
    why: "kinetic energy of the body that hit just before, translation and rotation",
    value: (h, k) => h.kinetic[2 * k + 1]!,
  },
  { name: "impulse", unit: "N s", why: "along the contact normals", value: (h, k) => h.normal[k]! },
  { name: "largest force", unit: "N", why: `the largest of one step. ${OF_ONE_STEP}`, value: (h, k) => h.force[k]! },
  { name: "dissipated", unit: "J", why: "energy dissipated by the hit", value: (h, k) => h.energy[k]! },
  { name: "x, y, z", unit: "m", why: "mean contact point, weighted by impulse", value: (h, k) => h.point[3 * k]! },
];
const NUMBERS = [3, 4, 5, 6]; // columns of plain numbers
const [TIME, BODY, BY, FORCE] = [0, 1, 2, 5];

export class HitsChart extends Panel {
  readonly id = HITS;
  protected override readonly dots = true;
  private readonly lines = make("table", { class: "hits" });
  private hits: Hits | null = null;
  private sensors: string[] = [];
  private names: string[] = [];
  private sorted = { column: TIME, down: false };
  private clicked = { hit: -1, cursor: NaN }; // the hit of the line, and where the curves were put for it
  private blocks = -1; // of the record at the last reading
  private window: [number, number] | null = null; // s; null: all
  private loading: Promise<void> = Promise.resolve();

  constructor(session: Session, choices: Choices, on: PanelEvents) {
    super(session, choices, on);
    this.chosen(HITS);
    this.noted(OF_ONE_STEP);
    this.element.append(make("div", { class: "hits-box" }, this.lines));
    void this.refresh();
  }

  choose(id: string): boolean {
    return id === HITS;
  }
  refresh(): Promise<void> {
    return (this.loading = this.load().catch((error: Error) => this.session.say(error.message)));
  }
  async settle(): Promise<void> {
    await this.loading;
  }
  grown(): void {
    if (this.session.run.count("hits") !== this.blocks) void this.refresh();
  }

  private async load(): Promise<void> {
    const { run } = this.session;
    this.blocks = run.count("hits");
    if (this.sensors.length === 0) [this.sensors, this.names] = await Promise.all([run.lines("hits/name"), run.lines("bodies/name")]);
    this.hits = await readHits(run);
    this.list();
    this.draw();
    this.tick();
  }

  // Of many the hardest, or the largest of what they are sorted by.
  private order(): number[] {
    const { column, down } = this.sorted;
    const hits = this.hits!;
    const by = (at: number) => (a: number, b: number) => COLUMNS[at]!.value(hits, b) - COLUMNS[at]!.value(hits, a) || a - b;
    const kept = Array.from({ length: hits.count }, (_, k) => k)
      .sort(by(this.largest()))
      .slice(0, MOST_LINES);
    const sign = down ? 1 : -1;
    return kept.sort((a, b) => sign * by(column)(a, b) || hits.time[2 * a]! - hits.time[2 * b]!);
  }
  // The column whose largest values are kept.
  private largest(): number {
    const { column } = this.sorted;
    return column === TIME || column === BODY || column === BY ? FORCE : column;
  }
  // Numbers from the largest on, the rest from the first; the other way round with a second click.
  private sortBy(column: number): void {
    this.sorted = { column, down: column === this.sorted.column ? !this.sorted.down : column > BY };
    this.list();
    this.tick();
  }

  private async show(k: number): Promise<void> {
    const { clock, selection, run } = this.session;
    const hits = this.hits!;
    clock.pause();
    // The step whose curves have the first impulse ends after the hit has begun.
    const cursor = await endOfStep(run, hits.time[2 * k]!);
    this.clicked = { hit: k, cursor };
    clock.pointAt(cursor);
    selection.choose(hits.bodies[2 * k + 1]!);
  }

  private list(): void {
    const hits = this.hits!;
    const { count, sensor, bodies, time, speed, mass } = hits;
    const { clock } = this.session;
    // Numbers of a column have one unit.
    const scales = COLUMNS.map(({ unit, value }) => {
      let most = 0;
      for (let k = 0; unit && k < count; k++) most = Math.max(most, Math.abs(value(hits, k)) || 0);
      return scaleFor(unit, most);
    });
    const place = placesOf(hits);
    const number = (at: number, k: number) => {
      const value = COLUMNS[at]!.value(hits, k);
      return isNaN(value) ? "–" : show(value / scales[at]!.one, 3);
    };
    const rows = this.order().map((k) => {
      const [body, by] = [bodies[2 * k]!, bodies[2 * k + 1]!];
      const row = make(
        "tr",
        {
          title: `${this.sensors[sensor[k]!] ?? ""}: ${showTime(time[2 * k]!, clock.unit)} to ${showTime(time[2 * k + 1]!, clock.unit)}, approach ${show(speed[k]!, 3)} m/s${mass[2 * k + 1]! > 0 ? `, ${this.nameOf(by)}: ${show(mass[2 * k + 1]!, 3)} kg` : ""}`,
          onclick: () => void this.show(k).catch((error: Error) => this.session.say(error.message)),
        },
        ...[showTime(time[2 * k]!, clock.unit, 4), this.nameOf(body), this.nameOf(by), ...NUMBERS.map((at) => number(at, k)), place(k)].map((text) => make("td", { text })),
      );
      [row.dataset.time, row.dataset.hit] = [String(time[2 * k]), String(k)];
      return row;
    });
    const kept = this.largest() === FORCE ? "hardest" : `largest by ${COLUMNS[this.largest()]!.name}`;
    const more = count > MOST_LINES ? [make("caption", { text: `the ${MOST_LINES} ${kept} of ${count} hits; CSV has all` })] : [];
    const none = count === 0 ? [make("tr", {}, make("td", { colspan: COLUMNS.length, text: "no hits yet" }))] : [];
    const heads = COLUMNS.map(({ name: text, why }, at) =>
      make(
        "th",
        {
          title: `${why ? `${why}; ` : ""}click to sort`,
          "aria-sort": at !== this.sorted.column ? undefined : this.sorted.down ? "descending" : "ascending",
          onclick: () => this.sortBy(at),
        },
        text,
        ...(scales[at]!.unit ? [make("br"), `[${scales[at]!.unit}]`] : []),
      ),
    );
    this.lines.replaceChildren(...more, make("tr", {}, ...heads), ...rows, ...none);
  }

  private nameOf(body: number): string {
    return this.names[body] ?? `body-${body + 1}`;
  }

  private within(k: number): boolean {
    const [low, high] = this.window ?? [-Infinity, Infinity];
    const t = this.hits!.time[2 * k]!;
    return t >= low && t <= high;
  }

  private draw(): void {
    const { count, sensor, time, force } = this.hits!;
    const { clock } = this.session;
    if (count === 0) {
      this.plot?.destroy();
      this.plot = null;
      this.place.textContent = "no hits yet";
      return;
    }
    const order = Array.from({ length: count }, (_, k) => k).sort((a, b) => time[2 * a]! - time[2 * b]!);
    // The axis is that of the whole run, as on other charts.
    const x = [clock.first, ...order.map((k) => time[2 * k]!), clock.last];
    const y = this.sensors.map((_, s) => [null, ...order.map((k) => (sensor[k] === s ? this.good(force[k]!) : null)), null]);
    this.open(
      [x, ...y] as uPlot.AlignedData,
      { size: 34, values: (_, splits) => showTimes(splits, clock.unit) },
      { label: "time", value: (_, v, __, at) => showTime(at === null ? clock.cursor : v, clock.unit) },
      (s, v, at) => this.written(at === null ? this.forceAt(s) : v, "N"),
      {
        setSelect: [
          (u) => {
            if (u.select.width >= 4) this.window = [u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")];
          },
        ],
        draw: [(u) => this.drawNow(u)],
        ready: [(u) => u.over.addEventListener("dblclick", () => this.showAll())],
      },
    );
  }

  // Of the hit of a sensor that is marked, or else of its last one before the cursor.
  private forceAt(sensor: number): number | null {
    const { count, sensor: of, time, force } = this.hits!;
    const { cursor } = this.session.clock;
    const { hit } = this.clicked;
    if (cursor === this.clicked.cursor && of[hit] === sensor) return force[hit]!;
    let last = -1;
    for (let k = 0; k < count; k++) if (of[k] === sensor && time[2 * k]! <= cursor && !(time[2 * k]! < time[2 * last]!)) last = k;
    return last < 0 ? null : force[last]!;
  }

  tick(): void {
    this.plot?.redraw(false);
    if (this.plot && this.plot.cursor.idx == null) this.plot.setLegend({ idx: null! }, true);
    const { cursor } = this.session.clock;
    const { hit } = cursor === this.clicked.cursor ? this.clicked : { hit: -1 };
    // The line that was clicked, or else the last hit before.
    let now: HTMLElement | null = null;
    for (const row of this.lines.querySelectorAll<HTMLElement>("tr[data-time]")) {
      row.classList.remove("now");
      const time = Number(row.dataset.time);
      if (hit >= 0 ? Number(row.dataset.hit) === hit : time <= cursor && time >= Number(now?.dataset.time ?? -Infinity)) now = row;
    }
    now?.classList.add("now");
  }

  protected showAll(): void {
    this.window = null;
    this.draw();
  }
  // How many there are, and the largest force.
  values(): { label: string; value: number | null }[] {
    const { count, force } = this.hits ?? { count: 0, force: new Float64Array(0) };
    return [
      { label: "hits", value: this.hits ? count : null },
      { label: "largest force in one step", value: this.hits ? force.reduce((a, b) => Math.max(a, b), 0) : null },
    ];
  }
  protected title(): string {
    return "Hits: largest force in one step";
  }
  protected curves(): { label: string; unit: string }[] {
    return this.sensors.map((label) => ({ label, unit: "N" }));
  }
  protected axis(): SvgAxis {
    const { name, one } = this.session.clock.unit;
    return { label: `time, ${name}`, one };
  }
  // As RUN-hits.csv has them: its columns, in its order.
  protected async table(): Promise<TableColumn[]> {
    await this.settle();
    const h = this.hits!;
    const kept = Array.from({ length: h.count }, (_, k) => k).filter((k) => this.within(k));
    const column = (label: string, value: (k: number) => number | string): TableColumn => ({ label, unit: "", values: kept.map(value) });
    const of = (label: string, all: ArrayLike<number>, wide = 1, at = 0) => column(label, (k) => all[wide * k + at]!);
    const name = (label: string, at: number) => column(label, (k) => this.nameOf(h.bodies[2 * k + at]!));
    const vector = (start: string, all: ArrayLike<number>) => ["x", "y", "z"].map((axis, i) => of(start + axis, all, 3, i));
    return [
      column("sensor", (k) => this.sensors[h.sensor[k]!] ?? ""),
      name("body", 0),
      name("by", 1),
      of("begin", h.time, 2),
      of("end", h.time, 2, 1),
      ...vector("", h.point),
      ...vector("impulse_", h.impulse),
      of("normal_impulse", h.normal),
      of("largest_force", h.force),
      of("dissipated", h.energy),
      of("speed", h.speed),
      of("open", h.open),
      of("body_mass", h.mass, 2),
      of("by_mass", h.mass, 2, 1),
      of("body_kinetic", h.kinetic, 2),
      of("by_kinetic", h.kinetic, 2, 1),
    ];
  }
}

// The place of a hit as text, with the digits that tell hits apart.
function placesOf({ count, point }: Hits): (k: number) => string {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 3 * count; i++) {
    low[i % 3] = Math.min(low[i % 3]!, point[i]!);
    high[i % 3] = Math.max(high[i % 3]!, point[i]!);
  }
  const wide = Math.max(...high.map((h, i) => h - low[i]!));
  const step = roundStep(wide > 0 ? wide / 1000 : 1e-3);
  return (k) => Array.from(point.subarray(3 * k, 3 * k + 3), (x) => tidy(x, step)).join(", ");
}
