// percuss run: a simulation from a scene, with its progress.
#include "app/app.h"
#include "app/runs.h"
#include "app/simulation.h"
#include "scene/text.h"

typedef struct run_options {
  app_simulation_texts simulation;
  bool json, quiet, keep;
} run_options;

#define FIELD(name) offsetof(run_options, name)
static const app_option options[] = {
    {"-o", "RUN.h5", FIELD(simulation.output),
     "output file (default: name of the scene, in the current folder); an existing run is "
     "replaced"},
    {"--threads", "N", FIELD(simulation.threads),
     "number of threads (default: as in the scene, else 1; for several runs, all processors); "
     "results do not depend on it"},
    {"--resume", NULL, FIELD(simulation.resume),
     "continue from the checkpoint, with the same result as without the stop; start from the "
     "beginning if there is none"},
    {"--duration", "T", FIELD(simulation.duration), "simulated time in s, instead of the scene's"},
    {"--steps", "N", FIELD(simulation.steps),
     "number of time steps, instead of the scene's duration"},
    {"--member", "N", FIELD(simulation.member),
     "run only member N of a scene with 'runs' or 'sweep' (docs/ensembles.md). By default all "
     "members run: RUN-runs.csv has one line per member, RUN-summary.csv has statistics"},
    {"--keep", NULL, FIELD(keep), "record every member: RUN-0001.h5, RUN-0002.h5, ..."},
    {"--dump-problems", "FOLDER", FIELD(simulation.dump),
     "save the impact problem of every step that misses its tolerance, as FCLIB files for 'percuss "
     "solve' and 'percuss bench fclib'"},
    {"--dump-steps", "A:B", FIELD(simulation.dump_steps),
     "save the problems of steps A to B instead"},
    {"--dump-limit", "N", FIELD(simulation.dump_limit), "save at most N problems (default: 100)"},
    {"--certify", NULL, FIELD(simulation.certify),
     "compute a certified error bound of the velocities in every step (slow)"},
    {"--json", NULL, FIELD(json), "print the summary as one JSON object"},
    {"--quiet", NULL, FIELD(quiet), "print no progress and no summary"},
    {NULL, NULL, 0, NULL},
};

static int simulate(app_simulation *simulation, const run_options *o)
{
  bool many = app_simulation_is_many(simulation), collision = simulation->scene.impact != NULL;
  if (collision && !many)
    return app_complain("percuss run: %s is a single collision; use 'percuss solve', or add "
                        "'sweep' to the file to solve a family of collisions",
                        pc_text_path(simulation->path).text);
  if (collision && o->keep)
    return app_complain("percuss run: --keep is for simulations, not for single collisions");
  if (many && o->simulation.dump != NULL)
    return app_complain(
        "percuss run: --dump-problems needs a single run; choose one with --member N");
  if (many && o->simulation.certify)
    return app_complain("percuss run: --certify needs a single run; choose one with --member N");
  if (o->keep && !many)
    return app_complain("percuss run: --keep needs a scene with 'runs' or 'sweep'");
  app_watch_signals();
  if (many)
    return app_runs(simulation, o->keep, o->json, o->quiet);
  app_simulation_run(simulation);
  return app_simulation_finish(simulation, o->json, o->quiet);
}

static int run(const void *given, int count, char **files)
{
  const run_options *o = given;
  app_simulation simulation = {.command = "run", .texts = o->simulation};
  int result = app_simulation_prepare(&simulation, files[0], !o->quiet);
  if (result == APP_OK)
    result = simulate(&simulation, o);
  app_simulation_free(&simulation);
  return result;
}

const app_command app_run = {
    "run",
    "SCENE.yaml",
    "simulate a scene",
    "SCENE is a YAML or JSON file. Example:\n"
    "\n"
    "  kind: rigid\n"
    "  duration: 1\n"
    "  step: 1e-3\n"
    "  materials: [{name: rock, density: 2600}]\n"
    "  bodies:\n"
    "    - {name: stone, shape: {type: box, size: [0.2, 0.1, 0.1]}, position: [0, 0, 1]}\n"
    "  obstacles:\n"
    "    - {name: ground, shape: {type: plane}}\n"
    "\n"
    "Other kinds are crowd, chain, continuum, and impact with a sweep. 'percuss schema' lists all "
    "keys,\n"
    "docs/scene-format.md explains them, and 'percuss scenes' lists ready scenes. Units are SI.\n"
    "\n"
    "Writes RUN.h5 with frames, contacts, sensors and the energy balance of every step\n"
    "(docs/run-format.md), RUN.csv with sensors and energy balance, and RUN.xdmf for ParaView.\n",
    options,
    "Ctrl-C finishes the step, writes a checkpoint and exits. A second Ctrl-C exits at once.\n"
    "\n"
    "Exit status: 0 success; 1 failed; 2 wrong usage or input, nothing written; 4 finished, but "
    "most\n"
    "steps are inaccurate; 130 stopped by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.\n",
    "scene file",
    run};
