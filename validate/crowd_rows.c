// Rows about crowds.
#include "crowd_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pc_crowd_report_time(pc_report *report, const char *name, const char *quantity,
                          double published, bool is_missed, int runs, const double *value,
                          const char *why)
{
  char note[400], difference[80] = "";
  trial_statistics mean = pc_mean_of(runs, value);
  if (isfinite(published))
    snprintf(difference, sizeof difference, "; ours less the printed one: %+.1f s (%+.0f %%)",
             mean.mean - published, 100 * (mean.mean / published - 1));
  snprintf(note, sizeof note, "%s%s; 95 %% interval +-%.1f s, %d of %d runs", why, difference,
           mean.interval, mean.count, runs);
  if (is_missed)
    pc_report_missed(report, name, quantity, published, published, mean.mean, "s", 0.1 * published,
                     note);
  else
    pc_report_untestable(report, name, quantity, published, mean.mean, "s", note);
}

// Adds the edits to a text, one by one; NULL if what they change is not there.
static char *edit_text(char *text, const pc_crowd_variation *from)
{
  int edits = 0, places = 0;
  if (from == NULL || text == NULL)
    return text;
  while (edits < PC_STUDY_EDITS && from->edit[edits].from != NULL)
    edits++;
  char *out = pc_trial_edited(text, edits, from->edit);
  free(text);
  const char *what = from->everywhere.from;
  for (const char *at = out; what != NULL && at != NULL && (at = strstr(at, what)) != NULL; at++)
    places++;
  for (int i = 0; i < places && out != NULL; i++) {
    char *last = out;
    out = pc_trial_edited(last, 1, &from->everywhere);
    free(last);
  }
  if (what != NULL && places == 0) {
    free(out);
    return NULL;
  }
  return out;
}

pc_crowd_run *pc_crowd_vary(const char *scene, const pc_crowd_variation *base,
                            const pc_crowd_variation *variation, pc_crowd_trial trial)
{
  pc_crowd_scene text;
  pc_crowd_scene_load(scene, 0, NULL, &text);
  text.text = edit_text(edit_text(text.text, base), variation);
  trial.make = pc_crowd_scene_make;
  trial.context = &text;
  pc_crowd_run *run = text.text != NULL ? pc_crowd_trial_run(&trial) : NULL;
  pc_crowd_scene_free(&text);
  return run;
}

void pc_crowd_report_varied(pc_report *report, const pc_crowd_variation *variation,
                            const char *quantity, double published, const char *unit,
                            const pc_crowd_run *run, int runs, const double *value,
                            const char *note)
{
  char text[400];
  bool ok = pc_crowd_runs_failed(runs, run) == 0;
  trial_statistics mean = pc_mean_of(ok ? runs : 0, value);
  snprintf(text, sizeof text, "%d of %d runs%s%s", mean.count, runs, note != NULL ? "; " : "",
           note != NULL ? note : "");
  pc_report_varied(report, variation->name, variation->changed, quantity, published, mean.mean,
                   unit, isfinite(mean.interval) ? mean.interval : 0, text);
}
