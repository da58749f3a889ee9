// Use it from C++
//
// The headers are C headers that C++ may include. A unique_ptr gives objects back, and a function
// without captures is a callback. A ball thrown up at 3 m/s with e = 1 comes back with its energy.
//
// Prints: 1 bounce
#include <cstdio>
#include <memory>
#include <percuss/percuss.h>

struct Release {
  void operator()(pc_world *world) const { pc_world_destroy(world); }
  void operator()(pc_shape *shape) const { pc_shape_release(shape); }
};
using World = std::unique_ptr<pc_world, Release>;
using Shape = std::unique_ptr<pc_shape, Release>;

int main()
{
  const pc_world_def def = pc_world_def_default();
  World world(pc_world_create(&def));
  pc_law law = pc_law_default();
  law.normal.kind = PC_NORMAL_RESTITUTION;
  law.normal.e = 1;
  pc_world_set_default_law(world.get(), &law);

  const double up[] = {0, 0, 1};
  Shape ground(pc_shape_half_space(up, nullptr)), ball(pc_shape_sphere(0.1, nullptr));
  pc_body_def body = pc_body_def_default();
  body.shape = ground.get();
  body.kind = PC_FIXED;
  pc_body_create(world.get(), &body);
  body = pc_body_def_default();
  body.shape = ball.get();
  body.position[2] = 0.5;
  body.velocity[2] = 3;
  const pc_body id = pc_body_create(world.get(), &body);

  int bounces = 0;
  double before = body.velocity[2];
  for (int i = 0; i < 1000; i++) {
    if (pc_world_step(world.get(), 1e-3) != PC_OK) {
      std::printf("%s\n", pc_world_error(world.get()));
      return 1;
    }
    pc_body_state state;
    pc_body_get(world.get(), id, &state);
    bounces += before < 0 && state.velocity[2] > 0;
    before = state.velocity[2];
  }
  std::printf("%d bounce\n", bounces);
}
