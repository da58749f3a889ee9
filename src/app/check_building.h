// `percuss check` of a building.
#ifndef PERCUSS_APP_CHECK_BUILDING_H
#define PERCUSS_APP_CHECK_BUILDING_H

#include <stdbool.h>

// Inspects the building of a crowd scene, prints what it found, and draws each floor. `output` is
// the picture (NULL: beside the scene's name); returns the exit status.
int app_check_building(const char *path, const char *output, double narrow, bool json);

#endif
