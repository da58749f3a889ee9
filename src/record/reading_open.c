// Opening runs, also those that are being written or were killed, and keeping up with them.
#include "record/reading_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"

// What is more was not written here: groups that hold themselves.
enum { MAX_ITEMS = 20000, MAX_GROUPS = 10000, MAX_DEPTH = 16 };

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

// A dataset, or something that cannot be opened. False: the list ends here.
static bool add_item(pc_reading *reading, const char *name, hid_t dataset)
{
  int k = -1;
  if (!pc_array_reserve(&reading->items, reading->items.count + 1) ||
      (k = pc_names_add(&reading->names, name)) < 0) {
    pc_hdf5_close(dataset);
    reading->no_memory = true;
    return false;
  }
  reading->items.at[reading->items.count++] = (pc_reading_item){reading->names.names[k], dataset};
  return dataset >= 0 || reading->anyhow;
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
  bool fine = true, known = pc_reading_find(list->reading, path) != NULL;
  if ((kind == H5I_DATASET || object < 0) && !known) {
    fine = add_item(list->reading, path, object < 0 ? -1 : H5Dopen2(object, ".", H5P_DEFAULT));
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
  const pc_reading_item *item = pc_reading_find(reading, "format");
  if (reading->anyhow && item != NULL && item->dataset < 0)
    return PC_OK; // it will be reported
  char *format = pc_reading_text(reading, "format", &none);
  if (none.status == PC_ERROR_MEMORY)
    return pc_reading_fail(reading, error, none.status, "", "out of memory");
  bool known = format != NULL && strncmp(format, "percuss-run ", 12) == 0;
  bool readable = known && strcmp(format, PC_RECORD_FORMAT) == 0;
  free(format);
  if (!known)
    return pc_reading_fail(reading, error, PC_ERROR_INPUT, "",
                           "an HDF5 file, but not a run of Percuss");
  return readable ? PC_OK
                  : pc_reading_fail(reading, error, PC_ERROR_INPUT, "",
                                    "a run written by another version of Percuss");
}

// A run begins with the superblock of HDF5's format 1.10, in which everything but the numbers has a
// checksum. Older ones have none, and HDF5 does not survive all that damage can make of them.
static pc_status check_superblock(pc_reading *reading, pc_error *error)
{
  static const unsigned char begin[8] = "\211HDF\r\n\032\n";
  unsigned char head[9];
  if (!pc_file_read_at(reading->store.file, head, sizeof head, 0) ||
      memcmp(head, begin, sizeof begin) != 0)
    return pc_reading_fail(reading, error, PC_ERROR_INPUT, "", "not an HDF5 file, or damaged");
  return head[8] >= 3 ? PC_OK
                      : pc_reading_fail(reading, error, PC_ERROR_INPUT, "",
                                        "an HDF5 file, but not a run of Percuss");
}

static bool read_identity(const pc_reading *reading, unsigned char identity[8])
{
  return pc_file_read_at(reading->store.file, identity, 8, (uint64_t)reading->identity_at);
}

// Its bytes stay where they are from the beginning of a file to its end.
static void find_identity(pc_reading *reading)
{
  const pc_reading_item *item = pc_reading_find(reading, "clock/identity");
  haddr_t address = item != NULL ? pc_hdf5_address(item->dataset) : HADDR_UNDEF;
  reading->identity_at = address <= INT64_MAX - 8 ? (off_t)address : -1;
  if (reading->identity_at >= 0 && !read_identity(reading, reading->identity))
    reading->identity_at = -1;
}

static pc_status list_file(pc_reading *reading, pc_error *error)
{
  bool listed = list_all(reading, reading->file, "");
  if (reading->no_memory)
    return pc_reading_fail(reading, error, PC_ERROR_MEMORY, "", "out of memory");
  for (int i = 0; i < reading->items.count && !reading->anyhow; i++)
    if (reading->items.at[i].dataset < 0)
      return pc_reading_fail(reading, error, PC_ERROR_INPUT, reading->items.at[i].name, "damaged");
  return listed ? PC_OK
                : pc_reading_fail(reading, error, PC_ERROR_INPUT, "",
                                  "the list of its datasets cannot be read");
}

static pc_reading_moment look_at(const pc_reading *reading)
{
  struct stat now;
  if (pc_store_is_written(&reading->store) || fstat(reading->store.file, &now) != 0)
    return (pc_reading_moment){.still = false};
  return (pc_reading_moment){true, time(NULL) > now.st_mtim.tv_sec + 1, now.st_size, now.st_mtim};
}

static bool is_same(const pc_reading_moment *a, const pc_reading_moment *b)
{
  return a->still && b->still && a->size == b->size && a->age.tv_sec == b->age.tv_sec &&
         a->age.tv_nsec == b->age.tv_nsec;
}

// What has been read since is of this moment, or of one after it.
static void settle(pc_reading *reading, const pc_reading_moment *then)
{
  reading->seen = *then;
  reading->settled = then->still && pc_reading_complete(reading) != 0;
}

// Datasets are opened in the order they were made: offsets come before the rows they speak of.
static pc_status open_file(pc_reading *reading, pc_error *error)
{
  pc_reading_moment then = look_at(reading);
  pc_status status = check_superblock(reading, error);
  if (status != PC_OK)
    return status;
  hid_t access = reading->store.access;
  for (int attempt = 0; attempt < PC_READING_ATTEMPTS && reading->file < 0; attempt++)
    reading->file = H5Fopen(reading->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
  if (reading->file < 0)
    reading->file = H5Fopen(reading->path, H5F_ACC_RDONLY, access);
  if (reading->file < 0) {
    const char *why;
    status = pc_store_unopened(&reading->store, &why);
    return pc_reading_fail(reading, error, status, "", why);
  }
  status = list_file(reading, error);
  if (status != PC_OK)
    return status;
  find_identity(reading);
  status = check_format(reading, error);
  if (status == PC_OK)
    settle(reading, &then);
  return status;
}

// Can the last row of every series be read? What a killed writer has not finished is on the way
// there, or is not spoken of yet.
static pc_status check_ends(pc_reading *reading, pc_error *error)
{
  pc_status status = PC_OK;
  for (int k = 0; k < reading->items.count && status == PC_OK; k++) {
    const char *name = reading->items.at[k].name;
    long size[PC_READING_RANK] = {0};
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
  for (int i = 0; i < reading->items.count; i++)
    pc_hdf5_close(reading->items.at[i].dataset);
  pc_names_free(&reading->names);
  pc_array_free(&reading->items);
  if (reading->file >= 0)
    H5Fclose(reading->file);
  reading->file = -1;
  reading->groups = reading->depth = 0;
}

// A file that nobody writes and that was not closed: as it is, or, if it cannot be read so, as it
// was when it was marked.
static pc_status open_killed(pc_reading *reading, pc_error *error)
{
  pc_journal_content before;
  pc_status status = pc_journal_read(reading->path, &before, error);
  if (status != PC_OK)
    return status;
  pc_error reason = {.status = PC_OK};
  status = open_file(reading, &reason);
  if (before.size == 0 && status != PC_OK)
    return pc_fail(error, status, "%s", reason.text);
  if (before.size == 0 || (status == PC_OK && check_ends(reading, NULL) == PC_OK)) {
    pc_journal_forget(&before);
    return PC_OK;
  }
  if (before.damaged) {
    pc_journal_forget(&before);
    return status != PC_OK ? pc_fail(error, status, "%s", reason.text)
                           : pc_reading_fail(reading, error, PC_ERROR_INPUT, "",
                                             "damaged, and its journal too");
  }
  close_file(reading);
  reading->store.before = before;
  return open_file(reading, error);
}

static pc_status open_store(pc_reading *reading, const pc_reading_way *way, pc_error *error)
{
  pc_status status = pc_store_open(&reading->store, reading->path, PC_STORE_READ, error);
  if (status == PC_OK && way->before != NULL)
    reading->store.before = *way->before;
  if (status != PC_OK)
    return status;
  bool killed = pc_journal_exists(reading->path) && !pc_store_is_written(&reading->store);
  return killed && !way->as_it_is ? open_killed(reading, error) : open_file(reading, error);
}

pc_reading *pc_reading_open_so(const char *path, const pc_reading_way *way, pc_error *error)
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
  reading->anyhow = way->anyhow;
  reading->lent = way->before != NULL;
  pc_quiet quiet = pc_quiet_begin();
  pc_status status = open_store(reading, way, error);
  pc_quiet_end(quiet);
  if (status == PC_OK)
    return reading;
  pc_reading_close(reading);
  return NULL;
}

pc_reading *pc_reading_open(const char *path, pc_error *error)
{
  return pc_reading_open_so(path, &(pc_reading_way){.as_it_is = false}, error);
}

void pc_reading_close(pc_reading *reading)
{
  if (reading == NULL)
    return;
  pc_quiet quiet = pc_quiet_begin();
  close_file(reading);
  if (reading->lent)
    reading->store.before = (pc_journal_content){0};
  pc_store_close(&reading->store);
  pc_quiet_end(quiet);
  free(reading->path);
  free(reading);
}

pc_status pc_reading_refresh(pc_reading *reading, pc_error *error)
{
  pc_reading_moment now = look_at(reading);
  if (reading->settled || (reading->seen.rests && is_same(&now, &reading->seen)))
    return PC_OK;
  pc_quiet quiet = pc_quiet_begin();
  pc_status status = PC_OK;
  for (int i = 0; i < reading->items.count && status == PC_OK; i++) { // as they were opened
    pc_reading_item *one = &reading->items.at[i];
    bool fine = one->dataset < 0 && reading->anyhow;
    for (int attempt = 0; attempt < PC_READING_ATTEMPTS && !fine; attempt++)
      fine = H5Drefresh(one->dataset) >= 0;
    reading->lost = reading->lost || !fine;
    if (!fine)
      status = pc_reading_fail(reading, error, PC_ERROR_IO, one->name, "cannot be read again");
  }
  if (status == PC_OK)
    settle(reading, &now);
  pc_quiet_end(quiet);
  return status;
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
  if (reading->lost ||
      (reading->identity_at >= 0 && (!read_identity(reading, identity) ||
                                     memcmp(identity, reading->identity, sizeof identity) != 0)))
    return true;
  pc_reading_moment now = {.still = false};
  struct stat state;
  if (reading->settled && fstat(reading->store.file, &state) == 0)
    now = (pc_reading_moment){.still = true, .size = state.st_size, .age = state.st_mtim};
  return reading->settled && !is_same(&now, &reading->seen);
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
