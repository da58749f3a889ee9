// Rigid motions of the connected parts of a mesh.
#include <math.h>
#include <string.h>

#include "continuum/assembly.h"
#include "core/small.h"

static void find_means(const pc_fe_space *space, const double *vector)
{
  const pc_fe_mesh *mesh = space->mesh;
  memset(space->motion, 0, (size_t)space->parts * sizeof *space->motion);
  for (int i = 0; i < mesh->nodes; i++) {
    pc_fe_rigid *m = &space->motion[space->part[i]];
    m->nodes++;
    for (int k = 0; k < space->components; k++) {
      m->place[k] += mesh->node[i][k];
      m->move[k] += vector[space->start[i] + k];
    }
  }
  for (int p = 0; p < space->parts; p++)
    for (int k = 0; k < 3; k++) {
      space->motion[p].place[k] /= space->motion[p].nodes;
      space->motion[p].move[k] /= space->motion[p].nodes;
    }
}

static void add_turn(pc_fe_rigid *m, int size, const double *x, const double *v)
{
  double r[3] = {0}, w[3] = {0};
  for (int k = 0; k < size; k++) {
    r[k] = x[k] - m->place[k];
    w[k] = v[k] - m->move[k];
  }
  m->turn[2] += r[0] * w[1] - r[1] * w[0];
  m->arm += r[0] * r[0] + r[1] * r[1];
  if (size < 3)
    return;
  m->turn[0] += r[1] * w[2] - r[2] * w[1];
  m->turn[1] += r[2] * w[0] - r[0] * w[2];
  m->arm += r[2] * r[2];
  double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      m->spread[3 * a + b] += (a == b ? square : 0) - r[a] * r[b];
}

// The rotation from its moment; nodes on one line have none.
static void find_turn(pc_fe_rigid *m, int size)
{
  if (size == 2) {
    m->turn[2] = m->arm > 0 ? m->turn[2] / m->arm : 0;
    return;
  }
  if (pc_dense_factor(3, m->spread, 1e-14))
    pc_dense_solve(3, m->spread, m->turn);
  else
    memset(m->turn, 0, sizeof m->turn);
}

double pc_fe_drop_rigid(const pc_fe_space *space, const double *vector, double *to)
{
  const pc_fe_mesh *mesh = space->mesh;
  int size = space->components;
  double most = 0;
  find_means(space, vector);
  for (int i = 0; size > 1 && i < mesh->nodes; i++)
    add_turn(&space->motion[space->part[i]], size, mesh->node[i], vector + space->start[i]);
  for (int p = 0; size > 1 && p < space->parts; p++) {
    find_turn(&space->motion[p], size);
    most = fmax(most, pc_fe_length(space->motion[p].turn));
  }
  memcpy(to, vector, (size_t)space->numbers * sizeof *to);
  for (int i = 0; i < mesh->nodes; i++) {
    const pc_fe_rigid *m = &space->motion[space->part[i]];
    double *v = to + space->start[i], r[3] = {0};
    for (int k = 0; k < size; k++)
      r[k] = mesh->node[i][k] - m->place[k];
    v[0] -= m->move[0] - m->turn[2] * r[1];
    if (size > 1)
      v[1] -= m->move[1] + m->turn[2] * r[0];
    if (size > 2) {
      v[0] -= m->turn[1] * r[2];
      v[1] += m->turn[0] * r[2];
      v[2] -= m->move[2] + m->turn[0] * r[1] - m->turn[1] * r[0];
    }
  }
  return most;
}
