#include "impact/pack_single.h"

#include <float.h>
#include <math.h>

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

// Lines and inertias, and the fastest body of each thread.
typedef struct line_work {
  const double *line, *inertia;
  float *to_line, *to_inertia;
  double mass, fastest[PC_MOST_THREADS];
} line_work;

static void cast_lines(void *context, int begin, int end, int worker)
{
  line_work *work = context;
  double fastest = work->fastest[worker];
  for (long b = begin; b < end; b++) {
    const double *line = work->line + PC_LINE * b;
    for (int i = 0; i < PC_LINE; i++)
      work->to_line[PC_LINE * b + i] = (float)(i % 4 == 3 ? line[i] * work->mass : line[i]);
    for (int i = 0; i < PC_INERTIA && work->inertia != NULL; i++)
      work->to_inertia[PC_INERTIA * b + i] =
          (float)(work->inertia[PC_INERTIA * b + i] * work->mass);
    double speed = sqrt(pc_dot3(line, line));
    if (line[7] > 0) // how fast the spin moves a point at its radius of gyration
      speed += sqrt(pc_dot3(line + 4, line + 4) * line[3] / line[7]);
    fastest = speed > fastest ? speed : fastest;
  }
  work->fastest[worker] = fastest;
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
  double mass = mass_unit(packs);
  bool arms = packs->shape == PC_ARMS;
  size_t lines = (size_t)packs->lines;
  line_work turn = {.line = packs->line,
                    .inertia = arms ? packs->inertia : NULL,
                    .to_line = pc_arena_take_raw(arena, lines * PC_LINE, sizeof(float)),
                    .to_inertia =
                        pc_arena_take_raw(arena, arms ? lines * PC_INERTIA : 1, sizeof(float)),
                    .mass = mass};
  if (arena->failed)
    return false;
  pc_parallel(packs->threads, packs->lines, 300, cast_lines, &turn);
  double fastest = 0;
  for (int i = 0; i < PC_MOST_THREADS; i++)
    fastest = fmax(fastest, turn.fastest[i]);
  *suits = accuracy > least_units * FLT_EPSILON * fastest;
  if (!*suits)
    return true;
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
  single->line = turn.to_line;
  single->inertia = turn.to_inertia;
  single->field = cast(packs, &field, packs->field, arena);
  single->test = cast(packs, &test, packs->test, arena);
  single->r = cast(packs, &r, packs->r, arena);
  single->scale /= sqrt(mass);
  return !arena->failed;
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
