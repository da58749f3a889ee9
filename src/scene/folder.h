// Where the ready scenes are.
#ifndef PERCUSS_SCENE_FOLDER_H
#define PERCUSS_SCENE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

// The folder 'scenes' here, beside the folder of the program (a built tree), or where `install`
// puts it. False if there is none, or its path does not fit.
bool pc_scene_folder(char *path, size_t size);
bool pc_is_folder(const char *path);

#endif
