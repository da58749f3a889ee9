// Dense kernels on one front of the factorisation.
//
// A front of p pivots and q rows below them is two arrays, column by column:
//   panel   p + q rows, p columns, leading dimension pc_front_pad(p + q): becomes the factor
//   update  q x q, leading dimension pc_front_pad(q): what the parent receives
// Only lower triangles count. The kernels work on tiles, so the padding is theirs to write, and
// they may read (not use) up to PC_FRONT_SLACK numbers past a panel's end.
#ifndef PERCUSS_SPARSE_FRONT_H
#define PERCUSS_SPARSE_FRONT_H

#include <stdbool.h>

enum { PC_FRONT_SLACK = 8, PC_FRONT_WIDE = 8 };

static inline int pc_front_pad(int n)
{
  return (n + 3) / 4 * 4;
}

// panel = [A11; A21] -> [L11; L21] and update -> update - L21 L21'. False if A11 is not positive
// definite, or not finite.
bool pc_front_factor(double *panel, double *update, int pivots, int below);
// c (rows x columns) -= a b', where a is rows x k and b columns x k, both with leading dimension
// ld. rows is a multiple of 4; up to 3 rows of b past the last one are read and not used.
void pc_front_subtract(double *c, long ldc, long rows, int columns, const double *a,
                       const double *b, long ld, int k);
// v holds the pivots, the rows below and zeros for the padding.
// v1 <- L11^-1 v1, v2 <- v2 - L21 v1
void pc_front_forward(const double *panel, int pivots, int below, double *v);
// The same for PC_FRONT_WIDE vectors side by side, row by row.
void pc_front_forward_wide(const double *panel, int pivots, int below, double *v);
// v1 <- L11^-T (v1 - L21' v2)
void pc_front_backward(const double *panel, int pivots, int below, double *v);

#endif
