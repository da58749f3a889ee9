// An aim in a flat view: a place or things in the middle, and how large.
import { type Aim, meanPlace, thingsOf } from "../aim";
import type { Sheet } from "./sheet";

// Pixels: the radius below which a body is too small to follow, and the one that it gets.
export const [TINY, LARGER] = [8, 40];

export class FlatAim {
  private things: number[] = []; // that stay in the middle

  // On a sheet that was just fitted. `where`: a place of the run on the sheet.
  begin(to: Aim, names: string[], sheet: Sheet, where: (place: number[]) => [number, number]): void {
    if (to.camera || to.path) throw new Error("this view is flat: it has no camera (it takes look_at, zoom and follow)");
    const name = to.follow ?? to.look_at;
    this.things = typeof name === "string" ? thingsOf(names, name) : [];
    if (Array.isArray(to.look_at)) sheet.centre = where(to.look_at);
    sheet.zoom *= to.zoom ?? 1;
  }
  end(): void {
    this.things = [];
  }

  // `where`: a thing is on the sheet.
  apply(sheet: Sheet, where: (thing: number) => [number, number]): void {
    if (this.things.length === 0) return;
    const places = this.things.flatMap(where);
    const at = meanPlace(Array.from(this.things.keys()), places, 2);
    if (at) sheet.centre = [at[0]!, at[1]!];
  }
}
