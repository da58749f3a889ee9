// Pictures of chains: what is drawn is what the theory and the solvers say. The tables beside the
// pictures have every number that is drawn.
#include "xml.h"

#include <unistd.h>

#include "percuss/chain_pictures.h"

enum { MOST = 300000 };

static const pc_chain_picture files = {"test_chain_pictures.svg", "test_chain_pictures.csv", NULL};

// Rows of the geometry's table.
typedef struct row {
  char item[16], name[48];
  int line;
  double gamma[2], v[3], ker, cke;
} row;
static row rows[20000];

static FILE *open_table(char *head, int size)
{
  FILE *table = fopen(files.csv, "r");
  assert_non_null(table);
  assert_non_null(fgets(head, size, table));
  return table;
}

static int read_geometry(void)
{
  char text[400];
  FILE *table = open_table(text, sizeof text);
  int count = 0;
  assert_string_equal(text,
                      "item,name,line,gamma_1/V_s,gamma_2/V_s,v_1/V_s,v_2/V_s,v_3/V_s,ker,cke\n");
  while (fgets(text, sizeof text, table) != NULL) {
    row *r = &rows[count++];
    assert_int_equal(sscanf(text, "%15[^,],%47[^,],%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf", r->item,
                            r->name, &r->line, &r->gamma[0], &r->gamma[1], &r->v[0], &r->v[1],
                            &r->v[2], &r->ker, &r->cke),
                     10);
  }
  fclose(table);
  return count;
}

// Tables of numbers.
static double numbers[MOST];
static int read_numbers(int *columns, char *head, int size)
{
  FILE *table = open_table(head, size);
  int count = 0;
  *columns = 1;
  for (const char *c = head; *c != 0; c++)
    *columns += *c == ',';
  while (count < MOST && fscanf(table, "%lf%*[,\n]", &numbers[count]) >= 1)
    count++;
  fclose(table);
  assert_int_equal(count % *columns, 0);
  return count / *columns;
}

static void clean(void)
{
  unlink(files.svg);
  unlink(files.csv);
}

static bool drawn_text(const char *part)
{
  xml *x = xml_read(files.svg);
  bool found = false;
  for (int k = 0; k < x->count; k++)
    found = found || strstr(x->element[k].text, part) != NULL;
  xml_free(x);
  return found;
}

static double dispersion(const double *m, const double *v)
{
  double t[3], mean = 0, sum = 0;
  for (int i = 0; i < 3; i++)
    mean += (t[i] = m[i] * v[i] * v[i]) / 3;
  for (int i = 0; i < 3; i++)
    sum += (t[i] - mean) * (t[i] - mean) / 3;
  return sqrt(sum) / mean;
}

static const row *find(int count, const char *item, const char *name)
{
  for (int k = 0; k < count; k++)
    if (strcmp(rows[k].item, item) == 0 && strcmp(rows[k].name, name) == 0)
      return &rows[k];
  fail_msg("no %s %s in the table", item, name);
  return NULL;
}

// Random masses and approaching velocities: lines are on their levels, all within the admissible
// outcomes, with momentum; Moreau's line is gamma+ = -e gamma-.
static void lines_of_the_geometry_are_where_theory_says(void **state)
{
  pc_random random = test_random("geometry");
  for (int t = test_count(30); t > 0; t--) {
    double mass[3], v[3], speed = 0, momentum = 0, kinetic = 0;
    for (int i = 0; i < 3; i++) {
      mass[i] = exp(pc_random_uniform(&random, -1.5, 1.5));
      v[i] = (i > 0 ? v[i - 1] : 3) - pc_random_uniform(&random, 0.1, 2);
      speed = fmax(speed, fabs(v[i]));
      momentum += mass[i] * v[i];
      kinetic += mass[i] * v[i] * v[i];
    }
    pc_chain_contact contact[2] = {{1, 0.7, 0}, {2, 0.4, 0}};
    pc_chain chain = {.balls = 3, .mass = mass, .velocity = v, .contact = contact, .exponent = 1.5};
    pc_error error;
    assert_ok(pc_chain_draw_geometry(&chain, NULL, &files, &error), &error);
    xml_free(xml_read(files.svg));
    int count = read_geometry(), lines = 0, moreau = 0, laws = 0;
    for (int k = 0; k < count; k++) {
      const row *r = &rows[k];
      double p = 0, energy = 0;
      for (int i = 0; i < 3; i++)
        p += mass[i] * r->v[i], energy += mass[i] * r->v[i] * r->v[i];
      assert_near(p, momentum / speed, 1e-7 * (fabs(momentum) + kinetic));
      assert_near(r->ker, energy * speed * speed / kinetic, 1e-12);
      assert_near(r->cke, dispersion(mass, r->v), 1e-9);
      for (int c = 0; c < 2; c++)
        assert_near(r->gamma[c], r->v[c + 1] - r->v[c], 1e-12);
      if (strcmp(r->item, "law") == 0) {
        laws++;
        continue;
      }
      assert_true(r->gamma[0] >= -1e-9 && r->gamma[1] >= -1e-9 && r->ker <= 1 + 1e-9);
      lines += strcmp(r->item, "ker") == 0 || strcmp(r->item, "cke") == 0;
      if (strcmp(r->item, "ker") == 0) {
        assert_near(r->ker, strtod(r->name, NULL), 1e-12);
      } else if (strcmp(r->item, "cke") == 0) {
        assert_near(r->cke, strtod(r->name, NULL), 1e-9);
      } else if (strcmp(r->item, "moreau") == 0) {
        double e = moreau++ / 20.;
        for (int c = 0; c < 2; c++)
          assert_near(r->gamma[c], -e * (v[c + 1] - v[c]) / speed, 1e-8);
      }
    }
    assert_true(lines > 1000);
    assert_int_equal(moreau, 21);
    assert_int_equal(laws, 7);
  }
  clean();
}

static void points_of_equal_balls_are_those_of_the_chapter(void **state)
{
  const double mass[3] = {2, 2, 2}, v[3] = {0.5, 0, 0};
  pc_chain_contact contact[2] = {{1, 1, 0}, {1, 1, 0}};
  pc_chain chain = {.balls = 3, .mass = mass, .velocity = v, .contact = contact, .exponent = 1.5};
  assert_int_equal(pc_chain_draw_geometry(&chain, NULL, &files, NULL), PC_OK);
  int count = read_geometry();
  const row *a = find(count, "corner", "A"), *b = find(count, "corner", "B");
  const row *o = find(count, "corner", "O"), *one = find(count, "experiment", "1");
  assert_near(a->v[2], 1, 1e-14);
  assert_near(a->cke, sqrt(2), 1e-14);
  assert_near(b->v[0], -1. / 3, 1e-14);
  assert_near(b->cke, sqrt(2) / 3, 1e-14);
  assert_near(o->ker, 1. / 3, 1e-14);
  assert_near(o->cke, 0, 1e-7);
  assert_near(one->ker, 1.010, 5e-4);
  assert_near(one->cke, 1.383, 5e-4);
  assert_near(find(count, "experiment", "2")->ker, 1. / 3, 1e-14);
  assert_near(find(count, "law", "sequential")->v[2], 1, 1e-12);
  assert_near(find(count, "law", "newton")->v[0], -1. / 3, 1e-12);
  assert_near(find(count, "law", "hertz")->v[0], -0.0710, 5e-5);
  assert_near(find(count, "law", "hertz")->v[1], 0.0764, 5e-5);
  assert_true(drawn_text("experiment 1") && drawn_text("Moreau") && drawn_text("pattern II"));
  assert_true(drawn_text("momentum 1.042"));
  assert_false(drawn_text("pattern III"));
  clean();
}

// "It is easy to prove that for a monodisperse chain there exist only patterns I and II" (2.2.2).
static void experiments_and_pattern_three_are_drawn_only_where_they_belong(void **state)
{
  const double mass[3] = {1, 0.2, 3}, v[3] = {1, 0, 0};
  pc_chain_contact contact[2] = {{1, 1, 0}, {1, 1, 0}};
  pc_chain chain = {.balls = 3, .mass = mass, .velocity = v, .contact = contact, .exponent = 1.5};
  assert_int_equal(pc_chain_draw_geometry(&chain, NULL, &files, NULL), PC_OK);
  assert_true(drawn_text("pattern III"));
  assert_false(drawn_text("xperiment"));
  clean();
}

static void the_law_of_the_chain_is_drawn_as_it_is(void **state)
{
  const double mass[3] = {1, 1, 1}, v[3] = {1, 0, -1};
  const double matrix[4] = {0.6, 0.6, 0.6, 0.6};
  pc_chain_contact contact[2] = {{1, 1, 0}, {1, 1, 0}};
  pc_chain chain = {.balls = 3, .mass = mass, .velocity = v, .contact = contact, .exponent = 1.5};
  pc_chain_law law = pc_chain_law_default(PC_CHAIN_MATRIX);
  law.matrix = matrix;
  assert_int_equal(pc_chain_draw_geometry(&chain, &law, &files, NULL), PC_OK);
  const row *outside = find(read_geometry(), "law", "matrix");
  assert_near(outside->gamma[0], 1.2, 1e-12);
  assert_near(outside->ker, 1.44, 1e-12); // it gains energy, and is drawn outside
  assert_true(drawn_text("matrix"));
  clean();
}

static void curves_of_bounds_are_the_bounds(void **state)
{
  double mass[7], v[7] = {1};
  pc_chain_contact contact[6] = {{0}};
  for (int i = 0; i < 7; i++)
    mass[i] = 3;
  pc_chain chain = {.balls = 7, .mass = mass, .velocity = v, .contact = contact, .exponent = 1.5};
  const pc_chain_quantity by[] = {PC_CHAIN_BY_TAPER, PC_CHAIN_BY_ANTI_TAPER, PC_CHAIN_BY_DECORATION,
                                  PC_CHAIN_BY_MASS};
  for (int n = 0; n < 4; n++) {
    const double kers[] = {1, 0.75};
    char head[200];
    int columns;
    pc_chain_sweep sweep = pc_chain_sweep_default(&chain, by[n]);
    sweep.points = 5;
    sweep.count = 2;
    sweep.each = PC_CHAIN_BY_KER;
    sweep.value = kers;
    assert_int_equal(pc_chain_draw_bounds(&chain, &sweep, &files, NULL), PC_OK);
    int count = read_numbers(&columns, head, sizeof head);
    assert_int_equal(count, 10);
    assert_int_equal(columns, 6);
    for (int k = 0; k < count; k++) {
      const double *r = numbers + 6 * k;
      pc_chain_bounds bounds;
      double m[7];
      assert_near(r[0], sweep.from + (sweep.to - sweep.from) * (k % 5) / 4, 1e-14);
      for (int i = 0; i < 7; i++)
        m[i] = n == 0   ? pow(1 - r[0], i)
               : n == 1 ? pow(1 + r[0], i)
               : n == 2 ? (i % 2 == 0 ? 1 : r[0])
               : i == 6 ? r[0]
                        : 1;
      assert_near(r[1], kers[k / 5], 0);
      assert_int_equal(pc_chain_bound(7, m, v, r[1], NULL, &bounds, NULL, NULL, NULL), PC_OK);
      assert_near(r[2], bounds.min.found, 2e-6);
      assert_near(r[3], bounds.max.found, 2e-6);
      assert_true(r[4] <= 1e-6 && r[5] <= 1e-6);
    }
    xml_free(xml_read(files.svg));
  }
  clean();
}

// KER from its least, m_1 / (m_1 + m_2 + m_3), where both bounds are (2.27).
static void curves_over_energy_begin_where_all_balls_go_together(void **state)
{
  const double v[3] = {1}, values[] = {0.5, 2, 5};
  double mass[3] = {1, 1, 1};
  pc_chain_contact contact[2] = {{0}};
  pc_chain chain = {.balls = 3, .mass = mass, .velocity = v, .contact = contact, .exponent = 1.5};
  pc_chain_sweep sweep = pc_chain_sweep_default(&chain, PC_CHAIN_BY_KER);
  char head[200];
  int columns;
  sweep.points = 21;
  sweep.each = PC_CHAIN_BY_DECORATION;
  sweep.value = values;
  sweep.count = 3;
  assert_int_equal(pc_chain_draw_bounds(&chain, &sweep, &files, NULL), PC_OK);
  assert_int_equal(read_numbers(&columns, head, sizeof head), 63);
  for (int k = 0; k < 3; k++) {
    const double *first = numbers + 21 * 6 * k, *last = first + 20 * 6, a = values[k];
    double together = sqrt(2 * (2 + a * a - 2 * a - 1)) / (2 + a);
    assert_near(first[0], 1 / (2 + a), 1e-12);
    assert_near(first[2], together, 1e-5);
    assert_near(first[3], together, 1e-5);
    assert_near(last[0], 1, 1e-14);
    assert_near(last[3], sqrt(2), 1e-9); // dispersion-free: m_3 = m_1
  }
  clean();
}

// Where KER is below what the masses allow there is no outcome, and no row.
static void curves_leave_out_what_is_impossible(void **state)
{
  const double v[3] = {1}, values[] = {0.5};
  double mass[3] = {1, 0.2, 1};
  pc_chain_contact contact[2] = {{0}};
  pc_chain chain = {.balls = 3, .mass = mass, .velocity = v, .contact = contact, .exponent = 1.5};
  pc_chain_sweep sweep = pc_chain_sweep_default(&chain, PC_CHAIN_BY_MASS);
  char head[200];
  int columns, kept = 0;
  sweep.ball = 2;
  sweep.from = 0.1, sweep.to = 2;
  sweep.points = 39;
  sweep.each = PC_CHAIN_BY_KER, sweep.value = values, sweep.count = 1;
  for (int k = 0; k < 39; k++)
    kept += 1 / (1.2 + 0.1 + 0.05 * k) <= 0.5 * (1 + 1e-9);
  assert_int_equal(pc_chain_draw_bounds(&chain, &sweep, &files, NULL), PC_OK);
  assert_int_equal(read_numbers(&columns, head, sizeof head), kept);
  clean();
}

static pc_chain make_chain(int balls, double e, double *mass, double *v, pc_chain_contact *contact)
{
  for (int i = 0; i < balls; i++) {
    mass[i] = 1, v[i] = i == 0;
    contact[i] = (pc_chain_contact){1, e, 0};
  }
  return (pc_chain){
      .balls = balls, .mass = mass, .velocity = v, .contact = contact, .exponent = 1.5};
}

// Momentum is kept at every instant, energy does not grow beyond what it was, and the end is the
// outcome of the law.
static void a_wave_keeps_momentum_and_ends_as_the_law_says(void **state)
{
  static double mass[60], v[60], after[60];
  static pc_chain_contact contact[60];
  static char head[4000];
  static const struct {
    int balls;
    double e;
    pc_chain_law_kind law;
  } cases[] = {{2, 1, PC_CHAIN_HERTZ},
               {5, 1, PC_CHAIN_HERTZ},
               {7, 1, PC_CHAIN_LZB},
               {60, 1, PC_CHAIN_HERTZ}};
  for (int n = 0; n < 4; n++) {
    int columns, balls = cases[n].balls;
    pc_chain chain = make_chain(balls, cases[n].e, mass, v, contact);
    pc_chain_law law = pc_chain_law_default(cases[n].law);
    pc_error error;
    assert_ok(pc_chain_draw_wave(&chain, &law, NULL, 0, &files, &error), &error);
    int count = read_numbers(&columns, head, sizeof head);
    assert_int_equal(columns, balls + 1);
    assert_int_equal(count, 401);
    for (int k = 0; k < count; k++) {
      double momentum = 0, kinetic = 0;
      for (int i = 0; i < balls; i++) {
        double u = numbers[k * columns + 1 + i];
        momentum += u, kinetic += u * u;
      }
      assert_near(momentum, 1, 1e-9);
      assert_true(kinetic < 1 + 1e-6);
      if (k > 0)
        assert_true(numbers[k * columns] > numbers[(k - 1) * columns]);
    }
    pc_chain_answer answer = {.velocity = after};
    pc_chain_options options = pc_chain_options_default();
    assert_int_equal(pc_chain_solve(&chain, &law, &options, &answer, NULL), PC_OK);
    for (int i = 0; i < balls; i++)
      assert_near(numbers[(count - 1) * columns + 1 + i], after[i], 2e-3);
    assert_int_equal(drawn_text("Nesterenko"), balls == 60);
  }
  clean();
}

// Two springs in a row: half a swing, u_1 = (1 + cos w t)/2, w^2 = 2 K / m.
static void two_balls_on_a_spring_swing_as_a_cosine(void **state)
{
  double mass[2], v[2];
  pc_chain_contact contact[2];
  pc_chain chain = make_chain(2, 1, mass, v, contact);
  pc_chain_law law = pc_chain_law_default(PC_CHAIN_HERTZ);
  char head[100];
  int columns;
  chain.exponent = 1;
  assert_int_equal(pc_chain_draw_wave(&chain, &law, NULL, 0, &files, NULL), PC_OK);
  int count = read_numbers(&columns, head, sizeof head);
  for (int k = 0; k < count; k++) {
    double t = numbers[3 * k], swing = fmin(sqrt(2) * t, acos(-1));
    assert_near(numbers[3 * k + 1], (1 + cos(swing)) / 2, 1e-6);
  }
  clean();
}

static void a_given_duration_is_drawn_whole(void **state)
{
  double mass[5], v[5];
  pc_chain_contact contact[5];
  pc_chain chain = make_chain(5, 1, mass, v, contact);
  pc_chain_law law = pc_chain_law_default(PC_CHAIN_HERTZ);
  char head[200];
  int columns;
  assert_int_equal(pc_chain_draw_wave(&chain, &law, NULL, 2.5, &files, NULL), PC_OK);
  int count = read_numbers(&columns, head, sizeof head);
  assert_near(numbers[(count - 1) * columns], 2.5, 1e-12);
  assert_true(numbers[(count - 1) * columns + 5] < 0.1); // the wave has not come so far
  clean();
}

static void what_cannot_be_drawn_is_refused_and_nothing_is_written(void **state)
{
  double mass[70], v[70];
  pc_chain_contact contact[70];
  pc_chain chain = make_chain(4, 1, mass, v, contact);
  pc_chain_law newton = pc_chain_law_default(PC_CHAIN_NEWTON);
  pc_chain_sweep sweep = pc_chain_sweep_default(&chain, PC_CHAIN_BY_TAPER);
  pc_error error;
  assert_int_equal(pc_chain_draw_geometry(&chain, NULL, &files, &error), PC_ERROR_INPUT);
  assert_int_equal(pc_chain_draw_wave(&chain, &newton, NULL, 0, &files, &error), PC_ERROR_INPUT);
  sweep.to = 1.5;
  assert_int_equal(pc_chain_draw_bounds(&chain, &sweep, &files, &error), PC_ERROR_ARGUMENT);
  sweep = pc_chain_sweep_default(&chain, PC_CHAIN_BY_TAPER);
  sweep.each = PC_CHAIN_BY_DECORATION;
  sweep.value = (const double[]){1};
  sweep.count = 1;
  assert_int_equal(pc_chain_draw_bounds(&chain, &sweep, &files, &error), PC_ERROR_ARGUMENT);
  sweep = pc_chain_sweep_default(&chain, PC_CHAIN_BY_KER);
  sweep.each = PC_CHAIN_BY_KER;
  sweep.value = (const double[]){1};
  sweep.count = 1;
  assert_int_equal(pc_chain_draw_bounds(&chain, &sweep, &files, &error), PC_ERROR_ARGUMENT);
  chain.balls = 3;
  chain.wall_right = true;
  assert_int_equal(pc_chain_draw_geometry(&chain, NULL, &files, &error), PC_ERROR_INPUT);
  chain.wall_right = false;
  v[0] = 0;
  assert_int_equal(pc_chain_draw_geometry(&chain, NULL, &files, &error), PC_ERROR_INPUT);
  sweep = pc_chain_sweep_default(&chain, PC_CHAIN_BY_TAPER);
  assert_int_not_equal(pc_chain_draw_bounds(&chain, &sweep, &files, &error), PC_OK);
  assert_int_not_equal(access(files.svg, F_OK), 0);
  assert_int_not_equal(access(files.csv, F_OK), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_of_the_geometry_are_where_theory_says),
      cmocka_unit_test(points_of_equal_balls_are_those_of_the_chapter),
      cmocka_unit_test(experiments_and_pattern_three_are_drawn_only_where_they_belong),
      cmocka_unit_test(the_law_of_the_chain_is_drawn_as_it_is),
      cmocka_unit_test(curves_of_bounds_are_the_bounds),
      cmocka_unit_test(curves_over_energy_begin_where_all_balls_go_together),
      cmocka_unit_test(curves_leave_out_what_is_impossible),
      cmocka_unit_test(a_wave_keeps_momentum_and_ends_as_the_law_says),
      cmocka_unit_test(two_balls_on_a_spring_swing_as_a_cosine),
      cmocka_unit_test(a_given_duration_is_drawn_whole),
      cmocka_unit_test(what_cannot_be_drawn_is_refused_and_nothing_is_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
