// Words in the picture: drawn once on a small canvas, then shown as a texture at a place in pixels.
import type { GL } from "./gl";
import type { Programs } from "./programs";

export class Text {
  width = 0; // pixels of the picture
  height = 0;
  private shown = "";
  private readonly texture: WebGLTexture;
  private readonly buffer: WebGLBuffer;
  private readonly array: WebGLVertexArrayObject;

  constructor(private readonly gl: GL) {
    this.texture = gl.createTexture();
    this.buffer = gl.createBuffer();
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 12, 0);
    gl.bindVertexArray(null);
  }

  // `paper`: behind the words, "" for none.
  set(words: string, size: number, ink: string, paper: string): void {
    const key = [words, size, ink, paper].join("\n");
    if (key === this.shown) return;
    this.shown = key;
    const canvas = document.createElement("canvas");
    const font = `600 ${size}px system-ui, sans-serif`;
    let pen = canvas.getContext("2d")!;
    pen.font = font;
    const edge = Math.ceil(0.45 * size);
    canvas.width = this.width = Math.ceil(pen.measureText(words).width) + 2 * edge;
    canvas.height = this.height = Math.ceil(1.25 * size) + edge;
    pen = canvas.getContext("2d")!;
    if (paper) {
      pen.fillStyle = paper;
      pen.beginPath();
      pen.roundRect(0, 0, canvas.width, canvas.height, edge);
      pen.fill();
    }
    pen.font = font;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = ink;
    pen.fillText(words, canvas.width / 2, canvas.height / 2 + 0.05 * size);
    const gl = this.gl;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, canvas);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  // Its middle at this place of a picture so large.
  draw(programs: Programs, x: number, y: number, width: number, height: number): void {
    const gl = this.gl;
    const program = programs.get("text");
    program.whole("words", 0);
    const left = Math.round(x - this.width / 2);
    const top = Math.round(y - this.height / 2);
    const corners = new Float32Array(12);
    for (let k = 0; k < 4; k++) {
      corners[3 * k] = (2 * (left + (k & 1) * this.width)) / width - 1;
      corners[3 * k + 1] = 1 - (2 * (top + (k >> 1) * this.height)) / height;
      corners[3 * k + 2] = k;
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, corners, gl.DYNAMIC_DRAW);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  dispose(): void {
    this.gl.deleteTexture(this.texture);
    this.gl.deleteBuffer(this.buffer);
    this.gl.deleteVertexArray(this.array);
  }
}
