// The elements of a mesh: shape functions, their sides, and how they are cut into pieces that are
// straight enough for a picture. Numbers of types and nodes are those of the file: corners first,
// counter-clockwise, then the middles of the sides, then the centre.

export interface Element {
  nodes: number;
  dimension: number;
  sides: number[][]; // ends, then the middle if there is one; the element is at the left
  straight: boolean; // one piece is exact
  shape: (x: number, y: number) => number[];
  hats?: (x: number, y: number) => number[]; // linear between neighbouring nodes; none: those are the shapes
}

const TRIANGLE = [[0, 1], [1, 2], [2, 0]];
const QUAD = [[0, 1], [1, 2], [2, 3], [3, 0]];
const withMiddles = (sides: number[][]) => sides.map(([a, b], i) => [a!, b!, sides.length + i]);

// Of the ends and the middle of [-1, 1].
const curve = (x: number) => [(x * (x - 1)) / 2, (x * (x + 1)) / 2, 1 - x * x] as const;
// Which of these, in x and y, belong to the nodes of a quadrangle.
const PLACES = [[0, 0], [1, 0], [1, 1], [0, 1], [2, 0], [1, 2], [2, 1], [0, 2], [2, 2]] as const;

function quad9(x: number, y: number): number[] {
  const [u, v] = [curve(x), curve(y)];
  return PLACES.map(([i, j]) => u[i] * v[j]);
}
// The centre shared out, so that polynomials of degree 2 stay exact.
function quad8(x: number, y: number): number[] {
  const all = quad9(x, y);
  const centre = all[8]!;
  return all.slice(0, 8).map((n, i) => n + (i < 4 ? -0.25 : 0.5) * centre);
}

// The same places with functions that are linear between nodes.
const hat = (x: number) => [Math.max(0, -x), Math.max(0, x), 1 - Math.abs(x)] as const;
function hats9(x: number, y: number): number[] {
  const [u, v] = [hat(x), hat(y)];
  return PLACES.map(([i, j]) => u[i] * v[j]);
}
// Where there is no centre it is the mean of the middles.
function hats8(x: number, y: number): number[] {
  const all = hats9(x, y);
  return all.slice(0, 8).map((n, i) => n + (i < 4 ? 0 : 0.25) * all[8]!);
}
// On the four triangles of a triangle.
function hats6(x: number, y: number): number[] {
  const z = 1 - x - y;
  if (z >= 0.5) return [2 * z - 1, 0, 0, 2 * x, 0, 2 * y];
  if (x >= 0.5) return [0, 2 * x - 1, 0, 2 * z, 2 * y, 0];
  if (y >= 0.5) return [0, 0, 2 * y - 1, 0, 2 * x, 2 * z];
  return [0, 0, 0, 1 - 2 * y, 1 - 2 * z, 1 - 2 * x];
}

export const ELEMENTS: Element[] = [
  { nodes: 2, dimension: 1, sides: [[0], [1]], straight: true, shape: (x) => [(1 - x) / 2, (1 + x) / 2] },
  { nodes: 3, dimension: 1, sides: [[0], [1]], straight: false, shape: (x) => [...curve(x)], hats: (x) => [...hat(x)] },
  { nodes: 3, dimension: 2, sides: TRIANGLE, straight: true, shape: (x, y) => [1 - x - y, x, y] },
  {
    nodes: 6,
    dimension: 2,
    sides: withMiddles(TRIANGLE),
    straight: false,
    shape: (x, y) => {
      const z = 1 - x - y;
      return [z * (2 * z - 1), x * (2 * x - 1), y * (2 * y - 1), 4 * z * x, 4 * x * y, 4 * y * z];
    },
    hats: hats6,
  },
  {
    nodes: 4,
    dimension: 2,
    sides: QUAD,
    straight: false,
    shape: (x, y) => [(1 - x) * (1 - y), (1 + x) * (1 - y), (1 + x) * (1 + y), (1 - x) * (1 + y)].map((n) => n / 4),
  },
  { nodes: 8, dimension: 2, sides: withMiddles(QUAD), straight: false, shape: quad8, hats: hats8 },
  { nodes: 9, dimension: 2, sides: withMiddles(QUAD), straight: false, shape: quad9, hats: hats9 },
];
export const LINE2 = 0;
export const LINE3 = 1;

// Points of an element, the shape functions at them, and triangles between them.
export interface Cut {
  points: number;
  weight: Float64Array; // points x nodes
  hats: Float64Array; // the same of the hats
  triangle: Uint16Array; // 3 points each, none of a line
}

const made = new Map<number, Cut>();

// A type of element with each side in `parts`.
export function cut(type: number, parts: number): Cut {
  const element = ELEMENTS[type]!;
  if (element.straight) parts = 1;
  const key = type + ELEMENTS.length * parts;
  const known = made.get(key);
  if (known) return known;
  const weight: number[] = [];
  const hats: number[] = [];
  const add = (x: number, y: number) => {
    weight.push(...element.shape(x, y));
    hats.push(...(element.hats ?? element.shape)(x, y));
  };
  const triangle: number[] = [];
  const round = element.sides.length === 3;
  if (element.dimension === 1) for (let i = 0; i <= parts; i++) add((2 * i) / parts - 1, 0);
  else
    for (let j = 0, row = 0; j <= parts; j++) {
      const wide = round ? parts - j : parts; // pieces of this row
      for (let i = 0; i <= wide; i++) {
        const [x, y] = [i / parts, j / parts];
        if (round) add(x, y);
        else add(2 * x - 1, 2 * y - 1);
        if (i === wide || j === parts) continue;
        const above = row + wide + 1 + i;
        triangle.push(row + i, row + i + 1, above);
        if (!round || i + 1 < wide) triangle.push(row + i + 1, above + 1, above);
      }
      row += wide + 1;
    }
  const result = { points: weight.length / element.nodes, weight: Float64Array.from(weight), hats: Float64Array.from(hats), triangle: Uint16Array.from(triangle) };
  made.set(key, result);
  return result;
}
