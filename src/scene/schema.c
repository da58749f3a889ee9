#include "scene/schema.h"

#include <stdio.h>
#include <string.h>

#include "scene/text.h"

const pc_key *pc_mapping_key(const pc_mapping *mapping, int i)
{
  for (int part = 0; part < PC_KEY_PARTS && mapping->keys[part] != NULL; part++)
    for (const pc_key *key = mapping->keys[part]; key->name != NULL; key++)
      if (i-- == 0)
        return key;
  return NULL;
}

const pc_key *pc_mapping_find(const pc_mapping *mapping, const char *name, size_t length)
{
  for (int part = 0; part < PC_KEY_PARTS && mapping->keys[part] != NULL; part++)
    for (const pc_key *key = mapping->keys[part]; key->name != NULL; key++)
      if (strlen(key->name) == length && memcmp(key->name, name, length) == 0)
        return key;
  return NULL;
}

bool pc_mapping_has(const pc_mapping *mapping, const char *name)
{
  return pc_mapping_find(mapping, name, strlen(name)) != NULL;
}

const pc_mapping *pc_key_mapping(const pc_key *key, int i)
{
  if (key->variants != NULL)
    return key->variants[i];
  return i == 0 ? key->mapping : NULL;
}

static void add_word(char *words, size_t size, const char *word)
{
  size_t used = strlen(words);
  snprintf(words + used, size - used, "%s%s", used > 0 ? " " : "", word);
}

void pc_words_text(const pc_word *list, char *words, size_t size)
{
  words[0] = 0;
  for (; list != NULL && list->word != NULL; list++)
    add_word(words, size, list->word);
}

void pc_mapping_words(const pc_mapping *mapping, char *words, size_t size)
{
  words[0] = 0;
  for (int i = 0; pc_mapping_key(mapping, i) != NULL; i++)
    add_word(words, size, pc_mapping_key(mapping, i)->name);
}

void pc_variant_keys(const pc_mapping *const *variants, char *words, size_t size)
{
  words[0] = 0;
  for (; *variants != NULL; variants++)
    for (int i = 0; pc_mapping_key(*variants, i) != NULL; i++)
      if (!pc_word_is_in(words, pc_mapping_key(*variants, i)->name))
        add_word(words, size, pc_mapping_key(*variants, i)->name);
}

void pc_variant_words(const pc_mapping *const *variants, const char *tag, char *words, size_t size)
{
  words[0] = 0;
  for (; *variants != NULL; variants++)
    add_word(words, size, pc_mapping_find(*variants, tag, strlen(tag))->words->word);
}
