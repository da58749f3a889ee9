// Curves of an evacuation.
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "run/report_times.h"

enum { POINTS = 201, FEW = 20, MOST_CURVES = 7 };

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

// People of a run who had left by a time.
static int left_by(const pc_left *left, double time)
{
  int low = 0, high = left->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (left->time[middle] <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

pc_status pc_variant_curve(const pc_variant *v, double until, int count, pc_left_by *curve,
                           pc_error *error)
{
  double *people = calloc((size_t)v->runs + 1, sizeof *people);
  if (people == NULL)
    return out_of_memory(error);
  for (int k = 0; k < count; k++) {
    double time = count > 1 ? until * k / (count - 1) : 0;
    for (int i = 0; i < v->runs; i++)
      people[i] = left_by(&v->run[i].all, time);
    curve[k].time = time;
    curve[k].people = pc_statistics_of(v->runs, people); // sorts them
    curve[k].low = pc_quantile(v->runs, people, 0.05);
    curve[k].high = pc_quantile(v->runs, people, 0.95);
  }
  free(people);
  return PC_OK;
}

double pc_variants_end(int count, const pc_variant *variants)
{
  double end = 0;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < variants[k].runs; i++) {
      const pc_left *all = &variants[k].run[i].all;
      end = all->count > 0 ? fmax(end, all->time[all->count - 1]) : end;
    }
  return end;
}

// A region between two curves, forth along the upper and back along the lower one.
static void add_band(pc_svg *svg, const pc_left_by *curve, bool of_mean, pc_svg_color color,
                     const char *text)
{
  double(*point)[2] = pc_arena_take(&svg->arena, 2 * (size_t)POINTS, sizeof *point);
  for (int k = 0; k < POINTS && point != NULL; k++) {
    const pc_left_by *at = &curve[k];
    double half = isfinite(at->people.interval) ? at->people.interval : 0;
    point[k][0] = point[2 * POINTS - 1 - k][0] = at->time;
    point[k][1] = of_mean ? at->people.mean + half : at->high;
    point[2 * POINTS - 1 - k][1] = of_mean ? fmax(0, at->people.mean - half) : at->low;
  }
  pc_svg_add(svg, (pc_svg_item){.kind = PC_SVG_REGION,
                                .color = color,
                                .text = text,
                                .count = point != NULL ? 2 * POINTS : 0,
                                .point = point});
}

static void add_mean(pc_svg *svg, const pc_left_by *curve, pc_svg_color color, const char *text)
{
  double(*point)[2] = pc_arena_take(&svg->arena, POINTS, sizeof *point);
  for (int k = 0; k < POINTS && point != NULL; k++) {
    point[k][0] = curve[k].time;
    point[k][1] = curve[k].people.mean;
  }
  pc_svg_add(svg, (pc_svg_item){.kind = PC_SVG_LINE,
                                .color = color,
                                .text = text,
                                .count = point != NULL ? POINTS : 0,
                                .point = point,
                                .width = 2});
}

// One step for each person.
static void add_steps(pc_svg *svg, int count, const double *time, double end, pc_svg_item look)
{
  double(*point)[2] = pc_arena_take(&svg->arena, 2 * (size_t)count + 2, sizeof *point);
  for (int i = 0; i < count && point != NULL; i++) {
    point[2 * i + 1][0] = point[2 * i + 2][0] = time[i];
    point[2 * i + 1][1] = i;
    point[2 * i + 2][1] = i + 1;
  }
  if (point != NULL) {
    point[2 * count + 1][0] = end;
    point[2 * count + 1][1] = count;
  }
  look.kind = PC_SVG_LINE;
  look.count = point != NULL ? 2 * count + 2 : 0;
  look.point = point;
  pc_svg_add(svg, look);
}

static int ascending(const void *a, const void *b)
{
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

// People who have reacted: they may walk.
static void add_reacted(pc_svg *svg, const pc_variant *v, const pc_crowd_totals *totals, double end)
{
  const pc_recorded_crowd *c = &v->crowd;
  double *time = pc_arena_take(&svg->arena, (size_t)c->people + 1, sizeof *time);
  int count = 0;
  for (int i = 0; i < c->people && time != NULL; i++) {
    double from = totals->entered[i] + c->response[i];
    if (from <= end)
      time[count++] = from;
  }
  if (time == NULL)
    return;
  qsort(time, (size_t)count, sizeof *time, ascending);
  add_steps(svg, count, time, end,
            (pc_svg_item){.color = PC_SVG_GREY,
                          .dash = PC_SVG_DASHED,
                          .text = v->runs > 1 ? "have reacted (first run)" : "have reacted"});
}

static pc_status add_variant(pc_svg *svg, const pc_variant *v, double end, bool alone,
                             pc_svg_color color, pc_error *error)
{
  pc_left_by *curve = calloc(POINTS, sizeof *curve);
  if (curve == NULL)
    return out_of_memory(error);
  pc_status status = pc_variant_curve(v, end, POINTS, curve, error);
  if (status == PC_OK && v->runs == 1) {
    add_steps(svg, v->run->all.count, v->run->all.time, end,
              (pc_svg_item){.color = color, .text = alone ? "have left" : v->name, .width = 2});
  } else if (status == PC_OK) {
    if (alone && v->runs >= FEW)
      add_band(svg, curve, false, PC_SVG_GREY, "9 of 10 runs");
    add_band(svg, curve, true, color, alone ? "95 % interval of the mean" : NULL);
    for (int i = 0; i < v->runs && alone && v->runs < FEW; i++)
      add_steps(
          svg, v->run[i].all.count, v->run[i].all.time, end,
          (pc_svg_item){.color = PC_SVG_GREY, .text = i == 0 ? "each run" : NULL, .width = 0.6});
    add_mean(svg, curve, color, alone ? "have left, mean of the runs" : v->name);
  }
  free(curve);
  return status;
}

pc_status pc_report_curves(pc_page *page, int count, const pc_variant *variants,
                           const pc_crowd_totals *totals, pc_error *error)
{
  double end = pc_variants_end(count, variants);
  int people = 1; // gcc 12 for aarch64 fails to compile a maximum of numbers made from integers
  pc_status status = PC_OK;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < variants[k].runs; i++)
      if (variants[k].run[i].people > people)
        people = variants[k].run[i].people;
  if (!(end > 0))
    return PC_OK;
  pc_svg svg = {.title = "",
                .description = "Number of people who have left over time.",
                .x = {"time [s]", 0, end, false},
                .y = {"people", 0, 1.05 * people, false},
                .height = 300};
  for (int k = 0; k < count && k < MOST_CURVES && status == PC_OK; k++)
    status = add_variant(&svg, &variants[k], end, count == 1, pc_svg_class(k), error);
  if (totals != NULL && count == 1)
    add_reacted(&svg, variants, totals, end);
  if (status == PC_OK)
    pc_page_picture(page, &svg, "%s",
                    count > 1 ? "People who have left: means over the runs of each variant, with "
                                "95 % intervals of the means."
                    : variants->runs == 1 ? "People who have left."
                    : variants->runs < FEW
                        ? "People who have left, in each run and in the mean."
                        : "People who have left. The grey band is between the 5th and the 95th "
                          "percentile of the runs.");
  pc_svg_free(&svg);
  return status;
}
