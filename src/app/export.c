// percuss export: a recorded run as files for other programs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "core/file.h"
#include "core/json.h"
#include "percuss/export.h"
#include "scene/text.h"

typedef struct texts {
  const char *format, *output, *frames;
  bool json;
} texts;

#define FIELD(name) offsetof(texts, name)
static const app_option options[] = {
    {"--format", "NAME", FIELD(format),
     "vtk, gltf or csv (default: from the extension of OUTPUT, .glb or .csv; else vtk)"},
    {"-o", "OUTPUT", FIELD(output),
     "output folder (vtk) or file (gltf, csv) (default: RUN-vtk, RUN.glb, RUN-bodies.csv)"},
    {"--frames", "A:B:STEP", FIELD(frames),
     "export every STEP-th frame from A to B, counted from 0; any part can be omitted, as in 10: "
     "or ::5 (default: all frames)"},
    {"--json", NULL, FIELD(json), "print the answer as one JSON object"},
    {NULL, NULL, 0, NULL},
};

static const char *const formats[] = {
    [PC_EXPORT_VTK] = "vtk", [PC_EXPORT_GLTF] = "gltf", [PC_EXPORT_CSV] = "csv"};
enum { FORMATS = sizeof formats / sizeof *formats };

// Returns the exit status.
static int read_format(const texts *t, pc_export_format *format)
{
  const char *name = t->format;
  if (name == NULL && t->output != NULL && pc_path_has_ending(t->output, ".glb"))
    name = formats[PC_EXPORT_GLTF];
  if (name == NULL && t->output != NULL && pc_path_has_ending(t->output, ".csv"))
    name = formats[PC_EXPORT_CSV];
  for (int i = 0; i < FORMATS; i++)
    if (name == NULL || strcmp(name, formats[i]) == 0) {
      *format = (pc_export_format)i;
      return APP_OK;
    }
  return app_complain("percuss export: unknown --format '%.40s' (known: vtk, gltf, csv)", name);
}

// A whole number at the text, which moves on; `value` stays as it is where there is none.
static bool read_part(const char **text, long *value)
{
  size_t length = strspn(*text, "0123456789");
  if (length > 0)
    *value = strtol(*text, NULL, 10);
  *text += length;
  return length <= 15;
}

static bool read_frames(const char *text, pc_export_options *o)
{
  if (text == NULL)
    return true;
  const char *at = text;
  bool fine = *text != 0 && read_part(&at, &o->first);
  if (fine && *at == 0) // a single frame
    o->last = o->first;
  if (fine && *at == ':') {
    at++;
    fine = read_part(&at, &o->last);
  }
  if (fine && *at == ':') {
    at++;
    o->every = -1;
    fine = read_part(&at, &o->every) && o->every != 0;
    o->every = o->every < 0 ? 1 : o->every;
  }
  return fine && *at == 0;
}

static void print_json(const char *output, const char *format, const pc_exported *e)
{
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "output"), pc_json_string(&json, output);
  pc_json_key(&json, "format"), pc_json_string(&json, format);
  pc_json_key(&json, "frames"), pc_json_integer(&json, e->frames);
  pc_json_key(&json, "files"), pc_json_integer(&json, e->files);
  pc_json_key(&json, "bodies"), pc_json_integer(&json, e->bodies);
  pc_json_key(&json, "obstacles"), pc_json_integer(&json, e->obstacles);
  pc_json_key(&json, "left_out"), pc_json_integer(&json, e->left_out);
  pc_json_close(&json);
}

static void print_text(const char *output, pc_export_format format, const pc_exported *e)
{
  pc_text name = pc_text_path(output);
  printf("frames      %ld\n", e->frames);
  printf("bodies      %d", e->bodies);
  if (format != PC_EXPORT_CSV && e->obstacles > 0)
    printf(", %d obstacle%s", e->obstacles, app_plural(e->obstacles));
  if (format != PC_EXPORT_CSV && e->left_out > 0)
    printf("; skipped %d infinite plane%s", e->left_out, app_plural(e->left_out));
  printf("\nfiles       %s", name.text);
  if (format == PC_EXPORT_VTK)
    printf(": open bodies.pvd, contacts.pvd and obstacles.vtp in ParaView");
  printf("\n");
}

static int export(const void *given, int count, char **files)
{
  const texts *t = given;
  pc_export_options o = {.last = -1};
  pc_exported exported;
  pc_error error = {.status = PC_OK};
  (void)count;
  int status = read_format(t, &o.format);
  if (status == APP_OK && t->output != NULL && *t->output == 0)
    status = app_complain("percuss export: -o needs the name of a file or folder");
  if (status == APP_OK && !read_frames(t->frames, &o))
    status = app_complain("percuss export: --frames '%.40s' is not a range of frames; write for "
                          "example 10:20, 10:20:2 or ::5",
                          t->frames);
  if (status != APP_OK)
    return status;
  o.output = t->output;
  char name[4096];
  if (pc_run_export(files[0], &o, &exported, &error) != PC_OK) {
    int code = app_complain_error(&error, "percuss export");
    return error.status == PC_ERROR_IO ? APP_FAILED : code;
  }
  if (t->output != NULL)
    snprintf(name, sizeof name, "%s", t->output);
  else
    snprintf(name, sizeof name, "%.*s%s", (int)pc_path_stem(files[0], ".h5"), files[0],
             o.format == PC_EXPORT_VTK    ? "-vtk"
             : o.format == PC_EXPORT_GLTF ? ".glb"
                                          : "-bodies.csv");
  if (t->json)
    print_json(name, formats[o.format], &exported);
  else
    print_text(name, o.format, &exported);
  return APP_OK;
}

const app_command app_export = {
    "export",
    "RUN.h5",
    "export a run for ParaView, Blender and other programs",
    "Writes the bodies of RUN.h5 with their shapes, positions and orientations (docs/export.md):\n"
    "  vtk   a folder for ParaView: surfaces with velocity, spin, material, ...; contacts\n"
    "  gltf  one file with an animation, for Blender, browsers and presentations\n"
    "  csv   a table: position, orientation, velocity and spin of each body in each frame\n",
    options,
    "Exit status: 0 success; 1 a file cannot be read or written; 2 wrong usage or input.\n",
    "run",
    export};
