// sample_continuum PATH KIND: a made-up run of a continuum for the tests of the viewer. Nobody
// computes anything: all fields are given functions of the place and the number of the frame, which
// the elements have exactly, so that viewer/test/continuum.mjs knows every number at every
// place. KIND is collision (two frames, before and after), motion (it goes on, with displacements)
// or line.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/record.h"

enum { NODES = 200, CELLS = 60, LISTED = 400, TOUCHES = 40, STEPS = 2 };
enum { LINE2, LINE3, TRIANGLE3, TRIANGLE6, QUAD4, QUAD8, QUAD9 };
enum { WATER, WALL, PLATE, SAND };

typedef struct mesh {
  int nodes, cells, listed, touches, bodies;
  double node[NODES][2];
  int medium[NODES];
  int32_t first[CELLS + 1], list[LISTED], type[CELLS], group[CELLS];
  int32_t touch_node[TOUCHES], touch_contact[TOUCHES];
  double weight[TOUCHES], normal[TOUCHES][2];
} mesh;

typedef struct series {
  int time, step, velocity, pressure, stress, displacement, body, percussion, slip;
  int temperature, fraction; // not on a line
  int step_time, step_step, kinetic, touch;
} series;

static int add_node(mesh *m, int medium, double x, double y)
{
  m->node[m->nodes][0] = x, m->node[m->nodes][1] = y, m->medium[m->nodes] = medium;
  return m->nodes++;
}

static void add_cell(mesh *m, int type, int medium, int count, const int *node)
{
  m->type[m->cells] = type, m->group[m->cells] = medium;
  for (int i = 0; i < count; i++)
    m->list[m->listed++] = node[i];
  m->first[++m->cells] = m->listed;
}

// columns x rows quadrangles with all their middle nodes, or halves of them. Without centres
// (QUAD8) there are no nodes there.
static void add_block(mesh *m, int type, int medium, const double box[4], int columns, int rows)
{
  int at[9][17], order = type == QUAD4 ? 1 : 2;
  for (int j = 0; j <= order * rows; j++)
    for (int i = 0; i <= order * columns; i++)
      if (type != QUAD8 || i % 2 == 0 || j % 2 == 0)
        at[j][i] = add_node(m, medium, box[0] + (box[1] - box[0]) * i / (order * columns),
                            box[2] + (box[3] - box[2]) * j / (order * rows));
  for (int j = 0; j < order * rows; j += order)
    for (int i = 0; i < order * columns; i += order) {
      int a = at[j][i], b = at[j][i + order], c = at[j + order][i + order], d = at[j + order][i];
      if (order == 1) {
        add_cell(m, QUAD4, medium, 4, (int[]){a, b, c, d});
        continue;
      }
      int ab = at[j][i + 1], bc = at[j + 1][i + 2], cd = at[j + 2][i + 1], da = at[j + 1][i];
      int centre = type == QUAD8 ? -1 : at[j + 1][i + 1];
      if (type == TRIANGLE6) {
        add_cell(m, type, medium, 6, (int[]){a, b, c, ab, bc, centre});
        add_cell(m, type, medium, 6, (int[]){a, c, d, centre, cd, da});
      } else
        add_cell(m, type, medium, type == QUAD9 ? 9 : 8,
                 (int[]){a, b, c, d, ab, bc, cd, da, centre});
    }
}

// Nodes of a medium on a part of a line x = at (axis 0) or y = at, in an order that is not theirs
// along it.
static void add_touches(mesh *m, int contact, int medium, int axis, double at, double from,
                        double to, double side)
{
  for (int part = 0; part < 3; part++)
    for (int n = 0; n < m->nodes; n++) {
      double along = m->node[n][1 - axis];
      if (m->medium[n] != medium || m->node[n][axis] != at || along < from || along > to ||
          n % 3 != part)
        continue;
      int t = m->touches++;
      m->touch_node[t] = n, m->touch_contact[t] = contact, m->weight[t] = 0.25;
      m->normal[t][axis] = side;
    }
}

static void make_plane(mesh *m)
{
  add_block(m, QUAD9, WATER, (double[]){0, 2, 0, 1}, 4, 2);
  add_block(m, TRIANGLE6, WALL, (double[]){2, 3, 0, 1}, 2, 2);
  add_block(m, QUAD8, PLATE, (double[]){0, 1, 1.5, 2}, 2, 1);
  add_block(m, QUAD4, SAND, (double[]){2, 3, 1.5, 2}, 1, 1);
  int extra = add_node(m, SAND, 3.25, 1.5);
  add_cell(m, TRIANGLE3, SAND, 3, (int[]){extra - 3, extra, extra - 1});
  add_touches(m, 0, WATER, 0, 2, 0, 1, 1);
  add_touches(m, 1, WATER, 1, 0, 0, 2, -1);
  add_touches(m, 1, WALL, 1, 0, 2, 3, -1);
  add_touches(m, 2, WATER, 1, 1, 0.5, 1.5, 1);
  m->bodies = 1;
}

// Quadratic elements to x = 1, linear ones beyond.
static void make_line(mesh *m)
{
  int last = add_node(m, 0, 0, 0);
  for (int i = 0; i < 4; i++) {
    int middle = add_node(m, 0, 0.25 * i + 0.125, 0), next = add_node(m, 0, 0.25 * (i + 1), 0);
    add_cell(m, LINE3, 0, 3, (int[]){last, next, middle});
    last = next;
  }
  for (int i = 0; i < 2; i++) {
    int next = add_node(m, 1, 1 + 0.5 * (i + 1), 0);
    add_cell(m, LINE2, 1, 2, (int[]){last, next});
    last = next;
  }
  m->touch_node[0] = 0, m->normal[0][0] = -1, m->weight[0] = 1, m->touches = 1;
}

// The fields of frame k.
static void velocity_of(const mesh *m, bool line, int n, int k, double v[2])
{
  double c = k + 1, x = m->node[n][0], y = m->node[n][1];
  v[0] = v[1] = 0;
  if (line)
    v[0] = c * (x <= 1 ? 1 - x * x : 1 - x);
  else if (m->medium[n] == SAND)
    v[0] = c * (0.5 + 0.2 * x), v[1] = -0.3 * c * y;
  else
    v[0] = c * (0.5 + x * y - 0.25 * y * y), v[1] = c * (-1 + 0.3 * x * x);
}
static void stress_of(const mesh *m, int n, int k, double s[3])
{
  double x = m->node[n][0], y = m->node[n][1];
  s[0] = 500 * k * (x - y);
  // In the plate what differs most between corners and the middles of sides.
  double bent = 8 * (x - 0.25) * (x - 0.25) + 8 * (y - 1.75) * (y - 1.75) - 1;
  s[1] = m->medium[n] == SAND ? 0 : 300 * k * (m->medium[n] == PLATE ? bent : x * y);
  s[2] = m->medium[n] == SAND ? 0 : 200 * k * (1 - x * x);
}

// Temperatures and phases are linear between nodes, with a kink at a node in the middle of
// elements. The water freezes, the wall is an alloy, the sand has no temperature.
static double temperature_of(const mesh *m, int n, int k)
{
  double x = m->node[n][0], y = m->node[n][1];
  double bent = m->medium[n] == WATER  ? fabs(x - 0.25)
                : m->medium[n] == WALL ? fabs(x - 2.25)
                                       : x + y;
  return m->medium[n] == SAND ? NAN : 280 + 10 * (k + 1) * bent;
}
static void fraction_of(const mesh *m, int n, int k, double b[3])
{
  double x = m->node[n][0], y = m->node[n][1];
  b[0] = b[1] = b[2] = 0;
  if (m->medium[n] == WATER)
    b[0] = 1 - 0.4 * k * fabs(x - 0.25);
  if (m->medium[n] == WALL) {
    b[2] = 0.5 * k * fabs(x - 2.25);
    b[0] = 0.5 - 0.1 * k * y - b[2] / 2;
    b[1] = 1 - b[0] - b[2];
  }
}

static void declare(pc_record *r, const mesh *m, bool line, series *s)
{
  pc_record_text(r, "kind", "continuum");
  pc_status ok = PC_OK;
  int32_t fluid[] = {!line, 0, 0, 0};
  pc_record_put(r, &ok, "mesh/node", PC_RECORD_DOUBLE, m->nodes, 2, m->node, "places", "m");
  pc_record_put(r, &ok, "mesh/cell_first", PC_RECORD_INT, m->cells + 1, 1, m->first, "", "");
  pc_record_put(r, &ok, "mesh/cell_node", PC_RECORD_INT, m->listed, 1, m->list, "", "");
  pc_record_put(r, &ok, "mesh/cell_type", PC_RECORD_INT, m->cells, 1, m->type, "", "");
  pc_record_put(r, &ok, "mesh/cell_group", PC_RECORD_INT, m->cells, 1, m->group, "", "");
  pc_record_text(r, "media/name", line ? "bar\nrope\n" : "water\nwall\nplate\nsand\n");
  pc_record_put(r, &ok, "media/fluid", PC_RECORD_INT, line ? 2 : 4, 1, fluid, "", "");
  if (!line) {
    int32_t fractions[] = {1, 3, 0, -1};
    pc_record_put(r, &ok, "media/fractions", PC_RECORD_INT, 4, 1, fractions, "", "");
    s->temperature = pc_record_series(r, "frames/temperature", PC_RECORD_DOUBLE, m->nodes, 1);
    s->fraction = pc_record_series(r, "frames/fraction", PC_RECORD_DOUBLE, m->nodes, 3);
  }
  pc_record_text(r, "contact/name", line ? "foot\n" : "side\nfloor\ndiver\n");
  pc_record_put(r, &ok, "contact/node", PC_RECORD_INT, m->touches, 1, m->touch_node, "", "");
  pc_record_put(r, &ok, "contact/number", PC_RECORD_INT, m->touches, 1, m->touch_contact, "", "");
  pc_record_put(r, &ok, "contact/weight", PC_RECORD_DOUBLE, m->touches, 1, m->weight, "", "m");
  pc_record_put(r, &ok, "contact/normal", PC_RECORD_DOUBLE, m->touches, 2, m->normal, "", "");
  s->time = pc_record_add(r, "frames/time", PC_RECORD_DOUBLE, 1, 1, "time", "s");
  s->step = pc_record_series(r, "frames/step", PC_RECORD_LONG, 1, 1);
  s->velocity = pc_record_series(r, "frames/velocity", PC_RECORD_DOUBLE, m->nodes, 2);
  s->pressure = pc_record_series(r, "frames/pressure", PC_RECORD_DOUBLE, m->nodes, 1);
  s->stress = pc_record_series(r, "frames/stress", PC_RECORD_DOUBLE, m->nodes, 3);
  s->displacement = pc_record_series(r, "frames/displacement", PC_RECORD_DOUBLE, m->nodes, 2);
  s->percussion = pc_record_series(r, "frames/percussion", PC_RECORD_DOUBLE, m->touches, 2);
  s->slip = pc_record_series(r, "frames/slip", PC_RECORD_DOUBLE, m->touches, 2);
  if (m->bodies > 0) {
    const double ends[][4] = {{1.5, 1, 1, 1}, {1, 1, 0.5, 1}};
    const int32_t of[] = {0, 0};
    pc_record_text(r, "bodies/name", "diver\n");
    pc_record_put(r, &ok, "bodies/outline", PC_RECORD_DOUBLE, 2, 4, ends, "", "m");
    pc_record_put(r, &ok, "bodies/outline_body", PC_RECORD_INT, 2, 1, of, "", "");
    s->body = pc_record_series(r, "frames/body", PC_RECORD_DOUBLE, m->bodies, 6);
  }
  s->step_time = pc_record_add(r, "steps/time", PC_RECORD_DOUBLE, 1, 1, "time", "s");
  s->step_step = pc_record_series(r, "steps/step", PC_RECORD_LONG, 1, 1);
  s->kinetic =
      pc_record_add(r, "steps/kinetic_translation", PC_RECORD_DOUBLE, 1, 1, "kinetic energy", "J");
  s->touch = pc_record_add(r, line ? "touches/foot" : "touches/floor", PC_RECORD_DOUBLE, 1, 2,
                           "percussions", "N s/m");
}

static void write_frame(pc_record *r, const series *h, const mesh *m, bool line, bool moves, int k)
{
  static double v[NODES][2], p[NODES], s[NODES][3], u[NODES][2], push[TOUCHES][2], w[TOUCHES][2];
  static double heat[NODES], b[NODES][3];
  double time = k == 0 || !(moves || line) ? 0 : 0.1 * (k - 1);
  int64_t step = k == 0 ? 0 : STEPS * (int64_t)(k - 1) + 1;
  for (int n = 0; n < m->nodes; n++) {
    double x = m->node[n][0], y = m->node[n][1];
    velocity_of(m, line, n, k, v[n]);
    stress_of(m, n, k, s[n]);
    heat[n] = temperature_of(m, n, k);
    fraction_of(m, n, k, b[n]);
    p[n] = !line && m->medium[n] == WATER ? 1000.0 * k * (1 + x - 2 * y) : 0;
    u[n][0] = moves ? 1e-5 * k * x * y : line ? 1e-5 * k * x : 0;
    u[n][1] = moves ? -2e-5 * k * x : 0;
  }
  for (int t = 0; t < m->touches; t++) {
    double x = m->node[m->touch_node[t]][0], y = m->node[m->touch_node[t]][1];
    push[t][0] = k * (100 + 50 * x + 25 * y), push[t][1] = k * (-60 + 10 * x * y);
    w[t][0] = (1 - k) * (0.2 + 0.1 * x), w[t][1] = 0.3 * x - 0.2 * y + 0.1 * k;
  }
  double body[6] = {1 + 0.01 * k, 1.25, 0.1 * k, 0.2 * k, -4 + k, 0.5 * k};
  pc_record_append(r, h->time, &time);
  pc_record_append(r, h->step, &step);
  pc_record_append(r, h->velocity, v);
  pc_record_append(r, h->pressure, p);
  pc_record_append(r, h->stress, s);
  pc_record_append(r, h->displacement, u);
  if (!line) {
    pc_record_append(r, h->temperature, heat);
    pc_record_append(r, h->fraction, b);
  }
  pc_record_append(r, h->percussion, push);
  pc_record_append(r, h->slip, w);
  if (m->bodies > 0)
    pc_record_append(r, h->body, body);
}

// The first step is the collision at time 0.
static void write_step(pc_record *r, const series *h, int64_t step)
{
  double time = 0.1 / STEPS * (double)(step - 1), energy = 100 - 10.0 * (double)step;
  pc_record_append(r, h->step_time, &time);
  pc_record_append(r, h->step_step, &step);
  pc_record_append(r, h->kinetic, &energy);
  pc_record_append(r, h->touch, (double[]){50.0 * (double)step, -5.0 * (double)step});
}

int main(int argc, char **argv)
{
  static mesh m;
  pc_error error = {.status = PC_OK};
  const char *kind = argc == 3 ? argv[2] : "";
  bool line = strcmp(kind, "line") == 0, moves = strcmp(kind, "motion") == 0;
  if (!line && !moves && strcmp(kind, "collision") != 0) {
    fprintf(stderr, "usage: sample_continuum PATH collision|motion|line\n");
    return 2;
  }
  if (line)
    make_line(&m);
  else
    make_plane(&m);
  pc_record *r = pc_record_create(argv[1], &error);
  if (r != NULL) {
    series h = {0};
    declare(r, &m, line, &h);
    pc_record_start(r);
    int frames = moves ? 6 : line ? 4 : 2;
    for (int k = 0; k < frames; k++) {
      for (int i = 0; k > 0 && i < (k == 1 ? 1 : STEPS); i++)
        write_step(r, &h, k == 1 ? 1 : STEPS * (k - 2) + 2 + i);
      write_frame(r, &h, &m, line, moves, k);
    }
    pc_record_close(r, 1, &error);
  }
  if (error.status != PC_OK)
    fprintf(stderr, "%s\n", error.text);
  return error.status != PC_OK;
}
