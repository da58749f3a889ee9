// A folder for the files of a test, made before it and gone after it:
//
//     return cmocka_run_group_tests(tests, make_folder, remove_folder);
#ifndef PERCUSS_TESTS_FOLDER_H
#define PERCUSS_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/percuss-test-XXXXXX";

static int make_folder(void **state)
{
  return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
  char command[60];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

#endif
