// The side from which a run is seen first: one from which what moves in the first frames is not
// hidden, nor the places of the first hits of its sensors. It depends on the record alone, not on the window.
import type { Frame } from "../../rigid/frames";
import { hasHits, readHits } from "../../rigid/hits";
import type { RigidScene } from "../../rigid/scene";
import { Camera, dot, unit, type Vector } from "./camera";
import type { Box } from "./extent";
import { pick } from "./pick";
import type { Model } from "./shapes";

export const FRAMES = [0, 4, 16]; // that are looked at
const BODIES = 24; // those with most kinetic energy
const HITS = 24; // that are looked at, the first ones of the record
const OF_HITS = 2 / 3; // of what is to be seen, where sensors have hits
const WORK = 4e6; // so many bodies and triangles may be met by all rays to bodies, and to hits

// The customary three-quarter view first, then the other ones, from the middle of a side, and all of
// them from higher up. `cost`: so much more must be visible than from the customary one; in a heap, where
// about as much is hidden from all sides, that one stays.
interface Direction {
  azimuth: number;
  elevation: number;
  cost: number;
}
const AZIMUTHS = [-0.9, 0.9 - Math.PI, 0.9, Math.PI - 0.9, -Math.PI / 2, 0, Math.PI, Math.PI / 2];
const ELEVATIONS = [0.42, 0.8, 1.2];
const DIRECTIONS: Direction[] = ELEVATIONS.flatMap((elevation, e) =>
  AZIMUTHS.map((azimuth, a) => ({ azimuth, elevation, cost: (a === 0 ? 0 : a < 4 ? 0.1 : 0.2) + 0.01 * a + 0.15 * e })),
).sort((a, b) => a.cost - b.cost);

interface Mover {
  frame: Frame;
  body: number;
  weight: number; // of all 1
}

// Those of a frame that have most of its energy; nothing of one at rest.
function moversOf(scene: RigidScene, frame: Frame, velocity: Float32Array): Mover[] {
  const energy = Array.from(scene.mass, (mass, b) => {
    const v = Math.hypot(velocity[3 * b]!, velocity[3 * b + 1]!, velocity[3 * b + 2]!);
    const seen = isFinite(scene.radius[b]!) && isFinite(frame.position[3 * b]!) && scene.kind[b] !== 1;
    return { body: b, energy: seen && isFinite(mass * v * v) ? mass * v * v : 0 };
  });
  const most = energy
    .filter((e) => e.energy > 0)
    .sort((a, b) => b.energy - a.energy || a.body - b.body)
    .slice(0, BODIES);
  const sum = most.reduce((all, e) => all + e.energy, 0);
  return most.map((e) => ({ frame, body: e.body, weight: e.energy / sum }));
}

// How much of a body one sees, by rays to its middle and to places around it.
function visible({ frame, body }: Mover, camera: Camera, model: Model[], rays: number): number {
  const at = frame.position.subarray(3 * body, 3 * body + 3);
  const far = 0.6 * model[body]!.radius;
  let [own, free] = [0, 0];
  for (let k = 0; k < rays; k++) {
    const angle = Math.PI / 4 + (k * Math.PI) / 2;
    const [u, v] = k === 0 ? [0, 0] : [far * Math.cos(angle), far * Math.sin(angle)];
    const ray = unit([0, 1, 2].map((i) => at[i]! + u * camera.right[i]! + v * camera.above[i]! - camera.eye[i]!));
    const first = (keep: (b: number) => boolean) => pick(frame, model, camera.eye, ray, keep, () => false).body;
    if (first((b) => b === body) !== body) continue; // past a thin or hollow one
    own++;
    if (first(() => true) === body) free++;
  }
  return own > 0 ? free / own : 1;
}

// Where a hit takes place.
export interface Impact {
  frame: Frame; // the last one before it
  body: number; // that was hit
  place: Vector; // in the middle of the body that hits it, or so
  away: Vector; // from what was hit
}

// Whatever moves by itself comes and goes before a place: only obstacles and what was hit hide it.
const hides = (scene: RigidScene, hit: number, b: number): boolean => b === hit || scene.kind[b] !== 0;

// The first hits of the record, in the axes of the frames. `at`: the frame of a time, which is needed only
// where something that hides them moves.
export async function impactsOf(scene: RigidScene, model: Model[], first: Frame, at: (time: number) => Promise<Frame>): Promise<Impact[]> {
  if (!hasHits(scene.run)) return [];
  const { count, bodies, time, point, impulse } = await readHits(scene.run, HITS);
  const list = Array.from({ length: count }, async (_, k): Promise<Impact> => {
    const [body, by] = [bodies[2 * k]!, bodies[2 * k + 1]!];
    const moves = model.some((_, b) => scene.kind[b] !== 1 && hides(scene, body, b));
    // The impulse shows on which side of the contact the other body is.
    const push = unit(impulse.subarray(3 * k, 3 * k + 3));
    const away: Vector = [-push[0], -push[1], -push[2]];
    const radius = isFinite(scene.radius[by]!) ? scene.radius[by]! : 0;
    const place = [0, 1, 2].map((i) => point[3 * k + i]! - scene.origin[i]! + radius * away[i]!) as Vector;
    return { frame: moves ? await at(time[2 * k]!) : first, body, place, away };
  });
  return Promise.all(list);
}

// How well one sees the place: 1 face to face, half along the surface, 0 if it is hidden.
function open(scene: RigidScene, model: Model[], { frame, body, place, away }: Impact, { eye }: Camera): number {
  const way: Vector = [place[0] - eye[0], place[1] - eye[1], place[2] - eye[2]];
  const ray = unit(way);
  const first = pick(frame, model, eye, ray, (b) => hides(scene, body, b), () => false).distance;
  return first < Math.hypot(...way) ? 0 : 0.5 + 0.5 * Math.max(0, -dot(ray, away));
}

// `velocity`: of the frames. Null: nothing moves, any side will do.
export function direction(
  scene: RigidScene,
  model: Model[],
  frames: Frame[],
  velocity: Float32Array[],
  hits: Impact[],
  box: Box,
  points: Float64Array | undefined, // of what is in the box
  up: Vector,
): Direction | null {
  const all = frames.map((frame, k) => moversOf(scene, frame, velocity[k]!)).filter((movers) => movers.length > 0);
  if (all.length === 0 && hits.length === 0) return null;
  // As many rays as there is time for.
  const one = model.reduce((sum, m, b) => sum + 1 + (scene.kind[b] === 0 ? 0 : m.triangles), 0);
  const room = WORK / one / DIRECTIONS.length;
  const each = room / Math.max(1, all.length);
  const rays = each >= 5 * 4 ? 5 : 1;
  const movers = all.flatMap((list) => list.slice(0, Math.max(1, Math.floor(each / rays))));
  const sum = movers.reduce((total, m) => total + m.weight, 0);
  const places = hits.slice(0, Math.max(1, Math.floor(room)));
  const share = places.length === 0 ? 0 : movers.length === 0 ? 1 : OF_HITS;
  const camera = new Camera(up);
  [camera.width, camera.height] = [16, 9];
  let best = { score: -Infinity, direction: DIRECTIONS[0]! };
  for (const candidate of DIRECTIONS) {
    if (1 - candidate.cost <= best.score) break; // those that follow cannot be better
    [camera.azimuth, camera.elevation] = [candidate.azimuth, candidate.elevation];
    camera.frame(box.low, box.high, points);
    const moving = movers.length > 0 ? movers.reduce((total, m) => total + m.weight * visible(m, camera, model, rays), 0) / sum : 0;
    const hitting = places.reduce((total, hit) => total + open(scene, model, hit, camera), 0) / (places.length || 1);
    const seen = (1 - share) * moving + share * hitting;
    if (seen - candidate.cost > best.score) best = { score: seen - candidate.cost, direction: candidate };
  }
  return best.direction;
}
