// The viewer: serves one run and the page that shows it, on the loopback interface only.
#ifndef PERCUSS_VIEW_H
#define PERCUSS_VIEW_H

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_view pc_view;

typedef struct pc_view_options {
  const char *path; // the run; it may be in progress, also in this process
  int port;         // 0: any free port
  int connections;  // maximum at a time; 0: 128
  double timeout_s; // s to receive a request, and ten times that to send its answer; 0: 30
} pc_view_options;

// Serves from its own threads until closed. PC_ERROR_INPUT: the file is not a run; PC_ERROR_IO: it
// cannot be read, or the port is taken; PC_ERROR_ARGUMENT: an option is invalid, or Percuss was
// built without the viewer.
pc_view *pc_view_open(const pc_view_options *options, pc_error *error);
// Checks whether a view could be opened, before the run exists.
pc_status pc_view_check(const pc_view_options *options, pc_error *error);
// http://127.0.0.1:PORT/TOKEN/ : everyone who has it can read the run. Valid as long as the view.
const char *pc_view_address(const pc_view *view);
void pc_view_close(pc_view *view);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
