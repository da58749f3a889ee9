// The least and the largest dispersion against masses or energy, figures 2.2 to 2.5.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chain/measures.h"
#include "chain/picture.h"
#include "core/error.h"

enum { MOST_CURVES = 8, MOST_POINTS = 100000, MOST_BALLS = 64 };

static const struct {
  const char *column, *symbol,
      *axis;              // in the table, the legend and the plot; of a mass by its ball
  double least, most;     // that are possible
  const char *range;      // says so
  double from, to;        // of a picture, by default
  pc_chain_family family; // of a rule for all masses
} quantities[] = {
    [PC_CHAIN_BY_KER] = {.column = "ker",
                         .symbol = "KER",
                         .axis = "KER",
                         .most = 1,
                         .range = "KER must be from 0 to 1",
                         .to = 1},
    [PC_CHAIN_BY_TAPER] = {.column = "taper",
                           .symbol = "q",
                           .axis = "taper q: each mass is 1 \u2212 q times the one before",
                           .most = 1 - DBL_EPSILON / 2,
                           .range = "the taper q must be at least 0 and less than 1",
                           .to = 0.7,
                           .family = PC_CHAIN_TAPERED},
    [PC_CHAIN_BY_ANTI_TAPER] = {.column = "anti-taper",
                                .symbol = "q",
                                .axis = "anti-taper q: each mass is 1 + q times the one before",
                                .most = 1e6,
                                .range = "the anti-taper q must be from 0 to 1e6",
                                .to = 4,
                                .family = PC_CHAIN_ANTI_TAPERED},
    [PC_CHAIN_BY_DECORATION] = {.column = "decorated",
                                .symbol = "\u03b1",
                                .axis = "decoration \u03b1: every second mass is \u03b1 times the "
                                        "first",
                                .least = DBL_MIN,
                                .most = 1e6,
                                .range = "the decoration must be positive and at most 1e6",
                                .from = 0.1,
                                .to = 5,
                                .family = PC_CHAIN_DECORATED},
    [PC_CHAIN_BY_MASS] = {.least = DBL_MIN,
                          .most = 1e6,
                          .range = "the mass ratio of the ball must be positive and at most 1e6, "
                                   "and the ball must not be the first",
                          .from = 0.1,
                          .to = 5},
};

static bool is_quantity(pc_chain_quantity quantity)
{
  return (unsigned)quantity <= PC_CHAIN_BY_MASS;
}

pc_chain_sweep pc_chain_sweep_default(const pc_chain *chain, pc_chain_quantity against)
{
  if (chain == NULL || chain->balls < 1 || !is_quantity(against))
    return (pc_chain_sweep){0};
  return (pc_chain_sweep){.against = against,
                          .ball = chain->balls - 1,
                          .from = quantities[against].from,
                          .to = quantities[against].to,
                          .points = 141};
}

// Whether the quantity sets the masses of all balls.
static bool is_rule(pc_chain_quantity quantity)
{
  return quantity != PC_CHAIN_BY_KER && quantity != PC_CHAIN_BY_MASS;
}

static bool is_possible(pc_chain_quantity quantity, int ball, double value, int balls)
{
  return value >= quantities[quantity].least && value <= quantities[quantity].most &&
         (quantity != PC_CHAIN_BY_MASS || (ball > 0 && ball < balls));
}

static pc_status check(const pc_chain *chain, const pc_chain_sweep *sweep, pc_error *error)
{
  int n = chain->balls;
  if (!is_quantity(sweep->against) || !is_quantity(sweep->each))
    return pc_fail(error, PC_ERROR_ARGUMENT, "unknown quantity for the horizontal axis");
  if (chain->wall_left || chain->wall_right)
    return pc_fail(error, PC_ERROR_INPUT, "bounds can only be computed for chains without walls");
  if (n < 2)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a chain needs at least two balls (got %d)", n);
  if (n > MOST_BALLS)
    return pc_fail(error, PC_ERROR_INPUT, "bounds can be drawn for up to %d balls (got %d)",
                   MOST_BALLS, n);
  if (!is_possible(sweep->against, sweep->ball, sweep->from, n) ||
      !is_possible(sweep->against, sweep->ball, sweep->to, n))
    return pc_fail(error, PC_ERROR_ARGUMENT, "%s", quantities[sweep->against].range);
  if (!(sweep->from < sweep->to))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the axis must run from a smaller to a larger value");
  if (sweep->points < 2 || sweep->points > MOST_POINTS)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a curve needs 2 to %d points", MOST_POINTS);
  if (sweep->count < 0 || sweep->count > MOST_CURVES)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a picture can have at most %d pairs of curves",
                   MOST_CURVES);
  if (sweep->count > 0 && sweep->value == NULL)
    return pc_fail_null(error, "the values of the curves");
  bool same = sweep->each == sweep->against &&
              (sweep->each != PC_CHAIN_BY_MASS || sweep->each_ball == sweep->ball);
  if (sweep->count > 0 && (same || (is_rule(sweep->against) && is_rule(sweep->each))))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "what varies between curves must differ from what varies along them");
  for (int k = 0; k < sweep->count; k++)
    if (!is_possible(sweep->each, sweep->each_ball, sweep->value[k], n))
      return pc_fail(error, PC_ERROR_ARGUMENT, "%s", quantities[sweep->each].range);
  return pc_chain_check((size_t)n, chain->mass, chain->velocity, error);
}

// A chain of the picture.
typedef struct point {
  double mass[MOST_BALLS], ker, ker_min;
} point;

static void set(point *p, int balls, pc_chain_quantity quantity, int ball, double value)
{
  double first = p->mass[0];
  if (quantity == PC_CHAIN_BY_KER) {
    p->ker = value;
  } else if (quantity == PC_CHAIN_BY_MASS) {
    p->mass[ball] = value * first;
  } else {
    pc_chain_family_masses(quantities[quantity].family, value, (size_t)balls, p->mass);
    for (int i = 0; i < balls; i++)
      p->mass[i] *= first;
  }
}

static point make_point(const pc_chain *chain, const pc_chain_sweep *sweep, double along, int k)
{
  point p = {.ker = 1};
  for (int i = 0; i < chain->balls; i++)
    p.mass[i] = chain->mass[i];
  // A rule for all masses is applied before the mass of one ball.
  bool first = sweep->count > 0 && sweep->each != PC_CHAIN_BY_MASS;
  if (first)
    set(&p, chain->balls, sweep->each, sweep->each_ball, sweep->value[k]);
  set(&p, chain->balls, sweep->against, sweep->ball, along);
  if (sweep->count > 0 && !first)
    set(&p, chain->balls, sweep->each, sweep->each_ball, sweep->value[k]);
  pc_chain_measures m = {.ker_min = NAN};
  pc_chain_measure((size_t)chain->balls, p.mass, chain->velocity, chain->velocity, NULL, 1e-9, &m,
                   NULL);
  p.ker_min = m.ker_min;
  return p;
}

// The bounds of curve k. C_KE is NAN where there is no outcome.
static pc_status trace(const pc_chain *chain, const pc_chain_sweep *sweep, int k,
                       pc_picture *picture, double (*low)[2], double (*high)[2], pc_error *error)
{
  bool energy = sweep->against == PC_CHAIN_BY_KER;
  double from = sweep->from;
  if (energy) // each curve begins where it can
    from = fmax(from, make_point(chain, sweep, sweep->to, k).ker_min);
  for (int n = 0; n < sweep->points; n++) {
    double share = (double)n / (sweep->points - 1);
    // Velocities change like the root of the energy: curves over it start steeply.
    double along = from + (sweep->to - from) * (energy ? share * share : share);
    pc_chain_bounds bounds = {.min.found = NAN, .max.found = NAN};
    point p = make_point(chain, sweep, along, k);
    if (!(p.ker < p.ker_min * (1 - 1e-12))) { // where it is no number, the error says why
      pc_status status = pc_chain_bound((size_t)chain->balls, p.mass, chain->velocity, p.ker, NULL,
                                        &bounds, NULL, NULL, error);
      if (status != PC_OK)
        return status;
      const double row[] = {along,
                            sweep->count > 0 ? sweep->value[k] : along,
                            bounds.min.found,
                            bounds.max.found,
                            bounds.min.gap,
                            bounds.max.gap};
      int left_out = sweep->count == 0; // one of the first two
      pc_picture_row(picture, "", 6 - left_out, row + left_out);
    }
    low[n][0] = high[n][0] = along;
    low[n][1] = bounds.min.found;
    high[n][1] = bounds.max.found;
  }
  return PC_OK;
}

// The name of a quantity in the table.
static const char *name_column(pc_chain_quantity quantity, int ball, char text[24])
{
  if (quantity != PC_CHAIN_BY_MASS)
    return quantities[quantity].column;
  snprintf(text, 24, "m_%d/m_1", ball + 1);
  return text;
}

// Every outcome lies between the curves.
static void draw_between(pc_svg *plot, int points, double (*low)[2], double (*high)[2])
{
  pc_svg_item item = {PC_SVG_REGION, PC_SVG_SKY,
                      .point = pc_arena_take(&plot->arena, 2 * (size_t)points, sizeof *item.point)};
  for (int n = 0; n < 2 * points && item.point != NULL; n++) {
    const double *from = n < points ? high[n] : low[2 * points - 1 - n];
    if (isfinite(from[1]))
      memcpy(item.point[item.count++], from, sizeof *item.point);
  }
  pc_svg_add(plot, item);
}

// Draws the curves; the axis begins where the first of them does.
static pc_status draw_curves(const pc_chain *chain, const pc_chain_sweep *sweep,
                             pc_picture *picture, pc_error *error)
{
  static const pc_svg_color colors[MOST_CURVES] = {PC_SVG_BLUE,   PC_SVG_VERMILION, PC_SVG_GREEN,
                                                   PC_SVG_PURPLE, PC_SVG_ORANGE,    PC_SVG_SKY,
                                                   PC_SVG_BLACK,  PC_SVG_GREY};
  pc_svg *plot = &picture->plot;
  int points = sweep->points;
  plot->x.from = sweep->to;
  for (int k = 0; k == 0 || k < sweep->count; k++) {
    double(*low)[2] = pc_arena_take(&plot->arena, (size_t)points, sizeof *low);
    double(*high)[2] = pc_arena_take(&plot->arena, (size_t)points, sizeof *high);
    if (plot->arena.failed)
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    pc_status status = trace(chain, sweep, k, picture, low, high, error);
    if (status != PC_OK)
      return status;
    plot->x.from = fmin(plot->x.from, low[0][0]);
    char name[24];
    const char *symbol = sweep->each == PC_CHAIN_BY_MASS
                             ? name_column(sweep->each, sweep->each_ball, name)
                             : quantities[sweep->each].symbol;
    const char *legend =
        sweep->count > 0 ? pc_svg_print(plot, "%s = %.4g", symbol, sweep->value[k]) : NULL;
    if (sweep->count == 0)
      draw_between(plot, points, low, high);
    pc_svg_add(plot, (pc_svg_item){PC_SVG_LINE, colors[k], legend, .count = points, .point = high});
    pc_svg_add(plot, (pc_svg_item){PC_SVG_LINE, colors[k], .count = points, .point = low,
                                   .dash = PC_SVG_DASHED});
  }
  return PC_OK;
}

// The quantities that are fixed, and the meaning of the curves.
static void set_texts_and_axes(const pc_chain *chain, const pc_chain_sweep *sweep, pc_svg *plot)
{
  pc_chain_quantity each = sweep->count > 0 ? sweep->each : sweep->against;
  const char *masses = "";
  if (!is_rule(sweep->against) && !is_rule(each) && chain->balls <= 8) {
    for (int i = 0; i < chain->balls; i++)
      masses = pc_svg_print(plot, "%s%s%.4g", masses, i == 0 ? "Masses " : " : ",
                            chain->mass[i] / chain->mass[0]);
    masses = pc_svg_print(plot, "%s unless varied. ", masses);
  }
  plot->title = pc_svg_print(plot, "Bounds of the dispersion C_{KE}: %d balls", chain->balls);
  plot->note = pc_svg_print(
      plot,
      "%s%sEvery outcome that conserves momentum, has this energy and separates the balls lies "
      "between the curves: global bounds; the table has the proven gap of each.",
      sweep->against == PC_CHAIN_BY_KER || each == PC_CHAIN_BY_KER ? "" : "KER = 1. ", masses);
  plot->description = "Smallest and largest dispersion of energy.";
  plot->x.title =
      sweep->against == PC_CHAIN_BY_MASS
          ? pc_svg_print(plot, "mass of ball %d over that of the first", sweep->ball + 1)
          : quantities[sweep->against].axis;
  plot->x.to = sweep->to;
  double top = sqrt(chain->balls - 1), (*line)[2] = pc_arena_take(&plot->arena, 2, sizeof *line);
  plot->y = (pc_svg_axis){"C_{KE}", 0, 1.08 * top, false};
  plot->height = 384;
  if (line == NULL)
    return;
  line[0][0] = plot->x.from, line[1][0] = plot->x.to, line[0][1] = line[1][1] = top;
  pc_svg_add(plot, (pc_svg_item){PC_SVG_LINE, .text = "largest"});
  pc_svg_add(plot, (pc_svg_item){PC_SVG_LINE, .text = "least", .dash = PC_SVG_DASHED});
  pc_svg_add(plot,
             (pc_svg_item){PC_SVG_LINE, PC_SVG_GREY,
                           pc_svg_print(plot, "all energy in one ball, \u221a%d", chain->balls - 1),
                           .count = 2, .point = line, .dash = PC_SVG_DOTTED});
}

pc_status pc_chain_draw_bounds(const pc_chain *chain, const pc_chain_sweep *sweep,
                               const pc_chain_picture *files, pc_error *error)
{
  if (chain == NULL || sweep == NULL || files == NULL)
    return pc_fail_null(error, "the chain, the sweep and the picture");
  pc_error local;
  error = error != NULL ? error : &local;
  pc_picture picture;
  char head[100], name[2][24];
  pc_status status = check(chain, sweep, error);
  if (status == PC_OK)
    status = pc_picture_begin(&picture, files, error);
  if (status != PC_OK)
    return status;
  snprintf(head, sizeof head, "%s%s%s,cke_min,cke_max,gap_min,gap_max",
           name_column(sweep->against, sweep->ball, name[0]), sweep->count > 0 ? "," : "",
           sweep->count > 0 ? name_column(sweep->each, sweep->each_ball, name[1]) : "");
  pc_picture_row(&picture, head, 0, NULL);
  status = draw_curves(chain, sweep, &picture, error);
  set_texts_and_axes(chain, sweep, &picture.plot);
  return pc_picture_end(&picture, status, error);
}
