// Names -> indices, for files that refer to things by id.
#ifndef PERCUSS_SCENE_NAMES_H
#define PERCUSS_SCENE_NAMES_H

#include "scene/document.h"

typedef struct pc_names {
  int count, capacity;
  char **names;
  int *slots; // hash table with open addressing, 2 * capacity or more; -1 is free
  int slot_count;
} pc_names;

// The index of a new name, -1 if it is there already, -2 when memory is out. The name is copied.
int pc_names_add(pc_names *names, const char *name);
// The same; complains at the node of a name that is there already ("two WHAT are called NAME") or
// when memory is out, and then gives -1. Nothing is added to a document that has failed.
int pc_names_add_at(pc_names *names, const char *name, pc_node node, const char *what);
int pc_names_find(const pc_names *names, const char *name); // -1 if it is not there
// The list becomes the caller's, and the names are empty.
char **pc_names_take(pc_names *names, int *count);
void pc_names_free(pc_names *names);
// Frees a list that was taken.
void pc_names_release(char **list, int count);

#endif
