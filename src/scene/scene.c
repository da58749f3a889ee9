// Scenes that run: what all kinds begin with, and which kind a file is of.
#include "scene/scene_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "scene/crowd_file.h"
#include "scene/sweep.h"
#include "scene/tables.h"

// --- what all kinds have ------------------------------------------------------------------------

bool pc_scene_read_output(pc_scene *scene, pc_node *node, const pc_mapping *table, double every)
{
  for (int i = 0; i < 3; i++) {
    scene->bounds[i] = -INFINITY;
    scene->bounds[3 + i] = INFINITY;
  }
  scene->frame_every = fmax(every, scene->step);
  scene->checkpoint_every = 60;
  scene->record_contacts = scene->csv = scene->xdmf = true;
  if (!pc_is_present(*node) || !pc_read_keys(node, table))
    return false;
  if (pc_mapping_has(table, "every")) {
    pc_node given = pc_get(*node, "every");
    scene->frame_every = pc_read_number_or(given, scene->frame_every);
    if (!pc_failed(*node) && scene->frame_every < scene->step * (1 - 1e-9))
      pc_complain(given, "frames every %g s are closer than the steps, %g s", scene->frame_every,
                  scene->step);
  }
  scene->checkpoint_every = pc_read_number_or(pc_get(*node, "checkpoint"), scene->checkpoint_every);
  if (pc_mapping_has(table, "contacts"))
    scene->record_contacts = pc_read_boolean_or(pc_get(*node, "contacts"), true);
  scene->csv = pc_read_boolean_or(pc_get(*node, "csv"), true);
  scene->xdmf = pc_read_boolean_or(pc_get(*node, "xdmf"), true);
  return true;
}

static void read_times(pc_scene *scene, pc_node root)
{
  if (!pc_has_key(root, "duration"))
    return;
  pc_node duration = pc_get(root, "duration");
  scene->duration = pc_read_number_or(duration, 0);
  scene->step = pc_read_number_or(pc_get(root, "step"), 0);
  if (!pc_failed(root) && scene->step > 0 && scene->duration / scene->step > PC_STEPS_MOST)
    pc_complain(duration,
                "%g s in steps of %g s are too many steps: a run can have %g; take a shorter "
                "duration or a longer step",
                scene->duration, scene->step, PC_STEPS_MOST);
  if (!pc_failed(root) && scene->duration > 0 && scene->step > scene->duration * (1 + 1e-9))
    pc_complain(pc_get(root, "step"), "a step of %g s is longer than the duration, %g s",
                scene->step, scene->duration);
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
      pc_complain(node, "more than %d files are based on each other", MOST);
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

bool pc_scene_read_head(pc_scene *scene, pc_node *root, pc_kind kind)
{
  const pc_mapping *mapping = pc_schema_kinds[kind];
  pc_read_kind(*root, kind);
  read_bases(scene, *root, kind);
  if (!pc_failed(*root) && pc_is_mapping(*root))
    pc_scene_choose_run(scene, *root, mapping);
  if (!pc_read_keys(root, mapping))
    return false;
  for (pc_node at = pc_node_behind(*root); pc_is_present(at); at = pc_node_behind(at))
    if (!pc_read_keys(&at, mapping))
      return false;
  pc_node title = pc_get(*root, "title");
  if (pc_is_present(title) && (scene->title = strdup(pc_read_string(title))) == NULL)
    pc_complain(title, "out of memory");
  pc_read_source(*root);
  read_times(scene, *root);
  return true;
}

// --- the file -----------------------------------------------------------------------------------

static bool is_of_kind(pc_node root, const char *name)
{
  pc_node kind = pc_get(root, "kind");
  return pc_is_present(kind) && !pc_is_sequence(kind) && !pc_is_mapping(kind) &&
         strcmp(pc_read_string(kind), name) == 0;
}

bool pc_scene_is_of_kind(const char *path, const char *kind, pc_error *error)
{
  pc_document *document = pc_fclib_is_file(path) ? NULL : pc_document_open(path, error);
  if (document == NULL)
    return false;
  pc_node root = pc_document_root(document);
  bool is = pc_is_mapping(root) && is_of_kind(root, kind);
  pc_document_close(document, NULL);
  return is;
}

static pc_status build(pc_scene *scene, size_t size, pc_error *error)
{
  pc_document *document = pc_document_parse(scene->path, scene->text, size, error);
  if (document == NULL)
    return PC_ERROR_INPUT;
  pc_node root = pc_document_root(document);
  if (is_of_kind(root, "crowd"))
    pc_crowd_read_file(scene, root);
  else if (is_of_kind(root, "chain"))
    pc_chain_read_file(scene, root);
  else if (is_of_kind(root, "continuum"))
    pc_continuum_read_file(scene, root);
  else
    pc_rigid_read_file(scene, root);
  scene->inputs = pc_document_take_notes(document, &scene->input_count);
  return pc_document_close(document, error);
}

// Takes out->text, of this size; NULL: `reason` says why.
static pc_status read_text(const char *path, size_t size, pc_scene *out, pc_error *reason,
                           pc_error *error)
{
  out->path = strdup(path);
  if (out->text != NULL && out->path == NULL)
    pc_fail(reason, PC_ERROR_MEMORY, "out of memory");
  if (reason->status == PC_OK)
    build(out, size, reason);
  if (reason->status == PC_OK)
    return PC_OK;
  pc_scene_free(out);
  if (error != NULL)
    *error = *reason;
  return reason->status;
}

pc_status pc_scene_read(const char *path, pc_scene *out, pc_error *error)
{
  *out = (pc_scene){.member = 1};
  pc_error reason = {.status = PC_OK};
  size_t size = 0;
  out->text = pc_document_text(path, &size, &reason);
  return read_text(path, size, out, &reason, error);
}

pc_status pc_scene_parse_run(const char *path, const char *text, int run, pc_scene *out,
                             pc_error *error)
{
  *out = (pc_scene){.member = run};
  pc_error reason = {.status = PC_OK};
  out->text = strdup(text);
  if (out->text == NULL)
    pc_fail(&reason, PC_ERROR_MEMORY, "out of memory");
  return read_text(path, strlen(text), out, &reason, error);
}

pc_status pc_scene_parse(const char *path, const char *text, pc_scene *out, pc_error *error)
{
  return pc_scene_parse_run(path, text, 1, out, error);
}

void pc_scene_free(pc_scene *scene)
{
  if (scene->crowd != NULL)
    pc_crowd_destroy(scene->crowd);
  else
    pc_world_destroy(scene->world);
  pc_scene_chain_free(scene->chain);
  pc_continuum_free(scene->continuum);
  pc_scene_people_free(&scene->people);
  for (int i = 0; i < scene->bodies; i++)
    free(scene->names[i]);
  for (int i = 0; i < scene->materials; i++)
    free(scene->material_names[i]);
  for (int i = 0; i < scene->sensors; i++) {
    free(scene->sensor[i].name);
    free(scene->sensor[i].bodies);
  }
  for (int i = 0; i < scene->elements; i++)
    free(scene->element[i].name);
  free(scene->names);
  free(scene->material_names);
  free(scene->sensor);
  for (int i = 0; i < scene->events; i++)
    free(scene->event[i].bodies);
  free(scene->element);
  free(scene->event);
  free(scene->path);
  free(scene->title);
  free(scene->text);
  free(scene->base_text);
  free(scene->changes);
  pc_scene_plan_free(&scene->plan);
  for (int i = 0; i < scene->input_count; i++)
    free(scene->inputs[i]);
  free(scene->inputs);
  *scene = (pc_scene){0};
}
