// Walking speeds of people by age, and of people with aids, as measured.
#include <math.h>

#include "core/array.h"
#include "crowd/crowd.h"

// Weidmann (1993), as read from figure 2 of the RiMEA guideline: means, and the upper edge of the
// band of one deviation.
static const double years[] = {3, 10, 20, 30, 40, 50, 60, 70, 80, 85};
static const double means[] = {0.56, 1.17, 1.6, 1.53, 1.48, 1.41, 1.26, 1.06, 0.7, 0.55};
static const double edges[] = {0.66, 1.4, 1.91, 1.81, 1.76, 1.65, 1.5, 1.26, 0.8, 0.59};

// IMO MSC.1/Circ.1533, table 3.4: passengers below 30, up to 50, and above; on the level.
static const double imo[2][3][2] = {{{0.93, 1.55}, {0.71, 1.19}, {0.56, 0.94}},
                                    {{1.11, 1.85}, {0.97, 1.62}, {0.84, 1.4}}};

pc_speed_range pc_speed_of_age(pc_age_speeds source, double age)
{
  const int last = PC_COUNT(years) - 1;
  if (isnan(age) || (unsigned)source > PC_SPEEDS_IMO_MEN)
    return (pc_speed_range){0};
  if (source != PC_SPEEDS_WEIDMANN) {
    const double *range = imo[source == PC_SPEEDS_IMO_MEN][age < 30 ? 0 : age <= 50 ? 1 : 2];
    return (pc_speed_range){.low = range[0], .high = range[1], .mean = 0.5 * (range[0] + range[1])};
  }
  double at = fmin(fmax(age, years[0]), years[last]);
  int i = 0;
  while (i + 1 < last && at > years[i + 1])
    i++;
  double part = (at - years[i]) / (years[i + 1] - years[i]);
  double mean = means[i] + part * (means[i + 1] - means[i]);
  double deviation = edges[i] + part * (edges[i + 1] - edges[i]) - mean;
  return (pc_speed_range){
      .mean = mean, .deviation = deviation, .low = mean - deviation, .high = mean + deviation};
}

// Boyce, Shields and Silcock, Fire Technology 35 (1999) 51: speeds on the level, with their
// deviations, and down stairs, along which they are measured: x 0.863, horizontally. Wheelchairs
// are 0.7 m wide (ISO 7176-5).
pc_aid_values pc_aid_of(pc_aid aid)
{
  static const double tread = 0.863;
  static const pc_aid_values values[] = {
      [PC_AID_NONE] = {1.34, 0.26, 0.225, 80, 0.5, false},
      [PC_AID_CANE] = {0.81, 0.38, 0.25, 80, 0.32 * tread, false},
      [PC_AID_CRUTCHES] = {0.94, 0.30, 0.3, 80, 0.22 * tread, false},
      [PC_AID_FRAME] = {0.57, 0.29, 0.3, 80, 0.16 * tread, false},
      [PC_AID_WHEELCHAIR] = {0.69, 0.35, 0.35, 100, 0, true},
      [PC_AID_ATTENDED_WHEELCHAIR] = {1.30, 0.34, 0.35, 180, 0, true},
      [PC_AID_ELECTRIC_WHEELCHAIR] = {0.89, 0, 0.35, 200, 0, true},
  };
  return (unsigned)aid <= PC_AID_ELECTRIC_WHEELCHAIR ? values[aid] : (pc_aid_values){0};
}
