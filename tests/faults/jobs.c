#include "faults/jobs.h"

#include <string.h>

#define RUN "run "
#define TO ".yaml --threads 1 -o out.h5"

// A run that is resumed after the fault, with a share of the cases and more options.
#define RESUMED(name, scene, share, more)                                                          \
  {                                                                                                \
    name, NULL, RUN scene TO more, RUN scene TO more " --resume", 0, share, false                  \
  }
// The modes have most of their calls in common.
#define SCENE(name) RESUMED(name, name, 1, ""), RESUMED(name " as JSON", name, 0.3, " --json")
#define PLAIN(name, command)                                                                       \
  {                                                                                                \
    name, NULL, command, NULL, 0, 1, false                                                         \
  }
#define SHORT(name, command)                                                                       \
  {                                                                                                \
    name, NULL, command, NULL, 0, 0.3, false                                                       \
  }
// After a whole run.
#define AFTER(name, before, command)                                                               \
  {                                                                                                \
    name, before, command, NULL, 0, 0.3, false                                                     \
  }
#define PAGE(name, before, command)                                                                \
  {                                                                                                \
    name, before, command, NULL, 0, 0.3, true                                                      \
  }
// A run that is viewed meanwhile: it is resumed, for the view alone would show it as it is.
#define VIEWED(name, command)                                                                      \
  {                                                                                                \
    name, NULL, command, command " --resume", 0, 0.3, true                                         \
  }

#define DUMP RUN "other" TO " --quiet --dump-problems problems --dump-steps 2:3"
#define FIRST_PROBLEM "problems/step-00000002.hdf5"

const faults_job faults_jobs[] = {
    SCENE("rigid"),
    SCENE("crowd"),
    SCENE("chain"),
    SCENE("collision"),
    SCENE("motion"),
    SCENE("large"),
    SCENE("flow"),
    SCENE("alloy"),
    SCENE("systems"),
    RESUMED("quiet", "rigid", 0.3, " --quiet"),
    RESUMED("certified", "other", 0.3, " --certify"),
    RESUMED("certified as JSON", "other", 0.3, " --certify --json"),
    RESUMED("member as JSON", "sweep", 0.3, " --member 2 --json"),
    // Many runs.
    RESUMED("sweep", "sweep", 1, ""),
    RESUMED("sweep as JSON", "sweep", 0.3, " --json"),
    RESUMED("runs", "runs", 0.3, ""),
    RESUMED("runs as JSON", "runs", 0.3, " --json"),
    RESUMED("sweep of collisions", "figure", 1, ""),
    RESUMED("sweep of collisions as JSON", "figure", 0.3, " --json"),
    RESUMED("kept sweep", "sweep", 1, " --quiet --keep"),
    RESUMED("kept sweep as JSON", "sweep", 0.3, " --keep --json"),
    // Runs that find something.
    {"resume", RUN "rigid" TO " --quiet", RUN "rigid" TO " --quiet --resume", NULL, 900, 1, false},
    {"resume as JSON", RUN "crowd" TO " --quiet", RUN "crowd" TO " --json --resume", NULL, 900, 0.3,
     false},
    AFTER("longer", RUN "rigid" TO " --quiet --steps 7", RUN "rigid" TO " --quiet --resume"),
    AFTER("longer as JSON", RUN "rigid" TO " --quiet --steps 7", RUN "rigid" TO " --json --resume"),
    AFTER("finished", RUN "rigid" TO " --quiet", RUN "rigid" TO " --resume"),
    AFTER("finished as JSON", RUN "crowd" TO " --quiet", RUN "crowd" TO " --json --resume"),
    AFTER("finished alloy as JSON", RUN "alloy" TO " --quiet", RUN "alloy" TO " --json --resume"),
    AFTER("finished sweep as JSON", RUN "sweep" TO " --quiet", RUN "sweep" TO " --json --resume"),
    {"resumed sweep as JSON", RUN "sweep" TO " --quiet --keep",
     RUN "sweep" TO " --keep --json --resume", NULL, 3000, 0.3, false},
    AFTER("replace", RUN "other" TO " --quiet", RUN "rigid" TO " --quiet"),
    PLAIN("problems", DUMP),
    SHORT("problems as JSON", DUMP " --json"),
    // Single collisions.
    PLAIN("solve", "solve impact.yaml"),
    SHORT("solve as JSON", "solve impact.yaml --json"),
    SHORT("solve certified as JSON", "solve impact.yaml --certify --json"),
    SHORT("solve sweep", "solve figure.yaml"),
    SHORT("solve sweep as JSON", "solve figure.yaml --json"),
    PLAIN("solve chain", "solve chain.yaml"),
    SHORT("solve chain as JSON", "solve chain.yaml --json"),
    PLAIN("solve continuum", "solve collision.yaml"),
    SHORT("solve continuum as JSON", "solve collision.yaml --json"),
    AFTER("solve FCLIB", DUMP, "solve " FIRST_PROBLEM),
    AFTER("solve FCLIB as JSON", DUMP, "solve --json " FIRST_PROBLEM),
    PLAIN("identify", "identify identify.yaml"),
    SHORT("identify as JSON", "identify identify.yaml --json"),
    PLAIN("validate", "validate fremond.point.quadratic"),
    SHORT("validate as JSON", "validate fremond.point.quadratic --json"),
    SHORT("validate as a page", "validate fremond.point.quadratic --markdown"),
    // Lists.
    SHORT("scenes", "scenes ."),
    SHORT("scenes as JSON", "scenes . --json"),
    SHORT("schema", "schema rigid"),
    SHORT("schema as JSON", "schema --json"),
    SHORT("schema as a page", "schema --markdown"),
    SHORT("demo", "demo"),
    SHORT("help", "run --help"),
    // Pictures, and the viewer's page.
    PLAIN("render", "render chain.yaml -o picture.svg"),
    SHORT("render bounds", "render chain.yaml -o picture.svg --picture bounds --points 5"),
    AFTER("export", RUN "rigid" TO " --quiet", "export out.h5 -o vtk"),
    AFTER("export gltf", RUN "rigid" TO " --quiet", "export out.h5 -o out.glb"),
    AFTER("export csv as JSON", RUN "rigid" TO " --quiet", "export out.h5 -o bodies.csv --json"),
    PLAIN("report", "report crowd.yaml -o page.html --quiet --threads 1"),
    AFTER("report of a run", RUN "crowd" TO " --quiet", "report out.h5 -o page.html"),
    SHORT("report of runs", "report runs.yaml -o page.html --widen 0.2 --json --threads 1"),
    AFTER("report of variants as JSON", RUN "crowd" TO " --quiet",
          "report out.h5 out.h5 -o page.html --json"),
    PAGE("render a run", RUN "rigid" TO " --quiet",
         "render out.h5 -o picture.png --size 64x48 --set legend=false"),
    PAGE("view", RUN "rigid" TO " --quiet", "view out.h5 --no-browser"),
    VIEWED("view of a scene", "view rigid" TO " --no-browser"),
    VIEWED("view of a continuum", "view alloy" TO " --no-browser"),
    PAGE("view of collisions", NULL, "view figure.yaml -o out.h5 --no-browser"),
    PAGE("view of a finished scene", RUN "rigid" TO " --quiet", "view rigid" TO " --no-browser"),
};
const int faults_job_count = sizeof faults_jobs / sizeof *faults_jobs;

bool faults_job_is_json(const faults_job *job)
{
  return strstr(job->command, "--json") != NULL;
}

bool faults_job_is_many(const faults_job *job)
{
  return strstr(job->name, "sweep") != NULL || strstr(job->name, "runs") != NULL ||
         strcmp(job->name, "demo") == 0;
}

bool faults_job_is_served(const faults_job *job)
{
  return strncmp(job->command, "view ", 5) == 0;
}
