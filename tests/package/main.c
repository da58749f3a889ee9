// Calls functions of the library, of the published results beside it, and reads its data.
#include <percuss/percuss.h>
#include <stdio.h>

int main(void)
{
  int rows;
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  pc_body_def ball = pc_body_def_default();
  ball.shape = pc_shape_sphere(0.1, NULL);
  pc_body_create(world, &ball);
  pc_shape_release(ball.shape);
  pc_status status = pc_world_step(world, 1e-3);
  pc_world_destroy(world);
  pc_scene scene;
  if (pc_scene_parse("a.yaml", "kind: rigid\nduration: 1\n", &scene, NULL) != PC_ERROR_INPUT)
    return 1;
  const char *kind = pc_row_kind_name(PC_ROW_FITTED);
  rows = pc_balance[0].name != NULL && kind != NULL;
  printf("%s %d\n", status == PC_OK ? "stepped" : "failed", rows);
  return 0;
}
