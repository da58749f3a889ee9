// An impact problem, from the text of a scene.
#include "impact_trial.h"

#include <math.h>
#include <stdlib.h>

#include "trial.h"

bool impact_solve(pc_report *report, impact_trial *trial, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *text = pc_trial_format(format, arguments);
  va_end(arguments);
  *trial = (impact_trial){.solved = false};
  if (text != NULL)
    pc_scene_parse_impact("validation.yaml", text, &trial->scene, NULL);
  free(text);
  pc_solve_options options = pc_report_options();
  options.quasi_static = trial->scene.quasi_static;
  trial->solved = pc_report_solve_with(report, trial->scene.problem, &options, &trial->info);
  if (!trial->solved)
    trial->info.audit.kinetic_before = trial->info.audit.kinetic_after = NAN;
  return trial->solved;
}

void impact_end(impact_trial *trial)
{
  pc_scene_impact_free(&trial->scene);
}

void impact_velocity(const impact_trial *trial, int body, double *velocity, int count)
{
  if (trial->solved)
    pc_impact_velocity(trial->scene.problem, body, velocity);
  for (int i = 0; i < count && !trial->solved; i++)
    velocity[i] = NAN;
}

pc_interaction_answer impact_answer(const impact_trial *trial, int interaction)
{
  pc_interaction_answer answer = {.size = 1, .reaction = NAN, .dissipated = NAN};
  answer.percussion[0] = answer.deformation[0] = answer.after[0] = NAN;
  if (trial->solved)
    pc_impact_answer(trial->scene.problem, interaction, &answer);
  return answer;
}
