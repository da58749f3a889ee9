// A collision of a continuum in a few lines.
#include "fe_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pc_fe_trial_begin(pc_fe_trial *trial, int dimension)
{
  memset(trial, 0, sizeof *trial);
  trial->mesh = pc_fe_mesh_empty(dimension);
}

void pc_fe_trial_end(pc_fe_trial *trial)
{
  pc_fe_collision_destroy(trial->collision);
  pc_fe_mesh_free(&trial->mesh);
  free(trial->before);
}

// All places in one list; their number less one, 0 when memory is out. Freed by the caller.
static int list_places(const pc_fe_places *places, double **list)
{
  int cells = 0, at = 0;
  for (int i = 0; i + 1 < places->count; i++)
    cells += places->cells[i];
  *list = malloc(sizeof **list * (size_t)(cells + 1));
  if (*list == NULL)
    return 0;
  for (int i = 0; i + 1 < places->count; at += places->cells[i++])
    pc_fe_grade(places->corner[i], places->corner[i + 1], places->cells[i], 1, *list + at);
  return cells;
}

void pc_fe_trial_block(pc_fe_trial *trial, const char *name, pc_fe_places x, pc_fe_places y,
                       const char *bottom, const char *right, const char *top, const char *left)
{
  double *at[2] = {NULL, NULL};
  pc_fe_rectangle r = {.columns = list_places(&x, &at[0]),
                       .type = trial->triangles ? PC_TRIANGLE3 : PC_QUAD4,
                       .name = name,
                       .bottom = bottom,
                       .right = right,
                       .top = top,
                       .left = left};
  r.x = at[0];
  if (trial->mesh.dimension == 1) {
    if (at[0] != NULL)
      pc_fe_mesh_add_line(&trial->mesh, r.columns, r.x, name, left, right);
  } else {
    r.rows = list_places(&y, &at[1]);
    r.y = at[1];
    if (at[0] != NULL && at[1] != NULL)
      pc_fe_mesh_add_rectangle(&trial->mesh, &r);
  }
  free(at[0]);
  free(at[1]);
}

void pc_fe_trial_part(pc_fe_trial *trial, const char *name, double at, double from, double to)
{
  pc_fe_mesh *mesh = &trial->mesh;
  const double little = 1e-9;
  int group = pc_fe_mesh_add_group(mesh, name, 1);
  for (int e = 0; e < mesh->body.count; e++)
    for (int side = 0; side < 4; side++) {
      int ends[3], node[2];
      bool on = true;
      pc_element_side(PC_QUAD4, side, ends);
      for (int k = 0; k < 2; k++) {
        node[k] = mesh->body.node[mesh->body.cell[e].first + ends[k]];
        const double *p = mesh->node[node[k]];
        on = on && fabs(p[1] - at) < little && p[0] > from - little && p[0] < to + little;
      }
      if (on)
        pc_fe_mesh_add(mesh, PC_LINE2, node, group);
    }
}

static int elements_of(const pc_fe_trial *trial, const char *name)
{
  return pc_fe_mesh_find_group(&trial->mesh, name, trial->mesh.dimension);
}

static int sides_of(const pc_fe_trial *trial, const char *name)
{
  return name == NULL ? -1 : pc_fe_mesh_find_group(&trial->mesh, name, trial->mesh.dimension - 1);
}

void pc_fe_trial_medium(pc_fe_trial *trial, const char *name, bool fluid, double density,
                        double strain, double volume)
{
  trial->medium[trial->def.media++] =
      (pc_fe_medium){elements_of(trial, name), fluid, density, strain, volume};
}

void pc_fe_trial_contact(pc_fe_trial *trial, const char *sides, const char *other, int body,
                         double normal, double tangential, pc_fe_condition condition)
{
  trial->contact[trial->def.contacts++] = (pc_fe_contact){.sides = sides_of(trial, sides),
                                                          .other = sides_of(trial, other),
                                                          .body = body,
                                                          .normal = normal,
                                                          .tangential = tangential,
                                                          .condition = condition};
}

void pc_fe_trial_hold(pc_fe_trial *trial, const char *sides, bool x, bool y, bool kept)
{
  trial->hold[trial->def.holds++] = (pc_fe_hold){sides_of(trial, sides), x, y, kept};
}

bool pc_fe_trial_ready(pc_fe_trial *trial)
{
  pc_error error = {.status = PC_OK};
  pc_fe_mesh *mesh = &trial->mesh;
  if ((!trial->linear && pc_fe_mesh_quadratic(mesh, true, &error) != PC_OK) ||
      pc_fe_mesh_check(mesh, &error) != PC_OK)
    return false;
  pc_fe_collision_def *def = &trial->def;
  def->mesh = mesh;
  def->medium = trial->medium;
  def->body = trial->body;
  def->contact = trial->contact;
  def->hold = trial->hold;
  trial->before = calloc((size_t)mesh->nodes * (size_t)mesh->dimension, sizeof *trial->before);
  trial->collision = trial->before != NULL ? pc_fe_collision_create(def, &error) : NULL;
  return trial->collision != NULL;
}

bool pc_fe_trial_solve(pc_report *report, pc_fe_trial *trial)
{
  pc_error error = {.status = PC_OK};
  trial->solved =
      trial->collision != NULL &&
      pc_fe_collision_solve(trial->collision, trial->before, (const double(*)[3])trial->body_before,
                            &trial->answer, &error) == PC_OK &&
      trial->answer.solved && trial->answer.account.closed;
  pc_report_count(report, trial->solved);
  return trial->solved;
}

pc_fe_surface pc_fe_trial_surface(const pc_fe_trial *trial, int contact)
{
  pc_fe_surface s = {.peak = NAN, .mean_pressure = NAN, .resultant = NAN, .tangential = NAN};
  if (!trial->solved)
    return s;
  s = (pc_fe_surface){.peak = -INFINITY};
  for (int k = 0; k < 2; k++) {
    s.high[k] = -INFINITY;
    s.low[k] = INFINITY;
  }
  for (int i = 0; i < trial->answer.touches; i++) {
    const pc_fe_touch *t = &trial->answer.touch[i];
    if (t->contact != contact)
      continue;
    s.nodes++;
    s.staying += fabs(t->after[0]) < 1e-8 * fabs(t->before[0]) + 1e-12;
    s.resultant += t->percussion[0];
    s.tangential += t->percussion[1];
    s.peak = fmax(s.peak, t->percussion[0] / t->weight);
    s.mean_pressure += t->weight * trial->answer.pressure[t->node];
    s.length += t->weight;
    for (int k = 0; k < trial->mesh.dimension; k++) {
      double v = trial->answer.velocity[trial->mesh.dimension * t->node + k];
      s.high[k] = fmax(s.high[k], v);
      s.low[k] = fmin(s.low[k], v);
    }
  }
  s.mean_pressure /= s.length;
  return s;
}

void pc_fe_trial_distance(const pc_fe_trial *trial, pc_fe_truth *truth, const void *context,
                          double distance[2])
{
  const pc_fe_mesh *mesh = &trial->mesh;
  int n = mesh->dimension;
  double sum[2] = {0}, mean = 0, area = 0;
  for (int e = 0; trial->solved && e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    double node[PC_ELEMENT_NODES_MAX][2];
    int count = pc_fe_mesh_corners(mesh, &mesh->body, e, node);
    const int *list = mesh->body.node + cell->first;
    pc_quadrature rule;
    pc_quadrature_make(&rule, cell->type, 9);
    for (int q = 0; q < rule.points; q++) {
      pc_element_point p;
      pc_element_map(cell->type, (const double(*)[2])node, rule.at[q], &p);
      double w = rule.weight[q] * p.determinant, off[3] = {0}, value[3] = {0};
      truth(context, p.x, value);
      for (int k = 0; k <= n; k++)
        off[k] = -value[k];
      for (int a = 0; a < count; a++) {
        for (int k = 0; k < n; k++)
          off[k] += p.value[a] * trial->answer.velocity[n * list[a] + k];
        off[n] += p.value[a] * trial->answer.pressure[list[a]];
      }
      for (int k = 0; k < n; k++)
        sum[0] += w * off[k] * off[k];
      sum[1] += w * off[n] * off[n];
      mean += w * off[n];
      area += w;
    }
  }
  distance[0] = trial->solved ? sqrt(sum[0]) : NAN;
  distance[1] = trial->solved ? sqrt(fmax(0, sum[1] - mean * mean / area)) : NAN;
}

double pc_fe_trial_velocity(const pc_fe_trial *trial, double x, double y, int component)
{
  for (int i = 0; trial->solved && i < trial->mesh.nodes; i++)
    if (hypot(trial->mesh.node[i][0] - x, trial->mesh.node[i][1] - y) < 1e-9)
      return trial->answer.velocity[trial->mesh.dimension * i + component];
  return NAN;
}
