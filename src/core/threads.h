// A thread pool for each calling thread, kept from call to call.
#ifndef PERCUSS_CORE_THREADS_H
#define PERCUSS_CORE_THREADS_H

// Calls work(context, begin, end, worker) on pieces of 0 .. count, each at least `grain` long, on
// up to `threads` threads. A free thread takes the next piece. `worker`, below `threads`, is the
// number of the thread: no two threads have the same at a time, and one may get several pieces, in
// any order. Worker 0 is the caller and gets the first pieces in order. Work that writes only to
// places of its own index gives the same answer for any number of threads.
enum { PC_MOST_THREADS = 64 }; // of one call
typedef void pc_work(void *context, int begin, int end, int worker);
void pc_parallel(int threads, int count, int grain, pc_work *work, void *context);

// Runs long jobs in parallel: calls job(context, worker), worker 0 .. workers - 1, each on its own
// thread, and returns when all have ended. Meanwhile it calls `watch` on the calling thread, about
// every `every` seconds. Within a job pc_parallel has threads of its own. If no thread can be
// created, the caller does the job of worker 0.
typedef void pc_job(void *context, int worker);
typedef void pc_watch(void *context);
void pc_side_by_side(int workers, pc_job *job, double every, pc_watch *watch, void *context);

// Number of processors that this process may use.
int pc_processors(void);

#endif
