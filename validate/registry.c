// The list of sources, and the public function that runs their cases.
#include <stdio.h>

#include "report.h"

// One file per source, in the order of the table. Each defines pc_cases_NAME, a list of cases that
// ends with an empty one.
#define SOURCES(X)                                                                                 \
  X(fremond_point)                                                                                 \
  X(fremond_coulomb)                                                                               \
  X(fremond_disks)                                                                                 \
  X(fremond_balls)                                                                                 \
  X(fremond_motion)                                                                                \
  X(fremond_figures)                                                                               \
  X(leon_qp)                                                                                       \
  X(leon_rotation)                                                                                 \
  X(leon_layers)                                                                                   \
  X(leon_landslide)                                                                                \
  X(leon_gabion)                                                                                   \
  X(leon_rockslide)                                                                                \
  X(moreau)                                                                                        \
  X(moreau_motion)                                                                                 \
  X(pecol)                                                                                         \
  X(rigid)                                                                                         \
  X(crowd_rooms)                                                                                   \
  X(crowd_pairs)                                                                                   \
  X(crowd_meetings)                                                                                \
  X(crowd_bottleneck)                                                                              \
  X(crowd_walking)                                                                                 \
  X(rimea)                                                                                         \
  X(rimea_crowds)                                                                                  \
  X(iso20414)                                                                                      \
  X(iso20414_choice)                                                                               \
  X(crowd_scenes)                                                                                  \
  X(crowd_steps)                                                                                   \
  X(crowd_obstacle)                                                                                \
  X(crowd_plans)                                                                                   \
  X(crowd_train)                                                                                   \
  X(crowd_groups)                                                                                  \
  X(crowd_exits)                                                                                   \
  X(crowd_routes)                                                                                  \
  X(chain_bounds)                                                                                  \
  X(chain_laws)                                                                                    \
  X(fremond_bar)                                                                                   \
  X(fremond_water)                                                                                 \
  X(fremond_flow)                                                                                  \
  X(fremond_debris)                                                                                \
  X(fremond_debris_motion)                                                                         \
  X(fremond_alloy)                                                                                 \
  X(continuum_order)                                                                               \
  X(continuum_hertz)                                                                               \
  X(continuum_bars)                                                                                \
  X(continuum_patch)                                                                               \
  X(continuum_large)                                                                               \
  X(heat_rigid)                                                                                    \
  X(fremond_heat)                                                                                  \
  X(fremond_phase)                                                                                 \
  X(fremond_alloy_motion)

#define DECLARE(name) extern const pc_case pc_cases_##name[];
SOURCES(DECLARE)
#define LIST(name) pc_cases_##name,
static const pc_case *const sources[] = {SOURCES(LIST)};
enum { SOURCE_COUNT = sizeof sources / sizeof *sources };

// Studies, in the order of the page. Each is pc_study_NAME, in the file of its case or its own.
#define STUDIES(X)                                                                                 \
  X(theatre)                                                                                       \
  X(subway)                                                                                        \
  X(obstacle)                                                                                      \
  X(classroom)                                                                                     \
  X(two_exits)                                                                                     \
  X(arch)                                                                                          \
  X(oscillation)                                                                                   \
  X(faster)                                                                                        \
  X(hands)                                                                                         \
  X(bar)                                                                                           \
  X(stone)                                                                                         \
  X(debris)                                                                                        \
  X(calibration)                                                                                   \
  X(rockslide)                                                                                     \
  X(austenite)                                                                                     \
  X(balls)

#define DECLARE_STUDY(name) extern const pc_study pc_study_##name;
STUDIES(DECLARE_STUDY)
#define LIST_STUDY(name) &pc_study_##name,
static const pc_study *const studies[] = {STUDIES(LIST_STUDY)};
enum { STUDY_COUNT = sizeof studies / sizeof *studies };

// Studies are the last cases.
static const pc_study *find_study(int i)
{
  if (i < 0)
    return NULL;
  for (int s = 0; s < SOURCE_COUNT; s++)
    for (const pc_case *c = sources[s]; c->prefix != NULL; c++)
      i--;
  return i >= 0 && i < STUDY_COUNT ? studies[i] : NULL;
}

// Case number i, or NULL after the last.
static const pc_case *find_case(int i)
{
  if (i < 0)
    return NULL;
  const pc_study *study = find_study(i);
  if (study != NULL)
    return &study->base;
  for (int s = 0; s < SOURCE_COUNT; s++)
    for (const pc_case *c = sources[s]; c->prefix != NULL; c++)
      if (i-- == 0)
        return c;
  return NULL;
}

const char *pc_validation_case(int i)
{
  const pc_case *found = find_case(i);
  return found != NULL ? found->prefix : NULL;
}

const char *pc_validation_study(int i)
{
  const pc_study *study = find_study(i);
  return study != NULL ? study->found : NULL;
}

static pc_status fail(pc_error *error, pc_status status, const char *format, const char *id)
{
  if (error != NULL) {
    error->status = status;
    snprintf(error->text, sizeof error->text, format, id);
  }
  return status;
}

// Whether a case has rows that the id selects.
static bool concerns(const char *id, const pc_case *c)
{
  return pc_id_is_below(c->prefix, id) || pc_id_is_below(id, c->prefix);
}

// Rejects an unknown area before anything runs; an unknown last part shows when its case is done.
static const char *find_unknown(const pc_row_filter *filter)
{
  for (int i = 0; i < filter->count; i++) {
    bool known = false;
    const pc_case *c;
    for (int n = 0; (c = find_case(n)) != NULL && !known; n++)
      known = concerns(filter->ids[i], c);
    if (!known)
      return filter->ids[i];
  }
  return NULL;
}

static bool is_wanted(const pc_case *c, const pc_row_filter *filter, bool skipped)
{
  bool wanted = filter->count == 0;
  for (int i = 0; i < filter->count; i++)
    if (concerns(filter->ids[i], c)) {
      wanted = true;
      filter->seen[i] = filter->seen[i] || skipped;
    }
  return wanted && !skipped;
}

pc_status pc_validate(const char *const *ids, int count, bool quick, pc_validation_sink *sink,
                      void *context, pc_error *error)
{
  enum { MAX_IDS = 1024 };
  static const char unknown[] = "no validation row is called '%.200s' or below it";
  bool seen[MAX_IDS] = {false}, enough_memory = true;
  if (sink == NULL || count < 0 || (count > 0 && ids == NULL))
    return fail(error, PC_ERROR_ARGUMENT, "%s must not be NULL", "the ids of rows and the sink");
  if (count > MAX_IDS)
    return fail(error, PC_ERROR_INPUT, "at most %s ids at a time", "1024");
  for (int i = 0; i < count; i++)
    if (ids[i] == NULL)
      return fail(error, PC_ERROR_ARGUMENT, "%s must not be NULL", "the id of a row");
  pc_row_filter filter = {ids, count, seen};
  const char *wrong = find_unknown(&filter);
  if (wrong != NULL)
    return fail(error, PC_ERROR_INPUT, unknown, wrong);
  pc_report *report = pc_report_create(&filter, sink, context);
  if (report == NULL)
    return fail(error, PC_ERROR_MEMORY, "out of memory%s", "");
  const pc_case *c;
  for (int n = 0; (c = find_case(n)) != NULL; n++)
    if (is_wanted(c, &filter, c->slow && quick))
      enough_memory = pc_report_run(report, c) && enough_memory;
  pc_report_destroy(report);
  if (!enough_memory)
    return fail(error, PC_ERROR_MEMORY, "out of memory%s", "");
  for (int i = 0; i < count; i++)
    if (!seen[i])
      return fail(error, PC_ERROR_INPUT, unknown, ids[i]);
  return PC_OK;
}
