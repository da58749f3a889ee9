// A rigid ball that falls on an elastic block, against Hertz's theory of contact.
//
// A quarter of the block, held across its planes of symmetry and at its foot, and a quarter of the
// ball's mass. The ball is so heavy and slow that the contact lasts 70 times as long as a wave
// needs from the top to the foot: the block is as good as at rest, as Hertz has it. The contact is
// small beside the ball, because surfaces move sideways by the order of their ratio. Refined (8
// cells in the radius of the contact, 150 steps): time 0.993 and force 1.009 of Hertz's.
#include "support.h"

#include "continuum/motion.h"

typedef struct hertz {
  double radius, mass, speed, reduced; // reduced: E / (1 - nu^2)
  double touching;                     // largest radius of the contact
  double time, force;                  // Hertz's contact time and peak force
} hertz;

static const double YOUNG = 1e9, POISSON = 0.3, DENSITY = 1000;

static hertz make_hertz(double radius, double touching, double time)
{
  hertz h = {.radius = radius, .touching = touching, .time = time};
  double depth = touching * touching / radius;
  h.reduced = YOUNG / (1 - POISSON * POISSON);
  h.force = 4. / 3 * h.reduced * sqrt(radius) * pow(depth, 1.5);
  // The approach ends after 2.9432 depth / speed, when all energy is in the contact.
  h.speed = 2.9432 * depth / time;
  h.mass = 2 * 8. / 15 * h.reduced * sqrt(radius) * pow(depth, 2.5) / (h.speed * h.speed);
  // The same time from Hertz's other formula.
  double again = 2.868 * pow(h.mass * h.mass / (radius * h.reduced * h.reduced * h.speed), 0.2);
  assert_near(again / time, 1, 1e-3);
  return h;
}

// Cells of size `fine` up to `near`, then growing by a constant ratio up to `far`.
static int grade(double fine, double near, double far, double ratio, double *place)
{
  int count = (int)lround(near / fine);
  for (int i = 0; i <= count; i++)
    place[i] = near * i / count;
  double size = fine;
  while (place[count] < far) {
    size *= ratio;
    place[count + 1] = place[count] + size;
    count++;
  }
  double stretch = (far - near) / (place[count] - near);
  for (int i = 0; i <= count; i++)
    if (place[i] > near)
      place[i] = near + (place[i] - near) * stretch;
  return count;
}

static pc_fe_mesh quarter_block(double touching, int cells, double size)
{
  double x[100], z[100], fine = touching / cells, far = size * touching;
  int across = grade(fine, 1.25 * touching, far, 1.5, x),
      deep = grade(fine, touching / 2, far, 1.5, z);
  double up[100];
  for (int i = 0; i <= deep; i++)
    up[i] = -z[deep - i];
  pc_fe_mesh mesh = pc_fe_mesh_empty(3);
  pc_fe_box box = {.cells = {across, across, deep},
                   .place = {x, x, up},
                   .type = PC_HEXAHEDRON8,
                   .name = "block",
                   .low = {"left", "front", "foot"},
                   .high = {NULL, NULL, "top"}};
  pc_fe_mesh_add_box(&mesh, &box);
  // Only this part of the top may be touched: all other nodes are condensed.
  int top = pc_fe_mesh_find_group(&mesh, "top", 2);
  int near = pc_fe_mesh_add_group(&mesh, "near", 2);
  for (int s = 0; s < mesh.side.count; s++) {
    pc_fe_cell *side = &mesh.side.cell[s];
    bool inside = side->group == top;
    for (int k = 0; k < 4 && inside; k++) {
      const double *p = mesh.node[mesh.side.node[side->first + k]];
      inside = p[0] < 1.26 * touching && p[1] < 1.26 * touching;
    }
    side->group = inside ? near : side->group;
  }
  return mesh;
}

typedef struct found {
  double time, force, rebound, identity;
} found;

static found drop(const hertz *h, int cells, double size, int steps)
{
  pc_error error = {0};
  pc_fe_mesh mesh = quarter_block(h->touching, cells, size);
  pc_fe_solid solid = {.group = pc_fe_mesh_find_group(&mesh, "block", 3),
                       .density = DENSITY,
                       .young = YOUNG,
                       .poisson = POISSON};
  pc_fe_hold hold[] = {{.sides = pc_fe_mesh_find_group(&mesh, "left", 2), .x = true},
                       {.sides = pc_fe_mesh_find_group(&mesh, "front", 2), .y = true},
                       {.sides = pc_fe_mesh_find_group(&mesh, "foot", 2), .z = true}};
  pc_shape *shape = pc_shape_sphere(h->radius, &error);
  double step = h->time / steps;
  pc_fe_mover ball = {.body = {.mass = h->mass / 4,
                               .moments = {1, 1, 1},
                               .centre = {0, 0, h->radius + 0.4 * h->speed * step},
                               .held = {true, true, false, true, true, true}},
                      .shape = shape,
                      .velocity = {0, 0, -h->speed}};
  pc_fe_meet meet = {.sides = pc_fe_mesh_find_group(&mesh, "near", 2), .body = 0};
  pc_fe_motion_def def = pc_fe_motion_def_default();
  def.mesh = &mesh;
  def.solids = 1, def.solid = &solid;
  def.holds = 3, def.hold = hold;
  def.bodies = 1, def.body = &ball;
  def.meets = 1, def.meet = &meet;
  def.step = step;
  pc_fe_motion *motion = pc_fe_motion_create(&def, &error);
  if (motion == NULL)
    fail_msg("%s", error.text);
  found f = {0};
  double last[3] = {0}, began = -1, total = 0;
  for (int i = 0; i < 2 * steps; i++) {
    assert_ok(pc_fe_motion_advance(motion, &error), &error);
    pc_fe_motion_state s = pc_fe_motion_look(motion);
    pc_fe_motion_account a = pc_fe_motion_balance(motion);
    assert_int_equal(a.unsolved, 0);
    f.identity = fmax(f.identity, a.identity);
    double r = s.wall[0].percussion[0] - total;
    total = s.wall[0].percussion[0];
    last[0] = last[1], last[1] = last[2], last[2] = 4 * r / step;
    f.force = fmax(f.force, (last[0] + 2 * last[1] + last[2]) / 4);
    if (began < 0 && r > 0)
      began = s.time - step / 2;
    if (r > 0)
      f.time = s.time - step / 2 - began + step;
    if (began >= 0 && s.wall[0].closed == 0 && s.time - began > h->time / 2)
      break;
  }
  f.rebound = pc_fe_motion_look(motion).body[0].velocity[2] / h->speed;
  printf("%d nodes: time %.4f and force %.4f of Hertz's, rebound %.4f, balance %.1e\n", mesh.nodes,
         f.time / h->time, f.force / h->force, f.rebound, f.identity);
  pc_fe_motion_destroy(motion);
  pc_shape_release(shape);
  pc_fe_mesh_free(&mesh);
  return f;
}

static void a_ball_on_a_block_obeys_hertz(void **state)
{
  hertz h = make_hertz(0.1, 1e-3, 5e-3);
  found f = drop(&h, 4, 80, 100);
  assert_near(f.time / h.time, 1, 0.02);
  assert_near(f.force / h.force, 1, 0.02);
  assert_true(f.rebound > 0.995 && f.rebound <= 1);
  assert_true(f.identity < 1e-12);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_on_a_block_obeys_hertz),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
