// The wave through a chain: the velocity of every ball in time.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chain/picture.h"
#include "core/error.h"
#include "record/csv.h"

enum { SAMPLES = 400, FEW = 7, ROWS = 250, LONG = 20, MOST_BALLS = 20000 };

// Velocities at even times, and peaks from samples finer than those: many for the passage of one
// ball.
typedef struct history {
  int balls, count;
  double every;
  double *velocity;         // (SAMPLES + 1) x balls
  int stride, fine;         // fine samples in one of `velocity`; so far
  double *last[2];          // velocities of the last fine sample, and of that before
  double *peak, *peak_time; // of balls
} history;

typedef struct progress_point {
  double time, sum; // of percussions
} progress_point;

// The sum of percussions over time, which tells when a wave is over.
typedef struct progress {
  int contacts;
  PC_ARRAY(progress_point) point;
  bool failed;
} progress;

static bool watch_progress(const pc_chain_sample *sample, void *context)
{
  progress *p = context;
  progress_point *now = pc_array_add(&p->point);
  p->failed = now == NULL;
  if (p->failed)
    return false;
  now->time = sample->time;
  for (int i = 0; i < p->contacts; i++)
    now->sum += sample->percussion[i];
  return true;
}

// A peak by the parabola through three samples.
static void find_peaks(history *h, const double *now)
{
  double every = h->every / h->stride;
  for (int i = 0; i < h->balls; i++) {
    double before = h->last[1][i], v = h->last[0][i], after = now[i];
    if (v <= h->peak[i] || v < before || v < after)
      continue;
    double bend = before - 2 * v + after, shift = bend < 0 ? (before - after) / (2 * bend) : 0;
    h->peak[i] = v - (before - after) * shift / 4;
    h->peak_time[i] = (h->fine - 1 + shift) * every;
  }
}

static bool watch_velocities(const pc_chain_sample *sample, void *context)
{
  history *h = context;
  size_t size = (size_t)h->balls * sizeof(double);
  if (h->fine > SAMPLES * h->stride)
    return false;
  if (h->fine >= 2)
    find_peaks(h, sample->velocity);
  if (h->fine % h->stride == 0)
    memcpy(h->velocity + (size_t)h->balls * h->count++, sample->velocity, size);
  double *oldest = h->last[1];
  h->last[1] = h->last[0];
  h->last[0] = memcpy(oldest, sample->velocity, size);
  h->fine++;
  return true;
}

// Duration of the picture: until 99.9 % of all percussions have passed, and 5 % more.
static pc_status find_end(const pc_chain *chain, const pc_chain_law *law, double *end,
                          double *velocity, pc_error *error)
{
  pc_chain_options options = pc_chain_options_default();
  pc_chain_answer answer = {.velocity = velocity};
  progress p = {.contacts = pc_chain_contacts(chain)};
  options.watch = watch_progress;
  options.context = &p;
  pc_status status = pc_chain_solve(chain, law, &options, &answer, error);
  if (status == PC_OK && p.failed)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  int count = p.point.count;
  double whole = count > 0 ? p.point.at[count - 1].sum : 0;
  if (status == PC_OK && (count < 2 || !(whole > 0)))
    status = pc_fail(error, PC_ERROR_INPUT, "no balls collide in this chain, so there is no wave");
  for (int k = count - 1; status == PC_OK && k > 0 && p.point.at[k].sum >= 0.999 * whole; k--)
    *end = 1.05 * p.point.at[k].time;
  pc_array_free(&p.point);
  return status;
}

static pc_status record(const pc_chain *chain, const pc_chain_law *law, double duration, history *h,
                        pc_arena *arena, pc_error *error)
{
  size_t balls = (size_t)chain->balls;
  h->balls = chain->balls;
  h->velocity = pc_arena_take(arena, (SAMPLES + 1) * balls, sizeof *h->velocity);
  for (int k = 0; k < 2; k++)
    h->last[k] = pc_arena_take(arena, balls, sizeof *h->last[k]);
  h->peak = pc_arena_take(arena, balls, sizeof *h->peak);
  h->peak_time = pc_arena_take(arena, balls, sizeof *h->peak_time);
  double *after = pc_arena_take(arena, balls, sizeof *after), end = duration;
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = duration > 0 ? PC_OK : find_end(chain, law, &end, after, error);
  if (status != PC_OK)
    return status;
  h->every = end / SAMPLES;
  h->stride = 1 + 16 * chain->balls / SAMPLES;
  pc_chain_options options = pc_chain_options_default();
  pc_chain_answer answer = {.velocity = after};
  options.duration = duration;
  options.sample_every = h->every / h->stride;
  options.watch = watch_velocities;
  options.context = h;
  status = pc_chain_solve(chain, law, &options, &answer, error);
  if (status != PC_OK)
    return status;
  if (answer.status != PC_SOLVED && h->count <= SAMPLES)
    return pc_fail(error, PC_ERROR_NUMERIC, "the impact was not computed to its end");
  // After the impact the velocities do not change.
  for (; h->count <= SAMPLES; h->count++)
    memcpy(h->velocity + balls * (size_t)h->count, after, balls * sizeof *after);
  return PC_OK;
}

static bool has_equal_balls(const pc_chain *chain)
{
  bool equal = chain->balls >= LONG && chain->exponent == 1.5 && chain->press == 0;
  int first = chain->wall_left;
  for (int i = 1; i < chain->balls && equal; i++) {
    const pc_chain_contact *a = &chain->contact[first], *b = &chain->contact[first + i - 1];
    equal = fabs(chain->mass[i] / chain->mass[0] - 1) < 1e-9 && b->gap == 0 &&
            fabs(b->stiffness / a->stiffness - 1) < 1e-9;
  }
  return equal;
}

// Compares the speed of the peak with that of Nesterenko's wave. It is measured over the middle
// third, where the wave has its final shape and has not reached the end. The line of the expected
// speed is drawn beside the wave, to keep the wave visible.
static void draw_speed(const pc_chain *chain, const history *h, const double *radius, double factor,
                       pc_svg *plot)
{
  int from = chain->balls / 3, to = 2 * chain->balls / 3, count = to - from;
  double peak = 0, sum_t = 0, sum_tt = 0, sum_it = 0, sum_i = 0;
  if (!has_equal_balls(chain))
    return;
  for (int i = from; i < to; i++) {
    double t = h->peak_time[i];
    peak += h->peak[i] / count;
    sum_i += i, sum_t += t, sum_tt += t * t, sum_it += i * t;
  }
  double spread = sum_tt - sum_t * sum_t / count;
  if (!(peak > 0) || !(spread > 0))
    return;
  double measured = (sum_it - sum_i * sum_t / count) / spread; // balls a second
  double expected =
      pc_chain_wave_speed(chain->mass[0], chain->contact[chain->wall_left].stiffness, 1, peak);
  double(*line)[2] = pc_arena_take(&plot->arena, 2, sizeof *line);
  if (!(measured > 0.5 * expected) || line == NULL) // what is left of a wave
    return;
  double end = (h->count - 1) * h->every, middle = sum_t / count + 0.05 * end;
  for (int k = 0; k < 2; k++) {
    double ball = sum_i / count + 1, last = k == 0 ? 1 : h->balls;
    double t = fmin(fmax(middle + (last - ball) / expected, 0), end);
    line[k][0] = t * factor;
    line[k][1] = ball + (t - middle) * expected;
  }
  pc_svg_add(plot, (pc_svg_item){PC_SVG_LINE, .text = "Nesterenko's speed, drawn beside the wave",
                                 .count = 2, .point = line, .dash = PC_SVG_DASHED});
  double length = radius != NULL ? 2 * radius[0] : 1;
  const char *unit = radius != NULL ? "m/s" : "balls/s";
  plot->note = pc_svg_print(
      plot,
      "The peak, %.4g m/s high in the middle third, travels at %.5g %s; Nesterenko's solitary wave "
      "of that height at %.5g %s (%+.2f %%).",
      peak, measured * length, unit, expected * length, unit, 100 * (measured / expected - 1));
}

static void draw_lines(const history *h, double factor, pc_svg *plot)
{
  double low = 0, high = 0;
  for (size_t k = 0; k < (size_t)h->count * h->balls; k++)
    low = fmin(low, h->velocity[k]), high = fmax(high, h->velocity[k]);
  for (int i = 0; i < h->balls; i++) {
    pc_svg_item item = {PC_SVG_LINE, (pc_svg_color)i, pc_svg_print(plot, "ball %d", i + 1),
                        .dash = i % 2 == 0 ? PC_SVG_SOLID : PC_SVG_DASHED};
    item.point = pc_arena_take(&plot->arena, (size_t)h->count, sizeof *item.point);
    for (; item.count < h->count && item.point != NULL; item.count++) {
      item.point[item.count][0] = item.count * h->every * factor;
      item.point[item.count][1] = h->velocity[(size_t)item.count * h->balls + i];
    }
    pc_svg_add(plot, item);
  }
  double room = 0.06 * (high - low);
  plot->y = (pc_svg_axis){"velocity [m/s]", low - room, high + room, false};
}

// One row for each ball; if there are many, one row for several, with the largest speed among them.
static void draw_map(const history *h, double factor, pc_svg *plot)
{
  int rows = h->balls < ROWS ? h->balls : ROWS;
  double *x = pc_arena_take(&plot->arena, (size_t)h->count + 1, sizeof *x);
  double *y = pc_arena_take(&plot->arena, (size_t)rows + 1, sizeof *y);
  double *value = pc_arena_take(&plot->arena, (size_t)h->count * rows, sizeof *value);
  plot->y = (pc_svg_axis){"ball", 0.5, h->balls + 0.5, true};
  if (plot->arena.failed)
    return;
  for (int k = 0; k <= h->count; k++)
    x[k] = fmin(fmax(k - 0.5, 0), h->count - 1) * h->every * factor;
  for (int j = 0; j <= rows; j++)
    y[j] = 0.5 + (double)(int)((long)j * h->balls / rows);
  for (int k = 0; k < h->count; k++)
    for (int i = 0; i < h->balls; i++) {
      double v = h->velocity[(size_t)k * h->balls + i];
      double *cell = value + (size_t)(((long)(i + 1) * rows - 1) / h->balls) * h->count + k;
      if (fabs(v) > fabs(*cell))
        *cell = v;
    }
  plot->map = (pc_svg_map){
      .nx = h->count, .ny = rows, .x = x, .y = y, .value = value, .title = "velocity [m/s]"};
}

static void draw(const pc_chain *chain, const pc_chain_law *law, const history *h,
                 const double *radius, pc_svg *plot)
{
  static const char *const units[] = {"s", "ms", "\u00b5s", "ns"};
  double end = (h->count - 1) * h->every, factor = 1, e = chain->contact[0].restitution;
  bool one_e = true;
  int unit = 0;
  for (; unit < 3 && end * factor < 1; unit++)
    factor *= 1000;
  for (int i = 1; i < pc_chain_contacts(chain); i++)
    one_e = one_e && chain->contact[i].restitution == e;
  plot->title =
      pc_svg_print(plot, "The wave through %d balls, law %s%s", chain->balls,
                   pc_chain_law_name(law->kind), one_e ? pc_svg_print(plot, ", e = %.4g", e) : "");
  plot->description = "Velocities of the balls of a chain in time.";
  plot->x = (pc_svg_axis){pc_svg_print(plot, "time since the first touch [%s]", units[unit]), 0,
                          end * factor, false};
  plot->height = 384;
  if (h->balls <= FEW)
    draw_lines(h, factor, plot);
  else
    draw_map(h, factor, plot);
  draw_speed(chain, h, radius, factor, plot);
}

static void put_table(const history *h, const pc_picture *picture)
{
  if (picture->table == NULL)
    return;
  pc_replace_print(picture->table, "time");
  for (int i = 0; i < h->balls; i++)
    pc_replace_print(picture->table, ",ball_%d", i + 1);
  pc_picture_row(picture, "", 0, NULL);
  for (int k = 0; k < h->count; k++) {
    char time[PC_CSV_NUMBER];
    pc_csv_number(k * h->every, time);
    pc_picture_row(picture, time, h->balls, h->velocity + (size_t)k * h->balls);
  }
}

pc_status pc_chain_draw_wave(const pc_chain *chain, const pc_chain_law *law, const double *radius,
                             double duration, const pc_chain_picture *files, pc_error *error)
{
  if (chain == NULL || law == NULL || files == NULL)
    return pc_fail_null(error, "the chain, the law and the picture");
  pc_error local;
  error = error != NULL ? error : &local;
  if (law->kind != PC_CHAIN_LZB && law->kind != PC_CHAIN_HERTZ)
    return pc_fail(error, PC_ERROR_INPUT,
                   "the wave picture needs a law with time, lzb or hertz (got %s)",
                   pc_chain_law_name(law->kind));
  if (chain->balls > MOST_BALLS)
    return pc_fail(error, PC_ERROR_INPUT, "waves can be drawn for up to %d balls (got %d)",
                   MOST_BALLS, chain->balls);
  pc_picture picture;
  history h = {0};
  pc_status status = pc_picture_begin(&picture, files, error);
  if (status != PC_OK)
    return status;
  status = record(chain, law, duration, &h, &picture.plot.arena, error);
  if (status == PC_OK) {
    put_table(&h, &picture);
    draw(chain, law, &h, radius, &picture.plot);
  }
  return pc_picture_end(&picture, status, error);
}
