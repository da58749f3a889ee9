// What stiff springs, nets and strings may give back.
//
// With s the elongation of an element at the start of a step,
//     P = -h k B^T (s + h/2 B mean U),
//     work on the bodies = k s^2 / 2 - k (s + h B mean U)^2 / 2,
// with B taken at the middle. If s is read from the positions of the bodies, the end of one step
// and the start of the next do not agree: a point on a circle is longer by (h v)^2 / 8 l than its
// step assumed. At k h^2 / m >> 1 this is more energy than there is, and the next step gives it
// back. So a stiff element has a reserve: what it stored at the start of the run less the work it
// has done. s is limited to what the reserve can pay for. Then the reserve is never negative, and
// kinetic energy plus reserves is kept, for any stiffness, any step and anything else that acts.
// (What the solver's tolerance gives is taken from it too, and may leave a debt.) What is left when
// the element is slack again, and its ends approach, is given back in that step: an element that
// catches and throws within a step or two is elastic as well. The stored energy of a stiff element
// is its reserve, which includes the vibrations that the step is too long to resolve.
//
// Where all elements of a body have k h^2 B M^-1 B^T = c < SOFT together, elongations are right to
// second order, and a step in which one gets taut or slack is wrong by c/4 of the energy. Such an
// element may be wrong by twice that part of the most it had to do with, in the whole run.
//
// A net has a reserve for each of its bodies and faces, and up to three rows for them, with
// elongations of their own; k is that of the section in the step. What a law that is not linear
// would store beyond k s^2 / 2 stays in the reserve, and comes back when the body leaves. The rate
// is that of the body past the face: a face that moves takes the rest of the work to its net.
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/small.h"
#include "rigid/elements.h"

static const double SOFT = 0.01;

// Of a row: a net has one for each of its bodies and faces.
static double *reserve_of(pc_force_element *element, const pc_stiff *stiff)
{
  return element->kind == PC_ELEMENT_NET ? &element->part[stiff->part] : &element->reserve;
}

static double allowance(const pc_force_element *element)
{
  return element->wrong > 0 ? element->wrong * element->peak : 0;
}

// The bodies of a spring or string, and its point in each. Nets are not judged.
static int ends_of(const pc_force_element *element, int body[2], const double *point[2])
{
  if (element->kind == PC_ELEMENT_NET)
    return 0;
  if (element->kind == PC_ELEMENT_SPRING) {
    body[0] = element->body;
    point[0] = element->point;
    return 1;
  }
  for (int b = 0; b < 2; b++) {
    body[b] = element->bodies[b];
    point[b] = b == 0 ? element->point : element->place;
  }
  return 2;
}

// The largest B M^-1 B^T of a point of a body over all directions; in space, half the trace of the
// rotational part, which is at least half of that. In the axes of the body, so that a resumed run
// gets the same.
static double response(const pc_body_store *bodies, int i, int dimension, const double point[3])
{
  const pc_solid *body = &bodies->solid.at[i];
  if (body->mass == 0)
    return 0;
  double sum = 0, inertia[9], inverse[9];
  if (body->turns && body->kind != PC_GUIDED) {
    for (int k = 0; k < 9; k++)
      inertia[k] = !body->round ? body->form->inertia[k] : k % 4 == 0 ? body->moment : 0;
    pc_small_inverse(3, inertia, inverse);
    for (int d = 0; d < dimension; d++) {
      double unit[3] = {d == 0, d == 1, d == 2}, torque[3], turned[3];
      pc_cross(point, unit, torque);
      pc_rotate(inverse, torque, turned);
      sum += pc_dot3(torque, turned);
    }
  }
  return body->inverse_mass + (dimension == 3 ? 0.5 : 1) * sum;
}

pc_status pc_reserve_judge(pc_elements *elements, const pc_body_store *bodies, int dimension,
                           double h, pc_error *error)
{
  if (elements->judged == elements->list.count && elements->judged_h == h)
    return PC_OK;
  double *sum = calloc((size_t)bodies->count, sizeof *sum);
  if (sum == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int pass = 0; pass < 2; pass++)
    for (int e = 0; e < elements->list.count; e++) {
      pc_force_element *element = &elements->list.at[e];
      const double *point[2];
      double all = 0;
      int body[2];
      for (int b = ends_of(element, body, point) - 1; b >= 0; b--) {
        if (pass == 0)
          sum[body[b]] +=
              h * h * element->stiffness * response(bodies, body[b], dimension, point[b]);
        all += sum[body[b]];
      }
      element->wrong = all < SOFT ? 0.5 * all : 0;
    }
  free(sum);
  elements->judged = elements->list.count;
  elements->judged_h = h;
  return PC_OK;
}

// What an element stores, if its elongation says `energy`.
static double stored_by(const pc_force_element *element, double energy)
{
  if (element->kind == PC_ELEMENT_NET)
    return element->reserve;
  return element->wrong > 0 ? energy : fmax(0, element->reserve);
}

static void fill(pc_force_element *element, const pc_body_store *bodies, int dimension)
{
  element->reserve = element->energy;
  for (int i = 0; element->kind == PC_ELEMENT_NET && i < element->count; i++)
    for (int side = 0; side < 2 * dimension; side++)
      element->part[PC_NET_FACES * i + side] = pc_net_energy(bodies, element, i, side);
}

void pc_reserve_begin(pc_force_element *element, const pc_body_store *bodies, int dimension)
{
  fill(element, bodies, dimension);
  element->peak = element->reserve;
}

double pc_reserve_change(pc_elements *elements, const pc_body_store *bodies, int dimension,
                         int number, double before)
{
  pc_force_element *element = &elements->list.at[number];
  if (number >= elements->reserved || element->energy == before)
    return 0;
  double more = before - stored_by(element, before);
  fill(element, bodies, dimension);
  return more;
}

bool pc_reserve_is_left(const pc_force_element *element)
{
  return element->reserve > allowance(element);
}

// B M^-1 B^T of the first row.
static double row_response(const pc_body_store *bodies, const pc_stiff *stiff)
{
  double sum = 0;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++) {
    const pc_solid *body = &bodies->solid.at[stiff->body[b]];
    double six[6], inertia[9], inverse[9], turned[3];
    pc_body_from_dof(body, stiff->row[b], six);
    sum += body->inverse_mass * pc_dot3(six, six);
    if (!body->turns || body->kind == PC_GUIDED)
      continue;
    pc_body_inertia(body, &bodies->state.at[stiff->body[b]], inertia);
    pc_small_inverse(3, inertia, inverse);
    pc_rotate(inverse, six + 3, turned);
    sum += pc_dot3(six + 3, turned);
  }
  return sum;
}

// Gives all that is left in one step: a spring that stores the reserve at an elongation from which
// the row alone would end at zero, s (1 - k h^2 w / 4) = h |rate|. Its k h^2 w is 4 at most, and it
// is no stiffer than the element, or what others do to the bodies would make it pull.
// False where that is negligible.
static bool give_back(double reserve, double h, double half, double answer, pc_stiff *stiff)
{
  double distance = -2 * half, c = 2 * reserve * h * h * answer, own = stiff->stiffness;
  stiff->force[0] = stiff->stiffness = 0;
  stiff->rows = 1;
  if (!(c > 1e-12 * distance * distance) || !(c > 1e-200))
    return false;
  double start = 0.5 * (distance + sqrt(distance * distance + c));
  stiff->stiffness = fmin(own, 2 * reserve / (start * start));
  start = sqrt(2 * reserve / stiff->stiffness);
  stiff->force[0] = stiff->stiffness * (start + half);
  return true;
}

void pc_reserve_limit(pc_elements *elements, const pc_body_store *bodies, double h, pc_stiff *stiff)
{
  pc_force_element *element = &elements->list.at[stiff->element];
  bool net = element->kind == PC_ELEMENT_NET;
  double velocity[2][6], half[3], start[3], reserve = *reserve_of(element, stiff);
  if (!net && !(stiff->stiffness > 0))
    return;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
    pc_state_velocity(&bodies->state.at[stiff->body[b]], velocity[b]);
  for (int r = 0; r < stiff->rows; r++)
    half[r] = 0.5 * h * (pc_stiff_rate(stiff, bodies, r, velocity) - (r == 0 ? stiff->drift : 0));
  double answer = row_response(bodies, stiff), rate = 2 * half[0] / h;
  if (!net && answer > 0)
    element->peak = fmax(element->peak, fmax(reserve, 0.5 * rate * rate / answer));
  double most = fmax(0, reserve + allowance(element));
  double longest = stiff->stiffness > 0 ? sqrt(2 * most / stiff->stiffness) : 0;
  double middle = stiff->stiffness > 0 ? stiff->force[0] / stiff->stiffness : 0;
  for (int r = 0; r < stiff->rows; r++)
    start[r] = (r == 0 ? middle : stiff->force[r] / stiff->stiffness) - half[r];
  stiff->hard =
      h * h * stiff->stiffness * answer > 1; // decelerated and accelerated again within a step
  double lowest = net ? 0 : stiff->hard ? -longest : start[0], part = 1;
  if (stiff->rows > 1 && pc_norm(stiff->rows, start) > longest)
    part = longest / pc_norm(stiff->rows, start);
  double allowed = fmin(longest, fmax(lowest, part * start[0]));
  if (middle > 0 && allowed == start[0])
    return;
  if ((middle > 0 && allowed + half[0] > 0) || (net && half[0] > 0)) {
    stiff->force[0] = stiff->stiffness * (allowed + half[0]);
    for (int r = 1; r < stiff->rows; r++)
      stiff->force[r] = stiff->stiffness * (part * start[r] + half[r]);
  } else if (half[0] <= 0) {
    if (net && stiff->stiffness == 0)
      stiff->stiffness = INFINITY;
    if (!give_back(reserve, h, half[0], answer, stiff) && net)
      *reserve_of(element, stiff) = 0; // round-off of a body that has left
  } else {
    stiff->force[0] = stiff->stiffness = 0;
  }
}

// The rate of a row as the mean of the velocities before and after the solve.
static double mean_rate(const pc_stiff *stiff, const pc_body_store *bodies,
                        const pc_problem *problem)
{
  double velocity[2][6];
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++) {
    int i = stiff->body[b];
    double after[6];
    pc_state_velocity(&bodies->state.at[i], velocity[b]);
    pc_problem_velocity(problem, bodies, i, after);
    for (int k = 0; k < 6; k++)
      velocity[b][k] = 0.5 * (velocity[b][k] + after[k]);
  }
  return pc_stiff_rate(stiff, bodies, 0, velocity);
}

bool pc_reserve_slacken(pc_elements *elements, const pc_body_store *bodies,
                        const pc_problem *problem, double h)
{
  bool any = false;
  int own = 0;
  for (int s = 0; s < elements->row.count; s++) {
    pc_stiff *stiff = &elements->row.at[s];
    own += stiff->element >= 0;
    if (stiff->element < 0 || !stiff->hard || !(stiff->stiffness > 0))
      continue;
    double change =
        0.5 * h * stiff->stiffness * (mean_rate(stiff, bodies, problem) - stiff->before[0]);
    if (stiff->force[0] + change >= -1e-9 * fabs(change))
      continue;
    stiff->force[0] = stiff->stiffness = stiff->damping = 0;
    stiff->rows = 1;
    stiff->interaction = -1;
    any = true;
  }
  if (any)
    elements->row.count = own; // overlaps come behind, and are found again
  return any;
}

// With what it owes to its bodies, which comes a step later.
static double net_reserve(const pc_force_element *net)
{
  double sum = pc_dot3(net->owed, net->going);
  for (int i = 0; i < PC_NET_FACES * net->count; i++)
    sum += fmax(0, net->part[i]);
  return sum;
}

double pc_reserve_settle(pc_elements *elements, double stored)
{
  bool other = false;
  for (int s = 0; s < elements->row.count; s++) {
    const pc_stiff *stiff = &elements->row.at[s];
    if (stiff->element >= 0 && elements->list.at[stiff->element].kind == PC_ELEMENT_NET)
      elements->list.at[stiff->element].part[stiff->part] -= stiff->work;
  }
  for (int e = 0; e < elements->list.count; e++) {
    pc_force_element *element = &elements->list.at[e];
    double energy = element->energy;
    element->reserve =
        element->kind == PC_ELEMENT_NET ? net_reserve(element) : element->reserve - element->work;
    element->energy = stored_by(element, energy);
    other = other || element->energy != energy;
  }
  if (!other)
    return stored;
  stored = 0;
  for (int e = 0; e < elements->list.count; e++)
    stored += elements->list.at[e].energy;
  return stored;
}
