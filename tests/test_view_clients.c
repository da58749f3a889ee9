// The viewer among clients who want to keep others out, and with files of very many datasets.
#define _GNU_SOURCE
#include "folder.h"
#include "support.h"
#include "view_client.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "record/record.h"

// A run of so many series, each in a group of its own or all in one.
static const char *write_many(const char *name, int series, int groups)
{
  const char *path = in_folder(name);
  pc_record *record = pc_record_create(path, NULL);
  assert_non_null(record);
  for (int k = 0; k < series; k++) {
    char dataset[60];
    snprintf(dataset, sizeof dataset, "group-%d/series-%d", k % groups, k);
    assert_int_equal(pc_record_series(record, dataset, PC_RECORD_DOUBLE, 1, 1), k);
  }
  assert_int_equal(pc_record_start(record), PC_OK);
  for (int k = 0; k < series; k += 7)
    pc_record_append(record, k, (double[]){k});
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  return path;
}

enum { MOST = 128 }; // connections that the server has

// Without waiting; how much was taken.
static size_t put_now(int s, const char *text, size_t size)
{
  ssize_t count = send(s, text, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  return count > 0 ? (size_t)count : 0;
}

static void put_request(int s, const pc_view *view, const char *what)
{
  char text[300];
  int length = snprintf(text, sizeof text,
                        "GET %s%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept-Encoding: gzip\r\n\r\n",
                        token_of(view), what, port_of(view));
  put_now(s, text, (size_t)length);
}

// A client that keeps its connection for itself, in one of several ways.
static int dial_slowly(const pc_view *view, int way)
{
  int s = dial(view);
  char some[200];
  switch (way % 4) {
  case 0: // says nothing
    break;
  case 1: // begins to ask
    put_now(s, "GET / HTTP/1.1\r\nX: ", 19);
    break;
  case 2: // asks more than it reads
    for (int i = 0; i < 40; i++)
      put_request(s, view, "main.js");
    break;
  default: // asks once, and stays
    put_request(s, view, "nothing");
    assert_true(recv(s, some, sizeof some, MSG_PEEK) > 0);
    break;
  }
  return s;
}

// Takes what has come.
static bool is_still_open(int s)
{
  char some[1 << 16];
  ssize_t count;
  while ((count = recv(s, some, sizeof some, MSG_DONTWAIT)) > 0)
    ;
  return count < 0 && errno == EAGAIN;
}

// More connections than there may be, none of which is late: those who ask are answered at the
// first attempt, and no more slow ones go than have to.
static void test_slow_clients_keep_nobody_out(void **state)
{
  enum { SLOW = 320, ASKED = 40 };
  pc_view *view = open_view(write_many("slow.h5", 10, 1), 0, 3600);
  int sockets[SLOW], staying = 0;
  for (int i = 0; i < SLOW; i++)
    sockets[i] = dial_slowly(view, i);
  for (int round = 0; round < ASKED; round++) {
    expect(view, "api/state", 200);
    for (int i = 1; i < SLOW; i += 4)
      put_now(sockets[i], "x", 1);
  }
  for (int i = 0; i < SLOW; i++) {
    staying += i % 4 != 2 && is_still_open(sockets[i]); // the others have more to read first
    close(sockets[i]);
  }
  if (staying < (MOST - ASKED) / 2 || staying > MOST)
    fail_msg("%d slow clients are left", staying);
  pc_view_close(view);
}

typedef struct flood {
  const pc_view *view;
  atomic_bool ends;
  long dialled;
} flood;

static void *dial_on(void *context)
{
  enum { HELD = 300 };
  flood *f = context;
  int sockets[HELD];
  for (int i = 0; i < HELD; i++)
    sockets[i] = -1;
  for (int i = 0; !atomic_load(&f->ends); i = (i + 1) % HELD, f->dialled++) {
    if (sockets[i] >= 0)
      close(sockets[i]);
    sockets[i] = dial(f->view);
    if (i % 3 == 1)
      put_now(sockets[i], "GET / HTTP/1.1\r\nX: ", 19);
    char some[4000];
    for (int k = 2; k < HELD && i % 30 == 0; k += 3) // these keep asking, for nothing
      if (sockets[k] >= 0 && recv(sockets[k], some, sizeof some, MSG_DONTWAIT) != 0)
        put_request(sockets[k], f->view, "nothing");
  }
  for (int i = 0; i < HELD; i++)
    if (sockets[i] >= 0)
      close(sockets[i]);
  return NULL;
}

// New ones come all the time.
static void test_a_steady_flood_keeps_nobody_out(void **state)
{
  pc_view *view = open_view(write_many("flood.h5", 10, 1), 0, 3600);
  flood f = {.view = view};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, dial_on, &f), 0);
  int asked = test_count_long(50, 1000), attempts = 0;
  for (int i = 0; i < asked; i++) {
    int status = 0;
    for (int k = 0; k < 20 && status != 200; k++, attempts++) {
      reply r = get(view, "api/state");
      status = r.status;
      free(r.body);
    }
    assert_int_equal(status, 200);
  }
  atomic_store(&f.ends, true);
  pthread_join(thread, NULL);
  printf("%d requests, %d attempts, among %ld connections\n", asked, attempts, f.dialled);
  assert_true(attempts < 2 * asked + 5);
  pc_view_close(view);
}

// Groups whose datasets alternate with those of others are listed once.
static void test_groups_are_listed_once(void **state)
{
  const char *path = in_folder("groups.h5");
  pc_record *record = pc_record_create(path, NULL);
  static const char *const names[] = {"a/x", "a/b/x", "a/y", "c/x", "a/b/y", "a/z"};
  enum { SERIES = sizeof names / sizeof *names };
  for (int k = 0; k < SERIES; k++)
    assert_int_equal(pc_record_series(record, names[k], PC_RECORD_DOUBLE, 1, 1), k);
  assert_int_equal(
      pc_record_ragged(record, "d", 1,
                       &(pc_record_item){"gap", PC_RECORD_FLOAT, 1, 1, NULL, NULL, NULL}),
      SERIES);
  assert_int_equal(pc_record_start(record), PC_OK);
  for (int frame = 0; frame < 4; frame++) {
    pc_record_append_ragged(record, SERIES, frame, (const void *const[]){(double[]){1, 2, 3}});
    for (int k = 0; k < SERIES; k++)
      if (frame < 2 || k % 3 != 0) // a/x and c/x have two frames, the others four
        pc_record_append(record, k, (double[]){frame});
  }
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
  pc_view *view = open_view(path, 0, 0);
  reply r = get(view, "api/state");
  static const char wanted[] = "\"groups\":{\"a\":2,\"a/b\":4,\"c\":2,\"d\":4}";
  if (strstr((char *)r.body, wanted) == NULL)
    fail_msg("no %s in %s", wanted, r.body);
  free(r.body);
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

// A run that was killed is read once, however often the page asks for its state; and read again
// when it has changed.
static void test_a_file_at_rest_is_not_read_again(void **state)
{
  char path[200], copy[200], command[500];
  snprintf(path, sizeof path, "%s", in_folder("under-way.h5"));
  snprintf(copy, sizeof copy, "%s", in_folder("rests.h5"));
  snprintf(command, sizeof command, "cp %s %s", path, copy);
  pc_record *record = pc_record_create(path, NULL);
  int series = pc_record_series(record, "steps/x", PC_RECORD_DOUBLE, 1, 1);
  assert_int_equal(pc_record_start(record), PC_OK);
  pc_record_append(record, series, (double[]){1});
  assert_int_equal(pc_record_flush(record), PC_OK);
  assert_int_equal(system(command), 0);
  struct timespec long_ago[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
  assert_int_equal(utimensat(AT_FDCWD, copy, long_ago, 0), 0);
  pc_view *view = open_view(copy, 0, 0);
  long once = read_of(view);
  assert_int_equal(read_of(view), once);
  pc_record_append(record, series, (double[]){2});
  assert_int_equal(pc_record_flush(record), PC_OK);
  assert_int_equal(system(command), 0);
  reply r = get(view, "api/state");
  if (strstr((char *)r.body, "\"steps\":2}") == NULL)
    fail_msg("not 2 steps: %s", r.body);
  free(r.body);
  assert_true(read_of(view) > once);
  pc_view_close(view);
  assert_int_equal(pc_record_close(record, 1, NULL), PC_OK);
}

// How many of the clients are answered that ask just before the server is closed, but for the
// first.
static int answered_at_closing(const char *path, int clients)
{
  pc_view *view = open_view(path, 0, 3600);
  int sockets[60], answered = 0;
  assert_true(clients <= 60);
  double began = pc_clock_seconds();
  expect(view, "api/run", 200);
  double once = pc_clock_seconds() - began;
  for (int i = 0; i < clients; i++) {
    sockets[i] = dial(view);
    put_request(sockets[i], view, "api/run");
  }
  char head[15];
  assert_int_equal(recv(sockets[0], head, sizeof head, MSG_WAITALL), sizeof head);
  began = pc_clock_seconds();
  pc_view_close(view);
  printf("one answer takes %.3f s, closing %.3f s\n", once, pc_clock_seconds() - began);
  for (int i = 1; i < clients; i++)
    answered += recv(sockets[i], head, sizeof head, MSG_WAITALL) == sizeof head;
  for (int i = 0; i < clients; i++)
    close(sockets[i]);
  return answered;
}

// What the server is doing for clients ends when it is closed: not all their answers are finished
// first. A busy machine may answer them before it is closed, so there are some attempts.
static void test_closing_ends_long_answers(void **state)
{
  enum { CLIENTS = 60, ATTEMPTS = 5 };
  const char *path = write_many("many.h5", test_count_long(5000, 19000), 50);
  int answered = CLIENTS;
  for (int k = 0; k < ATTEMPTS && answered > CLIENTS / 3; k++)
    answered = answered_at_closing(path, CLIENTS);
  if (answered > CLIENTS / 3)
    fail_msg("%d of %d were answered", answered, CLIENTS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_slow_clients_keep_nobody_out),
      cmocka_unit_test(test_a_steady_flood_keeps_nobody_out),
      cmocka_unit_test(test_groups_are_listed_once),
      cmocka_unit_test(test_a_file_at_rest_is_not_read_again),
      cmocka_unit_test(test_closing_ends_long_answers),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
