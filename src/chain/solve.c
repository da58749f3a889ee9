// From a chain and a law to an answer: the law, the energy balance and the measures.
#include <math.h>
#include <string.h>

#include "chain/chain.h"
#include "core/clock.h"
#include "core/error.h"

static pc_status solve_law(pc_chain_system *s, pc_chain_answer *answer, pc_error *error)
{
  switch (s->law->kind) {
  case PC_CHAIN_NEWTON:
  case PC_CHAIN_MATRIX:
    return pc_chain_solve_matrix(s, answer, error);
  case PC_CHAIN_SEQUENTIAL:
    return pc_chain_solve_sequential(s, answer, error);
  case PC_CHAIN_LZB:
  case PC_CHAIN_HERTZ:
    return pc_chain_integrate(s, answer, error);
  default:
    return pc_chain_solve_impact(s, answer, error);
  }
}

pc_status pc_chain_measure_outcome(const pc_chain *chain, const double *after,
                                   const double *percussion, const double *compression,
                                   double tolerance, pc_chain_measures *m, pc_error *error)
{
  if (chain == NULL || after == NULL || m == NULL || chain->balls < 2)
    return pc_fail_null(error,
                        "a chain of two balls or more, its velocities after and the measures");
  int balls = chain->balls;
  double speed = 0;
  pc_status status = pc_chain_measure((size_t)balls, chain->mass, chain->velocity, after,
                                      percussion != NULL ? percussion + chain->wall_left : NULL,
                                      tolerance, m, error);
  if (status != PC_OK)
    return status;
  if (chain->wall_left || chain->wall_right)
    m->ker_min = 0;
  if (compression == NULL)
    return PC_OK;
  for (int i = 0; i < balls; i++)
    speed = fmax(speed, fmax(fabs(chain->velocity[i]), fabs(after[i])));
  m->kinematic = true;
  for (int i = 0; i + 1 < balls; i++)
    if (compression[i + chain->wall_left] >= 0 && after[i] - after[i + 1] > tolerance * speed)
      m->kinematic = false;
  return PC_OK;
}

// Measures the answer.
static pc_status measure(pc_chain_system *s, pc_chain_answer *answer, pc_error *error)
{
  const pc_chain *chain = s->chain;
  int balls = chain->balls;
  double tolerance = fmax(100 * s->options.tolerance, 1e-9);
  const double *after = s->velocity + s->first;
  double slack = tolerance * s->speed;
  answer->walls_kept =
      !(chain->wall_left && after[0] < -slack) && !(chain->wall_right && after[balls - 1] > slack);
  // Laws with time end when no contact approaches; for the others gaps have not changed.
  bool flies = s->law->kind == PC_CHAIN_HERTZ || s->law->kind == PC_CHAIN_SEQUENTIAL;
  double *compression = pc_arena_take(&s->arena, (size_t)s->contacts, sizeof(double));
  if (compression == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < s->contacts; i++)
    compression[i] = -chain->contact[i].gap;
  return pc_chain_measure_outcome(chain, after, s->percussion, flies ? NULL : compression,
                                  tolerance, &answer->measures, error);
}

pc_status pc_chain_solve(const pc_chain *chain, const pc_chain_law *law,
                         const pc_chain_options *options, pc_chain_answer *answer, pc_error *error)
{
  if (chain == NULL || law == NULL || answer == NULL || answer->velocity == NULL)
    return pc_fail_null(error, "the chain, its law and the velocities of the answer");
  double start = pc_clock_seconds();
  pc_chain_system s;
  pc_chain_answer empty = {.velocity = answer->velocity,
                           .percussion = answer->percussion,
                           .dissipated = answer->dissipated,
                           .status = PC_FAILED,
                           .matrix_gain = NAN};
  *answer = empty;
  pc_status status = pc_chain_system_open(&s, chain, law, options, error);
  if (status == PC_OK)
    status = solve_law(&s, answer, error);
  for (int i = 0; i < s.bodies && status == PC_OK; i++)
    if (!isfinite(s.velocity[i]))
      status = pc_fail(error, PC_ERROR_NUMERIC, "the law '%s' gave no finite velocities",
                       pc_chain_law_name(law->kind));
  if (status == PC_OK)
    status = measure(&s, answer, error);
  if (status == PC_OK) {
    memcpy(answer->velocity, s.velocity + s.first, sizeof(double) * (size_t)chain->balls);
    size_t size = sizeof(double) * (size_t)s.contacts;
    if (answer->percussion != NULL)
      memcpy(answer->percussion, s.percussion, size);
    if (answer->dissipated != NULL)
      memcpy(answer->dissipated, s.dissipated, size);
  } else {
    answer->status = PC_FAILED;
  }
  pc_arena_free(&s.arena);
  answer->time_s = pc_clock_seconds() - start;
  return status;
}
