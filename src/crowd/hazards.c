// Hazards of a fire: fields of smoke and gases that are given, the speed of people in smoke, the
// dose that they take, and the delay on routes through smoke.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/threads.h"
#include "crowd/crowd.h"

enum { GRAIN = 1024 };
static const double EXPOSED = 0.2;  // s, between samples of the air around people
static const double ROUTED = 5;     // s, between updates of routes while fields change
static const double OXYGEN = 0.209; // of clean air

// Frantzich and Nilsson (2003), as FDS+Evac has them.
static const double ALPHA = 0.706, BETA = -0.057; // m/s, m^2/s
static const double SLOWEST = 0.1;

double pc_smoke_speed(double extinction)
{
  return extinction > 0 ? fmax(SLOWEST, 1 + BETA / ALPHA * extinction) : 1;
}

// Purser's model of asphyxia in the SFPE Handbook, as FDS has it; per second.
double pc_dose_rate(const double air[PC_HAZARDS])
{
  if (air == NULL)
    return 0;
  double ppm = 1e6 * fmax(0, air[PC_CO]), cyanide = 1e6 * fmax(0, air[PC_HCN]);
  double percent = 100 * fmax(0, air[PC_CO2]), oxygen = 100 * air[PC_O2], rate = 0;
  if (ppm > 0)
    rate += 2.764e-5 * pc_pow(ppm, 1.036) / 60;
  if (cyanide > 0)
    rate += fmax(0, pc_exp(cyanide / 43) / 220 - 0.0045) / 60;
  if (percent > 0) // faster breathing
    rate *= pc_exp(0.1903 * percent + 2.0004) / 7.1;
  if (oxygen > 0 && oxygen < 20)
    rate += pc_exp(0.54 * (20.9 - oxygen) - 8.13) / 60;
  return rate + fmax(0, air[PC_DOSE]);
}

static bool is_rising(int count, const double *axis)
{
  bool sound = count > 0 && axis != NULL && isfinite(axis[0]);
  for (int i = 1; i < count && sound; i++)
    sound = isfinite(axis[i]) && axis[i] > axis[i - 1];
  return sound;
}

static pc_status check(pc_crowd *crowd, const pc_hazard_def *def)
{
  bool table = def->nodes[0] != 0, sound = def->count == 0 || def->count >= 3;
  sound = sound && (def->count == 0 || def->points != NULL) && isfinite(def->from) &&
          def->until >= 0 && (def->until == 0 || def->until > def->from);
  size_t cells = 1;
  for (int k = 0; k < 3 && table && sound; k++) {
    sound = is_rising(def->nodes[k], def->axis[k]);
    cells *= (size_t)def->nodes[k];
  }
  for (int q = 0; q < PC_HAZARDS && sound; q++) {
    sound = def->value[q] >= 0 && isfinite(def->value[q]);
    for (size_t i = 0; table && def->table[q] != NULL && i < cells && sound; i++)
      sound = def->table[q][i] >= 0 && isfinite(def->table[q][i]);
  }
  return sound ? PC_OK
               : pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                               "a hazard needs values that are not negative, an area of at least 3 "
                               "points or none, an end after its start, and axes that rise");
}

int pc_crowd_add_hazard(pc_crowd *crowd, const pc_hazard_def *def)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (def == NULL)
    return pc_crowd_reject(crowd, "the definition of a hazard must not be NULL");
  if (pc_check_floor(crowd, def->floor) != PC_OK || check(crowd, def) != PC_OK)
    return -1;
  pc_arena *arena = &crowd->arena;
  pc_hazard_def own = *def;
  size_t cells = def->nodes[0] != 0 ? 1 : 0;
  own.points = pc_arena_copy(arena, def->points, def->count, sizeof *own.points);
  for (int k = 0; k < 3 && cells > 0; k++) {
    own.axis[k] = pc_arena_copy(arena, def->axis[k], def->nodes[k], sizeof(double));
    cells *= (size_t)def->nodes[k];
  }
  for (int q = 0; q < PC_HAZARDS; q++) {
    double *table =
        cells > 0 && def->table[q] != NULL ? pc_arena_take(arena, cells, sizeof *table) : NULL;
    if (table != NULL)
      memcpy(table, def->table[q], cells * sizeof *table);
    own.table[q] = table;
  }
  pc_hazard_def *added = arena->failed ? NULL : pc_array_add(&crowd->hazards);
  if (added == NULL)
    return pc_crowd_out_of_memory(crowd), -1;
  *added = own;
  crowd->exposed = crowd->routed = -INFINITY;
  return crowd->hazards.count - 1;
}

// The nodes of an axis around a value; false: it lies outside. With one node, everything is inside.
static bool find(int count, const double *axis, double value, bool held, int *low, double *part)
{
  int first = 0, last = count - 1;
  *low = 0;
  *part = 0;
  if (count == 1)
    return true;
  if (value <= axis[0] || value >= axis[last]) {
    *low = value <= axis[0] ? 0 : last - 1;
    *part = value <= axis[0] ? 0 : 1;
    return held || value == axis[0] || value == axis[last];
  }
  while (last - first > 1) {
    int middle = first + (last - first) / 2;
    *(axis[middle] <= value ? &first : &last) = middle;
  }
  *low = first;
  *part = (value - axis[first]) / (axis[first + 1] - axis[first]);
  return true;
}

// Adds what one hazard has at a place. A table is by time, then y, then x.
static void add_air(const pc_hazard_def *def, const double p[2], double time,
                    double air[PC_HAZARDS])
{
  const double at[3] = {time - def->from, p[0], p[1]};
  int low[3];
  double part[3];
  if (time < def->from || (def->until > 0 && time >= def->until) ||
      (def->count > 0 && !pc_is_inside(def->count, def->points, p)))
    return;
  for (int k = 0; k < 3 && def->nodes[0] > 0; k++)
    if (!find(def->nodes[k], def->axis[k], at[k], k == 0, &low[k], &part[k]))
      return;
  for (int q = 0; q < PC_HAZARDS; q++) {
    double value = def->value[q];
    if (def->nodes[0] > 0 && def->table[q] != NULL) {
      value = 0;
      for (int corner = 0; corner < 8; corner++) {
        double share = 1;
        size_t node[3];
        for (int k = 0; k < 3; k++) {
          int up = corner >> k & 1;
          share *= up ? part[k] : 1 - part[k];
          node[k] = (size_t)low[k] + (up && def->nodes[k] > 1);
        }
        size_t columns = (size_t)def->nodes[1], rows = (size_t)def->nodes[2];
        if (share > 0)
          value += share * def->table[q][(node[0] * rows + node[2]) * columns + node[1]];
      }
    }
    if (q != PC_O2)
      air[q] += value;
    else if (value > 0)
      air[q] = fmin(air[q], value);
  }
}

static void find_air(const pc_crowd *crowd, int floor, const double p[2], double time,
                     double air[PC_HAZARDS])
{
  memset(air, 0, PC_HAZARDS * sizeof *air);
  air[PC_O2] = OXYGEN;
  for (int i = 0; i < crowd->hazards.count; i++)
    if (crowd->hazards.at[i].floor == floor)
      add_air(&crowd->hazards.at[i], p, time, air);
}

void pc_crowd_air(const pc_crowd *crowd, int floor, const double place[2], double time,
                  double air[PC_HAZARDS])
{
  if (air == NULL)
    return;
  memset(air, 0, PC_HAZARDS * sizeof *air);
  if (crowd != NULL && place != NULL)
    find_air(crowd, floor, place, time, air);
}

double pc_hazards_depth(const pc_crowd *crowd, int floor, const double p[2], const double q[2],
                        double time)
{
  double length = pc_hypot(q[0] - p[0], q[1] - p[1]), depth = 0, air[PC_HAZARDS];
  int pieces = crowd->hazards.count > 0 ? (int)fmin(1000, ceil(2 * length)) : 0;
  for (int i = 0; i < pieces; i++) {
    double s = (i + 0.5) / pieces, at[2] = {p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])};
    find_air(crowd, floor, at, time, air);
    depth += air[PC_EXTINCTION] * length / pieces;
  }
  return depth;
}

// --- people -------------------------------------------------------------------------------------

typedef struct exposure {
  pc_crowd *crowd;
  double time, since;
} exposure;

static void expose(void *context, int begin, int end, int worker)
{
  const exposure *job = context;
  pc_crowd *crowd = job->crowd;
  for (int i = begin; i < end; i++) {
    pc_person *person = &crowd->person[i];
    double p[2] = {crowd->place[i][0] - crowd->floors.at[person->floor].offset, crowd->place[i][1]};
    double air[PC_HAZARDS];
    if (!crowd->there[i])
      continue;
    find_air(crowd, person->floor, p, job->time, air);
    person->dose += job->since * pc_dose_rate(air);
    person->smoke = (float)(1 - pc_smoke_speed(air[PC_EXTINCTION]));
    pc_walker_set(crowd, i);
  }
}

static bool has_switched(const pc_hazard_def *def, double before, double now)
{
  bool was = before >= def->from && !(def->until > 0 && before >= def->until);
  bool is = now >= def->from && !(def->until > 0 && now >= def->until);
  bool moves =
      is && def->nodes[0] > 1 && now - def->from < def->axis[0][def->nodes[0] - 1] + 2 * ROUTED;
  return was != is || (moves && now >= before + ROUTED - 1e-9);
}

bool pc_hazards_look(pc_crowd *crowd, double time)
{
  bool changed = false;
  if (crowd->hazards.count == 0)
    return false;
  if (time >= crowd->exposed + EXPOSED - 1e-9) {
    exposure job = {crowd, time, isfinite(crowd->exposed) ? time - crowd->exposed : 0};
    pc_parallel(crowd->def.threads > 1 ? crowd->def.threads : 1, crowd->people, GRAIN, expose,
                &job);
    crowd->exposed = time;
  }
  for (int i = 0; i < crowd->hazards.count && !changed; i++)
    changed = has_switched(&crowd->hazards.at[i], crowd->routed, time);
  if (changed)
    crowd->routed = time;
  return changed;
}

// Smoke makes ways slower, and people avoid it.
void pc_hazards_delay(pc_crowd *crowd)
{
  for (int f = 0; f < crowd->floors.count; f++) {
    pc_grid *grid = &crowd->floors.at[f].grid;
    bool any = false;
    for (int i = 0; i < crowd->hazards.count; i++)
      any |= crowd->hazards.at[i].floor == f;
    for (int row = 0; row < grid->rows && any; row++)
      for (int column = 0; column < grid->columns; column++) {
        double p[2], air[PC_HAZARDS];
        pc_grid_place(grid, column, row, p);
        find_air(crowd, f, p, crowd->routed, air);
        if (!(air[PC_EXTINCTION] > 0))
          continue;
        double factor = 1 + crowd->def.avoidance * air[PC_EXTINCTION];
        grid->slowness[(size_t)row * grid->columns + column] *=
            factor / pc_smoke_speed(air[PC_EXTINCTION]);
        grid->even = false;
      }
  }
}

int pc_crowd_incapacitated(const pc_crowd *crowd)
{
  int count = 0;
  for (int i = 0; crowd != NULL && crowd->hazards.count > 0 && i < crowd->people; i++)
    count += crowd->person[i].dose >= crowd->def.dose && crowd->person[i].exit < 0;
  return count;
}

size_t pc_hazards_save(const pc_crowd *crowd, char *to)
{
  const double times[2] = {crowd->exposed, crowd->routed};
  if (crowd->hazards.count == 0)
    return 0;
  if (to != NULL)
    memcpy(to, times, sizeof times);
  return sizeof times;
}

void pc_hazards_load(pc_crowd *crowd, const char *from)
{
  double times[2];
  if (crowd->hazards.count == 0)
    return;
  memcpy(times, from, sizeof times);
  crowd->exposed = times[0];
  crowd->routed = times[1];
}
