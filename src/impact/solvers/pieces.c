#include "impact/solvers/pieces.h"

#include <math.h>

#include "core/elementary.h"

static double slope_of(const pc_piece_cost *c, double z)
{
  if (c->power == 0)
    return c->linear;
  return c->linear + c->power * (c->exponent == 2 ? z : pc_pow(z, c->exponent - 1));
}

static double curvature_of(const pc_piece_cost *c, double z)
{
  if (c->power == 0)
    return 0;
  return c->power * (c->exponent - 1) * (c->exponent == 2 ? 1 : pc_pow(z, c->exponent - 2));
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
        piece[count++] = (pc_piece_state){
            .piece = form.piece[p], .row = row, .sides = form.piece[p].two_sided ? 2 : 1};
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
  bool two = q->sides == 2;
  pc_piece_side *p = &q->side[0], *n = &q->side[1];
  p->x = two ? fmax(z, 0) + speed : fmax(z, speed);
  n->x = two ? p->x - z : 0;
  p->l = push;
  n->l = two ? push : 0;
  q->nu = (slope_of(&q->piece.plus, p->x) - p->l) / q->piece.beta;
}

void pc_piece_eliminate(pc_piece_state *q, double d, double target, bool correct, double soft)
{
  double beta = q->piece.beta, compliance = 0, moved = 0;
  for (int i = 0; i < q->sides; i++) {
    const pc_piece_cost *cost = i == 0 ? &q->piece.plus : &q->piece.minus;
    pc_piece_side *side = &q->side[i];
    double sign = i == 0 ? 1 : -1, x = side->x, l = side->l;
    side->lack = target - x * l - (correct ? side->dx * side->dl : 0);
    side->k = curvature_of(cost, x) + l / x;
    side->b = side->lack / x - (slope_of(cost, x) - sign * beta * q->nu - l);
    compliance += 1 / side->k;
    moved += sign * side->b / side->k;
  }
  double gap = d - q->piece.alpha - beta * (q->side[0].x - q->side[1].x) - soft * q->nu;
  q->compliance = beta * beta * compliance + soft;
  q->offset = gap - beta * moved;
}

void pc_pieces_direction(pc_piece_state *piece, int count, const double *dd)
{
  for (pc_piece_state *q = piece; q < piece + count; q++) {
    q->dnu = (dd[q->row] + q->offset) / q->compliance;
    double push = q->piece.beta * q->dnu;
    for (pc_piece_side *s = q->side; s < q->side + q->sides; s++, push = -push) {
      s->dx = (push + s->b) / s->k;
      s->dl = (s->lack - s->l * s->dx) / s->x;
    }
  }
}

static double room(double x, double dx, double step)
{
  return dx < 0 ? fmin(step, -x / dx) : step;
}

double pc_pieces_room(const pc_piece_state *piece, int count, double step)
{
  for (const pc_piece_state *q = piece; q < piece + count; q++)
    for (const pc_piece_side *s = q->side; s < q->side + q->sides; s++)
      step = room(s->x, s->dx, room(s->l, s->dl, step));
  return step;
}

void pc_pieces_products(const pc_piece_state *piece, int count, double step, double *sum,
                        int *products)
{
  for (const pc_piece_state *q = piece; q < piece + count; q++) {
    *products += q->sides;
    for (const pc_piece_side *s = q->side; s < q->side + q->sides; s++)
      *sum += (s->x + step * s->dx) * (s->l + step * s->dl);
  }
}

void pc_pieces_move(pc_piece_state *piece, int count, double step)
{
  for (pc_piece_state *q = piece; q < piece + count; q++) {
    q->nu += step * q->dnu;
    for (pc_piece_side *s = q->side; s < q->side + q->sides; s++) {
      s->x += step * s->dx;
      s->l += step * s->dl;
    }
  }
}
