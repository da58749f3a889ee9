// What people of a group of a `kind: crowd` file share: hands, forces that keep them together, and
// the exits that they know.
#include <stdlib.h>

#include "scene/crowd_file.h"

typedef struct hands_file {
  double stiffness;
  int size;
} hands_file;
static const pc_key hands_keys[] = {
    {PC_KEY(hands_file, stiffness), PC_A_NUMBER, true, .unit = "kg/m²", PC_POSITIVE,
     .meaning = "stiffness K_V of the bond"},
    {PC_KEY(hands_file, size), PC_AN_INTEGER, PC_FROM(2, 1e6), .otherwise = "2",
     .meaning = "number of people in a row, in the order of the group"},
    {0}};
const pc_mapping pc_table_hands = {"hands", "'hands'", "Bonds between people who hold hands.",
                                   .keys = {hands_keys}};

// Joins neighbours in rows of the given size.
void pc_crowd_hold_hands(const pc_company *g, pc_node node)
{
  hands_file file;
  if (!pc_bind(&node, &pc_table_hands, &file))
    return;
  for (int i = g->first + 1; i < g->builder->people && !pc_failed(node); i++)
    if ((i - g->first) % file.size != 0 &&
        pc_crowd_add_hands(g->builder->crowd, i - 1, i, file.stiffness) < 0)
      pc_crowd_complain(g->builder, node, pc_text_path(g->name).text);
}

typedef struct together_file {
  int size;
  pc_group_def def;
} together_file;
static const pc_word group_kinds[] = {
    {"moussaid", PC_GROUP_MOUSSAID}, {"singh", PC_GROUP_SINGH}, {"wait", PC_GROUP_WAIT}, {NULL, 0}};
static const pc_key together_keys[] = {
    {"kind", PC_INTO(together_file, def.kind), PC_A_WORD, true, .words = group_kinds,
     .noun = "kind of group",
     .meaning =
         "`moussaid`: people turn their heads to see the others and are attracted to the "
         "centre of the group; `singh`: the g->first person leads, the others walk beside; "
         "`wait`: they start when the last is ready, walk at the pace of the slowest and wait "
         "for those behind"},
    {PC_KEY(together_file, size), PC_AN_INTEGER, PC_FROM(2, 1e6), .otherwise = "2",
     .meaning = "people per group, in the order of the list"},
    {"gaze", PC_INTO(together_file, def.gaze), PC_A_NUMBER, .unit = "1/s", PC_NOT_NEGATIVE,
     .otherwise = "4", .meaning = "with `moussaid`: deceleration per radian of head rotation"},
    {"attraction", PC_INTO(together_file, def.attraction), PC_A_NUMBER, .unit = "m/s²",
     PC_NOT_NEGATIVE, .otherwise = "3",
     .meaning = "with `moussaid`: acceleration towards the centre of the group"},
    {"repulsion", PC_INTO(together_file, def.repulsion), PC_A_NUMBER, .unit = "m/s²",
     PC_NOT_NEGATIVE, .otherwise = "1",
     .meaning = "with `moussaid`: acceleration away from members who are too near"},
    {"spacing", PC_INTO(together_file, def.spacing), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE,
     .otherwise = "0.8", .meaning = "with `moussaid`: distance below which members are too near"},
    {"distance", PC_INTO(together_file, def.distance), PC_A_NUMBER, .unit = "m", PC_POSITIVE,
     .left_out = "0.7 with `singh`, 2 with `wait`",
     .meaning = "with `singh`: distance between neighbours; with `wait`: how far others may be "
                "behind, on the way"},
    {"rate", PC_INTO(together_file, def.rate), PC_A_NUMBER, .unit = "1/s", PC_NOT_NEGATIVE,
     .otherwise = "0.15",
     .meaning = "with `singh`: additional speed per distance from the assigned position"},
    {0}};
const pc_mapping pc_table_together = {
    "together", "'together'", "Forces that keep small groups together.", .keys = {together_keys}};

// Groups of the given size; the last one may be smaller.
void pc_crowd_stay_together(const pc_company *g, pc_node node)
{
  together_file file = {.def = pc_group_def_default(PC_GROUP_MOUSSAID)};
  int all = g->builder->people - g->first;
  if (!pc_bind(&node, &pc_table_together, &file))
    return;
  // Which kinds a key is for.
  const struct {
    pc_node key;
    pc_group_kind kind[2];
  } of[] = {
      {PC_NODE(node, together_file, def.gaze), {PC_GROUP_MOUSSAID, PC_GROUP_MOUSSAID}},
      {PC_NODE(node, together_file, def.attraction), {PC_GROUP_MOUSSAID, PC_GROUP_MOUSSAID}},
      {PC_NODE(node, together_file, def.repulsion), {PC_GROUP_MOUSSAID, PC_GROUP_MOUSSAID}},
      {PC_NODE(node, together_file, def.spacing), {PC_GROUP_MOUSSAID, PC_GROUP_MOUSSAID}},
      {PC_NODE(node, together_file, def.distance), {PC_GROUP_SINGH, PC_GROUP_WAIT}},
      {PC_NODE(node, together_file, def.rate), {PC_GROUP_SINGH, PC_GROUP_SINGH}},
  };
  for (int k = 0; k < PC_COUNT(of); k++)
    if (pc_is_present(of[k].key) && file.def.kind != of[k].kind[0] &&
        file.def.kind != of[k].kind[1])
      pc_complain(of[k].key, "'%s' requires '%s'", of[k].key.key->name,
                  group_kinds[of[k].kind[0]].word);
  if (!PC_GIVEN(node, together_file, def.distance))
    file.def.distance = pc_group_def_default(file.def.kind).distance;
  int *people = pc_allocate(node, all, sizeof *people);
  for (int i = 0; i < all && !pc_failed(node); i++)
    people[i] = g->first + i;
  for (int i = 0; i + 1 < all && !pc_failed(node); i += file.size) {
    file.def.people = people + i;
    file.def.count = all - i < file.size ? all - i : file.size;
    if (pc_crowd_add_group(g->builder->crowd, &file.def) < 0)
      pc_crowd_complain(g->builder, node, pc_text_path(g->name).text);
  }
  free(people);
}

void pc_crowd_know(const pc_company *g, pc_node node, double familiar)
{
  enum { MOST = 64 };
  pc_crowd_builder *builder = g->builder;
  int count = pc_is_sequence(node) ? pc_read_list(node, "'knows'") : 1, goals[MOST];
  if (!pc_is_present(node) || pc_failed(node))
    return;
  if (count < 1 || count > MOST) {
    pc_complain(node, "'knows' must name 1 to %d exits or areas", MOST);
    return;
  }
  for (int i = 0; i < count && !pc_failed(node); i++)
    goals[i] = pc_crowd_find_goal(builder, pc_is_sequence(node) ? pc_item(node, i) : node);
  for (int i = g->first; i < builder->people && !pc_failed(node); i++)
    if (!(familiar > 0 && pc_random_uniform(&builder->random, 0, 1) < familiar) &&
        pc_crowd_set_known(builder->crowd, i, count, goals) != PC_OK)
      pc_crowd_complain(builder, node, "");
}
