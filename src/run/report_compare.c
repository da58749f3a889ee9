#include "run/report_compare.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "run/report_times.h"

static double evacuation_of(const pc_variant_run *run, int which)
{
  return run->evacuation;
}

static double share_of(const pc_variant_run *run, int percent)
{
  return pc_run_time_of_share(run, percent / 100.);
}

static double inside_of(const pc_variant_run *run, int which)
{
  return run->inside;
}

static double density_of(const pc_variant_run *run, int which)
{
  return run->density;
}

static double pressure_of(const pc_variant_run *run, int which)
{
  return run->pressure;
}

static double load_of(const pc_variant_run *run, int which)
{
  return run->load;
}

static bool are_paired(const pc_variant *a, const pc_variant *b)
{
  if (!a->seeded || !b->seeded || a->runs != b->runs)
    return false;
  for (int i = 0; i < a->runs; i++)
    if (a->run[i].seed != b->run[i].seed)
      return false;
  return true;
}

// Of independent samples, by Welch and Satterthwaite.
static pc_status welch(const pc_variant *a, const pc_variant *b, pc_variant_value *value, int which,
                       pc_difference *d, pc_error *error)
{
  pc_statistics one, two;
  pc_status status = pc_variant_statistics(a, value, which, &one, error);
  if (status == PC_OK)
    status = pc_variant_statistics(b, value, which, &two, error);
  if (status != PC_OK)
    return status;
  double s1 = one.deviation * one.deviation / one.count;
  double s2 = two.deviation * two.deviation / two.count, half = NAN;
  d->mean = two.mean - one.mean;
  if (one.count > 1 && two.count > 1) {
    double freedom =
        (s1 + s2) * (s1 + s2) / (s1 * s1 / (one.count - 1) + s2 * s2 / (two.count - 1));
    int n = (int)fmax(2, floor(isfinite(freedom) ? freedom : 1) + 1);
    half = pc_interval_95(n, sqrt((s1 + s2) * n));
  }
  d->low = d->mean - half;
  d->high = d->mean + half;
  return PC_OK;
}

pc_status pc_variants_differ(const pc_variant *a, const pc_variant *b, pc_variant_value *value,
                             int which, pc_difference *d, pc_error *error)
{
  *d = (pc_difference){.paired = are_paired(a, b)};
  if (!d->paired)
    return welch(a, b, value, which, d, error);
  double *list = calloc((size_t)a->runs + 1, sizeof *list);
  if (list == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < a->runs; i++) {
    double change = value(&b->run[i], which) - value(&a->run[i], which);
    list[i] = isfinite(change) ? change : NAN;
  }
  pc_statistics s = pc_statistics_of(a->runs, list);
  free(list);
  d->pairs = s.count;
  d->mean = s.mean;
  d->low = s.mean - s.interval; // of one pair: not bounded
  d->high = s.mean + s.interval;
  return PC_OK;
}

// What is compared.
static const struct measure {
  const char *name;
  pc_variant_value *value;
  int which, digits;
} measures[] = {{"evacuation time [s]", evacuation_of, 0, 1},
                {"half of the people out [s]", share_of, 50, 1},
                {"95 % of the people out [s]", share_of, 95, 1},
                {"people inside at the end", inside_of, 0, 1},
                {"largest density [people/m\u00b2]", density_of, 0, 2},
                {"largest load on a person [N]", load_of, 0, 0},
                {"largest pressure [N/m\u00b2]", pressure_of, 0, 0}};

// A rounded number, without a sign if it is 0.
static double tidy(double value, int digits)
{
  double scale = digits == 0 ? 1 : digits == 1 ? 10 : 100;
  return round(value * scale) / scale + 0.0;
}

static pc_status put_difference(pc_page *page, const pc_variant *a, const pc_variant *b,
                                const struct measure *m, pc_error *error)
{
  pc_difference d;
  pc_status status = pc_variants_differ(a, b, m->value, m->which, &d, error);
  if (status != PC_OK)
    return status;
  if (isfinite(d.mean) && isfinite(d.low) && isfinite(d.high))
    pc_page_cell(page, "%+.*f (%+.*f to %+.*f)", m->digits, tidy(d.mean, m->digits), m->digits,
                 tidy(d.low, m->digits), m->digits, tidy(d.high, m->digits));
  else if (isfinite(d.mean))
    pc_page_cell(page, "%+.*f", m->digits, tidy(d.mean, m->digits));
  else
    pc_page_cell(page, "\u2013");
  return PC_OK;
}

static pc_status put_measure(pc_page *page, int count, const pc_variant *variants,
                             const struct measure *m, pc_error *error)
{
  pc_status status = PC_OK;
  pc_page_row(page, "%s", m->name);
  for (int k = 0; k < count && status == PC_OK; k++) {
    pc_statistics s;
    status = pc_variant_statistics(&variants[k], m->value, m->which, &s, error);
    if (status == PC_OK && s.count > 1)
      pc_page_cell(page, "%.*f \u00b1 %.*f", m->digits, s.mean, m->digits, s.interval);
    else if (status == PC_OK)
      pc_page_number(page, m->digits, s.mean);
    if (status == PC_OK && k > 0)
      status = put_difference(page, &variants[0], &variants[k], m, error);
  }
  return status;
}

pc_status pc_report_compare(pc_page *page, int count, const pc_variant *variants, pc_error *error)
{
  enum { MOST = 40 };
  const char *heads[2 * MOST];
  int shown = count < MOST ? count : MOST, columns = 0;
  bool paired = true, several = false;
  pc_status status = PC_OK;
  heads[columns++] = "";
  for (int k = 0; k < shown; k++) {
    heads[columns++] = variants[k].name;
    if (k > 0)
      heads[columns++] = "difference";
    paired = paired && are_paired(&variants[0], &variants[k]);
    several = several || variants[k].runs > 1;
  }
  pc_page_section(page, "Comparison");
  pc_page_begin_table(page, columns, heads);
  pc_page_row(page, "runs");
  for (int k = 0; k < shown; k++) {
    pc_page_cell(page, "%d", variants[k].runs);
    if (k > 0)
      pc_page_cell(page, " ");
  }
  for (int m = 0; m < PC_COUNT(measures) && status == PC_OK; m++)
    status = put_measure(page, shown, variants, &measures[m], error);
  pc_page_end_table(page);
  pc_page_small(page, "Differences are relative to %s. %s%s", variants[0].name,
                !several ? "They are those of single runs: other random numbers give others. "
                : paired ? "All variants were run with the same seeds: differences are means over "
                           "pairs of runs with one seed, with their 95 % intervals (Student). "
                         : "The variants were run with different seeds: differences are those of "
                           "the means, with their 95 % intervals (Welch). ",
                "Runs in which somebody stays inside are left out of evacuation times.");
  return status == PC_OK ? pc_report_curves(page, shown, variants, NULL, error) : status;
}
