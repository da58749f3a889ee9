// Finding contacts: outlines are made, pairs are looked for, and what workers find in them becomes
// one list.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "rigid/detection.h"

void pc_contact_set_free(pc_contact_set *contacts)
{
  for (int i = 0; i < contacts->finding.count; i++) {
    pc_finding *finding = &contacts->finding.at[i];
    pc_array_free(&finding->list);
    pc_array_free(&finding->contacts);
    pc_array_free(&finding->near);
    pc_array_free(&finding->near_balls);
  }
  pc_array_free(&contacts->finding);
  pc_array_free(&contacts->list);
  pc_contacts_drop_memory(contacts);
  pc_array_free(&contacts->memory);
  pc_array_free(&contacts->moment);
  pc_array_free(&contacts->first);
  pc_array_free(&contacts->joining);
}

// Spans one after the other are in the order of pairs. Those of the first worker, which has the
// first pieces, are in their places already.
static void join_range(void *context, int begin, int end, int worker)
{
  const pc_detection_job *job = context;
  pc_contact_set *contacts = job->search->contacts;
  begin += job->in_place;
  end += job->in_place;
  for (int s = 0; s < job->pieces; s++) {
    const pc_span *span = &job->span[s];
    int last = span->to + span->count;
    int from = begin > span->to ? begin : span->to, to = end < last ? end : last;
    if (span->worker > 0 && from < to)
      memcpy(contacts->list.at + from,
             contacts->finding.at[span->worker].contacts.at + (span->first + from - span->to),
             sizeof(pc_contact_data) * (size_t)(to - from));
  }
}

// Makes one list of all contacts: that of the first worker, which gets the memory of the old list.
static pc_status join(pc_detection_job *job)
{
  pc_contact_set *contacts = job->search->contacts;
  pc_contact_data_list *own = &contacts->finding.at[0].contacts, old = contacts->list;
  int found = 0, looked = 0;
  bool sound = true;
  bool crowded = false;
  long all = 0;
  contacts->deepest = 0;
  job->in_place = own->count;
  contacts->list = *own;
  contacts->list.count = 0;
  for (int i = 0; i < contacts->finding.count; i++) {
    looked += job->looked[i];
    contacts->deepest = fmax(contacts->deepest, job->deepest[i]);
    sound = sound && job->status[i] == PC_OK;
    const pc_finding *finding = &contacts->finding.at[i];
    all += (long)finding->contacts.count + finding->near.count + finding->near_balls.count;
    crowded = crowded || finding->crowded || all > finding->most;
  }
  for (int s = 0; s < job->pieces && !crowded; s++) {
    job->span[s].to = found;
    found += job->span[s].count;
  }
  if (!job->search->again)
    contacts->looked = looked;
  *own = old;
  own->count = 0;
  if (crowded)
    return PC_ERROR_ARGUMENT;
  if (!sound || !pc_array_reserve_aligned(&contacts->list, found))
    return PC_ERROR_MEMORY;
  contacts->list.count = found;
  if (found > job->in_place)
    pc_parallel(job->search->threads, found - job->in_place, 200, join_range, job);
  return PC_OK;
}

static inline bool is_struck(const pc_detection *search, const int body[2])
{
  return search->struck[body[0]] || search->struck[body[1]];
}

// What a list far longer than the last one took goes back: contacts that are near become contacts
// that act.
static void shorten(pc_finding *finding)
{
  if (finding->near.count < finding->near.capacity / 4)
    pc_array_shed(&finding->near);
  if (finding->near_balls.count < finding->near_balls.capacity / 4)
    pc_array_shed(&finding->near_balls);
}

// Discards what will be found again.
static void forget(const pc_detection *search, pc_finding *finding)
{
  finding->most = pc_contacts_most(search->bodies->count);
  finding->crowded = false;
  int near = 0, balls = 0;
  finding->contacts.count = finding->passed = 0;
  if (!search->again)
    shorten(finding);
  for (int i = 0; i < finding->near.count && search->again; i++)
    if (!is_struck(search, finding->near.at[i].body))
      finding->near.at[near++] = finding->near.at[i];
  for (int i = 0; i < finding->near_balls.count && search->again; i++)
    if (!is_struck(search, finding->near_balls.at[i].body))
      finding->near_balls.at[balls++] = finding->near_balls.at[i];
  finding->near.count = near;
  finding->near_balls.count = balls;
}

bool pc_detection_open(const pc_detection *search)
{
  pc_contact_set *contacts = search->contacts;
  while (contacts->finding.count < search->threads)
    if (pc_array_add(&contacts->finding) == NULL)
      return false;
  for (int i = 0; i < contacts->finding.count; i++)
    if (!pc_array_reserve(&contacts->finding.at[i].list, 1))
      return false;
  if (!pc_outlines_reserve(search->outlines, search->bodies->count))
    return false;
  pc_body_pairs_open(search->pairs);
  return true;
}

// Makes the outlines of bodies, if that is not done, and looks for pairs.
static pc_status find_pairs(const pc_detection *search, bool placed)
{
  if (!placed) {
    if (!pc_detection_open(search))
      return PC_ERROR_MEMORY;
    pc_parallel(search->threads, search->bodies->count, 200, pc_detection_place, (void *)search);
  }
  if (!search->again && !search->with_sleeping)
    search->outlines->sleepers_h = search->h;
  return pc_body_pairs_find(search->pairs, search->bodies, search->outlines, search->part,
                            search->with_sleeping, search->threads);
}

static pc_detection_job start_job(const pc_detection *search, bool notes_near)
{
  return (pc_detection_job){.search = search,
                            .pairs = search->pairs->list,
                            .pair_count = search->pairs->found,
                            .notes_near = notes_near};
}

// The contacts of the pairs of a job, as the workers find them.
static void collide_pairs(pc_detection_job *job)
{
  const pc_detection *search = job->search;
  for (int i = 0; i < search->contacts->finding.count; i++)
    forget(search, &search->contacts->finding.at[i]);
  pc_detection_cut(job);
  pc_parallel(search->threads, job->pieces, 1, pc_detection_collide, job);
}

static void copy_range(void *context, int begin, int end, int worker)
{
  pc_contact_set *contacts = context;
  memcpy(contacts->before + begin, contacts->list.at + begin,
         sizeof *contacts->before * (size_t)(end - begin));
}

// The first worker gets the memory of the old list. What is remembered of that goes to spare
// memory, all of it if contacts are looked for again; so does what other workers find, unless that
// is more than their share.
static bool lend_memory(const pc_detection *search)
{
  pc_contact_set *contacts = search->contacts;
  pc_contact_data_list *own = &contacts->finding.at[0].contacts, old = *own;
  int count = contacts->list.count, workers = contacts->finding.count;
  int share = (int)(2.0 * count / workers);
  if (!pc_contacts_memorise(contacts, search->spare, search->threads))
    return false;
  contacts->before_count = search->again ? count : 0;
  contacts->before =
      pc_arena_take_raw(search->spare, (size_t)contacts->before_count, sizeof *contacts->before);
  for (int i = 1; i < workers; i++) {
    pc_finding *finding = &contacts->finding.at[i];
    if (finding->contacts.capacity >= share)
      continue;
    pc_array_free(&finding->contacts);
    finding->contacts.at =
        pc_arena_take_raw(search->spare, (size_t)share, sizeof *finding->contacts.at);
    finding->lent = finding->contacts.at != NULL;
    finding->contacts.capacity = finding->lent ? share : 0;
  }
  if (search->spare->failed)
    return false;
  pc_parallel(search->threads, contacts->before_count, 200, copy_range, contacts);
  *own = contacts->list;
  contacts->list = old;
  contacts->list.count = own->count = 0;
  pc_array_shed(&contacts->list);
  return true;
}

static void return_memory(pc_contact_set *contacts)
{
  for (int i = 1; i < contacts->finding.count; i++) {
    pc_finding *finding = &contacts->finding.at[i];
    if (finding->lent)
      finding->contacts = (pc_contact_data_list){0};
    finding->lent = false;
    pc_array_shed(&finding->contacts);
  }
}

pc_status pc_detection_find(const pc_detection *search, bool placed)
{
  pc_status status = find_pairs(search, placed);
  if (status == PC_OK && !lend_memory(search))
    status = PC_ERROR_MEMORY;
  if (!search->again)
    pc_pierced_begin_search(search->pierced);
  if (status == PC_OK) {
    pc_detection_job job = start_job(search, search->looks != PC_LOOK_ONCE);
    collide_pairs(&job);
    status = join(&job);
  }
  return_memory(search->contacts);
  return status;
}

// Adds the overlaps that a job has found, in the order of pairs.
static void add_overlaps(const pc_detection_job *job, pc_overlaps *overlaps)
{
  for (int s = 0; s < job->pieces; s++) {
    const pc_span *span = &job->span[s];
    const pc_contact_data *contact = job->search->contacts->finding.at[span->worker].contacts.at;
    int first = span->first;
    for (int t = first; t < first + span->count; t++) {
      const int *body = contact[t].body;
      overlaps->pairs += t == first || memcmp(body, contact[t - 1].body, 2 * sizeof *body) != 0;
      if (-contact[t].gap > overlaps->depth) {
        overlaps->depth = -contact[t].gap;
        memcpy(overlaps->deepest, body, sizeof overlaps->deepest);
      }
    }
  }
}

// A limited number of pairs at a time, so that contacts of bodies that are all in one place need
// not be kept.
pc_status pc_detection_overlaps(const pc_detection *search, pc_overlaps *overlaps)
{
  enum { AT_A_TIME = 100000 };
  *overlaps = (pc_overlaps){0};
  pc_status status = find_pairs(search, false);
  if (status != PC_OK)
    return status;
  int pairs = search->pairs->found;
  for (int done = 0; done < pairs; done += AT_A_TIME) {
    pc_detection_job job = start_job(search, false);
    job.pairs += done;
    job.pair_count = pairs - done < AT_A_TIME ? pairs - done : AT_A_TIME;
    collide_pairs(&job);
    for (int i = 0; i < search->contacts->finding.count; i++)
      if (job.status[i] != PC_OK)
        return search->contacts->finding.at[i].crowded ? PC_ERROR_ARGUMENT : job.status[i];
    add_overlaps(&job, overlaps);
  }
  return PC_OK;
}

pc_status pc_detection_fail(pc_status status, int bodies, pc_error *error)
{
  if (status != PC_ERROR_ARGUMENT)
    return pc_fail(error, status, "out of memory");
  return pc_fail(error, PC_ERROR_MEMORY,
                 "too many bodies are at the same place: with %d bodies, at most %ld close pairs "
                 "and %d contacts are allowed; move the bodies apart, or put bodies that need not "
                 "collide in one group",
                 bodies, pc_body_pairs_most(bodies), pc_contacts_most(bodies));
}
