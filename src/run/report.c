#include "run/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "record/replace.h"
#include "run/inputs.h"

static pc_status check_options(int count, const char *const *sources, const pc_report_options *o,
                               pc_error *error)
{
  if (sources == NULL || o == NULL || o->output == NULL)
    return pc_fail_null(error, "the sources, the options and the output");
  if (count < 1 || count > PC_REPORT_SOURCES)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a report has 1 to %d sources (got %d)",
                   PC_REPORT_SOURCES, count);
  for (int i = 0; i < count; i++)
    if (sources[i] == NULL)
      return pc_fail_null(error, "each source");
  if (o->runs < 0 || o->runs > 1000000)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the number of runs must be from 0 to 1000000 (got %d)", o->runs);
  if (!(o->widen >= 0) || o->widen > 10)
    return pc_fail(error, PC_ERROR_ARGUMENT, "exits can be wider by 0 to 10 m (got %g m)",
                   o->widen);
  if (o->threads < 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the number of threads must not be negative (got %d)",
                   o->threads);
  if (o->widen > 0 && count > 1)
    return pc_fail(error, PC_ERROR_ARGUMENT, "wider exits need a single scene");
  return PC_OK;
}

// What can be told before anything is run.
static pc_status check_source(const pc_report_source *s, const pc_report_options *o,
                              pc_error *error)
{
  if (s->stem == NULL && (o->widen > 0 || o->runs > 0))
    return pc_fail(error, PC_ERROR_INPUT,
                   "%s: results are there already; to run the scene again, give SCENE.yaml",
                   s->given);
  if (!s->read)
    return PC_OK;
  if (s->scene.crowd == NULL)
    return pc_fail(error, PC_ERROR_INPUT, "%s: reports are made of crowds", s->given);
  if (o->widen > 0 && s->scene.plan.sweeps > 0)
    return pc_fail(error, PC_ERROR_INPUT, "%s: wider exits need a scene without 'sweep'", s->given);
  return pc_run_spare_inputs(&s->scene, o->output, error);
}

static pc_status run_sources(pc_report_job *job, pc_error *error)
{
  pc_status status = PC_OK;
  int scenes = 0;
  for (int i = 0; i < job->count; i++)
    scenes += job->source[i].stem != NULL;
  double all = job->options->widen > 0 ? 0.5 : 1;
  for (int i = 0; i < job->count && status == PC_OK && !job->work->stopped; i++) {
    if (job->source[i].stem == NULL)
      continue;
    pc_report_begin_part(job->work, pc_path_name(job->source[i].given), all / scenes);
    status = pc_report_run_source(&job->source[i], job->work, error);
  }
  return status;
}

static pc_status make(pc_report_job *job, const char *const *sources, pc_reported *reported,
                      pc_error *error)
{
  pc_status status = PC_OK;
  for (int i = 0; i < job->count && status == PC_OK; i++) {
    status = pc_report_find_source(&job->source[i], sources[i], job->count > 1 ? i + 1 : 0,
                                   job->options, error);
    if (status == PC_OK)
      status = check_source(&job->source[i], job->options, error);
  }
  if (status == PC_OK)
    status = pc_replace_check(job->options->output, &pc_page_own, error);
  if (status == PC_OK)
    status = run_sources(job, error);
  if (status == PC_OK && !job->work->stopped)
    status = pc_report_crowd(job, reported, error);
  reported->finished = status == PC_OK && !job->work->stopped;
  return status;
}

pc_status pc_run_report(int count, const char *const *sources, const pc_report_options *options,
                        pc_reported *reported, pc_error *error)
{
  pc_reported unheard = {0};
  pc_error silent = {.status = PC_OK};
  error = error != NULL ? error : &silent;
  if (reported != NULL)
    *reported = unheard;
  pc_status status = check_options(count, sources, options, error);
  if (status != PC_OK)
    return status;
  pc_report_source source[PC_REPORT_SOURCES] = {0};
  pc_report_work work = pc_report_begin_work(options);
  pc_report_job job = {.options = options, .count = count, .source = source, .work = &work};
  status = make(&job, sources, &unheard, error);
  for (int i = 0; i < count; i++)
    pc_report_free_source(&source[i]);
  if (reported != NULL)
    *reported = unheard;
  else
    pc_reported_free(&unheard);
  return status;
}

void pc_reported_free(pc_reported *reported)
{
  if (reported == NULL)
    return;
  free(reported->variant);
  free(reported->widening);
  *reported = (pc_reported){0};
}
