// The runs that a scene asks for: values of combinations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/plain.h"
#include "scene/names.h"
#include "scene/sweep.h"

int pc_scene_plan_value(const pc_scene_plan *plan, int combination, int sweep)
{
  if (plan == NULL || combination < 0 || combination >= plan->combinations || sweep < 0 ||
      sweep >= plan->sweeps)
    return 0;
  for (int i = plan->sweeps - 1; i > sweep; i--)
    combination /= plan->sweep[i].count;
  return combination % plan->sweep[sweep].count;
}

double pc_scene_sweep_number(const pc_scene_sweep *sweep, int value)
{
  if (sweep == NULL || value < 0 || value >= sweep->count)
    return NAN;
  const char *text = sweep->values[value];
  char *end;
  double number = pc_read_double(text, &end);
  bool plain = *text != 0 && *end == 0 && strspn(text, "+-.0123456789eE") == strlen(text);
  return plain && isfinite(number) ? number : NAN;
}

void pc_scene_plan_free(pc_scene_plan *plan)
{
  for (int i = 0; i < plan->sweeps; i++) {
    pc_names_release(plan->sweep[i].values, plan->sweep[i].count);
    free(plan->sweep[i].key);
    free(plan->sweep[i].label);
  }
  for (int i = 0; i < plan->pictures; i++) {
    pc_scene_curves *c = &plan->picture[i];
    pc_names_release(c->quantity, c->quantities);
    pc_names_release(c->word, c->words);
    free(c->name);
    free(c->title);
    free(c->y);
  }
  free(plan->sweep);
  free(plan->picture);
  *plan = (pc_scene_plan){0};
}
