// Finding contacts: bodies are placed, pairs looked for, and what workers find of them is made one
// list.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "rigid/contacts.h"

// Spans one after the other are in the order of pairs. Those of the first worker, who has the first
// pieces, are in their places already.
static void join_some(void *context, int begin, int end, int worker)
{
  const pc_contacts_job *job = context;
  pc_world *world = job->world;
  begin += job->in_place;
  end += job->in_place;
  for (int s = 0; s < job->pieces; s++) {
    const pc_contacts_span *span = &job->span[s];
    int last = span->to + span->count;
    int from = begin > span->to ? begin : span->to, to = end < last ? end : last;
    if (span->worker > 0 && from < to)
      memcpy(world->contacts.list.at + from,
             world->contacts.finding.at[span->worker].touches.at + (span->first + from - span->to),
             sizeof(pc_touch) * (size_t)(to - from));
  }
}

// All touches in one list: that of the first worker, who gets the memory of the old one.
static pc_status join(pc_contacts_job *job, int threads)
{
  pc_world *world = job->world;
  pc_status status = PC_OK;
  pc_touch_list *own = &world->contacts.finding.at[0].touches,
                old = {world->contacts.list.at, 0, world->contacts.list.capacity};
  int found = 0, looked = 0;
  world->contacts.deepest = 0;
  job->in_place = own->count;
  world->contacts.list = (pc_touch_list){own->at, 0, own->capacity};
  for (int i = 0; i < world->contacts.finding.count && status == PC_OK; i++) {
    looked += job->looked[i];
    world->contacts.deepest = fmax(world->contacts.deepest, job->deepest[i]);
    status = job->status[i];
  }
  for (int s = 0; s < job->pieces; s++) {
    job->span[s].to = found;
    found += job->span[s].count;
  }
  if (!world->again)
    world->info.pairs = looked;
  *own = old;
  if (status != PC_OK || !pc_array_reserve_aligned(&world->contacts.list, found))
    return PC_ERROR_MEMORY;
  world->contacts.list.count = found;
  if (found > job->in_place)
    pc_parallel(threads, found - job->in_place, 200, join_some, job);
  return PC_OK;
}

// Forgets what will be found anew.
static void forget(const pc_world *world, pc_finding *finding)
{
  int kept = 0;
  finding->touches.count = finding->passed = 0;
  for (int i = 0; i < finding->near.count && world->again; i++) {
    const int *body = finding->near.at[i].body;
    if (!world->scratch.struck.at[body[0]] && !world->scratch.struck.at[body[1]])
      finding->near.at[kept++] = finding->near.at[i];
  }
  finding->near.count = kept;
}

static bool make_room(pc_world *world)
{
  int n = world->bodies.count, threads = pc_world_threads(world);
  while (world->contacts.finding.count < threads)
    if (pc_array_add(&world->contacts.finding) == NULL)
      return false;
  for (int i = 0; i < world->contacts.finding.count; i++)
    if (!pc_grow(&world->contacts.finding.at[i].list.point,
                 &world->contacts.finding.at[i].list.capacity, 1, sizeof(pc_contact_point)))
      return false;
  return pc_array_reserve(&world->outlines.pose, n) && pc_array_reserve(&world->outlines.box, n) &&
         pc_array_reserve_aligned(&world->outlines.place, n) &&
         pc_array_reserve_aligned(&world->outlines.body, n) &&
         pc_array_reserve_aligned(&world->outlines.velocity, n) &&
         pc_array_reserve(&world->outlines.fixed, n);
}

pc_status pc_contacts_open(pc_world *world)
{
  if (!make_room(world))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < world->contacts.finding.count; i++) {
    world->contacts.finding.at[i].left.count = 0;
    world->contacts.finding.at[i].left_more = false;
  }
  return PC_OK;
}

pc_contacts_job pc_contacts_job_start(pc_world *world, double h)
{
  return (pc_contacts_job){.world = world,
                           .h = h,
                           .notes = world->def.looks != PC_LOOK_ONCE,
                           .gravity = pc_norm(3, world->def.gravity),
                           .rest = pc_world_rest_speed(world, h)};
}

static void place_some(void *context, int begin, int end, int worker)
{
  const pc_contacts_job *job = context;
  pc_contacts_place(job->world, job->h, begin, end, worker);
}

// Places bodies, if that is not done, and looks for the pairs of a job.
static pc_status find_pairs(pc_contacts_job *job, int threads)
{
  pc_world *world = job->world;
  if (!world->placed) {
    if (pc_contacts_open(world) != PC_OK)
      return PC_ERROR_MEMORY;
    pc_parallel(threads, world->bodies.count, 200, place_some, job);
  }
  world->placed = false;
  if (!world->again && !world->everybody)
    world->sleep.placed_h = job->h;
  return pc_contacts_pairs(job, threads, &job->pair_count);
}

// The contacts of the pairs of a job, as the workers find them.
static void find_touches(pc_contacts_job *job, int threads)
{
  for (int i = 0; i < job->world->contacts.finding.count; i++)
    forget(job->world, &job->world->contacts.finding.at[i]);
  pc_contacts_cut(job);
  pc_parallel(threads, job->pieces, 1, pc_contacts_collide, job);
}

pc_status pc_contacts_find(pc_world *world, double h)
{
  pc_contacts_job job = pc_contacts_job_start(world, h);
  int threads = pc_world_threads(world);
  pc_status status = find_pairs(&job, threads);
  if (status != PC_OK)
    return status;
  if (!world->again) { // the old list is not needed: its memory is used again
    pc_touch_list *own = &world->contacts.finding.at[0].touches, old = *own;
    *own = (pc_touch_list){world->contacts.list.at, 0, world->contacts.list.capacity};
    world->contacts.list = (pc_touch_list){old.at, 0, old.capacity};
  }
  find_touches(&job, threads);
  if (join(&job, threads) != PC_OK)
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  return PC_OK;
}

// Adds what a job has found, in the order of pairs.
static void add_overlaps(const pc_contacts_job *job, pc_overlaps *overlaps)
{
  for (int s = 0; s < job->pieces; s++) {
    const pc_contacts_span *span = &job->span[s];
    const pc_touch *touch =
        job->world->contacts.finding.at[span->worker].touches.at; // may be NULL, if none
    int first = span->first;
    for (int t = first; t < first + span->count; t++) {
      const int *body = touch[t].body;
      overlaps->pairs += t == first || memcmp(body, touch[t - 1].body, 2 * sizeof *body) != 0;
      if (-touch[t].gap > overlaps->depth) {
        overlaps->depth = -touch[t].gap;
        memcpy(overlaps->deepest, body, sizeof overlaps->deepest);
      }
    }
  }
}

// Some pairs at a time, so that contacts of bodies that are all in one place need not be kept.
pc_status pc_contacts_overlaps(pc_world *world, pc_overlaps *overlaps)
{
  enum { SOME = 100000 };
  pc_contacts_job all = pc_contacts_job_start(world, 0);
  int threads = pc_world_threads(world);
  *overlaps = (pc_overlaps){0};
  all.notes = false;
  pc_status status = find_pairs(&all, threads);
  for (int done = 0; done < all.pair_count && status == PC_OK; done += SOME) {
    pc_contacts_job job = all;
    job.pairs += done;
    job.pair_count = all.pair_count - done < SOME ? all.pair_count - done : SOME;
    find_touches(&job, threads);
    for (int i = 0; i < world->contacts.finding.count; i++)
      status = job.status[i] != PC_OK ? job.status[i] : status;
    if (status == PC_OK)
      add_overlaps(&job, overlaps);
  }
  return status;
}

void pc_contact_set_free(pc_contact_set *contacts)
{
  for (int i = 0; i < contacts->finding.count; i++) {
    pc_finding *finding = &contacts->finding.at[i];
    free(finding->list.point);
    pc_array_free(&finding->touches);
    pc_array_free(&finding->near);
    pc_array_free(&finding->left);
  }
  pc_array_free(&contacts->finding);
  pc_array_free(&contacts->list);
  pc_array_free(&contacts->memory);
  pc_array_free(&contacts->moment);
  pc_array_free(&contacts->first);
}
