// What is measured on the tracks of people.
#include <math.h>
#include <stdlib.h>

#include "suite.h"

static size_t entry_of(const pc_tracks *tracks, int sample, int person)
{
  return (size_t)sample * (size_t)tracks->people + (size_t)person;
}

int pc_tracks_inside(const pc_tracks *tracks)
{
  int inside = tracks->made ? 0 : 1;
  for (int i = 0; i < tracks->people; i++)
    inside += tracks->exit[i] < 0;
  return inside;
}

double pc_tracks_last(const pc_tracks *tracks, int first, int count)
{
  double last = tracks->made ? 0 : NAN;
  for (int i = first; i < first + count && i < tracks->people; i++)
    last = isnan(last) || isnan(tracks->out[i]) ? NAN : fmax(last, tracks->out[i]);
  return last;
}

int pc_tracks_by_exit(const pc_tracks *tracks, int exit)
{
  int count = 0;
  for (int i = 0; i < tracks->people; i++)
    count += tracks->exit[i] == exit;
  return count;
}

double pc_tracks_passes(const pc_tracks *tracks, int person, int floor, int axis, double bound,
                        bool down)
{
  double sign = down ? -1 : 1, last = NAN;
  for (int s = 0; s < tracks->samples; s++) {
    size_t entry = entry_of(tracks, s, person);
    if (tracks->floor[entry] != floor) {
      last = NAN;
      continue;
    }
    double beyond = sign * ((double)tracks->at[entry][axis] - bound);
    if (beyond > 0) // between the samples
      return (s - (last <= 0 ? beyond / (beyond - last) : 0)) * tracks->every;
    last = beyond;
  }
  return NAN;
}

double pc_tracks_enters(const pc_tracks *tracks, int person, int floor)
{
  for (int s = 0; s < tracks->samples; s++)
    if (tracks->floor[entry_of(tracks, s, person)] == floor)
      return s * tracks->every;
  return NAN;
}

double pc_tracks_quits(const pc_tracks *tracks, int person, int floor)
{
  for (int s = tracks->samples - 1; s > 0; s--)
    if (tracks->floor[entry_of(tracks, s - 1, person)] == floor)
      return s * tracks->every;
  return NAN;
}

double pc_tracks_starts(const pc_tracks *tracks, int person, double distance)
{
  size_t first = entry_of(tracks, 0, person);
  for (int s = 1; s < tracks->samples; s++) {
    size_t entry = entry_of(tracks, s, person);
    double x = (double)tracks->at[entry][0] - (double)tracks->at[first][0],
           y = (double)tracks->at[entry][1] - (double)tracks->at[first][1];
    if (hypot(x, y) > distance)
      return s * tracks->every;
  }
  return NAN;
}

static bool is_in(const pc_tracks *tracks, size_t entry, pc_spot spot)
{
  double x = (double)tracks->at[entry][0], y = (double)tracks->at[entry][1];
  return tracks->floor[entry] == spot.floor && x >= spot.low[0] && x < spot.high[0] &&
         y >= spot.low[1] && y < spot.high[1];
}

static double area_of(pc_spot spot)
{
  return (spot.high[0] - spot.low[0]) * (spot.high[1] - spot.low[1]);
}

static int people_in(const pc_tracks *tracks, int sample, pc_spot spot)
{
  int count = 0;
  for (int i = 0; i < tracks->people; i++)
    count += is_in(tracks, entry_of(tracks, sample, i), spot);
  return count;
}

// Samples of an interval of time.
static void find_samples(const pc_tracks *tracks, double from, double to, int range[2])
{
  range[0] = (int)fmax(0, ceil(from / tracks->every - 1e-9));
  range[1] = (int)fmin(tracks->samples - 1, floor(to / tracks->every + 1e-9));
}

double pc_tracks_density(const pc_tracks *tracks, pc_spot spot, double from, double to)
{
  int range[2];
  double sum = 0;
  find_samples(tracks, from, to, range);
  for (int s = range[0]; s <= range[1]; s++)
    sum += people_in(tracks, s, spot);
  return tracks->made && range[1] >= range[0] ? sum / (range[1] - range[0] + 1) / area_of(spot)
                                              : NAN;
}

double pc_tracks_speed(const pc_tracks *tracks, pc_spot spot, double from, double to)
{
  int range[2];
  double sum = 0, count = 0;
  find_samples(tracks, from, to, range);
  for (int s = range[0] > 0 ? range[0] : 1; s <= range[1]; s++)
    for (int i = 0; i < tracks->people; i++) {
      size_t now = entry_of(tracks, s, i), then = entry_of(tracks, s - 1, i);
      if (!is_in(tracks, now, spot) || tracks->floor[then] != spot.floor)
        continue;
      sum += hypot((double)tracks->at[now][0] - (double)tracks->at[then][0],
                   (double)tracks->at[now][1] - (double)tracks->at[then][1]) /
             tracks->every;
      count++;
    }
  return tracks->made && count > 0 ? sum / count : NAN;
}

double pc_tracks_peak(const pc_tracks *tracks, pc_spot spot, double window)
{
  int width = (int)fmax(1, round(window / tracks->every));
  double sum = 0, most = 0;
  for (int s = 0; s < tracks->samples; s++) {
    sum += people_in(tracks, s, spot);
    if (s >= width)
      sum -= people_in(tracks, s - width, spot);
    most = s + 1 >= width ? fmax(most, sum / width) : most;
  }
  return tracks->made ? most / area_of(spot) : NAN;
}

bool pc_tracks_visits(const pc_tracks *tracks, int person, pc_spot spot)
{
  bool visits = false;
  for (int s = 0; s < tracks->samples && !visits; s++)
    visits = is_in(tracks, entry_of(tracks, s, person), spot);
  return visits;
}

// Distance to the border of a polygon, below 0 inside.
static double distance_to(int corners, const double (*corner)[2], double x, double y)
{
  double least = INFINITY;
  bool inside = false;
  for (int i = 0, j = corners - 1; i < corners; j = i++) {
    double ax = corner[j][0], ay = corner[j][1], bx = corner[i][0] - ax, by = corner[i][1] - ay;
    double along = ((x - ax) * bx + (y - ay) * by) / (bx * bx + by * by);
    along = fmax(0, fmin(1, along));
    least = fmin(least, hypot(x - ax - along * bx, y - ay - along * by));
    if ((corner[i][1] > y) != (ay > y) && x < ax + (y - ay) / by * bx)
      inside = !inside;
  }
  return inside ? -least : least;
}

int pc_tracks_outside(const pc_tracks *tracks, int floor, int corners, const double (*corner)[2],
                      double distance)
{
  int count = tracks->made ? 0 : 1;
  for (int s = 0; s < tracks->samples; s++)
    for (int i = 0; i < tracks->people; i++) {
      size_t entry = entry_of(tracks, s, i);
      if (tracks->floor[entry] == floor)
        count += distance_to(corners, corner, (double)tracks->at[entry][0],
                             (double)tracks->at[entry][1]) > distance;
    }
  return count;
}

static int compare(const void *a, const void *b)
{
  const double *one = a, *two = b;
  return (*one > *two) - (*one < *two);
}

static double *sorted_of(int *count, const double *value)
{
  double *sorted = malloc(((size_t)*count + 1) * sizeof *sorted);
  int kept = 0;
  for (int i = 0; i < *count && sorted != NULL; i++)
    if (isfinite(value[i]))
      sorted[kept++] = value[i];
  *count = kept;
  if (sorted != NULL)
    qsort(sorted, (size_t)kept, sizeof *sorted, compare);
  return sorted;
}

double pc_suite_flow(int count, const double *time, double from, double to)
{
  double *sorted = sorted_of(&count, time);
  int first = (int)floor(from * (count - 1)), last = (int)floor(to * (count - 1));
  double flow =
      sorted != NULL && last > first ? (last - first) / (sorted[last] - sorted[first]) : NAN;
  free(sorted);
  return flow;
}

double pc_suite_kolmogorov(int count, const double *value, double (*law)(double x, const void *of),
                           const void *of)
{
  double *sorted = sorted_of(&count, value), most = 0;
  for (int i = 0; i < count && sorted != NULL; i++) {
    double is = law(sorted[i], of);
    most = fmax(most, fmax(is - (double)i / count, (double)(i + 1) / count - is));
  }
  double root = sqrt(count);
  bool good = sorted != NULL && count > 0;
  free(sorted);
  return good ? most * (root + 0.12 + 0.11 / root) : NAN;
}

void pc_suite_corner(pc_suite *suite, const char *scene)
{
  static const double plan[][2] = {{0, 0}, {12, 0}, {12, 12}, {10, 12}, {10, 2}, {0, 2}};
  pc_tracks tracks = pc_suite_play(suite, scene, 1, 0, NULL);
  pc_suite_check_value(suite, "inside", "people who do not get around the corner",
                       pc_tracks_inside(&tracks), "1", -INFINITY, 0, true,
                       "twenty people, last %.1f s", pc_tracks_last(&tracks, 0, 20));
  pc_suite_check_value(
      suite, "walls", "places of people outside the corridor",
      pc_tracks_outside(&tracks, 0, 6, plan, 0.15), "1", -INFINITY, 0, true,
      "centres more than 0.15 m outside, which is the way of 0.1 s before they leave");
  pc_tracks_free(&tracks);
}
