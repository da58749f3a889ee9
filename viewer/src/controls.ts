// The controls that a view offers, as rows of a form that stays in step with the options.
import { make } from "./dom";
import type { Control, Options } from "./options";

export class Controls {
  readonly element = make("form", { class: "controls", onsubmit: (e) => e.preventDefault() });
  private readonly update = new Map<string, () => void>();

  constructor(private readonly options: Options) {
    options.changed.listen((key) => {
      this.update.get(key)?.();
      this.sort();
    });
  }

  offer(controls: Control[]): void {
    this.update.clear();
    this.rows = controls.map((control) => ({ control, row: this.row(control) }));
    this.element.replaceChildren(...this.rows.map(({ row }) => row));
    for (const refresh of this.update.values()) refresh();
    this.sort();
  }
  private rows: { control: Control; row: HTMLElement }[] = [];

  private sort(): void {
    for (const { control, row } of this.rows) row.hidden = "when" in control && !control.when?.();
  }

  private row(control: Control): HTMLElement {
    const { key } = control;
    if (control.kind === "note")
      return make("p", { class: "note" }, make("span", { text: control.label }), make("small", { text: control.text }));
    const label = make("label", { title: control.hint });
    if (control.kind === "toggle") {
      const box = make("input", { type: "checkbox", name: key, onchange: () => this.options.set(key, box.checked) });
      this.update.set(key, () => (box.checked = this.options.flag(key)));
      label.append(box, ` ${control.label}`);
    } else if (control.kind === "choice") {
      const list = make("select", { name: key, onchange: () => this.options.set(key, list.value) });
      for (const [value, text] of control.choices) list.append(make("option", { value, text }));
      this.update.set(key, () => (list.value = this.options.word(key)));
      label.append(make("span", { text: control.label }), list);
    } else {
      const slide = make("input", {
        type: "range",
        name: key,
        min: control.low,
        max: control.high,
        step: control.step,
        oninput: () => this.options.set(key, Number(slide.value)),
      });
      this.update.set(key, () => (slide.value = String(this.options.number(key))));
      label.append(make("span", { text: control.label }), slide);
    }
    return label;
  }
}
