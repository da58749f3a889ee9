// Planes as wide discs round what is looked at, faded out at their rims, and a grid that suits the
// distance.
import type { Frame } from "../../rigid/frames";
import { cross, dot, unit, type Camera, type Vector } from "./camera";
import { middleOf, sizeOf, type Box } from "./extent";
import { Store, pack, type GL } from "./gl";
import { brightness } from "./light";
import { rotation, type Model } from "./shapes";

interface Plane {
  point: Vector;
  normal: Vector;
}

const RINGS = [0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1];
const SIDES = 40;
const CELLS = 24; // grid lines to each side

export class Ground {
  readonly fill: Store; // floors: planes that face up
  readonly walls: Store; // other planes, no wider than the scene
  readonly grid: Store;
  readonly middle = [0, 0, 0, 1]; // of the floor, and how far it reaches
  readonly wallMiddle = [0, 0, 0, 1];
  step = 1; // m from line to line
  private readonly r = new Float64Array(9);

  constructor(
    gl: GL,
    private readonly planes: Int32Array, // bodies
    private readonly model: Model[],
    private readonly sun: Vector,
    private readonly origin: ArrayLike<number>, // of the coordinates: lines are where those of the run are whole
  ) {
    this.fill = new Store(gl, 4);
    this.walls = new Store(gl, 4);
    this.grid = new Store(gl, 4);
  }

  dispose(): void {
    this.fill.dispose();
    this.walls.dispose();
    this.grid.dispose();
  }

  // The planes of a frame; of kept numbers at most.
  private at(frame: Frame): [number, Plane][] {
    const all: [number, Plane][] = [];
    for (const b of this.planes) {
      const p = frame.position;
      const o = frame.orientation;
      const m = this.model[b]!.plane!;
      rotation(o[4 * b]!, o[4 * b + 1]!, o[4 * b + 2]!, o[4 * b + 3]!, this.r);
      const turn = (i: number): Vector => {
        const v: Vector = [0, 0, 0];
        for (let c = 0; c < 3; c++)
          v[c] = this.r[3 * c]! * m[i]! + this.r[3 * c + 1]! * m[i + 1]! + this.r[3 * c + 2]! * m[i + 2]!;
        return v;
      };
      const normal = unit(turn(0));
      const t = turn(3);
      const point: Vector = [p[3 * b]! + t[0], p[3 * b + 1]! + t[1], p[3 * b + 2]! + t[2]];
      if (isFinite(point[0] + point[1] + point[2] + normal[0] + normal[1] + normal[2])) all.push([b, { point, normal }]);
    }
    return all;
  }

  // How high the highest plane that faces up is, if there is one.
  static heights(frame: Frame, planes: Int32Array, model: Model[], up: Vector): number[] {
    const list: number[] = [];
    for (const b of planes) {
      const m = model[b]!.plane!;
      const p = [0, 1, 2].map((i) => frame.position[3 * b + i]! + m[3 + i]!);
      if (dot(m, up) > 0.5 && isFinite(p[0]! + p[1]! + p[2]!)) list.push(dot(p, up));
    }
    return list;
  }

  build(frame: Frame, camera: Camera, extent: Box, paint: Uint32Array, ink: number[]): void {
    const reach = Math.max(4 * camera.distance, 1.5 * sizeOf(extent));
    for (let i = 0; i < 3; i++) this.middle[i] = camera.target[i]!;
    this.middle[3] = reach;
    this.step = rounded(reach / 40);
    this.fill.clear();
    this.walls.clear();
    this.grid.clear();
    const planes = this.at(frame);
    const middle = middleOf(extent);
    for (let i = 0; i < 3; i++) this.wallMiddle[i] = middle[i]!;
    this.wallMiddle[3] = 0.75 * sizeOf(extent);
    for (const [b, plane] of planes)
      if (dot(plane.normal, camera.up) > 0.5) this.disc(this.fill, plane, camera.target, camera, reach, paint[b]!);
      else this.disc(this.walls, plane, middle, camera, this.wallMiddle[3]!, paint[b]!);
    const flat = planes.filter(([, p]) => dot(p.normal, camera.up) > 0.98);
    for (const [, plane] of flat) this.lines(plane, camera, ink);
    if (flat.length === 0) {
      const point: Vector = [0, 0, 0];
      for (let i = 0; i < 3; i++) point[i] = extent.low[i]! * camera.up[i]!;
      this.lines({ point, normal: camera.up }, camera, ink);
    }
    this.fill.upload();
    this.walls.upload();
    this.grid.upload();
  }

  // The foot of a point on the plane and two directions in it.
  private axes(plane: Plane, from: Vector, camera: Camera): [Vector, Vector, Vector] {
    const { point, normal } = plane;
    const d = dot(normal, point) - dot(normal, from);
    const foot: Vector = [0, 0, 0];
    for (let i = 0; i < 3; i++) foot[i] = from[i]! + d * normal[i]!;
    const helper = Math.abs(dot(normal, camera.ground[0])) < 0.9 ? camera.ground[0] : camera.ground[1];
    const second = unit(cross(normal, helper));
    return [foot, cross(second, normal), second];
  }

  private disc(store: Store, plane: Plane, from: Vector, camera: Camera, reach: number, color: number): void {
    const [foot, e1, e2] = this.axes(plane, from, camera);
    const bright = brightness(dot(plane.normal, this.sun), dot(plane.normal, camera.up));
    const word = (color & 0xffffff) | (Math.round(255 * Math.min(1, bright)) << 24);
    store.reserve(RINGS.length * SIDES, RINGS.length * SIDES * 6, 0);
    const first = store.vertices;
    for (const ring of RINGS)
      for (let k = 0; k < SIDES; k++) {
        const a = (2 * Math.PI * k) / SIDES;
        const u = reach * ring * Math.cos(a);
        const v = reach * ring * Math.sin(a);
        store.vertex(
          foot[0] + u * e1[0] + v * e2[0],
          foot[1] + u * e1[1] + v * e2[1],
          foot[2] + u * e1[2] + v * e2[2],
          word,
        );
      }
    for (let ring = 0; ring + 1 < RINGS.length; ring++)
      for (let k = 0; k < SIDES; k++) {
        const a = first + ring * SIDES + k;
        const b = first + ring * SIDES + ((k + 1) % SIDES);
        if (ring > 0) store.triangle(a, b + SIDES, b);
        store.triangle(a, a + SIDES, b + SIDES);
      }
  }

  // Lines at whole steps, every fifth one stronger.
  private lines(plane: Plane, camera: Camera, ink: number[]): void {
    const [foot, e1, e2] = this.axes(plane, camera.target, camera);
    const store = this.grid;
    const step = this.step;
    const [u1, v1] = [dot(this.origin, e1), dot(this.origin, e2)];
    const u0 = Math.round((dot(foot, e1) + u1) / step);
    const v0 = Math.round((dot(foot, e2) + v1) / step);
    const height = dot(plane.point, plane.normal);
    const parts = 12;
    const reach = CELLS * step;
    this.middle[3] = Math.min(this.middle[3]!, 1.6 * reach);
    store.reserve(4 * (2 * CELLS + 1) * (parts + 1), 0, 4 * (2 * CELLS + 1) * parts);
    for (let side = 0; side < 2; side++)
      for (let k = -CELLS; k <= CELLS; k++) {
        const line = (side ? v0 : u0) + k;
        const strong = line % 5 === 0;
        const word = pack(ink[0]!, ink[1]!, ink[2]!, strong ? 0.3 : 0.13);
        for (let part = 0; part <= parts; part++) {
          const along = (side ? u0 : v0) * step + reach * ((2 * part) / parts - 1);
          const u = side ? along : line * step;
          const v = side ? line * step : along;
          const at = store.vertex(
            (u - u1) * e1[0] + (v - v1) * e2[0] + height * plane.normal[0],
            (u - u1) * e1[1] + (v - v1) * e2[1] + height * plane.normal[1],
            (u - u1) * e1[2] + (v - v1) * e2[2] + height * plane.normal[2],
            word,
          );
          if (part > 0) store.line(at - 1, at);
        }
      }
  }
}

// 1, 2 or 5 times a power of ten, near this.
export function rounded(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  const part = value / ten;
  return ten * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}
