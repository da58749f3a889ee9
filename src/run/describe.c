// Constant arrays of a record: materials, shapes, bodies, the world.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/shape.h"
#include "run/bodies.h"

// Shapes are numbered as they are met; the pieces of a compound are shapes too.
typedef struct shape_table {
  const pc_shape **shape;
  int count, capacity;
  int *slots, slot_count; // hash by address
} shape_table;

static int *find_slot(shape_table *table, const pc_shape *shape)
{
  size_t at = ((uintptr_t)shape >> 4) * 2654435761u % (size_t)table->slot_count;
  while (table->slots[at] >= 0 && table->shape[table->slots[at]] != shape)
    at = (at + 1) % (size_t)table->slot_count;
  return table->slots + at;
}

static bool make_room(shape_table *table)
{
  if (table->count < table->capacity)
    return true;
  int capacity = table->capacity ? 2 * table->capacity : 64;
  const pc_shape **shape = realloc(table->shape, (size_t)capacity * sizeof *shape);
  if (shape == NULL)
    return false;
  table->shape = shape;
  int *slots = malloc(2 * (size_t)capacity * sizeof *slots);
  if (slots == NULL)
    return false;
  free(table->slots);
  table->slots = slots;
  table->slot_count = 2 * capacity;
  table->capacity = capacity;
  memset(slots, -1, 2 * (size_t)capacity * sizeof *slots);
  for (int i = 0; i < table->count; i++)
    *find_slot(table, shape[i]) = i;
  return true;
}

// Its number, -1 when memory is out.
static int number_of(shape_table *table, const pc_shape *shape)
{
  if (!make_room(table))
    return -1;
  int *slot = find_slot(table, shape);
  if (*slot >= 0)
    return *slot;
  int number = *slot = table->count++;
  table->shape[number] = shape;
  for (int i = 0; shape->type == PC_COMPOUND && i < shape->compound.count; i++)
    if (number_of(table, shape->compound.child[i].shape) < 0)
      return -1;
  return number;
}

// Vertices and triangles for drawing; `vertex` and `triangle` may be NULL to count.
static void surface_of(const pc_shape *shape, long *vertices, long *triangles, double *vertex,
                       int32_t *triangle)
{
  const double(*flat)[2] = NULL;
  *vertices = *triangles = 0;
  if (shape->type == PC_BOX || shape->type == PC_POLYHEDRON) {
    const pc_hull *hull = &shape->hull;
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
    const pc_mesh *mesh = &shape->mesh;
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
  size_t count = (size_t)table->count;
  a->type = pc_arena_take(arena, count + 1, sizeof *a->type);
  a->size = pc_arena_take(arena, 3 * count + 1, sizeof *a->size);
  a->vertex_start = pc_arena_take(arena, count + 1, sizeof *a->vertex_start);
  a->triangle_start = pc_arena_take(arena, count + 1, sizeof *a->triangle_start);
  a->piece_start = pc_arena_take(arena, count + 1, sizeof *a->piece_start);
  if (arena->failed)
    return false;
  for (int i = 0; i < table->count; i++) {
    const pc_shape *shape = table->shape[i];
    long vertices, triangles;
    surface_of(shape, &vertices, &triangles, NULL, NULL);
    a->type[i] = (uint8_t)shape->type;
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

static void fill_shapes(shape_table *table, shape_arrays *a)
{
  for (int i = 0; i < table->count; i++) {
    const pc_shape *shape = table->shape[i];
    long vertices, triangles;
    surface_of(shape, &vertices, &triangles, a->vertex + 3 * a->vertex_start[i],
               a->triangle + 3 * a->triangle_start[i]);
    for (int c = 0; shape->type == PC_COMPOUND && c < shape->compound.count; c++) {
      const pc_child *child = shape->compound.child + c;
      int64_t at = a->piece_start[i] + c;
      a->piece[at] = number_of(table, child->shape); // known already
      memcpy(a->piece_position + 3 * at, child->pose.position, sizeof child->pose.position);
      pc_matrix_quaternion(child->pose.rotation, a->piece_orientation + 4 * at);
    }
  }
}

// One array with what it means; the first failure is kept.
// Of what no shape has there is no array: empty ones cannot be compared by h5diff.
static void put_some(pc_record *record, pc_status *status, const char *name, pc_record_type type,
                     long rows, long columns, const void *data, const char *description,
                     const char *unit)
{
  if (rows > 0)
    pc_record_put(record, status, name, type, rows, columns, data, description, unit);
}

static pc_status put_shapes(pc_record *record, shape_table *table, pc_arena *arena)
{
  shape_arrays a;
  if (!count_shapes(table, &a, arena))
    return PC_ERROR_MEMORY;
  fill_shapes(table, &a);
  pc_status status = PC_OK;
  long n = table->count;
  pc_record_put(
      record, &status, "shapes/type", PC_RECORD_BYTE, n, 1, a.type,
      "0 sphere, 1 box, 2 polyhedron, 3 capsule, 4 cylinder, 5 compound, 6 plane, 7 mesh, "
      "8 heights, 9 disc, 10 polygon, 11 chain",
      "");
  pc_record_put(
      record, &status, "shapes/size", PC_RECORD_DOUBLE, n, 3, a.size,
      "sphere and disc: radius; box: edges; capsule and cylinder: radius, length; plane: normal; "
      "chain: 1 if closed",
      "m");
  pc_record_put(record, &status, "shapes/vertex_start", PC_RECORD_LONG, n + 1, 1, a.vertex_start,
                "first vertex of each shape", "");
  put_some(record, &status, "shapes/vertex", PC_RECORD_DOUBLE, (long)a.vertex_start[n], 3, a.vertex,
           "vertices in the axes of the shape", "m");
  pc_record_put(record, &status, "shapes/triangle_start", PC_RECORD_LONG, n + 1, 1,
                a.triangle_start, "first triangle of each shape", "");
  put_some(
      record, &status, "shapes/triangle", PC_RECORD_INT, (long)a.triangle_start[n], 3, a.triangle,
      "vertices of each triangle, counted within the shape, counter-clockwise from outside", "");
  pc_record_put(record, &status, "shapes/piece_start", PC_RECORD_LONG, n + 1, 1, a.piece_start,
                "first piece of each compound", "");
  put_some(record, &status, "shapes/piece", PC_RECORD_INT, (long)a.piece_start[n], 1, a.piece,
           "shape of each piece", "");
  put_some(record, &status, "shapes/piece_position", PC_RECORD_DOUBLE, (long)a.piece_start[n], 3,
           a.piece_position, "place of each piece in the compound", "m");
  put_some(record, &status, "shapes/piece_orientation", PC_RECORD_DOUBLE, (long)a.piece_start[n], 4,
           a.piece_orientation, "quaternion w, x, y, z of each piece", "");
  return status;
}

static pc_status put_elements(pc_record *record, const pc_scene *scene, pc_arena *arena)
{
  if (scene->elements == 0)
    return PC_OK;
  char **names = pc_arena_take(arena, (size_t)scene->elements, sizeof *names);
  int32_t *body = pc_arena_take(arena, (size_t)scene->elements, sizeof *body);
  int32_t *other = pc_arena_take(arena, (size_t)scene->elements, sizeof *other);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < scene->elements; i++) {
    names[i] = scene->element[i].name;
    body[i] = scene->element[i].body.id - 1;
    other[i] = scene->element[i].other.id - 1;
  }
  pc_status status = pc_record_names(record, "elements/name", scene->elements, names);
  pc_record_put(record, &status, "elements/body", PC_RECORD_INT, scene->elements, 1, body,
                "the body of a spring, the first of a string, counted from 0; -1: a net", "");
  pc_record_put(record, &status, "elements/other", PC_RECORD_INT, scene->elements, 1, other,
                "the second of a string, which is pulled the other way; -1: others", "");
  return status;
}

static pc_status put_bodies(pc_record *record, const pc_scene *scene, shape_table *table,
                            pc_arena *arena)
{
  size_t count = (size_t)scene->bodies;
  uint8_t *kind = pc_arena_take(arena, count + 1, sizeof *kind);
  int32_t *material = pc_arena_take(arena, count + 1, sizeof *material);
  int32_t *shape = pc_arena_take(arena, count + 1, sizeof *shape);
  int32_t *index = pc_arena_take(arena, count + 1, sizeof *index);
  double *mass = pc_arena_take(arena, count + 1, sizeof *mass);
  double *radius = pc_arena_take(arena, count + 1, sizeof *radius);
  double *offset = pc_arena_take(arena, 3 * count + 1, sizeof *offset);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < scene->bodies; i++) {
    pc_body body = {i + 1};
    kind[i] = (uint8_t)pc_body_get_kind(scene->world, body);
    material[i] = pc_body_get_material(scene->world, body);
    index[i] = i;
    mass[i] = pc_body_get_mass(scene->world, body);
    radius[i] = pc_shape_radius(pc_body_get_shape(scene->world, body));
    pc_body_get_offset(scene->world, body, offset + 3 * i);
    shape[i] = number_of(table, pc_body_get_shape(scene->world, body));
    if (shape[i] < 0)
      return PC_ERROR_MEMORY;
  }
  pc_status status = pc_record_names(record, "bodies/name", scene->bodies, scene->names);
  pc_record_put(record, &status, "bodies/kind", PC_RECORD_BYTE, scene->bodies, 1, kind,
                "0 free, 1 fixed, 2 driven, 3 guided", "");
  pc_record_put(record, &status, "bodies/material", PC_RECORD_INT, scene->bodies, 1, material,
                "line of materials/name", "");
  pc_record_put(record, &status, "bodies/shape", PC_RECORD_INT, scene->bodies, 1, shape,
                "row of shapes/type", "");
  pc_record_put(record, &status, "bodies/index", PC_RECORD_INT, scene->bodies, 1, index,
                "0, 1, 2, ...", "");
  pc_record_put(record, &status, "bodies/radius", PC_RECORD_DOUBLE, scene->bodies, 1, radius,
                "of the sphere about the origin of the shape that holds it", "m");
  pc_record_put(record, &status, "bodies/mass", PC_RECORD_DOUBLE, scene->bodies, 1, mass, "mass",
                "kg");
  pc_record_put(
      record, &status, "bodies/offset", PC_RECORD_DOUBLE, scene->bodies, 3, offset,
      "origin of the shape seen from the centre of mass, in the axes of the shape: a point p of "
      "the "
      "shape is at position + R (offset + p)",
      "m");
  return status;
}

static pc_status put_goals(pc_record *record, const pc_scene_people *people, pc_arena *arena)
{
  size_t goals = (size_t)people->goals;
  char **names = pc_arena_take(arena, goals + 1, sizeof *names);
  uint8_t *kind = pc_arena_take(arena, goals + 1, sizeof *kind);
  int32_t *floor = pc_arena_take(arena, goals + 1, sizeof *floor);
  int64_t *start = pc_arena_take(arena, goals + 2, sizeof *start);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (size_t i = 0; i < goals; i++) {
    const pc_scene_goal *goal = &people->goal[i];
    names[i] = goal->name;
    kind[i] = (uint8_t)goal->kind;
    floor[i] = goal->floor;
    start[i + 1] = start[i] + goal->count;
  }
  double *point = pc_arena_take(arena, 2 * (size_t)start[goals] + 1, sizeof *point);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (size_t i = 0; i < goals; i++)
    if (people->goal[i].count > 0)
      memcpy(point + 2 * start[i], people->goal[i].point,
             (size_t)people->goal[i].count * sizeof *people->goal[i].point);
  pc_status status = pc_record_names(record, "goals/name", people->goals, names);
  pc_record_put(record, &status, "goals/kind", PC_RECORD_BYTE, people->goals, 1, kind,
                "0 exit, 1 area, 2 the nearest of several", "");
  pc_record_put(record, &status, "goals/floor", PC_RECORD_INT, people->goals, 1, floor,
                "line of floors/name; -1: none of its own", "");
  pc_record_put(record, &status, "goals/point_start", PC_RECORD_LONG, people->goals + 1, 1, start,
                "first point of each goal", "");
  put_some(record, &status, "goals/point", PC_RECORD_DOUBLE, (long)start[goals], 2, point,
           "of the line of an exit or the outline of an area, in the coordinates of the floor",
           "m");
  return status;
}

static pc_status put_doors(pc_record *record, const pc_crowd *crowd, pc_arena *arena)
{
  int doors = pc_crowd_doors(crowd);
  size_t count = (size_t)doors;
  int32_t *floor = pc_arena_take(arena, count + 1, sizeof *floor);
  int32_t *body = pc_arena_take(arena, 2 * count + 1, sizeof *body);
  double *time = pc_arena_take(arena, 2 * count + 1, sizeof *time);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < doors; i++) {
    pc_door_state door = pc_crowd_door(crowd, i);
    floor[i] = door.floor;
    body[2 * i] = door.first;
    body[2 * i + 1] = door.bodies;
    time[i] = door.opens;
    time[doors + i] = door.closes > door.opens ? door.closes : INFINITY;
  }
  pc_status status = PC_OK;
  if (doors == 0)
    return status;
  pc_record_put(record, &status, "doors/floor", PC_RECORD_INT, doors, 1, floor,
                "line of floors/name", "");
  pc_record_put(record, &status, "doors/body", PC_RECORD_INT, doors, 2, body,
                "the first body of the door, counted from 0, and how many there are", "");
  pc_record_put(record, &status, "doors/opens", PC_RECORD_DOUBLE, doors, 1, time, "when it opens",
                "s");
  pc_record_put(record, &status, "doors/closes", PC_RECORD_DOUBLE, doors, 1, time + doors,
                "when it closes again; infinite: it does not", "s");
  return status;
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
                "x in the world is x on the floor and this", "m");
  return status;
}

static pc_status put_people(pc_record *record, const pc_scene *scene, pc_arena *arena)
{
  int n = pc_crowd_people(scene->crowd);
  size_t count = (size_t)n;
  double *number = pc_arena_take(arena, 6 * count + 1, sizeof *number);
  double *start = pc_arena_take(arena, 2 * count + 1, sizeof *start);
  int32_t *group = pc_arena_take(arena, 4 * count + 1, sizeof *group);
  if (arena->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    pc_person_def def = pc_crowd_person_def(scene->crowd, i);
    const double own[] = {def.radius,       def.mass,       def.speed,
                          def.stairs_speed, def.relaxation, def.response};
    for (size_t k = 0; k < 6; k++)
      number[k * count + (size_t)i] = own[k];
    group[i] = scene->people.group[i];
    group[count + (size_t)i] = def.goal;
    group[2 * count + (size_t)i] = pc_crowd_body(scene->crowd, i).id - 1;
    group[3 * count + (size_t)i] = def.floor;
    memcpy(start + 2 * i, def.position, sizeof def.position);
  }
  static const struct {
    const char *name, *description, *unit;
  } numbers[] = {{"people/radius", "radius", "m"},
                 {"people/mass", "mass", "kg"},
                 {"people/speed", "wished speed", "m/s"},
                 {"people/stairs_speed", "the same in slow zones without a speed", "m/s"},
                 {"people/relaxation", "time in which a wish is followed", "s"},
                 {"people/response", "time before one starts to walk", "s"}},
    whole[] = {{"people/group", "line of groups/name", ""},
               {"people/goal", "line of goals/name, at the start", ""},
               {"people/body", "the body, counted from 0", ""},
               {"people/start_floor", "where they started: line of floors/name", ""}};
  pc_status status =
      pc_record_names(record, "groups/name", scene->people.groups, scene->people.group_names);
  for (size_t k = 0; k < 6; k++)
    pc_record_put(record, &status, numbers[k].name, PC_RECORD_DOUBLE, n, 1, number + k * count,
                  numbers[k].description, numbers[k].unit);
  for (size_t k = 0; k < 4; k++)
    pc_record_put(record, &status, whole[k].name, PC_RECORD_INT, n, 1, group + k * count,
                  whole[k].description, whole[k].unit);
  pc_record_put(
      record, &status, "people/start", PC_RECORD_DOUBLE, n, 2, start,
      "where they started, in the coordinates of that floor; of who comes in at a source its "
      "middle",
      "m");
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
  pc_status status =
      pc_record_names(record, "materials/name", scene->materials, scene->material_names);
  pc_record_put(record, &status, "materials/density", PC_RECORD_DOUBLE, scene->materials, 1,
                density, "density", dimension == 2 ? "kg/m^2" : "kg/m^3");
  pc_record_put(record, &status, "scene/dimension", PC_RECORD_INT, 1, 1, &dimension, "2 or 3", "");
  pc_record_put(record, &status, "scene/gravity", PC_RECORD_DOUBLE, 3, 1, def->gravity, "gravity",
                "m/s^2");
  return status;
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
  if (status == PC_OK && scene->crowd != NULL)
    status = put_people(record, scene, &arena);
  free(table.shape);
  free(table.slots);
  pc_arena_free(&arena);
  return status;
}
