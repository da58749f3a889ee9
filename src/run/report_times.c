#include "run/report_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "percuss/crowd_measures.h"
#include "run/crowd_doubts.h"

enum { MOST_EXITS = 7, BINS = 30 };

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

double pc_run_time_of_share(const pc_variant_run *run, double share)
{
  int wanted = (int)ceil(share * run->people - 1e-9);
  if (wanted < 1)
    return 0;
  return wanted <= run->all.count ? run->all.time[wanted - 1] : INFINITY;
}

double pc_run_specific_flow(const pc_left *left, double width)
{
  pc_crowd_flow flow;
  int start[] = {0, left->count};
  if (left->count < 2 || !(left->time[left->count - 1] > left->time[0]) ||
      pc_crowd_measure_flow(1, start, left->time, NULL, &flow, NULL) != PC_OK)
    return NAN;
  return flow.robust / 60 / width;
}

double pc_variant_exit_width(const pc_variant *v, int exit)
{
  const pc_recorded_crowd *c = &v->crowd;
  for (int g = 0; g < c->goals && v->detailed; g++)
    if (c->goal[g].kind == PC_GOAL_EXIT && strcmp(c->goal[g].name, v->exit[exit]) == 0)
      return pc_crowd_line_length(c->goal[g].count, c->goal[g].point);
  return NAN;
}

static double share_of(const pc_variant_run *run, int percent)
{
  return pc_run_time_of_share(run, percent / 100.);
}

pc_status pc_report_shares(pc_page *page, const pc_variant *v, pc_error *error)
{
  static const int percent[] = {25, 50, 75, 90, 95, 100};
  static const char *const one[] = {"people who have left", "time [s]"};
  static const char *const many[] = {
      "people who have left", "mean [s]", "\u00b1 95 % [s]", "median [s]", "shortest [s]",
      "longest [s]",          "runs"};
  pc_status status = PC_OK;
  bool single = v->runs == 1;
  pc_page_begin_table(page, single ? 2 : 7, single ? one : many);
  for (int k = 0; k < PC_COUNT(percent) && status == PC_OK; k++) {
    pc_statistics s;
    status = pc_variant_statistics(v, share_of, percent[k], &s, error);
    if (status != PC_OK)
      break;
    pc_page_row(page, "%d %%", percent[k]);
    pc_page_number(page, 1, s.mean);
    if (single)
      continue;
    pc_page_number(page, 1, s.interval);
    pc_page_number(page, 1, s.median);
    pc_page_number(page, 1, s.least);
    pc_page_number(page, 1, s.most);
    pc_page_cell(page, "%d", s.count);
  }
  pc_page_end_table(page);
  return status;
}

static double out_of(const pc_variant_run *run, int exit)
{
  return run->exit[exit].count;
}

static double last_of(const pc_variant_run *run, int exit)
{
  const pc_left *left = &run->exit[exit];
  return left->count > 0 ? left->time[left->count - 1] : NAN;
}

static double flow_of(const pc_variant_run *run, int exit)
{
  return pc_run_specific_flow(&run->exit[exit], 1);
}

// Mean and, of several runs, half its interval.
static void put_mean(pc_page *page, const pc_statistics *s, int digits, double scale)
{
  if (s->count > 1 && isfinite(scale))
    pc_page_cell(page, "%.*f \u00b1 %.*f", digits, s->mean * scale, digits, s->interval * scale);
  else
    pc_page_number(page, digits, s->mean * scale);
}

static pc_status put_exit(pc_page *page, const pc_variant *v, int exit, pc_error *error)
{
  pc_statistics out, last, flow;
  double width = pc_variant_exit_width(v, exit);
  pc_status status = pc_variant_statistics(v, out_of, exit, &out, error);
  if (status == PC_OK)
    status = pc_variant_statistics(v, last_of, exit, &last, error);
  if (status == PC_OK)
    status = pc_variant_statistics(v, flow_of, exit, &flow, error);
  if (status != PC_OK)
    return status;
  pc_page_row(page, "%s", v->exit[exit]);
  pc_page_number(page, 2, width);
  put_mean(page, &out, v->runs > 1 ? 1 : 0, 1);
  put_mean(page, &last, 1, 1);
  put_mean(page, &flow, 1, 60);
  put_mean(page, &flow, 2, 1 / width);
  return PC_OK;
}

// People per second and metre through an exit in each interval, mean over the runs.
static void add_flow(pc_svg *svg, const pc_variant *v, int exit, double bin, double width,
                     double *most)
{
  int bins = (int)ceil(svg->x.to / bin);
  double(*point)[2] = pc_arena_take(&svg->arena, 2 * (size_t)bins + 2, sizeof *point);
  for (int k = 0; k < bins && point != NULL; k++) {
    double count = 0;
    for (int i = 0; i < v->runs; i++)
      for (int n = 0; n < v->run[i].exit[exit].count; n++) {
        double time = v->run[i].exit[exit].time[n];
        count += time >= k * bin && time < (k + 1) * bin;
      }
    double flow = count / (bin * width * v->runs);
    point[2 * k][0] = k * bin;
    point[2 * k + 1][0] = fmin(svg->x.to, (k + 1) * bin);
    point[2 * k][1] = point[2 * k + 1][1] = flow;
    *most = fmax(*most, flow);
  }
  pc_svg_add(svg, (pc_svg_item){.kind = PC_SVG_LINE,
                                .color = pc_svg_class(exit),
                                .text = v->exit[exit],
                                .count = point != NULL ? 2 * bins : 0,
                                .point = point,
                                .width = 2});
}

static void draw_flows(pc_page *page, const pc_variant *v)
{
  double end = pc_variants_end(1, v), most = 0;
  bool specific = true;
  if (!(end > 0))
    return;
  for (int k = 0; k < v->exits; k++)
    specific = specific && pc_variant_exit_width(v, k) > 0;
  double bin = fmax(1, pc_svg_step(end, BINS));
  pc_svg svg = {.title = "",
                .description = "Flow through each exit over time.",
                .x = {"time [s]", 0, end, false},
                .y = {specific ? "people per second and metre" : "people per second", 0, 1, false},
                .height = 220};
  for (int k = 0; k < v->exits && k < MOST_EXITS; k++)
    add_flow(&svg, v, k, bin, specific ? pc_variant_exit_width(v, k) : 1, &most);
  svg.y.to = 1.08 * fmax(most, specific ? PC_MEASURED_FLOW : 0.1);
  double limit[2][2] = {{0, PC_MEASURED_FLOW}, {end, PC_MEASURED_FLOW}};
  if (specific)
    pc_svg_add(&svg, (pc_svg_item){.kind = PC_SVG_LINE,
                                   .color = PC_SVG_GREY,
                                   .dash = PC_SVG_DOTTED,
                                   .text = "largest measured at bottlenecks",
                                   .count = 2,
                                   .point = limit});
  pc_page_picture(page, &svg,
                  "Flow through each exit, over intervals of %g s%s.%s Bottlenecks pass 1.2 to %g "
                  "people per second and metre (Seyfried et al. 2009).",
                  bin, v->runs > 1 ? ", mean of the runs" : "",
                  v->exits > MOST_EXITS ? " The first seven exits are shown." : "",
                  PC_MEASURED_FLOW);
  pc_svg_free(&svg);
}

pc_status pc_report_exits(pc_page *page, const pc_variant *v, pc_error *error)
{
  static const char *const heads[] = {"exit",         "width [m]",         "people",
                                      "last one [s]", "flow [people/min]", "flow [people/(m s)]"};
  pc_status status = PC_OK;
  pc_page_part(page, "Exits");
  pc_page_begin_table(page, PC_COUNT(heads), heads);
  for (int k = 0; k < v->exits && status == PC_OK; k++)
    status = put_exit(page, v, k, error);
  pc_page_end_table(page);
  pc_page_small(page,
                "The width is that of the line of the exit. The flow is the inverse of the "
                "median time between two people (Theil and Sen), which stragglers do not "
                "change%s.",
                v->runs > 1 ? "; numbers are means over the runs with their 95 % intervals" : "");
  if (status == PC_OK)
    draw_flows(page, v);
  return status;
}

// Mean, median, 95th percentile and longest of a list, which is sorted.
static void put_times(pc_page *page, const char *name, int count, double *list)
{
  pc_statistics s = pc_statistics_of(count, list);
  pc_page_row(page, "%s", name);
  pc_page_number(page, 1, s.mean);
  pc_page_number(page, 1, s.median);
  pc_page_number(page, 1, pc_quantile(count, list, 0.95));
  pc_page_number(page, 1, s.most);
}

pc_status pc_report_walking(pc_page *page, const pc_variant *v, const pc_crowd_totals *totals,
                            pc_error *error)
{
  static const char *const heads[] = {"of those who left", "mean [s]", "median [s]",
                                      "95th percentile [s]", "longest [s]"};
  const pc_recorded_crowd *c = &v->crowd;
  double *reaction = calloc(2 * ((size_t)c->exits + 1), sizeof *reaction);
  if (reaction == NULL)
    return out_of_memory(error);
  double *walking = reaction + c->exits;
  int count = 0;
  for (int i = 0; i < c->exits; i++) {
    int person = c->exit[i].person;
    double entered = totals->entered[person];
    if (isnan(entered)) // between two frames
      entered = 0;
    reaction[count] = c->response[person];
    walking[count++] = fmax(0, c->exit[i].time - entered - c->response[person]);
  }
  pc_page_part(page, "Reaction and walking");
  pc_page_begin_table(page, PC_COUNT(heads), heads);
  put_times(page, "time before they react", count, reaction);
  put_times(page, "time from then until they are out", count, walking);
  pc_page_end_table(page);
  pc_page_small(page, "Reaction times are an input of the scene%s.",
                v->runs > 1 ? "; the times are those of the first run" : "");
  free(reaction);
  return PC_OK;
}

static void put_place(pc_page *page, const char *name, const pc_place_total *place,
                      const pc_variant_run *run)
{
  // The last frame may be before the last one left.
  double empty = isinf(place->empty) && run->inside == 0 ? run->evacuation : place->empty;
  pc_page_row(page, "%s", name);
  pc_page_cell(page, "%d", place->start);
  pc_page_cell(page, "%d", place->most);
  pc_page_number(page, 1, place->most > 0 ? place->most_time : NAN);
  if (isinf(empty))
    pc_page_cell(page, "not empty at the end");
  else
    pc_page_number(page, 1, place->most > 0 ? empty : NAN);
}

static void add_count(pc_svg *svg, const pc_crowd_totals *t, const pc_place_total *place,
                      const char *name, int number)
{
  double(*point)[2] = pc_arena_take(&svg->arena, (size_t)t->times + 1, sizeof *point);
  for (long k = 0; k < t->times && point != NULL; k++) {
    point[k][0] = t->time[k];
    point[k][1] = place->count[k];
  }
  svg->y.to = fmax(svg->y.to, 1.05 * place->most);
  pc_svg_add(svg, (pc_svg_item){.kind = PC_SVG_LINE,
                                .color = pc_svg_class(number),
                                .text = name,
                                .count = point != NULL ? (int)t->times : 0,
                                .point = point,
                                .width = 2});
}

void pc_report_places(pc_page *page, const pc_variant *v, const pc_crowd_totals *t)
{
  static const char *const heads[] = {"floor or area", "people at the start", "most at once",
                                      "at [s]", "empty from [s]"};
  const pc_recorded_crowd *c = &v->crowd;
  int shown = 0;
  pc_page_part(page, "Floors and areas");
  pc_page_begin_table(page, PC_COUNT(heads), heads);
  for (int f = 0; f < c->floors; f++)
    put_place(page, c->floor[f].name, &t->floor[f], v->run);
  for (int g = 0; g < c->goals; g++)
    if (c->goal[g].kind == PC_GOAL_AREA)
      put_place(page, c->goal[g].name, &t->goal[g], v->run);
  pc_page_end_table(page);
  pc_page_small(page, "Counted in the recorded frames%s.", v->runs > 1 ? " of the first run" : "");
  if (t->times < 2 || !(t->time[t->times - 1] > 0))
    return;
  pc_svg svg = {.title = "",
                .description = "People on each floor and in each area over time.",
                .x = {"time [s]", 0, t->time[t->times - 1], false},
                .y = {"people", 0, 1, false},
                .height = 200};
  for (int f = 0; f < c->floors && shown < MOST_EXITS; f++)
    add_count(&svg, t, &t->floor[f], c->floor[f].name, shown++);
  for (int g = 0; g < c->goals && shown < MOST_EXITS; g++)
    if (c->goal[g].kind == PC_GOAL_AREA)
      add_count(&svg, t, &t->goal[g], c->goal[g].name, shown++);
  if (shown > 1)
    pc_page_picture(page, &svg, "People on each floor and in each area.");
  pc_svg_free(&svg);
}
