// A thread pool for each calling thread, kept from call to call.
//
// A step synchronises some hundred times, so a call must cost less than a microsecond. On a busy
// machine a thread may lose its processor for milliseconds at any of these points. Therefore a
// waiting thread spins for a hundred microseconds only and then sleeps, which frees its processor
// for the thread that it waits for. Work is cut into more pieces than there are threads, and a free
// thread takes the next piece. The caller takes the first pieces and the others take the last ones:
// a long piece each and then short ones from the middle. So they finish together, and the same data
// stay with one processor from call to call. After a caller has waited for a thread that had lost
// its processor, it works alone for a while, and for longer if that happens again.
#include "core/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"

// A long piece is so many times a short one, of which there are so many per thread; what has no
// room for that is cut evenly.
enum { LONG = 6, SHORT = 2, MOST_PIECES = 255 };
enum { LINE = 64, LOOKS = 16 }; // bytes of memory; between two looks at the clock
// s: for as long as waking a thread may take, what is too long to wait for one that is gone, and
// the longest time alone.
static const double patience = 100e-6, too_long = 1e-3, longest_retreat = 0.1;

typedef struct pool pool;

typedef struct member {
  pool *pool;
  pthread_t thread;
  pthread_cond_t wake;
  atomic_bool asleep;
  int worker; // 1 and so on: the caller is 0
} member;

struct pool {
  pthread_mutex_t lock;
  pthread_cond_t done;
  member member[PC_MOST_THREADS];
  int members; // besides the caller
  bool stop;   // under the lock
  atomic_bool caller_sleeps;
  double alone_until, retreat; // s
  double shared_since;         // work, but for waits: the end of the last one, or of a retreat

  // The job. `ticket` has its number (32 bits), for how many threads it is, how many pieces there
  // are and how many of the last and of the first ones are taken (8 bits each). The rest is read by
  // threads that got a piece only; it does not change until that piece is finished.
  _Alignas(LINE) _Atomic uint64_t ticket;
  int count;
  int length; // of the long pieces, in short ones
  pc_work *work;
  void *context;
  _Alignas(LINE) atomic_int finished;
};

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
  return (int)(ticket >> 16 & 0xff);
}

static inline int threads_of(uint64_t ticket)
{
  return (int)(ticket >> 24 & 0xff);
}

static inline bool is_left(uint64_t ticket, int worker)
{
  return worker < threads_of(ticket) &&
         first_taken(ticket) + last_taken(ticket) < pieces_of(ticket);
}

// Where a piece begins: a long one, the short ones, and a long one for each of the others.
static int begin_of(const pool *p, uint64_t ticket, int piece)
{
  int longs = threads_of(ticket), shorts = pieces_of(ticket) - longs, length = p->length;
  int before = length == 1 ? piece : piece == 0 ? 0 : length + piece - 1;
  if (length > 1 && piece > shorts + 1)
    before += (length - 1) * (piece - shorts - 1);
  int all = length == 1 ? pieces_of(ticket) : length * longs + shorts;
  return (int)((long long)p->count * before / all);
}

// Takes one piece of the job and does it; false if none is left.
static bool do_piece(pool *p, int worker)
{
  uint64_t ticket = atomic_load(&p->ticket);
  for (;;) {
    if (!is_left(ticket, worker))
      return false;
    if (atomic_compare_exchange_weak(&p->ticket, &ticket, ticket + (worker == 0 ? 1 : 0x100)))
      break;
  }
  int pieces = pieces_of(ticket);
  int piece = worker == 0 ? first_taken(ticket) : pieces - 1 - last_taken(ticket);
  int begin = begin_of(p, ticket, piece), end = begin_of(p, ticket, piece + 1);
  if (begin < end)
    p->work(p->context, begin, end, worker);
  if (atomic_fetch_add(&p->finished, 1) + 1 == pieces && atomic_load(&p->caller_sleeps)) {
    pthread_mutex_lock(&p->lock);
    pthread_cond_signal(&p->done);
    pthread_mutex_unlock(&p->lock);
  }
  return true;
}

static bool is_work(const member *m)
{
  return is_left(atomic_load(&m->pool->ticket), m->worker);
}

// False when the pool ends.
static bool wait_for_work(member *m)
{
  double begun = pc_clock_seconds();
  do {
    for (int i = 0; i < LOOKS; i++) {
      if (is_work(m))
        return true;
      pause_a_little();
    }
  } while (pc_clock_seconds() - begun < patience);
  pool *p = m->pool;
  pthread_mutex_lock(&p->lock);
  atomic_store(&m->asleep, true);
  while (!is_work(m) && !p->stop)
    pthread_cond_wait(&m->wake, &p->lock);
  atomic_store(&m->asleep, false);
  bool goes_on = !p->stop;
  pthread_mutex_unlock(&p->lock);
  return goes_on;
}

static _Thread_local bool inside; // of a piece: what it calls runs on its own thread

static void *serve(void *context)
{
  member *m = context;
  inside = true;
  while (wait_for_work(m))
    while (do_piece(m->pool, m->worker))
      ;
  return NULL;
}

// Time that processors have spent on the threads of the job besides the caller, in s.
static double members_time(const pool *p)
{
  double sum = 0;
#ifdef _POSIX_THREAD_CPUTIME
  int threads = threads_of(atomic_load(&p->ticket));
  for (int i = 0; i < threads - 1 && i < p->members; i++) {
    clockid_t clock;
    struct timespec now = {0};
    if (pthread_getcpuclockid(p->member[i].thread, &clock) == 0 && clock_gettime(clock, &now) == 0)
      sum += (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  }
#else
  sum = pc_clock_seconds(); // as if they worked
#endif
  return sum;
}

// After a wait in which no thread worked and that cost more than sharing gained since the last wait
// (half of the time), the caller works alone: for as long as it waited, or twice as long as last
// time.
static void retreat(pool *p, double waited, double now)
{
  bool pays = waited < 0.5 * (now - waited - p->shared_since);
  double time = pays ? 0 : waited > 2 * p->retreat ? waited : 2 * p->retreat;
  p->retreat = time < longest_retreat ? time : longest_retreat;
  p->alone_until = p->shared_since = now + p->retreat;
}

static void wait_until_done(pool *p, int pieces)
{
  double begun = 0, now = 0;
  do {
    for (int i = 0; i < LOOKS; i++) {
      if (atomic_load(&p->finished) == pieces)
        return;
      pause_a_little();
    }
    now = pc_clock_seconds();
    begun = begun > 0 ? begun : now; // most do not wait so long as to ask
  } while (now - begun < patience);
  double spent = members_time(p);
  pthread_mutex_lock(&p->lock);
  atomic_store(&p->caller_sleeps, true);
  while (atomic_load(&p->finished) != pieces)
    pthread_cond_wait(&p->done, &p->lock);
  atomic_store(&p->caller_sleeps, false);
  pthread_mutex_unlock(&p->lock);
  double waited = pc_clock_seconds() - now;
  if (waited > too_long && members_time(p) - spent < 0.5 * waited)
    retreat(p, waited, now + waited);
}

static void end_pool(void *context)
{
  pool *p = context;
  pthread_mutex_lock(&p->lock);
  p->stop = true;
  for (int i = 0; i < p->members; i++)
    pthread_cond_signal(&p->member[i].wake);
  pthread_mutex_unlock(&p->lock);
  for (int i = 0; i < p->members; i++) {
    pthread_join(p->member[i].thread, NULL);
    pthread_cond_destroy(&p->member[i].wake);
  }
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

static bool add_member(pool *p)
{
  member *m = &p->member[p->members];
  m->pool = p;
  m->worker = p->members + 1;
  pthread_cond_init(&m->wake, NULL);
  if (pthread_create(&m->thread, NULL, serve, m) != 0) {
    pthread_cond_destroy(&m->wake);
    return false;
  }
  p->members++;
  return true;
}

// The pool of the calling thread, with as many threads as can be had; NULL if none can.
static pool *pool_of_caller(int threads)
{
  pthread_once(&pool_once, make_key);
  if (!pool_key_made)
    return NULL;
  pool *p = pthread_getspecific(pool_key);
  if (p == NULL) {
    p = aligned_alloc(LINE, sizeof *p);
    if (p == NULL)
      return NULL;
    memset(p, 0, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->done, NULL);
    if (pthread_setspecific(pool_key, p) != 0) {
      end_pool(p);
      return NULL;
    }
  }
  while (p->members < threads - 1 && add_member(p))
    ;
  return p;
}

int pc_processors(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

// How many pieces, and how long the long ones are.
static int cut(int threads, int count, int grain, int *length)
{
  int worth = count / grain;
  bool room = threads * (1 + SHORT) <= MOST_PIECES && worth >= threads * (LONG + SHORT);
  *length = room ? LONG : 1;
  if (room)
    return threads * (1 + SHORT);
  return grain == 1 && worth <= MOST_PIECES ? worth : threads;
}

void pc_parallel(int threads, int count, int grain, pc_work *work, void *context)
{
  grain = grain > 0 ? grain : 1;
  threads = threads < count / grain ? threads : count / grain;
  threads = threads < PC_MOST_THREADS ? threads : PC_MOST_THREADS;
  pool *p = threads > 1 && !inside ? pool_of_caller(threads) : NULL;
  if (p == NULL) {
    if (count > 0)
      work(context, 0, count, 0);
    return;
  }
  if (p->alone_until > 0 && pc_clock_seconds() < p->alone_until) {
    inside = true;
    work(context, 0, count, 0);
    inside = false;
    return;
  }
  p->count = count;
  p->work = work;
  p->context = context;
  atomic_store(&p->finished, 0);
  uint64_t number = (atomic_load(&p->ticket) >> 32) + 1;
  int pieces = cut(threads, count, grain, &p->length);
  atomic_store(&p->ticket, number << 32 | (uint64_t)(threads << 24 | pieces << 16));
  for (int i = 0; i < threads - 1 && i < p->members; i++)
    if (atomic_load(&p->member[i].asleep)) {
      pthread_mutex_lock(&p->lock);
      pthread_cond_signal(&p->member[i].wake);
      pthread_mutex_unlock(&p->lock);
    }
  inside = true;
  while (do_piece(p, 0))
    ;
  inside = false;
  wait_until_done(p, pieces);
}

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
