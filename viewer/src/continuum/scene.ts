// What a run of a continuum was made from: a mesh whose elements belong to media, surfaces of contact,
// rigid bodies.
import type { Run } from "../run";
import { ELEMENTS } from "./elements";
import { CUSTOMARY, isCrease, outlineInPlane, outerFaces, Projection, SPACE, surface, type Face } from "./surface";

// A side of elements: its ends, and the node in its middle or -1.
export interface Side {
  from: number;
  to: number;
  middle: number;
  cell: number; // at its left
  border: boolean; // of the mesh, or between two media
}

// A surface of contact: its nodes, as `touches` first to last of the series.
export interface Contact {
  name: string;
  touches: number[];
}

export class ContinuumScene {
  readonly nodes: number;
  cells: number;
  readonly dimension: 1 | 2;
  sides: Side[];
  readonly places: Float32Array | Float64Array; // of all nodes in the picture, x, y, at the start
  readonly contacts: Contact[];
  readonly touchOf: Map<number, number[]>; // touches of a node
  readonly low: [number, number] = [Infinity, Infinity]; // of the mesh, m
  readonly high: [number, number] = [-Infinity, -Infinity];
  cellSize: number; // of one on average, m

  private constructor(
    readonly run: Run,
    // Of a mesh in space the faces that one sees.
    public node: Float64Array, // x, y
    public first: Int32Array, // of a cell in `cellNode`
    public cellNode: Int32Array,
    public type: Int32Array,
    public group: Int32Array, // medium of a cell
    readonly media: string[],
    readonly fluid: Int32Array,
    readonly fractions: Int32Array, // of each medium: -1 without temperatures, 1 of liquid, 3 of an alloy; empty: there are none
    readonly bodies: string[],
    readonly outline: number[][][], // of each body: lines as x, y, x, y, …, where it was at first
    readonly start: Float64Array, // x, y, angle of bodies, 6 apart
    contactNames: string[],
    readonly touchNode: Int32Array,
    touchContact: Int32Array,
    readonly normal: Float64Array,
    readonly space: Float64Array | null, // x, y, z of nodes in space, of which `node` is the picture
    readonly size: Float64Array, // of bodies that move, three numbers each
    readonly projection: Projection, // of a mesh in space
    private readonly faces: Face[], // of its surface
    readonly elements: number,
  ) {
    this.nodes = node.length / 2;
    this.cells = type.length;
    this.dimension = type.length > 0 && ELEMENTS[type[0]!]!.dimension === 1 ? 1 : 2;
    this.places = space ? projection.points(space) : node;
    this.places.forEach((x, i) => {
      const axis = (i % 2) as 0 | 1;
      this.low[axis] = Math.min(this.low[axis], x);
      this.high[axis] = Math.max(this.high[axis], x);
    });
    this.sides = this.dimension === 2 ? this.findSides() : [];
    this.cellSize = this.measureCells();
    this.contacts = contactNames.map((name) => ({ name, touches: [] }));
    this.touchOf = new Map();
    touchNode.forEach((n, touch) => {
      this.contacts[touchContact[touch]!]?.touches.push(touch);
      this.touchOf.set(n, [...(this.touchOf.get(n) ?? []), touch]);
    });
  }

  // Seen from a direction, if it is in space.
  // The faces of a mesh in space that one sees when its nodes are displaced so far.
  see(shift: Float32Array, factor: number): void {
    const { space, faces, projection } = this;
    if (!space) return;
    const seen = surface(projection, faces, space.map((x, i) => x + factor * (shift[i] ?? 0)), space);
    const same = seen.cellNode.length === this.cellNode.length && seen.cellNode.every((n, i) => n === this.cellNode[i]);
    if (same) return;
    Object.assign(this, seen);
    this.cells = this.type.length;
    this.sides = this.findSides();
    this.cellSize = this.measureCells();
  }

  static async load(run: Run, from = CUSTOMARY): Promise<ContinuumScene> {
    const projection = new Projection(from);
    const [node, first, cellNode, type, group, media, fluid, fractions, bodies, outline, start, contacts, touchNode, touchContact, normal, size] = await Promise.all([
      run.all("mesh/node", "f64"),
      run.all("mesh/cell_first", "i32"),
      run.all("mesh/cell_node", "i32"),
      run.all("mesh/cell_type", "i32"),
      run.all("mesh/cell_group", "i32"),
      run.lines("media/name"),
      run.all("media/fluid", "i32"),
      run.all("media/fractions", "i32"),
      run.lines("bodies/name"),
      readOutlines(run),
      run.has("frames/body") ? run.rows("frames/body", "f64", { first: 0 }) : new Float64Array(0),
      run.lines("contact/name"),
      run.all("contact/node", "i32"),
      run.all("contact/number", "i32"),
      run.all("contact/normal", "f64"),
      run.all("bodies/size", "f64"),
    ]);
    if (type.length > 0 && type[0]! >= SPACE) {
      const faces = outerFaces(first, cellNode, type, group);
      const seen = surface(projection, faces, node, node);
      const places = Float64Array.from(bodies.flatMap((_, b) => [...projection.point(start, 13 * b), 0, 0, 0, 0]));
      return new ContinuumScene(run, seen.node, seen.first, seen.cellNode, seen.type, seen.group, media, fluid, fractions, bodies, [], places, contacts, touchNode, touchContact, normal, node, size, projection, faces, type.length);
    }
    bodies.forEach((_, b) => {
      if (size.length > 3 * b) outline[b] = outlineInPlane(size.subarray(3 * b, 3 * b + 3), start[6 * b]!, start[6 * b + 1]!);
    });
    return new ContinuumScene(run, node, first, cellNode, type, group, media, fluid, fractions, bodies, outline, start, contacts, touchNode, touchContact, normal, null, size, projection, [], type.length);
  }

  contactOf(touch: number): string {
    return this.contacts.find((c) => c.touches.includes(touch))?.name ?? "";
  }

  // The medium of the first element that has this node.
  mediumOf(node: number): number {
    const at = this.cellNode.indexOf(node);
    let cell = 0;
    while (cell + 1 < this.cells && this.first[cell + 1]! <= at) cell++;
    return this.group[cell] ?? -1;
  }

  // Every side once.
  private findSides(): Side[] {
    const { nodes, first, cellNode, type, group } = this;
    const known = new Map<number, Side>();
    for (let cell = 0; cell < this.cells; cell++)
      for (const [a, b, m] of ELEMENTS[type[cell]!]!.sides) {
        const [from, to] = [cellNode[first[cell]! + a!]!, cellNode[first[cell]! + b!]!];
        const middle = m === undefined ? -1 : cellNode[first[cell]! + m]!;
        const key = Math.min(from, to) * nodes + Math.max(from, to);
        const other = known.get(key);
        if (other) other.border = group[other.cell] !== group[cell] || this.meetsAtEdge(other.cell, cell);
        else known.set(key, { from, to, middle, cell, border: true });
      }
    return [...known.values()];
  }

  // Whether two faces of a surface in space meet at an edge of it.
  private meetsAtEdge(a: number, b: number): boolean {
    const nodes = (cell: number) => this.cellNode.subarray(this.first[cell]!, this.first[cell]! + 3);
    return this.space !== null && isCrease(this.space, nodes(a), nodes(b));
  }

  // The side of a square as large as the box around a cell is, on average.
  private measureCells(): number {
    const { node, first, cellNode } = this;
    let sum = 0;
    for (let cell = 0; cell < this.cells; cell++) {
      let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
      for (let i = first[cell]!; i < first[cell + 1]!; i++) {
        const [x, y] = [node[2 * cellNode[i]!]!, node[2 * cellNode[i]! + 1]!];
        [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
      }
      sum += this.dimension === 1 ? x1 - x0 : (x1 - x0) * (y1 - y0);
    }
    const mean = sum / (this.cells || 1);
    return this.dimension === 1 ? mean : Math.sqrt(mean);
  }
}

// Sides of bodies as the file has them: two ends each.
async function readOutlines(run: Run): Promise<number[][][]> {
  const [ends, body] = await Promise.all([run.all("bodies/outline", "f64"), run.all("bodies/outline_body", "i32")]);
  const all: number[][][] = [];
  for (let k = 0; 4 * k < ends.length; k++) (all[body[k] ?? 0] ??= []).push(Array.from(ends.subarray(4 * k, 4 * k + 4)));
  return all;
}
