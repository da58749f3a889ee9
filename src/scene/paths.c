#include "scene/paths.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "percuss/scene.h"

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
    pc_complain(node, "the file name is too long");
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

bool pc_is_folder(const char *path)
{
  struct stat state;
  return stat(path, &state) == 0 && S_ISDIR(state.st_mode);
}

bool pc_scene_folder(char *path, size_t size)
{
  if (path == NULL)
    return false;
  if (snprintf(path, size, "scenes") < (int)size && pc_is_folder(path))
    return true;
  char program[1024];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0)
    return false;
  program[length] = 0;
  char *slash = strrchr(program, '/');
  if (slash == NULL)
    return false;
  *slash = 0;
  static const char *const places[] = {"scenes", "share/percuss/scenes"};
  slash = strrchr(program, '/');
  for (int i = 0; i < 2 && slash != NULL; i++)
    if (snprintf(path, size, "%.*s/%s", (int)(slash - program), program, places[i]) < (int)size &&
        pc_is_folder(path))
      return true;
  return false;
}
