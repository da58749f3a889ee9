#include "core/pace.h"

void pc_pace_look(pc_pace *pace, double time, double done)
{
  double passed = time - pace->time;
  if (!pace->begun) {
    *pace = (pc_pace){.begun = true, .done = done, .time = time};
    return;
  }
  if (!(passed > 0 && done > pace->done)) // a long part is not a stop
    return;
  double kept = 1 / (1 + passed / PC_PACE_SECONDS);
  pace->work = kept * pace->work + (done - pace->done);
  pace->seconds = kept * pace->seconds + passed;
  pace->time = time;
  pace->done = done;
}

double pc_pace_speed(const pc_pace *pace)
{
  return pace->seconds > 0 ? pace->work / pace->seconds : 0;
}
