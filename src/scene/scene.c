// Files of all kinds: which kind a file is of, and scenes that run.
#include "scene/scene_file.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "scene/impact_file.h"
#include "scene/names.h"
#include "scene/sweep.h"

// In the order of pc_kind.
const pc_mapping *const pc_schema_kinds[] = {&pc_table_impact,
                                             &pc_table_identification,
                                             &pc_table_chain,
                                             &pc_table_continuum,
                                             &pc_table_rigid,
                                             &pc_table_crowd,
                                             NULL};

bool pc_scene_is_of_kind(const char *path, const char *kind, pc_error *error)
{
  if (path == NULL || kind == NULL)
    return pc_fail_null(error, "the path and the kind"), false;
  pc_document *document = pc_fclib_is_file(path) ? NULL : pc_document_open(path, error);
  if (document == NULL)
    return false;
  int found = pc_find_kind(pc_document_root(document));
  pc_document_close(document, NULL);
  return found >= 0 && strcmp(pc_schema_kinds[found]->id, kind) == 0;
}

static pc_status read_impact(pc_document *document, const pc_error *reason, pc_scene_impact *out,
                             pc_error *error)
{
  if (document == NULL) {
    if (error != NULL)
      *error = *reason;
    return reason->status;
  }
  pc_scene scene = {.member = 1};
  pc_impact_read_file(&scene, pc_document_root(document));
  pc_status status = pc_document_close(document, error);
  if (status == PC_OK) {
    *out = *scene.impact;
    *scene.impact = (pc_scene_impact){0};
  }
  pc_scene_free(&scene);
  return status;
}

pc_status pc_scene_read_impact(const char *path, pc_scene_impact *out, pc_error *error)
{
  if (out != NULL)
    *out = (pc_scene_impact){0};
  if (path == NULL || out == NULL)
    return pc_fail_null(error, "the path and the problem");
  if (pc_fclib_is_file(path))
    return pc_fclib_read(path, out, error);
  pc_error reason = {.status = PC_OK};
  pc_document *document = pc_document_open(path, &reason);
  return read_impact(document, &reason, out, error);
}

pc_status pc_scene_parse_impact(const char *path, const char *text, pc_scene_impact *out,
                                pc_error *error)
{
  if (out != NULL)
    *out = (pc_scene_impact){0};
  if (path == NULL || text == NULL || out == NULL)
    return pc_fail_null(error, "the path, the text and the problem");
  pc_error reason = {.status = PC_OK};
  pc_document *document = pc_document_parse(path, text, strlen(text), &reason);
  return read_impact(document, &reason, out, error);
}

static pc_status build(pc_scene *scene, size_t size, pc_error *error)
{
  static void (*const readers[PC_KINDS])(pc_scene * scene, pc_node root) = {
      [PC_KIND_CROWD] = pc_crowd_read_file,
      [PC_KIND_CHAIN] = pc_chain_read_file,
      [PC_KIND_CONTINUUM] = pc_continuum_read_file,
      [PC_KIND_IMPACT] = pc_impact_read_file};
  pc_document *document = pc_document_parse(scene->path, scene->text, size, error);
  if (document == NULL)
    return PC_ERROR_INPUT;
  pc_node root = pc_document_root(document);
  int kind = pc_find_kind(root);
  void (*read)(pc_scene * scene, pc_node root) = kind >= 0 ? readers[kind] : NULL;
  (read != NULL ? read : pc_rigid_read_file)(scene, root); // which says what is wrong with others
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
  if (out != NULL)
    *out = (pc_scene){.member = 1};
  if (path == NULL || out == NULL)
    return pc_fail_null(error, "the path and the scene");
  pc_error reason = {.status = PC_OK};
  size_t size = 0;
  out->text = pc_document_text(path, &size, &reason);
  return read_text(path, size, out, &reason, error);
}

pc_status pc_scene_parse_run(const char *path, const char *text, int run, pc_scene *out,
                             pc_error *error)
{
  if (out != NULL)
    *out = (pc_scene){.member = run};
  if (path == NULL || text == NULL || out == NULL)
    return pc_fail_null(error, "the path, the text and the scene");
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
  if (scene == NULL || scene->running)
    return;
  if (scene->crowd != NULL)
    pc_crowd_destroy(scene->crowd);
  else
    pc_world_destroy(scene->world);
  pc_scene_chain_free(scene->chain);
  pc_continuum_free(scene->continuum);
  if (scene->impact != NULL)
    pc_scene_impact_free(scene->impact);
  free(scene->impact);
  pc_scene_people_free(&scene->people);
  pc_names_release(scene->names, scene->bodies);
  pc_names_release(scene->material_names, scene->materials);
  for (int i = 0; i < scene->sensors; i++) {
    free(scene->sensor[i].name);
    free(scene->sensor[i].bodies);
    free(scene->sensor[i].by);
  }
  for (int i = 0; i < scene->elements; i++)
    free(scene->element[i].name);
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
  free(scene->views);
  pc_scene_plan_free(&scene->plan);
  pc_names_release(scene->inputs, scene->input_count);
  *scene = (pc_scene){0};
}
