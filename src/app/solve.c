// percuss solve: one collision. The kind of file decides which part solves it.
#include "app/solve.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "percuss/scene.h"

typedef struct solve_options {
  const char *solver, *tolerance, *iterations;
  bool json, quasi_static, warm_start, certify;
} solve_options;

#define FIELD(name) offsetof(solve_options, name)
static const app_option options[] = {
    {"--json", NULL, FIELD(json), "print the answer as one JSON object, of a sweep all answers"},
    {"--solver", "NAME", FIELD(solver),
     "auto (default): nsgs as long as it pays, then ipm\n"
     "apgd: accelerated projected gradient\n"
     "ipm: interior point\n"
     "nsgs: Gauss-Seidel, contact by contact\n"
     "uzawa: projected steps on all contacts at once"},
    {"--tol", "T", FIELD(tolerance),
     "tolerance on the residual, relative to the free velocity (default: 1e-10); of a chain: on "
     "the "
     "velocities of a step; of a continuum: on the contact conditions (default: the file's)"},
    {"--max-iterations", "N", FIELD(iterations),
     "at most N sweeps (nsgs), steps (apgd, uzawa, chains) or factorisations (ipm)"},
    {"--warm-start", NULL, FIELD(warm_start), "start from the guess of an FCLIB file"},
    {"--quasi-static", NULL, FIELD(quasi_static), "neglect inertia (default: as in the file)"},
    {"--certify", NULL, FIELD(certify),
     "bound the error of the velocities: solve once more, to round-off, and check the result in "
     "interval arithmetic"},
    {NULL, NULL, 0, NULL},
};

static bool is_solver(const char *name)
{
  for (const char *const *known = pc_solver_names(); *known != NULL; known++)
    if (strcmp(*known, name) == 0)
      return true;
  return false;
}

// Lists the solvers, separated by commas.
static int complain_of_solver(const char *name)
{
  char list[200] = "";
  for (const char *const *known = pc_solver_names(); *known != NULL; known++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list != 0 ? ", " : "",
             *known);
  return app_complain("percuss solve: unknown solver '%.40s' (known: %s)", name, list);
}

static int read_options(const solve_options *o, pc_solve_options *to)
{
  *to = pc_solve_options_default();
  to->warm_start = o->warm_start;
  to->quasi_static = o->quasi_static;
  if (o->solver != NULL && !is_solver(o->solver))
    return complain_of_solver(o->solver);
  if (o->solver != NULL)
    to->solver = o->solver;
  if (o->tolerance != NULL) {
    char *end;
    to->tolerance = strtod(o->tolerance, &end);
    if (*o->tolerance == 0 || *end != 0 || !(to->tolerance > 0 && to->tolerance < 1))
      return app_complain("percuss solve: --tol '%.40s' is not a number between 0 and 1",
                          o->tolerance);
  }
  if (o->iterations != NULL) {
    char *end;
    errno = 0;
    long most = strtol(o->iterations, &end, 10);
    if (*o->iterations == 0 || *end != 0 || errno != 0 || most < 1 || most > INT_MAX)
      return app_complain(
          "percuss solve: --max-iterations '%.40s' is not a positive integer below 2^31",
          o->iterations);
    to->max_iterations = (int)most;
  }
  return APP_OK;
}

static int solve(const void *given, int count, char **files)
{
  const solve_options *o = given;
  pc_solve_options to;
  pc_error error = {.status = PC_OK};
  const char *path = files[0];
  int result = read_options(o, &to);
  if (result == APP_OK)
    result = app_reject_pipe("solve", path);
  if (result != APP_OK)
    return result;
  bool chain = pc_scene_is_of_kind(path, "chain", &error);
  bool continuum = !chain && pc_scene_is_of_kind(path, "continuum", &error);
  bool for_impacts =
      strcmp(to.solver, "auto") != 0 || o->quasi_static || o->warm_start || o->certify;
  if (error.status == PC_ERROR_MEMORY)
    return app_complain_error(&error, NULL);
  if (chain && for_impacts)
    return app_complain("percuss solve: --solver, --quasi-static, --warm-start and --certify are "
                        "not for chains: the law of the file says how it is solved");
  if (continuum && (for_impacts || o->iterations != NULL))
    return app_complain("percuss solve: --solver, --max-iterations, --quasi-static, "
                        "--warm-start and --certify are not for continua");
  return chain       ? app_solve_chain(path, o->json, &to)
         : continuum ? app_solve_continuum(path, o->json, o->tolerance != NULL ? to.tolerance : 0)
                     : app_solve_impact(path, o->json, o->certify, &to);
}

const app_command app_solve = {
    "solve",
    "PROBLEM",
    "solve one collision: an impact, chain, continuum or FCLIB file",
    "PROBLEM is an FCLIB file (HDF5), or a YAML or JSON file such as:\n"
    "\n"
    "  kind: impact\n"
    "  bodies: [{id: ball, dof: 2, mass: 0.1, velocity: [1, -2]}]\n"
    "  interactions:                # one body alone meets a fixed obstacle\n"
    "    - {type: contact, bodies: [ball], point: [0, 0], normal: [0, 1],\n"
    "       law: {normal: {kind: quadratic, k: 1}, tangential: {kind: coulomb, mu: 0.3}}}\n"
    "  sweep: [{key: bodies.ball.velocity.1, values: [-2, -4, -8]}]  # optional: solves all\n"
    "\n"
    "  kind: chain                  # balls on a line, docs/chains.md\n"
    "  balls: {masses: [1, 1, 1]}\n"
    "  velocity: [1, 0, 0]\n"
    "  law: {kind: lzb}\n"
    "\n"
    "  kind: continuum              # solids, fluids and rigid bodies on a mesh\n"
    "  mesh: {rectangles: [{name: wall, x: [0, 1], y: [0, 3], cells: [10, 30],\n"
    "                       sides: {left: face}}]}\n"
    "  media: {wall: {density: 2500, viscosity: 100, volume_viscosity: 100}}\n"
    "  pushes: [{sides: face, percussion: [900, 0]}]\n"
    "\n"
    "scenes/README.md explains keys, laws and the answer; 'percuss schema' lists the keys. Units\n"
    "are SI: kg, m, s, m/s, rad/s, N s, J.\n",
    options,
    "Exit status: 0 solved; 1 not solved, with the reason on stderr and the best iterate on\n"
    "stdout; 2 bad usage or input.\n",
    "problem file",
    solve};
