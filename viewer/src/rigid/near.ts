// Coordinates far from zero, as those of a national grid, keep their digits: shapes are given round a
// middle of their own, bodies by a point near their shape, and both relative to an origin near the bodies,
// all in double precision. Only what is left over becomes 32-bit.
import type { Piece, Shape } from "./scene";

// A shape or a body is moved if it is so many times its size away from its own zero.
const FAR = 30;
const WIDE_PLANE = 1000; // m, from the origin to the point that gives a plane

type Place = ArrayLike<number>;

// A vector turned by a quaternion w, x, y, z, which starts at `at`.
export function rotate(q: Place, at: number, x: number, y: number, z: number): [number, number, number] {
  const w = q[at]!;
  const a = q[at + 1]!;
  const b = q[at + 2]!;
  const c = q[at + 3]!;
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

// The middle of the box round points and half its longest side.
function boxOf(points: Place): { middle: number[]; half: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    const c = i % 3;
    if (points[i]! < low[c]!) low[c] = points[i]!;
    if (points[i]! > high[c]!) high[c] = points[i]!;
  }
  return { middle: low.map((l, c) => 0.5 * (l + high[c]!)), half: 0.5 * Math.max(...low.map((l, c) => high[c]! - l)) };
}

// The middle that points are given round: 0 if they are near it.
export function middleOf(points: Place): number[] {
  const { middle, half } = boxOf(points);
  return points.length > 0 && Math.max(...middle.map(Math.abs)) > FAR * half ? middle : [0, 0, 0];
}

// Points round a middle in single precision.
export function pointsAround(points: Float64Array, middle: number[]): Float32Array {
  return Float32Array.from(points, (x, i) => x - middle[i % 3]!);
}

// Gives the pieces of compounds the middles of their shapes, and compounds middles of their own. Pieces
// may be compounds.
export function placePieces(shapes: Shape[]): void {
  const done = new Set<Shape>();
  const place = (shape: Shape): void => {
    if (done.has(shape)) return;
    done.add(shape);
    if (shape.pieces.length === 0) return;
    const at = shape.pieces.map(({ shape: number, position, orientation }) => {
      const part = shapes[number];
      if (part) place(part);
      const [x, y, z] = part?.middle ?? [0, 0, 0];
      return rotate(orientation, 0, x!, y!, z!).map((r, i) => r + position[i]!);
    });
    shape.middle = middleOf(at.flat());
    shape.pieces = shape.pieces.map((piece, k): Piece => ({ ...piece, position: Float64Array.from(at[k]!, (x, i) => x - shape.middle[i]!) }));
  };
  shapes.forEach(place);
}

// How far a shape reaches from its middle.
export function reachOf(shapes: Shape[], shape: Shape, depth = 0): number {
  let reach = 0;
  for (let i = 0; i < shape.vertices.length; i += 3) reach = Math.max(reach, Math.hypot(shape.vertices[i]!, shape.vertices[i + 1]!, shape.vertices[i + 2]!));
  for (const piece of depth < 8 ? shape.pieces : []) {
    const part = shapes[piece.shape];
    if (part) reach = Math.max(reach, Math.hypot(...piece.position) + reachOf(shapes, part, depth + 1));
  }
  return Math.max(reach, shape.vertices.length + shape.pieces.length > 0 ? 0 : Math.hypot(...shape.size));
}

// The point of a body that stands for its position, in its axes: 0 if its shape is near its centre.
export function pointNear(reach: number, offset: number[]): number[] {
  return Math.max(...offset.map(Math.abs)) > FAR * reach ? offset : [0, 0, 0];
}

// And of a plane, the foot of the origin on it. `at`: a point of the plane, relative to the origin.
export function footNear(at: number[], normal: Place, q: Place, k: number): number[] {
  const n = rotate(q, k, normal[0]!, normal[1]!, normal[2]!);
  const size = Math.hypot(...n) || 1;
  const above = (at[0]! * n[0] + at[1]! * n[1] + at[2]! * n[2]) / size ** 2;
  const back = at.map((x, i) => above * n[i]! - x);
  if (!(Math.hypot(...back) > WIDE_PLANE)) return [0, 0, 0];
  const turned = [q[k]!, -q[k + 1]!, -q[k + 2]!, -q[k + 3]!]; // into the axes of the body
  return rotate(turned, 0, back[0]!, back[1]!, back[2]!);
}

// Where bodies are: a point p of a shape of the file is at position + R (inFile + p), a point p from the
// middle of its shape at position + R (offset + p).
export interface Places {
  origin: Float64Array;
  offset: Float64Array; // 3 each
  inFile: Float64Array; // 3 each
  point: Float64Array; // 3 each, in the axes of the body: what stands for its position in the file
  moved: number[]; // bodies whose point is not 0
}

export interface Bodies {
  shapes: Shape[];
  shape: Int32Array;
  kind: Uint8Array;
  radius: Float64Array; // of what is far from its zero it becomes that about its point
  offset: Float64Array; // of the file
  position: Float64Array; // of the first frame
  orientation: Float64Array;
}

export function placeBodies({ shapes, shape, kind, radius, offset, position, orientation }: Bodies): Places {
  const count = kind.length;
  const places: Places = { origin: new Float64Array(3), offset: new Float64Array(3 * count), inFile: Float64Array.from(offset), point: new Float64Array(3 * count), moved: [] };
  const reaches = shapes.map((s) => reachOf(shapes, s));
  const put = (b: number, point: number[]) => {
    if (point.every((x) => x === 0)) return;
    point.forEach((x, i) => {
      places.point[3 * b + i] = x;
      places.inFile[3 * b + i]! -= x;
    });
    places.moved.push(b);
  };
  const reach = (b: number) => reaches[shape[b]!] ?? 0;
  const middle = (b: number) => shapes[shape[b]!]?.middle ?? [0, 0, 0];
  for (let b = 0; b < count; b++) {
    if (!isFinite(radius[b]!)) continue;
    put(b, pointNear(reach(b), middle(b).map((x, i) => x + offset[3 * b + i]!)));
  }
  // The file has radii about the zero of the shape.
  for (let b = 0; b < count; b++) {
    const off = middle(b).map((x, i) => x + places.inFile[3 * b + i]!);
    if (isFinite(radius[b]!) && (middle(b).some((x) => x !== 0) || places.moved.includes(b))) radius[b] = Math.hypot(...off) + reach(b);
  }
  const at = relative(places, position, orientation, count);
  const solid = Array.from({ length: count }, (_, b) => b).filter((b) => isFinite(radius[b]!) && isFinite(at[3 * b]! + at[3 * b + 1]! + at[3 * b + 2]!));
  const free = solid.filter((b) => kind[b] === 0);
  places.origin.set(originOf(free.length > 0 ? free : solid, at, radius));
  for (let b = 0; b < count; b++) {
    if (isFinite(radius[b]!)) continue;
    const plane = shapes[shape[b]!];
    const from = rotate(orientation, 4 * b, offset[3 * b]!, offset[3 * b + 1]!, offset[3 * b + 2]!).map((x, i) => x + position[3 * b + i]! - places.origin[i]!);
    if (plane?.type === "plane") put(b, footNear(from, plane.size, orientation, 4 * b));
  }
  for (let b = 0; b < count; b++) for (let i = 0; i < 3; i++) places.offset[3 * b + i] = places.inFile[3 * b + i]! + middle(b)[i]!;
  return places;
}

// The median place of bodies, rounded so that it reads well; 0 if they are near it.
function originOf(bodies: number[], at: Float64Array, radius: Float64Array): number[] {
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const place = [0, 1, 2].map((i) => median(bodies.map((b) => at[3 * b + i]!)));
  const far = Math.max(...place.map(Math.abs)) > FAR * (median(bodies.map((b) => radius[b]!)) || 1);
  return place.map((x) => (far ? Math.round(x) : 0));
}

// Positions of the file, frame after frame, relative to the origin.
export function relative(places: Places, position: Place, orientation: Place, bodies: number): Float64Array {
  const out = Float64Array.from(position, (x, i) => x - places.origin[i % 3]!);
  for (let first = 0; 3 * first < out.length; first += bodies)
    for (const b of places.moved) putPoint(places, b, position, orientation, first + b, out, 3 * (first + b));
  return out;
}

// Puts the place of a body that is moved, in row k of its positions and orientations, in `out`.
export function putPoint({ point, origin }: Places, b: number, position: Place, orientation: Place, k: number, out: Float32Array | Float64Array, to: number): void {
  const turned = rotate(orientation, 4 * k, point[3 * b]!, point[3 * b + 1]!, point[3 * b + 2]!);
  for (let i = 0; i < 3; i++) out[to + i] = position[3 * k + i]! - origin[i]! + turned[i]!;
}
