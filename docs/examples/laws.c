// Choose contact laws
//
// A law belongs to a pair of materials; all other pairs have the default law. `pc_law_default` is
// inelastic with Coulomb friction. A slab starts at 3 m/s on ice with mu = 0.1 and stops after
// v^2 / (2 mu g) = 4.587 m.
//
// Prints: 4.59 m
#include <percuss/percuss.h>
#include <stdio.h>

int main(void)
{
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  int stone = pc_world_add_material(world, 2600), ice = pc_world_add_material(world, 917);

  pc_law slippery = pc_law_default();
  slippery.tangential.mu[0] = 0.1;
  pc_world_set_law(world, stone, ice, &slippery);
  pc_law bouncing = pc_law_default();
  bouncing.normal.kind = PC_NORMAL_RESTITUTION;
  bouncing.normal.e = 0.5;
  pc_world_set_law(world, stone, stone, &bouncing);

  pc_body_def lake = pc_body_def_default();
  lake.kind = PC_FIXED;
  lake.material = ice;
  lake.shape = pc_shape_half_space((const double[]){0, 0, 1}, NULL);
  pc_body_create(world, &lake);
  pc_body_def slab = pc_body_def_default();
  slab.material = stone;
  slab.shape = pc_shape_box((const double[]){1, 1, 0.1}, NULL);
  slab.position[2] = 0.05;
  slab.velocity[0] = 3;
  pc_body id = pc_body_create(world, &slab);

  for (int i = 0; i < 4000; i++)
    if (pc_world_step(world, 1e-3) != PC_OK)
      return 1;
  pc_body_state state;
  pc_body_get(world, id, &state);
  printf("%.2f m\n", state.position[0]);
  pc_shape_release(lake.shape);
  pc_shape_release(slab.shape);
  pc_world_destroy(world);
  return 0;
}
