#include "chain/picture_plane.h"

#include <math.h>

#include "chain/measures.h"
#include "core/error.h"

pc_status pc_plane_make(const pc_chain *chain, pc_plane *p, pc_error *error)
{
  const double *m = chain->mass, *v = chain->velocity;
  if (chain->balls != 3 || chain->wall_left || chain->wall_right)
    return pc_fail(error, PC_ERROR_INPUT,
                   "the geometry of an impact is drawn for three balls without walls");
  pc_status status = pc_chain_check(3, m, v, error);
  if (status != PC_OK)
    return status;
  *p = (pc_plane){.mass = m, .total = m[0] + m[1] + m[2]};
  for (int i = 0; i < 3; i++)
    p->speed = fmax(p->speed, fabs(v[i]));
  double gamma[2] = {(v[1] - v[0]) / p->speed, (v[2] - v[1]) / p->speed};
  if (!(p->speed > 0) || !(gamma[0] <= 0 && gamma[1] <= 0) || !(gamma[0] + gamma[1] < 0))
    return pc_fail(error, PC_ERROR_INPUT,
                   "the geometry of an impact needs balls that approach, none that separate");
  for (int i = 0; i < 3; i++) {
    double z = v[i] / p->speed;
    p->momentum += m[i] * z;
    p->kinetic += m[i] * z * z;
  }
  p->inverse[0] = m[0] * (m[1] + m[2]) / p->total;
  p->inverse[1] = m[0] * m[2] / p->total;
  p->inverse[2] = m[2] * (m[0] + m[1]) / p->total;
  p->ker_min = p->momentum * p->momentum / (p->total * p->kinetic);
  p->reach = sqrt(p->inverse[0] * gamma[0] * gamma[0] + 2 * p->inverse[1] * gamma[0] * gamma[1] +
                  p->inverse[2] * gamma[1] * gamma[1]);
  p->equal = fabs(m[1] - m[0]) <= 1e-9 * m[0] && fabs(m[2] - m[0]) <= 1e-9 * m[0] &&
             v[0] == p->speed && v[1] == 0 && v[2] == 0;
  return PC_OK;
}

void pc_plane_at(const pc_plane *p, double r, double theta, double gamma[2])
{
  double x = cos(theta) / sqrt(p->inverse[0]), y = sin(theta) / sqrt(p->inverse[2]);
  if (theta == PC_HALF_PI)
    x = 0;
  double norm = sqrt(p->inverse[0] * x * x + 2 * p->inverse[1] * x * y + p->inverse[2] * y * y);
  gamma[0] = r * p->reach * x / norm;
  gamma[1] = r * p->reach * y / norm;
}

// (2.25), over V_s.
void pc_plane_velocities(const pc_plane *p, const double gamma[2], double v[3])
{
  v[0] = (p->momentum - (p->mass[1] + p->mass[2]) * gamma[0] - p->mass[2] * gamma[1]) / p->total;
  v[1] = v[0] + gamma[0];
  v[2] = v[1] + gamma[1];
}

double pc_plane_ker(const pc_plane *p, const double v[3])
{
  return (p->mass[0] * v[0] * v[0] + p->mass[1] * v[1] * v[1] + p->mass[2] * v[2] * v[2]) /
         p->kinetic;
}

double pc_plane_cke(const pc_plane *p, double r, double theta)
{
  double gamma[2], v[3];
  pc_plane_at(p, r, theta, gamma);
  pc_plane_velocities(p, gamma, v);
  return pc_chain_dispersion(3, p->mass, v);
}
