// Heat in a `kind: rigid` file.
#include "percuss/world_heat.h"
#include "scene/rigid_file.h"

typedef struct warm_file {
  pc_node bodies;
  double temperature, capacity, exchange;
} warm_file;
static const pc_key warm_keys[] = {{PC_KEY(warm_file, temperature), PC_A_NUMBER, .unit = "K",
                                    PC_POSITIVE, .left_out = "as for the other bodies",
                                    .meaning = "initial temperature; constant for an obstacle"},
                                   {PC_KEY(warm_file, capacity), PC_A_NUMBER, .unit = "J/K",
                                    PC_POSITIVE, .left_out = "mass × specific heat",
                                    .meaning = "heat capacity of each body"},
                                   {PC_KEY(warm_file, exchange), PC_A_NUMBER, .unit = "W/K",
                                    PC_NOT_NEGATIVE, .left_out = "surface × `exchange` of `heat`",
                                    .meaning = "heat exchange of each body with the surroundings"},
                                   {0}};
static const pc_mapping warm_table = {"warm", "an entry of 'bodies' of 'heat'",
                                      "Values for individual bodies; at least one key is required.",
                                      .keys = {pc_chosen_keys, warm_keys}};
typedef struct heat_file {
  pc_node bodies;
} heat_file;
static const pc_key heat_keys[] = {
    {"specific_heat", PC_INTO(pc_heat_def, specific), PC_A_NUMBER, .unit = "J/(kg K)", PC_POSITIVE,
     .otherwise = "800", .meaning = "specific heat of materials that do not define it"},
    {PC_KEY(pc_heat_def, temperature), PC_A_NUMBER, .unit = "K", PC_POSITIVE, .otherwise = "293.15",
     .meaning = "initial temperature of bodies"},
    {PC_KEY(pc_heat_def, conductance), PC_A_NUMBER, .unit = "W/K", PC_NOT_NEGATIVE,
     .otherwise = "0", .meaning = "thermal conductance between two bodies pressed together"},
    {PC_KEY(pc_heat_def, exchange), PC_A_NUMBER, .unit = "W/(m² K), in the plane W/(m K)",
     PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "heat transfer coefficient between bodies and the surroundings"},
    {PC_KEY(pc_heat_def, outside), PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "as `temperature`", .meaning = "temperature of the surroundings"},
    {"obstacles", PC_INTO(pc_heat_def, obstacle_temperature), PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "obstacles take no heat: bodies receive all the energy dissipated at contacts "
                 "with obstacles",
     .meaning = "temperature of obstacles, which then share the dissipated heat and conduct heat"},
    {PC_KEY(heat_file, bodies), PC_A_LIST, .mapping = &warm_table, .otherwise = "[]",
     .meaning = "values for individual bodies or obstacles"},
    {0}};
const pc_mapping pc_table_heat = {
    "heat", "'heat'", "Temperatures of bodies. The energy dissipated at contacts heats the bodies.",
    .keys = {heat_keys}};

void pc_rigid_read_heat(pc_rigid_builder *builder, pc_node node)
{
  pc_heat_def def = pc_heat_def_default();
  if (!PC_BIND(&node, &pc_table_heat, pc_heat_def, &def))
    return;
  if (!PC_GIVEN(node, pc_heat_def, outside))
    def.outside = def.temperature;
  def.obstacles = PC_GIVEN(node, pc_heat_def, obstacle_temperature);
  if (!def.obstacles)
    def.obstacle_temperature = def.temperature;
  if (pc_world_set_heat(builder->world, &def) != PC_OK)
    pc_complain(node, "%s", pc_world_error(builder->world));
}

// Rejects values that an obstacle cannot have.
static void check_obstacle(const pc_rigid_builder *builder, pc_node node)
{
  pc_node capacity = PC_NODE(node, warm_file, capacity);
  pc_node exchange = PC_NODE(node, warm_file, exchange);
  if (pc_is_present(capacity) || pc_is_present(exchange))
    pc_complain(pc_is_present(capacity) ? capacity : exchange,
                "an obstacle has a constant temperature: remove 'capacity' and 'exchange'");
  else if (!pc_world_heat(builder->world)->obstacles)
    pc_complain(node, "the temperature of an obstacle requires 'obstacles' in 'heat'");
}

static void read_warm(pc_rigid_builder *builder, pc_node node)
{
  warm_file file = {.exchange = -1};
  if (!pc_bind(&node, &warm_table, &file))
    return;
  pc_world *world = builder->world;
  if (file.temperature == 0 && file.capacity == 0 && file.exchange < 0)
    pc_complain(node, "add 'temperature', 'capacity' or 'exchange'");
  pc_chosen s = pc_rigid_choose(builder, file.bodies, false);
  for (int i = 0; i < s.count && !pc_failed(node); i++) {
    pc_body body = s.bodies[i];
    if (pc_body_get_mass(world, body) == 0)
      check_obstacle(builder, node);
    if (pc_failed(node))
      break;
    if ((file.temperature > 0 && pc_body_set_temperature(world, body, file.temperature) != PC_OK) ||
        (file.capacity > 0 && pc_body_set_capacity(world, body, file.capacity) != PC_OK) ||
        (file.exchange >= 0 && pc_body_set_exchange(world, body, file.exchange) != PC_OK))
      pc_complain(node, "%s", pc_world_error(world));
  }
  pc_chosen_free(&s);
}

// Temperatures of `start` tables replace these, as their positions do.
void pc_rigid_read_warm(pc_rigid_builder *builder, pc_node node)
{
  heat_file file;
  if (!PC_BIND(&node, &pc_table_heat, heat_file, &file))
    return;
  for (pc_entries e = pc_entries_of(file.bodies); pc_next(&e);)
    read_warm(builder, e.node);
  for (int i = 0; i < builder->bodies.count && !pc_failed(node); i++)
    if (builder->placed.at[i].temperature > 0 &&
        pc_body_set_temperature(builder->world, (pc_body){i + 1},
                                builder->placed.at[i].temperature) != PC_OK)
      pc_complain(node, "%s", pc_world_error(builder->world));
}
