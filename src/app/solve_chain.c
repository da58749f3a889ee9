// percuss solve of a chain: one impact of balls on a line, as tables or as JSON.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/solve.h"
#include "core/json.h"
#include "percuss/scene.h"
#include "scene/text.h"

enum { MOST_ROWS = 60 }; // of a table

typedef struct outcome {
  pc_scene scene;
  pc_chain_answer answer;
  bool answered, bounded;
  pc_chain_bounds bounds;
  double tolerance;
  int balls, contacts, first; // first: the contact of the first two balls
} outcome;

static const char *pattern_name(pc_chain_pattern pattern)
{
  static const char *const names[] = {NULL, "I", "II", "III"};
  return names[pattern];
}

static void write_array(pc_json *json, const outcome *o, const double *values, int count)
{
  pc_json_open(json, '[');
  for (int i = 0; i < count; i++)
    pc_json_number(json, o->answered ? values[i] + 0.0 : NAN);
  pc_json_close(json);
}

static void write_field(pc_json *json, const outcome *o, const char *name, double value)
{
  pc_json_key(json, name), pc_json_number(json, o->answered ? value : NAN);
}

static void write_measures(pc_json *json, const outcome *o)
{
  const pc_chain_measures *m = &o->answer.measures;
  write_field(json, o, "ker", m->ker);
  write_field(json, o, "ker_min", m->ker_min);
  write_field(json, o, "cke", m->cke);
  write_field(json, o, "cke_min", o->bounded ? o->bounds.min.found : NAN);
  write_field(json, o, "cke_max", o->bounded ? o->bounds.max.found : NAN);
  write_field(json, o, "cke_min_gap", o->bounded ? o->bounds.min.gap : NAN);
  write_field(json, o, "cke_max_gap", o->bounded ? o->bounds.max.gap : NAN);
  pc_json_key(json, "pattern");
  pc_json_string(json, o->answered ? pattern_name(m->pattern) : NULL);
  pc_json_key(json, "kinematic");
  pc_json_boolean(json, o->answered && m->kinematic && o->answer.walls_kept);
  pc_json_key(json, "kinetic"), pc_json_boolean(json, o->answered && m->kinetic);
  pc_json_key(json, "energetic"), pc_json_boolean(json, o->answered && m->energetic);
  write_field(json, o, "kinetic_before", m->kinetic_before);
  write_field(json, o, "kinetic_after", m->kinetic_after);
  write_field(json, o, "momentum_before", m->momentum_before);
  write_field(json, o, "momentum_after", m->momentum_after);
}

static void write_json(const outcome *o)
{
  const pc_chain_answer *a = &o->answer;
  const pc_chain *chain = &o->scene.chain->chain;
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "status"), pc_json_string(&json, pc_solve_status_name(a->status));
  pc_json_key(&json, "law"), pc_json_string(&json, pc_chain_law_name(o->scene.chain->law.kind));
  pc_json_key(&json, "steps"), pc_json_integer(&json, a->steps);
  write_field(&json, o, "residual", a->residual);
  write_field(&json, o, "time_s", a->time_s);
  pc_json_key(&json, "velocity"), write_array(&json, o, a->velocity, o->balls);
  pc_json_key(&json, "percussion");
  write_array(&json, o, a->percussion + o->first, o->balls - 1);
  pc_json_key(&json, "dissipated");
  write_array(&json, o, a->dissipated + o->first, o->balls - 1);
  pc_json_key(&json, "walls"); // impulses on them
  pc_json_open(&json, '[');
  pc_json_number(&json, o->answered && chain->wall_left ? a->percussion[0] : NAN);
  pc_json_number(&json, o->answered && chain->wall_right ? a->percussion[o->contacts - 1] : NAN);
  pc_json_close(&json);
  write_measures(&json, o);
  write_field(&json, o, "distant", a->distant);
  write_field(&json, o, "stored", a->stored);
  write_field(&json, o, "duration_s", a->duration);
  write_field(&json, o, "matrix_gain", a->matrix_gain);
  pc_json_close(&json);
}

static void print_balls(const outcome *o)
{
  const pc_chain *chain = &o->scene.chain->chain;
  const pc_chain_measures *m = &o->answer.measures;
  double largest = 0;
  for (int i = 0; i < o->balls; i++)
    largest = fmax(largest, fmax(fabs(chain->velocity[i]), fabs(o->answer.velocity[i])));
  double noise = fmax(o->tolerance, 1e-12) * largest;
  printf("\n%5s %12s %12s %12s %10s\n", "ball", "mass", "before", "after", "energy");
  printf("%5s %12s %12s %12s %10s\n", "", "kg", "m/s", "m/s", "share");
  int shown = o->balls > MOST_ROWS ? MOST_ROWS : o->balls;
  for (int n = 0; n < shown; n++) {
    int i = n < shown / 2 ? n : o->balls - shown + n; // both ends of a long chain
    if (n == shown / 2 && shown < o->balls)
      printf("  ... %d more (--json prints all)\n", o->balls - shown);
    double v = o->answer.velocity[i], energy = chain->mass[i] * v * v / 2;
    printf("%5d %12.6g %12.6g %12.6g %10.5f\n", i + 1, chain->mass[i], chain->velocity[i],
           fabs(v) < noise ? 0 : v, m->kinetic_after > 0 ? energy / m->kinetic_after : 0);
  }
}

static void print_contacts(const outcome *o)
{
  printf("\n%9s %12s %12s\n", "contact", "impulse", "dissipated");
  printf("%9s %12s %12s\n", "", "N s", "J");
  int shown = o->contacts > MOST_ROWS ? MOST_ROWS : o->contacts;
  double noise = fmax(10 * o->answer.residual, 1e-9) * o->answer.measures.kinetic_before;
  for (int n = 0; n < shown; n++) {
    int i = n < shown / 2 ? n : o->contacts - shown + n, ball = i - o->first;
    if (n == shown / 2 && shown < o->contacts)
      printf("  ... %d more\n", o->contacts - shown);
    char name[40];
    if (ball < 0 || ball + 1 >= o->balls)
      snprintf(name, sizeof name, "%s wall", ball < 0 ? "left" : "right");
    else
      snprintf(name, sizeof name, "%d-%d", ball + 1, ball + 2);
    double lost = o->answer.dissipated[i];
    printf("%9s %12.6g %12.6g\n", name, o->answer.percussion[i], fabs(lost) < noise ? 0 : lost);
  }
}

static void print_measures(const outcome *o)
{
  const pc_chain_answer *a = &o->answer;
  const pc_chain_measures *m = &a->measures;
  const char *pattern = pattern_name(m->pattern);
  printf("\n"
         "  energy ratio, KER    %.6f of %.6g J (minimum: %.6f)\n",
         m->ker, m->kinetic_before, m->ker_min);
  printf("  dispersion, C_KE     %.6f (possible: 0 to %.6f)\n", m->cke, sqrt(o->balls - 1.0));
  if (o->bounded)
    printf("  C_KE for this KER    %.6f to %.6f, proven to within %.0e and %.0e\n",
           o->bounds.min.found, o->bounds.max.found, o->bounds.min.gap, o->bounds.max.gap);
  else if (o->scene.chain->bounds)
    printf("  C_KE for this KER    not computed: bounds exist for up to %d balls without walls\n",
           PC_CHAIN_MOST_BOUNDED);
  if (a->distant != 0)
    printf("  lost at a distance   %.6g J\n", a->distant);
  if (a->stored > 1e-9 * m->kinetic_before)
    printf("  stored in contacts   %.6g J\n", a->stored);
  printf("  motion pattern       %s: %d ball%s rebound%s\n", pattern != NULL ? pattern : "none",
         m->rebounds, app_plural(m->rebounds), m->rebounds == 1 ? "s" : "");
  printf("  consistency          kinematic %s, kinetic %s, energetic %s\n",
         m->kinematic && a->walls_kept ? "yes" : "NO", m->kinetic ? "yes" : "NO",
         m->energetic ? "yes" : "NO");
  if (!(a->matrix_gain <= 1 + 1e-9) && !isnan(a->matrix_gain))
    printf("  this restitution matrix can multiply the energy of a relative motion by %.6g\n",
           a->matrix_gain);
}

static void print_tables(const outcome *o)
{
  if (o->scene.title != NULL)
    printf("%s\n", o->scene.title);
  if (!o->answered) {
    printf("failed: no solution found\n");
    return;
  }
  const pc_chain_answer *a = &o->answer;
  printf("%s by %s: %ld step%s, residual %.1e, %.3g ms", pc_solve_status_name(a->status),
         pc_chain_law_name(o->scene.chain->law.kind), a->steps, app_plural(a->steps), a->residual,
         1e3 * a->time_s);
  if (a->duration > 0 && (o->scene.chain->timed || o->scene.chain->law.kind == PC_CHAIN_SEQUENTIAL))
    printf("; the impact lasts %.4g s", a->duration);
  printf("\n");
  print_balls(o);
  print_contacts(o);
  print_measures(o);
}

static pc_status solve(outcome *o, const pc_solve_options *options, pc_error *error)
{
  pc_chain_options chain_options = pc_chain_options_default();
  chain_options.tolerance = o->tolerance = options->tolerance;
  chain_options.max_steps = options->max_iterations;
  chain_options.duration = o->scene.chain->duration;
  pc_status status = pc_chain_solve(&o->scene.chain->chain, &o->scene.chain->law, &chain_options,
                                    &o->answer, error);
  o->answered = status == PC_OK;
  // The bounds are for balls among themselves.
  const pc_chain *chain = &o->scene.chain->chain;
  if (!o->answered || !o->scene.chain->bounds || !pc_chain_has_bounds(chain))
    return status;
  const pc_chain_measures *m = &o->answer.measures;
  status = pc_chain_bound((size_t)chain->balls, chain->mass, chain->velocity,
                          fmax(m->ker, m->ker_min), NULL, &o->bounds, NULL, NULL, error);
  o->bounded = status == PC_OK;
  return status;
}

// Whether there is a collision at the start, or the law treats flights through gaps.
static bool has_impact(const pc_scene_chain *scene)
{
  const pc_chain *chain = &scene->chain;
  if (scene->law.kind == PC_CHAIN_HERTZ || scene->law.kind == PC_CHAIN_SEQUENTIAL)
    return true;
  for (int i = 0; i < pc_chain_contacts(chain); i++)
    if (chain->contact[i].gap == 0 && pc_chain_approach_at(chain, chain->velocity, i) > 0)
      return true;
  return false;
}

int app_solve_chain(const char *path, bool as_json, const pc_solve_options *options)
{
  outcome o = {.answered = false};
  pc_error error;
  if (pc_scene_read(path, &o.scene, &error) != PC_OK)
    return app_complain_file(path, &error);
  if (!has_impact(o.scene.chain)) {
    pc_scene_free(&o.scene);
    return app_complain("percuss solve: %s: no impact: no touching balls approach each other; use "
                        "'percuss run' to simulate their flight",
                        pc_text_path(path).text);
  }
  o.balls = o.scene.chain->chain.balls;
  o.contacts = pc_chain_contacts(&o.scene.chain->chain);
  o.first = o.scene.chain->chain.wall_left;
  size_t size = sizeof(double) * (size_t)(o.balls + 1);
  o.answer.velocity = malloc(size);
  o.answer.percussion = malloc(size);
  o.answer.dissipated = malloc(size);
  pc_text name = pc_text_path(path);
  int result = APP_FAILED;
  bool room =
      o.answer.velocity != NULL && o.answer.percussion != NULL && o.answer.dissipated != NULL;
  pc_status status = room ? solve(&o, options, &error) : PC_ERROR_MEMORY;
  if (!room) {
    app_complain("percuss solve: %s: out of memory", name.text);
  } else if (status == PC_ERROR_ARGUMENT || status == PC_ERROR_INPUT) {
    result = app_complain("percuss solve: %s: %s", name.text, error.text);
  } else {
    if (as_json)
      write_json(&o);
    else
      print_tables(&o);
    if (status != PC_OK)
      app_complain("percuss solve: %s: failed: %s", name.text, error.text);
    else if (o.answer.status != PC_SOLVED)
      app_complain("percuss solve: %s: not solved: stopped after %ld steps with residual %.1e",
                   name.text, o.answer.steps, o.answer.residual);
    result = status == PC_OK && o.answer.status == PC_SOLVED ? APP_OK : APP_FAILED;
  }
  free(o.answer.velocity);
  free(o.answer.percussion);
  free(o.answer.dissipated);
  pc_scene_free(&o.scene);
  return result;
}
