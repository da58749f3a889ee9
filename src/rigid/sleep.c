// Islands of bodies at rest fall asleep: they are neither searched nor solved until a moving body
// touches them, or a force on them changes.
//
// A body is quiet while no point of it is faster than `sleep_speed`. When all bodies of an island,
// joined by the contacts that act, have been quiet for `sleep_after` and something holds them,
// their velocities become zero, which the balance counts, and their contacts are put aside with
// their percussions. They wake together, and go on from these percussions.
#include "rigid/sleep.h"

#include <math.h>
#include <string.h>

#include "core/small.h"
#include "rigid/pairs.h"

void pc_sleep_free(pc_sleep *sleep)
{
  pc_array_free(&sleep->quiet);
  pc_array_free(&sleep->held);
  pc_array_free(&sleep->roused);
  pc_array_free(&sleep->woken);
  pc_array_free(&sleep->root);
  pc_array_free(&sleep->trait);
  pc_array_free(&sleep->contacts);
}

bool pc_sleep_reserve(pc_sleep *sleep, pc_body_store *bodies)
{
  int n = bodies->count;
  if (!pc_array_reserve(&bodies->asleep, n) || !pc_array_reserve(&sleep->quiet, n) ||
      !pc_array_reserve(&sleep->held, n) || !pc_array_reserve(&sleep->roused, n) ||
      !pc_array_reserve(&sleep->woken, n) || !pc_array_reserve(&sleep->root, n) ||
      !pc_array_reserve(&sleep->trait, n))
    return false;
  for (int i = sleep->known; i < n; i++) {
    bodies->asleep.at[i] = 0;
    sleep->quiet.at[i] = 0;
    sleep->roused.at[i] = 0;
    memset(sleep->held.at[i], 0, sizeof sleep->held.at[i]);
  }
  sleep->known = n;
  return true;
}

void pc_sleep_reorder(pc_sleep *sleep, int bodies, const int *from, char *room)
{
  if (sleep->known != bodies)
    return;
  pc_reorder(sleep->quiet.at, sizeof *sleep->quiet.at, bodies, from, room);
  pc_reorder(sleep->held.at, sizeof *sleep->held.at, bodies, from, room);
}

void pc_sleep_begin(pc_sleep *sleep)
{
  for (int t = 0; t < sleep->contacts.count && sleep->fresh; t++)
    sleep->contacts.at[t].interaction = -1; // it was one of the impact problem of the step before
  sleep->fresh = false;
}

void pc_sleep_count(pc_sleep *sleep, const pc_body_store *bodies, const double gravity[3])
{
  if (sleep->potential_known)
    return;
  for (int piece = 0; piece < pc_pieces(bodies->count); piece++) {
    pc_energies sum = {0};
    int last = pc_piece_begin(bodies->count, piece + 1);
    for (int i = pc_piece_begin(bodies->count, piece); i < last; i++)
      if (pc_bodies_is_asleep(bodies, i))
        pc_bodies_add_energies(bodies, i, gravity, &sum);
    sleep->potential[piece] = sum.potential;
  }
  sleep->potential_known = true;
}

void pc_sleep_rouse(pc_sleep *sleep, const pc_body_store *bodies, int i)
{
  if (i < sleep->known && bodies->asleep.at[i] > 0)
    sleep->roused.at[i] = 1;
}

void pc_sleep_rouse_all(pc_sleep *sleep, const pc_body_store *bodies)
{
  for (int i = 0; i < sleep->known && bodies->sleepers > 0; i++)
    sleep->roused.at[i] = bodies->asleep.at[i] > 0;
}

void pc_sleep_compare_forces(pc_sleep *sleep, const pc_body_store *bodies, const pc_six *loaded,
                             double h)
{
  for (int i = 0; i < bodies->count; i++) {
    double force[6];
    bool same = true;
    for (int k = 0; k < 6; k++) {
      force[k] = loaded[i][k] / h;
      same = same && force[k] == sleep->held.at[i][k];
    }
    if (same)
      continue;
    memcpy(sleep->held.at[i], force, sizeof force);
    sleep->quiet.at[i] = 0;
    pc_sleep_rouse(sleep, bodies, i);
  }
}

static bool is_asleep(const pc_body_store *bodies, const pc_contact_data *contact)
{
  return bodies->asleep.at[contact->body[0]] > 0 || bodies->asleep.at[contact->body[1]] > 0;
}

// Gives the percussions of contacts whose bodies are awake back to those that are remembered. From
// the end, so that one list can be merged into the other in place.
static bool recall(pc_sleep *sleep, const pc_body_store *bodies, pc_contact_set *contacts)
{
  int kept = 0, more = 0;
  for (int t = 0; t < sleep->contacts.count; t++)
    more +=
        !is_asleep(bodies, &sleep->contacts.at[t]) && pc_contact_is_pressed(&sleep->contacts.at[t]);
  if (!pc_contacts_own_memory(contacts) ||
      !pc_array_reserve(&contacts->memory, contacts->memory.count + more))
    return false;
  pc_memory *list = contacts->memory.at;
  int from = contacts->memory.count - 1, to = contacts->memory.count + more - 1;
  for (int t = sleep->contacts.count - 1; t >= 0; t--) {
    const pc_contact_data *contact = &sleep->contacts.at[t];
    if (is_asleep(bodies, contact) || !pc_contact_is_pressed(contact))
      continue;
    while (from >= 0 && pc_pair_is_before(contact->body, list[from].body))
      list[to--] = list[from--];
    list[to--] = pc_memory_of(contact);
  }
  contacts->memory.count += more;
  for (int t = 0; t < sleep->contacts.count; t++)
    if (is_asleep(bodies, &sleep->contacts.at[t]))
      sleep->contacts.at[kept++] = sleep->contacts.at[t];
  sleep->contacts.count = kept;
  return true;
}

bool pc_sleep_wake(pc_sleep *sleep, pc_body_store *bodies, pc_contact_set *contacts, bool *any)
{
  int n = bodies->count;
  *any = false;
  if (bodies->sleepers == 0 || memchr(sleep->roused.at, 1, (size_t)n) == NULL)
    return true;
  unsigned char *wakes = sleep->trait.at; // by island
  memset(wakes, 0, (size_t)n);
  for (int i = 0; i < n; i++) {
    if (sleep->roused.at[i] && bodies->asleep.at[i] > 0) {
      wakes[bodies->asleep.at[i] - 1] = 1;
      *any = true;
    }
    sleep->roused.at[i] = 0;
  }
  if (!*any)
    return true;
  for (int i = 0; i < n; i++) {
    sleep->woken.at[i] = bodies->asleep.at[i] > 0 && wakes[bodies->asleep.at[i] - 1];
    if (!sleep->woken.at[i])
      continue;
    bodies->asleep.at[i] = 0;
    sleep->quiet.at[i] = 0;
    bodies->sleepers--;
  }
  sleep->potential_known = false;
  return recall(sleep, bodies, contacts);
}

void pc_sleep_watch(pc_sleep *sleep, const pc_body_store *bodies, int i, double h, double speed)
{
  const pc_solid *body = &bodies->solid.at[i];
  const pc_body_state *state = &bodies->state.at[i];
  double fastest = sqrt(pc_dot3(state->velocity, state->velocity));
  if (body->turns)
    fastest += sqrt(pc_dot3(state->spin, state->spin)) * body->radius;
  sleep->quiet.at[i] = fastest <= speed ? sleep->quiet.at[i] + h : 0;
}

static int root_of(int *root, int i)
{
  while (root[i] != i) {
    root[i] = root[root[i]];
    i = root[i];
  }
  return i;
}

// The first body of an island stands for it.
static void find_islands(pc_sleep *sleep, const pc_body_store *bodies,
                         const pc_contact_data_list *contacts)
{
  int *root = sleep->root.at;
  for (int i = 0; i < bodies->count; i++)
    root[i] = i;
  for (int t = 0; t < contacts->count; t++) {
    const int *body = contacts->at[t].body;
    if (bodies->solid.at[body[0]].mass == 0 || bodies->solid.at[body[1]].mass == 0)
      continue;
    int a = root_of(root, body[0]), b = root_of(root, body[1]);
    if (a != b)
      root[a < b ? b : a] = a < b ? a : b;
  }
  for (int i = 0; i < bodies->count; i++)
    root[i] = root_of(root, i);
}

// Traits of islands.
enum { RESTLESS = 1, HELD = 2 };

static bool is_pierced(const pc_pierced *pierced, const int body[2])
{
  int count = pierced->list.count;
  int at = pc_pair_find(pierced->list.at, sizeof *pierced->list.at, count, body);
  return at < count && pierced->list.at[at].body[0] == body[0] &&
         pierced->list.at[at].body[1] == body[1];
}

// Islands that something holds: a contact with an obstacle, or a guide. Others are moving, however
// slowly, unless nothing pulls them. An obstacle that is pierced in this step holds nothing.
static void find_held(pc_sleep *sleep, const pc_body_store *bodies,
                      const pc_contact_data_list *contacts, const pc_pierced *pierced, bool pull)
{
  const int *root = sleep->root.at;
  for (int i = 0; i < bodies->count; i++)
    if (!pull || bodies->solid.at[i].kind == PC_GUIDED)
      sleep->trait.at[root[i]] |= HELD;
  for (int t = 0; t < contacts->count; t++) {
    const int *body = contacts->at[t].body;
    if (!pc_contact_is_pressed(&contacts->at[t]) || is_pierced(pierced, body))
      continue;
    for (int b = 0; b < 2; b++)
      if (bodies->solid.at[body[b]].mass == 0)
        sleep->trait.at[root[body[1 - b]]] |= HELD;
  }
}

static bool is_quiet(const pc_sleep *sleep, const pc_body_store *bodies, int i, double after)
{
  return bodies->solid.at[i].mass > 0 && bodies->asleep.at[i] == 0 && sleep->quiet.at[i] >= after;
}

// Islands that may not sleep. Springs, strings, nets and bonds keep their bodies awake.
static void find_restless(pc_sleep *sleep, const pc_body_store *bodies,
                          const pc_contact_data_list *contacts, const pc_elements *elements,
                          double after)
{
  const int *root = sleep->root.at;
  unsigned char *trait = sleep->trait.at;
  for (int i = 0; i < bodies->count; i++)
    if (bodies->solid.at[i].mass > 0 && bodies->asleep.at[i] == 0 &&
        !is_quiet(sleep, bodies, i, after))
      trait[root[i]] |= RESTLESS;
  for (int t = 0; t < contacts->count; t++) {
    const int *body = contacts->at[t].body;
    for (int b = 0; b < 2; b++)
      if (pc_bodies_is_moving_obstacle(bodies, body[b]))
        trait[root[body[1 - b]]] |= RESTLESS;
  }
  for (int e = 0; e < elements->list.count; e++) {
    const pc_force_element *element = &elements->list.at[e];
    if (element->kind == PC_ELEMENT_SPRING)
      trait[root[element->body]] |= RESTLESS;
    for (int i = 0; i < element->count; i++)
      trait[root[element->bodies[i]]] |= RESTLESS;
  }
  for (int b = 0; b < 2 * elements->bond.count; b++)
    trait[root[pc_bodies_slot(bodies, elements->bond.at[b / 2].body[b % 2])]] |= RESTLESS;
}

bool pc_sleep_choose(pc_sleep *sleep, const pc_body_store *bodies, const pc_contact_set *contacts,
                     const pc_elements *elements, const pc_pierced *pierced, double after,
                     bool pull)
{
  bool any = false;
  for (int i = 0; i < bodies->count && !any; i++)
    any = is_quiet(sleep, bodies, i, after);
  if (!any)
    return false;
  memset(sleep->trait.at, 0, (size_t)bodies->count);
  find_islands(sleep, bodies, &contacts->list);
  find_held(sleep, bodies, &contacts->list, pierced, pull);
  find_restless(sleep, bodies, &contacts->list, elements, after);
  any = false;
  for (int i = 0; i < bodies->count && !any; i++)
    any = pc_sleep_is_chosen(sleep, bodies, i);
  return any;
}

bool pc_sleep_is_chosen(const pc_sleep *sleep, const pc_body_store *bodies, int i)
{
  return bodies->solid.at[i].mass > 0 && bodies->asleep.at[i] == 0 &&
         sleep->trait.at[sleep->root.at[i]] == HELD;
}

// Puts the contacts of bodies that sleep now aside; both lists are in the order of pairs.
static bool put_aside(pc_sleep *sleep, const pc_body_store *bodies, pc_contact_set *contacts)
{
  int more = 0, kept = 0;
  for (int t = 0; t < contacts->list.count; t++)
    more += is_asleep(bodies, &contacts->list.at[t]);
  if (!pc_array_reserve(&sleep->contacts, sleep->contacts.count + more))
    return false;
  pc_contact_data *list = sleep->contacts.at;
  int from = sleep->contacts.count - 1, to = sleep->contacts.count + more - 1;
  for (int t = contacts->list.count - 1; t >= 0; t--) {
    const pc_contact_data *contact = &contacts->list.at[t];
    if (!is_asleep(bodies, contact))
      continue;
    while (from >= 0 && pc_pair_is_before(contact->body, list[from].body))
      list[to--] = list[from--];
    list[to--] = *contact;
  }
  sleep->contacts.count += more;
  for (int t = 0; t < contacts->list.count; t++)
    if (!is_asleep(bodies, &contacts->list.at[t]))
      contacts->list.at[kept++] = contacts->list.at[t];
  contacts->list.count = kept;
  return true;
}

bool pc_sleep_fall(pc_sleep *sleep, pc_body_store *bodies, pc_contact_set *contacts)
{
  for (int i = 0; i < bodies->count; i++) {
    pc_body_state *state = &bodies->state.at[i];
    if (!pc_sleep_is_chosen(sleep, bodies, i))
      continue;
    memset(state->velocity, 0, sizeof state->velocity);
    memset(state->spin, 0, sizeof state->spin);
    bodies->asleep.at[i] = sleep->root.at[i] + 1;
    bodies->sleepers++;
  }
  sleep->potential_known = false;
  sleep->fresh = true;
  return put_aside(sleep, bodies, contacts);
}
