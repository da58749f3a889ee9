// For the tests of the program: is stdin one JSON value, and what is at a path in it?
//
//     json_get                        exit 0 if stdin is strict JSON
//     json_get bodies 0 velocity 1    prints that value as it is written
#include <stdio.h>
#include <stdlib.h>

#include "json.h"

int main(int argc, char **argv)
{
  size_t size = 0, capacity = 1 << 16;
  char *text = malloc(capacity + 1);
  for (size_t got; text != NULL && (got = fread(text + size, 1, capacity - size, stdin)) > 0;) {
    size += got;
    if (size == capacity)
      text = realloc(text, (capacity *= 2) + 1);
  }
  if (text == NULL)
    return 1;
  text[size] = 0;
  json_text read = json_read(text, size, argc > 1 ? argv + 1 : NULL);
  if (read.why != NULL)
    fprintf(stderr, "json_get: %s at '%.40s'\n", read.why, read.at);
  else if (argc > 1 && read.found == NULL)
    fprintf(stderr, "json_get: nothing there\n");
  else if (argc > 1)
    printf("%.*s\n", (int)read.found_length, read.found);
  int status = read.why != NULL || (argc > 1 && read.found == NULL);
  free(text);
  return status;
}
