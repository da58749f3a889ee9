// A YAML (or JSON) file read against what its reader expects.
//
// The first thing that is wrong is kept as `FILE:LINE: message`; every later read then returns a
// harmless value (0, an absent node) and says nothing. So a reader is written straight down and
// asks once, at the end, whether the document failed. What else is wrong in a document that failed
// is found from the tables when it is closed, and in lists whose entries are read apart.
//
//     pc_document *document = pc_document_open(path, error);
//     pc_node root = pc_document_root(document);
//     pc_bind(&root, &ball_table, &ball);                        // bind.h: all that is simple
//     pc_read_vector(pc_get(root, "arms"), 2, 3, arms);          // the rest, one by one
//     pc_status status = pc_document_close(document, error);     // the first complaint, or PC_OK
#ifndef PERCUSS_SCENE_DOCUMENT_H
#define PERCUSS_SCENE_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/status.h"
#include "scene/schema.h"
#include "scene/text.h"

typedef struct pc_document pc_document;

// A place in the document; absent when the file does not have it. Nodes live as long as the
// document.
typedef struct pc_node {
  pc_document *document;
  int index;                 // 0: absent
  const pc_key *key;         // what the schema says of this value; items have that of their list
  const pc_mapping *mapping; // the table that the keys of this mapping were read against
} pc_node;

// NULL, with the reason in `error`, when the text is not one YAML document. `name` is what messages
// call it.
pc_document *pc_document_open(const char *path, pc_error *error);
pc_document *pc_document_parse(const char *name, const char *text, size_t size, pc_error *error);
// The whole text of a file, zero at its end, which the caller frees; NULL if it cannot be read.
char *pc_document_text(const char *path, size_t *size, pc_error *error);
// Frees the document. Gives the first complaint to `error`, and how many there are beside it, and
// returns its status.
pc_status pc_document_close(pc_document *document, pc_error *error);
// The table of the whole file, by which that is found; without it there is one complaint.
void pc_document_set_table(pc_document *document, const pc_mapping *table);
// Who hears all complaints, one by one in the order of the lines, when the document is closed.
typedef void pc_teller(void *context, const char *text);
void pc_document_tell(pc_document *document, pc_teller *tell, void *context);
pc_node pc_document_root(pc_document *document);

// `base` stands behind `document` and is closed with it: what its root does not have is looked for
// there. Complaints name the file that a node is from.
void pc_document_stand_behind(pc_document *document, pc_document *base);
pc_node pc_node_behind(pc_node root); // the root of the document behind, or nothing
const char *pc_node_file(pc_node node);
// Files that the document names, kept for whoever must not replace them. False when memory is out.
bool pc_document_note(pc_node node, const char *path);
// The list becomes the caller's.
char **pc_document_take_notes(pc_document *document, int *count);

// Puts a value in the place of what a key of the mapping `holder` has (the key is added if it is
// not there), or of item `i` of a list (`key` NULL). The value is of this document or of one
// behind or before it; absent, it is an empty mapping. Complaints about the value are made where
// it is written, those about an added key at `from`. False when memory is out.
bool pc_put(pc_node holder, const char *key, int i, pc_node value, pc_node from);
// The same with a scalar that no file has; complaints about it are made at `from`.
bool pc_put_text(pc_node holder, const char *key, int i, const char *text, pc_node from);

// The first complaint so far, or PC_OK. `pc_document_forgive` forgets it, for a document that is
// read again with other parameters.
pc_status pc_document_status(const pc_document *document, pc_error *error);
void pc_document_forgive(pc_document *document);

// The values of `$name` where a number is expected. The table stays the caller's.
typedef struct pc_parameters {
  int count;
  const char *const *names;
  const double *values;
  bool *used; // may be NULL; set for every name that was looked up
} pc_parameters;
// Vectors of this document have so many numbers where the schema does not say; 3 unless it is set.
void pc_document_set_dimension(pc_document *document, int dimension);
int pc_node_dimension(pc_node node);
void pc_document_set_parameters(pc_document *document, const pc_parameters *parameters);

// Says what is wrong at this node, in printf's way. Text from the file goes through
// pc_node_text.
void pc_complain(pc_node node, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Says what is odd at this node and stops nothing. The caller takes the list of all of them.
void pc_warn(pc_node node, const char *format, ...) __attribute__((format(printf, 2, 3)));
char **pc_document_take_warnings(pc_document *document, int *count);
// So many zeroed elements and one more, which the caller frees; NULL after a complaint.
void *pc_allocate(pc_node node, int count, size_t size);
// That no thing of this kind has the name, with those that are known.
void pc_complain_of_name(pc_node node, const char *what, const char *known, int count,
                         char *const *names);
bool pc_failed(pc_node node); // the document has a complaint, or the node is absent
int pc_node_line(pc_node node);
// The node as text for a message or an id: control characters stripped, at most 60 bytes.
pc_text pc_node_text(pc_node node);

// Mappings. False if the node is no mapping or its keys are not those of the table. At the root a
// required key may come from the document behind. What pc_get gives afterwards knows its key.
bool pc_read_keys(pc_node *node, const pc_mapping *mapping);
// The same for the one of the variants of its key that the word under `tag` stands for: its place
// in the list, or -1. `what` names any of them in messages.
int pc_read_variant(pc_node *node, const char *what, const char *tag);
bool pc_is_present(pc_node node);
pc_node pc_get(pc_node mapping, const char *key);   // absent if the key is not there
bool pc_is_given(pc_node mapping, const char *key); // in the file
// Where to complain about a value: there, or at its mapping if the file does not have it.
pc_node pc_at(pc_node value, pc_node mapping);
// A mapping whose keys are names: the number of pairs, and the key and value of each.
int pc_read_pairs(pc_node node, const char *what);
pc_node pc_pair_key(pc_node mapping, int i);
pc_node pc_pair_value(pc_node mapping, int i);

// Sequences.
bool pc_is_sequence(pc_node node);
bool pc_is_mapping(pc_node node);
bool pc_is_null(pc_node node);                    // null, ~ or nothing
int pc_read_list(pc_node node, const char *what); // its length
pc_node pc_item(pc_node sequence, int i);
// The entries of the list of a key, one after the other, until the document fails; absent: none.
//     for (pc_entries e = pc_entries_of(list); pc_next(&e);)
typedef struct pc_entries {
  pc_node list, node; // the present entry
  int index, count;
} pc_entries;
pc_entries pc_entries_of(pc_node list);
bool pc_next(pc_entries *entries);
// The same where no entry needs another one: after a complaint about one the next is read as if
// there were none. At the end the document has failed all the same.
bool pc_next_apart(pc_entries *entries);
// Whether an entry before this one has a complaint: what is wrong here may follow from that.
bool pc_failed_before(pc_node node);

// Numbers, in the range of their key; or in another one, where it depends on other values.
pc_limits pc_any(void);

double pc_read_number(pc_node node);
double pc_read_number_in(pc_node node, pc_limits range);
int pc_read_integer(pc_node node);
int pc_read_integer_in(pc_node node, int low, int high);
bool pc_read_boolean(pc_node node);
// A list of `low` to `high` numbers; returns how many. The first only counts them.
int pc_read_count(pc_node node, int low, int high);
int pc_read_vector(pc_node node, int low, int high, double *vector);
int pc_read_vector_in(pc_node node, int low, int high, pc_limits range, double *vector);
// One of the words of its key; its value, or -1. Or one of other words, separated by spaces, which
// messages call `what`; its place among them, or -1.
int pc_read_word(pc_node node);
int pc_read_word_of(pc_node node, const char *what, const char *words);
// Any scalar as it is written, never NULL; valid as long as the document. A name is not empty.
const char *pc_read_string(pc_node node);
const char *pc_read_name(pc_node node);
const char *pc_read_label(pc_node node); // a name that tables have: no longer than 60 bytes

#endif
