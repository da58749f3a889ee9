// Where pictures are seen from: the side that is chosen at first, the menu of views, views that the
// scene names, what is followed, and paths of the camera.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, differing, look, openPage, pixels, run, serve, state, until, words } from "./support.mjs";

// A ball flies at a wall, which hides it from the customary side where x is `side` times as large.
const throwScene = (side) => `kind: rigid
duration: 1
step: 2e-3
default_law: {normal: {kind: restitution, e: 0.5}, tangential: {kind: coulomb, mu: 0.4}}
obstacles:
  - {name: ground, shape: {type: plane}}
  - {name: wall, shape: {type: box, size: [0.2, 8, 4]}, position: [0, 0, 2]}
bodies:
  - {name: ball, shape: {type: sphere, radius: 0.3}, position: [${-2 * side}, 0, 1.2], velocity: [${4 * side}, 0, 1]}
generators:
  - {type: grid, name: stone, counts: [2, 1, 1], spacing: [1, 1, 1], origin: [${-4 * side}, 3, 0.3], shape: {type: box, size: [0.3, 0.3, 0.3]}}
views:
  close: {camera: [-4, -3, 2], look_at: [-2, 0, 1], zoom: 1.5, color: spin}
  chase: {camera: [-5, -3, 2], look_at: [-2, 0, 1.2], follow: ball}
  watch: {camera: [-5, -3, 2], look_at: ball}
  flight: {path: [[0, -6, -4, 3, 0, 0, 1], [0.5, -6, 0, 3, 0, 0, 1], [1, -6, 0, 3, 0, 0, 1]]}
output: {every: 0.05}
`;
// A ball comes from above and hits the side of a wall that the customary view does not show where x is `side` times
// as large; a shield comes down meanwhile, before the side from which one sees it otherwise.
const hitScene = (side, sensors) => `kind: rigid
duration: 2.6
step: 2e-3
gravity: [0, 0, 0]
default_law: {normal: {kind: restitution, e: 0.5}, tangential: {kind: none}}
obstacles:
  - {name: ground, shape: {type: plane}}
  - {name: wall, shape: {type: box, size: [0.2, 12, 4]}, position: [0, 0, 2]}
  - {name: shield, shape: {type: box, size: [4, 0.2, 4]}, position: [${-2 * side}, -2, 22], motion: {translation: {z: {rate: -8.7}}}}
bodies:
  - {name: ball, shape: {type: sphere, radius: 0.3}, position: [${-12 * side}, 0, 9], velocity: [${5 * side}, 0, -3.5]}
sensors: [${sensors}]
output: {every: 0.05}
`;
const SMALL = `kind: rigid
duration: 0.01
step: 1e-3
bodies: [{name: ball, shape: {type: sphere, radius: 0.1}, position: [-1, -1, 0]}]
generators:
  - {type: grid, name: rock, counts: [8, 8, 1], spacing: [3, 3, 1], origin: [0, 0, 0], orientations: random, shape: {type: box, size: [0.5, 0.4, 0.4]}}
`;
const FLAT = `kind: rigid
dimension: 2
duration: 0.2
step: 2e-3
obstacles: [{name: ground, shape: {type: plane, normal: [0, 1]}}]
bodies: [{name: disc, shape: {type: disc, radius: 0.3}, position: [2, 2]}]
views: {default: {look_at: [0, 1], zoom: 2}}
`;
// A ball of 0.5 m, a wall 5 m from it, a box far away; and a valley.
const BESIDE = `kind: rigid
duration: 0.1
step: 1e-3
obstacles:
  - {name: ground, shape: {type: plane}}
  - {name: wall, shape: {type: box, size: [0.3, 4, 2]}, position: [5, 0, 1]}
  - {name: far, shape: {type: box, size: [2, 2, 2]}, position: [-60, 40, 1]}
bodies: [{name: ball, shape: {type: sphere, radius: 0.25}, position: [0, 0, 0.25], velocity: [1, 0, 0]}]
output: {every: 0.05}
`;
const VALLEY = `kind: rigid
duration: 0.1
step: 1e-3
obstacles: [{name: valley, shape: {type: heights, file: valley.asc}}]
bodies: [{name: ball, shape: {type: sphere, radius: 1}, position: [0, 0, 1.01]}]
output: {every: 0.05}
`;

// On a terrain of a file, in its own coordinates; shapes with places of their own; springs, forces, what is driven.
const landAt = ([x, y]) => {
  const heights = Array.from({ length: 41 }, (_, j) => Array.from({ length: 41 }, (_, i) => (600 + 0.05 * i + 0.2 * Math.sin(0.7 * i + 0.4 * j)).toFixed(4)).join(" "));
  return ["ncols 41", "nrows 41", `xllcenter ${x - 10}`, `yllcenter ${y - 10}`, "cellsize 0.5", ...heights].join("\n") + "\n";
};
const landScene = ([x, y]) => `kind: rigid
duration: 0.3
step: 1e-3
default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.9}}
shapes:
  - {name: gate, type: polyhedron, vertices: [${[-0.1, 0.1].flatMap((u) => [-1, 1].flatMap((v) => [0, 1.5].map((w) => `[${x + 3 + u}, ${y + v}, ${602 + w}]`))).join(", ")}]}
  - {name: pair, type: compound, pieces: [{shape: {type: box, size: [1, 1, 1]}, position: [${x - 3}, ${y + 2}, 602]}, {shape: {type: sphere, radius: 0.4}, position: [${x - 3}, ${y + 2}, 602.8]}]}
obstacles:
  - {name: land, shape: {type: heights, file: land${x}.asc}}
  - {name: floor, shape: {type: plane}, position: [0, 0, 599]}
  - {name: gate, shape: gate, motion: {rotation: {axis: [0, 0, 1], centre: [${x + 3}, ${y + 1}, 602], rate: 2}}}
  - {name: pair, shape: pair}
bodies:
  - {name: ball-1, shape: {type: sphere, radius: 0.4}, position: [${x}, ${y}, 603], velocity: [1, 0.3, 0]}
  - {name: ball-2, shape: {type: sphere, radius: 0.3}, position: [${x - 1}, ${y - 1}, 601.45]}
  - {name: rock-1, shape: {type: polyhedron, vertices: [[-0.4, -0.3, -0.3], [0.4, -0.3, -0.2], [0, 0.5, -0.3], [0, 0, 0.5], [0.3, 0.3, 0.2]]}, position: [${x + 1}, ${y - 1}, 602.4], spin: [2, 1, 0]}
  - {name: rod-1, shape: {type: capsule, radius: 0.15, length: 0.8}, position: [${x + 1}, ${y + 1.5}, 602.6]}
  - {name: heap-1, shape: {type: box, size: [0.6, 0.6, 0.4]}, position: [${x - 1.5}, ${y + 0.5}, 601.4]}
  - {name: heap-2, shape: {type: box, size: [0.5, 0.5, 0.4]}, position: [${x - 1.5}, ${y + 0.5}, 601.85]}
strings: [{name: rope, bodies: [ball-1, rock-1], stiffness: 10}]
springs: [{name: buffer, bodies: ball-2, normal: [-1, 0, 0], stiffness: 100}]
nets: [{name: cage, low: [${x - 2}, ${y}, 601], high: [${x - 1}, ${y + 1}, 604], stiffness: 10, bodies: heap-1}]
output: {every: 0.02}
`;

const near = (a, b, what, by = 1e-5) => check(Math.abs(a - b) <= by * (1 + Math.abs(b)), `${what}: ${a}, wanted ${b}`);
const facts = async (page) => (await state(page)).facts;
const vector = (f, what) => ["x", "y", "z"].map((axis) => f[`${what}_${axis}`]);
const direction = (f) => {
  const away = vector(f, "camera").map((x, i) => x - vector(f, "target")[i]);
  return away.map((x) => x / Math.hypot(...away));
};
const same = (a, b, what, by) => a.forEach((x, i) => near(x, b[i], `${what}, ${"xyz"[i]}`, by));
const set = (page, values) => page.evaluate((v) => window.percuss.set(v), values);
const show = (page, time) => page.evaluate((t) => window.percuss.show(t), time);
const lookFrom = (page, aim) => page.evaluate((a) => window.percuss.look(a), aim);
const refused = (page, aim) => page.evaluate((a) => window.percuss.look(a).then(() => "", (e) => e.message), aim);

// Whether a thing is seen, by a grid of places of the picture.
async function isSeen(page, index) {
  const box = await page.locator(".view").boundingBox();
  return page.evaluate(
    ([width, height, thing]) => {
      for (let y = 4; y < height; y += 8) for (let x = 4; x < width; x += 8) if (window.percuss.pick(x, y) === thing) return true;
      return false;
    },
    [box.width, box.height, index],
  );
}

// A slab of 4 x 3 x 2 elements that turns by a quarter about y: its end is on top then.
const SLAB = `kind: continuum
deformation: large
duration: 0.1
step: 1e-3
mesh: {boxes: [{name: slab, x: [0, 4], y: [0, 3], z: [0, 1], cells: [4, 3, 2], sides: {bottom: low}}]}
media: {slab: {density: 1000, young: 1e9, spin: [0, ${Math.PI / 0.2}, 0]}}
views: {behind: {camera: [2, 9, 0.5], zoom: 1.5, color: vx}}
`;

export function cameraTests({ percuss, folder }) {
  const simulate = async (name, text) => {
    const scene = join(folder, `${name}.yaml`);
    writeFileSync(scene, text);
    await run(percuss, ["run", scene, "-o", join(folder, `${name}.h5`), "--quiet"]);
    return join(folder, `${name}.h5`);
  };
  const BALL = 2; // after the obstacles
  return {
    // What moves is seen at first, on whichever side of the wall it flies; the same wherever the run is opened.
    async sides(browser) {
      const eyes = [];
      for (const side of [1, -1]) {
        const server = await serve(percuss, await simulate(`throw${side}`, throwScene(side)));
        const { page, complaints, close } = await openPage(browser, server.address);
        check((await state(page)).place === "3d", "a run in space opens in 3D");
        await show(page, 0);
        check(await isSeen(page, BALL), "the ball is hidden");
        const eye = vector(await facts(page), "camera");
        eyes.push(eye);
        check(Math.sign(eye[0]) === -side, `the camera is behind the wall: ${eye}`);
        // The picture depends neither on the time that is shown first nor on the window.
        const other = await openPage(browser, server.address, { width: 800, height: 700 }, "#t=0.5");
        same(direction(await facts(other.page)), direction(await facts(page)), "the direction");
        await other.close();
        check(complaints.length === 0, complaints.join("; "));
        await close();
        await server.stop();
      }
      // The customary side where nothing hides the ball.
      check(eyes[1][0] > 0 && eyes[1][1] < 0, `not the customary side: ${eyes[1]}`);
    },

    // What hits is seen at first, where a sensor has its hits.
    async sidesofhits(browser) {
      const eyes = [];
      for (const [side, sensors] of [[1, ""], [1, "{name: hits, kind: hits, bodies: wall, by: ball}"], [-1, "{name: hits, kind: hits, bodies: wall, by: ball}"]]) {
        const file = await simulate(`hit${eyes.length}`, hitScene(side, sensors));
        const server = await serve(percuss, file);
        const { page, complaints, close } = await openPage(browser, server.address);
        await show(page, 0.2);
        check(await isSeen(page, 3), "the ball is hidden at first");
        await show(page, 2.25);
        check((await isSeen(page, 3)) === sensors.length > 0, `the hit is ${sensors ? "hidden" : "seen without a sensor"}`);
        eyes.push(vector(await facts(page), "camera"));
        check(complaints.length === 0, complaints.join("; "));
        await close();
        await server.stop();
      }
      check(eyes[0][0] > 0 && eyes[0][1] < 0, `not the customary side without hits: ${eyes[0]}`);
      check(eyes[1][0] < 0 && eyes[1][1] > 0, `the camera is behind the wall or the shield: ${eyes[1]}`);
      check(eyes[2][0] > 0 && eyes[2][1] > 0, `the camera is behind the shield: ${eyes[2]}`);
    },

    // A slope fills the picture, though not the box that it is in.
    async slope(browser) {
      const rows = Array.from({ length: 21 }, () => Array.from({ length: 41 }, (_, i) => Math.max(0, 1.5 * (i - 20)).toFixed(1)).join(" "));
      writeFileSync(join(folder, "slope.asc"), ["ncols 41", "nrows 21", "xllcenter 0", "yllcenter 0", "cellsize 2", ...rows].join("\n") + "\n");
      const [w, h] = [100, 76]; // places that are tried
      const scene = VALLEY.replace("valley.asc", "slope.asc").replace("position: [0, 0, 1.01]}]", "position: [76, 20, 31]}, {name: end, shape: {type: sphere, radius: 1}, position: [2, 20, 1.01]}]");
      const server = await serve(percuss, await simulate("slope", scene));
      const { page, complaints, close } = await openPage(browser, server.address);
      const sides = await page.evaluate(([across, down]) => {
        const { width, height } = document.querySelector(".view").getBoundingClientRect();
        const met = [];
        for (let i = 0; i < across; i++)
          for (let j = 0; j < down; j++) if (window.percuss.pick(((i + 0.5) * width) / across, ((j + 0.5) * height) / down) >= 0) met.push([(i + 0.5) / across, (j + 0.5) / down]);
        return [0, 1].map((k) => [Math.min(...met.map((p) => p[k])), Math.max(...met.map((p) => p[k]))]);
      }, [w, h]);
      // Nine tenths of one of the two, and all of it in the picture.
      const wide = sides.map(([low, high]) => high - low);
      check(Math.max(...wide) > 0.85 && Math.max(...wide) < 0.95, `the slope takes ${wide} of the picture`);
      check(sides.every(([low, high]) => Math.abs(low + high - 1) < 0.1), `it is not in the middle: ${sides}`);
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await server.stop();
    },

    // Edges show the shape of a body of many pixels, and leave a small one its colour.
    async edges(browser) {
      const server = await serve(percuss, await simulate("small", SMALL));
      const { page, complaints, close } = await openPage(browser, server.address);
      // A choice has the page's name too.
      for (const [name, id] of [["Motion", "resting"], ["impulse", "percussion"], ["spin", "spin"]]) {
        await set(page, { color: name });
        check((await page.locator("[name=color]").inputValue()) === id, `the colour '${name}' is ${await page.locator("[name=color]").inputValue()}`);
      }
      check(/'green'.*percussion or 'Impulse'/.test(await page.evaluate(() => window.percuss.set({ color: "green" }).then(() => "", (e) => e.message))), "an unknown colour");
      await set(page, { color: "speed" });
      await set(page, { grid: false, axes: false, shadows: false, quality: "high" });
      const part = async (zoom, values) => {
        await lookFrom(page, { zoom });
        const pictures = [];
        for (const value of values) {
          await set(page, value);
          pictures.push(await page.locator(".view").screenshot());
        }
        return (await differing(page, [pictures]))[0];
      };
      const edges = [{ edges: true }, { edges: false }];
      const bodies = [{ bodies: "hidden" }, { bodies: "solid" }];
      // Boxes of 50 pixels, and of 4.
      const [large, seenLarge] = [await part(2, edges), await part(2, bodies)];
      check(large > 0.02 * seenLarge, `edges change ${large} of the picture where boxes cover ${seenLarge}`);
      const [small, seenSmall] = [await part(0.15, edges), await part(0.15, bodies)];
      // One that is followed comes nearer, and no nearer than that; a large one stays.
      const across = async (distance) => (2 * 0.1 * (await page.locator(".view").boundingBox()).height) / (2 * Math.tan(0.3) * distance);
      const distance = async () => {
        const f = await facts(page);
        return Math.hypot(...vector(f, "camera").map((x, i) => x - vector(f, "target")[i]));
      };
      await lookFrom(page, { zoom: 1 });
      check((await across(await distance())) < 12, `the ball has ${await across(await distance())} pixels at first`);
      await page.evaluate(() => window.percuss.select(0));
      for (let k = 0; k < 2; k++) {
        await page.evaluate(() => window.percuss.follow(true));
        await set(page, {});
        near(await across(await distance()), 80, "pixels of the ball that is followed", 0.02);
        await page.evaluate(() => window.percuss.follow(false));
      }
      check(seenSmall > 5e-4 && small < 0.02 * seenSmall, `edges of small boxes change ${small} of the picture where they cover ${seenSmall}`);
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await server.stop();
    },

    // In coordinates of a national grid every picture is what it is near the origin, also of shapes that have such
    // coordinates themselves: at first and from near, with forces, selected, followed, while it plays, and flat.
    async grid(browser) {
      const seen = [];
      for (const at of [[0, 0], [2600000, 1200000]]) {
        writeFileSync(join(folder, `land${at[0]}.asc`), landAt(at));
        const server = await serve(percuss, await simulate(`land${at[0]}`, landScene(at)));
        const { page, complaints, close } = await openPage(browser, server.address);
        const names = { land: 0, gate: 2, pair: 3, "ball-1": 4 };
        const pictures = {};
        const picks = {};
        const take = async (what) => {
          await page.evaluate(() => document.querySelectorAll(".message").forEach((m) => (m.hidden = true)));
          pictures[what] = await page.screenshot({ clip: await page.locator(".view").boundingBox() });
          picks[what] = await page.evaluate(() => {
            const { width, height } = document.querySelector(".view").getBoundingClientRect();
            const all = [];
            for (let y = 4; y < height; y += 12) for (let x = 4; x < width; x += 12) all.push(window.percuss.pick(x, y));
            return all;
          });
        };
        await set(page, { axes: false });
        await show(page, 0.1);
        await take("first");
        await lookFrom(page, { camera: [at[0] - 4, at[1] - 3, 604], look_at: [at[0], at[1], 602] });
        await show(page, 0.2);
        await take("near");
        const cast = pictures.near;
        await set(page, { shadows: false });
        await take("without shadows");
        check((await differing(page, [[cast, pictures["without shadows"]]]))[0] > 0.005, "no shadows are seen");
        await set(page, { shadows: true, forces: true });
        await take("forces");
        await set(page, { force_scale: 5 });
        await take("thick forces");
        check((await differing(page, [[pictures.forces, pictures["thick forces"]]]))[0] > 0.002, "no forces are seen");
        await set(page, { forces: false, force_scale: 1, trail: true });
        for (const [name, index] of Object.entries(names)) {
          await page.evaluate((b) => window.percuss.select(b), index);
          await set(page, {});
          await take(`selected ${name}`);
        }
        await page.evaluate(() => window.percuss.follow(true));
        await show(page, 0.3);
        await take("followed");
        await page.evaluate(() => {
          window.percuss.follow(false);
          window.percuss.select(-1);
        });
        await set(page, { trail: false, quality: "low" });
        await take("quick");
        await set(page, { quality: "high" });
        await page.keyboard.press("Home");
        await page.keyboard.press("Space");
        await until("playing to the end", async () => !(await state(page)).playing && (await state(page)).time > 0.29);
        await set(page, {});
        await take("played");
        const { facts: f } = await state(page);
        for (const view of ["top", "front"]) {
          await set(page, { view });
          await take(view);
        }
        seen.push({ pictures, picks, facts: f });
        if (at[0] > 0) {
          const compared = Object.keys(pictures).filter((what) => what !== "top" && what !== "front"); // they have numbers
          const parts = await differing(page, compared.map((what) => seen.map((s) => s.pictures[what])));
          const wrong = compared.filter((_, k) => parts[k] > 0.001);
          check(wrong.length === 0, `other pictures: ${compared.map((what, k) => `${what} ${(100 * parts[k]).toFixed(2)} %`).join(", ")}`);
          for (const what of Object.keys(picks)) {
            const [a, b] = seen.map((s) => s.picks[what]);
            const differ = a.filter((x, i) => x !== b[i]).length;
            check(new Set(a).size > 4, `${what}: bodies are not seen`);
            check(differ <= 3, `${what}: ${differ} places of ${a.length} show another body`);
          }
          const [, away] = at.map((x, i) => f[`camera_${"xy"[i]}`] - x - seen[0].facts[`camera_${"xy"[i]}`]);
          check(Math.abs(away) < 1e-3, `the camera is ${away} m off`);
        }
        check(complaints.length === 0, complaints.join("; "));
        await close();
        await server.stop();
      }
    },

    // Pictures and films say which frame they show, and when a camera sees nothing or frames are too few.
    async rendered(browser) {
      writeFileSync(join(folder, "land2600000.asc"), landAt([2600000, 1200000]));
      const file = await simulate("rendered", landScene([2600000, 1200000]));
      const draw = async (...options) => {
        const { out, err } = await words(percuss, ["render", file, ...options, "--size", "320x200"], folder);
        return [out, err];
      };
      const good = ["--camera", "2599996,1199997,604", "--look-at", "2600000,1200000,602"];
      const local = ["--camera", "-4,-3,604", "--look-at", "0,0,602"];
      let [out, err] = await draw("-o", "good.png", "--time", "0.15", ...good);
      check(/^time +0\.14 s, the last frame up to 0\.15 s\nfiles +good\.png\n$/.test(out) && err === "", `a picture says: ${out}${err}`);
      [out, err] = await draw("-o", "good.png", "--time", "0.14", ...good);
      check(/^time +0\.14 s\n/.test(out), `a picture of a frame says: ${out}`);
      [out, err] = await draw("-o", "good.png", "--quiet", ...good);
      check(out === "" && err === "", `quiet says: ${out}${err}`);
      for (const where of [local, ["--camera", "2599996,1199997,604", "--look-at", "2599990,1199990,620"], ["--view", "top", "--look-at", "5,5"]]) {
        [out, err] = await draw("-o", "empty.png", ...where);
        check(/^percuss render: warning: nothing is in view; the scene lies in x [\d.]+ to 26000/.test(err), `${where}: ${err}`);
        check(Math.abs(/x (\d+)/.exec(err)[1] - 2600000) < 30, `${where}: ${err}`);
      }
      // Frames every 0.02 s, pictures every 1/60 s at half speed and 30 a second, and 1/300 s.
      [out, err] = await draw("--film", "film.mp4", "--to", "0.1", "--speed", "0.1", "--fps", "30", ...good);
      check(/each recorded frame is shown 6 times; for a smooth film record every 0\.0033 s \(output: every\)/.test(err), `a slow film says: ${err}`);
      check(/^time +0 to 0\.1 s, 31 pictures\nfiles +film\.mp4\n$/.test(out), `a film says: ${out}`);
      [out, err] = await draw("--film", "film.mp4", "--to", "0.1", "--speed", "0.6", "--fps", "30", ...good);
      check(err === "", `a smooth film says: ${err}`);
      // In the page too.
      const server = await serve(percuss, file);
      const { page, complaints, close } = await openPage(browser, server.address);
      await lookFrom(page, { camera: [-4, -3, 604], look_at: [0, 0, 602] });
      await until("a word of it", async () => /nothing is in view; the scene lies in x/.test((await state(page)).message));
      await lookFrom(page, { camera: [2599996, 1199997, 604], look_at: [2600000, 1200000, 602] });
      check((await page.evaluate(() => window.percuss.missed())) === "", "something is in view");
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await server.stop();
    },

    // A wall a few metres from a small body is in the first picture; a terrain is not seen from below.
    async surroundings(browser) {
      writeFileSync(join(folder, "beside.yaml"), BESIDE);
      writeFileSync(join(folder, "valley.asc"), ["ncols 41", "nrows 41", "xllcenter -200", "yllcenter -200", "cellsize 10", ...Array(41).fill(Array.from({ length: 41 }, (_, i) => 0.002 * (10 * i - 200) ** 2).join(" "))].join("\n") + "\n");
      writeFileSync(join(folder, "valley.yaml"), VALLEY);
      for (const name of ["beside", "valley"]) await run(percuss, ["run", `${name}.yaml`, "-o", `${name}.h5`, "--quiet"], { cwd: folder });
      const first = await serve(percuss, join(folder, "beside.h5"));
      const beside = await openPage(browser, first.address);
      check((await isSeen(beside.page, 1)) && (await isSeen(beside.page, 3)), "the wall or the ball is out of the picture");
      check(!(await isSeen(beside.page, 2)), "what is far away is in it");
      await beside.close();
      await first.stop();
      const second = await serve(percuss, join(folder, "valley.h5"));
      const { page, complaints, close } = await openPage(browser, second.address);
      for (const eye of [[150, 0, -30], [-120, 40, 10], [100, -150, 19]]) {
        await lookFrom(page, { camera: eye, look_at: [0, 0, 1] });
        await set(page, {});
        const f = await facts(page);
        const above = f.camera_z - 0.002 * eye[0] ** 2;
        check(above > 0.5 && above < 12, `the camera is ${above} m above the terrain`);
        same([f.camera_x, f.camera_y], eye.slice(0, 2), "over where it was", 1e-4);
        await until("a word of it", async () => (await page.locator("body").textContent()).includes("below the terrain"));
      }
      await lookFrom(page, { camera: [100, -150, 60], look_at: [0, 0, 1] });
      await set(page, {});
      same(vector(await facts(page), "camera"), [100, -150, 60], "a camera above stays", 1e-4);
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await second.stop();
    },

    async menu(browser) {
      const server = await serve(percuss, join(folder, "throw1.h5"));
      const { page, complaints, close } = await openPage(browser, server.address);
      const titles = await page.locator("select.views option").allTextContents();
      check(titles.join() === "3D,Front,Side,Top,close,chase,watch,flight", `the menu: ${titles}`);
      await show(page, 0.2);
      const sums = new Set();
      for (const title of titles) {
        await page.locator("select.views").selectOption({ label: title });
        await until(`the view ${title}`, async () => (await state(page)).place === title.toLowerCase());
        await set(page, {});
        sums.add((await look(page)).sum);
      }
      check(sums.size === titles.length, `views look alike: ${sums.size} of ${titles.length}`);
      for (const [title, side] of [["Front", "xz"], ["Side", "yz"], ["Top", "xy"]]) {
        await set(page, { view: title });
        check((await page.locator("[name=side]").inputValue()) === side, `${title} does not show ${side}`);
      }
      await set(page, { side: "xz" });
      check((await state(page)).place === "front", "the menu does not know the side");
      await set(page, { view: "close" });
      check((await page.locator("[name=color]").inputValue()) === "spin", "the view does not set its colour");
      const f = await facts(page);
      same(vector(f, "camera"), [-4, -3, 2], "its camera");
      same(vector(f, "target"), [-2, 0, 1], "what it looks at");
      near(f.zoom, 1.5, "its zoom");
      // V comes round to it, a reload keeps it.
      await page.keyboard.press("v");
      await until("the next view", async () => (await state(page)).place === "chase");
      await until("the view in the address", () => page.evaluate(() => location.hash.includes("view=chase")));
      await page.reload();
      await page.evaluate(() => window.percuss.ready);
      check((await state(page)).place === "chase", "a reload changes the view");
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await server.stop();
    },

    async follow(browser) {
      const server = await serve(percuss, join(folder, "throw1.h5"));
      const { page, complaints, close } = await openPage(browser, server.address);
      const places = async (view, time) => {
        await set(page, { view });
        await show(page, time);
        const f = await facts(page);
        return [vector(f, "camera"), vector(f, "target")];
      };
      // Free flight until the wall: x = -2 + 4 t.
      const [start, aim] = await places("chase", 0);
      same(start, [-5, -3, 2], "the camera at the start");
      const [after, then] = await places("chase", 0.2);
      near(after[0] - start[0], 0.8, "the camera goes with the ball", 1e-4);
      same(after.map((x, i) => x - then[i]), start.map((x, i) => x - aim[i]), "from the same side");
      const [stays, ball] = await places("watch", 0.2);
      same(stays, [-5, -3, 2], "a camera that looks at a body stays", 1e-4);
      near(ball[0], -1.2, "and looks at it", 1e-4);
      // By hand, while it follows: the new distance stays.
      await places("chase", 0);
      const box = await page.locator(".view").boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2 + 20, { steps: 3 });
      await page.mouse.up();
      await set(page, {});
      const turned = await facts(page);
      await show(page, 0.2);
      near((await facts(page)).camera_x - turned.camera_x, 0.8, "after a turn by hand it follows", 1e-4);
      check(Math.abs(turned.camera_y + 3) > 0.1, "a drag does not turn the view");
      // The mean of a group, and all names with a beginning.
      for (const name of ["stone", "stone-*"]) {
        await set(page, { view: "3d" });
        await lookFrom(page, { follow: name });
        await show(page, 0);
        same(vector(await facts(page), "target"), [-3.5, 3, 0.3], `the mean of ${name}`, 1e-4);
      }
      check(/'nobody'.*stone/.test(await refused(page, { follow: "nobody" })), "an unknown name is followed");
      await set(page, { view: "top" });
      check(/flat/.test(await refused(page, { camera: [1, 2, 3] })), "a flat view has a camera");
      await lookFrom(page, { follow: "ball", zoom: 3 });
      await show(page, 0.4);
      const middle = [box.width / 2, box.height / 2];
      check((await page.evaluate(([x, y]) => window.percuss.pick(x, y), middle)) === BALL, "the flat view does not follow");
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await server.stop();
    },

    // The wheel goes towards what is under the pointer, far behind the middle of the picture too.
    async wheel(browser) {
      const server = await serve(percuss, join(folder, "throw1.h5"));
      const { page, complaints, close } = await openPage(browser, server.address);
      await set(page, { view: "3d" });
      await lookFrom(page, { camera: [-14, -3, 2.5], look_at: [-12, -3, 2] });
      await show(page, 0);
      const box = await page.locator(".view").boundingBox();
      const at = await page.evaluate(
        ([width, height, ball]) => {
          let [n, x, y] = [0, 0, 0];
          for (let i = 0; i < width; i += 2)
            for (let j = 0; j < height; j += 2)
              if (window.percuss.pick(i, j) === ball) [n, x, y] = [n + 1, x + i, y + j];
          return n > 0 ? [x / n, y / n] : null;
        },
        [box.width, box.height, BALL],
      );
      check(at !== null, "the ball is not in the picture");
      const away = async () => Math.hypot(...vector(await facts(page), "camera").map((x, i) => x - [-2, 0, 1][i]));
      const far = await away();
      await page.mouse.move(box.x + at[0], box.y + at[1]);
      for (let k = 0; k < 4; k++) await page.mouse.wheel(0, -300);
      await until("closer", async () => (await away()) < far / 6);
      const met = await page.evaluate(([x, y]) => window.percuss.pick(x, y), at);
      check(met === BALL, `after the wheel ${met} is where the ball was`);
      near((await away()) / far, Math.exp(-2.4), "how near the wheel brings", 0.05);
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await server.stop();
    },

    // At its places at their times, smooth between them, at rest between equal ones.
    async path(browser) {
      const server = await serve(percuss, join(folder, "throw1.h5"));
      const { page, complaints, close } = await openPage(browser, server.address);
      await set(page, { view: "flight" });
      const eye = async (time) => {
        await show(page, time);
        return vector(await facts(page), "camera");
      };
      same(await eye(0), [-6, -4, 3], "the first place");
      same(await eye(0.5), [-6, 0, 3], "the second place");
      same(await eye(0.75), [-6, 0, 3], "the camera between equal places");
      const way = [];
      for (let i = 0; i <= 50; i++) way.push((await eye(i / 100))[1]); // frames are every 0.05 s
      check(way.every((y, i) => i === 0 || y > way[i - 1]), "the camera jumps from frame to frame");
      const speed = way.slice(1).map((y, i) => y - way[i]);
      const jump = Math.max(...speed.slice(1).map((v, i) => Math.abs(v - speed[i])));
      check(jump < 0.15 * Math.max(...speed), `the speed of the camera jumps by ${jump}`);
      check(speed.at(-1) < 0.1 * Math.max(...speed), "it does not slow down before it stands");
      await lookFrom(page, { path: [[0, 0, -8, 2, 0, 0, 1]] });
      same(await eye(0.3), [0, -8, 2], "a path of one place");
      check(/flight/.test(await refused(page, { path: "nothing" })), "an unknown path is taken");
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await server.stop();
    },

    // A continuum in space in parallel projection; of a solid that turns one sees other faces then.
    async solidCamera(browser) {
      const server = await serve(percuss, await simulate("slab", SLAB));
      const { page, complaints, close } = await openPage(browser, server.address);
      const titles = await page.locator("select.views option").allTextContents();
      check(titles.join() === "3D,Front,Side,Top,behind", `the menu: ${titles}`);
      const { last } = await state(page);
      for (const [view, to, faces] of [
        ["front", [0, -1, 0], 8],
        ["side", [1, 0, 0], 6],
        ["top", [0, 0, 1], 12],
        ["behind", [0, 1, 0], 8],
      ]) {
        await set(page, { view });
        await show(page, 0);
        const f = await facts(page);
        same(vector(f, "to"), to, view);
        check(f.faces === faces, `${view}: ${f.faces} faces are seen, wanted ${faces}`);
      }
      // A side of 12 faces has come to where the end of 6 was.
      await set(page, { view: "side" });
      await show(page, last);
      const { faces } = await facts(page);
      check(faces >= 12, `${faces} faces are seen after a quarter of a turn`);
      await set(page, { view: "3d" });
      await lookFrom(page, { camera: [2, 1.5, 9] });
      same(vector(await facts(page), "to"), [0, 0, 1], "a camera above");
      check(/flat/.test(await refused(page, { path: [[0, 1, 1, 1, 0, 0, 0]] })), "a path in parallel projection");
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await server.stop();
    },

    // A run in the plane: 2D first, or as its view `default` says; a camera leads to 3D.
    async flatCamera(browser) {
      const server = await serve(percuss, await simulate("flat", FLAT));
      const { page, complaints, close } = await openPage(browser, server.address);
      const titles = await page.locator("select.views option").allTextContents();
      check(titles.join() === "2D,3D,default", `the menu: ${titles}`);
      check((await state(page)).place === "default" && (await state(page)).view === "plan", "the default view is not shown");
      await lookFrom(page, { camera: [1, 2, 9], look_at: [1, 1] });
      check((await state(page)).view === "space", "a camera does not lead to 3D");
      same(vector(await facts(page), "target"), [1, 1, 0], "what it looks at");
      check(complaints.length === 0, complaints.join("; "));
      await close();
      await server.stop();
    },
  };
}
