// percuss run: a simulation from a scene, with its progress.
#include "app/app.h"
#include "app/simulation.h"

const char app_run_help[] =
    "SCENE is a YAML or JSON file such as:\n"
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
    "'percuss schema rigid' lists all keys, docs/scene-format.md explains them; scenes/rigid has\n"
    "ready scenes. 'kind: crowd' are people who walk (docs/crowds.md, scenes/pecol), 'kind: "
    "chain'\n"
    "balls on a line (docs/chains.md, scenes/chains), 'kind: continuum' solids and fluids that\n"
    "collide (scenes/continuum). Units are SI.\n"
    "\n"
    "RUN.h5 holds frames, contacts, sensors and the account of every step (docs/run-format.md);\n"
    "RUN.csv has the account, RUN.xdmf is for ParaView, and RUN.h5.checkpoint where it goes on.\n"
    "\n"
    "  -o RUN.h5      where to write (default: the scene's name, in the current folder). An old\n"
    "                 file of that name is replaced once the scene is read and the run starts\n"
    "  --threads N    use N threads (default: as the scene says, else 1; all processors for many\n"
    "                 runs); changes no number\n"
    "  --resume       go on from the checkpoint, as if never stopped; without one start anew\n"
    "  --duration T   run to T seconds instead of what the scene says\n"
    "  --steps N      run N steps instead\n"
    "  --member N     of a scene with 'runs' or 'sweep' (docs/ensembles.md): run N alone. Without "
    "it\n"
    "                 all are run: RUN-runs.csv has a line for each, RUN-summary.csv statistics\n"
    "  --keep         record them all, as RUN-0001.h5 and so on\n"
    "  --dump-problems FOLDER  keep the impact problem of every step that misses its tolerance, "
    "as\n"
    "                 an FCLIB file, for 'percuss solve', 'percuss bench fclib' and others\n"
    "  --dump-steps A:B  those of the steps A to B instead\n"
    "  --dump-limit N    at most N files (default 100); the summary says how many were more\n"
    "  --json         the summary as one JSON object\n"
    "  --quiet        no progress and no summary\n"
    "\n"
    "Ctrl-C ends the step, writes a checkpoint and says how to go on; a second one ends at once.\n"
    "\n"
    "Exit status: 0 done; 1 failed, with the reason on stderr; 2 bad usage or input, and nothing\n"
    "is written; 130 stopped by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.\n";

int app_run(int argc, char **argv)
{
  bool as_json = false, quiet = false, keep = false;
  app_simulation simulation = {.command = "run"};
  app_simulation_texts *texts = &simulation.texts;
  const app_option known[] = {{"-o", NULL, &texts->output},
                              {"--threads", NULL, &texts->threads},
                              {"--resume", &texts->resume, NULL},
                              {"--duration", NULL, &texts->duration},
                              {"--steps", NULL, &texts->steps},
                              {"--member", NULL, &texts->member},
                              {"--keep", &keep, NULL},
                              {"--json", &as_json, NULL},
                              {"--quiet", &quiet, NULL},
                              {"--dump-problems", NULL, &texts->dump},
                              {"--dump-steps", NULL, &texts->dump_steps},
                              {"--dump-limit", NULL, &texts->dump_limit},
                              {NULL, NULL, NULL}};
  int files = app_parse(argc, argv, "run", known);
  if (files < 0)
    return APP_BAD_INPUT;
  if (files != 1)
    return app_complain("percuss run: one scene file is needed, %d given", files);
  int result = app_simulation_prepare(&simulation, argv[0], !quiet);
  bool many = result == APP_OK && app_simulation_is_many(&simulation);
  if (many && texts->dump != NULL) {
    result = app_complain("percuss run: --dump-problems is for one run: choose it with --member N");
  } else if (result == APP_OK && keep && !many) {
    result = app_complain("percuss run: --keep is for scenes with 'runs' or 'sweep'");
  } else if (many) {
    app_watch_signals();
    result = app_runs(&simulation, &(app_runs_texts){keep, as_json, quiet});
  } else if (result == APP_OK) {
    app_watch_signals();
    app_simulation_run(&simulation);
    result = app_simulation_finish(&simulation, as_json, quiet);
  }
  app_simulation_free(&simulation);
  return result;
}
