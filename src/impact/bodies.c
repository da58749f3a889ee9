// The bodies of an impact problem: mass and inertia or a mass matrix, checked, and their inverse
// roots.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "impact/bulk.h"
#include "impact/stating.h"

pc_impact_body pc_impact_body_default(void)
{
  return (pc_impact_body){.dof = 6, .mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static const char not_finite[] =
    "velocity, percussion (external impulse) and position must be finite";
static const char not_positive[] = "mass and inertia must be positive";

// Whether entries differ from their mirrors by no more than round-off: of themselves, or of the
// masses they couple, which turning a matrix of large masses leaves in entries that are next to 0.
static bool is_symmetric(int n, const double *matrix)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double x = matrix[i * n + j], y = matrix[j * n + i];
      double sizes = sqrt(fabs(matrix[i * n + i])) * sqrt(fabs(matrix[j * n + j]));
      double least = isfinite(sizes) ? 1e-12 * sizes : 0;
      if (fabs(x - y) > fmax(1e-9 * (fabs(x) + fabs(y)), least))
        return false;
    }
  return true;
}

// A mass matrix with its inverse root, for a principal part that may be infinite: rows of infinite
// mass or inertia are prescribed and couple with nothing.
static const char *set_matrix(int n, const double *matrix, double *root, unsigned *prescribed)
{
  int free_count = 0, free_dof[PC_MAX_DOF];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = matrix[i * n + j];
      if (isnan(x) || (isinf(x) && i != j))
        return "the mass matrix must be finite";
    }
  if (!is_symmetric(n, matrix))
    return "the mass matrix must be symmetric";
  *prescribed = 0;
  for (int i = 0; i < n; i++) {
    bool infinite = isinf(matrix[i * n + i]);
    if (infinite)
      *prescribed |= 1u << i;
    else
      free_dof[free_count++] = i;
    for (int j = 0; j < n && infinite; j++)
      if (j != i && matrix[i * n + j] != 0)
        return "an infinite mass or inertia must not be coupled with another velocity";
  }
  double part[PC_MAX_DOF * PC_MAX_DOF], small[PC_MAX_DOF * PC_MAX_DOF];
  for (int i = 0; i < free_count; i++)
    for (int j = 0; j < free_count; j++)
      part[i * free_count + j] = matrix[free_dof[i] * n + free_dof[j]];
  if (free_count > 0 && !pc_small_inverse_root(free_count, part, small))
    return not_positive;
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
      return isnan(inertia[0]) ? "the inertia must not be NaN" : not_positive;
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
    return isnan(body->mass) ? "the mass must not be NaN" : not_positive;
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
  if (!pc_array_reserve(&problem->matrix, problem->matrix.count + 1))
    return "out of memory";
  pc_body_matrix *to = &problem->matrix.at[problem->matrix.count];
  const char *why = set_matrix(data->dof, matrix, to->root, &prescribed);
  if (why != NULL)
    return why;
  memcpy(to->mass, matrix, sizeof(double) * (size_t)(data->dof * data->dof));
  data->prescribed = (unsigned char)prescribed;
  data->general = true;
  turn->matrix = problem->matrix.count;
  return NULL;
}

static const pc_body_turn no_turn;

bool pc_impact_open_bodies(pc_impact *problem, int bodies)
{
  int known = problem->turn.capacity;
  if (!pc_array_reserve_aligned(&problem->body, bodies) ||
      !pc_array_reserve(&problem->turn, bodies))
    return false;
  for (int b = 0; b < problem->body.count && problem->turn.capacity != known; b++)
    if (problem->body.at[b].turn != &no_turn)
      problem->body.at[b].turn = &problem->turn.at[b];
  return true;
}

// What a body needs besides its matrix. `n` is its dof, a constant for the kinds that worlds have.
static inline __attribute__((always_inline)) const char *
set_body_of(int n, pc_impact *problem, pc_body_data *data, int start, const pc_impact_body *body)
{
  bool general = body->matrix != NULL;
  if (!pc_all_finite(3, body->position) || !pc_all_finite(n, body->velocity) ||
      !pc_all_finite(n, body->percussion))
    return not_finite;
  *data = (pc_body_data){.dof = (unsigned char)n, .start = start, .turn = &no_turn};
  pc_body_turn *turn = &problem->turn.at[data - problem->body.at];
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
  if (n != 2) // several threads may say so at a time
    __atomic_store_n(&problem->others, true, __ATOMIC_RELAXED);
  memcpy(problem->before.at + start, body->velocity, sizeof(double) * (size_t)n);
  memcpy(problem->percussion.at + start, body->percussion, sizeof(double) * (size_t)n);
  return NULL;
}

static const char *set_body(pc_impact *problem, pc_body_data *data, int start,
                            const pc_impact_body *body)
{
  switch (body->dof) {
  case 2:
    return set_body_of(2, problem, data, start, body);
  case 3:
    return set_body_of(3, problem, data, start, body);
  case 6:
    return set_body_of(6, problem, data, start, body);
  default:
    return set_body_of(body->dof, problem, data, start, body);
  }
}

int pc_impact_add_body(pc_impact *problem, const pc_impact_body *body)
{
  if (problem == NULL || body == NULL)
    return problem == NULL ? -1 : pc_impact_refuse(problem, "the body must not be NULL");
  int n = body->dof;
  bool general = body->matrix != NULL;
  if (general ? n < 1 || n > PC_MAX_DOF : n != 1 && n != 2 && n != 3 && n != 6)
    return pc_impact_refuse(problem, "dof must be 1, 2, 3 or 6");
  if (!pc_impact_open_bodies(problem, problem->body.count + 1) ||
      !pc_array_reserve(&problem->before, problem->dofs + n) ||
      !pc_array_reserve(&problem->percussion, problem->dofs + n))
    return pc_impact_no_memory(problem);
  const char *why = set_body(problem, &problem->body.at[problem->body.count], problem->dofs, body);
  if (why != NULL)
    return pc_impact_refuse(problem, why);
  problem->matrix.count += general;
  problem->dofs += n;
  problem->answered = false;
  return problem->body.count++;
}

const char *pc_impact_put_body(pc_impact *problem, int place_of, int start,
                               const pc_impact_body *body)
{
  return set_body(problem, &problem->body.at[place_of], start, body);
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
    memcpy(mass, problem->matrix.at[body->turn->matrix].mass,
           sizeof(double) * (size_t)(body->dof * body->dof));
  else
    fill(body, body->mass, body->turn->inertia, true, mass);
}

void pc_body_root(const pc_impact *problem, const pc_body_data *body, double *root)
{
  if (body->general)
    memcpy(root, problem->matrix.at[body->turn->matrix].root,
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
    const double *root = problem->matrix.at[body->turn->matrix].root;
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
    const double *root = problem->matrix.at[body->turn->matrix].root;
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
