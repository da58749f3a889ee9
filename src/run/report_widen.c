#include "run/report_widen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "run/report_times.h"
#include "run/widening.h"

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

// A member as a run of a variant: what is needed to compare times.
static pc_variant_run run_of(const pc_runs *runs, int i)
{
  const pc_runs_slot *member = &runs->member[i];
  pc_variant_run run = {.number = i + 1, .seed = pc_runs_member(runs, i).seed};
  for (int k = 0; k < member->count; k++) {
    const char *name = runs->fields.at[member->field[k]].name;
    if (strcmp(name, "inside") == 0)
      run.inside = (int)member->value[k];
    else if (strcmp(name, "people") == 0)
      run.people = (int)member->value[k];
  }
  if (member->samples > 0)
    run.all = (pc_left){member->sample->count, member->sample->values};
  run.evacuation = pc_run_time_of_share(&run, 1);
  return run;
}

// Differences of pairs of runs with one seed, in the time until a share of the people had left.
static pc_status compare(const pc_variant *v, const pc_runs *runs, double share, int *pairs,
                         pc_reported_number *to, pc_error *error)
{
  double *change = calloc((size_t)v->runs + 1, sizeof *change);
  if (change == NULL)
    return out_of_memory(error);
  for (int i = 0; i < v->runs; i++) {
    int member = v->run[i].number - 1;
    pc_member other = pc_runs_member(runs, member); // all zero if there is none
    double difference = NAN;
    if (other.state == PC_MEMBER_FINISHED && other.seed == v->run[i].seed) {
      pc_variant_run wider = run_of(runs, member);
      difference = pc_run_time_of_share(&wider, share) - pc_run_time_of_share(&v->run[i], share);
    }
    change[i] = isfinite(difference) ? difference : NAN;
  }
  pc_statistics s = pc_statistics_of(v->runs, change);
  *pairs = s.count;
  *to = (pc_reported_number){s.mean, s.mean - s.interval, s.mean + s.interval};
  free(change);
  return PC_OK;
}

static pc_status run_wider(const pc_scene *scene, const pc_variant *v, const char *changes,
                           pc_report_work *work, pc_reported_widening *to, pc_error *error)
{
  pc_scene wider;
  pc_status status = pc_report_change_scene(scene, v->planned, changes, &wider, error);
  if (status != PC_OK)
    return status;
  pc_runs *runs = pc_runs_create(&wider, error);
  status = runs != NULL ? pc_report_do_runs(runs, NULL, false, work, error) : error->status;
  if (status == PC_OK && !work->stopped)
    status = compare(v, runs, 1, &to->pairs, &to->change, error);
  if (status == PC_OK && !work->stopped)
    status = compare(v, runs, 0.95, &to->pairs_95, &to->change_95, error);
  pc_runs_destroy(runs);
  pc_scene_free(&wider);
  return status;
}

pc_status pc_report_widen(const pc_scene *scene, const pc_variant *v, pc_report_work *work,
                          double share, pc_reported *reported, pc_error *error)
{
  pc_passage_line *line;
  int lines;
  pc_status status = pc_list_passages(scene, &line, &lines, error);
  if (status == PC_OK) {
    reported->widening = calloc((size_t)lines + 1, sizeof *reported->widening);
    status = reported->widening != NULL ? PC_OK : out_of_memory(error);
  }
  for (int i = 0; i < lines && status == PC_OK && !work->stopped; i++) {
    pc_widening widening;
    char doing[PC_REPORT_NAME + 20];
    pc_reported_widening *to = &reported->widening[reported->widenings++];
    memcpy(to->name, line[i].name, sizeof to->name);
    snprintf(doing, sizeof doing, "wider: %s", to->name);
    pc_report_begin_part(work, doing, share / lines);
    status = pc_widen_line(scene, &line[i], work->options->widen, &widening, error);
    memcpy(to->why, widening.why, sizeof to->why);
    if (status == PC_OK && widening.changes != NULL)
      status = run_wider(scene, v, widening.changes, work, to, error);
    free(widening.changes);
    work->doing = "";
  }
  free(line);
  return status;
}

// Those that save most come first.
static int by_change(const void *a, const void *b)
{
  const pc_reported_widening *one = *(const pc_reported_widening *const *)a;
  const pc_reported_widening *two = *(const pc_reported_widening *const *)b;
  bool has_one = one->pairs > 0, has_two = two->pairs > 0;
  if (!has_one || !has_two)
    return has_two - has_one;
  return (one->change.value > two->change.value) - (one->change.value < two->change.value);
}

static void put_change(pc_page *page, int pairs, const pc_reported_number *change)
{
  if (pairs == 0)
    pc_page_cell(page, "not known: somebody stays inside in every run");
  else if (pairs == 1)
    pc_page_cell(page, "%+.1f s (one run, no interval)", change->value);
  else
    pc_page_cell(page, "%+.1f s (%+.1f to %+.1f s)%s", change->value, change->low, change->high,
                 change->low <= 0 && change->high >= 0 ? ": no difference is shown" : "");
}

static void put_effect(pc_page *page, const pc_reported_widening *w)
{
  if (w->why[0] != 0) {
    pc_page_cell(page, "\u2013");
    pc_page_cell(page, "cannot be wider: %s", w->why);
    pc_page_cell(page, "\u2013");
    return;
  }
  pc_page_cell(page, "%d", w->pairs);
  put_change(page, w->pairs, &w->change);
  put_change(page, w->pairs_95, &w->change_95);
}

void pc_report_widenings(pc_page *page, const pc_variant *v, double by, bool has_stairs,
                         const pc_reported *r)
{
  static const char *const heads[] = {"passage", "runs", PC_PAGE_WORDS "until all are out",
                                      PC_PAGE_WORDS "until 95 % are out"};
  const pc_reported_widening **order = calloc((size_t)r->widenings + 1, sizeof *order);
  for (int i = 0; i < r->widenings && order != NULL; i++)
    order[i] = &r->widening[i];
  if (order == NULL)
    pc_page_out_of_memory(page);
  else
    qsort(order, (size_t)r->widenings, sizeof *order, by_change);
  pc_page_part(page, "What wider exits and doors would change");
  pc_page_text(page,
               "Each passage alone was made wider by %g cm, and the run%s repeated with the same "
               "random numbers. The table has the change of the time until all are out, and until "
               "95 %% are: means over the pairs of runs with one seed, with their 95 %% intervals.",
               100 * by, v->planned > 1 ? "s were" : " was");
  pc_page_begin_table(page, PC_COUNT(heads), heads);
  for (int i = 0; i < r->widenings; i++) {
    const pc_reported_widening *w = order != NULL ? order[i] : &r->widening[i];
    pc_page_row(page, "%s", w->name);
    put_effect(page, w);
  }
  pc_page_end_table(page);
  if (has_stairs)
    pc_page_text(page,
                 "Stairs are not made wider here. To see what that would change, change their "
                 "lines in a copy of the scene, and compare both: percuss report before.yaml "
                 "after.yaml.");
  free(order);
}
