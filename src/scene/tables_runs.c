// Tables: many runs of one scene, of whatever kind.
#include "scene/tables.h"

static const pc_key sweep_keys[] = {
    {"key", PC_A_TEXT, true,
     .meaning = "a path into the scene, as `people.guest.speed` or `bodies.0.velocity.2`: keys, "
                "numbers of list entries from 0, or their names"},
    {"values", PC_VALUES, true, .meaning = "what stands there, one after the other"},
    {0}};
const pc_mapping pc_table_sweep = {.id = "sweep",
                                   .what = "an entry of 'sweep'",
                                   .meaning = "A key of the scene, and the values it takes.",
                                   .keys = {sweep_keys}};

const pc_key pc_keys_of_runs[] = {
    {"runs", PC_AN_INTEGER, .range = {.kind = PC_BETWEEN, .low = 1, .high = 1e6}, .otherwise = "1",
     .meaning = "so many runs, with the seeds `seed`, `seed` + 1, …; of every combination of "
                "`sweep`"},
    {"sweep", PC_A_LIST, .mapping = &pc_table_sweep, .otherwise = "[]",
     .meaning = "keys that take several values: every combination is run"},
    {0}};
