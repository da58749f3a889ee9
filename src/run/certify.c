#include "run/certify.h"

#include <math.h>
#include <stdio.h>

#include "core/error.h"

pc_status pc_certify_step(pc_world *world, pc_run_certificate *sum, pc_error *error)
{
  pc_certificate now;
  if (pc_impact_interactions(pc_world_problem(world)) == 0) { // nothing to be wrong about
    sum->steps++;
    return PC_OK;
  }
  if (pc_world_certify(world, &now) != PC_OK)
    return pc_fail(error, PC_ERROR_MEMORY, "%s", pc_world_error(world));
  if (!now.certified) {
    if (sum->refused++ == 0)
      snprintf(sum->why, sizeof sum->why, "%s", now.reason);
    return PC_OK;
  }
  sum->steps++;
  sum->rms = fmax(sum->rms, now.rms);
  sum->estimate = fmax(sum->estimate, now.bound > 0 ? now.rms * (now.estimate / now.bound) : 0);
  sum->shift = fmax(sum->shift, now.shift);
  sum->frozen = sum->frozen || now.frozen;
  return PC_OK;
}
