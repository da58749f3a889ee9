// percuss solve of an impact problem, from a scene file or from FCLIB, as tables or as JSON.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/solve.h"
#include "app/solve_heat.h"
#include "core/array.h"
#include "core/json.h"
#include "percuss/scene.h"
#include "scene/text.h"

enum { MOST_ROWS = 60 }; // of a printed table

// A failed solve has no numbers: they are null.
static void write_number(pc_json *json, bool answered, double value)
{
  pc_json_number(json, answered ? value : NAN);
}

#define NUMBER(field) APP_NUMBER(pc_audit, field)
static const app_number audit_numbers[] = { //
    NUMBER(kinetic_before),
    NUMBER(kinetic_after),
    NUMBER(work_external),
    NUMBER(work_prescribed),
    NUMBER(dissipated),
    NUMBER(dissipated_signed),
    NUMBER(dissipated_separating),
    NUMBER(dissipated_restitution),
    NUMBER(dissipated_friction),
    NUMBER(dissipated_bounds),
    NUMBER(identity),
    NUMBER(momentum),
    NUMBER(complementarity),
    NUMBER(penetration)};

static void write_audit(pc_json *json, bool answered, const pc_audit *audit)
{
  pc_json_open(json, '{');
  for (const app_number *one = audit_numbers; one < audit_numbers + PC_COUNT(audit_numbers); one++)
    pc_json_key(json, one->name), write_number(json, answered, app_number_of(one, audit));
  pc_json_key(json, "wrong_signs"), write_number(json, answered, audit->wrong_signs);
  pc_json_key(json, "closed"), pc_json_boolean(json, answered && audit->closed);
  pc_json_close(json);
}

// A contact has vectors; the others have one number or several.
static void write_rows(pc_json *json, bool vector, const double *values, int size)
{
  if (vector || size != 1)
    pc_json_vector(json, values, size);
  else
    pc_json_number(json, values[0]);
}

static pc_interaction_answer read_answer(const pc_scene_impact *scene, bool answered, int k)
{
  pc_interaction_answer answer;
  pc_impact_answer(scene->problem, k, &answer);
  for (int i = 0; i < PC_MAX_ROWS && !answered; i++)
    answer.percussion[i] = answer.deformation[i] = answer.after[i] = NAN;
  if (!answered)
    answer.reaction = answer.dissipated = NAN;
  return answer;
}

// Numbers of a moment and a spin at the end of an answer: those of rolling friction.
static int rolling_numbers(const pc_scene_impact *scene, int k, const pc_interaction_answer *answer)
{
  if (pc_impact_interaction_type(scene->problem, k) != PC_CONTACT)
    return 0;
  bool space = pc_impact_dof(scene->problem, scene->pairs[k][0]) == 6;
  return space ? answer->size - 3 : answer->size > 2 ? answer->size - 2 : 0;
}

static void write_interaction(pc_json *json, const pc_scene_impact *scene, bool answered, int k)
{
  bool contact = pc_impact_interaction_type(scene->problem, k) == PC_CONTACT;
  pc_interaction_answer answer = read_answer(scene, answered, k);
  int rolling = rolling_numbers(scene, k, &answer), size = answer.size - rolling;
  pc_json_open(json, '{');
  pc_json_key(json, "percussion"), write_rows(json, contact, answer.percussion, size);
  pc_json_key(json, "reaction"), pc_json_number(json, answer.reaction);
  pc_json_key(json, "deformation"), write_rows(json, contact, answer.deformation, size);
  if (rolling > 0) {
    pc_json_key(json, "moment"), write_rows(json, false, answer.percussion + size, rolling);
    pc_json_key(json, "spin"), write_rows(json, false, answer.deformation + size, rolling);
  }
  pc_json_key(json, "dissipated"), pc_json_number(json, answer.dissipated);
  pc_json_close(json);
}

// The largest difference of a velocity from the solution that an FCLIB file has itself; NAN if it
// has none.
static double solution_distance(const pc_scene_impact *scene)
{
  double largest = scene->solution != NULL ? 0 : NAN;
  for (int k = 0, row = 0; k < scene->contacts && scene->solution != NULL; k++) {
    pc_interaction_answer answer;
    pc_impact_answer(scene->problem, k, &answer);
    for (int i = 0; i < answer.size; i++, row++)
      largest = fmax(largest, fabs(answer.after[i] - scene->solution[row]));
  }
  return largest;
}

// FCLIB's u and r, in the file's order: r = -P.
static void write_fclib(pc_json *json, const pc_scene_impact *scene, bool answered)
{
  int count = pc_impact_interactions(scene->problem);
  for (int part = 0; part < 2; part++) {
    pc_json_key(json, part == 0 ? "velocity" : "percussion");
    pc_json_open(json, '[');
    for (int k = 0; k < scene->contacts; k++) {
      pc_interaction_answer answer = read_answer(scene, answered, k);
      for (int i = 0; i < answer.size; i++)
        pc_json_number(json, part == 0 ? answer.after[i] : -answer.percussion[i] + 0.0);
    }
    pc_json_close(json);
  }
  if (count > scene->contacts) { // l of the equalities
    pc_json_key(json, "multipliers");
    pc_json_open(json, '[');
    for (int k = scene->contacts; k < count; k++)
      pc_json_number(json, -read_answer(scene, answered, k).percussion[0] + 0.0);
    pc_json_close(json);
  }
  pc_json_key(json, "solution_distance");
  write_number(json, answered, solution_distance(scene));
}

static void write_certificate(pc_json *json, const pc_certificate *certificate)
{
  pc_json_open(json, '{');
  pc_json_key(json, "certified"), pc_json_boolean(json, certificate->certified);
  pc_json_key(json, "bound"), pc_json_number(json, certificate->bound);
  pc_json_key(json, "least"), pc_json_number(json, certificate->least);
  pc_json_key(json, "estimate"), pc_json_number(json, certificate->estimate);
  pc_json_key(json, "rms"), pc_json_number(json, certificate->rms);
  pc_json_key(json, "shift"), pc_json_number(json, certificate->shift);
  pc_json_key(json, "frozen"), pc_json_boolean(json, certificate->frozen);
  if (certificate->reason != NULL)
    pc_json_key(json, "reason"), pc_json_string(json, certificate->reason);
  pc_json_close(json);
}

// `certificate` may be NULL.
static void write_json(const pc_scene_impact *scene, const pc_solve_info *info,
                       const pc_certificate *certificate, const app_heat *heat)
{
  pc_json json = {.file = stdout};
  bool answered = info->status != PC_FAILED;
  pc_json_open(&json, '{');
  pc_json_key(&json, "status"), pc_json_string(&json, pc_solve_status_name(info->status));
  pc_json_key(&json, "solver"), pc_json_string(&json, info->solver);
  pc_json_key(&json, "iterations"), pc_json_integer(&json, info->iterations);
  pc_json_key(&json, "residual"), write_number(&json, answered, info->residual);
  pc_json_key(&json, "time_s"), write_number(&json, answered, info->time_s);
  if (scene->fclib) {
    write_fclib(&json, scene, answered);
  } else {
    pc_json_key(&json, "bodies");
    pc_json_open(&json, '[');
    for (int i = 0; i < scene->bodies; i++) {
      double velocity[PC_MAX_DOF];
      pc_impact_velocity(scene->problem, i, velocity);
      for (int c = 0; c < PC_MAX_DOF && !answered; c++)
        velocity[c] = NAN;
      pc_json_open(&json, '{');
      pc_json_key(&json, "id"), pc_json_string(&json, scene->body_ids[i]);
      pc_json_key(&json, "velocity");
      pc_json_vector(&json, velocity, pc_impact_dof(scene->problem, i));
      app_heat_write_body(&json, heat, i);
      pc_json_close(&json);
    }
    pc_json_close(&json);
    pc_json_key(&json, "interactions");
    pc_json_open(&json, '[');
    for (int k = 0; k < pc_impact_interactions(scene->problem); k++)
      write_interaction(&json, scene, answered, k);
    pc_json_close(&json);
  }
  pc_json_key(&json, "kinetic_before"), write_number(&json, answered, info->audit.kinetic_before);
  pc_json_key(&json, "kinetic_after"), write_number(&json, answered, info->audit.kinetic_after);
  pc_json_key(&json, "dissipated"), write_number(&json, answered, info->audit.dissipated);
  pc_json_key(&json, "audit");
  write_audit(&json, answered, &info->audit);
  if (certificate != NULL)
    pc_json_key(&json, "certificate"), write_certificate(&json, certificate);
  app_heat_write(&json, scene, heat);
  pc_json_close(&json);
}

// Round-off, against the largest of its kind, is shown as 0.
static double tidy(double value, double scale)
{
  return fabs(value) <= 1e-12 * scale ? 0 : value;
}

static void print_values(const double *values, int count, int columns, double scale)
{
  for (int i = 0; i < columns; i++)
    if (i < count)
      printf(" %10.5g", tidy(values[i], scale));
    else
      printf(" %10s", "");
}

static const char *const axis_names[7][6] = {
    {0}, {"v"}, {"vx", "vy"}, {"vx", "vy", "spin"}, {0}, {0}, {"vx", "vy", "vz", "wx", "wy", "wz"}};

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
    printf(" %10s", axis_names[most][i]);
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
    printf("... and %d more (--json has them all)\n", scene->bodies - shown);
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
    int size = answer.size - rolling_numbers(scene, k, &answer);
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
    int more = rolling_numbers(scene, k, &answer), size = answer.size - more;
    print_values(answer.percussion, size, most, percussion);
    printf(" ");
    print_values(answer.deformation, size, most, deformation);
    printf(" %10.5g\n", tidy(answer.dissipated, percussion * deformation));
    if (more == 0)
      continue;
    printf("%-27s ", "  its moment and spin");
    print_values(answer.percussion + size, more, most, percussion);
    printf(" ");
    print_values(answer.deformation + size, more, most, deformation);
    printf("\n");
  }
  if (shown < count)
    printf("... and %d more (--json has them all)\n", count - shown);
  bool others = false;
  for (int k = 0; k < count; k++)
    others = others || pc_impact_interaction_type(scene->problem, k) != PC_CONTACT;
  if (rolling)
    printf("(a moment: N m s; its spin: rad/s)\n");
  if (others)
    printf("(a distance: kg/s and m^2/s; a spin: N m s and rad/s)\n");
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
      {"less dissipated", audit->dissipated, true},
      {"  of it by separating contacts", audit->dissipated_separating, false},
      {"  of it by restitution", audit->dissipated_restitution, false},
      {"  of it by friction", audit->dissipated_friction, false},
      {"  of it by position correction", audit->dissipated_bounds, false},
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
  printf("  %-32s %14s   identity %.1e, momentum %.1e, complementarity %.1e\n", "check",
         audit->closed ? "closed" : "NOT CLOSED", audit->identity, audit->momentum,
         audit->complementarity);
  if (audit->wrong_signs > 0)
    printf("  %d interaction%s energy although the law dissipates\n", audit->wrong_signs,
           audit->wrong_signs == 1 ? " gives" : "s give");
}

static void print_certificate(const pc_certificate *certificate)
{
  if (!certificate->certified) {
    printf("error of the velocities: not certified, because %s\n", certificate->reason);
    return;
  }
  printf("velocities exact to %.1e m/s (root mean square by mass), certified\n", certificate->rms);
  printf("  in the energy norm the error is between %.1e and %.1e kg^1/2 m/s\n", certificate->least,
         certificate->bound);
  if (certificate->shift > 0)
    printf("  for contacts and ties that are met to %.1e m/s\n", certificate->shift);
  if (certificate->frozen)
    printf(
        "  for given thresholds of friction; an estimate for Coulomb's law, which may have other "
        "solutions\n");
}

// `certificate` may be NULL.
static void print_tables(const pc_scene_impact *scene, const pc_solve_info *info,
                         const pc_certificate *certificate, const app_heat *heat, bool quasi_static)
{
  if (scene->title != NULL)
    printf("%s\n", scene->title);
  if (info->status == PC_FAILED) {
    printf("failed: there is no answer\n");
    return;
  }
  printf("%s by %s: %d iteration%s, %d island%s, residual %.1e, %.3g ms\n",
         pc_solve_status_name(info->status), info->solver, info->iterations,
         app_plural(info->iterations), info->islands, app_plural(info->islands), info->residual,
         1e3 * info->time_s);
  if (certificate != NULL)
    print_certificate(certificate);
  if (scene->fclib) {
    int equalities = pc_impact_interactions(scene->problem) - scene->contacts, pushing = 0;
    for (int k = 0; k < scene->contacts; k++) {
      pc_interaction_answer answer;
      pc_impact_answer(scene->problem, k, &answer);
      pushing += answer.percussion[0] < 0;
    }
    printf("FCLIB problem: %d contacts, %d of them push (--json has velocities and impulses)\n",
           scene->contacts, pushing);
    if (equalities > 0)
      printf("%d equalit%s beside them\n", equalities, equalities == 1 ? "y" : "ies");
    if (scene->solution != NULL)
      printf("largest difference from the velocities of the file's solution: %.2g m/s\n",
             solution_distance(scene));
    if (scene->bodies == 0)
      return;
  } else {
    print_bodies(scene);
    print_interactions(scene);
  }
  print_balance(&info->audit);
  if (quasi_static)
    printf("  quasi-static: inertia is neglected, so energy and momentum need not balance\n");
  app_heat_print(scene, heat, MOST_ROWS);
}

// Reports on stderr why the tolerance was not reached.
static void explain(const char *path, const pc_impact *problem, const pc_solve_options *options,
                    const pc_solve_info *info)
{
  pc_text name = pc_text_path(path);
  const char *file = name.text, *reason = pc_impact_error(problem);
  if (*reason != 0)
    app_complain("percuss solve: %s: %s", file, reason);
  else if (info->status == PC_FAILED)
    app_complain("percuss solve: %s: failed: %s found no finite answer", file, info->solver);
  else
    app_complain("percuss solve: %s: not solved to %.3g: residual %.1e after %d iteration%s of %s; "
                 "the best iterate is given",
                 file, options->tolerance, info->residual, info->iterations,
                 app_plural(info->iterations), info->solver);
}

int app_solve_impact(const char *path, bool as_json, bool certify, pc_solve_options *options)
{
  pc_error error;
  pc_scene_impact scene;
  if (pc_scene_read_impact(path, &scene, &error) != PC_OK)
    return app_complain_error(&error, NULL);
  options->quasi_static = options->quasi_static || scene.quasi_static;
  pc_solve_info info;
  pc_status status = pc_impact_solve(scene.problem, options, &info);
  pc_certificate certificate, *asked = NULL;
  if (certify && status == PC_OK && info.status != PC_FAILED) {
    status = pc_impact_certify(scene.problem, options, &certificate);
    asked = status == PC_OK ? &certificate : NULL;
  }
  int result;
  if (status == PC_ERROR_ARGUMENT || status == PC_ERROR_INPUT) {
    pc_text name = pc_text_path(path);
    result = app_complain("percuss solve: %s: %s", name.text, pc_impact_error(scene.problem));
  } else {
    if (status != PC_OK)
      info.status = PC_FAILED;
    app_heat heat;
    app_heat_solve(&scene, info.status != PC_FAILED, &heat);
    bool warm = scene.heat == NULL || heat.answered;
    if (as_json)
      write_json(&scene, &info, asked, &heat);
    else
      print_tables(&scene, &info, asked, &heat, options->quasi_static);
    if (info.status != PC_SOLVED)
      explain(path, scene.problem, options, &info);
    else if (!warm)
      app_complain("percuss solve: %s: %s", pc_text_path(path).text, heat.error.text);
    result = info.status == PC_SOLVED && warm ? APP_OK : APP_FAILED;
    app_heat_free(&heat);
  }
  pc_scene_impact_free(&scene);
  return result;
}
