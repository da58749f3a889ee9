#include "scene/folder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "percuss/scene.h"

bool pc_is_folder(const char *path)
{
  struct stat state;
  return stat(path, &state) == 0 && S_ISDIR(state.st_mode);
}

bool pc_scene_folder(char *path, size_t size)
{
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
