// The inside of reading a scene that runs: what its kinds share, and what each has to fill.
#ifndef PERCUSS_SCENE_SCENE_FILE_H
#define PERCUSS_SCENE_SCENE_FILE_H

#include "percuss/scene.h"
#include "scene/bind.h"
#include "scene/kind.h"

// Top keys that all scenes that run have, and keys of `output`.
#define PC_BASE_KEY                                                                                \
  {                                                                                                \
    "base", PC_UNBOUND, PC_A_FILE,                                                                 \
        .meaning =                                                                                 \
            "another file of this kind; top-level keys that are missing here are copied from it"   \
  }
#define PC_CSV_KEY(meaning_)                                                                       \
  {                                                                                                \
    PC_KEY(pc_scene, csv), PC_A_BOOLEAN, .otherwise = "true", .meaning = meaning_                  \
  }
#define PC_XDMF_KEY                                                                                \
  {                                                                                                \
    PC_KEY(pc_scene, xdmf), PC_A_BOOLEAN, .otherwise = "true",                                     \
                                          .meaning = "true: write RUN.xdmf, for ParaView"          \
  }
#define PC_CHECKPOINT_KEY                                                                          \
  {                                                                                                \
    "checkpoint", PC_INTO(pc_scene, checkpoint_every), PC_A_NUMBER,                                \
        .unit = "s", PC_NOT_NEGATIVE, .otherwise = "60",                                           \
        .meaning = "wall-clock time between checkpoints; 0: only at "                              \
                   "the start, when stopped and at the end"                                        \
  }

// What all scenes begin with: bases, title, source, and the keys that fill the scene: duration and
// step. False if the keys are not those of the kind; after that `root` knows them.
bool pc_scene_read_head(pc_scene *scene, pc_node *root, pc_kind kind, const pc_mapping *mapping);
// `output` of a scene, by the keys of its table that fill the scene; with frames every so many
// seconds unless the file says.
void pc_scene_read_output(pc_scene *scene, pc_node *node, const pc_mapping *table, double every);

// Tables of whole files.
extern const pc_mapping pc_table_impact, pc_table_identification, pc_table_chain,
    pc_table_continuum, pc_table_rigid, pc_table_crowd;
// Each fills the scene from a file of its kind; the document has the complaints.
void pc_rigid_read_file(pc_scene *scene, pc_node root);
void pc_crowd_read_file(pc_scene *scene, pc_node root);
// The building alone, to be inspected.
void pc_crowd_read_building(pc_scene *scene, pc_node root);
void pc_scene_people_free(pc_scene_people *people);
void pc_chain_read_file(pc_scene *scene, pc_node root);
void pc_scene_chain_free(pc_scene_chain *chain); // NULL will do
void pc_impact_read_file(pc_scene *scene, pc_node root);
void pc_continuum_read_file(pc_scene *scene, pc_node root);
void pc_continuum_free(pc_continuum *continuum); // NULL will do
// Reads the building of a `kind: crowd` file, without people, for pc_inspect. All complaints go to
// the teller; of warnings, too.
pc_status pc_scene_read_building(const char *path, pc_scene *out, pc_scene_teller *tell,
                                 void *context, pc_error *error);
// Takes the document, also when it fails.
pc_status pc_identification_read_document(pc_document *document, pc_scene_identification *out,
                                          pc_error *error);

// Duration and step of kinds that need both.
extern const pc_key pc_keys_of_times[];

#endif
