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
#include "core/memory.h"
#include "record/store.h"
#include "record/types.h"
#include "scene/impact_file.h"
#include "scene/text.h"

enum { MAX_NUMBERS = 1 << 28 }; // of a dataset
// Bytes of numbers that a byte of a file can hold: deflate gets no further. What has less was never
// written, and sizes alone must not take memory.
static const double MOST_SQUEEZED = 1100;

// One file being read; the first failure is kept, later reads return nothing. All that is read
// lives in the arena until the problem is built.
typedef struct reader {
  hid_t file;
  pc_arena arena;
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

static void *allocate(reader *from, long count, size_t size)
{
  void *memory = pc_arena_take(&from->arena, (size_t)count + 1, size);
  if (memory == NULL)
    fail(from, PC_ERROR_MEMORY, "reading", "out of memory");
  return memory;
}

static pc_text path_in(const char *group, const char *name)
{
  pc_text path;
  snprintf(path.text, sizeof path.text, "%s/%s", group, name);
  return path;
}

// A place in the group of the problem.
static pc_text path_of(const reader *from, const char *name)
{
  return path_in(from->group, name);
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
  double squeezed = H5Pget_nfilters(list) > 0 ? MOST_SQUEEZED : 1;
  H5Pclose(list);
  return pc_record_is_stored(dataset) ? squeezed * (double)H5Dget_storage_size(dataset) : 0;
}

// A dataset of integers or doubles, whole.
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
  hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset); // negative where it fails
  H5T_class_t class = H5Tget_class(type);
  hssize_t points = H5Sget_simple_extent_npoints(space);
  if (points < 0)
    fail(from, PC_ERROR_INPUT, path, "this is not a readable dataset");
  else if (class != H5T_INTEGER && (integers || class != H5T_FLOAT))
    fail(from, PC_ERROR_INPUT, path, integers ? "expected whole numbers" : "expected numbers");
  else if (points > MAX_NUMBERS)
    fail(from, PC_ERROR_INPUT, path, "the dataset is too large");
  else if ((double)points * (double)H5Tget_size(type) > most_bytes(dataset))
    fail(from, PC_ERROR_INPUT, path, "the file lacks the numbers of this dataset");
  else
    values = allocate(from, points, integers ? sizeof(int) : sizeof(double));
  if (values != NULL && H5Dread(dataset, integers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, H5S_ALL,
                                H5S_ALL, H5P_DEFAULT, values) < 0) {
    fail(from, PC_ERROR_INPUT, path, "the dataset cannot be read");
    values = NULL;
  }
  if (values != NULL)
    *count = (long)points;
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(dataset);
  return values;
}

static int read_integer(reader *from, const char *path)
{
  long count;
  int *values = read_dataset(from, path, true, &count);
  if (values != NULL && count != 1)
    fail(from, PC_ERROR_INPUT, path, "expected one number");
  return from->status == PC_OK ? values[0] : 0;
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

// A number of a matrix. Of a matrix that is cut into blocks: the block, and where it is in there.
typedef struct entry {
  int row, column, at;
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
  matrix m = {.rows = read_integer(from, path_in(group, "m").text),
              .columns = read_integer(from, path_in(group, "n").text)};
  int nz = read_integer(from, path_in(group, "nz").text);
  long i_count, p_count, x_count, lines = nz == -2 ? m.rows : m.columns; // that p points into
  pc_text p_path = path_in(group, "p"), x_path = path_in(group, "x");
  const int *i = read_dataset(from, path_in(group, "i").text, true, &i_count);
  const int *p = read_dataset(from, p_path.text, true, &p_count);
  const double *x = read_dataset(from, x_path.text, false, &x_count);
  if (m.rows < 0 || m.columns < 0 || nz < -2)
    fail(from, PC_ERROR_INPUT, group, "m, n or nz is negative");
  if (nz < 0 && p_count != lines + 1)
    fail(from, PC_ERROR_INPUT, p_path.text, "the pointers do not fit the size of the matrix");
  if (from->status != PC_OK)
    return m;
  m.count = nz >= 0 ? nz : p[lines];
  if (m.count < 0 || m.count > i_count || m.count > x_count || (nz >= 0 && m.count > p_count))
    fail(from, PC_ERROR_INPUT, group, "there are fewer entries than the matrix says");
  else
    m.entries = allocate(from, m.count, sizeof *m.entries);
  for (long line = 0; from->status == PC_OK && nz < 0 && line < lines; line++) {
    if (p[line] < 0 || p[line] > p[line + 1] || p[line + 1] > m.count)
      fail(from, PC_ERROR_INPUT, p_path.text, "the pointers are not in order");
    for (long k = p[line]; from->status == PC_OK && k < p[line + 1]; k++)
      m.entries[k] =
          nz == -2 ? (entry){(int)line, i[k], 0, x[k]} : (entry){i[k], (int)line, 0, x[k]};
  }
  for (long k = 0; from->status == PC_OK && k < m.count; k++) {
    if (nz >= 0)
      m.entries[k] = (entry){i[k], p[k], 0, x[k]};
    else if (p[0] != 0)
      fail(from, PC_ERROR_INPUT, p_path.text, "the pointers do not start at 0");
    entry *e = &m.entries[k];
    if (e->row < 0 || e->row >= m.rows || e->column < 0 || e->column >= m.columns)
      fail(from, PC_ERROR_INPUT, group, "an index is out of range");
    else if (!isfinite(e->value))
      fail(from, PC_ERROR_INPUT, x_path.text, "a number is not finite");
  }
  return m;
}

static int compare_entries(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  return (x->column > y->column) - (x->column < y->column);
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

// The blocks of a matrix that have entries, sorted by row, then column. Repeated entries add up.
static block *cut_blocks(reader *from, const matrix *m, const partition *rows,
                         const partition *columns, long *count)
{
  *count = 0;
  if (from->status != PC_OK)
    return NULL;
  entry *placed = allocate(from, m->count, sizeof *placed);
  if (placed == NULL)
    return NULL;
  for (long k = 0; k < m->count; k++) {
    entry e = m->entries[k];
    int i = rows->group[e.row], j = columns->group[e.column];
    int at = rows->place[e.row] * columns->size[j] + columns->place[e.column];
    placed[k] = (entry){i, j, at, e.value};
  }
  qsort(placed, (size_t)m->count, sizeof *placed, compare_entries);
  long blocks = 0;
  for (long k = 0; k < m->count; k++)
    blocks += k == 0 || compare_entries(&placed[k - 1], &placed[k]) != 0;
  block *list = allocate(from, blocks, sizeof *list);
  for (long k = 0; k < m->count && list != NULL; k++) {
    if (k == 0 || compare_entries(&placed[k - 1], &placed[k]) != 0)
      list[(*count)++] = (block){.i = placed[k].row, .j = placed[k].column};
    list[*count - 1].value[placed[k].at] += placed[k].value;
  }
  return list;
}

static partition allocate_partition(reader *from, int n)
{
  partition p = {.group = allocate(from, n, sizeof(int)),
                 .place = allocate(from, n, sizeof(int)),
                 .size = allocate(from, n, sizeof(int))};
  return p;
}

// Groups of `size` that follow each other.
static partition cut_consecutive(reader *from, int n, int size)
{
  partition cut = allocate_partition(from, n), *p = &cut;
  if (from->status != PC_OK)
    return cut;
  p->groups = (n + size - 1) / size;
  for (int i = 0; i < n; i++) {
    p->group[i] = i / size;
    p->place[i] = i % size;
    p->size[i / size] = i % size + 1;
  }
  return cut;
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
  *p = allocate_partition(from, m->rows);
  int *parent = allocate(from, m->rows, sizeof *parent);
  int *number = allocate(from, m->rows, sizeof *number);
  bool fits = from->status == PC_OK;
  for (int i = 0; fits && i < m->rows; i++) {
    parent[i] = i;
    number[i] = -1;
  }
  for (long k = 0; fits && k < m->count; k++)
    parent[root_of(parent, m->entries[k].row)] = root_of(parent, m->entries[k].column);
  for (int i = 0; fits && i < m->rows; i++) {
    int root = root_of(parent, i);
    if (number[root] < 0)
      number[root] = p->groups++;
    p->group[i] = number[root];
    p->place[i] = p->size[number[root]]++;
    fits = p->place[i] < PC_MAX_DOF;
  }
  return fits;
}

// Degrees of freedom -> bodies: blocks of a rigid body where M is made of them.
static partition cut_bodies(reader *from, const matrix *mass, int space)
{
  partition p = {0};
  int likely = space == 3 ? 6 : 3;
  if (from->status != PC_OK)
    return p;
  if (is_block_diagonal(mass, likely))
    return cut_consecutive(from, mass->rows, likely);
  if (is_block_diagonal(mass, 9 - likely))
    return cut_consecutive(from, mass->rows, 9 - likely);
  if (cut_connected(from, mass, &p))
    return p;
  return cut_consecutive(from, mass->rows, mass->rows % 3 == 0 ? 3 : 6); // nodes of a mesh
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

// What comes beside a problem: u of a solution, and /guesses/1/r to start from, which is returned.
static const double *read_extras(reader *from, pc_scene_impact *out, int rows)
{
  const double *guess = NULL;
  if (from->status == PC_OK && exists(from, "/guesses/1/r"))
    guess = read_vector(from, "/guesses/1/r", rows);
  if (from->status == PC_OK && exists(from, "/solution/u")) {
    const double *u = read_vector(from, "/solution/u", rows);
    out->solution = malloc(((size_t)rows + 1) * sizeof *u);
    if (out->solution == NULL)
      fail(from, PC_ERROR_MEMORY, "reading", "out of memory");
    if (from->status == PC_OK)
      memcpy(out->solution, u, (size_t)rows * sizeof *u);
  }
  out->guessed = guess != NULL;
  return guess;
}

// Coefficients of the contacts.
typedef struct friction {
  const double *mu, *mu_r; // mu_r is NULL without rolling friction
} friction;

// Contact number c, or an equality, which has no coefficients of friction.
static void set_contact(pc_interaction *interaction, int rows, const double *given,
                        const friction *rub, const double *guess, int c)
{
  *interaction = pc_interaction_default(PC_ROWS);
  interaction->rows = rows;
  memcpy(interaction->given, given + rows * c, (size_t)rows * sizeof *given);
  for (int i = 0; i < rows && guess != NULL; i++)
    interaction->guess[i] = -guess[rows * c + i];
  interaction->unilateral = rub != NULL;
  interaction->law.normal.kind = rub != NULL ? PC_NORMAL_INELASTIC : PC_NORMAL_BILATERAL;
  if (rub == NULL)
    return;
  pc_tangential_law *law = &interaction->law.tangential;
  law->kind = PC_TANGENTIAL_COULOMB;
  law->on = PC_ON_AFTER;
  law->mu[0] = law->mu[1] = rub->mu[c];
  law->rolls = rub->mu_r != NULL;
  law->rolling = law->rolls ? rub->mu_r[c] : 0;
}

static const double *read_coefficients(reader *from, const char *path, int contacts)
{
  const double *mu = read_vector(from, path, contacts);
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
  int *member = allocate(from, mass->rows, sizeof *member); // degrees of freedom by group
  int *start = allocate(from, p->groups + 1, sizeof *start);
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
  entry *both = allocate(from, m->count + lower + upper, sizeof *both);
  if (both == NULL)
    return;
  long count = 0;
  for (long k = 0; k < m->count; k++) {
    entry e = m->entries[k];
    both[count++] = e;
    if (e.row != e.column)
      both[count++] = (entry){e.column, e.row, 0, e.value};
  }
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
    entry e = m->entries[k], mirror = {.row = e.column, .column = e.row};
    const entry *other =
        bsearch(&mirror, m->entries, (size_t)m->count, sizeof *m->entries, compare_entries);
    if (fabs(e.value - (other != NULL ? other->value : 0)) > part * size) {
      fail(from, PC_ERROR_INPUT, place, "the matrix is not symmetric");
      return;
    }
  }
}

static void transpose(matrix *m)
{
  *m = (matrix){m->columns, m->rows, m->count, m->entries};
  for (long k = 0; k < m->count; k++)
    m->entries[k] = (entry){m->entries[k].column, m->entries[k].row, 0, m->entries[k].value};
}

// The interactions of the columns of H or G, `size` columns each; `rub` is NULL for equalities.
static void add_columns(reader *from, pc_impact *problem, matrix *m, int size,
                        const partition *bodies, const double *given, const friction *rub,
                        const double *guess, const char *name)
{
  if (from->status != PC_OK)
    return;
  transpose(m);
  partition rows = cut_consecutive(from, m->rows, size);
  pc_row_term *terms = allocate(from, bodies->groups, sizeof *terms);
  long blocks, k = 0;
  block *block_list = cut_blocks(from, m, &rows, bodies, &blocks);
  for (int c = 0; from->status == PC_OK && c < rows.groups; c++) {
    pc_interaction interaction;
    set_contact(&interaction, size, given, rub, guess, c);
    for (; k < blocks && block_list[k].i == c; k++)
      terms[interaction.terms++] = (pc_row_term){block_list[k].j, block_list[k].value};
    interaction.term = terms;
    check_call(from, problem, pc_impact_add_interaction(problem, &interaction) >= 0,
               path_of(from, name).text);
  }
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
  const double *f = read_vector(from, path_of(from, "vectors/f").text, mass.rows);
  const double *w = read_vector(from, path_of(from, "vectors/w").text, h.columns);
  friction rub = read_friction(from, out->contacts);
  const double *b =
      g.columns > 0 ? read_vector(from, path_of(from, "vectors/b").text, g.columns) : NULL;
  const double *guess = read_extras(from, out, h.columns);
  partition bodies = cut_bodies(from, &mass, space);
  if (from->status == PC_OK)
    add_bodies(from, out->problem, &mass, &bodies, f);
  add_columns(from, out->problem, &h, rows, &bodies, w, &rub, guess, "H");
  add_columns(from, out->problem, &g, 1, &bodies, b, NULL, NULL, "G");
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
  partition across = cut_consecutive(from, part->rows, rows),
            along = cut_consecutive(from, part->columns, columns);
  long blocks;
  block *block_list = cut_blocks(from, part, &across, &along, &blocks);
  for (long k = 0; from->status == PC_OK && k < blocks; k++) {
    int i = row + block_list[k].i, j = column + block_list[k].j;
    bool good = pc_impact_couple_response(problem, i, j, block_list[k].value) == PC_OK;
    if (good && row != column)
      good = pc_impact_couple_response(problem, j, i, block_list[k].value) == PC_OK;
    check_call(from, problem, good, path_of(from, name).text);
  }
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
  const double *q = read_vector(from, path_of(from, "vectors/q").text, response.rows);
  friction rub = read_friction(from, contacts);
  const double *s =
      v.columns > 0 ? read_vector(from, path_of(from, "vectors/s").text, v.columns) : NULL;
  const double *guess = read_extras(from, out, response.rows);
  add_responding(from, problem, contacts, rows, q, &rub, guess);
  add_responding(from, problem, v.columns, 1, s, NULL, NULL);
  add_response(from, problem, &response, 0, rows, 0, rows, "W");
  if (v.columns > 0) {
    add_response(from, problem, &v, 0, rows, contacts, 1, "V");
    add_response(from, problem, &r, contacts, 1, contacts, 1, "R");
  }
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
  pc_quiet quiet = pc_quiet_begin();
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
  pc_quiet_end(quiet);
  pc_arena_free(&from.arena);
  if (from.status != PC_OK)
    pc_scene_impact_free(out);
  else
    out->bodies = 0; // they have no names
  return from.status;
}
