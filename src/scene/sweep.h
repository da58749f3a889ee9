// Which of the runs of a scene is read: its seed, and the values of keys that are swept.
#ifndef PERCUSS_SCENE_SWEEP_H
#define PERCUSS_SCENE_SWEEP_H

#include "percuss/scene.h"
#include "scene/bind.h"

// `seed` of the kinds that draw numbers.
typedef struct pc_seed_file {
  int seed;
} pc_seed_file;
#define PC_SEED_KEY(meaning_)                                                                      \
  {                                                                                                \
    PC_KEY(pc_seed_file, seed), PC_AN_INTEGER, PC_FROM(0, 2147483647), .otherwise = "1",           \
                                                                       .meaning = meaning_         \
  }
// The keys of all scenes that run, and of those without random numbers, for which one run of each
// combination is enough.
extern const pc_key pc_keys_of_runs[], pc_keys_of_sweeps[];
// Reads `runs`, `sweep` and `seed` of a scene of this kind, and changes the document into that of
// the run `scene->member`. All bases must stand behind it, and its keys are not read yet.
void pc_scene_choose_run(pc_scene *scene, pc_node root, const pc_mapping *mapping);
void pc_scene_plan_free(pc_scene_plan *plan);

#endif
