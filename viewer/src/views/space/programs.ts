// The shaders. Surfaces carry a base colour and a brightness at their vertices, so that without
// shadows and sections nothing is left to do for a pixel.
import { Program, type GL } from "./gl";
import { LIGHT, SHADOWED } from "./light";

// SHADOW: the sun's depth map darkens. CUT: what lies before a plane is cut away, and the inside of
// cut bodies is shown in their colour without light.
const PIXEL = `
uniform float alpha;
#ifdef SHADOW
uniform sampler2DShadow map;
uniform float texel;
float sunlight(vec3 spot) {
  if (any(greaterThan(abs(spot - .5), vec3(.499)))) return 1.;
  vec4 s = texel * vec4(-1.1, -.4, .4, 1.1);
  return .25 * (texture(map, spot + vec3(s.x, s.y, 0.)) + texture(map, spot + vec3(s.z, s.x, 0.)) +
                texture(map, spot + vec3(s.y, s.w, 0.)) + texture(map, spot + vec3(s.w, s.z, 0.)));
}
#endif
`;

const SURFACE_VERTEX = `
in vec3 position;
in vec4 color;
uniform mat4 view;
#ifdef FLAT
flat out vec4 tone;
#else
out vec4 tone;
#endif
#ifdef SHADOW
uniform mat4 light;
out vec3 spot;
#endif
#ifdef CUT
uniform vec4 cut;
out float side;
#endif
${LIGHT}
void main() {
  gl_Position = view * vec4(position, 1.);
#if defined(SHADOW) || defined(CUT)
  tone = color;
#else
  tone = vec4(lit(color.rgb, color.a), 1.);
#endif
#ifdef SHADOW
  spot = (light * vec4(position, 1.)).xyz;
#endif
#ifdef CUT
  side = dot(cut, vec4(position, 1.));
#endif
}`;

const SURFACE_PIXEL = `
#ifdef FLAT
flat in vec4 tone;
#else
in vec4 tone;
#endif
#ifdef SHADOW
in vec3 spot;
#endif
#ifdef CUT
in float side;
#endif
out vec4 shown;
${PIXEL}
${LIGHT}
void main() {
#ifdef CUT
  if (side > 0.) discard;
  if (!gl_FrontFacing) {
    shown = vec4(tone.rgb * vec3(.62, .6, .6), alpha);
    return;
  }
#endif
#ifdef SHADOW
  float bright = mix(min(tone.a, ${SHADOWED.toFixed(3)} * .8), tone.a, sunlight(spot));
  shown = vec4(lit(tone.rgb, bright), alpha);
#elif defined(CUT)
  shown = vec4(lit(tone.rgb, tone.a), alpha);
#else
  shown = vec4(tone.rgb, alpha);
#endif
}`;

// A ball is the disc in which the cone from the eye touches it. The disc lies inside the ball, so
// that it hides and is hidden as the ball would be by all that does not enter the ball. DEEP: with the
// depths of the ball itself, for balls that are parts of bodies.
const BALL_VERTEX = `
in vec4 position; // centre, radius
in vec4 color;
uniform mat4 view;
uniform vec3 eye;
uniform vec3 upward;
flat out vec4 tone;
flat out vec4 ball;
flat out vec3 across, along, away;
out vec2 place;
void main() {
  vec2 corner = vec2(gl_VertexID & 1 ^ (gl_VertexID >> 1 & 1), gl_VertexID >> 1 & 1) * 2. - 1.;
#ifdef PARALLEL
  vec3 d = eye; // towards the sun
  float far = 1e30, inner = 0., size = position.w;
#else
  vec3 d = eye - position.xyz;
  float far = length(d);
  float part = min(.999, position.w / far);
  float inner = position.w * part, size = position.w * sqrt(1. - part * part);
#endif
  away = normalize(d);
  across = normalize(cross(abs(dot(upward, away)) > .99 ? upward.yzx : upward, away));
  along = cross(away, across);
  place = corner * 1.02;
  tone = color;
  ball = position;
  gl_Position = view * vec4(position.xyz + inner * away + size * (place.x * across + place.y * along), 1.);
}`;

const BALL_PIXEL = `
flat in vec4 tone;
flat in vec4 ball;
flat in vec3 across, along, away;
in vec2 place;
out vec4 shown;
uniform vec3 sun;
uniform vec3 upward;
#ifdef SHADOW
uniform mat4 light;
#endif
#ifdef CUT
uniform vec4 cut;
#endif
#ifdef DEEP
uniform mat4 view;
#endif
${PIXEL}
${LIGHT}
void main() {
  float q = dot(place, place);
#ifdef DEPTH
  if (q > 1.) discard;
#ifdef CUT
  if (dot(cut, vec4(ball.xyz + ball.w * (place.x * across + place.y * along), 1.)) > 0.) discard;
#endif
  shown = vec4(1.);
#else
#ifdef SOFT
  float edge = fwidth(q);
  float cover = clamp((1. - q) / edge + .5, 0., 1.);
  if (cover <= 0.) discard;
#else
  const float cover = 1.;
  if (q > 1.) discard;
#endif
  vec3 n = place.x * across + place.y * along + sqrt(max(0., 1. - q)) * away;
#ifdef DEEP
  vec4 clip = view * vec4(ball.xyz + ball.w * n, 1.);
  gl_FragDepth = .5 * clip.z / clip.w + .5;
#endif
#ifdef CUT
  if (dot(cut, vec4(ball.xyz + ball.w * n, 1.)) > 0.) {
    vec3 back = n - 2. * sqrt(max(0., 1. - q)) * away;
    if (dot(cut, vec4(ball.xyz + ball.w * back, 1.)) > 0.) discard;
    shown = vec4(tone.rgb * vec3(.62, .6, .6), alpha);
    return;
  }
#endif
  float bright = brightness(dot(n, sun), dot(n, upward));
#ifdef SHADOW
  float open = sunlight((light * vec4(ball.xyz + ball.w * n, 1.)).xyz);
  bright = mix(min(bright, ${SHADOWED.toFixed(3)} * .8), bright, open);
#endif
  shown = vec4(lit(tone.rgb, bright), alpha * cover);
#endif
}`;

// Colours as they are: lines, the grid, thick strokes. EDGE: lines fade where they are as close to each
// other as a few pixels.
const PLAIN_VERTEX = `
#ifdef EDGE
in vec4 position; // and how far the edges of the body are apart
uniform float pixels; // of a length of 1 at distance 1
#else
in vec3 position;
#endif
in vec4 color;
uniform mat4 view;
uniform vec4 tint;
uniform float pull; // towards the eye, as a part of the depth
out vec4 tone;
#ifdef FADE
uniform vec4 middle; // and the radius where nothing is left
#endif
#ifdef CUT
uniform vec4 cut;
out float side;
#endif
void main() {
  gl_Position = view * vec4(position.xyz, 1.);
  gl_Position.z -= pull * gl_Position.w;
#ifdef TINT
  tone = tint;
#else
  tone = color;
#endif
#ifdef EDGE
  tone.a *= smoothstep(1., 6., pixels * position.w / gl_Position.w);
#endif
#ifdef FADE
  tone.a *= 1. - smoothstep(.3, 1., distance(position, middle.xyz) / middle.w);
#endif
#ifdef CUT
  side = dot(cut, vec4(position.xyz, 1.));
#endif
}`;

const PLAIN_PIXEL = `
in vec4 tone;
#ifdef CUT
in float side;
#endif
out vec4 shown;
void main() {
#ifdef CUT
  if (side > 0.) discard;
#endif
  shown = tone;
}`;

// Planes. A floor's colour goes over into the paper's at a distance, so that nothing need be blended;
// a wall fades.
const GROUND_VERTEX = `
in vec3 position;
in vec4 color;
uniform mat4 view;
uniform vec4 middle;
uniform vec3 paper;
out vec4 tone;
#ifdef SHADOW
uniform mat4 light;
out vec3 spot;
#endif
void main() {
  gl_Position = view * vec4(position, 1.);
  vec3 near = mix(paper, color.rgb * (.72 + .4 * color.a), .5);
  float far = smoothstep(.2, 1., distance(position, middle.xyz) / middle.w);
#ifdef FADE
  tone = vec4(near, .8 * (1. - far));
#else
  tone = vec4(mix(near, paper, far), 1.);
#endif
#ifdef SHADOW
  spot = (light * vec4(position, 1.)).xyz;
#endif
}`;

const GROUND_PIXEL = `
in vec4 tone;
#ifdef SHADOW
in vec3 spot;
#endif
out vec4 shown;
uniform vec3 dark;
${PIXEL}
void main() {
#ifdef SHADOW
  shown = vec4(tone.rgb * mix(dark, vec3(1.), sunlight(spot)), tone.a);
#else
  shown = tone;
#endif
}`;

// Pictures of text, in pixels of the picture.
const TEXT_VERTEX = `
in vec3 position; // place in clip space, and which corner
out vec2 place;
void main() {
  float corner = position.z;
  place = vec2(mod(corner, 2.), floor(corner / 2.));
  gl_Position = vec4(position.xy, 0., 1.);
}`;
const TEXT_PIXEL = `
in vec2 place;
out vec4 shown;
uniform sampler2D words;
void main() { shown = texture(words, place); }`;

const SOURCES = {
  surface: [SURFACE_VERTEX, SURFACE_PIXEL],
  ball: [BALL_VERTEX, BALL_PIXEL],
  plain: [PLAIN_VERTEX, PLAIN_PIXEL],
  ground: [GROUND_VERTEX, GROUND_PIXEL],
  text: [TEXT_VERTEX, TEXT_PIXEL],
} as const;

export type Flags = "FLAT" | "SHADOW" | "CUT" | "SOFT" | "PARALLEL" | "DEPTH" | "TINT" | "FADE" | "EDGE" | "DEEP";

// Programs by what they do, made when first wanted.
export class Programs {
  private readonly made = new Map<string, Program>();
  constructor(private readonly gl: GL) {}
  get(kind: keyof typeof SOURCES, ...flags: (Flags | false)[]): Program {
    const defines = flags.filter((f) => f !== false);
    const key = `${kind} ${defines.join(" ")}`;
    let program = this.made.get(key);
    if (!program) {
      const [vertex, fragment] = SOURCES[kind];
      program = new Program(this.gl, vertex, fragment, ["position", "color"], defines);
      this.made.set(key, program);
    }
    program.use();
    return program;
  }
}
