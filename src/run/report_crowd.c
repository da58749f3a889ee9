// The report of crowds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/plain.h"
#include "crowd/crowd.h"
#include "run/crowd_doubts.h"
#include "run/report.h"
#include "run/report_compare.h"
#include "run/report_maps.h"
#include "run/report_narrow.h"
#include "run/report_times.h"
#include "run/report_widen.h"

typedef struct report {
  const pc_report_job *job;
  pc_page *page;
  pc_variants variants;
  pc_crowd_totals *totals; // of each variant that has a record
  pc_reported *reported;
} report;

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

static double evacuation_of(const pc_variant_run *run, int which)
{
  return run->evacuation;
}

// The variants of a source, and what their records say.
static pc_status read_source(report *r, const pc_report_source *source, pc_error *error)
{
  pc_status status = source->checkpoint != NULL
                         ? pc_variants_add_runs(&r->variants, source->checkpoint, error)
                         : pc_variants_add_record(&r->variants, source->record, error);
  if (status == PC_OK && r->variants.count > PC_REPORT_SOURCES)
    status = pc_fail(error, PC_ERROR_INPUT, "%s: a report compares at most %d variants",
                     source->given, PC_REPORT_SOURCES);
  return status;
}

static pc_status read_totals(report *r, pc_error *error)
{
  pc_status status = PC_OK;
  r->totals = calloc((size_t)r->variants.count + 1, sizeof *r->totals);
  if (r->totals == NULL)
    return out_of_memory(error);
  for (int i = 0; i < r->variants.count && status == PC_OK; i++) {
    pc_variant *v = &r->variants.at[i];
    if (!v->detailed)
      continue;
    status = pc_crowd_totals_read(&v->crowd, &r->totals[i], error);
    if (status == PC_OK && v->runs == 1) {
      v->run->density = r->totals[i].densest.value;
      v->run->pressure = r->totals[i].pressed.value;
      v->run->load = r->totals[i].load;
      v->run->load_window = r->totals[i].load_window;
    }
  }
  return status;
}

static pc_reported_number bounded(const pc_variant *v, double p)
{
  pc_bounded q = pc_variant_quantile(v, p);
  return (pc_reported_number){q.value, q.low, q.high};
}

static pc_status fill_reported(report *r, pc_error *error)
{
  pc_reported *to = r->reported;
  to->variant = calloc((size_t)r->variants.count + 1, sizeof *to->variant);
  if (to->variant == NULL)
    return out_of_memory(error);
  for (int i = 0; i < r->variants.count; i++) {
    const pc_variant *v = &r->variants.at[i];
    pc_reported_variant *own = &to->variant[to->variants++];
    pc_statistics s;
    if (pc_variant_statistics(v, evacuation_of, 0, &s, error) != PC_OK)
      return error->status;
    snprintf(own->name, sizeof own->name, "%.*s", PC_REPORT_NAME - 1, v->name);
    own->runs = v->runs;
    own->complete = v->complete;
    own->mean = (pc_reported_number){s.mean, s.mean - s.interval, s.mean + s.interval};
    own->median = bounded(v, 0.5);
    own->percentile_95 = bounded(v, 0.95);
    for (int k = 0; k < v->runs; k++) {
      own->people = v->run[k].people > own->people ? v->run[k].people : own->people;
      own->inside = v->run[k].inside > own->inside ? v->run[k].inside : own->inside;
    }
  }
  return PC_OK;
}

// "97 s (95 to 99 s)", as far as it is bounded.
static void write_number(const pc_reported_number *n, char *text, size_t size)
{
  if (isnan(n->value))
    pc_print(text, size, "\u2013");
  else if (isinf(n->value))
    pc_print(text, size, "never");
  else if (isfinite(n->low) && isfinite(n->high))
    pc_print(text, size, "%.1f s (%.1f to %.1f s)", n->value, n->low, n->high);
  else if (isfinite(n->low))
    pc_print(text, size, "%.1f s (at least %.1f s)", n->value, n->low);
  else if (isfinite(n->high))
    pc_print(text, size, "%.1f s (at most %.1f s)", n->value, n->high);
  else
    pc_print(text, size, "%.1f s", n->value);
}

static void put_one_run(pc_page *page, const pc_variant *v, double end)
{
  const pc_variant_run *run = v->run;
  if (run->inside == 0 && run->people > 0)
    pc_page_text(page,
                 "%d %s in the building. The last one left after %.1f s. This is one run: other "
                 "random numbers give other times, so base decisions on several runs.",
                 run->people, run->people == 1 ? "person was" : "people were", run->evacuation);
  else if (run->people == 0)
    pc_page_text(page, "Nobody was in the building.");
  else if (isfinite(end))
    pc_page_warning(page, "%d of %d people were still inside after %.1f s, when the run ended.",
                    run->inside, run->people, end);
  else
    pc_page_warning(page, "%d of %d people are still inside.", run->inside, run->people);
}

// What the verification suites found (docs/crowds.md).
static void put_limits(pc_page *page)
{
  pc_page_small(page, "Percuss is not certified for planning. It passes most verification tests of "
                      "RiMEA and ISO 20414. Known limits: the flow onto stairs is 20 to 30 %% "
                      "too high, which makes times too short; crowds from both sides may block a "
                      "passage narrower than 1.2 m; large crowds take too long around corners.");
}

static void put_many_runs(pc_page *page, const pc_variant *v, const pc_reported_variant *n)
{
  char mean[100], median[100], late[100];
  write_number(&n->mean, mean, sizeof mean);
  write_number(&n->median, median, sizeof median);
  write_number(&n->percentile_95, late, sizeof late);
  pc_page_text(page,
               "%d people were in the building, in %d runs with other random numbers. In the mean "
               "the last one left after %s; half of the runs took less than %s, and 95 of 100 runs "
               "take less than %s. In parentheses: 95 %% confidence intervals.",
               n->people, v->runs, mean, median, late);
  if (!isfinite(n->percentile_95.high))
    pc_page_small(page,
                  "From %d runs the 95th percentile has no upper bound: that takes 72 runs in "
                  "which everybody leaves.",
                  v->runs);
  if (v->complete < v->runs)
    pc_page_warning(page,
                    "In %d of %d runs somebody was still inside at the end, at most %d "
                    "people. The mean leaves these runs out; percentiles take them as "
                    "infinite.",
                    v->runs - v->complete, v->runs, n->inside);
}

static void put_facts(pc_page *page, const pc_variant *v, const pc_reported_variant *n)
{
  char text[100];
  double density = NAN, load = NAN;
  for (int i = 0; i < v->runs; i++) {
    density = fmax(density, v->run[i].density);
    load = fmax(load, v->run[i].load);
  }
  pc_page_begin_facts(page);
  pc_page_fact(page, "people", "%d", n->people);
  pc_page_fact(page, v->runs > 1 ? "still inside, at most" : "still inside", "%d", n->inside);
  if (v->runs > 1)
    pc_page_fact(page, "runs", "%d", v->runs);
  if (isfinite(n->mean.value)) {
    pc_page_fact(page, v->runs > 1 ? "evacuation time, mean" : "evacuation time", "%.1f s",
                 n->mean.value);
    if (v->runs > 1) {
      pc_reported_number late = {n->percentile_95.value, NAN, NAN};
      write_number(&late, text, sizeof text);
      pc_page_fact(page, "95th percentile", "%s", text);
    }
  }
  if (isfinite(density))
    pc_page_fact(page, v->runs > 1 ? "largest density of all runs" : "largest density",
                 "%.1f per m\u00b2", density);
  if (isfinite(load)) {
    pc_print(text, sizeof text, "%s, mean over %g s",
             v->runs > 1 ? "largest load of all runs" : "largest load on a person",
             v->run->load_window);
    pc_page_fact(page, text, "%.0f N", load);
  }
  pc_page_end_facts(page);
}

// What the recorded run did that is not measured on people.
static pc_status put_doubts(pc_page *page, const pc_variant *v, const pc_crowd_totals *t,
                            pc_error *error)
{
  const pc_recorded_crowd *c = &v->crowd;
  pc_crowd_fact_of_exit *exits = calloc((size_t)v->exits + 1, sizeof *exits);
  char **floors = calloc((size_t)c->floors + 1, sizeof *floors);
  pc_crowd_doubt *list = NULL;
  int count = 0;
  pc_status status = exits == NULL || floors == NULL ? out_of_memory(error) : PC_OK;
  for (int k = 0; k < v->exits && status == PC_OK; k++) {
    double width = pc_variant_exit_width(v, k);
    exits[k] = (pc_crowd_fact_of_exit){v->exit[k], width, v->run->exit[k].count,
                                       60 * width * pc_run_specific_flow(&v->run->exit[k], width)};
  }
  for (int f = 0; f < c->floors && status == PC_OK; f++)
    floors[f] = (char *)c->floor[f].name;
  const pc_crowd_facts facts = {.exits = v->exits,
                                .exit = exits,
                                .mapped = c->maps.cells > 0,
                                .densest = t->densest,
                                .pressed = t->pressed,
                                .load = t->load,
                                .load_window = t->load_window,
                                .floors = c->floors,
                                .floor_names = floors};
  if (status == PC_OK)
    status = pc_crowd_doubt_facts(&facts, &list, &count, error);
  for (int i = 0; i < count; i++)
    pc_page_warning(page, "%s%s.", v->runs > 1 ? "First run: " : "", list[i].text);
  free(list);
  free(exits);
  free(floors);
  return status;
}

static void put_many_doubts(pc_page *page, const pc_variant *v)
{
  int crowded = 0, pressed = 0;
  for (int i = 0; i < v->runs; i++) {
    crowded += v->run[i].density > PC_MEASURED_DENSITY;
    pressed += v->run[i].load > PC_TOLERABLE_LOAD;
  }
  if (crowded > 0)
    pc_page_warning(page,
                    "In %d of %d runs a density is above %d people/m\u00b2, where a crowd is "
                    "carried along (Fruin 1993).",
                    crowded, v->runs, PC_MEASURED_DENSITY);
  if (pressed > 0)
    pc_page_warning(page,
                    "In %d of %d runs the load on a person, as a mean over %g s, is above the "
                    "tolerable %d N (Evans and Hayden 1971).",
                    pressed, v->runs, v->run->load_window, PC_TOLERABLE_LOAD);
}

static void put_overcome(pc_page *page, const pc_variant *v)
{
  int most = 0, runs = 0;
  for (int i = 0; i < v->runs; i++) {
    most = v->run[i].overcome > most ? v->run[i].overcome : most;
    runs += v->run[i].overcome > 0;
  }
  if (runs > 0 && v->runs == 1)
    pc_page_warning(page, "%d of those inside are incapacitated by smoke and gases.", most);
  else if (runs > 0)
    pc_page_warning(page, "In %d of %d runs smoke and gases incapacitate people, at most %d.", runs,
                    v->runs, most);
}

static void put_stuck(pc_page *page, const pc_variant *v, double end)
{
  const double long_time = 10; // s
  const pc_left *all = &v->run->all;
  if (v->runs > 1 || v->run->inside == v->run->overcome)
    return;
  if (all->count == 0)
    pc_page_warning(page, "Nobody has left.");
  else if (end - all->time[all->count - 1] > long_time)
    pc_page_warning(page, "Nobody has left since %.1f s: people are stuck, or do not fit through.",
                    all->time[all->count - 1]);
}

// What the reader of the scene warns of, and people who are too wide.
static void put_scene_warnings(pc_page *page, const pc_report_source *source)
{
  const pc_scene_people *people = &source->scene.people;
  for (int i = 0; i < source->scene.warning_count && source->read; i++)
    pc_page_warning(page, "%s", source->scene.warnings[i]);
  for (int i = 0; i < people->tights && source->read; i++) {
    const pc_scene_tight *t = &people->tight[i];
    pc_page_warning(
        page, "%d of \u201c%s\u201d do not fit through the gap of %.3g m at (%.4g, %.4g).",
        t->people, people->group_names[t->group], t->at.width, t->at.place[0], t->at.place[1]);
  }
}

static pc_status put_summary(report *r, int i, const pc_report_check *check, pc_error *error)
{
  const pc_variant *v = &r->variants.at[i];
  const pc_reported_variant *n = &r->reported->variant[i];
  pc_page *page = r->page;
  double end = v->detailed ? check->end : NAN;
  if (r->variants.count > 1)
    pc_page_part(page, v->name);
  else
    put_scene_warnings(page, &r->job->source[0]);
  put_facts(page, v, n);
  if (v->runs == 1)
    put_one_run(page, v, end);
  else
    put_many_runs(page, v, n);
  put_overcome(page, v);
  put_stuck(page, v, end);
  if (v->planned > v->runs)
    pc_page_warning(page, "%d of %d runs did not finish.", v->planned - v->runs, v->planned);
  if (v->detailed && pc_reading_complete(v->crowd.bodies.reading) != 1)
    pc_page_warning(page, "The run was stopped before its end, or is still going on.");
  if (v->detailed && check->inaccurate > 0)
    pc_page_warning(page, "%ld of %ld time steps missed the accuracy of the solver.",
                    check->inaccurate, check->steps);
  if (v->detailed && check->open > 0)
    pc_page_warning(page, "The energy balance does not close in %ld of %ld time steps.",
                    check->open, check->steps);
  if (v->runs > 1)
    put_many_doubts(page, v);
  return v->detailed ? put_doubts(page, v, &r->totals[i], error) : PC_OK;
}

static pc_status put_details(report *r, int i, pc_error *error)
{
  const pc_variant *v = &r->variants.at[i];
  const pc_crowd_totals *t = v->detailed ? &r->totals[i] : NULL;
  pc_page *page = r->page;
  char title[PC_REPORT_NAME + 40];
  snprintf(title, sizeof title, "%s%s%s", "Evacuation", r->variants.count > 1 ? ": " : "",
           r->variants.count > 1 ? r->reported->variant[i].name : "");
  pc_page_section(page, title);
  pc_status status = pc_report_curves(page, 1, v, t, error);
  if (status == PC_OK)
    status = pc_report_shares(page, v, error);
  if (status == PC_OK)
    status = pc_report_exits(page, v, error);
  if (status != PC_OK || t == NULL)
    return status;
  status = pc_report_walking(page, v, t, error);
  pc_report_places(page, v, t);
  if (status != PC_OK || v->crowd.maps.cells == 0)
    return status;
  snprintf(title, sizeof title, "%s%s%s", "Where people are", r->variants.count > 1 ? ": " : "",
           r->variants.count > 1 ? r->reported->variant[i].name : "");
  pc_page_section(page, title);
  pc_report_levels(page, v, t);
  pc_report_density(page, v, t);
  status = pc_report_origins(page, v, error);
  pc_page_part(page, "Pressure");
  if (status == PC_OK)
    pc_report_pressure(page, v, t);
  return status;
}

static pc_status put_bottlenecks(report *r, pc_error *error)
{
  const pc_report_source *source = &r->job->source[0];
  if (!source->read || r->job->count > 1)
    return PC_OK;
  pc_page_section(r->page, "Bottlenecks");
  pc_status status = pc_report_narrow(r->page, &source->scene, &r->variants.at[0], error);
  if (r->job->options->widen > 0)
    pc_report_widenings(r->page, &r->variants.at[0], r->job->options->widen,
                        source->scene.crowd->passages.count > 0, r->reported);
  return status;
}

static void put_origins(report *r)
{
  pc_report_origin list[PC_REPORT_SOURCES];
  for (int i = 0; i < r->variants.count; i++) {
    const pc_variant *v = &r->variants.at[i];
    list[i] = (pc_report_origin){.name = v->name,
                                 .title = v->title,
                                 .file = v->file,
                                 .program = v->program,
                                 .hash = v->hash,
                                 .text = v->text,
                                 .base = v->base,
                                 .changes = v->changes,
                                 .runs = v->runs,
                                 .failed = v->planned - v->runs,
                                 .seeded = v->seeded};
    list[i].first_seed = v->run[0].seed;
    list[i].last_seed = v->run[v->runs - 1].seed;
  }
  pc_report_inputs(r->page, r->variants.count, list);
}

static pc_status put_page(report *r, pc_error *error)
{
  pc_status status = PC_OK;
  pc_report_check check[PC_REPORT_SOURCES] = {0};
  int count = r->variants.count;
  for (int i = 0; i < count && status == PC_OK; i++)
    if (r->variants.at[i].detailed)
      status = pc_report_read_check(r->variants.at[i].crowd.bodies.reading, &check[i], error);
  pc_page_section(r->page, "Summary");
  for (int i = 0; i < count && status == PC_OK; i++)
    status = put_summary(r, i, &check[i], error);
  put_limits(r->page);
  if (status == PC_OK && count > 1)
    status = pc_report_compare(r->page, count, r->variants.at, error);
  for (int i = 0; i < count && status == PC_OK; i++)
    status = put_details(r, i, error);
  if (status == PC_OK)
    status = put_bottlenecks(r, error);
  if (status == PC_OK && r->variants.at[0].detailed) {
    char note[PC_REPORT_NAME + 40] = "";
    if (count > 1 || r->variants.at[0].runs > 1)
      snprintf(note, sizeof note, "First run%s%s: ", count > 1 ? " of " : "",
               count > 1 ? r->reported->variant[0].name : "");
    status =
        pc_report_balance(r->page, r->variants.at[0].crowd.bodies.reading, &check[0], note, error);
    pc_page_small(r->page, "People who leave take their kinetic energy with them: it is among the "
                           "energy given by events.");
  }
  put_origins(r);
  return status;
}

static pc_status write_page(report *r, pc_error *error)
{
  const pc_variant *first = &r->variants.at[0];
  const char *title = first->title != NULL && *first->title != 0 ? first->title : first->name;
  char under[300];
  snprintf(under, sizeof under, "Report of a simulated evacuation%s, by %s",
           r->variants.count > 1 ? ": comparison of variants" : "",
           first->program != NULL ? first->program : "percuss");
  r->page = pc_page_begin(r->job->options->output, title, under, error);
  if (r->page == NULL)
    return error->status;
  pc_status status = put_page(r, error);
  if (status == PC_OK)
    return pc_page_end(r->page, error);
  pc_page_discard(r->page);
  return status;
}

pc_status pc_report_crowd(const pc_report_job *job, pc_reported *reported, pc_error *error)
{
  report r = {.job = job, .reported = reported};
  pc_status status = PC_OK;
  for (int i = 0; i < job->count && status == PC_OK; i++)
    status = read_source(&r, &job->source[i], error);
  if (status == PC_OK)
    status = read_totals(&r, error);
  if (status == PC_OK)
    status = fill_reported(&r, error);
  if (status == PC_OK && job->options->widen > 0)
    status =
        pc_report_widen(&job->source[0].scene, &r.variants.at[0], job->work, 0.5, reported, error);
  if (status == PC_OK && !job->work->stopped)
    status = write_page(&r, error);
  for (int i = 0; i < r.variants.count && r.totals != NULL; i++)
    pc_crowd_totals_free(&r.totals[i]);
  free(r.totals);
  pc_variants_free(&r.variants);
  return status;
}
