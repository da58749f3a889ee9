#include "record/types.h"

bool pc_record_type_known(pc_record_type type)
{
  return type == PC_RECORD_DOUBLE || type == PC_RECORD_FLOAT || type == PC_RECORD_INT ||
         type == PC_RECORD_LONG || type == PC_RECORD_BYTE;
}

size_t pc_record_type_size(pc_record_type type)
{
  static const size_t sizes[] = {8, 4, 4, 8, 1};
  return sizes[type];
}

hid_t pc_record_type_stored(pc_record_type type)
{
  switch (type) {
  case PC_RECORD_DOUBLE:
    return H5T_IEEE_F64LE;
  case PC_RECORD_FLOAT:
    return H5T_IEEE_F32LE;
  case PC_RECORD_INT:
    return H5T_STD_I32LE;
  case PC_RECORD_LONG:
    return H5T_STD_I64LE;
  default:
    return H5T_STD_U8LE;
  }
}

hid_t pc_record_type_native(pc_record_type type)
{
  switch (type) {
  case PC_RECORD_DOUBLE:
    return H5T_NATIVE_DOUBLE;
  case PC_RECORD_FLOAT:
    return H5T_NATIVE_FLOAT;
  case PC_RECORD_INT:
    return H5T_NATIVE_INT32;
  case PC_RECORD_LONG:
    return H5T_NATIVE_INT64;
  default:
    return H5T_NATIVE_UINT8;
  }
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
  if (list >= 0)
    H5Pclose(list);
  if (type >= 0)
    H5Tclose(type);
  if (space >= 0)
    H5Sclose(space);
  return stored;
}
