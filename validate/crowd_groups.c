// Three people who hold hands are hit by a fourth: Fremond's book, 6.7.2 and figure 6.27, from
// scenes/pecol/hands.yaml; beside it the forces by which Singh's and Moussaid's groups stay
// together. What is compared was fixed before the first comparison.
#include <math.h>
#include <stdio.h>

#include "crowd_trial.h"
#include "report.h"

typedef enum way_to_hold { HANDS, SINGH, MOUSSAID, WAYS } way_to_hold;
static const double NEAR = 10, LATER = 5; // %, s after the first contact

typedef struct meeting {
  way_to_hold way;
  pc_edit edit[2];   // of the scene; {0}: none
  const char *bond;  // of those who hold hands; NULL: as in the scene
  bool is_attracted; // those who hold hands are also held together by Singh's force
} meeting;

// Changes of distances of neighbours, in % of those at the start: between centres, and between the
// shoulders that are nearest then.
typedef struct bond_notes {
  double start[2], linked[2]; // m; 0: not yet
  double hit;                 // s: first contact; 0: not yet
  double most, later;         // of centres: largest, and some time after the hit
  double shoulders_most, shoulders_later;
  double out; // s: last time at which centres were off by more than NEAR
} bond_notes;

static bool make_group(const pc_crowd_trial *trial, int run, pc_scene *scene)
{
  const meeting *m = trial->context;
  static const char bond[] = ", hands: {stiffness: 100, size: 3}";
  static const int middle_first[] = {1, 2, 0}; // the leader, to the left, to the right
  const char *own_bond = m->way != HANDS ? "" : m->bond != NULL ? m->bond : bond;
  const pc_edit edit[] = {{bond, own_bond}, m->edit[0], m->edit[1]};
  int edits = 1 + (m->edit[0].from != NULL) + (m->edit[1].from != NULL);
  pc_crowd_scene file;
  if (!pc_crowd_scene_load("hands.yaml", edits, edit, &file))
    return false;
  pc_crowd_trial own = {.context = &file};
  bool ok = pc_crowd_scene_make(&own, run, scene);
  pc_crowd_scene_free(&file);
  if (!ok || (m->way == HANDS && !m->is_attracted))
    return ok;
  pc_group_def def = pc_group_def_default(m->way == MOUSSAID ? PC_GROUP_MOUSSAID : PC_GROUP_SINGH);
  def.count = 3;
  def.people = middle_first;
  return pc_crowd_add_group(scene->crowd, &def) >= 0;
}

// A shoulder: to the left of where one faces (1), or to the right (-1).
static void shoulder_of(const pc_person_state *person, double side, double at[2])
{
  at[0] = person->position[0] - side * person->radius * sin(person->orientation);
  at[1] = person->position[1] + side * person->radius * cos(person->orientation);
}

static void note_bonds(const pc_crowd_trial *trial, int run, pc_crowd *crowd)
{
  bond_notes *notes = trial->notes;
  double time = pc_world_time(pc_crowd_world(crowd)), change = 0, shoulders = 0;
  pc_person_state person[4];
  for (int i = 0; i < 4; i++)
    pc_crowd_person(crowd, i, &person[i]);
  for (int b = 0; b < 2; b++) {
    double left[2], right[2];
    shoulder_of(&person[b], 1, left);
    shoulder_of(&person[b + 1], -1, right);
    double away = hypot(person[b].position[0] - person[b + 1].position[0],
                        person[b].position[1] - person[b + 1].position[1]);
    double linked = hypot(left[0] - right[0], left[1] - right[1]);
    if (notes->start[b] == 0) {
      notes->start[b] = away;
      notes->linked[b] = linked;
    }
    change = fmax(change, 100 * fabs(away / notes->start[b] - 1));
    shoulders = fmax(shoulders, 100 * fabs(linked / notes->linked[b] - 1));
  }
  if (notes->hit == 0 && person[3].push > 0)
    notes->hit = time;
  if (notes->hit > 0 && time <= notes->hit + LATER + 1e-9) {
    notes->later = change;
    notes->shoulders_later = shoulders;
    notes->most = fmax(notes->most, change);
    notes->shoulders_most = fmax(notes->shoulders_most, shoulders);
    if (change > NEAR)
      notes->out = time;
  }
}

// What is left of distances, by each way to hold together.
typedef struct comparison {
  double most[WAYS], later[WAYS],
      back[WAYS];                         // of centres; s after the hit until they are as before
  double shoulders_most, shoulders_later; // of those who hold hands
} comparison;

static void compare(meeting own, comparison *out)
{
  for (way_to_hold way = HANDS; way < WAYS; way++) {
    bond_notes notes = {0};
    own.way = way;
    pc_crowd_trial trial = {
        .make = make_group, .watch = note_bonds, .context = &own, .notes = &notes, .runs = 1};
    pc_crowd_run *run = pc_crowd_trial_run(&trial);
    bool ok = pc_crowd_runs_failed(1, run) == 0 && notes.hit > 0;
    out->most[way] = ok ? notes.most : NAN;
    out->later[way] = ok ? notes.later : NAN;
    out->back[way] = ok ? fmax(0, notes.out - notes.hit) : NAN;
    if (way == HANDS) {
      out->shoulders_most = ok ? notes.shoulders_most : NAN;
      out->shoulders_later = ok ? notes.shoulders_later : NAN;
    }
    pc_crowd_runs_free(1, run);
  }
}

static void report_numbers(pc_report *report, const char *hit, const comparison *c)
{
  static const char *const names[WAYS] = {"hands", "singh", "moussaid"};
  const char *why = "the book shows one such hit, prints no number and does not say where it is";
  pc_report_untestable(report, pc_report_name(report, "%s.shoulders_most", hit),
                       "distance of linked shoulders: largest change in 5 s after the hit", NAN,
                       c->shoulders_most, "%", why);
  for (int w = 0; w < WAYS; w++) {
    pc_report_untestable(report, pc_report_name(report, "%s.%s.most", hit, names[w]),
                         "distance of neighbours: largest change in 5 s after the hit", NAN,
                         c->most[w], "%", why);
    pc_report_untestable(report, pc_report_name(report, "%s.%s.later", hit, names[w]),
                         "distance of neighbours: change 5 s after the hit", NAN, c->later[w], "%",
                         why);
    pc_report_untestable(report, pc_report_name(report, "%s.%s.back", hit, names[w]),
                         "time after the hit from which on it is within 10 % (5: it is not)", NAN,
                         c->back[w], "s", why);
  }
}

// Groups by forces that are together again no later than those who hold hands.
static int later_than(const comparison *c)
{
  return !(c->back[HANDS] < c->back[SINGH]) + !(c->back[HANDS] < c->back[MOUSSAID]);
}

static void report_claims(pc_report *report, const char *hit, const comparison *c, const char *note)
{
  pc_report_property(report, pc_report_name(report, "%s.shape", hit),
                     "groups by forces, of 2, that keep their distances better",
                     !(c->most[HANDS] < c->most[SINGH]) + !(c->most[HANDS] < c->most[MOUSSAID]),
                     note);
  pc_report_property(report, pc_report_name(report, "%s.sooner", hit),
                     "groups by forces, of 2, that are together again no later", later_than(c),
                     note);
}

static void report_shoulders(pc_report *report, const char *hit, const comparison *c,
                             const char *note)
{
  pc_report_derived(report, pc_report_name(report, "%s.shoulders", hit),
                    "distance of linked shoulders 5 s after the hit: larger change of the two", 0,
                    c->shoulders_later, "%", NEAR, note);
}

// The first hit, 0.1 m beside the middle one of three, was chosen with its criteria before the
// first comparison, missed two of them and is reported; the others were added after it.
static void bond(pc_report *report)
{
  comparison beside, middle, outer;
  compare((meeting){0}, &beside);
  compare((meeting){.edit = {{"[[9, 3.1]]", "[[9, 3]]"}}}, &middle);
  compare((meeting){.edit = {{"[[9, 3.1]]", "[[9, 2]]"}}}, &outer);
  pc_report_missed(report, "beside.shoulders",
                   "distance of linked shoulders 5 s after the hit: larger change of the two", NAN,
                   0, beside.shoulders_later, "%", NEAR,
                   "0.1 m beside the middle one; 10 % is ours. The bond (6.43) is viscous: it "
                   "gives way to a lasting push, here by a person who forces a way between two "
                   "others, and nothing restores it: study.hands");
  pc_report_missed(report, "beside.sooner",
                   "groups by forces, of 2, that are together again no later", NAN, 0,
                   later_than(&beside), "violations", 0,
                   "the book: people who hold hands are together again first; not when somebody "
                   "passes between two of them: study.hands");
  report_numbers(report, "beside", &beside);
  report_claims(report, "middle", &middle,
                "the same for a hit that is head-on; added after the first comparison");
  report_numbers(report, "middle", &middle);
  report_shoulders(report, "outer", &outer,
                   "10 %, as above, for a short hit: 0.3 m outside of an outer one; added after "
                   "the first comparison");
  report_numbers(report, "outer", &outer);
}

const pc_case pc_cases_crowd_groups[] = {
    {"crowd.bond", "Fremond 2017, 6.7.2, figure 6.27", true, bond}, {0}};

// The study: what is varied from the hit beside.

#define FROM "[[9, 3.1]]"
#define TURNING "turning: {stiffness: 10, damping: 1}"
#define SOCIAL                                                                                     \
  {                                                                                                \
    TURNING, TURNING "\nsocial: {strength: 2000, range: 0.08, anisotropy: 0, sideways: true}"      \
  }
#define PLACES "[5, 2.3], [5, 3], [5, 3.7]"
#define WISH "velocity: [-1.34, 0]"
#define BOND(K) ", hands: {stiffness: " #K ", size: 3}"

typedef struct variation {
  const char *name, *changed;
  meeting how;
} variation;

static const variation variations[] = {
    {"base", "nothing: a hit 0.1 m beside the middle one", {0}},
    {"hit_0", "a hit head-on", {.edit = {{FROM, "[[9, 3]]"}}}},
    {"hit_2", "a hit 0.02 m beside", {.edit = {{FROM, "[[9, 3.02]]"}}}},
    {"hit_20", "a hit 0.2 m beside", {.edit = {{FROM, "[[9, 3.2]]"}}}},
    {"hit_35", "a hit midway between two", {.edit = {{FROM, "[[9, 3.35]]"}}}},
    {"bond_1e3", "K_V = 1e3 kg/m2", {.bond = BOND(1000)}},
    {"bond_1e4", "K_V = 1e4 kg/m2", {.bond = BOND(10000)}},
    {"bond_1e6", "K_V = 1e6 kg/m2", {.bond = BOND(1000000)}},
    {"near", "0.5 m between centres", {.edit = {{PLACES, "[5, 2.5], [5, 3], [5, 3.5]"}}}},
    {"far", "0.9 m between centres", {.edit = {{PLACES, "[5, 2.1], [5, 3], [5, 3.9]"}}}},
    {"slow", "the fourth wishes 0.5 m/s", {.edit = {{WISH, WISH ", speed: 0.5"}}}},
    {"stands", "the fourth wishes to stand", {.edit = {{WISH, WISH ", speed: 0"}}}},
    {"turning_low",
     "turning stiffness 0.5 N m",
     {.edit = {{TURNING, "turning: {stiffness: 0.5, damping: 1}"}}}},
    {"turning_high",
     "turning stiffness 18.5 N m",
     {.edit = {{TURNING, "turning: {stiffness: 18.5, damping: 1}"}}}},
    {"singh", "Singh's force beside the bond", {.is_attracted = true}},
    {"social", "social force of table 6.13", {.edit = {SOCIAL}}},
    {"social_far",
     "social force, 0.9 m between centres",
     {.edit = {SOCIAL, {PLACES, "[5, 2.1], [5, 3], [5, 3.9]"}}}},
    {"social_bond_1e3", "social force, K_V = 1e3 kg/m2", {.edit = {SOCIAL}, .bond = BOND(1000)}},
    {"social_bond_1e4", "social force, K_V = 1e4 kg/m2", {.edit = {SOCIAL}, .bond = BOND(10000)}},
};

static void study(pc_report *report)
{
  for (size_t v = 0; v < sizeof variations / sizeof *variations; v++) {
    const variation *x = &variations[v];
    comparison c;
    compare(x->how, &c);
    char note[100];
    snprintf(note, sizeof note, "%.2f s with Singh's force, %.2f s with Moussaid's", c.back[SINGH],
             c.back[MOUSSAID]);
    pc_report_varied(report, pc_report_name(report, "%s.shoulders", x->name), x->changed,
                     "change of the distance of shoulders 5 s after the hit; criterion: 10 %", NAN,
                     c.shoulders_later, "%", 0, NULL);
    pc_report_varied(report, pc_report_name(report, "%s.back", x->name), x->changed,
                     "time until they are together again; 5: they are not", NAN, c.back[HANDS], "s",
                     0, note);
  }
}

const pc_study pc_study_hands = {
    {"study.hands", "Fremond 2017, 6.7.2, figure 6.27", true, study},
    "Two data that the book does not print account for both criteria: the strength of the bond, "
    "and whether the social force acts. K_V = 100 is printed in kg/m, where (6.43) needs kg/m2. "
    "With ten times as much the shoulders stay within 10 % (8.8 %), with a hundred times within "
    "1 %. With the printed number they do so for 0.9 m between centres instead of 0.7 m: the bond "
    "goes with the square of the distance of the shoulders. The bond alone brings nobody back: "
    "even a rigid one keeps the distance of the shoulders and lets centres approach each other by "
    "a fifth. The social force does: with it those who hold hands are together again within 4 s, "
    "and within 0.6 s for K_V = 1e3 or more, where groups by forces are not within 5 s. The social "
    "force and K_V = 1e3 together meet both criteria. Where the fourth hits matters less: only a "
    "hit that is exactly head-on meets the second one. What remains open is whether the figure was "
    "made with the social force and which unit K_V has there. The scene keeps what is printed."};
