// Constant arrays of a record: materials, shapes, bodies, the world.
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "geometry/shape.h"
#include "run/bodies.h"
#include "run/recorded.h"

// Shapes are numbered as they are met; the pieces of a compound are shapes too.
typedef struct numbered_shape {
  const pc_shape *shape;
  int number;
} numbered_shape;
typedef struct shape_table {
  PC_ARRAY(const pc_shape *) shapes; // by number
  void *tree;                        // of numbered_shape by address, for tsearch
} shape_table;

static int by_address(const void *a, const void *b)
{
  uintptr_t one = (uintptr_t)((const numbered_shape *)a)->shape;
  uintptr_t two = (uintptr_t)((const numbered_shape *)b)->shape;
  return (one > two) - (one < two);
}

// Its number, -1 when memory is out.
static int number_of(shape_table *table, const pc_shape *shape, pc_arena *arena)
{
  numbered_shape **found = tfind(&(numbered_shape){.shape = shape}, &table->tree, by_address);
  if (found != NULL)
    return (*found)->number;
  numbered_shape *one = pc_arena_take(arena, 1, sizeof *one);
  const pc_shape **place = one != NULL ? pc_array_add(&table->shapes) : NULL;
  if (place == NULL)
    return -1;
  *place = shape;
  *one = (numbered_shape){shape, table->shapes.count - 1};
  if (tsearch(one, &table->tree, by_address) == NULL)
    return -1;
  for (int i = 0; shape->type == PC_COMPOUND && i < shape->compound.count; i++)
    if (number_of(table, shape->compound.child[i].shape, arena) < 0)
      return -1;
  return one->number;
}

static void free_table(shape_table *table)
{
  while (table->tree != NULL)
    tdelete(*(void **)table->tree, &table->tree, by_address);
  pc_array_free(&table->shapes);
}

// A new type comes last: numbers in records never change.
static const struct {
  pc_shape_type type;
  const char *name;
} recorded_types[PC_RECORDED_TYPES] = {[PC_RECORDED_SPHERE] = {PC_SPHERE, "sphere"},
                                       [PC_RECORDED_BOX] = {PC_BOX, "box"},
                                       [PC_RECORDED_POLYHEDRON] = {PC_POLYHEDRON, "polyhedron"},
                                       [PC_RECORDED_CAPSULE] = {PC_CAPSULE, "capsule"},
                                       [PC_RECORDED_CYLINDER] = {PC_CYLINDER, "cylinder"},
                                       [PC_RECORDED_COMPOUND] = {PC_COMPOUND, "compound"},
                                       [PC_RECORDED_PLANE] = {PC_PLANE, "plane"},
                                       [PC_RECORDED_MESH] = {PC_MESH, "mesh"},
                                       [PC_RECORDED_HEIGHTS] = {PC_HEIGHTS, "heights"},
                                       [PC_RECORDED_DISC] = {PC_DISC, "disc"},
                                       [PC_RECORDED_POLYGON] = {PC_POLYGON, "polygon"},
                                       [PC_RECORDED_CHAIN] = {PC_CHAIN, "chain"}};

static uint8_t recorded_type(pc_shape_type type)
{
  int number = 0;
  while (number < PC_COUNT(recorded_types) && recorded_types[number].type != type)
    number++;
  return (uint8_t)number;
}

// "0 sphere, 1 box, ..."
static void list_types(char *text, size_t size)
{
  for (int i = 0, length = 0; i < PC_COUNT(recorded_types); i++)
    length += snprintf(text + length, size - (size_t)length, "%s%d %s", i > 0 ? ", " : "", i,
                       recorded_types[i].name);
}

// Vertices and triangles for drawing; `vertex` and `triangle` may be NULL to count.
static void surface_of(const pc_shape *shape, long *vertices, long *triangles, double *vertex,
                       int32_t *triangle)
{
  const double(*flat)[2] = NULL;
  *vertices = *triangles = 0;
  if (shape->type == PC_BOX || shape->type == PC_POLYHEDRON) {
    const pc_hull *hull = shape->hull;
    *vertices = hull->vertices;
    if (vertex != NULL)
      memcpy(vertex, hull->vertex, (size_t)hull->vertices * 3 * sizeof *vertex);
    for (int f = 0; f < hull->faces; f++) // a fan for each face
      for (int i = hull->face_start[f] + 1; i + 1 < hull->face_start[f + 1]; i++) {
        if (triangle != NULL) {
          int32_t *to = triangle + 3 * *triangles;
          to[0] = hull->face_vertex[hull->face_start[f]];
          to[1] = hull->face_vertex[i];
          to[2] = hull->face_vertex[i + 1];
        }
        ++*triangles;
      }
  } else if (shape->type == PC_MESH || shape->type == PC_HEIGHTS) {
    const pc_mesh *mesh = shape->mesh;
    *vertices = mesh->vertices;
    *triangles = mesh->triangles;
    if (vertex != NULL)
      memcpy(vertex, mesh->vertex, (size_t)mesh->vertices * 3 * sizeof *vertex);
    for (int i = 0; triangle != NULL && i < mesh->triangles; i++)
      for (int c = 0; c < 3; c++)
        triangle[3 * i + c] = mesh->triangle[i].vertex[c];
  } else if (shape->type == PC_POLYGON) {
    *vertices = shape->polygon.count;
    flat = (const double(*)[2])shape->polygon.vertex;
  } else if (shape->type == PC_CHAIN) {
    *vertices = shape->chain.count;
    flat = (const double(*)[2])shape->chain.vertex;
  }
  for (long i = 0; flat != NULL && vertex != NULL && i < *vertices; i++) {
    vertex[3 * i] = flat[i][0];
    vertex[3 * i + 1] = flat[i][1];
    vertex[3 * i + 2] = 0;
  }
}

typedef struct shape_arrays {
  uint8_t *type;
  double *size;
  int64_t *vertex_start, *triangle_start, *piece_start;
  double *vertex, *piece_position, *piece_orientation;
  int32_t *triangle, *piece;
} shape_arrays;

static bool count_shapes(const shape_table *table, shape_arrays *a, pc_arena *arena)
{
  size_t count = (size_t)table->shapes.count;
  a->type = pc_arena_take(arena, count + 1, sizeof *a->type);
  a->size = pc_arena_take(arena, 3 * count + 1, sizeof *a->size);
  a->vertex_start = pc_arena_take(arena, count + 1, sizeof *a->vertex_start);
  a->triangle_start = pc_arena_take(arena, count + 1, sizeof *a->triangle_start);
  a->piece_start = pc_arena_take(arena, count + 1, sizeof *a->piece_start);
  if (arena->failed)
    return false;
  for (int i = 0; i < table->shapes.count; i++) {
    const pc_shape *shape = table->shapes.at[i];
    long vertices, triangles;
    surface_of(shape, &vertices, &triangles, NULL, NULL);
    a->type[i] = recorded_type(shape->type);
    pc_shape_sizes(shape, a->size + 3 * i);
    a->vertex_start[i + 1] = a->vertex_start[i] + vertices;
    a->triangle_start[i + 1] = a->triangle_start[i] + triangles;
    a->piece_start[i + 1] =
        a->piece_start[i] + (shape->type == PC_COMPOUND ? shape->compound.count : 0);
  }
  size_t vertices = (size_t)a->vertex_start[count], pieces = (size_t)a->piece_start[count];
  a->vertex = pc_arena_take(arena, 3 * vertices + 1, sizeof *a->vertex);
  a->triangle = pc_arena_take(arena, 3 * (size_t)a->triangle_start[count] + 1, sizeof *a->triangle);
  a->piece = pc_arena_take(arena, pieces + 1, sizeof *a->piece);
  a->piece_position = pc_arena_take(arena, 3 * pieces + 1, sizeof *a->piece_position);
  a->piece_orientation = pc_arena_take(arena, 4 * pieces + 1, sizeof *a->piece_orientation);
  return !arena->failed;
}

static void fill_shapes(shape_table *table, shape_arrays *a, pc_arena *arena)
{
  for (int i = 0; i < table->shapes.count; i++) {
    const pc_shape *shape = table->shapes.at[i];
    long vertices, triangles;
    surface_of(shape, &vertices, &triangles, a->vertex + 3 * a->vertex_start[i],
               a->triangle + 3 * a->triangle_start[i]);
    for (int c = 0; shape->type == PC_COMPOUND && c < shape->compound.count; c++) {
      const pc_child *child = shape->compound.child + c;
      int64_t at = a->piece_start[i] + c;
      a->piece[at] = number_of(table, child->shape, arena); // known already
      memcpy(a->piece_position + 3 * at, child->pose.position, sizeof child->pose.position);
      pc_matrix_quaternion(child->pose.rotation, a->piece_orientation + 4 * at);
    }
  }
}

// Arrays that no shape fills are left out: h5diff cannot compare empty ones.
static long rows_if_any(int64_t rows)
{
  return rows > 0 ? (long)rows : PC_RECORD_NONE;
}

static pc_status put_shapes(pc_record *record, shape_table *table, pc_arena *arena)
{
  shape_arrays a;
  char types[200];
  if (!count_shapes(table, &a, arena))
    return PC_ERROR_MEMORY;
  fill_shapes(table, &a, arena);
  list_types(types, sizeof types);
  long n = table->shapes.count, pieces = rows_if_any(a.piece_start[n]);
  const pc_record_item items[] = {
      {"shapes/type", PC_RECORD_BYTE, n, 1, a.type, types, NULL},
      {"shapes/size", PC_RECORD_DOUBLE, n, 3, a.size,
       "sphere and disc: radius; box: edge lengths; capsule and cylinder: radius, length; plane: "
       "normal; chain: 1 if closed",
       "m"},
      {"shapes/vertex_start", PC_RECORD_LONG, n + 1, 1, a.vertex_start,
       "first vertex of each shape", NULL},
      {"shapes/vertex", PC_RECORD_DOUBLE, rows_if_any(a.vertex_start[n]), 3, a.vertex,
       "vertices in the axes of the shape", "m"},
      {"shapes/triangle_start", PC_RECORD_LONG, n + 1, 1, a.triangle_start,
       "first triangle of each shape", NULL},
      {"shapes/triangle", PC_RECORD_INT, rows_if_any(a.triangle_start[n]), 3, a.triangle,
       "vertices of each triangle, counted within the shape, counter-clockwise from outside", NULL},
      {"shapes/piece_start", PC_RECORD_LONG, n + 1, 1, a.piece_start,
       "first piece of each compound", NULL},
      {"shapes/piece", PC_RECORD_INT, pieces, 1, a.piece, "shape of each piece", NULL},
      {"shapes/piece_position", PC_RECORD_DOUBLE, pieces, 3, a.piece_position,
       "position of each piece in the compound", "m"},
      {"shapes/piece_orientation", PC_RECORD_DOUBLE, pieces, 4, a.piece_orientation,
       "quaternion w, x, y, z of each piece", NULL},
  };
  return pc_record_put_all(record, PC_COUNT(items), items);
}

static pc_status put_elements(pc_record *record, const pc_scene *scene, pc_arena *arena)
{
  int n = scene->elements;
  if (n == 0)
    return PC_OK;
  char **names = pc_arena_take(arena, (size_t)n, sizeof *names);
  int32_t *body = pc_arena_take(arena, (size_t)n, sizeof *body);
  int32_t *other = pc_arena_take(arena, (size_t)n, sizeof *other);
  double(*points)[6] = pc_arena_take(arena, (size_t)n, sizeof *points);
  uint8_t *kind = pc_arena_take(arena, (size_t)n, sizeof *kind);
  int64_t *start = pc_arena_take(arena, (size_t)n + 1, sizeof *start);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < n; i++)
    start[i + 1] = start[i] + scene->element[i].held_count;
  int32_t *held = pc_arena_take(arena, (size_t)start[n] + 1, sizeof *held);
  if (held == NULL)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < scene->element[i].held_count; k++)
      held[start[i] + k] = scene->element[i].held[k].id - 1;
    kind[i] = (uint8_t)scene->element[i].kind;
    names[i] = scene->element[i].name;
    body[i] = scene->element[i].body.id - 1;
    other[i] = scene->element[i].other.id - 1;
    memcpy(points[i], scene->element[i].points, sizeof points[i]);
  }
  const pc_record_item items[] = {
      {"elements/body", PC_RECORD_INT, n, 1, body,
       "the body of a spring or the first body of a string, counted from 0; -1: a net", NULL},
      {"elements/other", PC_RECORD_INT, n, 1, other,
       "the second body of a string, on which the opposite force acts; -1: others", NULL},
      {"elements/points", PC_RECORD_DOUBLE, n, 6, points,
       "string: attachment points on the first and second body, in the axes of their shapes; "
       "spring: attachment point in the axes of the shape, and direction of the force; net: low "
       "and high corner at the start",
       "m"},
      {"elements/kind", PC_RECORD_BYTE, n, 1, kind, "0 spring, 1 string, 2 net, 3 moving net",
       NULL},
      {"elements/held_start", PC_RECORD_LONG, n + 1, 1, start, "first held body of each net", NULL},
      {"elements/held", PC_RECORD_INT, rows_if_any(start[n]), 1, held,
       "bodies that nets hold, counted from 0", NULL},
  };
  pc_status status = pc_record_names(record, "elements/name", n, names);
  return status == PC_OK ? pc_record_put_all(record, PC_COUNT(items), items) : status;
}

static pc_status put_bodies(pc_record *record, const pc_scene *scene, shape_table *table,
                            pc_arena *arena)
{
  int n = scene->bodies;
  size_t count = (size_t)n;
  uint8_t *kind = pc_arena_take(arena, count + 1, sizeof *kind);
  int32_t *material = pc_arena_take(arena, count + 1, sizeof *material);
  int32_t *shape = pc_arena_take(arena, count + 1, sizeof *shape);
  int32_t *index = pc_arena_take(arena, count + 1, sizeof *index);
  double *mass = pc_arena_take(arena, count + 1, sizeof *mass);
  double *radius = pc_arena_take(arena, count + 1, sizeof *radius);
  double *offset = pc_arena_take(arena, 3 * count + 1, sizeof *offset);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    pc_body body = {i + 1};
    kind[i] = (uint8_t)pc_body_get_kind(scene->world, body);
    material[i] = pc_body_get_material(scene->world, body);
    index[i] = i;
    mass[i] = pc_body_get_mass(scene->world, body);
    radius[i] = pc_shape_radius(pc_body_get_shape(scene->world, body));
    pc_body_get_offset(scene->world, body, offset + 3 * i);
    shape[i] = number_of(table, pc_body_get_shape(scene->world, body), arena);
    if (shape[i] < 0)
      return PC_ERROR_MEMORY;
  }
  const pc_record_item items[] = {
      {"bodies/kind", PC_RECORD_BYTE, n, 1, kind, "0 free, 1 fixed, 2 driven, 3 guided", NULL},
      {"bodies/material", PC_RECORD_INT, n, 1, material, "row of materials/name", NULL},
      {"bodies/shape", PC_RECORD_INT, n, 1, shape, "row of shapes/type", NULL},
      {"bodies/index", PC_RECORD_INT, n, 1, index, "0, 1, 2, ...", NULL},
      {"bodies/radius", PC_RECORD_DOUBLE, n, 1, radius,
       "radius of the sphere around the origin that contains the shape", "m"},
      {"bodies/mass", PC_RECORD_DOUBLE, n, 1, mass, "mass", "kg"},
      {"bodies/offset", PC_RECORD_DOUBLE, n, 3, offset,
       "origin of the shape relative to the centre of mass, in the axes of the shape: a point p of "
       "the shape is at position + R (offset + p)",
       "m"},
  };
  pc_status status = pc_record_names(record, "bodies/name", n, scene->names);
  return status == PC_OK ? pc_record_put_all(record, PC_COUNT(items), items) : status;
}

static pc_status put_goals(pc_record *record, const pc_scene_people *people, pc_arena *arena)
{
  int n = people->goals;
  size_t goals = (size_t)n;
  char **names = pc_arena_take(arena, goals + 1, sizeof *names);
  uint8_t *kind = pc_arena_take(arena, goals + 1, sizeof *kind);
  int32_t *floor = pc_arena_take(arena, goals + 1, sizeof *floor);
  int64_t *start = pc_arena_take(arena, goals + 2, sizeof *start);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    const pc_scene_goal *goal = &people->goal[i];
    names[i] = goal->name;
    kind[i] = (uint8_t)goal->kind;
    floor[i] = goal->floor;
    start[i + 1] = start[i] + goal->count;
  }
  double *point = pc_arena_take(arena, 2 * (size_t)start[n] + 1, sizeof *point);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < n; i++)
    if (people->goal[i].count > 0)
      memcpy(point + 2 * start[i], people->goal[i].point,
             (size_t)people->goal[i].count * sizeof *people->goal[i].point);
  const pc_record_item items[] = {
      {"goals/kind", PC_RECORD_BYTE, n, 1, kind, "0 exit, 1 area, 2 nearest of several", NULL},
      {"goals/floor", PC_RECORD_INT, n, 1, floor, "row of floors/name; -1: none", NULL},
      {"goals/point_start", PC_RECORD_LONG, n + 1, 1, start, "first point of each goal", NULL},
      {"goals/point", PC_RECORD_DOUBLE, rows_if_any(start[n]), 2, point,
       "points of the line of an exit or the outline of an area, in the coordinates of the floor",
       "m"},
  };
  pc_status status = pc_record_names(record, "goals/name", n, names);
  return status == PC_OK ? pc_record_put_all(record, PC_COUNT(items), items) : status;
}

static pc_status put_doors(pc_record *record, const pc_crowd *crowd, pc_arena *arena)
{
  int n = pc_crowd_doors(crowd);
  size_t count = (size_t)n;
  int32_t *floor = pc_arena_take(arena, count + 1, sizeof *floor);
  int32_t *body = pc_arena_take(arena, 2 * count + 1, sizeof *body);
  double *opens = pc_arena_take(arena, count + 1, sizeof *opens);
  double *closes = pc_arena_take(arena, count + 1, sizeof *closes);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    pc_door_state door = pc_crowd_door(crowd, i);
    floor[i] = door.floor;
    body[2 * i] = door.first;
    body[2 * i + 1] = door.bodies;
    opens[i] = door.opens;
    closes[i] = door.closes > door.opens ? door.closes : INFINITY;
  }
  long rows = rows_if_any(n);
  const pc_record_item items[] = {
      {"doors/floor", PC_RECORD_INT, rows, 1, floor, "row of floors/name", NULL},
      {"doors/body", PC_RECORD_INT, rows, 2, body,
       "first body of the door, counted from 0, and number of bodies", NULL},
      {"doors/opens", PC_RECORD_DOUBLE, rows, 1, opens, "opening time", "s"},
      {"doors/closes", PC_RECORD_DOUBLE, rows, 1, closes, "closing time; infinite: never", "s"},
  };
  return pc_record_put_all(record, PC_COUNT(items), items);
}

// Floors lie side by side in the world.
static pc_status put_floors(pc_record *record, const pc_scene *scene, pc_arena *arena)
{
  int floors = scene->people.floors;
  double *offset = pc_arena_take(arena, (size_t)floors + 1, sizeof *offset);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < floors; i++)
    offset[i] = pc_crowd_floor_offset(scene->crowd, i);
  pc_status status = pc_record_names(record, "floors/name", floors, scene->people.floor_names);
  pc_record_put(record, &status, "floors/offset", PC_RECORD_DOUBLE, floors, 1, offset,
                "x in the world is x on the floor plus this offset", "m");
  return status;
}

static pc_status put_people(pc_record *record, const pc_scene *scene, pc_arena *arena)
{
  enum { NUMBERS = 6, INDICES = 4 }; // of each person, in the order of the items
  int n = pc_crowd_people(scene->crowd);
  size_t count = (size_t)n;
  double *number[NUMBERS], *start = pc_arena_take(arena, 2 * count + 1, sizeof *start);
  int32_t *index[INDICES];
  for (int k = 0; k < NUMBERS; k++)
    number[k] = pc_arena_take(arena, count + 1, sizeof *number[k]);
  for (int k = 0; k < INDICES; k++)
    index[k] = pc_arena_take(arena, count + 1, sizeof *index[k]);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    pc_person_def def = pc_crowd_person_def(scene->crowd, i);
    const double own[NUMBERS] = {def.radius,       def.mass,       def.speed,
                                 def.stairs_speed, def.relaxation, def.response};
    const int32_t lines[INDICES] = {scene->people.group[i], def.goal,
                                    pc_crowd_body(scene->crowd, i).id - 1, def.floor};
    for (int k = 0; k < NUMBERS; k++)
      number[k][i] = own[k];
    for (int k = 0; k < INDICES; k++)
      index[k][i] = lines[k];
    memcpy(start + 2 * i, def.position, sizeof def.position);
  }
  const pc_record_item items[] = {
      {"people/radius", PC_RECORD_DOUBLE, n, 1, number[0], "radius", "m"},
      {"people/mass", PC_RECORD_DOUBLE, n, 1, number[1], "mass", "kg"},
      {"people/speed", PC_RECORD_DOUBLE, n, 1, number[2], "desired speed", "m/s"},
      {"people/stairs_speed", PC_RECORD_DOUBLE, n, 1, number[3],
       "desired speed in slow zones without a speed", "m/s"},
      {"people/relaxation", PC_RECORD_DOUBLE, n, 1, number[4],
       "relaxation time to the desired velocity", "s"},
      {"people/response", PC_RECORD_DOUBLE, n, 1, number[5],
       "time before the person starts to walk", "s"},
      {"people/group", PC_RECORD_INT, n, 1, index[0], "row of groups/name", NULL},
      {"people/goal", PC_RECORD_INT, n, 1, index[1], "row of goals/name, at the start", NULL},
      {"people/body", PC_RECORD_INT, n, 1, index[2], "the body, counted from 0", NULL},
      {"people/start_floor", PC_RECORD_INT, n, 1, index[3], "initial floor: row of floors/name",
       NULL},
      {"people/start", PC_RECORD_DOUBLE, n, 2, start,
       "initial position, in the coordinates of that floor; for people who enter at a source, its "
       "centre",
       "m"},
  };
  pc_status status =
      pc_record_names(record, "groups/name", scene->people.groups, scene->people.group_names);
  if (status == PC_OK)
    status = pc_record_put_all(record, PC_COUNT(items), items);
  if (status == PC_OK)
    status = put_floors(record, scene, arena);
  if (status == PC_OK)
    status = put_doors(record, scene->crowd, arena);
  return status == PC_OK ? put_goals(record, &scene->people, arena) : status;
}

static pc_status put_world(pc_record *record, const pc_scene *scene, pc_arena *arena)
{
  const pc_world_def *def = pc_world_definition(scene->world);
  int32_t dimension = def->dimension;
  double *density = pc_arena_take(arena, (size_t)scene->materials, sizeof *density);
  if (density == NULL)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < scene->materials; i++)
    density[i] = pc_world_density(scene->world, i);
  const pc_record_item items[] = {
      {"materials/density", PC_RECORD_DOUBLE, scene->materials, 1, density, "density",
       dimension == 2 ? "kg/m^2" : "kg/m^3"},
      {"scene/dimension", PC_RECORD_INT, 1, 1, &dimension, "2 or 3", NULL},
      {"scene/gravity", PC_RECORD_DOUBLE, 3, 1, def->gravity, "gravity", "m/s^2"},
  };
  pc_status status =
      pc_record_names(record, "materials/name", scene->materials, scene->material_names);
  return status == PC_OK ? pc_record_put_all(record, PC_COUNT(items), items) : status;
}

pc_status pc_bodies_describe(pc_record *record, const pc_scene *scene)
{
  shape_table table = {0};
  pc_arena arena = {0};
  pc_status status = put_world(record, scene, &arena);
  if (status == PC_OK)
    status = put_bodies(record, scene, &table, &arena);
  if (status == PC_OK)
    status = put_shapes(record, &table, &arena);
  if (status == PC_OK)
    status = put_elements(record, scene, &arena);
  if (status == PC_OK)
    status = pc_hits_describe(record, scene);
  if (status == PC_OK && scene->crowd != NULL)
    status = put_people(record, scene, &arena);
  free_table(&table);
  pc_arena_free(&arena);
  return status;
}
