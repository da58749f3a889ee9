// What a run is made from: files that must not be replaced, and hashes that tell it from others.
#ifndef PERCUSS_RUN_INPUTS_H
#define PERCUSS_RUN_INPUTS_H

#include <stddef.h>
#include <stdint.h>

#include "percuss/scene.h"

// Fails if this file is one that the scene is read from.
pc_status pc_run_spare_inputs(const pc_scene *scene, const char *written, pc_error *error);

#define PC_HASH_START 14695981039346656037u
uint64_t pc_hash_bytes(uint64_t hash, const void *data, size_t size); // FNV-1a

// The text of a scene and what is in the files that it reads. A pipe, or a file that has gone
// since, adds nothing.
uint64_t pc_hash_scene(const pc_scene *scene);

// Why a run cannot be resumed. Where files are missing, damaged or of another version, what is left
// of them may still be wanted: to replace it is for the user to say, and the text says how.
pc_status pc_run_cannot_resume(const pc_error *reason, pc_error *error);

#endif
