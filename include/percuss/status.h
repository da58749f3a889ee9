// The status that a call returns, and the message that explains it.
#ifndef PERCUSS_STATUS_H
#define PERCUSS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define PC_VERSION "0.1.0"

typedef enum pc_status {
  PC_OK = 0,
  PC_ERROR_MEMORY,   // an allocation failed
  PC_ERROR_ARGUMENT, // an argument is invalid
  PC_ERROR_INPUT,    // the content of a file is invalid; the text names file and line
  PC_ERROR_IO,       // a file could not be opened, read or written
  PC_ERROR_NUMERIC,  // a computation failed, for example a value is no longer finite
} pc_status;

// Passed by the caller, may be NULL. The text is one line, without a newline, and says what to
// change.
typedef struct pc_error {
  pc_status status;
  char text[512];
} pc_error;

#ifdef __cplusplus
}
#endif

#endif
