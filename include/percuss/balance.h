// The energy balance of a step and of a run, as one list of lines. Everything about the lines is
// derived from it: the fields of pc_step_info and pc_run_summary, the sums over the run,
// the check of the balance, the columns and datasets of a record, the summary of a run and its
// description in docs/run-format.md. A new line needs an entry here and the place that computes it.
//
// With the signs of the list, for each step and since the start (all in J):
//
//     change of kinetic energy             = sum of step sign x line
//     kinetic + potential + stored - start = sum of run sign x total  (but for `drift`)
//
// In a world with heat (world_heat.h) the run balance has thermal + total_heat_outside +
// total_heat_obstacles in the place of total_dissipated.
#ifndef PERCUSS_BALANCE_H
#define PERCUSS_BALANCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// Energies at the end of a step: X(field, description).
#define PC_BALANCE_ENERGIES(X)                                                                     \
  X(kinetic_translation, "kinetic energy of the centres of mass")                                  \
  X(kinetic_rotation, "kinetic energy of the spins")                                               \
  X(potential, "potential energy in the field of gravity")                                         \
  X(stored, "energy stored in springs, strings and nets")

// Changes of energy: LINE(field, step sign, description) for a line that is kept for each step
// only, and SUMMED(field, total, field of the run summary, step sign, run sign, source,
// description) for one that is also summed over the run. Lines without a sign are parts of other
// lines. Additions run in the order of the list.
#define PC_BALANCE_LINES(LINE, SUMMED)                                                             \
  SUMMED(dissipated, total_dissipated, dissipated, -1, -1, "contacts",                             \
         "energy dissipated by contacts and by bodies that fell asleep")                           \
  SUMMED(work_prescribed, total_prescribed, work_prescribed, 1, 1, "prescribed motions",           \
         "work of prescribed motions")                                                             \
  SUMMED(work_forces, total_forces, work_forces, 1, 1, "forces and loads",                         \
         "work of forces and loads")                                                               \
  LINE(work_gravity, 1, "work of gravity")                                                         \
  LINE(work_elements, 1, "work of springs, strings and nets")                                      \
  SUMMED(                                                                                          \
      stored_error, total_stored_error, stored_error, 0, 1,                                        \
      "integration error of springs, strings and nets (time step too long for their stiffness)",   \
      "change of stored energy not explained by the work of springs, strings and nets: "           \
      "integration error")                                                                         \
  SUMMED(correction, total_correction, correction, 0, 1, "position correction",                    \
         "energy given by position correction, which moves bodies against gravity")                \
  SUMMED(given, total_given, given_by_events, 0, 1, "events",                                      \
         "energy given by events before the step")                                                 \
  LINE(unsigned_part, 0, "part of `dissipated` by laws whose dissipation has no guaranteed sign")  \
  SUMMED(separating, total_separating, separating, 0, 0, "separating contacts",                    \
         "part of `unsigned_part` at separating contacts closed by their neighbours; negative if " \
         "they gave energy")                                                                       \
  SUMMED(frozen, total_frozen, frozen, 0, 0, "bodies that fell asleep",                            \
         "part of `dissipated`: kinetic energy of bodies that fell asleep")                        \
  SUMMED(pierced, total_pierced, pierced, 0, 0, "pierced obstacles",                               \
         "part of `dissipated`: at pierced contacts")                                              \
  SUMMED(at_distance, total_at_distance, at_distance, 0, 0, "interactions at a distance",          \
         "part of `dissipated`: by interactions at a distance and between spins")

// Of a world with heat: X(field, unit, description).
#define PC_BALANCE_HEAT(X)                                                                         \
  X(thermal, "J", "heat of all bodies relative to the start")                                      \
  X(heat_outside, "J", "heat given to the surroundings in the step")                               \
  X(heat_obstacles, "J", "heat given to obstacles in the step")                                    \
  X(total_heat_outside, "J", "`heat_outside` since the start")                                     \
  X(total_heat_obstacles, "J", "`heat_obstacles` since the start")                                 \
  X(entropy, "J/K", "entropy of all bodies relative to the start")                                 \
  X(entropy_produced, "J/K",                                                                       \
    "entropy produced in the step, including surroundings and obstacles; negative only if "        \
    "`unsigned_part` is")                                                                          \
  X(total_entropy_produced, "J/K", "`entropy_produced` since the start")                           \
  X(hottest, "K", "temperature of the hottest body")                                               \
  X(coldest, "K", "temperature of the coldest body")

// Entries for LINE, SUMMED or X that declare fields, or nothing.
#define PC_BALANCE_FIELD(field, ...) double field;
#define PC_BALANCE_TOTAL(field, total, ...) double total;
#define PC_BALANCE_IN_SUMMARY(field, total, summary, ...) double summary;
#define PC_BALANCE_SKIP(...)
#define PC_BALANCE_NUMBER(field, ...) PC_LINE_##field,

// The number of each line: PC_LINE_dissipated, ...
typedef enum pc_line {
  PC_BALANCE_LINES(PC_BALANCE_NUMBER, PC_BALANCE_NUMBER) PC_BALANCE_COUNT
} pc_line;

// The lines as data, by their numbers.
typedef struct pc_balance_line {
  const char *name;            // of the field of pc_step_info
  const char *total;           // of the field with its sum over the run; NULL: none
  const char *summary;         // of the field of pc_run_summary with this sum; NULL: none
  int step_sign, run_sign;     // 1, -1, or 0: not in this balance
  const char *source;          // source of the energy; NULL without a total
  const char *description;     // in the step
  size_t offset, total_offset; // of the fields in pc_step_info
} pc_balance_line;
extern const pc_balance_line pc_balance[PC_BALANCE_COUNT];

// A hash of the lines and of their places in pc_step_info. Saved states hold the struct as it is,
// so a state that was saved with another layout is rejected.
uint64_t pc_balance_layout(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
