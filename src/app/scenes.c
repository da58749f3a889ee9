// percuss scenes: the ready scenes, one line each.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/json.h"
#include "core/memory.h"
#include "scene/document.h"
#include "scene/folder.h"
#include "scene/text.h"

enum { PATH_SIZE = 1024, DEEPEST = 4 };

typedef struct scene_line {
  char path[PATH_SIZE];
  char kind[40], title[160];
} scene_line;

typedef struct scene_list {
  scene_line *line;
  int count, capacity;
  bool failed; // memory is out
} scene_list;

// --- reading them -------------------------------------------------------------------------------

// The title, or the first comment of the file.
static void describe(scene_line *line, const char *text, size_t size)
{
  pc_document *document = pc_document_parse(line->path, text, size, NULL);
  if (document == NULL)
    return;
  pc_node root = pc_document_root(document), title = pc_get(root, "title");
  snprintf(line->kind, sizeof line->kind, "%s", pc_read_string(pc_get(root, "kind")));
  if (pc_is_present(title)) {
    const char *words = pc_read_string(title);
    pc_text_clean(line->title, sizeof line->title, words, strlen(words));
  } else if (text[0] == '#') {
    const char *from = text + strspn(text, "# ");
    pc_text_clean(line->title, sizeof line->title, from, strcspn(from, "\n"));
  }
  pc_document_close(document, NULL);
}

static void add_file(scene_list *list, const char *path)
{
  size_t size;
  char *text = pc_document_text(path, &size, NULL);
  if (text == NULL)
    return;
  if (!pc_grow(&list->line, &list->capacity, list->count + 1, sizeof *list->line)) {
    list->failed = true;
  } else {
    scene_line *line = list->line + list->count;
    *line = (scene_line){0};
    snprintf(line->path, sizeof line->path, "%s", path);
    describe(line, text, size);
    list->count += line->kind[0] != 0; // other YAML files are no scenes
  }
  free(text);
}

static void add_folder(scene_list *list, const char *path, int depth)
{
  DIR *folder = opendir(path);
  if (folder == NULL)
    return;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL && !list->failed;) {
    char name[PATH_SIZE];
    size_t length = strlen(entry->d_name);
    if (entry->d_name[0] == '.' ||
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name)
      continue;
    if (pc_is_folder(name) && depth < DEEPEST)
      add_folder(list, name, depth + 1);
    else if (length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0)
      add_file(list, name);
  }
  closedir(folder);
}

static int by_path(const void *a, const void *b)
{
  return strcmp(((const scene_line *)a)->path, ((const scene_line *)b)->path);
}

// --- the command --------------------------------------------------------------------------------

static const char *command_of(const char *kind)
{
  return strcmp(kind, "rigid") == 0            ? "run"
         : strcmp(kind, "identification") == 0 ? "identify"
                                               : "solve";
}

static void print_list(const scene_list *list, bool as_json)
{
  json_writer json = {.file = stdout};
  int width = 0;
  for (int i = 0; i < list->count; i++) {
    int length = (int)strlen(list->line[i].path);
    width = length > width ? length : width;
  }
  if (as_json)
    json_open(&json, '[');
  for (int i = 0; i < list->count; i++) {
    const scene_line *line = list->line + i;
    if (!as_json) {
      printf("percuss %-8s %-*s  %s\n", command_of(line->kind), width, line->path, line->title);
      continue;
    }
    json_open(&json, '{');
    json_key(&json, "file"), json_string(&json, line->path);
    json_key(&json, "kind"), json_string(&json, line->kind);
    json_key(&json, "command"), json_string(&json, command_of(line->kind));
    json_key(&json, "title"), json_string(&json, line->title);
    json_close(&json);
  }
  if (as_json)
    json_close(&json);
}

const char app_scenes_help[] =
    "Each line is a command that can be typed, and what the scene shows. Copy a file and change "
    "it;\n"
    "docs/scene-format.md and scenes/README.md have all keys. Units in them are SI.\n"
    "\n"
    "FOLDER is where to look. Left out, it is the folder 'scenes' here, beside the program, or as\n"
    "installed.\n"
    "\n"
    "  --json         the list as a JSON array\n"
    "\n"
    "Exit status: 0 done; 2 there are no scenes.\n";

int app_scenes(int argc, char **argv)
{
  bool as_json = false;
  const app_option known[] = {{"--json", &as_json, NULL}, {NULL, NULL, NULL}};
  int folders = app_parse(argc, argv, "scenes", known);
  if (folders < 0)
    return APP_BAD_INPUT;
  if (folders > 1)
    return app_complain("percuss scenes: one folder at most, %d given", folders);
  char path[PATH_SIZE];
  if (folders == 1)
    snprintf(path, sizeof path, "%s", argv[0]);
  if (folders == 0 && !pc_scene_folder(path, sizeof path))
    return app_complain("percuss scenes: the scenes are not found; name their folder");
  if (!pc_is_folder(path))
    return app_complain("percuss scenes: '%.100s' is no folder", path);
  scene_list list = {0};
  add_folder(&list, path, 0);
  int result = APP_OK;
  if (list.failed) {
    app_complain("percuss scenes: out of memory");
    result = APP_FAILED;
  } else if (list.count == 0) {
    result = app_complain("percuss scenes: there are no scenes in '%.100s'", path);
  } else {
    qsort(list.line, (size_t)list.count, sizeof *list.line, by_path);
    print_list(&list, as_json);
  }
  free(list.line);
  return result;
}
