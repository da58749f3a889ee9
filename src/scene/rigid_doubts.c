// What is odd in a `kind: rigid` file that can be run: mostly units.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "geometry/shape.h"
#include "scene/rigid_file.h"

// Beyond these something is likely meant in another unit. Foams have 20 kg/m3, osmium 22600.
static const double LIGHT = 20, HEAVY = 25000; // kg/m3
static const double LARGE = 100;               // m, of a body under the gravity of a planet
static const double STEEP = 70, LEVEL = 0.342; // degrees, of half of a terrain; its cosine
static const double FAR = 100;                 // sizes of an obstacle and of the heap of bodies
enum { FEW_TRIANGLES = 50 };

void pc_rigid_doubt_density(const pc_rigid_builder *builder, pc_node node, double density)
{
  if (builder->dimension == 3 && density < LIGHT)
    pc_warn(
        node,
        "'density': %g kg/m^3 is lower than that of any solid; if the value is in g/cm^3, write %g",
        density, 1000 * density);
  else if (builder->dimension == 3 && density > HEAVY)
    pc_warn(
        node,
        "'density': %g kg/m^3 is higher than that of any solid; if the value is in g/m^3, write %g",
        density, density / 1000);
}

// A height field.
static bool is_terrain(const pc_placed *placed)
{
  return placed->kind != PC_FREE && placed->shape->mesh != NULL &&
         placed->shape->mesh->survey.spacing > 0;
}

// How large a body is along the axis in which it is smallest, and in which it is largest.
static void measure(const pc_rigid_builder *builder, const pc_placed *placed, double *least,
                    double *most)
{
  *least = INFINITY;
  *most = 0;
  for (int k = 0; k < builder->dimension; k++) {
    *least = fmin(*least, placed->box[3 + k] - placed->box[k]);
    *most = fmax(*most, placed->box[3 + k] - placed->box[k]);
  }
}

// A height that is a mark of a missing value is no place to fall to.
static bool has_marks(const pc_placed *placed)
{
  return placed->shape->mesh != NULL && placed->shape->mesh->survey.marks > 0;
}

// The height from which the highest body may fall on the lowest place of a terrain; 0: there is
// none.
static double longest_fall(const pc_rigid_builder *builder, int up)
{
  double high = -INFINITY, low = INFINITY;
  for (int i = 0; i < builder->placed.count; i++) {
    const pc_placed *placed = &builder->placed.at[i];
    if (placed->kind == PC_FREE)
      high = fmax(high, placed->box[up]);
    else if (isfinite(placed->box[up]) && !has_marks(placed))
      low = fmin(low, placed->box[up]);
  }
  return high > low ? high - low : 0;
}

// Bodies that are slow at first and fall far. Most brake on the way, so twice their size is
// allowed.
static void doubt_fall(const pc_rigid_builder *builder)
{
  int up = builder->dimension - 1, smallest = -1;
  double gravity = -pc_world_definition(builder->world)->gravity[up], size = INFINITY;
  double fall = longest_fall(builder, up), step = builder->scene->step;
  double speed = sqrt(2 * fmax(0, gravity) * fall);
  for (int i = 0; i < builder->placed.count; i++) {
    double least, most;
    if (builder->placed.at[i].kind != PC_FREE)
      continue;
    measure(builder, &builder->placed.at[i], &least, &most);
    if (least < size)
      size = least, smallest = i;
  }
  if (smallest >= 0 && speed * step > 2 * size)
    pc_warn(
        pc_at(pc_get(builder->root, "step"), builder->root),
        "the step of %g s is long: bodies that fall %.3g m reach %.3g m/s and move %.2g times the "
        "size of '%.60s' in a step; try a step of %.1g s",
        step, fall, speed, speed * step / size, builder->bodies.names[smallest],
        size / (5 * speed));
}

// Bodies that move by more than their size in a step pass through others. Gravity alone makes them
// faster: what counts is the speed at the end of the first step.
static void doubt_step(const pc_rigid_builder *builder)
{
  double step = builder->scene->step, worst = 1;
  double fall = pc_norm(3, pc_world_definition(builder->world)->gravity) * step;
  int count = 0, fastest = -1;
  for (int i = 0; i < builder->placed.count; i++) {
    const pc_placed *placed = &builder->placed.at[i];
    pc_body_state state;
    double least, most;
    if (placed->kind != PC_FREE)
      continue;
    pc_body_get(builder->world, (pc_body){i + 1}, &state);
    measure(builder, placed, &least, &most);
    double sizes = step * (pc_norm(3, state.velocity) + fall) / least;
    count += sizes > 1;
    if (sizes > worst) {
      worst = sizes;
      fastest = i;
    }
  }
  if (fastest >= 0)
    pc_warn(pc_at(pc_get(builder->root, "step"), builder->root),
            "the step of %g s is long: %d bod%s more than %s size in one step, '%.60s' %.3g times "
            "its size; try a step of %.1g s",
            step, count, count == 1 ? "y moves" : "ies move", count == 1 ? "its" : "their",
            builder->bodies.names[fastest], worst, step / (5 * worst));
  else
    doubt_fall(builder);
}

static void doubt_sizes(const pc_rigid_builder *builder)
{
  double gravity = pc_norm(3, pc_world_definition(builder->world)->gravity), largest = LARGE;
  int count = 0, which = -1;
  int up = builder->dimension - 1;
  if (pc_world_definition(builder->world)->gravity[up] > 0)
    pc_warn(pc_at(pc_get(builder->root, "gravity"), builder->root),
            "'gravity' points up: bodies fall towards +%c; for down, its last number is negative",
            up == 2 ? 'z' : 'y');
  if (gravity > 9000 && gravity < 11000)
    pc_warn(pc_at(pc_get(builder->root, "gravity"), builder->root),
            "'gravity': %g m/s^2 is very large; if the value is in mm/s^2, write %g", gravity,
            gravity / 1000);
  for (int i = 0; i < builder->placed.count && gravity >= 1; i++) {
    double least, most;
    if (builder->placed.at[i].kind != PC_FREE)
      continue;
    measure(builder, &builder->placed.at[i], &least, &most);
    count += most > LARGE;
    if (most > largest) {
      largest = most;
      which = i;
    }
  }
  if (which >= 0)
    pc_warn(builder->placed.at[which].node,
            "%d bod%s larger than %g m ('%.60s': %.4g m); check the unit: lengths are in m", count,
            count == 1 ? "y is" : "ies are", LARGE, builder->bodies.names[which], largest);
}

// Twice the area of a triangle times its normal, in the axes of the world.
static void take_area(const pc_mesh *mesh, const pc_pose *pose, int triangle, double area[3])
{
  double u[3], v[3], local[3];
  const int *vertex = mesh->triangle[triangle].vertex;
  for (int k = 0; k < 3; k++) {
    u[k] = mesh->vertex[vertex[1]][k] - mesh->vertex[vertex[0]][k];
    v[k] = mesh->vertex[vertex[2]][k] - mesh->vertex[vertex[0]][k];
  }
  pc_cross(u, v, local);
  for (int k = 0; k < 3; k++)
    area[k] = pc_dot3(pose->rotation + 3 * k, local);
}

// Whether a body starts above the lowest point of this box.
static bool is_below_bodies(const pc_rigid_builder *builder, const double box[6])
{
  for (int i = 0; i < builder->placed.count; i++)
    if (builder->placed.at[i].kind == PC_FREE && builder->placed.at[i].pose.position[2] > box[2])
      return true;
  return false;
}

// An open surface whose triangles look down is solid above, so that bodies on it are inside.
static void doubt_sides(const pc_rigid_builder *builder, const pc_placed *placed, const char *name)
{
  const pc_mesh *mesh = placed->shape->mesh;
  double up = 0, all = 0;
  for (int i = 0; i < mesh->triangles; i++) {
    double area[3];
    take_area(mesh, &placed->pose, i, area);
    up += area[2];
    all += pc_norm(3, area);
  }
  if (up < -0.5 * all && is_below_bodies(builder, placed->box))
    pc_warn(placed->node,
            "the triangles of '%.60s' face down, so the solid is above them and pushes bodies "
            "down; for a ground, list their vertices counter-clockwise as seen from above",
            name);
}

static void doubt_steepness(const pc_placed *placed, const char *name)
{
  const pc_mesh *mesh = placed->shape->mesh;
  int steep = 0;
  for (int i = 0; i < mesh->triangles; i++)
    steep += mesh->triangle[i].normal[2] < LEVEL;
  if (mesh->triangles >= FEW_TRIANGLES && 2 * steep > mesh->triangles)
    pc_warn(placed->node,
            "most of '%.60s' is steeper than %g degrees with cells %g m wide; check that heights "
            "and cell size are in metres",
            name, STEEP, mesh->survey.spacing);
}

static void doubt_survey(const pc_placed *placed, const char *name)
{
  const pc_survey *survey = &placed->shape->mesh->survey;
  if (survey->holes > 0)
    pc_warn(placed->node,
            "%d of %d heights of '%.60s' are missing, between (%.7g, %.7g) and (%.7g, %.7g); "
            "bodies fall through these holes",
            survey->holes, survey->points, name, survey->hole[0], survey->hole[1], survey->hole[2],
            survey->hole[3]);
  if (survey->marks > 0)
    pc_warn(
        placed->node,
        "%d height%s of '%.60s' %s %.7g m or nearly so, which usually marks missing values; if so, "
        "declare it in the file (NODATA_value %.7g), or leave these points out",
        survey->marks, survey->marks == 1 ? "" : "s", name, survey->marks == 1 ? "is" : "are",
        survey->mark, survey->mark);
  if (survey->degrees)
    pc_warn(placed->node,
            "the coordinates of '%.60s' are in degrees but are read as m; project the file: "
            "gdalwarp -t_srs EPSG:NUMBER in.tif out.tif",
            name);
  else if (survey->unit > 0 && fabs(survey->unit - 1) > 1e-6)
    pc_warn(placed->node,
            "the coordinates of '%.60s' are in units of %.6g m (a foot is 0.3048 m) but are read "
            "as m; check the heights too",
            name, survey->unit);
  else
    doubt_steepness(placed, name);
}

// Bodies that are lost before they move.
static void doubt_bounds(const pc_rigid_builder *builder)
{
  const double *bounds = builder->scene->bounds;
  int bodies = 0, outside = 0, first = -1;
  for (int i = 0; i < builder->placed.count; i++) {
    const double *at = builder->placed.at[i].pose.position;
    bool inside = true;
    if (builder->placed.at[i].kind != PC_FREE)
      continue;
    for (int k = 0; k < builder->dimension; k++)
      inside = inside && at[k] >= bounds[k] && at[k] <= bounds[3 + k];
    first = !inside && first < 0 ? i : first;
    bodies++;
    outside += !inside;
  }
  if (outside > 0)
    pc_warn(pc_at(pc_get(builder->root, "output"), builder->root),
            "%d of %d bodies start outside 'bounds', '%.60s' at (%.8g, %.8g, %.8g)", outside,
            bodies, builder->bodies.names[first], builder->placed.at[first].pose.position[0],
            builder->placed.at[first].pose.position[1], builder->placed.at[first].pose.position[2]);
}

// Grows a box by another one; what is infinite counts for nothing.
static void join_box(double box[6], const double other[6], int dimension)
{
  for (int k = 0; k < dimension; k++)
    if (isfinite(other[k]) && isfinite(other[3 + k])) {
      box[k] = fmin(box[k], other[k]);
      box[3 + k] = fmax(box[3 + k], other[3 + k]);
    }
}

// An obstacle so far from all bodies that it is likely in other coordinates.
static void doubt_places(const pc_rigid_builder *builder)
{
  int dimension = builder->dimension;
  double all[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < builder->placed.count; i++)
    if (builder->placed.at[i].kind == PC_FREE)
      join_box(all, builder->placed.at[i].box, dimension);
  for (int i = 0; i < builder->placed.count; i++) {
    const double *box = builder->placed.at[i].box;
    double away = 0, size = 0;
    for (int k = 0; k < dimension; k++) {
      size = fmax(size, fmax(all[3 + k] - all[k], box[3 + k] - box[k]));
      away = fmax(away, fmax(all[k] - box[3 + k], box[k] - all[3 + k]));
    }
    if (builder->placed.at[i].kind != PC_FREE && isfinite(away) && away > FAR * size)
      pc_warn(builder->placed.at[i].node,
              "'%.60s' is %.4g m away from all bodies; check that its position is in the same "
              "coordinates",
              builder->bodies.names[i], away);
  }
}

// Where an obstacle is, seen from the ground: the least height of its lower side above it, and the
// largest of its upper side. Over no ground the first is infinite, the second -infinite.
static void measure_heights(const pc_rigid_builder *builder, const pc_placed *placed, double *lower,
                            double *upper)
{
  enum { ALONG = 16 };
  const double *box = placed->box;
  *lower = INFINITY;
  *upper = -INFINITY;
  for (int n = 0; n < (ALONG + 1) * (ALONG + 1); n++) {
    // Slightly inside: the vertical line along a side may miss the shape.
    double u = 0.5 + 0.999999 * ((n % (ALONG + 1)) / (double)ALONG - 0.5);
    double v = 0.5 + 0.999999 * ((n / (ALONG + 1)) / (double)ALONG - 0.5);
    double x = box[0] + u * (box[3] - box[0]), y = box[1] + v * (box[4] - box[1]);
    double low, high, unused, top, ground = -INFINITY;
    if (!pc_shape_column(placed->shape, &placed->pose, x, y, &low, &high))
      continue;
    for (int i = 0; i < builder->placed.count; i++) {
      const pc_placed *other = &builder->placed.at[i];
      if (is_terrain(other) && pc_shape_column(other->shape, &other->pose, x, y, &unused, &top))
        ground = fmax(ground, top);
    }
    if (isfinite(ground)) {
      *lower = fmin(*lower, low - ground);
      *upper = fmax(*upper, high - ground);
    }
  }
}

// Whether a body starts above the lower side of an obstacle, over its box: what hovers may be a
// chute or a table.
static bool is_fed(const pc_rigid_builder *builder, const double box[6])
{
  for (int i = 0; i < builder->placed.count; i++) {
    const pc_placed *placed = &builder->placed.at[i];
    if (placed->kind == PC_FREE && placed->box[5] > box[2] && placed->box[0] < box[3] &&
        placed->box[3] > box[0] && placed->box[1] < box[4] && placed->box[4] > box[1])
      return true;
  }
  return false;
}

// Obstacles that nothing can hit: a wall in wrong heights is above all bodies, or in the ground.
static void doubt_walls(const pc_rigid_builder *builder)
{
  double largest = 0;
  bool terrain = false;
  for (int i = 0; i < builder->placed.count; i++) {
    const pc_placed *placed = &builder->placed.at[i];
    double least, most = 0;
    if (placed->kind == PC_FREE)
      measure(builder, placed, &least, &most);
    largest = fmax(largest, most);
    terrain = terrain || is_terrain(placed);
  }
  for (int i = 0; i < builder->placed.count && terrain; i++) {
    const pc_placed *placed = &builder->placed.at[i];
    double lower, upper;
    if (placed->kind != PC_FIXED || !pc_shape_has_volume(placed->shape))
      continue;
    measure_heights(builder, placed, &lower, &upper);
    if (upper < 0 && isfinite(upper))
      pc_warn(placed->node, "'%.60s' is wholly below the terrain, by %.3g m; nothing can hit it",
              builder->bodies.names[i], -upper);
    else if (lower > largest && isfinite(lower) && !is_fed(builder, placed->box))
      pc_warn(
          placed->node,
          "'%.60s' is %.3g m above the terrain, so that bodies pass below it; 'on: ground' puts "
          "it down",
          builder->bodies.names[i], lower);
  }
}

void pc_rigid_doubt(const pc_rigid_builder *builder)
{
  if (pc_failed(builder->root))
    return;
  for (int i = 0; i < builder->placed.count; i++) {
    const pc_placed *placed = &builder->placed.at[i];
    if (placed->shape->mesh == NULL || placed->kind == PC_FREE)
      continue;
    if (placed->shape->mesh->survey.spacing > 0)
      doubt_survey(placed, builder->bodies.names[i]);
    else
      doubt_sides(builder, placed, builder->bodies.names[i]);
  }
  doubt_sizes(builder);
  doubt_bounds(builder);
  doubt_places(builder);
  if (builder->dimension == 3)
    doubt_walls(builder);
  doubt_step(builder);
}
