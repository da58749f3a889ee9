// What stiff springs and strings may give back.
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
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/small.h"
#include "rigid/elements.h"

static const double SOFT = 0.01;

static bool has_reserve(const pc_force_element *element)
{
  return element->kind != PC_ELEMENT_NET;
}

static double allowance(const pc_force_element *element)
{
  return element->part > 0 ? element->part * element->peak : 0;
}

// The bodies of a spring or string, and its point in each.
static int ends_of(const pc_force_element *element, int body[2], const double *point[2])
{
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
      for (int b = has_reserve(element) ? ends_of(element, body, point) - 1 : -1; b >= 0; b--) {
        if (pass == 0)
          sum[body[b]] +=
              h * h * element->stiffness * response(bodies, body[b], dimension, point[b]);
        all += sum[body[b]];
      }
      element->part = all < SOFT ? 0.5 * all : 0;
    }
  free(sum);
  elements->judged = elements->list.count;
  elements->judged_h = h;
  return PC_OK;
}

// What an element stores, if its elongation says `energy`.
static double stored_by(const pc_force_element *element, double energy)
{
  return element->part > 0 ? energy : fmax(0, element->reserve);
}

double pc_reserve_change(pc_elements *elements, int number, double before)
{
  pc_force_element *element = &elements->list.at[number];
  if (!has_reserve(element) || number >= elements->reserved || element->energy == before)
    return 0;
  double more = before - stored_by(element, before);
  element->reserve = element->energy;
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
static void give_back(double reserve, double h, double half, double answer, pc_stiff *stiff)
{
  double distance = -2 * half, c = 2 * reserve * h * h * answer, own = stiff->stiffness;
  stiff->force = stiff->stiffness = 0;
  if (!(c > 1e-12 * distance * distance) || !(c > 1e-200)) // negligible
    return;
  double start = 0.5 * (distance + sqrt(distance * distance + c));
  stiff->stiffness = fmin(own, 2 * reserve / (start * start));
  start = sqrt(2 * reserve / stiff->stiffness);
  stiff->force = stiff->stiffness * (start + half);
}

void pc_reserve_limit(pc_elements *elements, const pc_body_store *bodies, double h, pc_stiff *stiff)
{
  pc_force_element *element = &elements->list.at[stiff->element];
  double velocity[2][6];
  if (!has_reserve(element) || !(stiff->stiffness > 0))
    return;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
    pc_state_velocity(&bodies->state.at[stiff->body[b]], velocity[b]);
  double rate = pc_stiff_rate(stiff, bodies, 0, velocity), half = 0.5 * h * rate;
  double answer = row_response(bodies, stiff);
  if (answer > 0)
    element->peak = fmax(element->peak, fmax(element->reserve, 0.5 * rate * rate / answer));
  double most = fmax(0, element->reserve + allowance(element));
  double longest = sqrt(2 * most / stiff->stiffness);
  double middle = stiff->force / stiff->stiffness, start = middle - half;
  stiff->hard = h * h * stiff->stiffness * answer > 1; // caught and thrown within a step
  double allowed = fmin(longest, stiff->hard ? fmax(-longest, start) : start);
  if (middle > 0 && allowed == start)
    return;
  if (middle > 0 && allowed + half > 0)
    stiff->force = stiff->stiffness * (allowed + half);
  else if (half <= 0)
    give_back(element->reserve, h, half, answer, stiff);
  else
    stiff->force = stiff->stiffness = 0;
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
    double change = stiff->theta * h * stiff->stiffness *
                    (mean_rate(stiff, bodies, problem) - stiff->before[0]);
    if (stiff->force + change >= -1e-9 * fabs(change))
      continue;
    stiff->force = stiff->stiffness = stiff->damping = 0;
    stiff->interaction = -1;
    any = true;
  }
  if (any)
    elements->row.count = own; // overlaps come behind, and are found again
  return any;
}

double pc_reserve_settle(pc_elements *elements, double stored)
{
  bool other = false;
  for (int e = 0; e < elements->list.count; e++) {
    pc_force_element *element = &elements->list.at[e];
    double energy = element->energy;
    if (!has_reserve(element))
      continue;
    element->reserve -= element->work;
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
