#include "scene/meaning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/written.h"
#include "scene/document_state.h"

// Keys that change no number of a run, or only how far it goes; `within` a mapping of the file.
static const struct {
  const char *within, *key;
} left_out[] = {{NULL, "title"},         {NULL, "source"},   {NULL, "views"},
                {NULL, "curves"},        {NULL, "duration"}, {"solver", "threads"},
                {"output", "checkpoint"}};

typedef struct meaning {
  FILE *to;
  int file;   // of the documents, from the front
  int *first; // for each node of this document: the number of its first visit; 0: not seen
  int visits;
} meaning;

static bool is_left_out(const char *within, const char *key)
{
  bool out = false;
  for (int i = 0; i < PC_COUNT(left_out); i++)
    out = out || (strcmp(key, left_out[i].key) == 0 &&
                  (within == NULL
                       ? left_out[i].within == NULL
                       : left_out[i].within != NULL && strcmp(within, left_out[i].within) == 0));
  return out;
}

// A mapping with nothing else says nothing.
static bool is_all_left_out(const char *within, pc_node node)
{
  int pairs = pc_node_pairs(node), out = 0;
  for (int i = 0; i < pairs; i++)
    out += is_left_out(within, pc_node_scalar(pc_pair_key(node, i)));
  return pairs > 0 && out == pairs;
}

static void put_scalar(FILE *to, pc_node node)
{
  const char *text = pc_node_scalar(node);
  if (!pc_node_is_plain(node))
    fputc('"', to);
  for (size_t i = 0; i < pc_node_length(node); i++)
    if (text[i] == '\n')
      fputs("\\n", to);
    else if (text[i] == '\\')
      fputs("\\\\", to);
    else
      fputc(text[i], to);
  if (!pc_node_is_plain(node))
    fputc('"', to);
}

// A list or mapping that was there before, by an alias, is named by the number of its first visit:
// aliases of aliases would take for ever, and a list may hold itself.
static void put_node(meaning *m, int depth, pc_node key, int number, pc_node node)
{
  bool list = pc_is_sequence(node), mapping = pc_is_mapping(node);
  const char *within = depth == 0 ? pc_node_scalar(key) : "";
  if (is_all_left_out(within, node))
    return;
  fprintf(m->to, "%d:%d\t%*s", m->file, pc_node_line(pc_is_present(key) ? key : node), depth, "");
  if (pc_is_present(key))
    put_scalar(m->to, key);
  else
    fprintf(m->to, "%d", number);
  fputs(": ", m->to);
  if (!list && !mapping) {
    put_scalar(m->to, node);
    fputc('\n', m->to);
    return;
  }
  int *first = &m->first[node.index - 1];
  if (*first > 0) {
    fprintf(m->to, "*%d\n", *first);
    return;
  }
  *first = ++m->visits;
  fputs(list ? "[\n" : "{\n", m->to);
  const pc_node none = {.document = node.document};
  for (int i = 0; i < pc_node_items(node); i++)
    put_node(m, depth + 1, none, i, pc_item(node, i));
  for (int i = 0; i < pc_node_pairs(node); i++)
    if (!is_left_out(within, pc_node_scalar(pc_pair_key(node, i))))
      put_node(m, depth + 1, pc_pair_key(node, i), i, pc_pair_value(node, i));
}

// Whether a file before it has the key.
static bool is_hidden(pc_node front, pc_node root, const char *key)
{
  for (pc_node at = front; at.document != root.document; at = pc_node_behind(at))
    if (pc_node_find_pair(at, key) >= 0)
      return true;
  return false;
}

char *pc_document_meaning(pc_node front)
{
  pc_written written;
  if (!pc_written_begin(&written))
    return NULL;
  meaning m = {.to = written.to};
  bool whole = true;
  for (pc_node root = front; pc_is_present(root) && whole; root = pc_node_behind(root), m.file++) {
    const yaml_document_t *yaml = &root.document->yaml;
    m.first = calloc((size_t)(yaml->nodes.top - yaml->nodes.start) + 1, sizeof *m.first);
    whole = m.first != NULL;
    for (int i = 0; i < pc_node_pairs(root) && whole; i++) {
      pc_node key = pc_pair_key(root, i);
      const char *name = pc_node_scalar(key);
      // A base gives what it has; its name and the name of its base say nothing more.
      if (strcmp(name, "base") != 0 && !is_left_out(NULL, name) && !is_hidden(front, root, name))
        put_node(&m, 0, key, i, pc_pair_value(root, i));
    }
    free(m.first);
  }
  char *text = pc_written_end(&written);
  if (!whole)
    free(text);
  return whole ? text : NULL;
}
