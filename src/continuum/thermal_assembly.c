// Rows, parts and touches of a thermal problem, and the numbers of its matrices.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/parts.h"
#include "continuum/thermal_state.h"
#include "core/elementary.h"
#include "core/error.h"

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a thermal problem");
}

static int medium_of(const pc_fe_thermal *t, int group)
{
  for (int m = 0; m < t->def.media; m++)
    if (t->def.medium[m].group == group)
      return m;
  return -1;
}

static int numbers_of(pc_fe_phases phases)
{
  return phases == PC_FE_ALLOY ? 3 : phases == PC_FE_LIQUID ? 2 : 1;
}

// Nodes of elements with a medium.
static void find_rows(pc_fe_thermal *t)
{
  const pc_fe_mesh *mesh = t->def.mesh;
  for (int i = 0; i < mesh->nodes; i++)
    t->row_of[i] = -1;
  for (int e = 0; e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    const int *node = mesh->body.node + cell->first;
    if (medium_of(t, cell->group) < 0)
      continue;
    t->parts += pc_fe_cut_of(cell->type)->parts;
    for (int k = 0; k < pc_element_of(cell->type)->nodes; k++)
      t->row_of[node[k]] = 0;
  }
  for (int i = 0; i < mesh->nodes; i++)
    if (t->row_of[i] == 0) {
      t->row[t->rows] = (pc_thermal_row){.node = i, .size = 1};
      t->row_of[i] = t->rows++;
    }
}

// The phases of rows. Media that meet agree.
static void find_phases(pc_fe_thermal *t)
{
  const pc_fe_mesh *mesh = t->def.mesh;
  for (int e = 0; e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    const int *node = mesh->body.node + cell->first;
    int m = medium_of(t, cell->group);
    if (m < 0 || t->def.medium[m].phases == PC_FE_ONE_PHASE)
      continue;
    const pc_fe_thermal_medium *medium = &t->def.medium[m];
    for (int k = 0; k < pc_element_of(cell->type)->nodes; k++) {
      pc_thermal_row *row = &t->row[t->row_of[node[k]]];
      row->size = numbers_of(medium->phases);
      row->change = medium->change;
    }
  }
}

static void make_parts(pc_fe_thermal *t)
{
  const pc_fe_mesh *mesh = t->def.mesh;
  t->parts = 0;
  for (int e = 0; e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    const pc_fe_cut *cut = pc_fe_cut_of(cell->type);
    int m = medium_of(t, cell->group);
    for (int k = 0; m >= 0 && k < cut->parts; k++) {
      pc_thermal_part *part = &t->part[t->parts++];
      part->medium = m;
      part->volume = pc_fe_part_size(mesh, e, k, part->slope);
      for (int i = 0; i < cut->corners; i++)
        part->row[i] = t->row_of[mesh->body.node[cell->first + cut->node[k][i]]];
    }
  }
}

// Sides are straight between their nodes, points count 1.
void pc_thermal_measure_sides(pc_fe_thermal *t, int group)
{
  const pc_fe_mesh *mesh = t->def.mesh;
  memset(t->length, 0, (size_t)mesh->nodes * sizeof *t->length);
  for (int s = 0; s < mesh->side.count; s++) {
    const pc_fe_cell *side = &mesh->side.cell[s];
    if (side->group != group)
      continue;
    const int *node = mesh->side.node + side->first;
    if (mesh->dimension == 1) {
      t->length[node[0]] += 1;
      continue;
    }
    const pc_fe_cut *cut = pc_fe_cut_of(side->type);
    for (int k = 0; k < cut->parts; k++) {
      int a = node[cut->node[k][0]], b = node[cut->node[k][1]];
      double half =
          pc_hypot(mesh->node[b][0] - mesh->node[a][0], mesh->node[b][1] - mesh->node[a][1]);
      t->length[a] += half / 2;
      t->length[b] += half / 2;
    }
  }
}

static pc_status find_touches(pc_fe_thermal *t, pc_error *error)
{
  const pc_fe_mesh *mesh = t->def.mesh;
  int *partner = malloc(((size_t)mesh->nodes + 1) * sizeof *partner);
  pc_status status = partner == NULL ? out_of_memory(error) : PC_OK;
  for (int c = 0; c < t->def.contacts && status == PC_OK; c++) {
    const pc_fe_thermal_contact *contact = &t->def.contact[c];
    pc_thermal_measure_sides(t, contact->sides);
    if (contact->other >= 0)
      status = pc_fe_mesh_match(mesh, contact->sides, contact->other, partner, error);
    for (int i = 0; i < mesh->nodes && status == PC_OK; i++)
      if (t->length[i] > 0)
        t->touch[t->touches++] = (pc_thermal_touch){
            c, i, t->row_of[i], contact->other >= 0 ? t->row_of[partner[i]] : -1, t->length[i]};
  }
  free(partner);
  return status;
}

static pc_status make_matrix(pc_fe_thermal *t, pc_error *error)
{
  long count = 0;
  int(*pair)[2] = malloc(((size_t)t->parts * 3 + (size_t)t->touches + 1) * sizeof *pair);
  int *size = malloc(((size_t)t->rows + 1) * sizeof *size);
  pc_status status = PC_OK;
  if (pair == NULL || size == NULL) {
    status = out_of_memory(error);
    goto done;
  }
  for (int i = 0; i < t->rows; i++)
    size[i] = t->row[i].size;
  for (int p = 0; p < t->parts; p++)
    for (int i = 0; i < t->corners; i++)
      for (int j = 0; j < i; j++) {
        pair[count][0] = t->part[p].row[i];
        pair[count++][1] = t->part[p].row[j];
      }
  for (int k = 0; k < t->touches; k++)
    if (t->touch[k].other >= 0) {
      pair[count][0] = t->touch[k].row;
      pair[count++][1] = t->touch[k].other;
    }
  status = pc_block_matrix_create(&t->matrix, t->rows, size, (const int(*)[2])pair, count, error);
  if (status != PC_OK)
    goto done;
  size_t n = (size_t)t->matrix.start[t->rows] + 1, blocks = (size_t)t->matrix.row[t->rows] + 1;
  double **vector[] = {&t->jump, &t->rest, &t->step, &t->scratch, &t->best};
  double **link[] = {&t->conduct, &t->spread, &t->spread_change};
  for (int i = 0; i < 5; i++)
    *vector[i] = pc_arena_take(&t->arena, n, sizeof(double));
  for (int i = 0; i < 3; i++)
    *link[i] = pc_arena_take(&t->arena, blocks, sizeof(double));
  t->sign = pc_arena_take(&t->arena, n, 1);
  if (t->arena.failed) {
    status = out_of_memory(error);
    goto done;
  }
  for (int i = 0; i < t->rows; i++)
    for (int k = 0; k < size[i]; k++)
      t->sign[t->matrix.start[i] + k] = k == 0 ? 1 : -1;
  t->direct = pc_direct_analyze(&t->matrix, t->sign, 0, error);
  if (t->direct == NULL)
    status = error != NULL ? error->status : PC_ERROR_MEMORY;

done:
  free(pair);
  free(size);
  return status;
}

static double *link_of(const pc_fe_thermal *t, double *link, int i, int j)
{
  return &link[pc_block_matrix_find(&t->matrix, i > j ? i : j, i > j ? j : i)];
}

static void add_part(pc_fe_thermal *t, const pc_thermal_part *part)
{
  const pc_fe_thermal_medium *m = &t->def.medium[part->medium];
  double share = part->volume / t->corners;
  for (int i = 0; i < t->corners; i++) {
    pc_thermal_row *row = &t->row[part->row[i]];
    if (m->phases == PC_FE_ALLOY)
      row->shared += share * m->capacity;
    else
      row->own += share * m->capacity;
    if (m->exchange > 0) {
      row->leak += share * m->exchange;
      row->leak_heat += share * m->exchange * m->outside;
      row->leak_over += share * m->exchange / m->outside;
    }
    if (m->phases != PC_FE_ONE_PHASE) {
      row->volume += share;
      row->latent += share * m->latent;
      row->resist += share * m->resist;
    }
    for (int j = 0; j < i; j++) {
      double form = part->volume *
                    (part->slope[i][0] * part->slope[j][0] + part->slope[i][1] * part->slope[j][1]);
      int a = part->row[i], b = part->row[j];
      *link_of(t, t->conduct, a, b) += m->conduct * form;
      if (m->phases != PC_FE_ONE_PHASE) {
        *link_of(t, t->spread, a, b) += m->spread * form;
        *link_of(t, t->spread_change, a, b) += m->spread_change * form;
      }
    }
  }
}

static pc_status add_sides(pc_fe_thermal *t, const pc_fe_thermal_side *side, pc_error *error)
{
  pc_thermal_measure_sides(t, side->sides);
  for (int i = 0; i < t->rows; i++) {
    pc_thermal_row *row = &t->row[i];
    double length = t->length[row->node];
    if (!(length > 0))
      continue;
    row->own += length * side->capacity;
    if (side->exchange > 0) {
      row->leak += length * side->exchange;
      row->leak_heat += length * side->exchange * side->outside;
      row->leak_over += length * side->exchange / side->outside;
    }
    if (side->given) {
      if (row->given && row->at != side->outside)
        return pc_fail(error, PC_ERROR_ARGUMENT,
                       "node %d of \"%s\" has two prescribed temperatures, %g K and %g K",
                       row->node, t->def.mesh->group[side->sides].name, row->at, side->outside);
      row->given = true;
      row->at = side->outside;
    }
  }
  return PC_OK;
}

// The numbers of all media, sides and contacts.
static pc_status fill(pc_fe_thermal *t, pc_error *error)
{
  for (int p = 0; p < t->parts; p++)
    add_part(t, &t->part[p]);
  for (int k = 0; k < t->touches; k++) {
    const pc_thermal_touch *touch = &t->touch[k];
    if (touch->other >= 0)
      *link_of(t, t->conduct, touch->row, touch->other) -=
          touch->weight * t->def.contact[touch->contact].exchange;
  }
  pc_status status = PC_OK;
  for (int i = 0; i < t->def.surfaces && status == PC_OK; i++)
    status = add_sides(t, &t->def.side[i], error);
  return status;
}

pc_status pc_thermal_make(pc_fe_thermal *t, pc_error *error)
{
  const pc_fe_mesh *mesh = t->def.mesh;
  pc_arena *arena = &t->arena;
  size_t nodes = (size_t)mesh->nodes;
  t->corners = mesh->dimension + 1;
  t->row_of = pc_arena_take(arena, nodes, sizeof *t->row_of);
  t->row = pc_arena_take(arena, nodes, sizeof *t->row);
  t->length = pc_arena_take(arena, nodes, sizeof *t->length);
  t->point = pc_arena_take(arena, nodes, sizeof *t->point);
  t->source = pc_arena_take(arena, nodes, sizeof *t->source);
  t->work = pc_arena_take(arena, 2 * nodes, sizeof *t->work);
  t->after.temperature = pc_arena_take(arena, nodes, sizeof(double));
  t->after.fraction = pc_arena_take(arena, nodes, sizeof *t->after.fraction);
  t->touch = pc_arena_take(arena, nodes * (size_t)t->def.contacts, sizeof *t->touch);
  if (arena->failed)
    return out_of_memory(error);
  find_rows(t);
  find_phases(t);
  t->part = pc_arena_take(arena, (size_t)t->parts, sizeof *t->part);
  if (t->part == NULL)
    return out_of_memory(error);
  make_parts(t);
  pc_status status = find_touches(t, error);
  if (status == PC_OK)
    status = make_matrix(t, error);
  return status == PC_OK ? fill(t, error) : status;
}
