// Which law acts at a contact in a step.
#include "rigid/contact_law.h"

#include <math.h>

#include "rigid/joining.h"

enum { INELASTIC = PC_CALM_INELASTIC, SLIPPERY = PC_CALM_SLIPPERY };

void pc_contact_law_variant(const pc_materials *materials, int variant, pc_law *law)
{
  *law = *pc_materials_law(materials, variant / PC_LAW_VARIANTS);
  // What can be pierced still holds up to its threshold where it does not rebound.
  if (variant & INELASTIC && law->normal.kind == PC_NORMAL_PENETRABLE)
    law->normal.k = 0;
  else if (variant & INELASTIC)
    law->normal.kind = PC_NORMAL_INELASTIC;
  if (variant & SLIPPERY)
    law->tangential.kind = PC_TANGENTIAL_NONE;
}

// False for laws that can never throw bodies apart.
static bool can_rebound(const pc_normal_law *law)
{
  return law->kind == PC_NORMAL_RESTITUTION
             ? law->e > 0
             : law->kind != PC_NORMAL_INELASTIC && (law->k > 0 || law->k0 > 0);
}

// How long a contact has to close: until the middle of the next step. At velocity level contacts of
// systems, which are in the list before they close, have until the end of this one.
static double time_to_close(const pc_step *step, const pc_contact_data *contact)
{
  bool soon = step->search.treatment == PC_VELOCITY_LEVEL &&
              pc_contact_is_of_system(&step->search, contact->body[0], contact->body[1]);
  return soon ? 0.5 * step->h : step->h;
}

static bool closes(const pc_step *step, const pc_contact_data *contact)
{
  double least = fmin(contact->before, contact->free);
  return contact->gap <= 0 || contact->gap + time_to_close(step, contact) * least < 0;
}

static bool touches(const pc_step *step, const pc_contact_data *contact)
{
  return closes(step, contact) ||
         contact->gap <= pc_touch_gap(&step->search, contact->body[0], contact->body[1]);
}

// A round surface that rolls approaches as fast as its contact bends, without being an impact.
static double speed_of_bend(const pc_step *step, const pc_contact_data *contact)
{
  pc_bend bend;
  if (!pc_contact_may_bend(&step->search, contact->body[0], contact->body[1]) ||
      !pc_contact_bend(&step->search, contact, &bend))
    return 0;
  return 2 * fabs(bend.gap) / step->h;
}

bool pc_contact_is_impact(const pc_step *step, const pc_contact_data *contact)
{
  double rest = step->search.rest_speed;
  return contact->before < -rest && closes(step, contact) &&
         contact->before < -rest - speed_of_bend(step, contact);
}

bool pc_contact_could_join(const pc_step *step, const pc_contact_data *contact)
{
  if (contact->law < 0 || !(contact->law & INELASTIC) || step->calm & INELASTIC)
    return false;
  const pc_law *law = pc_materials_law(&step->world->materials, contact->law / PC_LAW_VARIANTS);
  if (law->normal.kind != PC_NORMAL_RESTITUTION || !(law->normal.e > 0))
    return false;
  const pc_detection *search = &step->search;
  double approach = -contact->before - search->rest_speed;
  double parting = contact->before - search->gravity * step->h;
  return (approach > 0 || parting > 0) && fmax(approach, parting) > speed_of_bend(step, contact);
}

bool pc_contact_rolls(const pc_step *step, const pc_contact_data *contact, pc_bend *bend)
{
  const pc_detection *search = &step->search;
  return search->treatment != PC_PENALTY &&
         pc_contact_may_bend(search, contact->body[0], contact->body[1]) &&
         !pc_contact_is_impact(step, contact) && pc_contact_bend(search, contact, bend);
}

bool pc_contact_looks_ahead(const pc_step *step, const pc_contact_data *contact, pc_bend *bend)
{
  const pc_outline *outline = step->world->outlines.body.at;
  int a = contact->body[0], b = contact->body[1];
  if (!pc_contact_may_bend(&step->search, a, b) || !(contact->law & INELASTIC) ||
      contact->law & SLIPPERY || outline[a].kind == PC_DRIVEN || outline[b].kind == PC_DRIVEN)
    return false;
  const pc_law *law = pc_materials_law(&step->world->materials, contact->law / PC_LAW_VARIANTS);
  return law->tangential.kind == PC_TANGENTIAL_COULOMB && law->tangential.on != PC_ON_MEAN &&
         pc_contact_rolls(step, contact, bend);
}

// What the bend of a contact adds to its bound. The bend is known up to a small part of itself, so
// at position level overlaps are taken back up to its size. A contact that opens no faster than it
// closed gives no energy, and at the same speed takes none: a motion that goes on steadily does
// just that.
static double bound_of_bend(const pc_step *step, const pc_contact_data *contact, bool rebounds)
{
  pc_bend bend;
  if (rebounds || !pc_contact_rolls(step, contact, &bend))
    return 0;
  bool position = step->search.treatment == PC_POSITION_LEVEL;
  double overlap = position ? fmax(0, fmin(-contact->gap, fabs(bend.gap))) : 0;
  return fmin((overlap - bend.gap) / step->h, fmax(0, -contact->before));
}

// The dissipative part of a normal law acts only where the contact approaches. Slow impacts do not
// rebound, or nothing would ever rest.
int pc_contact_law(const pc_step *step, const pc_contact_data *contact, double *bound)
{
  const pc_world *world = step->world;
  const pc_detection *search = &step->search;
  double h = step->h, gravity = search->gravity;
  int pair =
      pc_materials_find_law(&world->materials, world->outlines.body.at[contact->body[0]].material,
                            world->outlines.body.at[contact->body[1]].material);
  const pc_law *law = pc_materials_law(&world->materials, pair);
  pc_normal_kind kind = law->normal.kind;
  bool viscous = law->tangential.kind == PC_TANGENTIAL_VISCOUS;
  int which = PC_LAW_VARIANTS * pair;
  *bound = 0;
  bool of_system = pc_contact_is_of_system(search, contact->body[0], contact->body[1]);
  if (kind == PC_NORMAL_BILATERAL) // contacts of systems are looked at long before they close
    return of_system && !touches(step, contact) ? -1 : which;
  which |= step->calm;
  bool separating = contact->before > gravity * h;
  if (separating && viscous)
    which |= SLIPPERY;
  bool position = search->treatment == PC_POSITION_LEVEL;
  bool rebounds =
      can_rebound(&law->normal) && !(which & INELASTIC) &&
      (pc_contact_is_impact(step, contact) || pc_contact_joins(&world->contacts, contact));
  if (!rebounds)
    which |= INELASTIC;
  if (kind == PC_NORMAL_PENETRABLE)
    return !separating && closes(step, contact) ? which : -1;
  // A separating contact that is stopped gains R D-/2, because R works on the mean velocity. With
  // D+ >= -D- it gains nothing.
  if (world->def.dissipative && !position && !(step->calm & INELASTIC) &&
      kind != PC_NORMAL_RESTITUTION && can_rebound(&law->normal) && contact->before > 0)
    *bound = -contact->before;
  // Gaps below this count as none. Otherwise the noise of each solve comes back through the gaps of
  // the next, and bodies at rest are never quite solved. Overlaps are not reduced here.
  double slop = 0.05 * gravity * h * h;
  bool near = position || (of_system && !pc_contact_is_impact(step, contact));
  if (near && contact->gap > slop && !rebounds) {
    *bound = (slop - contact->gap) / time_to_close(step, contact);
    // Not touching yet: nothing to drag along.
    if (viscous)
      which |= SLIPPERY;
  }
  *bound += bound_of_bend(step, contact, rebounds);
  return which;
}
