#include "continuum/mesh_shapes.h"

#include <math.h>
#include <stddef.h>

#include "core/elementary.h"

static const double PI = 3.14159265358979323846;

// A bar. With q = across / 4, one long grid of q + along + q columns and 4 q rows has the straight
// part and most of the ends; each end has a cap of q columns and 2 q rows, from the arc (column 0)
// to the end of the long grid. The arc of an end has 4 q sides, of equal length but for the lowest
// point.
//
//          3q..4q  -----------+----
//          +----+  arc / grid |
//     cap  |    |------------ |          inner corners at 0.7 r from the centre
//          +----+  ----------\|

typedef struct bar_grid {
  const pc_fe_bar *bar;
  int q, columns, rows; // of the long grid
  int first, cap[2];    // numbers of the first nodes; caps hold columns 0..q-1, rows 1..2q-1
  double r, straight;
} bar_grid;

void pc_fe_bar_ends(const pc_fe_bar *bar, double foot[2], double head[2])
{
  double straight = bar->length - bar->width;
  foot[0] = bar->lowest[0];
  foot[1] = bar->lowest[1] + bar->width / 2;
  head[0] = foot[0] + straight * pc_cos(bar->angle);
  head[1] = foot[1] + straight * pc_sin(bar->angle);
}

// Where corner k of 4 q + 1 is on the arc of an end: the angle from the right side of the bar. On
// the foot the corner nearest to the lowest point, which is at the bar's own angle, goes there.
static double arc_angle(const bar_grid *g, int head, int k)
{
  double lowest = g->bar->angle, part = lowest / PI;
  int nearest = (int)lround(g->rows * part);
  if (head || nearest <= 0 || nearest >= g->rows)
    return PI * k / g->rows;
  return k <= nearest ? lowest * k / nearest
                      : lowest + (PI - lowest) * (k - nearest) / (g->rows - nearest);
}

static void blend(const double a[2], const double b[2], double share, double to[2])
{
  for (int c = 0; c < 2; c++)
    to[c] = (1 - share) * a[c] + share * b[c];
}

// Points of an end, as depth beyond its centre and place across: on the arc, and the corner of the
// inner square under it.
static void place_arc(const bar_grid *g, int head, int k, double p[2])
{
  double angle = arc_angle(g, head, k);
  p[0] = g->r * pc_sin(angle);
  p[1] = -g->r * pc_cos(angle);
}

static void place_corner(const bar_grid *g, int head, int left, double p[2])
{
  place_arc(g, head, left ? 3 * g->q : g->q, p);
  p[0] *= sqrt(0.5);
  p[1] *= sqrt(0.5);
}

// k columns beyond the straight part, between 0 and q.
static void place_end(const bar_grid *g, int head, int k, int j, double p[2])
{
  int q = g->q;
  double in[2][2], arc[2];
  for (int left = 0; left < 2; left++) {
    double corner[2], centre[2] = {0, left ? g->r / 2 : -g->r / 2};
    place_corner(g, head, left, corner);
    blend(centre, corner, (double)k / q, in[left]);
  }
  if (j >= q && j <= 3 * q) {
    blend(in[0], in[1], (double)(j - q) / (2 * q), p);
    return;
  }
  int left = j > q;
  place_arc(g, head, left ? g->rows - k : k, arc);
  blend(in[left], arc, (double)(left ? j - 3 * q : q - j) / q, p);
}

// Node (i, j) of the long grid: along the axis from the foot's centre, and across it to the left.
static void place_long(const bar_grid *g, int i, int j, double p[2])
{
  int q = g->q, head = i > g->columns - q, k = head ? i - (g->columns - q) : q - i;
  if (k > 0) {
    place_end(g, head, k, j, p);
    p[0] = head ? g->straight + p[0] : -p[0];
    return;
  }
  p[0] = g->straight * (i - q) / g->bar->along;
  p[1] = g->r * (2. * j / g->rows - 1);
}

static void place_cap(const bar_grid *g, int head, int i, int j, double p[2])
{
  double right[2], left[2], in[2], arc[2];
  place_corner(g, head, 0, right);
  place_corner(g, head, 1, left);
  blend(right, left, (double)j / (2 * g->q), in);
  place_arc(g, head, g->q + j, arc);
  blend(arc, in, (double)i / g->q, p);
  p[0] = head ? g->straight + p[0] : -p[0];
}

static int long_node(const bar_grid *g, int i, int j)
{
  return g->first + j * (g->columns + 1) + i;
}

// Rows 0 and 2q and column q of a cap are the last column of the long grid.
static int cap_node(const bar_grid *g, int head, int i, int j)
{
  int q = g->q, column = head ? g->columns : 0;
  if (j == 0)
    return long_node(g, column, i);
  if (j == 2 * q)
    return long_node(g, column, g->rows - i);
  if (i == q)
    return long_node(g, column, q + j);
  return g->cap[head] + (j - 1) * q + i;
}

static void add_placed(pc_fe_mesh *mesh, const bar_grid *g, const double p[2])
{
  double c = pc_cos(g->bar->angle), s = pc_sin(g->bar->angle), foot[2], head[2];
  pc_fe_bar_ends(g->bar, foot, head);
  pc_fe_mesh_add_node(mesh, foot[0] + c * p[0] - s * p[1], foot[1] + s * p[0] + c * p[1], 0);
}

static void add_nodes(pc_fe_mesh *mesh, bar_grid *g)
{
  double p[2];
  g->first = mesh->nodes;
  for (int j = 0; j <= g->rows; j++)
    for (int i = 0; i <= g->columns; i++) {
      place_long(g, i, j, p);
      add_placed(mesh, g, p);
    }
  for (int head = 0; head < 2; head++) {
    g->cap[head] = mesh->nodes;
    for (int j = 1; j < 2 * g->q; j++)
      for (int i = 0; i < g->q; i++) {
        place_cap(g, head, i, j, p);
        add_placed(mesh, g, p);
      }
  }
}

static void add_elements(pc_fe_mesh *mesh, const bar_grid *g, int group)
{
  for (int j = 0; j < g->rows; j++)
    for (int i = 0; i < g->columns; i++)
      pc_fe_mesh_add(mesh, PC_QUAD4,
                     (int[]){long_node(g, i, j), long_node(g, i + 1, j), long_node(g, i + 1, j + 1),
                             long_node(g, i, j + 1)},
                     group);
  for (int head = 0; head < 2; head++)
    for (int j = 0; j < 2 * g->q; j++)
      for (int i = 0; i < g->q; i++) {
        int a = cap_node(g, head, i, j), b = cap_node(g, head, i + 1, j);
        int c = cap_node(g, head, i + 1, j + 1), d = cap_node(g, head, i, j + 1);
        pc_fe_mesh_add(mesh, PC_QUAD4, head ? (int[]){a, d, c, b} : (int[]){a, b, c, d}, group);
      }
}

// Counter-clockwise, each round end in one piece.
static void add_sides(pc_fe_mesh *mesh, const bar_grid *g)
{
  const pc_fe_bar *bar = g->bar;
  int q = g->q, end = g->columns - q;
  for (int i = q; i < end; i++)
    pc_fe_mesh_add_side(mesh, bar->right, long_node(g, i, 0), long_node(g, i + 1, 0));
  for (int i = end; i < g->columns; i++)
    pc_fe_mesh_add_side(mesh, bar->head, long_node(g, i, 0), long_node(g, i + 1, 0));
  for (int j = 0; j < 2 * q; j++)
    pc_fe_mesh_add_side(mesh, bar->head, cap_node(g, 1, 0, j), cap_node(g, 1, 0, j + 1));
  for (int i = g->columns; i > end; i--)
    pc_fe_mesh_add_side(mesh, bar->head, long_node(g, i, g->rows), long_node(g, i - 1, g->rows));
  for (int i = end; i > q; i--)
    pc_fe_mesh_add_side(mesh, bar->left, long_node(g, i, g->rows), long_node(g, i - 1, g->rows));
  for (int i = q; i > 0; i--)
    pc_fe_mesh_add_side(mesh, bar->foot, long_node(g, i, g->rows), long_node(g, i - 1, g->rows));
  for (int j = 2 * q; j > 0; j--)
    pc_fe_mesh_add_side(mesh, bar->foot, cap_node(g, 0, 0, j), cap_node(g, 0, 0, j - 1));
  for (int i = 0; i < q; i++)
    pc_fe_mesh_add_side(mesh, bar->foot, long_node(g, i, 0), long_node(g, i + 1, 0));
}

void pc_fe_mesh_add_bar(pc_fe_mesh *mesh, const pc_fe_bar *bar)
{
  if (mesh->dimension != 2 || !(bar->width > 0) || !(bar->length > bar->width) || bar->along < 1 ||
      bar->across < 4 || bar->across % 4 != 0 || !isfinite(bar->angle)) {
    pc_fe_mesh_reject(mesh);
    return;
  }
  int q = bar->across / 4;
  bar_grid g = {.bar = bar,
                .q = q,
                .columns = bar->along + 2 * q,
                .rows = bar->across,
                .r = bar->width / 2,
                .straight = bar->length - bar->width};
  int group = pc_fe_mesh_add_group(mesh, bar->name, 2);
  add_nodes(mesh, &g);
  add_elements(mesh, &g, group);
  add_sides(mesh, &g);
}

// Node k of 4 n around the square of n x n elements, counter-clockwise from its corner at -135
// degrees.
static int around(int first, int n, int k)
{
  int wide = n + 1, side = k / n % 4, at = k % n;
  switch (side) {
  case 0:
    return first + at;
  case 1:
    return first + at * wide + n;
  case 2:
    return first + n * wide + n - at;
  default:
    return first + (n - at) * wide;
  }
}

void pc_fe_mesh_add_disc(pc_fe_mesh *mesh, const pc_fe_disc *disc)
{
  if (mesh->dimension != 2 || !(disc->radius > 0) || disc->core < 1 || disc->rings < 1) {
    pc_fe_mesh_reject(mesh);
    return;
  }
  int n = disc->core, wide = n + 1, first = mesh->nodes, turn = 4 * n;
  double half = disc->radius / 2;
  int group = pc_fe_mesh_add_group(mesh, disc->name, 2);
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++)
      pc_fe_mesh_add_node(mesh, disc->centre[0] + half * (2. * i / n - 1),
                          disc->centre[1] + half * (2. * j / n - 1), 0);
  int ring = mesh->nodes; // nodes of ring m, m from 1, begin at ring + (m - 1) turn
  for (int m = 1; m <= disc->rings; m++)
    for (int k = 0; k < turn && mesh->failed == PC_OK; k++) {
      double angle = 2 * PI * k / turn - 0.75 * PI, share = (double)m / disc->rings;
      const double *from = mesh->node[around(first, n, k)];
      double x = (1 - share) * from[0] + share * (disc->centre[0] + disc->radius * pc_cos(angle));
      double y = (1 - share) * from[1] + share * (disc->centre[1] + disc->radius * pc_sin(angle));
      pc_fe_mesh_add_node(mesh, x, y, 0);
    }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      int a = first + j * wide + i;
      pc_fe_mesh_add(mesh, PC_QUAD4, (int[]){a, a + 1, a + 1 + wide, a + wide}, group);
    }
  for (int m = 0; m < disc->rings; m++)
    for (int k = 0; k < turn; k++) {
      int next = (k + 1) % turn, out = ring + m * turn, in = out - turn;
      int a = m > 0 ? in + k : around(first, n, k), b = m > 0 ? in + next : around(first, n, next);
      pc_fe_mesh_add(mesh, PC_QUAD4, (int[]){a, out + k, out + next, b}, group);
      if (m == disc->rings - 1)
        pc_fe_mesh_add_side(mesh, disc->rim, out + k, out + next);
    }
}

void pc_fe_mesh_round(pc_fe_mesh *mesh, const double centre[2], double radius)
{
  for (int e = 0; e < mesh->body.count && mesh->dimension == 2; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    const pc_element_info *info = pc_element_of(cell->type);
    const int *node = mesh->body.node + cell->first;
    for (int s = 0; s < info->sides && info->order == 2; s++) {
      int end[PC_SIDE_NODES_MAX];
      pc_element_side(cell->type, s, end);
      double *a = mesh->node[node[end[0]]], *b = mesh->node[node[end[1]]];
      double *middle = mesh->node[node[end[2]]];
      double off = fmax(fabs(pc_hypot(a[0] - centre[0], a[1] - centre[1]) - radius),
                        fabs(pc_hypot(b[0] - centre[0], b[1] - centre[1]) - radius));
      double x = (a[0] + b[0]) / 2 - centre[0], y = (a[1] + b[1]) / 2 - centre[1];
      double away = pc_hypot(x, y);
      if (off > 1e-9 * radius || away < 0.1 * radius)
        continue;
      double to[2] = {centre[0] + x * radius / away, centre[1] + y * radius / away};
      for (int c = 0; c < 2; c++) {
        if (cell->type == PC_QUAD9)
          mesh->node[node[8]][c] += (to[c] - middle[c]) / 2;
        middle[c] = to[c];
      }
    }
  }
}
