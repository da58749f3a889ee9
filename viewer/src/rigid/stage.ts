// What every view of a rigid run needs.
import { Stage } from "../stage";
import type { Session } from "../view";
import { RigidColors } from "./colors";
import { rigidFrames, type Extra, type Frame, type RigidFrames } from "./frames";
import type { RigidScene } from "./scene";
import { RigidThings } from "./things";

export class RigidStage extends Stage<Extra, Frame> {
  declare readonly frames: RigidFrames;
  declare readonly colors: RigidColors;
  readonly things: RigidThings;

  constructor(
    session: Session,
    readonly scene: RigidScene,
    also: () => Extra[] = () => [],
  ) {
    const frames = rigidFrames(session.run, scene);
    const { options } = session;
    super(session, frames, new RigidColors(scene, frames, session), () => [
      ...(options.flag("forces") ? (["contacts"] as const) : []),
      ...(options.flag("actions") ? (["actions"] as const) : []),
      ...also().filter((extra) => frames.offers(extra)),
    ]);
    this.things = new RigidThings(session.run, scene);
    options.declare("forces", false);
    options.declare("actions", true);
  }
}
