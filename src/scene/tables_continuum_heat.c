// What files of the kind `continuum` may say of temperatures and phases.
#include "continuum/thermal.h"
#include "scene/tables.h"

// The keys that both kinds of phases have.
static const pc_key change_keys[] = {
    {"latent", PC_A_NUMBER, true, .unit = "J/m³", PC_POSITIVE,
     .meaning = "L: heat that melting, or becoming austenite, takes"},
    {"at", PC_A_NUMBER, true, .unit = "K", PC_POSITIVE,
     .meaning = "T₀: the temperature of the change"},
    {"resistance", PC_A_NUMBER, .unit = "J/m³", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "c of c [β]: the change is dissipative, and spread over temperatures. 0: it is all "
                "at `at`"},
    {"spread", PC_A_NUMBER, .unit = "J/m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "k of the energy ½ k (grad β)²"},
    {"spread_change", PC_A_NUMBER, .unit = "J/m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "υ of the dissipation ½ υ (grad [β])²"},
    {0}};

static const pc_key liquid_keys[] = {
    PC_TAG("kind", "liquid", "kind of phase"),
    {"fraction", PC_A_NUMBER, PC_FROM(0, 1), .otherwise = "0",
     .meaning = "β of liquid before the collision: 0 frozen, 1 molten"},
    {0}};
static const pc_mapping liquid = {.id = "continuum_liquid",
                                  .what = "a liquid phase",
                                  .meaning = "Melts and freezes.",
                                  .keys = {liquid_keys, change_keys},
                                  .value = PC_FE_LIQUID};

static const pc_key alloy_keys[] = {
    PC_TAG("kind", "alloy", "kind of phase"),
    {"fractions", PC_NUMBERS, .count = {3, 3}, PC_FROM(0, 1), .otherwise = "[0.5, 0.5, 0]",
     .meaning = "β of two martensites and of austenite before the collision; what they lack to 1 "
                "are voids"},
    {0}};
static const pc_mapping alloy = {.id = "continuum_alloy",
                                 .what = "an alloy",
                                 .meaning = "An alloy with shape memory: two martensites, which "
                                            "are cold, and austenite.",
                                 .keys = {alloy_keys, change_keys},
                                 .value = PC_FE_ALLOY};

const pc_mapping *const pc_table_continuum_phases[] = {&liquid, &alloy, NULL};

static const pc_key later_keys[] = {
    {"conductivity", PC_A_NUMBER, .unit = "W/(m K)", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "of heat"},
    {"convection", PC_A_NUMBER, .unit = "W/(m³ K)", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "heat that it receives from beside the mesh: of a rod, W/(m² K) times its "
                "perimeter over its section"},
    {"outside", PC_A_NUMBER, .unit = "K", PC_POSITIVE, .left_out = "needed with `convection`",
     .meaning = "the temperature there"},
    {"resistance", PC_A_NUMBER, .unit = "J s/m³", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "c of c dβ/dt"},
    {"spread_change", PC_A_NUMBER, .unit = "J s/m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "υ of the dissipation ½ υ (grad dβ/dt)²"},
    {"slope", PC_A_NUMBER, .unit = "Pa/K", PC_FROM(-1e9, 0), .otherwise = "0",
     .meaning = "of an alloy: the stress has − (β₁ − β₂) slope (T − critical) 1 below `critical`; "
                "at most 0"},
    {"critical", PC_A_NUMBER, .unit = "K", PC_POSITIVE, .left_out = "needed with `slope`",
     .meaning = "T_c, above `at` of the phase"},
    {0}};
const pc_mapping pc_table_continuum_later = {
    .id = "continuum_later",
    .what = "'later' of heat",
    .meaning = "What a medium does after the collision, with a `duration`.",
    .keys = {later_keys}};

static const pc_key heat_keys[] = {
    {"capacity", PC_A_NUMBER, true, .unit = "J/(m³ K)", PC_POSITIVE, .meaning = "C, of heat"},
    {"conductivity", PC_A_NUMBER, .unit = "J/(m K)", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning =
         "λ: heat − λ grad of the mean of T⁻ and T⁺ flows in the collision. That of "
         "chapter 10, twice k of chapter 7; of the order of W/(m K) times how long it lasts"},
    {"temperature", PC_A_NUMBER, true, .unit = "K", PC_POSITIVE,
     .meaning = "T⁻, before the collision"},
    {"phase", PC_A_MAPPING, .variants = pc_table_continuum_phases, .left_out = "it has one",
     .meaning = "what it changes into"},
    {"later", PC_A_MAPPING, .mapping = &pc_table_continuum_later, .otherwise = "{}",
     .meaning = "after the collision, with a `duration`: all that is per second"},
    {0}};
const pc_mapping pc_table_continuum_heat = {
    .id = "continuum_heat",
    .what = "'heat' of a medium",
    .meaning = "Its temperature, and what the energy that the collision dissipates makes of it. "
               "Media that touch have it together.",
    .keys = {heat_keys}};

static const pc_key contact_heat_keys[] = {
    {"exchange", PC_A_NUMBER, .unit = "J/(m² K)", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "heat that passes, for a difference of the mean temperatures; 2 k of (7.64)"},
    {0}};
const pc_mapping pc_table_continuum_contact_heat = {.id = "continuum_contact_heat",
                                                    .what = "'heat' of a contact",
                                                    .meaning = "Heat between two media that touch.",
                                                    .keys = {contact_heat_keys}};

static const pc_key surface_keys[] = {
    {"sides", PC_A_NAME, true, .meaning = "a group of sides of media with `heat`"},
    {"capacity", PC_A_NUMBER, .unit = "J/(m² K)", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "of heat, of the surface itself"},
    {"exchange", PC_A_NUMBER, .unit = "J/(m² K)", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "heat that it receives, for a degree that the outside is warmer than its mean "
                "temperature"},
    {"outside", PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "needed with `exchange`, `convection` or `given`",
     .meaning = "the temperature outside"},
    {"given", PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: the surface has the temperature outside after the collision"},
    {"convection", PC_A_NUMBER, .unit = "W/(m² K)", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "heat that it receives after the collision, with a `duration`"},
    {0}};
const pc_mapping pc_table_continuum_surface = {
    .id = "continuum_surface",
    .what = "an entry of 'surfaces'",
    .meaning = "Heat at the outside. Sides without an entry are insulated.",
    .keys = {surface_keys}};
