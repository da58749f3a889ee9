// A mesh in space as the plane shows it: the faces of its surface that one sees, in a parallel
// projection, behind before in front. At first sections of symmetry at low x and y are turned to the
// viewer.
import { ELEMENTS } from "./elements";

export const SPACE = 7; // the first type of element in space: tetrahedra of 4 and 10 nodes, hexahedra of 8, 20 and 27

type Vector = [number, number, number];

function unit(v: Vector): Vector {
  const length = Math.hypot(...v);
  return v.map((c) => c / length) as Vector;
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

const along = (axis: Vector, v: ArrayLike<number>, at: number) => axis[0] * v[at]! + axis[1] * v[at + 1]! + axis[2] * v[at + 2]!;

// A parallel projection: to the viewer, to the right and up in the picture are unit vectors, across
// each other. Seen from straight above, x is to the right.
export class Projection {
  readonly to: Vector;
  private readonly right: Vector;
  private readonly up: Vector;

  constructor(to: number[]) {
    this.to = unit([to[0]!, to[1]!, to[2]!]);
    this.right = Math.hypot(this.to[0], this.to[1]) > 1e-9 ? unit([-this.to[1], this.to[0], 0]) : [1, 0, 0];
    this.up = cross(this.to, this.right);
  }

  // Where a vector of three numbers is in the picture.
  point(v: ArrayLike<number>, at = 0): [number, number] {
    return [along(this.right, v, at), along(this.up, v, at)];
  }
  // The same of many.
  points(v: ArrayLike<number>): Float32Array {
    const out = new Float32Array((v.length / 3) * 2);
    for (let i = 0; 3 * i < v.length; i++) out.set(this.point(v, 3 * i), 2 * i);
    return out;
  }
}

export const CUSTOMARY = [-0.45, -0.8, 0.5]; // direction to the viewer

// Corners of the faces, counter-clockwise from outside, and of the edges whose middles follow the
// corners, in the numbers of Gmsh.
const SOLIDS = {
  tetrahedron: {
    faces: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    edges: [[0, 1], [1, 2], [2, 0], [3, 0], [2, 3], [1, 3]],
  },
  hexahedron: {
    faces: [[0, 3, 2, 1], [0, 1, 5, 4], [0, 4, 7, 3], [1, 2, 6, 5], [2, 3, 7, 6], [4, 5, 6, 7]],
    edges: [[0, 1], [0, 3], [0, 4], [1, 2], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 7], [5, 6], [6, 7]],
  },
};

// The faces of a type of element as elements of the plane: their type and their nodes.
function facesOf(type: number): { type: number; nodes: number[] }[] {
  const solid = type < SPACE + 2 ? SOLIDS.tetrahedron : SOLIDS.hexahedron;
  const corners = type < SPACE + 2 ? 4 : 8;
  const linear = type === SPACE || type === SPACE + 2;
  const centred = type === SPACE + 4;
  return solid.faces.map((face, f) => {
    const nodes = [...face];
    if (!linear)
      face.forEach((a, i) => {
        const b = face[(i + 1) % face.length]!;
        nodes.push(corners + solid.edges.findIndex(([p, q]) => (p === a && q === b) || (p === b && q === a)));
      });
    if (centred) nodes.push(corners + solid.edges.length + f);
    return { type: ELEMENTS.findIndex((e) => e.dimension === 2 && e.nodes === nodes.length && e.sides.length === face.length), nodes };
  });
}

export interface Face {
  type: number; // of an element of the plane
  nodes: number[];
  group: number;
}

// The faces that only one element has.
export function outerFaces(first: Int32Array, cellNode: Int32Array, type: Int32Array, group: Int32Array): Face[] {
  const known = new Map<string, Face | null>();
  for (let cell = 0; cell < type.length; cell++)
    for (const face of facesOf(type[cell]!)) {
      const nodes = face.nodes.map((n) => cellNode[first[cell]! + n]!);
      const key = nodes
        .slice(0, ELEMENTS[face.type]!.sides.length)
        .sort((a, b) => a - b)
        .join();
      known.set(key, known.has(key) ? null : { type: face.type, nodes, group: group[cell]! });
    }
  return [...known.values()].filter((face) => face !== null);
}

export interface Surface {
  node: Float64Array; // x, y of the picture at the start; NaN of nodes that one does not see
  first: Int32Array;
  cellNode: Int32Array;
  type: Int32Array;
  group: Int32Array;
}

// What one sees of faces whose nodes are at `place`.
export function surface(projection: Projection, faces: Face[], place: ArrayLike<number>, start: Float64Array): Surface {
  const { to } = projection;
  const at = (n: number): Vector => [place[3 * n]!, place[3 * n + 1]!, place[3 * n + 2]!];
  const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const seen = faces
    .filter(({ nodes }) => along(to, cross(minus(at(nodes[1]!), at(nodes[0]!)), minus(at(nodes[2]!), at(nodes[0]!))), 0) > 0)
    .map((face) => ({ face, depth: Math.max(...face.nodes.map((n) => along(to, place, 3 * n))) }))
    .sort((a, b) => a.depth - b.depth)
    .map(({ face }) => face);
  const node = new Float64Array((start.length / 3) * 2).fill(NaN);
  const starts = [0];
  for (const { nodes } of seen) {
    for (const n of nodes) node.set(projection.point(start, 3 * n), 2 * n);
    starts.push(starts[starts.length - 1]! + nodes.length);
  }
  return {
    node,
    first: Int32Array.from(starts),
    cellNode: Int32Array.from(seen.flatMap(({ nodes }) => nodes)),
    type: Int32Array.from(seen, (face) => face.type),
    group: Int32Array.from(seen, (face) => face.group),
  };
}

const CREASE = 0.8; // cosine of the angle between faces from which on their edge is drawn

// Whether two faces, by three of their nodes each, meet at an edge that one sees.
export function isCrease(place: Float64Array, a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const normal = (face: ArrayLike<number>): Vector => {
    const at = (k: number, c: number) => place[3 * face[k]! + c]! - place[3 * face[0]! + c]!;
    return unit(cross([at(1, 0), at(1, 1), at(1, 2)], [at(2, 0), at(2, 1), at(2, 2)]));
  };
  return along(normal(a), normal(b), 0) < CREASE;
}

const CIRCLE = 64; // sides of the outline of a ball

// The outline of a body in the picture: a ball of a radius (the other sizes are 0), or the edges of a
// box. `place`: where it is; `turn`: quaternion w, x, y, z.
export function outlineInSpace(projection: Projection, size: ArrayLike<number>, place: ArrayLike<number>, turn: ArrayLike<number>): number[][] {
  const [x, y] = projection.point(place);
  if (!(size[1]! > 0)) return [circle(x, y, size[0]!)];
  const corner = (i: number): [number, number] => {
    const v: Vector = [0, 1, 2].map((k) => ((i >> k) & 1 ? 0.5 : -0.5) * size[k]!) as Vector;
    const [w, ...axis] = Array.from(turn) as [number, number, number, number];
    const t = cross(axis as Vector, v).map((c) => 2 * c) as Vector;
    const u = cross(axis as Vector, t);
    const [px, py] = projection.point([0, 1, 2].map((k) => v[k]! + w * t[k]! + u[k]!));
    return [x + px, y + py];
  };
  const edges: number[][] = [];
  for (let i = 0; i < 8; i++) for (let k = 0; k < 3; k++) if (!((i >> k) & 1)) edges.push([...corner(i), ...corner(i | (1 << k))]);
  return edges;
}

// The outline of a body in the plane, where it starts.
export function outlineInPlane(size: ArrayLike<number>, x: number, y: number): number[][] {
  const [a, b] = [size[0]! / 2, size[1]! / 2];
  return b > 0 ? [[x - a, y - b, x + a, y - b, x + a, y + b, x - a, y + b, x - a, y - b]] : [circle(x, y, size[0]!)];
}

function circle(x: number, y: number, radius: number): number[] {
  return Array.from({ length: CIRCLE + 1 }, (_, i) => (2 * Math.PI * i) / CIRCLE).flatMap((angle) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]);
}
