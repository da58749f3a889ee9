// Threads, kept from call to call, of each calling thread its own.
#ifndef PERCUSS_CORE_THREADS_H
#define PERCUSS_CORE_THREADS_H

// Calls work(context, begin, end, worker) on consecutive pieces of 0 .. count, each at least
// `grain` long, on up to `threads` threads; worker is the number of the piece, below `threads`.
// Work that writes only to places of its own index gives the same answer for any number of threads.
typedef void pc_work(void *context, int begin, int end, int worker);
void pc_parallel(int threads, int count, int grain, pc_work *work, void *context);

// Processors this process may use.
int pc_processors(void);

#endif
