// The status that a call returns, the message that explains it, and what holds for every function.
//
// Invalid arguments are rejected without a crash. A number out of range, an unknown enumerator, a
// number that must be finite and is not, or NULL where the header does not allow it, gives
//
//   - PC_ERROR_ARGUMENT from a function that returns a status, with a message in its pc_error or in
//     the object: pc_world_error, pc_crowd_error, pc_impact_error;
//   - the null value otherwise: NULL, a null body, -1 for the number of an added object, and 0,
//     false or a struct of zeros for queries; NAN or INFINITY where the header says so,
//     and "unknown" for a name. Outputs of a known size are filled with zeros.
//
// A rejected call changes nothing. A world cannot be changed, stepped, saved or destroyed during
// its own step, that is, from a force callback; such calls are rejected too, also through the crowd
// of the world. Reading is allowed. PC_ERROR_NUMERIC means that a computation had started: its
// object may have changed.
//
// The caller is responsible for what a function cannot check: that non-NULL pointers are valid,
// that objects have not been destroyed, and that arrays are as long as their counts.
#ifndef PERCUSS_STATUS_H
#define PERCUSS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define PC_VERSION "0.1.0"

typedef enum pc_status {
  PC_OK = 0,
  PC_ERROR_MEMORY,   // an allocation failed
  PC_ERROR_ARGUMENT, // an argument is invalid
  PC_ERROR_INPUT,    // the content of a file is invalid; the text names file and line
  PC_ERROR_IO,       // a file could not be opened, read or written
  PC_ERROR_NUMERIC,  // a computation failed, for example a value is not finite
} pc_status;

// Passed by the caller, may be NULL. The text is one line, without a newline, and says what to
// change.
typedef struct pc_error {
  pc_status status;
  char text[512];
} pc_error;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
