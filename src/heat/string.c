// Two balls and a string with temperatures, integrated by the method of Dormand and Prince, order
// 5(4), with step size control. Between changes of taut and slack the equations are smooth, and
// such a change ends a step. While the string is slack, the distance of the balls is a parabola,
// which tells when it becomes taut; while it is taut, a step is cut where the string returns to its
// length.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/dormand.h"
#include "core/elementary.h"
#include "core/error.h"
#include "percuss/heat.h"

// x1, x2, v1, v2, ln T1, ln T2 and the sums since the start.
enum { POSITION = 0, VELOCITY = 2, LOG = 4, DISSIPATED = 6, RECEIVED, PRODUCED, GOT, NUMBERS };
enum { MOST_STEPS = 20000000, SETTLED_STEPS = 10000, MOST_TRIALS = 500 };
// Steps that are still so short after SETTLED_STEPS stay so: stability limits them.
static const double HOPELESS = 1e3;

static double square(double x)
{
  return x * x;
}

// `taut` is the sign of g while the string is taut, 0 while it is slack.
static double elastic(const pc_heat_string *p, int taut, double g)
{
  return p->stiffness * (g - taut * p->length) * (taut != 0);
}

static void rates(const pc_heat_string *p, int taut, const double *y, double *rate)
{
  const pc_heat_ball *a = &p->ball[0], *b = &p->ball[1];
  double d = y[VELOCITY] - y[VELOCITY + 1], g = y[POSITION] - y[POSITION + 1];
  double viscosity = taut != 0 ? p->viscosity : 0, r = elastic(p, taut, g) + viscosity * d;
  rate[POSITION] = y[VELOCITY];
  rate[POSITION + 1] = y[VELOCITY + 1];
  rate[VELOCITY] = (a->force - r) / a->mass;
  rate[VELOCITY + 1] = (b->force + r) / b->mass;

  // With A = Q12 + Q21 and Q21 - Q12 = -lambda d, the law of the string is linear in A.
  double t1 = pc_exp(y[LOG]), t2 = pc_exp(y[LOG + 1]), mean = (t1 + t2) / 2, warmer = t2 - t1;
  double q1 = a->outside_exchange * (a->outside / t1 - 1);
  double q2 = b->outside_exchange * (b->outside / t2 - 1), half = p->exchange * warmer / 2;
  double power = viscosity * d * d, made = (power + half * warmer) / mean;
  double k = p->capacity / (2 * mean), w1 = t1 / a->capacity, w2 = t2 / b->capacity;
  double sum = (made - k * (w1 * (q1 + half) + w2 * (q2 - half))) / (1 + k * (w1 + w2) / 2);
  rate[LOG] = (q1 + sum / 2 + half) / a->capacity;
  rate[LOG + 1] = (q2 + sum / 2 - half) / b->capacity;
  rate[DISSIPATED] = power;
  rate[RECEIVED] = t1 * q1 + t2 * q2;
  rate[GOT] = (a->outside_exchange > 0 ? t1 * q1 / a->outside : 0) +
              (b->outside_exchange > 0 ? t2 * q2 / b->outside : 0);
  rate[PRODUCED] = made + q1 + q2 - rate[GOT];
}

// One step; `error` gets the difference of the two orders.
static void advance(const pc_heat_string *p, int taut, const double *y, double h, double *to,
                    double *error)
{
  double k[PC_DORMAND_STAGES][NUMBERS];
  for (int s = 0; s < PC_DORMAND_STAGES; s++) {
    for (int i = 0; i < NUMBERS; i++) {
      double sum = 0;
      for (int j = 0; j < s; j++)
        sum += pc_dormand_weight[s][j] * k[j][i];
      to[i] = y[i] + h * sum;
    }
    rates(p, taut, to, k[s]);
  }
  for (int i = 0; i < NUMBERS; i++) {
    error[i] = 0;
    for (int s = 0; s < PC_DORMAND_STAGES; s++)
      error[i] += h * pc_dormand_error[s] * k[s][i];
  }
}

static double larger(double a, double b) // not a number: b
{
  return a >= b ? a : b;
}

// The largest error of a quantity over its size. If it is not a number, the step was too long.
static double error_of(const pc_heat_string *p, const double *y, const double *error)
{
  const pc_heat_ball *b = p->ball;
  double pulse = sqrt(p->stiffness * (1 / b[0].mass + 1 / b[1].mass));
  double length = p->length + fabs(y[POSITION] - y[POSITION + 1]), worst = 0;
  double speed = fmax(fmax(fabs(y[VELOCITY]), fabs(y[VELOCITY + 1])), pulse * length) + DBL_MIN;
  for (int i = 0; i < 2; i++) {
    worst = isnan(worst) ? worst : larger(worst, fabs(error[POSITION + i]) / length);
    worst = isnan(worst) ? worst : larger(worst, fabs(error[VELOCITY + i]) / speed);
    worst = isnan(worst) ? worst : larger(worst, fabs(error[LOG + i]));
  }
  return worst;
}

// How far the string is beyond its length, towards the side where it is taut.
static double excess(const pc_heat_string *p, int side, const double *y)
{
  return side * (y[POSITION] - y[POSITION + 1]) - p->length;
}

// Time until a slack string is taut, and on which side; infinite if never.
static double time_to_taut(const pc_heat_string *p, const double *y, int *side)
{
  double g = y[POSITION] - y[POSITION + 1], d = y[VELOCITY] - y[VELOCITY + 1];
  double c = p->ball[0].force / p->ball[0].mass - p->ball[1].force / p->ball[1].mass;
  double soonest = INFINITY;
  for (int s = -1; s <= 1; s += 2) {
    // s (g + d t + c t^2/2) = length, going outwards
    double a = s * c / 2, b = s * d, e = s * g - p->length, root = b * b - 4 * a * e;
    if (root < 0)
      continue;
    double rise = sqrt(root), t; // the rate there is + rise
    if (rise == 0 && !(e == 0 && a > 0))
      continue;
    t = b > 0 ? -2 * e / (b + rise) : a != 0 ? (rise - b) / (2 * a) : INFINITY;
    if (t >= 0 && t < soonest) {
      soonest = t;
      *side = s;
    }
  }
  return soonest;
}

// The step at whose end a taut string has its length again, between 0 and h, to round-off.
static double cut(const pc_heat_string *p, int taut, const double *y, double h, double *to,
                  double *error)
{
  double low = 0, high = h, at_low = fmax(excess(p, taut, y), 0), at_high = excess(p, taut, to);
  for (int i = 0; i < 100 && high - low > 4 * DBL_EPSILON * h; i++) {
    double part = at_low / (at_low - at_high);
    if (i % 3 == 2 || !(part > 0 && part < 1))
      part = 0.5;
    double middle = low + part * (high - low);
    advance(p, taut, y, middle, to, error);
    double at = excess(p, taut, to);
    if (at > 0) {
      low = middle;
      at_low = at;
    } else {
      high = middle;
      at_high = at;
    }
    if (at == 0)
      break;
  }
  advance(p, taut, y, high, to, error);
  return high;
}

static pc_status check(const pc_heat_string *p, const pc_heat_string_state *state, double until,
                       pc_error *error)
{
  for (int i = 0; i < 2; i++) {
    const pc_heat_ball *b = &p->ball[i];
    if (!(b->mass > 0 && b->capacity > 0 && isfinite(b->mass) && isfinite(b->capacity)))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "ball %d: mass and heat capacity must be positive (got %g and %g)", i, b->mass,
                     b->capacity);
    if (!(b->outside_exchange >= 0 && isfinite(b->outside_exchange)) || !isfinite(b->outside) ||
        (b->outside_exchange > 0 && !(b->outside > 0)))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "ball %d: invalid exchange %g or outside temperature %g K", i,
                     b->outside_exchange, b->outside);
    if (!(state->temperature[i] > 0 && isfinite(state->temperature[i])))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "ball %d: the temperature must be positive (got %g K)", i,
                     state->temperature[i]);
    if (!isfinite(state->position[i]) || !isfinite(state->velocity[i]) || !isfinite(b->force))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "ball %d: position, velocity and force must be finite", i);
  }
  if (!(p->length > 0 && p->stiffness >= 0 && p->viscosity >= 0 && p->capacity >= 0 &&
        p->exchange >= 0 && isfinite(p->length) && isfinite(p->stiffness) &&
        isfinite(p->viscosity) && isfinite(p->capacity) && isfinite(p->exchange)))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "string: the length (%g) must be positive, and stiffness (%g), viscosity (%g), "
                   "capacity (%g) and exchange (%g) must be 0 or more; all must be finite",
                   p->length, p->stiffness, p->viscosity, p->capacity, p->exchange);
  if (!(p->tolerance >= 0 && p->tolerance < 1))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "string: the tolerance must be at least 0 and less than 1 (got %g)",
                   p->tolerance);
  if (!isfinite(state->time))
    return pc_fail(error, PC_ERROR_ARGUMENT, "string: the time of its state is not finite");
  if (!(until >= state->time && isfinite(until)))
    return pc_fail(error, PC_ERROR_ARGUMENT, "until %g s, which is before %g s", until,
                   state->time);
  return PC_OK;
}

pc_status pc_heat_string_run(const pc_heat_string *p, pc_heat_string_state *state, double until,
                             pc_error *error)
{
  if (p == NULL || state == NULL)
    return pc_fail_null(error, "the string and its state");
  pc_status status = check(p, state, until, error);
  if (status != PC_OK)
    return status;
  double y[NUMBERS] = {state->position[0],
                       state->position[1],
                       state->velocity[0],
                       state->velocity[1],
                       pc_log(state->temperature[0]),
                       pc_log(state->temperature[1]),
                       state->dissipated,
                       state->received,
                       state->produced,
                       state->entropy_received};
  double tolerance = p->tolerance > 0 ? p->tolerance : 1e-13;
  double g = y[0] - y[1], d = y[2] - y[3], left = until - state->time, h = left / 100;
  double slower = sqrt(p->stiffness * (1 / p->ball[0].mass + 1 / p->ball[1].mass));
  int sign = g > 0 ? 1 : -1, turns = 0;
  int taut = fabs(g) > p->length || (fabs(g) == p->length && sign * d > 0) ? sign : 0;
  int steps = 0, trials = 0;
  while (left > 0) {
    bool hopeless = steps > SETTLED_STEPS && left > HOPELESS * MOST_STEPS * h;
    if (++steps > MOST_STEPS || hopeless)
      return pc_fail(error, PC_ERROR_NUMERIC,
                     "string: too many steps: %g s remain in steps of %g s; reduce its stiffness, "
                     "viscosity or conductivity",
                     left, h);
    int side = 0;
    double next = taut == 0 ? time_to_taut(p, y, &side) : INFINITY;
    double most = fmin(left, next), step = fmin(h, most);
    if (taut != 0 && slower > 0) // no turn and back within a step
      step = fmin(step, 0.3 / slower);
    bool last = step == left;
    double to[NUMBERS], errors[NUMBERS];
    advance(p, taut, y, step, to, errors);
    double worst = error_of(p, y, errors) / tolerance;
    if (!(worst <= 1)) {
      h = step * (worst > 0 ? fmax(0.2, 0.9 * pc_pow(worst, -0.2)) : 0.2);
      if (++trials > MOST_TRIALS)
        return pc_fail(error, PC_ERROR_NUMERIC,
                       "string: the tolerance cannot be reached with any step, with %g s remaining",
                       left);
      continue;
    }
    trials = 0;
    bool slackens = taut != 0 && excess(p, taut, to) < 0;
    if (slackens) {
      double whole = step;
      step = cut(p, taut, y, step, to, errors);
      last = last && step == whole;
    } else {
      h = fmax(h, step * fmin(5, worst > 0 ? 0.9 * pc_pow(worst, -0.2) : 5));
    }
    memcpy(y, to, sizeof y);
    left = last ? 0 : left - step;
    if (slackens) {
      taut = 0;
      turns++;
    } else if (taut == 0 && step == next) {
      taut = side;
      turns++;
    }
  }
  for (int i = 0; i < 2; i++) {
    state->position[i] = y[POSITION + i];
    state->velocity[i] = y[VELOCITY + i];
    state->temperature[i] = pc_exp(y[LOG + i]);
  }
  state->time = until;
  state->dissipated = y[DISSIPATED];
  state->received = y[RECEIVED];
  state->produced = y[PRODUCED];
  state->entropy_received = y[GOT];
  state->turns = state->turns > INT_MAX - turns ? INT_MAX : state->turns + turns;
  return PC_OK;
}

double pc_heat_string_force(const pc_heat_string *p, const pc_heat_string_state *s)
{
  if (p == NULL || s == NULL)
    return NAN;
  double g = s->position[0] - s->position[1], d = s->velocity[0] - s->velocity[1];
  int taut = fabs(g) > p->length ? (g > 0 ? 1 : -1) : 0;
  return elastic(p, taut, g) + (taut != 0 ? p->viscosity * d : 0);
}

double pc_heat_string_energy(const pc_heat_string *p, const pc_heat_string_state *s)
{
  if (p == NULL || s == NULL)
    return NAN;
  double stretch = fmax(fabs(s->position[0] - s->position[1]) - p->length, 0);
  double energy = p->stiffness * square(stretch) / 2 +
                  p->capacity * (s->temperature[0] + s->temperature[1]) / 2;
  for (int i = 0; i < 2; i++)
    energy += p->ball[i].mass * square(s->velocity[i]) / 2 +
              p->ball[i].capacity * s->temperature[i] - p->ball[i].force * s->position[i];
  return energy;
}

double pc_heat_string_entropy(const pc_heat_string *p, const pc_heat_string_state *s)
{
  if (p == NULL || s == NULL)
    return NAN;
  return p->ball[0].capacity * pc_log(s->temperature[0]) +
         p->ball[1].capacity * pc_log(s->temperature[1]) +
         p->capacity * pc_log((s->temperature[0] + s->temperature[1]) / 2);
}
