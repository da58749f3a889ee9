#define _GNU_SOURCE // strcasestr
#include "faults/visit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"

// Of which answers do not change with time.
static const char *const questions[] = {"",
                                        "api/text?name=kind",
                                        "api/text?name=scene/text",
                                        "api/rows?name=frames/time&as=f64",
                                        "api/rows?name=steps/time&as=f32&every=2",
                                        "api/curve?name=steps/kinetic&most=4"};
enum { QUESTIONS = sizeof questions / sizeof *questions };
// These have times, and are only asked.
static const char *const others[] = {"api/run", "api/state", "api/rows?name=nothing"};
enum { OTHERS = sizeof others / sizeof *others };

enum { MOST = 1 << 22, PATIENCE_S = 20 };

typedef struct reply {
  char *data; // with its head
  const char *body;
  size_t size; // of the body
} reply;

static int dial(int port)
{
  int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in to = {.sin_family = AF_INET,
                           .sin_port = htons((uint16_t)port),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct timeval limit = {.tv_sec = PATIENCE_S};
  setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (s >= 0 && connect(s, (struct sockaddr *)&to, sizeof to) == 0)
    return s;
  if (s >= 0)
    close(s);
  return -1;
}

// A whole answer of status 200; data is NULL otherwise.
static reply ask(const char *address, const char *question)
{
  int port = 0;
  char token[60] = "", request[500];
  if (sscanf(address, "http://127.0.0.1:%d/%50[0-9a-f]", &port, token) != 2)
    abort();
  reply r = {.data = malloc(MOST + 1)};
  int s = dial(port), length = snprintf(request, sizeof request,
                                        "GET /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                                        "Accept-Encoding: gzip\r\nConnection: close\r\n\r\n",
                                        token, question, port);
  size_t got = 0;
  if (s >= 0 && send(s, request, (size_t)length, MSG_NOSIGNAL) == length)
    for (ssize_t n; got < MOST && (n = recv(s, r.data + got, MOST - got, 0)) > 0;)
      got += (size_t)n;
  if (s >= 0)
    close(s);
  r.data[got] = 0;
  const char *end = strstr(r.data, "\r\n\r\n"), *size = strcasestr(r.data, "\r\nContent-Length:");
  if (strncmp(r.data, "HTTP/1.1 200 ", 13) == 0 && end != NULL && size != NULL && size < end) {
    r.body = end + 4;
    r.size = got - (size_t)(r.body - r.data);
    if (strtoul(size + 17, NULL, 10) == r.size)
      return r;
  }
  free(r.data);
  return (reply){0};
}

static void ask_all(const char *address, const char *path)
{
  FILE *to = fopen(path, "wb");
  if (to == NULL)
    abort();
  for (int i = 0; i < OTHERS; i++)
    free(ask(address, others[i]).data);
  for (int i = 0; i < QUESTIONS; i++) {
    reply r = ask(address, questions[i]);
    if (r.data == NULL)
      r = ask(address, questions[i]);
    long size = r.data != NULL ? (long)r.size : -1;
    fwrite(&size, sizeof size, 1, to);
    if (r.size > 0)
      fwrite(r.body, 1, r.size, to);
    free(r.data);
  }
  fclose(to);
}

static void beside(char path[PATH], const char *folder, const char *last)
{
  snprintf(path, PATH, "%s%s", folder, last);
}

static void read_start(const char *path, char *text, size_t size)
{
  FILE *file = fopen(path, "rb");
  size_t got = file != NULL ? fread(text, 1, size - 1, file) : 0;
  text[got] = 0;
  if (file != NULL)
    fclose(file);
}

static void empty_file(const char *path)
{
  FILE *file = fopen(path, "wb");
  if (file == NULL || fclose(file) != 0)
    abort();
}

static bool is_ended(pid_t child)
{
  siginfo_t info = {.si_pid = 0};
  return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == child;
}

// Whether the run is over that is computed beside the page: its summary or a complaint is there, or
// neither came for a while after the fault.
static bool is_over(const char *folder, double *since)
{
  char path[PATH], text[8000], complaint[2000];
  snprintf(path, sizeof path, "%s/stdout", folder);
  read_start(path, text, sizeof text);
  beside(path, folder, ".stderr");
  read_start(path, complaint, sizeof complaint);
  // What is said of a stopped run that is replaced is no complaint, and comes first.
  const char *notice = strstr(complaint, "this run starts again from 0");
  const char *rest = notice != NULL ? strchr(notice, '\n') : complaint;
  if (strstr(text, "\nfiles ") != NULL || (rest != NULL && rest[0] != 0 && strcmp(rest, "\n") != 0))
    return true;
  beside(path, folder, ".faults");
  faults_report report = {0};
  FILE *file = fopen(path, "rb");
  bool fault = file != NULL && fread(&report, sizeof report, 1, file) == 1 && report.failed > 0;
  if (file != NULL)
    fclose(file);
  double now = pc_clock_seconds();
  if (!fault || *since == 0)
    *since = now;
  return now - *since > PATIENCE_S;
}

ending visit_run(const char *folder, const char *arguments, const faults_report *asked)
{
  char path[PATH], address[200] = "", answers[PATH];
  bool run = strstr(arguments, ".yaml") != NULL && strstr(arguments, "figure") == NULL;
  double since = 0;
  beside(answers, folder, ".answers");
  remove(answers);
  // What an earlier program left there is not the address of this one.
  snprintf(path, sizeof path, "%s/stdout", folder);
  empty_file(path);
  beside(path, folder, ".stderr");
  empty_file(path);
  pid_t child = program_start(folder, arguments, asked);
  snprintf(path, sizeof path, "%s/stdout", folder);
  while (!is_ended(child)) {
    read_start(path, address, sizeof address);
    address[strcspn(address, "\n") + 1] = 0;
    bool told = strchr(address, '\n') != NULL && strncmp(address, "http", 4) == 0;
    if (told && (!run || is_over(folder, &since))) {
      ask_all(address, answers);
      kill(child, SIGTERM);
      break;
    }
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
  return program_wait(child, folder);
}

// The next answer of a file; its size is -1 if there was none. The caller frees it.
static char *next_answer(FILE *file, long *size)
{
  *size = -1;
  if (file == NULL || fread(size, sizeof *size, 1, file) != 1 || *size < 0)
    return NULL;
  char *text = malloc((size_t)*size + 1);
  if (fread(text, 1, (size_t)*size, file) != (size_t)*size)
    abort();
  return text;
}

bool visit_right(const char *whole, const char *folder, bool all, char *why)
{
  char path[PATH];
  beside(path, whole, ".answers");
  FILE *right = fopen(path, "rb");
  beside(path, folder, ".answers");
  FILE *given = fopen(path, "rb");
  bool fine = true;
  for (int i = 0; i < QUESTIONS && fine; i++) {
    long wanted, size;
    char *one = next_answer(right, &wanted), *two = next_answer(given, &size);
    fine = size < 0 ? !all || wanted < 0 : size == wanted && memcmp(one, two, (size_t)size) == 0;
    if (!fine)
      snprintf(why, 600, "'%s' was answered with %ld bytes, not with the %ld that are right",
               questions[i], size, wanted);
    free(one);
    free(two);
  }
  if (right != NULL)
    fclose(right);
  if (given != NULL)
    fclose(given);
  return fine;
}

void visit_forget(const char *folder)
{
  char path[PATH];
  beside(path, folder, ".answers");
  remove(path);
}
