// A C++17 program that calls a function of every header, makes a world, calls back into C++ and
// steps: a ball falls on a plane and bounces.
#include <cmath>
#include <cstdio>
#include <cstring>
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

// How many of the headers do not answer as they should; the world's are used below.
int ask_headers()
{
  const double across[] = {0, 1}, inertia[] = {1, 1, 1}, spin[] = {1, 0, 0};
  const unsigned char ahead[] = {1, 1};
  double turned[3] = {};
  pc_chain chain = {};
  pc_continuum_answer answer = {};
  pc_scene scene = {};
  pc_random random = {};
  chain.balls = 3;
  pc_browser_close(nullptr);
  pc_continuum_answer_free(&answer);
  pc_random_seed(&random, 1);
  pc_rotation_spin(inertia, spin, 1, turned);
  pc_runs_destroy(nullptr);
  pc_scene_free(&scene);
  pc_view_close(nullptr);
  const bool good[] = {
      pc_balance_layout() != 0,
      std::strcmp(pc_chain_law_name(PC_CHAIN_HERTZ), "hertz") == 0,
      pc_chain_bounds_options_default().gap > 0,
      pc_chain_sweep_default(&chain, PC_CHAIN_BY_MASS).ball == 2,
      pc_interval_project({0, 1}, 2) == 1,
      pc_crowd_def_default().tolerance > 0,
      pc_crowd_lane_order(2, across, ahead, 5) == 1,
      std::strcmp(pc_heat_mode_name(PC_HEAT_SMALL), "small") == 0,
      pc_identify(nullptr, nullptr, nullptr, nullptr) == PC_ERROR_ARGUMENT,
      std::strcmp(pc_solver_names()[0], "auto") == 0,
      std::strcmp(pc_normal_kind_name(PC_NORMAL_POWER), "power") == 0,
      pc_random_below(&random, 1) == 0,
      turned[0] == 1,
      !pc_run_is_inaccurate(nullptr),
      pc_run_check(nullptr, nullptr, nullptr) == PC_ERROR_ARGUMENT,
      pc_run_export(nullptr, nullptr, nullptr, nullptr) == PC_ERROR_ARGUMENT,
      pc_run_report(0, nullptr, nullptr, nullptr, nullptr) == PC_ERROR_ARGUMENT,
      std::strcmp(pc_row_kind_name(PC_ROW_FITTED), "fitted") == 0,
      pc_heat_def_default().specific > 0,
  };
  int wrong = 0;
  for (const bool answers : good)
    wrong += !answers;
  return wrong;
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
  const bool good = ask_headers() == 0 && calls == 200 && state.velocity[2] > 0 && info->closed;
  if (!good)
    std::printf("%d calls, velocity %g, closed %d\n", calls, state.velocity[2], info->closed);
  return good ? 0 : 1;
}
