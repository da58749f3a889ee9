// What the contract suite calls with: one small object of each kind, made when a call first asks
// for it and gone after the call, and how a call is judged. tests/api/calls writes the calls.
#ifndef PERCUSS_TESTS_API_FIXTURE_H
#define PERCUSS_TESTS_API_FIXTURE_H

#include "percuss/percuss.h"

// What a function is about.
typedef enum contract_subject {
  SUBJECT_NONE,
  SUBJECT_WORLD,
  SUBJECT_CROWD,
  SUBJECT_RUNS,
  SUBJECT_SCENE
} contract_subject;

// A function with all the ways in which it is called; the first one is valid.
typedef struct contract_call {
  const char *name;
  void (*call)(int variant);
  const char *const *words;  // of each variant
  const unsigned char *must; // has to be refused
  int variants;
  bool has_valid; // the first one can succeed here
  contract_subject subject;
  bool changes; // its subject
  bool slow;    // not all variants are called every time
} contract_call;
extern const contract_call contract_calls[];
extern const int contract_count;

// --- the suite: which call is made, and what was found
// --------------------------------------------

typedef struct contract_case {
  const contract_call *call;
  int variant;
  bool inside; // a step or a run is going on around it
} contract_case;
extern contract_case contract_now;
// Notes what is wrong with the present call.
void contract_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A computation that failed may have changed what it computed with; what was refused has not.
void judge_status(pc_status status, const char *text);
// Of a call that can be refused; `text` is its message, NULL if it has none to give.
void judge_refusal(bool refused, const char *text);
void judge_text(const char *text); // NULL or a text that ends
void judge_answer(void);           // nothing to say
// A number out of range: the call has filled what it should fill, here `room`, nevertheless.
void judge_filled_bytes(const void *given, const void *room, size_t size, const char *name);
#define judge_filled(given, room, name) judge_filled_bytes(given, room, sizeof(*(room)), name)

// --- objects
// --------------------------------------------------------------------------------------

void fixture_prepare(void);           // files in the current folder, before the first call
void fixture_before(void);            // notes the states of world and crowd
void fixture_after(bool unchanged);   // compares them, and goes on with both
void fixture_end(void);               // frees all
void fixture_forget(const void *own); // the call frees it

pc_world *fixture_world(void);     // after two steps
pc_world *fixture_new_world(void); // before the first
pc_crowd *fixture_crowd(void);
pc_crowd *fixture_building(void); // not finished
pc_impact *fixture_impact(void);
pc_impact *fixture_response(void);
pc_shape *fixture_shape(void);
pc_shape *fixture_mesh(void);
pc_heat *fixture_heat(void);
pc_chain_motion *fixture_chain_motion(void);
pc_continuum *fixture_continuum(void);
pc_continuum *fixture_moving_continuum(void);
pc_continuum *fixture_warm_continuum(void);
pc_continuum_motion *fixture_continuum_motion(void);
pc_continuum_answer *fixture_answer(void);
pc_continuum_answer *fixture_own_answer(void);
pc_scene *fixture_scene(void);
pc_scene *fixture_crowd_scene(void);
pc_scene *fixture_many_scene(void);
pc_scene_impact *fixture_scene_impact(void);
pc_scene_identification *fixture_identification(void);
pc_runs *fixture_runs(void);
pc_runs *fixture_fresh_runs(void);
pc_view *fixture_view(void);

// --- values
// ---------------------------------------------------------------------------------------

pc_chain fixture_chain(void);
pc_chain_sweep fixture_chain_sweep(void);
pc_person_def fixture_person(void);
pc_group_def fixture_group(void);
pc_heat_string fixture_string(void);
pc_heat_string_state fixture_string_state(void);
pc_identification fixture_measurements(void);
pc_interaction fixture_interaction(void);
pc_law fixture_law(void);
pc_body_def fixture_body(void);
pc_body_state fixture_state(void);
pc_random fixture_random(void);
pc_scene_plan fixture_plan(void);
pc_scene_sweep fixture_sweep(void);
const double *fixture_numbers(void);
const double (*fixture_segment(void))[2];
const double (*fixture_square(void))[2];
const pc_landing_def *fixture_landings(void);
double *fixture_room(void);
const char *fixture_record(void); // a file
const char *fixture_long_text(void);
const char *fixture_rigid_text(void);
const char *fixture_impact_text(void);
const void *fixture_state_bytes(void);
size_t fixture_state_size(void);
const void *fixture_crowd_bytes(void);
size_t fixture_crowd_size(void);
const void *fixture_chain_bytes(void);
size_t fixture_chain_size(void);
void fixture_put(const double *at, double value); // into an array of the fixture; NULL: nothing

void fixture_force(void *context, double time, pc_body body, const pc_body_state *state,
                   double force[6]);
void fixture_visit(void *context, const double place[3], double weight, const double velocity[3],
                   double pressure);
void fixture_name(void *context, pc_crowd_object object, int number, char *name, size_t size);
void fixture_hear(void *context, pc_told what, const char *text);
void fixture_row(const pc_validation *row, void *context);

#endif
