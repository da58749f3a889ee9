// A part of a picture, in pixels of the page.
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function holds(box: Box, x: number, y: number): boolean {
  return x >= box.left && x <= box.left + box.width && y >= box.top && y <= box.top + box.height;
}

// Without parts of pixels.
export function whole(box: Box): Box {
  const [left, top] = [Math.round(box.left), Math.round(box.top)];
  return { left, top, width: Math.round(box.left + box.width) - left, height: Math.round(box.top + box.height) - top };
}
