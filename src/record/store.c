#include "record/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "record/lock.h"

const pc_own pc_record_own = {"the record of a run", {{PC_OWN_HDF5, "percuss-run "}}};

// What HDF5 holds for an open file: its own part first.
typedef struct handle {
  H5FD_t common;
  pc_store *store;
  haddr_t end; // of the addresses in use, which HDF5 keeps here
} handle;

typedef struct access_info {
  pc_store *store;
} access_info;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t largest)
{
  (void)name, (void)flags, (void)largest; // a file that is made is empty
  const access_info *info = H5Pget_driver_info(access);
  if (info == NULL)
    return NULL;
  handle *file = calloc(1, sizeof *file);
  if (file == NULL) {
    info->store->error = ENOMEM;
    return NULL;
  }
  file->store = info->store;
  return &file->common;
}

static herr_t driver_close(H5FD_t *file)
{
  free(file);
  return 0;
}

// HDF5 aggregates small pieces of metadata for writers. For readers it is turned off, because there
// HDF5 crashes on an address at the end of the address space, as damaged files have.
static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
  bool writes = file == NULL || ((const handle *)file)->store->writable;
  if (flags != NULL)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | (writes ? H5FD_FEAT_ACCUMULATE_METADATA : 0) |
             H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t driver_get_end(const H5FD_t *file, H5FD_mem_t type)
{
  (void)type;
  return ((const handle *)file)->end;
}

static herr_t driver_set_end(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
  (void)type;
  ((handle *)file)->end = end;
  return 0;
}

static haddr_t driver_size(const H5FD_t *file, H5FD_mem_t type)
{
  (void)type;
  const pc_store *store = ((const handle *)file)->store;
  struct stat state;
  if (store->before.size > 0)
    return store->before.size;
  haddr_t size = fstat(store->file, &state) == 0 ? (haddr_t)state.st_size : 0;
  return store->under_way && size <= PC_OWN_MARK_SIZE ? 0 : size;
}

// How many bytes from this address on are in `head` and not in the file.
static size_t held_of(const pc_store *store, haddr_t address, size_t size)
{
  if (!store->under_way || address >= PC_OWN_MARK_SIZE)
    return 0;
  size_t left = PC_OWN_MARK_SIZE - (size_t)address;
  return size < left ? size : left;
}

// What the journal has stands over what is in the file.
static void read_before(const pc_journal_content *before, haddr_t address, size_t size,
                        unsigned char *buffer)
{
  for (int i = 0; i < before->old.count; i++) {
    const pc_old_bytes *one = &before->old.at[i];
    haddr_t first = one->address > address ? one->address : address;
    haddr_t end = one->address + one->size, asked = address + size;
    haddr_t last = end < asked ? end : asked;
    if (first < last)
      memcpy(buffer + (first - address), one->bytes + (first - one->address), last - first);
  }
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, void *buffer)
{
  (void)transfer;
  pc_store *store = ((handle *)file)->store;
  haddr_t first = address, end = store->before.size > 0 ? store->before.size : INT64_MAX;
  size_t all = size;
  if (address > INT64_MAX || size > INT64_MAX - address)
    return -1;
  size_t held = held_of(store, address, size);
  for (char *to = buffer; size > 0;) {
    size_t there = address >= end ? 0 : size < end - address ? size : (size_t)(end - address);
    ssize_t count = pread(store->file, to, there, (off_t)address);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0) {
      if (store->writable)
        store->error = errno;
      return -1;
    }
    if (count == 0 && type == H5FD_MEM_DRAW && !store->writable &&
        !pc_journal_covers(&store->before, address, address + size))
      return -1;      // cut off: a chunk of zeros would pass for one with the right checksum
    if (count == 0) { // addresses in use but not yet written read as zeros
      memset(to, 0, size);
      break;
    }
    to += count;
    address += (haddr_t)count;
    size -= (size_t)count;
    store->bytes_read += (uint64_t)count;
  }
  if (held > 0)
    memcpy(buffer, store->head + first, held);
  read_before(&store->before, first, all, buffer);
  return 0;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t size, const void *buffer)
{
  (void)type, (void)transfer;
  pc_store *store = ((handle *)file)->store;
  size_t held = held_of(store, address, size);
  if (held > 0) {
    memcpy(store->head + address, buffer, held);
    address += held;
    buffer = (const char *)buffer + held;
    size -= held;
  }
  if (store->error == 0 && !pc_journal_keep(&store->journal, store->file, address, size))
    store->error = errno;
  if (store->error == 0 && !pc_file_write_at(store->file, buffer, size, address))
    store->error = errno;
  return 0;
}

static herr_t driver_truncate(H5FD_t *file, hid_t transfer, hbool_t closing)
{
  (void)transfer, (void)closing;
  handle *own = (handle *)file;
  pc_store *store = own->store;
  haddr_t size = driver_size(file, H5FD_MEM_DEFAULT);
  if (store->writable && store->error == 0 && size != own->end &&
      ((size > own->end &&
        !pc_journal_keep(&store->journal, store->file, own->end, size - own->end)) ||
       ftruncate(store->file, (off_t)own->end) != 0))
    store->error = errno;
  return 0;
}

// The lock is taken when the file is opened. HDF5 requires one before it marks
// the file as open for writing.
static herr_t driver_lock(H5FD_t *file, hbool_t writing)
{
  (void)file, (void)writing;
  return 0;
}

static herr_t driver_unlock(H5FD_t *file)
{
  (void)file;
  return 0;
}

static hid_t register_driver(void)
{
  H5FD_class_t class = {
      .name = "percuss",
      .maxaddr = (haddr_t)INT64_MAX,
      .fc_degree = H5F_CLOSE_STRONG,
      .fapl_size = sizeof(access_info),
      .open = driver_open,
      .close = driver_close,
      .query = driver_query,
      .get_eoa = driver_get_end,
      .set_eoa = driver_set_end,
      .get_eof = driver_size,
      .read = driver_read,
      .write = driver_write,
      .truncate = driver_truncate,
      .lock = driver_lock,
      .unlock = driver_unlock,
      .fl_map = H5FD_FLMAP_DICHOTOMY,
  };
#if H5_VERSION_GE(1, 14, 0)
  class.version = H5FD_CLASS_VERSION;
  class.value = 600; // any number that HDF5 leaves to users
#endif
  return H5FDregister(&class);
}

// HDF5 keeps what it knows of the structure of a file in memory, more and more as it grows, up to
// 32 MB. A writer comes back only to the ends of its series.
static bool bound_cache(hid_t access)
{
  H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  if (H5Pget_mdc_config(access, &cache) < 0)
    return false;
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = cache.max_size = 1 << 16; // bytes
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  return H5Pset_mdc_config(access, &cache) >= 0;
}

static bool make_access(pc_store *store, bool for_writing)
{
  store->driver = register_driver();
  store->access = H5Pcreate(H5P_FILE_ACCESS);
  return store->driver >= 0 && store->access >= 0 &&
         H5Pset_driver(store->access, store->driver, &(access_info){store}) >= 0 &&
         // 1.10 is the first format that can be read while it is written.
         H5Pset_libver_bounds(store->access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
         (!for_writing || bound_cache(store->access)) &&
         H5Pset_fclose_degree(store->access, H5F_CLOSE_STRONG) >= 0 &&
         // A reader that meets a wrong checksum tries again and each time waits twice as long, from
         // 1 ns on. HDF5's own 100 times would take for ever on a damaged file; these are 4 ms.
         H5Pset_metadata_read_attempts(store->access, 22) >= 0;
}

bool pc_store_is_written(const pc_store *store)
{
  return pc_lock_is_written(store->file);
}

pc_status pc_store_open(pc_store *store, const char *path, pc_store_mode mode, pc_error *error)
{
  *store = (pc_store){.file = -1,
                      .writable = mode != PC_STORE_READ,
                      .driver = -1,
                      .access = -1,
                      .journal.file = -1};
  if (mode == PC_STORE_CREATE)
    store->file = pc_own_create(path, &pc_record_own, PC_OWN_UNDER_WAY);
  else
    store->file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (store->file < 0 && mode == PC_STORE_CREATE)
    return pc_own_refuse(path, &pc_record_own, errno, error);
  if (store->file < 0)
    return pc_fail(error, PC_ERROR_IO, "%s: %s", path, pc_file_reason(errno));
  pc_status status = PC_OK;
  struct stat state;
  if (fstat(store->file, &state) != 0 || !S_ISREG(state.st_mode))
    status = pc_fail(error, PC_ERROR_IO, "%s: not a regular file", path);
  else if (!make_access(store, mode != PC_STORE_READ))
    status = pc_fail(error, PC_ERROR_MEMORY, "%s: HDF5 has too many open files", path);
  store->under_way = mode == PC_STORE_CREATE;
  if (status == PC_OK && store->under_way &&
      !pc_file_write_at(store->file, PC_OWN_MARK, PC_OWN_MARK_SIZE, 0))
    status = pc_fail(error, PC_ERROR_IO, "%s: %s", path, pc_file_reason(errno));
  if (status != PC_OK)
    pc_store_close(store);
  return status;
}

// One piece; what lies behind the end of the file is in the journal.
static bool fill_piece(pc_store *store, int from, const pc_journal_content *before, haddr_t address,
                       size_t size, haddr_t end, unsigned char *piece)
{
  haddr_t left = address < end ? end - address : 0;
  size_t there = left < size ? (size_t)left : size;
  memset(piece + there, 0, size - there);
  if (!pc_file_read_at(from, piece, there, address))
    return false;
  read_before(before, address, size, piece);
  size_t held = held_of(store, address, size);
  if (held > 0)
    memcpy(store->head + address, piece, held);
  return pc_file_write_at(store->file, piece + held, size - held, address + held);
}

bool pc_store_fill(pc_store *store, int from, const pc_journal_content *before)
{
  enum { PIECE = 1 << 18 };
  struct stat state;
  unsigned char *piece = malloc(PIECE);
  bool fine = piece != NULL && fstat(from, &state) == 0;
  haddr_t end = fine ? (haddr_t)state.st_size : 0, all = before->size > 0 ? before->size : end;
  for (haddr_t address = 0; address < all && fine; address += PIECE)
    fine = fill_piece(store, from, before, address,
                      all - address < PIECE ? (size_t)(all - address) : PIECE, end, piece);
  if (!fine)
    store->error = piece == NULL ? ENOMEM : errno;
  free(piece);
  return fine;
}

bool pc_store_complete(pc_store *store)
{
  if (store->under_way && store->error == 0 &&
      !pc_file_write_at(store->file, store->head, PC_OWN_MARK_SIZE, 0))
    store->error = errno;
  store->under_way = store->under_way && store->error != 0;
  return store->error == 0;
}

pc_status pc_store_unopened(const pc_store *store, const char **why)
{
  bool no_memory = store->error == ENOMEM;
  *why = no_memory ? "out of memory" : "not an HDF5 file, or damaged";
  return no_memory ? PC_ERROR_MEMORY : PC_ERROR_INPUT;
}

bool pc_store_sync(pc_store *store)
{
  if (store->error == 0 && !pc_file_sync(store->file))
    store->error = errno;
  return store->error == 0;
}

bool pc_store_close(pc_store *store)
{
  if (store->access >= 0)
    H5Pclose(store->access);
  if (store->driver >= 0)
    H5FDunregister(store->driver);
  if (store->file >= 0 && close(store->file) != 0 && errno != EINTR && store->error == 0)
    store->error = errno;
  pc_journal_end(&store->journal, !store->whole || store->error != 0);
  pc_journal_forget(&store->before);
  store->access = store->driver = -1;
  store->file = -1;
  return store->error == 0;
}

pc_quiet pc_quiet_begin(void)
{
  pc_quiet quiet = {0};
  quiet.kept = H5Eget_auto2(H5E_DEFAULT, &quiet.report, &quiet.data) >= 0;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return quiet;
}

void pc_quiet_end(pc_quiet quiet)
{
  // A thread that ends with errors on its list leaves HDF5 unable to close at exit.
  H5Eclear2(H5E_DEFAULT);
  if (quiet.kept)
    H5Eset_auto2(H5E_DEFAULT, quiet.report, quiet.data);
}

static herr_t take_first(unsigned n, const H5E_error2_t *entry, void *context)
{
  if (n == 0)
    *(const char **)context = entry->desc;
  return 0;
}

void pc_quiet_reason(char *text, size_t size)
{
  const char *reason = NULL;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
  snprintf(text, size, "%s", reason != NULL ? reason : "");
  for (char *c = text; *c != 0; c++)
    if (*c == '\n')
      *c = ' ';
}
