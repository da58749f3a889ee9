// Records bodies, with or without a crowd.
#include <stdio.h>
#include <string.h>

#include "run/bodies.h"

static const pc_record_item contact_columns[] = {
    {"bodies", PC_RECORD_INT, 1, 2, NULL, "the two bodies, counted from 0", NULL},
    {"point", PC_RECORD_DOUBLE, 1, 3, NULL, "position at the middle of the step", "m"},
    {"normal", PC_RECORD_FLOAT, 1, 3, NULL, "from the second body to the first", NULL},
    {"gap", PC_RECORD_FLOAT, 1, 1, NULL, "negative for an overlap", "m"},
    {"percussion", PC_RECORD_FLOAT, 1, 3, NULL,
     "impulse on the first body in the step that ends at the frame", "N s"},
    {"dissipated", PC_RECORD_FLOAT, 1, 1, NULL, "dissipated energy in that step", "J"},
};

static void declare_sensors(const pc_bodies_run *b, const pc_simulation *sim)
{
  static const char *const what[] = {
      "sum of the contact and spring forces on the bodies; contacts: impulse / step",
      "mean acceleration of the bodies over the step: change of velocity / step",
      "mean displacement of the bodies since the start",
      "mean velocity of the bodies",
      "mean temperature of the bodies",
      "impulse on the bodies since the start",
      "energy dissipated at the contacts of the bodies since the start",
      "number of hits of the bodies that began since the start"};
  for (int i = 0; i < sim->scene->sensors; i++) {
    const pc_sensor *sensor = sim->scene->sensor + i;
    char name[240];
    snprintf(name, sizeof name, "sensors/%s", sensor->name);
    const pc_record_item item = {name,
                                 PC_RECORD_DOUBLE,
                                 1,
                                 pc_sensor_width(sensor),
                                 b->sensors.value[i],
                                 what[sensor->kind],
                                 pc_sensor_unit(sensor)};
    pc_record_declare(sim->record, PC_RECORD_STEPS, 1, &item);
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
  int n = scene->bodies, elements = scene->elements > 0 ? scene->elements : PC_RECORD_NONE;
  if (scene->crowd != NULL && !pc_crowd_recorder_make(&b->crowd, scene))
    return PC_ERROR_MEMORY;
  const pc_record_item frames[] = {
      {"frames/position", PC_RECORD_DOUBLE, n, 3, b->position, "of the centres of mass", "m"},
      {"frames/orientation", PC_RECORD_DOUBLE, n, 4, b->orientation, "quaternions w, x, y, z",
       NULL},
      {"frames/velocity", PC_RECORD_DOUBLE, n, 3, b->velocity, "of the centres of mass", "m/s"},
      {"frames/spin", PC_RECORD_DOUBLE, n, 3, b->spin, "in world axes", "rad/s"},
  };
  const pc_record_item steps[] = {
      {"elements/force", PC_RECORD_DOUBLE, elements, 3, b->element_force,
       "force of each spring, string and net on its bodies at each step", "N"},
      {"elements/energy", PC_RECORD_DOUBLE, elements, 1, b->element_energy,
       "energy stored in it at each step", "J"},
  };
  pc_record_declare(record, PC_RECORD_FRAMES, PC_COUNT(frames), frames);
  if (scene->record_contacts)
    pc_rows_declare(&b->contacts, record, "contacts", PC_COUNT(contact_columns), contact_columns,
                    NULL);
  if (scene->crowd != NULL)
    pc_crowd_recorder_declare(&b->crowd, record, scene);
  if (pc_bodies_maps(b) != NULL)
    pc_crowd_maps_declare(&b->maps, record);
  pc_record_declare(record, PC_RECORD_STEPS, PC_COUNT(steps), steps);
  pc_systems_declare(&b->systems, record, scene);
  pc_hits_declare(&b->hits, record, scene);
  declare_sensors(b, sim);
  pc_heat_recorder_declare(&b->heat, record, scene);
  return PC_OK;
}

static pc_status append_contacts(pc_bodies_run *b, const pc_simulation *sim)
{
  int count = pc_world_contacts(sim->scene->world);
  pc_rows *rows = &b->contacts;
  if (!pc_rows_reserve(rows, count))
    return PC_ERROR_MEMORY;
  for (int k = 0; k < count; k++) {
    pc_contact contact;
    pc_world_contact(sim->scene->world, k, &contact);
    const int32_t bodies[] = {contact.bodies[0].id - 1, contact.bodies[1].id - 1};
    memcpy(pc_rows_at(rows, 0, k), bodies, sizeof bodies);
    memcpy(pc_rows_at(rows, 1, k), contact.point, sizeof contact.point);
    memcpy(pc_rows_at(rows, 2, k), contact.normal, sizeof contact.normal);
    memcpy(pc_rows_at(rows, 3, k), &contact.gap, sizeof contact.gap);
    memcpy(pc_rows_at(rows, 4, k), contact.percussion, sizeof contact.percussion);
    memcpy(pc_rows_at(rows, 5, k), &contact.dissipated, sizeof contact.dissipated);
  }
  return pc_rows_append(rows, sim->record, count);
}

pc_status pc_bodies_frame(pc_simulation *sim)
{
  pc_bodies_run *b = sim->own;
  const pc_scene *scene = sim->scene;
  for (size_t i = 0; i < (size_t)scene->bodies; i++) {
    pc_body_state state;
    pc_body_get(scene->world, (pc_body){(int)i + 1}, &state);
    memcpy(b->position + 3 * i, state.position, sizeof state.position);
    memcpy(b->velocity + 3 * i, state.velocity, sizeof state.velocity);
    memcpy(b->spin + 3 * i, state.spin, sizeof state.spin);
    memcpy(b->orientation + 4 * i, state.orientation, sizeof state.orientation);
  }
  if (scene->crowd != NULL)
    pc_crowd_recorder_frame(&b->crowd, scene);
  pc_heat_recorder_frame(&b->heat, scene);
  return b->contacts.columns > 0 ? append_contacts(b, sim) : PC_OK;
}

pc_status pc_bodies_row(pc_simulation *sim)
{
  pc_bodies_run *b = sim->own;
  const pc_scene *scene = sim->scene;
  for (int i = 0; i < scene->elements; i++)
    pc_world_element_force(scene->world, i, b->element_force + 3 * i, b->element_energy + i);
  pc_status status = pc_systems_step(&b->systems, sim->record, scene);
  if (status == PC_OK)
    status = pc_hits_append(&b->hits, sim->record, &b->sensors.hits.over, scene);
  if (status != PC_OK)
    return status;
  return scene->crowd != NULL ? pc_crowd_recorder_step(&b->crowd, sim->record, scene) : PC_OK;
}

// Additional columns of the table: people inside a crowd, heat, sensors.
void pc_bodies_columns(const pc_simulation *sim, pc_columns *columns)
{
  const pc_bodies_run *b = sim->own;
  const pc_scene *scene = sim->scene;
  if (scene->crowd != NULL)
    pc_columns_add(columns, PC_RECORD_INT, &b->crowd.seen, NULL, "inside");
  pc_heat_columns(&b->heat, scene, columns);
  for (int k = 0; k < scene->sensors; k++) {
    const pc_sensor *sensor = scene->sensor + k;
    for (int i = 0; i < pc_sensor_width(sensor); i++)
      pc_columns_add(columns, PC_RECORD_DOUBLE, &b->sensors.value[k][i], pc_sensor_unit(sensor),
                     sensor->along ? "%s" : "%s %c", sensor->name, "xyz"[i]);
  }
}

void pc_bodies_xdmf(const pc_simulation *sim, pc_xdmf *xdmf)
{
  static const pc_xdmf_array attributes[] = {
      {"velocity", "frames/velocity", PC_RECORD_DOUBLE, 3, false},
      {"spin", "frames/spin", PC_RECORD_DOUBLE, 3, false},
      {"mass", "bodies/mass", PC_RECORD_DOUBLE, 1, true},
      {"material", "bodies/material", PC_RECORD_INT, 1, true},
      {"kind", "bodies/kind", PC_RECORD_BYTE, 1, true},
      {"radius", "bodies/radius", PC_RECORD_DOUBLE, 1, true},
      {"temperature", "frames/temperature", PC_RECORD_DOUBLE, 1, false}, // with heat
  };
  xdmf->points = sim->scene->bodies;
  xdmf->position = (pc_xdmf_array){"position", "frames/position", PC_RECORD_DOUBLE, 3, false};
  xdmf->index = "bodies/index";
  xdmf->attribute_count = PC_COUNT(attributes) - !((const pc_bodies_run *)sim->own)->heat.on;
  memcpy(xdmf->attributes, attributes, sizeof attributes);
}
