// Constant arrays and texts of a run, with their descriptions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/protection.h"
#include "record/record_state.h"

// The groups on the way to a name. No times are kept anywhere: equal runs give equal files.
static bool make_groups(pc_record *record, const char *name)
{
  bool fine = true;
  hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(list, false);
  for (const char *slash = strchr(name, '/'); slash != NULL && fine;
       slash = strchr(slash + 1, '/')) {
    char part[256];
    snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
    htri_t there = H5Lexists(record->file, part, H5P_DEFAULT);
    if (there > 0)
      continue;
    hid_t group = there == 0 ? H5Gcreate2(record->file, part, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
    fine = group >= 0 && H5Gclose(group) >= 0;
  }
  H5Pclose(list);
  return fine;
}

hid_t pc_record_make_dataset(pc_record *record, const char *name, hid_t type, hid_t space,
                             hid_t list)
{
  H5Pset_obj_track_times(list, false);
  if (space < 0 || type < 0 || !make_groups(record, name))
    return -1;
  return H5Dcreate2(record->file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
}

// Large arrays are worth compressing, small ones are in the header. One that stays in place has an
// address of its own.
static void choose_layout(hid_t list, pc_record_type type, int rank, const hsize_t *size,
                          hsize_t numbers, bool in_place)
{
  size_t bytes = (size_t)numbers * pc_record_type_size(type);
  if (!in_place && bytes <= PC_SMALL_CHUNK && pc_protect_small(list, bytes))
    return;
  hsize_t chunk[PC_MAX_RANK];
  pc_record_chunk(rank, size, pc_record_type_size(type), PC_LARGE_CHUNK, chunk);
  if (!in_place) {
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 4);
  }
  pc_protect_chunks(list, rank, chunk);
}

static bool write_array(pc_record *record, const char *name, pc_record_type type, int rank,
                        const hsize_t *size, const void *data, bool in_place)
{
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t numbers = 1;
  for (int i = 0; i < rank; i++)
    numbers *= size[i];
  choose_layout(list, type, rank, size, numbers, in_place);
  hid_t space = H5Screate_simple(rank, size, NULL);
  hid_t dataset = pc_record_make_dataset(record, name, pc_record_type_stored(type), space, list);
  // Floats are given as doubles; HDF5 converts.
  hid_t given = type == PC_RECORD_FLOAT ? H5T_NATIVE_DOUBLE : pc_record_type_native(type);
  bool fine = dataset >= 0 &&
              (numbers == 0 || H5Dwrite(dataset, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  pc_status status = pc_record_check(record, fine, name);
  pc_hdf5_close(dataset);
  H5Sclose(space);
  H5Pclose(list);
  return status == PC_OK;
}

// A resumed file keeps what it has; only the sizes must be the same.
static bool same_array(pc_record *record, const char *name, int rank, const hsize_t *size)
{
  hid_t dataset = H5Dopen2(record->file, name, H5P_DEFAULT);
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  hsize_t there[H5S_MAX_RANK];
  bool same = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
              H5Sget_simple_extent_dims(space, there, NULL) >= 0;
  for (int i = 0; i < rank && same; i++)
    same = there[i] == size[i];
  pc_hdf5_close(space);
  pc_hdf5_close(dataset);
  if (!same)
    pc_record_fail(record, PC_ERROR_INPUT, name,
                   "missing or of a different size in the file to resume");
  return same;
}

static pc_status put_array(pc_record *record, const char *name, pc_record_type type, int rank,
                           const long *size, const void *data, bool in_place)
{
  if (pc_record_before_start(record) != PC_OK || pc_record_check_name(record, name) != PC_OK)
    return record->error.status;
  if (rank < 1 || rank > PC_MAX_RANK || !pc_record_type_known(type))
    return pc_record_fail(record, PC_ERROR_ARGUMENT, name,
                          "an array needs 1 to 4 dimensions and a type");
  hsize_t dimensions[PC_MAX_RANK];
  for (int i = 0; i < rank; i++) {
    if (size[i] < 0)
      return pc_record_fail(record, PC_ERROR_ARGUMENT, name, "sizes must not be negative");
    dimensions[i] = (hsize_t)size[i];
  }
  pc_quiet quiet = pc_quiet_begin();
  if (record->resumed >= 0)
    same_array(record, name, rank, dimensions);
  else
    write_array(record, name, type, rank, dimensions, data, in_place);
  pc_quiet_end(quiet);
  return record->error.status;
}

pc_status pc_record_array(pc_record *record, const char *name, pc_record_type type, int rank,
                          const long *size, const void *data)
{
  return put_array(record, name, type, rank, size, data, false);
}

pc_status pc_record_array_in_place(pc_record *record, const char *name, pc_record_type type,
                                   long rows, const void *data)
{
  return put_array(record, name, type, 1, &rows, data, true);
}

// Texts are stored with a fixed length, without an end mark.
static hid_t text_type(size_t length)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length > 0 ? length : 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// Stores `count` texts of `length` bytes each; -1: one text that is no array.
static void write_texts(pc_record *record, const char *name, size_t length, long count,
                        const char *texts)
{
  hsize_t rows = (hsize_t)(count < 0 ? 1 : count);
  hid_t type = text_type(length);
  hid_t space = count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &rows, NULL);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  size_t bytes = length * (size_t)rows;
  bool small = pc_protect_small(list, bytes);
  hid_t dataset = pc_record_make_dataset(record, name, type, space, list);
  bool fine = dataset >= 0 &&
              (rows == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0) &&
              (small || pc_protect_with_sum(dataset, texts, bytes));
  pc_record_check(record, fine, name);
  pc_hdf5_close(dataset);
  H5Pclose(list);
  pc_hdf5_close(space);
  H5Tclose(type);
}

static pc_status put_texts(pc_record *record, const char *name, size_t length, long count,
                           const char *texts)
{
  if (pc_record_before_start(record) != PC_OK || pc_record_check_name(record, name) != PC_OK)
    return record->error.status;
  pc_quiet quiet = pc_quiet_begin();
  if (record->resumed < 0)
    write_texts(record, name, length, count, texts);
  else if (H5Oexists_by_name(record->file, name, H5P_DEFAULT) <= 0)
    pc_record_fail(record, PC_ERROR_INPUT, name, "missing in the file to resume");
  pc_quiet_end(quiet);
  return record->error.status;
}

// Whether the text of the file to resume is this one; NULL: none.
static bool has_text(const pc_record *record, const char *name, const char *text)
{
  if (H5Oexists_by_name(record->file, name, H5P_DEFAULT) <= 0)
    return text == NULL;
  hid_t dataset = text != NULL ? H5Dopen2(record->file, name, H5P_DEFAULT) : -1;
  hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
  size_t length = text != NULL && *text != 0 ? strlen(text) : 1;
  bool same = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tget_size(type) == length;
  char *own = same ? malloc(length) : NULL;
  same = own != NULL && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, own) >= 0 &&
         memcmp(own, text, length) == 0;
  free(own);
  pc_hdf5_close(type);
  pc_hdf5_close(dataset);
  return same;
}

pc_status pc_record_text(pc_record *record, const char *name, const char *text)
{
  if (pc_record_before_start(record) != PC_OK || pc_record_check_name(record, name) != PC_OK)
    return record->error.status;
  pc_quiet quiet = pc_quiet_begin();
  bool write = text != NULL;
  if (record->resumed >= 0) {
    write = !has_text(record, name, text);
    if (write && H5Oexists_by_name(record->file, name, H5P_DEFAULT) > 0)
      pc_record_check(record, H5Ldelete(record->file, name, H5P_DEFAULT) >= 0, name);
    write = write && text != NULL;
  }
  if (write && record->error.status == PC_OK)
    write_texts(record, name, strlen(text), -1, text);
  pc_quiet_end(quiet);
  return record->error.status;
}

pc_status pc_record_names(pc_record *record, const char *name, int count, char *const *names)
{
  size_t longest = 1;
  for (int i = 0; i < count; i++)
    longest = strlen(names[i]) > longest ? strlen(names[i]) : longest;
  char *texts = calloc((size_t)count + 1, longest); // padded with zeros
  if (texts == NULL)
    return pc_record_fail(record, PC_ERROR_MEMORY, name, "out of memory");
  for (int i = 0; i < count; i++)
    memcpy(texts + (size_t)i * longest, names[i], strlen(names[i]));
  pc_status status = put_texts(record, name, longest, count, texts);
  free(texts);
  return status;
}

static bool write_attribute(hid_t dataset, const char *name, const char *text)
{
  hid_t type = text_type(strlen(text)), space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool fine = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
  pc_hdf5_close(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return fine;
}

pc_status pc_record_describe(pc_record *record, const char *name, const char *description,
                             const char *unit)
{
  if (pc_record_before_start(record) != PC_OK || pc_record_check_name(record, name) != PC_OK ||
      record->resumed >= 0)
    return record->error.status;
  pc_quiet quiet = pc_quiet_begin();
  hid_t dataset = H5Dopen2(record->file, name, H5P_DEFAULT);
  bool fine = dataset >= 0 &&
              (description == NULL || write_attribute(dataset, "description", description)) &&
              (unit == NULL || write_attribute(dataset, "unit", unit));
  pc_record_check(record, fine, name);
  pc_hdf5_close(dataset);
  pc_quiet_end(quiet);
  return record->error.status;
}

void pc_record_put(pc_record *record, pc_status *status, const char *name, pc_record_type type,
                   long rows, long columns, const void *data, const char *description,
                   const char *unit)
{
  long size[2] = {rows, columns};
  if (*status == PC_OK)
    *status = pc_record_array(record, name, type, columns > 1 ? 2 : 1, size, data);
  if (*status == PC_OK)
    *status = pc_record_describe(record, name, description, unit != NULL && *unit ? unit : NULL);
}

pc_status pc_record_put_all(pc_record *record, int count, const pc_record_item *items)
{
  pc_status status = PC_OK;
  for (const pc_record_item *one = items; one < items + count; one++)
    if (one->rows != PC_RECORD_NONE)
      pc_record_put(record, &status, one->name, one->type, one->rows, one->columns, one->data,
                    one->description, one->unit);
  return status;
}
