// What balls can be coloured by.
import type { Quantity } from "../colors";
import type { Extra, Frame } from "./frames";
import type { ChainScene } from "./scene";
import type { Waves } from "./waves";

export function quantities({ mass }: ChainScene, velocity: Waves): Quantity<Extra, Frame>[] {
  return [
    {
      id: "velocity",
      title: "Velocity",
      unit: "m/s",
      needs: [],
      signed: true,
      share: 1, // the wave is what is looked at
      // The scale of the map.
      sample: () => velocity.load().then(() => Float32Array.of(velocity.largest)),
      values: (f, out) => out.set(f.velocity),
    },
    {
      id: "energy",
      title: "Kinetic energy",
      unit: "J",
      needs: [],
      share: 1,
      values: (f, out) => {
        for (let i = 0; i < out.length; i++) out[i] = 0.5 * mass[i]! * f.velocity[i]! ** 2;
      },
    },
    { id: "mass", title: "Mass", unit: "kg", needs: [], fromLowest: true, share: 1, values: (_, out) => out.set(mass) },
  ];
}
