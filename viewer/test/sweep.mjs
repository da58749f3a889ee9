// A sweep of collisions in the viewer, against the closed form: a ball that falls at speed v on the
// ground leaves it with max(0, (k - 2m)/(k + 2m)) v.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, near, openPage, run, serve, state } from "./support.mjs";

const SCENE = `kind: impact
bodies: [{id: ball, dof: 1, mass: 2, velocity: [1]}]
interactions: [{id: ground, type: contact, bodies: [ball], normal: [-1], law: {normal: {kind: quadratic, k: 6}}}]
sweep:
  - {key: interactions.ground.law.normal.k, values: [8, 3, 12], label: "k_{N} [kg]"}
  - {key: bodies.ball.velocity.0, from: 0, to: 5, count: 11, label: "v [m/s]"}
`;
const rebound = (k, v) => Math.max(0, (k - 4) / (k + 4)) * v;

export function sweepTests({ percuss, folder }) {
  const path = (name) => join(folder, name);
  return {
    async sweepcurves(browser) {
      writeFileSync(path("swept.yaml"), SCENE);
      const server = await serve(percuss, "swept.yaml", [], folder);
      const { page, complaints, close } = await openPage(browser, server.address);
      check((await state(page)).view === "sweep", "a sweep has its view");
      await page.evaluate(() => window.percuss.set({ quantity: "ground/separation" }));
      let { facts } = await state(page);
      check(facts.curves === 3 && facts.points === 11, `curves: ${JSON.stringify(facts)}`);
      near(facts.low, 0, "the least");
      near(facts.high, rebound(12, 5), "the largest");
      // Against the other key: a curve for each speed, sorted by k.
      await page.evaluate(() => window.percuss.set({ against: "kN [kg]" }));
      ({ facts } = await state(page));
      check(facts.curves === 11 && facts.points === 3, `against k: ${JSON.stringify(facts)}`);
      const charts = await page.evaluate(() => window.percuss.charts());
      check(charts.some((c) => c.id === "sweep:dissipated"), `charts: ${JSON.stringify(charts)}`);
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await server.stop();
    },
    async sweeprender() {
      writeFileSync(path("swept.yaml"), SCENE);
      await run(percuss, ["run", "swept.yaml", "--quiet"], { cwd: folder });
      await run(percuss, ["render", path("swept-runs.h5"), "-o", path("swept.png"), "--set", "quantity=ball/v"]);
    },
  };
}
