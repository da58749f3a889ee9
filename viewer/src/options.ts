// What the user may choose about a view, by name. Views declare what they offer; the panel, the keys
// and the program's `render` set it, all through here.
import { Signal } from "./signal";

export type Value = string | number | boolean;

// `when`: it changes the picture now; else it is not shown.
export type Control =
  | { kind: "choice"; key: string; label: string; choices: [string, string][]; hint?: string; when?: () => boolean }
  | { kind: "toggle"; key: string; label: string; hint?: string; when?: () => boolean }
  | { kind: "range"; key: string; label: string; low: number; high: number; step: number; hint?: string }
  | { kind: "note"; key: string; label: string; text: string }; // why there is no choice

export class Options {
  readonly changed = new Signal<string>(); // the key
  private readonly values = new Map<string, Value>();

  // Keeps a value that was set before.
  declare(key: string, initial: Value): void {
    if (!this.values.has(key)) this.values.set(key, initial);
  }
  set(key: string, value: Value): void {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    this.changed.send(key);
  }
  flag(key: string): boolean {
    return this.values.get(key) === true;
  }
  number(key: string): number {
    const value = this.values.get(key);
    return typeof value === "number" ? value : 0;
  }
  word(key: string): string {
    return String(this.values.get(key) ?? "");
  }
  has(key: string): boolean {
    return this.values.has(key);
  }
  get(key: string): Value | undefined {
    return this.values.get(key);
  }
}
