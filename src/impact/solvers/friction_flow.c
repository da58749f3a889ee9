// Sweeps in large steps of time. What sweeps do where bodies are wedged is a flow: percussions
// change by about what the velocities miss the laws by, dr/ds = -map(r), one unit of s a sweep. On
// the verge of jamming its residual falls like 1/s, interrupted by avalanches, and 1e6 sweeps and
// more are needed. Between avalanches hardly anything happens: loads are handed over at a constant
// rate until a contact slides or opens. So steps are implicit and as long as they can be,
//
//     D + soft (r - anchor) for D,    soft = 1 / (step of s),
//
// each solved by Newton. A residual that has to fall at every step of Newton's holds it back:
// friction that turns leaves its cone by the square of the change, and comes back with the next
// step. So Newton takes whole steps, and where it does not converge in a few the step of s is too
// long. At rest steps reach 1e5 to 1e6 sweeps, in an avalanche they fall to 100.
#include <math.h>
#include <string.h>

#include "impact/solvers/friction.h"
#include "impact/solvers/tuning.h"

enum { CAREFUL_STEPS = 3 };
static const double first_soft = 1e-3, most_soft = 1, least_soft = 1e-10;
static const double part = 0.2; // of the residual that a step may leave
static const double most_growth = 10;

void pc_friction_flow_begin(pc_flow_state *flow, const pc_friction *f, const double *from)
{
  memcpy(flow->at, from, sizeof(double) * (size_t)f->s->rows);
  flow->soft = first_soft;
  flow->aim = pc_near_residual;
  flow->careful = 0;
  flow->over = false;
}

// Longer steps where Newton is fast, with care after one that was too long.
static void choose_step(pc_flow_state *flow, bool reached, int used)
{
  bool fast = used <= 2, fair = used <= 4, careful = flow->careful > 0;
  flow->careful = reached ? flow->careful - careful : CAREFUL_STEPS;
  flow->soft *= !reached ? 3 : fast ? (careful ? 0.7 : 0.3) : fair && !careful ? 0.6 : 1;
  flow->soft = fmax(flow->soft, least_soft);
  flow->over = flow->soft > most_soft;
}

// One step, or an attempt; `now` is the residual where it is.
static pc_status one_step(pc_friction *f, pc_flow_state *flow, double now)
{
  size_t size = sizeof(double) * (size_t)f->s->rows;
  int before = f->steps.factorisations;
  bool reached;
  memcpy(f->anchor, flow->at, size);
  f->soft = flow->soft;
  pc_status status = pc_friction_newton_soft(f, part * now, PC_FLOW_NEWTON, &reached);
  f->soft = 0;
  // A solution that is far away does not belong to the flow.
  reached = reached && pc_best_offer(&f->best, f->s, f->from, f->y, f->d) <= most_growth * now;
  if (reached)
    memcpy(flow->at, f->from, size);
  choose_step(flow, reached, f->steps.factorisations - before);
  return status;
}

pc_status pc_friction_flow(pc_friction *f, pc_flow_state *flow, double tolerance, int most)
{
  pc_status status = PC_OK;
  int end = f->steps.factorisations + most;
  while (status == PC_OK && f->reached > tolerance && !flow->over &&
         f->steps.factorisations < end) {
    f->best = (pc_best){.residual = INFINITY};
    double now = pc_best_offer(&f->best, f->s, flow->at, f->y, f->d);
    if (now < flow->aim) {
      flow->aim = 0.1 * now;
      status = pc_friction_newton(f, tolerance, PC_FLOW_FINISH);
    }
    if (status == PC_OK && f->best.residual > tolerance)
      status = one_step(f, flow, now);
    pc_friction_keep(f);
  }
  return status;
}
