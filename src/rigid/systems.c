// Systems of bodies: their members and their laws.
#include "rigid/systems.h"

#include <math.h>
#include <string.h>

#include "rigid/elements.h"

void pc_systems_free(pc_systems *systems)
{
  for (int s = 0; s < systems->list.count; s++) {
    pc_array_free(&systems->list.at[s].body);
    pc_array_free(&systems->list.at[s].pair);
  }
  pc_array_free(&systems->list);
  pc_array_free(&systems->act);
  pc_array_free(&systems->place);
  pc_array_free(&systems->link);
  pc_array_free(&systems->cluster);
  pc_array_free(&systems->struck);
  pc_array_free(&systems->member);
  pc_array_free(&systems->queue);
  pc_array_free(&systems->nearest);
  pc_array_free(&systems->farthest);
}

static const char *wrong_laws(const pc_system_laws *laws)
{
  const double k[] = {laws->distance, laws->spin, laws->spin_distance};
  for (int i = 0; i < PC_COUNT(k); i++)
    if (!(k[i] >= 0) || !isfinite(k[i]))
      return "the coefficients of a system must be finite and not negative";
  return NULL;
}

static int place_of(const pc_system *system, pc_body body)
{
  for (int i = 0; i < system->body.count; i++)
    if (system->body.at[i].id == body.id)
      return i;
  return -1;
}

static const char *add_members(pc_system *system, const pc_body_store *bodies, int count,
                               const pc_body *body)
{
  if (!pc_array_reserve(&system->body, count))
    return pc_out_of_memory;
  for (int i = 0; i < count; i++) {
    if (!pc_bodies_exist(bodies, body[i], 1) ||
        bodies->solid.at[pc_bodies_slot(bodies, body[i])].kind != PC_FREE)
      return "the bodies of a system must be free";
    if (place_of(system, body[i]) >= 0)
      return "a body is listed twice in the same system";
    system->body.at[system->body.count++] = body[i];
  }
  return NULL;
}

const char *pc_systems_add(pc_systems *systems, const pc_body_store *bodies, int count,
                           const pc_body *body, const pc_system_laws *laws)
{
  pc_system system = {.laws = *laws};
  const char *wrong = wrong_laws(laws);
  if (wrong == NULL)
    wrong = count < 2 ? "a system needs at least two bodies"
                      : add_members(&system, bodies, count, body);
  if (wrong == NULL && !pc_array_reserve(&systems->list, systems->list.count + 1))
    wrong = pc_out_of_memory;
  if (wrong == NULL)
    systems->list.at[systems->list.count++] = system;
  else
    pc_array_free(&system.body);
  return wrong;
}

static bool is_before(const int one[2], const int two[2])
{
  return one[0] < two[0] || (one[0] == two[0] && one[1] < two[1]);
}

// Where a pair is in the list of a system, or should be.
static int find_pair(const pc_system *system, const int place[2])
{
  int i = 0;
  while (i < system->pair.count && is_before(system->pair.at[i].place, place))
    i++;
  return i;
}

static bool is_pair(const pc_system *system, int i, const int place[2])
{
  return i < system->pair.count && system->pair.at[i].place[0] == place[0] &&
         system->pair.at[i].place[1] == place[1];
}

const char *pc_systems_set_pair(pc_systems *systems, int number, const pc_body pair[2],
                                const pc_system_laws *laws)
{
  const char *wrong = wrong_laws(laws);
  if (wrong != NULL)
    return wrong;
  if (number < 0 || number >= systems->list.count)
    return "unknown system";
  pc_system *system = &systems->list.at[number];
  int one = place_of(system, pair[0]), two = place_of(system, pair[1]);
  if (one < 0 || two < 0 || one == two)
    return "a pair of a system must have two different bodies of the system";
  const int place[2] = {one < two ? one : two, one < two ? two : one};
  int at = find_pair(system, place), count = system->pair.count;
  if (!is_pair(system, at, place)) {
    if (!pc_array_reserve(&system->pair, count + 1))
      return pc_out_of_memory;
    memmove(system->pair.at + at + 1, system->pair.at + at,
            sizeof *system->pair.at * (size_t)(count - at));
    system->pair.count++;
  }
  system->pair.at[at] = (pc_system_pair){{place[0], place[1]}, *laws};
  return NULL;
}

const pc_system_laws *pc_system_laws_of(const pc_system *system, int one, int two)
{
  const int place[2] = {one < two ? one : two, one < two ? two : one};
  int at = find_pair(system, place);
  return is_pair(system, at, place) ? &system->pair.at[at].laws : &system->laws;
}

bool pc_systems_note_members(pc_systems *systems, const pc_body_store *bodies)
{
  if (systems->list.count == 0)
    return true;
  if (!pc_array_reserve(&systems->member, bodies->count))
    return false;
  memset(systems->member.at, 0, (size_t)bodies->count);
  for (int s = 0; s < systems->list.count; s++)
    for (int i = 0; i < systems->list.at[s].body.count; i++)
      systems->member.at[pc_bodies_slot(bodies, systems->list.at[s].body.at[i])] = 1;
  return true;
}
