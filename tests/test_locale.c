// A host program has a locale with decimal commas, where also letters are others, and its threads
// change it while others run scenes: whatever is written is what the "C" locale gives, byte for
// byte.
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>

#include "core/error.h"
#include "core/written.h"
#include "folder.h"
#include "percuss/report.h"
#include "percuss/run.h"
#include "percuss/runs.h"
#include "percuss/validate.h"
#include "same.h"

// The first has a multibyte encoding; in the second an i in capitals is no
// I, and bytes above 127 are letters.
static const char *const locales[] = {"de_DE.UTF-8", "tr_TR.ISO-8859-9"};
enum { LOCALES = 2 };

static const char *const motions[] = {"rigid", "systems", "crowd", "chain", "motion", "alloy"};
static const char *const ensembles[] = {"sweep", "figure"};
enum { MOTIONS = 6, ENSEMBLES = 2 };

static int make_folder_and_locales(void **state)
{
  setenv("LOCPATH", TEST_LOCALES, 1);
  for (int i = 0; i < LOCALES; i++) {
    if (setlocale(LC_ALL, locales[i]) == NULL) {
      printf("there is no locale %s in %s\n", locales[i], TEST_LOCALES);
      return 1;
    }
    char text[20];
    (snprintf)(text, sizeof text, "%.1f", 2.5);
    if (strcmp(text, "2,5") != 0)
      return 1;
  }
  setlocale(LC_ALL, "C");
  return make_folder(state);
}

static void scene_path(const char *name, char path[300])
{
  snprintf(path, 300, "%s/%s.yaml", TEST_SCENES, name);
}

// Runs into FOLDER/NAME.h5 and gives whether all went well; may be called by any thread.
static bool run_motion(const char *to, const char *name, pc_error *error)
{
  char path[300], output[300];
  scene_path(name, path);
  snprintf(output, sizeof output, "%s/%s.h5", to, name);
  pc_scene scene;
  if (pc_scene_read(path, &scene, error) != PC_OK)
    return false;
  pc_run_summary summary;
  pc_status status = pc_run_scene(&scene, &(pc_run_options){.output = output}, &summary, error);
  pc_scene_free(&scene);
  return status == PC_OK;
}

static bool run_ensemble(const char *to, const char *name, pc_error *error)
{
  char path[300], output[300];
  scene_path(name, path);
  snprintf(output, sizeof output, "%s/%s.h5", to, name);
  pc_scene scene;
  if (pc_scene_read(path, &scene, error) != PC_OK)
    return false;
  pc_runs *runs = pc_runs_create(&scene, error);
  pc_runs_options options = {.output = output, .threads = 2};
  bool good = runs != NULL && pc_runs_run(runs, &options, error) == PC_OK;
  pc_runs_destroy(runs);
  pc_scene_free(&scene);
  return good;
}

// A page about the crowd, and about the crowd with wider exits.
static bool report_on(const char *to, pc_error *error)
{
  char path[300], output[300], record[300];
  scene_path("crowd", path);
  snprintf(output, sizeof output, "%s/page.html", to);
  snprintf(record, sizeof record, "%s/crowd.h5", to);
  const char *scene = path, *run = record;
  pc_report_options options = {.output = output, .widen = 0.2, .threads = 2};
  if (pc_run_report(1, &scene, &options, NULL, error) != PC_OK)
    return false;
  snprintf(output, sizeof output, "%s/page-of-run.html", to);
  options.widen = 0;
  return pc_run_report(1, &run, &options, NULL, error) == PC_OK;
}

static bool run_all(const char *to, pc_error *error)
{
  bool good = mkdir(to, 0777) == 0;
  for (int i = 0; i < MOTIONS && good; i++)
    good = run_motion(to, motions[i], error);
  for (int i = 0; i < ENSEMBLES && good; i++)
    good = run_ensemble(to, ensembles[i], error);
  return good && report_on(to, error);
}

static bool ends_with(const char *name, const char *end)
{
  size_t length = strlen(name), n = strlen(end);
  return length >= n && strcmp(name + length - n, end) == 0;
}

// Whether all files of two folders are the same. Checkpoints have times in them, and are gone when
// a run has finished. Gives the number of files, -1 if there is a difference.
static int same_folders(const char *one, const char *two, char why[SAME_WHY])
{
  DIR *all = opendir(one);
  int count = 0;
  for (struct dirent *entry; count >= 0 && all != NULL && (entry = readdir(all)) != NULL;) {
    if (entry->d_name[0] == '.' || ends_with(entry->d_name, ".checkpoint"))
      continue;
    char a[600], b[600];
    snprintf(a, sizeof a, "%s/%s", one, entry->d_name);
    snprintf(b, sizeof b, "%s/%s", two, entry->d_name);
    bool same = ends_with(a, ".h5") ? same_runs(a, b, why) > 0 : same_bytes(a, b, why);
    count = same ? count + 1 : -1;
  }
  if (all != NULL)
    closedir(all);
  return count;
}

static void files_are_those_of_the_c_locale(void **state)
{
  pc_error error = {.text = ""};
  char plain[300], other[300], why[SAME_WHY] = "";
  snprintf(plain, sizeof plain, "%s/plain", folder);
  if (!run_all(plain, &error))
    fail_msg("%s", error.text);
  for (int i = 0; i < LOCALES; i++) {
    snprintf(other, sizeof other, "%s/%s", folder, locales[i]);
    assert_non_null(setlocale(LC_ALL, locales[i]));
    bool good = run_all(other, &error);
    char text[20]; // the host's own locale is as it was
    (snprintf)(text, sizeof text, "%.1f", 2.5);
    setlocale(LC_ALL, "C");
    if (!good)
      fail_msg("%s: %s", locales[i], error.text);
    assert_string_equal(text, "2,5");
    int files = same_folders(plain, other, why);
    if (files < 0)
      fail_msg("%s", why);
    printf("%s: %d files\n", locales[i], files);
    assert_true(files >= 20);
  }
}

static void messages_have_decimal_points(void **state)
{
  for (int i = 0; i < LOCALES; i++) {
    assert_non_null(setlocale(LC_ALL, locales[i]));
    pc_error error;
    pc_fail(&error, PC_ERROR_INPUT, "%g", 2.5);
    bool has_point = strcmp(error.text, "2.5") == 0;
    pc_scene scene;
    pc_status status =
        pc_scene_parse("x.yaml", "kind: rigid\nduration: -0.25\nstep: 0.5\n", &scene, &error);
    setlocale(LC_ALL, "C");
    assert_true(has_point);
    assert_int_equal(status, PC_ERROR_INPUT);
    assert_says(error.text, "-0.25");
    assert_null(strchr(error.text, ','));
  }
}

// All that rows say, one after the other. The caller's function finds its locale as it was.
typedef struct rows {
  const char *half; // of the locale
  pc_written text;
} rows;

static void note_row(const pc_validation *row, void *context)
{
  rows *all = context;
  char half[20];
  (snprintf)(half, sizeof half, "%.1f", 0.5);
  assert_string_equal(half, all->half);
  fprintf(all->text.to, "%s %s %.17g %s\n", row->id, row->quantity, row->computed, row->note);
}

static char *rows_in(const char *locale, const char *half)
{
  static const char *const ids[] = {"continuum.patch", "rigid.slope", "rigid.bounce"};
  rows all = {.half = half};
  pc_error error = {.text = ""};
  assert_true(pc_written_begin(&all.text));
  assert_non_null(setlocale(LC_ALL, locale));
  pc_status status = pc_validate(ids, 3, true, note_row, &all, &error);
  setlocale(LC_ALL, "C");
  assert_ok(status, &error);
  return pc_written_end(&all.text);
}

static void published_results_are_those_of_the_c_locale(void **state)
{
  char *plain = rows_in("C", "0.5");
  assert_non_null(plain);
  assert_says(plain, "rigid.slope");
  for (int i = 0; i < LOCALES; i++) {
    char *text = rows_in(locales[i], "0,5");
    assert_non_null(text);
    assert_string_equal(text, plain);
    free(text);
  }
  free(plain);
}

// Numbers, there and back.
static void numbers_survive(pc_random *random, int count)
{
  for (int i = 0; i < count; i++) {
    double value = pc_random_normal(random) * exp(pc_random_uniform(random, -600, 600));
    char text[PC_EXACT_TEXT], rounded[60];
    pc_print_exact(value, text);
    char *end;
    assert_true(pc_read_double(text, &end) == value && *end == 0);
    pc_print(rounded, sizeof rounded, "%.17g", value);
    assert_true(pc_read_double(rounded, &end) == value && *end == 0);
    assert_null(strchr(rounded, ','));
  }
}

static void numbers_survive_every_locale(void **state)
{
  pc_random random = test_random("numbers");
  for (int i = 0; i < LOCALES; i++) {
    setlocale(LC_ALL, locales[i]);
    numbers_survive(&random, test_count(10000));
  }
  setlocale(LC_ALL, "C");
}

static void characters_are_ascii(void **state)
{
  for (int i = 0; i < LOCALES; i++) {
    setlocale(LC_ALL, locales[i]);
    for (int c = -128; c < 128; c++) {
      bool capital = c >= 'A' && c <= 'Z', small = c >= 'a' && c <= 'z';
      assert_int_equal(pc_is_letter((char)c), capital || small);
      assert_int_equal(pc_is_space((char)c), c == ' ' || (c >= 9 && c <= 13));
      assert_int_equal(pc_is_control((char)c), (c >= 0 && c < 32) || c == 127);
      assert_int_equal(pc_to_lower((char)c), (char)(capital ? c + 32 : c));
      assert_int_equal(pc_to_upper((char)c), (char)(small ? c - 32 : c));
    }
    assert_true(pc_is_same_word("MULTIpolygon", "multiPOLYGON"));
    assert_false(pc_is_same_word("multi", "multip"));
    assert_false(pc_is_same_word("multip", "multi"));
    assert_true(pc_begins_with_word("NoData_value", "nodata"));
    assert_false(pc_begins_with_word("no", "nodata"));
  }
  setlocale(LC_ALL, "C");
}

// Threads.
static atomic_bool over;
static atomic_long changes;

static void *change_locale(void *context)
{
  static const char *const names[] = {"C", "de_DE.UTF-8", "tr_TR.ISO-8859-9"};
  for (int i = *(int *)context; !over; i++) {
    setlocale(LC_ALL, names[i % 3]);
    atomic_fetch_add(&changes, 1);
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL); // leaves the processor to the others
  }
  return NULL;
}

typedef struct worker {
  int number, rounds;
  bool good;
  char why[SAME_WHY];
} worker;

static void *work(void *context)
{
  worker *w = context;
  pc_random random;
  pc_random_seed(&random, (uint64_t)w->number);
  w->good = true;
  for (int round = 0; round < w->rounds && w->good; round++) {
    char to[300], plain[300];
    pc_error error = {.text = ""};
    snprintf(to, sizeof to, "%s/thread-%d-%d", folder, w->number, round);
    snprintf(plain, sizeof plain, "%s/plain", folder);
    w->good = run_all(to, &error);
    if (!w->good)
      snprintf(w->why, sizeof w->why, "%s", error.text);
    w->good = w->good && same_folders(plain, to, w->why) > 0;
    for (int i = 0; i < 1000 && w->good; i++) {
      double value = pc_random_normal(&random);
      char text[PC_EXACT_TEXT];
      pc_print_exact(value, text);
      w->good = pc_read_double(text, NULL) == value && strchr(text, ',') == NULL;
    }
  }
  return NULL;
}

static void threads_may_change_the_locale(void **state)
{
  enum { WORKERS = 3, CHANGERS = 2 };
  pthread_t worker_thread[WORKERS], changer_thread[CHANGERS];
  worker workers[WORKERS] = {0};
  int first[CHANGERS] = {0, 1};
  over = false;
  for (int i = 0; i < CHANGERS; i++)
    assert_int_equal(pthread_create(&changer_thread[i], NULL, change_locale, &first[i]), 0);
  for (int i = 0; i < WORKERS; i++) {
    workers[i] = (worker){.number = i, .rounds = test_count_long(2, 100)};
    assert_int_equal(pthread_create(&worker_thread[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < WORKERS; i++)
    pthread_join(worker_thread[i], NULL);
  over = true;
  for (int i = 0; i < CHANGERS; i++)
    pthread_join(changer_thread[i], NULL);
  setlocale(LC_ALL, "C");
  printf("the locale changed %ld times\n", (long)changes);
  for (int i = 0; i < WORKERS; i++)
    if (!workers[i].good)
      fail_msg("%s", workers[i].why);
  assert_true(changes > 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_are_those_of_the_c_locale),
      cmocka_unit_test(messages_have_decimal_points),
      cmocka_unit_test(published_results_are_those_of_the_c_locale),
      cmocka_unit_test(numbers_survive_every_locale),
      cmocka_unit_test(characters_are_ascii),
      cmocka_unit_test(
          threads_may_change_the_locale), // after the first, whose files it compares with
  };
  return cmocka_run_group_tests(tests, make_folder_and_locales, remove_folder);
}
