#include "continuum/assembly.h"

#include <math.h>
#include <string.h>

// A local matrix has four places per node: three velocities and a pressure.
enum { PRESSURE = 3, PLACES = 4, LOCAL = PLACES * PC_ELEMENT_NODES_MAX };

// Position of local number l of a node in its block, -1 if the node does not have it.
static int place_of(const pc_fe_space *space, int node, int l)
{
  if (l < PRESSURE)
    return l < space->components ? l : -1;
  return space->size[node] > space->components ? space->components : -1;
}

// Adds the rows of node a and the columns of node b; both triangles of a diagonal block.
static void add_block(const pc_fe_space *space, pc_block_matrix *matrix, int a, int b,
                      const double (*local)[LOCAL], int row, int column)
{
  long at = pc_block_matrix_find(matrix, space->row[a], space->row[b]);
  double *value = matrix->value + matrix->offset[at];
  int width = space->size[b];
  for (int r = 0; r < PLACES; r++)
    for (int c = 0; c < PLACES; c++) {
      int i = place_of(space, a, r), j = place_of(space, b, c);
      if (i >= 0 && j >= 0)
        value[i * width + j] += local[row + r][column + c];
    }
}

static void add_local(const pc_fe_space *space, pc_block_matrix *matrix, int nodes, const int *node,
                      const double (*local)[LOCAL])
{
  for (int i = 0; i < nodes; i++)
    for (int j = 0; j < nodes; j++)
      if (space->row[node[i]] >= space->row[node[j]])
        add_block(space, matrix, node[i], node[j], local, PLACES * i, PLACES * j);
}

// D(u):D(v) for u = f_a e_i and v = f_b e_j is (delta_ij grad f_a . grad f_b + f_a,j f_b,i) / 2.
static void add_point(const pc_fe_terms *t, int components, const pc_element_point *p,
                      double weight, int nodes, const double *pressure, int corners,
                      double (*local)[LOCAL])
{
  bool alone = t->strain == 0 && t->volume == 0; // mass: no component meets another
  for (int a = 0; a < nodes && alone; a++)
    for (int b = 0; b < nodes; b++) {
      double same = weight * (t->mass * p->value[a] * p->value[b]);
      for (int i = 0; i < components; i++)
        local[PLACES * a + i][PLACES * b + i] += same;
    }
  for (int a = 0; a < nodes && !alone; a++)
    for (int b = 0; b < nodes; b++) {
      const double *ga = p->gradient[a], *gb = p->gradient[b];
      double dot = ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2];
      double same = t->mass * p->value[a] * p->value[b] + t->strain * dot;
      for (int i = 0; i < components; i++)
        for (int j = 0; j < components; j++) {
          double sum = t->strain * ga[j] * gb[i] + t->volume * ga[i] * gb[j] + (i == j ? same : 0);
          local[PLACES * a + i][PLACES * b + j] += weight * sum;
        }
    }
  for (int q = 0; t->incompressible && q < corners; q++)
    for (int a = 0; a < nodes; a++)
      for (int i = 0; i < components; i++) {
        double part = weight * pressure[q] * p->gradient[a][i];
        local[PLACES * q + PRESSURE][PLACES * a + i] -= part;
        local[PLACES * a + i][PLACES * q + PRESSURE] -= part;
      }
}

// The integral of the divergence over an element, of component i of node a, and its volume.
typedef struct opening {
  double volume, of[PC_ELEMENT_NODES_MAX][3];
} opening;

static void add_opening(const pc_element_point *p, double weight, int nodes, opening *to)
{
  to->volume += weight;
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < 3; i++)
      to->of[a][i] += weight * p->gradient[a][i];
}

// k^ div u div v with the mean of the divergence.
static void add_mean_volume(const opening *open, double volume, int components, int nodes,
                            double (*local)[LOCAL])
{
  for (int a = 0; a < nodes; a++)
    for (int b = 0; b < nodes; b++)
      for (int i = 0; i < components; i++)
        for (int j = 0; j < components; j++)
          local[PLACES * a + i][PLACES * b + j] +=
              volume * open->of[a][i] * open->of[b][j] / open->volume;
}

void pc_fe_add_terms(const pc_fe_space *space, int group, const pc_fe_terms *terms,
                     pc_block_matrix *matrix)
{
  const pc_fe_mesh *mesh = space->mesh;
  pc_element_rule rule;
  pc_fe_terms at_points = *terms;
  if (terms->averaged)
    at_points.volume = 0;
  int ruled = -1;
  for (int e = 0; e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    if (group >= 0 && cell->group != group)
      continue;
    const pc_element_info *info = pc_element_of(cell->type);
    if (ruled != (int)cell->type)
      pc_element_rule_make(&rule, ruled = cell->type, info->mass_degree);
    double node[PC_ELEMENT_NODES_MAX][3], local[LOCAL][LOCAL];
    int used = PLACES * info->nodes;
    for (int r = 0; r < used; r++)
      memset(local[r], 0, (size_t)used * sizeof *local[r]);
    opening open = {0};
    pc_fe_mesh_corners(mesh, &mesh->body, e, node);
    for (int k = 0; k < rule.quadrature.points; k++) {
      pc_element_point p;
      pc_element_rule_map(&rule, k, (const double(*)[3])node, &p);
      double weight = rule.quadrature.weight[k] * p.determinant;
      add_point(&at_points, space->components, &p, weight, info->nodes, rule.linear[k],
                info->corners, local);
      if (terms->averaged)
        add_opening(&p, weight, info->nodes, &open);
    }
    if (terms->averaged)
      add_mean_volume(&open, terms->volume, space->components, info->nodes, local);
    add_local(space, matrix, info->nodes, mesh->body.node + cell->first,
              (const double(*)[LOCAL])local);
  }
}

void pc_fe_surface_form(int components, const double n[3], double normal, double tangential,
                        double form[3][3])
{
  memset(form, 0, 3 * sizeof *form);
  if (components == 1) {
    form[0][0] = normal;
    return;
  }
  const double t[2] = {-n[1], n[0]};
  for (int i = 0; i < components; i++)
    for (int j = 0; j < components; j++) {
      double across =
          components == 2 ? tangential * t[i] * t[j] : tangential * ((i == j) - n[i] * n[j]);
      form[i][j] = normal * n[i] * n[j] + across;
    }
}

void pc_fe_side_form(const pc_fe_space *space, int side, double normal, double tangential,
                     double form[PC_FE_SIDE][PC_FE_SIDE])
{
  const pc_fe_mesh *mesh = space->mesh;
  pc_element type = mesh->side.cell[side].type;
  const pc_element_info *info = pc_element_of(type);
  double node[PC_ELEMENT_NODES_MAX][3];
  pc_fe_mesh_corners(mesh, &mesh->side, side, node);
  pc_quadrature rule;
  pc_quadrature_make(&rule, type, info->mass_degree);
  memset(form, 0, PC_FE_SIDE * sizeof *form);
  for (int k = 0; k < rule.points; k++) {
    pc_side_point p;
    double here[3][3];
    pc_side_map(type, (const double(*)[3])node, rule.at[k], &p);
    pc_fe_surface_form(space->components, p.normal, normal, tangential, here);
    double weight = rule.weight[k] * p.size;
    for (int a = 0; a < info->nodes; a++)
      for (int b = 0; b < info->nodes; b++) {
        double mass = weight * p.value[a] * p.value[b];
        for (int i = 0; i < space->components; i++)
          for (int j = 0; j < space->components; j++)
            form[3 * a + i][3 * b + j] += mass * here[i][j];
      }
  }
}

void pc_fe_uniform(void *context, const double x[3], double *value)
{
  (void)x;
  memcpy(value, context, 3 * sizeof *value);
}

// Where the point of a rule is, its shape functions, and its share of the integral.
static double load_point(const pc_fe_mesh *mesh, const pc_fe_cells *cells, pc_element type,
                         const double (*node)[3], const double xi[3], double x[3], double *value)
{
  pc_element_point p;
  pc_side_point s;
  bool side = cells == &mesh->side;
  if (side)
    pc_side_map(type, node, xi, &s);
  else
    pc_element_map(type, node, xi, &p);
  memcpy(x, side ? s.x : p.x, 3 * sizeof *x);
  memcpy(value, side ? s.value : p.value, (size_t)pc_element_of(type)->nodes * sizeof *value);
  return side ? s.size : p.determinant;
}

void pc_fe_add_load(const pc_fe_space *space, const pc_fe_cells *cells, int group,
                    pc_fe_field *field, void *context, double *vector)
{
  for (int e = 0; e < cells->count; e++) {
    const pc_fe_cell *cell = &cells->cell[e];
    if (group >= 0 && cell->group != group)
      continue;
    const pc_element_info *info = pc_element_of(cell->type);
    double node[PC_ELEMENT_NODES_MAX][3];
    pc_fe_mesh_corners(space->mesh, cells, e, node);
    pc_quadrature rule;
    pc_quadrature_make(&rule, cell->type, info->mass_degree);
    for (int k = 0; k < rule.points; k++) {
      double f[3] = {0}, x[3], value[PC_ELEMENT_NODES_MAX];
      double size = load_point(space->mesh, cells, cell->type, (const double(*)[3])node, rule.at[k],
                               x, value);
      field(context, x, f);
      for (int a = 0; a < info->nodes; a++)
        for (int i = 0; i < space->components; i++)
          vector[space->start[cells->node[cell->first + a]] + i] +=
              rule.weight[k] * size * value[a] * f[i];
    }
  }
}

typedef struct fixing {
  const char *fixed;
  const double *value;
  const signed char *sign;
  double *matrix, *right;
} fixing;

static void fix_entry(void *context, int r, int c, long at)
{
  fixing *f = context;
  double *a = &f->matrix[at];
  if (r == c) {
    if (f->fixed[r]) {
      *a = *a != 0 ? *a : f->sign[r];
      f->right[r] = *a * (f->value != NULL ? f->value[r] : 0);
    }
    return;
  }
  if (!f->fixed[r] && !f->fixed[c])
    return;
  if (!f->fixed[r] && f->value != NULL)
    f->right[r] -= *a * f->value[c];
  if (!f->fixed[c] && f->value != NULL)
    f->right[c] -= *a * f->value[r];
  *a = 0;
}

void pc_fe_fix(const pc_fe_space *space, const char *fixed, const double *value,
               pc_block_matrix *matrix, double *right)
{
  fixing f = {fixed, value, space->sign, matrix->value, right};
  pc_block_matrix_each(matrix, fix_entry, &f);
  // Diagonal blocks hold both triangles.
  for (int i = 0; i < matrix->rows; i++) {
    int n = matrix->size[i];
    double *d = matrix->value + matrix->offset[matrix->row[i + 1] - 1];
    for (int r = 0; r < n; r++)
      for (int c = r + 1; c < n; c++)
        d[r * n + c] = d[c * n + r];
  }
}
