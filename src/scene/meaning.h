// What a file says, without what changes no result: comments, blanks, titles, views.
#ifndef PERCUSS_SCENE_MEANING_H
#define PERCUSS_SCENE_MEANING_H

#include "scene/document.h"

// A line for each value, in the order of the file and then of its bases:
//
//     FILE:LINE <tab> as many blanks as the value is deep, its key or its number in a list, `: `
//     and the value as it is written
//
// FILE is 0, or the number of the base. The caller frees the text; NULL when memory is out.
char *pc_document_meaning(pc_node root);

#endif
