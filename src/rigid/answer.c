// Reading the answer of the impact problem: percussions of contacts, and what the next step starts
// from.
#include <string.h>

#include "core/prefetch.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/bulk.h"
#include "rigid/step.h"

// Reads the percussion of a contact, in world axes on its first body.
static void read_percussion(const pc_step *step, pc_contact_data *contact)
{
  const pc_world *world = step->world;
  double answer[3];
  if (contact->interaction < 0)
    return;
  pc_impact_percussion(world->problem.impact, contact->interaction, answer);
  if (pc_contact_is_guided(&step->search, contact)) {
    bool plane = world->def.dimension == 2;
    double frame[9];
    pc_contact_axes(contact->normal, plane, frame);
    memset(contact->percussion, 0, sizeof contact->percussion);
    for (int r = 0; r < (plane ? 2 : 3); r++)
      for (int k = 0; k < 3; k++)
        contact->percussion[k] += answer[r] * frame[3 * r + k];
  } else {
    double sign = world->problem.index.at[contact->body[0]] >= 0 ? 1 : -1;
    for (int k = 0; k < 3; k++)
      contact->percussion[k] = sign * answer[k] + 0.0; // no -0
  }
}

typedef struct keep_job {
  const pc_step *step;
  bool changed[PC_MOST_THREADS]; // per worker: some percussion is not what the solve started from
} keep_job;

static void keep_range(void *context, int begin, int end, int worker)
{
  enum { AHEAD = 48 }; // contacts that are asked for
  keep_job *job = context;
  const pc_step *step = job->step;
  pc_contact_set *contacts = &step->world->contacts;
  bool changed = false;
  for (int t = begin; t < end; t++) {
    pc_contact_data *contact = &contacts->list.at[t];
    pc_prefetch(contact, AHEAD, sizeof *contact);
    double start[3];
    memcpy(start, contact->percussion, sizeof start);
    read_percussion(step, contact);
    changed = changed || memcmp(start, contact->percussion, sizeof start) != 0;
  }
  job->changed[worker] = job->changed[worker] || changed;
}

// Moments of rolling friction, for the next step. Without memory for them it starts without.
static void keep_moments(const pc_step *step)
{
  const pc_world *world = step->world;
  pc_contact_set *contacts = &step->world->contacts;
  contacts->moment.count = 0;
  if (!pc_materials_roll(&world->materials) ||
      !pc_array_reserve(&contacts->moment, contacts->list.count))
    return;
  for (int t = 0; t < contacts->list.count; t++) {
    const pc_contact_data *contact = &contacts->list.at[t];
    if (!pc_contact_is_pressed(contact) || contact->interaction < 0 ||
        pc_contact_is_guided(&step->search, contact))
      continue;
    pc_moment *to = &contacts->moment.at[contacts->moment.count++];
    *to = (pc_moment){.body = {contact->body[0], contact->body[1]}, .feature = contact->feature};
    pc_impact_moment(world->problem.impact, contact->interaction, to->moment);
    for (int k = 0; k < 3 && !world->outlines.body.at[contact->body[0]].heavy; k++)
      to->moment[k] = -to->moment[k];
  }
}

void pc_answer_keep(const pc_step *step)
{
  pc_contact_set *contacts = &step->world->contacts;
  keep_job job = {.step = step};
  pc_parallel(step->threads, contacts->list.count, 300, keep_range, &job);
  contacts->kept = true;
  for (int w = 0; w < PC_MOST_THREADS; w++)
    contacts->kept = contacts->kept && !job.changed[w];
  contacts->answered = true;
  keep_moments(step);
}
