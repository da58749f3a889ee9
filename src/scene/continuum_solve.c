// The collision of a `kind: continuum` file, and what is measured of it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/small.h"
#include "record/units.h"
#include "scene/continuum_solve.h"

// Room for the answer; what the caller sees as const is written through here.
typedef struct work {
  const pc_continuum *from;
  const pc_fe_answer *solved;
  pc_arena *memory;
  double *velocity, *pressure;
  double (*stress)[PC_FE_STRESS];
  double (*medium_stress)[PC_FE_STRESS]; // of one medium
  char *in_medium;                       // which nodes it has
  char *in_fluid;
  int *sharing; // media of each node; then the point of each node in one contact
  int *found;   // nodes beside each point that is a corner
  pc_continuum_point *point;
  pc_continuum_touch *touch;
  pc_continuum_medium *medium;
  pc_continuum_body *body;
} work;

static void widen(double value, double *low, double *high)
{
  *low = fmin(*low, value);
  *high = fmax(*high, value);
}

static void widen_velocity(const work *w, int node, double low[3], double high[3])
{
  int dimension = w->from->mesh.dimension;
  for (int k = 0; k < dimension; k++)
    widen(w->velocity[node * dimension + k], &low[k], &high[k]);
}

static void make_empty(double *low, double *high, int count)
{
  for (int k = 0; k < count; k++)
    low[k] = INFINITY, high[k] = -INFINITY;
}

// What nothing was found of is 0: the second component on a line.
static void close_ranges(double *low, double *high, int count)
{
  for (int k = 0; k < count; k++)
    if (low[k] > high[k])
      low[k] = high[k] = 0;
}

// A corner of a side that has no area of its own gets the mean of the two nodes beside it, of all
// its sides.
static void interpolate_corners(const work *w, int contact)
{
  const pc_fe_mesh *mesh = &w->from->mesh;
  int *point = w->sharing, *found = w->found;
  for (int i = 0; i < mesh->nodes; i++)
    point[i] = -1;
  for (int i = 0; i < w->solved->touches; i++) {
    found[i] = 0;
    if (w->point[i].contact == contact)
      point[w->point[i].node] = i;
  }
  for (int s = 0; s < mesh->side.count; s++) {
    const pc_fe_cell *side = &mesh->side.cell[s];
    const pc_element_info *info = pc_element_of(side->type);
    if (side->group != w->from->def.contact[contact].sides)
      continue;
    for (int e = 0; e < info->edges; e++) {
      int edge[3], of[3];
      pc_element_edge(side->type, e, edge);
      for (int k = 0; k < 3; k++)
        of[k] = edge[k] < 0 ? -1 : point[mesh->side.node[side->first + edge[k]]];
      for (int k = 0; k < 2 && of[2] >= 0; k++)
        if (of[k] >= 0 && w->point[of[k]].weight == 0) {
          pc_continuum_point *corner = &w->point[of[k]];
          double part = 1.0 / ++found[of[k]];
          for (int axis = 0; axis < 3; axis++)
            corner->percussion[axis] +=
                part * (w->point[of[2]].percussion[axis] - corner->percussion[axis]);
          corner->reaction += part * (w->point[of[2]].reaction - corner->reaction);
        }
    }
  }
}

static void measure_points(const work *w)
{
  for (int i = 0; i < w->solved->touches; i++) {
    const pc_fe_touch *t = &w->solved->touch[i];
    pc_continuum_point *p = &w->point[i];
    *p = (pc_continuum_point){.contact = t->contact, .node = t->node, .weight = t->weight};
    for (int k = 0; k < 3; k++) {
      p->place[k] = w->from->mesh.node[t->node][k];
      p->normal[k] = t->normal[k];
      p->before[k] = t->before[k];
      p->after[k] = t->after[k];
      p->percussion[k] = t->weight > 0 ? t->percussion[k] / t->weight : 0;
    }
    p->reaction = t->weight > 0 ? t->reaction / t->weight : 0;
  }
  for (int i = 0; i < w->from->def.contacts && w->from->mesh.dimension == 3; i++)
    interpolate_corners(w, i);
}

// The tangential part of a vector along N and T: in space the size of it.
static double tangential_of(bool space, const double part[3])
{
  return space ? pc_hypot(part[1], part[2]) : part[1];
}

static void add_point(const work *w, const pc_fe_touch *whole, const pc_continuum_point *p,
                      pc_continuum_touch *touch)
{
  bool space = w->from->mesh.dimension == 3;
  double normal = p->percussion[0], axes[9];
  double tangential = tangential_of(space, p->percussion);
  double slip[2] = {p->after[0], tangential_of(space, p->after)};
  pc_contact_axes(p->normal, !space, axes);
  touch->nodes++;
  touch->length += p->weight;
  touch->resultant[0] += whole->percussion[0];
  touch->resultant[1] += tangential_of(space, whole->percussion);
  for (int k = 0; k < 3; k++)
    touch->force[k] += whole->percussion[0] * axes[k] + whole->percussion[1] * axes[3 + k] +
                       whole->percussion[2] * axes[6 + k];
  touch->peak = touch->nodes == 1 ? normal : fmax(touch->peak, normal);
  touch->peak_friction = fmax(touch->peak_friction, fabs(tangential));
  if (w->in_fluid[p->node])
    touch->pressure += p->weight * w->pressure[p->node];
  else
    touch->pressure = NAN;
  for (int k = 0; k < 2; k++)
    widen(slip[k], &touch->slip_low[k], &touch->slip_high[k]);
  widen_velocity(w, p->node, touch->velocity_low, touch->velocity_high);
}

static void measure_touches(const work *w, double speed)
{
  const pc_continuum *c = w->from;
  for (int i = 0; i < c->def.contacts; i++) {
    w->touch[i] = (pc_continuum_touch){.name = c->contact_name[i]};
    make_empty(w->touch[i].slip_low, w->touch[i].slip_high, 2);
    make_empty(w->touch[i].velocity_low, w->touch[i].velocity_high, 3);
  }
  for (int i = 0; i < w->solved->touches; i++) {
    pc_continuum_touch *touch = &w->touch[w->point[i].contact];
    add_point(w, &w->solved->touch[i], &w->point[i], touch);
    // A node that opens does so with some speed, one that stays is at the solver's zero.
    touch->staying += fabs(w->point[i].after[0]) <= 1e-7 * speed;
  }
  for (int i = 0; i < c->def.contacts; i++) {
    pc_continuum_touch *touch = &w->touch[i];
    touch->mean = touch->resultant[0] / touch->length;
    touch->pressure /= touch->length;
    close_ranges(touch->slip_low, touch->slip_high, 2);
    close_ranges(touch->velocity_low, touch->velocity_high, 3);
  }
}

// Mass, and the mean pressure, by the elements' quadrature; which nodes it has.
static void integrate_medium(const work *w, int number)
{
  const pc_continuum *c = w->from;
  const pc_fe_medium *def = &c->def.medium[number];
  pc_continuum_medium *m = &w->medium[number];
  double volume = 0, pressure = 0;
  memset(w->in_medium, 0, (size_t)c->mesh.nodes);
  for (int i = 0; i < c->mesh.body.count; i++) {
    const pc_fe_cell *cell = &c->mesh.body.cell[i];
    if (cell->group != def->group)
      continue;
    const int *node = c->mesh.body.node + cell->first;
    double corner[PC_ELEMENT_NODES_MAX][3];
    int nodes = pc_fe_mesh_corners(&c->mesh, &c->mesh.body, i, corner);
    for (int n = 0; n < nodes; n++)
      w->in_medium[node[n]] = 1;
    pc_quadrature rule;
    pc_quadrature_make(&rule, cell->type, pc_element_of(cell->type)->mass_degree);
    for (int p = 0; p < rule.points; p++) {
      pc_element_point at;
      pc_element_map(cell->type, (const double(*)[3])corner, rule.at[p], &at);
      double weight = rule.weight[p] * at.determinant;
      volume += weight;
      for (int n = 0; n < nodes; n++)
        pressure += weight * at.value[n] * w->pressure[node[n]];
    }
  }
  m->volume = volume;
  m->mass = def->density * volume;
  m->pressure_mean = def->fluid ? pressure / volume : NAN;
}

static pc_status measure_medium(const work *w, const pc_fe_collision *collision, int number,
                                pc_error *error)
{
  const pc_continuum *c = w->from;
  pc_continuum_medium *m = &w->medium[number];
  *m = (pc_continuum_medium){.name = c->medium_name[number], .fluid = c->def.medium[number].fluid};
  pc_status status = pc_fe_collision_stress(collision, number, w->medium_stress, error);
  if (status != PC_OK)
    return status;
  integrate_medium(w, number);
  make_empty(m->velocity_low, m->velocity_high, 3);
  make_empty(m->stress_low, m->stress_high, PC_FE_STRESS);
  m->pressure_low = m->pressure_high = NAN; // fmin and fmax take the other one
  for (int i = 0; i < c->mesh.nodes; i++) {
    if (!w->in_medium[i])
      continue;
    widen_velocity(w, i, m->velocity_low, m->velocity_high);
    if (m->fluid) {
      widen(w->pressure[i], &m->pressure_low, &m->pressure_high);
      w->in_fluid[i] = 1;
    }
    w->sharing[i]++;
    for (int k = 0; k < PC_FE_STRESS; k++) {
      widen(w->medium_stress[i][k], &m->stress_low[k], &m->stress_high[k]);
      w->stress[i][k] += (w->medium_stress[i][k] - w->stress[i][k]) / w->sharing[i];
    }
  }
  close_ranges(m->velocity_low, m->velocity_high, 3);
  return PC_OK;
}

static bool make_room(work *w)
{
  const pc_continuum *c = w->from;
  size_t nodes = (size_t)c->mesh.nodes + 1, values = nodes * (size_t)c->mesh.dimension;
  pc_arena *memory = w->memory;
  w->velocity = pc_arena_take(memory, values, sizeof *w->velocity);
  w->pressure = pc_arena_take(memory, nodes, sizeof *w->pressure);
  w->stress = pc_arena_take(memory, nodes, sizeof *w->stress);
  w->medium_stress = pc_arena_take(memory, nodes, sizeof *w->medium_stress);
  w->in_medium = pc_arena_take(memory, nodes, 1);
  w->in_fluid = pc_arena_take(memory, nodes, 1);
  w->sharing = pc_arena_take(memory, nodes, sizeof *w->sharing);
  w->point = pc_arena_take(memory, (size_t)w->solved->touches + 1, sizeof *w->point);
  w->found = pc_arena_take(memory, (size_t)w->solved->touches + 1, sizeof *w->found);
  w->touch = pc_arena_take(memory, (size_t)c->def.contacts + 1, sizeof *w->touch);
  w->medium = pc_arena_take(memory, (size_t)c->def.media + 1, sizeof *w->medium);
  w->body = pc_arena_take(memory, (size_t)c->def.bodies + 1, sizeof *w->body);
  return !memory->failed;
}

static void measure_bodies(const work *w)
{
  const pc_continuum *c = w->from;
  for (int i = 0; i < c->def.bodies; i++) {
    const pc_fe_body *def = &c->def.body[i];
    w->body[i].name = c->body_name[i];
    bool space = c->mesh.dimension == 3;
    for (int k = 0; k < (space ? 6 : 3); k++) {
      double spun = space ? def->moments[k % 3] : def->inertia;
      w->body[i].before[k] = c->body_velocity[i][k];
      w->body[i].after[k] = w->solved->body[i][k];
      w->body[i].percussion[k] = (k < (space ? 3 : 2) ? def->mass : spun) *
                                 (w->solved->body[i][k] - c->body_velocity[i][k]);
    }
  }
}

// The largest speed before, or of what was pushed after.
static double largest_speed(const work *w)
{
  const pc_continuum *c = w->from;
  double speed = 0;
  for (int i = 0; i < c->mesh.nodes * c->mesh.dimension; i++)
    speed = fmax(speed, fmax(fabs(c->velocity[i]), fabs(w->velocity[i])));
  for (int i = 0; i < c->def.bodies; i++)
    for (int k = 0; k < (c->mesh.dimension == 3 ? 3 : 2); k++)
      speed = fmax(speed, fabs(c->body_velocity[i][k]));
  return speed;
}

static pc_status take_answer(work *w, const pc_fe_collision *collision, pc_continuum_answer *answer,
                             pc_error *error)
{
  const pc_continuum *c = w->from;
  const pc_fe_account *a = &w->solved->account;
  if (!make_room(w))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  size_t nodes = (size_t)c->mesh.nodes, values = nodes * (size_t)c->mesh.dimension;
  memcpy(w->velocity, w->solved->velocity, values * sizeof *w->velocity);
  memcpy(w->pressure, w->solved->pressure, nodes * sizeof *w->pressure);
  for (int i = 0; i < c->def.media; i++) {
    pc_status status = measure_medium(w, collision, i, error);
    if (status != PC_OK)
      return status;
  }
  measure_points(w);
  measure_touches(w, largest_speed(w));
  measure_bodies(w);
  *answer = (pc_continuum_answer){
      .dimension = c->mesh.dimension,
      .nodes = c->mesh.nodes,
      .velocity = w->velocity,
      .pressure = w->pressure,
      .stress = (const double(*)[PC_FE_STRESS])w->stress,
      .points = w->solved->touches,
      .touches = c->def.contacts,
      .media = c->def.media,
      .bodies = c->def.bodies,
      .point = w->point,
      .touch = w->touch,
      .medium = w->medium,
      .body = w->body,
      .account = {a->kinetic_before, a->kinetic_after, a->work_pushes, a->work_holds, a->volume,
                  a->surface, a->reactions, a->identity, a->momentum, a->divergence,
                  a->complementarity, a->penetration, a->closed},
      .solved = w->solved->solved,
      .closed = a->closed,
      .iterations = w->solved->iterations,
      .residual = w->solved->residual,
      .cost = {w->solved->numbers, w->solved->assembly_s, w->solved->analyze_s, w->solved->factor_s,
               w->solved->response_s, w->solved->contact_s, w->solved->solve_s, w->solved->memory},
      .memory = w->memory};
  return pc_continuum_solve_heat(c, collision, w->solved, w->medium, w->memory, answer, error);
}

pc_status pc_continuum_solve(const pc_continuum *continuum, double tolerance,
                             pc_continuum_answer *answer, pc_error *error)
{
  if (continuum == NULL || answer == NULL)
    return pc_fail_null(error, "the continuum and the answer");
  *answer = (pc_continuum_answer){0};
  if (continuum->moves)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the file has a 'duration': simulate it with 'percuss run'");
  return pc_continuum_collide(continuum, tolerance, answer, error);
}

pc_status pc_continuum_collide(const pc_continuum *continuum, double tolerance,
                               pc_continuum_answer *answer, pc_error *error)
{
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  *answer = (pc_continuum_answer){0};
  double began = pc_clock_seconds();
  pc_fe_collision_def def = continuum->def;
  def.tolerance = tolerance > 0 ? tolerance : def.tolerance;
  pc_arena *memory = calloc(1, sizeof *memory);
  if (memory == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_fe_answer solved;
  work w = {.from = continuum, .solved = &solved, .memory = memory};
  pc_fe_collision *collision = pc_fe_collision_create(&def, error);
  pc_status status = collision == NULL ? error->status : PC_OK;
  if (status == PC_OK)
    status = pc_fe_collision_solve(collision, continuum->velocity,
                                   (const double(*)[PC_FE_BODY])continuum->body_velocity, &solved,
                                   error);
  if (status == PC_OK)
    status = take_answer(&w, collision, answer, error);
  pc_fe_collision_destroy(collision);
  answer->time_s = pc_clock_seconds() - began;
  if (status != PC_OK) {
    pc_arena_free(memory);
    free(memory);
    *answer = (pc_continuum_answer){0};
  }
  return status;
}

const pc_own pc_profile_own = {"the profile of a contact",
                               {{"x,y,weight,w_N,w_T,percussion_N,", NULL},
                                {"x,y,z,weight,w_N,w_T1,w_T2,", NULL},
                                {"x [m],y [m],weight [m],w_N [m/s],", NULL}, // earlier versions
                                {"x [m],y [m],z [m],weight [m2],", NULL}}};

// Along N and T: in space there are two T.
void pc_profile_head(int dimension, bool heated, char *head, size_t size)
{
  bool space = dimension == 3;
  snprintf(head, size, "%s,%s%scontact",
           space ? "x [m],y [m],z [m],weight [m2],w_N [m/s],w_T1 [m/s],w_T2 [m/s]"
                 : "x [m],y [m],weight [m],w_N [m/s],w_T [m/s]",
           space ? "percussion_N [Pa s],percussion_T1 [Pa s],percussion_T2 [Pa s],"
                 : "percussion_N [Pa s],percussion_T [Pa s],",
           heated ? "temperature [K],fraction_1,fraction_2,fraction_3," : "");
}

pc_status pc_continuum_write_profile(const pc_continuum *continuum,
                                     const pc_continuum_answer *answer, const char *path,
                                     pc_error *error)
{
  if (continuum == NULL || answer == NULL || path == NULL)
    return pc_fail_null(error, "the continuum, the answer and the path");
  pc_replace *file = pc_replace_begin(path, &pc_profile_own, error);
  if (file == NULL)
    return error != NULL ? error->status : PC_ERROR_IO;
  char head[300];
  int axes = answer->dimension == 3 ? 3 : 2;
  pc_profile_head(answer->dimension, answer->heated, head, sizeof head);
  pc_csv_write_head(file, head);
  for (int i = 0; i < answer->points; i++) {
    const pc_continuum_point *p = &answer->point[i];
    for (int k = 0; k < axes; k++)
      pc_replace_number(file, p->place[k], ',');
    pc_replace_number(file, p->weight, ',');
    for (int k = 0; k < axes; k++)
      pc_replace_number(file, p->after[k], ',');
    for (int k = 0; k < axes; k++)
      pc_replace_number(file, p->percussion[k], ',');
    if (answer->heated)
      pc_replace_number(file, answer->temperature[p->node], ',');
    for (int k = 0; answer->heated && k < 3; k++)
      pc_replace_number(file, answer->fraction[p->node][k], ',');
    pc_replace_text(file, continuum->contact_name[p->contact]);
    pc_replace_print(file, "\n");
  }
  return pc_replace_end(file, error);
}
