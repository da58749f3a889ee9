// The tables of what files may say, held against what the readers do: for every mapping there are
// examples below, and for every key of every table they are changed in all the ways in which the
// table can be wrong.
#include "support.h"

#include <string.h>
#include <unistd.h>

#include "crowd/crowd.h"
#include "folder.h"
#include "geometry/pose.h"
#include "geometry/shape.h"
#include "percuss/scene.h"
#include "percuss/world_heat.h"
#include "rigid/world.h"
#include "scene/continuum.h"
#include "scene/schema.h"
#include "scene/text.h"
#include "scene_examples.h"

enum { TEXT = 4000, VALUE = 400 };

// The example without this key (NULL: with all), and with it again if a value is given.
static void compose(const scene_example *e, const char *key, const char *value, char *text)
{
  size_t length, name;
  const char *place = strchr(e->around, '@');
  FILE *to = fmemopen(text, TEXT, "w");
  fprintf(to, "%.*s{", (int)(place - e->around), e->around);
  const char *comma = "";
  for (const char *at = e->keys; (at = scene_example_pair(at, &length, &name)) != NULL;
       at += length) {
    if (key != NULL && name == strlen(key) && strncmp(at, key, name) == 0)
      continue;
    fprintf(to, "%s%.*s", comma, (int)length, at);
    comma = ", ";
  }
  if (key != NULL && value != NULL)
    fprintf(to, "%s%s: %s", comma, key, value);
  fprintf(to, "}%s", place + 1);
  fputc(0, to);
  assert_int_equal(fclose(to), 0);
}

static void print_numbers(FILE *to, const double *numbers, int count)
{
  for (int i = 0; i < count; i++)
    fprintf(to, "%.17g ", numbers[i]);
}

static void print_law(FILE *to, const pc_law *law)
{
  fprintf(to, "law %d %d ", law->normal.kind, law->tangential.kind);
  print_numbers(to, (double[]){law->normal.k, law->normal.k0, law->normal.e, law->normal.u_lim}, 4);
  if (law->normal.kind == PC_NORMAL_POWER)
    print_numbers(to, &law->normal.p, 1);
  print_numbers(to, (double[]){law->tangential.k, law->tangential.mu[0]}, 2);
  if (law->tangential.kind == PC_TANGENTIAL_COULOMB)
    fprintf(to, "on %d ", law->tangential.on);
  if (law->tangential.anisotropic) {
    print_numbers(to, law->tangential.mu, 2);
    print_numbers(to, law->tangential.axis, 3);
  }
  fprintf(to, "\n");
}

static void print_views(FILE *to, const pc_scene *scene)
{
  fprintf(to, "views %s ", scene->views != NULL ? scene->views : "-");
}

static void print_states(FILE *to, const pc_world *world)
{
  for (int i = 0; i < pc_world_bodies(world); i++) {
    pc_body_state state;
    pc_body_get(world, (pc_body){i + 1}, &state);
    print_numbers(to, state.position, 3);
    print_numbers(to, state.orientation, 4);
    print_numbers(to, state.velocity, 3);
    print_numbers(to, state.spin, 3);
    double kelvin = pc_body_get_temperature(world, (pc_body){i + 1});
    if (pc_world_heat(world) != NULL)
      print_numbers(to, &kelvin, 1);
    fprintf(to, "\n");
  }
}

// All that a scene says, and how its world moves.
static void print_rigid(FILE *to, pc_scene *scene)
{
  pc_world *world = scene->world;
  const pc_world_def *def = pc_world_definition(world);
  fprintf(to, "%d %d %d %d %s %d %d ", def->dimension, def->treatment, def->looks,
          def->constant_spin, def->solver, def->max_iterations,
          def->threads > 1 ? def->threads : 1); // 0 is one
  print_numbers(to, def->gravity, 3);
  print_numbers(to,
                (double[]){def->push_out, def->penalty, def->rest_speed, def->tolerance,
                           def->sleep_after, def->sleep_speed},
                6);
  fprintf(to, "%d%d%d%d runs %d ", scene->record_contacts, scene->csv, scene->xdmf,
          scene->end_table, scene->plan.members);
  print_numbers(to,
                (double[]){scene->duration, scene->step, scene->frame_every,
                           scene->checkpoint_every, scene->deposit.spacing, scene->deposit.thinnest,
                           scene->deposit.rest_speed},
                7);
  print_numbers(to, scene->bounds, 6);
  print_views(to, scene);
  for (int i = 0; i < scene->sensors; i++)
    fprintf(to, "sensor %s %d %d %d %g %d %g ", scene->sensor[i].name, scene->sensor[i].kind,
            scene->sensor[i].along, scene->sensor[i].source, scene->sensor[i].cutoff,
            scene->sensor[i].by_count, scene->sensor[i].pause);
  print_law(to, &world->materials.default_law);
  for (int i = 0; i < world->materials.pair.count; i++)
    print_law(to, &world->materials.pair.at[i].law);
  for (int i = 0; i < pc_world_bodies(world); i++) {
    static const double here[3], upright[4] = {1};
    pc_pose pose = pc_pose_of(here, upright);
    double box[6];
    pc_shape_bounds(pc_body_get_shape(world, (pc_body){i + 1}), &pose, box);
    fprintf(to, "body %s %d %d ", scene->names[i], world->bodies.solid.at[i].material,
            world->bodies.solid.at[i].turns);
    print_numbers(to, box, 6);
    print_numbers(to, &world->bodies.solid.at[i].mass, 1);
    print_numbers(to, world->bodies.solid.at[i].form->inertia, 9);
  }
  print_states(to, world);
  for (int i = 0; i < 20; i++) {
    fprintf(to, "%d ", pc_world_step(world, scene->step));
    print_states(to, world);
  }
}

static void print_points(FILE *to, int count, const double (*points)[2])
{
  fprintf(to, "%d: ", count);
  for (int i = 0; i < count; i++)
    print_numbers(to, points[i], 2);
}

static void print_building(FILE *to, const pc_crowd *crowd)
{
  for (int f = 0; f < crowd->floors.count; f++) {
    const pc_floor *floor = &crowd->floors.at[f];
    const pc_layout *plan = &floor->plan;
    for (int i = 0; i < plan->outlines.count; i++) {
      fprintf(to, "outline %d ", plan->outlines.at[i].kind);
      print_points(to, plan->outlines.at[i].count,
                   (const double(*)[2])plan->points.at + plan->outlines.at[i].first);
    }
    for (int i = 0; i < plan->discs.count; i++)
      print_numbers(to, plan->discs.at[i], 3);
    for (int i = 0; i < floor->zones.count; i++) {
      print_points(to, floor->zones.at[i].count, (const double(*)[2])floor->zones.at[i].point);
      print_numbers(to, &floor->zones.at[i].speed, 1);
    }
  }
  for (int i = 0; i < crowd->targets.count; i++) {
    fprintf(to, "goal %d %d %d ", crowd->targets.at[i].kind, crowd->targets.at[i].floor,
            crowd->targets.at[i].at_front);
    print_points(to, crowd->targets.at[i].count, (const double(*)[2])crowd->targets.at[i].point);
  }
  for (int i = 0; i < crowd->doors.count; i++) {
    const pc_door *door = &crowd->doors.at[i];
    fprintf(to, "door %d %d ", door->floor, door->awaited);
    print_points(to, door->count, (const double(*)[2])door->point);
    print_numbers(to, (double[]){door->opens, door->closes}, 2);
  }
  for (int i = 0; i < crowd->signs.count; i++) {
    const pc_sign_def *sign = &crowd->signs.at[i];
    fprintf(to, "sign %d %d %d ", sign->floor, sign->goal, sign->lit);
    print_numbers(to, sign->place, 2);
  }
  for (int i = 0; i < crowd->hazards.count; i++) {
    const pc_hazard_def *hazard = &crowd->hazards.at[i];
    fprintf(to, "hazard %d %d ", hazard->floor, hazard->nodes[1]);
    print_points(to, hazard->count, hazard->points);
    print_numbers(to, hazard->value, PC_HAZARDS);
    print_numbers(to, (double[]){hazard->from, hazard->until}, 2);
  }
}

// All that a crowd is, and how it walks.
static void print_crowd(FILE *to, pc_scene *scene)
{
  const pc_crowd_def *def = &scene->crowd->def;
  print_views(to, scene);
  fprintf(to, "runs %d %d %d %d %d %d%d%d%d%d%d ", scene->plan.members, def->treatment,
          def->first_order, def->max_iterations, def->threads > 1 ? def->threads : 1,
          scene->record_contacts, scene->csv, scene->xdmf, scene->people.trajectories,
          scene->people.until_empty, def->social.sideways);
  print_numbers(to,
                (double[]){def->stiffness,
                           def->spacing,
                           def->inset,
                           def->reluctance,
                           def->clearance,
                           def->tolerance,
                           def->walking.model,
                           def->walking.densest,
                           def->walking.rate,
                           def->walking.anticipation,
                           def->walking.headway,
                           def->social.strength,
                           def->social.range,
                           def->social.anisotropy,
                           scene->duration,
                           scene->step,
                           scene->frame_every,
                           scene->checkpoint_every,
                           def->turning.stiffness,
                           def->turning.damping,
                           def->congestion,
                           def->choosing,
                           def->sight,
                           def->avoidance,
                           def->contrast,
                           def->dose,
                           scene->people.maps.spacing,
                           scene->people.maps.every,
                           scene->people.lanes.axis,
                           scene->people.lanes.width,
                           def->load_window},
                31);
  fprintf(to, "%d%d ", def->dissipative, def->looks_again);
  print_law(to, &def->law);
  print_law(to, &def->wall_law);
  print_building(to, scene->crowd);
  for (int i = 0; i < pc_crowd_people(scene->crowd); i++) {
    pc_person_def p = pc_crowd_person_def(scene->crowd, i);
    fprintf(to, "person %s %d %d %d ", scene->names[pc_crowd_body(scene->crowd, i).id - 1], p.floor,
            pc_heading(&scene->crowd->person[i]), p.straight);
    fprintf(to, "%d ", pc_ability(&p));
    fprintf(to, "%llu ", (unsigned long long)scene->crowd->person[i].unknown);
    print_numbers(to,
                  (double[]){p.position[0], p.position[1], p.velocity[0], p.velocity[1], p.radius,
                             p.mass, p.speed, p.stairs_speed, p.relaxation, p.response, p.arrival,
                             p.orientation},
                  12);
  }
  for (int i = 0; i < scene->crowd->groups.count; i++) {
    const pc_group_def *g = &scene->crowd->groups.at[i];
    fprintf(to, "group %d %d ", g->kind, g->count);
    print_numbers(
        to, (double[]){g->gaze, g->attraction, g->repulsion, g->spacing, g->distance, g->rate}, 6);
  }
  for (int i = 0; i < scene->crowd->passages.count; i++)
    fprintf(to, "stairs %d %d %d %d ", scene->crowd->passages.at[i].ramp,
            scene->crowd->passages.at[i].floor[0], scene->crowd->passages.at[i].floor[1],
            scene->crowd->passages.at[i].both_ways);
  for (int i = 0; i < scene->crowd->lifts.count; i++) {
    const pc_lift *lift = &scene->crowd->lifts.at[i];
    const pc_lift_def *of = &lift->def;
    fprintf(to, "lift %d %d %d %d ", of->landings, of->capacity, of->start, of->highest);
    print_numbers(
        to, (double[]){of->speed, of->acceleration, of->doors, of->transfer, of->dwell, of->wait},
        6);
    for (int k = 0; k < of->landings; k++) {
      fprintf(to, "%d ", lift->landing[k].floor);
      print_numbers(to, lift->landing[k].line[0], 4);
      print_numbers(to, &lift->landing[k].height, 1);
    }
  }
  for (int i = 0; i < scene->crowd->plans.count; i++)
    for (int k = 0; k < scene->crowd->plans.at[i].count; k++) {
      const pc_stage *stage = &scene->crowd->plans.at[i].stage[k];
      fprintf(to, "stage %d %d ", stage->goal, stage->arrived);
      print_numbers(to, (double[]){stage->until, stage->pause}, 2);
    }
  for (int i = 0; i < 20; i++) {
    fprintf(to, "%d ", pc_crowd_step(scene->crowd, scene->step));
    print_states(to, scene->world);
  }
}

static void print_impact(FILE *to, pc_scene_impact *scene)
{
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  options.quasi_static = scene->quasi_static;
  fprintf(to, "%d %d ", scene->quasi_static, scene->bodies);
  fprintf(to, "%d ", pc_impact_solve(scene->problem, &options, &info));
  for (int i = 0; i < scene->bodies; i++) {
    double velocity[6] = {0};
    print_numbers(to, scene->before[i], 6);
    pc_impact_velocity(scene->problem, i, velocity);
    print_numbers(to, velocity, 6);
  }
  if (scene->heat != NULL) {
    pc_heat_result after[64] = {{0}};
    fprintf(to, "%d ", pc_scene_impact_heat(scene, after, NULL, NULL));
    for (int i = 0; i < scene->bodies; i++)
      print_numbers(to, &after[i].temperature, 1);
  }
}

static void print_identification(FILE *to, pc_scene_identification *scene)
{
  double start[PC_MAX_UNKNOWNS], predicted[64] = {0};
  for (int i = 0; i < scene->problem.unknowns; i++) {
    const pc_unknown *unknown = scene->problem.unknown + i;
    start[i] = unknown->start;
    print_numbers(to, (double[]){unknown->start, unknown->low, unknown->high}, 3);
  }
  print_numbers(to, &scene->problem.sigma, 1);
  pc_error error = {.text = ""};
  fprintf(to, "%d ", scene->problem.predict(scene->problem.context, start, predicted, &error));
  print_numbers(to, predicted, scene->problem.measurements);
}

static void print_chain(FILE *to, const pc_scene *file)
{
  const pc_scene_chain *scene = file->chain;
  const pc_chain *chain = &scene->chain;
  int n = chain->balls, contacts = pc_chain_contacts(chain);
  double *after = calloc((size_t)n, sizeof *after);
  pc_chain_answer answer = {.velocity = after};
  pc_chain_options options = pc_chain_options_default();
  options.duration = scene->duration;
  options.tolerance = 1e-6;
  fprintf(to, "%s %d %d %d %d ", file->title != NULL ? file->title : "-", scene->law.kind,
          chain->wall_left, chain->wall_right, scene->bounds);
  print_numbers(to, (double[]){chain->exponent, chain->press, scene->duration}, 3);
  fprintf(to, "%d %d %d ", file->plan.members, file->csv, file->xdmf);
  print_numbers(
      to, (double[]){file->duration, file->step, file->frame_every, file->checkpoint_every}, 4);
  for (int i = 0; i < contacts; i++)
    print_numbers(to, &chain->contact[i].stiffness, 3);
  print_numbers(to, chain->mass, n);
  print_numbers(to, chain->velocity, n);
  if (n < 100) {
    fprintf(to, "%d ", pc_chain_solve(chain, &scene->law, &options, &answer, NULL));
    print_numbers(to, after, n);
  }
  free(after);
}

static void print_heat(FILE *to, const pc_continuum *c)
{
  for (int i = 0; i < c->thermal.media; i++) {
    const pc_fe_thermal_medium *m = &c->thermal.medium[i];
    fprintf(to, "heat %d %d ", m->group, m->phases);
    print_numbers(to,
                  (double[]){m->capacity, m->conduct, m->latent, m->change, m->resist, m->spread,
                             m->spread_change, m->diffuse},
                  8);
  }
  for (int i = 0; i < c->mesh.nodes && i < 1000; i++) {
    print_numbers(to, &c->temperature[i], 1);
    print_numbers(to, c->fraction[i], PC_FE_FRACTIONS);
  }
  for (int i = 0; i < c->thermal.contacts; i++)
    print_numbers(to, &c->thermal.contact[i].exchange, 1);
  for (int i = 0; i < c->thermal.surfaces; i++) {
    const pc_fe_thermal_side *s = &c->thermal.side[i];
    fprintf(to, "surface %d %d ", s->sides, s->given);
    print_numbers(to, (double[]){s->capacity, s->exchange, s->outside}, 3);
  }
}

static void print_push(FILE *to, const pc_fe_push *p)
{
  fprintf(to, "push %d %d ", p->place, p->group);
  print_numbers(to, p->point, 2);
  print_numbers(to, p->percussion, 2);
  print_numbers(to, (double[]){p->heat, p->entropy, p->has_entropy}, 3);
  print_numbers(to, p->work, 3);
}

static void print_continuum(FILE *to, const pc_scene *file)
{
  const pc_continuum *c = file->continuum;
  const pc_fe_mesh *mesh = &c->mesh;
  fprintf(to, "%s %d %d %d runs %d ", file->title != NULL ? file->title : "-", mesh->dimension,
          file->csv, file->xdmf, file->plan.members);
  print_views(to, file);
  print_numbers(to, (double[]){file->checkpoint_every, c->def.tolerance}, 2);
  for (int i = 0; i < mesh->groups; i++)
    fprintf(to, "group %s ", mesh->group[i].name);
  for (int i = 0; i < mesh->side.count; i++)
    fprintf(to, "%d ", mesh->side.cell[i].group);
  for (int i = 0; i < mesh->nodes && i < 1000; i++) {
    print_numbers(to, mesh->node[i], 2);
    print_numbers(to, c->velocity + i * mesh->dimension, mesh->dimension);
  }
  for (int i = 0; i < c->def.media; i++) {
    const pc_fe_medium *m = &c->def.medium[i];
    fprintf(to, "medium %s %d %d ", c->medium_name[i], m->group, m->fluid);
    print_numbers(to, (double[]){m->density, m->strain, m->volume}, 3);
  }
  for (int i = 0; i < c->def.bodies; i++) {
    const pc_fe_body *b = &c->def.body[i];
    fprintf(to, "body %s %d%d%d ", c->body_name[i], b->held[0], b->held[1], b->held[2]);
    print_numbers(to, (double[]){b->mass, b->inertia, b->centre[0], b->centre[1]}, 4);
    print_numbers(to, c->body_velocity[i], 3);
  }
  for (int i = 0; i < c->def.contacts; i++) {
    const pc_fe_contact *k = &c->def.contact[i];
    fprintf(to, "contact %s %d %d %d %d %d ", c->contact_name[i], k->sides, k->other, k->body,
            k->condition, k->lumped);
    print_numbers(to, (double[]){k->normal, k->tangential}, 2);
  }
  for (int i = 0; i < c->def.holds; i++)
    fprintf(to, "hold %d %d%d%d ", c->def.hold[i].sides, c->def.hold[i].x, c->def.hold[i].y,
            c->def.hold[i].kept);
  for (int i = 0; i < c->def.pushes; i++)
    print_push(to, &c->def.push[i]);
  print_heat(to, c);
  if (!c->moves)
    return;
  for (int i = 0; i < c->alloy.media; i++) {
    const pc_fe_alloy_medium *m = &c->alloy.medium[i];
    print_numbers(to,
                  (double[]){m->heat.conduct, m->heat.exchange, m->heat.outside, m->heat.resist,
                             m->heat.spread_change, m->slope, m->critical},
                  7);
  }
  for (int i = 0; i < c->alloy.surfaces; i++)
    print_numbers(to, &c->alloy.side[i].exchange, 1);
  if (c->flows) {
    const pc_fe_flow_def *f = &c->flow;
    print_numbers(to, (double[]){f->viscosity, f->strain, f->step, f->rest, f->reach}, 5);
    print_numbers(to, f->gravity, 2);
    for (int i = 0; i < f->contacts; i++) {
      print_numbers(to, f->contact[i].end[0], 4);
      print_numbers(to, &f->contact[i].drag, 1);
    }
  }
  const pc_fe_motion_def *m = &c->motion;
  print_numbers(to, (double[]){file->duration, m->step, m->rest, m->reach, file->frame_every}, 5);
  print_numbers(to, m->gravity, 2);
  for (int i = 0; i < m->solids; i++)
    print_numbers(to, (double[]){m->solid[i].young, m->solid[i].poisson, m->solid[i].thin}, 3);
  for (int i = 0; i < m->walls; i++) {
    print_numbers(to, m->wall[i].direction, 2);
    print_numbers(to, &m->wall[i].offset, 1);
  }
}

// What became of a file: the complaint, or all that it says.
typedef struct outcome {
  bool good;
  char *text; // freed by `forget`
} outcome;

static void forget(outcome *o)
{
  free(o->text);
}

static outcome read_text(const char *text)
{
  pc_error error = {.status = PC_OK, .text = ""};
  outcome o = {.text = NULL};
  size_t size;
  FILE *to = open_memstream(&o.text, &size);
  const char *path = in_folder("file.yaml");
  write_file("file.yaml", text);
  if (strstr(text, "kind: rigid") != NULL) {
    pc_scene scene;
    o.good = pc_scene_read(path, &scene, &error) == PC_OK;
    if (o.good)
      print_rigid(to, &scene);
    pc_scene_free(&scene);
  } else if (strstr(text, "kind: crowd") != NULL) {
    pc_scene scene;
    o.good = pc_scene_read(path, &scene, &error) == PC_OK;
    if (o.good)
      print_crowd(to, &scene);
    pc_scene_free(&scene);
  } else if (strstr(text, "kind: chain") != NULL) {
    pc_scene scene;
    o.good = pc_scene_read(path, &scene, &error) == PC_OK;
    if (o.good)
      print_chain(to, &scene);
    pc_scene_free(&scene);
  } else if (strstr(text, "kind: continuum") != NULL) {
    pc_scene scene;
    o.good = pc_scene_read(path, &scene, &error) == PC_OK;
    if (o.good)
      print_continuum(to, &scene);
    pc_scene_free(&scene);
  } else if (strstr(text, "kind: impact") != NULL) {
    pc_scene_impact scene;
    o.good = pc_scene_read_impact(path, &scene, &error) == PC_OK;
    if (o.good)
      print_impact(to, &scene);
    pc_scene_impact_free(&scene);
  } else {
    pc_scene_identification scene;
    o.good = pc_scene_read_identification(path, &scene, &error) == PC_OK;
    if (o.good)
      print_identification(to, &scene);
    pc_scene_identification_free(&scene);
  }
  fprintf(to, "%s", error.text);
  fclose(to);
  return o;
}

static outcome read_changed(const scene_example *e, const char *key, const char *value)
{
  char text[TEXT];
  compose(e, key, value, text);
  return read_text(text);
}

// The outcome is good, or bad with a complaint that has one of the words.
static void expect(const scene_example *e, const char *key, const char *value, bool good,
                   const char *word, const char *other)
{
  outcome o = read_changed(e, key, value);
  bool right =
      good ? o.good : !o.good && (strstr(o.text, word) != NULL || strstr(o.text, other) != NULL);
  if (!right)
    fail_msg("%s: '%s: %s' is %s: %.300s", e->id, key != NULL ? key : "",
             value != NULL ? value : "", o.good ? "accepted" : "refused", o.good ? "" : o.text);
  forget(&o);
}

// The example in which a key can be tried: one that has it, or else the first of its mapping.
static const scene_example *example_of(const pc_mapping *mapping, const char *key)
{
  const scene_example *first = NULL;
  for (int i = 0; i < scene_examples_count; i++) {
    if (strcmp(scene_examples[i].id, mapping->id) != 0)
      continue;
    if (scene_example_has(scene_examples + i, key))
      return scene_examples + i;
    first = first == NULL ? scene_examples + i : first;
  }
  return first;
}

static void every_mapping_has_examples_and_a_name_of_its_own(void **state)
{
  scene_mappings list = scene_mappings_all();
  assert_true(list.count > 70);
  for (int i = 0; i < list.count; i++) {
    for (int k = 0; k < i; k++)
      if (strcmp(list.at[i]->id, list.at[k]->id) == 0)
        fail_msg("two mappings are called %s", list.at[i]->id);
    if (example_of(list.at[i], "") == NULL)
      fail_msg("no example of %s", list.at[i]->id);
  }
  for (int i = 0; i < scene_examples_count; i++) {
    bool known = false;
    for (int k = 0; k < list.count; k++)
      known = known || strcmp(scene_examples[i].id, list.at[k]->id) == 0;
    if (!known)
      fail_msg("an example of '%s', which is not there", scene_examples[i].id);
    expect(scene_examples + i, NULL, NULL, true, "", "");
  }
}

static void tables_say_what_is_meant(void **state)
{
  scene_mappings list = scene_mappings_all();
  for (int i = 0; i < list.count; i++) {
    const pc_key *key;
    assert_non_null(list.at[i]->meaning);
    for (int k = 0; (key = pc_mapping_key(list.at[i], k)) != NULL; k++) {
      const char *id = list.at[i]->id;
      bool holds = key->mapping != NULL || key->variants != NULL;
      int list_forms = PC_A_MAPPING | PC_A_LIST | PC_LENGTHS;
      if (key->meaning == NULL || key->forms == 0)
        fail_msg("%s.%s has no meaning or no form", id, key->name);
      if (holds != ((key->forms & list_forms) != 0))
        fail_msg("%s.%s: a mapping is named or its form, not both", id, key->name);
      if (((key->forms & PC_A_WORD) != 0) != (key->words != NULL && key->noun != NULL))
        fail_msg("%s.%s: words without form, or the other way round", id, key->name);
      if (key->required && (key->otherwise != NULL || key->left_out != NULL))
        fail_msg("%s.%s is required and has a default", id, key->name);
      if (key->otherwise != NULL && key->left_out != NULL)
        fail_msg("%s.%s has two defaults", id, key->name);
      if ((key->forms & (PC_AN_INTEGER | PC_INTEGERS)) != 0 && key->range.kind != PC_BETWEEN)
        fail_msg("%s.%s is whole and has no range", id, key->name);
    }
  }
}

static void unknown_keys_are_refused(void **state)
{
  for (int i = 0; i < scene_examples_count; i++)
    expect(scene_examples + i, "nonsense", "1", false, "unknown key 'nonsense'",
           "unknown key 'nonsense'");
}

// Left out, a required key is missed; for every other one there is an example without it.
static void what_is_required_is_missed(void **state)
{
  scene_mappings list = scene_mappings_all();
  for (int i = 0; i < list.count; i++) {
    const pc_key *key;
    for (int k = 0; (key = pc_mapping_key(list.at[i], k)) != NULL; k++) {
      char quoted[60];
      bool without = false;
      snprintf(quoted, sizeof quoted, "'%s'", key->name);
      for (int n = 0; n < scene_examples_count; n++)
        if (strcmp(scene_examples[n].id, list.at[i]->id) == 0) {
          without = without || !scene_example_has(scene_examples + n, key->name);
          if (key->required && !scene_example_has(scene_examples + n, "base")) // which may have it
            expect(scene_examples + n, key->name, NULL, false, quoted, quoted);
        }
      if (without == key->required)
        fail_msg("%s.%s: examples are %s it", list.at[i]->id, key->name,
                 without ? "without" : "never without");
    }
  }
}

// No reader passes over a key: what nothing can be is always refused.
static void every_key_is_read(void **state)
{
  scene_mappings list = scene_mappings_all();
  for (int i = 0; i < list.count; i++) {
    const pc_key *key;
    for (int k = 0; (key = pc_mapping_key(list.at[i], k)) != NULL; k++)
      expect(example_of(list.at[i], key->name), key->name, "[[{nonsense: 1}]]", false,
             "file.yaml:", "file.yaml:");
  }
}

static void words_are_those_of_the_tables(void **state)
{
  scene_mappings list = scene_mappings_all();
  for (int i = 0; i < list.count; i++) {
    const pc_key *key;
    for (int k = 0; (key = pc_mapping_key(list.at[i], k)) != NULL; k++) {
      if (key->words == NULL)
        continue;
      const scene_example *e = example_of(list.at[i], key->name);
      char complaint[100];
      snprintf(complaint, sizeof complaint, "unknown %s", key->noun);
      expect(e, key->name, "nonsense", false, complaint, complaint);
      for (const pc_word *at = key->words; at->word != NULL; at++) {
        outcome o = read_changed(e, key->name, at->word);
        if (!o.good && strstr(o.text, complaint) != NULL)
          fail_msg("%s.%s: %s", list.at[i]->id, key->name, o.text);
        forget(&o);
      }
    }
  }
}

// How many numbers the example gives to this key in a list, 0 if it does not.
static int numbers_given(const scene_example *e, const char *key)
{
  size_t length, name;
  for (const char *at = e->keys; (at = scene_example_pair(at, &length, &name)) != NULL;
       at += length)
    if (name == strlen(key) && strncmp(at, key, name) == 0 && at[name + 2] == '[') {
      int count = 1;
      for (size_t i = name; i < length; i++)
        count += at[i] == ',';
      return count;
    }
  return 0;
}

// A number as the key wants it: by itself, or first in a list.
static void write_value(const scene_example *e, const pc_key *key, const char *number, char *value)
{
  bool plane = strstr(e->around, "dimension: 2") != NULL;
  int given = numbers_given(e, key->name), dimension = plane ? 2 : 3;
  int count = given > 0 ? given : key->count[0] > 0 ? key->count[0] : dimension;
  bool one = given == 0 && ((key->forms & (PC_A_NUMBER | PC_AN_INTEGER)) != 0 ||
                            ((key->forms & PC_A_SPIN) != 0 && plane));
  snprintf(value, VALUE, one ? "%s" : "[%s", number);
  for (int i = 1; !one && i < count; i++)
    snprintf(value + strlen(value), VALUE - strlen(value), ", %s", "1");
  if (!one)
    snprintf(value + strlen(value), VALUE - strlen(value), "]");
}

// What a number out of the range of its key is told, behind the name of the key.
static const char *const range_complaints[] = {
    "be positive (got ", "not be negative (got ", "be greater than ", "be at least ", "be at most ",
    "be from ",          "be finite (got "};

static void try_number(const pc_mapping *mapping, const pc_key *key, double number, bool inside)
{
  const scene_example *e = example_of(mapping, key->name);
  char shown[40], value[VALUE];
  snprintf(shown, sizeof shown, isinf(number) ? "inf" : "%.17g", number);
  write_value(e, key, shown, value);
  outcome o = read_changed(e, key->name, value);
  bool complains = false;
  for (int i = 0; i < (int)(sizeof range_complaints / sizeof range_complaints[0]); i++) {
    char says[120];
    snprintf(says, sizeof says, "'%s' must %s", key->name, range_complaints[i]);
    complains = complains || (!o.good && strstr(o.text, says) != NULL);
  }
  if (complains == inside)
    fail_msg("%s.%s: %s is %s: %.300s", mapping->id, key->name, value,
             o.good ? "accepted" : "refused", o.good ? "" : o.text);
  forget(&o);
}

static void ranges_are_those_of_the_tables(void **state)
{
  scene_mappings list = scene_mappings_all();
  int tried = 0;
  for (int i = 0; i < list.count; i++) {
    const pc_key *key;
    for (int k = 0; (key = pc_mapping_key(list.at[i], k)) != NULL; k++) {
      bool whole = (key->forms & (PC_AN_INTEGER | PC_INTEGERS)) != 0;
      int numbers = PC_A_NUMBER | PC_AN_INTEGER | PC_A_SPIN | PC_NUMBERS | PC_INTEGERS | PC_LENGTHS;
      if ((key->forms & numbers) == 0 || (key->forms & PC_PAIRS) != 0)
        continue;
      const pc_limits *range = &key->range;
      try_number(list.at[i], key, INFINITY, range->infinite);
      if (range->kind == PC_ANY_FINITE) {
        try_number(list.at[i], key, -1e-9, true);
        continue;
      }
      tried++;
      bool above = range->kind == PC_ABOVE;
      double below = whole ? range->low - 1 : range->low - 1e-9 * fmax(fabs(range->low), 1e-6);
      try_number(list.at[i], key, above ? range->low : below, false);
      // Not the smallest number above: so short a step, or spacing, would be too much to compute.
      try_number(list.at[i], key, above ? range->low + 0.05 : range->low, true);
      if (range->kind != PC_BETWEEN)
        continue;
      try_number(list.at[i], key, range->high + (whole ? 1 : 1e-9), false);
      if (range->high < 1e5) // so many bodies or cells would be made
        try_number(list.at[i], key, range->high, true);
    }
  }
  assert_true(tried > 60);
}

// In the plane a vector has two numbers, and a spin is one.
static void default_of(const scene_example *e, const pc_key *key, char *value)
{
  snprintf(value, VALUE, "%s", key->otherwise);
  if (strstr(e->around, "dimension: 2") == NULL || key->count[0] > 0 || value[0] != '[')
    return;
  char *end = strrchr(value, ',');
  if (end != NULL)
    strcpy(end, "]");
  if ((key->forms & PC_A_SPIN) != 0)
    strcpy(value, "0");
}

// Some other value that the key may have; false if there is none that is simple.
static bool other_value(const pc_key *key, const char *value, char *other)
{
  if (key->words != NULL) {
    for (const pc_word *at = key->words; at->word != NULL; at++)
      if (strcmp(at->word, value) != 0) {
        snprintf(other, VALUE, "%s", at->word);
        return true;
      }
    return false;
  }
  if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0) {
    strcpy(other, value[0] == 't' ? "false" : "true");
    return true;
  }
  if (value[0] == '[' && value[1] != ']' && value[1] != '[') {
    double numbers[4];
    int count =
        sscanf(value, "[%lf, %lf, %lf, %lf]", numbers, numbers + 1, numbers + 2, numbers + 3);
    strcpy(other, count == 4 ? "[0.6, 0, 0.8, 0]" : count == 3 ? "[0.1, 0.2, 0.3]" : "[0.1, 0.2]");
    return true;
  }
  char *end;
  double number = strtod(value, &end);
  if (*end != 0 || end == value)
    return false;
  double next = (key->forms & PC_AN_INTEGER) != 0 ? number + 1 : number + 0.1;
  if (isinf(number))
    next = 7;
  if (key->range.kind == PC_BETWEEN && next > key->range.high)
    next = number - 1;
  snprintf(other, VALUE, "%.17g", next);
  return true;
}

static bool same(const outcome *a, const outcome *b)
{
  return a->good == b->good && strcmp(a->text, b->text) == 0;
}

// Given, a default changes nothing; another value does.
static void defaults_are_those_of_the_tables(void **state)
{
  scene_mappings list = scene_mappings_all();
  int tried = 0, changed = 0;
  for (int i = 0; i < list.count; i++) {
    const pc_key *key;
    for (int k = 0; (key = pc_mapping_key(list.at[i], k)) != NULL; k++) {
      if (key->otherwise == NULL)
        continue;
      bool both = false, matters = false, has_other = false;
      for (int n = 0; n < scene_examples_count; n++) {
        const scene_example *e = scene_examples + n;
        char value[VALUE], other[VALUE];
        if (strcmp(e->id, list.at[i]->id) != 0)
          continue;
        default_of(e, key, value);
        outcome left_out = read_changed(e, key->name, NULL);
        outcome given = read_changed(e, key->name, value);
        if (left_out.good && given.good && !same(&left_out, &given))
          fail_msg("%s.%s: %s is not what leaving it out is\n%s\n%s", e->id, key->name, value,
                   left_out.text, given.text);
        both = both || (left_out.good && given.good);
        has_other = other_value(key, value, other);
        if (has_other) {
          outcome different = read_changed(e, key->name, other);
          matters = matters || (!different.good && left_out.good) ||
                    (different.good && !same(&different, &left_out));
          forget(&different);
        }
        forget(&left_out);
        forget(&given);
      }
      if (!both)
        fail_msg("%s.%s: no example shows its default", list.at[i]->id, key->name);
      if (has_other && !matters)
        fail_msg("%s.%s: in no example it matters", list.at[i]->id, key->name);
      tried++;
      changed += has_other;
    }
  }
  assert_true(tried > 80 && changed > 60);
}

static int make_files(void **state)
{
  return make_folder(state) != 0 || !scene_example_files(folder);
}

// Once a file has failed, the tables find what else is wrong; of a file that is right they find
// nothing, whatever it says. Of two wrong keys of one mapping both are told.
static void count_errors(void *context, pc_told what, const char *text)
{
  if (what == PC_TOLD_ERROR && ++*(int *)context > 2)
    print_error("%s\n", text);
}

static void tables_find_every_mistake_and_no_others(void **state)
{
  (void)state;
  for (int i = 0; i < scene_examples_count; i++) {
    const scene_example *e = &scene_examples[i];
    char text[TEXT];
    int errors = 0;
    compose(e, "wrong_here", "1, wrong_too: 2", text);
    pc_scene_check(in_folder("file.yaml"), text, count_errors, &errors, NULL);
    if (errors != 2)
      fail_msg("%s: %d errors in\n%s", e->id, errors, text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_mapping_has_examples_and_a_name_of_its_own),
      cmocka_unit_test(tables_say_what_is_meant),
      cmocka_unit_test(unknown_keys_are_refused),
      cmocka_unit_test(tables_find_every_mistake_and_no_others),
      cmocka_unit_test(what_is_required_is_missed),
      cmocka_unit_test(every_key_is_read),
      cmocka_unit_test(words_are_those_of_the_tables),
      cmocka_unit_test(ranges_are_those_of_the_tables),
      cmocka_unit_test(defaults_are_those_of_the_tables),
  };
  return cmocka_run_group_tests(tests, make_files, remove_folder);
}
