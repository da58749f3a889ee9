// The plans. Numbers are in tuning.h, with their reasons.
#include "impact/solvers/policy.h"

#include <math.h>

#include "impact/solvers/tuning.h"

// Adds a stage, which runs while the residual is above its tolerance; the caller may set more of
// it.
static pc_solver_stage *add(pc_solver_plan *plan, pc_solver_method method, double tolerance,
                            double budget)
{
  pc_solver_stage *stage = &plan->stage[plan->count++];
  *stage =
      (pc_solver_stage){.method = method,
                        .limits = {.target.residual = tolerance, .max_iterations = (int)budget},
                        .above = tolerance};
  return stage;
}

// A step of a loop that leaves the choice of methods to `auto`.
static bool in_steps(const pc_island_traits *t)
{
  return t->warm && t->solver == PC_SOLVER_AUTO;
}

// Whether it would creep by what a step leaves.
static bool is_still(const pc_island_traits *t)
{
  return in_steps(t) && t->speed.moving < pc_still_pace * t->speed.forced;
}

double pc_policy_rest_speed(const pc_island_traits *t, const pc_solver_result *result)
{
  bool exact = t->contacts > 0 && is_still(t) && result->residual <= pc_exact_residual;
  return exact ? pc_exact_residual * t->speed.forced : 0;
}

// Sweeps for a guess that meets the tolerance.
static int settling(const pc_island_traits *t, int sweeps)
{
  if (!is_still(t))
    return 0;
  return t->max_iterations > 0 && t->max_iterations < sweeps ? t->max_iterations : sweeps;
}

// The residual above which the direct methods are called for. What is still must not creep.
static double missed(const pc_island_traits *t, double tolerance)
{
  return is_still(t) ? fmin(pc_creep_residual, tolerance) : tolerance;
}

static bool few_sweeps(const pc_island_traits *t)
{
  return t->max_iterations > 0 && t->max_iterations < PC_MANY_SWEEPS;
}

static double refined(double tolerance)
{
  return fmin(tolerance, fmax(pc_refined_least, pc_refined_part * tolerance));
}

static bool packs_allowed(const pc_island_traits *t)
{
  return t->tolerance > pc_packed_tolerance && !t->quasi_static && !t->coupled_masses &&
         (t->solver == PC_SOLVER_AUTO || t->solver == PC_SOLVER_NSGS);
}

int pc_policy_lot_rows(const pc_island_traits *t)
{
  return in_steps(t) && packs_allowed(t) && !t->stated_responses ? PC_PACKED_ROWS : 0;
}

bool pc_policy_lots_have_friction(const pc_island_traits *t)
{
  return few_sweeps(t);
}

static bool packs_suit(const pc_island_traits *t)
{
  return t->packable && packs_allowed(t);
}

bool pc_policy_is_large(const pc_island_traits *t)
{
  return !t->lot && t->rows > PC_PACKED_ROWS && packs_suit(t);
}

// Small islands with friction in a loop of steps are swept in packs first.
static bool is_swept_small(const pc_island_traits *t)
{
  return in_steps(t) && !t->convex && packs_suit(t) &&
         (t->contacts > PC_FEW_CONTACTS || few_sweeps(t));
}

bool pc_policy_needs_speeds(const pc_island_traits *t)
{
  if (t->lot || t->convex)
    return false;
  return t->accuracy > 0 || in_steps(t);
}

double pc_policy_accuracy(const pc_island_traits *t)
{
  if (t->lot || t->convex)
    return 0;
  double most = pc_forced_part * t->speed.forced;
  return most > 0 && most < t->accuracy ? most : t->accuracy;
}

// What rests would creep by what is left in every step.
static bool rests(const pc_island_traits *t)
{
  return t->speed.apart < (pc_policy_is_large(t) ? pc_large_rest : 1) * t->speed.forced ||
         t->speed.still > pc_still_part;
}

// Packed sweeps. What moves need not be better than the accuracy.
static void sweep_packs(const pc_island_traits *t, double tolerance, int most, bool gives_up,
                        pc_solver_plan *plan)
{
  bool alone = t->accuracy_alone && t->accuracy > 0 && !rests(t);
  pc_solver_stage *stage =
      add(plan, PC_PACKED_SWEEPS, alone ? pc_packed_tolerance : tolerance, most);
  pc_solver_limits *limits = &stage->limits;
  limits->gives_up = gives_up;
  limits->enough.residual = fmax(t->tolerance, limits->target.residual);
  limits->enough.accuracy = rests(t) ? 0 : t->accuracy;
  limits->target.accuracy = alone || tolerance >= t->tolerance ? limits->enough.accuracy : 0;
  if (alone)
    return;
  limits->settling = settling(t, pc_policy_is_large(t) ? PC_SETTLING_LARGE : PC_SETTLING_SMALL);
  limits->steady = !t->plane && !t->convex && tolerance >= pc_loose_tolerance;
}

double pc_policy_aim(const pc_island_traits *t)
{
  if (t->warm && t->contacts == 0)
    return pc_linear_tolerance;
  return in_steps(t) && t->rows <= PC_REFINED_ROWS ? refined(t->tolerance) : t->tolerance;
}

bool pc_policy_may_condense(const pc_island_traits *t)
{
  return t->solver == PC_SOLVER_AUTO && t->coupled && !t->convex;
}

// Many small islands at once, better than asked, because a few of them must not hide behind the
// others. With friction only where each has no more than a few sweeps.
static void plan_lot(const pc_island_traits *t, pc_solver_plan *plan)
{
  bool limited = t->max_iterations > 0;
  double convex = t->settled ? t->tolerance : pc_lot_part * t->tolerance;
  sweep_packs(t, t->convex ? convex : refined(t->tolerance),
              limited ? t->max_iterations : PC_SMALL_SWEEPS, true, plan);
  if (!limited)
    add(plan, PC_STATE_SYSTEM, t->tolerance, 0)->solver = t->solver;
}

// Packed sweeps, and for what rests and would creep, or for a tight tolerance, beyond what was
// asked. The other solvers, and with them the interior point, are for what misses the tolerance,
// where sweeps are limited to no fewer than that costs.
static void plan_small(const pc_island_traits *t, pc_solver_plan *plan)
{
  bool exact = t->tolerance < pc_loose_tolerance || rests(t) || t->contacts <= PC_SOME_CONTACTS;
  sweep_packs(t, exact ? refined(t->tolerance) : t->tolerance,
              t->max_iterations > 0 ? t->max_iterations : PC_SMALL_SWEEPS, true, plan);
  if (!few_sweeps(t))
    add(plan, PC_STATE_SYSTEM, missed(t, t->tolerance), 0)->solver = t->solver;
}

static int packed_sweeps(const pc_island_traits *t)
{
  double sweeps = pc_packed_work / t->interactions;
  return (int)fmax(PC_PACKED_LEAST_SWEEPS, fmin(PC_PACKED_MOST_SWEEPS, sweeps));
}

// What packed sweeps leave unsolved goes on from there where the other solvers can do better or do
// not take long: the interior point for convex laws and, up to some hundred contacts, for friction;
// exact local solutions for islands of some thousand rows.
static void plan_large(const pc_island_traits *t, pc_solver_plan *plan)
{
  bool automatic = t->solver == PC_SOLVER_AUTO, limited = t->max_iterations > 0;
  bool small = t->rows <= PC_HANDED_ROWS;
  bool goes_on = !limited && (small || (t->convex && automatic));
  // Sweeps that are limited have their chance first; then the interior point costs no more.
  bool factorise =
      !goes_on && small && automatic &&
      (t->convex || (t->max_iterations >= PC_MANY_SWEEPS && t->rows <= PC_HANDED_FRICTION_ROWS));
  int most = limited ? t->max_iterations : packed_sweeps(t);
  if (goes_on)
    most = t->convex ? PC_HANDED_CONVEX_SWEEPS : PC_PACKED_LEAST_SWEEPS;
  if (t->convex)
    add(plan, PC_PAIRED_SWEEPS, t->tolerance, most);
  sweep_packs(t, t->tolerance, most, t->gives_up, plan);
  if (goes_on || factorise) {
    pc_solver_stage *next = add(plan, PC_STATE_SYSTEM, t->tolerance, 0);
    next->solver = factorise ? PC_SOLVER_IPM : t->solver;
    next->counts_sweeps = true;
  }
}

void pc_policy_plan_island(const pc_island_traits *t, pc_solver_plan *plan)
{
  plan->count = 0;
  if (t->lot)
    plan_lot(t, plan);
  else if (pc_policy_is_large(t))
    plan_large(t, plan);
  else if (is_swept_small(t))
    plan_small(t, plan);
  else
    add(plan, PC_STATE_SYSTEM, 0, 0)->solver = t->solver;
}

// One method alone, from the start and to the limit that were given.
static void plan_one(const pc_island_traits *t, pc_solver_method method, pc_solver_plan *plan)
{
  add(plan, method, t->aim, t->max_iterations);
}

// Convex laws: the interior point and, where what was asked is missed, whether there is a solution.
static void plan_convex_interior(const pc_island_traits *t, pc_solver_plan *plan)
{
  double wanted = fmax(t->aim, t->tolerance);
  add(plan, PC_CONVEX_INTERIOR, t->aim, t->max_iterations);
  add(plan, PC_CONTRADICTION, wanted, 0);
}

static void plan_convex(const pc_island_traits *t, pc_solver_plan *plan)
{
  if (t->max_iterations > 0 && t->interactions > PC_FACTORISED_INTERACTIONS && !t->coupled) {
    plan_one(t, PC_SWEEPS, plan);
    return;
  }
  int sweeps = t->interactions <= PC_TINY_INTERACTIONS    ? PC_TINY_SWEEPS
               : t->interactions < PC_MEDIUM_INTERACTIONS ? PC_MEDIUM_SWEEPS
                                                          : PC_LARGE_SWEEPS;
  if (!t->coupled)
    add(plan, PC_SWEEPS, t->aim, sweeps);
  plan_convex_interior(t, plan);
}

// The last attempt on a large island: on the verge of jamming sweeps converge slowly, but they do.
// A step of a loop goes on from there with the next one.
static double long_sweeps(const pc_island_traits *t)
{
  return fmax(PC_LONG_SWEEPS, t->warm ? 0 : pc_long_work / t->rows);
}

// Too large for an interior point.
static void plan_sweeps(const pc_island_traits *t, pc_solver_plan *plan)
{
  bool one = t->max_iterations > 0 || t->coupled || t->bodies == 0;
  if (!one) {
    add(plan, PC_SWEEPS, t->aim, PC_EARLY_SWEEPS);
    add(plan, PC_AFRESH, t->aim, PC_AFRESH_SWEEPS);
  }
  add(plan, PC_SWEEPS, t->aim, one ? t->max_iterations : long_sweeps(t));
}

static void plan_friction(const pc_island_traits *t, pc_solver_plan *plan)
{
  int most = t->max_iterations;
  if (t->bodies > PC_MANY_BODIES || t->interactions > PC_MANY_INTERACTIONS) {
    plan_sweeps(t, plan);
  } else if (t->coupled) {
    add(plan, PC_ANALYSE_MATRIX, 0, 0);
  } else if (few_sweeps(t)) {
    plan_one(t, PC_SWEEPS, plan);
  } else {
    int first = most > 0 && most < PC_FIRST_SWEEPS ? most : PC_FIRST_SWEEPS;
    add(plan, PC_SWEEPS, t->aim, first)->limits.settling = settling(t, PC_SETTLING_SMALL);
    add(plan, PC_ANALYSE_MATRIX, missed(t, t->aim), 0);
  }
}

static bool condensing_pays(const pc_island_traits *t)
{
  return pc_policy_may_condense(t) && t->condense_numbers <= pc_condensed_numbers &&
         t->condense_flops <= PC_CONDENSED_STEPS * 2 * t->mass_flops;
}

static void plan_auto(const pc_island_traits *t, pc_solver_plan *plan)
{
  if (condensing_pays(t)) {
    add(plan, PC_CONDENSE, 0, 0);
    pc_island_traits condensed = *t;
    condensed.coupled = false;
    condensed.bodies = 0;
    plan_friction(&condensed, plan);
  } else if (t->convex && t->bodies > 0) {
    plan_convex(t, plan);
  } else {
    plan_friction(t, plan);
  }
}

void pc_policy_plan_system(const pc_island_traits *t, pc_solver_plan *plan)
{
  static const pc_solver_method alone[] = {[PC_SOLVER_NSGS] = PC_SWEEPS,
                                           [PC_SOLVER_APGD] = PC_GRADIENTS,
                                           [PC_SOLVER_UZAWA] = PC_PROJECTED_STEPS};
  plan->count = 0;
  if (t->solver == PC_SOLVER_AUTO)
    plan_auto(t, plan);
  else if (t->solver != PC_SOLVER_IPM)
    plan_one(t, alone[t->solver], plan);
  else if (t->convex && t->bodies > 0)
    plan_convex_interior(t, plan);
  else
    add(plan, PC_ANALYSE_MATRIX, 0, 0);
}

void pc_policy_plan_direct(const pc_island_traits *t, pc_solver_plan *plan)
{
  bool swept = t->solver == PC_SOLVER_AUTO && !t->coupled, limited = t->max_iterations > 0;
  double wanted = fmax(t->aim, t->tolerance);
  plan->count = 0;
  if (swept) {
    if (t->interior_sweeps > pc_too_dear) {
      plan_sweeps(t, plan);
      return;
    }
    double times = t->aim >= pc_loose_tolerance ? pc_loose_sweeping : 1;
    double budget = fmax(t->interior_sweeps * times, PC_LEAST_SWEEPING);
    if (limited)
      budget = fmin(budget, t->max_iterations);
    add(plan, PC_SWEEPS_IN_SLICES, t->aim, budget);
  }
  bool walks = !limited && !is_still(t);
  double closely = is_still(t) ? fmin(pc_exact_residual, t->aim) : t->aim;
  pc_solver_stage *near = add(plan, PC_FRICTION_FINISH, closely, PC_NEAR_STEPS);
  near->below = pc_near_residual;
  near->walks = walks;
  if (!swept) // a guess that is good enough is improved
    near->above = 0;
  add(plan, PC_FRICTION_INTERIOR, t->aim, PC_START_STEPS)->walks = walks;
  add(plan, PC_FRICTION_CONFLICT, wanted, 0);
  if (!limited && !t->coupled && !t->rolls && t->friction > pc_little_friction)
    add(plan, PC_FRICTION_STRESS, t->aim, 0);
  double part = t->interactions <= PC_SMALL_DIRECT ? pc_path_part_small : 1;
  if (t->interactions <= PC_FEW_ATTEMPTS)
    add(plan, PC_FRICTION_PATHS, wanted, pc_path_steps / part * t->interactions);
  else if (swept && !limited)
    add(plan, PC_FRICTION_SWEEPS, wanted, long_sweeps(t));
}
