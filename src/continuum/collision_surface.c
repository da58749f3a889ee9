// Surfaces of contact: which nodes touch what, and the viscosities between them.
//
// A form F of the relative velocities w_a = U_a - E_a V of the nodes of a side acts on the nodes by
// F and on the other side by E' F E. E is 1 for a node, and for a rigid body of velocity (X, omega)
//
//     X + omega x (x_a - G),     in the plane (1 0 -r_y; 0 1 r_x) (X, omega),   r = x_a - G
//
// which the shape functions interpolate exactly, so integrals over sides stay exact.
#include <math.h>
#include <string.h>

#include "continuum/collision_state.h"
#include "core/error.h"
#include "core/small.h"

// Where two sides meet at more than 45 degrees, their node has two touches, because it is held in
// two directions. This is the cosine.
static const double CORNER = 0.70710678118654752;

// The shape function of a corner has no integral, or one below 0: it carries nothing of an even
// pressure that pushes everywhere.
static bool has_bare_corners(pc_element type)
{
  return type == PC_TRIANGLE6 || type == PC_QUAD8;
}

// The whole area to the nodes on the edges, in proportion to what they have.
static void take_from_corners(pc_element type, double weight[PC_SIDE_NODES_MAX])
{
  const pc_element_info *info = pc_element_of(type);
  double area = 0, edges = 0;
  for (int a = 0; a < info->nodes; a++) {
    area += weight[a];
    edges += a < info->corners ? 0 : weight[a];
  }
  for (int a = 0; a < info->nodes; a++)
    weight[a] = a < info->corners ? 0 : weight[a] * (area / edges);
}

// Integrals of each shape function of a side, alone and times the normal; of corners without area
// of their own those of its size.
static void side_weights(const pc_fe_mesh *mesh, int side, double weight[PC_SIDE_NODES_MAX],
                         double normal[PC_SIDE_NODES_MAX][3])
{
  pc_element type = mesh->side.cell[side].type;
  const pc_element_info *info = pc_element_of(type);
  double node[PC_ELEMENT_NODES_MAX][3];
  pc_fe_mesh_corners(mesh, &mesh->side, side, node);
  pc_quadrature rule;
  pc_quadrature_make(&rule, type, info->mass_degree);
  memset(weight, 0, PC_SIDE_NODES_MAX * sizeof *weight);
  memset(normal, 0, PC_SIDE_NODES_MAX * sizeof *normal);
  for (int k = 0; k < rule.points; k++) {
    pc_side_point p;
    pc_side_map(type, (const double(*)[3])node, rule.at[k], &p);
    for (int a = 0; a < info->nodes; a++) {
      double part = rule.weight[k] * p.size * p.value[a];
      weight[a] += part;
      part = has_bare_corners(type) ? fabs(part) : part;
      for (int i = 0; i < 3; i++)
        normal[a][i] += part * p.normal[i];
    }
  }
  if (has_bare_corners(type))
    take_from_corners(type, weight);
}

typedef struct touch_list {
  int *latest;   // touch of each node in this contact, -1: none yet
  int *previous; // another touch of the same node
  int *begins;   // side of this contact that begins at each node, -1: none
  int *order;    // sides of this contact, one after the other along it
  bool *entered; // nodes at which one of its sides ends
  bool *left;    // sides that are still to be put in order
} touch_list;

// Orders the sides, in the plane: chains from a side without predecessor, then closed loops, then
// the rest, where several begin at one node. Returns their number.
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
                      const double normal[3])
{
  double length = pc_fe_length(normal);
  for (int k = list->latest[node]; k >= 0; k = list->previous[k]) {
    pc_fe_touch *t = &c->touch[k];
    if (pc_dot3(t->normal, normal) >= CORNER * length * pc_fe_length(t->normal)) {
      t->weight += weight;
      for (int i = 0; i < 3; i++)
        t->normal[i] += normal[i];
      return k;
    }
  }
  int k = c->touches++;
  c->touch[k] = (pc_fe_touch){.contact = contact,
                              .node = node,
                              .other = -1,
                              .weight = weight,
                              .normal = {normal[0], normal[1], normal[2]}};
  list->previous[k] = list->latest[node];
  list->latest[node] = k;
  return k;
}

// Weights and normals of the nodes of a side: those of its surface, or the direction that the
// contact gives. What a contact meets gives N in every solve; until then any will do.
static void weigh_side(const pc_fe_collision *c, int contact, int side,
                       double weight[PC_SIDE_NODES_MAX], double normal[PC_SIDE_NODES_MAX][3])
{
  const pc_fe_mesh *mesh = c->def.mesh;
  static const double ANY[3] = {1};
  const double *direction =
      c->def.contact[contact].meeting != NULL ? ANY : c->def.contact[contact].direction;
  if (mesh->dimension > 1) {
    side_weights(mesh, side, weight, normal);
  } else {
    memset(normal, 0, PC_SIDE_NODES_MAX * sizeof *normal);
    weight[0] = 1;
    normal[0][0] = pc_fe_mesh_end_normal(mesh, mesh->side.node[mesh->side.cell[side].first]);
  }
  int nodes = pc_element_of(mesh->side.cell[side].type)->nodes;
  for (int a = 0; a < nodes && pc_fe_length(direction) > 0; a++)
    for (int k = 0; k < 3; k++)
      normal[a][k] = direction[k];
}

static pc_status find_touches(pc_fe_collision *c, int contact, touch_list *list, pc_error *error)
{
  const pc_fe_mesh *mesh = c->def.mesh;
  int group = c->def.contact[contact].sides;
  for (int i = 0; i < mesh->nodes; i++)
    list->latest[i] = -1;
  int sides = order_sides(mesh, group, list);
  for (int i = 0; i < sides; i++) {
    static const int along[3] = {0, 2, 1}; // the middle of a line comes before its end
    int s = list->order[i];
    const pc_fe_cell *side = &mesh->side.cell[s];
    const int *node = mesh->side.node + side->first;
    double weight[PC_SIDE_NODES_MAX], normal[PC_SIDE_NODES_MAX][3];
    weigh_side(c, contact, s, weight, normal);
    pc_fe_contact_side *to = &c->side[c->sides++];
    *to = (pc_fe_contact_side){.side = s, .contact = contact};
    for (int a = 0; a < PC_SIDE_NODES_MAX; a++)
      to->touch[a] = -1;
    for (int k = 0; k < pc_element_of(side->type)->nodes; k++) {
      int a = side->type == PC_LINE3 ? along[k] : k;
      if (!(pc_fe_length(normal[a]) > 0))
        return pc_fail(
            error, PC_ERROR_ARGUMENT, "the contact of \"%s\" has no outward normal at node %d, %s",
            mesh->group[group].name, node[a], pc_fe_place_text(mesh, mesh->node[node[a]]).text);
      to->touch[a] = find_touch(c, list, contact, node[a], weight[a], normal[a]);
    }
  }
  return PC_OK;
}

// The velocity of a body at the end of an arm, for a spin of 1 about each of its axes.
static void find_turn(const pc_fe_collision *c, const double arm[3], const double *axes,
                      double turn[3][3])
{
  memset(turn, 0, 3 * sizeof *turn);
  if (c->components == 2) {
    turn[0][0] = -arm[1];
    turn[1][0] = arm[0];
  }
  for (int k = 0; c->components == 3 && k < 3; k++) {
    double axis[3] = {k == 0, k == 1, k == 2}, velocity[3];
    for (int i = 0; i < 3 && axes != NULL; i++)
      axis[i] = axes[3 * i + k];
    pc_cross(axis, arm, velocity);
    for (int i = 0; i < 3; i++)
      turn[i][k] = velocity[i];
  }
}

// The points of a contact. What they meet gives N.
static void add_points(pc_fe_collision *c, int contact)
{
  for (int i = 0; i < c->def.contact[contact].points; i++)
    c->touch[c->touches++] =
        (pc_fe_touch){.contact = contact, .node = i, .other = -1, .normal = {1}};
}

static void bind(pc_fe_collision *c, int k, const int *partner)
{
  pc_fe_touch *t = &c->touch[k];
  const pc_fe_contact *contact = &c->def.contact[t->contact];
  const pc_fe_space *space = &c->space;
  double length = pc_fe_length(t->normal);
  for (int i = 0; i < 3; i++)
    t->normal[i] /= length;
  pc_fe_bond *b = &c->bond[k];
  *b = (pc_fe_bond){.row = -1, .at = -1, .other_row = -1, .other_at = -1};
  if (contact->points == 0) {
    b->row = space->row[t->node];
    b->at = space->start[t->node];
  }
  int other = -1;
  if (partner != NULL)
    other = t->other = partner[t->node];
  if (contact->body >= 0) {
    double arm[3];
    other = c->def.mesh->nodes + contact->body;
    b->rigid = true;
    if (contact->points == 0) {
      pc_sub3(c->def.mesh->node[t->node], c->def.body[contact->body].centre, arm);
      find_turn(c, arm, contact->axes, b->turn);
    }
  }
  if (other >= 0) {
    b->other_row = space->row[other];
    b->other_at = space->start[other];
  }
}

// w-_N of a touch.
static double approach_of(const pc_fe_collision *c, int touch)
{
  double w[3], part[3];
  pc_fe_surface_relative(c, touch, c->before, w);
  pc_fe_surface_split(c, touch, w, part);
  return part[0];
}

void pc_fe_surface_meet(pc_fe_collision *c)
{
  for (int k = 0; k < c->touches; k++) {
    pc_fe_touch *t = &c->touch[k];
    const pc_fe_contact *contact = &c->def.contact[t->contact];
    c->bond[k].shares = 0;
    if (contact->least != NULL)
      c->bond[k].least = contact->least[t->node];
    if (contact->lasting != NULL)
      c->bond[k].least = contact->lasting[t->node] ? approach_of(c, k) : 0;
    if (contact->meeting == NULL || !c->on[k])
      continue;
    const pc_fe_meeting *m = &contact->meeting[t->node];
    memcpy(t->normal, m->normal, sizeof t->normal);
    c->bond[k].least = m->least;
    c->bond[k].shares = m->shares;
    c->bond[k].share = m->share;
    c->bond[k].sense = m->pulls ? -1 : 1;
    find_turn(c, m->arm, contact->axes, c->bond[k].turn);
  }
}

pc_status pc_fe_surface_create(pc_fe_collision *c, pc_error *error)
{
  const pc_fe_mesh *mesh = c->def.mesh;
  size_t sides = 0, room = 0;
  for (int i = 0; i < c->def.contacts; i++) {
    room += (size_t)c->def.contact[i].points;
    for (int s = 0; s < mesh->side.count; s++)
      if (mesh->side.cell[s].group == c->def.contact[i].sides && c->def.contact[i].points == 0) {
        sides++;
        room += (size_t)pc_element_of(mesh->side.cell[s].type)->nodes;
      }
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
    c->meets = c->meets || c->def.contact[i].meeting != NULL;
    if (c->def.contact[i].points > 0)
      add_points(c, i);
    else
      status = find_touches(c, i, &list, error);
    bool matches = c->def.contact[i].other >= 0 && c->def.contact[i].meeting == NULL;
    const int *partner = matches ? c->space.partner[interface++] : (const int *)NULL;
    for (int k = first; k < c->touches && status == PC_OK; k++)
      bind(c, k, partner);
  }
  c->factored_on = c->on + c->touches;
  c->stated_on = c->factored_on + c->touches;
  pc_arena_free(&scratch);
  return status;
}

// The velocity of the other side, v its numbers.
static void subtract_other(const pc_fe_collision *c, const pc_fe_bond *b, const double *v,
                           double w[3])
{
  for (int i = 0; i < c->components; i++) {
    w[i] -= v[i];
    for (int k = 0; b->rigid && k < c->spins; k++)
      w[i] -= b->turn[i][k] * v[c->components + k];
  }
}

void pc_fe_surface_relative(const pc_fe_collision *c, int touch, const double *u, double w[3])
{
  const pc_fe_bond *b = &c->bond[touch];
  w[0] = w[1] = w[2] = 0;
  double along = 0;
  for (int s = 0; s < b->shares; s++)
    for (int i = 0; i < c->components; i++)
      along += b->sense * b->share[s].factor[i] * u[c->space.start[b->share[s].node] + i];
  for (int i = 0; i < c->components && b->at >= 0 && b->shares == 0; i++)
    w[i] = u[b->at + i];
  if (b->other_at >= 0 && (b->at >= 0 || b->shares > 0))
    subtract_other(c, b, u + b->other_at, w);
  if (b->shares == 0)
    return;
  const double *n = c->touch[touch].normal;
  along += pc_dot3(n, w);
  for (int i = 0; i < c->components; i++)
    w[i] = along * n[i];
}

void pc_fe_surface_split(const pc_fe_collision *c, int touch, const double w[3], double part[3])
{
  const double *n = c->touch[touch].normal;
  double axes[9];
  part[0] = pc_dot3(n, w);
  part[1] = w[1] * n[0] - w[0] * n[1];
  part[2] = 0;
  if (c->components < 3)
    return;
  pc_contact_axes(n, false, axes);
  for (int i = 1; i < 3; i++)
    part[i] = pc_dot3(axes + 3 * i, w);
}

void pc_fe_surface_spread(const pc_fe_collision *c, int touch, const double force[3],
                          double *vector)
{
  const pc_fe_bond *b = &c->bond[touch];
  double along = pc_dot3(c->touch[touch].normal, force);
  for (int s = 0; s < b->shares; s++)
    for (int i = 0; i < c->components; i++)
      vector[c->space.start[b->share[s].node] + i] += b->sense * b->share[s].factor[i] * along;
  for (int i = 0; i < c->components && b->at >= 0 && b->shares == 0; i++)
    vector[b->at + i] += force[i];
  if (b->other_at < 0 || (b->at < 0 && b->shares == 0))
    return;
  double *to = vector + b->other_at;
  for (int i = 0; i < c->components; i++)
    to[i] -= force[i];
  for (int k = 0; b->rigid && k < c->spins; k++) {
    double moment = 0;
    for (int i = 0; i < c->components; i++)
      moment += b->turn[i][k] * force[i];
    to[c->components + k] -= moment;
  }
}

// E of a touch for the node (part 0) or the other side (part 1), with its sign in w: a row for
// each component; returns the number of columns.
static int matrix_of(const pc_fe_collision *c, int touch, int part, double e[3][PC_FE_BODY])
{
  const pc_fe_bond *b = &c->bond[touch];
  double sign = part == 0 ? 1 : -1;
  memset(e, 0, 3 * sizeof *e);
  for (int i = 0; i < c->components; i++) {
    e[i][i] = sign;
    for (int k = 0; part == 1 && b->rigid && k < c->spins; k++)
      e[i][c->components + k] = sign * b->turn[i][k];
  }
  return c->components + (part == 1 && b->rigid ? c->spins : 0);
}

// Adds E_i' f E_j for the two parts of both touches.
static void add_form(const pc_fe_collision *c, int i, int j, const double f[3][3],
                     pc_block_matrix *matrix)
{
  for (int p = 0; p < 2; p++)
    for (int q = 0; q < 2; q++) {
      int row = p == 0 ? c->bond[i].row : c->bond[i].other_row;
      int column = q == 0 ? c->bond[j].row : c->bond[j].other_row;
      if (column < 0 || row < column)
        continue;
      double left[3][PC_FE_BODY], right[3][PC_FE_BODY];
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
static void lumped_form(const pc_fe_collision *c, int touch, double f[3][3])
{
  const pc_fe_touch *t = &c->touch[touch];
  const pc_fe_contact *contact = &c->def.contact[t->contact];
  pc_fe_surface_form(c->components, t->normal, contact->normal, contact->tangential, f);
  for (int a = 0; a < c->components; a++)
    for (int b = 0; b < c->components; b++)
      f[a][b] *= t->weight;
}

static bool viscous(const pc_fe_contact *contact)
{
  return contact->normal > 0 || contact->tangential > 0;
}

// Calls `visit` with every form of two touches.
typedef void form_visitor(void *context, int i, int j, const double f[3][3]);
static void each_form(const pc_fe_collision *c, form_visitor *visit, void *context)
{
  double f[3][3];
  for (int k = 0; k < c->touches; k++) {
    const pc_fe_contact *contact = &c->def.contact[c->touch[k].contact];
    if (!contact->lumped || !viscous(contact) || !c->on[k])
      continue;
    lumped_form(c, k, f);
    visit(context, k, k, (const double(*)[3])f);
  }
  for (int s = 0; s < c->sides; s++) {
    const pc_fe_contact_side *side = &c->side[s];
    const pc_fe_contact *contact = &c->def.contact[side->contact];
    if (contact->lumped || !viscous(contact))
      continue;
    double form[PC_FE_SIDE][PC_FE_SIDE];
    pc_fe_side_form(&c->space, side->side, contact->normal, contact->tangential, form);
    for (int i = 0; i < PC_SIDE_NODES_MAX && side->touch[i] >= 0; i++)
      for (int j = 0; j < PC_SIDE_NODES_MAX && side->touch[j] >= 0; j++) {
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            f[a][b] = form[3 * i + a][3 * j + b];
        visit(context, side->touch[i], side->touch[j], (const double(*)[3])f);
      }
  }
}

typedef struct form_work {
  const pc_fe_collision *c;
  pc_block_matrix *matrix;
  const double *u;
  double *vector, (*force)[3];
} form_work;

static void visit_matrix(void *context, int i, int j, const double f[3][3])
{
  form_work *work = context;
  add_form(work->c, i, j, f, work->matrix);
}

void pc_fe_surface_add(const pc_fe_collision *c, pc_block_matrix *matrix)
{
  form_work work = {.c = c, .matrix = matrix};
  each_form(c, visit_matrix, &work);
}

static void visit_product(void *context, int i, int j, const double f[3][3])
{
  form_work *work = context;
  double w[3], force[3];
  pc_fe_surface_relative(work->c, j, work->u, w);
  for (int a = 0; a < 3; a++)
    force[a] = pc_dot3(f[a], w);
  pc_fe_surface_spread(work->c, i, force, work->vector);
  for (int a = 0; a < 3 && work->force != NULL; a++)
    work->force[i][a] += force[a];
}

void pc_fe_surface_multiply(const pc_fe_collision *c, const double *u, double *vector,
                            double (*force)[3])
{
  form_work work = {.c = c, .u = u, .vector = vector, .force = force};
  if (force != NULL)
    memset(force, 0, (size_t)c->touches * sizeof *force);
  each_form(c, visit_product, &work);
}
