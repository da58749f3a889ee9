// The viewer as a user meets it, in a real browser.
//
//     node viewer/test/run.mjs PERCUSS SAMPLE_RUN SAMPLE_CROWD SAMPLE_CHAIN SAMPLE_CONTINUUM [NAME…]
//
// PERCUSS_TEST_SCALE above 1 makes the large run really large (2 GB).
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cameraTests } from "./cameras.mjs";
import { chainTests } from "./chain.mjs";
import { rigidTests } from "./rigid.mjs";
import { sweepTests } from "./sweep.mjs";
import { continuumTests } from "./continuum.mjs";
import { crowdTests } from "./crowd.mjs";
import { check, count, downloaded, look, makeFolder, near, openBrowser, openPage, openTab, readTable, run, serve, state, until } from "./support.mjs";

const [program, sampler, crowdSampler, chainSampler, continuumSampler, ...only] = process.argv.slice(2);
const long = Number(process.env.PERCUSS_TEST_SCALE ?? 1) > 1;
const percuss = resolve(program);
const sampleRun = resolve(sampler);
const folder = makeFolder();
const path = (name) => join(folder, name);

// --- runs ---------------------------------------------------------------------------------------

const BOXES = `kind: rigid
title: Boxes on a slope
duration: 1.5
step: 2e-3
materials: [{name: rock, density: 2600}, {name: ice, density: 917}]
default_law: {normal: {kind: restitution, e: 0.3}, tangential: {kind: coulomb, mu: 0.4}}
obstacles: [{name: slope, shape: {type: plane, normal: [0.2, 0, 1]}}]
bodies:
  - {name: ball, shape: {type: sphere, radius: 0.3}, position: [0, 1.2, 1.5], material: ice, velocity: [1, 0, 0]}
  - {name: rod, shape: {type: capsule, radius: 0.1, length: 0.6}, position: [-1, 1.2, 1.5]}
  - {name: drum, shape: {type: cylinder, radius: 0.2, length: 0.4}, position: [1, 1.2, 1.5]}
generators:
  - {type: grid, name: box, counts: [4, 3, 3], spacing: [0.75, 0.75, 0.75], origin: [-1, -1, 0.8], shape: {type: box, size: [0.4, 0.4, 0.4]}, orientations: random}
heat: {specific_heat: 2, conductance: 5}
sensors: [{name: push, kind: force, bodies: slope}]
output: {every: 0.01, end: true}
`;
const DISCS = `kind: rigid
dimension: 2
duration: 1
step: 2e-3
materials: [{name: rock, density: 2600}]
default_law: {normal: {kind: restitution, e: 0.3}, tangential: {kind: coulomb, mu: 0.4}}
obstacles:
  - {name: ground, shape: {type: plane, normal: [0, 1]}}
  - {name: bowl, shape: {type: chain, vertices: [[-3, 3], [-2, 0.5], [2, 0.5], [3, 3]]}}
bodies:
  - {name: disc, shape: {type: disc, radius: 0.3}, position: [0, 2.5], velocity: [1, 0]}
  - {name: tile, shape: {type: polygon, vertices: [[0, 0], [0.6, 0], [0.3, 0.5]]}, position: [-1, 2]}
  - {name: box, shape: {type: box, size: [0.5, 0.3]}, position: [1, 2]}
output: {every: 0.01, end: true}
`;
// Enough bodies that only what is seen is drawn.
const PILE = `kind: rigid
duration: 0.01
step: 1e-3
materials: [{name: rock, density: 2600}]
default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.4}}
obstacles: [{name: ground, shape: {type: plane}}]
bodies: [{name: wall, shape: {type: box, size: [0.3, 26, 6]}, position: [-1.5, 3, 3.5]}] # behind many, its middle before them
generators:
  - {type: grid, name: box, counts: [10, 10, 6], spacing: [1, 1, 1], origin: [0, 0, 1], shape: {type: box, size: [0.6, 0.5, 0.5]}, orientations: random}
  - {type: grid, name: rod, counts: [10, 6, 9], spacing: [1, 1, 1], origin: [0, 10, 1], shape: {type: capsule, radius: 0.2, length: 0.5}, orientations: random}
  - {type: grid, name: ball, counts: [6, 10, 9], spacing: [1, 1, 1], origin: [10, 0, 1], shape: {type: sphere, radius: 0.45}}
output: {every: 5, end: true}
`;
// Three balls in a row; what the first does to the last at a distance is seen.
const ROW = `kind: rigid
dimension: 2
gravity: [0, 0]
duration: 0.4
step: 1e-3
default_law: {normal: {kind: inelastic}, tangential: {kind: none}}
shapes: [{name: ball, type: disc, radius: 0.1}]
bodies:
  - {name: a, shape: ball, mass: 1, position: [-0.3, 0], velocity: [1, 0]}
  - {name: b, shape: ball, mass: 1, position: [0, 0]}
  - {name: c, shape: ball, mass: 1, position: [0.2, 0]}
systems: [{bodies: [a, b, c], distance: 1e4}]
output: {every: 0.01}
`;
const LONG = BOXES.replace("duration: 1.5", "duration: 400").replace("every: 0.01", "every: 0.04");

async function simulate(name, text) {
  writeFileSync(path(`${name}.yaml`), text);
  await run(percuss, ["run", path(`${name}.yaml`), "-o", path(`${name}.h5`), "--quiet"]);
  return path(`${name}.h5`);
}

// --- what is common to both views ---------------------------------------------------------------

async function checkPicture(page, what) {
  const before = await look(page);
  check(before.colors > 20, `${what}: the picture is blank (${before.colors} colours)`);
  const { last } = await state(page);
  await page.evaluate((t) => window.percuss.show(t), last);
  const after = await look(page);
  check(after.sum !== before.sum, `${what}: scrubbing changes nothing`);
  check((await state(page)).time === last, `${what}: not at the end`);
  await page.locator(".scrub").fill("0");
  await until("the first frame again", async () => (await look(page)).sum === before.sum);
}

async function checkPlay(page) {
  await page.keyboard.press("Home");
  for (let i = 0; i < 3; i++) await page.keyboard.press("["); // so that it does not end meanwhile
  await page.locator("[aria-label^=play]").click();
  await until("playing", async () => (await state(page)).frame > 3);
  await page.locator("[aria-label^=play]").click();
  check(!(await state(page)).playing, "pause does not pause");
  const { frame } = await state(page);
  await page.waitForTimeout(200);
  check((await state(page)).frame === frame, "it plays on after pause");
  for (let i = 0; i < 3; i++) await page.keyboard.press("]");
}

async function checkColors(page, colors) {
  await openTab(page, "display");
  const seen = new Set();
  for (const color of colors) {
    await page.locator("[name=color]").selectOption(color);
    await page.evaluate(() => window.percuss.set({}));
    seen.add((await look(page)).sum);
  }
  check(seen.size === colors.length, `colourings look alike: ${seen.size} of ${colors.length}`);
  await page.locator("[name=color]").selectOption("speed");
  await page.evaluate(() => window.percuss.set({}));
  const plain = await look(page);
  await page.locator("[name=forces]").check();
  await page.evaluate(() => window.percuss.set({}));
  check((await look(page)).sum !== plain.sum, "the force network is not seen");
  await page.locator("[name=forces]").uncheck();
  await page.evaluate(() => window.percuss.set({}));
  check((await look(page)).sum === plain.sum, "the force network does not go");
}

// Clicks on things until a free body is hit, and compares its numbers with the table of the end.
async function checkSelection(page, run, flat) {
  const { last } = await state(page);
  await page.evaluate((t) => window.percuss.show(t), last);
  const box = await page.locator(".view").boundingBox();
  const ends = readTable(run.replace(/\.h5$/, "-end.csv"));
  // One place of each thing that is seen, asked for at once: asking place by place takes minutes.
  const places = await page.evaluate(([width, height]) => {
    const found = new Map();
    for (let j = 1; j < 30; j++)
      for (let i = 1; i < 40; i++) {
        const place = [(i / 40) * width, (j / 30) * height];
        const index = window.percuss.pick(...place);
        if (index >= 0 && !found.has(index)) found.set(index, place);
      }
    return [...found];
  }, [box.width, box.height]);
  let chosen = null;
  for (const [index, [x, y]] of places) {
    if (chosen) break;
    await page.mouse.click(box.x + x, box.y + y);
    check((await state(page)).selected === index, "a click selects something else");
    await openTab(page, "selection");
    const name = await page.locator(".details h2").textContent();
    chosen = ends.find((e) => e.name === name) ?? null;
  }
  check(chosen, "no body can be clicked");
  await until("the numbers", async () => (await page.locator(".details [data-row=number]").count()) > 0);
  const cells = async (row) => (await page.locator(`.details [data-row=${row}] td`).first().textContent()).split(/\s+/);
  const position = await cells("position");
  const velocity = await cells("velocity");
  // The table of the end has the shape's origin; these shapes have their centre of mass there, but tile.
  if (chosen.name !== "tile") position.forEach((p, i) => near(p, chosen["xyz"[i]], `position of ${chosen.name}`));
  velocity.forEach((v, i) => near(v, chosen[`v${"xyz"[i]}`], `velocity of ${chosen.name}`));
  const spin = await cells("spin");
  if (flat) near(spin[0], chosen.wz, "spin");
  else spin.forEach((w, i) => near(w, chosen[`w${"xyz"[i]}`], `spin of ${chosen.name}`));
  if (chosen.temperature) near((await cells("temperature"))[0], chosen.temperature, `temperature of ${chosen.name}`);
  else check((await page.locator(".details [data-row=temperature]").count()) === 0, "a temperature without heat");
  await until("a history", async () => (await page.locator(".history canvas").count()) > 0);
  await page.keyboard.press("Escape");
  check((await state(page)).selected === -1, "Escape does not deselect");
}

async function checkCurves(page, run) {
  await openTab(page, "curves");
  const table = readTable(run.replace(/\.h5$/, ".csv"));
  const { last } = await state(page);
  await page.evaluate((t) => window.percuss.show(t / 2), last);
  const { time } = await state(page);
  const row = table.find((r) => Math.abs(Number(r.time) - time) < 1e-9);
  const charts = await until("values at the time", async () => {
    const all = await page.evaluate(() => window.percuss.charts());
    return all.every((c) => c.values.every((v) => v.value !== null)) && all;
  });
  check(charts.length >= 2, "two charts at the start");
  let compared = 0;
  for (const chart of charts)
    for (const { label, value } of chart.values) {
      // Some are drawn relative to their last value.
      const [name, relative] = label.split(" relative to end");
      const column = name.replace(/ /g, "_");
      const wanted = relative === undefined ? row[column] : Number(row[column]) - Number(table[table.length - 1][column]);
      check(wanted !== undefined && Number(wanted) === value, `${label}: ${value}, the table has ${wanted}`);
      compared++;
    }
  check(compared >= 6, `only ${compared} curves compared`);
  // What is downloaded is what the program wrote.
  const csv = (await downloaded(page, 0, "CSV")).toString().trim().split("\n");
  check(csv.length === table.length + 1, `the table has ${csv.length} lines`);
  const names = csv[0].split(",").map((n) => n.replace(/ \[.*\]$/, "").replace(/ /g, "_"));
  csv.slice(1).forEach((line, i) =>
    line.split(",").forEach((cell, c) => check(Number(cell) === Number(table[i][names[c]]), `CSV line ${i + 2}, ${names[c]}`)),
  );
  const svg = (await downloaded(page, 0, "SVG")).toString();
  check(svg.includes("<path"), "no SVG");
  // The axis is that of the whole run, from its first to its last frame.
  const ticks = [...svg.matchAll(/text-anchor="middle">([0-9.]+)</g)].map((m) => Number(m[1]));
  check(ticks[0] === 0 && ticks.at(-1) >= 0.999 * last * (last < 0.1 ? 1e3 : 1), `the axis has ${ticks}`);
  check((await downloaded(page, 0, "PNG")).subarray(1, 4).toString() === "PNG", "no PNG");
  // Zoom by dragging, and back.
  const over = await page.locator(".chart .u-over").first().boundingBox();
  await page.mouse.move(over.x + over.width * 0.3, over.y + 30);
  await page.mouse.down();
  await page.mouse.move(over.x + over.width * 0.6, over.y + 30, { steps: 5 });
  await page.mouse.up();
  await page.waitForTimeout(300);
  const zoomed = (await downloaded(page, 0, "CSV")).toString().trim().split("\n").length;
  check(zoomed > 10 && zoomed < table.length * 0.4, `zoomed table has ${zoomed} lines of ${table.length}`);
  await page.locator(".chart").first().getByRole("button", { name: "all", exact: true }).click();
  await page.waitForTimeout(300);
  // The values under the cursor.
  await page.mouse.move(over.x + over.width / 2, over.y + over.height / 2);
  const shown = await page.locator(".chart .u-legend .u-series .u-value").first().textContent();
  check(/ s$/.test(shown), `no value under the cursor: ${shown}`);
  // Another chart; a sensor.
  if (row.push_x !== undefined) {
    await page.locator(".chart select").first().selectOption({ label: "Sensors: force" });
    const values = await until("the sensor", async () => {
      const [chart] = await page.evaluate(() => window.percuss.charts());
      return chart.id.startsWith("sensors") && chart.values.every((v) => v.value !== null) && chart.values;
    });
    for (const v of values) check(Number(row[v.label.replace(/ /g, "_")]) === v.value, `${v.label}: ${v.value}, the table has ${row[v.label.replace(/ /g, "_")]}`);
  }
}

// V goes through the menu of views.
async function showPlace(page, place) {
  for (let i = 0; i < 8 && (await state(page)).place !== place; i++) {
    const before = (await state(page)).place;
    await page.keyboard.press("v");
    await until("the next view", async () => (await state(page)).place !== before);
  }
  check((await state(page)).place === place, `V does not lead to ${place}`);
}

async function checkKeys(page) {
  await page.locator(".view").click({ position: { x: 5, y: 300 } });
  const frame = async () => (await state(page)).frame;
  await page.keyboard.press("End");
  const end = await frame();
  check(end === (await state(page)).frames - 1, "End");
  await page.keyboard.press("ArrowLeft");
  check((await frame()) === end - 1, "left");
  await page.keyboard.press("Shift+ArrowLeft");
  check((await frame()) === end - 11, "shift left");
  await page.keyboard.press("Home");
  check((await frame()) === 0, "Home");
  await page.keyboard.press("ArrowRight");
  check((await frame()) === 1, "right");
  await page.keyboard.press("Space");
  await until("space plays", async () => (await state(page)).playing || (await frame()) > 1);
  await page.keyboard.press("Space");
  const speed = () => page.locator("[aria-label=speed]").inputValue();
  const before = Number(await speed());
  await page.keyboard.press("]");
  check(Number(await speed()) > before, "] is not faster");
  await page.keyboard.press("[");
  check(Number(await speed()) === before, "[ is not slower");
  await openTab(page, "display");
  const color = () => page.locator("[name=color]").inputValue();
  const old = await color();
  await page.keyboard.press("c");
  check((await color()) !== old, "c does not change the colouring");
  await page.keyboard.press("n");
  check(await page.locator("[name=forces]").isChecked(), "n");
  await page.keyboard.press("n");
  const { view, place } = await state(page);
  await page.keyboard.press("v");
  await until("another view", async () => (await state(page)).view !== view && (await state(page)).place !== place);
  await until("a picture in it", async () => (await look(page)).colors > 20);
  await showPlace(page, place);
  await until("a picture in it", async () => (await look(page)).colors > 20);
  // While it plays, too.
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.keyboard.press("v");
  await until("the other view", async () => (await state(page)).place !== place);
  const there = await frame();
  await until("playing on in the other view", async () => (await frame()) > there + 5 || !(await state(page)).playing);
  check((await frame()) > there, "playing stops when the view is changed");
  await showPlace(page, place);
  if ((await state(page)).playing) await page.keyboard.press("Space");
  await page.keyboard.press("d");
  check((await page.evaluate(() => document.documentElement.dataset.theme)) === "dark", "d");
  await page.keyboard.press("d");
  await page.keyboard.press("?");
  check(await page.locator("#tab-about").isVisible(), "?");
}

// Nothing is cut off, nothing scrolls sideways, everything can be reached.
async function checkSize(page, what) {
  const box = await page.evaluate(() => {
    const rect = (s) => document.querySelector(s).getBoundingClientRect();
    const view = rect(".view");
    const bar = rect(".timebar");
    return {
      wide: document.documentElement.scrollWidth - innerWidth,
      view: [view.width, view.height],
      bar: [bar.left, bar.right, bar.bottom],
      inner: [innerWidth, innerHeight],
      hidden: [...document.querySelectorAll(".timebar button:not([hidden]), .top button, .tabs button")].filter((b) => {
        const r = b.getBoundingClientRect();
        return r.width < 8 || r.left < 0 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1;
      }).length,
    };
  });
  check(box.wide <= 0, `${what}: scrolls sideways by ${box.wide}`);
  check(box.view[0] > 0.6 * Math.min(box.inner[0], 1200) && box.view[1] > 250, `${what}: the picture is ${box.view}`);
  check(box.bar[1] <= box.inner[0] + 1 && box.bar[2] <= box.inner[1] + 1, `${what}: the time bar is outside`);
  check(box.hidden === 0, `${what}: ${box.hidden} buttons are outside`);
}

// --- tests --------------------------------------------------------------------------------------

const tests = {
  async systems(browser) {
    const server = await serve(percuss, await simulate("row", ROW));
    const { page, complaints, close } = await openPage(browser, server.address);
    for (const view of ["plan", "space"]) {
      await page.evaluate((view) => window.percuss.set({ view }), view);
      const seen = async (time) => {
        const sums = [];
        for (const actions of [true, false]) {
          await page.evaluate(async ({ time, actions }) => {
            await window.percuss.show(time);
            await window.percuss.set({ actions });
          }, { time, actions });
          sums.push((await look(page)).sum);
        }
        return sums[0] !== sums[1];
      };
      check(!(await seen(0.05)), `${view}: something acts at a distance before the collision`);
      check(await seen(0.11), `${view}: the interaction at a distance is not seen`);
      check(!(await seen(0.35)), `${view}: the interaction at a distance is still seen long after`);
      await page.evaluate(() => window.percuss.set({ actions: true }));
    }
    check(complaints.length === 0, complaints.join("; "));
    await close();
    await server.stop();
  },
  async space(browser) {
    const file = await simulate("boxes", BOXES);
    const server = await serve(percuss, file);
    const { page, complaints, close } = await openPage(browser, server.address);
    check((await state(page)).view === "space", "a 3-D run opens in space");
    await checkSize(page, "1280x720");
    await checkPicture(page, "space");
    await checkPlay(page);
    await checkColors(page, ["speed", "spin", "percussion", "temperature", "material", "resting"]);
    await checkSelection(page, file, false);
    await checkCurves(page, file);
    await checkKeys(page);
    // Orbit, zoom, sections, shadows, following.
    const box = await page.locator(".view").boundingBox();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    let last = (await look(page)).sum;
    const changes = async (what) => {
      await page.waitForTimeout(100);
      await page.evaluate(() => window.percuss.set({}));
      const now = (await look(page)).sum;
      check(now !== last, `${what} changes nothing`);
      last = now;
    };
    await page.mouse.move(...middle);
    await page.mouse.down();
    await page.mouse.move(middle[0] + 120, middle[1] + 40, { steps: 4 });
    await page.mouse.up();
    await changes("orbiting");
    await page.mouse.wheel(0, -400);
    await changes("zooming");
    await page.mouse.down({ button: "right" });
    await page.mouse.move(middle[0] - 80, middle[1] + 40, { steps: 4 });
    await page.mouse.up({ button: "right" });
    await changes("panning");
    await page.keyboard.press("r");
    await changes("fit");
    await page.evaluate(() => window.percuss.set({ section: "y", section_at: 0.5 }));
    await changes("a section");
    await page.evaluate(() => window.percuss.set({ section: "off" }));
    await changes("no section");
    await page.evaluate(() => {
      window.percuss.select(5);
      window.percuss.follow(true);
    });
    await page.keyboard.press("Home");
    await changes("following");
    // A reload changes nothing.
    await page.keyboard.press("ArrowRight");
    const before = await state(page);
    const kept = () => page.evaluate(() => Number(new URLSearchParams(location.hash.slice(1)).get("t")));
    await until("the time in the address", async () => (await kept()) === before.time);
    await page.reload();
    await page.evaluate(() => window.percuss.ready);
    const after = await state(page);
    for (const key of ["frame", "view", "selected"]) check(before[key] === after[key], `a reload changes ${key}: ${before[key]}, ${after[key]}`);
    check(complaints.length === 0, `console: ${complaints.join("; ")}`);
    await close();
    await server.stop();
  },

  // Of many bodies only what is seen is drawn: the picture is the same, to the pixel, as with all.
  async hidden(browser) {
    const server = await serve(percuss, await simulate("pile", PILE));
    const { page, complaints, close } = await openPage(browser, server.address);
    const picture = async (cull) => {
      await page.evaluate((on) => window.percuss.set({ cull: on, quality: "low" }), cull);
      return look(page);
    };
    const box = await page.locator(".view").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    let last = 0;
    for (const [dx, dy, zoom] of [[0, 0, 0], [250, 60, -500], [150, -300, -600], [-120, 200, 900]]) {
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy, { steps: 3 });
      await page.mouse.up();
      await page.mouse.wheel(0, zoom);
      let before = -1;
      await until("a picture that stays", async () => {
        await page.waitForTimeout(400);
        const { sum } = await look(page);
        const stays = sum === before;
        before = sum;
        return stays;
      });
      const all = await picture(false);
      const seen = await picture(true);
      check(all.colors > 100 && all.sum !== last, "the picture did not change");
      check(seen.sum === all.sum, `something that is seen is left out, after a drag of ${dx}, ${dy}`);
      last = all.sum;
    }
    check(complaints.length === 0, `console: ${complaints.join("; ")}`);
    await close();
    await server.stop();
  },

  async plan(browser) {
    const file = await simulate("discs", DISCS);
    const server = await serve(percuss, file);
    const { page, complaints, close } = await openPage(browser, server.address);
    check((await state(page)).view === "plan", "a 2-D run opens in the plan");
    await checkPicture(page, "plan");
    await checkPlay(page);
    await checkColors(page, ["speed", "spin", "percussion", "material"]);
    await checkSelection(page, file, true);
    await checkCurves(page, file);
    check(complaints.length === 0, `console: ${complaints.join("; ")}`);
    await close();
    await server.stop();
  },

  async phone(browser) {
    const server = await serve(percuss, path("boxes.h5"));
    const { page, complaints, close } = await openPage(browser, server.address, { width: 390, height: 844 });
    await checkSize(page, "a phone");
    check((await look(page)).colors > 20, "a phone: the picture is blank");
    for (const tab of ["selection", "display", "about", "curves"]) {
      await openTab(page, tab);
      check(await page.locator(`#tab-${tab}`).isVisible(), `a phone: no tab ${tab}`);
    }
    await checkPlay(page);
    check(complaints.length === 0, `console: ${complaints.join("; ")}`);
    await close();
    await server.stop();
  },

  // A large run is not read, only looked into.
  async large(browser) {
    const megabytes = long ? 2000 : 100;
    const boxes = long ? 10000 : 1000;
    await run(sampleRun, [path("large.h5"), String(boxes), "1000000", String(1e6 * megabytes)]);
    const server = await serve(percuss, path("large.h5"));
    const start = Date.now();
    const { page, complaints, close } = await openPage(browser, server.address);
    const seconds = (Date.now() - start) / 1000;
    const read = async () => (await (await fetch(`${server.address}api/state`)).json()).read;
    const opened = await read();
    check(opened < 5e6, `${opened} bytes read to open a run of ${megabytes} MB`);
    check((await look(page)).colors > 20, "the picture is blank");
    const { frames } = await state(page);
    check(frames > 100, `${frames} frames`);
    let sum = 0;
    for (const part of [0.9, 0.5, 0.1]) {
      const frame = Math.floor(part * frames);
      await page.locator(".scrub").fill(String(frame));
      await until("a frame far away", async () => (await look(page)).sum !== sum);
      sum = (await look(page)).sum;
      // The file's own formula: x = place + 0.3 sin(2 t + i) for box i.
      const box = 7;
      await page.evaluate((b) => window.percuss.select(b), box + 1);
      await openTab(page, "selection");
      const cell = async () => (await page.locator(".details [data-row=position] td").first().textContent()).split(/\s+/)[0];
      const side = Math.ceil(Math.cbrt(boxes));
      const x = (box % side) - Math.floor(side / 2) + 0.3 * Math.sin(2 * frame * 0.01 + box);
      await until("numbers of the frame", async () => (await page.locator(".details .numbers").getAttribute("data-frame")) === String(frame));
      near(await cell(), x, "x of a box");
    }
    console.log(`  ${megabytes} MB, ${boxes} boxes, ${frames} frames: open in ${seconds.toFixed(2)} s, ${(opened / 1e6).toFixed(2)} MB read`);
    check(complaints.length === 0, `console: ${complaints.join("; ")}`);
    await close();
    await server.stop();
  },

  // A run that is being made is followed.
  async live(browser) {
    writeFileSync(path("live.yaml"), LONG);
    const server = await serve(percuss, path("live.yaml"), ["-o", path("live.h5")], folder);
    const { page, complaints, close } = await openPage(browser, server.address);
    check((await state(page)).running, "it does not say that it runs");
    const first = (await state(page)).frames;
    await until("more frames", async () => (await state(page)).frames > first + 5);
    // It is followed from the start, and says when it ends and how long that takes.
    const newest = async (what) => {
      const { frame } = await state(page);
      await until(what, async () => (await state(page)).frame > frame);
      const now = await state(page);
      check(now.frame >= now.frames - 1, `${what}: at ${now.frame} of ${now.frames}`);
    };
    await newest("the newest frame");
    check(/ of 400 s$/.test(await page.locator(".timebar .time").textContent()), `no end: ${await page.locator(".timebar .time").textContent()}`);
    const words = await until("the time left", async () => {
      const said = /^running, (\d+) %, (.+) left$/.exec(await page.locator(".state").textContent());
      return said && { done: Number(said[1]), left: said[2], run: (await state(page)).last / 400 };
    });
    check(Math.abs(words.done / 100 - words.run) < 0.05, `${words.done} % are done at ${words.run}`);
    check(/^(\d+ (s|min)|under 1 s|\d+ h \d+ min)$/.test(words.left), `time left: ${words.left}`);
    // Whoever looks back stays there until they want to follow again.
    await page.keyboard.press("Home");
    const grown = (await state(page)).frames;
    await until("frames behind", async () => (await state(page)).frames > grown + 3);
    check((await state(page)).frame === 0, "it does not stay where one looks");
    await page.keyboard.press("l");
    await newest("the newest frame again");
    await until("curves", () => page.locator(".chart canvas").first().isVisible());
    // A second one only watches.
    const watcher = await serve(percuss, path("live.h5"));
    const other = await openPage(browser, watcher.address);
    check((await state(other.page)).running, "the watcher does not see that it runs");
    const seen = (await state(other.page)).frames;
    await until("more frames for the watcher", async () => (await state(other.page)).frames > seen);
    await other.close();
    await watcher.stop();
    check(complaints.length === 0, `console: ${complaints.join("; ")}`);
    const code = await server.stop();
    check(/--resume/.test(server.output()), `Ctrl-C (${code}) does not tell how to go on: ${server.output()}`);
    // Either that the run stopped, if it asked in between, or that nobody answers any more.
    await until("the page notices", async () => /ended|stopped/.test(await page.locator(".state").textContent()));
    await close();
  },

  // Without WebGL there is a message, and the plan still works.
  async nowebgl() {
    const browser = await openBrowser(["--disable-software-rasterizer", "--disable-3d-apis"]);
    const server = await serve(percuss, path("boxes.h5"));
    const { page, close } = await openPage(browser, server.address);
    check(/WebGL/.test(await page.locator("main").textContent()), "no word about WebGL");
    check((await state(page)).view === "plan", "the plan does not stand in");
    check((await look(page)).colors > 20, "the plan is blank");
    await close();
    await server.stop();
    await browser.close();
  },

  ...cameraTests({ percuss, folder }),
  ...rigidTests({ percuss, folder }),
  ...crowdTests({ percuss, sampleCrowd: resolve(crowdSampler), folder }),
  ...chainTests({ percuss, sampleChain: resolve(chainSampler), folder }),
  ...sweepTests({ percuss, folder }),
  ...continuumTests({ percuss, sampleContinuum: resolve(continuumSampler), folder }),
};

const browser = await openBrowser();
let failed = 0;
if (only.length) await simulate("boxes", BOXES);
for (const [name, test] of Object.entries(tests)) {
  if (only.length && !only.includes(name)) continue;
  const start = Date.now();
  try {
    await test(browser);
    console.log(`ok ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.stack}`);
  }
}
await browser.close();
console.log(`${count()} checks`);
process.exit(failed ? 1 : 0);
