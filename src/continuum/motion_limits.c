// Limits of small deformations. Beyond those of rotation and of what a place can have, a motion
// ends; larger strains are kept, and the summary of a run warns of them.
#include <math.h>

#include "continuum/motion_state.h"
#include "core/error.h"
#include "core/small.h"

static const double LARGEST_TURN = 0.2; // rad: a long solid appears to grow by 2 %

// The displacement gradient in the middle of an element.
static void find_gradient(const pc_fe_motion *m, int element, double gradient[3][3])
{
  const pc_fe_cells *body = &m->mesh->body;
  const pc_fe_cell *cell = &body->cell[element];
  const int *node = body->node + cell->first;
  double corner[PC_ELEMENT_NODES_MAX][3];
  pc_element_point p;
  int nodes = pc_fe_mesh_corners(m->mesh, body, element, corner);
  pc_element_map(cell->type, (const double(*)[3])corner, pc_element_of(cell->type)->centre, &p);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      gradient[i][j] = 0;
      for (int a = 0; i < m->size && j < m->size && a < nodes; a++)
        gradient[i][j] += m->u[node[a] * m->size + i] * p.gradient[a][j];
    }
}

static double strain_of(const double gradient[3][3])
{
  double sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double e = (gradient[i][j] + gradient[j][i]) / 2;
      sum += e * e;
    }
  return sqrt(sum);
}

// The volume of an element over that at the start.
static double volume_of(const double gradient[3][3])
{
  double f[3][3], across[3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      f[i][j] = gradient[i][j] + (i == j);
  pc_cross(f[1], f[2], across);
  return pc_dot3(f[0], across);
}

// Fluids shear without limit: their strain is not that of a solid.
static bool is_solid(const pc_fe_motion *m, int group)
{
  for (int i = 0; i < m->solids; i++)
    if (m->solid[i].group == group)
      return !(m->solid[i].bulk > 0);
  return false;
}

static pc_status check_strains(pc_fe_motion *m, pc_error *error)
{
  const pc_fe_cells *body = &m->mesh->body;
  int group = -1;
  bool solid = false;
  for (int e = 0; e < body->count; e++) {
    double gradient[3][3];
    if (body->cell[e].group != group)
      solid = is_solid(m, group = body->cell[e].group);
    if (!solid)
      continue;
    find_gradient(m, e, gradient);
    m->now.strain = fmax(m->now.strain, strain_of((const double(*)[3])gradient));
    // On a line nothing but the strain itself goes wrong, and linear waves scale.
    if (m->size > 1 && !(volume_of((const double(*)[3])gradient) > 0))
      return pc_fail(error, PC_ERROR_NUMERIC,
                     "at %g s %s is compressed to zero volume, but small deformations assume small "
                     "strains; use a stiffer material, a weaker impact or 'deformation: large'",
                     pc_motion_time(m), pc_fe_cell_text(m->mesh, body, e).text);
  }
  return PC_OK;
}

pc_status pc_motion_check_limits(pc_fe_motion *m, pc_error *error)
{
  if (m->has_large)
    return PC_OK;
  double turn = pc_fe_drop_rigid(&m->elastic.space, m->u, m->load);
  if (turn > LARGEST_TURN)
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "a solid has rotated by %.2g rad, but small deformations are valid for "
                   "rotations up to %g rad; use 'deformation: large'",
                   turn, LARGEST_TURN);
  return check_strains(m, error);
}
