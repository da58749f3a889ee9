// What acts along a surface of contact, over its arc length. The surface is followed from side to side,
// whatever order the file has its nodes in; it begins at its left end (the lower one, if it is upright).
import type { Profile, ProfileCurves } from "../view";
import type { ContinuumScene, Side } from "./scene";

// Touches in order, a list for each connected piece, with the arc length at each.
export interface Piece {
  touch: number[];
  arc: number[];
}

export function piecesOf(scene: ContinuumScene, contact: number): Piece[] {
  const { node, normal, touchNode } = scene;
  const touches = scene.contacts[contact]!.touches;
  const at = new Map(touches.map((touch) => [touchNode[touch]!, touch]));
  // A side of the surface has all its nodes there, and looks where they look.
  const looks = (n: number, x: number, y: number) => normal[2 * at.get(n)!]! * x + normal[2 * at.get(n)! + 1]! * y > 0;
  const onSurface = ({ from, to, middle, border }: Side) => {
    if (!border || !at.has(from) || !at.has(to) || (middle >= 0 && !at.has(middle))) return false;
    const [x, y] = [node[2 * to + 1]! - node[2 * from + 1]!, node[2 * from]! - node[2 * to]!];
    return looks(from, x, y) && looks(to, x, y);
  };
  const next = new Map<number, Side>();
  const ends = new Set<number>();
  for (const side of scene.sides)
    if (onSurface(side)) {
      next.set(side.from, side);
      ends.add(side.to);
    }
  // From every free beginning, then round what is closed.
  const lists: number[][] = [];
  const follow = (start: number) => {
    const list = [start];
    for (let side = next.get(start); side; side = next.get(side.to)) {
      next.delete(side.from);
      if (side.middle >= 0) list.push(side.middle);
      list.push(side.to);
    }
    lists.push(list);
  };
  for (const n of [...next.keys()]) if (!ends.has(n)) follow(n);
  for (const n of [...next.keys()]) if (next.has(n)) follow(n);
  const seen = new Set(lists.flat());
  for (const n of at.keys()) if (!seen.has(n)) lists.push([n]);
  const before = (a: number, b: number) => node[2 * a]! - node[2 * b]! || node[2 * a + 1]! - node[2 * b + 1]!;
  for (const list of lists) if (before(list[0]!, list[list.length - 1]!) > 0) list.reverse();
  lists.sort((a, b) => before(a[0]!, b[0]!));
  let arc = 0;
  return lists.map((list) => ({
    touch: list.map((n) => at.get(n)!),
    arc: list.map((n, i) => {
      const last = list[i - 1] ?? n;
      return (arc += Math.hypot(node[2 * n]! - node[2 * last]!, node[2 * n + 1]! - node[2 * last + 1]!));
    }),
  }));
}

const SERIES: [id: string, title: string, unit: string, labels: string[], ofNodes?: boolean][] = [
  ["percussion", "impulse", "Pa s", ["normal", "tangential"]],
  ["slip", "relative velocity", "m/s", ["w_N", "w_T"]],
  ["temperature", "temperature", "K", ["T"], true],
];

// Of contacts that are more than a point.
export function profiles(scene: ContinuumScene): Profile[] {
  const { run, node, touchNode } = scene;
  if (scene.space) return []; // a surface has no length to show things along
  return scene.contacts.flatMap((contact, c) => {
    if (contact.touches.length < 2) return [];
    let pieces: Piece[] | null = null;
    const heated = () => (scene.fractions[scene.mediumOf(touchNode[contact.touches[0]!]!)] ?? -1) >= 0;
    return SERIES.filter(([name]) => run.has(`frames/${name}`) && (name !== "temperature" || heated())).map(([name, title, unit, labels, ofNodes]): Profile => ({
      id: `${contact.name}-${name}`,
      title: `${contact.name}: ${title}`,
      async read(frame: number): Promise<ProfileCurves> {
        pieces ??= piecesOf(scene, c);
        const all = await run.rows(`frames/${name}`, "f64", { first: frame });
        const touch = pieces.flatMap((p) => p.touch);
        return {
          along: { label: "arc length", unit: "m", values: pieces.flatMap((p) => p.arc) },
          curves: labels.map((label, k) => ({ label, unit, values: touch.map((t) => all[labels.length * (ofNodes ? touchNode[t]! : t) + k]!) })),
          places: ["x", "y"].map((label, k) => ({ label, unit: "m", values: touch.map((t) => node[2 * touchNode[t]! + k]!) })),
          breaks: pieces.slice(0, -1).reduce<number[]>((list, p) => [...list, (list.at(-1) ?? 0) + p.touch.length], []),
        };
      },
    }));
  });
}
