// Reading a mapping of a document into a C struct, by the table that declares its keys.
//
//     typedef struct ball {
//       double mass, velocity[3];
//       bool rolls;
//     } ball;
//     static const pc_key ball_keys[] = {
//         {PC_KEY(ball, mass), PC_A_NUMBER, true, .unit = "kg", PC_POSITIVE, .meaning = "Mass."},
//         {PC_KEY(ball, velocity), PC_NUMBERS, .unit = "m/s", .otherwise = "[0, 0, 0]",
//          .meaning = "Initial velocity."},
//         {PC_KEY(ball, rolls), PC_A_BOOLEAN, .otherwise = "false", .meaning = "..."},
//         {0}};
//
//     if (pc_bind(&node, &ball_table, &ball) && ball.mass > 10)
//       pc_complain(PC_NODE(node, ball, mass), "a ball of %g kg is too heavy", ball.mass);
//
// So a key and its default are written once: they are read, checked, completed and documented from
// the table.
#ifndef PERCUSS_SCENE_BIND_H
#define PERCUSS_SCENE_BIND_H

#include "scene/document.h"

// The field of a struct that a key fills. Its C type says how:
//   double, int, bool   the number or the truth; of a word, its value; enumerations are ints
//   double[], int[]     as many numbers as the key has, or one number for all of them
//   const char *        the text, or the word itself; it lives as long as the document
//   pc_node             where the value stands; absent if the file does not have it
// PC_UNBOUND stands for no field: the reader takes the value itself.
#define PC_INTO(type_, field_)                                                                     \
  {                                                                                                \
    .type = _Generic(((type_ *)0)->field_,                                                 \
                    double: PC_DOUBLE_FIELD,                                                       \
                    double *: PC_DOUBLES_FIELD,                                                    \
                    int: PC_INT_FIELD,                                                             \
                    unsigned: PC_INT_FIELD,                                                        \
                    int *: PC_INTS_FIELD,                                                          \
                    bool: PC_BOOL_FIELD,                                                           \
                    const char *: PC_TEXT_FIELD,                                                   \
                    pc_node: PC_NODE_FIELD),                                                       \
   .of = #type_,                                                                                   \
   .size = sizeof(((type_ *)0)->field_),                                                  \
   .at = offsetof(type_, field_)       \
  }

// The number of a key that may be something else too, or the default of its table.
void pc_read_number_or_default(pc_node node, double *number);

// A key that is called as the field is.
#define PC_KEY(type_, name_) #name_, PC_INTO(type_, name_)

// Reads the keys of the mapping as pc_read_keys does, and fills the fields of their table: with the
// value, or where the file does not have the key with the default of the table. A key without a
// default that is not there leaves its field as it is. Of an absent node all keys are absent, and
// none is missed. False if the node is absent or something is wrong.
bool pc_bind(pc_node *node, const pc_mapping *mapping, void *into);
// The value in the file of the key that fills this field of a mapping that was read; absent if the
// file does not have it. PC_GIVEN: whether it has it.
#define PC_NODE(mapping_, type_, field_) pc_field_node(mapping_, #type_, offsetof(type_, field_))
#define PC_GIVEN(mapping_, type_, field_) pc_is_present(PC_NODE(mapping_, type_, field_))
pc_node pc_field_node(pc_node mapping, const char *type, size_t at);
// pc_bind where the keys of a mapping fill several structs, for those that fill this type of
// struct. The keys are read once.
#define PC_BIND(node_, mapping_, type_, into_) pc_bind_type(node_, mapping_, #type_, into_)
bool pc_bind_type(pc_node *node, const pc_mapping *mapping, const char *type, void *into);
// The same as pc_bind for the one of the variants of its key that `tag` stands for: see
// pc_read_variant.
int pc_bind_variant(pc_node *node, const char *what, const char *tag, void *into);

#endif
