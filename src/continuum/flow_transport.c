// Integrals over the elements: convection against the moving mesh, and the mass that it moves.
//
// Between the ends of a step the determinant J of an element's map is quadratic in time, so with W
// constant J1 - J0 = h J div W and (J0 + J1)/2 - J = (h^2/4) J det grad W, all in the middle. Hence
//
//     (U1' M1 U1 - U' M0 U)/2 = Um' [M (U1 - U) + (h/2) int div W Um v + (h^2/4) int det grad W
//                               (U1 - U) v] + (h/8) int div W |U1 - U|^2
//
// whose second and third terms are loads here. Convection is (1/2) int (a.grad u).v - (a.grad v).u
// with a = Um - W: it does no work, at any quadrature.
#include <math.h>
#include <string.h>

#include "continuum/flow_state.h"

// A point of an element, with what the fields are there.
typedef struct field_point {
  double weight; // of mass
  const pc_element_point *map;
  double mean[2], change[2], against[2]; // Um, U1 - U, Um - W
  double slope[2][2];                    // d Um_i / d x_j
  double widening, det;                  // div W, det grad W
} field_point;

static void look(const pc_fe_flow *f, const int *node, int nodes, field_point *p)
{
  double w[2] = {0}, spread[2][2] = {{0}};
  memset(p->mean, 0, sizeof p->mean);
  memset(p->change, 0, sizeof p->change);
  memset(p->slope, 0, sizeof p->slope);
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < 2; i++) {
      double u = f->mean[2 * node[a] + i], value = p->map->value[a];
      p->mean[i] += value * u;
      p->change[i] += value * f->change[2 * node[a] + i];
      w[i] += value * f->w[node[a]][i];
      for (int j = 0; j < 2; j++) {
        p->slope[i][j] += p->map->gradient[a][j] * u;
        spread[i][j] += p->map->gradient[a][j] * f->w[node[a]][i];
      }
    }
  for (int i = 0; i < 2; i++)
    p->against[i] = p->mean[i] - w[i];
  p->widening = spread[0][0] + spread[1][1];
  p->det = spread[0][0] * spread[1][1] - spread[0][1] * spread[1][0];
}

static void add_loads(const field_point *p, double h, const int *node, int nodes, double *load)
{
  const double *a = p->against;
  double carried[2];
  for (int i = 0; i < 2; i++)
    carried[i] = a[0] * p->slope[i][0] + a[1] * p->slope[i][1];
  for (int k = 0; k < nodes; k++) {
    double value = p->map->value[k];
    double along = a[0] * p->map->gradient[k][0] + a[1] * p->map->gradient[k][1];
    for (int i = 0; i < 2; i++)
      load[2 * node[k] + i] -=
          p->weight *
          (h / 2 * (carried[i] * value - along * p->mean[i] + p->widening * value * p->mean[i]) +
           h * h / 4 * p->det * value * p->change[i]);
  }
}

// Visits the points of all elements of the mesh with nodes at x.
typedef void visitor(const pc_fe_flow *f, const pc_element_point *map, double weight,
                     const int *node, int nodes, void *context);
static void visit_points(const pc_fe_flow *f, const double (*x)[3], visitor *visit, void *context)
{
  const pc_fe_cells *body = &f->mesh.body;
  pc_element_rule rule;
  int ruled = -1;
  for (int e = 0; e < body->count; e++) {
    const pc_fe_cell *cell = &body->cell[e];
    const pc_element_info *info = pc_element_of(cell->type);
    if (ruled != (int)cell->type)
      pc_element_rule_make(&rule, ruled = cell->type, info->mass_degree);
    const int *node = body->node + cell->first;
    double corner[PC_ELEMENT_NODES_MAX][3];
    for (int i = 0; i < info->nodes; i++)
      memcpy(corner[i], x[node[i]], sizeof corner[i]);
    for (int q = 0; q < rule.quadrature.points; q++) {
      pc_element_point map;
      pc_element_rule_map(&rule, q, (const double(*)[3])corner, &map);
      visit(f, &map, f->def.density * rule.quadrature.weight[q] * map.determinant, node,
            info->nodes, context);
    }
  }
}

typedef struct load_work {
  double h, *load;
} load_work;

static void visit_load(const pc_fe_flow *f, const pc_element_point *map, double weight,
                       const int *node, int nodes, void *context)
{
  const load_work *work = context;
  field_point p = {.weight = weight, .map = map};
  look(f, node, nodes, &p);
  add_loads(&p, work->h, node, nodes, work->load);
}

void pc_flow_transport(const pc_fe_flow *f, double h, double *load)
{
  load_work work = {h, load};
  visit_points(f, (const double(*)[3])f->x, visit_load, &work);
}

typedef struct energy_work {
  const double *u;
  double sum;
} energy_work;

static void visit_kinetic(const pc_fe_flow *f, const pc_element_point *map, double weight,
                          const int *node, int nodes, void *context)
{
  energy_work *work = context;
  double u[2] = {0};
  (void)f;
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < 2; i++)
      u[i] += map->value[a] * work->u[2 * node[a] + i];
  work->sum += weight / 2 * (u[0] * u[0] + u[1] * u[1]);
}

double pc_flow_kinetic(const pc_fe_flow *f, const double (*x)[3], const double *u)
{
  energy_work work = {u, 0};
  visit_points(f, x, visit_kinetic, &work);
  return work.sum;
}

static void visit_mesh_energy(const pc_fe_flow *f, const pc_element_point *map, double weight,
                              const int *node, int nodes, void *context)
{
  double *sum = context;
  field_point p = {.weight = weight, .map = map};
  look(f, node, nodes, &p);
  *sum += weight * p.widening * (p.change[0] * p.change[0] + p.change[1] * p.change[1]);
}

double pc_flow_mesh_energy(const pc_fe_flow *f, double h)
{
  double sum = 0;
  visit_points(f, (const double(*)[3])f->x, visit_mesh_energy, &sum);
  return h / 8 * sum;
}

static void visit_courant(const pc_fe_flow *f, const pc_element_point *map, double weight,
                          const int *node, int nodes, void *context)
{
  double *most = context;
  field_point p = {.weight = weight, .map = map};
  look(f, node, nodes, &p);
  double rate = 0; // the gradient of a corner's shape function is 1 over a side
  for (int a = 0; a < nodes; a++)
    rate =
        fmax(rate, fabs(p.against[0] * map->gradient[a][0] + p.against[1] * map->gradient[a][1]));
  *most = map->determinant > 0 ? fmax(*most, rate) : INFINITY;
}

double pc_flow_courant(const pc_fe_flow *f, double h)
{
  double most = 0;
  visit_points(f, (const double(*)[3])f->x, visit_courant, &most);
  return h * most;
}
