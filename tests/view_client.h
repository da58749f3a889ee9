// A client of the viewer's server, for tests: over a socket, so that it can do what browsers do
// not.
#ifndef PERCUSS_TESTS_VIEW_CLIENT_H
#define PERCUSS_TESTS_VIEW_CLIENT_H

#include "support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "percuss/view.h"

typedef struct reply {
  int status; // 0: no answer
  char head[4096];
  unsigned char *body;
  size_t size;
} reply;

static inline int port_of(const pc_view *view)
{
  return atoi(pc_view_address(view) + strlen("http://127.0.0.1:"));
}

static inline const char *token_of(const pc_view *view) // with the slash before and after it
{
  return strchr(pc_view_address(view) + strlen("http://"), '/');
}

static inline int dial(const pc_view *view)
{
  int s = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in to = {.sin_family = AF_INET,
                           .sin_port = htons((uint16_t)port_of(view)),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  assert_true(s >= 0);
  struct timeval limit = {.tv_sec = 600}; // a busy machine takes its time
  setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  assert_int_equal(connect(s, (struct sockaddr *)&to, sizeof to), 0);
  return s;
}

static inline bool put(int s, const void *data, size_t size)
{
  for (const char *from = data; size > 0;) {
    ssize_t count = send(s, from, size, MSG_NOSIGNAL);
    if (count <= 0)
      return false;
    from += count;
    size -= (size_t)count;
  }
  return true;
}

// Everything up to the end of the connection; the caller frees it.
static inline unsigned char *take_all(int s, size_t *size)
{
  size_t room = 1 << 16;
  unsigned char *data = malloc(room + 1);
  *size = 0;
  for (ssize_t count; (count = recv(s, data + *size, room - *size, 0)) > 0;) {
    *size += (size_t)count;
    if (*size == room)
      data = realloc(data, (room *= 2) + 1);
  }
  data[*size] = 0;
  return data;
}

static inline reply take_reply(int s)
{
  size_t size;
  reply r = {0};
  unsigned char *data = take_all(s, &size);
  const char *end = memmem(data, size, "\r\n\r\n", 4);
  if (end != NULL && sscanf((char *)data, "HTTP/1.1 %d", &r.status) == 1) {
    size_t head = (size_t)(end - (char *)data) + 4;
    snprintf(r.head, sizeof r.head, "%.*s", (int)head, data);
    r.size = size - head;
    r.body = malloc(r.size + 1);
    memcpy(r.body, data + head, r.size + 1);
  }
  free(data);
  return r;
}

static inline reply send_raw(const pc_view *view, const void *data, size_t size)
{
  int s = dial(view);
  put(s, data, size);
  reply r = take_reply(s);
  close(s);
  return r;
}

// A request with `path` as it is and these further lines, each with its end.
static inline reply ask(const pc_view *view, const char *method, const char *path,
                        const char *lines)
{
  char text[20000];
  int length = snprintf(text, sizeof text, "%s %s HTTP/1.1\r\n%sConnection: close\r\n\r\n", method,
                        path, lines);
  assert_true(length < (int)sizeof text);
  return send_raw(view, text, (size_t)length);
}

static inline reply get(const pc_view *view, const char *what)
{
  char path[4000], lines[100];
  snprintf(path, sizeof path, "%s%s", token_of(view), what);
  snprintf(lines, sizeof lines, "Host: 127.0.0.1:%d\r\nAccept-Encoding: gzip\r\n", port_of(view));
  return ask(view, "GET", path, lines);
}

static inline void expect(const pc_view *view, const char *what, int status)
{
  reply r = get(view, what);
  if (r.status != status)
    fail_msg("%s: status %d, not %d", what, r.status, status);
  if (status != 200) { // one line that says why
    assert_true(r.size > 1 && r.body[r.size - 1] == '\n');
    assert_ptr_equal(memchr(r.body, '\n', r.size), r.body + r.size - 1);
  }
  free(r.body);
}

static inline pc_view *open_view(const char *path, int connections, double timeout_s)
{
  pc_error error = {.status = PC_OK};
  pc_view_options options = {.path = path, .connections = connections, .timeout_s = timeout_s};
  pc_view *view = pc_view_open(&options, &error);
  if (view == NULL)
    fail_msg("%s", error.text);
  return view;
}

static inline void sleep_a_little(void)
{
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

enum {
  SHORT_S = 3,     // a time limit of the server that a test can wait for
  PATIENCE_S = 120 // how long a test waits on a machine that does other work
};

// As `expect` of 200, where the server's limit is short: a machine that does other work may keep a
// whole request waiting beyond it.
static inline void expect_answer(const pc_view *view, const char *what)
{
  double began = pc_clock_seconds();
  int status = 0;
  while (status != 200 && pc_clock_seconds() - began < PATIENCE_S) {
    reply r = get(view, what);
    status = r.status;
    free(r.body);
  }
  assert_int_equal(status, 200);
}

static inline bool is_closed(int s)
{
  char byte;
  ssize_t count = recv(s, &byte, 1, MSG_DONTWAIT);
  return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

#endif
