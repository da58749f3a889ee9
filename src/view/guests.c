#include "view/guests.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "core/clock.h"

static const double GRACE = 0.25; // s that every guest has to ask, whoever comes

struct pc_guest {
  pc_guest *next, **link;
  int socket;
  double came;           // s of the clock
  double since, allowed; // when its time began, and how much it is
  atomic_bool dropped;
};

struct pc_guests {
  int most;
  double seconds;       // of a new one
  pthread_mutex_t lock; // of what follows
  pthread_cond_t ending;
  pc_guest *first;
  int staying; // those that are not dropped
  bool dismissed;
  pthread_t watch;
};

static void drop(pc_guests *guests, pc_guest *guest)
{
  if (atomic_exchange(&guest->dropped, true))
    return;
  guests->staying--;
  shutdown(guest->socket, SHUT_RDWR);
}

// The part of its time that a guest has used up: above 1, it is late.
static double used_up(const pc_guest *guest, double now)
{
  return (now - guest->since) / guest->allowed;
}

// At most so long; holds the lock before and after.
static void wait_for(pc_guests *guests, double seconds)
{
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += (long)(1e9 * seconds);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&guests->ending, &guests->lock, &until);
}

// Ends the connections that are late, also those where a byte comes now and then.
static void *watch(void *context)
{
  pc_guests *guests = context;
  pthread_mutex_lock(&guests->lock);
  while (!guests->dismissed) {
    double now = pc_clock_seconds();
    for (pc_guest *g = guests->first; g != NULL; g = g->next)
      if (used_up(g, now) > 1)
        drop(guests, g);
    wait_for(guests, guests->seconds < 4 ? guests->seconds / 4 : 1);
  }
  pthread_mutex_unlock(&guests->lock);
  return NULL;
}

pc_guests *pc_guests_begin(int most, double seconds)
{
  pc_guests *guests = calloc(1, sizeof *guests);
  if (guests == NULL)
    return NULL;
  guests->most = most;
  guests->seconds = seconds;
  pthread_mutex_init(&guests->lock, NULL);
  pthread_cond_init(&guests->ending, NULL);
  if (pthread_create(&guests->watch, NULL, watch, guests) == 0)
    return guests;
  pthread_mutex_destroy(&guests->lock);
  pthread_cond_destroy(&guests->ending);
  free(guests);
  return NULL;
}

void pc_guests_dismiss(pc_guests *guests)
{
  pthread_mutex_lock(&guests->lock);
  guests->dismissed = true;
  for (pc_guest *g = guests->first; g != NULL; g = g->next)
    drop(guests, g);
  pthread_cond_broadcast(&guests->ending);
  pthread_mutex_unlock(&guests->lock);
}

void pc_guests_end(pc_guests *guests)
{
  pc_guests_dismiss(guests);
  pthread_join(guests->watch, NULL);
  pthread_mutex_destroy(&guests->lock);
  pthread_cond_destroy(&guests->ending);
  free(guests);
}

// Whether the client has closed the connection, and all that it sent has been read.
static bool has_gone(const pc_guest *guest)
{
  char byte;
  return recv(guest->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

// A closed connection, or, of those that had time to send a request, the one that has used up the
// largest part of its time. NULL: none yet; *wait is the time until there may be one.
static pc_guest *find_last(const pc_guests *guests, double *wait)
{
  pc_guest *last = NULL;
  double now = pc_clock_seconds();
  *wait = GRACE;
  for (pc_guest *g = guests->first; g != NULL; g = g->next) {
    double left = g->came + GRACE - now;
    if (atomic_load(&g->dropped))
      continue;
    if (has_gone(g))
      return g;
    if (left > 0)
      *wait = left < *wait ? left : *wait;
    else if (last == NULL || used_up(g, now) > used_up(last, now))
      last = g;
  }
  return last;
}

// Connections of a flood wait until one may be closed.
static void make_room(pc_guests *guests)
{
  while (guests->staying >= guests->most && !guests->dismissed) {
    double wait;
    pc_guest *last = find_last(guests, &wait);
    if (last != NULL)
      drop(guests, last);
    else
      wait_for(guests, wait);
  }
}

pc_guest *pc_guests_enter(pc_guests *guests, int socket)
{
  pc_guest *guest = calloc(1, sizeof *guest);
  if (guest == NULL) {
    shutdown(socket, SHUT_RDWR);
    return NULL;
  }
  guest->socket = socket;
  guest->allowed = guests->seconds;
  pthread_mutex_lock(&guests->lock);
  make_room(guests);
  guest->came = guest->since = pc_clock_seconds();
  guest->next = guests->first;
  guest->link = &guests->first;
  if (guest->next != NULL)
    guest->next->link = &guest->next;
  guests->first = guest;
  guests->staying++;
  if (guests->dismissed)
    drop(guests, guest);
  pthread_mutex_unlock(&guests->lock);
  return guest;
}

void pc_guests_leave(pc_guests *guests, pc_guest *guest)
{
  pthread_mutex_lock(&guests->lock);
  *guest->link = guest->next;
  if (guest->next != NULL)
    guest->next->link = guest->link;
  guests->staying -= !atomic_load(&guest->dropped);
  pthread_mutex_unlock(&guests->lock);
  free(guest);
}

void pc_guests_allow(pc_guests *guests, pc_guest *guest, double seconds)
{
  pthread_mutex_lock(&guests->lock);
  guest->since = pc_clock_seconds();
  guest->allowed = seconds;
  pthread_mutex_unlock(&guests->lock);
}

bool pc_guest_is_dropped(const pc_guest *guest)
{
  return atomic_load(&guest->dropped);
}
