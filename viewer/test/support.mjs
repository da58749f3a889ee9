// What the tests of the page share: the program, a browser, a look at the picture.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function findBrowser() {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  for (const folder of (process.env.PATH ?? "").split(":"))
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  throw new Error("there is no Chromium; scripts/install-deps --test installs it");
}

export function openBrowser(extra = []) {
  return chromium.launch({ executablePath: findBrowser(), headless: true, args: [...FLAGS, ...extra] });
}

export function makeFolder() {
  const path = mkdtempSync(join(tmpdir(), "percuss-view-"));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}

// Runs a command to its end.
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let text = "";
    child.stdout.on("data", (d) => (text += d));
    child.stderr.on("data", (d) => (text += d));
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve(text) : reject(new Error(`${command} ${args.join(" ")}: exit ${code}: ${text}`))));
  });
}

// What a command that succeeds says.
export function words(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], cwd });
    const said = { out: "", err: "" };
    child.stdout.on("data", (d) => (said.out += d));
    child.stderr.on("data", (d) => (said.err += d));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(said) : reject(new Error(`${command} ${args.join(" ")}: exit ${code}: ${said.err}`))));
  });
}

// None outlives the tests, also if one fails.
const servers = new Set();
process.on("exit", () => servers.forEach((server) => server.kill("SIGKILL")));

// `percuss view` in the background: its address, and how to end it.
export function serve(percuss, file, options = [], cwd = undefined) {
  return new Promise((resolve, reject) => {
    const child = spawn(percuss, ["view", file, "--no-browser", ...options], { cwd });
    servers.add(child);
    let out = "";
    let err = "";
    const ended = new Promise((done) => child.on("exit", done));
    const timer = setTimeout(() => reject(new Error(`no address: ${out}${err}`)), 60000);
    child.stderr.on("data", (d) => (err += d));
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`percuss view: exit ${code}: ${out}${err}`)));
    child.stdout.on("data", (d) => {
      out += d;
      const found = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+\//.exec(out);
      if (!found) return;
      clearTimeout(timer);
      resolve({
        address: found[0],
        process: child,
        output: () => out + err,
        stop: async () => {
          child.kill("SIGINT");
          return ended;
        },
      });
    });
  });
}

// A page at an address, ready, whose complaints are kept. `first` runs in it before anything else.
export async function openPage(browser, address, size = { width: 1280, height: 720 }, query = "", first = null) {
  const context = await browser.newContext({ viewport: size, acceptDownloads: true });
  const page = await context.newPage();
  if (first) await page.addInitScript(first);
  const complaints = [];
  page.on("console", (m) => m.type() === "error" && complaints.push(m.text()));
  page.on("pageerror", (e) => complaints.push(String(e)));
  await page.goto(address + query);
  await page.evaluate(() => window.percuss.ready);
  return { page, complaints, close: () => context.close() };
}

// The pixels of the view, looked at in the page: `ask` is "sum" or "at".
async function withPixels(page, clip, ask, value) {
  const box = clip ?? (await page.locator(".view").boundingBox());
  const png = (await page.screenshot({ clip: box })).toString("base64");
  return page.evaluate(
    async ([data, what, given]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      const pen = canvas.getContext("2d");
      pen.drawImage(image, 0, 0);
      const all = pen.getImageData(0, 0, image.width, image.height);
      if (what === "at")
        return given.map(([x, y]) => {
          const at = 4 * (Math.floor(y) * image.width + Math.floor(x));
          return [all.data[at], all.data[at + 1], all.data[at + 2]];
        });
      const pixels = new Uint32Array(all.data.buffer);
      const colors = new Set();
      let sum = 0;
      for (let i = 0; i < pixels.length; i++) {
        colors.add(pixels[i]);
        sum = (Math.imul(sum, 31) + pixels[i]) | 0;
      }
      return { colors: colors.size, sum };
    },
    [png, ask, value],
  );
}

// The picture of the view: how many colours it has, and a sum that changes when it changes.
export const look = (page, clip) => withPixels(page, clip, "sum");
// Red, green and blue at places of the view.
export const pixels = (page, places) => withPixels(page, null, "at", places);

// The part of the pixels of two pictures (PNG) that differ, by more than rounding at edges, for each pair.
export const differing = (page, pairs) =>
  page.evaluate(
    async (all) => {
      const read = async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
        pen.drawImage(image, 0, 0);
        return pen.getImageData(0, 0, image.width, image.height).data;
      };
      const parts = [];
      for (const [first, second] of all) {
        const [a, b] = [await read(first), await read(second)];
        let off = a.length === b.length ? 0 : a.length;
        for (let i = 0; i < a.length; i += 4) if (Math.max(Math.abs(a[i] - b[i]), Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2])) > 40) off++;
        parts.push((4 * off) / a.length);
      }
      return parts;
    },
    pairs.map((pair) => pair.map((png) => png.toString("base64"))),
  );

export async function openTab(page, name) {
  await page.locator(`.tabs [data-tab=${name}]`).click();
}

// What a button of a chart hands out.
export async function downloaded(page, chart, button) {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(".chart").nth(chart).getByRole("button", { name: button, exact: true }).click(),
  ]);
  const content = readFileSync(await file.path());
  content.name = file.suggestedFilename();
  return content;
}

export const state = (page) => page.evaluate(() => window.percuss.state());

export async function until(what, ask, seconds = 120) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${seconds} s for: ${what}`);
    await new Promise((go) => setTimeout(go, 50));
  }
}

// A table of numbers written by the program: names to columns.
export function readTable(path) {
  const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const names = head.split(",").map((n) => n.replace(/ \[.*\]$/, ""));
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.map((name, i) => [name, cells[i]]));
  });
}

let checks = 0;
export function check(good, text) {
  checks++;
  if (!good) throw new Error(text);
}
export const count = () => checks;

// Equal to the digits that are shown.
export function near(shown, wanted, text, digits = 5) {
  const a = Number(shown);
  const b = Number(wanted);
  check(Math.abs(a - b) <= Math.max(0.51 * 10 ** (Math.floor(Math.log10(Math.abs(b) || 1)) + 1 - digits), 1e-300), `${text}: ${shown}, wanted ${wanted}`);
}
