// León's thesis: the velocities after a collision as one quadratic program. Its k (3.10, 3.17 and
// algorithm 13) is ours. The thesis prints the program and no numbers for it: what is expected here
// was worked out from the program by hand or by an independent dense solver.
#include <math.h>
#include <string.h>

#include "percuss/random.h"
#include "setup.h"

static const double up[3] = {0, 0, 1};

typedef struct box_outcome {
  bool ok;
  double after[6];
  double normal_percussion; // sum over the contacts, pushing apart
  pc_audit audit;
} box_outcome;

static const double half[3] = {1, 0.5, 0.25};

// Lower corner i of a box of 2 x 1 x 0.5 m centred at the origin.
static void corner(int i, double point[3])
{
  point[0] = i == 1 || i == 2 ? half[0] : -half[0];
  point[1] = i >= 2 ? half[1] : -half[1];
  point[2] = -half[2];
}

static box_outcome drop_box(pc_report *report, const double *velocity, const double *percussion,
                            double k_normal, double k_tangential, unsigned corners)
{
  pc_impact_body body = pc_impact_body_default();
  for (int i = 0; i < 3; i++) {
    double a = half[(i + 1) % 3], b = half[(i + 2) % 3];
    body.inertia[4 * i] = (a * a + b * b) / 3;
  }
  memcpy(body.velocity, velocity, sizeof body.velocity);
  memcpy(body.percussion, percussion, sizeof body.percussion);
  pc_law law = pc_setup_linear(k_normal, k_tangential);
  box_outcome o = {.after = {NAN, NAN, NAN, NAN, NAN, NAN}, .normal_percussion = NAN};
  o.audit = (pc_audit){.kinetic_before = NAN, .kinetic_after = NAN};
  pc_impact *problem = pc_report_problem(report);
  if (problem == NULL)
    return o;
  pc_impact_add_body(problem, &body);
  for (int i = 0; i < 4; i++)
    if (corners & 1u << i) {
      double point[3];
      corner(i, point);
      pc_setup_contact(problem, 0, PC_OBSTACLE, point, up, &law);
    }
  pc_solve_options options = pc_report_options();
  pc_solve_info info;
  o.ok = pc_report_solve_with(report, problem, &options, &info);
  if (o.ok) {
    pc_impact_velocity(problem, 0, o.after);
    o.audit = info.audit;
    o.normal_percussion = 0;
    for (int k = 0; k < pc_impact_interactions(problem); k++) {
      pc_interaction_answer answer;
      pc_impact_answer(problem, k, &answer);
      o.normal_percussion -= answer.percussion[2];
    }
  }
  pc_impact_destroy(problem);
  return o;
}

static double corner_speed(const box_outcome *o, int i)
{
  double r[3];
  corner(i, r);
  return o->after[2] + o->after[3] * r[1] - o->after[4] * r[0];
}

static const double nothing[6] = {0};

static void point(pc_report *report)
{
  static const struct {
    const char *name;
    double k_normal, k_tangential, x, z;
  } rows[] = {{"point_2_1", 2, 1, 1.8, 0},
              {"point_4_2", 4, 2, 1, 0},
              {"point_8_4", 8, 4, 0, 4 / 3.},
              {"point_12_8", 12, 8, -1, 2}};
  for (int i = 0; i < 4; i++) {
    double velocity[6] = {3, 0, -4}, origin[3] = {0};
    pc_law law = pc_setup_linear(rows[i].k_normal, rows[i].k_tangential);
    pc_impact *problem = pc_report_problem(report);
    pc_setup_body(problem, 6, 2, 1, origin, velocity);
    pc_setup_contact(problem, 0, PC_OBSTACLE, origin, up, &law);
    if (pc_report_solve(report, problem))
      pc_impact_velocity(problem, 0, velocity);
    else
      velocity[0] = velocity[1] = velocity[2] = NAN;
    pc_impact_destroy(problem);
    const char *oracle = "(2m - kT)/(2m + kT) u_T and max(0, (kN - 2m)/(kN + 2m)) |u_N|; m = 2, "
                         "u- = (3, 0, -4), kN and kT in the name";
    pc_report_derived(report, pc_report_name(report, "%s.x", rows[i].name), "u_x+ on a plane",
                      rows[i].x, velocity[0], "m/s", 1e-12, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.y", rows[i].name), "u_y+ on a plane", 0,
                      velocity[1], "m/s", 1e-14, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.z", rows[i].name), "u_z+ on a plane",
                      rows[i].z, velocity[2], "m/s", 1e-12, oracle);
  }
}

static void box(pc_report *report)
{
  const double flat[6] = {0, 0, -1}, slanted[6] = {1, 0, -1};
  const double k[] = {0.25, 0.5, 1, 2}, expected[] = {0, 0, 1 / 3., 0.6};
  const char *name_k[] = {"quarter", "half", "one", "two"};
  for (int i = 0; i < 4; i++) {
    box_outcome o = drop_box(report, flat, nothing, k[i], 0, 15);
    pc_report_derived(report, pc_report_name(report, "flat.%s", name_k[i]),
                      "u_z+ of a box that lands on four corners", expected[i], o.after[2], "m/s",
                      1e-12,
                      "four corners act as 4 kN: max(0, (4kN - 2m)/(4kN + 2m)); m = 1, u_z- = -1, "
                      "kN in the name");
  }

  box_outcome o = drop_box(report, slanted, nothing, 1, 1, 4);
  const double golden[6] = {0.346759618, -0.196230312, -0.672088820,
                            1.103020914, -0.464756003, 0.312935709};
  const char *name[] = {"ux", "uy", "uz", "wx", "wy", "wz"};
  const char *oracle = "independent dense solver; box 2 x 1 x 0.5, m = 1, contact at (1, 0.5, "
                       "-0.25), u- = (1, 0, -1), kN = kT = 1";
  for (int i = 0; i < 6; i++)
    pc_report_derived(report, pc_report_name(report, "corner.%s", name[i]),
                      i < 3 ? "velocity after, one corner" : "angular velocity after, one corner",
                      golden[i], o.after[i], i < 3 ? "m/s" : "rad/s", 1e-9, oracle);
  pc_report_derived(report, "corner.energy", "change of kinetic energy, one corner", -0.572755074,
                    o.audit.kinetic_after - o.audit.kinetic_before, "J", 1e-9, oracle);

  double weight[6] = {0, 0, -9.81e-3};
  o = drop_box(report, nothing, weight, 1, 1, 15);
  double speed = 0;
  for (int i = 0; i < 6; i++)
    speed = o.ok ? fmax(speed, fabs(o.after[i])) : NAN;
  pc_report_derived(report, "resting.velocity", "largest component of u+ of a box at rest", 0,
                    speed, "m/s", 1e-14, "rest is the solution under the weight of one step");
  pc_report_derived(report, "resting.percussion", "sum of the normal percussions of a box at rest",
                    9.81e-3, o.normal_percussion, "N s", 1e-13,
                    "m g dt with m = 1 kg, dt = 1 ms; the four parts are not unique");

  // Erratum: algorithm 6 drops the row that depends linearly on the other three.
  double r[3], blow[6] = {0, 0, -1};
  corner(3, r);
  blow[3] = r[1] * -1;
  blow[4] = r[0] * 1;
  o = drop_box(report, nothing, blow, 0, 0, 15);
  speed = 0;
  for (int i = 0; i < 4; i++)
    speed = o.ok ? fmax(speed, fabs(corner_speed(&o, i))) : NAN;
  pc_report_derived(report, "rows.all", "largest corner speed, all four rows", 0, speed, "m/s",
                    1e-12, "a unit percussion down on a corner that the ground carries");
  o = drop_box(report, nothing, blow, 0, 0, 7);
  double across =
      4 * half[0] * half[0] * half[1] * half[1] / (half[0] * half[0] + half[1] * half[1]);
  pc_report_derived(
      report, "rows.dropped", "velocity of the corner whose row is dropped",
      -12 * across / (2 * across + 4 * half[2] * half[2]), corner_speed(&o, 3), "m/s", 1e-11,
      "algorithm 6 keeps three rows only, which is wrong for inequalities: the box "
      "turns about a diagonal and the corner goes through the ground at 12 d^2/(2 d^2 "
      "+ c^2), d the corner's distance to the diagonal, c the height");
}

// Bodies on a line, body i in front of body i + 1.
static bool line(pc_report *report, int n, const double *mass, double k, double *velocity)
{
  pc_law law = {.normal = {.kind = PC_NORMAL_QUADRATIC, .k = k}};
  const double toward_first[1] = {-1};
  pc_impact *problem = pc_report_problem(report);
  for (int i = 0; i < n; i++) {
    double position[1] = {i};
    pc_setup_body(problem, 1, mass[i], 1, position, velocity + i);
  }
  for (int i = 0; i + 1 < n; i++)
    pc_setup_contact(problem, i, i + 1, toward_first, toward_first, &law);
  bool ok = pc_report_solve(report, problem);
  for (int i = 0; i < n; i++) {
    velocity[i] = NAN;
    if (ok)
      pc_impact_velocity(problem, i, velocity + i);
  }
  pc_impact_destroy(problem);
  return ok;
}

static void chain(pc_report *report)
{
  static const struct {
    const char *name;
    double k, v[2];
  } pair[] = {{"pair_soft", 1, {-0.25, -0.25}},
              {"pair_limit", 1.5, {-0.25, -0.25}},
              {"pair_stiff", 4.5, {-1.375, 0.125}}};
  const char *oracle = "e = max(0, (kN - 2m*)/(kN + 2m*)), m* = 0.75; m = 1 and 3, v = 2 and -1";
  for (int i = 0; i < 3; i++) {
    double mass[2] = {1, 3}, v[2] = {2, -1};
    line(report, 2, mass, pair[i].k, v);
    for (int b = 0; b < 2; b++)
      pc_report_derived(report, pc_report_name(report, "%s.v%d", pair[i].name, b + 1),
                        "velocity after a head-on collision", pair[i].v[b], v[b], "m/s", 1e-12,
                        oracle);
    pc_report_derived(report, pc_report_name(report, "%s.momentum", pair[i].name),
                      "momentum after a head-on collision", -1, mass[0] * v[0] + mass[1] * v[1],
                      "kg m/s", 1e-12, "as before");
  }
  static const struct {
    const char *name;
    double k, v[3], tolerance;
  } three[] = {{"three_soft", 0.5, {1 / 3., 1 / 3., 1 / 3.}, 1e-12},
               {"three_limit", 1, {1 / 3., 1 / 3., 1 / 3.}, 1e-12},
               {"three_2", 2, {0.2, 0.4, 0.4}, 1e-12},
               {"three_10", 10, {-3 / 17., 10 / 17., 10 / 17.}, 1e-12},
               {"three_stiff", 1e10, {-1 / 3., 2 / 3., 2 / 3.}, 1e-9}};
  for (int i = 0; i < 5; i++) {
    double mass[3] = {1, 1, 1}, v[3] = {1, 0, 0};
    line(report, 3, mass, three[i].k, v);
    for (int b = 0; b < 3; b++)
      pc_report_derived(report, pc_report_name(report, "%s.v%d", three[i].name, b + 1),
                        "velocity after, three equal masses in contact", three[i].v[b], v[b], "m/s",
                        three[i].tolerance,
                        "statuses by hand for kN = 0.5, 1, 2, 10 and 1e10 (towards infinity)");
  }
}

// KE+ - KE- = -x^T Xi x + (1/2) sum mu_k c_k^T u- + x^T b, for random boxes in a corner of the
// world.
static void energy(pc_report *report)
{
  pc_random random;
  pc_random_seed(&random, 253);
  double worst = 0;
  int gains = 0;
  for (int n = 0; n < 150; n++) {
    enum { BODIES = 3, CONTACTS = 5 };
    pc_impact *problem = pc_report_problem(report);
    if (problem == NULL)
      return;
    pc_impact_body body[BODIES];
    for (int b = 0; b < BODIES; b++) {
      body[b] = pc_impact_body_default();
      body[b].mass = exp(pc_random_uniform(&random, -1, 1));
      for (int i = 0; i < 3; i++) {
        body[b].inertia[4 * i] = body[b].mass * pc_random_uniform(&random, 0.3, 0.6);
        body[b].position[i] = pc_random_uniform(&random, -1, 1);
      }
      for (int i = 0; i < 6; i++) {
        body[b].velocity[i] = pc_random_normal(&random);
        body[b].percussion[i] = 0.3 * pc_random_normal(&random);
      }
      pc_impact_add_body(problem, &body[b]);
    }
    double normal[CONTACTS][3], k_normal[CONTACTS], k_tangential[CONTACTS];
    for (int c = 0; c < CONTACTS; c++) {
      double where[3];
      int first = pc_random_below(&random, BODIES);
      for (int i = 0; i < 3; i++) {
        normal[c][i] = pc_random_normal(&random);
        where[i] = pc_random_uniform(&random, -1, 1);
      }
      double size = sqrt(normal[c][0] * normal[c][0] + normal[c][1] * normal[c][1] +
                         normal[c][2] * normal[c][2]);
      for (int i = 0; i < 3; i++)
        normal[c][i] /= size;
      k_normal[c] = pc_random_uniform(&random, 0, 3);
      k_tangential[c] = pc_random_uniform(&random, 0, 3);
      pc_law law = pc_setup_linear(k_normal[c], k_tangential[c]);
      pc_setup_contact(problem, first, c < 2 ? PC_OBSTACLE : (first + 1) % BODIES, where, normal[c],
                       &law);
    }
    double change = 0, right = 0, size = 0;
    if (!pc_report_solve(report, problem))
      worst = NAN;
    for (int b = 0; b < BODIES; b++) {
      double after[6];
      pc_impact_velocity(problem, b, after);
      for (int i = 0; i < 6; i++) {
        double m = i < 3 ? body[b].mass : body[b].inertia[4 * (i - 3)];
        double before = body[b].velocity[i];
        change += m * (after[i] * after[i] - before * before) / 2;
        size += m * before * before / 2;
        right += (after[i] + before) / 2 * body[b].percussion[i];
      }
    }
    for (int c = 0; c < CONTACTS; c++) {
      pc_interaction_answer a;
      pc_impact_answer(problem, c, &a);
      double along = 0, square = 0;
      for (int i = 0; i < 3; i++) {
        along += a.deformation[i] * normal[c][i];
        square += a.deformation[i] * a.deformation[i];
      }
      double viscous = k_normal[c] * along * along + k_tangential[c] * (square - along * along);
      double reaction = -a.reaction * pc_setup_normal_before(&a, normal[c]) / 2;
      right += -viscous + reaction;
      gains += viscous < -1e-12 || (pc_setup_normal_before(&a, normal[c]) < 0 && reaction > 1e-12);
    }
    worst = pc_worst(worst, fabs(change - right) / size);
    pc_impact_destroy(problem);
  }
  pc_report_derived(report, "energy.identity", "largest error of the energy identity, relative", 0,
                    worst, "1", 1e-11,
                    "KE+ - KE- = -x'Xi x + (1/2) mu'C u- + x'b, the account of (2.46) with "
                    "u+ = 2x - u-; 150 random collisions of 3 bodies, seed 253");
  pc_report_property(report, "energy.clausius_duhem",
                     "contacts that approached and returned energy (2.51)", gains,
                     "the same collisions");
}

static void qp(pc_report *report)
{
  point(report);
  box(report);
  chain(report);
  energy(report);
}

const pc_case pc_cases_leon_qp[] = {
    {"leon.qp", "León, thesis (2016), sections 2.2, 3.1 and algorithm 13", false, qp},
    {0},
};
