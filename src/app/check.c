// percuss check: reads the files of a run and says what is damaged; or inspects a building.
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/check_building.h"
#include "core/json.h"
#include "percuss/check.h"
#include "scene/text.h"

typedef struct check_options {
  bool json;
  const char *output, *narrow;
} check_options;

static const app_option options[] = {
    {"--json", NULL, offsetof(check_options, json), "print the answer as one JSON object"},
    {"", NULL, 0, "Of a building:"},
    {"--narrow", "WIDTH", offsetof(check_options, narrow),
     "list places that are narrower, in m (default 1.2)"},
    {"-o", "PLAN.svg", offsetof(check_options, output), "the picture (default SCENE-plan.svg)"},
    {NULL, NULL, 0, NULL},
};

static const char *const runs[] = {[PC_CHECKED_UNKNOWN] = "unknown",
                                   [PC_CHECKED_WHOLE] = "finished",
                                   [PC_CHECKED_STOPPED] = "stopped",
                                   [PC_CHECKED_RUNNING] = "running",
                                   [PC_CHECKED_KILLED] = "killed"};
static const char *const files[] = {[PC_FILE_ABSENT] = NULL,
                                    [PC_FILE_SOUND] = "sound",
                                    [PC_FILE_DAMAGED] = "damaged",
                                    [PC_FILE_IN_USE] = "in use"};

static void write_json(const char *path, const pc_checked *result)
{
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "file"), pc_json_string(&json, path);
  pc_json_key(&json, "status"), pc_json_string(&json, result->count > 0 ? "damaged" : "sound");
  pc_json_key(&json, "run"), pc_json_string(&json, runs[result->run]);
  pc_json_key(&json, "datasets"), pc_json_integer(&json, result->datasets);
  pc_json_key(&json, "without_checksum"), pc_json_integer(&json, result->unprotected);
  pc_json_key(&json, "record"), pc_json_string(&json, files[result->record]);
  pc_json_key(&json, "checkpoint"), pc_json_string(&json, files[result->checkpoint]);
  pc_json_key(&json, "journal"), pc_json_string(&json, files[result->journal]);
  pc_json_key(&json, "damage"), pc_json_open(&json, '[');
  for (int i = 0; i < result->count; i++) {
    pc_json_open(&json, '{');
    pc_json_key(&json, "file"), pc_json_string(&json, result->damage[i].file);
    pc_json_key(&json, "what"), pc_json_string(&json, result->damage[i].what);
    pc_json_close(&json);
  }
  pc_json_close(&json);
  pc_json_close(&json);
}

// The same state in words.
static const char *describe(pc_checked_run run)
{
  static const char *const words[] = {
      [PC_CHECKED_UNKNOWN] = "how the run ended is unknown",
      [PC_CHECKED_WHOLE] = "a finished run",
      [PC_CHECKED_STOPPED] = "a run that was stopped before its end",
      [PC_CHECKED_RUNNING] = "a run in progress; what is written so far was checked",
      [PC_CHECKED_KILLED] = "a run that was killed or failed"};
  return words[run];
}

static void print_text(const char *path, const pc_checked *result)
{
  pc_text name = pc_text_path(path);
  for (int i = 0; i < result->count; i++)
    printf("%s: %s\n", pc_text_path(result->damage[i].file).text, result->damage[i].what);
  if (result->record == PC_FILE_SOUND)
    printf("%s: undamaged: %s, %d datasets\n", name.text, describe(result->run), result->datasets);
  if (result->unprotected > 0)
    printf("%s: %d of %d datasets have no checksum (an earlier version wrote them); damage to "
           "their numbers cannot be detected\n",
           name.text, result->unprotected, result->datasets);
  if (result->checkpoint == PC_FILE_SOUND)
    printf("%s: its checkpoint is undamaged\n", name.text);
  if (result->journal == PC_FILE_SOUND)
    printf("%s: its journal is undamaged\n", name.text);
}

// Other files are taken for records.
static bool is_scene(const char *path)
{
  static const char *const endings[] = {".yaml", ".yml", ".json"};
  size_t length = strlen(path);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (length > strlen(endings[i]) && strcmp(path + length - strlen(endings[i]), endings[i]) == 0)
      return true;
  return false;
}

static int check(const void *given, int count, char **arguments)
{
  const check_options *o = given;
  double narrow = 1.2;
  if (!app_read_number(o->narrow, &narrow) || !(narrow > 0))
    return app_complain("percuss check: --narrow must be a positive width in m");
  if (is_scene(arguments[0]))
    return app_check_building(arguments[0], o->output, narrow, o->json);
  if (o->narrow != NULL || o->output != NULL)
    return app_complain("percuss check: --narrow and -o are for buildings, SCENE.yaml");
  pc_checked result;
  pc_error error = {.status = PC_OK};
  (void)count;
  if (pc_run_check(arguments[0], &result, &error) != PC_OK) {
    pc_checked_free(&result);
    return app_complain_error(&error, "percuss check");
  }
  if (o->json)
    write_json(arguments[0], &result);
  else
    print_text(arguments[0], &result);
  int status = result.count > 0 ? APP_FAILED : APP_OK;
  pc_checked_free(&result);
  return status;
}

const app_command app_check = {
    "check",
    "RUN.h5 | SCENE.yaml",
    "check the files of a run for damage, or the building of a crowd",
    "Of a building: finds walls that are missing or nearly touch, places from where no way leads\n"
    "to an exit, exits that nobody can use, and narrow places; prints areas and widths, and draws\n"
    "each floor.\n"
    "\n"
    "Of a run: reads every dataset of RUN.h5 and verifies its checksums, and RUN.h5.checkpoint "
    "and\n"
    "RUN.h5.journal if they exist. Prints a line for each damaged part. Changes nothing. A run in\n"
    "progress can be checked too.\n",
    options,
    "Exit status: 0 no damage, or nothing but narrow places; 1 damage, or not the record of a\n"
    "run, or something is wrong with the plan; 2 wrong usage, or the file cannot be read.\n",
    "run or scene",
    check};
