// Numbers as text and back, and kinds of characters, as in the "C" locale: with a decimal point,
// whatever locale the host program has set, and whatever another thread sets at the same time. The
// functions of the C library of this kind follow the host's locale; scripts/structure rejects them
// elsewhere.
#ifndef PERCUSS_CORE_PLAIN_H
#define PERCUSS_CORE_PLAIN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// snprintf and vsnprintf. Formats without floating numbers may also be given to snprintf and
// fprintf themselves.
int pc_print(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int pc_print_list(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

// strtod.
double pc_read_double(const char *text, char **end);

// The fewest digits, at least 15, that read back as the same finite number; 17 always do. Gives the
// length.
enum { PC_EXACT_TEXT = 32 };
int pc_print_exact(double value, char text[PC_EXACT_TEXT]);

// Of ASCII; other bytes are of no kind.
bool pc_is_space(char c);
bool pc_is_letter(char c);
bool pc_is_control(char c);
char pc_to_lower(char c);
char pc_to_upper(char c);
// Equal but for capitals.
bool pc_is_same_word(const char *a, const char *b);
bool pc_begins_with_word(const char *text, const char *word);

#endif
