// percuss demo: a few collisions with printed outcomes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "percuss/impact.h"

// Every case is also a file in scenes/, for reading and changing; here they are built by the API,
// so that the demo runs anywhere.

static void headline(const char *title, const char *text)
{
  printf("\n%s\n", title);
  for (size_t i = 0; i < strlen(title); i++)
    putchar('-');
  printf("\n%s\n\n", text);
}

static void rerun(const char *file)
{
  printf("\n  again:  build/percuss solve scenes/%s\n", file);
}

static double tidy(double x)
{
  return fabs(x) < 1e-12 ? 0 : x;
}

// Whether it is solved; `failures` counts those that are not.
static bool solve(pc_impact *problem, pc_solve_info *info, int *failures)
{
  pc_status status = pc_impact_solve(problem, NULL, info);
  bool good = status == PC_OK && info->status == PC_SOLVED && info->audit.closed;
  if (!good) {
    printf("  not solved: %s\n", pc_impact_error(problem));
    ++*failures;
  }
  return good;
}

static void print_balance(const pc_solve_info *info)
{
  printf("  energy: %.5g J before, %.5g J dissipated, %.5g J after (the balance closes to %.0e)\n",
         info->audit.kinetic_before, info->audit.dissipated, info->audit.kinetic_after,
         info->audit.identity);
}

// Disks of radius 1: the first arrives with a spin, the third sits at an angle (book, figure 4.3).
static pc_impact *three_disks(double theta, double nu)
{
  double centres[3][2] = {{0, 0}, {2, 0}, {2 + 2 * cos(theta), 2 * sin(theta)}};
  pc_impact *problem = pc_impact_create();
  for (int i = 0; i < 3; i++) {
    pc_impact_body disk = pc_impact_body_default();
    disk.dof = 3;
    disk.inertia[0] = 0.5;
    memcpy(disk.position, centres[i], sizeof centres[i]);
    disk.velocity[0] = disk.velocity[2] = i == 0;
    pc_impact_add_body(problem, &disk);
  }
  double points[2][2];
  for (int i = 0; i < 2; i++) {
    pc_interaction contact = pc_interaction_default(PC_CONTACT);
    contact.bodies[0] = i;
    contact.bodies[1] = i + 1;
    for (int c = 0; c < 2; c++) {
      contact.point[c] = points[i][c] = (centres[i][c] + centres[i + 1][c]) / 2;
      contact.normal[c] = centres[i][c] - centres[i + 1][c];
    }
    contact.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 1};
    contact.law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_VISCOUS, .k = 1};
    pc_impact_add_interaction(problem, &contact);
  }
  if (nu > 0) {
    pc_interaction distance = pc_interaction_default(PC_DISTANCE);
    distance.bodies[0] = 0;
    distance.bodies[1] = 2;
    for (int i = 0; i < 2; i++)
      memcpy(distance.points[i], points[i], sizeof points[i]);
    distance.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = nu};
    pc_impact_add_interaction(problem, &distance);
  }
  return problem;
}

static void show_disks(int *failures)
{
  headline(
      "Three disks",
      "Disk 1 arrives at 1 m/s with a spin of 1 rad/s; disks 2 and 3 touch, at a right angle.\n"
      "When disk 1 hits disk 2, does it also act on disk 3, which it does not touch?");
  static const double nus[] = {0, 1};
  pc_solve_info info[2];
  double after[2][3][6];
  bool good = true;
  for (int k = 0; k < 2; k++) {
    pc_impact *problem = three_disks(3.14159265358979323846 / 2, nus[k]);
    good = solve(problem, &info[k], failures) && good;
    for (int i = 0; i < 3; i++)
      pc_impact_velocity(problem, i, after[k][i]);
    pc_impact_destroy(problem);
  }
  if (!good)
    return;
  printf("  %-7s %24s  %26s  %26s\n", "", "before", "after, contacts alone",
         "with a distance action");
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

static pc_impact *three_balls(double k_tangential)
{
  pc_impact *problem = pc_impact_create();
  for (int i = 0; i < 3; i++) {
    pc_impact_body ball = pc_impact_body_default(); // the inertia of the book's outcomes is 1
    ball.mass = 0.1;
    ball.position[0] = 2 + 2 * i;
    ball.velocity[0] = ball.velocity[4] = i == 0;
    pc_impact_add_body(problem, &ball);
  }
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 1};
  contact.law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_VISCOUS, .k = k_tangential};
  for (int i = 0; i < 2; i++) {
    contact.bodies[0] = i;
    contact.bodies[1] = i + 1;
    memcpy(contact.point, (double[3]){3 + 2 * i, 0, 0}, sizeof contact.point);
    memcpy(contact.normal, (double[3]){-1, 0, 0}, sizeof contact.normal);
    pc_impact_add_interaction(problem, &contact);
  }
  contact.law.tangential.k = 1;
  contact.bodies[1] = PC_OBSTACLE;
  for (int i = 0; i < 3; i++) {
    contact.bodies[0] = i;
    memcpy(contact.point, (double[3]){2 + 2 * i, 0, -1}, sizeof contact.point);
    memcpy(contact.normal, (double[3]){0, 0, 1}, sizeof contact.normal);
    pc_impact_add_interaction(problem, &contact);
  }
  pc_interaction distance = pc_interaction_default(PC_DISTANCE);
  distance.bodies[0] = 0;
  distance.bodies[1] = 2;
  memcpy(distance.points, (double[2][3]){{3, 0, 0}, {5, 0, 0}}, sizeof distance.points);
  distance.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 1};
  pc_impact_add_interaction(problem, &distance);
  return problem;
}

static void show_balls(int *failures)
{
  headline("Three balls on a plane",
           "Ball 1 rolls into balls 2 and 3. With friction between the balls it climbs and jumps;\n"
           "without, all of them stay on the plane.");
  static const char *const names[] = {"friction between the balls", "no friction between them"};
  for (int k = 0; k < 2; k++) {
    pc_impact *problem = three_balls(k == 0 ? 1 : 0);
    pc_solve_info info;
    if (solve(problem, &info, failures)) {
      printf("  %-28s %10s %10s %10s\n", names[k], "vx", "vz", "spin y");
      for (int i = 0; i < 3; i++) {
        double v[6];
        pc_impact_velocity(problem, i, v);
        printf("  ball %d %32.4f %10.4f %10.4f   %s\n", i + 1, tidy(v[0]), tidy(v[2]), tidy(v[4]),
               v[2] > 1e-9 ? "jumps" : "stays");
      }
      print_balance(&info);
      printf("%s", k == 0 ? "\n" : "");
    }
    pc_impact_destroy(problem);
  }
  rerun("fremond/three-balls-5-2ab.yaml     (and three-balls-5-2cd.yaml)");
}

static double bump(double speed, int *failures)
{
  pc_impact *problem = pc_impact_create();
  pc_impact_body car = pc_impact_body_default();
  car.dof = 1;
  car.mass = 2;
  car.velocity[0] = -speed;
  pc_impact_add_body(problem, &car);
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.law.normal = (pc_normal_law){.kind = PC_NORMAL_THRESHOLD, .k = 2, .k0 = 4, .u_lim = 0.25};
  pc_impact_add_interaction(problem, &contact);
  pc_solve_info info;
  double after = 0;
  if (solve(problem, &info, failures))
    pc_impact_velocity(problem, 0, &after);
  pc_impact_destroy(problem);
  return after;
}

static void show_bump(int *failures)
{
  headline(
      "Speed bump",
      "A car meets a speed bump. Slow: the suspension takes it. Faster: it is thrown up.\n"
      "Too fast: the suspension breaks, and nothing throws it up. Velocity after against before:");
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
  headline("Newton's cradle", "Three touching balls in a row; the left one arrives at 1 m/s. What "
                              "leaves depends on what the\n"
                              "balls do to each other: k at the contacts, nu at a distance between "
                              "the first and the last.");
  static const struct {
    const char *name;
    double k, nu;
  } cases[] = {{"clay         k = 0,    nu = 0", 0, 0},
               {"usual        k = 2,    nu = 0.2", 2, 0.2},
               {"elastic      k = 1e8,  nu = 0", 1e8, 0},
               {"cradle       k = 1e-8, nu = 1e8", 1e-8, 1e8}};
  printf("  %-34s %9s %9s %9s %12s\n", "", "left", "middle", "right", "J dissipated");
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    pc_impact *problem = pc_impact_create();
    for (int i = 0; i < 3; i++) {
      pc_impact_body ball = pc_impact_body_default();
      ball.dof = 1;
      ball.velocity[0] = i == 0;
      pc_impact_add_body(problem, &ball);
    }
    for (int i = 0; i < 2; i++) {
      pc_interaction contact = pc_interaction_default(PC_CONTACT);
      contact.bodies[0] = i;
      contact.bodies[1] = i + 1;
      contact.normal[0] = -1;
      contact.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = cases[c].k};
      pc_impact_add_interaction(problem, &contact);
    }
    pc_interaction distance = pc_interaction_default(PC_DISTANCE);
    distance.bodies[1] = 2;
    distance.points[0][0] = 1;
    distance.points[1][0] = 3;
    distance.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = cases[c].nu};
    pc_impact_add_interaction(problem, &distance);
    pc_solve_info info;
    if (solve(problem, &info, failures)) {
      printf("  %-34s", cases[c].name);
      for (int i = 0; i < 3; i++) {
        double v;
        pc_impact_velocity(problem, i, &v);
        printf(" %9.5f", fabs(v) < 5e-6 ? 0 : v);
      }
      printf(" %12.5f\n", fabs(info.audit.dissipated));
    }
    pc_impact_destroy(problem);
  }
  rerun("fremond/newtons-cradle.yaml");
}

static const app_option options[] = {{NULL, NULL, 0, NULL}};

static int demo(int argc, char **argv)
{
  int rest = app_parse(argc, argv, &app_demo, NULL);
  if (rest != 0)
    return rest < 0 ? APP_BAD_INPUT : app_complain("percuss demo: takes no arguments");
  int failures = 0;
  printf("Four collisions, solved exactly, with their energy balance.\n");
  show_disks(&failures);
  show_balls(&failures);
  show_bump(&failures);
  show_cradle(&failures);
  printf("\nNext: change a number in a file of scenes/ and solve it again; 'build/percuss help' "
         "lists the\n"
         "commands, 'build/percuss validate --quick' recomputes the published results.\n");
  return failures == 0 ? APP_OK : APP_FAILED;
}

const app_command app_demo = {
    "demo",
    "",
    "show a few collisions",
    "The collisions are built in; the same ones are files in scenes/fremond. Units are SI.\n",
    options,
    "Exit status: 0 all solved; 1 one was not; 2 bad usage.\n",
    demo};
