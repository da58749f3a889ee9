// One collision of `percuss solve`: its solution, its JSON and its complaints.
#include "app/solve_collision.h"

#include <math.h>
#include <stdlib.h>

#include "app/app.h"
#include "core/array.h"
#include "scene/text.h"

const char *const app_axis_names[PC_MAX_DOF + 1][PC_MAX_DOF] = {
    [1] = {"v"},
    [2] = {"vx", "vy"},
    [3] = {"vx", "vy", "spin"},
    [6] = {"vx", "vy", "vz", "wx", "wy", "wz"}};

double app_tidy(double value, double scale)
{
  return fabs(value) <= 1e-12 * scale ? 0 : value;
}

int app_collision_solve(const char *path, const pc_scene_impact *scene, bool certify,
                        const pc_solve_options *given, app_collision *collision)
{
  *collision = (app_collision){.scene = scene, .options = *given};
  pc_solve_options *options = &collision->options;
  pc_solve_info *info = &collision->info;
  options->quasi_static = options->quasi_static || scene->quasi_static;
  pc_status status = pc_impact_solve(scene->problem, options, info);
  if (certify && status == PC_OK && info->status != PC_FAILED) {
    status = pc_impact_certify(scene->problem, options, &collision->certificate);
    collision->certified = status == PC_OK;
  }
  if (status == PC_ERROR_ARGUMENT || status == PC_ERROR_INPUT)
    return app_complain("percuss solve: %s: %s", pc_text_path(path).text,
                        pc_impact_error(scene->problem));
  if (status != PC_OK)
    info->status = PC_FAILED;
  app_heat_solve(scene, info->status != PC_FAILED, &collision->heat);
  bool warm = scene->heat == NULL || collision->heat.answered;
  return info->status == PC_SOLVED && warm ? APP_OK : APP_FAILED;
}

void app_collision_free(app_collision *collision)
{
  app_heat_free(&collision->heat);
}

void app_collision_explain(const app_collision *collision, const char *name)
{
  const pc_solve_info *info = &collision->info;
  const char *reason = pc_impact_error(collision->scene->problem);
  if (info->status == PC_SOLVED)
    app_complain("percuss solve: %s: %s", name, collision->heat.error.text);
  else if (*reason != 0)
    app_complain("percuss solve: %s: %s", name, reason);
  else if (info->status == PC_FAILED)
    app_complain("percuss solve: %s: failed: solver %s found no finite solution", name,
                 info->solver);
  else
    app_complain("percuss solve: %s: tolerance %.3g not reached: residual %.1e after %d "
                 "iteration%s of %s; the best iterate is printed",
                 name, collision->options.tolerance, info->residual, info->iterations,
                 app_plural(info->iterations), info->solver);
}

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

int app_rolling_numbers(const pc_scene_impact *scene, int k, const pc_interaction_answer *answer)
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
  int rolling = app_rolling_numbers(scene, k, &answer), size = answer.size - rolling;
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

double app_solution_distance(const pc_scene_impact *scene)
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
  pc_json_key(json, "mirrored"), pc_json_boolean(json, scene->mirrored);
  pc_json_key(json, "solution_distance");
  write_number(json, answered, app_solution_distance(scene));
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

void app_collision_write(pc_json *json, const app_collision *collision)
{
  const pc_scene_impact *scene = collision->scene;
  const pc_solve_info *info = &collision->info;
  bool answered = info->status != PC_FAILED;
  pc_json_key(json, "status"), pc_json_string(json, pc_solve_status_name(info->status));
  pc_json_key(json, "solver"), pc_json_string(json, info->solver);
  pc_json_key(json, "iterations"), pc_json_integer(json, info->iterations);
  pc_json_key(json, "residual"), write_number(json, answered, info->residual);
  pc_json_key(json, "time_s"), write_number(json, answered, info->time_s);
  if (scene->fclib) {
    write_fclib(json, scene, answered);
  } else {
    pc_json_key(json, "bodies");
    pc_json_open(json, '[');
    for (int i = 0; i < scene->bodies; i++) {
      double velocity[PC_MAX_DOF];
      pc_impact_velocity(scene->problem, i, velocity);
      for (int c = 0; c < PC_MAX_DOF && !answered; c++)
        velocity[c] = NAN;
      pc_json_open(json, '{');
      pc_json_key(json, "id"), pc_json_string(json, scene->body_ids[i]);
      pc_json_key(json, "velocity");
      pc_json_vector(json, velocity, pc_impact_dof(scene->problem, i));
      app_heat_write_body(json, &collision->heat, i);
      pc_json_close(json);
    }
    pc_json_close(json);
    pc_json_key(json, "interactions");
    pc_json_open(json, '[');
    for (int k = 0; k < pc_impact_interactions(scene->problem); k++)
      write_interaction(json, scene, answered, k);
    pc_json_close(json);
  }
  pc_json_key(json, "kinetic_before"), write_number(json, answered, info->audit.kinetic_before);
  pc_json_key(json, "kinetic_after"), write_number(json, answered, info->audit.kinetic_after);
  pc_json_key(json, "dissipated"), write_number(json, answered, info->audit.dissipated);
  pc_json_key(json, "audit");
  write_audit(json, answered, &info->audit);
  if (collision->certified)
    pc_json_key(json, "certificate"), write_certificate(json, &collision->certificate);
  app_heat_write(json, scene, &collision->heat);
}
