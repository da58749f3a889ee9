// What the parts of `percuss schema` share.
#ifndef PERCUSS_APP_SCHEMA_H
#define PERCUSS_APP_SCHEMA_H

#include <stdbool.h>

#include "scene/schema.h"

enum { SCHEMA_MAPPINGS = 200 };

// Mappings in the order in which a reader meets them, each once.
typedef struct schema_list {
  const pc_mapping *at[SCHEMA_MAPPINGS];
  int count;
} schema_list;
// Adds the mapping and all that its keys may hold.
void schema_gather(schema_list *list, const pc_mapping *mapping);

// Whether the key is required in some cases only, which its words for a default then name.
bool schema_may_be_required(const pc_key *key);

// A JSON Schema (draft 2020-12) of these kinds of files, on stdout.
void schema_print_json(const pc_mapping *const *kinds, int count);

#endif
