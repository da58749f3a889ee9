// The tables of schema.h, by the files that hold them.
#ifndef PERCUSS_SCENE_TABLES_H
#define PERCUSS_SCENE_TABLES_H

#include "scene/laws.h"
#include "scene/scene_file.h"
#include "scene/sweep.h"

// --- tables_continuum.c

extern const pc_mapping pc_table_continuum, pc_table_continuum_mesh, pc_table_continuum_rectangle;
extern const pc_mapping pc_table_continuum_places, pc_table_continuum_sides;
extern const pc_mapping pc_table_continuum_line, pc_table_continuum_part, pc_table_continuum_join;
extern const pc_mapping pc_table_continuum_medium, pc_table_continuum_profile;
extern const pc_mapping pc_table_continuum_body, pc_table_continuum_contact;
extern const pc_mapping pc_table_continuum_hold, pc_table_continuum_push;
extern const pc_mapping pc_table_continuum_output, pc_table_continuum_ground;
extern const pc_mapping pc_table_continuum_bar, pc_table_continuum_bar_sides;
extern const pc_mapping pc_table_continuum_disc;

// --- tables_continuum_heat.c; a kind of phase has a pc_fe_phases as value

extern const pc_mapping pc_table_continuum_heat, pc_table_continuum_contact_heat;
extern const pc_mapping pc_table_continuum_surface, pc_table_continuum_later;
extern const pc_mapping *const pc_table_continuum_phases[];

extern const pc_key pc_continuum_times[];

#endif
