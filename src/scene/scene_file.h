// The inside of reading a scene that runs: what its kinds share, and what each has to fill.
#ifndef PERCUSS_SCENE_SCENE_FILE_H
#define PERCUSS_SCENE_SCENE_FILE_H

#include "percuss/scene.h"
#include "scene/document.h"
#include "scene/impact_file.h"

// What all scenes begin with: bases, title, source, duration and step, 0 where the kind can do
// without and the file does not say. False if the keys are not those of the kind; after that `root`
// knows them.
bool pc_scene_read_head(pc_scene *scene, pc_node *root, pc_kind kind);
// What all say of recording, with frames every so many seconds unless the file says; false if it
// says nothing. The keys that only one kind has are read after it.
bool pc_scene_read_output(pc_scene *scene, pc_node *node, const pc_mapping *table, double every);
// The path of a file that is named at this node: it is looked for beside the file of the node.
// False, with a complaint, if the name is too long.
bool pc_scene_find_file(pc_node node, char *path, size_t size);
// Takes the file of that name, if there is one, for one that the scene reads.
void pc_scene_note_file(pc_node node);

// Each fills the scene from a file of its kind; the document has the complaints.
void pc_rigid_read_file(pc_scene *scene, pc_node root);
void pc_crowd_read_file(pc_scene *scene, pc_node root);
void pc_chain_read_file(pc_scene *scene, pc_node root);
void pc_scene_chain_free(pc_scene_chain *chain); // NULL will do
void pc_continuum_read_file(pc_scene *scene, pc_node root);
void pc_continuum_free(pc_continuum *continuum); // NULL will do

#endif
