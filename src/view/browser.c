// Messages are JSON, each ends with a zero byte. The browser reads them from its file 3 and writes
// to its file 4.
#define _GNU_SOURCE // nftw, pipe2, asprintf
#include "percuss/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "core/process.h"
#include "core/written.h"

enum { PATIENCE_S = 120, MOST_BYTES = 1 << 28 };

struct pc_browser {
  bool (*is_cancelled)(void);
  pid_t process;
  int to, from; // pipes
  char folder[64];
  char *session; // of the page, as JSON; NULL: none yet
  long requests;
  char *buffer; // what was read and not used
  size_t length, room;
};

static const char *skip_space(const char *at)
{
  return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at) // at its first quote
{
  for (at++; *at != 0 && *at != '"'; at++)
    if (*at == '\\' && at[1] != 0)
      at++;
  return *at != 0 ? at + 1 : at;
}

static const char *skip_value(const char *at)
{
  at = skip_space(at);
  if (*at == '"')
    return skip_string(at);
  if (*at != '{' && *at != '[')
    return at + strcspn(at, ",]} \t\r\n");
  int depth = 0;
  while (*at != 0) {
    depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    at = *at == '"' ? skip_string(at) : at + 1;
    if (depth == 0)
      break;
  }
  return at;
}

// The value of a key of the object; NULL if there is none.
static const char *find_key(const char *at, const char *key)
{
  at = at != NULL ? skip_space(at) : "";
  if (*at != '{')
    return NULL;
  for (at = skip_space(at + 1); *at == '"';) {
    const char *name = at + 1, *value = skip_space(skip_string(at));
    if (*value != ':')
      return NULL;
    value = skip_space(value + 1);
    if (strncmp(name, key, strlen(key)) == 0 && name[strlen(key)] == '"')
      return value;
    at = skip_space(skip_value(value));
    at = *at == ',' ? skip_space(at + 1) : at;
  }
  return NULL;
}

static char *copy_value(const char *value)
{
  return value != NULL ? strndup(value, (size_t)(skip_value(value) - value)) : NULL;
}

// The first line of a string, for a message; escapes stay as they are, but for quotes.
static void copy_line(const char *value, char *line, size_t size)
{
  size_t n = 0;
  if (value != NULL && *value == '"')
    for (value++; *value != 0 && *value != '"' && n + 1 < size; value++) {
      if (*value == '\\' && value[1] == 'n')
        break;
      value += *value == '\\' && value[1] != 0;
      line[n++] = *value;
    }
  line[n] = 0;
}

// Reads until the next message is complete. It stays valid until the next call.
static char *receive(pc_browser *browser, double until, pc_error *error)
{
  size_t looked = 0;
  for (;;) {
    char *end = memchr(browser->buffer + looked, 0, browser->length - looked);
    if (browser->length > 0 && end != NULL)
      return browser->buffer;
    looked = browser->length;
    if (browser->is_cancelled != NULL && browser->is_cancelled()) {
      pc_fail(error, PC_ERROR_IO, "stopped");
      return NULL;
    }
    if (browser->length + 65536 > browser->room) {
      size_t room = 2 * browser->room;
      char *grown = room <= MOST_BYTES ? realloc(browser->buffer, room) : NULL;
      if (grown == NULL) {
        pc_fail(error, PC_ERROR_MEMORY, "out of memory");
        return NULL;
      }
      browser->buffer = grown;
      browser->room = room;
    }
    struct pollfd wait = {.fd = browser->from, .events = POLLIN};
    double left = until - pc_clock_seconds();
    int ready = left > 0 ? poll(&wait, 1, (int)(1000 * left) + 1) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready == 0) {
      pc_fail(error, PC_ERROR_IO, "the browser does not respond");
      return NULL;
    }
    ssize_t count =
        read(browser->from, browser->buffer + browser->length, browser->room - browser->length);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      pc_fail(error, PC_ERROR_IO, "the browser stopped; check that 'chromium --headless' works");
      return NULL;
    }
    browser->length += (size_t)count;
  }
}

static void drop_message(pc_browser *browser)
{
  size_t size = strlen(browser->buffer) + 1;
  memmove(browser->buffer, browser->buffer + size, browser->length - size);
  browser->length -= size;
}

// Sends a request with its parameters, an object as JSON. The result is in the buffer until the
// caller drops it.
static const char *request(pc_browser *browser, const char *method, const char *parameters,
                           pc_error *error)
{
  char *text = NULL;
  long id = ++browser->requests;
  int length = asprintf(&text, "{\"id\":%ld,\"method\":\"%s\",\"params\":%s%s%s}", id, method,
                        parameters, browser->session != NULL ? ",\"sessionId\":" : "",
                        browser->session != NULL ? browser->session : "");
  if (length < 0) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  bool sent = pc_file_write(browser->to, text, (size_t)length + 1);
  free(text);
  if (!sent) {
    pc_fail(error, PC_ERROR_IO, "the browser stopped; check that 'chromium --headless' works");
    return NULL;
  }
  double until = pc_clock_seconds() + PATIENCE_S;
  for (;;) {
    const char *message = receive(browser, until, error);
    if (message == NULL)
      return NULL;
    const char *number = find_key(message, "id");
    if (number != NULL && atol(number) == id) {
      const char *failure = find_key(message, "error");
      if (failure == NULL)
        return find_key(message, "result");
      char line[200];
      copy_line(find_key(failure, "message"), line, sizeof line);
      drop_message(browser);
      pc_fail(error, PC_ERROR_IO, "the browser: %s", line);
      return NULL;
    }
    drop_message(browser); // an event
  }
}

static pc_status command(pc_browser *browser, const char *method, const char *parameters,
                         pc_error *error)
{
  if (request(browser, method, parameters, error) == NULL)
    return error->status;
  drop_message(browser);
  return PC_OK;
}

// Pipes with numbers above 3 and 4, which the browser's ends become.
static bool make_pipe(int ends[2])
{
  int made[2];
  if (pipe2(made, O_CLOEXEC) != 0)
    return false;
  for (int i = 0; i < 2; i++) {
    ends[i] = fcntl(made[i], F_DUPFD_CLOEXEC, 10);
    close(made[i]);
  }
  return ends[0] >= 0 && ends[1] >= 0;
}

static void close_file(int *file)
{
  if (*file >= 0)
    close(*file);
  *file = -1;
}

static bool spawn(pc_browser *browser, int reads, int writes)
{
  static const char *const names[] = {"chromium", "chromium-browser", "google-chrome",
                                      "google-chrome-stable"};
  char folder[100];
  snprintf(folder, sizeof folder, "--user-data-dir=%s", browser->folder);
  // There is no sandbox for root; the page is our own.
  const char *arguments[] = {"",
                             "--headless",
                             "--disable-gpu",
                             "--enable-unsafe-swiftshader",
                             "--remote-debugging-pipe",
                             "--no-first-run",
                             "--no-proxy-server",
                             "--disable-background-networking",
                             "--disable-component-update",
                             "--disable-default-apps",
                             "--disable-dev-shm-usage",
                             "--disable-extensions",
                             "--disable-quic",
                             "--disable-sync",
                             "--force-color-profile=srgb",
                             "--hide-scrollbars",
                             "--mute-audio",
                             folder,
                             geteuid() == 0 ? "--no-sandbox" : "about:blank",
                             NULL};
  bool started = false;
  for (size_t i = 0; i < sizeof names / sizeof *names && !started; i++) {
    arguments[0] = names[i];
    started = pc_process_start(&browser->process, arguments, true, 2,
                               (const int[][2]){{reads, 3}, {writes, 4}}) == 0;
  }
  return started;
}

static pc_status launch(pc_browser *browser, pc_error *error)
{
  const char *place = getenv("TMPDIR");
  int length = snprintf(browser->folder, sizeof browser->folder, "%s/percuss-browser-XXXXXX",
                        place != NULL && *place != 0 ? place : "/tmp");
  if (length >= (int)sizeof browser->folder)
    strcpy(browser->folder, "/tmp/percuss-browser-XXXXXX");
  if (mkdtemp(browser->folder) == NULL) {
    pc_fail(error, PC_ERROR_IO, "%s: %s", browser->folder, strerror(errno));
    *browser->folder = 0;
    return error->status;
  }
  int to[2] = {-1, -1}, from[2] = {-1, -1};
  bool piped = make_pipe(to) && make_pipe(from);
  bool started = piped && spawn(browser, to[0], from[1]);
  close_file(&to[0]);
  close_file(&from[1]);
  browser->to = to[1];
  browser->from = from[0];
  if (!piped)
    return pc_fail(error, PC_ERROR_IO, "cannot create a pipe: %s", strerror(errno));
  return started ? PC_OK
                 : pc_fail(error, PC_ERROR_IO,
                           "pictures need Chromium, but none of chromium, chromium-browser and "
                           "google-chrome is installed; on Debian: apt-get install chromium");
}

static pc_status make_page(pc_browser *browser, int width, int height, pc_error *error)
{
  char text[300];
  const char *result = request(browser, "Target.createTarget", "{\"url\":\"about:blank\"}", error);
  if (result == NULL)
    return error->status;
  char *target = copy_value(find_key(result, "targetId"));
  drop_message(browser);
  snprintf(text, sizeof text, "{\"targetId\":%.100s,\"flatten\":true}",
           target != NULL ? target : "\"\"");
  free(target);
  result = request(browser, "Target.attachToTarget", text, error);
  if (result == NULL)
    return error->status;
  char *session = copy_value(find_key(result, "sessionId"));
  drop_message(browser);
  if (session == NULL)
    return pc_fail(error, PC_ERROR_IO, "the browser opened no page");
  browser->session = session;
  snprintf(text, sizeof text,
           "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}", width, height);
  pc_status status = command(browser, "Emulation.setDeviceMetricsOverride", text, error);
  return status == PC_OK ? command(browser, "Page.enable", "{}", error) : status;
}

enum { MOST_PIXELS = 16384 };

pc_browser *pc_browser_start(int width, int height, bool (*is_cancelled)(void), pc_error *error)
{
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  if (width < 1 || height < 1 || width > MOST_PIXELS || height > MOST_PIXELS) {
    pc_fail(error, PC_ERROR_ARGUMENT,
            "width and height must be from 1 to %d pixels (got %d and %d)", MOST_PIXELS, width,
            height);
    return NULL;
  }
  pc_browser *browser = calloc(1, sizeof *browser);
  if (browser == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  browser->is_cancelled = is_cancelled;
  browser->to = browser->from = -1;
  browser->room = 1 << 20;
  browser->buffer = malloc(browser->room);
  pc_status status = browser->buffer != NULL ? launch(browser, error)
                                             : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK)
    status = make_page(browser, width, height, error);
  if (status == PC_OK)
    return browser;
  pc_browser_close(browser);
  return NULL;
}

static int remove_entry(const char *path, const struct stat *state, int kind, struct FTW *place)
{
  remove(path);
  return 0;
}

static bool has_ended(pid_t process, double seconds)
{
  double until = pc_clock_seconds() + seconds;
  while (waitpid(process, NULL, WNOHANG) == 0) {
    if (pc_clock_seconds() > until)
      return false;
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  return true;
}

void pc_browser_close(pc_browser *browser)
{
  if (browser == NULL)
    return;
  close_file(&browser->to); // it ends when the pipe is closed
  close_file(&browser->from);
  if (browser->process > 0) {
    bool ended = has_ended(browser->process, 3);
    kill(-browser->process, SIGKILL); // it, and what it started
    if (!ended)
      waitpid(browser->process, NULL, 0);
  }
  for (int i = 0; i < 3 && *browser->folder != 0; i++) // helpers may still be writing
    if (nftw(browser->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS) != 0 ||
        access(browser->folder, F_OK) != 0)
      break;
  free(browser->session);
  free(browser->buffer);
  free(browser);
}

// A text as JSON; the caller frees it.
static char *quote(const char *text)
{
  pc_written quoted;
  if (!pc_written_begin(&quoted))
    return NULL;
  pc_json_string(&(pc_json){.file = quoted.to}, text);
  return pc_written_end(&quoted);
}

// Parameters with one text in them.
static char *parameters_with(const char *before, const char *text, const char *after)
{
  char *quoted = quote(text), *all = NULL;
  if (quoted != NULL && asprintf(&all, "{%s%s%s}", before, quoted, after) < 0)
    all = NULL;
  free(quoted);
  return all;
}

static pc_status no_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

pc_status pc_browser_open(pc_browser *browser, const char *address, pc_error *error)
{
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  if (browser == NULL || address == NULL)
    return pc_fail_null(error, "the browser and the address");
  char *parameters = parameters_with("\"url\":", address, "");
  if (parameters == NULL)
    return no_memory(error);
  const char *result = request(browser, "Page.navigate", parameters, error);
  free(parameters);
  if (result == NULL)
    return error->status;
  char line[200];
  copy_line(find_key(result, "errorText"), line, sizeof line);
  drop_message(browser);
  if (*line != 0)
    return pc_fail(error, PC_ERROR_IO, "the browser cannot open the page: %s", line);
  double until = pc_clock_seconds() + PATIENCE_S;
  for (bool loaded = false; !loaded;) {
    const char *message = receive(browser, until, error);
    if (message == NULL)
      return error->status;
    copy_line(find_key(message, "method"), line, sizeof line);
    loaded = strcmp(line, "Page.loadEventFired") == 0;
    drop_message(browser);
  }
  return PC_OK;
}

char *pc_browser_evaluate(pc_browser *browser, const char *expression, pc_error *error)
{
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  if (browser == NULL || expression == NULL) {
    pc_fail_null(error, "the browser and the expression");
    return NULL;
  }
  char *parameters = parameters_with(
      "\"awaitPromise\":true,\"returnByValue\":true,\"expression\":", expression, "");
  if (parameters == NULL) {
    no_memory(error);
    return NULL;
  }
  const char *result = request(browser, "Runtime.evaluate", parameters, error);
  free(parameters);
  if (result == NULL)
    return NULL;
  char *value = NULL;
  const char *thrown = find_key(result, "exceptionDetails");
  if (thrown != NULL) {
    char line[300];
    copy_line(find_key(find_key(thrown, "exception"), "description"), line, sizeof line);
    if (*line == 0)
      copy_line(find_key(thrown, "text"), line, sizeof line);
    // "Class: message". The page throws plain errors for what it is asked for in vain.
    const char *end = strstr(line, ": ");
    bool plain = end == line + strlen("Error") && strncmp(line, "Error", strlen("Error")) == 0;
    pc_fail(error, plain ? PC_ERROR_INPUT : PC_ERROR_IO, "%s", end != NULL ? end + 2 : line);
  } else {
    value = copy_value(find_key(find_key(result, "result"), "value"));
    if (value == NULL && (value = strdup("null")) == NULL)
      no_memory(error);
  }
  drop_message(browser);
  return value;
}

// Base64 up to the closing quote; its bytes.
static size_t decode(const char *text, unsigned char *out)
{
  size_t n = 0;
  unsigned bits = 0;
  int count = 0;
  for (; *text != 0 && *text != '"' && *text != '='; text++) {
    char c = *text;
    int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                : c >= 'a' && c <= 'z' ? c - 'a' + 26
                : c >= '0' && c <= '9' ? c - '0' + 52
                : c == '+'             ? 62
                                       : 63;
    bits = bits << 6 | (unsigned)digit;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out[n++] = (unsigned char)(bits >> count);
    }
  }
  return n;
}

unsigned char *pc_browser_picture(pc_browser *browser, bool quick, size_t *size, pc_error *error)
{
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  if (browser == NULL || size == NULL) {
    pc_fail_null(error, "the browser and the size");
    return NULL;
  }
  const char *parameters =
      quick ? "{\"format\":\"png\",\"optimizeForSpeed\":true}" : "{\"format\":\"png\"}";
  const char *result = request(browser, "Page.captureScreenshot", parameters, error);
  if (result == NULL)
    return NULL;
  const char *data = find_key(result, "data");
  unsigned char *picture = data != NULL ? malloc(strlen(data)) : NULL;
  if (picture == NULL)
    pc_fail(error, PC_ERROR_IO, "the browser returned no picture");
  else
    *size = decode(data + 1, picture);
  drop_message(browser);
  return picture;
}
