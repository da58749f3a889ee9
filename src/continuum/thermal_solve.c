// Newton's method on the equations of a thermal problem (thermal_equations.c). A step solves them
// for the faces of the last iterate (a primal-dual active set); with the right faces it is exact. A
// step moves the borders of faces by few elements. Where it takes many, or faces repeat, an
// interior point method first finds the neighbourhood of the answer.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "continuum/thermal_state.h"

enum { STEPS = 60, PATIENCE = 12, SEEN = 64 };

// Chooses the faces for the jumps and moves y onto them at once. Returns a hash of all faces, and
// whether they are those of the factors.
static uint64_t choose_faces(pc_fe_thermal *t, bool *same)
{
  uint64_t hash = 14695981039346656037u;
  *same = t->factored;
  for (int i = 0; i < t->rows; i++) {
    pc_thermal_point *p = &t->point[i];
    int size = t->row[i].size, at = pc_thermal_at(t, i);
    double there[3], here[3], move[2], projector[3];
    if (size == 1)
      continue;
    p->face = pc_thermal_aim(t, i, t->jump, there);
    // Both ends of a liquid's interval have no face, but they differ.
    int name = size == 2 && there[0] >= 1 ? 2 : p->face;
    hash = (hash ^ (uint64_t)name) * 1099511628211u;
    *same = *same && p->face == p->factored;
    pc_thermal_fractions(t, i, t->jump, here);
    for (int k = 0; k < 3; k++)
      there[k] -= here[k];
    pc_thermal_to_plane(size, there, move);
    pc_thermal_face(size, p->face, projector);
    double along[2] = {projector[0] * move[0] + projector[1] * move[1],
                       projector[1] * move[0] + projector[2] * move[1]};
    for (int n = 1; n < size; n++)
      t->scratch[at + n] = move[n - 1] - along[n - 1];
  }
  for (int i = 0; i < t->rows; i++)
    for (int n = 1; n < t->row[i].size; n++)
      t->jump[pc_thermal_at(t, i) + n] += t->scratch[pc_thermal_at(t, i) + n];
  return hash;
}

// One step from `jump`, which has been put on its faces.
static pc_status newton_step(pc_fe_thermal *t, pc_error *error)
{
  pc_thermal_rest(t, t->jump);
  for (int i = 0; i < t->rows; i++) {
    int at = pc_thermal_at(t, i), size = t->row[i].size;
    double p[3];
    pc_thermal_face(size, t->point[i].face, p);
    const double *f = t->rest + at;
    t->step[at] = t->row[i].given ? 0 : -f[0];
    if (size == 2)
      t->step[at + 1] = p[0] * f[1];
    if (size == 3) {
      t->step[at + 1] = p[0] * f[1] + p[1] * f[2];
      t->step[at + 2] = p[1] * f[1] + p[2] * f[2];
    }
  }
  pc_status status = pc_thermal_apply(t, t->step, error);
  for (int i = 0; i < t->matrix.start[t->rows]; i++)
    t->jump[i] += t->step[i];
  return status;
}

// Newton's method alone. PC_ERROR_NUMERIC when faces repeat, or after too many steps.
static pc_status run_newton(pc_fe_thermal *t, int steps, double tolerance, int *iterations,
                            double *residual, pc_error *error)
{
  size_t bytes = (size_t)t->matrix.start[t->rows] * sizeof *t->jump;
  uint64_t seen[SEEN];
  int count = 0, again = 0;
  double least = INFINITY;
  for (int step = 0; step <= steps; step++) {
    *residual = pc_thermal_rest(t, t->jump);
    if (*residual < least) {
      least = *residual;
      memcpy(t->best, t->jump, bytes);
    }
    if (*residual <= tolerance)
      return PC_OK;
    bool same;
    uint64_t faces = choose_faces(t, &same);
    if (count > 0 && seen[count - 1] == faces) {
      if (++again > 3) // it is the answer, as well as numbers can say it
        break;
    } else {
      for (int k = 0; k < count; k++)
        if (seen[k] == faces)
          again = 9;
      if (again == 9)
        break;
      seen[count++ % SEEN] = faces;
      again = 0;
    }
    pc_status status = same ? PC_OK : pc_thermal_factor(t, false, error);
    if (status == PC_OK)
      status = newton_step(t, error);
    ++*iterations;
    if (status != PC_OK)
      return status;
  }
  memcpy(t->jump, t->best, bytes);
  *residual = least;
  return PC_ERROR_NUMERIC;
}

pc_status pc_thermal_newton(pc_fe_thermal *t, double tolerance, int *iterations, double *residual,
                            pc_error *error)
{
  pc_status status = run_newton(t, PATIENCE, tolerance, iterations, residual, error);
  if (status != PC_ERROR_NUMERIC)
    return status;
  status = pc_thermal_interior(t, iterations, error);
  if (status == PC_OK)
    status = run_newton(t, STEPS, tolerance, iterations, residual, error);
  return status == PC_ERROR_NUMERIC ? PC_OK : status;
}

void pc_thermal_polish(pc_fe_thermal *t, double *residual)
{
  size_t bytes = (size_t)t->matrix.start[t->rows] * sizeof *t->jump;
  bool same;
  memcpy(t->best, t->jump, bytes);
  pc_thermal_rest(t, t->jump);
  choose_faces(t, &same);
  pc_error error;
  double next = INFINITY;
  if (same && newton_step(t, &error) == PC_OK)
    next = pc_thermal_rest(t, t->jump);
  if (next < *residual)
    *residual = next;
  else
    memcpy(t->jump, t->best, bytes);
}
