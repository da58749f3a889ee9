// The generator `fill`: a volume on the terrain, filled with bodies on a lattice.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/small.h"
#include "geometry/shape.h"
#include "scene/rigid_generators.h"

enum { MAX_CORNERS = 100000 };
static const double MAX_PLACES = 2e8;
// Tolerance, relative to the size of a body, on distances to borders and other bodies.
static const double ROUND_OFF = 1e-6;

// A box, or what is over the ground inside an outline and below a top.
typedef struct volume {
  bool box;
  double low[3], high[3]; // of the box, or around the volume
  int corners;
  double (*outline)[2]; // NULL: wherever the surface is
  enum { TOP_HEIGHT, TOP_THICKNESS, TOP_SURFACE } top;
  double height; // or thickness
  pc_shape *surface;
} volume;

// A body that fits.
typedef struct place {
  double level; // its height, in steps of ROUND_OFF; negative where the highest are taken first
  int order, material;
  pc_shape *shape;
  double position[3], orientation[4];
} place;

typedef struct volume_file {
  pc_node box, outline, surface;
  double height, thickness;
} volume_file;
static const pc_key volume_keys[] = {
    {PC_KEY(volume_file, box), PC_POINTS, .unit = "m", .count = {3, 3},
     .meaning = "`[low corner, high corner]`, along the axes"},
    {PC_KEY(volume_file, outline), PC_POINTS, .unit = "m", .count = {2, 2},
     .left_out = "required with `height` and `thickness`",
     .meaning = "polygon on the map, at least three corners"},
    {PC_KEY(volume_file, height), PC_A_NUMBER, .unit = "m",
     .meaning = "fills up to this height above the ground"},
    {PC_KEY(volume_file, thickness), PC_A_NUMBER, .unit = "m", PC_POSITIVE,
     .meaning = "fills a layer of this thickness above the ground"},
    {PC_KEY(volume_file, surface), PC_A_NAME | PC_A_MAPPING, .variants = pc_table_shapes,
     .meaning = "fills between the ground and this `heights`, `mesh` or `plane`"},
    {0}};
static const pc_mapping volume_table = {"volume", "'inside'",
                                        "A volume to fill: a `box`, or the space between the "
                                        "ground and one of `height`, `thickness` and `surface`.",
                                        .keys = {volume_keys}};

typedef struct fill_file {
  pc_node inside, count, origin;
  bool highest; // are taken first
  double gap, spacing[3];
} fill_file;
static const pc_key fill_keys[] = {
    {PC_KEY(fill_file, inside), PC_A_MAPPING, true, .mapping = &volume_table,
     .meaning = "volume to fill"},
    {PC_KEY(fill_file, count), PC_AN_INTEGER, PC_FROM(1, 1e7), .left_out = "as many as fit",
     .meaning = "number of bodies"},
    {"take", PC_INTO(fill_file, highest), PC_A_WORD,
     .words = PC_WORDS({"lowest", false}, {"highest", true}), .noun = "order",
     .otherwise = "lowest", .meaning = "which bodies to keep if more fit than `count`"},
    {PC_KEY(fill_file, gap), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "gap between bodies"},
    {PC_KEY(fill_file, spacing), PC_A_NUMBER | PC_NUMBERS, .unit = "m", PC_POSITIVE,
     .count = {3, 3}, .left_out = "bounding box of the body plus the gap",
     .meaning = "lattice spacing; required if bodies differ or have random orientations"},
    {PC_KEY(fill_file, origin), PC_NUMBERS, .unit = "m", .count = {3, 3},
     .left_out = "such that the first body touches the low corner of the volume",
     .meaning = "centre of one of the cells"},
    {0}};
const pc_mapping pc_table_fill = {"fill", "a filled volume",
                                  "A volume filled with bodies on a lattice whose axes are those "
                                  "of `orientation`; in space only.",
                                  .keys = {(const pc_key[]){PC_GENERATOR_TYPE("fill"), {0}},
                                           pc_generator_keys, fill_keys, pc_drawn_keys}};

typedef struct fill {
  pc_generator *g;
  fill_file file;
  volume in;
  double pitch[3];
  bool spaced;          // the pitch is given: bodies may be larger than it
  int *ground, grounds; // obstacles that are terrain, by their numbers in `placed`
  pc_places *places;
  PC_ARRAY(place) place;
} fill;

static void gather_ground(fill *f)
{
  const pc_rigid_builder *builder = f->g->builder;
  f->ground = pc_allocate(f->g->node, builder->bodies.count, sizeof *f->ground);
  for (int i = 0; f->ground != NULL && i < builder->bodies.count; i++)
    if (!pc_shape_has_volume(builder->placed.at[i].shape)) // then it is an obstacle
      f->ground[f->grounds++] = i;
}

// The height of the terrain; false where there is none.
static bool find_ground(const fill *f, double x, double y, double *height)
{
  bool found = false;
  for (int i = 0; i < f->grounds; i++) {
    const pc_placed *placed = f->g->builder->placed.at + f->ground[i];
    double low, high;
    if (!pc_shape_column(placed->shape, &placed->pose, x, y, &low, &high))
      continue;
    *height = found ? fmax(*height, high) : high;
    found = true;
  }
  return found;
}

static void read_outline(fill *f, pc_node node)
{
  volume *in = &f->in;
  if (!pc_is_present(node))
    return;
  in->corners = pc_read_list(node, "'outline'");
  if (!pc_failed(node) && (in->corners < 3 || in->corners > MAX_CORNERS))
    pc_complain(node, "an outline needs 3 to %d corners [x, y]", MAX_CORNERS);
  if (pc_failed(node))
    return;
  in->outline = pc_allocate(node, in->corners, sizeof *in->outline);
  for (int i = 0; i < in->corners && !pc_failed(node); i++) {
    pc_read_vector(pc_item(node, i), 2, 2, in->outline[i]);
    for (int k = 0; k < 2; k++) {
      in->low[k] = i == 0 ? in->outline[i][k] : fmin(in->low[k], in->outline[i][k]);
      in->high[k] = i == 0 ? in->outline[i][k] : fmax(in->high[k], in->outline[i][k]);
    }
  }
}

// Sets the heights that the volume can have.
static void find_heights(fill *f, pc_node node)
{
  static const double upright[4] = {1}, origin[3] = {0};
  const pc_rigid_builder *builder = f->g->builder;
  volume *in = &f->in;
  pc_pose here = pc_pose_of(origin, upright);
  double ground[2] = {INFINITY, -INFINITY}, top[2] = {INFINITY, -INFINITY};
  if (in->top == TOP_SURFACE && in->outline == NULL) {
    memcpy(in->low, in->surface->measures->low, 2 * sizeof(double));
    memcpy(in->high, in->surface->measures->high, 2 * sizeof(double));
    if (!isfinite(in->low[0] + in->low[1] + in->high[0] + in->high[1]))
      pc_complain(node, "a volume below a plane needs an 'outline'");
  }
  const double map[6] = {in->low[0], in->low[1], 0, in->high[0], in->high[1], 0};
  for (int i = 0; i < f->grounds; i++) {
    const pc_placed *placed = builder->placed.at + f->ground[i];
    pc_shape_widen_heights(placed->shape, &placed->pose, map, ground);
  }
  if (in->top == TOP_SURFACE)
    pc_shape_widen_heights(in->surface, &here, map, top);
  in->low[2] = ground[0];
  in->high[2] = in->top == TOP_HEIGHT      ? in->height
                : in->top == TOP_THICKNESS ? ground[1] + in->height
                                           : top[1];
  if (!pc_failed(node) && !(ground[0] <= ground[1]))
    pc_complain(
        node,
        "there is no ground below this volume: add an obstacle with shape plane, mesh or heights");
  else if (!pc_failed(node) && !(in->high[2] > in->low[2]))
    pc_complain(node, "the top of the volume is below the ground");
}

static void read_volume(fill *f, pc_node node)
{
  volume *in = &f->in;
  const pc_rigid_builder *builder = f->g->builder;
  volume_file file = {0};
  if (!pc_bind(&node, &volume_table, &file))
    return;
  bool outlined = pc_is_present(file.outline), below_surface = pc_is_present(file.surface);
  bool thick = PC_GIVEN(node, volume_file, thickness);
  int tops = PC_GIVEN(node, volume_file, height) + thick + below_surface;
  in->box = pc_is_present(file.box);
  if (in->box ? tops > 0 || outlined : tops != 1)
    pc_complain(node, "the volume needs one of 'box', 'height', 'thickness' and 'surface'");
  else if (!in->box && !outlined && !below_surface)
    pc_complain(node, "'height' and 'thickness' require an 'outline'");
  if (in->box) {
    if (!pc_rigid_read_box(builder, file.box, "a box must be [low corner, high corner]", in->low,
                           in->high))
      pc_complain(file.box, "the low corner of the box must be below its high corner");
    return;
  }
  read_outline(f, file.outline);
  in->top = below_surface ? TOP_SURFACE : thick ? TOP_THICKNESS : TOP_HEIGHT;
  in->height = thick ? file.thickness : file.height;
  if (below_surface) {
    in->surface = pc_rigid_read_shape(f->g->builder, file.surface, NULL);
    if (!pc_failed(node) && pc_shape_has_volume(in->surface))
      pc_complain(file.surface, "'surface' must be a mesh, heights or a plane");
  }
  if (!pc_failed(node))
    find_heights(f, node);
}

static bool inside_outline(const volume *in, double x, double y)
{
  bool inside = in->outline == NULL;
  for (int i = 0, j = in->corners - 1; i < in->corners; j = i++) {
    const double *a = in->outline[i], *b = in->outline[j];
    if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
      inside = !inside;
  }
  return inside;
}

static bool point_inside(const fill *f, const double p[3])
{
  const volume *in = &f->in;
  double ground = 0, bottom, top = in->height;
  for (int k = 0; k < 3; k++)
    if (p[k] < in->low[k] || p[k] > in->high[k])
      return false;
  if (!inside_outline(in, p[0], p[1]))
    return false;
  if (!find_ground(f, p[0], p[1], &ground))
    return in->box;
  if (p[2] < ground)
    return false;
  if (in->box)
    return true;
  if (in->top == TOP_THICKNESS)
    top += ground;
  static const double upright[4] = {1}, origin[3] = {0};
  pc_pose here = pc_pose_of(origin, upright);
  if (in->top == TOP_SURFACE && !pc_shape_column(in->surface, &here, p[0], p[1], &bottom, &top))
    return false;
  return p[2] <= top;
}

static double side(const double *a, const double *b, const double *c)
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool crosses_outline(const volume *in, const double *a, const double *b)
{
  for (int i = 0, j = in->corners - 1; i < in->corners; j = i++) {
    const double *c = in->outline[i], *d = in->outline[j];
    if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0)
      return true;
  }
  return false;
}

// The ends of an edge, in the world, drawn in a little. Round shapes and compounds have the edges
// of the box around them.
static void edge_of(const pc_shape *shape, const pc_pose *pose, int i, double end[2][3])
{
  static const int low_of[12] = {0, 2, 4, 6, 0, 1, 4, 5, 0, 1, 2, 3};
  pc_measures room;
  const pc_measures *of = pc_shape_measures(shape, &room);
  for (int e = 0; e < 2; e++) {
    double corner[3];
    if (shape->hull->edges > 0)
      memcpy(corner, shape->hull->vertex[shape->hull->edge[i][e]], sizeof corner);
    else
      for (int k = 0; k < 3; k++)
        corner[k] = (low_of[i] + e * (1 << i / 4)) >> k & 1 ? of->high[k] : of->low[k];
    for (int k = 0; k < 3; k++)
      corner[k] += ROUND_OFF * (0.5 * (of->low[k] + of->high[k]) - corner[k]);
    pc_to_world(pose, corner, end[e]);
  }
}

// By the corners and the middles of the edges, and for the outline also by whole edges: no part of
// a convex body is outside of an outline that none of its edges crosses.
static bool body_inside(const fill *f, const pc_shape *shape, const pc_pose *pose)
{
  for (int i = 0; i < (shape->hull->edges > 0 ? shape->hull->edges : 12); i++) {
    double end[2][3], middle[3];
    edge_of(shape, pose, i, end);
    for (int k = 0; k < 3; k++)
      middle[k] = 0.5 * (end[0][k] + end[1][k]);
    if (!point_inside(f, end[0]) || !point_inside(f, end[1]) || !point_inside(f, middle) ||
        crosses_outline(&f->in, end[0], end[1]))
      return false;
  }
  return true;
}

// Negative: bodies may touch, to round-off.
static double clearance(const fill *f, const pc_shape *shape)
{
  return f->file.gap > 0 ? (1 - ROUND_OFF) * f->file.gap : -ROUND_OFF * pc_shape_radius(shape);
}

// Keeps the body if it is inside and touches nothing that is there. `centre` is that of its box.
static void try_place(fill *f, const double *centre)
{
  pc_generator *g = f->g;
  if (!point_inside(f, centre))
    return;
  if (!pc_array_reserve(&f->place, f->place.count + 1)) {
    pc_complain(g->node, "out of memory");
    return;
  }
  place *p = f->place.at + f->place.count;
  *p = (place){.order = f->place.count};
  p->shape = pc_generator_shape(g, &p->material);
  if (p->shape == NULL)
    return;
  pc_generator_orientation(g, p->orientation);
  pc_pose pose = pc_pose_of(centre, p->orientation);
  double middle[3], moved[3];
  pc_measures room;
  const pc_measures *of = pc_shape_measures(p->shape, &room);
  for (int k = 0; k < 3; k++)
    middle[k] = 0.5 * (of->low[k] + of->high[k]);
  pc_rotate(pose.rotation, middle, moved);
  for (int k = 0; k < 3; k++)
    pose.position[k] = p->position[k] = centre[k] - moved[k];
  int fits = body_inside(f, p->shape, &pose);
  if (fits == 1)
    fits = pc_places_free(f->places, p->shape, &pose, clearance(f, p->shape));
  if (fits < 0)
    pc_complain(g->node, "out of memory");
  if (fits == 1 && f->place.count == PC_GENERATOR_BODIES) {
    pc_complain(g->node,
                "bodies fit in more than %d places of the lattice: make the volume smaller or the "
                "spacing larger",
                PC_GENERATOR_BODIES);
    fits = 0;
  }
  if (fits == 1) {
    p->level =
        (f->file.highest ? -1 : 1) * floor(centre[2] / (ROUND_OFF * pc_shape_radius(p->shape)));
    f->place.count++;
  } else {
    pc_shape_release(p->shape);
  }
}

static void try_all(fill *f)
{
  pc_generator *g = f->g;
  static const double zero[3] = {0};
  pc_pose axes = pc_pose_of(zero, g->orientation);
  double low[3], high[3], origin[3] = {0}, places = 1;
  double range[3][2]; // numbers of the cells whose centres may be inside
  for (int i = 0; i < 8; i++) {
    double corner[3], at[3];
    for (int k = 0; k < 3; k++)
      corner[k] = i >> k & 1 ? f->in.high[k] : f->in.low[k];
    pc_to_local(&axes, corner, at);
    for (int k = 0; k < 3; k++) {
      low[k] = i == 0 ? at[k] : fmin(low[k], at[k]);
      high[k] = i == 0 ? at[k] : fmax(high[k], at[k]);
    }
  }
  for (int k = 0; k < 3; k++) // without an origin the first body is in the low corner
    origin[k] = low[k] + 0.5 * (f->pitch[k] - (f->spaced ? 0 : f->file.gap));
  if (pc_is_present(f->file.origin)) {
    double at[3] = {0};
    pc_rigid_read_vector(g->builder, f->file.origin, at);
    pc_to_local(&axes, at, origin);
  }
  for (int k = 0; k < 3; k++) {
    range[k][0] = ceil((low[k] - origin[k]) / f->pitch[k] - ROUND_OFF);
    range[k][1] = floor((high[k] - origin[k]) / f->pitch[k] + ROUND_OFF);
    places *= fmax(range[k][1] - range[k][0] + 1, 0);
  }
  if (places > MAX_PLACES) {
    pc_complain(g->node, "the lattice has too many places (%.3g): make the volume smaller", places);
    return;
  }
  for (double z = range[2][0]; z <= range[2][1]; z++)
    for (double y = range[1][0]; y <= range[1][1]; y++)
      for (double x = range[0][0]; x <= range[0][1] && !pc_failed(g->node); x++) {
        double at[3] = {origin[0] + x * f->pitch[0], origin[1] + y * f->pitch[1],
                        origin[2] + z * f->pitch[2]};
        double centre[3];
        pc_to_world(&axes, at, centre);
        try_place(f, centre);
      }
}

static int compare_places(const void *a, const void *b)
{
  const place *p = a, *q = b;
  return p->level != q->level ? (p->level > q->level) - (p->level < q->level)
                              : (p->order > q->order) - (p->order < q->order);
}

static void take(fill *f)
{
  pc_generator *g = f->g;
  pc_node count_node = f->file.count;
  int wanted = pc_is_present(count_node) ? pc_read_integer(count_node) : PC_GENERATOR_BODIES;
  if (f->place.count > 0)
    qsort(f->place.at, (size_t)f->place.count, sizeof *f->place.at, compare_places);
  for (int i = 0; i < f->place.count && g->made < wanted && !pc_failed(g->node); i++) {
    const place *p = f->place.at + i;
    pc_body_def def = pc_body_def_default();
    def.shape = p->shape;
    def.material = p->material;
    memcpy(def.position, p->position, sizeof def.position);
    memcpy(def.orientation, p->orientation, sizeof def.orientation);
    pc_pose pose = pc_rigid_pose(&def);
    int fits = 1;
    if (f->spaced)
      fits = pc_places_free(f->places, def.shape, &pose, clearance(f, def.shape));
    if (fits < 0 || (fits == 1 && pc_generator_put(g, &def) && f->spaced &&
                     !pc_places_take(f->places, g->builder->bodies.count - 1)))
      pc_complain(g->node, "out of memory");
  }
  if (pc_failed(g->node))
    return;
  if (g->made == 0)
    pc_complain(g->node, "no body fits: make the volume larger or the body smaller");
  else if (pc_is_present(count_node) && g->made < wanted)
    pc_complain(count_node,
                "only %d of %d bodies fit: enlarge the volume, or reduce the bodies, their gap or "
                "the count",
                g->made, wanted);
}

// Sets the pitch, and returns the radius of bodies for the search of free places. The size of a
// shape that is drawn for each body is not known in advance.
static double read_lattice(fill *f)
{
  pc_generator *g = f->g;
  f->spaced = PC_GIVEN(g->node, fill_file, spacing);
  memcpy(f->pitch, f->file.spacing, sizeof f->pitch);
  int material;
  pc_shape *first = pc_failed(g->node) ? NULL : pc_generator_shape(g, &material);
  double radius = first != NULL ? pc_shape_radius(first) : 0;
  bool same = g->choices == 1 && g->choice[0].shared != NULL && !g->random_orientation;
  if (first != NULL && !f->spaced && !same)
    pc_complain(g->node, "bodies that differ or have random orientations require 'spacing'");
  pc_measures room;
  const pc_measures *of = first != NULL ? pc_shape_measures(first, &room) : NULL;
  for (int k = 0; k < 3 && of != NULL && !f->spaced; k++)
    f->pitch[k] = of->high[k] - of->low[k] + f->file.gap;
  pc_shape_release(first);
  // Cells of free places: bodies that are larger are found too, but more slowly.
  return f->spaced ? fmax(radius, 0.5 * pc_norm(3, f->pitch)) : radius;
}

void pc_generator_fill(pc_generator *g)
{
  fill f = {.g = g};
  if (g->builder->dimension != 3) {
    pc_complain(g->node, "filled volumes require a scene in space, not in the plane");
    return;
  }
  PC_BIND(&g->node, &pc_table_fill, fill_file, &f.file);
  double radius = read_lattice(&f);
  gather_ground(&f);
  if (!pc_failed(g->node))
    read_volume(&f, f.file.inside);
  if (!pc_failed(g->node)) {
    f.places = pc_places_create(g->builder, radius + f.file.gap, f.in.low, f.in.high);
    if (f.places == NULL)
      pc_complain(g->node, "out of memory");
  }
  if (!pc_failed(g->node))
    try_all(&f);
  if (!pc_failed(g->node))
    take(&f);
  for (int i = 0; i < f.place.count; i++)
    pc_shape_release(f.place.at[i].shape);
  pc_places_destroy(f.places);
  pc_shape_release(f.in.surface);
  pc_array_free(&f.place);
  free(f.ground);
  free(f.in.outline);
}
