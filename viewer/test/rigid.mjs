// What an engineer reads from a rigid run: groups, scales, forces, springs, contacts, hits, maps, and how
// finely it is drawn. Oracles are closed forms, and the tables that the program writes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, downloaded, look, openPage, openTab, pixels, readTable, run, serve, state, until } from "./support.mjs";

const G = 9.81;
const WORDS = ["#4e79a7", "#f28e2b", "#59a14f"]; // palette.ts
const OBSTACLES = ["#b7bfc9", "#c9b79c"];
const ROPE = "#59595f";
const hex = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
const apart = (a, b) => Math.max(...a.map((x, i) => Math.abs(x - b[i])));
const close = (a, b, what, part = 1e-3) => check(Math.abs(a - b) <= part * Math.abs(b), `${what}: ${a}, wanted ${b}`);

const GROUPS = `kind: rigid
duration: 0.1
step: 1e-3
gravity: [0, 0, 0]
materials: [{name: granite, density: 2600}]
obstacles:
  - {name: base, shape: {type: box, size: [8, 8, 0.2]}, position: [0, 0, -1]}
  - {name: fence, shape: {type: box, size: [0.4, 6, 1]}, position: [3, 0, 0]}
generators:
  - {type: grid, name: stone, counts: [2, 3, 1], spacing: [1.2, 1.2, 1], origin: [-3, -1.2, 0], shape: {type: box, size: [0.8, 0.8, 0.4]}}
  - {type: grid, name: rock, counts: [1, 2, 1], spacing: [1.2, 1.2, 1], origin: [1, -1.2, 0], shape: {type: sphere, radius: 0.4}}
output: {every: 0.05}
`;
// Bodies that fly on without contacts: speeds of 0.02 to 1.98 m/s, and one of 10.
const SPEEDS = [...Array.from({ length: 99 }, (_, k) => 0.02 * (k + 1)), 10];
const FLYING = `kind: rigid
duration: 0.01
step: 1e-3
gravity: [0, 0, 0]
shapes: [{name: ball, type: sphere, radius: 0.2}]
bodies:
${SPEEDS.map((v, k) => `  - {name: ball-${k + 1}, shape: ball, position: [${k % 10}, 0, ${Math.floor(k / 10)}], velocity: [0, ${v}, 0]}`).join("\n")}
output: {every: 0.005}
`;
// A light ball and one of twice its mass rest on the ground; two boxes on each other.
const RESTING = `kind: rigid
duration: 0.5
step: 1e-3
obstacles: [{name: ground, shape: {type: plane}}]
default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.5}}
bodies:
  - {name: light, shape: {type: sphere, radius: 0.5}, mass: 10, position: [-2, 0, 0.5]}
  - {name: heavy, shape: {type: sphere, radius: 0.5}, mass: 20, position: [0, 0, 0.5]}
  - {name: lower, shape: {type: box, size: [1, 1, 1]}, mass: 4, position: [2, 0, 0.5]}
  - {name: upper, shape: {type: box, size: [1, 1, 1]}, mass: 6, position: [2, 0, 1.5]}
output: {every: 0.1}
`;
// Without gravity: a net that moves with its bodies, a string, and a spring that pushes to the left.
const ELEMENTS = `kind: rigid
dimension: 2
gravity: [0, 0]
duration: 0.5
step: 1e-3
shapes: [{name: ball, type: disc, radius: 0.2}]
bodies:
  - {name: a, shape: ball, mass: 1, position: [-0.5, 0], velocity: [1, 0]}
  - {name: b, shape: ball, mass: 3, position: [0.5, 0], velocity: [1, 0]}
  - {name: c, shape: ball, mass: 1, position: [-1, -2]}
  - {name: d, shape: ball, mass: 1, position: [1, -2]}
nets: [{name: cage, low: [-1, -0.8], high: [1.2, 0.8], stiffness: 1e3, moves: true, bodies: [a, b]}]
strings: [{name: rope, bodies: [c, d], stiffness: 100}]
springs: [{name: buffer, bodies: d, points: [[0.2, 0]], normal: [-1, 0], stiffness: 10}]
output: {every: 0.05}
`;
const HITTING = `kind: rigid
title: Three shots at a wall
duration: 1
step: 1e-3
gravity: [0, 0, 0]
default_law: {normal: {kind: restitution, e: 0.5}, tangential: {kind: none}}
obstacles: [{name: wall, shape: {type: box, size: [0.2, 4, 4]}}]
bodies:
  - {name: shot-1, shape: {type: sphere, radius: 0.1}, mass: 2, position: [-1.2, -1, 0], velocity: [4, 0, 0]}
  - {name: shot-2, shape: {type: sphere, radius: 0.1}, mass: 2, position: [-1.2, 0, 0], velocity: [2, 0, 0]}
  - {name: shot-3, shape: {type: sphere, radius: 0.1}, mass: 6, position: [-2.2, 1, 0], velocity: [3, 0, 0]}
sensors:
  - {name: pressed, kind: force, bodies: wall, by: 'shot-*', axis: [1, 0, 0]}
  - {name: impacts, kind: hits, bodies: wall, by: 'shot-*'}
output: {every: 0.02}
`;
// A slope of 1 in 5 to the west, blocks on its flat foot.
const SLOPE = Array.from({ length: 21 }, (_, j) => Array.from({ length: 41 }, (_, i) => (i < 10 ? 500 : 500 + 0.2 * (i - 10)).toFixed(3)).join(" "));
const TERRAIN = `kind: rigid
duration: 0.4
step: 2e-3
default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.9}}
obstacles: [{name: hill, shape: {type: heights, file: hill.asc}}]
bodies:
  - {name: block-1, shape: {type: box, size: [2, 2, 1]}, position: [3, 8, 500.5]}
  - {name: block-2, shape: {type: box, size: [1, 1, 1]}, position: [3, 8, 501.5]}
  - {name: block-3, shape: {type: sphere, radius: 1}, position: [6, 14, 501]}
output: {every: 0.1, deposit: {spacing: 0.05}}
`;
// Boxes of 0.4 m lie far apart on a wide plain in national coordinates, the last one very far; a wall 5 m from the first.
const [EAST, NORTH] = [2600000, 1190000];
const SPREAD = Array.from({ length: 40 }, (_, k) => (k < 39 ? [20.37 + 3.91 * k, 40.23 + ((k * 7.3) % 60)] : [361.3, 71.9]));
const PLAIN = ["ncols 81", "nrows 31", `xllcenter ${EAST}`, `yllcenter ${NORTH}`, "cellsize 5", ...Array(31).fill(Array(81).fill("300").join(" "))].join("\n") + "\n";
const SCATTERED = `kind: rigid
duration: 0.1
step: 2e-3
default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.9}}
obstacles: [{name: plain, shape: {type: heights, file: plain.asc}}]
bodies:
${SPREAD.map(([x, y], k) => `  - {name: box-${k + 1}, shape: {type: box, size: [0.4, 0.4, 0.4]}, position: [${EAST + x}, ${NORTH + y}, 300.2]}`).join("\n")}
output: {every: 0.05}
`;

const set = (page, values) => page.evaluate((v) => window.percuss.set(v), values);
const show = (page, time) => page.evaluate((t) => window.percuss.show(t), time);
const facts = async (page) => (await state(page)).facts;
const text = async (page, where) => (await page.locator(where).textContent()).replace(/\s+/g, " ");

// Places on the picture that show the middle of a body, by what is picked around them: body to place.
function places(page) {
  return page.evaluate(() => {
    const { width, height } = document.querySelector(".view").getBoundingClientRect();
    const found = new Map();
    for (let y = 8; y < height; y += 6)
      for (let x = 230; x < width; x += 6) {
        const index = window.percuss.pick(x, y);
        const inside = [[4, 0], [-4, 0], [0, 4], [0, -4]].every(([dx, dy]) => window.percuss.pick(x + dx, y + dy) === index);
        if (index >= 0 && inside && !found.has(index)) found.set(index, [x, y]);
      }
    return [...found];
  });
}

export function rigidTests({ percuss, folder }) {
  const path = (name) => join(folder, name);
  const simulate = async (name, scene) => {
    writeFileSync(path(`${name}.yaml`), scene);
    return run(percuss, ["run", path(`${name}.yaml`), "-o", path(`${name}.h5`), "--quiet", "--json"], { cwd: folder });
  };
  // Opens the run of a scene, does something with its page, and wants no complaints.
  const opened = async (browser, name, act, size, first) => {
    const server = await serve(percuss, path(`${name}.h5`));
    const { page, complaints, close: end } = await openPage(browser, server.address, size, "", first);
    await act(page, server);
    check(complaints.length === 0, `console: ${complaints.join("; ")}`);
    await end();
    await server.stop();
  };
  // Where a place of a flat view is in the picture.
  const onSheet = async (page, u, v) => {
    const f = await facts(page);
    const { width, height } = await page.locator(".view").boundingBox();
    return [width / 2 + (u - f.centre_u) * f.zoom, height / 2 - (v - f.centre_v) * f.zoom];
  };

  return {
    // Groups and obstacles have colours of their own, which the legend names; then materials; then speeds.
    async groups(browser) {
      await simulate("groups", GROUPS);
      await opened(browser, "groups", async (page) => {
        await openTab(page, "display");
        check((await page.locator("[name=color]").inputValue()) === "group", "two groups are not told apart");
        const legend = await text(page, ".legend");
        check(/Group\s*stone\s*rock\s*Obstacles\s*base\s*fence/.test(legend), `legend: ${legend}`);
        await set(page, { view: "top" });
        const group = (body) => (body < 2 ? OBSTACLES[body] : body < 8 ? WORDS[0] : WORDS[1]);
        const seen = await places(page);
        check(seen.length === 10, `${seen.length} bodies are seen`);
        const colors = await pixels(page, seen.map(([, place]) => place));
        seen.forEach(([body], k) => check(apart(colors[k], hex(group(body))) < 4, `body ${body} is ${colors[k]}, wanted ${group(body)}`));
        // In space they are shaded, but nearest to their own colour in hue.
        await set(page, { view: "3d" });
        const hue = (c) => c.map((x) => x - (c[0] + c[1] + c[2]) / 3);
        const in3d = (await places(page)).filter(([body]) => body >= 2);
        check(in3d.length >= 4, `${in3d.length} bodies are seen in space`);
        (await pixels(page, in3d.map(([, place]) => place))).forEach((c, k) => {
          const far = WORDS.map((w) => apart(hue(c), hue(hex(w))));
          const nearest = far.indexOf(Math.min(...far));
          check(nearest === (in3d[k][0] < 8 ? 0 : 1), `body ${in3d[k][0]} is ${c}`);
        });
      });
      const one = GROUPS.replace("name: rock", "name: stone2").replace(/name: stone2/, "name: other");
      await simulate("materials", one.replace("materials: [", "materials: [{name: ice, density: 900}, ").replace("name: other, ", "name: stone, material: ice, ").replace("name: stone, counts: [2", "name: stone, material: granite, counts: [2").replace("name: stone, material: ice", "name: boulder, material: ice"));
      await opened(browser, "materials", async (page) => {
        await set(page, { color: "material" });
        check(/ice/.test(await text(page, ".legend")) && /granite/.test(await text(page, ".legend")), "no legend of materials");
      });
    },

    // The scale ends at the 98th percentile and says so; the full range is there on demand.
    async percentiles(browser) {
      await simulate("flying", FLYING);
      await opened(browser, "flying", async (page) => {
        await openTab(page, "display");
        check((await page.locator("[name=color]").inputValue()) === "speed", "one group is not coloured by speed");
        const sorted = [...SPEEDS].sort((a, b) => a - b);
        const scale = sorted[Math.floor(0.98 * (sorted.length - 1))];
        const legend = await text(page, ".legend");
        check(legend.includes(`≥ ${Number(scale.toPrecision(3))}`), `legend: ${legend}, wanted ${scale}`);
        check(/98th percentile; largest 10/.test(legend), `legend: ${legend}`);
        await set(page, { view: "front" });
        const seen = new Map(await places(page));
        check(seen.size === 100 || seen.size > 60, `${seen.size} balls are seen`);
        const colorOf = async (body) => (await pixels(page, [seen.get(body)]))[0];
        const bodies = [97, 98, 99].filter((b) => seen.has(b));
        check(bodies.length >= 2, "the fast ones are not seen");
        const beyond = await Promise.all(bodies.map(colorOf));
        beyond.forEach((c) => check(apart(c, beyond[0]) < 4, `colours beyond the scale: ${beyond.join("; ")}`));
        await page.locator("[name=range]").selectOption("full");
        await set(page, {});
        const full = await text(page, ".legend");
        check(/0\s*10/.test(full) && !/percentile|≥/.test(full), `legend of the full range: ${full}`);
        check(apart(await colorOf(99), await colorOf(bodies[0])) > 60, "the full range does not tell the fastest one apart");
      });
    },

    // Lines of contact forces: as thick as the force, with a legend in newtons.
    async forcelegend(browser) {
      await simulate("resting", RESTING);
      await opened(browser, "resting", async (page) => {
        await show(page, 0.5);
        // Four pairs: 10, 20, 6 and 10 kg on what is below; the scale is 1.5 times the second but one.
        for (const view of ["3d", "front"]) {
          await set(page, { view, forces: true });
          const legend = await text(page, ".legend");
          const high = /Contact forces, N\s*0\s*≥ ([0-9.]+)/.exec(legend);
          check(high, `${view}: no legend of forces: ${legend}`);
          close(Number(high[1]), 1.5 * 10 * G, `${view}: the end of the legend`, 0.01);
        }
        await set(page, { forces: false, legend: false });
        const scan = async (x) => {
          const [u, v] = await onSheet(page, x, 0.25);
          return pixels(page, Array.from({ length: 81 }, (_, i) => [u - 40 + i, v]));
        };
        const before = [await scan(-2), await scan(0)];
        await set(page, { forces: true });
        const after = [await scan(-2), await scan(0)];
        const wide = (k) => {
          // Bodies get fainter everywhere; the line is what is far from that.
          const plain = after[k][2];
          return after[k].filter((c) => apart(c, plain) > 60).length;
        };
        check(before[0].length === 81 && wide(0) > 3, `the line of the light ball is ${wide(0)} pixels wide`);
        close(wide(1) / wide(0), 1.5, "20 kg (beyond the scale: 1.5) to 10 kg (1)", 0.2);
      });
    },

    // Springs, strings and nets are drawn where they are, in both views.
    async elements(browser) {
      await simulate("elements", ELEMENTS);
      await opened(browser, "elements", async (page) => {
        const time = 0.5;
        await show(page, time);
        const at = {
          string: [0, -2],
          "right side of the net": [1.2 + time + (0.25 - 0.1), 0.4], // its middle is put on the centre of mass, 0.25
          "foot of the net": [0.6, -0.8],
        };
        const there = async () => {
          const spots = await Promise.all(Object.values(at).map(([u, v]) => onSheet(page, u, v)));
          const around = spots.flatMap(([x, y]) => [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [x + dx, y + dy])));
          const colors = await pixels(page, around);
          return spots.map((_, k) => Math.min(...colors.slice(9 * k, 9 * k + 9).map((c) => apart(c, hex(ROPE)))));
        };
        for (const view of ["3d", "2d"]) {
          await set(page, { view });
          check(/nets \(boxes\).*springs \(coils\).*strings \(lines\)/.test(await text(page, ".legend")), `no legend of the lines in ${view}`);
        }
        const far = await there();
        Object.keys(at).forEach((name, k) => check(far[k] < 80, `${name} is not drawn: ${far[k]}`));
        const { element_lines: lines } = await facts(page);
        check(lines === 1 + 4 + 12, `${lines} lines: a string, four edges of a net, a coil of 12`);
        await set(page, { elements: false });
        (await there()).forEach((d, k) => check(d > 100, `${Object.keys(at)[k]} is drawn although it is off`));
        await set(page, { view: "space", elements: true });
        const picture = await look(page);
        check((await facts(page)).element_lines === lines, "other lines in space");
        await set(page, { elements: false });
        check((await look(page)).sum !== picture.sum, "nothing of them is seen in space");
      });
    },

    // A click on a body opens its details, with what it touches and how hard.
    async details(browser) {
      await simulate("resting", RESTING);
      await opened(browser, "resting", async (page) => {
        await set(page, { view: "front" });
        await show(page, 0.5);
        check(await page.locator("#tab-curves").isVisible(), "curves are not shown first");
        const box = await page.locator(".view").boundingBox();
        const [x, y] = await onSheet(page, 2, 0.5);
        await page.mouse.click(box.x + x, box.y + y);
        check(await page.locator("#tab-selection").isVisible(), "a click does not open the details");
        check((await text(page, ".details h2")) === "lower", "another body is selected");
        await until("contacts", () => page.locator(".contacts [data-body]").count());
        const forces = async () =>
          Object.fromEntries(await page.locator(".contacts [data-body]").evaluateAll((rows) => rows.map((r) => [r.dataset.body, [...r.cells].slice(1).map((c) => Number(c.textContent))])));
        const lower = await forces();
        check(Object.keys(lower).join() === "ground,upper", `in contact with ${Object.keys(lower)}`);
        close(lower.ground[1], 10 * G, "force from the ground", 0.01);
        close(lower.upper[1], 6 * G, "force from the upper box", 0.01);
        close(lower.ground[2], 10 * G, "its normal part", 0.01);
        check(lower.ground[0] === 4 && lower.upper[0] === 4, "a box touches at its four corners");
        const sum = /sum of the forces ([0-9.e-]+) N/.exec(await text(page, ".contacts caption"));
        close(Number(sum[1]), 4 * G, "the sum of the forces is the weight", 0.01);
        // A line leads to the other body.
        await page.locator('.contacts [data-body="upper"]').click();
        await until("the upper box", async () => (await text(page, ".details h2")) === "upper");
        await until("its contacts", async () => Object.keys(await forces()).join() === "lower");
        close((await forces()).lower[1], 6 * G, "force from below", 0.01);
      });
    },

    // Sensors come first, then their hits, as the tables of the run have them.
    async hits(browser) {
      await simulate("hitting", HITTING);
      const table = readTable(path("hitting-hits.csv"));
      check(table.length === 3, `${table.length} hits`);
      await opened(browser, "hitting", async (page) => {
        const ids = (await page.evaluate(() => window.percuss.charts())).map((c) => c.id);
        check(ids.join() === "sensors-force,hits,energy", `the charts are ${ids}`);
        const first = await page.locator(".chart select").first().locator("option").allTextContents();
        check(first[0] === "Sensors: force" && first.indexOf("Hits") < first.indexOf("Energies"), `the list of charts begins with ${first.slice(0, 4)}`);
        await until("the table", async () => (await page.locator(".hits [data-time]").count()) === 3);
        // Each column says what it is and in which unit.
        const heads = await page.locator(".hits th").evaluateAll((all) => all.map((h) => h.innerText.replace(/\s+/g, " ").trim()));
        check(heads.join() === "time,body,by,kinetic energy [J],impulse [N s],largest force [kN],dissipated [J],x, y, z [m]", `the columns are ${heads}`);
        // A force in one step depends on the step, and both charts say so.
        for (const chart of [0, 1])
          check((await text(page, `.chart >> nth=${chart} >> .note`)).includes("half the step, twice the value"), `chart ${chart} says nothing of the step`);
        check((await page.locator(".chart .note:visible").count()) === 2, "a note without need");
        const rows = await page.locator(".hits [data-time]").evaluateAll((all) => all.map((r) => [...r.cells].map((c) => c.textContent)));
        // Momentum of a ball that comes back with half its speed: 1.5 m v.
        const impulses = { "shot-1": 12, "shot-2": 6, "shot-3": 27 };
        rows.forEach(([time, body, by, before, impulse, force, energy, place], k) => {
          const wanted = table[k];
          check(body === "wall" && by === wanted.by, `line ${k}: ${body}, ${by}`);
          close(parseFloat(time) * (/ms$/.test(time) ? 1e-3 : 1), Number(wanted.begin), "time");
          close(Number(before), { "shot-1": 16, "shot-2": 4, "shot-3": 27 }[by], `energy of ${by}`, 5e-3); // 1/2 m v^2
          close(Number(impulse), impulses[by], `impulse of ${by}`, 5e-3);
          close(1e3 * Number(force), Number(wanted.largest_force), "largest force", 5e-3);
          close(Number(energy), Number(wanted.dissipated), "dissipated energy", 5e-3);
          place.split(", ").forEach((x, i) => check(Math.abs(Number(x) - Number(wanted["xyz"[i]])) < 0.01, `place of ${by}: ${place}`));
        });
        const charts = await page.evaluate(() => window.percuss.charts());
        check(charts[1].values[0].value === 3, "three hits");
        // The file is the table of the run, under another name.
        const file = await downloaded(page, 1, "CSV");
        check(file.name === "hitting-hits-view.csv", `the table is saved as ${file.name}`);
        const own = readFileSync(path("hitting-hits.csv"), "utf8").trim().split("\n");
        const csv = file.toString().trim().split("\n");
        check(csv.length === 4 && csv[0] === own[0], `CSV: ${csv[0]}`);
        const plain = (line) => line.split(",").map((cell) => (isNaN(Number(cell)) ? cell : Number(cell))).join();
        csv.forEach((line, k) => check(plain(line) === plain(own[k]), `CSV line ${k + 1}: ${line}, wanted ${own[k]}`));
        // Beside the chart stands the force of the last hit before the cursor.
        const shownForce = () => page.locator(".chart >> nth=1 >> .u-legend .u-value").nth(1).textContent();
        await show(page, 0);
        check((await text(page, ".top")).includes("Three shots at a wall"), "no title of the scene");
        check((await shownForce()) === "–", `before all hits: ${await shownForce()}`);
        await show(page, 1);
        const latest = table.reduce((a, b) => (Number(b.begin) > Number(a.begin) ? b : a));
        close(1e3 * parseFloat(await shownForce()), Number(latest.largest_force), `the last hit: ${await shownForce()}`, 1e-3);
        check(((await downloaded(page, 1, "SVG")).toString().match(/<circle/g) ?? []).length === 3, "no dots in the drawing");
        // Curves show the step of the hit that was clicked, the picture the first frame after it.
        const marked = () => page.locator(".hits .now").evaluateAll((all) => all.map((r) => r.cells[2].textContent).join());
        for (const k of [2, 0, 1]) {
          await page.locator(".hits [data-time]").nth(k).click();
          const largest = Number(table[k].largest_force);
          await until(`the curves at the hit of ${table[k].by}, with its largest force`, async () => {
            const { cursor } = await state(page);
            const [chart] = await page.evaluate(() => window.percuss.charts());
            const value = chart.values[0].value;
            return Math.abs(cursor - Number(table[k].end)) < 1e-9 && value !== null && Math.abs(Math.abs(value) / largest - 1) < 1e-6;
          });
          const now = await state(page);
          check(now.time >= now.cursor - 1e-9 && now.time < now.cursor + 0.02, `at ${now.time} after a click on a hit at ${now.cursor}`);
          await until(`the mark of ${table[k].by}`, async () => (await marked()) === table[k].by);
        }
        // Chart, drawing and table have one prefix.
        const values = await page.locator(".chart").first().locator(".u-legend .u-value").allTextContents();
        check(values.some((v) => / kN$/.test(v)) && !values.some((v) => / N$/.test(v)), `the chart of the sensor has ${values}`);
        check((await downloaded(page, 0, "SVG")).toString().includes("pressed, kN"), "the drawing has no kN");
        check(/, N$/.test((await downloaded(page, 0, "CSV")).toString().split("\n")[0].replace("[N]", ", N")), "the table of a file has no N");
        await page.keyboard.press("ArrowRight");
        check((await state(page)).cursor === (await state(page)).time, "the curves stay behind");
        // A click on a heading sorts, a second one the other way round.
        const order = (column) => page.locator(".hits [data-time]").evaluateAll((all, at) => all.map((r) => r.cells[at].textContent), column);
        const bySize = (list, column) => [...list].sort((a, b) => Number(b[column]) - Number(a[column])).map((hit) => hit.by).join();
        await page.locator(".hits th").nth(3).click();
        check((await order(2)).join() === bySize(table, "by_kinetic"), `by kinetic energy: ${await order(2)}`);
        await page.locator(".hits th").nth(3).click();
        check((await order(2)).reverse().join() === bySize(table, "by_kinetic"), "a second click does not turn it round");
        await page.locator(".hits th").nth(2).click();
        check((await order(2)).join() === "shot-1,shot-2,shot-3", `by name: ${await order(2)}`);
        await page.locator(".hits th").first().click();
        check((await order(2)).join() === table.map((hit) => hit.by).join(), "by time");
        check(await page.locator("#tab-curves").isVisible(), "the table goes away when it is used");
        // Energies count from their end, so that they are of one size.
        const energy = charts[2].values.map((v) => v.label);
        check(energy.includes("potential relative to end"), `energies: ${energy}`);
      });
    },

    // The view from above is a map: scale bar, north, contours of the terrain, thickness of the deposit.
    async maps(browser) {
      writeFileSync(path("hill.asc"), ["ncols 41", "nrows 21", "xllcenter 0", "yllcenter 0", "cellsize 1", ...SLOPE].join("\n") + "\n");
      const { deposit } = JSON.parse(await simulate("terrain", TERRAIN));
      await opened(browser, "terrain", async (page) => {
        await set(page, { view: "top", legend: false });
        await show(page, 0.4);
        await page.evaluate(() => window.percuss.look({ look_at: [20, 10, 500], zoom: 0.35 }));
        let f = await facts(page);
        // The bar is as long as it says.
        const { width, height } = await page.locator(".view").boundingBox();
        const line = await pixels(page, Array.from({ length: 300 }, (_, i) => [i, height - 26]));
        const dark = line.flatMap((c, i) => (Math.max(...c) < 80 ? [i] : []));
        close(dark.length, f.scale_bar * f.zoom, "pixels of the scale bar", 0.06);
        check([1, 2, 5].includes(Number(f.scale_bar.toExponential()[0])), `a bar of ${f.scale_bar} m`);
        // Contours: on the slope z = 500 + (x - 10) / 5, every contour_step.
        check(f.contour_lines > 50 && f.contour_step > 0, `${f.contour_lines} pieces of contours`);
        const contrast = async (x) => {
          const [u, v] = await onSheet(page, x, 3.3);
          const colors = await pixels(page, Array.from({ length: 13 }, (_, i) => [u - 6 + i, v]));
          const bright = colors.map((c) => c[0] + c[1] + c[2]);
          return Math.max(...bright) - Math.min(...bright.slice(4, 9));
        };
        for (let k = 1; k <= 3; k++) {
          const x = 10 + 5 * k * f.contour_step;
          check((await contrast(x)) > 25, `no contour at ${x} m, ${500 + k * f.contour_step} m high`);
          check((await contrast(x + 2.5 * f.contour_step)) < 15, `something between contours at ${x} m`);
        }
        await set(page, { contours: false });
        check((await contrast(10 + 5 * f.contour_step)) < 15, "contours cannot be hidden");
        // The deposit, against what the program measures.
        close(f.deposit_thickest, deposit.thickest, "thickest", 0.03);
        close(f.deposit_bulk, deposit.bulk_volume, "bulk volume", 0.05);
        const sums = [];
        for (const how of ["off", "contours", "map"]) {
          await set(page, { deposit: how });
          sums.push((await look(page)).sum);
        }
        check(new Set(sums).size === 3, "contours and colours of the deposit are not seen");
        // North is up, and only a map has it.
        const corner = { x: width - 60, y: 0, width: 60, height: 70 };
        const view = await page.locator(".view").boundingBox();
        const clip = { ...corner, x: view.x + corner.x, y: view.y };
        const arrow = await look(page, clip);
        await set(page, { north: false });
        check((await look(page, clip)).sum !== arrow.sum, "no north arrow");
        await set(page, { north: true, legend: true, deposit: "contours", contours: true });
        check(/Deposit thickness, m/.test(await text(page, ".legend")) && /contours every/.test(await text(page, ".legend")), "no legend of the map");
        // Its options are offered where they change the picture.
        await openTab(page, "display");
        const offered = () => Promise.all(["contours", "deposit", "north", "forces"].map((name) => page.locator(`.controls [name=${name}]`).isVisible()));
        check((await offered()).join() === "true,true,true,true", `the map offers ${await offered()}`);
        await set(page, { view: "front" });
        check((await offered()).join() === "false,false,false,true", `the view from the front offers ${await offered()}`);
        f = await facts(page);
        check(!/Deposit|contours/.test(await text(page, ".legend")), "a map in the view from the front");
        check(f.scale_bar > 0, "no scale bar in the view from the front");
      });
    },

    // A block that flies over the deposit is no part of it, nor of its scale; the legend says so.
    async flown(browser) {
      writeFileSync(path("hill.asc"), ["ncols 41", "nrows 21", "xllcenter 0", "yllcenter 0", "cellsize 1", ...SLOPE].join("\n") + "\n");
      await simulate("flown", TERRAIN.replace("output:", "  - {name: high, shape: {type: sphere, radius: 1}, position: [20, 10, 515], velocity: [0, 0, -5]}\noutput:"));
      await opened(browser, "flown", async (page) => {
        for (const how of ["contours", "map"]) {
          await set(page, { view: "top", deposit: how });
          await show(page, 0.4);
          const f = await facts(page);
          close(f.deposit_thickest, 2, `${how}: two blocks on each other, a ball of 2 m`, 0.03);
          check(f.deposit_moving === 1, `${f.deposit_moving} moving bodies`);
          check(/without 1 moving body/.test(await text(page, ".legend")), `legend: ${await text(page, ".legend")}`);
        }
      });
    },

    // A map shows its terrain whole and in the middle, also where a body fell off its edge, in national coordinates.
    async whole(browser) {
      const at = [EAST, NORTH];
      writeFileSync(path("edge.asc"), ["ncols 41", "nrows 21", `xllcenter ${EAST}`, `yllcenter ${NORTH}`, "cellsize 1", ...Array(21).fill(Array(41).fill("500").join(" "))].join("\n") + "\n");
      await simulate("edge", TERRAIN.replace("hill.asc", "edge.asc").replace(/position: \[(\d+), (\d+)/g, (_, x, y) => `position: [${EAST + Number(x)}, ${NORTH + Number(y)}`).replace("output:", `  - {name: lost, shape: {type: sphere, radius: 1}, position: [${EAST + 39}, ${NORTH + 15}, 502], velocity: [150, 0, 0]}\noutput:`).replace("deposit: {spacing: 0.05}", "end: true"));
      await opened(browser, "edge", async (page) => {
        await set(page, { view: "top" });
        for (const time of [0, 0.4]) {
          await show(page, time);
          await page.keyboard.press("r");
          await set(page, {});
          const f = await facts(page);
          const { width, height } = await page.locator(".view").boundingBox();
          [f.centre_u, f.centre_v].forEach((c, i) => check(Math.abs(c - at[i] - [20, 10][i]) < 1, `the middle is ${c - at[i]}, of the terrain ${[20, 10][i]}`));
          check(f.zoom * 40 < width && f.zoom * 20 < height && (f.zoom * 40 > 0.75 * width || f.zoom * 20 > 0.75 * height), `${f.zoom} pixels per metre`);
        }
      });
    },

    // On a wide map every body has its colour, however small; cells follow the zoom; numbers stand at their places.
    async scattered(browser) {
      writeFileSync(path("plain.asc"), PLAIN);
      await simulate("scattered", SCATTERED);
      await opened(browser, "scattered", async (page) => {
        const { width, height } = await page.locator(".view").boundingBox();
        const bars = async (what) => {
          await set(page, { deposit: what });
          return Promise.all(SPREAD.map(async ([x, y]) => {
            const [u, v] = await onSheet(page, EAST + x, NORTH + y);
            check(u > 0 && u < width && v > 0 && v < height, `a box at ${x}, ${y} is out of the picture`);
            return pixels(page, [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => [u + i, v + j])));
          }));
        };
        await set(page, { view: "top", legend: false });
        await show(page, 0.1);
        const plain = await bars("off");
        const shown = await bars("map");
        const bare = shown.filter((p, k) => !p.some((c, i) => apart(c, plain[k][i]) > 60));
        check(bare.length === 0, `${bare.length} of ${SPREAD.length} boxes have no colour`);
        let f = await facts(page);
        close(f.deposit_thickest, 0.4, "thickness", 0.01);
        close(f.deposit_cell, 2 / f.zoom, "two pixels for a cell", 0.5);
        const cell = f.deposit_cell;
        check(cell > 0.4, `cells of ${cell} m are no test of small bodies`);
        await set(page, { legend: true });
        check((await text(page, ".legend")).includes(`cells of ${Number(cell.toPrecision(2))} m`), "the legend does not say how large cells are");
        // A number is centred at its tick, and the tick is at its place.
        const [u] = await onSheet(page, EAST + 100, NORTH);
        const row = async (from, to) => (await pixels(page, Array.from({ length: (to - from) * 121 }, (_, k) => [Math.round(u) - 60 + (k % 121), height - to + Math.floor(k / 121)])));
        const dark = (all) => all.flatMap((c, k) => (Math.max(...c) < 185 ? [(k % 121) - 60] : []));
        const tick = dark(await row(1, 5));
        check(tick.length > 0 && tick.every((x) => Math.abs(x) <= 1), `the tick is ${tick} pixels off`);
        const number = dark(await row(9, 20));
        check(Math.abs(Math.max(...number) + Math.min(...number)) <= 6, `a number is ${number} pixels from its tick`);
        check(Math.max(...number) - Math.min(...number) > 20, "no number at a tick");
        // Near to, cells are smaller and show the form.
        await page.evaluate(([x, y]) => window.percuss.look({ look_at: [x, y, 300], zoom: 40 }), [EAST + SPREAD[0][0], NORTH + SPREAD[0][1]]);
        await set(page, { legend: false });
        f = await facts(page);
        check(f.deposit_cell < 0.1, `cells of ${f.deposit_cell} m near to`);
        close(f.deposit_thickest, 0.4, "thickness near to", 0.01);
        close(f.deposit_bulk, 0.4 ** 3, "volume of a box", 0.1);
      });
    },

    // Edges and shadows as long as pictures are quick, whatever the number of bodies; a choice of the
    // user stands. The page's clock is the test's: it moves by so much in every picture that is measured.
    async quality(browser) {
      await simulate("groups", GROUPS.replace("duration: 0.1", "duration: 20").replace("every: 0.05", "every: 0.02").replace("step: 1e-3", "step: 5e-3"));
      await opened(
        browser,
        "groups",
        async (page) => {
          const level = async () => (await facts(page)).quality;
          const measured = () => page.evaluate(() => window.clock.measured);
          const isQuiet = () => page.evaluate(() => window.clock.measured === window.clock.ended);
          // Plays so many pictures of so many milliseconds; the level in the end.
          const play = async (pictures, ms, count = measured) => {
            await page.evaluate((x) => (window.clock.picture = x), ms);
            await page.keyboard.press("Home");
            await page.keyboard.press("Space");
            const before = await count();
            await until(`${pictures} pictures of ${ms} ms`, async () => (await count()) >= before + pictures || !(await state(page)).playing);
            check((await count()) >= before + pictures, "it does not play long enough");
            const reached = await level();
            await page.keyboard.press("Space");
            return reached;
          };
          const rest = async () => {
            await set(page, {});
            await until("a picture at rest", isQuiet);
            return level();
          };
          await openTab(page, "display");
          check((await page.locator("[name=quality]").inputValue()) === "auto", "quality is not automatic");
          for (const name of ["edges", "shadows", "antialias"]) check(await page.locator(`[name=${name}]`).isChecked(), `${name} are off`);
          for (let i = 0; i < 3; i++) await page.keyboard.press("[");
          check((await rest()) === 2, "a picture at rest is not fine");
          check((await play(6, 30)) === 2, "30 ms are not quick enough");
          check((await play(10, 70)) === 0, "pictures of 70 ms are not made plainer");
          check((await rest()) === 2, "at rest a picture may take longer");
          // Between the limits nothing changes, and quick ones change nothing soon after a step down.
          check((await play(30, 25)) === 0, "it rises between the limits");
          check((await play(30, 5)) === 0, "it rises at once: it would swing");
          await rest();
          await page.evaluate(() => (window.clock.now += 20000));
          check((await play(10, 5)) === 1, "it does not rise when pictures are quick");
          check((await play(10, 25)) === 1, "it falls between the limits");
          // What the user chose stands.
          const drawn = async () => (await state(page)).drawn;
          for (const [choice, wanted] of [["high", 2], ["medium", 1], ["low", 0]]) {
            await page.locator("[name=quality]").selectOption(choice);
            check((await play(8, choice === "low" ? 1 : 200, drawn)) === wanted, `${choice} does not stand`);
          }
        },
        { width: 900, height: 420 },
        () => {
          window.clock = { now: 1e6, picture: 1, measured: 0, ended: 0 };
          performance.now = () => window.clock.now;
          const { fenceSync, deleteSync } = WebGL2RenderingContext.prototype;
          WebGL2RenderingContext.prototype.fenceSync = function (...a) {
            window.clock.now += window.clock.picture;
            window.clock.measured++;
            return fenceSync.apply(this, a);
          };
          WebGL2RenderingContext.prototype.deleteSync = function (...a) {
            window.clock.ended++;
            return deleteSync.apply(this, a);
          };
        },
      );
    },
  };
}
