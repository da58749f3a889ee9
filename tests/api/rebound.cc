// A C++17 program that includes all headers, makes a world, calls back into C++ and steps: a ball
// falls on a plane and bounces.
#include <cmath>
#include <cstdio>
#include <memory>

#include "percuss/percuss.h"

namespace {

struct Destroy {
  void operator()(pc_world *world) const { pc_world_destroy(world); }
  void operator()(pc_shape *shape) const { pc_shape_release(shape); }
};
using World = std::unique_ptr<pc_world, Destroy>;
using Shape = std::unique_ptr<pc_shape, Destroy>;

void count(void *context, double, pc_body, const pc_body_state *, double[6])
{
  ++*static_cast<int *>(context);
}

} // namespace

int main()
{
  pc_world_def def = pc_world_def_default();
  World world(pc_world_create(&def));
  Shape ball(pc_shape_sphere(0.1, nullptr));
  pc_law law = {};
  law.normal.kind = PC_NORMAL_RESTITUTION;
  law.normal.e = 1;
  pc_world_set_default_law(world.get(), &law);
  const double up[3] = {0, 0, 1};
  Shape ground(pc_shape_plane(3, up, nullptr));
  pc_body_def body = pc_body_def_default();
  body.shape = ground.get();
  body.kind = PC_FIXED;
  pc_body_create(world.get(), &body);
  body = pc_body_def_default();
  body.shape = ball.get();
  body.position[2] = 0.2;
  body.velocity[2] = -1;
  const pc_body id = pc_body_create(world.get(), &body);
  int calls = 0;
  pc_world_add_force(world.get(), count, &calls);
  pc_body_state state = {};
  for (int i = 0; i < 200; i++) {
    if (pc_world_step(world.get(), 1e-3) != PC_OK) {
      std::printf("%s\n", pc_world_error(world.get()));
      return 1;
    }
  }
  pc_body_get(world.get(), id, &state);
  const pc_step_info *info = pc_world_info(world.get());
  const bool good = calls == 200 && state.velocity[2] > 0 && info->closed;
  if (!good)
    std::printf("%d calls, velocity %g, closed %d\n", calls, state.velocity[2], info->closed);
  return good ? 0 : 1;
}
