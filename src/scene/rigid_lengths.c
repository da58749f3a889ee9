// Numbers of shapes of a `kind: rigid` file, of which generators may draw some.
#include <stdlib.h>

#include "scene/rigid_shapes.h"

enum { MAX_VERTICES = 1 << 24 };

typedef struct pc_length_range {
  double low, high;
} pc_length_range;
static const pc_key length_range_keys[] = {{"min", PC_INTO(pc_length_range, low), PC_A_NUMBER, true,
                                            .unit = "m", PC_POSITIVE, .meaning = "smallest value"},
                                           {"max", PC_INTO(pc_length_range, high), PC_A_NUMBER,
                                            true, .unit = "m", PC_POSITIVE,
                                            .meaning = "largest value"},
                                           {0}};
const pc_mapping pc_table_length_range = {
    "length_range", "a range",
    "A random length or factor for each body; in shapes of generators only.",
    .keys = {length_range_keys}};
const pc_key pc_shape_name_keys[] = {{PC_KEY(pc_shape_file, name), PC_A_NAME,
                                      .left_out = "required in the list `shapes`",
                                      .meaning = "name by which `shape` refers to it"},
                                     {0}};
const pc_key pc_shape_file_keys[] = {
    {PC_KEY(pc_shape_file, file), PC_A_FILE,
     .meaning = "OBJ or STL (text or binary), instead of `vertices`"},
    {PC_KEY(pc_shape_file, scale), PC_A_NUMBER | PC_A_MAPPING, .with = "file", PC_POSITIVE,
     .mapping = &pc_table_length_range, .otherwise = "1", .meaning = "scale factor of the file"},
    {0}};

double pc_shape_length(const pc_shape_reader *from, pc_node node)
{
  double value;
  if (!pc_is_mapping(node)) {
    value = pc_read_number(node);
  } else {
    if (from->draw == NULL) {
      pc_complain(node, "a range {min, max} can only be used in shapes of generators");
      return 1;
    }
    pc_length_range range;
    if (!pc_bind(&node, &pc_table_length_range, &range))
      return 1;
    if (range.high < range.low)
      pc_complain(node, "'min' must not exceed 'max' (got min %g, max %g)", range.low, range.high);
    value = pc_random_uniform(from->draw->random, range.low, range.high);
    from->draw->drawn = true;
  }
  return from->draw != NULL ? value * from->draw->scale : value;
}

double pc_shape_scale(const pc_shape_reader *from, pc_node node)
{
  if (pc_is_present(node))
    return pc_shape_length(from, node);
  return from->draw != NULL ? from->draw->scale : 1;
}

double *pc_shape_points(const pc_shape_reader *from, pc_node node, int width, int least, int *count)
{
  *count = pc_read_list(node, "a list of points");
  if (pc_failed(node))
    return NULL;
  if (*count < least || *count > MAX_VERTICES) {
    pc_complain(node, "got %d points, expected at least %d", *count, least);
    return NULL;
  }
  double *points = pc_allocate(node, *count * width, sizeof *points);
  if (points == NULL)
    return NULL;
  double scale = from->draw != NULL ? from->draw->scale : 1;
  for (int i = 0; i < *count && !pc_failed(node); i++)
    pc_read_vector(pc_item(node, i), width, width, points + (size_t)width * i);
  for (int i = 0; i < *count * width; i++)
    points[i] *= scale;
  return points;
}

bool pc_shape_needs_one(pc_node node, const char *what, const char *a, const char *b)
{
  if (pc_is_given(node, a) != pc_is_given(node, b))
    return true;
  pc_complain(node, "%s needs either '%s' or '%s'", what, a, b);
  return false;
}
