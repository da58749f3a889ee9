// What files of kind `rigid` may say, besides shapes, generators and laws.
#include "scene/tables.h"

// --- orientations and signals -------------------------------------------------------------------

static const pc_key axis_keys[] = {
    {"axis", PC_NUMBERS, true, .count = {3, 3}, .meaning = "about which it is turned"}, {0}};
static const pc_key degrees_keys[] = {
    {"degrees", PC_A_NUMBER, true, .unit = "degrees", .meaning = "how far it is turned"}, {0}};
const pc_mapping pc_table_orientation = {.id = "orientation",
                                         .what = "an orientation",
                                         .meaning =
                                             "An orientation in space, from how the shape stands.",
                                         .keys = {axis_keys, degrees_keys}};
const pc_mapping pc_table_orientation_plane = {.id = "orientation_plane",
                                               .what = "an orientation in the plane",
                                               .meaning = "An orientation in the plane.",
                                               .keys = {degrees_keys}};
const pc_mapping *const pc_table_orientations[] = {&pc_table_orientation,
                                                   &pc_table_orientation_plane, NULL};

static const pc_key sine_keys[] = {
    {"amplitude", PC_A_NUMBER, true, .unit = "m, rad", .meaning = "amplitude"},
    {"frequency", PC_A_NUMBER, true, .unit = "Hz", .range = {.kind = PC_ABOVE},
     .meaning = "frequency"},
    {"phase", PC_A_NUMBER, .unit = "rad", .otherwise = "0", .meaning = "phase at time 0"},
    {0}};
const pc_mapping pc_table_sine = {.id = "sine",
                                  .what = "a sine",
                                  .meaning =
                                      "amplitude (sin(2π frequency t + phase) − sin(phase)).",
                                  .keys = {sine_keys}};

static const pc_key signal_keys[] = {
    {"rate", PC_A_NUMBER, .unit = "m/s, rad/s", .meaning = "the value is rate × time"},
    {"sine", PC_A_MAPPING, .mapping = &pc_table_sine, .meaning = "the value is a sine of time"},
    {"table", PC_POINTS, .unit = "s; m, rad", .count = {2, 2},
     .meaning = "`[[time, value], …]`: straight lines between the points, constant outside"},
    {"of", PC_A_WORD, .words = "displacement speed", .noun = "table", .otherwise = "displacement",
     .meaning = "with `table`: its values, or their integral from time 0, are the value"},
    {0}};
const pc_mapping pc_table_signal = {
    .id = "signal",
    .what = "a signal",
    .meaning = "A number that changes with time: one of `rate`, `sine` and `table`.",
    .keys = {signal_keys}};

static const pc_key xy_keys[] = {
    {"x", PC_A_MAPPING, .mapping = &pc_table_signal, .left_out = "0", .meaning = "along x"},
    {"y", PC_A_MAPPING, .mapping = &pc_table_signal, .left_out = "0", .meaning = "along y"},
    {0}};
static const pc_key z_keys[] = {
    {"z", PC_A_MAPPING, .mapping = &pc_table_signal, .left_out = "0", .meaning = "along z"}, {0}};
const pc_mapping pc_table_translation = {.id = "translation",
                                         .what = "a translation",
                                         .meaning =
                                             "How far it is displaced from its place at time 0.",
                                         .keys = {xy_keys, z_keys}};
const pc_mapping pc_table_translation_plane = {.id = "translation_plane",
                                               .what = "a translation",
                                               .meaning = "The same in the plane.",
                                               .keys = {xy_keys}};
static const pc_mapping *const translations[] = {&pc_table_translation, &pc_table_translation_plane,
                                                 NULL};

static const pc_key centre_keys[] = {{"centre", PC_NUMBERS, .unit = "m", .otherwise = "[0, 0, 0]",
                                      .meaning = "a point on the axis, in the world"},
                                     {0}};
const pc_mapping pc_table_rotation = {.id = "rotation",
                                      .what = "a rotation",
                                      .meaning =
                                          "How far it is turned about an axis; a signal, in rad.",
                                      .keys = {axis_keys, centre_keys, signal_keys}};
const pc_mapping pc_table_rotation_plane = {.id = "rotation_plane",
                                            .what = "a rotation",
                                            .meaning = "The same in the plane, about z.",
                                            .keys = {centre_keys, signal_keys}};
static const pc_mapping *const rotations[] = {&pc_table_rotation, &pc_table_rotation_plane, NULL};

static const pc_key motion_keys[] = {
    {"translation", PC_A_MAPPING, .variants = translations, .meaning = "how it is displaced"},
    {"rotation", PC_A_MAPPING, .variants = rotations, .meaning = "how it is turned, before that"},
    {0}};
const pc_mapping pc_table_motion = {.id = "motion",
                                    .what = "a motion",
                                    .meaning = "A given motion: `translation`, `rotation` or both.",
                                    .keys = {motion_keys}};

// --- regions and choices ------------------------------------------------------------------------

static const pc_key centre_of_region[] = {
    {"centre", PC_NUMBERS, .unit = "m", .otherwise = "[0, 0, 0]", .meaning = "its middle"}, {0}};
static const pc_key radius_keys[] = {
    {"radius", PC_A_NUMBER, true, .unit = "m", .range = {.kind = PC_ABOVE}, .meaning = "radius"},
    {0}};
static const pc_key cylinder_keys[] = {
    {"axis", PC_NUMBERS, .count = {3, 3}, .otherwise = "[0, 0, 1]", .meaning = "its direction"},
    {"length", PC_A_NUMBER, true, .unit = "m", .range = {.kind = PC_ABOVE},
     .meaning = "length along the axis"},
    {0}};
const pc_mapping pc_table_region_cylinder = {
    .id = "region_cylinder",
    .what = "a cylinder",
    .meaning = "Points near an axis.",
    .keys = {centre_of_region, radius_keys, cylinder_keys}};
const pc_mapping pc_table_region_sphere = {.id = "region_sphere",
                                           .what = "a sphere",
                                           .meaning = "Points near a centre.",
                                           .keys = {centre_of_region, radius_keys}};
const pc_mapping pc_table_region_disc = {.id = "region_disc",
                                         .what = "a disc",
                                         .meaning = "Points near a centre, in the plane.",
                                         .keys = {centre_of_region, radius_keys}};

static const pc_key box_keys[] = {
    {"box", PC_POINTS, .unit = "m", .meaning = "`[low corner, high corner]`, along the axes"}, {0}};
static const pc_key space_region_keys[] = {
    {"cylinder", PC_A_MAPPING, .mapping = &pc_table_region_cylinder, .meaning = "a cylinder"},
    {"sphere", PC_A_MAPPING, .mapping = &pc_table_region_sphere, .meaning = "a sphere"},
    {0}};
static const pc_key plane_region_keys[] = {
    {"disc", PC_A_MAPPING, .mapping = &pc_table_region_disc, .meaning = "a disc"}, {0}};
const pc_mapping pc_table_region = {.id = "region",
                                    .what = "'inside'",
                                    .meaning = "A region of space; one of its keys.",
                                    .keys = {box_keys, space_region_keys}};
const pc_mapping pc_table_region_plane = {.id = "region_plane",
                                          .what = "'inside'",
                                          .meaning = "A region of the plane; one of its keys.",
                                          .keys = {box_keys, plane_region_keys}};
const pc_mapping *const pc_table_regions[] = {&pc_table_region, &pc_table_region_plane, NULL};

static const pc_key choice_keys[] = {
    {"name", PC_A_NAME, .meaning = "of a body or a generator; `stone-*`: all that begin so"},
    {"material", PC_A_NAME, .meaning = "those of this material"},
    {"inside", PC_A_MAPPING, .variants = pc_table_regions,
     .meaning = "those whose origins start inside"},
    {"nearest", PC_NUMBERS, .unit = "m", .meaning = "of these, the one that starts nearest to it"},
    {0}};
const pc_mapping pc_table_choice = {
    .id = "choice",
    .what = "a choice of bodies",
    .meaning = "Which bodies are meant: those that fulfil all of what is given, at least one key.",
    .keys = {choice_keys}};

// --- bodies and obstacles -----------------------------------------------------------------------

static const pc_key place_keys[] = {
    {"shape", PC_A_NAME | PC_A_MAPPING, true, .variants = pc_table_shapes,
     .meaning = "its shape, or the name of one of `shapes`"},
    {"material", PC_A_NAME, .left_out = "the first of `materials`", .meaning = "its material"},
    {"orientation", PC_NUMBERS | PC_A_MAPPING, .count = {4, 4}, .variants = pc_table_orientations,
     .otherwise = "[1, 0, 0, 0]", .meaning = "quaternion `[w, x, y, z]`, or axis and angle"},
    {"group", PC_AN_INTEGER, .range = {.kind = PC_BETWEEN, .high = 1 << 30}, .otherwise = "0",
     .meaning = "bodies of one group other than 0 do not meet"},
    {0}};
static const pc_key body_name[] = {
    {"name", PC_A_NAME, .left_out = "`body-N`, N counts obstacles too", .meaning = "its name"},
    {0}};
static const pc_key body_keys[] = {
    {"position", PC_NUMBERS, true, .unit = "m", .meaning = "of the shape's origin"},
    {"velocity", PC_NUMBERS, .unit = "m/s", .otherwise = "[0, 0, 0]",
     .meaning = "of the centre of mass"},
    {"spin", PC_A_SPIN, .unit = "rad/s", .otherwise = "[0, 0, 0]", .meaning = "in world axes"},
    {"mass", PC_A_NUMBER, .unit = "kg", .range = {.kind = PC_ABOVE},
     .left_out = "from shape and density", .meaning = "mass"},
    {"inertia", PC_A_SPIN, .unit = "kg m²", .range = {.kind = PC_ABOVE},
     .left_out = "from the shape, with its mass", .meaning = "moments about the shape's axes"},
    {"no_rotation", PC_A_BOOLEAN, .otherwise = "false", .meaning = "true: it never turns"},
    {0}};
const pc_mapping pc_table_body = {.id = "body",
                                  .what = "a body",
                                  .meaning = "What moves freely. Its shape has a volume.",
                                  .keys = {body_name, place_keys, body_keys}};

static const pc_key guided_keys[] = {
    {"axis", PC_NUMBERS, true, .meaning = "along which it moves"},
    {"load", PC_A_NUMBER, .unit = "N", .otherwise = "0", .meaning = "force along the axis"},
    {"mass", PC_A_NUMBER, .unit = "kg", .range = {.kind = PC_ABOVE},
     .left_out = "from shape and density", .meaning = "mass; needed if the shape has no volume"},
    {"velocity", PC_A_NUMBER, .unit = "m/s", .otherwise = "0", .meaning = "along the axis"},
    {0}};
const pc_mapping pc_table_guided = {
    .id = "guided",
    .what = "'guided'",
    .meaning = "Moves along its axis only, pushed by contacts, gravity and its load.",
    .keys = {guided_keys}};

static const pc_key obstacle_name[] = {
    {"name", PC_A_NAME, .left_out = "`obstacle-N`, N counts bodies too", .meaning = "its name"},
    {0}};
static const pc_key obstacle_keys[] = {
    {"position", PC_NUMBERS, .unit = "m", .otherwise = "[0, 0, 0]",
     .meaning = "of the shape's origin"},
    {"motion", PC_A_MAPPING, .mapping = &pc_table_motion, .left_out = "at rest",
     .meaning = "how it is moved"},
    {"guided", PC_A_MAPPING, .mapping = &pc_table_guided, .left_out = "at rest",
     .meaning = "how it can be pushed; not with `motion`"},
    {0}};
const pc_mapping pc_table_obstacle = {
    .id = "obstacle",
    .what = "an obstacle",
    .meaning = "What is at rest, moved or guided. Its shape needs no volume.",
    .keys = {obstacle_name, place_keys, obstacle_keys}};

// --- what acts on bodies and what looks at them -------------------------------------------------

static const pc_key chosen_keys[] = {
    {"bodies", PC_A_NAME | PC_A_MAPPING | PC_A_LIST, true, .mapping = &pc_table_choice,
     .meaning = "which: names of bodies or generators, `stone-*`, choices, or a list of them"},
    {0}};

static const pc_key event_keys[] = {
    {"time", PC_A_NUMBER, true, .unit = "s", .range = {.kind = PC_ABOVE},
     .meaning = "when: before the step that starts there"},
    {"position", PC_NUMBERS, .unit = "m", .left_out = "unchanged",
     .meaning = "new place of the shape's origin; of one body"},
    {"orientation", PC_NUMBERS | PC_A_MAPPING, .count = {4, 4}, .variants = pc_table_orientations,
     .left_out = "unchanged", .meaning = "new orientation"},
    {"velocity", PC_NUMBERS, .unit = "m/s", .left_out = "unchanged", .meaning = "new velocity"},
    {"spin", PC_A_SPIN, .unit = "rad/s", .left_out = "unchanged", .meaning = "new spin"},
    {"temperature", PC_A_NUMBER, .unit = "K", .range = {.kind = PC_ABOVE}, .left_out = "unchanged",
     .meaning = "new temperature; with `heat`"},
    {0}};
const pc_mapping pc_table_event = {
    .id = "event",
    .what = "an event",
    .meaning = "What is done to bodies during the run; in the order of time.",
    .keys = {chosen_keys, event_keys}};

static const pc_key force_keys[] = {
    {"force", PC_NUMBERS, .unit = "N", .left_out = "0", .meaning = "at the centre of mass"},
    {"torque", PC_A_SPIN, .unit = "N m", .left_out = "0", .meaning = "about the centre of mass"},
    {"signal", PC_A_MAPPING, .mapping = &pc_table_signal, .left_out = "1",
     .meaning = "factor that changes with time"},
    {0}};
const pc_mapping pc_table_force = {.id = "force",
                                   .what = "a force",
                                   .meaning =
                                       "A load on each of the bodies: `force`, `torque` or both.",
                                   .keys = {chosen_keys, force_keys}};

static const pc_key spring_keys[] = {
    {"name", PC_A_NAME, .left_out = "`spring-N`", .meaning = "its name"},
    {"points", PC_POINTS, .unit = "m", .otherwise = "[[0, 0, 0]]",
     .meaning = "where it acts, in the axes of the shape: one spring at each"},
    {"normal", PC_NUMBERS, true, .meaning = "direction in which it pushes"},
    {"stiffness", PC_A_NUMBER, true, .unit = "N/m", .range = {.kind = PC_ABOVE},
     .meaning = "stiffness"},
    {0}};
const pc_mapping pc_table_spring = {
    .id = "spring",
    .what = "a spring",
    .meaning = "Pushes, and never pulls, by how far its point has come against the normal.",
    .keys = {spring_keys, chosen_keys}};

static const pc_key net_keys[] = {
    {"name", PC_A_NAME, .left_out = "`net-N`", .meaning = "its name"},
    {"low", PC_NUMBERS, true, .unit = "m", .meaning = "low corner of the box"},
    {"high", PC_NUMBERS, true, .unit = "m", .meaning = "high corner of the box"},
    {"stiffness", PC_A_NUMBER, true, .unit = "N/m³", .range = {.kind = PC_ABOVE},
     .meaning = "force for each volume outside of a face"},
    {"moves", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: its middle is always at the centre of mass of its bodies"},
    {0}};
const pc_mapping pc_table_net = {.id = "net",
                                 .what = "a net",
                                 .meaning = "A box that pushes back what is outside of its faces.",
                                 .keys = {net_keys, chosen_keys}};

static const pc_key string_keys[] = {
    {"name", PC_A_NAME, .left_out = "`string-N`", .meaning = "its name"},
    {"bodies", PC_NAMES, true, .count = {2, 2},
     .meaning = "the two that it joins: bodies, or a body and an obstacle at rest"},
    {"points", PC_POINTS, .unit = "m", .otherwise = "[[0, 0, 0], [0, 0, 0]]",
     .meaning = "where it is fastened, on the first and the second, in the axes of their shapes"},
    {"length", PC_A_NUMBER, .unit = "m", .range = {.kind = PC_AT_LEAST},
     .left_out = "how far the points are apart at the start",
     .meaning = "up to which it does nothing"},
    {"stiffness", PC_A_NUMBER, true, .unit = "N/m", .range = {.kind = PC_ABOVE},
     .meaning = "pull for each length beyond"},
    {"damping", PC_A_NUMBER, .unit = "N s/m", .range = {.kind = PC_AT_LEAST}, .otherwise = "0",
     .meaning = "pull for the speed at which the points part, while it is taut"},
    {0}};
const pc_mapping pc_table_string = {
    .id = "string",
    .what = "a string",
    .meaning = "Pulls two bodies together while they are farther apart than its length.",
    .keys = {string_keys}};

static const pc_key sensor_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "its name; without `/`, `,` and quotation marks"},
    {"kind", PC_A_WORD, true, .words = "force acceleration displacement velocity temperature",
     .noun = "kind of sensor",
     .meaning = "sum of the forces on the bodies (N), or the mean over them of the acceleration "
                "(m/s²), displacement (m), velocity (m/s) or temperature (K, one number; with "
                "`heat`)"},
    {"axis", PC_NUMBERS, .left_out = "three numbers are recorded",
     .meaning = "the one direction that is recorded"},
    {"from", PC_A_WORD, .words = "all contacts springs", .noun = "source of a force",
     .otherwise = "all", .meaning = "with `kind: force`: what is summed"},
    {"cutoff", PC_A_NUMBER, .unit = "Hz", .range = {.kind = PC_ABOVE}, .left_out = "no filter",
     .meaning = "of a low pass: gives a second signal, NAME_filtered; below 1/(2 step)"},
    {0}};
const pc_mapping pc_table_sensor = {.id = "sensor",
                                    .what = "a sensor",
                                    .meaning = "Numbers recorded at every step.",
                                    .keys = {sensor_keys, chosen_keys}};

// --- how it is run and recorded -----------------------------------------------------------------

static const pc_key contact_keys[] = {
    {"treatment", PC_A_WORD, .words = "velocity position penalty", .noun = "treatment of contact",
     .otherwise = "position",
     .meaning = "`velocity`: where bodies touch they do not approach; `position`: they do not "
                "overlap at the end of a step; `penalty`: every overlap is a spring"},
    {"push_out", PC_A_NUMBER, .unit = "1/s", .range = {.kind = PC_AT_LEAST}, .otherwise = "10",
     .meaning = "with `position`: rate at which overlaps shrink"},
    {"rest_speed", PC_A_NUMBER, .unit = "m/s", .range = {.kind = PC_AT_LEAST},
     .left_out = "2 g × step", .meaning = "slower impacts do not rebound"},
    {"stiffness", PC_A_NUMBER, .unit = "N/m", .range = {.kind = PC_ABOVE},
     .left_out = "needed with `penalty`, and with nothing else", .meaning = "of overlaps"},
    {"looks", PC_A_WORD, .words = "again once all", .noun = "way to look", .otherwise = "again",
     .meaning = "how often contacts are looked for in a step, because a body that is struck may "
                "reach others: `once`; `again`, up to three times and as often as walls need it; "
                "`all`, until none is missing"},
    {0}};
const pc_mapping pc_table_contact = {.id = "contact",
                                     .what = "'contact'",
                                     .meaning = "How contact is treated.",
                                     .keys = {contact_keys}};

static const pc_key sleep_keys[] = {
    {"after", PC_A_NUMBER, true, .unit = "s", .range = {.kind = PC_ABOVE},
     .meaning = "so long all bodies of an island must be slow"},
    {"speed", PC_A_NUMBER, .unit = "m/s", .range = {.kind = PC_AT_LEAST},
     .left_out = "0.1 g × step", .meaning = "a body is slow when its fastest point is not faster"},
    {0}};
const pc_mapping pc_table_sleep = {.id = "sleep",
                                   .what = "'sleep'",
                                   .meaning = "When islands of bodies that rest fall asleep.",
                                   .keys = {sleep_keys}};

static const pc_key warm_keys[] = {
    {"temperature", PC_A_NUMBER, .unit = "K", .range = {.kind = PC_ABOVE},
     .left_out = "as the others", .meaning = "at the start; an obstacle keeps it"},
    {"capacity", PC_A_NUMBER, .unit = "J/K", .range = {.kind = PC_ABOVE},
     .left_out = "mass × specific heat", .meaning = "heat capacity of each of them"},
    {"exchange", PC_A_NUMBER, .unit = "W/K", .range = {.kind = PC_AT_LEAST},
     .left_out = "surface × `exchange` of `heat`", .meaning = "with the outside, of each of them"},
    {0}};
const pc_mapping pc_table_warm = {.id = "warm",
                                  .what = "an entry of 'bodies' of 'heat'",
                                  .meaning =
                                      "What some bodies have of their own: at least one key.",
                                  .keys = {chosen_keys, warm_keys}};

static const pc_key heat_keys[] = {
    {"specific_heat", PC_A_NUMBER, .unit = "J/(kg K)", .range = {.kind = PC_ABOVE},
     .otherwise = "800", .meaning = "of materials that have none of their own"},
    {"temperature", PC_A_NUMBER, .unit = "K", .range = {.kind = PC_ABOVE}, .otherwise = "293.15",
     .meaning = "of bodies at the start"},
    {"conductance", PC_A_NUMBER, .unit = "W/K", .range = {.kind = PC_AT_LEAST}, .otherwise = "0",
     .meaning = "between two bodies that are pressed together"},
    {"exchange", PC_A_NUMBER, .unit = "W/(m² K), in the plane W/(m K)",
     .range = {.kind = PC_AT_LEAST}, .otherwise = "0",
     .meaning = "between the surface of bodies and the outside"},
    {"outside", PC_A_NUMBER, .unit = "K", .range = {.kind = PC_ABOVE},
     .left_out = "as `temperature`", .meaning = "temperature of the outside"},
    {"obstacles", PC_A_NUMBER, .unit = "K", .range = {.kind = PC_ABOVE},
     .left_out = "bodies get all that contacts with obstacles dissipate, and nothing passes",
     .meaning = "temperature of obstacles, which then take their share and conduct"},
    {"bodies", PC_A_LIST, .mapping = &pc_table_warm, .otherwise = "[]",
     .meaning = "what some bodies or obstacles have of their own"},
    {0}};
const pc_mapping pc_table_heat = {
    .id = "heat",
    .what = "'heat'",
    .meaning = "What contacts dissipate becomes heat of their bodies, which have temperatures.",
    .keys = {heat_keys}};

static const pc_key solver_keys[] = {
    {"name", PC_A_WORD, .words = "auto apgd ipm nsgs uzawa", .noun = "solver", .otherwise = "auto",
     .meaning = "the method"},
    {"tolerance", PC_A_NUMBER, .range = {.kind = PC_BETWEEN, .low = 1e-15, .high = 1},
     .otherwise = "1e-4", .meaning = "on the residual of each step, relative to the free velocity"},
    {"max_iterations", PC_AN_INTEGER, .range = {.kind = PC_BETWEEN, .high = 1e9},
     .otherwise = "1000",
     .meaning = "sweeps over a large group of contacts in one step; 0: as many as it takes"},
    {"threads", PC_AN_INTEGER, .range = {.kind = PC_BETWEEN, .low = 1, .high = 1024},
     .otherwise = "1", .meaning = "the answer does not depend on it; `--threads` goes first"},
    {0}};
const pc_mapping pc_table_solver = {.id = "solver",
                                    .what = "'solver'",
                                    .meaning = "How the impacts of a step are solved.",
                                    .keys = {solver_keys}};

static const pc_key material_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "its name; `default` (1000 kg/m³) is there already"},
    {"density", PC_A_NUMBER, true, .unit = "kg/m³, in the plane kg/m²", .range = {.kind = PC_ABOVE},
     .meaning = "density"},
    {"specific_heat", PC_A_NUMBER, .unit = "J/(kg K)", .range = {.kind = PC_ABOVE},
     .left_out = "that of `heat`", .meaning = "heat capacity per mass; with `heat`"},
    {0}};
const pc_mapping pc_table_material = {
    .id = "material", .what = "a material", .meaning = "A material.", .keys = {material_keys}};

static const pc_key between_keys[] = {
    {"between", PC_NAMES, true, .count = {2, 2}, .meaning = "two materials, in any order"}, {0}};
static const pc_key law_keys[] = {
    {"normal", PC_A_MAPPING, true, .variants = pc_table_scene_normal_laws, .meaning = "normal law"},
    {"tangential", PC_A_MAPPING, .variants = pc_table_scene_tangential_laws,
     .otherwise = "{kind: none}", .meaning = "tangential law"},
    {0}};
const pc_mapping pc_table_law = {.id = "law",
                                 .what = "a law",
                                 .meaning = "The law of contacts between two materials.",
                                 .keys = {between_keys, law_keys}};
const pc_mapping pc_table_default_law = {
    .id = "default_law",
    .what = "'default_law'",
    .meaning = "The law of pairs of materials without one of their own.",
    .keys = {law_keys}};

static const pc_key deposit_keys[] = {
    {"spacing", PC_A_NUMBER, true, .unit = "m", .range = {.kind = PC_ABOVE},
     .meaning = "of the cells of its map"},
    {"thinnest", PC_A_NUMBER, .unit = "m", .range = {.kind = PC_ABOVE}, .left_out = "spacing / 10",
     .meaning = "what is not thicker does not belong to it"},
    {"rest_speed", PC_A_NUMBER, .unit = "m/s", .range = {.kind = PC_ABOVE}, .otherwise = "0.1",
     .meaning = "what is faster still moves"},
    {0}};
const pc_mapping pc_table_deposit = {
    .id = "deposit",
    .what = "'deposit'",
    .meaning = "The deposit is measured and mapped at the end of the run; in "
               "space only.",
    .keys = {deposit_keys}};

static const pc_key output_keys[] = {
    {"every", PC_A_NUMBER, .unit = "s", .range = {.kind = PC_ABOVE},
     .left_out = "0.02, or the step if that is longer",
     .meaning = "between frames, rounded to whole steps; not less than the step"},
    {"contacts", PC_A_BOOLEAN, .otherwise = "true", .meaning = "record the contacts of frames"},
    {"csv", PC_A_BOOLEAN, .otherwise = "true",
     .meaning = "RUN.csv: the account and the sensors, a line for each step"},
    {"xdmf", PC_A_BOOLEAN, .otherwise = "true", .meaning = "RUN.xdmf, for ParaView"},
    {"end", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "RUN-end.csv: where bodies end, a table that another scene can `start` from"},
    {"checkpoint", PC_A_NUMBER, .unit = "s", .range = {.kind = PC_AT_LEAST}, .otherwise = "60",
     .meaning = "of the clock, between checkpoints; 0: only at the start, when stopped and at the "
                "end"},
    {"bounds", PC_POINTS, .unit = "m", .left_out = "infinite",
     .meaning = "`[low corner, high corner]`: bodies outside are counted as lost"},
    {"deposit", PC_A_MAPPING, .mapping = &pc_table_deposit, .left_out = "not measured",
     .meaning = "how the deposit is measured"},
    {0}};
const pc_mapping pc_table_output = {.id = "output",
                                    .what = "'output'",
                                    .meaning = "What is recorded, and how often.",
                                    .keys = {output_keys}};

// --- the file -----------------------------------------------------------------------------------

static const pc_key rigid_keys[] = {
    {"kind", PC_A_WORD, true, .words = "rigid", .noun = "kind of file", .meaning = "the kind"},
    {"base", PC_A_FILE,
     .meaning = "another scene: top keys that are not here are taken from there, as a whole"},
    {"title", PC_A_TEXT, .meaning = "a line that says what it is"},
    {"source", PC_A_TEXT, .meaning = "the document, and the section of it, that it comes from"},
    {"dimension", PC_AN_INTEGER, .range = {.kind = PC_BETWEEN, .low = 2, .high = 3},
     .otherwise = "3", .meaning = "3: space; 2: the plane, x and y"},
    {"gravity", PC_NUMBERS, .unit = "m/s²", .otherwise = "[0, 0, -9.81]",
     .meaning = "in the plane it is [0, -9.81] unless it is given"},
    {"duration", PC_A_NUMBER, true, .unit = "s", .range = {.kind = PC_ABOVE},
     .meaning = "the last step ends there or just behind"},
    {"step", PC_A_NUMBER, true, .unit = "s", .range = {.kind = PC_ABOVE},
     .meaning = "the time step, constant"},
    {"seed", PC_AN_INTEGER, .range = {.kind = PC_BETWEEN, .high = 2147483647}, .otherwise = "1",
     .meaning = "of what generators draw that have no seed of their own"},
    {"contact", PC_A_MAPPING, .mapping = &pc_table_contact, .otherwise = "{}",
     .meaning = "how contact is treated"},
    {"sleep", PC_A_MAPPING, .mapping = &pc_table_sleep, .left_out = "nothing sleeps",
     .meaning = "bodies that rest are left alone until something touches them"},
    {"heat", PC_A_MAPPING, .mapping = &pc_table_heat, .left_out = "bodies have no temperatures",
     .meaning = "how hot bodies get"},
    {"rotation", PC_A_WORD, .words = "exact constant", .noun = "rotation", .otherwise = "exact",
     .meaning = "between jumps a body turns by the exact solution without torque, or with a "
                "constant spin"},
    {"solver", PC_A_MAPPING, .mapping = &pc_table_solver, .otherwise = "{}",
     .meaning = "how impacts are solved"},
    {"materials", PC_A_LIST, .mapping = &pc_table_material, .otherwise = "[]",
     .meaning = "what bodies and obstacles are of; `default` is always there"},
    {"laws", PC_A_LIST, .mapping = &pc_table_law, .otherwise = "[]",
     .meaning = "laws of pairs of materials"},
    {"default_law", PC_A_MAPPING, .mapping = &pc_table_default_law,
     .otherwise = "{normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.5}}",
     .meaning = "the law of other pairs"},
    {"shapes", PC_A_LIST, .variants = pc_table_shapes, .otherwise = "[]",
     .meaning = "shapes with names, for several bodies"},
    {"bodies", PC_A_LIST, .mapping = &pc_table_body, .otherwise = "[]",
     .meaning = "what moves freely"},
    {"generators", PC_A_LIST, .variants = pc_table_generators, .otherwise = "[]",
     .meaning = "many bodies from a few lines"},
    {"obstacles", PC_A_LIST, .mapping = &pc_table_obstacle, .otherwise = "[]",
     .meaning = "what is at rest, moved or guided"},
    {"start", PC_A_FILE | PC_FILES,
     .meaning = "a table of states, or a list of them, that bodies start from"},
    {"events", PC_A_LIST, .mapping = &pc_table_event, .otherwise = "[]",
     .meaning = "what is done to bodies during the run"},
    {"forces", PC_A_LIST, .mapping = &pc_table_force, .otherwise = "[]",
     .meaning = "loads on bodies, besides gravity"},
    {"springs", PC_A_LIST, .mapping = &pc_table_spring, .otherwise = "[]",
     .meaning = "springs that push bodies"},
    {"strings", PC_A_LIST, .mapping = &pc_table_string, .otherwise = "[]",
     .meaning = "strings between two bodies"},
    {"nets", PC_A_LIST, .mapping = &pc_table_net, .otherwise = "[]",
     .meaning = "boxes that push bodies back in"},
    {"sensors", PC_A_LIST, .mapping = &pc_table_sensor, .otherwise = "[]",
     .meaning = "numbers recorded at every step"},
    {"output", PC_A_MAPPING, .mapping = &pc_table_output, .otherwise = "{}",
     .meaning = "what is recorded, and how often"},
    {"overlaps", PC_A_WORD, .words = "forbidden allowed", .noun = "way with overlaps",
     .otherwise = "forbidden", .meaning = "whether bodies may overlap at the start"},
    {0}};
const pc_mapping pc_table_rigid = {
    .id = "rigid",
    .what = "a rigid scene",
    .meaning = "Bodies in motion, for `percuss run`. A scene has a body or a "
               "guided obstacle.",
    .keys = {rigid_keys, pc_keys_of_runs}};
