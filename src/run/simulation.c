// Chooses the kind of simulation of a scene.
#include "run/simulation.h"

#include "scene/continuum.h"

const pc_simulation_kind *pc_simulation_kind_of(const pc_scene *scene)
{
  return scene->chain != NULL       ? &pc_chain_simulation
         : scene->crowd != NULL     ? &pc_crowd_simulation
         : scene->impact != NULL    ? &pc_impact_simulation
         : scene->continuum == NULL ? &pc_bodies_simulation
         : scene->continuum->flows  ? &pc_flow_simulation
                                    : &pc_continuum_simulation;
}

const char *pc_energy_unit(const pc_scene *scene)
{
  const pc_simulation_kind *kind = pc_simulation_kind_of(scene);
  return kind->energy_unit != NULL ? kind->energy_unit(scene) : "J";
}
