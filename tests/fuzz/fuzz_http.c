// Requests, as the viewer's server gets them. libmicrohttpd is not what is tried here, and sockets
// are slow, so this file stands in its place: it takes a request apart as libmicrohttpd does (line,
// arguments, headers), calls what the server gave it, and looks at the answer. `TOKEN` in an
// address is the token.
#define _GNU_SOURCE
#include <microhttpd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz.h"
#include "percuss/view.h"
#include "record/record.h"
#include "view/answers.h"
#include "view/pages.h"

enum { MOST = 64 }; // arguments and headers

static void must(bool fine, const char *what)
{
  if (!fine) {
    fprintf(stderr, "%s\n", what);
    abort();
  }
}

typedef size_t (*unescape_callback)(void *context, struct MHD_Connection *connection, char *text);

// Its type of data that is sent became const.
#if MHD_VERSION >= 0x00097700
typedef const void *sent_data;
#else
typedef void *sent_data;
#endif

struct MHD_Daemon {
  MHD_AccessHandlerCallback handle;
  MHD_NotifyConnectionCallback note_guest;
  MHD_RequestCompletedCallback note_end;
  unescape_callback unescape;
  void *view;
  union MHD_DaemonInfo info;
};

typedef struct pair {
  const char *key, *value; // NULL: none
} pair;

struct MHD_Connection {
  pair arguments[MOST], headers[MOST];
  int argument_count, header_count;
  union MHD_ConnectionInfo socket, guest;
  struct MHD_Response *response;
  unsigned status;
};

struct MHD_Response {
  size_t size;
  const char *data;
  const char *type;
  MHD_ContentReaderFreeCallback free;
  void *context;
  int owners;
};

static struct MHD_Daemon server;

struct MHD_Daemon *MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept,
                                    void *accept_context, MHD_AccessHandlerCallback handle,
                                    void *context, ...)
{
  server = (struct MHD_Daemon){.handle = handle, .view = context};
  va_list options;
  va_start(options, context);
  for (int option; (option = va_arg(options, int)) != MHD_OPTION_END;)
    switch (option) {
    case MHD_OPTION_NOTIFY_CONNECTION:
      server.note_guest = va_arg(options, MHD_NotifyConnectionCallback);
      va_arg(options, void *);
      break;
    case MHD_OPTION_NOTIFY_COMPLETED:
      server.note_end = va_arg(options, MHD_RequestCompletedCallback);
      va_arg(options, void *);
      break;
    case MHD_OPTION_UNESCAPE_CALLBACK:
      server.unescape = va_arg(options, unescape_callback);
      va_arg(options, void *);
      break;
    case MHD_OPTION_EXTERNAL_LOGGER:
      va_arg(options, void *);
      va_arg(options, void *);
      break;
    case MHD_OPTION_SOCK_ADDR:
      va_arg(options, void *);
      break;
    case MHD_OPTION_CONNECTION_MEMORY_LIMIT:
    case MHD_OPTION_THREAD_STACK_SIZE:
      va_arg(options, size_t);
      break;
    case MHD_OPTION_CONNECTION_LIMIT:
    case MHD_OPTION_CONNECTION_TIMEOUT:
    case MHD_OPTION_STRICT_FOR_CLIENT:
      va_arg(options, unsigned);
      break;
    default:
      must(false, "an option of libmicrohttpd that is not known here");
    }
  va_end(options);
  return &server;
}

void MHD_stop_daemon(struct MHD_Daemon *daemon) {}

const union MHD_DaemonInfo *MHD_get_daemon_info(struct MHD_Daemon *daemon,
                                                enum MHD_DaemonInfoType type, ...)
{
  return &daemon->info;
}

const union MHD_ConnectionInfo *MHD_get_connection_info(struct MHD_Connection *connection,
                                                        enum MHD_ConnectionInfoType type, ...)
{
  return type == MHD_CONNECTION_INFO_CONNECTION_FD ? &connection->socket : &connection->guest;
}

int MHD_get_connection_values(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                              MHD_KeyValueIterator iterator, void *context)
{
  for (int i = 0; i < connection->header_count; i++)
    iterator(context, kind, connection->headers[i].key, connection->headers[i].value);
  return connection->header_count;
}

const char *MHD_lookup_connection_value(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                                        const char *key)
{
  bool header = kind == MHD_HEADER_KIND;
  const pair *all = header ? connection->headers : connection->arguments;
  int count = header ? connection->header_count : connection->argument_count;
  for (int i = 0; i < count; i++)
    if (strcasecmp(all[i].key, key) == 0)
      return all[i].value;
  return NULL;
}

struct MHD_Response *MHD_create_response_from_buffer(size_t size, void *data,
                                                     enum MHD_ResponseMemoryMode mode)
{
  return MHD_create_response_from_buffer_with_free_callback_cls(size, data, NULL, NULL);
}

struct MHD_Response *MHD_create_response_from_buffer_with_free_callback_cls(
    size_t size, sent_data data, MHD_ContentReaderFreeCallback release, void *context)
{
  struct MHD_Response *response = malloc(sizeof *response);
  must(response != NULL, "out of memory");
  *response = (struct MHD_Response){
      .size = size, .data = data, .free = release, .context = context, .owners = 1};
  return response;
}

enum MHD_Result MHD_add_response_header(struct MHD_Response *response, const char *name,
                                        const char *value)
{
  must(name != NULL && value != NULL && strpbrk(value, "\r\n") == NULL, "a bad header");
  if (strcmp(name, "Content-Type") == 0)
    response->type = value;
  return MHD_YES;
}

enum MHD_Result MHD_queue_response(struct MHD_Connection *connection, unsigned status,
                                   struct MHD_Response *response)
{
  must(connection->response == NULL, "two answers to one request");
  connection->status = status;
  connection->response = response;
  response->owners++;
  return MHD_YES;
}

void MHD_destroy_response(struct MHD_Response *response)
{
  if (--response->owners > 0)
    return;
  if (response->free != NULL)
    response->free(response->context);
  free(response);
}

// In place of the page, which is no small thing to build.
const pc_page *pc_page_find(const char *name, pc_page *page)
{
  *page = (pc_page){name, "text/html", (const unsigned char *)"page", 4};
  return *name == 0 || strcmp(name, "main.js") == 0 ? page : NULL;
}

static char path[64]; // of the run

static void forget(void)
{
  unlink(path);
}

// All types and numbers of dimensions, what grows and what does not, ragged data, texts.
static void write_run(void)
{
  enum { FRAMES = 5 };
  snprintf(path, sizeof path, "/dev/shm/percuss-fuzz-http-%d", (int)getpid());
  atexit(forget);
  pc_error error = {0};
  pc_record *record = pc_record_create(path, &error);
  must(record != NULL, error.text);
  static const double numbers[24] = {1, -2, 3e300, 0.5, -0.0, 1e-300};
  static const long sizes[4] = {2, 3, 2, 2};
  static const uint8_t letters[4] = {1, 0, 255};
  pc_record_text(record, "kind", "rigid");
  pc_record_text(record, "scene/text", "kind: rigid\n# \xc3\xa9\n");
  pc_record_array(record, "bodies/mass", PC_RECORD_DOUBLE, 1, sizes, numbers);
  pc_record_array(record, "bodies/four", PC_RECORD_FLOAT, 4, sizes, numbers);
  pc_record_array(record, "bodies/flag", PC_RECORD_BYTE, 1, sizes, letters);
  pc_record_describe(record, "bodies/mass", "of each", "kg");
  int place = pc_record_add(record, "frames/position", PC_RECORD_FLOAT, 2, 3, "places", "m");
  int time = pc_record_series(record, "frames/time", PC_RECORD_DOUBLE, 1, 1);
  int step = pc_record_series(record, "steps/count", PC_RECORD_LONG, 1, 1);
  int contact = pc_record_ragged(record, "contacts", 1,
                                 &(pc_record_item){"pair", PC_RECORD_INT, 1, 2, NULL, NULL, NULL});
  must(pc_record_start(record) == PC_OK, pc_record_error(record));
  for (int frame = 0; frame < FRAMES; frame++) {
    static const int32_t pairs[2 * FRAMES];
    pc_record_append(record, place, numbers);
    pc_record_append(record, time, &(double){0.1 * frame});
    int64_t number = frame == 2 ? INT64_MIN : frame;
    for (int i = 0; i < 20; i++)
      pc_record_append(record, step, &number);
    pc_record_append_ragged(record, contact, frame, (const void *const[]){pairs});
  }
  must(pc_record_close(record, 1, &error) == PC_OK, error.text);
}

static pc_view *open_view(void)
{
  pc_error error = {0};
  write_run();
  pc_view *view = pc_view_open(&(pc_view_options){.path = path}, &error);
  must(view != NULL && server.handle != NULL && server.note_guest != NULL &&
           server.note_end != NULL && server.unescape != NULL,
       error.text);
  return view;
}

// Arguments: a plus is a blank, and then the server's own way with %.
static void unescape(struct MHD_Connection *connection, char *text)
{
  for (char *c = text; (c = strchr(c, '+')) != NULL;)
    *c = ' ';
  server.unescape(server.view, connection, text);
}

// key=value&key=...
static void take_arguments(struct MHD_Connection *connection, char *text)
{
  for (char *next; text != NULL && connection->argument_count < MOST; text = next) {
    next = strchr(text, '&');
    if (next != NULL)
      *next++ = 0;
    char *value = strchr(text, '=');
    if (value != NULL) {
      *value++ = 0;
      unescape(connection, value);
    }
    unescape(connection, text);
    connection->arguments[connection->argument_count++] = (pair){text, value};
  }
}

static void take_headers(struct MHD_Connection *connection, char *text)
{
  for (char *next; text != NULL && *text != 0 && connection->header_count < MOST; text = next) {
    next = strchr(text, '\n');
    if (next != NULL)
      *next++ = 0;
    text[strcspn(text, "\r")] = 0;
    char *value = strchr(text, ':');
    if (value == NULL)
      break;
    *value++ = 0;
    value += strspn(value, " \t");
    connection->headers[connection->header_count++] = (pair){text, value};
  }
}

static void check(const struct MHD_Connection *connection)
{
  static const unsigned fine[] = {200, 400, 403, 404, 405, 406};
  bool known = false;
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
    known = known || connection->status == fine[i];
  must(known, "a status that a whole run does not give");
  const struct MHD_Response *response = connection->response;
  must(response->size <= PC_ANSWER_MOST, "an answer of more than 4 MiB");
  must(response->type != NULL, "an answer without a type");
  unsigned sum = 0; // all of it can be read
  for (size_t i = 0; i < response->size; i++)
    sum += (unsigned char)response->data[i];
  if (connection->status != 200)
    must(sum > 0 &&
             memchr(response->data, '\n', response->size) == response->data + response->size - 1,
         "a refusal is one line");
}

static void ask(char *method, char *url, char *headers, int socket)
{
  struct MHD_Connection connection = {.socket.connect_fd = socket};
  void *guest = NULL, *request = NULL;
  size_t upload = 0;
  server.note_guest(server.view, &connection, &guest, MHD_CONNECTION_NOTIFY_STARTED);
  connection.guest.socket_context = guest;
  char *arguments = strchr(url, '?');
  if (arguments != NULL)
    *arguments++ = 0;
  take_arguments(&connection, arguments);
  take_headers(&connection, headers);
  server.unescape(server.view, &connection, url);
  for (int call = 0; call < 2 && connection.response == NULL; call++)
    must(server.handle(server.view, &connection, url, method, "HTTP/1.1", NULL, &upload,
                       &request) == MHD_YES,
         "the server gives up");
  must(connection.response != NULL, "no answer");
  check(&connection);
  MHD_destroy_response(connection.response);
  server.note_end(server.view, &connection, &request, MHD_REQUEST_TERMINATED_COMPLETED_OK);
  server.note_guest(server.view, &connection, &guest, MHD_CONNECTION_NOTIFY_CLOSED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static pc_view *view;
  static int sockets[2];
  static char token[64];
  if (view == NULL) {
    view = open_view();
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0, "no sockets");
    const char *address = pc_view_address(view), *last = strrchr(address, '/');
    snprintf(token, sizeof token, "%.*s", 32, last - 32);
  }
  char *method = fuzz_text(data, size); // URL VERSION, then lines of headers
  char *headers = strchr(method, '\n');
  if (headers != NULL)
    *headers++ = 0;
  char *url = strchr(method, ' ');
  if (url != NULL) {
    *url++ = 0;
    url[strcspn(url, " \r")] = 0;
    bool known = strncmp(url, "/TOKEN", 6) == 0;
    char *whole = malloc(strlen(url) + sizeof token);
    must(whole != NULL, "out of memory");
    sprintf(whole, "%s%s%s", known ? "/" : "", known ? token : "", url + (known ? 6 : 0));
    ask(method, whole, headers, sockets[0]);
    free(whole);
  }
  free(method);
  return 0;
}
