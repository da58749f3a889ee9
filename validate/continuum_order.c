// Collisions of continua against a solution in closed form: how fast meshes converge.
#include <math.h>
#include <stdio.h>

#include "continuum_trial.h"

static const double PI = 3.14159265358979323846;

// In a square of side 1 whose walls let everything slide, U- = curl sin(pi x) sin(pi y) + g grad
// cos(pi x) cos(pi y). Both parts are eigenfunctions of the viscosities, and neither pulls along
// the walls: each is multiplied by (rho - c) / (rho + c), with c = 2 pi^2 k for the curl and 2 pi^2
// (2 k + k^) for the gradient. A fluid loses the gradient and has P = (rho - 4 pi^2 k) cos(pi x)
// cos(pi y).
typedef struct square {
  bool fluid;
  double density, strain, volume, g;
} square;

static void split(double g, const double x[2], double curl[2], double slope[2])
{
  double s[2], c[2];
  for (int k = 0; k < 2; k++) {
    s[k] = sin(PI * x[k]);
    c[k] = cos(PI * x[k]);
  }
  curl[0] = PI * s[0] * c[1];
  curl[1] = -PI * c[0] * s[1];
  slope[0] = -g * PI * s[0] * c[1];
  slope[1] = -g * PI * c[0] * s[1];
}

static void give_truth(const void *context, const double x[2], double *value)
{
  const square *q = context;
  double curl[2], slope[2], c = 2 * PI * PI * q->strain;
  double d = 2 * c + 2 * PI * PI * q->volume, m = q->density;
  split(q->g, x, curl, slope);
  for (int k = 0; k < 2; k++)
    value[k] = (m - c) / (m + c) * curl[k] + (q->fluid ? 0 : (m - d) / (m + d) * slope[k]);
  value[2] = q->fluid ? q->g * (m - 2 * c) * cos(PI * x[0]) * cos(PI * x[1]) : 0;
}

static void collide(pc_report *report, const square *q, bool triangles, bool linear, int cells,
                    double distance[2])
{
  continuum_trial t;
  continuum_read(&t,
                 "kind: continuum\n"
                 "mesh: {order: %d, rectangles: [{name: square, x: [0, 1], y: [0, 1], "
                 "cells: [%d, %d], triangles: %s, "
                 "sides: {bottom: floor, right: wall, top: floor, left: wall}}]}\n"
                 "media: {square: {fluid: %s, density: %.17g, viscosity: %.17g%s}}\n"
                 "hold: [{sides: wall, components: [x]}, {sides: floor, components: [y]}]\n"
                 "pushes: [{sides: wall, percussion: [0, 0]}]\n", // the reader wants a cause
                 linear ? 1 : 2, cells, cells, triangles ? "true" : "false",
                 q->fluid ? "true" : "false", q->density, q->strain,
                 q->fluid ? "" : ", volume_viscosity: 0.1");
  for (int n = 0; n < t.nodes.count; n++) {
    double curl[2], slope[2];
    split(q->g, t.nodes.place[n], curl, slope);
    for (int k = 0; k < 2; k++)
      t.nodes.velocity[2 * n + k] = curl[k] + slope[k];
  }
  continuum_solve(report, &t);
  continuum_distance(&t, give_truth, q, distance);
  continuum_end(&t);
}

static void converge(pc_report *report)
{
  enum { MESHES = 3 };
  static const struct {
    const char *name;
    square square;
    bool triangles, linear;
    double order[2]; // of U+ and P
  } list[] = {
      {"solid.quadrangles", {false, 3, 0.2, 0.1, 1}, false, false, {3, 0}},
      {"solid.triangles", {false, 3, 0.2, 0.1, 1}, true, false, {3, 0}},
      {"solid.linear", {false, 3, 0.2, 0.1, 1}, false, true, {2, 0}},
      {"fluid.quadrangles", {true, 3, 0.2, 0, 0.02}, false, false, {3, 2}},
      {"fluid.triangles", {true, 3, 0.2, 0, 0.02}, true, false, {3, 2}},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    double error[MESHES][2];
    for (int m = 0; m < MESHES; m++)
      collide(report, &list[i].square, list[i].triangles, list[i].linear, 8 << m, error[m]);
    for (int k = 0; k < (list[i].square.fluid ? 2 : 1); k++) {
      char note[120];
      int slow = 0;
      double order[MESHES] = {0};
      for (int m = 1; m < MESHES; m++) {
        order[m] = log2(error[m - 1][k] / error[m][k]);
        slow += !(order[m] > list[i].order[k] - 0.1);
      }
      snprintf(note, sizeof note, "order %g; found %.2f and %.2f, error %.2e with %d cells a side",
               list[i].order[k], order[1], order[2], error[MESHES - 1][k], 8 << (MESHES - 1));
      pc_report_property(report, pc_report_name(report, "%s.%s", list[i].name, k == 0 ? "u" : "p"),
                         k == 0 ? "refinements that make U+ better by less than the order says"
                                : "refinements that make P better by less than the order says",
                         slow, note);
    }
  }
}

const pc_case pc_cases_continuum_order[] = {
    {"continuum.order", "closed form, of this project", false, converge},
    {0},
};
