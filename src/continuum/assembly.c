#include "continuum/assembly.h"

#include <math.h>
#include <string.h>

// A local matrix has three places per node: two velocities and a pressure.
enum { PLACES = 3, LOCAL = PLACES * PC_ELEMENT_NODES_MAX };

// Position of local number l of a node in its block, -1 if the node does not have it.
static int place_of(const pc_fe_space *space, int node, int l)
{
  if (l < 2)
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
  for (int a = 0; a < nodes; a++)
    for (int b = 0; b < nodes; b++) {
      const double *ga = p->gradient[a], *gb = p->gradient[b];
      double dot = ga[0] * gb[0] + ga[1] * gb[1];
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
        local[PLACES * q + 2][PLACES * a + i] -= part;
        local[PLACES * a + i][PLACES * q + 2] -= part;
      }
}

void pc_fe_add_terms(const pc_fe_space *space, int group, const pc_fe_terms *terms,
                     pc_block_matrix *matrix)
{
  const pc_fe_mesh *mesh = space->mesh;
  pc_quadrature rule = {0};
  int ruled = -1;
  for (int e = 0; e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    if (group >= 0 && cell->group != group)
      continue;
    const pc_element_info *info = pc_element_of(cell->type);
    if (ruled != (int)cell->type)
      pc_quadrature_make(&rule, ruled = cell->type, info->mass_degree);
    double node[PC_ELEMENT_NODES_MAX][2], local[LOCAL][LOCAL] = {{0}};
    pc_fe_mesh_corners(mesh, &mesh->body, e, node);
    for (int k = 0; k < rule.points; k++) {
      pc_element_point p;
      double pressure[PC_ELEMENT_NODES_MAX];
      pc_element_map(cell->type, (const double(*)[2])node, rule.at[k], &p);
      pc_element_shape(info->linear, rule.at[k], pressure, NULL);
      add_point(terms, space->components, &p, rule.weight[k] * p.determinant, info->nodes, pressure,
                info->corners, local);
    }
    add_local(space, matrix, info->nodes, mesh->body.node + cell->first,
              (const double(*)[LOCAL])local);
  }
}

void pc_fe_side_form(const pc_fe_space *space, int side, double normal, double tangential,
                     double form[PC_FE_SIDE][PC_FE_SIDE])
{
  const pc_fe_mesh *mesh = space->mesh;
  pc_element type = mesh->side.cell[side].type;
  const pc_element_info *info = pc_element_of(type);
  double node[PC_ELEMENT_NODES_MAX][2];
  pc_fe_mesh_corners(mesh, &mesh->side, side, node);
  pc_quadrature rule;
  pc_quadrature_make(&rule, type, info->mass_degree);
  memset(form, 0, PC_FE_SIDE * sizeof *form);
  for (int k = 0; k < rule.points; k++) {
    pc_element_point p;
    pc_element_map(type, (const double(*)[2])node, rule.at[k], &p);
    double weight = rule.weight[k] * p.determinant;
    const double *t = p.tangent, n[2] = {t[1], -t[0]};
    for (int a = 0; a < info->nodes; a++)
      for (int b = 0; b < info->nodes; b++) {
        double mass = weight * p.value[a] * p.value[b];
        if (info->dimension == 0 || space->components == 1) {
          form[2 * a][2 * b] += mass * normal;
          continue;
        }
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 2; j++)
            form[2 * a + i][2 * b + j] += mass * (normal * n[i] * n[j] + tangential * t[i] * t[j]);
      }
  }
}

void pc_fe_uniform(void *context, const double x[2], double *value)
{
  (void)x;
  memcpy(value, context, 2 * sizeof *value);
}

void pc_fe_add_load(const pc_fe_space *space, const pc_fe_cells *cells, int group,
                    pc_fe_field *field, void *context, double *vector)
{
  for (int e = 0; e < cells->count; e++) {
    const pc_fe_cell *cell = &cells->cell[e];
    if (group >= 0 && cell->group != group)
      continue;
    const pc_element_info *info = pc_element_of(cell->type);
    double node[PC_ELEMENT_NODES_MAX][2];
    pc_fe_mesh_corners(space->mesh, cells, e, node);
    pc_quadrature rule;
    pc_quadrature_make(&rule, cell->type, info->mass_degree);
    for (int k = 0; k < rule.points; k++) {
      pc_element_point p;
      double f[2] = {0};
      pc_element_map(cell->type, (const double(*)[2])node, rule.at[k], &p);
      field(context, p.x, f);
      for (int a = 0; a < info->nodes; a++)
        for (int i = 0; i < space->components; i++)
          vector[space->start[cells->node[cell->first + a]] + i] +=
              rule.weight[k] * p.determinant * p.value[a] * f[i];
    }
  }
}

double pc_fe_drop_rigid(const pc_fe_space *space, const double *vector, double *to)
{
  const pc_fe_mesh *mesh = space->mesh;
  int nodes = mesh->nodes, size = space->components;
  enum { X, Y, MOVE_X, MOVE_Y, TURN, ARM, COUNT };
  memset(space->motion, 0, (size_t)space->parts * sizeof *space->motion);
  for (int i = 0; i < nodes; i++) {
    double *m = space->motion[space->part[i]];
    m[COUNT]++;
    for (int k = 0; k < size; k++) {
      m[X + k] += mesh->node[i][k];
      m[MOVE_X + k] += vector[space->start[i] + k];
    }
  }
  for (int p = 0; p < space->parts; p++)
    for (int k = 0; k < 4; k++)
      space->motion[p][k] /= space->motion[p][COUNT];
  for (int i = 0; size == 2 && i < nodes; i++) {
    double *m = space->motion[space->part[i]];
    const double *v = vector + space->start[i];
    double rx = mesh->node[i][0] - m[X], ry = mesh->node[i][1] - m[Y];
    m[TURN] += rx * (v[1] - m[MOVE_Y]) - ry * (v[0] - m[MOVE_X]);
    m[ARM] += rx * rx + ry * ry;
  }
  double most = 0;
  for (int p = 0; p < space->parts; p++)
    if (space->motion[p][ARM] > 0)
      most = fmax(most, fabs(space->motion[p][TURN] / space->motion[p][ARM]));
  memcpy(to, vector, (size_t)space->numbers * sizeof *to);
  for (int i = 0; i < nodes; i++) {
    const double *m = space->motion[space->part[i]];
    double *v = to + space->start[i], turn = m[ARM] > 0 ? m[TURN] / m[ARM] : 0;
    v[0] -= m[MOVE_X] - turn * (mesh->node[i][1] - m[Y]);
    if (size == 2)
      v[1] -= m[MOVE_Y] + turn * (mesh->node[i][0] - m[X]);
  }
  return most;
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
