// The viewer's server, asked over a socket: every answer against the numbers the test wrote, and
// everything a bad client can do.
#define _GNU_SOURCE
#include "folder.h"
#include "support.h"
#include "view_client.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/record.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

enum { BODIES = 7, FRAMES = 23, STEPS = 5000, ELEMENTS = 4 };

// A run of one frame with a row of zeros.
static const char *write_wide(const char *name, int numbers)
{
  const char *path = in_folder(name);
  pc_record *record = pc_record_create(path, NULL);
  double *row = calloc((size_t)numbers, sizeof *row);
  int series = pc_record_series(record, "frames/x", PC_RECORD_DOUBLE, numbers, 1);
  assert_int_equal(pc_record_start(record), PC_OK);
  pc_record_append(record, series, row);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  free(row);
  return path;
}

// Far from the origin, so that 32 bits lose digits.
static double position(long frame, long body, long axis)
{
  return 1e6 + 0.001 * (double)frame + 10.0 * (double)body + 100.0 * (double)axis;
}

static double wave(long step)
{
  return sin(0.37 * (double)step) * (1 + 0.001 * (double)(step * 7919 % 1013));
}

// Some are not numbers, and some are equal.
static double force(long step, long element, long axis)
{
  long mixed = (step * 31 + element * 17 + axis * 5) % 101;
  return mixed == 3 ? NAN : (double)(mixed / 4) - 10;
}

static int32_t number(long step)
{
  return (int32_t)(step * 1000003 - 2000000000);
}

typedef struct writer {
  pc_record *record;
  int time, position, signal, force, number, flag, contacts;
  long frames, steps;
} writer;

static writer begin_run(const char *path)
{
  writer w = {.record = pc_record_create(path, NULL)};
  assert_non_null(w.record);
  pc_record *r = w.record;
  pc_record_text(r, "kind", "rigid");
  pc_record_text(r, "scene/program", "percuss 1.2.3");
  pc_record_text(r, "scene/text",
                 "line one\nGr\xc3\xb6\xc3\x9f"
                 "e \"quoted\"\n");
  double mass[BODIES];
  for (int b = 0; b < BODIES; b++)
    mass[b] = b + 0.5;
  pc_record_array(r, "bodies/mass", PC_RECORD_DOUBLE, 1, (long[]){BODIES}, mass);
  pc_record_describe(r, "bodies/mass", "mass \"m\"", "kg");
  w.time = pc_record_series(r, "frames/time", PC_RECORD_DOUBLE, 1, 1);
  w.position = pc_record_series(r, "frames/position", PC_RECORD_DOUBLE, BODIES, 3);
  pc_record_describe(r, "frames/position", NULL, "m");
  w.signal = pc_record_series(r, "steps/signal", PC_RECORD_DOUBLE, 1, 1);
  w.force = pc_record_series(r, "steps/force", PC_RECORD_FLOAT, ELEMENTS, 3);
  w.number = pc_record_series(r, "steps/number", PC_RECORD_INT, 1, 1);
  w.flag = pc_record_series(r, "steps/flag", PC_RECORD_BYTE, 1, 1);
  w.contacts = pc_record_ragged(r, "contacts", 1,
                                &(pc_record_item){"gap", PC_RECORD_FLOAT, 1, 1, NULL, NULL, NULL});
  assert_int_equal(pc_record_start(r), PC_OK);
  return w;
}

static void write_frame(writer *w)
{
  double place[BODIES * 3], gaps[10], time = 0.1 * (double)w->frames;
  for (int i = 0; i < BODIES * 3; i++)
    place[i] = position(w->frames, i / 3, i % 3);
  int rows = (int)(w->frames % 4);
  for (int i = 0; i < rows; i++)
    gaps[i] = -i;
  pc_record_append(w->record, w->time, &time);
  pc_record_append(w->record, w->position, place);
  pc_record_append_ragged(w->record, w->contacts, rows, (const void *const[]){gaps});
  w->frames++;
}

static void write_step(writer *w)
{
  double value = wave(w->steps), forces[ELEMENTS * 3];
  for (int i = 0; i < ELEMENTS * 3; i++)
    forces[i] = force(w->steps, i / 3, i % 3);
  pc_record_append(w->record, w->signal, &value);
  pc_record_append(w->record, w->force, forces);
  pc_record_append(w->record, w->number, (int32_t[]){number(w->steps)});
  pc_record_append(w->record, w->flag, (uint8_t[]){(uint8_t)w->steps});
  w->steps++;
}

static const char *write_run(const char *name)
{
  const char *path = in_folder(name);
  writer w = begin_run(path);
  while (w.frames < FRAMES)
    write_frame(&w);
  while (w.steps < STEPS)
    write_step(&w);
  assert_int_equal(pc_record_close(w.record, 1, NULL), PC_OK);
  return path;
}

static void test_page_is_sent_compressed_and_with_its_headers(void **state)
{
  pc_view *view = open_view(write_run("page.h5"), 0, 0);
  static const struct {
    const char *name, *type;
  } pages[] = {{"", "text/html"},
               {"main.js", "text/javascript"},
               {"main.css", "text/css"},
               {"legal.txt", "text/plain"}};
  static const char *const headers[] = {
      "Content-Encoding: gzip\r\n",
      ("Content-Security-Policy: default-src 'self'; style-src 'self' 'unsafe-inline'; img-src "
       "'self' data: blob:; script-src 'self'; frame-ancestors 'none'\r\n"),
      "X-Content-Type-Options: nosniff\r\n",
      "Cache-Control: no-store\r\n",
      "Cross-Origin-Resource-Policy: same-origin\r\n",
      "Referrer-Policy: no-referrer\r\n",
  };
  for (int i = 0; i < 4; i++) {
    reply r = get(view, pages[i].name);
    assert_int_equal(r.status, 200);
    assert_true(r.size > 20 && r.body[0] == 0x1f && r.body[1] == 0x8b);
    assert_non_null(strstr(r.head, pages[i].type));
    for (int h = 0; h < 6; h++)
      assert_non_null(strstr(r.head, headers[h]));
    char path[300], lines[100];
    snprintf(path, sizeof path, "%s%s", token_of(view), pages[i].name);
    snprintf(lines, sizeof lines, "Host: localhost:%d\r\nAccept-Encoding: gzip\r\n", port_of(view));
    reply head = ask(view, "HEAD", path, lines);
    assert_int_equal(head.status, 200);
    assert_int_equal(head.size, 0);
    char length[60];
    snprintf(length, sizeof length, "Content-Length: %zu\r\n", r.size);
    assert_non_null(strstr(head.head, length));
    lines[strcspn(lines, "\r")] = 0; // without the rest
    strcat(lines, "\r\n");
    reply plain = ask(view, "GET", path, lines);
    assert_int_equal(plain.status, 406);
    free(r.body), free(head.body), free(plain.body);
  }
  pc_view_close(view);
}

static void expect_text(const pc_view *view, const char *what, const char *const *parts)
{
  reply r = get(view, what);
  assert_int_equal(r.status, 200);
  for (; *parts != NULL; parts++)
    if (strstr((char *)r.body, *parts) == NULL)
      fail_msg("%s: no %s in %s", what, *parts, r.body);
  free(r.body);
}

static void test_run_and_state_say_what_there_is(void **state)
{
  pc_view *view = open_view(write_run("run.h5"), 0, 0);
  expect_text(
      view, "api/run",
      (const char *[]){
          "{\"program\":\"percuss 1.2.3\",\"file\":\"run.h5\",\"kind\":\"rigid\","
          "\"complete\":1,\"bytes\":",
          "\"groups\":{\"frames\":23,\"steps\":5000,\"contacts\":23},\"datasets\":[",
          "{\"name\":\"format\",\"type\":\"text\",\"shape\":[],\"grows\":false,\"unit\":null,"
          "\"description\":null}",
          "{\"name\":\"bodies/"
          "mass\",\"type\":\"f64\",\"shape\":[7],\"grows\":false,\"unit\":\"kg\","
          "\"description\":\"mass \\\"m\\\"\"}",
          "{\"name\":\"frames/position\",\"type\":\"f64\",\"shape\":[23,7,3],\"grows\":true,"
          "\"unit\":\"m\",\"description\":null}",
          "{\"name\":\"steps/force\",\"type\":\"f32\",\"shape\":[5000,4,3],",
          "{\"name\":\"steps/number\",\"type\":\"i32\",\"shape\":[5000],",
          "{\"name\":\"steps/flag\",\"type\":\"u8\",\"shape\":[5000],",
          "{\"name\":\"contacts/offset\",\"type\":\"i64\",\"shape\":[24],", "}]}\n", NULL});
  expect_text(view, "api/state",
              (const char *[]){"{\"complete\":1,\"running\":false,\"groups\":{\"frames\":23,"
                               "\"steps\":5000,\"contacts\":23},\"read\":",
                               ",\"time_s\":", NULL});
  pc_view_close(view);
}

static long read_of(const pc_view *view)
{
  reply r = get(view, "api/state");
  const char *at = strstr((char *)r.body, "\"read\":");
  assert_non_null(at);
  long bytes = atol(at + 7);
  free(r.body);
  return bytes;
}

static void test_little_is_read_for_a_frame(void **state)
{
  const char *path = in_folder("large.h5");
  pc_record *record = pc_record_create(path, NULL);
  enum { MANY = 2000, LONG = 300 };
  double *place = calloc(MANY * 3, sizeof *place);
  int series = pc_record_series(record, "frames/position", PC_RECORD_DOUBLE, MANY, 3);
  assert_int_equal(pc_record_start(record), PC_OK);
  pc_random random = test_random("little is read");
  for (int k = 0; k < LONG; k++) {
    for (int i = 0; i < MANY * 3; i++)
      place[i] = pc_random_uniform(&random, -1, 1);
    pc_record_append(record, series, place);
  }
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  pc_view *view = open_view(path, 0, 0);
  assert_true(read_of(view) < 30000); // of 14 MB
  reply r = get(view, "api/rows?name=frames/position&first=299&count=1");
  assert_int_equal(r.status, 200);
  assert_memory_equal(r.body, place, MANY * 3 * sizeof *place);
  assert_true(read_of(view) < 100000); // a frame has 48,000
  free(r.body);
  free(place);
  pc_view_close(view);
}

static void test_texts_come_as_they_are(void **state)
{
  pc_view *view = open_view(write_run("text.h5"), 0, 0);
  static const char *const ways[] = {"api/text?name=scene/text", "api/text?name=scene%2Ftext",
                                     "api/text?name=scene%2ftext&x=y"};
  for (int i = 0; i < 3; i++) {
    reply r = get(view, ways[i]);
    assert_int_equal(r.status, 200);
    assert_string_equal((char *)r.body, "line one\nGr\xc3\xb6\xc3\x9f"
                                        "e \"quoted\"\n");
    assert_non_null(strstr(r.head, "Content-Type: text/plain; charset=utf-8\r\n"));
    free(r.body);
  }
  expect(view, "api/text", 400);
  expect(view, "api/text?name=", 404);
  expect(view, "api/text?name=nothing", 404);
  expect(view, "api/text?name=frames/position", 404);
  expect(view, "api/text?name=scene/text%00", 404);
  expect(view, "api/text?name=../run.h5", 404);
  pc_view_close(view);
}

static void test_rows_are_those_of_the_file(void **state)
{
  pc_view *view = open_view(write_run("rows.h5"), 0, 0);
  pc_random random = test_random("rows");
  for (int trial = 0; trial < test_count(300); trial++) {
    int first = pc_random_below(&random, FRAMES), every = 1 + pc_random_below(&random, 5);
    int count = pc_random_below(&random, (FRAMES - first - 1) / every + 2);
    bool part = pc_random_below(&random, 2) == 1, single = pc_random_below(&random, 2) == 1;
    int second = part ? pc_random_below(&random, BODIES) : 0;
    int seconds = part ? pc_random_below(&random, BODIES - second + 1) : BODIES;
    bool minus = pc_random_below(&random, 2) == 1;
    double less[3] = {minus ? 1e6 : 0, minus ? 1000100.25 : 0, minus ? -3e-2 : 0};
    char what[300];
    int length = snprintf(what, sizeof what,
                          "api/rows?name=frames/position&first=%d&count=%d&every=%d&as=%s", first,
                          count, every, single ? "f32" : "f64");
    if (part)
      length += snprintf(what + length, sizeof what - (size_t)length, "&second=%d&seconds=%d",
                         second, seconds);
    if (minus)
      snprintf(what + length, sizeof what - (size_t)length, "&minus=1e6,1000100.25,-3e-2");
    reply r = get(view, what);
    assert_int_equal(r.status, 200);
    size_t width = single ? sizeof(float) : sizeof(double);
    assert_int_equal(r.size, (size_t)(count * seconds * 3) * width);
    const unsigned char *at = r.body;
    for (int i = 0; i < count; i++)
      for (int b = 0; b < seconds; b++)
        for (int c = 0; c < 3; c++, at += width) {
          double wide = position(first + i * every, second + b, c) - less[c];
          float narrow = (float)wide;
          if (memcmp(at, single ? (void *)&narrow : (void *)&wide, width) != 0)
            fail_msg("%s: row %d, body %d, axis %d", what, i, b, c);
        }
    free(r.body);
  }
  pc_view_close(view);
}

static void test_numbers_of_every_type(void **state)
{
  pc_view *view = open_view(write_run("types.h5"), 0, 0);
  reply r = get(view, "api/rows?name=steps/number&first=4990");
  assert_int_equal(r.size, 10 * sizeof(int32_t)); // as they are stored
  for (int i = 0; i < 10; i++)
    assert_int_equal(((int32_t *)r.body)[i], number(4990 + i));
  free(r.body);
  r = get(view, "api/rows?name=steps/number&first=7&count=2&every=100&as=f64");
  assert_true(((double *)r.body)[1] == number(107));
  free(r.body);
  r = get(view, "api/rows?name=steps/number&first=7&count=1&as=i64&minus=2000000000");
  assert_true(((int64_t *)r.body)[0] == (int64_t)number(7) - 2000000000);
  free(r.body);
  r = get(view, "api/rows?name=steps/number&first=7&count=2&as=i32&minus=2000000000");
  assert_int_equal(((int32_t *)r.body)[0], INT32_MIN); // the nearest there is
  free(r.body);
  r = get(view, "api/rows?name=steps/flag&first=250&count=10&as=u8&minus=2");
  assert_int_equal(r.size, 10);
  for (int i = 0; i < 10; i++) {
    int stored = (uint8_t)(250 + i);
    assert_int_equal(r.body[i], stored < 2 ? 0 : stored - 2);
  }
  free(r.body);
  r = get(view, "api/rows?name=contacts/offset&as=i64");
  assert_int_equal(r.size, (FRAMES + 1) * sizeof(int64_t));
  int64_t sum = 0;
  for (int k = 0; k <= FRAMES; sum += k++ % 4)
    assert_true(((int64_t *)r.body)[k] == sum);
  free(r.body);
  r = get(view, "api/rows?name=steps/force&first=1&count=1&as=f64");
  assert_int_equal(r.size, ELEMENTS * 3 * sizeof(double));
  for (int i = 0; i < ELEMENTS * 3; i++) {
    double got = ((double *)r.body)[i], want = force(1, i / 3, i % 3);
    assert_true(got == want || (isnan(got) && isnan(want)));
  }
  free(r.body);
  r = get(view, "api/rows?name=bodies/mass&first=7");
  assert_int_equal(r.status, 200);
  assert_int_equal(r.size, 0);
  free(r.body);
  pc_view_close(view);
}

// The definition, taken literally.
static int reduce(const double *values, long count, long most, double *out)
{
  if (count <= most) {
    memcpy(out, values, (size_t)count * sizeof *out);
    return (int)count;
  }
  long half = most / 2;
  for (long b = 0; b < half; b++) {
    long low = -1, high = -1;
    for (long i = b * count / half; i < (b + 1) * count / half; i++) {
      if (!isnan(values[i]) && (low < 0 || values[i] < values[low]))
        low = i;
      if (!isnan(values[i]) && (high < 0 || values[i] > values[high]))
        high = i;
    }
    out[2 * b] = low < 0 ? NAN : values[low < high ? low : high];
    out[2 * b + 1] = low < 0 ? NAN : values[low < high ? high : low];
  }
  return (int)(2 * half);
}

static void test_curves_keep_the_extremes(void **state)
{
  pc_view *view = open_view(write_run("curve.h5"), 0, 0);
  pc_random random = test_random("curves");
  static double values[STEPS], want[STEPS];
  for (int trial = 0; trial < test_count(300); trial++) {
    long first = pc_random_below(&random, STEPS);
    long count = pc_random_below(&random, (int)(STEPS - first) + 1);
    long most = 2 + pc_random_below(&random, trial % 2 == 0 ? 60 : 3000);
    int column = pc_random_below(&random, ELEMENTS * 3);
    bool plain = pc_random_below(&random, 2) == 1;
    for (long i = 0; i < count; i++)
      values[i] = plain ? wave(first + i) : force(first + i, column / 3, column % 3);
    int length = reduce(values, count, most, want);
    char what[200];
    snprintf(what, sizeof what, "api/curve?name=steps/%s&column=%d&first=%ld&count=%ld&most=%ld",
             plain ? "signal" : "force", plain ? 0 : column, first, count, most);
    reply r = get(view, what);
    assert_int_equal(r.status, 200);
    assert_int_equal(r.size, (size_t)length * sizeof(double));
    for (int i = 0; i < length; i++) {
      double got = ((double *)r.body)[i];
      if (got != want[i] && !(isnan(got) && isnan(want[i])))
        fail_msg("%s: number %d is %g, not %g", what, i, got, want[i]);
    }
    free(r.body);
  }
  pc_view_close(view);
}

// More rows than are read in one go.
static void test_long_arrays_are_read_in_pieces(void **state)
{
  enum { LONG = 400000 };
  const char *path = in_folder("long.h5");
  pc_record *record = pc_record_create(path, NULL);
  int series = pc_record_series(record, "steps/signal", PC_RECORD_DOUBLE, 1, 1);
  assert_int_equal(pc_record_start(record), PC_OK);
  double *values = malloc(LONG * sizeof *values), want[3000];
  for (long i = 0; i < LONG; i++) {
    values[i] = wave(i);
    pc_record_append(record, series, &values[i]);
  }
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  pc_view *view = open_view(path, 0, 0);
  reply r = get(view, "api/curve?name=steps/signal&first=1&most=1001");
  assert_int_equal(r.size, (size_t)reduce(values + 1, LONG - 1, 1001, want) * sizeof(double));
  assert_memory_equal(r.body, want, r.size);
  free(r.body);
  r = get(view, "api/rows?name=steps/signal&first=3&count=133000&every=3");
  assert_int_equal(r.size, 133000 * sizeof(double));
  for (long i = 0; i < 133000; i++)
    assert_true(((double *)r.body)[i] == values[3 + 3 * i]);
  free(r.body);
  expect(view, "api/rows?name=steps/signal&count=399999&as=f32&minus=1", 200);
  expect(view, "api/rows?name=steps/signal", 200);
  pc_view_close(view);
  free(values);
}

static void test_bad_arguments_are_refused(void **state)
{
  pc_view *view = open_view(write_run("bad.h5"), 0, 0);
  static const char *const bad[] = {
      "rows?name=frames/position&first=-1",
      "rows?name=frames/position&first=+1",
      "rows?name=frames/position&first=%201",
      "rows?name=frames/position&first=",
      "rows?name=frames/position&first=1.0",
      "rows?name=frames/position&first=0x1",
      "rows?name=frames/position&first=1e3",
      "rows?name=frames/position&first=24",
      "rows?name=frames/position&first=9223372036854775807",
      "rows?name=frames/position&first=9223372036854775808",
      "rows?name=frames/position&first=18446744073709551617",
      "rows?name=frames/position&first=99999999999999999999999999999999999",
      "rows?name=frames/position&count=24",
      "rows?name=frames/position&first=1&count=23",
      "rows?name=frames/position&first=1&count=9223372036854775807",
      "rows?name=frames/position&count=-1",
      "rows?name=frames/position&every=0",
      "rows?name=frames/position&every=2&count=13",
      "rows?name=frames/position&every=9223372036854775807&count=2",
      "rows?name=frames/position&second=8",
      "rows?name=frames/position&second=7&seconds=1",
      "rows?name=frames/position&second=1&seconds=7",
      "rows?name=frames/position&second=9223372036854775807&seconds=9223372036854775807",
      "rows?name=frames/time&second=0",
      "rows?name=frames/position&as=f16",
      "rows?name=frames/position&as=",
      "rows?name=frames/position&minus=1,2",
      "rows?name=frames/position&minus=1,2,3,4",
      "rows?name=frames/position&minus=1,2,",
      "rows?name=frames/position&minus=",
      "rows?name=frames/position&minus=,,",
      "rows?name=frames/position&minus=nan,0,0",
      "rows?name=frames/position&minus=inf,0,0",
      "rows?name=frames/position&minus=1e999,0,0",
      "rows?name=frames/position&minus=0x1p3,0,0",
      "rows?name=frames/position&minus=1;2;3",
      "rows?name=frames/time&minus=1,2",
      "rows",
      "rows?name",
      "curve",
      "curve?name=steps/signal&most=0",
      "curve?name=steps/signal&most=1",
      "curve?name=steps/signal&most=524289",
      "curve?name=steps/signal&most=99999999999999999999",
      "curve?name=steps/signal&first=5001",
      "curve?name=steps/signal&count=5001",
      "curve?name=steps/signal&first=1&count=9223372036854775807",
      "curve?name=steps/signal&column=1",
      "curve?name=steps/force&column=12",
      "curve?name=steps/force&column=9223372036854775807",
      "curve?name=steps/force&column=-1",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char what[300];
    snprintf(what, sizeof what, "api/%s", bad[i]);
    expect(view, what, 400);
  }
  static const char *const unknown[] = {"rows?name=",
                                        "rows?name=frames",
                                        "rows?name=frames/position/",
                                        "rows?name=scene/text",
                                        "rows?name=/frames/time",
                                        "curve?name=x",
                                        "curve?name=kind",
                                        "",
                                        "nothing",
                                        "run/",
                                        "rows/x",
                                        "RUN"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    char what[300];
    snprintf(what, sizeof what, "api/%s", unknown[i]);
    expect(view, what, 404);
  }
  pc_view_close(view);
}

static void test_large_answers_are_refused(void **state)
{
  enum { WIDE = 1 << 20 };
  const char *path = write_wide("wide.h5", WIDE);
  pc_view *view = open_view(path, 0, 0);
  expect(view, "api/rows?name=frames/x", 400); // 8 MiB
  expect(view, "api/rows?name=frames/x&as=f32", 200);
  expect(view, "api/rows?name=frames/x&second=0&seconds=524288", 200);
  expect(view, "api/rows?name=frames/x&second=0&seconds=524289", 400);
  pc_view_close(view);
}

static void test_a_growing_run_is_followed(void **state)
{
  const char *path = in_folder("live.h5");
  writer w = begin_run(path);
  write_frame(&w);
  assert_int_equal(pc_record_flush(w.record), PC_OK);
  pc_view *view = open_view(path, 0, 0);
  for (int round = 0; round < 30; round++) {
    for (int i = 0; i < round; i++)
      write_step(&w);
    write_frame(&w);
    assert_int_equal(pc_record_flush(w.record), PC_OK);
    char groups[200];
    snprintf(groups, sizeof groups,
             "{\"complete\":0,\"running\":true,\"groups\":{\"frames\":%ld,\"steps\":%ld,"
             "\"contacts\":%ld},",
             w.frames, w.steps, w.frames);
    expect_text(view, "api/state", (const char *[]){groups, NULL});
    char what[200];
    snprintf(what, sizeof what, "api/rows?name=frames/position&first=%ld&count=1", w.frames - 1);
    reply r = get(view, what);
    assert_int_equal(r.status, 200);
    for (int i = 0; i < BODIES * 3; i++)
      assert_true(((double *)r.body)[i] == position(w.frames - 1, i / 3, i % 3));
    free(r.body);
    snprintf(what, sizeof what, "api/rows?name=frames/position&first=%ld&count=1", w.frames);
    expect(view, what, 400);
  }
  assert_int_equal(pc_record_close(w.record, 2, NULL), PC_OK);
  expect_text(view, "api/state", (const char *[]){"{\"complete\":2,\"running\":false,", NULL});
  // A new run of the same name.
  write_run("live.h5");
  expect_text(
      view, "api/state",
      (const char *[]){"{\"complete\":1,\"running\":false,\"groups\":{\"frames\":23,", NULL});
  // It goes away; what is open stays readable.
  assert_int_equal(unlink(path), 0);
  expect_text(view, "api/state", (const char *[]){"\"frames\":23,", NULL});
  expect(view, "api/rows?name=frames/position", 200);
  pc_view_close(view);
}

// Killed: nobody holds the lock, and it is not complete.
static void test_a_killed_run_is_not_running(void **state)
{
  char path[200];
  snprintf(path, sizeof path, "%s", in_folder("killed.h5"));
  writer w = begin_run(path);
  write_frame(&w);
  assert_int_equal(pc_record_flush(w.record), PC_OK);
  char copy[200], command[500];
  snprintf(copy, sizeof copy, "%s", in_folder("copy.h5"));
  snprintf(command, sizeof command, "cp %s %s", path, copy);
  assert_int_equal(system(command), 0);
  pc_view *view = open_view(copy, 0, 0);
  expect_text(
      view, "api/state",
      (const char *[]){"{\"complete\":0,\"running\":false,\"groups\":{\"frames\":1,", NULL});
  pc_view_close(view);
  assert_int_equal(pc_record_close(w.record, 1, NULL), PC_OK);
}

// In its place: what is open stays the file of that name.
static void copy_over(const char *from, const char *to)
{
  char command[500];
  snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
  assert_int_equal(system(command), 0);
}

static void test_a_file_that_is_written_over_in_its_place(void **state)
{
  char whole[200], other[200], path[200];
  snprintf(whole, sizeof whole, "%s", write_run("whole.h5"));
  snprintf(other, sizeof other, "%s", in_folder("other.h5"));
  snprintf(path, sizeof path, "%s", in_folder("place.h5"));
  writer w = begin_run(other);
  write_frame(&w);
  assert_int_equal(pc_record_flush(w.record), PC_OK);
  copy_over(other, path); // of a run that is not whole, and that nobody writes
  pc_view *view = open_view(path, 0, 0);
  expect(view, "api/rows?name=frames/position&first=0&count=1", 200);
  write_frame(&w);
  assert_int_equal(pc_record_close(w.record, 1, NULL), PC_OK);
  for (int round = 0; round < 3; round++) {
    static const char last[] = "api/rows?name=frames/position&first=22&count=1";
    copy_over(whole, path);
    reply r = get(view, last); // also if nobody asked for the state before
    assert_int_equal(r.status, 200);
    for (int i = 0; i < BODIES * 3; i++)
      assert_true(((double *)r.body)[i] == position(22, i / 3, i % 3));
    free(r.body);
    expect_text(
        view, "api/state",
        (const char *[]){"{\"complete\":1,\"running\":false,\"groups\":{\"frames\":23,", NULL});
    // Cut for a moment, and whole again.
    assert_int_equal(truncate(path, round * 1000), 0);
    expect(view, last, 503);
    expect(view, "api/state", 503);
    expect(view, "api/curve?name=steps/signal", 503);
    expect(view, "api/text?name=scene/text", 503);
    copy_over(whole, path);
    expect(view, last, 200);
    expect(view, "api/curve?name=steps/signal", 200);
    copy_over(other, path);
    expect_text(view, "api/run", (const char *[]){"\"groups\":{\"frames\":2,", NULL});
    expect(view, last, 400);
  }
  pc_view_close(view);
}

static void expect_ask(const pc_view *view, const char *method, const char *path, const char *lines,
                       int status)
{
  reply r = ask(view, method, path, lines);
  if (r.status != status)
    fail_msg("%s %.100s, %.100s: status %d, not %d", method, path, lines, r.status, status);
  free(r.body);
}

static void test_only_get_and_head(void **state)
{
  pc_view *view = open_view(write_run("methods.h5"), 0, 0);
  char host[100], state_path[100];
  snprintf(host, sizeof host, "Host: 127.0.0.1:%d\r\n", port_of(view));
  snprintf(state_path, sizeof state_path, "%sapi/state", token_of(view));
  static const char *const others[] = {"POST", "PUT",   "DELETE",  "OPTIONS", "TRACE",
                                       "get",  "PATCH", "CONNECT", "BREW",    "GETT"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    expect_ask(view, others[i], state_path, host, 405);
  expect_ask(view, "GET", state_path, host, 200);
  expect_ask(view, "HEAD", state_path, host, 200);
  char lines[200];
  snprintf(lines, sizeof lines, "%sContent-Length: 5\r\n", host);
  expect_ask(view, "GET", state_path, lines, 400);
  expect_ask(view, "POST", state_path, lines, 405);
  snprintf(lines, sizeof lines, "%sTransfer-Encoding: chunked\r\n", host);
  expect_ask(view, "GET", state_path, lines, 400);
  pc_view_close(view);
}

static void test_foreign_hosts_and_origins_are_refused(void **state)
{
  pc_view *view = open_view(write_run("hosts.h5"), 0, 0);
  char path[100], lines[300];
  int port = port_of(view);
  snprintf(path, sizeof path, "%sapi/state", token_of(view));
  static const char *const hosts[] = {
      "example.org",       "example.org:%d", "127.0.0.1.example.org:%d",
      "localhost.x:%d",    "127.0.0.1:%d.x", "127.0.0.1:",
      "127.0.0.1:x",       "127.0.0.2:%d",   "",
      "evil@127.0.0.1:%d", "0:%d",           "127.0.0.1:%d, x",
      "127.0.0.1:123456"};
  for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
    const char *place = strstr(hosts[i], "%d");
    int before = place != NULL ? (int)(place - hosts[i]) : (int)strlen(hosts[i]);
    if (place != NULL)
      snprintf(lines, sizeof lines, "Host: %.*s%d%s\r\n", before, hosts[i], port, place + 2);
    else
      snprintf(lines, sizeof lines, "Host: %s\r\n", hosts[i]);
    expect_ask(view, "GET", path, lines, 403);
  }
  snprintf(lines, sizeof lines, "Host: 127.0.0.1:%d\r\nHost: example.org\r\n", port);
  reply r = ask(view, "GET", path, lines);
  assert_true(r.status == 400 || r.status == 403);
  free(r.body);
  r = ask(view, "GET", path, "");
  assert_true(r.status == 400 || r.status == 403); // none at all
  free(r.body);
  static const char *const origins[] = {
      "http://example.org", "null",          "http://127.0.0.1", "http://127.0.0.1:1",
      "https://%s:%d",      "http://%s:%d/", "http://%s:%d.x",   ""};
  for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
    char origin[100];
    bool filled = strstr(origins[i], "%s") != NULL;
    if (filled) {
      const char *rest = origins[i] + strcspn(origins[i], "%") + 5;
      snprintf(origin, sizeof origin, "%.*s127.0.0.1:%d%s", (int)strcspn(origins[i], "%"),
               origins[i], port, rest);
    } else {
      snprintf(origin, sizeof origin, "%s", origins[i]);
    }
    snprintf(lines, sizeof lines, "Host: 127.0.0.1:%d\r\nOrigin: %s\r\n", port, origin);
    expect_ask(view, "GET", path, lines, 403);
  }
  snprintf(lines, sizeof lines, "Host: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n", port,
           port);
  expect_ask(view, "GET", path, lines, 200);
  snprintf(lines, sizeof lines, "hOST: localhost:%d\r\noRIGIN: http://localhost:%d\r\n", port,
           port);
  expect_ask(view, "GET", path, lines, 200);
  snprintf(lines, sizeof lines, "Host: localhost:%d\r\nOrigin: http://127.0.0.1:%d\r\n", port,
           port);
  expect_ask(view, "GET", path, lines, 403);
  expect_ask(view, "GET", path, "Host: localhost:9999\r\n", 200); // as over ssh -L 9999:...
  pc_view_close(view);
}

static void test_other_tokens_and_paths_lead_nowhere(void **state)
{
  pc_view *view = open_view(write_run("paths.h5"), 0, 0);
  char host[100], path[3000];
  snprintf(host, sizeof host, "Host: 127.0.0.1:%d\r\nAccept-Encoding: gzip\r\n", port_of(view));
  const char *token = token_of(view);
  assert_int_equal(strlen(token), 34);
  for (int i = 1; i <= 32; i++) { // each digit counts
    snprintf(path, sizeof path, "%sapi/state", token);
    path[i] = path[i] == '0' ? '1' : '0';
    expect_ask(view, "GET", path, host, 404);
  }
  static const char *const none[] = {"/", "//",           "/api/state", "/../",
                                     "*", "/favicon.ico", "/main.js",   "/%2e%2e/"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    expect_ask(view, "GET", none[i], host, 404);
  snprintf(path, sizeof path, "%.33s", token); // without the slash
  expect_ask(view, "GET", path, host, 404);
  static const char *const below[] = {"..",
                                      "../",
                                      "../../etc/passwd",
                                      "%2e%2e/%2e%2e/etc/passwd",
                                      "..%2f..%2fetc%2fpasswd",
                                      "..%5c..%5cetc",
                                      "./main.js",
                                      "/main.js",
                                      "//",
                                      "main.js/",
                                      "main.js/..",
                                      "x/../main.js",
                                      "main.js%00",
                                      "%00",
                                      "main.js%00.txt",
                                      "MAIN.JS",
                                      "index.html",
                                      "main.js.gz",
                                      "%",
                                      "%2",
                                      "%zz",
                                      "api",
                                      "api/../main.js",
                                      "api//state",
                                      "file:///etc/passwd"};
  for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
    snprintf(path, sizeof path, "%s%s", token, below[i]);
    expect_ask(view, "GET", path, host, 404);
  }
  memset(path, 'a', 2500);
  memcpy(path, token, strlen(token));
  path[2500] = 0;
  expect_ask(view, "GET", path, host, 404);
  snprintf(path, sizeof path, "%s", token);
  expect_ask(view, "GET", path, host, 200);
  pc_view_close(view);
}

static void test_tokens_differ_and_ports_are_taken_once(void **state)
{
  const char *path = write_run("two.h5");
  pc_view *one = open_view(path, 0, 0), *two = open_view(path, 0, 0);
  assert_string_not_equal(token_of(one), token_of(two));
  pc_error error = {.status = PC_OK};
  pc_view_options taken = {.path = path, .port = port_of(one)};
  assert_null(pc_view_open(&taken, &error));
  assert_int_equal(error.status, PC_ERROR_IO);
  assert_int_equal(pc_view_check(&taken, &error), PC_ERROR_IO);
  assert_int_equal(pc_view_check(&(pc_view_options){.port = 0}, NULL), PC_OK);
  expect(one, "api/state", 200);
  pc_view_close(one);
  expect(two, "api/state", 200);
  pc_view_close(two);
  static const pc_view_options wrong[] = {{.path = NULL},
                                          {.path = "x", .port = -1},
                                          {.path = "x", .port = 65536},
                                          {.path = "x", .connections = -1},
                                          {.path = "x", .timeout_s = NAN},
                                          {.path = "x", .timeout_s = -1}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_null(pc_view_open(&wrong[i], &error));
    assert_int_equal(error.status, PC_ERROR_ARGUMENT);
  }
  pc_view_close(NULL);
}

static void put_random(pc_random *random, unsigned char *bytes, int count)
{
  for (int i = 0; i < count; i++)
    bytes[i] = (unsigned char)pc_random_below(random, 256);
}

// A good request, spoilt in one of several ways; its length.
static int spoil(const pc_view *view, pc_random *random, unsigned char *text, int room)
{
  int length =
      snprintf((char *)text, (size_t)room,
               "GET %sapi/rows?name=frames/position&first=3&count=2&minus=1,2,3 HTTP/1.1\r\n"
               "Host: 127.0.0.1:%d\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
               token_of(view), port_of(view));
  int at = pc_random_below(random, length), many = 1 + pc_random_below(random, 40);
  switch (pc_random_below(random, 7)) {
  case 0: // bytes
    length = 1 + pc_random_below(random, 2000);
    put_random(random, text, length);
    break;
  case 1: // cut
    length = at;
    break;
  case 2: // some bytes are others
    for (int i = 0; i < many; i++)
      put_random(random, text + pc_random_below(random, length), 1);
    break;
  case 3: // a piece is missing
    many = many < length - at ? many : length - at;
    memmove(text + at, text + at + many, (size_t)(length - at - many));
    length -= many;
    break;
  case 4: { // large headers
    int extra = pc_random_below(random, room - length - 100);
    memmove(text + at + extra, text + at, (size_t)(length - at));
    memset(text + at, "aA:\r\n %\t"[pc_random_below(random, 8)], (size_t)extra);
    length += extra;
    break;
  }
  case 5: { // one after the other
    int one = length;
    for (int i = 0; i < many % 10; i++, length += one)
      memcpy(text + length, text, (size_t)one);
    if (pc_random_below(random, 2) == 0)
      put_random(random, text + pc_random_below(random, length), 1);
    break;
  }
  default: // a piece twice
    many = many < length - at ? many : length - at;
    memmove(text + at + many, text + at, (size_t)(length - at));
    length += many;
    break;
  }
  return length;
}

#ifndef SANITIZED
static long resident_kb(void)
{
  long pages = 0, all = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &all, &pages) != 2)
    pages = 0;
  if (file != NULL)
    fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}
#endif

static void test_malformed_requests_are_survived(void **state)
{
  pc_view *view = open_view(write_run("malformed.h5"), 0, 5);
  pc_random random = test_random("malformed requests");
  enum { ROOM = 60000 };
  unsigned char *text = malloc(ROOM);
  int count = test_count(10000);
#ifndef SANITIZED
  long before = 0;
#endif
  for (int i = 0; i < count; i++) {
#ifndef SANITIZED
    if (i == count / 10)
      before = resident_kb();
#endif
    int length = spoil(view, &random, text, ROOM);
    int s = dial(view);
    put(s, text, (size_t)length);
    shutdown(s, SHUT_WR);
    size_t size;
    free(take_all(s, &size));
    close(s);
    if (i % 1000 == 0)
      expect(view, "api/state", 200);
  }
  expect(view, "api/state", 200);
#ifndef SANITIZED
  if (resident_kb() - before > 16 << 10)
    fail_msg("%ld kB more than after the first tenth", resident_kb() - before);
#endif
  free(text);
  pc_view_close(view);
}

// Each sends a byte now and then, which is no reason to keep it.
static void test_slow_clients_hold_up_nobody_and_are_dropped(void **state)
{
  enum { SLOW = 60 };
  pc_view *view = open_view(write_run("slow.h5"), 0, SHORT_S);
  int sockets[SLOW], open = SLOW;
  const char *request = "GET / HTTP/1.1\r\nX: ";
  for (int i = 0; i < SLOW; i++) {
    sockets[i] = dial(view);
    put(sockets[i], request, (size_t)i % strlen(request));
  }
  double began = pc_clock_seconds();
  while (open > 0 && pc_clock_seconds() - began < PATIENCE_S) {
    expect_answer(view, "api/state");
    for (int i = 0; i < SLOW; i++)
      if (sockets[i] >= 0 && (!put(sockets[i], "x", 1) || is_closed(sockets[i]))) {
        close(sockets[i]);
        sockets[i] = -1;
        open--;
      }
    sleep_a_little();
  }
  assert_int_equal(open, 0);
  // So is one that asks and does not take the answer, and one that asks again and again.
  int s = dial(view);
  for (int i = 0; i < 3; i++) {
    char text[300];
    snprintf(text, sizeof text, "GET %sapi/state HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
             token_of(view), port_of(view));
    assert_true(put(s, text, strlen(text)));
    char answer[4000];
    assert_true(recv(s, answer, sizeof answer, 0) > 0);
    sleep_a_little();
  }
  close(s);
  pc_view_close(view);
}

// More than are let in; when they are gone all is well.
static void test_a_flood_passes(void **state)
{
  enum { LIMIT = 8, FLOOD = 100 };
  pc_view *view = open_view(write_run("flood.h5"), LIMIT, SHORT_S);
  int sockets[FLOOD];
  for (int i = 0; i < FLOOD; i++)
    sockets[i] = dial(view);
  for (int i = 0; i < FLOOD; i += 2)
    put(sockets[i], "GET /", 5);
  for (int i = 0; i < FLOOD; i++)
    close(sockets[i]);
  for (int i = 0; i < 20; i++)
    expect_answer(view, "api/state");
  pc_view_close(view);
}

// Large answers that nobody takes: others are answered, and the memory comes back.
static void test_answers_that_nobody_takes(void **state)
{
  enum { WIDE = 1 << 19, MANY = 60 };
  const char *path = write_wide("untaken.h5", WIDE);
  pc_view *view = open_view(path, 0, 0);
  int sockets[MANY];
  char text[300];
  snprintf(text, sizeof text, "GET %sapi/rows?name=frames/x HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
           token_of(view), port_of(view));
  for (int i = 0; i < MANY; i++) {
    sockets[i] = dial(view);
    put(sockets[i], text, strlen(text));
  }
  expect(view, "api/state", 200);
  int good = 0, busy = 0;
  for (int i = 0; i < MANY; i++) {
    char head[13] = "";
    assert_int_equal(recv(sockets[i], head, 12, MSG_WAITALL), 12);
    good += strcmp(head, "HTTP/1.1 200") == 0;
    busy += strcmp(head, "HTTP/1.1 503") == 0;
  }
  assert_int_equal(good + busy, MANY);
  assert_true(good >= 24); // 96 MiB of 4 MiB each
  for (int i = 0; i < MANY; i++)
    close(sockets[i]);
  double began = pc_clock_seconds();
  int status = 0;
  while (status != 200 && pc_clock_seconds() - began < PATIENCE_S) {
    reply r = get(view, "api/rows?name=frames/x");
    status = r.status;
    assert_true(status != 200 || r.size == WIDE * sizeof(double));
    free(r.body);
  }
  assert_int_equal(status, 200);
  pc_view_close(view);
}

typedef struct asker {
  const pc_view *view;
  int seed, wrong;
} asker;

static void *ask_often(void *context)
{
  asker *a = context;
  pc_random random;
  pc_random_seed(&random, (uint64_t)a->seed);
  for (int trial = 0; trial < test_count(100); trial++) {
    int frame = pc_random_below(&random, FRAMES), body = pc_random_below(&random, BODIES);
    char what[200];
    snprintf(what, sizeof what,
             "api/rows?name=frames/position&first=%d&count=1&second=%d&seconds=1", frame, body);
    reply r = get(a->view, what);
    a->wrong +=
        r.status != 200 || r.size != 24 || ((double *)r.body)[2] != position(frame, body, 2);
    free(r.body);
    r = get(a->view, "api/state");
    a->wrong += r.status != 200;
    free(r.body);
  }
  return NULL;
}

static void test_many_ask_at_once(void **state)
{
  enum { ASKERS = 8 };
  const char *path = write_run("many.h5");
  pc_view *views[2] = {open_view(path, 0, 0), open_view(path, 0, 0)};
  pthread_t threads[ASKERS];
  asker askers[ASKERS];
  for (int i = 0; i < ASKERS; i++) {
    askers[i] = (asker){views[i % 2], i + 1, 0};
    assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &askers[i]), 0);
  }
  for (int i = 0; i < ASKERS; i++) {
    pthread_join(threads[i], NULL);
    assert_int_equal(askers[i].wrong, 0);
  }
  pc_view_close(views[0]);
  pc_view_close(views[1]);
}

// Closing does not wait for slow clients.
static void test_closing_ends_all_connections(void **state)
{
  pc_view *view = open_view(write_run("closing.h5"), 0, 3600);
  int sockets[10];
  for (int i = 0; i < 10; i++) {
    sockets[i] = dial(view);
    put(sockets[i], "GET ", 4);
  }
  expect(view, "api/state", 200);
  pc_view_close(view);
  for (int i = 0; i < 10; i++) {
    char byte;
    assert_true(recv(sockets[i], &byte, 1, 0) <= 0);
    close(sockets[i]);
  }
}

// Whatever is left of a file: it is refused, or answered from; never a crash.
static void check_damaged(const char *path)
{
  pc_error error = {.status = PC_OK};
  pc_view_options options = {.path = path};
  pc_view *view = pc_view_open(&options, &error);
  if (view == NULL) {
    assert_true(error.status == PC_ERROR_INPUT || error.status == PC_ERROR_IO);
    assert_true(strlen(error.text) > 0 && strchr(error.text, '\n') == NULL);
    return;
  }
  static const char *const questions[] = {"api/run",
                                          "api/state",
                                          "api/rows?name=frames/position&first=0&count=1",
                                          "api/rows?name=bodies/mass",
                                          "api/text?name=scene/text",
                                          "api/curve?name=steps/signal&most=10"};
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    reply r = get(view, questions[i]);
    assert_true(r.status == 200 || r.status == 400 || r.status == 404 || r.status == 500);
    free(r.body);
  }
  pc_view_close(view);
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void check_damaged_files(const unsigned char *bytes, size_t size, pc_random *random)
{
  char path[200];
  snprintf(path, sizeof path, "%s", in_folder("damaged.h5"));
  for (int i = 0; i < test_count(100); i++) {
    write_bytes(path, bytes, (size_t)pc_random_below(random, (int)size));
    check_damaged(path);
  }
  unsigned char *copy = malloc(size);
  for (int i = 0; i < test_count(100); i++) { // bits that are others, mostly in the lists
    memcpy(copy, bytes, size);
    int range = i % 3 == 0 ? (int)size : 20000;
    for (int k = pc_random_below(random, 20); k >= 0; k--)
      copy[pc_random_below(random, range)] ^= (unsigned char)(1 << pc_random_below(random, 8));
    write_bytes(path, copy, size);
    check_damaged(path);
  }
  free(copy);
  write_bytes(path, bytes, 0);
  check_damaged(path);
  write_bytes(path, (const unsigned char *)"kind: rigid\n", 12);
  check_damaged(path);
  check_damaged(folder);
  check_damaged(in_folder("nothing.h5"));
}

// In a process of its own, because HDF5 cannot give back what damaged files took.
static void test_damaged_files(void **state)
{
  FILE *file = fopen(write_run("whole.h5"), "rb");
  assert_non_null(file);
  enum { ROOM = 4 << 20 };
  unsigned char *bytes = malloc(ROOM);
  size_t size = fread(bytes, 1, ROOM, file);
  assert_true(size > 20000 && size < ROOM);
  fclose(file);
  pc_random random = test_random("damaged files");
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    check_damaged_files(bytes, size, &random);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  free(bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_page_is_sent_compressed_and_with_its_headers),
      cmocka_unit_test(test_run_and_state_say_what_there_is),
      cmocka_unit_test(test_little_is_read_for_a_frame),
      cmocka_unit_test(test_texts_come_as_they_are),
      cmocka_unit_test(test_rows_are_those_of_the_file),
      cmocka_unit_test(test_numbers_of_every_type),
      cmocka_unit_test(test_curves_keep_the_extremes),
      cmocka_unit_test(test_long_arrays_are_read_in_pieces),
      cmocka_unit_test(test_bad_arguments_are_refused),
      cmocka_unit_test(test_large_answers_are_refused),
      cmocka_unit_test(test_a_growing_run_is_followed),
      cmocka_unit_test(test_a_killed_run_is_not_running),
      cmocka_unit_test(test_a_file_that_is_written_over_in_its_place),
      cmocka_unit_test(test_only_get_and_head),
      cmocka_unit_test(test_foreign_hosts_and_origins_are_refused),
      cmocka_unit_test(test_other_tokens_and_paths_lead_nowhere),
      cmocka_unit_test(test_tokens_differ_and_ports_are_taken_once),
      cmocka_unit_test(test_malformed_requests_are_survived),
      cmocka_unit_test(test_slow_clients_hold_up_nobody_and_are_dropped),
      cmocka_unit_test(test_a_flood_passes),
      cmocka_unit_test(test_answers_that_nobody_takes),
      cmocka_unit_test(test_many_ask_at_once),
      cmocka_unit_test(test_closing_ends_all_connections),
      cmocka_unit_test(test_damaged_files),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
