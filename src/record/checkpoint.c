// Checkpoints: named blobs, all numbers little-endian.
//
//     8 bytes   "percuss" and a newline
//     u32, u32  version, number of blobs
//     u64       size of the whole file
//     for each blob: u32 length of its name, u64 size of its data, name, data
//     u64       CRC-64 of everything before
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "record/checksum.h"
#include "record/record.h"
#include "record/replace.h"

enum { VERSION = 1, HEAD = 24, BLOB_HEAD = 12, TAIL = 8 };

static const unsigned char magic[8] = "percuss\n";

const pc_own pc_checkpoint_own = {"a checkpoint of a run", {{"percuss\n", NULL}}};

static void put(unsigned char *to, uint64_t value, int bytes)
{
  for (int i = 0; i < bytes; i++)
    to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char *from, int bytes)
{
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++)
    value |= (uint64_t)from[i] << (8 * i);
  return value;
}

static void put_out(pc_replace *file, pc_checksum *sum, const void *data, size_t size)
{
  if (size == 0)
    return;
  pc_checksum_add(sum, data, size);
  pc_replace_write(file, data, size);
}

static void write_blobs(pc_replace *file, int count, const pc_blob *blobs)
{
  pc_checksum sum;
  pc_checksum_begin(&sum);
  uint64_t total = HEAD + TAIL;
  for (int i = 0; i < count; i++)
    total += BLOB_HEAD + strlen(blobs[i].name) + blobs[i].size;
  unsigned char head[HEAD];
  memcpy(head, magic, sizeof magic);
  put(head + 8, VERSION, 4);
  put(head + 12, (uint64_t)count, 4);
  put(head + 16, total, 8);
  put_out(file, &sum, head, HEAD);
  for (int i = 0; i < count; i++) {
    unsigned char sizes[BLOB_HEAD];
    put(sizes, strlen(blobs[i].name), 4);
    put(sizes + 4, blobs[i].size, 8);
    put_out(file, &sum, sizes, BLOB_HEAD);
    put_out(file, &sum, blobs[i].name, strlen(blobs[i].name));
    put_out(file, &sum, blobs[i].data, blobs[i].size);
  }
  unsigned char tail[TAIL];
  put(tail, ~sum.value, TAIL);
  pc_replace_write(file, tail, TAIL);
}

pc_status pc_checkpoint_write(const char *path, int count, const pc_blob *blobs, pc_error *error)
{
  pc_replace *file = pc_replace_begin(path, &pc_checkpoint_own, error);
  if (file == NULL)
    return error != NULL ? error->status : PC_ERROR_IO;
  write_blobs(file, count, blobs);
  return pc_replace_end(file, error);
}

static pc_status not_whole(const char *path, pc_error *error)
{
  return pc_fail(error, PC_ERROR_INPUT, "%s: the checkpoint is damaged or truncated", path);
}

// The whole file in memory; the caller frees it.
static pc_status load(const char *path, unsigned char **bytes, size_t *size, pc_error *error)
{
  *bytes = NULL;
  struct stat state;
  bool there = stat(path, &state) == 0;
  if (there && !S_ISREG(state.st_mode)) // to open it might take for ever
    return pc_fail(error, PC_ERROR_INPUT, "%s: not a regular file", path);
  FILE *file = there ? fopen(path, "rb") : NULL;
  if (file == NULL || fstat(fileno(file), &state) != 0) {
    pc_status status = pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(errno));
    if (file != NULL)
      fclose(file);
    return status;
  }
  pc_status status = PC_OK;
  *size = (size_t)state.st_size;
  if (*size < HEAD + TAIL)
    status = not_whole(path, error);
  else if ((*bytes = malloc(*size)) == NULL)
    status = pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
  else if (fread(*bytes, 1, *size, file) != *size)
    status = pc_fail(error, PC_ERROR_IO, "%s: cannot be read completely: %s", path,
                     ferror(file) ? strerror(errno) : "the file has become shorter");
  fclose(file);
  return status;
}

static pc_status check_whole(const char *path, const unsigned char *bytes, size_t size,
                             pc_error *error)
{
  if (memcmp(bytes, magic, sizeof magic) != 0)
    return pc_fail(error, PC_ERROR_INPUT, "%s: not a Percuss checkpoint", path);
  pc_checksum sum;
  pc_checksum_begin(&sum);
  pc_checksum_add(&sum, bytes, size - TAIL);
  if (get(bytes + 16, 8) != size || get(bytes + size - TAIL, TAIL) != ~sum.value)
    return not_whole(path, error);
  if (get(bytes + 8, 4) != VERSION)
    return pc_fail(error, PC_ERROR_INPUT, "%s: written by another version of Percuss", path);
  return PC_OK;
}

// The blob of a name, or NULL. Sizes are checked although the checksum was right, because a
// checksum can be forged.
static const unsigned char *find_blob(const unsigned char *bytes, size_t size, const char *name,
                                      size_t *found)
{
  size_t at = HEAD, end = size - TAIL, length = strlen(name);
  uint64_t count = get(bytes + 12, 4);
  for (uint64_t i = 0; i < count && end - at >= BLOB_HEAD; i++) {
    uint64_t letters = get(bytes + at, 4), data = get(bytes + at + 4, 8);
    at += BLOB_HEAD;
    if (letters > end - at || data > end - at - letters)
      return NULL;
    if (letters == length && memcmp(bytes + at, name, length) == 0) {
      *found = (size_t)data;
      return bytes + at + letters;
    }
    at += (size_t)(letters + data);
  }
  return NULL;
}

static pc_status copy_blobs(const char *path, const unsigned char *bytes, size_t size, int count,
                            pc_blob *blobs, pc_error *error)
{
  for (int i = 0; i < count; i++) {
    const unsigned char *data = find_blob(bytes, size, blobs[i].name, &blobs[i].size);
    if (data == NULL)
      return pc_fail(error, PC_ERROR_INPUT, "%s: the checkpoint has no '%s'", path, blobs[i].name);
    blobs[i].data = malloc(blobs[i].size > 0 ? blobs[i].size : 1);
    if (blobs[i].data == NULL)
      return pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
    memcpy(blobs[i].data, data, blobs[i].size);
  }
  return PC_OK;
}

pc_status pc_checkpoint_read(const char *path, int count, pc_blob *blobs, pc_error *error)
{
  for (int i = 0; i < count; i++) {
    blobs[i].data = NULL;
    blobs[i].size = 0;
  }
  unsigned char *bytes;
  size_t size = 0;
  pc_status status = load(path, &bytes, &size, error);
  if (status == PC_OK)
    status = check_whole(path, bytes, size, error);
  if (status == PC_OK)
    status = copy_blobs(path, bytes, size, count, blobs, error);
  free(bytes);
  for (int i = 0; i < count && status != PC_OK; i++) {
    free(blobs[i].data);
    blobs[i].data = NULL;
    blobs[i].size = 0;
  }
  return status;
}
