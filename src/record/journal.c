#include "record/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "record/own.h"

enum { BLOCK = 4096, MOST = 64 }; // bytes; blocks of one copy

typedef struct head {
  char magic[8];
  uint64_t mark, size, sum;
  unsigned char unused[8];
} head;

typedef struct copy_head {
  uint64_t address, size;
} copy_head;

static const char magic[8] = "percussj";
static const pc_own own = {"the journal of a run", {{"percussj", NULL}}};

char *pc_journal_name(const char *path)
{
  size_t size = strlen(path) + 9;
  char *name = malloc(size);
  if (name != NULL)
    snprintf(name, size, "%s.journal", path);
  return name;
}

static uint64_t sum_of(pc_checksum *sum, const void *data, size_t size)
{
  sum->value = ~UINT64_C(0);
  pc_checksum_add(sum, data, size);
  return ~sum->value;
}

bool pc_journal_mark(pc_journal *journal, const char *path, int file, uint64_t mark)
{
  struct stat state;
  if (fstat(file, &state) != 0)
    return false;
  uint64_t size = (uint64_t)state.st_size;
  unsigned char *kept = calloc(size / BLOCK / 8 + 1, 1);
  if (journal->path == NULL) {
    journal->file = -1;
    pc_checksum_begin(&journal->sum);
    journal->path = pc_journal_name(path);
    journal->marked = strdup(path);
  }
  if (kept == NULL || journal->path == NULL || journal->marked == NULL) {
    free(kept);
    errno = ENOMEM;
    return false;
  }
  free(journal->kept);
  journal->kept = kept;
  journal->mark = mark;
  journal->size = size;
  journal->end = 0; // what is in it belongs to the mark before; it goes when there is something new
  return true;
}

// An empty journal of the mark, if its name is still that of the marked file's own.
static bool begin(pc_journal *journal, int file)
{
  if (journal->file < 0 && pc_file_is_named(file, journal->marked))
    journal->file = pc_own_create(journal->path, &own, PC_OWN_WHOLE);
  head h = {.mark = journal->mark, .size = journal->size};
  memcpy(h.magic, magic, sizeof magic);
  h.sum = sum_of(&journal->sum, &h, offsetof(head, sum));
  if (journal->file < 0 || ftruncate(journal->file, 0) != 0 ||
      !pc_file_write_at(journal->file, &h, sizeof h, 0))
    return false;
  journal->end = sizeof h;
  return true;
}

static bool copy_blocks(pc_journal *journal, int file, uint64_t first, uint64_t count)
{
  static const size_t around = sizeof(copy_head) + sizeof(uint64_t);
  copy_head h = {.address = first * BLOCK, .size = count * BLOCK};
  if (h.size > journal->size - h.address)
    h.size = journal->size - h.address;
  unsigned char *bytes = malloc(around + h.size);
  if (bytes == NULL)
    return false;
  memcpy(bytes, &h, sizeof h);
  bool fine = pc_file_read_at(file, bytes + sizeof h, h.size, h.address);
  uint64_t sum = sum_of(&journal->sum, bytes, sizeof h + h.size);
  memcpy(bytes + sizeof h + h.size, &sum, sizeof sum);
  fine = fine && (journal->end > 0 || begin(journal, file)) &&
         pc_file_write_at(journal->file, bytes, around + h.size, journal->end);
  int why = errno;
  free(bytes);
  errno = why;
  if (!fine)
    return false;
  journal->end += around + h.size;
  for (uint64_t block = first; block < first + count; block++)
    journal->kept[block / 8] |= (unsigned char)(1 << block % 8);
  return true;
}

bool pc_journal_keep(pc_journal *journal, int file, uint64_t address, uint64_t size)
{
  if (journal->path == NULL || size == 0 || address >= journal->size)
    return true;
  uint64_t last = address + size < journal->size ? address + size - 1 : journal->size - 1;
  uint64_t block = address / BLOCK;
  while (block <= last / BLOCK) {
    uint64_t count = 0;
    while (block + count <= last / BLOCK && count < MOST &&
           !(journal->kept[(block + count) / 8] >> (block + count) % 8 & 1))
      count++;
    if (count > 0 && !copy_blocks(journal, file, block, count))
      return false;
    block += count > 0 ? count : 1;
  }
  return true;
}

void pc_journal_end(pc_journal *journal, bool needed)
{
  if (journal->path != NULL && journal->file >= 0)
    close(journal->file);
  if (journal->path != NULL && !needed)
    pc_own_remove(journal->path, &own);
  free(journal->path);
  free(journal->marked);
  free(journal->kept);
  *journal = (pc_journal){.file = -1};
}

bool pc_journal_exists(const char *path)
{
  char *name = pc_journal_name(path);
  bool there = name != NULL && access(name, F_OK) == 0;
  free(name);
  return there;
}

pc_status pc_journal_check(const char *path, pc_error *error)
{
  char *name = pc_journal_name(path);
  pc_status status = name != NULL ? pc_own_check(name, &own, PC_OWN_WHOLE, error)
                                  : pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
  free(name);
  return status;
}

void pc_journal_remove(const char *path)
{
  char *name = pc_journal_name(path);
  if (name != NULL)
    pc_own_remove(name, &own);
  free(name);
}

void pc_journal_forget(pc_journal_content *content)
{
  free(content->memory);
  free(content->old.at);
  *content = (pc_journal_content){0};
}

// Blocks of the file, as copy_blocks makes them.
static bool is_plausible(const copy_head *copy, uint64_t end)
{
  return copy->size > 0 && copy->size <= (uint64_t)MOST * BLOCK && copy->address % BLOCK == 0 &&
         copy->address < end && copy->size <= end - copy->address &&
         (copy->size % BLOCK == 0 || copy->address + copy->size == end);
}

// Finds the copies, up to the first that is not whole. False when memory is out.
static bool find_copies(pc_journal_content *content, size_t size)
{
  pc_checksum sum;
  pc_checksum_begin(&sum);
  head h;
  if (size < sizeof h)
    return true;
  memcpy(&h, content->memory, sizeof h);
  content->damaged =
      memcmp(h.magic, magic, sizeof magic) != 0 || h.sum != sum_of(&sum, &h, offsetof(head, sum));
  if (content->damaged)
    return true;
  content->mark = h.mark;
  content->size = h.size;
  copy_head copy;
  uint64_t wanted;
  for (size_t at = sizeof h; size - at >= sizeof copy + sizeof wanted;) {
    const unsigned char *from = content->memory + at;
    memcpy(&copy, from, sizeof copy);
    size_t left = size - at - sizeof copy - sizeof wanted;
    content->damaged = !is_plausible(&copy, h.size);
    if (content->damaged || copy.size > left)
      return true;
    memcpy(&wanted, from + sizeof copy + copy.size, sizeof wanted);
    content->damaged = wanted != sum_of(&sum, from, sizeof copy + copy.size);
    if (content->damaged)
      return true;
    pc_old_bytes *old = pc_array_add(&content->old);
    if (old == NULL)
      return false;
    *old = (pc_old_bytes){copy.address, copy.size, from + sizeof copy};
    at += sizeof copy + copy.size + sizeof wanted;
  }
  return true;
}

pc_status pc_journal_read(const char *path, pc_journal_content *content, pc_error *error)
{
  *content = (pc_journal_content){0};
  char *name = pc_journal_name(path);
  struct stat state;
  int file = name != NULL ? open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
  pc_status status = PC_OK;
  if (name == NULL) {
    status = pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
  } else if (file < 0 || fstat(file, &state) != 0) {
    if (errno != ENOENT)
      status = pc_fail(error, PC_ERROR_IO, "%s: %s", name, strerror(errno));
  } else if (!S_ISREG(state.st_mode)) {
    status = pc_fail(error, PC_ERROR_INPUT, "%s: not a regular file", name);
  } else if ((content->memory = malloc((size_t)state.st_size + 1)) == NULL) {
    status = pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", name);
  } else if (!pc_file_read_at(file, content->memory, (size_t)state.st_size, 0)) {
    status = pc_fail(error, PC_ERROR_IO, "%s: %s", name, strerror(errno));
  } else if (!find_copies(content, (size_t)state.st_size)) {
    status = pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", name);
  }
  if (file >= 0)
    close(file);
  free(name);
  bool damaged = content->damaged;
  if (status != PC_OK || content->size == 0)
    pc_journal_forget(content);
  content->damaged = damaged;
  return status;
}

bool pc_journal_covers(const pc_journal_content *content, uint64_t from, uint64_t to)
{
  for (int i = 0; i < content->old.count && from < to; i++) {
    const pc_old_bytes *one = &content->old.at[i];
    if (one->address <= from && from < one->address + one->size) {
      from = one->address + one->size;
      i = -1; // copies are in the order of writing
    }
  }
  return from >= to;
}
