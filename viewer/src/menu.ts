// The menu of views: those of the run's kinds of views, the best kind first, then those that the
// scene names.
import { type Aim, namedViews, type NamedView } from "./aim";
import { make } from "./dom";
import type { Options, Value } from "./options";
import type { Run } from "./run";
import type { ViewKind } from "./view";

export interface Place {
  name: string;
  title: string;
  kind: ViewKind;
  options: Record<string, Value>;
  aim: Aim;
}

export class Menu {
  readonly element: HTMLSelectElement;
  readonly places: Place[] = [];
  private kinds: ViewKind[] = [];
  private named: NamedView[] = [];

  constructor(
    private readonly options: Options,
    choose: (name: string) => void,
  ) {
    this.element = make("select", { class: "views", "aria-label": "view", title: "view (V: next)", onchange: () => choose(this.element.value) });
  }

  async fill(run: Run, kinds: ViewKind[]): Promise<void> {
    this.kinds = kinds;
    this.named = await namedViews(run);
    for (const kind of kinds)
      for (const entry of (await kind.entries?.(run)) ?? [{ name: kind.title.toLowerCase(), title: kind.title }])
        this.places.push({ kind, options: {}, aim: {}, ...entry });
    const own = this.places.length;
    for (const { name, color, ...aim } of this.named) {
      const kind = (aim.camera || aim.path) && kinds.find((k) => k.camera);
      this.places.push({ name, title: name, kind: kind || kinds[0]!, options: color ? { color } : {}, aim });
    }
    const options = (places: Place[]) => places.map((p) => make("option", { value: p.name, text: p.title }));
    this.element.append(...options(this.places.slice(0, own)));
    if (this.named.length > 0) this.element.append(make("optgroup", { label: "views of the scene" }, ...options(this.places.slice(own))));
    this.element.hidden = this.places.length < 2;
  }

  // The one that is shown first.
  get first(): Place {
    return this.places.find((p) => p.name === "default") ?? this.places[0]!;
  }
  after(place: Place): Place {
    return this.places[(this.places.indexOf(place) + 1) % this.places.length]!;
  }

  // A view of the scene, one of the others, or one of a kind.
  find(name: string): Place | undefined {
    const own = [...this.places].reverse(); // those of the scene come before others of their name
    const alike = own.find((p) => p.name === name) ?? own.find((p) => p.name.toLowerCase() === name.toLowerCase());
    const kind = this.kinds.find((k) => k.id === name);
    return alike ?? (kind && this.ofKind(kind));
  }
  // The one of a kind whose options are set.
  ofKind(kind: ViewKind): Place {
    const fits = (p: Place) => Object.entries(p.options).every(([key, value]) => !this.options.has(key) || this.options.get(key) === value);
    return this.places.find((p) => p.kind === kind && fits(p)) ?? this.places.find((p) => p.kind === kind)!;
  }

  // With the path of a view in the place of its name.
  withPath(aim: Aim): Aim {
    if (typeof aim.path !== "string") return aim;
    const have = this.named.filter((v) => v.path);
    const path = have.find((v) => v.name === aim.path)?.path;
    if (!path)
      throw new Error(`the scene has no view '${aim.path}' with a path (${have.length > 0 ? `it has ${have.map((v) => v.name).join(", ")}` : "it has none"}; a file ends with .csv)`);
    return { ...aim, path };
  }
}
