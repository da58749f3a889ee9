// Replaces the server in a build without the viewer.
#include <stddef.h>

#include "core/error.h"
#include "percuss/view.h"

pc_status pc_view_check(const pc_view_options *options, pc_error *error)
{
  return pc_fail(error, PC_ERROR_ARGUMENT,
                 "Percuss was built without the viewer; build it again without VIEWER=0");
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
