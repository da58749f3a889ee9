// Heat of bodies: their temperatures, and what a step makes of them.
#ifndef PERCUSS_RIGID_HEAT_H
#define PERCUSS_RIGID_HEAT_H

#include <math.h>

#include "percuss/world_heat.h"
#include "rigid/bodies.h"
#include "rigid/contact_set.h"
#include "rigid/elements.h"

// The heat of a body, at its slot. Its temperature is start + heat / capacity: what is added up is
// the heat above the start, so that the round-off of the balance is that of the energies turned
// over, not that of C T, which may be 1e6 times as large.
typedef struct pc_body_heat {
  double start;    // K
  double heat;     // J, since the start; of an obstacle, what it took
  double inverse;  // 1 / capacity; 0 for obstacles
  double exchange; // W/K with the outside
  bool own_capacity, own_exchange;
} pc_body_heat;

typedef struct pc_heat_store {
  pc_heat_def def;
  PC_ARRAY(double) specific; // by material, J/(kg K); 0: that of the definition
  PC_ARRAY(pc_body_heat) body;
  PC_ARRAY(double) taken; // by contact: what it dissipates, J
  // Of the step so far: given away, and the entropy that went with it; what passed in all.
  double to_obstacles, to_outside, away, passed;
  bool spent; // a body was asked for more heat than it had
} pc_heat_store;

static inline double pc_body_temperature(const pc_body_heat *body)
{
  return body->start + body->heat * body->inverse;
}
double pc_body_entropy(const pc_body_heat *body);

// heat.c: definition and bodies.
static inline bool pc_is_above_zero(double x)
{
  return x > 0 && isfinite(x);
}
const char *pc_heat_store_check(const pc_heat_def *def);     // what is wrong, or NULL
pc_heat_store *pc_heat_store_create(const pc_heat_def *def); // NULL when memory is out
void pc_heat_store_free(pc_heat_store *heat);                // may be NULL
bool pc_heat_store_reserve(pc_heat_store *heat,
                           const pc_body_store *bodies); // entries for new bodies
bool pc_heat_store_set_specific(pc_heat_store *heat, const pc_body_store *bodies, int materials,
                                int material,
                                double specific); // false when memory is out
// Heats a body that is no obstacle to a temperature; gives the energy that this took.
double pc_body_heat_to(pc_body_heat *body, double temperature);

// heat_step.c: what the parts of a step make of heat. Contacts, bonds and rows take what they
// dissipate from the impact problem.
void pc_heat_store_begin(pc_heat_store *heat);
// Heat of what contacts and bonds of the problem just solved dissipated. False: memory is out.
bool pc_heat_store_take_contacts(pc_heat_store *heat, const pc_body_store *bodies,
                                 const pc_contact_data_list *contacts, const pc_elements *elements,
                                 const pc_impact *impact, int threads);
// What an interaction of two bodies dissipated.
void pc_heat_store_take(pc_heat_store *heat, const int body[2], double energy);
void pc_heat_store_take_rows(pc_heat_store *heat, const pc_elements *elements,
                             const pc_impact *impact);
void pc_heat_store_take_kinetic(pc_heat_store *heat, const pc_body_store *bodies,
                                int i); // of a body that stops
// Conduction through contacts that are pressed, with `penalty` those that overlap; backwards in
// every second step.
void pc_heat_store_conduct(pc_heat_store *heat, const pc_contact_data_list *contacts, bool penalty,
                           bool backwards, double h);
// Conduction along strings, taut or slack.
void pc_heat_store_conduct_strings(pc_heat_store *heat, const pc_body_store *bodies,
                                   const pc_elements *elements, bool backwards, double h);
// Cools all bodies over h, and tells what they have then: thermal, entropy, hottest and coldest of
// `info`.
void pc_heat_store_cool(pc_heat_store *heat, const pc_body_store *bodies, double h, int threads,
                        pc_step_info *info);

#endif
