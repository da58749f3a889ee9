// Lines of the summary of a run: the peaks and totals of its sensors.
#include <math.h>
#include <stdio.h>

#include "app/app.h"
#include "app/summary.h"
#include "core/small.h"
#include "scene/text.h"

enum { MOST_LINES = 12 };

static bool has_peak(const pc_sensor *sensor)
{
  return sensor->kind == PC_SENSOR_FORCE || sensor->kind == PC_SENSOR_ACCELERATION;
}

typedef struct short_text {
  char text[100];
} short_text;

typedef struct prefix {
  double size;
  const char *text;
} prefix;

static prefix prefix_of(double size)
{
  static const prefix all[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
  int i = 0;
  while (i < 3 && size < all[i].size)
    i++;
  return all[i];
}

// A size with a prefix that suits it.
static short_text size_text(double value, const char *unit)
{
  short_text text;
  prefix p = prefix_of(fabs(value));
  snprintf(text.text, sizeof text.text, "%.4g %s%s", value / p.size, p.text, unit);
  return text;
}

static short_text value_text(const pc_sensor *sensor, double value)
{
  short_text text;
  if (sensor->kind != PC_SENSOR_ACCELERATION)
    return size_text(value, "N");
  snprintf(text.text, sizeof text.text, "%.4g m/s^2", value);
  return text;
}

static short_text window_text(double window)
{
  short_text text;
  if (window < 1)
    snprintf(text.text, sizeof text.text, "%.4g ms", 1e3 * window);
  else
    snprintf(text.text, sizeof text.text, "%.4g s", window);
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

static void print_line(const pc_scene *scene, int k, bool first)
{
  const pc_sensor *sensor = scene->sensor + k, *signal = filtered(scene, k);
  printf("%-12s'%s': largest mean over %s %s", first ? "sensors" : "",
         pc_text_path(sensor->name).text, window_text(sensor->window).text,
         scene->step > sensor->window ? "unknown (the step is longer)"
                                      : value_text(sensor, sensor->peak).text);
  if (signal != NULL)
    printf(", filtered at %g Hz %s", signal->cutoff, value_text(signal, signal->peak_step).text);
  printf(", in one step of %.3g ms %s\n", 1e3 * scene->step,
         value_text(sensor, sensor->peak_step).text);
}

static void print_strike(const pc_scene *scene, const char *what, const char *unit,
                         const pc_strike *strike)
{
  const double *p = strike->point;
  printf("%s %s ('%s' at %.4g s", what, size_text(strike->value, unit).text,
         pc_text_path(scene->names[strike->body.id - 1]).text, strike->time);
  if (strike->mass > 0)
    printf(", %.4g kg", strike->mass);
  if (strike->duration > 0.1)
    printf(", a hit of %.3g s", strike->duration);
  for (int i = 0; i < pc_world_definition(scene->world)->dimension; i++)
    printf("%s%.2f", i == 0 ? ", at (" : ", ", 0.01 * rint(100 * p[i]) + 0.0); // no -0
  printf(") m)");
}

static void print_hits(const pc_scene *scene, const pc_sensor *sensor)
{
  double hits = sensor->total[0];
  printf("%.0f hit%s", hits, hits == 1 ? "" : "s");
  if (sensor->struck > 0)
    printf(" by %d bod%s", sensor->struck, sensor->struck == 1 ? "y" : "ies");
  if (sensor->open > 0)
    printf(", %d still press%s at the end", sensor->open, sensor->open == 1 ? "es" : "");
  printf("\n");
  if (sensor->struck == 0)
    return;
  print_strike(scene, "            largest energy", "J", &sensor->hardest);
  if (sensor->strongest.body.id > 0)
    print_strike(scene, "\n            largest impulse", "N s", &sensor->strongest);
  if (sensor->peak > 0 && !(scene->step > sensor->window))
    printf("\n            largest mean of their force over %s %s", window_text(sensor->window).text,
           size_text(sensor->peak, "N").text);
  printf("\n");
}

static short_text impulse_text(const pc_sensor *sensor, const double *impulse)
{
  short_text text;
  if (sensor->along)
    return size_text(impulse[0], "N s");
  prefix p = prefix_of(sqrt(pc_dot3(impulse, impulse)));
  snprintf(text.text, sizeof text.text, "(%.4g, %.4g, %.4g) %sN s", impulse[0] / p.size,
           impulse[1] / p.size, impulse[2] / p.size, p.text);
  return text;
}

// What still presses is a load: its impulse grows with the time of the run.
static void print_impulse(const pc_sensor *sensor)
{
  const double *f = sensor->end_force;
  double force = sensor->along ? fabs(f[0]) : sqrt(pc_dot3(f, f)), range[2];
  bool turned = sensor->along && f[0] < 0;
  for (int i = 0; i < 2; i++)
    range[i] = turned ? -sensor->end_range[1 - i] : sensor->end_range[i];
  printf("impulse %s\n", impulse_text(sensor, sensor->total).text);
  if (sensor->open > 0)
    printf("            of it %s in %d hit%s that still press%s at the end (%s over the last "
           "second; all forces then: %s to %s in a step)\n",
           impulse_text(sensor, sensor->open_total).text, sensor->open,
           sensor->open == 1 ? "" : "s", sensor->open == 1 ? "es" : "", size_text(force, "N").text,
           size_text(range[0], "N").text, size_text(range[1], "N").text);
}

// Impulse, dissipated energy or hits since the start.
static void print_total(const pc_scene *scene, const pc_sensor *sensor, bool first)
{
  printf("%-12s'%s': ", first ? "sensors" : "", pc_text_path(sensor->name).text);
  if (sensor->kind == PC_SENSOR_HITS)
    print_hits(scene, sensor);
  else if (sensor->kind == PC_SENSOR_DISSIPATED)
    printf("%.6g J dissipated\n", sensor->total[0]);
  else
    print_impulse(sensor);
}

// Whether it has noticed a contact; true if it may have noticed something else.
static bool was_touched(const pc_scene *scene, const pc_sensor *sensor)
{
  bool contacts = sensor->source == PC_FORCE_CONTACTS || scene->elements == 0;
  double most = 0;
  for (int i = 0; i < (sensor->along ? 1 : 3); i++)
    most = fmax(most, fmax(fabs(sensor->low[i]), fabs(sensor->high[i])));
  return sensor->kind == PC_SENSOR_HITS ? sensor->total[0] > 0
         : sensor->kind == PC_SENSOR_FORCE || sensor->kind == PC_SENSOR_IMPULSE
             ? !contacts || most != 0
             : true;
}

static void print_untouched(const pc_scene *scene, const pc_sensor *sensor, bool first)
{
  printf("%-12s'%s': nothing touched '%s'", first ? "sensors" : "", pc_text_path(sensor->name).text,
         pc_text_path(scene->names[sensor->bodies[0].id - 1]).text);
  if (sensor->count > 1)
    printf(" and %d others", sensor->count - 1);
  printf("\n");
}

static bool has_total(const pc_sensor *sensor)
{
  return sensor->kind == PC_SENSOR_IMPULSE || sensor->kind == PC_SENSOR_DISSIPATED ||
         sensor->kind == PC_SENSOR_HITS;
}

void app_sensors_print(const pc_scene *scene)
{
  int lines = 0, more = 0, loads = 0;
  double window = 0;
  bool depends = false, long_step = false;
  for (int k = 0; k < scene->sensors; k++) {
    const pc_sensor *sensor = scene->sensor + k;
    if ((!has_peak(sensor) && !has_total(sensor)) || sensor->cutoff > 0 || sensor->is_mean)
      continue;
    loads += sensor->kind == PC_SENSOR_IMPULSE && sensor->open > 1;
    long_step = long_step || (has_peak(sensor) && scene->step > sensor->window);
    if (!depends && has_peak(sensor) && depends_on_step(scene, sensor)) {
      depends = true;
      window = sensor->window;
    }
    if (lines == MOST_LINES)
      more++;
    else if (sensor->count > 0 && !was_touched(scene, sensor))
      print_untouched(scene, sensor, lines++ == 0);
    else if (has_total(sensor))
      print_total(scene, sensor, lines++ == 0);
    else
      print_line(scene, k, lines++ == 0);
  }
  if (more > 0)
    printf("            ... and %d more (--json has all)\n", more);
  if (loads > 0)
    printf("            What presses at the end is one of several loads that rigid blocks can "
           "carry; the laws do not determine it.\n");
  if (depends)
    printf("            The impulse of a hit does not depend on the time step; its force in one "
           "step does.\n"
           "            The mean over %s is the force of an impact that lasts so long: choose the "
           "duration for your structure (`window`).\n",
           window_text(window).text);
  if (long_step)
    printf("            WARNING: the step of %g s is too long for the forces of impacts\n",
           scene->step);
}
