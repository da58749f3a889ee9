// Scenes of every kind made up from the schema: an example whose keys come and go, whose words are
// any that the schema allows, and whose numbers go up to the limits of their range and beyond; with
// more mappings of the same file beside it.
#ifndef PERCUSS_TESTS_SCENE_MAKER_H
#define PERCUSS_TESTS_SCENE_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "percuss/random.h"

// Where decisions come from: bytes, of a fuzzer, or random numbers if `random` is not NULL. When
// the bytes are used up, every decision is 0.
typedef struct scene_choices {
  pc_random *random;
  const uint8_t *data;
  size_t size;
} scene_choices;

enum { SCENE_TEXT = 16000 };
void scene_make(scene_choices *choices, char text[SCENE_TEXT]);

// Reads the text as a scene and does up to 10 steps, without files. What is read must end in
// results or with a message, all numbers must be finite, and the energy balance closed; on two
// threads the same state comes out. Gives NULL, or what is wrong.
typedef struct scene_trial {
  const char *fault;
  enum { SCENE_REFUSED, SCENE_FAILED, SCENE_STEPPED } end;
  char message[520]; // of the refusal or failure
} scene_trial;
scene_trial scene_step(const char *name, const char *text, bool twice);

#endif
