// What is hidden: a mask of the picture, one bit a pixel, filled from front to back. Tiles are 8 by 4
// pixels, one 32-bit word, with the depth that what covers them does not pass. A thing is hidden where
// all its pixels are covered by nearer things; pixels are counted at their centres, as the card does,
// less the `margin` by which the card may move an edge.

export class Tiles {
  private mask = new Int32Array(0);
  private depth = new Float32Array(0);
  private columns = 0;
  private rows = 0;
  private width = 0;
  private height = 0;
  // Spans of the polygon at work, by row.
  private left = new Float64Array(0);
  private right = new Float64Array(0);
  private top = 0;
  private bottom = 0;

  constructor(readonly margin: number) {} // pixels

  clear(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.columns = (width + 7) >> 3;
    this.rows = (height + 3) >> 2;
    const count = this.columns * this.rows;
    if (this.mask.length < count) {
      this.mask = new Int32Array(count);
      this.depth = new Float32Array(count);
    }
    if (this.left.length < height) {
      this.left = new Float64Array(height);
      this.right = new Float64Array(height);
    }
    this.mask.fill(0);
    this.depth.fill(0);
  }

  // Nothing within this rectangle, no nearer than `near`, can be seen.
  hides(x0: number, y0: number, x1: number, y1: number, near: number): boolean {
    // Pixels whose centres may be inside, within the picture.
    const left = Math.max(0, Math.floor(x0));
    const right = Math.min(this.width - 1, Math.ceil(x1) - 1);
    const top = Math.max(0, Math.floor(y0));
    const bottom = Math.min(this.height - 1, Math.ceil(y1) - 1);
    if (left > right || top > bottom) return true;
    const firstColumn = left >> 3;
    const lastColumn = right >> 3;
    const lastRow = bottom >> 2;
    for (let r = top >> 2; r <= lastRow; r++) {
      let rowBits = -1;
      if (4 * r < top) rowBits = -1 << (8 * (top & 3));
      if (4 * r + 3 > bottom) rowBits &= -1 >>> (24 - 8 * (bottom & 3));
      let at = r * this.columns + firstColumn;
      for (let c = firstColumn; c <= lastColumn; c++, at++) {
        if (near <= this.depth[at]!) return false;
        const have = this.mask[at]!;
        if (have === -1) continue;
        let byte = 255;
        if (c === firstColumn) byte = (byte << (left & 7)) & 255;
        if (c === lastColumn) byte &= 255 >> (7 - (right & 7));
        const need = rowBits & Math.imul(byte, 0x01010101);
        if ((need & ~have) !== 0) return false;
      }
    }
    return true;
  }

  // A convex polygon: begin with its rows, give its edges in any order, then cover.
  begin(y0: number, y1: number): boolean {
    this.top = Math.max(0, Math.ceil(y0 + this.margin - 0.5));
    this.bottom = Math.min(this.height - 1, Math.ceil(y1 - this.margin - 0.5) - 1);
    for (let y = this.top; y <= this.bottom; y++) {
      this.left[y] = 1e9;
      this.right[y] = -1e9;
    }
    return this.top <= this.bottom;
  }
  edge(x0: number, y0: number, x1: number, y1: number): void {
    if (y0 > y1) {
      let swap = y0;
      y0 = y1;
      y1 = swap;
      swap = x0;
      x0 = x1;
      x1 = swap;
    }
    const first = Math.max(this.top, Math.ceil(y0 - 0.5));
    const last = Math.min(this.bottom, Math.ceil(y1 - 0.5) - 1);
    if (first > last) return;
    const slope = (x1 - x0) / (y1 - y0);
    const margin = this.margin * (1 + Math.abs(slope));
    const x = x0 + (first + 0.5 - y0) * slope;
    let a = x + margin;
    let b = x - margin;
    const { left, right } = this;
    for (let y = first; y <= last; y++, a += slope, b += slope) {
      if (a < left[y]!) left[y] = a;
      if (b > right[y]!) right[y] = b;
    }
  }
  // A circle instead of edges.
  round(x: number, y: number, radius: number): void {
    radius -= 2 * this.margin;
    for (let row = this.top; row <= this.bottom; row++) {
      const d = row + 0.5 - y;
      const half = Math.sqrt(Math.max(0, radius * radius - d * d));
      this.left[row] = x - half;
      this.right[row] = x + half;
    }
  }
  // All of it is at most as far as `far`.
  cover(far: number): void {
    const { mask, depth, columns } = this;
    for (let y = this.top; y <= this.bottom; y++) {
      const first = Math.max(0, Math.ceil(this.left[y]! - 0.5));
      const last = Math.min(this.width - 1, Math.ceil(this.right[y]! - 0.5) - 1);
      if (first > last) continue;
      const shift = 8 * (y & 3);
      const firstColumn = first >> 3;
      const lastColumn = last >> 3;
      let at = (y >> 2) * columns + firstColumn;
      for (let c = firstColumn; c <= lastColumn; c++, at++) {
        const have = mask[at]!;
        if (have === -1) continue;
        let byte = 255;
        if (c === firstColumn) byte = (byte << (first & 7)) & 255;
        if (c === lastColumn) byte &= 255 >> (7 - (last & 7));
        const now = have | (byte << shift);
        if (now === have) continue;
        mask[at] = now;
        if (far > depth[at]!) depth[at] = far;
      }
    }
  }
}
