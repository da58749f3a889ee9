// Play, pause, step, speed, and the bar to scrub.
import type { Clock } from "./clock";
import { make } from "./dom";
import { show, showTime } from "./numbers";

export class TimeBar {
  readonly element: HTMLElement;
  private readonly slide: HTMLInputElement;
  private readonly playing: HTMLButtonElement;
  private readonly label = make("output", { class: "time" });
  private readonly speed: HTMLSelectElement;
  private readonly live: HTMLButtonElement;
  private readonly rest = make("i", { class: "rest", title: "not computed yet" });

  constructor(private readonly clock: Clock) {
    const button = (text: string, title: string, act: () => void) =>
      make("button", { type: "button", title, "aria-label": title, text, onclick: act });
    this.playing = button("▶", "play or pause (space)", () => clock.toggle());
    this.slide = make("input", {
      type: "range",
      min: 0,
      max: 0,
      step: 1,
      value: 0,
      class: "scrub",
      "aria-label": "time",
      oninput: () => {
        clock.pause();
        clock.following = false;
        clock.go(Number(this.slide.value));
      },
    });
    this.speed = make("select", {
      title: "speed ([ and ])",
      "aria-label": "speed",
      onchange: () => clock.setSpeed(Number(this.speed.value)),
    });
    this.live = button("live", "follow the newest frame (L)", () => {
      if (clock.following) clock.step(0);
      else clock.goLive();
    });
    this.live.classList.add("live");
    this.live.hidden = true;
    this.element = make(
      "nav",
      { class: "timebar" },
      button("|◂", "to the start (Home)", () => clock.step(-Infinity)),
      button("◂", "one frame back (←)", () => clock.step(-1)),
      this.playing,
      button("▸", "one frame forward (→)", () => clock.step(1)),
      this.slide,
      this.rest,
      this.label,
      this.speed,
      this.live,
    );
    clock.changed.listen(() => this.show());
    this.show();
  }

  running(on: boolean): void {
    this.live.hidden = !on;
    this.show();
  }

  private speeds = ""; // those that are offered
  private show(): void {
    const { clock } = this;
    this.slide.max = String(Math.max(0, clock.count - 1));
    this.slide.value = String(clock.frame);
    this.playing.textContent = clock.playing ? "❚❚" : "▶";
    const { speeds } = clock;
    if (!speeds.includes(clock.speed)) speeds.push(clock.speed); // a run that grew
    if (this.speeds !== speeds.join()) {
      this.speeds = speeds.join();
      this.speed.replaceChildren(...speeds.map((s) => make("option", { value: s, text: s < 0.001 ? `${showTime(s)}/s` : `× ${s}` })));
    }
    this.speed.value = String(clock.speed);
    this.live.classList.toggle("on", clock.following);
    const { unit } = clock;
    const moment = clock.moment && `, ${clock.moment}`;
    this.label.textContent = `${show(clock.time / unit.one, 4)} of ${showTime(clock.end ?? clock.last, unit, 4)}${moment}`;
    this.label.title = `frame ${clock.frame + 1} of ${clock.count}${clock.end === null ? "" : `, up to ${showTime(clock.last, unit, 4)} so far`}`;
    // How far the run has come, behind the slider.
    const part = clock.end ? Math.min(1, clock.last / clock.end) : 1;
    this.slide.style.flexGrow = String(part);
    this.rest.style.flexGrow = String(1 - part);
    this.rest.hidden = part >= 1;
  }
}
