// Groups of bodies by name, as scenes name them: what one generator made (rock-1, rock-2, …) is one
// group, any other body is a group of its own.
const MOST = 8; // colours that are told apart

export interface Groups {
  names: string[]; // the largest first; the last one is for all others if `rest`
  of: Int32Array; // a group for each body, -1: it was not asked for
  rest: boolean;
}

export const groupName = (name: string): string => name.replace(/(-\d+)+$/, "");

// Of the bodies that `wanted` selects.
export function groupsOf(names: string[], wanted: (body: number) => boolean, most = MOST): Groups {
  const sizes = new Map<string, number>();
  names.forEach((name, b) => wanted(b) && sizes.set(groupName(name), (sizes.get(groupName(name)) ?? 0) + 1));
  const sorted = [...sizes].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const rest = sorted.length > most;
  const shown = rest ? [...sorted.slice(0, most - 1), "others"] : sorted;
  const place = new Map(sorted.map((name, i) => [name, Math.min(i, shown.length - 1)]));
  return { names: shown, rest, of: Int32Array.from(names, (name, b) => (wanted(b) ? place.get(groupName(name))! : -1)) };
}
