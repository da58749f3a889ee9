"""What the contract suite passes: a valid value for every parameter of the public headers, and which wrong ones a call
must refuse. A parameter is found as `function.name`, then as `type name`, then as `type`; one that is not found is an error.
"""

# Objects of the library, made anew for every call (fixture.h). The names of functions are patterns.
HANDLES = [
    (r"pc_crowd_(add_(?!person|hands|group)\w+|set_narrowest|finish)", "pc_crowd", "fixture_building()"),
    (r"pc_body_set_(capacity|exchange)|pc_world_set_specific_heat", "pc_world", "fixture_new_world()"),
    (r".*", "pc_world", "fixture_world()"),
    (r".*", "pc_crowd", "fixture_crowd()"),
    (r"pc_impact_couple_response", "pc_impact", "fixture_response()"),
    (r".*", "pc_impact", "fixture_impact()"),
    (r"pc_shape_(vertices|triangles)", "pc_shape", "fixture_mesh()"),
    (r".*", "pc_shape", "fixture_shape()"),
    (r".*", "pc_heat", "fixture_heat()"),
    (r".*", "pc_chain_motion", "fixture_chain_motion()"),
    (r"pc_continuum_motion_create", "pc_continuum", "fixture_moving_continuum()"),
    (r"pc_continuum_warm", "pc_continuum", "fixture_warm_continuum()"),
    (r".*", "pc_continuum", "fixture_continuum()"),
    (r".*", "pc_continuum_motion", "fixture_continuum_motion()"),
    (r"pc_run_exit", "pc_scene", "fixture_crowd_scene()"),
    (r"pc_runs_create", "pc_scene", "fixture_many_scene()"),
    (r".*", "pc_scene", "fixture_scene()"),
    (r".*", "pc_scene_impact", "fixture_scene_impact()"),
    (r".*", "pc_scene_identification", "fixture_identification()"),
    (r"pc_runs_(run|destroy)", "pc_runs", "fixture_fresh_runs()"),
    (r".*", "pc_runs", "fixture_runs()"),
    (r".*", "pc_view", "fixture_view()"),
    (r".*", "pc_browser", "NULL"),
    (r"pc_continuum_answer_free", "pc_continuum_answer", "fixture_own_answer()"),
    (r"pc_continuum_(write_profile|integrate)", "pc_continuum_answer", "fixture_answer()"),
]

# Structs that the library fills for a later call. Their fields are its own, and are not changed here.
MADE = {"pc_scene", "pc_scene_impact", "pc_scene_identification", "pc_continuum_answer", "pc_run_summary", "pc_step_info",
        "pc_scene_plan", "pc_scene_sweep", "pc_random", "pc_checked"}

# Functions that give an object or an array to its caller, and what gives it back.
OWNED = [
    (r"pc_shape_(?!retain)\w+", "pc_shape *", "pc_shape_release"),
    (r"pc_shape_retain", "pc_shape *", "pc_shape_release"),
    (r"pc_world_create", "pc_world *", "pc_world_destroy"),
    (r"pc_crowd_create", "pc_crowd *", "pc_crowd_destroy"),
    (r"pc_impact_create", "pc_impact *", "pc_impact_destroy"),
    (r"pc_heat_create", "pc_heat *", "pc_heat_destroy"),
    (r"pc_chain_motion_create", "pc_chain_motion *", "pc_chain_motion_destroy"),
    (r"pc_continuum_motion_create", "pc_continuum_motion *", "pc_continuum_motion_destroy"),
    (r"pc_runs_create", "pc_runs *", "pc_runs_destroy"),
    (r"pc_view_open", "pc_view *", "pc_view_close"),
    (r"pc_browser_start", "pc_browser *", "pc_browser_close"),
    (r"pc_browser_evaluate", "char *", "free"),
    (r"pc_browser_picture", "unsigned char *", "free"),
]
# What a call fills and its caller frees, also after a failure.
FILLED = {
    ("pc_scene_read_impact", "out"): "pc_scene_impact_free(out)",
    ("pc_scene_parse_impact", "out"): "pc_scene_impact_free(out)",
    ("pc_scene_read_identification", "out"): "pc_scene_identification_free(out)",
    ("pc_scene_read", "out"): "pc_scene_free(out)",
    ("pc_scene_parse", "out"): "pc_scene_free(out)",
    ("pc_scene_parse_run", "out"): "pc_scene_free(out)",
    ("pc_continuum_solve", "answer"): "pc_continuum_answer_free(answer)",
    ("pc_continuum_warm", "answer"): "pc_continuum_answer_free(answer)",
    ("pc_run_measure", "list"): "free(*list)",
    ("pc_run_check", "found"): "pc_checked_free(found)",
}
# The fixture is not to free again what the call frees.
CONSUMES = {
    "pc_world_destroy": "world", "pc_crowd_destroy": "crowd", "pc_impact_destroy": "problem", "pc_heat_destroy": "heat",
    "pc_chain_motion_destroy": "motion", "pc_continuum_motion_destroy": "motion", "pc_runs_destroy": "runs",
    "pc_view_close": "view", "pc_shape_release": "shape", "pc_scene_free": "scene", "pc_scene_impact_free": "scene",
    "pc_scene_identification_free": "scene", "pc_continuum_answer_free": "answer",
}

# Values of structs.
STRUCTS = {
    "pc_chain": "fixture_chain()",
    "pc_chain_draw_wave.chain": "fixture_chain()",
    "pc_chain_law": "pc_chain_law_default(PC_CHAIN_LZB)",
    "pc_chain_options": "{.tolerance = 1e-10, .max_steps = 20000}",
    "pc_chain_bounds_options": "pc_chain_bounds_options_default()",
    "pc_chain_picture": '{.svg = "chain.svg", .csv = "chain.csv"}',
    "pc_chain_sweep": "fixture_chain_sweep()",
    "pc_interval": "{0, 1}",
    "pc_convex": "pc_convex_power(2, 2)",
    "pc_normal_cone": "{.rays = 2, .ray = {{1, 0}, {0, 1}}}",
    "pc_crowd_def": "pc_crowd_def_default()",
    "pc_exit_def": "{.line = {{2, 0}, {2, 1}}}",
    "pc_stairs_def": "{.floor = {0, 1}, .line = {{{1, 0.6}, {1, 1.1}}, {{1, 0.6}, {1, 1.1}}}}",
    "pc_sign_def": "{.goal = 0, .place = {0.5, 0.5}}",
    "pc_hazard_def": "{.value = {1}}",
    "pc_lift_def": "{.landings = 2, .landing = fixture_landings(), .capacity = 2, .speed = 1, .transfer = 1}",
    "pc_door_def": "{.count = 2, .points = fixture_segment(), .opens = 1}",
    "pc_source_def": "{.count = 1, .points = fixture_segment(), .rate = 1}",
    "pc_detour_def": "{.count = 4, .points = fixture_square(), .least = 1, .from = 0, .to = 1}",
    "pc_stage": "{.goal = 0}",
    "pc_person_def": "fixture_person()",
    "pc_group_def": "fixture_group()",
    "pc_heat_body": "{300, 1, 0, 0}",
    "pc_heat_interaction": "{.bodies = {0, PC_HEAT_NOBODY}, .work = 1}",
    "pc_heat_string": "fixture_string()",
    "pc_heat_string_state": "fixture_string_state()",
    "pc_phase_law": "{.capacity = 1, .latent = 10, .change = 273, .resist = 1}",
    "pc_phase_state": "{260, 0.5}",
    "pc_alloy_state": "{260, {0.3, 0.3, 0.4}}",
    "pc_identification": "fixture_measurements()",
    "pc_impact_body": "pc_impact_body_default()",
    "pc_interaction": "fixture_interaction()",
    "pc_solve_options": "pc_solve_options_default()",
    "pc_export_options": '{.format = PC_EXPORT_CSV, .output = "bodies.csv", .last = -1}',
    "pc_report_options": '{.output = "report.html", .threads = 1}',
    "pc_run_options": '{.output = "run.h5"}',
    "pc_run_summary": "{.finished = true}",
    "pc_runs_options": "{.threads = 1}",
    "pc_shape_piece": "{.shape = fixture_shape(), .orientation = {1}}",
    "pc_view_options": "{.path = fixture_record()}",
    "pc_world_def": "pc_world_def_default()",
    "pc_law": "fixture_law()",
    "pc_signal": "{.kind = PC_SIGNAL_TABLE, .count = 2, .times = fixture_numbers(), .values = fixture_numbers()}",
    "pc_body_def": "fixture_body()",
    "pc_body": "{1}",
    "pc_body_state": "fixture_state()",
    "pc_system_laws": "{1, 1, 1}",
    "pc_heat_def": "pc_heat_def_default()",
    "pc_random": "fixture_random()",
    "pc_step_info": "{.dissipated = 1}",
    "pc_scene_plan": "fixture_plan()",
    "pc_scene_sweep": "fixture_sweep()",
    # What a call fills.
    "pc_chain_answer": "{.velocity = fixture_room()}",
    **{name: "{0}" for name in (
        "pc_chain_measures pc_chain_bounds pc_certificate pc_contact pc_crowd_flow pc_exit_summary pc_heat_info pc_heat_result "
        "pc_identify_info pc_interaction_answer pc_person_state pc_system_action pc_solve_info pc_estimate pc_error "
        "pc_scene_out pc_quantity pc_continuum_answer pc_checked pc_exported pc_reported").split()},
    "pc_scene_read.out": "{0}", "pc_scene_parse.out": "{0}", "pc_scene_parse_run.out": "{0}",
    "pc_scene_read_impact.out": "{0}", "pc_scene_parse_impact.out": "{0}", "pc_scene_read_identification.out": "{0}",
    "pc_alloy_collide.after": "{0}", "pc_phase_collide.after": "{0}", "pc_run_scene.summary": "{0}",
    "pc_chain_draw_geometry.law": "pc_chain_law_default(PC_CHAIN_MOREAU)",
    "pc_continuum_solve.answer": "{0}", "pc_continuum_warm.answer": "{0}",
}

# Arrays of numbers, as initialisers. What is not listed is {1}: the first number is one, the others are zero.
ARRAYS = {
    "pc_chain_measure.mass": "{1, 1, 1}", "pc_chain_percussions.mass": "{1, 1, 1}", "pc_chain_bound.mass": "{1, 1, 1}",
    "pc_chain_kinetic_angles.mass": "{1, 1, 1}", "pc_chain_measure.after": "{0, 0, 1}", "pc_chain_measure.percussion": "{1, 1}",
    "pc_chain_measure_outcome.after": "{0, 0, 1}", "pc_chain_measure_outcome.percussion": "{1, 1}",
    "pc_chain_measure_outcome.compression": "{0, 0}", "pc_chain_percussions.after": "{0, 0, 1}",
    "pc_chain_draw_wave.radius": "{1, 1, 1}",
    "pc_crowd_add_wall.points": "{{0.2, 0.2}, {0.4, 0.4}}", "pc_crowd_add_area.points": "{{0.2, 0.2}, {0.6, 0.2}, {0.6, 0.6}}",
    "pc_crowd_add_slow_zone.points": "{{0.2, 0.2}, {0.6, 0.2}, {0.6, 0.6}}", "pc_crowd_add_pillar.centre": "{0.5, 0.7}",
    "pc_crowd_add_choice.goals": "{0, 1}", "pc_crowd_route.place": "{0.5, 0.5}", "pc_crowd_tightest.place": "{0.5, 0.5}",
    "pc_crowd_measure_flow.start": "{0, 3}", "pc_crowd_measure_flow.time": "{1, 2, 3}", "pc_crowd_measure_flow.inside": "{0}",
    "pc_alloy_fractions.before": "{0.3, 0.3, 0.4}", "pc_shape_plane.normal": "{0, 0, 1}",
    "pc_shape_box.size": "{1, 1, 1}", "pc_shape_polyhedron.vertices": "{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}",
    "pc_shape_polygon.vertices": "{{0, 0}, {1, 0}, {0, 1}}", "pc_shape_chain.vertices": "{{0, 0}, {1, 0}, {2, 1}}",
    "pc_shape_mesh.vertex": "{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}", "pc_shape_mesh.triangle": "{{0, 1, 2}}",
    "pc_shape_heights.height": "{0, 0, 0, 0}", "pc_rotation_spin.inertia": "{1, 2, 2.5}",
    "pc_rotation_advance.inertia": "{1, 2, 2.5}", "pc_rotation_advance.spin": "{1, 2, 3}",
    "pc_rotation_spin.before": "{1, 2, 3}", "pc_world_add_spring.normal": "{0, 0, 1}",
    "pc_world_add_net.low": "{-9, -9, -9}", "pc_world_add_net.high": "{9, 9, 9}",
    "pc_world_add_string.points": "{{0, 0, 1}, {2, 0, 1}}", "pc_world_add_bond.points": "{{0, 0, 1}, {2, 0, 1}}",
    "pc_scene_folder.path": "{0}",
}
BODIES = {  # arrays of bodies
    "pc_world_add_net.bodies": "{{1}}", "pc_world_change.bodies": "{{1}}",
    "pc_world_add_string.bodies": "{{1}, {2}}", "pc_world_add_bond.bodies": "{{1}, {2}}",
    "pc_world_add_system.bodies": "{{1}, {2}}", "pc_world_set_system_pair.bodies": "{{4}, {6}}",
    "pc_world_contact_push.bodies": "{{0}, {0}}", "pc_world_overlap.deepest": "{{0}, {0}}",
}

# Texts.
TEXTS = {
    "pc_scene_read.path": 'FIXTURE_SCENES "/rigid.yaml"', "pc_scene_read_impact.path": 'FIXTURE_SCENES "/impact.yaml"',
    "pc_scene_read_identification.path": 'FIXTURE_SCENES "/identify.yaml"',
    "pc_scene_is_of_kind.path": 'FIXTURE_SCENES "/chain.yaml"', "pc_scene_is_of_kind.kind": '"chain"',
    "pc_scene_check.path": 'FIXTURE_SCENES "/rigid.yaml"', "pc_scene_check.text": "fixture_rigid_text()",
    "pc_scene_parse.path": '"here.yaml"', "pc_scene_parse.text": "fixture_rigid_text()",
    "pc_scene_parse_run.path": '"here.yaml"', "pc_scene_parse_run.text": "fixture_rigid_text()",
    "pc_scene_parse_impact.path": '"here.yaml"', "pc_scene_parse_impact.text": "fixture_impact_text()",
    "pc_fclib_write.path": '"out.hdf5"', "pc_fclib_write.title": '"title"',
    "pc_run_report.sources": 'FIXTURE_SCENES "/crowd.yaml"',
    "pc_run_check.path": "fixture_record()", "pc_run_export.path": "fixture_record()",
    "pc_continuum_write_profile.path": '"out.csv"', "pc_runs_draw.path": '"out.svg"',
    "pc_shape_polyhedron_file.path": '"solid.obj"', "pc_shape_mesh_file.path": '"solid.obj"',
    "pc_shape_heights_file.path": '"heights.asc"',
    "pc_browser_open.address": '"about:blank"', "pc_browser_evaluate.expression": '"1"',
}
WRONG_TEXTS = ['""', '"/nowhere/at/all.x"', '"%n%s%d\\n\\xff: ["', "fixture_long_text()"]

# Other values.
SCALARS = {
    "int": "0", "double": "1", "bool": "false", "size_t": "0", "uint64_t": "1", "long": "1",
    "int dimension": "3", "int threads": "1", "int max_iterations": "100", "int count": "1", "double h": "1e-3",
    "double stiffness": "1", "size_t n": "3", "int width": "100", "int height": "100", "int runs": "1",
    "pc_chain_measure.tolerance": "1e-9", "pc_chain_measure_outcome.tolerance": "1e-9", "pc_chain_bound.ker": "0.9",
    "pc_chain_wave_speed.diameter": "0.1", "pc_chain_hertz_stiffness.poisson": "0.3", "pc_chain_family_masses.factor": "0.1",
    "pc_continuum_solve.tolerance": "0", "pc_convex_power.p": "2", "pc_project_half_space.n": "3", "pc_project_ball.n": "3",
    "pc_project_simplex.n": "3", "pc_project_cone.n": "3", "pc_project_dual_cone.n": "3", "pc_project_polar_cone.n": "3",
    "pc_prox_norm.n": "3",
    "pc_crowd_add_wall.count": "2", "pc_crowd_add_area.count": "3", "pc_crowd_add_choice.count": "2", "pc_crowd_set_known.count": "1", "pc_crowd_air.place": "{0.5, 0.5}", "pc_crowd_air.air": "{0, 0, 0, 0, 0, 0}", "pc_dose_rate.air": "{0, 0, 0, 0, 0, 0}", "pc_crowd_set_known.goals": "{0}",
    "pc_crowd_add_slow_zone.count": "3", "pc_crowd_add_pillar.radius": "0.1", "pc_crowd_add_hands.other": "1",
    "pc_crowd_step.h": "0.01", "pc_crowd_set_narrowest.width": "0.3", "pc_crowd_tightest.most": "2",
    "pc_crowd_lane_order.count": "2", "pc_crowd_explain.size": "sizeof text_room",
    "pc_heat_solve.bodies": "1", "pc_heat_solve.interactions": "1", "pc_phase_liquid.before": "0.5",
    "pc_phase_liquid.temperature": "273", "pc_alloy_fractions.temperature": "273",
    "pc_impact_couple_mass.j": "1", "pc_impact_couple_response.l": "0", "pc_random_below.count": "5",
    "pc_scene_folder.size": "sizeof path_room", "pc_scene_parse_run.run": "1",
    "pc_shape_polyhedron.count": "4", "pc_shape_polygon.count": "3", "pc_shape_chain.count": "3", "pc_shape_mesh.vertices": "3",
    "pc_shape_mesh.triangles": "1", "pc_shape_heights.columns": "2", "pc_shape_heights.rows": "2",
    "pc_validate.quick": "true", "pc_world_set_effort.tolerance": "1e-6", "pc_world_set_present.present": "false",
    "pc_world_set_present.body": "{4}", "pc_world_add_string.length": "2", "pc_world_add_system.count": "2",
    "pc_world_set_string_exchange.element": "1", "pc_world_string.element": "1",
    "pc_world_load.size": "fixture_state_size()", "pc_crowd_load.size": "fixture_crowd_size()",
    "pc_world_save.size": "sizeof(double[4096])", "pc_crowd_save.size": "sizeof(double[4096])",
    "pc_chain_motion_load.size": "fixture_chain_size()", "pc_chain_motion_advance.time": "0.5",
    "pc_rotation_spin.time": "0.1", "pc_rotation_advance.time": "0.1", "pc_heat_string_run.until": "0.5",
    "pc_body_set_capacity.body": "{1}", "pc_body_set_exchange.body": "{1}",
    "pc_world_system_action.action": "0", "pc_scene_sweep_number.value": "0", "pc_validation_case.i": "0",
    "pc_world_set_specific_heat.specific": "700", "pc_world_add_material.density": "1000",
    "pc_body_set_temperature.temperature": "300",
    "pc_alloy_collide.heat": "1", "pc_phase_collide.heat": "1",
}
VOIDS = {
    "pc_world_load.buffer": "fixture_state_bytes()", "pc_crowd_load.buffer": "fixture_crowd_bytes()",
    "pc_chain_motion_load.data": "fixture_chain_bytes()",
}
CALLBACKS = {
    "pc_force": "fixture_force", "pc_continuum_visitor": "fixture_visit", "pc_crowd_namer": "fixture_name",
    "pc_validation_sink": "fixture_row", "pc_scene_teller": "fixture_hear", "function": "NULL",
}

# NULL is a value of these, as their headers say.
MAY_BE_NULL = {
    "*.error", "*.context", "*_free.*", "*_destroy.*", "*_close.*", "*_release.*", "pc_browser_start.is_cancelled", "pc_run_export.exported", "pc_run_report.reported",
    "pc_chain_measure.percussion", "pc_chain_measure_outcome.percussion", "pc_chain_measure_outcome.compression",
    "pc_chain_bound.options", "pc_chain_bound.v_min", "pc_chain_bound.v_max", "pc_chain_draw_wave.radius", "pc_chain_draw_geometry.law",
    "pc_continuum_warm.heat", "pc_continuum_warm.contact_heat", "pc_project_ball.centre", "pc_chain_motion_create.options",
    "pc_chain_solve.options", "pc_phase_collide.produced", "pc_alloy_collide.produced", "pc_alloy_fractions.drive",
    "pc_impact_certify.options", "pc_impact_solve.options", "pc_heat_solve.info", "pc_scene_impact_heat.info",
    "pc_fclib_write.title", "pc_scene_check.text", "pc_world_add_load.signal",
    "pc_world_set_heat.def", "pc_world_overlap.deepest", "pc_world_overlap.touching", "pc_world_save.buffer",
    "pc_crowd_save.buffer", "pc_chain_motion_save.buffer", "pc_crowd_measure_flow.inside", }

# Whole numbers that say how long an array of the call is. No function can know that the array is shorter, so these
# calls are made with 0 and with negative numbers only.
LENGTHS = {
    "pc_chain_measure.n", "pc_chain_percussions.n", "pc_chain_kinetic_angles.n", "pc_chain_bound.n", "pc_chain_family_masses.n",
    "pc_project_half_space.n", "pc_project_ball.n", "pc_project_simplex.n", "pc_project_cone.n", "pc_project_dual_cone.n",
    "pc_project_polar_cone.n", "pc_prox_norm.n", "pc_crowd_add_wall.count", "pc_crowd_add_area.count", "pc_crowd_add_choice.count",
    "pc_crowd_add_slow_zone.count", "pc_crowd_add_plan.count", "pc_crowd_measure_flow.runs", "pc_crowd_lane_order.count",
    "pc_heat_solve.bodies", "pc_heat_solve.interactions", "pc_shape_polyhedron.count", "pc_shape_compound.count",
    "pc_shape_mesh.vertices", "pc_shape_mesh.triangles", "pc_shape_heights.columns", "pc_shape_heights.rows",
    "pc_shape_polygon.count", "pc_shape_chain.count", "pc_validate.count", "pc_world_change.count", "pc_world_add_net.count",
    "pc_world_add_system.count", "pc_world_load.size", "pc_crowd_load.size", "pc_chain_motion_load.size", "pc_scene_folder.size",
    "pc_crowd_explain.size", "pc_world_save.size", "pc_crowd_save.size",
}
# The same in structs.
FIELD_LENGTHS = {
    "pc_chain.balls", "pc_chain_law.distances", "pc_chain_sweep.count", "pc_door_def.count", "pc_source_def.count",
    "pc_detour_def.count", "pc_detour_def.where_count", "pc_group_def.count", "pc_identification.unknowns",
    "pc_identification.measurements", "pc_interaction.terms", "pc_interaction.rows", "pc_signal.count",
}

# Outputs of a size that only a right call has: a wrong one fills nothing.
UNFILLED = {"pc_impact_velocity.velocity", "pc_world_read.position", "pc_world_read.velocity", "pc_world_read_turns.angle",
            "pc_world_read_turns.spin", "pc_world_read_temperatures.temperature"}

# Calls whose valid form needs what is not here. They are made with wrong arguments only.
WITHOUT_VALID_CALL = {
    "pc_browser_start": "starts Chromium; the tests of the viewer do",
    "pc_browser_open": "needs Chromium", "pc_browser_evaluate": "needs Chromium", "pc_browser_picture": "needs Chromium",
    "pc_view_open": "refused by a build without the viewer", "pc_view_check": "refused by a build without the viewer",
}
# Fields that ask for much where they are large.
NOT_SET = {"pc_runs_options.steps INT_MAX": "a run of as many steps is a long one, and no wrong one"}
# A call takes tenths of a second: one in eight of its variants is made, all of them with PERCUSS_TEST_LONG.
SLOW = {"pc_chain_draw_geometry", "pc_validate", "pc_run_scene", "pc_run_find", "pc_run_is_finished"}
# Wrong values that are not passed, with the reason.
NOT_PASSED = {
    "pc_validate.ids": "NULL with count 0 asks for all rows, which take minutes",
    "pc_validate.count": "0 likewise",
    "pc_validate.quick": "likewise",
}
