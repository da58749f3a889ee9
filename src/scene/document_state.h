// What the files of a document share; document.h says what it is.
#ifndef PERCUSS_SCENE_DOCUMENT_STATE_H
#define PERCUSS_SCENE_DOCUMENT_STATE_H

#include <yaml.h>

#include "core/array.h"
#include "scene/document.h"

enum {
  PC_DOCUMENT_DEPTH = 64, // libyaml's time grows with the square of the depth
  PC_COMPLAINT = 360,     // bytes of a complaint, without file name and line
  PC_REMARKS_MOST = 200   // kept of a document; finding the key of each takes time
};

// A node that was put there, and what stands for it: a value that is written elsewhere, or, of a
// key, the place that added it.
typedef struct pc_moved_node {
  int index;
  bool is_key;
  pc_node to;
} pc_moved_node;

// A complaint or a warning, with the node that it is about. Its text has the file and the line.
typedef struct pc_remark {
  pc_node node;
  long line;
  char *text;
} pc_remark;
typedef PC_ARRAY(pc_remark) pc_remarks;

struct pc_document {
  char *name; // of the file, for messages
  yaml_document_t yaml;
  const pc_parameters *parameters;
  pc_document *base;         // stands behind this one, or NULL
  pc_document *before;       // the one it stands behind, or NULL
  pc_error complaint;        // status PC_OK: none yet; of the foremost document
  pc_node at;                // what the complaint is about
  pc_remarks found;          // complaints set aside; of the foremost document
  pc_remarks warnings;       // of the foremost document
  bool lists;                // complaints go to `found` at once; of the foremost document
  const pc_mapping *mapping; // of the whole file; NULL: not known
  pc_teller *tell;           // hears all complaints when the document is closed; or NULL
  void *context;
  PC_ARRAY(char *) notes;        // files that were named; of the foremost document
  PC_ARRAY(pc_moved_node) moved; // few
  int dimension; // of the vectors in it: 3, or 2 in the plane; of the foremost document
};

// document_nodes.c, at the bottom: documents, nodes and complaints.
pc_document *pc_document_foremost(pc_document *document);
// Writes `PATH:LINE: text` to the error.
pc_status pc_document_complain(const char *path, long line, pc_status status, pc_error *error,
                               const char *text);
// What was put in the place of this node, the node itself if nothing was.
pc_node pc_node_moved(pc_node node, bool is_key);
const yaml_node_t *pc_node_yaml(pc_node node); // NULL: absent
bool pc_node_is_type(pc_node node, yaml_node_type_t type);
bool pc_node_is_plain(pc_node node);
const char *pc_node_scalar(pc_node node);                // "": it is none
size_t pc_node_length(pc_node node);                     // of the scalar
int pc_node_items(pc_node node);                         // of a list
int pc_node_pairs(pc_node node);                         // of a mapping
int pc_node_find_pair(pc_node mapping, const char *key); // its number, or -1
// "'size': " for a message about a value, of a list item the key of the list; "" without a key.
pc_text pc_node_key(pc_node node);
// That this word is not one of those that are known, with as many of them as there is room for.
void pc_complain_of_word(pc_node node, const char *what, const char *known, const char *words);
// What the schema says of a value that is read as one of these forms. A reader that asks for what
// the tables do not say is wrong.
const pc_key *pc_node_schema(pc_node node, int forms);
// Keeps the complaint in the list of those that were found and forgets it, so that reading can go
// on. False: there is none that can be set aside.
bool pc_document_set_aside(pc_document *document);
// Takes the first of the list as the complaint of the document again.
void pc_document_take_up(pc_document *document);

// document_rest.c: what else is wrong in a document that has failed, by its tables alone. Adds to
// `found`, in the order of the lines.
void pc_document_find_rest(pc_document *document);

#endif
