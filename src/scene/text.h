// Text for messages: cleaned, and the nearest known word.
#ifndef PERCUSS_SCENE_TEXT_H
#define PERCUSS_SCENE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pc_text {
  char text[160];
} pc_text;

// Copies at most `size` - 1 bytes, without control characters and without cutting a UTF-8
// character; what is left out becomes `...`.
void pc_text_clean(char *to, size_t size, const char *from, size_t length);
// A file's name for a message. The end of a long path says more than its beginning.
pc_text pc_text_path(const char *path);

// Lists of words are strings with spaces between the words. The next word of a list; NULL at the
// end.
const char *pc_word_next(const char **list, size_t *length);
bool pc_word_is_in(const char *words, const char *word);
// The word that `wrong` was probably meant to be, NULL if none is near.
const char *pc_word_nearest(const char *words, const char *wrong, size_t *length);
// Writes `; did you mean 'x'?`, if a word is near, and the list as `a, b, c`; where that is too
// long, as `a, b, ...`.
void pc_word_describe(const char *words, const char *wrong, char *hint, size_t hint_size,
                      char *list, size_t list_size);

#endif
