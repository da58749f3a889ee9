// Forces: gravity, loads, callbacks; and stiff elements, which are linearised and taken implicitly.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "geometry/cut.h"
#include "rigid/forces.h"

static bool finite3(const double *v)
{
  return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static bool all_finite(const double six[6])
{
  return finite3(six) && finite3(six + 3);
}

pc_status pc_world_add_force(pc_world *world, pc_force *force, void *context)
{
  if (!pc_array_reserve(&world->forces.callback, world->forces.callback.count + 1))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  world->forces.callback.at[world->forces.callback.count++] = (pc_force_entry){force, context};
  return PC_OK;
}

pc_status pc_world_add_load(pc_world *world, pc_body body, const double force[6],
                            const pc_signal *signal)
{
  if (body.id < 1 || body.id > world->bodies.count)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "no such body");
  if (!finite3(force) || !finite3(force + 3))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "a load must be finite");
  pc_load load = {.body = pc_body_slot(world, body)};
  memcpy(load.force, force, sizeof load.force);
  if (!pc_array_reserve(&world->forces.load, world->forces.load.count + 1) ||
      (signal != NULL && !pc_signal_copy(&load.signal, signal)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  world->forces.load.at[world->forces.load.count++] = load;
  return PC_OK;
}

static int bodies_of(const pc_force_element *element)
{
  return element->kind == PC_ELEMENT_NET ? element->count : 1;
}

int pc_element_add(pc_world *world, const pc_force_element *element)
{
  if (element->kind == PC_ELEMENT_SPRING)
    pc_sleep_rouse(world, element->body);
  for (int i = 0; i < element->count; i++)
    pc_sleep_rouse(world, element->bodies[i]);
  int bodies = bodies_of(element);
  for (int e = 0; e < world->elements.list.count; e++)
    bodies += bodies_of(&world->elements.list.at[e]);
  if (!pc_array_reserve(&world->elements.list, world->elements.list.count + 1) ||
      !pc_array_reserve(&world->elements.energy, bodies)) {
    pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  world->elements.list.at[world->elements.list.count] = *element;
  return world->elements.list.count++;
}

int pc_world_add_spring(pc_world *world, pc_body body, const double point[3],
                        const double normal[3], double stiffness)
{
  double length = pc_norm(3, normal);
  if (body.id < 1 || body.id > world->bodies.count || !finite3(point) || !(length > 0) ||
      !isfinite(length) || !(stiffness > 0) || !isfinite(stiffness)) {
    pc_fail(&world->error, PC_ERROR_ARGUMENT,
            "a spring needs a body, a finite point, a normal and a positive stiffness");
    return -1;
  }
  pc_force_element spring = {
      .kind = PC_ELEMENT_SPRING, .stiffness = stiffness, .body = pc_body_slot(world, body)};
  const pc_body_state *state = &world->bodies.state.at[spring.body];
  double m[9], arm[3];
  pc_quaternion_matrix(state->orientation, m);
  for (int i = 0; i < 3; i++) {
    spring.normal[i] = normal[i] / length;
    spring.place[i] = point[i];
    arm[i] = point[i] - state->position[i];
  }
  pc_rotate_back(m, arm, spring.point);
  return pc_element_add(world, &spring);
}

// The centre of mass of the bodies of a net, and its velocity.
static void centre_of(const pc_world *world, const pc_force_element *net, double centre[3],
                      double velocity[3])
{
  for (int k = 0; k < 3; k++)
    centre[k] = velocity[k] = 0;
  for (int i = 0; i < net->count; i++) {
    const pc_body_state *state = &world->bodies.state.at[net->bodies[i]];
    double share = world->bodies.solid.at[net->bodies[i]].mass / net->mass;
    for (int k = 0; k < 3; k++) {
      centre[k] += share * state->position[k];
      velocity[k] += share * state->velocity[k];
    }
  }
}

static void move_nets(pc_world *world)
{
  for (int e = 0; e < world->elements.list.count; e++) {
    pc_force_element *net = &world->elements.list.at[e];
    if (!net->moves)
      continue;
    centre_of(world, net, net->shift, net->drift);
    for (int k = 0; k < 3; k++)
      net->shift[k] -= net->origin[k];
  }
}

int pc_world_add_net(pc_world *world, const double low[3], const double high[3], double stiffness,
                     bool moves, int count, const pc_body *bodies)
{
  bool sound = stiffness > 0 && isfinite(stiffness) && count > 0;
  for (int i = 0; i < world->def.dimension; i++)
    sound = sound && low[i] < high[i];
  if (!sound) {
    pc_fail(&world->error, PC_ERROR_ARGUMENT,
            "a net needs bodies, low below high and a positive stiffness");
    return -1;
  }
  pc_force_element net = {
      .kind = PC_ELEMENT_NET, .stiffness = stiffness, .moves = moves, .count = count};
  memcpy(net.low, low, sizeof net.low);
  memcpy(net.high, high, sizeof net.high);
  net.bodies = malloc(sizeof(int) * (size_t)count);
  if (net.bodies == NULL) {
    pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  for (int i = 0; i < count; i++) {
    pc_cut cut;
    pc_pose pose = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    bool known = bodies[i].id >= 1 && bodies[i].id <= world->bodies.count;
    int body = known ? pc_body_slot(world, bodies[i]) : -1;
    const double up[3] = {1, 0, 0};
    if (body < 0 || world->bodies.solid.at[body].kind != PC_FREE ||
        !pc_shape_cut(world->bodies.solid.at[body].shape, &pose, up, 0, &cut)) {
      free(net.bodies);
      pc_fail(&world->error, PC_ERROR_ARGUMENT,
              "a net holds free spheres, boxes, polyhedra, discs, polygons and compounds of them");
      return -1;
    }
    net.bodies[i] = body;
    net.mass += world->bodies.solid.at[body].mass;
  }
  for (int k = 0; k < 3; k++)
    net.origin[k] = moves ? 0.5 * (low[k] + high[k]) : 0;
  int number = pc_element_add(world, &net);
  if (number < 0)
    free(net.bodies);
  return number;
}

void pc_elements_free(pc_elements *elements)
{
  for (int i = 0; i < elements->list.count; i++)
    free(elements->list.at[i].bodies);
  for (int i = 0; i < PC_PIECES && elements->found != NULL; i++)
    pc_array_free(&elements->found[i]);
  free(elements->found);
  pc_array_free(&elements->list);
  pc_array_free(&elements->bond);
  pc_array_free(&elements->row);
  pc_array_free(&elements->energy);
}

void pc_forces_free(pc_forces *forces)
{
  for (int i = 0; i < forces->load.count; i++)
    pc_signal_free(&forces->load.at[i].signal);
  pc_array_free(&forces->callback);
  pc_array_free(&forces->load);
  pc_array_free(&forces->given);
  pc_array_free(&forces->loaded);
}

void pc_world_element_force(const pc_world *world, int element, double force[3], double *energy)
{
  memset(force, 0, 3 * sizeof(double));
  *energy = 0;
  if (element < 0 || element >= world->elements.list.count)
    return;
  memcpy(force, world->elements.list.at[element].force, 3 * sizeof(double));
  *energy = world->elements.list.at[element].energy;
}

typedef struct push_job {
  pc_world *world;
  double h;
} push_job;

static void push_some(void *context, int begin, int end, int worker)
{
  const push_job *job = context;
  double room[6];
  for (int i = begin; i < end; i++)
    pc_forces_push(job->world, i, job->h, room);
}

// The caller's forces, one after the other: they may not be safe on several threads.
static void call_forces(pc_world *world, double h, double middle)
{
  for (int id = 1; id <= world->bodies.count && world->forces.callback.count > 0; id++) {
    pc_body body = {id};
    int i = pc_body_slot(world, body);
    if (world->bodies.solid.at[i].mass == 0 || world->bodies.solid.at[i].absent)
      continue;
    for (int f = 0; f < world->forces.callback.count; f++) {
      double force[6] = {0};
      world->forces.callback.at[f].force(world->forces.callback.at[f].context, middle, body,
                                         &world->bodies.state.at[i], force);
      for (int k = 0; k < 6; k++)
        world->forces.loaded.at[i][k] += h * force[k];
    }
  }
}

static void load_given(void *context, int begin, int end, int worker)
{
  const push_job *job = context;
  for (int i = begin; i < end; i++)
    pc_forces_set(job->world, i, job->h, job->world->forces.loaded.at[i]);
}

pc_status pc_forces_lost(pc_world *world, int i)
{
  return pc_fail(&world->error, PC_ERROR_NUMERIC, "the force on body %d is not finite",
                 pc_body_number(world, i).id);
}

// P_ext from what is known already: for the second time in a step.
void pc_forces_again(pc_world *world, double h)
{
  push_job job = {world, h};
  pc_parallel(pc_world_threads(world), world->bodies.count, 1000, push_some, &job);
}

pc_status pc_forces_load(pc_world *world, double h)
{
  double middle = world->clock.time + 0.5 * h;
  if (!pc_forces_any(world))
    return PC_OK;
  push_job job = {world, h};
  pc_parallel(pc_world_threads(world), world->bodies.count, 1000, load_given, &job);
  for (int i = 0; i < world->bodies.count && world->bodies.guided > 0; i++) {
    const pc_solid *body = &world->bodies.solid.at[i];
    for (int k = 0; k < 3 && body->kind == PC_GUIDED && body->mass > 0; k++)
      world->forces.loaded.at[i][k] += h * body->form->load * body->form->guide[k];
  }
  call_forces(world, h, middle);
  for (int l = 0; l < world->forces.load.count; l++) {
    const pc_load *load = &world->forces.load.at[l];
    double size = load->signal.kind == PC_SIGNAL_NONE ? 1 : pc_signal_value(&load->signal, middle);
    for (int k = 0; k < 6; k++)
      world->forces.loaded.at[load->body][k] += h * size * load->force[k];
  }
  for (int i = 0;
       i < world->bodies.count && (world->forces.callback.count > 0 ||
                                   world->forces.load.count > 0 || world->forces.given_bodies > 0);
       i++)
    if (!all_finite(world->forces.loaded.at[i]))
      return pc_forces_lost(world, i);
  return PC_OK;
}

void pc_body_row(const pc_solid *body, const pc_body_state *state, const double point[3],
                 const double direction[3], double *row)
{
  if (body->dof == 1) {
    row[0] = pc_dot3(direction, body->form->guide);
    return;
  }
  double arm[3], turned[3];
  for (int i = 0; i < 3; i++)
    arm[i] = point[i] - state->position[i];
  pc_cross(arm, direction, turned);
  row[0] = direction[0];
  row[1] = direction[1];
  if (body->dof == 3)
    row[2] = turned[2];
  if (body->dof == 6) {
    row[2] = direction[2];
    memcpy(row + 3, turned, sizeof turned);
  }
}

static const pc_stiff fresh = {
    .body = {-1, -1}, .element = -1, .rows = 1, .theta = 0.5, .interaction = -1};

pc_stiff *pc_stiff_add(pc_world *world)
{
  if (!pc_array_reserve(&world->elements.row, world->elements.row.count + 1)) {
    pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  pc_stiff *stiff = &world->elements.row.at[world->elements.row.count++];
  *stiff = fresh;
  return stiff;
}

pc_stiff *pc_stiff_list_add(pc_stiff_list *list)
{
  if (!pc_array_reserve(list, list->count + 1))
    return NULL;
  pc_stiff *stiff = &list->at[list->count++];
  *stiff = fresh;
  return stiff;
}

// How far a spring is pressed, and where its point is.
static double spring_depth(const pc_world *world, const pc_force_element *spring, double point[3])
{
  const pc_body_state *state = &world->bodies.state.at[spring->body];
  double m[9], arm[3], depth = 0;
  pc_quaternion_matrix(state->orientation, m);
  pc_rotate(m, spring->point, arm);
  for (int i = 0; i < 3; i++) {
    point[i] = state->position[i] + arm[i];
    depth -= spring->normal[i] * (point[i] - spring->place[i]);
  }
  return depth;
}

static bool spring_rows(const pc_world *world, int number, pc_stiff_list *list)
{
  const pc_force_element *spring = &world->elements.list.at[number];
  const pc_solid *body = &world->bodies.solid.at[spring->body];
  double point[3], depth = spring_depth(world, spring, point);
  if ((depth <= 0 && !pc_reserve_left(spring)) || body->mass == 0)
    return true;
  pc_stiff *stiff = pc_stiff_list_add(list);
  if (stiff == NULL)
    return false;
  double in[3] = {-spring->normal[0], -spring->normal[1], -spring->normal[2]};
  stiff->body[0] = spring->body;
  stiff->element = number;
  stiff->stiffness = spring->stiffness;
  stiff->force = spring->stiffness * depth;
  pc_body_row(body, &world->bodies.state.at[spring->body], point, in, stiff->row[0]);
  memcpy(stiff->force_row[0], stiff->row[0], sizeof stiff->force_row[0]);
  return true;
}

// The section's principal axes across the normal and its second moments along them.
static void section_axes(const pc_cut *cut, const double normal[3], double axes[2][3],
                         double second[2])
{
  double t[2][3], a[2][2];
  pc_across(normal, t[0], t[1]);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double image[3];
      pc_rotate(cut->area_second, t[j], image);
      a[i][j] = pc_dot3(t[i], image);
    }
  double angle = 0.5 * atan2(2 * a[0][1], a[0][0] - a[1][1]), c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++) {
    axes[0][i] = c * t[0][i] + s * t[1][i];
    axes[1][i] = -s * t[0][i] + c * t[1][i];
  }
  second[0] = fmax(0, c * c * a[0][0] + 2 * c * s * a[0][1] + s * s * a[1][1]);
  second[1] = fmax(0, s * s * a[0][0] - 2 * c * s * a[0][1] + c * c * a[1][1]);
}

// Face `side` of a net: 0, 1 low and high x, and so on; outward normal and its offset, `time` after
// now.
static double net_face(const pc_force_element *net, int side, double time, double normal[3])
{
  int axis = side / 2;
  double moved = net->moves ? net->shift[axis] + time * net->drift[axis] : 0;
  memset(normal, 0, 3 * sizeof(double));
  normal[axis] = side % 2 == 0 ? -1 : 1;
  return side % 2 == 0 ? -net->low[axis] - moved : net->high[axis] + moved;
}

static bool net_cut(const pc_force_element *net, const pc_solid *body, const pc_body_state *state,
                    int side, double time, double normal[3], pc_cut *cut)
{
  double offset = net_face(net, side, time, normal);
  if (!isfinite(offset) || pc_dot3(normal, state->position) + body->radius <= offset)
    return false;
  pc_pose pose = pc_body_pose(body, state);
  return pc_shape_cut(body->shape, &pose, normal, offset, cut) && cut->volume > 0;
}

// Where a body at the middle of the step would be at its end.
static pc_body_state ahead(const pc_body_state *state, double time)
{
  pc_body_state end = *state;
  double way[3], q[4];
  for (int i = 0; i < 3; i++) {
    end.position[i] += time * state->velocity[i];
    way[i] = time * state->spin[i];
  }
  pc_quaternion_exp(way, q);
  pc_quaternion_multiply(q, state->orientation, end.orientation);
  return end;
}

// The force k V along -normal at the centroid of the volume outside derives from k times the
// integral of the distance over it. Moving the body out by u(x) changes it by k times the integral
// of (normal . u)^2 over the section: the stiffness, in three rows.
//
// A net that would throw a body back within one step must be felt in the step in which the body
// enters it: it is taken at the end of the step. A softer one is taken at the middle, which keeps
// its energy.
static bool face_rows(const pc_world *world, int number, int b, int side, double h,
                      pc_stiff_list *list)
{
  const pc_force_element *net = &world->elements.list.at[number];
  const pc_solid *body = &world->bodies.solid.at[b];
  const pc_body_state *middle = &world->bodies.state.at[b], *state;
  pc_body_state end = ahead(middle, 0.5 * h);
  double normal[3], centroid[3], centre[3], theta = 1;
  pc_cut cut;
  state = &end;
  if (!net_cut(net, body, &end, side, 0.5 * h, normal, &cut))
    return true;
  if (net->stiffness * cut.area * h * h < body->mass) {
    state = middle;
    theta = 0.5;
    if (!net_cut(net, body, middle, side, 0, normal, &cut))
      return true;
  }
  pc_stiff *stiff = pc_stiff_list_add(list);
  if (stiff == NULL)
    return false;
  for (int k = 0; k < 3; k++) {
    centroid[k] = cut.moment[k] / cut.volume;
    centre[k] = cut.area > 0 ? cut.area_moment[k] / cut.area : centroid[k];
  }
  stiff->body[0] = b;
  stiff->element = number;
  stiff->theta = theta;
  stiff->force = net->stiffness * cut.volume;
  stiff->stiffness = net->stiffness * cut.area;
  pc_body_row(body, state, centroid, normal, stiff->force_row[0]);
  pc_body_row(body, state, centre, normal, stiff->row[0]);
  if (!body->turns || !(cut.area > 0))
    return true;
  double axes[2][3], second[2];
  section_axes(&cut, normal, axes, second);
  if (world->def.dimension == 2) { // one tilt, about z
    stiff->rows = 2;
    stiff->row[0][3 + 2] = sqrt((second[0] + second[1]) / cut.area);
    return true;
  }
  stiff->rows = 3;
  for (int r = 0; r < 2; r++) {
    double tilt[3];
    pc_cross(axes[r], normal, tilt);
    for (int k = 0; k < 3; k++)
      stiff->row[0][6 * (r + 1) + 3 + k] = sqrt(second[r] / cut.area) * tilt[k];
  }
  return true;
}

// Bodies of all elements, one after the other, in pieces.
typedef struct element_job {
  pc_world *world;
  int count; // of them
  double h;
  bool failed[PC_PIECES];
} element_job;

static element_job start_job(pc_world *world, double h)
{
  element_job job = {.world = world, .h = h};
  for (int e = 0; e < world->elements.list.count; e++)
    job.count += bodies_of(&world->elements.list.at[e]);
  return job;
}

// The element of entry `at` of the list, and the number of the body in it.
static int find_entry(const pc_world *world, int at, int *body)
{
  int e = 0;
  for (; at >= bodies_of(&world->elements.list.at[e]); e++)
    at -= bodies_of(&world->elements.list.at[e]);
  *body = at;
  return e;
}

static void find_rows(void *context, int begin, int end, int worker)
{
  element_job *job = context;
  const pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    int last = pc_piece_begin(job->count, piece + 1), at = pc_piece_begin(job->count, piece), i;
    pc_stiff_list *list = &world->elements.found[piece];
    bool found = true;
    list->count = 0;
    for (int e = find_entry(world, at, &i); at < last && found; at++, i++) {
      if (i == bodies_of(&world->elements.list.at[e])) {
        e++;
        i = 0;
      }
      const pc_force_element *element = &world->elements.list.at[e];
      if (element->kind == PC_ELEMENT_SPRING)
        found = spring_rows(world, e, list);
      if (element->kind == PC_ELEMENT_STRING)
        found = pc_string_rows(world, e, job->h, list);
      for (int side = 0; side < 2 * world->def.dimension && found; side++)
        if (element->kind == PC_ELEMENT_NET)
          found = face_rows(world, e, element->bodies[i], side, job->h, list);
    }
    job->failed[piece] = !found;
  }
}

// Springs and strings have one row each, so no two write to one element.
static void limit_rows(void *context, int begin, int end, int worker)
{
  const element_job *job = context;
  for (int s = begin; s < end; s++)
    pc_reserve_limit(job->world, job->h, &job->world->elements.row.at[s]);
}

pc_status pc_elements_rows(pc_world *world, double h)
{
  element_job job = start_job(world, h);
  int pieces = pc_pieces(job.count);
  world->elements.row.count = 0;
  if (job.count == 0)
    return PC_OK;
  if (world->elements.found == NULL)
    world->elements.found = calloc(PC_PIECES, sizeof *world->elements.found);
  if (world->elements.found == NULL)
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  move_nets(world);
  pc_parallel(pc_world_threads(world), pieces, 1, find_rows, &job);
  for (int i = 0; i < pieces; i++) {
    const pc_stiff_list *list = &world->elements.found[i];
    if (job.failed[i] ||
        !pc_array_reserve(&world->elements.row, world->elements.row.count + list->count))
      return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
    if (list->count > 0)
      memcpy(world->elements.row.at + world->elements.row.count, list->at,
             sizeof(pc_stiff) * (size_t)list->count);
    world->elements.row.count += list->count;
  }
  pc_parallel(pc_world_threads(world), world->elements.row.count, 500, limit_rows, &job);
  return PC_OK;
}

static void find_energies(void *context, int begin, int end, int worker)
{
  const element_job *job = context;
  const pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    int last = pc_piece_begin(job->count, piece + 1), at = pc_piece_begin(job->count, piece), i;
    for (int e = find_entry(world, at, &i); at < last; at++, i++) {
      if (i == bodies_of(&world->elements.list.at[e])) {
        e++;
        i = 0;
      }
      const pc_force_element *element = &world->elements.list.at[e];
      double energy = 0, point[3], normal[3];
      pc_cut cut;
      if (element->kind == PC_ELEMENT_SPRING) {
        double depth = fmax(0, spring_depth(world, element, point));
        energy = 0.5 * element->stiffness * depth * depth;
      }
      if (element->kind == PC_ELEMENT_STRING)
        energy = pc_string_energy(world, element);
      for (int side = 0; side < 2 * world->def.dimension; side++)
        if (element->kind == PC_ELEMENT_NET &&
            net_cut(element, &world->bodies.solid.at[element->bodies[i]],
                    &world->bodies.state.at[element->bodies[i]], side, 0, normal, &cut))
          energy += element->stiffness * cut.depth;
      world->elements.energy.at[at] = energy;
    }
  }
}

double pc_elements_stored(pc_world *world)
{
  element_job job = start_job(world, 0);
  double sum = 0;
  int at = 0;
  if (job.count == 0)
    return 0;
  move_nets(world);
  pc_parallel(pc_world_threads(world), pc_pieces(job.count), 1, find_energies, &job);
  for (int e = 0; e < world->elements.list.count; e++) {
    pc_force_element *element = &world->elements.list.at[e];
    element->energy = 0;
    for (int i = 0; i < bodies_of(element); i++)
      element->energy += world->elements.energy.at[at++];
    sum += element->energy;
  }
  return sum;
}
