// The inputs of a run: files that it must not replace; hashes.
#ifndef PERCUSS_RUN_INPUTS_H
#define PERCUSS_RUN_INPUTS_H

#include <stddef.h>
#include <stdint.h>

#include "percuss/scene.h"

// Fails if the scene is read from this file, or from one that stands for it while it is written.
pc_status pc_run_spare_inputs(const pc_scene *scene, const char *written, pc_error *error);

#define PC_HASH_START 14695981039346656037u
uint64_t pc_hash_bytes(uint64_t hash, const void *data, size_t size); // FNV-1a

// Explains why a run cannot be resumed. If files are missing, damaged or of another version, the
// user may still need what is left of them, so the text says how to replace them.
pc_status pc_run_cannot_resume(const pc_error *reason, pc_error *error);

#endif
