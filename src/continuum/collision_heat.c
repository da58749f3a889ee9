// The dissipation of a collision at nodes, for temperatures.
//
// With s = U+ + U-, a volume dissipates (2 k |D(s)|^2 + k^ (div s)^2) / 2 per cubic metre. The sum
// of an element is that of its own quadrature, so that all sums agree with the balance. It is
// distributed to the nodes by linear functions on the element's parts, so that uniform dissipation
// heats uniformly.
#include <math.h>
#include <string.h>

#include "continuum/collision_state.h"
#include "continuum/parts.h"
#include "core/error.h"

// Dissipation per volume at a point of an element.
static double density_at(const pc_fe_collision *c, const pc_fe_medium *m, int cell,
                         const double (*corner)[3], const double xi[3], double *determinant)
{
  const pc_fe_cell *e = &c->def.mesh->body.cell[cell];
  const int *node = c->def.mesh->body.node + e->first;
  double slope[2][2] = {{0}};
  pc_element_point p;
  pc_element_map(e->type, corner, xi, &p);
  *determinant = p.determinant;
  for (int a = 0; a < pc_element_of(e->type)->nodes; a++)
    for (int k = 0; k < c->components; k++) {
      int at = c->space.start[node[a]] + k;
      double s = c->before[at] + c->after[at];
      for (int l = 0; l < c->components; l++)
        slope[k][l] += s * p.gradient[a][l];
    }
  double shear = (slope[0][1] + slope[1][0]) / 2, open = slope[0][0] + slope[1][1];
  double strain = slope[0][0] * slope[0][0] + slope[1][1] * slope[1][1] + 2 * shear * shear;
  return m->strain * strain + m->volume * open * open / 2;
}

static double element_sum(const pc_fe_collision *c, const pc_fe_medium *m, int cell,
                          const double (*corner)[3])
{
  pc_element type = c->def.mesh->body.cell[cell].type;
  pc_quadrature rule;
  pc_quadrature_make(&rule, type, pc_element_of(type)->mass_degree);
  double sum = 0;
  for (int k = 0; k < rule.points; k++) {
    double determinant, y = density_at(c, m, cell, corner, rule.at[k], &determinant);
    sum += rule.weight[k] * determinant * y;
  }
  return sum;
}

// share[a]: the share of node a of the element, not yet normalised.
static double share_element(const pc_fe_collision *c, const pc_fe_medium *m, int cell,
                            const double (*corner)[3], const pc_quadrature *rule,
                            double share[PC_ELEMENT_NODES_MAX])
{
  pc_element type = c->def.mesh->body.cell[cell].type;
  const pc_fe_cut *cut = pc_fe_cut_of(type);
  double sum = 0;
  memset(share, 0, PC_ELEMENT_NODES_MAX * sizeof *share);
  for (int p = 0; p < cut->parts; p++) {
    double slope[3][2], size = pc_fe_part_size(c->def.mesh, cell, p, slope);
    for (int k = 0; k < rule->points; k++) {
      double linear[3], xi[3], determinant;
      pc_fe_part_place(type, p, rule->at[k], linear, xi);
      double y = size * rule->weight[k] * density_at(c, m, cell, corner, xi, &determinant);
      for (int a = 0; a < cut->corners; a++)
        share[cut->node[p][a]] += y * linear[a];
      sum += y;
    }
  }
  return sum;
}

static void heat_volumes(const pc_fe_collision *c, double *volume)
{
  const pc_fe_mesh *mesh = c->def.mesh;
  pc_quadrature rule;
  pc_quadrature_make(&rule, mesh->dimension == 1 ? PC_LINE2 : PC_TRIANGLE3, 5);
  memset(volume, 0, (size_t)mesh->nodes * sizeof *volume);
  for (int e = 0; e < mesh->body.count; e++) {
    const pc_fe_medium *m = NULL;
    for (int k = 0; k < c->def.media; k++)
      if (c->def.medium[k].group == mesh->body.cell[e].group)
        m = &c->def.medium[k];
    if (m == NULL || !(m->strain > 0 || m->volume > 0))
      continue;
    double corner[PC_ELEMENT_NODES_MAX][3], share[PC_ELEMENT_NODES_MAX];
    int nodes = pc_fe_mesh_corners(mesh, &mesh->body, e, corner);
    double whole = element_sum(c, m, e, (const double(*)[3])corner);
    double sum = share_element(c, m, e, (const double(*)[3])corner, &rule, share);
    for (int a = 0; a < nodes && sum > 0; a++)
      volume[mesh->body.node[mesh->body.cell[e].first + a]] += whole * share[a] / sum;
  }
}

// Viscosity of one touch as if it were lumped: twice what it dissipates.
static double lumped(const pc_fe_collision *c, int k)
{
  const pc_fe_touch *t = &c->touch[k];
  const pc_fe_contact *contact = &c->def.contact[t->contact];
  double n = t->before[0] + t->after[0], s = t->before[1] + t->after[1];
  double r = t->before[2] + t->after[2];
  return t->weight *
         (contact->normal * n * n + contact->tangential * s * s + contact->tangential * r * r);
}

// A side with integrated viscosities: its sum is distributed as lumped ones would be.
static void heat_side(const pc_fe_collision *c, const pc_fe_contact_side *side, double *touch)
{
  const pc_fe_contact *contact = &c->def.contact[side->contact];
  double form[PC_FE_SIDE][PC_FE_SIDE], w[PC_FE_SIDE] = {0}, sum = 0, whole = 0;
  double part[PC_SIDE_NODES_MAX] = {0};
  pc_fe_side_form(&c->space, side->side, contact->normal, contact->tangential, form);
  int nodes = 0;
  for (; nodes < PC_SIDE_NODES_MAX && side->touch[nodes] >= 0; nodes++) {
    double after[3], before[3];
    pc_fe_surface_relative(c, side->touch[nodes], c->after, after);
    pc_fe_surface_relative(c, side->touch[nodes], c->before, before);
    for (int i = 0; i < 3; i++)
      w[3 * nodes + i] = after[i] + before[i];
    sum += part[nodes] = lumped(c, side->touch[nodes]);
  }
  for (int i = 0; i < 3 * nodes; i++)
    for (int j = 0; j < 3 * nodes; j++)
      whole += w[i] * form[i][j] * w[j] / 2;
  for (int a = 0; a < nodes; a++)
    touch[side->touch[a]] += whole * (sum > 0 ? part[a] / sum : 1.0 / nodes);
}

pc_status pc_fe_collision_heat(const pc_fe_collision *c, double *volume, double *touch,
                               pc_error *error)
{
  if (!c->factored)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the collision has not been solved, so its heat is unknown");
  if (volume != NULL)
    heat_volumes(c, volume);
  if (touch == NULL)
    return PC_OK;
  for (int k = 0; k < c->touches; k++) {
    const pc_fe_touch *t = &c->touch[k];
    bool own = c->def.contact[t->contact].lumped && c->on[k];
    touch[k] = t->reaction * (t->before[0] + t->after[0]) / 2 + (own ? lumped(c, k) / 2 : 0);
  }
  for (int s = 0; s < c->sides; s++)
    if (!c->def.contact[c->side[s].contact].lumped)
      heat_side(c, &c->side[s], touch);
  return PC_OK;
}
