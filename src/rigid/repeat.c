// A step that leaves the world as it was, to the last bit, is followed by the same step, until the
// caller changes something. It need not be computed: only time goes on.
#include "core/clock.h"
#include "rigid/step.h"

static bool is_at_rest(const pc_body_state *state)
{
  for (int k = 0; k < 3; k++)
    if (state->velocity[k] != 0 || state->spin[k] != 0)
      return false;
  return true;
}

static bool are_at_rest(const pc_body_store *bodies)
{
  for (int i = 0; i < bodies->count; i++)
    if (!bodies->solid.at[i].absent && !is_at_rest(&bodies->state.at[i]))
      return false;
  return true;
}

// Whether the sums over the run stay as they are.
static bool adds_nothing(const pc_step_info *info)
{
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    if (pc_step_line(info, i) != 0 && pc_balance[i].total != NULL)
      return false;
  return true;
}

// Bodies at rest before and after a step are where they were. What else a step starts from must be
// as it was too, and nothing may depend on time.
bool pc_step_repeats(const pc_step *step, bool placed, bool corrected)
{
  const pc_world *world = step->world;
  bool plain = placed && world->elements.list.count == 0 && world->elements.bond.count == 0 &&
               world->heat == NULL && !pc_world_can_sleep(world) &&
               world->def.treatment != PC_PENALTY && !pc_materials_roll(&world->materials);
  bool once = world->info.passes == 1 && world->info.calmed == 0 &&
              world->contacts.first.count == 0 && !world->pierced.changed;
  return plain && once && !corrected && world->contacts.kept && world->balance.moving == 0 &&
         adds_nothing(&world->info) && are_at_rest(&world->bodies);
}

void pc_step_repeat(pc_world *world, double h)
{
  pc_step_info *info = &world->info;
  double begun = pc_clock_seconds();
  pc_clock_advance(&world->clock, h);
  info->step = world->clock.step;
  info->time = world->clock.time;
  info->box_tests = 0;
  info->detection_s = info->solve_s = info->stating_s = info->audit_s = 0;
  info->step_s = pc_clock_seconds() - begun;
}
