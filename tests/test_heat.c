// Temperatures of bodies after a collision: golden values, an oracle of bisections in long double,
// and what must hold for any numbers: energy, entropy, one answer, limits.
#include "support.h"

#include <stdbool.h>
#include <string.h>

#include "percuss/heat.h"

enum { MOST = 60, LINKS = 180 };

static pc_heat *solver;

static int set_up(void **state)
{
  return (solver = pc_heat_create()) == NULL;
}

static int tear_down(void **state)
{
  pc_heat_destroy(solver);
  return 0;
}

static void solved(pc_heat_mode mode, int bodies, const pc_heat_body *body, int links,
                   const pc_heat_interaction *link, pc_heat_result *after, pc_heat_info *info)
{
  pc_error error;
  assert_ok(pc_heat_solve(solver, mode, bodies, body, links, link, after, info, &error), &error);
}

typedef struct pair {
  double t1, t2, c1, c2, lambda, work;
} pair;

static pc_status solve_pair(pc_heat_mode mode, const pair *p, pc_heat_result after[2],
                            pc_heat_info *info, pc_error *error)
{
  pc_heat_body body[2] = {{.temperature = p->t1, .capacity = p->c1},
                          {.temperature = p->t2, .capacity = p->c2}};
  pc_heat_interaction link = {{0, 1}, p->work, p->lambda};
  return pc_heat_solve(solver, mode, 2, body, 1, &link, after, info, error);
}

static void the_table_of_pairs(void **state)
{
  static const struct {
    pair p;
    double adiabatic[2], isentropic[2], small[2];
    bool valid;
  } table[] = {
      {{300, 300, 1, 1, 0, 10}, {305, 305}, {304.999886167, 304.999886167}, {305, 305}, true},
      {{300, 310, 1, 1, 0, 10},
       {304.918032787, 315.081967213},
       {304.917924432, 315.081855246},
       {304.918032787, 315.081967213},
       true},
      {{300, 310, 1, 1, 1e-4, 10},
       {305.071888580, 314.928111420},
       {305.071769813, 314.928009249},
       {305.070491803, 314.929508197},
       true},
      {{300, 310, 1, 1, 1e-3, 10},
       {306.270865477, 313.729134523},
       {306.270652970, 313.729078977},
       {306.442622951, 313.557377049},
       false},
      {{300, 310, 1, 1, 1, 0},
       {309.934853419, 300.065146581},
       {309.934847508, 300.065152116},
       {1824.590163934, -1214.590163934},
       false},
      {{300, 310, 1, 1, 1e3, 0},
       {309.999934427, 300.000065573},
       {309.999934421, 300.000065579},
       {0},
       false},
      {{100, 900, 2, 2, .005, 300},
       {410.314709616, 739.685290384},
       {365.362967265, 748.934469822},
       {295, 855},
       false}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    pc_heat_result after[2];
    pc_heat_info info;
    assert_int_equal(solve_pair(PC_HEAT_ADIABATIC, &table[i].p, after, &info, NULL), PC_OK);
    for (int b = 0; b < 2; b++)
      assert_near(after[b].temperature, table[i].adiabatic[b], 6e-10);
    assert_int_equal(solve_pair(PC_HEAT_ISENTROPIC, &table[i].p, after, &info, NULL), PC_OK);
    for (int b = 0; b < 2; b++)
      assert_near(after[b].temperature, table[i].isentropic[b], 6e-10);
    assert_int_equal(solve_pair(PC_HEAT_SMALL, &table[i].p, after, &info, NULL), PC_OK);
    assert_int_equal(info.valid, table[i].valid);
    for (int b = 0; b < 2 && table[i].small[0] != 0; b++)
      assert_near(after[b].temperature, table[i].small[b], 6e-10);
  }
}

static long double mean_of(pc_heat_mode mode, long double before, long double after)
{
  long double x = (after - before) / before;
  if (mode != PC_HEAT_CLOSED)
    return (before + after) / 2;
  return fabsl(x) < 1e-5L ? before * (1 + x / 2 - x * x / 12 + x * x * x / 24)
                          : (after - before) / logl(after / before);
}

// s2 - s1 + lambda (t2 - t1) when the second body gets the heat x; increases with x.
static long double excess(pc_heat_mode mode, const pair *p, long double x)
{
  long double t1 = p->t1, t2 = p->t2, a = t1 + (p->work - x) / p->c1, b = t2 + x / p->c2;
  long double m1 = mean_of(mode, t1, a), m2 = mean_of(mode, t2, b);
  return x / m2 - (p->work - x) / m1 + p->lambda * (m2 - m1);
}

// False if there is no positive solution.
static bool bisect_heat(pc_heat_mode mode, const pair *p, long double after[2])
{
  long double low = -(long double)p->c2 * p->t2, high = p->work + (long double)p->c1 * p->t1;
  if (mode == PC_HEAT_ADIABATIC && (excess(mode, p, low) >= 0 || excess(mode, p, high) <= 0))
    return false;
  for (int i = 0; i < 200; i++) {
    long double middle = (low + high) / 2;
    if (excess(mode, p, middle) > 0)
      high = middle;
    else
      low = middle;
  }
  after[0] = p->t1 + (p->work - low) / p->c1;
  after[1] = p->t2 + low / p->c2;
  return true;
}

// The isentropic pair by nested bisections of s_i = ln(T+/T-) (3.160, 3.161).
static long double follow(const pair *p, long double s1)
{
  long double want = p->c1 * s1 + p->lambda * p->t1 * (1 + expl(s1)) / 2, low = -60, high = 60;
  for (int i = 0; i < 90; i++) {
    long double s2 = (low + high) / 2;
    if (p->c2 * s2 + p->lambda * p->t2 * (1 + expl(s2)) / 2 > want)
      high = s2;
    else
      low = s2;
  }
  return low;
}

static void bisect_entropy(const pair *p, long double after[2])
{
  long double low = -60, high = 60;
  for (int i = 0; i < 90; i++) {
    long double s1 = (low + high) / 2, s2 = follow(p, s1);
    long double work = p->c1 * s1 * p->t1 * (1 + expl(s1)) / 2;
    work += p->c2 * s2 * p->t2 * (1 + expl(s2)) / 2;
    if (work > p->work)
      high = s1;
    else
      low = s1;
  }
  after[0] = p->t1 * expl(low);
  after[1] = p->t2 * expl(follow(p, low));
}

// Sizes of everything over many decades; one in four has no work, one in four no exchange.
static pair random_pair(pc_random *random)
{
  pair p = {.t1 = random_decades(random, 10, 3000), .t2 = random_decades(random, 10, 3000)};
  p.c1 = random_decades(random, 1e-3, 1e3);
  p.c2 = pc_random_below(random, 3) == 0 ? p.c1 : random_decades(random, 1e-3, 1e3);
  double c = fmin(p.c1, p.c2);
  p.work = pc_random_below(random, 4) == 0 ? 0 : c * p.t1 * random_decades(random, 1e-12, 10);
  p.lambda = pc_random_below(random, 4) == 0 ? 0 : c / p.t1 * random_decades(random, 1e-9, 1e6);
  return p;
}

static void pairs_are_those_of_bisection(void **state)
{
  pc_random random = test_random("pairs");
  int count = test_count(12000), without = 0;
  for (int n = 0; n < count; n++) {
    pair p = random_pair(&random);
    for (pc_heat_mode mode = PC_HEAT_CLOSED; mode <= PC_HEAT_ADIABATIC; mode++) {
      pc_heat_result after[2];
      pc_heat_info info;
      long double want[2];
      bool exists = bisect_heat(mode, &p, want);
      pc_status status = solve_pair(mode, &p, after, &info, NULL);
      if (exists && want[0] > 1e-6 * p.t1 && want[1] > 1e-6 * p.t2) {
        assert_int_equal(status, PC_OK);
        assert_near(after[0].temperature, (double)want[0], 1e-12 * (double)(want[0] + p.t1));
        assert_near(after[1].temperature, (double)want[1], 1e-12 * (double)(want[1] + p.t2));
      }
      if (!exists) {
        assert_int_equal(status, PC_ERROR_NUMERIC);
        assert_false(info.solved);
        without++;
      }
    }
  }
  assert_true(without > 0); // hot light bodies on cold heavy ones are among them
}

static void isentropic_pairs_are_those_of_bisection(void **state)
{
  pc_random random = test_random("isentropic pairs");
  for (int n = 0, count = test_count(300); n < count; n++) {
    pair p = random_pair(&random);
    pc_heat_result after[2];
    long double want[2];
    bisect_entropy(&p, want);
    if (want[0] < 1e-6 * p.t1 || want[1] < 1e-6 * p.t2)
      continue;
    assert_int_equal(solve_pair(PC_HEAT_ISENTROPIC, &p, after, NULL, NULL), PC_OK);
    assert_near(after[0].temperature, (double)want[0], 1e-11 * (double)(want[0] + p.t1));
    assert_near(after[1].temperature, (double)want[1], 1e-11 * (double)(want[1] + p.t2));
  }
}

// The linear mode is a 2 x 2 system (3.171, 3.172).
static void linear_pairs_are_cramers(void **state)
{
  pc_random random = test_random("linear pairs");
  for (int n = 0, count = test_count(1000); n < count; n++) {
    pair p = random_pair(&random);
    pc_heat_result after[2];
    pc_heat_info info;
    assert_int_equal(solve_pair(PC_HEAT_LINEAR, &p, after, &info, NULL), PC_OK);
    long double a = p.c1, b = p.c2, c = -(a / p.t1 + p.lambda / 2.0L),
                d = b / p.t2 + p.lambda / 2.0L;
    long double r = -(long double)p.lambda * ((long double)p.t2 - p.t1), det = a * d - b * c;
    double x = (double)((p.work * d - b * r) / det), y = (double)((a * r - c * p.work) / det);
    assert_near(after[0].jump, x, 1e-12 * (fabs(x) + p.t1));
    assert_near(after[1].jump, y, 1e-12 * (fabs(y) + p.t2));
    assert_int_equal(info.valid, fabs(x) < 0.1 * p.t1 && fabs(y) < 0.1 * p.t2);
  }
}

// An adiabatic pair has a solution unless its light hot body would have to give more than it has:
// T2 + (W + C1 T1)/(2 C2) < T1/2 and an exchange beyond this one.
static void where_adiabatic_pairs_end(void **state)
{
  pair p = {.t1 = 900, .t2 = 300, .c1 = 1, .c2 = 10, .work = 5};
  double mean = p.t2 + (p.work + p.c1 * p.t1) / (2 * p.c2);
  double most = ((p.work + p.c1 * p.t1) / mean + 2 * p.c1) / (p.t1 / 2 - mean);
  pc_heat_result after[2];
  pc_heat_info info;
  pc_error error;
  p.lambda = 0.999 * most;
  assert_int_equal(solve_pair(PC_HEAT_ADIABATIC, &p, after, &info, NULL), PC_OK);
  assert_true(after[0].temperature > 0 && after[0].temperature < 1);
  assert_true(info.account.entropy < 0); // although `produced` is not: some is taken outside
  assert_true(info.account.produced > 0);
  p.lambda = 1.001 * most;
  assert_int_equal(solve_pair(PC_HEAT_ADIABATIC, &p, after, &info, &error), PC_ERROR_NUMERIC);
  assert_non_null(strstr(error.text, "body 0"));
  assert_near(after[0].temperature, 900, 0);
  assert_int_equal(solve_pair(PC_HEAT_CLOSED, &p, after, &info, NULL), PC_OK);
  assert_true(info.account.entropy > 0);
}

typedef struct network {
  int bodies, links;
  pc_heat_body body[MOST];
  pc_heat_interaction link[LINKS];
} network;

static network random_network(pc_random *random, double strongest)
{
  network n = {.bodies = 2 + pc_random_below(random, pc_random_below(random, 8) == 0 ? 58 : 8)};
  n.links = 1 + pc_random_below(random, 3 * n.bodies);
  for (int i = 0; i < n.bodies; i++)
    n.body[i] = (pc_heat_body){.temperature = random_decades(random, 50, 1500),
                               .capacity = random_decades(random, 1e-2, 1e2)};
  for (int k = 0; k < n.links; k++) {
    int i = pc_random_below(random, n.bodies), j = pc_random_below(random, n.bodies);
    j = i == j ? PC_HEAT_NOBODY : j;
    double c = fmin(n.body[i].capacity, j < 0 ? INFINITY : n.body[j].capacity);
    double t = n.body[i].temperature;
    n.link[k] = (pc_heat_interaction){
        {i, j},
        pc_random_below(random, 4) == 0 ? 0 : c * t * random_decades(random, 1e-9, 1),
        pc_random_below(random, 4) == 0 ? 0 : c / t * random_decades(random, 1e-6, strongest)};
  }
  return n;
}

// Energy and the two sides of the entropy, added up here from the answer alone.
static void check_balance(const network *n, const pc_heat_result *after, const pc_heat_info *info,
                          pc_heat_mode mode)
{
  double energy = 0, sizes = 0, entropy = 0, entropies = 0, work = 0;
  for (int k = 0; k < n->links; k++)
    work += n->link[k].work;
  for (int i = 0; i < n->bodies; i++) {
    assert_true(after[i].temperature > 0);
    double c = n->body[i].capacity, t = n->body[i].temperature;
    energy += c * after[i].jump;
    sizes += c * (t + fabs(after[i].jump));
    entropy += c * log(after[i].temperature / t);
    entropies += c;
    assert_near(after[i].temperature, t + after[i].jump, 1e-13 * (t + after[i].temperature));
  }
  assert_near(energy, work + info->account.supplied, 1e-13 * sizes);
  assert_near(entropy, info->account.entropy, 1e-12 * entropies);
  assert_near(entropy, info->account.produced + info->account.entropy_supplied, 1e-11 * entropies);
  assert_true(info->account.produced >= 0);
  if (mode == PC_HEAT_CLOSED) {
    assert_near(info->account.supplied, 0, 0);
    assert_near(info->account.entropy_supplied, 0, 0);
  }
  if (mode != PC_HEAT_ADIABATIC)
    assert_true(entropy >= -1e-13 * entropies);
  assert_true(info->account.closed && info->solved);
}

static void networks_balance(void **state)
{
  pc_random random = test_random("networks");
  static const pc_heat_mode modes[] = {PC_HEAT_CLOSED, PC_HEAT_ADIABATIC, PC_HEAT_ISENTROPIC};
  for (int c = 0, count = test_count(1500); c < count; c++) {
    network n = random_network(&random, c % 2 == 0 ? 0.3 : 1e5);
    for (int m = 0; m < 3; m++) {
      pc_heat_result after[MOST];
      pc_heat_info info;
      pc_status status =
          pc_heat_solve(solver, modes[m], n.bodies, n.body, n.links, n.link, after, &info, NULL);
      if (m == 0 || c % 2 == 0)
        assert_int_equal(status, PC_OK);
      if (status == PC_OK)
        check_balance(&n, after, &info, modes[m]);
    }
  }
}

// Bodies in another order, interactions in another order, sides swapped, and each of them cut in
// two: another way through the same equations, the same answer.
static void networks_have_one_answer(void **state)
{
  pc_random random = test_random("one answer");
  for (int c = 0, count = test_count(1000); c < count; c++) {
    network n = random_network(&random, c % 2 == 0 ? 0.3 : 1e4);
    pc_heat_interaction link[2 * LINKS];
    pc_heat_body body[MOST];
    int place[MOST];
    for (int i = 0; i < n.bodies; i++)
      place[i] = i;
    for (int i = n.bodies - 1; i > 0; i--) {
      int j = pc_random_below(&random, i + 1), kept = place[i];
      place[i] = place[j];
      place[j] = kept;
    }
    for (int i = 0; i < n.bodies; i++)
      body[place[i]] = n.body[i];
    for (int k = 0; k < n.links; k++) {
      pc_heat_interaction l = n.link[n.links - 1 - k];
      int i = place[l.bodies[0]], j = l.bodies[1] < 0 ? -1 : place[l.bodies[1]];
      double part = pc_random_uniform(&random, 0, 1);
      bool swap = j >= 0 && pc_random_below(&random, 2) == 0;
      link[k] =
          (pc_heat_interaction){{swap ? j : i, swap ? i : j}, part * l.work, part * l.exchange};
      link[n.links + k] =
          (pc_heat_interaction){{i, j}, l.work - link[k].work, l.exchange - link[k].exchange};
    }
    pc_heat_result one[MOST], other[MOST];
    solved(PC_HEAT_CLOSED, n.bodies, n.body, n.links, n.link, one, NULL);
    solved(PC_HEAT_CLOSED, n.bodies, body, 2 * n.links, link, other, NULL);
    for (int i = 0; i < n.bodies; i++)
      assert_near(one[i].temperature, other[place[i]].temperature,
                  1e-11 * (one[i].temperature + n.body[i].temperature));
  }
}

// With equal capacities, which the book has, entropy does not fall in an adiabatic pair.
static void entropy_of_equal_adiabatic_pairs(void **state)
{
  pc_random random = test_random("equal pairs");
  for (int n = 0, count = test_count(10000); n < count; n++) {
    pair p = random_pair(&random);
    p.c2 = p.c1;
    pc_heat_result after[2];
    pc_heat_info info;
    assert_int_equal(solve_pair(PC_HEAT_ADIABATIC, &p, after, &info, NULL), PC_OK);
    assert_true(info.account.entropy >= -1e-14 * p.c1);
    double received =
        p.work +
        p.lambda * pow((p.t2 + after[1].temperature - p.t1 - after[0].temperature) / 2, 2) / 2;
    double mean = (p.t1 + p.t2 + after[0].temperature + after[1].temperature) / 4;
    if (p.lambda * p.t1 < p.c1) // both sides keep their digits
      assert_near(info.account.produced, received / mean, 1e-12 * (p.c1 + received / mean));
  }
}

static void limits_of_pairs(void **state)
{
  for (pc_heat_mode mode = PC_HEAT_CLOSED; mode <= PC_HEAT_SMALL; mode++) {
    pair p = {.t1 = 280, .t2 = 410, .c1 = 3, .c2 = 3};
    pc_heat_result after[2];
    pc_heat_info info;
    assert_int_equal(solve_pair(mode, &p, after, &info, NULL), PC_OK); // nothing happens
    assert_true(after[0].temperature == 280 && after[1].temperature == 410);
    if (mode == PC_HEAT_SMALL)
      continue;
    p.lambda = 1e8; // temperatures change places
    assert_int_equal(solve_pair(mode, &p, after, &info, NULL), PC_OK);
    assert_near(after[0].temperature, 410, mode == PC_HEAT_LINEAR ? 1e-3 : 1e-7);
    assert_near(after[1].temperature, 280, mode == PC_HEAT_LINEAR ? 1e-3 : 1e-7);
  }
}

// All modes agree with the small one up to second order: half of W and lambda, a quarter of the
// difference, whatever the capacities.
static void small_perturbations_are_a_limit(void **state)
{
  for (pc_heat_mode mode = PC_HEAT_CLOSED; mode <= PC_HEAT_LINEAR; mode++) {
    double difference[2];
    for (int i = 0; i < 2; i++) {
      double part = i == 0 ? 1 : 0.5;
      pair p = {300, 340, 1, 4, part * 1e-6, part * 0.01};
      pc_heat_result after[2], small[2];
      assert_int_equal(solve_pair(mode, &p, after, NULL, NULL), PC_OK);
      assert_int_equal(solve_pair(PC_HEAT_SMALL, &p, small, NULL, NULL), PC_OK);
      difference[i] = after[0].jump - small[0].jump;
    }
    assert_near(difference[0] / difference[1], 4, 0.01);
  }
}

// A body that keeps its temperature is one with a very large capacity, and the energy balance has
// what it took.
static void outsides_are_large_bodies(void **state)
{
  for (pc_heat_mode mode = PC_HEAT_CLOSED; mode <= PC_HEAT_SMALL; mode++) {
    pc_heat_body body[2] = {{.temperature = 350, .capacity = 2},
                            {.temperature = 290, .capacity = INFINITY}};
    pc_heat_interaction link = {{0, 1}, 30, mode == PC_HEAT_SMALL ? 1e-4 : 1e-2};
    pc_heat_result kept[2], large[2];
    pc_heat_info info;
    solved(mode, 2, body, 1, &link, kept, &info);
    assert_true(kept[1].temperature == 290 && kept[1].jump == 0);
    assert_true(info.account.closed && info.account.produced > 0);
    assert_near(info.account.received, -kept[1].heat, 1e-12);
    assert_near(info.account.energy, 30 - kept[1].heat + info.account.supplied, 1e-12);
    if (mode == PC_HEAT_CLOSED)
      assert_near(2 * log(kept[0].temperature / 350) + kept[1].heat / 290, info.account.produced,
                  1e-13);
    body[1].capacity = 1e12;
    solved(mode, 2, body, 1, &link, large, NULL);
    assert_near(kept[0].temperature, large[0].temperature, 1e-7);
    assert_near(kept[1].heat, large[1].heat, 1e-6);
  }
}

// (3.68): C [T] = exchange (outside - t). In closed form when adiabatic.
static void exchange_with_an_outside(void **state)
{
  pc_heat_body body = {.temperature = 400, .capacity = 2, .exchange = 3, .outside = 300};
  pc_heat_interaction link = {{0, PC_HEAT_NOBODY}, 50, 0};
  pc_heat_result after;
  pc_heat_info info;
  solved(PC_HEAT_ADIABATIC, 1, &body, 1, &link, &after, &info);
  double want = (50 + 3 * (300 - 400.0)) / (2 + 1.5);
  assert_near(after.jump, want, 1e-12);
  assert_near(info.account.received, 2 * want - 50, 1e-11);
  assert_true(info.account.closed);
  body.exchange = 1e9;
  solved(PC_HEAT_ADIABATIC, 1, &body, 1, &link, &after, &info);
  assert_near(after.temperature, 200, 1e-6); // mean temperature: the outside's
  assert_true(info.account.closed);
  for (pc_heat_mode mode = PC_HEAT_CLOSED; mode <= PC_HEAT_SMALL; mode++) {
    body.exchange = 1e-3;
    solved(mode, 1, &body, 1, &link, &after, &info);
    assert_true(info.account.closed && info.account.produced > 0);
    double mean = mode == PC_HEAT_SMALL ? 400 : 400 + after.jump / 2;
    if (mode == PC_HEAT_CLOSED)
      mean = after.jump / log(after.temperature / 400);
    assert_near(info.account.received, 1e-3 * (300 - mean), 1e-13);
  }
}

static void one_body_alone_has_all_the_work(void **state)
{
  pc_heat_body body = {.temperature = 293, .capacity = 0.05};
  pc_heat_interaction link = {{0, PC_HEAT_NOBODY}, 0.27, 0};
  for (pc_heat_mode mode = PC_HEAT_CLOSED; mode <= PC_HEAT_SMALL; mode++) {
    pc_heat_result after;
    solved(mode, 1, &body, 1, &link, &after, NULL);
    if (mode != PC_HEAT_ISENTROPIC)
      assert_near(after.jump, 5.4, 1e-13);
    assert_near(after.jump, 5.4, 1e-2);
  }
}

// No interactions, no bodies, or none that can change.
static void where_nothing_can_change(void **state)
{
  pc_heat_body body[2] = {{.temperature = 300, .capacity = 1}, {.temperature = 310, .capacity = 2}};
  pc_heat_interaction link = {{0, 1}, 5, 1e6};
  pc_heat_result after[2];
  pc_heat_info info;
  for (pc_heat_mode mode = PC_HEAT_CLOSED; mode <= PC_HEAT_SMALL; mode++) {
    solved(mode, 0, NULL, 0, NULL, after, &info);
    assert_true(info.account.closed && info.valid);
    solved(mode, 2, body, 0, NULL, after, &info);
    assert_true(after[0].temperature == 300 && after[1].temperature == 310);
    pc_heat_body outside[2] = {body[0], body[1]};
    outside[0].capacity = outside[1].capacity = INFINITY;
    solved(mode, 2, outside, 1, &link, after, &info);
    assert_true(after[0].temperature == 300 && after[1].temperature == 310);
    assert_near(after[0].heat + after[1].heat, 5, 1e-6); // of 1e9 J that pass
    assert_true(info.account.closed && info.account.energy == 0);
  }
}

// Laws that are no pseudo-potential may give a little energy back.
static void work_that_is_given_back(void **state)
{
  pc_random random = test_random("work given back");
  for (int c = 0, count = test_count(300); c < count; c++) {
    network n = random_network(&random, 1);
    for (int k = 0; k < n.links; k++)
      n.link[k].work *= k % 3 == 0 ? -1e-3 : 1e-2;
    pc_heat_result after[MOST];
    pc_heat_info info;
    solved(PC_HEAT_CLOSED, n.bodies, n.body, n.links, n.link, after, &info);
    assert_true(info.account.closed);
    assert_true(info.account.energy_error < 1e-13);
  }
}

static void wrong_numbers_are_named(void **state)
{
  static const struct {
    pc_heat_body body;
    pc_heat_interaction link;
    const char *text;
  } wrong[] = {
      {{.temperature = 0, .capacity = 1},
       {{0, -1}, 0, 0},
       ": the temperature must be positive (got"},
      {{.temperature = -3, .capacity = 1},
       {{0, -1}, 0, 0},
       ": the temperature must be positive (got"},
      {{.temperature = 300, .capacity = 0},
       {{0, -1}, 0, 0},
       ": the heat capacity must be positive (got"},
      {{.temperature = 300, .capacity = 1, .exchange = -1},
       {{0, -1}, 0, 0},
       ": the exchange must be 0 or more (got"},
      {{.temperature = 300, .capacity = 1, .exchange = 1},
       {{0, -1}, 0, 0},
       "outside temperature must be positive (got 0 K)"},
      {{.temperature = 300, .capacity = 1},
       {{0, 2}, 0, 0},
       "interaction 0: invalid bodies 0 and 2 of 2"},
      {{.temperature = 300, .capacity = 1}, {{0, 0}, 0, 0}, ": invalid bodies"},
      {{.temperature = 300, .capacity = 1},
       {{0, 1}, 0, -1},
       ": the exchange must be 0 or more (got"},
      {{.temperature = 300, .capacity = 1}, {{0, 1}, NAN, 0}, "interaction 0: invalid work nan"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    pc_heat_body body[2] = {{.temperature = 300, .capacity = 1}, wrong[i].body};
    pc_heat_result after[2];
    pc_error error = {0};
    assert_int_equal(
        pc_heat_solve(solver, PC_HEAT_CLOSED, 2, body, 1, &wrong[i].link, after, NULL, &error),
        PC_ERROR_ARGUMENT);
    assert_says(error.text, wrong[i].text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_of_pairs),
      cmocka_unit_test(pairs_are_those_of_bisection),
      cmocka_unit_test(isentropic_pairs_are_those_of_bisection),
      cmocka_unit_test(linear_pairs_are_cramers),
      cmocka_unit_test(where_adiabatic_pairs_end),
      cmocka_unit_test(networks_balance),
      cmocka_unit_test(networks_have_one_answer),
      cmocka_unit_test(entropy_of_equal_adiabatic_pairs),
      cmocka_unit_test(limits_of_pairs),
      cmocka_unit_test(small_perturbations_are_a_limit),
      cmocka_unit_test(outsides_are_large_bodies),
      cmocka_unit_test(exchange_with_an_outside),
      cmocka_unit_test(one_body_alone_has_all_the_work),
      cmocka_unit_test(where_nothing_can_change),
      cmocka_unit_test(work_that_is_given_back),
      cmocka_unit_test(wrong_numbers_are_named),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
