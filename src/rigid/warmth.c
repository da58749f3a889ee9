// Heat in a step: what was dissipated becomes heat, heat passes through contacts and to the
// outside.
//
// Each of these is exact for the two it joins, one after the other in the order of contacts: energy
// is kept to the last bit of what is moved, temperatures stay positive, entropy does not fall, and
// any step is stable. Conduction through many contacts of a body is so of first order in h; every
// second step goes through the list backwards, which makes two of them of second order.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/threads.h"
#include "rigid/warmth.h"

// C ln(T / T_start): nothing else of entropy changes.
double pc_warmth_entropy(const pc_warm *body)
{
  return body->inverse > 0 ? log1p(body->heat * body->inverse / body->start) / body->inverse : 0;
}

// Gives heat to a body or an obstacle. What is taken below 0 K means nothing from there on, for
// whatever it shares with next: it may come back above, or be no number.
static void give(struct pc_warmth *heat, pc_warm *body, double joule)
{
  body->heat += joule;
  if (body->inverse > 0) {
    heat->spent = heat->spent || !(pc_warm_temperature(body) > 0);
    return;
  }
  heat->to_obstacles += joule;
  heat->away += joule / body->start;
}

// A collision that dissipates W. With T the means of before and after, (3.165) and (3.166) without
// lambda: C_1 [T_1] + C_2 [T_2] = W, C_1 [T_1] / T_1 = C_2 [T_2] / T_2 = 2 s. So C_i [T_i] = 2 T_i-
// s / (1 - s / C_i), and s is the smaller root of a quadratic equation whose discriminant is a sum
// of squares. What W << C T leaves of it is (3.175) and (3.176).
static double first_share(const pc_warm *one, const pc_warm *two, double w)
{
  double t1 = pc_warm_temperature(one), t2 = pc_warm_temperature(two);
  double c1 = one->inverse, c2 = two->inverse;
  double apart = w * (c1 - c2) + 2 * (t1 - t2);
  double s = 2 * w / (w * (c1 + c2) + 2 * (t1 + t2) + sqrt(apart * apart + 16 * t1 * t2));
  return 2 * t1 * s / (1 - s * c1);
}

static void share(struct pc_warmth *heat, int a, int b, double w)
{
  pc_warm *one = &heat->body[a], *two = &heat->body[b];
  if (w == 0)
    return;
  double first = one->inverse == 0 ? 0 : w;
  if (heat->def.obstacles || (one->inverse > 0 && two->inverse > 0))
    first = first_share(one, two, w);
  give(heat, one, first);
  give(heat, two, w - first);
}

// Two bodies joined for a time: their difference falls by exp(-G h (1/C_1 + 1/C_2)).
static void conduct(struct pc_warmth *heat, int a, int b, double conductance, double h)
{
  pc_warm *one = &heat->body[a], *two = &heat->body[b];
  double sum = one->inverse + two->inverse;
  if (!heat->def.obstacles && (one->inverse == 0 || two->inverse == 0))
    return;
  double passed =
      -expm1(-conductance * h * sum) / sum * (pc_warm_temperature(two) - pc_warm_temperature(one));
  give(heat, one, passed);
  give(heat, two, -passed);
  heat->passed += fabs(passed);
}

// --- what was dissipated ------------------------------------------------------------------------

static double dissipated(const pc_world *world, int interaction)
{
  return interaction >= 0 ? pc_impact_dissipated(world->problem.impact, interaction) : 0;
}

static void take_some(void *context, int begin, int end, int worker)
{
  const pc_world *world = context;
  for (int t = begin; t < end; t++)
    world->heat->taken[t] = dissipated(world, world->contacts.list.at[t].interaction);
}

pc_status pc_warmth_take(pc_world *world)
{
  struct pc_warmth *heat = world->heat;
  if (!pc_grow(&heat->taken, &heat->taken_room, world->contacts.list.count, sizeof(double)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  pc_parallel(pc_world_threads(world), world->contacts.list.count, 200, take_some, world);
  for (int t = 0; t < world->contacts.list.count; t++)
    share(heat, world->contacts.list.at[t].body[0], world->contacts.list.at[t].body[1],
          heat->taken[t]);
  for (int b = 0; b < world->elements.bond.count; b++) {
    const pc_bond *bond = &world->elements.bond.at[b];
    share(heat, pc_body_slot(world, bond->body[0]), pc_body_slot(world, bond->body[1]),
          dissipated(world, bond->interaction));
  }
  return PC_OK;
}

// What stiff elements dissipate: the damping of strings, and what the solver's tolerance leaves
// between percussion and law. One that holds a body alone gives it all to the body.
static void take_stiff(pc_world *world)
{
  for (int s = 0; s < world->elements.row.count; s++) {
    const pc_stiff *stiff = &world->elements.row.at[s];
    double w = dissipated(world, stiff->interaction) - stiff->counted;
    const pc_force_element *string =
        stiff->element >= 0 ? &world->elements.list.at[stiff->element] : NULL;
    if (string != NULL && string->kind == PC_ELEMENT_STRING)
      share(world->heat, string->bodies[0], string->bodies[1], w);
    else if (stiff->body[1] >= 0)
      share(world->heat, stiff->body[0], stiff->body[1], w);
    else
      give(world->heat, &world->heat->body[stiff->body[0]], w);
  }
}

void pc_warmth_freeze(pc_world *world, int i)
{
  pc_energies own = {0};
  pc_body_add_energies(world, i, &own);
  give(world->heat, &world->heat->body[i], own.translation + own.rotation);
}

// --- what passes --------------------------------------------------------------------------------

static bool is_pressed(const pc_world *world, const pc_touch *touch)
{
  return world->def.treatment == PC_PENALTY ? touch->gap < 0 : pc_is_pressed(touch);
}

// The first contact of a pair of bodies that is pressed stands for the pair: how many points they
// have, and which of them carry, says nothing about the surface between them.
static bool stands_for_pair(const pc_world *world, const pc_touch *list, int t)
{
  if (!is_pressed(world, &list[t]))
    return false;
  for (int s = t - 1;
       s >= 0 && list[s].body[0] == list[t].body[0] && list[s].body[1] == list[t].body[1]; s--)
    if (is_pressed(world, &list[s]))
      return false;
  return true;
}

static void conduct_list(pc_world *world, const pc_touch *list, int count, bool back, double h)
{
  for (int k = 0; k < count; k++) {
    int t = back ? count - 1 - k : k;
    if (stands_for_pair(world, list, t))
      conduct(world->heat, list[t].body[0], list[t].body[1], world->heat->def.conductance, h);
  }
}

// Bodies that sleep conduct as well.
static void conduct_all(pc_world *world, double h)
{
  bool back = world->clock.step % 2 != 0;
  if (back)
    conduct_list(world, world->sleep.contacts.at, world->sleep.contacts.count, back, h);
  conduct_list(world, world->contacts.list.at, world->contacts.list.count, back, h);
  if (!back)
    conduct_list(world, world->sleep.contacts.at, world->sleep.contacts.count, back, h);
}

// --- bodies one by one --------------------------------------------------------------------------

// Sums are kept apart until a piece is done.
typedef struct warm_sums {
  double outside, thermal, entropy, hottest, coldest;
  int hottest_body;
} warm_sums;
typedef struct warm_job {
  pc_world *world;
  double h;
  warm_sums sums[PC_PIECES];
} warm_job;

// Cooling: the difference to the outside falls by exp(-G h / C).
static double cool(const struct pc_warmth *heat, pc_warm *body, double h)
{
  if (body->exchange == 0 || h == 0)
    return 0;
  double given = -expm1(-body->exchange * body->inverse * h) / body->inverse *
                 (pc_warm_temperature(body) - heat->def.outside);
  body->heat -= given;
  return given;
}

static void cool_pieces(void *context, int begin, int end, int worker)
{
  warm_job *job = context;
  const pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    warm_sums sums = {.hottest = -INFINITY, .coldest = INFINITY};
    int last = pc_piece_begin(world->bodies.count, piece + 1);
    for (int i = pc_piece_begin(world->bodies.count, piece); i < last; i++) {
      pc_warm *body = &world->heat->body[i];
      if (world->bodies.solid.at[i].absent || body->inverse == 0)
        continue;
      sums.outside += cool(world->heat, body, job->h);
      sums.thermal += body->heat;
      sums.entropy += body->heat != 0 ? pc_warmth_entropy(body) : 0;
      double temperature = pc_warm_temperature(body);
      if (temperature > sums.hottest) {
        sums.hottest = temperature;
        sums.hottest_body = i;
      }
      sums.coldest = fmin(sums.coldest, temperature);
    }
    job->sums[piece] = sums;
  }
}

// Cools all bodies over h, and says what they have then.
static warm_sums cool_all(pc_world *world, double h)
{
  warm_job job = {.world = world, .h = h};
  int pieces = pc_pieces(world->bodies.count);
  pc_parallel(pc_world_threads(world), pieces, 2, cool_pieces, &job);
  warm_sums sums = job.sums[0];
  for (int i = 1; i < pieces; i++) {
    const warm_sums *more = &job.sums[i];
    sums.outside += more->outside;
    sums.thermal += more->thermal;
    sums.entropy += more->entropy;
    if (more->hottest > sums.hottest) {
      sums.hottest = more->hottest;
      sums.hottest_body = more->hottest_body;
    }
    sums.coldest = fmin(sums.coldest, more->coldest);
  }
  return sums;
}

static void note(pc_world *world, const warm_sums *sums)
{
  pc_step_info *info = &world->info;
  bool any = sums->hottest >= sums->coldest;
  info->thermal = sums->thermal;
  info->entropy = sums->entropy;
  info->hottest = any ? sums->hottest : 0;
  info->coldest = any ? sums->coldest : 0;
  info->hottest_body = any ? pc_body_number(world, sums->hottest_body).id : 0;
}

void pc_warmth_measure(pc_world *world)
{
  warm_sums sums = cool_all(world, 0);
  note(world, &sums);
}

// --- the step -----------------------------------------------------------------------------------

void pc_warmth_begin(pc_world *world)
{
  struct pc_warmth *heat = world->heat;
  heat->to_obstacles = heat->to_outside = heat->away = heat->passed = 0;
  heat->spent = false;
}

pc_status pc_warmth_step(pc_world *world, double h)
{
  struct pc_warmth *heat = world->heat;
  pc_step_info *info = &world->info;
  double before = info->entropy;
  pc_status status = pc_warmth_take(world);
  if (status != PC_OK)
    return status;
  take_stiff(world);
  if (heat->def.conductance > 0)
    conduct_all(world, h);
  warm_sums sums = cool_all(world, h);
  heat->to_outside += sums.outside;
  heat->away += sums.outside / heat->def.outside;
  note(world, &sums);
  info->heat_outside = heat->to_outside;
  info->heat_obstacles = heat->to_obstacles;
  info->entropy_produced = info->entropy - before + heat->away;
  info->total_heat_outside += info->heat_outside;
  info->total_heat_obstacles += info->heat_obstacles;
  info->total_entropy_produced += info->entropy_produced;
  world->balance.energy_turnover +=
      heat->passed + fabs(info->heat_outside) + fabs(info->heat_obstacles);
  if (!heat->spent || !isfinite(info->dissipated)) // what is not finite has another source
    return PC_OK;
  return pc_fail(&world->error, PC_ERROR_NUMERIC,
                 "step %ld: contacts gave more energy than bodies have heat: no temperature is "
                 "left above 0 K",
                 world->clock.step);
}

// What falling asleep gave to bodies.
void pc_warmth_frozen(pc_world *world)
{
  pc_step_info *info = &world->info;
  double before = info->entropy;
  pc_warmth_measure(world);
  info->entropy_produced += info->entropy - before;
  info->total_entropy_produced += info->entropy - before;
}

void pc_warmth_set_present(pc_world *world, int i, bool present)
{
  const pc_warm *body = &world->heat->body[i];
  double sign = present ? 1 : -1;
  if (body->inverse == 0)
    return;
  world->balance.given += sign * body->heat;
  world->info.entropy += sign * pc_warmth_entropy(body);
}
