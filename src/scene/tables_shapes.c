// What files of kind `rigid` may say of shapes.
#include "scene/tables.h"

static const pc_key length_range_keys[] = {
    {"min", PC_A_NUMBER, true, .unit = "m", .range = {.kind = PC_ABOVE}, .meaning = "smallest"},
    {"max", PC_A_NUMBER, true, .unit = "m", .range = {.kind = PC_ABOVE}, .meaning = "largest"},
    {0}};
const pc_mapping pc_table_length_range = {
    .id = "length_range",
    .what = "a range",
    .meaning = "A length, or a factor, drawn anew for each body; in the shapes of generators.",
    .keys = {length_range_keys}};

static const pc_key name_keys[] = {{"name", PC_A_NAME, .left_out = "needed in the list `shapes`",
                                    .meaning = "by which `shape` means it"},
                                   {0}};
static const pc_key radius_keys[] = {{"radius", PC_A_NUMBER | PC_A_MAPPING, true, .unit = "m",
                                      .range = {.kind = PC_ABOVE},
                                      .mapping = &pc_table_length_range, .meaning = "radius"},
                                     {0}};
static const pc_key file_keys[] = {
    {"file", PC_A_FILE, .meaning = "OBJ or STL (text or binary), instead of `vertices`"},
    {"scale", PC_A_NUMBER | PC_A_MAPPING, .range = {.kind = PC_ABOVE},
     .mapping = &pc_table_length_range, .otherwise = "1", .meaning = "factor on what `file` says"},
    {0}};

static const pc_key sphere_keys[] = {
    {"type", PC_A_WORD, true, .words = "sphere", .noun = "type of shape", .meaning = "the shape"},
    {0}};
static const pc_mapping sphere = {.id = "sphere",
                                  .what = "a sphere",
                                  .meaning = "A sphere; in space.",
                                  .keys = {sphere_keys, radius_keys, name_keys},
                                  .value = 3};

static const pc_key box_keys[] = {
    {"type", PC_A_WORD, true, .words = "box", .noun = "type of shape", .meaning = "the shape"},
    {"size", PC_LENGTHS, true, .unit = "m", .range = {.kind = PC_ABOVE},
     .mapping = &pc_table_length_range, .meaning = "its edges along x, y, z"},
    {0}};
static const pc_mapping box = {.id = "box",
                               .what = "a box",
                               .meaning = "A box around the origin; in the plane a rectangle.",
                               .keys = {box_keys, name_keys}};

static const pc_key pointed_box_keys[] = {
    {"type", PC_A_WORD, true, .words = "pointed_box", .noun = "type of shape",
     .meaning = "the shape"},
    {"size", PC_LENGTHS, true, .unit = "m", .range = {.kind = PC_ABOVE}, .count = {3, 3},
     .mapping = &pc_table_length_range, .meaning = "edges of the box"},
    {"tip", PC_A_NUMBER | PC_A_MAPPING, true, .unit = "m", .range = {.kind = PC_ABOVE},
     .mapping = &pc_table_length_range, .meaning = "height of the pyramids"},
    {0}};
static const pc_mapping pointed_box = {
    .id = "pointed_box",
    .what = "a pointed box",
    .meaning = "A box with a pyramid on both of its ends along x; in space.",
    .keys = {pointed_box_keys, name_keys},
    .value = 3};

static const pc_key polyhedron_keys[] = {
    {"type", PC_A_WORD, true, .words = "polyhedron", .noun = "type of shape",
     .meaning = "the shape"},
    {"vertices", PC_POINTS, .unit = "m", .count = {3, 3},
     .meaning = "at least four, none inside the hull of the others"},
    {"random", PC_AN_INTEGER, .range = {.kind = PC_BETWEEN, .low = 4, .high = 1000},
     .meaning = "so many random points on a sphere, instead; in generators"},
    {"radius", PC_A_NUMBER | PC_A_MAPPING, .unit = "m", .range = {.kind = PC_ABOVE},
     .mapping = &pc_table_length_range, .left_out = "needed with `random`",
     .meaning = "of that sphere"},
    {0}};
static const pc_mapping polyhedron = {
    .id = "polyhedron",
    .what = "a polyhedron",
    .meaning = "A convex polyhedron, by one of `vertices`, `file` and `random`; in space.",
    .keys = {polyhedron_keys, file_keys, name_keys},
    .value = 3};

static const pc_key length_keys[] = {
    {"length", PC_A_NUMBER | PC_A_MAPPING, true, .unit = "m", .range = {.kind = PC_ABOVE},
     .mapping = &pc_table_length_range, .meaning = "along z; of a capsule without its caps"},
    {0}};
static const pc_key capsule_keys[] = {
    {"type", PC_A_WORD, true, .words = "capsule", .noun = "type of shape", .meaning = "the shape"},
    {0}};
static const pc_mapping capsule = {.id = "capsule",
                                   .what = "a capsule",
                                   .meaning = "A capsule along z, around the origin; in space.",
                                   .keys = {capsule_keys, radius_keys, length_keys, name_keys},
                                   .value = 3};

static const pc_key cylinder_keys[] = {
    {"type", PC_A_WORD, true, .words = "cylinder", .noun = "type of shape", .meaning = "the shape"},
    {0}};
static const pc_mapping cylinder = {.id = "cylinder",
                                    .what = "a cylinder",
                                    .meaning = "A cylinder along z, around the origin; in space.",
                                    .keys = {cylinder_keys, radius_keys, length_keys, name_keys},
                                    .value = 3};

static const pc_key piece_keys[] = {
    {"shape", PC_A_NAME | PC_A_MAPPING, true, .variants = pc_table_shapes,
     .meaning = "a convex shape, or the name of one"},
    {"position", PC_NUMBERS, .unit = "m", .otherwise = "[0, 0, 0]", .meaning = "of its origin"},
    {"orientation", PC_NUMBERS | PC_A_MAPPING, .count = {4, 4}, .variants = pc_table_orientations,
     .otherwise = "[1, 0, 0, 0]", .meaning = "quaternion `[w, x, y, z]`, or axis and angle"},
    {0}};
const pc_mapping pc_table_piece = {
    .id = "piece", .what = "a piece", .meaning = "A piece of a compound.", .keys = {piece_keys}};

static const pc_key compound_keys[] = {
    {"type", PC_A_WORD, true, .words = "compound", .noun = "type of shape", .meaning = "the shape"},
    {"pieces", PC_A_LIST, true, .mapping = &pc_table_piece,
     .meaning = "they should not overlap, or mass counts twice"},
    {0}};
static const pc_mapping compound = {.id = "compound",
                                    .what = "a compound",
                                    .meaning = "Convex pieces held together.",
                                    .keys = {compound_keys, name_keys}};

static const pc_key plane_keys[] = {
    {"type", PC_A_WORD, true, .words = "plane", .noun = "type of shape", .meaning = "the shape"},
    {"normal", PC_NUMBERS, .otherwise = "[0, 0, 1]",
     .meaning = "out of the solid; in the plane it is [0, 1] unless it is given"},
    {0}};
static const pc_mapping plane = {.id = "plane",
                                 .what = "a plane",
                                 .meaning = "Solid below, through its position; without volume.",
                                 .keys = {plane_keys, name_keys}};

static const pc_key mesh_keys[] = {
    {"type", PC_A_WORD, true, .words = "mesh", .noun = "type of shape", .meaning = "the shape"},
    {"vertices", PC_POINTS, .unit = "m", .count = {3, 3}, .meaning = "at least three"},
    {"triangles", PC_POINTS, .count = {3, 3}, .left_out = "needed with `vertices`",
     .meaning = "`[[0, 1, 2], …]`: vertices, counted from 0, counter-clockwise seen from outside"},
    {0}};
static const pc_mapping mesh = {
    .id = "mesh",
    .what = "a mesh",
    .meaning = "A surface of triangles, by `vertices` or `file`; in space, without volume.",
    .keys = {mesh_keys, file_keys, name_keys},
    .value = 3};

static const pc_key heights_keys[] = {
    {"type", PC_A_WORD, true, .words = "heights", .noun = "type of shape", .meaning = "the shape"},
    {"heights", PC_POINTS | PC_GAPS, .unit = "m", .count = {2, PC_MANY},
     .meaning = "rows from small to large y, along x; null: a missing point"},
    {"spacing", PC_A_NUMBER, .unit = "m", .range = {.kind = PC_ABOVE},
     .left_out = "needed with `heights`", .meaning = "between neighbours"},
    {"origin", PC_NUMBERS, .unit = "m", .count = {2, 2}, .otherwise = "[0, 0]",
     .meaning = "x and y of the first height"},
    {"file", PC_A_FILE,
     .meaning = "ESRI grid (.asc) or x y z triples (.xyz), instead of `heights`"},
    {0}};
static const pc_mapping heights = {.id = "heights",
                                   .what = "a height field",
                                   .meaning =
                                       "Terrain, by `heights` or `file`; in space, without volume.",
                                   .keys = {heights_keys, name_keys},
                                   .value = 3};

static const pc_key disc_keys[] = {
    {"type", PC_A_WORD, true, .words = "disc", .noun = "type of shape", .meaning = "the shape"},
    {0}};
static const pc_mapping disc = {.id = "disc",
                                .what = "a disc",
                                .meaning = "A disc; in the plane.",
                                .keys = {disc_keys, radius_keys, name_keys},
                                .value = 2};

static const pc_key polygon_keys[] = {
    {"type", PC_A_WORD, true, .words = "polygon", .noun = "type of shape", .meaning = "the shape"},
    {"vertices", PC_POINTS, true, .unit = "m", .count = {2, 2}, .meaning = "at least three"},
    {0}};
static const pc_mapping polygon = {.id = "polygon",
                                   .what = "a polygon",
                                   .meaning = "A convex polygon; in the plane.",
                                   .keys = {polygon_keys, name_keys},
                                   .value = 2};

static const pc_key chain_keys[] = {
    {"type", PC_A_WORD, true, .words = "chain", .noun = "type of shape", .meaning = "the shape"},
    {"vertices", PC_POINTS, true, .unit = "m", .count = {2, 2}, .meaning = "at least two"},
    {"closed", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: the last one is joined to the first"},
    {0}};
static const pc_mapping chain = {
    .id = "chain_shape",
    .what = "a chain",
    .meaning = "Segments without thickness, both sides count; in the plane, without volume.",
    .keys = {chain_keys, name_keys},
    .value = 2};

const pc_mapping *const pc_table_shapes[] = {
    &sphere, &box,  &pointed_box, &polyhedron, &capsule, &cylinder, &compound,
    &plane,  &mesh, &heights,     &disc,       &polygon, &chain,    NULL};
