#include "run/report_maps.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/plain.h"
#include "run/crowd_doubts.h"
#include "run/report_plan.h"

double pc_recorded_radius(const pc_recorded_crowd *crowd)
{
  double sum = 0;
  for (int i = 0; i < crowd->people; i++)
    sum += crowd->radius[i];
  return crowd->people > 0 ? sum / crowd->people : 0;
}

static const char *of_first(const pc_variant *v)
{
  return v->runs > 1 ? " (first run)" : "";
}

// "on floor NAME", of several.
static const char *on_floor(const pc_recorded_crowd *crowd, int floor, char text[160])
{
  pc_print(text, 160, crowd->floors > 1 ? ", %.120s" : "%.0s", crowd->floor[floor].name);
  return text;
}

// Values of cells in which somebody was; the others stay empty.
static double *copy_values(pc_page *page, const pc_recorded_crowd *crowd, const double *value)
{
  double *copy = malloc(((size_t)crowd->maps.cells + 1) * sizeof *copy);
  if (copy == NULL)
    pc_page_out_of_memory(page);
  for (int c = 0; c < crowd->maps.cells && copy != NULL; c++)
    copy[c] = value[c] > 0 ? value[c] : NAN;
  return copy;
}

static const double level_limits[PC_LEVELS - 1] = {0.3, 0.4, 0.7, 1.1, 2};
static const char *const level_names[PC_LEVELS] = {
    "A below 0.3 people/m\u00b2", "B to 0.4", "C to 0.7", "D to 1.1", "E to 2", "F above 2"};

// Whether a value of a floor is above 0.
static bool has_value(const pc_recorded_crowd *crowd, int floor, const double *value)
{
  for (int c = 0; c < crowd->maps.cells; c++)
    if (crowd->maps.floor[c] == floor && value[c] > 0)
      return true;
  return false;
}

static void draw_level(pc_page *page, const pc_variant *v, int floor, const double *value,
                       const pc_plan_look *look, bool legend, const char *caption)
{
  double *shown = copy_values(page, &v->crowd, value);
  const pc_plan_map map = {.value = shown,
                           .bands = PC_LEVELS,
                           .limit = level_limits,
                           .palette = PC_SVG_COLD_TO_HOT,
                           .band = legend ? level_names : NULL};
  pc_report_plan(page, &v->crowd, floor, look, shown != NULL ? &map : NULL, caption);
  free(shown);
}

static void put_level_times(pc_page *page, const pc_crowd_totals *t)
{
  static const char *const heads[] = {"level of service (Fruin)", "people per m\u00b2",
                                      "person-seconds", "share"};
  static const char *const limits[PC_LEVELS] = {"below 0.3",  "0.3 to 0.4", "0.4 to 0.7",
                                                "0.7 to 1.1", "1.1 to 2",   "above 2"};
  double all = 0;
  for (int k = 0; k < PC_LEVELS; k++)
    all += t->level_time[k];
  pc_page_begin_table(page, PC_COUNT(heads), heads);
  for (int k = 0; k < PC_LEVELS; k++) {
    pc_page_row(page, "%c", 'A' + k);
    pc_page_cell(page, "%s", limits[k]);
    pc_page_number(page, 0, t->level_time[k]);
    pc_page_cell(page, "%.0f %%", all > 0 ? 100 * t->level_time[k] / all : 0);
  }
  pc_page_end_table(page);
}

void pc_report_levels(pc_page *page, const pc_variant *v, const pc_crowd_totals *t)
{
  enum { SMALL = 390 }; // two in a row
  const pc_recorded_crowd *crowd = &v->crowd;
  char title[200], floor_name[160];
  pc_page_part(page, "Levels of service");
  pc_page_text(page,
               "Density around each square of %g m, over the squares within about 1.25 m that "
               "no wall hides, as means over intervals; by Fruin's levels of service for "
               "walkways (1971).",
               crowd->maps.spacing);
  put_level_times(page, t);
  for (int f = 0; f < crowd->floors; f++) {
    pc_page_begin_pictures(page);
    for (int k = 0; k < t->frames; k++) {
      if (!has_value(crowd, f, t->frame[k]))
        continue;
      pc_print(title, sizeof title, "%g s%s", t->frame_time[k], on_floor(crowd, f, floor_name));
      draw_level(page, v, f, t->frame[k], &(pc_plan_look){.width = SMALL, .title = title}, false,
                 "");
    }
    pc_page_end_pictures(page);
    pc_print(title, sizeof title,
             "The worst level of service of any interval%s%s. Above: at the "
             "ends of some intervals. Empty squares: nobody was near.",
             on_floor(crowd, f, floor_name), of_first(v));
    draw_level(page, v, f, t->around_largest, &(pc_plan_look){.title = "", .named = true}, true,
               title);
  }
}

void pc_report_density(pc_page *page, const pc_variant *v, const pc_crowd_totals *t)
{
  static const double limit[] = {0.5, 1, 2, 3, 4, 5, PC_MEASURED_DENSITY};
  static const char *const names[] = {
      "below 0.5 people/m\u00b2",           "to 1", "to 2", "to 3", "to 4", "to 5", "to 7",
      "above 7: the crowd is carried along"};
  const pc_recorded_crowd *crowd = &v->crowd;
  char caption[300], floor_name[160];
  double *shown = copy_values(page, crowd, t->around_largest);
  const pc_plan_map map = {.value = shown,
                           .bands = PC_COUNT(names),
                           .limit = limit,
                           .palette = PC_SVG_HEAT,
                           .band = names};
  pc_page_part(page, "Largest densities");
  for (int f = 0; f < crowd->floors; f++) {
    pc_print(caption, sizeof caption,
             "Largest density around each square in any interval%s%s. "
             "People who walk have at most 5.4 people/m\u00b2 (Weidmann 1993).",
             on_floor(crowd, f, floor_name), of_first(v));
    pc_report_plan(page, crowd, f, &(pc_plan_look){.title = "", .named = true},
                   shown != NULL ? &map : NULL, caption);
  }
  free(shown);
}

// Mean time until those who started near a cell were out.
static bool find_times(const pc_recorded_crowd *crowd, double *mean, double *most)
{
  enum { NEAR = 1 }; // cells
  size_t cells = (size_t)crowd->maps.cells + 1;
  double *sum = calloc(2 * cells, sizeof *sum), *count = sum != NULL ? sum + cells : NULL;
  if (sum == NULL)
    return false;
  for (int i = 0; i < crowd->exits; i++) {
    int person = crowd->exit[i].person;
    int cell = pc_recorded_cell(crowd, crowd->start_floor[person], crowd->start[person]);
    if (cell < 0)
      continue;
    sum[cell] += crowd->exit[i].time;
    count[cell]++;
  }
  for (int c = 0; c < crowd->maps.cells; c++) {
    const pc_recorded_floor *own = &crowd->floor[crowd->maps.floor[c]];
    double all = 0, people = 0;
    for (int dy = -NEAR; dy <= NEAR; dy++)
      for (int dx = -NEAR; dx <= NEAR; dx++) {
        int column = crowd->maps.square[c][0] + dx, row = crowd->maps.square[c][1] + dy;
        bool inside = column >= 0 && row >= 0 && column < own->columns && row < own->rows;
        int other = inside ? own->cell[(size_t)row * (size_t)own->columns + (size_t)column] : -1;
        if (other >= 0)
          all += sum[other], people += count[other];
      }
    mean[c] = people > 0 ? all / people : NAN;
    *most = people > 0 ? fmax(*most, mean[c]) : *most;
  }
  free(sum);
  return true;
}

pc_status pc_report_origins(pc_page *page, const pc_variant *v, pc_error *error)
{
  const pc_recorded_crowd *crowd = &v->crowd;
  double most = 0, limit[PC_SVG_BANDS];
  double *mean = calloc((size_t)crowd->maps.cells + 1, sizeof *mean);
  char text[PC_SVG_BANDS][40], caption[300], floor_name[160];
  const char *name[PC_SVG_BANDS];
  if (mean == NULL || !find_times(crowd, mean, &most)) {
    free(mean);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  int bands = pc_report_bands(most, "s", limit, text, name);
  const pc_plan_map map = {
      .value = mean, .bands = bands, .limit = limit, .palette = PC_SVG_DEPTH, .band = name};
  pc_page_part(page, "Evacuation times by place");
  for (int f = 0; f < crowd->floors; f++) {
    pc_print(caption, sizeof caption,
             "Mean time until the people who started within %g m of a square were out%s%s. People "
             "who are still inside are left out. Empty squares: nobody started near.",
             1.5 * crowd->maps.spacing, on_floor(crowd, f, floor_name), of_first(v));
    pc_report_plan(page, crowd, f, &(pc_plan_look){.title = "", .named = true}, &map, caption);
  }
  free(mean);
  return PC_OK;
}

void pc_report_pressure(pc_page *page, const pc_variant *v, const pc_crowd_totals *t)
{
  static const double loads[] = {50, 150, 300, PC_TOLERABLE_LOAD, PC_DEADLY_LOAD}; // N
  static const char *const names[] = {"load below 50 N", "to 150 N",  "to 300 N",
                                      "to 623 N",        "to 1112 N", "above 1112 N"};
  const pc_recorded_crowd *crowd = &v->crowd;
  double *load = copy_values(page, crowd, t->pressure_largest), radius = pc_recorded_radius(crowd);
  char caption[300], floor_name[160];
  if (load == NULL)
    return;
  for (int c = 0; c < crowd->maps.cells; c++)
    load[c] = pc_pressure_load(load[c], radius);
  const pc_plan_map map = {.value = load,
                           .bands = PC_COUNT(names),
                           .limit = loads,
                           .palette = PC_SVG_HEAT,
                           .band = names};
  pc_page_text(
      page,
      "The pressure P of a square is the sum of the contact impulses there by time and "
      "area. Its load on a person of radius r is 2 P r\u00b2, here with the mean radius of "
      "%.3g m. A load of %d N is tolerable against a flat bar (Evans and Hayden 1971); "
      "%d N kill within minutes (Hopkins et al. 1993).",
      radius, PC_TOLERABLE_LOAD, PC_DEADLY_LOAD);
  if (isfinite(t->pressed.value))
    pc_page_text(page,
                 "The largest pressure is %.0f N/m\u00b2, a load of %.0f N, at (%.4g, %.4g)%s, "
                 "in the interval that ends at %g s.",
                 t->pressed.value, pc_pressure_load(t->pressed.value, radius), t->pressed.place[0],
                 t->pressed.place[1], on_floor(crowd, t->pressed.floor, floor_name),
                 t->pressed.time);
  else
    pc_page_text(page, "Nobody pushed anybody.");
  for (int f = 0; f < crowd->floors; f++) {
    pc_print(caption, sizeof caption,
             "Largest load on a person in any interval%s%s. Empty "
             "squares: no contact.",
             on_floor(crowd, f, floor_name), of_first(v));
    pc_report_plan(page, crowd, f, &(pc_plan_look){.title = "", .named = true}, &map, caption);
  }
  free(load);
}
