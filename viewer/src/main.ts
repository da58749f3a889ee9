import "uplot/dist/uPlot.min.css";
import "./style.css";
import { make } from "./dom";
import { Page } from "./page";
import { Run } from "./run";

// What `percuss render`, the benchmark and the tests talk to. viewer/README.md describes it.
declare global {
  interface Window {
    percuss?: { ready: Promise<void> } & Partial<ReturnType<Page["handle"]>>;
  }
}

async function start(): Promise<void> {
  const page = new Page(await Run.open());
  await page.start();
  Object.assign(window.percuss!, page.handle());
}

const ready = start();
window.percuss = { ready };
ready.catch((error: Error) => {
  console.error(error);
  document.body.replaceChildren(make("p", { class: "fatal", text: `This run cannot be shown: ${error.message}` }));
});
