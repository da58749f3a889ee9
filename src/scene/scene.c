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

// Who hears what is said about a file.
typedef struct hearer {
  pc_scene_teller *tell;
  void *context;
} hearer;

static void tell_error(void *context, const char *text)
{
  const hearer *to = context;
  to->tell(to->context, PC_TOLD_ERROR, text);
}

// `reader` may be NULL: that of the kind of the file.
typedef void scene_reader(pc_scene *scene, pc_node root);

static pc_status build(pc_scene *scene, size_t size, hearer *to, scene_reader *reader,
                       pc_error *error)
{
  static scene_reader *const readers[PC_KINDS] = {[PC_KIND_CROWD] = pc_crowd_read_file,
                                                  [PC_KIND_CHAIN] = pc_chain_read_file,
                                                  [PC_KIND_CONTINUUM] = pc_continuum_read_file,
                                                  [PC_KIND_IMPACT] = pc_impact_read_file};
  pc_document *document = pc_document_parse(scene->path, scene->text, size, error);
  if (document == NULL)
    return PC_ERROR_INPUT;
  if (to != NULL)
    pc_document_tell(document, tell_error, to);
  pc_node root = pc_document_root(document);
  int kind = pc_find_kind(root);
  scene_reader *read = reader != NULL && kind == PC_KIND_CROWD ? reader
                       : kind >= 0                             ? readers[kind]
                                                               : NULL;
  (read != NULL ? read : pc_rigid_read_file)(scene, root); // which says what is wrong with others
  scene->inputs = pc_document_take_notes(document, &scene->input_count);
  scene->warnings = pc_document_take_warnings(document, &scene->warning_count);
  if (scene->warnings == NULL)
    pc_complain(root, "out of memory");
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
    build(out, size, NULL, NULL, reason);
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

static pc_status check_text(const char *path, const char *text, size_t size, hearer *to,
                            pc_error *error)
{
  pc_document *document = pc_document_parse(path, text, size, error);
  if (document == NULL) {
    to->tell(to->context, PC_TOLD_ERROR, error->text);
    return error->status;
  }
  if (pc_find_kind(pc_document_root(document)) == PC_KIND_IDENTIFICATION) {
    pc_scene_identification read;
    pc_document_tell(document, tell_error, to);
    pc_status status = pc_identification_read_document(document, &read, error);
    pc_scene_identification_free(&read);
    return status;
  }
  pc_document_close(document, NULL);
  pc_scene scene = {.member = 1, .path = strdup(path), .text = strdup(text)};
  if (scene.path == NULL || scene.text == NULL)
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  else
    build(&scene, size, to, NULL, error);
  for (int i = 0; error->status == PC_OK && i < scene.warning_count; i++)
    to->tell(to->context, PC_TOLD_WARNING, scene.warnings[i]);
  pc_scene_free(&scene);
  return error->status;
}

pc_status pc_scene_read_building(const char *path, pc_scene *out, pc_scene_teller *tell,
                                 void *context, pc_error *error)
{
  pc_error reason = {.status = PC_OK};
  hearer to = {tell, context};
  size_t size = 0;
  *out = (pc_scene){.member = 1, .path = strdup(path)};
  out->text = pc_document_text(path, &size, &reason);
  if (out->text == NULL)
    tell(context, PC_TOLD_ERROR, reason.text);
  else if (out->path == NULL)
    pc_fail(&reason, PC_ERROR_MEMORY, "out of memory");
  else
    build(out, size, &to, pc_crowd_read_building, &reason);
  if (reason.status == PC_OK && out->crowd == NULL) {
    pc_fail(&reason, PC_ERROR_INPUT, "%s: only the buildings of crowds can be checked", path);
    tell(context, PC_TOLD_ERROR, reason.text);
  }
  for (int i = 0; reason.status == PC_OK && i < out->warning_count; i++)
    tell(context, PC_TOLD_WARNING, out->warnings[i]);
  if (reason.status != PC_OK)
    pc_scene_free(out);
  if (reason.status != PC_OK && error != NULL)
    *error = reason;
  return reason.status;
}

static pc_status check_fclib(const char *path, hearer *to, pc_error *error)
{
  pc_scene_impact problem;
  if (pc_fclib_read(path, &problem, error) == PC_OK)
    pc_scene_impact_free(&problem);
  else
    to->tell(to->context, PC_TOLD_ERROR, error->text);
  return error->status;
}

pc_status pc_scene_check(const char *path, const char *text, pc_scene_teller *tell, void *context,
                         pc_error *error)
{
  if (path == NULL || tell == NULL)
    return pc_fail_null(error, "the path and the function to tell");
  pc_error reason = {.status = PC_OK};
  hearer to = {tell, context};
  size_t size = text != NULL ? strlen(text) : 0;
  bool fclib = text == NULL && pc_fclib_is_file(path);
  char *own = text == NULL && !fclib ? pc_document_text(path, &size, &reason) : NULL;
  if (fclib)
    check_fclib(path, &to, &reason);
  else if (text != NULL || own != NULL)
    check_text(path, text != NULL ? text : own, size, &to, &reason);
  else
    tell(context, PC_TOLD_ERROR, reason.text);
  free(own);
  if (reason.status != PC_OK && error != NULL)
    *error = reason;
  return reason.status;
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
  free(scene->deposit.bodies);
  for (int i = 0; i < scene->sensors; i++) {
    free(scene->sensor[i].name);
    free(scene->sensor[i].bodies);
    free(scene->sensor[i].by);
  }
  for (int i = 0; i < scene->elements; i++) {
    free(scene->element[i].name);
    free(scene->element[i].held);
  }
  for (int i = 0; i < scene->warning_count; i++)
    free(scene->warnings[i]);
  free(scene->warnings);
  free(scene->sensor);
  for (int i = 0; i < scene->events; i++)
    free(scene->event[i].bodies);
  free(scene->element);
  free(scene->event);
  free(scene->path);
  free(scene->title);
  free(scene->text);
  free(scene->base_text);
  free(scene->meaning);
  free(scene->changes);
  free(scene->views);
  pc_scene_plan_free(&scene->plan);
  pc_names_release(scene->inputs, scene->input_count);
  *scene = (pc_scene){0};
}
