// The sun's shadows: a map of depths seen from the sun, round what is looked at.
import { cross, dot, unit, type Vector } from "./camera";
import type { GL } from "./gl";

export class Shadow {
  readonly size: number;
  readonly view = new Float32Array(16); // world to the sun's clip space
  readonly light = new Float32Array(16); // world to places in the map, 0 to 1
  private readonly texture: WebGLTexture;
  private readonly target: WebGLFramebuffer;

  constructor(
    private readonly gl: GL,
    private readonly sun: Vector,
    most: number, // texels a side
  ) {
    this.size = Math.min(most, gl.getParameter(gl.MAX_TEXTURE_SIZE) as number);
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, this.size, this.size);
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
      [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE],
      [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL],
    ] as const)
      gl.texParameteri(gl.TEXTURE_2D, name, value);
    this.target = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.texture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.readBuffer(gl.NONE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // A map of all within `reach` of the middle, ready to be drawn into.
  begin(middle: Vector, reach: number): void {
    const { gl, sun } = this;
    const a = unit(cross(Math.abs(sun[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], sun));
    const b = cross(sun, a);
    // In whole texels, so that edges do not crawl as the middle moves.
    const texel = (2 * reach) / this.size;
    const u = Math.round(dot(middle, a) / texel) * texel;
    const v = Math.round(dot(middle, b) / texel) * texel;
    const w = dot(middle, sun);
    const deep = 4 * reach;
    const rows = [
      [...a.map((c) => c / reach), -u / reach],
      [...b.map((c) => c / reach), -v / reach],
      [...sun.map((c) => -c / deep), w / deep],
      [0, 0, 0, 1],
    ];
    for (let c = 0; c < 4; c++)
      for (let r = 0; r < 4; r++) {
        this.view[4 * c + r] = rows[r]![c]!;
        this.light[4 * c + r] = r < 3 ? 0.5 * rows[r]![c]! + (c === 3 ? 0.5 : 0) : rows[r]![c]!;
      }
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.viewport(0, 0, this.size, this.size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
  }
  end(): void {
    this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, null);
  }
  bind(): void {
    this.gl.activeTexture(this.gl.TEXTURE0);
    this.gl.bindTexture(this.gl.TEXTURE_2D, this.texture);
  }
  dispose(): void {
    this.gl.deleteTexture(this.texture);
    this.gl.deleteFramebuffer(this.target);
  }
}
