// The state of each person.
#include <math.h>

#include "core/elementary.h"
#include "crowd/crowd.h"

pc_body pc_crowd_body(const pc_crowd *crowd, int person)
{
  if (crowd == NULL || person < 0 || person >= crowd->people)
    return (pc_body){0};
  return (pc_body){crowd->walls + person + 1};
}

void pc_walker_set(pc_crowd *crowd, int person)
{
  const pc_person *of = &crowd->person[person];
  crowd->walker[person] = (pc_walker){
      .from =
          of->stands || of->dose >= crowd->def.dose ? INFINITY : fmax(of->def.response, of->resume),
      .speed = of->def.speed * pc_ease(of),
      .mass = of->def.mass,
      .relaxation = of->def.relaxation,
      .floor = of->floor,
      .goal = pc_heading(of),
      .group = of->group,
      .straight = of->def.straight,
      .ability = (unsigned char)pc_ability(&of->def),
  };
}

void pc_person_aim(pc_crowd *crowd, int person, int goal)
{
  crowd->person[person].goal = goal;
  crowd->person[person].chosen = 0;
  pc_walker_set(crowd, person);
}

int pc_crowd_people(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return 0;
  return crowd->people;
}

int pc_crowd_inside(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return 0;
  return crowd->inside;
}

int pc_crowd_lost(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return 0;
  int lost = 0;
  for (int i = 0; i < crowd->people; i++) {
    pc_person_state person;
    pc_crowd_person(crowd, i, &person);
    if (!person.present)
      continue;
    const pc_floor *floor = &crowd->floors.at[person.floor];
    const double *p = person.position;
    lost += !isfinite(p[0] + p[1]) || !pc_layout_allows(&floor->plan, p) || pc_is_outside(floor, p);
  }
  return lost;
}

int pc_crowd_waiting(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return 0;
  return crowd->waiting;
}

void pc_crowd_person(const pc_crowd *crowd, int person, pc_person_state *state)
{
  if (state == NULL)
    return;
  *state = (pc_person_state){.exit = -1};
  if (crowd == NULL || person < 0 || person >= crowd->people)
    return;
  const pc_person *own = &crowd->person[person];
  pc_body_state body;
  pc_body_get(crowd->world, pc_crowd_body(crowd, person), &body);
  *state = (pc_person_state){
      .present = own->present,
      .floor = own->floor,
      .goal = own->goal,
      .heads_for = pc_heading(own),
      .position = {body.position[0] - crowd->floors.at[own->floor].offset, body.position[1]},
      .velocity = {body.velocity[0], body.velocity[1]},
      .wish = {crowd->wish[person][0], crowd->wish[person][1]},
      .orientation = 2 * pc_atan2(body.orientation[3], body.orientation[0]),
      .spin = body.spin[2],
      .radius = own->def.radius,
      .push = crowd->push[person],
      .push_largest = crowd->pushed[person].largest,
      .push_sum = crowd->pushed[person].sum,
      .load = crowd->pressing[person].last,
      .load_largest = crowd->pressing[person].largest,
      .exit = own->exit,
      .exit_time = own->exit_time,
      .entry_time = own->entry_time,
      .stage = own->stage,
      .laps = own->laps,
      .dose = own->dose};
}
