// León's thesis (2016), 6.1: four impacts on a wall of nine gabions, from the scene that
// `percuss run` runs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "percuss/run.h"
#include "percuss/shape.h"
#include "trial.h"

enum { IMPACTS = 4, STEPS = 100, GABIONS = 9, GRAINS = 216 };

static const double energy[IMPACTS] = {2000, 4000, 8000, 10000}; // J: 20, 40, 80, 100 % of 10 kJ

typedef struct watch {
  const pc_scene *scene;
  const pc_sensor *back; // the grains at the back of the middle gabion
  pc_body ball;
  double start;                               // of the back: mean x
  double thrown[IMPACTS], last[IMPACTS];      // speed of the ball in the first and last step
  double largest[IMPACTS], contacts[IMPACTS]; // displacement of the back; mean number of contacts
  double force[IMPACTS];                      // largest force of the sand, N
  double pull, push;                          // largest of the sand on a grain, N
  long open, above;
} watch;

static double mean_x(const watch *w)
{
  double sum = 0;
  for (int i = 0; i < w->back->count; i++) {
    pc_body_state state;
    pc_body_get(w->scene->world, w->back->bodies[i], &state);
    sum += state.position[0] / w->back->count;
  }
  return sum;
}

static double sand_force(watch *w)
{
  double sum = 0;
  for (int e = 0; e < w->scene->elements; e++) {
    double force[3], stored;
    if (w->scene->element[e].body.id == 0)
      continue;
    pc_world_element_force(w->scene->world, e, force, &stored);
    w->pull = fmax(w->pull, force[0]);
    w->push = fmax(w->push, -force[0]);
    sum -= force[0];
  }
  return sum;
}

static bool look(void *context, const pc_run_progress *progress)
{
  watch *w = context;
  const pc_step_info *info = progress->info;
  int k = (int)((progress->step - 1) / STEPS);
  if (progress->step == 0) {
    w->start = mean_x(w);
    return true;
  }
  if (k >= IMPACTS)
    return false;
  pc_body_state ball;
  pc_body_get(w->scene->world, w->ball, &ball);
  if ((progress->step - 1) % STEPS == 0)
    w->thrown[k] = ball.velocity[0];
  w->last[k] = ball.velocity[0];
  w->largest[k] = fmax(w->largest[k], mean_x(w) - w->start);
  w->contacts[k] += (double)info->contacts / STEPS;
  w->force[k] = fmax(w->force[k], sand_force(w));
  w->open += !info->closed;
  w->above += !(info->residual <= 1e-6);
  return true;
}

// Number of gabions of 216 grains, and of those that no other equals in mass.
static int count_gabions(const pc_scene *scene, int *different)
{
  double mass[GABIONS] = {0};
  int grains[GABIONS] = {0}, whole = 0;
  for (int i = 0; i < scene->bodies; i++)
    if (strncmp(scene->names[i], "gabion-", 7) == 0) {
      int k = scene->names[i][7] - '1';
      if (k < 0 || k >= GABIONS)
        continue;
      mass[k] += pc_body_get_mass(scene->world, (pc_body){i + 1});
      grains[k]++;
    }
  *different = 0;
  for (int k = 0; k < GABIONS; k++) {
    bool alone = true;
    for (int l = 0; l < GABIONS; l++)
      alone = alone && (l == k || mass[l] != mass[k]);
    whole += grains[k] == GRAINS;
    *different += alone;
  }
  return whole;
}

static void report_wall(pc_report *report, const watch *w)
{
  const pc_scene *scene = w->scene;
  int different, whole = count_gabions(scene, &different), grains = 0;
  double volume = 0;
  for (int i = 0; i < scene->bodies; i++)
    if (strncmp(scene->names[i], "gabion-", 7) == 0) {
      grains++;
      volume += pc_shape_mass(pc_body_get_shape(scene->world, (pc_body){i + 1})).volume;
    }
  pc_report_input(report, "grains", "grains of the wall", 1944, grains, "1", 0, NULL);
  pc_report_input(report, "gabions", "gabions of 216 grains", 9, whole, "1", 0, NULL);
  pc_report_input(report, "different", "gabions that differ from all others", 9, different, "1", 0,
                  "by their mass: other seeds");
  pc_report_derived(report, "volume", "mean volume of a grain", 3.5594e-4, volume / grains, "m^3",
                    1.5e-5,
                    "b c (a + 2 d/3) of the mean sizes; the mean of 1944 draws of +-23 % in each "
                    "of four sizes has a standard error of 2e-6");
}

static void report_impacts(pc_report *report, const watch *w)
{
  int moving = 0, shrinking = 0;
  for (int k = 0; k < IMPACTS; k++) {
    pc_report_input(report, pc_report_name(report, "energy-%d", k + 1),
                    "energy of the ball at launch", energy[k],
                    0.5 * 260 * w->thrown[k] * w->thrown[k], "J", 0.2,
                    "the given share of 10 kJ; the speeds have five digits, and the ball does not "
                    "touch yet in its first step");
    pc_report_published(report, pc_report_name(report, "contacts-%d", k + 1),
                        "contacts of a step, mean", 7400, w->contacts[k], "1", 1200,
                        "published: 6200 to 8600");
    moving += !(w->last[k] <= 0);
    shrinking += k > 0 && !(w->largest[k] > w->largest[k - 1]);
  }
  pc_report_property(report, "stopped", "impacts after which the ball still moves into the wall",
                     moving, "its velocity after 100 steps");
  char note[160];
  snprintf(note, sizeof note,
           "largest: %.1f, %.1f, %.1f and %.1f mm; forces of the sand: %.1f, "
           "%.1f, %.1f and %.1f kN",
           1e3 * w->largest[0], 1e3 * w->largest[1], 1e3 * w->largest[2], 1e3 * w->largest[3],
           1e-3 * w->force[0], 1e-3 * w->force[1], 1e-3 * w->force[2], 1e-3 * w->force[3]);
  pc_report_property(
      report, "back",
      "impacts whose largest displacement of the back does not exceed that of the impact before",
      shrinking, note);
  pc_report_derived(report, "sand", "largest pull of the sand on a grain over its largest push", 0,
                    w->pull / w->push, "1", 0.01,
                    "sand does not pull; a spring is linear within a step, so that it pulls a "
                    "little in the one in which its grain leaves");
}

static void run_wall(pc_report *report, const char *name, bool wall)
{
  pc_trial trial = pc_trial_start("leon", name, NULL, NULL);
  pc_scene *scene = &trial.scene;
  watch w = {.scene = scene};
  bool fine = trial.fine;
  for (int i = 0; fine && i < scene->sensors; i++)
    if (strcmp(scene->sensor[i].name, "back") == 0)
      w.back = scene->sensor + i;
  for (int i = 0; fine && i < scene->bodies; i++)
    if (strcmp(scene->names[i], "ball") == 0)
      w.ball = (pc_body){i + 1};
  fine = fine && w.back != NULL && w.ball.id > 0;
  pc_run_summary summary = {0};
  if (fine) {
    pc_run_options options = {.threads = 2, .listener = look, .context = &w};
    fine = pc_run_scene(scene, &options, &summary, NULL) == PC_OK;
    if (wall)
      report_wall(report, &w);
    report_impacts(report, &w);
  }
  bool whole = fine && summary.steps == IMPACTS * STEPS;
  pc_report_own_steps(report, "account",
                      "steps, of 400, that fail or whose energy balance does not close",
                      whole ? (int)w.open : IMPACTS * STEPS,
                      "energy, momentum and the sign of every dissipation that has one");
  pc_report_property(report, "residual", "steps, of 400, with a relative residual above 1e-6",
                     whole ? (int)w.above : IMPACTS * STEPS, NULL);
  pc_trial_end(&trial, NULL);
}

static void shock_absorber(pc_report *report)
{
  run_wall(report, "shock-absorber.yaml", true);
}

// kN and kT on the mean velocities, at velocity level.
static void shock_absorber_acd2(pc_report *report)
{
  run_wall(report, "shock-absorber-acd2.yaml", false);
}

const pc_case pc_cases_leon_gabion[] = {
    {"leon.gabion", "León, thesis (2016), 6.1 and Table 6.1", true, shock_absorber},
    {"leon.gabion.acd2", "León, thesis (2016), 6.1 and (3.10), (3.17)", true, shock_absorber_acd2},
    {0},
};
