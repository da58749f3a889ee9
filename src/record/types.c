#include "record/types.h"

bool pc_record_type_known(pc_record_type type)
{
  return (int)type >= PC_RECORD_DOUBLE && (int)type <= PC_RECORD_BYTE;
}

size_t pc_record_type_size(pc_record_type type)
{
  static const size_t sizes[] = {8, 4, 4, 8, 1};
  return sizes[type];
}

// In the order of the types; HDF5 makes these numbers when it starts.
hid_t pc_record_type_stored(pc_record_type type)
{
  const hid_t types[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_STD_I32LE, H5T_STD_I64LE,
                         H5T_STD_U8LE};
  return types[type];
}

hid_t pc_record_type_native(pc_record_type type)
{
  const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT32, H5T_NATIVE_INT64,
                         H5T_NATIVE_UINT8};
  return types[type];
}

void pc_record_chunk(int rank, const hsize_t *size, size_t number_bytes, size_t most,
                     hsize_t *chunk)
{
  hsize_t left = most / number_bytes;
  for (int i = rank - 1; i >= 0; i--) {
    hsize_t part = size[i] < left ? size[i] : left;
    chunk[i] = part > 0 ? part : 1;
    left /= chunk[i];
  }
}

bool pc_record_is_stored(hid_t dataset)
{
  hid_t list = dataset >= 0 ? H5Dget_create_plist(dataset) : -1;
  hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  bool stored = list >= 0 && type >= 0 && count >= 0 && H5Pget_external_count(list) == 0;
  H5D_layout_t layout = stored ? H5Pget_layout(list) : H5D_LAYOUT_ERROR;
  if (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS)
    stored = (double)count * (double)H5Tget_size(type) <= (double)H5Dget_storage_size(dataset);
  else
    stored = layout == H5D_CHUNKED;
  pc_hdf5_close(list);
  pc_hdf5_close(type);
  pc_hdf5_close(space);
  return stored;
}

haddr_t pc_hdf5_address(hid_t dataset)
{
  haddr_t address = dataset >= 0 ? H5Dget_offset(dataset) : HADDR_UNDEF;
  hsize_t first[H5S_MAX_RANK] = {0}, size = 0;
  unsigned mask;
  if (dataset >= 0 && address == HADDR_UNDEF &&
      H5Dget_chunk_info_by_coord(dataset, first, &mask, &address, &size) < 0)
    address = HADDR_UNDEF;
  return address;
}

// Only H5Dclose also closes a dataset whose last writes fail.
void pc_hdf5_close(hid_t id)
{
  if (id >= 0 && H5Iget_type(id) == H5I_DATASET)
    H5Dclose(id);
  else if (id >= 0)
    H5Idec_ref(id);
}
