// The answer does not depend on the number of threads, not in one bit: piles for a thousand steps,
// and larger ones, whose islands are swept by several threads, for a few.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/threads.h"
#include "percuss/world.h"
#include "support.h"
#include "worlds.h"

enum { MOST_THREADS = 4 };

typedef pc_world *scene_maker(int threads);

static pc_world *make_world(int dimension, int threads, int sweeps)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  def.gravity[2] = 0;
  def.gravity[dimension - 1] = -9.81;
  def.threads = threads;
  def.max_iterations = sweeps;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  return world;
}

// Floor, and walls at 0 and `width` along the horizontal axes.
static void add_walls(pc_world *world, double width)
{
  int dimension = pc_world_definition(world)->dimension;
  for (int axis = 0; axis < dimension; axis++)
    for (int side = 0; side < 2 && !(axis == dimension - 1 && side == 1); side++) {
      pc_body_def wall = pc_body_def_default();
      double normal[3] = {0};
      normal[axis] = side ? -1 : 1;
      wall.kind = PC_FIXED;
      wall.position[axis] = side ? width : 0;
      add(world, &wall, pc_shape_plane(dimension, normal, NULL));
    }
}

static void spread(pc_random *random, double out[3], double size)
{
  for (int k = 0; k < 3; k++)
    out[k] = size * pc_random_uniform(random, -1, 1);
}

// side x side x layers bodies in a box, thrown about; at the places of a square pile.
static pc_world *make_pile(int threads, int sweeps, int side, int layers, bool spheres,
                           double apart)
{
  pc_world *world = make_world(3, threads, sweeps);
  pc_random random;
  pc_random_seed(&random, 11);
  double tetrahedron[4][3] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
  add_walls(world, apart * side);
  for (int i = 0; i < side * side * layers; i++) {
    pc_body_def def = pc_body_def_default();
    int at[3] = {i % side, i / side % side, i / (side * side)};
    spread(&random, def.velocity, 0.3);
    for (int k = 0; k < 3; k++)
      def.position[k] = apart * (at[k] + 0.5);
    for (int k = 0; k < 4 && !spheres; k++)
      def.orientation[k] = pc_random_normal(&random);
    if (spheres)
      spread(&random, def.spin, 5);
    add(world, &def,
        spheres      ? pc_shape_sphere(0.05 * pc_random_uniform(&random, 0.9, 1), NULL)
        : i % 2 == 0 ? pc_shape_box((double[3]){0.1, 0.08, 0.06}, NULL)
                     : pc_shape_polyhedron(4, (const double(*)[3])tetrahedron, true, NULL));
  }
  return world;
}

static pc_world *spheres(int threads)
{
  return make_pile(threads, 10, 6, 8, true, 0.102);
}

static pc_world *solids(int threads)
{
  return make_pile(threads, 10, 5, 5, false, 0.14);
}

static pc_world *polygons(int threads)
{
  pc_world *world = make_world(2, threads, 10);
  pc_random random;
  pc_random_seed(&random, 12);
  add_walls(world, 2.5);
  for (int i = 0; i < 240; i++) {
    pc_body_def def = pc_body_def_default();
    double corner[5][2], turn = pc_random_uniform(&random, 0, 6);
    int corners = 3 + i % 3;
    for (int k = 0; k < corners; k++) {
      corner[k][0] = 0.06 * cos(6.283185307179586 * k / corners);
      corner[k][1] = 0.05 * sin(6.283185307179586 * k / corners);
    }
    def.position[0] = 0.125 * (i % 20 + 0.5), def.position[1] = 0.125 * (i / 20 + 0.5);
    def.orientation[0] = cos(turn), def.orientation[3] = sin(turn);
    def.velocity[0] = 0.3 * pc_random_uniform(&random, -1, 1);
    add(world, &def, pc_shape_polygon(corners, (const double(*)[2])corner, true, NULL));
  }
  return world;
}

static pc_world *some_solids(int threads)
{
  return make_pile(threads, 10, 8, 10, false, 0.12);
}

// A dense bed of spheres, each in the hollow of four.
static pc_world *make_bed(int threads, int side)
{
  const double r = 0.05, across = 2.001 * r, up = 1.4154 * r;
  pc_world *world = make_world(3, threads, 10);
  add_walls(world, across * side);
  for (int layer = 0; layer < 10; layer++) {
    int count = layer % 2 ? side - 1 : side;
    double start = across * (layer % 2 ? 1 : 0.5);
    for (int i = 0; i < count * count; i++) {
      pc_body_def def = pc_body_def_default();
      def.position[0] = start + across * (i % count),
      def.position[1] = start + across * (i / count);
      def.position[2] = 1.0005 * r + up * layer;
      add(world, &def, pc_shape_sphere(r, NULL));
    }
  }
  return world;
}

static pc_world *some_spheres(int threads)
{
  return make_bed(threads, 9);
}

static pc_world *many_spheres(int threads)
{
  return make_bed(threads, 30);
}

static pc_world *pyramid(int threads)
{
  enum { BASE = 105 };
  pc_world *world = make_world(2, threads, 10);
  double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  pc_body_def floor = pc_body_def_default();
  floor.kind = PC_FIXED;
  add(world, &floor, pc_shape_plane(2, (double[3]){0, 1, 0}, NULL));
  for (int row = 0; row < BASE; row++)
    for (int i = 0; i < BASE - row; i++) {
      pc_body_def def = pc_body_def_default();
      def.position[0] = i - 0.5 * (BASE - row), def.position[1] = row + 0.5;
      add(world, &def, pc_shape_polygon(4, (const double(*)[2])corner, true, NULL));
    }
  return world;
}

// FNV-1a.
static void mix(uint64_t *hash, const void *data, size_t size)
{
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++)
    *hash = (*hash ^ bytes[i]) * UINT64_C(1099511628211);
}

// All bytes of the states, and of the percussions of the last step.
static void mix_world(uint64_t *hash, const pc_world *world)
{
  for (int i = 1; i <= pc_world_bodies(world); i++) {
    pc_body_state state;
    pc_body_get(world, (pc_body){i}, &state);
    mix(hash, &state, sizeof state);
  }
  for (int c = 0; c < pc_world_contacts(world); c++) {
    pc_contact contact;
    pc_world_contact(world, c, &contact);
    mix(hash, contact.percussion, sizeof contact.percussion);
  }
}

static void compare(scene_maker *make, int steps, double h, int rows)
{
  uint64_t expected = 0;
  for (int threads = 1; threads <= MOST_THREADS; threads++) {
    uint64_t hash = UINT64_C(14695981039346656037);
    pc_world *world = make(threads);
    int most = 0;
    for (int i = 0; i < steps; i++) {
      if (pc_world_step(world, h) != PC_OK)
        fail_msg("%s", pc_world_error(world));
      int contacts = pc_world_info(world)->contacts;
      most = contacts > most ? contacts : most;
      if (i % 50 == 49 || i == steps - 1)
        mix_world(&hash, world);
    }
    assert_true(most * pc_world_definition(world)->dimension > rows);
    pc_world_destroy(world);
    if (threads == 1)
      expected = hash;
    else if (hash != expected)
      fail_msg("%d threads: %016llx, one: %016llx", threads, (unsigned long long)hash,
               (unsigned long long)expected);
  }
}

static void spheres_for_a_thousand_steps(void **state)
{
  compare(spheres, 1000, 4e-3, 1500);
}

static void boxes_and_polyhedra_for_a_thousand_steps(void **state)
{
  compare(solids, 1000, 4e-3, 800);
}

static void polygons_for_a_thousand_steps(void **state)
{
  compare(polygons, 1000, 4e-3, 800);
}

// From some thousand rows on the threads share an island; of boxes the contacts of a pair are swept
// together. Of 60,000 rows they share more than two tiles.
static void heaps_that_two_tiles_hold(void **state)
{
  compare(some_spheres, 40, 2e-3, 4500);
  compare(some_solids, 150, 4e-3, 4500);
}

static void one_island_that_threads_share_in_space(void **state)
{
  compare(many_spheres, 8, 2e-3, 60000);
}

static void one_island_that_threads_share_in_the_plane(void **state)
{
  compare(pyramid, 5, 5e-3, 60000);
}

enum { MOST_NUMBERS = 5000 };

typedef struct pieces {
  int threads, least;                 // asked for; the shortest piece
  int last;                           // of worker 0: where its last piece ended
  atomic_int busy[MOST_THREADS];      // workers that are at work
  atomic_int done[MOST_NUMBERS], bad; // how often each number was
} pieces;

// The first worker wastes time, so that the others get more.
static void do_piece(void *context, int first, int last, int worker)
{
  pieces *p = context;
  bool known = worker >= 0 && worker < p->threads;
  if (!known || first >= last || last - first < p->least || atomic_fetch_add(&p->busy[worker], 1))
    atomic_fetch_add(&p->bad, 1);
  if (worker == 0 && first != p->last)
    atomic_fetch_add(&p->bad, 1);
  if (worker == 0)
    p->last = last;
  for (int i = first; i < last; i++)
    atomic_fetch_add(&p->done[i], 1);
  if (worker == 0)
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  if (known)
    atomic_fetch_sub(&p->busy[worker], 1);
}

static void every_number_is_in_one_piece(void **state)
{
  static pieces p;
  pc_random random;
  pc_random_seed(&random, 14);
  for (int trial = 0; trial < 400; trial++) {
    int count = (int)pc_random_uniform(&random, 0, trial % 2 ? 30 : MOST_NUMBERS);
    int grain = (int)pc_random_uniform(&random, 1, trial % 3 ? 10 : 400);
    memset(&p, 0, sizeof p);
    p.threads = 1 + trial % MOST_THREADS;
    p.least = grain < count ? grain : count;
    pc_parallel(p.threads, count, grain, do_piece, &p);
    assert_int_equal(atomic_load(&p.bad), 0);
    for (int i = 0; i < MOST_NUMBERS; i++)
      assert_int_equal(atomic_load(&p.done[i]), i < count);
  }
}

// Who has come to the pieces of one call.
typedef struct meeting {
  atomic_int came[MOST_THREADS];
} meeting;

static int count_who_came(meeting *m)
{
  int count = 0;
  for (int i = 0; i < MOST_THREADS; i++)
    count += atomic_load(&m->came[i]);
  return count;
}

// Waits for all, but not for ever: they may have been sent elsewhere.
static void meet(void *context, int first, int last, int worker)
{
  meeting *m = context;
  atomic_store(&m->came[worker], 1);
  for (int ms = 0; ms < 300 && count_who_came(m) < MOST_THREADS; ms++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

// Pieces are done by all threads asked for. A caller may work alone, but only for a while.
static void all_threads_work(void **state)
{
  int most = 0;
  for (int trial = 0; trial < 100 && most < MOST_THREADS; trial++) {
    meeting m = {0};
    pc_parallel(MOST_THREADS, 1000, 1, meet, &m);
    int came = count_who_came(&m);
    most = came > most ? came : most;
  }
  assert_int_equal(most, MOST_THREADS);
}

enum { WORKERS = 5, NUMBERS = 1000 };

typedef struct jobs {
  pthread_t caller;
  atomic_int calls[WORKERS], met; // workers that came to the meeting
  int sum[WORKERS][NUMBERS], watched;
} jobs;

static void write_some(void *context, int first, int last, int worker)
{
  int *sum = context;
  for (int i = first; i < last; i++)
    sum[i] += i;
}

// Nobody leaves before all are there: they are side by side indeed. Each has threads of its own.
static void do_job(void *context, int worker)
{
  jobs *j = context;
  assert_false(pthread_equal(pthread_self(), j->caller));
  atomic_fetch_add(&j->calls[worker], 1);
  atomic_fetch_add(&j->met, 1);
  while (atomic_load(&j->met) < WORKERS)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  for (int i = 0; i < 20; i++)
    pc_parallel(3, NUMBERS, 1, write_some, j->sum[worker]);
}

static void watch_jobs(void *context)
{
  jobs *j = context;
  assert_true(pthread_equal(pthread_self(), j->caller));
  j->watched++;
}

static void jobs_go_side_by_side(void **state)
{
  jobs j = {.caller = pthread_self()};
  pc_side_by_side(WORKERS, do_job, 0.001, watch_jobs, &j);
  for (int k = 0; k < WORKERS; k++) {
    assert_int_equal(atomic_load(&j.calls[k]), 1);
    for (int i = 0; i < NUMBERS; i++)
      assert_int_equal(j.sum[k][i], 20 * i);
  }
  assert_true(j.watched > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_number_is_in_one_piece),
      cmocka_unit_test(all_threads_work),
      cmocka_unit_test(jobs_go_side_by_side),
      cmocka_unit_test(spheres_for_a_thousand_steps),
      cmocka_unit_test(boxes_and_polyhedra_for_a_thousand_steps),
      cmocka_unit_test(polygons_for_a_thousand_steps),
      cmocka_unit_test(heaps_that_two_tiles_hold),
      cmocka_unit_test(one_island_that_threads_share_in_space),
      cmocka_unit_test(one_island_that_threads_share_in_the_plane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
