// The hits of sensors as the run records them (docs/run-format.md, Hits): a row for each, in the order of the
// steps in which they were known to be over.
import type { Run } from "../run";

export interface Hits {
  count: number;
  sensor: Int32Array;
  bodies: Int32Array; // 2 each: the one that was hit, the one that hit
  time: Float64Array; // 2 each: begin, end
  point: Float64Array; // 3 each, as the file has it
  impulse: Float64Array; // 3 each, on the first body
  normal: Float64Array; // impulse along the normals
  force: Float64Array; // the largest
  energy: Float64Array; // dissipated
  speed: Float64Array;
  open: Uint8Array; // 1: not over at the end of the record
  mass: Float64Array; // 2 each: of the bodies
  kinetic: Float64Array; // 2 each, before the hit
}

export const hasHits = (run: Run): boolean => run.has("hits/offset");

// The first `most` of them.
export async function readHits(run: Run, most = Infinity): Promise<Hits> {
  const total = (await run.rows("hits/offset", "f64", { first: run.count("hits") }))[0] ?? 0;
  const part = { first: 0, count: Math.min(total, most) };
  const numbers = (name: string) => run.rows(`hits/${name}`, "f64", part);
  // Older runs have no masses and energies.
  const pairs = (name: string) => (run.has(`hits/${name}`) ? numbers(name) : new Float64Array(2 * part.count).fill(NaN));
  const [sensor, bodies, time, point, impulse, normal, force, energy, speed, open, mass, kinetic] = await Promise.all([
    run.rows("hits/sensor", "i32", part),
    run.rows("hits/bodies", "i32", part),
    numbers("time"),
    numbers("point"),
    numbers("impulse"),
    numbers("normal_impulse"),
    numbers("largest_force"),
    numbers("dissipated"),
    numbers("speed"),
    run.rows("hits/open", "u8", part),
    pairs("mass"),
    pairs("kinetic"),
  ]);
  return { count: part.count, sensor, bodies, time, point, impulse, normal, force, energy, speed, open, mass, kinetic };
}
