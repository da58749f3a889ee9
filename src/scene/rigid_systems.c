// Systems of a `kind: rigid` file: bodies that act on each other at a distance in their collisions.
#include "scene/rigid_file.h"

static const pc_key law_keys[] = {
    {PC_KEY(pc_system_laws, distance), PC_A_NUMBER, .unit = "kg/m²", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "ν of Frémond's book: interaction at a distance of bodies that do not touch"},
    {PC_KEY(pc_system_laws, spin), PC_A_NUMBER, .unit = "kg m²", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "interaction of the spins of bodies that touch"},
    {PC_KEY(pc_system_laws, spin_distance), PC_A_NUMBER, .unit = "kg m²", PC_NOT_NEGATIVE,
     .otherwise = "0", .meaning = "interaction of the spins of bodies that do not touch"},
    {0}};

typedef struct pair_file {
  pc_node bodies;
} pair_file;
static const pc_key pair_keys[] = {{PC_KEY(pair_file, bodies), PC_NAMES, true, .count = {2, 2},
                                    .meaning = "two bodies of the system"},
                                   {0}};
static const pc_mapping table_pair = {
    "system_pair", "a pair of a system",
    "Coefficients of two bodies of a system, instead of those of the system.",
    .keys = {pair_keys, law_keys}};

typedef struct system_file {
  pc_node pairs;
} system_file;
static const pc_key system_keys[] = {{PC_KEY(system_file, pairs), PC_A_LIST, .mapping = &table_pair,
                                      .otherwise = "[]",
                                      .meaning = "pairs with coefficients of their own"},
                                     {0}};
const pc_mapping pc_table_system = {
    "system", "a system",
    "Bodies that act on each other at a distance, and by their spins, in their collisions "
    "(Frémond, chapters 4 and 5).",
    .keys = {pc_chosen_keys, law_keys, system_keys}};

static void read_pair(const pc_rigid_builder *builder, pc_node node, int system)
{
  pair_file file = {.bodies = node};
  pc_system_laws laws = {0};
  if (!PC_BIND(&node, &table_pair, pair_file, &file) ||
      !PC_BIND(&node, &table_pair, pc_system_laws, &laws))
    return;
  if (pc_read_list(file.bodies, "'bodies'") != 2)
    pc_complain(file.bodies, "a pair has two bodies");
  pc_body body[2] = {{0}};
  for (int b = 0; b < 2 && !pc_failed(node); b++) {
    pc_node one = pc_item(file.bodies, b);
    body[b].id = pc_names_find(&builder->bodies, pc_read_name(one)) + 1;
    if (body[b].id == 0)
      pc_complain(one, "there is no body called '%s'", pc_node_text(one).text);
  }
  if (!pc_failed(node) && pc_world_set_system_pair(builder->world, system, body, &laws) != PC_OK)
    pc_complain(file.bodies, "%s", pc_world_error(builder->world));
}

void pc_rigid_read_system(pc_rigid_builder *builder, pc_node node, int number)
{
  system_file file = {.pairs = node};
  pc_system_laws laws = {0};
  if (!PC_BIND(&node, &pc_table_system, system_file, &file) ||
      !PC_BIND(&node, &pc_table_system, pc_system_laws, &laws))
    return;
  pc_node bodies = pc_get(node, "bodies");
  pc_chosen s = pc_rigid_choose(builder, bodies, true);
  int system = -1;
  if (!pc_failed(node)) {
    system = pc_world_add_system(builder->world, s.count, s.bodies, &laws);
    if (system < 0)
      pc_complain(node, "%s", pc_world_error(builder->world));
  }
  pc_chosen_free(&s);
  int pairs = pc_is_present(file.pairs) ? pc_read_list(file.pairs, "'pairs'") : 0;
  for (int i = 0; i < pairs && !pc_failed(node); i++)
    read_pair(builder, pc_item(file.pairs, i), system);
}
