// The response of bodies that are coupled by mass, W = J mass^-1 J^T.
//
// A mass matrix falls into pieces that do not touch each other (the bricks of a wall of finite
// elements); the interactions of a piece all respond to each other. For each piece (mass J^T; J 0)
// is eliminated down to the rows of the interactions, which leaves -W: sparse as long as it can be,
// and in the dense kernels of the factorisation.
#include <limits.h>
#include <string.h>

#include "core/error.h"
#include "impact/system.h"

enum { MOST_ROWS = 12000 };

typedef struct pieces {
  int count;
  int *of, *place;           // per body: its piece, and its number in there
  int *bodies;               // per piece
  int *first, *interaction;  // interactions of each piece, in order; count + 1
  int *first_body, *members; // bodies of each piece, in order; count + 1
} pieces;

static int root_of(int *parent, int i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

// The lists of interactions: `last` keeps the last one of each piece, so that it is there once.
static void list_interactions(const pc_system *s, pieces *p, int *last)
{
  for (int pass = 0; pass < 2; pass++) {
    for (int c = 0; c < p->count; c++)
      last[c] = -1;
    for (int k = 0; k < s->interactions; k++)
      for (int t = s->term[k]; t < s->term[k + 1]; t++) {
        int c = p->of[s->term_body[t]];
        if (last[c] == k)
          continue;
        last[c] = k;
        if (pass == 0)
          p->first[c + 2]++;
        else
          p->interaction[p->first[c + 1]++] = k;
      }
    for (int c = 0; c < p->count && pass == 0; c++)
      p->first[c + 2] += p->first[c + 1];
  }
}

static pc_status find_pieces(const pc_system *s, pc_arena *arena, pieces *p, pc_error *error)
{
  size_t bodies = (size_t)s->bodies, terms = (size_t)s->term[s->interactions];
  int *parent = pc_arena_take(arena, bodies, sizeof(int));
  int *number = pc_arena_take(arena, bodies, sizeof(int));
  *p = (pieces){.of = pc_arena_take(arena, bodies, sizeof(int)),
                .place = pc_arena_take(arena, bodies, sizeof(int)),
                .bodies = pc_arena_take(arena, bodies, sizeof(int)),
                .first = pc_arena_take(arena, bodies + 2, sizeof(int)),
                .interaction = pc_arena_take(arena, terms, sizeof(int)),
                .first_body = pc_arena_take(arena, bodies + 1, sizeof(int)),
                .members = pc_arena_take(arena, bodies, sizeof(int))};
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int b = 0; b < s->bodies; b++) {
    parent[b] = b;
    number[b] = -1;
  }
  for (int i = 0; i < s->bodies; i++)
    for (int k = s->mass.row[i]; k < s->mass.row[i + 1]; k++)
      parent[root_of(parent, i)] = root_of(parent, s->mass.column[k]);
  for (int b = 0; b < s->bodies; b++) {
    int root = root_of(parent, b);
    if (number[root] < 0)
      number[root] = p->count++;
    p->of[b] = number[root];
    p->place[b] = p->bodies[p->of[b]]++;
  }
  for (int c = 0; c < p->count; c++)
    p->first_body[c + 1] = p->first_body[c] + p->bodies[c];
  for (int b = 0; b < s->bodies; b++)
    p->members[p->first_body[p->of[b]] + p->place[b]] = b;
  list_interactions(s, p, number);
  return PC_OK;
}

// The pattern of W: interactions that share a piece.
static pc_status create_response(pc_system *s, const pieces *p, pc_arena *arena, pc_error *error)
{
  int n = s->interactions;
  int *mark = pc_arena_take(arena, (size_t)n, sizeof(int));
  pc_response *w = pc_arena_take(s->arena, 1, sizeof *w);
  int *row = pc_arena_take(s->arena, (size_t)n + 1, sizeof(int));
  if (arena->failed || s->arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  w->row = row;
  for (int pass = 0; pass < 2; pass++) {
    long count = 0, numbers = 0;
    for (int k = 0; k < n; k++)
      mark[k] = -1;
    for (int k = 0; k < n; k++) {
      mark[k] = k; // an interaction without bodies still responds to itself
      for (int t = s->term[k]; t < s->term[k + 1]; t++) {
        int c = p->of[s->term_body[t]];
        for (int i = p->first[c]; i < p->first[c + 1]; i++)
          mark[p->interaction[i]] = k;
      }
      for (int l = 0; l < n; l++)
        if (mark[l] == k) {
          if (pass == 1) {
            w->column[count] = l;
            w->at[count] = numbers;
          }
          count++;
          numbers += s->law[k].rows * s->law[l].rows;
        }
      if (count > INT_MAX)
        return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
      w->row[k + 1] = (int)count;
    }
    if (pass == 1)
      continue;
    w->column = pc_arena_take(s->arena, (size_t)count, sizeof(int));
    w->at = pc_arena_take(s->arena, (size_t)count, sizeof(long));
    w->value = pc_arena_take(s->arena, (size_t)numbers, sizeof(double));
    if (s->arena->failed)
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  s->response = w;
  return PC_OK;
}

// (mass J^T; J 0) of one piece: its bodies, then its interactions.
static pc_status create_bordered(const pc_system *s, const pieces *p, int c, pc_arena *arena,
                                 pc_block_matrix *out, pc_error *error)
{
  int bodies = p->bodies[c], kept = p->first[c + 1] - p->first[c];
  const int *member = p->members + p->first_body[c], *interaction = p->interaction + p->first[c];
  long room = (long)kept * (kept - 1) / 2, count = 0;
  for (int i = 0; i < bodies; i++)
    room += s->mass.row[member[i] + 1] - s->mass.row[member[i]];
  for (int i = 0; i < kept; i++)
    room += s->term[interaction[i] + 1] - s->term[interaction[i]];
  int(*pairs)[2] = pc_arena_take(arena, (size_t)room, sizeof *pairs);
  int *size = pc_arena_take(arena, (size_t)bodies + kept, sizeof(int));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < bodies; i++) {
    int b = member[i];
    size[i] = s->dof[b];
    for (int k = s->mass.row[b]; k < s->mass.row[b + 1]; k++) {
      pairs[count][0] = i;
      pairs[count++][1] = p->place[s->mass.column[k]];
    }
  }
  for (int i = 0; i < kept; i++) {
    int k = interaction[i];
    size[bodies + i] = s->law[k].rows;
    for (int t = s->term[k]; t < s->term[k + 1]; t++)
      if (p->of[s->term_body[t]] == c) {
        pairs[count][0] = bodies + i;
        pairs[count++][1] = p->place[s->term_body[t]];
      }
    for (int j = 0; j < i; j++) {
      pairs[count][0] = bodies + i;
      pairs[count++][1] = bodies + j;
    }
  }
  return pc_block_matrix_create(out, bodies + kept, size, pairs, count, error);
}

static void fill_bordered(const pc_system *s, const pieces *p, int c, pc_block_matrix *out)
{
  int bodies = p->bodies[c], kept = p->first[c + 1] - p->first[c];
  const int *member = p->members + p->first_body[c], *interaction = p->interaction + p->first[c];
  for (int i = 0; i < bodies; i++) {
    int b = member[i];
    for (int k = s->mass.row[b]; k < s->mass.row[b + 1]; k++) {
      long at = pc_block_matrix_find(out, i, p->place[s->mass.column[k]]);
      memcpy(out->value + out->offset[at], s->mass.value + s->mass.offset[k],
             sizeof(double) * (size_t)(s->mass.offset[k + 1] - s->mass.offset[k]));
    }
  }
  for (int i = 0; i < kept; i++) {
    int k = interaction[i];
    for (int t = s->term[k]; t < s->term[k + 1]; t++) {
      int b = s->term_body[t];
      if (p->of[b] != c)
        continue;
      double *to = out->value + out->offset[pc_block_matrix_find(out, bodies + i, p->place[b])];
      for (int j = 0; j < s->law[k].rows * s->dof[b]; j++)
        to[j] += s->jacobian[s->term_at[t] + j];
    }
  }
}

static double *block_of(const pc_response *w, int k, int l)
{
  int low = w->row[k], high = w->row[k + 1] - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (w->column[middle] < l)
      low = middle + 1;
    else
      high = middle;
  }
  return w->value + w->at[low];
}

// W of one piece, from -W in the lower triangle.
static void add_piece(pc_system *s, const pieces *p, int c, const pc_block_matrix *reduced)
{
  int bodies = p->bodies[c], kept = p->first[c + 1] - p->first[c];
  const int *interaction = p->interaction + p->first[c];
  for (int i = 0; i < kept; i++)
    for (int j = 0; j <= i; j++) {
      int k = interaction[i], l = interaction[j], mk = s->law[k].rows, ml = s->law[l].rows;
      const double *from =
          reduced->value + reduced->offset[pc_block_matrix_find(reduced, bodies + i, bodies + j)];
      double *to = block_of(s->response, k, l), *across = block_of(s->response, l, k);
      for (int a = 0; a < mk; a++)
        for (int b = 0; b < ml; b++) {
          to[a * ml + b] -= from[a * ml + b];
          if (i != j)
            across[b * mk + a] -= from[a * ml + b];
        }
    }
}

static pc_status condense(pc_system *s, pc_arena *arena, pc_error *error)
{
  pieces p;
  pc_status status = find_pieces(s, arena, &p, error);
  if (status == PC_OK)
    status = create_response(s, &p, arena, error);
  for (int c = 0; c < p.count && status == PC_OK; c++) {
    int kept = p.first[c + 1] - p.first[c];
    if (kept == 0)
      continue;
    pc_block_matrix bordered;
    status = create_bordered(s, &p, c, arena, &bordered, error);
    if (status != PC_OK)
      break;
    fill_bordered(s, &p, c, &bordered);
    status = pc_cholesky_reduce(&bordered, kept, error);
    if (status == PC_OK)
      add_piece(s, &p, c, &bordered);
    pc_block_matrix_free(&bordered);
  }
  return status;
}

pc_status pc_system_condense(pc_system *s, pc_error *error)
{
  if (s->rows > MOST_ROWS)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "%d rows on bodies coupled by mass are too many for this solver; use solver ipm",
                   s->rows);
  pc_arena arena = {0};
  pc_status status = condense(s, &arena, error);
  pc_arena_free(&arena);
  return status;
}

pc_status pc_system_condense_cost(const pc_system *s, double *flops, double *numbers,
                                  pc_error *error)
{
  pc_arena arena = {0};
  pieces p;
  pc_status status = find_pieces(s, &arena, &p, error);
  *flops = *numbers = 0;
  for (int c = 0; c < p.count && status == PC_OK; c++) {
    double rows = 0, dofs = 0;
    for (int i = p.first[c]; i < p.first[c + 1]; i++)
      rows += s->law[p.interaction[i]].rows;
    for (int i = p.first_body[c]; i < p.first_body[c + 1]; i++)
      dofs += s->dof[p.members[i]];
    *numbers += rows * rows;
    *flops += dofs * rows * rows; // the rows in every front, which is more than there are
  }
  pc_arena_free(&arena);
  return status;
}
