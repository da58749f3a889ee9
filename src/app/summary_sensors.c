// Lines of the summary of a run: the peaks and totals of its sensors.
#include <stdio.h>

#include "app/app.h"
#include "app/summary.h"
#include "scene/text.h"

enum { MOST_LINES = 12 };

static bool has_peak(const pc_sensor *sensor)
{
  return sensor->kind == PC_SENSOR_FORCE || sensor->kind == PC_SENSOR_ACCELERATION;
}

// Forces with a prefix that suits them.
static const char *value_text(const pc_sensor *sensor, double value, char text[32])
{
  static const struct {
    double size;
    const char *unit;
  } units[] = {{1e9, "GN"}, {1e6, "MN"}, {1e3, "kN"}, {1, "N"}};
  int i = 0;
  while (i < 3 && value < units[i].size)
    i++;
  if (sensor->kind == PC_SENSOR_ACCELERATION)
    snprintf(text, 32, "%.4g m/s2", value);
  else
    snprintf(text, 32, "%.4g %s", value / units[i].size, units[i].unit);
  return text;
}

// Whether the largest value is that of an impact in one step: springs act over many.
static bool depends_on_step(const pc_scene *scene, const pc_sensor *sensor)
{
  bool springs = sensor->kind == PC_SENSOR_FORCE && sensor->source == PC_FORCE_SPRINGS;
  return !springs && sensor->peak_step > 1.2 * sensor->peak &&
         pc_world_definition(scene->world)->treatment != PC_PENALTY;
}

// A sensor with a cut-off is followed by its filtered signal.
static const pc_sensor *filtered(const pc_scene *scene, int k)
{
  const pc_sensor *next = scene->sensor + k + 1;
  return k + 1 < scene->sensors && next->cutoff > 0 && !(scene->sensor[k].cutoff > 0) ? next : NULL;
}

static const double WINDOW = 0.02; // s, of the mean

static void print_line(const pc_scene *scene, int k, bool first)
{
  const pc_sensor *sensor = scene->sensor + k, *signal = filtered(scene, k);
  char text[32];
  printf("%-12s'%s': largest mean over 20 ms %s", first ? "sensors" : "",
         pc_text_path(sensor->name).text,
         scene->step > WINDOW ? "unknown (the step is longer)"
                              : value_text(sensor, sensor->peak, text));
  if (signal != NULL)
    printf(", filtered at %g Hz %s", signal->cutoff, value_text(signal, signal->peak_step, text));
  printf(", in one step of %.3g ms %s\n", 1e3 * scene->step,
         value_text(sensor, sensor->peak_step, text));
}

// Impulse, dissipated energy or hits since the start.
static void print_total(const pc_sensor *sensor, bool first)
{
  const double *t = sensor->total;
  printf("%-12s'%s': ", first ? "sensors" : "", pc_text_path(sensor->name).text);
  if (sensor->kind == PC_SENSOR_HITS)
    printf("%.0f hit%s\n", t[0], t[0] == 1 ? "" : "s");
  else if (sensor->kind == PC_SENSOR_DISSIPATED)
    printf("%.6g J dissipated\n", t[0]);
  else if (sensor->along)
    printf("impulse %.6g N s\n", t[0]);
  else
    printf("impulse (%.6g, %.6g, %.6g) N s\n", t[0], t[1], t[2]);
}

static bool has_total(const pc_sensor *sensor)
{
  return sensor->kind == PC_SENSOR_IMPULSE || sensor->kind == PC_SENSOR_DISSIPATED ||
         sensor->kind == PC_SENSOR_HITS;
}

void app_sensors_print(const pc_scene *scene)
{
  int lines = 0, more = 0;
  bool depends = false, any_peak = false;
  for (int k = 0; k < scene->sensors; k++) {
    const pc_sensor *sensor = scene->sensor + k;
    if ((!has_peak(sensor) && !has_total(sensor)) || sensor->cutoff > 0)
      continue;
    any_peak = any_peak || has_peak(sensor);
    depends = depends || (has_peak(sensor) && depends_on_step(scene, sensor));
    if (lines == MOST_LINES)
      more++;
    else if (has_total(sensor))
      print_total(sensor, lines++ == 0);
    else
      print_line(scene, k, lines++ == 0);
  }
  if (more > 0)
    printf("            ... and %d more (--json has all)\n", more);
  if (depends)
    printf("            In one step an impact has the force impulse / step, which doubles when the "
           "step is halved.\n"
           "            For design, use the mean over 20 ms or a sensor with a `cutoff`.\n");
  if (any_peak && scene->step > WINDOW)
    printf("            WARNING: the step of %g s is too long for the forces of impacts\n",
           scene->step);
}
