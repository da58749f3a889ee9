#include "scene/paths.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Names of files are relative to the folder of the file that has them.
static bool name_file(pc_node node, const char *name, char *path, size_t size)
{
  const char *file = pc_node_file(node), *slash = strrchr(file, '/');
  int folder = *name == '/' || slash == NULL ? 0 : (int)(slash - file) + 1;
  return snprintf(path, size, "%.*s%s", folder, file, name) < (int)size;
}

bool pc_scene_find_file(pc_node node, char *path, size_t size)
{
  const char *name = pc_read_name(node);
  if (pc_failed(node))
    return false;
  if (!name_file(node, name, path, size))
    pc_complain(node, "the name of the file is too long");
  else if (!pc_document_note(node, path))
    pc_complain(node, "out of memory");
  return !pc_failed(node);
}

void pc_scene_note_file(pc_node node)
{
  char path[1024];
  struct stat there;
  if (name_file(node, pc_read_string(node), path, sizeof path) && stat(path, &there) == 0 &&
      S_ISREG(there.st_mode) && !pc_document_note(node, path))
    pc_complain(node, "out of memory");
}
