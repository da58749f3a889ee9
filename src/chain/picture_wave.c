// The wave through a chain: the velocity of every ball in time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "percuss/chain_pictures.h"
#include "record/csv.h"
#include "record/svg.h"

enum { SAMPLES = 400, FEW = 7, ROWS = 250, LONG = 20, MOST_BALLS = 20000 };

typedef struct history {
  int balls, count;
  double every;
  double *velocity; // (SAMPLES + 1) x balls
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

// Samples finer than the picture, many for the passage of one ball, to find peaks.
typedef struct recorder {
  history *history;
  int stride, count;        // fine samples in one of the history; so far
  double *last[2];          // velocities of the last fine sample, and of that before
  double *peak, *peak_time; // of balls
} recorder;

// A peak by the parabola through three samples.
static void find_peaks(recorder *r, const double *now)
{
  double every = r->history->every / r->stride;
  for (int i = 0; i < r->history->balls; i++) {
    double before = r->last[1][i], v = r->last[0][i], after = now[i];
    if (v <= r->peak[i] || v < before || v < after)
      continue;
    double bend = before - 2 * v + after, shift = bend < 0 ? (before - after) / (2 * bend) : 0;
    r->peak[i] = v - (before - after) * shift / 4;
    r->peak_time[i] = (r->count - 1 + shift) * every;
  }
}

static bool watch_velocities(const pc_chain_sample *sample, void *context)
{
  recorder *r = context;
  history *h = r->history;
  size_t size = (size_t)h->balls * sizeof(double);
  if (r->count > SAMPLES * r->stride)
    return false;
  if (r->count >= 2)
    find_peaks(r, sample->velocity);
  if (r->count % r->stride == 0)
    memcpy(h->velocity + (size_t)h->balls * h->count++, sample->velocity, size);
  double *oldest = r->last[1];
  r->last[1] = r->last[0];
  r->last[0] = memcpy(oldest, sample->velocity, size);
  r->count++;
  return true;
}

// Unit of time that suits the duration.
static const char *unit_of(double duration, double *factor)
{
  static const char *const units[] = {"s", "ms", "\u00b5s", "ns"};
  int k = 0;
  for (*factor = 1; k < 3 && duration * *factor < 1; k++)
    *factor *= 1000;
  return units[k];
}

static bool equal_balls(const pc_chain *chain)
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

typedef struct speed {
  bool known;
  double measured, expected; // balls a second
  double peak;               // m/s, mean of the middle of the chain
  double time, ball;         // where the line passes
} speed;

// Measured over the middle third, where the wave has its final shape and has not reached the end.
static speed find_speed(const pc_chain *chain, const recorder *r)
{
  speed s = {.known = equal_balls(chain)};
  int from = chain->balls / 3, to = 2 * chain->balls / 3, count = to - from;
  double sum_t = 0, sum_tt = 0, sum_it = 0, sum_i = 0;
  for (int i = from; i < to && s.known; i++) {
    double t = r->peak_time[i];
    s.peak += r->peak[i] / count;
    sum_i += i, sum_t += t, sum_tt += t * t, sum_it += i * t;
  }
  double spread = sum_tt - sum_t * sum_t / count;
  s.known = s.known && s.peak > 0 && spread > 0;
  if (!s.known)
    return s;
  s.measured = (sum_it - sum_i * sum_t / count) / spread;
  s.expected =
      pc_chain_wave_speed(chain->mass[0], chain->contact[chain->wall_left].stiffness, 1, s.peak);
  s.time = sum_t / count, s.ball = sum_i / count + 1;
  s.known = s.measured > 0.5 * s.expected; // a wave, and not what is left of one
  return s;
}

static void draw_lines(pc_svg *svg, const history *h, double factor, pc_arena *arena)
{
  double(*line)[2] = pc_arena_take(arena, (size_t)h->count, sizeof *line);
  for (int i = 0; i < h->balls && line != NULL; i++) {
    char name[24];
    snprintf(name, sizeof name, "ball %d", i + 1);
    for (int k = 0; k < h->count; k++) {
      line[k][0] = k * h->every * factor;
      line[k][1] = h->velocity[(size_t)k * h->balls + i];
    }
    pc_svg_line(svg, h->count, (const double(*)[2])line,
                (pc_svg_style){.color = (pc_svg_color)i,
                               .dash = i % 2 == 0 ? PC_SVG_SOLID : PC_SVG_DASHED,
                               .legend = name});
  }
}

// One row for each ball; if there are many, one row for several, with the largest speed among them.
static void draw_map(pc_svg *svg, const history *h, double factor, const char *title,
                     pc_arena *arena)
{
  int rows = h->balls < ROWS ? h->balls : ROWS;
  double *x = pc_arena_take(arena, (size_t)h->count + 1, sizeof *x);
  double *y = pc_arena_take(arena, (size_t)rows + 1, sizeof *y);
  double *value = pc_arena_take(arena, (size_t)h->count * rows, sizeof *value);
  if (arena->failed)
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
  pc_svg_map(svg, h->count, rows, x, y, value, title);
}

// Drawn beside the wave, to keep it visible.
static void draw_speed(pc_svg *svg, const history *h, const speed *s, double factor)
{
  double end = (h->count - 1) * h->every, ball[2] = {1, h->balls}, line[2][2];
  double middle = s->time + 0.05 * end;
  for (int k = 0; k < 2; k++) {
    double t = fmin(fmax(middle + (ball[k] - s->ball) / s->expected, 0), end);
    line[k][0] = t * factor;
    line[k][1] = s->ball + (t - middle) * s->expected;
  }
  pc_svg_line(
      svg, 2, (const double(*)[2])line,
      (pc_svg_style){.dash = PC_SVG_DASHED, .legend = "Nesterenko's speed, drawn beside the wave"});
}

static void write_note(const speed *s, const double *radius, char *note, size_t size)
{
  double length = radius != NULL ? 2 * radius[0] : 1;
  const char *unit = radius != NULL ? "m/s" : "balls/s";
  *note = 0;
  if (s->known)
    snprintf(note, size,
             "The peak, %.4g m/s high in the middle third, travels at %.5g %s; Nesterenko's "
             "solitary wave of that height at %.5g %s (%+.2f %%).",
             s->peak, s->measured * length, unit, s->expected * length, unit,
             100 * (s->measured / s->expected - 1));
}

static void write_title(const pc_chain *chain, const pc_chain_law *law, char *title, size_t size)
{
  double low = 1, high = 0;
  for (int i = 0; i < pc_chain_contacts(chain); i++) {
    low = fmin(low, chain->contact[i].restitution);
    high = fmax(high, chain->contact[i].restitution);
  }
  int used = snprintf(title, size, "The wave through %d balls, law %s", chain->balls,
                      pc_chain_law_name(law->kind));
  if (low == high)
    snprintf(title + used, size - (size_t)used, ", e = %.4g", low);
}

static pc_svg *draw(const pc_chain *chain, const history *h, const speed *s, const double *radius,
                    const pc_chain_law *law, const char *title, pc_arena *arena)
{
  double factor, end = (h->count - 1) * h->every, low = 0, high = 0;
  char name[160], time[48], note[300];
  const char *unit = unit_of(end, &factor);
  bool few = h->balls <= FEW;
  for (size_t k = 0; k < (size_t)h->count * h->balls; k++)
    low = fmin(low, h->velocity[k]), high = fmax(high, h->velocity[k]);
  double room = 0.06 * (high - low);
  write_title(chain, law, name, sizeof name);
  snprintf(time, sizeof time, "time since the first touch [%s]", unit);
  write_note(s, radius, note, sizeof note);
  pc_svg_frame frame = {.title = title != NULL ? title : name,
                        .note = *note != 0 ? note : NULL,
                        .description = "Velocities of the balls of a chain in time.",
                        .x = {time, 0, end * factor, false},
                        .scale = !few};
  frame.y = few ? (pc_svg_axis){"velocity [m/s]", low - room, high + room, false}
                : (pc_svg_axis){"ball", 0.5, h->balls + 0.5, true};
  pc_svg *svg = pc_svg_create(&frame);
  if (svg == NULL)
    return NULL;
  if (few)
    draw_lines(svg, h, factor, arena);
  else
    draw_map(svg, h, factor, "velocity [m/s]", arena);
  if (s->known)
    draw_speed(svg, h, s, factor);
  return svg;
}

static pc_status write_table(const history *h, const char *path, pc_error *error)
{
  pc_arena arena = {0};
  size_t columns = (size_t)h->balls + 1;
  const char **name = pc_arena_take(&arena, columns, sizeof *name);
  const char **unit = pc_arena_take(&arena, columns, sizeof *unit);
  double *row = pc_arena_take(&arena, columns, sizeof *row);
  char(*text)[24] = pc_arena_take(&arena, columns, sizeof *text);
  pc_csv *table = NULL;
  pc_status status = PC_ERROR_MEMORY;
  if (arena.failed) {
    pc_fail(error, status, "out of memory");
  } else {
    name[0] = "time", unit[0] = "s";
    for (int i = 0; i < h->balls; i++) {
      snprintf(text[i], sizeof *text, "ball_%d", i + 1);
      name[i + 1] = text[i], unit[i + 1] = "m/s";
    }
    table = pc_csv_create(path, (int)columns, name, unit, error);
    status = table != NULL ? PC_OK : error->status;
  }
  for (int k = 0; k < h->count && status == PC_OK; k++) {
    row[0] = k * h->every;
    for (int i = 0; i < h->balls; i++)
      row[i + 1] = h->velocity[(size_t)k * h->balls + i];
    status = pc_csv_append(table, row, error);
  }
  if (table != NULL) {
    pc_error other;
    pc_status closed = pc_csv_close(table, status == PC_OK ? error : &other);
    status = status == PC_OK ? closed : status;
  }
  pc_arena_free(&arena);
  return status;
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
    status = pc_fail(error, PC_ERROR_INPUT, "nothing collides in this chain: there is no wave");
  for (int k = count - 1; status == PC_OK && k > 0 && p.point.at[k].sum >= 0.999 * whole; k--)
    *end = 1.05 * p.point.at[k].time;
  pc_array_free(&p.point);
  return status;
}

static pc_status record(const pc_chain *chain, const pc_chain_law *law, double duration,
                        recorder *r, double *velocity, pc_error *error)
{
  history *h = r->history;
  pc_chain_options options = pc_chain_options_default();
  pc_chain_answer answer = {.velocity = velocity};
  double end = duration;
  pc_status status = duration > 0 ? PC_OK : find_end(chain, law, &end, velocity, error);
  if (status != PC_OK)
    return status;
  h->every = end / SAMPLES;
  r->stride = 1 + 16 * chain->balls / SAMPLES;
  options.duration = duration;
  options.sample_every = h->every / r->stride;
  options.watch = watch_velocities;
  options.context = r;
  status = pc_chain_solve(chain, law, &options, &answer, error);
  if (status != PC_OK)
    return status;
  if (answer.status != PC_SOLVED && h->count <= SAMPLES)
    return pc_fail(error, PC_ERROR_NUMERIC, "the impact was not followed to its end");
  // After the impact the velocities do not change.
  for (; h->count <= SAMPLES; h->count++)
    memcpy(h->velocity + (size_t)h->balls * h->count, velocity, sizeof(double) * (size_t)h->balls);
  return PC_OK;
}

pc_status pc_chain_draw_wave(const pc_chain *chain, const pc_chain_law *law, const double *radius,
                             double duration, const pc_chain_picture *picture, pc_error *error)
{
  pc_error local;
  error = error != NULL ? error : &local;
  if (law->kind != PC_CHAIN_LZB && law->kind != PC_CHAIN_HERTZ)
    return pc_fail(error, PC_ERROR_INPUT,
                   "a wave has time: the laws lzb and hertz have, %s has not",
                   pc_chain_law_name(law->kind));
  if (chain->balls > MOST_BALLS)
    return pc_fail(error, PC_ERROR_INPUT, "waves are drawn for up to %d balls, not %d", MOST_BALLS,
                   chain->balls);
  pc_arena arena = {0};
  size_t balls = (size_t)chain->balls;
  history h = {.balls = chain->balls};
  recorder r = {.history = &h};
  h.velocity = pc_arena_take(&arena, (SAMPLES + 1) * balls, sizeof *h.velocity);
  for (int k = 0; k < 2; k++)
    r.last[k] = pc_arena_take(&arena, balls, sizeof(double));
  r.peak = pc_arena_take(&arena, balls, sizeof *r.peak);
  r.peak_time = pc_arena_take(&arena, balls, sizeof *r.peak_time);
  double *velocity = pc_arena_take(&arena, balls, sizeof *velocity);
  pc_status status = arena.failed ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                                  : record(chain, law, duration, &r, velocity, error);
  if (status == PC_OK && picture->csv != NULL)
    status = write_table(&h, picture->csv, error);
  if (status == PC_OK && picture->svg != NULL) {
    speed s = find_speed(chain, &r);
    pc_svg *svg = draw(chain, &h, &s, radius, law, picture->title, &arena);
    status = svg != NULL ? pc_svg_write(svg, picture->svg, error)
                         : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    pc_svg_destroy(svg);
  }
  pc_arena_free(&arena);
  return status;
}
