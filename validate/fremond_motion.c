// Frémond's book, chapters 2, 4 and 5, in motion: a ball and sheets of paper, disks and balls that
// act on each other at a distance.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "percuss/random.h"
#include "trial.h"

// 2.8.3: a ball falls on a sheet of paper. The chapter's k is half of ours.

typedef struct paper {
  double m, k, k0; // the chapter's
  double speed, h;
  const char *level;
} paper;

// The velocity of the ball in the end, long after it met the sheet; NAN if something failed.
static double throw_ball(pc_report *report, const paper *p, double *pierced, double *lost)
{
  pc_trial trial;
  const double gap = 0.3, after = 0.3; // m, s at the speed of the ball
  if (!pc_trial_read(&trial,
                     "kind: rigid\ndimension: 2\ngravity: [0, 0]\nduration: 1000\nstep: %.17g\n"
                     "contact: {treatment: %s}\n"
                     "default_law: {normal: {kind: penetrable, k: %.17g, k0: %.17g}}\n"
                     "bodies: [{name: ball, shape: {type: disc, radius: 0.1}, mass: %.17g, "
                     "position: [0, %.17g], velocity: [0, %.17g]}]\n"
                     "obstacles: [{name: sheet, shape: {type: box, size: [4, 0.01]}}]\n",
                     p->h, p->level, 2 * p->k, p->k0, p->m, gap + 0.105, -p->speed))
    return NAN;
  int steps = (int)((gap + after) / (p->speed * p->h));
  bool fine = pc_trial_advance(report, &trial, steps, p->h);
  double found = fine ? pc_trial_state(&trial, 2).velocity[1] : NAN;
  const pc_step_info *info = pc_world_info(trial.scene.world);
  *pierced = info->total_pierced;
  *lost = 0.5 * p->m * (p->speed * p->speed - found * found);
  pc_trial_end(&trial, NULL);
  return found;
}

static void paper_in_motion(pc_report *report)
{
  static const char *const level[] = {"velocity", "position"};
  const double speed[] = {1, 3, 6}, printed[] = {0, -0.5, -2};
  double pierced, lost;
  for (int l = 0; l < 2; l++)
    for (int i = 0; i < 3; i++) {
      char quantity[96];
      snprintf(quantity, sizeof quantity, "U_N+ at %g m/s (2.116, 2.118), in a run at %s level",
               speed[i], level[l]);
      const paper p = {3, 1, 4, speed[i], 1e-3, level[l]};
      pc_report_published(report, pc_report_name(report, "%s.speed_%g", level[l], speed[i]),
                          quantity, printed[i], throw_ball(report, &p, &pierced, &lost), "m/s",
                          1e-12, "printed formula at m = 3, k = 1 (the chapter's k), k0 = 4");
    }
  pc_random random;
  pc_random_seed(&random, 2118);
  for (int l = 0; l < 2; l++) {
    int wrong = 0, unknown = 0;
    for (int i = 0; i < 500; i++) {
      paper p = {.m = exp(pc_random_uniform(&random, -1, 1)),
                 .k = exp(pc_random_uniform(&random, -1, 1)),
                 .k0 = exp(pc_random_uniform(&random, -1, 1)),
                 .speed = pc_random_uniform(&random, 0.1, 6),
                 .level = level[l]};
      p.h = pc_random_uniform(&random, 1e-3, 3e-2) / p.speed;
      double found = throw_ball(report, &p, &pierced, &lost);
      double expected = p.m <= p.k ? (p.k - p.m) / (p.m + p.k) * p.speed
                        : p.speed <= p.k0 / (p.m - p.k)
                            ? 0
                            : (p.k0 - (p.m - p.k) * p.speed) / (p.m + p.k);
      wrong += !(fabs(found - expected) <= 1e-11 * (p.speed + 1));
      unknown += !(fabs(pierced - (expected < 0 ? lost : 0)) <= 1e-11 * p.m * p.speed * p.speed);
    }
    pc_report_property(report, pc_report_name(report, "%s.all", level[l]),
                       "500 random parameters, speeds and steps: velocity of 2.114 to 2.118", wrong,
                       "seed 2118");
    pc_report_property(report, pc_report_name(report, "%s.balance", level[l]),
                       "of these: the line `pierced` is not the energy that piercing took", unknown,
                       "the same draws");
  }
}

// 4.8.1: three disks in a line that do not turn.

// Velocities after a step that the first disk hits the others in.
static bool hit_disks(pc_report *report, double m, double nu, double u[3])
{
  pc_trial trial;
  if (!pc_trial_read(
          &trial,
          "kind: rigid\ndimension: 2\ngravity: [0, 0]\nduration: 1\nstep: 1e-6\n"
          "solver: {tolerance: 1e-12}\n"
          "default_law: {normal: {kind: quadratic, k: 2}}\n"
          "shapes: [{name: disk, type: disc, radius: 1}]\nbodies:\n"
          "  - {name: a, shape: disk, mass: %.17g, no_rotation: true, position: "
          "[-2.0000008, 0], velocity: [1, 0]}\n"
          "  - {name: b, shape: disk, mass: %.17g, no_rotation: true, position: [0, 0]}\n"
          "  - {name: c, shape: disk, mass: %.17g, no_rotation: true, position: [2, 0]}\n"
          "systems: [{bodies: [a, b, c], distance: %.17g}]\n",
          m, m, m, nu))
    return false;
  bool fine = pc_trial_advance(report, &trial, 1, 1e-6);
  for (int b = 0; b < 3; b++)
    u[b] = fine ? pc_trial_state(&trial, b + 1).velocity[0] : NAN;
  pc_trial_end(&trial, NULL);
  return fine;
}

static void disks_in_motion(pc_report *report)
{
  // One row of each status of 4.8.1, and their velocities by its linear equations (4.20).
  static const struct {
    const char *name;
    double m, nu, u[3];
  } row[] = {
      {"first_opens", 1, 0.05, {3.0 / 31, 14.0 / 31, 14.0 / 31}},
      {"both_open", 1, 1, {-7.0 / 36, 1.0 / 2, 25.0 / 36}},
      {"none_opens", 2, 0.02, {1.0 / 3, 1.0 / 3, 1.0 / 3}},
      {"second_opens", 4, 0.2, {25.0 / 79, 25.0 / 79, 29.0 / 79}},
  };
  for (int i = 0; i < (int)(sizeof row / sizeof *row); i++) {
    double u[3] = {NAN, NAN, NAN};
    hit_disks(report, row[i].m, row[i].nu, u);
    for (int b = 0; b < 3; b++) {
      char quantity[96];
      snprintf(quantity, sizeof quantity, "velocity of disk %d after, m = %g, nu = %g", b + 1,
               row[i].m, row[i].nu);
      pc_report_derived(
          report, pc_report_name(report, "%s.velocity_%d", row[i].name, b + 1), quantity,
          row[i].u[b], u[b], "m/s", 1e-6,
          "closed form of (4.20) to (4.22) for this status, k = 2, R = 1; the gap that "
          "closes in the step is 0.3 um");
    }
  }
}

// Newton's cradle of five balls, from the scene.

static void cradle(pc_report *report)
{
  enum { COLLISIONS = 20, FIRST = 6, BALLS = 5 }; // the hooks come first
  static const char *const step[] = {"step: 4e-3", "step: 2e-3", "step: 1e-3", "step: 5e-4"};
  static const char *const name[] = {"4", "2", "1", "05"};
  const double start = 0.1 * 9.81 * (1 - sqrt(0.75));
  for (int s = 0; s < 4; s++) {
    pc_trial trial = pc_trial_start("fremond", "cradle.yaml", "step: 1e-3", step[s]);
    int collisions = 0;
    double share = NAN;
    while (collisions < COLLISIONS && pc_trial_next(&trial, 25)) {
      const pc_step_info *info = pc_world_info(trial.scene.world);
      if (info->at_distance == 0)
        continue;
      int ball = ++collisions % 2 != 0 ? FIRST + BALLS - 1 : FIRST;
      pc_body_state at = pc_trial_state(&trial, ball);
      share = (0.05 * (at.velocity[0] * at.velocity[0] + at.velocity[1] * at.velocity[1]) +
               0.1 * 9.81 * (at.position[1] + 1)) /
              start;
    }
    char quantity[96];
    snprintf(quantity, sizeof quantity,
             "energy of the outgoing ball after ten periods, of that at the start, %s s", step[s]);
    pc_report_count(report, trial.fine && trial.open == 0);
    pc_report_derived(report, pc_report_name(report, "energy_%s", name[s]), quantity, 1,
                      collisions == COLLISIONS ? share : NAN, "1", 0.01,
                      "limit k -> 0, nu -> infinity between the first and the last ball: (0, 0, 0, "
                      "0, 1) after each of 20 collisions");
    pc_trial_end(&trial, NULL);
  }
}

#define BOOK "Frémond, Collisions Engineering (2017), "

const pc_case pc_cases_fremond_motion[] = {
    {"fremond.motion.paper", BOOK "2.8.3", false, paper_in_motion},
    {"fremond.motion.disks", BOOK "4.8.1", false, disks_in_motion},
    {"fremond.motion.cradle", BOOK "4.7", false, cradle},
    {0},
};
