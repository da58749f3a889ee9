// What is recorded of a continuum: its mesh, fields on it, and columns of the table.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/elementary.h"
#include "geometry/shape.h"
#include "run/continuum.h"
#include "scene/text.h"

// The mesh, as its arrays and as XDMF's list of elements.
typedef struct mesh_arrays {
  int32_t *first, *node, *type, *group, *list;
  double *place;
  long listed;
} mesh_arrays;

// Numbers of a vector in a record: three in space, else two.
static int count_axes(const pc_fe_mesh *mesh)
{
  return mesh->dimension == 3 ? 3 : 2;
}

static long count_listed(const pc_fe_mesh *mesh)
{
  long listed = 0;
  for (int i = 0; i < mesh->body.count; i++) {
    const pc_element_info *info = pc_element_of(mesh->body.cell[i].type);
    bool counted;
    pc_xdmf_cell(info->dimension, info->corners, info->nodes, &counted);
    listed += 1 + counted + info->nodes;
  }
  return listed;
}

static void fill_mesh(const pc_continuum *c, mesh_arrays *a)
{
  const pc_fe_mesh *mesh = &c->mesh;
  int32_t *list = a->list, *node = a->node;
  int axes = count_axes(mesh);
  for (int i = 0; i < mesh->nodes; i++)
    memcpy(a->place + axes * i, mesh->node[i], (size_t)axes * sizeof *a->place);
  for (int i = 0; i < mesh->body.count; i++) {
    const pc_fe_cell *cell = &mesh->body.cell[i];
    const pc_element_info *info = pc_element_of(cell->type);
    bool counted;
    *list++ = pc_xdmf_cell(info->dimension, info->corners, info->nodes, &counted);
    if (counted)
      *list++ = info->nodes;
    a->first[i + 1] = a->first[i] + info->nodes;
    a->type[i] = (int32_t)cell->type - PC_LINE2;
    for (int k = 0; k < c->def.media; k++)
      a->group[i] = c->def.medium[k].group == cell->group ? k : a->group[i];
    const int *own = mesh->body.node + cell->first;
    for (int n = 0; n < info->nodes; n++) {
      *node++ = own[n];
      *list++ = own[pc_xdmf_node(info->dimension, info->corners, info->nodes, n)];
    }
  }
}

static pc_status put_mesh(pc_record *record, const pc_continuum *c)
{
  const pc_fe_mesh *mesh = &c->mesh;
  size_t cells = (size_t)mesh->body.count;
  mesh_arrays a = {.listed = count_listed(mesh)};
  pc_arena memory = {0};
  a.first = pc_arena_take(&memory, cells + 1, sizeof *a.first);
  a.node = pc_arena_take(&memory, (size_t)mesh->body.listed, sizeof *a.node);
  a.type = pc_arena_take(&memory, cells, sizeof *a.type);
  a.group = pc_arena_take(&memory, cells, sizeof *a.group);
  a.list = pc_arena_take(&memory, (size_t)a.listed, sizeof *a.list);
  a.place = pc_arena_take(&memory, 3 * (size_t)mesh->nodes, sizeof *a.place);
  pc_status status = PC_ERROR_MEMORY;
  if (!memory.failed) {
    long n = mesh->body.count;
    fill_mesh(c, &a);
    const pc_record_item items[] = {
        {"mesh/node", PC_RECORD_DOUBLE, mesh->nodes, count_axes(mesh), a.place,
         "initial positions of the nodes", "m"},
        {"mesh/cell_first", PC_RECORD_INT, n + 1, 1, a.first,
         "index of the first node of each element", NULL},
        {"mesh/cell_node", PC_RECORD_INT, a.first[n], 1, a.node,
         mesh->dimension == 3
             ? "nodes of the elements in Gmsh's order: corners, middles of edges, of faces, centre"
             : "nodes of the elements: corners counter-clockwise, middles of sides, centre",
         NULL},
        {"mesh/cell_type", PC_RECORD_INT, n, 1, a.type,
         mesh->dimension == 3
             ? "7 tetrahedron4, 8 tetrahedron10, 9 hexahedron8, 10 hexahedron20, 11 hexahedron27"
             : "0 line2, 1 line3, 2 triangle3, 3 triangle6, 4 quad4, 5 quad8, 6 quad9",
         NULL},
        {"mesh/cell_group", PC_RECORD_INT, n, 1, a.group, "the medium of each element", NULL},
        {"mesh/topology", PC_RECORD_INT, a.listed, 1, a.list,
         "the elements in XDMF's mixed topology: type code, then nodes", NULL},
    };
    status = pc_record_put_all(record, PC_COUNT(items), items);
  }
  pc_arena_free(&memory);
  return status;
}

static pc_status put_contacts(pc_record *record, const pc_continuum *c, pc_arena *memory)
{
  const pc_continuum_answer *answer = &c->answer;
  int n = answer->points;
  if (n == 0)
    return PC_OK;
  int32_t *node = pc_arena_take(memory, (size_t)n, sizeof *node);
  int32_t *number = pc_arena_take(memory, (size_t)n, sizeof *number);
  double *weight = pc_arena_take(memory, (size_t)n, sizeof *weight);
  int axes = count_axes(&c->mesh);
  double *normal = pc_arena_take(memory, (size_t)n * (size_t)axes, sizeof *normal);
  const pc_record_item items[] = {
      {"contact/node", PC_RECORD_INT, n, 1, node, "nodes of the surfaces of contact", NULL},
      {"contact/number", PC_RECORD_INT, n, 1, number, "index of the contact in the list of names",
       NULL},
      {"contact/weight", PC_RECORD_DOUBLE, n, 1, weight,
       axes == 3 ? "surface area assigned to the node" : "surface length assigned to the node",
       axes == 3 ? "m^2" : "m"},
      {"contact/normal", PC_RECORD_DOUBLE, n, axes, normal, "outward normal of the sides", NULL},
  };
  if (memory->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    const pc_continuum_point *p = &answer->point[i];
    node[i] = p->node;
    number[i] = p->contact;
    weight[i] = p->weight;
    memcpy(normal + i * axes, p->normal, (size_t)axes * sizeof *normal);
  }
  pc_status status =
      pc_record_names(record, "contact/name", c->def.contacts, (char *const *)c->contact_name);
  return status == PC_OK ? pc_record_put_all(record, PC_COUNT(items), items) : status;
}

// The body that the sides of a group meet, or -1.
static int body_at(const pc_continuum *c, int group)
{
  for (int i = 0; i < c->def.contacts; i++)
    if (c->def.contact[i].sides == group && c->def.contact[i].body >= 0)
      return c->def.contact[i].body;
  return -1;
}

// Sides in the plane that bodies meet: their outline in a collision. Returns their number.
static int list_outlines(const pc_continuum *c, double (*ends)[4], int32_t *body)
{
  const pc_fe_cells *side = &c->mesh.side;
  int count = 0;
  for (int i = 0; c->flows && i < c->def.contacts; i++)
    if (c->flow.contact[i].body >= 0) {
      memcpy(ends[count], c->flow.contact[i].end, sizeof ends[count]);
      body[count++] = c->flow.contact[i].body;
    }
  for (int i = 0; !c->flows && i < side->count && c->mesh.dimension < 3; i++) {
    int of = body_at(c, side->cell[i].group);
    if (of < 0)
      continue;
    const int *node = side->node + side->cell[i].first;
    int last = side->cell[i].type == PC_POINT1 ? 0 : 1;
    for (int k = 0; k < 2; k++) {
      ends[count][k] = c->mesh.node[node[0]][k];
      ends[count][2 + k] = c->mesh.node[node[last]][k];
    }
    body[count++] = of;
  }
  return count;
}

// The radius of a ball or a disc, the edges of a box or a rectangle.
static void measure_shape(const pc_shape *shape, double size[3])
{
  double box[6];
  const double origin[3] = {0}, upright[4] = {1, 0, 0, 0};
  pc_pose pose = pc_pose_of(origin, upright);
  pc_shape_bounds(shape, &pose, box);
  pc_shape_type type = pc_shape_kind(shape);
  bool round = type == PC_SPHERE || type == PC_DISC;
  for (int k = 0; k < 3; k++)
    size[k] = round ? (k == 0 ? pc_shape_radius(shape) : 0) : box[3 + k] - box[k];
  if (type == PC_POLYGON)
    size[2] = 0;
}

static pc_status put_bodies(pc_record *record, const pc_continuum *c, pc_arena *memory)
{
  if (c->def.bodies == 0)
    return PC_OK;
  static const char *const units[] = {"kg/m^2, kg", "kg/m, kg m", "kg, kg m^2"};
  int moments = c->mesh.dimension == 3 ? 3 : 1, width = 1 + moments;
  size_t sides = (size_t)c->mesh.side.count + (size_t)c->def.contacts + 1;
  double(*ends)[4] = pc_arena_take(memory, sides, sizeof *ends);
  int32_t *body = pc_arena_take(memory, sides, sizeof *body);
  double *mass = pc_arena_take(memory, (size_t)c->def.bodies * 4, sizeof *mass);
  if (memory->failed)
    return PC_ERROR_MEMORY;
  int count = list_outlines(c, ends, body);
  for (int i = 0; i < c->def.bodies; i++) {
    const pc_fe_body *of = &c->def.body[i];
    mass[i * width] = of->mass;
    for (int k = 0; k < moments; k++)
      mass[i * width + 1 + k] = moments == 3 ? of->moments[k] : of->inertia;
  }
  double *size = pc_arena_take(memory, (size_t)c->def.bodies * 3, sizeof *size);
  if (size == NULL)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < c->motion.bodies; i++)
    measure_shape(c->body_shape[i], size + 3 * i);
  int outlines = count > 0 && c->motion.bodies == 0 ? count : PC_RECORD_NONE;
  const pc_record_item items[] = {
      {"bodies/mass", PC_RECORD_DOUBLE, c->def.bodies, width, mass,
       moments == 3 ? "mass and moments of inertia" : "mass and inertia",
       units[c->mesh.dimension - 1]},
      {"bodies/outline", PC_RECORD_DOUBLE, outlines, 4, ends,
       "initial sides where bodies touch: x and y of both ends", "m"},
      {"bodies/outline_body", PC_RECORD_INT, outlines, 1, body, "body of each of these sides",
       NULL},
      {"bodies/size", PC_RECORD_DOUBLE, c->motion.bodies > 0 ? c->def.bodies : PC_RECORD_NONE, 3,
       size, "radius and two zeros of a ball, edges of a box (in the plane the third is 0)", "m"},
  };
  pc_status status =
      pc_record_names(record, "bodies/name", c->def.bodies, (char *const *)c->body_name);
  return status == PC_OK ? pc_record_put_all(record, PC_COUNT(items), items) : status;
}

// Fractions of a medium that are recorded; -1: it has no temperatures.
static int count_fractions(const pc_continuum *c, int medium)
{
  for (int i = 0; i < c->thermal.media; i++)
    if (c->thermal.medium[i].group == c->def.medium[medium].group) {
      pc_fe_phases phases = c->thermal.medium[i].phases;
      return phases == PC_FE_ALLOY ? PC_FE_FRACTIONS : phases == PC_FE_LIQUID;
    }
  return -1;
}

static pc_status put_media(pc_record *record, const pc_continuum *c, pc_arena *memory)
{
  int n = c->def.media;
  int32_t *fluid = pc_arena_take(memory, (size_t)n + 1, sizeof *fluid);
  int32_t *fractions = pc_arena_take(memory, (size_t)n + 1, sizeof *fractions);
  if (memory->failed)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < n; i++) {
    fluid[i] = c->def.medium[i].fluid;
    fractions[i] = count_fractions(c, i);
  }
  const pc_record_item items[] = {
      {"media/fluid", PC_RECORD_INT, n, 1, fluid, "1: incompressible", NULL},
      {"media/fractions", PC_RECORD_INT, c->thermal.media > 0 ? n : PC_RECORD_NONE, 1, fractions,
       "1: of liquid, 3: of two martensites and austenite; -1: no temperatures", NULL},
  };
  pc_status status = pc_record_names(record, "media/name", n, (char *const *)c->medium_name);
  return status == PC_OK ? pc_record_put_all(record, PC_COUNT(items), items) : status;
}

pc_status pc_continuum_describe(pc_record *record, const pc_scene *scene)
{
  const pc_continuum *c = scene->continuum;
  pc_arena memory = {0};
  pc_status status = put_mesh(record, c);
  if (status == PC_OK)
    status = put_media(record, c, &memory);
  if (status == PC_OK)
    status = put_contacts(record, c, &memory);
  if (status == PC_OK)
    status = put_bodies(record, c, &memory);
  pc_arena_free(&memory);
  return status;
}

typedef enum series_rows { NODES, BODIES, POINTS } series_rows;

static const struct {
  const char *path;
  series_rows rows;
  int width[2]; // in the plane, in space
  const char *text, *unit;
  const char *attribute;                          // its name in XDMF, or NULL
  const char *text_in_space, *attribute_in_space; // where they differ
} series[PC_SERIES_COUNT] = {
    [PC_SERIES_VELOCITY] =
        {"frames/velocity", NODES, {2, 3}, "of the nodes", "m/s", "velocity", NULL, NULL},
    [PC_SERIES_DISPLACEMENT] =
        {"frames/displacement", NODES, {2, 3}, "since the start", "m", "displacement", NULL, NULL},
    [PC_SERIES_PRESSURE] = {"frames/pressure",
                            NODES,
                            {1, 1},
                            "percussion pressure of fluids",
                            "Pa s",
                            "percussion pressure",
                            NULL,
                            NULL},
    [PC_SERIES_FLOW_PRESSURE] = {"frames/pressure",
                                 NODES,
                                 {1, 1},
                                 "pressure of the fluid in the middle of the last step",
                                 "Pa",
                                 "pressure",
                                 NULL,
                                 NULL},
    [PC_SERIES_STRESS] = {"frames/stress",
                          NODES,
                          {3, PC_FE_STRESS},
                          "percussion stress: xx, yy, xy",
                          "Pa s",
                          "percussion stress xx yy xy",
                          "percussion stress: xx, yy, xy, zz, yz, zx",
                          "percussion stress xx yy xy zz yz zx"},
    [PC_SERIES_TEMPERATURE] = {"frames/temperature",
                               NODES,
                               {1, 1},
                               "of the nodes; NaN where there is none",
                               "K",
                               "temperature",
                               NULL,
                               NULL},
    [PC_SERIES_FRACTION] = {"frames/fraction",
                            NODES,
                            {PC_FE_FRACTIONS, PC_FE_FRACTIONS},
                            "of liquid first, or of two martensites and austenite; 0 where there "
                            "is none",
                            "",
                            "fractions of phases",
                            NULL,
                            NULL},
    [PC_SERIES_BODY] =
        {"frames/body",
         BODIES,
         {6, 13},
         "x, y, angle, velocities and spin of rigid bodies",
         "m, m/s, rad",
         NULL,
         "positions, orientations (quaternions w, x, y, z), velocities and spins of rigid bodies",
         NULL},
    [PC_SERIES_PERCUSSION] = {"frames/percussion",
                              POINTS,
                              {2, 3},
                              "of contacts: normal (> 0 pushes apart), tangential",
                              "Pa s",
                              NULL,
                              NULL,
                              NULL},
    [PC_SERIES_SLIP] = {"frames/slip",
                        POINTS,
                        {2, 3},
                        "velocity of the sides relative to what they touch: w_N, w_T",
                        "m/s",
                        NULL,
                        NULL,
                        NULL},
};

static int width_of(const pc_continuum *c, pc_continuum_series s)
{
  return series[s].width[c->mesh.dimension == 3];
}

static const char *text_of(const pc_continuum *c, pc_continuum_series s)
{
  const char *in_space = c->mesh.dimension == 3 ? series[s].text_in_space : NULL;
  return in_space != NULL ? in_space : series[s].text;
}

static int count_rows(const pc_continuum *c, pc_continuum_series s)
{
  const int rows[] = {c->mesh.nodes, c->def.bodies, c->answer.points};
  return rows[series[s].rows];
}

static bool has_series(const pc_continuum *c, pc_continuum_series s)
{
  switch (s) {
  case PC_SERIES_PRESSURE:
  case PC_SERIES_STRESS:
    return !c->moves;
  case PC_SERIES_FLOW_PRESSURE:
    return c->flows;
  case PC_SERIES_TEMPERATURE:
  case PC_SERIES_FRACTION:
    return c->thermal.media > 0;
  default:
    return count_rows(c, s) > 0;
  }
}

pc_status pc_continuum_declare(pc_simulation *sim)
{
  pc_continuum_run *r = sim->own;
  const pc_continuum *c = sim->scene->continuum;
  pc_record *record = sim->record;
  for (pc_continuum_series s = 0; s < PC_SERIES_COUNT; s++)
    r->series[s] = has_series(c, s)
                       ? pc_record_add(record, series[s].path, PC_RECORD_DOUBLE, count_rows(c, s),
                                       width_of(c, s), text_of(c, s), series[s].unit)
                       : -1;
  const pc_record_item mean = {"steps/fractions",
                               PC_RECORD_DOUBLE,
                               c->alloys ? 1 : PC_RECORD_NONE,
                               PC_FE_FRACTIONS,
                               c->end.mean,
                               "averages over the alloys: two martensites, austenite",
                               NULL};
  pc_record_declare(record, PC_RECORD_STEPS, 1, &mean);
  for (int i = 0; i < c->def.contacts; i++) {
    char name[200];
    pc_text path = pc_text_path(c->contact_name[i]);
    for (char *at = path.text; *at != 0; at++)
      *at = *at == '/' ? ' ' : *at; // a name is one part of a path
    snprintf(name, sizeof name, "touches/%s", path.text);
    const pc_record_item touch = {
        name,
        PC_RECORD_DOUBLE,
        1,
        2,
        r->pulse + 2 * i,
        "impulses (percussions) of the contact in the step: normal, tangential",
        pc_continuum_units_of(c->mesh.dimension).percussion};
    pc_record_declare(record, PC_RECORD_STEPS, 1, &touch);
  }
  return PC_OK;
}

// Two numbers for each node, in space three; NULL: zeros.
static const double *put_vectors(const pc_fe_mesh *mesh, const double *field, double *row)
{
  int axes = count_axes(mesh);
  memset(row, 0, (size_t)axes * (size_t)mesh->nodes * sizeof *row);
  for (int i = 0; i < mesh->nodes && field != NULL; i++)
    memcpy(row + axes * i, field + i * mesh->dimension, (size_t)mesh->dimension * sizeof *row);
  return row;
}

// Bodies of a motion.
static const double *put_movers_in_row(const pc_continuum *c, double *row)
{
  int width = width_of(c, PC_SERIES_BODY);
  for (int i = 0; i < c->def.bodies; i++, row += width) {
    const pc_fe_body_state *s = &c->body[i];
    if (c->mesh.dimension == 3) {
      memcpy(row, s->place, sizeof s->place);
      memcpy(row + 3, s->attitude, sizeof s->attitude);
      memcpy(row + 7, s->velocity, sizeof s->velocity);
      memcpy(row + 10, s->spin, sizeof s->spin);
    } else {
      const double numbers[6] = {
          s->place[0],    s->place[1],    2 * pc_atan2(s->attitude[3], s->attitude[0]),
          s->velocity[0], s->velocity[1], s->spin[2]};
      memcpy(row, numbers, sizeof numbers);
    }
  }
  return row - width * c->def.bodies;
}

// Bodies of a collision stay where they are, those on a fluid move with it.
static const double *put_bodies_in_row(const pc_simulation *sim, double *row)
{
  const pc_continuum_run *r = sim->own;
  const pc_continuum *c = sim->scene->continuum;
  for (int i = 0; c->mesh.dimension == 3 && i < c->def.bodies; i++) {
    double *to = row + PC_SERIES_WIDEST * i;
    memcpy(to, c->def.body[i].centre, 3 * sizeof *to);
    to[3] = 1; // upright
    memcpy(to + 7, r->done ? c->answer.body[i].after : c->body_velocity[i], 6 * sizeof *to);
  }
  if (c->mesh.dimension == 3)
    return row;
  for (int i = 0; i < c->def.bodies; i++) {
    const double start[3] = {c->def.body[i].centre[0], c->def.body[i].centre[1], 0};
    const double *place = start;
    const double *velocity = r->done ? c->answer.body[i].after : c->body_velocity[i];
    if (r->flow != NULL) {
      pc_fe_flow_state state = pc_fe_flow_look(r->flow);
      place = state.place[i];
      velocity = state.body[i];
    }
    memcpy(row + 6 * i, place, 3 * sizeof *row);
    memcpy(row + 6 * i + 3, velocity, 3 * sizeof *row);
  }
  return row;
}

// What a series has now; before the collision percussions are 0.
static const double *values_of(const pc_simulation *sim, pc_continuum_series s, double *row)
{
  const pc_continuum_run *r = sim->own;
  const pc_continuum *c = sim->scene->continuum;
  const pc_continuum_answer *answer = &c->answer;
  pc_fe_motion_state state = {0};
  pc_fe_flow_state flow = {0};
  if (r->motion != NULL)
    state = pc_fe_motion_look(r->motion);
  if (r->flow != NULL)
    flow = pc_fe_flow_look(r->flow);
  int width = width_of(c, s);
  size_t bytes = (size_t)width * sizeof *row;
  memset(row, 0, (size_t)count_rows(c, s) * bytes);
  switch (s) {
  case PC_SERIES_VELOCITY:
    return put_vectors(&c->mesh,
                       r->motion != NULL ? state.velocity
                       : r->flow != NULL ? flow.velocity
                       : r->done         ? answer->velocity
                                         : c->velocity,
                       row);
  case PC_SERIES_DISPLACEMENT:
    return put_vectors(&c->mesh, r->flow != NULL ? flow.displacement : state.displacement, row);
  case PC_SERIES_FLOW_PRESSURE:
    return flow.pressure;
  case PC_SERIES_PRESSURE:
    return r->done ? answer->pressure : row;
  case PC_SERIES_STRESS:
    for (int i = 0; r->done && i < c->mesh.nodes; i++)
      memcpy(row + width * i, answer->stress[i], bytes);
    return row;
  case PC_SERIES_TEMPERATURE:
    return r->motion != NULL ? state.temperature : r->done ? answer->temperature : c->temperature;
  case PC_SERIES_FRACTION:
    return (const double *)(r->motion != NULL ? state.fraction
                            : r->done         ? answer->fraction
                                              : (const double(*)[PC_FE_FRACTIONS])c->fraction);
  case PC_SERIES_BODY:
    return r->motion != NULL ? put_movers_in_row(c, row) : put_bodies_in_row(sim, row);
  case PC_SERIES_PERCUSSION:
    for (int i = 0; r->done && i < answer->points; i++)
      memcpy(row + width * i, answer->point[i].percussion, bytes);
    return row;
  default:
    for (int i = 0; i < answer->points; i++)
      memcpy(row + width * i, r->done ? answer->point[i].after : answer->point[i].before, bytes);
    return row;
  }
}

pc_status pc_continuum_frame(pc_simulation *sim)
{
  pc_continuum_run *r = sim->own;
  pc_status status = PC_OK;
  for (pc_continuum_series s = 0; s < PC_SERIES_COUNT; s++)
    if (r->series[s] >= 0)
      status = pc_record_append(sim->record, r->series[s], values_of(sim, s, r->row));
  return status;
}

// Number k of the velocity and spin of a body in motion.
static const double *column_of(const pc_fe_body_state *s, bool space, int k)
{
  int velocities = space ? 3 : 2;
  return k < velocities ? &s->velocity[k] : &s->spin[space ? k - 3 : 2];
}

// Of a motion: those of the start, then the later ones (continuum_pushes.c).
static int count_pushes(const pc_continuum *c)
{
  return c->moves && !c->flows ? c->def.pushes + c->motion.pushes : 0;
}

// Whether the record has how far the place of a push moves: where it strikes, once for each name.
static bool is_followed(const pc_continuum *c, int number)
{
  const pc_fe_push *push = &c->def.push[number];
  for (int i = 0; i < number && push->place != PC_FE_AT_POINT; i++) {
    const pc_fe_push *other = &c->def.push[i];
    if (other->place != PC_FE_AT_POINT && pc_fe_length(other->percussion) > 0 &&
        strcmp(c->mesh.group[other->group].name, c->mesh.group[push->group].name) == 0)
      return false;
  }
  return pc_fe_length(push->percussion) > 0;
}

// Percussions of contacts, velocities of bodies; of alloys mean fractions and temperatures; how far
// what is pushed has moved.
void pc_continuum_columns(const pc_simulation *sim, pc_columns *columns)
{
  static const char *const of_touch[] = {"normal", "tangential"};
  static const char *const of_body[2][6] = {{"vx", "vy", "spin"},
                                            {"vx", "vy", "vz", "spin x", "spin y", "spin z"}};
  const pc_continuum_run *r = sim->own;
  const pc_continuum *c = sim->scene->continuum;
  const char *percussion = pc_continuum_units_of(c->mesh.dimension).percussion;
  bool space = c->mesh.dimension == 3;
  for (int i = 0; i < c->def.contacts; i++)
    for (int k = 0; k < 2; k++)
      pc_columns_add(columns, PC_RECORD_DOUBLE, r->pulse + 2 * i + k, percussion, "%.200s %s",
                     c->contact_name[i], of_touch[k]);
  static const char *const force[] = {"Pa", "N/m", "N"};
  for (int i = 0; r->motion != NULL && i < c->def.contacts; i++)
    pc_columns_add(columns, PC_RECORD_DOUBLE, &r->force[i], force[c->mesh.dimension - 1],
                   "%.200s force", c->contact_name[i]);
  for (int i = 0; i < c->def.bodies; i++)
    for (int k = 0; k < (space ? 6 : 3); k++)
      pc_columns_add(
          columns, PC_RECORD_DOUBLE,
          r->motion != NULL ? column_of(&c->body[i], space, k) : &c->answer.body[i].after[k],
          k < (space ? 3 : 2) ? "m/s" : "rad/s", "%.200s %s", c->body_name[i], of_body[space][k]);
  for (int k = 0; c->alloys && k < PC_FE_FRACTIONS; k++)
    pc_columns_add(columns, PC_RECORD_DOUBLE, &c->end.mean[k], NULL, "%s", pc_phase_name[k]);
  if (c->alloys) {
    pc_columns_add(columns, PC_RECORD_DOUBLE, &c->end.lowest, "K", "lowest temperature");
    pc_columns_add(columns, PC_RECORD_DOUBLE, &c->end.highest, "K", "highest temperature");
  }
  for (int i = 0; i < count_pushes(c); i++)
    for (int k = 0; is_followed(c, i) && k < c->mesh.dimension; k++) {
      const pc_fe_push *push = &c->def.push[i];
      if (push->place == PC_FE_AT_POINT)
        pc_columns_add(columns, PC_RECORD_DOUBLE, &r->moved[i][k], "m", "point %d u%c", i,
                       "xyz"[k]);
      else
        pc_columns_add(columns, PC_RECORD_DOUBLE, &r->moved[i][k], "m", "%.200s u%c",
                       c->mesh.group[push->group].name, "xyz"[k]);
    }
}

pc_status pc_continuum_row(pc_simulation *sim)
{
  const pc_continuum_run *r = sim->own;
  const pc_continuum *c = sim->scene->continuum;
  for (int i = 0; i < count_pushes(c); i++)
    pc_fe_push_mean(&c->mesh, &c->def.push[i], pc_fe_motion_look(r->motion).displacement,
                    r->moved[i]);
  return PC_OK;
}

// Displacements are shown where there are any.
void pc_continuum_xdmf(const pc_simulation *sim, pc_xdmf *xdmf)
{
  const pc_continuum *c = sim->scene->continuum;
  xdmf->points = c->mesh.nodes;
  xdmf->position =
      (pc_xdmf_array){"node", "mesh/node", PC_RECORD_DOUBLE, count_axes(&c->mesh), true};
  xdmf->index = "mesh/topology";
  xdmf->cells = c->mesh.body.count;
  xdmf->listed = count_listed(&c->mesh);
  xdmf->cell_number = (pc_xdmf_array){"medium", "mesh/cell_group", PC_RECORD_INT, 1, true};
  for (pc_continuum_series s = 0; s < PC_SERIES_COUNT; s++)
    if (series[s].attribute != NULL && has_series(c, s) &&
        (s != PC_SERIES_DISPLACEMENT || c->moves))
      xdmf->attributes[xdmf->attribute_count++] =
          (pc_xdmf_array){c->mesh.dimension == 3 && series[s].attribute_in_space != NULL
                              ? series[s].attribute_in_space
                              : series[s].attribute,
                          series[s].path, PC_RECORD_DOUBLE, width_of(c, s), false};
}
