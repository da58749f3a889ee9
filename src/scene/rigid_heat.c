// Heat in a `kind: rigid` file.
#include "percuss/world_heat.h"
#include "scene/rigid_file.h"
#include "scene/tables.h"

void pc_rigid_read_heat(pc_rigid_builder *builder, pc_node node)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_heat))
    return;
  pc_heat_def def = pc_heat_def_default();
  pc_node obstacles = pc_get(node, "obstacles");
  def.specific = pc_read_number_or(pc_get(node, "specific_heat"), def.specific);
  def.temperature = pc_read_number_or(pc_get(node, "temperature"), def.temperature);
  def.conductance = pc_read_number_or(pc_get(node, "conductance"), def.conductance);
  def.exchange = pc_read_number_or(pc_get(node, "exchange"), def.exchange);
  def.outside = pc_read_number_or(pc_get(node, "outside"), def.temperature);
  def.obstacles = pc_is_present(obstacles);
  def.obstacle_temperature = pc_read_number_or(obstacles, def.temperature);
  if (!pc_failed(node) && pc_world_set_heat(builder->world, &def) != PC_OK)
    pc_complain(node, "%s", pc_world_error(builder->world));
}

// What it says of a body that is an obstacle must make sense there.
static void check_obstacle(const pc_rigid_builder *builder, pc_node node, pc_node capacity,
                           pc_node exchange)
{
  pc_node only = pc_is_present(capacity) ? capacity : exchange;
  if (pc_is_present(only))
    pc_complain(only, "an obstacle keeps its temperature: it has no 'capacity' and no 'exchange'");
  else if (!pc_world_heat(builder->world)->obstacles)
    pc_complain(node, "obstacles have temperatures only where 'heat' has 'obstacles'");
}

static void read_warm(pc_rigid_builder *builder, pc_node node)
{
  if (!pc_read_keys(&node, &pc_table_warm))
    return;
  pc_world *world = builder->world;
  pc_node temperature = pc_get(node, "temperature"), capacity = pc_get(node, "capacity");
  pc_node exchange = pc_get(node, "exchange");
  double kelvin = pc_read_number_or(temperature, 0), own = pc_read_number_or(capacity, 0);
  double given = pc_read_number_or(exchange, -1);
  if (!pc_is_present(temperature) && !pc_is_present(capacity) && !pc_is_present(exchange))
    pc_complain(node, "this needs a 'temperature', a 'capacity' or an 'exchange'");
  pc_selection s = pc_rigid_read_selection(builder, pc_get(node, "bodies"), false);
  for (int i = 0; i < s.count && !pc_failed(node); i++) {
    pc_body body = s.bodies[i];
    if (pc_body_get_mass(world, body) == 0)
      check_obstacle(builder, node, capacity, exchange);
    if (pc_failed(node))
      break;
    if ((kelvin > 0 && pc_body_set_temperature(world, body, kelvin) != PC_OK) ||
        (own > 0 && pc_body_set_capacity(world, body, own) != PC_OK) ||
        (given >= 0 && pc_body_set_exchange(world, body, given) != PC_OK))
      pc_complain(node, "%s", pc_world_error(world));
  }
  pc_selection_free(&s);
}

// Tables of `start` go first, as they do for places.
void pc_rigid_read_warm(pc_rigid_builder *builder, pc_node node)
{
  if (!pc_is_present(node) || pc_failed(node))
    return;
  pc_node list = pc_get(node, "bodies");
  int count = pc_is_present(list) ? pc_read_list(list, "'bodies'") : 0;
  for (int k = 0; k < count && !pc_failed(list); k++)
    read_warm(builder, pc_item(list, k));
  for (int i = 0; i < builder->bodies.count && !pc_failed(node); i++)
    if (builder->placed[i].temperature > 0 &&
        pc_body_set_temperature(builder->world, (pc_body){i + 1}, builder->placed[i].temperature) !=
            PC_OK)
      pc_complain(node, "%s", pc_world_error(builder->world));
}
