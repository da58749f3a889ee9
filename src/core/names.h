// Names -> indices, in the order in which they were added.
#ifndef PERCUSS_CORE_NAMES_H
#define PERCUSS_CORE_NAMES_H

typedef struct pc_names {
  int count, capacity;
  char **names;
  int *slots; // hash table with open addressing, 2 * capacity or more; -1 is free
  int slot_count;
} pc_names;

// The index of a new name, -1 if it already exists, -2 if memory runs out. The name is copied.
int pc_names_add(pc_names *names, const char *name);
int pc_names_find(const pc_names *names, const char *name); // -1 if it is not there
// The list becomes the caller's, and the names are empty.
char **pc_names_take(pc_names *names, int *count);
void pc_names_free(pc_names *names);
// Frees a list that was taken.
void pc_names_release(char **list, int count);

#endif
