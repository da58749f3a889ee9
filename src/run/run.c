// The loop: step, record, listen, and a checkpoint now and then.
#include "percuss/run.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/error.h"
#include "run/crowd_files.h"
#include "run/deposit.h"
#include "run/end_table.h"
#include "run/inputs.h"
#include "run/problems.h"
#include "run/recorder.h"

// What a checkpoint keeps besides the world and the lengths of the record.
typedef struct run_mark {
  uint64_t scene; // hash of what the world was built from
  long steps, frames, csv_bytes;
  pc_run_summary summary;
} run_mark;

typedef struct run {
  pc_scene *scene;
  const pc_run_options *options;
  pc_run_summary *summary;
  long steps, frame_steps; // of the whole run; between frames
  uint64_t hash;
  pc_sensors sensors;
  pc_deposit_start deposit;
  pc_crowd_maps maps; // of a crowd that has them
  pc_run_files files;
  pc_recorder recorder;
  bool recording;
  double began, last_checkpoint, last_flush; // clock
  double wall_before;                        // of the parts of the run before this one
  double record_s;                           // since the last step
  long first_step;                           // of this part of the run
} run;

// --- the scene's identity -----------------------------------------------------------------------

// The text, and the bodies: files that the scene names may have changed.
static uint64_t hash_scene(const pc_scene *scene)
{
  uint64_t hash = pc_hash_bytes(PC_HASH_START, scene->text, strlen(scene->text));
  if (scene->base_text != NULL)
    hash = pc_hash_bytes(hash, scene->base_text, strlen(scene->base_text));
  if (scene->changes != NULL)
    hash = pc_hash_bytes(hash, scene->changes, strlen(scene->changes));
  for (int i = 0; i < scene->bodies; i++) {
    pc_body body = {i + 1};
    pc_body_state state;
    pc_body_get(scene->world, body, &state);
    double mass = pc_body_get_mass(scene->world, body);
    hash = pc_hash_bytes(hash, &mass, sizeof mass);
    hash = pc_hash_bytes(hash, &state, sizeof state);
  }
  return hash;
}

// --- checkpoints --------------------------------------------------------------------------------

enum { BLOBS = 5 };

// The world, with the crowd if there is one.
static size_t save_world(const pc_scene *scene, void *buffer, size_t size)
{
  return scene->crowd != NULL ? pc_crowd_save(scene->crowd, buffer, size)
                              : pc_world_save(scene->world, buffer, size);
}

static pc_status load_world(const pc_scene *scene, const pc_blob *blob)
{
  return scene->crowd != NULL ? pc_crowd_load(scene->crowd, blob->data, blob->size)
                              : pc_world_load(scene->world, blob->data, blob->size);
}

static const char *error_of(const pc_scene *scene)
{
  return scene->crowd != NULL ? pc_crowd_error(scene->crowd) : pc_world_error(scene->world);
}

static size_t filter_bytes(const run *r)
{
  return ((size_t)r->scene->sensors + 1) * sizeof *r->sensors.memory;
}

static pc_crowd_maps *maps_of(run *r)
{
  return r->maps.steps > 0 ? &r->maps : NULL;
}

// The record first: what a checkpoint speaks of is on the disk before the checkpoint is.
static pc_status write_checkpoint(run *r, pc_error *error)
{
  pc_status status = pc_recorder_flush(&r->recorder, true, error);
  if (status != PC_OK)
    return status;
  int count = pc_record_series_count(r->recorder.record);
  size_t size = save_world(r->scene, NULL, 0);
  void *world = malloc(size);
  long *lengths = calloc((size_t)count + 1, sizeof *lengths);
  if (world == NULL || lengths == NULL) {
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  } else {
    save_world(r->scene, world, size);
    pc_record_lengths(r->recorder.record, lengths);
    run_mark mark;
    memset(&mark, 0, sizeof mark);
    mark.scene = r->hash;
    mark.steps = r->summary->steps;
    mark.frames = r->recorder.frames;
    mark.csv_bytes = r->recorder.csv != NULL ? pc_csv_length(r->recorder.csv) : 0;
    mark.summary = *r->summary;
    pc_blob blobs[] = {{"run", &mark, sizeof mark},
                       {"lengths", lengths, (size_t)count * sizeof *lengths},
                       {"world", world, size},
                       {"filters", r->sensors.memory, filter_bytes(r)},
                       {"maps", pc_crowd_maps_state(&r->maps), pc_crowd_maps_bytes(&r->maps)}};
    status = pc_checkpoint_write(r->files.checkpoint, BLOBS, blobs, error);
  }
  free(world);
  free(lengths);
  r->last_checkpoint = r->last_flush = pc_clock_seconds();
  return status;
}

static pc_status load_checkpoint(run *r, const pc_blob *blobs, pc_error *error)
{
  run_mark mark;
  const char *path = r->files.checkpoint;
  if (blobs[0].size != sizeof mark)
    return pc_fail(error, PC_ERROR_INPUT, "%s: written by another version", path);
  memcpy(&mark, blobs[0].data, sizeof mark);
  if (mark.scene != r->hash)
    return pc_fail(error, PC_ERROR_INPUT,
                   "%s is of another scene: a run goes on only with the scene it started with",
                   path);
  if (blobs[3].size != filter_bytes(r) || blobs[4].size != pc_crowd_maps_bytes(&r->maps))
    return pc_fail(error, PC_ERROR_INPUT, "%s: written by another version", path);
  if (mark.steps > r->steps)
    return pc_fail(error, PC_ERROR_INPUT,
                   "%s has %ld steps already, more than the %ld that are asked for", path,
                   mark.steps, r->steps);
  if (load_world(r->scene, &blobs[2]) != PC_OK)
    return pc_fail(error, PC_ERROR_INPUT, "%s: %s", path, error_of(r->scene));
  memcpy(r->sensors.memory, blobs[3].data, blobs[3].size);
  memcpy(pc_crowd_maps_state(&r->maps), blobs[4].data, blobs[4].size);
  *r->summary = mark.summary;
  r->wall_before = mark.summary.wall_s;
  pc_record_mark lengths = {.count = (int)(blobs[1].size / sizeof(long)),
                            .lengths = blobs[1].data,
                            .frames = mark.frames,
                            .csv_bytes = mark.csv_bytes};
  pc_status status = pc_recorder_start(&r->recorder, r->scene, &r->files, maps_of(r),
                                       r->frame_steps, &lengths, error);
  r->recording = status == PC_OK;
  return status;
}

static pc_status resume(run *r, pc_error *error)
{
  pc_blob blobs[BLOBS] = {{"run", NULL, 0},
                          {"lengths", NULL, 0},
                          {"world", NULL, 0},
                          {"filters", NULL, 0},
                          {"maps", NULL, 0}};
  pc_status status = pc_checkpoint_read(r->files.checkpoint, BLOBS, blobs, error);
  if (status == PC_ERROR_IO)
    return pc_fail(error, PC_ERROR_INPUT, "%s cannot be read: there is no run to go on with",
                   r->files.checkpoint);
  if (status == PC_OK)
    status = load_checkpoint(r, blobs, error);
  for (int i = 0; i < BLOBS; i++)
    free(blobs[i].data);
  return status;
}

// A new run has its first checkpoint before its first step.
static pc_status start(run *r, pc_error *error)
{
  pc_status status =
      pc_recorder_start(&r->recorder, r->scene, &r->files, maps_of(r), r->frame_steps, NULL, error);
  if (status != PC_OK)
    return status;
  r->recording = true;
  status = pc_recorder_frame(&r->recorder, 0, error);
  return status == PC_OK ? write_checkpoint(r, error) : status;
}

// --- the loop -----------------------------------------------------------------------------------

// What laws and elements do wrong is judged against all that was turned over.
static void add_energies(pc_run_summary *s, const pc_step_info *info)
{
  double works = info->work_gravity + info->work_forces + info->work_elements +
                 info->work_prescribed - info->dissipated;
  s->kinetic = info->kinetic_translation + info->kinetic_rotation;
  s->potential = info->potential;
  s->stored = info->stored;
  s->dissipated = info->total_dissipated;
  s->correction = info->total_correction;
  s->drift = info->drift;
  s->asleep = info->asleep;
  s->frozen = info->total_frozen;
  s->stored_error = info->total_stored_error;
  s->given_by_events = info->total_given;
  s->given_by_laws += fmax(0, -info->dissipated);
  s->separating = info->total_separating;
  if (s->steps == 1)
    s->turnover = fabs(s->kinetic - works); // of the start
  s->turnover += fabs(info->work_gravity) + fabs(info->work_forces) + fabs(info->work_elements) +
                 fabs(info->work_prescribed) + fabs(info->dissipated) + fabs(info->given);
}

static void count_people(const pc_scene *scene, pc_run_summary *s)
{
  s->people = pc_crowd_people(scene->crowd);
  s->inside = pc_crowd_inside(scene->crowd);
  s->waiting = pc_crowd_waiting(scene->crowd);
}

static void add_to_summary(run *r)
{
  const pc_step_info *info = pc_world_info(r->scene->world);
  pc_run_summary *s = r->summary;
  s->steps++;
  s->time = info->time;
  s->contacts_total += info->contacts;
  s->contacts_largest = info->contacts > s->contacts_largest ? info->contacts : s->contacts_largest;
  s->steps_inaccurate += info->status != PC_SOLVED;
  s->steps_open += !info->closed;
  s->residual_largest = fmax(s->residual_largest, info->residual);
  s->audit_largest = fmax(s->audit_largest, info->audit);
  s->deepest = fmax(s->deepest, info->deepest);
  add_energies(s, info);
  if (r->scene->crowd != NULL)
    count_people(r->scene, s);
  s->detection_s += info->detection_s;
  s->solve_s += info->solve_s;
  s->wall_s = r->wall_before + pc_clock_seconds() - r->began;
}

static pc_status record(run *r, pc_error *error)
{
  double before = pc_clock_seconds();
  pc_status status = pc_recorder_step(&r->recorder, &r->sensors, r->record_s, error);
  if (status == PC_OK && r->summary->steps % r->frame_steps == 0) {
    status = pc_recorder_frame(&r->recorder, r->summary->steps, error);
    if (status == PC_OK && before - r->last_flush > 1) { // for those who watch
      status = pc_recorder_flush(&r->recorder, false, error);
      r->last_flush = before;
    }
  }
  double every = r->scene->checkpoint_every;
  if (status == PC_OK && every > 0 && before - r->last_checkpoint > every)
    status = write_checkpoint(r, error);
  r->record_s = pc_clock_seconds() - before;
  r->summary->record_s += r->record_s;
  return status;
}

// What is done to the bodies before the step that comes.
static pc_status do_event(const run *r, const pc_scene_event *event, pc_error *error)
{
  pc_world *world = r->scene->world;
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
  free(states);
  return status == PC_OK ? PC_OK : pc_fail(error, status, "%s", pc_world_error(world));
}

// Events are told by the number of the step, so a resumed run does each of them once.
static pc_status do_events(const run *r, pc_error *error)
{
  const pc_scene *scene = r->scene;
  pc_status status = PC_OK;
  for (int i = 0; i < scene->events && status == PC_OK; i++)
    if (llround(scene->event[i].time / scene->step) == r->summary->steps)
      status = do_event(r, scene->event + i, error);
  return status;
}

static pc_status step(run *r, pc_error *error)
{
  pc_world *world = r->scene->world;
  if (do_events(r, error) != PC_OK)
    return error->status;
  pc_sensors_before(&r->sensors);
  pc_status status = r->scene->crowd != NULL ? pc_crowd_step(r->scene->crowd, r->scene->step)
                                             : pc_world_step(world, r->scene->step);
  if (status != PC_OK)
    pc_problems_step(&r->options->dump, r->scene, r->summary->steps + 1, true, r->summary, NULL);
  if (status != PC_OK)
    return pc_fail(error, status == PC_ERROR_MEMORY ? status : PC_ERROR_NUMERIC, "at %g s: %s",
                   pc_world_time(world), error_of(r->scene));
  add_to_summary(r);
  status =
      pc_problems_step(&r->options->dump, r->scene, r->summary->steps, false, r->summary, error);
  if (status != PC_OK)
    return status;
  if (!isfinite(r->summary->kinetic))
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "at %g s: the velocities are no longer finite; try a smaller step",
                   pc_world_time(world));
  pc_sensors_after(&r->sensors, r->scene->step);
  if (maps_of(r) != NULL)
    status =
        pc_crowd_maps_step(&r->maps, r->scene, r->recording ? r->recorder.record : NULL, error);
  if (status != PC_OK)
    return status;
  return r->recording ? record(r, error) : PC_OK;
}

// False when the listener wants to stop.
static bool listen(const run *r)
{
  if (r->options->listener == NULL)
    return true;
  double elapsed = pc_clock_seconds() - r->began;
  long done = r->summary->steps - r->first_step;
  pc_run_progress progress = {.time = r->summary->time,
                              .duration = (double)r->steps * r->scene->step,
                              .step = r->summary->steps,
                              .steps = r->steps,
                              .elapsed_s = elapsed,
                              .left_s = -1,
                              .info = pc_world_info(r->scene->world)};
  if (elapsed > 0)
    progress.rate = (double)done / elapsed;
  if (elapsed > 0.3 && done > 2)
    progress.left_s = (double)(r->steps - r->summary->steps) / progress.rate;
  return r->options->listener(r->options->context, &progress);
}

static int count_lost(const pc_scene *scene)
{
  int lost = 0;
  for (int i = 0; i < scene->bodies; i++) {
    pc_body_state state;
    pc_body body = {i + 1};
    if (pc_body_get_kind(scene->world, body) != PC_FREE)
      continue;
    pc_body_get(scene->world, body, &state);
    bool inside = true;
    for (int c = 0; c < 3; c++) // also false for what is not a number
      inside = inside && state.position[c] >= scene->bounds[c] &&
               state.position[c] <= scene->bounds[3 + c];
    lost += !inside;
  }
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

// The last step is done, or a crowd that runs until it is out is.
static bool is_over(const run *r)
{
  const pc_scene *scene = r->scene;
  return r->summary->steps >= r->steps ||
         (scene->crowd != NULL && scene->people.until_empty && pc_crowd_inside(scene->crowd) == 0);
}

static pc_status loop(run *r, pc_error *error)
{
  pc_status status = PC_OK;
  bool wanted = listen(r);
  while (status == PC_OK && wanted && !is_over(r)) {
    status = step(r, error);
    wanted = status == PC_OK && listen(r);
  }
  r->summary->lost =
      r->scene->crowd != NULL ? pc_crowd_lost(r->scene->crowd) : count_lost(r->scene);
  r->summary->finished = status == PC_OK && is_over(r);
  return status;
}

// --- the run ------------------------------------------------------------------------------------

// What the run would write must not be what the scene is read from.
static pc_status check_files(const run *r, pc_error *error)
{
  const pc_scene *scene = r->scene;
  const pc_run_files *files = &r->files;
  const char *written[] = {files->record,
                           files->checkpoint,
                           scene->csv ? files->csv : NULL,
                           scene->xdmf ? files->xdmf : NULL,
                           scene->end_table ? files->end : NULL,
                           scene->deposit.spacing > 0 ? files->deposit : NULL,
                           scene->deposit.spacing > 0 ? files->outline : NULL,
                           scene->crowd != NULL && scene->csv ? files->exits : NULL,
                           scene->crowd != NULL && scene->csv ? files->maps : NULL,
                           scene->people.trajectories ? files->trajectories : NULL};
  pc_status status = PC_OK;
  for (size_t i = 0; i < sizeof written / sizeof *written && status == PC_OK; i++)
    if (written[i] != NULL)
      status = pc_run_spare_inputs(scene, written[i], error);
  return status;
}

static pc_status prepare(run *r, pc_error *error)
{
  pc_scene *scene = r->scene;
  double steps = ceil(scene->duration / scene->step * (1 - 1e-12) - 1e-9);
  if (!(scene->step > 0 && steps >= 0 && steps < 1e15))
    return pc_fail(error, PC_ERROR_ARGUMENT, "step and duration must be positive");
  r->steps = (long)steps;
  r->frame_steps = (long)fmax(1, round(scene->frame_every / scene->step));
  r->hash = hash_scene(scene);
  if (scene->crowd != NULL)
    count_people(scene, r->summary);
  if (r->options->threads > 0 && scene->crowd != NULL)
    pc_crowd_set_threads(scene->crowd, r->options->threads);
  else if (r->options->threads > 0)
    pc_world_set_threads(scene->world, r->options->threads);
  const char *output = r->options->output;
  if (output == NULL && r->options->resume)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a run without an output cannot be resumed");
  pc_status status = pc_sensors_create(&r->sensors, scene, error);
  if (status == PC_OK && scene->deposit.spacing > 0)
    status = pc_deposit_begin(&r->deposit, scene, error);
  if (status == PC_OK && scene->crowd != NULL && scene->people.maps.spacing > 0)
    status = pc_crowd_maps_begin(&r->maps, scene, error);
  if (status == PC_OK && output != NULL && !pc_run_files_name(&r->files, output))
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK && output != NULL)
    status = check_files(r, error);
  return status == PC_OK ? pc_problems_begin(&r->options->dump, error) : status;
}

// What was measured of a crowd, and its files, as far as it came. The last interval of the maps may
// be a short one; a run that goes on cuts it off, for its checkpoint does not have it.
static pc_status end_people(run *r, pc_error *error)
{
  const pc_scene *scene = r->scene;
  pc_status status = PC_OK;
  if (maps_of(r) != NULL)
    status = pc_crowd_maps_end(&r->maps, scene, r->recording ? r->recorder.record : NULL, error);
  pc_crowd_maps_sum(maps_of(r), scene, &r->summary->crowd);
  if (status != PC_OK || !r->recording)
    return status;
  if (scene->csv && maps_of(r) != NULL)
    status = pc_crowd_maps_write(r->files.maps, &r->maps, scene, error);
  if (status == PC_OK && scene->csv)
    status = pc_exits_write(r->files.exits, scene, error);
  if (status == PC_OK && scene->people.trajectories)
    status = pc_trajectories_write(r->files.trajectories, r->files.record, scene,
                                   (double)r->frame_steps * scene->step, error);
  return status;
}

pc_status pc_run_scene(pc_scene *scene, const pc_run_options *options, pc_run_summary *summary,
                       pc_error *error)
{
  *summary = (pc_run_summary){.bodies = scene->bodies};
  run r = {.scene = scene, .options = options, .summary = summary, .began = pc_clock_seconds()};
  r.last_checkpoint = r.last_flush = r.began;
  pc_status status = prepare(&r, error);
  if (status == PC_OK && options->resume)
    status = resume(&r, error);
  else if (status == PC_OK && options->output != NULL)
    status = start(&r, error);
  r.first_step = summary->steps;
  if (status == PC_OK)
    status = loop(&r, error);
  if (status == PC_OK && r.recording)
    status = write_checkpoint(&r, error);
  if (status == PC_OK && r.recording && scene->end_table && summary->finished)
    status = pc_end_table_write(r.files.end, scene, error);
  if (status == PC_OK && scene->crowd != NULL)
    status = end_people(&r, error);
  summary->overlap_end = summary->overlap_relative = NAN;
  if (status == PC_OK)
    measure_overlap(scene, summary);
  if (status == PC_OK && summary->finished && scene->deposit.spacing > 0)
    status = pc_deposit_measure(&r.deposit, scene, r.files.deposit, r.files.outline,
                                &summary->deposit, error);
  if (r.recording) {
    int complete = status != PC_OK ? 0 : summary->finished ? 1 : 2;
    pc_status closed = pc_recorder_close(&r.recorder, complete, status == PC_OK ? error : NULL);
    status = status == PC_OK ? closed : status;
  }
  summary->finished = summary->finished && status == PC_OK;
  summary->wall_s = r.wall_before + pc_clock_seconds() - r.began;
  pc_sensors_tell(&r.sensors, scene);
  pc_sensors_free(&r.sensors);
  pc_deposit_free(&r.deposit);
  pc_crowd_maps_free(&r.maps);
  pc_run_files_free(&r.files);
  return status;
}
