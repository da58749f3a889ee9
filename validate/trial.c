// A scene in motion, from a file or a text.
#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *replace(const char *text, pc_edit edit)
{
  const char *at = strstr(text, edit.from);
  char *out = at != NULL ? malloc(strlen(text) + strlen(edit.to) + 1) : NULL;
  if (out != NULL)
    sprintf(out, "%.*s%s%s", (int)(at - text), text, edit.to, at + strlen(edit.from));
  return out;
}

char *pc_trial_edited(const char *text, int edits, const pc_edit *edit)
{
  char *out = text != NULL ? replace(text, (pc_edit){"", ""}) : NULL;
  for (int i = 0; i < edits && out != NULL; i++) {
    char *last = out;
    out = replace(last, edit[i]);
    free(last);
  }
  return out;
}

static char *read_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  char *text = size >= 0 && fseek(file, 0, SEEK_SET) == 0 ? malloc((size_t)size + 1) : NULL;
  if (text != NULL)
    text[fread(text, 1, (size_t)size, file)] = '\0';
  if (file != NULL)
    fclose(file);
  return text;
}

char *pc_trial_text(const char *folder, const char *name, int edits, const pc_edit *edit,
                    char *path, size_t size)
{
  char scenes[1024];
  if (!pc_scene_folder(scenes, sizeof scenes))
    return NULL;
  snprintf(path, size, "%s/%s/%s", scenes, folder, name);
  char *file = read_file(path), *text = pc_trial_edited(file, edits, edit);
  free(file);
  return text;
}

pc_trial pc_trial_start(const char *folder, const char *name, const char *from, const char *to)
{
  pc_trial m = {.fine = false};
  char path[1200];
  char *text = pc_trial_text(folder, name, from != NULL, &(pc_edit){from, to}, path, sizeof path);
  m.fine = text != NULL && pc_scene_parse(path, text, &m.scene, NULL) == PC_OK;
  free(text);
  if (m.fine)
    pc_world_set_threads(m.scene.world, 2); // no digit depends on it
  return m;
}

char *pc_trial_format(const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(NULL, 0, format, again) + 1;
  va_end(again);
  char *text = malloc((size_t)size);
  if (text != NULL)
    vsnprintf(text, (size_t)size, format, arguments);
  return text;
}

bool pc_trial_read(pc_trial *m, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *text = pc_trial_format(format, arguments);
  va_end(arguments);
  *m = (pc_trial){.fine = false};
  m->fine = text != NULL && pc_scene_parse("validation.yaml", text, &m->scene, NULL) == PC_OK;
  free(text);
  return m->fine;
}

pc_body_state pc_trial_state(const pc_trial *m, int body)
{
  pc_body_state state = {.orientation = {1}};
  if (m->fine)
    pc_body_get(m->scene.world, (pc_body){body}, &state);
  return state;
}

bool pc_trial_step(pc_trial *m, double h)
{
  m->fine = m->fine && pc_world_step(m->scene.world, h) == PC_OK;
  if (!m->fine)
    return false;
  const pc_step_info *info = pc_world_info(m->scene.world);
  m->steps++;
  m->open += !info->closed;
  m->inaccurate += info->status != PC_SOLVED;
  return true;
}

bool pc_trial_next(pc_trial *m, double until)
{
  return m->fine && pc_world_time(m->scene.world) < until - 1e-9 && pc_trial_step(m, m->scene.step);
}

bool pc_trial_run(pc_trial *m, double until)
{
  while (pc_trial_next(m, until))
    ;
  return m->fine;
}

bool pc_trial_advance(pc_report *report, pc_trial *m, int steps, double h)
{
  bool solved = m->fine;
  for (int i = 0; i < steps && m->fine; i++)
    solved = pc_report_step(report, m->scene.world, h) && solved;
  return solved;
}

double pc_trial_value(const pc_trial *m, double value)
{
  return m->fine ? value : NAN;
}

void pc_trial_end(pc_trial *m, pc_trial *all)
{
  if (all != NULL) {
    all->fine = all->fine && m->fine;
    all->steps += m->steps;
    all->open += m->open;
    all->inaccurate += m->inaccurate;
  }
  pc_scene_free(&m->scene);
}
