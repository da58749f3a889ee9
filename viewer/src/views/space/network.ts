// Lines in space: forces of contacts, strings, springs and nets, and interactions at a distance.
import { ACTION, ROPE, rgb } from "../../palette";
import { eachLine } from "../../rigid/actions";
import { eachSegment } from "../../rigid/elements";
import type { Forces } from "../../rigid/forces";
import type { Frame } from "../../rigid/frames";
import type { RigidScene } from "../../rigid/scene";
import type { Camera } from "./camera";
import { pack } from "./gl";
import type { Strokes } from "./strokes";

export class Network {
  private readonly thick: number; // m, of a line of a usual force
  private readonly colors: number[];
  private readonly action = pack(...rgb(ACTION), 1);
  private readonly rope = pack(...rgb(ROPE), 1);
  private readonly end = new Float64Array(6);

  constructor(
    private readonly scene: RigidScene,
    private readonly forces: Forces,
  ) {
    this.thick = 0.5 * scene.usualRadius;
    this.colors = forces.colors.map((c) => pack(...c, 1));
  }

  // How many lines there are.
  buildElements(frame: Frame, camera: Camera, strokes: Strokes, pixels: number): number {
    let lines = 0;
    eachSegment(this.scene, frame, (p, i, q, j) => {
      strokes.line(camera, p, i, q, j, pixels, this.rope);
      lines++;
    });
    return lines;
  }

  // Interactions at a distance, thinner as they fade.
  buildActions(frame: Frame, camera: Camera, strokes: Strokes): void {
    const p = frame.actions?.points;
    if (!frame.actions || !p) return;
    eachLine(frame.actions, (at, fresh) => {
      const wide = 0.25 * fresh * this.thick;
      strokes.add(camera, p[at]!, p[at + 1]!, p[at + 2]!, p[at + 3]!, p[at + 4]!, p[at + 5]!, wide, wide, this.action);
    });
  }

  build(frame: Frame, camera: Camera, strokes: Strokes, scale: number): void {
    const { contacts } = frame;
    if (!contacts) return;
    const e = this.end;
    this.forces.each(contacts, (c, thick, level) => {
      const wide = scale * thick * this.thick;
      this.forces.ends(contacts, c, frame.position, e);
      strokes.add(camera, e[0]!, e[1]!, e[2]!, e[3]!, e[4]!, e[5]!, wide, wide, this.colors[level]!);
    });
  }
}
