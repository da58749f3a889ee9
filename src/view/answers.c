// Answers from the file of a run. Every number of a request and every size from the file is checked
// before memory is allocated for it.
#include "view/answers.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "core/plain.h"
#include "core/written.h"
#include "record/record.h"

enum {
  ALL_ANSWERS = 96 << 20, // bytes of all large ones that wait to be sent
  LARGE_ANSWER = 1 << 16, // bytes; smaller ones are always answered
  PIECE = 2 << 20,        // bytes of the file that are read before others have their turn,
  PIECE_ROWS = 1 << 17,   // and rows
  MINUS = 64,             // numbers to subtract
};

// Requests are served in the order of arrival. A long curve is read in pieces, so that a viewer
// that plays the run gets its frames in between.
typedef struct turn {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned long next, now;
} turn;

struct pc_answers {
  char *path;
  turn turn; // to use what follows
  pc_reading *reading;
  unsigned long opened; // how often
  int complete;
  atomic_size_t bytes; // of all large answers
  double began;
};

static void take_turn(turn *t)
{
  pthread_mutex_lock(&t->lock);
  for (unsigned long own = t->next++; t->now != own;)
    pthread_cond_wait(&t->changed, &t->lock);
  pthread_mutex_unlock(&t->lock);
}

static void end_turn(turn *t)
{
  pthread_mutex_lock(&t->lock);
  t->now++;
  pthread_cond_broadcast(&t->changed);
  pthread_mutex_unlock(&t->lock);
}

pc_answers *pc_answers_open(const char *path, pc_error *error)
{
  pc_answers *answers = calloc(1, sizeof *answers);
  char *copy = strdup(path);
  if (answers == NULL || copy == NULL) {
    free(answers);
    free(copy);
    pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
    return NULL;
  }
  answers->path = copy;
  answers->began = pc_clock_seconds();
  pthread_mutex_init(&answers->turn.lock, NULL);
  pthread_cond_init(&answers->turn.changed, NULL);
  answers->reading = pc_reading_open(path, error);
  if (answers->reading == NULL) {
    pc_answers_close(answers);
    return NULL;
  }
  answers->complete = pc_reading_complete(answers->reading);
  return answers;
}

void pc_answers_close(pc_answers *answers)
{
  if (answers == NULL)
    return;
  pc_reading_close(answers->reading);
  pthread_mutex_destroy(&answers->turn.lock);
  pthread_cond_destroy(&answers->turn.changed);
  free(answers->path);
  free(answers);
}

static void set_text(pc_answer *answer, int status, char *text, size_t size)
{
  *answer = (pc_answer){
      .status = status, .type = "text/plain; charset=utf-8", .data = text, .size = size};
}

// One line, whatever characters the names in it have.
__attribute__((format(printf, 3, 4))) static bool refuse(pc_answer *answer, int status,
                                                         const char *format, ...)
{
  char text[700];
  va_list arguments;
  va_start(arguments, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it does not see the line above
  pc_print_list(text, sizeof text - 1, format, arguments);
  va_end(arguments);
  for (char *c = text; *c != 0; c++)
    if (pc_is_control(*c))
      *c = '?';
  strcat(text, "\n");
  char *copy = strdup(text);
  set_text(answer, status, copy, copy != NULL ? strlen(copy) : 0);
  return false;
}

static size_t counted(size_t size)
{
  return size > LARGE_ANSWER ? size : 0;
}

// Memory for an answer; false, with the error as the answer, if there is none now.
static bool reserve(pc_answers *answers, pc_answer *answer, const char *type, size_t size)
{
  size_t before = atomic_fetch_add(&answers->bytes, counted(size));
  bool busy = before + counted(size) > ALL_ANSWERS;
  void *data = busy ? NULL : malloc(size + 1);
  if (data == NULL) {
    atomic_fetch_sub(&answers->bytes, counted(size));
    return refuse(answer, 503, busy ? "too busy: other answers are pending" : "out of memory");
  }
  *answer = (pc_answer){.status = 200, .type = type, .data = data, .size = size};
  return true;
}

void pc_answer_free(pc_answers *answers, pc_answer *answer)
{
  if (answer->status == 200)
    atomic_fetch_sub(&answers->bytes, counted(answer->size));
  free(answer->data);
  *answer = (pc_answer){0};
}

static bool fail_reading(pc_answers *answers, pc_answer *answer, const pc_error *error)
{
  if (answer->status == 200)
    pc_answer_free(answers, answer);
  int status = error->status == PC_ERROR_ARGUMENT ? 400 : 500;
  return refuse(answer, status, "%s", error->text);
}

// Opens the run that has the name now. If it cannot be read, the old one stays in use, unless that
// has changed.
static bool open_again(pc_answers *answers, pc_answer *answer)
{
  pc_error error = {.status = PC_OK};
  pc_reading *again = pc_reading_open(answers->path, &error);
  if (again == NULL)
    return !pc_reading_is_changed(answers->reading) || refuse(answer, 503, "%s", error.text);
  pc_reading_close(answers->reading);
  answers->reading = again;
  answers->opened++;
  answers->complete = pc_reading_complete(again);
  return true;
}

static const char *argument(const pc_question *question, const char *key)
{
  return question->argument(question->context, key);
}

// A non-negative number, digits only; `otherwise` if it is not given.
static bool get_number(const pc_question *question, const char *key, long otherwise, long *value,
                       pc_answer *answer)
{
  const char *text = argument(question, key);
  *value = otherwise;
  if (text == NULL)
    return true;
  long sum = 0;
  bool fine = *text != 0;
  for (const char *c = text; *c != 0 && fine; c++) {
    fine = *c >= '0' && *c <= '9' && sum <= (LONG_MAX - 9) / 10;
    sum = fine ? 10 * sum + (*c - '0') : 0;
  }
  *value = sum;
  return fine || refuse(answer, 400, "%s: '%.40s' is not a whole number of 0 or more", key, text);
}

// Finite numbers separated by commas; their count.
static bool get_list(const pc_question *question, const char *key, double *values, int *count,
                     pc_answer *answer)
{
  const char *text = argument(question, key);
  *count = 0;
  while (text != NULL) {
    char *end;
    size_t digits = strspn(text, "0123456789+-.eE");
    if (digits == 0 || *count == MINUS)
      break;
    double value = pc_read_double(text, &end);
    if (end != text + digits || !isfinite(value))
      break;
    values[(*count)++] = value;
    text = *end == ',' ? end + 1 : end;
    if (*end == 0)
      text = NULL;
    else if (*end != ',')
      break;
  }
  return text == NULL ||
         refuse(answer, 400, "%s: expected at most %d numbers separated by commas", key, MINUS);
}

// The name of an array and its sizes.
typedef struct array {
  const char *name;
  int rank;
  long size[4];
  pc_record_type type;
} array;

// Within a turn.
static bool get_array(pc_answers *answers, const pc_question *question, array *a, pc_answer *answer)
{
  a->name = argument(question, "name");
  if (a->name == NULL)
    return refuse(answer, 400, "name: the name of a dataset is missing");
  a->rank = pc_reading_size(answers->reading, a->name, a->size);
  if (a->rank == 0 || pc_reading_type(answers->reading, a->name, &a->type, NULL) != PC_OK)
    return refuse(answer, 404, "%.200s: no such numeric dataset", a->name);
  for (int i = 0; i < a->rank; i++)
    if (a->size[i] < 0)
      return refuse(answer, 500, "%.200s: damaged", a->name);
  return true;
}

static const struct {
  const char *name;
  size_t size;
} types[] = {[PC_RECORD_DOUBLE] = {"f64", 8},
             [PC_RECORD_FLOAT] = {"f32", 4},
             [PC_RECORD_INT] = {"i32", 4},
             [PC_RECORD_LONG] = {"i64", 8},
             [PC_RECORD_BYTE] = {"u8", 1}};

// a * b * c ..., or more than `most`.
static size_t product(const long *factors, int count, size_t most)
{
  size_t result = 1;
  for (int i = 0; i < count; i++)
    if (factors[i] == 0)
      return 0;
  for (int i = 0; i < count; i++) {
    if ((size_t)factors[i] > most / result)
      return most + 1;
    result *= (size_t)factors[i];
  }
  return result;
}

// Rows of the file that are read in one turn.
static long piece_rows(const array *a)
{
  size_t most = PIECE / types[a->type].size;
  size_t row = product(a->size + 1, a->rank - 1, most);
  size_t rows = row == 0 || row > most ? 1 : most / row;
  return rows < PIECE_ROWS ? (long)rows : PIECE_ROWS;
}

// Lets other requests have their turn in the middle of an answer. False, with the error as the
// answer, if the client has gone or the file has been replaced.
static bool pause_turn(pc_answers *answers, const pc_question *question, pc_answer *answer)
{
  unsigned long opened = answers->opened;
  end_turn(&answers->turn);
  bool wanted = question->is_wanted(question->context);
  take_turn(&answers->turn);
  wanted = wanted && !question->is_dropped(question->context);
  if (wanted && opened == answers->opened)
    return true;
  pc_answer_free(answers, answer);
  return refuse(answer, 503, wanted ? "the run has been replaced" : "the request was cancelled");
}

// Looks for added frames, and for a new run of the same name. Within a turn.
static bool look_again(pc_answers *answers, pc_answer *answer)
{
  bool resumed = answers->complete != 0 && pc_reading_is_written(answers->reading);
  if (resumed || !pc_reading_is_current(answers->reading) ||
      pc_reading_refresh(answers->reading, NULL) != PC_OK)
    return open_again(answers, answer);
  answers->complete = pc_reading_complete(answers->reading);
  return true;
}

static bool write_groups(pc_json *json, pc_reading *reading)
{
  pc_groups groups;
  bool fine = pc_reading_groups(reading, &groups);
  pc_json_key(json, "groups"), pc_json_open(json, '{');
  for (int k = 0; k < groups.at.count && fine; k++)
    if (groups.at.at[k].direct && groups.at.at[k].frames >= 0)
      pc_json_key(json, groups.names.names[k]), pc_json_integer(json, groups.at.at[k].frames);
  pc_json_close(json);
  pc_groups_free(&groups);
  return fine;
}

static void write_text(pc_json *json, const char *key, char *text)
{
  pc_json_key(json, key), pc_json_string(json, text);
  free(text);
}

static void write_dataset(pc_json *json, pc_reading *reading, const char *name)
{
  long size[4];
  pc_record_type type;
  bool text = pc_reading_text_size(reading, name) >= 0;
  int rank = text ? 0 : pc_reading_size(reading, name, size);
  if (!text && (rank == 0 || pc_reading_type(reading, name, &type, NULL) != PC_OK))
    return; // not of a run
  pc_json_open(json, '{');
  pc_json_key(json, "name"), pc_json_string(json, name);
  pc_json_key(json, "type"), pc_json_string(json, text ? "text" : types[type].name);
  pc_json_key(json, "shape"), pc_json_open(json, '[');
  for (int i = 0; i < rank; i++)
    pc_json_integer(json, size[i]);
  pc_json_close(json);
  pc_json_key(json, "grows"), pc_json_boolean(json, !text && pc_reading_grows(reading, name));
  write_text(json, "unit", pc_reading_attribute(reading, name, "unit"));
  write_text(json, "description", pc_reading_attribute(reading, name, "description"));
  pc_json_close(json);
}

static bool write_run(pc_answers *answers, const pc_question *question, pc_json *json)
{
  pc_reading *reading = answers->reading;
  write_text(json, "program", pc_reading_text(reading, "scene/program", NULL));
  pc_json_key(json, "file"), pc_json_string(json, pc_path_name(answers->path));
  write_text(json, "kind", pc_reading_text(reading, "kind", NULL));
  pc_json_key(json, "complete"), pc_json_integer(json, answers->complete);
  pc_json_key(json, "bytes"), pc_json_integer(json, (long)pc_reading_bytes(reading));
  bool fine = write_groups(json, reading);
  pc_json_key(json, "datasets"), pc_json_open(json, '[');
  for (int k = 0; k < pc_reading_count(reading) && fine; k++) {
    write_dataset(json, reading, pc_reading_name(reading, k));
    fine = !question->is_dropped(question->context);
  }
  pc_json_close(json);
  return fine;
}

static bool write_state(pc_answers *answers, const pc_question *question, pc_json *json)
{
  (void)question;
  pc_reading *reading = answers->reading;
  bool running = answers->complete == 0 && pc_reading_is_written(reading);
  pc_json_key(json, "complete"), pc_json_integer(json, answers->complete);
  pc_json_key(json, "running"), pc_json_boolean(json, running);
  bool fine = write_groups(json, reading);
  pc_json_key(json, "read"), pc_json_integer(json, (long)pc_reading_bytes_read(reading));
  pc_json_key(json, "time_s"), pc_json_number(json, pc_clock_seconds() - answers->began);
  return fine;
}

// `write` gives false when memory is out or nobody waits any more.
static bool give_json(pc_answers *answers, const pc_question *question, pc_answer *answer,
                      bool (*write)(pc_answers *, const pc_question *, pc_json *))
{
  if (!look_again(answers, answer))
    return false;
  pc_written written;
  if (!pc_written_begin(&written))
    return refuse(answer, 503, "out of memory");
  pc_json json = {.file = written.to};
  pc_json_open(&json, '{');
  bool whole = write(answers, question, &json);
  pc_json_close(&json);
  char *text = pc_written_end(&written);
  bool fine =
      !whole || text == NULL ? refuse(answer, 503, "out of memory, or the request was cancelled")
      : written.size > PC_ANSWER_MOST ? refuse(answer, 500, "the run has too many datasets")
                                      : reserve(answers, answer, "application/json", written.size);
  if (fine)
    memcpy(answer->data, text, written.size);
  free(text);
  return fine;
}

enum { PADDED = 8 }; // names are stored as long as the longest

static bool give_text(pc_answers *answers, const pc_question *question, pc_answer *answer)
{
  const char *name = argument(question, "name");
  if (name == NULL)
    return refuse(answer, 400, "name: the name of a text dataset is missing");
  long size = pc_reading_text_size(answers->reading, name);
  if (size < 0)
    return refuse(answer, 404, "%.200s: no such text dataset", name);
  if (size > PADDED * PC_ANSWER_MOST)
    return refuse(answer, 400, "%.200s: longer than 4 MiB", name);
  pc_error error = {.status = PC_OK};
  char *text = pc_reading_text(answers->reading, name, &error);
  if (text == NULL)
    return fail_reading(answers, answer, &error);
  size_t length = strlen(text);
  bool fine = length <= PC_ANSWER_MOST
                  ? reserve(answers, answer, "text/plain; charset=utf-8", length)
                  : refuse(answer, 400, "%.200s: longer than 4 MiB", name);
  if (fine)
    memcpy(answer->data, text, length);
  free(text);
  return fine;
}

static bool get_as(const pc_question *question, const array *a, pc_record_type *as,
                   pc_answer *answer)
{
  const char *text = argument(question, "as");
  *as = a->type;
  for (int i = 0; i < PC_COUNT(types) && text != NULL; i++)
    if (strcmp(text, types[i].name) == 0) {
      *as = (pc_record_type)i;
      return true;
    }
  return text == NULL ||
         refuse(answer, 400, "as: unknown '%.40s' (known: f32, f64, i32, i64, u8)", text);
}

// How many rows, of `most` at most and by default.
static bool get_count(const pc_question *question, long most, long *count, pc_answer *answer)
{
  return get_number(question, "count", most, count, answer) &&
         (*count <= most ||
          refuse(answer, 400, "count: %ld rows requested, but there are %ld", *count, most));
}

static bool get_selection(const pc_question *question, const array *a, pc_selection *selection,
                          pc_answer *answer)
{
  memset(selection, 0, sizeof *selection);
  memcpy(selection->count, a->size, sizeof selection->count);
  if (!get_number(question, "first", 0, &selection->first[0], answer) ||
      !get_number(question, "every", 1, &selection->every, answer))
    return false;
  if (selection->every == 0 || selection->first[0] > a->size[0])
    return refuse(answer, 400, "first or every: out of range, there are %ld rows", a->size[0]);
  long left = a->size[0] - selection->first[0];
  long most = left / selection->every + (left % selection->every > 0);
  if (!get_count(question, most, &selection->count[0], answer))
    return false;
  if (argument(question, "second") == NULL && argument(question, "seconds") == NULL)
    return true;
  if (a->rank < 2)
    return refuse(answer, 400, "second: the array has one dimension");
  if (!get_number(question, "second", 0, &selection->first[1], answer) ||
      !get_number(question, "seconds", 1, &selection->count[1], answer))
    return false;
  if (selection->first[1] > a->size[1] || selection->count[1] > a->size[1] - selection->first[1])
    return refuse(answer, 400, "second, seconds: out of range, there are %ld", a->size[1]);
  return true;
}

static double nearest(double value, double low, double high)
{
  return value >= low ? (value <= high ? value : high) : value < low ? low : 0;
}

static void subtract(const double *from, size_t count, const double *minus, int minus_count,
                     pc_record_type as, void *to)
{
  for (size_t i = 0; i < count; i++) {
    double value = from[i] - minus[i % (size_t)minus_count];
    switch (as) {
    case PC_RECORD_DOUBLE:
      ((double *)to)[i] = value;
      break;
    case PC_RECORD_FLOAT:
      ((float *)to)[i] = (float)value;
      break;
    case PC_RECORD_INT:
      ((int32_t *)to)[i] = (int32_t)nearest(value, INT32_MIN, INT32_MAX);
      break;
    case PC_RECORD_LONG: // the largest double below 2^63
      ((int64_t *)to)[i] = (int64_t)nearest(value, -0x1p63, 0x1.fffffffffffffp62);
      break;
    default:
      ((uint8_t *)to)[i] = (uint8_t)nearest(value, 0, UINT8_MAX);
      break;
    }
  }
}

// A part of the rows, in one turn.
static pc_status read_piece(pc_answers *answers, const array *a, const pc_selection *piece,
                            const double *minus, int minus_count, pc_record_type as, void *to,
                            pc_error *error)
{
  if (minus_count == 0)
    return pc_reading_select(answers->reading, a->name, piece, as, to, error);
  size_t numbers = product(piece->count, a->rank, PC_ANSWER_MOST);
  double *values = malloc(numbers * sizeof *values + 1);
  if (values == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status =
      pc_reading_select(answers->reading, a->name, piece, PC_RECORD_DOUBLE, values, error);
  if (status == PC_OK)
    subtract(values, numbers, minus, minus_count, as, to);
  free(values);
  return status;
}

// Reads all in pieces, with a turn for others between them.
static bool read_pieces(pc_answers *answers, const pc_question *question, const array *a,
                        const pc_selection *selection, const double *minus, int minus_count,
                        pc_record_type as, pc_answer *answer)
{
  long rows = piece_rows(a), done = 0;
  size_t row = product(selection->count + 1, a->rank - 1, PC_ANSWER_MOST) * types[as].size;
  while (done < selection->count[0]) {
    pc_selection piece = *selection;
    long left = selection->count[0] - done;
    piece.first[0] += done * selection->every;
    piece.count[0] = left < rows ? left : rows;
    pc_error error = {.status = PC_OK};
    if (read_piece(answers, a, &piece, minus, minus_count, as,
                   (char *)answer->data + (size_t)done * row, &error) != PC_OK)
      return fail_reading(answers, answer, &error);
    done += piece.count[0];
    if (done < selection->count[0] && !pause_turn(answers, question, answer))
      return false;
  }
  return true;
}

static bool give_rows(pc_answers *answers, const pc_question *question, pc_answer *answer)
{
  array a;
  pc_record_type as;
  pc_selection selection;
  double minus[MINUS];
  int minus_count;
  if (!get_array(answers, question, &a, answer) || !get_as(question, &a, &as, answer) ||
      !get_selection(question, &a, &selection, answer) ||
      !get_list(question, "minus", minus, &minus_count, answer))
    return false;
  if (minus_count > 1 && (a.rank < 2 || selection.count[a.rank - 1] != minus_count))
    return refuse(answer, 400, "minus: %d numbers, but the last dimension has %ld", minus_count,
                  a.rank < 2 ? 1 : selection.count[a.rank - 1]);
  size_t most = PC_ANSWER_MOST / types[as].size;
  size_t numbers = product(selection.count, a.rank, most);
  if (numbers > most)
    return refuse(answer, 400, "more than 4 MiB requested; request fewer rows at a time");
  return reserve(answers, answer, "application/octet-stream", numbers * types[as].size) &&
         (numbers == 0 ||
          read_pieces(answers, question, &a, &selection, minus, minus_count, as, answer));
}

typedef struct curve {
  pc_selection selection;
  long first, count, buckets; // buckets 0: all values
  double *out;
  long bucket, bucket_end; // where it is; rows from `first`
  double low, high;        // of the bucket so far
  long low_at, high_at;    // -1: none
} curve;

// b * count / buckets without overflow: buckets * buckets is small.
static long bucket_start(const curve *c, long b)
{
  return b * (c->count / c->buckets) + b * (c->count % c->buckets) / c->buckets;
}

static void begin_bucket(curve *c, long b)
{
  c->bucket = b;
  c->bucket_end = bucket_start(c, b + 1);
  c->low = c->high = NAN;
  c->low_at = c->high_at = -1;
}

static void end_bucket(curve *c)
{
  bool low_first = c->low_at <= c->high_at;
  c->out[2 * c->bucket] = low_first ? c->low : c->high;
  c->out[2 * c->bucket + 1] = low_first ? c->high : c->low;
  if (c->bucket + 1 < c->buckets)
    begin_bucket(c, c->bucket + 1);
}

// The next value; a NAN counts only if there is nothing else.
static void add_value(curve *c, long row, double value)
{
  if (c->buckets == 0) {
    c->out[row] = value;
    return;
  }
  if (!isnan(value) && (c->low_at < 0 || value < c->low)) {
    c->low = value;
    c->low_at = row;
  }
  if (!isnan(value) && (c->high_at < 0 || value > c->high)) {
    c->high = value;
    c->high_at = row;
  }
  if (row + 1 == c->bucket_end)
    end_bucket(c);
}

static bool get_curve(const pc_question *question, const array *a, curve *c, pc_answer *answer)
{
  long column, most;
  memset(c, 0, sizeof *c);
  if (!get_number(question, "column", 0, &column, answer) ||
      !get_number(question, "most", 2000, &most, answer) ||
      !get_number(question, "first", 0, &c->first, answer))
    return false;
  if (c->first > a->size[0])
    return refuse(answer, 400, "first: out of range, there are %ld rows", a->size[0]);
  if (!get_count(question, a->size[0] - c->first, &c->count, answer))
    return false;
  if (most < 2 || most > PC_ANSWER_MOST / (long)sizeof(double))
    return refuse(answer, 400, "most: from 2 to %ld", PC_ANSWER_MOST / (long)sizeof(double));
  c->selection.every = 1;
  for (int i = 0; i < 4; i++)
    c->selection.count[i] = 1;
  for (int i = a->rank - 1; i > 0; i--) { // row-major: the last dimension runs fastest
    if (a->size[i] == 0)
      return refuse(answer, 400, "column: a row has no numbers");
    c->selection.first[i] = column % a->size[i];
    column /= a->size[i];
  }
  if (column > 0)
    return refuse(answer, 400, "column: a row has fewer numbers");
  c->buckets = c->count > most ? most / 2 : 0;
  return true;
}

static bool read_curve(pc_answers *answers, const pc_question *question, const array *a, curve *c,
                       double *values, long rows, pc_answer *answer)
{
  c->out = answer->data;
  if (c->buckets > 0)
    begin_bucket(c, 0);
  for (long done = 0; done < c->count;) {
    pc_error error = {.status = PC_OK};
    c->selection.first[0] = c->first + done;
    c->selection.count[0] = c->count - done < rows ? c->count - done : rows;
    if (pc_reading_select(answers->reading, a->name, &c->selection, PC_RECORD_DOUBLE, values,
                          &error) != PC_OK)
      return fail_reading(answers, answer, &error);
    for (long i = 0; i < c->selection.count[0]; i++)
      add_value(c, done + i, values[i]);
    done += c->selection.count[0];
    if (done < c->count && !pause_turn(answers, question, answer))
      return false;
  }
  return true;
}

static bool give_curve(pc_answers *answers, const pc_question *question, pc_answer *answer)
{
  array a;
  curve c;
  if (!get_array(answers, question, &a, answer) || !get_curve(question, &a, &c, answer))
    return false;
  long rows = piece_rows(&a);
  double *values = malloc((size_t)rows * sizeof *values);
  if (values == NULL)
    return refuse(answer, 503, "out of memory");
  size_t numbers = (size_t)(c.buckets > 0 ? 2 * c.buckets : c.count);
  bool fine = reserve(answers, answer, "application/octet-stream", numbers * sizeof(double)) &&
              (numbers == 0 || read_curve(answers, question, &a, &c, values, rows, answer));
  free(values);
  return fine;
}

static bool give(pc_answers *answers, const pc_question *question, pc_answer *answer)
{
  const char *name = question->name;
  if (strcmp(name, "run") == 0)
    return give_json(answers, question, answer, write_run);
  if (strcmp(name, "state") == 0)
    return give_json(answers, question, answer, write_state);
  if (strcmp(name, "text") == 0)
    return give_text(answers, question, answer);
  if (strcmp(name, "rows") == 0)
    return give_rows(answers, question, answer);
  if (strcmp(name, "curve") == 0)
    return give_curve(answers, question, answer);
  return refuse(answer, 404, "unknown request");
}

// A file that is overwritten in place is noticed before the answer, or the answer is not sent.
void pc_answers_give(pc_answers *answers, const pc_question *question, pc_answer *answer)
{
  *answer = (pc_answer){0};
  take_turn(&answers->turn);
  if (question->is_dropped(question->context)) {
    refuse(answer, 503, "the request was cancelled");
  } else if (!pc_reading_is_changed(answers->reading) || open_again(answers, answer)) {
    give(answers, question, answer);
    if (pc_reading_is_changed(answers->reading)) {
      pc_answer_free(answers, answer);
      refuse(answer, 503, "the file changed while it was read; repeat the request");
    }
  }
  end_turn(&answers->turn);
}
