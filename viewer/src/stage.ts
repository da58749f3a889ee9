// What every view needs: its frames with what the chosen colours and whatever else ask for.
import type { Colors } from "./colors";
import type { Frames } from "./frames";
import type { Session } from "./view";

export class Stage<Extra extends string, Frame extends Record<Extra, unknown>> {
  constructor(
    private readonly session: Session,
    readonly frames: Frames<Extra, Frame>,
    readonly colors: Colors<Extra, Frame>,
    private readonly besides: () => Extra[], // that the picture needs now, not for the colours
  ) {}

  private ask(): void {
    this.frames.need([...this.colors.needs(), ...this.besides()]);
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
