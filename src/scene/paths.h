// Files that a scene names, and folders; percuss/scene.h declares pc_scene_folder.
#ifndef PERCUSS_SCENE_PATHS_H
#define PERCUSS_SCENE_PATHS_H

#include "scene/document.h"

// The path of a file that is named at this node: it is looked for beside the file of the node.
// False, with a complaint, if the name is too long.
bool pc_scene_find_file(pc_node node, char *path, size_t size);
// Takes the file of that name, if there is one, for one that the scene reads.
void pc_scene_note_file(pc_node node);
bool pc_is_folder(const char *path);

#endif
