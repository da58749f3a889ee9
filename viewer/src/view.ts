// A view is one way to look at a run: one module in views/, listed in views/index.ts. The page gives
// it a place and a session, tells it when to draw, and shows its controls; the time bar, the curves
// and the selection are shared.
import type { Aim } from "./aim";
import type { Clock } from "./clock";
import type { Control, Options, Value } from "./options";
import type { Run } from "./run";
import type { Selection } from "./selection";

export interface Session {
  readonly run: Run;
  readonly clock: Clock;
  readonly selection: Selection;
  readonly options: Options;
  // Pictures follow each other: better soon than fine.
  readonly moving: boolean;
  // Something changed that the picture shows: draw again soon.
  redraw(): void;
  // One-line message to the user, for a while.
  say(text: string): void;
}

// A quantity on a colour scale, for the legend.
export interface Legend {
  title: string;
  unit: string;
  low: number;
  high: number;
  above?: boolean; // some values are above the scale
  below?: boolean; // some are below it
  note?: string; // a line below
  wedge?: boolean; // the scale gets thicker: it is of lines
  colors: string[]; // from low to high
  words?: string[]; // a list of names instead of a scale, one for each colour
}

// A line of the numbers of a selected thing.
export type NumberRow = [label: string, value: string, unit: string];

// A number of a thing that changes over time.
export interface History {
  id: string;
  title: string;
  unit: string;
  // At frames first, first + every, …
  values(index: number, first: number, count: number, every: number, signal: AbortSignal): Promise<number[]>;
}

// A line of what a selected thing touches: the other thing, and texts for the columns.
export interface Touch {
  index: number; // of the other thing; -1: it cannot be selected
  name: string;
  cells: string[];
}
export interface Touches {
  title: string;
  head: string[];
  lines: Touch[];
}

// What can be selected: bodies, people, balls, nodes.
export interface Things {
  readonly names: string[];
  readonly histories: History[];
  numbers(index: number, frame: number): Promise<NumberRow[]>;
  touches?(index: number, frame: number): Promise<Touches | null>;
}

// Numbers with a name.
export interface Curve {
  label: string;
  unit: string;
  values: ArrayLike<number>;
}

// Curves that are not over time: along something, in one frame.
export interface Profile {
  id: string;
  title: string;
  read(frame: number): Promise<ProfileCurves>;
}
export interface ProfileCurves {
  along: Curve;
  curves: Curve[];
  places: Curve[]; // where it is, for tables
  breaks: number[]; // numbers at which a new piece begins
}

export interface View {
  readonly things: Things;
  readonly controls: Control[];
  // The frame can be drawn without waiting.
  ready(frame: number): boolean;
  // Gets what the frame needs; resolves when it can be drawn.
  load(frame: number): Promise<void>;
  // Starts to get the frames after this one, those that are multiples of `stride`.
  ahead(frame: number, stride: number): void;
  // Draws the frame of the clock, or leaves the last picture if it is not ready.
  draw(): void;
  resize(width: number, height: number, ratio: number): void;
  // The whole scene in the picture again.
  reset(): void;
  // Looks from there; `{}`: as at first. Throws if something is asked for that it cannot do.
  lookFrom?(to: Aim): void | Promise<void>;
  // Selects the next thing, or the one before, if they have an order.
  next?(by: number): boolean;
  // Looks at the selected thing from now on, or no longer.
  follow(on: boolean): void;
  // The picture as it was last drawn, for stills.
  picture(): HTMLCanvasElement;
  // One or several scales; null: nothing to tell.
  legend(): Legend | Legend[] | null;
  // What was drawn, in numbers, for tests.
  facts?(): Record<string, number>;
  // Where the scene is, if nothing of it is in the picture; null: something is.
  missed?(): string | null;
  // Curves to begin with, also profiles.
  readonly charts?: string[];
  readonly profiles?: Profile[];
  // What is under this place of the picture (pixels of the page), -1: nothing.
  pick(x: number, y: number): number;
  dispose(): void;
}

// An entry of the menu of views.
export interface Entry {
  name: string;
  title: string;
  options?: Record<string, Value>; // of the view
  aim?: Aim;
}

export interface ViewKind {
  readonly id: string;
  readonly title: string;
  // Has a camera that can stand anywhere.
  readonly camera?: boolean;
  // If there is more than one, by its title.
  entries?(run: Run): Promise<Entry[]>;
  // How well it suits the run; 0: not at all. The best one is shown first.
  fits(run: Run): Promise<number>;
  create(place: HTMLElement, session: Session): Promise<View>;
}
