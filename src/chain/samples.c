// Samples of a compressed chain in time, positions, and energy in its contacts.
#include <math.h>

#include "chain/integrate.h"
#include "core/elementary.h"

double pc_contact_stored(const pc_chain_state *m, int i)
{
  double depth = pc_contact_depth(m, i, m->state[PC_X][i]), power = m->s->chain->exponent + 1;
  if (depth <= 0)
    return 0;
  double energy = m->stiffness[i] * pc_pow(depth, power) / power;
  if (m->model != PC_LZB_MONO)
    return m->share[i] * energy;
  double old = m->stiffness[i] * pc_pow(m->peak[i], power) / power;
  return m->loading[i] ? old + m->share[i] * (energy - old) : energy;
}

static void positions(const pc_chain_state *m, double t, const double *q, double *position)
{
  const pc_chain_system *s = m->s;
  const pc_chain *chain = s->chain;
  double pressed = chain->press * t * t / 2;
  for (int j = 0; j < s->bodies; j++) {
    double left = j > 0 ? q[j - 1] : chain->wall_left ? 0 : pressed;
    double right = j < s->contacts ? q[j] : chain->wall_right ? 0 : pressed;
    position[j] = s->before[j] * t + s->inverse_mass[j] * (left - right);
  }
}

void pc_chain_state_positions(const pc_chain_state *m, double *position)
{
  positions(m, m->time, m->state[PC_Q], position);
}

// Hermite's cubic through the ends of the step: `part` of the way, for one contact.
static double between(const pc_chain_state *m, int k, int i, double h, double part)
{
  const double *weight = pc_dormand_weight[STAGES - 1];
  double gain = 0, rest = 1 - part, d0 = m->slope[k][0][i], d1 = m->slope[k][STAGES - 1][i];
  double end = k == PC_P ? m->next[k][i] : m->state[k][i];
  if (k == PC_X) { // the slopes are approaches
    double back = m->model == PC_HERTZ || m->model == PC_LZB_MONO ? 1 : 1 / m->share[i];
    back = m->model != PC_HERTZ && m->start[i] <= 0 ? 0 : back;
    d0 *= d0 < 0 ? back : 1;
    d1 *= d1 < 0 ? back : 1;
    gain = (m->next[k][i] - m->start[i]) / h;
    end = m->next[k][i];
  }
  for (int n = 0; n < STAGES && k != PC_X; n++)
    gain += weight[n] * m->slope[k][n][i];
  double start = end - h * gain;
  return start + part * h * gain + part * rest * h * (rest * (d0 - gain) - part * (d1 - gain));
}

// The state at time t, in or at the end of the step of length h that was just taken.
static bool show_at(pc_chain_state *m, double t, double h)
{
  pc_chain_system *s = m->s;
  double *shown[PC_STATES];
  for (int k = 0; k < PC_STATES; k++)
    shown[k] = m->stage_state[k];
  for (int i = 0; i < s->contacts; i++) {
    double gone = t - m->since[i];
    shown[PC_P][i] = m->state[PC_P][i];
    shown[PC_Q][i] = m->state[PC_Q][i] + gone * m->state[PC_P][i];
    shown[PC_X][i] = m->state[PC_X][i];
    if (m->model == PC_HERTZ)
      shown[PC_X][i] += gone * pc_chain_approach(s, i);
  }
  double part = h > 0 ? 1 - (m->time - t) / h : 1;
  for (int k = 0; k < m->runs; k++)
    for (int i = m->run[k].from; i < m->run[k].to; i++)
      for (int n = 0; n < PC_STATES; n++)
        shown[n][i] = part < 1 ? between(m, n, i, h, part) : m->state[n][i];
  double press = s->chain->press * t;
  shown[PC_P][-1] = s->chain->wall_left ? 0 : press;
  shown[PC_P][s->contacts] = s->chain->wall_right ? 0 : press;
  for (int j = 0; j < s->bodies; j++)
    m->shown_velocity[j] =
        s->before[j] + s->inverse_mass[j] * (shown[PC_P][j - 1] - shown[PC_P][j]);
  for (int i = 0; i < s->contacts; i++) {
    if (m->model != PC_HERTZ)
      shown[PC_X][i] = fmax(shown[PC_X][i], 0);
    m->shown_force[i] = pc_contact_force(m, i, shown[PC_X][i]);
  }
  positions(m, t, shown[PC_Q], s->position);
  pc_chain_sample sample = {.time = t,
                            .velocity = m->shown_velocity + s->first,
                            .position = s->position + s->first,
                            .compression = shown[PC_X],
                            .force = m->shown_force,
                            .percussion = shown[PC_P]};
  return s->options.watch(&sample, s->options.context);
}

bool pc_chain_state_show(pc_chain_state *m, double h)
{
  const pc_chain_options *o = &m->s->options;
  if (o->watch == NULL)
    return true;
  if (o->sample_every == 0)
    return show_at(m, m->time, h);
  for (; (double)m->shown * o->sample_every <= m->time; m->shown++)
    if (!show_at(m, (double)m->shown * o->sample_every, h))
      return false;
  return true;
}
