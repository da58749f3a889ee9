// What the pictures of chains have in common: a plot and a table that are written together.
#ifndef PERCUSS_CHAIN_PICTURE_H
#define PERCUSS_CHAIN_PICTURE_H

#include "percuss/chain_pictures.h"
#include "record/replace.h"
#include "record/svg.h"

typedef struct pc_picture {
  const pc_chain_picture *files;
  pc_svg plot;
  pc_replace *table; // NULL: none
} pc_picture;

extern const pc_own pc_picture_table_own;

// Begins an empty plot, and the table, if one is asked for.
pc_status pc_picture_begin(pc_picture *picture, const pc_chain_picture *files, pc_error *error);
// Adds a line to the table: labels, then numbers.
void pc_picture_row(const pc_picture *picture, const char *labels, int count, const double *number);
// Writes the plot and the table, unless `status` says that they are not complete, and frees both.
pc_status pc_picture_end(pc_picture *picture, pc_status status, pc_error *error);

#endif
