// Systems in a step: which of their clusters collide, what their bodies do to each other, and the
// answer.
//
// In a collision of a cluster all its contacts act as the book has it, with those to bodies of no
// system: with their whole laws and D_N+ >= 0, also contacts that were at rest before. So the jump
// is that of the same impact problem in a file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "rigid/contact_law.h"

// Whether a contact takes part in a collision of its bodies: it is an impact, or it is closed, and
// does not open but for what is small beside the impact. What happens in a step happens at once: a
// contact that acts before its gap is closed stays as far open, so gaps that the fastest impact
// would close in a step, and a half for what the speed has changed since, are none.
static bool takes_part(const pc_step *step, const pc_contact_data *contact)
{
  const double fastest = step->world->systems.fastest, little = 1e-3, room = 1.5;
  if (contact->law < 0)
    return false;
  if (pc_contact_is_impact(step, contact))
    return true;
  double closed = pc_touch_gap(&step->search, contact->body[0], contact->body[1]);
  return contact->before <= fmax(step->search.gravity * step->h, little * fastest) &&
         contact->gap <= fmax(closed, room * step->h * fastest);
}

static bool reserve_scratch(pc_systems *systems, const pc_system *system, int bodies)
{
  int n = system->body.count, known = systems->place.count;
  if (!pc_array_reserve(&systems->place, bodies) || !pc_array_reserve(&systems->cluster, n) ||
      !pc_array_reserve(&systems->struck, n) || !pc_array_reserve(&systems->queue, n) ||
      !pc_array_reserve(&systems->nearest, n) || !pc_array_reserve(&systems->farthest, n))
    return false;
  for (; known < bodies; known++)
    systems->place.at[known] = 0;
  systems->place.count = bodies;
  return true;
}

static int first_of(int *cluster, int i)
{
  while (cluster[i] != i) {
    cluster[i] = cluster[cluster[i]];
    i = cluster[i];
  }
  return i;
}

// Two bodies have one link: where they are nearest.
static bool add_link(pc_systems *systems, int one, int two, const pc_contact_data *contact)
{
  pc_system_link link = {.place = {one < two ? one : two, one < two ? two : one},
                         .gap = contact->gap};
  memcpy(link.point, contact->point, sizeof link.point);
  pc_system_link *last =
      systems->link.count > 0 ? &systems->link.at[systems->link.count - 1] : NULL;
  if (last != NULL && last->place[0] == link.place[0] && last->place[1] == link.place[1]) {
    if (link.gap < last->gap)
      *last = link;
    return true;
  }
  if (!pc_array_reserve(&systems->link, systems->link.count + 1))
    return false;
  systems->link.at[systems->link.count++] = link;
  int a = first_of(systems->cluster.at, one), b = first_of(systems->cluster.at, two);
  systems->cluster.at[a < b ? b : a] = a < b ? a : b;
  return true;
}

static int compare_links(const void *a, const void *b)
{
  const pc_system_link *one = a, *two = b;
  return one->place[0] != two->place[0] ? one->place[0] - two->place[0]
                                        : one->place[1] - two->place[1];
}

// The bodies of a system that have an impact, and the speed of the fastest. False: none has.
static bool find_struck(const pc_step *step, pc_systems *systems, const pc_system *system)
{
  const pc_contact_data_list *contacts = &step->world->contacts.list;
  memset(systems->struck.at, 0, (size_t)system->body.count);
  systems->fastest = 0;
  for (int t = 0; t < contacts->count; t++) {
    const pc_contact_data *contact = &contacts->at[t];
    for (int b = 0; b < 2; b++) {
      int place = systems->place.at[contact->body[b]] - 1;
      if (place < 0 || contact->law < 0 || !pc_contact_is_impact(step, contact))
        continue;
      systems->struck.at[place] = 1;
      systems->fastest = fmax(systems->fastest, -contact->before);
    }
  }
  return systems->fastest > 0;
}

// Where bodies of the system touch. False when memory is out.
static bool find_links(const pc_step *step, pc_systems *systems, const pc_system *system)
{
  const pc_contact_data_list *contacts = &step->world->contacts.list;
  systems->link.count = 0;
  for (int i = 0; i < system->body.count; i++)
    systems->cluster.at[i] = i;
  for (int t = 0; t < contacts->count; t++) {
    const pc_contact_data *contact = &contacts->at[t];
    int one = systems->place.at[contact->body[0]] - 1,
        two = systems->place.at[contact->body[1]] - 1;
    if (one >= 0 && two >= 0 && takes_part(step, contact) && !add_link(systems, one, two, contact))
      return false;
  }
  // By places, so that nothing depends on the order of bodies in memory.
  if (systems->link.count > 1)
    qsort(systems->link.at, (size_t)systems->link.count, sizeof *systems->link.at, compare_links);
  return true;
}

// Marks all bodies of clusters that collide.
static void spread_impacts(pc_systems *systems, int count)
{
  for (int i = 0; i < count; i++) {
    int first = first_of(systems->cluster.at, i);
    systems->struck.at[first] |= systems->struck.at[i];
  }
  for (int i = 0; i < count; i++)
    systems->struck.at[i] = systems->struck.at[first_of(systems->cluster.at, i)];
}

// The contacts of bodies that collide act with their whole laws.
static void act_fully(const pc_step *step, const pc_systems *systems)
{
  const pc_contact_data_list *contacts = &step->world->contacts.list;
  for (int t = 0; t < contacts->count; t++) {
    pc_contact_data *contact = &contacts->at[t];
    bool collides = false;
    for (int b = 0; b < 2; b++) {
      int place = systems->place.at[contact->body[b]] - 1;
      collides = collides || (place >= 0 && systems->struck.at[place]);
    }
    if (!collides || !takes_part(step, contact))
      continue;
    contact->law = contact->law - contact->law % PC_LAW_VARIANTS + step->calm;
    contact->bound = 0;
    contact->interaction = -1; // no longer known to be as in the solve before
  }
}

// Walks from one body along links, nearest first: for each body that is reached, the first and the
// last link on the way.
static int walk(pc_systems *systems, int from, int count)
{
  int reached = 1;
  for (int i = 0; i < count; i++)
    systems->nearest.at[i] = systems->farthest.at[i] = -1;
  systems->queue.at[0] = from;
  for (int q = 0; q < reached; q++) {
    int here = systems->queue.at[q];
    for (int l = 0; l < systems->link.count; l++) {
      const int *place = systems->link.at[l].place;
      int next = place[0] == here ? place[1] : place[1] == here ? place[0] : -1;
      if (next < 0 || next == from || systems->farthest.at[next] >= 0)
        continue;
      systems->nearest.at[next] = here == from ? l : systems->nearest.at[here];
      systems->farthest.at[next] = l;
      systems->queue.at[reached++] = next;
    }
  }
  return reached;
}

static bool add_act(const pc_step *step, const pc_system *system, int one, int two, bool spins,
                    double k)
{
  const pc_body_store *bodies = &step->world->bodies;
  pc_systems *systems = &step->world->systems;
  if (!(k > 0))
    return true;
  pc_system_act *act = pc_array_add(&systems->act);
  if (act == NULL)
    return false;
  act->spins = spins;
  act->k = k;
  act->interaction = -1;
  for (int b = 0; b < 2; b++) {
    int place = b == 0 ? one : two;
    int link = b == 0 ? systems->nearest.at[two] : systems->farthest.at[two];
    act->body[b] = pc_bodies_slot(bodies, system->body.at[place]);
    memcpy(act->points[b],
           spins ? bodies->state.at[act->body[b]].position : systems->link.at[link].point,
           sizeof act->points[b]);
  }
  return true;
}

// What the bodies of colliding clusters do to each other. False when memory is out.
static bool add_acts(const pc_step *step, const pc_system *system)
{
  pc_systems *systems = &step->world->systems;
  int n = system->body.count;
  bool fits = true;
  for (int i = 0; i < n && fits; i++) {
    if (!systems->struck.at[i] || walk(systems, i, n) == 1)
      continue;
    for (int j = i + 1; j < n && fits; j++) {
      if (systems->farthest.at[j] < 0)
        continue;
      const pc_system_laws *laws = pc_system_laws_of(system, i, j);
      bool touch = systems->nearest.at[j] == systems->farthest.at[j];
      fits = add_act(step, system, i, j, false, touch ? 0 : laws->distance) &&
             add_act(step, system, i, j, true, touch ? laws->spin : laws->spin_distance);
    }
  }
  return fits;
}

static bool find_acts_of(const pc_step *step, const pc_system *system)
{
  pc_world *world = step->world;
  pc_systems *systems = &world->systems;
  int n = system->body.count;
  if (!reserve_scratch(systems, system, world->bodies.count))
    return false;
  for (int i = 0; i < n; i++)
    systems->place.at[pc_bodies_slot(&world->bodies, system->body.at[i])] = i + 1;
  bool fits = true;
  if (find_struck(step, systems, system)) {
    fits = find_links(step, systems, system);
    if (fits) {
      spread_impacts(systems, n);
      act_fully(step, systems);
      fits = add_acts(step, system);
    }
  }
  for (int i = 0; i < n; i++)
    systems->place.at[pc_bodies_slot(&world->bodies, system->body.at[i])] = 0;
  return fits;
}

bool pc_step_find_system_acts(const pc_step *step)
{
  pc_systems *systems = &step->world->systems;
  bool fits = true;
  systems->act.count = systems->kept;
  for (int s = 0; s < systems->list.count && fits; s++)
    fits = find_acts_of(step, &systems->list.at[s]);
  return fits;
}

// Of two bodies one of which cannot turn, the other is held against the world; of two such, nothing
// is. False: it does not act.
static bool describe_act(const pc_world *world, const pc_system_act *act, pc_interaction *entry)
{
  *entry = pc_interaction_default(act->spins ? PC_SPIN : PC_DISTANCE);
  int bodies = 0;
  for (int b = 0; b < 2; b++) {
    const pc_solid *solid = &world->bodies.solid.at[act->body[b]];
    if (!act->spins || solid->dof != 2)
      entry->bodies[bodies++] = world->problem.index.at[act->body[b]];
  }
  if (bodies < 2)
    entry->bodies[1] = PC_OBSTACLE;
  memcpy(entry->points, act->points, sizeof entry->points);
  entry->law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = act->k, .p = 2};
  return bodies > 0 &&
         (act->spins || memcmp(act->points[0], act->points[1], sizeof act->points[0]) != 0);
}

pc_status pc_step_state_system_acts(const pc_step *step)
{
  pc_world *world = step->world;
  pc_systems *systems = &world->systems;
  for (int i = systems->kept; i < systems->act.count; i++) {
    pc_system_act *act = &systems->act.at[i];
    pc_interaction entry;
    if (!describe_act(world, act, &entry))
      continue;
    act->interaction = pc_impact_add_interaction(world->problem.impact, &entry);
    if (act->interaction < 0)
      return pc_fail(&world->error, pc_problem_refusal(&world->problem),
                     "system: bodies %d and %d: %s",
                     pc_bodies_number(&world->bodies, act->body[0]).id,
                     pc_bodies_number(&world->bodies, act->body[1]).id,
                     pc_impact_error(world->problem.impact));
  }
  return PC_OK;
}

// m [U_1] = -2 M BA, I [Omega_1] = -C: what acts on the first body.
static void read_push(const pc_impact *impact, pc_system_act *act, int dimension)
{
  pc_interaction_answer answer;
  pc_impact_answer(impact, act->interaction, &answer);
  act->dissipated = answer.dissipated;
  for (int k = 0; k < 3; k++)
    if (!act->spins)
      act->push[k] = -2 * answer.percussion[0] * (act->points[0][k] - act->points[1][k]) + 0.0;
    else if (dimension == 3)
      act->push[k] = -answer.percussion[k] + 0.0;
    else
      act->push[k] = k == 2 ? -answer.percussion[0] + 0.0 : 0;
}

void pc_step_note_system_acts(const pc_step *step)
{
  pc_world *world = step->world;
  pc_systems *systems = &world->systems;
  for (int i = systems->kept; i < systems->act.count; i++) {
    pc_system_act *act = &systems->act.at[i];
    if (act->interaction < 0)
      continue;
    read_push(world->problem.impact, act, world->def.dimension);
    systems->taken += act->dissipated;
    if (world->heat != NULL)
      pc_heat_store_take(world->heat, act->body, act->dissipated);
    act->interaction = -1; // the next problem is another one
  }
  systems->kept = systems->act.count;
}
