// What the checkpoint of many runs says of their scene: lines of a name, a blank and a value; the
// text of the scene follows the last of them.
#include <inttypes.h>
#include <stdio.h>

#include "core/file.h"
#include "core/written.h"
#include "run/meaning.h"
#include "run/runs.h"
#include "run/simulation.h"

// A text on one line.
static void put_line(FILE *to, const char *name, const char *text)
{
  fprintf(to, "%s ", name);
  for (; *text != 0; text++)
    fputc(*text == '\n' || *text == '\r' ? ' ' : *text, to);
  fputc('\n', to);
}

static void put_labels(FILE *to, const pc_scene_plan *plan)
{
  for (int c = 0; c < plan->combinations; c++) {
    fputs("label ", to);
    for (int k = 0; k < plan->sweeps; k++) {
      const pc_scene_sweep *sweep = &plan->sweep[k];
      fprintf(to, "%s%s: ", k > 0 ? "; " : "", sweep->label);
      for (const char *at = sweep->values[pc_scene_plan_value(plan, c, k)]; *at != 0; at++)
        fputc(*at == '\n' ? ' ' : *at, to);
    }
    fputc('\n', to);
  }
}

bool pc_runs_describe(const pc_runs *runs, pc_runs_about *about)
{
  const pc_scene *scene = runs->scene;
  pc_written written;
  *about = (pc_runs_about){0};
  if (!pc_written_begin(&written))
    return false;
  put_line(written.to, "program", "percuss " PC_VERSION);
  put_line(written.to, "kind", pc_simulation_kind_of(scene)->name);
  put_line(written.to, "file", pc_path_name(scene->path));
  put_line(written.to, "title", scene->title != NULL ? scene->title : "");
  fprintf(written.to, "hash %016" PRIx64 "\n", pc_hash_scene(scene));
  fprintf(written.to, "members %d\nruns %d\n", scene->plan.members, scene->plan.runs);
  for (int i = 0; i < scene->plan.members; i++)
    fprintf(written.to, "seed %" PRIu64 "\n", pc_runs_member(runs, i).seed);
  put_labels(written.to, &scene->plan);
  fprintf(written.to, "text\n%s", scene->text);
  if (scene->base_text != NULL)
    fprintf(written.to, "\n# The files it is based on:\n%s", scene->base_text);
  about->text = pc_written_end(&written);
  about->size = written.size;
  return about->text != NULL;
}
