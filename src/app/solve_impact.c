// percuss solve of an impact problem, from a scene file or from FCLIB, as tables or as JSON.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/solve.h"
#include "app/solve_collision.h"
#include "core/array.h"
#include "scene/text.h"

enum { MOST_ROWS = 60 }; // of a printed table

static void print_values(const double *values, int count, int columns, double scale)
{
  for (int i = 0; i < columns; i++)
    if (i < count)
      printf(" %10.5g", app_tidy(values[i], scale));
    else
      printf(" %10s", "");
}

static void print_bodies(const pc_scene_impact *scene)
{
  int most = 1, width = 4;
  double scale = 0;
  for (int i = 0; i < scene->bodies; i++) {
    int dof = pc_impact_dof(scene->problem, i), length = (int)strlen(scene->body_ids[i]);
    double velocity[6];
    pc_impact_velocity(scene->problem, i, velocity);
    for (int c = 0; c < dof; c++)
      scale = fmax(scale, fmax(fabs(velocity[c]), fabs(scene->before[i][c])));
    most = dof > most ? dof : most;
    width = length > width ? length : width;
  }
  width = width > 24 ? 24 : width;
  printf("\n%-*s        ", width, "body");
  for (int i = 0; i < most; i++)
    printf(" %10s", app_axis_names[most][i]);
  printf("   m/s, rad/s\n");
  int shown = scene->bodies > MOST_ROWS ? MOST_ROWS : scene->bodies;
  for (int i = 0; i < shown; i++) {
    int dof = pc_impact_dof(scene->problem, i);
    double velocity[6];
    pc_impact_velocity(scene->problem, i, velocity);
    printf("%-*.*s  before", width, width, scene->body_ids[i]);
    print_values(scene->before[i], dof, most, scale);
    printf("\n%-*s  after ", width, "");
    print_values(velocity, dof, most, scale);
    printf("\n");
  }
  if (shown < scene->bodies)
    printf("... and %d more (--json prints all)\n", scene->bodies - shown);
}

static void print_interactions(const pc_scene_impact *scene)
{
  static const char *const types[] = {"contact", "distance", "spin", "rows"};
  int count = pc_impact_interactions(scene->problem), most = 1;
  if (count == 0)
    return;
  pc_interaction_answer answer;
  double percussion = 0, deformation = 0;
  bool rolling = false;
  for (int k = 0; k < count; k++) {
    pc_impact_answer(scene->problem, k, &answer);
    int size = answer.size - app_rolling_numbers(scene, k, &answer);
    most = size > most ? size : most;
    rolling = rolling || size < answer.size;
    for (int i = 0; i < answer.size; i++) {
      percussion = fmax(percussion, fabs(answer.percussion[i]));
      deformation = fmax(deformation, fabs(answer.deformation[i]));
    }
  }
  printf("\n%-8s  %-17s %*s %*s %10s\n", "type", "between", 11 * most, "impulse", 11 * most,
         "deformation", "dissipated");
  printf("%-8s  %-17s %*s %*s %10s\n", "", "", 11 * most, "N s", 11 * most, "m/s", "J");
  int shown = count > MOST_ROWS ? MOST_ROWS : count;
  for (int k = 0; k < shown; k++) {
    pc_impact_answer(scene->problem, k, &answer);
    const int *pair = scene->pairs[k];
    printf("%-8s  %-8.8s %-8.8s ", types[pc_impact_interaction_type(scene->problem, k)],
           scene->body_ids[pair[0]], pair[1] < 0 ? "obstacle" : scene->body_ids[pair[1]]);
    int more = app_rolling_numbers(scene, k, &answer), size = answer.size - more;
    print_values(answer.percussion, size, most, percussion);
    printf(" ");
    print_values(answer.deformation, size, most, deformation);
    printf(" %10.5g\n", app_tidy(answer.dissipated, percussion * deformation));
    if (more == 0)
      continue;
    printf("%-27s ", "  moment and spin");
    print_values(answer.percussion + size, more, most, percussion);
    printf(" ");
    print_values(answer.deformation + size, more, most, deformation);
    printf("\n");
  }
  if (shown < count)
    printf("... and %d more (--json prints all)\n", count - shown);
  bool others = false;
  for (int k = 0; k < count; k++)
    others = others || pc_impact_interaction_type(scene->problem, k) != PC_CONTACT;
  if (rolling)
    printf("(units: moments N m s; spins rad/s)\n");
  if (others)
    printf("(units: distance interactions kg/s and m^2/s; spin interactions N m s and rad/s)\n");
}

static void print_balance(const pc_audit *audit)
{
  const struct {
    const char *name;
    double value;
    bool always;
  } lines[] = {
      {"kinetic energy before", audit->kinetic_before, true},
      {"work of external impulses", audit->work_external, false},
      {"work of prescribed motions", audit->work_prescribed, false},
      {"dissipated", audit->dissipated, true},
      {"  of which separating contacts", audit->dissipated_separating, false},
      {"  of which restitution", audit->dissipated_restitution, false},
      {"  of which friction", audit->dissipated_friction, false},
      {"  of which position correction", audit->dissipated_bounds, false},
      {"kinetic energy after", audit->kinetic_after, true},
  };
  enum { LINES = PC_COUNT(lines) };
  double largest = 0;
  for (int i = 0; i < LINES; i++)
    largest = fmax(largest, fabs(lines[i].value));
  printf("\nenergy balance\n");
  for (int i = 0; i < LINES; i++) {
    double value = fabs(lines[i].value) < 1e-15 * largest ? 0 : lines[i].value;
    if (lines[i].always || value != 0)
      printf("  %-32s %14.8g J\n", lines[i].name, value);
  }
  printf("  %-32s %14s   relative errors: energy %.1e, momentum %.1e, complementarity %.1e\n",
         "check", audit->closed ? "closed" : "NOT CLOSED", audit->identity, audit->momentum,
         audit->complementarity);
  if (audit->wrong_signs > 0)
    printf("  WARNING: %d interaction%s energy, although the law dissipates\n", audit->wrong_signs,
           audit->wrong_signs == 1 ? " gives" : "s give");
}

static void print_certificate(const pc_certificate *certificate)
{
  if (!certificate->certified) {
    printf("velocity error: not certified: %s\n", certificate->reason);
    return;
  }
  printf("velocity error: at most %.1e m/s, certified (root mean square, weighted by mass)\n",
         certificate->rms);
  printf("  in the energy norm: between %.1e and %.1e kg^1/2 m/s\n", certificate->least,
         certificate->bound);
  if (certificate->shift > 0)
    printf("  for contact and tie conditions satisfied to %.1e m/s\n", certificate->shift);
  if (certificate->frozen)
    printf("  for fixed friction thresholds; only an estimate for Coulomb's law, which may have "
           "other solutions\n");
}

static void print_tables(const app_collision *collision)
{
  const pc_scene_impact *scene = collision->scene;
  const pc_solve_info *info = &collision->info;
  if (scene->title != NULL)
    printf("%s\n", scene->title);
  if (info->status == PC_FAILED) {
    printf("failed: no solution found\n");
    return;
  }
  printf("%s by %s: %d iteration%s, %d island%s, residual %.1e, %.3g ms\n",
         pc_solve_status_name(info->status), info->solver, info->iterations,
         app_plural(info->iterations), info->islands, app_plural(info->islands), info->residual,
         1e3 * info->time_s);
  if (collision->certified)
    print_certificate(&collision->certificate);
  if (scene->fclib) {
    int equalities = pc_impact_interactions(scene->problem) - scene->contacts, pushing = 0;
    for (int k = 0; k < scene->contacts; k++) {
      pc_interaction_answer answer;
      pc_impact_answer(scene->problem, k, &answer);
      pushing += answer.percussion[0] < 0;
    }
    printf(
        "FCLIB problem: %d contacts, %d of them active (use --json for velocities and impulses)\n",
        scene->contacts, pushing);
    if (equalities > 0)
      printf("%d equality constraint%s\n", equalities, equalities == 1 ? "y" : "ies");
    if (scene->mirrored)
      printf("note: a matrix of the file has only one triangle and is read as symmetric\n");
    if (scene->solution != NULL)
      printf("largest velocity difference from the solution in the file: %.2g m/s\n",
             app_solution_distance(scene));
    if (scene->bodies == 0)
      return;
  } else {
    print_bodies(scene);
    print_interactions(scene);
  }
  print_balance(&info->audit);
  if (collision->options.quasi_static)
    printf("  quasi-static: inertia is neglected, so energy and momentum are not conserved\n");
  app_heat_print(scene, &collision->heat, MOST_ROWS);
}

static int solve_one(const char *path, const pc_scene_impact *scene, bool as_json, bool certify,
                     const pc_solve_options *options)
{
  app_collision collision;
  int result = app_collision_solve(path, scene, certify, options, &collision);
  if (result == APP_BAD_INPUT)
    return result;
  if (as_json) {
    pc_json json = {.file = stdout};
    pc_json_open(&json, '{');
    app_collision_write(&json, &collision);
    pc_json_close(&json);
  } else {
    print_tables(&collision);
  }
  if (result != APP_OK)
    app_collision_explain(&collision, pc_text_path(path).text);
  app_collision_free(&collision);
  return result;
}

// A file of Percuss is read as a scene, because its sweep makes many problems of one.
static int solve_scene(const char *path, bool as_json, bool certify,
                       const pc_solve_options *options)
{
  pc_error error;
  pc_scene scene;
  if (pc_scene_read(path, &scene, &error) != PC_OK)
    return app_complain_file(path, &error);
  int result = scene.plan.members > 1 ? app_solve_sweep(&scene, as_json, certify, options)
                                      : solve_one(path, scene.impact, as_json, certify, options);
  pc_scene_free(&scene);
  return result;
}

int app_solve_impact(const char *path, bool as_json, bool certify, const pc_solve_options *options)
{
  pc_error error = {.status = PC_OK};
  pc_scene_impact problem;
  if (pc_scene_is_of_kind(path, "impact", &error))
    return solve_scene(path, as_json, certify, options);
  if (error.status == PC_ERROR_MEMORY) // it may be one, with a sweep
    return app_complain_error(&error, NULL);
  if (pc_scene_read_impact(path, &problem, &error) != PC_OK) // FCLIB; or it says what is wrong
    return app_complain_file(path, &error);
  int result = solve_one(path, &problem, as_json, certify, options);
  pc_scene_impact_free(&problem);
  return result;
}
