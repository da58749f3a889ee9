// Goes through the bodies from the top down. Each is held by its contacts with what is below, as if
// that were immovable; its weight and what it carries then act on those bodies.
//
// A body's own contacts are swept until it is held. Sweeps without over-relaxation, from no
// percussion at all, spread the weight evenly; what is spread unevenly grows from layer to layer.
#include "impact/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/small.h"
#include "impact/contact_side.h"

enum { MOST_ROUNDS = 300 };
static const double steep = 0.1;  // a contact holds if its normal points up at least this much
static const double mostly = 0.5; // of the pull must be in one direction

typedef struct motion {
  double v[3], w[3];
} motion;

// A contact seen from the body that it holds. In the plane `arm` becomes two numbers, those of the
// velocities that a spin makes along the normal and across it.
typedef struct hold {
  int contact, side; // of the body in the contact
  double n[3], arm[3];
  double bound, mu;
  double below[3];      // velocity of what is below
  double inverse, step; // 1 / W_NN, 1 / W_TT, of this body alone
  double along, t[3];   // percussion on the body; in the plane t[0] is its part across
} hold;

typedef struct rank {
  double height;
  int line;
} rank;

typedef struct layers {
  const pc_packs *packs;
  double up[3], close;
  double *r;
  motion *now;           // per line, with all percussions so far
  rank *order;           // from the top
  int *upper;            // per contact: twice the line that it holds, plus the side
  int *first, *contacts; // contacts by the line that they hold
  hold *holds;           // of one body
} layers;

static int by_height(const void *a, const void *b)
{
  const rank *x = a, *y = b;
  if (x->height != y->height)
    return x->height > y->height ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

static const pc_body_data *body_of(const pc_packs *packs, int line)
{
  return &packs->problem->body.at[packs->islands->body[packs->island->body + line - 1]];
}

// The direction against which bodies are held. False if they are pulled in different directions.
static bool find_up(layers *to)
{
  const pc_packs *packs = to->packs;
  double sum[3] = {0}, size = 0;
  for (int l = 1; l < packs->lines; l++) {
    double p[3], w[3];
    pc_body_motion(body_of(packs, l), packs->problem->percussion.at, p, w);
    for (int i = 0; i < 3; i++)
      sum[i] -= p[i];
    size += pc_norm(3, p);
  }
  double length = pc_norm(3, sum);
  for (int i = 0; i < 3 && length > 0; i++)
    to->up[i] = sum[i] / length;
  return length > mostly * size;
}

static void set_motion(const pc_packs *packs, const double *line, int l, motion *to)
{
  const pc_body_data *body = body_of(packs, l);
  const double *from = line + (long)packs->stride * l;
  if (packs->shape != PC_PLANE) {
    memcpy(to->v, from, sizeof to->v);
    memcpy(to->w, from + 4, sizeof to->w);
    return;
  }
  pc_body_motion(body, packs->islands->free_velocity, to->v, to->w);
  to->v[0] += body->root * from[0];
  to->v[1] += body->root * from[1];
  to->w[2] += body->turn->inverse_root[5] * from[2];
}

static int line_of(const pc_packs *packs, int body)
{
  return body >= 0 ? packs->islands->local_body[body] + 1 : 0;
}

// Sorts bodies by height, contacts by the upper of their bodies. False if memory is out.
static bool sort(layers *to, const double *line, pc_arena *arena)
{
  const pc_packs *packs = to->packs;
  size_t lines = (size_t)packs->lines, contacts = (size_t)packs->contacts + 1;
  int *place = pc_arena_take_raw(arena, lines, sizeof(int)), most = 0;
  to->now = pc_arena_take(arena, lines, sizeof(motion));
  to->order = pc_arena_take_raw(arena, lines, sizeof(rank));
  to->first = pc_arena_take(arena, lines + 1, sizeof(int));
  to->upper = pc_arena_take_raw(arena, contacts, sizeof(int));
  to->contacts = pc_arena_take_raw(arena, contacts, sizeof(int));
  if (arena->failed)
    return false;
  for (int l = 1; l < packs->lines; l++) {
    to->order[l - 1] = (rank){pc_dot3(body_of(packs, l)->position, to->up), l};
    set_motion(packs, line, l, &to->now[l]);
  }
  qsort(to->order, lines - 1, sizeof *to->order, by_height);
  for (int i = 0; i < packs->lines - 1; i++)
    place[to->order[i].line] = i;
  for (int k = 0; k < packs->contacts; k++) {
    const pc_ends *ends = &packs->islands->ends[packs->fold.contact[k]];
    int a = line_of(packs, ends->body[0]), b = line_of(packs, ends->body[1]);
    int side = a == 0 || (b != 0 && place[b] < place[a]);
    to->upper[k] = 2 * (side == 0 ? a : b) + side;
    to->first[to->upper[k] / 2 + 1]++;
  }
  for (int l = 0; l < packs->lines; l++) {
    most = to->first[l + 1] > most ? to->first[l + 1] : most;
    to->first[l + 1] += to->first[l];
  }
  int *next = place;
  memcpy(next, to->first, sizeof(int) * lines);
  for (int k = 0; k < packs->contacts; k++)
    to->contacts[next[to->upper[k] / 2]++] = k;
  to->holds = pc_arena_take_raw(arena, (size_t)most + 1, sizeof(hold));
  return to->holds != NULL;
}

static double *percussion_of(const layers *of, int contact)
{
  const pc_packs *packs = of->packs;
  int place = packs->place[contact];
  return of->r + (long)packs->numbers * PC_LANES * (place / PC_LANES) + place % PC_LANES;
}

// Removes the percussion of a contact from the lower body, or (sign -1) adds it.
static void load(const layers *of, const hold *h, double sign)
{
  const pc_packs *packs = of->packs;
  const pc_interaction_data *data =
      &packs->problem->interaction.at[packs->fold.contact[h->contact]];
  int other = packs->islands->ends[packs->fold.contact[h->contact]].body[1 - h->side];
  if (other < 0)
    return;
  const pc_body_data *body = &packs->problem->body.at[other];
  motion *now = &of->now[line_of(packs, other)];
  double p[3], arm[3], torque[3], turn[3];
  for (int i = 0; i < 3; i++)
    p[i] = sign * (h->along * h->n[i] + h->t[i]);
  if (packs->shape == PC_PLANE) {
    p[0] = sign * (h->along * h->n[0] - h->t[0] * h->n[1]);
    p[1] = sign * (h->along * h->n[1] + h->t[0] * h->n[0]);
    p[2] = 0;
  }
  pc_side_arm(body, data->point, arm);
  pc_cross(arm, p, torque);
  pc_times_inertia(body->turn->inverse, torque, turn);
  for (int i = 0; i < 3; i++) {
    now->v[i] += body->light * p[i];
    now->w[i] += turn[i];
  }
}

// No less than the largest eigenvalue of the inverse inertia.
static double lightest_turn(const double *x)
{
  double a = fabs(x[0]) + fabs(x[1]) + fabs(x[2]), b = fabs(x[1]) + fabs(x[3]) + fabs(x[4]);
  return pc_larger(pc_larger(a, b), fabs(x[2]) + fabs(x[4]) + fabs(x[5]));
}

// A contact of the body that it holds. False if it is too steep for that.
static bool describe(const layers *of, int k, hold *h)
{
  const pc_packs *packs = of->packs;
  const pc_impact *problem = packs->problem;
  int at = packs->fold.contact[k], side = of->upper[k] % 2;
  const pc_interaction_data *data = &problem->interaction.at[at];
  const pc_law *law = pc_law_of(problem, data);
  const pc_ends *ends = &packs->islands->ends[at];
  const pc_body_data *body = &problem->body.at[data->body[side]];
  double sign = side == 0 ? 1 : -1, before[3], turn[3], moved[3];
  if (ends->body[1 - side] >= 0 && sign * pc_dot3(data->normal, of->up) < steep)
    return false;
  *h = (hold){.contact = k, .side = side, .bound = data->bound};
  pc_contact_velocity(problem, data, problem->before.at, before);
  if (law->normal.kind == PC_NORMAL_RESTITUTION)
    h->bound -= law->normal.e * pc_dot3(data->normal, before);
  h->mu = ends->rows > 1 ? law->tangential.mu[0] : 0;
  pc_side_arm(body, data->point, h->arm);
  const double *given = pc_interaction_given(problem, data);
  for (int i = 0; i < 3; i++) {
    h->n[i] = sign * data->normal[i];
    h->below[i] = -sign * given[i];
  }
  if (data->terms > 1) {
    const pc_body_data *other = &problem->body.at[data->body[1 - side]];
    double v[3], w[3], arm[3];
    pc_side_arm(other, data->point, arm);
    pc_body_motion(other, problem->before.at, v, w);
    pc_cross(w, arm, turn);
    for (int i = 0; i < 3; i++)
      h->below[i] += v[i] + turn[i];
  }
  pc_cross(h->arm, h->n, turn);
  pc_times_inertia(body->turn->inverse, turn, moved);
  double nn = body->light + pc_dot3(turn, moved);
  double tt = body->light + pc_dot3(h->arm, h->arm) * lightest_turn(body->turn->inverse);
  const double *r = percussion_of(of, k);
  h->along = r[0];
  if (packs->shape == PC_PLANE) {
    double along = h->arm[0] * h->n[1] - h->arm[1] * h->n[0];
    double across = h->arm[0] * h->n[0] + h->arm[1] * h->n[1];
    h->arm[0] = along;
    h->arm[1] = across;
    tt = body->light + across * across * body->turn->inverse[5];
    h->t[0] = packs->friction ? r[PC_LANES] : 0;
  } else {
    for (int i = 0; i < 3 && packs->friction; i++)
      h->t[i] = sign * r[(1 + i) * PC_LANES];
  }
  h->inverse = nn > 0 ? 1 / nn : 0;
  h->step = tt > 0 ? 1 / tt : 0;
  return true;
}

// Local solutions, the normal part first. They give the size of the change, as a velocity.
static double settle_flat(const pc_body_data *body, hold *h, motion *now)
{
  double x = now->v[0] - h->below[0], y = now->v[1] - h->below[1], turns = body->turn->inverse[5];
  double un = h->n[0] * x + h->n[1] * y + h->arm[0] * now->w[2];
  double along = pc_larger(0, h->along - (un - h->bound) * h->inverse), change = along - h->along;
  double spin = now->w[2] + turns * h->arm[0] * change, across = 0;
  h->along = along;
  if (h->mu > 0) { // the normal part does not move the centre across
    double ut = h->n[0] * y - h->n[1] * x + h->arm[1] * spin, reach = h->mu * along;
    double t = h->t[0] - h->step * ut;
    t = t > reach ? reach : t < -reach ? -reach : t;
    across = t - h->t[0];
    h->t[0] = t;
    spin += turns * h->arm[1] * across;
  }
  now->v[0] += body->light * (h->n[0] * change - h->n[1] * across);
  now->v[1] += body->light * (h->n[1] * change + h->n[0] * across);
  now->w[2] = spin;
  return (fabs(change) + fabs(across)) / h->step;
}

static void push(const pc_body_data *body, const double *arm, const double *p, motion *now)
{
  double torque[3], turn[3];
  pc_cross(arm, p, torque);
  pc_times_inertia(body->turn->inverse, torque, turn);
  for (int i = 0; i < 3; i++) {
    now->v[i] += body->light * p[i];
    now->w[i] += turn[i];
  }
}

static void velocity_at(const hold *h, const motion *now, double *u)
{
  double turn[3];
  pc_cross(now->w, h->arm, turn);
  for (int i = 0; i < 3; i++)
    u[i] = now->v[i] + turn[i] - h->below[i];
}

static double settle(const pc_body_data *body, hold *h, motion *now)
{
  double u[3], p[3], t[3], square = 0;
  velocity_at(h, now, u);
  double along = pc_larger(0, h->along - (pc_dot3(u, h->n) - h->bound) * h->inverse);
  double change = along - h->along;
  for (int i = 0; i < 3; i++)
    p[i] = change * h->n[i];
  h->along = along;
  push(body, h->arm, p, now);
  if (!(h->mu > 0))
    return fabs(change) / h->step;
  velocity_at(h, now, u);
  double un = pc_dot3(u, h->n), reach = h->mu * along;
  for (int i = 0; i < 3; i++) {
    t[i] = h->t[i] - h->step * (u[i] - un * h->n[i]);
    square += t[i] * t[i];
  }
  double part = square > reach * reach ? reach / sqrt(square) : 1;
  for (int i = 0; i < 3; i++) {
    p[i] = part * t[i] - h->t[i];
    h->t[i] = part * t[i];
  }
  push(body, h->arm, p, now);
  return (fabs(change) + pc_norm(3, p)) / h->step;
}

static void hold_body(const layers *of, int l)
{
  const pc_packs *packs = of->packs;
  const pc_body_data *body = body_of(packs, l);
  bool flat = packs->shape == PC_PLANE;
  int count = 0;
  double change = INFINITY;
  for (int c = of->first[l]; c < of->first[l + 1]; c++)
    count += describe(of, of->contacts[c], &of->holds[count]);
  for (int c = 0; c < count; c++)
    load(of, &of->holds[c], 1);
  for (int round = 0; round < MOST_ROUNDS && change > of->close; round++) {
    change = 0;
    for (int c = 0; c < count; c++)
      change = pc_larger(flat ? settle_flat(body, &of->holds[c], &of->now[l])
                              : settle(body, &of->holds[c], &of->now[l]),
                         change);
  }
  for (int c = 0; c < count; c++) {
    const hold *h = &of->holds[c];
    double *r = percussion_of(of, h->contact);
    load(of, h, -1);
    r[0] = h->along;
    if (flat && packs->friction)
      r[PC_LANES] = h->t[0];
    for (int i = 0; i < 3 && !flat && packs->friction; i++)
      r[(1 + i) * PC_LANES] = (h->side == 0 ? 1 : -1) * h->t[i];
  }
}

pc_layers_end pc_layers_hold(const pc_packs *packs, const double *line, double close, double *r,
                             pc_arena *arena)
{
  layers of = {.packs = packs, .close = close, .r = r};
  int island = (int)(packs->island - packs->islands->island);
  pc_island_speed speed =
      pc_island_speeds(packs->problem, packs->islands, island, 1, packs->threads);
  if (packs->shape == PC_FULL || !(speed.moving < speed.forced) || !find_up(&of))
    return PC_LAYERS_NONE;
  pc_arena_mark mark = pc_arena_mark_here(arena);
  if (!sort(&of, line, arena))
    return PC_LAYERS_MEMORY;
  for (int i = 0; i < packs->lines - 1; i++)
    hold_body(&of, of.order[i].line);
  pc_arena_take_back(arena, mark);
  return PC_LAYERS_HELD;
}
