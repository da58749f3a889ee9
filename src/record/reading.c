// Reading runs, also those that are being written.
#include "record/record.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "record/record_state.h"

// A chunk that is rewritten while it is read can look damaged: look again, so often.
enum { ATTEMPTS = 20, MAX_RANK = 4, MAX_TEXT = 1 << 30, MAX_ATTRIBUTE = 1 << 16 };
// What is more was not written here: groups that hold themselves, chunks that fill the memory.
enum { MAX_ITEMS = 20000, MAX_GROUPS = 10000, MAX_DEPTH = 16, MAX_CHUNK = 1 << 28 };

// All datasets are open from the beginning and refreshed together, so that what is seen is of one
// moment.
typedef struct item {
  char *name;
  hid_t dataset;
} item;

struct pc_reading {
  char *path;
  pc_store store;
  hid_t file;
  PC_ARRAY(item) items;
  int groups, depth; // while they are listed
  bool no_memory;    // for the list
  // Whether it is still what was opened:
  off_t identity_at; // where the number of the file stands; -1: it has none
  unsigned char identity[8];
  bool settled; // it was whole and nobody wrote it, when it was of this size and age
  off_t size;
  struct timespec age;
  bool lost; // a dataset could not be opened again
};

static pc_status fail(pc_reading *reading, pc_error *error, pc_status status, const char *name,
                      const char *why)
{
  return pc_fail(error, status, "%s: %s%s%s", reading->path, name, *name ? ": " : "", why);
}

static item *find(pc_reading *reading, const char *name)
{
  for (int i = 0; i < reading->items.count; i++)
    if (strcmp(reading->items.at[i].name, name) == 0)
      return &reading->items.at[i];
  return NULL;
}

static hid_t dataset_of(pc_reading *reading, const char *name)
{
  item *one = find(reading, name);
  return one != NULL ? one->dataset : -1;
}

static herr_t list_group(hid_t group, const char *name, const H5L_info_t *info, void *context);

typedef struct listing {
  pc_reading *reading;
  const char *prefix;
} listing;

static herr_t pass_by(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
  (void)group, (void)name, (void)info, (void)context;
  return 0;
}

// For an order HDF5 makes a table of all links, and does not survive it when one of them cannot be
// read. So they are all read before, in the order of the index itself, which needs no table.
static bool list_all(pc_reading *reading, hid_t group, const char *prefix)
{
  listing context = {reading, prefix};
  if (reading->groups++ > MAX_GROUPS || reading->items.count > MAX_ITEMS ||
      reading->depth > MAX_DEPTH)
    return false;
  return H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, pass_by, NULL) >= 0 &&
         (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, list_group, &context) >= 0 ||
          H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, list_group, &context) >= 0);
}

static bool add_item(pc_reading *reading, const char *name)
{
  hid_t dataset = H5Dopen2(reading->file, name, H5P_DEFAULT);
  if (dataset < 0)
    return false;
  char *copy = strdup(name);
  item *one = copy != NULL ? pc_array_add(&reading->items) : NULL;
  if (one == NULL) {
    free(copy);
    H5Dclose(dataset);
    reading->no_memory = true;
    return false;
  }
  *one = (item){copy, dataset};
  return true;
}

static herr_t list_group(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
  const listing *list = context;
  char path[512];
  int length = snprintf(path, sizeof path, "%s%s", list->prefix, name);
  if (info->type != H5L_TYPE_HARD || length >= (int)sizeof path - 1)
    return 0;
  hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  H5I_type_t kind = object >= 0 ? H5Iget_type(object) : H5I_BADID;
  bool fine = object >= 0;
  if (kind == H5I_DATASET && find(list->reading, path) == NULL) {
    fine = add_item(list->reading, path);
  } else if (kind == H5I_GROUP) {
    strcat(path, "/");
    list->reading->depth++;
    fine = list_all(list->reading, object, path);
    list->reading->depth--;
  }
  pc_hdf5_close(object);
  return fine ? 0 : -1;
}

static pc_status check_format(pc_reading *reading, pc_error *error)
{
  pc_error none = {.status = PC_OK};
  char *format = pc_reading_text(reading, "format", &none);
  if (none.status == PC_ERROR_MEMORY)
    return fail(reading, error, none.status, "", "out of memory");
  bool known = format != NULL && strncmp(format, "percuss-run ", 12) == 0;
  bool readable = known && strcmp(format, PC_RECORD_FORMAT) == 0;
  free(format);
  if (!known)
    return fail(reading, error, PC_ERROR_INPUT, "", "an HDF5 file, but not a run of Percuss");
  return readable ? PC_OK
                  : fail(reading, error, PC_ERROR_INPUT, "", "a run of another version of Percuss");
}

// A run begins with the superblock of HDF5's format 1.10, in which everything but the numbers has a
// checksum. Older ones have none, and HDF5 does not survive all that damage can make of them.
static pc_status check_superblock(pc_reading *reading, pc_error *error)
{
  static const unsigned char begin[8] = "\211HDF\r\n\032\n";
  unsigned char head[9];
  if (!pc_file_read_at(reading->store.file, head, sizeof head, 0) ||
      memcmp(head, begin, sizeof begin) != 0)
    return fail(reading, error, PC_ERROR_INPUT, "", "not an HDF5 file, or damaged");
  return head[8] >= 3
             ? PC_OK
             : fail(reading, error, PC_ERROR_INPUT, "", "an HDF5 file, but not a run of Percuss");
}

static bool read_identity(const pc_reading *reading, unsigned char identity[8])
{
  return pc_file_read_at(reading->store.file, identity, 8, (uint64_t)reading->identity_at);
}

// Its bytes stay where they are from the beginning of a file to its end.
static void find_identity(pc_reading *reading)
{
  hid_t dataset = dataset_of(reading, "clock/identity");
  haddr_t address = dataset >= 0 ? H5Dget_offset(dataset) : HADDR_UNDEF;
  reading->identity_at = address <= INT64_MAX - 8 ? (off_t)address : -1;
  if (reading->identity_at >= 0 && !read_identity(reading, reading->identity))
    reading->identity_at = -1;
}

static pc_status open_file(pc_reading *reading, pc_error *error)
{
  pc_status status = check_superblock(reading, error);
  if (status != PC_OK)
    return status;
  hid_t access = reading->store.access;
  for (int attempt = 0; attempt < ATTEMPTS && reading->file < 0; attempt++)
    reading->file = H5Fopen(reading->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
  if (reading->file < 0)
    reading->file = H5Fopen(reading->path, H5F_ACC_RDONLY, access);
  if (reading->file < 0) {
    const char *why;
    status = pc_store_unopened(&reading->store, &why);
    return fail(reading, error, status, "", why);
  }
  bool listed = list_all(reading, reading->file, "");
  if (reading->no_memory)
    return fail(reading, error, PC_ERROR_MEMORY, "", "out of memory");
  if (!listed)
    return fail(reading, error, PC_ERROR_INPUT, "", "the list of its datasets cannot be read");
  find_identity(reading);
  status = check_format(reading, error);
  return status == PC_OK ? pc_reading_refresh(reading, error) : status;
}

// Can the last row of every series be read? What a killed writer has not finished is on the way
// there, or is not spoken of yet.
static pc_status check_ends(pc_reading *reading, pc_error *error)
{
  pc_status status = PC_OK;
  for (int k = 0; k < reading->items.count && status == PC_OK; k++) {
    const char *name = reading->items.at[k].name;
    long size[MAX_RANK] = {0};
    int rank = pc_reading_size(reading, name, size);
    bool some = rank > 0 && pc_reading_grows(reading, name);
    for (int i = 0; i < rank; i++)
      some = some && size[i] > 0;
    pc_selection one = {.first = {size[0] - 1}, .count = {1, 1, 1, 1}, .every = 1};
    double number;
    if (some)
      status = pc_reading_select(reading, name, &one, PC_RECORD_DOUBLE, &number, error);
  }
  return status;
}

static void close_file(pc_reading *reading)
{
  for (int i = 0; i < reading->items.count; i++) {
    H5Dclose(reading->items.at[i].dataset);
    free(reading->items.at[i].name);
  }
  if (reading->file >= 0)
    H5Fclose(reading->file);
  reading->file = -1;
  reading->items.count = reading->groups = reading->depth = 0;
}

// A file that nobody writes and that was not closed: as it is, or, if it cannot be read so, as it
// was when it was marked.
static pc_status open_killed(pc_reading *reading, pc_error *error)
{
  pc_journal_content before;
  pc_status status = pc_journal_read(reading->path, &before, error);
  if (status != PC_OK)
    return status;
  if (before.size == 0 || before.plain) {
    pc_error reason = {.status = PC_OK};
    status = open_file(reading, &reason);
    if (before.size == 0 && status != PC_OK)
      return pc_fail(error, status, "%s", reason.text);
    if (before.size == 0 || (status == PC_OK && check_ends(reading, NULL) == PC_OK)) {
      pc_journal_forget(&before);
      return PC_OK;
    }
    close_file(reading);
  }
  reading->store.before = before;
  return open_file(reading, error);
}

pc_reading *pc_reading_open(const char *path, pc_error *error)
{
  const char *wrong = pc_file_unreadable(path);
  if (wrong != NULL) {
    pc_fail(error, PC_ERROR_IO, "%s: %s", path, wrong);
    return NULL;
  }
  pc_reading *reading = calloc(1, sizeof *reading);
  char *copy = strdup(path);
  if (reading == NULL || copy == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
    free(reading);
    free(copy);
    return NULL;
  }
  reading->path = copy;
  reading->file = -1;
  pc_quiet quiet = pc_quiet_begin();
  pc_status status = pc_store_open(&reading->store, path, PC_STORE_READ, error);
  if (status == PC_OK)
    status = pc_journal_exists(path) && !pc_store_is_written(&reading->store)
                 ? open_killed(reading, error)
                 : open_file(reading, error);
  pc_quiet_end(quiet);
  if (status == PC_OK)
    return reading;
  pc_reading_close(reading);
  return NULL;
}

pc_status pc_reading_check(const char *path, const pc_journal_content *before, pc_error *error)
{
  pc_reading reading = {.path = (char *)path, .file = -1};
  pc_quiet quiet = pc_quiet_begin();
  pc_status status = pc_store_open(&reading.store, path, PC_STORE_READ, error);
  if (status == PC_OK && before != NULL)
    reading.store.before = *before; // lent
  if (status == PC_OK)
    status = open_file(&reading, error);
  if (status == PC_OK)
    status = check_ends(&reading, error);
  // A concurrent reader ignores the end of file in the head; a writer uses it.
  hsize_t size = 0;
  if (status == PC_OK && before != NULL &&
      (H5Fget_filesize(reading.file, &size) < 0 || size > before->size))
    status = pc_fail(error, PC_ERROR_INPUT, "%s: cut off", path);
  close_file(&reading);
  reading.store.before = (pc_journal_content){0};
  pc_store_close(&reading.store);
  pc_quiet_end(quiet);
  free(reading.items.at);
  return status;
}

void pc_reading_close(pc_reading *reading)
{
  if (reading == NULL)
    return;
  pc_quiet quiet = pc_quiet_begin();
  close_file(reading);
  pc_store_close(&reading->store);
  pc_quiet_end(quiet);
  free(reading->items.at);
  free(reading->path);
  free(reading);
}

// A whole file that nobody has written since before `then` does not change any more.
static void settle(pc_reading *reading, const struct stat *then)
{
  reading->settled = pc_reading_complete(reading) != 0;
  reading->size = then->st_size;
  reading->age = then->st_mtim;
}

pc_status pc_reading_refresh(pc_reading *reading, pc_error *error)
{
  if (reading->settled)
    return PC_OK;
  pc_quiet quiet = pc_quiet_begin();
  pc_status status = PC_OK;
  struct stat then;
  bool still = !pc_store_is_written(&reading->store) && fstat(reading->store.file, &then) == 0;
  // In the order they were made: offsets come before the rows they speak of.
  for (int i = 0; i < reading->items.count && status == PC_OK; i++) {
    item *one = &reading->items.at[i];
    bool fine = false;
    for (int attempt = 0; attempt < ATTEMPTS && !fine; attempt++)
      fine = H5Drefresh(one->dataset) >= 0;
    reading->lost = reading->lost || !fine;
    if (!fine)
      status = fail(reading, error, PC_ERROR_IO, one->name, "cannot be read again");
  }
  if (status == PC_OK && still)
    settle(reading, &then);
  pc_quiet_end(quiet);
  return status;
}

int pc_reading_count(const pc_reading *reading)
{
  return reading->items.count;
}

const char *pc_reading_name(const pc_reading *reading, int k)
{
  return k >= 0 && k < reading->items.count ? reading->items.at[k].name : NULL;
}

// Rank and sizes; `growing` if the first dimension has no limit.
static int size_of(hid_t dataset, hsize_t size[MAX_RANK], bool *growing)
{
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  hsize_t most[MAX_RANK] = {0};
  int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0;
  if (rank < 1 || rank > MAX_RANK || H5Sget_simple_extent_dims(space, size, most) < 0)
    rank = 0;
  *growing = rank > 0 && most[0] == H5S_UNLIMITED;
  pc_hdf5_close(space);
  return rank;
}

int pc_reading_size(pc_reading *reading, const char *name, long size[4])
{
  pc_quiet quiet = pc_quiet_begin();
  hsize_t there[MAX_RANK] = {0};
  bool growing;
  int rank = size_of(dataset_of(reading, name), there, &growing);
  for (int i = 0; i < MAX_RANK; i++)
    size[i] = (long)there[i];
  pc_quiet_end(quiet);
  return rank;
}

bool pc_reading_grows(pc_reading *reading, const char *name)
{
  pc_quiet quiet = pc_quiet_begin();
  hsize_t size[MAX_RANK];
  bool growing;
  size_of(dataset_of(reading, name), size, &growing);
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
  return status == PC_OK ? PC_OK : fail(reading, error, status, name, "no such array of numbers");
}

long pc_reading_frames(pc_reading *reading, const char *group)
{
  pc_quiet quiet = pc_quiet_begin();
  size_t length = strlen(group);
  long frames = -1;
  char offsets[256];
  snprintf(offsets, sizeof offsets, "%s/offset", group);
  bool ragged = find(reading, offsets) != NULL;
  for (int i = 0; i < reading->items.count; i++) {
    const char *name = reading->items.at[i].name;
    if (strncmp(name, group, length) != 0 || name[length] != '/' ||
        (ragged && strcmp(name, offsets) != 0))
      continue;
    hsize_t size[MAX_RANK];
    bool growing;
    if (size_of(dataset_of(reading, name), size, &growing) == 0 || !growing)
      continue;
    long here = (long)size[0] - (ragged && size[0] > 0);
    if (frames < 0 || here < frames)
      frames = here;
  }
  pc_quiet_end(quiet);
  return frames;
}

// A chunk is read whole, whatever is asked of it. Where a list of chunks of the format before 1.10,
// which has no checksums, gives a wrong size HDF5 reads beyond the chunk; runs have no such lists.
static bool chunk_is_sound(hid_t dataset)
{
  H5D_chunk_index_t index;
  hid_t list = H5Dget_create_plist(dataset), type = H5Dget_type(dataset);
  hsize_t chunk[MAX_RANK] = {0};
  size_t bytes = type >= 0 ? H5Tget_size(type) : 0;
  bool chunked = list >= 0 && H5Pget_layout(list) == H5D_CHUNKED;
  int rank = chunked ? H5Pget_chunk(list, MAX_RANK, chunk) : 0;
  bool sound = list >= 0 && bytes > 0 && rank >= 0 && rank <= MAX_RANK;
  if (chunked)
    sound = sound && H5Dget_chunk_index_type(dataset, &index) >= 0 && index != H5D_CHUNK_IDX_BTREE;
  hsize_t left = bytes > 0 ? MAX_CHUNK / bytes : 0;
  for (int i = 0; i < rank && sound; i++) {
    sound = chunk[i] > 0 && chunk[i] <= left;
    left = sound ? left / chunk[i] : 0;
  }
  pc_hdf5_close(list);
  pc_hdf5_close(type);
  return sound;
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
  hsize_t size[MAX_RANK], first[MAX_RANK], count[MAX_RANK], step[MAX_RANK] = {1, 1, 1, 1};
  bool growing, fine = false, empty = false;
  int rank = size_of(dataset, size, &growing);
  if (rank == 0)
    return fail(reading, error, PC_ERROR_INPUT, name, "no such array");
  if (!pc_record_type_known(as))
    return fail(reading, error, PC_ERROR_ARGUMENT, name, "no such type of numbers");
  for (int i = 0; i < rank; i++) {
    long every = i == 0 ? selection->every : 1;
    if (!is_within(selection->first[i], selection->count[i], every, size[i])) {
      char why[120];
      snprintf(why, sizeof why, "%ld row%s from row %ld asked for, there are %llu",
               selection->count[i], i == 0 ? "s" : "s of a further dimension", selection->first[i],
               (unsigned long long)size[i]);
      return fail(reading, error, PC_ERROR_ARGUMENT, name, why);
    }
    first[i] = (hsize_t)selection->first[i];
    count[i] = (hsize_t)selection->count[i];
    empty = empty || count[i] == 0;
  }
  if (empty)
    return PC_OK;
  step[0] = count[0] > 1 ? (hsize_t)selection->every : 1;
  if (!pc_record_is_stored(dataset))
    return fail(reading, error, PC_ERROR_INPUT, name, "the file lacks its numbers");
  if (!chunk_is_sound(dataset))
    return fail(reading, error, PC_ERROR_INPUT, name, "its chunks are not those of a run");
  for (int attempt = 0; attempt < ATTEMPTS && !fine; attempt++) {
    fine = read_part(dataset, rank, first, step, count, as, out);
    if (!fine && H5Drefresh(dataset) < 0) {
      reading->lost = true;
      break;
    }
  }
  return fine ? PC_OK : fail(reading, error, PC_ERROR_INPUT, name, "damaged");
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

bool pc_reading_is_written(const pc_reading *reading)
{
  return pc_store_is_written(&reading->store);
}

bool pc_reading_is_current(const pc_reading *reading)
{
  struct stat named;
  return stat(reading->path, &named) != 0 || pc_file_is_named(reading->store.file, reading->path);
}

bool pc_reading_is_changed(const pc_reading *reading)
{
  unsigned char identity[8];
  struct stat now;
  if (reading->lost ||
      (reading->identity_at >= 0 && (!read_identity(reading, identity) ||
                                     memcmp(identity, reading->identity, sizeof identity) != 0)))
    return true;
  return reading->settled &&
         (fstat(reading->store.file, &now) != 0 || now.st_size != reading->size ||
          now.st_mtim.tv_sec != reading->age.tv_sec || now.st_mtim.tv_nsec != reading->age.tv_nsec);
}

long long pc_reading_bytes(const pc_reading *reading)
{
  struct stat state;
  return fstat(reading->store.file, &state) == 0 ? (long long)state.st_size : 0;
}

long long pc_reading_bytes_read(const pc_reading *reading)
{
  return (long long)reading->store.bytes_read;
}

// Bytes of a text of this type; 0 if it is none.
static size_t text_bytes(hid_t type)
{
  bool fixed = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  return fixed ? H5Tget_size(type) : 0;
}

// A single text of at most `most` bytes, from a dataset or an attribute; NULL if it is none.
static char *read_text(hid_t from, size_t most, bool *no_memory)
{
  bool attribute = H5Iget_type(from) == H5I_ATTR;
  hid_t type = attribute ? H5Aget_type(from) : H5Dget_type(from);
  hid_t space = attribute ? H5Aget_space(from) : H5Dget_space(from);
  size_t size = text_bytes(type);
  bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
  bool readable = single && size > 0 && size <= most;
  char *text = readable ? calloc(1, size + 1) : NULL;
  *no_memory = readable && text == NULL;
  if (text != NULL && (attribute ? H5Aread(from, type, text)
                                 : H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text)) < 0) {
    free(text);
    text = NULL;
  }
  pc_hdf5_close(type);
  pc_hdf5_close(space);
  return text;
}

long pc_reading_text_size(pc_reading *reading, const char *name)
{
  pc_quiet quiet = pc_quiet_begin();
  hid_t dataset = dataset_of(reading, name);
  hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
  size_t size = text_bytes(type);
  pc_hdf5_close(type);
  pc_quiet_end(quiet);
  return size > 0 ? (long)size : -1;
}

char *pc_reading_text(pc_reading *reading, const char *name, pc_error *error)
{
  pc_quiet quiet = pc_quiet_begin();
  hid_t dataset = dataset_of(reading, name);
  bool no_memory = false;
  char *text = pc_record_is_stored(dataset) ? read_text(dataset, MAX_TEXT, &no_memory) : NULL;
  pc_quiet_end(quiet);
  if (no_memory)
    fail(reading, error, PC_ERROR_MEMORY, name, "out of memory");
  else if (text == NULL)
    fail(reading, error, PC_ERROR_INPUT, name, "no such text");
  return text;
}

char *pc_reading_attribute(pc_reading *reading, const char *name, const char *attribute)
{
  pc_quiet quiet = pc_quiet_begin();
  hid_t dataset = dataset_of(reading, name);
  hid_t opened = dataset >= 0 ? H5Aopen(dataset, attribute, H5P_DEFAULT) : -1;
  bool no_memory;
  char *text = opened >= 0 ? read_text(opened, MAX_ATTRIBUTE, &no_memory) : NULL;
  pc_hdf5_close(opened);
  pc_quiet_end(quiet);
  return text;
}
