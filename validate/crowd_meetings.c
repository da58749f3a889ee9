// Two people who meet, in figures of Fremond's book, 6.6.3 and 6.7, that print no numbers: who
// recovers first, who avoids whom, and how people turn. Closed forms follow from one impact.
#include <math.h>

#include "crowd_trial.h"
#include "setup.h"

static const double K_NORMAL = 1e5, LENGTH = 100, WIDTH = 20;

// Two people who walk at each other, side by side by `offset`.
typedef struct encounter {
  double speed, relaxation, offset;
  double radius[2], mass[2];
} encounter;

static pc_crowd *start_encounter(const pc_crowd_def *def, const encounter *e)
{
  int exits[2];
  pc_crowd *crowd = pc_hall_make(def, LENGTH, WIDTH, exits);
  for (int i = 0; i < 2 && crowd != NULL; i++) {
    double side = i == 0 ? -1 : 1;
    pc_person_def person = pc_person_def_default();
    person.goal = exits[1 - i];
    person.position[0] = 0.5 * LENGTH + side;
    person.position[1] = 0.5 * WIDTH + 0.5 * side * e->offset;
    person.velocity[0] = -side * e->speed;
    person.speed = e->speed;
    person.radius = e->radius[i];
    person.mass = e->mass[i];
    person.relaxation = e->relaxation;
    person.orientation = i == 0 ? 0 : acos(-1);
    if (pc_crowd_add_person(crowd, &person) != i) {
      pc_crowd_destroy(crowd);
      return NULL;
    }
  }
  return crowd;
}

static pc_crowd_def open_ground(void)
{
  pc_crowd_def def = pc_crowd_def_default();
  def.inset = 0;
  def.spacing = 0.5;
  return def;
}

// Figure 6.21: unequal people.

// Times from the impact until each is within a hundredth of the wished velocity.
static bool recover(const encounter *e, double time[2])
{
  const double h = 1e-3;
  pc_crowd_def def = open_ground();
  pc_crowd *crowd = start_encounter(&def, e);
  bool ok = crowd != NULL;
  double impact = NAN;
  time[0] = time[1] = NAN;
  for (long s = 0; s < lround((2 + 8 * e->relaxation) / h) && ok; s++) {
    ok = pc_crowd_step(crowd, h) == PC_OK;
    double now = pc_world_time(pc_crowd_world(crowd));
    for (int i = 0; i < 2 && ok; i++) {
      pc_person_state state;
      pc_crowd_person(crowd, i, &state);
      if (state.push > 0 && isnan(impact))
        impact = now - 0.5 * h;
      double wish = (i == 0 ? 1 : -1) * e->speed;
      if (!isnan(impact) && isnan(time[i]) &&
          hypot(state.velocity[0] - wish, state.velocity[1]) < 0.01 * e->speed)
        time[i] = now - impact;
    }
  }
  pc_crowd_destroy(crowd);
  return ok && !isnan(impact);
}

// One impact, which is elastic but for K_N, gives each a velocity that decays with tau.
static double expected_time(const encounter *e, int who)
{
  double reduced = e->mass[0] * e->mass[1] / (e->mass[0] + e->mass[1]);
  double rebound = (K_NORMAL - 2 * reduced) / (K_NORMAL + 2 * reduced);
  double sine = e->offset / (e->radius[0] + e->radius[1]);
  double jump = (1 + rebound) * reduced / e->mass[who] * 2 * e->speed * sqrt(1 - sine * sine);
  return e->relaxation * log(jump / (0.01 * e->speed));
}

static void unequal(pc_report *report)
{
  static const char *const name[2] = {"light", "heavy"};
  encounter e = {
      .speed = 1.5, .relaxation = 0.8, .offset = 0.2, .radius = {0.2, 0.25}, .mass = {60, 100}};
  double time[2];
  bool ok = recover(&e, time);
  for (int i = 0; i < 2; i++)
    pc_report_derived(report, name[i], "time to recover the wished velocity to 1 %",
                      expected_time(&e, i), ok ? time[i] : NAN, "s", 0.01,
                      "one impact, then exponential return; r 0.2 and 0.25 m, 60 and 100 kg, tau "
                      "0.8 s, d_in 0.2 m");
  int wrong = 0;
  for (int i = 0; i < 6; i++) {
    e.relaxation = 0.6 + 0.3 * (i % 3);
    e.offset = i < 3 ? 0.1 : 0.3;
    ok = recover(&e, time);
    wrong += !(ok && time[0] > time[1]);
  }
  pc_report_property(report, "order", "meetings, of 6, after which the heavier recovers later",
                     wrong, "the book: the lighter needs more time");
}

// Figure 6.22: the socio-psychological force.

static int count_pushes(double strength, double offset)
{
  pc_crowd_def def = open_ground();
  def.social = (pc_social){.strength = strength, .range = 0.08};
  encounter e = {.speed = 1.34,
                 .relaxation = 0.5,
                 .offset = offset,
                 .radius = {0.225, 0.225},
                 .mass = {80, 80}};
  pc_crowd *crowd = start_encounter(&def, &e);
  bool ok = crowd != NULL;
  int pushes = 0;
  for (int s = 0; s < 600 && ok; s++) {
    pc_person_state state;
    ok = pc_crowd_step(crowd, 0.01) == PC_OK;
    pc_crowd_person(crowd, 0, &state);
    pushes += state.push > 0;
    ok = ok && (s < 599 || state.position[0] > 0.5 * LENGTH + 1); // has passed
  }
  pc_crowd_destroy(crowd);
  return ok ? pushes : -1;
}

static void social(pc_report *report)
{
  int without = 0, with = 0;
  for (int i = 2; i <= 4; i++) {
    without += !(count_pushes(0, 0.1 * i) > 0);
    with += count_pushes(2000, 0.1 * i) != 0;
  }
  pc_report_property(report, "without", "meetings, of 3, without a collision and without the force",
                     without, "figure 6.22a; d_in 0.2, 0.3 and 0.4 m");
  pc_report_fitted(
      report, "with", "meetings, of 3, with a collision although there is the force", NAN, 0, with,
      "violations", 0,
      "figure 6.22b, with A, B and Lambda of table 6.13; the book does not print d_in, "
      "and at 0.1 m they touch");
}

// Figures 6.24 to 6.26: turning.

typedef struct turn {
  bool fine;
  double spin;      // after the impact
  double largest;   // of the angle from the wished direction
  int swings;       // changes of its sign
  double period;    // between the first and the third
  double remaining; // at the end, over the largest
} turn;

static const double TURN_MASS = 80, TURN_RADIUS = 0.25, TURN_OFFSET = 0.2, TURN_SPEED = 1.5;

static const double K_TURN = 10; // N m

static turn run_turn(double k_normal, double k_tangential, double damping)
{
  turn t = {.spin = NAN, .period = NAN};
  const double h = 1e-3, end = 6;
  pc_crowd_def def = open_ground();
  def.turns = true;
  def.turning = (pc_turning){K_TURN, damping};
  def.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = k_normal};
  def.law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_VISCOUS, .k = k_tangential};
  encounter e = {.speed = TURN_SPEED,
                 .relaxation = 1e12,
                 .offset = TURN_OFFSET,
                 .radius = {TURN_RADIUS, TURN_RADIUS},
                 .mass = {TURN_MASS, TURN_MASS}};
  pc_crowd *crowd = start_encounter(&def, &e);
  bool ok = crowd != NULL;
  double last = 0, first_swing = NAN;
  for (long s = 0; s < lround(end / h) && ok; s++) {
    pc_person_state state;
    ok = pc_crowd_step(crowd, h) == PC_OK;
    pc_crowd_person(crowd, 0, &state);
    double now = pc_world_time(pc_crowd_world(crowd)), angle = state.orientation;
    if (state.push > 0 && isnan(t.spin))
      t.spin = state.spin;
    t.largest = fmax(t.largest, fabs(angle));
    if (angle * last < 0 && ++t.swings == 1)
      first_swing = now;
    else if (angle * last < 0 && t.swings == 3)
      t.period = now - first_swing;
    if (angle != 0)
      last = angle;
    t.remaining = fabs(angle) / t.largest;
  }
  pc_crowd_destroy(crowd);
  t.fine = ok && !isnan(t.spin);
  return t;
}

// The tangential impact of two equal discs: m_T = m/6 with I = m r^2/2.
static double expected_spin(double k_tangential)
{
  double inertia = 0.5 * TURN_MASS * TURN_RADIUS * TURN_RADIUS, share = TURN_MASS / 6;
  double sliding = 2 * TURN_SPEED * TURN_OFFSET / (2 * TURN_RADIUS);
  double percussion = k_tangential * sliding / (1 + 0.5 * k_tangential / share);
  return percussion * TURN_RADIUS / inertia;
}

static void turning(pc_report *report)
{
  const double inertia = 0.5 * TURN_MASS * TURN_RADIUS * TURN_RADIUS,
               omega = sqrt(K_TURN / inertia);
  static const double k_tangential[] = {1, 10, 100}, k_normal[] = {2e3, 1e4, 1e6};
  for (int i = 0; i < 3; i++) {
    turn t = run_turn(K_NORMAL, k_tangential[i], 1);
    pc_report_derived(report, pc_report_name(report, "spin_%g", k_tangential[i]),
                      "spin after an impact, by K_T (figure 6.25)", expected_spin(k_tangential[i]),
                      t.fine ? fabs(t.spin) : NAN, "rad/s", 0.01 * expected_spin(k_tangential[i]),
                      "tangential impact of two equal discs with I = m r^2/2");
  }
  turn usual = run_turn(K_NORMAL, 10, 1), slow = run_turn(K_NORMAL, 10, 2),
       swinging = run_turn(K_NORMAL, 10, 0);
  bool ok = usual.fine && slow.fine && swinging.fine;
  double change = 0;
  for (int i = 0; i < 3; i++) {
    turn t = run_turn(k_normal[i], 10, 1);
    change = pc_worst(change, t.fine ? fabs(t.spin / usual.spin - 1) : NAN);
  }
  pc_report_derived(report, "normal", "largest relative change of that spin for K_N above 2e3 kg",
                    0, change, "1", 0.01, "the book: independent of K_N (figure 6.25)");
  pc_report_derived(report, "largest", "largest angle after it, zeta = 1",
                    fabs(usual.spin) / (omega * exp(1)), ok ? usual.largest : NAN, "rad",
                    0.01 * fabs(usual.spin) / (omega * exp(1)),
                    "(6.41) with the spin after the impact (figure 6.26)");
  pc_report_property(report, "critical", "swings with zeta = 1 or 2",
                     ok ? usual.swings + slow.swings : 1, "figure 6.24a and b");
  pc_report_property(report, "slower", "with zeta = 2 people do not turn back later than with 1",
                     !(ok && slow.remaining > usual.remaining), "the book, of zeta above 1");
  pc_report_derived(report, "period", "period of the swings with zeta = 0", 2 * acos(-1) / omega,
                    ok ? swinging.period : NAN, "s", 0.01 * 2 * acos(-1) / omega,
                    "2 pi sqrt(I/k) (figure 6.24c and d)");
}

const pc_case pc_cases_crowd_meetings[] = {
    {"crowd.unequal", "Fremond 2017, 6.6.3, figure 6.21", false, unequal},
    {"crowd.social", "Fremond 2017, 6.7.1, figure 6.22", false, social},
    {"crowd.turning", "Fremond 2017, 6.7.2, figures 6.24 to 6.26", false, turning},
    {0}};
