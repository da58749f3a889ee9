// The interactions of an impact problem, by geometry or by rows, with every value checked; one by
// one or many at once.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "impact/bulk.h"
#include "impact/stating.h"

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

static const char *set_normal(pc_interaction_data *data, const double *from, int space)
{
  double normal[3] = {0}, square = 0;
  for (int i = 0; i < space; i++) {
    normal[i] = from[i];
    square += from[i] * from[i];
  }
  if (!(square > 1e-100 && square < 1e100)) {
    double size = fmax(fabs(normal[0]), fmax(fabs(normal[1]), fabs(normal[2])));
    if (!(size > 0) || !isfinite(size) || isnan(square))
      return "the normal must not be zero";
    for (int i = 0; i < 3; i++)
      normal[i] /= size;
    square = pc_dot3(normal, normal);
  }
  double length = sqrt(square);
  for (int i = 0; i < 3; i++)
    data->normal[i] = normal[i] / length;
  return NULL;
}

static bool add_term(pc_impact *problem, int body, int rows, double **coefficients)
{
  int numbers = rows * problem->body.at[body].dof;
  if (!pc_array_reserve(&problem->term, problem->term.count + 1) ||
      !pc_array_reserve(&problem->coefficient, problem->coefficient.count + numbers))
    return false;
  problem->term.at[problem->term.count++] = (pc_term_data){body, problem->coefficient.count};
  *coefficients = problem->coefficient.at + problem->coefficient.count;
  memset(*coefficients, 0, sizeof(double) * (size_t)numbers);
  problem->coefficient.count += numbers;
  return true;
}

static const char *add_contact(const pc_interaction *from, const pc_law *whole, int space,
                               pc_interaction_data *data)
{
  if (space > 1 && !pc_all_finite(space, from->point))
    return "the point must be finite";
  const char *why = set_normal(data, from->normal, space);
  if (why != NULL)
    return why;
  data->rows = (unsigned char)space;
  memcpy(data->body, from->bodies, sizeof data->body);
  for (int i = 0; i < space; i++)
    data->point[i] = space > 1 ? from->point[i] : 0;
  const pc_tangential_law *law = &whole->tangential;
  if (law->kind == PC_TANGENTIAL_COULOMB && law->rolls) {
    if (space < 2)
      return "rolling friction needs bodies in the plane or in space";
    data->spins = space == 3 ? 3 : 1;
  }
  if (space == 3 && law->kind == PC_TANGENTIAL_COULOMB && law->anisotropic) {
    double frame[9];
    if (!pc_all_finite(3, law->axis))
      return "the axis of the cone must be finite";
    if (!pc_contact_frame(whole, data, frame))
      return "the axis of the cone must not be parallel to the normal";
  }
  return NULL;
}

// Contact, distance and spin between one or two bodies with a place in space.
static const char *add_geometry(pc_impact *problem, const pc_interaction *from,
                                pc_interaction_data *data)
{
  int count = from->bodies[1] == PC_OBSTACLE ? 1 : 2;
  for (int b = 0; b < count; b++)
    if (from->bodies[b] < 0 || from->bodies[b] >= problem->body.count)
      return "the interaction needs at least one body";
  if (count == 2 && from->bodies[0] == from->bodies[1])
    return "a body cannot interact with itself";
  const pc_body_data *first = &problem->body.at[from->bodies[0]];
  int space = pc_body_space(first);
  for (int b = 0; b < count; b++) {
    const pc_body_data *body = &problem->body.at[from->bodies[b]];
    if (body->general)
      return "a body with a general mass matrix can have explicit rows only";
    if (pc_body_space(body) != space)
      return "the bodies have different dimensions";
    if (from->type == PC_SPIN && body->dof != 3 && body->dof != 6)
      return "a spin interaction needs bodies that can rotate (dof 3 or 6)";
  }
  data->terms = count;
  if (from->type == PC_CONTACT)
    return add_contact(from, pc_law_of(problem, data), space, data);
  double ends[2][3] = {{0}}, direction[3] = {0}, length = 0;
  if (from->type == PC_DISTANCE) {
    if (!pc_all_finite(space, from->points[0]) || !pc_all_finite(space, from->points[1]))
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
  } else {
    data->rows = space == 3 ? 3 : 1;
  }
  for (int b = 0; b < count; b++) {
    const pc_body_data *body = &problem->body.at[from->bodies[b]];
    double *row, sign = b == 0 ? 1 : -1;
    if (!add_term(problem, from->bodies[b], data->rows, &row))
      return "out of memory";
    for (int r = 0; r < data->rows; r++, row += body->dof) {
      if (from->type == PC_SPIN)
        row[body->dof == 3 ? 2 : 3 + r] = sign;
      else
        pc_point_row(body, ends[b], direction, sign, row);
    }
  }
  return NULL;
}

static const char *add_rows(pc_impact *problem, const pc_interaction *from,
                            pc_interaction_data *data)
{
  const pc_tangential_law *law = &from->law.tangential;
  bool rolls = law->kind == PC_TANGENTIAL_COULOMB && law->rolls;
  if (rolls && from->rows != 3 && from->rows != 5)
    return "explicit rows with rolling friction must be 3 in the plane or 5 in space";
  if (!rolls && (from->rows < 1 || from->rows > 3))
    return "an interaction needs 1 to 3 explicit rows";
  if (from->terms < 0 || (from->terms > 0 && from->term == NULL))
    return "explicit rows need a list of terms, or a count of 0";
  data->rows = (unsigned char)from->rows;
  data->unilateral = from->unilateral || from->law.normal.kind == PC_NORMAL_INELASTIC ||
                     from->law.normal.kind == PC_NORMAL_RESTITUTION;
  data->terms = from->terms;
  for (int t = 0; t < from->terms; t++) {
    int body = from->term[t].body;
    if (body < 0 || body >= problem->body.count)
      return "the interaction needs at least one body";
    int numbers = from->rows * problem->body.at[body].dof;
    double *row;
    if (from->term[t].coefficients == NULL || !pc_all_finite(numbers, from->term[t].coefficients))
      return "the coefficients of a row must be finite";
    if (!add_term(problem, body, from->rows, &row))
      return "out of memory";
    memcpy(row, from->term[t].coefficients, sizeof(double) * (size_t)numbers);
  }
  return NULL;
}

static bool is_given(const pc_interaction *from)
{
  for (int i = 0; i < PC_MAX_ROWS; i++)
    if (from->given[i] != 0)
      return true;
  return false;
}

static const char *set_interaction(pc_impact *problem, pc_interaction_data *data,
                                   const pc_interaction *from)
{
  const pc_tangential_law *tangential = &pc_law_of(problem, data)->tangential;
  int numbers = tangential->kind == PC_TANGENTIAL_COULOMB && tangential->rolls ? PC_MAX_ROWS : 3;
  if (!pc_all_finite(numbers, from->given) || !pc_all_finite(numbers, from->guess) ||
      isnan(from->bound) || from->bound == INFINITY)
    return "given, guess and bound must be finite";
  pc_normal_kind kind = pc_law_of(problem, data)->normal.kind;
  data->type = (unsigned char)from->type;
  data->bound = from->bound;
  const char *why =
      from->type == PC_ROWS ? add_rows(problem, from, data) : add_geometry(problem, from, data);
  if (from->type == PC_CONTACT)
    data->unilateral = kind != PC_NORMAL_PENETRABLE;
  bool bounded = data->unilateral || kind == PC_NORMAL_BILATERAL;
  if (why == NULL && from->bound != 0 && !bounded)
    why = "this law does not use 'bound'";
  if (why != NULL)
    return why;
  const int count = pc_interaction_numbers(data);
  memcpy(problem->force.at + data->row, from->guess, sizeof(double) * (size_t)count);
  data->driven = is_given(from);
  data->leads = false;
  if (data->driven) {
    double *given = problem->given.at[data - problem->interaction.at];
    for (int i = 0; i < PC_MAX_ROWS; i++)
      given[i] = i < count ? from->given[i] : 0;
  }
  return NULL;
}

int pc_impact_add_interaction(pc_impact *problem, const pc_interaction *from)
{
  if (problem == NULL || from == NULL)
    return problem == NULL ? -1 : pc_impact_refuse(problem, "the interaction must not be NULL");
  int terms = problem->term.count, coefficients = problem->coefficient.count;
  int law = pc_impact_find_law(problem, from->type, &from->law);
  if (law < 0)
    return -1;
  int more = from->type == PC_ROWS && from->terms > 0 ? from->terms : 2;
  if (more > (INT_MAX - coefficients) / (PC_MAX_ROWS * PC_MAX_DOF) ||
      !pc_array_reserve(&problem->term, terms + more) ||
      !pc_array_reserve(&problem->coefficient, coefficients + PC_MAX_ROWS * PC_MAX_DOF * more) ||
      !pc_array_reserve(&problem->interaction, problem->interaction.count + 1) ||
      !pc_array_reserve(&problem->force, problem->rows + PC_MAX_ROWS) ||
      (is_given(from) && !pc_array_reserve(&problem->given, problem->interaction.count + 1)))
    return pc_impact_no_memory(problem);
  pc_interaction_data *data = &problem->interaction.at[problem->interaction.count];
  *data = (pc_interaction_data){.row = problem->rows, .law = law, .term = terms};
  const char *why = set_interaction(problem, data, from);
  if (why != NULL) {
    problem->term.count = terms;
    problem->coefficient.count = coefficients;
    return pc_impact_refuse(problem, why);
  }
  problem->rows += pc_interaction_numbers(data);
  problem->answered = false;
  return problem->interaction.count++;
}

// Numbers of rows and velocities are counted in ints.
enum { MOST_RESERVED = (INT_MAX - PC_MAX_ROWS) / PC_MAX_DOF };

pc_status pc_impact_reserve(pc_impact *problem, int bodies, int interactions)
{
  if (problem == NULL)
    return PC_ERROR_ARGUMENT;
  if (bodies < 0 || interactions < 0)
    return pc_impact_refuse(problem, "the numbers of bodies and interactions must not be negative"),
           PC_ERROR_ARGUMENT;
  if (bodies > MOST_RESERVED || interactions > MOST_RESERVED)
    return pc_impact_no_memory(problem), PC_ERROR_MEMORY;
  bool room = pc_impact_open_bodies(problem, bodies) &&
              pc_array_reserve(&problem->before, PC_MAX_DOF * bodies) &&
              pc_array_reserve(&problem->percussion, PC_MAX_DOF * bodies) &&
              pc_array_reserve(&problem->interaction, interactions) &&
              pc_array_reserve(&problem->force, 3 * interactions + PC_MAX_ROWS);
  return room ? PC_OK : (pc_impact_no_memory(problem), PC_ERROR_MEMORY);
}

pc_status pc_impact_open(pc_impact *problem, int bodies, int dofs, int contacts, int numbers,
                         bool driven)
{
  if (!pc_impact_open_bodies(problem, bodies) ||
      !pc_array_reserve_scratch(&problem->before, dofs) ||
      !pc_array_reserve_scratch(&problem->percussion, dofs) ||
      !pc_array_reserve_scratch(&problem->interaction, contacts) ||
      !pc_array_reserve_scratch(&problem->ends, contacts) ||
      !pc_array_reserve_scratch(&problem->force, numbers * contacts + PC_MAX_ROWS) ||
      (driven && !pc_array_reserve_scratch(&problem->given, contacts)))
    return pc_impact_no_memory(problem), PC_ERROR_MEMORY;
  problem->body.count = bodies;
  problem->dofs = dofs;
  problem->interaction.count = problem->opened = contacts;
  problem->rows = numbers * contacts;
  problem->numbers = numbers;
  problem->even = numbers == 2 || (numbers == 3 && dofs == PC_MAX_DOF * bodies) ? contacts : 0;
  problem->answered = false;
  return PC_OK;
}

// The ends of a contact with a packable law, without given velocities.
static inline pc_ends plain_ends(const pc_impact *problem, int law, const int *bodies, int space,
                                 bool settled)
{
  const pc_tangential_law *tangential = &problem->law.at[law].law.tangential;
  unsigned kind = PC_ENDS_PACKABLE | (space == 3 ? PC_ENDS_SPACE : 0);
  bool extra = problem->law.at[law].extra;
  int first = bodies[0], second = bodies[1], rows = 1; // made in registers, and written at once
  if (!problem->body.at[first].movable) {
    first = -1;
    extra = true;
  }
  if (second == PC_OBSTACLE) {
    second = -1;
  } else if (!problem->body.at[second].movable) {
    second = -1;
    extra = true;
  }
  if (tangential->kind == PC_TANGENTIAL_COULOMB)
    kind |= PC_ENDS_COULOMB | PC_ENDS_FRICTION;
  if (tangential->kind == PC_TANGENTIAL_VISCOUS)
    kind |= PC_ENDS_VISCOUS;
  if (tangential->kind != PC_TANGENTIAL_NONE)
    rows = space;
  return (pc_ends){{first, second},
                   (unsigned char)rows,
                   (unsigned char)(kind | (extra ? PC_ENDS_EXTRA : 0)),
                   settled,
                   false};
}

bool pc_impact_put_plain(pc_impact *problem, int place_of, int law, const pc_plain_contact *contact)
{
  const double *n = contact->normal, *x = contact->point, *p = contact->guess;
  const pc_body_data *body = &problem->body.at[contact->bodies[0]];
  int row = problem->numbers * place_of, space = pc_body_space(body);
  double square = pc_dot3(n, n), none = contact->bound - contact->bound; // zeros, or not a number
  for (int i = 0; i < 3; i++)
    none += (x[i] - x[i]) + (p[i] - p[i]);
  if (!(none == 0 && square > 1e-100 && square < 1e100) || !problem->law.at[law].packable ||
      space < 2 || (space == 2 && n[2] != 0))
    return false;
  double length = contact->sign * sqrt(square), *force = problem->force.at + row;
  problem->interaction.at[place_of] =
      (pc_interaction_data){.type = PC_CONTACT,
                            .rows = (unsigned char)space,
                            .row = row,
                            .law = law,
                            .terms = contact->bodies[1] == PC_OBSTACLE ? 1 : 2,
                            .body = {contact->bodies[0], contact->bodies[1]},
                            .unilateral = true,
                            .bound = contact->bound,
                            .normal = {n[0] / length, n[1] / length, n[2] / length},
                            .point = {x[0], x[1], space == 3 ? x[2] : 0}};
  for (int i = 0; i < space; i++)
    force[i] = contact->sign * p[i];
  problem->ends.at[place_of] = plain_ends(problem, law, contact->bodies, space, contact->settled);
  return true;
}

bool pc_impact_put_twin(pc_impact *problem, int place_of, const pc_plain_contact *contact)
{
  const double *x = contact->point, *p = contact->guess;
  pc_interaction_data *data = &problem->interaction.at[place_of];
  double none = contact->bound - contact->bound; // as in pc_impact_put_plain
  for (int i = 0; i < 3; i++)
    none += (x[i] - x[i]) + (p[i] - p[i]);
  if (none != 0)
    return false;
  *data = data[-1];
  data->row += problem->numbers;
  data->bound = contact->bound;
  data->point[0] = x[0];
  data->point[1] = x[1];
  data->point[2] = data->rows == 3 ? x[2] : 0;
  for (int i = 0; i < data->rows; i++)
    problem->force.at[data->row + i] = contact->sign * p[i];
  problem->ends.at[place_of] = problem->ends.at[place_of - 1];
  problem->ends.at[place_of].settled = contact->settled;
  return true;
}

void pc_impact_prefetch(const pc_impact *problem, int one, int other)
{
  if (one >= 0)
    __builtin_prefetch(&problem->body.at[one]);
  if (other >= 0)
    __builtin_prefetch(&problem->body.at[other]);
}

void pc_impact_lead(pc_impact *problem, int place_of)
{
  problem->interaction.at[place_of].leads = problem->interaction.at[place_of].driven;
}

const char *pc_impact_put_contact(pc_impact *problem, int place_of, int law,
                                  const pc_interaction *contact)
{
  pc_interaction_data *data = &problem->interaction.at[place_of];
  problem->ends.at[place_of].rows = 0;
  *data = (pc_interaction_data){.row = problem->numbers * place_of, .law = law};
  const char *why = set_interaction(problem, data, contact);
  for (int i = pc_interaction_numbers(data); i < problem->numbers && why == NULL; i++)
    problem->force.at[data->row + i] = 0;
  return why;
}
