// Elliptic integrals in Carlson's form and Jacobi's elliptic functions.
#ifndef PERCUSS_CORE_ELLIPTIC_H
#define PERCUSS_CORE_ELLIPTIC_H

// R_F(x, y, z) = 1/2 int_0^inf dt / sqrt((t+x)(t+y)(t+z)); at most one argument is zero.
double pc_elliptic_rf(double x, double y, double z);
// R_J(x, y, z, p) = 3/2 int_0^inf dt / ((t+p) sqrt((t+x)(t+y)(t+z))); p > 0.
double pc_elliptic_rj(double x, double y, double z, double p);

// Jacobi's functions of one parameter m = k^2 in [0, 1]. It is given by 1 - m to keep precision
// near m = 1.
enum { PC_JACOBI_STEPS = 16 };
typedef struct pc_jacobi {
  double quarter; // K(m), a quarter of the period; infinite for m = 1
  int steps;
  double a[PC_JACOBI_STEPS + 1], b[PC_JACOBI_STEPS]; // arithmetic and geometric means
} pc_jacobi;

pc_jacobi pc_jacobi_of(double complement);
// For any u; beyond a period as accurate as u itself.
void pc_jacobi_at(const pc_jacobi *jacobi, double u, double *sn, double *cn, double *dn);

#endif
