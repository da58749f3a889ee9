// Save a world and go on later
//
// The saved bytes have all that changes in a step. A world built by the same calls that loads them
// goes on bit for bit. A scene that is run writes such checkpoints by itself (see below).
//
// Prints: the same bits
#include <percuss/percuss.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pc_world *build(pc_body *ball)
{
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  pc_body_def ground = pc_body_def_default(), thrown = pc_body_def_default();
  ground.kind = PC_FIXED;
  ground.shape = pc_shape_half_space((const double[]){0, 0, 1}, NULL);
  thrown.shape = pc_shape_box((const double[]){0.3, 0.2, 0.1}, NULL);
  thrown.position[2] = 0.5;
  thrown.velocity[0] = 2;
  thrown.spin[1] = 7;
  pc_body_create(world, &ground);
  *ball = pc_body_create(world, &thrown);
  pc_shape_release(ground.shape);
  pc_shape_release(thrown.shape);
  return world;
}

int main(void)
{
  pc_body ball;
  pc_world *first = build(&ball), *second = build(&ball);
  for (int i = 0; i < 300; i++)
    pc_world_step(first, 1e-3);

  size_t size = pc_world_save(first, NULL, 0);
  void *saved = malloc(size);
  if (saved == NULL || pc_world_save(first, saved, size) != size ||
      pc_world_load(second, saved, size) != PC_OK)
    return 1;
  free(saved);

  pc_body_state a, b;
  for (int i = 0; i < 300; i++) {
    pc_world_step(first, 1e-3);
    pc_world_step(second, 1e-3);
  }
  pc_body_get(first, ball, &a);
  pc_body_get(second, ball, &b);
  printf("%s\n", memcmp(&a, &b, sizeof a) == 0 ? "the same bits" : "other bits");
  pc_world_destroy(first);
  pc_world_destroy(second);
  return 0;
}
