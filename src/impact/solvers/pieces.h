// The pieces of row laws (laws/law.h) in an interior point. For a piece d = alpha + beta (p - n)
// with costs f(p), h(n) and multiplier nu (its share of P):
//     f'(p) - beta nu - lp = 0,   h'(n) + beta nu - ln = 0,   p lp = n ln = mu -> 0.
// A Newton step eliminates the piece: dnu = (dd + offset) / compliance.
#ifndef PERCUSS_IMPACT_PIECES_H
#define PERCUSS_IMPACT_PIECES_H

#include "impact/laws/law.h"

typedef struct pc_piece_state {
  pc_piece piece;
  int row;
  double p, lp, n, ln, nu;
  double dp, dlp, dn, dln, dnu; // direction
  double compliance, offset;
  double kp, kn, bp, bn; // kp dp = beta dnu + bp, kn dn = -beta dnu + bn
} pc_piece_state;

// The rows of an interaction, from row `first` on: quadratic parts a (d - d0)^2 / 2, equalities
// d = d0, and pieces, which are added to `piece`; gives their number.
int pc_block_pieces(const pc_block_law *law, int first, double *a, double *d0, bool *equality,
                    pc_piece_state *piece);
// Velocities and percussions of these sizes, at the velocity d.
void pc_piece_start(pc_piece_state *q, double d, double speed, double push);
// For products p lp and n ln of `target`; `correct` takes the last direction into account.
// Softness: d = bound - soft r.
void pc_piece_eliminate(pc_piece_state *q, double d, double target, bool correct, double soft);
// The direction, for the same arguments.
void pc_piece_direction(pc_piece_state *q, double dd, double target, bool correct);
double pc_piece_room(const pc_piece_state *q, double step); // no longer than `step`
void pc_piece_products(const pc_piece_state *q, double step, double *sum, int *count);
void pc_piece_move(pc_piece_state *q, double step);

#endif
