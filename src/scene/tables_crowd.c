// What files of kind `crowd` may say, besides laws.
#include "scene/tables.h"

// --- numbers that may be drawn ------------------------------------------------------------------

static const pc_key draw_keys[] = {
    {"uniform", PC_NUMBERS, .count = {2, 2}, .meaning = "`[least, most]`: all between alike"},
    {"normal", PC_NUMBERS, .count = {2, 2}, .meaning = "`[mean, deviation]`: normally distributed"},
    {"between", PC_NUMBERS, .count = {2, 2}, .left_out = "what the key may be",
     .meaning = "with `normal`: `[least, most]`, what is outside is drawn again"},
    {0}};
const pc_mapping pc_table_draw = {.id = "draw",
                                  .what = "a number that is drawn",
                                  .meaning =
                                      "A number of its own for everybody: `uniform`, or `normal`.",
                                  .keys = {draw_keys}};

// --- the building -------------------------------------------------------------------------------

static const pc_key wall_keys[] = {
    {"points", PC_POINTS, true, .unit = "m", .count = {2, 2}, .meaning = "at least two"},
    {"closed", PC_A_BOOLEAN, .otherwise = "false", .meaning = "true: the last meets the first"},
    {0}};
const pc_mapping pc_table_wall = {.id = "wall",
                                  .what = "a wall",
                                  .meaning = "A wall without thickness, through points.",
                                  .keys = {wall_keys}};

static const pc_key pillar_keys[] = {
    {"points", PC_POINTS, .unit = "m", .count = {2, 2}, .meaning = "of its outline, three or more"},
    {"centre", PC_NUMBERS, .unit = "m", .count = {2, 2}, .meaning = "of a round one"},
    {"radius", PC_A_NUMBER, .unit = "m", PC_POSITIVE, .meaning = "of a round one"},
    {0}};
const pc_mapping pc_table_pillar = {.id = "floor_obstacle",
                                    .what = "an obstacle of a floor",
                                    .meaning =
                                        "Where nobody can be: `points`, or `centre` and `radius`.",
                                    .keys = {pillar_keys}};

static const pc_key slow_keys[] = {
    {"points", PC_POINTS, true, .unit = "m", .count = {2, 2}, .meaning = "its outline"},
    {"speed", PC_A_NUMBER, .unit = "m/s", PC_POSITIVE, .left_out = "the `stairs_speed` of each",
     .meaning = "nobody walks faster there"},
    {0}};
const pc_mapping pc_table_slow = {.id = "slow_zone",
                                  .what = "a slow zone",
                                  .meaning = "Where people walk slower.",
                                  .keys = {slow_keys}};

static const pc_key floor_keys[] = {
    {"name", PC_A_NAME, .left_out = "`floor-N`, from 1", .meaning = "its name"},
    {"outline", PC_POINTS, .unit = "m", .count = {2, 2},
     .meaning = "a closed outline: nobody walks outside of it; exits lie on it or inside"},
    {"walls", PC_A_LIST, .mapping = &pc_table_wall, .otherwise = "[]", .meaning = "walls"},
    {"obstacles", PC_A_LIST, .mapping = &pc_table_pillar, .otherwise = "[]",
     .meaning = "where nobody can be"},
    {"wkt", PC_A_TEXT | PC_A_FILE,
     .meaning = "what can be walked on, as a well-known text or a file with one: POLYGON, "
                "MULTIPOLYGON or GEOMETRYCOLLECTION, with holes"},
    {"slow", PC_A_LIST, .mapping = &pc_table_slow, .otherwise = "[]",
     .meaning = "where people are slower"},
    {0}};
const pc_mapping pc_table_floor = {.id = "floor",
                                   .what = "a floor",
                                   .meaning = "A plane with walls, in coordinates of its own.",
                                   .keys = {floor_keys}};

static const pc_key on_floor[] = {
    {"floor", PC_A_NAME, .left_out = "the only one", .meaning = "the name of its floor"}, {0}};
static const pc_key exit_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "its name"},
    {"line", PC_POINTS, true, .unit = "m", .count = {2, 2},
     .meaning = "`[from, to]`: who steps over it is out"},
    {"reenters", PC_A_NAME, .left_out = "they leave",
     .meaning = "a source: who is over the line is not out, but comes in again there"},
    {"counts", PC_A_WORD, .words = PC_WORDS({"front", true}, {"centre", false}),
     .noun = "way to count", .otherwise = "centre",
     .meaning = "one is counted as out when the front of the body touches the line, or when the "
                "centre is over it; one leaves with the centre"},
    {0}};
const pc_mapping pc_table_exit = {.id = "exit",
                                  .what = "an exit",
                                  .meaning = "A line over which people leave.",
                                  .keys = {exit_keys, on_floor}};

static const pc_key area_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "its name"},
    {"points", PC_POINTS, true, .unit = "m", .count = {2, 2}, .meaning = "its outline"},
    {0}};
const pc_mapping pc_table_area = {.id = "area",
                                  .what = "an area",
                                  .meaning = "Where people go, and stay.",
                                  .keys = {area_keys, on_floor}};

static const pc_key end_keys[] = {
    {"line", PC_POINTS, true, .unit = "m", .count = {2, 2},
     .meaning = "`[left, right]`, as who goes from `from` to `to` sees it; behind it half a metre "
                "is free"},
    {0}};
const pc_mapping pc_table_stairs_end = {.id = "stairs_end",
                                        .what = "an end of stairs",
                                        .meaning = "Where stairs begin or end.",
                                        .keys = {end_keys, on_floor}};

static const pc_key stairs_keys[] = {
    {"name", PC_A_NAME, .left_out = "`stairs-N`, from 1", .meaning = "with a length, of its floor"},
    {"from", PC_A_MAPPING, true, .mapping = &pc_table_stairs_end, .meaning = "its first end"},
    {"to", PC_A_MAPPING, true, .mapping = &pc_table_stairs_end,
     .meaning = "its second end, equally wide"},
    {"length", PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "so long it is a floor of its own; 0: one steps from line to line"},
    {"speed", PC_A_NUMBER, .unit = "m/s", PC_POSITIVE, .left_out = "the `stairs_speed` of each",
     .meaning = "nobody walks faster there"},
    {"both_ways", PC_A_BOOLEAN, .otherwise = "false", .meaning = "true: also from `to` to `from`"},
    {0}};
const pc_mapping pc_table_stairs = {.id = "stairs",
                                    .what = "stairs",
                                    .meaning = "From a line on a floor to a line on another.",
                                    .keys = {stairs_keys}};

static const pc_key door_keys[] = {
    {"points", PC_POINTS, true, .unit = "m", .count = {2, 2}, .meaning = "at least two"},
    {"opens", PC_A_NUMBER, true, .unit = "s", PC_NOT_NEGATIVE, .meaning = "when"},
    {"closes", PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE, .left_out = "never",
     .meaning = "when, once nobody is in it"},
    {0}};
const pc_mapping pc_table_door = {.id = "door",
                                  .what = "a door",
                                  .meaning = "A wall that stands until it opens. Routes lead "
                                             "through it, open or not.",
                                  .keys = {door_keys, on_floor}};

static const pc_key source_keys[] = {
    {"name", PC_A_NAME, true, .meaning = "its name"},
    {"points", PC_POINTS, true, .unit = "m", .count = {2, 2},
     .meaning = "one: a point; two: a line; more: an area, in which they come in anywhere"},
    {"rate", PC_A_NUMBER, .unit = "1/s", PC_POSITIVE, .left_out = "as many as have room",
     .meaning = "people who come in, at most"},
    {0}};
const pc_mapping pc_table_source = {.id = "source",
                                    .what = "a source",
                                    .meaning = "Where people come in when there is room.",
                                    .keys = {source_keys, on_floor}};

static const pc_key detour_keys[] = {
    {"zone", PC_POINTS, true, .unit = "m", .count = {2, 2}, .meaning = "its outline"},
    {"least", PC_AN_INTEGER, true, PC_FROM(1, 1e6),
     .meaning = "while so many people are in the zone,"},
    {"from", PC_A_NAME, true, .meaning = "those elsewhere who want to this exit or area"},
    {"to", PC_A_NAME, true, .meaning = "want to this one"},
    {"where", PC_POINTS, .unit = "m", .count = {2, 2}, .left_out = "everywhere",
     .meaning = "outline of where those are"},
    {"holds", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "for good; else who took it goes back to `from` when fewer are in the zone, while "
                "they are still where it is taken"},
    {0}};
const pc_mapping pc_table_detour = {.id = "detour",
                                    .what = "a detour",
                                    .meaning = "Another goal when a zone is full.",
                                    .keys = {detour_keys, on_floor}};

// --- people -------------------------------------------------------------------------------------

static const pc_key stage_keys[] = {
    {"to", PC_A_NAME | PC_NAMES, .count = {1, 1000}, .left_out = "they stand",
     .meaning = "an exit or an area, or the nearest of several"},
    {"until", PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "it ends when they have arrived, or not at all",
     .meaning = "the stage does not end before"},
    {"arrived", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: it does not end before they are in the area either"},
    {"pause", PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "before they react to its end"},
    {0}};
const pc_mapping pc_table_stage = {.id = "stage",
                                   .what = "a stage",
                                   .meaning = "What people do before they do the next thing.",
                                   .keys = {stage_keys}};

static const pc_key hands_keys[] = {
    {"stiffness", PC_A_NUMBER, true, .unit = "kg/m²", PC_POSITIVE, .meaning = "K_V of the bond"},
    {"size", PC_AN_INTEGER, PC_FROM(2, 1e6), .otherwise = "2",
     .meaning = "people in a row, in the order of the group"},
    {0}};
const pc_mapping pc_table_hands = {.id = "hands",
                                   .what = "'hands'",
                                   .meaning = "People of a group hold hands.",
                                   .keys = {hands_keys}};

static const pc_key together_keys[] = {
    {"kind", PC_A_WORD, true,
     .words = PC_WORDS({"moussaid", PC_GROUP_MOUSSAID}, {"singh", PC_GROUP_SINGH}),
     .noun = "kind of group",
     .meaning = "`moussaid`: people turn their heads to see the others, and are drawn to their "
                "middle; `singh`: the first leads, the others want to be at its sides"},
    {"size", PC_AN_INTEGER, PC_FROM(2, 1e6), .otherwise = "2",
     .meaning = "people who stay together, in the order of the group"},
    {"gaze", PC_A_NUMBER, .unit = "1/s", PC_NOT_NEGATIVE, .otherwise = "4",
     .meaning = "with `moussaid`: they are slower by so much for each rad that the head is turned"},
    {"attraction", PC_A_NUMBER, .unit = "m/s²", PC_NOT_NEGATIVE, .otherwise = "3",
     .meaning = "with `moussaid`: towards the middle of the others"},
    {"repulsion", PC_A_NUMBER, .unit = "m/s²", PC_NOT_NEGATIVE, .otherwise = "1",
     .meaning = "with `moussaid`: from who is too near"},
    {"spacing", PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0.8",
     .meaning = "with `moussaid`: nearer than that is too near"},
    {"distance", PC_A_NUMBER, .unit = "m", PC_POSITIVE, .otherwise = "0.7",
     .meaning = "with `singh`: between neighbours"},
    {"rate", PC_A_NUMBER, .unit = "1/s", PC_NOT_NEGATIVE, .otherwise = "0.15",
     .meaning = "with `singh`: they walk faster by rate × what they are away from their place"},
    {0}};
const pc_mapping pc_table_together = {.id = "together",
                                      .what = "'together'",
                                      .meaning = "People of a group stay together by forces.",
                                      .keys = {together_keys}};

static const pc_key place_keys[] = {
    {"box", PC_POINTS, .unit = "m", .count = {2, 2}, .meaning = "`[low corner, high corner]`"},
    {"polygon", PC_POINTS, .unit = "m", .count = {2, 2}, .meaning = "three points or more"},
    {0}};
const pc_mapping pc_table_place = {.id = "place",
                                   .what = "'inside'",
                                   .meaning = "A part of a floor: `box` or `polygon`.",
                                   .keys = {place_keys}};

#define DRAWN(low) PC_A_NUMBER | PC_A_MAPPING, .mapping = &pc_table_draw, .range = {.kind = low}
static const pc_key group_keys[] = {
    {"name", PC_A_NAME, .left_out = "`group-N`, from 1",
     .meaning = "of the group; its people are NAME-1, NAME-2, …"},
    {"count", PC_AN_INTEGER, PC_FROM(1, 1e7), .left_out = "needed without `positions`",
     .meaning = "how many"},
    {"inside", PC_A_MAPPING, .mapping = &pc_table_place, .left_out = "anywhere on the floor",
     .meaning = "where they start, at random; their centres are inside"},
    {"positions", PC_POINTS, .unit = "m", .count = {2, 2}, .meaning = "where each of them starts"},
    {"to", PC_A_NAME | PC_NAMES, .count = {1, 1000}, .left_out = "needed without `stages`",
     .meaning = "an exit or an area; a list: the one that is nearest on foot"},
    {"stages", PC_A_LIST, .mapping = &pc_table_stage, .left_out = "they have one goal, `to`",
     .meaning = "what they do, one after the other"},
    {"source", PC_A_NAME, .left_out = "they are there from the start",
     .meaning = "where they come in, with `count`"},
    {"arrival", DRAWN(PC_AT_LEAST), .unit = "s", .otherwise = "0",
     .meaning = "with `source`: when they come in at the earliest"},
    {"orientation", DRAWN(PC_ANY_FINITE), .unit = "rad", .otherwise = "0",
     .meaning = "at the start, where people turn"},
    {"hands", PC_A_MAPPING, .mapping = &pc_table_hands, .left_out = "nobody does",
     .meaning = "people hold hands"},
    {"together", PC_A_MAPPING, .mapping = &pc_table_together, .left_out = "nobody does",
     .meaning = "people stay together by forces"},
    {"aim", PC_A_WORD, .words = PC_WORDS({"route", false}, {"middle", true}), .noun = "aim",
     .otherwise = "route",
     .meaning = "they take the fastest way, or aim straight at the middle of the goal"},
    {"radius", DRAWN(PC_ABOVE), .unit = "m", .otherwise = "0.225", .meaning = "of a person"},
    {"mass", DRAWN(PC_ABOVE), .unit = "kg", .otherwise = "80", .meaning = "of a person"},
    {"speed", DRAWN(PC_AT_LEAST), .unit = "m/s", .otherwise = "1.34", .meaning = "that one wishes"},
    {"stairs_speed", DRAWN(PC_AT_LEAST), .unit = "m/s", .otherwise = "0.5",
     .meaning = "in slow zones without a speed"},
    {"relaxation", DRAWN(PC_ABOVE), .unit = "s", .otherwise = "0.5",
     .meaning = "time in which a wish is followed"},
    {"response", DRAWN(PC_AT_LEAST), .unit = "s", .otherwise = "0",
     .meaning = "time before one starts to walk"},
    {"velocity", PC_NUMBERS, .unit = "m/s", .count = {2, 2}, .otherwise = "[0, 0]",
     .meaning = "at the start"},
    {0}};
const pc_mapping pc_table_group = {
    .id = "group",
    .what = "a group of people",
    .meaning = "People who want to go to the same place: `count` at random, or `positions`.",
    .keys = {group_keys, on_floor}};

// --- how they meet, and how it is run -----------------------------------------------------------

const pc_mapping pc_table_crowd_law = {.id = "crowd_law",
                                       .what = "the law of a crowd",
                                       .meaning = "The law of contacts of people.",
                                       .keys = {pc_scene_law_keys}};

static const pc_key contact_keys[] = {
    {"treatment", PC_A_WORD,
     .words =
         PC_WORDS({"nsm2", PC_VELOCITY_LEVEL}, {"nsm1", PC_POSITION_LEVEL}, {"dem", PC_PENALTY}),
     .noun = "treatment of contact", .otherwise = "nsm2",
     .meaning = "`nsm2`: impacts with a law, at velocity level; `nsm1`: nobody overlaps at the end "
                "of a step; `dem`: every overlap is a spring"},
    {"order", PC_A_WORD, .words = PC_WORDS({"first", true}, {"second", false}), .noun = "order",
     .left_out = "`first` with `nsm1`, else `second`",
     .meaning = "`first`: people have no inertia, their wishes are velocities; `second`: they are "
                "forces"},
    {"stiffness", PC_A_NUMBER, .unit = "N/m", PC_POSITIVE,
     .left_out = "1.2e5 with `dem`, and with nothing else", .meaning = "of overlaps"},
    {"looks", PC_A_WORD, .words = PC_WORDS({"once", false}, {"again", true}), .noun = "way to look",
     .otherwise = "once",
     .meaning = "with `nsm2`, `again`: contacts that impacts make are looked for in the same step; "
                "people who are jammed then rattle, which gives energy and breaks arches"},
    {"dissipative", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "with `nsm2`, true: who moves apart and is pushed back by others may come back as "
                "fast, instead of being stopped, which gives energy"},
    {"law", PC_A_MAPPING, .mapping = &pc_table_crowd_law,
     .left_out = "quadratic, k: 1e5; inelastic with `nsm1`; no friction",
     .meaning = "between people"},
    {"wall_law", PC_A_MAPPING, .mapping = &pc_table_crowd_law, .left_out = "as `law`",
     .meaning = "with walls and obstacles"},
    {0}};
const pc_mapping pc_table_crowd_contact = {.id = "crowd_contact",
                                           .what = "'contact' of a crowd",
                                           .meaning = "How contact is treated.",
                                           .keys = {contact_keys}};

static const pc_key social_keys[] = {
    {"strength", PC_A_NUMBER, true, .unit = "N", PC_NOT_NEGATIVE, .meaning = "A"},
    {"range", PC_A_NUMBER, .unit = "m", PC_POSITIVE, .otherwise = "0.08",
     .meaning = "B: the force is A exp(−gap/B), for overlaps up to 3 B"},
    {"anisotropy", PC_A_NUMBER, PC_FROM(0, 1), .otherwise = "0",
     .meaning = "Λ: how much what is behind counts; 1: as much as what is in front"},
    {"sideways", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: others count as if all were beside one"},
    {0}};
const pc_mapping pc_table_social = {.id = "social",
                                    .what = "'social'",
                                    .meaning =
                                        "The force by which people keep their distance (Helbing).",
                                    .keys = {social_keys}};

static const pc_key turning_keys[] = {
    {"stiffness", PC_A_NUMBER, .unit = "N m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "k of the torque that turns one to the way one wants to walk"},
    {"damping", PC_A_NUMBER, PC_NOT_NEGATIVE, .otherwise = "1",
     .meaning = "ζ: its damping, over the critical one"},
    {0}};
const pc_mapping pc_table_turning = {.id = "turning",
                                     .what = "'turning'",
                                     .meaning = "People have an orientation, and turn.",
                                     .keys = {turning_keys}};

static const pc_key routes_keys[] = {
    {"spacing", PC_A_NUMBER, .unit = "m", PC_POSITIVE,
     .left_out = "an eighth of the narrowest exit, at most 0.1", .meaning = "of the grid"},
    {"inset", PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0.1",
     .meaning = "routes keep so far off walls where there is room"},
    {"reluctance", PC_A_NUMBER, .range = {.kind = PC_AT_LEAST, .low = 1}, .otherwise = "20",
     .meaning = "how much dearer a way is that does not"},
    {"clearance", PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0.25",
     .meaning = "routes pass exits so far from their ends, or in the middle"},
    {"congestion", PC_A_NUMBER, .unit = "s", .range = {.kind = PC_AT_LEAST, .low = 0.05},
     .left_out = "they take the way that is fastest for one alone",
     .meaning = "so often people look where it is crowded, and take the way that is fastest then: "
                "speed falls with density as Weidmann measured it"},
    {0}};
const pc_mapping pc_table_routes = {.id = "routes",
                                    .what = "'routes'",
                                    .meaning = "How ways are found, by fast marching on a grid.",
                                    .keys = {routes_keys}};

static const pc_key solver_keys[] = {
    {"tolerance", PC_A_NUMBER, PC_FROM(1e-15, 1), .otherwise = "1e-5",
     .meaning = "on the residual of each step, relative to the free velocity"},
    {"max_iterations", PC_AN_INTEGER, PC_FROM(0, 1e9), .otherwise = "0",
     .meaning = "sweeps over a large group of contacts in one step; 0: as many as it takes"},
    {"threads", PC_AN_INTEGER, PC_FROM(1, 1024), .otherwise = "1",
     .meaning = "the answer does not depend on it; `--threads` goes first"},
    {0}};
const pc_mapping pc_table_crowd_solver = {.id = "crowd_solver",
                                          .what = "'solver' of a crowd",
                                          .meaning = "How the impacts of a step are solved.",
                                          .keys = {solver_keys}};

static const pc_key maps_keys[] = {{"spacing", PC_A_NUMBER, .unit = "m", PC_POSITIVE,
                                    .otherwise = "0.5", .meaning = "side of the squares"},
                                   {"every", PC_A_NUMBER, .unit = "s", PC_POSITIVE,
                                    .otherwise = "1",
                                    .meaning = "length of the intervals, rounded to whole steps"},
                                   {0}};
const pc_mapping pc_table_maps = {.id = "maps",
                                  .what = "'maps' of a crowd",
                                  .meaning =
                                      "Density, speed and pressure on squares of every floor, "
                                      "averaged over intervals.",
                                  .keys = {maps_keys}};

static const pc_key lanes_keys[] = {
    {"axis", PC_A_WORD, .words = PC_WORDS({"x", 0}, {"y", 1}), .noun = "axis", .otherwise = "x",
     .meaning = "along which people walk, one way or the other"},
    {"width", PC_A_NUMBER, .unit = "m", PC_POSITIVE, .otherwise = "0.5",
     .meaning = "of the strips in which directions are compared"},
    {0}};
const pc_mapping pc_table_lanes = {.id = "lanes",
                                   .what = "'lanes' of a crowd",
                                   .meaning = "How much people walk in lanes, from about 0 to 1.",
                                   .keys = {lanes_keys}};

static const pc_key output_keys[] = {
    {"every", PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "0.1, or the step if that is longer", PC_INTO(pc_scene, frame_every),
     .meaning = "between frames, rounded to whole steps; not less than the step"},
    {"contacts", PC_A_BOOLEAN, .otherwise = "true", PC_INTO(pc_scene, record_contacts),
     .meaning = "record the contacts of frames"},
    PC_CSV_KEY("RUN.csv: the energy balance and who is inside, one line per step; RUN-exits.csv: "
               "who left where and when; RUN-maps.csv: the maps of the whole run"),
    PC_XDMF_KEY,
    {"trajectories", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "RUN-trajectories.txt: who was where in each frame, for PedPy and JuPedSim"},
    {"maps", PC_A_BOOLEAN | PC_A_MAPPING, .mapping = &pc_table_maps, .otherwise = "true",
     .meaning = "of density, speed and pressure"},
    {"lanes", PC_A_MAPPING, .mapping = &pc_table_lanes, .left_out = "they are not measured",
     .meaning = "the order of lanes, at each frame"},
    PC_CHECKPOINT_KEY,
    {0}};
const pc_mapping pc_table_crowd_output = {.id = "crowd_output",
                                          .what = "'output' of a crowd",
                                          .meaning = "What is recorded, and how often.",
                                          .keys = {output_keys}};

// --- the file -----------------------------------------------------------------------------------

static const pc_key head_keys[] = {
    PC_KIND_KEY("crowd"), PC_BASE_KEY, PC_TITLE_KEY, PC_SOURCE_KEY, {0}};
const pc_key pc_crowd_times[] = {
    {"duration", PC_A_NUMBER, true, .unit = "s", PC_POSITIVE, PC_INTO(pc_scene, duration),
     .meaning = "simulated time; the last step may end slightly later"},
    {"step", PC_A_NUMBER, true, .unit = "s", PC_POSITIVE, PC_INTO(pc_scene, step),
     .meaning = "time step, constant"},
    {0}};
static const pc_key crowd_keys[] = {
    {"until", PC_A_WORD, .words = PC_WORDS({"empty", true}, {"duration", false}),
     .noun = "end of the run", .otherwise = "empty",
     .meaning = "the run ends when everybody is out, or not before its duration"},
    {"seed", PC_AN_INTEGER, PC_FROM(0, 2147483647), .otherwise = "1",
     .meaning = "of all that is drawn"},
    {"contact", PC_A_MAPPING, .mapping = &pc_table_crowd_contact, .otherwise = "{}",
     .meaning = "how contact is treated"},
    {"social", PC_A_MAPPING, .mapping = &pc_table_social, .left_out = "no such force",
     .meaning = "how people keep their distance"},
    {"turning", PC_A_MAPPING, .mapping = &pc_table_turning, .left_out = "people do not turn",
     .meaning = "their orientation"},
    {"routes", PC_A_MAPPING, .mapping = &pc_table_routes, .otherwise = "{}",
     .meaning = "how ways are found"},
    {"solver", PC_A_MAPPING, .mapping = &pc_table_crowd_solver, .otherwise = "{}",
     .meaning = "how impacts are solved"},
    {"floors", PC_A_LIST, true, .mapping = &pc_table_floor, .meaning = "the building"},
    {"stairs", PC_A_LIST, .mapping = &pc_table_stairs, .otherwise = "[]",
     .meaning = "between floors"},
    {"doors", PC_A_LIST, .mapping = &pc_table_door, .otherwise = "[]",
     .meaning = "walls that open"},
    {"sources", PC_A_LIST, .mapping = &pc_table_source, .otherwise = "[]",
     .meaning = "where people come in"},
    {"detours", PC_A_LIST, .mapping = &pc_table_detour, .otherwise = "[]",
     .meaning = "when people change their mind"},
    {"exits", PC_A_LIST, .mapping = &pc_table_exit, .otherwise = "[]",
     .meaning = "where people leave"},
    {"areas", PC_A_LIST, .mapping = &pc_table_area, .otherwise = "[]", .meaning = "where they go"},
    {"people", PC_A_LIST, true, .mapping = &pc_table_group, .meaning = "groups of people"},
    {"output", PC_A_MAPPING, .mapping = &pc_table_crowd_output, .otherwise = "{}",
     .meaning = "what is recorded, and how often"},
    {0}};
const pc_mapping pc_table_crowd = {
    .id = "crowd",
    .what = "a crowd scene",
    .meaning = "People who walk, for `percuss run`.",
    .keys = {head_keys, pc_crowd_times, crowd_keys, pc_keys_of_runs}};
