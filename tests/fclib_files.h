// Pieces of FCLIB files, written without the library.
#ifndef PERCUSS_TESTS_FCLIB_FILES_H
#define PERCUSS_TESTS_FCLIB_FILES_H

#include <hdf5.h>
#include <stdio.h>

#include "support.h"

static inline void put_numbers(hid_t file, const char *place, hid_t type, int count,
                               const void *values)
{
  hsize_t size = (hsize_t)count;
  hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &size, NULL);
  H5Pset_create_intermediate_group(links, 1);
  hid_t set = H5Dcreate2(file, place, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(set);
  H5Sclose(space);
  H5Pclose(links);
}

// Triplets, as Siconos writes them.
static inline void put_triplets(hid_t file, const char *group, int rows, int columns, int count,
                                const int *i, const int *p, const double *x)
{
  const struct {
    const char *name;
    int value;
  } sizes[] = {{"nzmax", count}, {"m", rows}, {"n", columns}, {"nz", count}};
  char place[120];
  for (int k = 0; k < 4; k++) {
    snprintf(place, sizeof place, "%s/%s", group, sizes[k].name);
    put_numbers(file, place, H5T_NATIVE_INT, 1, &sizes[k].value);
  }
  snprintf(place, sizeof place, "%s/i", group);
  put_numbers(file, place, H5T_NATIVE_INT, count, i);
  snprintf(place, sizeof place, "%s/p", group);
  put_numbers(file, place, H5T_NATIVE_INT, count, p);
  snprintf(place, sizeof place, "%s/x", group);
  put_numbers(file, place, H5T_NATIVE_DOUBLE, count, x);
}

#endif
