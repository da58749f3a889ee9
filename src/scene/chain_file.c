// `kind: chain` files -> pc_chain, its law, and how to run it. tables_chain.c has the keys,
// docs/chains.md explains them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "scene/scene_file.h"
#include "scene/tables.h"

// What is read, and where it is written.
typedef struct builder {
  pc_scene_chain *scene;
  pc_arena *arena;
  double *mass, *radius, *velocity; // of balls; radius NULL: not known
  pc_chain_contact *contact;
  int balls, contacts;
  double duration; // of the whole file, 0: it does not say
} builder;

#define PI 3.14159265358979323846

static double *take(const builder *to, pc_node node, int count)
{
  double *array = pc_arena_take(to->arena, (size_t)count + 1, sizeof(double));
  if (array == NULL)
    pc_complain(node, "out of memory");
  return array;
}

// A list of numbers, with the length it should have, or one number for all.
static double *read_numbers(const builder *to, pc_node node, int count, const char *what)
{
  double *array = take(to, node, count);
  if (array == NULL || pc_failed(node))
    return array;
  if (!pc_is_sequence(node)) {
    double all = pc_read_number(node);
    for (int i = 0; i < count; i++)
      array[i] = all;
    return array;
  }
  int given = pc_read_list(node, what);
  if (!pc_failed(node) && given != count)
    pc_complain(node, "%s: %d numbers, but there are %d", what, given, count);
  for (int i = 0; i < count && !pc_failed(node); i++)
    array[i] = pc_read_number(pc_item(node, i));
  return array;
}

// --- balls --------------------------------------------------------------------------------------

static double mass_of(double radius, double density)
{
  return density * 4 / 3 * PI * radius * radius * radius;
}

static double radius_of(double mass, double density)
{
  return cbrt(mass / (density * 4 / 3 * PI));
}

// Masses by a rule, from the first.
static void read_rule(pc_node node, builder *to, double density)
{
  pc_node mass = pc_get(node, "mass"), radius = pc_get(node, "radius");
  pc_node taper = pc_get(node, "taper"), decorated = pc_get(node, "decorated");
  to->balls = pc_read_integer(pc_get(node, "count"));
  if (pc_is_present(mass) == pc_is_present(radius))
    pc_complain(node, "balls by a count need 'mass' or 'radius', one of the two");
  if (pc_is_present(radius) && density == 0)
    pc_complain(radius, "a radius needs the key 'density'");
  double first = pc_is_present(mass) ? pc_read_number(mass) : 0;
  if (pc_is_present(radius))
    first = mass_of(pc_read_number(radius), density);
  double q = pc_read_number_or(taper, 0), alpha = pc_read_number_or(decorated, 1);
  if (q != 0 && alpha != 1)
    pc_complain(decorated, "balls are tapered or decorated, not both");
  if (pc_failed(node))
    return;
  to->mass = take(to, node, to->balls);
  if (to->mass == NULL)
    return;
  pc_chain_family family = alpha != 1 ? PC_CHAIN_DECORATED : PC_CHAIN_TAPERED;
  pc_chain_family_masses(family, alpha != 1 ? alpha : q, (size_t)to->balls, to->mass);
  for (int i = 0; i < to->balls; i++) {
    to->mass[i] *= first;
    if (!(to->mass[i] > 1e-300) || !(to->mass[i] < 1e300)) {
      pc_complain(taper, "the mass of ball %d is %g: so long a chain cannot be so tapered", i + 1,
                  to->mass[i]);
      return;
    }
  }
}

static void read_balls(pc_node *at, builder *to)
{
  if (!pc_read_keys(at, &pc_table_chain_balls))
    return;
  pc_node node = *at;
  pc_node masses = pc_get(node, "masses"), radii = pc_get(node, "radii");
  pc_node count = pc_get(node, "count");
  double density = pc_read_number_or(pc_get(node, "density"), 0);
  int ways = pc_is_present(masses) + pc_is_present(radii) + pc_is_present(count);
  if (ways != 1) {
    pc_complain(node, "balls are given by 'masses', 'radii' or 'count', one of the three");
    return;
  }
  static const char *const rules[] = {"mass", "radius", "taper", "decorated"};
  for (int i = 0; i < 4 && !pc_is_present(count); i++)
    if (pc_is_present(pc_get(node, rules[i])))
      pc_complain(pc_get(node, rules[i]), "'%s' goes with 'count'", rules[i]);
  pc_node list = pc_is_present(masses) ? masses : radii;
  if (pc_is_present(count)) {
    read_rule(node, to, density);
  } else {
    to->balls = pc_read_list(list, "the balls of a chain");
    if (!pc_failed(node) && to->balls < 2)
      pc_complain(list, "a chain has two balls or more, not %d", to->balls);
    if (pc_is_present(radii) && density == 0)
      pc_complain(radii, "radii need the key 'density'");
    if (pc_failed(node))
      return;
    double *numbers = read_numbers(to, list, to->balls, "the balls");
    *(pc_is_present(masses) ? &to->mass : &to->radius) = numbers;
  }
  if (pc_failed(node) || density == 0)
    return;
  double *other = take(to, node, to->balls);
  for (int i = 0; i < to->balls && other != NULL; i++)
    other[i] = to->mass != NULL ? radius_of(to->mass[i], density) : mass_of(to->radius[i], density);
  *(to->mass != NULL ? &to->radius : &to->mass) = other;
}

// Gaps between balls whose centres are given.
static void read_positions(pc_node node, builder *to)
{
  if (!pc_is_present(node) || pc_failed(node))
    return;
  if (to->radius == NULL) {
    pc_complain(node, "positions need radii: 'radii', or 'density' beside masses");
    return;
  }
  double *position = read_numbers(to, node, to->balls, "'positions' of the balls");
  for (int i = 0; i + 1 < to->balls && !pc_failed(node); i++) {
    double apart = position[i + 1] - position[i], sum = to->radius[i] + to->radius[i + 1];
    double gap = apart - sum;
    if (gap < -1e-9 * sum)
      pc_complain(pc_is_sequence(node) ? pc_item(node, i + 1) : node,
                  "balls %d and %d overlap: %g m apart, with radii %g m and %g m", i + 1, i + 2,
                  apart, to->radius[i], to->radius[i + 1]);
    to->contact[to->scene->chain.wall_left + i].gap = gap > 1e-9 * sum ? gap : 0;
  }
}

// --- contacts -----------------------------------------------------------------------------------

static double radius_at(const builder *to, int ball)
{
  return ball < 0 || ball >= to->balls ? INFINITY : to->radius[ball];
}

static void read_stiffness(pc_node node, builder *to)
{
  pc_node stiffness = pc_get(node, "stiffness"), young = pc_get(node, "young");
  double poisson = pc_read_number_or(pc_get(node, "poisson"), 0.3);
  if (pc_is_present(stiffness) && pc_is_present(young))
    pc_complain(young, "contacts have 'stiffness' or 'young', not both");
  to->scene->timed = pc_is_present(stiffness) || pc_is_present(young);
  if (pc_is_present(stiffness)) {
    double *k = read_numbers(to, stiffness, to->contacts, "the stiffness of the contacts");
    for (int i = 0; i < to->contacts && !pc_failed(node); i++)
      to->contact[i].stiffness = k[i];
  }
  if (!pc_is_present(young) || pc_failed(node))
    return;
  if (to->radius == NULL)
    pc_complain(young, "Hertz's stiffness needs radii: 'radii' of the balls, or their 'density'");
  else if (to->scene->chain.exponent != 1.5)
    pc_complain(young, "Hertz's stiffness goes with the exponent 1.5, not %g",
                to->scene->chain.exponent);
  double modulus = pc_read_number(young);
  for (int i = 0; i < to->contacts && !pc_failed(node); i++) {
    int left = i - to->scene->chain.wall_left;
    to->contact[i].stiffness =
        pc_chain_hertz_stiffness(modulus, poisson, radius_at(to, left), radius_at(to, left + 1));
  }
}

static void read_contacts(pc_node node, builder *to)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_chain_contacts))
    return;
  pc_node restitution = pc_get(node, "restitution"), gap = pc_get(node, "gap");
  to->scene->chain.exponent = pc_read_number_or(pc_get(node, "exponent"), 1.5);
  read_stiffness(node, to);
  if (pc_is_present(restitution)) {
    double *e = read_numbers(to, restitution, to->contacts, "the restitution of the contacts");
    for (int i = 0; i < to->contacts && !pc_failed(node); i++)
      to->contact[i].restitution = e[i];
  }
  if (pc_is_present(gap)) {
    double *g = read_numbers(to, gap, to->contacts, "the gaps of the contacts");
    for (int i = 0; i < to->contacts && !pc_failed(node); i++)
      to->contact[i].gap = g[i];
  }
}

// --- laws ---------------------------------------------------------------------------------------

static void read_distances(pc_node node, builder *to)
{
  pc_chain_law *law = &to->scene->law;
  int count = pc_is_present(node) ? pc_read_list(node, "'distances'") : 0;
  pc_chain_distance *distance = pc_arena_take(to->arena, (size_t)count + 1, sizeof *distance);
  law->distance = distance;
  for (int i = 0; i < count && !pc_failed(node) && distance != NULL; i++) {
    pc_node item = pc_item(node, i);
    if (!pc_read_keys(&item, &pc_table_chain_distance))
      return;
    pc_node balls = pc_get(item, "balls");
    if (pc_read_list(balls, "'balls'") != 2)
      pc_complain(balls, "an interaction at a distance is between two balls");
    for (int k = 0; k < 2 && !pc_failed(balls); k++) {
      distance[i].balls[k] = pc_read_integer(pc_item(balls, k)) - 1;
      if (!pc_failed(balls) && distance[i].balls[k] >= to->balls)
        pc_complain(balls, "there is no ball %d: the chain has %d", distance[i].balls[k] + 1,
                    to->balls);
    }
    if (!pc_failed(balls) && distance[i].balls[0] == distance[i].balls[1])
      pc_complain(balls, "ball %d interacts with itself", distance[i].balls[0] + 1);
    distance[i].k = pc_read_number(pc_get(item, "k"));
    law->distances = i + 1;
  }
}

static void read_matrix(pc_node node, builder *to)
{
  int n = to->contacts, rows = pc_read_list(node, "'matrix'");
  if (!pc_failed(node) && rows != n)
    pc_complain(node, "a restitution matrix has a row for every contact: %d, not %d", n, rows);
  if (!pc_failed(node) && n > 2000)
    pc_complain(node, "a restitution matrix of %d contacts is too large", n);
  if (pc_failed(node))
    return;
  double *matrix = take(to, node, n * n);
  for (int i = 0; i < n && matrix != NULL; i++)
    pc_read_vector_in(pc_item(node, i), n, n, pc_any(), matrix + i * n);
  to->scene->law.matrix = matrix;
}

static void read_law(pc_node node, builder *to)
{
  if (pc_read_variant(&node, "the law of a chain", "kind") < 0)
    return;
  pc_chain_law *law = &to->scene->law;
  *law = pc_chain_law_default((pc_chain_law_kind)node.mapping->value);
  if (law->kind == PC_CHAIN_SEQUENTIAL) {
    pc_node order = pc_get(node, "order");
    law->order = pc_is_present(order) ? (pc_chain_order)pc_read_word(order) : PC_CHAIN_ORDER_LEFT;
  } else if (law->kind == PC_CHAIN_LZB) {
    pc_node compliance = pc_get(node, "compliance");
    if (pc_is_present(compliance))
      law->compliance = (pc_chain_compliance)pc_read_word(compliance);
  } else if (law->kind == PC_CHAIN_FREMOND) {
    pc_node k = pc_get(node, "k");
    if (pc_is_present(k))
      law->k = read_numbers(to, k, to->contacts, "k of the contacts");
    read_distances(pc_get(node, "distances"), to);
  } else if (law->kind == PC_CHAIN_MATRIX) {
    read_matrix(pc_get(node, "matrix"), to);
  } else if (law->kind == PC_CHAIN_HERTZ) {
    to->scene->duration = pc_read_number_or(pc_get(node, "duration"), to->duration);
  }
  if (!pc_failed(node) && to->scene->chain.press > 0 &&
      !(law->kind == PC_CHAIN_HERTZ && to->scene->duration > 0))
    pc_complain(node, "a chain under 'press' needs the law 'hertz' and a 'duration'");
}

// --- the file -----------------------------------------------------------------------------------

// Somebody must meet somebody, at once or after a flight.
static void check_approach(pc_node node, const builder *to)
{
  for (int i = 0; i < to->contacts && !pc_failed(node); i++)
    if (pc_chain_approach_at(&to->scene->chain, to->velocity, i) > 0)
      return;
  pc_complain(node, "no two neighbours approach: there is no impact");
}

static void read_chain(pc_node root, builder *to)
{
  pc_scene_chain *scene = to->scene;
  pc_chain *chain = &scene->chain;
  chain->exponent = 1.5;
  pc_node walls = pc_get(root, "walls");
  pc_node velocity = pc_get(root, "velocity"), balls = pc_get(root, "balls");
  int ends = pc_is_present(walls) ? pc_read_word(walls) : 0;
  chain->wall_left = ends == 1 || ends == 3;
  chain->wall_right = ends == 2 || ends == 3;
  read_balls(&balls, to);
  if (pc_failed(root))
    return;
  to->contacts = to->balls - 1 + chain->wall_left + chain->wall_right;
  to->contact = pc_arena_take(to->arena, (size_t)to->contacts, sizeof *to->contact);
  if (to->contact == NULL || to->mass == NULL) {
    pc_complain(root, "out of memory");
    return;
  }
  for (int i = 0; i < to->contacts; i++)
    to->contact[i] = pc_chain_contact_default();
  to->velocity = read_numbers(to, velocity, to->balls, "the velocities of the balls");
  for (int i = 1; i < to->balls && !pc_failed(root) && !pc_is_sequence(velocity); i++)
    to->velocity[i] = 0;
  chain->press = pc_read_number_or(pc_get(root, "press"), 0);
  scene->bounds = pc_read_boolean_or(pc_get(root, "bounds"), false);
  read_contacts(pc_get(root, "contacts"), to);
  pc_node positions = pc_get(balls, "positions");
  if (pc_is_present(positions) && pc_is_present(pc_get(pc_get(root, "contacts"), "gap")))
    pc_complain(positions, "gaps follow from 'positions' or are given, not both");
  read_positions(positions, to);
  read_law(pc_get(root, "law"), to);
  chain->balls = to->balls;
  if (!pc_failed(root))
    check_approach(velocity, to);
  chain->mass = to->mass;
  chain->velocity = to->velocity;
  chain->contact = to->contact;
  scene->radius = to->radius;
}

// What a run of it takes, where the file does not say. Compressed balls: an isolated contact takes
// 2.9 delta/v (Hertz), and a wave 1.3 of them for each further ball of equal ones (Nesterenko);
// some more for others. Laws without time: the fastest flies over the chain. Walls send all that
// back.
static double default_duration(const pc_scene_chain *scene, const builder *to)
{
  const pc_chain *chain = &scene->chain;
  double speed = 0, length = 0, power = chain->exponent + 1;
  for (int i = 0; i < chain->balls; i++) {
    speed = fmax(speed, fabs(chain->velocity[i]));
    length += 2 * (scene->radius != NULL ? scene->radius[i] : 0.01);
  }
  double flight = 0, deepest = 0, sum = 0;
  for (int i = 0; i < to->contacts; i++) {
    int ball = i - chain->wall_left;
    double mass = chain->mass[ball >= 0 ? ball : 0];
    double depth = pow(power * mass * speed * speed / 4 / chain->contact[i].stiffness, 1 / power);
    deepest = fmax(deepest, depth);
    sum += depth;
    flight += chain->contact[i].gap;
  }
  if (scene->duration > 0)
    return scene->duration;
  bool timed = scene->law.kind == PC_CHAIN_HERTZ, walls = chain->wall_left || chain->wall_right;
  return ((timed ? 1.6 * sum + 6 * deepest : length) + flight) * (walls ? 5 : 1) / speed;
}

void pc_chain_read_file(pc_scene *scene, pc_node root)
{
  pc_arena *arena = calloc(1, sizeof *arena);
  scene->chain = calloc(1, sizeof *scene->chain);
  if (arena == NULL || scene->chain == NULL) {
    free(arena);
    pc_complain(root, "out of memory");
    return;
  }
  scene->chain->memory = arena;
  builder to = {.scene = scene->chain, .arena = arena};
  if (!pc_scene_read_head(scene, &root, PC_KIND_CHAIN, &pc_table_chain, pc_chain_times))
    return;
  to.duration = scene->duration;
  read_chain(root, &to);
  if (pc_failed(root))
    return;
  if (scene->duration == 0)
    scene->duration = default_duration(scene->chain, &to);
  if (scene->step == 0)
    scene->step = scene->duration / 500;
  pc_node output = pc_get(root, "output");
  pc_scene_read_output(scene, &output, &pc_table_chain_output, scene->step);
}

void pc_scene_chain_free(pc_scene_chain *scene)
{
  if (scene == NULL)
    return;
  if (scene->memory != NULL)
    pc_arena_free(scene->memory);
  free(scene->memory);
  free(scene);
}
