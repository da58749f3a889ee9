// sample_crowd PATH: a made-up run of a crowd for the tests of the viewer, with maps. Six people on
// two floors; nobody computes anything, so that viewer/test/crowd.mjs knows every number by a
// formula.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "run/recorder.h"

enum {
  PEOPLE = 6,
  FRAMES = 21,
  STEPS = 10, // of a frame
  COLUMNS = 8,
  ROWS = 4,
  CELLS = 2 * COLUMNS * ROWS - 1, // of two floors; the last square of the first one is solid
  INTERVALS = 4
};

static const char scene_text[] =
    "kind: crowd\n"
    "title: Six people on two floors\n"
    "duration: 2\n"
    "step: 0.01\n"
    "floors:\n"
    "  - {name: ground, outline: [[0, 0], [4, 0], [4, 2], [0, 2]]}\n"
    "  - {name: upper, outline: [[0, 0], [4, 0], [4, 2], [0, 2]]}\n"
    "exits:\n"
    "  - {name: west, floor: ground, line: [[0.5, 0.4], [0.5, 1.6]]}\n"
    "  - {name: roof, floor: upper, line: [[3.8, 0.4], [3.8, 1.6]]}\n"
    "people:\n"
    "  - {name: red, floor: ground, to: west, radius: 0.1, positions: [[1, 1], [1.5, 1], [2, 1], "
    "[2.5, 1]]}\n"
    "  - {name: blue, floor: upper, to: roof, radius: 0.1, positions: [[1, 0.5], [2, 0.5]]}\n";

typedef struct series {
  int time, position, orientation, velocity, spin, present, floor, goal, push;
  int step_time, step, inside, exits;
  int map_time, density, speed, pressure;
} series;

static void declare_maps(pc_record *r, series *s)
{
  static int32_t floor[CELLS];
  static double centre[CELLS][2], area[CELLS];
  const double spacing = 0.5;
  const long cells[] = {CELLS, 2}, one = 1;
  for (int c = 0; c < CELLS; c++) {
    int square = c < COLUMNS * ROWS - 1 ? c : c - COLUMNS * ROWS + 1;
    floor[c] = c >= COLUMNS * ROWS - 1;
    centre[c][0] = spacing * (square % COLUMNS + 0.5);
    centre[c][1] = spacing * (square / COLUMNS + 0.5);
    area[c] = spacing * spacing;
  }
  pc_record_array(r, "maps/floor", PC_RECORD_INT, 1, cells, floor);
  pc_record_array(r, "maps/centre", PC_RECORD_DOUBLE, 2, cells, centre);
  pc_record_array(r, "maps/area", PC_RECORD_DOUBLE, 1, cells, area);
  pc_record_array(r, "maps/spacing", PC_RECORD_DOUBLE, 1, &one, &spacing);
  s->map_time = pc_record_series(r, "maps/time", PC_RECORD_DOUBLE, 1, 1);
  s->density = pc_record_series(r, "maps/density", PC_RECORD_FLOAT, CELLS, 1);
  s->speed = pc_record_series(r, "maps/speed", PC_RECORD_FLOAT, CELLS, 1);
  s->pressure = pc_record_series(r, "maps/pressure", PC_RECORD_FLOAT, CELLS, 1);
}

static void declare(pc_record *r, int bodies, series *s)
{
  static const pc_record_item exits[] = {{"time", PC_RECORD_DOUBLE, 1, 1, NULL, NULL, NULL},
                                         {"person", PC_RECORD_INT, 1, 1, NULL, NULL, NULL},
                                         {"exit", PC_RECORD_INT, 1, 1, NULL, NULL, NULL}};
  s->time = pc_record_series(r, "frames/time", PC_RECORD_DOUBLE, 1, 1);
  s->position = pc_record_series(r, "frames/position", PC_RECORD_DOUBLE, bodies, 3);
  s->orientation = pc_record_series(r, "frames/orientation", PC_RECORD_DOUBLE, bodies, 4);
  s->velocity = pc_record_series(r, "frames/velocity", PC_RECORD_DOUBLE, bodies, 3);
  s->spin = pc_record_series(r, "frames/spin", PC_RECORD_DOUBLE, bodies, 3);
  s->present = pc_record_series(r, "frames/present", PC_RECORD_BYTE, PEOPLE, 1);
  s->floor = pc_record_series(r, "frames/floor", PC_RECORD_INT, PEOPLE, 1);
  s->goal = pc_record_series(r, "frames/goal", PC_RECORD_INT, PEOPLE, 1);
  s->push = pc_record_series(r, "frames/push", PC_RECORD_FLOAT, PEOPLE, 1);
  s->step_time = pc_record_series(r, "steps/time", PC_RECORD_DOUBLE, 1, 1);
  s->step = pc_record_series(r, "steps/step", PC_RECORD_LONG, 1, 1);
  s->inside = pc_record_series(r, "steps/inside", PC_RECORD_INT, 1, 1);
  s->exits = pc_record_ragged(r, "exits", 3, exits);
  declare_maps(r, s);
}

// The first one leaves at 1.45 s; the fourth goes up at 1 s.
static void write_frame(pc_record *r, const series *s, const pc_scene *scene, int frame)
{
  double t = 0.1 * frame;
  int bodies = scene->bodies, walls = bodies - PEOPLE;
  double *x = calloc(13 * (size_t)bodies, sizeof *x), *q = x + 3 * bodies;
  double *v = q + 4 * bodies, *w = v + 3 * bodies;
  uint8_t present[PEOPLE];
  int32_t floor[PEOPLE], goal[PEOPLE];
  double push[PEOPLE];
  for (int b = 0; b < bodies && x != NULL; b++) {
    pc_body_state state;
    pc_body_get(scene->world, (pc_body){b + 1}, &state);
    int p = b - walls;
    for (int i = 0; i < 3; i++)
      x[3 * b + i] = state.position[i];
    q[4 * b] = 1;
    if (p < 0)
      continue;
    present[p] = p > 0 || t < 1.45;
    floor[p] = p >= 4 || (p == 3 && frame >= 10);
    goal[p] = p >= 4;
    push[p] = p * frame;
    if (p == 3 && frame >= 10)
      x[3 * b] += pc_crowd_floor_offset(scene->crowd, 1);
    x[3 * b + 1] += 0.2 * t;
    v[3 * b + 1] = 0.2 * (p + 1);
  }
  if (x != NULL) {
    pc_record_append(r, s->time, &t);
    pc_record_append(r, s->position, x);
    pc_record_append(r, s->orientation, q);
    pc_record_append(r, s->velocity, v);
    pc_record_append(r, s->spin, w);
    pc_record_append(r, s->present, present);
    pc_record_append(r, s->floor, floor);
    pc_record_append(r, s->goal, goal);
    pc_record_append(r, s->push, push);
  }
  free(x);
}

static void write_step(pc_record *r, const series *s, int64_t step)
{
  double t = 0.01 * (double)step, when = 1.45;
  int32_t who = 0, where = 0, inside = t < when ? PEOPLE : PEOPLE - 1;
  const void *columns[] = {&when, &who, &where};
  pc_record_append(r, s->step_time, &t);
  pc_record_append(r, s->step, &step);
  pc_record_append(r, s->inside, &inside);
  pc_record_append_ragged(r, s->exits, step == 145, columns);
}

static void write_maps(pc_record *r, const series *s, int i)
{
  double density[CELLS], speed[CELLS], pressure[CELLS];
  double t = 0.5 * (i + 1);
  for (int c = 0; c < CELLS; c++) {
    density[c] = 0.1 * ((7 * c + 11 * i) % 31);
    speed[c] = c % 5 == 0 ? -1 : 0.25 * ((c + i) % 9);
    pressure[c] = 100 * ((3 * c + 5 * i) % 17);
  }
  pc_record_append(r, s->map_time, &t);
  pc_record_append(r, s->density, density);
  pc_record_append(r, s->speed, speed);
  pc_record_append(r, s->pressure, pressure);
}

int main(int argc, char **argv)
{
  pc_error error = {.status = PC_OK};
  pc_scene scene;
  if (argc != 2) {
    fprintf(stderr, "usage: sample_crowd PATH\n");
    return 2;
  }
  pc_record *r = NULL;
  if (pc_scene_parse("sample.yaml", scene_text, &scene, &error) == PC_OK) {
    r = pc_record_create(argv[1], &error);
    if (r != NULL) {
      series s;
      pc_record_scene(r, &scene);
      declare(r, scene.bodies, &s);
      pc_record_start(r);
      write_frame(r, &s, &scene, 0);
      for (int k = 1; k < FRAMES; k++) {
        for (int i = 1; i <= STEPS; i++)
          write_step(r, &s, (k - 1) * STEPS + i);
        write_frame(r, &s, &scene, k);
      }
      for (int i = 0; i < INTERVALS; i++)
        write_maps(r, &s, i);
      pc_record_close(r, 1, &error);
    }
    pc_scene_free(&scene);
  }
  if (error.status != PC_OK)
    fprintf(stderr, "%s\n", error.text);
  return error.status != PC_OK;
}
