// A picture with smooth edges: drawn with several samples a pixel beside the canvas, then put there.
import type { GL } from "./gl";

export class Smooth {
  private readonly target: WebGLFramebuffer;
  private color: WebGLRenderbuffer | null = null;
  private depth: WebGLRenderbuffer | null = null;
  private width = 0;
  private height = 0;

  constructor(private readonly gl: GL) {
    this.target = gl.createFramebuffer();
  }

  begin(width: number, height: number): void {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    if (width === this.width && height === this.height) return;
    [this.width, this.height] = [width, height];
    const samples = Math.min(4, gl.getParameter(gl.MAX_SAMPLES) as number);
    this.free();
    this.color = this.buffer(gl.COLOR_ATTACHMENT0, gl.RGBA8, samples);
    this.depth = this.buffer(gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24, samples);
  }
  private buffer(place: GLenum, format: GLenum, samples: number): WebGLRenderbuffer {
    const { gl } = this;
    const buffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, this.width, this.height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    return buffer;
  }

  // Onto the canvas.
  end(): void {
    const { gl, width, height } = this;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.target);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.invalidateFramebuffer(gl.READ_FRAMEBUFFER, [gl.COLOR_ATTACHMENT0, gl.DEPTH_ATTACHMENT]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  private free(): void {
    this.gl.deleteRenderbuffer(this.color);
    this.gl.deleteRenderbuffer(this.depth);
  }
  dispose(): void {
    this.free();
    this.gl.deleteFramebuffer(this.target);
  }
}
