// Heat in a world of rigid bodies. Every body has one temperature and a heat capacity. The energy
// that contacts, bonds and strings dissipate in a step heats the two bodies that they join; heat is
// conducted between touching bodies and exchanged with the surroundings.
//
//     pc_heat_def heat = pc_heat_def_default();
//     heat.conductance = 0.5;
//     pc_world_set_heat(world, &heat);
//     pc_world_step(world, 1e-3);
//     double kelvin = pc_body_get_temperature(world, stone);
//
// A collision that dissipates W shares it as in Fremond (Collisions Engineering, (3.165), (3.166)
// with lambda = 0): C_1 [T_1] + C_2 [T_2] = W and C_1 [T_1] / (T_1+ + T_1-) = C_2 [T_2] / (T_2+ +
// T_2-), so the hotter body takes more. No energy is lost: pc_step_info has the balance.
#ifndef PERCUSS_WORLD_HEAT_H
#define PERCUSS_WORLD_HEAT_H

#include "percuss/world.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_heat_def {
  double specific;    // heat capacity, J/(kg K), of materials that do not define it
  double temperature; // K, at the start
  double conductance; // W/K, between two bodies pressed together; 0: no conduction
  double exchange;    // W/(m^2 K) between the surface of a body and the outside, in the plane
                      // W/(m K) along its outline; 0: none
  double outside;     // K
  // Obstacles have constant temperatures, take their share of the energy dissipated at contacts,
  // and conduct heat. Otherwise bodies receive all of it and nothing is conducted.
  bool obstacles;
  double obstacle_temperature; // K, of obstacles without their own temperature
} pc_heat_def;
pc_heat_def pc_heat_def_default(void); // 800 J/(kg K), 293.15 K everywhere, no heat transfer

// Gives all bodies the temperatures of the definition and restarts the energy balance of the run.
// NULL turns heat off.
pc_status pc_world_set_heat(pc_world *world, const pc_heat_def *def);
const pc_heat_def *pc_world_heat(const pc_world *world); // NULL without heat

// Exceptions to the definition, set between pc_world_set_heat and the first step: the specific heat
// of a material, J/(kg K); the capacity of a body, J/K; its exchange with the outside, W/K.
pc_status pc_world_set_specific_heat(pc_world *world, int material, double specific);
pc_status pc_body_set_capacity(pc_world *world, pc_body body, double capacity);
pc_status pc_body_set_exchange(pc_world *world, pc_body body, double exchange);

// Temperatures, K. Set before the first step, a temperature is the initial one; set later, the
// energy it adds is accounted for in the balance. An obstacle has a constant temperature. NAN
// without heat.
pc_status pc_body_set_temperature(pc_world *world, pc_body body, double temperature);
double pc_body_get_temperature(const pc_world *world, pc_body body);
// Capacity, J/K; INFINITY for obstacles.
double pc_body_get_capacity(const pc_world *world, pc_body body);
// Heat that a body or obstacle has received since the start, J; for a body C (T - T_start).
double pc_body_get_heat(const pc_world *world, pc_body body);
// Temperatures of `count` bodies, by id from `first` on.
void pc_world_read_temperatures(const pc_world *world, pc_body first, int count,
                                double *temperature);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
