// The least and the largest dispersion against masses or energy, figures 2.2 to 2.5.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "chain/measures.h"
#include "core/error.h"
#include "core/memory.h"
#include "percuss/chain_pictures.h"
#include "record/csv.h"
#include "record/svg.h"

enum { COLUMNS = 6, MOST_CURVES = 8, MOST_POINTS = 100000, MOST_BALLS = 64 };

// One curve: its bounds at all points.
typedef struct curve {
  double least;                 // KER_min, where KER is what changes
  double (*low)[2], (*high)[2]; // C_KE, NAN where there is no outcome
} curve;

pc_chain_sweep pc_chain_sweep_default(const pc_chain *chain, pc_chain_quantity against)
{
  static const double range[][2] = {[PC_CHAIN_BY_KER] = {0, 1},
                                    [PC_CHAIN_BY_TAPER] = {0, 0.7},
                                    [PC_CHAIN_BY_ANTI_TAPER] = {0, 4},
                                    [PC_CHAIN_BY_DECORATION] = {0.1, 5},
                                    [PC_CHAIN_BY_MASS] = {0.1, 5}};
  return (pc_chain_sweep){.against = against,
                          .ball = chain->balls - 1,
                          .from = range[against][0],
                          .to = range[against][1],
                          .points = 141};
}

static const char *name_of(pc_chain_quantity quantity, int ball, bool short_one, char text[80])
{
  static const char *const names[] = {
      [PC_CHAIN_BY_KER] = "KER",
      [PC_CHAIN_BY_TAPER] = "taper q, m_{i} = (1 \u2212 q) m_{i\u22121}",
      [PC_CHAIN_BY_ANTI_TAPER] = "anti-taper q, m_{i} = (1 + q) m_{i\u22121}",
      [PC_CHAIN_BY_DECORATION] = "decoration \u03b1, m_{2} = m_{4} = \u2026 = \u03b1 m_{1}"};
  static const char *const shorter[] = {"KER", "q", "q", "\u03b1"};
  if (quantity == PC_CHAIN_BY_MASS)
    snprintf(text, 80, "m_{%d} / m_{1}", ball + 1);
  else
    snprintf(text, 80, "%s", short_one ? shorter[quantity] : names[quantity]);
  return text;
}

// Sets one quantity of a chain.
static void set(pc_chain_quantity quantity, int ball, double value, int balls, double *mass,
                double *ker)
{
  double first = mass[0];
  if (quantity == PC_CHAIN_BY_KER) {
    *ker = value;
  } else if (quantity == PC_CHAIN_BY_MASS) {
    mass[ball] = value * first;
  } else {
    pc_chain_family family = quantity == PC_CHAIN_BY_TAPER        ? PC_CHAIN_TAPERED
                             : quantity == PC_CHAIN_BY_ANTI_TAPER ? PC_CHAIN_ANTI_TAPERED
                                                                  : PC_CHAIN_DECORATED;
    pc_chain_family_masses(family, value, (size_t)balls, mass);
    for (int i = 0; i < balls; i++)
      mass[i] *= first;
  }
}

static bool is_in_range(pc_chain_quantity quantity, int ball, double value, int balls)
{
  switch (quantity) {
  case PC_CHAIN_BY_KER:
    return value >= 0 && value <= 1;
  case PC_CHAIN_BY_TAPER:
    return value >= 0 && value < 1;
  case PC_CHAIN_BY_ANTI_TAPER:
    return value >= 0 && value < 1e6;
  case PC_CHAIN_BY_DECORATION:
    return value > 0 && value < 1e6;
  default:
    return value > 0 && value < 1e6 && ball > 0 && ball < balls;
  }
}

// Whether the quantity sets the masses of all balls.
static bool is_rule(pc_chain_quantity quantity)
{
  return quantity != PC_CHAIN_BY_KER && quantity != PC_CHAIN_BY_MASS;
}

static pc_status check(const pc_chain *chain, const pc_chain_sweep *sweep, pc_error *error)
{
  static const char *const ranges[] = {
      [PC_CHAIN_BY_KER] = "KER is from 0 to 1",
      [PC_CHAIN_BY_TAPER] = "the taper q is from 0 to below 1",
      [PC_CHAIN_BY_ANTI_TAPER] = "the anti-taper q is from 0 to a million",
      [PC_CHAIN_BY_DECORATION] = "the decoration is above 0, up to a million",
      [PC_CHAIN_BY_MASS] =
          "the mass of a ball after the first, over it, is above 0, up to a million"};
  int n = chain->balls;
  if (chain->wall_left || chain->wall_right)
    return pc_fail(error, PC_ERROR_INPUT, "bounds are for chains without walls");
  if (n > MOST_BALLS)
    return pc_fail(error, PC_ERROR_INPUT, "bounds are drawn for up to %d balls, not %d", MOST_BALLS,
                   n);
  if (!is_in_range(sweep->against, sweep->ball, sweep->from, n) ||
      !is_in_range(sweep->against, sweep->ball, sweep->to, n))
    return pc_fail(error, PC_ERROR_ARGUMENT, "%s", ranges[sweep->against]);
  if (!(sweep->from < sweep->to))
    return pc_fail(error, PC_ERROR_ARGUMENT, "a picture of bounds goes from less to more");
  if (sweep->points < 2 || sweep->points > MOST_POINTS)
    return pc_fail(error, PC_ERROR_ARGUMENT, "curves have 2 to %d points", MOST_POINTS);
  if (sweep->count < 0 || sweep->count > MOST_CURVES)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a picture has up to %d pairs of curves", MOST_CURVES);
  bool same = sweep->each == sweep->against &&
              (sweep->each != PC_CHAIN_BY_MASS || sweep->each_ball == sweep->ball);
  if (sweep->count > 0 && (same || (is_rule(sweep->against) && is_rule(sweep->each))))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "what changes from curve to curve must leave alone what changes along them");
  for (int k = 0; k < sweep->count; k++)
    if (!is_in_range(sweep->each, sweep->each_ball, sweep->value[k], n))
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s", ranges[sweep->each]);
  return PC_OK;
}

// KER_min of these masses.
static double least_energy(const pc_chain *chain, const double *mass)
{
  pc_chain_measures m = {.ker_min = NAN};
  pc_chain_measure((size_t)chain->balls, mass, chain->velocity, chain->velocity, NULL, 1e-9, &m,
                   NULL);
  return m.ker_min;
}

static void masses(const pc_chain *chain, const pc_chain_sweep *sweep, double along, int k,
                   double *mass, double *ker)
{
  for (int i = 0; i < chain->balls; i++)
    mass[i] = chain->mass[i];
  *ker = 1;
  // A rule for all masses is applied before the mass of one ball.
  bool first = sweep->count > 0 && sweep->each != PC_CHAIN_BY_MASS;
  if (first)
    set(sweep->each, sweep->each_ball, sweep->value[k], chain->balls, mass, ker);
  set(sweep->against, sweep->ball, along, chain->balls, mass, ker);
  if (sweep->count > 0 && !first)
    set(sweep->each, sweep->each_ball, sweep->value[k], chain->balls, mass, ker);
}

static pc_status trace(const pc_chain *chain, const pc_chain_sweep *sweep, int k, curve *c,
                       pc_csv *table, pc_error *error)
{
  double mass[MOST_BALLS], ker, from = sweep->from;
  masses(chain, sweep, sweep->to, k, mass, &ker);
  c->least = least_energy(chain, mass);
  bool energy = sweep->against == PC_CHAIN_BY_KER;
  if (energy) // each curve begins where it can
    from = fmax(from, c->least);
  for (int n = 0; n < sweep->points; n++) {
    double share = (double)n / (sweep->points - 1);
    // Velocities change like the root of the energy: curves over it start steeply.
    double along = from + (sweep->to - from) * (energy ? share * share : share);
    pc_chain_bounds bounds;
    c->low[n][0] = c->high[n][0] = along;
    c->low[n][1] = c->high[n][1] = NAN;
    masses(chain, sweep, along, k, mass, &ker);
    if (ker < least_energy(chain, mass) * (1 - 1e-12))
      continue;
    pc_status status = pc_chain_bound((size_t)chain->balls, mass, chain->velocity, ker, NULL,
                                      &bounds, NULL, NULL, error);
    if (status != PC_OK)
      return status;
    c->low[n][1] = bounds.min.found;
    c->high[n][1] = bounds.max.found;
    double row[COLUMNS] = {along};
    int columns = 1;
    if (sweep->count > 0)
      row[columns++] = sweep->value[k];
    row[columns++] = bounds.min.found;
    row[columns++] = bounds.max.found;
    row[columns++] = bounds.min.gap;
    row[columns] = bounds.max.gap;
    if (table != NULL && (status = pc_csv_append(table, row, error)) != PC_OK)
      return status;
  }
  return PC_OK;
}

static pc_csv *open_table(const pc_chain_sweep *sweep, const char *path, pc_error *error)
{
  static const char *const keys[] = {"ker", "taper", "anti-taper", "decorated"};
  static const char *const results[] = {"cke_min", "cke_max", "gap_min", "gap_max"};
  const char *column[COLUMNS];
  char name[2][24];
  int count = 0;
  for (; count < 1 + (sweep->count > 0); count++) {
    pc_chain_quantity quantity = count == 0 ? sweep->against : sweep->each;
    if (quantity == PC_CHAIN_BY_MASS)
      snprintf(name[count], sizeof *name, "m_%d/m_1",
               1 + (count == 0 ? sweep->ball : sweep->each_ball));
    else
      snprintf(name[count], sizeof *name, "%s", keys[quantity]);
    column[count] = name[count];
  }
  for (int k = 0; k < 4; k++)
    column[count++] = results[k];
  return pc_csv_create(path, count, column, NULL, error);
}

static void draw_curve(pc_svg *svg, const pc_chain_sweep *sweep, int k, const curve *c)
{
  static const pc_svg_color colors[MOST_CURVES] = {PC_SVG_BLUE,   PC_SVG_VERMILION, PC_SVG_GREEN,
                                                   PC_SVG_PURPLE, PC_SVG_ORANGE,    PC_SVG_SKY,
                                                   PC_SVG_BLACK,  PC_SVG_GREY};
  char name[80], legend[120] = "largest";
  if (sweep->count > 0)
    snprintf(legend, sizeof legend, "%s = %.4g", name_of(sweep->each, sweep->each_ball, true, name),
             sweep->value[k]);
  pc_svg_style style = {.color = colors[k], .legend = legend};
  pc_svg_line(svg, sweep->points, (const double(*)[2])c->high, style);
  style.dash = PC_SVG_DASHED;
  style.legend = sweep->count > 0 ? NULL : "least";
  pc_svg_line(svg, sweep->points, (const double(*)[2])c->low, style);
}

// Every outcome lies between the curves.
static void draw_between(pc_svg *svg, const pc_chain_sweep *sweep, const curve *c, pc_arena *arena)
{
  double(*ring)[2] = pc_arena_take(arena, 2 * (size_t)sweep->points, sizeof *ring);
  int count = 0;
  for (int n = 0; n < sweep->points && ring != NULL; n++)
    if (isfinite(c->high[n][1]))
      ring[count][0] = c->high[n][0], ring[count++][1] = c->high[n][1];
  for (int n = sweep->points - 1; n >= 0 && ring != NULL; n--)
    if (isfinite(c->low[n][1]))
      ring[count][0] = c->low[n][0], ring[count++][1] = c->low[n][1];
  pc_svg_region(svg, count, (const double(*)[2])ring, (pc_svg_style){.color = PC_SVG_SKY});
}

// The quantities that are fixed, and the meaning of the curves.
static void write_note(const pc_chain *chain, const pc_chain_sweep *sweep, char *note, size_t size)
{
  bool several = sweep->count > 0;
  bool ker = sweep->against == PC_CHAIN_BY_KER || (several && sweep->each == PC_CHAIN_BY_KER);
  bool rule = is_rule(sweep->against) || (several && is_rule(sweep->each));
  int used = snprintf(note, size, "%s", ker ? "" : "KER = 1. ");
  for (int i = 0; i < chain->balls && !rule && chain->balls <= 8; i++)
    used += snprintf(note + used, size - (size_t)used, "%s%.4g%s", i == 0 ? "Masses " : " : ",
                     chain->mass[i] / chain->mass[0],
                     i + 1 < chain->balls ? "" : " where not varied. ");
  snprintf(note + used, size - (size_t)used,
           "No outcome that keeps momentum, has this energy and separates lies outside: global "
           "bounds, each with its proven gap in the table.");
}

static pc_svg *draw(const pc_chain *chain, const pc_chain_sweep *sweep,
                    const pc_chain_picture *picture, const curve *curves, int count,
                    pc_arena *arena)
{
  double top = sqrt(chain->balls - 1), from = sweep->from;
  char title[120], axis[80], note[400];
  if (sweep->against == PC_CHAIN_BY_KER)
    for (int k = 0; k < count; k++)
      from = k == 0 || curves[k].least < from ? fmax(curves[k].least, sweep->from) : from;
  snprintf(title, sizeof title, "Bounds of the dispersion C_{KE}: %d balls", chain->balls);
  write_note(chain, sweep, note, sizeof note);
  pc_svg_frame frame = {
      .title = picture->title != NULL ? picture->title : title,
      .note = note,
      .description = "The least and the largest dispersion of energy.",
      .x = {name_of(sweep->against, sweep->ball, false, axis), from, sweep->to, false},
      .y = {"C_{KE}", 0, 1.08 * top, false}};
  pc_svg *svg = pc_svg_create(&frame);
  if (svg == NULL)
    return NULL;
  if (count == 1)
    draw_between(svg, sweep, &curves[0], arena);
  const double zero[][2] = {{from, top}, {sweep->to, top}};
  char name[60];
  snprintf(name, sizeof name, "one ball has all energy, \u221a%d", chain->balls - 1);
  for (int k = 0; k < count; k++)
    draw_curve(svg, sweep, k, &curves[k]);
  if (sweep->count > 0) {
    pc_svg_line(svg, 0, NULL, (pc_svg_style){.legend = "largest"});
    pc_svg_line(svg, 0, NULL, (pc_svg_style){.dash = PC_SVG_DASHED, .legend = "least"});
  }
  pc_svg_line(svg, 2, zero,
              (pc_svg_style){.color = PC_SVG_GREY, .dash = PC_SVG_DOTTED, .legend = name});
  return svg;
}

pc_status pc_chain_draw_bounds(const pc_chain *chain, const pc_chain_sweep *sweep,
                               const pc_chain_picture *picture, pc_error *error)
{
  pc_error local;
  error = error != NULL ? error : &local;
  pc_arena arena = {0};
  curve curves[MOST_CURVES];
  int count = sweep->count > 0 ? sweep->count : 1;
  pc_status status = check(chain, sweep, error);
  if (status == PC_OK)
    status = pc_chain_check((size_t)chain->balls, chain->mass, chain->velocity, error);
  if (status != PC_OK)
    return status;
  pc_csv *table = picture->csv != NULL ? open_table(sweep, picture->csv, error) : NULL;
  if (picture->csv != NULL && table == NULL)
    return error->status;
  for (int k = 0; k < count && status == PC_OK; k++) {
    size_t points = (size_t)sweep->points;
    curves[k].low = pc_arena_take(&arena, points, sizeof *curves[k].low);
    curves[k].high = pc_arena_take(&arena, points, sizeof *curves[k].high);
    status = arena.failed ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                          : trace(chain, sweep, k, &curves[k], table, error);
  }
  if (status == PC_OK && picture->svg != NULL) {
    pc_svg *svg = draw(chain, sweep, picture, curves, count, &arena);
    status = svg != NULL ? pc_svg_write(svg, picture->svg, error)
                         : pc_fail(error, PC_ERROR_ARGUMENT, "there is nothing to draw");
    pc_svg_destroy(svg);
  }
  pc_status closed = table != NULL ? pc_csv_close(table, status == PC_OK ? error : &local) : PC_OK;
  pc_arena_free(&arena);
  return status == PC_OK ? closed : status;
}
