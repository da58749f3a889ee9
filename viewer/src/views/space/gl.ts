// The little of WebGL 2 that the view needs: programs, and arrays that live here and on the card.

export type GL = WebGL2RenderingContext;

export class Program {
  private readonly places = new Map<string, WebGLUniformLocation | null>();
  readonly handle: WebGLProgram;

  // Attributes take their places in the order of `inputs`.
  constructor(
    private readonly gl: GL,
    vertex: string,
    fragment: string,
    inputs: string[],
    defines: string[] = [],
  ) {
    const head = `#version 300 es\nprecision highp float;\nprecision highp sampler2DShadow;\n${defines
      .map((d) => `#define ${d}\n`)
      .join("")}`;
    this.handle = gl.createProgram();
    const shaders = [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const;
    for (const [type, text] of shaders) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, head + text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
        throw new Error(`shader: ${gl.getShaderInfoLog(shader)}`);
      gl.attachShader(this.handle, shader);
      gl.deleteShader(shader);
    }
    inputs.forEach((name, i) => gl.bindAttribLocation(this.handle, i, name));
    gl.linkProgram(this.handle);
    if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(`program: ${gl.getProgramInfoLog(this.handle)}`);
  }

  use(): void {
    this.gl.useProgram(this.handle);
  }
  private at(name: string): WebGLUniformLocation | null {
    let place = this.places.get(name);
    if (place === undefined) this.places.set(name, (place = this.gl.getUniformLocation(this.handle, name)));
    return place;
  }
  matrix(name: string, value: Float32Array): void {
    this.gl.uniformMatrix4fv(this.at(name), false, value);
  }
  number(name: string, value: number): void {
    this.gl.uniform1f(this.at(name), value);
  }
  whole(name: string, value: number): void {
    this.gl.uniform1i(this.at(name), value);
  }
  three(name: string, v: ArrayLike<number>): void {
    this.gl.uniform3f(this.at(name), v[0]!, v[1]!, v[2]!);
  }
  four(name: string, v: ArrayLike<number>): void {
    this.gl.uniform4f(this.at(name), v[0]!, v[1]!, v[2]!, v[3]!);
  }
}

// Vertices of `wide` 32-bit numbers (the last one is a colour, a byte a part), triangles and lines.
export class Store {
  floats: Float32Array;
  words: Uint32Array;
  index = new Uint32Array(0);
  lines = new Uint32Array(0);
  vertices = 0;
  indices = 0;
  ends = 0; // indices of lines
  private readonly array: WebGLVertexArrayObject;
  private readonly lineArray: WebGLVertexArrayObject;
  private readonly vertexBuffer: WebGLBuffer;
  private readonly indexBuffer: WebGLBuffer;
  private readonly lineBuffer: WebGLBuffer;

  constructor(
    private readonly gl: GL,
    readonly wide: number, // 4: place, colour; 5: place, number, colour
  ) {
    this.floats = new Float32Array(0);
    this.words = new Uint32Array(0);
    this.vertexBuffer = gl.createBuffer();
    this.indexBuffer = gl.createBuffer();
    this.lineBuffer = gl.createBuffer();
    this.array = this.arrayOf(this.indexBuffer);
    this.lineArray = this.arrayOf(this.lineBuffer);
  }

  private arrayOf(indices: WebGLBuffer): WebGLVertexArrayObject {
    const gl = this.gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.vertexBuffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, this.wide - 1, gl.FLOAT, false, 4 * this.wide, 0);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 4 * this.wide, 4 * (this.wide - 1));
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bindVertexArray(null);
    return array;
  }

  clear(): void {
    this.vertices = this.indices = this.ends = 0;
  }

  // Room for so many more.
  reserve(vertices: number, indices: number, ends: number): void {
    const want = (this.vertices + vertices) * this.wide;
    if (want > this.floats.length) {
      const bytes = new ArrayBuffer(4 * Math.max(want, Math.floor(1.5 * this.floats.length)));
      const floats = new Float32Array(bytes);
      floats.set(this.floats.subarray(0, this.vertices * this.wide));
      this.floats = floats;
      this.words = new Uint32Array(bytes);
    }
    if (this.indices + indices > this.index.length) this.index = more(this.index, this.indices, indices);
    if (this.ends + ends > this.lines.length) this.lines = more(this.lines, this.ends, ends);
  }

  upload(): void {
    const gl = this.gl;
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.vertexBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, this.floats.subarray(0, this.vertices * this.wide), gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indexBuffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.index.subarray(0, this.indices), gl.DYNAMIC_DRAW);
    if (this.ends === 0) return;
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.lineBuffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.lines.subarray(0, this.ends), gl.DYNAMIC_DRAW);
  }

  draw(): void {
    if (this.indices === 0) return;
    this.gl.bindVertexArray(this.array);
    this.gl.drawElements(this.gl.TRIANGLES, this.indices, this.gl.UNSIGNED_INT, 0);
  }
  drawLines(): void {
    if (this.ends === 0) return;
    this.gl.bindVertexArray(this.lineArray);
    this.gl.drawElements(this.gl.LINES, this.ends, this.gl.UNSIGNED_INT, 0);
  }

  // One vertex; its number.
  vertex(x: number, y: number, z: number, color: number): number {
    const at = this.vertices * this.wide;
    this.floats[at] = x;
    this.floats[at + 1] = y;
    this.floats[at + 2] = z;
    this.words[at + this.wide - 1] = color;
    return this.vertices++;
  }
  triangle(a: number, b: number, c: number): void {
    this.index[this.indices++] = a;
    this.index[this.indices++] = b;
    this.index[this.indices++] = c;
  }
  line(a: number, b: number): void {
    this.lines[this.ends++] = a;
    this.lines[this.ends++] = b;
  }

  dispose(): void {
    const gl = this.gl;
    for (const buffer of [this.vertexBuffer, this.indexBuffer, this.lineBuffer]) gl.deleteBuffer(buffer);
    gl.deleteVertexArray(this.array);
    gl.deleteVertexArray(this.lineArray);
  }
}

function more(old: Uint32Array<ArrayBuffer>, used: number, count: number): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(Math.max(used + count, Math.floor(1.5 * old.length)));
  all.set(old.subarray(0, used));
  return all;
}

// A colour as the four bytes that the card reads, parts from 0 to 1.
export function pack(r: number, g: number, b: number, a: number): number {
  const byte = (v: number) => Math.max(0, Math.min(255, Math.round(255 * v)));
  return (byte(r) | (byte(g) << 8) | (byte(b) << 16) | (byte(a) << 24)) >>> 0;
}
