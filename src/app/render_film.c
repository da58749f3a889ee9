#define _GNU_SOURCE
#include "app/render_film.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "core/process.h"

const pc_own app_film_own = {
    "a film",
    {{PC_OWN_ANY PC_OWN_ANY PC_OWN_ANY PC_OWN_ANY "ftyp", NULL}, {"\x1a\x45\xdf\xa3", NULL}}};

void app_film_note(double spacing, double step)
{
  double times = spacing / step, whole = round(times);
  char count[40];
  if (!(times > 1.2))
    return;
  snprintf(count, sizeof count, fabs(times - whole) < 0.1 ? "%.0f" : "about %.1f", times);
  fprintf(stderr,
          "percuss render: each recorded frame is shown %s times; for a smooth film record every "
          "%.2g s (output: every)\n",
          count, step);
}

pc_status app_film_start(app_film *f, const char *output, double fps, pc_error *error)
{
  *f = (app_film){.output = output, .pictures = -1, .made = -1};
  bool webm = pc_path_has_ending(output, ".webm");
  if (asprintf(&f->temporary, "%s.tmp", output) < 0) {
    f->temporary = NULL;
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  f->made = pc_own_create(f->temporary, &app_film_own, PC_OWN_UNDER_WAY);
  if (f->made < 0)
    return pc_own_refuse(f->temporary, &app_film_own, errno, error);
  char rate[40];
  snprintf(rate, sizeof rate, "%g", fps);
  const char *mp4_arguments[] = {
      "ffmpeg",     "-v",     "error", "-y",         "-f",       "image2pipe", "-framerate",
      rate,         "-c:v",   "png",   "-i",         "-",        "-c:v",       "libx264",
      "-preset",    "medium", "-crf",  "20",         "-pix_fmt", "yuv420p",    "-movflags",
      "+faststart", "-f",     "mp4",   f->temporary, NULL};
  const char *webm_arguments[] = {
      "ffmpeg", "-v",       "error",   "-y", "-f",        "image2pipe", "-framerate",
      rate,     "-c:v",     "png",     "-i", "-",         "-c:v",       "libvpx-vp9",
      "-b:v",   "0",        "-crf",    "30", "-cpu-used", "4",          "-row-mt",
      "1",      "-pix_fmt", "yuv420p", "-f", "webm",      f->temporary, NULL};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return pc_fail(error, PC_ERROR_IO, "cannot create a pipe: %s", strerror(errno));
  int failure = pc_process_start(&f->process, webm ? webm_arguments : mp4_arguments, false, 1,
                                 &(const int[2]){ends[0], STDIN_FILENO});
  close(ends[0]);
  f->pictures = ends[1];
  if (failure == 0)
    return PC_OK;
  f->process = 0;
  return pc_fail(
      error, PC_ERROR_IO,
      "films need ffmpeg, which is not installed (%s); on Debian: apt-get install ffmpeg",
      strerror(failure));
}

pc_status app_film_add(app_film *f, const unsigned char *picture, size_t size, pc_error *error)
{
  return pc_file_write(f->pictures, picture, size)
             ? PC_OK
             : pc_fail(error, PC_ERROR_IO, "ffmpeg stopped unexpectedly");
}

pc_status app_film_end(app_film *f, pc_status status, pc_error *error)
{
  int result = 0;
  if (f->pictures >= 0)
    close(f->pictures);
  if (f->process > 0 && status != PC_OK)
    kill(f->process, SIGKILL);
  if (f->process > 0) {
    while (waitpid(f->process, &result, 0) < 0 && errno == EINTR)
      ;
    if (status == PC_OK && !(WIFEXITED(result) && WEXITSTATUS(result) == 0))
      status = pc_fail(error, PC_ERROR_IO, "ffmpeg failed");
  }
  bool own = f->made >= 0 && pc_file_is_named(f->made, f->temporary);
  if (status == PC_OK && (!own || rename(f->temporary, f->output) != 0))
    status = pc_fail(error, PC_ERROR_IO, "%s: %s", f->output, pc_file_reason(errno));
  if (status != PC_OK && own)
    unlink(f->temporary);
  if (f->made >= 0)
    close(f->made);
  free(f->temporary);
  return status;
}
