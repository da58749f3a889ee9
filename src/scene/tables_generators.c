// What files of kind `rigid` may say of generators.
#include "scene/tables.h"

// --- how bodies move ----------------------------------------------------------------------------

static const pc_key velocity_range_keys[] = {
    {"min", PC_NUMBERS, true, .unit = "m/s", .meaning = "smallest components"},
    {"max", PC_NUMBERS, true, .unit = "m/s", .meaning = "largest components"},
    {0}};
const pc_mapping pc_table_velocity_range = {.id = "velocity_range",
                                            .what = "a range of velocities",
                                            .meaning = "A velocity drawn anew for each body.",
                                            .keys = {velocity_range_keys}};

static const pc_key velocity_toward_keys[] = {
    {"toward", PC_NUMBERS, true, .unit = "m", .meaning = "the point"},
    {"time", PC_A_NUMBER, true, .unit = "s", .range = {.kind = PC_ABOVE},
     .meaning = "after which a body is there, if nothing came between"},
    {0}};
const pc_mapping pc_table_velocity_toward = {.id = "velocity_toward",
                                             .what = "a velocity",
                                             .meaning = "A velocity toward a point.",
                                             .keys = {velocity_toward_keys}};
static const pc_mapping *const velocities[] = {&pc_table_velocity_range, &pc_table_velocity_toward,
                                               NULL};

static const pc_key spin_range_keys[] = {
    {"min", PC_A_SPIN, true, .unit = "rad/s", .meaning = "smallest components"},
    {"max", PC_A_SPIN, true, .unit = "rad/s", .meaning = "largest components"},
    {0}};
const pc_mapping pc_table_spin_range = {.id = "spin_range",
                                        .what = "a range of spins",
                                        .meaning = "A spin drawn anew for each body.",
                                        .keys = {spin_range_keys}};

// --- what generators share ----------------------------------------------------------------------

static const pc_key shape_choice_keys[] = {
    {"shape", PC_A_NAME | PC_A_MAPPING, true, .variants = pc_table_shapes,
     .meaning = "a shape, or the name of one"},
    {"weight", PC_A_NUMBER, .range = {.kind = PC_ABOVE}, .otherwise = "1",
     .meaning = "how often, against the others"},
    {"material", PC_A_NAME, .left_out = "that of the generator", .meaning = "its material"},
    {0}};
const pc_mapping pc_table_shape_choice = {.id = "shape_choice",
                                          .what = "a shape to choose from",
                                          .meaning =
                                              "One of the shapes that a generator chooses from.",
                                          .keys = {shape_choice_keys}};

static const pc_key common_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "bodies are called NAME-1, NAME-2, …"},
    {"material", PC_A_NAME, .left_out = "the first of `materials`", .meaning = "of its bodies"},
    {"velocity", PC_NUMBERS | PC_A_MAPPING, .unit = "m/s", .variants = velocities,
     .otherwise = "[0, 0, 0]", .meaning = "of its bodies"},
    {"spin", PC_A_SPIN | PC_A_MAPPING, .unit = "rad/s", .mapping = &pc_table_spin_range,
     .otherwise = "[0, 0, 0]", .meaning = "of its bodies"},
    {"group", PC_AN_INTEGER, .range = {.kind = PC_BETWEEN, .high = 1 << 30}, .otherwise = "0",
     .meaning = "bodies of one group other than 0 do not meet"},
    {"no_rotation", PC_A_BOOLEAN, .otherwise = "false", .meaning = "true: they never turn"},
    {0}};

static const pc_key drawn_keys[] = {
    {"shape", PC_A_NAME | PC_A_MAPPING, .variants = pc_table_shapes,
     .left_out = "`shape` or `shapes` is needed",
     .meaning = "of all bodies, with ranges if wanted"},
    {"shapes", PC_A_LIST, .mapping = &pc_table_shape_choice,
     .left_out = "`shape` or `shapes` is needed", .meaning = "several to choose from; at most 64"},
    {"seed", PC_AN_INTEGER, .range = {.kind = PC_BETWEEN, .high = 2147483647},
     .left_out = "the `seed` of the scene",
     .meaning = "of everything that is drawn; with `runs` these bodies are then always the same"},
    {"size_spread", PC_A_NUMBER, .range = {.kind = PC_BETWEEN, .high = 0.95}, .otherwise = "0",
     .meaning = "s: each body is scaled by a factor from 1 − s to 1 + s"},
    {"orientations", PC_A_WORD, .words = "aligned random", .noun = "orientations",
     .otherwise = "aligned", .meaning = "all as `orientation` says, or each at random"},
    {"orientation", PC_NUMBERS | PC_A_MAPPING, .count = {4, 4}, .variants = pc_table_orientations,
     .otherwise = "[1, 0, 0, 0]", .meaning = "quaternion `[w, x, y, z]`, or axis and angle"},
    {0}};

// --- generators ---------------------------------------------------------------------------------

static const pc_key grid_type[] = {{"type", PC_A_WORD, true, .words = "grid",
                                    .noun = "type of generator", .meaning = "the generator"},
                                   {0}};
static const pc_key grid_keys[] = {
    {"counts", PC_INTEGERS, true, .range = {.kind = PC_BETWEEN, .low = 1, .high = 1e7},
     .meaning = "along x, y, z"},
    {"spacing", PC_A_NUMBER | PC_NUMBERS, true, .unit = "m", .range = {.kind = PC_AT_LEAST},
     .meaning = "one, or one for each axis"},
    {"origin", PC_NUMBERS, .unit = "m", .otherwise = "[0, 0, 0]", .meaning = "the first place"},
    {"jitter", PC_A_NUMBER, .unit = "m", .range = {.kind = PC_AT_LEAST}, .otherwise = "0",
     .meaning = "each body is moved by up to ± jitter along each axis"},
    {0}};
static const pc_mapping grid = {.id = "grid",
                                .what = "a grid of bodies",
                                .meaning = "Bodies at origin + spacing × (i, j, k).",
                                .keys = {grid_type, common_keys, grid_keys, drawn_keys}};

static const pc_key random_type[] = {{"type", PC_A_WORD, true, .words = "random",
                                      .noun = "type of generator", .meaning = "the generator"},
                                     {0}};
static const pc_key random_keys[] = {
    {"count", PC_AN_INTEGER, true, .range = {.kind = PC_BETWEEN, .low = 1, .high = 1e7},
     .meaning = "how many"},
    {"inside", PC_A_MAPPING, .variants = pc_table_regions, .left_out = "needed unless `from_table`",
     .meaning = "where: the sphere around each is inside"},
    {"clearance", PC_A_NUMBER, .unit = "m", .range = {.kind = PC_AT_LEAST}, .otherwise = "0",
     .meaning = "how near they may come to anything that is there"},
    {"from_table", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: a table of `start` says where each is"},
    {0}};
static const pc_mapping random = {.id = "random",
                                  .what = "a random generator",
                                  .meaning = "Bodies at random places, without overlap.",
                                  .keys = {random_type, common_keys, random_keys, drawn_keys}};

static const pc_key layers_type[] = {{"type", PC_A_WORD, true, .words = "layers",
                                      .noun = "type of generator", .meaning = "the generator"},
                                     {0}};
static const pc_key layers_keys[] = {
    {"size", PC_NUMBERS, true, .unit = "m", .range = {.kind = PC_ABOVE},
     .meaning = "length, width and height of a brick; in the plane length and height"},
    {"layers", PC_AN_INTEGER, true, .range = {.kind = PC_BETWEEN, .low = 1, .high = 1e7},
     .meaning = "how many"},
    {"per_layer", PC_A_NUMBER, true, .range = {.kind = PC_AT_LEAST, .low = 1},
     .meaning = "bricks of a layer; in a running bond half a brick more is allowed"},
    {"origin", PC_NUMBERS, .unit = "m", .otherwise = "[0, 0, 0]", .meaning = "the low corner"},
    {"joint", PC_A_NUMBER, .unit = "m", .range = {.kind = PC_AT_LEAST}, .otherwise = "0",
     .meaning = "gap between bricks along x"},
    {"bond", PC_A_WORD, .words = "running stack", .noun = "bond", .otherwise = "running",
     .meaning = "every second layer is shifted by half a brick, or none"},
    {0}};
static const pc_mapping layers = {.id = "layers",
                                  .what = "layers of bricks",
                                  .meaning = "A wall of bricks along x.",
                                  .keys = {layers_type, common_keys, layers_keys}};

static const pc_key volume_keys[] = {
    {"box", PC_POINTS, .unit = "m", .count = {3, 3},
     .meaning = "`[low corner, high corner]`, along the axes"},
    {"outline", PC_POINTS, .unit = "m", .count = {2, 2},
     .left_out = "needed with `height` and `thickness`",
     .meaning = "polygon on the map, at least three corners"},
    {"height", PC_A_NUMBER, .unit = "m", .meaning = "over the ground, below this height"},
    {"thickness", PC_A_NUMBER, .unit = "m", .range = {.kind = PC_ABOVE},
     .meaning = "over the ground, so far up"},
    {"surface", PC_A_NAME | PC_A_MAPPING, .variants = pc_table_shapes,
     .meaning = "over the ground, below this `heights`, `mesh` or `plane`"},
    {0}};
const pc_mapping pc_table_volume = {
    .id = "volume",
    .what = "'inside'",
    .meaning =
        "A volume to fill: a `box`, or over the ground below one of `height`, `thickness` and "
        "`surface`.",
    .keys = {volume_keys}};

static const pc_key fill_type[] = {{"type", PC_A_WORD, true, .words = "fill",
                                    .noun = "type of generator", .meaning = "the generator"},
                                   {0}};
static const pc_key fill_keys[] = {
    {"inside", PC_A_MAPPING, true, .mapping = &pc_table_volume, .meaning = "the volume"},
    {"count", PC_AN_INTEGER, .range = {.kind = PC_BETWEEN, .low = 1, .high = 1e7},
     .left_out = "as many as fit", .meaning = "how many"},
    {"take", PC_A_WORD, .words = "lowest highest", .noun = "order", .otherwise = "lowest",
     .meaning = "which of those that fit"},
    {"gap", PC_A_NUMBER, .unit = "m", .range = {.kind = PC_AT_LEAST}, .otherwise = "0",
     .meaning = "between bodies"},
    {"spacing", PC_A_NUMBER | PC_NUMBERS, .unit = "m", .range = {.kind = PC_ABOVE}, .count = {3, 3},
     .left_out = "the box around the body, and the gap",
     .meaning = "of the lattice; needed when bodies differ or are turned at random"},
    {"origin", PC_NUMBERS, .unit = "m", .count = {3, 3},
     .left_out = "the first body touches the low corner of the volume",
     .meaning = "the middle of one of the cells"},
    {0}};
static const pc_mapping fill = {
    .id = "fill",
    .what = "a filled volume",
    .meaning = "A volume filled on a lattice in the axes of `orientation`; in space.",
    .keys = {fill_type, common_keys, fill_keys, drawn_keys}};

const pc_mapping *const pc_table_generators[] = {&grid, &random, &layers, &fill, NULL};
