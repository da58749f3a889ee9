// Gives a target the files of folders, each once: what was found before, and the seeds.
//
//     fuzz_scene FILE-OR-FOLDER...
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

static long count;

// Not by fopen, which is the library's here (support.c).
static void replay_file(const char *path)
{
  int file = open(path, O_RDONLY);
  struct stat state;
  if (file < 0 || fstat(file, &state) != 0) {
    perror(path);
    exit(2);
  }
  size_t size = (size_t)state.st_size;
  uint8_t *data = malloc(size > 0 ? size : 1); // no more, so that a byte too many is seen
  if (data == NULL || read(file, data, size) != (ssize_t)size) {
    perror(path);
    exit(2);
  }
  close(file);
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  count++;
}

static void replay(const char *path)
{
  DIR *folder = opendir(path);
  if (folder == NULL) {
    replay_file(path);
    return;
  }
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    char inner[4096];
    if (entry->d_name[0] == '.')
      continue;
    snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
    replay(inner);
  }
  closedir(folder);
}

int main(int count_of, char **paths)
{
  for (int i = 1; i < count_of; i++)
    replay(paths[i]);
  printf("%ld files\n", count);
  return count > 0 ? 0 : 2;
}
