// What lies over the picture: the axes in a corner and the name of the selected body.
import { dot, type Camera, type Vector } from "./camera";
import { Store, pack, type GL } from "./gl";
import type { Programs } from "./programs";
import { Text } from "./text";

const AXES: [string, Vector, number[]][] = [
  ["x", [1, 0, 0], [0.83, 0.24, 0.22]],
  ["y", [0, 1, 0], [0.27, 0.6, 0.24]],
  ["z", [0, 0, 1], [0.2, 0.42, 0.82]],
];

export class Overlay {
  private readonly store: Store;
  private readonly letters: Text[];
  private readonly name: Text;
  private readonly matrix = new Float32Array(16);

  constructor(private readonly gl: GL) {
    this.store = new Store(gl, 4);
    this.letters = AXES.map(() => new Text(gl));
    this.name = new Text(gl);
  }
  dispose(): void {
    this.store.dispose();
    this.name.dispose();
    for (const letter of this.letters) letter.dispose();
  }

  label(programs: Programs, words: string, x: number, y: number, camera: Camera, ratio: number): void {
    this.name.set(words, Math.round(13 * ratio), "#ffffff", "rgba(30, 36, 46, 0.82)");
    this.gl.enable(this.gl.BLEND);
    const half = this.name.width / 2 + 4;
    const left = Math.max(half, Math.min(camera.width - half, x));
    this.name.draw(programs, left, Math.max(this.name.height, y), camera.width, camera.height);
  }

  axes(programs: Programs, camera: Camera, ratio: number, ink: number[]): void {
    const { store } = this;
    const { width, height } = camera;
    const long = 30 * ratio;
    const [cx, cy] = [46 * ratio, height - 46 * ratio];
    store.clear();
    store.reserve(24, 36, 0);
    // Those that point away first.
    const order = AXES.map((axis, i) => ({ axis, i, deep: dot(axis[1], camera.forward) })).sort((a, b) => b.deep - a.deep);
    const tips = order.map(({ axis: [, direction, color], i, deep }) => {
      const x = long * dot(direction, camera.right);
      const y = -long * dot(direction, camera.above);
      const size = Math.hypot(x, y) || 1;
      const [nx, ny] = [(1.4 * ratio * -y) / size, (1.4 * ratio * x) / size];
      const fade = deep > 0.1 ? 0.55 : 1;
      const word = pack(
        color[0]! * fade + ink[0]! * (1 - fade),
        color[1]! * fade + ink[1]! * (1 - fade),
        color[2]! * fade + ink[2]! * (1 - fade),
        fade,
      );
      const a = store.vertex(cx + nx, cy + ny, 0, word);
      store.vertex(cx - nx, cy - ny, 0, word);
      store.vertex(cx + x - nx, cy + y - ny, 0, word);
      store.vertex(cx + x + nx, cy + y + ny, 0, word);
      store.triangle(a, a + 1, a + 2);
      store.triangle(a, a + 2, a + 3);
      return { i, x: cx + 1.35 * x, y: cy + 1.35 * y };
    });
    store.upload();
    this.matrix.set([2 / width, 0, 0, 0, 0, -2 / height, 0, 0, 0, 0, 1, 0, -1, 1, 0, 1]);
    const plain = programs.get("plain");
    plain.matrix("view", this.matrix);
    plain.number("pull", 0);
    this.gl.enable(this.gl.BLEND);
    store.draw();
    for (const { i, x, y } of tips) {
      const [word, , color] = AXES[i]!;
      const css = `rgb(${color.map((c) => Math.round(255 * c)).join(" ")})`;
      this.letters[i]!.set(word, Math.round(13 * ratio), css, "");
      this.letters[i]!.draw(programs, x, y, width, height);
    }
  }
}
