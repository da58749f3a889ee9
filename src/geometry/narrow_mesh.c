// Convex bodies on meshes and height fields.
//
// A triangle pushes along its own normal what lies before it. Along another normal only where an
// edge or a corner sticks out: the neighbours must all lie below, as seen along that normal. So
// flat or hollow edges do not disturb a body that slides over them.
//
// A triangle takes only a body that comes within the margin of the triangle itself, not of its
// plane. The one exception is a body that has sunk in: the nearest point of the mesh to its middle
// lies before it, and not on an open edge. Then the triangles over it push it out.
#include "geometry/narrow_core.h"
#include "geometry/narrow_gather.h"
#include "geometry/tree.h"

// A triangle as a polyhedron of one face.
typedef struct facet {
  pc_hull hull;
  double vertex[3][3], plane[1][4], direction[3][3];
} facet;

typedef struct ground {
  pc_pair *pair;
  const pc_mesh *mesh;
  pc_core body;    // in the axes of the mesh
  pc_vec middle;   // a point inside the body
  double reach;    // of the body about it
  int deepest;     // the triangle it overlaps most, when none has taken it so far
  bool from_front; // that one pushes to its front
  pc_witness deepest_axis;
  bool behind; // the middle is behind the plane of a triangle in reach
  bool known;  // whether these are found
  int nearest; // to the middle
  double nearest_distance;
  bool sunk; // the middle is below the mesh there
  pc_gather gather;
} ground;

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int loop[3] = {0, 1, 2}, loop_start[2] = {0, 3};
static const int loop_edge[3][2] = {{0, 1}, {1, 2}, {2, 0}}, loop_face[3][2] = {{0, 0}};

static pc_vec vertex_of(const pc_mesh *mesh, int triangle, int i)
{
  return pc_vec_of(mesh->vertex[mesh->triangle[triangle].vertex[i]]);
}

static void facet_init(facet *f, const pc_mesh *mesh, int triangle)
{
  pc_vec n = pc_vec_of(mesh->triangle[triangle].normal), v[3];
  for (int i = 0; i < 3; i++) {
    v[i] = vertex_of(mesh, triangle, i);
    pc_vec_store(v[i], f->vertex[i]);
  }
  for (int i = 0; i < 3; i++)
    pc_vec_store(pc_unit(pc_sub(v[(i + 1) % 3], v[i]), n), f->direction[i]);
  pc_vec_store(n, f->plane[0]);
  f->plane[0][3] = pc_dot(n, v[0]);
  f->hull = (pc_hull){.vertices = 3, .faces = 1, .edges = 3};
  f->hull.vertex = f->vertex;
  f->hull.plane = f->plane;
  f->hull.direction = f->direction;
  // Only read from here on.
  f->hull.face_start = (int *)loop_start;
  f->hull.face_vertex = (int *)loop;
  f->hull.face_edge = (int *)loop;
  f->hull.edge = (int(*)[2])loop_edge;
  f->hull.edge_face = (int(*)[2])loop_face;
}

// The corner of the neighbour across edge k that is not on the edge.
static pc_vec opposite(const pc_mesh *mesh, int triangle, int k)
{
  const pc_triangle *t = &mesh->triangle[triangle], *other = &mesh->triangle[t->neighbour[k]];
  for (int i = 0; i < 3; i++)
    if (other->vertex[i] != t->vertex[k] && other->vertex[i] != t->vertex[(k + 1) % 3])
      return pc_vec_of(mesh->vertex[other->vertex[i]]);
  return pc_vec_of(mesh->vertex[t->vertex[k]]);
}

typedef enum bend { FLAT, HOLLOW, SHARP, OPEN } bend;

static bend bend_of(const pc_mesh *mesh, int triangle, int k)
{
  const pc_triangle *t = &mesh->triangle[triangle];
  if (t->neighbour[k] < 0)
    return OPEN;
  pc_vec n = pc_vec_of(t->normal), m = pc_vec_of(mesh->triangle[t->neighbour[k]].normal);
  pc_vec turn = pc_times(n, m);
  if (pc_dot(turn, turn) < 1e-12 && pc_dot(n, m) > 0)
    return FLAT;
  pc_vec to = pc_sub(opposite(mesh, triangle, k), vertex_of(mesh, triangle, k));
  return pc_dot(n, to) < 0 ? SHARP : HOLLOW;
}

// Goes round a vertex over the edges of one sense; false when something there rises above it along
// n. *closed tells whether it came all the way round.
static bool fan_below(const pc_mesh *mesh, int triangle, int vertex, bool forward, pc_vec n,
                      double slack, bool *closed)
{
  enum { LIMIT = 64 };
  pc_vec apex = pc_vec_of(mesh->vertex[vertex]);
  int at = triangle;
  for (int turn = 0; turn < LIMIT; turn++) {
    const pc_triangle *t = &mesh->triangle[at];
    int i = t->vertex[0] == vertex ? 0 : t->vertex[1] == vertex ? 1 : 2;
    for (int k = 1; k < 3; k++)
      if (pc_dot(n, pc_sub(vertex_of(mesh, at, (i + k) % 3), apex)) > slack)
        return false;
    at = t->neighbour[forward ? (i + 2) % 3 : i];
    if (at < 0 || at == triangle)
      break;
  }
  *closed = at == triangle;
  return true;
}

// Whether a normal may come from this triangle: what it touches there sticks out.
static bool allowed(const ground *g, int triangle, pc_vec n)
{
  const pc_mesh *mesh = g->mesh;
  const pc_triangle *t = &mesh->triangle[triangle];
  if (pc_dot(n, pc_vec_of(t->normal)) < 0)
    return false;
  double height[3], most = -INFINITY, span = 0;
  for (int i = 0; i < 3; i++) {
    height[i] = pc_dot(n, vertex_of(mesh, triangle, i));
    most = fmax(most, height[i]);
    span = fmax(span,
                pc_distance(vertex_of(mesh, triangle, i), vertex_of(mesh, triangle, (i + 1) % 3)));
  }
  double slack = 1e-9 * span;
  bool top[3];
  for (int i = 0; i < 3; i++)
    top[i] = height[i] >= most - 1e-6 * span;
  for (int k = 0; k < 3; k++)
    if (top[k] && top[(k + 1) % 3] && !top[(k + 2) % 3])
      return t->neighbour[k] < 0 ||
             pc_dot(n, pc_sub(opposite(mesh, triangle, k), vertex_of(mesh, triangle, k))) <= slack;
  for (int i = 0; i < 3; i++) {
    if (!top[i])
      continue;
    bool closed = false;
    if (!fan_below(mesh, triangle, t->vertex[i], true, n, slack, &closed))
      return false;
    if (!closed && !fan_below(mesh, triangle, t->vertex[i], false, n, slack, &closed))
      return false;
  }
  return true;
}

// Whether a point lies over the triangle.
static bool before(const facet *f, pc_vec p, double slack)
{
  pc_vec n = pc_vec_of(f->plane[0]);
  for (int k = 0; k < 3; k++) {
    pc_vec out = pc_times(pc_vec_of(f->direction[k]), n);
    if (pc_dot(out, pc_sub(p, pc_vec_of(f->vertex[k]))) > slack)
      return false;
  }
  return true;
}

// A cut at a flat edge is no contact of its own: the body goes on over the neighbour.
static bool only_a_cut(const bend bends[3], uint64_t feature)
{
  int kind = (int)(feature >> 36), first = (int)(feature >> 24 & 4095);
  int second = (int)(feature >> 12 & 4095), on_b = (int)(feature & 4095);
  if (!on_b || kind > 11 || second == 0)
    return false;
  bool flat = second <= 3 && bends[second - 1] == FLAT;
  return kind == 11 ? flat && first < 3 && bends[first] == FLAT : flat;
}

// 24 bits for the triangle, 16 for what of it and of the body: the kind, which of the two is cut by
// the other, then a vertex or edge of the body (11) and a side of the triangle (2), or a vertex or
// edge of the triangle or a side of a face (6) and a side of a face of the body (7).
static uint64_t ground_feature(int triangle, uint64_t feature)
{
  uint64_t kind = feature >> 36, first = feature >> 24 & 4095, second = feature >> 12 & 4095;
  bool on_triangle = feature & 4095;
  uint64_t code = kind == 15 ? 0 : kind == 10 ? 1 : 2;
  uint64_t place =
      on_triangle ? (first & 2047) << 2 | (second & 3) : (first & 63) << 7 | (second & 127);
  return (uint64_t)(triangle & 0xffffff) << 16 | code << 14 | (uint64_t)on_triangle << 13 | place;
}

// A way from the middle of the body to a point of it.
typedef struct way {
  const ground *ground;
  pc_vec to;
  bool crosses;
} way;

// Whether the way goes through a triangle from its front.
static bool visit_way(void *context, int triangle)
{
  way *w = context;
  facet f;
  facet_init(&f, w->ground->mesh, triangle);
  pc_vec n = pc_vec_of(f.plane[0]), from = w->ground->middle;
  double high = pc_dot(n, from) - f.plane[0][3], low = pc_dot(n, w->to) - f.plane[0][3];
  if (high < 0 || low > 0)
    return true;
  double part = high > low ? high / (high - low) : 0;
  pc_vec at = pc_along(from, part, pc_sub(w->to, from));
  w->crosses = before(&f, at, 1e-9 * w->ground->pair->size);
  return !w->crosses;
}

// Whether a point of the body lies below the mesh as seen from the middle: not where the body
// reaches under a triangle past an open edge.
static bool below_mesh(const ground *g, pc_vec p)
{
  way w = {g, p, false};
  pc_vec m = g->middle;
  double box[6] = {fmin(p.x, m.x), fmin(p.y, m.y), fmin(p.z, m.z),
                   fmax(p.x, m.x), fmax(p.y, m.y), fmax(p.z, m.z)};
  pc_tree_query(g->mesh->tree, box, visit_way, &w);
  return w.crosses;
}

// Whether a contact along a triangle's own normal is one with the mesh. The body may lie below the
// plane without coming near the triangle.
static bool real(const ground *g, const pc_candidate *touch, pc_vec n)
{
  if (touch->gap >= 0)
    return true;
  pc_vec foot = pc_along(touch->point, -0.5 * touch->gap, n);
  return pc_core_inside(&g->body, foot, 1e-9 * g->pair->size) ||
         below_mesh(g, pc_along(foot, touch->gap, n));
}

// own: along the triangle's normal.
static void gather(ground *g, int triangle, const facet *f, const bend bends[3],
                   const pc_witness *witness, bool own)
{
  const pc_core surface = {.kind = PC_CORE_POINTS, .turn = identity, .hull = &f->hull};
  double size = g->pair->size;
  pc_candidate touch[PC_CORNERS];
  int count = pc_core_touches(&g->body, &surface, witness, g->pair->margin, size, touch);
  bool from_above = pc_dot(witness->normal, g->middle) >= pc_dot(witness->normal, witness->on_b);
  for (int i = 0; i < count; i++) {
    bool nearest = touch[i].feature >> 36 == 15;
    if (own && nearest && !before(f, witness->on_b, 1e-9 * size))
      continue;
    if (own && only_a_cut(bends, touch[i].feature))
      continue;
    if (own && from_above && !real(g, &touch[i], witness->normal))
      continue;
    touch[i].feature = ground_feature(triangle, touch[i].feature);
    pc_gather_add(&g->gather, &touch[i], witness->normal);
  }
}

// The distance of the middle from a triangle; *open when it is nearest to an edge or a corner where
// the mesh ends.
static double distance_to(const ground *g, int triangle, bool *open)
{
  const pc_mesh *mesh = g->mesh;
  const pc_triangle *t = &mesh->triangle[triangle];
  pc_vec n = pc_vec_of(t->normal);
  double least = INFINITY;
  bool over = true;
  *open = false;
  for (int k = 0; k < 3; k++) {
    pc_vec u = vertex_of(mesh, triangle, k), e = pc_sub(vertex_of(mesh, triangle, (k + 1) % 3), u);
    pc_vec d = pc_sub(g->middle, u);
    over = over && pc_dot(pc_times(n, e), d) >= 0;
    double part = fmax(0, fmin(1, pc_dot(d, e) / pc_dot(e, e)));
    double far = pc_length(pc_along(d, -part, e));
    if (far >= least)
      continue;
    least = far;
    bool closed = t->neighbour[k] >= 0;
    if (part == 0 || part == 1)
      fan_below(mesh, triangle, t->vertex[part == 0 ? k : (k + 1) % 3], true, n, INFINITY, &closed);
    *open = !closed;
  }
  if (!over)
    return least;
  *open = false;
  return fabs(pc_dot(n, pc_sub(g->middle, vertex_of(mesh, triangle, 0))));
}

// Among triangles that are as near the body is below only if it is below all of them.
static bool visit_nearest(void *context, int triangle)
{
  ground *g = context;
  bool open;
  double distance = distance_to(g, triangle, &open), equal = 1e-9 * g->pair->size;
  if (distance > g->nearest_distance + equal)
    return true;
  pc_vec n = pc_vec_of(g->mesh->triangle[triangle].normal);
  bool below = !open && pc_dot(n, pc_sub(g->middle, vertex_of(g->mesh, triangle, 0))) < 0;
  g->sunk = distance < g->nearest_distance - equal ? below : g->sunk && below;
  if (distance < g->nearest_distance)
    g->nearest = triangle, g->nearest_distance = distance;
  return true;
}

static bool sunk(ground *g)
{
  if (g->known || !g->behind)
    return g->sunk;
  g->known = true;
  g->nearest_distance = g->reach;
  g->sunk = true;
  double box[6] = {g->middle.x, g->middle.y, g->middle.z, g->middle.x, g->middle.y, g->middle.z};
  for (int i = 0; i < 3; i++)
    box[i] -= g->reach, box[3 + i] += g->reach;
  pc_tree_query(g->mesh->tree, box, visit_nearest, g);
  g->sunk = g->sunk && g->nearest >= 0;
  return g->sunk;
}

// Whether a triangle is on the side where a body that has sunk in gets out.
static bool way_out(ground *g, pc_vec n)
{
  return sunk(g) && pc_dot(n, pc_vec_of(g->mesh->triangle[g->nearest].normal)) > 0;
}

// Whether a face of a polyhedron has the whole triangle more than the margin before it.
static bool face_between(const ground *g, int triangle)
{
  if (g->body.kind != PC_CORE_POINTS)
    return false;
  const pc_hull *hull = g->body.hull;
  pc_vec v[3];
  for (int i = 0; i < 3; i++)
    v[i] = pc_turn_back(g->body.turn, pc_sub(vertex_of(g->mesh, triangle, i), g->body.centre));
  for (int f = 0; f < hull->faces; f++) {
    pc_vec n = pc_vec_of(hull->plane[f]);
    double most = hull->plane[f][3] + g->pair->margin;
    if (pc_dot(n, v[0]) > most && pc_dot(n, v[1]) > most && pc_dot(n, v[2]) > most)
      return true;
  }
  return false;
}

static bool visit(void *context, int triangle)
{
  ground *g = context;
  facet f;
  pc_vec n = pc_vec_of(g->mesh->triangle[triangle].normal), lowest;
  pc_vec base = vertex_of(g->mesh, triangle, 0);
  lowest = pc_core_support(&g->body, pc_scale(-1, n));
  double height = pc_dot(n, pc_sub(lowest, base));
  double middle = pc_dot(n, pc_sub(g->middle, base));
  if (height - g->body.round > g->pair->margin || middle < -g->reach)
    return true;
  g->behind = g->behind || middle < 0;
  facet_init(&f, g->mesh, triangle);
  bend bends[3];
  bool sharp = false;
  for (int k = 0; k < 3; k++) {
    bends[k] = bend_of(g->mesh, triangle, k);
    sharp = sharp || bends[k] == SHARP || bends[k] == OPEN;
  }
  const pc_core surface = {.kind = PC_CORE_POINTS, .turn = identity, .hull = &f.hull};
  // The lowest point straight over the triangle, and not deep: no other normal is nearer.
  bool plain = height > -0.05 * g->pair->size && before(&f, lowest, 0);
  if (sharp && middle >= 0 && !plain) {
    pc_witness witness;
    double limit = g->pair->margin + g->body.round;
    if (face_between(g, triangle) ||
        !pc_core_axis(&g->body, &surface, g->pair->size, limit, &witness))
      return true;
    if (pc_dot(witness.normal, n) < 1 - 1e-12 && allowed(g, triangle, witness.normal)) {
      gather(g, triangle, &f, bends, &witness, false);
      return true;
    }
  }
  // From below a triangle pushes up only what is straight under it.
  if (middle < 0 && ((sharp && !before(&f, g->middle, 1e-9 * g->pair->size)) || !way_out(g, n)))
    return true;
  pc_witness own = {n, height, lowest, pc_along(lowest, -height, n), false};
  gather(g, triangle, &f, bends, &own, true);
  return true;
}

// In a hollow the lowest point along each normal may lie over another triangle. Then the triangle
// that is overlapped most pushes along the axis between it and the body: one that pushes to its
// front if there is any, else an edge that the body passes.
static bool visit_again(void *context, int triangle)
{
  ground *g = context;
  pc_vec n = pc_vec_of(g->mesh->triangle[triangle].normal);
  pc_vec base = vertex_of(g->mesh, triangle, 0);
  pc_vec lowest = pc_core_support(&g->body, pc_scale(-1, n));
  double middle = pc_dot(n, pc_sub(g->middle, base)), limit = g->pair->margin + g->body.round;
  if (pc_dot(n, pc_sub(lowest, base)) > limit || middle < -g->reach)
    return true;
  facet f;
  facet_init(&f, g->mesh, triangle);
  const pc_core surface = {.kind = PC_CORE_POINTS, .turn = identity, .hull = &f.hull};
  pc_witness axis;
  if (face_between(g, triangle) || !pc_core_axis(&g->body, &surface, g->pair->size, limit, &axis))
    return true;
  bool front = middle >= 0 && pc_dot(axis.normal, n) > 0;
  if (g->deepest < 0 || front > g->from_front ||
      (front == g->from_front && axis.separation < g->deepest_axis.separation))
    g->deepest = triangle, g->deepest_axis = axis, g->from_front = front;
  return true;
}

static void push_by_deepest(ground *g)
{
  pc_witness *w = &g->deepest_axis;
  if (w->beside) {
    facet f;
    facet_init(&f, g->mesh, g->deepest);
    const pc_core surface = {.kind = PC_CORE_POINTS, .turn = identity, .hull = &f.hull};
    pc_core_face(&g->body, &surface, g->pair->size, w);
  }
  pc_vec half = pc_scale(0.5, pc_add(pc_along(w->on_a, -g->body.round, w->normal), w->on_b));
  pc_candidate touch = {half, w->separation - g->body.round,
                        ground_feature(g->deepest, pc_feature(15, 0, 0, 0))};
  pc_gather_add(&g->gather, &touch, w->normal);
}

// Below a hollow edge no triangle is straight above: the nearest one pushes.
static void push_by_nearest(ground *g)
{
  pc_vec n = pc_vec_of(g->mesh->triangle[g->nearest].normal);
  pc_vec lowest = pc_core_support(&g->body, pc_scale(-1, n));
  double height = pc_dot(n, pc_sub(lowest, vertex_of(g->mesh, g->nearest, 0)));
  double gap = height - g->body.round;
  pc_candidate touch = {pc_along(lowest, -g->body.round - 0.5 * gap, n), gap,
                        ground_feature(g->nearest, pc_feature(15, 0, 0, 0))};
  pc_gather_add(&g->gather, &touch, n);
}

void pc_collide_mesh(pc_pair *pair)
{
  ground g = {.pair = pair, .mesh = pair->b->mesh, .deepest = -1, .nearest = -1};
  pc_pose at;
  pc_vec centre = pc_turn_back(pair->at_b->rotation, pair->centre);
  pc_vec_store(centre, at.position);
  const double *p = pair->at_b->rotation, *q = pair->at_a->rotation;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      at.rotation[3 * i + j] = p[i] * q[j] + p[3 + i] * q[3 + j] + p[6 + i] * q[6 + j];
  g.body = pc_core_of(pair->a, &at, centre);
  g.middle = pc_core_middle(&g.body);
  g.reach = pair->a->radius + pc_distance(g.middle, centre);
  g.gather.size = pair->size;
  double box[6];
  pc_shape_bounds(pair->a, &at, box);
  for (int i = 0; i < 3; i++) {
    box[i] -= pair->margin;
    box[3 + i] += pair->margin;
  }
  pc_tree_query(pair->b->mesh->tree, box, visit, &g);
  if (g.gather.count == 0) {
    pc_tree_query(pair->b->mesh->tree, box, visit_again, &g);
    if (g.deepest >= 0 && (g.from_front || !sunk(&g)))
      push_by_deepest(&g);
    else if (sunk(&g))
      push_by_nearest(&g);
  }
  pc_gather_reduce(&g.gather, PC_GATHER_KEEP);
  for (int i = 0; i < g.gather.count; i++) {
    const pc_gathered *item = &g.gather.item[i];
    pc_pair_add(pair, pc_turn(p, item->touch.point), pc_turn(p, item->normal), item->touch.gap,
                item->touch.feature);
  }
}
