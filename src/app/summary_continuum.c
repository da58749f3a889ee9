// The summary of a continuum in motion.
#include <stdio.h>

#include "app/app.h"
#include "app/summary.h"
#include "scene/continuum.h"
#include "scene/text.h"

// Elastic solids in motion.
static void print_motion(const pc_continuum *c)
{
  const pc_fe_motion_account *a = &c->account;
  const pc_continuum_units unit = pc_continuum_units_of(c->mesh.dimension);
  for (int i = 0; i < c->def.contacts; i++) {
    const pc_fe_wall_state *w = &c->state[i];
    printf("%-11s %d collision%s, impulse %.5g %s, ", pc_text_path(c->contact_name[i]).text,
           w->collisions, app_plural(w->collisions), w->percussion[0], unit.percussion);
    if (w->closed > 0)
      printf("%d node%s on the %s at the end\n", w->closed, app_plural(w->closed),
             c->def.contact[i].body >= 0    ? "body"
             : c->def.contact[i].other >= 0 ? "other side"
                                            : "ground");
    else if (w->left >= 0)
      printf("last contact at %.5g s\n", w->left);
    else
      printf("no contact\n");
  }
  for (int i = 0; i < c->motion.bodies; i++) {
    const pc_fe_body_state *s = &c->body[i];
    printf("%-11s at (%.5g, %.5g", pc_text_path(c->body_name[i]).text, s->place[0], s->place[1]);
    printf(c->mesh.dimension == 3 ? ", %.5g) m" : ") m", s->place[2]);
    printf(", velocity (%.5g, %.5g", s->velocity[0], s->velocity[1]);
    printf(c->mesh.dimension == 3 ? ", %.5g) m/s\n" : ") m/s\n", s->velocity[2]);
  }
  printf("energy      kinetic %.5g, elastic %.5g", a->now.kinetic, a->now.elastic);
  if (a->now.gravity != a->start.gravity)
    printf(", potential %.5g", a->now.gravity - a->start.gravity);
  printf(" %s; before %.5g %s\n", unit.energy, a->start.kinetic + a->start.elastic, unit.energy);
  printf("            dissipated: in volumes %.5g, on surfaces %.5g, by reactions %.5g, on coming "
         "to rest %.2g",
         a->volume, a->surface, a->reactions, a->rest);
  if (a->viscous > 0)
    printf(", viscous %.5g", a->viscous);
  printf(" %s\n", unit.energy);
  if (c->motion.pushes > 0)
    printf("            work of pushes: %.5g %s\n", a->pushes, unit.energy);
}

// Alloys in motion, after a collision.
static void print_alloy(const pc_continuum *c)
{
  const pc_fe_motion_account *a = &c->account;
  const double *mean = c->end.mean;
  const pc_continuum_medium *m = &c->answer.medium[0];
  printf("collision   %.5g K before, %.5g to %.5g K after", m->temperature_before,
         m->temperature_low, m->temperature_high);
  if (m->fractions == PC_FE_FRACTIONS)
    printf("; austenite %.4g, %.4g on average", m->fraction_before[2], m->fraction_mean[2]);
  printf("\nat the end  %.5g to %.5g K", c->end.lowest, c->end.highest);
  if (m->fractions == PC_FE_FRACTIONS)
    printf("; martensites %.4g and %.4g, austenite %.4g in the mean", mean[0], mean[1], mean[2]);
  const pc_continuum_units units = pc_continuum_units_of(c->mesh.dimension);
  const char *unit = units.energy;
  printf("\nenergy      kinetic %.5g, elastic %.5g, of phases under strain %.5g %s; after the "
         "collision %.5g %s\n",
         a->now.kinetic, a->now.elastic, a->now.coupled, unit,
         a->start.kinetic + a->start.elastic + a->start.coupled, unit);
  printf("            heat %+.5g %s, of which %.5g from outside; entropy produced %.5g %s\n",
         a->now.heat - a->start.heat, unit, a->alloy.received, a->alloy.produced, units.entropy);
}

// A fluid in motion.
static void print_flow(const pc_continuum *c, const pc_run_summary *summary)
{
  const pc_fe_flow_account *a = &c->flow_account;
  const pc_fe_flow_state *end = &c->flow_end;
  for (int i = 0; i < c->def.contacts; i++) {
    const pc_fe_wall_state *w = &c->state[i];
    printf("%-11s ", pc_text_path(c->contact_name[i]).text);
    if (c->def.contact[i].body >= 0 || w->collisions > 0)
      printf("%d collision%s, ", w->collisions, app_plural(w->collisions));
    printf("impulse %.5g N s/m", w->percussion[0]);
    if (w->closed > 0)
      printf(", %d node%s on it at the end", w->closed, app_plural(w->closed));
    else if (w->left >= 0)
      printf(", out of the water since %.5g s", w->left);
    printf("\n");
  }
  if (end->surface)
    printf("surface     from %.5g to %.5g m, Courant number %.2g\n", end->low, end->high,
           end->courant);
  printf("energy      kinetic: fluid %.5g, bodies %.5g; potential %+.5g J/m; kinetic before %.5g "
         "J/m\n",
         a->now.fluid, a->now.bodies, a->now.gravity - a->start.gravity,
         a->start.fluid + a->start.bodies);
  printf("            dissipated: by viscosity %.5g, by drag %.5g, at resting contacts %.2g J/m\n",
         a->viscous, a->drag, a->rest);
  printf("            dissipated in collisions: in volumes %.5g, on surfaces %.5g, by reactions "
         "%.5g J/m; error of the moving mesh %+.2g J/m\n",
         a->volume, a->surface, a->reactions, a->mesh);
  printf("balance     %s, relative drift %.1e\n",
         summary->steps_open == 0 && a->closed ? "closed" : "NOT CLOSED", a->identity);
  if (a->unsolved > 0)
    printf("solver      WARNING: %d solve%s missed the tolerance\n", a->unsolved,
           app_plural(a->unsolved));
}

static void warn_of_strain(const pc_continuum *c)
{
  static const double small = 0.2; // as for rotations
  if (c->end.strain > small)
    printf("strain      WARNING: strains reach %.2g, but small deformations are valid up to about "
           "%g; use 'deformation: large'\n",
           c->end.strain, small);
}

void app_motion_print(const pc_continuum *continuum, const pc_run_summary *summary)
{
  if (continuum->flows) {
    print_flow(continuum, summary);
    return;
  }
  const pc_fe_motion_account *a = &continuum->account;
  if (continuum->alloys)
    print_alloy(continuum);
  else
    print_motion(continuum);
  printf("balance     %s, relative drift %.1e\n",
         summary->steps_open == 0 && a->closed ? "closed" : "NOT CLOSED", a->identity);
  warn_of_strain(continuum);
  if (a->unsolved > 0)
    printf("solver      WARNING: %d %s%s missed the tolerance\n", a->unsolved,
           continuum->alloys ? "step" : "solve", app_plural(a->unsolved));
}
