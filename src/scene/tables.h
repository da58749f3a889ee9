// The tables of schema.h, by the files that hold them.
#ifndef PERCUSS_SCENE_TABLES_H
#define PERCUSS_SCENE_TABLES_H

#include "scene/schema.h"

// --- tables_laws.c. Lists of variants end with NULL; their `value` is of the enumerations of
// law.h.

extern const pc_mapping *const pc_table_normal_laws[], *const pc_table_tangential_laws[];
extern const pc_mapping *const pc_table_distance_laws[], *const pc_table_spin_laws[];
extern const pc_mapping pc_table_contact_law;
// In scenes nothing is bilateral, and Coulomb's law looks at the velocity after.
extern const pc_mapping *const pc_table_scene_normal_laws[],
    *const pc_table_scene_tangential_laws[];

// --- tables_impact.c

extern const pc_mapping pc_table_impact, pc_table_problem, pc_table_impact_body,
    pc_table_impact_heat;
extern const pc_mapping *const pc_table_interactions[]; // value: pc_interaction_type
extern const pc_mapping pc_table_identification, pc_table_unknown, pc_table_experiment;

// --- tables_rigid.c

extern const pc_mapping pc_table_rigid, pc_table_contact, pc_table_sleep, pc_table_solver,
    pc_table_material;
extern const pc_mapping pc_table_law, pc_table_default_law, pc_table_output, pc_table_deposit;
extern const pc_mapping pc_table_body, pc_table_obstacle, pc_table_guided;
extern const pc_mapping pc_table_motion, pc_table_translation, pc_table_translation_plane;
extern const pc_mapping pc_table_rotation, pc_table_rotation_plane, pc_table_signal, pc_table_sine;
extern const pc_mapping pc_table_orientation, pc_table_orientation_plane;
extern const pc_mapping pc_table_choice, pc_table_event, pc_table_force, pc_table_spring;
extern const pc_mapping pc_table_string, pc_table_warm, pc_table_heat;
extern const pc_mapping pc_table_net, pc_table_sensor;
extern const pc_mapping pc_table_region, pc_table_region_plane, pc_table_region_cylinder;
extern const pc_mapping pc_table_region_sphere, pc_table_region_disc;
extern const pc_mapping *const pc_table_regions[], *const pc_table_orientations[];

// --- tables_shapes.c

extern const pc_mapping *const pc_table_shapes[]; // value: the dimension, 0 for both
extern const pc_mapping pc_table_length_range, pc_table_piece;

// --- tables_generators.c

extern const pc_mapping *const pc_table_generators[];
extern const pc_mapping pc_table_shape_choice, pc_table_volume;
extern const pc_mapping pc_table_velocity_range, pc_table_velocity_toward, pc_table_spin_range;

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

// --- tables_runs.c: top keys of all scenes that are run

extern const pc_key pc_keys_of_runs[];
extern const pc_mapping pc_table_sweep;

#endif
