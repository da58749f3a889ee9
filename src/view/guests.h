// The open connections of the server: how long each may take, and which has to go when there are
// too many. Knows sockets, not HTTP. May be used by many threads at once.
#ifndef PERCUSS_VIEW_GUESTS_H
#define PERCUSS_VIEW_GUESTS_H

#include <stdbool.h>

typedef struct pc_guests pc_guests;
typedef struct pc_guest pc_guest;

// At most `most` connections; each may first take `seconds`. NULL: no memory, or no thread.
pc_guests *pc_guests_begin(int most, double seconds);
// Ends all connections and admits no more. Their own threads find them closed, and leave.
void pc_guests_dismiss(pc_guests *guests);
// When all have left.
void pc_guests_end(pc_guests *guests);

// A connection begins. If there are too many, the one is ended that has used up the largest part of
// its time, so a client that asks at once is answered, however many others wait. Waits for a moment
// if all have just come. NULL when memory is out, and then the connection is ended.
pc_guest *pc_guests_enter(pc_guests *guests, int socket);
// Before the socket is closed.
void pc_guests_leave(pc_guests *guests, pc_guest *guest);
// From now on it may take this many seconds.
void pc_guests_allow(pc_guests *guests, pc_guest *guest, double seconds);
// Whether the server has ended the connection: whatever is done for it is in vain.
bool pc_guest_is_dropped(const pc_guest *guest);

#endif
