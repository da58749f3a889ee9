// The keyboard.
import type { Clock } from "./clock";

export const KEYS: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "one frame; with Shift ten"],
  ["Home End", "first, last frame"],
  ["[ ]", "slower, faster"],
  ["L", "follow the newest frame of a running run"],
  ["C", "next colouring"],
  ["N", "contact forces"],
  ["M", "next map of a crowd or a chain"],
  ["T", "trails of a crowd"],
  ["PgUp PgDn", "another floor of a crowd, ball of a chain, node of a continuum"],
  ["F", "follow the selected body"],
  ["R", "fit the whole scene"],
  ["V", "next view"],
  ["D", "light or dark"],
  ["P", "save the picture"],
  ["Esc", "clear the selection"],
  ["?", "keyboard shortcuts"],
];

export function handleKeys(keys: { clock: Clock; act: Record<string, () => unknown> }): void {
  const { clock, act } = keys;
  const all: Record<string, (e: KeyboardEvent) => unknown> = {
    " ": () => clock.toggle(),
    ArrowLeft: (e) => clock.step(e.shiftKey ? -10 : -1),
    ArrowRight: (e) => clock.step(e.shiftKey ? 10 : 1),
    Home: () => clock.step(-Infinity),
    End: () => clock.step(Infinity),
    "[": () => clock.faster(-1),
    "]": () => clock.faster(1),
    l: () => clock.goLive(),
  };
  for (const [key, run] of Object.entries(act)) all[key] = run;
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const target = e.target as HTMLElement;
    const typing = target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox";
    const choosing = target instanceof HTMLSelectElement && e.key !== " ";
    if (typing || choosing) return;
    if (e.key === " " && target instanceof HTMLSelectElement) return;
    const run = all[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    // What gives false had nothing to do: the key is the browser's.
    if (run && run(e) !== false) e.preventDefault();
  });
}
