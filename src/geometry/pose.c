#include "geometry/pose.h"

#include <math.h>

#include "core/elementary.h"

void pc_quaternion_matrix(const double q[4], double m[9])
{
  double w = q[0], x = q[1], y = q[2], z = q[3];
  m[0] = 1 - 2 * (y * y + z * z);
  m[1] = 2 * (x * y - w * z);
  m[2] = 2 * (x * z + w * y);
  m[3] = 2 * (x * y + w * z);
  m[4] = 1 - 2 * (x * x + z * z);
  m[5] = 2 * (y * z - w * x);
  m[6] = 2 * (x * z - w * y);
  m[7] = 2 * (y * z + w * x);
  m[8] = 1 - 2 * (x * x + y * y);
}

// The largest of the four squares is found first, which avoids division by a small number.
void pc_matrix_quaternion(const double m[9], double q[4])
{
  double square[4] = {1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8],
                      1 - m[0] - m[4] + m[8]};
  int largest = 0;
  for (int i = 1; i < 4; i++)
    if (square[i] > square[largest])
      largest = i;
  double root = sqrt(square[largest]), s = 0.5 / root;
  double pairs[4][4] = {
      {0, m[7] - m[5], m[2] - m[6], m[3] - m[1]},
      {m[7] - m[5], 0, m[1] + m[3], m[2] + m[6]},
      {m[2] - m[6], m[1] + m[3], 0, m[5] + m[7]},
      {m[3] - m[1], m[2] + m[6], m[5] + m[7], 0},
  };
  for (int i = 0; i < 4; i++)
    q[i] = i == largest ? 0.5 * root : s * pairs[largest][i];
  pc_quaternion_normalise(q);
}

void pc_quaternion_multiply(const double a[4], const double b[4], double out[4])
{
  double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  out[0] = w, out[1] = x, out[2] = y, out[3] = z;
}

void pc_quaternion_normalise(double q[4])
{
  double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++)
    q[i] /= size;
}

// Half of |q|^2 - 1 is taken away, which is summed without the largest square, so that it has all
// its digits: the length is as near 1 as numbers allow, with errors of both signs.
void pc_quaternion_refine(double q[4])
{
  int most = 0;
  for (int i = 1; i < 4; i++)
    most = fabs(q[i]) > fabs(q[most]) ? i : most;
  double excess = (fabs(q[most]) - 1) * (fabs(q[most]) + 1);
  for (int i = 0; i < 4; i++)
    excess += i == most ? 0 : q[i] * q[i];
  for (int i = 0; i < 4; i++)
    q[i] -= 0.5 * excess * q[i];
}

void pc_quaternion_exp(const double v[3], double q[4])
{
  double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], y = 0.25 * square;
  double s; // sin(angle / 2) / angle
  if (square < 4e-4) {
    // Series, as good as the functions and much faster: a body turns little in a step.
    s = 0.5 - y * (1. / 12 - y * (1. / 240 - y * (1. / 10080)));
    q[0] = 1 - y * (0.5 - y * (1. / 24 - y * (1. / 720)));
  } else {
    double angle = sqrt(square);
    s = pc_sin(0.5 * angle) / angle;
    q[0] = pc_cos(0.5 * angle);
  }
  for (int i = 0; i < 3; i++)
    q[1 + i] = s * v[i];
}

pc_pose pc_pose_of(const double position[3], const double orientation[4])
{
  pc_pose pose = {{position[0], position[1], position[2]}, {0}};
  pc_quaternion_matrix(orientation, pose.rotation);
  return pose;
}

pc_pose pc_pose_multiply(const pc_pose *a, const pc_pose *b)
{
  pc_pose out;
  pc_to_world(a, b->position, out.position);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out.rotation[3 * i + j] = a->rotation[3 * i] * b->rotation[j] +
                                a->rotation[3 * i + 1] * b->rotation[3 + j] +
                                a->rotation[3 * i + 2] * b->rotation[6 + j];
  return out;
}
