#include "scene/draws.h"

#include <math.h>

#include "core/elementary.h"

static bool may_be(const pc_drawn *d, double value)
{
  return value >= d->low && value <= d->high && !(d->above && value == d->low);
}

static void read_between(pc_node node, pc_drawn *d)
{
  double limit[2];
  if (!pc_is_present(node))
    return;
  pc_read_vector(node, 2, 2, limit);
  if (!pc_failed(node) && !(limit[0] <= limit[1]))
    pc_complain(node, "'between' must be [least, most]");
  if (limit[0] > d->low) {
    d->low = limit[0];
    d->above = false;
  }
  d->high = limit[1];
}

typedef struct draw_file {
  double uniform[2], normal[2], lognormal[2];
  pc_node between;
} draw_file;
static const pc_key draw_keys[] = {
    {PC_KEY(draw_file, uniform), PC_NUMBERS, .count = {2, 2},
     .meaning = "`[least, most]`: uniform distribution"},
    {PC_KEY(draw_file, normal), PC_NUMBERS, .count = {2, 2},
     .meaning = "`[mean, deviation]`: normal distribution"},
    {PC_KEY(draw_file, lognormal), PC_NUMBERS, .count = {2, 2},
     .meaning = "`[mean, deviation]` of the value itself: its logarithm has a normal distribution. "
                "Usual for the time before people react (`response`)"},
    {PC_KEY(draw_file, between), PC_NUMBERS, .count = {2, 2}, .left_out = "as for the key",
     .meaning = "limits `[least, most]` for `normal` and `lognormal`; values outside are drawn "
                "again"},
    {0}};
const pc_mapping pc_table_draw = {
    "draw", "a number that is drawn",
    "A random value for each person, with a `uniform`, `normal` or `lognormal` distribution.",
    .keys = {draw_keys}};

static void check_draw(pc_node given, const pc_drawn *d)
{
  if (d->how == PC_DRAWN_UNIFORM && !(d->a <= d->b))
    pc_complain(given, "'uniform' must be [least, most]");
  else if (d->how == PC_DRAWN_UNIFORM && !may_be(d, d->a))
    pc_complain(given, "'%s' cannot be %g", d->node.key->name, d->a);
  else if (d->how != PC_DRAWN_UNIFORM && d->b < 0)
    pc_complain(given, "the deviation must not be negative");
  else if (d->how == PC_DRAWN_LOGNORMAL && !(d->a > 0))
    pc_complain(given, "the mean of 'lognormal' must be positive");
}

void pc_read_drawn(pc_node node, pc_drawn *d)
{
  const pc_key *key = node.key;
  *d = (pc_drawn){.low = -INFINITY, .high = INFINITY, .node = node};
  if (key->range.kind != PC_ANY_FINITE)
    d->low = key->range.low;
  d->above = key->range.kind == PC_ABOVE;
  if (!pc_is_mapping(node)) {
    pc_read_number_or_default(node, &d->a);
    return;
  }
  draw_file file;
  if (!pc_bind(&node, &pc_table_draw, &file))
    return;
  pc_node given[] = {PC_NODE(node, draw_file, uniform), PC_NODE(node, draw_file, normal),
                     PC_NODE(node, draw_file, lognormal)};
  const double *two[] = {file.uniform, file.normal, file.lognormal};
  int count = 0, which = 0;
  for (int k = 0; k < 3; k++)
    if (pc_is_present(given[k]))
      count++, which = k;
  if (count != 1) {
    pc_complain(node, "a random value needs one of 'uniform', 'normal' and 'lognormal'");
    return;
  }
  d->how = (pc_draw_kind[]){PC_DRAWN_UNIFORM, PC_DRAWN_NORMAL, PC_DRAWN_LOGNORMAL}[which];
  d->a = two[which][0], d->b = two[which][1];
  check_draw(given[which], d);
  if (d->how == PC_DRAWN_UNIFORM && pc_is_present(file.between))
    pc_complain(file.between,
                "'between' limits 'normal' and 'lognormal'; 'uniform' has its limits");
  read_between(file.between, d);
}

double pc_draw(pc_random *random, const pc_drawn *d)
{
  if (d->how == PC_DRAWN_NOT)
    return d->a;
  if (d->how == PC_DRAWN_UNIFORM)
    return pc_random_uniform(random, d->a, d->b);
  bool log = d->how == PC_DRAWN_LOGNORMAL;
  double spread = log ? sqrt(pc_log1p(d->b / d->a * (d->b / d->a))) : d->b;
  double middle = log ? pc_log(d->a) - 0.5 * spread * spread : d->a;
  for (int i = 0; i < 10000; i++) {
    double value = middle + spread * pc_random_normal(random);
    if (log)
      value = pc_exp(value);
    if (may_be(d, value))
      return value;
  }
  pc_complain(d->node, "the limits of 'between' exclude almost all values of the distribution");
  return d->a;
}
