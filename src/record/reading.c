// Reading the datasets of a run.
#include "record/reading_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/protection.h"

enum { MAX_ATTRIBUTE = 1 << 16 }; // bytes

pc_status pc_reading_fail(pc_reading *reading, pc_error *error, pc_status status, const char *name,
                          const char *why)
{
  return pc_fail(error, status, "%s: %s%s%s", reading->path, name, *name ? ": " : "", why);
}

pc_reading_item *pc_reading_find(pc_reading *reading, const char *name)
{
  int k = pc_names_find(&reading->names, name);
  return k >= 0 ? &reading->items.at[k] : NULL;
}

static hid_t dataset_of(pc_reading *reading, const char *name)
{
  const pc_reading_item *one = pc_reading_find(reading, name);
  return one != NULL ? one->dataset : -1;
}

int pc_reading_count(const pc_reading *reading)
{
  return reading->items.count;
}

const char *pc_reading_name(const pc_reading *reading, int k)
{
  return k >= 0 && k < reading->items.count ? reading->items.at[k].name : NULL;
}

bool pc_reading_has(const pc_reading *reading, const char *name)
{
  return pc_names_find(&reading->names, name) >= 0;
}

int pc_reading_sizes(hid_t dataset, hsize_t size[PC_READING_RANK], bool *growing)
{
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  hsize_t most[PC_READING_RANK] = {0};
  int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0;
  if (rank < 1 || rank > PC_READING_RANK || H5Sget_simple_extent_dims(space, size, most) < 0)
    rank = 0;
  *growing = rank > 0 && most[0] == H5S_UNLIMITED;
  pc_hdf5_close(space);
  return rank;
}

// How texts are stored: `count` of `length` bytes each, in one dimension or none.
typedef struct text_layout {
  size_t length; // 0: these are no texts
  hsize_t count;
  bool single; // no array
} text_layout;

static text_layout layout_of(hid_t from)
{
  bool attribute = H5Iget_type(from) == H5I_ATTR;
  hid_t type = from < 0 ? -1 : attribute ? H5Aget_type(from) : H5Dget_type(from);
  hid_t space = from < 0 ? -1 : attribute ? H5Aget_space(from) : H5Dget_space(from);
  int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  bool texts = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
               count >= 0 && (rank == 0 || rank == 1);
  text_layout layout = {.length = texts ? H5Tget_size(type) : 0,
                        .count = texts ? (hsize_t)count : 0,
                        .single = rank == 0};
  if (layout.length > 0 && layout.count > PC_MOST_TEXT / layout.length)
    layout.length = 0;
  pc_hdf5_close(type);
  pc_hdf5_close(space);
  return layout;
}

int pc_reading_size(pc_reading *reading, const char *name, long size[4])
{
  pc_quiet quiet = pc_quiet_begin();
  hsize_t there[PC_READING_RANK] = {0};
  bool growing;
  hid_t dataset = dataset_of(reading, name);
  int rank = layout_of(dataset).length > 0 ? 0 : pc_reading_sizes(dataset, there, &growing);
  for (int i = 0; i < PC_READING_RANK; i++)
    size[i] = (long)there[i];
  pc_quiet_end(quiet);
  return rank;
}

bool pc_reading_grows(pc_reading *reading, const char *name)
{
  pc_quiet quiet = pc_quiet_begin();
  hsize_t size[PC_READING_RANK];
  bool growing;
  pc_reading_sizes(dataset_of(reading, name), size, &growing);
  pc_quiet_end(quiet);
  return growing;
}

pc_status pc_reading_type(pc_reading *reading, const char *name, pc_record_type *type,
                          pc_error *error)
{
  static const pc_record_type types[] = {PC_RECORD_DOUBLE, PC_RECORD_FLOAT, PC_RECORD_INT,
                                         PC_RECORD_LONG, PC_RECORD_BYTE};
  pc_quiet quiet = pc_quiet_begin();
  hid_t dataset = dataset_of(reading, name);
  hid_t stored = dataset >= 0 ? H5Dget_type(dataset) : -1;
  pc_status status = PC_ERROR_INPUT;
  for (int i = 0; i < 5 && stored >= 0; i++)
    if (H5Tequal(stored, pc_record_type_stored(types[i])) > 0) {
      *type = types[i];
      status = PC_OK;
    }
  pc_hdf5_close(stored);
  pc_quiet_end(quiet);
  return status == PC_OK ? PC_OK
                         : pc_reading_fail(reading, error, status, name, "no such numeric dataset");
}

// A chunk is read whole, whatever is asked of it. Where a list of chunks of the format before 1.10,
// which has no checksums, gives a wrong size HDF5 reads beyond the chunk; runs have no such lists.
static bool chunk_is_sound(hid_t dataset)
{
  H5D_chunk_index_t index;
  hid_t list = H5Dget_create_plist(dataset), type = H5Dget_type(dataset);
  hsize_t chunk[PC_READING_RANK] = {0};
  size_t bytes = type >= 0 ? H5Tget_size(type) : 0;
  bool chunked = list >= 0 && H5Pget_layout(list) == H5D_CHUNKED;
  int rank = chunked ? H5Pget_chunk(list, PC_READING_RANK, chunk) : 0;
  bool sound = list >= 0 && bytes > 0 && rank >= 0 && rank <= PC_READING_RANK;
  if (chunked)
    sound = sound && H5Dget_chunk_index_type(dataset, &index) >= 0 && index != H5D_CHUNK_IDX_BTREE;
  hsize_t left = bytes > 0 ? PC_MOST_CHUNK / bytes : 0;
  for (int i = 0; i < rank && sound; i++) {
    sound = chunk[i] > 0 && chunk[i] <= left;
    left = sound ? left / chunk[i] : 0;
  }
  pc_hdf5_close(list);
  pc_hdf5_close(type);
  return sound;
}

// What forbids to read the numbers of a dataset, or NULL.
static const char *find_flaw(hid_t dataset)
{
  return !pc_record_is_stored(dataset) ? "the file is incomplete: its data are missing"
         : !chunk_is_sound(dataset)    ? "its chunks do not match those of a run"
                                       : NULL;
}

static bool read_part(hid_t dataset, int rank, const hsize_t *first, const hsize_t *step,
                      const hsize_t *count, pc_record_type as, void *out)
{
  hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(rank, count, NULL);
  bool fine = space >= 0 && memory >= 0 &&
              H5Sselect_hyperslab(space, H5S_SELECT_SET, first, step, count, NULL) >= 0 &&
              H5Dread(dataset, pc_record_type_native(as), memory, space, H5P_DEFAULT, out) >= 0;
  pc_hdf5_close(space);
  pc_hdf5_close(memory);
  return fine;
}

// Does the part lie within the dimension?
static bool is_within(long first, long count, long every, hsize_t size)
{
  if (first < 0 || count < 0 || every < 1 || (hsize_t)first > size)
    return false;
  hsize_t left = size - (hsize_t)first;
  return count == 0 || (hsize_t)count <= left / (hsize_t)every + (left % (hsize_t)every > 0);
}

static pc_status select_part(pc_reading *reading, const char *name, const pc_selection *selection,
                             pc_record_type as, void *out, pc_error *error)
{
  hid_t dataset = dataset_of(reading, name);
  hsize_t size[PC_READING_RANK], first[PC_READING_RANK], count[PC_READING_RANK],
      step[PC_READING_RANK] = {1, 1, 1, 1};
  bool growing, fine = false, empty = false;
  int rank = pc_reading_sizes(dataset, size, &growing);
  if (rank == 0)
    return pc_reading_fail(reading, error, PC_ERROR_INPUT, name, "no such dataset");
  if (!pc_record_type_known(as))
    return pc_reading_fail(reading, error, PC_ERROR_ARGUMENT, name, "unknown number type");
  for (int i = 0; i < rank; i++) {
    long every = i == 0 ? selection->every : 1;
    if (!is_within(selection->first[i], selection->count[i], every, size[i])) {
      char why[120];
      snprintf(why, sizeof why, "%ld row%s requested from row %ld, but there are %llu",
               selection->count[i], i == 0 ? "s" : "s of a further dimension", selection->first[i],
               (unsigned long long)size[i]);
      return pc_reading_fail(reading, error, PC_ERROR_ARGUMENT, name, why);
    }
    first[i] = (hsize_t)selection->first[i];
    count[i] = (hsize_t)selection->count[i];
    empty = empty || count[i] == 0;
  }
  if (empty)
    return PC_OK;
  step[0] = count[0] > 1 ? (hsize_t)selection->every : 1;
  const char *wrong = find_flaw(dataset);
  if (wrong != NULL)
    return pc_reading_fail(reading, error, PC_ERROR_INPUT, name, wrong);
  for (int attempt = 0; attempt < PC_READING_ATTEMPTS && !fine; attempt++) {
    fine = read_part(dataset, rank, first, step, count, as, out);
    if (!fine && H5Drefresh(dataset) < 0) {
      reading->lost = true;
      break;
    }
  }
  return fine ? PC_OK : pc_reading_fail(reading, error, PC_ERROR_INPUT, name, "damaged");
}

pc_status pc_reading_select(pc_reading *reading, const char *name, const pc_selection *selection,
                            pc_record_type as, void *out, pc_error *error)
{
  pc_quiet quiet = pc_quiet_begin();
  pc_status status = select_part(reading, name, selection, as, out, error);
  pc_quiet_end(quiet);
  return status;
}

pc_status pc_reading_rows(pc_reading *reading, const char *name, long first, long count,
                          pc_record_type as, void *out, pc_error *error)
{
  pc_selection rows = {.every = 1};
  pc_reading_size(reading, name, rows.count);
  rows.first[0] = first;
  rows.count[0] = count;
  return pc_reading_select(reading, name, &rows, as, out, error);
}

int pc_reading_complete(pc_reading *reading)
{
  int32_t complete = 0;
  return pc_reading_rows(reading, "complete", 0, 1, PC_RECORD_INT, &complete, NULL) == PC_OK
             ? complete
             : 0;
}

static size_t text_bytes(const text_layout *layout)
{
  return layout->length * (size_t)layout->count;
}

// All bytes of texts, with a 0 after them; NULL: they cannot be read.
static char *read_texts(hid_t from, const text_layout *layout, bool *no_memory)
{
  bool attribute = H5Iget_type(from) == H5I_ATTR;
  char *texts = layout->length > 0 ? calloc(1, text_bytes(layout) + 1) : NULL;
  *no_memory = layout->length > 0 && texts == NULL;
  if (texts == NULL || layout->count == 0)
    return texts;
  hid_t type = attribute ? H5Aget_type(from) : H5Dget_type(from);
  if ((attribute ? H5Aread(from, type, texts)
                 : H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts)) < 0) {
    free(texts);
    texts = NULL;
  }
  pc_hdf5_close(type);
  return texts;
}

// The same texts, a line each.
static char *join_lines(char *texts, const text_layout *layout)
{
  if (layout->single)
    return texts;
  char *lines = malloc(text_bytes(layout) + (size_t)layout->count + 1), *to = lines;
  for (hsize_t i = 0; i < layout->count && lines != NULL; i++) {
    const char *one = texts + i * layout->length;
    size_t length = strnlen(one, layout->length);
    memcpy(to, one, length);
    to += length;
    *to++ = '\n';
  }
  if (lines != NULL)
    *to = 0;
  free(texts);
  return lines;
}

long pc_reading_text_size(pc_reading *reading, const char *name)
{
  pc_quiet quiet = pc_quiet_begin();
  text_layout layout = layout_of(dataset_of(reading, name));
  pc_quiet_end(quiet);
  return layout.length > 0 ? (long)text_bytes(&layout) : -1;
}

char *pc_reading_text(pc_reading *reading, const char *name, pc_error *error)
{
  pc_quiet quiet = pc_quiet_begin();
  hid_t dataset = dataset_of(reading, name);
  text_layout layout = layout_of(dataset);
  bool no_memory = false, damaged = false;
  char *text = layout.count == 0 || pc_record_is_stored(dataset)
                   ? read_texts(dataset, &layout, &no_memory)
                   : NULL;
  if (text != NULL) {
    damaged = layout.count > 0 && !pc_protection_agrees(dataset, text, text_bytes(&layout));
    text = join_lines(text, &layout);
    no_memory = text == NULL;
  }
  pc_quiet_end(quiet);
  if (damaged) {
    free(text);
    text = NULL;
  }
  if (damaged)
    pc_reading_fail(reading, error, PC_ERROR_INPUT, name, "damaged");
  else if (no_memory)
    pc_reading_fail(reading, error, PC_ERROR_MEMORY, name, "out of memory");
  else if (text == NULL)
    pc_reading_fail(reading, error, PC_ERROR_INPUT, name, "no such text dataset");
  return text;
}

char *pc_reading_attribute(pc_reading *reading, const char *name, const char *attribute)
{
  pc_quiet quiet = pc_quiet_begin();
  hid_t dataset = dataset_of(reading, name);
  hid_t opened = dataset >= 0 ? H5Aopen(dataset, attribute, H5P_DEFAULT) : -1;
  text_layout layout = layout_of(opened);
  bool no_memory, small = layout.single && text_bytes(&layout) <= MAX_ATTRIBUTE;
  char *text = small ? read_texts(opened, &layout, &no_memory) : NULL;
  pc_hdf5_close(opened);
  pc_quiet_end(quiet);
  return text;
}
