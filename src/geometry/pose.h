// Position and orientation. Quaternions are w, x, y, z; matrices row by row.
#ifndef PERCUSS_GEOMETRY_POSE_H
#define PERCUSS_GEOMETRY_POSE_H

typedef struct pc_pose {
  double position[3];
  double rotation[9]; // own axes -> world
} pc_pose;

void pc_quaternion_matrix(const double q[4], double matrix[9]);
void pc_matrix_quaternion(const double matrix[9], double q[4]);
void pc_quaternion_multiply(const double a[4], const double b[4], double out[4]); // out may be a, b
void pc_quaternion_normalise(double q[4]);
// The same for one that is almost as long as it should be, to the last digit.
void pc_quaternion_refine(double q[4]);
// The turn by |v| radians about v.
void pc_quaternion_exp(const double v[3], double q[4]);

pc_pose pc_pose_of(const double position[3], const double orientation[4]);
// a after b: x -> a(b(x)).
pc_pose pc_pose_multiply(const pc_pose *a, const pc_pose *b);

static inline void pc_rotate(const double m[9], const double v[3], double out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}

static inline void pc_rotate_back(const double m[9], const double v[3], double out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = m[i] * v[0] + m[3 + i] * v[1] + m[6 + i] * v[2];
}

static inline void pc_to_world(const pc_pose *pose, const double v[3], double out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = pose->position[i] + pose->rotation[3 * i] * v[0] + pose->rotation[3 * i + 1] * v[1] +
             pose->rotation[3 * i + 2] * v[2];
}

static inline void pc_to_local(const pc_pose *pose, const double v[3], double out[3])
{
  double d[3] = {v[0] - pose->position[0], v[1] - pose->position[1], v[2] - pose->position[2]};
  pc_rotate_back(pose->rotation, d, out);
}

#endif
