// Which bodies of a `kind: rigid` file are meant.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/small.h"
#include "scene/rigid_file.h"
#include "scene/text.h"

enum { MOST_WORDS = 1000 }; // bytes of a list of names

typedef struct choice_file {
  pc_node name, material, inside, nearest;
} choice_file;
static const pc_key choice_keys[] = {
    {PC_KEY(choice_file, name), PC_A_NAME,
     .meaning = "name of a body or generator; `stone-*` selects all names with this beginning"},
    {PC_KEY(choice_file, material), PC_A_NAME, .meaning = "bodies of this material"},
    {PC_KEY(choice_file, inside), PC_A_MAPPING, .variants = pc_table_regions,
     .meaning = "bodies whose origins are initially inside this region"},
    {PC_KEY(choice_file, nearest), PC_NUMBERS, .unit = "m",
     .meaning = "of these, the body that is initially nearest to this point"},
    {0}};

const pc_mapping pc_table_choice = {
    "choice", "a selection of bodies",
    "A selection of the bodies that match all given keys; at least one key is required.",
    .keys = {choice_keys}};

// Structs that these keys fill begin with the node.
typedef struct chosen_file {
  pc_node bodies;
} chosen_file;
const pc_key pc_chosen_keys[] = {{PC_KEY(chosen_file, bodies), PC_CHOICES, true,
                                  .mapping = &pc_table_choice,
                                  .meaning = "names of bodies or generators, wildcards such as "
                                             "`stone-*`, selections, or a list of these"},
                                 {0}};

// One entry of a choice, read: bodies that fulfil all of it are meant.
typedef struct choice {
  const char *name; // of a body or a generator; NULL: any
  size_t prefix;    // so many characters of the name count; 0: all
  int body;         // of that name, or -1
  pc_generated made;
  int material; // -1: any
  bool inside, nearest;
  pc_region region;
  double point[3];
} choice;

static void read_name(const pc_rigid_builder *builder, pc_node node, choice *c)
{
  c->name = pc_read_name(node);
  size_t length = strlen(c->name);
  if (length > 0 && c->name[length - 1] == '*') {
    c->prefix = length - 1;
    if (length == 1)
      c->name = NULL;
    return;
  }
  c->body = pc_names_find(&builder->bodies, c->name);
  int generator = c->body >= 0 ? -1 : pc_names_find(&builder->generators, c->name);
  if (generator >= 0)
    c->made = builder->generated.at[generator];
}

static void read_choice(const pc_rigid_builder *builder, pc_node node, choice *c)
{
  *c = (choice){.body = -1, .material = -1};
  if (!pc_is_mapping(node)) {
    read_name(builder, node, c);
    return;
  }
  choice_file file;
  if (!pc_bind(&node, &pc_table_choice, &file))
    return;
  if (pc_is_present(file.name))
    read_name(builder, file.name, c);
  if (pc_is_present(file.material))
    c->material = pc_rigid_read_material(builder, file.material);
  c->inside = pc_is_present(file.inside);
  if (c->inside)
    pc_rigid_read_region(builder, file.inside, &c->region);
  c->nearest = pc_is_present(file.nearest);
  pc_rigid_read_vector(builder, file.nearest, c->point);
  if (!pc_is_present(file.name) && c->material < 0 && !c->inside && !c->nearest)
    pc_complain(node, "a selection needs 'name', 'material', 'inside' or 'nearest'");
}

static bool is_meant(const pc_rigid_builder *builder, const choice *c, int i)
{
  const char *name = builder->bodies.names[i];
  bool named = c->name == NULL || i == c->body ||
               (i >= c->made.first && i < c->made.first + c->made.count) ||
               (c->prefix > 0 && strncmp(name, c->name, c->prefix) == 0);
  return named &&
         (c->material < 0 ||
          pc_body_get_material(builder->world, (pc_body){i + 1}) == c->material) &&
         (!c->inside || pc_region_contains(&c->region, builder->placed.at[i].pose.position, 0));
}

static int add_word(char *words, int used, const char *word)
{
  int length = (int)strlen(word);
  if (strchr(word, ' ') != NULL || used + length + 2 > MOST_WORDS)
    return used;
  words[used] = ' ';
  memcpy(words + used + 1, word, (size_t)length + 1);
  return used + length + 1;
}

// Names generators, and bodies that none of them made, as far as there is room.
static void complain_of_name(const pc_rigid_builder *builder, pc_node node, const char *name)
{
  char words[MOST_WORDS] = "", hint[80], list[200];
  int used = 0;
  for (int g = 0; g < builder->generators.count; g++)
    used = add_word(words, used, builder->generators.names[g]);
  for (int i = 0, g = 0; i < builder->bodies.count; i++) {
    for (; g < builder->generated.count && i >= builder->generated.at[g].first; g++)
      i += builder->generated.at[g].count;
    if (i < builder->bodies.count)
      used = add_word(words, used, builder->bodies.names[i]);
  }
  pc_word_describe(words, name, hint, sizeof hint, list, sizeof list);
  pc_complain(node, "no body, obstacle or generator is named '%.60s'%s (there are: %s)", name, hint,
              list);
}

static void complain_of_none(const pc_rigid_builder *builder, pc_node node, const choice *c)
{
  bool known = c->name == NULL || c->body >= 0 || c->made.count > 0;
  if (pc_is_mapping(node) && c->material >= 0 && known && !c->inside)
    pc_complain(node, "no body has this material");
  else if (pc_is_mapping(node) && known)
    pc_complain(node, "no body is initially in this region");
  else if (c->prefix > 0)
    pc_complain(node, "no body is named '%.60s'", c->name);
  else
    complain_of_name(builder, node, c->name != NULL ? c->name : "*");
}

// Bodies outside of it are not meant: a name alone is not looked for among all of them.
static void find_range(const pc_rigid_builder *builder, const choice *c, int *first, int *end)
{
  *first = 0;
  *end = builder->bodies.count;
  if (c->body >= 0)
    *first = c->body, *end = c->body + 1;
  else if (c->made.count > 0)
    *first = c->made.first, *end = c->made.first + c->made.count;
}

static void choose(const pc_rigid_builder *builder, pc_node node, bool pushable, pc_chosen *s)
{
  choice c;
  read_choice(builder, node, &c);
  if (pc_failed(node))
    return;
  int chosen = 0, best = -1, first, end;
  double least = INFINITY;
  find_range(builder, &c, &first, &end);
  s->first = first < s->first ? first : s->first;
  s->end = end > s->end ? end : s->end;
  for (int i = first; i < end; i++) {
    if (!is_meant(builder, &c, i))
      continue;
    if (pushable && builder->placed.at[i].kind != PC_FREE) {
      if (i == c.body)
        pc_complain(
            node,
            "'%.60s' is an obstacle: forces, springs, nets, systems, events and deposits take "
            "bodies only",
            c.name);
      continue;
    }
    chosen++;
    if (!c.nearest) {
      s->chosen[i] = 1;
      continue;
    }
    double apart[3];
    for (int k = 0; k < 3; k++)
      apart[k] = builder->placed.at[i].pose.position[k] - c.point[k];
    if (builder->placed.at[i].kind == PC_FREE && pc_dot3(apart, apart) < least) {
      least = pc_dot3(apart, apart);
      best = i;
    }
  }
  if (best >= 0)
    s->chosen[best] = 1;
  if (chosen == 0 || (c.nearest && best < 0))
    complain_of_none(builder, node, &c);
}

pc_chosen pc_rigid_choose(const pc_rigid_builder *builder, pc_node node, bool pushable)
{
  int bodies = builder->bodies.count;
  pc_chosen s = {.first = bodies};
  s.chosen = pc_allocate(node, bodies, sizeof *s.chosen);
  s.bodies = pc_allocate(node, bodies, sizeof *s.bodies);
  if (s.chosen == NULL || s.bodies == NULL)
    return s;
  if (!pc_is_sequence(node))
    choose(builder, node, pushable, &s);
  int entries = pc_is_sequence(node) ? pc_read_list(node, "'bodies'") : 0;
  if (pc_is_sequence(node) && entries == 0)
    pc_complain(node, "the list of bodies is empty");
  for (int i = 0; i < entries && !pc_failed(node); i++)
    choose(builder, pc_item(node, i), pushable, &s);
  for (int i = s.first; i < s.end; i++)
    if (s.chosen[i])
      s.bodies[s.count++].id = i + 1;
  return s;
}

void pc_chosen_free(pc_chosen *s)
{
  free(s->chosen);
  free(s->bodies);
}
