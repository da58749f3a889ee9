// How finely the picture is drawn, by the time that pictures take: edges, shadows and smooth edges as
// long as pictures follow each other smoothly. A still picture may take longer than a moving one, so
// each has a level of its own.
export const QUALITIES = ["low", "medium", "high"] as const; // bodies alone; with edges; with shadows and smooth edges too
export type Level = 0 | 1 | 2;
const BEST = 2;

// Milliseconds that a picture may take before the level goes down, and below which the next one is
// tried: far apart, so that the level does not swing. So many pictures in a row must say so: a single
// slow one may be the browser's. Still pictures are few, and each that is quick leads to a finer one.
interface Limits {
  slow: number;
  quick: number;
  slowInARow: number;
  quickInARow: number;
}
const LIMITS = {
  moving: { slow: 40, quick: 16, slowInARow: 3, quickInARow: 25 },
  still: { slow: 3000, quick: 300, slowInARow: 2, quickInARow: 1 },
};
const FAR = 4; // times the limit: one such picture is enough
const WAIT = 5000; // ms after a level was too slow before it is tried again; twice as long each time

type Pace = keyof typeof LIMITS;

class Ladder {
  private slow = 0;
  private quick = 0;
  private wait = WAIT;
  private again = 0; // not before this time, ms
  constructor(
    public level: Level,
    private readonly limits: Limits,
  ) {}

  // True if the next picture is to be finer.
  took(ms: number, now: number): boolean {
    const { limits } = this;
    this.slow = ms > limits.slow ? this.slow + 1 : 0;
    this.quick = ms < limits.quick ? this.quick + 1 : 0;
    if (this.level > 0 && (this.slow >= limits.slowInARow || ms > FAR * limits.slow)) {
      this.level--;
      this.again = now + this.wait;
      this.wait *= 2;
      this.slow = this.quick = 0;
    } else if (this.level < BEST && this.quick >= limits.quickInARow && now >= this.again) {
      this.level++;
      this.slow = this.quick = 0;
      return true;
    }
    return false;
  }
}

export class Quality {
  private readonly ladders: Record<Pace, Ladder>;

  // `heavy`: begins at the lowest level, and rises as pictures are quick. `redraw`: a still picture may
  // be finer now.
  constructor(
    private readonly gl: WebGL2RenderingContext,
    heavy: boolean,
    private readonly redraw: () => void,
  ) {
    const first = heavy ? 0 : BEST;
    // A still picture of a light scene is always fine, so it is the same on a busy machine.
    const still = heavy ? LIMITS.still : { ...LIMITS.still, slow: Infinity };
    this.ladders = { moving: new Ladder(first, LIMITS.moving), still: new Ladder(first, still) };
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
      if (ladder.took(this.lastMs, now) && !moving) this.redraw();
    };
    setTimeout(look, 0);
  }
}
