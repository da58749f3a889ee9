// A scene in motion, from a file or a text.
#ifndef PERCUSS_VALIDATE_TRIAL_H
#define PERCUSS_VALIDATE_TRIAL_H

#include <stdarg.h>

#include "percuss/scene.h"
#include "setup.h"

typedef struct pc_trial {
  pc_scene scene;
  bool fine;                    // it was read, and no step failed
  long steps, open, inaccurate; // of them: energy balance open; above the tolerance
} pc_trial;

// A part of a text, which must be there, and what it becomes.
typedef struct pc_edit {
  const char *from, *to;
} pc_edit;
// The text of scenes/FOLDER/NAME with so many edits, and where it is; a given text with edits. The
// caller frees them; NULL if it is not there.
char *pc_trial_text(const char *folder, const char *name, int edits, const pc_edit *edit,
                    char *path, size_t size);
char *pc_trial_edited(const char *text, int edits, const pc_edit *edit);
char *pc_trial_format(const char *format, va_list arguments);
// Reads scenes/FOLDER/NAME; with `from`, that part of its text, which must be there, becomes `to`.
pc_trial pc_trial_start(const char *folder, const char *name, const char *from, const char *to);
// The same from a text, formatted as by printf. False: it is not fine.
bool pc_trial_read(pc_trial *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The state of a body by its number in the world, from 1; at the origin if it is not fine.
pc_body_state pc_trial_state(const pc_trial *m, int body);
// False if it is not fine; then nothing is done.
bool pc_trial_step(pc_trial *m, double h);
// One step of the scene, unless it is not fine or its time is `until`.
bool pc_trial_next(pc_trial *m, double until);
bool pc_trial_run(pc_trial *m, double until);           // all of them; false if it is not fine
double pc_trial_value(const pc_trial *m, double value); // NAN if it is not fine
// So many steps of h, each of which counts as a solve of the case. False if one failed.
bool pc_trial_advance(pc_report *report, pc_trial *m, int steps, double h);
// Adds the steps of `m` to `all`, if there is one, and ends it.
void pc_trial_end(pc_trial *m, pc_trial *all);

#endif
