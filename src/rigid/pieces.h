// Sums and lists over bodies or contacts are made in pieces whose number depends on the count
// alone, so that the answer has the same bits for any number of threads.
#ifndef PERCUSS_RIGID_PIECES_H
#define PERCUSS_RIGID_PIECES_H

enum { PC_PIECES = 64, PC_PIECE = 128 };

static inline int pc_pieces(int count)
{
  return count >= PC_PIECES * PC_PIECE ? PC_PIECES : count / PC_PIECE + 1;
}

static inline int pc_piece_begin(int count, int piece)
{
  return (int)((long long)count * piece / pc_pieces(count));
}

#endif
