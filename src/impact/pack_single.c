#include "impact/pack_single.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "core/threads.h"

// The accuracy is at least so many units in the last place of the fastest velocity.
static const double least_units = 256;

enum { MOST_FIELDS = PC_FIELDS(PC_ARMS, PC_RUBS) + PC_EXTRA(PC_ARMS) };

// Numbers of packs, each field of a contact times its factor.
typedef struct cast_work {
  const double *from;
  float *to;
  int fields;
  double factor[MOST_FIELDS];
} cast_work;

static void cast_packs(void *context, int begin, int end, int worker)
{
  (void)worker;
  const cast_work *work = context;
  for (long p = begin; p < end; p++)
    for (int f = 0; f < work->fields; f++) {
      const double *from = work->from + (p * work->fields + f) * PC_LANES;
      float *to = work->to + (p * work->fields + f) * PC_LANES;
      for (int l = 0; l < PC_LANES; l++)
        to[l] = (float)(from[l] * work->factor[f]);
    }
}

static void *cast(const pc_packs *packs, cast_work *work, const void *from, pc_arena *arena)
{
  work->from = from;
  work->to = pc_arena_take_raw(arena, (size_t)packs->packs * PC_LANES * (size_t)work->fields,
                               sizeof(float));
  if (work->to != NULL)
    pc_parallel(packs->threads, packs->packs, 128, cast_packs, work);
  return work->to;
}

// Lines, the inertias beside them, and the fastest body of each thread.
typedef struct line_work {
  const double *line, *inertia;
  float *to_line, *to_inertia;
  int first;
  double mass, fastest[PC_MOST_THREADS];
} line_work;

static void find_fastest(void *context, int begin, int end, int worker)
{
  line_work *work = context;
  double fastest = work->fastest[worker];
  for (long b = begin; b < end; b++) {
    const double *line = work->line + PC_LINE * b;
    double speed = sqrt(pc_dot3(line, line));
    if (line[7] > 0) // how fast the spin moves a point at its radius of gyration
      speed += sqrt(pc_dot3(line + 4, line + 4) * line[3] / line[7]);
    fastest = speed > fastest ? speed : fastest;
  }
  work->fastest[worker] = fastest;
}

static double fastest_of(const pc_packs *packs)
{
  line_work work = {.line = packs->line};
  pc_parallel(packs->threads, packs->lines, 300, find_fastest, &work);
  double fastest = 0;
  for (int i = 0; i < PC_MOST_THREADS; i++)
    fastest = fmax(fastest, work.fastest[i]);
  return fastest;
}

static void cast_lines_of_range(void *context, int begin, int end, int worker)
{
  (void)worker;
  const line_work *work = context;
  for (long b = work->first + begin; b < work->first + end; b++) {
    const double *line = work->line + PC_LINE * b;
    for (int i = 0; i < PC_LINE; i++)
      work->to_line[PC_LINE * b + i] = (float)(i % 4 == 3 ? line[i] * work->mass : line[i]);
    for (int i = 0; i < PC_INERTIA && work->inertia != NULL; i++)
      work->to_inertia[PC_INERTIA * b + i] =
          (float)(work->inertia[PC_INERTIA * b + i] * work->mass);
  }
}

// Lines as floats take the first half of their memory. Those from m to 2m come where doubles from
// m/2 to m were, so that threads work on twice as many lines each time.
static void cast_lines(const pc_packs *packs, line_work *work)
{
  memset(work->to_line, 0, sizeof(float) * PC_LINE); // at rest for ever
  if (work->inertia != NULL)
    memset(work->to_inertia, 0, sizeof(float) * PC_INERTIA);
  for (int begin = 1, end; begin < packs->lines; begin = end) {
    end = begin < packs->lines - begin ? 2 * begin : packs->lines;
    work->first = begin;
    pc_parallel(packs->threads, end - begin, 300, cast_lines_of_range, work);
  }
}

// An even power of two near the mass of a typical contact: nothing but the range changes.
static double mass_unit(const pc_packs *packs)
{
  double root = packs->scale / packs->speed;
  return root > 0 && isfinite(root) ? ldexp(1, 2 * ilogb(root)) : 1;
}

static cast_work work_of(int fields)
{
  cast_work work = {.fields = fields};
  for (int i = 0; i < MOST_FIELDS; i++)
    work.factor[i] = 1;
  return work;
}

bool pc_packs_to_single(pc_packs *single, const pc_packs *packs, double accuracy, bool *suits,
                        pc_arena *arena)
{
  *single = *packs;
  single->kernels = pc_pack_kernels_single(packs->shape, packs->friction, packs->extra);
  *suits = single->kernels != NULL;
  if (!*suits)
    return true;
  *suits = accuracy > least_units * FLT_EPSILON * fastest_of(packs);
  if (!*suits)
    return true;
  double mass = mass_unit(packs);
  bool arms = packs->shape == PC_ARMS;
  size_t lines = (size_t)packs->lines;
  cast_work field = work_of(packs->fields), test = work_of(packs->tests),
            r = work_of(packs->numbers);
  field.factor[PC_AT_INVERSE] = field.factor[PC_AT_BOUND] = field.factor[PC_AT_STEP] = 1 / mass;
  for (int i = 0; i < 3 && arms; i++)
    field.factor[PC_CROSS_AT(PC_ARMS, PC_RUBS) + i] = mass;
  if (packs->extra)
    field.factor[PC_EXTRA_AT(packs->shape, packs->friction) + 1] = 1 / mass;
  test.factor[0] = 1 / mass;
  for (int i = 0; i < packs->numbers; i++)
    r.factor[i] = 1 / mass;
  single->single = true;
  single->field = cast(packs, &field, packs->field, arena);
  single->test = cast(packs, &test, packs->test, arena);
  single->r = cast(packs, &r, packs->r, arena);
  single->scale /= sqrt(mass);
  single->inertia = pc_arena_take_raw(arena, arms ? lines * PC_INERTIA : 1, sizeof(float));
  if (arena->failed)
    return false;
  line_work turn = {.line = packs->line,
                    .inertia = arms ? packs->inertia : NULL,
                    .to_line = packs->line,
                    .to_inertia = single->inertia,
                    .mass = mass};
  cast_lines(packs, &turn);
  single->line_room = turn.to_line + lines * PC_LINE;
  return true;
}

typedef struct back_work {
  const float *from;
  double *to, mass;
} back_work;

static void cast_back(void *context, int begin, int end, int worker)
{
  (void)worker;
  const back_work *work = context;
  for (long i = (long)begin * PC_LANES; i < (long)end * PC_LANES; i++)
    work->to[i] = work->from[i] * work->mass;
}

void pc_packs_from_single(const pc_packs *packs, const void *from, double *to)
{
  back_work work = {.from = from, .to = to, .mass = mass_unit(packs)};
  pc_parallel(packs->threads, packs->packs * packs->numbers, 1024, cast_back, &work);
  pc_packs_project(packs, to);
}
