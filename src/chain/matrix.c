// gamma+ = -E gamma-: Newton's law at all contacts at once (E diagonal) and full matrices.
//
// The percussions follow from A p = gamma+ - gamma-, with the Delassus matrix A = W^T M^-1 W, which
// is tridiagonal here. Nothing makes the outcome consistent: balls may pull each other, go through
// each other or gain energy. E gains no energy, whatever the velocities, if and only if A^-1 - E^T
// A^-1 E is positive semi-definite (2.14).
#include <math.h>

#include "chain/chain.h"
#include "core/error.h"
#include "core/small.h"

enum { MOST_CHECKED = 200 }; // contacts of a matrix whose gain is computed

// The contacts that take part, one after the other, and their Delassus matrix.
typedef struct delassus {
  int count;
  int *contact;
  double *diagonal, *beside; // beside[i]: between i and i + 1
  double *pivot;
} delassus;

static bool delassus_take(delassus *a, pc_chain_system *s)
{
  size_t count = (size_t)s->contacts;
  a->contact = pc_arena_take(&s->arena, count, sizeof *a->contact);
  a->diagonal = pc_arena_take(&s->arena, count, sizeof(double));
  a->beside = pc_arena_take(&s->arena, count, sizeof(double));
  a->pivot = pc_arena_take(&s->arena, count, sizeof(double));
  if (s->arena.failed)
    return false;
  // Newton's law ignores contacts that separate; a matrix applies to all contacts.
  for (int i = 0; i < s->contacts; i++)
    if (s->law->kind == PC_CHAIN_MATRIX ||
        (pc_chain_touches(s, i) && pc_chain_approach(s, i) >= -s->quiet))
      a->contact[a->count++] = i;
  for (int n = 0; n < a->count; n++) {
    int i = a->contact[n];
    a->diagonal[n] = s->inverse_mass[i] + s->inverse_mass[i + 1];
    bool next = n + 1 < a->count && a->contact[n + 1] == i + 1;
    a->beside[n] = next ? -s->inverse_mass[i + 1] : 0;
    double before = n > 0 ? a->beside[n - 1] * a->beside[n - 1] / a->pivot[n - 1] : 0;
    a->pivot[n] = a->diagonal[n] - before;
  }
  return true;
}

// x <- A^-1 x
static void delassus_solve(const delassus *a, double *x)
{
  for (int n = 1; n < a->count; n++)
    x[n] -= a->beside[n - 1] / a->pivot[n - 1] * x[n - 1];
  for (int n = a->count - 1; n >= 0; n--) {
    double after = n + 1 < a->count ? a->beside[n] * x[n + 1] : 0;
    x[n] = (x[n] - after) / a->pivot[n];
  }
}

static double entry(const pc_chain_system *s, const delassus *a, int row, int column)
{
  if (s->law->kind == PC_CHAIN_MATRIX)
    return s->law->matrix[(size_t)row * (size_t)s->contacts + (size_t)column];
  return row == column ? s->chain->contact[a->contact[row]].restitution : 0;
}

// The two energies whose ratio is the gain of E, n x n each.
typedef struct energies {
  int n;
  double *before, *after; // A^-1 and E^T A^-1 E
  double *trial;
} energies;

static bool energies_take(energies *q, pc_chain_system *s, const delassus *a)
{
  int n = q->n = a->count;
  size_t size = (size_t)n * (size_t)n;
  double *column = pc_arena_take(&s->arena, (size_t)n, sizeof(double));
  q->before = pc_arena_take(&s->arena, size, sizeof(double));
  q->after = pc_arena_take(&s->arena, size, sizeof(double));
  q->trial = pc_arena_take(&s->arena, size, sizeof(double));
  if (s->arena.failed)
    return false;
  for (int j = 0; j < n; j++) {
    q->before[j * n + j] = 1;
    delassus_solve(a, q->before + j * n);
    for (int i = 0; i < n; i++)
      column[i] = entry(s, a, i, j);
    delassus_solve(a, column);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        q->after[i * n + j] += entry(s, a, k, i) * column[k];
  }
  return true;
}

// Whether no velocity gains more than `gain` times its energy.
static bool is_above(const energies *q, double gain)
{
  for (int k = 0; k < q->n * q->n; k++)
    q->trial[k] = gain * q->before[k] - q->after[k];
  return pc_dense_factor(q->n, q->trial, 0);
}

static double largest_gain(pc_chain_system *s, const delassus *a)
{
  energies q = {0};
  if (a->count > MOST_CHECKED || a->count == 0 || !energies_take(&q, s, a))
    return NAN;
  double low = 0; // every contact by itself shows some gain
  for (int i = 0; i < q.n; i++)
    low = fmax(low, q.after[i * q.n + i] / q.before[i * q.n + i]);
  double high = low * (1 + 1e-12);
  while (!is_above(&q, high) && high > 0) {
    low = high;
    high *= 2;
  }
  while (high - low > 1e-13 * high) {
    double middle = (low + high) / 2;
    *(is_above(&q, middle) ? &high : &low) = middle;
  }
  return high;
}

pc_status pc_chain_solve_matrix(pc_chain_system *s, pc_chain_answer *answer, pc_error *error)
{
  delassus a = {0};
  double *jump = pc_arena_take(&s->arena, (size_t)s->contacts, sizeof(double));
  if (s->arena.failed || !delassus_take(&a, s))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int n = 0; n < a.count; n++) {
    jump[n] = pc_chain_approach(s, a.contact[n]);
    int low = s->law->kind == PC_CHAIN_MATRIX ? 0 : n;
    int high = s->law->kind == PC_CHAIN_MATRIX ? a.count : n + 1;
    for (int m = low; m < high; m++)
      jump[n] += entry(s, &a, n, m) * pc_chain_approach(s, a.contact[m]);
  }
  delassus_solve(&a, jump);
  for (int n = 0; n < a.count; n++)
    pc_chain_push(s, a.contact[n], jump[n]);
  pc_chain_book_work(s);
  answer->status = PC_SOLVED;
  answer->steps = 1;
  answer->matrix_gain = largest_gain(s, &a);
  return PC_OK;
}
