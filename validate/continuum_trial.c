// The collision of a continuum, from the text of a scene.
#include "continuum_trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trial.h"

bool continuum_read(continuum_trial *trial, const char *format, ...)
{
  *trial = (continuum_trial){.solved = false};
  va_list arguments;
  va_start(arguments, format);
  char *text = pc_trial_format(format, arguments);
  va_end(arguments);
  if (text == NULL)
    return false;
  bool fine = pc_scene_parse("validation.yaml", text, &trial->scene, NULL) == PC_OK;
  free(text);
  if (fine)
    trial->nodes = pc_continuum_before(trial->scene.continuum);
  return fine;
}

void continuum_end(continuum_trial *trial)
{
  pc_continuum_answer_free(&trial->answer);
  pc_scene_free(&trial->scene);
}

bool continuum_solve(pc_report *report, continuum_trial *trial)
{
  trial->solved = trial->nodes.count > 0 &&
                  pc_continuum_solve(trial->scene.continuum, 0, &trial->answer, NULL) == PC_OK &&
                  trial->answer.solved && trial->answer.closed;
  pc_report_count(report, trial->solved);
  return trial->solved;
}

int continuum_node(const continuum_trial *trial, double x, double y)
{
  for (int i = 0; i < trial->nodes.count; i++)
    if (hypot(trial->nodes.place[i][0] - x, trial->nodes.place[i][1] - y) < 1e-9)
      return i;
  return -1;
}

double continuum_velocity(const continuum_trial *trial, double x, double y, int component)
{
  int node = trial->solved ? continuum_node(trial, x, y) : -1;
  return node < 0 ? NAN : trial->answer.velocity[trial->answer.dimension * node + component];
}

double continuum_body(const continuum_trial *trial, int body, int component)
{
  return trial->solved ? trial->answer.body[body].after[component] : NAN;
}

pc_continuum_touch continuum_touch(const continuum_trial *trial, int contact)
{
  if (trial->solved)
    return trial->answer.touch[contact];
  return (pc_continuum_touch){.nodes = 1,
                              .resultant = {NAN, NAN},
                              .length = NAN,
                              .peak = NAN,
                              .pressure = NAN,
                              .velocity_high = {NAN, NAN}};
}

double continuum_reaction(const continuum_trial *trial, int contact)
{
  double sum = trial->solved ? 0 : NAN;
  for (int i = 0; i < trial->answer.points; i++)
    if (trial->answer.point[i].contact == contact)
      sum += trial->answer.point[i].weight * trial->answer.point[i].reaction;
  return sum;
}

typedef struct comparison {
  continuum_truth *truth;
  const void *context;
  int dimension;
  double velocity, pressure, mean, area; // integrals of squares; of the difference; of 1
} comparison;

static void compare(void *context, const double place[2], double weight, const double velocity[2],
                    double pressure)
{
  comparison *c = context;
  double value[3] = {0};
  c->truth(c->context, place, value);
  for (int k = 0; k < c->dimension; k++)
    c->velocity += weight * (velocity[k] - value[k]) * (velocity[k] - value[k]);
  double off = pressure - value[c->dimension];
  c->pressure += weight * off * off;
  c->mean += weight * off;
  c->area += weight;
}

void continuum_distance(const continuum_trial *trial, continuum_truth *truth, const void *context,
                        double distance[2])
{
  comparison c = {.truth = truth, .context = context, .dimension = trial->nodes.dimension};
  distance[0] = distance[1] = NAN;
  if (!trial->solved)
    return;
  pc_continuum_integrate(trial->scene.continuum, &trial->answer, compare, &c);
  distance[0] = sqrt(c.velocity);
  distance[1] = sqrt(fmax(0, c.pressure - c.mean * c.mean / c.area));
}

axis_text mesh_axis_text(const mesh_axis *axis)
{
  axis_text list;
  size_t room = sizeof list.text, length = 0;
  for (int i = 0; i + 1 < axis->corners && length < room; i++)
    for (int n = 0; n < axis->cells[i] && length < room; n++)
      length += (size_t)snprintf(
          list.text + length, room - length, "%s%.17g", length == 0 ? "[" : ", ",
          axis->corner[i] + (axis->corner[i + 1] - axis->corner[i]) * ((double)n / axis->cells[i]));
  if (length < room)
    snprintf(list.text + length, room - length, ", %.17g]", axis->corner[axis->corners - 1]);
  return list;
}
