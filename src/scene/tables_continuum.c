// What files of the kind `continuum` may say.
#include "continuum/collision.h"
#include "scene/tables.h"

// --- the mesh -----------------------------------------------------------------------------------

static const pc_key sides_keys[] = {
    {"bottom", PC_A_NAME, .left_out = "no name", .meaning = "the group of the lower side"},
    {"right", PC_A_NAME, .left_out = "no name", .meaning = "the group of the right side"},
    {"top", PC_A_NAME, .left_out = "no name", .meaning = "the group of the upper side"},
    {"left", PC_A_NAME, .left_out = "no name", .meaning = "the group of the left side"},
    {0}};
const pc_mapping pc_table_continuum_sides = {
    .id = "continuum_sides",
    .what = "the sides of a rectangle",
    .meaning = "Names of the sides of a rectangle; several may have the same. A side without a "
               "name is free, and cannot be spoken of.",
    .keys = {sides_keys}};

static const pc_key places_keys[] = {
    {"x", PC_NUMBERS, .unit = "m", .count = {2, PC_MANY}, .left_out = "from `x` and `cells`",
     .meaning = "of the columns' ends, increasing"},
    {"y", PC_NUMBERS, .unit = "m", .count = {2, PC_MANY}, .left_out = "from `y` and `cells`",
     .meaning = "of the rows' ends, increasing"},
    {0}};
const pc_mapping pc_table_continuum_places = {
    .id = "continuum_places",
    .what = "'places' of a rectangle",
    .meaning = "Where the columns and rows of a rectangle end, one by one.",
    .keys = {places_keys}};

#define GRADE_RANGE                                                                                \
  {                                                                                                \
    .kind = PC_BETWEEN, .low = 1e-4, .high = 1e4                                                   \
  }

static const pc_key rectangle_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "the group of its elements: a medium has this name"},
    {"x", PC_NUMBERS, .unit = "m", .count = {2, 2}, .left_out = "needed without `places.x`",
     .meaning = "from and to"},
    {"y", PC_NUMBERS, .unit = "m", .count = {2, 2}, .left_out = "needed without `places.y`",
     .meaning = "from and to"},
    {"cells", PC_INTEGERS, .count = {2, 2}, PC_FROM(1, 1e5),
     .left_out = "needed without `size` or `places`", .meaning = "columns and rows of elements"},
    {"size", PC_NUMBERS, .unit = "m", .count = {2, 2}, PC_POSITIVE, .left_out = "from `cells`",
     .meaning = "about so wide and high are elements, instead of `cells`"},
    {"grade", PC_NUMBERS, .count = {2, 2}, .range = GRADE_RANGE, .otherwise = "[1, 1]",
     .meaning = "size of the last element over that of the first, along x and along y"},
    {"places", PC_A_MAPPING, .mapping = &pc_table_continuum_places, .otherwise = "{}",
     .meaning = "ends of columns and rows, instead of `x`, `y`, `cells`, `size` and `grade`"},
    {"triangles", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: every rectangle is cut in two"},
    {"sides", PC_A_MAPPING, .mapping = &pc_table_continuum_sides, .otherwise = "{}",
     .meaning = "names of its sides"},
    {0}};
const pc_mapping pc_table_continuum_rectangle = {
    .id = "continuum_rectangle",
    .what = "a rectangle",
    .meaning = "A rectangle of elements. Rectangles that touch are apart, as solids are before "
               "they collide, unless they are joined.",
    .keys = {rectangle_keys}};

static const pc_key bar_sides_keys[] = {
    {"foot", PC_A_NAME, .left_out = "no name", .meaning = "the group of the lower round end"},
    {"head", PC_A_NAME, .left_out = "no name", .meaning = "the group of the upper round end"},
    {"left", PC_A_NAME, .left_out = "no name", .meaning = "left of the way from foot to head"},
    {"right", PC_A_NAME, .left_out = "no name", .meaning = "right of it"},
    {0}};
const pc_mapping pc_table_continuum_bar_sides = {.id = "continuum_bar_sides",
                                                 .what = "the sides of a bar",
                                                 .meaning = "Names of the sides of a bar.",
                                                 .keys = {bar_sides_keys}};

static const pc_key bar_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "the group of its elements: a medium has this name"},
    {"length", PC_A_NUMBER, true, .unit = "m", PC_POSITIVE, .meaning = "over all"},
    {"width", PC_A_NUMBER, true, .unit = "m", PC_POSITIVE,
     .meaning = "less than the length; the ends have half of it as radius"},
    {"angle", PC_A_NUMBER, .unit = "degrees", .otherwise = "90",
     .meaning = "of its axis with x, from the foot to the head"},
    {"lowest", PC_NUMBERS, .unit = "m", .count = {2, 2}, .otherwise = "[0, 0]",
     .meaning = "lowest point of the circle of its foot"},
    {"cells", PC_INTEGERS, true, .count = {2, 2}, PC_FROM(1, 1e5),
     .meaning = "elements along its straight part and across, the second a multiple of 4"},
    {"sides", PC_A_MAPPING, .mapping = &pc_table_continuum_bar_sides, .otherwise = "{}",
     .meaning = "names of its sides"},
    {0}};
const pc_mapping pc_table_continuum_bar = {.id = "continuum_bar",
                                           .what = "a bar",
                                           .meaning = "A bar with half-round ends.",
                                           .keys = {bar_keys}};

static const pc_key disc_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "the group of its elements: a medium has this name"},
    {"centre", PC_NUMBERS, .unit = "m", .count = {2, 2}, .otherwise = "[0, 0]",
     .meaning = "where it is"},
    {"radius", PC_A_NUMBER, true, .unit = "m", PC_POSITIVE, .meaning = "of it"},
    {"cells", PC_INTEGERS, true, .count = {2, 2}, PC_FROM(1, 1e5),
     .meaning = "elements along a side of the square in its middle, and rings around that"},
    {"rim", PC_A_NAME, .left_out = "no name", .meaning = "the group of its outside"},
    {0}};
const pc_mapping pc_table_continuum_disc = {
    .id = "continuum_disc", .what = "a disc", .meaning = "A disc.", .keys = {disc_keys}};

static const pc_key line_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "the group of its elements: a medium has this name"},
    {"from", PC_A_NUMBER, true, .unit = "m", .meaning = "its left end"},
    {"to", PC_A_NUMBER, true, .unit = "m", .meaning = "its right end"},
    {"cells", PC_AN_INTEGER, true, PC_FROM(1, 1e6), .meaning = "elements"},
    {"grade", PC_A_NUMBER, .range = GRADE_RANGE, .otherwise = "1",
     .meaning = "size of the last element over that of the first"},
    {"left", PC_A_NAME, .left_out = "no name", .meaning = "the group of the left end"},
    {"right", PC_A_NAME, .left_out = "no name", .meaning = "the group of the right end"},
    {0}};
const pc_mapping pc_table_continuum_line = {
    .id = "continuum_line",
    .what = "a line",
    .meaning = "A bar, or a column of fluid, in one dimension; all numbers are per square metre.",
    .keys = {line_keys}};

static const pc_key part_keys[] = {
    {"of", PC_A_NAME, true, .meaning = "a group of sides"},
    {"name", PC_A_NAME, true, .meaning = "the group that they go to"},
    {"x", PC_NUMBERS, .unit = "m", .count = {2, 2}, .left_out = "anywhere",
     .meaning = "from and to: nodes must be there"},
    {"y", PC_NUMBERS, .unit = "m", .count = {2, 2}, .left_out = "anywhere",
     .meaning = "from and to: nodes must be there"},
    {0}};
const pc_mapping pc_table_continuum_part = {
    .id = "continuum_part",
    .what = "an entry of 'parts'",
    .meaning = "The sides of a group that lie in a box get a name of their own.",
    .keys = {part_keys}};

static const pc_key join_keys[] = {
    {"sides", PC_A_NAME, true, .meaning = "a group of sides"},
    {"with", PC_A_NAME, true, .meaning = "another one, whose nodes are at the same places"},
    {0}};
const pc_mapping pc_table_continuum_join = {
    .id = "continuum_join",
    .what = "an entry of 'join'",
    .meaning = "Two groups of sides that become one inside: nothing slides or opens there. Both "
               "names are gone then.",
    .keys = {join_keys}};

static const pc_key mesh_keys[] = {
    {"rectangles", PC_A_LIST, .mapping = &pc_table_continuum_rectangle,
     .left_out = "needed without others", .meaning = "of elements"},
    {"bars", PC_A_LIST, .mapping = &pc_table_continuum_bar, .left_out = "needed without others",
     .meaning = "with half-round ends"},
    {"discs", PC_A_LIST, .mapping = &pc_table_continuum_disc, .left_out = "needed without others",
     .meaning = "round"},
    {"lines", PC_A_LIST, .mapping = &pc_table_continuum_line, .left_out = "needed without others",
     .meaning = "in one dimension"},
    {"file", PC_A_FILE, .left_out = "needed without others",
     .meaning = "of Gmsh, version 4.1 or 2.2, text; groups have its physical names"},
    {"join", PC_A_LIST, .mapping = &pc_table_continuum_join, .otherwise = "[]",
     .meaning = "sides that become one"},
    {"parts", PC_A_LIST, .mapping = &pc_table_continuum_part, .otherwise = "[]",
     .meaning = "sides that get another name, after joining"},
    {"order", PC_AN_INTEGER, PC_FROM(1, 2), .otherwise = "2",
     .meaning = "of the elements: 1 linear, for solids alone, 2 quadratic. Files that are "
                "quadratic stay so"},
    {0}};
const pc_mapping pc_table_continuum_mesh = {
    .id = "continuum_mesh",
    .what = "the mesh",
    .meaning = "`rectangles`, `bars` and `discs`, or `lines`, or a `file`.",
    .keys = {mesh_keys}};

// --- what it is made of -------------------------------------------------------------------------

static const pc_key profile_keys[] = {
    {"profile", PC_A_WORD, true, .words = PC_WORDS({"uniform", 0}, {"linear", 1}, {"parabolic", 2}),
     .noun = "profile",
     .meaning = "1, s, or s (2 - s) of the speed, with s from 0 to 1 across the flow"},
    {"speed", PC_A_NUMBER, true, .unit = "m/s", .meaning = "the largest; negative: backwards"},
    {"from", PC_A_NUMBER, .unit = "m", .left_out = "the lowest place of the medium",
     .meaning = "where s is 0"},
    {"to", PC_A_NUMBER, .unit = "m", .left_out = "the highest place of the medium",
     .meaning = "where s is 1"},
    {"direction", PC_A_WORD, .words = PC_WORDS({"x", 0}, {"y", 1}), .noun = "direction",
     .otherwise = "x", .meaning = "of the flow; s is along the other one"},
    {0}};
const pc_mapping pc_table_continuum_profile = {.id = "continuum_profile",
                                               .what = "a profile of velocities",
                                               .meaning = "Velocities across a flow.",
                                               .keys = {profile_keys}};

static const pc_key medium_keys[] = {
    {"fluid", PC_A_BOOLEAN, .otherwise = "false", .meaning = "true: incompressible"},
    {"density", PC_A_NUMBER, true, .unit = "kg/m³", PC_POSITIVE, .meaning = "of mass"},
    {"viscosity", PC_A_NUMBER, .unit = "kg/m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "k of the percussion stress 2 k D(U⁺ + U⁻). A solid without it gives answers that "
                "depend on the mesh"},
    {"volume_viscosity", PC_A_NUMBER, .unit = "kg/m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "k̂ of the percussion stress k̂ div(U⁺ + U⁻) 1; of a solid"},
    {"young", PC_A_NUMBER, .unit = "Pa", PC_NOT_NEGATIVE, .left_out = "needed with a `duration`",
     .meaning = "Young's modulus; of a solid that moves"},
    {"poisson", PC_A_NUMBER, PC_FROM(-0.999, 0.4999), .otherwise = "0",
     .meaning = "Poisson's ratio"},
    {"thin", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: plane stress, else plane strain; with a `duration`"},
    {"velocity", PC_NUMBERS | PC_A_MAPPING, .unit = "m/s", .count = {1, 2},
     .mapping = &pc_table_continuum_profile, .left_out = "it rests",
     .meaning = "before the collision: of all of it, or a profile"},
    {"spin", PC_A_NUMBER, .unit = "rad/s", .otherwise = "0",
     .meaning = "before, about its centre of mass; counter-clockwise; of a solid in the plane"},
    {"heat", PC_A_MAPPING, .mapping = &pc_table_continuum_heat, .left_out = "no temperatures",
     .meaning = "its temperature, and phases"},
    {0}};
const pc_mapping pc_table_continuum_medium = {
    .id = "continuum_medium",
    .what = "a medium",
    .meaning = "What the elements of a group are made of, and how they move before the collision.",
    .keys = {medium_keys}};

static const pc_key body_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "what contacts call it"},
    {"mass", PC_A_NUMBER, true, .unit = "kg/m, on a line kg/m²", PC_POSITIVE,
     .meaning = "per metre of depth; on a line per area of its section"},
    {"inertia", PC_A_NUMBER, .unit = "kg m", PC_POSITIVE,
     .left_out = "needed in the plane, unless the spin is held",
     .meaning = "about its centre, per metre of depth"},
    {"centre", PC_NUMBERS, .unit = "m", .count = {1, 2}, .left_out = "the origin",
     .meaning = "of mass"},
    {"velocity", PC_NUMBERS, .unit = "m/s", .count = {1, 2}, .left_out = "it rests",
     .meaning = "before the collision"},
    {"spin", PC_A_NUMBER, .unit = "rad/s", .otherwise = "0",
     .meaning = "before, counter-clockwise"},
    {"held", PC_NAMES, .count = {1, 3}, .left_out = "it is free",
     .meaning = "of `x`, `y`, `spin`: what it goes on doing, whatever it meets"},
    {0}};
const pc_mapping pc_table_continuum_body = {.id = "continuum_body",
                                            .what = "a rigid body",
                                            .meaning = "Something rigid that meets the mesh. Its "
                                                       "outline is where contacts say it is.",
                                            .keys = {body_keys}};

// --- what acts ----------------------------------------------------------------------------------

static const pc_key ground_keys[] = {
    {"direction", PC_NUMBERS, .count = {1, 2}, .left_out = "up; on a line to the right",
     .meaning = "out of the ground; of any length"},
    {"offset", PC_A_NUMBER, .unit = "m", .otherwise = "0",
     .meaning = "the ground is where direction · x is this, for a direction of length 1"},
    {0}};
const pc_mapping pc_table_continuum_ground = {
    .id = "continuum_ground",
    .what = "the ground of a contact",
    .meaning = "A plane that sides meet when they come to it; of a file with a `duration`.",
    .keys = {ground_keys}};

static const pc_key contact_keys[] = {
    {"name", PC_A_NAME, .left_out = "that of the sides", .meaning = "in results"},
    {"sides", PC_A_NAME, true, .meaning = "a group of sides"},
    {"with", PC_A_NAME, .otherwise = "ground",
     .meaning = "a body, other sides with nodes at the same places, or `ground`: what never moves"},
    {"normal", PC_A_NUMBER, .unit = "kg/m²", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "k_N of the percussion k_N (w_N⁺ + w_N⁻) N, with w the relative velocity"},
    {"tangential", PC_A_NUMBER, .unit = "kg/m²", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "k_T of the percussion k_T (w_T⁺ + w_T⁻)"},
    {"condition", PC_A_WORD,
     .words = PC_WORDS({"loose", PC_FE_LOOSE}, {"unilateral", PC_FE_UNILATERAL},
                       {"bilateral", PC_FE_BILATERAL}),
     .noun = "condition", .otherwise = "unilateral",
     .meaning = "after: nothing, no going through, or neither that nor apart"},
    {"ground", PC_A_MAPPING, .mapping = &pc_table_continuum_ground, .otherwise = "{}",
     .meaning = "where the ground is, with a `duration`; without, all sides touch it already"},
    {"lumped", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: k_N and k_T act node by node, instead of integrated"},
    {"heat", PC_A_MAPPING, .mapping = &pc_table_continuum_contact_heat, .otherwise = "{}",
     .meaning = "that passes between media with `heat`"},
    {0}};
const pc_mapping pc_table_continuum_contact = {
    .id = "continuum_contact",
    .what = "a contact",
    .meaning = "A surface of contact. N is the outward normal of its sides.",
    .keys = {contact_keys}};

static const pc_key hold_keys[] = {
    {"sides", PC_A_NAME, true, .meaning = "a group of sides"},
    {"velocity", PC_A_WORD, .words = PC_WORDS({"0", false}, {"kept", true}), .noun = "velocity",
     .otherwise = "0", .meaning = "after: none, or that before"},
    {"components", PC_NAMES, .count = {1, 2}, .left_out = "all",
     .meaning = "of `x`, `y`: those that are given"},
    {0}};
const pc_mapping pc_table_continuum_hold = {
    .id = "continuum_hold",
    .what = "an entry of 'hold'",
    .meaning =
        "Velocities that are given: at a rigid soil, or where a flow comes in. Where sides of "
        "several meet, the first counts.",
    .keys = {hold_keys}};

static const pc_key push_keys[] = {
    {"sides", PC_A_NAME, true, .meaning = "a group of sides"},
    {"percussion", PC_NUMBERS, true, .unit = "Pa s", .count = {1, 2}, .meaning = "on them"},
    {0}};
const pc_mapping pc_table_continuum_push = {.id = "continuum_push",
                                            .what = "an entry of 'pushes'",
                                            .meaning = "A percussion from outside, as of a hammer.",
                                            .keys = {push_keys}};

// --- the file -----------------------------------------------------------------------------------

static const pc_key output_keys[] = {
    {"every", PC_A_NUMBER, .unit = "s", PC_POSITIVE, .left_out = "a 200th of the duration",
     PC_INTO(pc_scene, frame_every), .meaning = "between frames"},
    PC_CSV_KEY("RUN.csv: the energy balance; RUN-profile.csv: what happens along the contacts"),
    PC_XDMF_KEY,
    PC_CHECKPOINT_KEY,
    {0}};
const pc_mapping pc_table_continuum_output = {.id = "continuum_output",
                                              .what = "'output' of a continuum",
                                              .meaning = "What `percuss run` records.",
                                              .keys = {output_keys}};

static const pc_key head_keys[] = {
    PC_KIND_KEY("continuum"), PC_BASE_KEY, PC_TITLE_KEY, PC_SOURCE_KEY, {0}};
const pc_key pc_continuum_times[] = {
    {"duration", PC_A_NUMBER, .unit = "s", PC_POSITIVE, .left_out = "one collision, at time 0",
     PC_INTO(pc_scene, duration),
     .meaning = "elastic solids move so long, and collide with the ground when they come to it"},
    {"step", PC_A_NUMBER, .unit = "s", PC_POSITIVE, .left_out = "needed with a `duration`",
     PC_INTO(pc_scene, step), .meaning = "of time; halved ten times to find a collision"},
    {0}};
static const pc_key continuum_keys[] = {
    {"mesh", PC_A_MAPPING, true, .mapping = &pc_table_continuum_mesh,
     .meaning = "elements and their sides, in groups that have names"},
    {"media", PC_PAIRS | PC_A_MAPPING, true, .mapping = &pc_table_continuum_medium,
     .meaning = "what the groups of elements are made of, by their names"},
    {"bodies", PC_A_LIST, .mapping = &pc_table_continuum_body, .otherwise = "[]",
     .meaning = "rigid bodies"},
    {"contacts", PC_A_LIST, .mapping = &pc_table_continuum_contact, .otherwise = "[]",
     .meaning = "surfaces of contact"},
    {"hold", PC_A_LIST, .mapping = &pc_table_continuum_hold, .otherwise = "[]",
     .meaning = "velocities that are given"},
    {"pushes", PC_A_LIST, .mapping = &pc_table_continuum_push, .otherwise = "[]",
     .meaning = "percussions from outside"},
    {"surfaces", PC_A_LIST, .mapping = &pc_table_continuum_surface, .otherwise = "[]",
     .meaning = "heat at the outside of media with `heat`"},
    {"tolerance", PC_A_NUMBER, PC_FROM(1e-15, 0.1), .otherwise = "1e-10",
     .meaning = "of the conditions at contacts, relative"},
    {"gravity", PC_NUMBERS, .unit = "m/s²", .count = {1, 2}, .left_out = "none",
     .meaning = "with a `duration`"},
    {"rest", PC_A_NUMBER, .unit = "m/s", PC_POSITIVE,
     .left_out = "a thousandth of the speed at the start, or gravity's in a step",
     .meaning = "a node that comes slower to the ground stays on it"},
    {"reach", PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "nodes this near to the ground that approach it collide with those that touch"},
    {"output", PC_A_MAPPING, .mapping = &pc_table_continuum_output, .otherwise = "{}",
     .meaning = "what `percuss run` records"},
    {0}};
const pc_mapping pc_table_continuum = {
    .id = "continuum",
    .what = "a continuum file",
    .meaning = "Deformable solids, fluids and rigid bodies that collide, on a mesh, for `percuss "
               "solve` and `percuss run`.",
    .keys = {head_keys, pc_continuum_times, continuum_keys, pc_keys_of_runs}};
