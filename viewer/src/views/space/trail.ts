// Where the selected body went: its places in the frames so far.
import type { Frame } from "../../rigid/frames";
import type { RigidScene } from "../../rigid/scene";
import type { Session } from "../../view";
import type { Camera } from "./camera";
import { pack } from "./gl";
import type { Strokes } from "./strokes";

const MOST = 2000; // places

export class Trail {
  private body = -1;
  private frames = 0;
  private every = 1;
  private places = new Float32Array(0);
  private coming: Promise<void> | null = null;

  constructor(
    private readonly session: Session,
    private readonly scene: RigidScene,
  ) {}

  private fresh(): boolean {
    return this.body === this.session.selection.index && this.frames === this.session.run.count("frames");
  }

  async load(): Promise<void> {
    const { run, selection } = this.session;
    const body = selection.index;
    const frames = run.count("frames");
    if (body < 0 || this.fresh()) return;
    this.coming ??= (async () => {
      const every = Math.max(1, Math.ceil(frames / MOST));
      const count = Math.ceil(frames / every);
      const places = await this.scene.placesOf(body, { first: 0, count, every });
      [this.body, this.frames, this.every, this.places] = [body, frames, every, new Float32Array(places)];
    })().finally(() => {
      this.coming = null;
      this.session.redraw();
    });
    await this.coming;
  }

  build(body: number, frame: Frame, camera: Camera, strokes: Strokes, pixels: number): void {
    if (!this.fresh()) void this.load().catch((error: Error) => this.session.say(error.message));
    if (body < 0 || body !== this.body) return;
    const last = Math.min(Math.floor(frame.index / this.every), this.places.length / 3 - 1);
    const color = pack(1, 0.23, 0.42, 0.85);
    for (let i = 1; i <= last; i++)
      strokes.line(camera, this.places, 3 * i - 3, this.places, 3 * i, pixels, color);
    strokes.line(camera, this.places, 3 * last, frame.position, 3 * body, pixels, color);
  }
}
