#include "scene/kind.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *command;
} kinds[PC_KINDS] = {[PC_KIND_IMPACT] = {"impact", "solve"},
                     [PC_KIND_IDENTIFICATION] = {"identification", "identify"},
                     [PC_KIND_CHAIN] = {"chain", "solve"},
                     [PC_KIND_CONTINUUM] = {"continuum", "solve"},
                     [PC_KIND_RIGID] = {"rigid", "run"},
                     [PC_KIND_CROWD] = {"crowd", "run"}};

int pc_find_kind(pc_node root)
{
  pc_node kind = pc_get(root, "kind");
  for (int i = 0; i < PC_KINDS && pc_is_present(kind) && !pc_is_sequence(kind); i++)
    if (!pc_is_mapping(kind) && strcmp(pc_read_string(kind), kinds[i].name) == 0)
      return i;
  return -1;
}

void pc_read_kind(pc_node root, pc_kind wanted)
{
  if (!pc_is_mapping(root))
    return;
  pc_node kind = pc_get(root, "kind");
  if (!pc_is_present(kind)) {
    pc_complain(root, "the file has no 'kind'; add 'kind: %s'", kinds[wanted].name);
    return;
  }
  char words[100] = "";
  for (int i = 0; i < PC_KINDS; i++)
    snprintf(words + strlen(words), sizeof words - strlen(words), " %s", kinds[i].name);
  int found = pc_read_word_of(kind, "kind of file", words);
  if (found >= 0 && found != (int)wanted)
    pc_complain(kind, "expected a file of kind '%s'; for kind '%s' use 'percuss %s FILE'",
                kinds[wanted].name, kinds[found].name, kinds[found].command);
}

void pc_read_title(pc_node root, char **title)
{
  pc_node node = pc_get(root, "title"), source = pc_get(root, "source");
  if (pc_is_present(node) && (*title = strdup(pc_read_string(node))) == NULL)
    pc_complain(node, "out of memory");
  if (pc_is_present(source))
    pc_read_string(source);
}
