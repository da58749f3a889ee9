// What the files of a document share; document.h says what it is.
#ifndef PERCUSS_SCENE_DOCUMENT_STATE_H
#define PERCUSS_SCENE_DOCUMENT_STATE_H

#include <yaml.h>

#include "core/array.h"
#include "scene/document.h"

enum {
  PC_DOCUMENT_DEPTH = 64, // libyaml's time grows with the square of the depth
  PC_COMPLAINT = 360      // bytes of a complaint, without file name and line
};

// A node that was put there, and what stands for it: a value that is written elsewhere, or, of a
// key, the place that added it.
typedef struct pc_moved_node {
  int index;
  bool is_key;
  pc_node to;
} pc_moved_node;

struct pc_document {
  char *name; // of the file, for messages
  yaml_document_t yaml;
  const pc_parameters *parameters;
  pc_document *base;             // stands behind this one, or NULL
  pc_document *before;           // the one it stands behind, or NULL
  pc_error complaint;            // status PC_OK: none yet; of the foremost document
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

#endif
