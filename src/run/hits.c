#include "run/hits.h"

#include <math.h>
#include <string.h>

#include "core/saved.h"
#include "core/small.h"

static int compare_pairs(const pc_hit *one, const pc_hit *two)
{
  int sensor = one->sensor - two->sensor, body = one->body - two->body;
  return sensor != 0 ? sensor : body != 0 ? body : one->by - two->by;
}

// Of the same bodies, the contact that was added first comes first.
static int by_pair(const void *a, const void *b)
{
  const pc_hit *one = a, *two = b;
  int pairs = compare_pairs(one, two);
  return pairs != 0 ? pairs : one->open - two->open;
}

void pc_hits_free(pc_hits *hits)
{
  pc_array_free(&hits->open);
  pc_array_free(&hits->over);
  pc_array_free(&hits->step);
  pc_array_free(&hits->next);
}

bool pc_hits_add(pc_hits *hits, int sensor, pc_body body, pc_body by, const pc_contact *contact,
                 const double *kinetic)
{
  double size = sqrt(pc_dot3(contact->percussion, contact->percussion));
  if (!(size > 0)) // also of one whose square underflows
    return true;
  pc_hit *hit = pc_array_add(&hits->step);
  if (hit == NULL)
    return false;
  double sign = body.id == contact->bodies[0].id ? 1 : -1;
  *hit = (pc_hit){.sensor = sensor,
                  .body = body.id,
                  .by = by.id,
                  .open = hits->step.count, // its place among the contacts
                  .sizes = size,
                  .normal = pc_dot3(contact->percussion, contact->normal),
                  .dissipated = contact->dissipated,
                  .speed = size * contact->approach,
                  .kinetic = {kinetic[body.id], kinetic[by.id]}};
  for (int i = 0; i < 3; i++) {
    hit->places[i] = size * contact->point[i];
    hit->impulse[i] = sign * contact->percussion[i] + 0.0; // no -0
  }
  return true;
}

static void add(pc_hit *to, const pc_hit *hit)
{
  to->sizes += hit->sizes;
  to->normal += hit->normal;
  to->dissipated += hit->dissipated;
  for (int i = 0; i < 3; i++) {
    to->places[i] += hit->places[i];
    to->impulse[i] += hit->impulse[i];
  }
}

// An interior point leaves impulses of the order of round-off at contacts that do not act.
static void drop_noise(pc_hit_list *step, double largest)
{
  int count = 0;
  for (int i = 0; i < step->count; i++)
    if (step->at[i].sizes > 1e-13 * largest)
      step->at[count++] = step->at[i];
  step->count = count;
}

// Makes one exchange of all contacts of the same bodies.
static void join_contacts(pc_hit_list *step, double begin, double end)
{
  int count = 0;
  if (step->count > 1)
    qsort(step->at, (size_t)step->count, sizeof *step->at, by_pair);
  for (int i = 0; i < step->count; i++) {
    if (count > 0 && compare_pairs(&step->at[count - 1], &step->at[i]) == 0) {
      add(&step->at[count - 1], &step->at[i]);
      step->at[count - 1].speed += step->at[i].speed;
    } else {
      step->at[count++] = step->at[i];
    }
  }
  step->count = count;
  for (pc_hit *hit = step->at; count > 0 && hit < step->at + count; hit++) {
    hit->open = 1;
    hit->begin = begin;
    hit->end = end;
    hit->speed /= hit->sizes;
    hit->largest = sqrt(pc_dot3(hit->impulse, hit->impulse)) / (end - begin);
    hit->second = floor(begin);
    memcpy(hit->recent[0], hit->impulse, sizeof hit->impulse);
  }
}

// Another second of the run has begun.
static void turn_to(pc_hit *hit, double second)
{
  if (!(second > hit->second))
    return;
  if (second == hit->second + 1)
    memcpy(hit->recent[1], hit->recent[0], sizeof hit->recent[1]);
  else
    memset(hit->recent[1], 0, sizeof hit->recent[1]);
  memset(hit->recent[0], 0, sizeof hit->recent[0]);
  hit->second = second;
}

// In the second before, the force is taken as constant.
void pc_hit_recent(const pc_hit *hit, double time, double impulse[3])
{
  pc_hit now = *hit;
  turn_to(&now, floor(time));
  for (int i = 0; i < 3; i++)
    impulse[i] = now.recent[0][i] + (1 - (time - floor(time))) * now.recent[1][i];
}

// Goes on with a hit that was open, without or with (NULL: none) an exchange in this step.
static void go_on(pc_hits *hits, const pc_hit *hit, const pc_hit *exchange, const pc_scene *scene,
                  double begin, double end)
{
  // Round-off of times is far below a step.
  bool over =
      exchange == NULL && end - hit->end > scene->sensor[hit->sensor].pause + 1e-6 * (end - begin);
  pc_hit_list *list = over ? &hits->over : &hits->next;
  pc_hit *to = &list->at[list->count++];
  *to = *hit;
  to->open = !over;
  if (exchange == NULL)
    return;
  add(to, exchange);
  turn_to(to, exchange->second);
  for (int i = 0; i < 3; i++)
    to->recent[0][i] += exchange->impulse[i];
  to->end = end;
  to->largest = fmax(to->largest, exchange->largest);
}

bool pc_hits_step(pc_hits *hits, const pc_scene *scene, double begin, double end, double largest,
                  double (*count)[3])
{
  pc_hit_list *step = &hits->step, *open = &hits->open;
  drop_noise(step, largest);
  join_contacts(step, begin, end);
  hits->over.count = hits->next.count = 0;
  if (!pc_array_reserve(&hits->over, open->count) ||
      !pc_array_reserve(&hits->next, open->count + step->count))
    return false;
  int i = 0, k = 0;
  while (i < open->count || k < step->count) {
    int order = i == open->count   ? 1
                : k == step->count ? -1
                                   : compare_pairs(&open->at[i], &step->at[k]);
    if (order > 0) {
      hits->next.at[hits->next.count++] = step->at[k];
      if (count != NULL)
        count[step->at[k].sensor][0]++;
    } else {
      go_on(hits, &open->at[i++], order == 0 ? &step->at[k] : NULL, scene, begin, end);
    }
    k += order >= 0;
  }
  pc_hit_list old = *open;
  *open = hits->next;
  hits->next = old;
  step->count = 0;
  return true;
}

bool pc_hits_are_sound(const void *bytes, size_t count, const pc_scene *scene, pc_sensor_kind kind)
{
  const pc_saved_field fields[] = {
      PC_SAVED_INTEGERS(pc_hit, sensor, 0, scene->sensors - 1),
      PC_SAVED_INTEGERS(pc_hit, body, 1, scene->bodies),
      PC_SAVED_INTEGERS(pc_hit, by, 1, scene->bodies),
      PC_SAVED_INTEGERS(pc_hit, open, 1, 1),
      PC_SAVED_POSITIVE(pc_hit, begin),
      PC_SAVED_POSITIVE(pc_hit, end),
      PC_SAVED_BETWEEN(pc_hit, sizes, DBL_MIN, DBL_MAX),
      PC_SAVED_FINITE(pc_hit, places),
      PC_SAVED_FINITE(pc_hit, impulse),
      PC_SAVED_FINITE(pc_hit, normal),
      PC_SAVED_POSITIVE(pc_hit, largest),
      PC_SAVED_FINITE(pc_hit, dissipated),
      PC_SAVED_FINITE(pc_hit, speed),
      PC_SAVED_POSITIVE(pc_hit, kinetic),
      PC_SAVED_POSITIVE(pc_hit, second),
      PC_SAVED_FINITE(pc_hit, recent[0]),
      PC_SAVED_FINITE(pc_hit, recent[1]),
  };
  if (!pc_saved_is_sound(bytes, count, sizeof(pc_hit), fields, PC_COUNT(fields)))
    return false;
  pc_hit before = {0};
  for (size_t i = 0; i < count; i++) { // sorted, each pair once, of a sensor of hits
    pc_hit hit;
    memcpy(&hit, (const char *)bytes + i * sizeof hit, sizeof hit);
    if (scene->sensor[hit.sensor].kind != kind || (i > 0 && compare_pairs(&before, &hit) >= 0))
      return false;
    before = hit;
  }
  return true;
}
