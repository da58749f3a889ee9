// Systems of a `kind: rigid` file: bodies that act on each other at a distance in their collisions.
#include <stdlib.h>

#include "scene/rigid_file.h"

static const pc_key law_keys[] = {
    {PC_KEY(pc_system_laws, distance), PC_A_NUMBER, .unit = "kg/m²", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "coefficient ν of the interaction at a distance between bodies that do not touch"},
    {PC_KEY(pc_system_laws, spin), PC_A_NUMBER, .unit = "kg m²", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "coefficient of the interaction between the spins of bodies that touch"},
    {PC_KEY(pc_system_laws, spin_distance), PC_A_NUMBER, .unit = "kg m²", PC_NOT_NEGATIVE,
     .otherwise = "0",
     .meaning = "coefficient of the interaction between the spins of bodies that do not touch"},
    {0}};

typedef struct pair_file {
  pc_node bodies;
} pair_file;
static const pc_key pair_keys[] = {{PC_KEY(pair_file, bodies), PC_NAMES, true, .count = {2, 2},
                                    .meaning = "two bodies of the system"},
                                   {0}};
static const pc_mapping table_pair = {
    "system_pair", "a pair of a system",
    "Coefficients for two bodies of a system that replace those of the system.",
    .keys = {pair_keys, law_keys}};

typedef struct system_file {
  pc_node pairs;
} system_file;
static const pc_key system_keys[] = {{PC_KEY(system_file, pairs), PC_A_LIST, .mapping = &table_pair,
                                      .otherwise = "[]",
                                      .meaning = "pairs with coefficients of their own"},
                                     {0}};
const pc_mapping pc_table_system = {"system", "a system",
                                    "Bodies that interact at a distance and through their spins in "
                                    "collisions (Frémond, chapters 4 and 5).",
                                    .keys = {pc_chosen_keys, law_keys, system_keys}};

static bool is_chosen(const pc_chosen *from, pc_body body)
{
  for (int i = 0; i < from->count; i++)
    if (from->bodies[i].id == body.id)
      return true;
  return false;
}

// Pair number `i` of the list; `pairs` has the bodies of those before it, the lower number first.
static void read_pair(const pc_rigid_builder *builder, pc_node node, const pc_chosen *of,
                      int system, int (*pairs)[2], int i)
{
  pair_file file = {.bodies = node};
  pc_system_laws laws = {0};
  if (!PC_BIND(&node, &table_pair, pair_file, &file) ||
      !PC_BIND(&node, &table_pair, pc_system_laws, &laws))
    return;
  if (pc_read_list(file.bodies, "'bodies'") != 2)
    pc_complain(file.bodies, "a pair needs two bodies");
  pc_body body[2] = {{0}};
  for (int b = 0; b < 2 && !pc_failed(node); b++) {
    pc_node one = pc_item(file.bodies, b);
    body[b].id = pc_names_find(&builder->bodies, pc_read_name(one)) + 1;
    if (body[b].id == 0)
      pc_complain(one, "unknown body '%s'", pc_node_text(one).text);
    else if (!is_chosen(of, body[b]))
      pc_complain(one, "'%s' is not a body of this system", pc_node_text(one).text);
  }
  if (!pc_failed(node) && body[0].id == body[1].id)
    pc_complain(file.bodies, "the two bodies of a pair must differ");
  bool turned = body[0].id > body[1].id;
  pairs[i][0] = body[turned].id;
  pairs[i][1] = body[!turned].id;
  for (int k = 0; k < i && !pc_failed(node); k++)
    if (pairs[k][0] == pairs[i][0] && pairs[k][1] == pairs[i][1])
      pc_complain(file.bodies, "this pair is already entry %d of the list", k + 1);
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
  if (!pc_failed(node) && !PC_GIVEN(node, pc_system_laws, distance) &&
      !PC_GIVEN(node, pc_system_laws, spin) && !PC_GIVEN(node, pc_system_laws, spin_distance) &&
      !pc_is_present(file.pairs))
    pc_complain(
        node, "the system has no interactions: add 'distance', 'spin', 'spin_distance' or 'pairs'");
  int count = pc_is_present(file.pairs) ? pc_read_list(file.pairs, "'pairs'") : 0;
  int(*pairs)[2] = pc_allocate(node, count, sizeof *pairs);
  for (int i = 0; i < count && !pc_failed(node); i++)
    read_pair(builder, pc_item(file.pairs, i), &s, system, pairs, i);
  free(pairs);
  pc_chosen_free(&s);
}
