// The files of tests that compare two runs of one scene.
#ifndef TESTS_RUN_FILES_H
#define TESTS_RUN_FILES_H

#include <string.h>

#include "folder.h"
#include "percuss/scene.h"

static char scene_path[80], path_a[80], path_b[80];

static int name_files(void **state)
{
  int result = make_folder(state);
  strcpy(scene_path, in_folder("scene.yaml"));
  strcpy(path_a, in_folder("a.h5"));
  strcpy(path_b, in_folder("b.h5"));
  return result;
}

static pc_scene read_scene(void)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(pc_scene_read(scene_path, &scene, &error), &error);
  return scene;
}

#endif
