// Corners of rigid bodies, and balls, that meet sides between nodes.
//
// The conditions of nodes hold what is larger than a side. A corner, or a ball that is small beside
// a side, has a condition of its own with every side that it is over, at the point of the side
// below it:
//
//     gap = n . (c - x) - R,      w_N = n . (sum_a N_a(x) U_a - V_body(x))
//
// with the centre c of the ball (radius 0: a corner) and the outward normal n of the side. In space
// a ball also meets edges of sides; there n points to its centre.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/facet.h"
#include "continuum/motion_state.h"
#include "continuum/push.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/small.h"
#include "geometry/shape.h"

static const double LARGE = 4; // radii of sides: nodes let a ball of this radius in by 3 % of it
static const double BESIDE = 1e-9;  // of a side: a point so far beside is over it
static const double WITHIN = 0.999; // of the way to a corner: what only touches is not there

typedef struct pc_motion_ball {
  double centre[3], radius; // in the axes of the body
} pc_motion_ball;

// A ball and a side.
typedef struct pc_motion_point {
  int ball, side, cell; // `cell`: the element of the side
  int sibling;          // the next point of this ball and element, in a ring
  double size;          // of the side
  bool front;           // the ball is over the side and not behind it
  double under[3];      // the lowest point of the ball
  pc_fe_share share[PC_SIDE_NODES_MAX];
} pc_motion_point;

struct pc_motion_points {
  int balls, points, body;
  pc_motion_ball *ball;
  pc_motion_point *point; // side by side
  char *solid;            // of each group of elements: the sides are of such
};

typedef struct ball_list {
  int count, room; // room 0: they are only counted
  pc_motion_ball *ball;
} ball_list;

static void list_ball(void *context, const double centre[3], double radius)
{
  ball_list *list = context;
  if (list->count < list->room) {
    memcpy(list->ball[list->count].centre, centre, sizeof list->ball->centre);
    list->ball[list->count].radius = radius;
  }
  list->count++;
}

static bool is_small(const pc_motion_ball *ball, const pc_facet *side)
{
  return ball->radius < LARGE * side->radius;
}

// Joins the point to the ring of an earlier one with its ball and element.
static void join(pc_motion_points *of, int point)
{
  pc_motion_point *p = &of->point[point];
  p->sibling = point;
  for (int i = 0; i < point; i++)
    if (of->point[i].ball == p->ball && of->point[i].cell == p->cell) {
      p->sibling = of->point[i].sibling;
      of->point[i].sibling = point;
      return;
    }
}

static pc_status list_points(pc_motion_points *of, const pc_fe_motion *m, const pc_fe_meet *meet,
                             pc_error *error)
{
  int facets;
  pc_fe_facet *facet = pc_fe_mesh_sides(m->mesh, &facets);
  if (facet == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the sides of a mesh");
  for (int s = 0; s < m->mesh->side.count; s++) {
    if (m->mesh->side.cell[s].group != meet->sides)
      continue;
    int found = pc_fe_facet_find_side(facet, facets, m->mesh, s);
    if (found < 0)
      continue;
    int cell = facet[found].cell;
    of->solid[m->mesh->body.cell[cell].group] = 1;
    pc_facet side;
    pc_facet_make(m->mesh, s, (const double(*)[3])m->mesh->node, &side);
    for (int b = 0; b < of->balls && m->size > 1; b++)
      if (is_small(&of->ball[b], &side)) {
        of->point[of->points] =
            (pc_motion_point){.ball = b, .side = s, .cell = cell, .size = side.radius};
        join(of, of->points++);
      }
  }
  free(facet);
  return PC_OK;
}

pc_status pc_motion_points_make(pc_fe_motion *m, int meet, pc_error *error)
{
  static const pc_pose own = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const pc_fe_meet *at = &m->meet[meet];
  const pc_shape *shape = m->mover[at->body].shape;
  pc_motion_points *of = pc_arena_take(&m->arena, 1, sizeof *of);
  ball_list list = {.count = 0};
  size_t sides = 0;
  pc_shape_visit_balls(shape, &own, list_ball, &list);
  for (int s = 0; s < m->mesh->side.count; s++)
    sides += m->mesh->side.cell[s].group == at->sides;
  list.ball = pc_arena_take(&m->arena, (size_t)list.count, sizeof *list.ball);
  pc_motion_point *point = pc_arena_take(&m->arena, (size_t)list.count * sides, sizeof *of->point);
  char *solid = pc_arena_take(&m->arena, (size_t)m->mesh->groups, 1);
  if (m->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the corners of a body");
  list.room = list.count;
  list.count = 0;
  pc_shape_visit_balls(shape, &own, list_ball, &list);
  *of = (pc_motion_points){
      .balls = list.count, .body = at->body, .ball = list.ball, .point = point, .solid = solid};
  m->points[meet] = of;
  return list_points(of, m, at, error);
}

int pc_motion_points_count(const pc_motion_points *of)
{
  return of->points;
}

static void place_ball(const pc_motion_points *of, int ball, const pc_fe_body_state *body,
                       double to[3])
{
  pc_pose pose = pc_pose_of(body->place, body->attitude);
  pc_to_world(&pose, of->ball[ball].centre, to);
}

// The point of the border of a side in space that is nearest to p, in its plane; false if it is a
// corner, which has a condition itself.
static bool find_edge(const pc_facet *g, const double p[2], double to[2])
{
  double least = INFINITY;
  bool between = false;
  for (int i = 0; i < g->corners; i++) {
    const double *a = g->corner[i], *b = g->corner[(i + 1) % g->corners];
    double edge[2] = {b[0] - a[0], b[1] - a[1]};
    double part = ((p[0] - a[0]) * edge[0] + (p[1] - a[1]) * edge[1]) /
                  (edge[0] * edge[0] + edge[1] * edge[1]);
    double at = fmin(fmax(part, 0), 1), q[2] = {a[0] + at * edge[0], a[1] + at * edge[1]};
    double apart = pc_hypot(p[0] - q[0], p[1] - q[1]);
    if (!(apart < least))
      continue;
    least = apart;
    between = part > 0 && part < 1;
    memcpy(to, q, sizeof q);
  }
  return between;
}

static bool is_over(int dimension, const pc_facet *g, const double p[2])
{
  double beside = BESIDE * g->radius;
  if (dimension == 2)
    return p[0] >= g->corner[0][0] - beside && p[0] <= g->corner[1][0] + beside;
  for (int i = 0; i < g->corners; i++) {
    const double *a = g->corner[i], *b = g->corner[(i + 1) % g->corners];
    double edge[2] = {b[0] - a[0], b[1] - a[1]};
    double left = edge[0] * (p[1] - a[1]) - edge[1] * (p[0] - a[0]);
    if (left < -beside * pc_hypot(edge[0], edge[1]))
      return false;
  }
  return true;
}

// The place of a side that a ball at x meets, with the normal and the gap there.
static bool find_place(int dimension, const pc_facet *g, const double x[3], double radius,
                       pc_facet_point *at, double n[3], double *gap)
{
  double p[2], q[2], apart[3];
  pc_facet_project(g, x, p);
  bool over = is_over(dimension, g, p);
  if (!over && (dimension == 2 || !(radius > 0) || !find_edge(g, p, q)))
    return false;
  if (!pc_facet_find(dimension, g, g, over ? p : q, at))
    return false;
  pc_sub3(x, at->x, apart);
  double along = pc_dot3(at->normal, apart), length = pc_fe_length(over ? at->normal : apart);
  if (!over && !(along > 0))
    return false;
  for (int k = 0; k < 3; k++)
    n[k] = (over ? at->normal[k] : apart[k]) / length;
  *gap = pc_dot3(n, apart) - radius;
  return true;
}

// A ball behind a side has come through it in this step, or is in the element of the side and
// nearer to this side of it than to others. Else it is behind another side, or nowhere near.
static bool is_behind(const pc_motion_points *of, const pc_fe_motion *m, int i, const double *gap)
{
  const pc_motion_point *p = &of->point[i];
  for (int k = p->sibling; k != i; k = of->point[k].sibling)
    if (isfinite(gap[k]) && fabs(gap[k]) < fabs(gap[i]))
      return false;
  return pc_fe_element_has(m->mesh, (const double(*)[3])m->node_place, p->cell, p->under);
}

void pc_motion_points_measure(pc_fe_motion *m, int meet, const pc_fe_body_state *body, double h,
                              double travel, pc_fe_meeting *meeting, double *gap)
{
  pc_motion_points *of = m->points[meet];
  const pc_fe_body_state *b = &body[of->body];
  double radius = pc_shape_radius(m->mover[of->body].shape);
  travel += 2 * h * (pc_fe_length(b->velocity) + radius * pc_fe_length(b->spin));
  memset(meeting, 0, (size_t)of->points * sizeof *meeting);
  pc_facet g = {.nodes = 0};
  for (int i = 0; i < of->points; i++) {
    pc_motion_point *p = &of->point[i];
    if (i == 0 || of->point[i - 1].side != p->side)
      pc_facet_make(m->mesh, p->side, (const double(*)[3])m->node_place, &g);
    double x[3], n[3], size = of->ball[p->ball].radius;
    pc_facet_point at;
    place_ball(of, p->ball, b, x);
    gap[i] = INFINITY;
    if (!find_place(m->size, &g, x, size, &at, n, &gap[i]))
      continue;
    if (fabs(gap[i]) > 2 * g.radius + travel) {
      gap[i] = INFINITY;
      continue;
    }
    pc_fe_meeting *to = &meeting[i];
    to->shares = g.nodes;
    to->share = p->share;
    for (int k = 0; k < 3; k++) {
      to->normal[k] = n[k];
      to->arm[k] = at.x[k] - b->place[k];
      p->under[k] = x[k] - size * n[k];
    }
    for (int a = 0; a < g.nodes; a++) {
      p->share[a].node = g.node[a];
      for (int k = 0; k < 3; k++)
        p->share[a].factor[k] = at.value[a] * n[k];
    }
  }
  // What is near is known, so that is_behind can compare.
  for (int i = 0; i < of->points; i++) {
    double before = gap[i];
    if (isfinite(gap[i]) && h > 0)
      before -= h / 2 * pc_motion_opening(m, meet, i, m->v, (const double(*)[PC_FE_BODY])m->body_v);
    of->point[i].front =
        isfinite(gap[i]) && (gap[i] >= 0 || before >= 0 || is_behind(of, m, i, gap));
  }
  for (int i = 0; i < of->points; i++)
    if (!of->point[i].front)
      gap[i] = INFINITY;
}

bool pc_motion_points_find_sunk(const pc_fe_motion *m, int meet, bool all, double at[3])
{
  const pc_motion_points *of = m->points[meet];
  const pc_fe_body_state *body = &m->place[of->body];
  for (int b = -1; b < (all ? of->balls : 0); b++) {
    memcpy(at, body->place, 3 * sizeof *at);
    if (b >= 0) {
      double ball[3];
      place_ball(of, b, body, ball);
      for (int k = 0; k < 3; k++)
        at[k] += WITHIN * (ball[k] - at[k]);
    }
    for (int e = 0; e < m->mesh->body.count; e++)
      if (of->solid[m->mesh->body.cell[e].group] &&
          pc_fe_element_has(m->mesh, (const double(*)[3])m->node_place, e, at))
        return true;
  }
  return false;
}
