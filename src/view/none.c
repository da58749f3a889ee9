// Replaces the server in a build without the viewer.
#include <stddef.h>

#include "core/error.h"
#include "percuss/view.h"

// Why, and what to do.
#ifdef PC_VIEWER_MISSING
#define WITHOUT                                                                                    \
  "Percuss was built without the viewer (the packages of its page could not be fetched); run "     \
  "`make` again with a network"
#else
#define WITHOUT "Percuss was built without the viewer; run `make` again without VIEWER=0"
#endif

pc_status pc_view_check(const pc_view_options *options, pc_error *error)
{
  return pc_fail(error, PC_ERROR_ARGUMENT, WITHOUT);
}

pc_view *pc_view_open(const pc_view_options *options, pc_error *error)
{
  pc_view_check(options, error);
  return NULL;
}

const char *pc_view_address(const pc_view *view)
{
  return "";
}

void pc_view_close(pc_view *view) {}
