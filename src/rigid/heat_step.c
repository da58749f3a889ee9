// Heat in a step: what was dissipated becomes heat, heat passes through contacts and to the
// outside.
//
// Each of these is exact for the two bodies it joins, one after the other in the order of contacts:
// energy is kept to the last bit of what is moved, temperatures stay positive, entropy does not
// fall, and any step is stable. Conduction through many contacts of a body is therefore of first
// order in h; every second step goes through the list backwards, which makes two of them of second
// order.
#include <math.h>

#include "core/elementary.h"
#include "core/threads.h"
#include "rigid/heat.h"
#include "rigid/pieces.h"

void pc_heat_store_begin(pc_heat_store *heat)
{
  heat->to_obstacles = heat->to_outside = heat->away = heat->passed = 0;
  heat->spent = false;
}

// Gives heat to a body or an obstacle. What is taken below 0 K means nothing from there on, for
// whatever it shares with next: it may come back above, or be no number.
static void give(pc_heat_store *heat, pc_body_heat *body, double joule)
{
  body->heat += joule;
  if (body->inverse > 0) {
    heat->spent = heat->spent || !(pc_body_temperature(body) > 0);
    return;
  }
  heat->to_obstacles += joule;
  heat->away += joule / body->start;
}

// A collision that dissipates W. With T the means of before and after, (3.165) and (3.166) without
// lambda: C_1 [T_1] + C_2 [T_2] = W, C_1 [T_1] / T_1 = C_2 [T_2] / T_2 = 2 s. So C_i [T_i] = 2 T_i-
// s / (1 - s / C_i), and s is the smaller root of a quadratic equation whose discriminant is a sum
// of squares. What W << C T leaves of it is (3.175) and (3.176).
static double first_share(const pc_body_heat *one, const pc_body_heat *two, double w)
{
  double t1 = pc_body_temperature(one), t2 = pc_body_temperature(two);
  double c1 = one->inverse, c2 = two->inverse;
  double apart = w * (c1 - c2) + 2 * (t1 - t2);
  double s = 2 * w / (w * (c1 + c2) + 2 * (t1 + t2) + sqrt(apart * apart + 16 * t1 * t2));
  return 2 * t1 * s / (1 - s * c1);
}

static void share(pc_heat_store *heat, int a, int b, double w)
{
  pc_body_heat *one = &heat->body.at[a], *two = &heat->body.at[b];
  if (w == 0)
    return;
  double first = one->inverse == 0 ? 0 : w;
  if (heat->def.obstacles || (one->inverse > 0 && two->inverse > 0))
    first = first_share(one, two, w);
  give(heat, one, first);
  give(heat, two, w - first);
}

// Two bodies joined for a time: their difference falls by exp(-G h (1/C_1 + 1/C_2)).
static void conduct(pc_heat_store *heat, int a, int b, double conductance, double h)
{
  pc_body_heat *one = &heat->body.at[a], *two = &heat->body.at[b];
  double sum = one->inverse + two->inverse;
  if (!heat->def.obstacles && (one->inverse == 0 || two->inverse == 0))
    return;
  double passed = -pc_expm1(-conductance * h * sum) / sum *
                  (pc_body_temperature(two) - pc_body_temperature(one));
  give(heat, one, passed);
  give(heat, two, -passed);
  heat->passed += fabs(passed);
}

// The exchange of 3.6 (3.71): heat lambda T1 T2 / (T1 + T2) (T2 - T1) per second. The temperatures
// of the factor are those of the middle of the step, which makes it of second order.
static void exchange(pc_heat_store *heat, int a, int b, double lambda, double h)
{
  pc_body_heat *one = &heat->body.at[a], *two = &heat->body.at[b];
  double t1 = pc_body_temperature(one), t2 = pc_body_temperature(two);
  double sum = one->inverse + two->inverse, g = lambda * t1 * t2 / (t1 + t2);
  double half = sum > 0 ? -pc_expm1(-g * h / 2 * sum) / sum * (t2 - t1) : 0;
  t1 += half * one->inverse;
  t2 -= half * two->inverse;
  conduct(heat, a, b, lambda * t1 * t2 / (t1 + t2), h);
}

static double dissipated(const pc_impact *impact, int interaction)
{
  return interaction >= 0 ? pc_impact_dissipated(impact, interaction) : 0;
}

typedef struct take_job {
  pc_heat_store *heat;
  const pc_contact_data_list *contacts;
  const pc_impact *impact;
} take_job;

static void take_range(void *context, int begin, int end, int worker)
{
  const take_job *job = context;
  for (int t = begin; t < end; t++)
    job->heat->taken.at[t] = dissipated(job->impact, job->contacts->at[t].interaction);
}

bool pc_heat_store_take_contacts(pc_heat_store *heat, const pc_body_store *bodies,
                                 const pc_contact_data_list *contacts, const pc_elements *elements,
                                 const pc_impact *impact, int threads)
{
  take_job job = {heat, contacts, impact};
  if (!pc_array_reserve(&heat->taken, contacts->count))
    return false;
  pc_parallel(threads, contacts->count, 200, take_range, &job);
  for (int t = 0; t < contacts->count; t++)
    share(heat, contacts->at[t].body[0], contacts->at[t].body[1], heat->taken.at[t]);
  for (int b = 0; b < elements->bond.count; b++) {
    const pc_bond *bond = &elements->bond.at[b];
    share(heat, pc_bodies_slot(bodies, bond->body[0]), pc_bodies_slot(bodies, bond->body[1]),
          pc_bond_dissipated(bond, impact));
  }
  return true;
}

void pc_heat_store_take(pc_heat_store *heat, const int body[2], double energy)
{
  share(heat, body[0], body[1], energy);
}

// What stiff elements dissipate: the damping of strings, and what the solver's tolerance leaves
// between percussion and law. One that holds a single body gives it all to the body.
void pc_heat_store_take_rows(pc_heat_store *heat, const pc_elements *elements,
                             const pc_impact *impact)
{
  for (int s = 0; s < elements->row.count; s++) {
    const pc_stiff *stiff = &elements->row.at[s];
    double w = dissipated(impact, stiff->interaction) - stiff->counted;
    const pc_force_element *string =
        stiff->element >= 0 ? &elements->list.at[stiff->element] : NULL;
    if (string != NULL && string->kind == PC_ELEMENT_STRING)
      share(heat, string->bodies[0], string->bodies[1], w);
    else if (stiff->body[1] >= 0)
      share(heat, stiff->body[0], stiff->body[1], w);
    else
      give(heat, &heat->body.at[stiff->body[0]], w);
  }
}

void pc_heat_store_take_kinetic(pc_heat_store *heat, const pc_body_store *bodies, int i)
{
  const double gravity[3] = {0};
  pc_energies own = {0};
  pc_bodies_add_energies(bodies, i, gravity, &own);
  give(heat, &heat->body.at[i], own.translation + own.rotation);
}

static bool is_pressed(const pc_contact_data *contact, bool penalty)
{
  return penalty ? contact->gap < 0 : pc_contact_is_pressed(contact);
}

// The first contact of a pair of bodies that is pressed stands for the pair: how many points they
// have, and which of them carry, says nothing about the surface between them.
static bool stands_for_pair(const pc_contact_data *list, int t, bool penalty)
{
  if (!is_pressed(&list[t], penalty))
    return false;
  for (int s = t - 1;
       s >= 0 && list[s].body[0] == list[t].body[0] && list[s].body[1] == list[t].body[1]; s--)
    if (is_pressed(&list[s], penalty))
      return false;
  return true;
}

void pc_heat_store_conduct(pc_heat_store *heat, const pc_contact_data_list *contacts, bool penalty,
                           bool backwards, double h)
{
  for (int k = 0; k < contacts->count; k++) {
    int t = backwards ? contacts->count - 1 - k : k;
    if (stands_for_pair(contacts->at, t, penalty))
      conduct(heat, contacts->at[t].body[0], contacts->at[t].body[1], heat->def.conductance, h);
  }
}

void pc_heat_store_conduct_strings(pc_heat_store *heat, const pc_body_store *bodies,
                                   const pc_elements *elements, bool backwards, double h)
{
  int count = elements->list.count;
  for (int k = 0; k < count; k++) {
    const pc_force_element *string = &elements->list.at[backwards ? count - 1 - k : k];
    if (string->kind != PC_ELEMENT_STRING || string->exchange == 0)
      continue;
    int a = string->bodies[0], b = string->bodies[1];
    if (!bodies->solid.at[a].absent && !bodies->solid.at[b].absent)
      exchange(heat, a, b, string->exchange, h);
  }
}

// Sums are kept apart until a piece is done.
typedef struct heat_sums {
  double outside, thermal, entropy, hottest, coldest;
  int hottest_body;
} heat_sums;
typedef struct heat_job {
  pc_heat_store *heat;
  const pc_body_store *bodies;
  double h;
  heat_sums sums[PC_PIECES];
} heat_job;

// Cooling: the difference to the outside falls by exp(-G h / C).
static double cool(const pc_heat_store *heat, pc_body_heat *body, double h)
{
  if (body->exchange == 0 || h == 0)
    return 0;
  double given = -pc_expm1(-body->exchange * body->inverse * h) / body->inverse *
                 (pc_body_temperature(body) - heat->def.outside);
  body->heat -= given;
  return given;
}

static void cool_pieces(void *context, int begin, int end, int worker)
{
  heat_job *job = context;
  const pc_body_store *bodies = job->bodies;
  for (int piece = begin; piece < end; piece++) {
    heat_sums sums = {.hottest = -INFINITY, .coldest = INFINITY};
    int last = pc_piece_begin(bodies->count, piece + 1);
    for (int i = pc_piece_begin(bodies->count, piece); i < last; i++) {
      pc_body_heat *body = &job->heat->body.at[i];
      if (bodies->solid.at[i].absent || body->inverse == 0)
        continue;
      sums.outside += cool(job->heat, body, job->h);
      sums.thermal += body->heat;
      sums.entropy += body->heat != 0 ? pc_body_entropy(body) : 0;
      double temperature = pc_body_temperature(body);
      if (temperature > sums.hottest) {
        sums.hottest = temperature;
        sums.hottest_body = i;
      }
      sums.coldest = fmin(sums.coldest, temperature);
    }
    job->sums[piece] = sums;
  }
}

void pc_heat_store_cool(pc_heat_store *heat, const pc_body_store *bodies, double h, int threads,
                        pc_step_info *info)
{
  heat_job job = {.heat = heat, .bodies = bodies, .h = h};
  int pieces = pc_pieces(bodies->count);
  pc_parallel(threads, pieces, 2, cool_pieces, &job);
  heat_sums sums = job.sums[0];
  for (int i = 1; i < pieces; i++) {
    const heat_sums *more = &job.sums[i];
    sums.outside += more->outside;
    sums.thermal += more->thermal;
    sums.entropy += more->entropy;
    if (more->hottest > sums.hottest) {
      sums.hottest = more->hottest;
      sums.hottest_body = more->hottest_body;
    }
    sums.coldest = fmin(sums.coldest, more->coldest);
  }
  bool any = sums.hottest >= sums.coldest;
  heat->to_outside += sums.outside;
  heat->away += sums.outside / heat->def.outside;
  info->thermal = sums.thermal;
  info->entropy = sums.entropy;
  info->hottest = any ? sums.hottest : 0;
  info->coldest = any ? sums.coldest : 0;
  info->hottest_body = any ? pc_bodies_number(bodies, sums.hottest_body).id : 0;
}
