// Threads, kept from call to call, of each calling thread its own.
#ifndef PERCUSS_CORE_THREADS_H
#define PERCUSS_CORE_THREADS_H

// Calls work(context, begin, end, worker) on pieces of 0 .. count, each at least `grain` long, on
// up to `threads` threads. Who is free takes the next piece; worker, below `threads`, tells who it
// is: no two at a time have the same, and one may get several pieces, in any order but for worker
// 0, the caller, who gets the first ones in turn.
// Work that writes only to places of its own index gives the same answer for any number of threads.
enum { PC_MOST_THREADS = 64 }; // of one call
typedef void pc_work(void *context, int begin, int end, int worker);
void pc_parallel(int threads, int count, int grain, pc_work *work, void *context);

// Long jobs side by side: calls job(context, worker), worker 0 .. workers - 1, each on a thread of
// its own, and returns when all have. Until then `watch` is called on the calling thread, about
// every so many seconds. Within a job pc_parallel has threads of its own. If no thread can be
// had the caller does the job of worker 0.
typedef void pc_job(void *context, int worker);
typedef void pc_watch(void *context);
void pc_side_by_side(int workers, pc_job *job, double every, pc_watch *watch, void *context);

// Processors this process may use.
int pc_processors(void);

#endif
