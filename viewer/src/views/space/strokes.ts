// Thick lines that face the eye, as merged quads.
import type { Camera } from "./camera";
import { Store, type GL } from "./gl";

export class Strokes {
  readonly store: Store;
  constructor(gl: GL) {
    this.store = new Store(gl, 4);
  }
  dispose(): void {
    this.store.dispose();
  }
  clear(): void {
    this.store.clear();
  }

  // From p to q, `wide` at both ends, in metres.
  add(
    camera: Camera,
    px: number,
    py: number,
    pz: number,
    qx: number,
    qy: number,
    qz: number,
    wideP: number,
    wideQ: number,
    color: number,
  ): void {
    const { eye } = camera;
    const dx = qx - px;
    const dy = qy - py;
    const dz = qz - pz;
    const vx = eye[0] - 0.5 * (px + qx);
    const vy = eye[1] - 0.5 * (py + qy);
    const vz = eye[2] - 0.5 * (pz + qz);
    let nx = dy * vz - dz * vy;
    let ny = dz * vx - dx * vz;
    let nz = dx * vy - dy * vx;
    const size = Math.hypot(nx, ny, nz);
    if (!(size > 0) || !(size < Infinity)) return;
    nx /= 2 * size;
    ny /= 2 * size;
    nz /= 2 * size;
    const store = this.store;
    store.reserve(4, 6, 0);
    const a = store.vertex(px + wideP * nx, py + wideP * ny, pz + wideP * nz, color);
    store.vertex(px - wideP * nx, py - wideP * ny, pz - wideP * nz, color);
    store.vertex(qx - wideQ * nx, qy - wideQ * ny, qz - wideQ * nz, color);
    store.vertex(qx + wideQ * nx, qy + wideQ * ny, qz + wideQ * nz, color);
    store.triangle(a, a + 1, a + 2);
    store.triangle(a, a + 2, a + 3);
  }

  // The same with its thickness in pixels.
  line(camera: Camera, p: ArrayLike<number>, i: number, q: ArrayLike<number>, j: number, pixels: number, color: number): void {
    const wide = (x: number, y: number, z: number) => {
      const { eye, forward } = camera;
      const depth = (x - eye[0]) * forward[0] + (y - eye[1]) * forward[1] + (z - eye[2]) * forward[2];
      return (pixels * Math.max(camera.near, depth)) / camera.scale;
    };
    const [px, py, pz, qx, qy, qz] = [p[i]!, p[i + 1]!, p[i + 2]!, q[j]!, q[j + 1]!, q[j + 2]!];
    this.add(camera, px, py, pz, qx, qy, qz, wide(px, py, pz), wide(qx, qy, qz), color);
  }
}
