// The server: sockets, access and time limits. Knows nothing of files of runs.
//
// Every connection has its own thread, so that a slow client, or an answer that takes long to read,
// does not delay the others. libmicrohttpd drops a silent connection; guests.h drops those that are
// not done in time, and makes room when there are too many.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "core/plain.h"
#include "percuss/view.h"
#include "view/answers.h"
#include "view/guests.h"
#include "view/pages.h"

enum {
  TOKEN = 32,              // hexadecimal digits
  CONNECTIONS = 128,       // unless told otherwise
  TIMEOUT_S = 30,          // the same
  ANSWER_FACTOR = 10,      // to take an answer, times the timeout
  REQUEST_BYTES = 1 << 15, // line and headers
  STACK_BYTES = 1 << 19,   // of a thread
  LEAVING = 64,            // connections that are ended and still there, beside the others
};

struct pc_view {
  struct MHD_Daemon *daemon;
  pc_answers *answers;
  char token[TOKEN + 1];
  char address[80];
  double timeout_s;
  pc_guests *guests;
};

// NULL: none, because memory was out when it came; the connection is over then.
static pc_guest *guest_of(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info != NULL ? info->socket_context : NULL;
}

static void allow(pc_view *view, struct MHD_Connection *connection, double seconds)
{
  pc_guest *guest = guest_of(connection);
  if (guest != NULL)
    pc_guests_allow(view->guests, guest, seconds);
}

static int socket_of(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info != NULL ? info->connect_fd : -1;
}

// Connections start and end. One that ends leaves before its socket is closed.
static void note_guest(void *context, struct MHD_Connection *connection, void **socket_context,
                       enum MHD_ConnectionNotificationCode code)
{
  pc_view *view = context;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    *socket_context = pc_guests_enter(view->guests, socket_of(connection));
  } else if (*socket_context != NULL) {
    pc_guests_leave(view->guests, *socket_context);
    *socket_context = NULL;
  }
}

// An answer is taken: the next request may come.
static void note_end(void *context, struct MHD_Connection *connection, void **request,
                     enum MHD_RequestTerminationCode code)
{
  pc_view *view = context;
  *request = NULL;
  allow(view, connection, view->timeout_s);
}

static enum MHD_Result queue(struct MHD_Connection *connection, int status, const char *type,
                             struct MHD_Response *response)
{
  static const struct {
    const char *name, *value;
  } headers[] = {
      {"Content-Security-Policy",
       "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
       "script-src 'self'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Cache-Control", "no-store"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Referrer-Policy", "no-referrer"},
  };
  if (response == NULL)
    return MHD_NO; // out of memory: the connection is closed
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    MHD_add_response_header(response, headers[i].name, headers[i].value);
  MHD_add_response_header(response, "Content-Type", type);
  if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
    MHD_add_response_header(response, "Allow", "GET, HEAD");
  enum MHD_Result result = MHD_queue_response(connection, (unsigned)status, response);
  MHD_destroy_response(response);
  return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, int status, const char *why)
{
  return queue(
      connection, status, "text/plain; charset=utf-8",
      MHD_create_response_from_buffer(strlen(why), (void *)(uintptr_t)why, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result send_page(struct MHD_Connection *connection, const pc_page *page)
{
  const char *accepted =
      MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Accept-Encoding");
  if (accepted == NULL || strstr(accepted, "gzip") == NULL)
    return refuse(connection, MHD_HTTP_NOT_ACCEPTABLE,
                  "the page is available with gzip encoding only\n");
  struct MHD_Response *response = MHD_create_response_from_buffer(
      page->size, (void *)(uintptr_t)page->data, MHD_RESPMEM_PERSISTENT);
  if (response != NULL)
    MHD_add_response_header(response, "Content-Encoding", "gzip");
  return queue(connection, MHD_HTTP_OK, page->type, response);
}

static const char *find_argument(void *context, const char *key)
{
  return MHD_lookup_connection_value(context, MHD_GET_ARGUMENT_KIND, key);
}

static bool is_dropped(void *context)
{
  const pc_guest *guest = guest_of(context);
  return guest == NULL || pc_guest_is_dropped(guest);
}

static bool is_wanted(void *context)
{
  char byte;
  ssize_t count = recv(socket_of(context), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

// An answer on its way, freed when it is sent or the connection ends.
typedef struct parcel {
  pc_answers *answers;
  pc_answer answer;
} parcel;

static void free_parcel(void *context)
{
  parcel *p = context;
  pc_answer_free(p->answers, &p->answer);
  free(p);
}

static enum MHD_Result send_answer(pc_view *view, struct MHD_Connection *connection,
                                   const char *name)
{
  parcel *p = calloc(1, sizeof *p);
  if (p == NULL)
    return MHD_NO;
  p->answers = view->answers;
  const pc_question question = {name, find_argument, is_wanted, is_dropped, connection};
  pc_answers_give(view->answers, &question, &p->answer);
  struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback_cls(
      p->answer.size, p->answer.data, free_parcel, p);
  if (response == NULL) {
    free_parcel(p);
    return MHD_NO;
  }
  return queue(connection, p->answer.status, p->answer.type, response);
}

// 127.0.0.1 or localhost with any port: over ssh it may differ. Pages of another host name or
// another origin are rejected.
static bool is_own_host(const char *host)
{
  static const char *const names[] = {"127.0.0.1", "localhost"};
  for (int i = 0; host != NULL && i < 2; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(host, names[i], length) != 0)
      continue;
    const char *port = host + length;
    size_t digits = *port == ':' ? strspn(port + 1, "0123456789") : 0;
    if (*port == 0 || (digits >= 1 && digits <= 5 && port[1 + digits] == 0))
      return true;
  }
  return false;
}

typedef struct headers {
  const char *host, *origin;
  int hosts, origins;
  bool body;
} headers;

static enum MHD_Result note_header(void *context, enum MHD_ValueKind kind, const char *key,
                                   const char *value)
{
  headers *h = context;
  if (pc_is_same_word(key, "Host")) {
    h->host = value;
    h->hosts++;
  } else if (pc_is_same_word(key, "Origin")) {
    h->origin = value;
    h->origins++;
  } else if (pc_is_same_word(key, "Content-Length") || pc_is_same_word(key, "Transfer-Encoding")) {
    h->body = true;
  }
  return MHD_YES;
}

static bool may_ask(const headers *h)
{
  if (h->hosts != 1 || !is_own_host(h->host) || h->origins > 1)
    return false;
  return h->origins == 0 || (h->origin != NULL && strncmp(h->origin, "http://", 7) == 0 &&
                             strcmp(h->origin + 7, h->host) == 0);
}

// What follows /TOKEN/ ; NULL if the token is wrong. Every wrong token takes the same time.
static const char *after_token(const pc_view *view, const char *url)
{
  size_t length = strlen(url);
  if (length < TOKEN + 2 || url[0] != '/' || url[TOKEN + 1] != '/')
    return NULL;
  unsigned char difference = 0;
  for (int i = 0; i < TOKEN; i++)
    difference |= (unsigned char)(url[1 + i] ^ view->token[i]);
  return difference == 0 ? url + TOKEN + 2 : NULL;
}

// Called when the headers are there, and again when the request is complete. A rejection at the
// first call closes the connection; valid requests have no body.
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload_data,
                              size_t *upload_size, void **request)
{
  pc_view *view = context;
  if (*request == NULL) {
    headers h = {0};
    *request = view;
    allow(view, connection, ANSWER_FACTOR * view->timeout_s);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, note_header, &h);
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
      return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
    if (!may_ask(&h))
      return refuse(connection, MHD_HTTP_FORBIDDEN, "requests from other sites are not allowed\n");
    return h.body
               ? refuse(connection, MHD_HTTP_BAD_REQUEST, "requests with a body are not allowed\n")
               : MHD_YES;
  }
  pc_page page;
  const char *name = after_token(view, url);
  if (name != NULL && strncmp(name, "api/", 4) == 0)
    return send_answer(view, connection, name + 4);
  if (name != NULL && pc_page_find(name, &page) != NULL)
    return send_page(connection, &page);
  return refuse(connection, MHD_HTTP_NOT_FOUND, "not found\n");
}

static int digit_of(char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// %2F and the like. A zero byte stays as it is written: it would end the text.
static size_t unescape(void *context, struct MHD_Connection *connection, char *text)
{
  char *to = text;
  for (const char *from = text; *from != 0; from++) {
    int high = *from == '%' ? digit_of(from[1]) : -1;
    int low = high >= 0 ? digit_of(from[2]) : -1;
    bool escaped = low >= 0 && (high > 0 || low > 0);
    *to++ = escaped ? (char)(16 * high + low) : *from;
    from += escaped ? 2 : 0;
  }
  *to = 0;
  return (size_t)(to - text);
}

static bool make_token(char token[TOKEN + 1])
{
  unsigned char bytes[TOKEN / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return false;
  for (int i = 0; i < TOKEN / 2; i++)
    snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

// Drops libmicrohttpd's own messages about odd requests.
static void say_nothing(void *context, const char *format, va_list arguments) {}

static struct sockaddr_in place_of(const pc_view_options *options)
{
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons((uint16_t)options->port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static pc_status fail_to_listen(const pc_view_options *options, int number, pc_error *error)
{
  if (number == ENOMEM || number == EAGAIN) // of a thread
    return pc_fail(error, PC_ERROR_MEMORY, "the viewer cannot listen: out of memory");
  const char *why = number != 0 ? strerror(number) : "no socket";
  if (options->port == 0)
    return pc_fail(error, PC_ERROR_IO, "the viewer cannot listen on this machine: %s", why);
  return pc_fail(error, PC_ERROR_IO, "cannot use port %d: %s", options->port, why);
}

pc_status pc_view_check(const pc_view_options *options, pc_error *error)
{
  if (options == NULL)
    return pc_fail_null(error, "the options of a view");
  if (options->port < 0 || options->port > 65535 || options->connections < 0 ||
      options->connections > 10000 || !(options->timeout_s >= 0 && options->timeout_s <= 3600))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the port must be from 0 to 65535, the number of connections from 0 to 10000 "
                   "and the timeout from 0 to 3600 s");
  struct sockaddr_in place = place_of(options);
  int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
  bool fine = file >= 0 && setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
              bind(file, (struct sockaddr *)&place, sizeof place) == 0;
  int number = errno;
  if (file >= 0)
    close(file);
  return fine ? PC_OK : fail_to_listen(options, number, error);
}

static pc_status start(pc_view *view, const pc_view_options *options, pc_error *error)
{
  struct sockaddr_in place = place_of(options);
  int connections = options->connections > 0 ? options->connections : CONNECTIONS;
  unsigned silent = (unsigned)(view->timeout_s < 1 ? 1 : view->timeout_s);
  view->guests = pc_guests_begin(connections, view->timeout_s);
  if (view->guests == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory: no thread can be started");
  errno = 0;
  view->daemon = MHD_start_daemon(
      MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ITC |
          MHD_USE_ERROR_LOG,
      0, NULL, NULL, handle, view, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
      MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&place, MHD_OPTION_CONNECTION_LIMIT,
      (unsigned)connections + LEAVING, MHD_OPTION_CONNECTION_TIMEOUT, silent,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES, MHD_OPTION_THREAD_STACK_SIZE,
      (size_t)STACK_BYTES, MHD_OPTION_NOTIFY_CONNECTION, note_guest, view,
      MHD_OPTION_NOTIFY_COMPLETED, note_end, view, MHD_OPTION_UNESCAPE_CALLBACK, unescape, view,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  const union MHD_DaemonInfo *info =
      view->daemon != NULL ? MHD_get_daemon_info(view->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
  if (info == NULL)
    return fail_to_listen(options, errno, error);
  snprintf(view->address, sizeof view->address, "http://127.0.0.1:%d/%s/", (int)info->port,
           view->token);
  return PC_OK;
}

// The threads of the server inherit the signals that are blocked here: a signal is for the caller's
// threads, but for those of a fault.
static pc_status start_without_signals(pc_view *view, const pc_view_options *options,
                                       pc_error *error)
{
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t all, before;
  sigfillset(&all);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    sigdelset(&all, faults[i]);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pc_status status = start(view, options, error);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return status;
}

pc_view *pc_view_open(const pc_view_options *options, pc_error *error)
{
  if (pc_view_check(options, error) != PC_OK)
    return NULL;
  if (options->path == NULL) {
    pc_fail(error, PC_ERROR_ARGUMENT, "a view needs the path of a run");
    return NULL;
  }
  pc_view *view = calloc(1, sizeof *view);
  if (view == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  view->timeout_s = options->timeout_s > 0 ? options->timeout_s : TIMEOUT_S;
  pc_status status = PC_OK;
  if (!make_token(view->token))
    status = pc_fail(error, PC_ERROR_IO, "the operating system provides no random numbers");
  if (status == PC_OK) {
    view->answers = pc_answers_open(options->path, error);
    status = view->answers != NULL ? start_without_signals(view, options, error) : PC_ERROR_INPUT;
  }
  if (status == PC_OK)
    return view;
  pc_view_close(view);
  return NULL;
}

const char *pc_view_address(const pc_view *view)
{
  if (view == NULL)
    return NULL;
  return view->address;
}

void pc_view_close(pc_view *view)
{
  if (view == NULL)
    return;
  if (view->guests != NULL)
    pc_guests_dismiss(view->guests); // without waiting for clients
  if (view->daemon != NULL)
    MHD_stop_daemon(view->daemon);
  if (view->guests != NULL)
    pc_guests_end(view->guests);
  pc_answers_close(view->answers);
  free(view);
}
