#include "core/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The slot where the name is, or where it would go.
static int find_slot(const pc_names *names, const char *name)
{
  uint32_t hash = 2166136261u; // FNV-1a
  for (const unsigned char *c = (const unsigned char *)name; *c; c++)
    hash = (hash ^ *c) * 16777619u;
  uint32_t mask = (uint32_t)names->slot_count - 1;
  uint32_t slot = hash & mask;
  while (names->slots[slot] >= 0 && strcmp(names->names[names->slots[slot]], name) != 0)
    slot = (slot + 1) & mask;
  return (int)slot;
}

static int grow(pc_names *names)
{
  int capacity = names->capacity ? 2 * names->capacity : 16;
  char **list = realloc(names->names, (size_t)capacity * sizeof *list);
  if (list == NULL)
    return -1;
  names->names = list;
  int *slots = malloc(2 * (size_t)capacity * sizeof *slots);
  if (slots == NULL)
    return -1;
  free(names->slots);
  names->slots = slots;
  names->slot_count = 2 * capacity;
  names->capacity = capacity;
  memset(slots, -1, 2 * (size_t)capacity * sizeof *slots);
  for (int i = 0; i < names->count; i++)
    slots[find_slot(names, list[i])] = i;
  return 0;
}

int pc_names_add(pc_names *names, const char *name)
{
  if (names->count == names->capacity && grow(names) != 0)
    return -2;
  int slot = find_slot(names, name);
  if (names->slots[slot] >= 0)
    return -1;
  char *copy = strdup(name);
  if (copy == NULL)
    return -2;
  names->names[names->count] = copy;
  names->slots[slot] = names->count;
  return names->count++;
}

int pc_names_find(const pc_names *names, const char *name)
{
  return names->count ? names->slots[find_slot(names, name)] : -1;
}

char **pc_names_take(pc_names *names, int *count)
{
  char **list = names->names;
  *count = names->count;
  free(names->slots);
  *names = (pc_names){0};
  return list;
}

void pc_names_release(char **list, int count)
{
  for (int i = 0; i < count; i++)
    free(list[i]);
  free(list);
}

void pc_names_free(pc_names *names)
{
  int count;
  char **list = pc_names_take(names, &count);
  pc_names_release(list, count);
}
