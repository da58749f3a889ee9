// A profile: curves along something, in the frame that is shown.
import type uPlot from "uplot";
import type { SvgAxis } from "./export";
import { show, showTicks } from "./numbers";
import { type Choices, Panel, type PanelEvents } from "./panel";
import type { Curve, Profile, ProfileCurves, Session } from "./view";

const PLAYING_MS = 100; // from one plot to the next, while it plays

export class ProfileChart extends Panel {
  private profile: Profile;
  private drawn: ProfileCurves | null = null;
  private frame = -1; // of what is drawn
  private window: [number, number] | null = null; // of the axis; null: all
  private loading: Promise<void> | null = null;

  constructor(
    session: Session,
    id: string,
    private readonly profiles: Profile[],
    choices: Choices,
    on: PanelEvents,
  ) {
    super(session, choices, on);
    this.profile = profiles.find((p) => p.id === id)!;
    this.choose(id);
  }

  get id(): string {
    return this.profile.id;
  }

  choose(id: string): boolean {
    const profile = this.profiles.find((p) => p.id === id);
    if (!profile) return false;
    this.profile = profile;
    this.window = null;
    this.chosen(id);
    void this.refresh();
    return true;
  }

  // A new plot.
  async refresh(): Promise<void> {
    this.frame = -1;
    this.anew = true;
    await this.settle();
  }
  private anew = true;
  // Until what is drawn is what is shown; one at a time.
  async settle(): Promise<void> {
    while (this.frame !== this.session.clock.frame) await this.once();
  }
  private async once(): Promise<void> {
    await this.loading;
    if (this.frame === this.session.clock.frame) return;
    this.loading ??= this.load().finally(() => (this.loading = null));
    await this.loading;
  }
  tick(): void {
    if (this.waiting) return;
    this.waiting = window.setTimeout(() => {
      this.waiting = 0;
      void this.once();
    }, this.session.clock.playing ? PLAYING_MS : 0);
  }
  private waiting = 0; // timer

  private async load(): Promise<void> {
    const { profile } = this;
    const { frame } = this.session.clock;
    try {
      const curves = await profile.read(frame);
      if (profile !== this.profile) return;
      this.drawn = curves;
      this.show(curves);
    } catch (error) {
      this.session.say((error as Error).message);
    }
    this.frame = frame;
  }

  private show({ along, curves, breaks }: ProfileCurves): void {
    // Nothing is drawn from one piece to the next.
    const gap = new Set(breaks);
    const x = Array.from(along.values).flatMap((v, i) => (gap.has(i) ? [v, v] : [v]));
    const y = ({ values }: Curve) => Array.from(values).flatMap((v, i) => (gap.has(i) ? [null, this.good(v)] : [this.good(v)]));
    const data = [x, ...curves.map(y)] as uPlot.AlignedData;
    if (this.plot && !this.anew) {
      this.plot.setData(data, this.window === null);
      this.look();
      return;
    }
    this.anew = false;
    const close = (u: uPlot) => {
      if (u.select.width < 4) return;
      this.window = [u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")];
    };
    this.open(
      data,
      { size: 44, label: `${along.label}, ${along.unit}`, labelSize: 14, values: (_, splits) => showTicks(splits) },
      { label: along.label, value: (_, v) => (v == null ? "–" : `${show(v)} ${along.unit}`) },
      (i, v, at) => this.written(at === null ? null : v, curves[i]!.unit),
      { setSelect: [close], ready: [(u) => u.over.addEventListener("dblclick", () => this.showAll())] },
    );
    this.look();
  }
  // At the part that was chosen.
  private look(): void {
    if (this.window) this.plot!.setScale("x", { min: this.window[0], max: this.window[1] });
  }

  protected showAll(): void {
    this.window = null;
    void this.refresh();
  }
  grown(): void {}

  // The largest of each.
  values(): { label: string; value: number | null }[] {
    const now = this.frame === this.session.clock.frame;
    return (this.drawn?.curves ?? []).map(({ label, values }) => ({ label, value: now ? Math.max(...Array.from(values)) : null }));
  }

  protected title(): string {
    return this.profile.title;
  }
  protected curves(): { label: string; unit: string }[] {
    return this.drawn?.curves ?? [];
  }
  protected axis(): SvgAxis {
    const { label, unit } = this.drawn!.along;
    return { label: `${label}, ${unit}`, one: 1 };
  }
  protected async table(): Promise<Curve[]> {
    await this.settle();
    const { along, curves, places } = this.drawn!;
    const [low, high] = this.window ?? [-Infinity, Infinity];
    const within = (_: number, i: number) => along.values[i]! >= low && along.values[i]! <= high;
    return [along, ...places, ...curves].map((c) => ({ ...c, values: Array.from(c.values).filter(within) }));
  }

  override dispose(): void {
    clearTimeout(this.waiting);
    super.dispose();
  }
}
