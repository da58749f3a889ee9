// Every number that decides which method runs on an island, and for how long. Nothing else is here.
// policy.c makes plans from the first three groups; the others say how long one method goes on
// before it changes its way or gives up. Numbers that belong to the mathematics of a method (step
// lengths, regularisations) stay in its file.
//
// docs/theory/solving.md has the plans as tables and what was measured.
#ifndef PERCUSS_IMPACT_TUNING_H
#define PERCUSS_IMPACT_TUNING_H

// The error of velocities over the natural map, without and with friction: what it was in packings,
// stacks, arches and chains, from a tenth to ten times of this (docs/theory/errors.md). It grows
// with the depth of a heap.
static const double pc_convex_error = 2.5, pc_friction_error = 25;

// Tolerances.

// Tolerances this tight or tighter are solved to machine precision on convex islands of up to
// PC_POLISHED_ROWS rows: a small residual can hide a larger error in the velocities, and one or two
// Newton steps remove it. Larger matrices are factorised only for the solver `ipm`.
static const double pc_polished_tolerance = 1e-8, pc_polished_residual = 1e-12;
enum { PC_POLISHED_ROWS = 2000 };
// A tolerance this loose or looser is nearly always reached by sweeps alone. In a loop of steps a
// tighter one is a wish for accuracy: missing it calls for the other solvers.
static const double pc_loose_tolerance = 1e-4;
// A residual from which Newton's method may get to the solution.
static const double pc_near_residual = 1e-4;
// In a loop of steps small islands (rows) are solved this much better than asked, but to no less
// than pc_refined_least: it costs next to nothing, and what rests on a few contacts does not creep.
static const double pc_refined_part = 0.01, pc_refined_least = 1e-10;
enum { PC_REFINED_ROWS = 600 };
// In a loop of steps, bodies that move slower than pc_still_pace of what gravity gives them in a
// step are still. A guess that meets the tolerance there is the answer of the step before, and its
// error would act in every step: slopes, stacks and walls would creep. So a few sweeps improve it
// in every step, until it is exact.
static const double pc_still_pace = 1e-3, pc_exact_residual = 1e-12;
enum { PC_SETTLING_SMALL = 10, PC_SETTLING_LARGE = 5 };
// Where sweeps leave a small island above this, Newton's method solves it, and the next steps start
// from its answer: ten boxes on each other, the highest 100 times as heavy.
static const double pc_creep_residual = 1e-10;
// Springs and nets alone are a linear system: what is left of it would add up step by step.
static const double pc_linear_tolerance = 1e-14;

// Packed sweeps: which islands, how many sweeps, and what comes after.

// Smaller islands are left to the solvers that reach machine precision, and tighter tolerances too:
// packs solve the local friction by one projected step.
enum { PC_PACKED_ROWS = 300 };
static const double pc_packed_tolerance = 1e-8;
// Many small islands share one colouring: lots of about PC_LOT_ROWS rows, if there are at least
// PC_LOT_ISLANDS. They are solved to a tenth of the tolerance, because one island must not hide
// behind the others.
enum { PC_LOT_ISLANDS = 32, PC_LOT_ROWS = 1000 };
static const double pc_lot_part = 0.1;
// Large islands are at rest if they move slower than this part of what a step's forces give them
// (small ones: slower than that), in the mean of squares, or if more than pc_still_part of their
// bodies do. It is above what the accuracy leaves in a heap at rest, and a heap that is still
// settling does not pay for digits that it loses in the next step.
static const double pc_large_rest = 0.1, pc_still_part = 0.5;
// The mean of squares of what is missed counts so many times. Where all contacts of a structure are
// off alike it does not carry its load; a few contacts that are off by more do no harm.
static const double pc_mean_missed = 10;
// The residual must be below this however short the way is: bodies that move by less than the
// accuracy in a step would pass into each other, step by step.
static const double pc_accurate_residual = 0.02;
// No contact may be missed by more than this part of the speed that a step's forces give: in a
// short step the accuracy would be met although no weight is carried.
static const double pc_forced_part = 0.3;
// Small islands with friction in a loop of steps: up to PC_FEW_CONTACTS exact local solutions are
// faster than packs; up to PC_SOME_CONTACTS the refined tolerance costs next to nothing.
enum { PC_FEW_CONTACTS = 4, PC_SOME_CONTACTS = 16, PC_SMALL_SWEEPS = 1000 };
// A limit of fewer sweeps leaves no time for an interior point on an island with friction.
enum { PC_MANY_SWEEPS = 200 };
// Sweeps over an island without a limit of its own: contacts times sweeps, within these numbers.
static const double pc_packed_work = 3e9;
enum { PC_PACKED_LEAST_SWEEPS = 2000, PC_PACKED_MOST_SWEEPS = 20000 };
// Islands of up to PC_HANDED_ROWS rows that sweeps leave unsolved go on with the other solvers;
// with friction and a limit on sweeps up to PC_HANDED_FRICTION_ROWS (about 500 contacts). Convex
// islands of any size go on after PC_HANDED_CONVEX_SWEEPS if sweeps are not limited.
enum { PC_HANDED_ROWS = 6000, PC_HANDED_FRICTION_ROWS = 1500, PC_HANDED_CONVEX_SWEEPS = 400 };
// Threads wait for each other several times in every sweep: below these sizes waiting costs more
// than it gives.
enum { PC_THREADED_ROWS = 4000, PC_THREADED_CONTACTS = 2000 };

// The solver `auto` on one island, row by row.

// Convex laws: sweeps before the interior point, by the number of interactions. Up to 4 it costs a
// few microseconds; an island of 1000 or more is worth some hundred sweeps.
enum {
  PC_TINY_INTERACTIONS = 4,
  PC_TINY_SWEEPS = 10,
  PC_MEDIUM_INTERACTIONS = 1000,
  PC_MEDIUM_SWEEPS = 25,
  PC_LARGE_SWEEPS = 400
};
// A limit on sweeps asks for an answer soon: larger convex islands are not factorised then.
enum { PC_FACTORISED_INTERACTIONS = 300 };

// With friction: most islands of a time step are done after this many sweeps.
enum { PC_FIRST_SWEEPS = 100 };
// Larger islands are never factorised, nor those whose interior point costs more sweeps than
// pc_too_dear. They get sweeps; where these stall, gradients from zero, which fail in other places,
// and sweeps from there; then the long ones.
enum { PC_MANY_BODIES = 3000, PC_MANY_INTERACTIONS = 12000 };
static const double pc_too_dear = 20000;
enum { PC_EARLY_SWEEPS = 4000, PC_AFRESH_GRADIENTS = 2000, PC_AFRESH_SWEEPS = 3000 };
// The long sweeps of large islands: rows times sweeps, at least so many. A
// packing of 3400 spheres (friction 0.3) is at 4e-5 after 4000 sweeps, at 1e-6 after 20,000, and
// solved to 1e-8 after some 33,000.
enum { PC_LONG_SWEEPS = 11000 };
static const double pc_long_work = 1.5e9;
// More sweeps in slices, up to the cost of an interior point (pc_loose_sweeping times it at loose
// tolerances), at least PC_LEAST_SWEEPING in all. After the part pc_sweeping_judged of them they
// end if the rest would take more than pc_sweeping_hope of the whole budget.
enum { PC_LEAST_SWEEPING = 200, PC_LEAST_SLICE = 5 };
static const double pc_loose_sweeping = 10, pc_sweeping_judged = 0.2, pc_sweeping_hope = 1.5;
// Where the response is given, this many neighbours cost as much as the rest of a sweep.
static const double pc_sweep_neighbours = 20;
// Bodies coupled by mass are condensed to their contacts if that costs less than so many
// factorisations with all bodies, and needs no more memory than so many numbers. Two cubes of 10
// elements a side: 0.14 s instead of 1.7 s.
enum { PC_CONDENSED_STEPS = 30 };
static const double pc_condensed_numbers = 4e7;

// The direct methods for friction: their budget. Costs are seconds of a processor of 4 Gflop/s,
// counted in operations and never timed, so that answers repeat; only their ratios matter.

static const double pc_sweep_seconds = 30e-9;                          // for each row
static const double pc_flops_per_second = 4e9, pc_step_seconds = 6e-7; // and for each row
enum { PC_INTERIOR_STEPS = 12 }; // of an interior point that goes well
// All attempts together. Of 16 packings of the benchmark that take long 15 were solved within 22 s
// of the first number, and one took 111 s. The second holds for paths where all contacts cannot be
// at rest at once, because then there need not be a solution.
static const double pc_all_work = 300, pc_doubtful_work = 30;
// Where sweeps are limited: so many times their cost, but at least so many factorisations.
static const double pc_limited_work = 10;
enum { PC_LIMITED_STEPS = 40 };

// The direct methods for friction: the stages.

// Islands above PC_FEW_ATTEMPTS interactions get sweeps in place of paths. Those of up to
// PC_SMALL_DIRECT interactions are solved by rows, which keeps more digits, and get shorter paths.
enum { PC_FEW_ATTEMPTS = 2000, PC_SMALL_DIRECT = 300 };
// By rows if an interaction has fewer neighbours than this on average (in small and in larger
// islands) and, in larger ones, a factorisation costs no more operations per interaction.
static const double pc_row_neighbours = 50, pc_row_neighbours_large = 30, pc_row_flops = 5e4;
// Newton from a near point, and the walk through a flat valley of the residual from where it ends
// (20 to 60 factorisations; of 200 stacks with warped faces ipm solves all, 167 without it).
enum { PC_NEAR_STEPS = 12, PC_WALK_STEPS = 60 };
// The interior point; Newton takes over at pc_takeover_residual, then at each hundredth of it, with
// the shorter number of steps; the longer one is for the end.
enum { PC_START_STEPS = 60, PC_SHORT_FINISH = 4, PC_FINISH_STEPS = 25 };
static const double pc_takeover_residual = 1e-5, pc_takeover_part = 1e-2,
                    pc_hopeless_residual = 1e-2;
// States of stress are for bodies that get wedged, never below this mean of mu.
static const double pc_little_friction = 0.05;
enum { PC_STRESS_STEPS = 40, PC_STRESS_SWEEPS = 1000, PC_STRESS_ROUNDS = 3, PC_STRESS_FINISH = 20 };
static const double pc_stress_near = 1e-3; // Newton tries below it
// Paths, in factorisations: for every interaction, a third of it on small islands. Most paths that
// get there take 150 to 600 steps, some 3000: four are tried for a slice each before the one that
// came nearest is followed through.
static const double pc_path_steps = 20, pc_path_part_small = 3;
enum {
  PC_PATH_SLICE = 600,
  PC_PATH_THROUGH = 2400,
  PC_PATHS_TRIED = 4,
  PC_PATH_NEAR_SLICES = 3,
  PC_PATH_FINISH = 6,
  PC_PATH_LAST_FINISH = 25
};
// The flow of sweeps: from a near point before any path, and between the paths.
// A step of it that Newton does not reach in a few steps is too long.
enum { PC_FLOW_FIRST = 300, PC_FLOW_SLICE = 600, PC_FLOW_NEWTON = 6, PC_FLOW_FINISH = 6 };
// Contradictions: Newton steps for one softness, and softnesses. Mostly ten factorisations in all,
// at most a hundred in 500 networks and columns.
enum { PC_CONFLICT_STEPS = 30, PC_CONFLICT_ROUNDS = 6 };

// How long one method goes on. Sweeps and steps without a limit: rows times sweeps, within these
// numbers.
static const double pc_iterative_work = 1e7;
enum { PC_LEAST_ITERATIONS = 20000, PC_MOST_ITERATIONS = 100000 };
// A slice that does not halve the residual changes the acceleration; slices grow with every change.
// Blocks of sweeps for nsgs, steps for the others.
static const double pc_slice_gain = 0.5;
enum { PC_NSGS_SLICE = 40, PC_GRADIENTS_SLICE = 600 };
// Iterations after the tolerance was reached: a few with friction, where another measure of the
// same error is up to sqrt(1 + mu^2) times larger; as long again and some more for machine
// precision.
enum { PC_AFTER_FRICTION = 10, PC_AFTER_TIMES = 3, PC_AFTER_MORE = 2000 };
// The interior point on convex laws: steps of an attempt, and steps without progress that end it.
enum { PC_CONVEX_STEPS = 60, PC_CONVEX_IDLE = 15 };
// The same of the interior point with friction.
enum { PC_FRICTION_IDLE = 15 };
// The residual at which Newton takes over on convex laws. On small islands a failed attempt costs
// next to nothing.
static const double pc_newton_small = 1e-3, pc_newton_large = 1e-6;
// Newton on convex laws: steps that the residual must allow, and steps on velocities and
// percussions side by side.
enum { PC_NEWTON_STEPS = 20, PC_NEWTON_SETTLING = 4 };
// Newton with friction: steps just behind a contact that opens, until the residual has halved.
enum { PC_NEWTON_BREAKS = 25 };
// Projected gradients: below the first mean of mu the slip follows at every step, below the second
// every ten steps, above it never at first. A mode whose residual is so many times the best one
// does not work.
static const double pc_apgd_small_friction = 0.35, pc_apgd_much_friction = 0.65;
static const double pc_apgd_apart = 100;

// How long packed sweeps go on.

// Blocks of five sweeps before momentum is changed for Anderson's method, and back.
enum { PC_PUSH_BLOCKS = 8, PC_ANDERSON_BLOCKS = 40 };
// Contacts that miss the accuracy are swept alone, with their neighbours, where they are few: of so
// many at least, to this part of the accuracy, for so many sweeps at most. If they are too many,
// blocks of whole sweeps before the next attempt.
enum { PC_TAIL_CONTACTS = 500, PC_TAIL_SWEEPS = 60, PC_TAIL_PAUSE = 2 };
static const double pc_tail_target = 0.6;
// The steady momentum: at first, at least, at most; it is changed after so many sweeps. Sweeps are
// not given up so soon after it was lowered; how often, and when to look again.
static const double pc_steady_first = 0.8, pc_steady_least = 0.3, pc_steady_most = 0.85;
enum {
  PC_STEADY_SWEEPS = 10,
  PC_STEADY_PATIENCE = 30,
  PC_STEADY_PUT_OFF = 8,
  PC_STEADY_LATER = 20
};
// If the caller may be left with less than the tolerance: after so many sweeps the residual must
// have fallen to this part.
enum { PC_WATCHED_SWEEPS = 200 };
static const double pc_worth_while = 0.85;
// And at pc_loose_tolerance or looser sweeps go on after a first look only while the last half of
// them promises that those left reach the tolerance: the next step starts from where this one
// ended. The first look comes after PC_LOOK_WORK / contacts sweeps, within these numbers.
enum { PC_FIRST_LOOK = 60, PC_LAST_LOOK = 200, PC_LOOK_WORK = 6000 };
// The same of small islands in motion, which are solved better than asked while that is cheap.
enum { PC_REFINED_LOOK = 20 };
// From this many times the tolerance the first five sweeps do not get there: no residual is taken.
static const double pc_far_off = 300;
// Extrapolated velocities carry the round-off of the largest on the way: after so many sweeps they
// are recomputed from the percussions before an answer is believed. (The laws seemed obeyed to
// 1e-11 by velocities that were 1e-6 from those of the percussions.)
enum { PC_STALE_SWEEPS = 20 };
// A guess with a residual between these is replaced by one made layer by layer (layers.h), if that
// is better. No percussions at all have a residual of at most about 1; a guess above that is a
// wrong one, of a heap in motion, but sweeps get farther from it than from layers.
static const double pc_no_guess = 0.7, pc_wrong_guess = 1.1;
// Pairs of bodies: sweeps between two settings of viscous friction, sweeps of a watch that must
// halve the residual, and how many watches may miss that.
enum { PC_FIRST_DRAG = 10, PC_PAIR_WATCH = 100, PC_PAIR_WATCHES = 4 };
// Viscous friction above this part of what the masses would allow is swept in packs.
static const double pc_weak_drag = 0.03;

#endif
