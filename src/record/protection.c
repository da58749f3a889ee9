#include "record/protection.h"

#include <stdint.h>

#include "record/checksum.h"
#include "record/types.h"

static const char *const attribute = "checksum";

void pc_protect_chunks(hid_t list, int rank, const hsize_t *chunk)
{
  H5Pset_chunk(list, rank, chunk);
  H5Pset_fletcher32(list);
}

bool pc_protect_small(hid_t list, size_t bytes)
{
  return bytes <= PC_MOST_IN_HEADER && H5Pset_layout(list, H5D_COMPACT) >= 0;
}

static int64_t sum_of(const void *bytes, size_t size)
{
  pc_checksum sum;
  pc_checksum_begin(&sum);
  pc_checksum_add(&sum, bytes, size);
  return (int64_t)~sum.value;
}

bool pc_protect_with_sum(hid_t dataset, const void *bytes, size_t size)
{
  int64_t sum = sum_of(bytes, size);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t made = H5Acreate2(dataset, attribute, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  bool fine = made >= 0 && H5Awrite(made, H5T_NATIVE_INT64, &sum) >= 0;
  pc_hdf5_close(made);
  pc_hdf5_close(space);
  return fine;
}

bool pc_protection_agrees(hid_t dataset, const void *bytes, size_t size)
{
  int64_t wanted = 0;
  htri_t there = H5Aexists(dataset, attribute);
  if (there <= 0)
    return there == 0;
  hid_t opened = H5Aopen(dataset, attribute, H5P_DEFAULT);
  hid_t space = opened >= 0 ? H5Aget_space(opened) : -1;
  bool read = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
              H5Aread(opened, H5T_NATIVE_INT64, &wanted) >= 0;
  pc_hdf5_close(space);
  pc_hdf5_close(opened);
  return read && wanted == sum_of(bytes, size);
}

static bool has_filter(hid_t list, H5Z_filter_t wanted)
{
  for (int i = 0; i < H5Pget_nfilters(list); i++) {
    unsigned flags, config;
    size_t numbers = 0;
    if (H5Pget_filter2(list, (unsigned)i, &flags, &numbers, NULL, 0, NULL, &config) == wanted)
      return true;
  }
  return false;
}

// A deflated chunk ends with a checksum of its own (Adler-32).
bool pc_protection_exists(hid_t dataset)
{
  hid_t list = H5Dget_create_plist(dataset);
  H5D_layout_t layout = list >= 0 ? H5Pget_layout(list) : H5D_LAYOUT_ERROR;
  bool exists = layout == H5D_COMPACT || H5Dget_storage_size(dataset) == 0;
  if (layout == H5D_CHUNKED)
    exists =
        exists || has_filter(list, H5Z_FILTER_FLETCHER32) || has_filter(list, H5Z_FILTER_DEFLATE);
  else if (layout == H5D_CONTIGUOUS)
    exists = exists || H5Aexists(dataset, attribute) > 0;
  pc_hdf5_close(list);
  return exists;
}
