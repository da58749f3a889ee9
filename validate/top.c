// Rotation without torque by a method that shares nothing with rigid/rotation.c.
#include "top.h"

#include <string.h>

// w' of Euler's equations in body axes and q' = q w / 2.
static void slope(const long double in[3], const long double y[7], long double d[7])
{
  const long double *q = y + 3, a = y[0], b = y[1], c = y[2];
  for (int i = 0; i < 3; i++)
    d[i] = (in[(i + 1) % 3] - in[(i + 2) % 3]) / in[i] * y[(i + 1) % 3] * y[(i + 2) % 3];
  d[3] = (-q[1] * a - q[2] * b - q[3] * c) / 2;
  d[4] = (q[0] * a + q[2] * c - q[3] * b) / 2;
  d[5] = (q[0] * b + q[3] * a - q[1] * c) / 2;
  d[6] = (q[0] * c + q[1] * b - q[2] * a) / 2;
}

// Gragg's midpoint rule with 2, 4 .. 18 substeps, extrapolated: order 18.
void pc_top_step(const long double inertia[3], long double y[7], long double step)
{
  enum { COLUMNS = 9 };
  long double table[COLUMNS][7], d[7];
  for (int k = 0; k < COLUMNS; k++) {
    int n = 2 * (k + 1);
    long double h = step / n, a[7], b[7];
    slope(inertia, y, d);
    for (int i = 0; i < 7; i++) {
      a[i] = y[i];
      b[i] = a[i] + h * d[i];
    }
    for (int s = 1; s < n; s++) {
      slope(inertia, b, d);
      for (int i = 0; i < 7; i++) {
        long double next = a[i] + 2 * h * d[i];
        a[i] = b[i];
        b[i] = next;
      }
    }
    slope(inertia, b, d);
    for (int i = 0; i < 7; i++)
      table[k][i] = (a[i] + b[i] + h * d[i]) / 2;
    for (int j = k - 1; j >= 0; j--)
      for (int i = 0; i < 7; i++) {
        long double ratio = (long double)(k + 1) / (j + 1);
        table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) / (ratio * ratio - 1);
      }
  }
  memcpy(y, table[0], sizeof table[0]);
}
