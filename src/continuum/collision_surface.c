// Surfaces of contact: which nodes touch what, and the viscosities between them.
//
// A form F of the relative velocities w_a = U_a - E_a V of the nodes of a side acts on the nodes by
// F and on the other side by E' F E. E is 1 for a node, and for a rigid body of velocity (X, omega)
//
//     X + omega x (x_a - G) = (1 0 -r_y; 0 1 r_x) (X, omega),     r = x_a - G
//
// which the shape functions interpolate exactly, so integrals over sides stay exact.
#include <math.h>
#include <string.h>

#include "continuum/collision_state.h"
#include "core/error.h"

// Where two sides meet at more than 45 degrees, their node has two touches, because it is held in
// two directions. This is the cosine.
static const double CORNER = 0.70710678118654752;

// Integrals of each shape function of a side, alone and times the normal.
static void side_weights(const pc_fe_mesh *mesh, int side, double weight[3], double normal[3][2])
{
  pc_element type = mesh->side.cell[side].type;
  const pc_element_info *info = pc_element_of(type);
  double node[PC_ELEMENT_NODES_MAX][2];
  pc_fe_mesh_corners(mesh, &mesh->side, side, node);
  pc_quadrature rule;
  pc_quadrature_make(&rule, type, info->mass_degree);
  memset(weight, 0, 3 * sizeof *weight);
  memset(normal, 0, 3 * sizeof *normal);
  for (int k = 0; k < rule.points; k++) {
    pc_element_point p;
    pc_element_map(type, (const double(*)[2])node, rule.at[k], &p);
    for (int a = 0; a < info->nodes; a++) {
      double part = rule.weight[k] * p.determinant * p.value[a];
      weight[a] += part;
      normal[a][0] += part * p.tangent[1];
      normal[a][1] -= part * p.tangent[0];
    }
  }
}

// The outward normal of an end of a line; 0 where two elements meet.
static double end_normal(const pc_fe_mesh *mesh, int node)
{
  double normal = 0;
  int elements = 0;
  for (int e = 0; e < mesh->body.count; e++) {
    const int *n = mesh->body.node + mesh->body.cell[e].first;
    int nodes = pc_element_of(mesh->body.cell[e].type)->nodes;
    double middle = (mesh->node[n[0]][0] + mesh->node[n[1]][0]) / 2;
    for (int i = 0; i < nodes; i++)
      if (n[i] == node) {
        elements++;
        normal = i > 1 ? 0 : mesh->node[node][0] > middle ? 1 : -1;
      }
  }
  return elements == 1 ? normal : 0;
}

typedef struct touch_list {
  int *latest;   // touch of each node in this contact, -1: none yet
  int *previous; // another touch of the same node
  int *begins;   // side of this contact that begins at each node, -1: none
  int *order;    // sides of this contact, one after the other along it
  bool *entered; // nodes at which one of its sides ends
  bool *left;    // sides that are still to be put in order
} touch_list;

// Orders the sides: chains from a side without predecessor, then closed loops, then the rest, where
// several begin at one node. Returns their number.
static int order_sides(const pc_fe_mesh *mesh, int group, touch_list *list)
{
  const pc_fe_cells *sides = &mesh->side;
  bool plane = mesh->dimension == 2;
  int count = 0;
  for (int i = 0; i < mesh->nodes; i++) {
    list->begins[i] = -1;
    list->entered[i] = false;
  }
  for (int s = 0; s < sides->count; s++) {
    const int *node = sides->node + sides->cell[s].first;
    list->left[s] = sides->cell[s].group == group;
    if (!list->left[s])
      continue;
    list->begins[node[0]] = s;
    if (plane)
      list->entered[node[1]] = true;
  }
  for (int pass = 0; pass < 2; pass++)
    for (int s = 0; s < sides->count; s++) {
      int at = sides->node[sides->cell[s].first];
      if (!list->left[s] || (pass == 0 && list->entered[at]))
        continue;
      for (int next = s; next >= 0 && list->left[next]; next = plane ? list->begins[at] : -1) {
        list->order[count++] = next;
        list->left[next] = false;
        if (plane)
          at = sides->node[sides->cell[next].first + 1];
      }
    }
  return count;
}

// Finds the touch of a node with nearly this normal, or adds one.
static int find_touch(pc_fe_collision *c, touch_list *list, int contact, int node, double weight,
                      const double normal[2])
{
  double length = hypot(normal[0], normal[1]);
  for (int k = list->latest[node]; k >= 0; k = list->previous[k]) {
    pc_fe_touch *t = &c->touch[k];
    double dot = t->normal[0] * normal[0] + t->normal[1] * normal[1];
    if (dot >= CORNER * length * hypot(t->normal[0], t->normal[1])) {
      t->weight += weight;
      t->normal[0] += normal[0];
      t->normal[1] += normal[1];
      return k;
    }
  }
  int k = c->touches++;
  c->touch[k] = (pc_fe_touch){.contact = contact,
                              .node = node,
                              .other = -1,
                              .weight = weight,
                              .normal = {normal[0], normal[1]}};
  list->previous[k] = list->latest[node];
  list->latest[node] = k;
  return k;
}

static pc_status find_touches(pc_fe_collision *c, int contact, touch_list *list, pc_error *error)
{
  const pc_fe_mesh *mesh = c->def.mesh;
  int group = c->def.contact[contact].sides;
  for (int i = 0; i < mesh->nodes; i++)
    list->latest[i] = -1;
  int sides = order_sides(mesh, group, list);
  for (int i = 0; i < sides; i++) {
    static const int along[3] = {0, 2, 1}; // the middle of a side comes before its end
    int s = list->order[i];
    const pc_fe_cell *side = &mesh->side.cell[s];
    const int *node = mesh->side.node + side->first;
    double weight[3] = {1}, normal[3][2] = {{0}};
    if (mesh->dimension == 2)
      side_weights(mesh, s, weight, normal);
    else
      normal[0][0] = end_normal(mesh, node[0]);
    const double *direction = c->def.contact[contact].direction;
    for (int a = 0; a < 3 && hypot(direction[0], direction[1]) > 0; a++)
      for (int k = 0; k < 2; k++)
        normal[a][k] = weight[a] * direction[k];
    pc_fe_contact_side *to = &c->side[c->sides++];
    *to = (pc_fe_contact_side){s, contact, {-1, -1, -1}};
    int nodes = pc_element_of(side->type)->nodes;
    for (int k = 0; k < nodes; k++) {
      int a = nodes == 3 ? along[k] : k;
      if (!(hypot(normal[a][0], normal[a][1]) > 0))
        return pc_fail(error, PC_ERROR_ARGUMENT,
                       "the contact of \"%s\" has no outward normal at node %d, (%g, %g)",
                       mesh->group[group].name, node[a], mesh->node[node[a]][0],
                       mesh->node[node[a]][1]);
      to->touch[a] = find_touch(c, list, contact, node[a], weight[a], normal[a]);
    }
  }
  return PC_OK;
}

static void bind(pc_fe_collision *c, int k, const int *partner)
{
  pc_fe_touch *t = &c->touch[k];
  const pc_fe_contact *contact = &c->def.contact[t->contact];
  const pc_fe_space *space = &c->space;
  double length = hypot(t->normal[0], t->normal[1]);
  t->normal[0] /= length;
  t->normal[1] /= length;
  pc_fe_bond *b = &c->bond[k];
  *b = (pc_fe_bond){space->row[t->node], space->start[t->node], -1, -1, false, {0, 0}};
  int other = -1;
  if (partner != NULL)
    other = t->other = partner[t->node];
  if (contact->body >= 0) {
    other = c->def.mesh->nodes + contact->body;
    b->rigid = true;
    for (int i = 0; i < 2; i++)
      b->arm[i] = c->def.mesh->node[t->node][i] - c->def.body[contact->body].centre[i];
  }
  if (other >= 0) {
    b->other_row = space->row[other];
    b->other_at = space->start[other];
  }
}

pc_status pc_fe_surface_create(pc_fe_collision *c, pc_error *error)
{
  const pc_fe_mesh *mesh = c->def.mesh;
  size_t sides = 0, room = 0;
  for (int i = 0; i < c->def.contacts; i++)
    for (int s = 0; s < mesh->side.count; s++)
      if (mesh->side.cell[s].group == c->def.contact[i].sides) {
        sides++;
        room += (size_t)pc_element_of(mesh->side.cell[s].type)->nodes;
      }
  pc_arena *arena = &c->arena, scratch = {0};
  c->side = pc_arena_take(arena, sides, sizeof *c->side);
  c->touch = pc_arena_take(arena, room, sizeof *c->touch);
  c->bond = pc_arena_take(arena, room, sizeof *c->bond);
  c->force = pc_arena_take(arena, room, sizeof *c->force);
  c->on = pc_arena_take(arena, 3 * room, 1);
  size_t nodes = (size_t)mesh->nodes;
  touch_list list = {.latest = pc_arena_take(&scratch, nodes, sizeof(int)),
                     .previous = pc_arena_take(&scratch, room, sizeof(int)),
                     .begins = pc_arena_take(&scratch, nodes, sizeof(int)),
                     .order = pc_arena_take(&scratch, sides, sizeof(int)),
                     .entered = pc_arena_take(&scratch, nodes, sizeof(bool)),
                     .left = pc_arena_take(&scratch, (size_t)mesh->side.count, sizeof(bool))};
  pc_status status = PC_OK;
  if (arena->failed || scratch.failed)
    status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the contacts of a mesh");
  for (int i = 0, interface = 0; i < c->def.contacts && status == PC_OK; i++) {
    int first = c->touches;
    status = find_touches(c, i, &list, error);
    const int *partner =
        c->def.contact[i].other >= 0 ? c->space.partner[interface++] : (const int *)NULL;
    for (int k = first; k < c->touches && status == PC_OK; k++)
      bind(c, k, partner);
  }
  c->factored_on = c->on + c->touches;
  c->stated_on = c->factored_on + c->touches;
  pc_arena_free(&scratch);
  return status;
}

void pc_fe_surface_relative(const pc_fe_collision *c, int touch, const double *u, double w[2])
{
  const pc_fe_bond *b = &c->bond[touch];
  w[0] = u[b->at];
  w[1] = c->components == 2 ? u[b->at + 1] : 0;
  if (b->other_at < 0)
    return;
  const double *v = u + b->other_at;
  w[0] -= v[0];
  if (c->components == 2)
    w[1] -= v[1];
  if (b->rigid && c->components == 2) {
    w[0] += v[2] * b->arm[1];
    w[1] -= v[2] * b->arm[0];
  }
}

void pc_fe_surface_split(const pc_fe_touch *t, const double w[2], double part[2])
{
  part[0] = w[0] * t->normal[0] + w[1] * t->normal[1];
  part[1] = w[1] * t->normal[0] - w[0] * t->normal[1];
}

void pc_fe_surface_spread(const pc_fe_collision *c, int touch, const double force[2],
                          double *vector)
{
  const pc_fe_bond *b = &c->bond[touch];
  for (int i = 0; i < c->components; i++)
    vector[b->at + i] += force[i];
  if (b->other_at < 0)
    return;
  double *to = vector + b->other_at;
  for (int i = 0; i < c->components; i++)
    to[i] -= force[i];
  if (b->rigid && c->components == 2)
    to[2] -= b->arm[0] * force[1] - b->arm[1] * force[0];
}

// E of a touch for the node (part 0) or the other side (part 1), with its sign in w: 2 rows;
// returns the number of columns.
static int matrix_of(const pc_fe_collision *c, int touch, int part, double e[2][3])
{
  const pc_fe_bond *b = &c->bond[touch];
  double sign = part == 0 ? 1 : -1;
  memset(e, 0, 2 * sizeof *e);
  e[0][0] = e[1][1] = sign;
  if (part == 0 || !b->rigid || c->components == 1)
    return c->components;
  e[0][2] = -sign * b->arm[1];
  e[1][2] = sign * b->arm[0];
  return 3;
}

// Adds E_i' f E_j for the two parts of both touches.
static void add_form(const pc_fe_collision *c, int i, int j, const double f[2][2],
                     pc_block_matrix *matrix)
{
  for (int p = 0; p < 2; p++)
    for (int q = 0; q < 2; q++) {
      int row = p == 0 ? c->bond[i].row : c->bond[i].other_row;
      int column = q == 0 ? c->bond[j].row : c->bond[j].other_row;
      if (column < 0 || row < column)
        continue;
      double left[2][3], right[2][3];
      int m = matrix_of(c, i, p, left), n = matrix_of(c, j, q, right);
      double *value = matrix->value + matrix->offset[pc_block_matrix_find(matrix, row, column)];
      for (int r = 0; r < m; r++)
        for (int s = 0; s < n; s++)
          for (int a = 0; a < c->components; a++)
            for (int b = 0; b < c->components; b++)
              value[r * matrix->size[column] + s] += left[a][r] * f[a][b] * right[b][s];
    }
}

// The form of a lumped touch.
static void lumped_form(const pc_fe_collision *c, int touch, double f[2][2])
{
  const pc_fe_touch *t = &c->touch[touch];
  const pc_fe_contact *contact = &c->def.contact[t->contact];
  const double *n = t->normal, tangent[2] = {-n[1], n[0]};
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++)
      f[a][b] = t->weight *
                (contact->normal * n[a] * n[b] + contact->tangential * tangent[a] * tangent[b]);
}

static bool viscous(const pc_fe_contact *contact)
{
  return contact->normal > 0 || contact->tangential > 0;
}

// Calls `visit` with every form of two touches.
typedef void form_visitor(void *context, int i, int j, const double f[2][2]);
static void each_form(const pc_fe_collision *c, form_visitor *visit, void *context)
{
  double f[2][2];
  for (int k = 0; k < c->touches; k++) {
    const pc_fe_contact *contact = &c->def.contact[c->touch[k].contact];
    if (!contact->lumped || !viscous(contact) || !c->on[k])
      continue;
    lumped_form(c, k, f);
    visit(context, k, k, (const double(*)[2])f);
  }
  for (int s = 0; s < c->sides; s++) {
    const pc_fe_contact_side *side = &c->side[s];
    const pc_fe_contact *contact = &c->def.contact[side->contact];
    if (contact->lumped || !viscous(contact))
      continue;
    double form[PC_FE_SIDE][PC_FE_SIDE];
    pc_fe_side_form(&c->space, side->side, contact->normal, contact->tangential, form);
    for (int i = 0; i < 3 && side->touch[i] >= 0; i++)
      for (int j = 0; j < 3 && side->touch[j] >= 0; j++) {
        for (int a = 0; a < 2; a++)
          for (int b = 0; b < 2; b++)
            f[a][b] = form[2 * i + a][2 * j + b];
        visit(context, side->touch[i], side->touch[j], (const double(*)[2])f);
      }
  }
}

typedef struct form_work {
  const pc_fe_collision *c;
  pc_block_matrix *matrix;
  const double *u;
  double *vector, (*force)[2];
} form_work;

static void visit_matrix(void *context, int i, int j, const double f[2][2])
{
  form_work *work = context;
  add_form(work->c, i, j, f, work->matrix);
}

void pc_fe_surface_add(const pc_fe_collision *c, pc_block_matrix *matrix)
{
  form_work work = {.c = c, .matrix = matrix};
  each_form(c, visit_matrix, &work);
}

static void visit_product(void *context, int i, int j, const double f[2][2])
{
  form_work *work = context;
  double w[2];
  pc_fe_surface_relative(work->c, j, work->u, w);
  double force[2] = {f[0][0] * w[0] + f[0][1] * w[1], f[1][0] * w[0] + f[1][1] * w[1]};
  pc_fe_surface_spread(work->c, i, force, work->vector);
  for (int a = 0; a < 2 && work->force != NULL; a++)
    work->force[i][a] += force[a];
}

void pc_fe_surface_multiply(const pc_fe_collision *c, const double *u, double *vector,
                            double (*force)[2])
{
  form_work work = {.c = c, .u = u, .vector = vector, .force = force};
  if (force != NULL)
    memset(force, 0, (size_t)c->touches * sizeof *force);
  each_form(c, visit_product, &work);
}
