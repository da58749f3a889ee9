// The kinds of files.
#ifndef PERCUSS_SCENE_KIND_H
#define PERCUSS_SCENE_KIND_H

#include "scene/document.h"

// In the order of pc_schema_kinds.
typedef enum pc_kind {
  PC_KIND_IMPACT,
  PC_KIND_IDENTIFICATION,
  PC_KIND_CHAIN,
  PC_KIND_CONTINUUM,
  PC_KIND_RIGID,
  PC_KIND_CROWD,
  PC_KINDS
} pc_kind;

// The keys that files of all kinds have: `kind`, which takes one word, and what a file is about.
#define PC_KIND_KEY(word_) PC_TAG("kind", word_, "kind of file")
#define PC_TITLE_KEY                                                                               \
  {                                                                                                \
    "title", PC_UNBOUND, PC_A_TEXT, .meaning = "title, one line"                                   \
  }
#define PC_SOURCE_KEY                                                                              \
  {                                                                                                \
    "source", PC_UNBOUND, PC_A_TEXT, .meaning = "document and section of the source"               \
  }

// Complains unless the file is of the wanted kind, and names the command for one of another kind.
void pc_read_kind(pc_node root, pc_kind wanted);
// The kind that the file says, or -1 without a complaint.
int pc_find_kind(pc_node root);
// A copy of the title in `title`, which is NULL if there is none, and a check that `source` is
// text.
void pc_read_title(pc_node root, char **title);

#endif
