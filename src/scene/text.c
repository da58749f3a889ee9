#include "scene/text.h"

#include <stdio.h>
#include <string.h>

#include "core/plain.h"

void pc_text_clean(char *to, size_t size, const char *from, size_t length)
{
  size_t n = 0;
  bool whole = true;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)from[i];
    if (c < 0x20 || c == 0x7f)
      c = ' ';
    if (n + 4 >= size) {
      whole = false;
      break;
    }
    to[n++] = (char)c;
  }
  if (!whole) {
    while (n > 0 && ((unsigned char)to[n - 1] & 0xc0) == 0x80)
      n--;
    if (n > 0 && (unsigned char)to[n - 1] >= 0xc0)
      n--;
    memcpy(to + n, "...", 3);
    n += 3;
  }
  to[n] = 0;
}

pc_text pc_text_path(const char *path)
{
  pc_text name;
  size_t length = strlen(path), shown = sizeof name.text - 8;
  bool cut = length > shown;
  const char *from = cut ? path + length - shown : path;
  while (cut && ((unsigned char)*from & 0xc0) == 0x80)
    from++;
  strcpy(name.text, cut ? "..." : "");
  pc_text_clean(name.text + 3 * cut, sizeof name.text - 3 * cut, from, strlen(from));
  return name;
}

const char *pc_word_next(const char **list, size_t *length)
{
  const char *word = *list + strspn(*list, " ");
  if (*word == 0)
    return NULL;
  *length = strcspn(word, " ");
  *list = word + *length;
  return word;
}

bool pc_word_is_in(const char *words, const char *word)
{
  size_t length;
  for (const char *at; (at = pc_word_next(&words, &length)) != NULL;)
    if (strlen(word) == length && memcmp(at, word, length) == 0)
      return true;
  return false;
}

// Changed, missing, added and swapped letters between two words (restricted Damerau distance).
static int word_distance(const char *a, size_t m, const char *b, size_t n)
{
  enum { LONGEST = 24 };
  if (m > LONGEST || n > LONGEST)
    return LONGEST;
  int cost[LONGEST + 1][LONGEST + 1];
  for (size_t i = 0; i <= m; i++)
    for (size_t j = 0; j <= n; j++) {
      if (i == 0 || j == 0) {
        cost[i][j] = (int)(i + j);
        continue;
      }
      int same = pc_to_lower(a[i - 1]) == pc_to_lower(b[j - 1]) ? 0 : 1;
      int best = cost[i - 1][j - 1] + same;
      if (cost[i - 1][j] + 1 < best)
        best = cost[i - 1][j] + 1;
      if (cost[i][j - 1] + 1 < best)
        best = cost[i][j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          cost[i - 2][j - 2] + 1 < best)
        best = cost[i - 2][j - 2] + 1;
      cost[i][j] = best;
    }
  return cost[m][n];
}

const char *pc_word_nearest(const char *words, const char *wrong, size_t *length)
{
  size_t n, wrong_length = strlen(wrong);
  const char *nearest = NULL;
  // At most two letters are wrong and at most half of them; the dashes of an option are no letters.
  int letters = (int)(wrong_length - strspn(wrong, "-")), best = letters < 4 ? letters / 2 + 1 : 3;
  for (const char *word; (word = pc_word_next(&words, &n)) != NULL;) {
    int distance = word_distance(wrong, wrong_length, word, n);
    if (distance < best && distance < (int)n) {
      best = distance;
      nearest = word;
      *length = n;
    }
  }
  return nearest;
}

void pc_word_describe(const char *words, const char *wrong, char *hint, size_t hint_size,
                      char *list, size_t list_size)
{
  size_t length, used = 0;
  const char *nearest = pc_word_nearest(words, wrong, &length);
  hint[0] = list[0] = 0;
  if (nearest != NULL)
    snprintf(hint, hint_size, "; did you mean '%.*s'?", (int)length, nearest);
  static const char more[] = ", ...";
  for (const char *word; (word = pc_word_next(&words, &length)) != NULL;) {
    bool last = words[strspn(words, " ")] == 0;
    if (used + 2 + length + (last ? 1 : sizeof more) > list_size) { // it ends at a whole word
      snprintf(list + used, list_size - used, "%s", used ? more : more + 2);
      break;
    }
    used += (size_t)snprintf(list + used, list_size - used, "%s%.*s", used ? ", " : "", (int)length,
                             word);
  }
}
