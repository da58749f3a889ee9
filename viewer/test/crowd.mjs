// Crowds in the viewer. What is drawn is compared with the files of the run, pixel by pixel where that can be.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, downloaded, look, near, openBrowser, openPage, openTab, pixels, readTable, run, serve, state, until } from "./support.mjs";

const ROOM = `kind: crowd
title: Two groups leave a room
duration: 30
step: 0.01
seed: 5
floors:
  - walls: [{points: [[8, 2.6], [8, 6], [0, 6], [0, 0], [8, 0], [8, 1.4]]}]
    obstacles: [{points: [[4, 4], [5, 4], [5, 5], [4, 5]]}, {centre: [5.5, 2], radius: 0.25}]
exits:
  - {name: door, line: [[8, 1.4], [8, 2.6]]}
areas: [{name: stage, points: [[0.5, 4.5], [2, 4.5], [2, 5.5], [0.5, 5.5]]}]
people:
  - {name: adult, count: 10, inside: {box: [[0, 0], [4, 6]]}, to: door, radius: {uniform: [0.2, 0.25]}}
  - {name: child, count: 8, inside: {box: [[0, 0], [4, 6]]}, to: door, radius: 0.17, speed: 1}
output: {every: 0.1, maps: false}
`;
// A door in the wall between two rooms of an L, which opens after 2 s; two exits on the outline.
const DOORS = `kind: crowd
duration: 4
step: 0.02
until: duration
floors:
  - outline: [[0, 0], [8, 0], [8, 3], [4, 3], [4, 6], [0, 6]]
    walls: [{points: [[4, 0], [4, 3]]}]
doors: [{points: [[4, 1], [4, 2]], opens: 2}]
exits:
  - {name: east, line: [[8, 1], [8, 2]]}
  - {name: north, line: [[1, 6], [2, 6]]}
people: [{positions: [[6, 0.5]], to: north}]
output: {every: 0.1, maps: false}
`;
const LONG = ROOM.replace("duration: 30", "duration: 2000\nuntil: duration").replace("to: door", "to: stage");
const COLORS = { adult: [78, 121, 167], child: [242, 142, 43] }; // the first words of the palette
const FRUIN = ["#d6e8f5", "#a3cfe6", "#9fd6a0", "#f4dc6a", "#f0953f", "#cf3430"];
const RAMPS = {
  speed: ["#3a4fa8", "#3778bd", "#35a0bb", "#4fbf9a", "#93d370", "#e3dc5f", "#fff4ae"],
  pressure: ["#fff3c4", "#fdd276", "#f99d45", "#e8562f", "#b81d3c", "#6d0b46"],
};
const hex = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
const apart = (a, b) => Math.max(...a.map((v, i) => Math.abs(v - b[i])));

// Numbers of the file, from the program that serves it and not through the page.
async function rows(address, name, as, query) {
  const answer = await fetch(`${address}api/rows?name=${name}&as=${as}&${query}`);
  const arrays = { f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array };
  return new arrays[as](await answer.arrayBuffer());
}

// Where everybody is in a frame who is there, with the pixel of the middle.
async function people(page, address, frame) {
  const present = await rows(address, "frames/present", "u8", `first=${frame}&count=1`);
  const body = await rows(address, "people/body", "i32", `first=0&count=${present.length}`);
  const floor = await rows(address, "frames/floor", "i32", `first=${frame}&count=1`);
  const position = await rows(address, "frames/position", "f64", `first=${frame}&count=1`);
  const { facts } = await state(page);
  return Array.from(present, (there, i) => {
    const [x, y] = [position[3 * body[i]], position[3 * body[i] + 1]];
    return { i, there: there === 1, floor: floor[i], x, y, at: [facts.x + x * facts.zoom, facts.y - y * facts.zoom] };
  });
}

async function checkPeople(page, address) {
  const group = await rows(address, "people/group", "i32", "first=0&count=18");
  const radius = await rows(address, "people/radius", "f64", "first=0&count=18");
  await page.evaluate(() => window.percuss.set({ color: "group", labels: false }));
  let absent = 0;
  for (const part of [0, 0.35, 0.6, 0.9, 1]) {
    const { last } = await state(page);
    await page.evaluate((t) => window.percuss.show(t), part * last);
    const { frame, facts } = await state(page);
    const all = await people(page, address, frame);
    const there = all.filter((p) => p.there);
    check(facts.people === there.length, `frame ${frame}: ${facts.people} people drawn, ${there.length} are there`);
    const seen = await pixels(page, all.map((p) => p.at));
    for (const p of all) {
      const color = COLORS[["adult", "child"][group[p.i]]];
      const covered = there.some((o) => o !== p && Math.hypot(o.x - p.x, o.y - p.y) < radius[o.i] + 0.05);
      if (p.there && !covered) check(apart(seen[p.i], color) < 4, `frame ${frame}: ${p.i} has the colour ${seen[p.i]}, wanted ${color}`);
      if (!p.there && !covered && p.x < 7.9) check(apart(seen[p.i], color) > 30, `frame ${frame}: ${p.i} is drawn, but not there`);
      absent += !p.there;
    }
  }
  check(absent > 18, "too few are absent for this to say something");
  await page.evaluate(() => window.percuss.set({ people: false }));
  check((await state(page)).facts.people === 0, "people cannot be hidden");
  await page.evaluate(() => window.percuss.set({ people: true, labels: true }));
}

// A frame that came while people were too small to show where they look shows it when they are large again.
async function checkCloser(page) {
  const { zoom } = (await state(page)).facts;
  await page.locator(".view").hover();
  for (let i = 0; i < 8; i++) await page.mouse.wheel(0, 300);
  await until("a smaller picture", async () => (await state(page)).facts.zoom < zoom / 10);
  await page.evaluate(() => window.percuss.show(1.7));
  const small = (await look(page)).sum;
  await page.keyboard.press("r");
  await until("the whole scene", async () => (await state(page)).facts.zoom === zoom && (await look(page)).sum !== small);
  await page.waitForTimeout(300);
  const seen = (await look(page)).sum;
  await page.evaluate(() => window.percuss.set({}));
  check((await look(page)).sum === seen, "the picture lacks something after a change of its scale");
}

async function checkColors(page, address) {
  // When they push each other most.
  const { frames } = await state(page);
  const push = await rows(address, "frames/push", "f32", `first=0&count=${frames}`);
  const most = push.reduce((best, p, i) => (p > push[best] ? i : best), 0);
  const [time] = await rows(address, "frames/time", "f64", `first=${Math.floor(most / 18)}&count=1`);
  await page.evaluate((t) => window.percuss.show(t), time);
  await openTab(page, "display");
  const legend = async () => (await page.locator(".legend").textContent()).replace(/\s+/g, " ");
  const seen = new Set();
  for (const [color, words] of Object.entries({
    group: /Group.*adult.*child/,
    speed: /Speed, m\/s.*0.*\d/,
    percussion: /Impulse, N s.*0.*\d/,
    largest: /Largest impulse so far, N s.*0.*\d/,
    goal: /Goal.*door/,
    exit: /Leaves by.*door/,
  })) {
    await page.locator("[name=color]").selectOption(color);
    await page.evaluate(() => window.percuss.set({}));
    check(words.test(await legend()), `legend of ${color}: ${await legend()}`);
    seen.add((await look(page)).sum);
  }
  check(seen.size >= 4, `colourings look alike: ${seen.size}`);
  await page.locator("[name=color]").selectOption("group");
  const picture = async (values) => {
    await page.evaluate((v) => window.percuss.set(v), values);
    return (await look(page)).sum;
  };
  const plain = await picture({});
  for (const [on, off] of [[{ trails: "all" }, { trails: "off" }], [{ forces: true }, { forces: false }]]) {
    check((await picture(on)) !== plain, `${JSON.stringify(on)} changes nothing`);
    check((await picture(off)) === plain, `${JSON.stringify(off)} does not take it back`);
  }
  await page.evaluate((i) => window.percuss.select(i), most % 18);
  const chosen = await picture({});
  check(chosen !== plain, "the selected person is not marked");
  const trail = await picture({ trails: "selected" });
  check(trail !== chosen, "the trail of the selected person is not seen");
  check((await picture({ trail_length: 2 })) !== trail, "a shorter trail looks the same");
  await page.evaluate(() => window.percuss.select(-1));
  check((await picture({ trails: "off" })) === plain, "the selection does not go");
  // This run has no maps: there is no choice, and a word about it.
  check((await page.locator("[name=map]").count()) === 0, "a map can be chosen in a run without maps");
  check(/no maps/.test(await page.locator(".controls .note").textContent()), "no word about maps");
}

// Who is clicked has the numbers of the files; when and where they left are those of RUN-exits.csv.
async function checkSelection(page, address, file) {
  const out = readTable(file.replace(/\.h5$/, "-exits.csv"));
  await page.evaluate(() => window.percuss.show(2));
  const { frame } = await state(page);
  const all = (await people(page, address, frame)).filter((p) => p.there);
  const view = await page.locator(".view").boundingBox();
  const push = await rows(address, "frames/push", "f64", `first=${frame}&count=1`);
  const body = await rows(address, "people/body", "i32", "first=0&count=18");
  const velocity = await rows(address, "frames/velocity", "f64", `first=${frame}&count=1`);
  await openTab(page, "selection");
  let last = "";
  for (const p of all.slice(0, 6)) {
    await page.mouse.click(view.x + p.at[0], view.y + p.at[1]);
    check((await state(page)).selected === p.i, `a click on ${p.i} selects ${(await state(page)).selected}`);
    const name = await page.locator(".details h2").textContent();
    const cell = async (row) => page.locator(`.details [data-row="${row}"] td`).first().textContent();
    const wanted = out.find((o) => o.person === name);
    check(wanted, `${name} is not in the table of exits`);
    await until("the numbers", async () => (await page.locator(".details .numbers").getAttribute("data-frame")) === String(frame) && (await cell("left")) !== last);
    last = await cell("left");
    near(last, wanted.time, `${name} left`, 7);
    check((await cell("exit")) === wanted.exit && (await cell("group")) === wanted.group, `${name}: exit or group`);
    const [x, y] = (await cell("position")).split(/\s+/);
    near(x, p.x, `x of ${name}`);
    near(y, p.y, `y of ${name}`);
    near(await cell("impulse"), push[p.i], `percussion of ${name}`);
    near(await cell("speed"), Math.hypot(velocity[3 * body[p.i]], velocity[3 * body[p.i] + 1]), `speed of ${name}`);
  }
  await until("a history", async () => (await page.locator(".history canvas").count()) > 0);
  // Following keeps somebody in the middle.
  await page.keyboard.press("f");
  await page.evaluate(() => window.percuss.show(2.5));
  const { selected, facts } = await state(page);
  const now = (await people(page, address, (await state(page)).frame))[selected];
  if (now.there) {
    near(facts.x + now.x * facts.zoom, view.width / 2, "x of who is followed", 3);
    near(facts.y - now.y * facts.zoom, view.height / 2, "y of who is followed", 3);
  }
  await page.keyboard.press("r");
  await page.keyboard.press("Escape");
  check((await state(page)).selected === -1, "Escape does not deselect");
}

// Every cell of the curves is that of RUN.csv, and of RUN-exits.csv counted.
async function checkCurves(page, file) {
  await openTab(page, "curves");
  const table = readTable(file.replace(/\.h5$/, ".csv"));
  const out = readTable(file.replace(/\.h5$/, "-exits.csv"));
  const charts = await page.evaluate(() => window.percuss.charts());
  check(charts[0].id === "inside" && charts[1].id === "exits", `the charts are ${charts.map((c) => c.id)}`);
  const read = async (chart) => (await downloaded(page, chart, "CSV")).toString().trim().split("\n").map((l) => l.split(","));
  const inside = await read(0);
  check(inside[0].join() === "time [s],inside" && inside.length === table.length + 1, `${inside[0]}, ${inside.length} lines`);
  inside.slice(1).forEach(([t, n], k) => check(Number(t) === Number(table[k].time) && n === table[k].inside, `line ${k + 2}: ${t}, ${n}`));
  const exits = await read(1);
  check(exits[0].join() === "time [s],door" && exits.length === table.length + 1, `${exits[0]}, ${exits.length} lines`);
  exits.slice(1).forEach(([t, n], k) => {
    const left = out.filter((o) => Number(o.time) <= Number(t) + 1e-9).length;
    check(Number(n) === left, `${n} have left at ${t} s, the table has ${left}`);
    check(Number(n) + Number(table[k].inside) === 18, `${t} s: inside and out are not all`);
  });
  // The values at the cursor.
  await page.evaluate(() => window.percuss.show(4));
  const row = table.find((r) => Math.abs(Number(r.time) - 4) < 1e-9);
  const values = await until("values at the cursor", async () => {
    const all = await page.evaluate(() => window.percuss.charts().map((c) => c.values[0].value));
    return all.every((v) => v !== null) && all;
  });
  check(values[0] === Number(row.inside) && values[0] + values[1] === 18, `at 4 s: ${values}, the table has ${row.inside}`);
  // Zoom.
  const over = await page.locator(".chart .u-over").nth(1).boundingBox();
  await page.mouse.move(over.x + over.width * 0.3, over.y + 30);
  await page.mouse.down();
  await page.mouse.move(over.x + over.width * 0.6, over.y + 30, { steps: 5 });
  await page.mouse.up();
  await until("a part of the curve", async () => (await read(1)).length < 0.5 * table.length);
}

async function checkKeys(page) {
  await openTab(page, "display");
  const choice = (name) => page.locator(`[name=${name}]`).inputValue();
  const before = await choice("color");
  await page.keyboard.press("c");
  check((await choice("color")) !== before, "c does not change the colouring");
  await page.keyboard.press("t");
  check((await choice("trails")) === "selected", "t does not show trails");
  await page.keyboard.press("n");
  check(await page.locator("[name=forces]").isChecked(), "n does not show forces");
  await page.keyboard.press("m");
  check(/no maps/.test((await state(page)).message), "m does not say why there are no maps");
  await page.keyboard.press("Home");
  check((await state(page)).frame === 0, "Home");
  await page.keyboard.press("Space");
  await until("it plays", async () => (await state(page)).frame > 3);
  await page.keyboard.press("Space");
}

export function crowdTests({ percuss, sampleCrowd, folder }) {
  const path = (name) => join(folder, name);
  let made = null;
  const room = async () => {
    if (made) return made;
    writeFileSync(path("crowd.yaml"), ROOM);
    await run(percuss, ["run", path("crowd.yaml"), "-o", path("crowd.h5"), "--quiet"]);
    return (made = path("crowd.h5"));
  };
  const sample = async () => {
    await run(sampleCrowd, [path("floors.h5")]);
    return path("floors.h5");
  };

  return {
    async crowd(browser) {
      const file = await room();
      const server = await serve(percuss, file);
      const { page, complaints, close } = await openPage(browser, server.address);
      check((await state(page)).view === "crowd", "a crowd opens in its own view");
      check((await look(page)).colors > 20, "the picture is blank");
      await checkPeople(page, server.address);
      const { sum } = await look(page);
      await page.locator(".scrub").fill("3");
      await until("another frame", async () => (await look(page)).sum !== sum);
      await checkCloser(page);
      await checkColors(page, server.address);
      await checkCurves(page, file);
      await checkSelection(page, server.address, file);
      await checkKeys(page);
      check(complaints.length === 0, `console: ${complaints.join("; ")}`);
      await close();
      await server.stop();
    },

    // Floors one by one and side by side, and maps whose numbers are known (tests/view/sample_crowd.c).
    async floors(browser) {
      const server = await serve(percuss, await sample());
      const { page, complaints, close } = await openPage(browser, server.address);
      const drawn = async (values) => {
        await page.evaluate((v) => window.percuss.set(v), values);
        return (await state(page)).facts.people;
      };
      const pictures = new Set();
      for (const [time, all, ground, upper] of [[0, 6, 4, 2], [1.2, 6, 3, 3], [1.6, 5, 2, 3]]) {
        await page.evaluate((t) => window.percuss.show(t), time);
        for (const [floor, wanted] of Object.entries({ all, ground, upper })) {
          await page.locator(`.floors [data-floor=${floor}]`).click();
          const there = await drawn({});
          check(there === wanted, `${floor} at ${time} s: ${there} people drawn, wanted ${wanted}`);
          pictures.add((await look(page)).sum);
        }
      }
      check(pictures.size === 9, `floors look alike: ${pictures.size} of 9 pictures`);
      await page.keyboard.press("PageDown");
      check((await drawn({})) === 5, "PgDn does not go on to all floors");
      await until("the counts of the exits", async () => {
        const counts = (await page.evaluate(() => window.percuss.charts())).find((c) => c.id === "exits");
        return counts.values.map((v) => `${v.label} ${v.value}`).join() === "west 1,roof 0";
      });
      // Maps: every cell has the colour of its number.
      const CELLS = 63;
      const value = {
        density: (i, c) => Math.fround(0.1 * ((7 * c + 11 * i) % 31)),
        speed: (i, c) => (c % 5 === 0 ? -1 : 0.25 * ((c + i) % 9)),
        pressure: (i, c) => 100 * ((3 * c + 5 * i) % 17),
      };
      // The mean of up to five squares each way; the last one of the ground is solid.
      const around = (i, c) => {
        const upper = c >= 31 ? 31 : 0;
        const [column, row] = [(c - upper) % 8, Math.floor((c - upper) / 8)];
        let [sum, count] = [0, 0];
        for (let r = Math.max(0, row - 2); r <= Math.min(3, row + 2); r++)
          for (let k = Math.max(0, column - 2); k <= Math.min(7, column + 2); k++) {
            if (upper === 0 && r === 3 && k === 7) continue;
            sum += value.density(i, upper + 8 * r + k);
            count++;
          }
        return sum / count;
      };
      const most = { speed: 2, pressure: 1600 };
      const paper = await mapPaper(page, drawn);
      const color = (map, v) => {
        if (map === "speed" ? v < 0 : v <= 0) return paper;
        if (map === "density") return hex(FRUIN[[0.3, 0.4, 0.7, 1.1, 2].filter((limit) => v >= limit - 1e-6).length]);
        const ramp = RAMPS[map].map(hex);
        const at = Math.min(1, v / most[map]) * (ramp.length - 1);
        const k = Math.min(ramp.length - 2, Math.floor(at));
        return ramp[k].map((a, j) => a + (at - k) * (ramp[k + 1][j] - a));
      };
      const levels = new Set();
      for (const [map, when, time, of, smooth = false] of [
        ["density", "now", 0.6, [1], true],
        ["density", "run", 0.6, [0, 1, 2, 3], true],
        ["density", "now", 0.2, [0]],
        ["density", "now", 0.5, [0]],
        ["density", "now", 0.6, [1]],
        ["density", "now", 2, [3]],
        ["density", "so-far", 0.7, [0, 1]],
        ["density", "run", 0, [0, 1, 2, 3]],
        ["speed", "now", 1.3, [2]],
        ["speed", "so-far", 0.3, [0]],
        ["pressure", "now", 1.7, [3]],
        ["pressure", "run", 0.1, [0, 1, 2, 3]],
      ]) {
        for (const floor of ["ground", "upper"]) {
          await page.evaluate((t) => window.percuss.show(t), time);
          await drawn({ floor, map, when, smooth });
          const { facts } = await state(page);
          const cells = Array.from({ length: CELLS }, (_, c) => c).filter((c) => (c >= 31) === (floor === "upper"));
          const square = (c) => (c >= 31 ? c - 31 : c);
          // Not the middle: there are the exits.
          const seen = await pixels(page, cells.map((c) => [facts.x + (0.5 * (square(c) % 8) + 0.4) * facts.zoom, facts.y - (0.5 * Math.floor(square(c) / 8) + 0.3) * facts.zoom]));
          cells.forEach((c, k) => {
            const v = Math.max(...of.map((i) => (smooth ? around(i, c) : value[map](i, c))));
            const wanted = color(map, v);
            check(apart(seen[k], wanted) < 6, `${map} ${when} at ${time} s, ${floor}, cell ${c} with ${v}: ${seen[k]}, wanted ${wanted.map(Math.round)}`);
            if (map === "density" && v > 0) levels.add(FRUIN.indexOf(FRUIN.find((f) => hex(f).join() === wanted.join())));
          });
        }
      }
      check(levels.size === 6, `only ${levels.size} levels seen`);
      const legend = (await page.locator(".legend").textContent()).replace(/\s+/g, " ");
      check(/Pressure, largest of the run, N\/m².*1600/.test(legend), `legend: ${legend}`);
      await drawn({ map: "density", when: "now" });
      check(/Fruin.*A below 0.3.*F from 2/.test((await page.locator(".legend").textContent()).replace(/\s+/g, " ")), "no Fruin levels");
      check(complaints.length === 0, `console: ${complaints.join("; ")}`);
      await close();
      await server.stop();
    },

    // The levels that the page finds are those that the program wrote into RUN-maps.csv. Without obstacles: the two see around
    // them in different ways.
    // Doors are bars in their colour while they are closed, and gaps when they are open; exits on the
    // outline leave the floor the shape it has.
    async crowddoors(browser) {
      writeFileSync(path("crowddoors.yaml"), DOORS);
      await run(percuss, ["run", path("crowddoors.yaml"), "-o", path("crowddoors.h5")]);
      const server = await serve(percuss, path("crowddoors.h5"));
      const { page, complaints, close } = await openPage(browser, server.address);
      await page.evaluate(() => window.percuss.set({ labels: false, people: false }));
      const paint = await page.evaluate(() =>
        ["--door", "--exit"].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()),
      );
      const at = async (places) => {
        const { facts } = await state(page);
        return pixels(page, places.map(([x, y]) => [facts.x + x * facts.zoom, facts.y - y * facts.zoom]));
      };
      const open = await rows(server.address, "frames/door_open", "u8", "first=0&count=41");
      check(open.join() === Array.from({ length: 41 }, (_, k) => (k * 0.1 > 2 ? 1 : 0)).join(), `the door is open: ${open.join()}`);
      for (const [time, closed] of [[1, true], [3, false]]) {
        await page.evaluate((t) => window.percuss.show(t), time);
        const [door, post, wall, exit, floor, outside] = await at([[4, 1.5], [4, 1.05], [4, 0.5], [8, 1.5], [2, 2], [6, 5]]);
        check(apart(door, hex(paint[0])) < 8 === closed, `at ${time} s the door has the colour ${door}`);
        check(apart(post, hex(paint[0])) < 8, `at ${time} s the frame of the door has the colour ${post}`);
        check(apart(wall, hex(paint[0])) > 30, "the wall is drawn as a door");
        check(apart(exit, hex(paint[1])) < 8, `the exit has the colour ${exit}`);
        check(apart(floor, outside) > 2, `what is outside of the L has the colour of its floor, ${outside}`);
      }
      check(complaints.length === 0, `console: ${complaints.join("; ")}`);
      await server.stop();
      await close();
    },

    async crowdmaps(browser) {
      writeFileSync(path("maps.yaml"), ROOM.replace(/ +obstacles:.*\n/, "").replace(", maps: false", ""));
      await run(percuss, ["run", path("maps.yaml"), "-o", path("maps.h5"), "--quiet"]);
      const table = readTable(path("maps-maps.csv"));
      const server = await serve(percuss, path("maps.h5"));
      const { page, complaints, close } = await openPage(browser, server.address);
      await page.evaluate(() => window.percuss.set({ map: "density", when: "run", people: false, labels: false, legend: false }));
      const { facts } = await state(page);
      const seen = await pixels(page, table.map((r) => [facts.x + (Number(r.x) + 0.05) * facts.zoom, facts.y - (Number(r.y) + 0.05) * facts.zoom]));
      let compared = 0;
      table.forEach((r, k) => {
        const around = Number(r.largest_around);
        const edge = [0, 0.3, 0.4, 0.7, 1.1, 2].some((limit) => Math.abs(around - limit) < 1e-5);
        const area = 0.5 <= r.x && r.x <= 2 && 4.5 <= r.y && r.y <= 5.5; // has a tint of its own
        const inside = 0 < r.x && r.x < 7.8 && 0 < r.y && r.y < 6;
        if (edge || area || !inside) return;
        const wanted = FRUIN["ABCDEF".indexOf(r.largest_level)];
        check(apart(seen[k], hex(wanted)) < 4, `${r.x}, ${r.y}: ${seen[k]}, level ${r.largest_level} of ${around} has ${hex(wanted)}`);
        compared++;
      });
      check(compared > 100, `only ${compared} cells compared`);
      check(complaints.length === 0, `console: ${complaints.join("; ")}`);
      await close();
      await server.stop();
    },

    async crowdphone(browser) {
      const server = await serve(percuss, await sample());
      const { page, complaints, close } = await openPage(browser, server.address, { width: 390, height: 844 });
      const box = await page.evaluate(() => {
        const outside = [...document.querySelectorAll(".floors button, .timebar button:not([hidden]), .top button")].filter((b) => {
          const r = b.getBoundingClientRect();
          return r.width > 0 && (r.left < 0 || r.right > innerWidth + 1);
        });
        return { wide: document.documentElement.scrollWidth - innerWidth, outside: outside.length };
      });
      check(box.wide <= 0 && box.outside === 0, `a phone: ${JSON.stringify(box)}`);
      check((await look(page)).colors > 20 && (await state(page)).facts.people === 6, "a phone: the picture");
      check(complaints.length === 0, `console: ${complaints.join("; ")}`);
      await close();
      await server.stop();
    },

    // A crowd that is being made is followed.
    async crowdlive(browser) {
      writeFileSync(path("crowdlive.yaml"), LONG);
      const server = await serve(percuss, path("crowdlive.yaml"), ["-o", path("crowdlive.h5")], folder);
      const { page, complaints, close } = await openPage(browser, server.address);
      check((await state(page)).running, "it does not say that it runs");
      const first = (await state(page)).frames;
      await until("more frames", async () => (await state(page)).frames > first + 20);
      await page.keyboard.press("l");
      const { frame } = await state(page);
      await until("the newest frame", async () => (await state(page)).frame > frame + 5);
      const out = () => page.evaluate(() => window.percuss.charts().map((c) => c.values[0].value));
      await page.evaluate(async () => {
        const s = window.percuss.state();
        await window.percuss.show(s.last - 1);
      });
      const [inside, left] = await until("values", async () => {
        const v = await out();
        return v.every((n) => n !== null) && v;
      });
      check(inside + left === 18, `inside ${inside}, out ${left}`);
      const { facts } = await state(page);
      check(facts.people === inside, `${facts.people} people drawn, ${inside} inside`);
      check(complaints.length === 0, `console: ${complaints.join("; ")}`);
      await server.stop();
      await close();
    },

    // Stills, and a film where ffmpeg is.
    async crowdrender() {
      const file = await sample();
      const still = async (name, ...options) => {
        await run(percuss, ["render", file, "-o", path(name), "--size", "640x360", ...options]);
        return readFileSync(path(name)).toString("base64");
      };
      const a = await still("a.png", "--time", "0.5", "--color", "percussion");
      check(a === (await still("b.png", "--time", "0.5", "--color", "percussion")), "the same still twice differs");
      check(a !== (await still("c.png", "--time", "1.6", "--color", "percussion")), "another time looks the same");
      check(a !== (await still("d.png", "--time", "0.5", "--set", "map=density,floor=upper")), "a map looks the same");
      // A picture of anybody's is replaced, and nothing that is no picture.
      writeFileSync(path("b.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]));
      check(a === (await still("b.png", "--time", "0.5", "--color", "percussion")), "another program's picture was not replaced");
      writeFileSync(path("notes.png"), "notes");
      check(await still("notes.png").then(() => false, () => true), "a text was replaced by a picture");
      check(readFileSync(path("notes.png"), "utf8") === "notes", "a text is gone");
      if (!(process.env.PATH ?? "").split(":").some((f) => existsSync(join(f, "ffmpeg")))) return;
      writeFileSync(path("film.mp4"), Buffer.from("\0\0\0\x18ftypisom of another program", "latin1"));
      await run(percuss, ["render", file, "--film", path("film.mp4"), "--size", "320x180", "--fps", "10"]);
      check(readFileSync(path("film.mp4")).length > 2000, "the film is empty");
    },

    async crowdnowebgl() {
      const browser = await openBrowser(["--disable-software-rasterizer", "--disable-3d-apis"]);
      const server = await serve(percuss, await sample());
      const { page, complaints, close } = await openPage(browser, server.address);
      check((await state(page)).view === "crowd" && (await look(page)).colors > 20, "without WebGL there is no picture");
      check(complaints.length === 0, `console: ${complaints.join("; ")}`);
      await close();
      await server.stop();
      await browser.close();
    },
  };
}

// The colour of the floor where a map has nothing; names and people are taken away from now on.
async function mapPaper(page, drawn) {
  await drawn({ people: false, labels: false, floor: "ground", map: "off" });
  const { facts } = await state(page);
  return (await pixels(page, [[facts.x + 1.3 * facts.zoom, facts.y - 0.3 * facts.zoom]]))[0];
}
