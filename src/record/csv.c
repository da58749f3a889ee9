#include "record/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "core/plain.h"
#include "record/checksum.h"
#include "record/lock.h"

enum { BUFFER = 1 << 16 };

struct pc_csv {
  char *path;
  int file, columns;
  int error;   // errno of the first failure
  long length; // bytes, with those in the buffer
  pc_checksum sum;
  size_t waiting;
  char buffer[BUFFER];
};

int pc_csv_number(double value, char text[PC_CSV_NUMBER])
{
  if (!isfinite(value))
    return snprintf(text, PC_CSV_NUMBER, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
  return pc_print_exact(value, text);
}

static void write_out(pc_csv *table)
{
  if (table->error == 0 && !pc_file_write(table->file, table->buffer, table->waiting))
    table->error = errno;
  table->waiting = 0;
}

static void put(pc_csv *table, const char *text, size_t length)
{
  while (length > 0 && table->error == 0) {
    size_t room = BUFFER - table->waiting, now = length < room ? length : room;
    memcpy(table->buffer + table->waiting, text, now);
    pc_checksum_add(&table->sum, text, now);
    table->waiting += now;
    table->length += (long)now;
    text += now;
    length -= now;
    if (table->waiting == BUFFER)
      write_out(table);
  }
}

static pc_status result(const pc_csv *table, pc_error *error)
{
  return table->error == 0
             ? PC_OK
             : pc_fail(error, PC_ERROR_IO, "%s: %s", table->path, pc_file_reason(table->error));
}

static pc_csv *new_table(const char *path, int columns, pc_error *error)
{
  pc_csv *table = calloc(1, sizeof *table);
  char *copy = strdup(path);
  if (table == NULL || copy == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
    free(table);
    free(copy);
    return NULL;
  }
  table->path = copy;
  table->columns = columns;
  table->file = -1;
  pc_checksum_begin(&table->sum);
  return table;
}

static pc_csv *drop_table(pc_csv *table)
{
  if (table->file >= 0)
    close(table->file);
  free(table->path);
  free(table);
  return NULL;
}

pc_csv *pc_csv_create(const char *path, const pc_own *own, int columns, const char *const *names,
                      pc_error *error)
{
  pc_csv *table = new_table(path, columns, error);
  if (table == NULL)
    return NULL;
  table->file = pc_own_create(path, own, PC_OWN_WHOLE);
  if (table->file < 0) {
    pc_own_refuse(path, own, errno, error);
    return drop_table(table);
  }
  for (int c = 0; c < columns; c++) {
    if (c > 0)
      put(table, ",", 1);
    char name[PC_CSV_NAME];
    pc_csv_name(names[c], name);
    put(table, name, strlen(name));
  }
  put(table, "\n", 1);
  if (pc_csv_flush(table, error) == PC_OK)
    return table;
  pc_csv_close(table, NULL);
  return NULL;
}

// Whether so many bytes can be read, and what their sum is; errno says why not.
static bool add_bytes(int file, long length, pc_checksum *sum)
{
  char part[4096];
  for (long at = 0; at < length;) {
    size_t wanted = length - at < (long)sizeof part ? (size_t)(length - at) : sizeof part;
    if (!pc_file_read_at(file, part, wanted, (uint64_t)at))
      return false;
    pc_checksum_add(sum, part, wanted);
    at += (long)wanted;
  }
  return true;
}

pc_status pc_csv_check(const char *path, pc_csv_mark mark, pc_error *error)
{
  struct stat state;
  if (stat(path, &state) != 0)
    return errno == ENOENT ? pc_fail(error, PC_ERROR_INPUT, "%s does not exist", path)
                           : pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(errno));
  if (!S_ISREG(state.st_mode))
    return pc_fail(error, PC_ERROR_INPUT, "%s: not a regular file", path);
  if (mark.length < 0 || state.st_size < mark.length)
    return pc_fail(error, PC_ERROR_INPUT, "%s is shorter than recorded in its checkpoint", path);
  pc_checksum sum;
  pc_checksum_begin(&sum);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  bool fine = file >= 0 && add_bytes(file, mark.length, &sum);
  int why = errno;
  if (file >= 0)
    close(file);
  if (!fine)
    return pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(why));
  return sum.value == mark.sum
             ? PC_OK
             : pc_fail(error, PC_ERROR_INPUT, "%s is damaged or does not belong to its checkpoint",
                       path);
}

pc_csv *pc_csv_resume(const char *path, int columns, pc_csv_mark mark, pc_error *error)
{
  pc_csv *table = pc_csv_check(path, mark, error) == PC_OK ? new_table(path, columns, error) : NULL;
  if (table == NULL)
    return NULL;
  table->file = pc_file_open(path, O_WRONLY);
  if (table->file >= 0 && pc_lock_is_taken(table->file, true)) {
    pc_lock_refuse(path, error);
    return drop_table(table);
  }
  table->length = mark.length;
  table->sum.value = mark.sum;
  if (table->file >= 0 && ftruncate(table->file, mark.length) == 0 &&
      lseek(table->file, mark.length, SEEK_SET) >= 0)
    return table;
  pc_fail(error, PC_ERROR_IO, "%s: %s", path, pc_file_reason(errno));
  return drop_table(table);
}

pc_status pc_csv_append(pc_csv *table, const double *row, pc_error *error)
{
  for (int c = 0; c < table->columns; c++) {
    char text[PC_CSV_NUMBER + 1];
    int length = pc_csv_number(row[c], text);
    text[length] = c + 1 < table->columns ? ',' : '\n';
    put(table, text, (size_t)length + 1);
  }
  return result(table, error);
}

pc_status pc_csv_flush(pc_csv *table, pc_error *error)
{
  write_out(table);
  return result(table, error);
}

static void check_place(pc_csv *table)
{
  if (table->error == 0 && !pc_file_is_named(table->file, table->path))
    table->error = errno;
}

pc_status pc_csv_sync(pc_csv *table, pc_error *error)
{
  check_place(table);
  write_out(table);
  if (table->error == 0 && !pc_file_sync(table->file))
    table->error = errno;
  return result(table, error);
}

pc_csv_mark pc_csv_marked(const pc_csv *table)
{
  return (pc_csv_mark){table->length, table->sum.value};
}

pc_status pc_csv_close(pc_csv *table, pc_error *error)
{
  if (table == NULL)
    return PC_OK;
  check_place(table);
  write_out(table);
  if (close(table->file) != 0 && errno != EINTR && table->error == 0)
    table->error = errno;
  pc_status status = result(table, error);
  free(table->path);
  free(table);
  return status;
}
