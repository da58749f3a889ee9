// Frémond's book: heat of two balls (chapter 3), and phases at a point (chapters 7 and 10). The
// book prints equations and no numbers for them; what is expected here comes from closed forms and
// from bisections of the equations by a program of its own.
#include <math.h>
#include <string.h>

#include "percuss/heat.h"
#include "percuss/random.h"
#include "setup.h"

#define BOOK "Frémond, Collisions Engineering (2017), "

// Two balls.

typedef struct pair {
  double t1, t2, c1, c2, lambda, work;
} pair;

static bool collide(pc_heat *heat, pc_heat_mode mode, const pair *p, double after[2],
                    pc_heat_info *info)
{
  pc_heat_body body[2] = {{.temperature = p->t1, .capacity = p->c1},
                          {.temperature = p->t2, .capacity = p->c2}};
  pc_heat_interaction link = {{0, 1}, p->work, p->lambda};
  pc_heat_result result[2];
  bool good =
      pc_heat_solve(heat, mode, 2, body, 1, &link, result, info, NULL) == PC_OK && info->solved;
  for (int i = 0; i < 2; i++)
    after[i] = good ? result[i].temperature : NAN;
  return good;
}

static void pairs(pc_report *report)
{
  static const struct {
    const char *name;
    pair p;
    double after[3][2]; // adiabatic, isentropic, small
    bool small;         // is valid
  } table[] = {{"equal",
                {300, 300, 1, 1, 0, 10},
                {{305, 305}, {304.999886167, 304.999886167}, {305, 305}},
                true},
               {"work",
                {300, 310, 1, 1, 0, 10},
                {{304.918032787, 315.081967213},
                 {304.917924432, 315.081855246},
                 {304.918032787, 315.081967213}},
                true},
               {"exchange",
                {300, 310, 1, 1, 1e-4, 10},
                {{305.071888580, 314.928111420},
                 {305.071769813, 314.928009249},
                 {305.070491803, 314.929508197}},
                true},
               {"more_exchange",
                {300, 310, 1, 1, 1e-3, 10},
                {{306.270865477, 313.729134523},
                 {306.270652970, 313.729078977},
                 {306.442622951, 313.557377049}},
                false},
               {"exchange_alone",
                {300, 310, 1, 1, 1, 0},
                {{309.934853419, 300.065146581},
                 {309.934847508, 300.065152116},
                 {1824.590163934, -1214.590163934}},
                false},
               {"exchange_is_swap",
                {300, 310, 1, 1, 1e3, 0},
                {{309.999934427, 300.000065573}, {309.999934421, 300.000065579}, {NAN, NAN}},
                false},
               {"hot_and_cold",
                {100, 900, 2, 2, .005, 300},
                {{410.314709616, 739.685290384}, {365.362967265, 748.934469822}, {295, 855}},
                false}};
  static const pc_heat_mode modes[] = {PC_HEAT_ADIABATIC, PC_HEAT_ISENTROPIC, PC_HEAT_SMALL};
  static const char *const oracle[] = {
      "(3.165, 3.166) by bisection, an independent program",
      "(3.160, 3.161) by nested bisections, an independent program",
      "(3.175, 3.176) in closed form"};
  pc_heat *heat = pc_heat_create();
  int wrong = 0;
  for (size_t i = 0; heat != NULL && i < sizeof table / sizeof table[0]; i++)
    for (int m = 0; m < 3; m++) {
      double after[2];
      pc_heat_info info;
      pc_report_count(report,
                      collide(heat, modes[m], &table[i].p, after, &info) && info.account.closed);
      wrong += modes[m] == PC_HEAT_SMALL && info.valid != table[i].small;
      for (int b = 0; b < 2 && !isnan(table[i].after[m][b]); b++)
        pc_report_derived(report,
                          pc_report_name(report, "%s.%s.ball%d", table[i].name,
                                         pc_heat_mode_name(modes[m]), b + 1),
                          "temperature after", table[i].after[m][b], after[b], "K", 6e-10,
                          oracle[m]);
    }
  pc_report_property(report, "small.validity",
                     "cases where small perturbations are wrongly said to be valid, or not", wrong,
                     "valid: T+ > 0, |[T]| < T/10 and lambda T < C/10");
  pc_heat_destroy(heat);
}

static double spread(pc_random *random, double low, double high)
{
  return exp(pc_random_uniform(random, log(low), log(high)));
}

// Claims on random pairs over many decades.
static void claims(pc_report *report)
{
  enum { COUNT = 20000 };
  pc_random random;
  pc_random_seed(&random, 3);
  pc_heat *heat = pc_heat_create();
  int cold = 0, produced = 0, energy = 0, entropy = 0, even = 0, symmetry = 0, warm = 0;
  bool good = heat != NULL;
  for (int n = 0; good && n < COUNT; n++) {
    double c = spread(&random, 1e-3, 1e3), t = spread(&random, 10, 3000);
    pair p = {t, spread(&random, 10, 3000), c, c, c / t * spread(&random, 1e-9, 1e6), 0};
    p.work = n % 3 == 0 ? 0 : c * t * spread(&random, 1e-9, 10);
    for (pc_heat_mode mode = PC_HEAT_CLOSED; mode <= PC_HEAT_ISENTROPIC; mode++) {
      double after[2], back[2];
      pc_heat_info info;
      pair swapped = {p.t2, p.t1, p.c2, p.c1, p.lambda, p.work};
      if (!collide(heat, mode, &swapped, back, &info) || !collide(heat, mode, &p, after, &info)) {
        cold++;
        continue;
      }
      cold += !(after[0] > 0 && after[1] > 0);
      produced += !(info.account.produced >= 0);
      entropy += !(info.account.entropy >= -1e-14 * c);
      energy += mode != PC_HEAT_ISENTROPIC &&
                !(fabs(c * (after[0] - p.t1) + c * (after[1] - p.t2) - p.work) <
                  1e-13 * (c * (p.t1 + p.t2) + p.work));
      symmetry += !(fabs(after[0] - back[1]) <= 1e-12 * (after[0] + p.t1));
      even += p.work == 0 && fabs(after[1] - after[0]) > fabs(p.t2 - p.t1) * (1 + 1e-12);
      pair alone = p;
      alone.lambda = 0;
      if (p.work > 0 && collide(heat, mode, &alone, after, &info))
        warm += !(after[0] >= p.t1 && after[1] >= p.t2);
    }
  }
  pc_report_count(report, good);
  pc_report_property(report, "positive", "temperatures after that are not above 0", cold,
                     "20,000 pairs with equal capacities, closed, adiabatic and isentropic");
  pc_report_property(report, "produced", "pairs with negative entropy production (3.137)", produced,
                     NULL);
  pc_report_property(report, "entropy", "pairs whose entropy falls", entropy,
                     "with equal capacities; see fremond.heat.unequal for others");
  pc_report_property(report, "energy", "pairs where C [T1] + C [T2] is not W (3.165)", energy,
                     "closed and adiabatic");
  pc_report_property(report, "even", "exchanges that make the difference of temperatures larger",
                     even, "without work; the book's (3.178)");
  pc_report_property(report, "warms", "works that cool a ball (3.177)", warm, "without exchange");
  pc_report_property(report, "symmetry", "answers that depend on which ball is the first", symmetry,
                     NULL);
  pc_heat_destroy(heat);
}

typedef struct heat_context {
  pc_heat *heat;
  pair p;
} heat_context;

static double has_solution(double lambda, void *context)
{
  heat_context *c = context;
  double after[2];
  pc_heat_info info;
  c->p.lambda = lambda;
  return collide(c->heat, PC_HEAT_ADIABATIC, &c->p, after, &info) ? -1 : 1;
}

// Capacities that differ, which the book does not look at.
static void unequal(pc_report *report)
{
  heat_context c = {pc_heat_create(), {900, 300, 1, 10, 0, 5}};
  if (c.heat == NULL) {
    pc_report_count(report, false);
    return;
  }
  double t2 = 300 + 905 / 20.0, most = (905 / t2 + 2) / (450 - t2);
  pc_report_derived(report, "largest_exchange",
                    "exchange beyond which a light hot ball has no adiabatic temperature", most,
                    pc_bisect(has_solution, &c, 0.01, 1), "J/K2", 1e-9 * most,
                    "T1+ = 0 in (3.165, 3.166): C [T]/t is never below -2C, which equal capacities "
                    "never reach");
  double after[2];
  pc_heat_info info;
  c.p.lambda = 0.99 * most;
  pc_report_count(report, collide(c.heat, PC_HEAT_ADIABATIC, &c.p, after, &info));
  pc_report_property(
      report, "adiabatic_entropy", "adiabatic pairs near that exchange that do not lose entropy",
      !(info.account.entropy < 0 && info.account.produced > 0),
      "(3.162, 3.163) take it to the outside without heat; the contact produces some");
  c.p.lambda = 10 * most;
  pc_report_count(report, collide(c.heat, PC_HEAT_CLOSED, &c.p, after, &info));
  pc_report_property(report, "closed", "closed pairs without a solution, or whose entropy falls",
                     !(after[0] > 0 && info.account.entropy > 0 && info.account.closed),
                     "ten times that exchange, t = [T]/[ln T]");
  c.p = (pair){300, 310, 1, 1, 1e9, 0};
  pc_report_count(report, collide(c.heat, PC_HEAT_ADIABATIC, &c.p, after, &info));
  pc_report_derived(report, "swap", "temperature of the colder ball after a very large exchange",
                    310, after[0], "K", 1e-8,
                    "mean temperatures become equal: equal balls exchange theirs");
  pc_heat_destroy(c.heat);
}

// The string.

static bool run(pc_report *report, const pc_heat_string *s, pc_heat_string_state *at, double until)
{
  bool good = pc_heat_string_run(s, at, until, NULL) == PC_OK;
  pc_report_count(report, good);
  return good;
}

static void string(pc_report *report)
{
  const double pi = 3.14159265358979323846;
  pc_heat_string s = {.ball = {{.mass = 2, .capacity = 3}, {.mass = 3, .capacity = 5}},
                      .length = 0.7,
                      .stiffness = 40};
  double pulse = sqrt(s.stiffness * (1 / 2.0 + 1 / 3.0)), speed = 1.3;
  double period = 2 * (pi / pulse + 2 * s.length / speed);
  pc_heat_string_state at = {.velocity = {.3, .3 - speed}, .temperature = {280, 310}};
  double energy = pc_heat_string_energy(&s, &at);
  run(report, &s, &at, 10 * period);
  pc_report_derived(report, "period", "distance of the balls after ten periods", 0,
                    at.position[0] - at.position[1], "m", 1e-8,
                    "2 (pi/omega + 2 l/D): half a swing on each side, and the slack way across");
  pc_report_derived(report, "energy", "energy after ten periods, relative", 1,
                    pc_heat_string_energy(&s, &at) / energy, "1", 1e-12, "nothing dissipates");

  s.viscosity = 4;
  s.exchange = 1e-3;
  s.capacity = 2;
  at = (pc_heat_string_state){.position = {1.2, 0}, .velocity = {2, -1}, .temperature = {280, 310}};
  energy = pc_heat_string_energy(&s, &at);
  double entropy = pc_heat_string_entropy(&s, &at), thermal = 3 * 280 + 5 * 310 + 2 * 295;
  run(report, &s, &at, 5);
  double warmer = 3 * at.temperature[0] + 5 * at.temperature[1] +
                  (at.temperature[0] + at.temperature[1]) - thermal;
  pc_report_derived(report, "heat", "heat of balls and string", at.dissipated, warmer, "J", 1e-8,
                    "the work of viscosity, R_d D, which is all that warms them (3.83)");
  pc_report_derived(report, "balance", "energy with viscosity, relative", 1,
                    pc_heat_string_energy(&s, &at) / energy, "1", 1e-12, "insulated (3.67)");
  pc_report_derived(report, "entropy", "entropy gained", at.produced,
                    pc_heat_string_entropy(&s, &at) - entropy, "J/K", 1e-10,
                    "the integral of (R_d D + lambda d^2/2)/M (3.84)");
  pc_report_property(report, "dissipates", "signs of works and entropies that are wrong",
                     !(at.dissipated > 0 && at.produced > 0 && at.turns > 0), NULL);

  s = (pc_heat_string){.ball = {{.mass = 2, .capacity = 3}, {.mass = 3, .capacity = 5}},
                       .length = 0.7,
                       .stiffness = 40,
                       .exchange = 2e-3};
  at = (pc_heat_string_state){.temperature = {300, 300.001}};
  run(report, &s, &at, 4);
  pc_report_derived(report, "decay", "rate at which a difference of temperatures falls",
                    2e-3 * 300 * (1 / 3.0 + 1 / 5.0) / 2,
                    log(1e-3 / (at.temperature[1] - at.temperature[0])) / 4, "1/s", 1e-6,
                    "lambda T0 (1/C1 + 1/C2)/2; (3.74, 3.75) print it without T0/2");
  s.ball[1].outside_exchange = 2;
  s.ball[1].outside = 350;
  s.exchange = 0;
  at = (pc_heat_string_state){.temperature = {300, 280}};
  run(report, &s, &at, 3);
  pc_report_derived(report, "outside", "temperature of a ball in contact with an outside",
                    350 - 70 * exp(-2 * 3 / 5.0), at.temperature[1], "K", 1e-9,
                    "C T' = -lambda_ext (T - T_ext) (3.68)");
}

// The experiment.

static void experiment(pc_report *report)
{
  double radius = 1.5e-3, mass = 7800 * 4 / 3.0 * 3.14159265358979323846 * pow(radius, 3);
  pair p = {293, 293, mass * 460, mass * 460, 0, 0.27};
  pc_heat *heat = pc_heat_create();
  double after[2] = {NAN, NAN};
  pc_heat_info info;
  pc_report_count(report, heat != NULL && collide(heat, PC_HEAT_CLOSED, &p, after, &info));
  pc_report_untestable(
      report, NULL, "rise of temperature on the back of a plate struck by a ball of 3 mm, 0.27 J",
      7, after[0] - 293, "K",
      "order of magnitude alone: computed is 2 C [T] = W (3.179) with the capacity of the whole "
      "ball; measured is the "
      "local temperature of a plate of 0.85 mm, whose part that warms is not given");
  pc_heat_destroy(heat);
}

// Phases at a point.

static pc_phase_state melt(pc_report *report, const pc_phase_law *law, double temperature,
                           double liquid, double heat)
{
  pc_phase_state before = {temperature, liquid}, after = {NAN, NAN};
  pc_report_count(report, pc_phase_collide(law, &before, heat, &after, NULL, NULL) == PC_OK);
  return after;
}

// Ice, per cubic metre in MJ: C 1.9, L 306, T0 273.15.
static void phase_claims(pc_report *report)
{
  pc_phase_law ice = {1.9, 306, 273.15, 0}, slow = {1.9, 306, 273.15, 30.6};
  double cold = 253.15;
  int cools = 0, early = 0, set = 0, falls = 0;
  double last = -1;
  for (int i = 0; i <= 2000; i++) {
    double heat = i * 0.3, produced;
    pc_phase_state before = {cold, 0}, after;
    if (pc_phase_collide(i % 2 == 0 ? &ice : &slow, &before, heat, &after, &produced, NULL) !=
        PC_OK)
      pc_report_count(report, false);
    cools += after.temperature < cold;
    early += after.liquid > 0 && after.temperature < 273.15;
    set += !(after.liquid >= 0 && after.liquid <= 1) || !(produced >= 0);
    pc_phase_state again = melt(report, &ice, cold, 0, heat);
    falls += again.liquid < last;
    last = again.liquid;
  }
  pc_report_property(report, "warmer", "works that cool it (7.6.4)", cools, NULL);
  pc_report_property(report, "melts", "points that melt below T0 (7.6.4)", early, NULL);
  pc_report_property(report, "set", "fractions outside [0, 1], or entropy that is destroyed", set,
                     NULL);
  pc_report_property(report, "monotone", "more work, less liquid", falls, NULL);
}

// Alloys at a point.

static const double T0 = 332.75, LATENT = 80, CAPACITY = 5.4; // Ni-Ti, MJ/m3 (10.11)

static pc_alloy_state transform(pc_report *report, double resist, double temperature,
                                const double fraction[3], double heat)
{
  pc_phase_law law = {CAPACITY, LATENT, T0, resist};
  pc_alloy_state before = {.temperature = temperature}, after = {.temperature = NAN};
  memcpy(before.fraction, fraction, sizeof before.fraction);
  pc_report_count(report, pc_alloy_collide(&law, &before, heat, &after, NULL, NULL) == PC_OK);
  return after;
}

typedef struct alloy_context {
  pc_report *report;
  double resist, level; // what austenite is compared with
} alloy_context;

static const double martensite[3] = {.5, .5, 0};

static double austenite(double heat, void *context)
{
  const alloy_context *c = context;
  return transform(c->report, c->resist, 0.9 * T0, martensite, heat).fraction[2] > c->level ? 1
                                                                                            : -1;
}

static void alloy(pc_report *report)
{
  double cold = 0.9 * T0, onset = CAPACITY * (T0 - cold);
  pc_alloy_state s = transform(report, 0, cold, martensite, 150);
  pc_report_derived(report, "example1.below", "temperature below the onset", cold + 150 / CAPACITY,
                    s.temperature, "K", 1e-10, "T + work/C");
  s = transform(report, 0, cold, martensite, onset + 20);
  pc_report_derived(report, "example1.temperature", "temperature on the plateau", T0, s.temperature,
                    "K", 0, "three phases coexist at T0 alone without resistance");
  pc_report_derived(report, "example1.austenite", "austenite on the plateau", 0.25, s.fraction[2],
                    "1", 1e-13, "(work - C (T0 - T))/l");
  pc_report_derived(report, "example1.martensite", "each martensite on the plateau", 0.375,
                    s.fraction[0], "1", 1e-13, "they are equal");
  s = transform(report, 0, cold, martensite, onset + 80 + 54);
  pc_report_derived(report, "example1.above", "temperature when all is austenite", T0 + 10,
                    s.temperature, "K", 1e-10, "T + (work - l)/C");
  static const double hot[3] = {0, 0, 1}, voids[3] = {.25, .25, 0};
  s = transform(report, 0, 350, hot, 54);
  pc_report_derived(report, "example1.hot", "temperature of austenite above T0", 360, s.temperature,
                    "K", 1e-10, "T + work/C");

  s = transform(report, 0, T0, voids, 20);
  pc_report_derived(report, "example2.austenite", "austenite with voids", 0.25, s.fraction[2], "1",
                    1e-13, "work/l");
  pc_report_derived(report, "example2.martensite", "each martensite with voids", 0.125,
                    s.fraction[0], "1", 1e-13, "1/4 - b3/2");
  s = transform(report, 0, T0, voids, 100);
  pc_report_derived(report, "example2.above", "temperature when half is austenite, half voids",
                    T0 + 2 * 60 / CAPACITY, s.temperature, "K", 1e-10,
                    "T0 + (2/C) (work - l/2): half the matter is there (10.95)");
  pc_report_untestable(
      report, "example2.printed", "the same by (10.111)", T0 + 60 / CAPACITY, s.temperature, "K",
      "(10.111) prints 1/C where (10.95), with the sum of fractions 1/2, gives 2/C");

  double resist = 0.05 * LATENT, stiff = 2 * LATENT * LATENT / (3 * resist);
  s = transform(report, resist, cold, martensite, 300);
  double warm = (300 + CAPACITY * cold + stiff) / (CAPACITY + stiff / T0);
  pc_report_derived(report, "example3.temperature", "temperature with resistance", warm,
                    s.temperature, "K", 1e-10, "(C + 2l^2/(3cT0)) T+ = work + C T + 2l^2/(3c)");
  pc_report_derived(report, "example3.austenite", "austenite with resistance",
                    2 * LATENT * (warm - T0) / (3 * resist * T0), s.fraction[2], "1", 1e-12,
                    "2l (T+ - T0)/(3cT0)");

  static const struct {
    const char *name;
    double resist, work, ratio;
  } ends[] = {{"weak", 1e-3, 262.3803, 1.0015}, {"strong", 5e-2, 394.4487, 1.075}};
  for (int i = 0; i < 2; i++) {
    alloy_context c = {report, ends[i].resist * LATENT, 0};
    pc_report_derived(report, pc_report_name(report, "%s.onset", ends[i].name),
                      "work at which austenite appears", onset, pc_bisect(austenite, &c, 100, 300),
                      "MJ/m3", 1e-9, "C (T0 - T) = 179.685");
    c.level = 1 - 1e-15;
    double end = pc_bisect(austenite, &c, 200, 500);
    pc_report_derived(report, pc_report_name(report, "%s.completion", ends[i].name),
                      "work at which all is austenite", ends[i].work, end, "MJ/m3", 6e-5,
                      "C (T0 - T) + l + 3cCT0/(2l)");
    s = transform(report, c.resist, cold, martensite, end);
    pc_report_derived(report, pc_report_name(report, "%s.ratio", ends[i].name),
                      "T+/T0 when all is austenite", ends[i].ratio, s.temperature / T0, "1", 1e-9,
                      "1 + 3c/(2l)");
  }
  pc_report_untestable(report, "example3.bound", "largest T+ - T0 of example 3, c = l/20",
                       2 * LATENT / (3 * resist * T0), s.temperature - T0, "K",
                       "the text prints 2l/(3cT0), the inverse of the bound that b3 <= 1 gives");

  // Any fractions before: in their set, with the sum that was, more work never less austenite.
  pc_random random;
  pc_random_seed(&random, 10);
  int set = 0, sum = 0, falls = 0, destroyed = 0;
  for (int n = 0; n < 20000; n++) {
    pc_phase_law law = {CAPACITY, LATENT, T0, n % 3 == 0 ? 0 : LATENT * spread(&random, 1e-5, 1)};
    pc_alloy_state before = {T0 * pc_random_uniform(&random, .7, 1.2), {0}}, after, more;
    double total = 0, filled = pc_random_uniform(&random, .1, 1), produced;
    for (int i = 0; i < 3; i++)
      total += before.fraction[i] = pc_random_uniform(&random, 0, 1);
    for (int i = 0; i < 3; i++)
      before.fraction[i] *= filled / total;
    double heat = pc_random_uniform(&random, 0, 400);
    if (pc_alloy_collide(&law, &before, heat, &after, &produced, NULL) != PC_OK ||
        pc_alloy_collide(&law, &before, heat + 1, &more, NULL, NULL) != PC_OK) {
      set++;
      continue;
    }
    const double *f = after.fraction;
    set += !(f[0] >= 0 && f[1] >= 0 && f[2] >= 0);
    sum += !(fabs(f[0] + f[1] + f[2] - filled) < 1e-14);
    falls += more.fraction[2] < f[2] - 1e-14 || more.temperature < after.temperature * (1 - 1e-14);
    destroyed += !(produced >= -1e-12);
  }
  pc_report_property(report, "set", "fractions outside their set", set,
                     "20,000 random states, with voids and without");
  pc_report_property(report, "claims.sum", "sums of fractions that change (10.8)", sum, NULL);
  pc_report_property(report, "monotone", "more work, less austenite or colder", falls, NULL);
  pc_report_property(report, "claims.entropy", "collisions that destroy entropy", destroyed, NULL);
}

const pc_case pc_cases_fremond_heat[] = {
    {"fremond.heat.pair", BOOK "3.7.8", false, pairs},
    {"fremond.heat.claims", BOOK "3.7", false, claims},
    {"fremond.heat.unequal", BOOK "3.7.8, with capacities that differ", false, unequal},
    {"fremond.heat.string", BOOK "3.6", false, string},
    {"fremond.heat.experiment", BOOK "3.9", false, experiment},
    {"fremond.phase.homogeneous.claims", BOOK "7.6.3 and 7.6.4, at a point", false, phase_claims},
    {"fremond.alloy.point", BOOK "10.10", false, alloy},
    {0}};
