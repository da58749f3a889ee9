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
#include "scene/fclib_condense.h"
#include "scene/fclib_matrix.h"
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

// What an arena lacks, where a list of entries was made in it.
static void check_memory(reader *from)
{
  if (from->arena.failed)
    fail(from, PC_ERROR_MEMORY, "reading", "out of memory");
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
    fail(from, PC_ERROR_INPUT, path, "the dataset is missing");
    return NULL;
  }
  void *values = NULL;
  hid_t dataset = H5Dopen2(from->file, path, H5P_DEFAULT);
  hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset); // negative where it fails
  H5T_class_t class = H5Tget_class(type);
  hssize_t points = H5Sget_simple_extent_npoints(space);
  if (points < 0)
    fail(from, PC_ERROR_INPUT, path, "not a readable dataset");
  else if (class != H5T_INTEGER && (integers || class != H5T_FLOAT))
    fail(from, PC_ERROR_INPUT, path, integers ? "expected whole numbers" : "expected numbers");
  else if (points > MAX_NUMBERS)
    fail(from, PC_ERROR_INPUT, path, "the dataset is too large");
  else if ((double)points * (double)H5Tget_size(type) > most_bytes(dataset))
    fail(from, PC_ERROR_INPUT, path,
         "the file is incomplete: the numbers of this dataset are missing");
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

// CSparse's way: nz >= 0 triplets (p has the columns), -1 compressed columns, -2 compressed rows.
static pc_fclib_matrix read_matrix(reader *from, const char *group)
{
  pc_fclib_matrix m = {.rows = read_integer(from, path_in(group, "m").text),
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
    fail(from, PC_ERROR_INPUT, p_path.text,
         "the array of pointers does not match the size of the matrix");
  if (from->status != PC_OK)
    return m;
  m.count = nz >= 0 ? nz : p[lines];
  if (m.count < 0 || m.count > i_count || m.count > x_count || (nz >= 0 && m.count > p_count))
    fail(from, PC_ERROR_INPUT, group, "there are fewer entries than nz");
  else
    m.entries = allocate(from, m.count, sizeof *m.entries);
  for (long line = 0; from->status == PC_OK && nz < 0 && line < lines; line++) {
    if (p[line] < 0 || p[line] > p[line + 1] || p[line + 1] > m.count)
      fail(from, PC_ERROR_INPUT, p_path.text, "the pointers must not decrease");
    for (long k = p[line]; from->status == PC_OK && k < p[line + 1]; k++)
      m.entries[k] = nz == -2 ? (pc_fclib_entry){(int)line, i[k], 0, x[k]}
                              : (pc_fclib_entry){i[k], (int)line, 0, x[k]};
  }
  for (long k = 0; from->status == PC_OK && k < m.count; k++) {
    if (nz >= 0)
      m.entries[k] = (pc_fclib_entry){i[k], p[k], 0, x[k]};
    else if (p[0] != 0)
      fail(from, PC_ERROR_INPUT, p_path.text, "the first pointer must be 0");
    pc_fclib_entry *e = &m.entries[k];
    if (e->row < 0 || e->row >= m.rows || e->column < 0 || e->column >= m.columns)
      fail(from, PC_ERROR_INPUT, group, "an index is out of range");
    else if (!isfinite(e->value))
      fail(from, PC_ERROR_INPUT, x_path.text, "a number is not finite");
  }
  return m;
}

// Rows of a contact -> the dimension of its space, or 0.
static int space_of(reader *from, int rows)
{
  int space = !from->rolling ? rows : rows == 5 ? 3 : rows == 3 ? 2 : 0;
  if (from->status == PC_OK && space != 2 && space != 3)
    fail(from, PC_ERROR_INPUT, path_of(from, "spacedim").text,
         from->rolling ? "the dimension must be 5, or 3 in the plane"
                       : "the dimension must be 2 or 3");
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
      fail(from, PC_ERROR_INPUT, path, "coefficients of friction must not be negative");
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

static void add_bodies(reader *from, pc_impact *problem, const pc_fclib_matrix *mass,
                       const pc_fclib_partition *p, const double *f)
{
  long blocks;
  const pc_fclib_block *block_list = pc_fclib_cut_blocks(&from->arena, mass, p, p, &blocks);
  int *member = allocate(from, mass->rows, sizeof *member); // degrees of freedom by group
  int *start = allocate(from, p->groups + 1, sizeof *start);
  check_memory(from);
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

// The interactions of the rows of a matrix, `size` each; `rub` is NULL for equalities.
static void add_rows(reader *from, pc_impact *problem, const pc_fclib_matrix *m, int size,
                     const pc_fclib_partition *bodies, const double *given, const friction *rub,
                     const double *guess, const char *name)
{
  if (from->status != PC_OK)
    return;
  pc_fclib_partition rows = pc_fclib_cut_consecutive(&from->arena, m->rows, size, m->rows);
  pc_row_term *terms = allocate(from, bodies->groups, sizeof *terms);
  long blocks, k = 0;
  const pc_fclib_block *block_list = pc_fclib_cut_blocks(&from->arena, m, &rows, bodies, &blocks);
  check_memory(from);
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

// Interactions without bodies, of `size` rows each.
static void add_responding(reader *from, pc_impact *problem, int count, int size,
                           const double *given, const friction *rub, const double *guess,
                           const char *name)
{
  for (int c = 0; from->status == PC_OK && c < count; c++) {
    pc_interaction interaction;
    set_contact(&interaction, size, given, rub, guess, c);
    check_call(from, problem, pc_impact_add_interaction(problem, &interaction) >= 0,
               path_of(from, name).text);
  }
}

// The response of all rows to each other: contacts of so many rows each, then equalities. It need
// not be symmetric, but nothing answers a push by coming closer.
static void add_response(reader *from, pc_impact *problem, const pc_fclib_matrix *response,
                         int contacts, int rows, const char *name)
{
  for (long k = 0; from->status == PC_OK && k < response->count; k++) {
    const pc_fclib_entry *e = &response->entries[k];
    if (e->row == e->column && e->value < 0)
      fail(from, PC_ERROR_INPUT, path_of(from, name).text, "diagonal entries must not be negative");
  }
  if (from->status != PC_OK)
    return;
  pc_fclib_partition cut = pc_fclib_cut_consecutive(&from->arena, response->rows, rows, contacts);
  long blocks;
  const pc_fclib_block *block_list =
      pc_fclib_cut_blocks(&from->arena, response, &cut, &cut, &blocks);
  check_memory(from);
  for (long k = 0; from->status == PC_OK && k < blocks; k++)
    check_call(from, problem,
               pc_impact_couple_response(problem, block_list[k].i, block_list[k].j,
                                         block_list[k].value) == PC_OK,
               path_of(from, name).text);
}

// Adds the entries of `part` to a larger matrix, from a row and a column on.
static void place_part(pc_fclib_matrix *whole, const pc_fclib_matrix *part, int row, int column,
                       bool transposed)
{
  for (long k = 0; k < part->count; k++) {
    pc_fclib_entry e = part->entries[k];
    whole->entries[whole->count++] =
        transposed ? (pc_fclib_entry){row + e.column, column + e.row, 0, e.value}
                   : (pc_fclib_entry){row + e.row, column + e.column, 0, e.value};
  }
}

// (a; b), one below the other, where b may have no rows.
static pc_fclib_matrix stack(reader *from, const pc_fclib_matrix *a, const pc_fclib_matrix *b)
{
  pc_fclib_matrix whole = {.rows = a->rows + b->rows, .columns = a->columns};
  whole.entries = allocate(from, a->count + b->count, sizeof *whole.entries);
  if (from->status != PC_OK)
    return whole;
  place_part(&whole, a, 0, 0, false);
  place_part(&whole, b, a->rows, 0, false);
  return whole;
}

// A problem whose M is not symmetric, by what its rows feel of each other.
static void add_condensed(reader *from, pc_scene_impact *out, const pc_fclib_matrix *mass,
                          const double *f, const pc_fclib_matrix *h, const pc_fclib_matrix *g,
                          int rows, const double *w, const double *b, const friction *rub,
                          const double *guess)
{
  pc_fclib_matrix all = stack(from, h, g), response;
  double *given = allocate(from, all.rows, sizeof *given);
  pc_error error;
  if (from->status != PC_OK)
    return;
  memcpy(given, w, sizeof *given * (size_t)h->rows);
  if (g->rows > 0)
    memcpy(given + h->rows, b, sizeof *given * (size_t)g->rows);
  pc_fclib_sort(&all);
  pc_status status = pc_fclib_condense(&from->arena, mass, &all, f, given, &response, &error);
  if (status != PC_OK) {
    fail(from, status, path_of(from, "M").text, error.text);
    return;
  }
  int contacts = h->rows / rows;
  add_responding(from, out->problem, contacts, rows, given, rub, guess, "H");
  add_responding(from, out->problem, g->rows, 1, given + h->rows, NULL, NULL, "G");
  add_response(from, out->problem, &response, contacts, rows, "M");
}

static void read_global(reader *from, pc_scene_impact *out)
{
  int rows = read_integer(from, path_of(from, "spacedim").text), space = space_of(from, rows);
  pc_fclib_matrix mass = read_matrix(from, path_of(from, "M").text);
  pc_fclib_matrix h = read_matrix(from, path_of(from, "H").text), g = {0};
  if (from->status == PC_OK && exists(from, path_of(from, "G").text))
    g = read_matrix(from, path_of(from, "G").text);
  if (from->status == PC_OK &&
      (mass.rows != mass.columns || mass.rows == 0 || h.rows != mass.rows || h.columns % rows))
    fail(from, PC_ERROR_INPUT, from->group, "the sizes of M and H do not match spacedim");
  if (from->status == PC_OK && g.columns > 0 && g.rows != mass.rows)
    fail(from, PC_ERROR_INPUT, from->group, "the sizes of M and G do not match");
  out->contacts = from->status == PC_OK ? h.columns / rows : 0;
  const double *f = read_vector(from, path_of(from, "vectors/f").text, mass.rows);
  const double *w = read_vector(from, path_of(from, "vectors/w").text, h.columns);
  friction rub = read_friction(from, out->contacts);
  const double *b =
      g.columns > 0 ? read_vector(from, path_of(from, "vectors/b").text, g.columns) : NULL;
  const double *guess = read_extras(from, out, h.columns);
  if (from->status != PC_OK)
    return;
  pc_fclib_transpose(&h);
  pc_fclib_transpose(&g);
  out->mirrored = pc_fclib_complete_triangle(&from->arena, &mass);
  pc_fclib_sort(&mass);
  bool symmetric = pc_fclib_is_symmetric(&from->arena, &mass);
  check_memory(from);
  if (!symmetric) {
    add_condensed(from, out, &mass, f, &h, &g, rows, w, b, &rub, guess);
    return;
  }
  pc_fclib_partition bodies = pc_fclib_cut_bodies(&from->arena, &mass, space);
  check_memory(from);
  if (from->status == PC_OK)
    add_bodies(from, out->problem, &mass, &bodies, f);
  add_rows(from, out->problem, &h, rows, &bodies, w, &rub, guess, "H");
  add_rows(from, out->problem, &g, 1, &bodies, b, NULL, NULL, "G");
}

static void read_local(reader *from, pc_scene_impact *out)
{
  int rows = read_integer(from, path_of(from, "spacedim").text);
  pc_fclib_matrix response = read_matrix(from, path_of(from, "W").text), v = {0}, r = {0};
  if (from->status == PC_OK && exists(from, path_of(from, "V").text)) {
    v = read_matrix(from, path_of(from, "V").text);
    r = read_matrix(from, path_of(from, "R").text);
  }
  space_of(from, rows);
  if (from->status == PC_OK && (response.rows != response.columns || response.rows % rows))
    fail(from, PC_ERROR_INPUT, from->group, "the size of W does not match spacedim");
  if (from->status == PC_OK && v.columns > 0 &&
      (v.rows != response.rows || r.rows != v.columns || r.columns != v.columns))
    fail(from, PC_ERROR_INPUT, from->group, "the sizes of W, V and R do not match");
  int contacts = out->contacts = from->status == PC_OK ? response.rows / rows : 0;
  const double *q = read_vector(from, path_of(from, "vectors/q").text, response.rows);
  friction rub = read_friction(from, contacts);
  const double *s =
      v.columns > 0 ? read_vector(from, path_of(from, "vectors/s").text, v.columns) : NULL;
  const double *guess = read_extras(from, out, response.rows);
  if (from->status != PC_OK)
    return;
  out->mirrored = pc_fclib_complete_triangle(&from->arena, &response);
  out->mirrored |= v.columns > 0 && pc_fclib_complete_triangle(&from->arena, &r);
  check_memory(from);
  pc_fclib_matrix whole = {.rows = response.rows + v.columns};
  whole.columns = whole.rows;
  whole.entries = allocate(from, response.count + 2 * v.count + r.count, sizeof *whole.entries);
  if (from->status != PC_OK)
    return;
  place_part(&whole, &response, 0, 0, false);
  place_part(&whole, &v, 0, response.rows, false);
  place_part(&whole, &v, response.rows, 0, true);
  place_part(&whole, &r, response.rows, response.rows, false);
  pc_fclib_sort(&whole);
  add_responding(from, out->problem, contacts, rows, q, &rub, guess, "W");
  add_responding(from, out->problem, v.columns, 1, s, NULL, NULL, "R");
  add_response(from, out->problem, &whole, contacts, rows, "W");
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
  fail(from, PC_ERROR_INPUT, "/",
       "not an FCLIB problem: it has neither fclib_global nor fclib_local");
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
