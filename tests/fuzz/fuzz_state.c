// States of checkpoints, as somebody would forge them: sound, with right checksums, but for the
// changes that the input says. The first byte chooses a scene (states.h). A state that is refused
// must change nothing that a run needs; one that is taken must be stepped like any other.
#include "edits.h"
#include "fuzz.h"
#include "rigid/world.h"
#include "run/simulation.h"
#include "states.h"

enum { BEFORE = 3, AFTER = 2, PARTS = 6 }; // steps; parts of a checkpoint, at most

typedef struct runner {
  pc_scene scene;
  pc_run_options options;
  pc_run_summary summary;
  pc_simulation simulation;
} runner;

static void begin(runner *r, const char *text)
{
  pc_error error = {.text = ""};
  *r = (runner){.options = {0}};
  must(pc_scene_parse("state.yaml", text, &r->scene, &error) == PC_OK, "the scene", error.text);
  r->simulation = (pc_simulation){.kind = pc_simulation_kind_of(&r->scene),
                                  .scene = &r->scene,
                                  .options = &r->options,
                                  .summary = &r->summary,
                                  .frame_steps = 1};
  must(r->simulation.kind->begin(&r->simulation, &error) == PC_OK, "the start", error.text);
}

static void end(runner *r)
{
  r->simulation.kind->free(&r->simulation);
  pc_scene_free(&r->scene);
}

static pc_status go(runner *r, int steps)
{
  pc_error error = {.text = ""};
  const pc_simulation_kind *kind = r->simulation.kind;
  pc_status status = PC_OK;
  for (int i = 0; i < steps && status == PC_OK; i++) {
    status = kind->step(&r->simulation, &error);
    r->summary.steps += status == PC_OK;
    if (status == PC_OK && kind->measure_step != NULL)
      status = kind->measure_step(&r->simulation, &error);
    if (status == PC_OK && kind->over != NULL && kind->over(&r->simulation))
      break;
  }
  must(status == PC_OK || error.text[0] != 0, "a step", "fails and does not say why");
  return status;
}

static int save(const runner *r, saved_part parts[PARTS])
{
  const pc_simulation *sim = &r->simulation;
  int count = 0;
  for (; sim->kind->parts[count] != NULL; count++) {
    must(count < PARTS, "parts of a checkpoint", "more than there is room for");
    parts[count].size = sim->kind->save(sim, count, NULL);
    parts[count].data = calloc(parts[count].size + 1, 1);
    must(parts[count].data != NULL, "memory", "out of it");
    sim->kind->save(sim, count, parts[count].data);
  }
  return count;
}

// The world is the end of the first part of bodies and crowds.
typedef struct state {
  saved_part parts[PARTS];
  int count;
  size_t world; // bytes; 0: none
} state;

// The state of each scene, made once.
static const state *state_of(int scene)
{
  static state states[SCENES];
  state *made = &states[scene];
  if (made->count == 0) {
    runner r;
    begin(&r, scenes[scene]);
    must(go(&r, BEFORE) == PC_OK, "the scene", "has no steps");
    made->count = save(&r, made->parts);
    if (r.scene.world != NULL)
      made->world =
          r.scene.crowd == NULL ? made->parts[0].size : pc_world_save(r.scene.world, NULL, 0);
    end(&r);
  }
  return made;
}

// Without a crowd a part that has become shorter or longer is the world all the same.
static void seal(const runner *r, size_t world, saved_part *part)
{
  if (r->scene.crowd == NULL && world > 0)
    world = part->size;
  if (world <= part->size && world >= pc_world_sealed())
    pc_world_seal(part->data + part->size - world, world);
}

static void change_all(const runner *r, size_t world, saved_part *parts, int count, tape *t)
{
  while (t->left > 0) {
    unsigned kind = take(t, 1);
    change(&parts[(kind >> 3) % (unsigned)count], t, kind & 7);
  }
  seal(r, world, &parts[0]);
}

static pc_status load(runner *r, const saved_part *parts, int count, bool changed)
{
  pc_error error = {.text = ""};
  const pc_simulation *sim = &r->simulation;
  pc_status status = PC_OK;
  for (int i = 0; i < count && status == PC_OK; i++) {
    // No more than the data, so that a byte too many is seen.
    unsigned char *exact = malloc(parts[i].size > 0 ? parts[i].size : 1);
    must(exact != NULL, "memory", "out of it");
    memcpy(exact, parts[i].data, parts[i].size);
    status = sim->kind->load(&r->simulation, i, exact, parts[i].size, &error);
    free(exact);
  }
  must(status == PC_OK || status == PC_ERROR_INPUT || status == PC_ERROR_MEMORY, "a refused state",
       "has another status");
  must(status == PC_OK || error.text[0] != 0, "a refused state", "has no message");
  must(status == PC_OK || changed, "a sound state", error.text);
  return status;
}

static void step_from(runner *r, const saved_part *parts, int count, bool changed)
{
  pc_error error = {.text = ""};
  if (load(r, parts, count, changed) != PC_OK)
    return;
  r->summary.steps = BEFORE;
  pc_status status = go(r, AFTER);
  saved_part after[PARTS];
  int saved = save(r, after);
  for (int i = 0; i < saved; i++)
    free(after[i].data);
  r->simulation.kind->finish(&r->simulation, status == PC_OK, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  tape t = {data, size};
  int scene = (int)(take(&t, 1) % SCENES);
  saved_part parts[PARTS];
  fuzz_whole_file("state.yaml", NULL, 0); // nothing else is read
  const state *sound = state_of(scene);
  const int count = sound->count;
  runner r;
  begin(&r, scenes[scene]);
  for (int i = 0; i < count; i++) {
    parts[i] = (saved_part){malloc(sound->parts[i].size + 1), sound->parts[i].size};
    must(parts[i].data != NULL, "memory", "out of it");
    memcpy(parts[i].data, sound->parts[i].data, sound->parts[i].size);
  }
  bool changed = t.left > 0;
  change_all(&r, sound->world, parts, count, &t);
  step_from(&r, parts, count, changed);
  end(&r);
  for (int i = 0; i < count; i++)
    free(parts[i].data);
  return 0;
}
