#include "impact/solvers/pieces.h"

#include <math.h>

static double slope_of(const pc_piece_cost *c, double z)
{
  if (c->power == 0)
    return c->linear;
  return c->linear + c->power * (c->exponent == 2 ? z : pow(z, c->exponent - 1));
}

static double curvature_of(const pc_piece_cost *c, double z)
{
  if (c->power == 0)
    return 0;
  return c->power * (c->exponent - 1) * (c->exponent == 2 ? 1 : pow(z, c->exponent - 2));
}

int pc_block_pieces(const pc_block_law *law, int first, double *a, double *d0, bool *equality,
                    pc_piece_state *piece)
{
  int count = 0;
  for (int i = 0; i < law->rows; i++) {
    int row = first + i;
    if (i == 0 && law->normal) {
      pc_row_form form = pc_row_pieces(&law->row);
      equality[row] = law->row.equality;
      a[row] = form.a;
      d0[row] = law->row.equality ? law->row.bound : form.d0;
      for (int p = 0; p < form.pieces; p++)
        piece[count++] = (pc_piece_state){.piece = form.piece[p], .row = row};
    } else {
      equality[row] = law->tangential == PC_TANGENTIAL_BILATERAL;
      a[row] = law->tangential == PC_TANGENTIAL_VISCOUS ? 0.5 * law->k : 0;
      d0[row] = -law->shift[i - law->normal];
    }
  }
  return count;
}

void pc_piece_start(pc_piece_state *q, double d, double speed, double push)
{
  double z = (d - q->piece.alpha) / q->piece.beta;
  q->p = q->piece.two_sided ? fmax(z, 0) + speed : fmax(z, speed);
  q->n = q->piece.two_sided ? q->p - z : 0;
  q->lp = push;
  q->ln = q->piece.two_sided ? push : 0;
  q->nu = (slope_of(&q->piece.plus, q->p) - q->lp) / q->piece.beta;
}

void pc_piece_eliminate(pc_piece_state *q, double d, double target, bool correct, double soft)
{
  double beta = q->piece.beta, cp = target - q->p * q->lp - (correct ? q->dp * q->dlp : 0);
  q->kp = curvature_of(&q->piece.plus, q->p) + q->lp / q->p;
  q->bp = cp / q->p - (slope_of(&q->piece.plus, q->p) - beta * q->nu - q->lp);
  double compliance = 1 / q->kp, moved = q->bp / q->kp;
  if (q->piece.two_sided) {
    double cn = target - q->n * q->ln - (correct ? q->dn * q->dln : 0);
    q->kn = curvature_of(&q->piece.minus, q->n) + q->ln / q->n;
    q->bn = cn / q->n - (slope_of(&q->piece.minus, q->n) + beta * q->nu - q->ln);
    compliance += 1 / q->kn;
    moved -= q->bn / q->kn;
  }
  double gap = d - q->piece.alpha - beta * (q->p - q->n) - soft * q->nu;
  q->compliance = beta * beta * compliance + soft;
  q->offset = gap - beta * moved;
}

void pc_piece_direction(pc_piece_state *q, double dd, double target, bool correct)
{
  double beta = q->piece.beta;
  double cp = target - q->p * q->lp - (correct ? q->dp * q->dlp : 0);
  double cn = target - q->n * q->ln - (correct ? q->dn * q->dln : 0);
  q->dnu = (dd + q->offset) / q->compliance;
  q->dp = (beta * q->dnu + q->bp) / q->kp;
  q->dlp = (cp - q->lp * q->dp) / q->p;
  if (q->piece.two_sided) {
    q->dn = (-beta * q->dnu + q->bn) / q->kn;
    q->dln = (cn - q->ln * q->dn) / q->n;
  }
}

static double room(double x, double dx, double step)
{
  return dx < 0 ? fmin(step, -x / dx) : step;
}

double pc_piece_room(const pc_piece_state *q, double step)
{
  step = room(q->p, q->dp, room(q->lp, q->dlp, step));
  return q->piece.two_sided ? room(q->n, q->dn, room(q->ln, q->dln, step)) : step;
}

void pc_piece_products(const pc_piece_state *q, double step, double *sum, int *count)
{
  *sum += (q->p + step * q->dp) * (q->lp + step * q->dlp);
  *count += 1;
  if (q->piece.two_sided) {
    *sum += (q->n + step * q->dn) * (q->ln + step * q->dln);
    *count += 1;
  }
}

void pc_piece_move(pc_piece_state *q, double step)
{
  q->p += step * q->dp;
  q->lp += step * q->dlp;
  q->nu += step * q->dnu;
  if (q->piece.two_sided) {
    q->n += step * q->dn;
    q->ln += step * q->dln;
  }
}
