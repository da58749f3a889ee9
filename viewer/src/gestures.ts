// Mouse and touch on a picture as a few plain gestures. Places are pixels of the picture.

export interface GestureHandlers {
  drag(dx: number, dy: number): void; // one finger, or the left button
  pan(dx: number, dy: number): void; // two fingers, the right or middle button, or Shift
  zoom(factor: number, x: number, y: number): void; // wheel or two fingers; > 1: closer
  tap(x: number, y: number): void;
}

const STILL = 5; // pixels that a tap may move

export class Gestures {
  private readonly down = new Map<number, { x: number; y: number }>();
  private moved = 0;
  private panning = false;
  private readonly end = new AbortController();

  constructor(
    private readonly target: HTMLElement,
    private readonly on: GestureHandlers,
  ) {
    const signal = this.end.signal;
    target.style.touchAction = "none";
    target.addEventListener("pointerdown", (e) => this.press(e), { signal });
    target.addEventListener("pointermove", (e) => this.move(e), { signal });
    target.addEventListener("pointerup", (e) => this.release(e), { signal });
    target.addEventListener("pointercancel", (e) => this.down.delete(e.pointerId), { signal });
    target.addEventListener("contextmenu", (e) => e.preventDefault(), { signal });
    target.addEventListener("wheel", (e) => this.wheel(e), { signal, passive: false });
  }

  dispose(): void {
    this.end.abort();
  }

  private place(e: MouseEvent): { x: number; y: number } {
    const box = this.target.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  private press(e: PointerEvent): void {
    this.target.setPointerCapture(e.pointerId);
    if (this.down.size === 0) this.moved = 0;
    else this.moved = STILL + 1;
    this.panning = e.button !== 0 || e.shiftKey || e.ctrlKey;
    this.down.set(e.pointerId, this.place(e));
  }

  private move(e: PointerEvent): void {
    const before = this.down.get(e.pointerId);
    if (!before) return;
    const now = this.place(e);
    const dx = now.x - before.x;
    const dy = now.y - before.y;
    this.moved += Math.hypot(dx, dy);
    if (this.down.size === 1) {
      this.down.set(e.pointerId, now);
      if (this.moved > STILL) (this.panning ? this.on.pan : this.on.drag)(dx, dy);
      return;
    }
    const other = [...this.down].find(([id]) => id !== e.pointerId)![1];
    const apart = Math.hypot(before.x - other.x, before.y - other.y);
    const closer = Math.hypot(now.x - other.x, now.y - other.y);
    this.down.set(e.pointerId, now);
    if (apart > 1 && closer > 1) this.on.zoom(closer / apart, (now.x + other.x) / 2, (now.y + other.y) / 2);
    this.on.pan(dx / 2, dy / 2);
  }

  private release(e: PointerEvent): void {
    const place = this.place(e);
    if (this.down.delete(e.pointerId) && this.down.size === 0 && this.moved <= STILL && e.button === 0)
      this.on.tap(place.x, place.y);
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const { x, y } = this.place(e);
    const lines = e.deltaMode === 1 ? 18 : e.deltaMode === 2 ? 400 : 1;
    this.on.zoom(Math.exp(-Math.max(-300, Math.min(300, e.deltaY * lines)) / 500), x, y);
  }
}
