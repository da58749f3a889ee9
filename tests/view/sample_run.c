// sample_run PATH BOXES FRAMES BYTES: a made-up run for the tests of the viewer. Says on its output
// how many frames it has.
#include "app/sample_run.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  pc_error error = {.status = PC_OK};
  if (argc != 5) {
    fprintf(stderr, "usage: sample_run PATH BOXES FRAMES BYTES\n");
    return 2;
  }
  if (sample_run_write(argv[1], atoi(argv[2]), atol(argv[3]), atof(argv[4]), &error) != PC_OK) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  return 0;
}
