// The nodes of a document: what they hold, what is put in their places, and complaints about them.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/plain.h"
#include "core/written.h"
#include "scene/document_state.h"

pc_document *pc_document_foremost(pc_document *document)
{
  while (document != NULL && document->before != NULL)
    document = document->before;
  return document;
}

pc_node pc_document_root(pc_document *document)
{
  return (pc_node){.document = document, .index = 1};
}

pc_node pc_node_behind(pc_node root)
{
  pc_document *base = root.document->base;
  return base != NULL ? pc_document_root(base) : (pc_node){.document = root.document};
}

pc_node pc_node_moved(pc_node node, bool is_key)
{
  const pc_document *document = node.document;
  for (int i = 0; i < document->moved.count; i++) {
    const pc_moved_node *moved = &document->moved.at[i];
    if (moved->index == node.index && moved->is_key == is_key) {
      node.document = moved->to.document;
      node.index = moved->to.index;
      break;
    }
  }
  return node;
}

const yaml_node_t *pc_node_yaml(pc_node node)
{
  return node.index > 0 ? node.document->yaml.nodes.start + (node.index - 1) : NULL;
}

bool pc_node_is_type(pc_node node, yaml_node_type_t type)
{
  const yaml_node_t *yaml = pc_node_yaml(node);
  return yaml != NULL && yaml->type == type;
}

bool pc_node_is_plain(pc_node node)
{
  return pc_node_is_type(node, YAML_SCALAR_NODE) &&
         pc_node_yaml(node)->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

const char *pc_node_scalar(pc_node node)
{
  return pc_node_is_type(node, YAML_SCALAR_NODE)
             ? (const char *)pc_node_yaml(node)->data.scalar.value
             : "";
}

size_t pc_node_length(pc_node node)
{
  return pc_node_is_type(node, YAML_SCALAR_NODE) ? pc_node_yaml(node)->data.scalar.length : 0;
}

bool pc_is_present(pc_node node)
{
  return node.index > 0;
}

bool pc_is_sequence(pc_node node)
{
  return pc_node_is_type(node, YAML_SEQUENCE_NODE);
}

bool pc_is_mapping(pc_node node)
{
  return pc_node_is_type(node, YAML_MAPPING_NODE);
}

bool pc_is_null(pc_node node)
{
  const char *value = pc_node_scalar(node);
  return pc_node_is_plain(node) && (strcmp(value, "") == 0 || strcmp(value, "~") == 0 ||
                                    strcmp(value, "null") == 0 || strcmp(value, "Null") == 0);
}

bool pc_failed(pc_node node)
{
  return node.index <= 0 || pc_document_foremost(node.document)->complaint.status != PC_OK;
}

int pc_node_line(pc_node node)
{
  const yaml_node_t *yaml = pc_node_yaml(node);
  return yaml != NULL ? (int)yaml->start_mark.line + 1 : 1;
}

pc_text pc_node_text(pc_node node)
{
  pc_text text;
  const yaml_node_t *yaml = pc_node_yaml(node);
  if (yaml == NULL)
    strcpy(text.text, "nothing");
  else if (yaml->type == YAML_SEQUENCE_NODE)
    strcpy(text.text, "a list");
  else if (yaml->type == YAML_MAPPING_NODE)
    strcpy(text.text, "a mapping");
  else if (pc_is_null(node))
    strcpy(text.text, "nothing");
  else
    pc_text_clean(text.text, 60, pc_node_scalar(node), yaml->data.scalar.length);
  return text;
}

// The node whose list or mapping holds this one, the first if aliases make several, and its key.
static pc_node holder_of(pc_node node, pc_node *key)
{
  const yaml_document_t *yaml = &node.document->yaml;
  for (const yaml_node_t *at = yaml->nodes.start; at < yaml->nodes.top; at++) {
    pc_node holder = {.document = node.document, .index = (int)(at - yaml->nodes.start) + 1};
    if (at->type == YAML_SEQUENCE_NODE)
      for (const yaml_node_item_t *item = at->data.sequence.items.start;
           item < at->data.sequence.items.top; item++)
        if (*item == node.index)
          return holder;
    if (at->type == YAML_MAPPING_NODE)
      for (const yaml_node_pair_t *pair = at->data.mapping.pairs.start;
           pair < at->data.mapping.pairs.top; pair++)
        if (pair->value == node.index) {
          *key = (pc_node){.document = node.document, .index = pair->key};
          return holder;
        }
  }
  return (pc_node){.document = node.document};
}

// The node in whose place a value was put, the value itself if it was not.
static pc_node place_of(pc_node node)
{
  for (pc_document *at = pc_document_foremost(node.document); at != NULL; at = at->base)
    for (int i = 0; i < at->moved.count; i++) {
      const pc_moved_node *moved = &at->moved.at[i];
      if (!moved->is_key && moved->to.document == node.document && moved->to.index == node.index)
        return (pc_node){.document = at, .index = moved->index};
    }
  return node;
}

pc_text pc_node_key(pc_node node)
{
  pc_text text = {""};
  pc_node key = {.document = node.document};
  for (int depth = 0; depth < PC_DOCUMENT_DEPTH && pc_is_present(node) && !pc_is_present(key);
       depth++)
    node = holder_of(place_of(node), &key); // a list may hold itself: not for ever
  if (pc_is_present(key))
    snprintf(text.text, sizeof text.text, "'%.60s': ", pc_node_text(key).text);
  return text;
}

int pc_node_pairs(pc_node node)
{
  return pc_is_mapping(node) ? (int)(pc_node_yaml(node)->data.mapping.pairs.top -
                                     pc_node_yaml(node)->data.mapping.pairs.start)
                             : 0;
}

pc_node pc_pair_key(pc_node mapping, int i)
{
  bool there = i >= 0 && i < pc_node_pairs(mapping);
  return (pc_node){.document = mapping.document,
                   .index = there ? pc_node_yaml(mapping)->data.mapping.pairs.start[i].key : 0};
}

pc_node pc_pair_value(pc_node mapping, int i)
{
  bool there = i >= 0 && i < pc_node_pairs(mapping);
  pc_node value = {.document = mapping.document,
                   .index = there ? pc_node_yaml(mapping)->data.mapping.pairs.start[i].value : 0,
                   .key = mapping.key};
  return pc_node_moved(value, false);
}

// The number of the pair with this key; -1: it is not there.
int pc_node_find_pair(pc_node mapping, const char *key)
{
  for (int i = 0; i < pc_node_pairs(mapping); i++)
    if (strcmp(pc_node_scalar(pc_pair_key(mapping, i)), key) == 0)
      return i;
  return -1;
}

int pc_node_items(pc_node node)
{
  return pc_is_sequence(node) ? (int)(pc_node_yaml(node)->data.sequence.items.top -
                                      pc_node_yaml(node)->data.sequence.items.start)
                              : 0;
}

int pc_read_list(pc_node node, const char *what)
{
  if (pc_failed(node))
    return 0;
  if (!pc_is_sequence(node))
    pc_complain(node, "%s must be a list, not %s%s", what, pc_node_text(node).text,
                pc_is_mapping(node) ? ": begin each entry with '- '" : "");
  return pc_node_items(node);
}

pc_node pc_item(pc_node sequence, int i)
{
  bool there = i >= 0 && i < pc_node_items(sequence);
  pc_node item = {.document = sequence.document,
                  .index = there ? pc_node_yaml(sequence)->data.sequence.items.start[i] : 0,
                  .key = sequence.key};
  return pc_node_moved(item, false);
}

pc_status pc_document_complain(const char *path, long line, pc_status status, pc_error *error,
                               const char *text)
{
  char shown[PC_COMPLAINT];
  pc_text_clean(shown, sizeof shown, text, strlen(text));
  return pc_fail(error, status, "%s:%ld: %s", pc_text_path(path).text, line, shown);
}

// That memory is out is said with these words, and is no fault of the file.
static const char NO_MEMORY[] = "out of memory", LITTLE_MEMORY[] = "not enough memory";

static bool is_about_memory(const char *format, const char *text)
{
  size_t length = strlen(text), last = strlen(NO_MEMORY);
  return strncmp(format, NO_MEMORY, last) == 0 ||
         strncmp(text, LITTLE_MEMORY, strlen(LITTLE_MEMORY)) == 0 ||
         (length >= last && strcmp(text + length - last, NO_MEMORY) == 0);
}

void pc_complain(pc_node node, const char *format, ...)
{
  if (node.document != NULL)
    node = pc_node_moved(node, true);
  pc_document *document = node.document, *first = pc_document_foremost(document);
  if (document == NULL || first->complaint.status != PC_OK)
    return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  pc_print_list(text, sizeof text, format, arguments);
  va_end(arguments);
  pc_document_complain(document->name, pc_node_line(node),
                       is_about_memory(format, text) ? PC_ERROR_MEMORY : PC_ERROR_INPUT,
                       &first->complaint, text);
  first->at = node;
  if (first->lists)
    pc_document_set_aside(first);
}

// Whether this was said before. Of a value one complaint is enough, and of what the reader has
// stumbled over: a table may say the same in other words.
static bool is_known(const pc_document *document, const pc_error *error, pc_node node)
{
  bool value = !pc_is_mapping(node);
  for (int i = 0; i < document->found.count; i++) {
    const pc_remark *old = &document->found.at[i];
    bool same = old->node.document == node.document && old->node.index == node.index;
    if ((same && value) || strcmp(old->text, error->text) == 0)
      return true;
  }
  return false;
}

static bool add_remark(pc_remarks *list, pc_node node, const char *text)
{
  pc_remark *remark = pc_array_add(list);
  if (remark == NULL)
    return false;
  *remark = (pc_remark){node, pc_node_line(node), strdup(text)};
  list->count -= remark->text == NULL;
  return remark->text != NULL;
}

bool pc_document_set_aside(pc_document *document)
{
  pc_error *complaint = &document->complaint;
  if (complaint->status != PC_ERROR_INPUT)
    return false;
  if (!is_known(document, complaint, document->at) && document->found.count < PC_REMARKS_MOST &&
      !add_remark(&document->found, document->at, complaint->text)) {
    // No memory for a list; the first of them stays.
    document->lists = false;
    return false;
  }
  complaint->status = PC_OK;
  return true;
}

void pc_document_take_up(pc_document *document)
{
  if (document->complaint.status != PC_OK || document->found.count == 0)
    return;
  pc_fail(&document->complaint, PC_ERROR_INPUT, "%s", document->found.at[0].text);
  document->at = document->found.at[0].node;
}

void pc_warn(pc_node node, const char *format, ...)
{
  node = pc_node_moved(node, true);
  pc_document *first = pc_document_foremost(node.document);
  if (pc_failed(node) || first->warnings.count >= PC_REMARKS_MOST)
    return;
  char text[512];
  pc_error line;
  va_list arguments;
  va_start(arguments, format);
  pc_print_list(text, sizeof text, format, arguments);
  va_end(arguments);
  pc_document_complain(node.document->name, pc_node_line(node), PC_ERROR_INPUT, &line, text);
  for (int i = 0; i < first->warnings.count; i++)
    if (strcmp(first->warnings.at[i].text, line.text) == 0)
      return;
  if (!add_remark(&first->warnings, node, line.text))
    pc_complain(node, "out of memory");
}

void pc_complain_of_word(pc_node node, const char *what, const char *known, const char *words)
{
  char hint[60], all[PC_COMPLAINT];
  pc_text wrong = pc_node_text(node);
  pc_word_describe(words, pc_node_scalar(node), hint, sizeof hint, all, sizeof all);
  int before = snprintf(NULL, 0, "unknown %s '%s'%s (%s: )....", what, wrong.text, hint, known);
  int room = PC_COMPLAINT - before;
  pc_word_describe(words, pc_node_scalar(node), hint, sizeof hint, all,
                   (size_t)(room > 10 ? room : 10));
  pc_complain(node, "unknown %s '%s'%s (%s: %s)", what, wrong.text, hint, known, all);
}

void pc_complain_of_name(pc_node node, const char *what, const char *known, int count,
                         char *const *names)
{
  pc_written words;
  if (!pc_written_begin(&words)) {
    pc_complain(node, "out of memory");
    return;
  }
  for (int i = 0; i < count; i++) // one with a blank would be two words
    if (strchr(names[i], ' ') == NULL)
      fprintf(words.to, " %s", names[i]);
  char *list = pc_written_end(&words);
  if (list != NULL && *list != 0)
    pc_complain_of_word(node, what, known, list);
  else
    pc_complain(node, "unknown %s '%s'", what, pc_node_text(node).text);
  free(list);
}

const pc_key *pc_node_schema(pc_node node, int forms)
{
  static const pc_key nothing = {.noun = "word"};
  if (node.key != NULL && (node.key->forms & forms) != 0)
    return node.key;
  pc_complain(node, "%sthe schema does not say this", pc_node_key(node).text);
  return &nothing;
}

int pc_read_pairs(pc_node node, const char *what)
{
  if (pc_failed(node))
    return 0;
  if (!pc_is_mapping(node))
    pc_complain(node, "%s must be a mapping (name: value), not %s", what, pc_node_text(node).text);
  return pc_node_pairs(node);
}

static bool remember_move(pc_document *document, int index, bool is_key, pc_node to)
{
  pc_moved_node *moved = pc_array_add(&document->moved);
  if (moved != NULL)
    *moved = (pc_moved_node){index, is_key, to};
  return moved != NULL;
}

static int add_scalar(pc_document *document, const char *text)
{
  return yaml_document_add_scalar(&document->yaml, NULL, (const yaml_char_t *)text,
                                  (int)strlen(text), YAML_PLAIN_SCALAR_STYLE);
}

// A new node that stands for the value; 0 when memory is out.
static int add_place(pc_document *document, pc_node value, pc_node from)
{
  if (pc_is_present(value)) {
    int place = add_scalar(document, "");
    return place > 0 && remember_move(document, place, false, value) ? place : 0;
  }
  int place = yaml_document_add_mapping(&document->yaml, NULL, YAML_FLOW_MAPPING_STYLE);
  return place > 0 && remember_move(document, place, true, from) ? place : 0;
}

// Puts the node `place` there.
static bool put_place(pc_node holder, const char *key, int i, int place, pc_node from)
{
  pc_document *document = holder.document;
  if (place == 0)
    return false;
  yaml_node_t *node = document->yaml.nodes.start + (holder.index - 1);
  int pair = key != NULL ? pc_node_find_pair(holder, key) : -1;
  if (key == NULL)
    node->data.sequence.items.start[i] = place;
  else if (pair >= 0)
    node->data.mapping.pairs.start[pair].value = place;
  else {
    int name = add_scalar(document, key);
    return name > 0 && remember_move(document, name, true, from) &&
           yaml_document_append_mapping_pair(&document->yaml, holder.index, name, place);
  }
  return true;
}

bool pc_put(pc_node holder, const char *key, int i, pc_node value, pc_node from)
{
  return put_place(holder, key, i, add_place(holder.document, value, from), from);
}

bool pc_put_text(pc_node holder, const char *key, int i, const char *text, pc_node from)
{
  int place = add_scalar(holder.document, text);
  bool noted = place > 0 && remember_move(holder.document, place, true, from);
  return put_place(holder, key, i, noted ? place : 0, from);
}

pc_entries pc_entries_of(pc_node list)
{
  char what[100] = "";
  if (pc_is_present(list) && list.key != NULL)
    snprintf(what, sizeof what, "'%s'", list.key->name);
  return (pc_entries){
      .list = list, .index = -1, .count = pc_is_present(list) ? pc_read_list(list, what) : 0};
}

bool pc_next(pc_entries *entries)
{
  if (++entries->index >= entries->count || pc_failed(entries->list))
    return false;
  entries->node = pc_item(entries->list, entries->index);
  return true;
}

bool pc_next_apart(pc_entries *entries)
{
  pc_document *first = pc_document_foremost(entries->list.document);
  if (entries->index >= 0)
    pc_document_set_aside(first);
  bool more = pc_next(entries);
  if (!more)
    pc_document_take_up(first);
  return more;
}

bool pc_failed_before(pc_node node)
{
  return pc_document_foremost(node.document)->found.count > 0;
}

void pc_document_set_dimension(pc_document *document, int dimension)
{
  pc_document_foremost(document)->dimension = dimension;
}

int pc_node_dimension(pc_node node)
{
  return pc_document_foremost(node.document)->dimension == 2 ? 2 : 3;
}

void *pc_allocate(pc_node node, int count, size_t size)
{
  void *room = calloc((size_t)count + 1, size);
  if (room == NULL)
    pc_complain(node, "out of memory");
  return room;
}
