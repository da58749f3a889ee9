// Names of things of a document, for files that refer to things by id.
#ifndef PERCUSS_SCENE_NAMES_H
#define PERCUSS_SCENE_NAMES_H

#include "core/names.h"
#include "scene/document.h"

// As pc_names_add; complains at the node of a name that is there already ("two WHAT are called
// NAME") or when memory is out, and then gives -1. Nothing is added to a document that has failed.
int pc_names_add_at(pc_names *names, const char *name, pc_node node, const char *what);

#endif
