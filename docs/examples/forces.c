// Apply forces
//
// A load acts on one body, constant or along a signal. A callback is asked for the force on every
// body in every step. Without gravity, a load of 2 N on 1 kg and a drag of 4 N s/m give a velocity
// of (1 - exp(-4 t)) / 2.
//
// Prints: 0.491 m/s
#include <percuss/percuss.h>
#include <stdio.h>

static void drag(void *context, double time, pc_body body, const pc_body_state *state,
                 double force[6])
{
  const double *coefficient = context;
  for (int k = 0; k < 3; k++)
    force[k] = -*coefficient * state->velocity[k];
}

int main(void)
{
  pc_world_def def = pc_world_def_default();
  def.gravity[2] = 0;
  pc_world *world = pc_world_create(&def);

  pc_body_def ball = pc_body_def_default();
  ball.shape = pc_shape_sphere(0.1, NULL);
  ball.mass = 1;
  pc_body id = pc_body_create(world, &ball);
  pc_shape_release(ball.shape);

  double coefficient = 4;
  pc_world_add_force(world, drag, &coefficient);
  pc_world_add_load(world, id, (const double[]){2, 0, 0, 0, 0, 0}, NULL);

  for (int i = 0; i < 1000; i++)
    if (pc_world_step(world, 1e-3) != PC_OK)
      return 1;
  pc_body_state state;
  pc_body_get(world, id, &state);
  printf("%.3f m/s\n", state.velocity[0]);
  pc_world_destroy(world);
  return 0;
}
