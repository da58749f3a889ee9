// Frames of a crowd run: who is where, and what else is asked for.
import { Frames } from "../frames";
import { ContactRows, type Contacts } from "../rigid/contacts";
import type { NumberType } from "../run";
import type { CrowdScene } from "./scene";

export interface Frame {
  index: number;
  time: number;
  position: Float32Array; // 3 each, in the world, relative to the scene's origin
  present: Uint8Array; // 1: is there
  floor: Int32Array; // on which
  doors: Uint8Array; // 1: open
  velocity: Float32Array | null; // 3 each
  orientation: Float32Array | null; // 4 each: w, x, y, z
  goal: Int32Array | null;
  push: Float32Array | null; // N s
  push_largest: Float32Array | null; // so far
  contacts: Contacts | null;
}

export type Extra = "velocity" | "orientation" | "goal" | "push" | "push_largest" | "contacts";

export class CrowdFrames extends Frames<Extra, Frame> {
  private readonly contacts: ContactRows;
  private readonly ground: Int32Array; // the floor of everybody where there is one
  private readonly open = new Uint8Array(0); // where there are no doors

  constructor(private readonly scene: CrowdScene) {
    super(scene.run, scene.count);
    this.contacts = new ContactRows(scene.run, scene.origin);
    this.ground = new Int32Array(scene.count);
  }

  override offers(extra: Extra): boolean {
    return extra === "contacts" ? this.contacts.offered : this.run.has(`frames/${extra}`);
  }

  // Without places.
  override async peek(index: number, extras: Extra[]): Promise<Frame> {
    const none = new Float32Array(0);
    const frame: Frame = {
      index,
      time: 0,
      position: none,
      present: await this.run.rows("frames/present", "u8", { first: index }),
      floor: this.ground,
      doors: this.open,
      velocity: null,
      orientation: null,
      goal: null,
      push: null,
      push_largest: null,
      contacts: null,
    };
    const part = { first: index };
    if (extras.includes("velocity")) frame.velocity = await this.bodies("velocity", part);
    if (extras.includes("goal")) frame.goal = await this.run.rows("frames/goal", "i32", part);
    for (const push of ["push", "push_largest"] as const)
      if (extras.includes(push)) frame[push] = await this.run.rows(`frames/${push}`, "f32", part);
    return frame;
  }

  // A series of bodies, only the people.
  private bodies(name: string, part: { first: number; count?: number; every?: number; minus?: Float64Array }, signal?: AbortSignal): Promise<Float32Array> {
    const { first, count, rigid } = this.scene;
    const people = rigid.count === 1 ? part : { ...part, second: first, seconds: count };
    return this.run.rows(`frames/${name}`, "f32", people, signal);
  }

  protected override async bring(indices: number[], every: number, signal?: AbortSignal): Promise<void> {
    const n = this.scene.count;
    const part = { first: indices[0]!, count: indices.length, every };
    const without = indices.some((k) => !this.kept.has(k));
    const series = <T extends NumberType>(name: string, as: T) => this.run.rows(`frames/${name}`, as, part, signal);
    const lacks = (extra: Extra) => this.lack(extra, indices);
    const [time, position, present, floor, doors, velocity, orientation, goal, push, largest, contacts] = await Promise.all([
      without ? series("time", "f64") : null,
      without ? this.bodies("position", { ...part, minus: this.scene.origin }, signal) : null,
      without ? series("present", "u8") : null,
      without && this.scene.floors.length > 1 ? series("floor", "i32") : null,
      without && this.scene.doors.length > 0 ? series("door_open", "u8") : null,
      lacks("velocity") ? this.bodies("velocity", part, signal) : null,
      lacks("orientation") ? this.bodies("orientation", part, signal) : null,
      lacks("goal") ? series("goal", "i32") : null,
      lacks("push") ? series("push", "f32") : null,
      lacks("push_largest") ? series("push_largest", "f32") : null,
      lacks("contacts") ? Promise.all(indices.map((k) => this.contacts.at(k, signal))) : null,
    ]);
    indices.forEach((k, i) => {
      const cut = <A extends Float32Array | Int32Array | Uint8Array>(all: A | null, wide = 1) =>
        all ? (all.subarray(i * n * wide, (i + 1) * n * wide) as A) : null;
      const own = this.scene.doors.length;
      const frame: Frame = this.kept.get(k) ?? {
        index: k,
        time: time![i]!,
        position: cut(position, 3)!,
        present: cut(present)!,
        floor: cut(floor) ?? this.ground,
        doors: doors?.subarray(i * own, (i + 1) * own) ?? this.open,
        velocity: null,
        orientation: null,
        goal: null,
        push: null,
        push_largest: null,
        contacts: null,
      };
      frame.velocity ??= cut(velocity, 3);
      frame.orientation ??= cut(orientation, 4);
      frame.goal ??= cut(goal);
      frame.push ??= cut(push);
      frame.push_largest ??= cut(largest);
      frame.contacts ??= contacts ? contacts[i]! : null;
      this.kept.set(k, frame);
    });
  }

  protected override bytes(f: Frame): number {
    const numbers = [f.position, f.velocity, f.orientation, f.goal, f.push, f.push_largest].reduce((s, a) => s + (a?.length ?? 0), 0);
    return 4 * numbers + 5 * f.present.length + 32 * (f.contacts?.count ?? 0);
  }

  // The frame as far as it is here: people and places.
  places(index: number): Frame | undefined {
    return this.kept.get(index);
  }
}
