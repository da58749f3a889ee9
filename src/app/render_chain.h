// percuss render of a chain file.
#ifndef PERCUSS_APP_RENDER_CHAIN_H
#define PERCUSS_APP_RENDER_CHAIN_H

#include <stdbool.h>

// Options as they were given; NULL: not.
typedef struct app_chain_texts {
  const char *output, *picture, *against, *from, *to, *points, *each;
  bool quiet; // prints no names of files
} app_chain_texts;

// Draws the chain of a file; returns the exit status.
int app_render_chain(const char *path, const app_chain_texts *texts);

#endif
