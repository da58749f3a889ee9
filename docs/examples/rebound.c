// Bounce a ball
//
// A ball falls on the ground at 3 m/s without gravity, e = 1/2: it leaves at 1.5 m/s.
//
//     cc rebound.c $(pkg-config --cflags --libs percuss) -o rebound
//
// Prints: 1.5
#include <percuss/percuss.h>
#include <stdio.h>

int main(void)
{
  pc_world_def def = pc_world_def_default();
  def.gravity[2] = 0;
  pc_world *world = pc_world_create(&def);
  pc_law law = {.normal = {.kind = PC_NORMAL_RESTITUTION, .e = 0.5}}; // without friction
  pc_world_set_default_law(world, &law);

  pc_body_def ground = pc_body_def_default(), ball = pc_body_def_default();
  ground.kind = PC_FIXED;
  ground.shape = pc_shape_half_space((const double[]){0, 0, 1}, NULL);
  ball.shape = pc_shape_sphere(0.1, NULL);
  ball.position[2] = 0.5;
  ball.velocity[2] = -3;
  pc_body_create(world, &ground);
  pc_body id = pc_body_create(world, &ball);

  pc_body_state state;
  for (int i = 0; i < 200; i++)
    if (pc_world_step(world, 1e-3) != PC_OK) {
      fprintf(stderr, "%s\n", pc_world_error(world));
      return 1;
    }
  pc_body_get(world, id, &state);
  printf("%.12g\n", state.velocity[2]);
  pc_shape_release(ground.shape);
  pc_shape_release(ball.shape);
  pc_world_destroy(world);
  return 0;
}
