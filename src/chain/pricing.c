// Minimises a separable sum over ordered unknowns exactly, by dynamic programming.
//
// Let h_i(y) be the least of the first i + 1 terms with y_i <= y. Then
//
//     g_i(y) = f_i(y) + h_{i-1}(y),   h_i(y) = min { g_i(w) : w <= y },
//
// and each h_i is non-increasing. All terms are one quartic and one quadratic with weights m^2 and
// m, so a piece of g_i is determined by its block: balls `start` .. i move together, with the sums
// of their m^2 and m, and `base` is the value of the balls before them. h_i follows g_i where that
// reaches a new least value and is level elsewhere; where it becomes level a block ends.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "chain/bounds.h"
#include "core/array.h"

typedef struct piece {
  double from; // to the next piece
  double base, mass, square;
  int start;
  int link; // the block before this one, -1: none
} piece;

typedef struct block {
  int start, link;
  double y;
} block;

typedef PC_ARRAY(piece) pieces;

struct pc_pricing {
  pieces now, next;
  PC_ARRAY(block) blocks;
  double sign, a, s, lambda, mu;
  bool failed;
};

pc_pricing *pc_pricing_create(void)
{
  return calloc(1, sizeof(pc_pricing));
}

void pc_pricing_destroy(pc_pricing *pricing)
{
  if (pricing == NULL)
    return;
  pc_array_free(&pricing->now);
  pc_array_free(&pricing->next);
  pc_array_free(&pricing->blocks);
  free(pricing);
}

// v^4 - a^4 with v = a + s y.
static double quartic(double a, double s, double y)
{
  double x = s * y;
  return x * (4 * a * a * a + x * (6 * a * a + x * (4 * a + x)));
}

static double value(const pc_pricing *q, const piece *p, double y)
{
  return p->base + q->sign * p->square * quartic(q->a, q->s, y) +
         p->mass * y * (q->lambda * y + q->mu);
}

static double slope(const pc_pricing *q, const piece *p, double y)
{
  double v = q->a + q->s * y;
  return 4 * q->sign * p->square * q->s * v * v * v + p->mass * (2 * q->lambda * y + q->mu);
}

static double curvature(const pc_pricing *q, const piece *p, double y)
{
  double v = q->a + q->s * y;
  return 12 * q->sign * p->square * q->s * q->s * v * v + 2 * p->mass * q->lambda;
}

// Where the value of a piece crosses `level` between low and high, or where its slope does, by
// Newton steps within a bracket. The value, or the slope, is monotone there.
typedef enum crossed { VALUE, SLOPE } crossed;
static double find_crossing(const pc_pricing *q, const piece *p, crossed what, double level,
                            double low, double high, bool rises)
{
  double y = (low + high) / 2;
  for (int i = 0; i < 100; i++) {
    double g = (what == VALUE ? value(q, p, y) : slope(q, p, y)) - level;
    if (g == 0)
      return y;
    if ((g > 0) == rises)
      high = y;
    else
      low = y;
    double c = what == VALUE ? slope(q, p, y) : curvature(q, p, y);
    double step = c != 0 ? y - g / c : NAN, last = y;
    y = step > low && step < high ? step : (low + high) / 2;
    if (fabs(y - last) <= 2 * DBL_EPSILON * fabs(y) || high - low <= DBL_EPSILON * fabs(y))
      break;
  }
  return y;
}

// The stationary points of the piece between low and high, in order: at most 3.
static int stills(const pc_pricing *q, const piece *p, double low, double high, double *at)
{
  // The slope is a cubic and is monotone between the points without curvature.
  double cut[4] = {low}, square = -p->mass * q->lambda / (6 * q->sign * p->square * q->s * q->s);
  int cuts = 1, count = 0;
  if (square > 0) {
    double v = sqrt(square), left = (-v - q->a) / q->s, right = (v - q->a) / q->s;
    if (left > low && left < high)
      cut[cuts++] = left;
    if (right > low && right < high)
      cut[cuts++] = right;
  }
  cut[cuts] = high;
  double before = slope(q, p, low);
  for (int i = 0; i < cuts; i++) {
    double after = slope(q, p, cut[i + 1]);
    if ((before < 0 && after > 0) || (before > 0 && after < 0))
      at[count++] = find_crossing(q, p, SLOPE, 0, cut[i], cut[i + 1], after > 0);
    before = after;
  }
  return count;
}

static void emit(pc_pricing *q, piece next)
{
  piece *to = pc_array_add(&q->next);
  if (to != NULL)
    *to = next;
  else
    q->failed = true;
}

// Ends the block of `p` at y; the balls after it see a level.
static void end_block(pc_pricing *q, const piece *p, double y, double level)
{
  int link = q->blocks.count;
  block *to = pc_array_add(&q->blocks);
  if (to == NULL) {
    q->failed = true;
    return;
  }
  *to = (block){.start = p->start, .link = p->link, .y = y};
  emit(q, (piece){.from = y, .base = level, .start = -1, .link = link});
}

// Adds ball i: h_{i-1} in `now` becomes h_i in `next`. Returns its least value.
static double join(pc_pricing *q, int i, double mass, double low, double high)
{
  double least = INFINITY, here = INFINITY;
  bool follows = false;
  piece last = {0};
  q->next.count = 0;
  for (int k = 0; k < q->now.count; k++) {
    double from = k == 0 ? low : fmax(q->now.at[k].from, low);
    double to = k + 1 < q->now.count ? fmin(q->now.at[k + 1].from, high) : high;
    if (from > to || (from == to && least < INFINITY))
      continue;
    piece p = q->now.at[k];
    if (p.start < 0)
      p.start = i;
    p.mass += mass;
    p.square += mass * mass;
    double at[5] = {from};
    int count = 1 + stills(q, &p, from, to, at + 1);
    at[count] = to;
    here = value(q, &p, from);
    if (least == INFINITY) {
      least = here;
      follows = true;
    }
    if (follows) {
      p.from = from;
      emit(q, p);
    }
    for (int j = 0; j < count; j++) {
      double there = value(q, &p, at[j + 1]);
      if (there > here && follows) {
        end_block(q, &p, at[j], least);
        follows = false;
      } else if (there < least) {
        if (!follows) {
          p.from = find_crossing(q, &p, VALUE, least, at[j], at[j + 1], false);
          emit(q, p);
          follows = true;
        }
        least = there;
      }
      here = there;
    }
    last = p;
  }
  if (follows)
    end_block(q, &last, high, least);
  return least;
}

double pc_pricing_least(pc_pricing *q, const pc_spread *p, const double *low, const double *high,
                        double lambda, double mu, double *y)
{
  q->sign = p->sign;
  q->a = p->a;
  q->s = p->s;
  q->lambda = lambda;
  q->mu = mu;
  q->failed = false;
  q->next.count = q->blocks.count = 0;
  emit(q, (piece){.from = low[0], .start = -1, .link = -1});
  double least = 0, size = fabs(lambda);
  for (int i = 0; i < p->n && !q->failed; i++) {
    pieces before = q->now;
    q->now = q->next;
    q->next = before;
    least = join(q, i, p->mass[i], low[i], high[i]);
    double far = fmax(fabs(low[i]), fabs(high[i])), v = fabs(p->a) + p->s * far;
    size += p->mass[i] * (p->mass[i] * v * v * v * v + far * (fabs(lambda) * far + fabs(mu)));
  }
  if (q->failed)
    return -INFINITY;
  // The last level has the least value; its block and those linked to it give the velocities.
  int end = p->n;
  for (int k = q->next.at[q->next.count - 1].link; k >= 0; k = q->blocks.at[k].link) {
    for (int i = q->blocks.at[k].start; i < end; i++)
      y[i] = q->blocks.at[k].y;
    end = q->blocks.at[k].start;
  }
  return least - lambda - 2 * (p->n + 8) * DBL_EPSILON * size;
}
