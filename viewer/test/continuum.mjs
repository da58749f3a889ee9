// Continua in the viewer. What is shown is compared with the polynomials of tests/view/sample_continuum.c.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, downloaded, look, near, openBrowser, openPage, openTab, pixels, run, serve, state, until } from "./support.mjs";

const BALANCE = ["#1f3f94", "#4f83c4", "#a9cbe6", "#f1efea", "#f5bf9c", "#dd6a4a", "#9c1935"];
const RAMP = ["#3a4fa8", "#3778bd", "#35a0bb", "#4fbf9a", "#93d370", "#e3dc5f", "#fff4ae"];
const OBSTACLE = "#b7bfc9";
const EDGE = "#1d2733"; // of the light page
const FORCE = "#c0392b";
const ACCENT = "#1f6feb";
const WALL = "#3b4654";
const hex = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
const apart = (a, b) => Math.max(...a.map((v, i) => Math.abs(v - b[i])));
const shade = (colors, part) => {
  const ramp = colors.map(hex);
  const at = Math.max(0, Math.min(1, part)) * (ramp.length - 1);
  const k = Math.min(ramp.length - 2, Math.floor(at));
  return ramp[k].map((a, j) => a + (at - k) * (ramp[k + 1][j] - a));
};

// --- the sample ---------------------------------------------------------------------------------

const grid = (x0, x1, columns, y0, y1, rows, keep = () => true) =>
  Array.from({ length: rows + 1 }, (_, j) =>
    Array.from({ length: columns + 1 }, (__, i) => [x0 + ((x1 - x0) * i) / columns, y0 + ((y1 - y0) * j) / rows, keep(i, j)]),
  )
    .flat()
    .filter(([, , kept]) => kept);
const of = (medium, places) => places.map(([x, y]) => ({ medium, x, y }));
// In the order of the file.
const NODES = [
  ...of("water", grid(0, 2, 8, 0, 1, 4)),
  ...of("wall", grid(2, 3, 4, 0, 1, 4)),
  ...of("plate", grid(0, 1, 4, 1.5, 2, 2, (i, j) => i % 2 === 0 || j % 2 === 0)),
  ...of("sand", grid(2, 3, 1, 1.5, 2, 1)),
  ...of("sand", [[3.25, 1.5]]),
];
const LINE = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1.5, 2];

// Fields of frame k at a place of a medium.
const velocity = ({ medium, x, y }, k) =>
  medium === "sand" ? [(k + 1) * (0.5 + 0.2 * x), -0.3 * (k + 1) * y] : [(k + 1) * (0.5 + x * y - 0.25 * y * y), (k + 1) * (-1 + 0.3 * x * x)];
const pressure = ({ medium, x, y }, k) => (medium === "water" ? 1000 * k * (1 + x - 2 * y) : 0);
const bent = (x, y) => 8 * (x - 0.25) ** 2 + 8 * (y - 1.75) ** 2 - 1;
const stress = ({ medium, x, y }, k) =>
  medium === "sand" ? [500 * k * (x - y), 0, 0] : [500 * k * (x - y), 300 * k * (medium === "plate" ? bent(x, y) : x * y), 200 * k * (1 - x * x)];
const push = ({ x, y }, k) => [k * (100 + 50 * x + 25 * y), k * (-60 + 10 * x * y)];
const slip = ({ x, y }, k) => [(1 - k) * (0.2 + 0.1 * x), 0.3 * x - 0.2 * y + 0.1 * k];
const norm = ([a, b, c]) => Math.sqrt(a * a + b * b + 2 * c * c);
const moved = ({ x, y }, k) => [1e-5 * k * x * y, -2e-5 * k * x];
// Linear between nodes, not within elements.
const kink = ({ medium, x, y }) => (medium === "water" ? Math.abs(x - 0.25) : medium === "wall" ? Math.abs(x - 2.25) : x + y);
const temperature = (p, k) => (p.medium === "sand" ? NaN : 280 + 10 * (k + 1) * kink(p));
const austenite = (p, k) => (p.medium === "wall" ? 0.5 * k * kink(p) : 0);
const martensite = (p, k) => (p.medium === "wall" ? 0.5 - 0.1 * k * p.y - austenite(p, k) / 2 : liquid(p, k));
const liquid = (p, k) => (p.medium === "water" ? 1 - 0.4 * k * kink(p) : p.medium === "wall" ? martensite(p, k) : 0);
// Media that have a field, if not all.
const ONLY = { pressure: ["water"], temperature: ["water", "wall", "plate"], liquid: ["water"], martensite1: ["wall"], martensite2: ["wall"], austenite: ["wall"] };
const FIELDS = {
  speed: (p, k) => Math.hypot(...velocity(p, k)),
  vx: (p, k) => velocity(p, k)[0],
  vy: (p, k) => velocity(p, k)[1],
  pressure,
  sxx: (p, k) => stress(p, k)[0],
  syy: (p, k) => stress(p, k)[1],
  sxy: (p, k) => stress(p, k)[2],
  stress: (p, k) => norm(stress(p, k)),
  temperature,
  liquid,
  martensite1: martensite,
  martensite2: (p, k) => (p.medium === "wall" ? 1 - martensite(p, k) - austenite(p, k) : 0),
  austenite,
};
const SIGNED = (id) => ["vx", "vy", "pressure", "sxx", "syy", "sxy"].includes(id);

// Within elements, off nodes and sides; one of every type.
const PLACES = [
  { medium: "water", x: 0.13, y: 0.4 },
  { medium: "water", x: 1.62, y: 0.81 },
  { medium: "water", x: 1.1, y: 0.08 },
  { medium: "wall", x: 2.35, y: 0.1 },
  { medium: "wall", x: 2.6, y: 0.86 },
  { medium: "plate", x: 0.31, y: 1.83 },
  { medium: "plate", x: 0.88, y: 1.61 },
  { medium: "sand", x: 2.3, y: 1.7 },
  { medium: "sand", x: 3.1, y: 1.6 },
];

const PLAIN = { arrows: false, forces: false, lines: false, mesh: false };

// Every field has the colours of its formula, in elements of every type.
async function checkFields(page, frame, frames) {
  const seen = new Set();
  for (const [id, f] of Object.entries(FIELDS)) {
    await page.evaluate((v) => window.percuss.set(v), { ...PLAIN, color: id });
    const { facts } = await state(page);
    // 99.5 % of what is not 0 is within the scale.
    const sizes = frames.flatMap((k) => NODES.map((n) => Math.abs(f(n, k)))).filter((v) => v > 0).sort((a, b) => a - b);
    const most = sizes[Math.floor(0.995 * (sizes.length - 1))];
    const low = id === "temperature" ? sizes[0] : 0;
    const got = await pixels(page, PLACES.map(({ x, y }) => [facts.x + facts.zoom * x, facts.y - facts.zoom * y]));
    got.forEach((c, i) => {
      const place = PLACES[i];
      const part = (f(place, frame) - low) / (most - low);
      const wanted = ONLY[id] && !ONLY[id].includes(place.medium) ? hex(OBSTACLE) : SIGNED(id) ? shade(BALANCE, 0.5 + part / 2) : shade(RAMP, part);
      check(apart(c, wanted) < 10, `${id} at ${place.x}, ${place.y}: ${c}, wanted ${wanted.map(Math.round)}`);
    });
    const legend = await page.locator(".legend .ends").textContent();
    check(legend.includes(String(Number(most.toPrecision(3)))), `${id}: the legend says ${legend}, wanted ${most}`);
    seen.add((await look(page)).sum);
  }
  check(seen.size === Object.keys(FIELDS).length, "fields look alike");
}

// What lies over the field comes and goes, where it should.
async function checkOverlays(page, k) {
  const set = (v) => page.evaluate((o) => window.percuss.set(o), { ...PLAIN, color: "pressure", ...v });
  await set({});
  const { facts } = await state(page);
  const at = ([x, y]) => [facts.x + facts.zoom * x, facts.y - facts.zoom * y];
  // Arrows: one of them lies along the velocity there.
  await set({ arrows: true });
  const { arrows, arrowScale, arrowX, arrowY } = (await state(page)).facts;
  check(arrows > 100, `${arrows} arrows`);
  const [x, y] = [(arrowX - facts.x) / facts.zoom, (facts.y - arrowY) / facts.zoom];
  check(x > 0 && x < 2 && y > 0 && y < 1, `the arrow is at ${x}, ${y}`);
  const [u, v] = velocity({ medium: "water", x, y }, k).map((c) => c * arrowScale);
  const long = Math.hypot(u, v);
  // On it, and beside it by a third of its length.
  const along = [-0.35, 0, 0.25].flatMap((s) => [0, 0.33, -0.33].map((t) => [arrowX + s * u + t * v, arrowY - s * v + t * u]));
  const drawn = await pixels(page, along);
  await set({});
  const bare = await pixels(page, along);
  check(long > 6, `an arrow of ${long} pixels`);
  drawn.forEach((c, i) => {
    if (i % 3 === 0) check(apart(c, bare[i]) > 60, `on the arrow: ${c}, without it ${bare[i]}`);
    else check(i > 6 || apart(c, bare[i]) < 30, `beside the arrow: ${c}, without it ${bare[i]}`);
  });
  await set({ arrows: true, arrow_scale: 0.5 });
  near((await state(page)).facts.arrowScale, arrowScale / 2, "shorter arrows");
  // Lines of equal pressure: p = 1000 k (1 + x - 2 y) is a multiple of the step on them.
  await set({ lines: true, arrow_scale: 1 });
  const lined = (await state(page)).facts;
  check(lined.lines > 20 && lined.step > 0, `${lined.lines} pieces of lines, every ${lined.step}`);
  const levels = [-1, 0, 1, 2].map((n) => n * lined.step);
  const xOf = (p, y) => p / (1000 * k) - 1 + 2 * y;
  const spots = levels.map((p) => (xOf(p, 0.6) > 0.1 ? [xOf(p, 0.6), 0.6] : [xOf(p, 0.9), 0.9]));
  // The darkest of three pixels: a line is thinner than one.
  const around = (places) => places.flatMap((p) => [-1, 0, 1].map((d) => [at(p)[0] + d, at(p)[1]]));
  const on = await pixels(page, around(spots));
  const off = await pixels(page, around(spots.map(([x, y]) => [x + (0.5 * lined.step) / (1000 * k), y])));
  levels.forEach((p, i) => {
    const dark = (all) => Math.min(...all.slice(3 * i, 3 * i + 3).map((c) => c[0] + c[1] + c[2]));
    check(dark(on) < 350 && dark(off) > dark(on) + 120, `line of ${p} Pa s: ${dark(on)} on it, ${dark(off)} beside it`);
  });
  // An edge inside, the outline between two media.
  const edge = [at([0.5, 0.13]), at([2.25, 0.25])]; // the second on the diagonal of two triangles
  await set({ mesh: true });
  const meshed = await pixels(page, edge);
  await set({});
  const smooth = await pixels(page, edge);
  meshed.forEach((c, i) => check(apart(c, smooth[i]) > 25, `edge ${i}: ${c} as without it`));
  // Percussions: outwards from the floor and the side, at nodes.
  await set({ forces: true });
  const { comb } = (await state(page)).facts;
  const tips = [[0.5, 0, 0, -1], [2.75, 0, 0, -1], [2, 0.5, 1, 0]].map(([x, y, nx, ny]) => {
    const [n, t] = push({ x, y }, k).map((r) => r * comb);
    return [at([x, y])[0] + 0.6 * (n * nx - t * ny), at([x, y])[1] - 0.6 * (n * ny + t * nx)];
  });
  (await pixels(page, tips)).forEach((c, i) => check(apart(c, hex(FORCE)) < 70, `percussion ${i}: ${c}`));
  // The body: its side on the water.
  const [side] = await pixels(page, [at([0.8, 1.0])]);
  check(apart(side, hex(EDGE)) < 60 || apart(side, hex(WALL)) < 60, `the side of the body: ${side}`);
}

// A click on a node or a body gives the numbers of the formula.
async function checkSelection(page, k) {
  await openTab(page, "selection");
  await page.evaluate((v) => window.percuss.set(v), { ...PLAIN, color: "speed" });
  const view = await page.locator(".view").boundingBox();
  const { facts } = await state(page);
  const click = async (x, y) => page.mouse.click(view.x + facts.x + facts.zoom * x + 3, view.y + facts.y - facts.zoom * y - 2);
  const index = NODES.findIndex((n) => n.medium === "water" && n.x === 1.25 && n.y === 0);
  const node = NODES[index];
  await click(node.x, node.y);
  await until("the numbers of a node", async () => (await page.locator(".details .numbers").getAttribute("data-frame")) === String(k) && (await state(page)).selected === index);
  const cells = async () =>
    page.locator(".details .numbers").evaluate((t) => Object.fromEntries([...t.querySelectorAll("tr")].map((r) => [r.dataset.row, r.cells[1].textContent])));
  const rows = await until("a row of the contact", async () => {
    const all = await cells();
    return "floor: w_T" in all && all;
  });
  check((await page.locator(".details h2").textContent()) === `node ${index + 1}` && rows.medium === "water", `node ${index + 1} of ${rows.medium}`);
  near(rows["position in x"], node.x, "x");
  near(rows["velocity in x"], velocity(node, k)[0], "vx");
  near(rows["velocity in y"], velocity(node, k)[1], "vy");
  near(rows.speed, Math.hypot(...velocity(node, k)), "speed");
  near(rows.pressure, pressure(node, k), "pressure");
  ["xx", "yy", "xy"].forEach((c, i) => near(rows[`stress ${c}`], stress(node, k)[i], `stress ${c}`));
  near(rows["stress norm"], norm(stress(node, k)), "stress norm");
  near(rows.temperature, temperature(node, k), "temperature");
  near(rows.liquid, liquid(node, k), "liquid");
  ["R_N", "R_T"].forEach((r, i) => near(rows[`floor: ${r}`], push(node, k)[i], r));
  ["w_N", "w_T"].forEach((w, i) => near(rows[`floor: ${w}`], slip(node, k)[i], w));
  check(rows.time.includes("after"), `time: ${rows.time}`);
  await click(1 + 0.01 * k, 1.25);
  await until("the body", async () => (await page.locator(".details h2").textContent()) === "diver" && (await cells()).spin !== undefined);
  const body = await cells();
  near(body["velocity in y"], -4 + k, "vy of the body");
  near(body.spin, 0.5 * k, "its spin");
  near(body.angle, 0.1 * k, "its angle");
  await click(1.5, 1.75);
  check((await state(page)).selected === -1, "a click on nothing selects something");
}

// The table of a profile: along the surface, whatever order the file has.
async function checkProfiles(page, k) {
  await openTab(page, "curves");
  const ids = async () => (await page.evaluate(() => window.percuss.charts())).map((c) => c.id).join();
  check((await ids()) === "side-percussion,side-slip,side-temperature", `the charts are ${await ids()}`);
  const table = async (chart) => {
    const [head, ...lines] = (await downloaded(page, chart, "CSV")).toString().trim().split("\n");
    return { head, rows: lines.map((l) => l.split(",").map(Number)) };
  };
  const side = await table(0);
  check(side.head === "arc length [m],x [m],y [m],normal [Pa s],tangential [Pa s]", side.head);
  check(side.rows.length === 5, `${side.rows.length} rows`);
  side.rows.forEach(([arc, x, y, n, t], i) => {
    const place = { x: 2, y: 0.25 * i };
    [[arc, place.y], [x, 2], [y, place.y], [n, push(place, k)[0]], [t, push(place, k)[1]]].forEach(([a, b]) => near(a, b, `side, row ${i}`, 9));
  });
  // Two pieces: of the water, then of the wall, whose first node is at the same place.
  const third = page.locator(".chart select").nth(2);
  const heated = await table(2);
  check(heated.head === "arc length [m],x [m],y [m],T [K]" && heated.rows.length === 5, heated.head);
  heated.rows.forEach(([, x, y, t], i) => near(t, temperature({ medium: "water", x, y }, k), `temperature, row ${i}`, 9));
  await third.selectOption("floor-percussion");
  await until("the profile of the floor", async () => (await ids()).endsWith("floor-percussion"));
  const floor = await table(2);
  const wanted = [...Array.from({ length: 9 }, (_, i) => 0.25 * i), ...Array.from({ length: 5 }, (_, i) => 2 + 0.25 * i)];
  check(floor.rows.length === 14, `${floor.rows.length} rows of the floor`);
  floor.rows.forEach(([arc, x, y, n], i) => {
    near(arc, wanted[i], "arc length of the floor", 9);
    near(x, wanted[i], "x of the floor", 9);
    near(n, push({ x: wanted[i], y }, k)[0], "percussion of the floor", 9);
  });
  // Another one in its place, one over time, and back; then another frame.
  const chooser = page.locator(".chart select").first();
  await chooser.selectOption("energy");
  await until("a chart over time", async () => (await ids()).startsWith("energy,"));
  check(/^time \[s\]/.test((await table(0)).head), "a chart over time has no times");
  await chooser.selectOption("diver-slip");
  await until("a profile again", async () => (await ids()).startsWith("diver-slip,"));
  const diver = await table(0);
  check(diver.rows.length === 5 && diver.head.endsWith("w_N [m/s],w_T [m/s]"), `${diver.rows.length} rows, ${diver.head}`);
  diver.rows.forEach(([arc, x, y, n, t], i) => {
    const place = { x: 0.5 + 0.25 * i, y: 1 };
    [[arc, 0.25 * i], [x, place.x], [y, 1], [n, slip(place, k)[0]], [t, slip(place, k)[1]]].forEach(([a, b]) => near(a, b, `diver, row ${i}`, 9));
  });
  const svg = (await downloaded(page, 0, "SVG")).toString();
  check(svg.includes("arc length, m") && svg.includes("diver: relative velocity") && svg.includes("w_T, m/s"), "the drawing has no names");
  check((await downloaded(page, 2, "PNG")).length > 5000, "the picture of a profile");
  await page.keyboard.press("Home");
  const before = await until("the profile of the frame before", async () => {
    const all = await page.evaluate(() => window.percuss.charts());
    return all.every((c) => c.values.every((v) => v.value !== null)) && all;
  });
  near(before[0].values[0].value, 0.2 + 0.1 * 1.5, "largest w_N before");
  check(before[2].values[0].value === 0, "a percussion before the collision");
  await page.keyboard.press("End");
}

// Both frames of one time can be reached, and are told apart.
async function checkMoments(page) {
  const text = () => page.locator(".timebar .time").textContent();
  check((await state(page)).frame === 1 && /after/.test(await text()), `it opens with ${await text()}`);
  const after = (await look(page)).sum;
  await page.locator(".scrub").fill("0");
  await until("the frame before", async () => (await state(page)).frame === 0 && (await look(page)).sum !== after);
  check(/before/.test(await text()), `before: ${await text()}`);
  await until("it is kept", () => page.evaluate(() => location.hash.includes("before")));
  await page.reload();
  await page.evaluate(() => window.percuss.ready);
  check((await state(page)).frame === 0, "the frame before does not outlive a reload");
  await page.keyboard.press("ArrowRight");
  await until("the frame after", async () => (await state(page)).frame === 1 && (await look(page)).sum === after);
}

export function continuumTests({ percuss, sampleContinuum, folder }) {
  const path = (name) => join(folder, name);
  const file = async (kind) => {
    await run(sampleContinuum, [path(`${kind}.h5`), kind]);
    return path(`${kind}.h5`);
  };
  const open = async (browser, kind, size) => {
    const server = await serve(percuss, await file(kind));
    const { page, complaints, close } = await openPage(browser, server.address, size);
    check((await state(page)).view === "continuum", "a continuum opens in its own view");
    check((await look(page)).colors > 20, "the picture is blank");
    const end = async () => {
      check(complaints.length === 0, `console: ${complaints.join("; ")}`);
      await close();
      await server.stop();
    };
    return { page, end };
  };

  return {
    async continuum(browser) {
      const { page, end } = await open(browser, "collision");
      await checkMoments(page);
      await checkFields(page, 1, [0, 1]);
      await checkOverlays(page, 1);
      await checkSelection(page, 1);
      await checkProfiles(page, 1);
      await end();
    },

    // It goes on after the collision, and is deformed.
    async continuummotion(browser) {
      const { page, end } = await open(browser, "motion");
      check((await state(page)).frame === 0, "a run with time does not open at its start");
      await page.evaluate(() => window.percuss.show(0));
      check((await state(page)).frame === 1, "time 0 is not the frame after the collision");
      await page.keyboard.press("ArrowLeft");
      check((await state(page)).frame === 0, "the frame before is not reached");
      await page.evaluate(() => window.percuss.show(0.4));
      await page.evaluate((v) => window.percuss.set(v), { ...PLAIN, color: "displacement" });
      const { facts, frame } = await state(page);
      check(frame === 5 && facts.magnify > 100, `frame ${frame}, displacements × ${facts.magnify}`);
      // Where the material is now; the lower right corner has left its place.
      const at = (p) => {
        const [u, v] = moved(p, 5);
        return [facts.x + facts.zoom * (p.x + facts.magnify * u), facts.y - facts.zoom * (p.y + facts.magnify * v)];
      };
      const sizes = [0, 1, 2, 3, 4, 5].flatMap((k) => NODES.map((n) => Math.hypot(...moved(n, k)))).filter((v) => v > 0).sort((a, b) => a - b);
      const most = sizes[Math.floor(0.995 * (sizes.length - 1))];
      const seen = await pixels(page, PLACES.slice(0, 7).map(at));
      seen.forEach((c, i) => {
        const wanted = shade(RAMP, Math.hypot(...moved(PLACES[i], 5)) / most);
        check(apart(c, wanted) < 10, `displacement at ${PLACES[i].x}, ${PLACES[i].y}: ${c}, wanted ${wanted.map(Math.round)}`);
      });
      await page.evaluate(() => window.percuss.set({ magnify: 0 }));
      check((await state(page)).facts.magnify === 1, "displacements as they are");
      const index = NODES.findIndex((n) => n.medium === "wall" && n.x === 3 && n.y === 1);
      await openTab(page, "selection");
      await page.evaluate((i) => window.percuss.select(i), index);
      for (const id of ["vx", "uy", "pressure", "syy", "spin", "temperature", "liquid", "austenite"]) {
        await page.locator(".details [aria-label='history of']").selectOption(id);
        await until("a history", async () => (await page.locator(".history canvas").count()) === 1);
      }
      await openTab(page, "curves");
      const charts = await until("the energy", async () => {
        const all = await page.evaluate(() => window.percuss.charts());
        return all[0].values.every((v) => v.value !== null) && all;
      });
      check(charts[0].id === "energy", `the first chart is ${charts[0].id}`);
      near(charts[0].values[0].value, 100 - 10 * 9, "energy at the end");
      check(charts[1].id === "impulses-of-floor", `the second chart is ${charts[1].id}`);
      const [head, ...lines] = (await downloaded(page, 1, "CSV")).toString().trim().split("\n");
      check(head === "time [s],normal [N s/m],tangential [N s/m]" && lines.length === 9, `${head}, ${lines.length} lines`);
      lines[6].split(",").forEach((v, i) => near(v, [0.3, 350, -35][i], "percussions of the floor in step 7"));
      await page.keyboard.press("Home");
      await page.keyboard.press("Space");
      await until("it has played", async () => (await state(page)).frame === 5 && !(await state(page)).playing);
      await end();
    },

    // On a line: the field is a curve.
    async continuumline(browser) {
      const { page, end } = await open(browser, "line");
      await page.evaluate(() => window.percuss.show(0.2));
      await page.evaluate(() => window.percuss.set({ magnify: 0 }));
      const { facts, frame } = await state(page);
      check(frame === 3, `frame ${frame}`);
      const v = (x) => (frame + 1) * (x <= 1 ? 1 - x * x : 1 - x);
      // Between nodes: the curve is quadratic to 1, straight beyond.
      const xs = [0.06, 0.44, 0.8, 1.2, 1.8];
      const seen = await pixels(page, xs.map((x) => [facts.x + facts.zoom * x, facts.zero + v(x) * (facts.one - facts.zero)]));
      seen.forEach((c, i) => check(apart(c, hex(ACCENT)) < 90, `the curve at ${xs[i]}: ${c}`));
      const bar = await pixels(page, xs.map((x) => [facts.x + facts.zoom * x, facts.bar]));
      bar.forEach((c, i) => {
        const wanted = shade(BALANCE, 0.5 + v(xs[i]) / 8);
        check(apart(c, wanted) < 12, `the bar at ${xs[i]}: ${c}, wanted ${wanted.map(Math.round)}`);
      });
      const place = await page.evaluate(([x, y]) => window.percuss.pick(x, y), [facts.x + facts.zoom * 1.5, facts.one]);
      check(place === LINE.indexOf(1.5), `the node at 1.5 m is ${place}`);
      await page.evaluate((i) => window.percuss.select(i), LINE.indexOf(0));
      await openTab(page, "selection");
      const cell = (row) => page.locator(`.details [data-row="${row}"] td`).first().textContent();
      await until("the contact of the foot", async () => (await page.locator('.details [data-row="foot: w_T"]').count()) === 1);
      near(await cell("velocity"), v(0), "velocity of the foot");
      near(await cell("foot: R_N"), 300, "percussion of the foot");
      await end();
    },

    async continuumphone(browser) {
      const { page, end } = await open(browser, "collision", { width: 390, height: 844 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 0, `a phone: ${wide} pixels too wide`);
      const { facts } = await state(page);
      const view = await page.locator(".view").boundingBox();
      check(facts.x > 0 && facts.x + 3.25 * facts.zoom < view.width && facts.y < view.height, `a phone: ${JSON.stringify(facts)}`);
      await checkFields(page, 1, [0, 1]);
      await until("a profile", async () => page.locator(".chart canvas").first().isVisible());
      await end();
    },

    async continuumrender() {
      const motion = await file("motion");
      const still = async (name, ...options) => {
        await run(percuss, ["render", motion, "-o", path(name), "--size", "640x360", ...options]);
        return readFileSync(path(name)).toString("base64");
      };
      const a = await still("a.png", "--time", "0.2");
      check(a !== (await still("b.png", "--time", "0.4")), "another time looks the same");
      const [before, after] = [await still("d.png", "--time", "0", "--set", "moment=before"), await still("e.png", "--time", "0")];
      check(before !== after, "before and after a collision look the same");
      check(a !== (await still("c.png", "--time", "0.2", "--color", "stress", "--set", "lines=true,mesh=true,arrows=false")), "another field looks the same");
    },

    async continuumnowebgl() {
      const browser = await openBrowser(["--disable-software-rasterizer", "--disable-3d-apis"]);
      const { page, end } = await open(browser, "collision");
      await checkFields(page, 1, [0, 1]);
      await end();
      await browser.close();
    },
  };
}
