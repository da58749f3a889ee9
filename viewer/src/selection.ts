// The selected thing (a body, later a person or a ball) by its number; -1: none.
import { Signal } from "./signal";

export class Selection {
  readonly changed = new Signal();
  private chosen = -1;
  get index(): number {
    return this.chosen;
  }
  choose(index: number): void {
    if (index === this.chosen) return;
    this.chosen = index;
    this.changed.send();
  }
}
