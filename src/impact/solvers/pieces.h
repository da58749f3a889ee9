// The pieces of row laws (laws/law.h) in an interior point. For a piece d = alpha + beta (p - n)
// with costs f(p), h(n) and multiplier nu (its share of P):
//     f'(p) - beta nu - lp = 0,   h'(n) + beta nu - ln = 0,   p lp = n ln = mu -> 0.
// A Newton step eliminates the piece: dnu = (dd + offset) / compliance.
#ifndef PERCUSS_IMPACT_PIECES_H
#define PERCUSS_IMPACT_PIECES_H

#include "impact/laws/law.h"

// p and lp, or n and ln.
typedef struct pc_piece_side {
  double x, l;
  double dx, dl; // direction
  double lack;   // what the product is short of
  double k, b;   // k dx = (+ or -) beta dnu + b
} pc_piece_side;

typedef struct pc_piece_state {
  pc_piece piece;
  int row;
  int sides; // 1 without n
  pc_piece_side side[2];
  double nu, dnu;
  double compliance, offset;
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
// The direction for what was asked when they were eliminated, from the change of d in each row; how
// far it may be followed, no longer than `step`; the sum of products there, and their number; and
// following it.
void pc_pieces_direction(pc_piece_state *piece, int count, const double *dd);
double pc_pieces_room(const pc_piece_state *piece, int count, double step);
void pc_pieces_products(const pc_piece_state *piece, int count, double step, double *sum,
                        int *products);
void pc_pieces_move(pc_piece_state *piece, int count, double step);

#endif
