// Chromium without a window, driven over a pipe (the DevTools protocol), for pictures of the page.
#ifndef PERCUSS_APP_BROWSER_H
#define PERCUSS_APP_BROWSER_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/status.h"

typedef struct app_browser app_browser;

// A page of this size in pixels. PC_ERROR_IO if there is no Chromium, or it does not start. A
// signal (app_caught_signal) ends every wait.
app_browser *app_browser_start(int width, int height, pc_error *error);
pc_status app_browser_open(app_browser *browser, const char *address, pc_error *error);
// The value of an expression of JavaScript, as JSON; a promise is waited for. The caller frees it.
// NULL: PC_ERROR_INPUT if the page threw an error, whose message it is.
char *app_browser_evaluate(app_browser *browser, const char *expression, pc_error *error);
// What the page looks like, as PNG; the caller frees it. `quick`: less compressed.
unsigned char *app_browser_picture(app_browser *browser, bool quick, size_t *size, pc_error *error);
void app_browser_close(app_browser *browser);

#endif
