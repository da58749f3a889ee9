// The equations of a thermal problem (thermal_state.h has the numbers).
//
//     f_T = c t + H (T- + w t) + L [b_n] - heat = 0
//     f_b = T0 (resist y + K b+ + K' y) - L (T+ - T0) on y_1 - T0 drive,   y = P(y - f_b / soft)
//
// with t = T+ - T- and P the projection on the set of each node. The natural map is piecewise
// linear; where P maps to a face, f_b has no part along it and y lies in it.
#include <math.h>
#include <string.h>

#include "continuum/thermal_state.h"
#include "core/error.h"

static const double STILL = 1e-6; // the smallest change of temperature that counts, relative

// For each pair of nodes that act on each other.
#define EACH_LINK(t, i, j, k)                                                                      \
  for (int i = 0; i < (t)->rows; i++)                                                              \
    for (int k = (t)->matrix.row[i], j = (t)->matrix.column[k]; k < (t)->matrix.row[i + 1] - 1;    \
         j = (t)->matrix.column[++k])

static double mean_temperature(const pc_fe_thermal *t, int i, const double *jump)
{
  return t->point[i].before + t->def.weight * jump[pc_thermal_at(t, i)];
}

// What holds coordinate n of the fractions of two neighbours together.
static double pull_between(const pc_fe_thermal *t, int i, int j, int k, int n, const double *jump)
{
  double place = t->point[j].place[n - 1] - t->point[i].place[n - 1];
  double change = jump[pc_thermal_at(t, j) + n] - jump[pc_thermal_at(t, i) + n];
  return t->spread[k] * (place + change) + t->spread_change[k] * change;
}

// `size`: the sum of absolute values of the terms of each temperature.
static void add_links(pc_fe_thermal *t, const double *jump, double *size)
{
  EACH_LINK(t, i, j, k)
  {
    int a = pc_thermal_at(t, i), b = pc_thermal_at(t, j);
    double flow = t->conduct[k] *
                  (t->point[j].before - t->point[i].before + t->def.weight * (jump[b] - jump[a]));
    t->rest[a] += flow;
    t->rest[b] -= flow;
    size[i] += fabs(flow);
    size[j] += fabs(flow);
    if (t->spread[k] == 0 && t->spread_change[k] == 0)
      continue;
    for (int n = 1; n < t->row[i].size; n++) {
      double pull = t->row[i].change * pull_between(t, i, j, k, n, jump);
      t->rest[a + n] += pull;
      t->rest[b + n] -= pull;
    }
  }
}

int pc_thermal_aim(const pc_fe_thermal *t, int i, const double *jump, double fraction[3])
{
  const pc_thermal_point *p = &t->point[i];
  int at = pc_thermal_at(t, i), size = t->row[i].size;
  double y[2] = {0};
  for (int n = 1; n < size; n++)
    y[n - 1] = jump[at + n] - t->rest[at + n] / p->soft;
  pc_thermal_from_plane(size, y, fraction);
  for (int k = 0; k < 3 && size > 1; k++)
    fraction[k] += p->fraction[k];
  return pc_thermal_project(size, p->sum, fraction);
}

double pc_thermal_rest(pc_fe_thermal *t, const double *jump)
{
  double *size = t->work;
  memset(t->rest, 0, (size_t)t->matrix.start[t->rows] * sizeof *t->rest);
  memset(size, 0, (size_t)t->rows * sizeof *size);
  for (int i = 0; i < t->rows; i++) {
    const pc_thermal_row *row = &t->row[i];
    const pc_thermal_point *p = &t->point[i];
    int at = pc_thermal_at(t, i);
    double leak = row->leak * mean_temperature(t, i, jump) - row->leak_heat;
    double heat = p->heat + t->source[i], latent = 0;
    if (row->size > 1) {
      latent = row->latent * pc_thermal_share(row->size) * jump[at + 1];
      double warm = p->before - row->change + jump[at];
      t->rest[at + 1] = -row->latent * pc_thermal_share(row->size) * warm;
      for (int n = 1; n < row->size; n++)
        t->rest[at + n] += (row->change * row->resist + p->floor) * jump[at + n] - p->pull[n - 1];
    }
    t->rest[at] = p->capacity * jump[at] + latent + leak - heat;
    size[i] = p->capacity * fabs(jump[at]) + fabs(latent) + fabs(leak) + fabs(heat);
  }
  add_links(t, jump, size);
  double left = 0, whole = 0, outside = 0;
  for (int i = 0; i < t->rows; i++) {
    const pc_thermal_point *p = &t->point[i];
    if (!t->row[i].given)
      left = fmax(left, fabs(t->rest[pc_thermal_at(t, i)]) / p->stiff);
    whole = fmax(whole, fmax(size[i] / p->stiff, STILL * p->before));
    double here[3], there[3];
    pc_thermal_aim(t, i, jump, there);
    pc_thermal_fractions(t, i, jump, here);
    for (int k = 0; k < 3 && t->row[i].size > 1; k++)
      outside = fmax(outside, fabs(here[k] - there[k]));
  }
  double residual = fmax(left / whole, outside);
  return isfinite(residual) ? residual : INFINITY;
}

void pc_thermal_sources(const pc_fe_thermal *t, const pc_fe_thermal_data *data, const double *jump,
                        double *source)
{
  memset(source, 0, (size_t)t->rows * sizeof *source);
  if (!t->couples)
    return;
  for (int k = 0; k < t->touches && data->surface != NULL; k++) {
    const pc_thermal_touch *touch = &t->touch[k];
    if (touch->other < 0)
      continue;
    double work =
        data->surface[(size_t)touch->contact * (size_t)t->def.mesh->nodes + (size_t)touch->node];
    double here = mean_temperature(t, touch->row, jump);
    double there = mean_temperature(t, touch->other, jump);
    source[touch->row] += work * here / (here + there);
    source[touch->other] += work * there / (here + there);
  }
  for (int i = 0; i < t->rows; i++)
    source[i] += pc_thermal_entropy_heat(t, i, jump);
  // drive . [b] + [b] . div H: the second is -[b] times what neighbours pull with.
  for (int i = 0; i < t->rows; i++)
    for (int n = 1; n < t->row[i].size; n++)
      source[i] += t->point[i].pull[n - 1] / t->row[i].change * jump[pc_thermal_at(t, i) + n];
  EACH_LINK(t, i, j, k)
  {
    int a = pc_thermal_at(t, i), b = pc_thermal_at(t, j);
    if (t->spread[k] == 0 && t->spread_change[k] == 0)
      continue;
    for (int n = 1; n < t->row[i].size; n++) {
      double pull = pull_between(t, i, j, k, n, jump);
      source[i] -= jump[a + n] * pull;
      source[j] += jump[b + n] * pull;
    }
  }
  // (spread/2 + spread_change) |grad [b]|^2.
  for (int p = 0; p < t->parts; p++) {
    const pc_thermal_part *part = &t->part[p];
    const pc_fe_thermal_medium *m = &t->def.medium[part->medium];
    double stiff = m->spread / 2 + m->spread_change;
    if (m->phases == PC_FE_ONE_PHASE || !(stiff > 0))
      continue;
    double square = 0;
    for (int n = 1; n < t->row[part->row[0]].size; n++)
      for (int x = 0; x < t->def.mesh->dimension; x++) {
        double slope = 0;
        for (int c = 0; c < t->corners; c++)
          slope += part->slope[c][x] * jump[pc_thermal_at(t, part->row[c]) + n];
        square += slope * slope;
      }
    for (int c = 0; c < t->corners; c++)
      source[part->row[c]] += stiff * part->volume * square / t->corners;
  }
}

// The factored matrix is D A D. Where an alloy is free to move, the second coordinate of y does not
// depend on temperatures and has its own scale, which may be small.
static double scale_of(const pc_fe_thermal *t, int i, int n)
{
  const pc_thermal_point *p = &t->point[i];
  return 1 / sqrt(n == 0 ? p->stiff : n == 2 && p->face == 7 ? p->side : p->soft);
}

// Adds sign * a of a symmetric matrix of y (11, 12, 22) to a block.
static void add_plane(const pc_fe_thermal *t, int i, double sign, const double a[3], double *value)
{
  int size = t->row[i].size;
  for (int m = 1; m < size; m++)
    for (int n = 1; n < size; n++)
      value[m * size + n] += sign * a[m + n - 2] * scale_of(t, i, m) * scale_of(t, i, n);
}

static void put_diagonal(pc_fe_thermal *t, int i, const double face[3], double *value)
{
  const pc_thermal_row *row = &t->row[i];
  const pc_thermal_point *p = &t->point[i];
  int size = row->size;
  value[0] = 1;
  double latent = row->latent * pc_thermal_share(size);
  for (int n = 1; n < size && !row->given; n++)
    value[n] = value[n * size] = latent * face[n - 1] * scale_of(t, i, 0) * scale_of(t, i, n);
  const double across[3] = {1 - face[0], -face[1], 1 - face[2]};
  add_plane(t, i, -p->side, face, value);
  add_plane(t, i, -p->soft, across, value);
  add_plane(t, i, -1, p->extra, value);
}

static void put_link(pc_fe_thermal *t, int i, int j, int k, const double p[3], const double q[3],
                     double *value)
{
  int rows = t->row[i].size, columns = t->row[j].size;
  if (!t->row[i].given && !t->row[j].given)
    value[0] = t->def.weight * t->conduct[k] * scale_of(t, i, 0) * scale_of(t, j, 0);
  double pull = t->row[i].change * (t->spread[k] + t->spread_change[k]);
  if (rows != columns || pull == 0)
    return;
  const double both[2][2] = {{p[0] * q[0] + p[1] * q[1], p[0] * q[1] + p[1] * q[2]},
                             {p[1] * q[0] + p[2] * q[1], p[1] * q[1] + p[2] * q[2]}};
  for (int m = 1; m < rows; m++)
    for (int n = 1; n < columns; n++)
      value[m * columns + n] = -pull * both[m - 1][n - 1] * scale_of(t, i, m) * scale_of(t, j, n);
}

pc_status pc_thermal_factor(pc_fe_thermal *t, bool interior, pc_error *error)
{
  static const double all[3] = {1, 0, 1};
  pc_block_matrix_clear(&t->matrix);
  EACH_LINK(t, i, j, k)
  {
    double p[3], q[3];
    pc_thermal_face(t->row[i].size, t->point[i].face, p);
    pc_thermal_face(t->row[j].size, t->point[j].face, q);
    put_link(t, i, j, k, interior ? all : p, interior ? all : q,
             t->matrix.value + t->matrix.offset[k]);
  }
  for (int i = 0; i < t->rows; i++) {
    double p[3];
    pc_thermal_face(t->row[i].size, t->point[i].face, p);
    put_diagonal(t, i, interior ? all : p,
                 t->matrix.value + t->matrix.offset[t->matrix.row[i + 1] - 1]);
    t->point[i].factored = interior ? -1 : t->point[i].face;
  }
  t->factored = !interior;
  pc_status status = pc_direct_factor(t->direct, &t->matrix, error);
  if (status != PC_OK)
    t->factored = false;
  return status;
}

pc_status pc_thermal_apply(pc_fe_thermal *t, double *x, pc_error *error)
{
  for (int i = 0; i < t->rows; i++)
    for (int n = 0; n < t->row[i].size; n++)
      x[pc_thermal_at(t, i) + n] *= scale_of(t, i, n);
  pc_status status = pc_direct_solve(t->direct, x, NULL, error);
  if (status == PC_ERROR_NUMERIC) // what is left is seen in `rest`
    status = PC_OK;
  for (int i = 0; i < t->rows; i++)
    for (int n = 0; n < t->row[i].size; n++)
      x[pc_thermal_at(t, i) + n] *= scale_of(t, i, n);
  return status;
}
