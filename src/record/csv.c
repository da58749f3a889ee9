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
  int length = 0;
  for (int digits = 15; digits <= 17; digits++) {
    length = snprintf(text, PC_CSV_NUMBER, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  return length;
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

// A file has one writer at a time; a device or a pipe may have many.
static bool is_taken(int file)
{
  struct stat state;
  return fstat(file, &state) == 0 && S_ISREG(state.st_mode) && pc_lock_is_taken(file, true);
}

static pc_csv *open_table(const char *path, int columns, int flags, pc_error *error)
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
  pc_checksum_begin(&table->sum);
  table->file = open(path, flags | O_WRONLY | O_CLOEXEC, 0666);
  pc_status status = table->file < 0 ? pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(errno))
                     : is_taken(table->file) ? pc_lock_refuse(path, error)
                                             : PC_OK;
  if (status == PC_OK)
    return table;
  if (table->file >= 0)
    close(table->file);
  free(copy);
  free(table);
  return NULL;
}

// Nothing of it yet. Devices and pipes have nothing to cut.
static bool make_empty(const pc_csv *table)
{
  struct stat state;
  return fstat(table->file, &state) == 0 &&
         (!S_ISREG(state.st_mode) || ftruncate(table->file, 0) == 0);
}

pc_csv *pc_csv_create(const char *path, int columns, const char *const *names,
                      const char *const *units, pc_error *error)
{
  pc_csv *table = open_table(path, columns, O_CREAT, error);
  if (table == NULL)
    return NULL;
  if (!make_empty(table))
    table->error = errno;
  for (int c = 0; c < columns; c++) {
    if (c > 0)
      put(table, ",", 1);
    put(table, names[c], strlen(names[c]));
    if (units != NULL && units[c] != NULL) {
      put(table, " [", 2);
      put(table, units[c], strlen(units[c]));
      put(table, "]", 1);
    }
  }
  put(table, "\n", 1);
  if (pc_csv_flush(table, error) == PC_OK)
    return table;
  pc_csv_close(table, NULL);
  return NULL;
}

pc_status pc_csv_check_head(const char *path, const char *head, pc_error *error)
{
  char there[256];
  size_t length = strlen(head) < sizeof there ? strlen(head) : sizeof there;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) // not there; one that may not be read may still be written
    return PC_OK;
  ssize_t count = read(file, there, length);
  close(file);
  return count <= 0 || memcmp(there, head, (size_t)count) == 0
             ? PC_OK
             : pc_fail(error, PC_ERROR_INPUT,
                       "%s is there and is not the table of a run: move it, or choose another "
                       "output",
                       path);
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
    return errno == ENOENT ? pc_fail(error, PC_ERROR_INPUT, "%s is not there", path)
                           : pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(errno));
  if (!S_ISREG(state.st_mode))
    return pc_fail(error, PC_ERROR_INPUT, "%s: not a regular file", path);
  if (mark.length < 0 || state.st_size < mark.length)
    return pc_fail(error, PC_ERROR_INPUT, "%s is shorter than its checkpoint says", path);
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
             : pc_fail(error, PC_ERROR_INPUT,
                       "%s is damaged, or not the table that its checkpoint was made with", path);
}

pc_csv *pc_csv_resume(const char *path, int columns, pc_csv_mark mark, pc_error *error)
{
  pc_csv *table =
      pc_csv_check(path, mark, error) == PC_OK ? open_table(path, columns, 0, error) : NULL;
  if (table == NULL)
    return NULL;
  table->length = mark.length;
  table->sum.value = mark.sum;
  if (ftruncate(table->file, mark.length) == 0 && lseek(table->file, mark.length, SEEK_SET) >= 0)
    return table;
  pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(errno));
  pc_csv_close(table, NULL);
  return NULL;
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
