// What every view of a rigid run needs: its frames with what the chosen colours and forces ask for.
import type { Session } from "../view";
import { Colors } from "./colors";
import { rigidFrames, type Extra, type Frame, type Frames } from "./frames";
import type { RigidScene } from "./scene";
import { RigidThings } from "./things";

export class Stage {
  readonly frames: Frames;
  readonly colors: Colors;
  readonly things: RigidThings;

  constructor(
    private readonly session: Session,
    readonly scene: RigidScene,
  ) {
    this.frames = rigidFrames(session.run, scene);
    this.colors = new Colors(scene, this.frames, session);
    this.things = new RigidThings(session.run, scene);
    session.options.declare("forces", false);
  }

  private ask(): void {
    const extras = new Set<Extra>(this.colors.needs());
    if (this.session.options.flag("forces")) extras.add("contacts");
    this.frames.need(extras);
  }

  // The frame can be drawn now.
  ready(frame: number): boolean {
    return this.get(frame) !== null;
  }

  get(frame: number): Frame | null {
    this.ask();
    return this.colors.prepared() ? this.frames.get(frame) : null;
  }

  // The frame of the clock; while it is not here the one before, if it has all that is asked for.
  current(): Frame | null {
    const frame = this.get(this.session.clock.frame);
    if (frame) this.last = frame;
    return this.last && this.colors.prepared() && this.frames.whole(this.last) ? this.last : null;
  }
  private last: Frame | null = null;

  async load(frame: number): Promise<void> {
    do {
      this.ask();
      await this.frames.load(frame);
      await this.colors.prepare();
    } while (this.get(frame) === null); // another choice was made meanwhile
  }

  ahead(frame: number, stride: number): void {
    this.ask();
    this.frames.ahead(frame, stride);
  }

  leave(): void {
    this.frames.leave();
  }
}
