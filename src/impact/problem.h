// Inside of pc_impact: what the caller stated, and the last answer.
#ifndef PERCUSS_IMPACT_PROBLEM_H
#define PERCUSS_IMPACT_PROBLEM_H

#include "core/memory.h"
#include "percuss/impact.h"

typedef struct pc_body_data {
  int dof, start;                       // place of its velocities in the vectors
  double mass[PC_MAX_DOF * PC_MAX_DOF]; // INFINITY on the diagonal where the velocity is prescribed
  double root[PC_MAX_DOF * PC_MAX_DOF]; // L, L L^T = mass^-1, zero rows where prescribed
  bool prescribed[PC_MAX_DOF];
  bool generalised; // mass given as a matrix: explicit rows only
  double position[3];
} pc_body_data;

typedef struct pc_interaction_data {
  pc_interaction_type type;
  int rows;        // of the geometry; with no tangential law only the first one acts
  int row;         // place of its rows in the vectors
  int terms, term; // terms, first one
  double frame[9]; // contact: N, T1, T2 in world axes
  double given[3]; // w, in rows
  double bound;
  bool unilateral;
  double own[3]; // diagonal of its own response, when stated without bodies
  pc_law law;
} pc_interaction_data;

typedef struct pc_term_data {
  int body;
  int at; // its coefficients, rows x dof
} pc_term_data;

// A block that couples two bodies by mass, or two interactions by response.
typedef struct pc_coupling {
  int i, j;
  double block[PC_MAX_DOF * PC_MAX_DOF];
} pc_coupling;

struct pc_impact {
  pc_body_data *body;
  int bodies, body_capacity;
  pc_interaction_data *interaction;
  int interactions, interaction_capacity;
  pc_term_data *term;
  int terms, term_capacity;
  double *coefficient;
  int coefficients, coefficient_capacity;
  pc_coupling *mass;
  int masses, mass_capacity;
  pc_coupling *response; // u_i += block r_j; only for problems stated without bodies
  int responses, response_capacity;

  int dofs, rows;
  double *before, *percussion; // U-, P_ext, per degree of freedom
  int before_capacity, percussion_capacity;

  // The answer; allocated by the first solve.
  double *after;  // U+
  double *force;  // P, per row
  double *shaped; // D+ per row, for problems stated by their response
  int after_capacity, force_capacity, shaped_capacity;
  double reached;     // residual of the answer
  double free_energy; // kinetic energy of the free motion, what there was to dissipate
  double speed;       // largest normal velocity before, or bound, of a contact
  bool answered, quasi_static;
  pc_error error;
};

// The rows of an interaction that act.
int pc_interaction_active(const pc_interaction_data *interaction);
// D = B U + w of all geometric rows of one interaction.
void pc_impact_deformation(const pc_impact *problem, int interaction, const double *velocity,
                           double *d);
// D-, D+ and P of all geometric rows, and the law for unscaled rows.
typedef struct pc_interaction_state {
  double before[3], after[3], percussion[3];
  double reaction;
  bool admits_rest; // Phi(0) = 0: the sign of the normal dissipation is guaranteed
} pc_interaction_state;
void pc_impact_state(const pc_impact *problem, int interaction, pc_interaction_state *state);
// The audit of the answer that the problem holds.
void pc_impact_audit(const pc_impact *problem, pc_audit *audit);
// Sets free_energy and speed.
void pc_impact_measure(pc_impact *problem);

#endif
