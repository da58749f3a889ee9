// Add bodies and obstacles
//
// Shapes are shared and counted: release what you create. Mass and inertia come from the shape and
// the density of the material. Here a brick of 0.2 x 0.1 x 0.1 m and 2600 kg/m3 falls on the ground
// and lies 5 cm above it, and a hammer is made of two boxes.
//
// Prints: 5.2 kg, at 0.050 m; 3.6 kg
#include <percuss/percuss.h>
#include <stdio.h>

int main(void)
{
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  int rock = pc_world_add_material(world, 2600);

  pc_body_def ground = pc_body_def_default();
  ground.kind = PC_FIXED;
  ground.shape = pc_shape_half_space((const double[]){0, 0, 1}, NULL);
  pc_body_create(world, &ground);

  pc_body_def brick = pc_body_def_default();
  brick.shape = pc_shape_box((const double[]){0.2, 0.1, 0.1}, NULL);
  brick.material = rock;
  brick.position[2] = 0.3;
  pc_body lying = pc_body_create(world, &brick);

  pc_shape_piece part[2] = {pc_shape_piece_default(), pc_shape_piece_default()};
  part[0].shape = pc_shape_box((const double[]){0.3, 0.1, 0.1}, NULL);
  part[1].shape = pc_shape_box((const double[]){0.1, 0.1, 0.06}, NULL);
  part[1].position[2] = -0.08;
  pc_body_def hammer = pc_body_def_default(); // of material 0: 1000 kg/m3
  hammer.shape = pc_shape_compound(2, part, NULL);
  hammer.position[0] = 1;
  hammer.position[2] = 1;
  pc_body tool = pc_body_create(world, &hammer);

  for (int i = 0; i < 1000; i++)
    if (pc_world_step(world, 1e-3) != PC_OK)
      return 1;
  pc_body_state state;
  pc_body_get(world, lying, &state);
  printf("%.3g kg, at %.3f m; %.3g kg\n", pc_body_get_mass(world, lying), state.position[2],
         pc_body_get_mass(world, tool));

  pc_shape_release(ground.shape);
  pc_shape_release(brick.shape);
  pc_shape_release(part[0].shape);
  pc_shape_release(part[1].shape);
  pc_shape_release(hammer.shape);
  pc_world_destroy(world);
  return 0;
}
