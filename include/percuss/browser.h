// Chromium without a window, driven over a pipe (the DevTools protocol): it draws the viewer's page
// (percuss/view.h) for pictures and films.
#ifndef PERCUSS_BROWSER_H
#define PERCUSS_BROWSER_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_browser pc_browser;

// Starts it with a page of this size in pixels. PC_ERROR_IO: there is no Chromium, or it does not
// start. `is_cancelled`, if not NULL, is called whenever a signal interrupts a wait; true ends
// the wait with an error.
pc_browser *pc_browser_start(int width, int height, bool (*is_cancelled)(void), pc_error *error);
pc_status pc_browser_open(pc_browser *browser, const char *address, pc_error *error);
// The value of a JavaScript expression, as JSON, which the caller frees; a promise is awaited.
// NULL with the message of what the page threw in `error`: PC_ERROR_INPUT for a plain Error, which
// means an invalid request; PC_ERROR_IO for another class: the page does not work.
char *pc_browser_evaluate(pc_browser *browser, const char *expression, pc_error *error);
// The page as PNG, which the caller frees. `quick`: less compressed.
unsigned char *pc_browser_picture(pc_browser *browser, bool quick, size_t *size, pc_error *error);
void pc_browser_close(pc_browser *browser);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
