// A few threads per calling thread, kept from call to call.
//
// A sweep meets at some dozen points, so a call must cost microseconds; and on a machine that has
// other work a thread may be gone for milliseconds at any of them. Hence: who waits spins for some
// microseconds only and then sleeps, which gives its processor to whom it waits for; and a piece
// that nobody has begun is done by whoever is free. The caller takes the first ones and the others
// the last ones, so that what a piece works on stays with one processor from call to call.
#include "core/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 1000, MOST_THREADS = 64 };

typedef struct pool {
  pthread_mutex_t lock;
  pthread_cond_t wake, done;
  pthread_t thread[MOST_THREADS];
  int threads; // besides the caller
  bool stop;   // under the lock
  atomic_int sleepers;
  atomic_bool caller_sleeps;

  // The job. `ticket` has its number, how many pieces there are (16 bits) and how many of the first
  // and of the last ones are taken (8 bits each). The rest is read by those who got a piece only:
  // until that is finished it does not change.
  _Atomic uint64_t ticket;
  atomic_int finished;
  int count;
  pc_work *work;
  void *context;
} pool;

static inline void pause_a_little(void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static inline int first_taken(uint64_t ticket)
{
  return (int)(ticket & 0xff);
}

static inline int last_taken(uint64_t ticket)
{
  return (int)(ticket >> 8 & 0xff);
}

static inline int pieces_of(uint64_t ticket)
{
  return (int)(ticket >> 16 & 0xffff);
}

static inline bool is_left(uint64_t ticket)
{
  return first_taken(ticket) + last_taken(ticket) < pieces_of(ticket);
}

// Takes one piece of the job and does it; false if none is left.
static bool do_piece(pool *p, bool caller)
{
  uint64_t ticket = atomic_load(&p->ticket);
  for (;;) {
    if (!is_left(ticket))
      return false;
    if (atomic_compare_exchange_weak(&p->ticket, &ticket, ticket + (caller ? 1 : 0x100)))
      break;
  }
  int pieces = pieces_of(ticket);
  int piece = caller ? first_taken(ticket) : pieces - 1 - last_taken(ticket);
  int begin = (int)((long long)p->count * piece / pieces);
  int end = (int)((long long)p->count * (piece + 1) / pieces);
  if (begin < end)
    p->work(p->context, begin, end, piece);
  if (atomic_fetch_add(&p->finished, 1) + 1 == pieces && atomic_load(&p->caller_sleeps)) {
    pthread_mutex_lock(&p->lock);
    pthread_cond_signal(&p->done);
    pthread_mutex_unlock(&p->lock);
  }
  return true;
}

static bool is_work(pool *p)
{
  return is_left(atomic_load(&p->ticket));
}

// False when the pool ends.
static bool wait_for_work(pool *p)
{
  for (int i = 0; i < SPINS; i++) {
    if (is_work(p))
      return true;
    pause_a_little();
  }
  pthread_mutex_lock(&p->lock);
  atomic_fetch_add(&p->sleepers, 1);
  while (!is_work(p) && !p->stop)
    pthread_cond_wait(&p->wake, &p->lock);
  atomic_fetch_sub(&p->sleepers, 1);
  bool goes_on = !p->stop;
  pthread_mutex_unlock(&p->lock);
  return goes_on;
}

static _Thread_local bool inside; // of a piece: what it calls runs on its own thread

static void *serve(void *context)
{
  pool *p = context;
  inside = true;
  while (wait_for_work(p))
    while (do_piece(p, false))
      ;
  return NULL;
}

static void wait_until_done(pool *p, int pieces)
{
  for (int i = 0; i < SPINS; i++) {
    if (atomic_load(&p->finished) == pieces)
      return;
    pause_a_little();
  }
  pthread_mutex_lock(&p->lock);
  atomic_store(&p->caller_sleeps, true);
  while (atomic_load(&p->finished) != pieces)
    pthread_cond_wait(&p->done, &p->lock);
  atomic_store(&p->caller_sleeps, false);
  pthread_mutex_unlock(&p->lock);
}

static void end_pool(void *context)
{
  pool *p = context;
  pthread_mutex_lock(&p->lock);
  p->stop = true;
  pthread_cond_broadcast(&p->wake);
  pthread_mutex_unlock(&p->lock);
  for (int i = 0; i < p->threads; i++)
    pthread_join(p->thread[i], NULL);
  pthread_cond_destroy(&p->wake);
  pthread_cond_destroy(&p->done);
  pthread_mutex_destroy(&p->lock);
  free(p);
}

// Ends the pool of a thread with it.
static pthread_key_t pool_key;
static pthread_once_t pool_once = PTHREAD_ONCE_INIT;
static bool pool_key_made;

static void make_key(void)
{
  pool_key_made = pthread_key_create(&pool_key, end_pool) == 0;
}

// The pool of the calling thread, with as many threads as can be had; NULL if none can.
static pool *pool_of_caller(int threads)
{
  pthread_once(&pool_once, make_key);
  if (!pool_key_made)
    return NULL;
  pool *p = pthread_getspecific(pool_key);
  if (p == NULL) {
    p = calloc(1, sizeof *p);
    if (p == NULL)
      return NULL;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->done, NULL);
    if (pthread_setspecific(pool_key, p) != 0) {
      end_pool(p);
      return NULL;
    }
  }
  while (p->threads < threads - 1 && p->threads < MOST_THREADS &&
         pthread_create(&p->thread[p->threads], NULL, serve, p) == 0)
    p->threads++;
  return p;
}

int pc_processors(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

void pc_parallel(int threads, int count, int grain, pc_work *work, void *context)
{
  if (grain > 0 && threads > count / grain)
    threads = count / grain;
  threads = threads < MOST_THREADS ? threads : MOST_THREADS;
  pool *p = threads > 1 && !inside ? pool_of_caller(threads) : NULL;
  if (p == NULL) {
    if (count > 0)
      work(context, 0, count, 0);
    return;
  }
  p->count = count;
  p->work = work;
  p->context = context;
  atomic_store(&p->finished, 0);
  uint64_t number = (atomic_load(&p->ticket) >> 32) + 1;
  atomic_store(&p->ticket, number << 32 | (uint64_t)threads << 16);
  if (atomic_load(&p->sleepers) > 0) {
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
  }
  inside = true;
  while (do_piece(p, true))
    ;
  inside = false;
  wait_until_done(p, threads);
}

// --- jobs side by side --------------------------------------------------------------------------

typedef struct crew {
  pthread_mutex_t lock;
  pthread_cond_t left;
  int at_work; // under the lock
  pc_job *job;
  void *context;
} crew;

typedef struct hand {
  crew *crew;
  pthread_t thread;
  int worker;
} hand;

static void *do_job(void *context)
{
  hand *own = context;
  crew *c = own->crew;
  c->job(c->context, own->worker);
  pthread_mutex_lock(&c->lock);
  c->at_work--;
  pthread_cond_signal(&c->left);
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

static void wait_a_little(crew *c, double seconds)
{
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += (long)(1e9 * seconds);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&c->left, &c->lock, &until);
}

void pc_side_by_side(int workers, pc_job *job, double every, pc_watch *watch, void *context)
{
  crew c = {.job = job, .context = context};
  hand *hands = calloc((size_t)workers + 1, sizeof *hands);
  pthread_mutex_init(&c.lock, NULL);
  pthread_cond_init(&c.left, NULL);
  pthread_mutex_lock(&c.lock);
  int started = 0;
  for (; hands != NULL && started < workers; started++) {
    hands[started] = (hand){.crew = &c, .worker = started};
    if (pthread_create(&hands[started].thread, NULL, do_job, hands + started) != 0)
      break;
    c.at_work++;
  }
  while (c.at_work > 0) {
    wait_a_little(&c, every);
    pthread_mutex_unlock(&c.lock);
    watch(context);
    pthread_mutex_lock(&c.lock);
  }
  pthread_mutex_unlock(&c.lock);
  for (int i = 0; i < started; i++)
    pthread_join(hands[i].thread, NULL);
  if (started == 0)
    job(context, 0);
  pthread_mutex_destroy(&c.lock);
  pthread_cond_destroy(&c.left);
  free(hands);
}
