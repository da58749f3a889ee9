// Play, pause, step, speed, and the bar to scrub.
import { SPEEDS, type Clock } from "./clock";
import { make } from "./dom";
import { show } from "./numbers";

export class TimeBar {
  readonly element: HTMLElement;
  private readonly slide: HTMLInputElement;
  private readonly playing: HTMLButtonElement;
  private readonly label = make("output", { class: "time" });
  private readonly speed: HTMLSelectElement;
  private readonly live: HTMLButtonElement;

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
    for (const s of SPEEDS) this.speed.append(make("option", { value: s, text: `× ${s}` }));
    this.live = button("live", "stay at the newest frame (L)", () => {
      clock.pause();
      clock.following = !clock.following;
      clock.go(clock.count - 1);
    });
    this.live.classList.add("live");
    this.live.hidden = true;
    this.element = make(
      "nav",
      { class: "timebar" },
      button("|◂", "to the start (Home)", () => clock.step(-Infinity)),
      button("◂", "one frame back (←)", () => clock.step(-1)),
      this.playing,
      button("▸", "one frame on (→)", () => clock.step(1)),
      this.slide,
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

  private show(): void {
    const { clock } = this;
    this.slide.max = String(Math.max(0, clock.count - 1));
    this.slide.value = String(clock.frame);
    this.playing.textContent = clock.playing ? "❚❚" : "▶";
    this.speed.value = String(clock.speed);
    this.live.classList.toggle("on", clock.following);
    this.label.textContent = `${show(clock.time, 4)} of ${show(clock.last, 4)} s`;
    this.label.title = `frame ${clock.frame} of ${clock.count}`;
  }
}
