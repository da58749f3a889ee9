// Stating an impact problem: bodies, interactions, couplings, with every value checked.
#include "impact/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "impact/laws/law.h"

pc_impact *pc_impact_create(void)
{
  return calloc(1, sizeof(pc_impact));
}

void pc_impact_destroy(pc_impact *problem)
{
  if (problem == NULL)
    return;
  free(problem->body);
  free(problem->interaction);
  free(problem->term);
  free(problem->coefficient);
  free(problem->mass);
  free(problem->response);
  free(problem->before);
  free(problem->percussion);
  free(problem->after);
  free(problem->force);
  free(problem->shaped);
  free(problem);
}

void pc_impact_clear(pc_impact *problem)
{
  problem->bodies = problem->interactions = problem->terms = problem->coefficients = 0;
  problem->masses = problem->responses = problem->dofs = problem->rows = 0;
  problem->answered = false;
  problem->error = (pc_error){0};
}

const char *pc_impact_error(const pc_impact *problem)
{
  return problem->error.text;
}

static bool all_finite(int n, const double *x)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return false;
  return true;
}

static int refuse(pc_impact *problem, const char *why)
{
  pc_fail(&problem->error, PC_ERROR_ARGUMENT, "%s", why);
  return -1;
}

static int no_memory(pc_impact *problem)
{
  pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  return -1;
}

pc_impact_body pc_impact_body_default(void)
{
  return (pc_impact_body){.dof = 6, .mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

// Mass matrix with its inverse root, for a principal part that may be infinite: rows of infinite
// mass or inertia are prescribed and couple with nothing.
static const char *set_mass(pc_body_data *data, const double *matrix)
{
  int n = data->dof, free_count = 0, free_dof[PC_MAX_DOF];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = matrix[i * n + j], y = matrix[j * n + i];
      data->mass[i * n + j] = x;
      if (isnan(x) || (isinf(x) && i != j))
        return "the mass matrix has a number that is not finite";
      if (i != j && fabs(x - y) > 1e-9 * (fabs(x) + fabs(y)))
        return "the mass matrix is not symmetric";
    }
  for (int i = 0; i < n; i++) {
    data->prescribed[i] = isinf(matrix[i * n + i]);
    if (!data->prescribed[i])
      free_dof[free_count++] = i;
    for (int j = 0; j < n && data->prescribed[i]; j++)
      if (j != i && matrix[i * n + j] != 0)
        return "an infinite mass or inertia couples with another velocity";
  }
  double part[PC_MAX_DOF * PC_MAX_DOF], root[PC_MAX_DOF * PC_MAX_DOF];
  for (int i = 0; i < free_count; i++)
    for (int j = 0; j < free_count; j++)
      part[i * free_count + j] = matrix[free_dof[i] * n + free_dof[j]];
  if (free_count > 0 && !pc_small_inverse_root(free_count, part, root))
    return "mass and inertia must be positive";
  memset(data->root, 0, sizeof data->root);
  for (int i = 0; i < free_count; i++)
    for (int j = 0; j < free_count; j++)
      data->root[free_dof[i] * n + free_dof[j]] = root[i * free_count + j];
  return NULL;
}

int pc_impact_add_body(pc_impact *problem, const pc_impact_body *body)
{
  int n = body->dof;
  bool general = body->matrix != NULL;
  if (general ? n < 1 || n > PC_MAX_DOF : n != 1 && n != 2 && n != 3 && n != 6)
    return refuse(problem, "dof must be 1, 2, 3 or 6");
  if (!all_finite(n, body->velocity) || !all_finite(n, body->percussion) ||
      !all_finite(3, body->position))
    return refuse(problem, "velocity, percussion and position must be finite");
  pc_body_data data = {.dof = n, .start = problem->dofs, .generalised = general};
  memcpy(data.position, body->position, sizeof data.position);
  const char *why;
  if (general) {
    why = set_mass(&data, body->matrix);
  } else {
    double matrix[36] = {0};
    int linear = n == 6 ? 3 : n == 3 ? 2 : n;
    for (int i = 0; i < linear; i++)
      matrix[i * n + i] = body->mass;
    for (int i = linear; i < n; i++)
      for (int j = linear; j < n; j++)
        matrix[i * n + j] = body->inertia[n == 6 ? (i - 3) * 3 + j - 3 : 0];
    why = set_mass(&data, matrix);
  }
  if (why != NULL)
    return refuse(problem, why);
  if (!pc_grow(&problem->body, &problem->body_capacity, problem->bodies + 1, sizeof data) ||
      !pc_grow(&problem->before, &problem->before_capacity, problem->dofs + n, sizeof(double)) ||
      !pc_grow(&problem->percussion, &problem->percussion_capacity, problem->dofs + n,
               sizeof(double)))
    return no_memory(problem);
  memcpy(problem->before + data.start, body->velocity, sizeof(double) * (size_t)n);
  memcpy(problem->percussion + data.start, body->percussion, sizeof(double) * (size_t)n);
  problem->body[problem->bodies] = data;
  problem->dofs += n;
  problem->answered = false;
  return problem->bodies++;
}

static pc_status add_coupling(pc_impact *problem, pc_coupling **list, int *count, int *capacity,
                              int i, int j, int numbers, const double *block)
{
  if (!all_finite(numbers, block))
    return refuse(problem, "a coupling block has a number that is not finite"), PC_ERROR_ARGUMENT;
  if (!pc_grow(list, capacity, *count + 1, sizeof(pc_coupling)))
    return no_memory(problem), PC_ERROR_MEMORY;
  pc_coupling *coupling = &(*list)[(*count)++];
  coupling->i = i;
  coupling->j = j;
  memcpy(coupling->block, block, sizeof(double) * (size_t)numbers);
  problem->answered = false;
  return PC_OK;
}

pc_status pc_impact_couple_mass(pc_impact *problem, int i, int j, const double *block)
{
  if (i < 0 || j < 0 || i >= problem->bodies || j >= problem->bodies || i == j)
    return refuse(problem, "mass can couple two different bodies only"), PC_ERROR_ARGUMENT;
  return add_coupling(problem, &problem->mass, &problem->masses, &problem->mass_capacity, i, j,
                      problem->body[i].dof * problem->body[j].dof, block);
}

pc_status pc_impact_couple_response(pc_impact *problem, int k, int l, const double *block)
{
  if (k < 0 || l < 0 || k >= problem->interactions || l >= problem->interactions)
    return refuse(problem, "no such interaction"), PC_ERROR_ARGUMENT;
  pc_interaction_data *a = &problem->interaction[k], *b = &problem->interaction[l];
  if (a->terms > 0 || b->terms > 0)
    return refuse(problem, "a response is for interactions without bodies"), PC_ERROR_ARGUMENT;
  for (int i = 0; i < a->rows && k == l; i++)
    a->own[i] += block[i * a->rows + i];
  return add_coupling(problem, &problem->response, &problem->responses, &problem->response_capacity,
                      k, l, a->rows * b->rows, block);
}

pc_interaction pc_interaction_default(pc_interaction_type type)
{
  pc_interaction interaction = {.type = type, .bodies = {0, PC_OBSTACLE}, .normal = {1, 0, 0}};
  interaction.rows = 1;
  interaction.law.normal.p = 2;
  if (type == PC_CONTACT)
    interaction.law.normal.kind = PC_NORMAL_INELASTIC;
  else if (type != PC_ROWS)
    interaction.law.normal.kind = PC_NORMAL_QUADRATIC;
  return interaction;
}

int pc_interaction_active(const pc_interaction_data *interaction)
{
  bool normal = interaction->law.normal.kind != PC_NORMAL_NONE;
  bool only_normal = normal && interaction->law.tangential.kind == PC_TANGENTIAL_NONE;
  return only_normal && interaction->type != PC_SPIN ? 1 : interaction->rows;
}

static int space_of(const pc_body_data *body)
{
  return body->dof == 6 ? 3 : body->dof == 3 ? 2 : body->dof;
}

static const char *check_law(const pc_interaction *from)
{
  const pc_normal_law *normal = &from->law.normal;
  const pc_tangential_law *tangential = &from->law.tangential;
  const pc_row_ops *ops = pc_row_ops_of(normal->kind);
  bool elastic_only = normal->kind == PC_NORMAL_QUADRATIC || normal->kind == PC_NORMAL_BILATERAL;
  if (ops == NULL && from->type != PC_ROWS)
    return "the interaction has no law";
  const char *why = ops == NULL ? NULL : ops->check(normal);
  if (why != NULL)
    return why;
  if (from->type == PC_SPIN && !elastic_only)
    return "a spin interaction has a quadratic or a bilateral law";
  if (from->type == PC_DISTANCE && !elastic_only && normal->kind != PC_NORMAL_POWER)
    return "a distance interaction has a quadratic, power or bilateral law";
  if (from->type == PC_DISTANCE || from->type == PC_SPIN)
    return tangential->kind == PC_TANGENTIAL_NONE ? NULL : "only a contact has a tangential law";
  switch (tangential->kind) {
  case PC_TANGENTIAL_NONE:
  case PC_TANGENTIAL_BILATERAL:
    return NULL;
  case PC_TANGENTIAL_VISCOUS:
    return tangential->k >= 0 && isfinite(tangential->k)
               ? NULL
               : "the tangential k must be finite and not negative";
  case PC_TANGENTIAL_COULOMB:
    if (ops == NULL || normal->kind == PC_NORMAL_BILATERAL)
      return "coulomb needs a normal law that can only push";
    for (int i = 0; i < (tangential->anisotropic ? 2 : 1); i++)
      if (!(tangential->mu[i] >= 0 && isfinite(tangential->mu[i])))
        return "mu must be finite and not negative";
    return NULL;
  default:
    return "unknown tangential law";
  }
}

// An orthonormal frame N, T1, T2; in the plane T1 is N turned by a quarter. T1 follows the axis of
// an elliptic cone.
static const char *set_frame(pc_interaction_data *data, const pc_interaction *from, int space)
{
  double *n = data->frame, *t1 = n + 3, *t2 = n + 6, normal[3] = {0};
  memcpy(normal, from->normal, sizeof(double) * (size_t)space);
  double size = fmax(fabs(normal[0]), fmax(fabs(normal[1]), fabs(normal[2])));
  if (!(size > 0) || !isfinite(size))
    return "the normal has no length";
  for (int i = 0; i < 3; i++)
    normal[i] /= size;
  double length = pc_norm(3, normal);
  for (int i = 0; i < 3; i++)
    n[i] = normal[i] / length;
  if (space == 2) {
    t1[0] = -n[1];
    t1[1] = n[0];
  } else if (space == 3) {
    double along[3] = {0};
    const pc_tangential_law *law = &from->law.tangential;
    if (law->kind == PC_TANGENTIAL_COULOMB && law->anisotropic) {
      memcpy(along, law->axis, sizeof along);
      if (!all_finite(3, along))
        return "the axis of the cone is not finite";
    } else {
      int smallest = fabs(n[0]) <= fabs(n[1]) ? (fabs(n[0]) <= fabs(n[2]) ? 0 : 2)
                                              : (fabs(n[1]) <= fabs(n[2]) ? 1 : 2);
      along[smallest] = 1;
    }
    double total = pc_norm(3, along), into = pc_dot3(along, n);
    for (int i = 0; i < 3; i++)
      t1[i] = along[i] - into * n[i];
    double rest = pc_norm(3, t1);
    if (!(rest > 1e-9 * total))
      return "the axis of the cone must not be along the normal";
    for (int i = 0; i < 3; i++)
      t1[i] /= rest;
    pc_cross(n, t1, t2);
  }
  return NULL;
}

// Coefficients of (velocity at `point`) . direction for one body.
static void point_row(const pc_body_data *body, const double *point, const double *direction,
                      double sign, double *row)
{
  int space = space_of(body);
  double arm[3] = {0}, turn[3];
  for (int i = 0; i < space; i++) {
    arm[i] = point[i] - body->position[i];
    row[i] = sign * direction[i];
  }
  pc_cross(arm, direction, turn);
  if (body->dof == 3)
    row[2] = sign * turn[2];
  else if (body->dof == 6)
    for (int i = 0; i < 3; i++)
      row[3 + i] = sign * turn[i];
}

static bool add_term(pc_impact *problem, int body, int rows, double **coefficients)
{
  int numbers = rows * problem->body[body].dof;
  if (!pc_grow(&problem->term, &problem->term_capacity, problem->terms + 1, sizeof(pc_term_data)) ||
      !pc_grow(&problem->coefficient, &problem->coefficient_capacity,
               problem->coefficients + numbers, sizeof(double)))
    return false;
  problem->term[problem->terms++] = (pc_term_data){body, problem->coefficients};
  *coefficients = problem->coefficient + problem->coefficients;
  memset(*coefficients, 0, sizeof(double) * (size_t)numbers);
  problem->coefficients += numbers;
  return true;
}

// Contact, distance and spin between one or two bodies with a place in space.
static const char *add_geometry(pc_impact *problem, const pc_interaction *from,
                                pc_interaction_data *data)
{
  int count = from->bodies[1] == PC_OBSTACLE ? 1 : 2;
  for (int b = 0; b < count; b++)
    if (from->bodies[b] < 0 || from->bodies[b] >= problem->bodies)
      return "the interaction names no body";
  if (count == 2 && from->bodies[0] == from->bodies[1])
    return "a body cannot interact with itself";
  const pc_body_data *first = &problem->body[from->bodies[0]];
  int space = space_of(first);
  for (int b = 0; b < count; b++) {
    const pc_body_data *body = &problem->body[from->bodies[b]];
    if (body->generalised)
      return "a body with a general mass matrix takes explicit rows only";
    if (space_of(body) != space)
      return "the bodies live in spaces of different dimension";
    if (from->type == PC_SPIN && body->dof != 3 && body->dof != 6)
      return "a spin interaction needs bodies that turn (dof 3 or 6)";
  }
  double ends[2][3] = {{0}}, direction[3] = {0}, length = 0;
  if (from->type == PC_CONTACT) {
    if (space > 1 && !all_finite(space, from->point))
      return "the point must be finite";
    const char *why = set_frame(data, from, space);
    if (why != NULL)
      return why;
    data->rows = space;
    for (int i = 0; i < space; i++)
      ends[0][i] = ends[1][i] = from->point[i];
    for (int r = 0; r < space; r++)
      for (int i = 0; i < space; i++)
        data->given[r] += data->frame[3 * r + i] * from->given[i];
  } else if (from->type == PC_DISTANCE) {
    if (!all_finite(space, from->points[0]) || !all_finite(space, from->points[1]))
      return "the points must be finite";
    for (int i = 0; i < space; i++) {
      ends[0][i] = from->points[0][i];
      ends[1][i] = from->points[1][i];
      direction[i] = 2 * (ends[0][i] - ends[1][i]);
      length = fmax(length, fabs(direction[i]));
    }
    if (!(length > 0))
      return "the two points of a distance interaction must differ";
    data->rows = 1;
    data->given[0] = from->given[0];
  } else {
    data->rows = space == 3 ? 3 : 1;
    memcpy(data->given, from->given, sizeof(double) * (size_t)data->rows);
  }
  for (int b = 0; b < count; b++) {
    const pc_body_data *body = &problem->body[from->bodies[b]];
    double *row, sign = b == 0 ? 1 : -1;
    if (!add_term(problem, from->bodies[b], data->rows, &row))
      return "out of memory";
    for (int r = 0; r < data->rows; r++, row += body->dof) {
      if (from->type == PC_SPIN)
        row[body->dof == 3 ? 2 : 3 + r] = sign;
      else
        point_row(body, ends[b], from->type == PC_CONTACT ? data->frame + 3 * r : direction, sign,
                  row);
    }
  }
  return NULL;
}

static const char *add_rows(pc_impact *problem, const pc_interaction *from,
                            pc_interaction_data *data)
{
  if (from->rows < 1 || from->rows > PC_MAX_ROWS)
    return "explicit rows: 1 to 3";
  data->rows = from->rows;
  data->unilateral = from->unilateral || from->law.normal.kind == PC_NORMAL_INELASTIC ||
                     from->law.normal.kind == PC_NORMAL_RESTITUTION;
  memcpy(data->given, from->given, sizeof data->given);
  for (int t = 0; t < from->terms; t++) {
    int body = from->term[t].body;
    if (body < 0 || body >= problem->bodies)
      return "the interaction names no body";
    int numbers = from->rows * problem->body[body].dof;
    double *row;
    if (!all_finite(numbers, from->term[t].coefficients))
      return "the coefficients of a row must be finite";
    if (!add_term(problem, body, from->rows, &row))
      return "out of memory";
    memcpy(row, from->term[t].coefficients, sizeof(double) * (size_t)numbers);
  }
  return NULL;
}

int pc_impact_add_interaction(pc_impact *problem, const pc_interaction *from)
{
  int terms = problem->terms, coefficients = problem->coefficients;
  const char *why = check_law(from);
  pc_interaction_data data = {.type = from->type,
                              .row = problem->rows,
                              .term = terms,
                              .bound = from->bound,
                              .law = from->law};
  if (why == NULL && (!all_finite(3, from->given) || !all_finite(3, from->guess) || isnan(from->bound) || from->bound == INFINITY))
    why = "given, guess and bound must be finite";
  if (why == NULL && !pc_grow(&problem->interaction, &problem->interaction_capacity,
                              problem->interactions + 1, sizeof data))
    return no_memory(problem);
  if (why == NULL)
    why =
        from->type == PC_ROWS ? add_rows(problem, from, &data) : add_geometry(problem, from, &data);
  if (why != NULL) {
    problem->terms = terms;
    problem->coefficients = coefficients;
    return refuse(problem, why);
  }
  if (from->type == PC_CONTACT)
    data.unilateral = from->law.normal.kind != PC_NORMAL_PENETRABLE;
  bool bounded = data.unilateral || from->law.normal.kind == PC_NORMAL_BILATERAL;
  if (from->bound != 0 && !bounded) {
    problem->terms = terms;
    problem->coefficients = coefficients;
    return refuse(problem, "bound has no meaning for this law");
  }
  if (!pc_grow(&problem->force, &problem->force_capacity, problem->rows + data.rows,
               sizeof(double)))
    return no_memory(problem);
  for (int r = 0; r < data.rows; r++)
    problem->force[data.row + r] = from->type == PC_CONTACT
                                       ? pc_dot3(data.frame + 3 * r, from->guess)
                                       : from->guess[r];
  data.terms = problem->terms - terms;
  problem->rows += data.rows;
  problem->interaction[problem->interactions] = data;
  problem->answered = false;
  return problem->interactions++;
}

int pc_impact_bodies(const pc_impact *problem)
{
  return problem->bodies;
}
int pc_impact_interactions(const pc_impact *problem)
{
  return problem->interactions;
}
int pc_impact_dof(const pc_impact *problem, int body)
{
  return problem->body[body].dof;
}

pc_interaction_type pc_impact_interaction_type(const pc_impact *problem, int interaction)
{
  return problem->interaction[interaction].type;
}

static pc_status set_numbers(pc_impact *problem, double *vector, int body, const double *values)
{
  if (body < 0 || body >= problem->bodies)
    return refuse(problem, "no such body"), PC_ERROR_ARGUMENT;
  const pc_body_data *data = &problem->body[body];
  if (!all_finite(data->dof, values))
    return refuse(problem, "velocity and percussion must be finite"), PC_ERROR_ARGUMENT;
  memcpy(vector + data->start, values, sizeof(double) * (size_t)data->dof);
  return PC_OK;
}

pc_status pc_impact_set_velocity(pc_impact *problem, int body, const double *velocity)
{
  return set_numbers(problem, problem->before, body, velocity);
}

pc_status pc_impact_set_percussion(pc_impact *problem, int body, const double *percussion)
{
  return set_numbers(problem, problem->percussion, body, percussion);
}

void pc_impact_deformation(const pc_impact *problem, int interaction, const double *velocity,
                           double *d)
{
  const pc_interaction_data *data = &problem->interaction[interaction];
  for (int r = 0; r < data->rows; r++)
    d[r] = data->given[r];
  for (int t = data->term; t < data->term + data->terms; t++) {
    const pc_body_data *body = &problem->body[problem->term[t].body];
    const double *row = problem->coefficient + problem->term[t].at, *u = velocity + body->start;
    for (int r = 0; r < data->rows; r++, row += body->dof)
      for (int i = 0; i < body->dof; i++)
        d[r] += row[i] * u[i];
  }
}
