#include "continuum/large.h"

#include <string.h>

#include "core/error.h"

typedef double tensor[3][3];

enum { LOCAL = 3 * PC_ELEMENT_NODES_MAX };

static int nodes_of(const pc_fe_large *l, int cell)
{
  return pc_element_of(l->mesh->body.cell[cell].type)->nodes;
}

// Of elements with straight edges this gives the stiffness at rest exactly, as elastic.h has it.
// Any rule conserves what large.h says, and fewer points cost less.
static int degree_of(const pc_element_info *info)
{
  bool simplex = info->corners == info->dimension + 1;
  return simplex && info->order == 1 ? 1 : 2 * info->order;
}

static void fill_cell(pc_fe_large *l, int cell, const pc_quadrature *rule)
{
  const pc_fe_cell *c = &l->mesh->body.cell[cell];
  int nodes = nodes_of(l, cell), size = l->mesh->dimension;
  double corner[PC_ELEMENT_NODES_MAX][3], *gradient = l->gradient + l->at[cell];
  pc_fe_mesh_corners(l->mesh, &l->mesh->body, cell, corner);
  for (int k = 0; k < rule->points; k++) {
    pc_element_point p;
    pc_element_map(c->type, (const double(*)[3])corner, rule->at[k], &p);
    l->weight[l->first[cell] + k] = rule->weight[k] * p.determinant;
    for (int a = 0; a < nodes; a++)
      for (int i = 0; i < size; i++)
        *gradient++ = p.gradient[a][i];
  }
}

pc_status pc_fe_large_create(pc_fe_large *l, const pc_fe_mesh *mesh, int solids,
                             const pc_fe_solid *solid, pc_error *error)
{
  *l = (pc_fe_large){.mesh = mesh};
  size_t cells = (size_t)mesh->body.count;
  pc_arena *arena = &l->arena;
  l->solid = pc_arena_take(arena, cells, sizeof *l->solid);
  l->first = pc_arena_take(arena, cells + 1, sizeof *l->first);
  l->at = pc_arena_take(arena, cells + 1, sizeof *l->at);
  static const int NONE = -1;
  pc_quadrature rule = {0};
  int ruled = NONE;
  for (int e = 0; !arena->failed && e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    const pc_element_info *info = pc_element_of(cell->type);
    if (ruled != (int)cell->type)
      pc_quadrature_make(&rule, ruled = cell->type, degree_of(info));
    l->first[e + 1] = l->first[e] + rule.points;
    l->at[e + 1] = l->at[e] + (long)rule.points * info->nodes * mesh->dimension;
    for (int s = 0; s < solids; s++)
      if (solid[s].group == cell->group)
        l->solid[e] = s;
  }
  if (!arena->failed) {
    l->weight = pc_arena_take(arena, (size_t)l->first[cells], sizeof *l->weight);
    l->gradient = pc_arena_take(arena, (size_t)l->at[cells], sizeof *l->gradient);
  }
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for solids of large displacements");
  ruled = NONE;
  for (int e = 0; e < mesh->body.count; e++) {
    pc_element type = mesh->body.cell[e].type;
    if (ruled != (int)type)
      pc_quadrature_make(&rule, ruled = type, degree_of(pc_element_of(type)));
    fill_cell(l, e, &rule);
  }
  return PC_OK;
}

void pc_fe_large_free(pc_fe_large *l)
{
  pc_arena_free(&l->arena);
  *l = (pc_fe_large){0};
}

// The numbers of an element's nodes, less those of its first node, which have no gradient: a solid
// that flew far loses no digits of its strain.
static void gather(const pc_fe_large *l, int cell, const double *vector, double local[LOCAL])
{
  const int *node = l->mesh->body.node + l->mesh->body.cell[cell].first;
  int nodes = nodes_of(l, cell), size = l->mesh->dimension;
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < size; i++)
      local[a * size + i] = vector[node[a] * size + i] - vector[node[0] * size + i];
}

static const double *gradients_at(const pc_fe_large *l, int cell, int point)
{
  return l->gradient + l->at[cell] + (long)point * nodes_of(l, cell) * l->mesh->dimension;
}

static void find_slope(int size, int nodes, const double *gradient, const double *local,
                       tensor slope)
{
  memset(slope, 0, sizeof(tensor));
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < size; i++)
      for (int k = 0; k < size; k++)
        slope[i][k] += local[a * size + i] * gradient[a * size + k];
}

// Adds `factor` times sym(F' D) to a strain.
static void add_strain(int size, double factor, const tensor f, const tensor d, tensor strain)
{
  for (int k = 0; k < size; k++)
    for (int m = 0; m < size; m++)
      for (int i = 0; i < size; i++)
        strain[k][m] += factor / 2 * (f[i][k] * d[i][m] + f[i][m] * d[i][k]);
}

// F = 1 + slope, and with `half` of another slope.
static void find_gradient(const tensor slope, double half, const tensor other, tensor f)
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      f[i][k] = (i == k) + slope[i][k] + half * other[i][k];
}

// E of a slope G: sym(F' G) with F in the middle between 1 and 1 + G.
static void find_strain(int size, const tensor slope, tensor strain)
{
  static const tensor none = {{0}};
  tensor f;
  memset(strain, 0, sizeof(tensor));
  find_gradient(none, 0.5, slope, f);
  add_strain(size, 1, (const double(*)[3])f, slope, strain);
}

static void find_stress(const pc_fe_moduli *m, const tensor strain, tensor stress)
{
  double trace = strain[0][0] + strain[1][1] + strain[2][2];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      stress[i][k] = 2 * m->strain * strain[i][k] + (i == k ? m->volume * trace : 0);
}

static double determinant(const tensor f)
{
  return f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) -
         f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
         f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
}

double pc_fe_large_energy(const pc_fe_large *l, const pc_fe_moduli *moduli, const double *u)
{
  int size = l->mesh->dimension;
  double sum = 0;
  for (int e = 0; e < l->mesh->body.count; e++) {
    double local[LOCAL];
    int nodes = nodes_of(l, e);
    gather(l, e, u, local);
    for (int k = l->first[e]; k < l->first[e + 1]; k++) {
      tensor slope, strain, stress;
      find_slope(size, nodes, gradients_at(l, e, k - l->first[e]), local, slope);
      find_strain(size, (const double(*)[3])slope, strain);
      find_stress(&moduli[l->solid[e]], (const double(*)[3])strain, stress);
      double product = 0;
      for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
          product += strain[i][j] * stress[i][j];
      sum += l->weight[k] * product / 2;
    }
  }
  return sum;
}

// E1 - E at a point of a step, and F in its middle.
static void find_change(int size, const tensor slope, const tensor more, tensor f, tensor change)
{
  find_gradient(slope, 0.5, more, f);
  memset(change, 0, sizeof(tensor));
  add_strain(size, 1, (const double(*)[3])f, more, change);
}

double pc_fe_large_loss(const pc_fe_large *l, const pc_fe_moduli *moduli, const double *u,
                        const double *d)
{
  int size = l->mesh->dimension;
  double sum = 0;
  for (int e = 0; e < l->mesh->body.count; e++) {
    double local[LOCAL], moved[LOCAL];
    int nodes = nodes_of(l, e);
    gather(l, e, u, local);
    gather(l, e, d, moved);
    for (int k = l->first[e]; k < l->first[e + 1]; k++) {
      const double *gradient = gradients_at(l, e, k - l->first[e]);
      tensor slope, more, f, change;
      double square = 0;
      find_slope(size, nodes, gradient, local, slope);
      find_slope(size, nodes, gradient, moved, more);
      find_change(size, (const double(*)[3])slope, (const double(*)[3])more, f, change);
      for (int i = 0; i < 9; i++)
        square += change[i / 3][i % 3] * change[i / 3][i % 3];
      sum += l->weight[k] * 2 * moduli[l->solid[e]].damping * square;
    }
  }
  return sum;
}

bool pc_fe_large_force(const pc_fe_large *l, const pc_fe_moduli *moduli, const double *u,
                       const double *d, double *force)
{
  int size = l->mesh->dimension;
  bool sound = true;
  for (int e = 0; e < l->mesh->body.count; e++) {
    const int *node = l->mesh->body.node + l->mesh->body.cell[e].first;
    const pc_fe_moduli *modulus = &moduli[l->solid[e]];
    double local[LOCAL], moved[LOCAL];
    int nodes = nodes_of(l, e);
    gather(l, e, u, local);
    gather(l, e, d, moved);
    for (int k = l->first[e]; k < l->first[e + 1]; k++) {
      const double *gradient = gradients_at(l, e, k - l->first[e]);
      tensor slope, more, f, end, strain, change, stress;
      find_slope(size, nodes, gradient, local, slope);
      find_slope(size, nodes, gradient, moved, more);
      find_gradient((const double(*)[3])slope, 1, (const double(*)[3])more, end);
      sound = sound && determinant((const double(*)[3])end) > 0;
      find_strain(size, (const double(*)[3])slope, strain);
      find_change(size, (const double(*)[3])slope, (const double(*)[3])more, f, change);
      for (int i = 0; i < 9; i++)
        strain[i / 3][i % 3] += change[i / 3][i % 3] / 2;
      find_stress(modulus, (const double(*)[3])strain, stress);
      for (int i = 0; i < 9; i++)
        stress[i / 3][i % 3] += 2 * modulus->damping * change[i / 3][i % 3];
      for (int i = 0; i < size; i++) {
        double row[3] = {0}; // of F S, the first stress of Piola and Kirchhoff
        for (int j = 0; j < size; j++)
          for (int m = 0; m < size; m++)
            row[m] += l->weight[k] * f[i][j] * stress[j][m];
        for (int a = 0; a < nodes; a++)
          for (int m = 0; m < size; m++)
            force[node[a] * size + i] -= row[m] * gradient[a * size + m];
      }
    }
  }
  return sound;
}

// What the form at a point needs. Its block of nodes a and b is
//
//     lambda g_a g_b' + mu (F F' grad N_a . grad N_b + g_b g_a') + S : grad N_a grad N_b' 1
//
// with g = F grad N.
typedef struct form_point {
  double strain, volume;                  // moduli times the weight of the point
  double left[3][3], stress[3][3];        // F F', and the weight times S
  double pushed[PC_ELEMENT_NODES_MAX][3]; // g
  double pulled[PC_ELEMENT_NODES_MAX][3]; // S grad N
} form_point;

static void make_form_point(int size, int nodes, const double *gradient, const tensor f,
                            form_point *p)
{
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      p->left[i][j] = 0;
      for (int k = 0; k < size; k++)
        p->left[i][j] += f[i][k] * f[j][k];
    }
  for (int a = 0; a < nodes; a++)
    for (int i = 0; i < size; i++) {
      p->pushed[a][i] = p->pulled[a][i] = 0;
      for (int k = 0; k < size; k++) {
        p->pushed[a][i] += f[i][k] * gradient[a * size + k];
        p->pulled[a][i] += p->stress[i][k] * gradient[a * size + k];
      }
    }
}

static void add_block(int size, const form_point *p, const double *ga, int a, const double *gb,
                      int b, double block[9])
{
  double dot = 0, turned = 0;
  for (int i = 0; i < size; i++) {
    dot += ga[i] * gb[i];
    turned += ga[i] * p->pulled[b][i];
  }
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      block[i * size + j] += p->volume * p->pushed[a][i] * p->pushed[b][j] +
                             p->strain * (p->left[i][j] * dot + p->pushed[b][i] * p->pushed[a][j]) +
                             (i == j ? turned : 0);
}

// The form of an element: blocks of the pairs of nodes on and below the diagonal of the matrix.
typedef struct form_cell {
  double block[PC_ELEMENT_NODES_MAX][PC_ELEMENT_NODES_MAX][9];
} form_cell;

static void add_point(int size, int nodes, const int *row, const double *gradient,
                      const form_point *p, form_cell *to)
{
  for (int a = 0; a < nodes; a++)
    for (int b = 0; b < nodes; b++)
      if (row[a] >= row[b])
        add_block(size, p, gradient + (long)a * size, a, gradient + (long)b * size, b,
                  to->block[a][b]);
}

static void add_cell(const pc_fe_space *space, int nodes, const int *node, const int *row,
                     double factor, const form_cell *cell, pc_block_matrix *matrix)
{
  int size = space->components;
  for (int a = 0; a < nodes; a++)
    for (int b = 0; b < nodes; b++) {
      if (row[a] < row[b])
        continue;
      double *value = matrix->value + matrix->offset[pc_block_matrix_find(matrix, row[a], row[b])];
      for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
          value[i * space->size[node[b]] + j] += factor * cell->block[a][b][i * size + j];
    }
}

void pc_fe_large_add_form(const pc_fe_large *l, const pc_fe_moduli *moduli, double factor,
                          const double *middle, const double *u, const double *u1,
                          const pc_fe_space *space, pc_block_matrix *matrix)
{
  static const tensor none = {{0}};
  int size = l->mesh->dimension;
  for (int e = 0; e < l->mesh->body.count; e++) {
    const int *node = l->mesh->body.node + l->mesh->body.cell[e].first;
    const pc_fe_moduli *m = &moduli[l->solid[e]];
    int nodes = nodes_of(l, e), row[PC_ELEMENT_NODES_MAX];
    double local[LOCAL], start[LOCAL], end[LOCAL];
    form_cell cell;
    memset(&cell, 0, sizeof cell);
    for (int a = 0; a < nodes; a++)
      row[a] = space->row[node[a]];
    gather(l, e, middle, local);
    if (u != NULL) {
      gather(l, e, u, start);
      gather(l, e, u1, end);
    }
    for (int k = l->first[e]; k < l->first[e + 1]; k++) {
      const double *gradient = gradients_at(l, e, k - l->first[e]);
      double weight = l->weight[k];
      form_point p = {.strain = weight * (m->strain + 2 * m->damping),
                      .volume = weight * m->volume};
      tensor slope, f, strain;
      const double *ends[2] = {start, end};
      for (int i = 0; u != NULL && i < 2; i++) {
        tensor stress;
        find_slope(size, nodes, gradient, ends[i], slope);
        find_strain(size, (const double(*)[3])slope, strain);
        find_stress(m, (const double(*)[3])strain, stress);
        for (int j = 0; j < 9; j++)
          p.stress[j / 3][j % 3] += weight / 2 * stress[j / 3][j % 3];
      }
      find_slope(size, nodes, gradient, local, slope);
      find_gradient((const double(*)[3])slope, 0, none, f);
      make_form_point(size, nodes, gradient, (const double(*)[3])f, &p);
      add_point(size, nodes, row, gradient, &p, &cell);
    }
    add_cell(space, nodes, node, row, factor, &cell, matrix);
  }
}
