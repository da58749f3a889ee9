// Where the picture is seen from: round a target, at a distance; `up` stays up. There is no far
// plane, so nothing that flies away is lost, and the near plane goes with the distance.

export type Vector = [number, number, number];

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
export const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Vector => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];
export const unit = (a: ArrayLike<number>): Vector => {
  const size = Math.hypot(a[0]!, a[1]!, a[2]!) || 1;
  return [a[0]! / size, a[1]! / size, a[2]! / size];
};

const LENS = 1 / Math.tan(0.3); // half of what is seen from the top of a picture to its bottom
const PASSES = 6; // in which a picture gets its middle and its size
const STEEPEST = 1.57; // of directions from above or below

// Of a box, 3 numbers each.
export const cornersOf = (low: ArrayLike<number>, high: ArrayLike<number>): number[] =>
  Array.from({ length: 24 }, (_, k) => ((k / 3) >> (k % 3)) & 1 ? high[k % 3]! : low[k % 3]!);

export class Camera {
  target: Vector = [0, 0, 0];
  distance = 10;
  azimuth = -0.9; // of the eye, from the first axis of the ground towards the second
  elevation = 0.42;
  readonly eye: Vector = [0, 0, 0];
  readonly right: Vector = [1, 0, 0];
  readonly above: Vector = [0, 0, 1]; // up in the picture
  readonly forward: Vector = [0, 1, 0];
  readonly matrix = new Float32Array(16); // world to clip, column by column
  width = 1;
  height = 1;
  near = 0.1;
  zoom = 1; // of the lens
  readonly ground: [Vector, Vector];

  constructor(readonly up: Vector) {
    const first: Vector = Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const second = unit(cross(up, first));
    this.ground = [cross(second, up), second];
  }

  // Half the picture's height is seen under 1 / focus at distance 1.
  get focus(): number {
    return LENS * this.zoom;
  }

  // Pixels of the picture for a length of 1 at distance 1.
  get scale(): number {
    return (this.focus * this.height) / 2;
  }

  update(): void {
    const [e1, e2] = this.ground;
    const ce = Math.cos(this.elevation);
    const out: Vector = [0, 0, 0];
    for (let i = 0; i < 3; i++)
      out[i] =
        ce * (Math.cos(this.azimuth) * e1[i]! + Math.sin(this.azimuth) * e2[i]!) +
        Math.sin(this.elevation) * this.up[i]!;
    for (let i = 0; i < 3; i++) {
      this.eye[i] = this.target[i]! + this.distance * out[i]!;
      this.forward[i] = -out[i]!;
      this.right[i] = -Math.sin(this.azimuth) * e1[i]! + Math.cos(this.azimuth) * e2[i]!;
    }
    const above = cross(this.right, this.forward);
    for (let i = 0; i < 3; i++) this.above[i] = above[i]!;
    this.near = 0.01 * this.distance;
    const fx = (this.focus * this.height) / this.width;
    const rows = [this.right, this.above, this.forward];
    const shift = rows.map((row) => -dot(row, this.eye));
    const m = this.matrix;
    for (let c = 0; c < 3; c++) {
      m[4 * c] = fx * this.right[c]!;
      m[4 * c + 1] = this.focus * this.above[c]!;
      m[4 * c + 2] = this.forward[c]!;
      m[4 * c + 3] = this.forward[c]!;
    }
    m[12] = fx * shift[0]!;
    m[13] = this.focus * shift[1]!;
    m[14] = shift[2]! - 2 * this.near;
    m[15] = shift[2]!;
  }

  // At a place, with another in the middle of the picture; the same place leaves it as it is.
  stand(eye: ArrayLike<number>, target: ArrayLike<number>): void {
    const out: Vector = [eye[0]! - target[0]!, eye[1]! - target[1]!, eye[2]! - target[2]!];
    const distance = Math.hypot(...out);
    if (!(distance > 0)) return;
    const [x, y] = [dot(out, this.ground[0]), dot(out, this.ground[1])];
    const level = Math.hypot(x, y);
    this.target = [target[0]!, target[1]!, target[2]!];
    this.distance = distance;
    this.azimuth = level > 1e-9 * distance ? Math.atan2(y, x) : -Math.PI / 2;
    this.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, Math.atan2(dot(out, this.up), level)));
  }

  // The whole box in the picture, seen from this side; or these points of it, 3 numbers each.
  frame(low: ArrayLike<number>, high: ArrayLike<number>, points: ArrayLike<number> = cornersOf(low, high)): void {
    for (let i = 0; i < 3; i++) this.target[i] = 0.5 * (low[i]! + high[i]!);
    this.distance = 1;
    this.update();
    const tanY = 0.9 / LENS;
    const tanX = (tanY * this.width) / this.height;
    const [right, above, forward] = [this.right, this.above, this.forward];
    const seen = new Float64Array(points.length); // from the target: right, up, away
    // How far, then the middle of what is seen; again, because what is near moves more than what is far.
    for (let pass = 0; pass < PASSES; pass++) {
      let far = 1e-9;
      for (let k = 0; k < points.length; k += 3) {
        const a = points[k]! - this.target[0];
        const b = points[k + 1]! - this.target[1];
        const c = points[k + 2]! - this.target[2];
        const x = (seen[k] = a * right[0] + b * right[1] + c * right[2]);
        const y = (seen[k + 1] = a * above[0] + b * above[1] + c * above[2]);
        const z = (seen[k + 2] = a * forward[0] + b * forward[1] + c * forward[2]);
        far = Math.max(far, Math.abs(x) / tanX - z, Math.abs(y) / tanY - z);
      }
      this.distance = far;
      if (pass === PASSES - 1) break;
      const side = [Infinity, -Infinity, Infinity, -Infinity];
      for (let k = 0; k < seen.length; k += 3) {
        const part = far / (far + seen[k + 2]!);
        const [x, y] = [part * seen[k]!, part * seen[k + 1]!];
        side[0] = Math.min(side[0]!, x);
        side[1] = Math.max(side[1]!, x);
        side[2] = Math.min(side[2]!, y);
        side[3] = Math.max(side[3]!, y);
      }
      for (let i = 0; i < 3; i++)
        this.target[i]! +=
          0.5 * (side[0]! + side[1]!) * this.right[i]! + 0.5 * (side[2]! + side[3]!) * this.above[i]!;
    }
    this.update();
  }

  // Direction through a place of the picture, in pixels from its upper left corner.
  ray(x: number, y: number): Vector {
    const u = ((2 * x) / this.width - 1) * (this.width / this.height);
    const v = 1 - (2 * y) / this.height;
    const d: Vector = [0, 0, 0];
    for (let i = 0; i < 3; i++)
      d[i] = this.forward[i]! + (u * this.right[i]! + v * this.above[i]!) / this.focus;
    return unit(d);
  }

  // Where a point is in the picture: pixels and depth.
  project(p: ArrayLike<number>): Vector {
    const d = [p[0]! - this.eye[0]!, p[1]! - this.eye[1]!, p[2]! - this.eye[2]!];
    const z = dot(d, this.forward);
    const s = this.scale / z;
    return [0.5 * this.width + s * dot(d, this.right), 0.5 * this.height - s * dot(d, this.above), z];
  }

  orbit(dx: number, dy: number): void {
    this.azimuth -= dx;
    this.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, this.elevation + dy));
  }
  // By pixels of the picture, at the distance of the target.
  pan(dx: number, dy: number): void {
    const s = this.distance / this.scale;
    for (let i = 0; i < 3; i++) this.target[i]! += s * (-dx * this.right[i]! + dy * this.above[i]!);
  }
  // A point, and so all behind and before it, stays at its place of the picture.
  approach(factor: number, p: Vector): void {
    for (let i = 0; i < 3; i++) this.target[i] = p[i]! + factor * (this.target[i]! - p[i]!);
    this.distance *= factor;
  }
}
