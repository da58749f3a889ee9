// The light: a colour's fourth byte says how bright a face is, 0 to 1. Faces turned away from the sun
// share the lower part, so that their shapes are seen too, and what is in shadow goes down to it.
import { unit, type Vector } from "./camera";

export const SHADOWED = 0.34;

// Towards the sun, given the ground's axes and up.
export function sunOf(e1: Vector, e2: Vector, up: Vector): Vector {
  const d: Vector = [0, 0, 0];
  for (let i = 0; i < 3; i++) d[i] = -0.3 * e1[i]! - 0.62 * e2[i]! + 1.0 * up[i]!;
  return unit(d);
}

// Brightness of a face from the cosines of its normal with the sun and with up.
export function brightness(sun: number, up: number): number {
  return SHADOWED + (sun > 0 ? 0.58 * sun : 0.16 * sun) + 0.1 * up - 0.02;
}

// The same in GLSL; `lit` makes the colour.
export const LIGHT = `
float brightness(float sun, float up) {
  return ${SHADOWED.toFixed(3)} + (sun > 0. ? .58 : .16) * sun + .1 * up - .02;
}
vec3 lit(vec3 base, float bright) {
  return base * mix(vec3(.34, .37, .45), vec3(1.22, 1.19, 1.13), bright);
}
`;
