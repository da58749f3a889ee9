// Records bodies, with or without a crowd.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/xdmf.h"
#include "run/bodies.h"

static const char *const contact_names[PC_CONTACT_COLUMNS] = {"bodies", "point",      "normal",
                                                              "gap",    "percussion", "dissipated"};
static const pc_record_type contact_types[PC_CONTACT_COLUMNS] = {PC_RECORD_INT,   PC_RECORD_FLOAT,
                                                                 PC_RECORD_FLOAT, PC_RECORD_FLOAT,
                                                                 PC_RECORD_FLOAT, PC_RECORD_FLOAT};
static const int contact_widths[PC_CONTACT_COLUMNS] = {2, 3, 3, 1, 3, 1};

static void declare_contacts(pc_bodies_run *b, pc_record *record)
{
  static const struct {
    const char *name, *description, *unit;
  } meaning[] = {
      {"contacts/bodies", "the two bodies, counted from 0", NULL},
      {"contacts/point", "where, at the middle of the step", "m"},
      {"contacts/normal", "from the second body to the first", NULL},
      {"contacts/gap", "negative: overlap", "m"},
      {"contacts/percussion", "on the first body, in the step that ends at the frame", "N s"},
      {"contacts/dissipated", "in that step", "J"},
  };
  b->contacts = pc_record_ragged(record, "contacts", PC_CONTACT_COLUMNS, contact_names,
                                 contact_types, contact_widths);
  for (size_t i = 0; i < sizeof meaning / sizeof *meaning && b->contacts >= 0; i++)
    pc_record_describe(record, meaning[i].name, meaning[i].description, meaning[i].unit);
}

static void declare_sensors(pc_bodies_run *b, const pc_simulation *sim)
{
  static const char *const what[] = {"sum of the contact and spring forces on the bodies",
                                     "mean acceleration of the bodies over the step",
                                     "mean displacement of the bodies since the start",
                                     "mean velocity of the bodies",
                                     "mean temperature of the bodies"};
  const pc_scene *scene = sim->scene;
  for (int i = 0; i < scene->sensors; i++) {
    char name[240];
    snprintf(name, sizeof name, "sensors/%s", scene->sensor[i].name);
    b->sensor[i] =
        pc_record_add(sim->record, name, PC_RECORD_DOUBLE, 1, pc_sensor_width(scene->sensor + i),
                      what[scene->sensor[i].kind], pc_sensor_unit(scene->sensor + i));
  }
}

pc_crowd_maps *pc_bodies_maps(pc_bodies_run *bodies)
{
  return bodies->maps.steps > 0 ? &bodies->maps : NULL;
}

pc_status pc_bodies_declare(pc_simulation *sim)
{
  pc_bodies_run *b = sim->own;
  const pc_scene *scene = sim->scene;
  pc_record *record = sim->record;
  int n = scene->bodies;
  if (scene->crowd != NULL && !pc_crowd_recorder_make(&b->crowd, scene))
    return PC_ERROR_MEMORY;
  b->position = pc_record_add(record, "frames/position", PC_RECORD_DOUBLE, n, 3,
                              "of the centres of mass", "m");
  b->orientation = pc_record_add(record, "frames/orientation", PC_RECORD_DOUBLE, n, 4,
                                 "quaternions w, x, y, z", "");
  b->velocity = pc_record_add(record, "frames/velocity", PC_RECORD_DOUBLE, n, 3,
                              "of the centres of mass", "m/s");
  b->spin = pc_record_add(record, "frames/spin", PC_RECORD_DOUBLE, n, 3, "in world axes", "rad/s");
  b->contacts = -1;
  if (scene->record_contacts)
    declare_contacts(b, record);
  if (scene->crowd != NULL)
    pc_crowd_recorder_declare(&b->crowd, record, scene);
  if (pc_bodies_maps(b) != NULL)
    pc_crowd_maps_declare(&b->maps, record);
  b->element_force = b->element_energy = -1;
  if (scene->elements > 0) {
    b->element_force =
        pc_record_add(record, "elements/force", PC_RECORD_DOUBLE, scene->elements, 3,
                      "of each spring, string and net, on its bodies, at each step", "N");
    b->element_energy = pc_record_add(record, "elements/energy", PC_RECORD_DOUBLE, scene->elements,
                                      1, "stored in it, at each step", "J");
  }
  declare_sensors(b, sim);
  pc_heat_recorder_declare(&b->heat, record, scene);
  return PC_OK;
}

static bool grow_contacts(pc_bodies_run *b, int need)
{
  if (need <= b->contact_capacity)
    return true;
  int capacity = need + need / 2 + 64;
  for (int c = 0; c < PC_CONTACT_COLUMNS; c++) {
    size_t number = contact_types[c] == PC_RECORD_INT ? sizeof(int32_t) : sizeof(double);
    void *larger = realloc(b->contact[c], (size_t)capacity * (size_t)contact_widths[c] * number);
    if (larger == NULL)
      return false;
    b->contact[c] = larger;
  }
  b->contact_capacity = capacity;
  return true;
}

static pc_status append_contacts(pc_bodies_run *b, const pc_simulation *sim)
{
  int count = pc_world_contacts(sim->scene->world);
  if (!grow_contacts(b, count))
    return PC_ERROR_MEMORY;
  for (int k = 0; k < count; k++) {
    pc_contact contact;
    pc_world_contact(sim->scene->world, k, &contact);
    int32_t *body = (int32_t *)b->contact[0] + 2 * k;
    body[0] = contact.bodies[0].id - 1;
    body[1] = contact.bodies[1].id - 1;
    memcpy((double *)b->contact[1] + 3 * k, contact.point, sizeof contact.point);
    memcpy((double *)b->contact[2] + 3 * k, contact.normal, sizeof contact.normal);
    ((double *)b->contact[3])[k] = contact.gap;
    memcpy((double *)b->contact[4] + 3 * k, contact.percussion, sizeof contact.percussion);
    ((double *)b->contact[5])[k] = contact.dissipated;
  }
  return pc_record_append_ragged(sim->record, b->contacts, count, (const void *const *)b->contact);
}

pc_status pc_bodies_frame(pc_simulation *sim)
{
  pc_bodies_run *b = sim->own;
  const pc_scene *scene = sim->scene;
  pc_record *record = sim->record;
  size_t n = (size_t)scene->bodies;
  double *position = b->state, *velocity = position + 3 * n, *spin = velocity + 3 * n;
  double *orientation = spin + 3 * n;
  for (size_t i = 0; i < n; i++) {
    pc_body_state state;
    pc_body_get(scene->world, (pc_body){(int)i + 1}, &state);
    memcpy(position + 3 * i, state.position, sizeof state.position);
    memcpy(velocity + 3 * i, state.velocity, sizeof state.velocity);
    memcpy(spin + 3 * i, state.spin, sizeof state.spin);
    memcpy(orientation + 4 * i, state.orientation, sizeof state.orientation);
  }
  pc_record_append(record, b->position, position);
  pc_record_append(record, b->orientation, orientation);
  pc_record_append(record, b->velocity, velocity);
  pc_status status = pc_record_append(record, b->spin, spin);
  if (status == PC_OK && b->contacts >= 0)
    status = append_contacts(b, sim);
  if (status == PC_OK && scene->crowd != NULL)
    status = pc_crowd_recorder_frame(&b->crowd, record, scene);
  return status == PC_OK ? pc_heat_recorder_frame(&b->heat, record, scene) : status;
}

static pc_status append_elements(const pc_bodies_run *b, const pc_simulation *sim)
{
  const pc_scene *scene = sim->scene;
  double *force = calloc(4 * (size_t)scene->elements, sizeof *force);
  if (force == NULL)
    return PC_ERROR_MEMORY;
  double *energy = force + 3 * (size_t)scene->elements;
  for (int i = 0; i < scene->elements; i++)
    pc_world_element_force(scene->world, i, force + 3 * i, energy + i);
  pc_record_append(sim->record, b->element_force, force);
  pc_status status = pc_record_append(sim->record, b->element_energy, energy);
  free(force);
  return status;
}

pc_status pc_bodies_row(pc_simulation *sim)
{
  pc_bodies_run *b = sim->own;
  const pc_scene *scene = sim->scene;
  pc_status status = PC_OK;
  if (scene->crowd != NULL)
    status = pc_crowd_recorder_step(&b->crowd, sim->record, scene);
  for (int k = 0; k < scene->sensors; k++)
    status = pc_record_append(sim->record, b->sensor[k], b->sensors.value[k]);
  if (status == PC_OK && b->element_force >= 0)
    status = append_elements(b, sim);
  return status == PC_OK ? pc_heat_recorder_step(&b->heat, sim->record, scene) : status;
}

// Additional columns of the table: people inside a crowd, heat, sensors.
int pc_bodies_columns(const pc_simulation *sim, pc_column *columns)
{
  const pc_scene *scene = sim->scene;
  int count = 0;
  if (scene->crowd != NULL && columns != NULL)
    columns[count] = (pc_column){.name = "inside"};
  count += scene->crowd != NULL;
  count += pc_heat_columns(scene, columns != NULL ? columns + count : NULL);
  for (int k = 0; k < scene->sensors; k++)
    for (int i = 0; i < pc_sensor_width(scene->sensor + k); i++, count++) {
      if (columns == NULL)
        continue;
      snprintf(columns[count].name, sizeof columns->name, scene->sensor[k].along ? "%s" : "%s %c",
               scene->sensor[k].name, "xyz"[i]);
      columns[count].unit = pc_sensor_unit(scene->sensor + k);
    }
  return count;
}

void pc_bodies_cells(const pc_simulation *sim, double *cells)
{
  const pc_bodies_run *b = sim->own;
  const pc_scene *scene = sim->scene;
  if (scene->crowd != NULL)
    *cells++ = pc_crowd_inside(scene->crowd);
  cells += pc_heat_cells(scene, cells);
  for (int k = 0; k < scene->sensors; k++)
    for (int i = 0; i < pc_sensor_width(scene->sensor + k); i++)
      *cells++ = b->sensors.value[k][i];
}

pc_status pc_bodies_xdmf(const pc_simulation *sim, long frames, const double *times,
                         pc_error *error)
{
  const pc_bodies_run *b = sim->own;
  static const pc_xdmf_array attributes[] = {
      {"velocity", "frames/velocity", PC_RECORD_DOUBLE, 3, false},
      {"spin", "frames/spin", PC_RECORD_DOUBLE, 3, false},
      {"mass", "bodies/mass", PC_RECORD_DOUBLE, 1, true},
      {"material", "bodies/material", PC_RECORD_INT, 1, true},
      {"kind", "bodies/kind", PC_RECORD_BYTE, 1, true},
      {"radius", "bodies/radius", PC_RECORD_DOUBLE, 1, true},
      {"temperature", "frames/temperature", PC_RECORD_DOUBLE, 1, false}, // with heat
  };
  const char *slash = strrchr(sim->files.record, '/');
  pc_xdmf description = {.data = slash != NULL ? slash + 1 : sim->files.record,
                         .points = sim->scene->bodies,
                         .frames = frames,
                         .times = times,
                         .position = {"position", "frames/position", PC_RECORD_DOUBLE, 3, false},
                         .index = "bodies/index",
                         .attribute_count =
                             (int)(sizeof attributes / sizeof *attributes) - !b->heat.on,
                         .attributes = attributes};
  return pc_xdmf_write(sim->files.xdmf, &description, error);
}
