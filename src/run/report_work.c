// Progress of a report.
#include "core/clock.h"
#include "run/report.h"

pc_report_work pc_report_begin_work(const pc_report_options *options)
{
  return (pc_report_work){.options = options, .doing = "", .began = pc_clock_seconds()};
}

void pc_report_begin_part(pc_report_work *work, const char *doing, double part)
{
  work->done += work->part;
  work->part = part;
  work->doing = doing;
}

bool pc_report_tell(pc_report_work *work, double share)
{
  const pc_report_options *o = work->options;
  if (o->listener == NULL || work->stopped)
    return !work->stopped;
  pc_report_progress progress = {.doing = work->doing,
                                 .part = work->done + share * work->part,
                                 .elapsed_s = pc_clock_seconds() - work->began,
                                 .left_s = -1};
  if (progress.part > 0 && progress.elapsed_s > 0.3)
    progress.left_s = progress.elapsed_s * (1 - progress.part) / progress.part;
  work->stopped = !o->listener(o->context, &progress);
  return !work->stopped;
}
