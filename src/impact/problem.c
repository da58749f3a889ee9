// Stating an impact problem: bodies, interactions, couplings, with every value checked.
#include "impact/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "impact/bulk.h"
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
  free(problem->turn);
  free(problem->matrix);
  free(problem->law);
  free(problem->interaction);
  free(problem->ends);
  free(problem->term);
  free(problem->coefficient);
  free(problem->mass);
  free(problem->response);
  free(problem->given);
  free(problem->before);
  free(problem->percussion);
  free(problem->after);
  free(problem->force);
  free(problem->shaped);
  for (int i = 0; i < problem->workers; i++)
    pc_arena_free(&problem->worker[i]);
  free(problem->worker);
  pc_arena_free(&problem->work);
  pc_arena_free(&problem->packed);
  free(problem);
}

void pc_impact_clear(pc_impact *problem)
{
  problem->bodies = problem->interactions = problem->terms = problem->coefficients = 0;
  problem->masses = problem->responses = problem->dofs = problem->rows = 0;
  problem->matrices = problem->laws = problem->even = problem->opened = 0;
  problem->answered = false;
  problem->error = (pc_error){0};
}

const char *pc_impact_error(const pc_impact *problem)
{
  return problem->error.text;
}

static inline bool all_finite(int n, const double *x)
{
  double sum = 0; // of zeros, or not a number
  for (int i = 0; i < n; i++)
    sum += x[i] - x[i];
  return sum == 0;
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

// A mass matrix with its inverse root, for a principal part that may be infinite: rows of infinite
// mass or inertia are prescribed and couple with nothing.
static const char *set_matrix(int n, const double *matrix, double *root, unsigned *prescribed)
{
  int free_count = 0, free_dof[PC_MAX_DOF];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = matrix[i * n + j], y = matrix[j * n + i];
      if (isnan(x) || (isinf(x) && i != j))
        return "the mass matrix has a number that is not finite";
      if (i != j && fabs(x - y) > 1e-9 * (fabs(x) + fabs(y)))
        return "the mass matrix is not symmetric";
    }
  *prescribed = 0;
  for (int i = 0; i < n; i++) {
    bool infinite = isinf(matrix[i * n + i]);
    if (infinite)
      *prescribed |= 1u << i;
    else
      free_dof[free_count++] = i;
    for (int j = 0; j < n && infinite; j++)
      if (j != i && matrix[i * n + j] != 0)
        return "an infinite mass or inertia couples with another velocity";
  }
  double part[PC_MAX_DOF * PC_MAX_DOF], small[PC_MAX_DOF * PC_MAX_DOF];
  for (int i = 0; i < free_count; i++)
    for (int j = 0; j < free_count; j++)
      part[i * free_count + j] = matrix[free_dof[i] * n + free_dof[j]];
  if (free_count > 0 && !pc_small_inverse_root(free_count, part, small))
    return "mass and inertia must be positive";
  memset(root, 0, sizeof(double) * (size_t)(n * n));
  for (int i = 0; i < free_count; i++)
    for (int j = 0; j < free_count; j++)
      root[free_dof[i] * n + free_dof[j]] = small[i * free_count + j];
  return NULL;
}

// Where the six numbers of a symmetric or triangular 3 x 3 matrix stand in it.
static const int place[6] = {0, 1, 2, 4, 5, 8};

// The inverse and its root of an inertia that is finite and positive; false if it is not.
static bool set_whole_inertia(pc_body_turn *turn, const double *m)
{
  double xx = m[0], yx = m[3], yy = m[4], zx = m[6], zy = m[7], zz = m[8];
  bool symmetric = fabs(m[1] - yx) <= 1e-9 * (fabs(m[1]) + fabs(yx)) &&
                   fabs(m[2] - zx) <= 1e-9 * (fabs(m[2]) + fabs(zx)) &&
                   fabs(m[5] - zy) <= 1e-9 * (fabs(m[5]) + fabs(zy));
  if (!symmetric || !(xx > 0 && xx < INFINITY))
    return false;
  // Its lower triangle C, C C^T; then L = C^-T.
  double a = 1 / sqrt(xx), p = yx * a, q = zx * a, left = yy - p * p;
  if (!(left > 1e-14 * yy && left < INFINITY))
    return false;
  double b = 1 / sqrt(left), r = (zy - q * p) * b, last = zz - q * q - r * r;
  if (!(last > 1e-14 * zz && last < INFINITY))
    return false;
  double c = 1 / sqrt(last), ab = -a * p * b, bc = -b * r * c, ac = -(q * a + r * ab) * c;
  double *l = turn->inverse_root, *inverse = turn->inverse;
  l[0] = a;
  l[1] = ab;
  l[2] = ac;
  l[3] = b;
  l[4] = bc;
  l[5] = c;
  inverse[0] = a * a + ab * ab + ac * ac;
  inverse[1] = ab * b + ac * bc;
  inverse[2] = ac * c;
  inverse[3] = b * b + bc * bc;
  inverse[4] = bc * c;
  inverse[5] = c * c;
  return true;
}

static const char *set_inertia(pc_body_data *data, pc_body_turn *turn, const double *inertia)
{
  unsigned prescribed = 0;
  if (data->dof == 3) {
    if (!(inertia[0] > 0))
      return isnan(inertia[0]) ? "the inertia is not a number"
                               : "mass and inertia must be positive";
    turn->inertia[5] = inertia[0];
    turn->inverse_root[5] = 1 / sqrt(inertia[0]);
    turn->inverse[5] = turn->inverse_root[5] * turn->inverse_root[5];
    if (isinf(inertia[0]))
      data->prescribed |= 4;
    return NULL;
  }
  for (int i = 0; i < 6; i++)
    turn->inertia[i] = inertia[place[i]];
  bool straight = inertia[1] == 0 && inertia[2] == 0 && inertia[5] == 0 && inertia[3] == 0 &&
                  inertia[6] == 0 && inertia[7] == 0;
  if (straight && inertia[0] > 0 && inertia[0] == inertia[4] && inertia[0] == inertia[8]) {
    double root = 1 / sqrt(inertia[0]);
    turn->inverse_root[0] = turn->inverse_root[3] = turn->inverse_root[5] = root;
    turn->inverse[0] = turn->inverse[3] = turn->inverse[5] = root * root;
    prescribed = isinf(inertia[0]) ? 7 : 0;
  } else if (straight && inertia[0] > 0 && inertia[4] > 0 && inertia[8] > 0) {
    for (int i = 0; i < 6; i = i == 0 ? 3 : i + 2) {
      double x = inertia[place[i]];
      turn->inverse_root[i] = 1 / sqrt(x);
      turn->inverse[i] = turn->inverse_root[i] * turn->inverse_root[i];
      prescribed |= (unsigned)isinf(x) << (place[i] / 4);
    }
  } else if (!set_whole_inertia(turn, inertia)) {
    double l[9];
    const char *why = set_matrix(3, inertia, l, &prescribed);
    if (why != NULL)
      return why;
    for (int k = 0; k < 6; k++) {
      int i = place[k] / 3, j = place[k] % 3;
      turn->inverse_root[k] = l[place[k]];
      turn->inverse[k] =
          l[3 * i] * l[3 * j] + l[3 * i + 1] * l[3 * j + 1] + l[3 * i + 2] * l[3 * j + 2];
    }
  }
  data->prescribed |= (unsigned char)(prescribed << 3);
  return NULL;
}

static const char *set_mass(pc_body_data *data, pc_body_turn *turn, const pc_impact_body *body)
{
  if (!(body->mass > 0))
    return isnan(body->mass) ? "the mass is not a number" : "mass and inertia must be positive";
  data->mass = body->mass;
  data->root = 1 / sqrt(body->mass);
  data->light = data->root * data->root;
  if (isinf(body->mass))
    data->prescribed = data->dof == 6 ? 7 : data->dof == 1 ? 1 : 3;
  return data->dof >= 3 ? set_inertia(data, turn, body->inertia) : NULL;
}

static const char *set_general(pc_impact *problem, pc_body_data *data, pc_body_turn *turn,
                               const double *matrix)
{
  unsigned prescribed;
  if (!pc_grow(&problem->matrix, &problem->matrix_capacity, problem->matrices + 1,
               sizeof(pc_body_matrix)))
    return "out of memory";
  pc_body_matrix *to = &problem->matrix[problem->matrices];
  const char *why = set_matrix(data->dof, matrix, to->root, &prescribed);
  if (why != NULL)
    return why;
  memcpy(to->mass, matrix, sizeof(double) * (size_t)(data->dof * data->dof));
  data->prescribed = (unsigned char)prescribed;
  data->general = true;
  turn->matrix = problem->matrices;
  return NULL;
}

static const pc_body_turn no_turn;

// Room for so many bodies. Those that are there have their turns in a new place then.
static bool open_bodies(pc_impact *problem, int bodies)
{
  int known = problem->turn_capacity;
  if (!pc_grow_aligned(&problem->body, &problem->body_capacity, bodies, sizeof(pc_body_data)) ||
      !pc_grow(&problem->turn, &problem->turn_capacity, bodies, sizeof(pc_body_turn)))
    return false;
  for (int b = 0; b < problem->bodies && problem->turn_capacity != known; b++)
    if (problem->body[b].turn != &no_turn)
      problem->body[b].turn = &problem->turn[b];
  return true;
}

// What a body needs besides its matrix.
static const char *set_body(pc_impact *problem, pc_body_data *data, int start,
                            const pc_impact_body *body)
{
  int n = body->dof;
  bool general = body->matrix != NULL, finite = all_finite(3, body->position);
  if (n == 6)
    finite = finite && all_finite(6, body->velocity) && all_finite(6, body->percussion);
  else
    finite = finite && all_finite(n, body->velocity) && all_finite(n, body->percussion);
  if (!finite)
    return "velocity, percussion and position must be finite";
  *data = (pc_body_data){.dof = (unsigned char)n, .start = start, .turn = &no_turn};
  pc_body_turn *turn = &problem->turn[data - problem->body];
  if (general || n > 2) {
    *turn = no_turn;
    data->turn = turn;
  }
  int space = n == 6 ? 3 : n == 3 ? 2 : n;
  for (int i = 0; i < space && i < 3; i++)
    data->position[i] = body->position[i];
  const char *why =
      general ? set_general(problem, data, turn, body->matrix) : set_mass(data, turn, body);
  if (why != NULL)
    return why;
  data->movable = data->prescribed != (1u << n) - 1;
  memcpy(problem->before + start, body->velocity, sizeof(double) * (size_t)n);
  memcpy(problem->percussion + start, body->percussion, sizeof(double) * (size_t)n);
  return NULL;
}

int pc_impact_add_body(pc_impact *problem, const pc_impact_body *body)
{
  int n = body->dof;
  bool general = body->matrix != NULL;
  if (general ? n < 1 || n > PC_MAX_DOF : n != 1 && n != 2 && n != 3 && n != 6)
    return refuse(problem, "dof must be 1, 2, 3 or 6");
  if (!open_bodies(problem, problem->bodies + 1) ||
      !pc_grow(&problem->before, &problem->before_capacity, problem->dofs + n, sizeof(double)) ||
      !pc_grow(&problem->percussion, &problem->percussion_capacity, problem->dofs + n,
               sizeof(double)))
    return no_memory(problem);
  const char *why = set_body(problem, &problem->body[problem->bodies], problem->dofs, body);
  if (why != NULL)
    return refuse(problem, why);
  problem->matrices += general;
  problem->dofs += n;
  problem->answered = false;
  return problem->bodies++;
}

const char *pc_impact_put_body(pc_impact *problem, int place_of, int start,
                               const pc_impact_body *body)
{
  return set_body(problem, &problem->body[place_of], start, body);
}

// A block of a body with mass and inertia: `linear` on the diagonal, `turning` below it.
static void fill(const pc_body_data *body, double linear, const double *turning, bool symmetric,
                 double *matrix)
{
  int n = body->dof, space = n == 6 ? 3 : n == 3 ? 2 : n;
  memset(matrix, 0, sizeof(double) * (size_t)(n * n));
  for (int i = 0; i < space; i++)
    matrix[i * n + i] = linear;
  if (n == 3)
    matrix[8] = turning[5];
  for (int k = 0; k < 6 && n == 6; k++) {
    int i = 3 + place[k] / 3, j = 3 + place[k] % 3;
    matrix[i * n + j] = turning[k];
    if (symmetric)
      matrix[j * n + i] = turning[k];
  }
}

void pc_body_mass(const pc_impact *problem, const pc_body_data *body, double *mass)
{
  if (body->general)
    memcpy(mass, problem->matrix[body->turn->matrix].mass,
           sizeof(double) * (size_t)(body->dof * body->dof));
  else
    fill(body, body->mass, body->turn->inertia, true, mass);
}

void pc_body_root(const pc_impact *problem, const pc_body_data *body, double *root)
{
  if (body->general)
    memcpy(root, problem->matrix[body->turn->matrix].root,
           sizeof(double) * (size_t)(body->dof * body->dof));
  else
    fill(body, body->root, body->turn->inverse_root, false, root);
}

// y = root^T f
static inline void turn_back(int n, const double *root, const double *f, double *y)
{
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += root[j * n + i] * f[j];
  }
}

void pc_body_whiten(const pc_impact *problem, const pc_body_data *body, const double *f, double *y)
{
  int n = body->dof, space = n == 6 ? 3 : n == 3 ? 2 : n;
  const double *l = body->turn->inverse_root;
  if (body->general) {
    const double *root = problem->matrix[body->turn->matrix].root;
    if (n == 6)
      turn_back(6, root, f, y);
    else
      turn_back(n, root, f, y);
    return;
  }
  for (int i = 0; i < space; i++)
    y[i] = body->root * f[i];
  if (n == 3)
    y[2] = l[5] * f[2];
  if (n == 6) {
    y[3] = l[0] * f[3];
    y[4] = l[1] * f[3] + l[3] * f[4];
    y[5] = l[2] * f[3] + l[4] * f[4] + l[5] * f[5];
  }
}

void pc_body_move(const pc_impact *problem, const pc_body_data *body, const double *y, double *u)
{
  int n = body->dof, space = n == 6 ? 3 : n == 3 ? 2 : n;
  const double *l = body->turn->inverse_root;
  if (body->general) {
    const double *root = problem->matrix[body->turn->matrix].root;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        u[i] += root[i * n + j] * y[j];
    return;
  }
  for (int i = 0; i < space; i++)
    u[i] += body->root * y[i];
  if (n == 3)
    u[2] += l[5] * y[2];
  if (n == 6) {
    u[3] += l[0] * y[3] + l[1] * y[4] + l[2] * y[5];
    u[4] += l[3] * y[4] + l[4] * y[5];
    u[5] += l[5] * y[5];
  }
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

int pc_interaction_active(const pc_law *law, const pc_interaction_data *interaction)
{
  bool normal = law->normal.kind != PC_NORMAL_NONE;
  bool only_normal = normal && law->tangential.kind == PC_TANGENTIAL_NONE;
  return only_normal && interaction->type != PC_SPIN ? 1 : pc_interaction_rows(interaction);
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
    if (tangential->rolls && !(tangential->rolling >= 0 && isfinite(tangential->rolling)))
      return "the coefficient of rolling friction must be finite and not negative";
    return NULL;
  default:
    return "unknown tangential law";
  }
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
      return "the normal has no length";
    for (int i = 0; i < 3; i++)
      normal[i] /= size;
    square = pc_dot3(normal, normal);
  }
  double length = sqrt(square);
  for (int i = 0; i < 3; i++)
    data->normal[i] = normal[i] / length;
  return NULL;
}

// An orthonormal frame N, T1, T2; in the plane T1 is N turned by a quarter. T1 follows the axis of
// an elliptic cone. False if that is along N.
static bool contact_frame(const pc_law *law, const pc_interaction_data *data, double *frame)
{
  double *n = frame, *t1 = n + 3, *t2 = n + 6;
  bool elliptic = law->tangential.kind == PC_TANGENTIAL_COULOMB && law->tangential.anisotropic;
  pc_contact_axes(data->normal, data->rows < 3, frame);
  if (!elliptic || data->rows < 3)
    return true;
  const double *along = law->tangential.axis;
  double into = pc_dot3(along, n);
  for (int i = 0; i < 3; i++)
    t1[i] = along[i] - into * n[i];
  double rest = pc_norm(3, t1);
  if (!(rest > 1e-9 * pc_norm(3, along)))
    return false;
  for (int i = 0; i < 3; i++)
    t1[i] /= rest;
  pc_cross(n, t1, t2);
  return true;
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

// Coefficients of spin . axis, in the plane of the spin. A body that does not turn has none.
static void spin_row(const pc_body_data *body, const double *axis, double sign, double *row)
{
  memset(row, 0, sizeof(double) * (size_t)body->dof);
  if (body->dof == 3)
    row[2] = sign;
  for (int i = 0; i < 3 && body->dof == 6; i++)
    row[3 + i] = sign * axis[i];
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

static const char *add_contact(const pc_interaction *from, const pc_law *whole, int space,
                               pc_interaction_data *data)
{
  if (space > 1 && !all_finite(space, from->point))
    return "the point must be finite";
  const char *why = set_normal(data, from->normal, space);
  if (why != NULL)
    return why;
  data->rows = space;
  memcpy(data->body, from->bodies, sizeof data->body);
  for (int i = 0; i < space; i++) {
    data->point[i] = space > 1 ? from->point[i] : 0;
    data->given[i] = from->given[i];
  }
  const pc_tangential_law *law = &whole->tangential;
  if (law->kind == PC_TANGENTIAL_COULOMB && law->rolls) {
    if (space < 2)
      return "rolling friction needs bodies in the plane or in space";
    data->spins = space == 3 ? 3 : 1;
    if (space == 2)
      data->given[2] = from->given[2];
  }
  if (space == 3 && law->kind == PC_TANGENTIAL_COULOMB && law->anisotropic) {
    double frame[9];
    if (!all_finite(3, law->axis))
      return "the axis of the cone is not finite";
    if (!contact_frame(whole, data, frame))
      return "the axis of the cone must not be along the normal";
  }
  return NULL;
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
    if (body->general)
      return "a body with a general mass matrix takes explicit rows only";
    if (space_of(body) != space)
      return "the bodies live in spaces of different dimension";
    if (from->type == PC_SPIN && body->dof != 3 && body->dof != 6)
      return "a spin interaction needs bodies that turn (dof 3 or 6)";
  }
  data->terms = count;
  if (from->type == PC_CONTACT)
    return add_contact(from, pc_law_of(problem, data), space, data);
  double ends[2][3] = {{0}}, direction[3] = {0}, length = 0;
  if (from->type == PC_DISTANCE) {
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
        point_row(body, ends[b], direction, sign, row);
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
    return "explicit rows with rolling friction: 3 in the plane, 5 in space";
  if (!rolls && (from->rows < 1 || from->rows > 3))
    return "explicit rows: 1 to 3";
  data->rows = from->rows;
  data->unilateral = from->unilateral || from->law.normal.kind == PC_NORMAL_INELASTIC ||
                     from->law.normal.kind == PC_NORMAL_RESTITUTION;
  memcpy(data->given, from->given, sizeof data->given);
  data->terms = from->terms;
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

// What the audit of many contacts at a time asks for, in the order of audit_kernels.h.
static void set_account(const pc_law *law, double *account)
{
  const pc_tangential_law *tangential = &law->tangential;
  bool bounces = law->normal.kind == PC_NORMAL_RESTITUTION;
  bool rubs = tangential->kind == PC_TANGENTIAL_COULOMB;
  bool restitution = rubs && bounces && tangential->on == PC_ON_MOREAU;
  bool friction = rubs && !restitution && tangential->on != PC_ON_MEAN;
  account[0] = bounces ? law->normal.e : 0;
  account[1] = law->normal.kind == PC_NORMAL_QUADRATIC ? law->normal.k : 0;
  account[2] = tangential->kind != PC_TANGENTIAL_NONE;
  account[3] = !restitution && !friction;
  account[4] = friction;
  account[5] = restitution;
}

static bool same_law(const pc_law *a, const pc_law *b)
{
  const pc_normal_law *n = &a->normal, *m = &b->normal;
  const pc_tangential_law *s = &a->tangential, *t = &b->tangential;
  return n->kind == m->kind && n->k == m->k && n->p == m->p && n->k0 == m->k0 &&
         n->u_lim == m->u_lim && n->e == m->e && s->kind == t->kind && s->k == t->k &&
         s->mu[0] == t->mu[0] && s->mu[1] == t->mu[1] && s->anisotropic == t->anisotropic &&
         s->axis[0] == t->axis[0] && s->axis[1] == t->axis[1] && s->axis[2] == t->axis[2] &&
         s->on == t->on && s->rolls == t->rolls && s->rolling == t->rolling;
}

// The place of a law in the table, or -1. It is checked once; the last ones are tried first.
static int find_law(pc_impact *problem, const pc_interaction *from)
{
  for (int i = problem->laws - 1; i >= 0 && i >= problem->laws - 16; i--)
    if (problem->law[i].type == from->type && same_law(&problem->law[i].law, &from->law))
      return i;
  const char *why = check_law(from);
  if (why != NULL)
    return refuse(problem, why);
  if (!pc_grow(&problem->law, &problem->law_capacity, problem->laws + 1, sizeof(pc_law_data)))
    return no_memory(problem);
  const pc_normal_law *normal = &from->law.normal;
  const pc_tangential_law *tangential = &from->law.tangential;
  pc_law_data data = {.law = from->law, .type = from->type};
  data.row.ops = pc_row_ops_of(normal->kind);
  if (data.row.ops != NULL)
    data.row.ops->scale(&data.row, normal, 1);
  data.row.equality = normal->kind == PC_NORMAL_BILATERAL;
  bool rubs = tangential->kind == PC_TANGENTIAL_COULOMB;
  bool drags = tangential->kind == PC_TANGENTIAL_VISCOUS;
  data.packable = from->type == PC_CONTACT &&
                  (normal->kind == PC_NORMAL_INELASTIC || normal->kind == PC_NORMAL_RESTITUTION ||
                   normal->kind == PC_NORMAL_QUADRATIC) &&
                  (tangential->kind == PC_TANGENTIAL_NONE || drags ||
                   (rubs && !tangential->anisotropic && !tangential->rolls));
  data.linear = from->type == PC_ROWS && normal->kind == PC_NORMAL_QUADRATIC &&
                (tangential->kind == PC_TANGENTIAL_NONE || drags);
  data.extra =
      normal->kind == PC_NORMAL_QUADRATIC || drags || (rubs && tangential->on != PC_ON_AFTER);
  set_account(&from->law, data.account);
  problem->law[problem->laws] = data;
  return problem->laws++;
}

static const char *set_interaction(pc_impact *problem, pc_interaction_data *data,
                                   const pc_interaction *from)
{
  const pc_tangential_law *tangential = &pc_law_of(problem, data)->tangential;
  int numbers = tangential->kind == PC_TANGENTIAL_COULOMB && tangential->rolls ? PC_MAX_ROWS : 3;
  if (!all_finite(numbers, from->given) || !all_finite(numbers, from->guess) ||
      isnan(from->bound) || from->bound == INFINITY)
    return "given, guess and bound must be finite";
  pc_normal_kind kind = pc_law_of(problem, data)->normal.kind;
  data->type = from->type;
  data->bound = from->bound;
  const char *why =
      from->type == PC_ROWS ? add_rows(problem, from, data) : add_geometry(problem, from, data);
  if (from->type == PC_CONTACT)
    data->unilateral = kind != PC_NORMAL_PENETRABLE;
  bool bounded = data->unilateral || kind == PC_NORMAL_BILATERAL;
  if (why == NULL && from->bound != 0 && !bounded)
    why = "bound has no meaning for this law";
  for (int r = 0; r < pc_interaction_numbers(data) && why == NULL; r++) {
    problem->force[data->row + r] = from->guess[r];
    if (r >= 3)
      problem->given[data->row + r] = from->given[r];
  }
  return why;
}

int pc_impact_add_interaction(pc_impact *problem, const pc_interaction *from)
{
  int terms = problem->terms, coefficients = problem->coefficients;
  int law = find_law(problem, from);
  if (law < 0)
    return -1;
  if (!pc_grow(&problem->interaction, &problem->interaction_capacity, problem->interactions + 1,
               sizeof(pc_interaction_data)) ||
      !pc_grow(&problem->force, &problem->force_capacity, problem->rows + PC_MAX_ROWS,
               sizeof(double)) ||
      (from->law.tangential.rolls && !pc_grow(&problem->given, &problem->given_capacity,
                                              problem->rows + PC_MAX_ROWS, sizeof(double))))
    return no_memory(problem);
  pc_interaction_data *data = &problem->interaction[problem->interactions];
  *data = (pc_interaction_data){.row = problem->rows, .law = law, .term = terms};
  const char *why = set_interaction(problem, data, from);
  if (why != NULL) {
    problem->terms = terms;
    problem->coefficients = coefficients;
    return refuse(problem, why);
  }
  problem->rows += pc_interaction_numbers(data);
  problem->answered = false;
  return problem->interactions++;
}

int pc_impact_add_law(pc_impact *problem, const pc_law *law)
{
  pc_interaction like = pc_interaction_default(PC_CONTACT);
  like.law = *law;
  return find_law(problem, &like);
}

pc_status pc_impact_open(pc_impact *problem, int bodies, int dofs, int contacts, int numbers)
{
  if (!open_bodies(problem, bodies) ||
      !pc_grow(&problem->before, &problem->before_capacity, dofs, sizeof(double)) ||
      !pc_grow(&problem->percussion, &problem->percussion_capacity, dofs, sizeof(double)) ||
      !pc_grow(&problem->interaction, &problem->interaction_capacity, contacts,
               sizeof(pc_interaction_data)) ||
      !pc_grow(&problem->ends, &problem->ends_capacity, contacts, sizeof(pc_ends)) ||
      !pc_grow(&problem->force, &problem->force_capacity, numbers * contacts + PC_MAX_ROWS,
               sizeof(double)) ||
      (numbers > 3 && !pc_grow(&problem->given, &problem->given_capacity,
                               numbers * contacts + PC_MAX_ROWS, sizeof(double))))
    return no_memory(problem), PC_ERROR_MEMORY;
  problem->bodies = bodies;
  problem->dofs = dofs;
  problem->interactions = problem->opened = contacts;
  problem->rows = numbers * contacts;
  problem->numbers = numbers;
  problem->even = numbers == 3 && dofs == PC_MAX_DOF * bodies ? contacts : 0;
  problem->answered = false;
  return PC_OK;
}

// The ends of a contact with a packable law, without given velocities.
static inline pc_ends plain_ends(const pc_impact *problem, int law, const int *bodies, int space)
{
  const pc_tangential_law *tangential = &problem->law[law].law.tangential;
  unsigned kind = PC_ENDS_PACKABLE | (space == 3 ? PC_ENDS_SPACE : 0);
  bool extra = problem->law[law].extra;
  pc_ends ends = {.body = {-1, -1}, .rows = 1};
  for (int t = 0; t < 2; t++)
    if (bodies[t] != PC_OBSTACLE) {
      bool movable = problem->body[bodies[t]].movable;
      ends.body[t] = movable ? bodies[t] : -1;
      extra = extra || !movable;
    }
  if (tangential->kind == PC_TANGENTIAL_COULOMB)
    kind |= PC_ENDS_COULOMB | PC_ENDS_FRICTION;
  if (tangential->kind == PC_TANGENTIAL_VISCOUS)
    kind |= PC_ENDS_VISCOUS;
  if (tangential->kind != PC_TANGENTIAL_NONE)
    ends.rows = (unsigned char)space;
  ends.kind = (unsigned char)(kind | (extra ? PC_ENDS_EXTRA : 0));
  return ends;
}

bool pc_impact_put_plain(pc_impact *problem, int place_of, int law, const pc_plain_contact *contact)
{
  const double *n = contact->normal, *x = contact->point, *p = contact->guess;
  const pc_body_data *body = &problem->body[contact->bodies[0]];
  int row = problem->numbers * place_of, space = space_of(body);
  double square = pc_dot3(n, n), none = contact->bound - contact->bound; // zeros, or not a number
  for (int i = 0; i < 3; i++)
    none += (x[i] - x[i]) + (p[i] - p[i]);
  if (!(none == 0 && square > 1e-100 && square < 1e100) || !problem->law[law].packable ||
      space < 2 || (space == 2 && n[2] != 0))
    return false;
  double length = contact->sign * sqrt(square), *force = problem->force + row;
  problem->interaction[place_of] =
      (pc_interaction_data){.type = PC_CONTACT,
                            .rows = space,
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
  problem->ends[place_of] = plain_ends(problem, law, contact->bodies, space);
  problem->ends[place_of].settled = contact->settled;
  return true;
}

void pc_impact_prefetch(const pc_impact *problem, int one, int other)
{
  if (one >= 0)
    __builtin_prefetch(&problem->body[one]);
  if (other >= 0)
    __builtin_prefetch(&problem->body[other]);
}

const char *pc_impact_put_contact(pc_impact *problem, int place_of, int law,
                                  const pc_interaction *contact)
{
  pc_interaction_data *data = &problem->interaction[place_of];
  problem->ends[place_of].rows = 0;
  *data = (pc_interaction_data){.row = problem->numbers * place_of, .law = law};
  return set_interaction(problem, data, contact);
}

pc_status pc_impact_reserve(pc_impact *problem, int bodies, int interactions)
{
  bool room =
      open_bodies(problem, bodies) &&
      pc_grow(&problem->before, &problem->before_capacity, PC_MAX_DOF * bodies, sizeof(double)) &&
      pc_grow(&problem->percussion, &problem->percussion_capacity, PC_MAX_DOF * bodies,
              sizeof(double)) &&
      pc_grow(&problem->interaction, &problem->interaction_capacity, interactions,
              sizeof(pc_interaction_data)) &&
      pc_grow(&problem->force, &problem->force_capacity, 3 * interactions + PC_MAX_ROWS,
              sizeof(double));
  return room ? PC_OK : (no_memory(problem), PC_ERROR_MEMORY);
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
  problem->paired = 0;
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

void pc_impact_rows(const pc_impact *problem, const pc_interaction_data *data, pc_rows *rows)
{
  if (data->type != PC_CONTACT)
    return;
  contact_frame(pc_law_of(problem, data), data, rows->frame);
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body[data->body[t]];
    for (int r = 0; r < data->rows; r++)
      point_row(body, data->point, rows->frame + 3 * r, t == 0 ? 1 : -1,
                rows->contact[t] + r * body->dof);
    for (int r = data->rows; r < pc_interaction_rows(data); r++)
      spin_row(body, rows->frame + 3 * (r - data->rows + 1), t == 0 ? 1 : -1,
               rows->contact[t] + r * body->dof);
  }
}

void pc_impact_deformation(const pc_impact *problem, const pc_interaction_data *data,
                           const pc_rows *rows, const double *velocity, double *d)
{
  int count = pc_interaction_rows(data);
  for (int r = 0; r < count; r++)
    if (data->type == PC_CONTACT && r < data->rows)
      d[r] = pc_dot3(rows->frame + 3 * r, data->given);
    else if (data->spins == 3)
      d[r] = pc_dot3(rows->frame + 3 * (r - 2), problem->given + data->row + 3);
    else
      d[r] = pc_interaction_given(problem, data, r);
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body[pc_term_body(problem, data, t)];
    const double *row = pc_term_rows(problem, data, rows, t), *u = velocity + body->start;
    for (int r = 0; r < count; r++, row += body->dof)
      for (int i = 0; i < body->dof; i++)
        d[r] += row[i] * u[i];
  }
}
