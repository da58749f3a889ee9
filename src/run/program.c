#include "run/program.h"
#include "core/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/record.h"
#include "run/inputs.h"
#include "scene/schema.h"

// What the blobs of a checkpoint hold. A new number for every change that older ones do not follow.
enum { FORMAT = 3, MOST_MAPPINGS = 400 };

typedef struct tour {
  const pc_mapping *seen[MOST_MAPPINGS];
  int count;
  uint64_t hash;
} tour;

// With its zero byte, so that "ab", "c" is not "a", "bc".
static void add_text(tour *t, const char *text)
{
  const char *there = text != NULL ? text : "";
  t->hash = pc_hash_bytes(t->hash, there, strlen(there) + 1);
}

static void add_mapping(tour *t, const pc_mapping *mapping)
{
  for (int i = 0; i < t->count; i++)
    if (t->seen[i] == mapping)
      return;
  if (t->count == MOST_MAPPINGS)
    return;
  t->seen[t->count++] = mapping;
  add_text(t, mapping->id);
  const pc_key *key;
  for (int i = 0; (key = pc_mapping_key(mapping, i)) != NULL; i++) {
    add_text(t, key->name);
    add_text(t, key->unit);
    add_text(t, key->otherwise);
    add_text(t, key->left_out);
    const pc_mapping *held;
    for (int k = 0; (held = pc_key_mapping(key, k)) != NULL; k++)
      add_mapping(t, held);
  }
}

void pc_run_program(char text[PC_RUN_PROGRAM])
{
  tour t = {.hash = PC_HASH_START};
  t.hash = pc_hash_bytes(t.hash, &(int32_t){FORMAT}, sizeof(int32_t));
  add_text(&t, PC_TUNING_HASH);
  for (int i = 0; pc_schema_kinds[i] != NULL; i++)
    add_mapping(&t, pc_schema_kinds[i]);
  pc_print(text, PC_RUN_PROGRAM, "percuss " PC_VERSION ", defaults %016" PRIx64, t.hash);
}

pc_status pc_run_check_program(const char *checkpoint, pc_error *error)
{
  char own[PC_RUN_PROGRAM], other[PC_RUN_PROGRAM] = "another version of percuss";
  pc_blob blob = {PC_RUN_PROGRAM_BLOB, NULL, 0};
  pc_status status = pc_checkpoint_read(checkpoint, 0, NULL, error);
  if (status != PC_OK)
    return status;
  status = pc_checkpoint_read(checkpoint, 1, &blob, error);
  if (status != PC_OK && status != PC_ERROR_INPUT)
    return status;
  if (status == PC_OK)
    snprintf(other, sizeof other, "%.*s",
             (int)(blob.size < sizeof other ? blob.size : sizeof other), (const char *)blob.data);
  free(blob.data);
  pc_run_program(own);
  if (strcmp(own, other) == 0)
    return PC_OK;
  return pc_fail(error, PC_ERROR_INPUT,
                 "%s was written by %s and can only be resumed with that version; this is %s",
                 checkpoint, other, own);
}
