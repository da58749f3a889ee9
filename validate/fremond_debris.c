// Frémond's book, chapter 9: a debris flow hits a wall.
#include <math.h>
#include <stdlib.h>

#include "fe_trial.h"

#define BOOK "Fremond, Collisions Engineering (2017), "

typedef enum profile { UNIFORM, PARABOLA } profile;

// Contact 0 is between flow and wall; its face may have a layer of sand before concrete.
typedef struct debris {
  double length, height;          // of the flow, m
  double thick, tall, sand;       // of the wall, the sand before it, m
  double density, viscosity;      // of the flow
  double wall_density, wall;      // its viscosity, both kinds
  double sand_density, sand_wall; // the same of the sand
  double friction;                // kg/m2, tangential with `bilateral`, else of both
  bool bilateral;
  double soil; // 0: the base does not move; else its normal viscosity, the base does not slide
  profile profile;
  double speed;
  int cells; // along the height of the flow
} debris;

static const debris BASIC = {.length = 5,
                             .height = 2,
                             .thick = 1,
                             .tall = 3,
                             .density = 1000,
                             .viscosity = 1,
                             .wall_density = 2500,
                             .wall = 100,
                             .profile = PARABOLA,
                             .speed = 2,
                             .cells = 20};

static void add_wall(pc_fe_trial *t, const debris *d)
{
  int up = d->cells, above = (int)ceil((d->tall - d->height) / d->height * up);
  double left = d->length, face = left + d->sand, right = face + d->thick;
  pc_fe_places low = {2, {0, d->height}, {up}}, high = {2, {d->height, d->tall}, {above}};
  pc_fe_places wide = {2, {face, right}, {(int)ceil(d->thick / d->height * up)}};
  if (d->sand > 0) {
    pc_fe_places layer = {2, {left, face}, {(int)ceil(d->sand / d->height * up)}};
    pc_fe_trial_block(t, "sand", layer, low, "base", "seam", NULL, "face");
    pc_fe_trial_block(t, "wall", wide, low, "base", NULL, NULL, "seam_wall");
    pc_fe_mesh_join(&t->mesh, "seam", "seam_wall", NULL);
  } else {
    pc_fe_trial_block(t, "wall", wide, low, "base", NULL, above > 0 ? "middle" : NULL, "face");
  }
  if (above > 0 && d->sand == 0) {
    pc_fe_trial_block(t, "wall", wide, high, "middle_top", NULL, NULL, NULL);
    pc_fe_mesh_join(&t->mesh, "middle", "middle_top", NULL);
  }
}

static bool hit(pc_report *report, pc_fe_trial *t, const debris *d)
{
  pc_fe_trial_begin(t, 2);
  // Cells are finer towards the wall.
  double near = fmin(d->height, d->length / 2), middle = d->length - near;
  int rest = (int)ceil(middle / d->height * d->cells / 2);
  pc_fe_trial_block(
      t, "flow",
      (pc_fe_places){3, {0, middle, d->length}, {rest, (int)ceil(near / d->height * d->cells)}},
      (pc_fe_places){2, {0, d->height}, {d->cells}}, "bed", "front", NULL, "inlet");
  add_wall(t, d);
  pc_fe_trial_medium(t, "flow", true, d->density, d->viscosity, 0);
  pc_fe_trial_medium(t, "wall", false, d->wall_density, d->wall, d->wall);
  if (d->sand > 0)
    pc_fe_trial_medium(t, "sand", false, d->sand_density, d->sand_wall, d->sand_wall);
  pc_fe_trial_contact(t, "front", "face", -1, d->bilateral ? 0 : d->friction, d->friction,
                      d->bilateral ? PC_FE_BILATERAL : PC_FE_UNILATERAL);
  if (d->soil > 0)
    pc_fe_trial_contact(t, "base", NULL, -1, d->soil, 0, PC_FE_LOOSE);
  pc_fe_trial_hold(t, "inlet", true, true, true);
  pc_fe_trial_hold(t, "bed", true, true, false);
  pc_fe_trial_hold(t, "base", true, d->soil == 0, false);
  bool good = pc_fe_trial_ready(t);
  int flow = pc_fe_mesh_find_group(&t->mesh, "flow", 2);
  for (int e = 0; good && e < t->mesh.body.count; e++) {
    const pc_fe_cell *cell = &t->mesh.body.cell[e];
    for (int k = 0; cell->group == flow && k < pc_element_of(cell->type)->nodes; k++) {
      int n = t->mesh.body.node[cell->first + k];
      double y = t->mesh.node[n][1] / d->height;
      t->before[2 * n] = d->speed * (d->profile == PARABOLA ? y * (2 - y) : 1);
    }
  }
  return pc_fe_trial_solve(report, t) && good;
}

// --- 9.2 and 9.3: the basic case and its parameters ----------------------------------------------

typedef struct target {
  const char *name;
  double percussion, peak, ux; // independent finite elements
  double book_ux;              // printed, NAN: not
  debris d;
} target;

static void basic(pc_report *report)
{
  target list[12];
  int count = 0;
#define CASE(...) list[count++] = (target){__VA_ARGS__, BASIC}
  CASE("basic", 1141, 715, 0.820, 0.8);
  CASE("density_1500", 1350, 864, 0.989, NAN), list[count - 1].d.density = 1500;
  CASE("density_2500", 1594, 1050, 1.198, NAN), list[count - 1].d.density = 2500;
  CASE("density_4500", 1828, 1242, 1.416, 1.5), list[count - 1].d.density = 4500;
  CASE("wall_1e3", 1808, 1090, 0.443, NAN), list[count - 1].d.wall = 1e3;
  CASE("wall_1e6", 2519, 1528, 0.012, NAN), list[count - 1].d.wall = 1e6;
  CASE("flow_0_01", 1131, 715, 0.819, NAN), list[count - 1].d.viscosity = 0.01;
  CASE("flow_0_1", 1132, 715, 0.819, NAN), list[count - 1].d.viscosity = 0.1;
  CASE("flow_5", 1160, 718, 0.823, NAN), list[count - 1].d.viscosity = 5;
  CASE("friction_10", 1145, 719, 0.823, NAN), list[count - 1].d.friction = 10;
  CASE("friction_1e3", 1162, 731, 0.835, NAN), list[count - 1].d.friction = 1e3;
  CASE("friction_1e7", 1163, 731, 0.835, NAN), list[count - 1].d.friction = 1e7;
#undef CASE
  const char *oracle = "independent finite elements; U- = 2 (y/h) (2 - y/h), which the book only "
                       "draws";
  double ux[12], uy[12];
  int apart = 0, pulling = 0;
  for (int i = 0; i < count; i++) {
    target *c = &list[i];
    c->d.bilateral = c->d.friction > 0;
    pc_fe_trial t;
    hit(report, &t, &c->d);
    pc_fe_surface s = pc_fe_trial_surface(&t, 0);
    ux[i] = t.solved ? s.high[0] : NAN;
    uy[i] = t.solved ? s.high[1] : NAN;
    if (c->d.friction == 0) {
      apart += t.solved ? s.nodes - s.staying : 1;
      for (int n = 0; t.solved && n < t.answer.touches; n++)
        pulling += t.answer.touch[n].reaction < -1e-6 * c->peak * t.answer.touch[n].weight;
    }
    pc_report_derived(report, pc_report_name(report, "%s.percussion", c->name),
                      "percussion of the flow on the wall", c->percussion, s.resultant, "N s/m",
                      0.01 * c->percussion, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.peak", c->name),
                      "largest normal percussion stress on it", c->peak, s.peak, "Pa s",
                      0.02 * c->peak, oracle);
    pc_report_derived(report, pc_report_name(report, "%s.ux", c->name),
                      "largest horizontal velocity on it", c->ux, ux[i], "m/s",
                      fmax(0.01 * c->ux, 1e-3), oracle);
    if (!isnan(c->book_ux))
      pc_report_published(report, pc_report_name(report, "%s.book", c->name),
                          "largest horizontal velocity on the wall", c->book_ux, ux[i], "m/s",
                          0.1 * c->book_ux, "read off a figure; the profile of U- is a choice");
    pc_fe_trial_end(&t);
  }
  pc_report_published(report, "wall_1e6.uy", "largest vertical velocity on a rigid wall", 5, uy[5],
                      "m/s", 0.5, "the profile of U- is a choice");
  pc_report_property(report, "contact", "nodes at which the flow leaves the wall", apart,
                     "9.2: contact is maintained, k = 0");
  pc_report_property(report, "reactions", "nodes at which the wall pulls", pulling, "k = 0");
  pc_report_property(
      report, "trends", "trends of the figures that are not found",
      !(ux[0] < ux[1] && ux[1] < ux[2] && ux[2] < ux[3]) + !(uy[0] > uy[1] && uy[2] > uy[3]) +
          !(ux[0] > ux[4] && ux[4] > ux[5]) + !(uy[0] < uy[4] && uy[4] < uy[5]) +
          !(fabs(ux[8] - ux[6]) < 0.01 * ux[0]) +
          !(uy[0] > uy[9] && uy[9] > uy[10] && uy[10] > uy[11] && uy[11] < 0.1),
      "9.3: with the density of the flow U_x grows and U_y falls; with the wall's viscosity U_x "
      "falls to 0 and U_y grows; the flow's viscosity changes U_x little; friction ends U_y");
}

// --- 9.4: a rigid wall, and the calibration -----------------------------------------------------

// Inviscid, on a bed without friction, long: P = 14 zeta(3) / pi^3 rho U h^2, and at the base p = 8
// G / pi^2 rho U h, with Catalan's constant.
static void rigid(pc_report *report)
{
  pc_fe_trial t;
  pc_fe_trial_begin(&t, 2);
  pc_fe_trial_block(&t, "flow", (pc_fe_places){4, {-6, -2, -0.5, 0}, {16, 15, 15}},
                    (pc_fe_places){2, {0, 1}, {30}}, "bed", "front", NULL, "inlet");
  pc_fe_trial_medium(&t, "flow", true, 1000, 1e-4, 0);
  pc_fe_trial_contact(&t, "front", NULL, -1, 0, 0, PC_FE_UNILATERAL);
  pc_fe_trial_hold(&t, "inlet", true, false, true);
  pc_fe_trial_hold(&t, "bed", false, true, false);
  bool good = pc_fe_trial_ready(&t);
  for (int n = 0; good && n < t.mesh.nodes; n++)
    t.before[2 * n] = 10;
  pc_fe_trial_solve(report, &t);
  pc_fe_surface s = pc_fe_trial_surface(&t, 0);
  double base = NAN;
  for (int n = 0; t.solved && n < t.mesh.nodes; n++)
    if (hypot(t.mesh.node[n][0], t.mesh.node[n][1]) < 1e-9)
      base = t.answer.pressure[n];
  pc_report_derived(report, "resultant", "percussion on a rigid wall over rho U h^2", 0.542755,
                    s.resultant / 1e4, "1", 2e-4, "14 zeta(3) / pi^3, inviscid, infinite flow");
  pc_report_derived(report, "base", "percussion pressure at its base over rho U h", 0.742454,
                    base / 1e4, "1", 1e-3, "8 G / pi^2");
  pc_fe_trial_end(&t);
}

static void calibration(pc_report *report)
{
  static const double wall[2] = {1e9, 1e4}, book[2] = {8000, 7500}, loose[2] = {300, 400};
  static const double reference[2] = {8084, 7864};
  static const char *const name[2] = {"wall_1e9", "wall_1e4"};
  for (int i = 0; i < 2; i++) {
    debris d = {.length = 3,
                .height = 1,
                .thick = 0.8,
                .tall = 1.5,
                .density = 1000,
                .viscosity = 1,
                .wall_density = 2500,
                .wall = wall[i],
                .profile = UNIFORM,
                .speed = 15,
                .cells = 40};
    pc_fe_trial t;
    hit(report, &t, &d);
    pc_fe_surface s = pc_fe_trial_surface(&t, 0);
    pc_report_published(report, pc_report_name(report, "%s.book", name[i]),
                        "percussion on the wall", book[i], s.resultant, "N s/m", loose[i],
                        "no choice of data in it");
    pc_report_derived(report, name[i], "the same", reference[i], s.resultant, "N s/m",
                      0.005 * reference[i], "independent finite elements");
    pc_fe_trial_end(&t);
  }
}

// --- 9.6 and 9.7: soil, and a layer of sand
// -------------------------------------------------------

static const debris LAYERED = {.length = 5,
                               .height = 1,
                               .thick = 0.8,
                               .tall = 1,
                               .density = 1500,
                               .viscosity = 1,
                               .wall_density = 2500,
                               .wall = 1e5,
                               .sand_density = 1800,
                               .sand_wall = 100,
                               .profile = UNIFORM,
                               .speed = 10,
                               .cells = 20};

// The largest |Sigma_xx| in the wall at a depth behind its face.
static double stress_at(const pc_fe_trial *t, double x)
{
  double largest = 0, (*stress)[3] = calloc((size_t)t->mesh.nodes, sizeof *stress);
  if (stress == NULL || !t->solved ||
      pc_fe_collision_stress(t->collision, 1, stress, NULL) != PC_OK)
    largest = NAN;
  for (int n = 0; !isnan(largest) && n < t->mesh.nodes; n++)
    if (fabs(t->mesh.node[n][0] - x) < 1e-9)
      largest = fmax(largest, fabs(stress[n][0]));
  free(stress);
  return largest;
}

static void sand(pc_report *report)
{
  double percussion[2], peak[2], stress[2][3];
  for (int i = 0; i < 2; i++) {
    debris d = LAYERED;
    d.sand = i * 0.4;
    pc_fe_trial t;
    hit(report, &t, &d);
    pc_fe_surface s = pc_fe_trial_surface(&t, 0);
    percussion[i] = s.resultant;
    peak[i] = s.peak;
    for (int k = 0; k < 3; k++)
      stress[i][k] = stress_at(&t, d.length + d.sand + 0.2 * (k + 1));
    pc_fe_trial_end(&t);
  }
  const char *oracle = "independent finite elements; 0.4 m of sand and 10 m/s are choices";
  pc_report_derived(report, "without.percussion", "percussion on the wall", 8001, percussion[0],
                    "N s/m", 0.01 * 8001, oracle);
  pc_report_derived(report, "with.percussion", "percussion on the sand", 4400, percussion[1],
                    "N s/m", 0.01 * 4400, oracle);
  pc_report_derived(report, "without.peak", "largest percussion stress on the wall", 10844, peak[0],
                    "Pa s", 0.02 * 10844, oracle);
  pc_report_derived(report, "with.peak", "largest percussion stress on the sand", 6140, peak[1],
                    "Pa s", 0.02 * 6140, oracle);
  int wrong = 0;
  for (int k = 0; k < 3; k++)
    wrong += !(stress[1][k] < stress[0][k]);
  pc_report_property(report, "stress", "depths of the concrete where sand does not lower Sigma_xx",
                     wrong, "9.7: 0.2, 0.4 and 0.6 m behind its face");
}

// A wall on soil with a growing viscosity: from a wall that sinks and rises freely to a fixed one.
static void soil(pc_report *report)
{
  debris d = BASIC;
  d.wall = 1e4;
  d.cells = 12;
  pc_fe_trial t;
  hit(report, &t, &d);
  double fixed = pc_fe_trial_surface(&t, 0).resultant, last = 0, percussion = 0;
  pc_fe_trial_end(&t);
  int wrong = 0;
  static const double viscosity[4] = {1, 1e3, 1e6, 1e9};
  for (int i = 0; i < 4; i++) {
    d.soil = viscosity[i];
    hit(report, &t, &d);
    percussion = pc_fe_trial_surface(&t, 0).resultant;
    wrong += !(percussion > last);
    last = percussion;
    pc_fe_trial_end(&t);
  }
  pc_report_property(report, "monotone", "soils that are stiffer and do not take more", wrong,
                     "(9.49), k_soil 1, 1e3, 1e6, 1e9");
  pc_report_derived(report, "fixed", "percussion on a wall on stiff soil", fixed, percussion,
                    "N s/m", 1e-3 * fixed, "the wall on soil that does not move");
}

const pc_case pc_cases_fremond_debris[] = {
    {"fremond.debris", BOOK "9.2 and 9.3", false, basic},
    {"fremond.debris.rigid", BOOK "9.4", false, rigid},
    {"fremond.debris.calibration", BOOK "9.4", false, calibration},
    {"fremond.debris.sand", BOOK "9.7", false, sand},
    {"fremond.debris.soil", BOOK "9.6", false, soil},
    {0},
};
