// Runs on disk: what is written is what is read, through kills, full disks and readers that watch.
//
// The oracle of every dataset is a formula of frame and place, so nothing is compared with itself.
#define _GNU_SOURCE // unshare
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

#include "mounts.h"
#include "record/csv.h"
#include "record/record.h"
#include "record/units.h"
#include "record/xdmf.h"
#include "torn.h"

static char folder[64];
static int printed; // times HDF5 wanted to print an error

// Reads of the library (linked with --wrap=pread): of five, one is interrupted and one is short.
static bool interrupts;
static int interruptions, short_reads;
ssize_t __real_pread(int file, void *to, size_t size, off_t at);
ssize_t __wrap_pread(int file, void *to, size_t size, off_t at);
ssize_t __wrap_pread(int file, void *to, size_t size, off_t at)
{
  static int calls;
  int turn = interrupts ? calls++ % 5 : -1;
  if (turn == 1) {
    interruptions++;
    errno = EINTR;
    return -1;
  }
  if (turn == 3 && size > 1) {
    short_reads++;
    size = 1 + size / 3;
  }
  return __real_pread(file, to, size, at);
}

// The path of a file there; the same text for the same name.
static const char *in_folder(const char *name)
{
  static char paths[64][128];
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int i = 0;
  while (i < 63 && paths[i][0] != 0 && strcmp(paths[i], path) != 0)
    i++;
  return strcpy(paths[i], path);
}

static herr_t count_printed(hid_t stack, void *context)
{
  (void)stack, (void)context;
  printed++;
  return 0;
}

static int make_folder(void **state)
{
  // In memory where that is possible: the tests wait for the disk hundreds of times.
  bool memory = access("/dev/shm", W_OK | X_OK) == 0;
  snprintf(folder, sizeof folder, "%s/percuss-record-XXXXXX", memory ? "/dev/shm" : "/tmp");
  H5Eset_auto2(H5E_DEFAULT, count_printed, NULL);
  return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  int failed = system(command);
  H5E_auto2_t report = NULL;
  void *data;
  H5Eget_auto2(H5E_DEFAULT, &report, &data);
  if (printed > 0 || report != count_printed)
    failed = 1; // HDF5 spoke, or the caller's own way to hear it was taken away
  return failed;
}

enum { BODIES = 200, FEW = 5, MAX_ROWS = 700 };
enum { STEP_TIME, STEP_COUNT, POSITION, SMALL, EMPTY, FLAG, ID, CONTACTS, SERIES };
enum { MARKS = PC_RECORD_MARKS + SERIES }; // of a checkpoint

typedef struct kind {
  const char *name;
  pc_record_type type;
  int rows, columns;
} kind;

static const kind kinds[CONTACTS] = {
    {"steps/time", PC_RECORD_DOUBLE, 1, 1},
    {"steps/count", PC_RECORD_INT, 1, 1},
    {"frames/position", PC_RECORD_DOUBLE, BODIES, 3},
    {"frames/small", PC_RECORD_FLOAT, FEW, 2},
    {"frames/empty", PC_RECORD_INT, 0, 3},
    {"frames/flag", PC_RECORD_BYTE, BODIES, 1},
    {"frames/id", PC_RECORD_LONG, 1, 7},
};
enum { COLUMNS = 4 };
static const pc_record_item contact_columns[COLUMNS] = {
    {"bodies", PC_RECORD_INT, 1, 2, NULL, NULL, NULL},
    {"point", PC_RECORD_FLOAT, 1, 3, NULL, NULL, NULL},
    {"gap", PC_RECORD_DOUBLE, 1, 1, NULL, NULL, NULL},
    {"kind", PC_RECORD_BYTE, 1, 1, NULL, NULL, NULL}};

static uint64_t mix(uint64_t a, uint64_t b, uint64_t c)
{
  uint64_t x = a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xBF58476D1CE4E5B9) +
               c * UINT64_C(0x94D049BB133111EB) + 1;
  for (int i = 0; i < 3; i++)
    x = (x ^ (x >> 29)) * UINT64_C(0xD6E8FEB86659FD93);
  return x ^ (x >> 32);
}

// Number i of frame k of a dataset, as the caller gives it.
static void number(int dataset, long k, long i, pc_record_type type, void *to)
{
  uint64_t x = mix((uint64_t)dataset, (uint64_t)k, (uint64_t)i);
  double real = (double)(int64_t)x * 1e-17;
  if (type == PC_RECORD_DOUBLE || type == PC_RECORD_FLOAT)
    memcpy(to, &real, 8);
  else if (type == PC_RECORD_INT)
    *(int32_t *)to = (int32_t)x;
  else if (type == PC_RECORD_LONG)
    *(int64_t *)to = (int64_t)x;
  else
    *(uint8_t *)to = (uint8_t)x;
}

static size_t given_size(pc_record_type type)
{
  static const size_t sizes[] = {8, 8, 4, 8, 1};
  return sizes[type];
}

static size_t stored_size(pc_record_type type)
{
  static const size_t sizes[] = {8, 4, 4, 8, 1};
  return sizes[type];
}

static void fill(int dataset, long k, long count, pc_record_type type, unsigned char *to)
{
  for (long i = 0; i < count; i++)
    number(dataset, k, i, type, to + (size_t)i * given_size(type));
}

// As it must lie in the file.
static void fill_stored(int dataset, long k, long count, pc_record_type type, unsigned char *to)
{
  fill(dataset, k, count, type, to);
  for (long i = 0; i < count && type == PC_RECORD_FLOAT; i++) {
    double given;
    memcpy(&given, to + 8 * i, 8);
    float stored = (float)given;
    memcpy(to + 4 * i, &stored, 4);
  }
}

static int rows_of_frame(long k)
{
  return k % 7 == 3 ? 0 : (int)(mix(99, (uint64_t)k, 0) % MAX_ROWS);
}

static void declare(pc_record *record)
{
  static double mass[BODIES];
  fill(50, 0, BODIES, PC_RECORD_DOUBLE, (unsigned char *)mass);
  pc_record_text(record, "scene", "kind: rigid\nname: \xc3\xa9t\xc3\xa9\n");
  pc_record_text(record, "nothing", "");
  pc_record_array(record, "bodies/mass", PC_RECORD_DOUBLE, 1, (long[]){BODIES}, mass);
  pc_record_array(record, "bodies/pairs", PC_RECORD_FLOAT, 2, (long[]){BODIES / 2, 2}, mass);
  pc_record_array(record, "bodies/none", PC_RECORD_INT, 2, (long[]){0, 3}, NULL);
  for (int s = 0; s < CONTACTS; s++)
    assert_int_equal(
        pc_record_series(record, kinds[s].name, kinds[s].type, kinds[s].rows, kinds[s].columns), s);
  assert_int_equal(pc_record_ragged(record, "contacts", COLUMNS, contact_columns), CONTACTS);
  pc_record_describe(record, "frames/position", "centres of mass", "m");
}

static pc_status append_frame(pc_record *record, long k)
{
  static _Alignas(8) unsigned char data[COLUMNS][MAX_ROWS * 3 * 8];
  pc_status status = PC_OK;
  for (int s = 0; s < CONTACTS; s++) {
    fill(s, k, (long)kinds[s].rows * kinds[s].columns, kinds[s].type, data[0]);
    status = pc_record_append(record, s, data[0]);
  }
  const void *columns[COLUMNS];
  for (int c = 0; c < COLUMNS; c++) {
    fill(CONTACTS + c, k, (long)rows_of_frame(k) * contact_columns[c].columns,
         contact_columns[c].type, data[c]);
    columns[c] = data[c];
  }
  pc_status last = pc_record_append_ragged(record, CONTACTS, rows_of_frame(k), columns);
  return status != PC_OK ? status : last;
}

static void check_rows(pc_reading *reading, const char *name, pc_record_type type, long first,
                       long count, long numbers, int dataset, long k)
{
  static _Alignas(8) unsigned char got[MAX_ROWS * 3 * 8], want[MAX_ROWS * 3 * 8];
  pc_error error = {0};
  memset(got, 0xAA, sizeof got);
  assert_ok(pc_reading_rows(reading, name, first, count, type, got, &error), &error);
  fill_stored(dataset, k, numbers, type, want);
  if (memcmp(got, want, (size_t)numbers * stored_size(type)) != 0)
    fail_msg("%s of frame %ld is not what was written", name, k);
}

static void check_frame(pc_reading *reading, long k)
{
  for (int s = 0; s < CONTACTS; s++)
    check_rows(reading, kinds[s].name, kinds[s].type, k, 1, (long)kinds[s].rows * kinds[s].columns,
               s, k);
  int64_t offsets[2];
  assert_int_equal(pc_reading_rows(reading, "contacts/offset", k, 2, PC_RECORD_LONG, offsets, NULL),
                   PC_OK);
  assert_int_equal(offsets[1] - offsets[0], rows_of_frame(k));
  for (int c = 0; c < COLUMNS; c++) {
    char name[64];
    snprintf(name, sizeof name, "contacts/%s", contact_columns[c].name);
    check_rows(reading, name, contact_columns[c].type, offsets[0], rows_of_frame(k),
               (long)rows_of_frame(k) * contact_columns[c].columns, CONTACTS + c, k);
  }
}

static pc_reading *open_reading(const char *path)
{
  pc_error error = {0};
  pc_reading *reading = pc_reading_open(path, &error);
  if (reading == NULL)
    fail_msg("%s", error.text);
  return reading;
}

// Frames that all groups have.
static long frames_of(pc_reading *reading)
{
  long frames = pc_reading_frames(reading, "frames");
  long steps = pc_reading_frames(reading, "steps"),
       contacts = pc_reading_frames(reading, "contacts");
  frames = steps < frames ? steps : frames;
  return contacts < frames ? contacts : frames;
}

static void check_run(const char *path, long frames, int complete)
{
  static const char *const names[] = {
      "format",          "complete",        "clock/identity", "scene",        "nothing",
      "bodies/mass",     "bodies/pairs",    "bodies/none",    "steps/time",   "steps/count",
      "frames/position", "frames/small",    "frames/empty",   "frames/flag",  "frames/id",
      "contacts/offset", "contacts/bodies", "contacts/point", "contacts/gap", "contacts/kind"};
  enum { NAMES = sizeof names / sizeof *names };
  pc_reading *reading = open_reading(path);
  assert_int_equal(pc_reading_count(reading), NAMES);
  for (int i = 0; i < NAMES; i++)
    assert_string_equal(pc_reading_name(reading, i), names[i]);
  assert_int_equal(pc_reading_complete(reading), complete);
  for (int s = 0; s < CONTACTS; s++) {
    long size[4];
    pc_record_type type;
    assert_int_equal(pc_reading_size(reading, kinds[s].name, size),
                     1 + (kinds[s].rows != 1) + (kinds[s].columns != 1));
    assert_int_equal(size[0], frames);
    assert_int_equal(pc_reading_type(reading, kinds[s].name, &type, NULL), PC_OK);
    assert_int_equal(type, kinds[s].type);
  }
  long rows = 0, size[4];
  for (long k = 0; k < frames; k++)
    rows += rows_of_frame(k);
  for (int c = 0; c < COLUMNS; c++) {
    char name[64];
    snprintf(name, sizeof name, "contacts/%s", contact_columns[c].name);
    pc_reading_size(reading, name, size);
    assert_int_equal(size[0], rows);
  }
  assert_int_equal(frames_of(reading), frames);
  for (long k = 0; k < frames; k++)
    check_frame(reading, k);
  pc_reading_close(reading);
}

static pc_record *begin_run(const char *path)
{
  pc_error error = {0};
  pc_record *record = pc_record_create(path, &error);
  if (record == NULL)
    fail_msg("%s", error.text);
  declare(record);
  if (pc_record_start(record) != PC_OK)
    fail_msg("%s", pc_record_error(record));
  return record;
}

static void write_run(const char *path, long frames)
{
  pc_record *record = begin_run(path);
  for (long k = 0; k < frames; k++)
    assert_int_equal(append_frame(record, k), PC_OK);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
}

// The whole file; the caller frees it.
static unsigned char *load(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  struct stat state;
  assert_int_equal(fstat(fileno(file), &state), 0);
  *size = (size_t)state.st_size;
  unsigned char *bytes = malloc(*size + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  bytes[*size] = 0;
  fclose(file);
  return bytes;
}

static void save(const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static bool is_there(const char *path)
{
  return access(path, F_OK) == 0;
}

static void what_is_written_is_read(void **state)
{
  const char *path = in_folder("run.h5");
  write_run(path, 600); // more than a chunk of every series
  check_run(path, 600, 1);
  assert_false(is_there(in_folder("run.h5.new")));

  pc_reading *reading = open_reading(path);
  char *text = pc_reading_text(reading, "scene", NULL);
  assert_string_equal(text, "kind: rigid\nname: \xc3\xa9t\xc3\xa9\n");
  free(text);
  text = pc_reading_text(reading, "nothing", NULL);
  assert_string_equal(text, "");
  free(text);
  text = pc_reading_attribute(reading, "frames/position", "unit");
  assert_string_equal(text, "m");
  free(text);
  assert_null(pc_reading_attribute(reading, "frames/flag", "unit"));
  check_rows(reading, "bodies/mass", PC_RECORD_DOUBLE, 0, BODIES, BODIES, 50, 0);
  double pairs[BODIES], mass;
  assert_int_equal(
      pc_reading_rows(reading, "bodies/pairs", 0, BODIES / 2, PC_RECORD_DOUBLE, pairs, NULL),
      PC_OK);
  number(50, 0, BODIES - 1, PC_RECORD_DOUBLE, &mass);
  assert_true(pairs[BODIES - 1] == (double)(float)mass);
  pc_reading_close(reading);
}

// Each name as HDF5 sees it, and a line each as earlier records have them.
static void names_are_an_array_of_texts(void **state)
{
  enum { MANY = 5000 }; // more than fit into a header
  static char *const few[] = {"\xc3\xa9t\xc3\xa9", "", "a longer one"};
  static const char *const lines = "\xc3\xa9t\xc3\xa9\n\na longer one\n";
  const char *path = in_folder("names.h5");
  char stored[3][12], **many = calloc(MANY, sizeof *many);
  assert_non_null(many);
  for (int i = 0; i < MANY; i++)
    assert_true(asprintf(&many[i], "stone-%d", i) > 0);
  pc_record *record = pc_record_create(path, NULL);
  assert_int_equal(pc_record_names(record, "bodies/name", 3, few), PC_OK);
  assert_int_equal(pc_record_names(record, "bodies/none", 0, NULL), PC_OK);
  assert_int_equal(pc_record_names(record, "bodies/many", MANY, many), PC_OK);
  assert_int_equal(pc_record_text(record, "bodies/old", lines), PC_OK);
  assert_int_equal(pc_record_start(record), PC_OK);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);

  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "bodies/name", H5P_DEFAULT);
  hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  hsize_t count = 0;
  assert_int_equal(H5Sget_simple_extent_dims(space, &count, NULL), 1);
  assert_int_equal(count, 3);
  assert_int_equal(H5Tget_size(type), sizeof *stored);
  assert_int_equal(H5Tget_cset(type), H5T_CSET_UTF8);
  assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored) >= 0);
  for (int i = 0; i < 3; i++)
    assert_int_equal(strncmp(stored[i], few[i], sizeof *stored), 0);
  H5Tclose(type), H5Sclose(space), H5Dclose(dataset), H5Fclose(file);

  pc_reading *reading = pc_reading_open(path, NULL);
  assert_non_null(reading);
  static const char *const names[] = {"bodies/name", "bodies/old", "bodies/none"};
  long size[4];
  for (int i = 0; i < 3; i++) {
    char *text = pc_reading_text(reading, names[i], NULL);
    assert_string_equal(text, i < 2 ? lines : "");
    assert_int_equal(pc_reading_size(reading, names[i], size), 0); // no numbers
    assert_true(pc_reading_text_size(reading, names[i]) >= 0);
    free(text);
  }
  char *text = pc_reading_text(reading, "bodies/many", NULL), *at = text;
  for (int i = 0; i < MANY; i++) {
    size_t length = strlen(many[i]);
    assert_true(strncmp(at, many[i], length) == 0 && at[length] == '\n');
    at += length + 1;
    free(many[i]);
  }
  assert_int_equal(*at, 0);
  free(text);
  free(many);
  pc_reading_close(reading);
}

static void series_of_a_rhythm_are_appended_from_where_their_data_is(void **state)
{
  const char *path = in_folder("rhythm.h5");
  double place[2] = {1, 2}, energy = 5;
  int32_t count = 7, limits[] = {3, 4};
  const pc_record_item fixed[] = {
      {"limits", PC_RECORD_INT, 2, 1, limits, "a constant", "m"},
      {"nothing", PC_RECORD_INT, PC_RECORD_NONE, 1, NULL, "left out", NULL},
  };
  const pc_record_item frames[] = {
      {"frames/place", PC_RECORD_FLOAT, 1, 2, place, "where", "m"},
      {"frames/none", PC_RECORD_INT, PC_RECORD_NONE, 1, NULL, "left out", NULL},
      {"frames/count", PC_RECORD_INT, 1, 1, &count, "how many", NULL},
  };
  const pc_record_item step = {"steps/energy", PC_RECORD_DOUBLE, 1, 1, &energy, "energy", "J"};
  pc_record *record = pc_record_create(path, NULL);
  assert_non_null(record);
  assert_int_equal(pc_record_put_all(record, 2, fixed), PC_OK);
  assert_int_equal(pc_record_declare(record, PC_RECORD_FRAMES, 3, frames), PC_OK);
  assert_int_equal(pc_record_declare(record, PC_RECORD_STEPS, 1, &step), PC_OK);
  assert_int_equal(pc_record_start(record), PC_OK);
  assert_int_equal(pc_record_append_all(record, PC_RECORD_FRAMES), PC_OK);
  place[1] = 8;
  count = 9;
  assert_int_equal(pc_record_append_all(record, PC_RECORD_FRAMES), PC_OK);
  assert_int_equal(pc_record_append_all(record, PC_RECORD_STEPS), PC_OK);
  assert_int_equal(pc_record_append_all(record, PC_RECORD_INTERVALS), PC_OK); // there are none
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);

  pc_reading *reading = open_reading(path);
  double places[4], energies[1];
  int32_t counts[2], both[2];
  long size[4];
  assert_int_equal(pc_reading_frames(reading, "frames"), 2);
  assert_int_equal(pc_reading_frames(reading, "steps"), 1);
  assert_int_equal(pc_reading_size(reading, "nothing", size), 0);
  assert_int_equal(pc_reading_size(reading, "frames/none", size), 0);
  pc_reading_rows(reading, "limits", 0, 2, PC_RECORD_INT, both, NULL);
  pc_reading_rows(reading, "frames/place", 0, 2, PC_RECORD_DOUBLE, places, NULL);
  pc_reading_rows(reading, "frames/count", 0, 2, PC_RECORD_INT, counts, NULL);
  pc_reading_rows(reading, "steps/energy", 0, 1, PC_RECORD_DOUBLE, energies, NULL);
  assert_memory_equal(both, limits, sizeof both);
  assert_memory_equal(places, ((double[]){1, 2, 1, 8}), sizeof places);
  assert_memory_equal(counts, ((int32_t[]){7, 9}), sizeof counts);
  assert_true(energies[0] == 5);
  char *unit = pc_reading_attribute(reading, "steps/energy", "unit");
  assert_string_equal(unit, "J");
  free(unit);
  pc_reading_close(reading);
}

// Only the number that tells them apart is another, eight bytes.
static void equal_runs_give_equal_files(void **state)
{
  const char *path[2] = {in_folder("one.h5"), in_folder("two.h5")};
  unsigned char *bytes[2], identity[2][8];
  size_t size[2];
  for (int i = 0; i < 2; i++) {
    pc_record *record = begin_run(path[i]);
    for (long k = 0; k < 30; k++)
      append_frame(record, k);
    long marks[MARKS];
    pc_record_marks(record, marks);
    assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
    bytes[i] = load(path[i], &size[i]);
    assert_true(marks[1] > 0 && marks[1] + 12 <= (long)size[i]); // its checksum is after it
    memcpy(identity[i], bytes[i] + marks[1], 8);
    memset(bytes[i] + marks[1], 0, 12);
  }
  assert_memory_not_equal(identity[0], identity[1], 8);
  assert_int_equal(size[0], size[1]);
  assert_memory_equal(bytes[0], bytes[1], size[0]);
  free(bytes[0]);
  free(bytes[1]);
}

static double file_bytes(const char *path)
{
  struct stat file;
  assert_int_equal(stat(path, &file), 0);
  return (double)file.st_size;
}

static void flushes_change_nothing(void **state)
{
  write_run(in_folder("at once.h5"), 560);
  double at_once = file_bytes(in_folder("at once.h5"));
  pc_random random = test_random("flushes");
  const char *path = in_folder("flushes.h5");
  pc_record *record = begin_run(path);
  for (long k = 0; k < 560; k++) {
    assert_int_equal(append_frame(record, k), PC_OK);
    if (pc_random_uniform(&random, 0, 1) < 0.1)
      assert_int_equal(pc_record_flush(record), PC_OK);
  }
  assert_int_equal(pc_record_close(record, 2, NULL), PC_OK);
  check_run(path, 560, 2);
  assert_near(file_bytes(path) / at_once, 1, 0.01); // the order of what is in it is another
}

// More than are flushed at once. What was flushed can be read while the run is written.
static void many_series_are_flushed_in_parts(void **state)
{
  enum { MANY = 2500, FLUSHES = 4 };
  static int handle[MANY];
  char name[32];
  pc_record *record = pc_record_create(in_folder("many.h5"), NULL);
  assert_non_null(record);
  for (int i = 0; i < MANY; i++) {
    snprintf(name, sizeof name, "sensors/s%d", i);
    handle[i] = pc_record_series(record, name, PC_RECORD_DOUBLE, 1, 1);
  }
  assert_int_equal(pc_record_start(record), PC_OK);
  for (int k = 0; k < FLUSHES; k++) {
    for (int i = 0; i < MANY; i++)
      assert_int_equal(pc_record_append(record, handle[i], &(double){i + 0.1 * k}), PC_OK);
    assert_int_equal(pc_record_flush(record), PC_OK);
  }
  pc_reading *reading = pc_reading_open(in_folder("many.h5"), NULL);
  assert_non_null(reading);
  assert_int_equal(pc_reading_frames(reading, "sensors"), FLUSHES);
  for (int i = 0; i < MANY; i++) {
    double value[FLUSHES];
    snprintf(name, sizeof name, "sensors/s%d", i);
    assert_int_equal(pc_reading_rows(reading, name, 0, FLUSHES, PC_RECORD_DOUBLE, value, NULL),
                     PC_OK);
    for (int k = 0; k < FLUSHES; k++)
      assert_true(value[k] == i + 0.1 * k);
  }
  pc_reading_close(reading);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
}

static void a_run_can_be_read_by_its_own_process(void **state)
{
  const char *path = in_folder("own.h5");
  pc_record *record = begin_run(path);
  pc_reading *reading = open_reading(path);
  for (long k = 0; k < 40; k++) {
    append_frame(record, k);
    assert_int_equal(pc_record_flush(record), PC_OK);
    assert_int_equal(pc_reading_refresh(reading, NULL), PC_OK);
    assert_int_equal(frames_of(reading), k + 1);
    check_frame(reading, k);
    assert_int_equal(pc_reading_complete(reading), 0);
  }
  // Other programs read it with HDF5's own driver and its locks.
  hid_t other = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
  assert_true(other >= 0);
  H5Fclose(other);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  assert_int_equal(pc_reading_refresh(reading, NULL), PC_OK);
  assert_int_equal(pc_reading_complete(reading), 1);
  pc_reading_close(reading);
}

// The writer waits for the watcher a few times, so that it is watched however slow the machine is.
static void a_watcher_sees_only_whole_frames(void **state)
{
  enum { WAITS = 6 };
  const char *path = in_folder("watched.h5");
  const long frames = 3 * WAITS + test_count(200);
  int seen_by[2];
  assert_int_equal(pipe(seen_by), 0);
  pid_t writer = fork();
  if (writer == 0) {
    pc_record *record = pc_record_create(path, NULL);
    declare(record);
    pc_status status = pc_record_start(record);
    for (long k = 0; k < frames && status == PC_OK; k++) {
      status = append_frame(record, k);
      if (k % 3 == 0)
        pc_record_flush(record);
      char one;
      if (k % 3 == 0 && k / 3 < WAITS && read(seen_by[0], &one, 1) != 1)
        _exit(2);
      usleep(1000);
    }
    _exit(pc_record_close(record, 1, NULL) != PC_OK);
  }
  for (int i = 0; i < 10000 && !is_there(path); i++)
    usleep(1000);
  pc_reading *reading = open_reading(path);
  long seen = 0, looks = 0;
  while (pc_reading_complete(reading) == 0) {
    pc_error error = {0};
    assert_ok(pc_reading_refresh(reading, &error), &error);
    long now = frames_of(reading);
    assert_true(now >= seen);
    for (long k = seen; k < now; k++)
      check_frame(reading, k);
    if (now > seen && ++looks <= WAITS)
      assert_int_equal(write(seen_by[1], "s", 1), 1);
    seen = now;
  }
  pc_reading_close(reading);
  int status;
  waitpid(writer, &status, 0);
  close(seen_by[0]);
  close(seen_by[1]);
  assert_int_equal(status, 0);
  assert_true(looks >= WAITS); // it was watched, not just read at its end
  check_run(path, frames, 1);
}

// Stands in for the system's own: kills the process in write number `writes_left`, before it or
// when half of the bytes are written.
static long writes_left = -1;
static bool writes_half;
static long torn_frame = -1; // the process is killed so many writes after it:
static long torn_after;

ssize_t pwrite(int file, const void *data, size_t size, off_t place)
{
  if (writes_left == 0 && writes_half &&
      pwritev(file, &(struct iovec){(void *)data, size / 2}, 1, place) < 0)
    abort();
  if (writes_left == 0)
    kill(getpid(), SIGKILL);
  writes_left -= writes_left > 0;
  return pwritev(file, &(struct iovec){(void *)data, size}, 1, place);
}

// The way a run works: record, now and then a checkpoint with the lengths, resume from it.
static void run_with_checkpoints(const char *path, const char *checkpoint, long frames, int every)
{
  pc_blob blob = {.name = "record"};
  bool resumed = is_there(checkpoint);
  pc_error error = {0};
  if (resumed && (pc_checkpoint_read(checkpoint, 1, &blob, &error) != PC_OK ||
                  blob.size != MARKS * sizeof(long))) {
    fprintf(stderr, "%s\n", error.text);
    _exit(2);
  }
  long *marks = blob.data;
  pc_record *record =
      resumed ? pc_record_resume(path, MARKS, marks, &error) : pc_record_create(path, &error);
  if (record == NULL) {
    fprintf(stderr, "%s\n", error.text);
    _exit(3);
  }
  declare(record);
  pc_status status = pc_record_start(record);
  for (long k = resumed ? marks[PC_RECORD_MARKS] : 0; k < frames && status == PC_OK; k++) {
    if (k == torn_frame)
      writes_left = torn_after;
    status = append_frame(record, k);
    if (k % 3 == 2)
      status = pc_record_flush(record);
    if ((k + 1) % every == 0 && (status = pc_record_sync(record)) == PC_OK) {
      long now[MARKS];
      pc_record_marks(record, now);
      status = pc_checkpoint_write(checkpoint, 1, &(pc_blob){"record", now, sizeof now}, &error);
      if (status == PC_OK)
        status = pc_record_checkpointed(record);
    }
  }
  if (status != PC_OK)
    fprintf(stderr, "%s %s\n", pc_record_error(record), error.text);
  free(marks);
  if (pc_record_close(record, 1, NULL) != PC_OK)
    status = PC_ERROR_IO;
  _exit(status != PC_OK ? 4 : 0);
}

// What a killed run left can be read and is right.
static void check_killed(const char *path)
{
  pc_reading *reading = open_reading(path);
  for (long k = 0; k < frames_of(reading); k++)
    check_frame(reading, k);
  pc_reading_close(reading);
}

static void a_killed_run_goes_on_as_if_nothing_had_happened(void **state)
{
  pc_random random = test_random("kills");
  const char *path = in_folder("killed.h5"), *checkpoint = in_folder("killed.checkpoint");
  int kills = 0;
  for (int trial = 0; trial < test_count(2); trial++) {
    unlink(path);
    unlink(checkpoint);
    for (bool finished = false; !finished;) {
      pid_t child = fork();
      if (child == 0)
        run_with_checkpoints(path, checkpoint, 300, 17);
      if (kills < 10 * (trial + 1)) {
        usleep((useconds_t)(60000 * pc_random_uniform(&random, 0, 1)));
        kill(child, SIGKILL);
      }
      int status;
      waitpid(child, &status, 0);
      finished = WIFEXITED(status);
      if (finished)
        assert_int_equal(WEXITSTATUS(status), 0);
      kills += !finished;
      if (!finished && is_there(path))
        check_killed(path);
    }
    check_run(path, 300, 1);
  }
  printf("killed %d times\n", kills);
  assert_true(kills > 0);
}

static herr_t read_elsewhere(hid_t file, const char *name, const H5O_info_t *info, void *context)
{
  bool *fine = context;
  if (info->type != H5O_TYPE_DATASET)
    return 0;
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(dataset);
  hid_t space = H5Dget_space(dataset);
  size_t bytes = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
  void *data = malloc(bytes + 1);
  *fine = *fine && dataset >= 0 && data != NULL &&
          H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  free(data);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(dataset);
  return 0;
}

// Other programs open and read all of it, with HDF5's own driver and without a journal.
static bool is_read_elsewhere(const char *path)
{
  bool fine = true;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_metadata_read_attempts(access, 5); // the default waits for ever
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
  H5Pclose(access);
  fine =
      file >= 0 && H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_INC, read_elsewhere, &fine) >= 0 && fine;
  if (file >= 0)
    H5Fclose(file);
  return fine;
}

// Every third write of a run and of a resumed run is the last one once; each of them in long tests.
// Other programs read what is left, also while it is resumed, unless a write was cut in two.
static void a_kill_at_any_write_loses_nothing(void **state)
{
  const char *path = in_folder("write.h5"), *checkpoint = in_folder("write.checkpoint");
  const char *journal = in_folder("write.h5.journal");
  size_t size = 0, checkpoint_size = 0, journal_size = 0;
  unsigned char *start = NULL, *start_checkpoint = NULL, *start_journal = NULL;
  const int stride = test_count(3) > 3 ? 1 : 3;
  for (int resumed = 0; resumed < 2; resumed++) {
    int at = 0, kills = 0;
    for (bool finished = false; !finished; at += stride) {
      unlink(path);
      unlink(checkpoint);
      unlink(journal);
      if (resumed) { // each time from the same file, killed long after its checkpoint
        save(path, start, size);
        save(journal, start_journal, journal_size);
        save(checkpoint, start_checkpoint, checkpoint_size);
      }
      pid_t child = fork();
      if (child == 0) {
        writes_left = at;
        writes_half = at % 2 == 0;
        run_with_checkpoints(path, checkpoint, resumed ? 12 : 8, 5);
      }
      int status;
      waitpid(child, &status, 0);
      finished = WIFEXITED(status);
      if (finished)
        assert_int_equal(WEXITSTATUS(status), 0);
      else if (is_there(path))
        check_killed(path);
      if (!finished && at % 2 == 1 && is_there(path) && !is_read_elsewhere(path))
        fail_msg("%s, killed before write %d: other programs cannot read it",
                 resumed ? "resumed" : "straight", at);
      kills += !finished;
      if (!finished && !resumed && at % 2 == 1 && is_there(checkpoint)) { // the last one
        free(start);
        free(start_checkpoint);
        free(start_journal);
        start_journal = load(journal, &journal_size);
        start = load(path, &size);
        start_checkpoint = load(checkpoint, &checkpoint_size);
      }
      if (at % 15 == 0 && !finished) { // and it goes on
        child = fork();
        if (child == 0)
          run_with_checkpoints(path, checkpoint, 12, 5);
        waitpid(child, &status, 0);
        assert_int_equal(status, 0);
        check_run(path, 12, 1);
      }
    }
    printf("%s: killed at %d writes\n", resumed ? "resumed" : "straight", kills);
    assert_true(kills > 20);
  }
  free(start);
  free(start_checkpoint);
  free(start_journal);
}

// A run that was killed long after its checkpoint: its files, to be damaged.
typedef struct killed_run {
  const char *path, *checkpoint, *journal;
  unsigned char *bytes, *journal_bytes;
  size_t size, journal_size;
} killed_run;

enum { KILLED_FRAMES = 90 };

static killed_run kill_one(const char *path, const char *checkpoint, const char *journal,
                           int writes)
{
  killed_run k = {
      .path = in_folder(path), .checkpoint = in_folder(checkpoint), .journal = in_folder(journal)};
  pid_t child = fork();
  if (child == 0) {
    torn_frame = 60;
    torn_after = writes;
    writes_half = true;
    run_with_checkpoints(k.path, k.checkpoint, KILLED_FRAMES, 25);
  }
  int status;
  waitpid(child, &status, 0);
  assert_true(WIFSIGNALED(status) && is_there(k.checkpoint));
  k.bytes = load(k.path, &k.size);
  k.journal_bytes = load(k.journal, &k.journal_size);
  return k;
}

static void free_killed(killed_run *k)
{
  free(k->bytes);
  free(k->journal_bytes);
}

// It goes on and is right, or is refused and nothing is changed. True: it went on.
static bool resume_killed(const killed_run *k)
{
  size_t size, checkpoint_size;
  unsigned char *before = load(k->path, &size);
  unsigned char *checkpoint = load(k->checkpoint, &checkpoint_size);
  pid_t child = fork();
  if (child == 0) {
    fclose(stderr);
    run_with_checkpoints(k->path, k->checkpoint, KILLED_FRAMES, 25);
  }
  int status;
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3));
  if (WEXITSTATUS(status) == 0) {
    check_run(k->path, KILLED_FRAMES, 1);
  } else {
    size_t after_size;
    unsigned char *after = load(k->path, &after_size);
    assert_int_equal(after_size, size);
    assert_memory_equal(after, before, size);
    free(after);
  }
  save(k->checkpoint, checkpoint, checkpoint_size);
  free(checkpoint);
  free(before);
  return WEXITSTATUS(status) == 0;
}

static void a_damaged_journal_does_no_harm(void **state)
{
  pc_random random = test_random("journals");
  int went_on = 0, trials = test_count(15);
  for (int i = 0; i < trials; i++) {
    killed_run k =
        kill_one("cut.h5", "cut.checkpoint", "cut.h5.journal", pc_random_below(&random, 60));
    for (int damage = 0; damage < 4; damage++) {
      size_t at = (size_t)pc_random_below(&random, (int)k.journal_size);
      unsigned char other = (unsigned char)(1 << pc_random_below(&random, 8));
      save(k.path, k.bytes, k.size);
      k.journal_bytes[at] ^= other;
      save(k.journal, k.journal_bytes, damage % 2 == 0 ? at : k.journal_size);
      k.journal_bytes[at] ^= other;
      went_on += resume_killed(&k);
    }
    save(k.path, k.bytes, k.size);
    save(k.journal, k.journal_bytes, k.journal_size);
    assert_true(resume_killed(&k)); // whole
    free_killed(&k);
    unlink(k.path);
    unlink(k.checkpoint);
  }
  printf("%d of %d went on\n", went_on, 4 * trials);
}

static void files_of_another_run_are_refused(void **state)
{
  killed_run one = kill_one("a.h5", "a.checkpoint", "a.h5.journal", 7),
             two = kill_one("b.h5", "b.checkpoint", "b.h5.journal", 7);
  assert_int_equal(one.size, two.size); // the same run twice
  save(one.path, two.bytes, two.size);
  assert_false(resume_killed(&one));
  save(one.path, one.bytes, one.size);
  save(one.journal, two.journal_bytes, two.journal_size); // does not help, and does no harm
  resume_killed(&one);
  save(one.path, one.bytes, one.size);
  save(one.journal, one.journal_bytes, one.journal_size);
  assert_true(resume_killed(&one));
  write_run(two.path, KILLED_FRAMES); // a new one in its place
  unlink(two.journal);
  assert_false(resume_killed(&two));
  free_killed(&one);
  free_killed(&two);
}

static void a_stopped_run_can_be_cut_anywhere(void **state)
{
  pc_random random = test_random("cuts");
  const char *path = in_folder("cut.h5");
  for (int trial = 0; trial < test_count(4); trial++) {
    long length = (long)pc_random_uniform(&random, 0, 600);
    long cut = trial == 0   ? 0
               : trial == 1 ? length
                            : (long)pc_random_uniform(&random, 0, (double)length);
    pc_record *record = begin_run(path);
    for (long k = 0; k < length; k++)
      append_frame(record, k + 1000000); // of another run, as far as it is cut
    pc_record_close(record, 2, NULL);
    record = begin_run(path);
    for (long k = 0; k < length; k++)
      append_frame(record, k < cut ? k : k + 1000000);
    long marks[MARKS], *lengths = marks + PC_RECORD_MARKS;
    assert_int_equal(pc_record_marks(record, marks), MARKS);
    assert_int_equal(pc_record_close(record, 2, NULL), PC_OK);
    for (int s = 0; s < SERIES; s++)
      lengths[s] = cut;
    record = pc_record_resume(path, MARKS, marks, NULL);
    assert_non_null(record);
    declare(record);
    assert_int_equal(pc_record_start(record), PC_OK);
    for (long k = cut; k < cut + 100; k++)
      append_frame(record, k);
    pc_record_marks(record, marks);
    assert_int_equal(lengths[CONTACTS], cut + 100);
    assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
    check_run(path, cut + 100, 1);
  }
}

// The index of a group with many links is a heap and a tree of their own.
static void a_damaged_index_of_a_group_is_survived(void **state)
{
  const char *path = in_folder("index.h5");
  pc_record *record = pc_record_create(path, NULL);
  for (int i = 0; i < 30; i++) {
    char name[40];
    snprintf(name, sizeof name, "steps/number_%d", i);
    pc_record_add(record, name, PC_RECORD_DOUBLE, 1, 1, "a number", "m");
  }
  assert_int_equal(pc_record_start(record), PC_OK);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  static unsigned char bytes[1 << 20];
  long size = (long)fread(bytes, 1, sizeof bytes, file);
  int blocks = 0, refused = 0;
  for (long at = 0; at + 100 < size; at++) {
    if (memcmp(bytes + at, "FHDB", 4) != 0 && memcmp(bytes + at, "BTLF", 4) != 0)
      continue;
    unsigned char other = bytes[at + 40] ^ 0x55;
    blocks++;
    fseek(file, at + 40, SEEK_SET);
    fwrite(&other, 1, 1, file);
    fflush(file);
    pc_reading *reading = pc_reading_open(path, NULL);
    refused += reading == NULL;
    pc_reading_close(reading);
    fseek(file, at + 40, SEEK_SET);
    fwrite(bytes + at + 40, 1, 1, file);
    fflush(file);
  }
  fclose(file);
  assert_true(blocks > 1 && refused > 0);
  pc_reading *whole = pc_reading_open(path, NULL);
  assert_non_null(whole);
  pc_reading_close(whole);
}

static void resuming_something_else_is_refused(void **state)
{
  const char *path = in_folder("other.h5");
  pc_record *record = begin_run(path);
  for (long k = 0; k < 20; k++)
    append_frame(record, k);
  long marks[MARKS], *lengths = marks + PC_RECORD_MARKS;
  pc_record_marks(record, marks);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  for (int s = 0; s < SERIES; s++)
    lengths[s] = 10;
  record = pc_record_resume(path, 1 + PC_RECORD_MARKS, marks, NULL);
  assert_int_equal(pc_record_series(record, "steps/time", PC_RECORD_FLOAT, 1, 1), -1);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_ERROR_INPUT);
  record = pc_record_resume(path, 1 + PC_RECORD_MARKS, marks, NULL);
  assert_int_equal(pc_record_series(record, "frames/position", PC_RECORD_DOUBLE, BODIES + 1, 3),
                   -1);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_ERROR_INPUT);
  record = pc_record_resume(path, 1 + PC_RECORD_MARKS, marks, NULL);
  assert_int_equal(pc_record_series(record, "frames/unknown", PC_RECORD_DOUBLE, 1, 1), -1);
  pc_record_close(record, 1, NULL);
  record = pc_record_resume(path, 1 + PC_RECORD_MARKS, marks, NULL);
  assert_int_equal(
      pc_record_array(record, "bodies/mass", PC_RECORD_DOUBLE, 1, (long[]){BODIES + 1}, NULL),
      PC_ERROR_INPUT);
  pc_record_close(record, 1, NULL);
  record = pc_record_resume(path, MARKS - 1, marks, NULL); // one series less
  declare(record);
  assert_int_equal(pc_record_start(record), PC_ERROR_INPUT);
  pc_record_close(record, 1, NULL);
  lengths[3] = 21; // longer than the file
  record = pc_record_resume(path, MARKS, marks, NULL);
  declare(record);
  pc_error error = {0};
  assert_int_equal(pc_record_start(record), PC_ERROR_INPUT);
  assert_int_equal(pc_record_close(record, 1, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "frames/small"));
  assert_null(pc_record_resume(in_folder("missing.h5"), MARKS, marks, &error));
  assert_int_equal(error.status, PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "missing.h5 does not exist"));
  FILE *empty = fopen(in_folder("empty.h5"), "wb");
  assert_non_null(empty);
  assert_int_equal(fclose(empty), 0);
  assert_null(pc_record_resume(in_folder("empty.h5"), MARKS, marks, &error));
  assert_int_equal(error.status, PC_ERROR_INPUT);
  struct stat after;
  assert_int_equal(stat(in_folder("empty.h5"), &after), 0);
  assert_int_equal(after.st_size, 0);
}

static void nobody_writes_a_file_that_is_being_written(void **state)
{
  const char *path = in_folder("busy.h5");
  pc_record *record = begin_run(path);
  append_frame(record, 0);
  pc_error error = {0};
  assert_null(pc_record_create(path, &error));
  assert_int_equal(error.status, PC_ERROR_IO);
  assert_non_null(strstr(error.text, "another run"));
  long marks[MARKS];
  pc_record_marks(record, marks);
  assert_null(pc_record_resume(path, MARKS, marks, &error));
  assert_non_null(strstr(error.text, "another run"));
  pid_t child = fork();
  if (child == 0)
    _exit(pc_record_create(path, NULL) != NULL || pc_record_resume(path, 0, NULL, NULL) != NULL);
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  check_run(path, 1, 1);
}

static void the_old_run_stays_until_the_new_one_starts(void **state)
{
  const char *path = in_folder("old.h5");
  write_run(path, 3);
  pc_record *record = pc_record_create(path, NULL);
  declare(record);
  check_run(path, 3, 1);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK); // never started
  check_run(path, 3, 1);
  assert_false(is_there(in_folder("old.h5.new")));
  record = begin_run(path);
  check_run(path, 0, 0);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  check_run(path, 0, 1);
}

static void wrong_calls_are_refused(void **state)
{
  const char *path = in_folder("wrong.h5");
  static const char *const bad[] = {"", "/a", "a/", "a//b", ".", "a/../b"};
  for (int i = 0; i < 6; i++) {
    pc_record *record = pc_record_create(path, NULL);
    assert_int_equal(pc_record_series(record, bad[i], PC_RECORD_INT, 1, 1), -1);
    assert_int_equal(pc_record_close(record, 1, NULL), PC_ERROR_ARGUMENT);
  }
  pc_record *record = pc_record_create(path, NULL);
  pc_record_series(record, "a", PC_RECORD_INT, 1, 1);
  assert_int_equal(pc_record_append(record, 0, (int32_t[]){1}), PC_ERROR_ARGUMENT); // no start
  assert_int_equal(pc_record_start(record), PC_ERROR_ARGUMENT); // the first failure stays
  pc_record_close(record, 1, NULL);
  assert_false(is_there(path));
  record = pc_record_create(path, NULL);
  assert_int_equal(pc_record_series(record, "a", PC_RECORD_INT, 1, 1), 0);
  assert_int_equal(pc_record_series(record, "a", PC_RECORD_INT, 1, 1), -1);
  pc_error error = {0};
  assert_int_equal(pc_record_close(record, 1, &error), PC_ERROR_IO);
  assert_non_null(strstr(error.text, "wrong.h5: a: "));
  for (int after = 0; after < 4; after++) {
    record = begin_run(path);
    if (after == 0)
      assert_int_equal(pc_record_text(record, "late", "x"), PC_ERROR_ARGUMENT);
    else if (after == 1)
      assert_int_equal(pc_record_append(record, CONTACTS, NULL), PC_ERROR_ARGUMENT);
    else if (after == 2)
      assert_int_equal(pc_record_append_ragged(record, 0, 0, NULL), PC_ERROR_ARGUMENT);
    else
      assert_int_equal(pc_record_append(record, SERIES, NULL), PC_ERROR_ARGUMENT);
    assert_int_equal(pc_record_close(record, 1, NULL), PC_ERROR_ARGUMENT);
    check_run(path, 0, 0);
  }
  for (int wrong_series = 0; wrong_series < 3; wrong_series++) {
    record = pc_record_create(path, NULL);
    assert_int_equal(pc_record_series(record, "a",
                                      wrong_series == 0 ? (pc_record_type)99 : PC_RECORD_INT,
                                      wrong_series == 1 ? -1 : 1, wrong_series == 2 ? -1 : 1),
                     -1);
    assert_int_equal(pc_record_close(record, 1, NULL), PC_ERROR_ARGUMENT);
  }
  for (int wrong_array = 0; wrong_array < 5; wrong_array++) {
    static const long sizes[] = {1, 1, 1, 1, 1}, negative[] = {-1};
    static const int ranks[] = {0, 5, -1, 1, 1};
    pc_record_type type = wrong_array == 3 ? (pc_record_type)99 : PC_RECORD_INT;
    record = pc_record_create(path, NULL);
    assert_int_equal(pc_record_array(record, "a", type, ranks[wrong_array],
                                     wrong_array == 4 ? negative : sizes, (int32_t[]){1}),
                     PC_ERROR_ARGUMENT);
    assert_int_equal(pc_record_close(record, 1, &error), PC_ERROR_ARGUMENT);
    assert_says(error.text, wrong_array == 4 ? "sizes must not be negative" : "dimensions");
  }
  assert_null(pc_record_create(in_folder("no/such/folder.h5"), &error));
  assert_int_equal(error.status, PC_ERROR_IO);
  assert_non_null(strstr(error.text, strerror(ENOENT)));
}

static void reading_stays_in_its_bounds(void **state)
{
  const char *path = in_folder("bounds.h5");
  write_run(path, 5);
  pc_reading *reading = open_reading(path);
  double out[4] = {0};
  pc_error error = {0};
  static const long wrong[][2] = {{-1, 1}, {0, -1}, {5, 1}, {0, 6}, {LONG_MAX, 1}, {1, LONG_MAX}};
  for (int i = 0; i < 6; i++)
    assert_int_equal(pc_reading_rows(reading, "steps/time", wrong[i][0], wrong[i][1],
                                     PC_RECORD_DOUBLE, out, &error),
                     PC_ERROR_ARGUMENT);
  assert_int_equal(pc_reading_rows(reading, "steps/time", 5, 0, PC_RECORD_DOUBLE, out, NULL),
                   PC_OK);
  assert_int_equal(pc_reading_rows(reading, "steps", 0, 1, PC_RECORD_DOUBLE, out, NULL),
                   PC_ERROR_INPUT);
  assert_int_equal(pc_reading_rows(reading, "scene", 0, 1, PC_RECORD_DOUBLE, out, NULL),
                   PC_ERROR_INPUT);
  long size[4];
  assert_int_equal(pc_reading_size(reading, "nowhere", size), 0);
  assert_int_equal(pc_reading_frames(reading, "frame"), -1);
  assert_null(pc_reading_text(reading, "steps/time", &error));
  assert_null(pc_reading_name(reading, -1));
  assert_null(pc_reading_name(reading, 1000));
  pc_reading_close(reading);
}

// A scene without bodies: frames of nothing are frames.
static void a_series_may_have_no_rows(void **state)
{
  const char *path = in_folder("empty.h5");
  pc_record *record = pc_record_create(path, NULL);
  int series = pc_record_series(record, "frames/place", PC_RECORD_DOUBLE, 0, 3);
  assert_true(series >= 0);
  assert_int_equal(pc_record_start(record), PC_OK);
  double nothing = 0;
  for (int k = 0; k < 2; k++)
    assert_int_equal(pc_record_append(record, series, &nothing), PC_OK);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  pc_reading *reading = open_reading(path);
  long size[4] = {0};
  assert_int_equal(pc_reading_size(reading, "frames/place", size), 3);
  assert_true(size[0] == 2 && size[1] == 0 && size[2] == 3);
  assert_int_equal(pc_reading_frames(reading, "frames"), 2);
  pc_reading_close(reading);
}

// The system may interrupt a read by a signal, and may give less than was asked for.
static void reads_are_repeated_until_they_are_whole(void **state)
{
  const char *path = in_folder("interrupted.h5");
  write_run(path, 20);
  interrupts = true;
  check_run(path, 20, 1);
  interrupts = false;
  assert_true(interruptions > 10 && short_reads > 10);
}

static void what_is_no_run_is_refused(void **state)
{
  const char *path = in_folder("none.h5");
  pc_error error = {0};
  assert_null(pc_reading_open(path, &error));
  assert_int_equal(error.status, PC_ERROR_IO);
  save(path, "hello", 5);
  assert_null(pc_reading_open(path, &error));
  assert_int_equal(error.status, PC_ERROR_INPUT);
  save(path, "", 0);
  assert_null(pc_reading_open(path, &error));
  assert_null(pc_reading_open(folder, &error));
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  for (int k = 0; k < 2; k++) { // of HDF5's first format, then of that of runs
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Fclose(file);
    assert_null(pc_reading_open(path, &error));
    assert_non_null(strstr(error.text, "not a run"));
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  }
  H5Pclose(access);
  // Files that were cut off somewhere: an error or less to see, never a crash.
  assert_null(pc_record_create(path, &error)); // nobody's run
  assert_non_null(strstr(error.text, "exists and is not the record of a run"));
  assert_int_equal(unlink(path), 0);
  write_run(path, 10);
  size_t size;
  unsigned char *bytes = load(path, &size);
  for (size_t part = 0; part < size; part += size / (size_t)test_count(150) + 1) {
    save(path, bytes, part);
    pc_reading *reading = pc_reading_open(path, NULL);
    double out[BODIES * 3];
    for (long k = 0; k < 10 && reading != NULL; k++)
      pc_reading_rows(reading, "frames/position", k, 1, PC_RECORD_DOUBLE, out, NULL);
    pc_reading_close(reading);
  }
  free(bytes);
}

// From here on no file of this process grows beyond so many bytes; 0: no limit.
static void limit_files(rlim_t bytes)
{
  struct rlimit limit;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  limit.rlim_cur = bytes > 0 ? bytes : limit.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// A run without arrays. True: it has started.
static bool write_plain_run(const char *path, pc_error *error)
{
  bool started = false;
  pc_record *record = pc_record_create(path, error);
  if (record == NULL)
    return false;
  pc_record_text(record, "scene", "x");
  for (int s = 0; s < CONTACTS; s++)
    pc_record_series(record, kinds[s].name, kinds[s].type, kinds[s].rows, kinds[s].columns);
  pc_record_ragged(record, "contacts", COLUMNS, contact_columns);
  started = pc_record_start(record) == PC_OK;
  for (long k = 0; k < 40 && started; k++) {
    append_frame(record, k);
    if (k % 8 == 7)
      pc_record_flush(record);
  }
  pc_record_close(record, 1, error);
  return started;
}

static void a_full_disk_is_reported_and_survived(void **state)
{
  const char *path = in_folder("full.h5");
  pc_error none = {0};
  assert_true(write_plain_run(path, &none) && none.status == PC_OK);
  struct stat whole;
  assert_int_equal(stat(path, &whole), 0);
  int failed_before = 0, failed_after = 0;
  const int limits = 10 + test_count(20); // some fail before the start, some after
  for (int i = 1; i < limits; i++) {
    write_run(path, 1);
    limit_files((rlim_t)(whole.st_size * i / limits * i / limits));
    pc_error error = {0};
    bool started = write_plain_run(path, &error);
    limit_files(0);
    assert_int_equal(error.status, PC_ERROR_IO);
    assert_non_null(strstr(error.text, "full.h5"));
    assert_non_null(strstr(error.text, strerror(EFBIG)));
    assert_null(strchr(error.text, '\n'));
    assert_false(is_there(in_folder("full.h5.new")));
    failed_before += !started;
    failed_after += started;
    if (!started) {
      check_run(path, 1, 1);
      continue;
    }
    pc_reading *reading = open_reading(path); // as if it had been killed
    assert_int_equal(pc_reading_complete(reading), 0);
    for (long k = 0; k < frames_of(reading); k++)
      check_frame(reading, k);
    pc_reading_close(reading);
  }
  printf("failed %d times before the start, %d times after\n", failed_before, failed_after);
  assert_true(failed_before > 0 && failed_after > 0);
}

// A file system of 256 KiB, where the machine lets a process make its own.
static int fill_small_disk(const char *place)
{
  if (!own_mounts() || mkdir(place, 0700) != 0 ||
      mount("none", place, "tmpfs", 0, "size=256k") != 0)
    return 77;
  char path[160];
  snprintf(path, sizeof path, "%s/run.h5", place);
  pc_error error = {0};
  pc_record *record = begin_run(path);
  for (long k = 0; k < 1000; k++)
    append_frame(record, k);
  if (pc_record_close(record, 1, &error) != PC_ERROR_IO ||
      strstr(error.text, strerror(ENOSPC)) == NULL)
    return 1;
  pc_reading *reading = pc_reading_open(path, &error);
  int complete = reading != NULL ? pc_reading_complete(reading) : 1;
  pc_reading_close(reading);
  // A checkpoint that does not fit leaves the old one.
  snprintf(path, sizeof path, "%s/checkpoint", place);
  static char much[1 << 20];
  if (pc_checkpoint_write(path, 1, &(pc_blob){"much", much, sizeof much}, &error) != PC_ERROR_IO ||
      strstr(error.text, strerror(ENOSPC)) == NULL)
    return 2;
  return complete == 0 ? 0 : 3;
}

static void no_space_left_is_said_in_words(void **state)
{
  pid_t child = fork();
  if (child == 0)
    _exit(fill_small_disk(in_folder("disk")));
  int status;
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77)
    skip();
  assert_int_equal(WEXITSTATUS(status), 0);
}

static void checkpoints_come_back(void **state)
{
  pc_random random = test_random("checkpoints");
  const char *path = in_folder("checkpoint");
  for (int trial = 0; trial < test_count(20); trial++) {
    unsigned char data[3][5000];
    pc_blob blobs[3] = {{"state", data[0], 0}, {"", data[1], 0}, {"state2", data[2], 0}};
    for (int i = 0; i < 3; i++) {
      blobs[i].size = trial == 0 ? 0 : (size_t)pc_random_uniform(&random, 0, 5000);
      for (size_t b = 0; b < blobs[i].size; b++)
        data[i][b] = (unsigned char)pc_random_uniform(&random, 0, 256);
    }
    assert_int_equal(pc_checkpoint_write(path, 3, blobs, NULL), PC_OK);
    pc_blob back[3] = {{.name = "state2"}, {.name = "state"}, {.name = ""}};
    assert_int_equal(pc_checkpoint_read(path, 3, back, NULL), PC_OK);
    static const int order[3] = {2, 0, 1};
    for (int i = 0; i < 3; i++) {
      assert_int_equal(back[i].size, blobs[order[i]].size);
      assert_memory_equal(back[i].data, data[order[i]], back[i].size);
      free(back[i].data);
    }
  }
  assert_false(is_there(in_folder("checkpoint.tmp")));
  pc_blob missing[2] = {{.name = "state"}, {.name = "stat"}};
  pc_error error = {0};
  assert_int_equal(pc_checkpoint_read(path, 2, missing, &error), PC_ERROR_INPUT);
  assert_null(missing[0].data);
  assert_non_null(strstr(error.text, "'stat'"));
  assert_int_equal(pc_checkpoint_read(in_folder("nothing"), 1, missing, &error), PC_ERROR_IO);
  assert_int_equal(pc_checkpoint_write(in_folder("no/where"), 0, NULL, &error), PC_ERROR_IO);
}

static void damaged_checkpoints_are_found(void **state)
{
  pc_random random = test_random("damage");
  const char *path = in_folder("damaged");
  unsigned char data[700];
  for (size_t i = 0; i < sizeof data; i++)
    data[i] = (unsigned char)pc_random_uniform(&random, 0, 256);
  pc_blob blobs[2] = {{"lengths", data, 100}, {"bodies", data, sizeof data}};
  assert_int_equal(pc_checkpoint_write(path, 2, blobs, NULL), PC_OK);
  size_t size;
  unsigned char *bytes = load(path, &size);
  for (size_t part = 0; part < size; part++) {
    save(path, bytes, part);
    assert_int_equal(pc_checkpoint_read(path, 2, blobs, NULL), PC_ERROR_INPUT);
  }
  for (int trial = 0; trial < test_count(3000); trial++) {
    int flips = 1 + (int)pc_random_uniform(&random, 0, 4);
    unsigned char *broken = malloc(size);
    memcpy(broken, bytes, size);
    for (int i = 0; i < flips; i++)
      broken[(size_t)pc_random_uniform(&random, 0, (double)size)] ^=
          (unsigned char)(1 << (int)pc_random_uniform(&random, 0, 8));
    bool same = memcmp(broken, bytes, size) == 0; // two flips of one bit
    save(path, broken, size);
    free(broken);
    assert_int_equal(pc_checkpoint_read(path, 2, blobs, NULL), same ? PC_OK : PC_ERROR_INPUT);
    for (int i = 0; i < 2; i++)
      free(blobs[i].data);
  }
  free(bytes);
}

static void a_checkpoint_that_fails_leaves_the_old_one(void **state)
{
  const char *path = in_folder("kept");
  static char large[20000];
  assert_int_equal(pc_checkpoint_write(path, 1, &(pc_blob){"a", "old", 3}, NULL), PC_OK);
  limit_files(5000);
  pc_error error = {0};
  pc_status status = pc_checkpoint_write(path, 1, &(pc_blob){"a", large, sizeof large}, &error);
  limit_files(0);
  assert_int_equal(status, PC_ERROR_IO);
  assert_non_null(strstr(error.text, strerror(EFBIG)));
  assert_false(is_there(in_folder("kept.tmp")));
  pc_blob back = {.name = "a"};
  assert_int_equal(pc_checkpoint_read(path, 1, &back, NULL), PC_OK);
  assert_memory_equal(back.data, "old", 3);
  free(back.data);
}

static void numbers_come_back_from_text(void **state)
{
  pc_random random = test_random("numbers");
  char text[PC_CSV_NUMBER];
  for (int i = 0; i < test_count(20000); i++) {
    uint64_t bits = mix(7, (uint64_t)i, (uint64_t)pc_random_uniform(&random, 0, 1e9));
    double value, back;
    memcpy(&value, &bits, 8);
    int length = pc_csv_number(value, text);
    assert_int_equal(length, (int)strlen(text));
    back = strtod(text, NULL);
    if (isnan(value))
      assert_true(isnan(back));
    else
      assert_memory_equal(&value, &back, 8);
  }
  pc_csv_number(0.1, text);
  assert_string_equal(text, "0.1");
  pc_csv_number(-0.0, text);
  assert_string_equal(text, "-0");
  pc_csv_number(5e-324, text);
  assert_true(strtod(text, NULL) == 5e-324);
}

static const pc_own table_own = {"a table of these tests", {{"time,step", NULL}, {"x\n", NULL}}};

static void tables_can_be_cut_and_go_on(void **state)
{
  const char *path = in_folder("table.csv");
  static const char *const names[] = {"time", "step [1]"};
  pc_csv *table = pc_csv_create(path, &table_own, 2, names, NULL);
  pc_csv_mark mark = {0};
  for (int i = 0; i < 10000; i++) {
    if (i == 6000)
      mark = pc_csv_marked(table);
    assert_int_equal(pc_csv_append(table, (double[]){i * 0.1, i}, NULL), PC_OK);
  }
  assert_int_equal(pc_csv_close(table, NULL), PC_OK);
  size_t size, again_size;
  char *once = (char *)load(path, &size);
  assert_memory_equal(once, "time,step\n0,0\n0.1,1\n", 20);
  table = pc_csv_resume(path, 2, mark, NULL);
  for (int i = 6000; i < 10000; i++)
    pc_csv_append(table, (double[]){i * 0.1, i}, NULL);
  assert_int_equal(pc_csv_marked(table).length, size);
  assert_int_equal(pc_csv_close(table, NULL), PC_OK);
  char *again = (char *)load(path, &again_size);
  assert_int_equal(again_size, size);
  assert_memory_equal(again, once, size);
  free(once);
  free(again);

  pc_error error = {0};
  assert_null(pc_csv_resume(path, 2, (pc_csv_mark){(long)size + 1, mark.sum}, &error));
  assert_int_equal(error.status, PC_ERROR_INPUT);
  once = (char *)load(path, &size);
  once[mark.length / 2] ^= 1; // of another run
  save(path, once, size);
  assert_null(pc_csv_resume(path, 2, mark, &error));
  assert_int_equal(error.status, PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "does not belong to its checkpoint"));
  free(once);
  limit_files(70000);
  table = pc_csv_create(path, &table_own, 2, names, &error);
  pc_status status = PC_OK;
  for (int i = 0; i < 10000; i++)
    status = pc_csv_append(table, (double[]){i * 0.1, i}, &error);
  assert_int_equal(status, PC_ERROR_IO);
  assert_int_equal(pc_csv_close(table, NULL), PC_ERROR_IO);
  limit_files(0);
  assert_non_null(strstr(error.text, strerror(EFBIG)));
}

// No blank, bracket or other sign that a program may stumble over; what a name is without them is
// worked out by hand.
static void names_of_columns_are_plain(void **state)
{
  static const char *const names[][2] = {
      {"time", "time"},
      {"fence force", "fence_force"},
      {"k [kg]", "k"},
      {"after [m/s]", "after"},
      {"ball/vx", "ball/vx"},
      {"a, b (top)  c", "a_b_top_c"},
      {" x ", "x"},
      {"\xce\xb7 [1]", "\xce\xb7"},
      {"say \"no\"", "say_no"},
      {"a_", "a_"},
      {"[]", ""},
  };
  for (int i = 0; i < PC_COUNT(names); i++) {
    char text[PC_CSV_NAME];
    assert_string_equal(pc_csv_name(names[i][0], text), names[i][1]);
    assert_true(pc_csv_is_name(names[i][0], names[i][1]));
  }
  assert_false(pc_csv_is_name("time", "times"));
}

// A table of this version and one of an earlier one: units in its head, none beside.
static void columns_are_read_by_their_names(void **state)
{
  static const char *const heads[] = {"time,fence_force", "time [s],fence force [N]"};
  const char *path = in_folder("columns.csv"), *beside = in_folder("columns-units.csv");
  for (int i = 0; i < 2; i++) {
    char text[100];
    snprintf(text, sizeof text, "%s\n0,1\n0.5,-2\n", heads[i]);
    save(path, text, strlen(text));
    double *values;
    long rows;
    pc_csv_column column[] = {{.name = "fence force"}, {.name = "time"}};
    assert_int_equal(pc_csv_read(path, 2, column, &values, &rows, NULL), PC_OK);
    assert_int_equal(rows, 2);
    assert_memory_equal(values, ((double[]){1, 0, -2, 0.5}), 4 * sizeof(double));
    free(values);
  }
  pc_error error = {0};
  pc_replace *file = pc_units_begin(beside, &error);
  assert_non_null(file);
  pc_units_add(file, "run", "time", "s");
  pc_units_add(file, "run", "fence force", "N");
  pc_units_add_head(file, "maps", "fence force [N/m],level");
  assert_int_equal(pc_replace_end(file, &error), PC_OK);
  size_t size;
  char *text = (char *)load(beside, &size);
  static const char *const wanted = "table,column,unit\nrun,time,s\nrun,fence_force,N\n"
                                    "maps,fence_force,N/m\nmaps,level,\n";
  assert_int_equal(size, strlen(wanted));
  assert_memory_equal(text, wanted, size);
  free(text);
  pc_csv_column column[] = {{.name = "fence force"}, {.name = "other"}};
  assert_int_equal(pc_units_read(beside, "run", 2, column, &error), PC_OK);
  assert_string_equal(column[0].unit, "N");
  assert_string_equal(column[1].unit, "");
  assert_int_equal(pc_units_read(in_folder("none.csv"), "run", 2, column, &error), PC_OK);
  assert_string_equal(column[0].unit, "");
}

static void a_table_has_one_writer_and_its_place(void **state)
{
  pc_error error = {.text = ""};
  const char *path = in_folder("place.csv"), *names[] = {"x"};
  pc_csv *table = pc_csv_create(path, &table_own, 1, names, &error);
  assert_non_null(table);
  assert_null(pc_csv_create(path, &table_own, 1, names, &error));
  assert_non_null(strstr(error.text, "another run is writing this file"));
  assert_null(pc_csv_resume(path, 1, pc_csv_marked(table), &error));
  assert_int_equal(pc_csv_append(table, &(double){1}, &error), PC_OK);
  assert_int_equal(pc_csv_sync(table, &error), PC_OK);
  struct stat there;
  assert_int_equal(stat(path, &there), 0);
  assert_int_equal(there.st_size, strlen("x\n1\n"));
  assert_int_equal(unlink(path), 0);
  pc_csv *other = pc_csv_create(path, &table_own, 1, names, &error);
  assert_non_null(other);
  assert_int_equal(pc_csv_sync(table, &error), PC_ERROR_IO);
  assert_non_null(strstr(error.text, "place.csv: removed or replaced"));
  assert_int_equal(pc_csv_close(table, NULL), PC_ERROR_IO);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(pc_csv_close(other, NULL), PC_ERROR_IO);
  assert_null(pc_csv_create("/dev/null", &table_own, 1, names, &error));
  assert_string_equal(error.text, "/dev/null: not a regular file");
}

// Tags must nest; no stray < or &. Returns the number of elements.
static int check_nesting(const char *text)
{
  char open[32][32];
  int depth = 0, elements = 0;
  assert_memory_equal(text, "<?xml", 5);
  text = strstr(text, "?>") + 2;
  for (; *text != 0; text++) {
    if (*text == '&')
      assert_true(strncmp(text, "&amp;", 5) == 0 || strncmp(text, "&lt;", 4) == 0 ||
                  strncmp(text, "&gt;", 4) == 0 || strncmp(text, "&quot;", 6) == 0);
    assert_true(*text != '>');
    if (*text != '<')
      continue;
    bool closing = text[1] == '/';
    char name[32] = {0};
    assert_int_equal(sscanf(text + 1 + closing, "%31[A-Za-z]", name), 1);
    const char *end = strchr(text, '>');
    assert_non_null(end);
    if (closing)
      assert_string_equal(open[--depth], name);
    else if (end[-1] != '/')
      strcpy(open[depth++], name);
    elements += !closing;
    assert_true(depth >= 0 && depth < 32);
    text = end;
  }
  assert_int_equal(depth, 0);
  return elements;
}

// The hyperslab of frame k read the way XDMF means it must be the frame.
static void check_slab(const char *text, const char *dataset, long k, int rank, const long *size)
{
  char want[200], part[64];
  int length =
      snprintf(want, sizeof want, "<DataItem Dimensions=\"3 %d\" Format=\"XML\">%ld", rank, k);
  for (int i = 1; i < rank; i++)
    length += snprintf(want + length, sizeof want - (size_t)length, " 0");
  for (int i = 0; i < rank; i++)
    length += snprintf(want + length, sizeof want - (size_t)length, " 1");
  length += snprintf(want + length, sizeof want - (size_t)length, " 1");
  for (int i = 1; i < rank; i++)
    length += snprintf(want + length, sizeof want - (size_t)length, " %ld", size[i]);
  snprintf(part, sizeof part, "xdmf&amp;.h5:/%s<", dataset);
  int found = 0;
  for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
    const char *item = at; // the selection stands before the dataset, two items back
    for (int back = 0; back < 2; back++)
      for (item--; strncmp(item, "<DataItem", 9) != 0; item--)
        assert_true(item > text);
    if (strncmp(item, want, strlen(want)) == 0 && item[strlen(want)] == '<')
      found++;
  }
  assert_int_equal(found, 1);
}

static void xdmf_points_at_every_frame(void **state)
{
  const char *path = in_folder("xdmf.xdmf");
  const double times[3] = {0, 0.1, 0.25};
  for (int points = 1; points <= BODIES; points += BODIES - 1) {
    pc_xdmf all = {.data = "xdmf&.h5",
                   .points = points,
                   .frames = 3,
                   .times = times,
                   .position = {"position", "frames/position", PC_RECORD_DOUBLE, 3, false},
                   .index = "bodies/index",
                   .attribute_count = 4,
                   .attributes = {{"velo<city", "frames/velocity", PC_RECORD_DOUBLE, 3, false},
                                  {"orientation", "frames/orientation", PC_RECORD_FLOAT, 4, false},
                                  {"speed", "frames/speed", PC_RECORD_DOUBLE, 1, false},
                                  {"material", "bodies/material", PC_RECORD_INT, 1, true}}};
    assert_int_equal(pc_xdmf_write(path, &all, NULL), PC_OK);
    size_t length;
    char *text = (char *)load(path, &length);
    // Xdmf, Domain, Grid; in a frame Grid, Time, Topology, Geometry, 4 Attributes, 1 + 4 * 3 + 1
    // items
    assert_int_equal(check_nesting(text), 3 + 3 * (4 + 4 + 14));
    assert_non_null(strstr(text, "<Time Value=\"0.25\"/>"));
    assert_non_null(strstr(text, "Name=\"velo&lt;city\" AttributeType=\"Vector\" Center=\"Node\""));
    for (long k = 0; k < 3; k++) {
      long many[3] = {3, points, 3}, four[3] = {3, points, 4}, one[2] = {3, points};
      long single[2] = {3, 3}, single_four[2] = {3, 4};
      check_slab(text, "frames/position", k, points > 1 ? 3 : 2, points > 1 ? many : single);
      check_slab(text, "frames/velocity", k, points > 1 ? 3 : 2, points > 1 ? many : single);
      check_slab(text, "frames/orientation", k, points > 1 ? 3 : 2,
                 points > 1 ? four : single_four);
      check_slab(text, "frames/speed", k, points > 1 ? 2 : 1, one);
    }
    free(text);
  }
  if (system("command -v xmllint >/dev/null 2>&1") == 0) {
    char command[200];
    snprintf(command, sizeof command, "xmllint --noout '%s'", path);
    assert_int_equal(system(command), 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(names_are_an_array_of_texts),
      cmocka_unit_test(series_of_a_rhythm_are_appended_from_where_their_data_is),
      cmocka_unit_test(equal_runs_give_equal_files),
      cmocka_unit_test(flushes_change_nothing),
      cmocka_unit_test(many_series_are_flushed_in_parts),
      cmocka_unit_test(a_run_can_be_read_by_its_own_process),
      cmocka_unit_test(a_watcher_sees_only_whole_frames),
      cmocka_unit_test(a_killed_run_goes_on_as_if_nothing_had_happened),
      cmocka_unit_test(a_kill_at_any_write_loses_nothing),
      cmocka_unit_test(a_damaged_journal_does_no_harm),
      cmocka_unit_test(files_of_another_run_are_refused),
      cmocka_unit_test(a_stopped_run_can_be_cut_anywhere),
      cmocka_unit_test(a_damaged_index_of_a_group_is_survived),
      cmocka_unit_test(resuming_something_else_is_refused),
      cmocka_unit_test(nobody_writes_a_file_that_is_being_written),
      cmocka_unit_test(the_old_run_stays_until_the_new_one_starts),
      cmocka_unit_test(wrong_calls_are_refused),
      cmocka_unit_test(reading_stays_in_its_bounds),
      cmocka_unit_test(a_series_may_have_no_rows),
      cmocka_unit_test(reads_are_repeated_until_they_are_whole),
      cmocka_unit_test(what_is_no_run_is_refused),
      cmocka_unit_test(a_full_disk_is_reported_and_survived),
      cmocka_unit_test(no_space_left_is_said_in_words),
      cmocka_unit_test(checkpoints_come_back),
      cmocka_unit_test(damaged_checkpoints_are_found),
      cmocka_unit_test(a_checkpoint_that_fails_leaves_the_old_one),
      cmocka_unit_test(numbers_come_back_from_text),
      cmocka_unit_test(tables_can_be_cut_and_go_on),
      cmocka_unit_test(names_of_columns_are_plain),
      cmocka_unit_test(columns_are_read_by_their_names),
      cmocka_unit_test(a_table_has_one_writer_and_its_place),
      cmocka_unit_test(xdmf_points_at_every_frame),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
