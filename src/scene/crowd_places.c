// People at random places of a floor, or of a part of it. Each is put where the first of some
// random places is free. Where that fails, because the place gets full, all of the group are put
// anywhere and pushed apart.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/plain.h"
#include "crowd/crowd.h"
#include "crowd/layout.h"
#include "crowd/pack.h"
#include "crowd/spots.h"
#include "scene/crowd_file.h"

typedef struct place {
  double low[2], high[2];
  int count; // corners of a polygon; 0: a box
  double (*corner)[2];
} place;

typedef struct place_file {
  pc_node box, polygon;
} place_file;
static const pc_key place_keys[] = {{PC_KEY(place_file, box), PC_POINTS, .unit = "m",
                                     .count = {2, 2}, .meaning = "`[low corner, high corner]`"},
                                    {PC_KEY(place_file, polygon), PC_POINTS, .unit = "m",
                                     .count = {2, 2}, .meaning = "three points or more"},
                                    {0}};
const pc_mapping pc_table_place = {
    "place", "'inside'", "A part of a floor, given by `box` or `polygon`.", .keys = {place_keys}};

static void read_place(pc_crowd_builder *builder, pc_node node, int floor, place *where)
{
  *where = (place){.count = 0};
  memcpy(where->low, builder->bounds.at[floor], sizeof where->low);
  memcpy(where->high, builder->bounds.at[floor] + 2, sizeof where->high);
  place_file file;
  if (!pc_bind(&node, &pc_table_place, &file))
    return;
  pc_node box = file.box, polygon = file.polygon;
  if (pc_is_present(box) == pc_is_present(polygon)) {
    pc_complain(node, "'inside' must be either a 'box' or a 'polygon'");
    return;
  }
  bool is_box = pc_is_present(box);
  int count;
  double(*point)[2] = pc_crowd_read_points(is_box ? box : polygon, is_box ? 2 : 3, &count);
  if (point == NULL)
    return;
  if (is_box && count != 2)
    pc_complain(box, "a box must be [low corner, high corner]");
  for (int k = 0; k < 2; k++) {
    where->low[k] = where->high[k] = point[0][k];
    for (int i = 1; i < count; i++) {
      where->low[k] = fmin(where->low[k], point[i][k]);
      where->high[k] = fmax(where->high[k], point[i][k]);
    }
    if (is_box && point[1][k] < point[0][k])
      pc_complain(box, "the low corner of the box must be below its high corner");
  }
  where->count = is_box ? 0 : count;
  where->corner = is_box ? NULL : point;
  if (is_box)
    free(point);
}

// Positions to try. Fewer for the first person: if no position is free for that one, the place is
// wrong, and not just full.
enum { TRIES = 10000, FIRST_TRIES = 1000 };
enum { HALVINGS = 5 }; // of the number of people, to find how many fit

typedef struct placing {
  const pc_places *of;
  place where;
  pc_spots *taken; // by those who have a place
  pc_person_def *person;
  double *radius, (*at)[2]; // for packing
} placing;

static bool is_inside(const placing *p, const double at[2])
{
  const place *where = &p->where;
  return at[0] >= where->low[0] && at[0] <= where->high[0] && at[1] >= where->low[1] &&
         at[1] <= where->high[1] &&
         (where->count == 0 || pc_is_inside(where->count, (const double(*)[2])where->corner, at));
}

// A random place in the part of the floor; false: outside a polygon.
static bool draw_place(placing *p, double at[2])
{
  for (int k = 0; k < 2; k++)
    at[k] = pc_random_uniform(&p->of->builder->random, p->where.low[k], p->where.high[k]);
  return is_inside(p, at);
}

// 0, or below 0 if the person cannot be added to the crowd there.
static int check(const placing *p, const pc_person_def *person)
{
  return pc_spots_find(p->taken, 0, person->position, person->radius) >= 0
             ? -1
             : pc_people_check(p->of->builder->crowd, person);
}

// Positions outside the walls are skipped; but if no other is found for the first person, the walls
// have a gap, which is reported.
static bool place_one(placing *p, int i)
{
  pc_crowd_builder *builder = p->of->builder;
  pc_node group = p->of->group;
  pc_person_def *person = &p->person[i];
  double open[2] = {0, 0};
  bool opened = false;
  for (int tries = 0; tries < (i == 0 ? FIRST_TRIES : TRIES) && !pc_failed(group); tries++) {
    if (!draw_place(p, person->position))
      continue;
    int checked = check(p, person);
    if (checked == 0 && pc_spots_take(p->taken, i, 0, person->position, person->radius))
      return true;
    if (checked == 0 || pc_crowd_status(builder->crowd) == PC_ERROR_MEMORY) // elsewhere is no help
      pc_complain(group, "out of memory");
    if (checked == PC_NO_WAY) { // a part of the floor is shut off: people elsewhere would hide it
      char who[200];
      snprintf(who, sizeof who,
               "'%.60s' start at random positions, but part of the floor is cut off; use 'inside' "
               "to choose where they start",
               pc_text_path(p->of->name).text);
      pc_crowd_complain(builder, group, who);
    }
    if (checked == PC_OPEN_WALLS && !opened) {
      opened = true;
      memcpy(open, person->position, sizeof open);
    }
  }
  if (!opened || i > 0 || pc_failed(group))
    return false;
  memcpy(person->position, open, sizeof open);
  if (check(p, person) == PC_OPEN_WALLS) // for its words
    pc_crowd_complain(builder, group, "");
  return false;
}

static bool may_be(void *context, int i, const double at[2])
{
  placing *p = context;
  pc_person_def person = p->person[i];
  memcpy(person.position, at, sizeof person.position);
  return is_inside(p, at) && pc_people_may_stand(p->of->builder->crowd, &person);
}

// Puts somebody where only the others of the group may be in the way.
static bool place_anywhere(placing *p, int i)
{
  for (int tries = 0; tries < TRIES; tries++)
    if (draw_place(p, p->person[i].position) && may_be(p, i, p->person[i].position))
      return true;
  return false;
}

// Pushes the first people apart; false: so many do not fit.
static bool pack(placing *p, int count)
{
  pc_packing packing = {
      .count = count, .radius = p->radius, .place = p->at, .may_be = may_be, .context = p};
  for (int i = 0; i < count; i++) {
    p->radius[i] = p->person[i].radius;
    memcpy(p->at[i], p->person[i].position, sizeof p->at[i]);
  }
  if (!pc_pack(&packing))
    pc_complain(p->of->group, "out of memory");
  return packing.packed;
}

// How many fit; some do without pushing.
static int push_together(placing *p, int placed)
{
  int count = p->of->count;
  p->radius = pc_allocate(p->of->group, count, sizeof *p->radius);
  p->at = pc_allocate(p->of->group, count, sizeof *p->at);
  for (int i = placed; i < count && !pc_failed(p->of->group); i++) {
    if (i > placed) // who did not find a place is drawn already
      p->person[i] = *p->of->draw(p->of->of);
    if (!place_anywhere(p, i))
      return placed;
  }
  if (pc_failed(p->of->group))
    return placed;
  int fit = placed, full = count + 1;
  for (int k = 0, many = count; k <= HALVINGS && many > fit && many < full; k++) {
    if (pack(p, many))
      fit = many;
    else
      full = many;
    if (fit == count)
      for (int i = 0; i < count; i++)
        memcpy(p->person[i].position, p->at[i], sizeof p->at[i]);
    many = fit + (full - fit) / 2;
  }
  return fit;
}

static void complain(const placing *p, int fit)
{
  const pc_crowd_builder *builder = p->of->builder;
  const place *where = &p->where;
  char what[300], on[100] = "";
  if (builder->floors.count > 1)
    snprintf(on, sizeof on, " on floor '%.60s'", builder->floors.names[p->of->floor]);
  pc_print(what, sizeof what, "only %d of %d people of '%.60s' fit between (%g, %g) and (%g, %g)%s",
           fit, p->of->count, pc_text_path(p->of->name).text, where->low[0], where->low[1],
           where->high[0], where->high[1], on);
  if (fit > 0)
    pc_complain(p->of->node, "%s; use a larger area or fewer people", what);
  else
    pc_crowd_complain(p->of->builder, p->of->node, what);
}

void pc_crowd_place_at_random(const pc_places *places)
{
  placing p = {.of = places};
  pc_node group = places->group;
  int placed = 0;
  read_place(places->builder, places->inside, places->floor, &p.where);
  p.person = pc_failed(group) ? NULL : pc_allocate(group, places->count, sizeof *p.person);
  p.taken = pc_spots_create();
  if (p.taken == NULL)
    pc_complain(group, "out of memory");
  for (; placed < places->count && !pc_failed(group); placed++) {
    p.person[placed] = *places->draw(places->of);
    if (!place_one(&p, placed))
      break;
  }
  int fit = placed;
  if (placed > 0 && placed < places->count && !pc_failed(group))
    fit = push_together(&p, placed);
  if (fit < places->count && !pc_failed(group))
    complain(&p, fit);
  for (int i = 0; i < places->count && !pc_failed(group); i++)
    if (!places->add(places->of, &p.person[i]))
      pc_crowd_complain(places->builder, group, pc_text_path(places->name).text);
  pc_spots_destroy(p.taken);
  free(p.person);
  free(p.radius);
  free(p.at);
  free(p.where.corner);
}
