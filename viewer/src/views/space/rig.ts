// What moves the camera while time goes on: bodies that it follows or looks at, or a path.
import { meanPlace, type CameraPath } from "../../aim";
import type { Frame } from "../../rigid/frames";
import type { Camera, Vector } from "./camera";

const plus = (a: number[], b: ArrayLike<number>, sign = 1): Vector => [a[0]! + sign * b[0]!, a[1]! + sign * b[1]!, a[2]! + sign * b[2]!];

export class Rig {
  private followed: number[] = [];
  private watched: number[] = [];
  private path: CameraPath | null = null;
  // Camera and target where what is followed is at the start.
  private eye: Vector = [0, 0, 0];
  private target: Vector = [0, 0, 0];

  constructor(
    private readonly camera: Camera,
    private readonly start: ArrayLike<number>, // places of bodies at the first frame
  ) {}

  // The camera as it is now belongs to the first frame.
  begin(follow: number[], watch: number[], path: CameraPath | null): void {
    [this.followed, this.watched, this.path] = [follow, watch, path];
    this.keep([0, 0, 0]);
  }
  // The camera as it is now belongs to this frame: it was moved by hand.
  hold(frame: Frame | null): void {
    if (!frame) return;
    [this.watched, this.path] = [[], null];
    this.keep(this.moved(frame));
  }
  private keep(moved: ArrayLike<number>): void {
    this.camera.update();
    this.eye = plus(this.camera.eye, moved, -1);
    this.target = plus(this.camera.target, moved, -1);
  }

  // From now on with this body in the middle of the picture; null: no longer.
  chase(body: number | null, frame: Frame | null): void {
    this.followed = body === null ? [] : [body];
    const at = body !== null && frame ? meanPlace(this.followed, frame.position, 3) : null;
    if (at) this.camera.target = plus(at, [0, 0, 0]);
    this.hold(frame);
  }
  get chased(): number {
    return this.followed.length === 1 ? this.followed[0]! : -1;
  }

  // How far what is followed has come.
  private moved(frame: Frame): number[] {
    const here = this.followed.filter((b) => isFinite(frame.position[3 * b]!) && isFinite(this.start[3 * b]!));
    if (here.length > 0)
      this.last = plus(meanPlace(here, frame.position, 3)!, meanPlace(here, this.start, 3)!, -1);
    return this.followed.length > 0 ? this.last : [0, 0, 0];
  }
  private last: number[] = [0, 0, 0];

  // Puts the camera where it belongs in this frame.
  apply(frame: Frame, time: number): void {
    if (this.path) {
      const [eye, target] = this.path.at(time);
      this.camera.stand(eye, target);
    } else if (this.followed.length > 0 || this.watched.length > 0) {
      const moved = this.moved(frame);
      const target = meanPlace(this.watched, frame.position, 3) ?? plus(this.target, moved);
      this.camera.stand(plus(this.eye, moved), target);
    }
  }
}
