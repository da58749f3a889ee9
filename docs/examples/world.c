// Create a world and step it
//
// A definition has every option at its default. A ball falls for one second from 10 m: steps follow
// a constant gravity exactly, so it is at 10 - g/2 and falls at g.
//
// Prints: 5.095 -9.81
#include <percuss/percuss.h>
#include <stdio.h>

int main(void)
{
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);

  pc_body_def ball = pc_body_def_default();
  ball.shape = pc_shape_sphere(0.1, NULL);
  ball.position[2] = 10;
  pc_body id = pc_body_create(world, &ball);
  pc_shape_release(ball.shape); // the world keeps it
  if (id.id == 0) {             // for example a radius that is not positive
    fprintf(stderr, "%s\n", pc_world_error(world));
    return 1;
  }

  for (int i = 0; i < 1000; i++)
    if (pc_world_step(world, 1e-3) != PC_OK) {
      fprintf(stderr, "%s\n", pc_world_error(world));
      return 1;
    }

  pc_body_state state;
  pc_body_get(world, id, &state);
  printf("%.10g %.10g\n", state.position[2], state.velocity[2]);
  pc_world_destroy(world);
  return 0;
}
