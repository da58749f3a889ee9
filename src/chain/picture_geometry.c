// The impact geometry of three balls, figure 2.6: outcomes in the plane of relative velocities.
//
// With the Delassus matrix G = W^T M^-1 W the energy of relative motion is gamma^T G^-1 gamma / 2,
// so the outcomes with one KER lie on an ellipse, and the admissible ones in the quarter of it
// where both contacts separate. In the coordinates
//
//     gamma = r R d(theta),   0 <= r <= 1,   0 <= theta <= pi/2,   d^T G^-1 d = 1
//
// with R^2 = gamma-^T G^-1 gamma-, that quarter is a rectangle and KER = KER_min + (1 - KER_min)
// r^2. Iso-lines of C_KE are traced in that rectangle, so that they end on its border.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chain/isolines.h"
#include "chain/measures.h"
#include "chain/picture.h"
#include "core/elementary.h"
#include "core/error.h"

enum { RINGS = 161, RAYS = 241, LINE = 21 };
#define LEVELS 8 // iso-lines of one kind, about
#define HALF_PI 1.57079632679489661923

typedef struct plane {
  const double *mass;
  double total;            // mass
  double speed;            // V_s, the largest velocity before
  double momentum;         // over V_s
  double inverse[3];       // G^-1: 11, 12, 22
  double reach;            // R
  double ker_min, kinetic; // 2 T- over V_s^2
  bool equal;              // balls alike and the first strikes: the experiments apply
  double corner[2];        // where the admissible outcomes end on the axes
} plane;

typedef struct drawing {
  plane plane;
  pc_picture picture;
  double border[RAYS + 2][2]; // of the admissible outcomes: from O along KER = 1 and back to O
  const char *missing;        // laws without an answer, for the note
} drawing;

// gamma / V_s of the coordinates.
static void locate(const plane *p, double r, double theta, double gamma[2])
{
  double x = pc_cos(theta) / sqrt(p->inverse[0]), y = pc_sin(theta) / sqrt(p->inverse[2]);
  if (theta == HALF_PI)
    x = 0;
  double norm = sqrt(p->inverse[0] * x * x + 2 * p->inverse[1] * x * y + p->inverse[2] * y * y);
  gamma[0] = r * p->reach * x / norm;
  gamma[1] = r * p->reach * y / norm;
}

// Velocities of the balls over V_s, (2.25).
static void find_velocities(const plane *p, const double gamma[2], double v[3])
{
  v[0] = (p->momentum - (p->mass[1] + p->mass[2]) * gamma[0] - p->mass[2] * gamma[1]) / p->total;
  v[1] = v[0] + gamma[0];
  v[2] = v[1] + gamma[1];
}

static double dispersion_at(const plane *p, double r, double theta)
{
  double gamma[2], v[3];
  locate(p, r, theta, gamma);
  find_velocities(p, gamma, v);
  return pc_chain_dispersion(3, p->mass, v);
}

static pc_status make_plane(const pc_chain *chain, plane *p, pc_error *error)
{
  const double *m = chain->mass, *v = chain->velocity;
  if (chain->contact == NULL)
    return pc_fail_null(error, "the contacts of a chain");
  if (chain->balls != 3 || chain->wall_left || chain->wall_right)
    return pc_fail(error, PC_ERROR_INPUT, "the geometry picture needs three balls and no walls");
  pc_status status = pc_chain_check(3, m, v, error);
  if (status != PC_OK)
    return status;
  *p = (plane){.mass = m, .total = m[0] + m[1] + m[2]};
  for (int i = 0; i < 3; i++)
    p->speed = fmax(p->speed, fabs(v[i]));
  double gamma[2] = {(v[1] - v[0]) / p->speed, (v[2] - v[1]) / p->speed};
  if (!(p->speed > 0) || !(gamma[0] <= 0 && gamma[1] <= 0) || !(gamma[0] + gamma[1] < 0))
    return pc_fail(error, PC_ERROR_INPUT,
                   "the geometry picture needs balls that approach and none that separate");
  for (int i = 0; i < 3; i++) {
    double z = v[i] / p->speed;
    p->momentum += m[i] * z;
    p->kinetic += m[i] * z * z;
  }
  p->inverse[0] = m[0] * (m[1] + m[2]) / p->total;
  p->inverse[1] = m[0] * m[2] / p->total;
  p->inverse[2] = m[2] * (m[0] + m[1]) / p->total;
  p->ker_min = p->momentum * p->momentum / (p->total * p->kinetic);
  p->reach = sqrt(p->inverse[0] * gamma[0] * gamma[0] + 2 * p->inverse[1] * gamma[0] * gamma[1] +
                  p->inverse[2] * gamma[1] * gamma[1]);
  p->equal = fabs(m[1] - m[0]) <= 1e-9 * m[0] && fabs(m[2] - m[0]) <= 1e-9 * m[0] &&
             v[0] == p->speed && v[1] == 0 && v[2] == 0;
  p->corner[0] = p->reach / sqrt(p->inverse[0]);
  p->corner[1] = p->reach / sqrt(p->inverse[2]);
  return PC_OK;
}

static void put_row(const drawing *d, const char *item, const char *name, int line,
                    const double gamma[2], const double v[3])
{
  const double *m = d->plane.mass;
  double ker = (m[0] * v[0] * v[0] + m[1] * v[1] * v[1] + m[2] * v[2] * v[2]) / d->plane.kinetic;
  char labels[60];
  snprintf(labels, sizeof labels, "%s,%s,%d", item, name, line);
  pc_picture_row(
      &d->picture, labels, 7,
      (double[]){gamma[0], gamma[1], v[0], v[1], v[2], ker, pc_chain_dispersion(3, m, v)});
}

static void put_rows(const drawing *d, const char *item, const char *name, int line, int count,
                     double (*gamma)[2])
{
  for (int k = 0; k < count; k++) {
    double v[3];
    find_velocities(&d->plane, gamma[k], v);
    put_row(d, item, name, line, gamma[k], v);
  }
}

static double (*take_points(drawing *d, int count))[2]
{
  return pc_arena_take(&d->picture.plot.arena, (size_t)count, sizeof(double[2]));
}

// The outcomes with one r, from theta = 0 to pi/2.
static void locate_ray(const plane *p, double r, double (*gamma)[2])
{
  for (int k = 0; k < RAYS; k++)
    locate(p, r, HALF_PI * k / (RAYS - 1), gamma[k]);
}

// How fast the ball that rebounds as the first, or the second, moves against the momentum.
static double rebound_speed(const plane *p, int rebounds, const double gamma[2])
{
  double v[3];
  if (rebounds == 0)
    return 1;
  find_velocities(p, gamma, v);
  return p->momentum > 0 ? -v[rebounds - 1] : v[3 - rebounds];
}

// Motion patterns by the number of balls that move against the momentum. Velocities after are
// ordered, so these are the first balls from one end, and the outcomes with more of them lie within
// those with fewer: each region is drawn over the one before.
static void draw_patterns(drawing *d)
{
  static const char *const legends[] = {"pattern II: all move forward",
                                        "pattern I: one ball rebounds", "pattern III: two rebound"};
  static const pc_svg_color colors[] = {PC_SVG_ORANGE, PC_SVG_SKY, PC_SVG_PURPLE};
  const plane *p = &d->plane;
  for (int n = 0; n < 3 && fabs(p->momentum) > 1e-12 * p->total; n++) {
    pc_svg_item item = {PC_SVG_REGION, colors[n], legends[n], .point = take_points(d, RAYS + 3)};
    double fastest = 0;
    for (int k = 0; k <= RAYS && item.point != NULL; k++) {
      const double *a = d->border[k], *b = d->border[k + 1];
      double at_a = rebound_speed(p, n, a), at_b = rebound_speed(p, n, b);
      fastest = fmax(fastest, at_a);
      if (at_a >= 0)
        memcpy(item.point[item.count++], a, sizeof *item.point);
      if (at_a * at_b < 0) {
        double *crossing = item.point[item.count++];
        for (int c = 0; c < 2; c++)
          crossing[c] = a[c] + at_a / (at_a - at_b) * (b[c] - a[c]);
      }
    }
    if (fastest > 0.005) // else too small to be seen
      pc_svg_add(&d->picture.plot, item);
  }
}

static bool solve(const pc_chain *chain, const pc_chain_law *law, double speed, double gamma[2],
                  double v[3])
{
  pc_chain_answer answer = {.velocity = v};
  pc_chain_options options = pc_chain_options_default();
  if (pc_chain_solve(chain, law, &options, &answer, NULL) != PC_OK || answer.status != PC_SOLVED)
    return false;
  for (int i = 0; i < 3; i++)
    v[i] /= speed;
  for (int i = 0; i < 2; i++)
    gamma[i] = v[i + 1] - v[i];
  return true;
}

// Between two points, in parts of the picture.
static double distance(const drawing *d, const double a[2], const double b[2])
{
  return pc_hypot((a[0] - b[0]) / d->plane.corner[0], (a[1] - b[1]) / d->plane.corner[1]);
}

// Laws whose outcomes are within a hundredth of the picture share a point.
static void draw_outcome(drawing *d, const char *law, const double gamma[2])
{
  pc_svg *plot = &d->picture.plot;
  int points = 0;
  for (int k = 0; k < plot->items.count; k++) {
    pc_svg_item *other = &plot->items.at[k];
    if (other->kind != PC_SVG_POINT)
      continue;
    points++;
    if (distance(d, gamma, (double[]){other->x, other->y}) <= 0.012) {
      other->text = pc_svg_print(plot, "%s, %s", other->text, law);
      return;
    }
  }
  pc_svg_add(plot,
             (pc_svg_item){PC_SVG_POINT, points < PC_SVG_CROSS ? PC_SVG_VERMILION : PC_SVG_PURPLE,
                           law, .x = gamma[0], .y = gamma[1],
                           .marker = (pc_svg_marker)(points % PC_SVG_CROSS)});
}

static void draw_laws(drawing *d, const pc_chain *chain, const pc_chain_law *given)
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
    const char *name = pc_chain_law_name(kinds[n]);
    double gamma[2], v[3];
    law.k = k;
    if (given != NULL && given->kind == kinds[n])
      law = *given;
    else if (kinds[n] == PC_CHAIN_MATRIX)
      continue;
    if (solve(chain, &law, d->plane.speed, gamma, v)) {
      put_row(d, "law", name, 0, gamma, v);
      draw_outcome(d, name, gamma);
    } else {
      d->missing = pc_svg_print(&d->picture.plot, "%s%s%s", d->missing,
                                *d->missing == 0 ? " No answer by " : ", ", name);
    }
  }
}

// Moreau's law for one e at both contacts, from 0 to 1.
static void draw_moreau(drawing *d, const pc_chain *chain)
{
  pc_chain_law law = pc_chain_law_default(PC_CHAIN_MOREAU);
  pc_svg_item item = {PC_SVG_LINE,           PC_SVG_VERMILION, "Moreau's line, e from 0 to 1",
                      .dash = PC_SVG_DASHED, .width = 3,       .point = take_points(d, LINE)};
  for (; item.count < LINE && item.point != NULL; item.count++) {
    pc_chain_contact contact[2] = {chain->contact[0], chain->contact[1]};
    pc_chain same = *chain;
    double v[3];
    contact[0].restitution = contact[1].restitution = (double)item.count / (LINE - 1);
    same.contact = contact;
    if (!solve(&same, &law, d->plane.speed, item.point[item.count], v))
      return;
  }
  put_rows(d, "moreau", "e from 0 to 1", 0, item.count, item.point);
  pc_svg_add(&d->picture.plot, item);
}

static void draw_text(drawing *d, const char *text, double x, double y, pc_svg_color color)
{
  pc_svg_add(&d->picture.plot, (pc_svg_item){PC_SVG_TEXT, color, text, .x = x, .y = y});
}

// Each line has its value where it ends, at the left.
static void draw_energies(drawing *d)
{
  const plane *p = &d->plane;
  pc_svg *plot = &d->picture.plot;
  double step = pc_svg_step(1 - p->ker_min, LEVELS);
  double first = step * ceil(p->ker_min / step + 0.1);
  pc_svg_item item = {PC_SVG_LINE, PC_SVG_BLUE, "KER", .count = RAYS, .width = 1};
  // Values have a limited number of digits: a chain with light balls ahead may lose almost no
  // energy.
  for (int n = 0; step > 1e-4 && first + n * step < 1 - 0.1 * step; n++, item.text = NULL) {
    double ker = first + n * step;
    const char *value = pc_svg_print(plot, "%.4g", ker);
    item.point = take_points(d, RAYS);
    if (item.point == NULL)
      return;
    locate_ray(p, sqrt((ker - p->ker_min) / (1 - p->ker_min)), item.point);
    put_rows(d, "ker", value, 0, RAYS, item.point);
    pc_svg_add(plot, item);
    draw_text(d, value, -0.03 * p->corner[0], item.point[RAYS - 1][1], item.color);
  }
  put_rows(d, "ker", "1", 0, RAYS, d->border + 1);
}

// The point of an edge of the grid where C_KE crosses a level, by halving the edge: C_KE need not
// be smooth.
static void find_crossing(const plane *p, double level, int edge, double gamma[2])
{
  bool along_theta = edge >= RINGS * RAYS;
  int node = edge % (RINGS * RAYS), i = node % RINGS, j = node / RINGS;
  double step = along_theta ? HALF_PI / (RAYS - 1) : 1. / (RINGS - 1);
  double r = (double)i / (RINGS - 1), theta = HALF_PI * j / (RAYS - 1);
  double *moving = along_theta ? &theta : &r, low = (along_theta ? j : i) * step, high = low + step;
  *moving = low;
  bool above = dispersion_at(p, r, theta) >= level;
  for (int k = 0; k < 60; k++) {
    *moving = (low + high) / 2;
    bool same = (dispersion_at(p, r, theta) >= level) == above;
    *(same ? &low : &high) = *moving;
  }
  *moving = high;
  locate(p, r, theta, gamma);
}

// Each line has its value in its middle, if it is long enough.
static void draw_dispersions(drawing *d)
{
  pc_svg *plot = &d->picture.plot;
  double low = INFINITY, high = 0;
  double *value = pc_arena_take(&plot->arena, RINGS * RAYS, sizeof *value);
  for (int k = 0; k < RINGS * RAYS && value != NULL; k++) {
    value[k] = dispersion_at(&d->plane, (double)(k % RINGS) / (RINGS - 1),
                             HALF_PI * (k / RINGS) / (RAYS - 1));
    if (isfinite(value[k])) // where everything stops there is none
      low = fmin(low, value[k]), high = fmax(high, value[k]);
  }
  if (!(high - low > 1e-6)) // C_KE is constant for equal balls without momentum
    return;
  double step = pc_svg_step(high - low, LEVELS);
  pc_svg_item item = {PC_SVG_LINE, PC_SVG_GREEN, "C_{KE}", .width = 1};
  for (int n = (int)ceil(low / step); n * step < high; n++) {
    pc_isolines lines;
    const char *label = pc_svg_print(plot, "%.4g", n * step);
    if (!pc_isolines_trace(RINGS, RAYS, value, n * step, &plot->arena, &lines))
      return;
    for (int k = 0; k < lines.lines; k++, item.text = NULL) {
      item.count = lines.start[k + 1] - lines.start[k];
      item.point = take_points(d, item.count);
      if (item.point == NULL)
        return;
      for (int i = 0; i < item.count; i++)
        find_crossing(&d->plane, n * step, lines.edge[lines.start[k] + i], item.point[i]);
      put_rows(d, "cke", label, k, item.count, item.point);
      pc_svg_add(plot, item);
      const double *middle = item.point[item.count / 2];
      if (distance(d, middle, item.point[0]) > 0.07)
        draw_text(d, label, middle[0], middle[1], item.color);
    }
  }
}

static void draw_corners(drawing *d)
{
  static const struct {
    const char *name;
    double r, theta, aside, above; // the name is beside the point
  } corners[] = {{"O", 0, 0, -0.03, -0.03}, {"A", 1, HALF_PI, -0.03, 0.02}, {"B", 1, 0, 0.03, 0}};
  for (int n = 0; n < 3; n++) {
    double gamma[1][2];
    locate(&d->plane, corners[n].r, corners[n].theta, gamma[0]);
    put_rows(d, "corner", corners[n].name, 0, 1, gamma);
    pc_svg_add(&d->picture.plot, (pc_svg_item){PC_SVG_POINT, .x = gamma[0][0], .y = gamma[0][1],
                                               .marker = PC_SVG_RING});
    draw_text(d, corners[n].name, gamma[0][0] + corners[n].aside * d->plane.corner[0],
              gamma[0][1] + corners[n].above * d->plane.corner[1], PC_SVG_BLACK);
  }
}

static void draw_experiments(drawing *d)
{
  static const double measured[2][3] = {{-0.0605, 0.1049, 0.9978}, {1. / 3, 1. / 3, 1. / 3}};
  static const char *const names[] = {"1", "2"};
  for (int n = 0; n < 2 && d->plane.equal; n++) {
    const double *v = measured[n], gamma[2] = {v[1] - v[0], v[2] - v[1]};
    put_row(d, "experiment", names[n], 0, gamma, v);
    pc_svg_add(&d->picture.plot,
               (pc_svg_item){PC_SVG_POINT, n == 0 ? PC_SVG_BLACK : PC_SVG_GREY,
                             pc_svg_print(&d->picture.plot, "experiment %s", names[n]),
                             .x = gamma[0], .y = gamma[1], .marker = PC_SVG_CROSS});
  }
}

static void set_texts_and_axes(drawing *d, const pc_chain *chain)
{
  pc_svg *plot = &d->picture.plot;
  const double *m = chain->mass, *v = chain->velocity;
  double e[2] = {chain->contact[0].restitution, chain->contact[1].restitution};
  plot->title = pc_svg_print(
      plot, "Impact geometry: masses 1 : %.4g : %.4g, velocities before %.4g, %.4g, %.4g m/s",
      m[1] / m[0], m[2] / m[0], v[0], v[1], v[2]);
  plot->note = pc_svg_print(
      plot, "%s V_{s} is the largest velocity before, the least KER is %.4g.%s%s%s",
      e[0] == e[1] ? pc_svg_print(plot, "Laws with e = %.4g at both contacts.", e[0])
                   : pc_svg_print(plot, "Laws with e = %.4g and %.4g.", e[0], e[1]),
      d->plane.ker_min, d->missing, *d->missing != 0 ? "." : "",
      d->plane.equal
          ? " Experiment 1 as printed has momentum 1.042 and KER 1.010, just outside; its "
            "relative velocities with momentum 1 would have KER 0.982."
          : "");
  plot->description = "Outcomes of an impact of three balls in the plane of relative velocities.";
  // Laws may gain energy, and lie outside.
  double low[2] = {0, 0}, high[2] = {d->plane.corner[0], d->plane.corner[1]};
  for (int k = 0; k < plot->items.count; k++) {
    const pc_svg_item *item = &plot->items.at[k];
    const double at[2] = {item->x, item->y};
    for (int c = 0; c < 2 && item->kind == PC_SVG_POINT; c++)
      low[c] = fmin(low[c], at[c]), high[c] = fmax(high[c], at[c]);
  }
  double wide = high[0] - low[0], tall = high[1] - low[1], ratio = tall / wide;
  plot->x = (pc_svg_axis){"\u03b3\u2081\u207a / V_{s}", low[0] - 0.06 * wide, high[0] + 0.12 * wide,
                          false};
  plot->y = (pc_svg_axis){"\u03b3\u2082\u207a / V_{s}", low[1] - 0.06 * tall, high[1] + 0.08 * tall,
                          false};
  plot->height = ratio > 0.45 && ratio < 1.3 ? 0 : 480;
}

pc_status pc_chain_draw_geometry(const pc_chain *chain, const pc_chain_law *law,
                                 const pc_chain_picture *picture, pc_error *error)
{
  if (chain == NULL || picture == NULL)
    return pc_fail_null(error, "the chain and the picture");
  pc_error local;
  error = error != NULL ? error : &local;
  drawing d = {.missing = ""};
  pc_status status = make_plane(chain, &d.plane, error);
  if (status == PC_OK)
    status = pc_picture_begin(&d.picture, picture, error);
  if (status != PC_OK)
    return status;
  pc_picture_row(&d.picture,
                 "item,name,line,gamma_1/V_s,gamma_2/V_s,v_1/V_s,v_2/V_s,v_3/V_s,ker,cke", 0, NULL);
  locate_ray(&d.plane, 1, d.border + 1);
  draw_patterns(&d);
  pc_svg_add(&d.picture.plot,
             (pc_svg_item){PC_SVG_LINE, .text = "admissible outcomes, up to KER = 1",
                           .count = RAYS + 2, .point = d.border});
  draw_laws(&d, chain, law);
  draw_moreau(&d, chain);
  draw_energies(&d);
  draw_dispersions(&d);
  draw_corners(&d);
  draw_experiments(&d);
  set_texts_and_axes(&d, chain);
  return pc_picture_end(&d.picture, PC_OK, error);
}
