// Overlaps are removed by moving bodies, not by giving them velocities: no body is ejected, and
// the impact problem of the step does not have to move a whole heap to mend one contact.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/prefetch.h"
#include "core/small.h"
#include "core/threads.h"
#include "rigid/push_out.h"

// Bodies are cut in blocks. Pairs within a block are relaxed by one thread, then pairs of two
// blocks. Blocks depend on the number of bodies alone.
enum { SWEEPS = 6, BLOCKS = 8, BLOCK = 512 };
// Sweeps overshoot, which carries a correction through a heap faster; except the last one, after
// which a pair has the opening that it needs.
static const double overshoot = 1.6;
// Overlaps up to this part of the smaller body are left alone.
static const double slight = 5e-4;
enum { AHEAD = 48 }; // contacts that are prefetched
enum { WANTED = 3 };

// Four numbers that are worked on at once, wherever they are.
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct squeeze_job {
  const pc_body_store *bodies;
  const pc_contact_data_list *contacts;
  const pc_outline *outline;
  pc_abut *abut;
  unsigned char *moved;
  pc_correction *correction;
  int threads;
  double fall, part;
  double pace; // of a sweep: 1, or more where it overshoots
  int count[PC_PIECES];
  int fresh[PC_PIECES];            // pairs that come in
  int next[PC_PIECES][BLOCKS + 1]; // where the next squeeze of a piece goes, per block
  bool any[PC_PIECES];
  int blocks;
  // One per block, and that of what joins them; longer by one part each time bodies come in.
  pc_squeeze_list list[SWEEPS][BLOCKS + 1];
  int parts;
  pc_arena *arena;
  bool spreads[BLOCKS + 1]; // bodies have been moved that were not
  bool changed[BLOCKS + 1];
} squeeze_job;

// Overlaps up to the fall of one step, or slight ones, are left alone. Of the others a part is
// taken away, aimed at half of that limit, so that they end below it and rest.
static double wanted_of(const squeeze_job *job, const pc_contact_data *contact)
{
  const pc_solid *body = job->bodies->solid.at;
  double one = body[contact->body[0]].radius, two = body[contact->body[1]].radius;
  double slop = slight * (one < two ? one : two);
  slop = job->fall < slop ? job->fall : slop;
  double depth = -contact->gap - slop;
  return depth > 0 ? job->part * (depth + 0.5 * slop) : depth;
}

static bool is_same(const pc_contact_data *one, const pc_contact_data *two)
{
  return one->body[0] == two->body[0] && one->body[1] == two->body[1] &&
         memcmp(one->normal, two->normal, sizeof one->normal) == 0;
}

// The pairs, and which bodies must be moved.
static void find_abuts(void *context, int begin, int end, int worker)
{
  squeeze_job *job = context;
  for (int piece = begin; piece < end; piece++) {
    int first = pc_piece_begin(job->contacts->count, piece), count = 0;
    pc_abut *list = job->abut + first;
    job->any[piece] = false;
    for (int t = first; t < pc_piece_begin(job->contacts->count, piece + 1); t++) {
      const pc_contact_data *contact = &job->contacts->at[t];
      pc_prefetch(contact, AHEAD, sizeof *contact);
      if (count > 0 && is_same(&job->contacts->at[list[count - 1].contact], contact)) {
        if (contact->gap < job->contacts->at[list[count - 1].contact].gap)
          list[count - 1].contact = t;
      } else {
        list[count++] = (pc_abut){{contact->body[0], contact->body[1]}, t, 0};
      }
      if (-contact->gap <= job->fall && -contact->gap <= slight * job->bodies->smallest)
        continue;
      if (wanted_of(job, contact) > 0) {
        job->any[piece] = true;
        for (int b = 0; b < 2; b++) // several threads may do it at a time
          if (job->outline[contact->body[b]].heavy)
            __atomic_store_n(&job->moved[contact->body[b]], 1, __ATOMIC_RELAXED);
      }
    }
    job->count[piece] = count;
  }
}

static double give(const pc_solid *body, const double *normal)
{
  if (body->kind != PC_GUIDED)
    return body->inverse_mass;
  double along = pc_dot3(body->form->guide, normal);
  return along * along * body->inverse_mass;
}

// The block of a pair, or the last list: obstacles are in that of the other.
static int block_of(const squeeze_job *job, const int body[2])
{
  int block[2];
  if (job->blocks == 1)
    return 0;
  for (int k = 0; k < 2; k++)
    block[k] = job->outline[body[k]].heavy
                   ? (int)((long long)body[k] * job->blocks / job->bodies->count)
                   : -1;
  if (block[0] < 0 || block[1] < 0)
    return block[0] < 0 ? block[1] : block[0];
  return block[0] == block[1] ? block[0] : job->blocks;
}

// Whether a pair takes part: one of its bodies is moved and gives way.
static inline bool comes_in(const squeeze_job *job, const pc_abut *abut)
{
  if (!job->moved[abut->body[0]] && !job->moved[abut->body[1]])
    return false;
  for (int k = 0; k < 2; k++) {
    const pc_outline *outline = &job->outline[abut->body[k]];
    if (outline->heavy &&
        (outline->kind != PC_GUIDED ||
         give(&job->bodies->solid.at[abut->body[k]], job->contacts->at[abut->contact].normal) > 0))
      return true;
  }
  return false;
}

static void count_new(void *context, int begin, int end, int worker)
{
  squeeze_job *job = context;
  for (int piece = begin; piece < end; piece++) {
    pc_abut *list = job->abut + pc_piece_begin(job->contacts->count, piece);
    int count[BLOCKS + 1] = {0}, fresh = 0, kept = 0;
    for (int i = 0; i < job->count[piece]; i++) {
      if (list[i].contact < 0) // it is in, and not looked at again
        continue;
      list[kept] = list[i];
      if (comes_in(job, &list[kept])) {
        count[block_of(job, list[kept].body)]++;
        list[fresh++].fresh = kept;
      }
      kept++;
    }
    memcpy(job->next[piece], count, sizeof count);
    job->fresh[piece] = fresh;
    job->count[piece] = kept;
  }
}

static void add_new(void *context, int begin, int end, int worker)
{
  squeeze_job *job = context;
  for (int piece = begin; piece < end; piece++) {
    pc_abut *list = job->abut + pc_piece_begin(job->contacts->count, piece);
    for (int i = 0; i < job->fresh[piece]; i++) {
      pc_abut *abut = &list[list[i].fresh];
      const pc_contact_data *contact = &job->contacts->at[abut->contact];
      double gives[2];
      for (int k = 0; k < 2; k++)
        gives[k] = give(&job->bodies->solid.at[contact->body[k]], contact->normal);
      abut->contact = ~abut->contact;
      int block = block_of(job, contact->body);
      pc_squeeze *squeeze = &job->list[job->parts][block].at[job->next[piece][block]++];
      *squeeze =
          (pc_squeeze){.body = {contact->body[0], contact->body[1]}, .give = {gives[0], gives[1]}};
      memcpy(squeeze->normal, contact->normal, sizeof contact->normal);
      squeeze->normal[WANTED] = wanted_of(job, contact);
    }
  }
}

// Adds the pairs of bodies that are moved, in the order of contacts; false when memory is out.
static bool spread(squeeze_job *job)
{
  int threads = job->threads, pieces = pc_pieces(job->contacts->count);
  pc_parallel(threads, pieces, 2, count_new, job);
  for (int block = 0; block <= job->blocks; block++) {
    pc_squeeze_list *part = &job->list[job->parts][block];
    for (int piece = 0; piece < pieces; piece++) {
      int count = job->next[piece][block];
      job->next[piece][block] = part->count;
      part->count += count;
    }
    part->at = pc_arena_take_raw(job->arena, (size_t)part->count, sizeof *part->at);
  }
  if (job->arena->failed)
    return false;
  pc_parallel(threads, pieces, 2, add_new, job);
  job->parts++;
  memset(job->spreads, 0, sizeof job->spreads);
  return true;
}

#define INLINE static inline __attribute__((always_inline))

// A guided body goes along its guide.
static void shift_guided(const squeeze_job *job, int i, const double *normal, double by)
{
  const pc_solid *body = &job->bodies->solid.at[i];
  by *= pc_dot3(body->form->guide, normal) * body->inverse_mass;
  for (int k = 0; k < 3; k++)
    job->correction[i][k] += by * body->form->guide[k];
}

// False if nothing changes. `guided`: some bodies are. Whether a pair is pressed is not
// predictable, so its bodies are moved without a branch, if only by zero; obstacles are never
// written. Four numbers are worked on at once; the fourth of a correction means nothing.
INLINE bool relax(const squeeze_job *job, bool guided, pc_squeeze *squeeze, bool *spreads)
{
  int a = squeeze->body[0], b = squeeze->body[1];
  four *first = (four *)job->correction[a], *second = (four *)job->correction[b];
  const four normal = *(const four *)squeeze->normal;
  four part = normal * (*first - *second);
  double opened = part[0] + part[1] + part[2];
  double soft = squeeze->give[0] + squeeze->give[1];
  double press = squeeze->press + job->pace * (squeeze->normal[WANTED] - opened) * (1 / soft);
  press = press > 0 ? press : 0;
  double more = press - squeeze->press;
  const bool changes = more != 0;
  squeeze->press = press;
  for (int k = 0; k < 2; k++) {
    int i = k == 0 ? a : b;
    double by = k == 0 ? more : -more, gives = squeeze->give[k];
    if (gives == 0)
      continue;
    *spreads |= changes & !job->moved[i];
    job->moved[i] |= changes;
    if (guided && job->outline[i].kind == PC_GUIDED)
      shift_guided(job, i, squeeze->normal, by);
    else if (k == 0)
      *first += by * gives * normal;
    else
      *second += by * gives * normal;
  }
  return changes;
}

// Whether anything changes.
INLINE bool relax_squeezes(const squeeze_job *job, int block, bool *spreads)
{
  bool changed = false, wider = false;
  for (int part = 0; part < job->parts; part++) {
    const pc_squeeze_list *list = &job->list[part][block];
    if (job->bodies->guided > 0)
      for (int i = 0; i < list->count; i++)
        changed |= relax(job, true, &list->at[i], &wider);
    else
      for (int i = 0; i < list->count; i++)
        changed |= relax(job, false, &list->at[i], &wider);
  }
  *spreads = *spreads || wider;
  return changed;
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) bool relax_avx2(const squeeze_job *job, int block,
                                                       bool *spreads)
{
  return relax_squeezes(job, block, spreads);
}
#endif

static void relax_blocks(void *context, int begin, int end, int worker)
{
  squeeze_job *job = context;
  for (int i = begin; i < end; i++) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
      job->changed[i] = relax_avx2(job, i, &job->spreads[i]);
      continue;
    }
#endif
    job->changed[i] = relax_squeezes(job, i, &job->spreads[i]);
  }
}

static bool any_of(const bool *flags, int count)
{
  for (int i = 0; i < count; i++)
    if (flags[i])
      return true;
  return false;
}

static bool relax_all(squeeze_job *job)
{
  job->spreads[0] = job->changed[0] = true;
  for (int sweep = 0; sweep < SWEEPS && any_of(job->changed, job->blocks + 1); sweep++) {
    if (any_of(job->spreads, job->blocks + 1) && !spread(job))
      return false;
    job->pace = sweep + 1 < SWEEPS ? overshoot : 1;
    pc_parallel(job->threads, job->blocks, 1, relax_blocks, job);
    relax_blocks(job, job->blocks, job->blocks + 1, 0);
  }
  return true;
}

// Bodies are only displaced. Each overlap shrinks by its share of this step, and no contact is
// closed by more than its gap: relaxation over the contacts of bodies that move, a few times.
bool pc_push_out_find(pc_push_out *push_out, const pc_detection *search, double rate,
                      pc_arena *arena, bool *any)
{
  const pc_body_store *bodies = search->bodies;
  const pc_contact_set *contacts = search->contacts;
  int n = bodies->count, pieces = pc_pieces(contacts->list.count);
  squeeze_job job = {.bodies = bodies,
                     .contacts = &contacts->list,
                     .outline = search->outlines->body.at,
                     .threads = search->threads,
                     .fall = 0.5 * search->gravity * search->h * search->h,
                     .part = fmin(rate * search->h, 0.2),
                     .blocks = n < BLOCKS * BLOCK ? n / BLOCK + 1 : BLOCKS};
  *any = false;
  if (search->treatment != PC_POSITION_LEVEL || job.part == 0 ||
      contacts->deepest <= fmin(job.fall, slight * bodies->smallest))
    return true;
  pc_arena_reset(arena);
  job.arena = arena;
  job.correction = pc_arena_take_raw(arena, (size_t)n, sizeof *job.correction);
  job.moved = pc_arena_take_raw(arena, (size_t)n, sizeof *job.moved);
  job.abut = pc_arena_take_raw(arena, (size_t)contacts->list.count, sizeof *job.abut);
  if (arena->failed)
    return false;
  *push_out = (pc_push_out){job.correction, job.moved};
  memset(job.moved, 0, (size_t)n);
  pc_parallel(job.threads, pieces, 2, find_abuts, &job);
  *any = any_of(job.any, pieces);
  if (!*any)
    return true;
  memset(job.correction, 0, sizeof *job.correction * (size_t)n);
  return relax_all(&job);
}
