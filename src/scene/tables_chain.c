// What files of the kind `chain` may say.
#include "percuss/chain.h"
#include "scene/tables.h"

static const pc_key balls_keys[] = {
    {"masses", PC_NUMBERS, .unit = "kg", PC_POSITIVE, .count = {2, PC_MANY},
     .meaning = "of all balls, from the left"},
    {"radii", PC_NUMBERS, .unit = "m", PC_POSITIVE, .count = {2, PC_MANY},
     .meaning = "of all balls, with `density` instead of masses"},
    {"count", PC_AN_INTEGER, PC_FROM(2, 1e6),
     .meaning = "how many, with `mass` or `radius` of the first and a rule for the others"},
    {"mass", PC_A_NUMBER, .unit = "kg", PC_POSITIVE, .meaning = "of the first"},
    {"radius", PC_A_NUMBER, .unit = "m", PC_POSITIVE, .meaning = "of the first, with `density`"},
    {"density", PC_A_NUMBER, .unit = "kg/m³", PC_POSITIVE,
     .meaning = "turns radii into masses, or masses into radii"},
    {"taper", PC_A_NUMBER, PC_FROM(-1, 0.99), .otherwise = "0",
     .meaning = "q: every ball has 1 - q times the mass of the one before; below 0 they grow"},
    {"decorated", PC_A_NUMBER, PC_POSITIVE, .otherwise = "1",
     .meaning = "every second ball has this times the mass of the first"},
    {"positions", PC_NUMBERS, .unit = "m", .count = {2, PC_MANY}, .left_out = "the balls touch",
     .meaning = "of the centres, with radii: between the balls are gaps"},
    {0}};
const pc_mapping pc_table_chain_balls = {.id = "chain_balls",
                                         .what = "the balls of a chain",
                                         .meaning = "The balls of a chain: `masses`, `radii`, or a "
                                                    "`count` and a rule.",
                                         .keys = {balls_keys}};

static const pc_key contacts_keys[] = {
    {"exponent", PC_A_NUMBER, PC_FROM(1, 10), .otherwise = "1.5",
     .meaning = "eta of the force K delta^eta: 1.5 for balls (Hertz), 1 for springs"},
    {"restitution", PC_A_NUMBER | PC_NUMBERS, PC_FROM(0, 1), .count = {1, PC_MANY},
     .otherwise = "1", .meaning = "e: of velocities, percussions or energy, as the law says"},
    {"stiffness", PC_A_NUMBER | PC_NUMBERS, .unit = "N/m^eta", PC_POSITIVE, .count = {1, PC_MANY},
     .left_out = "from `young` and radii, or 1", .meaning = "K; only its ratios change velocities"},
    {"young", PC_A_NUMBER, .unit = "Pa", PC_POSITIVE,
     .meaning = "Young's modulus: K by Hertz, from radii"},
    {"poisson", PC_A_NUMBER, PC_FROM(0, 0.5), .otherwise = "0.3",
     .meaning = "Poisson's ratio, with `young`"},
    {"gap", PC_A_NUMBER | PC_NUMBERS, .unit = "m", PC_NOT_NEGATIVE, .count = {1, PC_MANY},
     .otherwise = "0", .meaning = "before the impact; laws without time act where it is 0"},
    {0}};
const pc_mapping pc_table_chain_contacts = {
    .id = "chain_contacts",
    .what = "the contacts of a chain",
    .meaning = "A number for all contacts, or a list from the left, those with walls included.",
    .keys = {contacts_keys}};

// --- laws ---------------------------------------------------------------------------------------

#define LAW_KIND(word) PC_TAG("kind", word, "law")
static const pc_key newton_keys[] = {LAW_KIND("newton"), {0}};
static const pc_key moreau_keys[] = {LAW_KIND("moreau"), {0}};
static const pc_key poisson_keys[] = {LAW_KIND("poisson"), {0}};
static const pc_key sequential_keys[] = {
    LAW_KIND("sequential"),
    {"order", PC_A_WORD,
     .words = PC_WORDS({"left", PC_CHAIN_ORDER_LEFT}, {"right", PC_CHAIN_ORDER_RIGHT},
                       {"fastest", PC_CHAIN_ORDER_FASTEST}),
     .noun = "order", .otherwise = "left",
     .meaning = "which of the contacts that approach at one instant is first"},
    {0}};
static const pc_key distance_keys[] = {{"balls", PC_INTEGERS, true, PC_FROM(1, 1e6),
                                        .count = {2, 2}, .meaning = "which two, counted from 1"},
                                       {"k", PC_A_NUMBER, true, .unit = "kg", PC_NOT_NEGATIVE,
                                        .meaning = "P = k (V_a - V_b), on the mean velocities"},
                                       {0}};
const pc_mapping pc_table_chain_distance = {
    .id = "chain_distance",
    .what = "an interaction at a distance",
    .meaning = "Dissipation between two balls that need not touch.",
    .keys = {distance_keys}};
static const pc_key fremond_keys[] = {
    LAW_KIND("fremond"),
    {"k", PC_A_NUMBER | PC_NUMBERS, .unit = "kg", PC_NOT_NEGATIVE, .count = {1, PC_MANY},
     .otherwise = "0", .meaning = "of the contacts: 0 dissipates everything, a large one nothing"},
    {"distances", PC_A_LIST, .mapping = &pc_table_chain_distance, .otherwise = "[]",
     .meaning = "interactions at a distance"},
    {0}};
static const pc_key matrix_keys[] = {
    LAW_KIND("matrix"),
    {"matrix", PC_POINTS, true, .count = {1, PC_MANY},
     .meaning = "E of gamma+ = -E gamma-: a row and a column for every contact"},
    {0}};
static const pc_key lzb_keys[] = {
    LAW_KIND("lzb"),
    {"compliance", PC_A_WORD,
     .words = PC_WORDS({"bi", PC_CHAIN_BI_STIFFNESS}, {"mono", PC_CHAIN_MONO_STIFFNESS}),
     .noun = "compliance", .otherwise = "bi",
     .meaning = "how contacts expand: on a steeper branch of the force, or after it has dropped"},
    {0}};
static const pc_key hertz_keys[] = {LAW_KIND("hertz"),
                                    {"duration", PC_A_NUMBER, .unit = "s", PC_POSITIVE,
                                     .left_out = "until nothing collides any more",
                                     .meaning = "ends there at the latest"},
                                    {0}};

static const pc_mapping newton = {.id = "chain_newton",
                                  .what = "Newton's law",
                                  .meaning = "gamma+ = -e gamma- at all contacts at once.",
                                  .keys = {newton_keys},
                                  .value = PC_CHAIN_NEWTON};
static const pc_mapping sequential = {.id = "chain_sequential",
                                      .what = "a sequence of collisions",
                                      .meaning =
                                          "One collision of two balls after the other, to the end.",
                                      .keys = {sequential_keys},
                                      .value = PC_CHAIN_SEQUENTIAL};
static const pc_mapping moreau = {.id = "chain_moreau",
                                  .what = "Moreau's law",
                                  .meaning = "gamma+ + e gamma- >= 0 and p >= 0, complementary.",
                                  .keys = {moreau_keys},
                                  .value = PC_CHAIN_MOREAU};
static const pc_mapping poisson = {.id = "chain_poisson",
                                   .what = "Poisson's law",
                                   .meaning =
                                       "Compression, then expansion with e times its percussions.",
                                   .keys = {poisson_keys},
                                   .value = PC_CHAIN_POISSON};
static const pc_mapping fremond = {
    .id = "chain_fremond",
    .what = "Frémond's law",
    .meaning = "Percussions by the mean velocities, at contacts and at a distance.",
    .keys = {fremond_keys},
    .value = PC_CHAIN_FREMOND};
static const pc_mapping matrix = {.id = "chain_matrix",
                                  .what = "a restitution matrix",
                                  .meaning = "gamma+ = -E gamma-, with its check of energy.",
                                  .keys = {matrix_keys},
                                  .value = PC_CHAIN_MATRIX};
static const pc_mapping lzb = {.id = "chain_lzb",
                               .what = "the LZB law",
                               .meaning = "Liu, Zhao and Brogliato: percussions grow side by side, "
                                          "by the energy that contacts hold.",
                               .keys = {lzb_keys},
                               .value = PC_CHAIN_LZB};
static const pc_mapping hertz = {.id = "chain_hertz",
                                 .what = "the integration of Hertz's contacts",
                                 .meaning = "Forces and displacements in time: the reference.",
                                 .keys = {hertz_keys},
                                 .value = PC_CHAIN_HERTZ};
static const pc_mapping *const laws[] = {&newton, &sequential, &moreau, &poisson, &fremond,
                                         &matrix, &lzb,        &hertz,  NULL};

// --- the file -----------------------------------------------------------------------------------

static const pc_key output_keys[] = {
    {"every", PC_A_NUMBER, .unit = "s", PC_POSITIVE, .left_out = "the step",
     PC_INTO(pc_scene, frame_every),
     .meaning = "between frames, rounded to whole steps; not less than the step"},
    PC_CSV_KEY("RUN.csv: the energy balance of every step, KER and C_KE"),
    PC_XDMF_KEY,
    PC_CHECKPOINT_KEY,
    {0}};
const pc_mapping pc_table_chain_output = {.id = "chain_output",
                                          .what = "'output' of a chain",
                                          .meaning = "What `percuss run` records, and how often.",
                                          .keys = {output_keys}};

static const pc_key head_keys[] = {
    PC_KIND_KEY("chain"), PC_BASE_KEY, PC_TITLE_KEY, PC_SOURCE_KEY, {0}};
const pc_key pc_chain_times[] = {
    {"duration", PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "a little longer than the impact, or than a flight over the chain",
     PC_INTO(pc_scene, duration), .meaning = "of `percuss run`"},
    {"step", PC_A_NUMBER, .unit = "s", PC_POSITIVE, .left_out = "a 500th of the duration",
     PC_INTO(pc_scene, step),
     .meaning = "between the lines of the account; the laws take their own steps"},
    {0}};
static const pc_key chain_keys[] = {
    {"balls", PC_A_MAPPING, true, .mapping = &pc_table_chain_balls, .meaning = "the balls"},
    {"velocity", PC_A_NUMBER | PC_NUMBERS, true, .unit = "m/s", .count = {2, PC_MANY},
     .meaning = "before, of all balls; a number is that of the first, the others rest"},
    {"walls", PC_A_WORD, .words = PC_WORDS({"none", 0}, {"left", 1}, {"right", 2}, {"both", 3}),
     .noun = "walls", .otherwise = "none", .meaning = "fixed ones, beyond the ends"},
    {"law", PC_A_MAPPING, true, .variants = laws, .meaning = "of the impact"},
    {"contacts", PC_A_MAPPING, .mapping = &pc_table_chain_contacts, .otherwise = "{}",
     .meaning = "what the contacts are like"},
    {"press", PC_A_NUMBER, .unit = "N", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "a static force that compresses the chain; the law `hertz` with a duration"},
    {"bounds", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: the least and the largest dispersion that this loss of energy allows"},
    {"output", PC_A_MAPPING, .mapping = &pc_table_chain_output, .otherwise = "{}",
     .meaning = "what `percuss run` records, and how often"},
    {0}};
const pc_mapping pc_table_chain = {
    .id = "chain",
    .what = "a chain file",
    .meaning = "Balls on a line that collide, for `percuss solve` "
               "and `percuss run`.",
    .keys = {head_keys, pc_chain_times, chain_keys, pc_keys_of_runs}};
