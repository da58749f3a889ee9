// Which contacts join the impacts of a step.
#include "rigid/joining.h"

#include <stdlib.h>

void pc_joining_clear(pc_contact_set *contacts)
{
  contacts->joining.count = 0;
}

// In the order of the list of contacts: by bodies, then by feature.
static int compare_keys(const void *a, const void *b)
{
  const pc_contact_key *x = a, *y = b;
  for (int k = 0; k < 2; k++)
    if (x->body[k] != y->body[k])
      return x->body[k] < y->body[k] ? -1 : 1;
  return (x->feature > y->feature) - (x->feature < y->feature);
}

bool pc_contact_joins(const pc_contact_set *contacts, const pc_contact_data *contact)
{
  if (contacts->joining.count == 0)
    return false;
  pc_contact_key key = {{contact->body[0], contact->body[1]}, contact->feature};
  return bsearch(&key, contacts->joining.at, (size_t)contacts->joining.count, sizeof key,
                 compare_keys) != NULL;
}

bool pc_joining_add(pc_contact_set *contacts, const pc_contact_data *contact)
{
  pc_contact_key *key = pc_array_add(&contacts->joining);
  if (key != NULL)
    *key = (pc_contact_key){{contact->body[0], contact->body[1]}, contact->feature};
  return key != NULL;
}

void pc_joining_sort(pc_contact_set *contacts)
{
  qsort(contacts->joining.at, (size_t)contacts->joining.count, sizeof *contacts->joining.at,
        compare_keys);
}
