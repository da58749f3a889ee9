#define _GNU_SOURCE // mkostemps
#include "app/opening.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/process.h"

static bool is_set(const char *variable)
{
  const char *value = getenv(variable);
  return value != NULL && *value != 0;
}

// The folder of the session, which nobody else can enter and which the system empties; else one for
// temporary files.
static const char *private_place(void)
{
  const char *session = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
  struct stat state;
  if (session != NULL && *session == '/' && stat(session, &state) == 0 && S_ISDIR(state.st_mode) &&
      state.st_uid == geteuid() && (state.st_mode & 077) == 0)
    return session;
  return temporary != NULL && *temporary == '/' ? temporary : "/tmp";
}

// A new file, of mode 0600. False, and no file, if it cannot be written.
static bool write_page(app_opening *opening, const char *address)
{
  static const char ending[] = ".html";
  char page[600];
  int length =
      snprintf(opening->path, sizeof opening->path, "%s/percuss-XXXXXX%s", private_place(), ending);
  int file = length < (int)sizeof opening->path
                 ? mkostemps(opening->path, (int)strlen(ending), O_CLOEXEC)
                 : -1;
  if (file < 0) {
    *opening->path = 0;
    return false;
  }
  length = snprintf(page, sizeof page,
                    "<!DOCTYPE html>\n"
                    "<meta charset=\"utf-8\">\n"
                    "<meta name=\"referrer\" content=\"no-referrer\">\n"
                    "<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n"
                    "<title>Percuss</title>\n"
                    "<a href=\"%s\">Open the run</a>\n",
                    address, address);
  bool written = length < (int)sizeof page && pc_file_write(file, page, (size_t)length);
  if (close(file) == 0 && written)
    return true;
  app_opening_end(opening);
  return false;
}

void app_opening_begin(app_opening *opening, const char *address)
{
  pid_t process;
  *opening->path = 0;
  if ((!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) || !write_page(opening, address))
    return;
  if (pc_process_start(&process, (const char *const[]){"xdg-open", opening->path, NULL}, true, 0,
                       NULL) != 0)
    app_opening_end(opening);
}

void app_opening_end(app_opening *opening)
{
  if (*opening->path != 0)
    unlink(opening->path);
  *opening->path = 0;
}
