// The laws that are impact problems: Moreau's and Frémond's directly, Poisson's as two of them.
#include <math.h>

#include "chain/chain.h"
#include "core/error.h"

// Adds contact i as an interaction; returns its index.
static int add_contact(pc_impact *problem, const pc_chain_system *s, int i, pc_normal_law law)
{
  int balls = s->chain->balls, left = i - s->first, right = left + 1;
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.law.normal = law;
  contact.bodies[0] = left >= 0 ? left : right;
  contact.bodies[1] = left >= 0 && right < balls ? right : PC_OBSTACLE;
  contact.normal[0] = left >= 0 ? -1 : 1; // from the second body to the first
  contact.normal[1] = contact.normal[2] = 0;
  return pc_impact_add_interaction(problem, &contact);
}

static bool add_distance(pc_impact *problem, const pc_chain_distance *d)
{
  static const double plus = 1, minus = -1;
  pc_row_term term[2] = {{d->balls[0], &plus}, {d->balls[1], &minus}};
  pc_interaction row = pc_interaction_default(PC_ROWS);
  row.rows = 1;
  row.terms = 2;
  row.term = term;
  row.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = d->k};
  return pc_impact_add_interaction(problem, &row) >= 0;
}

static pc_normal_law law_of(const pc_chain_system *s, int i)
{
  const pc_chain_law *law = s->law;
  if (law->kind == PC_CHAIN_MOREAU)
    return (pc_normal_law){.kind = PC_NORMAL_RESTITUTION, .e = s->chain->contact[i].restitution};
  if (law->kind == PC_CHAIN_FREMOND && law->k != NULL)
    return (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = law->k[i]};
  return (pc_normal_law){.kind = PC_NORMAL_INELASTIC};
}

static bool state(pc_impact *problem, const pc_chain_system *s)
{
  bool good = true;
  for (int i = 0; i < s->chain->balls; i++) {
    pc_impact_body body = pc_impact_body_default();
    body.dof = 1;
    body.mass = s->chain->mass[i];
    body.velocity[0] = s->velocity[s->first + i];
    good = good && pc_impact_add_body(problem, &body) == i;
  }
  for (int i = 0; i < s->contacts; i++)
    if (pc_chain_touches(s, i))
      good = good && add_contact(problem, s, i, law_of(s, i)) >= 0;
  for (int i = 0; i < s->law->distances && s->law->kind == PC_CHAIN_FREMOND; i++)
    good = good && add_distance(problem, &s->law->distance[i]);
  return good;
}

// Solves, adds the percussions and updates the velocities.
static pc_status solve(pc_impact *problem, pc_chain_system *s, pc_chain_answer *answer,
                       pc_error *error)
{
  pc_solve_options options = pc_solve_options_default();
  options.tolerance = s->options.tolerance;
  if (s->options.max_steps < 10000000)
    options.max_iterations = (int)s->options.max_steps;
  pc_solve_info info;
  pc_status status = pc_impact_solve(problem, &options, &info);
  if (status != PC_OK)
    return pc_fail(error, status, "%s", pc_impact_error(problem));
  if (info.status != PC_SOLVED)
    answer->status = info.status;
  answer->residual = fmax(answer->residual, info.residual);
  answer->steps += info.iterations;
  for (int i = 0; i < s->chain->balls; i++)
    pc_impact_velocity(problem, i, &s->velocity[s->first + i]);
  pc_interaction_answer at;
  int k = 0;
  for (int i = 0; i < s->contacts; i++)
    if (pc_chain_touches(s, i)) {
      pc_impact_answer(problem, k++, &at);
      s->percussion[i] += i < s->first ? -at.percussion[0] : at.percussion[0];
    }
  for (; k < pc_impact_interactions(problem); k++) {
    pc_impact_answer(problem, k, &at);
    answer->distant += at.dissipated;
  }
  return PC_OK;
}

// Expansion: every contact returns e times the percussion of compression, and no ball enters
// another.
static pc_status expand(pc_impact *problem, pc_chain_system *s, pc_chain_answer *answer,
                        pc_error *error)
{
  for (int i = 0; i < s->contacts; i++)
    pc_chain_push(s, i, s->chain->contact[i].restitution * s->percussion[i]);
  pc_status status = PC_OK;
  for (int i = 0; i < s->chain->balls && status == PC_OK; i++)
    status = pc_impact_set_velocity(problem, i, &s->velocity[s->first + i]);
  return status != PC_OK ? pc_fail(error, status, "%s", pc_impact_error(problem))
                         : solve(problem, s, answer, error);
}

pc_status pc_chain_solve_impact(pc_chain_system *s, pc_chain_answer *answer, pc_error *error)
{
  pc_impact *problem = pc_impact_create();
  if (problem == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = PC_OK;
  answer->status = PC_SOLVED;
  if (!state(problem, s))
    status = pc_fail(error, PC_ERROR_ARGUMENT, "%s", pc_impact_error(problem));
  if (status == PC_OK)
    status = solve(problem, s, answer, error);
  if (status == PC_OK && s->law->kind == PC_CHAIN_POISSON)
    status = expand(problem, s, answer, error);
  pc_impact_destroy(problem);
  if (status == PC_OK)
    pc_chain_book_work(s);
  return status;
}
