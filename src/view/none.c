// What a build without the viewer has in its place.
#include "core/error.h"
#include "percuss/view.h"

pc_view *pc_view_open(const pc_view_options *options, pc_error *error)
{
  pc_fail(error, PC_ERROR_ARGUMENT,
          "this Percuss was built without the viewer: build it again without VIEWER=0");
  return NULL;
}

const char *pc_view_address(const pc_view *view)
{
  return "";
}

void pc_view_close(pc_view *view) {}
