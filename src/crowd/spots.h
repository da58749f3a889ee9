// Places already taken, to check whether another disc fits.
#ifndef PERCUSS_CROWD_SPOTS_H
#define PERCUSS_CROWD_SPOTS_H

#include <stdbool.h>

typedef struct pc_spots pc_spots;

pc_spots *pc_spots_create(void); // NULL when memory is out
void pc_spots_destroy(pc_spots *spots);
// The number of a disc that this one would overlap; -1: none.
int pc_spots_find(const pc_spots *spots, int floor, const double centre[2], double radius);
bool pc_spots_take(pc_spots *spots, int number, int floor, const double centre[2], double radius);

#endif
