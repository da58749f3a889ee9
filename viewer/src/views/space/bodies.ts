// Bodies as merged geometry: places and light are worked out here, and one draw for each kind of
// surface shows them all. With many bodies only what can be seen is handed on.
import type { Frame } from "../../rigid/frames";
import { cross, type Camera, type Vector } from "./camera";
import { Store, type GL } from "./gl";
import { brightness } from "./light";
import { rotation, type Facets, type Model, type Soft } from "./shapes";
import { Tiles } from "./tiles";

// How far apart the edges of a body are: its surface by their length. Where that is a few pixels, they would
// hide its colour.
function roomOf({ facets, soft }: Model): number {
  const at = (p: Float32Array, i: number): Vector => [p[3 * i]!, p[3 * i + 1]!, p[3 * i + 2]!];
  const side = (p: Float32Array, i: number, j: number): Vector => {
    const [a, b] = [at(p, i), at(p, j)];
    return [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  };
  let [area, length] = [0, 0];
  for (const surface of [facets, soft]) {
    if (!surface) continue;
    const { points, index } = surface;
    for (let t = 0; t < index.length; t += 3)
      area += 0.5 * Math.hypot(...cross(side(points, index[t]!, index[t + 1]!), side(points, index[t]!, index[t + 2]!)));
  }
  for (let e = 0; facets && e < facets.edges.length; e += 4) length += Math.hypot(...side(facets.points, facets.edges[e]!, facets.edges[e + 1]!));
  for (let e = 0; soft && e < soft.creases.length; e += 2) length += Math.hypot(...side(soft.points, soft.creases[e]!, soft.creases[e + 1]!));
  return length > 0 ? area / length : 0;
}

export class Bodies {
  readonly facets: Store;
  readonly soft: Store;
  readonly balls: Store;
  readonly joined: boolean; // some balls are parts of bodies
  private readonly room: Float32Array; // by body: between its edges
  shown = 0; // bodies that were handed on
  private readonly r = new Float64Array(9);
  private readonly tiles: Tiles;
  private readonly order: Int32Array;
  private readonly sorted: Int32Array;
  private readonly depth: Float32Array;
  private readonly counts = new Int32Array(4097);
  private screen = new Float64Array(256); // x, y, depth of the vertices of a body
  private front = new Uint8Array(64); // faces turned to the eye

  constructor(
    gl: GL,
    readonly list: Int32Array, // of bodies
    private readonly model: Model[], // by body
    private readonly sun: Vector,
    private readonly up: Vector,
  ) {
    this.tiles = new Tiles(2 ** (1 - (gl.getParameter(gl.SUBPIXEL_BITS) as number)));
    this.facets = new Store(gl, 5);
    this.soft = new Store(gl, 5);
    this.balls = new Store(gl, 5);
    this.joined = list.some((b) => model[b]!.balls.length > (model[b]!.facets || model[b]!.soft ? 0 : 4));
    const rooms = new Map<Model, number>();
    for (const b of list) if (!rooms.has(model[b]!)) rooms.set(model[b]!, roomOf(model[b]!));
    this.room = Float32Array.from(model, (m) => rooms.get(m) ?? 0);
    this.order = new Int32Array(list.length);
    this.sorted = new Int32Array(list.length);
    this.depth = new Float32Array(list.length);
  }

  dispose(): void {
    for (const store of [this.facets, this.soft, this.balls]) store.dispose();
  }

  private clear(): void {
    for (const store of [this.facets, this.soft, this.balls]) store.clear();
    this.shown = 0;
  }
  private upload(): void {
    for (const store of [this.facets, this.soft, this.balls]) store.upload();
  }

  private turn(frame: Frame, b: number): boolean {
    const o = frame.orientation;
    const p = frame.position;
    if (!isFinite(p[3 * b]! + p[3 * b + 1]! + p[3 * b + 2]!)) return false;
    const sum = o[4 * b]! + o[4 * b + 1]! + o[4 * b + 2]! + o[4 * b + 3]!;
    if (!isFinite(sum)) return false;
    rotation(o[4 * b]!, o[4 * b + 1]!, o[4 * b + 2]!, o[4 * b + 3]!, this.r);
    return true;
  }

  // All of them with all their faces. `paint`: red, green, blue of every body in a word; `lines`:
  // with their edges.
  whole(frame: Frame, paint: Uint32Array, lines: boolean): void {
    this.clear();
    for (const b of this.list) {
      if (!this.turn(frame, b)) continue;
      const model = this.model[b]!;
      this.shown++;
      if (model.facets) this.wholeFacets(frame.position, b, model.facets, paint[b]!, lines);
      if (model.soft) this.putSoft(frame.position, b, model.soft, paint[b]!, lines);
      if (model.balls.length) this.putBalls(frame.position, b, model.balls, paint[b]!);
    }
    this.upload();
  }

  private wholeFacets(position: Float32Array, b: number, f: Facets, color: number, lines: boolean): void {
    const store = this.facets;
    const first = store.vertices;
    store.reserve(f.points.length / 3, f.index.length, lines ? f.edges.length / 2 : 0);
    this.putPoints(store, position, b, f, color);
    for (let i = 0; i < f.index.length; i++) store.index[store.indices + i] = first + f.index[i]!;
    store.indices += f.index.length;
    if (lines)
      for (let e = 0; e < f.edges.length; e += 4) store.line(first + f.edges[e]!, first + f.edges[e + 1]!);
  }

  private putSoft(position: Float32Array, b: number, s: Soft, color: number, lines: boolean): void {
    const store = this.soft;
    const first = store.vertices;
    store.reserve(s.points.length / 3, s.index.length, lines ? s.creases.length : 0);
    this.putPoints(store, position, b, s, color);
    for (let i = 0; i < s.index.length; i++) store.index[store.indices + i] = first + s.index[i]!;
    store.indices += s.index.length;
    if (lines)
      for (let i = 0; i < s.creases.length; i += 2) store.line(first + s.creases[i]!, first + s.creases[i + 1]!);
  }

  // Vertices in the world with their light.
  private putPoints(
    store: Store,
    position: Float32Array,
    b: number,
    from: { points: Float32Array; normals: Float32Array },
    color: number,
  ): void {
    const { points, normals } = from;
    const r = this.r;
    const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = [r[0]!, r[1]!, r[2]!, r[3]!, r[4]!, r[5]!, r[6]!, r[7]!, r[8]!];
    const px = position[3 * b]!;
    const py = position[3 * b + 1]!;
    const pz = position[3 * b + 2]!;
    const [sx, sy, sz] = this.sun;
    const [ux, uy, uz] = this.up;
    // The sun and up, seen from the body.
    const lx = r0 * sx + r3 * sy + r6 * sz;
    const ly = r1 * sx + r4 * sy + r7 * sz;
    const lz = r2 * sx + r5 * sy + r8 * sz;
    const hx = r0 * ux + r3 * uy + r6 * uz;
    const hy = r1 * ux + r4 * uy + r7 * uz;
    const hz = r2 * ux + r5 * uy + r8 * uz;
    const { floats, words } = store;
    const room = this.room[b]!;
    let to = store.vertices * 5;
    const count = points.length;
    for (let i = 0; i < count; i += 3, to += 5) {
      const x = points[i]!;
      const y = points[i + 1]!;
      const z = points[i + 2]!;
      floats[to] = px + r0 * x + r1 * y + r2 * z;
      floats[to + 1] = py + r3 * x + r4 * y + r5 * z;
      floats[to + 2] = pz + r6 * x + r7 * y + r8 * z;
      const nx = normals[i]!;
      const ny = normals[i + 1]!;
      const nz = normals[i + 2]!;
      const bright = brightness(lx * nx + ly * ny + lz * nz, hx * nx + hy * ny + hz * nz);
      floats[to + 3] = room;
      words[to + 4] = color | ((255 * bright) << 24);
    }
    store.vertices += count / 3;
  }

  // Four corners each; the vertex shader moves them apart.
  private putBalls(position: Float32Array, b: number, balls: Float32Array, color: number): void {
    const store = this.balls;
    const r = this.r;
    store.reserve(balls.length, 1.5 * balls.length, 0);
    for (let i = 0; i < balls.length; i += 4) {
      const x = balls[i]!;
      const y = balls[i + 1]!;
      const z = balls[i + 2]!;
      const cx = position[3 * b]! + r[0]! * x + r[1]! * y + r[2]! * z;
      const cy = position[3 * b + 1]! + r[3]! * x + r[4]! * y + r[5]! * z;
      const cz = position[3 * b + 2]! + r[6]! * x + r[7]! * y + r[8]! * z;
      const first = store.vertices;
      let to = 5 * first;
      for (let corner = 0; corner < 4; corner++, to += 5) {
        store.floats[to] = cx;
        store.floats[to + 1] = cy;
        store.floats[to + 2] = cz;
        store.floats[to + 3] = balls[i + 3]!;
        store.words[to + 4] = color | 0xff000000;
      }
      store.vertices += 4;
      store.triangle(first, first + 1, first + 2);
      store.triangle(first, first + 2, first + 3);
    }
  }

  // --- only what is seen --------------------------------------------------------------------------

  // Faces turned away, bodies outside the picture and those behind nearer ones are left out.
  seen(frame: Frame, paint: Uint32Array, camera: Camera): void {
    this.clear();
    const count = this.sortByDepth(frame, camera);
    const { width, height, eye, right, above, forward, scale } = camera;
    this.tiles.clear(width, height);
    const position = frame.position;
    for (let k = 0; k < count; k++) {
      const b = this.sorted[k]!;
      const model = this.model[b]!;
      const dx = position[3 * b]! - eye[0];
      const dy = position[3 * b + 1]! - eye[1];
      const dz = position[3 * b + 2]! - eye[2];
      const depth = dx * forward[0] + dy * forward[1] + dz * forward[2];
      const nearest = depth - model.radius;
      const hideable = nearest > camera.near;
      let x = 0;
      let y = 0;
      if (hideable) {
        x = 0.5 * width + (scale * (dx * right[0] + dy * right[1] + dz * right[2])) / depth;
        y = 0.5 * height - (scale * (dx * above[0] + dy * above[1] + dz * above[2])) / depth;
        // A sphere away from the middle of the picture looks longer than round.
        const slant = ((x - 0.5 * width) ** 2 + (y - 0.5 * height) ** 2) / (scale * scale);
        const size = ((scale * model.radius) / nearest) * Math.sqrt(1 + slant);
        if (this.tiles.hides(x - size, y - size, x + size, y + size, nearest)) continue;
      }
      if (!this.turn(frame, b)) continue;
      if (model.facets && !this.seenFacets(position, b, model.facets, paint[b]!, camera, hideable)) {
        if (!model.soft && model.balls.length === 0) continue;
      }
      this.shown++;
      if (model.soft) this.putSoft(position, b, model.soft, paint[b]!, false);
      if (model.balls.length) {
        this.putBalls(position, b, model.balls, paint[b]!);
        if (hideable) this.coverBalls(model.balls.length / 4, camera);
      }
    }
    this.upload();
  }

  // Bodies that may be in the picture, the nearest first.
  private sortByDepth(frame: Frame, camera: Camera): number {
    const { eye, right, above, forward, near } = camera;
    const position = frame.position;
    const tanY = 1 / camera.focus;
    const tanX = (tanY * camera.width) / camera.height;
    const wideY = Math.sqrt(1 + tanY * tanY);
    const wideX = Math.sqrt(1 + tanX * tanX);
    let count = 0;
    let low = Infinity;
    let high = -Infinity;
    for (const b of this.list) {
      const dx = position[3 * b]! - eye[0];
      const dy = position[3 * b + 1]! - eye[1];
      const dz = position[3 * b + 2]! - eye[2];
      const z = dx * forward[0] + dy * forward[1] + dz * forward[2];
      const radius = this.model[b]!.radius;
      if (!(z + radius > near)) continue; // also what is not a number
      const x = dx * right[0] + dy * right[1] + dz * right[2];
      const y = dx * above[0] + dy * above[1] + dz * above[2];
      if (Math.abs(x) > tanX * z + wideX * radius || Math.abs(y) > tanY * z + wideY * radius) continue;
      if (!(z < Infinity)) continue;
      this.order[count] = b;
      this.depth[count++] = z;
      if (z < low) low = z;
      if (z > high) high = z;
    }
    // Bins, finer near the eye.
    const bins = this.counts.length - 1;
    const floor = Math.max(low, near);
    const step = (bins - 1) / Math.max(1e-9, Math.log(high / floor));
    const bin = (z: number) => (z > floor ? Math.min(bins - 1, (step * Math.log(z / floor)) | 0) : 0);
    this.counts.fill(0);
    for (let i = 0; i < count; i++) this.counts[bin(this.depth[i]!) + 1]!++;
    for (let i = 0; i < bins; i++) this.counts[i + 1]! += this.counts[i]!;
    for (let i = 0; i < count; i++) this.sorted[this.counts[bin(this.depth[i]!)]!++] = this.order[i]!;
    return count;
  }

  // Faces turned to the eye; false: the body is hidden.
  private seenFacets(
    position: Float32Array,
    b: number,
    f: Facets,
    color: number,
    camera: Camera,
    hideable: boolean,
  ): boolean {
    const store = this.facets;
    const first = store.vertices;
    store.reserve(f.points.length / 3, f.index.length, 0);
    this.putPoints(store, position, b, f, color);
    if (hideable && !this.project(store, first, camera)) {
      store.vertices = first; // hidden after all
      return false;
    }
    const r = this.r;
    const ex = camera.eye[0] - position[3 * b]!;
    const ey = camera.eye[1] - position[3 * b + 1]!;
    const ez = camera.eye[2] - position[3 * b + 2]!;
    const bx = r[0]! * ex + r[3]! * ey + r[6]! * ez;
    const by = r[1]! * ex + r[4]! * ey + r[7]! * ez;
    const bz = r[2]! * ex + r[5]! * ey + r[8]! * ez;
    const { planes, start, index } = f;
    const faces = start.length - 1;
    if (this.front.length < faces) this.front = new Uint8Array(2 * faces);
    const front = this.front;
    let to = store.indices;
    // A face seen so much from its edge that the card, which moves vertices a little, may see it.
    const edgeOn = (this.tiles.margin * (bx * bx + by * by + bz * bz)) / (camera.scale * f.shortest);
    for (let k = 0; k < faces; k++) {
      const height = planes[4 * k]! * bx + planes[4 * k + 1]! * by + planes[4 * k + 2]! * bz - planes[4 * k + 3]!;
      front[k] = height > 0 ? 1 : 0;
      if (height > -edgeOn) for (let i = start[k]!; i < start[k + 1]!; i++) store.index[to++] = first + index[i]!;
    }
    store.indices = to;
    if (hideable) this.coverFacets(f);
    return true;
  }

  // Places in the picture of the vertices from `first` on; false: they are all hidden.
  private project(store: Store, first: number, camera: Camera): boolean {
    const { eye, right, above, forward, scale } = camera;
    const count = store.vertices - first;
    if (this.screen.length < 3 * count) this.screen = new Float64Array(6 * count);
    const { screen } = this;
    const { floats } = store;
    const mx = 0.5 * camera.width;
    const my = 0.5 * camera.height;
    let [x0, y0, x1, y1, nearest] = [1e9, 1e9, -1e9, -1e9, 1e30];
    for (let i = 0, at = 5 * first; i < 3 * count; i += 3, at += 5) {
      const dx = floats[at]! - eye[0];
      const dy = floats[at + 1]! - eye[1];
      const dz = floats[at + 2]! - eye[2];
      const z = dx * forward[0] + dy * forward[1] + dz * forward[2];
      const s = scale / z;
      const x = mx + s * (dx * right[0] + dy * right[1] + dz * right[2]);
      const y = my - s * (dx * above[0] + dy * above[1] + dz * above[2]);
      screen[i] = x;
      screen[i + 1] = y;
      screen[i + 2] = z;
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
      if (z < nearest) nearest = z;
    }
    return !this.tiles.hides(x0, y0, x1, y1, nearest);
  }

  // Each convex piece covers what is inside its silhouette, as far as the farthest point of it.
  private coverFacets(f: Facets): void {
    const { edges, pieces } = f;
    const { screen, front, tiles } = this;
    for (let p = 0; p + 1 < pieces.length; p++) {
      let [y0, y1, far] = [1e9, -1e9, 0];
      for (let e = 4 * pieces[p]!; e < 4 * pieces[p + 1]!; e += 4) {
        const other = edges[e + 3]!;
        if (front[edges[e + 2]!] === (other < 0 ? 0 : front[other])) continue;
        for (let k = 0; k < 2; k++) {
          const v = 3 * edges[e + k]!;
          if (screen[v + 1]! < y0) y0 = screen[v + 1]!;
          if (screen[v + 1]! > y1) y1 = screen[v + 1]!;
          if (screen[v + 2]! > far) far = screen[v + 2]!;
        }
      }
      if (!tiles.begin(y0, y1)) continue;
      for (let e = 4 * pieces[p]!; e < 4 * pieces[p + 1]!; e += 4) {
        const other = edges[e + 3]!;
        if (front[edges[e + 2]!] === (other < 0 ? 0 : front[other])) continue;
        const v = 3 * edges[e]!;
        const w = 3 * edges[e + 1]!;
        tiles.edge(screen[v]!, screen[v + 1]!, screen[w]!, screen[w + 1]!);
      }
      tiles.cover(far);
    }
  }

  // The last `count` balls: their disc that faces the picture.
  private coverBalls(count: number, camera: Camera): void {
    const store = this.balls;
    for (let k = count; k > 0; k--) {
      const at = 5 * (store.vertices - 4 * k);
      const p = store.floats;
      const [x, y, z] = camera.project([p[at]!, p[at + 1]!, p[at + 2]!]);
      const radius = (camera.scale * p[at + 3]!) / z;
      if (!this.tiles.begin(y - radius, y + radius)) continue;
      this.tiles.round(x, y, radius);
      this.tiles.cover(z);
    }
  }
}
