// What all scenes that run begin with: files they are based on, times, and what is recorded.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/meaning.h"
#include "scene/paths.h"
#include "scene/scene_file.h"
#include "scene/sweep.h"

const pc_key pc_keys_of_times[] = {
    {PC_KEY(pc_scene, duration), PC_A_NUMBER, true, .unit = "s", PC_POSITIVE,
     .meaning = "simulated time; the last step may end slightly later"},
    {PC_KEY(pc_scene, step), PC_A_NUMBER, true, .unit = "s", PC_POSITIVE,
     .meaning = "time step, constant"},
    {0}};

void pc_scene_read_output(pc_scene *scene, pc_node *node, const pc_mapping *table, double every)
{
  for (int i = 0; i < 3; i++) {
    scene->bounds[i] = -INFINITY;
    scene->bounds[3 + i] = INFINITY;
  }
  scene->frame_every = fmax(every, scene->step);
  scene->record_contacts = true; // where the kind has no such key
  if (PC_BIND(node, table, pc_scene, scene) && scene->frame_every < scene->step * (1 - 1e-9))
    pc_complain(PC_NODE(*node, pc_scene, frame_every),
                "frames every %g s are more frequent than the steps of %g s; increase the interval",
                scene->frame_every, scene->step);
  else if (PC_GIVEN(*node, pc_scene, frame_every) && scene->duration > 0 &&
           scene->frame_every > scene->duration * (1 + 1e-9))
    pc_warn(PC_NODE(*node, pc_scene, frame_every),
            "frames every %g s of a run of %g s: only its start is recorded; 'every' is in seconds",
            scene->frame_every, scene->duration);
}

static void check_times(pc_scene *scene, pc_node root)
{
  if (!pc_failed(root) && scene->step > 0 && scene->duration / scene->step > PC_STEPS_MOST)
    pc_complain(PC_NODE(root, pc_scene, duration),
                "%g s in steps of %g s gives too many steps: at most %g are allowed; use a shorter "
                "duration or a longer step",
                scene->duration, scene->step, PC_STEPS_MOST);
  if (!pc_failed(root) && scene->duration > 0 && scene->step > scene->duration * (1 + 1e-9))
    pc_complain(PC_NODE(root, pc_scene, step),
                "the step of %g s is longer than the duration of %g s", scene->step,
                scene->duration);
}

// Puts the file that the scene is based on behind it, and the one behind that.
static void read_bases(pc_scene *scene, pc_node root, pc_kind kind)
{
  enum { MOST = 8 };
  for (int depth = 1; !pc_failed(root); depth++) {
    pc_node node = pc_get(root, "base");
    char path[1024];
    if (!pc_is_present(node) || !pc_scene_find_file(node, path, sizeof path))
      return;
    if (depth > MOST) {
      pc_complain(node, "the chain of 'base' files is longer than %d", MOST);
      return;
    }
    pc_error reason = {.status = PC_OK};
    size_t size = 0, had = scene->base_text != NULL ? strlen(scene->base_text) : 0;
    char *text = pc_document_text(path, &size, &reason);
    pc_document *base = text != NULL ? pc_document_parse(path, text, size, &reason) : NULL;
    char *all = base != NULL ? realloc(scene->base_text, had + size + 1) : NULL;
    if (all != NULL) {
      memcpy(all + had, text, size + 1);
      scene->base_text = all;
      scene->bases++;
    }
    free(text);
    if (base == NULL || all == NULL) {
      pc_complain(node, "%s", base == NULL ? reason.text : "out of memory");
      if (base != NULL)
        pc_document_close(base, NULL);
      return;
    }
    pc_document_stand_behind(root.document, base);
    root = pc_document_root(base);
    pc_read_kind(root, kind);
  }
}

bool pc_scene_read_head(pc_scene *scene, pc_node *root, pc_kind kind, const pc_mapping *mapping)
{
  pc_read_kind(*root, kind);
  read_bases(scene, *root, kind);
  if (!pc_failed(*root))
    pc_document_set_table(root->document, mapping);
  if (!pc_failed(*root) && pc_is_mapping(*root) && // before the values of a run are put in
      (scene->meaning = pc_document_meaning(*root)) == NULL)
    pc_complain(*root, "out of memory");
  if (!pc_failed(*root) && pc_is_mapping(*root))
    pc_scene_choose_run(scene, *root, mapping);
  if (!pc_read_keys(root, mapping))
    return false;
  for (pc_node at = pc_node_behind(*root); pc_is_present(at); at = pc_node_behind(at))
    if (!pc_read_keys(&at, mapping))
      return false;
  if (pc_mapping_has(mapping, "dimension")) { // before any vector is read
    pc_node dimension = pc_get(*root, "dimension");
    pc_document_set_dimension(root->document,
                              pc_is_present(dimension) ? pc_read_integer(dimension) : 3);
  }
  pc_read_title(*root, &scene->title);
  PC_BIND(root, mapping, pc_scene, scene);
  check_times(scene, *root);
  return true;
}
