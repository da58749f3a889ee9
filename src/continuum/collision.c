#include "continuum/collision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/collision_state.h"
#include "core/clock.h"
#include "core/error.h"

static const double STIFF = 1e4; // K over M

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory for a collision");
}

static void copy_def(pc_fe_collision *c, const pc_fe_collision_def *def)
{
  pc_arena *arena = &c->arena;
  c->def = *def;
  c->def.medium = pc_arena_copy(arena, def->medium, def->media, sizeof *def->medium);
  c->def.body = pc_arena_copy(arena, def->body, def->bodies, sizeof *def->body);
  c->def.contact = pc_arena_copy(arena, def->contact, def->contacts, sizeof *def->contact);
  c->def.hold = pc_arena_copy(arena, def->hold, def->holds, sizeof *def->hold);
  c->def.push = pc_arena_copy(arena, def->push, def->pushes, sizeof *def->push);
}

static void mark_nodes(const pc_fe_mesh *mesh, int group, char *mark)
{
  for (int s = 0; s < mesh->side.count; s++) {
    const pc_fe_cell *side = &mesh->side.cell[s];
    for (int k = 0; side->group == group && k < pc_element_of(side->type)->nodes; k++)
      mark[mesh->side.node[side->first + k]] = 1;
  }
}

// Nodes with conditions, and bodies, get the last rows, which the factorisation keeps. Returns
// their number.
static pc_status create_space(pc_fe_collision *c, int *kept, pc_error *error)
{
  const pc_fe_collision_def *def = &c->def;
  const pc_fe_mesh *mesh = def->mesh;
  size_t contacts = (size_t)def->contacts;
  pc_arena scratch = {0};
  bool *fluid = pc_arena_take(&scratch, (size_t)mesh->groups, sizeof *fluid);
  int(*pair)[2] = pc_arena_take(&scratch, contacts, sizeof *pair);
  int(*link)[2] = pc_arena_take(&scratch, contacts, sizeof *link);
  char *last = pc_arena_take(&scratch, (size_t)mesh->nodes, 1);
  if (scratch.failed) {
    pc_arena_free(&scratch);
    return out_of_memory(error);
  }
  for (int i = 0; i < def->media; i++)
    fluid[def->medium[i].group] = def->medium[i].fluid;
  int pairs = 0, links = 0;
  for (int i = 0; i < def->contacts; i++) {
    const pc_fe_contact *contact = &def->contact[i];
    if (contact->other >= 0 && contact->meeting == NULL) {
      pair[pairs][0] = contact->sides;
      pair[pairs++][1] = contact->other;
    }
    if (contact->body >= 0) {
      link[links][0] = contact->sides;
      link[links++][1] = contact->body;
    }
    if (contact->condition == PC_FE_LOOSE)
      continue;
    mark_nodes(mesh, contact->sides, last);
    if (contact->other >= 0)
      mark_nodes(mesh, contact->other, last);
  }
  pc_status status = pc_fe_space_create(&c->space, mesh, c->components, fluid, pairs,
                                        (const int(*)[2])pair, error);
  if (status == PC_OK)
    status = pc_fe_space_arrange(&c->space, last, def->bodies, links, (const int(*)[2])link, error);
  *kept = def->bodies;
  for (int i = 0; i < mesh->nodes; i++)
    *kept += last[i];
  pc_arena_free(&scratch);
  return status;
}

static bool holds(const pc_fe_hold *hold, int component)
{
  return component == 0 ? hold->x : component == 1 ? hold->y : hold->z;
}

static void hold_node(pc_fe_collision *c, const pc_fe_hold *hold, int node)
{
  char *at = c->fixed + c->space.start[node];
  for (int i = 0; i < c->components; i++)
    if (holds(hold, i) && at[i] == 0)
      at[i] = hold->kept ? 2 : 1;
}

// Prescribed velocities.
static void mark_fixed(pc_fe_collision *c)
{
  const pc_fe_collision_def *def = &c->def;
  const pc_fe_cells *sides = &def->mesh->side;
  for (int h = 0; h < def->holds; h++) {
    if (def->hold[h].sides < 0)
      hold_node(c, &def->hold[h], def->hold[h].node);
    for (int s = 0; s < sides->count; s++) {
      const pc_fe_cell *side = &sides->cell[s];
      for (int k = 0; side->group == def->hold[h].sides && k < pc_element_of(side->type)->nodes;
           k++)
        hold_node(c, &def->hold[h], sides->node[side->first + k]);
    }
  }
  for (int b = 0; b < def->bodies; b++)
    for (int i = 0; i < c->space.body_size; i++)
      if (def->body[b].held[i] || i >= c->components + c->spins)
        c->fixed[c->space.start[def->mesh->nodes + b] + i] = 2;
}

// Mass or inertia of number i of a body; on a line its y and spin are held.
static double body_mass(const pc_fe_collision *c, int b, int i)
{
  const pc_fe_body *body = &c->def.body[b];
  if (c->components == 3)
    return i < 3 ? body->mass : body->moments[i - 3];
  return i < 2 ? body->mass : c->components == 2 ? body->inertia : 1;
}

static void assemble(pc_fe_collision *c)
{
  const pc_fe_collision_def *def = &c->def;
  for (int i = 0; i < def->media; i++) {
    const pc_fe_medium *m = &def->medium[i];
    pc_fe_add_terms(&c->space, m->group, &(pc_fe_terms){.mass = m->density}, &c->mass);
    pc_fe_add_terms(&c->space, m->group,
                    &(pc_fe_terms){.strain = m->strain,
                                   .volume = m->volume,
                                   .averaged = m->averaged,
                                   .incompressible = m->fluid},
                    &c->volume);
  }
  for (int b = 0; b < def->bodies; b++) {
    int row = c->space.row[def->mesh->nodes + b];
    double *value = c->mass.value + c->mass.offset[pc_block_matrix_find(&c->mass, row, row)];
    for (int i = 0; i < c->space.body_size; i++)
      value[i * (c->space.body_size + 1)] = body_mass(c, b, i);
  }
  for (int i = 0; i < def->pushes; i++)
    pc_fe_push_add(&c->space, &def->push[i], c->push);
}

static pc_status allocate(pc_fe_collision *c, pc_error *error)
{
  pc_arena *arena = &c->arena;
  size_t n = (size_t)c->numbers, nodes = (size_t)c->def.mesh->nodes;
  size_t values = (size_t)c->matrix.offset[c->matrix.row[c->matrix.rows]];
  double **vector[] = {&c->push,  &c->pushed, &c->before,  &c->after,
                       &c->right, &c->sum,    &c->scratch, &c->other};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    *vector[i] = pc_arena_take(arena, n, sizeof(double));
  c->mass = c->volume = c->matrix; // one pattern
  c->mass.value = pc_arena_take(arena, values, sizeof(double));
  c->volume.value = pc_arena_take(arena, values, sizeof(double));
  c->about = c->def.about != NULL ? pc_arena_take(arena, n, sizeof(double)) : NULL;
  c->fixed = pc_arena_take(arena, n, 1);
  c->velocity = pc_arena_take(arena, (size_t)c->components * nodes, sizeof *c->velocity);
  c->pressure = pc_arena_take(arena, nodes, sizeof *c->pressure);
  c->body = pc_arena_take(arena, (size_t)c->def.bodies, sizeof *c->body);
  return arena->failed ? out_of_memory(error) : PC_OK;
}

// Updates which touches are active.
static void look_at_touches(pc_fe_collision *c)
{
  for (int k = 0; k < c->touches; k++) {
    const char *touching = c->def.contact[c->touch[k].contact].touching;
    c->on[k] = touching == NULL || touching[c->touch[k].node] != 0;
  }
}

// Whether the active viscosities differ from those in the factor.
static bool is_stale(const pc_fe_collision *c)
{
  for (int k = 0; k < c->touches && c->factored; k++) {
    const pc_fe_contact *contact = &c->def.contact[c->touch[k].contact];
    if (c->on[k] != c->factored_on[k] && (contact->normal > 0 || contact->tangential > 0))
      return true;
  }
  return !c->factored;
}

static bool is_stiff(const pc_fe_collision *c)
{
  double most = 0, most_mass = 0;
  pc_block_matrix_diagonal(&c->volume, c->scratch);
  pc_block_matrix_diagonal(&c->mass, c->other);
  for (int i = 0; i < c->numbers; i++) {
    most = fmax(most, c->scratch[i]);
    most_mass = fmax(most_mass, c->other[i]);
  }
  return most > STIFF * most_mass;
}

// Factors the matrix of the active touches.
static pc_status factor(pc_fe_collision *c, pc_error *error)
{
  double start = pc_clock_seconds();
  long values = c->matrix.offset[c->matrix.row[c->matrix.rows]];
  for (long i = 0; i < values; i++)
    c->matrix.value[i] = c->mass.value[i] + c->volume.value[i];
  pc_fe_surface_add(c, &c->matrix);
  pc_fe_fix(&c->space, c->fixed, NULL, &c->matrix, c->scratch);
  c->factored = c->stated = false;
  pc_status status = pc_direct_factor(c->direct, &c->matrix, error);
  if (status != PC_OK)
    return status;
  memcpy(c->factored_on, c->on, (size_t)c->touches);
  c->factored = true;
  c->stiff = is_stiff(c);
  c->factor_s = pc_clock_seconds() - start;
  return PC_OK;
}

static pc_status create(pc_fe_collision *c, const pc_fe_collision_def *def, pc_error *error)
{
  int kept = 0;
  double start = pc_clock_seconds();
  c->components = def->mesh->dimension;
  c->spins = c->components == 1 ? 0 : c->components == 2 ? 1 : 3;
  copy_def(c, def);
  pc_status status = c->arena.failed ? out_of_memory(error) : PC_OK;
  if (status == PC_OK && c->direct == NULL) {
    status = create_space(c, &kept, error);
    if (status == PC_OK)
      status = pc_fe_space_matrix(&c->space, &c->matrix, error);
  }
  c->numbers = c->space.numbers;
  if (status == PC_OK)
    status = allocate(c, error);
  if (status == PC_OK)
    status = pc_fe_surface_create(c, error);
  if (status == PC_OK)
    status = pc_fe_contact_create(c, error);
  if (status != PC_OK)
    return status;
  mark_fixed(c);
  assemble(c);
  c->assembly_s = pc_clock_seconds() - start;
  start = pc_clock_seconds();
  c->saddle = memchr(c->space.sign, -1, (size_t)c->numbers) != NULL;
  if (c->direct == NULL)
    c->direct = pc_direct_analyze(&c->matrix, c->saddle ? c->space.sign : NULL, kept, error);
  if (c->direct == NULL)
    return error != NULL ? error->status : PC_ERROR_MEMORY;
  c->analyze_s = pc_clock_seconds() - start;
  look_at_touches(c);
  return factor(c, error);
}

pc_fe_collision *pc_fe_collision_create(const pc_fe_collision_def *def, pc_error *error)
{
  pc_error own = {0};
  error = error != NULL ? error : &own;
  if (pc_fe_collision_check(def, error) != PC_OK)
    return NULL;
  pc_fe_collision *c = calloc(1, sizeof *c);
  if (c == NULL) {
    out_of_memory(error);
    return NULL;
  }
  if (create(c, def, error) == PC_OK)
    return c;
  pc_fe_collision_destroy(c);
  return NULL;
}

// Whether the unknowns, their order and the pattern of the matrix are those of another definition.
// All follow from the mesh without its places, and from which sides have what conditions with what.
static bool has_same_unknowns(const pc_fe_collision *c, const pc_fe_collision_def *def)
{
  const pc_fe_collision_def *own = &c->def;
  bool same = c->direct != NULL && own->mesh == def->mesh && own->media == def->media &&
              own->bodies == def->bodies && own->contacts == def->contacts;
  for (int i = 0; i < def->media && same; i++)
    same = own->medium[i].group == def->medium[i].group &&
           own->medium[i].fluid == def->medium[i].fluid;
  for (int i = 0; i < def->contacts && same; i++) {
    const pc_fe_contact *a = &own->contact[i], *b = &def->contact[i];
    bool loose = a->condition == PC_FE_LOOSE;
    same = a->sides == b->sides && a->body == b->body && a->other < 0 && b->other < 0 &&
           loose == (b->condition == PC_FE_LOOSE);
  }
  return same;
}

static void free_unknowns(pc_fe_collision *c)
{
  pc_direct_destroy(c->direct);
  c->direct = NULL;
  pc_block_matrix_free(&c->matrix);
  pc_fe_space_free(&c->space);
}

pc_status pc_fe_collision_renew(pc_fe_collision *c, const pc_fe_collision_def *def, pc_error *error)
{
  pc_error own = {0};
  error = error != NULL ? error : &own;
  pc_status status = pc_fe_collision_check(def, error);
  if (status != PC_OK)
    return status;
  if (!has_same_unknowns(c, def))
    free_unknowns(c);
  pc_arena_reset(&c->arena);
  *c = (pc_fe_collision){.arena = c->arena,
                         .space = c->space,
                         .matrix = c->matrix,
                         .direct = c->direct,
                         .impact = c->impact,
                         .part = c->part,
                         .block = c->block,
                         .response = c->response,
                         .response_room = c->response_room};
  status = create(c, def, error);
  if (status != PC_OK)
    free_unknowns(c); // its definition may be gone
  return status;
}

void pc_fe_collision_destroy(pc_fe_collision *c)
{
  if (c == NULL)
    return;
  pc_impact_destroy(c->impact);
  free_unknowns(c);
  pc_arena_free(&c->arena);
  pc_array_free(&c->part);
  pc_array_free(&c->block);
  free(c->response);
  free(c);
}

static pc_status take_velocities(pc_fe_collision *c, const double *velocity,
                                 const double (*body)[PC_FE_BODY], pc_error *error)
{
  int nodes = c->def.mesh->nodes;
  memset(c->before, 0, (size_t)c->numbers * sizeof *c->before);
  for (int i = 0; i < nodes; i++)
    for (int k = 0; k < c->components; k++) {
      double v = velocity[c->components * i + k];
      if (!isfinite(v))
        return pc_fail(error, PC_ERROR_ARGUMENT, "the velocity of node %d must be finite", i);
      c->before[c->space.start[i] + k] = v;
    }
  for (int b = 0; b < c->def.bodies; b++)
    for (int k = 0; k < c->space.body_size; k++) {
      if (!isfinite(body[b][k]))
        return pc_fail(error, PC_ERROR_ARGUMENT, "the velocity of body %d must be finite", b);
      c->before[c->space.start[nodes + b] + k] = body[b][k];
    }
  return PC_OK;
}

static pc_status take_load(pc_fe_collision *c, pc_error *error)
{
  memcpy(c->pushed, c->push, (size_t)c->numbers * sizeof *c->pushed);
  for (int i = 0; c->def.load != NULL && i < c->def.mesh->nodes; i++)
    for (int k = 0; k < c->components; k++) {
      double load = c->def.load[c->components * i + k];
      if (!isfinite(load))
        return pc_fail(error, PC_ERROR_ARGUMENT, "the load of node %d must be finite", i);
      c->pushed[c->space.start[i] + k] += load;
    }
  for (int i = 0; c->about != NULL && i < c->def.mesh->nodes; i++)
    memcpy(c->about + c->space.start[i], c->def.about + (long)c->components * i,
           (size_t)c->components * sizeof *c->about);
  for (int b = 0; c->def.body_load != NULL && b < c->def.bodies; b++)
    for (int k = 0; k < c->space.body_size; k++) {
      if (!isfinite(c->def.body_load[b][k]))
        return pc_fail(error, PC_ERROR_ARGUMENT, "the load of body %d must be finite", b);
      c->pushed[c->space.start[c->def.mesh->nodes + b] + k] += c->def.body_load[b][k];
    }
  return PC_OK;
}

// (M + K) u without prescribed velocities. `scratch` and `after` are used as scratch.
static void multiply_whole(const pc_fe_collision *c, const double *u, double *to, double *scratch)
{
  pc_block_matrix_multiply(&c->mass, u, to);
  pc_fe_volume_bend(c, u, c->after);
  pc_block_matrix_multiply(&c->volume, c->after, scratch);
  for (int i = 0; i < c->numbers; i++)
    to[i] += scratch[i];
  pc_fe_surface_multiply(c, u, to, NULL);
}

// (M - K) U- + P_ext, less the contribution of the prescribed velocities of U+; for pressures the
// divergence that U+ must have, 0 or that of -U-.
static void make_right(pc_fe_collision *c)
{
  double *right = c->right, *u = c->sum;
  multiply_whole(c, c->before, c->scratch, c->other);
  pc_block_matrix_multiply(&c->mass, c->before, right);
  bool given = false;
  for (int i = 0; i < c->numbers; i++) {
    right[i] = c->space.sign[i] > 0 ? 2 * right[i] - c->scratch[i] + c->pushed[i]
               : c->def.mean        ? -c->scratch[i]
                                    : 0;
    u[i] = c->fixed[i] == 2 ? c->before[i] : 0;
    given = given || u[i] != 0;
  }
  if (given) {
    multiply_whole(c, u, c->scratch, c->other);
    for (int i = 0; i < c->numbers; i++)
      right[i] -= c->scratch[i];
    pc_block_matrix_diagonal(&c->matrix, c->other);
  }
  for (int i = 0; i < c->numbers; i++)
    if (c->fixed[i])
      right[i] = given ? c->other[i] * u[i] : 0;
}

// Pressures between the corners of elements are linear.
static void give_pressures(pc_fe_collision *c)
{
  const pc_fe_mesh *mesh = c->def.mesh;
  for (int i = 0; i < mesh->nodes; i++) {
    int at = pc_fe_space_pressure(&c->space, i);
    c->pressure[i] = at >= 0 ? c->after[at] : 0;
  }
  for (int m = 0; m < c->def.media; m++)
    for (int e = 0; c->def.medium[m].fluid && e < mesh->body.count; e++) {
      const pc_fe_cell *cell = &mesh->body.cell[e];
      if (cell->group != c->def.medium[m].group)
        continue;
      const pc_element_info *info = pc_element_of(cell->type);
      const int *node = mesh->body.node + cell->first;
      for (int i = info->corners; i < info->nodes; i++) {
        double xi[3], shape[PC_ELEMENT_NODES_MAX], sum = 0;
        pc_element_place(cell->type, i, xi);
        pc_element_shape(info->linear, xi, shape, NULL);
        for (int k = 0; k < info->corners; k++)
          sum += shape[k] * c->pressure[node[k]];
        c->pressure[node[i]] = sum;
      }
    }
}

static void give_answer(pc_fe_collision *c, pc_fe_answer *answer)
{
  int nodes = c->def.mesh->nodes;
  for (int i = 0; i < nodes; i++)
    for (int k = 0; k < c->components; k++)
      c->velocity[c->components * i + k] = c->after[c->space.start[i] + k];
  for (int b = 0; b < c->def.bodies; b++)
    memcpy(c->body[b], c->after + c->space.start[nodes + b],
           (size_t)c->space.body_size * sizeof **c->body);
  give_pressures(c);
  answer->velocity = c->velocity;
  answer->pressure = c->pressure;
  answer->body = (const double(*)[PC_FE_BODY])c->body;
  answer->touches = c->touches;
  answer->touch = c->touch;
  answer->numbers = c->numbers;
  answer->assembly_s = c->assembly_s;
  answer->analyze_s = c->analyze_s;
  answer->factor_s = c->factor_s;
  answer->memory = pc_direct_memory(c->direct);
}

pc_status pc_fe_collision_solve(pc_fe_collision *c, const double *velocity,
                                const double (*body)[PC_FE_BODY], pc_fe_answer *answer,
                                pc_error *error)
{
  double start = pc_clock_seconds();
  *answer = (pc_fe_answer){0};
  pc_status status = take_velocities(c, velocity, body, error);
  if (status == PC_OK)
    status = take_load(c, error);
  if (status != PC_OK)
    return status;
  look_at_touches(c);
  pc_fe_surface_meet(c);
  if (is_stale(c))
    status = factor(c, error);
  if (status != PC_OK)
    return status;
  if (c->about == NULL) // else every solve is for a difference
    make_right(c);
  status = pc_fe_contact_solve(c, answer, error);
  if (status != PC_OK)
    return status;
  pc_fe_account_make(c, &answer->account);
  if (c->rough && fmax(answer->account.momentum, answer->account.divergence) > 1e-10)
    return pc_fail(
        error, PC_ERROR_NUMERIC,
        "the velocities after the collision cannot be computed: prescribed velocities change the "
        "volume of a fluid, or viscosities are too large for the accuracy of numbers");
  give_answer(c, answer);
  answer->solve_s = pc_clock_seconds() - start;
  return PC_OK;
}
