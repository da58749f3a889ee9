// The registry of published results, seen from a case: how it builds, solves and reports.
//
// A case belongs to one source and gives rows whose ids start with its prefix. What it computes
// goes through the public API; what it expects comes from the document or from an oracle of its
// own.
#ifndef PERCUSS_VALIDATE_REGISTRY_H
#define PERCUSS_VALIDATE_REGISTRY_H

#include "percuss/impact.h"
#include "percuss/validate.h"
#include "percuss/world.h"

typedef struct pc_report pc_report;

typedef struct pc_case {
  const char *prefix; // of the ids of its rows
  const char *source; // document and section
  bool slow;          // left out of a quick run
  void (*run)(pc_report *report);
} pc_case;

// One list per source file, ended by a case without prefix.
extern const pc_case pc_cases_fremond_point[], pc_cases_fremond_coulomb[], pc_cases_fremond_disks[],
    pc_cases_fremond_balls[], pc_cases_leon_qp[], pc_cases_leon_rotation[], pc_cases_leon_layers[],
    pc_cases_leon_landslide[], pc_cases_leon_gabion[], pc_cases_leon_rockslide[], pc_cases_moreau[],
    pc_cases_moreau_motion[], pc_cases_pecol[], pc_cases_rigid[], pc_cases_crowd_rooms[],
    pc_cases_crowd_pairs[], pc_cases_crowd_scenes[], pc_cases_crowd_steps[],
    pc_cases_crowd_obstacle[], pc_cases_crowd_plans[], pc_cases_crowd_groups[],
    pc_cases_crowd_exits[], pc_cases_crowd_routes[], pc_cases_chain_bounds[], pc_cases_chain_laws[],
    pc_cases_fremond_bar[], pc_cases_fremond_water[], pc_cases_fremond_debris[],
    pc_cases_continuum_order[], pc_cases_heat_rigid[], pc_cases_fremond_alloy[],
    pc_cases_fremond_heat[], pc_cases_fremond_phase[], pc_cases_fremond_alloy_motion[];

// PC_PASS within the tolerance; a number that is not finite fails.
pc_verdict pc_verdict_of(double expected, double computed, double tolerance);

// Rows. The id is prefix.name, or the prefix alone when name is NULL. `note` may be NULL; that of a
// derived row is preceded by "derived: " and says what the oracle is.
void pc_report_published(pc_report *report, const char *name, const char *quantity,
                         double published, double computed, const char *unit, double tolerance,
                         const char *note);
void pc_report_derived(pc_report *report, const char *name, const char *quantity, double expected,
                       double computed, const char *unit, double tolerance, const char *oracle);
// Counts violations of a claim; none are expected.
void pc_report_property(pc_report *report, const char *name, const char *quantity, int violations,
                        const char *note);
// A printed statement that does not follow from the text; `why` says so.
void pc_report_untestable(pc_report *report, const char *name, const char *quantity,
                          double published, double computed, const char *unit, const char *why);
// The prefix of the case that runs: several of them may share a function.
const char *pc_report_prefix(const pc_report *report);
// A name put together, valid until the next one.
const char *pc_report_name(pc_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// An empty problem, or NULL; everything below takes a NULL problem and does nothing.
pc_impact *pc_report_problem(pc_report *report);
// Solves it sharply. False if it did not converge: the case then reports NAN. Every case ends with
// a row that counts the solves that failed and the audits that did not close.
bool pc_report_solve(pc_report *report, pc_impact *problem);
bool pc_report_solve_with(pc_report *report, pc_impact *problem, const pc_solve_options *options,
                          pc_solve_info *info);
pc_solve_options pc_report_options(void);
// Counts a solve that was made otherwise.
void pc_report_count(pc_report *report, bool good);

// A world, or NULL. A step counts like a solve; false if it failed or is not accurate.
pc_world *pc_report_world(pc_report *report, const pc_world_def *def);
bool pc_report_step(pc_report *report, pc_world *world, double h);

// Inertia of a body that turns: the same about all axes.
int pc_setup_body(pc_impact *problem, int dof, double mass, double inertia, const double *position,
                  const double *velocity);
int pc_setup_contact(pc_impact *problem, int first, int second, const double *point,
                     const double *normal, const pc_law *law);
// P_N = k_normal D_N and P_T = k_tangential D_T on the mean velocity, with non-penetration.
pc_law pc_setup_linear(double k_normal, double k_tangential);
// Scalar rows on bodies of one degree of freedom: D = sum coefficient[i] velocity(i).
int pc_setup_row(pc_impact *problem, int bodies, const double *coefficient, const pc_law *law);
// D_N+ and D_N^- of a contact that is solved, along the normal it was given.
double pc_setup_normal_after(const pc_interaction_answer *answer, const double *normal);
double pc_setup_normal_before(const pc_interaction_answer *answer, const double *normal);
// P_N less k D_N(mean U): the reaction of a linear law, also where it is next to nothing.
double pc_setup_reaction(const pc_interaction_answer *answer, const double *normal, double k);

// The larger of two errors; NAN, a solve that failed, is the largest.
double pc_worst(double a, double b);

// The root of f between low and high, to the last digit; NAN without a change of sign.
typedef double pc_curve(double x, void *context);
double pc_bisect(pc_curve *f, void *context, double low, double high);

#endif
