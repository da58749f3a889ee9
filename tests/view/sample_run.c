// sample_run PATH BOXES FRAMES BYTES: writes a run for the tests of the viewer. Boxes in a cube,
// each swinging about its place and turning, by formulas that a test can check.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/written.h"
#include "percuss/random.h"
#include "run/recorder.h"

enum { SAMPLE_STEPS = 10 };  // steps to a frame
#define SAMPLE_STEP 1e-3     // s
#define SAMPLE_SWING 0.3     // m: x of box i at time t is that at rest + 0.3 sin(2 t + i)
#define SAMPLE_FREQUENCY 2.0 // rad/s

// A scene with that many boxes, on a grid.
static pc_status make_scene(int boxes, pc_scene *scene, pc_error *error)
{
  pc_written file;
  if (!pc_written_begin(&file))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  int side = (int)ceil(cbrt(boxes));
  fprintf(file.to, "kind: rigid\ntitle: %d boxes that swing\nduration: 1\nstep: %g\n", boxes,
          SAMPLE_STEP);
  fprintf(file.to, "materials: [{name: rock, density: 2600}]\n"
                   "obstacles: [{name: ground, shape: {type: plane}}]\n"
                   "shapes: [{name: box, type: box, size: [0.8, 0.7, 0.6]}]\nbodies:\n");
  for (int i = 0; i < boxes; i++)
    fprintf(file.to, "  - {shape: box, position: [%d, %d, %d]}\n", i % side - side / 2,
            i / side % side - side / 2, i / side / side + 1);
  char *text = pc_written_end(&file);
  pc_status status = text != NULL ? pc_scene_parse("sample.yaml", text, scene, error)
                                  : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  free(text);
  return status;
}

typedef struct sample {
  pc_record *record;
  int boxes, bodies; // the ground is the first body
  int time, step, position, orientation, velocity, spin, contacts;
  int step_time, step_number, kinetic, potential, total, audit, residual, step_contacts;
  double *home, *axis, *x, *q, *v, *w;
  int32_t *pair;
  double *point, *percussion;
} sample;

static void declare(sample *s)
{
  pc_record *r = s->record;
  int n = s->bodies;
  static const pc_record_item columns[] = {{"bodies", PC_RECORD_INT, 1, 2, NULL, NULL, NULL},
                                           {"point", PC_RECORD_FLOAT, 1, 3, NULL, NULL, NULL},
                                           {"percussion", PC_RECORD_FLOAT, 1, 3, NULL, NULL, NULL}};
  s->time = pc_record_series(r, "frames/time", PC_RECORD_DOUBLE, 1, 1);
  s->step = pc_record_series(r, "frames/step", PC_RECORD_LONG, 1, 1);
  s->position = pc_record_series(r, "frames/position", PC_RECORD_DOUBLE, n, 3);
  s->orientation = pc_record_series(r, "frames/orientation", PC_RECORD_DOUBLE, n, 4);
  s->velocity = pc_record_series(r, "frames/velocity", PC_RECORD_DOUBLE, n, 3);
  s->spin = pc_record_series(r, "frames/spin", PC_RECORD_DOUBLE, n, 3);
  s->contacts = pc_record_ragged(r, "contacts", 3, columns);
  s->step_time = pc_record_series(r, "steps/time", PC_RECORD_DOUBLE, 1, 1);
  s->step_number = pc_record_series(r, "steps/step", PC_RECORD_LONG, 1, 1);
  s->kinetic = pc_record_series(r, "steps/kinetic_translation", PC_RECORD_DOUBLE, 1, 1);
  s->potential = pc_record_series(r, "steps/potential", PC_RECORD_DOUBLE, 1, 1);
  s->total = pc_record_series(r, "steps/total_dissipated", PC_RECORD_DOUBLE, 1, 1);
  s->audit = pc_record_series(r, "steps/audit", PC_RECORD_DOUBLE, 1, 1);
  s->residual = pc_record_series(r, "steps/residual", PC_RECORD_DOUBLE, 1, 1);
  s->step_contacts = pc_record_series(r, "steps/contacts", PC_RECORD_INT, 1, 1);
}

static bool make_room(sample *s)
{
  size_t n = (size_t)s->bodies;
  s->home = calloc(3 * n, sizeof(double));
  s->axis = calloc(3 * n, sizeof(double));
  s->x = calloc(3 * n, sizeof(double));
  s->v = calloc(3 * n, sizeof(double));
  s->w = calloc(3 * n, sizeof(double));
  s->q = calloc(4 * n, sizeof(double));
  s->pair = calloc(2 * n, sizeof *s->pair);
  s->point = calloc(3 * n, sizeof(double));
  s->percussion = calloc(3 * n, sizeof(double));
  return s->home && s->axis && s->x && s->v && s->w && s->q && s->pair && s->point && s->percussion;
}

static void free_room(sample *s)
{
  void *all[] = {s->home, s->axis, s->x, s->v, s->w, s->q, s->pair, s->point, s->percussion};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
}

// Where the bodies are at a time, and how fast.
static void move(sample *s, double t)
{
  for (int b = 0; b < s->bodies; b++) {
    double phase = SAMPLE_FREQUENCY * t + (b - 1);
    double swing = b == 0 ? 0 : SAMPLE_SWING, rate = b == 0 ? 0 : 0.5 + b % 7;
    double *x = s->x + 3 * b, *v = s->v + 3 * b, *w = s->w + 3 * b, *q = s->q + 4 * b;
    for (int i = 0; i < 3; i++) {
      x[i] = s->home[3 * b + i];
      v[i] = 0;
      w[i] = rate * s->axis[3 * b + i];
      q[1 + i] = sin(0.5 * rate * t) * s->axis[3 * b + i];
    }
    q[0] = cos(0.5 * rate * t);
    x[0] += swing * sin(phase);
    v[0] += swing * SAMPLE_FREQUENCY * cos(phase);
    x[2] += swing * 0.5 * cos(phase);
    v[2] -= swing * 0.5 * SAMPLE_FREQUENCY * sin(phase);
  }
  for (int b = 1; b < s->bodies; b++) { // each on the next
    int other = b + 1 < s->bodies ? b + 1 : 0;
    s->pair[2 * (b - 1)] = b;
    s->pair[2 * (b - 1) + 1] = other;
    for (int i = 0; i < 3; i++)
      s->point[3 * (b - 1) + i] = 0.5 * (s->x[3 * b + i] + s->x[3 * other + i]);
    s->percussion[3 * (b - 1) + 2] = 1 + sin(t + b);
  }
}

static pc_status write_frame(sample *s, long frame)
{
  double t = (double)frame * SAMPLE_STEPS * SAMPLE_STEP;
  int64_t step = frame * SAMPLE_STEPS;
  move(s, t);
  pc_record_append(s->record, s->time, &t);
  pc_record_append(s->record, s->step, &step);
  pc_record_append(s->record, s->position, s->x);
  pc_record_append(s->record, s->orientation, s->q);
  pc_record_append(s->record, s->velocity, s->v);
  pc_record_append(s->record, s->spin, s->w);
  const void *columns[] = {s->pair, s->point, s->percussion};
  return pc_record_append_ragged(s->record, s->contacts, s->boxes, columns);
}

static pc_status write_step(sample *s, int64_t step)
{
  double t = (double)step * SAMPLE_STEP, kinetic = s->boxes * cos(t) * cos(t);
  double potential = s->boxes * sin(t) * sin(t), total = t, audit = 1e-15 * (2 + sin(t));
  double residual = 1e-6 * (2 + cos(3 * t));
  int32_t contacts = s->boxes + (int32_t)(step % 100);
  pc_record_append(s->record, s->step_time, &t);
  pc_record_append(s->record, s->step_number, &step);
  pc_record_append(s->record, s->kinetic, &kinetic);
  pc_record_append(s->record, s->potential, &potential);
  pc_record_append(s->record, s->total, &total);
  pc_record_append(s->record, s->audit, &audit);
  pc_record_append(s->record, s->residual, &residual);
  return pc_record_append(s->record, s->step_contacts, &contacts);
}

static pc_status write_all(sample *s, const char *path, long frames, double bytes)
{
  pc_status status = write_frame(s, 0);
  for (long k = 1; k < frames && status == PC_OK; k++) {
    struct stat file;
    if (bytes > 0 && k % 16 == 0 && stat(path, &file) == 0 && (double)file.st_size >= bytes)
      break;
    for (int i = 1; i <= SAMPLE_STEPS && status == PC_OK; i++)
      status = write_step(s, (k - 1) * SAMPLE_STEPS + i);
    if (status == PC_OK)
      status = write_frame(s, k);
  }
  return status;
}

// Frames are written until there are `frames` of them or the file has `bytes` (0: no limit).
static pc_status write_run(const char *path, int boxes, long frames, double bytes, pc_error *error)
{
  pc_scene scene;
  pc_status status = make_scene(boxes, &scene, error);
  if (status != PC_OK)
    return status;
  sample s = {.boxes = boxes, .bodies = scene.bodies};
  if (!make_room(&s))
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  else if ((s.record = pc_record_create(path, error)) == NULL)
    status = error->status;
  if (status == PC_OK) {
    pc_random random;
    pc_random_seed(&random, 1);
    for (int b = 0; b < s.bodies; b++) {
      pc_body_state state;
      pc_body_get(scene.world, (pc_body){b + 1}, &state);
      double u = pc_random_uniform(&random, -1, 1), a = pc_random_uniform(&random, 0, 6.28);
      for (int i = 0; i < 3; i++)
        s.home[3 * b + i] = state.position[i];
      s.axis[3 * b] = sqrt(1 - u * u) * cos(a);
      s.axis[3 * b + 1] = sqrt(1 - u * u) * sin(a);
      s.axis[3 * b + 2] = u;
    }
    pc_record_scene(s.record, &scene);
    declare(&s);
    pc_record_start(s.record);
    bool whole = write_all(&s, path, frames, bytes) == PC_OK;
    status = pc_record_close(s.record, whole, error);
  }
  free_room(&s);
  pc_scene_free(&scene);
  return status;
}

int main(int argc, char **argv)
{
  pc_error error = {.status = PC_OK};
  if (argc != 5) {
    fprintf(stderr, "usage: sample_run PATH BOXES FRAMES BYTES\n");
    return 2;
  }
  if (write_run(argv[1], atoi(argv[2]), atol(argv[3]), atof(argv[4]), &error) != PC_OK) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  return 0;
}
