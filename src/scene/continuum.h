// What a `kind: continuum` file says: a collision, ready for pc_fe_collision_create; with a
// duration a motion, ready for pc_fe_motion_create or, of a fluid, pc_fe_flow_create.
#ifndef PERCUSS_SCENE_CONTINUUM_H
#define PERCUSS_SCENE_CONTINUUM_H

#include <stddef.h>

#include "continuum/flow.h"
#include "continuum/motion.h"
#include "continuum/thermal.h"
#include "core/memory.h"
#include "percuss/continuum.h"

struct pc_continuum {
  pc_fe_mesh mesh;
  pc_fe_collision_def def; // its arrays, and all that follows, are of `memory`
  const char **medium_name, **body_name, **contact_name;
  // Before: as many numbers of each node as the mesh has dimensions.
  double *velocity, *displacement;
  double (*body_velocity)[PC_FE_BODY];
  double (*body_attitude)[4]; // quaternions
  pc_shape **body_shape;      // NULL: only contacts say where its outline is
  // Temperatures: there are none when `thermal` has no media. Before the collision, of all nodes;
  // NAN: it has none.
  pc_fe_thermal_def thermal;
  double *temperature;
  double (*fraction)[PC_FE_FRACTIONS];
  int *thermal_contact; // of each contact, or -1
  pc_arena memory;
  pc_continuum_answer answer; // of a run; empty before it

  bool moves;              // there is a duration
  pc_fe_motion_def motion; // its arrays are of `memory`: as many solids as media and as many
                           // bodies; contacts are walls or meetings of sides and bodies
  int *motion_contact;     // of each contact: the wall, or behind the walls the meeting
  int *contact_of;         // the inverse
  bool alloys;             // it moves and has temperatures: a collision, then it vibrates and cools
  pc_fe_alloy_def alloy;   // that of `motion`: as many media, and surfaces of `thermal`

  bool flows;                      // it moves and is a fluid
  pc_fe_flow_def flow;             // its arrays are of `memory`: as many contacts
  pc_fe_flow_account flow_account; // of a run of it, likewise `state` and the end
  pc_fe_flow_state flow_end;

  // Of a run of the motion.
  pc_fe_motion_account account;
  pc_fe_wall_state *state; // of each contact
  pc_fe_body_state *body;  // of each body
  pc_fe_motion_state end;  // its numbers, without the arrays
};

// Units of sums over a mesh: in the plane per metre of depth, on a line per area of its section.
typedef struct pc_continuum_units {
  const char *energy, *entropy, *percussion;
} pc_continuum_units;
static inline pc_continuum_units pc_continuum_units_of(int dimension)
{
  static const pc_continuum_units units[] = {
      {"J/m^2", "J/(m^2 K)", "Pa s"}, {"J/m", "J/(m K)", "N s/m"}, {"J", "J/K", "N s"}};
  return units[dimension - 1];
}

#endif
