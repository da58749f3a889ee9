#include "scene/names.h"

#include <string.h>

int pc_names_add_at(pc_names *names, const char *name, pc_node node, const char *what)
{
  int added = pc_failed(node) ? -1 : pc_names_add(names, name);
  char shown[60];
  pc_text_clean(shown, sizeof shown, name, strlen(name));
  if (added == -1)
    pc_complain(node, "two %s are named '%s'; names must be unique", what, shown);
  else if (added < 0)
    pc_complain(node, "out of memory at '%s'", shown);
  return added < 0 ? -1 : added;
}
