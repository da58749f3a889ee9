// The sources of a report, and the runs of those that are scenes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/file.h"
#include "core/written.h"
#include "run/files.h"
#include "run/report.h"

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

static bool is_there(const char *path)
{
  struct stat status;
  return stat(path, &status) == 0;
}

static bool is_scene(const char *path)
{
  return pc_path_has_ending(path, ".yaml") || pc_path_has_ending(path, ".yml") ||
         pc_path_has_ending(path, ".json");
}

// A path with another ending; NULL when memory is out.
static char *with_ending(const char *path, size_t length, const char *ending)
{
  char *name = malloc(length + strlen(ending) + 1);
  if (name != NULL) {
    memcpy(name, path, length);
    strcpy(name + length, ending);
  }
  return name;
}

// RUN-runs.csv and other files of many runs stand for their checkpoint; RUN.h5 too, if there is
// none.
static pc_status find_results(pc_report_source *s, pc_error *error)
{
  static const char *const endings[] = {"-runs.csv", "-summary.csv", "-runs.checkpoint"};
  static const char checkpoint[] = "-runs.checkpoint";
  size_t length = strlen(s->given);
  for (int i = 0; i < PC_COUNT(endings); i++)
    if (pc_path_has_ending(s->given, endings[i])) {
      s->checkpoint = with_ending(s->given, pc_path_stem(s->given, endings[i]), checkpoint);
      return s->checkpoint != NULL ? PC_OK : out_of_memory(error);
    }
  s->record = with_ending(s->given, length, "");
  s->checkpoint = with_ending(s->given, pc_path_stem(s->given, ".h5"), checkpoint);
  if (s->record == NULL || s->checkpoint == NULL)
    return out_of_memory(error);
  bool many = !is_there(s->record) && is_there(s->checkpoint);
  char **unused = many ? &s->record : &s->checkpoint;
  free(*unused);
  *unused = NULL;
  return PC_OK;
}

// A name between quotation marks, as YAML reads it.
static void put_quoted(FILE *to, const char *text)
{
  fputc('"', to);
  for (; *text != 0; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', to);
    fputc(*text, to);
  }
  fputc('"', to);
}

pc_status pc_report_change_scene(const pc_scene *scene, int runs, const char *changes,
                                 pc_scene *changed, pc_error *error)
{
  pc_written written;
  if (!pc_written_begin(&written))
    return out_of_memory(error);
  fputs("kind: crowd\nbase: ", written.to);
  put_quoted(written.to, pc_path_name(scene->path));
  fprintf(written.to, "\nruns: %d\n", runs);
  if (*changes != 0)
    fprintf(written.to, "curves: []\nsweep:\n%s", changes);
  char *text = pc_written_end(&written);
  if (text == NULL)
    return out_of_memory(error);
  pc_status status = pc_scene_parse(scene->path, text, changed, error);
  free(text);
  return status;
}

// The scene with as many runs as the options want.
static pc_status read_scene(pc_report_source *s, const pc_report_options *o, pc_error *error)
{
  pc_status status = pc_scene_read(s->given, &s->scene, error);
  s->read = status == PC_OK;
  if (status != PC_OK || o->runs <= 0 || o->runs == s->scene.plan.runs)
    return status;
  pc_scene changed;
  if (s->scene.crowd == NULL)
    return pc_fail(error, PC_ERROR_INPUT, "%s: reports are made of crowds", s->given);
  status = pc_report_change_scene(&s->scene, o->runs, "", &changed, error);
  if (status != PC_OK)
    return status;
  pc_scene_free(&s->scene);
  s->scene = changed;
  return PC_OK;
}

pc_status pc_report_find_source(pc_report_source *s, const char *given, int number,
                                const pc_report_options *o, pc_error *error)
{
  char ending[20] = "";
  *s = (pc_report_source){.given = given};
  if (!is_scene(given))
    return find_results(s, error);
  if (number > 0)
    snprintf(ending, sizeof ending, "-%d", number);
  s->stem = with_ending(o->output, pc_path_stem(o->output, ".html"), ending);
  return s->stem != NULL ? read_scene(s, o, error) : out_of_memory(error);
}

void pc_report_free_source(pc_report_source *s)
{
  if (s->read)
    pc_scene_free(&s->scene);
  free(s->record);
  free(s->checkpoint);
  free(s->stem);
  *s = (pc_report_source){.given = NULL};
}

static bool hear_runs(void *context, const pc_runs_progress *progress)
{
  return pc_report_tell(context, progress->part);
}

static bool hear_run(void *context, const pc_run_progress *p)
{
  return pc_report_tell(context, p->steps > 0 ? (double)p->step / (double)p->steps : 1);
}

pc_status pc_report_do_runs(pc_runs *runs, const char *output, bool resume, pc_report_work *work,
                            pc_error *error)
{
  const pc_runs_options options = {.output = output,
                                   .resume = resume,
                                   .threads = work->options->threads,
                                   .listener = hear_runs,
                                   .context = work};
  return pc_runs_run(runs, &options, error);
}

// Does what is missing of the runs; all of them where files of other runs are there.
static pc_status run_many(pc_report_source *s, const char *output, pc_report_work *work,
                          pc_error *error)
{
  pc_status status = PC_OK;
  for (int resume = 1; resume >= 0; resume--) {
    pc_runs *runs = pc_runs_create(&s->scene, error);
    if (runs == NULL)
      return error->status;
    status = pc_report_do_runs(runs, output, resume != 0, work, error);
    if (status == PC_OK && !work->stopped && pc_runs_count(runs, PC_MEMBER_FAILED) > 0) {
      int first = 0;
      while (pc_runs_member(runs, first).state != PC_MEMBER_FAILED)
        first++;
      status = pc_fail(error, PC_ERROR_NUMERIC, "%s: run %d failed: %s", s->given, first + 1,
                       pc_runs_member(runs, first).error);
    }
    pc_runs_destroy(runs);
    if (status != PC_ERROR_INPUT)
      break;
  }
  return status;
}

// Runs a scene into a record; what is there of the same run is not done again.
static pc_status run_one(pc_scene *scene, const char *output, int member, pc_report_work *work,
                         pc_error *error)
{
  pc_run_options options = pc_run_options_default();
  pc_run_summary summary = {0};
  options.output = output;
  options.resume = true;
  options.threads = work->options->threads;
  options.listener = hear_run;
  options.context = work;
  pc_status status = pc_run_scene(scene, &options, &summary, error);
  if (status != PC_ERROR_INPUT || summary.steps > 0)
    return status;
  pc_scene again;
  status = pc_scene_parse_run(scene->path, scene->text, member, &again, error);
  if (status != PC_OK)
    return status;
  options.resume = false;
  status = pc_run_scene(&again, &options, &summary, error);
  pc_scene_free(&again);
  return status;
}

// The first run again, with its record, for what is shown of frames and maps.
static pc_status record_first(pc_report_source *s, pc_report_work *work, pc_error *error)
{
  pc_scene first;
  const char *ending = s->scene.plan.members > 9999 ? "-0000001.h5" : "-0001.h5";
  char *name = with_ending(s->stem, strlen(s->stem), ending);
  pc_status status = name != NULL
                         ? pc_scene_parse_run(s->scene.path, s->scene.text, 1, &first, error)
                         : out_of_memory(error);
  if (status == PC_OK) {
    status = run_one(&first, name, 1, work, error);
    pc_scene_free(&first);
  }
  free(name);
  return status;
}

pc_status pc_report_run_source(pc_report_source *s, pc_report_work *work, pc_error *error)
{
  if (s->stem == NULL)
    return PC_OK;
  const pc_scene_plan *plan = &s->scene.plan;
  char *output = with_ending(s->stem, strlen(s->stem), ".h5");
  if (output == NULL)
    return out_of_memory(error);
  if (plan->members == 1 && plan->sweeps == 0) {
    pc_status status = run_one(&s->scene, output, 1, work, error);
    s->record = output;
    return status;
  }
  s->checkpoint = with_ending(s->stem, strlen(s->stem), "-runs.checkpoint");
  pc_status status =
      s->checkpoint != NULL ? run_many(s, output, work, error) : out_of_memory(error);
  free(output);
  return status == PC_OK && !work->stopped ? record_first(s, work, error) : status;
}
