// The page: one view, the time bar below it, panels beside it. Brings data, clock and view together.
import type { Aim } from "./aim";
import { Clock } from "./clock";
import { Controls } from "./controls";
import { Chart } from "./chart";
import { Details } from "./details";
import { download, make } from "./dom";
import { handleKeys, KEYS } from "./keys";
import { HitsChart } from "./hits";
import { duration, Live } from "./live";
import { scaleFor, show } from "./numbers";
import { Menu, type Place } from "./menu";
import { Options, type Control, type Value } from "./options";
import type { Choices, Panel, PanelEvents } from "./panel";
import { ProfileChart } from "./profile";
import { hasHits } from "./rigid/hits";
import type { Run } from "./run";
import { Selection } from "./selection";
import { firstCharts, HITS, seriesGroups } from "./series";
import { TimeBar } from "./timebar";
import type { Legend, Session, View, ViewKind } from "./view";
import { VIEWS } from "./views";

const STILL_MS = 250; // so long after the last change the picture is drawn fine
const POLL_MS = 500; // how often a run that is being written is looked at

export class Page implements Session {
  readonly clock = new Clock();
  readonly selection = new Selection();
  readonly options = new Options();
  private readonly place = make("div", { class: "view", "aria-label": "the picture of the run" });
  private readonly message = make("div", { class: "message", role: "status", hidden: true });
  private readonly legend = make("div", { class: "legend" });
  private readonly stamp = make("div", { class: "stamp" });
  private readonly state = make("span", { class: "state" });
  private readonly title = make("span", { class: "title" });
  private readonly timebar = new TimeBar(this.clock);
  private readonly controls = new Controls(this.options);
  private readonly details: Details;
  private readonly charts: Panel[] = [];
  private readonly chartList = make("div", { class: "charts" });
  private readonly live: Live;
  private readonly menu = new Menu(this.options, (name) => void this.openView(name).catch((e: Error) => this.say(e.message)));
  private kinds: ViewKind[] = [];
  private at: Place | null = null; // the place of the menu that is shown
  private asked = false; // for it, by name
  private kind: ViewKind | null = null;
  private view: View | null = null;
  private dirty = true;
  private before = 0; // clock of the last picture, ms
  private rate = 30; // pictures a second of late
  private scheduled = false;
  private following = false;
  private problem = "";

  constructor(readonly run: Run) {
    this.details = new Details(this);
    this.live = new Live(run);
    const bare = new URLSearchParams(location.search).has("render");
    this.options.declare("page", !bare); // all of it, or only the picture
    document.documentElement.classList.toggle("bare", bare);
    this.options.declare("legend", true);
    this.options.declare("stamp", bare);
    this.options.declare("moment", "after"); // of a collision, where a time is asked for
    this.clock.changed.listen(() => this.moved());
    this.options.changed.listen((key) => this.changed(key));
    this.selection.changed.listen(() => this.redraw());
    run.changed.listen(() => void this.grew());
  }

  // --- putting it together ----------------------------------------------------------------------

  async start(): Promise<void> {
    document.title = `${this.run.file} – Percuss`;
    this.lay();
    await this.run.refresh();
    await this.extend();
    this.title.textContent = this.run.has("scene/title") ? await this.run.text("scene/title") : "";
    if (this.run.running) await this.lookLive();
    const suits = await Promise.all(VIEWS.map(async (kind) => ({ kind, fit: await kind.fits(this.run) })));
    this.kinds = suits
      .filter((s) => s.fit > 0)
      .sort((a, b) => b.fit - a.fit)
      .map((s) => s.kind);
    if (this.kinds.length === 0) throw new Error(`there is no view for runs of kind '${this.run.kind}'`);
    await this.menu.fill(this.run, this.kinds);
    this.clock.setSpeed(this.goodSpeed());
    const kept = new URLSearchParams(location.hash.slice(1));
    const asked = new URLSearchParams(location.search).get("view") ?? kept.get("view");
    if (kept.has("t")) this.clock.goTo(Number(kept.get("t")) || 0);
    else if (this.run.running) this.clock.goLive();
    else if (this.clock.last === this.clock.first) this.clock.go(this.clock.count - 1); // one collision: after it
    if (kept.has("before")) this.clock.go(this.clock.frame - 1);
    await this.openFirst((asked && this.menu.find(asked)) || this.menu.first);
    await this.settle();
    this.showPage();
    this.showState();
    if (kept.has("thing")) this.selection.choose(this.view!.things.names.indexOf(kept.get("thing")!));
    this.selection.changed.listen(() => this.keep());
    this.selection.picked.listen(() => this.openTab("selection"));
    this.poll();
  }

  private lay(): void {
    const tab = (id: string, title: string, ...children: (Node | string)[]) => {
      const body = make("div", { class: "tab", id: `tab-${id}`, role: "tabpanel" }, ...children);
      const button = make("button", { type: "button", role: "tab", text: title, onclick: () => this.openTab(id) });
      button.dataset.tab = id;
      return { body, button };
    };
    const addChart = make("button", { type: "button", class: "add", text: "+ chart", onclick: () => this.addChart("audit") });
    const tabs = [
      tab("curves", "Curves", this.chartList, addChart),
      tab("selection", "Selection", this.details.element),
      tab("display", "Display", this.controls.element),
      tab("about", "About", this.about()),
    ];
    const aside = make(
      "aside",
      {},
      make("div", { class: "tabs", role: "tablist" }, ...tabs.map((t) => t.button)),
      ...tabs.map((t) => t.body),
    );
    document.body.replaceChildren(
      make(
        "header",
        { class: "top" },
        make("strong", { text: "Percuss" }),
        make("span", { class: "file", text: this.run.file }),
        this.title,
        this.state,
        this.menu.element,
        make("button", { type: "button", text: "fit", title: "fit the whole scene (R)", onclick: () => this.reset() }),
        make("button", { type: "button", text: "PNG", title: "save this picture (P)", onclick: () => this.savePicture() }),
        make("button", { type: "button", text: "◐", title: "light or dark theme (D)", onclick: () => this.theme() }),
        make("button", { type: "button", text: "?", title: "keyboard shortcuts (?)", onclick: () => this.help() }),
      ),
      make("main", {}, this.place, this.legend, this.stamp, this.message),
      this.timebar.element,
      aside,
    );
    this.openTab("curves");
    new ResizeObserver(() => this.resize()).observe(this.place);
    new ResizeObserver(() => this.resizePanels()).observe(aside);
    handleKeys({
      clock: this.clock,
      act: {
        c: () => this.nextChoice("color"),
        m: () => this.nextChoice("map"),
        t: () => this.nextChoice("trails"),
        PageUp: () => this.view?.next?.(-1) ?? this.nextChoice("floor", -1),
        PageDown: () => this.view?.next?.(1) ?? this.nextChoice("floor"),
        n: () => this.toggleForces(),
        r: () => this.reset(),
        f: () => this.follow(!this.following),
        p: () => this.savePicture(),
        d: () => this.theme(),
        v: () => void this.nextView(),
        "?": () => this.help(),
        Escape: () => (this.helping ? this.openTab("curves") : this.selection.choose(-1)),
      },
    });
  }

  private about(): HTMLElement {
    const text = make("pre", { class: "scene" });
    const box = make(
      "details",
      {
        ontoggle: () => {
          if (!text.textContent) void this.run.text("scene/text").then((t) => (text.textContent = t));
        },
      },
      make("summary", { text: "Scene file" }),
      text,
    );
    const keys = make("table", { class: "numbers" }, ...KEYS.map(([k, what]) => make("tr", {}, make("th", { text: k }), make("td", { text: what }))));
    return make(
      "div",
      { class: "about" },
      make("p", { text: `${this.run.file}, ${size(this.run.bytes)}, written by ${this.run.program}` }),
      this.run.has("scene/text") ? box : "",
      make("p", {}, "Pictures and films without this page: ", make("code", { text: `percuss render ${this.run.file} --film film.mp4` })),
      make("h2", { text: "Keyboard shortcuts" }),
      keys,
      make("p", {}, make("a", { href: "legal.txt", text: "Licences" })),
    );
  }

  openTab(id: string): void {
    this.helping = false;
    for (const body of document.querySelectorAll<HTMLElement>(".tab")) body.hidden = body.id !== `tab-${id}`;
    for (const button of document.querySelectorAll<HTMLElement>(".tabs button"))
      button.setAttribute("aria-selected", String(button.dataset.tab === id));
    this.resizePanels();
  }

  // --- views ------------------------------------------------------------------------------------

  // The best view that this browser can show.
  private async openFirst(wanted: Place): Promise<void> {
    let failure: Error | null = null;
    const others = this.kinds.filter((k) => k !== wanted.kind).map((k) => this.menu.ofKind(k));
    for (const place of [wanted, ...others])
      try {
        await this.show(place.kind);
        try {
          await this.take(place);
        } catch (error) {
          failure ??= error as Error; // the scene asks for what the run does not have
        }
        if (failure) this.say(failure.message, 15);
        return;
      } catch (error) {
        failure ??= error as Error;
      }
    throw failure!;
  }

  private async open(kind: ViewKind): Promise<void> {
    const stage = make("div", { class: "stage" });
    const view = await kind.create(stage, this);
    this.view?.dispose();
    this.place.replaceChildren(stage);
    this.kind = kind;
    this.view = view;
    this.controls.offer([...view.controls, { kind: "toggle", key: "legend", label: "Legend" }]);
    this.details.offer(view.things);
    this.resize();
    this.moved();
  }

  // A view with its first picture.
  private async show(kind: ViewKind): Promise<void> {
    if (kind === this.kind) return;
    await this.open(kind);
    await this.settle();
  }

  // Shows an entry of the menu in the view of its kind.
  private async take(place: Place): Promise<void> {
    this.at = place;
    for (const [key, value] of Object.entries(place.options)) this.setChecked(key, value);
    this.following = false;
    await this.view!.lookFrom?.(place.aim);
    this.aimed = Object.keys(place.aim).length > 0;
    this.menu.element.value = place.name;
    this.redraw();
    this.keep();
  }

  // Views change one after the other: the next one follows the one that is on its way.
  private change(to: () => Promise<void>): Promise<void> {
    const done = this.changing.then(to);
    this.changing = done.catch(() => {});
    return done;
  }
  private changing: Promise<void> = Promise.resolve();

  private nextView(): Promise<void> {
    return this.change(() => this.openFirst(this.menu.after(this.at!)));
  }
  get viewId(): string {
    return this.kind?.id ?? "";
  }
  async openView(name: string): Promise<void> {
    const place = this.menu.find(name);
    if (!place) throw new Error(`there is no view '${name}' (known: ${this.menu.places.map((p) => p.name).join(", ")})`);
    await this.change(async () => {
      await this.show(place.kind);
      await this.take(place);
    });
    this.asked = true;
  }

  // Moves the camera of the view that is shown: what is given instead of what it has.
  private async look(given: Aim): Promise<void> {
    if (Object.keys(given).length === 0) return;
    const own = { ...this.at!.aim };
    if (given.camera) delete own.from;
    if (given.path) for (const key of ["camera", "look_at", "follow"] as const) delete own[key];
    if (given.camera || given.look_at || given.follow) delete own.path;
    const aim = this.menu.withPath({ ...own, ...given });
    const camera = this.kinds.find((k) => k.camera);
    // A run in the plane is shown flat, but has a camera too.
    if ((aim.camera || aim.path) && camera && this.kind !== camera && !this.asked) await this.openView(this.menu.ofKind(camera).name);
    if (!this.view!.lookFrom) throw new Error("this view has no camera");
    await this.view!.lookFrom(aim);
    this.aimed = true;
  }
  private aimed = false; // the picture was just put somewhere: does it show anything?

  private resize(): void {
    const { clientWidth: w, clientHeight: h } = this.place;
    if (w > 0 && h > 0) this.view?.resize(w, h, Math.min(2, devicePixelRatio || 1));
    this.drawNow();
  }
  private resizePanels(): void {
    for (const chart of this.charts) chart.resize();
    this.details.resize();
  }

  reset(): void {
    this.following = false;
    this.view?.follow(false);
    this.view?.reset();
    this.redraw();
  }
  follow(on: boolean): void {
    if (on && this.selection.index < 0) {
      this.say("select a body first, then follow it");
      return;
    }
    this.following = on;
    this.view?.follow(on);
    if (on) this.say(`following ${this.view?.things.names[this.selection.index] ?? ""}`);
    this.redraw();
  }
  private toggleForces(): void {
    if (this.view?.controls.some((c) => c.key === "forces")) this.options.set("forces", !this.options.flag("forces"));
    else this.say("this run has no recorded contacts");
  }
  // The next one of what a view offers; false: it does not.
  private nextChoice(key: string, by = 1): boolean {
    const control = this.view?.controls.find((c) => c.key === key);
    if (control?.kind === "note") this.say(control.text);
    if (control?.kind !== "choice") return false;
    const ids = control.choices.map(([id]) => id);
    this.options.set(key, ids[(ids.indexOf(this.options.word(key)) + by + ids.length) % ids.length]!);
    return true;
  }

  // --- time -------------------------------------------------------------------------------------

  // Times of the frames there are.
  private async extend(): Promise<void> {
    const count = this.run.count("frames");
    if (count === this.clock.count) return;
    const have = this.clock.count;
    const times = new Float64Array(count);
    for (let i = 0; i < have; i++) times[i] = this.clock.timeOf(i);
    times.set(await this.run.rows("frames/time", "f64", { first: have, count: count - have }), have);
    if (count > this.clock.count) this.clock.extend(times);
  }

  // The whole run in some ten seconds, a short one in five, or as it was if that is not far from it.
  private goodSpeed(): number {
    const long = this.clock.last - this.clock.first;
    if (!(long > 0) || (long >= 1 && long <= 60)) return 1;
    const good = long / (long < 1 ? 5 : 10);
    return this.clock.speeds.reduce((a, b) => (Math.abs(Math.log(b / good)) < Math.abs(Math.log(a / good)) ? b : a));
  }

  private moved(): void {
    this.stirred = performance.now();
    clearTimeout(this.fine);
    if (!this.clock.playing) this.fine = window.setTimeout(() => this.redraw(), STILL_MS + 20);
    this.redraw();
    const { clock } = this;
    this.bring();
    this.keep();
    for (const chart of this.charts) chart.tick();
    if (!clock.playing || performance.now() - this.numbersAt > 200) {
      this.numbersAt = performance.now();
      void this.details.tick();
    }
  }
  // Time, view and selection in the address, so that they outlive a reload.
  private keep(): void {
    clearTimeout(this.keeping);
    this.keeping = window.setTimeout(() => {
      if (!this.options.flag("page") || !this.view) return;
      const kept = new URLSearchParams({ t: String(this.clock.time), view: this.at?.name ?? "" });
      const thing = this.view.things.names[this.selection.index];
      if (thing !== undefined) kept.set("thing", thing);
      if (this.clock.moment === "before") kept.set("before", "");
      history.replaceState(null, "", `#${kept}`);
    }, 300);
  }
  private keeping = 0; // timer

  private numbersAt = 0;
  private fine = 0; // timer

  private showPage(): void {
    const whole = this.options.flag("page");
    document.documentElement.classList.toggle("bare", !whole);
    if (whole && this.charts.length === 0) for (const id of this.view?.charts ?? firstCharts(this.run)) this.addChart(id);
  }

  // Gets what the frame that is shown lacks, then draws it.
  private bring(): void {
    const { clock, view } = this;
    if (!view || clock.count === 0 || this.bringing === view || view.ready(clock.frame)) return;
    const { frame } = clock;
    this.bringing = view;
    view
      .load(frame)
      .catch((error: Error) => this.say(error.message))
      .finally(() => {
        if (this.bringing === view) this.bringing = null;
        this.redraw();
        if (clock.frame !== frame && !view.ready(clock.frame)) this.bring();
      });
  }
  private bringing: View | null = null;

  private changed(key: string): void {
    if (key === "page") this.showPage();
    if (key === "side") {
      this.view?.reset();
      const place = this.menu.ofKind(this.kind!);
      if (this.at && Object.keys(this.at.aim).length === 0) [this.at, this.menu.element.value] = [place, place.name];
    }
    this.moved();
  }

  // --- pictures ---------------------------------------------------------------------------------

  redraw(): void {
    this.dirty = true;
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now) => this.picture(now));
  }

  private picture(now: number): void {
    this.scheduled = false;
    const { clock, view } = this;
    if (!view) return;
    if (clock.playing) {
      const seconds = (now - this.before) / 1000;
      // Only as many frames are got as there will be pictures.
      this.rate += 0.1 * (1 / Math.max(1 / 60, Math.min(0.25, seconds)) - this.rate);
      const stride = clock.stride(this.rate);
      clock.advance(seconds, stride, (frame) => view.ready(frame));
      view.ahead(clock.frame, stride);
      this.bring();
      this.redraw();
    }
    this.before = now;
    if (this.dirty || clock.playing) this.drawNow();
  }

  private drawNow(): void {
    if (!this.view || this.clock.count === 0) return;
    this.dirty = false;
    try {
      this.view.draw();
    } catch (error) {
      this.fail(error as Error);
    }
    this.drawn++;
    if (this.aimed) {
      this.aimed = false;
      const where = this.view.missed?.() ?? null;
      if (where !== null) this.say(`nothing is in view; ${where}`, 15);
    }
    this.showLegend();
    this.stamp.hidden = !this.options.flag("stamp");
    const { time, unit, moment } = this.clock;
    this.stamp.textContent = `${(time / unit.one).toFixed(digitsOf(this.clock))} ${unit.name}${moment && `, ${moment}`}`;
  }
  drawn = 0; // pictures so far

  private legendText = "";
  private showLegend(): void {
    const legend = this.options.flag("legend") ? this.view!.legend() : null;
    const text = JSON.stringify(legend);
    if (text === this.legendText) return;
    this.legendText = text;
    this.legend.hidden = legend === null;
    this.legend.replaceChildren(...(legend === null ? [] : [legend].flat().map(showScale)));
  }

  private savePicture(): void {
    const canvas = this.view?.picture();
    if (!canvas) return;
    this.drawNow();
    const { time, moment } = this.clock;
    const name = `${this.run.file.replace(/\.h5$/, "")}-${show(time, 6)}s${moment && `-${moment}`}.png`;
    canvas.toBlob((blob) => blob && download(name, blob), "image/png");
  }

  // --- what the run does meanwhile --------------------------------------------------------------

  private poll(): void {
    if (!this.run.running) return;
    setTimeout(() => {
      this.run.refresh().then(
        () => this.poll(),
        () => {
          this.state.textContent = "the program has ended";
          this.say("the program that serves this page has ended: start percuss view again");
        },
      );
    }, POLL_MS);
  }

  private async grew(): Promise<void> {
    if (this.run.running) await this.lookLive();
    else this.clock.end = null;
    await this.extend();
    this.showState();
    for (const chart of this.charts) chart.grown();
  }

  private async lookLive(): Promise<void> {
    await this.live.look(performance.now() / 1000);
    this.clock.end = this.live.end;
  }

  private showState(): void {
    const { done, left } = this.live;
    const words = ["running", ...(done === null ? [] : [`${Math.floor(100 * done)} %`]), ...(left === null ? [] : [`${duration(left)} left`])];
    const ended = ["ended before it was complete", "", "stopped early"][this.run.complete];
    this.state.textContent = this.run.running ? words.join(", ") : (ended ?? "");
    this.timebar.running(this.run.running);
  }

  addChart(id: string): void {
    const chart = this.makeChart(id);
    this.charts.push(chart);
    this.chartList.append(chart.element);
    chart.resize();
  }
  // Over time, or of a frame.
  private makeChart(id: string): Panel {
    const profiles = this.view?.profiles ?? [];
    const choices: Choices = [
      ["over time", withHits(seriesGroups(this.run), hasHits(this.run))],
      ["in this frame", profiles],
    ];
    const on: PanelEvents = {
      remove: (gone) => {
        this.charts.splice(this.charts.indexOf(gone), 1);
        gone.dispose();
      },
      choose: (old, wanted) => {
        if (old.choose(wanted)) return;
        const chart = this.makeChart(wanted);
        this.charts[this.charts.indexOf(old)] = chart;
        old.element.replaceWith(chart.element);
        old.dispose();
        chart.resize();
      },
    };
    if (id === HITS) return new HitsChart(this, choices, on);
    return profiles.some((p) => p.id === id) ? new ProfileChart(this, id, profiles, choices, on) : new Chart(this, id, choices, on);
  }

  // --- words ------------------------------------------------------------------------------------

  private saying = 0;
  say(text: string, seconds = 4): void {
    this.message.textContent = text;
    this.message.hidden = false;
    clearTimeout(this.saying);
    this.saying = window.setTimeout(() => (this.message.hidden = true), 1000 * seconds);
  }
  private fail(error: Error): void {
    if (this.problem === error.message) return;
    this.problem = error.message;
    console.error(error);
    this.say(error.message);
  }
  private help(): void {
    this.openTab("about");
    this.helping = true;
  }
  private helping = false; // the list of keys was asked for
  private theme(): void {
    const root = document.documentElement;
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    this.redraw();
    for (const chart of this.charts) void chart.refresh();
    this.details.redraw();
  }

  // --- for `percuss render`, the benchmark and tests --------------------------------------------

  get moving(): boolean {
    return this.clock.playing || this.measuring || performance.now() - this.stirred < STILL_MS;
  }
  private measuring = false;
  private stirred = -Infinity; // when the frame was last changed by hand

  // Everything for the frame that is shown is here and drawn.
  async settle(): Promise<void> {
    if (!this.view || this.clock.count === 0) return;
    await this.view.load(this.clock.frame);
    await Promise.all(this.charts.map((chart) => chart.settle()));
    this.stirred = -Infinity;
    this.drawNow();
  }

  // An option by its name, if it exists and may have this value.
  private setChecked(key: string, value: Value): void {
    const extra: Control[] = ["page", "stamp", "legend"].map((k) => ({ kind: "toggle", key: k, label: k }));
    const moment: Control = { kind: "choice", key: "moment", label: "moment", choices: ["before", "after"].map((m) => [m, m]) };
    const known = [...this.view!.controls, ...extra, moment];
    const control = known.find((c) => c.key === key);
    if (!control) throw new Error(`there is no option '${key}' (known: view, ${known.map((c) => c.key).join(", ")})`);
    if (control.kind === "note") throw new Error(`there is no option '${key}': ${control.text}`);
    // A choice also by what the page calls it.
    const choices = control.kind === "choice" ? control.choices : [];
    const alike = choices.find(([id]) => id === value) ?? choices.find(([, title]) => title.toLowerCase() === String(value).toLowerCase());
    const fits =
      control.kind === "toggle"
        ? typeof value === "boolean"
        : control.kind === "choice"
          ? alike !== undefined
          : typeof value === "number" && value >= control.low && value <= control.high;
    const allowed =
      control.kind === "toggle" ? "true or false" : control.kind === "choice" ? choices.map(([id, title]) => (RegExp(`^${id}\\b`, "i").test(title) ? id : `${id} or '${title}'`)).join(", ") : `${control.low} to ${control.high}`;
    if (!fits) throw new Error(`${key} cannot be '${value}' (allowed: ${allowed})`);
    this.options.set(key, alike?.[0] ?? value);
  }

  handle() {
    return {
      show: async (seconds: number) => {
        this.clock.pause();
        this.clock.goTo(seconds);
        if (this.clock.moment === "after" && this.options.word("moment") === "before") this.clock.go(this.clock.frame - 1);
        await this.settle();
        return this.clock.time;
      },
      set: async (values: Record<string, Value>) => {
        for (const [key, value] of Object.entries(values)) {
          if (key === "view") await this.openView(String(value));
          else this.setChecked(key, value);
        }
        await this.settle();
      },
      // The camera, as a view of `scene/views` has it.
      look: async (aim: Aim) => {
        await this.look(aim);
        await this.settle();
      },
      // Where the scene is, if nothing of it is in the picture; "": something is.
      missed: () => this.view?.missed?.() ?? "",
      select: (index: number) => this.selection.choose(index),
      follow: (on: boolean) => this.follow(on),
      state: () => ({
        frame: this.clock.frame,
        frames: this.clock.count,
        time: this.clock.time,
        cursor: this.clock.cursor,
        last: this.clock.last,
        playing: this.clock.playing,
        view: this.viewId,
        place: this.at?.name ?? "",
        selected: this.selection.index,
        drawn: this.drawn,
        running: this.run.running,
        facts: this.view?.facts?.() ?? {},
        message: this.message.hidden ? "" : this.message.textContent,
      }),
      charts: () => this.charts.map((c) => ({ id: c.id, values: c.values() })),
      pick: (x: number, y: number) => this.view?.pick(x, y) ?? -1,
      // Milliseconds of pictures, each of another frame: until the page has handed it over, and until
      // it is drawn. As they are drawn while playing, or at rest.
      bench: async (pictures: number, moving: boolean) => {
        this.measuring = moving;
        const canvas = this.view!.picture();
        const gl = canvas.getContext("webgl2");
        const pixel = new Uint8Array(4);
        const page: number[] = [];
        const whole: number[] = [];
        for (let i = 0; i < pictures; i++) {
          this.clock.go(i % this.clock.count);
          await this.view!.load(this.clock.frame);
          gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          if (!moving) this.stirred = -Infinity;
          const start = performance.now();
          this.view!.draw();
          page.push(performance.now() - start);
          gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          whole.push(performance.now() - start);
        }
        this.measuring = false;
        return { page, whole };
      },
      // Plays from the start for so long, or to the end; pictures a second that were drawn.
      rate: async (seconds: number) => {
        this.clock.go(0);
        await this.settle();
        this.clock.play();
        const before = this.drawn;
        const start = performance.now();
        while (this.clock.playing && performance.now() - start < 1000 * seconds)
          await new Promise((done) => setTimeout(done, 20));
        const rate = ((this.drawn - before) / (performance.now() - start)) * 1000;
        this.clock.pause();
        return rate;
      },
    };
  }
}

// The hits follow the sensors.
function withHits<Group extends { id: string; title: string }>(groups: Group[], has: boolean): { id: string; title: string }[] {
  const after = groups.filter((g) => g.id.startsWith("sensors")).length;
  return has ? [...groups.slice(0, after), { id: HITS, title: "Hits" }, ...groups.slice(after)] : groups;
}

const MOST_WORDS = 8;

// A quantity and its colours.
function showScale(legend: Legend): HTMLElement {
  const { unit, one } = scaleFor(legend.unit, Math.max(Math.abs(legend.low), Math.abs(legend.high)));
  const title = make("b", { text: `${legend.title}${unit ? `, ${unit}` : ""}` });
  const { words } = legend;
  const note = legend.note ? [make("small", { text: legend.note })] : [];
  if (!words)
    return make(
      "div",
      { class: "scale" },
      title,
      make("div", { class: legend.wedge ? "ramp wedge" : "ramp", style: `background:linear-gradient(to right,${legend.colors.join(",")})` }),
      make("span", { class: "ends" }, make("span", { text: `${legend.below ? "≤ " : ""}${show(legend.low / one, 3)}` }), make("span", { text: `${legend.above ? "≥ " : ""}${show(legend.high / one, 3)}` })),
      ...note,
    );
  const rows = words
    .slice(0, MOST_WORDS)
    .map((word, i) => make("span", { class: "word" }, make("i", { style: `background:${legend.colors[i]}` }), word));
  if (words.length > MOST_WORDS) rows.push(make("span", { class: "word", text: `and ${words.length - MOST_WORDS} more` }));
  return make("div", { class: "scale" }, title, ...rows, ...note);
}

function size(bytes: number): string {
  for (const [unit, one] of [
    ["GB", 1e9],
    ["MB", 1e6],
    ["kB", 1e3],
  ] as const)
    if (bytes >= one) return `${show(bytes / one, 3)} ${unit}`;
  return `${bytes} bytes`;
}

// Digits that tell one frame's time from the next.
function digitsOf(clock: Clock): number {
  const spacing = (clock.last - clock.first) / Math.max(1, clock.count - 1) / clock.unit.one;
  return spacing > 0 ? Math.max(0, Math.min(9, Math.ceil(-Math.log10(spacing) - 1e-9))) : 2;
}
