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
    {"--json", NULL, FIELD(json), "print the answer as one JSON object; for a sweep, all answers"},
    {"--solver", "NAME", FIELD(solver),
     "auto (default): nsgs while it converges fast, then ipm\n"
     "apgd: accelerated projected gradient\n"
     "ipm: interior point\n"
     "nsgs: block Gauss-Seidel, one contact at a time\n"
     "uzawa: projected fixed-point steps, all contacts at once"},
    {"--tol", "T", FIELD(tolerance),
     "tolerance of the relative residual (default: 1e-10); for a chain, of the velocities; for a "
     "continuum, of the contact conditions (default: as in the file)"},
    {"--max-iterations", "N", FIELD(iterations),
     "maximum number of sweeps (nsgs), steps (apgd, uzawa, chains) or factorisations (ipm)"},
    {"--warm-start", NULL, FIELD(warm_start), "start from the initial guess in an FCLIB file"},
    {"--quasi-static", NULL, FIELD(quasi_static), "neglect inertia (default: as in the file)"},
    {"--certify", NULL, FIELD(certify),
     "compute a certified error bound of the velocities: solve again to machine precision and "
     "verify in interval arithmetic"},
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
      return app_complain("percuss solve: --tol '%.40s' must be a number between 0 and 1",
                          o->tolerance);
  }
  if (o->iterations != NULL) {
    char *end;
    errno = 0;
    long most = strtol(o->iterations, &end, 10);
    if (*o->iterations == 0 || *end != 0 || errno != 0 || most < 1 || most > INT_MAX)
      return app_complain(
          "percuss solve: --max-iterations '%.40s' must be a positive whole number below 2^31",
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
    return app_complain("percuss solve: --solver, --quasi-static, --warm-start and --certify do "
                        "not apply to chains; the law in the file selects the method");
  if (continuum && (for_impacts || o->iterations != NULL))
    return app_complain("percuss solve: --solver, --max-iterations, --quasi-static, --warm-start "
                        "and --certify do not apply to continua");
  return chain       ? app_solve_chain(path, o->json, &to)
         : continuum ? app_solve_continuum(path, o->json, o->tolerance != NULL ? to.tolerance : 0)
                     : app_solve_impact(path, o->json, o->certify, &to);
}

const app_command app_solve = {
    "solve",
    "PROBLEM",
    "solve one collision from an impact, chain, continuum or FCLIB file",
    "PROBLEM is an FCLIB file (HDF5), or a YAML or JSON file. Examples:\n"
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
    "scenes/README.md explains keys, laws and the answer; 'percuss schema' lists the keys. The "
    "key\n"
    "'percussion' is the external impulse, in N s. Units are SI: kg, m, s, m/s, rad/s, N s, J.\n",
    options,
    "Exit status: 0 solved; 1 not solved, with the reason on stderr and the best iterate on\n"
    "stdout; 2 wrong usage or input.\n",
    "problem file",
    solve};
