// Groups of a run: the number of frames that all series of a group have.
#include <stdio.h>
#include <string.h>

#include "record/record.h"

enum { LONGEST = 512, OFFSETS = LONGEST + 8 }; // characters of names

// Frames of a series; -1 if the dataset is none.
static long frames_of(pc_reading *reading, const char *name)
{
  long size[4];
  return pc_reading_size(reading, name, size) > 0 && pc_reading_grows(reading, name) ? size[0] : -1;
}

// Whether the rows of the group vary in number. It then has an offset more than frames.
static bool find_offsets(pc_reading *reading, const char *group, char offsets[OFFSETS])
{
  snprintf(offsets, OFFSETS, "%s/offset", group);
  return pc_reading_has(reading, offsets);
}

static void count_series(pc_group *group, long frames)
{
  if (frames >= 0 && (group->frames < 0 || frames < group->frames))
    group->frames = frames;
}

static long frames_of_offsets(pc_reading *reading, const char *offsets)
{
  long frames = frames_of(reading, offsets);
  return frames > 0 ? frames - 1 : frames;
}

long pc_reading_frames(pc_reading *reading, const char *name)
{
  char offsets[OFFSETS];
  if (find_offsets(reading, name, offsets))
    return frames_of_offsets(reading, offsets);
  size_t length = strlen(name);
  pc_group group = {.frames = -1};
  for (int k = 0; k < pc_reading_count(reading); k++) {
    const char *dataset = pc_reading_name(reading, k);
    if (strncmp(dataset, name, length) == 0 && dataset[length] == '/')
      count_series(&group, frames_of(reading, dataset));
  }
  return group.frames;
}

// The group of this name, made if it is new; NULL when memory is out.
static pc_group *group_of(pc_reading *reading, pc_groups *groups, const char *name)
{
  int k = pc_names_find(&groups->names, name);
  if (k >= 0)
    return &groups->at.at[k];
  if (!pc_array_reserve(&groups->at, groups->at.count + 1) ||
      pc_names_add(&groups->names, name) < 0)
    return NULL;
  char offsets[OFFSETS];
  pc_group *group = &groups->at.at[groups->at.count++];
  *group = (pc_group){.frames = -1, .ragged = find_offsets(reading, name, offsets)};
  if (group->ragged)
    group->frames = frames_of_offsets(reading, offsets);
  return group;
}

// A dataset counts for its group and for those around that.
static bool count_dataset(pc_reading *reading, pc_groups *groups, const char *dataset)
{
  char name[LONGEST];
  const char *last = strrchr(dataset, '/');
  long frames = last != NULL ? frames_of(reading, dataset) : -1;
  for (const char *slash = strchr(dataset, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    snprintf(name, sizeof name, "%.*s", (int)(slash - dataset), dataset);
    pc_group *group = group_of(reading, groups, name);
    if (group == NULL)
      return false;
    group->direct = group->direct || slash == last;
    if (!group->ragged)
      count_series(group, frames);
  }
  return true;
}

bool pc_reading_groups(pc_reading *reading, pc_groups *groups)
{
  *groups = (pc_groups){0};
  for (int k = 0; k < pc_reading_count(reading); k++)
    if (!count_dataset(reading, groups, pc_reading_name(reading, k)))
      return false;
  return true;
}

void pc_groups_free(pc_groups *groups)
{
  pc_names_free(&groups->names);
  pc_array_free(&groups->at);
}
