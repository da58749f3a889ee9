// How finely the picture is drawn, by the time that pictures take: edges, shadows and smooth edges as
// long as pictures follow each other smoothly. A still picture may take longer than a moving one, so
// each has a level of its own.
export const QUALITIES = ["low", "medium", "high"] as const; // bodies alone; with edges; with shadows and smooth edges too
export type Level = 0 | 1 | 2;
const BEST = 2;

// Milliseconds that a picture may take before the level goes down, and below which the next one is
// tried. They are far apart, so that the level does not swing.
const LIMITS = { moving: { slow: 40, quick: 16 }, still: { slow: 1500, quick: 300 } };
const SLOW_IN_A_ROW = 3; // a single slow picture is the browser's
const QUICK_IN_A_ROW = 25;
const WAIT = 5000; // ms after a level was too slow before it is tried again; twice as long each time

type Pace = keyof typeof LIMITS;

class Ladder {
  private slow = 0;
  private quick = 0;
  private wait = WAIT;
  private again = 0; // not before this time, ms
  constructor(
    public level: Level,
    private readonly limits: { slow: number; quick: number },
  ) {}

  took(ms: number, now: number): void {
    this.slow = ms > this.limits.slow ? this.slow + 1 : 0;
    this.quick = ms < this.limits.quick ? this.quick + 1 : 0;
    if (this.level > 0 && (this.slow >= SLOW_IN_A_ROW || ms > 8 * this.limits.slow)) {
      this.level--;
      this.again = now + this.wait;
      this.wait *= 2;
      this.slow = this.quick = 0;
    } else if (this.level < BEST && this.quick >= QUICK_IN_A_ROW && now >= this.again) {
      this.level++;
      this.quick = 0;
    }
  }
}

export class Quality {
  private readonly ladders: Record<Pace, Ladder>;

  // `heavy`: a scene that is not drawn smoothly anywhere at first; the level rises where it is.
  constructor(
    private readonly gl: WebGL2RenderingContext,
    heavy: boolean,
  ) {
    this.ladders = { moving: new Ladder(heavy ? 0 : BEST, LIMITS.moving), still: new Ladder(BEST, LIMITS.still) };
  }

  // By the choice of the user: "auto" or one of QUALITIES.
  level(moving: boolean, choice: string): Level {
    const chosen = QUALITIES.indexOf(choice as (typeof QUALITIES)[number]);
    return chosen >= 0 ? (chosen as Level) : this.ladders[moving ? "moving" : "still"].level;
  }

  private waiting: WebGLSync | null = null;
  lastMs = 0; // that a picture took until it was drawn

  // Call it after the commands of a picture that began at `start`: finds out when they are done,
  // without waiting for them.
  drawn(start: number, moving: boolean, level: Level): void {
    const { gl } = this;
    const ladder = this.ladders[moving ? "moving" : "still"];
    if (this.waiting || level !== ladder.level) return; // the one before counts; or the user chose the level
    const sync = (this.waiting = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0));
    if (!sync) return;
    gl.flush();
    const look = () => {
      const now = performance.now();
      const done = gl.isContextLost() || gl.getSyncParameter(sync, gl.SYNC_STATUS) === gl.SIGNALED;
      if (!done && now - start < 20 * LIMITS.still.slow) {
        setTimeout(look, 2);
        return;
      }
      gl.deleteSync(sync);
      this.waiting = null;
      this.lastMs = now - start;
      ladder.took(this.lastMs, now);
    };
    setTimeout(look, 0);
  }
}
