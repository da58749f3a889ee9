// Laws without a dissipative part: inelastic (d >= b), Moreau's restitution (d >= b - e D-) and
// bilateral (d = b). The bound itself is handled by law.c.
#include <math.h>

#include "impact/laws/law.h"

static const char *check_nothing(const pc_normal_law *law)
{
  (void)law;
  return NULL;
}

static const char *check_restitution(const pc_normal_law *law)
{
  return law->e >= 0 && law->e <= 1 ? NULL : "e must be between 0 and 1";
}

static void scale(pc_row_law *law, const pc_normal_law *from, double stiffness, double s)
{
  (void)law, (void)from, (void)stiffness, (void)s;
}

static double value(const pc_row_law *law, double x)
{
  (void)law, (void)x;
  return 0;
}

static double solve(const pc_row_law *law, double a, double c, double *slope)
{
  (void)law, (void)a, (void)c;
  *slope = 0;
  return 0;
}

static double map(const pc_row_law *law, double d, double r)
{
  (void)law, (void)d;
  return r;
}

static double nearest(const pc_row_law *law, double x, double p, double noise)
{
  (void)law, (void)x, (void)p, (void)noise;
  return 0;
}

static void form(const pc_row_law *law, pc_row_form *out)
{
  (void)law, (void)out;
}

const pc_row_ops pc_law_inelastic = {"inelastic", check_nothing, scale,   value,
                                     solve,       map,           nearest, form};
const pc_row_ops pc_law_bilateral = {"bilateral", check_nothing, scale,   value,
                                     solve,       map,           nearest, form};
const pc_row_ops pc_law_restitution = {"restitution", check_restitution, scale, value, solve,
                                       map,           nearest,           form};
