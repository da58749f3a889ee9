// Layers of a generator, each turned and moved with respect to the one below.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "scene/rigid_generators.h"

static const pc_key turn_keys[] = {
    {PC_KEY(pc_each_layer, turn), PC_A_NUMBER, .unit = "degrees", .otherwise = "0",
     .meaning = "turn about the vertical through the middle of the layers"},
    {0}};
static const pc_key shift_keys[] = {
    {PC_KEY(pc_each_layer, shift), PC_NUMBERS, .unit = "m", .otherwise = "[0, 0, 0]",
     .meaning = "displacement, before the turn"},
    {PC_KEY(pc_each_layer, repeat), PC_AN_INTEGER, PC_FROM(1, 1e7),
     .left_out = "every layer goes on from the one below",
     .meaning = "number of layers after which the first comes again; 2: layers alternate"},
    {0}};
static const pc_mapping each_layer_table = {
    "each_layer", "'each_layer'",
    "How each layer lies on the one below; layer k has k turns and k displacements.",
    .keys = {turn_keys, shift_keys}};
static const pc_mapping each_layer_plane_table = {
    "each_layer_plane", "'each_layer'",
    "How each layer lies on the one below; layer k has k displacements.", .keys = {shift_keys}};
const pc_mapping *const pc_table_each_layer[] = {&each_layer_table, &each_layer_plane_table, NULL};

void pc_rigid_read_each_layer(const pc_rigid_builder *builder, pc_node node, pc_each_layer *each)
{
  *each = (pc_each_layer){0};
  if (pc_is_present(node))
    pc_bind(&node, pc_table_each_layer[builder->dimension == 3 ? 0 : 1], each);
}

void pc_each_layer_place(const pc_each_layer *each, int number, const double middle[3],
                         pc_body_def *def)
{
  int k = each->repeat > 0 ? number % each->repeat : number;
  if (k == 0)
    return;
  for (int i = 0; i < 3; i++)
    def->position[i] += k * each->shift[i];
  if (each->turn == 0)
    return;
  // The remainder first: whole turns are none.
  double angle = fmod(k * each->turn, 360) * pc_acos(-1) / 180;
  double c = pc_cos(angle), s = pc_sin(angle);
  double x = def->position[0] - middle[0], y = def->position[1] - middle[1];
  def->position[0] = middle[0] + c * x - s * y;
  def->position[1] = middle[1] + s * x + c * y;
  double about[3] = {0, 0, angle}, turn[4], turned[4];
  pc_quaternion_exp(about, turn);
  pc_quaternion_multiply(turn, def->orientation, turned);
  memcpy(def->orientation, turned, sizeof turned);
}
