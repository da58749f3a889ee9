// Find out what went wrong
//
// Nothing is printed and nothing exits. A function that can fail returns a status, or null (NULL,
// the body 0, -1). The text is in the pc_error that you pass, or in the object: pc_world_error.
//
// Prints: errors.yaml:4: 'radius' must be positive (got -1)
#include <percuss/percuss.h>
#include <stdio.h>

int main(void)
{
  pc_error error;
  pc_shape *shape = pc_shape_sphere(-1, &error);
  if (shape != NULL || error.status != PC_ERROR_ARGUMENT)
    return 1;

  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  pc_body_def nothing = pc_body_def_default(); // it has no shape
  if (pc_body_create(world, &nothing).id != 0 || pc_world_error(world)[0] == '\0')
    return 1;
  pc_world_destroy(world);

  pc_scene scene;
  static const char text[] = "kind: rigid\nduration: 1\nstep: 1e-3\n"
                             "bodies: [{shape: {type: sphere, radius: -1}, position: [0, 0, 0]}]\n";
  if (pc_scene_parse("errors.yaml", text, &scene, &error) != PC_OK)
    printf("%s\n", error.text);
  return 0;
}
