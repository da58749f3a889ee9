// The selected thing: its numbers as the file has them, and their history.
import uPlot from "uplot";
import { make } from "./dom";
import { show, showTicks, showTime, showTimes } from "./numbers";
import type { Session, Things } from "./view";

const SAMPLES = 300; // frames of a history
const MOST_TOUCHES = 60; // lines
const PART = 50; // of them in one request

export class Details {
  readonly element = make("div", { class: "details" });
  private readonly table = make("table", { class: "numbers" });
  private readonly contacts = make("table", { class: "contacts" });
  private readonly heading = make("h2");
  private readonly place = make("div", { class: "plot history" });
  private readonly chooser = make("select", { "aria-label": "history of", onchange: () => void this.history() });
  private readonly finder: HTMLInputElement;
  private readonly list = make("datalist", { id: "names" });
  private things: Things | null = null;
  private plot: uPlot | null = null;
  private asking = new AbortController();

  constructor(private readonly session: Session) {
    this.finder = make("input", {
      type: "search",
      placeholder: "find by name",
      "aria-label": "find by name",
      list: "names",
      onchange: () => this.find(),
    });
    this.element.append(this.finder, this.list, this.heading, this.table, this.contacts, this.chooser, this.place);
    session.selection.changed.listen(() => void this.changed());
  }

  // What can be selected, when a view comes.
  offer(things: Things): void {
    this.things = things;
    const chosen = this.chooser.value;
    this.chooser.replaceChildren(...things.histories.map((h) => make("option", { value: h.id, text: `history of ${h.title}` })));
    if (things.histories.some((h) => h.id === chosen)) this.chooser.value = chosen;
    this.list.replaceChildren(...things.names.slice(0, 500).map((name) => make("option", { value: name })));
    void this.changed();
  }

  private find(): void {
    const text = this.finder.value.trim();
    if (!this.things || !text) return;
    const { names } = this.things;
    let at = names.indexOf(text);
    if (at < 0) at = names.findIndex((name) => name.toLowerCase().includes(text.toLowerCase()));
    if (at < 0) this.session.say(`there is nothing named '${text}'`);
    else this.session.selection.choose(at);
  }

  private async changed(): Promise<void> {
    const index = this.session.selection.index;
    const some = index >= 0 && this.things !== null;
    this.table.hidden = !some;
    this.contacts.hidden = true;
    this.table.replaceChildren(); // no number of what was selected before stands under a new name
    delete this.table.dataset.frame;
    this.chooser.hidden = this.place.hidden = !some || this.things!.histories.length === 0;
    this.heading.textContent = some ? (this.things!.names[index] ?? String(index)) : "Nothing selected";
    if (!some) {
      this.heading.append(make("small", { text: "click a body in the picture, or find it by name" }));
      return;
    }
    await this.tick();
    await this.history();
  }

  // The numbers of the frame that is shown.
  async tick(): Promise<void> {
    const index = this.session.selection.index;
    const { clock } = this.session;
    if (index < 0 || !this.things) return;
    const frame = clock.frame;
    try {
      const rows = await this.things.numbers(index, frame);
      if (this.session.selection.index !== index || (clock.frame !== frame && !clock.playing)) return;
      const moment = clock.momentOf(frame);
      rows.unshift(["time", `${show(clock.timeOf(frame) / clock.unit.one)}${moment && `, ${moment}`}`, clock.unit.name]);
      this.table.replaceChildren(
        ...rows.map(([label, value, unit]) =>
          make("tr", { "data-row": label }, make("th", { text: label }), make("td", { text: value }), make("td", { text: unit })),
        ),
      );
      this.table.dataset.frame = String(frame);
      await this.touch(index, frame);
      this.plot?.redraw(false);
    } catch (error) {
      this.session.say((error as Error).message);
    }
  }

  // What it touches; a click selects that.
  private async touch(index: number, frame: number): Promise<void> {
    const touches = (await this.things?.touches?.(index, frame)) ?? null;
    const { clock, selection } = this.session;
    if (selection.index !== index || (clock.frame !== frame && !clock.playing)) return;
    this.contacts.hidden = touches === null;
    if (!touches) return;
    const shown = touches.lines.slice(0, MOST_TOUCHES);
    this.contacts.replaceChildren(
      make("caption", { text: touches.title }),
      ...(shown.length > 0 ? [make("tr", {}, ...touches.head.map((text) => make("th", { text })))] : []),
      ...shown.map((line) => {
        const row = make("tr", { onclick: () => selection.choose(line.index) }, ...[line.name, ...line.cells].map((text) => make("td", { text })));
        row.dataset.body = line.name;
        return row;
      }),
    );
    this.contacts.dataset.frame = String(frame);
  }

  private async history(): Promise<void> {
    const index = this.session.selection.index;
    const history = this.things?.histories.find((h) => h.id === this.chooser.value);
    if (index < 0 || !history) return;
    this.asking.abort();
    const { signal } = (this.asking = new AbortController());
    const { clock } = this.session;
    const every = Math.max(1, Math.ceil(clock.count / SAMPLES));
    const count = Math.ceil(clock.count / every);
    const times: number[] = [];
    const values: number[] = [];
    // In parts: every frame is a chunk of the file, and the first ones should be seen soon.
    for (let done = 0; done < count; done += PART) {
      const now = Math.min(PART, count - done);
      try {
        values.push(...(await history.values(index, done * every, now, every, signal)));
      } catch {
        return; // another history was asked for
      }
      if (signal.aborted) return;
      for (let i = 0; i < now; i++) times.push(clock.timeOf((done + i) * every));
      this.draw(history.title, history.unit, times, values);
    }
  }

  // Again, in the colours of the page.
  redraw(): void {
    if (this.drawn) this.draw(...this.drawn);
  }
  private drawn: [string, string, number[], number[]] | null = null;

  private draw(title: string, unit: string, times: number[], values: number[]): void {
    this.drawn = [title, unit, times, values];
    const style = getComputedStyle(document.documentElement);
    const paint = (name: string) => style.getPropertyValue(name).trim();
    const line = { stroke: paint("--grid"), width: 1 };
    const axis = { stroke: paint("--ink"), grid: line, ticks: line };
    const drawNow = (u: uPlot) => {
      const x = u.valToPos(this.session.clock.time, "x", true);
      u.ctx.strokeStyle = paint("--now");
      u.ctx.beginPath();
      u.ctx.moveTo(x, u.bbox.top);
      u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      u.ctx.stroke();
    };
    this.plot?.destroy();
    this.plot = new uPlot(
      {
        width: Math.max(200, this.place.clientWidth),
        height: 150,
        scales: { x: { time: false } },
        cursor: { drag: { x: true, y: false } },
        axes: [
          { ...axis, size: 34, values: (_, s) => showTimes(s, this.session.clock.unit) },
          { ...axis, size: 62, label: unit, labelSize: 18, values: (_, s) => showTicks(s) },
        ],
        series: [
          { label: "time", value: (_, v) => (v == null ? "" : showTime(v, this.session.clock.unit)) },
          {
            label: title,
            stroke: "#2f6fb5",
            width: 1.4,
            points: { show: false },
            value: (_, v) => (v === null ? "" : `${show(v)} ${unit}`),
          },
        ],
        hooks: { draw: [drawNow] },
      },
      [times, values.map((v) => (isFinite(v) ? v : null))],
      this.place,
    );
  }

  resize(): void {
    if (this.plot && this.place.clientWidth > 0)
      this.plot.setSize({ width: Math.max(200, this.place.clientWidth), height: 150 });
  }
}
