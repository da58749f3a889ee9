// Which frame is shown: the one mechanism behind the time bar, keys, curves and views.
import { type TimeUnit, timeUnit } from "./numbers";
import { Signal } from "./signal";

// Seconds of a run in one on the wall, for a run that is so long.
function speedsFor(long: number): number[] {
  const low = long > 0 ? Math.min(0.01, long / 500) : 0.01;
  const high = long > 0 && long < 0.1 ? 10 * long : 100;
  const all: number[] = [];
  for (let power = -12; power <= 2; power++) for (const m of [1, 2, 5]) all.push(Number(`${m}e${power}`));
  return all.filter((s) => s >= low && s <= high);
}

export class Clock {
  readonly changed = new Signal(); // the frame, playing, the speed or the number of frames
  private times: Float64Array = new Float64Array(0);
  private now = 0; // s, of the frame or behind it
  private pointed: number | null = null; // s, between frames
  private at = 0;
  private isPlaying = false;
  private factor = 1;
  private direction = 1;

  // The frames there are; more of them while a run is written.
  extend(times: Float64Array): void {
    const atEnd = this.at === this.times.length - 1 && this.times.length > 0;
    this.times = times;
    if (atEnd && this.following) this.go(times.length - 1);
    else this.changed.send();
  }
  // What the speed may be.
  get speeds(): number[] {
    return speedsFor(this.last - this.first);
  }
  // In which times of this run read well.
  get unit(): TimeUnit {
    return timeUnit(this.end ?? this.last);
  }
  following = false; // stays at the last frame as frames come
  end: number | null = null; // when a run that is being written is to end

  get count(): number {
    return this.times.length;
  }
  get frame(): number {
    return this.at;
  }
  get time(): number {
    return this.times[this.at] ?? 0;
  }
  timeOf(frame: number): number {
    return this.times[frame] ?? 0;
  }
  // Of two frames at one time the first is before a collision, the other after it; "": there is one.
  momentOf(frame: number): "" | "before" | "after" {
    const time = this.times[frame];
    return time === undefined ? "" : this.times[frame + 1] === time ? "before" : this.times[frame - 1] === time ? "after" : "";
  }
  get moment(): "" | "before" | "after" {
    return this.momentOf(this.at);
  }
  get first(): number {
    return this.times[0] ?? 0;
  }
  get last(): number {
    return this.times[this.times.length - 1] ?? 0;
  }
  get playing(): boolean {
    return this.isPlaying;
  }
  get speed(): number {
    return this.factor;
  }
  get forward(): boolean {
    return this.direction > 0;
  }

  // The last frame that is not behind this time.
  frameAt(time: number): number {
    let low = 0;
    let high = this.times.length - 1;
    const reach = time + 1e-9 * (Math.abs(time) + Math.abs(this.last));
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle]! <= reach) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  go(frame: number): void {
    this.put(frame, null);
  }
  private put(frame: number, pointed: number | null): void {
    this.pointed = pointed;
    this.at = Math.max(0, Math.min(this.times.length - 1, Math.round(frame)));
    this.now = this.time;
    this.changed.send();
  }
  goTo(time: number): void {
    this.following = false;
    this.go(this.frameAt(time));
    this.now = Math.max(this.time, Math.min(this.last, time));
  }
  // To a time that the curves show, and the first frame that has what happened until then.
  pointAt(time: number): void {
    this.following = false;
    const frame = this.frameAt(time);
    const slack = 1e-9 * (Math.abs(time) + Math.abs(this.last));
    this.put(this.timeOf(frame) < time - slack ? frame + 1 : frame, time);
  }
  // What the curves show: that time, or else that of the frame.
  get cursor(): number {
    return this.pointed ?? this.time;
  }
  // The time itself, which may be after that of the frame.
  get instant(): number {
    return this.now;
  }
  // To the newest frame, and on with it.
  goLive(): void {
    this.pause();
    this.following = true;
    this.go(this.times.length - 1);
  }
  step(frames: number): void {
    this.pause();
    this.following = false;
    this.go(this.at + frames);
  }

  play(): void {
    if (this.at >= this.times.length - 1) this.go(0);
    this.following = false;
    this.pointed = null;
    this.now = this.time;
    this.isPlaying = true;
    this.changed.send();
  }
  pause(): void {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.changed.send();
  }
  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }
  setSpeed(factor: number): void {
    this.factor = factor;
    this.changed.send();
  }
  faster(steps: number): void {
    const { speeds } = this;
    const near = speeds.findIndex((s) => s >= this.factor * 0.999);
    const at = (near < 0 ? speeds.length - 1 : near) + steps;
    this.setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, at))]!);
  }

  // Plays on after `seconds` on the wall: to the newest frame up to then that `ready` says can be
  // drawn. If there is none within `stride` frames the clock waits for it.
  advance(seconds: number, stride: number, ready: (frame: number) => boolean): void {
    if (!this.isPlaying) return;
    const wanted = this.now + Math.min(seconds, 0.25) * this.factor;
    const reached = this.frameAt(wanted);
    let frame = reached;
    while (frame > this.at && !ready(frame)) frame--;
    if (frame === this.at && reached - this.at >= stride) return;
    this.now = wanted;
    if (frame !== this.at) {
      this.at = frame;
      this.changed.send();
    }
    if (this.at >= this.times.length - 1) this.pause();
  }

  // Frames from one picture to the next at this speed, if `rate` pictures are drawn a second: a power
  // of two, so that frames got for one stride serve the next.
  stride(rate: number): number {
    if (this.times.length < 2) return 1;
    const spacing = (this.last - this.first) / (this.times.length - 1);
    return 2 ** Math.max(0, Math.min(30, Math.round(Math.log2(this.factor / rate / (spacing || 1)))));
  }
}
