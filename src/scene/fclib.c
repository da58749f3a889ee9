// FCLIB files (Acary et al., the library of frictional contact problems), in HDF5.
//
//     global:  M v = f + H r + G l,  u = H^T v + w,  G^T v + b = 0
//     local:   u = W r + V l + q,  V^T r + R l + s = 0
//
// with Coulomb's law on u and an inelastic unilateral normal; the equalities may be left out. Here
// U- = 0, P_ext = f, the rows of an interaction are H^T, `given` is w (or q) and r = -P. Equalities
// are bilateral rows after the contacts, one each, with l = -P.
//
// With rolling friction the groups are called fclib_global_rolling and fclib_local_rolling (FCLIB
// itself has the global one only), a contact has 5 rows (normal, two tangents, spins about them; 3
// in the plane: normal, tangent, spin) and a second coefficient mu_r, a length.
#include <fcntl.h>
#include <hdf5.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "record/store.h"
#include "record/types.h"
#include "scene/impact_file.h"
#include "scene/text.h"

enum { MAX_NUMBERS = 1 << 28 }; // of a dataset
// Bytes of numbers that a byte of a file can hold: deflate gets no further. What has less was never
// written, and sizes alone must not take memory.
static const double MOST_SQUEEZED = 1100;

// One file being read; the first failure is kept, later reads return nothing.
typedef struct reader {
  hid_t file;
  pc_text name;      // of the file
  const char *group; // of the problem
  bool rolling;
  pc_status status;
  pc_error *error;
} reader;

static void fail(reader *from, pc_status status, const char *place, const char *why)
{
  if (from->status == PC_OK)
    from->status = pc_fail(from->error, status, "%s: %s: %s", from->name.text, place, why);
}

static void *allocate(reader *from, size_t count, size_t size)
{
  void *memory = calloc(count ? count : 1, size);
  if (memory == NULL)
    fail(from, PC_ERROR_MEMORY, "reading", "out of memory");
  return memory;
}

// A place in the group of the problem.
static pc_text path_of(const reader *from, const char *name)
{
  pc_text path;
  snprintf(path.text, sizeof path.text, "%s/%s", from->group, name);
  return path;
}

static bool exists(reader *from, const char *path)
{
  char part[120];
  for (size_t i = 1; i <= strlen(path); i++) // every group on the way has to be there
    if (path[i] == '/' || path[i] == 0) {
      snprintf(part, sizeof part, "%.*s", (int)i, path);
      if (H5Lexists(from->file, part, H5P_DEFAULT) <= 0)
        return false;
    }
  return true;
}

// The bytes of numbers that the file has of a dataset, at most.
static double most_bytes(hid_t dataset)
{
  hid_t list = H5Dget_create_plist(dataset);
  double squeezed = list >= 0 && H5Pget_nfilters(list) > 0 ? MOST_SQUEEZED : 1;
  if (list >= 0)
    H5Pclose(list);
  return pc_record_is_stored(dataset) ? squeezed * (double)H5Dget_storage_size(dataset) : 0;
}

// A dataset of integers or doubles, whole; the caller frees it.
static void *read_dataset(reader *from, const char *path, bool integers, long *count)
{
  *count = 0;
  if (from->status != PC_OK)
    return NULL;
  if (!exists(from, path)) {
    fail(from, PC_ERROR_INPUT, path, "this dataset is missing");
    return NULL;
  }
  void *values = NULL;
  hid_t dataset = H5Dopen2(from->file, path, H5P_DEFAULT);
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
  H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  if (points < 0)
    fail(from, PC_ERROR_INPUT, path, "this is not a readable dataset");
  else if (class != H5T_INTEGER && (integers || class != H5T_FLOAT))
    fail(from, PC_ERROR_INPUT, path, integers ? "expected whole numbers" : "expected numbers");
  else if (points > MAX_NUMBERS)
    fail(from, PC_ERROR_INPUT, path, "the dataset is too large");
  else if ((double)points * (double)H5Tget_size(type) > most_bytes(dataset))
    fail(from, PC_ERROR_INPUT, path, "the file lacks the numbers of this dataset");
  else
    values = allocate(from, (size_t)points, integers ? sizeof(int) : sizeof(double));
  if (values != NULL && H5Dread(dataset, integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, H5S_ALL,
                                H5S_ALL, H5P_DEFAULT, values) < 0) {
    fail(from, PC_ERROR_INPUT, path, "the dataset cannot be read");
    free(values);
    values = NULL;
  }
  if (values != NULL)
    *count = (long)points;
  if (type >= 0)
    H5Tclose(type);
  if (space >= 0)
    H5Sclose(space);
  if (dataset >= 0)
    H5Dclose(dataset);
  return values;
}

static int read_integer(reader *from, const char *path)
{
  long count;
  int *values = read_dataset(from, path, true, &count);
  int value = 0;
  if (values != NULL && count != 1)
    fail(from, PC_ERROR_INPUT, path, "expected one number");
  else if (values != NULL)
    value = values[0];
  free(values);
  return value;
}

// A vector of so many finite numbers.
static double *read_vector(reader *from, const char *path, long wanted)
{
  long count;
  double *values = read_dataset(from, path, false, &count);
  if (values != NULL && count != wanted) {
    char why[80];
    snprintf(why, sizeof why, "expected %ld numbers, found %ld", wanted, count);
    fail(from, PC_ERROR_INPUT, path, why);
  }
  for (long i = 0; i < count; i++)
    if (!isfinite(values[i])) {
      fail(from, PC_ERROR_INPUT, path, "a number is not finite");
      break;
    }
  return values;
}

typedef struct entry {
  int row, column;
  double value;
} entry;

typedef struct matrix {
  int rows, columns;
  long count;
  entry *entries;
} matrix;

// CSparse's way: nz >= 0 triplets (p has the columns), -1 compressed columns, -2 compressed rows.
static matrix read_matrix(reader *from, const char *group)
{
  matrix m = {0};
  char path[5][80];
  const char *const names[] = {"m", "n", "nz", "i", "p"};
  for (int k = 0; k < 5; k++)
    snprintf(path[k], sizeof path[k], "%s/%s", group, names[k]);
  char x_path[80];
  snprintf(x_path, sizeof x_path, "%s/x", group);
  m.rows = read_integer(from, path[0]);
  m.columns = read_integer(from, path[1]);
  int nz = read_integer(from, path[2]);
  long i_count, p_count, x_count;
  int *i = read_dataset(from, path[3], true, &i_count);
  int *p = read_dataset(from, path[4], true, &p_count);
  double *x = read_dataset(from, x_path, false, &x_count);
  long lines = nz == -2 ? m.rows : m.columns; // that p points into
  if (from->status == PC_OK && (m.rows < 0 || m.columns < 0 || nz < -2))
    fail(from, PC_ERROR_INPUT, group, "m, n or nz is negative");
  if (from->status == PC_OK && nz < 0 && p_count != lines + 1)
    fail(from, PC_ERROR_INPUT, path[4], "the pointers do not fit the size of the matrix");
  if (from->status == PC_OK)
    m.count = nz >= 0 ? nz : p[lines];
  if (from->status == PC_OK &&
      (m.count < 0 || m.count > i_count || m.count > x_count || (nz >= 0 && m.count > p_count)))
    fail(from, PC_ERROR_INPUT, group, "there are fewer entries than the matrix says");
  if (from->status == PC_OK)
    m.entries = allocate(from, (size_t)m.count, sizeof *m.entries);
  for (long line = 0; from->status == PC_OK && nz < 0 && line < lines; line++) {
    if (p[line] < 0 || p[line] > p[line + 1] || p[line + 1] > m.count)
      fail(from, PC_ERROR_INPUT, path[4], "the pointers are not in order");
    for (long k = p[line]; from->status == PC_OK && k < p[line + 1]; k++)
      m.entries[k] = nz == -2 ? (entry){(int)line, i[k], x[k]} : (entry){i[k], (int)line, x[k]};
  }
  for (long k = 0; from->status == PC_OK && k < m.count; k++) {
    if (nz >= 0)
      m.entries[k] = (entry){i[k], p[k], x[k]};
    else if (nz < 0 && p[0] != 0)
      fail(from, PC_ERROR_INPUT, path[4], "the pointers do not start at 0");
    entry *e = &m.entries[k];
    if (e->row < 0 || e->row >= m.rows || e->column < 0 || e->column >= m.columns)
      fail(from, PC_ERROR_INPUT, group, "an index is out of range");
    else if (!isfinite(e->value))
      fail(from, PC_ERROR_INPUT, x_path, "a number is not finite");
  }
  free(i);
  free(p);
  free(x);
  return m;
}

// A dense piece of a matrix, up to 6 x 6, between two groups of its rows and columns.
typedef struct block {
  int i, j;
  double value[36];
} block;

// Which group a row or column belongs to and its place in there.
typedef struct partition {
  int groups;
  int *group, *place;
  int *size; // of every group
} partition;

typedef struct placed_entry {
  int i, j, at;
  double value;
} placed_entry;

static int compare_places(const void *a, const void *b)
{
  const placed_entry *x = a, *y = b;
  if (x->i != y->i)
    return x->i < y->i ? -1 : 1;
  return (x->j > y->j) - (x->j < y->j);
}

// The blocks of a matrix that have entries, sorted by row, then column. Repeated entries add up.
static block *cut_blocks(reader *from, const matrix *m, const partition *rows,
                         const partition *columns, long *count)
{
  *count = 0;
  if (from->status != PC_OK)
    return NULL;
  placed_entry *placed = allocate(from, (size_t)m->count, sizeof *placed);
  if (placed == NULL)
    return NULL;
  for (long k = 0; k < m->count; k++) {
    entry e = m->entries[k];
    int i = rows->group[e.row], j = columns->group[e.column];
    int at = rows->place[e.row] * columns->size[j] + columns->place[e.column];
    placed[k] = (placed_entry){i, j, at, e.value};
  }
  qsort(placed, (size_t)m->count, sizeof *placed, compare_places);
  long blocks = 0;
  for (long k = 0; k < m->count; k++)
    blocks += k == 0 || compare_places(&placed[k - 1], &placed[k]) != 0;
  block *list = allocate(from, (size_t)blocks, sizeof *list);
  for (long k = 0; k < m->count && list != NULL; k++) {
    if (k == 0 || compare_places(&placed[k - 1], &placed[k]) != 0)
      list[(*count)++] = (block){.i = placed[k].i, .j = placed[k].j};
    list[*count - 1].value[placed[k].at] += placed[k].value;
  }
  free(placed);
  return list;
}

static partition allocate_partition(reader *from, int n)
{
  partition p = {.group = allocate(from, (size_t)n, sizeof(int)),
                 .place = allocate(from, (size_t)n, sizeof(int)),
                 .size = allocate(from, (size_t)n, sizeof(int))};
  return p;
}

static void free_partition(partition *p)
{
  free(p->group);
  free(p->place);
  free(p->size);
}

static void cut_consecutive(partition *p, int n, int size)
{
  p->groups = (n + size - 1) / size;
  for (int i = 0; i < n; i++) {
    p->group[i] = i / size;
    p->place[i] = i % size;
    p->size[i / size] = i % size + 1;
  }
}

static bool is_block_diagonal(const matrix *m, int size)
{
  for (long k = 0; k < m->count; k++)
    if (m->entries[k].row / size != m->entries[k].column / size)
      return false;
  return m->rows % size == 0;
}

static int root_of(int *parent, int i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

// The pieces of M that do not touch each other, as groups; false if one is larger than a body.
static bool cut_connected(reader *from, const matrix *m, partition *p)
{
  int *parent = allocate(from, (size_t)m->rows, sizeof *parent);
  int *number = allocate(from, (size_t)m->rows, sizeof *number);
  bool fits = parent != NULL && number != NULL;
  for (int i = 0; fits && i < m->rows; i++) {
    parent[i] = i;
    number[i] = -1;
  }
  for (long k = 0; fits && k < m->count; k++)
    parent[root_of(parent, m->entries[k].row)] = root_of(parent, m->entries[k].column);
  p->groups = 0;
  for (int i = 0; fits && i < m->rows; i++) {
    int root = root_of(parent, i);
    if (number[root] < 0) {
      number[root] = p->groups++;
      p->size[number[root]] = 0;
    }
    p->group[i] = number[root];
    p->place[i] = p->size[number[root]]++;
    fits = p->place[i] < PC_MAX_DOF;
  }
  free(parent);
  free(number);
  return fits;
}

// Degrees of freedom -> bodies: blocks of a rigid body where M is made of them.
static partition cut_bodies(reader *from, const matrix *mass, int space)
{
  partition p = allocate_partition(from, mass->rows);
  if (from->status != PC_OK)
    return p;
  int likely = space == 3 ? 6 : 3;
  if (is_block_diagonal(mass, likely))
    cut_consecutive(&p, mass->rows, likely);
  else if (is_block_diagonal(mass, 9 - likely))
    cut_consecutive(&p, mass->rows, 9 - likely);
  else if (!cut_connected(from, mass, &p))
    cut_consecutive(&p, mass->rows, mass->rows % 3 == 0 ? 3 : 6); // nodes of a mesh
  return p;
}

// Rows of a contact -> the dimension of its space, or 0.
static int space_of(reader *from, int rows)
{
  int space = !from->rolling ? rows : rows == 5 ? 3 : rows == 3 ? 2 : 0;
  if (from->status == PC_OK && space != 2 && space != 3)
    fail(from, PC_ERROR_INPUT, path_of(from, "spacedim").text,
         from->rolling ? "the dimension is 5, or 3 in the plane" : "the dimension is 2 or 3");
  return space;
}

// A contact, or an equality: then mu is negative. Without rolling friction mu_r is too.
static void set_law(pc_interaction *interaction, int rows, const double *given, double mu,
                    double mu_r)
{
  *interaction = pc_interaction_default(PC_ROWS);
  interaction->rows = rows;
  memcpy(interaction->given, given, (size_t)rows * sizeof *given);
  if (mu < 0) {
    interaction->law.normal.kind = PC_NORMAL_BILATERAL;
    return;
  }
  interaction->unilateral = true;
  interaction->law.normal.kind = PC_NORMAL_INELASTIC;
  interaction->law.tangential.kind = PC_TANGENTIAL_COULOMB;
  interaction->law.tangential.on = PC_ON_AFTER;
  interaction->law.tangential.mu[0] = interaction->law.tangential.mu[1] = mu;
  interaction->law.tangential.rolls = mu_r >= 0;
  interaction->law.tangential.rolling = fmax(mu_r, 0);
}

// What comes beside a problem: /guesses/1/r to start from, and u of a solution.
static void read_extras(reader *from, pc_scene_impact *out, int rows, double **guess)
{
  *guess = NULL;
  if (from->status == PC_OK && exists(from, "/guesses/1/r"))
    *guess = read_vector(from, "/guesses/1/r", rows);
  if (from->status == PC_OK && exists(from, "/solution/u"))
    out->solution = read_vector(from, "/solution/u", rows);
  out->guessed = *guess != NULL;
}

static void set_guess(pc_interaction *interaction, const double *guess, int first)
{
  for (int i = 0; i < interaction->rows && guess != NULL; i++)
    interaction->guess[i] = -guess[first + i];
}

// Coefficients of the contacts.
typedef struct friction {
  double *mu, *mu_r; // mu_r is NULL without rolling friction
} friction;

// Contact or equality number c.
static void set_contact(pc_interaction *interaction, int rows, const double *given,
                        const friction *rub, const double *guess, int c)
{
  set_law(interaction, rows, given + rows * c, rub != NULL ? rub->mu[c] : -1,
          rub != NULL && rub->mu_r != NULL ? rub->mu_r[c] : -1);
  set_guess(interaction, guess, rows * c);
}

static double *read_coefficients(reader *from, const char *path, int contacts)
{
  double *mu = read_vector(from, path, contacts);
  for (int i = 0; from->status == PC_OK && i < contacts; i++)
    if (mu[i] < 0)
      fail(from, PC_ERROR_INPUT, path, "a coefficient of friction is negative");
  return mu;
}

static friction read_friction(reader *from, int contacts)
{
  friction f = {read_coefficients(from, path_of(from, "vectors/mu").text, contacts), NULL};
  if (from->rolling)
    f.mu_r = read_coefficients(from, path_of(from, "vectors/mu_r").text, contacts);
  return f;
}

static void free_friction(friction *f)
{
  free(f->mu);
  free(f->mu_r);
}

static void check_call(reader *from, const pc_impact *problem, bool good, const char *place)
{
  if (good)
    return;
  const char *why = pc_impact_error(problem);
  bool memory = strcmp(why, "out of memory") == 0;
  fail(from, memory ? PC_ERROR_MEMORY : PC_ERROR_INPUT, place, why);
}

static void add_bodies(reader *from, pc_impact *problem, const matrix *mass, const partition *p,
                       const double *f)
{
  long blocks;
  block *block_list = cut_blocks(from, mass, p, p, &blocks);
  int *member = allocate(from, (size_t)mass->rows, sizeof *member); // degrees of freedom by group
  int *start = allocate(from, (size_t)p->groups + 1, sizeof *start);
  if (from->status == PC_OK) {
    for (int g = 0; g < p->groups; g++)
      start[g + 1] = start[g] + p->size[g];
    for (int i = 0; i < mass->rows; i++)
      member[start[p->group[i]] + p->place[i]] = i;
  }
  long k = 0;
  for (int g = 0; from->status == PC_OK && g < p->groups; g++) {
    const double zero[36] = {0};
    pc_impact_body body = pc_impact_body_default();
    body.dof = p->size[g];
    body.matrix = zero;
    for (; k < blocks && block_list[k].i == g; k++)
      if (block_list[k].j == g)
        body.matrix = block_list[k].value;
    for (int i = 0; i < body.dof; i++)
      body.percussion[i] = f[member[start[g] + i]];
    check_call(from, problem, pc_impact_add_body(problem, &body) >= 0, path_of(from, "M").text);
  }
  // M is symmetric: the upper blocks say all.
  for (k = 0; from->status == PC_OK && k < blocks; k++)
    if (block_list[k].i < block_list[k].j)
      check_call(from, problem,
                 pc_impact_couple_mass(problem, block_list[k].i, block_list[k].j,
                                       block_list[k].value) == PC_OK,
                 path_of(from, "M").text);
  free(block_list);
  free(member);
  free(start);
}

static int compare_entries(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  return (x->column > y->column) - (x->column < y->column);
}

// Sorts by row and adds repeated entries up.
static void sort_entries(matrix *m)
{
  qsort(m->entries, (size_t)m->count, sizeof *m->entries, compare_entries);
  long count = 0;
  for (long k = 0; k < m->count; k++)
    if (count > 0 && compare_entries(&m->entries[count - 1], &m->entries[k]) == 0)
      m->entries[count - 1].value += m->entries[k].value;
    else
      m->entries[count++] = m->entries[k];
  m->count = count;
}

// Some files have one triangle of a symmetric matrix only.
static void complete_triangle(reader *from, matrix *m)
{
  if (from->status != PC_OK)
    return;
  long lower = 0, upper = 0;
  for (long k = 0; k < m->count; k++) {
    lower += m->entries[k].row > m->entries[k].column;
    upper += m->entries[k].row < m->entries[k].column;
  }
  if ((lower == 0) == (upper == 0))
    return;
  entry *both = allocate(from, (size_t)(m->count + lower + upper), sizeof *both);
  if (both == NULL)
    return;
  long count = 0;
  for (long k = 0; k < m->count; k++) {
    entry e = m->entries[k];
    both[count++] = e;
    if (e.row != e.column)
      both[count++] = (entry){e.column, e.row, e.value};
  }
  free(m->entries);
  m->entries = both;
  m->count = count;
}

// Entries that differ from their mirrors by more than this part of the largest are no round-off.
static void check_symmetry(reader *from, matrix *m, double part, const char *place)
{
  if (from->status != PC_OK)
    return;
  sort_entries(m);
  double size = 0;
  for (long k = 0; k < m->count; k++)
    size = fmax(size, fabs(m->entries[k].value));
  for (long k = 0; k < m->count; k++) {
    entry e = m->entries[k], mirror = {e.column, e.row, 0};
    const entry *other =
        bsearch(&mirror, m->entries, (size_t)m->count, sizeof *m->entries, compare_entries);
    if (fabs(e.value - (other != NULL ? other->value : 0)) > part * size) {
      fail(from, PC_ERROR_INPUT, place, "the matrix is not symmetric");
      return;
    }
  }
}

// The interactions of the columns of H or G, `size` columns each; `rub` is NULL for equalities.
static void add_columns(reader *from, pc_impact *problem, const matrix *columns, int size,
                        const partition *bodies, const double *given, const friction *rub,
                        const double *guess, const char *name)
{
  if (from->status != PC_OK)
    return;
  partition rows = allocate_partition(from, columns->columns);
  pc_row_term *terms = allocate(from, (size_t)bodies->groups, sizeof *terms);
  matrix transposed = {columns->columns, columns->rows, columns->count,
                       allocate(from, (size_t)columns->count, sizeof(entry))};
  block *block_list = NULL;
  long blocks = 0, k = 0;
  if (from->status == PC_OK) {
    for (long n = 0; n < columns->count; n++) {
      entry e = columns->entries[n];
      transposed.entries[n] = (entry){e.column, e.row, e.value};
    }
    cut_consecutive(&rows, columns->columns, size);
    block_list = cut_blocks(from, &transposed, &rows, bodies, &blocks);
  }
  for (int c = 0; from->status == PC_OK && c < rows.groups; c++) {
    pc_interaction interaction;
    set_contact(&interaction, size, given, rub, guess, c);
    for (; k < blocks && block_list[k].i == c; k++)
      terms[interaction.terms++] = (pc_row_term){block_list[k].j, block_list[k].value};
    interaction.term = terms;
    check_call(from, problem, pc_impact_add_interaction(problem, &interaction) >= 0,
               path_of(from, name).text);
  }
  free_partition(&rows);
  free(block_list);
  free(transposed.entries);
  free(terms);
}

static void read_global(reader *from, pc_scene_impact *out)
{
  int rows = read_integer(from, path_of(from, "spacedim").text), space = space_of(from, rows);
  matrix mass = read_matrix(from, path_of(from, "M").text);
  matrix h = read_matrix(from, path_of(from, "H").text), g = {0};
  if (from->status == PC_OK && exists(from, path_of(from, "G").text))
    g = read_matrix(from, path_of(from, "G").text);
  if (from->status == PC_OK &&
      (mass.rows != mass.columns || mass.rows == 0 || h.rows != mass.rows || h.columns % rows))
    fail(from, PC_ERROR_INPUT, from->group, "the sizes of M, H and spacedim do not agree");
  if (from->status == PC_OK && g.columns > 0 && g.rows != mass.rows)
    fail(from, PC_ERROR_INPUT, from->group, "the sizes of M and G do not agree");
  complete_triangle(from, &mass);
  check_symmetry(from, &mass, 1e-8, path_of(from, "M").text);
  out->contacts = from->status == PC_OK ? h.columns / rows : 0;
  double *f = read_vector(from, path_of(from, "vectors/f").text, mass.rows);
  double *w = read_vector(from, path_of(from, "vectors/w").text, h.columns);
  friction rub = read_friction(from, out->contacts);
  double *b = g.columns > 0 ? read_vector(from, path_of(from, "vectors/b").text, g.columns) : NULL;
  double *guess;
  read_extras(from, out, h.columns, &guess);
  partition bodies = {0};
  if (from->status == PC_OK)
    bodies = cut_bodies(from, &mass, space);
  if (from->status == PC_OK)
    add_bodies(from, out->problem, &mass, &bodies, f);
  add_columns(from, out->problem, &h, rows, &bodies, w, &rub, guess, "H");
  add_columns(from, out->problem, &g, 1, &bodies, b, NULL, NULL, "G");
  free_partition(&bodies);
  free_friction(&rub);
  free(mass.entries);
  free(h.entries);
  free(g.entries);
  free(f);
  free(w);
  free(b);
  free(guess);
}

// Interactions without bodies, of `size` rows each.
static void add_responding(reader *from, pc_impact *problem, int count, int size,
                           const double *given, const friction *rub, const double *guess)
{
  for (int c = 0; from->status == PC_OK && c < count; c++) {
    pc_interaction interaction;
    set_contact(&interaction, size, given, rub, guess, c);
    check_call(from, problem, pc_impact_add_interaction(problem, &interaction) >= 0,
               path_of(from, "W").text);
  }
}

// A part of the response: its groups of rows and columns are interactions from `row` and `column`
// on. What is beside the diagonal, V, is there twice, once transposed; it has one column per block.
static void add_response(reader *from, pc_impact *problem, const matrix *part, int row, int rows,
                         int column, int columns, const char *name)
{
  if (from->status != PC_OK)
    return;
  partition across = allocate_partition(from, part->rows),
            along = allocate_partition(from, part->columns);
  block *block_list = NULL;
  long blocks = 0;
  if (from->status == PC_OK) {
    cut_consecutive(&across, part->rows, rows);
    cut_consecutive(&along, part->columns, columns);
    block_list = cut_blocks(from, part, &across, &along, &blocks);
  }
  for (long k = 0; from->status == PC_OK && k < blocks; k++) {
    int i = row + block_list[k].i, j = column + block_list[k].j;
    bool good = pc_impact_couple_response(problem, i, j, block_list[k].value) == PC_OK;
    if (good && row != column)
      good = pc_impact_couple_response(problem, j, i, block_list[k].value) == PC_OK;
    check_call(from, problem, good, path_of(from, name).text);
  }
  free_partition(&across);
  free_partition(&along);
  free(block_list);
}

// W and R are responses: symmetric, and nothing answers a push by coming closer. Public files
// (Capsules) are off by a thousandth of the largest entry: what they say is solved as it is.
static void check_response(reader *from, matrix *m, const char *name)
{
  complete_triangle(from, m);
  check_symmetry(from, m, 0.1, path_of(from, name).text);
  for (long k = 0; from->status == PC_OK && k < m->count; k++)
    if (m->entries[k].row == m->entries[k].column && m->entries[k].value < 0)
      fail(from, PC_ERROR_INPUT, path_of(from, name).text,
           "a number on the diagonal is negative: no bodies respond like that");
}

static void read_local(reader *from, pc_scene_impact *out)
{
  pc_impact *problem = out->problem;
  int rows = read_integer(from, path_of(from, "spacedim").text);
  matrix response = read_matrix(from, path_of(from, "W").text), v = {0}, r = {0};
  if (from->status == PC_OK && exists(from, path_of(from, "V").text)) {
    v = read_matrix(from, path_of(from, "V").text);
    r = read_matrix(from, path_of(from, "R").text);
  }
  space_of(from, rows);
  if (from->status == PC_OK && (response.rows != response.columns || response.rows % rows))
    fail(from, PC_ERROR_INPUT, from->group, "the sizes of W and spacedim do not agree");
  if (from->status == PC_OK && v.columns > 0 &&
      (v.rows != response.rows || r.rows != v.columns || r.columns != v.columns))
    fail(from, PC_ERROR_INPUT, from->group, "the sizes of W, V and R do not agree");
  check_response(from, &response, "W");
  if (v.columns > 0)
    check_response(from, &r, "R");
  int contacts = out->contacts = from->status == PC_OK ? response.rows / rows : 0;
  double *q = read_vector(from, path_of(from, "vectors/q").text, response.rows);
  friction rub = read_friction(from, contacts);
  double *s = v.columns > 0 ? read_vector(from, path_of(from, "vectors/s").text, v.columns) : NULL;
  double *guess;
  read_extras(from, out, response.rows, &guess);
  add_responding(from, problem, contacts, rows, q, &rub, guess);
  add_responding(from, problem, v.columns, 1, s, NULL, NULL);
  add_response(from, problem, &response, 0, rows, 0, rows, "W");
  if (v.columns > 0) {
    add_response(from, problem, &v, 0, rows, contacts, 1, "V");
    add_response(from, problem, &r, contacts, 1, contacts, 1, "R");
  }
  free_friction(&rub);
  free(response.entries);
  free(v.entries);
  free(r.entries);
  free(q);
  free(s);
  free(guess);
}

bool pc_fclib_is_file(const char *path)
{
  static const char signature[8] = "\211HDF\r\n\032\n";
  char bytes[8];
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) // a pipe can be read only once
    return false;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  bool is = file >= 0 && read(file, bytes, 8) == 8 && memcmp(bytes, signature, 8) == 0;
  if (file >= 0)
    close(file);
  return is;
}

static void read_problem(reader *from, pc_scene_impact *out)
{
  static const char *const groups[] = {"/fclib_global", "/fclib_local", "/fclib_global_rolling",
                                       "/fclib_local_rolling"};
  for (int i = 0; i < 4; i++) {
    if (!exists(from, groups[i]))
      continue;
    from->group = groups[i];
    from->rolling = i >= 2;
    if (i % 2 == 0)
      read_global(from, out);
    else
      read_local(from, out);
    return;
  }
  fail(from, PC_ERROR_INPUT, "/", "no fclib_global or fclib_local here: not an FCLIB problem");
}

pc_status pc_fclib_read(const char *path, pc_scene_impact *out, pc_error *error)
{
  const char *wrong = pc_file_unreadable(path);
  *out = (pc_scene_impact){0};
  if (wrong != NULL)
    return pc_fail(error, PC_ERROR_IO, "%s: %s", pc_text_path(path).text, wrong);
  // HDF5 would print its own account of every failure.
  H5E_auto2_t report;
  void *report_data;
  H5Eget_auto2(H5E_DEFAULT, &report, &report_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);

  *out = (pc_scene_impact){.fclib = true, .problem = pc_impact_create()};
  reader from = {.name = pc_text_path(path), .error = error, .status = PC_OK};
  pc_store store; // the driver of runs: HDF5's own does not survive some damage
  from.status = pc_store_open(&store, path, PC_STORE_READ, error);
  from.file = from.status == PC_OK ? H5Fopen(path, H5F_ACC_RDONLY, store.access) : -1;
  if (from.status == PC_OK && out->problem == NULL)
    fail(&from, PC_ERROR_MEMORY, "reading", "out of memory");
  else if (from.status == PC_OK && from.file < 0) {
    const char *why;
    pc_status status = pc_store_unopened(&store, &why);
    fail(&from, status, "reading", why);
  } else if (from.status == PC_OK)
    read_problem(&from, out);
  if (from.file >= 0)
    H5Fclose(from.file);
  pc_store_close(&store);
  H5Eset_auto2(H5E_DEFAULT, report, report_data);
  if (from.status != PC_OK)
    pc_scene_impact_free(out);
  else
    out->bodies = 0; // they have no names
  return from.status;
}
