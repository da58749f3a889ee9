// Chains in the viewer. What is drawn is compared with the formula of tests/view/sample_chain.c.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check, downloaded, look, near, openBrowser, openPage, openTab, pixels, run, serve, state, until } from "./support.mjs";

const BALANCE = ["#1f3f94", "#4f83c4", "#a9cbe6", "#f1efea", "#f5bf9c", "#dd6a4a", "#9c1935"];
const HEAT = ["#fff3c4", "#fdd276", "#f99d45", "#e8562f", "#b81d3c", "#6d0b46"];
const RAMP = ["#3a4fa8", "#3778bd", "#35a0bb", "#4fbf9a", "#93d370", "#e3dc5f", "#fff4ae"];
const NOW = "#ff3b6b"; // of the light page
const ACCENT = "#1f6feb";
const INK = "#24292f";
const hex = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
const apart = (a, b) => Math.max(...a.map((v, i) => Math.abs(v - b[i])));
const shade = (colors, part) => {
  const ramp = colors.map(hex);
  const at = Math.max(0, Math.min(1, part)) * (ramp.length - 1);
  const k = Math.min(ramp.length - 2, Math.floor(at));
  return ramp[k].map((a, j) => a + (at - k) * (ramp[k + 1][j] - a));
};

// The sample with so many balls, and its state at a time.
function sample(balls) {
  const walls = balls > 3 ? 1 : 0;
  const contacts = balls - 1 + 2 * walls;
  const speed = 0.8;
  const every = walls ? 2e-6 : 1e-6;
  const lag = walls ? 2e-6 : 25e-6;
  const rises = walls ? 10e-6 : 60e-6;
  const frames = walls ? balls + 51 : 101;
  const mass = Array.from({ length: balls }, (_, i) => [4e-3, 2e-3, 6e-3][i % 3]);
  const radius = mass.map((_, i) => 0.005 + 0.001 * (i % 3));
  const gap = Array.from({ length: contacts }, (_, j) => (j === 1 + walls ? 2e-6 : 0));
  const start = [0];
  for (let i = 1; i < balls; i++) start.push(start[i - 1] + radius[i - 1] + radius[i] + gap[i - 1 + walls]);
  const rise = (x) => (x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x));
  const slope = (x) => (x <= 0 || x >= 1 ? 0 : 6 * x * (1 - x));
  const area = (x) => (x <= 0 ? 0 : x >= 1 ? x - 0.5 : x * x * x * (1 - x / 2));
  const at = (t) => {
    const velocity = mass.map((_, i) => (i === 0 ? speed : 0));
    const moved = mass.map((_, i) => (i === 0 ? speed * t : 0));
    const force = Array(contacts).fill(0);
    const percussion = Array(contacts).fill(0);
    for (let k = 0; k < contacts - walls; k++) {
      const p = mass[0] * speed * (walls ? 0.95 * 0.998 ** k : 1.1 - 0.1 * k);
      const x = (t - k * lag) / rises;
      percussion[k + walls] = p * rise(x);
      force[k + walls] = (p / rises) * slope(x);
      velocity[k] -= (p * rise(x)) / mass[k];
      moved[k] -= (p * rises * area(x)) / mass[k];
      if (k + 1 >= balls) continue;
      velocity[k + 1] += (p * rise(x)) / mass[k + 1];
      moved[k + 1] += (p * rises * area(x)) / mass[k + 1];
    }
    const compression = force.map((_, j) => (moved[j - walls] ?? 0) - (moved[j - walls + 1] ?? 0) - gap[j]);
    return { velocity, moved, force, percussion, compression };
  };
  const time = (k) => every * (balls === 2 ? (k / (frames - 1)) ** 2 * (frames - 1) : k);
  const all = Array.from({ length: frames }, (_, k) => at(time(k)));
  const largest = (name) => Math.max(...all.map((s) => Math.max(...s[name].map(Math.abs))));
  return { balls, walls, contacts, every, frames, mass, radius, start, gap, at, all, time, speed, largest };
}

// Energy ratio and dispersion of velocities, by their definitions.
function ratios({ mass, speed }, velocity) {
  const energy = velocity.map((v, i) => 0.5 * mass[i] * v * v);
  const sum = energy.reduce((a, b) => a + b);
  const mean = sum / mass.length;
  const off = energy.reduce((a, e) => a + (e - mean) ** 2, 0) / mass.length;
  return { kinetic: sum, KER: sum / (0.5 * mass[0] * speed ** 2), C_KE: Math.sqrt(off) / mean };
}

// The middle of each ball has its colour, and the balls end where they should.
async function checkBalls(page, s) {
  const most = s.largest("velocity");
  await page.evaluate(() => window.percuss.set({ color: "velocity" }));
  const pictures = new Set();
  for (const k of [0, 20, 45, 70, 100]) {
    await page.evaluate((t) => window.percuss.show(t), s.every * k);
    const { facts, frame } = await state(page);
    check(frame === k, `frame ${frame} at ${s.every * k} s`);
    const x = s.start.map((x0, i) => facts.x + facts.scale * (x0 + facts.magnify * s.all[k].moved[i]));
    const seen = await pixels(page, x.map((at) => [at, facts.y + 1]));
    seen.forEach((c, i) => {
      const wanted = shade(BALANCE, 0.5 + s.all[k].velocity[i] / most / 2);
      check(apart(c, wanted) < 8, `frame ${k}, ball ${i}: ${c}, wanted ${wanted.map(Math.round)}`);
    });
    // Just inside and outside of the first one's left and the last one's right side.
    const [first, last] = [s.radius[0] * facts.scale, s.radius[2] * facts.scale];
    const edges = await pixels(page, [[x[0] - first + 3, facts.y + 2], [x[0] - first - 2, facts.y + 2], [x[2] + last - 3, facts.y + 2], [x[2] + last + 2, facts.y + 2]]);
    check(apart(edges[1], edges[3]) < 3 && apart(edges[0], edges[1]) > 3 && apart(edges[2], edges[3]) > 3, `frame ${k}: the balls end elsewhere: ${edges.join(" | ")}`);
    pictures.add((await look(page)).sum);
  }
  check(pictures.size === 5, "frames look alike");
  // Displacements as they are: nobody sees them.
  await page.evaluate(() => window.percuss.set({ magnify: 0 }));
  const { facts } = await state(page);
  check(facts.magnify === 1, `magnified ${facts.magnify} times`);
  const [c] = await pixels(page, [[facts.x + facts.scale * s.start[2], facts.y + 1]]);
  check(apart(c, shade(BALANCE, 0.5 + s.all[100].velocity[2] / most / 2)) < 8, "a ball that is not magnified is elsewhere");
  for (const [color, of, ramp] of [["energy", (k, i) => (0.5 * s.mass[i] * s.all[k].velocity[i] ** 2), RAMP], ["mass", (_, i) => s.mass[i], RAMP]]) {
    await page.evaluate((v) => window.percuss.set({ color: v, magnify: 1 }), color);
    await page.evaluate((t) => window.percuss.show(t), s.every * 45);
    const every = s.all.flatMap((_, k) => s.mass.map((__, i) => of(k, i)));
    const [low, high] = [color === "mass" ? Math.min(...every) : 0, Math.max(...every)];
    const f = (await state(page)).facts;
    const got = await pixels(page, s.start.map((x0, i) => [f.x + f.scale * (x0 + 10 * s.all[45].moved[i]), f.y + 1]));
    got.forEach((g, i) => {
      const wanted = shade(ramp, (of(45, i) - low) / (high - low));
      check(apart(g, wanted) < 8, `${color} of ball ${i}: ${g}, wanted ${wanted.map(Math.round)}`);
    });
  }
  await page.evaluate(() => window.percuss.set({ color: "velocity" }));
}

// Bars of forces: as high as the force over the largest of the run.
async function checkForces(page, s) {
  await page.evaluate((t) => window.percuss.show(t), s.every * 40);
  const plain = (await look(page)).sum;
  await page.evaluate(() => window.percuss.set({ forces: false }));
  check((await look(page)).sum !== plain, "forces cannot be hidden");
  await page.evaluate(() => window.percuss.set({ forces: true }));
  check((await look(page)).sum === plain, "forces do not come back");
  const { facts } = await state(page);
  const { moved, force } = s.all[40];
  const side = (i, d) => s.start[i] + facts.magnify * moved[i] + d * s.radius[i];
  for (const c of [0, 1]) {
    const x = facts.x + (facts.scale * (side(c, 1) + side(c + 1, -1))) / 2;
    const high = (facts.barsHigh * force[c]) / s.largest("force");
    const [inside, above] = await pixels(page, [[x, facts.barsBase - high + 3], [x, facts.barsBase - high - 3]]);
    check(apart(inside, [192, 57, 43]) < 8 && apart(above, inside) > 40, `force of contact ${c}: ${inside} below, ${above} above its end`);
  }
}

// A cell of the map has the colour of its number.
async function checkMap(page, s, map, cells) {
  await page.evaluate((v) => window.percuss.set({ map: v }), map);
  const { facts } = await state(page);
  const most = s.largest(map);
  const span = s.every * s.frames;
  const from = map === "velocity" ? 0 : s.walls ? -0.5 : 0.5;
  const places = cells.map(([thing, k]) => [facts.mapX + facts.mapZoom * (thing + from + 0.5), facts.mapTop + (facts.mapHeight * s.every * (k + 0.5)) / span]);
  const seen = await pixels(page, places);
  cells.forEach(([thing, k], i) => {
    const v = s.all[k][map][thing];
    if (map === "force" && v <= 0.005 * most) return;
    const wanted = map === "velocity" ? shade(BALANCE, 0.5 + v / most / 2) : shade(HEAT, v / most);
    check(apart(seen[i], wanted) < 6, `${map} of ${thing} in frame ${k}: ${seen[i]}, wanted ${wanted.map(Math.round)}`);
  });
}

// The path has come to where the velocities are; the end is marked; the outer line keeps the energy.
async function checkPlane(page, s) {
  const plane = (v) => [(v[1] - v[0]) / s.speed, (v[2] - v[1]) / s.speed];
  for (const k of [10, 60]) {
    await page.evaluate((t) => window.percuss.show(t), s.every * k);
    const { facts } = await state(page);
    const at = ([x, y]) => [facts.planeX + facts.planeZoom * x, facts.planeY - facts.planeZoom * y];
    const [now] = await pixels(page, [at(plane(s.all[k].velocity))]);
    check(apart(now, hex(NOW)) < 8, `frame ${k}: the path ends elsewhere: ${now}`);
    const end = at(plane(s.all[100].velocity));
    near(facts.endX, end[0], "x of the outcome", 6);
    near(facts.endY, end[1], "y of the outcome", 6);
    const [ring] = await pixels(page, [[end[0] - 6, end[1]]]);
    check(apart(ring, hex(INK)) < 60, `the outcome has no ring: ${ring}`);
    // Velocities of a point by momentum; the energy there by its definition. Along a ray it grows from
    // the middle, so that the point with the energy of the start can be found by halving.
    const total = s.mass.reduce((a, b) => a + b);
    const ratio = ([x, y]) => {
      const first = (s.mass[0] - (s.mass[1] + s.mass[2]) * x - s.mass[2] * y) / total;
      return ratios(s, [first, first + x, first + x + y].map((v) => v * s.speed)).KER;
    };
    for (const angle of [0.9, 2, 3.6, 4.2]) {
      let [low, high] = [0, 4];
      for (let i = 0; i < 60; i++) {
        const r = (low + high) / 2;
        if (ratio([r * Math.cos(angle), r * Math.sin(angle)]) < 1) low = r;
        else high = r;
      }
      const [line] = await pixels(page, [at([low * Math.cos(angle), low * Math.sin(angle)])]);
      check(apart(line, hex(ACCENT)) < 110, `KER = 1 is not seen at ${angle} rad: ${line}`);
    }
  }
}

// A click gives a ball the numbers of the formula; on the map also its time.
async function checkSelection(page, s, ball, k, bar) {
  await page.evaluate((t) => window.percuss.show(t), 0);
  await page.evaluate(() => window.percuss.set({ map: "velocity" }));
  await openTab(page, "selection");
  const view = await page.locator(".view").boundingBox();
  const { facts } = await state(page);
  const y = facts.mapTop + (facts.mapHeight * (k + 0.5)) / s.frames;
  await page.mouse.click(view.x + facts.mapX + facts.mapZoom * (ball + 0.5), view.y + y);
  const now = await until("another time", async () => {
    const got = await state(page);
    return got.selected === ball && got.frame === k && got;
  });
  near(now.time, s.every * k, "the time of a click");
  await until("the numbers", async () => (await page.locator(".details .numbers").getAttribute("data-frame")) === String(k));
  check((await page.locator(".details h2").textContent()) === `ball ${ball + 1}`, "the name of the ball");
  const cell = async (row) => page.locator(`.details [data-row="${row}"] td`).first().textContent();
  const { velocity, moved, force, compression, percussion } = s.all[k];
  near(await cell("time"), s.every * k * 1e6, "time in µs");
  near(await cell("velocity"), velocity[ball], "velocity");
  near(await cell("energy"), 0.5 * s.mass[ball] * velocity[ball] ** 2, "energy");
  near(await cell("momentum"), s.mass[ball] * velocity[ball], "momentum");
  near(await cell("position"), s.start[ball] + moved[ball], "position", 9);
  near(await cell("mass"), s.mass[ball], "mass");
  for (const [side, c] of [["left", ball - 1 + s.walls], ["right", ball + s.walls]]) {
    near(await cell(`force at the ${side}`), force[c], `force at the ${side}`);
    near(await cell(`impulse at the ${side}`), percussion[c], `impulse at the ${side}`);
    near(await cell(`compression at the ${side}`), compression[c], `compression at the ${side}`);
  }
  for (const id of ["velocity", "energy", "moved", "force-right", "compression-left"]) {
    await page.locator(".details [aria-label='history of']").selectOption(id);
    await until("a history", async () => (await page.locator(".history canvas").count()) === 1);
  }
  // The ball itself, and nothing.
  await page.evaluate(() => window.percuss.select(-1));
  const f = (await state(page)).facts;
  await page.mouse.click(view.x + f.x + f.scale * (s.start[bar] + f.magnify * moved[bar]), view.y + f.y);
  check((await state(page)).selected === bar && (await state(page)).frame === k, "a click on a ball");
  await page.mouse.click(view.x + view.width - 4, view.y + 30);
  check((await state(page)).selected === -1, "a click beside it selects something");
}

async function checkCurves(page, s) {
  await openTab(page, "curves");
  await page.evaluate((t) => window.percuss.show(t), s.every * 30);
  const wanted = ratios(s, s.all[30].velocity);
  const charts = await until("values at the cursor", async () => {
    const all = await page.evaluate(() => window.percuss.charts());
    return all.every((c) => c.values.every((v) => v.value !== null)) && all;
  });
  check(charts.map((c) => c.id).join() === "energy,ker,cke", `the charts are ${charts.map((c) => c.id)}`);
  near(charts[0].values[0].value, wanted.kinetic, "kinetic energy", 9);
  for (const [{ label, value }] of charts.slice(1).map((c) => c.values)) near(value, wanted[label], label, 9);
  const table = (await downloaded(page, 1, "CSV")).toString().trim().split("\n");
  check(table[0] === "time [s],KER" && table.length === 4 * (s.frames - 1) + 1, `the table: ${table[0]}, ${table.length} lines`);
}

async function checkTime(page, s) {
  const text = async () => page.locator(".timebar .time").textContent();
  await page.evaluate((t) => window.percuss.show(t), s.every * 50);
  check((await text()) === `${Math.round(50e6 * s.every)} of ${Math.round(1e6 * s.every * (s.frames - 1))} µs`, `the time bar says ${await text()}`);
  const speed = Number(await page.locator("[aria-label=speed]").inputValue());
  const long = (s.every * (s.frames - 1)) / speed;
  check(long > 2.5 && long < 10, `it lasts ${long} s`);
  await page.keyboard.press("]");
  check(Number(await page.locator("[aria-label=speed]").inputValue()) > speed, "] is not faster");
  await page.keyboard.press("[");
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await until("it plays", async () => (await state(page)).frame > 3);
  await page.keyboard.press("Home");
  check(!(await state(page)).playing, "Home does not stop it");
}

async function checkKeys(page, s) {
  await openTab(page, "display");
  const choice = (name) => page.locator(`[name=${name}]`).inputValue();
  await page.keyboard.press("c");
  check((await choice("color")) === "energy", "c does not change the colouring");
  await page.keyboard.press("m");
  check((await choice("map")) === "force", "m does not change the map");
  await page.keyboard.press("n");
  check(!(await page.locator("[name=forces]").isChecked()), "n does not hide forces");
  await page.keyboard.press("n");
  await page.evaluate(() => window.percuss.select(-1));
  await page.keyboard.press("PageDown");
  await page.keyboard.press("PageDown");
  check((await state(page)).selected === 1, "PgDn does not go from ball to ball");
  await page.keyboard.press("PageUp");
  check((await state(page)).selected === 0, "PgUp does not go back");
  await page.keyboard.press("Escape");
  // Closer: the place under the cursor stays.
  await page.evaluate(() => window.percuss.set({ color: "velocity", map: "velocity" }));
  const view = await page.locator(".view").boundingBox();
  const before = (await state(page)).facts;
  const u = s.balls / 3;
  await page.mouse.move(view.x + before.mapX + before.mapZoom * u, view.y + before.mapTop + 40);
  await page.mouse.wheel(0, -400);
  const { facts } = await until("a closer look", async () => {
    const got = await state(page);
    return got.facts.mapZoom > 1.5 * before.mapZoom && got;
  });
  near(facts.mapX + facts.mapZoom * u, before.mapX + before.mapZoom * u, "the place under the cursor", 2);
  await page.evaluate(() => window.percuss.select(9));
  await page.keyboard.press("f");
  await page.evaluate(() => window.percuss.set({}));
  const f = (await state(page)).facts;
  near(f.mapX + 9.5 * f.mapZoom, f.mapLeft + f.mapWidth / 2, "the ball that is followed", 3);
  await page.keyboard.press("r");
  await until("the whole chain", async () => (await state(page)).facts.mapZoom === before.mapZoom);
  await page.keyboard.press("Escape");
}

export function chainTests({ percuss, sampleChain, folder }) {
  const path = (name) => join(folder, name);
  const file = async (balls) => {
    await run(sampleChain, [path(`chain${balls}.h5`), String(balls)]);
    return path(`chain${balls}.h5`);
  };
  const open = async (browser, balls, size) => {
    const server = await serve(percuss, await file(balls));
    const { page, complaints, close } = await openPage(browser, server.address, size);
    check((await state(page)).view === "chain", "a chain opens in its own view");
    check((await look(page)).colors > 20, "the picture is blank");
    const end = async () => {
      check(complaints.length === 0, `console: ${complaints.join("; ")}`);
      await close();
      await server.stop();
    };
    return { page, end };
  };

  return {
    async chainthree(browser) {
      const s = sample(3);
      const { page, end } = await open(browser, 3);
      await checkTime(page, s);
      await checkForces(page, s);
      await checkMap(page, s, "velocity", [0, 1, 2].flatMap((b) => [3, 25, 52, 80, 99].map((k) => [b, k])));
      await checkPlane(page, s);
      await checkBalls(page, s);
      await checkSelection(page, s, 1, 40, 2);
      await checkCurves(page, s);
      await end();
    },

    async chain(browser) {
      const s = sample(200);
      const { page, end } = await open(browser, 200);
      await checkTime(page, s);
      // Closer than the pixels of the whole: the wave at the balls it has reached, and beside it.
      const cells = [10, 60, 120, 190].flatMap((b) => [b - 3, b, b + 2, b + 4, b + 30].map((k) => [b, k]));
      await checkMap(page, s, "velocity", cells);
      await checkMap(page, s, "force", [...cells, [200, 205], [1, 2], [0, 3]]);
      await checkSelection(page, s, 60, 64, 150);
      await checkKeys(page, s);
      await end();
    },

    // More balls and frames than pixels: the wave is still whole, whatever falls into one pixel.
    async chainmany(browser) {
      const s = sample(1500);
      const { page, end } = await open(browser, 1500);
      const { facts } = await state(page);
      const most = s.largest("velocity");
      const peaks = [200, 500, 800, 1100, 1400].map((b) => {
        const k = s.all.reduce((best, f, i) => (f.velocity[b] > s.all[best].velocity[b] ? i : best), 0);
        return [b, k, s.all[k].velocity[b]];
      });
      const places = peaks.map(([b, k]) => [facts.mapX + facts.mapZoom * (b + 0.5), facts.mapTop + (facts.mapHeight * (k + 0.5)) / s.frames]);
      const seen = await pixels(page, places);
      peaks.forEach(([b, k, v], i) => {
        // At least as far from rest as the ball is, and not the largest of all.
        const rest = apart(seen[i], hex(BALANCE[3]));
        const wanted = apart(shade(BALANCE, 0.5 + v / most / 2), hex(BALANCE[3]));
        check(rest > 0.8 * wanted && rest < 3 * wanted + 20, `ball ${b} in frame ${k}: ${seen[i]}, ${rest} from rest, wanted ${wanted}`);
      });
      await end();
    },

    // Steps and frames that are not equally long: curves and the map go by time.
    async chainuneven(browser) {
      const s = sample(2);
      const { page, end } = await open(browser, 2);
      const span = (s.time(s.frames - 1) * s.frames) / (s.frames - 1);
      for (const [k, other] of [[10, 60], [50, 80], [90, 45]]) {
        await page.evaluate((t) => window.percuss.show(t), s.time(k));
        const { frame, facts } = await state(page);
        check(frame === k, `frame ${frame} at ${s.time(k)} s`);
        const wanted = ratios(s, s.all[k].velocity);
        const charts = await until("values at the cursor", async () => {
          const all = await page.evaluate(() => window.percuss.charts());
          return all.every((c) => c.values.every((v) => v.value !== null)) && all;
        });
        near(charts[1].values[0].value, wanted.KER, `KER in frame ${k}`, 8);
        // Another frame, where the line of this time is not: in the middle of the time that it is shown.
        const y = facts.mapTop + (facts.mapHeight * (s.time(other) + s.time(other + 1))) / 2 / span;
        const seen = await pixels(page, [0, 1].map((b) => [facts.mapX + facts.mapZoom * (b + 0.3), y]));
        seen.forEach((c, b) => {
          const color = shade(BALANCE, 0.5 + s.all[other].velocity[b] / s.largest("velocity") / 2);
          check(apart(c, color) < 6, `frame ${other}, ball ${b}: ${c}, wanted ${color.map(Math.round)}`);
        });
      }
      await end();
    },

    async chainphone(browser) {
      const { page, end } = await open(browser, 3, { width: 390, height: 844 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 0, `a phone: ${wide} pixels too wide`);
      const { facts } = await state(page);
      const view = await page.locator(".view").boundingBox();
      check(facts.mapLeft + facts.mapWidth < facts.planeX && facts.planeX + facts.planeZoom < view.width, `a phone: ${JSON.stringify(facts)}`);
      check(facts.mapHeight > 80 && facts.y < facts.mapTop, `a phone: the map is ${facts.mapHeight} high`);
      await checkMap(page, sample(3), "velocity", [[0, 20], [1, 50], [2, 90]]);
      await end();
    },

    // Stills; two balls, whose only contact is no list in the file.
    async chainrender() {
      const three = await file(3);
      const still = async (name, run_, ...options) => {
        await run(percuss, ["render", run_, "-o", path(name), "--size", "640x360", ...options]);
        return readFileSync(path(name)).toString("base64");
      };
      const a = await still("a.png", three, "--time", "4e-5");
      check(a !== (await still("c.png", three, "--time", "9e-5")), "another time looks the same");
      check(a !== (await still("d.png", three, "--time", "4e-5", "--set", "map=force,geometry=false")), "another map looks the same");
      const two = await file(2);
      check((await still("e.png", two, "--time", "1e-5")) !== (await still("f.png", two, "--time", "5e-5", "--color", "energy")), "two balls");
      // A film of 100 µs lasts some seconds, not one picture.
      if (!(process.env.PATH ?? "").split(":").some((f) => existsSync(join(f, "ffprobe")))) return;
      await run(percuss, ["render", three, "--film", path("chain.mp4"), "--size", "320x180", "--fps", "2"]);
      const seconds = Number(await run("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path("chain.mp4")]));
      check(seconds >= 5 && seconds < 6.5, `the film lasts ${seconds} s`);
    },

    async chainnowebgl() {
      const browser = await openBrowser(["--disable-software-rasterizer", "--disable-3d-apis"]);
      const { end } = await open(browser, 3);
      await end();
      await browser.close();
    },
  };
}
