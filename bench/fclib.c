// percuss bench fclib: the FCLIB problems of a folder: the time to solve each, and whether it is
// solved.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "measure.h"
#include "percuss/scene.h"

enum { TIMES = 7 };
static const double enough = 2; // s for one file
static const double tolerance = 1e-8;

static int is_problem(const struct dirent *entry)
{
  const char *dot = strrchr(entry->d_name, '.');
  return dot != NULL && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
}

// The median of several solves, each of the problem as it was read. False if it cannot be read or
// fails.
static bool solve_file(const char *path, int times, int *contacts, pc_solve_info *info,
                       double *median, pc_error *error)
{
  double seconds[TIMES], spent = 0;
  int count = 0;
  while (count < times && spent < enough) {
    pc_scene_impact scene;
    if (pc_scene_read_impact(path, &scene, error) != PC_OK)
      return false;
    *contacts = scene.contacts;
    pc_solve_options options = pc_solve_options_default();
    options.tolerance = tolerance;
    pc_status status = pc_impact_solve(scene.problem, &options, info);
    if (status != PC_OK) {
      error->status = status;
      snprintf(error->text, sizeof error->text, "%s", pc_impact_error(scene.problem));
    }
    pc_scene_impact_free(&scene);
    if (status != PC_OK)
      return false;
    seconds[count++] = info->time_s;
    spent += info->time_s;
  }
  *median = bench_median(count, seconds);
  return true;
}

static void free_list(struct dirent **list, int files)
{
  for (int i = 0; i < files; i++)
    free(list[i]);
  if (files >= 0)
    free(list);
}

const char *bench_fclib_reject(const char *folder)
{
  struct dirent **list;
  int files = scandir(folder, &list, is_problem, alphasort);
  int why = errno;
  free_list(list, files);
  return files > 0                         ? NULL
         : files == 0                      ? "has no file *.hdf5 or *.h5"
         : why == ENOTDIR || why == ENOENT ? "is not a folder"
                                           : strerror(why);
}

void bench_fclib(bench_context *context)
{
  const char *folder = context->argument;
  struct dirent **list;
  int files = scandir(folder, &list, is_problem, alphasort), solved = 0, bad = 0,
      contacts_total = 0;
  double total = 0, worst = 0;
  for (int i = 0; i < files; i++) {
    char path[4096], name[300], remark[80];
    int contacts = 0;
    double median = 0;
    pc_solve_info info;
    pc_error error = {.status = PC_OK};
    snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
    if (!solve_file(path, context->quick ? 1 : TIMES, &contacts, &info, &median, &error)) {
      bench_failed(context, error.text);
      bad++;
      continue;
    }
    int stem = (int)(strrchr(list[i]->d_name, '.') - list[i]->d_name);
    snprintf(remark, sizeof remark, "%s by %s", pc_solve_status_name(info.status), info.solver);
    snprintf(name, sizeof name, "%.*s", stem, list[i]->d_name);
    bench_row_remarked(context, name, contacts, 1e3 * median, "ms", remark);
    bench_row_named(context, contacts, info.residual, "", "%.*s, residual", stem, list[i]->d_name);
    solved += info.status == PC_SOLVED;
    contacts_total += contacts;
    total += median;
    worst = fmax(worst, info.residual);
  }
  free_list(list, files);
  bench_row(context, "files", 0, files, "");
  bench_row(context, "files that cannot be read", 0, bad, "");
  bench_row(context, "files solved", 0, solved, "");
  bench_row(context, "all, time", contacts_total, 1e3 * total, "ms");
  bench_row(context, "all, worst residual", contacts_total, worst, "");
}
