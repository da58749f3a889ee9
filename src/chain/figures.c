// The curves of figures 2.2 to 2.5: bounds of the dispersion against masses and energy.
#include "percuss/chain_bounds.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "record/csv.h"

enum { BALLS = 7, COLUMNS = 8 };

static double between(double low, double high, int i, int points)
{
  return low + (high - low) * i / (points - 1);
}

void pc_chain_family_masses(pc_chain_family family, double factor, size_t n, double *mass)
{
  for (size_t i = 0; i < n; i++)
    switch (family) {
    case PC_CHAIN_TAPERED:
      mass[i] = i == 0 ? 1 : mass[i - 1] * (1 - factor);
      break;
    case PC_CHAIN_ANTI_TAPERED:
      mass[i] = i == 0 ? 1 : mass[i - 1] * (1 + factor);
      break;
    case PC_CHAIN_DECORATED:
      mass[i] = i % 2 == 0 ? 1 : factor;
      break;
    }
}

// One line: what was varied, both extremes and how well they are proven.
static pc_status add(pc_csv *table, int given, const double *parameter, size_t n,
                     const double *mass, double ker, pc_error *error)
{
  const double strike[BALLS] = {1};
  double row[COLUMNS];
  pc_chain_bounds b;
  pc_status status = pc_chain_bound(n, mass, strike, ker, NULL, &b, NULL, NULL, error);
  if (status != PC_OK)
    return status;
  memcpy(row, parameter, (size_t)given * sizeof *row);
  row[given] = b.min.found;
  row[given + 1] = b.max.found;
  row[given + 2] = b.min.gap;
  row[given + 3] = b.max.gap;
  return pc_csv_append(table, row, error);
}

static pc_status family_curve(pc_csv *table, pc_chain_family family, double low, double high,
                              int points, pc_error *error)
{
  pc_status status = PC_OK;
  for (int i = 0; i < points && status == PC_OK; i++) {
    double mass[BALLS], factor = between(low, high, i, points);
    pc_chain_family_masses(family, factor, BALLS, mass);
    status = add(table, 1, &factor, BALLS, mass, 1, error);
  }
  return status;
}

static pc_status mass_surface(pc_csv *table, double ker, int points, pc_error *error)
{
  pc_status status = PC_OK;
  for (int i = 0; i < points; i++)
    for (int j = 0; j < points && status == PC_OK; j++) {
      double mass[3] = {1, between(0.1, 5, i, points), between(0.1, 5, j, points)};
      // Light balls cannot take this much of the energy from the striker.
      if (ker >= 1 / (1 + mass[1] + mass[2]))
        status = add(table, 2, mass + 1, 3, mass, ker, error);
    }
  return status;
}

static pc_status energy_curves(pc_csv *table, int points, pc_error *error)
{
  static const double ratio[] = {0.2, 0.5, 1, 2, 3, 5};
  pc_status status = PC_OK;
  for (size_t k = 0; k < sizeof ratio / sizeof *ratio; k++)
    for (int i = 0; i < points && status == PC_OK; i++) {
      double mass[3] = {1, ratio[k], 1}, least = 1 / (2 + ratio[k]);
      double given[2] = {ratio[k], between(least, 1, i, points)};
      status = add(table, 2, given, 3, mass, given[1], error);
    }
  return status;
}

pc_status pc_chain_figure_write(pc_chain_figure figure, int points, const char *path,
                                pc_error *error)
{
  static const char *const names[][2] = {
      [PC_CHAIN_FIGURE_TAPERED] = {"q"},
      [PC_CHAIN_FIGURE_ANTI_TAPERED] = {"q"},
      [PC_CHAIN_FIGURE_DECORATED] = {"alpha"},
      [PC_CHAIN_FIGURE_MASSES_ELASTIC] = {"m2/m1", "m3/m1"},
      [PC_CHAIN_FIGURE_MASSES_DISSIPATIVE] = {"m2/m1", "m3/m1"},
      [PC_CHAIN_FIGURE_ENERGY] = {"m2/m1", "ker"},
  };
  if ((int)figure < 0 || figure > PC_CHAIN_FIGURE_ENERGY)
    return pc_fail(error, PC_ERROR_ARGUMENT, "there is no figure number %d", (int)figure);
  if (points < 2)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a curve has two points or more, not %d", points);
  const char *column[COLUMNS];
  int given = 0;
  for (; given < 2 && names[figure][given] != NULL; given++)
    column[given] = names[figure][given];
  column[given] = "cke_min";
  column[given + 1] = "cke_max";
  column[given + 2] = "gap_min";
  column[given + 3] = "gap_max";
  pc_csv *table = pc_csv_create(path, given + 4, column, NULL, error);
  if (table == NULL)
    return error != NULL ? error->status : PC_ERROR_IO;
  pc_status status = PC_OK;
  switch (figure) {
  case PC_CHAIN_FIGURE_TAPERED:
    status = family_curve(table, PC_CHAIN_TAPERED, 0, 0.7, points, error);
    break;
  case PC_CHAIN_FIGURE_ANTI_TAPERED:
    status = family_curve(table, PC_CHAIN_ANTI_TAPERED, 0, 4, points, error);
    break;
  case PC_CHAIN_FIGURE_DECORATED:
    status = family_curve(table, PC_CHAIN_DECORATED, 0.1, 5, points, error);
    break;
  case PC_CHAIN_FIGURE_MASSES_ELASTIC:
    status = mass_surface(table, 1, points, error);
    break;
  case PC_CHAIN_FIGURE_MASSES_DISSIPATIVE:
    status = mass_surface(table, 0.75, points, error);
    break;
  case PC_CHAIN_FIGURE_ENERGY:
    status = energy_curves(table, points, error);
    break;
  }
  pc_status closed = pc_csv_close(table, status == PC_OK ? error : NULL);
  return status == PC_OK ? closed : status;
}
