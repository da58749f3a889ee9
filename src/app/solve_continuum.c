// percuss solve of a continuum: one collision on a mesh, as tables or as JSON.
#include <math.h>
#include <stdio.h>

#include "app/app.h"
#include "app/solve.h"
#include "app/summary.h"
#include "core/array.h"
#include "core/json.h"
#include "scene/continuum.h"
#include "scene/text.h"

static void write_field(pc_json *json, const char *name, double value)
{
  pc_json_key(json, name), pc_json_number(json, value + 0.0);
}

static void write_vector(pc_json *json, const char *name, const double *value, int count)
{
  pc_json_key(json, name), pc_json_vector(json, value, count);
}

static void write_bodies(pc_json *json, const pc_continuum_answer *a)
{
  pc_json_key(json, "bodies"), pc_json_open(json, '[');
  for (int i = 0; i < a->bodies; i++) {
    const pc_continuum_body *b = &a->body[i];
    pc_json_open(json, '{');
    pc_json_key(json, "name"), pc_json_string(json, b->name);
    int numbers = a->dimension == 3 ? 6 : 3;
    write_vector(json, "before", b->before, numbers);
    write_vector(json, "velocity", b->after, numbers);
    write_vector(json, "percussion", b->percussion, numbers);
    pc_json_close(json);
  }
  pc_json_close(json);
}

static void write_touches(pc_json *json, const pc_continuum_answer *a)
{
  pc_json_key(json, "touches"), pc_json_open(json, '[');
  for (int i = 0; i < a->touches; i++) {
    const pc_continuum_touch *t = &a->touch[i];
    pc_json_open(json, '{');
    pc_json_key(json, "name"), pc_json_string(json, t->name);
    pc_json_key(json, "nodes"), pc_json_integer(json, t->nodes);
    pc_json_key(json, "staying"), pc_json_integer(json, t->staying);
    write_field(json, "length", t->length);
    write_field(json, "resultant", t->resultant[0]);
    write_field(json, "friction", t->resultant[1]);
    write_vector(json, "force", t->force, a->dimension);
    write_field(json, "mean", t->mean);
    write_field(json, "peak", t->peak);
    write_field(json, "peak_friction", t->peak_friction);
    write_field(json, "pressure", t->pressure);
    write_vector(json, "w_n", (double[]){t->slip_low[0], t->slip_high[0]}, 2);
    write_vector(json, "w_t", (double[]){t->slip_low[1], t->slip_high[1]}, 2);
    write_vector(json, "velocity_low", t->velocity_low, a->dimension);
    write_vector(json, "velocity_high", t->velocity_high, a->dimension);
    pc_json_close(json);
  }
  pc_json_close(json);
}

static void write_medium_heat(pc_json *json, const pc_continuum_medium *m)
{
  pc_json_key(json, "heat"), pc_json_open(json, '{');
  write_field(json, "temperature_before", m->temperature_before);
  write_field(json, "temperature_low", m->temperature_low);
  write_field(json, "temperature_mean", m->temperature_mean);
  write_field(json, "temperature_high", m->temperature_high);
  if (m->fractions > 0) {
    write_vector(json, "fraction_before", m->fraction_before, m->fractions);
    write_vector(json, "fraction_low", m->fraction_low, m->fractions);
    write_vector(json, "fraction_mean", m->fraction_mean, m->fractions);
    write_vector(json, "fraction_high", m->fraction_high, m->fractions);
    write_field(json, "changed", m->changed);
  }
  pc_json_close(json);
}

static void write_media(pc_json *json, const pc_continuum_answer *a)
{
  pc_json_key(json, "media"), pc_json_open(json, '[');
  for (int i = 0; i < a->media; i++) {
    const pc_continuum_medium *m = &a->medium[i];
    pc_json_open(json, '{');
    pc_json_key(json, "name"), pc_json_string(json, m->name);
    pc_json_key(json, "fluid"), pc_json_boolean(json, m->fluid);
    write_field(json, "mass", m->mass);
    write_vector(json, "velocity_low", m->velocity_low, a->dimension);
    write_vector(json, "velocity_high", m->velocity_high, a->dimension);
    write_field(json, "pressure_mean", m->pressure_mean);
    write_field(json, "pressure_low", m->pressure_low);
    write_field(json, "pressure_high", m->pressure_high);
    int stresses = a->dimension * (a->dimension + 1) / 2;
    write_vector(json, "stress_low", m->stress_low, stresses);
    write_vector(json, "stress_high", m->stress_high, stresses);
    if (m->heated)
      write_medium_heat(json, m);
    pc_json_close(json);
  }
  pc_json_close(json);
}

#define NUMBER(field) APP_NUMBER(pc_continuum_account, field)
static const app_number balance_numbers[] = { //
    NUMBER(kinetic_before), NUMBER(kinetic_after), NUMBER(work_pushes),     NUMBER(work_holds),
    NUMBER(volume),         NUMBER(surface),       NUMBER(reactions),       NUMBER(identity),
    NUMBER(momentum),       NUMBER(divergence),    NUMBER(complementarity), NUMBER(penetration)};
#undef NUMBER
#define NUMBER(field) APP_NUMBER(pc_continuum_heat, field)
static const app_number heat_numbers[] = { //
    NUMBER(residual),         NUMBER(energy_before),     NUMBER(energy_after),
    NUMBER(volume),           NUMBER(surface),           NUMBER(work),
    NUMBER(received),         NUMBER(entropy_before),    NUMBER(entropy_after),
    NUMBER(entropy_received), NUMBER(entropy_adiabatic), NUMBER(produced),
    NUMBER(identity)};

static void write_numbers(pc_json *json, int count, const app_number *numbers, const void *from)
{
  for (int i = 0; i < count; i++)
    write_field(json, numbers[i].name, app_number_of(&numbers[i], from));
}

static void write_heat(pc_json *json, const pc_continuum_heat *h)
{
  pc_json_key(json, "heat"), pc_json_open(json, '{');
  pc_json_key(json, "solved"), pc_json_boolean(json, h->solved);
  pc_json_key(json, "closed"), pc_json_boolean(json, h->closed);
  pc_json_key(json, "iterations"), pc_json_integer(json, h->iterations);
  write_numbers(json, PC_COUNT(heat_numbers), heat_numbers, h);
  pc_json_close(json);
}

static void write_json(const pc_continuum_answer *a, const char *status)
{
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "status"), pc_json_string(&json, status);
  pc_json_key(&json, "solved"), pc_json_boolean(&json, a->solved);
  pc_json_key(&json, "closed"), pc_json_boolean(&json, a->closed);
  pc_json_key(&json, "nodes"), pc_json_integer(&json, a->nodes);
  pc_json_key(&json, "iterations"), pc_json_integer(&json, a->iterations);
  write_field(&json, "residual", a->residual);
  write_field(&json, "time_s", a->time_s);
  write_bodies(&json, a);
  write_touches(&json, a);
  write_media(&json, a);
  pc_json_key(&json, "account"), pc_json_open(&json, '{');
  write_numbers(&json, PC_COUNT(balance_numbers), balance_numbers, &a->account);
  pc_json_close(&json);
  if (a->heated)
    write_heat(&json, &a->heat);
  pc_json_close(&json);
}

// Velocities that are round-off are shown as 0.
static double shown(double value, double largest)
{
  return fabs(value) > 1e-9 * largest ? value : 0;
}

static void print_bodies_in_space(const pc_continuum_answer *a, double speed)
{
  printf("\n%-16s %35s %35s\n", "body", "vx, vy, vz", "spins about x, y, z");
  printf("%-16s %35s %35s\n", "", "m/s", "rad/s");
  for (int i = 0; i < a->bodies; i++)
    for (int after = 0; after < 2; after++) {
      const pc_continuum_body *b = &a->body[i];
      printf("%-10.10s %-5s", after ? "" : pc_text_path(b->name).text, after ? "after" : "before");
      for (int k = 0; k < 6; k++)
        printf(" %11.5g", after ? shown(b->after[k], speed) : b->before[k]);
      printf("\n");
    }
}

static void print_bodies(const pc_continuum_answer *a, double speed)
{
  if (a->bodies == 0)
    return;
  if (a->dimension == 3) {
    print_bodies_in_space(a, speed);
    return;
  }
  printf("\n%-16s %25s %25s %10s %10s\n", "body", "before: vx, vy", "after: vx, vy", "spin before",
         "after");
  printf("%-16s %25s %25s %10s %10s\n", "", "m/s", "m/s", "rad/s", "rad/s");
  for (int i = 0; i < a->bodies; i++) {
    const pc_continuum_body *b = &a->body[i];
    printf("%-16.16s %12.5g %12.5g %12.5g %12.5g %10.4g %10.4g\n", pc_text_path(b->name).text,
           b->before[0], b->before[1], shown(b->after[0], speed), shown(b->after[1], speed),
           b->before[2], shown(b->after[2], speed));
  }
}

static void print_touches(const pc_continuum_answer *a, double speed)
{
  if (a->touches == 0)
    return;
  const char *total = pc_continuum_units_of(a->dimension).percussion;
  printf("\n%-16s %11s %11s %11s %11s %10s %10s %9s\n", "contact", "impulse", "friction", "mean",
         "peak", "w_N from", "to", "stay");
  printf("%-16s %11s %11s %11s %11s %10s %10s %9s\n", "", total, total, "Pa s", "Pa s", "m/s",
         "m/s", "of nodes");
  for (int i = 0; i < a->touches; i++) {
    const pc_continuum_touch *t = &a->touch[i];
    double size = fmax(fabs(t->resultant[0]), fabs(t->resultant[1]));
    char stay[32];
    snprintf(stay, sizeof stay, "%d/%d", t->staying, t->nodes);
    printf("%-16.16s %11.5g %11.5g %11.5g %11.5g %10.4g %10.4g %9s\n", pc_text_path(t->name).text,
           shown(t->resultant[0], size), shown(t->resultant[1], size), t->mean, t->peak,
           shown(t->slip_low[0], speed), shown(t->slip_high[0], speed), stay);
  }
}

static void print_media(const pc_continuum_answer *a, double speed)
{
  // Two columns of velocities: the horizontal and the vertical one.
  int up = a->dimension == 3 ? 2 : 1;
  printf("\n%-16s %10s %10s %10s %10s %11s %11s %11s\n", "after", "vx from", "to",
         up == 2 ? "vz from" : "vy from", "to", "pressure", "highest", "stress xx");
  printf("%-16s %10s %10s %10s %10s %11s %11s %11s\n", "", "m/s", "m/s", "m/s", "m/s", "Pa s",
         "Pa s", "Pa s");
  for (int i = 0; i < a->media; i++) {
    const pc_continuum_medium *m = &a->medium[i];
    char pressure[2][32] = {"-", "-"};
    if (m->fluid) {
      snprintf(pressure[0], sizeof *pressure, "%.5g", m->pressure_mean);
      snprintf(pressure[1], sizeof *pressure, "%.5g", m->pressure_high);
    }
    double low = m->stress_low[0], high = m->stress_high[0];
    printf("%-16.16s %10.4g %10.4g %10.4g %10.4g %11s %11s %11.5g\n", pc_text_path(m->name).text,
           shown(m->velocity_low[0], speed), shown(m->velocity_high[0], speed),
           shown(m->velocity_low[up], speed), shown(m->velocity_high[up], speed), pressure[0],
           pressure[1], fabs(low) > fabs(high) ? low : high);
  }
}

static void print_heat(const pc_continuum_answer *a)
{
  const char *volume = a->dimension == 2 ? "m^2" : "m";
  printf("\n%-16s %10s %10s %10s %10s  %-9s %9s %9s %9s %11s\n", "heat", "before", "after from",
         "mean", "to", "phase", "before", "mean", "to", "more of it");
  printf("%-16s %10s %10s %10s %10s  %-9s %9s %9s %9s %11s\n", "", "K", "K", "K", "K", "", "", "",
         "", volume);
  for (int i = 0; i < a->media; i++) {
    const pc_continuum_medium *m = &a->medium[i];
    if (!m->heated)
      continue;
    printf("%-16.16s %10.6g %10.6g %10.6g %10.6g", pc_text_path(m->name).text,
           m->temperature_before, m->temperature_low, m->temperature_mean, m->temperature_high);
    int k = m->fractions == 3 ? 2 : 0;
    if (m->fractions > 0)
      printf("  %-9s %9.4g %9.4g %9.4g %11.4g", k == 2 ? "austenite" : "liquid",
             m->fraction_before[k], m->fraction_mean[k], m->fraction_high[k], m->changed);
    printf("\n");
  }
}

static void print_heat_balance(const pc_continuum_heat *h, const pc_continuum_units *units)
{
  const char *unit = units->energy;
  double all = fabs(h->volume) + fabs(h->surface) + fabs(h->work) + fabs(h->received);
  printf("  heat             %.6g %s in volumes, %.6g on surfaces", h->volume, unit, h->surface);
  if (fabs(h->work) > 1e-12 * all)
    printf(", %.6g of work on phases", h->work);
  if (fabs(h->received) > 1e-12 * all)
    printf(", %.6g from outside", h->received);
  double given = fabs(h->entropy_received) + fabs(h->entropy_adiabatic);
  double least = 1e-12 * (fabs(h->produced) + given); // less is round-off
  printf("\n  entropy          %.6g %s produced", fabs(h->produced) > least ? h->produced : 0,
         units->entropy);
  if (fabs(h->entropy_received) > least)
    printf(", %.6g from outside with heat", h->entropy_received);
  if (fabs(h->entropy_adiabatic) > least)
    printf(", %.6g from outside without heat (adiabatic)", h->entropy_adiabatic);
  if (given > least)
    printf(": %.6g more", h->produced + h->entropy_received + h->entropy_adiabatic);
  printf("\n");
  printf("  heat balance     %s: relative error %.1e, residual %.1e\n",
         h->closed ? "closed" : "NOT CLOSED", h->identity, h->residual);
}

static void print_balance(const pc_continuum_answer *answer)
{
  const pc_continuum_account *a = &answer->account;
  const pc_continuum_units units = pc_continuum_units_of(answer->dimension);
  const char *unit = units.energy;
  double all =
      fabs(a->kinetic_before) + fabs(a->kinetic_after) + fabs(a->work_pushes) + fabs(a->work_holds);
  printf("\n  kinetic energy   %.6g %s before, %.6g %s after\n", a->kinetic_before, unit,
         shown(a->kinetic_after, all), unit);
  if (fabs(a->work_pushes) > 1e-12 * all)
    printf("  work of pushes   %.6g %s\n", a->work_pushes, unit);
  if (fabs(a->work_holds) > 1e-12 * all)
    printf("  work of holds    %.6g %s, by prescribed velocities\n", a->work_holds, unit);
  printf("  dissipated       %.6g %s in volumes, %.6g on surfaces, %.6g by contact reactions\n",
         shown(a->volume, all), unit, shown(a->surface, all), shown(a->reactions, all));
  printf("  energy balance   %s: relative errors: energy %.1e, momentum %.1e, divergence %.1e\n",
         a->closed ? "closed" : "NOT CLOSED", a->identity, a->momentum, a->divergence);
  if (answer->heated)
    print_heat_balance(&answer->heat, &units);
}

void app_continuum_print(const pc_continuum_answer *a)
{
  double speed = 0;
  for (int i = 0; i < a->media; i++)
    for (int k = 0; k < a->dimension; k++)
      speed = fmax(speed,
                   fmax(fabs(a->medium[i].velocity_low[k]), fabs(a->medium[i].velocity_high[k])));
  for (int i = 0; i < a->points; i++)
    speed = fmax(speed, fmax(fabs(a->point[i].before[0]), fabs(a->point[i].before[1])));
  print_bodies(a, speed);
  print_touches(a, speed);
  print_media(a, speed);
  if (a->heated)
    print_heat(a);
  print_balance(a);
}

static void print_tables(const pc_scene *scene, const pc_continuum_answer *a, const char *status)
{
  if (scene->title != NULL)
    printf("%s\n", scene->title);
  printf("%s: %d nodes, %d of them on contacts, %d iteration%s, residual %.1e, %.3g s\n", status,
         a->nodes, a->points, a->iterations, app_plural(a->iterations), a->residual, a->time_s);
  if (scene->plan.members > 1)
    printf("the first of %d; 'percuss run' writes all of them\n", scene->plan.members);
  app_continuum_print(a);
}

int app_solve_continuum(const char *path, bool as_json, double tolerance)
{
  pc_scene scene;
  pc_error error;
  pc_continuum_answer answer;
  if (pc_scene_read(path, &scene, &error) != PC_OK)
    return app_complain_file(path, &error);
  pc_text name = pc_text_path(path);
  pc_status status = pc_continuum_solve(scene.continuum, tolerance, &answer, &error);
  int result = status == PC_OK && answer.solved && answer.closed ? APP_OK : APP_FAILED;
  if (status == PC_ERROR_ARGUMENT || status == PC_ERROR_INPUT) {
    result = app_complain("percuss solve: %s: %s", name.text, error.text);
  } else if (status != PC_OK) {
    app_complain("percuss solve: %s: failed: %s", name.text, error.text);
  } else {
    const char *word = pc_solve_status_name(answer.solved ? PC_SOLVED : PC_INACCURATE);
    if (as_json)
      write_json(&answer, word);
    else
      print_tables(&scene, &answer, word);
    const pc_continuum_heat *heat = &answer.heat;
    if (answer.heated && !(heat->solved && heat->closed))
      app_complain(
          "percuss solve: %s: temperatures not solved: residual %.1e, energy balance error %.1e",
          name.text, heat->residual, heat->identity);
    else if (!answer.solved)
      app_complain("percuss solve: %s: not solved: residual %.1e after %d iterations", name.text,
                   answer.residual, answer.iterations);
    else if (!answer.closed)
      app_complain("percuss solve: %s: the energy balance is not closed; relative errors: energy "
                   "%.1e, momentum %.1e, divergence %.1e, complementarity %.1e",
                   name.text, answer.account.identity, answer.account.momentum,
                   answer.account.divergence, answer.account.complementarity);
  }
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
  return result;
}
