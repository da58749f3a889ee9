// The page, as it is compiled in.
#ifndef PERCUSS_VIEW_PAGES_H
#define PERCUSS_VIEW_PAGES_H

#include <stddef.h>

typedef struct pc_page {
  const char *name, *type;
  const unsigned char *data; // gzip
  size_t size;
} pc_page;

// The page of this name; "" is the first one. NULL: there is none.
const pc_page *pc_page_find(const char *name, pc_page *page);

#endif
