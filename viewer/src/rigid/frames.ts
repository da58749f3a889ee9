// Frames of a rigid run: poses, and what else is asked for.
import { Frames } from "../frames";
import type { Run, Selected } from "../run";
import { ActionRows, type Actions } from "./actions";
import { ContactRows, type Contacts } from "./contacts";
import type { RigidScene } from "./scene";

export interface Frame {
  index: number;
  time: number;
  position: Float32Array; // 3 each, relative to the scene's origin
  orientation: Float32Array; // 4 each: w, x, y, z
  velocity: Float32Array | null; // 3 each
  spin: Float32Array | null; // 3 each
  contacts: Contacts | null;
  actions: Actions | null;
  temperature: Float32Array | null;
}

// What is got besides the poses.
export type Extra = "velocity" | "spin" | "contacts" | "actions" | "temperature";

export class RigidFrames extends Frames<Extra, Frame> {
  private readonly contacts: ContactRows;
  private readonly actions: ActionRows;

  constructor(
    run: Run,
    private readonly scene: RigidScene,
  ) {
    super(run, scene.count);
    this.contacts = new ContactRows(run, scene.origin);
    this.actions = new ActionRows(run, scene.origin);
  }

  override offers(extra: Extra): boolean {
    if (extra === "contacts") return this.contacts.offered;
    return extra === "actions" ? this.actions.offered : this.run.has(`frames/${extra}`);
  }

  // Without poses.
  override async peek(index: number, extras: Extra[]): Promise<Frame> {
    const none = new Float32Array(0);
    const here = this.kept.get(index);
    const frame: Frame = { index, time: 0, position: none, orientation: none, velocity: null, spin: null, contacts: null, actions: null, temperature: null };
    for (const extra of extras) {
      if (here && here[extra] !== null) Object.assign(frame, { [extra]: here[extra] });
      else if (extra === "contacts") frame.contacts = await this.contacts.at(index);
      else if (extra === "actions") frame.actions = await this.actions.at(index);
      else frame[extra] = await this.run.rows(`frames/${extra}`, "f32", { first: index });
    }
    return frame;
  }

  protected override async bring(indices: number[], every: number, signal?: AbortSignal): Promise<void> {
    const n = this.scene.count;
    const part = { first: indices[0]!, count: indices.length, every };
    const lacks = (extra: Extra) => this.lack(extra, indices);
    const without = indices.some((k) => !this.kept.has(k));
    const series = (name: string) => this.run.rows(`frames/${name}`, "f32", part, signal);
    const [time, position, orientation, velocity, spin, temperature, contacts, actions] = await Promise.all([
      without ? this.run.rows("frames/time", "f64", part, signal) : null,
      without
        ? this.positions(part, signal)
        : null,
      without ? series("orientation") : null,
      lacks("velocity") ? series("velocity") : null,
      lacks("spin") ? series("spin") : null,
      lacks("temperature") ? series("temperature") : null,
      lacks("contacts") ? Promise.all(indices.map((k) => this.contacts.at(k, signal))) : null,
      lacks("actions") ? Promise.all(indices.map((k) => this.actions.at(k, signal))) : null,
    ]);
    indices.forEach((k, i) => {
      const cut = (all: Float32Array | null, wide: number) =>
        all ? all.subarray(i * n * wide, (i + 1) * n * wide) : null;
      const frame: Frame = this.kept.get(k) ?? {
        index: k,
        time: time![i]!,
        position: cut(position, 3)!,
        orientation: cut(orientation, 4)!,
        velocity: null,
        spin: null,
        contacts: null,
        actions: null,
        temperature: null,
      };
      frame.velocity ??= cut(velocity, 3);
      frame.spin ??= cut(spin, 3);
      frame.temperature ??= cut(temperature, 1);
      frame.contacts ??= contacts ? contacts[i]! : null;
      frame.actions ??= actions ? actions[i]! : null;
      this.kept.set(k, frame);
    });
  }

  private async positions(part: Selected, signal?: AbortSignal): Promise<Float32Array> {
    const all = await this.run.rows("frames/position", "f32", { ...part, minus: this.scene.origin }, signal);
    await this.scene.correct(all, part, signal);
    return all;
  }

  protected override bytes(f: Frame): number {
    return (
      4 *
      (f.position.length +
        f.orientation.length +
        (f.velocity?.length ?? 0) +
        (f.spin?.length ?? 0) +
        (f.temperature?.length ?? 0) +
        (f.contacts ? 8 * f.contacts.count : 0) +
        (f.actions ? 10 * f.actions.count : 0))
    );
  }
}

// One for a run, so that a change of view keeps what was got.
const opened = new WeakMap<Run, RigidFrames>();
export function rigidFrames(run: Run, scene: RigidScene): RigidFrames {
  let frames = opened.get(run);
  if (!frames) opened.set(run, (frames = new RigidFrames(run, scene)));
  return frames;
}
