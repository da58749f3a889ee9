// Whether people of a `kind: crowd` file fit through what is on their way.
#include <math.h>
#include <stdlib.h>

#include "scene/crowd_file.h"

// Springs give way: bodies go through gaps that are a little narrower than they are.
static const double SQUEEZED = 0.9;

void pc_crowd_check_narrowest(pc_crowd_builder *builder, pc_node people)
{
  double least = INFINITY;
  int groups = pc_read_list(people, "'people'");
  for (int i = 0; i < groups && !pc_failed(people); i++)
    least = fmin(least, pc_crowd_least_radius(pc_item(people, i)));
  if (!pc_failed(people) && least > 0 && isfinite(least) &&
      pc_crowd_set_narrowest(builder->crowd, 2 * least * (builder->springs ? SQUEEZED : 1)) !=
          PC_OK)
    pc_crowd_complain(builder, people, "");
}

// Counts, for each group, the people who do not fit through the narrowest place of their route.
void pc_crowd_check_widths(pc_crowd_builder *builder, pc_node people)
{
  pc_scene_people *scene = &builder->scene->people;
  pc_crowd *crowd = builder->crowd;
  double widest = 0;
  int capacity = 0;
  for (int i = 0; i < builder->people; i++)
    widest = fmax(widest, 2 * pc_crowd_person_def(crowd, i).radius);
  for (int i = builder->people - 1; i >= 0; i--) { // the first of a group counts as its place
    pc_person_def p = pc_crowd_person_def(crowd, i);
    double width = 2 * p.radius * (builder->springs ? SQUEEZED : 1);
    pc_tight tight = pc_crowd_tightest(crowd, p.goal, p.floor, p.position, width, widest);
    if (p.straight || !(tight.width < width - 1e-9))
      continue;
    pc_scene_tight *last = scene->tights > 0 ? &scene->tight[scene->tights - 1] : NULL;
    if (last == NULL || last->group != scene->group[i]) {
      last = pc_array_add_element(&scene->tight, &scene->tights, &capacity, sizeof *last);
      if (last == NULL) {
        pc_complain(people, "out of memory");
        return;
      }
      *last = (pc_scene_tight){.group = scene->group[i], .at = tight};
    }
    last->people++;
    last->goal = p.goal;
    if (tight.width <= last->at.width)
      last->at = tight;
  }
}
