// Folders. percuss/scene.h declares pc_scene_folder, which is defined here too.
#ifndef PERCUSS_SCENE_FOLDER_H
#define PERCUSS_SCENE_FOLDER_H

#include <stdbool.h>

bool pc_is_folder(const char *path);

#endif
