// What files may say of laws.
#include "percuss/law.h"
#include "scene/tables.h"

// --- normal laws --------------------------------------------------------------------------------

static const pc_key k_of_contact[] = {{"k", PC_A_NUMBER, true, .unit = "kg",
                                       .range = {.kind = PC_AT_LEAST},
                                       .meaning = "coefficient: P = k D on the mean velocity"},
                                      {0}};
static const pc_key k0_of_contact[] = {
    {"k0", PC_A_NUMBER, true, .unit = "N s", .range = {.kind = PC_AT_LEAST},
     .meaning = "percussion that does not depend on the velocity"},
    {0}};

static const pc_key inelastic_keys[] = {
    {"kind", PC_A_WORD, true, .words = "inelastic", .noun = "normal law", .meaning = "the law"},
    {0}};
static const pc_mapping inelastic = {
    .id = "inelastic",
    .what = "the law 'inelastic'",
    .meaning =
        "Pseudo-potential 0: the normal velocity after is not negative, or not below the bound; no "
        "rebound.",
    .keys = {inelastic_keys},
    .value = PC_NORMAL_INELASTIC};

static const pc_key quadratic_keys[] = {
    {"kind", PC_A_WORD, true, .words = "quadratic", .noun = "normal law", .meaning = "the law"},
    {0}};
static const pc_mapping quadratic = {.id = "quadratic",
                                     .what = "the law 'quadratic'",
                                     .meaning =
                                         "Pseudo-potential k X²/2; X: normal velocity, the mean of "
                                         "before and after.",
                                     .keys = {quadratic_keys, k_of_contact},
                                     .value = PC_NORMAL_QUADRATIC};

static const pc_key power_keys[] = {
    {"kind", PC_A_WORD, true, .words = "power", .noun = "normal law", .meaning = "the law"},
    {"k", PC_A_NUMBER, true, .unit = "N s (s/m)^(p-1)", .range = {.kind = PC_AT_LEAST},
     .meaning = "coefficient"},
    {"p", PC_A_NUMBER, true, .range = {.kind = PC_ABOVE, .low = 1}, .meaning = "exponent"},
    {0}};
static const pc_mapping power = {.id = "power",
                                 .what = "the law 'power'",
                                 .meaning = "Pseudo-potential (k/p) |X|^p.",
                                 .keys = {power_keys},
                                 .value = PC_NORMAL_POWER};

static const pc_key threshold_keys[] = {
    {"kind", PC_A_WORD, true, .words = "threshold", .noun = "normal law", .meaning = "the law"},
    {0}};
static const pc_key u_lim_keys[] = {{"u_lim", PC_A_NUMBER, true, .unit = "m/s",
                                     .range = {.kind = PC_AT_LEAST},
                                     .meaning = "speed below which nothing is dissipated"},
                                    {0}};
static const pc_mapping threshold = {
    .id = "threshold",
    .what = "the law 'threshold'",
    .meaning = "Pseudo-potential k0 np(X + u_lim) + k np(X + u_lim)²/2 with np(x) = max(−x, 0): a "
               "speed bump.",
    .keys = {threshold_keys, k_of_contact, k0_of_contact, u_lim_keys},
    .value = PC_NORMAL_THRESHOLD};

static const pc_key penetrable_keys[] = {
    {"kind", PC_A_WORD, true, .words = "penetrable", .noun = "normal law", .meaning = "the law"},
    {0}};
static const pc_mapping penetrable = {
    .id = "penetrable",
    .what = "the law 'penetrable'",
    .meaning =
        "Pseudo-potential k0 np(X − D⁻/2) + k X²/2, without the unilateral condition; D⁻: normal "
        "velocity before.",
    .keys = {penetrable_keys, k_of_contact, k0_of_contact},
    .value = PC_NORMAL_PENETRABLE};

static const pc_key restitution_keys[] = {
    {"kind", PC_A_WORD, true, .words = "restitution", .noun = "normal law", .meaning = "the law"},
    {"e", PC_A_NUMBER, true, .range = {.kind = PC_BETWEEN, .high = 1},
     .meaning = "coefficient of restitution"},
    {0}};
static const pc_mapping restitution = {
    .id = "restitution",
    .what = "the law 'restitution'",
    .meaning = "Moreau's law: the normal velocity after is at least −e times the one before.",
    .keys = {restitution_keys},
    .value = PC_NORMAL_RESTITUTION};

static const pc_key bilateral_keys[] = {
    {"kind", PC_A_WORD, true, .words = "bilateral", .noun = "normal law", .meaning = "the law"},
    {0}};
static const pc_mapping bilateral = {.id = "bilateral",
                                     .what = "the law 'bilateral'",
                                     .meaning =
                                         "The velocity after is the bound: what is held together.",
                                     .keys = {bilateral_keys},
                                     .value = PC_NORMAL_BILATERAL};

const pc_mapping *const pc_table_normal_laws[] = {&inelastic,  &quadratic,   &power,     &threshold,
                                                  &penetrable, &restitution, &bilateral, NULL};
const pc_mapping *const pc_table_scene_normal_laws[] = {
    &inelastic, &quadratic, &power, &threshold, &penetrable, &restitution, NULL};

// --- interactions at a distance and of spins ----------------------------------------------------

static const pc_key k_of_distance[] = {{"k", PC_A_NUMBER, true, .unit = "kg/m²",
                                        .range = {.kind = PC_AT_LEAST},
                                        .meaning = "coefficient; ν in Frémond's book"},
                                       {0}};
static const pc_mapping distance_quadratic = {.id = "distance_quadratic",
                                              .what = "the law 'quadratic'",
                                              .meaning = "Pseudo-potential k D²/2 of a distance.",
                                              .keys = {quadratic_keys, k_of_distance},
                                              .value = PC_NORMAL_QUADRATIC};

static const pc_key distance_power_keys[] = {
    {"kind", PC_A_WORD, true, .words = "power", .noun = "normal law", .meaning = "the law"},
    {"k", PC_A_NUMBER, true, .unit = "kg/s (s/m²)^(p-1)", .range = {.kind = PC_AT_LEAST},
     .meaning = "coefficient"},
    {"p", PC_A_NUMBER, true, .range = {.kind = PC_ABOVE, .low = 1}, .meaning = "exponent"},
    {0}};
static const pc_mapping distance_power = {.id = "distance_power",
                                          .what = "the law 'power'",
                                          .meaning = "Pseudo-potential (k/p) |D|^p of a distance.",
                                          .keys = {distance_power_keys},
                                          .value = PC_NORMAL_POWER};
const pc_mapping *const pc_table_distance_laws[] = {&distance_quadratic, &distance_power,
                                                    &bilateral, NULL};

static const pc_key k_of_spin[] = {{"k", PC_A_NUMBER, true, .unit = "kg m²",
                                    .range = {.kind = PC_AT_LEAST}, .meaning = "coefficient"},
                                   {0}};
static const pc_mapping spin_quadratic = {.id = "spin_quadratic",
                                          .what = "the law 'quadratic'",
                                          .meaning =
                                              "Pseudo-potential k D²/2 of a difference of spins.",
                                          .keys = {quadratic_keys, k_of_spin},
                                          .value = PC_NORMAL_QUADRATIC};
const pc_mapping *const pc_table_spin_laws[] = {&spin_quadratic, &bilateral, NULL};

// --- tangential laws ----------------------------------------------------------------------------

static const pc_key none_keys[] = {
    {"kind", PC_A_WORD, true, .words = "none", .noun = "tangential law", .meaning = "the law"},
    {0}};
static const pc_mapping none = {.id = "none",
                                .what = "the law 'none'",
                                .meaning = "No friction.",
                                .keys = {none_keys},
                                .value = PC_TANGENTIAL_NONE};

static const pc_key viscous_keys[] = {
    {"kind", PC_A_WORD, true, .words = "viscous", .noun = "tangential law", .meaning = "the law"},
    {0}};
static const pc_mapping viscous = {
    .id = "viscous",
    .what = "the law 'viscous'",
    .meaning = "P = k D, D: tangential velocity, the mean of before and after.",
    .keys = {viscous_keys, k_of_contact},
    .value = PC_TANGENTIAL_VISCOUS};

static const pc_key coulomb_keys[] = {
    {"kind", PC_A_WORD, true, .words = "coulomb", .noun = "tangential law", .meaning = "the law"},
    {"mu", PC_A_NUMBER | PC_NUMBERS, true, .range = {.kind = PC_AT_LEAST}, .count = {2, 2},
     .meaning = "coefficient of friction; `[mu1, mu2]` in space is an elliptic cone, mu1 along "
                "`axis`"},
    {"axis", PC_NUMBERS, .count = {3, 3}, .left_out = "needed with two coefficients",
     .meaning = "direction of mu1"},
    {"rolling", PC_A_NUMBER, .unit = "m", .range = {.kind = PC_AT_LEAST},
     .left_out = "no rolling friction",
     .meaning = "coefficient of rolling friction: a moment of at most `rolling` times the normal "
                "percussion opposes the relative spin across the normal; for a wheel or ball of "
                "radius R, `rolling`/R is the slope on which it starts to roll"},
    {0}};
static const pc_key on_mean[] = {
    {"on", PC_A_WORD, .words = "mean after moreau", .noun = "velocity for Coulomb's law",
     .otherwise = "mean",
     .meaning = "the velocity that friction opposes: the mean of before and after, the one after, "
                "or Moreau's mean weighted with e"},
    {0}};
static const pc_key on_after[] = {
    {"on", PC_A_WORD, .words = "mean after moreau", .noun = "velocity for Coulomb's law",
     .otherwise = "after",
     .meaning = "the velocity that friction opposes: the mean of before and after, the one after, "
                "or Moreau's mean weighted with e"},
    {0}};
static const pc_mapping coulomb = {.id = "coulomb",
                                   .what = "the law 'coulomb'",
                                   .meaning = "Coulomb's friction.",
                                   .keys = {coulomb_keys, on_mean},
                                   .value = PC_TANGENTIAL_COULOMB};
static const pc_mapping scene_coulomb = {.id = "scene_coulomb",
                                         .what = "the law 'coulomb'",
                                         .meaning = "Coulomb's friction.",
                                         .keys = {coulomb_keys, on_after},
                                         .value = PC_TANGENTIAL_COULOMB};

static const pc_key tied_keys[] = {
    {"kind", PC_A_WORD, true, .words = "bilateral", .noun = "tangential law", .meaning = "the law"},
    {0}};
static const pc_mapping tied = {.id = "tangential_bilateral",
                                .what = "the law 'bilateral'",
                                .meaning = "The tangential velocity after is 0.",
                                .keys = {tied_keys},
                                .value = PC_TANGENTIAL_BILATERAL};

const pc_mapping *const pc_table_tangential_laws[] = {&none, &viscous, &coulomb, &tied, NULL};
const pc_mapping *const pc_table_scene_tangential_laws[] = {&none, &viscous, &scene_coulomb, NULL};

// --- both ---------------------------------------------------------------------------------------

static const pc_key contact_law_keys[] = {
    {"normal", PC_A_MAPPING, true, .variants = pc_table_normal_laws, .meaning = "normal law"},
    {"tangential", PC_A_MAPPING, .variants = pc_table_tangential_laws, .otherwise = "{kind: none}",
     .meaning = "tangential law"},
    {0}};
const pc_mapping pc_table_contact_law = {.id = "contact_law",
                                         .what = "the law of a contact",
                                         .meaning = "The law of a contact.",
                                         .keys = {contact_law_keys}};
