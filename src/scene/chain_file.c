// `kind: chain` files -> pc_chain, its law, and how to run it. docs/chains.md explains the keys.
#include <math.h>
#include <stdlib.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "scene/scene_file.h"
#include "scene/sweep.h"

// What is read so far.
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
    pc_complain(node, "%s: expected %d numbers, got %d", what, count, given);
  for (int i = 0; i < count && !pc_failed(node); i++)
    array[i] = pc_read_number(pc_item(node, i));
  return array;
}

static double mass_of(double radius, double density)
{
  return density * 4 / 3 * PI * radius * radius * radius;
}

static double radius_of(double mass, double density)
{
  return pc_cbrt(mass / (density * 4 / 3 * PI));
}

typedef struct balls_file {
  pc_node masses, radii, positions;
  int count;
  double mass, radius, density, taper, decorated;
} balls_file;
static const pc_key balls_keys[] = {
    {PC_KEY(balls_file, masses), PC_NUMBERS, .unit = "kg", PC_POSITIVE, .count = {2, PC_MANY},
     .meaning = "masses of all balls, from left to right"},
    {PC_KEY(balls_file, radii), PC_NUMBERS, .unit = "m", PC_POSITIVE, .count = {2, PC_MANY},
     .meaning = "radii of all balls, from left to right; requires `density`"},
    {PC_KEY(balls_file, count), PC_AN_INTEGER, PC_FROM(2, 1e6),
     .meaning = "number of balls; requires `mass` or `radius` of the first, and optionally a rule "
                "for the others"},
    {PC_KEY(balls_file, mass), PC_A_NUMBER, .with = "count", .unit = "kg", PC_POSITIVE,
     .meaning = "mass of the first ball"},
    {PC_KEY(balls_file, radius), PC_A_NUMBER, .with = "count", .unit = "m", PC_POSITIVE,
     .meaning = "radius of the first ball; requires `density`"},
    {PC_KEY(balls_file, density), PC_A_NUMBER, .unit = "kg/m³", PC_POSITIVE,
     .meaning = "converts radii into masses, or masses into radii"},
    {PC_KEY(balls_file, taper), PC_A_NUMBER, .with = "count", PC_FROM(-1, 0.99), .otherwise = "0",
     .meaning =
         "q: each ball has 1 - q times the mass of the previous one; a negative q makes them grow"},
    {PC_KEY(balls_file, decorated), PC_A_NUMBER, .with = "count", PC_POSITIVE, .otherwise = "1",
     .meaning = "every second ball has this multiple of the first mass"},
    {PC_KEY(balls_file, positions), PC_NUMBERS, .unit = "m", .count = {2, PC_MANY},
     .left_out = "touching balls",
     .meaning = "positions of the centres; requires radii. Defines the gaps between the balls"},
    {0}};
static const pc_mapping balls_table = {
    "chain_balls", "the balls of a chain",
    "The balls of a chain, given by `masses`, `radii`, or a `count` and a rule.",
    .keys = {balls_keys}};

// Masses by a rule, from the first.
static void read_rule(pc_node node, const balls_file *file, builder *to)
{
  pc_node radius = PC_NODE(node, balls_file, radius), taper = PC_NODE(node, balls_file, taper);
  bool massive = PC_GIVEN(node, balls_file, mass);
  to->balls = file->count;
  if (massive == pc_is_present(radius))
    pc_complain(node, "balls with a 'count' need either 'mass' or 'radius'");
  if (!massive && file->density == 0)
    pc_complain(radius, "'radius' requires 'density'");
  double first = massive ? file->mass : mass_of(file->radius, file->density);
  double q = file->taper, alpha = file->decorated;
  if (q != 0 && alpha != 1)
    pc_complain(PC_NODE(node, balls_file, decorated), "'taper' and 'decorated' cannot be combined");
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
      pc_complain(pc_at(taper, node),
                  "ball %d would have the mass %g: use a smaller taper or fewer balls", i + 1,
                  to->mass[i]);
      return;
    }
  }
}

static void read_balls(pc_node node, balls_file *file, builder *to)
{
  if (!pc_bind(&node, &balls_table, file))
    return;
  bool massive = pc_is_present(file->masses), round = pc_is_present(file->radii);
  bool ruled = file->count > 0;
  if (massive + round + ruled != 1) {
    pc_complain(node, "balls must be given by one of 'masses', 'radii' and 'count'");
    return;
  }
  pc_node list = massive ? file->masses : file->radii;
  double density = file->density;
  if (ruled) {
    read_rule(node, file, to);
  } else {
    to->balls = pc_read_list(list, "the balls of a chain");
    if (!pc_failed(node) && to->balls < 2)
      pc_complain(list, "a chain needs at least two balls (got %d)", to->balls);
    if (round && density == 0)
      pc_complain(file->radii, "'radii' requires 'density'");
    if (pc_failed(node))
      return;
    double *numbers = read_numbers(to, list, to->balls, "the balls");
    *(massive ? &to->mass : &to->radius) = numbers;
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
    pc_complain(node, "'positions' requires radii: give 'radii', or 'density' with the masses");
    return;
  }
  double *position = read_numbers(to, node, to->balls, "'positions' of the balls");
  for (int i = 0; i + 1 < to->balls && !pc_failed(node); i++) {
    double apart = position[i + 1] - position[i], sum = to->radius[i] + to->radius[i + 1];
    double gap = apart - sum;
    if (gap < -1e-9 * sum)
      pc_complain(
          pc_is_sequence(node) ? pc_item(node, i + 1) : node,
          "balls %d and %d overlap: their centres are %g m apart, their radii are %g m and %g m",
          i + 1, i + 2, apart, to->radius[i], to->radius[i + 1]);
    to->contact[to->scene->chain.wall_left + i].gap = gap > 1e-9 * sum ? gap : 0;
  }
}

typedef struct contacts_file {
  pc_node restitution, stiffness, gap;
  double exponent, young, poisson;
} contacts_file;
static const pc_key contacts_keys[] = {
    {PC_KEY(contacts_file, exponent), PC_A_NUMBER, PC_FROM(1, 10), .otherwise = "1.5",
     .meaning =
         "exponent η of the contact force K δ^η: 1.5 for balls (Hertz), 1 for linear springs"},
    {PC_KEY(contacts_file, restitution), PC_A_NUMBER | PC_NUMBERS, PC_FROM(0, 1),
     .count = {1, PC_MANY}, .otherwise = "1",
     .meaning =
         "coefficient of restitution e, for velocities, impulses or energy, depending on the law"},
    {PC_KEY(contacts_file, stiffness), PC_A_NUMBER | PC_NUMBERS, .unit = "N/m^eta", PC_POSITIVE,
     .count = {1, PC_MANY}, .left_out = "from `young` and radii, or 1",
     .meaning = "contact stiffness K; only ratios of K affect the velocities"},
    {PC_KEY(contacts_file, young), PC_A_NUMBER, .unit = "Pa", PC_POSITIVE,
     .meaning = "Young's modulus; K then follows from Hertz's theory and the radii"},
    {PC_KEY(contacts_file, poisson), PC_A_NUMBER, PC_FROM(0, 0.5), .otherwise = "0.3",
     .meaning = "Poisson's ratio, with `young`"},
    {PC_KEY(contacts_file, gap), PC_A_NUMBER | PC_NUMBERS, .unit = "m", PC_NOT_NEGATIVE,
     .count = {1, PC_MANY}, .otherwise = "0",
     .meaning = "gap before the impact; instantaneous laws act only on contacts with gap 0"},
    {0}};
static const pc_mapping contacts_table = {
    "chain_contacts", "the contacts of a chain",
    "Each key takes one number for all contacts, or a list from left to right that includes the "
    "contacts with walls.",
    .keys = {contacts_keys}};

static double radius_at(const builder *to, int ball)
{
  return ball < 0 || ball >= to->balls ? INFINITY : to->radius[ball];
}

// Numbers of all contacts, each into the field at this place of its contact; absent: as it is.
static void read_into_contacts(const builder *to, pc_node node, size_t field, const char *what)
{
  if (!pc_is_present(node))
    return;
  const double *value = read_numbers(to, node, to->contacts, what);
  for (int i = 0; i < to->contacts && !pc_failed(node); i++)
    *(double *)((char *)&to->contact[i] + field) = value[i];
}

static void read_stiffness(pc_node node, const contacts_file *file, builder *to)
{
  pc_node modulus = PC_NODE(node, contacts_file, young);
  bool young = pc_is_present(modulus), stiffness = pc_is_present(file->stiffness);
  if (stiffness && young)
    pc_complain(modulus, "'stiffness' and 'young' cannot be combined");
  to->scene->timed = stiffness || young;
  read_into_contacts(to, file->stiffness, offsetof(pc_chain_contact, stiffness),
                     "the stiffness of the contacts");
  if (!young || pc_failed(node))
    return;
  if (to->radius == NULL)
    pc_complain(modulus, "'young' requires radii: give 'radii' or 'density' of the balls");
  else if (file->exponent != 1.5)
    pc_complain(modulus, "'young' requires the exponent 1.5 (got %g)", file->exponent);
  for (int i = 0; i < to->contacts && !pc_failed(node); i++) {
    int left = i - to->scene->chain.wall_left;
    to->contact[i].stiffness = pc_chain_hertz_stiffness(
        file->young, file->poisson, radius_at(to, left), radius_at(to, left + 1));
  }
}

static void read_contacts(pc_node node, contacts_file *file, builder *to)
{
  pc_bind(&node, &contacts_table, file);
  to->scene->chain.exponent = file->exponent;
  if (!pc_is_present(node))
    return;
  read_stiffness(node, file, to);
  read_into_contacts(to, file->restitution, offsetof(pc_chain_contact, restitution),
                     "the restitution of the contacts");
  read_into_contacts(to, file->gap, offsetof(pc_chain_contact, gap), "the gaps of the contacts");
}

static const pc_key distance_keys[] = {
    {PC_KEY(pc_chain_distance, balls), PC_INTEGERS, true, PC_FROM(1, 1e6), .count = {2, 2},
     .meaning = "the two balls, counted from 1"},
    {PC_KEY(pc_chain_distance, k), PC_A_NUMBER, true, .unit = "kg", PC_NOT_NEGATIVE,
     .meaning = "P = k (V_a - V_b), on the mean velocities"},
    {0}};
static const pc_mapping distance_table = {"chain_distance", "an interaction at a distance",
                                          "Dissipation between two balls, which need not touch.",
                                          .keys = {distance_keys}};

static void read_distances(pc_node list, builder *to)
{
  pc_chain_law *law = &to->scene->law;
  pc_entries e = pc_entries_of(list);
  pc_chain_distance *distance = pc_arena_take(to->arena, (size_t)e.count + 1, sizeof *distance);
  law->distance = distance;
  while (distance != NULL && pc_next(&e)) {
    pc_chain_distance *d = &distance[e.index];
    if (!pc_bind(&e.node, &distance_table, d))
      return;
    pc_node balls = PC_NODE(e.node, pc_chain_distance, balls);
    for (int k = 0; k < 2; k++)
      if (--d->balls[k] >= to->balls) // the file counts from 1
        pc_complain(balls, "there is no ball %d: the chain has %d", d->balls[k] + 1, to->balls);
    if (d->balls[0] == d->balls[1])
      pc_complain(balls, "ball %d interacts with itself", d->balls[0] + 1);
    law->distances = e.index + 1;
  }
}

static void read_matrix(pc_node node, builder *to)
{
  int n = to->contacts, rows = pc_read_list(node, "'matrix'");
  if (!pc_failed(node) && rows != n)
    pc_complain(node, "the restitution matrix must have one row per contact: expected %d, got %d",
                n, rows);
  if (!pc_failed(node) && n > 2000)
    pc_complain(node, "a restitution matrix for %d contacts is too large", n);
  if (pc_failed(node))
    return;
  double *matrix = take(to, node, n * n);
  for (int i = 0; i < n && matrix != NULL; i++)
    pc_read_vector_in(pc_item(node, i), n, n, pc_any(), matrix + i * n);
  to->scene->law.matrix = matrix;
}

#define LAW_KIND(word) PC_TAG("kind", word, "law")
typedef struct law_file {
  pc_chain_order order;
  pc_chain_compliance compliance;
  pc_node k, distances, matrix;
  double duration;
} law_file;
static const pc_key sequential_keys[] = {
    LAW_KIND("sequential"),
    {PC_KEY(law_file, order), PC_A_WORD,
     .words = PC_WORDS({"left", PC_CHAIN_ORDER_LEFT}, {"right", PC_CHAIN_ORDER_RIGHT},
                       {"fastest", PC_CHAIN_ORDER_FASTEST}),
     .noun = "order", .otherwise = "left",
     .meaning = "which of several approaching contacts collides first"},
    {0}};
static const pc_key fremond_keys[] = {
    LAW_KIND("fremond"),
    {PC_KEY(law_file, k), PC_A_NUMBER | PC_NUMBERS, .unit = "kg", PC_NOT_NEGATIVE,
     .count = {1, PC_MANY}, .otherwise = "0",
     .meaning = "coefficient k of each contact: 0 is perfectly inelastic, a large value elastic"},
    {PC_KEY(law_file, distances), PC_A_LIST, .mapping = &distance_table, .otherwise = "[]",
     .meaning = "interactions at a distance"},
    {0}};
static const pc_key matrix_keys[] = {
    LAW_KIND("matrix"),
    {PC_KEY(law_file, matrix), PC_POINTS, true, .count = {1, PC_MANY},
     .meaning = "E of gamma+ = -E gamma-, with one row and one column per contact"},
    {0}};
static const pc_key lzb_keys[] = {
    LAW_KIND("lzb"),
    {PC_KEY(law_file, compliance), PC_A_WORD,
     .words = PC_WORDS({"bi", PC_CHAIN_BI_STIFFNESS}, {"mono", PC_CHAIN_MONO_STIFFNESS}),
     .noun = "compliance", .otherwise = "bi",
     .meaning = "unloading branch: a steeper force, or the same force after a sudden drop"},
    {0}};
static const pc_key hertz_keys[] = {LAW_KIND("hertz"),
                                    {PC_KEY(law_file, duration), PC_A_NUMBER, .unit = "s",
                                     PC_POSITIVE, .left_out = "until no contact is closing",
                                     .meaning = "upper limit of the integration time"},
                                    {0}};
static const pc_mapping newton = {
    "chain_newton", "Newton's law", "Newton's law at all contacts at once: gamma+ = -e gamma-.",
    .keys = {(const pc_key[]){LAW_KIND("newton"), {0}}}, .value = PC_CHAIN_NEWTON};
static const pc_mapping sequential = {"chain_sequential", "a sequence of collisions",
                                      "Binary collisions in sequence until no balls approach.",
                                      .keys = {sequential_keys}, .value = PC_CHAIN_SEQUENTIAL};
static const pc_mapping moreau = {"chain_moreau", "Moreau's law",
                                  "Moreau's law: gamma+ + e gamma- >= 0 and p >= 0, complementary.",
                                  .keys = {(const pc_key[]){LAW_KIND("moreau"), {0}}},
                                  .value = PC_CHAIN_MOREAU};
static const pc_mapping poisson = {
    "chain_poisson", "Poisson's law",
    "Poisson's law: compression, then expansion with e times the compression impulses.",
    .keys = {(const pc_key[]){LAW_KIND("poisson"), {0}}}, .value = PC_CHAIN_POISSON};
static const pc_mapping fremond = {"chain_fremond", "Frémond's law",
                                   "Frémond's law: impulses (percussions) are functions of the "
                                   "mean velocities, at contacts and at a distance.",
                                   .keys = {fremond_keys}, .value = PC_CHAIN_FREMOND};
static const pc_mapping matrix = {
    "chain_matrix", "a restitution matrix",
    "Generalised Newton's law gamma+ = -E gamma-; the energy is checked.", .keys = {matrix_keys},
    .value = PC_CHAIN_MATRIX};
static const pc_mapping lzb = {"chain_lzb", "the LZB law",
                               "Liu, Zhao and Brogliato: impulses (percussions) evolve together, "
                               "in proportion to the potential energies of the contacts.",
                               .keys = {lzb_keys}, .value = PC_CHAIN_LZB};
static const pc_mapping hertz = {"chain_hertz", "the integration of Hertz's contacts",
                                 "Time integration of the contact forces: the reference solution.",
                                 .keys = {hertz_keys}, .value = PC_CHAIN_HERTZ};
static const pc_mapping *const laws[] = {&newton, &sequential, &moreau, &poisson, &fremond,
                                         &matrix, &lzb,        &hertz,  NULL};

static void read_law(pc_node node, builder *to)
{
  law_file file = {.duration = to->duration};
  if (pc_bind_variant(&node, "the law of a chain", "kind", &file) < 0)
    return;
  pc_chain_law *law = &to->scene->law;
  *law = pc_chain_law_default((pc_chain_law_kind)node.mapping->value);
  law->order = file.order;
  law->compliance = file.compliance;
  if (pc_is_present(file.k))
    law->k = read_numbers(to, file.k, to->contacts, "k of the contacts");
  if (law->kind == PC_CHAIN_FREMOND)
    read_distances(file.distances, to);
  else if (law->kind == PC_CHAIN_MATRIX)
    read_matrix(file.matrix, to);
  else if (law->kind == PC_CHAIN_HERTZ)
    to->scene->duration = file.duration;
  if (!pc_failed(node) && to->scene->chain.press > 0 &&
      !(law->kind == PC_CHAIN_HERTZ && to->scene->duration > 0))
    pc_complain(node, "'press' requires the law 'hertz' and a 'duration'");
}

static const pc_key output_keys[] = {
    {"every", PC_INTO(pc_scene, frame_every), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "the step",
     .meaning = "time between frames, rounded to whole steps; at least one step"},
    PC_CSV_KEY("true: write RUN.csv with the energy balance of every step, KER and C_KE"),
    PC_XDMF_KEY,
    PC_CHECKPOINT_KEY,
    {0}};
static const pc_mapping output_table = {"chain_output", "'output' of a chain",
                                        "What `percuss run` records, and how often.",
                                        .keys = {output_keys}};
static const pc_key head_keys[] = {
    PC_KIND_KEY("chain"), PC_BASE_KEY, PC_TITLE_KEY, PC_SOURCE_KEY, {0}};
static const pc_key time_keys[] = {
    {PC_KEY(pc_scene, duration), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "a little longer than the impact, or than a flight along the chain",
     .meaning = "duration of `percuss run`"},
    {PC_KEY(pc_scene, step), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "a 500th of the duration",
     .meaning =
         "time between rows of the energy balance; the laws choose their own integration steps"},
    {0}};
enum { LEFT = 1, RIGHT = 2 }; // walls
typedef struct chain_file {
  pc_node balls, velocity, law, contacts, output;
  int walls;
  double press;
  bool bounds;
} chain_file;
static const pc_key chain_keys[] = {
    {PC_KEY(chain_file, balls), PC_A_MAPPING, true, .mapping = &balls_table,
     .meaning = "the balls"},
    {PC_KEY(chain_file, velocity), PC_A_NUMBER | PC_NUMBERS, true, .unit = "m/s",
     .count = {2, PC_MANY},
     .meaning = "velocities before the impact; a single number is the velocity of the first ball, "
                "the others are at rest"},
    {PC_KEY(chain_file, walls), PC_A_WORD,
     .words = PC_WORDS({"none", 0}, {"left", LEFT}, {"right", RIGHT}, {"both", LEFT | RIGHT}),
     .noun = "walls", .otherwise = "none", .meaning = "fixed walls beyond the ends"},
    {PC_KEY(chain_file, law), PC_A_MAPPING, true, .variants = laws, .meaning = "impact law"},
    {PC_KEY(chain_file, contacts), PC_A_MAPPING, .mapping = &contacts_table, .otherwise = "{}",
     .meaning = "properties of the contacts"},
    {PC_KEY(chain_file, press), PC_A_NUMBER, .unit = "N", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "static force that compresses the chain; requires the law `hertz` with a duration"},
    {PC_KEY(chain_file, bounds), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: also compute the smallest and largest dispersion that are possible with "
                "this energy loss"},
    {PC_KEY(chain_file, output), PC_A_MAPPING, .mapping = &output_table, .otherwise = "{}",
     .meaning = "what `percuss run` records, and how often"},
    {0}};
const pc_mapping pc_table_chain = {
    "chain", "a chain file",
    "Collisions of balls on a line, for `percuss solve` and `percuss run`.",
    .keys = {head_keys, time_keys, chain_keys, pc_keys_of_runs}};

// Two neighbours must approach, so that they collide at once or later.
static void check_approach(pc_node node, const builder *to)
{
  for (int i = 0; i < to->contacts && !pc_failed(node); i++)
    if (pc_chain_approach_at(&to->scene->chain, to->velocity, i) > 0)
      return;
  pc_complain(node, "there is no impact: no neighbouring balls approach each other");
}

static void read_chain(pc_node root, const chain_file *file, builder *to)
{
  pc_scene_chain *scene = to->scene;
  pc_chain *chain = &scene->chain;
  balls_file balls = {.count = 0};
  contacts_file contacts = {.young = 0};
  chain->wall_left = (file->walls & LEFT) != 0;
  chain->wall_right = (file->walls & RIGHT) != 0;
  chain->press = file->press;
  scene->bounds = file->bounds;
  read_balls(file->balls, &balls, to);
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
  to->velocity = read_numbers(to, file->velocity, to->balls, "the velocities of the balls");
  for (int i = 1; i < to->balls && !pc_failed(root) && !pc_is_sequence(file->velocity); i++)
    to->velocity[i] = 0;
  read_contacts(file->contacts, &contacts, to);
  if (pc_is_present(balls.positions) && pc_is_present(contacts.gap))
    pc_complain(balls.positions, "'gap' and 'positions' cannot be combined");
  read_positions(balls.positions, to);
  read_law(file->law, to);
  chain->balls = to->balls;
  if (!pc_failed(root))
    check_approach(file->velocity, to);
  chain->mass = to->mass;
  chain->velocity = to->velocity;
  chain->contact = to->contact;
  scene->radius = to->radius;
}

// The default duration of a run. For Hertz's contacts: an isolated collision takes 2.9 delta/v
// (Hertz), and a wave takes 1.3 delta/v per ball in a chain of equal balls (Nesterenko), more in
// others. For laws without time: the time in which the fastest ball crosses the chain. With walls
// everything travels back.
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
    double depth =
        pc_pow(power * mass * speed * speed / 4 / chain->contact[i].stiffness, 1 / power);
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
  if (!pc_scene_read_head(scene, &root, PC_KIND_CHAIN, &pc_table_chain))
    return;
  chain_file file = {.walls = 0};
  PC_BIND(&root, &pc_table_chain, chain_file, &file);
  to.duration = scene->duration;
  read_chain(root, &file, &to);
  if (pc_failed(root))
    return;
  if (scene->duration == 0)
    scene->duration = default_duration(scene->chain, &to);
  if (scene->step == 0)
    scene->step = scene->duration / 500;
  pc_scene_read_output(scene, &file.output, &output_table, scene->step);
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
