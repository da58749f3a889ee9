// The tables of schema.h, by the files that hold them.
#ifndef PERCUSS_SCENE_TABLES_H
#define PERCUSS_SCENE_TABLES_H

#include "scene/laws.h"
#include "scene/scene_file.h"
#include "scene/sweep.h"

// --- tables_impact.c

extern const pc_mapping pc_table_impact, pc_table_problem, pc_table_impact_body,
    pc_table_impact_heat;
extern const pc_mapping *const pc_table_interactions[]; // value: pc_interaction_type
extern const pc_mapping pc_table_identification, pc_table_unknown, pc_table_experiment;

// --- tables_crowd.c

extern const pc_mapping pc_table_crowd, pc_table_draw, pc_table_wall, pc_table_pillar;
extern const pc_mapping pc_table_slow, pc_table_floor, pc_table_exit, pc_table_area;
extern const pc_mapping pc_table_place, pc_table_group, pc_table_crowd_law, pc_table_crowd_contact;
extern const pc_mapping pc_table_social, pc_table_routes, pc_table_crowd_solver;
extern const pc_mapping pc_table_crowd_output, pc_table_stairs, pc_table_stairs_end, pc_table_door;
extern const pc_mapping pc_table_source, pc_table_detour, pc_table_stage, pc_table_hands;
extern const pc_mapping pc_table_together, pc_table_turning, pc_table_maps, pc_table_lanes;

// --- tables_chain.c; the laws of a chain have a pc_chain_law_kind as value

extern const pc_mapping pc_table_chain, pc_table_chain_balls, pc_table_chain_contacts;
extern const pc_mapping pc_table_chain_distance, pc_table_chain_output;

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

extern const pc_key pc_crowd_times[], pc_chain_times[], pc_continuum_times[];

#endif
