// percuss identify: coefficients from measured collisions.
#include <math.h>
#include <stdio.h>

#include "app/app.h"
#include "core/elementary.h"
#include "core/json.h"
#include "percuss/scene.h"
#include "scene/text.h"

// Whether the laws describe the measurements at all, and the limit used.
typedef struct quality {
  bool poor;
  double most; // misfit, in m/s, beyond which the fit is poor
} quality;

static bool is_determined(const pc_estimate *e)
{
  return !e->low_open && !e->high_open;
}

// A given sigma is tested by chi-square at 0.1 % (quantile of Wilson and Hilferty). An estimated
// one is the misfit itself: then the misfit is compared with the velocity changes.
static quality judge(const pc_scene_identification *scene, const pc_estimate *estimates,
                     const pc_identify_info *info)
{
  const pc_identification *problem = &scene->problem;
  quality fit = {.most = 0.2 * scene->change};
  if (problem->sigma > 0) {
    int degrees = problem->measurements;
    for (int i = 0; i < problem->unknowns; i++)
      degrees -= is_determined(&estimates[i]);
    double d = degrees > 1 ? degrees : 1, spread = 2 / (9 * d);
    double chi_square = d * pc_pow(1 - spread + 3.0902 * sqrt(spread), 3);
    fit.most = problem->sigma * sqrt(chi_square / problem->measurements);
  }
  fit.poor = info->misfit > fit.most;
  return fit;
}

static void write_json(const pc_scene_identification *scene, const pc_estimate *estimates,
                       const pc_identify_info *info, const quality *fit)
{
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "status"), pc_json_string(&json, info->converged ? "solved" : "inaccurate");
  pc_json_key(&json, "unknowns");
  pc_json_open(&json, '[');
  for (int i = 0; i < scene->problem.unknowns; i++) {
    const pc_estimate *e = &estimates[i];
    pc_json_open(&json, '{');
    pc_json_key(&json, "name"), pc_json_string(&json, scene->problem.unknown[i].name);
    // Values that the measurements do not determine are null, and so are open ends.
    pc_json_key(&json, "value"), pc_json_number(&json, is_determined(e) ? e->value : NAN);
    pc_json_key(&json, "standard_error");
    pc_json_number(&json, is_determined(e) ? e->standard_error : NAN);
    pc_json_key(&json, "interval");
    pc_json_open(&json, '[');
    pc_json_number(&json, e->low_open ? NAN : e->low);
    pc_json_number(&json, e->high_open ? NAN : e->high);
    pc_json_close(&json);
    pc_json_key(&json, "determined"), pc_json_boolean(&json, is_determined(e));
    pc_json_close(&json);
  }
  pc_json_close(&json);
  pc_json_key(&json, "fit"), pc_json_string(&json, fit->poor ? "poor" : "good");
  pc_json_key(&json, "misfit"), pc_json_number(&json, info->misfit);
  pc_json_key(&json, "sigma"), pc_json_number(&json, info->sigma);
  pc_json_key(&json, "sigma_given"), pc_json_boolean(&json, scene->problem.sigma > 0);
  pc_json_key(&json, "experiments"), pc_json_integer(&json, scene->experiments);
  pc_json_key(&json, "measurements"), pc_json_integer(&json, scene->problem.measurements);
  pc_json_key(&json, "evaluations"), pc_json_integer(&json, info->evaluations);
  pc_json_close(&json);
}

static void print_table(const pc_scene_identification *scene, const pc_estimate *estimates,
                        const pc_identify_info *info, const quality *fit)
{
  if (scene->title != NULL)
    printf("%s\n", scene->title);
  int unknowns = scene->problem.unknowns, measurements = scene->problem.measurements;
  printf("%d unknown%s from %d measured velocit%s in %d collision%s%s\n\n", unknowns,
         app_plural(unknowns), measurements, measurements == 1 ? "y" : "ies", scene->experiments,
         app_plural(scene->experiments), info->converged ? "" : " (the fit did not converge)");
  printf("%-12s %12s %12s   %s\n", "unknown", "estimate", "std. error", "95 % interval");
  for (int i = 0; i < scene->problem.unknowns; i++) {
    const pc_estimate *e = &estimates[i];
    const char *name = scene->problem.unknown[i].name;
    printf("%-12.12s ", name);
    if (e->low_open && e->high_open) {
      printf("%12s %12s   not determined by these measurements\n", "-", "-");
      continue;
    }
    if (e->low_open || e->high_open) {
      printf("%12s %12s   %.12s %s %.6g (a bound is all these measurements give)\n", "-", "-", name,
             e->low_open ? "<=" : ">=", e->low_open ? e->high : e->low);
      continue;
    }
    char error[20] = "-";
    if (isfinite(e->standard_error))
      snprintf(error, sizeof error, "%.3g", e->standard_error);
    printf("%12.6g %12s   %.6g to %.6g\n", e->value, error, e->low, e->high);
  }
  printf("\n"
         "misfit %.3g m/s (root mean square), standard deviation of a measurement %.3g m/s (%s)\n",
         info->misfit, info->sigma, scene->problem.sigma > 0 ? "given" : "estimated");
  if (fit->poor)
    printf("poor fit: the misfit exceeds %.3g m/s, which is %s\n"
           "          check the laws and the measurements; the intervals are not reliable\n",
           fit->most,
           scene->problem.sigma > 0
               ? "the most that the given sigma allows (chi-square test, 0.1 %)"
               : "20 % of the velocity changes in the collisions");
}

typedef struct identify_options {
  bool json;
} identify_options;

static const app_option options[] = {
    {"--json", NULL, offsetof(identify_options, json), "print the answer as one JSON object"},
    {NULL, NULL, 0, NULL},
};

static int identify(const void *given, int count, char **files)
{
  const identify_options *o = given;
  pc_scene_identification scene;
  pc_error error = {.status = PC_OK};
  if (pc_scene_read_identification(files[0], &scene, &error) != PC_OK)
    return app_complain_file(files[0], &error);
  pc_estimate estimates[PC_MAX_UNKNOWNS];
  pc_identify_info info;
  int result;
  pc_status status = pc_identify(&scene.problem, estimates, &info, &error);
  if (status != PC_OK) {
    app_complain("%s: %s", files[0], error.text);
    result = status == PC_ERROR_ARGUMENT || status == PC_ERROR_INPUT ? APP_BAD_INPUT : APP_FAILED;
  } else {
    quality fit = judge(&scene, estimates, &info);
    if (o->json)
      write_json(&scene, estimates, &info, &fit);
    else
      print_table(&scene, estimates, &info, &fit);
    result = info.converged ? APP_OK : APP_FAILED;
    if (!info.converged)
      app_complain("%s: the fit did not converge; try another 'start', or narrow 'low' and 'high'",
                   pc_text_path(files[0]).text);
  }
  pc_scene_identification_free(&scene);
  return result;
}

const app_command app_identify = {
    "identify",
    "FILE",
    "identify coefficients of laws from measured collisions",
    "FILE (YAML or JSON) lists the unknown coefficients, the collisions that use them, and the\n"
    "velocities measured after each collision. Example:\n"
    "\n"
    "  kind: identification\n"
    "  unknowns: {k: {start: 1}}\n"
    "  sigma: 0.01                  # scatter of a measured velocity (default: estimated)\n"
    "  experiments:\n"
    "    - problem:\n"
    "        bodies: [{id: ball, dof: 1, mass: 0.1, velocity: [-2]}]\n"
    "        interactions:\n"
    "          - {type: contact, bodies: [ball], normal: [1],\n"
    "             law: {normal: {kind: quadratic, k: $k}}}\n"
    "      after: {ball: [1.33]}\n"
    "\n"
    "scenes/README.md describes all keys; scenes/identify/ has examples. Units are SI.\n",
    options,
    "Exit status: 0 success; 1 the fit did not converge or a collision could not be solved; 2 "
    "wrong\n"
    "usage or input.\n",
    "file",
    identify};
