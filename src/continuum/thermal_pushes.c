// Heat, entropy and percussion work that are given, at the rows of a thermal problem.
//
// A place receives B+ at T+ and B- at T-. The theory (7.15, 10.29) gives their difference, B+ - B-
// = -2 S with [T] S = T_mean [s] - [e] at constant phases, so that one datum remains: the heat T+
// B+ + T- B-, or the entropy B+ + B- = given. Then
//
//     heat = T_mean given - [T] S,      [s] = given + what is produced
//
// and S has the capacities of the elements or sides where the entropy is given.
#include <math.h>

#include "continuum/parts.h"
#include "continuum/thermal_state.h"
#include "core/elementary.h"

static void add_share(pc_thermal_row *row, const pc_fe_push *push, double share)
{
  row->push.heat += share * push->heat;
  row->push.entropy += share * push->entropy;
  for (int k = 0; k < PC_FE_FRACTIONS; k++)
    row->push.work[k] += share * push->work[k];
}

// Whether an earlier push gives the entropy of this place, whose capacity counts once.
static bool is_repeated(const pc_fe_thermal *t, int number)
{
  const pc_fe_push *push = &t->def.push[number];
  for (int i = 0; i < number; i++)
    if (t->def.push[i].has_entropy && t->def.push[i].place == push->place &&
        t->def.push[i].group == push->group)
      return true;
  return false;
}

static void push_elements(pc_fe_thermal *t, const pc_fe_push *push, bool counts)
{
  for (int p = 0; p < t->parts; p++) {
    const pc_thermal_part *part = &t->part[p];
    const pc_fe_thermal_medium *m = &t->def.medium[part->medium];
    double share = part->volume / t->corners;
    for (int i = 0; m->group == push->group && i < t->corners; i++) {
      pc_thermal_row *row = &t->row[part->row[i]];
      add_share(row, push, share);
      if (!counts)
        continue;
      *(m->phases == PC_FE_ALLOY ? &row->push.shared : &row->push.own) += share * m->capacity;
      if (m->phases != PC_FE_ONE_PHASE)
        row->push.latent += share * m->latent;
    }
  }
}

static void push_sides(pc_fe_thermal *t, const pc_fe_push *push, bool counts)
{
  double capacity = 0;
  for (int i = 0; i < t->def.surfaces && counts; i++)
    if (t->def.side[i].sides == push->group)
      capacity = t->def.side[i].capacity;
  pc_thermal_measure_sides(t, push->group);
  for (int i = 0; i < t->rows; i++) {
    double length = t->length[t->row[i].node];
    add_share(&t->row[i], push, length);
    t->row[i].push.own += length * capacity;
  }
}

// The linear functions of a part at a place; the least of them.
static double find_in_part(const pc_fe_thermal *t, const pc_thermal_part *part,
                           const double place[3], double linear[3])
{
  double centre[2] = {0}, least = INFINITY;
  for (int i = 0; i < t->corners; i++)
    for (int x = 0; x < 2; x++)
      centre[x] += t->def.mesh->node[t->row[part->row[i]].node][x] / t->corners;
  for (int i = 0; i < t->corners; i++) {
    linear[i] = 1.0 / t->corners;
    for (int x = 0; x < t->def.mesh->dimension; x++)
      linear[i] += part->slope[i][x] * (place[x] - centre[x]);
    least = fmin(least, linear[i]);
  }
  return least;
}

// The part that a point is in, or at curved sides the one that it is least outside of.
static void push_point(pc_fe_thermal *t, const pc_fe_push *push)
{
  double most = -INFINITY, linear[3], best[3] = {0}, sum = 0;
  const pc_thermal_part *at = NULL;
  for (int p = 0; p < t->parts; p++) {
    const pc_thermal_part *part = &t->part[p];
    if (!(part->volume > 0) ||
        (push->group >= 0 && t->def.medium[part->medium].group != push->group))
      continue;
    double least = fmin(find_in_part(t, part, push->point, linear), 0);
    if (least <= most)
      continue;
    most = least;
    at = part;
    for (int i = 0; i < t->corners; i++)
      best[i] = fmax(linear[i], 0);
  }
  for (int i = 0; i < t->corners; i++)
    sum += best[i];
  for (int i = 0; at != NULL && i < t->corners; i++)
    add_share(&t->row[at->row[i]], push, best[i] / sum);
}

void pc_thermal_add_pushes(pc_fe_thermal *t)
{
  for (int i = 0; i < t->def.pushes; i++) {
    const pc_fe_push *push = &t->def.push[i];
    bool counts = push->has_entropy && !is_repeated(t, i);
    if (push->place == PC_FE_IN_ELEMENTS)
      push_elements(t, push, counts);
    else if (push->place == PC_FE_ON_SIDES)
      push_sides(t, push, counts);
    else
      push_point(t, push);
  }
}

bool pc_thermal_has_entropy(const pc_thermal_row *row)
{
  return row->push.entropy != 0 || row->push.own > 0 || row->push.shared > 0;
}

double pc_thermal_entropy_shift(const pc_fe_thermal *t, int i, const double *jump)
{
  const pc_thermal_row *row = &t->row[i];
  const pc_thermal_point *p = &t->point[i];
  int at = pc_thermal_at(t, i);
  double capacity = row->push.own + p->sum * row->push.shared;
  // Iterates may go below 0 K, where there is no entropy.
  double warm = fmax(jump[at], -0.999 * p->before), mean = p->before + t->def.weight * warm;
  double shift = capacity * (pc_log1p(warm / p->before) - warm / mean);
  if (row->size > 1)
    shift -= row->push.latent * pc_thermal_share(row->size) * jump[at + 1] * warm /
             (2 * row->change * mean);
  return shift;
}

double pc_thermal_entropy_heat(const pc_fe_thermal *t, int i, const double *jump)
{
  if (!pc_thermal_has_entropy(&t->row[i]))
    return 0;
  double mean = t->point[i].before + t->def.weight * jump[pc_thermal_at(t, i)];
  return mean * (t->row[i].push.entropy - pc_thermal_entropy_shift(t, i, jump));
}
