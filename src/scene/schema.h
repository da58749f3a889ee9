// What files may say: one table for every mapping. A key is declared once, with its name, what it
// may hold, unit, range, default and description, and with the field of a C struct that it fills.
// `pc_bind` of bind.h reads files by these tables, and `percuss schema` prints them.
#ifndef PERCUSS_SCENE_SCHEMA_H
#define PERCUSS_SCENE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

// Numbers that are allowed. NaN never is.
typedef struct pc_limits {
  enum { PC_ANY_FINITE, PC_ABOVE, PC_AT_LEAST, PC_BETWEEN } kind;
  double low, high; // high counts for PC_BETWEEN alone, low not for PC_ANY_FINITE
  bool infinite;    // inf, .inf and "inf" are allowed too
} pc_limits;
#define PC_POSITIVE .range = {.kind = PC_ABOVE}
#define PC_NOT_NEGATIVE .range = {.kind = PC_AT_LEAST}
#define PC_FROM(low_, high_) .range = {.kind = PC_BETWEEN, .low = low_, .high = high_}

// A word that is allowed, and the value that it stands for, often of an enumeration. Lists end with
// a word NULL.
typedef struct pc_word {
  const char *word;
  int value;
} pc_word;
#define PC_WORDS(...)                                                                              \
  (const pc_word[])                                                                                \
  {                                                                                                \
    __VA_ARGS__,                                                                                   \
    {                                                                                              \
      NULL, 0                                                                                      \
    }                                                                                              \
  }

// The field of a struct that a key fills; PC_KEY and PC_INTO of bind.h make these.
typedef struct pc_key_field {
  enum {
    PC_NO_FIELD, // the reader takes the value itself
    PC_DOUBLE_FIELD,
    PC_DOUBLES_FIELD, // an array
    PC_INT_FIELD,     // or an enumeration
    PC_INTS_FIELD,
    PC_BOOL_FIELD,
    PC_TEXT_FIELD, // of the document
    PC_NODE_FIELD  // where the value stands, for what needs more than one key to be read
  } type;
  const char *of; // the type of the struct
  size_t size, at;
} pc_key_field;
#define PC_UNBOUND                                                                                 \
  {                                                                                                \
    .type = PC_NO_FIELD                                                                            \
  }

// The key of a mapping by which it is told from others that may stand in its place.
#define PC_TAG(name_, word_, noun_)                                                                \
  {                                                                                                \
    name_, PC_UNBOUND, PC_A_WORD, true, .words = PC_WORDS({word_, 0}), .noun = noun_,              \
                                        .meaning = noun_                                           \
  }

// What a value may be; a key may allow several.
enum pc_key_form {
  PC_A_NUMBER = 1 << 0,
  PC_AN_INTEGER = 1 << 1,
  PC_A_BOOLEAN = 1 << 2,
  PC_A_WORD = 1 << 3,
  PC_A_TEXT = 1 << 4,
  PC_A_NAME = 1 << 5,
  PC_A_FILE = 1 << 6,  // its name, beside the scene
  PC_A_SPIN = 1 << 7,  // three numbers, in the plane one number
  PC_NUMBERS = 1 << 8, // lists
  PC_INTEGERS = 1 << 9,
  PC_LENGTHS = 1 << 10, // numbers, or mappings as the key says
  PC_POINTS = 1 << 11,  // lists of numbers
  PC_NAMES = 1 << 12,
  PC_FILES = 1 << 13,
  PC_A_MAPPING = 1 << 14,
  PC_A_LIST = 1 << 15,  // of mappings; of names too, if the key can be a name
  PC_PAIRS = 1 << 16,   // a mapping of the file's own names to mappings or numbers
  PC_GAPS = 1 << 17,    // null stands for a number that is missing
  PC_NOTHING = 1 << 18, // null stands for an empty list
  PC_VALUES = 1 << 19   // a list of whatever another key may hold
};

typedef struct pc_mapping pc_mapping;

typedef struct pc_key {
  const char *name;   // NULL ends a table
  pc_key_field field; // that it fills
  int forms;          // of enum pc_key_form
  bool required;
  const char *with; // another key, without which it says nothing
  const char *unit;
  pc_limits range;
  int count[2];              // numbers of a list or point, at least and at most; 0: the dimension
  const pc_word *words;      // that are allowed
  const char *noun;          // what messages call the word
  const pc_mapping *mapping; // what it holds, or
  const pc_mapping *const *variants; // one of these, up to NULL
  const char *otherwise; // the value, as YAML, that means the same as leaving the key out
  const char *left_out;  // in words, if it is not a value
  const char *meaning;
} pc_key;

enum { PC_KEY_PARTS = 4, PC_MANY = 1 << 24 };

struct pc_mapping {
  const char *id;                   // in references
  const char *what;                 // in messages
  const char *meaning;              // in references
  const pc_key *keys[PC_KEY_PARTS]; // tables, one after the other; the last one is NULL
  int value;                        // what a variant stands for, in an enumeration of its reader
};

// The kinds of files, up to NULL; their key `kind` has one word each.
extern const pc_mapping *const pc_schema_kinds[];

// Key number i, or NULL behind the last; the key of a name, or NULL.
const pc_key *pc_mapping_key(const pc_mapping *mapping, int i);
bool pc_mapping_has(const pc_mapping *mapping, const char *name);
const pc_key *pc_mapping_find(const pc_mapping *mapping, const char *name, size_t length);
// Mapping number i of what a key may hold, or NULL.
const pc_mapping *pc_key_mapping(const pc_key *key, int i);
// Lists as text, separated by spaces: words, the keys of a mapping, those of all variants, and the
// words by which `tag` tells variants apart. They are cut to `size`.
void pc_words_text(const pc_word *list, char *words, size_t size);
void pc_mapping_words(const pc_mapping *mapping, char *words, size_t size);
void pc_variant_keys(const pc_mapping *const *variants, char *words, size_t size);
void pc_variant_words(const pc_mapping *const *variants, const char *tag, char *words, size_t size);

#endif
