// Which program a run is of: its version and what it takes where a scene says nothing.
#ifndef PERCUSS_RUN_PROGRAM_H
#define PERCUSS_RUN_PROGRAM_H

#include "percuss/status.h"

// "percuss 0.1.0, defaults 0123456789abcdef": the hash is of the format of checkpoints, of all
// defaults of the schema and of the numbers that steer the solvers. Programs of the same text go on
// with each other's runs.
enum { PC_RUN_PROGRAM = 80 };
void pc_run_program(char text[PC_RUN_PROGRAM]);

// The blob of a checkpoint that holds the text. PC_ERROR_INPUT if the checkpoint is of another
// program; the message names both.
#define PC_RUN_PROGRAM_BLOB "program"
pc_status pc_run_check_program(const char *checkpoint, pc_error *error);

#endif
