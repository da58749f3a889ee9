// The balance of energy and entropy of a thermal problem.
#include <math.h>
#include <string.h>

#include "continuum/thermal_state.h"
#include "core/elementary.h"

static const double ROUND_OFF = 1e-9;
static const double STILL = 1e-6; // a change of temperature that counts at least, relative

// (spread/2) |grad b|^2 of all parts: before, and its jump, which is
// spread grad [b] . grad (b- + [b]/2).
static double gradients(const pc_fe_thermal *t, double *before)
{
  double jump = 0;
  *before = 0;
  for (int p = 0; p < t->parts; p++) {
    const pc_thermal_part *part = &t->part[p];
    const pc_fe_thermal_medium *m = &t->def.medium[part->medium];
    if (m->phases == PC_FE_ONE_PHASE || !(m->spread > 0))
      continue;
    for (int n = 1; n < t->row[part->row[0]].size; n++)
      for (int x = 0; x < t->def.mesh->dimension; x++) {
        double was = 0, change = 0;
        for (int c = 0; c < t->corners; c++) {
          was += part->slope[c][x] * t->point[part->row[c]].place[n - 1];
          change += part->slope[c][x] * t->jump[pc_thermal_at(t, part->row[c]) + n];
        }
        *before += m->spread / 2 * part->volume * was * was;
        jump += m->spread * part->volume * change * (was + change / 2);
      }
  }
  return jump;
}

void pc_thermal_account_make(pc_fe_thermal *t, const pc_fe_thermal_data *data,
                             pc_fe_thermal_account *account)
{
  *account = (pc_fe_thermal_account){.lowest = INFINITY};
  pc_thermal_sources(t, data, t->jump, t->source);
  pc_thermal_rest(t, t->jump);
  double entropy = 0, sizes = 0, rate = 0;
  double energy = gradients(t, &account->energy_before);
  sizes = fabs(energy);
  for (int k = 0; k < t->touches && data->surface != NULL; k++)
    account->surface += data->surface[(size_t)t->touch[k].contact * (size_t)t->def.mesh->nodes +
                                      (size_t)t->touch[k].node];
  for (int i = 0; i < t->rows; i++) {
    const pc_thermal_row *row = &t->row[i];
    const pc_thermal_point *p = &t->point[i];
    int at = pc_thermal_at(t, i);
    double warm = t->jump[at], after = p->before + warm, mean = p->before + t->def.weight * warm;
    double latent = 0, melted = 0, liquid = 0; // L, L [b_n], b_n before
    if (row->size > 1) {
      latent = row->latent;
      melted = latent * pc_thermal_share(row->size) * t->jump[at + 1];
      liquid = p->fraction[row->size == 3 ? 2 : 0];
    }
    double over = row->size > 1 ? 1 / row->change : 0;
    account->energy_before += p->capacity * p->before + latent * liquid;
    energy += p->capacity * warm + melted;
    account->entropy_before += p->capacity * (1 + pc_log(p->before)) + latent * over * liquid;
    double own = p->capacity * pc_log1p(warm / p->before) + melted * over;
    entropy += own;
    double at_mean = (p->capacity * warm + melted * over * after) / mean;
    rate += t->def.weight == 1 ? own : at_mean;
    account->heat += data->heat != NULL ? data->heat[row->node] : 0;
    for (int n = 1; n < row->size; n++)
      account->drive += p->pull[n - 1] / row->change * t->jump[at + n];
    double leak = row->leak_heat - row->leak * mean;
    double held = row->given ? t->rest[at] : 0;
    double brought = pc_thermal_entropy_heat(t, i, t->jump);
    if (pc_thermal_has_entropy(row))
      rate += pc_thermal_entropy_shift(t, i, t->jump);
    account->received += leak + held + (row->push.heat + brought);
    account->entropy_received += row->leak - row->leak_over * mean + held / mean +
                                 (row->push.heat / mean + row->push.entropy);
    sizes += p->capacity * (fabs(warm) + STILL * p->before) + fabs(melted) + fabs(leak) +
             fabs(held) + (fabs(row->push.heat) + fabs(brought));
    account->lowest = fmin(account->lowest, after);
    account->highest = fmax(account->highest, after);
    account->outside_set = fmax(
        account->outside_set, pc_thermal_outside(row->size, p->sum, t->after.fraction[row->node]));
  }
  // The state before voids spread. What they mix is as sure as what they release.
  account->energy_before += t->released;
  energy -= t->released;
  account->entropy_before -= t->mixed;
  entropy += t->mixed;
  rate += t->mixed;
  sizes += fabs(t->released);
  account->energy_after = account->energy_before + energy;
  account->entropy_after = account->entropy_before + entropy;
  account->produced = rate - account->entropy_received;
  account->entropy_adiabatic = entropy - rate;
  double left = energy - account->heat - account->surface - account->drive - account->received;
  sizes += fabs(account->heat) + fabs(account->surface) + fabs(account->drive);
  account->energy_error = sizes > 0 ? fabs(left) / sizes : 0;
  account->closed = account->energy_error <= ROUND_OFF && account->outside_set <= 1e-12;
}
