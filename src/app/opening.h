// Opens the user's browser at an address that nobody else may see.
#ifndef PERCUSS_APP_OPENING_H
#define PERCUSS_APP_OPENING_H

// Every user of a machine can read the arguments of all programs. So the browser is given a file
// that only its owner can read and that leads on to the address.
typedef struct app_opening {
  char path[300]; // of the file; "": there is none
} app_opening;

// Does nothing without a screen, or if it cannot be done: the address has been printed.
void app_opening_begin(app_opening *opening, const char *address);
// Removes the file.
void app_opening_end(app_opening *opening);

#endif
