// Gives a target the files of folders, each once: what was found before, and the seeds.
//
//     fuzz_scene FILE-OR-FOLDER...
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static long count;

static void replay_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    exit(2);
  }
  size_t size = 0, room = 1 << 16;
  uint8_t *data = malloc(room);
  for (size_t got = 1; data != NULL && got > 0; size += got) {
    if (size == room)
      data = realloc(data, room *= 2);
    got = data != NULL ? fread(data + size, 1, room - size, file) : 0;
  }
  fclose(file);
  uint8_t *exact = malloc(size + 1); // so that a byte too many is seen
  if (data == NULL || exact == NULL)
    exit(2);
  exact = realloc(exact, size > 0 ? size : 1);
  memcpy(exact, data, size);
  free(data);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
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
