// Shapes as what is drawn: facets (convex pieces with plane faces), soft surfaces and balls, all in
// the axes of the body, seen from its centre of mass.
import type { RigidScene, Shape } from "../../rigid/scene";
import { cross, unit, type Vector } from "./camera";

// Convex pieces. Each face has a vertex of its own that carries its light: the last one of its
// triangles, the one that WebGL takes a `flat` colour from.
export interface Facets {
  points: Float32Array; // 3 each
  normals: Float32Array; // 3 each: of the face that the vertex lights
  index: Uint32Array;
  start: Uint32Array; // first index of each face, one more at the end
  planes: Float32Array; // 4 each face: outward normal n and d, n . x = d
  edges: Int32Array; // 4 each: two vertices, the faces on both sides
  pieces: Int32Array; // first edge of each convex piece, one more at the end
  shortest: number; // of the edges
}

// Any surface, with normals at its vertices.
export interface Soft {
  points: Float32Array;
  normals: Float32Array;
  index: Uint32Array;
  creases: Uint32Array; // 2 vertices each: edges worth a line
}

export interface Model {
  facets: Facets | null;
  soft: Soft | null;
  balls: Float32Array; // 4 each: centre, radius
  plane: Float32Array | null; // normal and a point
  radius: number; // about the centre of mass
  triangles: number;
}

type Place = { r: number[]; t: number[] }; // rotation row by row, translation

export function rotation(w: number, x: number, y: number, z: number, out: number[] | Float64Array): void {
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (x * y + w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - w * x);
  out[6] = 2 * (x * z - w * y);
  out[7] = 2 * (y * z + w * x);
  out[8] = 1 - 2 * (x * x + y * y);
}

function turned(p: Place, v: ArrayLike<number>, i = 0): Vector {
  const [x, y, z] = [v[i]!, v[i + 1]!, v[i + 2]!];
  const r = p.r;
  return [
    r[0]! * x + r[1]! * y + r[2]! * z,
    r[3]! * x + r[4]! * y + r[5]! * z,
    r[6]! * x + r[7]! * y + r[8]! * z,
  ];
}
function placed(p: Place, v: ArrayLike<number>, i = 0): Vector {
  const d = turned(p, v, i);
  return [d[0] + p.t[0]!, d[1] + p.t[1]!, d[2] + p.t[2]!];
}

// --- convex pieces --------------------------------------------------------------------------------

interface Hull {
  points: Vector[];
  loops: number[][]; // counter-clockwise from outside
}

function hullOf(shape: Shape): Hull {
  const points: Vector[] = [];
  for (let i = 0; i < shape.vertices.length; i += 3)
    points.push([shape.vertices[i]!, shape.vertices[i + 1]!, shape.vertices[i + 2]!]);
  const loops: number[][] = [];
  let normal: Vector = [0, 0, 0];
  for (let t = 0; t < shape.triangles.length; t += 3) {
    const [a, b, c] = [shape.triangles[t]!, shape.triangles[t + 1]!, shape.triangles[t + 2]!];
    const n = normalOf(points[a]!, points[b]!, points[c]!);
    const last = loops[loops.length - 1];
    const same = n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2] > 1 - 1e-5;
    if (last && same && last[0] === a && last[last.length - 1] === b) last.push(c);
    else {
      loops.push([a, b, c]);
      normal = n;
    }
  }
  return { points, loops };
}

function normalOf(a: Vector, b: Vector, c: Vector): Vector {
  return unit(cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]));
}

// A right prism over a loop in the plane, from z = -half to half.
function prism(loop: [number, number][], half: number): Hull {
  const n = loop.length;
  const points: Vector[] = [...loop.map((p): Vector => [p[0], p[1], -half]), ...loop.map((p): Vector => [p[0], p[1], half])];
  const ring = loop.map((_, i) => i);
  const loops = [ring.map((i) => n - 1 - i), ring.map((i) => n + i)];
  for (let i = 0; i < n; i++) loops.push([i, (i + 1) % n, n + ((i + 1) % n), n + i]);
  return { points, loops };
}

function circle(radius: number, sides: number): [number, number][] {
  return Array.from({ length: sides }, (_, i) => {
    const a = (2 * Math.PI * i) / sides;
    return [radius * Math.cos(a), radius * Math.sin(a)];
  });
}

// A vertex of its own for as many faces as have one (augmenting paths); -1: none left.
function ownVertices(loops: number[][], vertices: number): number[] {
  const owner = new Int32Array(vertices).fill(-1);
  const own = new Array<number>(loops.length).fill(-1);
  const seen = new Int32Array(vertices).fill(-1);
  const find = (face: number, round: number, depth: number): boolean => {
    for (const v of loops[face]!) {
      if (seen[v] === round) continue;
      seen[v] = round;
      if (owner[v]! < 0 || (depth < 50 && find(owner[v]!, round, depth + 1))) {
        owner[v] = face;
        own[face] = v;
        return true;
      }
    }
    return false;
  };
  loops.forEach((_, face) => find(face, face, 0));
  return own;
}

function joinHulls(hulls: [Hull, Place][]): Facets | null {
  if (hulls.length === 0) return null;
  const points: number[] = [];
  const normals: number[] = [];
  const index: number[] = [];
  const start = [0];
  const planes: number[] = [];
  const edges: number[] = [];
  const pieces = [0];
  for (const [hull, place] of hulls) {
    const first = points.length / 3;
    const firstFace = start.length - 1;
    const at = hull.points.map((p) => placed(place, p));
    for (const p of at) points.push(...p), normals.push(0, 0, 1);
    const own = ownVertices(hull.loops, at.length);
    const sides = new Map<number, number>();
    hull.loops.forEach((loop, f) => {
      // The longest fan gives the best normal of a face with short edges.
      let n: Vector = [0, 0, 0];
      for (let i = 1; i + 1 < loop.length; i++) {
        const [a, b, c] = [at[loop[0]!]!, at[loop[i]!]!, at[loop[i + 1]!]!];
        const m = cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
        n = [n[0] + m[0], n[1] + m[1], n[2] + m[2]];
      }
      n = unit(n);
      let light = own[f]!;
      let turn = 0;
      if (light >= 0) turn = loop.indexOf(light);
      else {
        light = points.length / 3 - first;
        points.push(...at[loop[0]!]!);
        normals.push(0, 0, 1);
      }
      for (let i = 0; i < 3; i++) normals[3 * (first + light) + i] = n[i]!;
      const count = loop.length;
      for (let i = 1; i + 1 < count; i++)
        index.push(first + loop[(turn + i) % count]!, first + loop[(turn + i + 1) % count]!, first + light);
      start.push(index.length);
      const a = at[loop[0]!]!;
      planes.push(...n, n[0] * a[0] + n[1] * a[1] + n[2] * a[2]);
      for (let i = 0; i < count; i++) {
        const p = loop[i]!;
        const q = loop[(i + 1) % count]!;
        const key = Math.min(p, q) * at.length + Math.max(p, q);
        const other = sides.get(key);
        if (other === undefined) {
          sides.set(key, edges.length / 4);
          edges.push(first + p, first + q, firstFace + f, -1);
        } else edges[4 * other + 3] = firstFace + f;
      }
    });
    pieces.push(edges.length / 4);
  }
  let shortest = Infinity;
  for (let e = 0; e < edges.length; e += 4) {
    const [v, w] = [3 * edges[e]!, 3 * edges[e + 1]!];
    const long = Math.hypot(points[v]! - points[w]!, points[v + 1]! - points[w + 1]!, points[v + 2]! - points[w + 2]!);
    if (long > 0) shortest = Math.min(shortest, long);
  }
  // An edge of one face only (a fault of the data) counts as a silhouette when its face is seen.
  return {
    points: Float32Array.from(points),
    normals: Float32Array.from(normals),
    index: Uint32Array.from(index),
    start: Uint32Array.from(start),
    planes: Float32Array.from(planes),
    edges: Int32Array.from(edges),
    pieces: Int32Array.from(pieces),
    shortest,
  };
}

// --- soft surfaces --------------------------------------------------------------------------------

interface Surface {
  points: Float32Array;
  triangles: Int32Array;
}

// Normals are shared across edges that turn less than this.
const CREASE = Math.cos((35 * Math.PI) / 180);

// Normals at the corners of the triangles: mean of the triangles round the vertex that turn away
// little, weighted by area. On very fine surfaces, of all of them.
function soften(surface: Surface, place: Place): Soft {
  const { points, triangles } = surface;
  if (triangles.length > 3 * FINE) return softenAll(surface, place);
  const count = triangles.length / 3;
  const vertices = points.length / 3;
  const at = new Float32Array(points.length);
  for (let v = 0; v < vertices; v++) at.set(placed(place, points, 3 * v), 3 * v);
  const area = new Float32Array(3 * count);
  const flat = new Float32Array(3 * count);
  const users = new Int32Array(vertices + 1);
  for (let t = 0; t < count; t++) {
    const p = [0, 1, 2].map((c) => {
      const v = triangles[3 * t + c]!;
      users[v + 1]!++;
      return [at[3 * v]!, at[3 * v + 1]!, at[3 * v + 2]!] as Vector;
    });
    const [a, b, c] = p as [Vector, Vector, Vector];
    const n = cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
    area.set(n, 3 * t);
    flat.set(unit(n), 3 * t);
  }
  for (let v = 0; v < vertices; v++) users[v + 1]! += users[v]!;
  const list = new Int32Array(3 * count);
  const fill = users.slice();
  for (let i = 0; i < 3 * count; i++) list[fill[triangles[i]!]!++] = Math.floor(i / 3);
  const outPoints: number[] = [];
  const outNormals: number[] = [];
  const index = new Uint32Array(3 * count);
  const made = new Map<string, number>();
  for (let i = 0; i < 3 * count; i++) {
    const t = Math.floor(i / 3);
    const v = triangles[i]!;
    const n: Vector = [0, 0, 0];
    for (let k = users[v]!; k < users[v + 1]!; k++) {
      const o = list[k]!;
      let turn = 0;
      for (let c = 0; c < 3; c++) turn += flat[3 * t + c]! * flat[3 * o + c]!;
      if (turn >= CREASE) for (let c = 0; c < 3; c++) n[c]! += area[3 * o + c]!;
    }
    const u = unit(n);
    const key = `${v},${Math.round(200 * u[0])},${Math.round(200 * u[1])},${Math.round(200 * u[2])}`;
    let vertex = made.get(key);
    if (vertex === undefined) {
      made.set(key, (vertex = outPoints.length / 3));
      outPoints.push(at[3 * v]!, at[3 * v + 1]!, at[3 * v + 2]!);
      outNormals.push(...u);
    }
    index[i] = vertex;
  }
  return {
    points: Float32Array.from(outPoints),
    normals: Float32Array.from(outNormals),
    index,
    creases: creasesOf(triangles, flat, vertices, index),
  };
}

const FINE = 200000; // triangles
function softenAll(surface: Surface, place: Place): Soft {
  const { triangles } = surface;
  const points = new Float32Array(surface.points.length);
  for (let i = 0; i < points.length; i += 3) points.set(placed(place, surface.points, i), i);
  const normals = new Float32Array(points.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const n = cross(
      [points[b]! - points[a]!, points[b + 1]! - points[a + 1]!, points[b + 2]! - points[a + 2]!],
      [points[c]! - points[a]!, points[c + 1]! - points[a + 1]!, points[c + 2]! - points[a + 2]!],
    );
    for (const v of [a, b, c]) for (let i = 0; i < 3; i++) normals[v + i]! += n[i]!;
  }
  for (let i = 0; i < normals.length; i += 3) normals.set(unit(normals.subarray(i, i + 3)), i);
  return { points, normals, index: Uint32Array.from(triangles), creases: new Uint32Array(0) };
}

function creasesOf(triangles: Int32Array, flat: Float32Array, vertices: number, index: Uint32Array): Uint32Array {
  const first = new Map<number, number>(); // edge: the corner it starts from
  const lines: number[] = [];
  for (let t = 0; t < triangles.length / 3; t++)
    for (let c = 0; c < 3; c++) {
      const i = 3 * t + c;
      const j = 3 * t + ((c + 1) % 3);
      const p = triangles[i]!;
      const q = triangles[j]!;
      const key = Math.min(p, q) * vertices + Math.max(p, q);
      const other = first.get(key);
      if (other === undefined) {
        first.set(key, i);
        continue;
      }
      first.set(key, -1);
      if (other < 0) continue;
      const o = Math.floor(other / 3);
      let turn = 0;
      for (let k = 0; k < 3; k++) turn += flat[3 * t + k]! * flat[3 * o + k]!;
      if (turn < CREASE) lines.push(index[i]!, index[j]!);
    }
  // Edges of one triangle only are a rim.
  for (const i of first.values())
    if (i >= 0) lines.push(index[i]!, index[3 * Math.floor(i / 3) + ((i + 1) % 3)]!);
  return Uint32Array.from(lines);
}

function joinSoft(parts: Soft[]): Soft | null {
  if (parts.length === 0) return null;
  if (parts.length === 1) return parts[0]!;
  const sum = (f: (s: Soft) => number) => parts.reduce((a, s) => a + f(s), 0);
  const all: Soft = {
    points: new Float32Array(sum((s) => s.points.length)),
    normals: new Float32Array(sum((s) => s.points.length)),
    index: new Uint32Array(sum((s) => s.index.length)),
    creases: new Uint32Array(sum((s) => s.creases.length)),
  };
  let [v, i, c] = [0, 0, 0];
  for (const s of parts) {
    all.points.set(s.points, 3 * v);
    all.normals.set(s.normals, 3 * v);
    for (const k of s.index) all.index[i++] = k + v;
    for (const k of s.creases) all.creases[c++] = k + v;
    v += s.points.length / 3;
  }
  return all;
}

// A surface of revolution about z: rings of radius and height, from below to above. A ring of radius
// 0 is one point.
function lathe(rings: [number, number][], sides: number): Surface {
  const points: number[] = [];
  const triangles: number[] = [];
  const start: number[] = [];
  for (const [r, z] of rings) {
    start.push(points.length / 3);
    for (let i = 0; i < (r > 0 ? sides : 1); i++) {
      const a = (2 * Math.PI * i) / sides;
      points.push(r * Math.cos(a), r * Math.sin(a), z);
    }
  }
  const at = (k: number, i: number) => start[k]! + (rings[k]![0] > 0 ? i % sides : 0);
  for (let k = 0; k + 1 < rings.length; k++)
    for (let i = 0; i < sides; i++) {
      if (rings[k]![0] > 0) triangles.push(at(k, i), at(k, i + 1), at(k + 1, i + 1));
      if (rings[k + 1]![0] > 0) triangles.push(at(k, i), at(k + 1, i + 1), at(k + 1, i));
    }
  return { points: Float32Array.from(points), triangles: Int32Array.from(triangles) };
}

function capsule(radius: number, length: number, sides: number): Surface {
  const steps = Math.max(2, Math.round(sides / 4));
  const rings: [number, number][] = [];
  for (let k = 0; k <= steps; k++) {
    const a = (0.5 * Math.PI * k) / steps;
    rings.push([k ? radius * Math.sin(a) : 0, -0.5 * length - radius * Math.cos(a)]);
  }
  for (let k = steps; k >= 0; k--) rings.push([rings[k]![0], -rings[k]![1]]);
  return lathe(rings, sides);
}

function cylinder(radius: number, length: number, sides: number): Surface {
  const h = 0.5 * length;
  return lathe([[0, -h], [radius, -h], [radius, h], [0, h]], sides);
}

// Walls that stand on a chain of points in the plane, seen from both sides.
function walls(shape: Shape, half: number): Surface {
  const n = shape.vertices.length / 3;
  const points: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < n; i++)
    for (const z of [-half, half]) points.push(shape.vertices[3 * i]!, shape.vertices[3 * i + 1]!, z);
  for (let i = 0; i < (shape.size[0] ? n : n - 1); i++) {
    const [a, b, c, d] = [2 * i, 2 * ((i + 1) % n), 2 * ((i + 1) % n) + 1, 2 * i + 1];
    triangles.push(a, b, c, a, c, d);
    const k = points.length / 3;
    for (const v of [a, b, c, d]) points.push(points[3 * v]!, points[3 * v + 1]!, points[3 * v + 2]!);
    triangles.push(k, k + 2, k + 1, k, k + 3, k + 2);
  }
  return { points: Float32Array.from(points), triangles: Int32Array.from(triangles) };
}

// --- models ---------------------------------------------------------------------------------------

export class Models {
  private readonly known = new Map<string, Model>();
  private readonly sides: number; // of what is round
  private readonly half: number; // thickness of what is flat

  constructor(private readonly scene: RigidScene) {
    let round = 0;
    for (let b = 0; b < scene.count; b++) {
      const type = scene.shapes[scene.shape[b]!]?.type;
      if (type === "capsule" || type === "cylinder" || type === "compound" || type === "disc") round++;
    }
    this.sides = round > 500 ? 12 : 32; // few sides: as facets, of which only what is seen is drawn
    const sizes = Array.from(scene.radius).filter((r, b) => isFinite(r) && scene.kind[b] === 0);
    sizes.sort((a, b) => a - b);
    this.half = 0.3 * (sizes[sizes.length >> 1] ?? 1);
  }

  of(body: number): Model {
    const shape = this.scene.shape[body]!;
    const t = [0, 1, 2].map((i) => this.scene.offset[3 * body + i] ?? 0);
    const key = `${shape} ${t.join(" ")}`;
    let model = this.known.get(key);
    if (!model) this.known.set(key, (model = this.make(shape, t)));
    return model;
  }

  private make(shape: number, t: number[]): Model {
    const hulls: [Hull, Place][] = [];
    const soft: Soft[] = [];
    const balls: number[] = [];
    let plane: Float32Array | null = null;
    const add = (number: number, place: Place, depth: number): void => {
      const s = this.scene.shapes[number];
      if (!s || depth > 8) return;
      switch (s.type) {
        case "sphere":
          balls.push(...place.t, s.size[0]!);
          break;
        case "box":
        case "polyhedron":
          hulls.push([hullOf(s), place]);
          break;
        case "polygon": {
          const loop: [number, number][] = [];
          for (let i = 0; i < s.vertices.length; i += 3) loop.push([s.vertices[i]!, s.vertices[i + 1]!]);
          hulls.push([prism(loop, this.half), place]);
          break;
        }
        case "disc":
          if (this.sides > 12) soft.push(soften(cylinder(s.size[0]!, 2 * this.half, this.sides), place));
          else hulls.push([prism(circle(s.size[0]!, this.sides), this.half), place]);
          break;
        case "capsule":
          if (this.sides > 12) soft.push(soften(capsule(s.size[0]!, s.size[1]!, this.sides), place));
          else {
            hulls.push([prism(circle(s.size[0]!, this.sides), 0.5 * s.size[1]!), place]);
            for (const end of [-0.5, 0.5]) balls.push(...placed(place, [0, 0, end * s.size[1]!]), s.size[0]!);
          }
          break;
        case "cylinder":
          if (this.sides > 12) soft.push(soften(cylinder(s.size[0]!, s.size[1]!, this.sides), place));
          else hulls.push([prism(circle(s.size[0]!, this.sides), 0.5 * s.size[1]!), place]);
          break;
        case "mesh":
        case "heights":
          soft.push(soften({ points: s.vertices, triangles: s.triangles }, place));
          break;
        case "chain":
          soft.push(soften(walls(s, 3 * this.half), place));
          break;
        case "plane":
          plane = Float32Array.from([...turned(place, s.size), ...place.t]);
          break;
        case "compound":
          for (const piece of s.pieces) {
            const r = new Array<number>(9);
            const q = piece.orientation;
            rotation(q[0]!, q[1]!, q[2]!, q[3]!, r);
            const columns = [0, 1, 2].map((c) => turned(place, [r[c]!, r[3 + c]!, r[6 + c]!]));
            const joined = [0, 1, 2].flatMap((row) => columns.map((column) => column[row]!));
            add(piece.shape, { r: joined, t: placed(place, piece.position) }, depth + 1);
          }
          break;
      }
    };
    add(shape, { r: [1, 0, 0, 0, 1, 0, 0, 0, 1], t }, 0);
    const facets = joinHulls(hulls);
    const surface = joinSoft(soft);
    let radius = 0;
    for (const points of [facets?.points, surface?.points])
      for (let i = 0; points && i < points.length; i += 3)
        radius = Math.max(radius, Math.hypot(points[i]!, points[i + 1]!, points[i + 2]!));
    for (let i = 0; i < balls.length; i += 4)
      radius = Math.max(radius, Math.hypot(balls[i]!, balls[i + 1]!, balls[i + 2]!) + balls[i + 3]!);
    return {
      facets,
      soft: surface,
      balls: Float32Array.from(balls),
      plane,
      radius,
      triangles: ((facets?.index.length ?? 0) + (surface?.index.length ?? 0)) / 3 + balls.length / 2,
    };
  }
}
