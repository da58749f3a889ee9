// Discs and polygons on chains of segments.
//
// A segment pushes to the side where the body's centre is. A corner of the chain pushes along
// another normal only where it sticks out, as seen along that normal: see narrow_mesh.c.
#include "geometry/flat.h"
#include "geometry/narrow_gather.h"

// The chain from the body: everything in the axes of the chain.
typedef struct track {
  pc_pair *pair;
  const pc_shape *chain;
  flat centre;         // of the body's pose
  flat middle;         // of its area
  double cosine, sine; // of the body's turn
  double box[4];       // of the body with the margin
  pc_gather gather;
  double overlap; // the deepest that no segment has taken so far; positive: none
  pc_candidate deepest;
  flat deepest_normal;
} track;

// A segment and what comes before and after it.
typedef struct piece {
  int number;
  flat from, to, direction;
  bool has[2];  // a neighbour at either end
  flat next[2]; // its other end
} piece;

static flat chain_vertex(const pc_shape *chain, int i)
{
  int count = chain->chain.count;
  const double *v = chain->chain.vertex[(i + count) % count];
  return (flat){v[0], v[1]};
}

static piece piece_of(const pc_shape *chain, int i)
{
  piece p = {.number = i, .from = chain_vertex(chain, i), .to = chain_vertex(chain, i + 1)};
  int count = chain->chain.count;
  bool closed = chain->chain.closed;
  flat d = minus(p.to, p.from);
  double size = sqrt(dot(d, d));
  p.direction = (flat){d.x / size, d.y / size};
  p.has[0] = closed || i > 0;
  p.has[1] = closed || i + 2 < count;
  if (p.has[0])
    p.next[0] = chain_vertex(chain, i - 1);
  if (p.has[1])
    p.next[1] = chain_vertex(chain, i + 2);
  for (int end = 0; end < 2; end++)
    if (!p.has[end] && chain->chain.continues[end]) {
      p.has[end] = true;
      p.next[end] = (flat){chain->chain.beyond[end][0], chain->chain.beyond[end][1]};
    }
  return p;
}

// Nothing beyond this end of the segment rises above it along n.
static bool sticks_out(const piece *p, int end, flat n)
{
  flat at = end == 0 ? p->from : p->to, d = minus(p->next[end], at);
  return !p->has[end] || dot(n, d) <= 1e-9 * sqrt(dot(d, d));
}

static bool straight(const piece *p, int end)
{
  if (!p->has[end])
    return false;
  flat d = minus(p->next[end], end == 0 ? p->from : p->to);
  double size = sqrt(dot(d, d)), cross = p->direction.x * d.y - p->direction.y * d.x;
  return fabs(cross) <= 1e-6 * size && (end == 0 ? -1 : 1) * dot(p->direction, d) > 0;
}

static void gather(track *t, flat point, flat normal, double gap, uint64_t feature)
{
  if (gap > t->pair->margin)
    return;
  pc_candidate touch = {lift(point), gap, feature};
  pc_gather_add(&t->gather, &touch, lift(normal));
}

// The segment number has 24 bits, what of it touches 16.
static uint64_t feature_of(const piece *p, int kind, int index)
{
  return (uint64_t)(p->number & 0xffffff) << 16 | (uint64_t)(kind << 12) | (uint64_t)(index & 4095);
}

static flat normal_towards(const piece *p, flat x)
{
  flat left = {-p->direction.y, p->direction.x};
  return dot(left, minus(x, p->from)) >= 0 ? left : (flat){-left.x, -left.y};
}

static void disc_piece(track *t, const piece *p)
{
  double radius = t->pair->a->radius;
  flat d = minus(t->centre, p->from);
  double s = dot(d, p->direction), length = dot(minus(p->to, p->from), p->direction);
  if (s <= 0 && p->number == 0 && t->chain->chain.continues[0])
    return; // the body before has this corner
  if (s >= 0 && s <= length) {
    flat n = normal_towards(p, t->centre);
    double gap = dot(n, d) - radius;
    gather(t, along(t->centre, -radius - 0.5 * gap, n), n, gap, feature_of(p, 0, 0));
    return;
  }
  int end = s > length;
  flat out = minus(t->centre, end ? p->to : p->from);
  double distance = sqrt(dot(out, out));
  flat n = {out.x / distance, out.y / distance};
  if (!sticks_out(p, end, n))
    return;
  double gap = distance - radius;
  gather(t, along(t->centre, -radius - 0.5 * gap, n), n, gap, feature_of(p, 1 + end, 0));
}

static flat body_vertex(const track *t, int i)
{
  const double *v = t->pair->a->polygon.vertex[i];
  return (flat){t->centre.x + t->cosine * v[0] - t->sine * v[1],
                t->centre.y + t->sine * v[0] + t->cosine * v[1]};
}

static flat body_normal(const track *t, int i)
{
  const double *n = t->pair->a->polygon.normal[i];
  return (flat){t->cosine * n[0] - t->sine * n[1], t->sine * n[0] + t->cosine * n[1]};
}

// The outermost vertices along the segment, besides those of an edge: a flat polygon that strikes
// with one of many short edges turns about it, and its far end must not pass.
static void outermost_on_piece(track *t, const piece *p, flat n, const int edge[2])
{
  int count = t->pair->a->polygon.count, outer[2] = {0, 0};
  double length = dot(minus(p->to, p->from), p->direction), s[2] = {INFINITY, -INFINITY};
  for (int i = 0; i < count; i++) {
    double here = dot(p->direction, minus(body_vertex(t, i), p->from));
    if (here < s[0])
      s[0] = here, outer[0] = i;
    if (here > s[1])
      s[1] = here, outer[1] = i;
  }
  for (int k = 0; k < 2; k++) {
    flat x = body_vertex(t, outer[k]);
    if (outer[k] == edge[0] || outer[k] == edge[1] || s[k] < 0 || s[k] > length)
      continue;
    double gap = dot(n, minus(x, p->from));
    gather(t, along(x, -0.5 * gap, n), n, gap, feature_of(p, 3, outer[k]));
  }
}

// The edge of the polygon that faces the segment, as far as it is before it.
static void edge_on_piece(track *t, const piece *p, flat n)
{
  const pc_shape *body = t->pair->a;
  int count = body->polygon.count, best = 0;
  double least = INFINITY, length = dot(minus(p->to, p->from), p->direction);
  for (int i = 0; i < count; i++) {
    double d = dot(n, body_normal(t, i));
    if (d < least - 1e-9)
      least = d, best = i;
  }
  int ends[2] = {best, (best + 1) % count};
  double s[2], slack = 1e-9 * t->pair->size;
  flat x[2];
  for (int k = 0; k < 2; k++) {
    x[k] = body_vertex(t, ends[k]);
    s[k] = dot(p->direction, minus(x[k], p->from));
  }
  if (fmax(s[0], s[1]) < -slack || fmin(s[0], s[1]) > length + slack)
    return;
  for (int k = 0; k < 2; k++) {
    flat y = x[k];
    uint64_t feature = feature_of(p, 3, ends[k]);
    if (s[k] < -slack || s[k] > length + slack) {
      int end = s[k] > 0;
      if (straight(p, end))
        continue;
      double span = s[1 - k] - s[k], want = (end ? length : 0) - s[k];
      y = along(x[k], span != 0 ? want / span : 0, minus(x[1 - k], x[k]));
      feature = feature_of(p, 4 + end, best);
    }
    double gap = dot(n, minus(y, p->from));
    gather(t, along(y, -0.5 * gap, n), n, gap, feature);
  }
  outermost_on_piece(t, p, n, ends);
}

// The segment as far as it is before an edge of the polygon; n points into the polygon.
static void piece_on_edge(track *t, const piece *p, int i, flat n)
{
  flat u = body_vertex(t, i), v = body_vertex(t, (i + 1) % t->pair->a->polygon.count);
  flat e = minus(v, u), ends[2] = {p->from, p->to};
  double length = sqrt(dot(e, e)), s[2], slack = 1e-9 * t->pair->size;
  e = (flat){e.x / length, e.y / length};
  for (int k = 0; k < 2; k++)
    s[k] = dot(e, minus(ends[k], u));
  if (fmax(s[0], s[1]) < -slack || fmin(s[0], s[1]) > length + slack)
    return;
  for (int k = 0; k < 2; k++) {
    flat y = ends[k];
    uint64_t feature = feature_of(p, 6 + k, i);
    if (s[k] < -slack || s[k] > length + slack) {
      double span = s[1 - k] - s[k], want = (s[k] > 0 ? length : 0) - s[k];
      y = along(y, span != 0 ? want / span : 0, minus(ends[1 - k], y));
      feature = feature_of(p, 8 + k, i);
    }
    double gap = dot(n, minus(u, y));
    gather(t, along(y, 0.5 * gap, n), n, gap, feature);
  }
}

// The vertex nearest to an end of the segment, where nothing else is near.
static void vertex_on_end(track *t, const piece *p)
{
  double least = INFINITY;
  int vertex = 0, end = 0;
  flat nearest = {0, 0};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < t->pair->a->polygon.count; i++) {
      flat out = minus(body_vertex(t, i), k ? p->to : p->from);
      if (dot(out, out) < least)
        least = dot(out, out), nearest = out, vertex = i, end = k;
    }
  double gap = sqrt(least);
  if (!(gap > 0))
    return;
  flat n = {nearest.x / gap, nearest.y / gap};
  // Beyond the end, not over the segment.
  bool beyond = (end ? 1 : -1) * dot(n, p->direction) >= 0;
  if (beyond && sticks_out(p, end, n))
    gather(t, along(end ? p->to : p->from, 0.5, nearest), n, gap, feature_of(p, 10 + end, vertex));
}

// In a hollow corner what overlaps a segment may lie before its neighbour, and the other way round.
// Then the one overlapped most pushes.
static void note_overlap(track *t, const piece *p, flat n, double gap, bool own)
{
  flat x = dot(n, p->from) > dot(n, p->to) ? p->from : p->to;
  for (int i = 0; own && i < t->pair->a->polygon.count; i++) {
    flat v = body_vertex(t, i);
    x = i == 0 || dot(n, v) < dot(n, x) ? v : x;
  }
  t->overlap = gap;
  t->deepest =
      (pc_candidate){lift(along(x, own ? -0.5 * gap : 0.5 * gap, n)), gap, feature_of(p, 12, 0)};
  t->deepest_normal = n;
}

static void polygon_piece(track *t, const piece *p)
{
  const pc_shape *body = t->pair->a;
  double margin = t->pair->margin, own = INFINITY, best = -INFINITY;
  flat n = normal_towards(p, t->middle);
  int edge = 0;
  for (int i = 0; i < body->polygon.count; i++) {
    own = fmin(own, dot(n, minus(body_vertex(t, i), p->from)));
    flat m = body_normal(t, i), u = body_vertex(t, i);
    double s = fmin(dot(m, minus(p->from, u)), dot(m, minus(p->to, u)));
    if (s > best)
      best = s, edge = i;
  }
  if (own > margin)
    return;
  flat m = body_normal(t, edge), back = {-m.x, -m.y};
  double preference = 1e-4 * t->pair->size + 1e-3 * fabs(own);
  // Which end of the segment touches an edge of the polygon: the one farther along the normal.
  double rise = dot(back, p->direction);
  bool out = fabs(rise) < 1e-9 ? sticks_out(p, 0, back) && sticks_out(p, 1, back)
                               : sticks_out(p, rise > 0, back);
  int had = t->gather.count;
  // Apart, and below the line of the segment only beyond its end: that is no overlap.
  if (best > 0 && own < -preference && !out && !straight(p, rise > 0))
    return;
  if (best <= own + preference || !out)
    edge_on_piece(t, p, n);
  else if (best <= margin)
    piece_on_edge(t, p, edge, back);
  if (t->gather.count > had)
    return;
  if (fmax(own, best) > 0)
    vertex_on_end(t, p);
  else if (fmax(own, best) < t->overlap)
    note_overlap(t, p, own >= best ? n : back, fmax(own, best), own >= best);
}

// The body seen from the chain. What there is room for is not cleared: that is large.
static void set_track(pc_pair *pair, track *t)
{
  t->pair = pair;
  t->chain = pair->b;
  t->overlap = 0;
  t->gather.count = 0;
  const double *p = pair->at_b->rotation, *q = pair->at_a->rotation;
  t->centre = (flat){p[0] * pair->centre.x + p[3] * pair->centre.y,
                     p[1] * pair->centre.x + p[4] * pair->centre.y};
  t->cosine = p[0] * q[0] + p[3] * q[3];
  t->sine = p[1] * q[0] + p[4] * q[3];
  t->middle = t->centre;
  if (pair->a->type != PC_DISC) {
    const double *c = pair->a->measures->mass.centroid;
    t->middle = (flat){t->centre.x + t->cosine * c[0] - t->sine * c[1],
                       t->centre.y + t->sine * c[0] + t->cosine * c[1]};
  }
  double reach = pair->a->radius + pair->margin;
  t->box[0] = t->centre.x - reach, t->box[1] = t->centre.y - reach;
  t->box[2] = t->centre.x + reach, t->box[3] = t->centre.y + reach;
  t->gather.size = pair->size;
}

void pc_collide_chain(pc_pair *pair)
{
  track t;
  set_track(pair, &t);
  const pc_shape *chain = pair->b;
  int pieces = chain->chain.closed ? chain->chain.count : chain->chain.count - 1;
  for (int i = 0; i < pieces; i++) {
    flat u = chain_vertex(chain, i), v = chain_vertex(chain, i + 1);
    if (fmax(u.x, v.x) < t.box[0] || fmin(u.x, v.x) > t.box[2] || fmax(u.y, v.y) < t.box[1] ||
        fmin(u.y, v.y) > t.box[3])
      continue;
    piece p = piece_of(chain, i);
    if (pair->a->type == PC_DISC)
      disc_piece(&t, &p);
    else
      polygon_piece(&t, &p);
  }
  if (t.gather.count == 0 && t.overlap < 0)
    pc_gather_add(&t.gather, &t.deepest, lift(t.deepest_normal));
  pc_gather_reduce(&t.gather, PC_GATHER_KEEP);
  const double *m = pair->at_b->rotation;
  for (int i = 0; i < t.gather.count; i++) {
    const pc_gathered *item = &t.gather.item[i];
    pc_vec point = item->touch.point, n = item->normal;
    point =
        (pc_vec){m[0] * point.x + m[1] * point.y, m[3] * point.x + m[4] * point.y, -pair->origin.z};
    n = (pc_vec){m[0] * n.x + m[1] * n.y, m[3] * n.x + m[4] * n.y, 0};
    pc_pair_add(pair, point, n, item->touch.gap, item->touch.feature);
  }
}
