// Pictures of chains: SVG, with the data as a CSV table.
#ifndef PERCUSS_CHAIN_PICTURES_H
#define PERCUSS_CHAIN_PICTURES_H

#include "percuss/chain.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_chain_picture {
  const char *svg, *csv; // output files; NULL: not written
  const char *title;     // NULL: a default title
} pc_chain_picture;

// The impact geometry of three balls, as in figure 2.6: the outcomes that separate and gain no
// energy in the plane of relative velocities after the impact, iso-lines of KER and of C_KE in it,
// motion patterns, Moreau's line, the outcome of every law, and for equal balls the two
// experiments of section 2.2.1. `law` is used where it is of a kind that is drawn, defaults for the
// others and if it is NULL; Frémond's then have the k that gives a contact alone its restitution.
// Velocities are drawn over the largest before the impact.
pc_status pc_chain_draw_geometry(const pc_chain *chain, const pc_chain_law *law,
                                 const pc_chain_picture *picture, pc_error *error);

// What changes along a picture of the bounds, or from one of its curves to the next. Masses keep
// the mass of the first ball.
typedef enum pc_chain_quantity {
  PC_CHAIN_BY_KER,
  PC_CHAIN_BY_TAPER,      // q: m_i = (1 - q) m_(i-1)
  PC_CHAIN_BY_ANTI_TAPER, // q: m_i = (1 + q) m_(i-1)
  PC_CHAIN_BY_DECORATION, // alpha: every second ball has alpha m_1
  PC_CHAIN_BY_MASS,       // m_i / m_1 of one ball
} pc_chain_quantity;

typedef struct pc_chain_sweep {
  pc_chain_quantity against;
  int ball; // from 0, of PC_CHAIN_BY_MASS
  double from, to;
  int points;
  // One pair of curves for each of these values; none: the chain as it is, and KER = 1.
  pc_chain_quantity each;
  int each_ball, count;
  const double *value;
} pc_chain_sweep;
// The ranges of figures 2.2 to 2.5; KER goes from the least that is possible to 1.
pc_chain_sweep pc_chain_sweep_default(const pc_chain *chain, pc_chain_quantity against);

// The least and the largest C_KE of all outcomes against a quantity, as in figures 2.2 to 2.5.
// Where KER is below the least possible there is no curve.
pc_status pc_chain_draw_bounds(const pc_chain *chain, const pc_chain_sweep *sweep,
                               const pc_chain_picture *picture, pc_error *error);

// The velocity of every ball in time, by `lzb` or `hertz`: lines for up to seven balls, a map for
// more. In a chain of equal balls a line has the speed of Nesterenko's wave. `radius` of the balls
// may be NULL; `duration` 0 is to the end of the impact.
pc_status pc_chain_draw_wave(const pc_chain *chain, const pc_chain_law *law, const double *radius,
                             double duration, const pc_chain_picture *picture, pc_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
