// Documents: libyaml builds the tree, the text is checked before.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "core/plain.h"
#include "scene/document_state.h"
#include "scene/yaml_mistakes.h"

enum {
  MAX_SIZE = 256 << 20, // bytes of a file
  MAX_ANCHORS = 1000,   // libyaml's time grows with the square of their number
};

static pc_status file_failure(const char *path, pc_status status, pc_error *error, const char *text)
{
  return pc_fail(error, status, "%s: %s", *path != 0 ? pc_text_path(path).text : "''", text);
}

// With the system's own words.
static pc_status system_failure(const char *path, const char *what, int number, pc_error *error)
{
  char text[200];
  snprintf(text, sizeof text, "%s: %s", what, strerror(number));
  return number == ENOMEM ? file_failure(path, PC_ERROR_MEMORY, error, "out of memory")
                          : file_failure(path, PC_ERROR_IO, error, text);
}

// The escape at `c`, of which six bytes can be read, if it is half of a character of this kind:
// 0xd800 or 0xdc00. Otherwise 0.
static unsigned long half_character(const char *c, unsigned long kind)
{
  char digits[5] = {0};
  memcpy(digits, c + 2, 4);
  unsigned long value = strtoul(digits, NULL, 16);
  bool escape = c[0] == '\\' && c[1] == 'u' && strspn(digits, "0123456789abcdefABCDEF") == 4;
  return escape && (value & 0xfc00) == kind ? value : 0;
}

// JSON writes characters beyond U+FFFF as two escapes, such as \ud83c\udfb1, which YAML does not
// know. A copy of the text in which each pair is one escape of YAML: \U0001f3b1.
static char *join_pairs(const char *text, size_t *size)
{
  char *joined = malloc(*size + 1);
  size_t to = 0;
  bool quoted = false;
  for (size_t i = 0; i < *size && joined != NULL;) {
    quoted = quoted != (text[i] == '"');
    bool escape = quoted && text[i] == '\\' && i + 1 < *size;
    unsigned long high = escape && *size - i >= 12 ? half_character(text + i, 0xd800) : 0;
    unsigned long low = high != 0 ? half_character(text + i + 6, 0xdc00) : 0;
    if (low != 0) {
      unsigned long character = 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
      to += (size_t)snprintf(joined + to, 11, "\\U%08lx", character);
      i += 12;
    } else {
      if (escape) // what is escaped begins no escape
        joined[to++] = text[i++];
      joined[to++] = text[i++];
    }
  }
  *size = to;
  return joined;
}

static bool is_json(const char *text, size_t size)
{
  size_t i = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // a byte order mark
  while (i < size && pc_is_space(text[i]))
    i++;
  return i < size && text[i] == '{';
}

// The length of the UTF-8 character at `c`, 0 if there is none.
static int utf8_length(const unsigned char *c, size_t left)
{
  int n = c[0] < 0x80                   ? 1
          : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
          : (c[0] & 0xf0) == 0xe0       ? 3
          : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                        : 0;
  if ((size_t)n > left)
    return 0;
  for (int i = 1; i < n; i++)
    if ((c[i] & 0xc0) != 0x80)
      return 0;
  return n;
}

static pc_status check_text(const char *name, const char *text, size_t size, pc_error *error)
{
  const unsigned char *bytes = (const unsigned char *)text;
  long line = 1;
  bool blank = true;
  if (size >= 8 && memcmp(text, "\211HDF\r\n\032\n", 8) == 0)
    return file_failure(name, PC_ERROR_INPUT, error,
                        "this is an HDF5 file, not a text file; 'percuss view' shows a run");
  if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
    return pc_document_complain(name, 1, PC_ERROR_INPUT, error,
                                "this text is in UTF-16; save it as UTF-8");
  for (size_t i = 0; i < size;) {
    unsigned char c = bytes[i];
    int n = utf8_length(bytes + i, size - i);
    if (n == 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
      char message[80];
      snprintf(message, sizeof message, "this is not a text file (byte 0x%02x)", c);
      return pc_document_complain(name, line, PC_ERROR_INPUT, error, message);
    }
    blank = blank && pc_is_space((char)c);
    line += c == '\n';
    i += (size_t)n;
  }
  if (blank)
    return pc_document_complain(name, 1, PC_ERROR_INPUT, error, "the file is empty");
  return PC_OK;
}

static pc_status yaml_failure(const char *name, const yaml_parser_t *parser, const char *text,
                              size_t size, pc_error *error)
{
  // Where libyaml notices too late that it got no memory it says that there is no error.
  if (parser->error == YAML_MEMORY_ERROR || parser->error == YAML_NO_ERROR)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  char message[300] = "not valid YAML: ";
  size_t used = strlen(message);
  long line = pc_yaml_explain(parser, text, size, message + used, sizeof message - used);
  return pc_document_complain(name, line, PC_ERROR_INPUT, error, message);
}

// Walks through the events once: what would make libyaml slow, or is not one document, ends here.
static pc_status check_structure(const char *name, const char *text, size_t size, pc_error *error)
{
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  pc_status status = PC_OK;
  int depth = 0, anchors = 0, documents = 0;
  for (bool end = false; !end && status == PC_OK;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) {
      status = yaml_failure(name, &parser, text, size, error);
      break;
    }
    const char *message = NULL;
    switch (event.type) {
    case YAML_SEQUENCE_START_EVENT:
      anchors += event.data.sequence_start.anchor != NULL;
      depth++;
      break;
    case YAML_MAPPING_START_EVENT:
      anchors += event.data.mapping_start.anchor != NULL;
      depth++;
      break;
    case YAML_SCALAR_EVENT:
      anchors += event.data.scalar.anchor != NULL;
      break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      depth--;
      break;
    case YAML_DOCUMENT_START_EVENT:
      if (++documents > 1)
        message = "a second document starts here; a file must contain only one";
      break;
    case YAML_STREAM_END_EVENT:
      if (documents == 0)
        message = "the file is empty";
      end = true;
      break;
    default:
      break;
    }
    if (depth > PC_DOCUMENT_DEPTH)
      message = "lists and mappings are nested too deeply";
    if (anchors > MAX_ANCHORS)
      message = "too many anchors";
    if (message != NULL)
      status = pc_document_complain(name, (long)event.start_mark.line + 1, PC_ERROR_INPUT, error,
                                    message);
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  return status;
}

static pc_document *parse(const char *name, const char *text, size_t size, pc_error *error)
{
  if (check_structure(name, text, size, error) != PC_OK)
    return NULL;
  pc_document *document = calloc(1, sizeof *document);
  char *copy = strdup(name);
  yaml_parser_t parser;
  if (document == NULL || copy == NULL || !yaml_parser_initialize(&parser)) {
    free(document);
    free(copy);
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  document->name = copy;
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  bool loaded = yaml_parser_load(&parser, &document->yaml);
  if (!loaded)
    yaml_failure(name, &parser, text, size, error);
  yaml_parser_delete(&parser);
  if (!loaded) { // an alias without an anchor, or no memory
    free(document);
    free(copy);
    return NULL;
  }
  return document;
}

pc_document *pc_document_parse(const char *name, const char *text, size_t size, pc_error *error)
{
  if (check_text(name, text, size, error) != PC_OK)
    return NULL;
  if (!is_json(text, size) || memchr(text, '\\', size) == NULL)
    return parse(name, text, size, error);
  char *joined = join_pairs(text, &size);
  if (joined == NULL)
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_document *document = joined != NULL ? parse(name, joined, size, error) : NULL;
  free(joined);
  return document;
}

char *pc_document_text(const char *path, size_t *size, pc_error *error)
{
  const char *wrong = pc_file_unreadable(path);
  if (wrong != NULL) {
    file_failure(path, PC_ERROR_IO, error, wrong);
    return NULL;
  }
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    system_failure(path, "cannot be opened", errno, error);
    return NULL;
  }
  // Not by seeking to the end: a pipe is a file too.
  size_t capacity = 1 << 16;
  char *text = malloc(capacity);
  *size = 0;
  while (text != NULL) {
    size_t got = fread(text + *size, 1, capacity - *size - 1, file);
    *size += got;
    if (got == 0 || *size > MAX_SIZE)
      break;
    if (*size == capacity - 1) {
      char *larger = realloc(text, capacity *= 2);
      if (larger == NULL)
        free(text);
      text = larger;
    }
  }
  int number = errno; // of a read that failed
  bool unreadable = ferror(file) != 0;
  fclose(file);
  if (text == NULL) {
    file_failure(path, PC_ERROR_MEMORY, error, "out of memory");
    return NULL;
  }
  text[*size] = 0;
  if (!unreadable && *size <= MAX_SIZE) {
    char *exact = realloc(text, *size + 1);
    return exact != NULL ? exact : text;
  }
  if (unreadable)
    system_failure(path, "cannot be read", number, error);
  else
    pc_document_complain(path, 1, PC_ERROR_INPUT, error, "the file is larger than 256 MB");
  free(text);
  return NULL;
}

pc_document *pc_document_open(const char *path, pc_error *error)
{
  size_t size;
  char *text = pc_document_text(path, &size, error);
  pc_document *document = text != NULL ? pc_document_parse(path, text, size, error) : NULL;
  free(text);
  return document;
}

void pc_document_set_table(pc_document *document, const pc_mapping *table)
{
  document->mapping = table;
}

void pc_document_tell(pc_document *document, pc_teller *tell, void *context)
{
  document->tell = tell;
  document->context = context;
}

static void free_remarks(pc_remarks *list)
{
  for (int i = 0; i < list->count; i++)
    free(list->at[i].text);
  pc_array_free(list);
}

// Copies the first complaint into the error and reports all of them to the listener.
static pc_status tell_all(pc_document *document, pc_error *error)
{
  const pc_error first = document->complaint;
  bool heard = error != NULL || document->tell != NULL;
  if (first.status == PC_ERROR_INPUT && heard)
    pc_document_find_rest(document);
  int more = document->found.count - 1;
  if (first.status != PC_OK && more > 0)
    pc_fail(error, first.status, "%.480s (and %d more)", first.text, more);
  else if (first.status != PC_OK && error != NULL)
    *error = first;
  if (first.status != PC_OK && document->tell != NULL && more < 0)
    document->tell(document->context, first.text);
  for (int i = 0; i <= more && document->tell != NULL; i++)
    document->tell(document->context, document->found.at[i].text);
  return first.status;
}

pc_status pc_document_close(pc_document *document, pc_error *error)
{
  pc_status status = tell_all(document, error);
  if (document->base != NULL)
    pc_document_close(document->base, NULL);
  free_remarks(&document->found);
  free_remarks(&document->warnings);
  for (int i = 0; i < document->notes.count; i++)
    free(document->notes.at[i]);
  pc_array_free(&document->notes);
  pc_array_free(&document->moved);
  yaml_document_delete(&document->yaml);
  free(document->name);
  free(document);
  return status;
}

void pc_document_stand_behind(pc_document *document, pc_document *base)
{
  document->base = base;
  base->before = document;
}

const char *pc_node_file(pc_node node)
{
  return node.document->name;
}

bool pc_document_note(pc_node node, const char *path)
{
  char **note = pc_array_add(&pc_document_foremost(node.document)->notes);
  return note != NULL && (*note = strdup(path)) != NULL;
}

char **pc_document_take_notes(pc_document *document, int *count)
{
  char **list = document->notes.at;
  *count = document->notes.count;
  document->notes.at = NULL;
  pc_array_free(&document->notes);
  return list;
}

char **pc_document_take_warnings(pc_document *document, int *count)
{
  char **list = calloc((size_t)document->warnings.count + 1, sizeof *list);
  *count = list != NULL ? document->warnings.count : 0;
  for (int i = 0; i < *count; i++) {
    list[i] = document->warnings.at[i].text;
    document->warnings.at[i].text = NULL;
  }
  return list;
}

pc_status pc_document_status(const pc_document *document, pc_error *error)
{
  if (document->complaint.status != PC_OK && error != NULL)
    *error = document->complaint;
  return document->complaint.status;
}

void pc_document_forgive(pc_document *document)
{
  free_remarks(&document->found);
  document->complaint.status = PC_OK;
}

void pc_document_set_parameters(pc_document *document, const pc_parameters *parameters)
{
  document->parameters = parameters;
}
