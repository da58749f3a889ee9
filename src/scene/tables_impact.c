// What files of the kinds `impact` and `identification` may say.
#include "percuss/impact.h"
#include "scene/tables.h"

// --- bodies -------------------------------------------------------------------------------------

static const pc_key body_keys[] = {
    {"id", PC_A_NAME, true, .meaning = "its name"},
    {"dof", PC_AN_INTEGER, true, PC_FROM(1, 6),
     .meaning = "degrees of freedom: 1 [v]; 2 [vx, vy]; 3 [vx, vy, spin]; 6 [vx, vy, vz, wx, wy, "
                "wz]; not 4 or 5"},
    {"mass", PC_A_NUMBER, true, .unit = "kg", .range = {.kind = PC_ABOVE, .infinite = true},
     .meaning = "mass; a body of infinite mass keeps its velocity"},
    {"inertia", PC_A_NUMBER | PC_NUMBERS | PC_POINTS, .unit = "kg m²",
     .range = {.kind = PC_ABOVE, .infinite = true}, .count = {3, 3},
     .left_out = "needed with dof 3 and 6, and with no other",
     .meaning = "a number; with dof 6 also three principal moments, or the rows of a matrix in the "
                "axes of the file"},
    {"position", PC_NUMBERS, .unit = "m", .count = {1, 3}, .left_out = "0",
     .meaning = "centre of mass"},
    {"velocity", PC_NUMBERS, .unit = "m/s, rad/s", .count = {1, 6}, .left_out = "0",
     .meaning = "velocity before, dof numbers"},
    {"percussion", PC_NUMBERS, .unit = "N s, N m s", .count = {1, 6}, .left_out = "0",
     .meaning = "percussion from outside, dof numbers"},
    {"temperature", PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "needed with `heat`, and not without", .meaning = "temperature before"},
    {"capacity", PC_A_NUMBER, .unit = "J/K", .range = {.kind = PC_ABOVE, .infinite = true},
     .left_out = "needed with `heat`, and not without",
     .meaning = "heat capacity; a body of infinite capacity keeps its temperature"},
    {0}};
const pc_mapping pc_table_impact_body = {.id = "impact_body",
                                         .what = "a body",
                                         .meaning = "A body of one collision.",
                                         .keys = {body_keys}};

// --- interactions -------------------------------------------------------------------------------

static const pc_key bodies_keys[] = {
    {"bodies", PC_NAMES, true, .count = {1, 2},
     .meaning = "one or two ids; one body alone meets a fixed obstacle"},
    {0}};
static const pc_key common_keys[] = {
    {"bound", PC_A_NUMBER, .unit = "that of D", .otherwise = "0",
     .meaning = "b of the condition D⁺ >= b, or D⁺ = b of the law `bilateral`"},
    {"given", PC_A_NUMBER | PC_NUMBERS, .unit = "that of D", .count = {1, 6}, .left_out = "0",
     .meaning = "velocity added to D: that of the first body relative to an obstacle that moves by "
                "itself; with rolling friction its spin may follow"},
    {"exchange", PC_A_NUMBER, .unit = "J/K²", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "λ: entropy that the two exchange for each kelvin between them; with `heat`"},
    {0}};

static const pc_key contact_type[] = {PC_TAG("type", "contact", "type of interaction"), {0}};
static const pc_key contact_keys[] = {
    {"point", PC_NUMBERS, .unit = "m", .count = {2, 3}, .left_out = "needed, but not with dof 1",
     .meaning = "where they touch"},
    {"normal", PC_NUMBERS, true, .count = {1, 3},
     .meaning = "from the second body to the first; with dof 1 [1] or [-1]"},
    {"law", PC_A_MAPPING, true, .mapping = &pc_table_contact_law, .meaning = "how they act"},
    {0}};
static const pc_mapping contact = {
    .id = "contact_interaction",
    .what = "a contact",
    .meaning = "A point where two bodies touch; D: their relative velocity.",
    .keys = {contact_type, bodies_keys, contact_keys, common_keys},
    .value = PC_CONTACT};

static const pc_key distance_type[] = {PC_TAG("type", "distance", "type of interaction"), {0}};
static const pc_key distance_keys[] = {
    {"points", PC_POINTS, true, .unit = "m", .count = {1, 3},
     .meaning = "two points: A on the first body, B on the second"},
    {"law", PC_A_MAPPING, true, .variants = pc_table_distance_laws, .meaning = "how they act"},
    {0}};
static const pc_mapping distance = {
    .id = "distance_interaction",
    .what = "a distance",
    .meaning = "Two points held together; D = 2 (V(A) − V(B)) · BA.",
    .keys = {distance_type, bodies_keys, distance_keys, common_keys},
    .value = PC_DISTANCE};

static const pc_key spin_type[] = {PC_TAG("type", "spin", "type of interaction"), {0}};
static const pc_key spin_keys[] = {
    {"law", PC_A_MAPPING, true, .variants = pc_table_spin_laws, .meaning = "how they act"}, {0}};
static const pc_mapping spin = {.id = "spin_interaction",
                                .what = "a spin",
                                .meaning = "Two spins held together; D: their difference.",
                                .keys = {spin_type, bodies_keys, spin_keys, common_keys},
                                .value = PC_SPIN};

const pc_mapping *const pc_table_interactions[] = {&contact, &distance, &spin, NULL};

// --- files --------------------------------------------------------------------------------------

static const pc_key heat_keys[] = {
    {"mode", PC_A_WORD,
     .words = PC_WORDS({"closed", PC_HEAT_CLOSED}, {"adiabatic", PC_HEAT_ADIABATIC},
                       {"isentropic", PC_HEAT_ISENTROPIC}, {"linear", PC_HEAT_LINEAR},
                       {"small", PC_HEAT_SMALL}),
     .noun = "mode of heat", .otherwise = "closed",
     .meaning = "`closed`: nothing comes from outside; `adiabatic`, `isentropic`: the book's, no "
                "heat or no entropy does; `linear`, `small`: for small changes (docs/heat.md)"},
    {"outside", PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "obstacles take no heat: all the work is the body's",
     .meaning = "temperature of obstacles, which they keep"},
    {0}};
const pc_mapping pc_table_impact_heat = {
    .id = "impact_heat",
    .what = "'heat'",
    .meaning = "What interactions dissipate becomes heat of their bodies, which have temperatures.",
    .keys = {heat_keys}};

static const pc_key problem_keys[] = {
    {"title", PC_A_TEXT, .meaning = "a line that says what it is"},
    {"source", PC_A_TEXT, .meaning = "the document, and the section of it, that it comes from"},
    {"bodies", PC_A_LIST, true, .mapping = &pc_table_impact_body, .meaning = "at least one"},
    {"interactions", PC_A_LIST | PC_NOTHING, .variants = pc_table_interactions, .otherwise = "[]",
     .meaning = "what acts between them; all of it acts, whatever the velocity before"},
    {"quasi_static", PC_A_BOOLEAN, .otherwise = "false", .meaning = "true: inertia is neglected"},
    {0}};
static const pc_key impact_kind[] = {PC_TAG("kind", "impact", "kind of file"), {0}};
static const pc_key warm_keys[] = {{"heat", PC_A_MAPPING, .mapping = &pc_table_impact_heat,
                                    .left_out = "bodies have no temperatures",
                                    .meaning = "temperatures after the collision, too"},
                                   {0}};
const pc_mapping pc_table_impact = {.id = "impact",
                                    .what = "an impact file",
                                    .meaning = "One collision, for `percuss solve`.",
                                    .keys = {impact_kind, problem_keys, warm_keys}};
const pc_mapping pc_table_problem = {.id = "problem",
                                     .what = "the problem of an experiment",
                                     .meaning =
                                         "An impact file without its kind. `$name` stands for an "
                                         "unknown, wherever a number is.",
                                     .keys = {problem_keys}};

static const pc_key unknown_keys[] = {
    {"start", PC_A_NUMBER, true, PC_POSITIVE, .meaning = "first guess"},
    {"low", PC_A_NUMBER, PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "smallest value it may have"},
    {"high", PC_A_NUMBER, .range = {.kind = PC_ABOVE, .infinite = true}, .otherwise = "inf",
     .meaning = "largest value it may have, above `low`"},
    {0}};
const pc_mapping pc_table_unknown = {.id = "unknown",
                                     .what = "an unknown",
                                     .meaning = "A coefficient to be found.",
                                     .keys = {unknown_keys}};

static const pc_key experiment_keys[] = {
    {"title", PC_A_TEXT, .meaning = "a line that says what it is"},
    {"problem", PC_A_MAPPING, true, .mapping = &pc_table_problem, .meaning = "the collision"},
    {"after", PC_PAIRS | PC_NUMBERS | PC_GAPS, true, .unit = "m/s, rad/s", .count = {1, 6},
     .meaning = "measured velocities after, by the ids of bodies; null: not measured"},
    {0}};
const pc_mapping pc_table_experiment = {.id = "experiment",
                                        .what = "an experiment",
                                        .meaning = "A measured collision.",
                                        .keys = {experiment_keys}};

static const pc_key identification_keys[] = {
    PC_TAG("kind", "identification", "kind of file"),
    {"title", PC_A_TEXT, .meaning = "a line that says what it is"},
    {"source", PC_A_TEXT, .meaning = "the document, and the section of it, that it comes from"},
    {"unknowns", PC_PAIRS | PC_A_MAPPING, true, .mapping = &pc_table_unknown,
     .meaning = "coefficients to be found, by their names"},
    {"sigma", PC_A_NUMBER, .unit = "m/s, rad/s", PC_POSITIVE, .left_out = "estimated",
     .meaning = "scatter of a measured velocity"},
    {"experiments", PC_A_LIST, true, .mapping = &pc_table_experiment,
     .meaning = "what was measured, at least one"},
    {0}};
const pc_mapping pc_table_identification = {
    .id = "identification",
    .what = "an identification file",
    .meaning =
        "Measured collisions and the coefficients to find from them, for `percuss identify`.",
    .keys = {identification_keys}};
