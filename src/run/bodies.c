// The simulation of bodies, with or without a crowd.
#include "run/bodies.h"
#include "run/certify.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/plain.h"
#include "percuss/world_heat.h"
#include "run/crowd_files.h"
#include "run/inputs.h"
#include "run/problems.h"

static const char *error_of(const pc_scene *scene)
{
  return scene->crowd != NULL ? pc_crowd_error(scene->crowd) : pc_world_error(scene->world);
}

static void count_people(const pc_scene *scene, pc_run_summary *s)
{
  s->people = pc_crowd_people(scene->crowd);
  s->inside = pc_crowd_inside(scene->crowd);
  s->waiting = pc_crowd_waiting(scene->crowd);
  s->incapacitated = pc_crowd_incapacitated(scene->crowd);
}

static pc_status begin(pc_simulation *sim, pc_error *error)
{
  const pc_scene *scene = sim->scene;
  pc_bodies_run *b = sim->own = calloc(1, sizeof *b);
  if (b == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  sim->summary->bodies = scene->bodies;
  if (scene->crowd != NULL)
    count_people(scene, sim->summary);
  if (sim->options->threads > 0 && scene->crowd != NULL)
    pc_crowd_set_threads(scene->crowd, sim->options->threads);
  else if (sim->options->threads > 0)
    pc_world_set_threads(scene->world, sim->options->threads);
  size_t n = (size_t)scene->bodies, elements = (size_t)scene->elements;
  b->position = pc_arena_take(&b->memory, 3 * n + 1, sizeof *b->position);
  b->orientation = pc_arena_take(&b->memory, 4 * n + 1, sizeof *b->orientation);
  b->velocity = pc_arena_take(&b->memory, 3 * n + 1, sizeof *b->velocity);
  b->spin = pc_arena_take(&b->memory, 3 * n + 1, sizeof *b->spin);
  b->element_force = pc_arena_take(&b->memory, 3 * elements + 1, sizeof *b->element_force);
  b->element_energy = pc_arena_take(&b->memory, elements + 1, sizeof *b->element_energy);
  if (b->memory.failed || pc_heat_recorder_begin(&b->heat, scene) != PC_OK)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_heat_start(scene, &sim->summary->heat);
  pc_status status = pc_sensors_create(&b->sensors, scene, error);
  if (status == PC_OK && scene->deposit.spacing > 0)
    status = pc_deposit_begin(&b->deposit, scene, error);
  if (status == PC_OK && scene->crowd != NULL && scene->people.maps.spacing > 0)
    status = pc_crowd_maps_begin(&b->maps, scene, error);
  return status == PC_OK ? pc_problems_begin(&sim->options->dump, error) : status;
}

static void free_own(pc_simulation *sim)
{
  pc_bodies_run *b = sim->own;
  if (b == NULL)
    return;
  pc_crowd_recorder_free(&b->crowd);
  pc_rows_free(&b->systems);
  pc_rows_free(&b->hits);
  pc_heat_recorder_free(&b->heat);
  pc_sensors_free(&b->sensors);
  pc_deposit_free(&b->deposit);
  pc_crowd_maps_free(&b->maps);
  pc_arena_free(&b->memory);
  pc_rows_free(&b->contacts);
  free(b);
}

static uint64_t hash(const pc_simulation *sim, uint64_t hash)
{
  const pc_world *world = sim->scene->world;
  for (int i = 0; i < sim->scene->bodies; i++) {
    pc_body body = {i + 1};
    pc_body_state state;
    pc_body_get(world, body, &state);
    double mass = pc_body_get_mass(world, body);
    hash = pc_hash_bytes(hash, &mass, sizeof mass);
    double kelvin = pc_body_get_temperature(world, body);
    if (pc_world_heat(world) != NULL)
      hash = pc_hash_bytes(hash, &kelvin, sizeof kelvin);
    hash = pc_hash_bytes(hash, &state, sizeof state);
  }
  return hash;
}

static int files(const pc_simulation *sim, const pc_run_other *kinds[PC_KIND_FILES])
{
  const pc_scene *scene = sim->scene;
  bool crowd = scene->crowd != NULL, deposit = scene->deposit.spacing > 0;
  const struct {
    bool wanted;
    const pc_run_other *kind;
  } all[] = {{scene->end_table, &pc_run_end_table},
             {deposit, &pc_run_deposit},
             {deposit, &pc_run_outline},
             {crowd && scene->csv, &pc_run_exits},
             {crowd && scene->csv, &pc_run_maps},
             {pc_hits_are_wanted(scene) && scene->csv, &pc_run_hits},
             {scene->people.trajectories, &pc_run_trajectories},
             {scene->people.trajectories, &pc_run_geometry}};
  int count = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].wanted)
      kinds[count++] = all[i].kind;
  return count;
}

static const char *const parts[] = {"world", "filters", "maps", "totals", "peaks", "tallies", NULL};
enum { PART_WORLD, PART_FILTERS, PART_MAPS, PART_TOTALS, PART_PEAKS, PART_TALLIES };

// The world, with the crowd if there is one.
static size_t save_world(const pc_scene *scene, void *buffer, size_t size)
{
  return scene->crowd != NULL ? pc_crowd_save(scene->crowd, buffer, size)
                              : pc_world_save(scene->world, buffer, size);
}

static size_t part_size(const pc_simulation *sim, int part)
{
  const pc_bodies_run *b = sim->own;
  return part == PART_WORLD     ? save_world(sim->scene, NULL, 0)
         : part == PART_TOTALS  ? pc_sensors_save_totals(&b->sensors, NULL)
         : part == PART_PEAKS   ? pc_sensors_save_peaks(&b->sensors, NULL)
         : part == PART_TALLIES ? pc_sensors_save_tallies(&b->sensors, NULL)
         : part == PART_FILTERS ? ((size_t)sim->scene->sensors + 1) * sizeof *b->sensors.memory
                                : pc_crowd_maps_bytes(&b->maps);
}

static void *part_data(const pc_simulation *sim, int part)
{
  pc_bodies_run *b = sim->own;
  return part == PART_FILTERS ? (void *)b->sensors.memory : pc_crowd_maps_state(&b->maps);
}

static size_t save(const pc_simulation *sim, int part, void *buffer)
{
  const pc_bodies_run *b = sim->own;
  size_t size = part_size(sim, part);
  if (buffer != NULL && part == PART_WORLD)
    save_world(sim->scene, buffer, size);
  else if (buffer != NULL && part == PART_TOTALS)
    pc_sensors_save_totals(&b->sensors, buffer);
  else if (buffer != NULL && part == PART_PEAKS)
    pc_sensors_save_peaks(&b->sensors, buffer);
  else if (buffer != NULL && part == PART_TALLIES)
    pc_sensors_save_tallies(&b->sensors, buffer);
  else if (buffer != NULL)
    memcpy(buffer, part_data(sim, part), size);
  return size;
}

static pc_status load(pc_simulation *sim, int part, const void *data, size_t size, pc_error *error)
{
  pc_scene *scene = sim->scene;
  pc_bodies_run *b = sim->own;
  if (part == PART_WORLD) {
    pc_status status = scene->crowd != NULL ? pc_crowd_load(scene->crowd, data, size)
                                            : pc_world_load(scene->world, data, size);
    if (status != PC_OK)
      status = pc_fail(error, status == PC_ERROR_MEMORY ? status : PC_ERROR_INPUT, "%s",
                       error_of(scene));
    return status;
  }
  if (part == PART_TOTALS)
    return pc_sensors_load_totals(&b->sensors, data, size, error);
  if (part == PART_PEAKS)
    return pc_sensors_load_peaks(&b->sensors, data, size, error);
  if (part == PART_TALLIES)
    return pc_sensors_load_tallies(&b->sensors, data, size, error);
  if (size != part_size(sim, part))
    return pc_fail(error, PC_ERROR_INPUT, "written by another version");
  memcpy(part_data(sim, part), data, size);
  return PC_OK;
}

// What is done to the bodies before the step that comes.
static pc_status do_event(const pc_simulation *sim, const pc_scene_event *event, pc_error *error)
{
  pc_world *world = sim->scene->world;
  pc_body_state *states = calloc((size_t)event->count + 1, sizeof *states);
  if (states == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < event->count; i++) {
    pc_body_state *state = states + i;
    double arm[3];
    pc_body_get(world, event->bodies[i], state);
    pc_body_get_arm(world, event->bodies[i], state->orientation, arm);
    for (int k = 0; k < 3; k++) // the shape's origin stays where it is unless it is put elsewhere
      state->position[k] = event->placed ? event->state.position[k] : state->position[k] + arm[k];
    if (event->turned)
      memcpy(state->orientation, event->state.orientation, sizeof state->orientation);
    pc_body_get_arm(world, event->bodies[i], state->orientation, arm);
    for (int k = 0; k < 3; k++)
      state->position[k] -= arm[k];
    if (event->thrown)
      memcpy(state->velocity, event->state.velocity, sizeof state->velocity);
    if (event->spun)
      memcpy(state->spin, event->state.spin, sizeof state->spin);
  }
  pc_status status = pc_world_change(world, event->count, event->bodies, states);
  for (int i = 0; i < event->count && status == PC_OK && event->temperature > 0; i++)
    status = pc_body_set_temperature(world, event->bodies[i], event->temperature);
  free(states);
  return status == PC_OK ? PC_OK : pc_fail(error, status, "%s", pc_world_error(world));
}

// Events are told by the number of the step, so a resumed run does each of them once.
static pc_status do_events(const pc_simulation *sim, pc_error *error)
{
  const pc_scene *scene = sim->scene;
  pc_status status = PC_OK;
  for (int i = 0; i < scene->events && status == PC_OK; i++)
    if (llround(scene->event[i].time / scene->step) == sim->summary->steps)
      status = do_event(sim, scene->event + i, error);
  return status;
}

static bool is_lost(const pc_scene *scene, pc_body body)
{
  pc_body_state state;
  if (pc_body_get_kind(scene->world, body) != PC_FREE)
    return false;
  pc_body_get(scene->world, body, &state);
  for (int c = 0; c < 3; c++) // also for what is not a number
    if (!(state.position[c] >= scene->bounds[c] && state.position[c] <= scene->bounds[3 + c]))
      return true;
  return false;
}

// Lost bodies leave the world. One that an element holds stays: the world refuses.
static void remove_lost(const pc_scene *scene)
{
  for (int i = 1; i <= scene->bodies && scene->removes_lost; i++)
    if (is_lost(scene, (pc_body){i}) && pc_body_is_present(scene->world, (pc_body){i}))
      pc_world_set_present(scene->world, (pc_body){i}, false);
}

static const pc_step_info *info(const pc_simulation *sim)
{
  return pc_world_info(sim->scene->world);
}

// Adds to what has been said of a failure.
static void say_more(pc_error *error, const char *what, const char *which)
{
  pc_error first = *error;
  pc_fail(error, first.status, "%s; %s%s", first.text, what, which);
}

// Where energy grew out of all proportion to that of the start, what failed is but the end of it.
static void tell_growth(const pc_run_summary *s, pc_error *error)
{
  const double far = 1e9;
  double now = s->kinetic + s->stored;
  double start = s->kinetic_start + s->stored_start + fabs(s->potential - s->potential_start);
  double most = 0;
  const char *source = NULL;
  for (int i = 0; i < PC_BALANCE_COUNT; i++) {
    double given = pc_balance[i].run_sign * pc_run_line(s, i);
    if (given > most) {
      most = given;
      source = pc_balance[i].source;
    }
  }
  if (!(now > far * start) || !(now > far * DBL_MIN) || source == NULL)
    return;
  char text[100];
  pc_print(text, sizeof text, "the energy grew from %.3g J at the start to %.3g J, mostly by ",
           s->kinetic_start + s->potential_start + s->stored_start, now + s->potential);
  say_more(error, text, source);
}

static pc_status step(pc_simulation *sim, pc_error *error)
{
  pc_bodies_run *b = sim->own;
  pc_scene *scene = sim->scene;
  if (do_events(sim, error) != PC_OK)
    return error->status;
  remove_lost(scene);
  pc_sensors_before(&b->sensors);
  pc_status status = scene->crowd != NULL ? pc_crowd_step(scene->crowd, scene->step)
                                          : pc_world_step(scene->world, scene->step);
  if (status == PC_OK)
    return PC_OK;
  pc_fail(error, status == PC_ERROR_MEMORY ? status : PC_ERROR_NUMERIC, "at %g s: %s",
          pc_world_time(scene->world), error_of(scene));
  // Where memory ran out the problem is not to blame, and may not be whole.
  if (error->status == PC_ERROR_MEMORY)
    return error->status;
  pc_error reason = {.status = PC_OK};
  char *kept = pc_problems_failed(sim, &reason);
  if (kept != NULL)
    say_more(error, "the impact problem is saved in ", kept);
  else if (reason.status != PC_OK)
    say_more(error, "the impact problem could not be saved: ", reason.text);
  tell_growth(sim->summary, error);
  free(kept);
  return error->status;
}

static pc_status measure_step(pc_simulation *sim, pc_error *error)
{
  pc_bodies_run *b = sim->own;
  const pc_scene *scene = sim->scene;
  pc_run_summary *summary = sim->summary;
  if (scene->crowd != NULL)
    count_people(scene, summary);
  pc_heat_sum(scene, &summary->heat);
  pc_status status = pc_problems_step(sim, error);
  if (status == PC_OK && sim->options->certify)
    status = pc_certify_step(sim->scene->world, &sim->summary->certificate, error);
  if (status == PC_OK)
    status = pc_sensors_after(&b->sensors, scene->step, error);
  if (status != PC_OK)
    return status;
  return pc_bodies_maps(b) != NULL ? pc_crowd_maps_step(&b->maps, scene, sim->record, error)
                                   : PC_OK;
}

// A crowd that runs until it is out is, but for those who cannot walk any more.
static bool over(const pc_simulation *sim)
{
  const pc_scene *scene = sim->scene;
  return scene->crowd != NULL && scene->people.until_empty &&
         pc_crowd_inside(scene->crowd) == pc_crowd_incapacitated(scene->crowd);
}

static int count_lost(const pc_scene *scene)
{
  int lost = 0;
  for (int i = 1; i <= scene->bodies; i++)
    lost += is_lost(scene, (pc_body){i});
  return lost;
}

static void measure_overlap(const pc_scene *scene, pc_run_summary *s)
{
  double radius = INFINITY;
  s->overlap_bodies[0] = s->overlap_bodies[1] = (pc_body){0};
  s->overlap_end = pc_world_overlap(scene->world, s->overlap_bodies, NULL);
  for (int i = 0; i < 2 && s->overlap_bodies[i].id > 0; i++)
    radius = fmin(radius, pc_shape_radius(pc_body_get_shape(scene->world, s->overlap_bodies[i])));
  s->overlap_relative = s->overlap_end / radius;
}

// What was measured of a crowd, and its files, as far as it came. The last interval of the maps may
// be a short one; a run that goes on cuts it off, for its checkpoint does not have it.
static pc_status end_people(pc_simulation *sim, pc_error *error)
{
  pc_bodies_run *b = sim->own;
  const pc_scene *scene = sim->scene;
  const pc_run_files *files = &sim->files;
  pc_crowd_maps *maps = pc_bodies_maps(b);
  pc_status status = PC_OK;
  if (maps != NULL)
    status = pc_crowd_maps_end(maps, scene, sim->record, error);
  pc_crowd_maps_sum(maps, scene, &sim->summary->crowd);
  if (status != PC_OK || files->record == NULL)
    return status;
  if (scene->csv && maps != NULL)
    status = pc_crowd_maps_write(pc_run_file(files, &pc_run_maps), maps, scene, error);
  if (status == PC_OK && scene->csv)
    status = pc_exits_write(pc_run_file(files, &pc_run_exits), scene, error);
  if (status == PC_OK && scene->people.trajectories)
    status = pc_trajectories_write(pc_run_file(files, &pc_run_trajectories), files->record, scene,
                                   (double)sim->frame_steps * scene->step, error);
  if (status == PC_OK && scene->people.trajectories)
    status = pc_geometry_write(pc_run_file(files, &pc_run_geometry), scene, error);
  return status;
}

// Hits that are not over at the end. A run that goes on cuts them off: its checkpoint has them.
static pc_status end_hits(pc_simulation *sim, pc_error *error)
{
  pc_bodies_run *b = sim->own;
  const char *table = pc_run_file(&sim->files, &pc_run_hits);
  pc_status status = PC_OK;
  if (sim->record != NULL)
    status = pc_hits_append(&b->hits, sim->record, &b->sensors.hits.open, sim->scene);
  if (status == PC_OK && sim->record != NULL)
    status = pc_record_flush(sim->record);
  if (status != PC_OK)
    return pc_fail(error, status, "%s", pc_record_error(sim->record));
  return table != NULL ? pc_hits_write(table, sim->files.record, sim->scene, error) : PC_OK;
}

static pc_status finish(pc_simulation *sim, bool fine, pc_error *error)
{
  pc_bodies_run *b = sim->own;
  pc_scene *scene = sim->scene;
  pc_run_summary *summary = sim->summary;
  summary->lost = scene->crowd != NULL ? pc_crowd_lost(scene->crowd) : count_lost(scene);
  pc_sensors_tell(&b->sensors, scene);
  if (!fine)
    return PC_OK;
  pc_status status = PC_OK;
  const char *end = pc_run_file(&sim->files, &pc_run_end_table);
  if (end != NULL && scene->end_table && summary->finished)
    status = pc_end_table_write(end, scene, error);
  if (status == PC_OK && scene->crowd != NULL)
    status = end_people(sim, error);
  if (status == PC_OK && pc_hits_are_wanted(scene))
    status = end_hits(sim, error);
  if (status == PC_OK)
    measure_overlap(scene, summary);
  if (status == PC_OK && summary->finished && scene->deposit.spacing > 0)
    status =
        pc_deposit_measure(&b->deposit, scene, pc_run_file(&sim->files, &pc_run_deposit),
                           pc_run_file(&sim->files, &pc_run_outline), &summary->deposit, error);
  return status;
}

#define BODIES(word)                                                                               \
  {                                                                                                \
    .name = word, .parts = parts, .measures = 2, .begin = begin, .free = free_own, .hash = hash,   \
    .files = files, .step = step, .info = info, .measure_step = measure_step, .over = over,        \
    .save = save, .load = load, .describe = pc_bodies_describe, .declare = pc_bodies_declare,      \
    .frame = pc_bodies_frame, .row = pc_bodies_row, .columns = pc_bodies_columns,                  \
    .xdmf = pc_bodies_xdmf, .finish = finish, .measure = pc_bodies_measure                         \
  }
const pc_simulation_kind pc_bodies_simulation = BODIES("rigid");
const pc_simulation_kind pc_crowd_simulation = BODIES("crowd");
