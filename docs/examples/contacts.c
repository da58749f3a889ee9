// Read contacts
//
// Contacts of the last step have a place, a normal, a gap and the impulse on the first body. An
// impulse over the step is a force: at rest the contacts of a box of 2 kg carry its weight, 19.62
// N.
//
// Prints: 4 contacts, 19.62 N
#include <percuss/percuss.h>
#include <stdio.h>

int main(void)
{
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  pc_body_def ground = pc_body_def_default(), box = pc_body_def_default();
  ground.kind = PC_FIXED;
  ground.shape = pc_shape_half_space((const double[]){0, 0, 1}, NULL);
  pc_body_create(world, &ground);
  box.shape = pc_shape_box((const double[]){0.2, 0.2, 0.2}, NULL);
  box.mass = 2;
  box.position[2] = 0.1;
  pc_body id = pc_body_create(world, &box);

  const double step = 1e-3;
  for (int i = 0; i < 1000; i++)
    if (pc_world_step(world, step) != PC_OK)
      return 1;

  double up = 0;
  for (int i = 0; i < pc_world_contacts(world); i++) {
    pc_contact contact;
    pc_world_contact(world, i, &contact);
    double sign = contact.bodies[0].id == id.id ? 1 : -1; // the impulse is on the first body
    up += sign * contact.percussion[2] / step;
  }
  printf("%d contacts, %.2f N\n", pc_world_contacts(world), up);
  pc_shape_release(ground.shape);
  pc_shape_release(box.shape);
  pc_world_destroy(world);
  return 0;
}
