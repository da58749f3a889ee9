// percuss scenes: the ready scenes, by folder, with their sources, sizes and times.
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "core/array.h"
#include "core/file.h"
#include "core/json.h"
#include "percuss/scene.h"
#include "scene/document.h"
#include "scene/paths.h"
#include "scene/text.h"

enum { PATH_SIZE = 1024, DEEPEST = 4 };

typedef struct scene_line {
  char path[PATH_SIZE];
  char kind[40], title[160], source[160];
  bool runs; // it has several runs, or solids in motion
  // As measured; NAN: not measured, or a solve without steps.
  double bodies, steps, seconds;
} scene_line;

typedef struct scene_list {
  PC_ARRAY(scene_line) lines;
  bool failed; // out of memory
} scene_list;

// The title, or the first comment of the file; and the source.
static pc_status describe(scene_line *line, const char *text, size_t size)
{
  pc_error error = {.status = PC_OK};
  pc_document *document = pc_document_parse(line->path, text, size, &error);
  if (document == NULL)
    return error.status;
  pc_node root = pc_document_root(document), title = pc_get(root, "title");
  pc_node source = pc_get(root, "source");
  snprintf(line->kind, sizeof line->kind, "%s", pc_read_string(pc_get(root, "kind")));
  line->runs = pc_is_present(pc_get(root, "sweep")) ||
               (strcmp(line->kind, "continuum") == 0 && pc_is_present(pc_get(root, "duration")));
  if (pc_is_present(title)) {
    const char *words = pc_read_string(title);
    pc_text_clean(line->title, sizeof line->title, words, strlen(words));
  } else if (text[0] == '#') {
    const char *from = text + strspn(text, "# ");
    pc_text_clean(line->title, sizeof line->title, from, strcspn(from, "\n"));
  }
  if (pc_is_present(source)) {
    const char *words = pc_read_string(source);
    pc_text_clean(line->source, sizeof line->source, words, strlen(words));
  }
  return pc_document_close(document, NULL);
}

// Files that cannot be read and other YAML files are left out: they are no scenes.
static void add_file(scene_list *list, const char *path)
{
  size_t size;
  pc_error error = {.status = PC_OK};
  char *text = pc_document_text(path, &size, &error);
  list->failed = text == NULL && error.status == PC_ERROR_MEMORY;
  if (text == NULL)
    return;
  scene_line *line = pc_array_add(&list->lines);
  list->failed = line == NULL;
  if (line != NULL) {
    *line = (scene_line){.bodies = NAN, .steps = NAN, .seconds = NAN};
    snprintf(line->path, sizeof line->path, "%s", path);
    list->failed = describe(line, text, size) == PC_ERROR_MEMORY;
    list->lines.count -= line->kind[0] == 0;
  }
  free(text);
}

static void add_folder(scene_list *list, const char *path, int depth)
{
  DIR *folder = opendir(path);
  list->failed = folder == NULL && errno == ENOMEM;
  if (folder == NULL)
    return;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL && !list->failed;) {
    char name[PATH_SIZE];
    if (entry->d_name[0] == '.' ||
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name)
      continue;
    if (pc_is_folder(name) && depth < DEEPEST)
      add_folder(list, name, depth + 1);
    else if (pc_path_has_ending(entry->d_name, ".yaml"))
      add_file(list, name);
  }
  closedir(folder);
}

static int by_path(const void *a, const void *b)
{
  return strcmp(((const scene_line *)a)->path, ((const scene_line *)b)->path);
}

// The next field of a line of the table; NAN if it is empty.
static double next_number(const char **at)
{
  char *end;
  if (**at != ',')
    return NAN;
  double number = strtod(*at + 1, &end);
  bool empty = end == *at + 1;
  *at = end;
  return empty ? NAN : number;
}

// gallery.csv of the folder: file,bodies,steps,seconds. scripts/gallery writes it.
static void read_gallery(scene_list *list, const char *folder)
{
  char path[PATH_SIZE + 20];
  size_t size, inside = strlen(folder) + 1;
  snprintf(path, sizeof path, "%s/gallery.csv", folder);
  pc_error error = {.status = PC_OK};
  char *text = pc_document_text(path, &size, &error);
  list->failed = text == NULL && error.status == PC_ERROR_MEMORY;
  for (const char *at = text; at != NULL && *at != 0; at += strspn(at, "\n")) {
    size_t length = strcspn(at, ",\n");
    for (int i = 0; i < list->lines.count; i++) {
      scene_line *line = list->lines.at + i;
      const char *name = line->path + inside, *rest = at + length;
      if (strlen(name) != length || strncmp(name, at, length) != 0)
        continue;
      line->bodies = next_number(&rest);
      line->steps = next_number(&rest);
      line->seconds = next_number(&rest);
    }
    at += strcspn(at, "\n");
  }
  free(text);
}

static const char *command_of(const scene_line *line)
{
  const char *kind = line->kind;
  return line->runs || strcmp(kind, "rigid") == 0 || strcmp(kind, "crowd") == 0 ? "run"
         : strcmp(kind, "identification") == 0                                  ? "identify"
                                                                                : "solve";
}

static void print_json(const scene_list *list)
{
  pc_json json = {.file = stdout};
  pc_json_open(&json, '[');
  for (int i = 0; i < list->lines.count; i++) {
    const scene_line *line = list->lines.at + i;
    pc_json_open(&json, '{');
    pc_json_key(&json, "file"), pc_json_string(&json, line->path);
    pc_json_key(&json, "kind"), pc_json_string(&json, line->kind);
    pc_json_key(&json, "command"), pc_json_string(&json, command_of(line));
    pc_json_key(&json, "title"), pc_json_string(&json, line->title);
    pc_json_key(&json, "source"), pc_json_string(&json, line->source[0] != 0 ? line->source : NULL);
    pc_json_key(&json, "bodies"), pc_json_number(&json, line->bodies);
    pc_json_key(&json, "steps"), pc_json_number(&json, line->steps);
    pc_json_key(&json, "seconds"), pc_json_number(&json, line->seconds);
    pc_json_close(&json);
  }
  pc_json_close(&json);
}

static void print_measured(const scene_line *line)
{
  if (isnan(line->seconds)) {
    printf("not measured");
    return;
  }
  if (!isnan(line->bodies))
    printf("%.0f bod%s, ", line->bodies, line->bodies == 1 ? "y" : "ies");
  if (!isnan(line->steps))
    printf("%.0f steps, ", line->steps);
  if (line->seconds < 1)
    printf("%.2g s", line->seconds);
  else if (line->seconds < 60)
    printf("%.0f s", line->seconds);
  else
    printf("%d:%02d min", (int)line->seconds / 60, (int)line->seconds % 60);
}

// A path as a shell takes it: in quotes only if it needs them.
enum { QUOTED_SIZE = 4 * PATH_SIZE + 4 };

static int quote(const char *path, char to[QUOTED_SIZE])
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                              "_-+./:,@%";
  bool as_it_is = true;
  for (const char *c = path; *c != 0; c++) // bytes of other scripts are not special
    as_it_is = as_it_is && ((unsigned char)*c >= 0x80 || strchr(plain, *c) != NULL);
  if (as_it_is)
    return snprintf(to, QUOTED_SIZE, "%s", path);
  char *at = stpcpy(to, "'");
  for (const char *c = path; *c != 0; c++)
    at = *c == '\'' ? stpcpy(at, "'\\''") : stpcpy(at, (char[]){*c, 0});
  stpcpy(at, "'");
  return (int)strlen(to);
}

// What follows a '#' is a comment to a shell, so that every line can be typed as it is.
enum { COLUMNS = 120, LEAST_TITLE = 40 };

static void print_list(const scene_list *list)
{
  int width = 0;
  char quoted[QUOTED_SIZE];
  for (int i = 0; i < list->lines.count; i++) {
    int length = quote(list->lines.at[i].path, quoted);
    width = length > width ? length : width;
  }
  const char *last = "";
  for (int i = 0; i < list->lines.count; i++) {
    const scene_line *line = list->lines.at + i;
    size_t folder = (size_t)(strrchr(line->path, '/') - line->path);
    if (strncmp(last, line->path, folder) != 0 || last[folder] != '/' ||
        strchr(last + folder + 1, '/') != NULL) {
      char name[PATH_SIZE];
      pc_text_clean(name, sizeof name, line->path, folder); // a comment is one line
      printf("%s# %s\n", i > 0 ? "\n" : "", name);
    }
    last = line->path;
    quote(line->path, quoted);
    int left = COLUMNS - printf("percuss %-8s %-*s # ", command_of(line), width, quoted);
    char title[sizeof line->title];
    size_t room = (size_t)(left > LEAST_TITLE ? left : LEAST_TITLE) + 1;
    pc_text_clean(title, room < sizeof title ? room : sizeof title, line->title,
                  strlen(line->title));
    printf("%s\n", title);
    printf("  # ");
    print_measured(line);
    printf("%s%s\n", line->source[0] != 0 ? "; " : "", line->source);
  }
}

typedef struct scenes_options {
  bool json;
} scenes_options;

static const app_option options[] = {
    {"--json", NULL, offsetof(scenes_options, json), "print the list as a JSON array"},
    {NULL, NULL, 0, NULL},
};

static int scenes(const void *given, int folders, char **folder)
{
  const scenes_options *o = given;
  if (folders > 1)
    return app_complain("percuss scenes: expected at most one folder, got %d", folders);
  char path[PATH_SIZE];
  if (folders == 1)
    snprintf(path, sizeof path, "%s", folder[0]);
  if (folders == 0 && !pc_scene_folder(path, sizeof path))
    return app_complain("percuss scenes: cannot find the ready scenes; give their folder");
  if (!pc_is_folder(path))
    return app_complain("percuss scenes: '%.100s' is not a folder", path);
  scene_list list = {0};
  add_folder(&list, path, 0);
  if (!list.failed)
    read_gallery(&list, path);
  int result = APP_OK;
  if (list.failed) {
    app_complain("percuss scenes: out of memory");
    result = APP_FAILED;
  } else if (list.lines.count == 0) {
    result = app_complain("percuss scenes: no scenes in '%.100s'", path);
  } else {
    qsort(list.lines.at, (size_t)list.lines.count, sizeof *list.lines.at, by_path);
    if (o->json)
      print_json(&list);
    else
      print_list(&list);
  }
  free(list.lines.at);
  return result;
}

const app_command app_scenes = {
    "scenes",
    "[FOLDER]",
    "list the ready scenes",
    "Prints for each scene the command that runs it, its title, its size, its run time on two "
    "cores,\n"
    "and its source. To make your own scene, copy a file and change it: docs/scene-format.md and\n"
    "scenes/README.md explain the keys, 'percuss schema' lists them. Units are SI.\n"
    "\n"
    "FOLDER is searched for scenes (default: the folder 'scenes' here, beside the program, or as\n"
    "installed).\n",
    options,
    "Exit status: 0 success; 1 failed, with the reason on stderr; 2 no scenes found.\n",
    NULL,
    scenes};
