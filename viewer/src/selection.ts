// The selected thing (a body, later a person or a ball) by its number; -1: none.
import { Signal } from "./signal";

export class Selection {
  readonly changed = new Signal();
  readonly picked = new Signal(); // something was clicked in the picture
  private chosen = -1;
  get index(): number {
    return this.chosen;
  }
  choose(index: number): void {
    if (index === this.chosen) return;
    this.chosen = index;
    this.changed.send();
  }
  pick(index: number): void {
    this.choose(index);
    if (index >= 0) this.picked.send();
  }
}
