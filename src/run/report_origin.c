// What every report says: the inputs and how to repeat the runs, and the check of the computation.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "percuss/balance.h"
#include "run/report.h"

static void put_row(pc_page *page, const char *what, const char *text)
{
  if (text == NULL || *text == 0)
    return;
  pc_page_row(page, "%s", what);
  pc_page_cell(page, "%s", text);
}

static void put_origin(pc_page *page, const pc_report_origin *o)
{
  pc_page_begin_table(page, 0, NULL);
  put_row(page, "results", o->name);
  put_row(page, "scene file", o->file);
  put_row(page, "title", o->title);
  put_row(page, "hash of the inputs", o->hash);
  put_row(page, "program", o->program);
  pc_page_row(page, "runs");
  if (o->failed > 0)
    pc_page_cell(page, "%d, and %d that did not finish", o->runs, o->failed);
  else
    pc_page_cell(page, "%d", o->runs);
  if (o->seeded) {
    pc_page_row(page, "%s", o->runs > 1 ? "seeds of random numbers" : "seed of random numbers");
    if (o->first_seed != o->last_seed)
      pc_page_cell(page, "%llu to %llu", o->first_seed, o->last_seed);
    else
      pc_page_cell(page, "%llu", o->first_seed);
  }
  pc_page_end_table(page);
}

static void put_text(pc_page *page, const pc_report_origin *o)
{
  if (o->changes != NULL) {
    pc_page_small(page, "Values of this run that differ from the file:");
    pc_page_lines(page, o->changes);
  }
  if (o->text != NULL)
    pc_page_lines(page, o->text);
  if (o->base != NULL) {
    pc_page_small(page, "It is based on:");
    pc_page_lines(page, o->base);
  }
}

void pc_report_inputs(pc_page *page, int count, const pc_report_origin *origins)
{
  pc_page_section(page, "Inputs and how to repeat");
  for (int i = 0; i < count; i++)
    put_origin(page, &origins[i]);
  pc_page_text(page,
               "The hash is FNV-1a of the scene file, of the files it is based on and of those it "
               "reads (plans, tables). The same program with the same inputs and seeds gives the "
               "same numbers, bit by bit, on any number of threads: run the scene below with "
               "\u201cpercuss run SCENE.yaml\u201d, then make this page with \u201cpercuss report "
               "RUN.h5 -o REPORT.html\u201d, or RUN-runs.csv for several runs.");
  for (int i = 0; i < count; i++) {
    bool again = i > 0 && origins[i].text != NULL && origins[i - 1].text != NULL &&
                 strcmp(origins[i].text, origins[i - 1].text) == 0;
    if (again || origins[i].text == NULL)
      continue;
    pc_page_part(page, count > 1 && origins[i].file != NULL ? origins[i].file : "The scene");
    put_text(page, &origins[i]);
  }
}

// The last rows of a series of steps, or all; the caller frees them. NULL: there is none.
static double *read_steps(pc_reading *reading, const char *name, long steps, pc_status *status,
                          pc_error *error)
{
  if (*status != PC_OK || steps < 1 || !pc_reading_has(reading, name))
    return NULL;
  double *list = calloc((size_t)steps, sizeof *list);
  if (list == NULL)
    *status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  else
    *status = pc_reading_rows(reading, name, 0, steps, PC_RECORD_DOUBLE, list, error);
  return list;
}

static double largest(const double *list, long steps)
{
  double most = 0;
  for (long k = 0; k < steps && list != NULL; k++)
    most = fmax(most, list[k]);
  return most;
}

static long count_equal(const double *list, long steps, double value)
{
  long count = 0;
  for (long k = 0; k < steps && list != NULL; k++)
    count += list[k] == value;
  return count;
}

pc_status pc_report_read_check(pc_reading *reading, pc_report_check *check, pc_error *error)
{
  pc_status status = PC_OK;
  long steps = pc_reading_frames(reading, "steps");
  *check = (pc_report_check){.steps = steps > 0 ? steps : 0, .drift = NAN, .end = NAN};
  double *solved = read_steps(reading, "steps/status", steps, &status, error);
  double *closed = read_steps(reading, "steps/closed", steps, &status, error);
  double *wrong = read_steps(reading, "steps/contact_error", steps, &status, error);
  double *accepted = read_steps(reading, "steps/accuracy", steps, &status, error);
  double *drift = read_steps(reading, "steps/drift", steps, &status, error);
  double *time = read_steps(reading, "steps/time", steps, &status, error);
  if (status == PC_OK) {
    check->inaccurate = solved != NULL ? steps - count_equal(solved, steps, 0) : 0;
    check->open = closed != NULL ? count_equal(closed, steps, 0) : 0;
    check->contact_error = largest(wrong, steps);
    check->accuracy = largest(accepted, steps);
    check->drift = drift != NULL ? drift[steps - 1] : NAN;
    check->end = time != NULL ? time[steps - 1] : NAN;
  }
  if (status == PC_OK && pc_reading_has(reading, "scene/step"))
    status = pc_reading_rows(reading, "scene/step", 0, 1, PC_RECORD_DOUBLE, &check->step, error);
  free(solved);
  free(closed);
  free(wrong);
  free(accepted);
  free(drift);
  free(time);
  return status;
}

// The last number of a series, with its description and unit.
static pc_status put_last(pc_page *page, pc_reading *reading, const char *name, const char *what,
                          long steps, pc_error *error)
{
  double value = 0;
  if (!pc_reading_has(reading, name))
    return PC_OK;
  pc_status status = pc_reading_rows(reading, name, steps - 1, 1, PC_RECORD_DOUBLE, &value, error);
  if (status != PC_OK || value == 0)
    return status;
  pc_page_row(page, "%s", what);
  pc_page_cell(page, "%.6g", value);
  return PC_OK;
}

pc_status pc_report_balance(pc_page *page, pc_reading *reading, const pc_report_check *check,
                            const char *note, pc_error *error)
{
  static const char *const heads[] = {"energy", "J"};
#define ENERGY(field, text) {"steps/" #field, text},
  static const struct {
    const char *name, *what;
  } energies[] = {PC_BALANCE_ENERGIES(ENERGY)};
#undef ENERGY
  pc_status status = PC_OK;
  pc_page_section(page, "Check of the computation");
  pc_page_text(page,
               "%s%ld time steps of %g s. The energy balance closes to round-off in %s; over the "
               "whole run it is off by %.1e of the energy that was exchanged.",
               note, check->steps, check->step,
               check->open == 0 ? "every step" : "all but the steps that the warnings count",
               isfinite(check->drift) ? check->drift : 0);
  if (check->accuracy > 0)
    pc_page_text(page,
                 "Contact conditions are met to %.2g mm at the end of every step; %.2g mm are "
                 "accepted.",
                 1e3 * check->contact_error, 1e3 * check->accuracy);
  if (check->steps < 1)
    return PC_OK;
  pc_page_begin_table(page, PC_COUNT(heads), heads);
  for (int i = 0; i < PC_COUNT(energies) && status == PC_OK; i++)
    status = put_last(page, reading, energies[i].name, energies[i].what, check->steps, error);
  for (int i = 0; i < PC_BALANCE_COUNT && status == PC_OK; i++) {
    char name[80];
    if (pc_balance[i].total == NULL || pc_balance[i].run_sign == 0) // a part of another
      continue;
    snprintf(name, sizeof name, "steps/%s", pc_balance[i].total);
    status = put_last(page, reading, name, pc_balance[i].description, check->steps, error);
  }
  pc_page_end_table(page);
  pc_page_small(page,
                "Energies at the end, and changes of energy since the start; those that are 0 "
                "are left out.");
  return status;
}
