// percuss demo: a few collisions with printed outcomes.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "percuss/scene.h"

// Every case is also a file in scenes/, for reading and changing; here they are texts, so that the
// demo runs anywhere.

static void headline(const char *title, const char *text)
{
  printf("\n%s\n", title);
  for (size_t i = 0; i < strlen(title); i++)
    putchar('-');
  printf("\n%s\n\n", text);
}

static void rerun(const char *file)
{
  printf("\n"
         "  run it:  build/percuss solve scenes/%s\n",
         file);
}

static double tidy(double x)
{
  return fabs(x) < 1e-12 ? 0 : x;
}

// Solves the problem that a text states, after values are put in as printf does. Gives whether it
// is solved; `failures` counts those that are not. The caller frees the problem.
__attribute__((format(printf, 4, 5))) static bool
solve(pc_scene_impact *problem, pc_solve_info *info, int *failures, const char *format, ...)
{
  char text[2000];
  pc_error error = {.text = ""};
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  pc_status status = pc_scene_parse_impact("demo", text, problem, &error);
  bool stated = status == PC_OK;
  if (stated)
    status = pc_impact_solve(problem->problem, NULL, info);
  bool good = status == PC_OK && info->status == PC_SOLVED && info->audit.closed;
  if (!good) {
    printf("  not solved\n");
    app_complain("percuss demo: not solved: %s",
                 stated ? pc_impact_error(problem->problem) : error.text);
    ++*failures;
  }
  return good;
}

static void print_balance(const pc_solve_info *info)
{
  printf("  energy: %.5g J before, %.5g J dissipated, %.5g J after (balance error %.0e)\n",
         info->audit.kinetic_before, info->audit.dissipated, info->audit.kinetic_after,
         info->audit.identity);
}

// Disks of radius 1: the first arrives with a spin, the third sits at a right angle (book, figure
// 4.3).
static const char three_disks[] =
    "kind: impact\n"
    "bodies:\n"
    "  - {id: disk1, dof: 3, mass: 1, inertia: 0.5, position: [0, 0], velocity: [1, 0, 1]}\n"
    "  - {id: disk2, dof: 3, mass: 1, inertia: 0.5, position: [2, 0], velocity: [0, 0, 0]}\n"
    "  - {id: disk3, dof: 3, mass: 1, inertia: 0.5, position: [2, 2], velocity: [0, 0, 0]}\n"
    "interactions:\n"
    "  - {type: contact, bodies: [disk1, disk2], point: [1, 0], normal: [-1, 0],\n"
    "     law: {normal: {kind: quadratic, k: 1}, tangential: {kind: viscous, k: 1}}}\n"
    "  - {type: contact, bodies: [disk2, disk3], point: [2, 1], normal: [0, -1],\n"
    "     law: {normal: {kind: quadratic, k: 1}, tangential: {kind: viscous, k: 1}}}\n";

static void show_disks(int *failures)
{
  headline("Three disks",
           "Disk 1 arrives at 1 m/s with a spin of 1 rad/s. Disks 2 and 3 are at rest and touch, "
           "at a right\n"
           "angle. When disk 1 hits disk 2, does it also act on disk 3, which it does not touch?");
  static const char *const distance[] = {
      "", "  - {type: distance, bodies: [disk1, disk3], points: [[1, 0], [2, 1]],\n"
          "     law: {kind: quadratic, k: 1}}\n"};
  pc_solve_info info[2];
  double after[2][3][6];
  bool good = true;
  for (int k = 0; k < 2; k++) {
    pc_scene_impact problem;
    good = solve(&problem, &info[k], failures, "%s%s", three_disks, distance[k]) && good;
    for (int i = 0; good && i < 3; i++)
      pc_impact_velocity(problem.problem, i, after[k][i]);
    pc_scene_impact_free(&problem);
  }
  if (!good)
    return;
  printf("  %-7s %24s  %26s  %26s\n", "", "before", "after, contacts alone",
         "with interaction at a distance");
  printf("  %-7s %7s %8s %7s  %8s %8s %8s  %8s %8s %8s\n", "", "vx", "vy", "spin", "vx", "vy",
         "spin", "vx", "vy", "spin");
  for (int i = 0; i < 3; i++) {
    printf("  disk %-2d %7d %8d %7d ", i + 1, i == 0, 0, i == 0);
    for (int k = 0; k < 2; k++) {
      printf("%s", k == 0 ? "" : " ");
      for (int c = 0; c < 3; c++)
        printf(" %8.4f", tidy(after[k][i][c]));
    }
    printf("\n");
  }
  printf("\n");
  for (int k = 0; k < 2; k++)
    print_balance(&info[k]);
  rerun("fremond/three-disks.yaml");
}

// On a plane; the tangential k of the contacts between the balls is put in. The inertia of the
// book's outcomes is 1.
static const char three_balls[] =
    "kind: impact\n"
    "bodies:\n"
    "  - {id: a, dof: 6, mass: 0.1, inertia: 1, position: [2, 0, 0],\n"
    "     velocity: [1, 0, 0, 0, 1, 0]}\n"
    "  - {id: b, dof: 6, mass: 0.1, inertia: 1, position: [4, 0, 0],\n"
    "     velocity: [0, 0, 0, 0, 0, 0]}\n"
    "  - {id: c, dof: 6, mass: 0.1, inertia: 1, position: [6, 0, 0],\n"
    "     velocity: [0, 0, 0, 0, 0, 0]}\n"
    "interactions:\n"
    "  - {type: contact, bodies: [a, b], point: [3, 0, 0], normal: [-1, 0, 0], law: &balls\n"
    "     {normal: {kind: quadratic, k: 1}, tangential: {kind: viscous, k: %d}}}\n"
    "  - {type: contact, bodies: [b, c], point: [5, 0, 0], normal: [-1, 0, 0], law: *balls}\n"
    "  - {type: contact, bodies: [a], point: [2, 0, -1], normal: [0, 0, 1], law: &plane\n"
    "     {normal: {kind: quadratic, k: 1}, tangential: {kind: viscous, k: 1}}}\n"
    "  - {type: contact, bodies: [b], point: [4, 0, -1], normal: [0, 0, 1], law: *plane}\n"
    "  - {type: contact, bodies: [c], point: [6, 0, -1], normal: [0, 0, 1], law: *plane}\n"
    "  - {type: distance, bodies: [a, c], points: [[3, 0, 0], [5, 0, 0]],\n"
    "     law: {kind: quadratic, k: 1}}\n";

static void show_balls(int *failures)
{
  headline("Three balls on a plane",
           "Ball 1 rolls into balls 2 and 3. With friction between the balls it climbs and jumps.\n"
           "Without friction all balls stay on the plane.");
  static const char *const names[] = {"friction between the balls", "no friction between them"};
  for (int k = 0; k < 2; k++) {
    pc_scene_impact problem;
    pc_solve_info info;
    if (solve(&problem, &info, failures, three_balls, k == 0)) {
      printf("  %-28s %10s %10s %10s\n", names[k], "vx", "vz", "spin y");
      for (int i = 0; i < 3; i++) {
        double v[6];
        pc_impact_velocity(problem.problem, i, v);
        printf("  ball %d %32.4f %10.4f %10.4f   %s\n", i + 1, tidy(v[0]), tidy(v[2]), tidy(v[4]),
               v[2] > 1e-9 ? "jumps" : "stays");
      }
      print_balance(&info);
      printf("%s", k == 0 ? "\n" : "");
    }
    pc_scene_impact_free(&problem);
  }
  rerun("fremond/three-balls-5-2ab.yaml     (and three-balls-5-2cd.yaml)");
}

static double bump(double speed, int *failures)
{
  pc_scene_impact problem;
  pc_solve_info info;
  double after = 0;
  if (solve(
          &problem, &info, failures,
          "{kind: impact, bodies: [{id: car, dof: 1, mass: 2, velocity: [%.17g]}], interactions: "
          "[{type: contact, bodies: [car], normal: [1], law: {normal: {kind: threshold, k: 2, k0: "
          "4, u_lim: 0.25}}}]}",
          -speed))
    pc_impact_velocity(problem.problem, 0, &after);
  pc_scene_impact_free(&problem);
  return after;
}

static void show_bump(int *failures)
{
  headline(
      "Speed bump",
      "A car hits a speed bump. At low speed the suspension absorbs the impact, at higher speed "
      "the car\n"
      "is thrown up, and at too high a speed the suspension breaks. Velocities before and after:");
  enum { COLUMNS = 65, ROWS = 9 }; // 16 columns for 1 m/s
  double after[COLUMNS], most = 0;
  for (int i = 0; i < COLUMNS; i++) {
    after[i] = bump(4.0 * i / (COLUMNS - 1), failures);
    most = fmax(most, after[i]);
  }
  for (int row = ROWS; row >= 0; row--) {
    double level = most * row / ROWS;
    printf("  %5.2f |", level);
    int last = 0;
    for (int i = 0; i < COLUMNS; i++)
      if (fabs(after[i] - level) <= most / ROWS / 2) {
        printf("%*s", i - last + 1, "*");
        last = i + 1;
      }
    printf("%s\n", row == ROWS ? "   m/s after" : "");
  }
  printf("        +");
  for (int i = 0; i < COLUMNS; i++)
    putchar(i % 16 == 0 ? '+' : '-');
  printf("\n        ");
  for (int i = 0; i <= 4; i++)
    printf("%*d", i == 0 ? 2 : 16, i);
  printf("   m/s before\n");
  rerun("fremond/speed-bump.yaml");
}

static void show_cradle(int *failures)
{
  headline("Newton's cradle", "Three touching balls in a row; the left one arrives at 1 m/s. The "
                              "velocities after depend on k,\n"
                              "the coefficient of the contacts, and nu, that of the interaction "
                              "between first and last ball.");
  static const struct {
    const char *name;
    double k, nu;
  } cases[] = {{"clay         k = 0,    nu = 0", 0, 0},
               {"usual        k = 2,    nu = 0.2", 2, 0.2},
               {"elastic      k = 1e8,  nu = 0", 1e8, 0},
               {"cradle       k = 1e-8, nu = 1e8", 1e-8, 1e8}};
  printf("  %-34s %9s %9s %9s %12s\n", "", "left", "middle", "right", "J dissipated");
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    pc_scene_impact problem;
    pc_solve_info info;
    if (solve(&problem, &info, failures,
              "kind: impact\n"
              "bodies:\n"
              "  - {id: left, dof: 1, mass: 1, velocity: [1]}\n"
              "  - {id: middle, dof: 1, mass: 1, velocity: [0]}\n"
              "  - {id: right, dof: 1, mass: 1, velocity: [0]}\n"
              "interactions:\n"
              "  - {type: contact, bodies: [left, middle], normal: [-1],\n"
              "     law: {normal: {kind: quadratic, k: %1$g}}}\n"
              "  - {type: contact, bodies: [middle, right], normal: [-1],\n"
              "     law: {normal: {kind: quadratic, k: %1$g}}}\n"
              "  - {type: distance, bodies: [left, right], points: [[1], [3]],\n"
              "     law: {kind: quadratic, k: %2$g}}\n",
              cases[c].k, cases[c].nu)) {
      printf("  %-34s", cases[c].name);
      for (int i = 0; i < 3; i++) {
        double v;
        pc_impact_velocity(problem.problem, i, &v);
        printf(" %9.5f", fabs(v) < 5e-6 ? 0 : v);
      }
      printf(" %12.5f\n", fabs(info.audit.dissipated));
    }
    pc_scene_impact_free(&problem);
  }
  rerun("fremond/newtons-cradle.yaml");
}

static const app_option options[] = {{NULL, NULL, 0, NULL}};

static int demo(const void *given, int count, char **arguments)
{
  if (count != 0)
    return app_complain("percuss demo: no arguments are allowed");
  int failures = 0;
  printf("Four collisions with their energy balances. Velocities in m/s, spins in rad/s.\n");
  show_disks(&failures);
  show_balls(&failures);
  show_bump(&failures);
  show_cradle(&failures);
  printf("\n"
         "Next: change a number in a file of scenes/ and solve it again. 'build/percuss help' "
         "lists the\n"
         "commands; 'build/percuss validate --quick' recomputes published results.\n");
  return failures == 0 ? APP_OK : APP_FAILED;
}

const app_command app_demo = {
    "demo",
    "",
    "solve four example collisions",
    "The collisions are built in. The same ones are files in scenes/fremond. Units are SI.\n",
    options,
    "Exit status: 0 all solved; 1 not all solved; 2 wrong usage.\n",
    NULL,
    demo};
