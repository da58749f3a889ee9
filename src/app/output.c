// What the program prints besides results, and where it may write.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "core/file.h"
#include "percuss/scene.h"
#include "scene/text.h"

int app_complain(const char *format, ...)
{
  char text[600], line[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  pc_text_clean(line, sizeof line, text, strlen(text)); // one line, whatever was typed
  fprintf(stderr, "%s\n", line);
  return APP_BAD_INPUT;
}

int app_complain_error(const pc_error *error, const char *from)
{
  app_complain("%s%s%s", from != NULL ? from : "", from != NULL ? ": " : "", error->text);
  return error->status == PC_ERROR_MEMORY ? APP_FAILED : APP_BAD_INPUT;
}

// The errors of a file, of which so many are printed.
enum { MOST_TOLD = 20 };
typedef struct told {
  int errors;
} told;

static void print_told(void *context, pc_told what, const char *text)
{
  told *all = context;
  if (what == PC_TOLD_ERROR && ++all->errors <= MOST_TOLD)
    app_complain("%s", text);
}

int app_complain_file(const char *path, const pc_error *error)
{
  told all = {.errors = 0};
  struct stat there;
  static const char others[] = " more)"; // how many follow the first
  size_t length = strlen(error->text), last = strlen(others);
  bool many = length > last && strcmp(error->text + length - last, others) == 0;
  if (many && stat(path, &there) == 0 && S_ISREG(there.st_mode)) // a pipe cannot be read again
    pc_scene_check(path, NULL, print_told, &all, NULL);
  if (all.errors == 0)
    return app_complain_error(error, NULL);
  if (all.errors > MOST_TOLD)
    app_complain("%s: and %d more", pc_text_path(path).text, all.errors - MOST_TOLD);
  return APP_BAD_INPUT;
}

int app_text_width(const char *text)
{
  int count = 0;
  for (; *text != 0; text++)
    count += ((unsigned char)*text & 0xc0) != 0x80;
  return count;
}

void app_print_right(const char *text, int width)
{
  int space = width - app_text_width(text);
  printf("  %*s%s", space > 0 ? space : 0, "", text);
}

int app_reject_pipe(const char *command, const char *path)
{
  struct stat there;
  if (pc_file_unreadable(path) != NULL || stat(path, &there) != 0 || !S_ISFIFO(there.st_mode))
    return APP_OK; // the readers report other problems
  return app_complain("percuss %s: %s is a pipe, but the input is read more than once; use a file",
                      command, pc_text_path(path).text);
}

int app_check_output(const char *command, const char *output, bool may_be_finished)
{
  const char *slash = strrchr(output, '/');
  size_t length = slash != NULL ? (size_t)(slash - output) + 1 : 0;
  char *folder = malloc(length + 2);
  if (folder == NULL) {
    app_complain("percuss %s: out of memory", command);
    return APP_FAILED;
  }
  memcpy(folder, output, length);
  strcpy(folder + length, "."); // also for a file in the current folder
  struct stat there;
  const char *reason = NULL;
  if (stat(folder, &there) != 0 || !S_ISDIR(there.st_mode))
    reason = "the folder does not exist";
  else if (access(folder, W_OK | X_OK) != 0 && !may_be_finished)
    reason = "its folder is not writable";
  else if (stat(output, &there) == 0 && S_ISDIR(there.st_mode))
    reason = "it is a folder";
  else if (stat(output, &there) == 0 && !S_ISREG(there.st_mode))
    reason = "it exists and is not a regular file";
  free(folder);
  return reason == NULL ? APP_OK
                        : app_complain("percuss %s: cannot write %s: %s", command,
                                       pc_text_path(output).text, reason);
}

static int output_error;

bool app_flush(void)
{
  errno = 0;
  bool fine = fflush(stdout) == 0;
  if (!fine && output_error == 0)
    output_error = errno;
  return fine && !ferror(stdout);
}

int app_output_error(void)
{
  return output_error;
}
