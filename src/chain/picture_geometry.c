// The impact geometry of three balls, figure 2.6. Iso-lines of C_KE are traced in the coordinates
// of picture_plane.h, where the admissible outcomes are a rectangle, so that they end on its
// border.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain/measures.h"
#include "chain/picture_plane.h"
#include "core/contours.h"
#include "core/error.h"
#include "percuss/chain_pictures.h"
#include "record/csv.h"
#include "record/replace.h"
#include "record/svg.h"

enum { RINGS = 161, RAYS = 241, MOST_OUTCOMES = 12, LINE = 21 };
#define LEVELS 8 // iso-lines of one kind, about

typedef struct outcome {
  char name[80]; // of one law, or of several that agree
  double gamma[2], velocity[3];
} outcome;

typedef struct drawing {
  pc_plane plane;
  pc_svg *svg;
  pc_replace *table; // NULL: none
  outcome outcomes[MOST_OUTCOMES];
  int count;
  char missing[100]; // laws without an answer, for the note
  double moreau[LINE][2];
} drawing;

static void put_row(const drawing *d, const char *item, const char *name, int line,
                    const double gamma[2], const double v[3])
{
  if (d->table == NULL)
    return;
  pc_replace_print(d->table, "%s,", item);
  pc_replace_text(d->table, name);
  pc_replace_print(d->table, ",%d", line);
  double number[7] = {gamma[0],
                      gamma[1],
                      v[0],
                      v[1],
                      v[2],
                      pc_plane_ker(&d->plane, v),
                      pc_chain_dispersion(3, d->plane.mass, v)};
  for (int k = 0; k < 7; k++) {
    char text[PC_CSV_NUMBER];
    pc_csv_number(number[k], text);
    pc_replace_print(d->table, ",%s", text);
  }
  pc_replace_print(d->table, "\n");
}

static void put_rows(const drawing *d, const char *item, const char *name, int line, int count,
                     const double (*gamma)[2])
{
  for (int k = 0; k < count; k++) {
    double v[3];
    pc_plane_velocities(&d->plane, gamma[k], v);
    put_row(d, item, name, line, gamma[k], v);
  }
}

static bool solve(const pc_chain *chain, const pc_chain_law *law, double speed, outcome *out)
{
  double velocity[3];
  pc_chain_answer answer = {.velocity = velocity};
  pc_chain_options options = pc_chain_options_default();
  if (pc_chain_solve(chain, law, &options, &answer, NULL) != PC_OK || answer.status != PC_SOLVED)
    return false;
  for (int i = 0; i < 3; i++)
    out->velocity[i] = velocity[i] / speed;
  for (int i = 0; i < 2; i++)
    out->gamma[i] = out->velocity[i + 1] - out->velocity[i];
  snprintf(out->name, sizeof out->name, "%s", pc_chain_law_name(law->kind));
  return true;
}

// Outcomes within a hundredth of the picture share a point.
static void add_outcome(drawing *d, const outcome *one)
{
  double wide = d->plane.reach / sqrt(d->plane.inverse[0]);
  double tall = d->plane.reach / sqrt(d->plane.inverse[2]);
  for (int k = 0; k < d->count; k++) {
    outcome *other = &d->outcomes[k];
    if (hypot((one->gamma[0] - other->gamma[0]) / wide, (one->gamma[1] - other->gamma[1]) / tall) >
        0.012)
      continue;
    size_t length = strlen(other->name);
    snprintf(other->name + length, sizeof other->name - length, ", %s", one->name);
    return;
  }
  if (d->count < MOST_OUTCOMES)
    d->outcomes[d->count++] = *one;
}

static void solve_laws(drawing *d, const pc_chain *chain, const pc_chain_law *given)
{
  static const pc_chain_law_kind kinds[] = {PC_CHAIN_NEWTON,  PC_CHAIN_MOREAU,     PC_CHAIN_POISSON,
                                            PC_CHAIN_FREMOND, PC_CHAIN_SEQUENTIAL, PC_CHAIN_LZB,
                                            PC_CHAIN_HERTZ,   PC_CHAIN_MATRIX};
  double k[2];
  // A single contact: P = -k (gamma+ + gamma-)/2 and gamma+ = -e gamma- give k (1 - e) = 2 mu (1 +
  // e).
  for (int i = 0; i < 2; i++) {
    double mu = 1 / (1 / chain->mass[i] + 1 / chain->mass[i + 1]);
    double e = chain->contact[i].restitution;
    k[i] = 2 * mu * (1 + e) / fmax(1 - e, 1e-9);
  }
  for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
    pc_chain_law law = pc_chain_law_default(kinds[n]);
    outcome one;
    law.k = k;
    if (given != NULL && given->kind == kinds[n])
      law = *given;
    else if (kinds[n] == PC_CHAIN_MATRIX)
      continue;
    if (!solve(chain, &law, d->plane.speed, &one)) {
      size_t used = strlen(d->missing);
      snprintf(d->missing + used, sizeof d->missing - used, "%s%s",
               used == 0 ? " No answer by " : ", ", pc_chain_law_name(law.kind));
      continue;
    }
    put_row(d, "law", one.name, 0, one.gamma, one.velocity);
    add_outcome(d, &one);
  }
}

// Moreau's law for one e at both contacts, from 0 to 1.
static bool solve_moreau(drawing *d, const pc_chain *chain)
{
  pc_chain_law law = pc_chain_law_default(PC_CHAIN_MOREAU);
  for (int n = 0; n < LINE; n++) {
    pc_chain_contact contact[2] = {chain->contact[0], chain->contact[1]};
    pc_chain same = *chain;
    outcome one;
    contact[0].restitution = contact[1].restitution = (double)n / (LINE - 1);
    same.contact = contact;
    if (!solve(&same, &law, d->plane.speed, &one))
      return false;
    memcpy(d->moreau[n], one.gamma, sizeof one.gamma);
  }
  put_rows(d, "moreau", "e from 0 to 1", 0, LINE, (const double(*)[2])d->moreau);
  return true;
}

// The part of a convex polygon where velocity `ball` is at least 0, or at most.
static int cut(const pc_plane *p, int count, double (*polygon)[2], int ball, double sign)
{
  double(*kept)[2] = malloc((size_t)(count + 2) * sizeof *kept);
  int left = 0;
  for (int k = 0; k < count && kept != NULL; k++) {
    const double *a = polygon[k], *b = polygon[(k + 1) % count];
    double va[3], vb[3];
    pc_plane_velocities(p, a, va);
    pc_plane_velocities(p, b, vb);
    double sa = sign * va[ball], sb = sign * vb[ball];
    if (sa >= 0)
      memcpy(kept[left++], a, sizeof *kept);
    if ((sa > 0 && sb < 0) || (sa < 0 && sb > 0)) {
      double share = sa / (sa - sb);
      kept[left][0] = a[0] + share * (b[0] - a[0]);
      kept[left++][1] = a[1] + share * (b[1] - a[1]);
    }
  }
  if (kept != NULL)
    memcpy(polygon, kept, (size_t)left * sizeof *kept);
  free(kept);
  return left;
}

static double area_of(int count, const double (*polygon)[2], double middle[2])
{
  double area = 0;
  middle[0] = middle[1] = 0;
  for (int k = 0; k < count; k++) {
    const double *a = polygon[k], *b = polygon[(k + 1) % count];
    double cross = (a[0] * b[1] - a[1] * b[0]) / 2;
    area += cross;
    for (int c = 0; c < 2; c++)
      middle[c] += cross * (a[c] + b[c]) / 3;
  }
  for (int c = 0; c < 2 && area > 0; c++)
    middle[c] /= area;
  return area;
}

// Motion patterns by the number of balls that move against the momentum. Velocities after are
// ordered, so these are the first balls from one end.
static void draw_patterns(const drawing *d)
{
  static const struct {
    const char *name, *legend;
    pc_svg_color color;
    int rebounds;
  } patterns[] = {{"pattern I", "pattern I: one ball rebounds", PC_SVG_SKY, 1},
                  {"pattern II", "II: all go forward", PC_SVG_ORANGE, 0},
                  {"pattern III", "III: two rebound", PC_SVG_PURPLE, 2}};
  const pc_plane *p = &d->plane;
  double sign = p->momentum > 0 ? 1 : -1, polygon[RAYS + 6][2], middle[2];
  int first = p->momentum > 0 ? 0 : 2;
  for (int n = 0; n < 3 && fabs(p->momentum) > 1e-12 * p->total; n++) {
    int count = 0, rebounds = patterns[n].rebounds;
    memset(polygon[count++], 0, sizeof *polygon);
    for (int k = 0; k < RAYS; k++)
      pc_plane_at(p, 1, PC_HALF_PI * k / (RAYS - 1), polygon[count++]);
    double whole = area_of(count, (const double(*)[2])polygon, middle);
    count = cut(p, count, polygon, first, rebounds > 0 ? -sign : sign);
    if (rebounds > 0)
      count = cut(p, count, polygon, 1, rebounds > 1 ? -sign : sign);
    double area = area_of(count, (const double(*)[2])polygon, middle);
    if (count < 3 || area < 1e-4 * whole)
      continue;
    pc_svg_style style = {.color = patterns[n].color, .legend = patterns[n].legend};
    pc_svg_region(d->svg, count, (const double(*)[2])polygon, style);
    if (area > 0.02 * whole)
      pc_svg_text(d->svg, middle[0], middle[1], patterns[n].name,
                  (pc_svg_style){.color = PC_SVG_BLACK});
  }
}

static void draw_energies(const drawing *d)
{
  const pc_plane *p = &d->plane;
  double line[RAYS + 2][2];
  double step = pc_svg_step(1 - p->ker_min, LEVELS);
  bool named = false;
  double first = step * ceil(p->ker_min / step + 0.1);
  // Labels have a limited number of digits: a chain with light balls ahead may lose almost no
  // energy.
  for (int n = 0; step > 1e-4 && first + n * step < 1 - 0.1 * step; n++) {
    double ker = first + n * step;
    char label[16];
    for (int k = 0; k < RAYS; k++)
      pc_plane_at(p, sqrt((ker - p->ker_min) / (1 - p->ker_min)), PC_HALF_PI * k / (RAYS - 1),
                  line[k]);
    snprintf(label, sizeof label, "%.4g", ker);
    pc_svg_isoline(
        d->svg, RAYS, (const double(*)[2])line, label,
        (pc_svg_style){.color = PC_SVG_BLUE, .width = 1, .legend = named ? NULL : "KER"});
    put_rows(d, "ker", label, 0, RAYS, (const double(*)[2])line);
    named = true;
  }
  // The border: KER = 1 between the two lines on which a contact does not separate.
  memset(line[0], 0, sizeof *line);
  for (int k = 0; k < RAYS; k++)
    pc_plane_at(p, 1, PC_HALF_PI * k / (RAYS - 1), line[k + 1]);
  memset(line[RAYS + 1], 0, sizeof *line);
  pc_svg_line(d->svg, RAYS + 2, (const double(*)[2])line,
              (pc_svg_style){.width = 1.8, .legend = "admissible outcomes, up to KER = 1"});
  put_rows(d, "ker", "1", 0, RAYS, (const double(*)[2])(line + 1));
}

// A traced point lies on an edge of the grid, with the level between its ends: halving the edge
// puts it on the level, also where C_KE is not smooth.
static void settle(const pc_plane *p, double level, double point[2])
{
  const double step[2] = {1. / (RINGS - 1), PC_HALF_PI / (RAYS - 1)};
  double at_r = point[0] / step[0];
  int along = fabs(at_r - round(at_r)) < 1e-9 ? 1 : 0; // which coordinate varies
  double low = floor(point[along] / step[along]) * step[along], high = low + step[along];
  double fixed = point[1 - along];
  bool above = pc_plane_cke(p, along ? fixed : low, along ? low : fixed) >= level;
  if ((pc_plane_cke(p, along ? fixed : high, along ? high : fixed) >= level) == above)
    return; // at a node of the grid, and on the level
  for (int k = 0; k < 60; k++) {
    double middle = (low + high) / 2;
    bool same = (pc_plane_cke(p, along ? fixed : middle, along ? middle : fixed) >= level) == above;
    *(same ? &low : &high) = middle;
  }
  point[along] = high;
}

static pc_status draw_dispersions(const drawing *d, pc_error *error)
{
  double low = INFINITY, high = 0, r[RINGS], theta[RAYS],
         *value = malloc(sizeof(double) * RINGS * RAYS);
  if (value == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < RINGS; i++)
    r[i] = (double)i / (RINGS - 1);
  for (int j = 0; j < RAYS; j++) {
    theta[j] = PC_HALF_PI * j / (RAYS - 1);
    for (int i = 0; i < RINGS; i++) {
      double *one = &value[j * RINGS + i];
      *one = pc_plane_cke(&d->plane, r[i], theta[j]);
      if (isfinite(*one)) // where everything stops there is none
        low = fmin(low, *one), high = fmax(high, *one);
    }
  }
  pc_status status = PC_OK;
  bool named = false;
  // C_KE is constant for equal balls without momentum.
  double step = pc_svg_step(fmax(high - low, 1e-6), LEVELS);
  for (int n = (int)ceil(low / step); n * step < high && high - low > 1e-6 && status == PC_OK;
       n++) {
    pc_contours lines;
    char label[16];
    snprintf(label, sizeof label, "%.4g", n * step);
    status = pc_contours_trace(RINGS, RAYS, r, theta, value, n * step, &lines, error);
    for (int k = 0; k < lines.lines && status == PC_OK; k++) {
      int count = lines.start[k + 1] - lines.start[k];
      double(*point)[2] = lines.point + lines.start[k];
      for (int i = 0; i < count; i++) {
        double gamma[2];
        settle(&d->plane, n * step, point[i]);
        pc_plane_at(&d->plane, point[i][0], point[i][1], gamma);
        memcpy(point[i], gamma, sizeof gamma);
      }
      pc_svg_isoline(
          d->svg, count, (const double(*)[2])point, label,
          (pc_svg_style){.color = PC_SVG_GREEN, .width = 1, .legend = named ? NULL : "C_{KE}"});
      put_rows(d, "cke", label, k, count, (const double(*)[2])point);
      named = true;
    }
    if (status == PC_OK)
      pc_contours_free(&lines);
  }
  free(value);
  return status;
}

static void draw_points(const drawing *d)
{
  static const struct {
    const char *name;
    double r, theta;
  } corners[] = {{"O", 0, 0}, {"A", 1, PC_HALF_PI}, {"B", 1, 0}};
  static const double measured[2][3] = {{-0.0605, 0.1049, 0.9978}, {1. / 3, 1. / 3, 1. / 3}};
  for (int n = 0; n < 3; n++) {
    double gamma[2];
    pc_plane_at(&d->plane, corners[n].r, corners[n].theta, gamma);
    pc_svg_point(d->svg, gamma[0], gamma[1], PC_SVG_RING, corners[n].name, (pc_svg_style){0});
    put_rows(d, "corner", corners[n].name, 0, 1, (const double(*)[2]) & gamma);
  }
  for (int n = 0; n < d->count; n++)
    pc_svg_point(d->svg, d->outcomes[n].gamma[0], d->outcomes[n].gamma[1],
                 (pc_svg_marker)(n % PC_SVG_CROSS), d->outcomes[n].name,
                 (pc_svg_style){.color = n % 2 == 0 ? PC_SVG_VERMILION : PC_SVG_PURPLE});
  for (int n = 0; n < 2 && d->plane.equal; n++) {
    const double *v = measured[n], gamma[2] = {v[1] - v[0], v[2] - v[1]};
    char name[20];
    snprintf(name, sizeof name, "experiment %d", n + 1);
    pc_svg_point(d->svg, gamma[0], gamma[1], PC_SVG_CROSS, name, (pc_svg_style){0});
    put_row(d, "experiment", n == 0 ? "1" : "2", 0, gamma, v);
  }
}

static void write_texts(const pc_chain *chain, const drawing *d, char *title, size_t title_size,
                        char *note, size_t note_size)
{
  const pc_plane *p = &d->plane;
  const double *m = chain->mass, *v = chain->velocity;
  double e[2] = {chain->contact[0].restitution, chain->contact[1].restitution};
  snprintf(title, title_size,
           "Impact geometry: masses 1 : %.4g : %.4g, velocities before %.4g, %.4g, %.4g m/s",
           m[1] / m[0], m[2] / m[0], v[0], v[1], v[2]);
  int used = e[0] == e[1] ? snprintf(note, note_size, "Laws with e = %.4g at both contacts.", e[0])
                          : snprintf(note, note_size, "Laws with e = %.4g and %.4g.", e[0], e[1]);
  snprintf(note + used, note_size - (size_t)used,
           " V_{s} is the largest velocity before, KER_{min} = %.4g.%s%s%s", p->ker_min, d->missing,
           *d->missing != 0 ? "." : "",
           p->equal ? " Experiment 1 as printed has momentum 1.042 and KER 1.010, just outside; "
                      "its relative velocities with momentum 1 would have KER 0.982."
                    : "");
}

static pc_svg *open_plot(const drawing *d, const pc_chain *chain, const pc_chain_picture *picture)
{
  double high[2] = {0, 0}, low[2] = {0, 0}, gamma[2];
  char title[200], note[400];
  for (int k = 0; k < RAYS; k++) {
    pc_plane_at(&d->plane, 1, PC_HALF_PI * k / (RAYS - 1), gamma);
    for (int c = 0; c < 2; c++)
      high[c] = fmax(high[c], gamma[c]);
  }
  for (int n = 0; n < d->count; n++)
    for (int c = 0; c < 2; c++) {
      high[c] = fmax(high[c], d->outcomes[n].gamma[c]);
      low[c] = fmin(low[c], d->outcomes[n].gamma[c]);
    }
  write_texts(chain, d, title, sizeof title, note, sizeof note);
  double wide = high[0] - low[0], tall = high[1] - low[1], ratio = tall / wide;
  pc_svg_frame frame = {
      .title = picture->title != NULL ? picture->title : title,
      .note = note,
      .description = "Outcomes of an impact of three balls in the plane of relative velocities.",
      .x = {"\u03b3_{1}^{+} / V_{s}", low[0] - 0.06 * wide, high[0] + 0.12 * wide, false},
      .y = {"\u03b3_{2}^{+} / V_{s}", low[1] - 0.06 * tall, high[1] + 0.08 * tall, false},
      .equal = ratio > 0.45 && ratio < 1.3,
      .height = 480};
  return pc_svg_create(&frame);
}

pc_status pc_chain_draw_geometry(const pc_chain *chain, const pc_chain_law *law,
                                 const pc_chain_picture *picture, pc_error *error)
{
  pc_error local;
  error = error != NULL ? error : &local;
  drawing *d = calloc(1, sizeof *d);
  if (d == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = pc_plane_make(chain, &d->plane, error);
  if (status == PC_OK && picture->csv != NULL) {
    d->table = pc_replace_begin(picture->csv, error);
    status = d->table != NULL ? PC_OK : error->status;
  }
  if (status == PC_OK) {
    if (d->table != NULL)
      pc_replace_print(d->table, "item,name,line,gamma_1/V_s,gamma_2/V_s,v_1/V_s,v_2/V_s,v_3/V_s,"
                                 "ker,cke\n");
    solve_laws(d, chain, law);
    bool moreau = solve_moreau(d, chain);
    d->svg = open_plot(d, chain, picture);
    if (d->svg == NULL)
      status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    if (status == PC_OK) {
      draw_patterns(d);
      draw_energies(d);
      status = draw_dispersions(d, error);
      if (moreau)
        pc_svg_line(d->svg, LINE, (const double(*)[2])d->moreau,
                    (pc_svg_style){.color = PC_SVG_VERMILION,
                                   .dash = PC_SVG_DASHED,
                                   .width = 3,
                                   .legend = "Moreau's line, e from 0 to 1"});
      draw_points(d);
    }
  }
  if (status == PC_OK && picture->svg != NULL)
    status = pc_svg_write(d->svg, picture->svg, error);
  if (d->table != NULL) {
    pc_status ended = pc_replace_end(d->table, status == PC_OK ? error : &local);
    status = status == PC_OK ? ended : status;
  }
  pc_svg_destroy(d->svg);
  free(d);
  return status;
}
