#include "core/threads.h"

#ifdef _OPENMP
#include <omp.h>

int pc_processors(void)
{
  return omp_get_num_procs();
}

void pc_parallel(int threads, int count, int grain, pc_work *work, void *context)
{
  if (grain > 0 && threads > count / grain)
    threads = count / grain;
  if (threads <= 1) {
    if (count > 0)
      work(context, 0, count, 0);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    int team = omp_get_num_threads(), worker = omp_get_thread_num();
    int begin = (int)((long long)count * worker / team);
    int end = (int)((long long)count * (worker + 1) / team);
    if (begin < end)
      work(context, begin, end, worker);
  }
}

#else

int pc_processors(void)
{
  return 1;
}

void pc_parallel(int threads, int count, int grain, pc_work *work, void *context)
{
  (void)threads, (void)grain;
  if (count > 0)
    work(context, 0, count, 0);
}

#endif
