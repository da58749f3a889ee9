// The series that can be drawn as curves over time, in groups that belong on one chart.
import { hasHits } from "./rigid/hits";
import type { Run } from "./run";

export interface Series {
  name: string; // dataset
  column: number;
  label: string;
  unit: string;
  relativeToEnd?: boolean; // drawn less its last value: only differences of it mean something
}

export interface SeriesGroup {
  id: string;
  title: string;
  series: Series[];
  log: boolean; // better on a logarithmic scale
  note?: string; // what a reader of the values must know
}

const AXES = ["x", "y", "z"];
const OF_CONTACTS = ["normal", "tangential"]; // columns of touches/, the impulses of whole contacts

const SENSORS = "Sensors";
export const HITS = "hits"; // the chart of hits.ts

// Charts that make sense together, of those series that the run has. A name that ends with * stands for
// all that begin so, have one unit and are on no chart yet. Whatever else has a number for each step is
// offered by its own name.
const TOGETHER: [id: string, title: string, log: boolean, names: string[]][] = [
  ["inside", "People inside", false, ["steps/inside"]],
  ["exits", "Exit counts", false, ["exits/count"]],
  [
    "energy",
    "Energies",
    false,
    ["steps/kinetic_translation", "steps/kinetic_rotation", "steps/potential", "steps/stored", "steps/total_dissipated"],
  ],
  ["ker", "Energy ratio KER", false, ["steps/ker"]],
  ["cke", "Dispersion C_KE", false, ["steps/cke"]],
  ["dissipation", "Dissipated energy per step", false, ["steps/dissipated", "steps/unsigned_part"]],
  ["audit", "Check: error of the energy balance", true, ["steps/audit", "steps/drift"]],
  ["contacts", "Contacts", false, ["steps/contacts", "steps/islands"]],
  ["residual", "Solver residual", true, ["steps/residual"]],
  ["conditions", "Check: error of the contact conditions", true, ["steps/contact_error", "steps/accuracy"]],
  ["iterations", "Solver iterations", false, ["steps/iterations"]],
  ["overlap", "Largest overlap", false, ["steps/deepest"]],
  ["works", "Work per step", false, ["steps/work_*"]],
  ["totals", "Totals since the start", false, ["steps/total_*"]],
  ["clock", "Wall-clock time per step", true, ["clock/step_s", "clock/detection_s", "clock/solve_s", "clock/record_s"]],
];

// The zero of potential energy depends on the coordinates. Relative to its value at the end it is what
// the run can turn into other energies.
const RELATIVE_TO_END = new Set(["steps/potential"]);
// Series that are alone on their charts.
const TITLES: Record<string, string> = {
  "steps/correction": "Energy of position correction per step",
  "steps/separating": "Energy of separating contacts per step",
  "steps/stored_error": "Check: error of stored energy per step",
  "steps/given": "Energy given by events per step",
  "steps/closed": "Check: energy balance closes (1) or not (0)",
  "steps/status": "Solver status: 0 solved, 1 inaccurate, 2 failed",
  "steps/asleep": "Sleeping bodies",
  "steps/frozen": "Energy lost by falling asleep per step",
  "steps/velocity_error": "Check: estimated error of velocities",
  "steps/pierced": "Energy dissipated at pierced contacts per step",
  "steps/at_distance": "Energy dissipated at a distance per step",
};
const LABELS: Record<string, string> = { "steps/ker": "KER", "steps/cke": "C_KE" };

function columnsOf(run: Run, name: string): Series[] {
  const dataset = run.dataset(name);
  const wide = run.width(name);
  const short = LABELS[name] ?? name.slice(name.indexOf("/") + 1).replace(/_/g, " ");
  const names = dataset.columns ?? (name.startsWith("touches/") ? OF_CONTACTS : undefined);
  return Array.from({ length: wide }, (_, column) => ({
    name,
    column,
    label: names ? names[column]! : wide === 1 ? short : wide === 3 ? `${short} ${AXES[column]}` : `${short} ${column + 1}`,
    unit: (dataset.unit ?? "").replace("^2", "²").replace("^3", "³"),
    ...(RELATIVE_TO_END.has(name) ? { relativeToEnd: true } : {}),
  }));
}

// What sensors, and springs, strings and nets measure, by unit.
const SENSED: Record<string, string> = {
  N: "force",
  "m/s²": "acceleration",
  m: "displacement",
  "m/s": "velocity",
  K: "temperature",
  "N s": "impulse",
  J: "dissipated energy",
  "": "hits so far",
};
const STRETCHED: Record<string, string> = { N: "force", J: "energy" };

const idOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
const impulsesOf = (contact: string) => `Impulses of ${contact}`;

// The charts of the impulses of contacts as a whole, step by step.
export function contactCharts(run: Run): string[] {
  return run.datasets.filter((d) => d.name.startsWith("touches/")).map((d) => idOf(impulsesOf(d.name.slice(8))));
}

function expand(run: Run, name: string, used: Set<string>): string[] {
  if (!name.endsWith("*")) return run.has(name) ? [name] : [];
  const all = run.datasets.filter((d) => d.name.startsWith(name.slice(0, -1)) && !used.has(d.name));
  return all.filter((d) => d.unit === all[0]!.unit).map((d) => d.name);
}

// The value of an impact in one step is no design value.
export const OF_ONE_STEP = "An impact counts as impulse / time step: half the step, twice the value.";
const STEP_UNITS = ["N", "m/s²"];

// What is to be said of sensors: filtered values and means over a window do not depend on the step.
function noteOf(series: Series[]): string | undefined {
  const raw = series.some((s) => STEP_UNITS.includes(s.unit) && !/_(filtered|mean)$/.test(s.name));
  return raw ? `${OF_ONE_STEP} For design, use the mean over the sensor's window (mean: true, or the largest in the run's summary), or a cutoff.` : undefined;
}

// Sensors of one unit are drawn together.
export function seriesGroups(run: Run): SeriesGroup[] {
  const groups: SeriesGroup[] = [];
  const used = new Set(["steps/time", "steps/step"]);
  for (const [id, title, log, names] of TOGETHER) {
    const there = names.flatMap((name) => expand(run, name, used));
    there.forEach((name) => used.add(name));
    if (there.length) groups.push({ id, title, log, series: there.flatMap((name) => columnsOf(run, name)) });
  }
  const rest = run.datasets.filter(
    (d) => d.grows && d.type !== "text" && !used.has(d.name) && !/^(frames|contacts|exits|maps|hits|systems)\//.test(d.name) && d.name !== "clock/planned_end",
  );
  const sensors: SeriesGroup[] = [];
  const units = new Map<string, Series[]>();
  for (const d of rest) {
    if (run.width(d.name) > 12) continue; // too many for a chart
    const list = columnsOf(run, d.name);
    const unit = list[0]?.unit ?? "";
    const of = d.name.split("/")[0];
    const key =
      of === "sensors"
        ? `${SENSORS}: ${SENSED[unit] ?? unit}`
        : of === "elements"
          ? `Springs, strings, nets: ${STRETCHED[unit] ?? unit}`
          : of === "touches"
            ? impulsesOf(d.name.slice(8))
            : (TITLES[d.name] ?? list[0]!.label);
    units.set(key, [...(units.get(key) ?? []), ...list]);
  }
  for (const [title, series] of units) {
    const group: SeriesGroup = { id: idOf(title), title, log: false, series };
    if (title.startsWith(SENSORS)) sensors.push({ ...group, note: noteOf(series) });
    else groups.push(group);
  }
  return [...sensors, ...groups];
}

// Charts to begin with: what the scene asks to be measured, then the energies.
export function firstCharts(run: Run): string[] {
  const all = seriesGroups(run);
  const sensors = all.filter((g) => g.title.startsWith(SENSORS)).map((g) => g.id);
  const rest = ["energy", "contacts"].filter((id) => all.some((g) => g.id === id));
  return [...sensors.slice(0, 1), ...(run.count("steps") > 0 && hasHits(run) ? [HITS] : []), ...rest].slice(0, 3);
}
