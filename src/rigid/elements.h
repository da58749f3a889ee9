// Springs, nets, strings and bonds, and the linearised rows by which a step takes the stiff ones.
#ifndef PERCUSS_RIGID_ELEMENTS_H
#define PERCUSS_RIGID_ELEMENTS_H

#include "rigid/bodies.h"
#include "rigid/contact_set.h"
#include "rigid/problem.h"

// Rows of a stiff element, linearised at the middle of the step. With D = B U the rate at which it
// is loaded, F its force there along its rows and k its stiffness,
//     P = -B^T (h F + h^2 k / 2 (B mean U - B U^-) + h damping B mean U).
typedef struct pc_stiff {
  int body[2]; // the second may be -1
  int element; // -1: the spring of an overlap
  int part;    // net: the body and face whose reserve it draws on
  int rows;
  double row[2][3 * 6];       // per body: rows x dof
  double force[3], stiffness; // N of each row, N/m
  double damping;             // N s/m, of the first row
  double drift;               // speed at which the face of a net moves outwards, m/s
  double before[3];           // B U^-
  double depth;               // overlap springs: their depth
  bool hard;                  // would throw its bodies back within a step or two
  double counted;             // of what the problem counts as dissipated in it: work of the element
  double work;                // taken from the reserve in the last step
  int interaction;
} pc_stiff;

typedef PC_ARRAY(pc_stiff) pc_stiff_list;

enum { PC_NET_FACES = 6 };
typedef enum pc_element_kind {
  PC_ELEMENT_SPRING,
  PC_ELEMENT_NET,
  PC_ELEMENT_STRING // between its two bodies, from `point` in the first to `place` in the second
} pc_element_kind;
typedef struct pc_force_element {
  pc_element_kind kind;
  double stiffness;
  int body;                             // spring
  double point[3], place[3], normal[3]; // spring: in the body from its centre of mass; its place
                                        // at no load, in the world; direction of the force
  double low[3], high[3];               // net
  double length, damping;               // string
  double exchange;                      // string: lambda of heat, W/K^2
  int count;
  int *bodies;
  bool moves;                // net: with the centre of mass of its bodies
  double mass, origin[3];    // of them; its middle as it was given
  double shift[3], drift[3]; // how far it has moved, and its velocity
  double owed[3];            // to all its bodies, for its forces in the last step, N s
  double force[3], energy;   // of the last step
  double work;               // taken from the reserve in the last step
  double reserve;            // what it may give back, J; reserve.c
  double *part;              // net: of that, for each body and each of its six faces
  double going[3];           // moving net: its mean velocity in the last step
  double peak, wrong;        // the most it had to do with; the part of it that may be wrong
} pc_force_element;

// Two bodies, told by their numbers, that hold on to each other; the points in their axes.
typedef struct pc_bond {
  pc_body body[2];
  double point[2][3];
  double stiffness;
  int interaction;
} pc_bond;

typedef struct pc_elements {
  PC_ARRAY(pc_force_element) list;
  int entries; // bodies that are worked on one by one: all of a net, one of other elements
  PC_ARRAY(pc_bond) bond;
  pc_stiff_list row;       // of the step
  pc_stiff_list *found;    // per piece, while rows are looked for
  PC_ARRAY(double) energy; // per body of every element
  int reserved;            // elements that have their reserve
  int judged;              // elements whose stiffness was compared with the step
  double judged_h;         // of that step
} pc_elements;

extern const char pc_out_of_memory[]; // given by makers that ran out of memory

// springs.c, nets.c, strings.c: each makes an element from what the caller gave (or says what is
// wrong), adds its rows to a list if it acts in the step (false when memory is out), and tells the
// energy it stores as the bodies stand.
const char *pc_spring_make(const pc_body_store *bodies, pc_body body, const double point[3],
                           const double normal[3], double stiffness, pc_force_element *spring);
bool pc_spring_add_rows(const pc_elements *elements, const pc_body_store *bodies, int number,
                        pc_stiff_list *list);
double pc_spring_energy(const pc_body_store *bodies, const pc_force_element *spring);

const char *pc_net_make(const pc_body_store *bodies, int dimension, const double low[3],
                        const double high[3], double stiffness, bool moves, int count,
                        const pc_body *held, pc_force_element *net);
void pc_net_move(const pc_body_store *bodies, pc_force_element *net); // to the centre of its bodies
// Rows of one of its bodies, and the energy that a body stores at one of its faces.
bool pc_net_add_rows(const pc_elements *elements, const pc_body_store *bodies, int number, int body,
                     double h, int dimension, pc_stiff_list *list);
double pc_net_energy(const pc_body_store *bodies, const pc_force_element *net, int body, int side);
// Adds what is owed to P_ext of the bodies; its work on the mean velocities, which the reserves pay
// for, and what is owed then.
void pc_net_react(const pc_force_element *net, const pc_body_store *bodies, pc_six *external);
double pc_net_reaction_work(pc_force_element *net, const pc_body_store *bodies, const pc_six *mean);
void pc_net_owe(pc_force_element *net, double h);
// The mean outward velocity, in the last step, of the face that a row belongs to.
double pc_net_going(const pc_force_element *net, const pc_stiff *stiff);

const char *pc_string_make(const pc_body_store *bodies, const pc_body held[2],
                           const double points[2][3], double length, double stiffness,
                           double damping, pc_force_element *string);
bool pc_string_add_rows(const pc_elements *elements, const pc_body_store *bodies, int number,
                        double h, pc_stiff_list *list);
double pc_string_energy(const pc_body_store *bodies, const pc_force_element *string);
void pc_string_ends(const pc_body_store *bodies, const pc_force_element *string, double ends[2][3]);

// bonds.c
const char *pc_bond_make(const pc_body_store *bodies, const pc_body held[2],
                         const double points[2][3], double stiffness, pc_bond *bond);
void pc_bond_points(const pc_body_store *bodies, const pc_bond *bond, double points[2][3]);
bool pc_bond_acts(const pc_bond *bond, const pc_body_store *bodies);
double pc_bond_dissipated(const pc_bond *bond, const pc_impact *impact); // in the last problem
// As an interaction of the problem, if it acts.
pc_status pc_bond_state(pc_bond *bond, const pc_body_store *bodies, const pc_problem *problem,
                        pc_error *error);

// stiff.c: rows in the impact problem, and the work they do.
pc_stiff *pc_stiff_list_add(pc_stiff_list *list); // NULL when memory is out
// The rate at which a row is loaded, with the velocities of its bodies.
double pc_stiff_rate(const pc_stiff *stiff, const pc_body_store *bodies, int row,
                     double (*velocity)[6]);
// The spring of an overlap, if there is one; false when memory is out.
bool pc_stiff_add_overlap(pc_stiff_list *list, const pc_body_store *bodies,
                          const pc_contact_data *contact, double penalty);
// The part known before the solve is added to P_ext; the rest is an interaction of the problem.
void pc_stiff_add_external(pc_stiff *stiff, const pc_body_store *bodies, double h,
                           pc_six *external);
pc_status pc_stiff_state(pc_stiff *stiff, const pc_problem *problem, double h, pc_error *error);
// Energy of the overlap springs at the end of the step.
double pc_stiff_overlap_energy(const pc_stiff_list *rows, const pc_body_store *bodies,
                               const pc_problem *problem, double h);

// reserve.c: what springs, nets and strings may give back.
// Takes what the element stores as the bodies stand for its reserve.
void pc_reserve_begin(pc_force_element *element, const pc_body_store *bodies, int dimension);
pc_status pc_reserve_judge(pc_elements *elements, const pc_body_store *bodies, int dimension,
                           double h,
                           pc_error *error); // how stiff elements are for this step
// After the caller has changed a state, from what the elongation of an element said before. Gives
// how much more that was than the element stored.
double pc_reserve_change(pc_elements *elements, const pc_body_store *bodies, int dimension,
                         int number, double before);
bool pc_reserve_is_left(const pc_force_element *element);
// Limits a row to what its element can pay for.
void pc_reserve_limit(pc_elements *elements, const pc_body_store *bodies, double h,
                      pc_stiff *stiff);
// Takes rows out that would push where they can only pull: if any, the step must be solved again.
bool pc_reserve_slacken(pc_elements *elements, const pc_body_store *bodies,
                        const pc_problem *problem, double h);
// What all elements store after the step, from what their elongations say.
double pc_reserve_settle(pc_elements *elements, double stored);

// elements.c
void pc_elements_free(pc_elements *elements);
int pc_elements_add(pc_elements *elements, const pc_force_element *element,
                    pc_error *error); // its number, or -1
bool pc_elements_hold(const pc_elements *elements, int body);
void pc_elements_reorder(pc_elements *elements, const int *to);
// At the start of a step: reserves of new elements, stiffness against the step.
pc_status pc_elements_begin(pc_elements *elements, const pc_body_store *bodies, int dimension,
                            double h, int threads, pc_error *error);
// The rows of the elements that act, at the middle of the step.
pc_status pc_elements_find_rows(pc_elements *elements, const pc_body_store *bodies, int dimension,
                                double h, int threads, pc_error *error);
// The energy they store as the bodies stand.
double pc_elements_stored(pc_elements *elements, const pc_body_store *bodies, int dimension,
                          int threads);

// Work of all rows and nets on the mean velocities, and the part of it that the impact problem
// counts as dissipated.
double pc_elements_work(pc_elements *elements, const pc_body_store *bodies,
                        const pc_problem *problem, const pc_six *mean, double h, double *counted);

#endif
