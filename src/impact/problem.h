// Inside of pc_impact: what the caller stated, and the last answer.
//
// Bodies and contacts are kept small, because a run states them again at every step: a body is a
// mass and an inertia, a contact a normal and a point. Matrices and rows are made when asked for.
#ifndef PERCUSS_IMPACT_PROBLEM_H
#define PERCUSS_IMPACT_PROBLEM_H

#include "core/array.h"
#include "core/memory.h"
#include "core/prefetch.h"
#include "impact/laws/law.h"
#include "percuss/impact.h"

// A velocity that is prescribed has zeros in what is inverse. In the plane the inertia is about z.
typedef struct pc_body_turn {
  double inverse[6];      // of the inertia
  double inverse_root[6]; // upper triangle L, L L^T = inverse
  union {
    double inertia[6]; // xx, xy, xz, yy, yz, zz
    int matrix;        // of a general body: place of its mass matrix
  };
} pc_body_turn;

// A line of memory: those that do not turn need no more, and share a turn of zeros.
typedef struct pc_body_data {
  unsigned char dof;
  unsigned char prescribed; // one bit per velocity
  bool movable;             // not all are prescribed
  bool general;             // has a mass matrix instead of mass and inertia
  int start;                // place of its velocities in the vectors
  const pc_body_turn *turn;
  double position[3];
  double light; // 1 / mass
  double root;  // of 1 / mass
  double mass;
} pc_body_data;
_Static_assert(sizeof(pc_body_data) == 64, "a line of memory");

// A body with a mass matrix of its own: explicit rows only.
typedef struct pc_body_matrix {
  double mass[PC_MAX_DOF * PC_MAX_DOF]; // INFINITY on the diagonal where the velocity is prescribed
  double root[PC_MAX_DOF * PC_MAX_DOF]; // L, L L^T = mass^-1, zero rows where prescribed
} pc_body_matrix;

// Laws are few: one entry serves many interactions of its type.
typedef struct pc_law_data {
  pc_law law;
  pc_interaction_type type;
  pc_row_law row;    // of a normal law, in SI units, without D- and bound
  bool packable;     // a contact that packs.h can hold
  bool linear;       // explicit rows that packs.h can fold into the mass of a body
  bool extra;        // its pack needs more than a bound
  double balance[6]; // of a packable one: what audit_kernels.h asks for
} pc_law_data;

typedef struct pc_interaction_data {
  unsigned char type;  // pc_interaction_type
  unsigned char rows;  // of the geometry; with no tangential law only the first one acts. Of a
                       // contact: the dimension of its space
  unsigned char spins; // of a contact with rolling friction: 3 in space, 1 in the plane, else 0
  bool unilateral : 1;
  bool driven : 1; // something is given, see pc_interaction_given
  bool leads : 1;  // what is given is no motion, see pc_impact_lead
  int row;         // place of its rows in the vectors
  int law;
  int terms; // bodies of a contact, stored terms of the others
  union {
    int body[2]; // of a contact
    int term;    // of the others: the first one
  };
  double bound;
  double normal[3], point[3]; // of a contact
} pc_interaction_data;
_Static_assert(sizeof(pc_interaction_data) == 80, "ten numbers");
typedef double pc_given[PC_MAX_ROWS];

// The movable bodies of an interaction and its kind: all that islands and colours need, as small as
// possible, because they read it for every interaction.
enum {
  PC_ENDS_PACKABLE = 1,
  PC_ENDS_COULOMB = 2,
  PC_ENDS_FRICTION = 4, // Coulomb's, in more than one direction
  PC_ENDS_EXTRA = 8,
  PC_ENDS_MANY = 16, // rows of more than one body
  PC_ENDS_VISCOUS = 32,
  PC_ENDS_FOLDED = 64, // rows for packs to fold
  PC_ENDS_SPACE = 128  // not a contact in the plane
};
typedef struct pc_ends {
  int body[2]; // of a contact: -1 where there is none that can move. Others: the first that can, -1
  unsigned char rows, kind; // no rows: not known yet
  bool settled;             // see pc_plain_contact
  bool unused;              // false: ends are compared as bytes
} pc_ends;

// The islands of the last solve, for the next one if its interactions join the same bodies.
typedef struct pc_arrangement pc_arrangement;
typedef struct pc_graph {
  PC_ARRAY(pc_ends) ends; // they were made of; none: they cannot be kept
  int last[2];            // interactions of the last two problems
  int bodies, small;      // and with: see pc_islands_build
  bool friction;
  pc_arena lists;
  struct pc_islands *islands; // in the lists
  pc_arrangement **arranged;  // per island, its places in packs if they are known
  int slots;
} pc_graph;

typedef struct pc_term_data {
  int body;
  int at; // its coefficients, rows x dof
} pc_term_data;

// A block that couples two bodies by mass, or two interactions by response.
typedef struct pc_coupling {
  int i, j;
  int at; // its numbers in pc_impact.block
} pc_coupling;
typedef PC_ARRAY(pc_coupling) pc_coupling_array;

struct pc_impact {
  PC_ARRAY(pc_body_data) body; // at cache lines
  bool others;                 // there are bodies with other than two velocities
  PC_ARRAY(pc_body_turn) turn; // of those bodies that turn or are general, in their places
  PC_ARRAY(pc_body_matrix) matrix;
  PC_ARRAY(pc_law_data) law;
  PC_ARRAY(pc_interaction_data) interaction;
  PC_ARRAY(pc_ends) ends; // of interactions
  int opened;             // ends of the first ones that were made when they were stated
  PC_ARRAY(pc_term_data) term;
  PC_ARRAY(double) coefficient;
  pc_coupling_array mass;
  pc_coupling_array response; // u_i += block r_j; only for problems stated without bodies
  PC_ARRAY(double) block;     // of mass and response

  int dofs, rows;
  int numbers; // of each contact that pc_impact_open made room for
  int even;    // interactions, the first ones, with so many each and no moments: 2 or 3
  PC_ARRAY(pc_given) given;            // of those interactions that are driven, in their places
  PC_ARRAY(double) before, percussion; // U-, P_ext, `dofs` numbers each

  // The answer; allocated by the first solve.
  PC_ARRAY(double) after;  // U+, `dofs` numbers
  PC_ARRAY(double) force;  // P, `rows` numbers; in world axes for a contact
  PC_ARRAY(double) shaped; // D+ per row, for problems stated by their response
  double reached;          // residual of the answer
  double free_energy;      // kinetic energy of the free motion, what there was to dissipate
  double speed;            // largest normal velocity before, or bound, of a contact
  bool answered, quasi_static;

  // Memory kept from one solve to the next: of all threads together, and of each.
  pc_graph graph;
  pc_arena work;
  PC_ARRAY(pc_arena) worker;
  // The pairs (pairs.h) of the last solve: if that is repeated, with a finer tolerance, it goes on
  // with them. 1 + their island, 0 if they are of no use; `again` is that of the solve before.
  pc_arena packed;
  struct pc_pairs *pairs;
  int paired, again;
  int lot_rows; // how islands were put into lots then: with others their numbers are not the same
  bool lot_friction;
  pc_error error;
};

void pc_graph_forget(pc_graph *graph);

static inline const pc_law *pc_law_of(const pc_impact *problem, const pc_interaction_data *data)
{
  return &problem->law.at[data->law].law;
}

static inline bool pc_body_prescribes(const pc_body_data *body, int i)
{
  return (body->prescribed >> i & 1) != 0;
}

// The matrices M and L, dof x dof.
void pc_body_mass(const pc_impact *problem, const pc_body_data *body, double *mass);
void pc_body_root(const pc_impact *problem, const pc_body_data *body, double *root);
// y = L^T f, u += L y.
void pc_body_whiten(const pc_impact *problem, const pc_body_data *body, const double *f, double *y);
void pc_body_move(const pc_impact *problem, const pc_body_data *body, const double *y, double *u);

// The rows of an interaction that act.
int pc_interaction_active(const pc_law *law, const pc_interaction_data *interaction);
// Numbers of P and D, as in pc_interaction_answer; rows as the solvers have them, where the spin
// about the normal is left out; how many of these, the last ones, roll.
static inline int pc_interaction_numbers(const pc_interaction_data *data)
{
  return data->rows + data->spins;
}
static inline int pc_interaction_rows(const pc_interaction_data *data)
{
  return data->rows + (data->spins == 3 ? 2 : data->spins);
}
static inline int pc_rolling_rows(const pc_law *law, const pc_interaction_data *data)
{
  return !law->tangential.rolls || law->tangential.kind != PC_TANGENTIAL_COULOMB ? 0
         : data->type == PC_CONTACT ? pc_interaction_rows(data) - data->rows
                                    : data->rows / 2;
}
// w, in world axes for a contact, with the spin of rolling friction behind it; in rows otherwise.
static inline const double *pc_interaction_given(const pc_impact *problem,
                                                 const pc_interaction_data *data)
{
  static const pc_given nothing;
  return data->driven ? problem->given.at[data - problem->interaction.at] : nothing;
}
// What P would do with the w of a contact that leads: part of P.D, but neither work nor dissipated.
static inline double pc_interaction_lead(const pc_impact *problem, const pc_interaction_data *data,
                                         const double *percussion)
{
  double sum = 0;
  for (int i = 0; i < data->rows && data->leads; i++)
    sum += percussion[i] * pc_interaction_given(problem, data)[i];
  return sum;
}

// Rows as the general solvers take them: the frame N, T1, T2 of a contact and coefficients. Rolling
// friction adds the spins about T1 and T2, in the plane the spin.
typedef struct pc_rows {
  double frame[9];
  double contact[2][PC_MAX_ROWS * PC_MAX_DOF];
} pc_rows;
void pc_impact_rows(const pc_impact *problem, const pc_interaction_data *data, pc_rows *rows);
// How much number i of D (or P) counts in row r.
static inline double pc_row_axis(const pc_interaction_data *data, const pc_rows *rows, int r, int i)
{
  if (data->type != PC_CONTACT)
    return i == r;
  if (r < data->rows)
    return i < data->rows ? rows->frame[3 * r + i] : 0;
  i -= data->rows;
  return i < 0 ? 0 : data->spins == 1 ? 1 : rows->frame[3 * (r - data->rows + 1) + i];
}
static inline int pc_term_body(const pc_impact *problem, const pc_interaction_data *data, int t)
{
  return data->type == PC_CONTACT ? data->body[t] : problem->term.at[data->term + t].body;
}
static inline const double *pc_term_rows(const pc_impact *problem, const pc_interaction_data *data,
                                         const pc_rows *rows, int t)
{
  return data->type == PC_CONTACT ? rows->contact[t]
                                  : problem->coefficient.at + problem->term.at[data->term + t].at;
}
// D = B U + w of all geometric rows of one interaction, pc_interaction_rows of them.
void pc_impact_deformation(const pc_impact *problem, const pc_interaction_data *data,
                           const pc_rows *rows, const double *velocity, double *d);

// Velocity and spin of a body in space, from its velocities in the vectors.
static inline void pc_body_motion(const pc_body_data *body, const double *velocity, double *v,
                                  double *w)
{
  const double *u = velocity + body->start;
  if (body->dof == 6) {
    for (int i = 0; i < 3; i++) {
      v[i] = u[i];
      w[i] = u[3 + i];
    }
    return;
  }
  v[0] = u[0];
  v[1] = body->dof > 1 ? u[1] : 0;
  v[2] = w[0] = w[1] = 0;
  w[2] = body->dof == 3 ? u[2] : 0;
}
// The relative spin of a contact with rolling friction, as a vector in space.
static inline void pc_contact_spin(const pc_impact *problem, const pc_interaction_data *data,
                                   const double *velocity, double *spin)
{
  const double *given = pc_interaction_given(problem, data);
  for (int i = 0; i < 3; i++)
    spin[i] = data->spins == 3 ? given[3 + i] : i == 2 ? given[2] : 0;
  for (int t = 0; t < data->terms; t++) {
    double v[3], w[3];
    pc_body_motion(&problem->body.at[data->body[t]], velocity, v, w);
    for (int i = 0; i < 3; i++)
      spin[i] += t == 0 ? w[i] : -w[i];
  }
}
// D of a contact as a vector in space.
static inline void pc_contact_velocity(const pc_impact *problem, const pc_interaction_data *data,
                                       const double *velocity, double *d)
{
  const double *given = pc_interaction_given(problem, data);
  for (int i = 0; i < 3; i++)
    d[i] = given[i];
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body.at[data->body[t]];
    double v[3], w[3], arm[3], sign = t == 0 ? 1 : -1;
    pc_body_motion(body, velocity, v, w);
    for (int i = 0; i < 3; i++)
      arm[i] = data->point[i] - body->position[i];
    d[0] += sign * (v[0] + (w[1] * arm[2] - w[2] * arm[1]));
    d[1] += sign * (v[1] + (w[2] * arm[0] - w[0] * arm[2]));
    d[2] += sign * (v[2] + (w[0] * arm[1] - w[1] * arm[0]));
  }
}

// For loops over contacts, whose bodies are anywhere: asks for a contact and its percussion many
// rounds ahead, for its bodies when it is there, and nearer to it for two vectors of their
// velocities.
enum { PC_FARTHEST = 64, PC_FAR = 16, PC_NEAR = 6 };
// Where a cache that is near holds all bodies there is no need.
static inline bool pc_spread(const pc_impact *problem)
{
  return problem->body.count > 8000;
}
static inline void pc_prefetch_contact(const pc_impact *problem, int k)
{
  pc_prefetch(problem->interaction.at, k, sizeof(pc_interaction_data));
  pc_prefetch(problem->force.at, k, sizeof(double) * (size_t)problem->numbers);
}
static inline void pc_prefetch_bodies(const pc_impact *problem, const pc_interaction_data *data)
{
  for (int t = 0; t < data->terms && data->type == PC_CONTACT; t++) {
    __builtin_prefetch(&problem->body.at[data->body[t]]);
    if (problem->dofs > 2 * problem->body.count) // some turn
      __builtin_prefetch(&problem->turn.at[data->body[t]]);
  }
}
static inline void pc_prefetch_velocities(const pc_impact *problem, const pc_interaction_data *data,
                                          const double *a, const double *b)
{
  for (int t = 0; t < data->terms && data->type == PC_CONTACT; t++) {
    int start = problem->body.at[data->body[t]].start;
    __builtin_prefetch(a + start);
    __builtin_prefetch(b + start);
  }
}

#endif
