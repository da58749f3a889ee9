// Signals and motions of obstacles of a `kind: rigid` file.
#include <stdlib.h>

#include "scene/rigid_file.h"

static const pc_key sine_keys[] = {
    {PC_KEY(pc_signal, amplitude), PC_A_NUMBER, true, .unit = "m, rad", .meaning = "amplitude"},
    {PC_KEY(pc_signal, frequency), PC_A_NUMBER, true, .unit = "Hz", PC_POSITIVE,
     .meaning = "frequency"},
    {PC_KEY(pc_signal, phase), PC_A_NUMBER, .unit = "rad", .otherwise = "0",
     .meaning = "phase at time 0"},
    {0}};

static const pc_mapping sine_table = {
    "sine", "a sine",
    "The function amplitude × (sin(2π frequency t + phase) − sin(phase)) of time t.",
    .keys = {sine_keys}};

typedef struct signal_file {
  pc_node sine, table;
} signal_file;
static const pc_key signal_keys[] = {
    {PC_KEY(pc_signal, rate), PC_A_NUMBER, .unit = "m/s, rad/s",
     .meaning = "the value is rate × time"},
    {PC_KEY(signal_file, sine), PC_A_MAPPING, .mapping = &sine_table,
     .meaning = "the value is a sine of time"},
    {PC_KEY(signal_file, table), PC_POINTS, .unit = "s; m, rad", .count = {2, 2},
     .meaning = "`[[time, value], …]`: linearly interpolated, constant outside the given times"},
    {"of", PC_INTO(pc_signal, of_speed), PC_A_WORD,
     .words = PC_WORDS({"displacement", false}, {"speed", true}), .noun = "table",
     .otherwise = "displacement",
     .meaning = "meaning of the values of `table`: displacements, or speeds that are integrated "
                "from time 0"},
    {0}};

const pc_mapping pc_table_signal = {
    "signal", "a signal", "A function of time, given by one of `rate`, `sine` and `table`.",
    .keys = {signal_keys}};

static void read_table(pc_node node, pc_signal *signal)
{
  int count = pc_read_list(node, "'table'");
  if (!pc_failed(node) && count < 1)
    pc_complain(node, "a table needs at least one row [time, value]");
  double *numbers = pc_allocate(node, 2 * count, sizeof *numbers);
  if (numbers == NULL)
    return;
  double *times = numbers, *values = numbers + count, row[2];
  for (int i = 0; i < count && !pc_failed(node); i++) {
    pc_read_vector(pc_item(node, i), 2, 2, row);
    times[i] = row[0];
    values[i] = row[1];
    if (i > 0 && !(times[i] > times[i - 1]))
      pc_complain(pc_item(node, i), "the times of a table must increase: %g comes after %g",
                  times[i], times[i - 1]);
  }
  signal->kind = PC_SIGNAL_TABLE;
  signal->count = count;
  signal->times = times;
  signal->values = values;
}

void pc_rigid_free_signal(pc_signal *signal)
{
  free((void *)signal->times); // one piece with the values
  *signal = (pc_signal){0};
}

// Reads the keys of a signal, which a rotation has as well.
static void read_signal(pc_node node, const pc_mapping *mapping, pc_signal *signal)
{
  signal_file file;
  *signal = (pc_signal){0};
  if (!PC_BIND(&node, mapping, signal_file, &file) || !PC_BIND(&node, mapping, pc_signal, signal))
    return;
  pc_node of = PC_NODE(node, pc_signal, of_speed);
  bool tabled = pc_is_present(file.table);
  if (PC_GIVEN(node, pc_signal, rate) + pc_is_present(file.sine) + tabled != 1)
    pc_complain(node, "one of 'rate', 'sine' and 'table' is required");
  if (pc_is_present(of) && !tabled)
    pc_complain(of, "'of' requires 'table'");
  if (pc_failed(node))
    return;
  if (tabled)
    read_table(file.table, signal);
  else
    signal->kind = pc_bind(&file.sine, &sine_table, signal) ? PC_SIGNAL_SINE : PC_SIGNAL_RATE;
}

void pc_rigid_read_signal(pc_node node, pc_signal *signal)
{
  read_signal(node, &pc_table_signal, signal);
}

typedef struct translation_file {
  pc_node along[3];
} translation_file;
static const pc_key xy_keys[] = {
    {"x", PC_INTO(translation_file, along[0]), PC_A_MAPPING, .mapping = &pc_table_signal,
     .left_out = "0", .meaning = "displacement along x"},
    {"y", PC_INTO(translation_file, along[1]), PC_A_MAPPING, .mapping = &pc_table_signal,
     .left_out = "0", .meaning = "displacement along y"},
    {0}};

static const pc_key z_keys[] = {{"z", PC_INTO(translation_file, along[2]), PC_A_MAPPING,
                                 .mapping = &pc_table_signal, .left_out = "0",
                                 .meaning = "displacement along z"},
                                {0}};

static const pc_mapping translation_table = {"translation", "a translation",
                                             "Displacement from the position at time 0.",
                                             .keys = {xy_keys, z_keys}};

static const pc_mapping translation_plane_table = {
    "translation_plane", "a translation", "Displacement in the plane from the position at time 0.",
    .keys = {xy_keys}};

static const pc_mapping *const translations[] = {&translation_table, &translation_plane_table,
                                                 NULL};

static const pc_key axis_keys[] = {{PC_KEY(pc_motion, axis), PC_NUMBERS, true, .count = {3, 3},
                                    .meaning = "direction of the axis"},
                                   {0}};
static const pc_key centre_keys[] = {{PC_KEY(pc_motion, centre), PC_NUMBERS, .unit = "m",
                                      .otherwise = "[0, 0, 0]",
                                      .meaning = "a point on the axis, in world coordinates"},
                                     {0}};

static const pc_mapping rotation_table = {"rotation", "a rotation",
                                          "Rotation about an axis; a signal, in rad.",
                                          .keys = {axis_keys, centre_keys, signal_keys}};

static const pc_mapping rotation_plane_table = {"rotation_plane", "a rotation",
                                                "Rotation in the plane about z; a signal, in rad.",
                                                .keys = {centre_keys, signal_keys}};

static const pc_mapping *const rotations[] = {&rotation_table, &rotation_plane_table, NULL};

typedef struct motion_file {
  pc_node translation, rotation;
} motion_file;
static const pc_key motion_keys[] = {{PC_KEY(motion_file, translation), PC_A_MAPPING,
                                      .variants = translations, .meaning = "translation"},
                                     {PC_KEY(motion_file, rotation), PC_A_MAPPING,
                                      .variants = rotations,
                                      .meaning = "rotation, applied before the translation"},
                                     {0}};

const pc_mapping pc_table_motion = {"motion", "a motion",
                                    "A prescribed motion: `translation`, `rotation` or both.",
                                    .keys = {motion_keys}};

void pc_rigid_read_motion(const pc_rigid_builder *builder, pc_node node, pc_motion *motion)
{
  motion_file file;
  translation_file translation = {0};
  if (!pc_bind(&node, &pc_table_motion, &file))
    return;
  if (!pc_is_present(file.translation) && !pc_is_present(file.rotation))
    pc_complain(node, "a motion needs 'translation', 'rotation' or both");
  bool space = builder->dimension == 3;
  pc_bind(&file.translation, space ? &translation_table : &translation_plane_table, &translation);
  for (int i = 0; i < 3; i++)
    if (pc_is_present(translation.along[i]))
      pc_rigid_read_signal(translation.along[i], motion->translation + i);
  const pc_mapping *turns = space ? &rotation_table : &rotation_plane_table;
  if (!pc_is_present(file.rotation))
    return;
  read_signal(file.rotation, turns, &motion->rotation);
  motion->axis[2] = 1;
  PC_BIND(&file.rotation, turns, pc_motion, motion);
  if (space)
    pc_rigid_make_unit(PC_NODE(file.rotation, pc_motion, axis), motion->axis);
}

void pc_rigid_free_motion(pc_motion *motion)
{
  for (int i = 0; i < 3; i++)
    pc_rigid_free_signal(motion->translation + i);
  pc_rigid_free_signal(&motion->rotation);
}
